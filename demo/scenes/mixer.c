/* A kinematic paddle turns in a drum and stirs the bodies in it. */
#include "any_shape.h"

static const float pi = 3.14159265f;

// Adds a drum that is open at the top: boxes along three quarters of a circle.
static bool add_drum(cn_world *world, float radius) {
    cn_body drum = scene_add_body(world, CN_STATIC, 0, 0);
    for (int i = 0; i < 30; i++) {
        float angle = pi * (0.75f + 1.5f * ((float)i + 0.5f) / 30);
        cn_rotation r = cn_rotation_of(angle);
        cn_hull box = cn_box(0.3f, radius * 0.085f);
        cn_pose pose = cn_pose_at((vec2s){{(radius + 0.3f) * r.c, (radius + 0.3f) * r.s}}, angle);
        if (!scene_add_hull(world, drum, cn_hull_at(box, pose), 0.6f, 1).id) return false;
    }
    return true;
}

static bool add_paddle(cn_world *world, float speed) {
    cn_body paddle = cn_body_create(
        world,
        &(cn_body_def){.type = CN_KINEMATIC, .position = {{0, 0}}, .angular_velocity = speed});
    return scene_add_hull(world, paddle, cn_rounded_box(6.3f, 0.15f, 0.15f), 0.6f, 1).id &&
           scene_add_hull(world, paddle, cn_rounded_box(0.15f, 6.3f, 0.15f), 0.6f, 1).id;
}

enum { COUNT, SPEED };
static const scene_parameter parameters[] = {
    {"count", 120, 1, 120, true, ""},
    {"speed", -0.9f, -4, 4, false, "rad/s"},
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    scene_random random = {3};
    bool made = add_drum(world, 8) && add_paddle(world, run->values[SPEED]);
    for (int i = 0; i < (int)run->values[COUNT] && made; i++) {
        float x = -5.5f + 1.0f * (float)(i % 12), y = 1 + 1.1f * (float)(i / 12);
        made = add_any_shape(world, &random, x, y + 7, scene_random_range(&random, 0.25f, 0.5f));
    }
    return made;
}

const scene scene_mixer = {
    .name = "mixer",
    .title = "Mixer",
    .caption = "A kinematic paddle pushes every body, and no body pushes it back.",
    .view = {0, 5.3f, 29},
    .gravity = {{0, -10}},
    .parameters = parameters,
    .steps = 900,
    .create = create,
};
