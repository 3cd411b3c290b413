/* The bodies of a batch while it is solved: their states, the forces and damping that act on them,
 * and their motion locks and speed limits.
 *
 * Warm starting needs no pass over the contacts. Lever arms of contacts stay as they are during the
 * step, so applying the accumulated impulses again repeats the change of velocity that the
 * constraints made in the last substep. That change is v - free, per body. In the first substep it
 * is the sum of the stored impulses, which prepare() adds up in `free`.
 *
 * Trees of joints have no warm start: finish_block() adds their change of velocity to `free`.
 *
 * A body outside of trees on which no constraint acted has v == free, bit for bit. For such a body,
 * half of the change of its free velocity is taken back from its position (the trapezoid rule). So
 * free flight is exact.
 */
#include "solver.h"

#include <math.h>

#define PULL_INERTIA 4.0f // factor: twice what two light links that turn against each other need

// ---- forces and damping

// True if a joint acts on the body. Other workers may load the other body at the same time.
static bool is_jointed(const cn_simulation *sim, int body) {
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        const int32_t *bodies = sim->joint_records[i].bodies;
        uint32_t both = __atomic_load_n(&sim->hot[bodies[0]].flags, __ATOMIC_RELAXED) &
                        __atomic_load_n(&sim->hot[bodies[1]].flags, __ATOMIC_RELAXED);
        if (sim->joints[i].row_type != CN_ROW_NONE && both & CN_BODY_ENABLED) return true;
    }
    return false;
}

// A joint passes forces on in full. If damping reduced the force on one of its bodies, that part
// would be missing at the other body. So damping does not reduce the forces on a jointed body. The
// exception is damping that takes nearly all velocity within a substep: without the reduction such
// a body would be too fast.
static cn_drive drive_of(const cn_simulation *sim, int body, float inverse_inertia, float h) {
    const cn_body_hot *hot = &sim->hot[body];
    const cn_body_warm *warm = &sim->warm[body];
    const float linear_damping = cn_min(hot->linear_damping + sim->linear_damping, FLT_MAX),
                angular_damping = cn_min(hot->angular_damping + sim->angular_damping, FLT_MAX);
    cn_decay linear = cn_decay_of(h * linear_damping), angular = cn_decay_of(h * angular_damping);
    if ((linear.mean < 1 || angular.mean < 1) && is_jointed(sim, body)) {
        linear.mean += (1 - linear.mean) * cn_max(1 - h * linear_damping, 0);
        angular.mean += (1 - angular.mean) * cn_max(1 - h * angular_damping, 0);
    }
    float gx = sim->gravity.x * hot->gravity_scale, gy = sim->gravity.y * hot->gravity_scale;
    float ax = gx + warm->force.x * hot->inverse_mass, ay = gy + warm->force.y * hot->inverse_mass;
    if (hot->flags & CN_BODY_LOCK_X) ax = 0;
    if (hot->flags & CN_BODY_LOCK_Y) ay = 0;
    return (cn_drive){{linear.end, linear.end, angular.end, 1},
                      {h * ax * linear.mean, h * ay * linear.mean,
                       h * warm->torque * inverse_inertia * angular.mean, 0}};
}

// ---- loading

/* A joint force F at a lever arm r resists the turn of its body like a spring of stiffness F r (the
 * geometric stiffness). If the inertia of the body is much smaller than F r h^2 in a substep h, the
 * body starts to oscillate by itself. Joints of trees prevent that by a drag: see find_drag(). For
 * iterated joints, the solver gives a body at least PULL_INERTIA times the sum of F r h^2 over
 * them. ("Stable Constrained Dynamics", Tournier et al. 2015, adds such a term to all bodies.) When
 * the added inertia grows, the angular velocity is reduced, and angular momentum stays the same.
 * Otherwise a body would gain energy if its inertia grows while it turns fast and shrinks while it
 * turns slowly. Returns the inverse inertia of a dynamic body in this step. */
static float add_inertia(const cn_solver *s, int body, cn_float4 *v) {
    float inverse = s->sim->hot[body].inverse_inertia;
    cn_pull *pull = &s->sim->pulls[body], before = *pull;
    if (before.sum == 0 && before.added_inertia == 0) return inverse;
    *pull = (cn_pull){0}; // add_pulls() adds up those of this step
    float needed = cn_min(PULL_INERTIA * s->constants.pull_scale * before.sum, CN_LARGEST);
    if (needed * inverse <= 1) return inverse; // nearly always, and if the body cannot turn
    float own = 1 / inverse;
    pull->added_inertia = needed - own;
    if (needed - own > before.added_inertia) (*v)[2] *= (own + before.added_inertia) / needed;
    return 1 / needed;
}

static void load_body(cn_solver *s, int index, int body) {
    cn_body_hot *hot = &s->sim->hot[body];
    bool dynamic = cn_is_dynamic(hot); // a kinematic copy moves by its constant velocity
    s->load_limits[index] = FLT_MAX;
    if (s->tree.numbers) // until cn_prepare_trees()
        s->tree.numbers[index] = dynamic && is_jointed(s->sim, body) ? -1 : 0;
    if (s->tree.centres) s->tree.centres[index] = (cn_state){0};
    cn_float4 v = *(const cn_float4 *)&hot->vx; // vx, vy, w, inverse mass
    s->states[index] = (cn_state){v, {0, 0, 0, v[3]}};
    float inverse = dynamic ? hot->inverse_inertia : 0;
    if (dynamic && s->sim->pulls) inverse = add_inertia(s, body, &s->states[index].v);
    s->free[index].v = (cn_float4){0, 0, 0, inverse};
    // Only for dynamic bodies: other batches may load the same kinematic body at the same time.
    // Written only if needed, so that workers do not contend for its cache line.
    uint32_t flags = hot->flags;
    if (dynamic && flags & CN_BODY_JOINT_REMOVED)
        __atomic_store_n(&hot->flags, flags & ~(uint32_t)CN_BODY_JOINT_REMOVED, __ATOMIC_RELAXED);
    s->drives[index] =
        dynamic ? drive_of(s->sim, body, inverse, s->constants.h) : (cn_drive){{1, 1, 1, 1}, {0}};
}

static void clear_state(cn_solver *s, int index) {
    s->states[index] = s->free[index] = (cn_state){0};
    s->drives[index] = (cn_drive){{1, 1, 1, 1}, {0}};
    if (s->tree.numbers) s->tree.numbers[index] = 0;
    if (s->tree.centres) s->tree.centres[index] = (cn_state){0};
    s->load_limits[index] = FLT_MAX;
}

// Returns the bytes of a bit for each block of contacts.
static size_t bytes_of_marks(const cn_solver *s) {
    int blocks = s->batch->lanes.count / s->batch->kernels->lanes - s->batch->joint_blocks;
    return (size_t)(blocks / 64 + 1) * sizeof(uint64_t);
}

void cn_clear_impact_marks(cn_solver *s) {
    const cn_batch *batch = s->batch;
    const int lanes = batch->lanes.count - batch->joint_blocks * batch->kernels->lanes;
    if (s->impacts.visited) memset(s->impacts.visited, 0, bytes_of_marks(s));
    if (s->impacts.due_blocks) memset(s->impacts.due_blocks, 0, bytes_of_marks(s));
    if (s->tree.bodies) memset(s->tree.due_lanes, 0, (size_t)(lanes / 64 + 1) * sizeof(uint64_t));
}

// Clears the impacts of the bodies of some states, which are in the island whose first body has the
// state `first`.
static void clear_bodies(cn_solver *s, int state, int end, int first) {
    const cn_impact_body none = {
        .substep = -1, .stopped = -1, .due = -1, .first = first, .first_end = -1};
    for (; state < end; state++) s->impacts.bodies[state] = none;
}

// Clears the impacts of the bodies of some states, and finds the first body of the island of each.
static void clear_impacts(cn_solver *s, int from, int end) {
    const int *sizes = s->batch->island_sizes.items;
    int first = 1;
    for (int i = 0; i < s->batch->island_sizes.count && first < end; first += sizes[i++])
        clear_bodies(s, cn_max_int(from, first), cn_min_int(end, first + sizes[i]), first);
    if (from == 0) clear_bodies(s, 0, 1, 0);
    clear_bodies(s, cn_max_int(from, first), end, 0); // kinematic ones
}

// Body i of the batch has state i + 1. The part that has the first body also clears the other
// states.
void cn_load_bodies(void *context, int first, int end) {
    cn_solver *s = context;
    const int *bodies = s->batch->bodies.items;
    for (int i = first; i < end; i++) load_body(s, i + 1, bodies[i]);
    clear_impacts(s, first == 0 ? 0 : first + 1, end + 1);
    if (first > 0) return;
    clear_state(s, 0);
    for (int type = 0; type < CN_CONTACT_ROW_TYPES; type++)
        clear_state(s, cn_unused_state(s->batch, (cn_row_type)type));
    cn_clear_impact_marks(s);
    if (s->tree.bodies) memset(s->tree.contact_blocks, 0, bytes_of_marks(s));
}

// ---- locks and speed limits

// Returns the velocity after locks and the speed limit.
static cn_float4 clamp_velocity(const cn_simulation *sim, int body, cn_float4 v) {
    uint32_t flags = sim->hot[body].flags;
    if (flags & CN_BODY_LOCK_X) v[0] = 0;
    if (flags & CN_BODY_LOCK_Y) v[1] = 0;
    float limit = sim->warm[body].max_speed, square = v[0] * v[0] + v[1] * v[1];
    if (flags & CN_BODY_LIMITED && square > limit * limit) {
        float scale = limit / sqrtf(square);
        v[0] *= scale;
        v[1] *= scale;
    }
    return v;
}

// The free velocity changes by the same amount, otherwise the warm start would fight the clamp.
// Along a locked axis the displacement is zero too.
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
                s->free[i].d[k] = 0; // the body has the clamped speed during the whole substep
            if (flags & (uint32_t)CN_BODY_LOCK_X << k) s->states[i].d[k] = 0;
        }
        *v = clamped;
    }
}
