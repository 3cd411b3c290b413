/* The solution of one batch: whole islands, in one piece of scratch memory that stays in cache.
 *
 *      states   v, d of every body; 0 is the static world     32 bytes a body
 *      free     v without constraints, and in the place of d
 *               h/2 times its change in this substep          32
 *      drive    damping factor, added velocity                32
 *      blocks   the constraints, in colours                   96 bytes a contact
 *
 * A substep:
 *      velocity   v = damp v + h a, plus the warm start
 *      impact     what bounces within this substep
 *      solve      biased: pushes overlap apart
 *      position   d += h v
 *      relax      without bias, with friction; where bodies are pressed, limits what is carried on
 *
 *
 * Compiled once per instruction set; contacts of a colour share no moving body, so the result does not
 * depend on the lanes, nor on which islands are in the batch, nor on who solves it: a worker alone, or
 * several together. Then what is below is run by all of them, and bodies and colours are shared.
 */
#include "contact_impact.h"
#include "contact_limits.h"
#include "joint_rows.h"

#include <math.h>

enum {
    LOADS = 4
}; // times its weight may be on a contact of an island, by levers and as it speeds up

// ---- memory

static void take_memory(cn_solver *s, cn_arena *arena) {
    int states = s->batch->bodies.count + 1 + CN_CONTACT_ROW_TYPES, joints = s->batch->joint_blocks;
    int blocks = s->batch->lanes.count / CN_LANES - joints;
    s->states = cn_take(arena, states, sizeof(cn_state));
    s->free = cn_take(arena, states, sizeof(cn_state));
    s->drives = cn_take(arena, states, sizeof(cn_drive));
    s->recovers = cn_take(arena, states, 1);
    s->load_limits = cn_take(arena, states, sizeof(float));
    s->joints = cn_take(arena, joints, sizeof(joint_block));
    s->rows = s->batch->rows ? cn_take(arena, joints, sizeof(joint_rows)) : NULL;
    s->blocks = cn_take(arena, blocks, sizeof(contact_block));
    s->block_recovers = cn_take(arena, blocks, sizeof(bool));
    s->extensions = s->batch->extensions ? cn_take(arena, blocks, sizeof(contact_extension)) : NULL;
    s->hits = s->batch->hits ? cn_take(arena, blocks, sizeof(hit_row)) : NULL;
}

size_t CN_WIDE(cn_batch_bytes)(cn_batch *batch) {
    cn_solver s = {.batch = batch};
    cn_arena counter = {0};
    take_memory(&s, &counter);
    return counter.used;
}

// ---- passes over the constraints

static joint_rows *rows_of(const cn_solver *s, int index) { return s->rows ? &s->rows[index] : NULL; }

static contact_block *contact_of(const cn_solver *s, int index) {
    return &s->blocks[index - s->batch->joint_blocks];
}

static contact_extension *extension_of(const cn_solver *s, int index) {
    return s->extensions ? &s->extensions[index - s->batch->joint_blocks] : NULL;
}

static hit_row *hit_of(const cn_solver *s, int index) {
    return s->hits ? &s->hits[index - s->batch->joint_blocks] : NULL;
}

static contact_parts parts_of(const cn_solver *s, int index) {
    return (contact_parts){contact_of(s, index), extension_of(s, index), hit_of(s, index)};
}

// Bodies on a carrier, or deep in the ground.
static void mark_pressed(cn_solver *s, const cn_lane *lanes, const contact_block *c, cn_row_type type) {
    cn_floatw gap = type == CN_ROW_ONE_POINT ? c->c1 : cn_minw(c->c1, c->c2);
    int deep = cn_mask_bitsw(gap < cn_splatw(-CN_RECOVERY_SLOPS * s->sim->tuning.slop));
    for (int i = 0; i < CN_LANES; i++) {
        bool wedged =
            deep >> i & 1 && -gap[i] > cn_recovery_depth(s->sim, s->batch->bodies.items[lanes[i].b - 1]);
        if (!lanes[i].a && !wedged) continue;
        s->load_limits[lanes[i].b] = 0;
        cn_store_relaxed(&s->batch->any_pressed, true);
    }
}

// The records of contacts are all over the memory: those of the next block are sent for.
static void fetch_records(const cn_solver *s, int next) {
    const cn_lane *lane = lanes_of(s, next), *end = s->batch->lanes.items + s->batch->lanes.count;
    for (int i = 0; i < CN_LANES && lane < end; i++, lane++)
        __builtin_prefetch(&s->sim->touching.records[lane->slot], 1);
}

static void prepare_one(cn_solver *s, const cn_color *color, int k) {
    const cn_lane *lanes = lanes_of(s, k);
    if (color->row_type < CN_ROW_POINT) fetch_records(s, k + 1);
    if (color->row_type == CN_ROW_COUPLING)
        cn_prepare_coupling(s, lanes->slot);
    else if (color->row_type >= CN_ROW_POINT)
        prepare_joint(s, lanes, &s->joints[k], rows_of(s, k), color->row_type,
                      cn_unused_state(s->batch, color->row_type));
    else
        prepare_block(s, lanes, parts_of(s, k), color->row_type, color->static_a);
    if (color->row_type >= CN_ROW_POINT) return;
    if (color->static_a) mark_pressed(s, lanes, contact_of(s, k), color->row_type);
    if (s->recovers)
        s->block_recovers[k - s->batch->joint_blocks] = soften_recovery(s, contact_of(s, k), color->static_a);
}

static void prepare(cn_solver *s, const cn_color *color, int first, int end) {
    for (int k = first; k < end; k++) prepare_one(s, color, k);
}

// Those of islands that are pressed: LOADS times the impulse of weight and forces in a substep; the least of
// them is that of the static world. By one worker, of all of them.
static void find_load_limits(void *context, int first, int end) {
    cn_solver *s = context;
    const int *counts = s->batch->islands.items;
    for (int i = 0, body = 1; first < end && i < s->batch->islands.count; body += counts[i++]) {
        float load = 0, least = FLT_MAX;
        for (int k = body; k < body + counts[i]; k++) {
            cn_float4 add = s->drives[k].add;
            least = cn_min(least, s->load_limits[k]);
            load += sqrtf(add[0] * add[0] + add[1] * add[1]) /
                    cn_max(s->states[k].v[3], FLT_MIN); // pinned: no weight
        }
        if (least > 0) continue;
        for (int k = body; k < body + counts[i]; k++) s->load_limits[k] = LOADS * load;
        s->load_limits[0] = cn_min(s->load_limits[0], LOADS * load);
    }
}

// Blocks first..end - 1, of one colour. Everything but the data is a constant of the loop.
typedef void pass(const cn_solver *s, int first, int end);
#define DEFINE_PASS(type, relax, static_a)                                                            \
    static void pass_##type##_##relax##_##static_a(const cn_solver *s, int first, int end) {             \
        pass_constants k = constants_of(s, static_a);                                                 \
        for (contact_block *c = contact_of(s, first); first < end; first++, c++)                           \
            solve_block(s, &k,                                                                     \
                        (contact_parts){c, (type) >= CN_ROW_COMPOUND ? extension_of(s, first) : NULL, \
                                        (relax) ? hit_of(s, first) : NULL},                        \
                        type, relax, static_a);                                                    \
    }
#define DEFINE_PASSES(type)                                                                        \
    DEFINE_PASS(type, 0, 0) DEFINE_PASS(type, 0, 1) DEFINE_PASS(type, 1, 0) DEFINE_PASS(type, 1, 1)
#define PASSES_OF(type)                                                                            \
    {                                                                                              \
        {pass_##type##_0_0, pass_##type##_0_1}, { pass_##type##_1_0, pass_##type##_1_1 }           \
    }
DEFINE_PASSES(CN_ROW_PLAIN)
DEFINE_PASSES(CN_ROW_ONE_POINT)
DEFINE_PASSES(CN_ROW_COMPOUND)
DEFINE_PASSES(CN_ROW_EXTENDED)
static pass *const passes[CN_ROW_POINT][2][2] = { // [type][relax][fixed]
    PASSES_OF(CN_ROW_PLAIN), PASSES_OF(CN_ROW_ONE_POINT), PASSES_OF(CN_ROW_COMPOUND),
    PASSES_OF(CN_ROW_EXTENDED)};

// In two loops, since what carries a block on does not wait for the velocities of the last.
#define DEFINE_JOINT_PASS(type, relax)                                                             \
    static void joints_##type##_##relax(const cn_solver *s, int first, int end) {                     \
        joint_block *c = &s->joints[first];                                                        \
        joint_rows *r = (type) == CN_ROW_POINT ? NULL : &s->rows[first];                          \
        for (int i = 0; (relax) && s->sweep == 0 && i < end - first; i++)                          \
            follow_bodies(s, &c[i], r ? &r[i] : NULL, type);                                       \
        for (int i = 0; i < end - first; i++)                                                      \
            solve_joint(s, &c[i], r ? &r[i] : NULL, type, relax);                                  \
    }
#define DEFINE_JOINT_PASSES(type) DEFINE_JOINT_PASS(type, 0) DEFINE_JOINT_PASS(type, 1)
DEFINE_JOINT_PASSES(CN_ROW_POINT)
DEFINE_JOINT_PASSES(CN_ROW_POINT_ANGLE)
DEFINE_JOINT_PASSES(CN_ROW_AXES)
static pass *const joint_passes[][2] = {
    {joints_CN_ROW_POINT_0, joints_CN_ROW_POINT_1},
    {joints_CN_ROW_POINT_ANGLE_0, joints_CN_ROW_POINT_ANGLE_1},
    {joints_CN_ROW_AXES_0, joints_CN_ROW_AXES_1},
};

// Relax finds the separations, also of bodies that are deep in each other or between walls: then one block after
// the other, while it is in cache.
static __attribute__((noinline)) void relax_with_limits(cn_solver *s, cn_color color, int k, int end) {
    for (; k < end; k++) {
        contact_block *c = contact_of(s, k);
        bool gentle = s->recovers && s->block_recovers[c - s->blocks];
        if (gentle) separate_block(s, c, extension_of(s, k), color.row_type, color.static_a);
        passes[color.row_type][true][color.static_a](s, k, k + 1);
        if (gentle) soften_recovery(s, c, color.static_a);
        if (s->load_limits) limit_carried_impulse(s, c, color.row_type, color.static_a);
    }
}

static void solve(cn_solver *s, const cn_color *color, int first, int end) {
    if (color->row_type == CN_ROW_COUPLING)
        for (int k = first; k < end; k++) cn_solve_coupling(s, lanes_of(s, k)->slot);
    else if (color->row_type >= CN_ROW_POINT)
        joint_passes[color->row_type - CN_ROW_POINT][s->relax](s, first, end);
    else if (s->sweep < s->batch->sweeps - 1)
        return; // a small colour, in one stage with the last of the joints
    else if (s->relax && (s->recovers || s->load_limits))
        relax_with_limits(s, *color, first, end);
    else
        passes[color->row_type][s->relax][color->static_a](s, first, end);
}

static void bounce(cn_solver *s, const cn_color *color, int first, int end) {
    if (color->row_type != CN_ROW_EXTENDED) return;
    bool any = false;
    for (int k = first; k < end; k++)
        any |= impact_block(s, contact_of(s, k), extension_of(s, k), hit_of(s, k), s->sweep,
                            color->static_a);
    if (any) cn_store_relaxed(&s->batch->bounced.items[s->substep * CN_IMPACT_SWEEPS + s->sweep], true);
}

static void apply_impact_friction(cn_solver *s, const cn_color *color, int first, int end) {
    for (int k = first; k < end && color->row_type == CN_ROW_EXTENDED; k++)
        impact_friction_block(s, contact_of(s, k), extension_of(s, k), color->static_a);
}

// ---- results out

// Hits are a courtesy: if memory is short some are lost.
static void push_hit(cn_solver *s, const cn_lane *lane, float approach, float share, float impulse) {
    cn_simulation *sim = s->sim;
    const cn_contact_record *r = &sim->touching.records[lane->slot];
    cn_contact_event_row note = cn_make_contact_event(sim, lane->slot, share);
    // What falls gains speed on its way to the touch; or the touch was a little earlier.
    cn_float4 change = (s->free[lane->b].d - s->free[lane->a].d) * s->inverse_h;
    float gain = (change[0] * r->nx + change[1] * r->ny) * 4 * s->inverse_h;
    float gap = r->s1 + share * (r->s2 - r->s1);
    note.approach_speed = sqrtf(cn_max(approach * approach - gain * gap, 0));
    note.impulse = impulse;
    cn_lock(&sim->lock);
    cn_push(&sim->memory, &sim->hits, note);
    cn_unlock(&sim->lock);
}

// The approach is that of a point that was hit, not of one that a tipping body is about to land on.
static void push_hits(cn_solver *s, int index) {
    const hit_row *hit = hit_of(s, index);
    cn_floatw v1 = cn_keepw((hit->l1 > 0) & (hit->v1 > 0), hit->v1);
    cn_floatw v2 = cn_keepw((hit->l2 > 0) & (hit->v2 > 0), hit->v2), approach = cn_maxw(v1, v2);
    cn_floatw share = v2 / (v1 + v2), impulse = hit->l1 + hit->l2;
    CN_EACH_LANE(k, cn_mask_bitsw(approach > s->sim->tuning.hit_threshold)) {
        const cn_lane *lane = &lanes_of(s, index)[k];
        if (s->sim->touching.records[lane->slot].meta & CN_META_HITS)
            push_hit(s, lane, approach[k], share[k], impulse[k]);
    }
}

// Those that still are are parted in the next step, too.
static void mark_recovery(cn_solver *s, int index) {
    for (int k = 0; k < CN_LANES; k++) {
        const cn_lane *lane = &lanes_of(s, index)[k];
        if (!s->recovers[lane->a] && !s->recovers[lane->b]) continue;
        if (!cn_needs_recovery(s->sim, lane->slot, s->sim->tuning.slop)) continue;
        const int *bodies = s->batch->bodies.items;
        if (s->recovers[lane->a]) s->sim->hot[bodies[lane->a - 1]].flags |= CN_BODY_RECOVERS;
        if (s->recovers[lane->b]) s->sim->hot[bodies[lane->b - 1]].flags |= CN_BODY_RECOVERS;
    }
}

static void watch_joints(cn_solver *s, const cn_lane *lanes) {
    float h = s->h * s->store_scale;
    for (int k = 0; k < CN_LANES && is_used(&lanes[k]); k++)
        cn_joint_after_step(s->sim, lanes[k].slot, &s->states[lanes[k].a], &s->states[lanes[k].b], h);
}

static void store_one(cn_solver *s, const cn_color *color, int k) {
    if (color->row_type == CN_ROW_COUPLING) {
        s->sim->joints[lanes_of(s, k)->slot].coupling.impulse *= s->store_scale;
    } else if (color->row_type >= CN_ROW_POINT) {
        store_joint(s, lanes_of(s, k), &s->joints[k], rows_of(s, k), color->row_type);
    } else {
        fetch_records(s, k + 1);
        store_block(s, lanes_of(s, k), contact_of(s, k),
                    color->row_type == CN_ROW_EXTENDED ? extension_of(s, k) : NULL);
        if (s->hits) push_hits(s, k);
        if (s->recovers) mark_recovery(s, k);
    }
    if (color->row_type >= CN_ROW_POINT && s->batch->watched) watch_joints(s, lanes_of(s, k));
}

static void store(cn_solver *s, const cn_color *color, int first, int end) {
    for (int k = first; k < end; k++) store_one(s, color, k);
}

static void finish(void *context, int first, int end) {
    cn_solver *s = context;
    CN_WIDE(cn_finish_bodies)
    (s->sim, s->batch->bodies.items + first, end - first, s->states + first + 1,
     s->free + first + 1, s->batch->touches.items + first);
}

// ---- velocities and positions

// v = damp v + h a plus the warm start: what the constraints changed in the last substep. In the first
// one `free` holds it, with another number in lane 3.
static void integrate_velocities(void *context, int first, int end) {
    const cn_solver *s = context;
    cn_state *states = s->states, *free = s->free;
    cn_float4 half = (cn_float4){0} + 0.5f * s->h;
    const cn_drive *drives = s->drives;
    bool starts = s->substep == 0;
    for (int i = first + 1; i <= end; i++) {
        cn_float4 *v = &states[i].v, warm = free[i].v;
        if (starts)
            warm[3] = 0;
        else
            warm = *v - warm;
        free[i].v = drives[i].damp * *v + drives[i].add;
        free[i].d = half * (free[i].v - *v);
        *v = free[i].v + warm;
    }
}

// Who is stopped, or hit, in a substep has had a shock: constraints changed its velocity by this share of the
// threshold of restitution, and by so many times what its weight and other forces did.
#define SHOCK_SHARE   0.4f
#define SHOCK_WEIGHTS 5

static void integrate_positions(void *context, int first, int end) {
    const cn_solver *s = context;
    cn_state *states = s->states;
    const cn_state *free = s->free;
    cn_float4 h = {s->h, s->h, s->h, 0};
    cn_float4 weights = (cn_float4){0} + 2 * SHOCK_WEIGHTS * s->inverse_h;
    float least = SHOCK_SHARE * s->threshold, square = least * least;
    for (int i = first + 1; i <= end; i++) {
        cn_float4 *d = &states[i].d, v = states[i].v;
        cn_float4 hit = v - free[i].v, weight = weights * free[i].d;
        *d += h * v;
        hit = hit * hit - weight * weight;
        if (hit[0] + hit[1] > square) cn_mark_shock(&states[i]);
        if (memcmp(&states[i].v, &free[i].v, sizeof v) == 0) *d -= free[i].d;
    }
}

// ---- solve

// Joints by themselves, and then all. What one order of the joints favours the other takes back: else brakes in
// a row, on nothing that stands, would drive each other.
static void run_solve(cn_solver *s, bool relax) {
    s->relax = relax;
    for (s->sweep = 0; s->sweep < s->batch->sweeps - 1; s->sweep++)
        if (relax)
            cn_run_joints_back(s, solve);
        else
            cn_run_blocks(s, solve, s->batch->joint_blocks);
    cn_run_pass(s, solve);
}

// Until nothing approaches: this carries a shock through a row of bodies.
static void run_impacts(cn_solver *s) {
    atomic_bool *bounced = &s->batch->bounced.items[s->substep * CN_IMPACT_SWEEPS];
    for (s->sweep = 0; s->sweep < CN_IMPACT_SWEEPS; s->sweep++) {
        cn_run_pass(s, bounce);
        if (!cn_load_relaxed(&bounced[s->sweep])) return;
        cn_run_pass(s, apply_impact_friction);
    }
}

// ---- the batch

// In short substeps contacts are firmer: what something heavy has crushed would be thrown, as relax does not get
// all of the push back where light bodies lie between heavy ones and the ground. And each pass adds as much.
#define PUSH_SUBSTEPS 240 // a second

// So much stiffer than usual joints may be in a long substep: at more, for long, a chain with a ball would flutter.
#define FIRMEST 1.25f

// What comes at the threshold bounces, and hands that on, with rounding.
#define BOUNCES 0.999f

// A spring that would swing `turns` times in a substep, with damping ratio zeta, solved implicitly.
static cn_softness make_softness(float turns, float zeta, float inverse_h) {
    float omega = 2 * CN_PI * turns, a1 = 2 * zeta + omega, a2 = omega * a1, a3 = 1 / (1 + a2);
    return (cn_softness){omega * omega * a3 * inverse_h, a3};
}

static void set_constants(cn_solver *s) {
    const cn_simulation *sim = s->sim;
    // A substep of the world has so many of these.
    float share = (float)s->batch->substeps;
    s->substeps = sim->substeps * s->batch->substeps;
    s->h = sim->step_seconds / (float)s->substeps;
    s->inverse_h = 1 / s->h;
    float rate = s->inverse_h, whole = s->h * share, firm = whole / sim->soft_substep;
    // At most twice: impacts do not grow.
    float last = sim->last_substep, warm = last > 0 ? cn_min(whole / last, 2) : 1;
    s->warm_scale = warm / share;
    s->store_scale = share;
    s->push_speed = sim->tuning.push_speed * cn_min(1, PUSH_SUBSTEPS * s->h);
    s->threshold = BOUNCES * sim->tuning.restitution_threshold;
    // Of contacts half the stiffness is the least, or stacks would sag after a long step. That of joints does not
    // follow a single step: what they give way by goes as its square, and a bridge would dance while steps change.
    float turns = cn_max(firm, 0.5f), mean = cn_min(whole / sim->mean_substep, FIRMEST);
    s->contact_softness = make_softness(turns * 3 / 16, 10, rate);
    s->static_softness = make_softness(turns * 1.4f * 3 / 16, 10, rate);
    s->joint_softness = make_softness(mean / 4, 0, rate);
}

void CN_WIDE(cn_solve_batch)(cn_simulation *sim, cn_batch *batch, size_t place, cn_worker *worker) {
    cn_arena arena = {sim->arena.memory, place, sim->arena.capacity};
    cn_solver s; // what a stage reads of it is written before, by that stage or by another
    s.sim = sim, s.batch = batch, s.worker = worker;
    const int all = batch->bodies.count;
    take_memory(&s, &arena);
    set_constants(&s);
    cn_share_bodies(&s, all, cn_load_bodies);
    if (!cn_load_relaxed(&batch->any_recovers)) s.recovers = NULL;
    cn_run_pass(&s, prepare);
    if (!cn_load_relaxed(&batch->any_pressed)) s.load_limits = NULL;
    if (s.load_limits) cn_distribute(worker, 1, 1, find_load_limits, &s);
    for (s.substep = 0; s.substep < s.substeps; s.substep++) {
        cn_share_bodies(&s, all, integrate_velocities);
        if (batch->extended) run_impacts(&s);
        run_solve(&s, false);
        if (batch->clamped) cn_share_bodies(&s, batch->body_count, cn_clamp_velocities);
        cn_share_bodies(&s, all, integrate_positions);
        run_solve(&s, true);
    }
    if (batch->clamped) cn_share_bodies(&s, batch->body_count, cn_clamp_velocities);
    cn_run_pass(&s, store);
    cn_share_bodies(&s, batch->body_count, finish);
}
