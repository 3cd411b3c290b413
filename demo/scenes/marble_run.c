/* A marble run. Marbles roll down curved tracks, through a funnel and onto a switch, a T on a hinge
 * that sends them to its two sides in turn. One side leads down at once. The other one leads over
 * a wheel and a see-saw. Shelves of a lift carry the marbles up again. */
#include "scene.h"

enum { MOST_MARBLES = 24, SHELVES = 9, BENDS = 14, SPOKES = 6 };

#define STEP   (1.0f / 60) // seconds, of the demo
#define RADIUS 0.22f       // m, of a marble

static const float lift_x = 9.32f, lift_bottom = -0.5f, lift_top = 12.48f; // m

enum { MARBLES, LIFT_SPEED };
static const scene_parameter parameters[] = {
    {"marbles", 18, 1, MOST_MARBLES, true, ""}, {"lift-speed", 1.4f, 0.2f, 2, false, "m/s"}, {0}};

typedef struct {
    int count;
    float raised; // m, of the first shelf
    cn_body marbles[MOST_MARBLES];
    cn_body shelves[SHELVES];
} state;

// ---- the tracks

// A curve through its first and last point, which the middle point bends. It is solid on the left.
// The funnel has little friction, or the marbles would form an arch in it.
typedef struct {
    vec2s points[3];
    float friction;
} track;

static const track tracks[] = {
    {{{{8.98f, 11.95f}}, {{3, 10.9f}}, {{-2.6f, 10.8f}}}, 0.4f},     // from the lift to the funnel
    {{{{-2.3f, 10.6f}}, {{-5.8f, 10.6f}}, {{-5.68f, 8.9f}}}, 0.05f}, // the funnel
    {{{{-6.3f, 8.7f}}, {{-6.35f, 10}}, {{-9.2f, 12.2f}}}, 0.05f},
    {{{{-2.2f, 3.5f}}, {{-7, 3.8f}}, {{-9.6f, 7.4f}}}, 0.4f}, // on the left of the switch
    {{{{1.2f, 5.75f}}, {{-2, 5.7f}}, {{-5.7f, 6.6f}}}, 0.4f}, // on its right, to the wheel
    {{{{5.15f, 2.75f}}, {{4, 2.9f}}, {{3.2f, 4.2f}}}, 0.4f},  // from the wheel to the see-saw
    {{{{9.6f, 0}}, {{0, 0.2f}}, {{-4.6f, 2.6f}}}, 0.4f},      // to the lift
};
enum { TRACKS = sizeof tracks / sizeof *tracks };

static vec2s point_on(const track *t, int bend) {
    float u = (float)bend / BENDS;
    vec2s first = glms_vec2_lerp(t->points[0], t->points[1], u);
    vec2s second = glms_vec2_lerp(t->points[1], t->points[2], u);
    return glms_vec2_lerp(first, second, u);
}

static bool add_track(cn_world *world, cn_body body, const track *t) {
    vec2s points[BENDS + 1];
    for (int i = 0; i <= BENDS; i++) points[i] = point_on(t, i);
    cn_chain_def def = {
        .points = points, .count = BENDS + 1, .material = {.friction = t->friction}};
    return cn_chain_create(world, body, &def).id;
}

static bool add_tracks(cn_world *world, cn_body body) {
    bool made = true;
    for (int i = 0; i < TRACKS && made; i++) made = add_track(world, body, &tracks[i]);
    return made;
}

// ---- the switch, the wheel and the see-saw

static cn_shape add_bar(cn_world *world, cn_body body, vec2s from, vec2s to) {
    return scene_add_hull(world, body, cn_capsule(from, to, 0.06f), 0.3f, 1);
}

static bool add_hinge(cn_world *world, cn_body ground, cn_body body, float lower, float upper) {
    vec2s pivot = cn_body_position(world, body);
    cn_joint_def def = cn_revolute_joint(world, ground, body, pivot);
    if (upper > lower)
        def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = lower, .upper = upper};
    def.angle.motor = true; // friction
    def.angle.max_motor_force = 0.05f;
    return cn_joint_create(world, def).id;
}

static bool add_switch(cn_world *world, cn_body ground) {
    cn_body body = scene_add_body(world, CN_DYNAMIC, -6, 7.4f);
    return add_bar(world, body, (vec2s){{-0.95f, 0}}, (vec2s){{0.95f, 0}}).id &&
           add_bar(world, body, (vec2s){{0, 0}}, (vec2s){{0, 0.8f}}).id &&
           add_hinge(world, ground, body, -0.45f, 0.45f);
}

static bool add_wheel(cn_world *world, cn_body ground) {
    cn_body body = scene_add_body(world, CN_DYNAMIC, 1.9f, 4.6f);
    bool made = scene_add_hull(world, body, cn_circle(0.4f), 0.3f, 1).id;
    for (int i = 0; i < SPOKES && made; i++) {
        cn_rotation r = cn_rotation_of(2 * 3.14159265f * (float)i / SPOKES);
        made = add_bar(world, body, (vec2s){{0, 0}}, (vec2s){{1.15f * r.c, 1.15f * r.s}}).id;
    }
    return made && add_hinge(world, ground, body, 0, 0);
}

// The left end is a little heavier, so that the see-saw tips back after each marble.
static bool add_seesaw(cn_world *world, cn_body ground) {
    cn_body body = scene_add_body(world, CN_DYNAMIC, 6.6f, 2.4f);
    cn_hull weight = cn_circle(0.12f);
    weight = cn_hull_at(weight, cn_pose_at((vec2s){{-1.25f, -0.15f}}, 0));
    return add_bar(world, body, (vec2s){{-1.3f, 0}}, (vec2s){{1.3f, 0}}).id &&
           scene_add_hull(world, body, weight, 0.3f, 1).id &&
           add_hinge(world, ground, body, -0.4f, 0.05f);
}

// ---- the lift

static bool add_shaft(cn_world *world, cn_body body) {
    enum { ARC = 7 };
    vec2s points[ARC + 1];
    for (int i = 0; i < ARC; i++) {
        cn_rotation r = cn_rotation_of(0.5f * 3.14159265f * (1 - (float)i / (ARC - 1)));
        points[i] = (vec2s){{8.9f + 0.7f * r.c, 12.2f + 0.7f * r.s}};
    }
    points[ARC] = (vec2s){{9.6f, -1}};
    cn_chain_def def = {.points = points, .count = ARC + 1, .material = {.frictionless = true}};
    cn_hull wall = cn_capsule((vec2s){{8.92f, 1.1f}}, (vec2s){{8.92f, 11.85f}}, 0.06f);
    return cn_chain_create(world, body, &def).id && scene_add_hull(world, body, wall, 0.1f, 1).id;
}

static vec2s locate_shelf(const state *s, int i) {
    float travel = lift_top - lift_bottom;
    float y = s->raised + travel * (float)i / SHELVES;
    return (vec2s){{lift_x, lift_bottom + (y < travel ? y : y - travel)}};
}

static bool add_shelves(cn_world *world, state *s) {
    bool made = true;
    for (int i = 0; i < SHELVES && made; i++) {
        vec2s place = locate_shelf(s, i);
        s->shelves[i] = scene_add_body(world, CN_KINEMATIC, place.x, place.y);
        cn_hull shelf = cn_capsule((vec2s){{-0.2f, 0.02f}}, (vec2s){{0.22f, -0.04f}}, 0.05f);
        made = scene_add_hull(world, s->shelves[i], shelf, 0.1f, 1).id;
    }
    return made;
}

// A shelf that arrives at the top goes on from the bottom.
static bool move_shelves(cn_world *world, state *s, float speed) {
    float travel = lift_top - lift_bottom;
    s->raised += speed * STEP;
    if (s->raised >= travel) s->raised -= travel;
    for (int i = 0; i < SHELVES; i++) {
        vec2s next = locate_shelf(s, i), start = {{lift_x, next.y - speed * STEP}};
        if (cn_body_position(world, s->shelves[i]).y > next.y &&
            !cn_body_set_pose(world, s->shelves[i], cn_pose_at(start, 0)))
            return false;
        if (!cn_body_set_target(world, s->shelves[i], cn_pose_at(next, 0), STEP)) return false;
    }
    return true;
}

// ---- marbles

// Every second marble starts at the bottom.
static vec2s locate_start(int i) {
    float pair = (float)(i / 2);
    return i % 2 ? (vec2s){{4 - 0.46f * pair, 2.4f}} : (vec2s){{7.5f - 0.55f * pair, 11.9f}};
}

static bool add_marbles(cn_world *world, state *s) {
    bool made = true;
    for (int i = 0; i < s->count && made; i++) {
        vec2s place = locate_start(i);
        s->marbles[i] = scene_add_body(world, CN_DYNAMIC, place.x, place.y);
        made = scene_add_hull(world, s->marbles[i], cn_circle(RADIUS), 0.1f, 1).id;
    }
    return made;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->count = (int)run->values[MARBLES];
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    return add_tracks(world, ground) && add_shaft(world, ground) && add_shelves(world, s) &&
           add_switch(world, ground) && add_wheel(world, ground) && add_seesaw(world, ground) &&
           add_marbles(world, s);
}

// Marbles that have left the run start again at the top.
static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    for (int i = 0; i < s->count; i++) {
        if (cn_body_position(world, s->marbles[i]).y > -1) continue;
        if (!cn_body_set_pose(world, s->marbles[i], cn_pose_at(locate_start(2), 0)) ||
            !cn_body_set_velocity(world, s->marbles[i], (vec2s){{0, 0}}))
            return false;
    }
    return move_shelves(world, s, run->values[LIFT_SPEED]);
}

// ---- the picture

static void draw(const scene_run *run, sketch *s) {
    static const sketch_ink inks[] = {INK_BLUE, INK_ORANGE, INK_GREEN,
                                      INK_RED,  INK_YELLOW, INK_PINK};
    const state *m = run->memory;
    for (int i = 0; i < TRACKS * BENDS; i++) {
        const track *t = &tracks[i / BENDS];
        sketch_line(s, point_on(t, i % BENDS), point_on(t, i % BENDS + 1),
                    (sketch_pen){INK_DIM, 1, 3});
    }
    cn_hull marble = cn_circle(RADIUS), shine = cn_circle(0.06f);
    for (int i = 0; i < m->count; i++) {
        cn_pose pose = cn_body_pose(run->world, m->marbles[i]);
        sketch_hull(s, &marble, pose, (sketch_pen){inks[i % 6], 0.9f, 1});
        vec2s light = glms_vec2_add(pose.position, (vec2s){{-0.07f, 0.08f}});
        sketch_hull(s, &shine, cn_pose_at(light, 0), (sketch_pen){INK_WHITE, 0.7f, 0});
    }
}

const scene scene_marble_run = {
    .name = "marble-run",
    .title = "Marble run",
    .caption = "Marbles roll over a switch, a wheel and a see-saw, and a lift carries them up.",
    .view = {0, 6.4f, 15.5f},
    .width = 22,
    .gravity = {{0, -10}},
    .steps = 1200,
    .parameters = parameters,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
