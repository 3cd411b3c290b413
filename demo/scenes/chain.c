/* A chain of light links with a heavy ball at its end. The ball has a hundred times the mass of a
 * link, so each joint carries about a hundred times the weight of the link below it. */
#include "scene.h"

static const float length = 0.55f; // m, of a link

enum { LINKS, MASS_RATIO };
static const scene_parameter parameters[] = {
    {"links", 14, 1, 17, true, ""},
    {"mass-ratio", 100, 1, 1000, false, ""}, // mass of the ball / mass of a link
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_body previous = scene_add_one(world, CN_STATIC, 0, 11, cn_box(3, 0.3f), 1);
    cn_hull link = cn_capsule((vec2s){{-0.5f * length, 0}}, (vec2s){{0.5f * length, 0}}, 0.12f);
    float x = 0, y = 10.5f, ball_mass = run->values[MASS_RATIO] * cn_hull_mass_data(link, 1).mass;
    int links = (int)run->values[LINKS];
    for (int i = 0; i <= links; i++) {
        cn_hull ball = cn_circle(0.9f);
        bool last = i == links;
        float arm = last ? 0.9f : 0.5f * length;
        float density = last ? ball_mass / cn_hull_mass_data(ball, 1).mass : 1;
        cn_body body = scene_add_one(world, CN_DYNAMIC, x + arm, y, last ? ball : link, density);
        cn_joint_def def = cn_revolute_joint(world, previous, body, (vec2s){{x, y}});
        if (!cn_joint_create(world, def).id) return false;
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
    .parameters = parameters,
    .overlays = CN_DRAW_JOINTS,
    .create = create,
};
