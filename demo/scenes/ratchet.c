/* Two winches that turn back and forth. The left one has a ratchet: its lower limit follows the
 * angle up, tooth by tooth, so its load only rises. */
#include "scene.h"

#define PI 3.14159265358979f

enum { TEETH = 16, HALF_PERIOD = 40 };

static const float radius = 1.2f, height = 7.5f, load_mass = 4;

typedef struct {
    cn_joint winches[2];
} memory;

// Adds a wheel with saw teeth. The wheel collides with nothing.
static cn_body add_wheel(cn_world *world, float x) {
    cn_body wheel = scene_add_body(world, CN_DYNAMIC, x, height);
    cn_shape_def shape = {.hull = cn_circle(radius), .no_collision = true};
    bool made = cn_shape_create(world, wheel, &shape).id;
    for (int i = 0; i < TEETH && made; i++) {
        float from = 2 * PI * (float)i / TEETH;
        cn_rotation a = cn_rotation_of(from), b = cn_rotation_of(from + 2 * PI / TEETH);
        float inner = radius - 0.05f, outer = radius + 0.22f;
        shape.hull = cn_polygon((vec2s[]){{{inner * a.c, inner * a.s}},
                                          {{outer * a.c, outer * a.s}},
                                          {{inner * b.c, inner * b.s}}},
                                3, 0);
        made = cn_shape_create(world, wheel, &shape).id;
    }
    return made ? wheel : (cn_body){0};
}

static cn_joint add_axle(cn_world *world, cn_body ground, float x, bool has_ratchet) {
    cn_body wheel = add_wheel(world, x);
    cn_joint_def def = cn_revolute_joint(world, ground, wheel, (vec2s){{x, height}});
    def.angle = (cn_coordinate){
        .mode = CN_FREE, .motor = true, .max_motor_force = 2.5f * load_mass * 10 * radius};
    if (has_ratchet) {
        def.angle.mode = CN_LIMITED;
        def.angle.upper = 1000;
        def.angle.ratchet = 2 * PI / TEETH;
    }
    return cn_joint_create(world, def);
}

// Adds a load on a rope. The rope gets shorter by the angle of the wheel times its radius.
static bool add_load(cn_world *world, cn_body ground, cn_joint axle, float x) {
    cn_body load = scene_add_one(world, CN_DYNAMIC, x, 1, cn_box(0.8f, 0.8f), load_mass / 2.56f);
    cn_joint_def def = cn_rope_joint(world, ground, load, (vec2s){{x, height}}, (vec2s){{x, 1.8f}});
    def.x.lower = 1.5f;
    def.x.upper = 7;
    def.collide_connected = true;
    cn_joint rope = cn_joint_create(world, def);
    return cn_joint_set_coupling(world, rope,
                                 (cn_coupling){.other = axle,
                                               .axis = CN_JOINT_X,
                                               .other_axis = CN_JOINT_ANGLE,
                                               .ratio = radius,
                                               .slack = true});
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    memory *m = run->memory;
    cn_body ground = scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(20, 0.5f), 1);
    bool made = true;
    for (int i = 0; i < 2 && made; i++) {
        float x = i ? 3 : -3, side = x + radius; // the rope hangs from the right of the wheel
        m->winches[i] = add_axle(world, ground, x, i == 0);
        made = m->winches[i].id && add_load(world, ground, m->winches[i], side);
    }
    return made;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    memory *m = run->memory;
    float speed = run->step / HALF_PERIOD % 2 == 0 ? 2 : -2;
    for (int i = 0; i < 2; i++)
        if (!cn_joint_set_motor_speed(world, m->winches[i], CN_JOINT_ANGLE, speed)) return false;
    return true;
}

const scene scene_ratchet = {
    .name = "ratchet",
    .title = "Ratchet",
    .caption =
        "Both winches turn back and forth. The left one has a ratchet, so its load only rises.",
    .view = {0, 4.5f, 11.5f},
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .steps = 300,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(memory),
};
