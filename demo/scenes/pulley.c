/* Pulleys. On each side a polar joint to the ground measures the length of the rope, and a coupling
 * limits the sum of both lengths. The rope may be slack: the sum may be smaller, but not larger. */
#include "scene.h"

static const float top = 9, wheel_radius = 0.8f;

typedef struct {
    float x;
    float left, right; // kg, the masses of the loads
    float ratio;       // m that the left load moves when the right load moves 1 m
} pulley;

static cn_body add_load(cn_world *world, float x, float y, float mass) {
    const float half = 0.5f;
    return scene_add_one(world, CN_DYNAMIC, x, y, cn_box(half, half), mass / (4 * half * half));
}

static cn_joint add_rope(cn_world *world, cn_body ground, cn_body load, float x) {
    vec2s end = glms_vec2_add(cn_body_position(world, load), (vec2s){{0, 0.5f}});
    cn_joint_def def = cn_rope_joint(world, ground, load, (vec2s){{x, top}}, end);
    def.x.lower = 0.8f; // the shortest rope: the load stops below the wheel
    def.x.upper = 9;
    def.collide_connected = true;
    return cn_joint_create(world, def);
}

static bool add_pulley(cn_world *world, cn_body ground, const pulley *p) {
    cn_hull wheel = cn_circle(wheel_radius);
    // The origin of the ground is at y = -0.5.
    wheel = cn_hull_at(wheel, cn_pose_at((vec2s){{p->x, top + 0.5f}}, 0));
    cn_shape_def shape = {.hull = wheel, .no_collision = true};
    float left = p->x - wheel_radius, right = p->x + wheel_radius;
    cn_body loads[] = {add_load(world, left - 0.1f, 4.5f, p->left),
                       add_load(world, right + 0.1f, 4.5f, p->right)};
    cn_joint ropes[] = {add_rope(world, ground, loads[0], left),
                        add_rope(world, ground, loads[1], right)};
    return cn_shape_create(world, ground, &shape).id &&
           cn_joint_set_coupling(world, ropes[0],
                                 (cn_coupling){.other = ropes[1],
                                               .axis = CN_JOINT_X,
                                               .other_axis = CN_JOINT_X,
                                               .ratio = p->ratio,
                                               .slack = true});
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    static const pulley pulleys[] = {{-6, 2, 2, 1}, {-2, 2, 2.4f, 1}, {2, 1, 4, 1}, {6, 1, 2, 2}};
    cn_body ground = scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(20, 0.5f), 1);
    for (int i = 0; i < 4; i++)
        if (!add_pulley(world, ground, &pulleys[i])) return false;
    return true;
}

const scene scene_pulley = {
    .name = "pulley",
    .title = "Pulleys",
    .caption =
        "From the left: equal loads, 2 and 2.4 kg, 1 and 4 kg, and a tackle where 1 kg holds 2 kg.",
    .view = {0, 5.3f, 13},
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .steps = 180,
    .create = create,
};
