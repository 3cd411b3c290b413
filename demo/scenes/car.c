/* A car with a motor in both wheels drives back and forth over hills. */
#include "scene.h"

enum { HALF_WIDTH = 22 };

static const float wheel_radius = 0.5f, top_speed = 16; // m; rad/s, of the wheels

typedef struct {
    cn_body chassis;
    cn_joint wheels[2];
} car;

static float height_at(float x) {
    float edge = 0.12f * (x < 0 ? -x : x) - 1.9f; // hills rise towards the ends
    float hills = 0.6f * cn_rotation_of(0.45f * x).s + 0.2f * cn_rotation_of(1.1f * x + 1).s;
    return hills + (edge > 0 ? 5 * edge * edge : 0);
}

// Adds a chain of points from right to left, so that its solid side is below.
static bool add_hills(cn_world *world) {
    enum { POINTS = 4 * HALF_WIDTH + 1 };
    vec2s points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        float x = (float)HALF_WIDTH - 0.5f * (float)i;
        points[i] = (vec2s){{x, height_at(x)}};
    }
    cn_body hills = scene_add_body(world, CN_STATIC, 0, 0);
    cn_chain_def def = {.points = points, .count = POINTS, .material = {.friction = 0.9f}};
    return cn_chain_create(world, hills, &def).id;
}

static cn_joint add_wheel(cn_world *world, cn_body chassis, float x, float y) {
    cn_body wheel = scene_add_body(world, CN_DYNAMIC, x, y);
    if (!scene_add_hull(world, wheel, cn_circle(wheel_radius), 1.5f, 2).id) return (cn_joint){0};
    cn_joint_def def = cn_wheel_joint(world, chassis, wheel, (vec2s){{x, y}}, (vec2s){{0, 1}});
    def.x.mode = CN_LIMITED;
    def.x.lower = -0.25f, def.x.upper = 0.25f;
    def.angle.motor = true;
    def.angle.motor_speed = -top_speed;
    def.angle.max_motor_force = 9;
    return cn_joint_create(world, def);
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

static bool create(scene_run *run) {
    cn_world *world = run->world;
    return add_hills(world) && add_car(world, run->memory, -11, height_at(-11) + 1.6f);
}

// Reverses the motors near the ends.
static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    car *c = run->memory;
    float x = cn_body_position(world, c->chassis).x, speed = 0;
    if (x > 6) speed = top_speed;
    if (x < -6) speed = -top_speed;
    for (int i = 0; i < 2 && speed != 0; i++)
        if (!cn_joint_set_motor_speed(world, c->wheels[i], CN_JOINT_ANGLE, speed)) return false;
    return true;
}

const scene scene_car = {
    .name = "car",
    .title = "Car",
    .caption = "Each wheel joint has a spring along one axis and a motor that turns the wheel.",
    .view = {0, 2, 19},
    .width = 29,
    .gravity = {{0, -10}},
    .steps = 600,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(car),
};
