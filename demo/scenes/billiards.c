/* Billiards, from above. There is no gravity: a motor joint of small force between each ball and
 * the table is the friction of the cloth. When all balls are at rest, the autopilot looks for the
 * best shot. For each ball and pocket it knows where the cue ball has to be when they meet, and
 * casts a ball along both paths to see that they are free. The pockets are sensors. */
#include "scene.h"

enum { BALLS = 16, POCKETS = 6, AIM_AT = 12, SHOOT_AT = 60, FEW = 3 }; // steps at rest; balls

#define BALL 0.26f // m, radius

static const float half_width = 10, half_height = 5; // m, of the cloth
static const float pocket_radius = 0.48f;            // m
static const float slow = 0.06f;                     // m/s: at rest

enum { BREAK_SPEED, FRICTION, AIM_ERROR };
static const scene_parameter parameters[] = {{"break", 20, 5, 30, false, "m/s"},
                                             {"friction", 1, 0.1f, 3, false, "m/s^2"},
                                             {"aim-error", 0.05f, 0, 2, false, "deg"},
                                             {0}};

// A shot of the cue ball. The paths are for the picture.
typedef struct {
    vec2s velocity;
    vec2s meeting; // where the cue ball meets the other one
    vec2s target;  // from there the other ball goes here
} shot;

typedef struct {
    cn_body table, balls[BALLS]; // ball 0 is the cue ball
    bool is_in[BALLS];           // on the table
    cn_shape pockets[POCKETS];
    int at_rest; // steps
    shot next;
    scene_random random;
} state;

// ---- the table

static vec2s locate_pocket(int i) {
    float x = (float)(i % 3 - 1), side = i < 3 ? 1 : -1;
    float reach = x != 0 ? 0.05f : 0.36f;
    return (vec2s){{x * (half_width + 0.05f), side * (half_height + reach)}};
}

// Adds a cushion: its nose from a to b, which has the cloth on its left.
static bool add_cushion(cn_world *world, cn_body body, vec2s a, vec2s b) {
    vec2s along = glms_vec2_normalize(glms_vec2_sub(b, a));
    vec2s back = {{0.55f * along.y, -0.55f * along.x}}, slant = glms_vec2_scale(along, 0.4f);
    vec2s corners[] = {a, b, glms_vec2_add(glms_vec2_add(b, slant), back),
                       glms_vec2_add(glms_vec2_sub(a, slant), back)};
    cn_shape_def def = {.hull = cn_polygon(corners, 4, 0)};
    def.material = (cn_material){.friction = 0.3f, .restitution = 0.75f};
    return cn_shape_create(world, body, &def).id;
}

static bool add_cushions(cn_world *world, cn_body body) {
    const float x = half_width, y = half_height, c = 0.62f,
                m = 0.5f; // half the widths of the openings
    return add_cushion(world, body, (vec2s){{-x + c, -y}}, (vec2s){{-m, -y}}) &&
           add_cushion(world, body, (vec2s){{m, -y}}, (vec2s){{x - c, -y}}) &&
           add_cushion(world, body, (vec2s){{x, -y + c}}, (vec2s){{x, y - c}}) &&
           add_cushion(world, body, (vec2s){{x - c, y}}, (vec2s){{m, y}}) &&
           add_cushion(world, body, (vec2s){{-m, y}}, (vec2s){{-x + c, y}}) &&
           add_cushion(world, body, (vec2s){{-x, y - c}}, (vec2s){{-x, -y + c}});
}

static bool add_frame(cn_world *world, cn_body body) {
    bool made = true;
    for (int i = 0; i < 4 && made; i++) {
        float side = i % 2 ? 1 : -1;
        cn_hull box = i < 2 ? cn_box(half_width + 1, 0.25f) : cn_box(0.25f, half_height + 0.5f);
        vec2s at = i < 2 ? (vec2s){{0, side * (half_height + 0.8f)}}
                         : (vec2s){{side * (half_width + 0.8f), 0}};
        box = cn_hull_at(box, cn_pose_at(at, 0));
        made = scene_add_hull(world, body, box, 0.3f, 1).id;
    }
    return made;
}

static bool add_pockets(cn_world *world, state *s) {
    bool made = true;
    for (int i = 0; i < POCKETS && made; i++) {
        cn_hull hull = cn_circle(pocket_radius);
        cn_shape_def def = {.hull = cn_hull_at(hull, cn_pose_at(locate_pocket(i), 0)),
                            .sensor = true};
        s->pockets[i] = cn_shape_create(world, s->table, &def);
        made = s->pockets[i].id;
    }
    return made;
}

// ---- balls

static bool add_ball(cn_world *world, state *s, int i, vec2s place, float friction) {
    cn_body_def def = {.position = place, .linear_damping = 0.4f, .bullet = true};
    cn_shape_def shape = {.hull = cn_circle(BALL), .density = 5};
    shape.material = (cn_material){.friction = 0.01f, .restitution = 0.94f};
    s->balls[i] = cn_body_create(world, &def);
    if (!cn_shape_create(world, s->balls[i], &shape).id) return false;
    float mass = cn_body_mass(world, s->balls[i]);
    cn_joint_def cloth = cn_motor_joint(world, s->table, s->balls[i], friction * mass,
                                        0.2f * friction * mass * BALL);
    s->is_in[i] = true;
    return cn_joint_create(world, cloth).id;
}

// Places the balls in a triangle, with small gaps.
static bool rack(cn_world *world, state *s, float friction) {
    bool made = true;
    for (int i = 0; i < BALLS; i++)
        if (s->is_in[i]) made &= cn_body_destroy(world, s->balls[i]);
    made = made && add_ball(world, s, 0, (vec2s){{-5, 0}}, friction);
    for (int row = 0, i = 1; row < 5; row++)
        for (int k = 0; k <= row && made; k++, i++) {
            vec2s place = {
                {4 + 1.75f * BALL * (float)row, 2.02f * BALL * ((float)k - 0.5f * (float)row)}};
            made = add_ball(world, s, i, place, friction);
        }
    return made;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->random.state = 11;
    s->table = scene_add_body(world, CN_STATIC, 0, 0);
    return add_cushions(world, s->table) && add_frame(world, s->table) && add_pockets(world, s) &&
           rack(world, s, run->values[FRICTION]);
}

// ---- the autopilot

// The bodies that a cast ignores.
typedef struct {
    cn_body cue, other;
} players;

static bool is_obstacle(const cn_world *world, cn_side side, void *user) {
    const players *p = user;
    return side.body.id != p->cue.id && side.body.id != p->other.id &&
           !cn_shape_sensor(world, side.shape);
}

static bool is_free(const cn_world *world, vec2s from, vec2s to, players ignored) {
    const cn_query query = {.accept = is_obstacle, .user = &ignored};
    cn_hull ball = cn_circle(0.97f * BALL);
    cn_sweep sweep = {.start = cn_pose_at(from, 0), .translation = glms_vec2_sub(to, from)};
    return !cn_world_cast_hull(world, ball, sweep, &query).hit;
}

// Returns how good a shot is, and makes it; 0 if it is not possible.
static float plan_shot(const cn_world *world, const state *s, int i, int pocket, shot *result) {
    vec2s cue = cn_body_position(world, s->balls[0]), ball = cn_body_position(world, s->balls[i]);
    vec2s target = glms_vec2_scale(locate_pocket(pocket), 0.97f);
    vec2s leave = glms_vec2_sub(target, ball), along = glms_vec2_normalize(leave);
    vec2s meeting = glms_vec2_muladds(along, -2 * BALL, ball), path = glms_vec2_sub(meeting, cue);
    float length = glms_vec2_norm(path), distance = glms_vec2_norm(leave);
    float cut = glms_vec2_dot(path, along) / (length + 0.01f); // the cosine of the angle
    bool is_flat = pocket % 3 == 1 && along.y < 0.6f && along.y > -0.6f;
    players pair = {s->balls[0], s->balls[i]};
    if (cut < 0.3f || is_flat || !is_free(world, cue, meeting, pair) ||
        !is_free(world, ball, target, pair))
        return 0;
    float speed = 2.5f + 0.55f * length + 0.8f * distance / cut;
    *result = (shot){glms_vec2_scale(glms_vec2_normalize(path), speed < 18 ? speed : 18), meeting,
                     target};
    return cut / (1 + length + distance) / (1 + length);
}

// If no ball can be potted, hits the nearest one hard.
static shot hit_nearest(const cn_world *world, const state *s, float speed) {
    vec2s cue = cn_body_position(world, s->balls[0]), nearest = {{1e6f, 0}};
    for (int i = 1; i < BALLS; i++) {
        if (!s->is_in[i]) continue;
        vec2s ball = cn_body_position(world, s->balls[i]);
        if (glms_vec2_distance(cue, ball) < glms_vec2_distance(cue, nearest)) nearest = ball;
    }
    vec2s along = glms_vec2_normalize(glms_vec2_sub(nearest, cue));
    return (shot){glms_vec2_scale(along, speed), glms_vec2_muladds(along, -2 * BALL, nearest),
                  nearest};
}

static shot choose_shot(const cn_world *world, const state *s, float speed) {
    shot best = hit_nearest(world, s, speed);
    float greatest = 0;
    for (int i = 1; i < BALLS; i++)
        for (int pocket = 0; pocket < POCKETS && s->is_in[i]; pocket++) {
            shot planned;
            float worth = plan_shot(world, s, i, pocket, &planned);
            if (worth <= greatest) continue;
            greatest = worth;
            best = planned;
        }
    return best;
}

static bool shoot(cn_world *world, state *s, float error) {
    float degrees = scene_random_range(&s->random, -error, error);
    cn_pose turn = cn_pose_at((vec2s){{0, 0}}, degrees * 3.14159265f / 180);
    return cn_body_set_velocity(world, s->balls[0], cn_pose_point(turn, s->next.velocity));
}

// ---- steps

// Returns a free place for the cue ball near its first one.
static vec2s find_spot(const cn_world *world) {
    cn_hull ball = cn_circle(BALL);
    vec2s place = {{-5, 0}};
    while (place.x > -9 && cn_world_overlap(world, ball, cn_pose_at(place, 0), NULL, NULL, 0))
        place.x -= 0.1f;
    return place;
}

// A ball whose centre is in a pocket leaves the table; the cue ball comes back.
static bool pot_balls(cn_world *world, state *s) {
    bool done = true;
    for (int i = 0; i < BALLS; i++)
        for (int k = 0; k < POCKETS && s->is_in[i]; k++) {
            vec2s place = cn_body_position(world, s->balls[i]);
            if (!cn_shape_contains(world, s->pockets[k], place)) continue;
            done &= cn_body_destroy(world, s->balls[i]);
            s->is_in[i] = false;
        }
    return done;
}

static bool are_at_rest(const cn_world *world, const state *s) {
    for (int i = 0; i < BALLS; i++)
        if (s->is_in[i] && glms_vec2_norm(cn_body_velocity(world, s->balls[i])) > slow)
            return false;
    return true;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    float friction = run->values[FRICTION];
    if (!pot_balls(world, s)) return false;
    s->at_rest = are_at_rest(world, s) ? s->at_rest + 1 : 0;
    if (s->at_rest < AIM_AT) return true;
    int left = 0;
    for (int i = 1; i < BALLS; i++) left += s->is_in[i];
    if (left <= FEW) return rack(world, s, friction);
    if (!s->is_in[0] && !add_ball(world, s, 0, find_spot(world), friction)) return false;
    if (s->at_rest == AIM_AT) s->next = choose_shot(world, s, run->values[BREAK_SPEED]);
    return s->at_rest < SHOOT_AT || shoot(world, s, run->values[AIM_ERROR]);
}

// ---- the picture

static void draw_ball(int i, cn_pose pose, sketch *s) {
    static const sketch_ink inks[] = {INK_YELLOW, INK_BLUE,  INK_RED, INK_PINK,
                                      INK_ORANGE, INK_GREEN, INK_DIM};
    cn_hull ball = cn_circle(BALL), band = cn_box(0.86f * BALL, 0.5f * BALL);
    bool is_striped = i > 8;
    sketch_ink ink = i == 8 ? INK_BLACK : inks[(i + 6) % 7];
    bool is_white = i == 0 || is_striped;
    sketch_hull(s, &ball, pose, (sketch_pen){is_white ? INK_WHITE : ink, 1, 0});
    if (is_striped) sketch_hull(s, &band, pose, (sketch_pen){ink, 1, 0});
    sketch_hull(s, &ball, pose, (sketch_pen){INK_FAINT, 0, 1});
}

static void draw_cue(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    vec2s cue = cn_body_position(run->world, m->balls[0]);
    vec2s along = glms_vec2_normalize(m->next.velocity);
    float part = (float)(m->at_rest - AIM_AT) / (SHOOT_AT - AIM_AT);
    float gap = 0.35f + 4 * part * (1 - part); // drawn back, then forward
    sketch_dashes(s, cue, m->next.meeting, (sketch_pen){INK_TEXT, 0.6f, 1.25f});
    sketch_dashes(s, m->next.meeting, m->next.target, (sketch_pen){INK_YELLOW, 0.6f, 1.25f});
    sketch_line(s, glms_vec2_muladds(along, -gap, cue), glms_vec2_muladds(along, -gap - 5, cue),
                (sketch_pen){INK_ORANGE, 0.9f, 5});
}

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    cn_hull cloth = cn_box(half_width, half_height), hole = cn_circle(pocket_radius);
    sketch_hull(s, &cloth, cn_pose_at((vec2s){{0, 0}}, 0), (sketch_pen){INK_GREEN, 0.16f, 0});
    for (int i = 0; i < POCKETS; i++)
        sketch_hull(s, &hole, cn_pose_at(locate_pocket(i), 0), (sketch_pen){INK_BLACK, 1, 0});
    int potted = 0;
    for (int i = 0; i < BALLS; i++) {
        if (m->is_in[i]) {
            draw_ball(i, cn_body_pose(run->world, m->balls[i]), s);
            continue;
        }
        vec2s tray = {{-4.2f + 0.6f * (float)potted++, -half_height - 1.7f}};
        if (i > 0) draw_ball(i, cn_pose_at(tray, 0), s);
    }
    if (m->is_in[0] && m->at_rest >= AIM_AT && m->at_rest < SHOOT_AT) draw_cue(run, s);
}

const scene scene_billiards = {
    .name = "billiards",
    .title = "Billiards",
    .caption = "The autopilot casts a ball along the paths of both balls to find a free shot.",
    .view = {0, -0.3f, 15.5f},
    .width = 23,
    .steps = 1500,
    .parameters = parameters,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
