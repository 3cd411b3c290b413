/* The search of continuous collision: finds the shapes that may meet on their paths, and the bodies
 * that have immovable shapes ahead. sweep.c explains the terms.
 *
 * Blocks and ranges. In a landslide all bodies are fast, and yet they hardly move relative to each
 * other. The moving tree stores shapes in leaf blocks of eight neighbours. Each block with a swept
 * body gets the range of the motions in it. Two blocks are compared only if their ranges allow
 * relative motions by more than both CCD thresholds. Then their shapes are compared in the same
 * way, and pairs of shapes by circles around the bodies. Only the remaining pairs are swept.
 * The boxes in the tree enclose the starts of the paths: to find the shapes that a body may meet,
 * its box is extended by its motion relative to theirs. The ranges leave out kinematic bodies, so
 * each moving kinematic body searches for itself. A kinematic body at rest searches only near fast
 * bodies that are not in free flight, because these do not search far enough to meet it. Swept
 * bodies also search the pieces of terrain without shapes.
 *
 * Look-ahead. A body that may leave its margin also looks at the next step: if an immovable shape
 * may be in its path then, its boxes cover that path (model/body.c). So the contact exists from the
 * start, and is solved as an impact at its time (pairs/contact_kernel.c): the body lands on the
 * ground, not in it. One query of the trees for the paths of both steps serves a whole leaf block,
 * because most blocks have nothing immovable nearby. */
#define CN_LANES 4
#include "../../collision/tree.h"
#include "sweep.h"

enum {
    BLOCK = 8, // shapes in a leaf block of the tree
    // Work in items of cn_run(): of a swept body in the first search, and of one that stopped in a
    // later search.
    SWEPT_ITEMS = 4,
    STOPPED_ITEMS = 200,
};
// The coarse test of ranges lowers its threshold by this factor, so that rounding excludes no pair.
#define COARSE_FACTOR 0.999f

// ---- ranges of motions, by leaf blocks

static const cn_motion_range no_range = {
    .low = {{FLT_MAX, FLT_MAX}}, .high = {{-FLT_MAX, -FLT_MAX}}, .threshold = FLT_MAX};
static const cn_motion_range at_rest = {.threshold = 0};

static void widen(cn_motion_range *r, cn_motion_range by) {
    r->low = cn_min2(r->low, by.low), r->high = cn_max2(r->high, by.high);
    r->turn = cn_max(r->turn, by.turn), r->reach = cn_max(r->reach, by.reach);
    r->threshold = cn_min(r->threshold, by.threshold);
}

static cn_motion_range range_of(const cn_simulation *sim, int body) {
    const cn_motion m = cn_motion_of(sim, body);
    float reach = cn_turn_reach(m.angle, sim->warm[body].extent);
    return (cn_motion_range){.low = {{m.x, m.y}},
                             .high = {{m.x, m.y}},
                             .turn = cn_ccd_turn(&m),
                             .reach = reach,
                             .threshold = m.ccd_threshold};
}

static const cn_bounds no_box = {{{FLT_MAX, FLT_MAX}}, {{-FLT_MAX, -FLT_MAX}}};

// Adds the boxes of all shapes of a body to a box.
static cn_bounds add_boxes(const cn_simulation *sim, int body, cn_bounds box) {
    CN_EACH_SHAPE(i, sim, body) {
        if (cn_tree_has(&sim->moving_tree, i))
            box = cn_box_union(box, cn_tree_box(&sim->moving_tree, i));
    }
    return box;
}

// What list_words() finds about some of the swept bodies.
typedef struct {
    bool any_fast;
    cn_motion_range all;
    cn_bounds fast, constrained;
} swept_bounds;

static void add_body(const cn_sweeps *f, int body, swept_bounds *found) {
    const cn_simulation *sim = f->sim;
    bool fast = cn_is_fast(sim, body), may_meet_kinematics = fast && sim->kinematics.count;
    cn_bounds box = no_box;
    CN_EACH_SHAPE(i, sim, body) {
        if (!cn_tree_has(&sim->moving_tree, i)) continue;
        cn_set_shared_bit(f->listed, sim->moving_tree.slots[i] / BLOCK, sim->team);
        if (may_meet_kinematics) box = cn_box_union(box, cn_tree_box(&sim->moving_tree, i));
    }
    if (fast) widen(&found->all, range_of(sim, body));
    found->any_fast |= fast;
    if (!may_meet_kinematics) return;
    found->fast = cn_box_union(found->fast, box);
    if (!cn_is_free(sim, body)) found->constrained = cn_box_union(found->constrained, box);
}

// Returns room in the list of swept bodies for `count` more. Their order does not matter.
static int *take_places(cn_simulation *sim, int count) {
    if (sim->team) cn_lock(&sim->lock);
    int *places = sim->swept + sim->swept_count;
    sim->swept_count += count;
    if (sim->team) cn_unlock(&sim->lock);
    return places;
}

// Lists the bodies in some words of CN_SET_SWEPT, and their blocks. Finds the bounds of their
// motions; the order in which workers add their bounds does not matter.
static void list_words(void *context, int first, int end) {
    cn_sweeps *f = context;
    uint64_t *swept = cn_bits_of(f->sim, CN_SET_SWEPT);
    swept_bounds found = {false, no_range, no_box, no_box};
    for (int i = first; i < end; i++) {
        if (!swept[i]) continue;
        int *place = take_places(f->sim, __builtin_popcountll(swept[i]));
        for (uint64_t rest = swept[i]; rest; rest &= rest - 1, place++) {
            *place = (i << 6) + cn_lowest_bit(rest);
            add_body(f, *place, &found);
        }
        swept[i] = 0;
    }
    if (f->sim->team) cn_lock(&f->sim->lock);
    widen(&f->all, found.all);
    f->any_fast |= found.any_fast;
    f->fast = cn_box_union(f->fast, found.fast);
    f->constrained = cn_box_union(f->constrained, found.constrained);
    if (f->sim->team) cn_unlock(&f->sim->lock);
}

// Finds the box of the kinematic bodies at rest, unless it is known.
static void enclose_resting(cn_simulation *sim) {
    if (sim->knows_resting_bounds) return;
    sim->resting_bounds = no_box;
    for (int i = 0; i < sim->kinematics.count; i++)
        if (!cn_is_moving_kinematic(&sim->hot[sim->kinematics.items[i]]))
            sim->resting_bounds = add_boxes(sim, sim->kinematics.items[i], sim->resting_bounds);
    sim->knows_resting_bounds = true;
}

// The box of a kinematic body covers its motion in this step.
static void add_kinematic(cn_sweeps *f, int body) {
    const cn_simulation *sim = f->sim;
    cn_bounds box = no_box, motion = cn_motion_bounds(sim, body);
    CN_EACH_SHAPE(i, sim, body) {
        if (!cn_tree_has(&sim->moving_tree, i)) continue;
        cn_set_bit(f->listed, sim->moving_tree.slots[i] / BLOCK);
        cn_set_bit(f->kinematic, sim->moving_tree.slots[i] / BLOCK);
        box = cn_box_union(box, cn_tree_box(&sim->moving_tree, i));
    }
    f->kinematics = cn_box_union(f->kinematics, box);
    f->kinematics_ahead = cn_box_union(f->kinematics_ahead, cn_box_extended(box, motion));
    f->kinematic_motion = cn_box_union(f->kinematic_motion, motion);
}

static void add_kinematics(cn_sweeps *f) {
    cn_simulation *sim = f->sim;
    if (sim->swept_count) enclose_resting(sim);
    f->kinematics = f->kinematics_ahead = sim->resting_bounds;
    for (int i = 0; i < sim->moving_kinematics.count; i++) {
        int body = sim->moving_kinematics.items[i];
        if (sim->swept_count) add_kinematic(f, body);
        if (cn_is_moving_kinematic(&sim->hot[body])) widen(&f->all, range_of(sim, body));
    }
}

// Lists the swept bodies, `count` of them, and their blocks. The arrays lie in the arena and take
// about 72 bytes per block. They fit, because the last pair search after a change of the tree
// reserved 128 bytes per block there, and CN_ARENA_UNIT for the rounding of each of the six arrays.
static void list_blocks(cn_sweeps *f, int count) {
    cn_simulation *sim = f->sim;
    cn_arena arena = {sim->arena.memory, 0, sim->arena.capacity};
    int blocks = cn_tree_blocks(&sim->moving_tree, 0), words = (blocks + 63) / 64;
    float slow = sim->max_slow_displacement;
    f->listed = cn_take(&arena, words, sizeof *f->listed);
    f->kinematic = cn_take(&arena, words, sizeof *f->kinematic);
    f->places = cn_take(&arena, blocks, sizeof *f->places);
    f->blocks = cn_take(&arena, blocks, sizeof *f->blocks);
    f->ranges = cn_take(&arena, blocks, sizeof *f->ranges);
    f->stopped =
        cn_take(&arena, BLOCK * blocks, sizeof *f->stopped); // only bodies with shapes stop
    memset(f->listed, 0, (size_t)words * sizeof *f->listed);
    memset(f->kinematic, 0, (size_t)words * sizeof *f->kinematic);
    f->slow = (cn_motion_range){.low = {{-slow, -slow}},
                                .high = {{slow, slow}},
                                .turn = slow,
                                .reach = slow,
                                .threshold = sim->min_ccd_threshold};
    f->all = f->slow;
    f->fast = f->constrained = no_box;
    cn_run_loop(sim->team, count, count ? cn_body_words(sim) : 0, CN_SWEPT_WORDS, list_words, f);
    add_kinematics(f);
    CN_EACH_BIT(block, f->listed, blocks) {
        f->places[block] = f->count;
        f->blocks[f->count++] = block;
    }
}

static cn_motion_range range_in(const cn_sweeps *f, int block) {
    const cn_simulation *sim = f->sim;
    cn_motion_range r = no_range;
    for (int slot = BLOCK * block; slot < BLOCK * (block + 1); slot++) {
        int body =
            sim->moving_tree.ids[slot] < 0 ? -1 : sim->links[sim->moving_tree.ids[slot]].body;
        if (body < 0) continue;
        if (!cn_is_moving_kinematic(&sim->hot[body])) widen(&r, range_of(sim, body));
    }
    return r;
}

static void find_ranges(void *context, int first, int end) {
    const cn_sweeps *f = context;
    for (int i = first; i < end; i++) f->ranges[i] = range_in(f, f->blocks[i]);
}

// ---- which bodies may meet

// True if a body of one range may pass a body of the other: they may move relative to each other by
// more than `factor` times the sum of their CCD thresholds.
static bool may_pass(const cn_motion_range *a, const cn_motion_range *b, float factor) {
    vec2s most = cn_max2(glms_vec2_sub(a->high, b->low), glms_vec2_sub(b->high, a->low));
    float least = COARSE_FACTOR * factor * (a->threshold + b->threshold) - a->turn - b->turn;
    return least < 0 || glms_vec2_dot(most, most) > least * least;
}

// The factor for may_pass() if the other body is not in free flight.
static float pass_factor(const cn_simulation *sim, int body) {
    return cn_is_free(sim, body) ? 1 : CN_CONSTRAINED_PASS;
}

/* Returns bounds of where the boxes of other bodies are that a body with this box may meet, if
 * their motions are in the range r. All boxes enclose the bodies before their motions. The body has
 * the motion m, which it follows up to the fraction u (`until`). Another body has the motion n.
 * They meet at a time s in 0 .. 1. Then, relative to the box of the body, the box of the other one
 * is at
 *
 *     s (m - n)                if neither has stopped by then
 *     v m - w n                if one may have stopped (`stops`): v in 0 .. u, w in 0 .. 1
 */
static cn_bounds meeting_bounds(cn_bounds box, const cn_motion_range *own, float until, bool stops,
                                const cn_motion_range *r) {
    vec2s zero = cn_vec(0, 0);
    vec2s low = cn_min2(zero, glms_vec2_sub(own->low, r->high));
    vec2s high = cn_max2(zero, glms_vec2_sub(own->high, r->low));
    float turn = own->reach + r->reach;
    if (stops) {
        vec2s a = glms_vec2_scale(own->low, until), b = glms_vec2_scale(own->high, until);
        low = glms_vec2_sub(cn_min2(a, zero), cn_max2(r->high, zero));
        high = glms_vec2_sub(cn_max2(b, zero), cn_min2(r->low, zero));
    }
    return cn_box_bounded(cn_box_grown(cn_box_extended(box, (cn_bounds){low, high}), turn));
}

// True if the shape (-1: any shape) can hit the other one.
static bool may_hit_shape(const cn_simulation *sim, int shape, int other) {
    return shape < 0 || cn_should_collide(sim, shape, other);
}

// True if the shape is immovable, and its box, with the motion in the next step if it is kinematic,
// overlaps a box.
static bool is_ahead(const cn_simulation *sim, int shape, cn_bounds box) {
    int body = sim->links[shape].body;
    if (!cn_is_immovable(&sim->hot[body])) return false;
    cn_bounds now = cn_tree_box(&sim->moving_tree, shape);
    if (sim->hot[body].flags & CN_BODY_IS_KINEMATIC)
        now = cn_box_extended(now, cn_motion_bounds(sim, body));
    return cn_boxes_overlap(now, box);
}

// True if the box overlaps a shape of a pinned body, or one of a kinematic body with its motions in
// this step and the next, that the shape (-1: any shape) can hit.
static bool is_kinematic_or_pinned_in(const cn_sweeps *f, int shape, cn_bounds box) {
    const cn_simulation *sim = f->sim;
    if (sim->pinned_count == 0 && !cn_boxes_overlap(f->kinematics_ahead, box)) return false;
    const cn_tree *tree = &sim->moving_tree;
    cn_bounds m = f->kinematic_motion, all;
    m = (cn_bounds){glms_vec2_negate(m.upper), glms_vec2_negate(m.lower)};
    all = cn_box_bounded(cn_box_extended(box, m));
    bool only_moving = !sim->pinned_count && !cn_boxes_overlap(sim->resting_bounds, all);
    cn_tree_walk walk;
    cn_walk_begin(&walk, tree, all, 1);
    for (int block; (block = cn_walk_next(&walk)) >= 0;) {
        if (only_moving && !cn_has_bit(f->kinematic, block)) continue;
        CN_EACH_LANE(k, cn_box8_overlaps(&tree->boxes[0][block], all)) {
            int other = tree->ids[BLOCK * block + k];
            if (is_ahead(sim, other, box) && may_hit_shape(sim, shape, other)) return true;
        }
    }
    return false;
}

// True if the box overlaps an immovable shape that the shape (-1: any shape) can hit: a shape of a
// static, kinematic or pinned body, or terrain without a shape.
static bool is_immovable_in(const cn_sweeps *f, int shape, cn_bounds box) {
    const cn_simulation *sim = f->sim;
    CN_EACH_OVER(other, &sim->static_tree, box) {
        if (may_hit_shape(sim, shape, other)) return true;
    }
    return is_kinematic_or_pinned_in(f, shape, box) ||
           (sim->terrain && sim->terrain->has_piece(sim, box));
}

// Tests a shape against the static shapes and terrain in the bounds of its path.
static void search_static(cn_sweep_search *s, cn_bounds path) {
    CN_EACH_OVER(other, &s->sim->static_tree, path) cn_sweep_against_static(s, other);
    cn_sweep_against_terrain(s, path);
}

// Returns bounds of the motions in a block, as far as they are known.
static const cn_motion_range *known_range(const cn_sweeps *f, int block) {
    if (!f->any_fast || cn_has_bit(f->kinematic, block)) return &f->all;
    if (!cn_has_bit(f->listed, block)) return &f->slow;
    return &f->ranges[f->places[block]];
}

// Tests the shape of a body that follows its motion up to `until` against all moving shapes.
static void search_all_blocks(const cn_sweeps *f, cn_sweep_search *s, const cn_motion_range *own,
                              float until) {
    const cn_tree *tree = &f->sim->moving_tree;
    cn_bounds box = cn_tree_box(tree, s->shape);
    // If one of two bodies stops, they may pass each other although they move alike.
    bool stops = until < 1 || f->round > 0;
    cn_motion_range most = *own;
    if (stops)
        most.low = cn_min2(own->low, cn_vec(0, 0)), most.high = cn_max2(own->high, cn_vec(0, 0));
    cn_tree_walk walk;
    cn_walk_begin(&walk, tree, meeting_bounds(box, own, until, stops, &f->all), 1);
    for (int block; (block = cn_walk_next(&walk)) >= 0;) {
        const cn_motion_range *r = known_range(f, block);
        if (!may_pass(&most, r, 1)) continue;
        cn_bounds region = meeting_bounds(box, own, until, stops, r);
        if (!cn_boxes_overlap(cn_box8_get(tree->boxes[1], block), region)) continue;
        CN_EACH_LANE(k, cn_box8_overlaps(&tree->boxes[0][block], region))
            cn_sweep_against_moving(s, tree->ids[BLOCK * block + k]);
    }
}

// Tests the shapes of one body, which is kinematic or has stopped, against all moving shapes. If a
// kinematic body carried it, its path is new, so it is tested against static shapes, too.
static void search_around(const cn_sweeps *f, int body) {
    cn_simulation *sim = f->sim;
    float until = sim->motions[body].until;
    bool is_new = cn_is_dynamic(&sim->hot[body]) && until == 1 && cn_may_hit_static(sim, body);
    const cn_motion_range own = range_of(sim, body);
    cn_sweep_search s = {.sim = sim, .body = body, .shape = sim->warm[body].first_shape};
    for (; s.shape >= 0; s.shape = sim->shapes[s.shape].next) {
        if (!cn_tree_has(&sim->moving_tree, s.shape)) continue;
        s.hull.count = 0;
        if (is_new)
            search_static(&s, meeting_bounds(cn_tree_box(&sim->moving_tree, s.shape), &own, 1,
                                             false, &at_rest));
        search_all_blocks(f, &s, &own, until);
    }
}

// ---- the search of a leaf block

// A shape in the block that searches.
typedef struct {
    cn_sweep_search search;
    cn_motion_range range; // the motion of its body
    cn_bounds box;         // in the tree: it encloses the shape at the start of its path
    cn_bounds now, then;   // its displacements in this step, and from its start in the next one
    float pass_factor;     // of its body
} searcher;

// True if the other shape searches, too, and is the one that tests the pair, so that each pair is
// tested once. That is the shape with the smaller factor or, if the factors are equal, the one with
// the lower slot. (If two bodies pass each other by a multiple of both thresholds, at least one
// moves by more than that multiple of its own. So one of them searches.)
static bool is_tested_by_other(const searcher *m, int shape) {
    const cn_simulation *sim = m->search.sim;
    int body = sim->links[shape].body;
    float factor = pass_factor(sim, body);
    bool first = factor < m->pass_factor || (factor == m->pass_factor && shape < m->search.shape);
    const cn_motion_range own = range_of(sim, body);
    return first && cn_is_fast(sim, body) && may_pass(&own, &at_rest, factor);
}

// Tests a shape against the shapes of one leaf block, whose motions are in the range r.
static void search_leaf(searcher *m, const cn_tree *tree, int block, const cn_motion_range *r) {
    if (!may_pass(&m->range, r, m->pass_factor)) return;
    cn_bounds box = meeting_bounds(m->box, &m->range, 1, false, r);
    CN_EACH_LANE(k, cn_box8_overlaps(&tree->boxes[0][block], box)) {
        int shape = tree->ids[BLOCK * block + k];
        if (!is_tested_by_other(m, shape)) cn_sweep_against_moving(&m->search, shape);
    }
}

// Tests the searchers of a block against all moving shapes. `own` is the range of the block.
static void search_moving(const cn_sweeps *f, const cn_motion_range *own, searcher **searchers,
                          int count) {
    const cn_tree *tree = &f->sim->moving_tree;
    cn_bounds box = searchers[0]->box;
    float factor = searchers[0]->pass_factor;
    for (int k = 1; k < count; k++) {
        box = cn_box_union(box, searchers[k]->box);
        factor = cn_min(factor, searchers[k]->pass_factor);
    }
    cn_tree_walk walk;
    cn_walk_begin(&walk, tree, meeting_bounds(box, own, 1, false, &f->all), 1);
    for (int block; (block = cn_walk_next(&walk)) >= 0;) {
        // Blocks that are not listed have slow bodies only. Their exact range is not known yet.
        const cn_motion_range *r =
            cn_has_bit(f->listed, block) ? &f->ranges[f->places[block]] : &f->slow;
        if (!may_pass(own, r, factor) || !cn_boxes_overlap(cn_box8_get(tree->boxes[1], block),
                                                           meeting_bounds(box, own, 1, false, r)))
            continue;
        const cn_motion_range exact = r == &f->slow ? range_in(f, block) : *r;
        for (int k = 0; k < count; k++) search_leaf(searchers[k], tree, block, &exact);
    }
}

// Finds the bounds of the displacements of a searcher.
static void find_displacements(searcher *m) {
    const cn_simulation *sim = m->search.sim;
    const int body = m->search.body;
    const cn_motion *d = &sim->motions[body], next = cn_next_motion(sim, body);
    const float extent = sim->warm[body].extent, turn = cn_turn_reach(d->angle, extent);
    m->now = cn_box_of_displacement(d->x, d->y, turn);
    cn_bounds then =
        cn_box_of_displacement(next.x, next.y, turn + cn_turn_reach(next.angle, extent));
    m->then = cn_box_extended(then, (cn_bounds){{{d->x, d->y}}, {{d->x, d->y}}});
}

// Marks the body of a shape if an immovable shape may be in its path in the next step.
static void look_ahead(const cn_sweeps *f, const searcher *m) {
    cn_simulation *sim = f->sim;
    cn_bounds path = cn_box_bounded(cn_box_extended(m->box, m->then));
    if (cn_may_leave_margin(sim, m->search.body) && is_immovable_in(f, m->search.shape, path))
        cn_set_shared_bit(cn_bits_of(sim, CN_SET_AHEAD), m->search.body, sim->team != NULL);
}

// The search of a listed block, for its shapes whose bodies are fast or may leave their margin.
static void search_block(const cn_sweeps *f, int i) {
    cn_simulation *sim = f->sim;
    searcher shapes[BLOCK], *searchers[BLOCK];
    cn_bounds both = no_box; // displacements of the shapes in this step and the next
    int count = 0, searcher_count = 0;
    for (int slot = BLOCK * f->blocks[i]; slot < BLOCK * (f->blocks[i] + 1); slot++) {
        int shape = sim->moving_tree.ids[slot], body = shape < 0 ? -1 : sim->links[shape].body;
        if (body < 0 || !(cn_is_fast(sim, body) || cn_may_leave_margin(sim, body))) continue;
        searcher *m = &shapes[count++];
        m->search.sim = sim, m->search.body = body, m->search.shape = shape;
        m->search.hull.count = 0;
        m->box = cn_box8_get(sim->moving_tree.boxes[0], slot);
        find_displacements(m);
        both = cn_box_union(both, cn_box_union(m->now, m->then));
        if (!cn_is_fast(sim, body)) continue;
        m->range = range_of(sim, body);
        m->pass_factor = pass_factor(sim, body);
    }
    cn_bounds all = cn_box8_get(sim->moving_tree.boxes[1], f->blocks[i]);
    // The sum of bounds contains those of each shape, rounded as they are: what a body finds does
    // not depend on the other shapes of its block.
    bool immovable = count && is_immovable_in(f, -1, cn_box_bounded(cn_box_extended(all, both)));
    for (int k = 0; k < count && (immovable || f->any_fast); k++) {
        searcher *m = &shapes[k];
        bool fast = cn_is_fast(sim, m->search.body);
        if (immovable) look_ahead(f, m);
        if (immovable && cn_may_hit_static(sim, m->search.body))
            search_static(&m->search, cn_box_bounded(cn_box_extended(m->box, m->now)));
        if (fast && may_pass(&m->range, &at_rest, m->pass_factor)) searchers[searcher_count++] = m;
    }
    if (searcher_count) search_moving(f, &f->ranges[i], searchers, searcher_count);
}

// ---- all searches

static void search_blocks(void *context, int first, int end) {
    for (int i = first; i < end; i++) search_block(context, i);
}

static void search_stopped(void *context, int first, int end) {
    const cn_sweeps *f = context;
    for (int i = first; i < end; i++) search_around(f, f->stopped[i]);
}

static void search_listed(void *context, cn_worker *worker) {
    cn_sweeps *f = context;
    if (f->any_fast) cn_distribute(worker, f->count, 32, find_ranges, f);
    cn_distribute(worker, f->count, 8, search_blocks, f);
}

// True if a kinematic body may meet a body whose box is in the region. (The boxes are those of
// search_around().)
static bool may_meet(const cn_sweeps *f, int body, const cn_motion_range *own, cn_bounds region) {
    const cn_simulation *sim = f->sim;
    float until = sim->motions[body].until;
    CN_EACH_SHAPE(i, sim, body) {
        cn_bounds box = cn_tree_box(&sim->moving_tree, i);
        if (cn_boxes_overlap(meeting_bounds(box, own, until, false, &f->all), region)) return true;
    }
    return false;
}

// Searches around the moving kinematic bodies. Far away from all fast bodies, they can meet only
// slow ones.
static void search_moving_kinematics(cn_sweeps *f) {
    cn_simulation *sim = f->sim;
    for (int i = 0; i < sim->moving_kinematics.count; i++) {
        int body = sim->moving_kinematics.items[i];
        const cn_motion_range own = range_of(sim, body);
        if (!may_pass(&own, &f->all, 1)) continue;
        if (may_pass(&own, &f->slow, 1) || may_meet(f, body, &own, f->fast)) search_around(f, body);
    }
}

// Kinematic bodies at rest can meet only fast bodies. Fast bodies in free flight have searched for
// themselves.
static void search_resting_kinematics(cn_sweeps *f) {
    cn_simulation *sim = f->sim;
    cn_bounds reach = meeting_bounds(f->kinematics, &at_rest, 1, false, &f->all);
    if (!cn_boxes_overlap(reach, f->constrained)) return;
    for (int i = 0; i < sim->kinematics.count; i++) {
        int body = sim->kinematics.items[i];
        if (!cn_is_moving_kinematic(&sim->hot[body]) && may_meet(f, body, &at_rest, f->constrained))
            search_around(f, body);
    }
}

// The first round. Workers search the listed blocks at the same time, then this thread searches
// around the kinematic bodies. If the user set a filter, this thread does all, because only one
// thread may call the filter.
void cn_search_all(cn_sweeps *f, int count) {
    cn_tree_refit(&f->sim->moving_tree);
    cn_tree_refit(&f->sim->static_tree);
    list_blocks(f, count);
    cn_run(f->sim->filter ? NULL : f->sim->team, SWEPT_ITEMS * f->sim->swept_count, search_listed,
           f);
    if (f->sim->moving_kinematics.count) search_moving_kinematics(f);
    if (f->any_fast) search_resting_kinematics(f);
}

void cn_search_stopped(cn_sweeps *f) {
    cn_team *team = f->sim->filter ? NULL : f->sim->team;
    cn_run_loop(team, STOPPED_ITEMS * f->stopped_count, f->stopped_count, 1, search_stopped, f);
}

void cn_widen_search(cn_sweeps *f, int body) {
    const cn_simulation *sim = f->sim;
    widen(&f->all, range_of(sim, body));
    CN_EACH_SHAPE(i, sim, body) {
        if (cn_tree_has(&sim->moving_tree, i))
            cn_set_bit(f->kinematic, sim->moving_tree.slots[i] / BLOCK);
    }
}
