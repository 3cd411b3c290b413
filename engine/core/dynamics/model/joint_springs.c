/* Prepares the coordinates of a joint for substeps of length h: limits, motors and springs.
 *
 * A slow spring follows the exact motion of a damped oscillator. A fast spring, and a spring beside
 * strong other springs, is solved implicitly (tune_spring()). The rows are prepared again
 * whenever h changes or cn_prepared_joint.h is reset to 0.
 *
 * Letters: h substep (s), w angular frequency (rad/s), z damping ratio, x = w h (rad). */
#include "model.h"

#include <math.h>

// rad in a substep: a spring that swings faster is about as stiff as a lock.
#define MAX_SPRING_TURN 3
// rad in a substep: a faster spring is solved implicitly (see tune_spring()).
#define MAX_EXACT_TURN 0.5
// spring_strength(): a spring is solved implicitly if the other springs of a body are stronger.
#define MAX_OTHER_STRENGTH 1
#define UNBOUNDED          1e9f // m or rad: the limits of a free coordinate

// e^x for x <= 0: the series of x / 2^12, squared 12 times.
static double exponential(double x) {
    double t = (x < -700 ? -700 : x) / 4096;
    double e = 1 + t * (1 + t / 2 * (1 + t / 3 * (1 + t / 4)));
    for (int i = 0; i < 12; i++) e *= e;
    return e;
}

// 1 - cos(x) for 0 <= x < 1.
static double versine(double x) {
    double q = x * x;
    return q / 2 * (1 - q / 12 * (1 - q / 30 * (1 - q / 56)));
}

// Returns x = w h, in radians.
static double spring_turn(const cn_coordinate *c, float h) {
    return 6.283185307179586 * (double)c->hertz * (double)h;
}

// Returns x (2 z + x): how strongly a spring pulls within h. An implicit spring takes the fraction
// s / (1 + s) of the velocity off, with s this strength.
static double spring_strength(const cn_coordinate *c, float h) {
    return spring_turn(c, h) * (2 * (double)c->damping_ratio + spring_turn(c, h));
}

double cn_joint_strength(const cn_joint_def *def, float h) {
    return spring_strength(&def->x, h) + spring_strength(&def->y, h) +
           spring_strength(&def->angle, h);
}

// Returns the strength of all springs at one of the joint's two bodies, at the one that has more.
// Stops counting beyond `enough`.
static double strength_around(const cn_simulation *sim, int joint, float h, double enough) {
    double most = 0;
    for (int k = 0; k < 2; k++) {
        int body = sim->joint_records[joint].bodies[k];
        int i = cn_is_dynamic(&sim->hot[body]) ? sim->first_joint[body] : -1;
        double sum = 0;
        for (; i >= 0 && sum <= enough; i = cn_joint_next(sim, i, body))
            if (sim->joints[i].row_type != CN_ROW_NONE)
                sum += cn_joint_strength(&sim->joints[i].def, h);
        most = fmax(most, sum);
    }
    return most;
}

// Effective masses of a coordinate: in its rest pose, and the smallest of all poses.
typedef struct {
    double at_rest, smallest;
} masses;

/* Writes scale and rate of a spring, and returns its hold.
 *
 * The exact motion of a damped spring over a substep h: u is the velocity of the coordinate, C its
 * distance from the target, and g the change of velocity that everything else causes within h.
 *
 *     u' = (1 - scale) u + (1 - hold) g - rate C
 *     d = e^(-2 z x),  m = e^(-z x) cos(x sqrt(1 - z^2)),  scale = 1 - d,  rate = (1 + d - 2 m) / h
 *
 * For z > 1 the cosine is a hyperbolic cosine. At rest under a load the spring yields by
 * C = (1 - hold) g / rate. That is the exact value g / (h w^2) if 1 - hold = (1 + d - 2 m) / x^2.
 * The divisor used here is 2 - 2 cos x instead of x^2: then the hold of an undamped spring is 0.
 * Otherwise two undamped springs would damp each other.
 *
 * This motion ignores other springs. So a fast spring (MAX_EXACT_TURN) and a spring beside strong
 * ones (MAX_OTHER_STRENGTH) are solved implicitly. An implicit spring is stable, but it adds
 * damping.
 *
 * If the spring is slow enough for the smallest effective mass, the rate is stored as an impulse
 * per distance, with the effective mass at rest. Otherwise it is stored as a velocity per distance,
 * with a negative sign, and the solver multiplies it by the effective mass that it finds. */
static float tune_spring(cn_prepared_row *row, const cn_coordinate *c, float h, double strength,
                         masses mass) {
    double x = fmin(spring_turn(c, h), MAX_SPRING_TURN), z = (double)c->damping_ratio;
    if (x > MAX_EXACT_TURN || strength - spring_strength(c, h) > MAX_OTHER_STRENGTH) {
        double a2 = x * (2 * z + x), a3 = 1 / (1 + a2);
        row->scale = (float)(a2 * a3), row->rate = (float)(-x * x * a3 / (double)h);
        return row->scale;
    }
    double root = sqrt(z < 1 ? 1 - z * z : z * z - 1), y = x * root;
    double e = exponential(-z * x), lost = 1 - e;
    // 1 + d - 2 m, without the cancellation of nearly equal numbers
    double change = z < 1 ? lost * lost + 2 * e * versine(y)
                          : (1 - exponential(-z * x + y)) * (1 - exponential(-z * x - y));
    row->scale = (float)(lost * (1 + e)), row->rate = (float)(-change / (double)h);
    if (mass.at_rest * change <= mass.smallest) row->rate *= (float)-mass.at_rest;
    return (float)(1 - change / (2 * versine(x)));
}

// Returns the largest impulse of a force in a substep. A force of 0 is unlimited.
static float max_impulse(float force, float h) { return force > 0 ? force * h : FLT_MAX; }

static cn_prepared_row tune_row(const cn_coordinate *c, float h, double strength, masses mass,
                                float *hold) {
    bool is_locked = c->mode == CN_LOCKED;
    cn_prepared_row row = {.lower = is_locked ? c->target : c->lower,
                           .upper = is_locked ? c->target : c->upper,
                           .target = c->target,
                           .speed = c->motor_speed};
    if (c->mode == CN_FREE) row.lower = -UNBOUNDED, row.upper = UNBOUNDED;
    if (c->motor) row.motor_limit = max_impulse(c->max_motor_force, h);
    if (is_locked || c->hertz == 0) return row;
    row.spring_limit = max_impulse(c->max_spring_force, h);
    *hold = tune_spring(&row, c, h, strength, mass);
    return row;
}

/* Returns the effective masses of x or y.
 *
 * In the rest pose all coordinates are at their targets. A spring keeps the stiffness that its
 * hertz give in that pose. If the stiffness followed the effective mass of the present pose, as the
 * impulse of a lock does, the force of the spring would have no potential, and a body that swings
 * and turns on the spring would gain energy. */
static masses find_masses(const cn_simulation *sim, int joint, int axis) {
    const cn_joint_record *record = &sim->joint_records[joint];
    const cn_joint_def *def = &sim->joints[joint].def;
    const cn_body_hot *a = &sim->hot[record->bodies[0]], *b = &sim->hot[record->bodies[1]];
    vec2s ra = cn_unrotate(def->frame_a.rotation, record->arms[0]),
          rb = cn_unrotate(def->frame_b.rotation, record->arms[1]);
    ra = glms_vec2_add(ra, cn_vec(def->x.target, def->polar ? 0 : def->y.target));
    rb = cn_rotate(cn_rotation_full(def->angle.target), rb);
    float sa = axis == CN_JOINT_X ? ra.y : ra.x, sb = axis == CN_JOINT_X ? rb.y : rb.x;
    double m = (double)(a->inverse_mass + b->inverse_mass);
    double ia = (double)a->inverse_inertia, ib = (double)b->inverse_inertia;
    double k = m + ia * (double)(sa * sa) + ib * (double)(sb * sb);
    double most = m + ia * (double)glms_vec2_norm2(ra) + ib * (double)glms_vec2_norm2(rb);
    return k > 0 ? (masses){1 / k, 1 / most} : (masses){0};
}

void cn_joint_prepare(cn_simulation *sim, int joint, float h) {
    const cn_joint_def *def = &sim->joints[joint].def;
    const cn_coordinate none = {.mode = CN_FREE}; // a polar joint has no y
    const cn_coordinate *rows[3] = {&def->x, def->polar ? &none : &def->y, &def->angle};
    cn_prepared_joint *prepared = &sim->prepared_joints[joint];
    *prepared =
        (cn_prepared_joint){.frames = {def->frame_a.rotation, def->frame_b.rotation}, .h = h};
    double own = cn_joint_strength(def, h), strength = own;
    // A greater strength makes no difference.
    if (own > 0) strength = strength_around(sim, joint, h, MAX_OTHER_STRENGTH + own);
    for (int i = 0; i < 3; i++) {
        // The rate of an angle stays one of velocity: its effective mass is the same in all poses.
        masses mass = i == CN_JOINT_ANGLE ? (masses){1, 0} : find_masses(sim, joint, i);
        prepared->rows[i] = tune_row(rows[i], h, strength, mass, &prepared->hold[i]);
    }
    if (def->polar) prepared->hold[CN_JOINT_Y] = CN_POLAR;
}
