/* A robot arm of six links with a load at its end. The load weighs a thousand times as much as a
 * link. It follows the mouse, or moves along a figure of eight if there is no mouse.
 *
 * The motors get those joint speeds w that move the load at a velocity v. With the load at t and
 * joint i at p_i,
 *
 *      v = sum of w_i perp(t - p_i) = J w
 *
 * Many w satisfy this. The arm takes the one that is closest to the speeds u, which would bend all
 * joints alike:
 *
 *      w = u + J^T (J J^T + D 1)^-1 (v - J u)
 *
 * D keeps w small if the arm is stretched, because then no w moves the load outwards. */
#include "scene.h"

#include <math.h>

enum { LINKS = 6 };

static const float length = 1.2f, load_radius = 0.5f, mass_ratio = 1000;
static const float motor_torque = 150000; // N m; the load at rest needs up to 34000
static const float top_speed = 6, acceleration = 15, pull = 8; // m/s, m/s^2, 1/s: of the load
static const float first_angle = 2.1f, bend = -0.4f;           // rad, at the start
static const float bend_rate = 0.5f;                           // 1/s, back to this bend
static const float damping = 0.25f;                            // D, m^2
static const vec2s base = {{-4.5f, 1.5f}};

typedef struct {
    cn_joint joints[LINKS];
    cn_body load;
    vec2s velocity; // v
} arm;

// ---- the world

// The load collides with the ground and the boxes, the links with nothing.
static cn_body add_part(cn_world *world, vec2s place, float angle, cn_hull hull, float mass,
                        bool is_load) {
    cn_body body = cn_body_create(world, &(cn_body_def){.position = place, .angle = angle});
    cn_shape_def shape = {.hull = hull,
                          .density = mass / cn_hull_mass_data(hull, 1).mass,
                          .material = {.friction = 0.6f},
                          .no_collision = !is_load};
    return cn_shape_create(world, body, &shape).id ? body : (cn_body){0};
}

// Adds the links from the base on. Each link is turned by `bend` relative to the link before it.
static bool add_arm(cn_world *world, arm *a, cn_body stand) {
    cn_hull link = cn_capsule((vec2s){{0, 0}}, (vec2s){{length, 0}}, 0.17f);
    float mass = cn_hull_mass_data(link, 1).mass, angle = first_angle;
    cn_body last = stand;
    vec2s end = base;
    for (int i = 0; i < LINKS; i++, angle += bend) {
        cn_body next = add_part(world, end, angle, link, mass, false);
        cn_joint_def hinge = cn_revolute_joint(world, last, next, end);
        hinge.angle.motor = true;
        hinge.angle.max_motor_force = motor_torque;
        a->joints[i] = cn_joint_create(world, hinge);
        if (!a->joints[i].id) return false;
        end = cn_pose_point(cn_body_pose(world, next), (vec2s){{length, 0}});
        last = next;
    }
    a->load = add_part(world, end, 0, cn_circle(load_radius), mass_ratio * mass, true);
    cn_joint_def weld = cn_weld_joint(world, last, a->load, end);
    return cn_joint_create(world, weld).id != 0;
}

static bool add_wall(cn_world *world, float x) {
    bool made = true;
    for (int row = 0; row < 5 && made; row++)
        for (int i = 0; i < 3 && made; i++)
            made = scene_add_one(world, CN_DYNAMIC, x + 0.7f * (float)i, 0.35f + 0.7f * (float)row,
                                 cn_box(0.35f, 0.35f), 1)
                       .id;
    return made;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    static const vec2s corners[] = {{{-1, 0}}, {{1, 0}}, {{0.25f, 1.5f}}, {{-0.25f, 1.5f}}};
    if (!scene_add_one(world, CN_STATIC, 0, -0.5f, cn_box(20, 0.5f), 1).id) return false;
    cn_body stand = scene_add_body(world, CN_STATIC, base.x, 0);
    cn_shape_def shape = {.hull = cn_polygon(corners, 4, 0.1f), .no_collision = true};
    if (!cn_shape_create(world, stand, &shape).id) return false;
    return add_arm(world, run->memory, stand) && add_wall(world, 2.4f);
}

// ---- the control

static vec2s limit_length(vec2s v, float limit) {
    float size = glms_vec2_norm(v);
    return size > limit ? glms_vec2_scale(v, limit / size) : v;
}

// Returns the mouse, or a point of the figure of eight. Keeps it within reach, right of the base.
static vec2s choose_target(const scene_input *input, int step) {
    float time = (float)step / 60;
    vec2s target = {
        {-1.3f + 2.1f * cn_rotation_of(0.5f * time).s, 4.3f + 1.3f * cn_rotation_of(time).s}};
    if (input->has_mouse) target = input->mouse;
    target.x = fmaxf(target.x, base.x);
    target.y = fmaxf(target.y, load_radius);
    return glms_vec2_add(base, limit_length(glms_vec2_sub(target, base), 0.94f * LINKS * length));
}

// Changes the velocity of the load as fast as the acceleration allows. Before the load arrives, it
// slows down at half of this acceleration.
static void steer_load(arm *a, vec2s place, vec2s target) {
    vec2s offset = glms_vec2_sub(target, place);
    float limit = fminf(top_speed, sqrtf(acceleration * glms_vec2_norm(offset)));
    vec2s wanted = limit_length(glms_vec2_scale(offset, pull), limit);
    vec2s change = limit_length(glms_vec2_sub(wanted, a->velocity), acceleration / 60);
    a->velocity = glms_vec2_add(a->velocity, change);
}

// Returns (J J^T + D 1)^-1 e. The columns of J are `arms`.
static vec2s solve_damped(const vec2s *arms, vec2s e) {
    float xx = damping, xy = 0, yy = damping;
    for (int i = 0; i < LINKS; i++) {
        xx += arms[i].x * arms[i].x;
        xy += arms[i].x * arms[i].y;
        yy += arms[i].y * arms[i].y;
    }
    float determinant = xx * yy - xy * xy; // at least D^2
    return (vec2s){{(yy * e.x - xy * e.y) / determinant, (xx * e.y - xy * e.x) / determinant}};
}

static bool set_speeds(cn_world *world, const arm *a, vec2s place) {
    vec2s columns[LINKS], e = a->velocity; // e: v - J u
    float u[LINKS];
    for (int i = 0; i < LINKS; i++) {
        cn_joint_def def = cn_joint_definition(world, a->joints[i]);
        vec2s r =
            glms_vec2_sub(place, cn_pose_point(cn_body_pose(world, def.a), def.frame_a.position));
        columns[i] = (vec2s){{-r.y, r.x}};
        // At the start all joints have the same bend and the value 0.
        u[i] = i ? -bend_rate * cn_joint_value(world, a->joints[i], CN_JOINT_ANGLE) : 0;
        e = glms_vec2_muladds(columns[i], -u[i], e);
    }
    vec2s y = solve_damped(columns, e);
    for (int i = 0; i < LINKS; i++) {
        float speed = u[i] + glms_vec2_dot(columns[i], y);
        if (!cn_joint_set_motor_speed(world, a->joints[i], CN_JOINT_ANGLE, speed)) return false;
    }
    return true;
}

static bool control(scene_run *run) {
    cn_world *world = run->world;
    const scene_input *input = &run->input;
    arm *a = run->memory;
    vec2s place = cn_body_position(world, a->load);
    steer_load(a, place, choose_target(input, run->step));
    return set_speeds(world, a, place);
}

// ---- the picture

static void draw_path(const scene_input *input, sketch *s) {
    enum { PIECES = 64, STEPS = 754 }; // STEPS: of a round
    for (int i = 0; i < PIECES; i++)
        sketch_line(s, choose_target(input, STEPS * i / PIECES),
                    choose_target(input, STEPS * (i + 1) / PIECES),
                    (sketch_pen){INK_FAINT, 1, 1.5f});
}

static void draw(const scene_run *run, sketch *s) {
    const arm *a = run->memory;
    vec2s target = choose_target(&run->input, run->step);
    if (!run->input.has_mouse) draw_path(&run->input, s);
    sketch_line(s, cn_body_position(run->world, a->load), target,
                (sketch_pen){INK_YELLOW, 1, 1.5f});
    sketch_dot(s, target, (sketch_pen){INK_YELLOW, 1, 4});
}

const scene scene_robot_arm = {
    .name = "robot-arm",
    .title = "Robot arm",
    .caption = "The load weighs a thousand times as much as a link, and follows the mouse.",
    .view = {-1, 4.2f, 11},
    .width = 15,
    .gravity = {{0, -10}},
    .overlays = CN_DRAW_JOINTS,
    .steps = 480,
    .create = create,
    .control = control,
    .draw = draw,
    .memory_size = sizeof(arm),
};
