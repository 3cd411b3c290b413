/* Filters for pairs that are near enough to touch. (Categories, masks and groups are tested when
 * the boxes of the pair begin to overlap: model/filter.c.)
 *
 *     joints     Bodies that a joint connects do not collide, unless the joint says so. Bodies that
 *                overlap deeply when their joint is removed do not collide before they part.
 *     one-way    A platform lets shapes through that come from below. It blocks a shape that was
 *                above its face in the last step, or above a crest where one-way ground goes on
 *                behind the face. It also blocks a shape that touches this further ground: heavy
 *                bodies are pressed in deeply. Any other shape passes until the two part.
 *
 * A pair that may not touch stays an apart pair. So the pair is tested again when the reason has
 * ended. This file also calls the user's pre-solve callback. */
#include "pairs.h"

#include <math.h>

// Fraction of the smaller inner radius: two bodies with a greater overlap, as the links of a chain
// may have, would be thrown apart after their joint was removed. They pass until they part.
#define PASSING_OVERLAP 0.5

// ---- one-way

// A one-way shape, or a one-way piece of terrain without a shape.
typedef struct {
    int body;
    cn_hull hull;              // in the frame of the body
    vec2s up;                  // likewise
    const cn_surface *surface; // NULL if it is that of the hull, or not known
    cn_rotation frame;         // of the surface, in the frame of the body
} platform;

// A direction of the user may have any length.
static vec2s unit_of(vec2s direction) { return cn_narrow(cn_unit2d(cn_widen(direction))); }

static platform platform_of(const cn_simulation *sim, int shape) {
    int surface = sim->surface_of[shape];
    return (platform){.body = sim->links[shape].body,
                      .hull = cn_hull_of(sim, shape),
                      .up = unit_of(cn_rare_of(sim, shape)->one_way),
                      .surface = surface > 0 ? &sim->surfaces.items[surface] : NULL,
                      .frame = sim->shapes[shape].pose.rotation};
}

// Returns the edge of a hull that points most along `up`.
static int find_edge(const cn_hull *hull, vec2s up) {
    int best = 0;
    for (int i = 1; i < hull->count; i++)
        if (glms_vec2_dot(hull->normals[i], up) > glms_vec2_dot(hull->normals[best], up)) best = i;
    return best;
}

static int find_face(const platform *p) { return find_edge(&p->hull, p->up); }

vec2s cn_one_way_normal(const cn_hull *hull, vec2s up) {
    up = unit_of(up);
    return hull->count == 1 ? up : hull->normals[find_edge(hull, up)];
}

// Returns the origin pose of the body before it moved in this step.
static cn_pose pose_before(const cn_simulation *sim, int body) {
    cn_body_sweep sweep = cn_sweep_of_body(sim, body);
    vec2s arm = cn_rotate(sweep.start, sim->warm[body].center);
    return (cn_pose){
        cn_vec((float)sweep.start_center.x - arm.x, (float)sweep.start_center.y - arm.y),
        sweep.start};
}

// True if a shape was behind a segment of a chain before the two moved in this step.
static bool was_behind(const cn_simulation *sim, int segment, int other) {
    if (!cn_is_one_sided(sim, segment)) return false;
    cn_hull hull = cn_hull_of(sim, segment);
    // The centre decides: near a crest a corner of the shape may be behind the line of a segment.
    vec2s center = sim->shapes[other].pose.position;
    vec2s place = cn_to_world(pose_before(sim, sim->links[other].body), center);
    place = cn_to_local(pose_before(sim, sim->links[segment].body), place);
    return glms_vec2_dot(hull.normals[0], glms_vec2_sub(place, hull.vertices[0])) < 0;
}

// True if another one-way face goes on behind a convex corner of the face, and the other shape is
// above this corner: the shortest way out of the platform is between the two faces. The shape may
// be pressed in deeply, but not be placed there.
static bool is_above_crest(const cn_simulation *sim, const platform *p, int face, int other,
                           bool before) {
    if (!p->surface) return false;
    cn_body_sweep sweep = cn_sweep_of_body(sim, p->body);
    cn_swept_hull a = cn_make_swept_hull(&p->hull, sim->warm[p->body].center, &sweep);
    cn_swept_hull b = cn_swept_shape(sim, other);
    cn_gapd gap = cn_gap_at(&a, &b, before ? 0 : 1);
    if (gap.distance < -(double)cn_recovery_depth(sim, sim->links[other].body)) return false;
    cn_pose pose = before ? pose_before(sim, p->body) : cn_origin_pose(sim, p->body);
    vec2s normal = cn_unrotate(p->frame, cn_unrotate(pose.rotation, cn_narrow(gap.normal)));
    vec2s own = cn_unrotate(p->frame, p->hull.normals[face]);
    return cn_surface_goes_on(p->surface, face, own, normal, cn_unrotate(p->frame, p->up));
}

// If `before` is true, this tests the poses before the motion of the step.
static bool is_above(const cn_simulation *sim, const platform *p, int other, bool before) {
    int body = p->body, other_body = sim->links[other].body, face = find_face(p);
    cn_hull other_hull = cn_hull_of(sim, other);
    cn_pose pose = before ? pose_before(sim, body) : cn_origin_pose(sim, body);
    cn_pose other_pose = before ? pose_before(sim, other_body) : cn_origin_pose(sim, other_body);
    vec2s n = cn_rotate(pose.rotation, cn_one_way_normal(&p->hull, p->up));
    float top = cn_hull_project(&p->hull, pose, n).y;
    float bottom = cn_hull_project(&other_hull, other_pose, n).x, depth = sim->tuning.slop;
    const cn_body_hot *a = &sim->hot[body], *b = &sim->hot[other_body];
    float falling = (a->vx - b->vx) * n.x + (a->vy - b->vy) * n.y;
    if (!before) depth += cn_max(falling, 0) * sim->step_seconds;
    return top - bottom <= depth || is_above_crest(sim, p, face, other, before);
}

// Returns where the face of a platform begins (0) or ends (1), in the world.
static vec2s end_of_face(const cn_simulation *sim, const platform *p, int end) {
    int corner = (find_face(p) + end) % p->hull.count;
    return cn_to_world(cn_origin_pose(sim, p->body), p->hull.vertices[corner]);
}

// True if the face of one platform ends where that of the other begins.
static bool is_next_face(const cn_simulation *sim, const platform *p, const platform *q) {
    for (int end = 0; end < 2; end++) {
        vec2s a = end_of_face(sim, p, end), b = end_of_face(sim, q, 1 - end);
        if (glms_vec2_distance(a, b) <= sim->tuning.slop) return true;
    }
    return false;
}

// True if the other shape touches a platform whose face goes on in that of this one. So it was
// above, however deep it is pressed into both.
static bool is_on_next_face(const cn_simulation *sim, const platform *p, int other) {
    if (!p->surface) return false;
    CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end) {
        const cn_anchor *anchor = &sim->touching.anchors[slot];
        int shape = anchor->shape_a == other ? anchor->shape_b : anchor->shape_a;
        if ((anchor->shape_a != other && anchor->shape_b != other) || !cn_is_one_way(sim, shape))
            continue;
        platform q = platform_of(sim, shape);
        if (is_next_face(sim, p, &q)) return true;
    }
    return false;
}

// True unless the shape is one-way and the other shape passes it. If `before` is true, this tests
// the poses before the motion of the step.
static bool blocks(const cn_simulation *sim, int shape, int other, bool before) {
    if (before && was_behind(sim, shape, other)) return false;
    if (!cn_is_one_way(sim, shape)) return true;
    if (cn_is_dropping(sim, sim->links[other].body)) return false;
    platform p = platform_of(sim, shape);
    if (is_above(sim, &p, other, before)) return true;
    // A body that turns may have come down faster than its centre did.
    return !before && (blocks(sim, shape, other, true) || is_on_next_face(sim, &p, other));
}

bool cn_passes_one_way(const cn_simulation *sim, int shape_a, int shape_b, bool before) {
    uint32_t flags = sim->shapes[shape_a].flags | sim->shapes[shape_b].flags;
    bool has_segment = before && flags & CN_SHAPE_ONE_SIDED;
    if (sim->one_way_shapes == 0 && !has_segment) return false;
    return !blocks(sim, shape_a, shape_b, before) || !blocks(sim, shape_b, shape_a, before);
}

bool cn_passes_piece(const cn_simulation *sim, const cn_terrain_piece *piece, int shape) {
    if (piece->one_way.x == 0 && piece->one_way.y == 0) return false;
    if (cn_is_dropping(sim, sim->links[shape].body)) return true;
    platform p = {.body = piece->body, .hull = piece->hull, .up = unit_of(piece->one_way)};
    return !is_above(sim, &p, shape, true);
}

// ---- pairs

bool cn_is_excluded_pair(const cn_simulation *sim, int shape_a, int shape_b) {
    int a = sim->links[shape_a].body, b = sim->links[shape_b].body;
    if (sim->slots[CN_JOINTS].count && cn_joint_prevents_collision(sim, a, b)) return true;
    if (sim->drop_throughs.count == 0 || sim->one_way_shapes == 0) return false;
    return (cn_is_one_way(sim, shape_a) && cn_is_dropping(sim, b)) ||
           (cn_is_one_way(sim, shape_b) && cn_is_dropping(sim, a));
}

// True if the slot has a body that lost a joint since the last step.
static bool lost_joint(const cn_simulation *sim, int body) {
    return body >= 0 && body < sim->slots[CN_BODIES].end &&
           sim->hot[body].flags & CN_BODY_JOINT_REMOVED;
}

static uint64_t parted_key(int a, int b) {
    return (uint64_t)cn_min_int(a, b) << 32 | (uint64_t)cn_max_int(a, b);
}

bool cn_find_parted(cn_simulation *sim) {
    sim->parted.count = 0;
    if (!sim->may_have_parted) return true;
    for (int i = 0; i < sim->slots[CN_JOINTS].end; i++) { // destroyed joints keep their bodies
        const int32_t *bodies = sim->joint_records[i].bodies;
        if (lost_joint(sim, bodies[0]) && lost_joint(sim, bodies[1]) &&
            !cn_append(&sim->memory, &sim->parted, parted_key(bodies[0], bodies[1])))
            return false;
    }
    sim->may_have_parted = sim->parted.count > 0;
    return !sim->may_have_parted || cn_sort_list(sim, &sim->parted);
}

// True if a joint between the bodies was removed since the last step, and the shapes overlap
// deeply.
static bool must_part_first(const cn_simulation *sim, int shape_a, int shape_b) {
    uint64_t key = parted_key(sim->links[shape_a].body, sim->links[shape_b].body);
    const cn_key_list *parted = &sim->parted;
    int at = parted->count ? cn_find_key(parted->items, parted->count, key) : 0;
    if (at == parted->count || parted->items[at] != key) return false;
    cn_swept_hull first = cn_swept_shape(sim, shape_a), second = cn_swept_shape(sim, shape_b);
    double depth = -cn_gap_at(&first, &second, 1).distance;
    return depth > PASSING_OVERLAP * fmin(first.inner, second.inner);
}

// A pair that passes continues to pass as long as it is near enough to touch.
static void filter_pair(const cn_simulation *sim, cn_apart *pair) {
    int a = pair->shape_a, b = pair->shape_b;
    if (pair->result != CN_PAIR_TOUCHES) return;
    if (pair->meta & CN_APART_PASSES || cn_passes_one_way(sim, a, b, false))
        pair->result = CN_PAIR_PASSES;
    else if (cn_is_excluded(sim, a, b))
        pair->result = CN_PAIR_APART;
    else if (must_part_first(sim, a, b))
        pair->result = CN_PAIR_PASSES;
}

void cn_filter_pairs(const cn_simulation *sim, cn_apart *pairs, int count) {
    for (int i = 0; i < count; i++) filter_pair(sim, &pairs[i]);
}

// ---- dropping through

bool cn_start_drop_through(cn_simulation *sim, int body, float seconds) {
    if (!cn_reserve_drop(sim)) return false;
    cn_end_drop_through(sim, body);
    if (seconds > 0) cn_add_drop(sim, body, seconds);
    cn_mark_body_dirty(sim, body, CN_DIRTY_CHANGED); // contacts with platforms end
    return true;
}

// ---- pre-solve

static cn_contact_values own_values(const cn_simulation *sim, int slot) {
    const cn_contact_record *record = &sim->touching.records[slot];
    return (cn_contact_values){.friction = record->friction,
                               .restitution = record->restitution,
                               .surface_speed =
                                   cn_surface_speed_of(sim, &sim->touching.anchors[slot])};
}

void cn_run_pre_solve(cn_simulation *sim) {
    cn_pass_drop_time(sim, sim->step_seconds);
    cn_contact_values *values = sim->contact_values.items;
    if (!sim->pre_solve || !values) return; // without values there was no contact yet
    memset(values, 0, (size_t)cn_touching_slots(&sim->touching) * sizeof *values);
    CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end) {
        values[slot] = own_values(sim, slot);
        if (sim->pre_solve(sim->callback_context, slot, &values[slot])) continue;
        cn_contact_record *record = &sim->touching.records[slot];
        record->meta |= CN_META_DISABLED | CN_META_REMAKE; // remaking enables it again
        record->ln1 = record->ln2 = record->lt = 0;
    }
}
