/* Ragdolls fall down a flight of steps. */
#include "ragdoll.h"

enum { STEPS = 7, DOLLS = 8 };

static bool create(scene_run *run) {
    cn_world *world = run->world;
    bool made = scene_add_one(world, CN_STATIC, 0, -1, cn_box(20, 1), 1).id;
    for (int i = 0; i < STEPS && made; i++) {
        float top = 0.5f * (float)(STEPS - i);
        made = scene_add_one(world, CN_STATIC, -5 + 1.1f * (float)i, top / 2,
                             cn_box(0.55f, top / 2), 1)
                   .id;
    }
    made = made && scene_add_one(world, CN_STATIC, -7, 1.75f, cn_box(1.45f, 1.75f), 1).id &&
           scene_add_one(world, CN_STATIC, 8.5f, 0.6f, cn_box(0.3f, 0.6f), 1).id;
    for (int i = 0; i < DOLLS && made; i++) {
        ragdoll doll;
        float x = -5.5f + 0.8f * (float)(i % 4), y = 4 + 2 * (float)(i / 4);
        made = ragdoll_add(world, &doll, x, y, i + 1) &&
               cn_body_set_velocity(world, doll.bones[1], (vec2s){{4, 0}});
    }
    return made;
}

const scene scene_ragdolls = {
    .name = "ragdolls",
    .title = "Ragdolls",
    .caption = "Ragdolls fall down stairs. Their joints have limits, friction and a weak spring.",
    .view = {0, 4, 10},
    .gravity = {{0, -10}},
    .steps = 240,
    .create = create,
};
