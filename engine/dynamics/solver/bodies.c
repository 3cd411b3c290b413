/* The bodies of a batch while it is solved: what drives them, their velocities, their ways.
 *
 * Warm starting without a pass over the contacts: applying the accumulated impulses again is repeating
 * the change of velocity that the constraints made in the last substep, since lever arms are fixed during
 * the step. That is v - free, per body. In the first substep it is the sum of the stored impulses, which
 * prepare gathers in `free`.
 *
 * A body on which no constraint acted has v == free, bit for bit: for it the position takes half of the
 * free change back (the trapezoid rule), so free flight is exact. */
#include "solver.h"

#include <math.h>

// ---- bodies in

// For x >= 0: e^-x, and its mean from 0 to x, by which a force counts while x damps what it does. A series up
// to 1/4, and doubled from there.
typedef struct {
    float end, mean;
} decay;

static decay decay_of(float x) {
    int doublings = 0;
    if (x == 0) return (decay){1, 1}; // as most
    for (; x > 0.25f; doublings++) x *= 0.5f;
    float mean = 1 - x / 2 * (1 - x / 3 * (1 - x / 4 * (1 - x / 5 * (1 - x / 6))));
    decay d = {1 - x * mean, mean};
    for (; doublings > 0; doublings--) d = (decay){d.end * d.end, d.mean * (1 + d.end) / 2};
    return d;
}

// A joint hands forces on in full: what damping took of one here would be missing there. (But where it takes nearly
// all in a substep the body would be too fast by that.)
static bool is_held(const cn_simulation *sim, int body) {
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body))
        if (sim->joints[i].row_type != CN_ROW_NONE) return true;
    return false;
}

static cn_drive drive_of(const cn_simulation *sim, int body, float inverse_inertia, float h) {
    const cn_body_hot *hot = &sim->hot[body];
    const cn_body_warm *warm = &sim->warm[body];
    decay linear = decay_of(h * hot->linear_damping), angular = decay_of(h * hot->angular_damping);
    if ((linear.mean < 1 || angular.mean < 1) && is_held(sim, body)) {
        linear.mean += (1 - linear.mean) * cn_max(1 - h * hot->linear_damping, 0);
        angular.mean += (1 - angular.mean) * cn_max(1 - h * hot->angular_damping, 0);
    }
    float gx = sim->gravity.x * hot->gravity_scale, gy = sim->gravity.y * hot->gravity_scale;
    float ax = gx + warm->force.x * hot->inverse_mass, ay = gy + warm->force.y * hot->inverse_mass;
    if (hot->flags & CN_BODY_LOCK_X) ax = 0;
    if (hot->flags & CN_BODY_LOCK_Y) ay = 0;
    return (cn_drive){{linear.end, linear.end, angular.end, 1},
                        {h * ax * linear.mean, h * ay * linear.mean,
                         h * warm->torque * inverse_inertia * angular.mean, 0}};
}

// See mark_raised_inertia(): the inertia is no less than what such springs move stably.
static float inverse_inertia(const cn_solver *s, int body) {
    const cn_simulation *sim = s->sim;
    float inverse = sim->hot[body].inverse_inertia, pull = 0;
    if (!(sim->hot[body].flags & CN_BODY_RAISE_INERTIA)) return inverse;
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        const cn_joint_record *r = &sim->joint_records[i];
        vec2s lock = cn_vec(r->state.lock[0], r->state.lock[1]);
        pull += glms_vec2_norm(r->arms[r->bodies[1] == body]) * glms_vec2_norm(lock);
    }
    pull *= s->h * s->warm_scale;
    return pull * inverse > 1 ? 1 / pull : inverse;
}

static void load_body(cn_solver *s, int index, int body) {
    cn_body_hot *hot = &s->sim->hot[body];
    bool dynamic = cn_is_dynamic(hot); // a carrier moves on by its velocity
    s->load_limits[index] = FLT_MAX;
    s->recovers[index] = dynamic && hot->flags & CN_BODY_RECOVERS;
    if (s->recovers[index]) {
        hot->flags &= ~(uint32_t)CN_BODY_RECOVERS;
        cn_store_relaxed(&s->batch->any_recovers, true);
    }
    cn_float4 v = *(const cn_float4 *)&hot->vx; // and w, inverse mass
    s->states[index] = (cn_state){v, {0, 0, 0, v[3]}};
    float inverse = inverse_inertia(s, body);
    s->free[index].v = (cn_float4){0, 0, 0, inverse};
    // Others may share what is kinematic.
    if (dynamic) hot->flags &= ~(uint32_t)(CN_BODY_RAISE_INERTIA | CN_BODY_JOINT_REMOVED);
    s->drives[index] =
        dynamic ? drive_of(s->sim, body, inverse, s->h) : (cn_drive){{1, 1, 1, 1}, {0}};
}

static void clear_state(cn_solver *s, int index) {
    s->states[index] = s->free[index] = (cn_state){0};
    s->recovers[index] = 0;
    s->load_limits[index] = FLT_MAX;
}

// Body i has state i + 1.
void cn_load_bodies(void *context, int first, int end) {
    cn_solver *s = context;
    const int *bodies = s->batch->bodies.items;
    for (int i = first; i < end; i++) load_body(s, i + 1, bodies[i]);
    if (first > 0) return;
    clear_state(s, 0);
    for (int type = 0; type < CN_CONTACT_ROW_TYPES; type++)
        clear_state(s, cn_unused_state(s->batch, (cn_row_type)type));
    for (int i = 0; i < s->batch->bounced.count; i++)
        cn_store_relaxed(&s->batch->bounced.items[i], false);
}

// ---- locks and speed limits

// Velocity after locks and the speed limit.
static cn_float4 clamp_velocity(const cn_simulation *sim, int body, cn_float4 v) {
    uint32_t flags = sim->hot[body].flags;
    if (flags & CN_BODY_LOCK_X) v[0] = 0;
    if (flags & CN_BODY_LOCK_Y) v[1] = 0;
    float limit = sim->warm[body].speed_limit, square = v[0] * v[0] + v[1] * v[1];
    if (flags & CN_BODY_LIMITED && square > limit * limit) {
        float scale = limit / sqrtf(square);
        v[0] *= scale;
        v[1] *= scale;
    }
    return v;
}

// The free velocity changes by the same amount, or the warm start would fight the clamp. Along a lock there
// is no way either.
void cn_clamp_velocities(void *context, int first, int end) {
    cn_solver *s = context;
    const int *bodies = s->batch->bodies.items;
    for (int i = first + 1; i <= end; i++) {
        uint32_t flags = s->sim->hot[bodies[i - 1]].flags;
        if (!(flags & CN_BODY_CLAMPED)) continue;
        cn_float4 *v = &s->states[i].v, clamped = clamp_velocity(s->sim, bodies[i - 1], *v);
        s->free[i].v += clamped - *v;
        for (int k = 0; k < 2; k++) {
            if (clamped[k] != (*v)[k])
                s->free[i].d[k] = 0; // it moves at the clamped speed all the time
            if (flags & (uint32_t)CN_BODY_LOCK_X << k) s->states[i].d[k] = 0;
        }
        *v = clamped;
    }
}
