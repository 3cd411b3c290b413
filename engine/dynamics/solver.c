/* The solution of one batch: whole islands, in one piece of scratch memory that stays in cache.
 *
 *      states   v, d of every body; 0 is the static world     32 bytes a body
 *      free     unconstrained velocity                        16
 *      change   h/2 times its change in this substep          16
 *      drive    damping factor, added velocity                32
 *      blocks   the constraints, in colours                   92 bytes a contact
 *
 * A substep:
 *      velocity   v = damp v + h a, plus the warm start
 *      impact     what bounces within this substep
 *      solve      biased: pushes overlap apart
 *      position   d += h v
 *      relax      without bias, with friction
 *
 * Warm starting without a pass over the contacts: applying the accumulated impulses again is repeating
 * the change of velocity that the constraints made in the last substep, since lever arms are fixed during
 * the step. That is v - free, per body. In the first substep it is the sum of the stored impulses, which
 * prepare gathers in `free`.
 *
 * A body on which no constraint acted has v == free, bit for bit: for it the position takes half of the
 * free change back (the trapezoid rule), so free flight is exact.
 *
 * Compiled once per instruction set; contacts of a colour share no moving body, so the result does not
 * depend on the lanes, nor on which islands are in the batch.
 */
#include "joint_solver.h"

#include <math.h>

enum { MAX_IMPACT_SWEEPS = 8 };

typedef struct {
    cn_float4 damp, add; // v = damp * v + add; lane 3 keeps the inverse mass
} drive;

typedef struct {
    const cn_batch *batch;
    cn_simulation *sim;
    cn_state *states;
    cn_float4 *free, *change;
    drive *drives;
    block *blocks;
    extension *extensions; // beside the blocks; only if the batch has such contacts
    joint_block *joints;
    joint_rows *rows; // beside the joints; only if some have any
    int state_count;
    solver shared;
} task;

static bool is_joint(const cn_color *color) { return color->kind >= CN_KIND_POINT; }

// Blocks of a colour: overflow colours use one lane a block, couplings none.
static int blocks_of(const cn_color *color) {
    if (color->kind == CN_KIND_COUPLING) return 0;
    return color->single ? color->lane_count : color->lane_count / CN_LANES;
}

// Those of joints or of contacts.
static size_t count_blocks(const cn_batch *batch, bool joints) {
    int count = 0;
    for (int i = 0; i < batch->color_count; i++)
        if (is_joint(&batch->colors[i]) == joints) count += blocks_of(&batch->colors[i]);
    return (size_t)count;
}

static int count_states(const cn_batch *batch) {
    return batch->body_count + batch->carrier_count + 1;
}

// ---- memory

static size_t padded(size_t size) { return (size + 63) & ~(size_t)63; }

size_t CN_WIDE(cn_batch_bytes)(const cn_batch *batch) {
    size_t states = (size_t)count_states(batch);
    size_t blocks = count_blocks(batch, false), joints = count_blocks(batch, true);
    return padded(joints * sizeof(joint_block)) +
           padded(batch->rows ? joints * sizeof(joint_rows) : 0) +
           padded(states * sizeof(cn_state)) + 2 * padded(states * sizeof(cn_float4)) +
           padded(states * sizeof(drive)) + padded(blocks * sizeof(block)) +
           padded(batch->extended ? blocks * sizeof(extension) : 0);
}

static void *take(cn_arena *arena, size_t size) {
    char *piece = arena->memory + arena->used;
    arena->used += padded(size);
    assert(arena->used <= arena->capacity);
    return piece;
}

static void take_memory(task *t) {
    cn_arena *arena = &t->sim->arena;
    size_t states = (size_t)t->state_count;
    size_t blocks = count_blocks(t->batch, false), joints = count_blocks(t->batch, true);
    arena->used = 0;
    t->states = take(arena, states * sizeof(cn_state));
    t->free = take(arena, states * sizeof(cn_float4));
    t->change = take(arena, states * sizeof(cn_float4));
    t->drives = take(arena, states * sizeof(drive));
    t->blocks = take(arena, blocks * sizeof(block));
    t->joints = take(arena, joints * sizeof(joint_block));
    t->rows = t->batch->rows ? take(arena, joints * sizeof(joint_rows)) : NULL;
    t->extensions = t->batch->extended ? take(arena, blocks * sizeof(extension)) : NULL;
}

// ---- bodies in

static drive drive_of(const cn_simulation *sim, int body, float h) {
    const cn_body_hot *hot = &sim->hot[body];
    const cn_body_warm *warm = &sim->warm[body];
    float linear = 1 / (1 + h * hot->linear_damping), angular = 1 / (1 + h * hot->angular_damping);
    float gx = sim->gravity.x * hot->gravity_scale, gy = sim->gravity.y * hot->gravity_scale;
    float ax = gx + warm->force_x * hot->inverse_mass, ay = gy + warm->force_y * hot->inverse_mass;
    if (hot->flags & CN_BODY_LOCK_X) ax = 0;
    if (hot->flags & CN_BODY_LOCK_Y) ay = 0;
    return (drive){
        {linear, linear, angular, 1},
        {h * ax * linear, h * ay * linear, h * warm->torque * hot->inverse_inertia * angular, 0}};
}

static void load_body(task *t, int index, int body) {
    const cn_body_hot *hot = &t->sim->hot[body];
    bool dynamic = cn_is_dynamic(hot); // a carrier moves on by its velocity
    t->states[index] = (cn_state){{hot->vx, hot->vy, hot->w, hot->inverse_mass}, {0}};
    t->free[index] = (cn_float4){0, 0, 0, hot->inverse_inertia};
    t->drives[index] = dynamic ? drive_of(t->sim, body, t->shared.h) : (drive){{1, 1, 1, 1}, {0}};
}

static void load_bodies(task *t) {
    const int *bodies = t->batch->bodies;
    t->states[0] = (cn_state){0};
    t->free[0] = t->change[0] = (cn_float4){0};
    t->drives[0] = (drive){{1, 1, 1, 1}, {0}};
    for (int i = 1; i < t->state_count; i++) load_body(t, i, bodies[i - 1]);
}

// ---- velocities and positions

// First substep: `free` holds the warm start. The impulses' own rows are kept in lane 3.
static void start_velocities(task *t) {
    cn_float4 half = (cn_float4){0} + 0.5f * t->shared.h;
    for (int i = 1; i < t->state_count; i++) {
        cn_float4 *v = (cn_float4 *)t->states[i].v, warm = t->free[i];
        warm[3] = 0;
        cn_float4 free = t->drives[i].damp * *v + t->drives[i].add;
        t->change[i] = half * (free - *v);
        t->free[i] = free;
        *v = free + warm;
    }
}

static void integrate_velocities(task *t) {
    cn_float4 half = (cn_float4){0} + 0.5f * t->shared.h;
    for (int i = 1; i < t->state_count; i++) {
        cn_float4 *v = (cn_float4 *)t->states[i].v, warm = *v - t->free[i];
        cn_float4 free = t->drives[i].damp * *v + t->drives[i].add;
        t->change[i] = half * (free - *v);
        t->free[i] = free;
        *v = free + warm;
    }
}

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

// The free velocity changes by the same amount, or the warm start would fight the clamp.
static void clamp_velocities(task *t) {
    const int *bodies = t->batch->bodies;
    for (int i = 1; i <= t->batch->body_count; i++) {
        if (!(t->sim->hot[bodies[i - 1]].flags & CN_BODY_CLAMPED)) continue;
        cn_float4 *v = (cn_float4 *)t->states[i].v,
                  clamped = clamp_velocity(t->sim, bodies[i - 1], *v);
        t->free[i] += clamped - *v;
        for (int k = 0; k < 2; k++)
            if (clamped[k] != (*v)[k])
                t->change[i][k] = 0; // it moves at the clamped speed all the time
        *v = clamped;
    }
}

static void integrate_positions(task *t) {
    cn_float4 h = {t->shared.h, t->shared.h, t->shared.h, 0};
    for (int i = 1; i < t->state_count; i++) {
        cn_state *state = &t->states[i];
        cn_float4 *d = (cn_float4 *)state->d;
        *d += h * *(cn_float4 *)state->v;
        if (memcmp(state->v, &t->free[i], sizeof state->v) == 0) *d -= t->change[i];
    }
}

// ---- passes over the constraints

// The lanes of block k of a colour; those of an overflow colour are made in `alone`.
static const cn_lane *lanes_of(const task *t, const cn_color *color, int k, cn_lane *alone) {
    const cn_lane *first = &t->batch->lanes[color->first_lane];
    if (!color->single) return first + k * CN_LANES;
    alone[0] = first[k];
    return alone;
}

static void prepare_coupling(task *t, int joint) {
    cn_warm_coupling(t->sim, t->batch, t->states, joint, (float(*)[4])t->free,
                     t->shared.warm_scale);
}

static void prepare(task *t) {
    const cn_contact_record *records = t->sim->touching.records;
    const solver *s = &t->shared;
    block *c = t->blocks;
    joint_block *j = t->joints;
    for (int i = 0; i < t->batch->color_count; i++) {
        const cn_color *color = &t->batch->colors[i];
        for (int k = 0; color->kind == CN_KIND_COUPLING && k < color->lane_count; k++)
            prepare_coupling(t, t->batch->lanes[color->first_lane + k].slot);
        for (int k = 0; k < blocks_of(color); k++) {
            extension *e = t->extensions ? &t->extensions[c - t->blocks] : NULL;
            joint_rows *r = t->rows ? &t->rows[j - t->joints] : NULL;
            cn_lane alone[CN_LANES] = {0};
            const cn_lane *lanes = lanes_of(t, color, k, alone);
            switch (color->kind) {
            case CN_KIND_PLAIN:
                prepare_block(s, records, lanes, c++, e, CN_KIND_PLAIN, color->fixed);
                break;
            case CN_KIND_ONE_POINT:
                prepare_block(s, records, lanes, c++, e, CN_KIND_ONE_POINT, color->fixed);
                break;
            case CN_KIND_EXTENDED:
                prepare_block(s, records, lanes, c++, e, CN_KIND_EXTENDED, color->fixed);
                break;
            case CN_KIND_POINT: prepare_joint(s, t->sim, lanes, j++, r, CN_KIND_POINT); break;
            case CN_KIND_TURN: prepare_joint(s, t->sim, lanes, j++, r, CN_KIND_TURN); break;
            default: prepare_joint(s, t->sim, lanes, j++, r, CN_KIND_AXES); break;
            }
        }
    }
}

// A run of blocks of one colour. Everything but the data is a constant of the loop.
#define DEFINE_PASS(name, kind, relax, fixed)                                                      \
    static __attribute__((noinline)) void name(const solver *s, block *c, extension *e,            \
                                               int count) {                                        \
        pass_constants k = constants_of(s, fixed);                                                 \
        for (int i = 0; i < count; i++)                                                            \
            solve_block(s, &k, &c[i], (kind) == CN_KIND_EXTENDED ? &e[i] : NULL, kind, relax,      \
                        fixed);                                                                    \
    }
DEFINE_PASS(solve_plain, CN_KIND_PLAIN, false, false)
DEFINE_PASS(solve_plain_fixed, CN_KIND_PLAIN, false, true)
DEFINE_PASS(relax_plain, CN_KIND_PLAIN, true, false)
DEFINE_PASS(relax_plain_fixed, CN_KIND_PLAIN, true, true)
DEFINE_PASS(solve_one, CN_KIND_ONE_POINT, false, false)
DEFINE_PASS(solve_one_fixed, CN_KIND_ONE_POINT, false, true)
DEFINE_PASS(relax_one, CN_KIND_ONE_POINT, true, false)
DEFINE_PASS(relax_one_fixed, CN_KIND_ONE_POINT, true, true)
DEFINE_PASS(solve_extended, CN_KIND_EXTENDED, false, false)
DEFINE_PASS(solve_extended_fixed, CN_KIND_EXTENDED, false, true)
DEFINE_PASS(relax_extended, CN_KIND_EXTENDED, true, false)
DEFINE_PASS(relax_extended_fixed, CN_KIND_EXTENDED, true, true)

typedef void pass(const solver *s, block *c, extension *e, int count);
static pass *const passes[CN_KIND_POINT][2][2] = {
    // [kind][relax][fixed]
    {{solve_plain, solve_plain_fixed}, {relax_plain, relax_plain_fixed}},
    {{solve_one, solve_one_fixed}, {relax_one, relax_one_fixed}},
    {{solve_extended, solve_extended_fixed}, {relax_extended, relax_extended_fixed}},
};

#define DEFINE_JOINT_PASS(name, kind, relax)                                                       \
    static __attribute__((noinline)) void name(const solver *s, joint_block *c, joint_rows *r,     \
                                               int count) {                                        \
        for (int i = 0; i < count; i++)                                                            \
            solve_joint(s, &c[i], (kind) == CN_KIND_POINT ? NULL : &r[i], kind, relax);            \
    }
DEFINE_JOINT_PASS(solve_points, CN_KIND_POINT, false)
DEFINE_JOINT_PASS(relax_points, CN_KIND_POINT, true)
DEFINE_JOINT_PASS(solve_turns, CN_KIND_TURN, false)
DEFINE_JOINT_PASS(relax_turns, CN_KIND_TURN, true)
DEFINE_JOINT_PASS(solve_axes, CN_KIND_AXES, false)
DEFINE_JOINT_PASS(relax_axes, CN_KIND_AXES, true)

typedef void joint_pass(const solver *s, joint_block *c, joint_rows *r, int count);
static joint_pass *const joint_passes[3][2] = {
    {solve_points, relax_points}, {solve_turns, relax_turns}, {solve_axes, relax_axes}};

static void solve_couplings(task *t, const cn_color *color, bool relax) {
    const softness *soft = &t->shared.joint;
    cn_coupling_softness lock = {t->shared.h, soft->bias_rate, soft->mass_scale};
    for (int i = 0; i < color->lane_count; i++)
        cn_solve_coupling(t->sim, t->batch, t->states, t->batch->lanes[color->first_lane + i].slot,
                          &lock, relax, (float(*)[4])t->free);
}

// Couplings, joints, contacts; of each, colours with bodies on both sides first, then those with the static
// world: the last word counts.
static void run_pass(task *t, bool relax) {
    int blocks = 0, joints = 0;
    for (int i = 0; i < t->batch->color_count; i++) {
        const cn_color *color = &t->batch->colors[i];
        int count = blocks_of(color);
        if (color->kind == CN_KIND_COUPLING) {
            solve_couplings(t, color, relax);
        } else if (is_joint(color)) {
            joint_rows *r = t->rows ? t->rows + joints : NULL;
            joint_passes[color->kind - CN_KIND_POINT][relax](&t->shared, t->joints + joints, r,
                                                             count);
            joints += count;
        } else {
            extension *e = t->extensions ? t->extensions + blocks : NULL;
            passes[color->kind][relax][color->fixed](&t->shared, t->blocks + blocks, e, count);
            blocks += count;
        }
    }
}

static bool sweep_impacts(task *t) {
    int at = 0;
    bool any = false;
    for (int i = 0; i < t->batch->color_count; i++) {
        const cn_color *color = &t->batch->colors[i];
        if (is_joint(color)) continue;
        int count = blocks_of(color);
        for (int k = at; color->kind == CN_KIND_EXTENDED && k < at + count; k++)
            any |= color->fixed ? impact_block(&t->shared, &t->blocks[k], &t->extensions[k], true)
                                : impact_block(&t->shared, &t->blocks[k], &t->extensions[k], false);
        at += count;
    }
    return any;
}

// Until nothing approaches: this carries a shock through a row of bodies.
static void solve_impacts(task *t) {
    for (int i = 0; i < MAX_IMPACT_SWEEPS; i++)
        if (!sweep_impacts(t)) return;
}

// ---- results out

// Hits are a courtesy: if memory is short some are lost.
static void note_hit(cn_simulation *sim, int slot, float approach, float impulse) {
    const cn_contact_record *record = &sim->touching.records[slot];
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    if (!cn_grow(&sim->memory, &sim->hits, &sim->hit_capacity, sim->hit_count + 1)) return;
    const cn_body_hot *a = &sim->hot[sim->touching.bodies[slot].a];
    bool two = (record->meta >> CN_META_COUNT & 3) == 2;
    vec2s middle = cn_vec(0.5f * (record->p1x + record->p2x), 0.5f * (record->p1y + record->p2y));
    vec2s p = two ? middle : cn_vec(record->p1x, record->p1y);
    sim->hits[sim->hit_count++] = (cn_hit_note){.shape_a = anchor->shape_a,
                                                .shape_b = anchor->shape_b,
                                                .slot = slot,
                                                .approach_speed = approach,
                                                .impulse = impulse,
                                                .point = cn_vec(a->x + p.x, a->y + p.y),
                                                .normal = cn_vec(record->nx, record->ny)};
}

static void note_hits(task *t, const cn_lane *lanes, const extension *e, int lane_count) {
    for (int k = 0; k < lane_count; k++) {
        int slot = lanes[k].slot;
        if (!(t->sim->touching.records[slot].meta & CN_META_HITS)) continue;
        float approach = cn_lanew(e->approach, k), impulse = cn_lanew(e->total, k);
        if (approach > t->sim->tuning.hit_threshold && impulse > 0)
            note_hit(t->sim, slot, approach, impulse);
    }
}

static void store(task *t) {
    const block *c = t->blocks;
    const joint_block *j = t->joints;
    for (int i = 0; i < t->batch->color_count; i++) {
        const cn_color *color = &t->batch->colors[i];
        for (int k = 0; k < blocks_of(color); k++) {
            cn_lane alone[CN_LANES] = {0};
            const cn_lane *lanes = lanes_of(t, color, k, alone);
            if (is_joint(color)) {
                const joint_rows *r = t->rows ? &t->rows[j - t->joints] : NULL;
                store_joint(&t->shared, t->sim, lanes, j++, r, (cn_constraint_kind)color->kind);
                continue;
            }
            store_block(t->sim->touching.records, lanes, c);
            if (color->kind == CN_KIND_EXTENDED)
                note_hits(t, lanes, &t->extensions[c - t->blocks], color->single ? 1 : CN_LANES);
            c++;
        }
    }
}

// ---- the batch

static solver shared_of(const task *t, int substeps) {
    const cn_simulation *sim = t->sim;
    float h = sim->step_seconds / (float)substeps, rate = 1 / h;
    return (solver){
        .states = (char *)t->states,
        .free = (char *)t->free,
        .change = (const char *)t->change,
        .h = h,
        .inverse_h = rate,
        .warm_scale =
            sim->last_substep > 0 ? cn_min(h / sim->last_substep, 2) : 1, // impacts do not grow
        .push_speed = sim->tuning.push_speed,
        .threshold = sim->tuning.restitution_threshold,
        .normal = make_softness(3.0f / 16, 10, rate),
        .uneven = make_softness(1.0f / 8, 10, rate),
        .fixed = make_softness(1.4f * 3 / 16, 10, rate),
        .joint = make_softness(1.0f / 4, 0, rate),
    };
}

void CN_WIDE(cn_solve_batch)(cn_simulation *sim, const cn_batch *batch) {
    task t = {.batch = batch, .sim = sim, .state_count = count_states(batch)};
    take_memory(&t);
    t.shared = shared_of(&t, sim->substeps);
    load_bodies(&t);
    prepare(&t);
    for (int substep = 0; substep < sim->substeps; substep++) {
        if (substep == 0)
            start_velocities(&t);
        else
            integrate_velocities(&t);
        if (batch->extended) solve_impacts(&t);
        run_pass(&t, false);
        if (batch->clamped) clamp_velocities(&t);
        integrate_positions(&t);
        run_pass(&t, true);
    }
    if (batch->clamped) clamp_velocities(&t);
    store(&t);
    cn_finish_batch(sim, batch, t.states);
}
