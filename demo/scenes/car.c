/* A car with a motor in both wheels drives over hills, and back again. */
#include "../scene.h"

enum { HALF_WIDTH = 22 };

static const float wheel_radius = 0.5f, top_speed = 16; // rad/s of the wheels

typedef struct {
    cn_body chassis;
    cn_joint wheels[2];
} car;

static float height_at(float x) {
    float edge = 0.12f * (x < 0 ? -x : x) - 1.9f; // hills rise towards the ends
    float hills = 0.6f * cn_rotation_of(0.45f * x).s + 0.2f * cn_rotation_of(1.1f * x + 1).s;
    return hills + (edge > 0 ? 5 * edge * edge : 0);
}

static bool add_hills(cn_world *world) {
    cn_body hills = scene_add_body(world, CN_STATIC, 0, 0);
    for (int i = -2 * HALF_WIDTH; i < 2 * HALF_WIDTH; i++) {
        float x = 0.5f * (float)i;
        vec2s p = {{x, height_at(x)}}, q = {{x + 0.5f, height_at(x + 0.5f)}};
        if (!scene_add_hull(world, hills, cn_segment(p, q), 0.9f, 1).id) return false;
    }
    return true;
}

static cn_joint add_wheel(cn_world *world, cn_body chassis, float x, float y) {
    cn_body wheel = scene_add_body(world, CN_DYNAMIC, x, y);
    if (!scene_add_hull(world, wheel, cn_circle(wheel_radius), 1.5f, 2).id) return (cn_joint){0};
    cn_joint_def def = cn_wheel_joint(world, chassis, wheel, (vec2s){{x, y}}, (vec2s){{0, 1}});
    def.x.mode = CN_LIMITED;
    def.x.lower = -0.25f, def.x.upper = 0.25f;
    def.angle.motor = true;
    def.angle.speed = -top_speed;
    def.angle.motor_force = 9;
    return cn_joint_create(world, &def);
}

static bool add_car(cn_world *world, car *c, float x, float y) {
    static const vec2s corners[] = {{{-1.7f, -0.35f}}, {{1.7f, -0.35f}}, {{1.7f, 0.05f}},
                                    {{0.5f, 0.65f}},   {{-1.1f, 0.65f}}, {{-1.7f, 0.2f}}};
    c->chassis = scene_add_one(world, CN_DYNAMIC, x, y, cn_polygon(corners, 6, 0.05f), 1);
    for (int i = 0; i < 2; i++) {
        c->wheels[i] = add_wheel(world, c->chassis, x + (i ? 1.05f : -1.05f), y - 0.55f);
        if (!c->wheels[i].id) return false;
    }
    return true;
}

static bool create(cn_world *world, void *memory) {
    bool made = add_hills(world) && add_car(world, memory, -11, height_at(-11) + 1.6f);
    for (int i = 0; i < 6 && made; i++) {
        float x = -2.2f + 0.65f * (float)(i % 3),
              y = height_at(-1.5f) + 0.6f + 0.55f * (float)(i / 3);
        made = scene_add_one(world, CN_DYNAMIC, x, y, cn_box(0.25f, 0.25f), 0.2f).id;
    }
    return made;
}

// Turns back at the ends.
static bool before_step(cn_world *world, void *memory, int step) {
    (void)step;
    car *c = memory;
    float x = cn_body_position(world, c->chassis).x, speed = 0;
    if (x > 10) speed = top_speed;
    if (x < -10) speed = -top_speed;
    for (int i = 0; i < 2 && speed != 0; i++)
        if (!cn_joint_set_speed(world, c->wheels[i], CN_JOINT_ANGLE, speed)) return false;
    return true;
}

const scene scene_car = {
    .name = "car",
    .title = "Car",
    .about = "Wheel joints: a spring along one axis, and a motor in the wheel.",
    .view = {0, 2, 15},
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .steps = 600,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(car),
};
