/* Continuous collision: stops fast bodies at the shapes that they would have passed through.
 *
 * The solver moves a body by the whole step at once. If the body moves by no more than its inner
 * radius (the largest circle about the middle of a shape that fits into it), it is still on the
 * right side of whatever it ran into, and the solver can push it back out. A body that moves
 * farther may be past it. So such bodies are swept: each is followed along its path, from where it
 * was before the step to where it is now, against everything that the path crosses. All bodies move
 * at the same time, along straight lines, turning at constant rates. A time within the step is a
 * fraction of it, 0 .. 1.
 *
 * Which bodies are swept. A body is fast if its displacement, plus its turn times its CCD reach, is
 * more than its CCD threshold: its smallest inner radius, or a quarter of that for a bullet. The
 * solver marks these bodies when it moves them (solver/finish_kernel.c).
 *
 * What counts as a hit (sweep_pair.c).
 *
 *      apart at the start   The body gets into the other by more than 3/4 of its CCD threshold. It
 *                           stops where the gap was half a slop: the next step sees a contact that
 *                           is about to close, with the full approach speed.
 *      near at the start    The pair was within the speculative margin, so it was a contact in this
 *                           step and the solver has seen it. A body that slides along a floor must
 *                           go on. The pair may get deeper than it was by a quarter of the hit
 *                           depth before it counts as a hit, and it stops at about that depth.
 *
 * Shallower overlaps are left to the contacts of the next step. A body that was slow until it was
 * hit within this step had no contact with the static shapes ahead of it. It is fast if it moved by
 * more than a quarter of its CCD threshold and by more than the speculative margin, and it hits a
 * static shape at a quarter of the usual depth.
 *
 * Where a body stops. It is put back along its path to the earliest of its hits, and the rest of
 * its motion is lost. It keeps its velocity, except for the work that gravity did on the rest of
 * the path, which is taken back. So a bounce loses time, not energy.
 *
 * Constrained bodies. Sweeps are for the first hits of bodies in free flight; the inside of a pile
 * is left to the contact solver. Two bodies whose velocities were both changed by constraints must
 * pass each other by twice the distance to hit. If joints link them as well, they never stop each
 * other.
 *
 * Kinematic bodies do not stop. A wall or a bat would pass the body that it hit in the rest of the
 * step, so that body is carried: it moves on with the kinematic body, and its path becomes the
 * straight line to where that takes it. Seen from a fast kinematic body all others are fast, so
 * bodies at rest are swept against it, too.
 *
 * Blocks and ranges. In a landslide all bodies are fast, and yet they hardly move relative to each
 * other. The moving tree stores shapes in leaf blocks of eight neighbours. Each block with a fast
 * body gets the range of the motions in it. Two blocks are compared only if their ranges allow
 * relative motions by more than both inner radii; then their shapes are compared in the same way,
 * then pairs of shapes by circles around the bodies, and only what is left by sweeps of the hulls.
 * The boxes in the tree enclose the ends of the paths: to find the shapes that a body may have met,
 * its box is extended by their motions relative to it. The ranges leave out kinematic bodies, so
 * each moving one searches for itself. One at rest searches only near fast bodies that are not in
 * free flight, because these do not search far enough to meet it. They search the terrain, too,
 * because pieces ahead may have no shapes.
 *
 * Rounds. A body that stops changes what others hit: of two bodies that rush at each other, both
 * stop. So the bodies that stopped in one round search again for those that run into them. In each
 * round all searches end before any body stops, and the earliest of all hits of a body counts. So
 * the results depend neither on the order of searches nor on threads, lanes, batches or trees.
 *
 * Look-ahead. A body in free flight or without contacts that moves by more than a quarter of its
 * CCD threshold also looks at the next step. If an immovable shape may be in its path then, its
 * boxes are extended over that path (model/body.c). So the contact exists from the start, and is
 * solved as an impact at its time (pairs/contact_kernel.c): the body lands on the ground, not in
 * it. A body that slides or rolls does not look ahead, or it would hit the seams of a floor. A body
 * that was hit within this step does. */
#define CN_LANES 4
#include "../../collision/tree.h"
#include "sweep.h"

enum {
    MAX_ROUNDS = 4, // searches of stopped bodies, after the first search of all
    BLOCK = 8,      // shapes in a leaf block of the tree
};
// The coarse test of ranges lowers its threshold by this factor, so that rounding excludes no pair.
#define COARSE_FACTOR 0.999f

static int round_of(const cn_motion *m) { return (int)(m->sweep >> CN_SWEEP_ROUND) - 1; }

static void set_round(cn_motion *m, int round) {
    m->sweep = (m->sweep & ((1u << CN_SWEEP_ROUND) - 1)) | (uint32_t)(round + 1) << CN_SWEEP_ROUND;
}

// ---- ranges of motions, by leaf blocks

// Bounds of the motions of some bodies in this step.
typedef struct {
    vec2s low, high; // of the displacements
    float turn;      // metres: the greatest cn_turn_displacement()
    float reach;     // metres: how far a turn carries any point, at most
    float threshold; // metres: the smallest CCD threshold
} range;

// The bodies in cn_simulation.swept, by leaf blocks of the moving tree. A block that has any shape
// of these bodies is listed.
typedef struct {
    cn_simulation *sim;
    bool any_fast;         // some dynamic body is fast, not only looking ahead
    cn_bounds kinematics;  // encloses the boxes of all shapes of kinematic bodies
    cn_bounds fast;        // the boxes of all shapes of fast bodies
    cn_bounds constrained; // the same for those that are not in free flight
    range all;             // motions of all bodies
    range slow;            // motions of the bodies that are not fast
    uint64_t *listed;      // a bit per block
    int *places;           // by block: its index in the list, if it is listed
    int *blocks, count;    // the listed blocks
    range *ranges;         // by index in the list: all motions in the block, except kinematic ones
    int round;             // bodies that stopped in this round search again
} fast_blocks;

static const range no_range = {{{FLT_MAX, FLT_MAX}}, {{-FLT_MAX, -FLT_MAX}}, .threshold = FLT_MAX};
static const range at_rest = {.threshold = 0};

static void widen(range *r, range by) {
    r->low = cn_min2(r->low, by.low), r->high = cn_max2(r->high, by.high);
    r->turn = cn_max(r->turn, by.turn), r->reach = cn_max(r->reach, by.reach);
    r->threshold = cn_min(r->threshold, by.threshold);
}

// A turn carries a point by no more than twice its distance from the centre.
static range range_of(const cn_simulation *sim, int body) {
    const cn_motion m = cn_motion_of(sim, body);
    float reach = cn_min(cn_abs(m.angle), 2) * sim->warm[body].extent;
    return (range){{{m.x, m.y}}, {{m.x, m.y}}, cn_turn_displacement(&m), reach, m.ccd_threshold};
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

static void add_body(fast_blocks *f, int body) {
    const cn_simulation *sim = f->sim;
    bool fast = cn_is_fast(sim, body), may_meet_kinematics = fast && sim->kinematics.count;
    cn_bounds box = no_box;
    CN_EACH_SHAPE(i, sim, body) {
        if (!cn_tree_has(&sim->moving_tree, i)) continue;
        cn_set_bit(f->listed, sim->moving_tree.slots[i] / BLOCK);
        if (may_meet_kinematics) box = cn_box_union(box, cn_tree_box(&sim->moving_tree, i));
    }
    if (fast) widen(&f->all, range_of(sim, body));
    f->any_fast |= fast;
    if (!may_meet_kinematics) return;
    f->fast = cn_box_union(f->fast, box);
    if (!(sim->motions[body].sweep & CN_SWEEP_FREE_FLIGHT))
        f->constrained = cn_box_union(f->constrained, box);
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

static void add_kinematics(fast_blocks *f) {
    cn_simulation *sim = f->sim;
    if (sim->swept_count) enclose_resting(sim);
    f->kinematics = sim->resting_bounds;
    for (int i = 0; i < sim->moving_kinematics.count; i++) {
        int body = sim->moving_kinematics.items[i];
        if (sim->swept_count) f->kinematics = add_boxes(sim, body, f->kinematics);
        if (cn_is_moving_kinematic(&sim->hot[body])) widen(&f->all, range_of(sim, body));
    }
}

// Lists the blocks. The arrays lie in the arena and take about 36 bytes per block. They fit,
// because the last pair search after a change of the tree reserved 128 bytes per block there, and
// CN_ARENA_UNIT for the rounding of each array.
static void list_blocks(fast_blocks *f) {
    cn_simulation *sim = f->sim;
    cn_arena arena = {sim->arena.memory, 0, sim->arena.capacity};
    int blocks = cn_tree_blocks(&sim->moving_tree, 0), words = (blocks + 63) / 64;
    float slow = sim->max_slow_displacement;
    f->listed = cn_take(&arena, words, sizeof *f->listed);
    f->places = cn_take(&arena, blocks, sizeof *f->places);
    f->blocks = cn_take(&arena, blocks, sizeof *f->blocks);
    f->ranges = cn_take(&arena, blocks, sizeof *f->ranges);
    memset(f->listed, 0, (size_t)words * sizeof *f->listed);
    f->slow = (range){{{-slow, -slow}}, {{slow, slow}}, slow, slow, sim->min_ccd_threshold};
    f->all = f->slow;
    f->fast = f->constrained = no_box;
    for (int i = 0; i < sim->swept_count; i++) add_body(f, sim->swept[i]);
    add_kinematics(f);
    CN_EACH_BIT(block, f->listed, blocks) {
        f->places[block] = f->count;
        f->blocks[f->count++] = block;
    }
}

static range range_in(const fast_blocks *f, int block) {
    const cn_simulation *sim = f->sim;
    range r = no_range;
    for (int slot = BLOCK * block; slot < BLOCK * (block + 1); slot++) {
        int body =
            sim->moving_tree.ids[slot] < 0 ? -1 : sim->links[sim->moving_tree.ids[slot]].body;
        if (body < 0 || cn_is_moving_kinematic(&sim->hot[body])) continue;
        widen(&r, range_of(sim, body));
    }
    return r;
}

static void find_ranges(void *context, int first, int end) {
    const fast_blocks *f = context;
    for (int i = first; i < end; i++) f->ranges[i] = range_in(f, f->blocks[i]);
}

// ---- which bodies may have met

// True if a body of one range may have passed a body of the other: they may have moved relative to
// each other by more than `factor` times the sum of their CCD thresholds.
static bool may_pass(const range *a, const range *b, float factor) {
    vec2s most = cn_max2(glms_vec2_sub(a->high, b->low), glms_vec2_sub(b->high, a->low));
    float least = COARSE_FACTOR * factor * (a->threshold + b->threshold) - a->turn - b->turn;
    return least < 0 || glms_vec2_dot(most, most) > least * least;
}

// The factor for may_pass() if the other body is not in free flight.
static float pass_factor(const cn_simulation *sim, int body) {
    return sim->motions[body].sweep & CN_SWEEP_FREE_FLIGHT ? 1 : CN_CONSTRAINED_PASS;
}

/* Returns bounds of where the boxes of other bodies end that a body with this box may have met, if
 * their motions are in the range r. The box encloses the body at the end of its motion m, which it
 * follows up to the fraction u (`until`). Another body has the motion n. Both met with a fraction s
 * of the step left. Then, relative to the box of the body, the box of the other body ends at
 *
 *     s (n - m)            if neither had stopped by then, s in 0 .. 1
 *     s n - (1 - u) m      if the body had stopped by then, s in 0 .. 1 - u; the bounds take all
 *                          s in 0 .. 1, which includes another body that stopped, too
 */
static cn_bounds meeting_bounds(cn_bounds box, const range *own, float until, const range *r) {
    vec2s low = glms_vec2_scale(own->low, until - 1), high = low, zero = cn_vec(0, 0);
    float turn = own->reach + r->reach;
    if (until < 1) {
        low = glms_vec2_add(low, cn_min2(r->low, zero));
        high = glms_vec2_add(high, cn_max2(r->high, zero));
    }
    low = cn_min2(low, glms_vec2_sub(r->low, own->high));
    high = cn_max2(high, glms_vec2_sub(r->high, own->low));
    return cn_box_bounded(cn_box_grown(cn_box_extended(box, (cn_bounds){low, high}), turn));
}

// True if the box overlaps an immovable shape that the shape (-1: any shape) can hit: a shape of a
// static, kinematic or pinned body, or terrain without a shape.
static bool is_immovable_in(const fast_blocks *f, int shape, cn_bounds box) {
    const cn_simulation *sim = f->sim;
    const cn_tree *const trees[] = {&sim->static_tree, &sim->moving_tree};
    bool both = sim->pinned_count > 0 || cn_boxes_overlap(f->kinematics, box);
    for (int i = 0; i < 1 + both; i++) {
        CN_EACH_OVER(other, trees[i], box) {
            bool immovable = cn_is_immovable(&sim->hot[sim->links[other].body]);
            if (immovable && (shape < 0 || cn_should_collide(sim, shape, other))) return true;
        }
    }
    return sim->terrain && sim->terrain->has_piece(sim, box);
}

// Marks the body if an immovable shape may be in the path of its shape in the next step.
static void look_ahead(const fast_blocks *f, int body, int shape, cn_bounds box) {
    cn_simulation *sim = f->sim;
    if (!(sim->motions[body].sweep & CN_SWEEP_LOOKS_AHEAD)) return;
    if (is_immovable_in(f, shape, cn_box_extended(box, cn_motion_bounds(sim, body))))
        cn_set_shared_bit(cn_bits_of(sim, CN_SET_AHEAD), body, sim->team != NULL);
}

// Tests a shape against the static shapes and terrain along its path, which the box and the motion
// give.
static void search_static(cn_sweep_search *s, cn_bounds box, const range *own) {
    cn_bounds path = meeting_bounds(box, own, 1, &at_rest);
    CN_EACH_OVER(other, &s->sim->static_tree, path) cn_sweep_against_shape(s, other);
    cn_sweep_against_terrain(s, path);
}

// Tests the shapes of one body, which is kinematic or has stopped, against all moving shapes. If a
// kinematic body carried it, its path is new, so it is tested against static shapes, too.
static void search_around(const fast_blocks *f, int body) {
    cn_simulation *sim = f->sim;
    float until = sim->motions[body].until;
    const range own = range_of(sim, body);
    cn_sweep_search s = {.sim = sim, .body = body, .shape = sim->warm[body].first_shape};
    for (; s.shape >= 0; s.shape = sim->shapes[s.shape].next) {
        if (!cn_tree_has(&sim->moving_tree, s.shape)) continue;
        cn_bounds box = cn_tree_box(&sim->moving_tree, s.shape);
        s.hull.count = 0;
        if (cn_is_fast(sim, body) && until == 1) search_static(&s, box, &own);
        box = meeting_bounds(box, &own, until, &f->all);
        CN_EACH_OVER(other, &sim->moving_tree, box) cn_sweep_against_shape(&s, other);
    }
}

// ---- the search of a leaf block

// A shape in the block that searches.
typedef struct {
    cn_sweep_search search;
    range range;       // the motion of its body
    cn_bounds box;     // in the tree: it encloses the shape at the end of its path
    float pass_factor; // of its body
} searcher;

// True if the other shape searches, too, and is the one that tests the pair, so that each pair is
// tested once. That is the shape with the smaller factor, or else the one with the lower slot. (If
// two bodies passed each other by a multiple of both thresholds, at least one moved by more than
// that multiple of its own. So one of them searches.)
static bool is_tested_by_other(const searcher *m, int shape) {
    const cn_simulation *sim = m->search.sim;
    int body = sim->links[shape].body;
    float factor = pass_factor(sim, body);
    bool first = factor < m->pass_factor || (factor == m->pass_factor && shape < m->search.shape);
    const range own = range_of(sim, body);
    return first && cn_is_fast(sim, body) && may_pass(&own, &at_rest, factor);
}

// Tests a shape against the shapes of one leaf block, whose motions are in the range r.
static void search_leaf(searcher *m, const cn_tree *tree, int block, const range *r) {
    if (!may_pass(&m->range, r, m->pass_factor)) return;
    cn_bounds box = meeting_bounds(m->box, &m->range, 1, r);
    CN_EACH_LANE(k, cn_box8_overlaps(&tree->boxes[0][block], box)) {
        int shape = tree->ids[BLOCK * block + k];
        if (!is_tested_by_other(m, shape)) cn_sweep_against_shape(&m->search, shape);
    }
}

// Tests the searchers of a block against all moving shapes. `own` is the range of the block.
static void search_moving(const fast_blocks *f, const range *own, searcher **searchers, int count) {
    const cn_tree *tree = &f->sim->moving_tree;
    cn_bounds box = searchers[0]->box;
    float factor = searchers[0]->pass_factor;
    for (int k = 1; k < count; k++) {
        box = cn_box_union(box, searchers[k]->box);
        factor = cn_min(factor, searchers[k]->pass_factor);
    }
    cn_tree_walk walk;
    cn_walk_begin(&walk, tree, meeting_bounds(box, own, 1, &f->all), 1);
    for (int block; (block = cn_walk_next(&walk)) >= 0;) {
        // Blocks that are not listed have slow bodies only. Their exact range is not known yet.
        const range *r = cn_has_bit(f->listed, block) ? &f->ranges[f->places[block]] : &f->slow;
        if (!may_pass(own, r, factor) ||
            !cn_boxes_overlap(cn_box8_get(tree->boxes[1], block), meeting_bounds(box, own, 1, r)))
            continue;
        const range exact = r == &f->slow ? range_in(f, block) : *r;
        for (int k = 0; k < count; k++) search_leaf(searchers[k], tree, block, &exact);
    }
}

// The search of a listed block, for its shapes whose bodies are fast or look ahead.
static void search_block(const fast_blocks *f, int i) {
    cn_simulation *sim = f->sim;
    searcher shapes[BLOCK], *searchers[BLOCK];
    cn_bounds all = cn_box8_get(sim->moving_tree.boxes[1], f->blocks[i]);
    vec2s farthest = cn_vec(0, 0); // along x and y, in this step or the next, any of the shapes
    int count = 0, searcher_count = 0;
    for (int slot = BLOCK * f->blocks[i]; slot < BLOCK * (f->blocks[i] + 1); slot++) {
        int shape = sim->moving_tree.ids[slot], body = shape < 0 ? -1 : sim->links[shape].body;
        if (body < 0 || !(sim->motions[body].sweep & (CN_SWEEP_FAST | CN_SWEEP_LOOKS_AHEAD)))
            continue;
        searcher *m = &shapes[count++];
        m->search.sim = sim, m->search.body = body, m->search.shape = shape;
        m->search.hull.count = 0;
        m->box = cn_box8_get(sim->moving_tree.boxes[0], slot);
        const cn_motion *motion = &sim->motions[body];
        const cn_body_hot *hot = &sim->hot[body];
        float dt = sim->step_seconds, turn = cn_max(cn_abs(motion->angle), cn_abs(hot->w) * dt);
        turn = cn_min(turn, 2) * sim->warm[body].extent;
        farthest =
            cn_max2(farthest, cn_vec(cn_max(cn_abs(motion->x), cn_abs(hot->vx) * dt) + turn,
                                     cn_max(cn_abs(motion->y), cn_abs(hot->vy) * dt) + turn));
        if (!cn_is_fast(sim, body)) continue;
        m->range = range_of(sim, body);
        m->pass_factor = pass_factor(sim, body);
    }
    // Most blocks have nothing immovable nearby, so one query for all of the block decides first.
    cn_bounds reach = {glms_vec2_negate(farthest), farthest};
    bool immovable = is_immovable_in(f, -1, cn_box_extended(all, reach));
    for (int k = 0; k < count && (immovable || f->any_fast); k++) {
        searcher *m = &shapes[k];
        bool fast = cn_is_fast(sim, m->search.body);
        if (immovable) look_ahead(f, m->search.body, m->search.shape, m->box);
        if (immovable && fast) search_static(&m->search, m->box, &m->range);
        if (fast && may_pass(&m->range, &at_rest, m->pass_factor)) searchers[searcher_count++] = m;
    }
    if (searcher_count) search_moving(f, &f->ranges[i], searchers, searcher_count);
}

// ---- rounds

static void search_blocks(void *context, int first, int end) {
    for (int i = first; i < end; i++) search_block(context, i);
}

static void search_stopped(void *context, int first, int end) {
    const fast_blocks *f = context;
    for (int i = first; i < end; i++)
        if (round_of(&f->sim->motions[f->sim->swept[i]]) == f->round)
            search_around(f, f->sim->swept[i]);
}

static void search_listed(void *context, cn_worker *worker) {
    fast_blocks *f = context;
    if (f->any_fast) cn_distribute(worker, f->count, 32, find_ranges, f);
    cn_distribute(worker, f->count, 8, search_blocks, f);
}

// True if a kinematic body may have met a body whose box is in the region. (The boxes are those of
// search_around().)
static bool may_have_met(const fast_blocks *f, int body, const range *own, cn_bounds region) {
    const cn_simulation *sim = f->sim;
    float until = sim->motions[body].until;
    CN_EACH_SHAPE(i, sim, body) {
        cn_bounds box = cn_tree_box(&sim->moving_tree, i);
        if (cn_boxes_overlap(meeting_bounds(box, own, until, &f->all), region)) return true;
    }
    return false;
}

// Searches around the moving kinematic bodies. Far away from all fast bodies, they can only have
// met slow ones.
static void search_moving_kinematics(fast_blocks *f) {
    cn_simulation *sim = f->sim;
    for (int i = 0; i < sim->moving_kinematics.count; i++) {
        int body = sim->moving_kinematics.items[i];
        const range own = range_of(sim, body);
        if (!may_pass(&own, &f->all, 1)) continue;
        if (may_pass(&own, &f->slow, 1) || may_have_met(f, body, &own, f->fast))
            search_around(f, body);
    }
}

// Kinematic bodies at rest can only have met fast bodies. Those in free flight have looked for
// themselves.
static void search_resting_kinematics(fast_blocks *f) {
    cn_simulation *sim = f->sim;
    cn_bounds reach = meeting_bounds(f->kinematics, &at_rest, 1, &f->all);
    if (!cn_boxes_overlap(reach, f->constrained)) return;
    for (int i = 0; i < sim->kinematics.count; i++) {
        int body = sim->kinematics.items[i];
        if (!cn_is_moving_kinematic(&sim->hot[body]) &&
            may_have_met(f, body, &at_rest, f->constrained))
            search_around(f, body);
    }
}

// The first round. Workers search the listed blocks at the same time, then this thread searches
// around the kinematic bodies. If the user set a filter, this thread does all, because only one
// thread may call the filter.
static void search_all(fast_blocks *f) {
    cn_run(f->sim->filter ? NULL : f->sim->team, f->sim->swept_count, search_listed, f);
    if (f->sim->moving_kinematics.count) search_moving_kinematics(f);
    if (f->any_fast) search_resting_kinematics(f);
}

// The gap between two bodies when the first one stops: the smallest of all pairs of shapes that may
// touch.
static cn_gapd gap_at_stop(const cn_simulation *sim, int body, int other) {
    double until = cn_sweep_of_body(sim, body).end_fraction;
    cn_gapd least = {.distance = DBL_MAX};
    CN_EACH_SHAPE(i, sim, body)
        CN_EACH_SHAPE(k, sim, other) {
            cn_swept_hull a = cn_swept_shape(sim, i), b = cn_swept_shape(sim, k);
            cn_gapd gap = cn_gap_at(&a, &b, until);
            if (gap.distance < least.distance && cn_may_touch(sim, i, k)) least = gap;
        }
    return least;
}

// Moves the body by d = {x, y, angle}, except along locked axes, and adds this to its motion in the
// step. Changes d to the displacement that was made.
static void shift_body(cn_simulation *sim, int body, float *d) {
    cn_motion *m = &sim->motions[body];
    for (int k = 0; k < 3; k++)
        if (sim->hot[body].flags & (uint32_t)CN_BODY_LOCK_X << k) d[k] = 0;
    cn_move_body(&sim->hot[body], d);
    m->x += d[0], m->y += d[1], m->angle += d[2];
    cn_place_shapes(sim, body, FLT_MAX, true);
}

// If the body stopped at a kinematic body, moves it on with that body for the rest of the step: as
// a part of it, and out of any overlap. Its path becomes the straight line to there, so the next
// round tests that path against others.
static void carry_body(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    cn_motion *m = &sim->motions[body];
    for (int i = 0; i < sim->moving_kinematics.count && m->until < 1; i++) {
        int kinematic = sim->moving_kinematics.items[i];
        if (!cn_is_moving_kinematic(&sim->hot[kinematic])) continue;
        const cn_motion n = cn_motion_of(sim, kinematic);
        float rest = 1 - m->until, x = rest * (n.x - m->x), y = rest * (n.y - m->y);
        vec2s arm = cn_vec(hot->x - sim->hot[kinematic].x + x, hot->y - sim->hot[kinematic].y + y);
        float reach = sim->warm[body].extent + sim->warm[kinematic].extent + sim->tuning.slop;
        if (glms_vec2_norm(arm) > reach) continue;
        cn_gapd gap = gap_at_stop(sim, body, kinematic);
        if (gap.distance >= (double)sim->tuning.slop) continue;
        cn_vec2d out = cn_add_scaled(cn_widen(arm), fmin(gap.distance, 0), gap.normal);
        vec2s turned = cn_rotate(cn_rotation_full(rest * n.angle), cn_narrow(out));
        float d[3] = {x + turned.x - arm.x, y + turned.y - arm.y, rest * (n.angle - m->angle)};
        shift_body(sim, body, d);
        m->stop = m->until = 1;
    }
}

// Stops the bodies for which the searches found an earlier stop. True if there is any.
static bool stop_bodies(cn_simulation *sim, int round) {
    bool any = false;
    for (int i = 0; i < sim->swept_count; i++) {
        cn_motion *m = &sim->motions[sim->swept[i]];
        if (!(m->stop < m->until)) continue;
        m->until = m->stop;
        if (!cn_was_stopped(m)) carry_body(sim, sim->swept[i]);
        set_round(m, round);
        any = true;
    }
    cn_tree_refit(&sim->moving_tree);
    return any;
}

// ---- after the last round

/* Takes back the motion of a body after its stop, and the work that gravity did meanwhile. With
 * gravity g and the displacement d back to the stop, the speed v along gravity changes such that
 *
 *     m v^2 / 2 changes by m g.d
 *
 * It does not change sign; if the work was more than the whole energy, v becomes 0. */
static void put_back(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    cn_motion *m = &sim->motions[body];
    float rest = m->until - 1, d[3] = {rest * m->x, rest * m->y, rest * m->angle};
    m->x += d[0], m->y += d[1], m->angle += d[2]; // the motion that is left
    m->until = 1;
    vec2s g = glms_vec2_scale(sim->gravity, hot->gravity_scale);
    if (hot->flags & CN_BODY_LOCK_X) g.x = 0;
    if (hot->flags & CN_BODY_LOCK_Y) g.y = 0;
    cn_move_body(hot, d);
    vec2s down = glms_vec2_normalize(g);
    float work = g.x * d[0] + g.y * d[1], speed = hot->vx * down.x + hot->vy * down.y;
    if (hot->flags & CN_BODY_LIMITED) work = cn_min(work, 0); // it has a speed limit
    float changed = (speed < 0 ? -1.0f : 1.0f) * sqrtf(cn_max(0, speed * speed + 2 * work));
    if (!cn_finite(changed)) return;
    hot->vx += (changed - speed) * down.x, hot->vy += (changed - speed) * down.y;
}

// Pushes a stopped body B out of the immovable body A of a contact, up to the depth that a near
// pair may have. A thin body would otherwise get a little deeper with every stop, and through in
// the end.
static void push_out(cn_simulation *sim, int slot) {
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    cn_contact_bodies pair = sim->touching.bodies[slot];
    cn_swept_hull a = cn_swept_shape(sim, anchor->shape_a);
    cn_swept_hull b = cn_swept_shape(sim, anchor->shape_b);
    cn_gapd gap = cn_gap_at(&a, &b, 1);
    double out = -CN_NEAR_DEPTH * CN_HIT_DEPTH * b.inner - gap.distance;
    bool disabled = sim->touching.records[slot].meta & CN_META_DISABLED;
    if (disabled || out <= 0 || -gap.distance > CN_MAX_DEPTH * (a.inner + b.inner)) return;
    shift_body(sim, pair.b, (float[3]){(float)(out * gap.normal.x), (float)(out * gap.normal.y)});
}

// Makes the contacts that stopped bodies have already be solved as impacts. (Contacts that begin in
// the next step see the flag CN_BODY_EXPECTS_IMPACT of the body.)
static void expect_impacts(cn_simulation *sim) {
    const cn_touching_rows *touching = &sim->touching;
    CN_EACH_BIT(slot, touching->occupied, touching->end) {
        int a = touching->bodies[slot].a, b = touching->bodies[slot].b;
        bool stopped = cn_was_stopped(&sim->motions[a]) || cn_was_stopped(&sim->motions[b]);
        if (!cn_is_dynamic(&sim->hot[a]) && cn_was_stopped(&sim->motions[b])) push_out(sim, slot);
        if (!stopped || touching->records[slot].meta & CN_META_BOUNCY) continue;
        cn_expect_impact(&touching->records[slot]);
        cn_update_row_type(sim, slot);
        cn_replan_body(sim, a);
        cn_replan_body(sim, b);
    }
}

// Puts the stopped bodies back. They, and the bodies with an immovable shape ahead, expect impacts
// in the next step.
static void finish_sweeps(cn_simulation *sim) {
    bool any_stopped = false;
    for (int i = 0; i < sim->swept_count; i++) {
        int body = sim->swept[i];
        bool stopped = cn_was_stopped(&sim->motions[body]);
        if (sim->motions[body].until < 1) put_back(sim, body);
        any_stopped |= stopped;
        if (!stopped && !cn_has_bit(cn_bits_of(sim, CN_SET_AHEAD), body)) continue;
        cn_clear_bit(cn_bits_of(sim, CN_SET_AHEAD), body);
        sim->hot[body].flags |= CN_BODY_EXPECTS_IMPACT;
        cn_place_shapes(sim, body, FLT_MAX, true);
    }
    if (any_stopped) expect_impacts(sim);
    for (int i = 0; i < sim->swept_count; i++) sim->motions[sim->swept[i]].sweep = 0;
}

void cn_sweep_bodies(cn_simulation *sim) {
    if (sim->swept_count || sim->moving_kinematics.count) {
        fast_blocks f = {.sim = sim};
        cn_tree_refit(&sim->moving_tree);
        cn_tree_refit(&sim->static_tree);
        list_blocks(&f);
        search_all(&f);
        for (; stop_bodies(sim, f.round) && f.round < MAX_ROUNDS; f.round++)
            cn_run_loop(sim->filter ? NULL : sim->team, sim->swept_count, 32, search_stopped, &f);
        finish_sweeps(sim);
    }
}
