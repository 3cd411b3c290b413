/* Heavy blocks on light ones: the hardest common task for an iterative solver. From left to right,
 * the block on top weighs 1, 10, 50 and 100 times as much as each block below it. */
#include "scene.h"

static bool add_tower(cn_world *world, float x, int light_count, float ratio) {
    for (int i = 0; i < light_count; i++) {
        cn_body box = scene_add_body(world, CN_DYNAMIC, x, (float)i + 0.5f);
        if (!scene_add_hull(world, box, cn_box(0.5f, 0.5f), 0.6f, 1).id) return false;
    }
    cn_body heavy = scene_add_body(world, CN_DYNAMIC, x, (float)light_count + 1);
    return scene_add_hull(world, heavy, cn_box(1, 1), 0.6f, ratio / 4).id != 0;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    static const float ratios[] = {1, 10, 50, 100};
    cn_body ground = scene_add_body(world, CN_STATIC, 0, -5);
    bool made = scene_add_hull(world, ground, cn_box(40, 5), 0.6f, 1).id;
    for (int i = 0; i < 4 && made; i++)
        made = add_tower(world, -7.5f + 2.5f * (float)i, 1, ratios[i]) &&
               add_tower(world, 3.5f + 2.5f * (float)i, 4, ratios[i]);
    return made;
}

const scene scene_mass_ratio = {
    .name = "mass-ratio",
    .title = "Mass ratios",
    .caption = "Light blocks support blocks of up to a hundred times their weight.",
    .view = {1.75f, 3.8f, 17.5f},
    .gravity = {{0, -10}},
    .create = create,
};
