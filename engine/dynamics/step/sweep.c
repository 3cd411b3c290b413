/* Continuous collision: what moved far in this step is followed from where it was to where it is.
 *
 * The solver moves bodies by the whole step at once. What moved by no more than its inner radius (the
 * largest circle about its middle that fits into it) is still on the right side of whatever it ran
 * into. What moved farther may be past it. So the finish notes every such body, and here each is
 * swept against all that its way crosses, which is on its own way over the same time:
 *
 *      far apart at the start    hit if it gets deep into the other: three quarters of its inner
 *                                radius, or of a quarter of it if it was slow until it was struck
 *                                and the other is static. It is put back to where it came within a
 *                                small gap: the next step sees a contact about to close, with the
 *                                full approach speed.
 *      near each other           they were a contact already, so the solver has seen it, and what
 *                                slides along a floor shall go on: hit only if it gets deeper than
 *                                that (and than it was), and put back to there.
 *
 * Grazes are left to the contacts of the next step. A body that was put back keeps its velocity, but
 * has not yet done or used the work of gravity on the rest of its way: a bounce loses time, not energy.
 *
 * This is for first hits of what flies; the inside of a pile is the contact solver's. So two bodies that
 * both were held in this step (a constraint changed their velocity) must have passed farther to count, and
 * two parts of one chain or doll that are held do not count at all.
 *
 * In a landslide all are fast and yet hardly move against each other. So the leaf blocks of the tree, eight
 * neighbours each, tell the range of their motions, and a block looks about only where one moved otherwise
 * than itself, by more than both inner radii. The tree has the boxes of the ends of the ways: to find whom
 * it may have met, a box is extended by their motions as seen from it. Then its bodies do the same, each by
 * itself. What is moved by hand is in no range and looks for itself. Of what is found most is put aside by
 * circles.
 *
 * What is moved by hand does not stop either: a wall or a bat would pass whom it hit, in the rest of the step.
 * So the body goes along with it, and its way is a straight one to where that takes it. Seen from a fast
 * kinematic body all are fast, so those at rest are followed, too. Of a grid of tiles also those count that
 * are no shapes yet.
 *
 * What flies, or only hangs on joints, also looks ahead: if there is ground where it may be in the next step its
 * box is extended to there (body.c), and the contact, known from the start, is solved as an impact at its time
 * (contact_kernel.c). So it lands on the ground, not in it. What slides or rolls does not, or it would run into
 * seams. What was slow and is struck, so that a quarter of that way lies before it, had no such contact: it looks
 * ahead, too, and is swept once it went so far.
 *
 * What stops changes what others meet, so those that were just stopped look who ran into them, a few
 * times: of two that rush at each other both stop. A pair is tested for both at once. All have been asked
 * before any is stopped, and of all hits the earliest counts: results depend on neither order, lanes,
 * batches nor trees. */
#define CN_LANES 4
#include "../../collision/tree.h"
#include "sweep.h"

enum { MAX_ROUNDS = 4 };

static int round_of(const cn_motion *m) { return (int)(m->sweep >> CN_SWEEP_ROUND) - 1; }

static void set_round(cn_motion *m, int round) {
    m->sweep = (m->sweep & ((1u << CN_SWEEP_ROUND) - 1)) | (uint32_t)(round + 1) << CN_SWEEP_ROUND;
}

// ---- the crowd

enum { BLOCK = 8 };

// Of the motions of some bodies.
typedef struct {
    vec2s low, high;
    float spin, reach; // greatest way by turning: beyond the inner radius; of any point
    float least;       // smallest inner radius
} range;

// All that are fast, by leaf blocks of the tree: eight shapes that are neighbours.
typedef struct {
    cn_simulation *sim;
    bool any_fast;
    cn_bounds carriers; // all shapes of kinematic bodies
    range everything;   // of all bodies
    range slow;         // of what is not fast
    uint64_t *bits;     // by leaf block: are any of its shapes of the crowd?
    int *places;        // by leaf block: if so, where it is among those
    int *blocks, count; // with bits,
    range *ranges;      // and of the crowd and what is not fast in each of them
    int round;          // those stopped in that round look about
} crowd;

static const range no_range = {{{FLT_MAX, FLT_MAX}}, {{-FLT_MAX, -FLT_MAX}}, .least = FLT_MAX};
static const range at_rest = {.least = 0};

static void widen(range *r, range by) {
    r->low = cn_min2(r->low, by.low), r->high = cn_max2(r->high, by.high);
    r->spin = cn_max(r->spin, by.spin), r->reach = cn_max(r->reach, by.reach);
    r->least = cn_min(r->least, by.least);
}

static range range_of(const cn_simulation *sim, int body) {
    const cn_motion m = cn_motion_of(sim, body);
    float reach = cn_min(cn_abs(m.angle), 2) * sim->warm[body].extent;
    return (range){{{m.x, m.y}}, {{m.x, m.y}}, cn_spin_of(&m), reach, m.ccd_threshold};
}

static void add_body(crowd *c, int body) {
    const cn_simulation *sim = c->sim;
    bool kinematic = !cn_is_dynamic(&sim->hot[body]);
    if (cn_is_fast(sim, body) || cn_is_moving_kinematic(&sim->hot[body])) {
        widen(&c->everything, range_of(sim, body));
        c->any_fast |= !kinematic;
    }
    for (int i = sim->warm[body].first_shape; i >= 0 && !kinematic; i = sim->shapes[i].next)
        if (cn_tree_has(&sim->moving_tree, i)) cn_set_bit(c->bits, sim->moving_tree.slots[i] / BLOCK);
}

// A pair search took more memory, now or when the tree last changed: 128 bytes a block, and some.
static void gather(crowd *c) {
    const cn_simulation *sim = c->sim;
    cn_arena arena = {sim->arena.memory, 0, sim->arena.capacity};
    int blocks = cn_tree_blocks(&sim->moving_tree, 0), words = (blocks + 63) / 64;
    float slow = sim->slow_displacement;
    c->bits = cn_take(&arena, words, sizeof *c->bits);
    c->places = cn_take(&arena, blocks, sizeof *c->places);
    c->blocks = cn_take(&arena, blocks, sizeof *c->blocks);
    c->ranges = cn_take(&arena, blocks, sizeof *c->ranges);
    memset(c->bits, 0, (size_t)words * sizeof *c->bits);
    c->slow = (range){{{-slow, -slow}}, {{slow, slow}}, slow, slow, sim->least_ccd_threshold};
    c->everything = c->slow;
    c->carriers = (cn_bounds){no_range.low, no_range.high};
    for (int i = 0; i < sim->fast_count; i++) add_body(c, sim->fast[i]);
    for (int i = 0; i < sim->kinematics.count; i++) {
        add_body(c, sim->kinematics.items[i]);
        CN_EACH_SHAPE(k, sim, sim->kinematics.items[i])
        c->carriers = cn_box_union(c->carriers, cn_tree_box(&sim->moving_tree, k));
    }
    CN_EACH_BIT(block, c->bits, blocks) {
        c->places[block] = c->count;
        c->blocks[c->count++] = block;
    }
}

static range range_in(const crowd *c, int block) {
    const cn_simulation *sim = c->sim;
    range r = no_range;
    for (int slot = BLOCK * block; slot < BLOCK * (block + 1); slot++) {
        int body = sim->moving_tree.ids[slot] < 0 ? -1 : sim->links[sim->moving_tree.ids[slot]].body;
        if (body < 0 || cn_is_moving_kinematic(&sim->hot[body])) continue;
        widen(&r, range_of(sim, body));
    }
    return r;
}

static void find_ranges(void *context, int first, int end) {
    const crowd *c = context;
    for (int i = first; i < end; i++) c->ranges[i] = range_in(c, c->blocks[i]);
}

// ---- who may have met whom

// May some of both have passed each other?
static bool may_pass(const range *a, const range *b, float share) {
    vec2s most = cn_max2(glms_vec2_sub(a->high, b->low), glms_vec2_sub(b->high, a->low));
    float least = 0.999f * share * (a->least + b->least) - a->spin - b->spin;
    return least < 0 || glms_vec2_dot(most, most) > least * least;
}

// Of both inner radii: it must have passed another by that much.
static float share_of(const cn_simulation *sim, int body) {
    return sim->motions[body].sweep & CN_SWEEP_FREE_FLIGHT ? 1 : CN_HELD_SHARE;
}

/* Where the ends of the ways of those lie whom something in the box may have met, if they moved like that.
 * With motion n, seen from the end of its own motion m that stops at u, they are at s (n - m) before it
 * stops, s from 0 to 1; after that or if they stop, too, at s n - (1 - u) m. */
static cn_bounds meeting_bounds(cn_bounds box, const range *own, float until, const range *r) {
    vec2s low = glms_vec2_scale(own->low, until - 1), high = low, zero = cn_vec(0, 0);
    float turn = own->reach + r->reach;
    if (until < 1) {
        low = glms_vec2_add(low, cn_min2(r->low, zero));
        high = glms_vec2_add(high, cn_max2(r->high, zero));
    }
    low = cn_min2(low, glms_vec2_sub(r->low, own->high));
    high = cn_max2(high, glms_vec2_sub(r->high, own->low));
    return cn_box_bounded(cn_box_grown(cn_box_moved(box, (cn_bounds){low, high}), turn));
}

// Is anything in the box that no impact moves and the shape (-1: any) would hit: static, a tile, or kinematic?
static bool is_ground_in(const crowd *c, int shape, cn_bounds box) {
    const cn_simulation *sim = c->sim;
    const cn_tree *const trees[] = {&sim->static_tree, &sim->moving_tree};
    for (int i = 0, end = cn_boxes_overlap(c->carriers, box) ? 2 : 1; i < end; i++) {
        CN_EACH_OVER(other, trees[i], box) {
            bool ground = !cn_is_dynamic(&sim->hot[sim->links[other].body]);
            if (ground && (shape < 0 || cn_should_collide(sim, shape, other))) return true;
        }
    }
    for (int i = 0; i < sim->slots[CN_GRIDS].end; i++)
        if (cn_next_missing_tile(sim, i, box, -1) >= 0) return true;
    return false;
}

// Is there ground where the shape may be in the next step?
static void look_ahead(const crowd *c, int body, int shape, cn_bounds box) {
    cn_simulation *sim = c->sim;
    if (!(sim->motions[body].sweep & CN_SWEEP_LOOKS_AHEAD)) return;
    if (is_ground_in(c, shape, cn_box_moved(box, cn_motion_bounds(sim, body))))
        cn_set_shared_bit(cn_bits_of(sim, CN_SET_AHEAD), body, sim->team != NULL);
}

// What is fixed, where the box of a shape was on its way.
static void meet_fixed(cn_search *s, cn_bounds box, const range *own) {
    cn_bounds behind = meeting_bounds(box, own, 1, &at_rest);
    CN_EACH_OVER(other, &s->sim->static_tree, behind) { cn_meet_shape(s, other); }
    cn_meet_tiles(s, behind);
}

// Looks about one that is kinematic or was stopped; what was carried on has a way of its own.
static void meet(const crowd *c, int body) {
    cn_simulation *sim = c->sim;
    float until = sim->motions[body].until;
    const range own = range_of(sim, body);
    cn_search s = {.sim = sim, .body = body, .shape = sim->warm[body].first_shape};
    for (; s.shape >= 0; s.shape = sim->shapes[s.shape].next) {
        if (!cn_tree_has(&sim->moving_tree, s.shape)) continue;
        cn_bounds box = cn_tree_box(&sim->moving_tree, s.shape);
        s.hull.count = 0;
        if (cn_is_fast(sim, body) && until == 1) meet_fixed(&s, box, &own);
        box = meeting_bounds(box, &own, until, &c->everything);
        CN_EACH_OVER(other, &sim->moving_tree, box) { cn_meet_shape(&s, other); }
    }
}

// A shape of the crowd that looks about it.
typedef struct {
    cn_search search;
    range range;
    cn_bounds box;
    float share; // as in share_of()
} member;

// Of two that look about the one that asks more finds the other, so that a pair is tested once.
static bool asks_for(const member *m, int shape) {
    const cn_simulation *sim = m->search.sim;
    int body = sim->links[shape].body;
    float share = share_of(sim, body);
    bool first = share < m->share || (share == m->share && shape < m->search.shape);
    const range own = range_of(sim, body);
    return first && cn_is_fast(sim, body) && may_pass(&own, &at_rest, share);
}

// What moved like r in another block.
static void meet_block(member *m, const cn_tree *tree, int block, const range *r) {
    if (!may_pass(&m->range, r, m->share)) return;
    cn_bounds box = meeting_bounds(m->box, &m->range, 1, r);
    CN_EACH_LANE(k, cn_box8_overlaps(&tree->boxes[0][block], box)) {
        int shape = tree->ids[BLOCK * block + k];
        if (!asks_for(m, shape)) cn_meet_shape(&m->search, shape);
    }
}

static void meet_others(const crowd *c, const range *own, member **asking, int count) {
    const cn_tree *tree = &c->sim->moving_tree;
    cn_bounds box = asking[0]->box;
    float share = asking[0]->share;
    for (int k = 1; k < count; k++) {
        box = cn_box_union(box, asking[k]->box);
        share = cn_min(share, asking[k]->share);
    }
    cn_tree_walk walk;
    cn_walk_begin(&walk, tree, meeting_bounds(box, own, 1, &c->everything), 1);
    for (int block; (block = cn_walk_next(&walk)) >= 0;) {
        // That of blocks without a bit is not yet known exactly.
        const range *r = cn_has_bit(c->bits, block) ? &c->ranges[c->places[block]] : &c->slow;
        if (!may_pass(own, r, share) ||
            !cn_boxes_overlap(cn_box8_get(tree->boxes[1], block), meeting_bounds(box, own, 1, r)))
            continue;
        const range exact = r == &c->slow ? range_in(c, block) : *r;
        for (int k = 0; k < count; k++) meet_block(asking[k], tree, block, &exact);
    }
}

static void ask_block(const crowd *c, int i) {
    cn_simulation *sim = c->sim;
    member members[BLOCK], *asking[BLOCK];
    cn_bounds all = cn_box8_get(sim->moving_tree.boxes[1], c->blocks[i]);
    vec2s way = cn_vec(0, 0);
    int count = 0, asking_count = 0;
    for (int slot = BLOCK * c->blocks[i]; slot < BLOCK * (c->blocks[i] + 1); slot++) {
        int shape = sim->moving_tree.ids[slot], body = shape < 0 ? -1 : sim->links[shape].body;
        if (body < 0 || !(sim->motions[body].sweep & (CN_SWEEP_FAST | CN_SWEEP_LOOKS_AHEAD))) continue;
        member *m = &members[count++];
        m->search.sim = sim, m->search.body = body, m->search.shape = shape;
        m->search.hull.count = 0;
        m->box = cn_box8_get(sim->moving_tree.boxes[0], slot);
        const cn_motion *motion = &sim->motions[body];
        const cn_body_hot *hot = &sim->hot[body];
        float h = sim->step_seconds, turn = cn_max(cn_abs(motion->angle), cn_abs(hot->w) * h);
        turn = cn_min(turn, 2) * sim->warm[body].extent;
        way = cn_max2(way, cn_vec(cn_max(cn_abs(motion->x), cn_abs(hot->vx) * h) + turn,
                                  cn_max(cn_abs(motion->y), cn_abs(hot->vy) * h) + turn));
        if (!cn_is_fast(sim, body)) continue;
        m->range = range_of(sim, body);
        m->share = share_of(sim, body);
    }
    // Most find nothing fixed, neither behind nor ahead.
    bool fixed = is_ground_in(c, -1, cn_box_moved(all, (cn_bounds){glms_vec2_negate(way), way}));
    for (int k = 0; k < count && (fixed || c->any_fast); k++) {
        member *m = &members[k];
        bool fast = cn_is_fast(sim, m->search.body);
        if (fixed) look_ahead(c, m->search.body, m->search.shape, m->box);
        if (fixed && fast) meet_fixed(&m->search, m->box, &m->range);
        if (fast && may_pass(&m->range, &at_rest, m->share)) asking[asking_count++] = m;
    }
    if (asking_count) meet_others(c, &c->ranges[i], asking, asking_count);
}

// ---- all bodies

static void ask_blocks(void *context, int first, int end) {
    for (int i = first; i < end; i++) ask_block(context, i);
}

static void ask_stopped(void *context, int first, int end) {
    const crowd *c = context;
    for (int i = first; i < end; i++)
        if (round_of(&c->sim->motions[c->sim->fast[i]]) == c->round) meet(c, c->sim->fast[i]);
}

static void ask_all(void *context, cn_worker *worker) {
    crowd *c = context;
    if (c->any_fast) cn_distribute(worker, c->count, 32, find_ranges, c);
    cn_distribute(worker, c->count, 8, ask_blocks, c);
}

// At first the crowd, then what is moved by hand.
static void meet_all(crowd *c) {
    cn_simulation *sim = c->sim;
    cn_run(sim->filter ? NULL : sim->team, sim->fast_count, ask_all, c);
    for (int i = 0; i < sim->kinematics.count; i++) {
        const range own = range_of(sim, sim->kinematics.items[i]);
        if (may_pass(&own, &c->everything, 1)) meet(c, sim->kinematics.items[i]);
    }
}

// Where the body stops, its gap to another.
static cn_gapd gap_at_stop(const cn_simulation *sim, int body, int other) {
    double until = cn_sweep_of_body(sim, body).until;
    cn_gapd least = {.distance = DBL_MAX};
    CN_EACH_SHAPE(i, sim, body) CN_EACH_SHAPE(k, sim, other) {
        cn_swept_hull a = cn_swept_shape(sim, i), b = cn_swept_shape(sim, k);
        cn_gapd gap = cn_gap_at(&a, &b, until);
        if (gap.distance < least.distance && cn_may_touch(sim, i, k)) least = gap;
    }
    return least;
}

// Moves the body, but not along what is locked, as if that had been a part of its way.
static void shift(cn_simulation *sim, int body, float *d) {
    cn_motion *m = &sim->motions[body];
    for (int k = 0; k < 3; k++)
        if (sim->hot[body].flags & (uint32_t)CN_BODY_LOCK_X << k) d[k] = 0;
    cn_move_body(&sim->hot[body], d);
    m->x += d[0], m->y += d[1], m->angle += d[2];
    cn_place_shapes(sim, body, FLT_MAX, true);
}

// What is kinematic does not stop, and would pass the body that stopped for it. So that goes along with it for
// the rest of the step: a straight way to where that ends, on which it may yet meet others.
static void carry(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    cn_motion *m = &sim->motions[body];
    for (int i = 0; i < sim->kinematics.count && m->until < 1; i++) {
        int carrier = sim->kinematics.items[i];
        if (!cn_is_moving_kinematic(&sim->hot[carrier])) continue;
        const cn_motion n = cn_motion_of(sim, carrier);
        float rest = 1 - m->until, x = rest * (n.x - m->x), y = rest * (n.y - m->y);
        vec2s arm = cn_vec(hot->x - sim->hot[carrier].x + x, hot->y - sim->hot[carrier].y + y);
        float reach = sim->warm[body].extent + sim->warm[carrier].extent + sim->tuning.slop;
        if (glms_vec2_norm(arm) > reach) continue;
        cn_gapd gap = gap_at_stop(sim, body, carrier);
        if (gap.distance >= (double)sim->tuning.slop) continue;
        cn_vec2d out = cn_add_scaled(cn_widen(arm), fmin(gap.distance, 0), gap.normal);
        vec2s turned = cn_rotate(cn_rotation_full(rest * n.angle), cn_narrow(out));
        float d[3] = {x + turned.x - arm.x, y + turned.y - arm.y, rest * (n.angle - m->angle)};
        shift(sim, body, d);
        m->stop = m->until = 1;
    }
}

// Now that all have been asked. Has any body been stopped?
static bool stop_bodies(cn_simulation *sim, int round) {
    bool any = false;
    for (int i = 0; i < sim->fast_count; i++) {
        cn_motion *m = &sim->motions[sim->fast[i]];
        if (!(m->stop < m->until)) continue;
        m->until = m->stop;
        if (!cn_was_stopped(m)) carry(sim, sim->fast[i]);
        set_round(m, round);
        any = true;
    }
    cn_tree_refit(&sim->moving_tree);
    return any;
}

// Takes back the rest of its way, and the work that gravity did on it: along gravity m v^2 / 2 changes by m g.d.
static void put_back(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    cn_motion *m = &sim->motions[body];
    float rest = m->until - 1, d[3] = {rest * m->x, rest * m->y, rest * m->angle};
    m->x += d[0], m->y += d[1], m->angle += d[2]; // the way that it made
    m->until = 1;
    vec2s g = glms_vec2_scale(sim->gravity, hot->gravity_scale);
    if (hot->flags & CN_BODY_LOCK_X) g.x = 0;
    if (hot->flags & CN_BODY_LOCK_Y) g.y = 0;
    cn_move_body(hot, d);
    vec2s down = glms_vec2_normalize(g);
    float work = g.x * d[0] + g.y * d[1], falls = hot->vx * down.x + hot->vy * down.y;
    if (hot->flags & CN_BODY_LIMITED) work = cn_min(work, 0);
    float then = (falls < 0 ? -1.0f : 1.0f) * sqrtf(cn_max(0, falls * falls + 2 * work));
    if (!cn_finite(then)) return;
    hot->vx += (then - falls) * down.x, hot->vy += (then - falls) * down.y;
}

// What is thin would be lost if it got a little deeper into the ground with every stop: beyond that it is let out.
static void let_out(cn_simulation *sim, int slot) {
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    cn_contact_bodies pair = sim->touching.bodies[slot];
    cn_swept_hull a = cn_swept_shape(sim, anchor->shape_a);
    cn_swept_hull b = cn_swept_shape(sim, anchor->shape_b);
    cn_gapd gap = cn_gap_at(&a, &b, 1);
    double out = -CN_NEWS_SHARE * CN_DEPTH_SHARE * b.inner - gap.distance;
    bool off = sim->touching.records[slot].meta & CN_META_DISABLED;
    if (off || out <= 0 || -gap.distance > CN_LOST_SHARE * (a.inner + b.inner)) return;
    shift(sim, pair.b, (float[3]){(float)(out * gap.normal.x), (float)(out * gap.normal.y)});
}

// The contacts that stopped bodies already have. (New ones know it from the flag of the body.)
static void expect_impacts(cn_simulation *sim) {
    const cn_touching_rows *touching = &sim->touching;
    CN_EACH_BIT(slot, touching->occupied, touching->end) {
        int a = touching->bodies[slot].a, b = touching->bodies[slot].b;
        bool due = cn_was_stopped(&sim->motions[a]) || cn_was_stopped(&sim->motions[b]);
        if (!cn_is_dynamic(&sim->hot[a]) && cn_was_stopped(&sim->motions[b])) let_out(sim, slot);
        if (!due || touching->records[slot].meta & CN_META_BOUNCY) continue;
        cn_expect_impact(&touching->records[slot]);
        cn_update_row_type(sim, slot);
        cn_replan_body(sim, a);
        cn_replan_body(sim, b);
    }
}

static void put_all_back(cn_simulation *sim) {
    bool any = false;
    for (int i = 0; i < sim->fast_count; i++) {
        int body = sim->fast[i];
        bool stops = cn_was_stopped(&sim->motions[body]);
        if (sim->motions[body].until < 1) put_back(sim, body);
        any |= stops;
        if (!stops && !cn_has_bit(cn_bits_of(sim, CN_SET_AHEAD), body)) continue;
        cn_clear_bit(cn_bits_of(sim, CN_SET_AHEAD), body);
        sim->hot[body].flags |= CN_BODY_EXPECTS_IMPACT;
        cn_place_shapes(sim, body, FLT_MAX, true);
    }
    if (any) expect_impacts(sim);
    for (int i = 0; i < sim->fast_count; i++) sim->motions[sim->fast[i]].sweep = 0;
}

void cn_sweep_bodies(cn_simulation *sim) {
    if (sim->fast_count || sim->kinematics.count) {
        crowd c = {.sim = sim};
        cn_tree_refit(&sim->moving_tree);
        cn_tree_refit(&sim->static_tree);
        gather(&c);
        meet_all(&c);
        for (; stop_bodies(sim, c.round) && c.round < MAX_ROUNDS; c.round++)
            cn_run_loop(sim->filter ? NULL : sim->team, sim->fast_count, 32, ask_stopped, &c);
        put_all_back(sim);
    }
}
