/* After the substeps: the new velocities of the bodies, their motions in the step, and how long
 * each has been slow. CN_LANES bodies at a time. This file is compiled once per instruction set.
 * The bodies stay where they are. The stage "move bodies" moves them, after continuous collision
 * has decided where their motions end.
 *
 * It also decides which bodies continuous collision looks at: those that move farther than their
 * CCD threshold and, if the world has immovable shapes, those that may leave their margin.
 *
 * A body whose state is not finite, that is too fast, or that would leave the range of positions
 * gets no motion and is put into the set CN_SET_FAULT, which is quarantined later.
 *
 * Other workers may finish other bodies at the same time. So a change outside of the rows of a body
 * is only recorded, as a bit in a set of bodies.
 */
#include "../model/motion.h"
#include "solver.h"

#define MAX_DRIFT 1e18f // m: bodies do not move farther from the origin

// CN_LANES bodies.
typedef struct {
    cn_row4w v, d, free;                      // of their states
    cn_row4w pose;                            // x, y, cosine, sine
    cn_row4w rest;                            // low x, low y, seconds at rest, flags
    cn_row4w size;                            // own sleep speed, extent
    cn_row4w limits;                          // CCD threshold, CCD reach
    uint32_t hot[CN_LANES], motion[CN_LANES]; // byte offsets of their rows
} group;

CN_INLINE group load_group(const cn_simulation *sim, const int *bodies, int used,
                           const cn_state *states, const cn_state *free) {
    group g;
    uint32_t state[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) {
        uint32_t i = k < used ? (uint32_t)k : 0, body = (uint32_t)bodies[i];
        g.hot[k] = body * sizeof(cn_body_hot); // warm rows have the same size
        g.motion[k] = body * sizeof(cn_motion);
        state[k] = i * sizeof(cn_state);
    }
    g.v = cn_gather4w(&states->v, state), g.d = cn_gather4w(&states->d, state);
    g.free = cn_gather4w(&free->v, state);
    g.pose = CN_GATHER_ROW(sim->hot, g.hot, x, y, c, s);
    g.rest = CN_GATHER_ROW(sim->hot, g.hot, low_x, low_y, sleep_time, flags);
    g.size = CN_GATHER_ROW(sim->warm, g.hot, sleep_speed, extent, first_shape, last_shape);
    g.limits = CN_GATHER_ROW(sim->motions, g.motion, ccd_threshold, ccd_reach, stop, sweep);
    return g;
}

// Velocities are within their limit, and displacements are finite: zero times a number that is not
// finite is not zero.
CN_INLINE cn_intw is_valid(const group *g) {
    cn_floatw zero = cn_splatw(0);
    cn_floatw speed = cn_maxw(cn_maxw(cn_absw(g->v.x), cn_absw(g->v.y)), cn_absw(g->v.z));
    cn_floatw sum = zero * g->v.x + zero * g->v.y + zero * g->v.z;
    return (speed <= cn_splatw(CN_MAX_SPEED)) &
           (sum + zero * g->d.x + zero * g->d.y + zero * g->d.z == zero);
}

// Keeps x, y, z in the lanes of a mask, else sets them to 0. Keeps w.
CN_INLINE cn_row4w keep_three(cn_intw good, cn_row4w r) {
    return (cn_row4w){cn_keepw(good, r.x), cn_keepw(good, r.y), cn_keepw(good, r.z), r.w};
}

CN_INLINE cn_intw has(const group *g, int32_t flag) { return (cn_bitsw(g->rest.w) & flag) != 0; }

CN_INLINE cn_intw is_same(cn_floatw a, cn_floatw b) { return cn_bitsw(a) == cn_bitsw(b); }

// Returns the speed below which a body is slow, in m/s.
CN_INLINE cn_floatw find_sleep_speed(const cn_simulation *sim, const group *g) {
    cn_floatw own = g->size.x;
    return cn_selectw(own > cn_splatw(0), own, cn_splatw(sim->tuning.sleep_speed));
}

// Returns for how many seconds a body has been slow: neither the speed of its outermost point nor
// the speed at which it really moved exceeds its sleep speed. The latter is greater while the body
// is pushed out of overlap.
CN_INLINE cn_floatw slow_time(const cn_simulation *sim, const group *g, cn_floatw moved) {
    cn_floatw speed = cn_sqrtw(g->v.x * g->v.x + g->v.y * g->v.y) + cn_absw(g->v.z) * g->size.y;
    speed = cn_maxw(speed, moved * (1 / sim->step_seconds));
    cn_intw slow = (speed <= find_sleep_speed(sim, g)) & ~has(g, CN_BODY_NO_SLEEP);
    cn_floatw longer = cn_keepw(slow, g->rest.z + sim->step_seconds);
    return cn_selectw(has(g, CN_BODY_IS_DYNAMIC), longer, g->rest.z);
}

// Returns the part of a velocity that damping leaves after a time: about exp(-x).
CN_INLINE cn_floatw left_by_damping(cn_floatw rate, float time) {
    cn_floatw x = time * rate, one = cn_splatw(1);
    return one / (one + x * (one + x / 2 * (one + x / 3)));
}

static void add_part_damping(const cn_simulation *sim, const group *g, cn_row4w *damping) {
    CN_EACH_LANE(k, CN_ALL_LANES) {
        vec2s rates = sim->part_damping(sim, (int)(g->hot[k] / sizeof(cn_body_hot)));
        damping->y[k] += rates.x, damping->z[k] += rates.y;
    }
}

// Returns the part of the velocities that damping leaves after a time: y, z.
static cn_row4w left_after(const cn_simulation *sim, const group *g, float time) {
    cn_row4w damping = CN_GATHER_ROW(sim->hot, g->hot, inverse_inertia, linear_damping,
                                     angular_damping, gravity_scale);
    if (sim->part_damping) add_part_damping(sim, g, &damping);
    damping.y = left_by_damping(damping.y + sim->linear_damping, time);
    damping.z = left_by_damping(damping.z + sim->angular_damping, time);
    return damping;
}

// Returns how much of a step that begins at a time lies between two times: 0..1.
CN_INLINE cn_floatw portion(cn_floatw begin, float h, float low, float high) {
    cn_floatw length = cn_minw(begin + h, cn_splatw(high)) - cn_maxw(begin, cn_splatw(low));
    return cn_maxw(length, cn_splatw(0)) * (1 / h);
}

// Adds the step to the drifts, if it begins at this time after the begin of the watch.
static cn_row4w add_to_drift(const cn_simulation *sim, const group *g, cn_row4w drift,
                             cn_floatw begin) {
    const float h = sim->step_seconds, half = sim->tuning.sleep_time / 4;
    cn_intw goes_on = begin > 0;
    cn_floatw late = portion(begin, h, half, 2 * half), turn = late;
    if (cn_mask_bitsw(begin < half)) {
        cn_floatw early = portion(begin, h, 0, half);
        cn_row4w left = left_after(sim, g, half);
        late -= left.y * early, turn -= left.z * early;
    }
    return (cn_row4w){cn_keepw(goes_on, drift.x) + late * g->d.x,
                      cn_keepw(goes_on, drift.y) + late * g->d.y,
                      cn_keepw(goes_on, drift.z) + turn * g->d.z, drift.w};
}

// Returns the flags after a watch that ends for these bodies.
CN_INLINE cn_intw end_watch(cn_intw flags, cn_intw ends, cn_intw pulled) {
    const cn_intw was = (flags & CN_BODY_PULLED) != 0;
    flags &= ~(ends & CN_BODY_PULLS);
    return flags | (ends & pulled & CN_BODY_PULLED) | (ends & was & CN_BODY_WAS_PULLED);
}

// Watches how slow bodies drift (cn_drift), and returns their flags after the step. A watch is the
// second half of the sleep time: in the first half, a body may still come to rest. It ends exactly
// at the sleep time. While the body stays slow and awake, another begins.
// Not inlined, because few bodies need it.
static __attribute__((noinline)) cn_intw watch_drift(cn_simulation *sim, const group *g,
                                                     cn_intw counts, cn_intw flags,
                                                     cn_floatw *seconds) {
    const float whole = sim->tuning.sleep_time, half = whole / 2;
    uint32_t rows[CN_LANES];
    for (int k = 0; k < CN_LANES; k++)
        rows[k] = g->hot[k] / (uint32_t)sizeof(cn_body_hot) * (uint32_t)sizeof(cn_drift);
    cn_floatw begin = g->rest.z - cn_selectw(g->rest.z >= whole, cn_splatw(whole), cn_splatw(half));
    cn_row4w before = CN_GATHER_ROW(sim->drifts, rows, x, y, angle, unused);
    cn_row4w drift = add_to_drift(sim, g, before, begin);
    drift.x = cn_selectw(counts, drift.x, before.x),
    drift.y = cn_selectw(counts, drift.y, before.y);
    drift.z = cn_selectw(counts, drift.z, before.z);
    CN_SCATTER_ROW(sim->drifts, rows, drift, x, y, angle, unused);
    cn_floatw after = cn_selectw(g->rest.z >= whole, *seconds - half, *seconds);
    cn_intw ends = counts & (after >= whole);
    *seconds = cn_selectw(ends, cn_splatw(whole), *seconds);
    float least = CN_REST_FRACTION * (half / 2);
    return end_watch(flags, ends, cn_reachw(drift, g->size.y) > least * find_sleep_speed(sim, g));
}

// Returns the flags after the step of bodies that have been slow for some seconds.
CN_INLINE cn_intw watch_slow(cn_simulation *sim, const group *g, cn_intw flags,
                             cn_floatw *seconds) {
    cn_intw counts = (*seconds > cn_splatw(sim->tuning.sleep_time / 2));
    counts &= has(g, CN_BODY_IS_DYNAMIC);
    flags &= ~CN_BODY_PULLS | counts;
    if (!sim->sleeping || !cn_mask_bitsw(counts)) return flags;
    const group copy = *g; // *g and *seconds stay in registers
    cn_floatw after = *seconds;
    flags = watch_drift(sim, &copy, counts, flags, &after);
    *seconds = after;
    return flags;
}

// The motion of the body is faulty, and finish_group() has stopped it. Takes a dynamic body out of
// the awake bodies until it is quarantined. A kinematic body stays enabled.
static void mark_fault(cn_simulation *sim, int body) {
    if (!cn_is_dynamic(&sim->hot[body])) return;
    sim->hot[body].flags &= ~(uint32_t)CN_BODY_AWAKE;
    cn_set_shared_bit(cn_bits_of(sim, CN_SET_FAULT), body, sim->team != NULL);
    cn_store_relaxed(&sim->any_fault, true);
}

// Clears the forces of the user, which have acted.
static void end_forces(cn_simulation *sim, int body) {
    cn_body_warm *warm = &sim->warm[body];
    // The row is written only if needed, so that workers do not contend for its cache line.
    if (warm->force.x != 0 || warm->force.y != 0 || warm->torque != 0)
        warm->force = cn_vec(0, 0), warm->torque = 0;
}

// True if the world has immovable shapes: those of static, kinematic or pinned bodies, or tiles.
static bool has_immovable_shapes(const cn_simulation *sim) {
    return sim->static_tree.live || sim->slots[CN_GRIDS].count || sim->kinematics.count ||
           sim->pinned_count;
}

// Returns the bodies that may leave their margin: those that are swept against static shapes in
// this step, or that move farther than the speculative margin in the next one.
CN_INLINE cn_intw may_leave_margin(const cn_simulation *sim, const group *g, cn_floatw length) {
    cn_floatw h = cn_splatw(sim->step_seconds), margin = cn_splatw(sim->tuning.speculative_margin);
    const cn_row4w next = {g->v.x * h, g->v.y * h, g->v.z * h, h};
    return (length > cn_static_thresholdw(g->limits.x, has(g, CN_BODY_BULLET), margin)) |
           (cn_reachw(next, g->size.y) > margin);
}

// Returns the longest displacement of a body that is not fast.
CN_INLINE float finish_group(cn_simulation *sim, const int *bodies, int used, group g,
                             bool any_immovable) {
    cn_intw good = is_valid(&g);
    g.d = keep_three(good, g.d);
    cn_floatw farthest = cn_maxw(cn_absw(g.pose.x + g.d.x), cn_absw(g.pose.y + g.d.y));
    good &= farthest < cn_splatw(MAX_DRIFT);
    g.v = keep_three(good, g.v), g.d = keep_three(good, g.d);

    cn_floatw moved = cn_reachw(g.d, g.size.y), length = cn_ccd_lengthw(g.d, g.limits.y);
    cn_intw dynamic = has(&g, CN_BODY_IS_DYNAMIC), fast = dynamic & (length > g.limits.x);
    cn_intw in_flight = is_same(g.v.x, g.free.x) & is_same(g.v.y, g.free.y) &
                        is_same(g.v.z, g.free.z) & is_same(g.v.w, g.free.w);
    cn_intw leaves = {0};
    if (any_immovable) leaves = dynamic & may_leave_margin(sim, &g, length);
    cn_intw flags = cn_bitsw(g.rest.w) & ~CN_BODY_STOPPED;
    flags |= in_flight & CN_BODY_IN_FLIGHT;
    cn_floatw seconds = slow_time(sim, &g, moved);
    flags = watch_slow(sim, &g, flags, &seconds);
    cn_row4w rest = {g.rest.x, g.rest.y, seconds, cn_from_bitsw(flags)};
    g.d.w = cn_splatw(1);
    CN_SCATTER_ROW(sim->hot, g.hot, g.v, vx, vy, w, inverse_mass);
    CN_SCATTER_ROW(sim->hot, g.hot, rest, low_x, low_y, sleep_time, flags);
    CN_SCATTER_ROW(sim->motions, g.motion, g.d, x, y, angle, until); // until = 1: not stopped

    int faulty = ~cn_mask_bitsw(good), to_sweep = cn_mask_bitsw(fast | leaves);
    if (to_sweep) {
        cn_intw is_free = fast & (in_flight | has(&g, CN_BODY_BULLET));
        cn_intw sweep = (fast & CN_SWEEP_FAST) | (leaves & CN_SWEEP_LEAVES_MARGIN) |
                        (is_free & CN_SWEEP_FREE_FLIGHT);
        // stop = 1: not stopped in any round yet
        const cn_row4w swept = {g.limits.x, g.limits.y, cn_splatw(1), cn_from_bitsw(sweep)};
        CN_SCATTER_ROW(sim->motions, g.motion, swept, ccd_threshold, ccd_reach, stop, sweep);
    }
    // Kinematic bodies that move far search for themselves. Bodies without shapes meet nothing.
    cn_floatw slow = cn_keepw(~(length > g.limits.x) & (g.size.y > 0), moved);
    float longest = 0;
    for (int k = 0; k < used; k++) {
        longest = cn_max(longest, slow[k]);
        if (faulty >> k & 1) mark_fault(sim, bodies[k]);
        if (to_sweep >> k & 1)
            cn_set_shared_bit(cn_bits_of(sim, CN_SET_SWEPT), bodies[k], sim->team != NULL);
        end_forces(sim, bodies[k]);
    }
    return longest;
}

void CN_WIDE(cn_finish_bodies)(cn_simulation *sim, const int *bodies, int count,
                               const cn_state *states, const cn_state *free) {
    float longest = 0;
    const bool any_immovable = has_immovable_shapes(sim);
    for (int i = 0; i < count; i += CN_LANES) {
        int used = cn_min_int(CN_LANES, count - i);
        group g = load_group(sim, bodies + i, used, states + i, free + i);
        longest = cn_max(longest, finish_group(sim, bodies + i, used, g, any_immovable));
    }
    if (sim->team) cn_lock(&sim->lock);
    sim->max_slow_displacement = cn_max(sim->max_slow_displacement, longest);
    if (sim->team) cn_unlock(&sim->lock);
}
