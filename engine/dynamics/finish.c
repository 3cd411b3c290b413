/* After the solver: new poses, shapes and boxes, and how long a body has been at rest.
 *
 * A position is kept as x + low: the sum of position and displacement is split without error into the
 * nearest float and what rounding left over, so slow bodies move exactly also far from the origin.
 *
 * A body whose state is no longer finite keeps its last good pose, loses its velocity and is disabled.
 */
#include "dynamics.h"

#define FARTHEST 1e18f // from the origin

// Adds d to *high + *low exactly (Knuth's two-sum).
static void add_exactly(float *high, float *low, float d) {
    float part = *low + d, sum = *high + part, virtual = sum - *high;
    *low = (*high - (sum - virtual)) + (part - virtual);
    *high = sum;
}

static inline void move_body(cn_body_hot *body, const float *d) {
    add_exactly(&body->x, &body->low_x, d[0]);
    add_exactly(&body->y, &body->low_y, d[1]);
    if (d[2] == 0) return;
    cn_rotation turn = cn_rotation_of_step(d[2]);
    cn_rotation q = cn_renormalize(cn_combine(turn, (cn_rotation){body->c, body->s}));
    body->c = q.c;
    body->s = q.s;
}

void cn_move_body(cn_body_hot *body, const float *d) { move_body(body, d); }

// Notes the way of a body, for the sweep. Returns how far its outermost point may have moved.
static float note_motion(cn_simulation *sim, int body, const float *d) {
    cn_motion *m = &sim->motions[body];
    float moved = sqrtf(d[0] * d[0] + d[1] * d[1]) + cn_abs(d[2]) * sim->warm[body].extent;
    m->x = d[0], m->y = d[1], m->angle = d[2];
    m->until = 1;
    float swept = moved - cn_abs(d[2]) * (sim->warm[body].extent - m->swing);
    if (swept > m->least && cn_is_dynamic(&sim->hot[body]))
        cn_note_fast(sim, body);
    else
        sim->slow_motion = cn_max(sim->slow_motion, moved);
    return moved;
}

// The larger of the velocity of the outermost point and half of how fast it really moved, which counts
// being pushed out of overlap as motion.
static float rest_speed(const cn_body_hot *body, float extent, float moved, float rate) {
    float speed = sqrtf(body->vx * body->vx + body->vy * body->vy) + cn_abs(body->w) * extent;
    return cn_max(speed, 0.5f * moved * rate);
}

static void update_rest(const cn_simulation *sim, cn_body_hot *body, const cn_body_warm *warm,
                        float moved) {
    float limit = warm->sleep_speed > 0 ? warm->sleep_speed : sim->tuning.sleep_speed;
    float speed = rest_speed(body, warm->extent, moved, 1 / sim->step_seconds);
    bool rests = speed <= limit && !(body->flags & CN_BODY_NO_SLEEP);
    body->sleep_time = rests ? body->sleep_time + sim->step_seconds : 0;
}

// Zero times a number that is finite is zero, of any other it is none.
static bool state_is_finite(const cn_state *state) {
    const float *v = state->v, *d = state->d;
    return 0 * v[0] + 0 * v[1] + 0 * v[2] + 0 * d[0] + 0 * d[1] + 0 * d[2] == 0;
}

// Leaves the simulation: no proxies, no contacts, no motion.
static void retire_body(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    hot->vx = hot->vy = hot->w = 0;
    hot->flags &= ~(uint32_t)(CN_BODY_ENABLED | CN_BODY_AWAKE);
    for (int shape = sim->warm[body].first_shape; shape >= 0; shape = sim->shapes[shape].next) {
        cn_tree *tree = cn_tree_of(sim, body);
        if (cn_tree_has(tree, shape)) cn_tree_remove(tree, shape);
    }
    cn_tell_body(sim, body, CN_SHAPE_GONE);
    cn_note_body(sim, body, CN_BODY_FAULT);
}

// Moves the body by d; false if it would leave the range of numbers.
static bool try_move(cn_body_hot *body, const float *d) {
    cn_body_hot moved = *body;
    move_body(&moved, d);
    bool good = cn_abs(moved.x) < FARTHEST && cn_abs(moved.y) < FARTHEST && cn_finite(moved.c);
    if (good) *body = moved;
    return good;
}

static void finish_body(cn_simulation *sim, int body, const cn_state *state, const float *free) {
    cn_body_hot *hot = &sim->hot[body];
    cn_body_warm *warm = &sim->warm[body];
    warm->force_x = warm->force_y = warm->torque = 0;
    hot->flags &= ~(uint32_t)CN_BODY_STOPPED;
    if (!state_is_finite(state) || !try_move(hot, state->d)) {
        retire_body(sim, body);
        return;
    }
    hot->vx = state->v[0];
    hot->vy = state->v[1];
    hot->w = state->v[2];
    update_rest(sim, hot, warm, note_motion(sim, body, state->d));
    bool bullet = hot->flags & CN_BODY_BULLET;
    if (hot->flags & CN_BODY_FAST && (bullet || memcmp(state->v, free, sizeof state->v) == 0))
        hot->flags |= CN_BODY_FLIES;
    cn_place_shapes(sim, body, false);
}

void cn_finish_batch(cn_simulation *sim, const cn_batch *batch, const cn_state *states,
                     const float (*free)[4]) {
    for (int i = 0; i < batch->body_count; i++)
        finish_body(sim, batch->bodies.items[i], &states[i + 1], free[i + 1]);
}

bool cn_move_kinematics(cn_simulation *sim) {
    for (int i = 0; i < sim->kinematic_count; i++) {
        cn_body_hot *hot = &sim->hot[sim->kinematics[i]];
        if (!cn_is_moving_kinematic(hot)) continue;
        float dt = sim->step_seconds, d[3] = {dt * hot->vx, dt * hot->vy, dt * hot->w};
        if (!try_move(hot, d)) hot->vx = hot->vy = hot->w = 0; // it stops at the end of the world
        note_motion(sim, sim->kinematics[i], d);
        cn_place_shapes(sim, sim->kinematics[i], false);
    }
    return true;
}
