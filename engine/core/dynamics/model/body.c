/* The consequences of a change of a body or its shapes: poses of shapes, boxes, the plan.
 * Masses are in mass.c.
 *
 * The pose of a body is that of its centre of mass. Users know the pose of its origin. Both have
 * the same rotation R, and the centre is at a fixed place in the body's frame:
 *
 *     centre = origin + R center,   shape's centre = centre + R (shape's place - center)
 *                                                             '------- offset -------'
 *
 * A shape's proxy in the tree has a fat box. It keeps that box as long as the box contains the
 * tight box grown by half of the speculative margin, so that any two shapes within the margin have
 * overlapping boxes. A new fat box is the tight box grown by tuning.box_margin, which is more, so a
 * slow body rarely needs one.
 *
 * The boxes of some bodies also cover the motion of the next step, so that a contact exists in the
 * step of the impact (step/move_kernel.c). They are:
 *
 *     - kinematic bodies
 *     - bodies with immovable shapes in their path, which then land on the ground, not in it
 *     - bodies with a joint: if the sweep stopped one, its neighbours would tear the joint
 *     - bodies in free flight, if any shape in the world has restitution: they bounce in time
 *     - bodies that continuous collision stopped: they may have been stopped at one that moves on
 *     - bodies whose pose or velocity was just set
 *
 * The boxes of other bodies rely on the margin alone. In a fast pile, longer boxes would make every
 * body a neighbour of every other. */
#include "model.h"

// ---- constants

// Fraction of the speculative margin that a box must contain around its shape: two boxes share it.
#define MARGIN_PER_BOX 0.5f

// ---- rare properties

const cn_shape_rare cn_common_shape = {
    .filter = {1, UINT64_MAX, 0}, .chain = -1, .segment = -1, .terrain = {-1, -1}};

// Once the rows exist, cn_resize_slots() lets them grow with the other rows of shapes.
bool cn_reserve_rare(cn_simulation *sim) {
    int needed = cn_max_int(sim->slots[CN_SHAPES].capacity, 1);
    return cn_grow(&sim->memory, &sim->rare, &sim->rare_capacity, needed);
}

cn_shape_rare *cn_make_rare(cn_simulation *sim, int shape) {
    if (!cn_reserve_rare(sim)) return NULL;
    if (!(sim->shapes[shape].flags & CN_SHAPE_RARE)) sim->rare[shape] = cn_common_shape;
    sim->shapes[shape].flags |= CN_SHAPE_RARE;
    return &sim->rare[shape];
}

// ---- hulls

// Returns the hull of a shape, placed in the body's frame.
static cn_placed_hull place_in_body(const cn_simulation *sim, int shape) {
    cn_placed_hull placed = sim->placed[shape];
    placed.pose = sim->shapes[shape].pose;
    return placed;
}

cn_hull cn_hull_of(const cn_simulation *sim, int shape) {
    cn_placed_hull placed = place_in_body(sim, shape);
    return cn_hull_from_placed(&placed, sim->hulls.hulls8);
}

cn_hull cn_outline_of(const cn_simulation *sim, int shape) {
    cn_placed_hull placed = place_in_body(sim, shape);
    return cn_outline_from_placed(&placed, sim->hulls.hulls8);
}

// ---- boxes

cn_bounds cn_motion_bounds(const cn_simulation *sim, int body) {
    const cn_motion next = cn_next_motion(sim, body);
    const float extent = sim->warm[body].extent;
    float covered = sim->tuning.box_margin - MARGIN_PER_BOX * sim->tuning.speculative_margin;
    if (cn_reach_of(&next, extent) <= covered) return (cn_bounds){0};
    return cn_box_of_displacement(next.x, next.y, cn_turn_reach(next.angle, extent));
}

cn_bounds cn_fat_bounds(const cn_simulation *sim, int shape) {
    cn_bounds motion = cn_motion_bounds(sim, sim->links[shape].body);
    cn_bounds tight = cn_placed_bounds(&sim->placed[shape], sim->hulls.hulls8);
    return cn_box_grown(cn_box_extended(tight, motion), sim->tuning.box_margin);
}

// ---- poses of shapes, and new boxes

cn_placed_hull cn_placed_after(const cn_simulation *sim, int shape, vec2s displacement,
                               float turn) {
    cn_placed_hull placed = sim->placed[shape];
    cn_rotation spin = cn_rotation_of_step(turn);
    vec2s before = sim->links[shape].offset, offset = cn_rotate(spin, before);
    placed.pose.position.x += displacement.x + offset.x - before.x;
    placed.pose.position.y += displacement.y + offset.y - before.y;
    placed.pose.rotation = cn_combine(spin, placed.pose.rotation);
    return placed;
}

float cn_closing_speed_bound(const cn_simulation *sim, int body_a, int body_b) {
    const cn_body_hot *a = &sim->hot[body_a], *b = &sim->hot[body_b];
    return glms_vec2_norm(cn_vec(b->vx - a->vx, b->vy - a->vy)) +
           cn_abs(a->w) * sim->warm[body_a].extent + cn_abs(b->w) * sim->warm[body_b].extent;
}

// Returns how far the inner box may move in any direction within the outer one, less the rounding
// errors of that motion.
static float measure_slack(cn_bounds outer, cn_bounds inner) {
    float x = cn_min(inner.lower.x - outer.lower.x, outer.upper.x - inner.upper.x);
    float y = cn_min(inner.lower.y - outer.lower.y, outer.upper.y - inner.upper.y);
    float size = cn_max(cn_abs(outer.lower.x) + cn_abs(outer.upper.x),
                        cn_abs(outer.lower.y) + cn_abs(outer.upper.y));
    return cn_min(x, y) - CN_BOX_ROUNDING * size;
}

void cn_publish_moves(cn_simulation *sim, cn_move_report *report) {
    if (sim->team) cn_lock(&sim->lock);
    if (report->count)
        memcpy(sim->dirty_shapes + sim->dirty_count, report->moved,
               (size_t)report->count * sizeof(int));
    sim->dirty_count += report->count;
    if (sim->team) cn_unlock(&sim->lock);
    report->count = 0;
}

static void report_move(cn_simulation *sim, int shape, cn_move_report *report) {
    if (report->count == CN_MOVE_REPORT_SIZE) cn_publish_moves(sim, report);
    if (!sim->dirty[shape]) report->moved[report->count++] = shape;
    sim->dirty[shape] |= CN_DIRTY_BOX;
}

void cn_refit_body(cn_simulation *sim, int body, float moved, bool reset, bool ahead,
                   cn_move_report *report) {
    cn_bounds motion = ahead ? cn_motion_bounds(sim, body) : (cn_bounds){0};
    bool extended =
        motion.lower.x < 0 || motion.upper.x > 0 || motion.lower.y < 0 || motion.upper.y > 0;
    CN_EACH_SHAPE(i, sim, body) {
        cn_place_shape(sim, body, i);
        sim->box_slack[i] -= moved;
        if (sim->box_slack[i] > 0 && !reset && !extended) continue;
        cn_tree *tree = cn_tree_of(sim, body);
        if (!cn_tree_has(tree, i)) continue;
        float margin = MARGIN_PER_BOX * sim->tuning.speculative_margin;
        cn_bounds swept =
            cn_box_extended(cn_placed_bounds(&sim->placed[i], sim->hulls.hulls8), motion);
        cn_bounds needed = cn_box_grown(swept, margin), box = cn_tree_box(tree, i);
        if (reset || !cn_box_contains(box, needed)) {
            box = cn_box_grown(swept, sim->tuning.box_margin);
            cn_tree_move(tree, i, box);
            report_move(sim, i, report);
        }
        sim->box_slack[i] = measure_slack(box, needed);
    }
}

void cn_place_shapes(cn_simulation *sim, int body, float moved, bool reset) {
    cn_move_report report = {0};
    cn_refit_body(sim, body, moved, reset, true, &report);
    cn_publish_moves(sim, &report);
    cn_forget_resting_bounds(sim, body);
    cn_tree *tree = cn_tree_of(sim, body);
    CN_EACH_SHAPE(i, sim, body) {
        if (cn_tree_has(tree, i)) cn_tree_enclose(tree, i);
    }
}

bool cn_tidy_boxes(cn_simulation *sim, cn_tree *tree) {
    if (!cn_tree_is_untidy(tree)) return true;
    uint64_t *scratch = cn_scratch(sim, cn_tree_sort_bytes(tree->slot_count));
    if (scratch) cn_tree_tidy(tree, scratch);
    return scratch;
}

bool cn_update_boxes(cn_simulation *sim, cn_tree *tree) {
    if (!cn_load_relaxed(&tree->changed)) return true;
    uint64_t *scratch = cn_scratch(sim, cn_tree_sort_bytes(tree->slot_count));
    if (!scratch) return false;
    cn_tree_update(tree, scratch, NULL, 0);
    cn_tree_commit(tree);
    return true;
}

static cn_pose origin_of(const cn_body_hot *hot, vec2s position, vec2s center) {
    cn_rotation q = {hot->c, hot->s};
    return (cn_pose){glms_vec2_sub(position, cn_rotate(q, center)), q};
}

cn_pose cn_origin_pose(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    return origin_of(hot, cn_vec(hot->x, hot->y), sim->warm[body].center);
}

cn_pose cn_settled_pose(const cn_simulation *sim, int body) {
    cn_counted_mass counted = cn_settled_mass(sim, body);
    return origin_of(&sim->hot[body], counted.position, counted.mass.center);
}

void cn_keep_poses(cn_simulation *sim) {
    CN_EACH(CN_BODIES, i, sim) sim->previous[i] = cn_origin_pose(sim, i);
}

static void keep_listed_poses(cn_simulation *sim, const int *bodies, int count) {
    for (int i = 0; i < count; i++) sim->previous[bodies[i]] = cn_origin_pose(sim, bodies[i]);
}

void cn_keep_moving_poses(cn_simulation *sim) {
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        if (batch->alive) keep_listed_poses(sim, batch->bodies.items, batch->body_count);
    }
    keep_listed_poses(sim, sim->kinematics.items, sim->kinematics.count);
}

void cn_set_origin(cn_simulation *sim, int body, vec2s position) {
    cn_body_hot *hot = &sim->hot[body];
    cn_pose origin = {position, {hot->c, hot->s}};
    vec2s center = cn_to_world(origin, sim->warm[body].center);
    hot->x = center.x, hot->y = center.y;
    hot->low_x = 0, hot->low_y = 0;
}

void cn_set_origin_pose(cn_simulation *sim, int body, cn_pose origin) {
    cn_rotation q = cn_renormalize(origin.rotation);
    sim->hot[body].c = q.c, sim->hot[body].s = q.s;
    cn_set_origin(sim, body, origin.position);
}

// ---- dirty flags and the plan

void cn_mark_body_dirty(cn_simulation *sim, int body, uint8_t dirty) {
    CN_EACH_SHAPE(i, sim, body) cn_mark_dirty(sim, i, dirty);
    cn_replan_body(sim, body);
}

static void mark_batch_of(cn_simulation *sim, int body) {
    const int batch = sim->warm[body].batch;
    cn_set_shared_bool(&sim->plan.dirty);
    if (batch >= 0) cn_set_shared_bool(&sim->plan.batches[batch].dirty);
}

// True if the body must be added to the next plan.
static bool is_missing(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    return sim->warm[body].batch < 0 && cn_is_solved(hot) && !(hot->flags & CN_BODY_UNPLANNED);
}

void cn_replan_batch_of(cn_simulation *sim, int body) {
    assert(!is_missing(sim, body));
    mark_batch_of(sim, body);
}

void cn_replan_body(cn_simulation *sim, int body) {
    mark_batch_of(sim, body);
    if (!is_missing(sim, body)) return;
    sim->hot[body].flags |= CN_BODY_UNPLANNED;
    sim->unplanned[sim->unplanned_count++] = body;
}

void cn_replan_all(cn_simulation *sim) {
    for (int i = 0; i < sim->plan.batch_count; i++) sim->plan.batches[i].dirty = true;
    sim->plan.dirty = true;
}
