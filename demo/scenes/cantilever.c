/* Two beams of ten links. The links are welded to each other and to a tower. Each beam ends in a
 * plate, and three blocks fall on the plate. On the right the welds are rigid, and the plate and
 * each block weigh a thousand times as much as a link. On the left each weld has a spring in its
 * angle, and the plate and each block weigh ten times as much as a link. */
#include "scene.h"

enum { LINKS = 10, BLOCKS = 3 };

static const float length = 0.7f, thickness = 0.24f, height = 3.5f;
static const float hertz = 250, damping_ratio = 0.3f; // of soft welds

typedef struct {
    float side; // 1 on the right, -1 on the left of the tower
    float load; // mass of the plate and of each block, relative to a link
    bool is_soft;
} beam;

static bool add_weld(cn_world *world, const beam *b, cn_body last, cn_body next, float x) {
    cn_joint_def weld = cn_weld_joint(world, last, next, (vec2s){{x, height}});
    if (b->is_soft)
        weld.angle =
            (cn_coordinate){.mode = CN_FREE, .hertz = hertz, .damping_ratio = damping_ratio};
    return cn_joint_create(world, weld).id != 0;
}

static bool add_beam(cn_world *world, cn_body tower, const beam *b) {
    cn_body last = tower;
    cn_hull hull = cn_box(length / 2, thickness / 2), plate = cn_box(0.9f, thickness / 2);
    float x = b->side / 2,
          density = b->load * cn_hull_mass_data(hull, 1).mass / cn_hull_mass_data(plate, 1).mass;
    for (int i = 0; i < LINKS; i++, x += length * b->side) {
        cn_body next = scene_add_one(world, CN_DYNAMIC, x + b->side * length / 2, height, hull, 1);
        if (!add_weld(world, b, last, next, x)) return false;
        last = next;
    }
    cn_body end = scene_add_one(world, CN_DYNAMIC, x + b->side * 0.9f, height, plate, density);
    return add_weld(world, b, last, end, x);
}

static bool add_blocks(cn_world *world, const beam *b) {
    cn_hull block = cn_box(0.5f, 0.5f);
    float density = b->load * length * thickness;
    bool made = true;
    for (int i = 0; i < BLOCKS && made; i++) {
        float x = b->side * (LINKS * length + 1.4f), y = height + 1.5f + 1.4f * (float)i;
        made = scene_add_one(world, CN_DYNAMIC, x, y, block, density).id;
    }
    return made;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    static const beam beams[] = {{1, 1000, false}, {-1, 10, true}};
    cn_body ground = scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(20, 0.5f), 1);
    cn_body tower = scene_add_one(world, CN_STATIC, 0, 2.2f, cn_box(0.5f, 2.2f), 1);
    bool made = ground.id && tower.id;
    for (int i = 0; i < 2 && made; i++)
        made = add_beam(world, tower, &beams[i]) && add_blocks(world, &beams[i]);
    return made;
}

const scene scene_cantilever = {
    .name = "cantilever",
    .title = "Cantilevers",
    .caption = "Rigid welds carry four thousand times the mass of a link. The soft welds on the "
               "left bend under a hundredth of that load.",
    .view = {0, 4.4f, 12},
    .width = 21,
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .create = create,
};
