/* A pyramid: many contacts, and each carries the boxes above it. */
#include "scene.h"

enum { ROWS, FRICTION };
static const scene_parameter parameters[] = {
    {"rows", 24, 1, 40, true, ""},
    {"friction", 0.6f, 0, 1, false, ""},
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, -5);
    bool made = scene_add_hull(world, ground, cn_box(60, 5), 0.6f, 1).id;
    int rows = (int)run->values[ROWS];
    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < rows - row && made; i++) {
            float x = ((float)i - (float)(rows - row - 1) / 2) * 1.05f;
            cn_body box = scene_add_body(world, CN_DYNAMIC, x, (float)row + 0.5f);
            made = scene_add_hull(world, box, cn_box(0.5f, 0.5f), run->values[FRICTION], 1).id;
        }
    }
    return made;
}

const scene scene_pyramid = {
    .name = "pyramid",
    .title = "Pyramid",
    .caption = "Three hundred boxes in a pyramid. Pull one out of the lowest row.",
    .view = {0, 11, 28},
    .gravity = {{0, -10}},
    .parameters = parameters,
    .create = create,
};
