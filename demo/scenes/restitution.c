/* Balls with a restitution e of 0, 0.1, ... 1 fall from one height. A ball rises again to e^2 of
 * this height. */
#include "scene.h"

enum { BALLS = 11 };

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, -5);
    if (!scene_add_hull(world, ground, cn_box(40, 5), 0.6f, 1).id) return false;
    for (int i = 0; i < BALLS; i++) {
        cn_body ball = scene_add_body(world, CN_DYNAMIC, 1.6f * (float)(i - BALLS / 2), 10);
        cn_shape shape =
            cn_shape_create(world, ball,
                            &(cn_shape_def){.hull = cn_circle(0.5f),
                                            .material = {.restitution = (float)i / (BALLS - 1)}});
        if (!shape.id) return false;
    }
    return true;
}

const scene scene_restitution = {
    .name = "restitution",
    .title = "Restitution row",
    .caption = "Balls with a restitution of 0 to 1. The last ball never comes to rest.",
    .view = {0, 5, 15},
    .gravity = {{0, -10}},
    .steps = 165,
    .create = create,
};
