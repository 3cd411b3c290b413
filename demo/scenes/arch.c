/* Arches of wedge-shaped stones (voussoirs). Their shape and friction alone keep them standing. */
#include "scene.h"

typedef struct {
    float x, inner, outer; // centre on the ground, inner and outer radius
    int stones;
} arch;

// Adds the stone between two angles. The origin of its body is in the middle of the stone.
static bool add_stone(cn_world *world, const arch *a, float from, float to) {
    cn_rotation r[] = {cn_rotation_of(from), cn_rotation_of(to)};
    cn_rotation middle = cn_rotation_of((from + to) / 2);
    float radius = (a->inner + a->outer) / 2;
    vec2s center = {{radius * middle.c, radius * middle.s}}, points[4];
    for (int i = 0; i < 2; i++) {
        points[i] = (vec2s){{a->inner * r[i].c - center.x, a->inner * r[i].s - center.y}};
        points[3 - i] = (vec2s){{a->outer * r[i].c - center.x, a->outer * r[i].s - center.y}};
    }
    cn_body stone = scene_add_body(world, CN_DYNAMIC, a->x + center.x, center.y);
    return scene_add_hull(world, stone, cn_polygon(points, 4, 0), 0.7f, 1).id != 0;
}

static bool add_arch(cn_world *world, const arch *a) {
    float wedge = 3.14159265f / (float)a->stones;
    for (int i = 0; i < a->stones; i++)
        if (!add_stone(world, a, wedge * (float)i, wedge * (float)(i + 1))) return false;
    return true;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    static const arch arches[] = {{0, 6, 8, 15}, {-12.5f, 2.6f, 3.8f, 9}, {12.5f, 2.6f, 3.8f, 9}};
    cn_body ground = scene_add_body(world, CN_STATIC, 0, -5);
    bool made = scene_add_hull(world, ground, cn_box(40, 5), 0.7f, 1).id;
    for (int i = 0; i < 3 && made; i++) made = add_arch(world, &arches[i]);
    return made;
}

const scene scene_arch = {
    .name = "arch",
    .title = "Arch",
    .caption = "Wedge-shaped stones stand without mortar. Remove one, and the arch collapses.",
    .view = {0, 5, 28},
    .gravity = {{0, -10}},
    .create = create,
};
