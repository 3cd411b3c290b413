/* A car to drive: over hills, a seesaw, a bridge of planks, stairs of crates and a jump. Until a
 * key is pressed it drives by itself. */
#include "scene.h"

enum { POINTS = 401, PLANKS = 12 };

static const float spacing = 0.5f, wheel_radius = 0.45f; // m

enum { ENGINE, SPRINGS };
static const scene_parameter parameters[] = {
    {"engine", 22, 5, 80, false, "N m"}, // of each wheel
    {"springs", 4, 1, 10, false, "Hz"},
    {.name = NULL},
};

// The car's parts, and their places in the car at rest, in metres.
enum { CHASSIS, REAR, FRONT, PARTS };
static const vec2s part_places[PARTS] = {{{0, 0}}, {{-1.05f, -0.5f}}, {{1.05f, -0.5f}}};

typedef struct {
    cn_body parts[PARTS];
    cn_joint wheels[2];
    bool is_driven; // a key was pressed
    float speed;    // m/s, of the last step
    int steps_stuck;
} state;

// ---- the track

// Returns a smooth step from 0 to 1 between two places.
static float ramp(float x, float from, float to) {
    float t = (x - from) / (to - from);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

static float height_at(float x) {
    float hills = 0.9f * cn_rotation_of(0.35f * x).s * ramp(x, 4, 16) * (1 - ramp(x, 55, 62));
    float jump = 2.4f * ramp(x, 128, 138) * (x < 138.2f);
    float gap = -3 * (ramp(x, 78, 78.4f) - ramp(x, 91.6f, 92)); // under the bridge
    float ends = 6 * (1 - ramp(x, -9, -5)) + 6 * ramp(x, 184, 190);
    return hills + jump + gap + ends;
}

// From right to left, so that the solid side is below.
static bool add_track(cn_world *world, cn_body ground) {
    static vec2s points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        float x = spacing * (float)(POINTS - 1 - i) - 10;
        points[i] = (vec2s){{x, height_at(x)}};
    }
    cn_chain_def def = {.points = points, .count = POINTS, .material = {.friction = 0.9f}};
    return cn_chain_create(world, ground, &def).id;
}

static bool add_bridge(cn_world *world, cn_body ground) {
    const float length = 13.6f / PLANKS;
    cn_body before = ground;
    for (int i = 0; i <= PLANKS; i++) {
        float left = 78.2f + length * (float)i;
        cn_body plank = ground;
        if (i < PLANKS)
            plank = scene_add_one(world, CN_DYNAMIC, left + length / 2, -0.1f,
                                  cn_box(length / 2 - 0.02f, 0.1f), 2);
        cn_joint_def def = cn_revolute_joint(world, before, plank, (vec2s){{left, -0.1f}});
        if (!cn_joint_create(world, def).id) return false;
        before = plank;
    }
    return true;
}

static bool add_seesaw(cn_world *world, cn_body ground) {
    cn_body board = scene_add_one(world, CN_DYNAMIC, 68, 0.75f, cn_box(4, 0.1f), 1);
    cn_joint_def def = cn_revolute_joint(world, ground, board, (vec2s){{68.6f, 0.75f}});
    def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.19f, .upper = 0.19f};
    return cn_joint_create(world, def).id;
}

static bool add_crates(cn_world *world) {
    for (int i = 0; i < 21; i++) {
        int row = i < 6 ? 0 : i < 11 ? 1 : i < 15 ? 2 : i < 18 ? 3 : i < 20 ? 4 : 5;
        const int firsts[] = {0, 6, 11, 15, 18, 20};
        float x = 108 + 0.8f * ((float)(i - firsts[row]) + 0.5f * (float)row);
        float y = 0.4f + 0.8f * (float)row;
        if (!scene_add_one(world, CN_DYNAMIC, x, y, cn_box(0.38f, 0.4f), 0.15f).id) return false;
    }
    return true;
}

// ---- the car

static cn_joint add_wheel(cn_world *world, const scene_run *run, cn_body chassis, cn_body wheel) {
    if (!scene_add_hull(world, wheel, cn_circle(wheel_radius), 1.6f, 1).id) return (cn_joint){0};
    cn_joint_def def =
        cn_wheel_joint(world, chassis, wheel, cn_body_position(world, wheel), (vec2s){{0, 1}});
    def.x.mode = CN_LIMITED;
    def.x.lower = -0.25f, def.x.upper = 0.25f;
    def.x.hertz = run->values[SPRINGS], def.x.damping_ratio = 0.7f;
    def.angle.motor = true;
    def.angle.max_motor_force = run->values[ENGINE];
    return cn_joint_create(world, def);
}

static bool add_car(const scene_run *run, state *s) {
    static const vec2s corners[] = {{{-1.6f, -0.3f}}, {{1.6f, -0.3f}}, {{1.6f, 0}},
                                    {{0.5f, 0.55f}},  {{-1, 0.55f}},   {{-1.6f, 0.15f}}};
    cn_world *world = run->world;
    cn_body *parts = s->parts;
    for (int i = 0; i < PARTS; i++)
        parts[i] = scene_add_body(world, CN_DYNAMIC, part_places[i].x, 1.1f + part_places[i].y);
    cn_hull chassis = cn_polygon(corners, 6, 0.05f);
    if (!scene_add_hull(world, parts[CHASSIS], chassis, 0.6f, 2).id) return false;
    for (int i = 0; i < 2; i++) {
        s->wheels[i] = add_wheel(world, run, parts[CHASSIS], parts[REAR + i]);
        if (!s->wheels[i].id) return false;
    }
    return true;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    return add_track(world, ground) && add_bridge(world, ground) && add_seesaw(world, ground) &&
           add_crates(world) && add_car(run, run->memory);
}

// ---- driving

// Places all parts of the car upright and at rest.
static bool place_car(cn_world *world, const state *s, vec2s place) {
    for (int i = 0; i < PARTS; i++) {
        cn_body part = s->parts[i];
        if (!cn_body_set_pose(world, part, cn_pose_at(glms_vec2_add(place, part_places[i]), 0)) ||
            !cn_body_set_velocity(world, part, (vec2s){{0, 0}}) ||
            !cn_body_set_angular_velocity(world, part, 0))
            return false;
    }
    return true;
}

// Puts the car back on its wheels when it lies still.
static bool put_upright(cn_world *world, state *s) {
    bool is_stuck = s->speed < 0.2f && s->speed > -0.2f;
    s->steps_stuck = is_stuck ? s->steps_stuck + 1 : 0;
    if (s->steps_stuck < 150) return true;
    s->steps_stuck = 0;
    vec2s place = cn_body_position(world, s->parts[CHASSIS]);
    float angle = cn_body_angle(world, s->parts[CHASSIS]);
    if (angle < 0.8f && angle > -0.8f) return true;
    place.y += 1.5f;
    return place_car(world, s, place);
}

static bool control(scene_run *run) {
    state *s = run->memory;
    uint32_t keys = run->input.keys;
    s->is_driven = s->is_driven || keys;
    float gas = s->is_driven ? (float)((keys & (SCENE_KEY_RIGHT | SCENE_KEY_UP)) != 0) -
                                   (float)((keys & (SCENE_KEY_LEFT | SCENE_KEY_DOWN)) != 0)
                             : 0.5f;
    for (int i = 0; i < 2; i++)
        if (!cn_joint_set_motor_speed(run->world, s->wheels[i], CN_JOINT_ANGLE, -32 * gas))
            return false;
    vec2s velocity = cn_body_velocity(run->world, s->parts[CHASSIS]);
    s->speed = velocity.x;
    run->follow = cn_body_position(run->world, s->parts[CHASSIS]).x;
    if (!s->is_driven && run->follow > 178) // back to the start
        return place_car(run->world, s, (vec2s){{0, 1.1f}});
    return gas == 0 || put_upright(run->world, s);
}

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    sketch_note(s, INK_TEXT, "%.0f km/h", 3.6 * (double)(m->speed < 0 ? -m->speed : m->speed));
    if (!m->is_driven) sketch_note(s, INK_DIM, "press an arrow to drive");
}

const scene scene_drive = {
    .name = "drive",
    .title = "Drive",
    .caption = "Wheel joints with springs and motors carry a car over hills, a seesaw, a bridge "
               "and crates.",
    .view = {2, 2.5f, 13},
    .gravity = {{0, -10}},
    .steps = 1800,
    .parameters = parameters,
    .create = create,
    .control = control,
    .takes_keys = true,
    .draw = draw,
    .memory_size = sizeof(state),
};
