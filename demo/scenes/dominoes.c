/* Dominoes. A ball rolls down and topples the upper row to the right. The last domino pushes a
 * second ball over the edge, and a chute turns this ball back towards the lower row. */
#include "scene.h"

static bool add_static_box(cn_world *world, float hx, float hy, float x, float y, float angle) {
    cn_body body = cn_body_create(
        world, &(cn_body_def){.type = CN_STATIC, .position = {{x, y}}, .angle = angle});
    return scene_add_hull(world, body, cn_box(hx, hy), 0.5f, 1).id != 0;
}

static bool add_row(cn_world *world, float x, float step, float y, int count) {
    for (int i = 0; i < count; i++) {
        cn_body domino = scene_add_body(world, CN_DYNAMIC, x + step * (float)i, y + 0.7f);
        if (!scene_add_hull(world, domino, cn_box(0.1f, 0.7f), 0.5f, 1).id) return false;
    }
    return true;
}

static bool add_ball(cn_world *world, float x, float y, float density) {
    cn_body ball = scene_add_body(world, CN_DYNAMIC, x, y);
    return scene_add_hull(world, ball, cn_circle(0.45f), 0.5f, density).id != 0;
}

// Adds the chute below the edge of the shelf: short boxes along a quarter circle.
static bool add_chute(cn_world *world, float x, float y, float radius) {
    for (int i = 0; i < 10; i++) {
        float angle = -1.5708f * ((float)i + 0.5f) / 10;
        cn_rotation r = cn_rotation_of(angle);
        if (!add_static_box(world, 0.15f, 0.09f * radius, x + (radius + 0.15f) * r.c,
                            y + (radius + 0.15f) * r.s, angle))
            return false;
    }
    return true;
}

enum { DENSITY };
static const scene_parameter parameters[] = {
    {"density", 3, 0.2f, 20, false, "kg/m^2"}, // of the first ball
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    const float shelf = 6;
    return add_static_box(world, 40, 5, 0, -5, 0) &&
           add_static_box(world, 10, 0.2f, -2.05f, shelf - 0.2f, 0) &&
           add_static_box(world, 2.5f, 0.15f, -11.6f, shelf + 1.1f, -0.45f) &&
           add_ball(world, -13, shelf + 2.6f, run->values[DENSITY]) &&
           add_row(world, -7.5f, 0.8f, shelf, 19) && add_ball(world, 7.65f, shelf + 0.45f, 0.6f) &&
           add_chute(world, 5.9f, 3.6f, 3.6f) && add_row(world, 3.6f, -0.8f, 0, 19);
}

const scene scene_dominoes = {
    .name = "dominoes",
    .title = "Dominoes",
    .caption =
        "A ball topples the upper row. Its last domino sends a second ball to the lower row.",
    .view = {-2, 5.6f, 20.5f},
    .gravity = {{0, -10}},
    .parameters = parameters,
    .steps = 900,
    .create = create,
};
