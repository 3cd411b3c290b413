/* Guns shoot at thin walls at 50 to 1,000 m/s. One wall is static, and the others are loose planks.
 * No bullet passes through any of them. */
#include "scene.h"

enum { GUNS = 6, ROUNDS = 40 };

typedef struct {
    int shots;
} guns;

static bool add_planks(cn_world *world, float x) {
    bool made = true;
    for (int i = 0; i < 6 && made; i++) {
        cn_body plank = scene_add_body(world, CN_DYNAMIC, x, 0.75f + 1.5f * (float)i);
        made = scene_add_hull(world, plank, cn_box(0.12f, 0.75f), 0.6f, 4).id;
    }
    return made;
}

enum { FASTEST, INTERVAL };
static const scene_parameter parameters[] = {
    {"fastest", 1000, 20, 2000, false, "m/s"},
    {"interval", 12, 1, 60, true, "steps"}, // between two shots
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, -1);
    bool made = scene_add_hull(world, ground, cn_box(40, 1), 0.6f, 1).id;
    cn_body wall = scene_add_body(world, CN_STATIC, 14, 5);
    made = made && scene_add_hull(world, wall, cn_box(0.05f, 5), 0.6f, 1).id;
    return made && add_planks(world, 2) && add_planks(world, 6) && add_planks(world, 10);
}

static cn_hull make_bullet(int shot) {
    switch (shot % 3) {
    case 0: return cn_circle(0.08f);
    case 1: return cn_box(0.12f, 0.06f);
    default: return cn_capsule((vec2s){{-0.15f, 0}}, (vec2s){{0.15f, 0}}, 0.04f);
    }
}

static bool shoot(cn_world *world, float fastest, int shot) {
    int gun = shot * 5 % GUNS;
    float speed = fastest / 20 * (1 + (float)(shot % 20));
    cn_body bullet =
        cn_body_create(world, &(cn_body_def){.position = {{-14, 1 + 1.5f * (float)gun}},
                                             .velocity = {{speed, 0}},
                                             .bullet = true});
    cn_shape shape = cn_shape_create(
        world, bullet,
        &(cn_shape_def){.hull = make_bullet(shot), .material = {.restitution = 0.3f}});
    return shape.id;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    guns *g = run->memory;
    if (run->step % (int)run->values[INTERVAL] || g->shots == ROUNDS) return true;
    return shoot(world, run->values[FASTEST], g->shots++);
}

const scene scene_bullets = {
    .name = "bullets",
    .title = "Bullets",
    .caption = "Bullets at 50 to 1,000 m/s hit planks and a thin wall. None passes through.",
    .view = {0, 4.5f, 18},
    .width = 29.5f,
    .gravity = {{0, -10}},
    .parameters = parameters,
    .steps = 600,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(guns),
};
