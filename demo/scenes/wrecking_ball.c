/* A wrecking ball swings into a wall of bricks. A rope pulls it back and lets go again. While the
 * ball is pulled back, a wall of which most has fallen is rebuilt. The house next door keeps the
 * rubble in the yard. */
#include "scene.h"

enum {
    LINKS = 12,
    COLUMNS = 5,
    MAX_ROWS = 16,
    MAX_BRICKS = MAX_ROWS * COLUMNS,
    SWING = 420,
    PULL = 200
};

static const float link = 0.62f, ball_radius = 0.85f; // m
static const vec2s top = {{-2.5f, 12}}, hook = {{-11.5f, 9}};
static const float wall_x = 1.3f, brick_x = 0.55f, brick_y = 0.3f;

enum { MASS, ROWS };
static const scene_parameter parameters[] = {
    {"mass", 60, 5, 500, false, "kg"}, // of the ball; a brick has 0.66 kg
    {"rows", 14, 1, MAX_ROWS, true, ""},
    {.name = NULL},
};

typedef struct {
    cn_body ball;
    cn_joint rope; // that pulls the ball back
    cn_body bricks[MAX_BRICKS];
    int count;
} state;

// ---- the wall

static vec2s brick_place(int i) {
    int row = i / COLUMNS;
    float shift = row % 2 ? 0.5f * brick_x : 0; // a quarter of a brick, for the bond
    return (vec2s){
        {wall_x + 2.02f * brick_x * (float)(i % COLUMNS) + shift, brick_y * (2 * (float)row + 1)}};
}

static bool build_wall(cn_world *world, state *s) {
    for (int i = 0; i < s->count; i++) {
        if (cn_body_valid(world, s->bricks[i]) && !cn_body_destroy(world, s->bricks[i]))
            return false;
        vec2s place = brick_place(i);
        s->bricks[i] =
            scene_add_one(world, CN_DYNAMIC, place.x, place.y, cn_box(brick_x, brick_y), 1);
        if (!s->bricks[i].id) return false;
    }
    return true;
}

static int count_standing(const cn_world *world, const state *s) {
    int standing = 0;
    for (int i = 0; i < s->count; i++) {
        vec2s d = glms_vec2_sub(cn_body_position(world, s->bricks[i]), brick_place(i));
        standing += glms_vec2_norm(d) < 0.1f;
    }
    return standing;
}

// ---- the crane

static bool add_chain(cn_world *world, state *s, cn_body crane, float mass) {
    cn_hull hull = cn_capsule((vec2s){{0, -0.5f * link}}, (vec2s){{0, 0.5f * link}}, 0.07f);
    cn_hull round = cn_circle(ball_radius);
    cn_body last = crane;
    vec2s from = top;
    for (int i = 0; i <= LINKS; i++) {
        bool is_ball = i == LINKS;
        float arm = is_ball ? ball_radius : 0.5f * link;
        float density = is_ball ? mass / cn_hull_mass_data(round, 1).mass : 2;
        cn_body next =
            scene_add_one(world, CN_DYNAMIC, from.x, from.y - arm, is_ball ? round : hull, density);
        cn_joint_def hinge = cn_revolute_joint(world, last, next, from);
        if (!cn_joint_create(world, hinge).id) return false;
        from.y -= link;
        last = next;
    }
    s->ball = last;
    return true;
}

static cn_body add_crane(cn_world *world) {
    cn_body crane = scene_add_body(world, CN_STATIC, 0, 0);
    const cn_hull beams[] = {cn_box(0.3f, 6.375f), cn_box(5.2f, 0.25f)};
    const vec2s places[] = {{{-12.2f, 6.375f}}, {{-7.3f, 12.5f}}};
    for (int i = 0; i < 2; i++) {
        cn_hull hull = cn_hull_at(beams[i], cn_pose_at(places[i], 0));
        if (!scene_add_hull(world, crane, hull, 0.6f, 1).id) return (cn_body){0};
    }
    return crane;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->count = (int)run->values[ROWS] * COLUMNS;
    cn_body ground = scene_add_one(world, CN_STATIC, 0, -1, cn_box(40, 1), 1);
    cn_body house = scene_add_one(world, CN_STATIC, 13, 4, cn_box(0.7f, 4), 1);
    cn_body crane = add_crane(world);
    return ground.id && house.id && crane.id && add_chain(world, s, crane, run->values[MASS]) &&
           build_wall(world, s);
}

// ---- the rope: a spring that gets shorter in each step

static bool attach_rope(cn_world *world, state *s) {
    cn_body ground = cn_world_body_in_slot(world, 0);
    vec2s place = cn_body_position(world, s->ball);
    cn_joint_def def = cn_spring_joint(world, ground, s->ball, hook, place);
    def.x.hertz = 2, def.x.damping_ratio = 1;
    s->rope = cn_joint_create(world, def);
    return s->rope.id != 0;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    int phase = run->step % (PULL + SWING);
    if (!cn_body_valid(world, s->ball)) return true; // the user may erase it
    if (phase == 0) return attach_rope(world, s);
    bool is_fallen = phase == PULL - 60 && 2 * count_standing(world, s) < s->count;
    if (is_fallen && !build_wall(world, s)) return false;
    if (phase < PULL && cn_joint_valid(world, s->rope)) {
        float length = glms_vec2_distance(hook, cn_body_position(world, s->ball));
        return cn_joint_set_target(world, s->rope, CN_JOINT_X, 0.93f * length);
    }
    if (phase == PULL && cn_joint_valid(world, s->rope)) return cn_joint_destroy(world, s->rope);
    return true;
}

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    if (cn_joint_valid(run->world, m->rope))
        sketch_line(s, hook, cn_body_position(run->world, m->ball), (sketch_pen){INK_DIM, 1, 2});
    sketch_note(s, INK_TEXT, "%d of %d bricks stand", count_standing(run->world, m), m->count);
}

const scene scene_wrecking_ball = {
    .name = "wrecking-ball",
    .title = "Wrecking ball",
    .caption = "A heavy ball on a chain of light links swings into a wall of bricks.",
    .view = {0, 5.6f, 16},
    .width = 28,
    .gravity = {{0, -10}},
    .steps = 1200,
    .parameters = parameters,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
