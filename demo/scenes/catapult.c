/* A torsion catapult. A spring in the hinge of the arm, like that of twisted ropes, throws some
 * stones at a castle of planks. A motor winds the arm back against the spring, and new stones drop
 * into its cup. A keep behind the castle stops the stones and planks. */
#include "scene.h"

enum { MAX_LOAD = 9, STONES = 3 * MAX_LOAD, LEVELS = 4, PLANKS = LEVELS * (LEVELS + 2) };
enum { WIND, LOAD, SHOT }; // phases
enum { DROP_STEPS = 12, SETTLE_STEPS = 40, SHOT_STEPS = 240 };
enum { MACHINE = 2, STONE = 4 }; // categories

static const float degree = 3.14159265f / 180;
static const vec2s pivot = {{-12.5f, 1.7f}};
static const float arm_length = 4.4f, cup = 1.4f;     // m
static const float aim_angle = 185, swing_angle = 70; // degrees: wound; from there to the stop
static const float pretension = 40;                   // degrees, of the spring at the stop
static const float plank = 1.6f, thickness = 0.2f;    // m
static const float castle_x = 7;

typedef struct {
    cn_body arm, stones[STONES], planks[PLANKS];
    cn_joint hinge;
    int thrown;   // stones, since the start
    int phase;    // WIND, ...
    int since;    // step in which the phase began
    int standing; // planks that stood before the last shot
    scene_random random;
} state;

// ---- the castle

// Finds where a plank belongs. Level n has LEVELS - n rooms, each with a flat plank as its roof,
// and one upright plank more as walls. Returns false if there is no such plank.
static bool find_plank(int index, vec2s *place, float *angle) {
    vec2s floor = {{castle_x, 0}}; // left end of the level
    for (int rooms = LEVELS; rooms > 0; rooms--) {
        bool is_wall = index <= rooms;
        float x = is_wall ? (float)index : (float)(index - rooms) - 0.5f;
        float y = is_wall ? 0.5f * plank : plank + 0.5f * thickness;
        *place = glms_vec2_add(floor, (vec2s){{plank * x, y}});
        *angle = is_wall ? 90 * degree : 0;
        if (index < 2 * rooms + 1) return true;
        index -= 2 * rooms + 1;
        floor = glms_vec2_add(floor, (vec2s){{0.5f * plank, plank + thickness}});
    }
    return false;
}

static bool build_castle(cn_world *world, state *s) {
    cn_hull hull = cn_box(0.5f * plank - 0.01f, 0.5f * thickness);
    for (int i = 0; i < PLANKS; i++) {
        if (cn_body_valid(world, s->planks[i]) && !cn_body_destroy(world, s->planks[i]))
            return false;
        cn_body_def def = {0};
        find_plank(i, &def.position, &def.angle);
        s->planks[i] = cn_body_create(world, &def);
        if (!scene_add_hull(world, s->planks[i], hull, 0.6f, 1).id) return false;
    }
    return true;
}

static int count_standing(const cn_world *world, const state *s) {
    int standing = 0;
    for (int i = 0; i < PLANKS; i++) {
        vec2s place;
        float angle;
        find_plank(i, &place, &angle);
        standing += glms_vec2_distance(cn_body_position(world, s->planks[i]), place) < 0.4f;
    }
    return standing;
}

// Clears the field and builds a new castle, if most of the old one has fallen or if the last shot
// felled no plank.
static bool renew_castle(cn_world *world, state *s) {
    int before = s->standing;
    s->standing = count_standing(world, s);
    if (2 * s->standing > PLANKS && s->standing < before) return true;
    s->standing = PLANKS;
    for (int i = 0; i < STONES; i++) {
        if (cn_body_valid(world, s->stones[i]) && !cn_body_destroy(world, s->stones[i]))
            return false;
        s->stones[i] = (cn_body){0};
    }
    return build_castle(world, s);
}

// ---- the machine

static bool add_part(cn_world *world, cn_body body, cn_hull hull, vec2s place, float angle) {
    cn_shape_def def = {.hull = cn_hull_at(hull, cn_pose_at(place, angle * degree)),
                        .density = 2,
                        .material = {.friction = 0.4f},
                        .filter = {.category = MACHINE, .mask = STONE}};
    return cn_shape_create(world, body, &def).id;
}

// Adds the base, the post of the hinge, and a beam that the arm strikes at its stop.
static bool add_frame(cn_world *world, cn_body frame) {
    float stop_angle = aim_angle - swing_angle;
    cn_pose stop = cn_pose_at(pivot, stop_angle * degree);
    vec2s beam = cn_pose_point(stop, (vec2s){{0.9f, -0.29f}});
    return add_part(world, frame, cn_box(2.8f, 0.2f), (vec2s){{pivot.x - 0.7f, 0.2f}}, 0) &&
           add_part(world, frame, cn_box(0.25f, 0.75f), (vec2s){{pivot.x, 0.95f}}, 0) &&
           add_part(world, frame, cn_box(1.3f, 0.15f), beam, stop_angle);
}

// Adds the arm with its cup. Its frame is at the pivot with x along the arm. It throws towards -y.
static bool add_arm(cn_world *world, state *s) {
    cn_body frame = scene_add_body(world, CN_STATIC, 0, 0);
    s->arm = cn_body_create(
        world, &(cn_body_def){.position = pivot, .angle = aim_angle * degree, .no_sleep = true});
    float half = 0.5f * arm_length, inner = arm_length - cup;
    bool made = add_frame(world, frame) &&
                add_part(world, s->arm, cn_box(half, 0.14f), (vec2s){{half, 0}}, 0) &&
                add_part(world, s->arm, cn_box(0.08f, 0.45f), (vec2s){{arm_length, -0.4f}}, -10) &&
                add_part(world, s->arm, cn_box(0.08f, 0.35f), (vec2s){{inner, -0.35f}}, 20);
    cn_joint_def hinge = cn_revolute_joint(world, frame, s->arm, pivot);
    s->hinge = cn_joint_create(world, hinge);
    return made && s->hinge.id;
}

// Winds the arm by a motor, or lets the spring turn it clockwise to its stop.
static bool set_hinge(cn_world *world, const state *s, bool by_motor, float hertz) {
    cn_coordinate angle = {.mode = CN_LIMITED, .lower = -swing_angle * degree};
    angle.motor = by_motor, angle.motor_speed = by_motor ? 0.8f : 0;
    angle.hertz = by_motor ? 0 : hertz;
    angle.target = by_motor ? 0 : -(swing_angle + pretension) * degree;
    return cn_joint_set_coordinate(world, s->hinge, CN_JOINT_ANGLE, angle);
}

enum { STONES_OF_SHOT, SPRING };
static const scene_parameter parameters[] = {
    {"stones", 6, 1, MAX_LOAD, true, ""},
    {"spring", 1.1f, 0.25f, 3, false, "Hz"}, // of the arm without stones
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->standing = PLANKS;
    return scene_add_one(world, CN_STATIC, 0, -1, cn_box(60, 1), 1).id &&
           scene_add_one(world, CN_STATIC, 16.1f, 5, cn_box(0.7f, 5), 1).id && add_arm(world, s) &&
           set_hinge(world, s, true, 0) && build_castle(world, s);
}

// ---- the shot

static void begin_phase(state *s, int phase, int step) { s->phase = phase, s->since = step; }

// Drops a stone into the cup.
static bool drop_stone(cn_world *world, state *s) {
    float x = arm_length - 0.55f * cup + scene_random_range(&s->random, -0.2f, 0.2f);
    vec2s place = cn_pose_point(cn_body_pose(world, s->arm), (vec2s){{x, -1.6f}});
    cn_hull hull =
        cn_regular_polygon(5 + s->thrown % 4, scene_random_range(&s->random, 0.19f, 0.25f));
    cn_body *stone = &s->stones[s->thrown++ % STONES];
    if (cn_body_valid(world, *stone) && !cn_body_destroy(world, *stone)) return false;
    *stone = scene_add_body(world, CN_DYNAMIC, place.x, place.y);
    cn_shape_def shape = {.hull = hull, .density = 8, .filter = {.category = STONE}};
    return cn_shape_create(world, *stone, &shape).id;
}

static bool load(scene_run *run, state *s) {
    int passed = run->step - s->since, count = (int)run->values[STONES_OF_SHOT];
    if (passed % DROP_STEPS == 0 && passed < count * DROP_STEPS) return drop_stone(run->world, s);
    if (passed < count * DROP_STEPS + SETTLE_STEPS) return true;
    begin_phase(s, SHOT, run->step);
    return set_hinge(run->world, s, false, run->values[SPRING]);
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    if (!cn_joint_valid(world, s->hinge)) return true; // the user may erase it
    bool is_wound = cn_joint_value(world, s->hinge, CN_JOINT_ANGLE) > -0.01f;
    if (s->phase == WIND && is_wound) {
        begin_phase(s, LOAD, run->step + 1);
        return renew_castle(world, s);
    }
    if (s->phase == LOAD) return load(run, s);
    if (s->phase == SHOT && run->step == s->since + SHOT_STEPS) {
        begin_phase(s, WIND, run->step);
        return set_hinge(world, s, true, 0);
    }
    return true;
}

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    if (!cn_joint_valid(run->world, m->hinge)) return;
    float swing = cn_joint_value(run->world, m->hinge, CN_JOINT_ANGLE) + swing_angle * degree;
    float tension = (swing + pretension * degree) / ((swing_angle + pretension) * degree);
    cn_hull rope = cn_circle(0.4f);
    sketch_hull(s, &rope, cn_pose_at(pivot, 0), (sketch_pen){INK_ORANGE, tension, 1.5f});
    sketch_note(s, INK_ORANGE, "tension of the twisted rope: %.0f %%", 100 * tension);
    sketch_note(s, INK_TEXT, "%d of %d planks stand", count_standing(run->world, m), PLANKS);
}

const scene scene_catapult = {
    .name = "catapult",
    .title = "Catapult",
    .caption = "A spring in the hinge of an arm throws stones at a castle of planks.",
    .view = {-1, 6.5f, 16},
    .width = 36,
    .gravity = {{0, -10}},
    .parameters = parameters,
    .steps = 1200,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
