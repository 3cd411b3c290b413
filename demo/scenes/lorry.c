/* A lorry drives over a bridge of planks and back. The lorry weighs a hundred times as much as a
 * plank. */
#include "scene.h"

enum { PLANKS = 28, WHEELS = 5 };

static const float span = 24, sag = 0.9f, thickness = 0.24f;               // m, of the bridge
static const float mass_ratio = 100, wheel_radius = 0.42f, top_speed = 10; // 1, m, rad/s
static const float cab_part = 0.35f, wheel_part = 0.04f; // fractions of the mass of the lorry

typedef struct {
    cn_body cab;
    cn_joint wheels[WHEELS];
} lorry;

// ---- the bridge

static vec2s locate_hinge(int i) {
    float t = (float)i / PLANKS;
    return (vec2s){{span * (t - 0.5f), -thickness / 2 - 4 * sag * t * (1 - t)}};
}

static bool add_hinge(cn_world *world, cn_body a, cn_body b, vec2s point) {
    cn_joint_def hinge = cn_revolute_joint(world, a, b, point);
    return cn_joint_create(world, hinge).id != 0;
}

static cn_body add_plank(cn_world *world, vec2s from, vec2s to) {
    vec2s middle = glms_vec2_lerp(from, to, 0.5f), along = glms_vec2_sub(to, from);
    float half = glms_vec2_norm(along) / 2;
    cn_rotation r = {along.x / (2 * half), along.y / (2 * half)};
    cn_body plank =
        cn_body_create(world, &(cn_body_def){.position = middle, .angle = cn_rotation_angle(r)});
    cn_hull box = cn_box(half, thickness / 2);
    return scene_add_hull(world, plank, box, 0.9f, 1).id ? plank : (cn_body){0};
}

static bool add_bridge(cn_world *world, cn_body cliffs) {
    cn_body last = cliffs;
    for (int i = 0; i < PLANKS; i++) {
        cn_body next = add_plank(world, locate_hinge(i), locate_hinge(i + 1));
        if (!next.id || !add_hinge(world, last, next, locate_hinge(i))) return false;
        last = next;
    }
    return add_hinge(world, last, cliffs, locate_hinge(PLANKS));
}

static cn_body add_cliffs(cn_world *world) {
    cn_body cliffs = scene_add_body(world, CN_STATIC, 0, 0);
    for (int i = -1; i <= 1; i += 2) {
        cn_hull box = cn_box(5, 4);
        box = cn_hull_at(box, cn_pose_at((vec2s){{(span / 2 + 5) * (float)i, -4}}, 0));
        if (!scene_add_hull(world, cliffs, box, 0.9f, 1).id) return (cn_body){0};
    }
    return cliffs;
}

// ---- the lorry

static cn_body add_part(cn_world *world, float x, float y, cn_hull hull, float mass) {
    return scene_add_one(world, CN_DYNAMIC, x, y, hull, mass / cn_hull_mass_data(hull, 1).mass);
}

static cn_joint add_wheel(cn_world *world, cn_body part, float x, float mass) {
    vec2s axle = {{x, wheel_radius}};
    cn_hull tyre = cn_circle(wheel_radius);
    cn_body wheel = scene_add_body(world, CN_DYNAMIC, axle.x, axle.y);
    if (!scene_add_hull(world, wheel, tyre, 1.5f, mass / cn_hull_mass_data(tyre, 1).mass).id)
        return (cn_joint){0};
    cn_joint_def def = cn_wheel_joint(world, part, wheel, axle, (vec2s){{0, 1}});
    def.x.mode = CN_LIMITED;
    def.x.hertz = 5;
    def.x.lower = -0.12f, def.x.upper = 0.12f;
    def.angle.motor = true;
    def.angle.motor_speed = -top_speed;
    def.angle.max_motor_force = 150;
    return cn_joint_create(world, def);
}

static bool add_lorry(cn_world *world, lorry *l, float x) {
    static const vec2s cab[] = {{{-1.1f, -0.3f}}, {{1.1f, -0.3f}}, {{1.1f, 0.5f}},
                                {{0.8f, 1.5f}},   {{-0.3f, 1.5f}}, {{-1.1f, 0}}};
    static const float wheels[WHEELS] = {0.6f, -0.6f, -2.6f, -3.6f, -4.6f};
    cn_hull plank = cn_box(span / PLANKS / 2, thickness / 2), box = cn_box(2.25f, 0.9f);
    float mass = mass_ratio * cn_hull_mass_data(plank, 1).mass;
    l->cab = add_part(world, x, 0.85f, cn_polygon(cab, 6, 0.05f), cab_part * mass);
    cn_body trailer =
        add_part(world, x - 3, 1.75f, box, (1 - cab_part - WHEELS * wheel_part) * mass);
    cn_joint_def hinge = cn_revolute_joint(world, l->cab, trailer, (vec2s){{x - 0.9f, 0.85f}});
    hinge.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.3f, .upper = 0.3f};
    bool made = cn_joint_create(world, hinge).id;
    for (int i = 0; i < WHEELS && made; i++) {
        cn_body part = i < 2 ? l->cab : trailer;
        l->wheels[i] = add_wheel(world, part, x + wheels[i], wheel_part * mass);
        made = l->wheels[i].id;
    }
    return made;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_body cliffs = add_cliffs(world);
    return cliffs.id && add_bridge(world, cliffs) &&
           add_lorry(world, run->memory, -span / 2 - 2.5f);
}

// Reverses the motors when the lorry has arrived on a cliff.
static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    lorry *l = run->memory;
    float x = cn_body_position(world, l->cab).x, speed = 0;
    if (x > span / 2 + 7) speed = top_speed;
    if (x < -span / 2 - 3) speed = -top_speed;
    for (int i = 0; i < WHEELS && speed != 0; i++)
        if (!cn_joint_set_motor_speed(world, l->wheels[i], CN_JOINT_ANGLE, speed)) return false;
    return true;
}

const scene scene_lorry = {
    .name = "lorry",
    .title = "Lorry on a bridge",
    .caption = "A lorry drives across and back. It weighs a hundred times as much as a plank.",
    .view = {0, 0, 13},
    .width = 41,
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .steps = 600,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(lorry),
};
