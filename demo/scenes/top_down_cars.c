/* Cars on a round track, from above. There is no gravity. In each step every car loses most of its
 * sideways speed by an impulse, up to the grip of its tyres, and the rest of it is a skid. The
 * front wheels turn the car in proportion to its speed. The cars drive by themselves: each steers
 * to a point ahead on its lane, brakes before bends, and changes its lane behind a slower car. The
 * user drives the yellow car with the keyboard. */
#include "scene.h"

enum { MOST_CARS = 8, PLACES = 90, WALL_POINTS = 72, SKIDS = 700, AHEAD = 4 };

#define STEP (1.0f / 60) // seconds, of the demo
#define PI   3.14159265358979f

static const float half_track = 2.5f;                     // m
static const float half_length = 0.8f, half_width = 0.4f; // m, of a car
static const float engine = 8, brakes = 12, drag = 0.25f; // m/s^2 and 1/s
static const float sharpest = 0.55f;                      // 1/m, curvature of a turn
static const float g = 10;                                // m/s^2
static const int stuck_after = 50, reverse_for = 45;      // steps

enum { CARS, GRIP, TOP_SPEED };
static const scene_parameter parameters[] = {{"cars", 6, 1, MOST_CARS, true, ""},
                                             {"grip", 1.1f, 0.3f, 2, false, ""},
                                             {"top-speed", 12, 4, 20, false, "m/s"},
                                             {0}};

// What the driver does.
typedef struct {
    float throttle, steer; // -1..1; steer: positive to the left
} pedals;

typedef struct {
    cn_body body;
    int place;             // on the track that it drives towards
    int laps, lap_start;   // lap_start: step
    float lane, home_lane; // m to the left of the middle of the track
    float pace;            // fraction of the speed at which the tyres hold
    int stuck, reverse;    // steps
    pedals now;
    vec2s rear; // of the last step
} car;

typedef struct {
    car cars[MOST_CARS];
    int count;
    bool is_played; // a key was pressed
    float best_lap; // seconds, of the yellow car; 0: none yet
    vec2s skids[SKIDS][2];
    int skid_count;
} state;

// ---- the track

static vec2s point_at(float turns) {
    cn_rotation r = cn_rotation_of(2 * PI * turns);
    float twice = r.c * r.c - r.s * r.s;
    return (vec2s){{18.5f * r.c, 8.8f * r.s + 1.3f * twice}};
}

// Returns a point beside the middle of the track: `lane` m to the left of it.
static vec2s lane_at(float turns, float lane) {
    vec2s along = glms_vec2_sub(point_at(turns + 0.002f), point_at(turns - 0.002f));
    along = glms_vec2_normalize(along);
    return glms_vec2_muladds((vec2s){{-along.y, along.x}}, lane, point_at(turns));
}

// Adds a closed wall. The solid side is on the left, so the outer one goes clockwise.
static bool add_wall(cn_world *world, cn_body body, float lane, bool clockwise) {
    vec2s points[WALL_POINTS];
    for (int i = 0; i < WALL_POINTS; i++) {
        float turns = (float)i / WALL_POINTS;
        points[i] = lane_at(clockwise ? -turns : turns, lane);
    }
    cn_chain_def def = {.points = points, .count = WALL_POINTS, .closed = true};
    def.material = (cn_material){.friction = 0.15f, .restitution = 0.2f};
    return cn_chain_create(world, body, &def).id;
}

static bool add_cars(cn_world *world, state *s) {
    bool made = true;
    for (int i = 0; i < s->count && made; i++) {
        car *c = &s->cars[i];
        c->home_lane = c->lane = i % 2 ? -1.1f : 1.1f;
        c->place = PLACES - 2 * i - 2;
        c->pace = 0.8f + 0.25f * (float)(i * 3 % 5) / 4;
        float turns = (float)(c->place - 1) / PLACES;
        vec2s at = lane_at(turns, c->lane);
        vec2s along = glms_vec2_normalize(glms_vec2_sub(lane_at(turns + 0.01f, c->lane), at));
        cn_body_def def = {.position = at, .linear_damping = drag};
        def.angle = cn_rotation_angle((cn_rotation){along.x, along.y});
        c->body = cn_body_create(world, &def);
        c->rear = at;
        cn_hull hull = cn_rounded_box(half_length - 0.15f, half_width - 0.15f, 0.15f);
        made = scene_add_hull(world, c->body, hull, 0.15f, 1).id;
    }
    return made;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->count = (int)run->values[CARS];
    cn_body walls = scene_add_body(world, CN_STATIC, 0, 0);
    return add_wall(world, walls, -half_track, true) && add_wall(world, walls, half_track, false) &&
           add_cars(world, s);
}

// ---- cars that drive by themselves

static float clamp(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

// Goes on to the next place when the car has passed the present one. Counts the laps.
static void follow_track(const cn_world *world, car *c, int step, float *best) {
    vec2s here = point_at((float)c->place / PLACES);
    vec2s along = glms_vec2_sub(point_at((float)(c->place + 1) / PLACES), here);
    vec2s beyond = glms_vec2_sub(cn_body_position(world, c->body), here);
    if (glms_vec2_dot(beyond, along) < 0) return;
    c->place++;
    if (c->place < PLACES) return;
    c->place = 0;
    float seconds = STEP * (float)(step - c->lap_start);
    if (c->laps > 0 && best && (*best <= 0 || seconds < *best)) *best = seconds;
    c->lap_start = step;
    c->laps++;
}

// Returns the speed at which the tyres hold in the bend ahead.
static float safe_speed(const car *c, float grip) {
    float turns = (float)(c->place + AHEAD) / PLACES, apart = 3.0f / PLACES;
    vec2s p = lane_at(turns, c->lane), q = lane_at(turns + apart, c->lane);
    vec2s r = lane_at(turns + 2 * apart, c->lane);
    vec2s first = glms_vec2_sub(q, p), second = glms_vec2_sub(r, q);
    float length = glms_vec2_norm(first);
    float turn = glms_vec2_cross(first, second) / (length * glms_vec2_norm(second));
    float curvature = (turn < 0 ? -turn : turn) / length + 0.001f;
    return sqrtf(0.75f * grip * g / curvature);
}

// Behind another car, moves the lane to the side where there is more space.
static bool choose_lane(const cn_world *world, car *c) {
    cn_pose pose = cn_body_pose(world, c->body);
    vec2s nose = cn_pose_point(pose, (vec2s){{half_length + 0.05f, 0}});
    vec2s ahead = cn_pose_point((cn_pose){.rotation = pose.rotation}, (vec2s){{3.2f, 0}});
    cn_world_hit hit = cn_world_cast_ray(world, nose, ahead, NULL);
    bool blocked = hit.hit && cn_body_type(world, hit.side.body) == CN_DYNAMIC && hit.fraction < 1;
    float goal = c->home_lane;
    if (blocked) {
        vec2s other = cn_pose_local_point(pose, cn_body_position(world, hit.side.body));
        goal = other.y > 0 ? -1.7f : 1.7f;
    }
    c->lane += clamp(goal - c->lane, -2.5f * STEP, 2.5f * STEP);
    return blocked;
}

static pedals drive(const cn_world *world, car *c, float speed, const float *values) {
    vec2s goal = lane_at((float)(c->place + AHEAD - 1) / PLACES, c->lane);
    vec2s local = cn_pose_local_point(cn_body_pose(world, c->body), goal);
    float curvature = 2 * local.y / (glms_vec2_norm2(local) + 0.01f);
    bool blocked = choose_lane(world, c);
    float wanted = safe_speed(c, values[GRIP]);
    if (wanted > values[TOP_SPEED]) wanted = values[TOP_SPEED];
    wanted *= blocked ? 0.9f * c->pace : c->pace;
    pedals p = {clamp(0.5f * (wanted - speed), -1, 1), clamp(curvature / sharpest, -1, 1)};
    c->stuck = speed < 0.6f && speed > -0.6f ? c->stuck + 1 : 0;
    if (c->stuck > stuck_after) c->reverse = reverse_for, c->stuck = 0;
    if (c->reverse > 0) {
        c->reverse--;
        p = (pedals){-0.6f, -p.steer};
    }
    return p;
}

static pedals read_keys(uint32_t keys) {
    float up = keys & SCENE_KEY_UP ? 1 : 0, down = keys & SCENE_KEY_DOWN ? 1 : 0;
    float left = keys & SCENE_KEY_LEFT ? 1 : 0, right = keys & SCENE_KEY_RIGHT ? 1 : 0;
    return (pedals){up - down, 0.8f * (left - right)};
}

// ---- tyres

static void leave_skid(const cn_world *world, state *s, car *c, bool skids) {
    vec2s rear = cn_pose_point(cn_body_pose(world, c->body), (vec2s){{-0.5f, 0}});
    if (skids) {
        s->skids[s->skid_count % SKIDS][0] = c->rear;
        s->skids[s->skid_count % SKIDS][1] = rear;
        s->skid_count++;
    }
    c->rear = rear;
}

// Returns by how much the front wheels change the rotation in a step. They turn the car a little
// faster than its tyres can follow, so that it drifts but does not spin.
static float find_spin(const cn_world *world, const car *c, float speed, float grip) {
    float greatest = 1.25f * grip * g / ((speed < 0 ? -speed : speed) + 0.1f);
    float wanted = clamp(sharpest * c->now.steer * speed, -greatest, greatest);
    return clamp(wanted - cn_body_angular_velocity(world, c->body), -20 * STEP, 20 * STEP);
}

// Returns the change of the speed in a step by engine and brakes.
static float find_thrust(const car *c, float speed, float top_speed) {
    float throttle = c->now.throttle, power = throttle * speed < 0 ? brakes : engine;
    bool is_fast = throttle > 0 ? speed > top_speed : speed < -0.4f * top_speed;
    return is_fast ? 0 : throttle * power * STEP;
}

// Drives a car by its pedals, from its velocity in its own frame: x ahead, y to the left.
static bool turn_wheels(cn_world *world, state *s, car *c, vec2s local, const float *values) {
    cn_mass_data mass = cn_body_mass_data(world, c->body);
    float grip = values[GRIP] * g * STEP; // m/s, greatest change of the sideways speed in a step
    float sideways = clamp(-local.y, -grip, grip);
    vec2s change = {{find_thrust(c, local.x, values[TOP_SPEED]), sideways}};
    cn_pose turned = {.rotation = cn_body_pose(world, c->body).rotation};
    vec2s impulse = cn_pose_point(turned, glms_vec2_scale(change, mass.mass));
    float spin = find_spin(world, c, local.x, values[GRIP]);
    leave_skid(world, s, c, sideways != -local.y && (local.y > 0.4f || local.y < -0.4f));
    return cn_body_apply_impulse(world, c->body, impulse) &&
           cn_body_apply_angular_impulse(world, c->body, mass.inertia * spin);
}

// ---- steps

static bool control(scene_run *run) {
    state *s = run->memory;
    s->is_played = s->is_played || run->input.keys;
    return true;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    for (int i = 0; i < s->count; i++) {
        car *c = &s->cars[i];
        cn_pose turned = {.rotation = cn_body_pose(world, c->body).rotation};
        vec2s local = cn_pose_local_point(turned, cn_body_velocity(world, c->body));
        follow_track(world, c, run->step, i ? NULL : &s->best_lap);
        c->now = i == 0 && s->is_played ? read_keys(run->input.keys)
                                        : drive(world, c, local.x, run->values);
        if (!turn_wheels(world, s, c, local, run->values)) return false;
    }
    return true;
}

// ---- the picture

static void draw_track(const state *m, sketch *s) {
    for (int i = 0; i < PLACES; i += 2)
        sketch_line(s, point_at((float)i / PLACES), point_at((float)(i + 1) / PLACES),
                    (sketch_pen){INK_FAINT, 0.8f, 2});
    sketch_line(s, lane_at(0, -half_track), lane_at(0, half_track),
                (sketch_pen){INK_TEXT, 0.8f, 4});
    int shown = m->skid_count < SKIDS ? m->skid_count : SKIDS;
    for (int i = 0; i < shown; i++)
        sketch_line(s, m->skids[i][0], m->skids[i][1], (sketch_pen){INK_DIM, 0.35f, 5});
}

static void draw_wheels(const car *c, cn_pose pose, sketch *s) {
    cn_hull wheel = cn_box(0.16f, 0.07f);
    for (int i = 0; i < 4; i++) {
        vec2s place = {{i < 2 ? 0.48f : -0.48f, i % 2 ? half_width : -half_width}};
        cn_pose at = cn_pose_at(place, i < 2 ? 0.45f * c->now.steer : 0);
        sketch_hull(s, &wheel, cn_pose_multiply(pose, at), (sketch_pen){INK_DIM, 1, 0});
    }
}

static void draw_car(const cn_world *world, const car *c, sketch_ink ink, sketch *s) {
    cn_pose pose = cn_body_pose(world, c->body);
    cn_hull hull = cn_rounded_box(half_length - 0.15f, half_width - 0.15f, 0.15f);
    cn_hull roof = cn_rounded_box(0.22f, 0.2f, 0.06f);
    draw_wheels(c, pose, s);
    sketch_hull(s, &hull, pose, (sketch_pen){ink, 1, 1});
    cn_pose at = cn_pose_multiply(pose, cn_pose_at((vec2s){{-0.1f, 0}}, 0));
    sketch_hull(s, &roof, at, (sketch_pen){INK_FAINT, 0.9f, 0});
}

static void draw(const scene_run *run, sketch *s) {
    static const sketch_ink inks[MOST_CARS] = {INK_YELLOW, INK_BLUE,   INK_RED,  INK_GREEN,
                                               INK_PINK,   INK_ORANGE, INK_TEXT, INK_DIM};
    const state *m = run->memory;
    draw_track(m, s);
    for (int i = m->count - 1; i >= 0; i--) draw_car(run->world, &m->cars[i], inks[i], s);
    if (m->best_lap > 0)
        sketch_note(s, INK_YELLOW, "lap %d, best %.1f s", m->cars[0].laps, (double)m->best_lap);
    if (!m->is_played) sketch_note(s, INK_DIM, "press an arrow to drive the yellow car");
}

const scene scene_top_down_cars = {
    .name = "top-down-cars",
    .title = "Top-down cars",
    .caption =
        "Tyres resist sideways motion up to their grip. Drive the yellow car with the arrow keys.",
    .view = {0, 0, 27},
    .width = 46,
    .steps = 1200,
    .parameters = parameters,
    .create = create,
    .before_step = before_step,
    .control = control,
    .takes_keys = true,
    .draw = draw,
    .memory_size = sizeof(state),
};
