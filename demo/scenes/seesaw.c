/* Seesaws. On the left, masses of 1, 2, 5 and 20 kg stand at an arm of 4 m divided by the number of
 * kg, so that each balances 1 kg at 4 m. On the right, a heavy block falls and throws a light
 * block. */
#include "scene.h"

static const float half_length = 4.5f, height = 1.5f;

static cn_joint add_board(cn_world *world, float x, float y, float friction) {
    const vec2s corners[] = {{{-0.6f, -height}}, {{0.6f, -height}}, {{0, -0.12f}}};
    cn_body stand = scene_add_one(world, CN_STATIC, x, y + height, cn_polygon(corners, 3, 0), 1);
    cn_body board = scene_add_one(world, CN_DYNAMIC, x, y + height, cn_box(half_length, 0.12f), 1);
    cn_joint_def def = cn_revolute_joint(world, stand, board, (vec2s){{x, y + height}});
    def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.3f, .upper = 0.3f};
    def.angle.motor = friction > 0;
    def.angle.max_motor_force = friction;
    return cn_joint_create(world, def);
}

static bool add_load(cn_world *world, float x, float y, float mass, float half) {
    cn_hull box = cn_box(half, half);
    return scene_add_one(world, CN_DYNAMIC, x, y + half, box, mass / (4 * half * half)).id != 0;
}

// Adds a seesaw with 1 kg at 4 m on the left, and `mass` on the right at the arm that balances it.
static bool add_balance(cn_world *world, float x, float y, float mass) {
    float top = y + height + 0.12f;
    return add_board(world, x, y, 1).id && add_load(world, x - 4, top, 1, 0.4f) &&
           add_load(world, x + 4 / mass, top, mass, 0.4f);
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    static const float masses[] = {1, 2, 5, 20};
    cn_body ground = scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(30, 0.5f), 1);
    bool made = ground.id;
    for (int i = 0; i < 4 && made; i++) {
        float x = i % 2 ? -1 : -11, y = i < 2 ? 0 : 5;
        cn_hull floor = cn_box(5, 0.15f);
        made = add_balance(world, x, y, masses[i]) &&
               (y == 0 || scene_add_one(world, CN_STATIC, x, y - 0.15f, floor, 1).id);
    }
    return made && add_board(world, 10, 0, 0).id && add_load(world, 6, height + 0.12f, 1, 0.4f) &&
           add_load(world, 13.6f, 7, 40, 0.9f);
}

const scene scene_seesaw = {
    .name = "seesaw",
    .title = "Seesaws",
    .caption =
        "Masses of 1 to 20 kg balance. On the fifth seesaw, a heavy block throws a light one.",
    .view = {3, 6, 18.5f},
    .width = 39,
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .steps = 120,
    .create = create,
};
