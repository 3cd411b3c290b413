/* A chain of light links with a ball of a hundred times a link's weight at its end: what passes through
 * every joint is a hundred times what it holds. */
#include "../scene.h"

enum { LINKS = 14 };

static const float length = 0.55f, ratio = 100;

static bool create(cn_world *world, void *memory) {
    (void)memory;
    cn_body before = scene_add_one(world, CN_STATIC, 0, 11, cn_box(3, 0.3f), 1);
    cn_hull hull = cn_capsule((vec2s){{-0.5f * length, 0}}, (vec2s){{0.5f * length, 0}}, 0.12f);
    float x = 0, y = 10.5f, weight = ratio * cn_hull_mass(&hull, 1).mass;
    for (int i = 0; i <= LINKS; i++) {
        cn_hull ball = cn_circle(0.9f);
        bool last = i == LINKS;
        float arm = last ? 0.9f : 0.5f * length;
        float density = last ? weight / cn_hull_mass(&ball, 1).mass : 1;
        cn_body body = scene_add_one(world, CN_DYNAMIC, x + arm, y, last ? ball : hull, density);
        cn_joint_def def = cn_revolute_joint(world, before, body, (vec2s){{x, y}});
        if (!cn_joint_create(world, &def).id) return false;
        x += length;
        before = body;
    }
    bool made = scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(20, 0.5f), 1).id;
    for (int i = 0; i < 6 && made; i++)
        made = scene_add_one(world, CN_DYNAMIC, -5, 0.5f + (float)i, cn_box(0.5f, 0.5f), 1).id;
    return made;
}

const scene scene_chain = {
    .name = "chain",
    .title = "Chain and ball",
    .about = "The ball weighs a hundred times what a link does, and the links hold.",
    .view = {0, 5.5f, 15},
    .width = 20.5f,
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .create = create,
};
