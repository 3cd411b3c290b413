/* A trebuchet. A heavy box hangs from the short arm of a beam, and the stone is in a sling at the
 * end of the long arm. The sling is a rope joint. It lets go when the stone flies in the direction
 * of release. Then a motor winds the beam back, a ruined wall is built anew, and the next
 * stone is loaded. A keep behind the wall stops the stones and boxes. */
#include "scene.h"

enum { COLUMNS = 3, ROWS = 7, BOXES = COLUMNS * ROWS, STONES = 6, MAX_TRACE = 90 };
enum { WIND, AIM, SWING, FLIGHT }; // phases
enum { AIM_STEPS = 50, SWING_STEPS = 200, FLIGHT_STEPS = 200, TRACE_STEPS = 3 };
enum { MACHINE = 2, STONE = 4 }; // categories

static const float degree = 3.14159265f / 180;
static const vec2s pivot = {{-14, 5}};
static const float long_arm = 5.4f, short_arm = 1.5f,
                   drop = 1.1f; // m; drop: from the arm to the counterweight
static const float sling = 4, stone_density = 20;
static const float aim_angle = 225; // degrees, of the long arm
static const float wall_x = 11, box_size = 1.1f;

typedef struct {
    cn_body beam, weight, stones[STONES], boxes[BOXES];
    cn_joint hinge, rope;
    int shots;    // the last stone is stones[(shots - 1) % STONES]
    int phase;    // WIND, ...
    int since;    // step in which the phase began
    int standing; // boxes that stood before the last shot
    float speed;  // m/s, of the stone at the release
    scene_random random;
    vec2s trace[MAX_TRACE];
    int trace_count;
} state;

// ---- the wall

static vec2s find_box_place(int i) {
    float column = (float)(i % COLUMNS), row = (float)(i / COLUMNS);
    return (vec2s){{wall_x + 1.02f * box_size * column, box_size * (row + 0.5f)}};
}

static bool build_wall(cn_world *world, state *s) {
    cn_hull hull = cn_box(0.5f * box_size, 0.5f * box_size);
    for (int i = 0; i < BOXES; i++) {
        vec2s place = find_box_place(i);
        if (cn_body_valid(world, s->boxes[i]) && !cn_body_destroy(world, s->boxes[i])) return false;
        s->boxes[i] = scene_add_one(world, CN_DYNAMIC, place.x, place.y, hull, 1);
        if (!s->boxes[i].id) return false;
    }
    return true;
}

static int count_standing(const cn_world *world, const state *s) {
    int standing = 0;
    for (int i = 0; i < BOXES; i++)
        standing +=
            glms_vec2_distance(cn_body_position(world, s->boxes[i]), find_box_place(i)) < 0.5f;
    return standing;
}

// Clears the field and builds a new wall, if most of the old one has fallen or if the last stone
// felled no box.
static bool renew_wall(cn_world *world, state *s) {
    int before = s->standing;
    s->standing = count_standing(world, s);
    if (2 * s->standing > BOXES && s->standing < before) return true;
    s->standing = BOXES;
    for (int i = 0; i < STONES; i++)
        if (cn_body_valid(world, s->stones[i]) && !cn_body_destroy(world, s->stones[i]))
            return false;
    for (int i = 0; i < STONES; i++) s->stones[i] = (cn_body){0};
    return build_wall(world, s);
}

// ---- the machine

static bool add_part(cn_world *world, cn_body body, cn_hull hull, float density) {
    cn_shape_def def = {
        .hull = hull, .density = density, .filter = {.category = MACHINE, .mask = 1}};
    return cn_shape_create(world, body, &def).id;
}

static bool add_frame(cn_world *world, cn_body frame) {
    vec2s left = {{pivot.x - 2, 0.15f}}, right = {{pivot.x + 2, 0.15f}};
    return add_part(world, frame, cn_capsule(left, pivot, 0.15f), 1) &&
           add_part(world, frame, cn_capsule(pivot, right, 0.15f), 1);
}

// Adds the beam. Its frame is at the pivot, and the long arm points along x.
static bool add_beam(cn_world *world, state *s, cn_body frame) {
    const vec2s corners[] = {{{-short_arm, -0.2f}}, {{0, -0.25f}}, {{long_arm, -0.07f}},
                             {{long_arm, 0.07f}},   {{0, 0.25f}},  {{-short_arm, 0.2f}}};
    s->beam = cn_body_create(
        world, &(cn_body_def){.position = pivot, .angle = aim_angle * degree, .no_sleep = true});
    cn_joint_def hinge = cn_revolute_joint(world, frame, s->beam, pivot);
    hinge.angle.motor = true;
    s->hinge = cn_joint_create(world, hinge);
    return add_part(world, s->beam, cn_polygon(corners, 6, 0), 4) && s->hinge.id;
}

static bool hang_weight(cn_world *world, state *s, float mass) {
    vec2s end = cn_pose_point(cn_body_pose(world, s->beam), (vec2s){{-short_arm, 0}});
    s->weight = scene_add_body(world, CN_DYNAMIC, end.x, end.y - drop);
    cn_joint_def hinge = cn_revolute_joint(world, s->beam, s->weight, end);
    hinge.angle.motor = true, hinge.angle.max_motor_force = 0.1f * mass; // friction, N m
    return add_part(world, s->weight, cn_box(0.65f, 0.65f), mass / 1.69f) &&
           cn_joint_create(world, hinge).id;
}

enum { WEIGHT, RELEASE };
static const scene_parameter parameters[] = {
    {"mass", 118, 20, 400, false, "kg"},  // of the counterweight
    {"release", 25, 0, 80, false, "deg"}, // above the horizon
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->standing = BOXES;
    cn_body frame = scene_add_body(world, CN_STATIC, 0, 0);
    return scene_add_one(world, CN_STATIC, 0, -1, cn_box(60, 1), 1).id &&
           scene_add_one(world, CN_STATIC, 18, 5, cn_box(0.8f, 5), 1).id &&
           add_frame(world, frame) && add_beam(world, s, frame) &&
           hang_weight(world, s, run->values[WEIGHT]) && build_wall(world, s);
}

// ---- the shot

static void begin_phase(state *s, int phase, int step) { s->phase = phase, s->since = step; }

static cn_body last_stone(const state *s) { return s->stones[(s->shots - 1) % STONES]; }

// Puts a new stone below the pivot, in a sling that is taut. Stones differ a little.
static bool load_stone(cn_world *world, state *s) {
    vec2s tip = cn_pose_point(cn_body_pose(world, s->beam), (vec2s){{long_arm, 0}});
    float radius = scene_random_range(&s->random, 0.345f, 0.355f), fall = tip.y - radius;
    vec2s place = {{tip.x + sqrtf(sling * sling - fall * fall), radius}};
    cn_body *stone = &s->stones[s->shots++ % STONES];
    if (cn_body_valid(world, *stone) && !cn_body_destroy(world, *stone)) return false;
    *stone = scene_add_body(world, CN_DYNAMIC, place.x, place.y);
    cn_shape_def shape = {.hull = cn_circle(radius), .density = stone_density};
    shape.material = (cn_material){.friction = 0.6f, .rolling_resistance = 0.15f};
    shape.filter = (cn_filter){.category = STONE, .mask = ~(uint64_t)MACHINE};
    cn_joint_def rope = cn_rope_joint(world, s->beam, *stone, tip, place);
    return cn_shape_create(world, *stone, &shape).id && (s->rope = cn_joint_create(world, rope)).id;
}

static bool wind(cn_world *world, state *s, int step) {
    float angle = cn_joint_value(world, s->hinge, CN_JOINT_ANGLE), most = 0.9f; // rad/s
    float speed = -5 * angle;
    speed = speed > most ? most : speed < -most ? -most : speed;
    if (!cn_joint_set_motor_speed(world, s->hinge, CN_JOINT_ANGLE, speed)) return false;
    if (angle < -0.01f || angle > 0.01f) return true;
    begin_phase(s, AIM, step);
    s->trace_count = 0;
    return renew_wall(world, s) && load_stone(world, s);
}

// Lets the beam swing freely, except for friction, or connects it to the motor and damps the
// motion of the counterweight.
static bool set_motor(cn_world *world, const state *s, bool on) {
    cn_coordinate angle = {.mode = CN_FREE, .motor = true, .max_motor_force = on ? 0 : 50};
    float damping = on ? 4 : 0; // 1/s
    return cn_body_set_damping(world, s->weight, damping, damping) &&
           cn_joint_set_coordinate(world, s->hinge, CN_JOINT_ANGLE, angle);
}

// The stone turns clockwise about the end of the beam: first back, then up, then forward.
static bool is_released(const cn_world *world, const state *s, float angle) {
    cn_rotation aim = cn_rotation_of(angle * degree);
    cn_body stone = last_stone(s);
    vec2s v = cn_body_velocity(world, stone);
    return cn_body_position(world, stone).y > pivot.y && v.x > 0 && aim.c * v.y < aim.s * v.x;
}

static bool swing(scene_run *run, state *s) {
    bool is_late = run->step > s->since + SWING_STEPS;
    if (!is_late && !is_released(run->world, s, run->values[RELEASE])) return true;
    s->speed = glms_vec2_norm(cn_body_velocity(run->world, last_stone(s)));
    begin_phase(s, FLIGHT, run->step);
    return !cn_joint_valid(run->world, s->rope) || cn_joint_destroy(run->world, s->rope);
}

static void trace_stone(const cn_world *world, state *s, int step) {
    vec2s place = cn_body_position(world, last_stone(s));
    if (step % TRACE_STEPS == 0 && s->trace_count < MAX_TRACE && place.x < wall_x - box_size)
        s->trace[s->trace_count++] = place;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    int passed = run->step - s->since;
    // The user may erase parts of the machine.
    if (!cn_joint_valid(world, s->hinge) || !cn_body_valid(world, s->weight)) return true;
    if (s->phase == SWING || s->phase == FLIGHT) trace_stone(world, s, run->step);
    if (s->phase == WIND) return wind(world, s, run->step);
    if (s->phase == SWING) return swing(run, s);
    if (s->phase == AIM && passed == AIM_STEPS) {
        begin_phase(s, SWING, run->step);
        return set_motor(world, s, false);
    }
    if (s->phase == FLIGHT && passed == FLIGHT_STEPS) {
        begin_phase(s, WIND, run->step);
        return set_motor(world, s, true);
    }
    return true;
}

// ---- the picture

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    const cn_world *world = run->world;
    for (int i = 0; i < m->trace_count; i++)
        sketch_dot(s, m->trace[i], (sketch_pen){INK_YELLOW, 0.7f, 2});
    if (cn_joint_valid(world, m->rope)) {
        vec2s tip = cn_pose_point(cn_body_pose(world, m->beam), (vec2s){{long_arm, 0}});
        sketch_line(s, tip, cn_body_position(world, last_stone(m)), (sketch_pen){INK_DIM, 1, 2});
    }
    if (m->speed > 0) sketch_note(s, INK_YELLOW, "released at %.1f m/s", m->speed);
    sketch_note(s, INK_TEXT, "%d of %d boxes stand", count_standing(world, m), BOXES);
}

const scene scene_trebuchet = {
    .name = "trebuchet",
    .title = "Trebuchet",
    .caption =
        "A falling counterweight swings a beam. A sling at its end throws a stone at a wall.",
    .view = {-2.4f, 7.9f, 19},
    .width = 43,
    .gravity = {{0, -10}},
    .parameters = parameters,
    .steps = 1200,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
