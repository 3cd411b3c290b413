/* A walker of Theo Jansen: three pairs of legs that one crank moves. Each leg has two triangles,
 * an upper one and one with the foot, and four bars. Letters are those of the published lengths:
 *
 *          B
 *     e  / | \  j           P is a pivot of the chassis, O the axle of the crank, M its pin.
 *      /  b|   \            The triangles are P-B-D (b, d, e) and C-E-F (g, i, h). The bars are
 *     D -d- P    M-m-O      j (M-B), k (M-C), c (P-C) and f (D-E).
 *     f\    |c  / k
 *       E-g-C
 *        \  | i
 *       h  \F               F is the foot. While the crank turns, F draws a curve with a flat
 *                           lower side, so the chassis hardly rises and falls.
 *
 * The bars are distance joints and have no mass. A right leg is the mirror image of a left one. */
#include "scene.h"

// PATIENCE is in steps. ROOM is half the width of the room, in m.
enum { PAIRS = 3, MAX_STONES = 60, PATIENCE = 45, ROOM = 14 };

#define UNIT 0.06f // m, of the lengths
static const float a = 38 * UNIT, b = 41.5f * UNIT, c = 39.3f * UNIT, d = 40.1f * UNIT,
                   e = 55.8f * UNIT, f = 39.4f * UNIT, g = 36.7f * UNIT, h = 65.7f * UNIT,
                   i = 49 * UNIT, j = 50 * UNIT, k = 61.9f * UNIT, l = 7.8f * UNIT, m = 15 * UNIT;
static const float axle_height = 95 * UNIT;
static const int walker_group = -1; // its parts do not collide with each other

typedef struct {
    cn_body chassis, crank;
    cn_joint motor;
    float turn;  // 1: the crank turns counter-clockwise, the walker walks to the left; or -1
    float speed; // rad/s, of the motor
    int stuck;   // steps in which the crank hardly turned; negative: it walks back
} walker;

// ---- a leg

// Returns the point at distance rp from p and rq from q, on the left of the line from p to q.
static vec2s meet(vec2s p, float rp, vec2s q, float rq) {
    vec2s line = glms_vec2_sub(q, p);
    float length = glms_vec2_norm(line);
    vec2s x = glms_vec2_scale(line, 1 / length), y = {{-x.y, x.x}};
    float along = (length * length + rp * rp - rq * rq) / (2 * length);
    float across = sqrtf(rp * rp - along * along);
    return glms_vec2_add(p, glms_vec2_add(glms_vec2_scale(x, along), glms_vec2_scale(y, across)));
}

// Adds a body with its origin at its first corner.
static cn_body add_triangle(cn_world *world, vec2s p, vec2s q, vec2s r, float friction) {
    const vec2s corners[] = {{{0, 0}}, glms_vec2_sub(q, p), glms_vec2_sub(r, p)};
    cn_body body = scene_add_body(world, CN_DYNAMIC, p.x, p.y);
    cn_shape_def def = {.hull = cn_polygon(corners, 3, 0.06f),
                        .density = 1,
                        .material = {.friction = friction},
                        .filter = {.group = walker_group}};
    return cn_shape_create(world, body, &def).id ? body : (cn_body){0};
}

static bool add_bar(cn_world *world, cn_body p_body, cn_body q_body, vec2s p, vec2s q) {
    cn_joint_def def = cn_distance_joint(world, p_body, q_body, p, q);
    return cn_joint_create(world, def).id;
}

// The joints of a left leg and its foot, seen from the axle.
typedef struct {
    vec2s P, M, B, C, D, E, F;
} leg;

static leg find_leg(vec2s M) {
    leg n = {.P = {{-a, -l}}, .M = M};
    n.B = meet(n.P, b, M, j);
    n.C = meet(M, k, n.P, c);
    n.D = meet(n.P, d, n.B, e);
    n.E = meet(n.C, g, n.D, f);
    n.F = meet(n.C, i, n.E, h);
    return n;
}

// Mirrors the points of a leg.
static leg find_right_leg(vec2s M) {
    leg n = find_leg((vec2s){{-M.x, M.y}});
    vec2s *points[] = {&n.P, &n.M, &n.B, &n.C, &n.D, &n.E, &n.F};
    for (int p = 0; p < 7; p++) points[p]->x = -points[p]->x;
    return n;
}

static bool add_leg(cn_world *world, const walker *w, leg n) {
    vec2s *points[] = {&n.P, &n.M, &n.B, &n.C, &n.D, &n.E, &n.F};
    for (int p = 0; p < 7; p++) points[p]->y += axle_height;
    cn_body upper = add_triangle(world, n.P, n.B, n.D, 0.6f);
    cn_body foot = add_triangle(world, n.C, n.E, n.F, 1);
    cn_joint_def hinge = cn_revolute_joint(world, w->chassis, upper, n.P);
    return cn_joint_create(world, hinge).id && add_bar(world, w->crank, upper, n.M, n.B) &&
           add_bar(world, w->crank, foot, n.M, n.C) && add_bar(world, w->chassis, foot, n.P, n.C) &&
           add_bar(world, upper, foot, n.D, n.E);
}

// ---- the walker

static cn_body add_part(cn_world *world, cn_hull hull, float density) {
    cn_body body = scene_add_body(world, CN_DYNAMIC, 0, axle_height);
    cn_shape_def def = {.hull = hull, .density = density, .filter = {.group = walker_group}};
    return cn_shape_create(world, body, &def).id ? body : (cn_body){0};
}

// Returns a pin of the crank, seen from the axle, after a part of a turn.
static vec2s find_pin(float turns) {
    cn_rotation r = cn_rotation_of(2 * 3.14159265f * turns);
    return (vec2s){{m * r.c, m * r.s}};
}

static bool add_walker(cn_world *world, walker *w) {
    w->chassis = add_part(world, cn_rounded_box(a, l, 0.1f), 4);
    w->crank = add_part(world, cn_circle(m + 0.1f), 2);
    cn_joint_def motor = cn_revolute_joint(world, w->chassis, w->crank, (vec2s){{0, axle_height}});
    motor.angle.motor = true, motor.angle.motor_speed = w->speed,
    motor.angle.max_motor_force = 1500;
    w->motor = cn_joint_create(world, motor);
    bool made = w->motor.id;
    for (int n = 0; n < PAIRS && made; n++) {
        vec2s pin = find_pin((float)n / PAIRS);
        made = add_leg(world, w, find_leg(pin)) && add_leg(world, w, find_right_leg(pin));
    }
    return made;
}

// ---- the room

static bool add_stones(cn_world *world, int count) {
    scene_random random = {5};
    for (int n = 0; n < count; n++) {
        float x = scene_random_range(&random, -ROOM + 1, ROOM - 1);
        float size = scene_random_range(&random, 0.1f, 0.2f);
        cn_hull hull = cn_regular_polygon(5 + n % 3, size);
        if (!scene_add_one(world, CN_DYNAMIC, x, size, hull, 2).id) return false;
    }
    return true;
}

static bool add_room(cn_world *world) {
    return scene_add_one(world, CN_STATIC, 0, -1, cn_box(ROOM + 4, 1), 1).id &&
           scene_add_one(world, CN_STATIC, -ROOM - 0.25f, 1, cn_box(0.25f, 1), 1).id &&
           scene_add_one(world, CN_STATIC, ROOM + 0.25f, 1, cn_box(0.25f, 1), 1).id;
}

enum { SPEED, STONES };
static const scene_parameter parameters[] = {
    {"speed", 2.5f, 0.5f, 4, false, "rad/s"}, // of the crank
    {"stones", 16, 0, MAX_STONES, true, ""},
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    walker *w = run->memory;
    w->turn = 1;
    return add_room(world) && add_stones(world, (int)run->values[STONES]) && add_walker(world, w);
}

// Turns back near the ends of the room. When a stone jams the legs, the walker walks back for a
// while.
static void choose_direction(walker *w, float x, float crank_speed, float wanted) {
    bool is_slow = crank_speed * w->speed < 0.1f * w->speed * w->speed;
    w->stuck = is_slow || w->stuck < 0 ? w->stuck + 1 : 0;
    if (w->stuck > PATIENCE) w->turn = -w->turn, w->stuck = -2 * PATIENCE;
    if (w->stuck >= 0 && x > ROOM - 8.5f) w->turn = 1;
    if (w->stuck >= 0 && x < 8.5f - ROOM) w->turn = -1;
    float change = w->turn * wanted - w->speed, most = wanted / 40;
    w->speed += change > most ? most : change < -most ? -most : change;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    walker *w = run->memory;
    if (!cn_joint_valid(world, w->motor)) return true; // the user may erase it
    float crank_speed = cn_joint_rate(world, w->motor, CN_JOINT_ANGLE);
    choose_direction(w, cn_body_position(world, w->chassis).x, crank_speed, run->values[SPEED]);
    return cn_joint_set_motor_speed(world, w->motor, CN_JOINT_ANGLE, w->speed);
}

// ---- the picture

static void draw_bars(const cn_world *world, sketch *s) {
    cn_joint joint = {0};
    while ((joint = cn_world_next_joint(world, joint)).id) {
        cn_joint_def def = cn_joint_definition(world, joint);
        vec2s p = cn_pose_point(cn_body_drawn_pose(world, def.a), def.frame_a.position);
        vec2s q = cn_pose_point(cn_body_drawn_pose(world, def.b), def.frame_b.position);
        if (def.polar) sketch_line(s, p, q, (sketch_pen){INK_BLUE, 0.9f, 3});
        sketch_dot(s, p, (sketch_pen){INK_TEXT, 1, 3});
        sketch_dot(s, q, (sketch_pen){INK_TEXT, 1, 3});
    }
}

// Draws the curve of a foot on either side.
static void draw_curves(cn_pose chassis, sketch *s) {
    enum { POINTS = 48 };
    vec2s left = {{0}}, right = {{0}};
    for (int n = 0; n <= POINTS; n++) {
        vec2s pin = find_pin((float)n / POINTS);
        vec2s next_left = cn_pose_point(chassis, find_leg(pin).F);
        vec2s next_right = cn_pose_point(chassis, find_right_leg(pin).F);
        if (n > 0) sketch_line(s, left, next_left, (sketch_pen){INK_YELLOW, 0.8f, 1.5f});
        if (n > 0) sketch_line(s, right, next_right, (sketch_pen){INK_YELLOW, 0.8f, 1.5f});
        left = next_left, right = next_right;
    }
}

static void draw(const scene_run *run, sketch *s) {
    const walker *w = run->memory;
    draw_bars(run->world, s);
    if (cn_body_valid(run->world, w->chassis))
        draw_curves(cn_body_drawn_pose(run->world, w->chassis), s);
    sketch_note(s, INK_BLUE, "bars: distance joints");
    sketch_note(s, INK_YELLOW, "the curves of the feet, seen from the chassis");
}

const scene scene_walker = {
    .name = "walker",
    .title = "Walker",
    .caption =
        "A motor turns the crank of a Jansen linkage with six legs, and it walks over stones.",
    .view = {0, 4.2f, 13},
    .width = 29,
    .gravity = {{0, -10}},
    .no_sleep = true,
    .parameters = parameters,
    .steps = 1200,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(walker),
};
