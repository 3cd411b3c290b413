/* Gears and a rack. The teeth are only for the picture and collide with nothing. Couplings between
 * the joints make each wheel turn with the next.
 *
 * A wheel of n teeth has the pitch radius n MODULE, so that teeth are equally wide on all wheels.
 * Each wheel has a tooth at angle 0 of its body, so it starts at an angle at which its teeth meet
 * the gaps of the previous wheel. */
#include "scene.h"

#define PI     3.14159265358979f
#define MODULE 0.14f // m, pitch radius divided by the number of teeth
#define DEPTH  0.2f  // m, from the pitch radius to the root or the tip of a tooth

enum { RACK_TEETH = 30 };

typedef struct {
    vec2s center;
    int teeth;
    float angle;
    cn_joint joint; // between the ground and the wheel
} gear;

typedef struct {
    cn_joint motor, rack;
    float speed;
} memory;

static float radius_of(const gear *g) { return MODULE * (float)g->teeth; }

// Adds a tooth that points along the x axis of the pose. The origin is at half its height.
static bool add_tooth(cn_world *world, cn_body body, cn_pose pose) {
    static const float half = PI * MODULE / 2; // half the width at half the height
    const vec2s corners[] = {{{-DEPTH, -0.8f * half}},
                             {{DEPTH, -0.3f * half}},
                             {{DEPTH, 0.3f * half}},
                             {{-DEPTH, 0.8f * half}}};
    cn_hull tooth = cn_polygon(corners, 4, 0);
    return cn_shape_create(world, body,
                           &(cn_shape_def){.hull = cn_hull_at(tooth, pose), .no_collision = true})
               .id != 0;
}

static bool add_gear(cn_world *world, cn_body ground, gear *g) {
    cn_body wheel = cn_body_create(world, &(cn_body_def){.position = g->center, .angle = g->angle});
    cn_shape_def disc = {.hull = cn_circle(radius_of(g) - DEPTH), .no_collision = true};
    bool made = cn_shape_create(world, wheel, &disc).id;
    for (int i = 0; i < g->teeth && made; i++) {
        cn_rotation r = cn_rotation_of(2 * PI * (float)i / (float)g->teeth);
        vec2s place = {{radius_of(g) * r.c, radius_of(g) * r.s}};
        made = add_tooth(world, wheel, (cn_pose){place, r});
    }
    cn_joint_def def = cn_revolute_joint(world, ground, wheel, g->center);
    g->joint = cn_joint_create(world, def);
    return made && g->joint.id;
}

// Adds wheel b beside wheel a, in the given direction, and couples the two.
static bool add_next_gear(cn_world *world, cn_body ground, const gear *a, gear *b,
                          float direction) {
    cn_rotation r = cn_rotation_of(direction);
    float distance = radius_of(a) + radius_of(b), ratio = radius_of(b) / radius_of(a);
    b->center = glms_vec2_muladds((vec2s){{r.c, r.s}}, distance, a->center);
    // Where the wheels meet, a tooth of one faces a gap of the other.
    float phase = (direction - a->angle) * (float)a->teeth;
    b->angle = direction + PI - (PI - phase) / (float)b->teeth;
    return add_gear(world, ground, b) &&
           cn_joint_set_coupling(world, a->joint,
                                 (cn_coupling){.other = b->joint,
                                               .axis = CN_JOINT_ANGLE,
                                               .other_axis = CN_JOINT_ANGLE,
                                               .ratio = ratio});
}

// Adds a rack below a wheel. The rack moves by the angle of the wheel times the pitch radius.
static cn_joint add_rack(cn_world *world, cn_body ground, const gear *above) {
    float y = above->center.y - radius_of(above), pitch = 2 * PI * MODULE;
    cn_body rack = scene_add_body(world, CN_DYNAMIC, above->center.x, y);
    // A tooth of the rack is `phase` pitches to the right of the lowest point of the wheel.
    float phase = (above->angle + PI / 2) * (float)above->teeth / (2 * PI) + 0.5f;
    phase -= (float)(int)phase;
    cn_hull bar = cn_box(pitch * RACK_TEETH / 2, 0.2f);
    bar = cn_hull_at(bar, cn_pose_at((vec2s){{0, -DEPTH - 0.2f}}, 0));
    bool made = scene_add_hull(world, rack, bar, 0.6f, 1).id;
    for (int i = 0; i < RACK_TEETH && made; i++) {
        float x = pitch * ((float)(i - RACK_TEETH / 2) + phase);
        made = add_tooth(world, rack, cn_pose_at((vec2s){{x, 0}}, PI / 2));
    }
    cn_joint_def def =
        cn_prismatic_joint(world, ground, rack, cn_body_position(world, rack), (vec2s){{1, 0}});
    def.x = (cn_coordinate){.mode = CN_LIMITED, .lower = -6, .upper = 6};
    cn_joint joint = cn_joint_create(world, def);
    cn_coupling coupling = {.other = above->joint,
                            .axis = CN_JOINT_X,
                            .other_axis = CN_JOINT_ANGLE,
                            .ratio = -radius_of(above)};
    return made && cn_joint_set_coupling(world, joint, coupling) ? joint : (cn_joint){0};
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    memory *m = run->memory;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    gear first = {.center = {{-5, 6}}, .teeth = 12}, second = {.teeth = 22}, third = {.teeth = 8},
         fourth = {.teeth = 16};
    m->speed = 2.5f;
    if (!add_gear(world, ground, &first) ||
        !add_next_gear(world, ground, &first, &second, -0.35f) ||
        !add_next_gear(world, ground, &second, &third, 0.9f) ||
        !add_next_gear(world, ground, &third, &fourth, -0.2f))
        return false;
    cn_coordinate motor = {
        .mode = CN_FREE, .motor = true, .motor_speed = m->speed, .max_motor_force = 1000};
    m->motor = first.joint;
    m->rack = add_rack(world, ground, &second);
    return m->rack.id && cn_joint_set_coordinate(world, first.joint, CN_JOINT_ANGLE, motor);
}

// Reverses the motor when the rack is near an end of its range.
static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    memory *m = run->memory;
    float x = cn_joint_value(world, m->rack, CN_JOINT_X); // falls while the motor speed is positive
    if ((x < -4 && m->speed > 0) || (x > 4 && m->speed < 0)) m->speed = -m->speed;
    return cn_joint_set_motor_speed(world, m->motor, CN_JOINT_ANGLE, m->speed);
}

const scene scene_gears = {
    .name = "gears",
    .title = "Gears and a rack",
    .caption = "The first wheel has a motor. Joint couplings drive the other wheels and the rack.",
    .view = {0, 5.2f, 14},
    .gravity = {{0, -10}},
    .steps = 300,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(memory),
};
