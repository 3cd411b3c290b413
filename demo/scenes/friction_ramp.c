/* Boxes with the same initial speed on five equal slopes with different friction. On a slope of
 * angle q a box slides for ever if its friction is below tan q, here 0.36. Otherwise it stops. */
#include "scene.h"

static const float slope = 0.349f; // 20 degrees

static bool add_lane(cn_world *world, float y, float friction) {
    cn_rotation r = cn_rotation_of(-slope);
    cn_body ramp = cn_body_create(
        world, &(cn_body_def){.type = CN_STATIC, .position = {{0, y}}, .angle = -slope});
    cn_hull stop = cn_box(0.15f, 0.5f);
    stop = cn_hull_at(stop, cn_pose_at((vec2s){{10.85f, 0.65f}}, 0));
    vec2s start = cn_pose_point((cn_pose){{{0, y}}, r}, (vec2s){{-9.5f, 0.15f + 0.45f}});
    cn_body box = cn_body_create(
        world,
        &(cn_body_def){.position = start, .angle = -slope, .velocity = {{3 * r.c, 3 * r.s}}});
    return scene_add_hull(world, ramp, cn_box(11, 0.15f), friction, 1).id &&
           scene_add_hull(world, ramp, stop, friction, 1).id &&
           scene_add_hull(world, box, cn_box(0.6f, 0.45f), friction, 1).id;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    static const float frictions[] = {0.1f, 0.25f, 0.4f, 0.6f, 0.9f};
    for (int i = 0; i < 5; i++)
        if (!add_lane(world, 3.2f * (float)(2 - i), frictions[i])) return false;
    return true;
}

const scene scene_friction_ramp = {
    .name = "friction-ramp",
    .title = "Friction ramps",
    .caption = "Slopes of 20 degrees. Boxes with a friction below 0.36 do not stop; the others do.",
    .view = {0, 0.8f, 26},
    .gravity = {{0, -10}},
    .steps = 150,
    .create = create,
};
