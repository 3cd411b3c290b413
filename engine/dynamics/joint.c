/* Joints as data: which bodies they hold, where their coordinates stand, how stiff their springs are.
 *
 * A body's joints are a list that runs through the joints themselves; each joint is in two:
 *
 *     first_joint[a] ──> joint 5 { a next ──> ... , b next ──> ... } <── first_joint[b]
 *
 * Frame B seen from frame A, with c the way from anchor A to anchor B and n the axis of a coordinate:
 *
 *     x = n . c,    x' = n . (vB - vA) + wB (rB x n) - wA ((rA + c) x n)
 *
 * and y likewise with n turned by 90 degrees: n turns with A, hence the lever rA + c. A polar joint has
 * n = c / |c|. The angle is that of frame B against frame A; it counts turns, since the solver adds up
 * how far the bodies turned, and the exact angle is taken nearest to that. */
#include "dynamics.h"

// ---- lists

int cn_joint_next(const cn_simulation *sim, int joint, int body) {
    const cn_joint_side *sides = sim->joints[joint].sides;
    return sides[sides[1].body == body].next;
}

static int *link_of(cn_simulation *sim, int joint, int body) {
    cn_joint_side *sides = sim->joints[joint].sides;
    return &sides[sides[1].body == body].next;
}

void cn_joint_link(cn_simulation *sim, int joint) {
    for (int k = 0; k < 2; k++) {
        int body = sim->joints[joint].sides[k].body;
        sim->joints[joint].sides[k].next = sim->first_joint[body];
        sim->first_joint[body] = joint;
    }
}

void cn_joint_unlink(cn_simulation *sim, int joint) {
    for (int k = 0; k < 2; k++) {
        int body = sim->joints[joint].sides[k].body, *link = &sim->first_joint[body];
        while (*link != joint) link = link_of(sim, *link, body);
        *link = sim->joints[joint].sides[k].next;
    }
}

int cn_joint_other(const cn_simulation *sim, int joint, int body) {
    const cn_joint_side *sides = sim->joints[joint].sides;
    return sides[sides[0].body == body].body;
}

bool cn_are_joined(const cn_simulation *sim, int body_a, int body_b) {
    if (!sim->joint_count || sim->first_joint[body_b] < 0) return false;
    for (int i = sim->first_joint[body_a]; i >= 0; i = cn_joint_next(sim, i, body_a))
        if (cn_joint_other(sim, i, body_a) == body_b &&
            (sim->joints[i].flags & (CN_JOINT_ENABLED | CN_JOINT_COLLIDES)) == CN_JOINT_ENABLED)
            return true;
    return false;
}

void cn_wake_joined(cn_simulation *sim, int body) {
    if (!sim->joint_count) return;
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body))
        cn_wake_body(sim, cn_joint_other(sim, i, body));
}

void cn_replan_joint(cn_simulation *sim, int joint) {
    for (int k = 0; k < 2; k++) {
        int body = sim->joints[joint].sides[k].body;
        cn_replan_body(sim, body);
        cn_wake_body(sim, body);
    }
}

static bool holds(const cn_simulation *sim, int joint, int body) {
    const cn_joint_side *sides = sim->joints[joint].sides;
    return sides[0].body == body || sides[1].body == body;
}

void cn_replan_joined(cn_simulation *sim, int body) {
    if (!sim->joint_count || sim->first_joint[body] < 0) return;
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body))
        cn_replan_joint(sim, i);
    for (int i = 0; sim->coupling_count > 0 && i < sim->joint_end; i++) {
        int other = sim->joints[i].coupling.other;
        if (!(sim->joints[i].flags & CN_JOINT_ALIVE) || other < 0) continue;
        if (!holds(sim, i, body) && !holds(sim, other, body)) continue;
        cn_replan_joint(sim, i);
        cn_replan_joint(sim, other);
    }
}

// ---- kinds

static bool is_idle(const cn_coordinate *c) {
    return c->mode == CN_FREE && c->hertz == 0 && !c->motor;
}

static bool is_fixed(const cn_coordinate *c) { return c->mode == CN_LOCKED && c->target == 0; }

cn_constraint_kind cn_joint_kind(const cn_joint_data *joint) {
    const cn_coordinate *c = joint->coordinates;
    bool polar = joint->flags & CN_JOINT_POLAR, free_angle = is_idle(&c[CN_JOINT_ANGLE]);
    bool idle = is_idle(&c[CN_JOINT_X]) && (polar || is_idle(&c[CN_JOINT_Y])) && free_angle;
    if (!(joint->flags & CN_JOINT_ENABLED) || idle) return CN_KIND_NONE;
    if (polar || !is_fixed(&c[CN_JOINT_X]) || !is_fixed(&c[CN_JOINT_Y])) return CN_KIND_AXES;
    return free_angle ? CN_KIND_POINT : CN_KIND_TURN;
}

// ---- coordinates

// Of frame B against frame A.
static float relative_angle(const cn_simulation *sim, const cn_joint_data *joint) {
    cn_rotation q[2];
    for (int k = 0; k < 2; k++) {
        const cn_body_hot *body = &sim->hot[joint->sides[k].body];
        q[k] = cn_combine((cn_rotation){body->c, body->s}, joint->sides[k].frame.rotation);
    }
    vec2s turned = cn_unrotate(q[0], cn_vec(q[1].c, q[1].s));
    return cn_atan2(turned.y, turned.x);
}

float cn_joint_angle(const cn_simulation *sim, int joint) {
    const cn_joint_data *data = &sim->joints[joint];
    float angle = relative_angle(sim, data);
    return angle + 2 * CN_PI * floorf((data->angle - angle) / (2 * CN_PI) + 0.5f);
}

cn_joint_arms cn_arms_of(const cn_simulation *sim, const cn_joint_data *joint) {
    const cn_body_hot *a = &sim->hot[joint->sides[0].body], *b = &sim->hot[joint->sides[1].body];
    cn_joint_arms arms = {
        .d = cn_vec((b->x - a->x) + (b->low_x - a->low_x), (b->y - a->y) + (b->low_y - a->low_y))};
    for (int k = 0; k < 2; k++) {
        const cn_joint_side *side = &joint->sides[k];
        const cn_body_hot *hot = &sim->hot[side->body];
        const cn_body_warm *warm = &sim->warm[side->body];
        vec2s local = glms_vec2_sub(side->frame.position, cn_vec(warm->center_x, warm->center_y));
        arms.r[k] = cn_rotate((cn_rotation){hot->c, hot->s}, local);
    }
    const cn_rotation q = {a->c, a->s}, frame = joint->sides[0].frame.rotation;
    arms.axis = cn_rotate(q, cn_vec(frame.c, frame.s));
    return arms;
}

// What is not a number stays so: the bodies will be put back (finish.c).
static cn_rotation turn_by(float angle) {
    return cn_finite(angle) ? cn_rotation_of_step(angle) : (cn_rotation){angle, angle};
}

// The arms after displacements {x, y, angle} of both bodies.
static cn_joint_arms move_arms(cn_joint_arms arms, const float *a, const float *b) {
    cn_rotation turn_a = turn_by(a[2]), turn_b = turn_by(b[2]);
    return (cn_joint_arms){
        .d = cn_vec(arms.d.x + (b[0] - a[0]), arms.d.y + (b[1] - a[1])),
        .r = {cn_rotate(turn_a, arms.r[0]), cn_rotate(turn_b, arms.r[1])},
        .axis = cn_rotate(turn_a, arms.axis),
    };
}

cn_coordinate_row cn_joint_row(const cn_simulation *sim, int joint, cn_joint_axis axis,
                               const float *a, const float *b) {
    if (axis == CN_JOINT_ANGLE)
        return (cn_coordinate_row){
            .value = cn_joint_angle(sim, joint) + (b[2] - a[2]), .sa = 1, .sb = 1};
    const cn_joint_data *data = &sim->joints[joint];
    cn_joint_arms arms = move_arms(cn_arms_of(sim, data), a, b);
    vec2s c = glms_vec2_sub(glms_vec2_add(arms.d, arms.r[1]), arms.r[0]), n = arms.axis;
    float length = glms_vec2_norm(c);
    if (data->flags & CN_JOINT_POLAR && length > 0) n = glms_vec2_scale(c, 1 / length);
    if (axis == CN_JOINT_Y) n = cn_perp(n);
    return (cn_coordinate_row){glms_vec2_dot(n, c), n, cn_cross(glms_vec2_add(arms.r[0], c), n),
                               cn_cross(arms.r[1], n)};
}

// ---- springs

// e^x for x <= 0: the series of x / 2^12, squared 12 times.
static double exponential(double x) {
    double t = (x < -700 ? -700 : x) / 4096;
    double e = 1 + t * (1 + t / 2 * (1 + t / 3 * (1 + t / 4)));
    for (int i = 0; i < 12; i++) e *= e;
    return e;
}

/* The exact motion of a damped spring over a time h, as impulses: with x = w h, w its angular frequency,
 *
 *     d = e^(-2 z x),  m = e^(-z x) cos(x sqrt(1 - z^2)),  scale = 1 - d,  rate = (1 + d - 2 m) / h
 *
 * (for z > 1 the cosine is a hyperbolic one). A fast spring, x > 1/2, is solved implicitly instead: that
 * stays calm, but damps. */
static cn_spring spring_of(float hertz, float damping_ratio, float h) {
    double x = 6.283185307179586 * (double)hertz * (double)h, z = (double)damping_ratio;
    if (x > 0.5) {
        double a2 = x * (2 * z + x), a3 = 1 / (1 + a2);
        return (cn_spring){(float)(a2 * a3), (float)(x * x * a3 / (double)h)};
    }
    double d = exponential(-2 * z * x), root = sqrt(z < 1 ? 1 - z * z : z * z - 1), y = x * root;
    double q = y * y, cosine = 1 - q / 2 * (1 - q / 12 * (1 - q / 30 * (1 - q / 56)));
    double m = z < 1 ? exponential(-z * x) * cosine
                     : 0.5 * (exponential(-z * x + y) + exponential(-z * x - y));
    return (cn_spring){(float)(1 - d), (float)((1 + d - 2 * m) / (double)h)};
}

void cn_joint_tune(cn_joint_data *joint, float h) {
    if (joint->spring_h == h) return;
    for (int i = 0; i < 3; i++) {
        const cn_coordinate *c = &joint->coordinates[i];
        bool sprung = c->hertz > 0 && c->mode != CN_LOCKED;
        joint->springs[i] = sprung ? spring_of(c->hertz, c->damping_ratio, h) : (cn_spring){0};
    }
    joint->spring_h = h;
}

// ---- after a step

// A ratchet's lower limit follows in whole teeth.
static void follow_ratchet(cn_coordinate *c, float value) {
    if (c->mode != CN_LIMITED || !(c->ratchet > 0) || value < c->lower + c->ratchet) return;
    float teeth = floorf((value - c->lower) / c->ratchet);
    c->lower = cn_min(c->lower + teeth * c->ratchet, c->upper);
}

static void check_break(cn_simulation *sim, int joint, float h) {
    cn_joint_data *data = &sim->joints[joint];
    float force = glms_vec2_norm(cn_joint_impulse_on_b(sim, joint)) / h;
    float torque = cn_abs(cn_total_impulse(data, CN_JOINT_ANGLE)) / h;
    if (!(data->break_force > 0 && force > data->break_force) &&
        !(data->break_torque > 0 && torque > data->break_torque))
        return;
    data->flags |= CN_JOINT_BROKEN;
    data->broken_force = force, data->broken_torque = torque;
    sim->any_broken = true;
}

// Starts anew if a body left the range of numbers: false then.
static bool stay_finite(cn_joint_data *joint, float turn) {
    float sum = turn;
    for (int i = 0; i < 3; i++) sum += cn_total_impulse(joint, (cn_joint_axis)i);
    if (cn_finite(sum)) return true;
    memset(joint->impulses, 0, sizeof joint->impulses);
    return false;
}

void cn_joint_finish(cn_simulation *sim, int joint, const cn_state *a, const cn_state *b, float h) {
    cn_joint_data *data = &sim->joints[joint];
    if (!stay_finite(data, b->d[2] - a->d[2])) return;
    data->angle += b->d[2] - a->d[2];
    if (!(data->flags & CN_JOINT_WATCHED)) return;
    for (int i = 0; i < 3; i++)
        follow_ratchet(&data->coordinates[i],
                       cn_joint_row(sim, joint, (cn_joint_axis)i, a->d, b->d).value);
    check_break(sim, joint, h);
}

float cn_total_impulse(const cn_joint_data *joint, cn_joint_axis axis) {
    const cn_joint_impulse *i = &joint->impulses[axis];
    return i->lock + i->spring + i->motor;
}

vec2s cn_joint_impulse_on_b(const cn_simulation *sim, int joint) {
    const cn_joint_data *data = &sim->joints[joint];
    vec2s p = cn_vec(cn_total_impulse(data, CN_JOINT_X), cn_total_impulse(data, CN_JOINT_Y));
    if (cn_joint_kind(data) != CN_KIND_AXES) return p; // along the axes of the world
    const float still[3] = {0};
    vec2s n = cn_joint_row(sim, joint, CN_JOINT_X, still, still).n;
    return glms_vec2_add(glms_vec2_scale(n, p.x), glms_vec2_scale(cn_perp(n), p.y));
}
