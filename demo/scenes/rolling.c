/* Balls with different rolling resistance on equal slopes. On a slope of angle q a ball stays at
 * rest if its resistance is above tan q, here 0.18. Otherwise it rolls, and more slowly the nearer
 * its resistance is to this limit. */
#include "scene.h"

static const float slope = 0.174f; // 10 degrees

static bool add_lane(cn_world *world, float y, float resistance) {
    cn_body ramp = cn_body_create(
        world, &(cn_body_def){.type = CN_STATIC, .position = {{0, y}}, .angle = -slope});
    cn_hull stop = cn_box(0.15f, 0.5f);
    stop = cn_hull_at(stop, cn_pose_at((vec2s){{10.85f, 0.65f}}, 0));
    vec2s start =
        cn_pose_point(cn_pose_at((vec2s){{0, y}}, -slope), (vec2s){{-9.5f, 0.15f + 0.6f}});
    cn_body ball = cn_body_create(world, &(cn_body_def){.position = start});
    cn_shape_def shape = {.hull = cn_circle(0.6f), .material = {.rolling_resistance = resistance}};
    return scene_add_hull(world, ramp, cn_box(11, 0.15f), 0.6f, 1).id &&
           scene_add_hull(world, ramp, stop, 0.6f, 1).id && cn_shape_create(world, ball, &shape).id;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    static const float resistances[] = {0, 0.05f, 0.1f, 0.15f, 0.2f};
    for (int i = 0; i < 5; i++)
        if (!add_lane(world, 3 * (float)(2 - i), resistances[i])) return false;
    return true;
}

const scene scene_rolling = {
    .name = "rolling",
    .title = "Rolling resistance",
    .caption = "Slopes of 10 degrees. A ball with a rolling resistance above 0.18 stays at rest.",
    .view = {0, 1.2f, 20},
    .gravity = {{0, -10}},
    .steps = 240,
    .create = create,
};
