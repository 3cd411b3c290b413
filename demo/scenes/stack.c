/* Stacks. The first test of a physics engine is that bodies at rest stay at rest. */
#include "scene.h"

static bool add_stack(cn_world *world, float x, int count, cn_hull hull, float height) {
    for (int i = 0; i < count; i++) {
        cn_body body = scene_add_body(world, CN_DYNAMIC, x, height * ((float)i + 0.5f));
        if (!scene_add_hull(world, body, hull, 0.6f, 1).id) return false;
    }
    return true;
}

// Adds a tower of blocks that get narrower towards the top.
static bool add_spire(cn_world *world, float x, int count) {
    for (int i = 0; i < count; i++) {
        float half_width = 1.2f - 0.07f * (float)i;
        cn_body body = scene_add_body(world, CN_DYNAMIC, x, (float)i + 0.5f);
        if (!scene_add_hull(world, body, cn_box(half_width, 0.5f), 0.6f, 1).id) return false;
    }
    return true;
}

enum { TALLEST };
static const scene_parameter parameters[] = {{"tallest", 20, 1, 40, true, ""}, {.name = NULL}};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, -5);
    return scene_add_hull(world, ground, cn_box(40, 5), 0.6f, 1).id &&
           add_stack(world, -11, 5, cn_box(0.5f, 0.5f), 1) &&
           add_stack(world, -8, 10, cn_box(0.5f, 0.5f), 1) &&
           add_stack(world, -4.2f, 16, cn_box(1.3f, 0.25f), 0.5f) &&
           add_stack(world, -0.5f, (int)run->values[TALLEST], cn_box(0.5f, 0.5f), 1) &&
           add_stack(world, 3, 12, cn_rounded_box(0.4f, 0.4f, 0.1f), 1) &&
           add_stack(world, 6, 15, cn_box(0.4f, 0.4f), 0.8f) && add_spire(world, 10, 14);
}

const scene scene_stack = {
    .name = "stack",
    .title = "Vertical stack",
    .caption =
        "Stacks of boxes, planks and rounded boxes stand still, even the stack of twenty boxes.",
    .view = {0, 10, 24.5f},
    .gravity = {{0, -10}},
    .parameters = parameters,
    .create = create,
};
