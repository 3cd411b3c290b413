/* A box that a motor turns, with shapes of all types in it. */
#include "any_shape.h"

static bool add_box(cn_world *world, float speed) {
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    cn_body box = scene_add_body(world, CN_DYNAMIC, 0, 0);
    for (int i = 0; i < 4; i++) {
        cn_hull wall = cn_box(0.25f, 6);
        float angle = 1.57079633f * (float)i;
        cn_rotation r = cn_rotation_of(angle);
        wall = cn_hull_at(wall, (cn_pose){{{5.75f * r.c, 5.75f * r.s}}, r});
        if (!scene_add_hull(world, box, wall, 0.6f, 5).id) return false;
    }
    cn_joint_def def = cn_revolute_joint(world, ground, box, (vec2s){{0, 0}});
    def.angle = (cn_coordinate){.mode = CN_FREE, .motor = true, .motor_speed = speed};
    return cn_joint_create(world, def).id != 0;
}

enum { COUNT, SPEED };
static const scene_parameter parameters[] = {
    {"count", 80, 1, 80, true, ""},
    {"speed", 0.5f, -3, 3, false, "rad/s"},
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    scene_random random = {11};
    bool made = add_box(world, run->values[SPEED]);
    for (int i = 0; i < (int)run->values[COUNT] && made; i++) {
        float x = -4 + 0.9f * (float)(i % 10), y = -4 + 1.1f * (float)(i / 10);
        made = add_any_shape(world, &random, x, y, scene_random_range(&random, 0.25f, 0.42f));
    }
    return made;
}

const scene scene_tumbling_box = {
    .name = "tumbling-box",
    .title = "Tumbler",
    .caption = "A motor with unlimited torque turns a box full of shapes.",
    .view = {0, 0, 18},
    .gravity = {{0, -10}},
    .parameters = parameters,
    .steps = 400,
    .create = create,
};
