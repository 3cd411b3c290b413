/* A chain of light links with a heavy ball at its end. The ball has a hundred times the mass of a
 * link, so each joint carries about a hundred times the weight of the link below it. */
#include "../scene.h"

enum { LINKS = 14 };

static const float length = 0.55f, mass_ratio = 100;

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_body previous = scene_add_one(world, CN_STATIC, 0, 11, cn_box(3, 0.3f), 1);
    cn_hull link = cn_capsule((vec2s){{-0.5f * length, 0}}, (vec2s){{0.5f * length, 0}}, 0.12f);
    float x = 0, y = 10.5f, ball_mass = mass_ratio * cn_hull_mass(&link, 1).mass;
    for (int i = 0; i <= LINKS; i++) {
        cn_hull ball = cn_circle(0.9f);
        bool last = i == LINKS;
        float arm = last ? 0.9f : 0.5f * length;
        float density = last ? ball_mass / cn_hull_mass(&ball, 1).mass : 1;
        cn_body body = scene_add_one(world, CN_DYNAMIC, x + arm, y, last ? ball : link, density);
        cn_joint_def def = cn_revolute_joint(world, previous, body, (vec2s){{x, y}});
        if (!cn_joint_create(world, &def).id) return false;
        x += length;
        previous = body;
    }
    bool made = scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(20, 0.5f), 1).id;
    for (int i = 0; i < 6 && made; i++)
        made = scene_add_one(world, CN_DYNAMIC, -5, 0.5f + (float)i, cn_box(0.5f, 0.5f), 1).id;
    return made;
}

const scene scene_chain = {
    .name = "chain",
    .title = "Chain and ball",
    .caption = "The ball weighs a hundred times as much as a link, and the chain holds.",
    .view = {0, 5.5f, 15},
    .width = 20.5f,
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .create = create,
};
