/* Cuts the hulls of a body with cn_hull_slice(), and makes two bodies of them. */
#include "cutting.h"

enum { MAX_PIECES = 48 };

static const float tolerance = 0.01f; // m, greatest distance of an arc from its chords

// The hulls on one side of a cut, with the shapes that they come from.
typedef struct {
    cn_hull hulls[MAX_PIECES];
    cn_shape from[MAX_PIECES];
    int count;
} half;

static void add_hulls(half *h, cn_shape from, const cn_hull *hulls, int count) {
    for (int i = 0; i < count && h->count < MAX_PIECES; i++) {
        h->hulls[h->count] = hulls[i];
        h->from[h->count++] = from;
    }
}

// Cuts all shapes of a body along a line in the body's frame.
static void cut_shapes(const cn_world *world, cn_body body, vec2s point, vec2s normal,
                       half halves[2]) {
    for (cn_shape s = {0}; (s = cn_body_next_shape(world, body, s)).id;) {
        cn_hull whole = cn_shape_hull(world, s), parts[MAX_PIECES];
        int in_front = 0;
        int count = cn_hull_slice(whole, point, normal, tolerance, parts, MAX_PIECES, &in_front);
        add_hulls(&halves[0], s, parts, in_front);
        add_hulls(&halves[1], s, parts + in_front, count - in_front);
    }
}

static bool add_shape(cn_world *world, cn_body body, const half *h, int i) {
    cn_shape_def def = {.hull = h->hulls[i],
                        .density = cn_shape_density(world, h->from[i]),
                        .material = cn_shape_material(world, h->from[i]),
                        .filter = cn_shape_filter(world, h->from[i])};
    def.material.frictionless = def.material.friction == 0;
    return cn_shape_create(world, body, &def).id != 0;
}

// Adds a body of the hulls on one side. Its velocity is that of the whole body at its centre, plus
// `push`.
static bool add_half(cn_world *world, cn_body whole, const half *h, vec2s push) {
    cn_pose pose = cn_body_pose(world, whole);
    cn_body body = cn_body_create(
        world, &(cn_body_def){.position = pose.position,
                              .angle = cn_body_angle(world, whole),
                              .angular_velocity = cn_body_angular_velocity(world, whole)});
    for (int i = 0; i < h->count; i++)
        if (!add_shape(world, body, h, i)) return false;
    vec2s center = cn_body_center(world, body);
    vec2s velocity = glms_vec2_add(cn_body_velocity_at(world, whole, center), push);
    return cn_body_set_velocity(world, body, velocity);
}

bool cut_body(cn_world *world, cn_body body, vec2s point, vec2s normal, float speed,
              float least_mass, bool *was_cut) {
    static const vec2s zero = {{0, 0}};
    if (was_cut) *was_cut = false;
    if (!cn_body_valid(world, body) || cn_body_type(world, body) != CN_DYNAMIC ||
        cn_body_mass(world, body) < least_mass)
        return true;
    cn_pose pose = cn_body_pose(world, body), turn = {zero, pose.rotation};
    half halves[2];
    halves[0].count = halves[1].count = 0;
    cut_shapes(world, body, cn_pose_local_point(pose, point), cn_pose_local_point(turn, normal),
               halves);
    if (halves[0].count == 0 || halves[1].count == 0) return true;
    if (was_cut) *was_cut = true;
    vec2s push = glms_vec2_scale(normal, speed);
    return add_half(world, body, &halves[0], push) &&
           add_half(world, body, &halves[1], glms_vec2_negate(push)) &&
           cn_body_destroy(world, body);
}
