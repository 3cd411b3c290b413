/* Which pairs may touch: filters when their boxes meet, and for pairs that are near enough
 *
 *     joints     bodies that a joint holds do not collide, unless it says so; nor, if they are deep in each
 *                other when it goes, before they part
 *     one-way    a platform lets through what comes from below: a shape is held if it was above the
 *                platform's face in the last step, else it passes until the two part
 *
 * A pair that may not touch stays among those that are apart, so it is there when the reason is gone. */
#include "pairs.h"

#include <math.h>

// ---- one-way

// In the frame of the shape's body: the normal of the face that looks most along `up`.
static vec2s face_towards(const cn_hull *hull, vec2s up) {
    vec2s best = hull->count == 1 ? up : hull->normals[0];
    for (int i = 1; i < hull->count; i++)
        if (glms_vec2_dot(hull->normals[i], up) > glms_vec2_dot(best, up)) best = hull->normals[i];
    return best;
}

static bool is_dropping(const cn_simulation *sim, int body) {
    for (int i = 0; i < sim->drop_throughs.count; i++)
        if (sim->drop_throughs.items[i].body == body) return true;
    return false;
}

// Where the body was before it moved in this step.
static cn_pose pose_before(const cn_simulation *sim, int body) {
    cn_body_sweep way = cn_sweep_of_body(sim, body);
    vec2s arm = cn_rotate(way.start, sim->warm[body].center);
    return (cn_pose){cn_vec((float)way.from.x - arm.x, (float)way.from.y - arm.y), way.start};
}

// Was it behind a segment of a chain before they moved?
static bool is_behind(const cn_simulation *sim, int segment, int other) {
    if (!cn_is_one_sided(sim, segment)) return false;
    cn_hull hull = cn_hull_of(sim, segment);
    // Its middle: a corner may be below a crest, and behind the line of a segment that goes on from there.
    vec2s middle = sim->shapes[other].pose.position;
    vec2s place = cn_to_world(pose_before(sim, sim->links[other].body), middle);
    place = cn_to_local(pose_before(sim, sim->links[segment].body), place);
    return glms_vec2_dot(hull.normals[0], glms_vec2_sub(place, hull.vertices[0])) < 0;
}

// Does the platform, if it is one, hold the other shape? Or did it, when the step began?
static bool holds(const cn_simulation *sim, int platform, int other, bool before) {
    if (before && is_behind(sim, platform, other)) return false;
    if (!cn_is_one_way(sim, platform)) return true;
    int body = sim->links[platform].body, other_body = sim->links[other].body;
    if (is_dropping(sim, other_body)) return false;
    cn_hull hull = cn_hull_of(sim, platform), other_hull = cn_hull_of(sim, other);
    cn_pose pose = before ? pose_before(sim, body) : cn_origin_pose(sim, body);
    cn_pose other_pose = before ? pose_before(sim, other_body) : cn_origin_pose(sim, other_body);
    vec2s n = cn_rotate(pose.rotation, face_towards(&hull, cn_rare_of(sim, platform)->one_way));
    float top = cn_hull_project(&hull, pose, n).y;
    float bottom = cn_hull_project(&other_hull, other_pose, n).x;
    if (before) return top - bottom <= sim->tuning.slop;
    const cn_body_hot *a = &sim->hot[body], *b = &sim->hot[other_body];
    float falling = (a->vx - b->vx) * n.x + (a->vy - b->vy) * n.y;
    if (top - bottom <= sim->tuning.slop + cn_max(falling, 0) * sim->step_seconds) return true;
    return holds(sim, platform, other, true); // what turns comes down faster than its centre
}

bool cn_one_way_blocks(const cn_simulation *sim, int shape_a, int shape_b, bool before) {
    uint32_t flags = sim->shapes[shape_a].flags | sim->shapes[shape_b].flags;
    bool segment = before && flags & CN_SHAPE_ONE_SIDED;
    return (sim->one_way_shapes == 0 && !segment) ||
           (holds(sim, shape_a, shape_b, before) && holds(sim, shape_b, shape_a, before));
}

// ---- pairs

bool cn_is_excluded_pair(const cn_simulation *sim, int shape_a, int shape_b) {
    int a = sim->links[shape_a].body, b = sim->links[shape_b].body;
    if (sim->slots[CN_JOINTS].count && cn_joint_prevents_collision(sim, a, b)) return true;
    if (sim->drop_throughs.count == 0 || sim->one_way_shapes == 0) return false;
    return (cn_is_one_way(sim, shape_a) && is_dropping(sim, b)) ||
           (cn_is_one_way(sim, shape_b) && is_dropping(sim, a));
}

// Two that overlap by as much as their joint let them, as links of a chain do, would be thrown apart once it is gone:
// by so much of the smaller inner radius.
#define UNBOUND_SHARE 0.5
static bool was_joined(const cn_simulation *sim, int shape_a, int shape_b) {
    int a = sim->links[shape_a].body, b = sim->links[shape_b].body;
    if (!(sim->hot[a].flags & sim->hot[b].flags & CN_BODY_JOINT_REMOVED)) return false;
    cn_swept_hull first = cn_swept_shape(sim, shape_a), second = cn_swept_shape(sim, shape_b);
    double depth = -cn_gap_at(&first, &second, 1).distance;
    if (depth <= UNBOUND_SHARE * fmin(first.inner, second.inner)) return false;
    for (int i = 0; i < sim->slots[CN_JOINTS].end; i++) { // destroyed ones keep their bodies
        const int32_t *bodies = sim->joint_records[i].bodies;
        if (bodies[0] + bodies[1] == a + b && (bodies[0] == a || bodies[0] == b)) return true;
    }
    return false;
}

// A pair that passes goes on passing while it is near enough to touch.
static void judge(const cn_simulation *sim, cn_apart *pair) {
    int a = pair->shape_a, b = pair->shape_b;
    if (pair->result != CN_PAIR_TOUCHES) return;
    if (pair->meta & CN_APART_PASSES || !cn_one_way_blocks(sim, a, b, false))
        pair->result = CN_PAIR_PASSES;
    else if (cn_is_excluded(sim, a, b))
        pair->result = CN_PAIR_APART;
    else if (was_joined(sim, a, b))
        pair->result = CN_PAIR_PASSES;
}

void cn_filter_pairs(const cn_simulation *sim, cn_apart *pairs, int count) {
    for (int i = 0; i < count; i++) judge(sim, &pairs[i]);
}

// ---- dropping through

bool cn_start_drop_through(cn_simulation *sim, int body, float seconds) {
    if (!cn_reserve(&sim->memory, &sim->drop_throughs, sim->drop_throughs.count + 1)) return false;
    cn_end_drop_through(sim, body);
    if (seconds > 0) sim->drop_throughs.items[sim->drop_throughs.count++] = (cn_drop){body, seconds};
    cn_mark_body_dirty(sim, body, CN_DIRTY_CHANGED); // contacts with platforms end
    return true;
}

static void keep_drops(cn_simulation *sim, int gone, float passed) {
    int kept = 0;
    for (int i = 0; i < sim->drop_throughs.count; i++) {
        cn_drop drop = sim->drop_throughs.items[i];
        drop.seconds -= passed;
        if (drop.body != gone && drop.seconds > 0) sim->drop_throughs.items[kept++] = drop;
    }
    sim->drop_throughs.count = kept;
}

void cn_end_drop_through(cn_simulation *sim, int body) { keep_drops(sim, body, 0); }

// ---- the user's word

void cn_run_pre_solve(cn_simulation *sim) {
    keep_drops(sim, -1, sim->step_seconds);
    if (!sim->pre_solve) return;
    CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end) {
        if (sim->pre_solve(sim->callback_context, slot)) continue;
        cn_contact_record *record = &sim->touching.records[slot];
        record->meta |= CN_META_DISABLED | CN_META_REMAKE; // on again when it is remade
        record->ln1 = record->ln2 = record->lt = 0;
    }
}
