/* Prepares the coordinates of a joint for substeps of length h: limits, motors and springs.
 *
 * A spring moves the mass of its coordinate: the mass with which the coordinate responds while the
 * joint keeps its locked coordinates. It is computed for the rest pose, so stiffness and damping
 * are constant. A slow spring follows the exact motion of a damped oscillator. A fast spring, and a
 * spring beside strong other springs, is solved implicitly (tune_spring()). The rows are prepared
 * again whenever h changes or cn_prepared_joint.h is reset to 0.
 *
 * Letters: h substep (s), k stiffness, c damping, m mass of the coordinate, w angular frequency
 * (rad/s), z damping ratio, x = w h = h sqrt(k / m), p = z x = h c / (2 m). */
#include "model.h"

#include <math.h>

// rad in a substep: a spring that swings faster is about as stiff as a lock.
#define MAX_SPRING_TURN 3
// rad in a substep: a faster spring is solved implicitly (see tune_spring()).
#define MAX_EXACT_TURN 0.5
// strength_of(): a spring is solved implicitly if the other springs of a body are stronger.
#define MAX_OTHER_STRENGTH 1
#define UNBOUNDED          1e9f // m or rad: the limits of a free coordinate
// Fraction of an inverse mass: less than this is a rounding error.
#define NO_MOBILITY (FLT_EPSILON * FLT_EPSILON)

// Masses of a coordinate: in its rest pose, and the smallest of all poses. For x and y
// both are equal, because the solver bounds these springs in each pose (spring_push()).
typedef struct {
    double at_rest, smallest;
} masses;

// 1 - e^-x for x >= 0: the series of x / 2^12, doubled 12 times.
static double decayed(double x) {
    double t = (x > 700 ? 700 : x) / 4096;
    double lost = t * (1 - t / 2 * (1 - t / 3 * (1 - t / 4)));
    for (int i = 0; i < 12; i++) lost *= 2 - lost;
    return lost;
}

// 1 - cos(x) for 0 <= x < 1.
static double versine(double x) {
    double q = x * x;
    return q / 2 * (1 - q / 12 * (1 - q / 30 * (1 - q / 56)));
}

// ---- the mass of a coordinate

// The lever arms of both bodies along x and y of frame A, in the rest pose.
typedef struct {
    vec2s a, b;
} rest_arms;

static rest_arms find_rest_arms(const cn_simulation *sim, int joint) {
    const cn_joint_record *record = &sim->joint_records[joint];
    const cn_joint_def *def = &sim->joints[joint].def;
    vec2s a = cn_unrotate(def->frame_a.rotation, record->arms[0]),
          b = cn_unrotate(def->frame_b.rotation, record->arms[1]);
    vec2s at = cn_vec(def->x.target, def->polar ? 0 : def->y.target);
    return (rest_arms){glms_vec2_add(a, at), cn_rotate(cn_rotation_full(def->angle.target), b)};
}

// Eliminates coordinate i from the inverse mass k. Nothing changes if the coordinate has no
// mobility left.
static void eliminate_coordinate(double k[3][3], int i, double least) {
    if (!(k[i][i] > least)) return;
    for (int j = 0; j < 3; j++)
        for (int l = 0; l < 3; l++)
            if (j != i && l != i) k[j][l] -= k[j][i] * (k[i][l] / k[i][i]);
}

// Returns the greatest inverse mass of the angle of a hinge in all poses: that of the pose in which
// the lever arms are on one line, with the hinge between the two bodies.
static double greatest_of_hinge(double m, double ia, double ib, rest_arms r) {
    double a = sqrt((double)glms_vec2_norm2(r.a)), b = sqrt((double)glms_vec2_norm2(r.b));
    double both = m + ia * a * a + ib * b * b, lever = ia * a - ib * b;
    return ia + ib - (both > 0 ? lever * (lever / both) : 0);
}

/* Returns the masses of a coordinate.
 *
 * The inverse mass k = J M^-1 J^T of the three coordinates is a symmetric matrix. Eliminating the
 * locked coordinates leaves the inverse mass of the others while those stay as they are: for
 * example, a bar that is hinged at its end has the inertia about this end.
 *
 * In the rest pose all coordinates are at their targets. A spring keeps the stiffness that its
 * hertz gives in that pose. If the stiffness followed the mass of the present pose, as the impulse
 * of a lock does, the force of the spring would have no potential, and a body that swings and turns
 * on the spring would gain energy. */
static masses find_masses(const cn_simulation *sim, int joint, int axis) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    const cn_joint_def *def = &sim->joints[joint].def;
    const cn_body_hot *a = &sim->hot[bodies[0]], *b = &sim->hot[bodies[1]];
    const rest_arms r = find_rest_arms(sim, joint);
    const double m = (double)(a->inverse_mass + b->inverse_mass);
    const double ia = (double)a->inverse_inertia, ib = (double)b->inverse_inertia;
    const double sa[3] = {-(double)r.a.y, (double)r.a.x, 1},
                 sb[3] = {-(double)r.b.y, (double)r.b.x, 1};
    double k[3][3], own[3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) k[i][j] = ia * sa[i] * sa[j] + ib * sb[i] * sb[j];
        if (i != CN_JOINT_ANGLE) k[i][i] += m;
        own[i] = k[i][i];
    }
    const bool locked[3] = {def->x.mode == CN_LOCKED, !def->polar && def->y.mode == CN_LOCKED,
                            def->angle.mode == CN_LOCKED};
    for (int i = 0; i < 3; i++)
        if (locked[i] && i != axis) eliminate_coordinate(k, i, NO_MOBILITY * own[i]);
    if (!(own[axis] > 0)) return (masses){0};
    double found = k[axis][axis] > NO_MOBILITY * own[axis] ? k[axis][axis] : own[axis];
    if (axis != CN_JOINT_ANGLE) return (masses){1 / found, 1 / found};
    bool is_hinge = locked[CN_JOINT_X] && locked[CN_JOINT_Y];
    double most = is_hinge ? greatest_of_hinge(m, ia, ib, r) : own[axis];
    return (masses){1 / found, 1 / fmax(most, found)};
}

// ---- strength

// How far a spring swings within h without damping, x, and how much it decays, p.
typedef struct {
    double turn, decay;
} oscillation;

static oscillation oscillation_of(const cn_coordinate *c, double mass, float h) {
    double x = 6.283185307179586 * (double)c->hertz * (double)h, s = (double)h;
    if (c->hertz > 0) return (oscillation){x, (double)c->damping_ratio * x};
    if (!(mass > 0)) return (oscillation){0};
    return (oscillation){s * sqrt((double)c->stiffness / mass),
                         s * (double)c->damping / (2 * mass)};
}

// Returns how strongly a spring pulls within h. An implicit spring takes the fraction s / (1 + s)
// of the velocity off, with s this strength.
static double strength_of(oscillation o) { return o.turn * o.turn + 2 * o.decay; }

double cn_joint_strength(const cn_simulation *sim, int joint, float h) {
    cn_joint_def *def = &sim->joints[joint].def;
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const cn_coordinate *c = cn_coordinate_of(def, i);
        if (!cn_is_sprung(c)) continue;
        double mass = c->hertz > 0 ? 0 : find_masses(sim, joint, i).at_rest;
        sum += strength_of(oscillation_of(c, mass, h));
    }
    return sum;
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
            if (sim->joints[i].row_type != CN_ROW_NONE) sum += cn_joint_strength(sim, i, h);
        most = fmax(most, sum);
    }
    return most;
}

// ---- springs

// The impulse of a spring: -damping u - per_speed u0 - per_length C.
typedef struct {
    double damping, per_speed, per_length;
} spring_factors;

// Takes the velocity and the distance after the substep. The spring is stable, but adds damping.
static spring_factors implicit_spring(oscillation o, double mass, double h) {
    return (spring_factors){mass * strength_of(o), 0, mass * o.turn * o.turn / h};
}

/* The exact motion of a damped spring over a substep h: u0 and u are the velocities of the
 * coordinate before and after it, C its distance from the target, and g the change of velocity that
 * everything else causes within h.
 *
 *     u = (1 - scale) u0 + (1 - hold) g - rate C
 *     d = e^(-2 p),  e = e^(-p) cos(sqrt(x^2 - p^2)),  scale = 1 - d,  rate = (1 + d - 2 e) / h
 *
 * For p > x the cosine is a hyperbolic cosine. At rest under a load the spring yields by
 * C = (1 - hold) g / rate. That is the exact value g / (h w^2) if 1 - hold = (1 + d - 2 e) / x^2.
 * The divisor used here is 2 - 2 cos x instead of x^2: then the hold of an undamped spring is 0.
 * Otherwise two undamped springs would damp each other. Without g, the first line becomes the
 * impulse m (u - u0) as spring_factors have it. */
static spring_factors exact_spring(oscillation o, double mass, double h) {
    double x = o.turn, p = o.decay;
    double y = sqrt(p < x ? x * x - p * p : p * p - x * x);
    double lost = decayed(p), scale = lost * (2 - lost);
    // 1 + d - 2 e, without the cancellation of nearly equal numbers
    double change = p < x ? lost * lost + 2 * (1 - lost) * versine(y)
                          : decayed(x * x / (p + y)) * decayed(p + y);
    double yields = x > 0 ? change / (2 * versine(x)) : scale / (2 * p); // 1 - hold
    return (spring_factors){mass * fmax(1 / yields - 1, 0), mass * ((scale - 1) / yields + 1),
                            mass * change / (h * yields)};
}

/* Returns the factors of a spring.
 *
 * The exact motion ignores other springs. So a fast spring (MAX_EXACT_TURN) and a spring beside
 * strong ones (MAX_OTHER_STRENGTH) are solved implicitly. So is a spring that would be too fast for
 * the smallest mass of its coordinate. */
static spring_factors tune_spring(oscillation o, float h, double others, masses mass) {
    if (!(mass.at_rest > 0)) return (spring_factors){0};
    if (o.turn > MAX_SPRING_TURN) o.decay *= MAX_SPRING_TURN / o.turn, o.turn = MAX_SPRING_TURN;
    spring_factors implicit = implicit_spring(o, mass.at_rest, (double)h);
    if (o.turn > MAX_EXACT_TURN || others > MAX_OTHER_STRENGTH) return implicit;
    spring_factors f = exact_spring(o, mass.at_rest, (double)h);
    bool is_slow =
        f.per_speed <= mass.smallest && f.per_length * (double)h <= mass.smallest + f.damping;
    return is_slow ? f : implicit;
}

// Returns the largest impulse of a force in a substep. A force of 0 is unlimited.
static float max_impulse(float force, float h) { return force > 0 ? force * h : FLT_MAX; }

static cn_prepared_row tune_row(const cn_coordinate *c, float h) {
    bool is_locked = c->mode == CN_LOCKED;
    cn_prepared_row row = {.lower = is_locked ? c->target : c->lower,
                           .upper = is_locked ? c->target : c->upper,
                           .target = c->target,
                           .speed = c->motor_speed};
    if (c->mode == CN_FREE) row.lower = -UNBOUNDED, row.upper = UNBOUNDED;
    if (c->motor) row.motor_limit = max_impulse(c->max_motor_force, h);
    if (!is_locked && cn_is_sprung(c)) row.spring_limit = max_impulse(c->max_spring_force, h);
    return row;
}

// Limits a factor, so that its product with a speed or a length is finite.
static float limit_factor(double x) {
    const double most = (double)(FLT_MAX / (4 * CN_MAX_SPEED));
    return (float)fmax(fmin(x, most), -most);
}

static void prepare_spring(cn_simulation *sim, int joint, int i, double strength) {
    cn_prepared_joint *prepared = &sim->prepared_joints[joint];
    const cn_coordinate *c = cn_coordinate_of(&sim->joints[joint].def, i);
    masses mass = find_masses(sim, joint, i);
    oscillation o = oscillation_of(c, mass.at_rest, prepared->h);
    spring_factors f = tune_spring(o, prepared->h, strength - strength_of(o), mass);
    prepared->damping[i] = limit_factor(f.damping);
    prepared->rows[i].per_speed = limit_factor(f.per_speed);
    prepared->rows[i].per_length = limit_factor(f.per_length);
}

void cn_joint_prepare(cn_simulation *sim, int joint, float h) {
    const cn_joint_def *def = &sim->joints[joint].def;
    const cn_coordinate none = {.mode = CN_FREE}; // a polar joint has no y
    const cn_coordinate *rows[3] = {&def->x, def->polar ? &none : &def->y, &def->angle};
    cn_prepared_joint *prepared = &sim->prepared_joints[joint];
    *prepared =
        (cn_prepared_joint){.frames = {def->frame_a.rotation, def->frame_b.rotation}, .h = h};
    double own = cn_joint_strength(sim, joint, h), strength = own;
    // A greater strength makes no difference.
    if (own > 0) strength = strength_around(sim, joint, h, MAX_OTHER_STRENGTH + own);
    for (int i = 0; i < 3; i++) {
        prepared->rows[i] = tune_row(rows[i], h);
        if (prepared->rows[i].spring_limit > 0) prepare_spring(sim, joint, i, strength);
    }
    if (def->polar) prepared->damping[CN_JOINT_Y] = CN_POLAR;
}
