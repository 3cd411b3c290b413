/* The solution of one batch: whole islands, in one piece of scratch memory that stays in cache.
 *
 *      states   v, d of every body; 0 is the static world     32 bytes a body
 *      free     v without constraints, and h / 2 times
 *               its change in this substep                    32
 *      drive    damping factor, added velocity                32
 *      blocks   the constraints, in colours                   112 bytes a contact
 *
 * A substep:
 *      velocity   v = damp v + h a, plus the warm start
 *      impact     contacts that touch at speed within this substep
 *      solve      with bias, which pushes overlap apart; then the trees once more
 *      position   d += h v
 *      relax      without bias, with friction; moves overlapping bodies apart; limits the warm
 *                 start of contacts between walls
 *
 * The warm start is v - free of the substep before: the change by all constraints except trees. No
 * pass over the contacts applies it (bodies.c has the reason). So what changes an impulse of a
 * block outside of solve and relax must change `free` as well; see remove_fraction().
 *
 * This file is compiled once per instruction set. Contacts of a colour share no moving body, so the
 * result does not depend on the number of lanes. It does not depend on which other islands are in
 * the batch. It does not depend on the workers: one worker solves the batch alone, or several
 * workers run this code together, and the bodies and colours are distributed to them.
 */
#include "contact_limits.h"
#include "contact_tree_impact.h"
#include "joint_rows.h"

#include <math.h>

// The stiffness of a constraint is the frequency of its spring, in turns per substep. So more
// substeps make it stiffer. See make_softness().
#define CONTACT_TURNS       (3.0f / 16) // turns: contacts; 45 Hz with 4 substeps at 60 Hz
#define STATIC_STIFFENING   1.4f        // factor on these turns, for contacts with static bodies
#define CONTACT_DAMPING     10          // damping ratio: overlap ends without overshoot
#define MIN_STIFFNESS       0.5f        // fraction: contacts keep it in a long substep
#define JOINT_TURNS         0.25f       // turns: locked rows of joints; they have no damping
#define MAX_JOINT_STIFFNESS 1.25f       // factor in a long substep: with more, chains flutter
#define CLOSURE_COMPLIANCE  1e-3        // compliance of a closure row / its inverse mass
#define MAX_WARM_SCALE      2.0f        // factor in a long substep: impacts do not grow with it
#define LANDING_SPEED       1.0f        // m/s: a contact that approaches faster lands
#define SPRING_RATE         240         // substeps per second: from here on springs push no faster

// A contact may carry at most this many times the weight of its island. The factor is above 1
// because lever arms and acceleration add to the load.
#define MAX_LOAD_WEIGHTS 4

// ---- memory

static void take_memory(cn_solver *s, cn_arena *arena) {
    int states = s->batch->bodies.count + 1 + CN_CONTACT_ROW_TYPES, joints = s->batch->joint_blocks;
    int blocks = s->batch->lanes.count / CN_LANES - joints;
    s->states = cn_take(arena, states, sizeof(cn_state));
    s->free = cn_take(arena, states, sizeof(cn_state));
    s->drives = cn_take(arena, states, sizeof(cn_drive));
    s->load_limits = cn_take(arena, states, sizeof(float));
    s->joints = cn_take(arena, joints, sizeof(joint_block));
    s->rows = s->batch->has_joint_rows ? cn_take(arena, joints, sizeof(joint_rows)) : NULL;
    s->blocks = cn_take(arena, blocks, sizeof(contact_block));
    s->extensions =
        s->batch->has_extended ? cn_take(arena, blocks, sizeof(contact_extension)) : NULL;
    s->hits = s->batch->has_hits ? cn_take(arena, blocks, sizeof(hit_row)) : NULL;
    s->impacts.rows = cn_take(arena, blocks, sizeof(impact_row));
    int words = blocks / 64; // of bits of blocks, without the last one
    s->impacts.next_ends = cn_take(arena, 2 * blocks * CN_LANES, sizeof(int));
    s->impacts.due_blocks = words ? cn_take(arena, words + 1, sizeof(uint64_t)) : NULL;
    s->impacts.visited = words ? cn_take(arena, words + 1, sizeof(uint64_t)) : NULL;
    s->impacts.bodies = cn_take(arena, s->batch->bodies.count + 1, sizeof(cn_impact_body));
    CN_WIDE(cn_take_tree_memory)(s, arena);
}

size_t CN_WIDE(cn_batch_bytes)(cn_batch *batch) {
    cn_solver s = {.batch = batch};
    cn_arena counter = {0};
    take_memory(&s, &counter);
    return counter.used;
}

// ---- passes over the constraints

static joint_rows *rows_of(const cn_solver *s, int index) {
    return s->rows ? &s->rows[index] : NULL;
}

static contact_block *contact_block_of(const cn_solver *s, int index) {
    return &s->blocks[index - s->batch->joint_blocks];
}

static contact_extension *extension_of(const cn_solver *s, int index) {
    return s->extensions ? &s->extensions[index - s->batch->joint_blocks] : NULL;
}

static hit_row *hit_of(const cn_solver *s, int index) {
    return s->hits ? &s->hits[index - s->batch->joint_blocks] : NULL;
}

static contact_parts parts_of(const cn_solver *s, int index) {
    return (contact_parts){contact_block_of(s, index), extension_of(s, index)};
}

// Marks bodies B that touch a kinematic body, or that are deep in a static one. See
// limit_carried_impulse().
static void mark_pressed(cn_solver *s, const cn_lane *lanes, const contact_block *c,
                         cn_row_type type) {
    cn_floatw gap = type == CN_ROW_ONE_POINT ? c->c1 : cn_minw(c->c1, c->c2);
    int maybe_pressed = cn_mask_bitsw(gap < cn_splatw(-CN_PRESSED_SLOPS * s->sim->tuning.slop));
    for (int i = 0; i < CN_LANES; i++) {
        bool is_pressed =
            maybe_pressed >> i & 1 &&
            -gap[i] > cn_pressed_depth(s->sim, s->batch->bodies.items[lanes[i].b - 1]);
        if (!lanes[i].a && !is_pressed) continue;
        s->load_limits[lanes[i].b] = 0;
        cn_store_relaxed(&s->batch->any_pressed, true);
    }
}

// Prefetches the contact records of the next block, because they are scattered in memory.
static void fetch_records(const cn_solver *s, int next) {
    const cn_lane *lane = lanes_of(s, next), *end = s->batch->lanes.items + s->batch->lanes.count;
    for (int i = 0; i < CN_LANES && lane < end; i++, lane++)
        __builtin_prefetch(&s->sim->touching.records[lane->slot], 1);
}

static void prepare_any_block(cn_solver *s, const cn_color *color, int k) {
    const cn_lane *lanes = lanes_of(s, k);
    if (color->row_type < CN_ROW_POINT) fetch_records(s, k + 1);
    if (color->row_type == CN_ROW_COUPLING)
        cn_prepare_coupling(s, lanes->slot);
    else if (color->row_type >= CN_ROW_POINT)
        prepare_joint(s, lanes, &s->joints[k], rows_of(s, k), color->row_type,
                      cn_unused_state(s->batch, color->row_type));
    else
        prepare_block(s, lanes, parts_of(s, k), hit_of(s, k), color->row_type, color->static_a);
    if (color->row_type >= CN_ROW_POINT) return;
    if (color->static_a) mark_pressed(s, lanes, contact_block_of(s, k), color->row_type);
}

static void prepare(cn_solver *s, const cn_color *color, int first, int end) {
    for (int k = first; k < end; k++) prepare_any_block(s, color, k);
}

// Finds the impulse that weight and forces give to each body in a substep. Until the first substep
// it is kept in `free`.
static void find_weights(void *context, int first, int end) {
    const cn_solver *s = context;
    for (int i = first + 1; i <= end; i++) {
        cn_float4 add = s->drives[i].add;
        s->free[i].d[0] = sqrtf(add[0] * add[0] + add[1] * add[1]) /
                          cn_max(s->states[i].d[3], FLT_MIN); // no mass: its weight is 0
    }
}

// Finds the load limit of every island with a body marked by mark_pressed(): MAX_LOAD_WEIGHTS times
// the impulse that weight and forces give to the whole island in a substep. The static world gets
// the least of these limits. One worker does this for all islands.
static void find_load_limits(void *context, int first, int end) {
    cn_solver *s = context;
    const int *counts = s->batch->island_sizes.items;
    for (int i = 0, body = 1; first < end && i < s->batch->island_sizes.count;
         body += counts[i++]) {
        float load = 0, limit = FLT_MAX;
        for (int k = body; k < body + counts[i]; k++) {
            limit = cn_min(limit, s->load_limits[k]);
            load += s->free[k].d[0];
        }
        if (limit > 0) continue; // no body is marked
        for (int k = body; k < body + counts[i]; k++) s->load_limits[k] = MAX_LOAD_WEIGHTS * load;
        s->load_limits[0] = cn_min(s->load_limits[0], MAX_LOAD_WEIGHTS * load);
    }
}

// A loop over blocks first..end - 1, which are of one colour. There is one for each combination of
// row type, relax and static_a, so that these are constants in the loop.
typedef void block_loop(const cn_solver *s, int first, int end);
#define DEFINE_PASS(type, relax, static_a)                                                         \
    static void pass_##type##_##relax##_##static_a(const cn_solver *s, int first, int end) {       \
        pass_constants k = constants_of(s, static_a);                                              \
        for (contact_block *c = contact_block_of(s, first); first < end; first++, c++)             \
            solve_block(                                                                           \
                s, &k,                                                                             \
                (contact_parts){c, (type) == CN_ROW_EXTENDED ? extension_of(s, first) : NULL},     \
                type, relax, static_a, false);                                                     \
    }
#define DEFINE_PASSES(type)                                                                        \
    DEFINE_PASS(type, 0, 0) DEFINE_PASS(type, 0, 1) DEFINE_PASS(type, 1, 0) DEFINE_PASS(type, 1, 1)
#define PASSES_OF(type)                                                                            \
    {                                                                                              \
        {pass_##type##_0_0, pass_##type##_0_1}, { pass_##type##_1_0, pass_##type##_1_1 }           \
    }
DEFINE_PASSES(CN_ROW_PLAIN)
DEFINE_PASSES(CN_ROW_ONE_POINT)
DEFINE_PASSES(CN_ROW_EXTENDED)
static block_loop *const passes[CN_ROW_POINT][2][2] = { // [type][relax][static_a]
    PASSES_OF(CN_ROW_PLAIN), PASSES_OF(CN_ROW_ONE_POINT), PASSES_OF(CN_ROW_EXTENDED)};

// There are two loops, so that follow_bodies() does not wait for the velocities of the block
// before.
#define DEFINE_JOINT_PASS(type, relax)                                                             \
    static void joints_##type##_##relax(const cn_solver *s, int first, int end) {                  \
        joint_block *c = &s->joints[first];                                                        \
        joint_rows *r = (type) == CN_ROW_POINT ? NULL : &s->rows[first];                           \
        const cn_lane *lanes = coupled_lanes(s, lanes_of(s, first));                               \
        for (int i = 0; (relax) && i < end - first; i++)                                           \
            follow_bodies(s, &c[i], r ? &r[i] : NULL, type);                                       \
        for (int i = 0; i < end - first; i++)                                                      \
            solve_joint(s, lanes ? lanes + i *CN_LANES : NULL, &c[i], r ? &r[i] : NULL, type,      \
                        relax);                                                                    \
    }
#define DEFINE_JOINT_PASSES(type) DEFINE_JOINT_PASS(type, 0) DEFINE_JOINT_PASS(type, 1)
DEFINE_JOINT_PASSES(CN_ROW_POINT)
DEFINE_JOINT_PASSES(CN_ROW_POINT_ANGLE)
DEFINE_JOINT_PASSES(CN_ROW_AXES)
static block_loop *const joint_passes[][2] = {
    {joints_CN_ROW_POINT_0, joints_CN_ROW_POINT_1},
    {joints_CN_ROW_POINT_ANGLE_0, joints_CN_ROW_POINT_ANGLE_1},
    {joints_CN_ROW_AXES_0, joints_CN_ROW_AXES_1},
};

// Relaxes blocks and limits their warm start. Both are done block by block, while the block is in
// cache.
static __attribute__((noinline)) void relax_with_limits(cn_solver *s, cn_color color, int k,
                                                        int end) {
    for (; k < end; k++) {
        passes[color.row_type][true][color.static_a](s, k, k + 1);
        limit_carried_impulse(s, contact_block_of(s, k), color.row_type, color.static_a);
    }
}

static void solve(cn_solver *s, const cn_color *color, int first, int end) {
    if (color->row_type == CN_ROW_COUPLING)
        for (int k = first; k < end; k++) cn_solve_coupling(s, lanes_of(s, k)->slot);
    else if (color->row_type >= CN_ROW_POINT)
        joint_passes[color->row_type - CN_ROW_POINT][s->now.relax](s, first, end);
    else if (s->now.relax && s->load_limits)
        relax_with_limits(s, *color, first, end);
    else
        passes[color->row_type][s->now.relax][color->static_a](s, first, end);
}

// Returns the first block from `from` on whose bit is set, or `end` if there is none.
static int next_block(const uint64_t *bits, int from, int end) {
    while (from < end) {
        uint64_t word = __atomic_load_n(&bits[from >> 6], __ATOMIC_RELAXED);
        uint64_t rest = word >> (from & 63);
        if (rest) return cn_min_int(from + cn_lowest_bit(rest), end);
        from = (from | 63) + 1;
    }
    return end;
}

// Returns the first block that is due in from..end - 1, or `end` if none is.
static int next_due(const cn_solver *s, int from, int end) {
    return s->impacts.visits_all ? from : next_block(s->impacts.due_blocks, from, end);
}

// Finds when the contacts that are due bounce.
static void time_bounces(cn_solver *s, const cn_color *color, int first, int end) {
    if (color->row_type != CN_ROW_EXTENDED) return;
    int block = first - s->batch->joint_blocks, last = end - s->batch->joint_blocks;
    for (; (block = next_due(s, block, last)) < last; block++) time_block(s, block);
}

// Visits the blocks that are due, or all.
static void solve_impacts(cn_solver *s, const cn_color *color, int first, int end) {
    if (color->row_type >= CN_ROW_POINT) return;
    int block = first - s->batch->joint_blocks, last = end - s->batch->joint_blocks;
    for (; (block = next_due(s, block, last)) < last; block++) {
        if (!s->impacts.visits_all)
            cn_clear_shared_bit(s->impacts.due_blocks, block, cn_has_job(s->worker));
        cn_intw outside = ~lanes_in_trees(s, &s->blocks[block]);
        if (cn_mask_bitsw(outside)) impact_block(s, color, block, outside, false);
    }
}

// Returns the first block in from..end - 1 that was visited in this substep, or `end`. If there are
// few blocks, they have no bits.
static int next_visited(const cn_solver *s, int from, int end) {
    if (s->impacts.visited) return next_block(s->impacts.visited, from, end);
    while (from < end && s->impacts.rows[from].substep != s->now.substep) from++;
    return from;
}

static void end_sweeps(cn_solver *s, const cn_color *color, int first, int end) {
    if (color->row_type >= CN_ROW_POINT) return;
    int block = first - s->batch->joint_blocks, last = end - s->batch->joint_blocks;
    for (; (block = next_visited(s, block, last)) < last; block++)
        end_block(s, color, block, ~lanes_in_trees(s, &s->blocks[block]), false);
}

// ---- results

// Pushes a hit event. `fraction` is the place of the hit between the two points of the contact. If
// memory is short the event is lost.
static void push_hit(cn_solver *s, const cn_lane *lane, float approach, float fraction,
                     float impulse) {
    cn_simulation *sim = s->sim;
    const cn_contact_record *r = &sim->touching.records[lane->slot];
    cn_contact_event_row event = cn_make_contact_event(sim, lane->slot, fraction);
    // v^2 + 2 a s: the body gains speed while it falls over the gap s. In an overlap, the touch was
    // earlier, and slower.
    cn_float4 change = (s->free[lane->b].d - s->free[lane->a].d) * s->constants.inverse_h;
    float gain = (change[0] * r->nx + change[1] * r->ny) * 4 * s->constants.inverse_h; // 2 a
    float gap = r->s1 + fraction * (r->s2 - r->s1);
    event.approach_speed = sqrtf(cn_max(approach * approach - gain * gap, 0));
    event.impulse = impulse;
    cn_lock(&sim->lock);
    cn_append(&sim->memory, &sim->hits, event);
    cn_unlock(&sim->lock);
}

// The approach speed is that of a point that has an impulse. A tipping body may also approach at
// its other point, without having landed on it yet.
static void push_hits(cn_solver *s, int index) {
    const hit_row *hit = hit_of(s, index);
    const contact_block *c = contact_block_of(s, index);
    cn_floatw v1 = cn_keepw((c->sum1 > 0) & (hit->v1 > 0), hit->v1);
    cn_floatw v2 = cn_keepw((c->sum2 > 0) & (hit->v2 > 0), hit->v2), approach = cn_maxw(v1, v2);
    cn_floatw fraction = v2 / (v1 + v2), impulse = c->sum1 + c->sum2;
    CN_EACH_LANE(k, cn_mask_bitsw(approach > s->sim->tuning.hit_threshold)) {
        const cn_lane *lane = &lanes_of(s, index)[k];
        if (s->sim->touching.records[lane->slot].meta & CN_META_HITS)
            push_hit(s, lane, approach[k], fraction[k], impulse[k]);
    }
}

static void store_any_block(cn_solver *s, const cn_color *color, int k) {
    if (color->row_type == CN_ROW_COUPLING) {
        cn_finish_coupling(s, lanes_of(s, k)->slot);
    } else if (color->row_type >= CN_ROW_POINT) {
        cn_vec2w locks =
            store_joint(s, lanes_of(s, k), &s->joints[k], rows_of(s, k), color->row_type);
        add_pulls(s, lanes_of(s, k), &s->joints[k], locks);
    } else {
        fetch_records(s, k + 1);
        store_block(s, lanes_of(s, k), contact_block_of(s, k),
                    color->row_type == CN_ROW_EXTENDED ? extension_of(s, k) : NULL);
        if (s->hits) push_hits(s, k);
    }
    // The load of a joint that also has rows is not known yet.
    const cn_lane *lanes = lanes_of(s, k);
    bool has_load =
        color->row_type != CN_ROW_COUPLING || s->sim->joints[lanes->slot].row_type == CN_ROW_NONE;
    if (color->row_type >= CN_ROW_POINT && s->batch->has_watched_joints && has_load)
        watch_joints(s, lanes);
}

static void store(cn_solver *s, const cn_color *color, int first, int end) {
    for (int k = first; k < end; k++) store_any_block(s, color, k);
}

static void finish(void *context, int first, int end) {
    cn_solver *s = context;
    CN_WIDE(cn_finish_bodies)
    (s->sim, s->batch->bodies.items + first, end - first, s->states + first + 1,
     s->free + first + 1);
}

// ---- velocities and positions

// v = damp v + h a, plus the warm start: the change of velocity by the constraints in the last
// substep. In the first substep `free` holds the warm start, with the inverse inertia in lane 3.
static void integrate_velocities(void *context, int first, int end) {
    const cn_solver *s = context;
    cn_state *states = s->states, *free = s->free;
    cn_float4 half = (cn_float4){0} + 0.5f * s->constants.h;
    const cn_drive *drives = s->drives;
    bool is_first = s->now.substep == 0;
    for (int i = first + 1; i <= end; i++) {
        cn_float4 *v = &states[i].v, warm = free[i].v;
        if (is_first)
            warm[3] = 0;
        else
            warm = *v - warm;
        free[i].v = drives[i].damp * *v + drives[i].add;
        free[i].d = half * (free[i].v - *v);
        *v = free[i].v + warm;
    }
}

static void integrate_positions(void *context, int first, int end) {
    cn_solver *s = context;
    if (s->batch->has_clamped_bodies)
        cn_clamp_velocities(s, first, cn_min_int(end, s->batch->body_count));
    cn_state *states = s->states;
    const cn_state *free = s->free;
    const int *trees = s->tree.numbers;
    cn_float4 h = {s->constants.h, s->constants.h, s->constants.h, 0};
    for (int i = first + 1; i <= end; i++) {
        cn_float4 *d = &states[i].d, v = states[i].v;
        *d += h * v;
        // finish_block() changes `free` of these bodies, so v == free does not mean free flight.
        if (trees && trees[i] > 0) continue;
        // No constraint acted: the trapezoid rule (bodies.c).
        if (memcmp(&states[i].v, &free[i].v, sizeof v) == 0) *d -= free[i].d;
    }
}

// ---- impacts

// True if one worker does the work on trees alone, because there are few.
static bool has_few_trees(const cn_solver *s) {
    const int groups = s->batch->tree_groups.count;
    return groups > 0 && groups < CN_DISTRIBUTED_GROUPS;
}

// Makes those lists of contacts that are missing: of bodies beside trees, of the others.
static void make_lists(cn_solver *s) {
    const bool needs_all = !s->impacts.visits_all || cn_load_relaxed(&s->batch->orders_bounces);
    s->now.links_others = needs_all && are_missing(s, &s->batch->listed);
    s->now.links_beside_trees = s->tree.bodies && are_missing(s, &s->batch->listed_beside_trees);
    if (s->now.links_beside_trees)
        cn_distribute(s->worker, count_blocks(s), 0, find_all_tree_contacts, s);
    if (s->now.links_beside_trees || s->now.links_others) cn_run_pass(s, link_blocks);
}

static void solve_few_trees_and_end(cn_solver *s) {
    solve_tree_impacts(s);
    CN_WIDE(cn_settle_trees)(s);
    end_sweep(s);
}

static void run_sweep(cn_solver *s) {
    const int all = s->batch->colors.count;
    if (cn_load_relaxed(&s->batch->orders_bounces)) cn_run_free_pass(s, time_bounces, 0);
    if (!s->tree.bodies) {
        cn_run_colors_then(s, solve_impacts, 0, all, end_sweep);
    } else if (has_few_trees(s)) {
        cn_run_colors_then(s, solve_impacts, 0, all, solve_few_trees_and_end);
    } else {
        cn_run_colors_then(s, solve_impacts, 0, all, solve_tree_impacts);
        CN_WIDE(cn_settle_trees)(s);
        cn_run_alone(s, end_sweep);
    }
}

static void end_all_sweeps(cn_solver *s) {
    if (s->tree.bodies)
        cn_run_colors_then(s, end_sweeps, 0, s->batch->colors.count, end_tree_impacts);
    else
        cn_run_pass(s, end_sweeps);
}

static bool goes_on(const cn_solver *s) {
    return s->now.sweep < CN_IMPACT_SWEEPS && has_sweep(s, s->now.sweep);
}

// One worker does this: sweeps that follow one another, and the end if that is short, too.
static void run_single_sweeps(cn_solver *s) {
    if (s->now.sweep == 0 && has_few_trees(s)) CN_WIDE(cn_begin_tree_impacts)(s);
    for (; goes_on(s) && is_single(s, s->now.sweep); s->now.sweep++) run_sweep(s);
    if (!goes_on(s) && is_single(s, s->now.sweep)) end_all_sweeps(s);
}

// Sweeps that one worker does alone are one stage, if they follow one another.
static void run_sweeps(cn_solver *s) {
    bool was_single = false, single, ends = false;
    for (s->now.sweep = 0; !ends; s->now.sweep++, was_single = single) {
        ends = !goes_on(s);
        single = cn_has_job(s->worker) && is_single(s, s->now.sweep);
        if (single && !was_single)
            cn_run_alone(s, run_single_sweeps);
        else if (!single && !ends)
            run_sweep(s);
        else if (!single)
            end_all_sweeps(s);
    }
}

// Impacts come before the solve. Meanwhile the velocities of bodies in trees satisfy the joints.
static void run_impacts(cn_solver *s) {
    if (!has_sweep(s, 0)) return;
    begin_visits(s);
    make_lists(s);
    if (!has_few_trees(s) || !cn_has_job(s->worker) || !is_single(s, 0))
        CN_WIDE(cn_begin_tree_impacts)(s);
    s->now.grain = SWEEP_GRAIN;
    run_sweeps(s);
    s->now.grain = 0;
    cn_distribute_bodies(s, s->batch->body_count, end_impacts);
    s->now.ends_impacts = true;
}

// ---- solve

// Takes over what contacts did to the trees, and solves the trees once more.
static void finish_trees(cn_solver *s) {
    s->now.repeats = !s->now.relax || s->now.substep + 1 == s->constants.substeps;
    CN_WIDE(cn_finish_trees)(s);
    s->now.repeats = false;
}

// Solves couplings and iterated joints, then trees, then contacts, then the trees again.
static void run_solve(cn_solver *s, bool relax) {
    const int joints = cn_count_joint_colors(s->batch), all = s->batch->colors.count;
    s->now.relax = relax;
    if (joints > 0 && s->now.ends_impacts) CN_WIDE(cn_end_tree_impacts)(s);
    cn_run_colors(s, solve, 0, joints);
    const bool has_trees = s->batch->tree_groups.count > 0;
    if (has_trees) CN_WIDE(cn_solve_trees)(s);
    s->now.ends_impacts = false;
    if (has_few_trees(s)) {
        cn_run_colors_then(s, solve, joints, all, finish_trees);
    } else {
        cn_run_colors(s, solve, joints, all);
        if (has_trees) finish_trees(s);
    }
}

// ---- the batch

// Returns the softness of a spring that makes `turns` oscillations in a substep and has damping
// ratio zeta, solved implicitly. With a2 = omega (omega + 2 zeta) its bias_rate is
// omega^2 / (h (1 + a2)) and its impulse_scale 1 / (1 + a2). More turns make it rigid: 1 / h and 0.
static cn_softness make_softness(float turns, float zeta, float inverse_h) {
    float omega = 2 * CN_PI * turns, a1 = 2 * zeta + omega, a2 = omega * a1, a3 = 1 / (1 + a2);
    return (cn_softness){omega * omega * a3 * inverse_h, a3};
}

static cn_solver_constants constants_of_step(const cn_simulation *sim, const cn_batch *batch) {
    cn_solver_constants k;
    float per_substep = (float)batch->substeps; // substeps of the batch per substep of the world
    k.substeps = sim->substeps * batch->substeps;
    k.h = sim->step_seconds / (float)k.substeps;
    k.inverse_h = 1 / k.h;
    float rate = k.inverse_h, whole = k.h * per_substep; // of the world, s
    float last = sim->last_substep, warm = last > 0 ? cn_min(whole / last, MAX_WARM_SCALE) : 1;
    k.warm_scale = warm / per_substep;
    k.store_scale = per_substep;
    float longest = cn_max(k.h, sim->joint_substep / per_substep);
    double mean = (double)(sim->joint_substep / per_substep * k.inverse_h);
    k.closure_compliance = CLOSURE_COMPLIANCE * mean * mean;
    k.pull_scale = last > 0 ? longest * longest / last : 0;
    float fall = PRESS_TIME * glms_vec2_norm(sim->gravity);
    k.impact_speed = cn_max(LANDING_SPEED * sim->length_unit, fall);
    // Contacts keep at least half of their stiffness, or stacks sag after a long step. The
    // stiffness of joints does not follow a single step: a joint gives way by the square of the
    // substep, and a bridge would dance while the step length varies.
    float firmness = cn_max(whole / sim->contact_substep, MIN_STIFFNESS);
    float joint_firmness = cn_min(whole / sim->joint_substep, MAX_JOINT_STIFFNESS);
    k.contact_softness = make_softness(firmness * CONTACT_TURNS, CONTACT_DAMPING, rate);
    k.static_softness =
        make_softness(firmness * STATIC_STIFFENING * CONTACT_TURNS, CONTACT_DAMPING, rate);
    k.joint_softness = make_softness(joint_firmness * JOINT_TURNS, 0, rate);
    // Springs push one slop apart by themselves. What a spring adds to the impulses of a contact is
    // not all taken back by relax, so it must be little, also in short substeps.
    float push = sim->tuning.slop * k.contact_softness.bias_rate * cn_min(1, SPRING_RATE * k.h);
    k.spring_speed = cn_min(push, sim->tuning.push_speed);
    return k;
}

void CN_WIDE(cn_solve_batch)(cn_simulation *sim, cn_batch *batch, size_t place, cn_worker *worker) {
    cn_arena arena = {sim->arena.memory, place, sim->arena.capacity};
    // Not cleared: each stage reads only members that it, or an earlier stage, has written.
    cn_solver s;
    s.sim = sim, s.batch = batch, s.worker = worker;
    const int all = batch->bodies.count;
    take_memory(&s, &arena);
    s.constants = constants_of_step(sim, batch);
    s.now.substep = 0;
    s.now.repeats = s.now.impacts = s.now.ends_impacts = false;
    s.now.grain = 0;
    s.impacts.sweeps = sim->plan.sweeps.items + (batch - sim->plan.batches) * 2 * sim->substeps;
    cn_distribute_bodies(&s, all, cn_load_bodies);
    CN_WIDE(cn_prepare_trees)(&s);
    if (!cn_load_relaxed(&batch->any_response)) s.tree.centres = NULL;
    if (sim->substep_force) cn_distribute(worker, 1, 1, sim->substep_force, &s);
    cn_run_pass(&s, prepare);
    CN_WIDE(cn_prepare_all_responses)(&s);
    if (!cn_load_relaxed(&batch->any_pressed)) s.load_limits = NULL;
    if (s.load_limits) {
        cn_distribute_bodies(&s, batch->body_count, find_weights);
        cn_distribute(worker, 1, 1, find_load_limits, &s);
    }
    for (; s.now.substep < s.constants.substeps; s.now.substep++) {
        s.now.relax = false;
        if (sim->substep_force && s.now.substep > 0)
            cn_distribute(worker, 1, 1, sim->substep_force, &s);
        cn_distribute_bodies(&s, all, integrate_velocities);
        run_impacts(&s);
        run_solve(&s, false); // solve
        cn_distribute_bodies(&s, all, integrate_positions);
        run_solve(&s, true); // relax
    }
    if (batch->has_clamped_bodies) cn_distribute_bodies(&s, batch->body_count, cn_clamp_velocities);
    CN_WIDE(cn_store_trees)(&s); // adds the impulses of couplings before they are scaled
    const int joints = cn_count_joint_colors(batch);
    cn_run_colors(&s, store, 0, joints);
    cn_run_free_pass(&s, store, joints);
    cn_distribute_bodies(&s, batch->body_count, finish);
}
