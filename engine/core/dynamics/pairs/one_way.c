/* One-way shapes and chains: which shapes pass them.
 *
 * A platform lets shapes through that come from below. It blocks a shape that was above its face in
 * the last step, or above a crest where one-way ground goes on behind the face. It also blocks a
 * shape that touches this further ground: heavy bodies are pressed in deeply. Any other shape
 * passes until the two part.
 *
 * Continuous collision tests pairs before the bodies move. The filter of pairs (pair_filter.c)
 * tests them in the next step. So each test has an argument for the poses that it compares:
 * cn_moment. */
#include "pairs.h"

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

// A one-way shape that another shape meets.
static platform platform_of(const cn_simulation *sim, int shape, int other) {
    int surface = cn_surface_against(sim, shape, other);
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

static cn_pose pose_at(const cn_simulation *sim, int body, cn_moment moment) {
    if (moment != CN_BEFORE_LAST_MOVE) return cn_origin_pose(sim, body);
    cn_body_sweep sweep = cn_past_sweep(sim, body);
    vec2s arm = cn_rotate(sweep.start, sim->warm[body].center);
    return (cn_pose){
        cn_vec((float)sweep.start_center.x - arm.x, (float)sweep.start_center.y - arm.y),
        sweep.start};
}

// True if a shape is behind a segment of a chain.
static bool is_behind(const cn_simulation *sim, int segment, int other, cn_moment moment) {
    if (!cn_is_one_sided(sim, segment)) return false;
    cn_hull hull = cn_hull_of(sim, segment);
    // The centre decides: near a crest a corner of the shape may be behind the line of a segment.
    vec2s center = sim->shapes[other].pose.position;
    vec2s place = cn_to_world(pose_at(sim, sim->links[other].body, moment), center);
    place = cn_to_local(pose_at(sim, sim->links[segment].body, moment), place);
    return glms_vec2_dot(hull.normals[0], glms_vec2_sub(place, hull.vertices[0])) < 0;
}

// True if another one-way face goes on behind a convex corner of the face, and the other shape is
// above this corner: the shortest way out of the platform is between the two faces. The shape may
// be pressed in deeply, but not be placed there.
static bool is_above_crest(const cn_simulation *sim, const platform *p, int face, int other,
                           cn_moment moment) {
    if (!p->surface) return false;
    bool before = moment == CN_BEFORE_LAST_MOVE;
    cn_body_sweep sweep = before ? cn_past_sweep(sim, p->body) : cn_no_sweep(sim, p->body);
    cn_swept_hull a = cn_make_swept_hull(&p->hull, sim->warm[p->body].center, &sweep);
    cn_swept_hull b = before ? cn_past_shape(sim, other) : cn_still_shape(sim, other);
    cn_gapd gap = cn_gap_at(&a, &b, 0);
    if (gap.distance < -(double)cn_pressed_depth(sim, sim->links[other].body)) return false;
    cn_pose pose = pose_at(sim, p->body, moment);
    vec2s normal = cn_unrotate(p->frame, cn_unrotate(pose.rotation, cn_narrow(gap.normal)));
    vec2s own = cn_unrotate(p->frame, p->hull.normals[face]);
    return cn_surface_goes_on(p->surface, face, own, normal, cn_unrotate(p->frame, p->up));
}

// At CN_AFTER_LAST_MOVE, the other shape may be deeper by the distance that it falls in a step.
static bool is_above(const cn_simulation *sim, const platform *p, int other, cn_moment moment) {
    int body = p->body, other_body = sim->links[other].body, face = find_face(p);
    cn_hull other_hull = cn_hull_of(sim, other);
    cn_pose pose = pose_at(sim, body, moment), other_pose = pose_at(sim, other_body, moment);
    vec2s n = cn_rotate(pose.rotation, cn_one_way_normal(&p->hull, p->up));
    float top = cn_hull_project(p->hull, pose, n).y;
    float bottom = cn_hull_project(other_hull, other_pose, n).x, depth = sim->tuning.slop;
    const cn_body_hot *a = &sim->hot[body], *b = &sim->hot[other_body];
    float falling = (a->vx - b->vx) * n.x + (a->vy - b->vy) * n.y;
    if (moment == CN_AFTER_LAST_MOVE) depth += cn_max(falling, 0) * sim->step_seconds;
    return top - bottom <= depth || is_above_crest(sim, p, face, other, moment);
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
        platform q = platform_of(sim, shape, other);
        if (is_next_face(sim, p, &q)) return true;
    }
    return false;
}

bool cn_is_on_further_ground(const cn_simulation *sim, int shape_a, int shape_b) {
    bool first = cn_is_one_way(sim, shape_a);
    if (!first && !cn_is_one_way(sim, shape_b)) return false;
    const int shape = first ? shape_a : shape_b, other = first ? shape_b : shape_a;
    const platform p = platform_of(sim, shape, other);
    return is_on_next_face(sim, &p, other);
}

// True unless the shape is one-way and the other shape passes it.
static bool blocks(const cn_simulation *sim, int shape, int other, cn_moment moment) {
    bool is_after = moment == CN_AFTER_LAST_MOVE;
    if (!is_after && is_behind(sim, shape, other, moment)) return false;
    if (!cn_is_one_way(sim, shape)) return true;
    if (cn_is_dropping(sim, sim->links[other].body)) return false;
    platform p = platform_of(sim, shape, other);
    if (is_above(sim, &p, other, moment)) return true;
    // A body that turns may have come down faster than its centre did.
    return is_after &&
           (blocks(sim, shape, other, CN_BEFORE_LAST_MOVE) || is_on_next_face(sim, &p, other));
}

bool cn_passes_one_way(const cn_simulation *sim, int shape_a, int shape_b, cn_moment moment) {
    uint32_t flags = sim->shapes[shape_a].flags | sim->shapes[shape_b].flags;
    bool has_segment = moment != CN_AFTER_LAST_MOVE && flags & CN_SHAPE_ONE_SIDED;
    if (sim->one_way_shapes == 0 && !has_segment) return false;
    return !blocks(sim, shape_a, shape_b, moment) || !blocks(sim, shape_b, shape_a, moment);
}

bool cn_passes_piece(const cn_simulation *sim, const cn_terrain_piece *piece, int shape) {
    if (piece->one_way.x == 0 && piece->one_way.y == 0) return false;
    if (cn_is_dropping(sim, sim->links[shape].body)) return true;
    platform p = {.body = piece->body, .hull = piece->hull, .up = unit_of(piece->one_way)};
    return !is_above(sim, &p, shape, CN_BEFORE_MOVE);
}

// ---- dropping through

bool cn_start_drop_through(cn_simulation *sim, int body, float seconds) {
    if (!cn_reserve_drop(sim)) return false;
    cn_end_drop_through(sim, body);
    if (seconds > 0) cn_add_drop(sim, body, seconds);
    cn_mark_body_dirty(sim, body, CN_DIRTY_CHANGED); // contacts with platforms end
    return true;
}
