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
 * Warm starting without a pass over the contacts: applying the accumulated impulses again is repeating
 * the change of velocity that the constraints made in the last substep, since lever arms are fixed during
 * the step. That is v - free, per body. In the first substep it is the sum of the stored impulses, which
 * prepare gathers in `free`.
 *
 * A body on which no constraint acted has v == free, bit for bit: for it the position takes half of the
 * free change back (the trapezoid rule), so free flight is exact.
 *
 * Compiled once per instruction set; contacts of a colour share no moving body, so the result does not
 * depend on the lanes, nor on which islands are in the batch, nor on who solves it: a worker alone, or
 * several together. Then what is below is run by all of them, and bodies and colours are shared.
 */
#include "contact_impact.h"
#include "contact_limits.h"
#include "coupling.h"
#include "joint_solver.h"

#include <math.h>

enum {
    LEAST_SHARED = 16, // a colour of fewer is done by one worker
    KINDS = 3,         // of contacts, or of joints, in one colour
    LOADS = 4, // times its weight may be on a contact of an island, by levers and as it speeds up
};

typedef struct drive {
    cn_float4 damp, add; // v = damp * v + add; lane 3 keeps the inverse mass
} drive;

// ---- memory

static void take_memory(solver *s, cn_arena *arena) {
    int states = s->batch->bodies.count + 1 + KINDS, joints = s->batch->joint_blocks;
    int blocks = s->batch->lanes.count / CN_LANES - joints;
    s->states = cn_take(arena, states, sizeof(cn_state));
    s->free = cn_take(arena, states, sizeof(cn_state));
    s->drives = cn_take(arena, states, sizeof(drive));
    s->calm = cn_take(arena, states, 1);
    s->loads = cn_take(arena, states, sizeof(float));
    s->joints = cn_take(arena, joints, sizeof(joint_block));
    s->rows = s->batch->rows ? cn_take(arena, joints, sizeof(joint_rows)) : NULL;
    s->blocks = cn_take(arena, blocks, sizeof(block));
    s->gentle = cn_take(arena, blocks, sizeof(bool));
    s->extensions = s->batch->extended ? cn_take(arena, blocks, sizeof(extension)) : NULL;
    s->hits = s->batch->hits ? cn_take(arena, blocks, sizeof(hit_row)) : NULL;
}

// Where the unused lanes of a kind are led: blocks of one colour are solved at the same time, and may not
// write what others use.
static int unused_state(const cn_batch *batch, cn_constraint_kind kind) {
    return batch->bodies.count + 1 + (int)kind % KINDS;
}

size_t CN_WIDE(cn_batch_bytes)(cn_batch *batch) {
    solver s = {.batch = batch};
    cn_arena counter = {0};
    take_memory(&s, &counter);
    return counter.used;
}

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
        if (sim->joints[i].kind != CN_KIND_NONE) return true;
    return false;
}

static drive drive_of(const cn_simulation *sim, int body, float inverse_inertia, float h) {
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
    return (drive){{linear.end, linear.end, angular.end, 1},
                   {h * ax * linear.mean, h * ay * linear.mean,
                    h * warm->torque * inverse_inertia * angular.mean, 0}};
}

// See mark_pulled(): the inertia is no less than what such springs move stably.
static float inverse_inertia(const solver *s, int body) {
    const cn_simulation *sim = s->sim;
    float inverse = sim->hot[body].inverse_inertia, pull = 0;
    if (!(sim->hot[body].flags & CN_BODY_PULLED)) return inverse;
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        const cn_joint_record *r = &sim->joint_records[i];
        vec2s lock = cn_vec(r->state.lock[0], r->state.lock[1]);
        pull += glms_vec2_norm(r->arms[r->bodies[1] == body]) * glms_vec2_norm(lock);
    }
    pull *= s->h * s->warm_scale;
    return pull * inverse > 1 ? 1 / pull : inverse;
}

static void load_body(solver *s, int index, int body) {
    cn_body_hot *hot = &s->sim->hot[body];
    bool dynamic = cn_is_dynamic(hot); // a carrier moves on by its velocity
    s->loads[index] = FLT_MAX;
    s->calm[index] = dynamic && hot->flags & CN_BODY_DEEP;
    if (s->calm[index]) {
        hot->flags &= ~(uint32_t)CN_BODY_DEEP;
        cn_put_sign(&s->batch->deep, true);
    }
    cn_float4 v = *(const cn_float4 *)&hot->vx; // and w, inverse mass
    s->states[index] = (cn_state){v, {0, 0, 0, v[3]}};
    float inverse = inverse_inertia(s, body);
    s->free[index].v = (cn_float4){0, 0, 0, inverse};
    // Others may share what is kinematic.
    if (dynamic) hot->flags &= ~(uint32_t)(CN_BODY_PULLED | CN_BODY_UNBOUND);
    s->drives[index] = dynamic ? drive_of(s->sim, body, inverse, s->h) : (drive){{1, 1, 1, 1}, {0}};
}

static void clear_state(solver *s, int index) {
    s->states[index] = s->free[index] = (cn_state){0};
    s->calm[index] = 0;
    s->loads[index] = FLT_MAX;
}

// Body i has state i + 1.
static void load_bodies(void *context, int first, int end) {
    solver *s = context;
    const int *bodies = s->batch->bodies.items;
    for (int i = first; i < end; i++) load_body(s, i + 1, bodies[i]);
    if (first > 0) return;
    clear_state(s, 0);
    for (int kind = 0; kind < KINDS; kind++)
        clear_state(s, unused_state(s->batch, (cn_constraint_kind)kind));
    for (int i = 0; i < s->batch->bounced.count; i++)
        cn_put_sign(&s->batch->bounced.items[i], false);
}

// ---- velocities and positions

// v = damp v + h a plus the warm start: what the constraints changed in the last substep. In the first
// one `free` holds it, with another number in lane 3.
static void integrate_velocities(void *context, int first, int end) {
    const solver *s = context;
    cn_state *states = s->states, *free = s->free;
    cn_float4 half = (cn_float4){0} + 0.5f * s->h;
    const drive *drives = s->drives;
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
static void clamp_velocities(void *context, int first, int end) {
    solver *s = context;
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

// Who is stopped, or hit, in a substep has had a shock: constraints changed its velocity by this share of the
// threshold of restitution, and by so many times what its weight and other forces did.
#define SHOCK_SHARE   0.4f
#define SHOCK_WEIGHTS 5

static void integrate_positions(void *context, int first, int end) {
    const solver *s = context;
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
        if (hit[0] + hit[1] > square) (*d)[3] = -v[3];
        if (memcmp(&states[i].v, &free[i].v, sizeof v) == 0) *d -= free[i].d;
    }
}

// ---- passes over the constraints

static joint_rows *rows_of(const solver *s, int index) { return s->rows ? &s->rows[index] : NULL; }

static block *contact_of(const solver *s, int index) {
    return &s->blocks[index - s->batch->joint_blocks];
}

static extension *extension_of(const solver *s, int index) {
    return s->extensions ? &s->extensions[index - s->batch->joint_blocks] : NULL;
}

static hit_row *hit_of(const solver *s, int index) {
    return s->hits ? &s->hits[index - s->batch->joint_blocks] : NULL;
}

// Bodies on a carrier, or deep in the ground.
static void note_pressed(solver *s, const cn_lane *lanes, const block *c, cn_constraint_kind kind) {
    cn_floatw gap = kind == CN_KIND_ONE_POINT ? c->c1 : cn_minw(c->c1, c->c2);
    int deep = cn_mask_bitsw(gap < cn_splatw(-CN_DEEP_SLOPS * s->sim->tuning.slop));
    for (int i = 0; i < CN_LANES; i++) {
        bool wedged =
            deep >> i & 1 && -gap[i] > cn_deep(s->sim, s->batch->bodies.items[lanes[i].b - 1]);
        if (!lanes[i].a && !wedged) continue;
        s->loads[lanes[i].b] = 0;
        cn_put_sign(&s->batch->pressed, true);
    }
}

// The records of contacts are all over the memory: those of the next block are sent for.
static void fetch_records(const solver *s, int next) {
    const cn_lane *lane = lanes_of(s, next), *end = s->batch->lanes.items + s->batch->lanes.count;
    for (int i = 0; i < CN_LANES && lane < end; i++, lane++)
        __builtin_prefetch(&s->sim->touching.records[lane->slot], 1);
}

static void prepare_one(solver *s, const cn_color *color, int k) {
    const cn_lane *lanes = lanes_of(s, k);
    if (color->kind < CN_KIND_POINT) fetch_records(s, k + 1);
    if (color->kind == CN_KIND_COUPLING)
        prepare_coupling(s, lanes->slot);
    else if (color->kind >= CN_KIND_POINT)
        prepare_joint(s, lanes, &s->joints[k], rows_of(s, k), color->kind,
                      unused_state(s->batch, color->kind));
    else
        prepare_block(s, lanes, contact_of(s, k), extension_of(s, k), hit_of(s, k), color->kind,
                      color->fixed, unused_state(s->batch, color->kind));
    if (color->kind >= CN_KIND_POINT) return;
    if (color->fixed) note_pressed(s, lanes, contact_of(s, k), color->kind);
    if (s->calm)
        s->gentle[k - s->batch->joint_blocks] = calm_block(s, contact_of(s, k), color->fixed);
}

static void prepare(solver *s, const cn_color *color, int first, int end) {
    for (int k = first; k < end; k++) prepare_one(s, color, k);
}

// Those of islands that are pressed: LOADS times the impulse of weight and forces in a substep. By one
// worker, of all of them.
static void find_loads(void *context, int first, int end) {
    solver *s = context;
    const int *counts = s->batch->islands.items;
    for (int i = 0, body = 1; first < end && i < s->batch->islands.count; body += counts[i++]) {
        float load = 0, least = FLT_MAX;
        for (int k = body; k < body + counts[i]; k++) {
            cn_float4 add = s->drives[k].add;
            least = cn_min(least, s->loads[k]);
            load += sqrtf(add[0] * add[0] + add[1] * add[1]) /
                    cn_max(s->states[k].v[3], FLT_MIN); // pinned: no weight
        }
        for (int k = body; k < body + counts[i] && least == 0; k++) s->loads[k] = LOADS * load;
    }
}

// Blocks first..end - 1, of one colour. Everything but the data is a constant of the loop.
typedef void pass(const solver *s, int first, int end);
#define DEFINE_PASS(kind, relax, fixed)                                                            \
    static void pass_##kind##_##relax##_##fixed(const solver *s, int first, int end) {             \
        pass_constants k = constants_of(s, fixed);                                                 \
        for (block *c = contact_of(s, first); first < end; first++, c++)                           \
            solve_block(s, &k, c, (kind) == CN_KIND_EXTENDED ? extension_of(s, first) : NULL,      \
                        (relax) ? hit_of(s, first) : NULL, kind, relax, fixed);                    \
    }
#define DEFINE_PASSES(kind)                                                                        \
    DEFINE_PASS(kind, 0, 0) DEFINE_PASS(kind, 0, 1) DEFINE_PASS(kind, 1, 0) DEFINE_PASS(kind, 1, 1)
#define PASSES_OF(kind)                                                                            \
    {                                                                                              \
        {pass_##kind##_0_0, pass_##kind##_0_1}, { pass_##kind##_1_0, pass_##kind##_1_1 }           \
    }
DEFINE_PASSES(CN_KIND_PLAIN)
DEFINE_PASSES(CN_KIND_ONE_POINT)
DEFINE_PASSES(CN_KIND_EXTENDED)
static pass *const passes[CN_KIND_POINT][2][2] = { // [kind][relax][fixed]
    PASSES_OF(CN_KIND_PLAIN), PASSES_OF(CN_KIND_ONE_POINT), PASSES_OF(CN_KIND_EXTENDED)};

// In two loops, since what carries a block on does not wait for the velocities of the last.
#define DEFINE_JOINT_PASS(kind, relax)                                                             \
    static void joints_##kind##_##relax(const solver *s, int first, int end) {                     \
        joint_block *c = &s->joints[first];                                                        \
        joint_rows *r = (kind) == CN_KIND_POINT ? NULL : &s->rows[first];                          \
        for (int i = 0; (relax) && s->sweep == 0 && i < end - first; i++)                          \
            follow_bodies(s, &c[i], r ? &r[i] : NULL, kind);                                       \
        for (int i = 0; i < end - first; i++)                                                      \
            solve_joint(s, &c[i], r ? &r[i] : NULL, kind, relax);                                  \
    }
#define DEFINE_JOINT_PASSES(kind) DEFINE_JOINT_PASS(kind, 0) DEFINE_JOINT_PASS(kind, 1)
DEFINE_JOINT_PASSES(CN_KIND_POINT)
DEFINE_JOINT_PASSES(CN_KIND_TURN)
DEFINE_JOINT_PASSES(CN_KIND_AXES)
static pass *const joint_passes[][2] = {
    {joints_CN_KIND_POINT_0, joints_CN_KIND_POINT_1},
    {joints_CN_KIND_TURN_0, joints_CN_KIND_TURN_1},
    {joints_CN_KIND_AXES_0, joints_CN_KIND_AXES_1},
};

// Relax finds the separations, also of bodies that are deep in each other or between walls: then one block after
// the other, while it is in cache.
static __attribute__((noinline)) void relax_gently(solver *s, cn_color color, int k, int end) {
    for (; k < end; k++) {
        block *c = contact_of(s, k);
        bool gentle = s->calm && s->gentle[c - s->blocks];
        if (gentle) part_block(s, c, extension_of(s, k), color.kind, color.fixed);
        passes[color.kind][true][color.fixed](s, k, k + 1);
        if (gentle) calm_block(s, c, color.fixed);
        if (s->loads) limit_block(s, c, color.kind, color.fixed);
    }
}

static void solve(solver *s, const cn_color *color, int first, int end) {
    if (color->kind == CN_KIND_COUPLING)
        for (int k = first; k < end; k++) solve_coupling(s, lanes_of(s, k)->slot);
    else if (color->kind >= CN_KIND_POINT)
        joint_passes[color->kind - CN_KIND_POINT][s->relax](s, first, end);
    else if (s->sweep < s->batch->sweeps - 1)
        return; // a small colour, in one stage with the last of the joints
    else if (s->relax && (s->calm || s->loads))
        relax_gently(s, *color, first, end);
    else
        passes[color->kind][s->relax][color->fixed](s, first, end);
}

static void bounce(solver *s, const cn_color *color, int first, int end) {
    if (color->kind != CN_KIND_EXTENDED) return;
    bool any = false;
    for (int k = first; k < end; k++)
        any |= impact_block(s, contact_of(s, k), extension_of(s, k), hit_of(s, k), s->sweep,
                            color->fixed);
    if (any) cn_put_sign(&s->batch->bounced.items[s->substep * CN_IMPACT_SWEEPS + s->sweep], true);
}

static void rub(solver *s, const cn_color *color, int first, int end) {
    for (int k = first; k < end && color->kind == CN_KIND_EXTENDED; k++)
        rub_block(s, contact_of(s, k), extension_of(s, k), color->fixed);
}

// ---- results out

// Hits are a courtesy: if memory is short some are lost.
static void note_hit(solver *s, const cn_lane *lane, float approach, float share, float impulse) {
    cn_simulation *sim = s->sim;
    const cn_contact_record *r = &sim->touching.records[lane->slot];
    cn_touch_note note = cn_note_of(sim, lane->slot, share);
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
static void note_hits(solver *s, int index) {
    const hit_row *hit = hit_of(s, index);
    cn_floatw v1 = cn_keepw((hit->l1 > 0) & (hit->v1 > 0), hit->v1);
    cn_floatw v2 = cn_keepw((hit->l2 > 0) & (hit->v2 > 0), hit->v2), approach = cn_maxw(v1, v2);
    cn_floatw share = v2 / (v1 + v2), impulse = hit->l1 + hit->l2;
    CN_EACH_LANE(k, cn_mask_bitsw(approach > s->sim->tuning.hit_threshold)) {
        const cn_lane *lane = &lanes_of(s, index)[k];
        if (s->sim->touching.records[lane->slot].meta & CN_META_HITS)
            note_hit(s, lane, approach[k], share[k], impulse[k]);
    }
}

// Those that still are are parted in the next step, too.
static void note_deep(solver *s, int index) {
    for (int k = 0; k < CN_LANES; k++) {
        const cn_lane *lane = &lanes_of(s, index)[k];
        if (!s->calm[lane->a] && !s->calm[lane->b]) continue;
        if (!cn_is_deep(s->sim, lane->slot, s->sim->tuning.slop)) continue;
        const int *bodies = s->batch->bodies.items;
        if (s->calm[lane->a]) s->sim->hot[bodies[lane->a - 1]].flags |= CN_BODY_DEEP;
        if (s->calm[lane->b]) s->sim->hot[bodies[lane->b - 1]].flags |= CN_BODY_DEEP;
    }
}

static void watch_joints(solver *s, const cn_lane *lanes) {
    float h = s->h * s->store_scale;
    for (int k = 0; k < CN_LANES && is_used(&lanes[k]); k++)
        cn_joint_watch(s->sim, lanes[k].slot, &s->states[lanes[k].a], &s->states[lanes[k].b], h);
}

static void store_one(solver *s, const cn_color *color, int k) {
    if (color->kind == CN_KIND_COUPLING) {
        s->sim->joints[lanes_of(s, k)->slot].coupling.impulse *= s->store_scale;
    } else if (color->kind >= CN_KIND_POINT) {
        store_joint(s, lanes_of(s, k), &s->joints[k], rows_of(s, k), color->kind);
    } else {
        fetch_records(s, k + 1);
        store_block(s, lanes_of(s, k), contact_of(s, k),
                    color->kind == CN_KIND_EXTENDED ? extension_of(s, k) : NULL);
        if (s->hits) note_hits(s, k);
        if (s->calm) note_deep(s, k);
    }
    if (color->kind >= CN_KIND_POINT && s->batch->watched) watch_joints(s, lanes_of(s, k));
}

static void store(solver *s, const cn_color *color, int first, int end) {
    for (int k = first; k < end; k++) store_one(s, color, k);
}

static void finish(void *context, int first, int end) {
    solver *s = context;
    CN_WIDE(cn_finish_bodies)
    (s->sim, s->batch->bodies.items + first, end - first, s->states + first + 1,
     s->free + first + 1);
}

// ---- stages

static void share_bodies(solver *s, int count, cn_part *part) {
    cn_share(s->worker, count, 0, part, s);
}

// Blocks first..end - 1 of the stage, colour by colour.
static void pass_blocks(void *context, int first, int end) {
    solver *s = context;
    first += s->block, end += s->block;
    for (const cn_color *color = &s->batch->colors.items[s->color]; first < end; color++) {
        int last = cn_min_int(end, color->end_block);
        if (first >= last) continue;
        s->pass(s, color, first, last);
        first = last;
    }
}

// Colours that can be passed at once: one, in all its kinds.
static int end_of_color(const cn_batch *batch, int i) {
    const cn_color *colors = batch->colors.items;
    int end = i + 1;
    while (end < batch->colors.count && colors[end].number == colors[i].number) end++;
    return end;
}

static bool is_shared(const cn_batch *batch, int i, int end) {
    const cn_color *colors = batch->colors.items;
    int count = colors[end - 1].end_block - colors[i].first_block;
    return !colors[i].in_order && count >= LEAST_SHARED;
}

typedef struct {
    int end; // colour
    bool shared;
} stage;

// That begins with colour i: one that is worth sharing, or small ones in a row.
static stage stage_at(const cn_batch *batch, int i) {
    stage s = {end_of_color(batch, i), false};
    s.shared = is_shared(batch, i, s.end);
    while (!s.shared && s.end < batch->colors.count) {
        int next = end_of_color(batch, s.end);
        if (is_shared(batch, s.end, next)) break;
        s.end = next;
    }
    return s;
}

// By several workers, stage by stage.
static __attribute__((noinline)) void share_pass(solver *s, pass_function *what, int end) {
    const cn_batch *batch = s->batch;
    const cn_color *colors = batch->colors.items;
    stage now;
    s->pass = what;
    for (s->color = 0; s->color < batch->colors.count; s->color = now.end) {
        if (colors[s->color].first_block >= end) return;
        now = stage_at(batch, s->color);
        s->block = colors[s->color].first_block;
        int count = colors[now.end - 1].end_block - s->block;
        cn_share(s->worker, count, now.shared ? 0 : count, pass_blocks, s);
    }
}

// The constraints before block `end`. Couplings, joints, contacts; of each first the colours with bodies on both
// sides, then those with the static world: the last word counts.
CN_INLINE void run_blocks(solver *s, pass_function *what, int end) {
    const cn_color *colors = s->batch->colors.items;
    if (s->worker->job)
        share_pass(s, what, end);
    else
        for (int i = 0; i < s->batch->colors.count && colors[i].first_block < end; i++)
            what(s, &colors[i], colors[i].first_block, colors[i].end_block);
}

CN_INLINE void run_pass(solver *s, pass_function *what) { run_blocks(s, what, INT32_MAX); }

// Joints by themselves, from the last colour to the first.
static void run_joints_back(solver *s) {
    const cn_color *colors = s->batch->colors.items;
    int i = s->batch->colors.count;
    while (i > 0 && colors[i - 1].first_block >= s->batch->joint_blocks) i--;
    s->pass = solve;
    while (i-- > 0) {
        s->color = i, s->block = colors[i].first_block;
        int count = colors[i].end_block - s->block;
        cn_share(s->worker, count, is_shared(s->batch, i, i + 1) ? 0 : count, pass_blocks, s);
    }
}

// Joints by themselves, and then all. What one order of the joints favours the other takes back: else brakes in
// a row, on nothing that stands, would drive each other.
static void run_solve(solver *s, bool relax) {
    s->relax = relax;
    for (s->sweep = 0; s->sweep < s->batch->sweeps - 1; s->sweep++)
        if (relax)
            run_joints_back(s);
        else
            run_blocks(s, solve, s->batch->joint_blocks);
    run_pass(s, solve);
}

// Until nothing approaches: this carries a shock through a row of bodies.
static void run_impacts(solver *s) {
    atomic_bool *bounced = &s->batch->bounced.items[s->substep * CN_IMPACT_SWEEPS];
    for (s->sweep = 0; s->sweep < CN_IMPACT_SWEEPS; s->sweep++) {
        run_pass(s, bounce);
        if (!cn_get_sign(&bounced[s->sweep])) return;
        run_pass(s, rub);
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

static void set_constants(solver *s) {
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
    s->normal = make_softness(turns * 3 / 16, 10, rate);
    s->fixed = make_softness(turns * 1.4f * 3 / 16, 10, rate);
    s->joint = make_softness(mean / 4, 0, rate);
}

void CN_WIDE(cn_solve_batch)(cn_simulation *sim, cn_batch *batch, size_t place, cn_worker *worker) {
    cn_arena arena = {sim->arena.memory, place, sim->arena.capacity};
    solver s; // what a stage reads of it is written before, by that stage or by another
    s.sim = sim, s.batch = batch, s.worker = worker;
    const int all = batch->bodies.count;
    take_memory(&s, &arena);
    set_constants(&s);
    share_bodies(&s, all, load_bodies);
    if (!cn_get_sign(&batch->deep)) s.calm = NULL;
    run_pass(&s, prepare);
    if (!cn_get_sign(&batch->pressed)) s.loads = NULL;
    if (s.loads) cn_share(worker, 1, 1, find_loads, &s);
    for (s.substep = 0; s.substep < s.substeps; s.substep++) {
        share_bodies(&s, all, integrate_velocities);
        if (batch->extended) run_impacts(&s);
        run_solve(&s, false);
        if (batch->clamped) share_bodies(&s, batch->body_count, clamp_velocities);
        share_bodies(&s, all, integrate_positions);
        run_solve(&s, true);
    }
    if (batch->clamped) share_bodies(&s, batch->body_count, clamp_velocities);
    run_pass(&s, store);
    share_bodies(&s, batch->body_count, finish);
}
