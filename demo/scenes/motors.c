/* Motors, limits and springs: a crank that drives a piston, a lift with two floors, weights on
 * springs with different damping, and pendulums that stop at their limits. */
#include "scene.h"

#define PI 3.14159265358979f

typedef struct {
    cn_joint lift;
} memory;

static cn_joint add_hinge(cn_world *world, cn_body a, cn_body b, float x, float y,
                          cn_coordinate angle) {
    cn_joint_def def = cn_revolute_joint(world, a, b, (vec2s){{x, y}});
    def.angle = angle;
    return cn_joint_create(world, def);
}

// Adds a joint on which b slides up and down.
static cn_joint add_slider(cn_world *world, cn_body a, cn_body b, cn_coordinate motion) {
    cn_joint_def def = cn_prismatic_joint(world, a, b, cn_body_position(world, b), (vec2s){{0, 1}});
    def.x = motion;
    return cn_joint_create(world, def);
}

static cn_body add_bar(cn_world *world, float x, float y, float half_width, float half_height) {
    cn_body body = scene_add_body(world, CN_DYNAMIC, x, y);
    cn_shape_def def = {.hull = cn_rounded_box(half_width, half_height, 0.05f),
                        .no_collision = true};
    return cn_shape_create(world, body, &def).id ? body : (cn_body){0};
}

// Adds a crank of radius 1 m, a rod of length 3 m, a piston, and a box on the piston.
static bool add_piston(cn_world *world, cn_body ground, float x) {
    static const cn_coordinate free_motion = {.mode = CN_FREE};
    const cn_coordinate motor = {
        .mode = CN_FREE, .motor = true, .motor_speed = PI, .max_motor_force = 500};
    cn_body crank = add_bar(world, x, 2.5f, 0.12f, 0.5f),
            rod = add_bar(world, x, 4.5f, 0.08f, 1.5f);
    cn_body piston = scene_add_one(world, CN_DYNAMIC, x, 6, cn_box(0.9f, 0.4f), 1);
    return add_hinge(world, ground, crank, x, 2, motor).id &&
           add_hinge(world, crank, rod, x, 3, free_motion).id &&
           add_hinge(world, rod, piston, x, 6, free_motion).id &&
           add_slider(world, ground, piston, free_motion).id &&
           scene_add_one(world, CN_DYNAMIC, x, 6.9f, cn_box(0.4f, 0.5f), 0.5f).id;
}

static bool add_lift(cn_world *world, cn_body ground, float x, cn_joint *lift) {
    cn_body cabin = scene_add_one(world, CN_DYNAMIC, x, 0.6f, cn_box(1.4f, 0.15f), 1);
    *lift = add_slider(world, ground, cabin,
                       (cn_coordinate){.mode = CN_LIMITED,
                                       .upper = 5,
                                       .motor = true,
                                       .motor_speed = 1.5f,
                                       .max_motor_force = 200});
    return lift->id &&
           scene_add_one(world, CN_DYNAMIC, x - 0.6f, 1.25f, cn_box(0.5f, 0.5f), 1).id &&
           scene_add_one(world, CN_DYNAMIC, x + 0.7f, 1.25f, cn_circle(0.5f), 1).id &&
           scene_add_one(world, CN_DYNAMIC, x - 0.6f, 2.25f, cn_box(0.4f, 0.5f), 1).id;
}

static bool add_springs(cn_world *world, cn_body ground, float x) {
    static const float damping[] = {0, 0.15f, 1};
    for (int i = 0; i < 3; i++) {
        cn_body weight =
            scene_add_one(world, CN_DYNAMIC, x + 1.5f * (float)i, 5, cn_box(0.5f, 0.5f), 1);
        const cn_coordinate spring = {.mode = CN_FREE, .hertz = 0.7f, .damping_ratio = damping[i]};
        if (!add_slider(world, ground, weight, spring).id) return false;
    }
    return true;
}

// Adds bars that fall to the right until they reach their limits.
static bool add_pendulums(cn_world *world, cn_body ground, float x) {
    for (int i = 0; i < 3; i++) {
        float y = 8 - 2.6f * (float)i;
        cn_body bar = add_bar(world, x + 0.9f, y, 0.9f, 0.1f);
        const cn_coordinate limits = {
            .mode = CN_LIMITED, .lower = -PI / 6 * (float)(1 + i), .upper = 0.2f};
        if (!add_hinge(world, ground, bar, x, y, limits).id) return false;
    }
    return true;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    memory *m = run->memory;
    cn_body ground = scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(20, 0.5f), 1);
    return add_piston(world, ground, -7.5f) && add_lift(world, ground, -3.5f, &m->lift) &&
           add_springs(world, ground, 0.5f) && add_pendulums(world, ground, 6);
}

// Moves the lift up for four seconds and down for four.
static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    memory *m = run->memory;
    float speed = run->step / 240 % 2 == 0 ? 1.5f : -1.5f;
    return cn_joint_set_motor_speed(world, m->lift, CN_JOINT_X, speed);
}

const scene scene_motors = {
    .name = "motors",
    .title = "Motors, limits, springs",
    .caption =
        "A crank with a piston, a lift, springs with damping ratios of 0, 0.15 and 1, and limits.",
    .view = {0, 4.6f, 12},
    .width = 19,
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .steps = 180,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(memory),
};
