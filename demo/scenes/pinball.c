/* A pinball table, seen from above: gravity is the part of it along the slope. The flippers are
 * bodies on hinges with limits and motors. A motor pulls the plunger, and a spring shoots it. Hit
 * events say what the ball struck: bumpers and slingshots kick it by an impulse, and targets light
 * up, as do rollover lanes, which are sensors. The gate of the plunger lane is a one-way shape. */
#include "scene.h"

enum { BUMPER, SLINGSHOT, TARGET, LANE }; // kinds of parts
enum { TARGETS = 6, LANES = 3, LAMPS = TARGETS + LANES, PARTS = 5 + LAMPS };
enum { BEND = 48, COILS = 8, BALLS = 3, BONUS = 5000, FLASH = 15, PAUSE = 20 }; // the last: steps

static const float degree = 3.14159265f / 180;
static const float left = -5.5f, right = 5.5f, outer = 6.55f; // m, of the field and the lane
static const float bend = 11, bottom = -0.4f, drain = 0.1f;   // m, heights
static const float ball_radius = 0.27f, plunger_x = 6.1f, plunger_top = 2.2f; // m
static const float rest_angle = -27, flip_angle = 57; // degrees, of the left flipper
static const vec2s pivot = {{-2.45f, 2.55f}};         // of the left flipper

enum { FLIPPERS, KICK };
static const scene_parameter parameters[] = {
    {"flippers", 22, 5, 40, false, "rad/s"},
    {"kick", 10, 0, 25, false, "m/s"}, // that bumpers give the ball; slingshots give less
    {.name = NULL},
};

typedef struct {
    int kind;
    cn_hull hull; // world
    bool is_lit;
    int hit_step; // of the last hit; 0: none yet
} part;

typedef struct {
    cn_body table, ball, plunger;
    cn_joint flippers[2], slider; // the left flipper first
    part parts[PARTS];            // the shape of part i has the user data i + 1
    int part_count, lit_count;
    int score, ball_number;
    int waiting, pull; // steps, of the ball on the plunger, and of the plunger in self-play
    bool is_pulled;    // the plunger
    bool is_played;    // a key was pressed
    scene_random random;
} state;

// ---- the table

// Returns a point of the curved top: 0 is its left end, BEND its right end.
static vec2s locate_bend(int i) {
    cn_rotation r = cn_rotation_of((float)(BEND - i) / BEND * 180 * degree);
    return (vec2s){{0.5f * (left + outer) + 0.5f * (outer - left) * r.c, bend + 5 * r.s}};
}

// Adds the outline of field and lane as one closed chain. It goes clockwise: solid outside.
static bool add_outline(cn_world *world, cn_body table) {
    vec2s points[BEND + 11] = {{{right + 0.15f, bottom}},
                               {{right + 0.15f, bend}},
                               {{right, bend}},
                               {{right, 2.8f}},
                               {{1, 0.4f}},
                               {{1, bottom}},
                               {{-1, bottom}},
                               {{-1, 0.4f}},
                               {{left, 2.8f}}};
    int count = 9;
    for (int i = 0; i <= BEND; i++) points[count++] = locate_bend(i);
    points[count++] = (vec2s){{outer, bottom}};
    cn_chain_def def = {.points = points, .count = count, .closed = true};
    def.material = (cn_material){.friction = 0.1f, .restitution = 0.3f};
    return cn_chain_create(world, table, &def).id;
}

// Adds the gate, which is solid from above, the guides to the flippers, and the posts of the lanes.
static bool add_walls(cn_world *world, cn_body table) {
    static const vec2s walls[][2] = {
        {{{5.58f, 11}}, {{6.55f, 11.6f}}},      {{{-4.6f, 5.4f}}, {{-4.6f, 3.85f}}},
        {{{-4.6f, 3.85f}}, {{-2.55f, 2.92f}}},  {{{4.6f, 5.4f}}, {{4.6f, 3.85f}}},
        {{{4.6f, 3.85f}}, {{2.55f, 2.92f}}},    {{{-1.95f, 12.3f}}, {{-1.95f, 13.3f}}},
        {{{-0.65f, 12.3f}}, {{-0.65f, 13.3f}}}, {{{0.65f, 12.3f}}, {{0.65f, 13.3f}}},
        {{{1.95f, 12.3f}}, {{1.95f, 13.3f}}},
    };
    bool made = true;
    for (int i = 0; i < (int)(sizeof walls / sizeof *walls) && made; i++) {
        cn_shape_def def = {.hull = cn_capsule(walls[i][0], walls[i][1], 0.08f)};
        def.material = (cn_material){.friction = 0.1f, .restitution = 0.3f};
        if (i == 0) def.one_way = (vec2s){{-0.5f, 0.85f}};
        made = cn_shape_create(world, table, &def).id;
    }
    return made;
}

static bool add_part(cn_world *world, state *s, int kind, cn_hull hull, float x, float y) {
    part *p = &s->parts[s->part_count++];
    *p = (part){.kind = kind, .hull = cn_hull_at(hull, cn_pose_at((vec2s){{x, y}}, 0))};
    cn_shape_def def = {.hull = p->hull, .sensor = kind == LANE, .hit_events = true};
    def.material = (cn_material){.friction = 0.1f, .restitution = 0.5f};
    def.user_data = (uint64_t)s->part_count;
    return cn_shape_create(world, s->table, &def).id;
}

static bool add_parts(cn_world *world, state *s) {
    cn_hull bumper = cn_circle(0.75f), target = cn_box(0.1f, 0.4f), lane = cn_box(0.35f, 0.12f);
    bool made = add_part(world, s, BUMPER, bumper, -1.8f, 9.8f) &&
                add_part(world, s, BUMPER, bumper, 1.8f, 9.8f) &&
                add_part(world, s, BUMPER, bumper, 0, 7.6f);
    for (int side = -1; side <= 1; side += 2) {
        float x = (float)side;
        vec2s corners[] = {{{3.5f * x, 6.4f}}, {{3.5f * x, 4.8f}}, {{2.4f * x, 4.1f}}};
        made = made && add_part(world, s, SLINGSHOT, cn_polygon(corners, 3, 0.12f), 0, 0);
        for (int i = 0; i < TARGETS / 2; i++)
            made = made && add_part(world, s, TARGET, target, (right - 0.1f) * x, 7 + (float)i);
    }
    for (int i = 0; i < LANES; i++)
        made = made && add_part(world, s, LANE, lane, 1.3f * (float)(i - LANES / 2), 12.8f);
    return made;
}

// ---- flippers, plunger and ball

// Adds the flipper of a side, -1 (left) or 1. As a bullet it stops within a step where it hits the
// ball, instead of turning on through it.
static bool add_flipper(cn_world *world, state *s, float side, float speed) {
    vec2s at = {{-side * pivot.x, pivot.y}}, corners[8] = {{{-side * 1.75f, 0}}}; // the tip first
    for (int i = 1; i < 8; i++) {
        cn_rotation r = cn_rotation_of((float)(60 + 30 * i) * degree);
        corners[i] = (vec2s){{-side * 0.2f * r.c, 0.2f * r.s}};
    }
    cn_body_def body = {.position = at, .angle = -side * rest_angle * degree, .bullet = true};
    cn_shape_def shape = {.hull = cn_polygon(corners, 8, 0.16f), .density = 2};
    shape.material = (cn_material){.friction = 0.3f, .restitution = 0.3f};
    cn_body flipper = cn_body_create(world, &body);
    cn_joint_def hinge = cn_revolute_joint(world, s->table, flipper, at);
    hinge.angle =
        (cn_coordinate){.mode = CN_LIMITED, .motor = true, .max_motor_force = 3000}; // N m
    hinge.angle.motor_speed = side * speed;
    hinge.angle.lower = side < 0 ? 0 : -flip_angle * degree;
    hinge.angle.upper = side < 0 ? flip_angle * degree : 0;
    cn_joint joint = s->flippers[side > 0] = cn_joint_create(world, hinge);
    return cn_shape_create(world, flipper, &shape).id && joint.id;
}

// A motor pulls the plunger down, or a spring shoots it up to its stop.
static cn_coordinate move_plunger(bool is_pulled) {
    cn_coordinate y = {.mode = CN_LIMITED, .lower = -1.3f, .upper = 0};
    if (is_pulled) y.motor = true, y.motor_speed = -2; // m/s
    if (!is_pulled) y.hertz = 3, y.target = 0.2f;
    return y;
}

static bool add_plunger(cn_world *world, state *s) {
    vec2s place = {{plunger_x, plunger_top - 0.4f}};
    s->plunger = scene_add_body(world, CN_DYNAMIC, place.x, place.y);
    bool made = scene_add_hull(world, s->plunger, cn_box(0.38f, 0.4f), 0.1f, 5).id;
    cn_joint_def slider = cn_prismatic_joint(world, s->table, s->plunger, place, (vec2s){{0, 1}});
    slider.x = move_plunger(false);
    s->slider = cn_joint_create(world, slider);
    return made && s->slider.id;
}

// Puts the next ball on the plunger.
static bool serve(cn_world *world, state *s) {
    if (cn_body_valid(world, s->ball) && !cn_body_destroy(world, s->ball)) return false;
    s->ball_number = s->ball_number % BALLS + 1;
    if (s->ball_number == 1) s->score = 0;
    cn_body_def def = {.position = {{plunger_x, plunger_top + ball_radius}}, .bullet = true};
    s->ball = cn_body_create(world, &def);
    return scene_add_hull(world, s->ball, cn_circle(ball_radius), 0.1f, 1).id;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->table = scene_add_body(world, CN_STATIC, 0, 0);
    return add_outline(world, s->table) && add_walls(world, s->table) && add_parts(world, s) &&
           add_flipper(world, s, -1, run->values[FLIPPERS]) &&
           add_flipper(world, s, 1, run->values[FLIPPERS]) && add_plunger(world, s) &&
           serve(world, s);
}

// ---- a step

// Counts a hit. When all targets and lanes are lit, there is a bonus and they go out.
static void score_hit(state *s, part *p, int step) {
    static const int points[] = {[BUMPER] = 100, [SLINGSHOT] = 10, [TARGET] = 250, [LANE] = 500};
    s->score += points[p->kind];
    p->hit_step = step;
    if (p->kind == TARGET || p->kind == LANE) s->lit_count += !p->is_lit, p->is_lit = true;
    if (s->lit_count < LAMPS) return;
    s->score += BONUS, s->lit_count = 0;
    for (int i = 0; i < PARTS; i++) s->parts[i].is_lit = false;
}

// Kicks the ball away from a part that it has hit.
static bool react(scene_run *run, cn_side hit, cn_side hitter, vec2s away) {
    state *s = run->memory;
    if (hitter.body.id != s->ball.id || !hit.shape_user_data) return true;
    part *p = &s->parts[hit.shape_user_data - 1];
    score_hit(s, p, run->step);
    float kick = p->kind == BUMPER ? 1 : p->kind == SLINGSHOT ? 0.8f : 0;
    kick *= run->values[KICK] * cn_body_mass(run->world, s->ball);
    return cn_body_apply_impulse(run->world, s->ball, glms_vec2_scale(away, kick));
}

static bool read_events(scene_run *run) {
    cn_events events = cn_world_events(run->world);
    bool done = true;
    for (int i = 0; i < events.hit_count && done; i++) {
        const cn_hit_event *e = &events.hits[i];
        done = react(run, e->a, e->b, e->normal) &&
               react(run, e->b, e->a, glms_vec2_negate(e->normal));
    }
    for (int i = 0; i < events.sensor_begin_count && done; i++) {
        const cn_sensor_event *e = &events.sensor_begins[i];
        done = react(run, e->sensor, e->other, (vec2s){{0, 0}});
    }
    return done;
}

// Plays by itself: pulls the plunger after a pause, and flips when the ball is near a flipper.
static uint32_t choose_keys(state *s, vec2s ball) {
    s->waiting = ball.x > right && ball.y < plunger_top + 0.5f ? s->waiting + 1 : 0;
    if (s->waiting == 1) s->pull = (int)scene_random_range(&s->random, 28, 40);
    uint32_t keys = s->waiting > PAUSE && s->waiting < PAUSE + s->pull ? SCENE_KEY_DOWN : 0;
    float x = ball.x < 0 ? -ball.x : ball.x;
    if (x > 0.5f && x < 1.7f && ball.y > 1.4f && ball.y < 2.9f)
        keys |= ball.x < 0 ? SCENE_KEY_LEFT : SCENE_KEY_RIGHT;
    return keys;
}

// The user may erase a flipper or the plunger.
static bool flip(cn_world *world, cn_joint hinge, float speed) {
    return !cn_joint_valid(world, hinge) ||
           cn_joint_set_motor_speed(world, hinge, CN_JOINT_ANGLE, speed);
}

static bool plunge(cn_world *world, state *s, bool is_pulled) {
    if (is_pulled == s->is_pulled || !cn_joint_valid(world, s->slider)) return true;
    s->is_pulled = is_pulled;
    cn_coordinate y = move_plunger(is_pulled);
    return cn_joint_set_coordinate(world, s->slider, CN_JOINT_X, y);
}

// The first key begins a new game.
static bool control(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    bool begins = run->input.keys && !s->is_played;
    if (begins) s->is_played = true, s->ball_number = 0;
    bool is_lost = !cn_body_valid(world, s->ball) || cn_body_position(world, s->ball).y < drain;
    if ((begins || is_lost) && !serve(world, s)) return false;
    uint32_t keys = choose_keys(s, cn_body_position(world, s->ball));
    if (s->is_played) keys = run->input.keys;
    float speed = run->values[FLIPPERS];
    return read_events(run) &&
           flip(world, s->flippers[0], keys & SCENE_KEY_LEFT ? speed : -speed) &&
           flip(world, s->flippers[1], keys & SCENE_KEY_RIGHT ? -speed : speed) &&
           plunge(world, s, keys & (SCENE_KEY_DOWN | SCENE_KEY_UP));
}

// ---- the picture

// Returns the scaled outline of the cabinet, which has BEND + 3 points.
static vec2s locate_rim(int i, float scale) {
    i %= BEND + 3;
    vec2s middle = {{0.5f * (left + outer), 7.8f}};
    vec2s point = i <= BEND ? locate_bend(i) : (vec2s){{i == BEND + 1 ? outer : left, bottom}};
    return glms_vec2_muladds(glms_vec2_sub(point, middle), scale, middle);
}

static void draw_cabinet(sketch *s) {
    const sketch_pen wood = {INK_FAINT, 0.55f, 0};
    cn_hull wall = cn_box(0.075f, 0.5f * (bend - bottom)); // between field and lane
    vec2s middle = {{right + 0.075f, 0.5f * (bend + bottom)}};
    sketch_hull(s, &wall, cn_pose_at(middle, 0), wood);
    for (int i = 0; i < BEND + 3; i++) {
        vec2s corners[] = {locate_rim(i, 1), locate_rim(i + 1, 1), locate_rim(i + 1, 1.05f),
                           locate_rim(i, 1.05f)};
        sketch_polygon(s, corners, 4, wood);
    }
    for (float x = -1; x <= 1; x += 2) {
        vec2s apron[] = {{{x, 0.4f}}, {{x, bottom}}, {{right * x, bottom}}, {{right * x, 2.8f}}};
        sketch_polygon(s, apron, 4, wood);
    }
}

static void draw_spring(float top, sketch *s) {
    float height = (top - bottom) / COILS;
    for (int i = 0; i < COILS; i++) {
        float x = i % 2 ? 0.25f : -0.25f, y = bottom + height * (float)i;
        sketch_line(s, (vec2s){{plunger_x + x, y}}, (vec2s){{plunger_x - x, y + height}},
                    (sketch_pen){INK_DIM, 1, 2});
    }
}

static void draw(const scene_run *run, sketch *s) {
    static const sketch_ink inks[] = {INK_ORANGE, INK_PINK, INK_GREEN, INK_BLUE};
    const state *m = run->memory;
    draw_cabinet(s);
    if (cn_body_valid(run->world, m->plunger))
        draw_spring(cn_body_position(run->world, m->plunger).y - 0.4f, s);
    for (int i = 0; i < PARTS; i++) {
        const part *p = &m->parts[i];
        bool flashes = p->hit_step && run->step - p->hit_step < FLASH;
        bool is_lamp = p->kind == TARGET || p->kind == LANE;
        sketch_pen pen = {flashes ? INK_YELLOW : inks[p->kind], is_lamp ? 0.2f : 0.6f, 2};
        if (flashes || p->is_lit) pen.alpha = 0.95f;
        sketch_hull(s, &p->hull, cn_pose_at((vec2s){{0, 0}}, 0), pen);
    }
    sketch_note(s, INK_YELLOW, "%d points", m->score);
    sketch_note(s, INK_TEXT, "ball %d of %d", m->ball_number, BALLS);
    if (!m->is_played) sketch_note(s, INK_DIM, "press an arrow to play");
}

const scene scene_pinball = {
    .name = "pinball",
    .title = "Pinball",
    .caption = "Motors turn the flippers, a spring shoots the ball, and bumpers kick it. "
               "Left, Right: flip. Down: shoot.",
    .view = {0.5f, 7.8f, 17.5f},
    .gravity = {{0, -14}}, // along the slope of a table that is 15 times as large as a real one
    .no_sleep = true,
    .steps = 1200,
    .parameters = parameters,
    .create = create,
    .control = control,
    .takes_keys = true,
    .draw = draw,
    .memory_size = sizeof(state),
};
