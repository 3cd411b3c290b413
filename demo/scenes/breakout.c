/* Breakout: a ball breaks bricks, which are tiles of a grid. A hit event names the tile that was
 * hit, and a call removes it. */
#include "scene.h"

enum { WIDTH = 18, HEIGHT = 6, TILES = WIDTH * HEIGHT, SPARKS = 12, GLOW = 25 };

static const float tile_size = 0.8f, half_width = 8, half_paddle = 1.2f; // m
static const float paddle_y = -5.5f, ball_radius = 0.25f;                // m

enum { SPEED, PADDLE };
static const scene_parameter parameters[] = {
    {"speed", 15, 4, 25, false, "m/s"}, // of the ball
    {"paddle", 14, 4, 30, false, "m/s"},
    {.name = NULL},
};

typedef struct {
    cn_body paddle, ball;
    cn_grid bricks;
    vec2s sparks[SPARKS]; // where bricks broke
    int spark_steps[SPARKS], spark_count;
    int left, score;
    bool is_played; // a key was pressed
} state;

// ---- the game

static bool fill_bricks(cn_world *world, state *s) {
    s->left = TILES;
    for (int i = 0; i < TILES; i++)
        if (!cn_grid_set_solid(world, s->bricks, i % WIDTH, i / WIDTH, true)) return false;
    return true;
}

static bool add_bricks(cn_world *world, state *s) {
    cn_body body = scene_add_body(world, CN_STATIC, -0.5f * WIDTH * tile_size, 2);
    static const uint8_t none[TILES];
    cn_grid_def def = {.solid = none, .width = WIDTH, .height = HEIGHT, .tile_size = tile_size};
    def.hit_events = true;
    def.material = (cn_material){.frictionless = true, .restitution = 1};
    s->bricks = cn_grid_create(world, body, &def);
    return s->bricks.id && fill_bricks(world, s);
}

static bool add_wall(cn_world *world, float x, float y, float half_x, float half_y) {
    cn_body wall = scene_add_body(world, CN_STATIC, x, y);
    cn_shape_def def = {.hull = cn_box(half_x, half_y),
                        .material = {.frictionless = true, .restitution = 1}};
    return cn_shape_create(world, wall, &def).id != 0;
}

static bool add_paddle(cn_world *world, state *s) {
    s->paddle = scene_add_body(world, CN_KINEMATIC, 0, paddle_y);
    const vec2s left = {{-half_paddle, 0}}, right = {{half_paddle, 0}};
    cn_shape_def def = {.hull = cn_capsule(left, right, 0.22f),
                        .material = {.frictionless = true, .restitution = 1}};
    return cn_shape_create(world, s->paddle, &def).id != 0;
}

static bool add_ball(cn_world *world, state *s, float speed) {
    s->ball = cn_body_create(world, &(cn_body_def){.position = {{0.5f, -3}},
                                                   .velocity = {{0.4f * speed, -0.9f * speed}},
                                                   .no_sleep = true,
                                                   .bullet = true});
    cn_shape_def def = {.hull = cn_circle(ball_radius),
                        .material = {.frictionless = true, .restitution = 1}};
    return cn_shape_create(world, s->ball, &def).id != 0;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    return add_wall(world, -half_width, 0, 0.3f, 7.5f) &&
           add_wall(world, half_width, 0, 0.3f, 7.5f) &&
           add_wall(world, 0, 7.8f, half_width + 0.3f, 0.3f) && add_bricks(world, s) &&
           add_paddle(world, s) && add_ball(world, s, run->values[SPEED]);
}

// ---- a step

static bool break_brick(scene_run *run, cn_side side, vec2s point) {
    state *s = run->memory;
    if (side.grid.id != s->bricks.id || !s->bricks.id) return true;
    int x = side.tile % WIDTH, y = side.tile / WIDTH;
    if (!cn_grid_solid(run->world, s->bricks, x, y)) return true;
    s->score++, s->left--;
    s->sparks[s->spark_count % SPARKS] = point;
    s->spark_steps[s->spark_count++ % SPARKS] = run->step;
    return cn_grid_set_solid(run->world, s->bricks, x, y, false);
}

static bool break_bricks(scene_run *run) {
    cn_events events = cn_world_events(run->world);
    for (int i = 0; i < events.hit_count; i++)
        if (!break_brick(run, events.hits[i].a, events.hits[i].point) ||
            !break_brick(run, events.hits[i].b, events.hits[i].point))
            return false;
    state *s = run->memory;
    return s->left > 0 || fill_bricks(run->world, s);
}

// The ball keeps its speed. A direction that is nearly horizontal is made steeper.
static bool guide_ball(scene_run *run) {
    state *s = run->memory;
    vec2s place = cn_body_position(run->world, s->ball);
    vec2s velocity = cn_body_velocity(run->world, s->ball);
    float speed = run->values[SPEED];
    if (place.y < -8) { // the ball is lost: adds a new one
        s->score = 0;
        return cn_body_destroy(run->world, s->ball) && add_ball(run->world, s, speed);
    }
    if (velocity.y < 0.2f * speed && velocity.y > -0.2f * speed)
        velocity.y = velocity.y < 0 ? -0.25f * speed : 0.25f * speed;
    velocity = glms_vec2_scale(glms_vec2_normalize(velocity), speed);
    return cn_body_set_velocity(run->world, s->ball, velocity);
}

// Where the ball meets the paddle decides its direction, as in the arcade game.
static float aim(const scene_run *run) {
    const state *s = run->memory;
    float x = cn_body_position(run->world, s->ball).x;
    float offset = 0.8f * half_paddle * cn_rotation_of(0.013f * (float)run->step).s;
    return x + offset;
}

static bool control(scene_run *run) {
    state *s = run->memory;
    const float most = half_width - 0.5f - half_paddle, step = run->values[PADDLE] / 60;
    float x = cn_body_position(run->world, s->paddle).x, wanted = x;
    s->is_played = s->is_played || run->input.keys;
    if (!s->is_played) wanted = aim(run);
    if (run->input.keys & SCENE_KEY_LEFT) wanted = x - step;
    if (run->input.keys & SCENE_KEY_RIGHT) wanted = x + step;
    wanted = wanted < x - step ? x - step : wanted > x + step ? x + step : wanted;
    wanted = wanted < -most ? -most : wanted > most ? most : wanted;
    return break_bricks(run) && guide_ball(run) &&
           cn_body_set_target(run->world, s->paddle, cn_pose_at((vec2s){{wanted, paddle_y}}, 0),
                              1.0f / 60);
}

// ---- the picture

static void draw(const scene_run *run, sketch *s) {
    const state *m = run->memory;
    static const sketch_ink inks[HEIGHT] = {INK_GREEN,  INK_GREEN, INK_YELLOW,
                                            INK_YELLOW, INK_RED,   INK_RED};
    cn_hull brick = cn_box(0.46f * tile_size, 0.46f * tile_size);
    for (int i = 0; i < TILES; i++) {
        if (!cn_grid_solid(run->world, m->bricks, i % WIDTH, i / WIDTH)) continue;
        vec2s place = {{((float)(i % WIDTH) + 0.5f - 0.5f * WIDTH) * tile_size,
                        2 + ((float)(i / WIDTH) + 0.5f) * tile_size}};
        sketch_hull(s, &brick, cn_pose_at(place, 0), (sketch_pen){inks[i / WIDTH], 0.6f, 1});
    }
    for (int i = 0; i < SPARKS; i++) {
        float glow = 1 - (float)(run->step - m->spark_steps[i]) / GLOW;
        if (m->spark_steps[i] > 0 && glow > 0)
            sketch_dot(s, m->sparks[i], (sketch_pen){INK_TEXT, glow, 14 - 10 * glow});
    }
    sketch_note(s, INK_TEXT, "bricks broken: %d", m->score);
    if (!m->is_played) sketch_note(s, INK_DIM, "press Left or Right to play");
}

const scene scene_breakout = {
    .name = "breakout",
    .title = "Breakout",
    .caption =
        "The bricks are tiles. A hit event names the tile that was hit, and a call removes it.",
    .view = {0, 0.4f, 17},
    .gravity = {{0, 0}},
    .steps = 1800,
    .parameters = parameters,
    .create = create,
    .control = control,
    .takes_keys = true,
    .draw = draw,
    .memory_size = sizeof(state),
};
