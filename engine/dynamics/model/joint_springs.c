/* How a joint's coordinates look to the solver, for substeps of a given length: limits, motors, and springs as exact
 * oscillators. */
#include "model.h"

#include <math.h>

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

// How far it swings in a time h, in radians, and how strongly it pulls.
static double turn_of(const cn_coordinate *c, float h) {
    return 6.283185307179586 * (double)c->hertz * (double)h;
}

static double strength_of(const cn_coordinate *c, float h) {
    return turn_of(c, h) * (2 * (double)c->damping_ratio + turn_of(c, h));
}

double cn_joint_strength(const cn_joint_def *def, float h) {
    return strength_of(&def->x, h) + strength_of(&def->y, h) + strength_of(&def->angle, h);
}

// Of all joints of one of the two bodies, whichever has more, or of so many that it is more than `enough`.
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

// Effective masses of a coordinate, in its rest pose and in whichever it has the least.
typedef struct {
    double rest, least;
} masses;

#define STIFFEST 3 // radians in a substep: about as stiff as a lock

/* The exact motion of a damped spring over a time h, for what moves at u and is driven by g, the change of
 * velocity by all others in that time: u' = (1 - scale) u + (1 - hold) g - rate C, with x = w h, w its
 * angular frequency,
 *
 *     d = e^(-2 z x),  m = e^(-z x) cos(x sqrt(1 - z^2)),  scale = 1 - d,  rate = (1 + d - 2 m) / h
 *
 * (for z > 1 the cosine is a hyperbolic one). At rest under a load it gives way by C = (1 - hold) g / rate,
 * which is g / (h w^2) if 1 - hold = (1 + d - 2 m) / x^2; with 2 - 2 cos x for x^2 an undamped spring has no
 * hold, or two of them would damp each other. But it does not know of the others: a fast spring, x > 1/2,
 * and one beside strong others are solved implicitly instead. That stays calm, but damps. Returns hold.
 *
 * The mass at rest makes an impulse of the rate, if the spring is not too fast for the least mass; else, where the
 * rate is below 0, the solver does by the mass that it finds. */
static float tune_spring(cn_prepared_row *row, const cn_coordinate *c, float h, double all,
                         masses mass) {
    double x = fmin(turn_of(c, h), STIFFEST), z = (double)c->damping_ratio;
    if (x > 0.5 || all - strength_of(c, h) > 1) {
        double a2 = x * (2 * z + x), a3 = 1 / (1 + a2);
        row->scale = (float)(a2 * a3), row->rate = (float)(-x * x * a3 / (double)h);
        return row->scale;
    }
    double root = sqrt(z < 1 ? 1 - z * z : z * z - 1), y = x * root;
    double e = exponential(-z * x), lost = 1 - e; // 1 + d - 2 m, but without what that cancels
    double change = z < 1 ? lost * lost + 2 * e * versine(y)
                          : (1 - exponential(-z * x + y)) * (1 - exponential(-z * x - y));
    row->scale = (float)(lost * (1 + e)), row->rate = (float)(-change / (double)h);
    if (mass.rest * change <= mass.least) row->rate *= (float)-mass.rest;
    return (float)(1 - change / (2 * versine(x)));
}

#define UNBOUNDED 1e9f

static float greatest_impulse(float force, float h) { return force > 0 ? force * h : FLT_MAX; }

static cn_prepared_row tune_row(const cn_coordinate *c, float h, double all, masses mass,
                             float *hold) {
    bool locked = c->mode == CN_LOCKED;
    cn_prepared_row row = {.lower = locked ? c->target : c->lower,
                        .upper = locked ? c->target : c->upper,
                        .target = c->target,
                        .speed = c->speed};
    if (c->mode == CN_FREE) row.lower = -UNBOUNDED, row.upper = UNBOUNDED;
    if (c->motor) row.motor_limit = greatest_impulse(c->motor_force, h);
    if (locked || c->hertz == 0) return row;
    row.spring_limit = greatest_impulse(c->spring_force, h);
    *hold = tune_spring(&row, c, h, all, mass);
    return row;
}

/* At rest both frames are laid on each other at their targets. A spring keeps the stiffness that its hertz need
 * there: if that followed the mass in every pose, as the impulse of a lock does, its force would have no potential,
 * and what swings and turns on it would gain energy. */
static masses masses_of(const cn_simulation *sim, int joint, int axis) {
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
    const cn_coordinate none = {.mode = CN_FREE}; // a line has no other side
    const cn_coordinate *rows[3] = {&def->x, def->polar ? &none : &def->y, &def->angle};
    cn_prepared_joint *prepared_joints = &sim->prepared_joints[joint];
    *prepared_joints = (cn_prepared_joint){.frames = {def->frame_a.rotation, def->frame_b.rotation}, .h = h};
    double own = cn_joint_strength(def, h), all = own;
    if (own > 0) all = strength_around(sim, joint, h, 1 + own); // more makes no difference
    for (int i = 0; i < 3; i++) {
        masses mass = i == CN_JOINT_ANGLE ? (masses){1, 0} : masses_of(sim, joint, i);
        prepared_joints->rows[i] = tune_row(rows[i], h, all, mass, &prepared_joints->hold[i]);
    }
    if (def->polar) prepared_joints->hold[CN_JOINT_Y] = CN_POLAR;
}

