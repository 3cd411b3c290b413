/* Random shapes: hulls of every type, and three bodies made of several hulls. */
#include "any_shape.h"

static cn_hull rounded_regular(int corners, float circumradius, float radius) {
    cn_hull hull = cn_regular_polygon(corners, circumradius - radius);
    return cn_polygon(hull.vertices, hull.count, radius);
}

// Returns a polygon of random shape: its points lie on a circle at random angles.
static cn_hull random_polygon(scene_random *random, float size) {
    vec2s points[7];
    for (int i = 0; i < 7; i++) {
        float angle = (float)i * 0.9f + scene_random_range(random, -0.25f, 0.25f);
        cn_rotation r = cn_rotation_of(angle);
        points[i] = (vec2s){{size * r.c, size * r.s}};
    }
    return cn_polygon(points, 7, 0);
}

static cn_hull offset_box(float half_width, float half_height, float x, float y) {
    cn_hull box = cn_box(half_width, half_height);
    return cn_hull_at(box, cn_pose_at((vec2s){{x, y}}, 0));
}

static cn_hull offset_circle(float radius, float x) {
    cn_hull circle = cn_circle(radius);
    return cn_hull_at(circle, cn_pose_at((vec2s){{x, 0}}, 0));
}

static bool add_shape(cn_world *world, cn_body body, cn_hull hull) {
    return scene_add_hull(world, body, hull, 0.5f, 1).id != 0;
}

static bool add_cross(cn_world *world, cn_body body, float s) {
    return add_shape(world, body, cn_box(s, 0.3f * s)) &&
           add_shape(world, body, offset_box(0.3f * s, 0.35f * s, 0, 0.65f * s)) &&
           add_shape(world, body, offset_box(0.3f * s, 0.35f * s, 0, -0.65f * s));
}

static bool add_corner(cn_world *world, cn_body body, float s) {
    return add_shape(world, body, offset_box(s, 0.3f * s, 0, -0.5f * s)) &&
           add_shape(world, body, offset_box(0.3f * s, 0.6f * s, -0.7f * s, 0.4f * s));
}

static bool add_dumbbell(cn_world *world, cn_body body, float s) {
    return add_shape(world, body, cn_box(0.6f * s, 0.16f * s)) &&
           add_shape(world, body, offset_circle(0.45f * s, -0.75f * s)) &&
           add_shape(world, body, offset_circle(0.45f * s, 0.75f * s));
}

static bool add_hulls(cn_world *world, scene_random *random, cn_body body, float s) {
    switch ((int)scene_random_range(random, 0, 12)) {
    case 0:
    case 1: return add_shape(world, body, cn_circle(0.8f * s));
    case 2:
    case 3:
        return add_shape(world, body,
                         cn_capsule((vec2s){{-0.6f * s, 0}}, (vec2s){{0.6f * s, 0}}, 0.45f * s));
    case 4:
    case 5:
        return add_shape(world, body, cn_box(0.9f * s, scene_random_range(random, 0.4f, 0.9f) * s));
    case 6: return add_shape(world, body, cn_rounded_box(0.6f * s, 0.45f * s, 0.25f * s));
    case 7:
        return add_shape(world, body, cn_regular_polygon((int)scene_random_range(random, 3, 9), s));
    case 8: return add_shape(world, body, random_polygon(random, s));
    case 9:
        return add_shape(
            world, body,
            rounded_regular((int)scene_random_range(random, 3, 7), 1.1f * s, 0.3f * s));
    case 10:
        return scene_random_range(random, 0, 1) < 0.5f ? add_cross(world, body, s)
                                                       : add_corner(world, body, s);
    default: return add_dumbbell(world, body, s);
    }
}

bool add_any_shape(cn_world *world, scene_random *random, float x, float y, float size) {
    float angle = scene_random_range(random, -3, 3);
    cn_body body = cn_body_create(world, &(cn_body_def){.position = {{x, y}}, .angle = angle});
    return body.id && add_hulls(world, random, body, size);
}
