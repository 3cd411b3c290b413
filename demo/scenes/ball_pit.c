/* A ball pit. A paddle moves back and forth through several hundred light balls, and turns as it
 * moves. The balls close behind it. */
#include "scene.h"

enum { MOST_BALLS = 600 };

#define PI         3.14159265358979f
#define STEP       (1.0f / 60) // seconds, of the demo
#define HALF_WIDTH 9.0f        // m, of the basin

enum { COUNT, SPEED, FRICTION };
static const scene_parameter parameters[] = {{"count", 440, 50, MOST_BALLS, true, ""},
                                             {"speed", 0.8f, 0, 2, false, "rad/s"},
                                             {"friction", 0.3f, 0, 1, false, ""},
                                             {0}};

typedef struct {
    int count;
    float phase; // of the stroke, rad
    cn_body paddle;
    cn_body balls[MOST_BALLS];
} state;

// The outline of the basin from right to left, so that its solid side is below.
static bool add_basin(cn_world *world) {
    enum { CORNER = 9, POINTS = 2 * CORNER + 2 };
    const float round = 3, top = 24; // m
    vec2s points[POINTS] = {{{HALF_WIDTH + 1, top}}};
    points[POINTS - 1] = (vec2s){{-HALF_WIDTH - 1, top}};
    for (int i = 0; i < CORNER; i++) {
        cn_rotation r = cn_rotation_of(0.5f * PI * (float)i / (CORNER - 1));
        vec2s p = {{HALF_WIDTH - round * (1 - r.c), round * (1 - r.s)}};
        points[1 + i] = p;
        points[POINTS - 2 - i] = (vec2s){{-p.x, p.y}};
    }
    cn_chain_def def = {.points = points, .count = POINTS, .material = {.friction = 0.3f}};
    return cn_chain_create(world, scene_add_body(world, CN_STATIC, 0, 0), &def).id;
}

static bool add_balls(cn_world *world, state *s, float friction) {
    scene_random random = {7};
    bool made = true;
    for (int i = 0; i < s->count && made; i++) {
        float radius = scene_random_range(&random, 0.18f, 0.3f);
        float x = 0.62f * (float)(i % 24) - 7.13f, y = 1 + 0.62f * (float)(i / 24);
        s->balls[i] = scene_add_body(world, CN_DYNAMIC, x, y);
        made = scene_add_hull(world, s->balls[i], cn_circle(radius), friction, 0.3f).id;
    }
    return made;
}

// The paddle follows a figure of eight that lies on its side, and leans back and forth.
static cn_pose locate_paddle(float phase) {
    cn_rotation r = cn_rotation_of(phase);
    vec2s place = {{5 * r.s, 2.6f + 0.9f * 2 * r.s * r.c}};
    return cn_pose_at(place, 0.9f * r.c);
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->count = (int)run->values[COUNT];
    cn_pose at = locate_paddle(0);
    s->paddle = cn_body_create(
        world, &(cn_body_def){.type = CN_KINEMATIC, .position = at.position, .angle = 0.9f});
    cn_hull blade = cn_capsule((vec2s){{0, -1.3f}}, (vec2s){{0, 1.3f}}, 0.2f);
    return add_basin(world) && scene_add_hull(world, s->paddle, blade, 0.5f, 1).id &&
           add_balls(world, s, run->values[FRICTION]);
}

static bool before_step(scene_run *run) {
    state *s = run->memory;
    s->phase += run->values[SPEED] * STEP;
    if (s->phase > 2 * PI) s->phase -= 2 * PI;
    cn_pose next = locate_paddle(s->phase);
    return cn_body_set_target(run->world, s->paddle, next, STEP);
}

// ---- the picture

static void draw(const scene_run *run, sketch *s) {
    static const sketch_ink inks[] = {INK_BLUE, INK_ORANGE, INK_GREEN,
                                      INK_RED,  INK_YELLOW, INK_PINK};
    const state *m = run->memory;
    for (int i = 0; i < m->count; i++) {
        cn_body ball = m->balls[i];
        cn_hull hull =
            cn_shape_hull(run->world, cn_body_next_shape(run->world, ball, (cn_shape){0}));
        sketch_hull(s, &hull, cn_body_pose(run->world, ball), (sketch_pen){inks[i % 6], 0.85f, 1});
    }
}

const scene scene_ball_pit = {
    .name = "ball-pit",
    .title = "Ball pit",
    .caption = "A paddle moves through hundreds of light balls, which close behind it.",
    .view = {0, 5.9f, 14},
    .width = 20,
    .gravity = {{0, -10}},
    .steps = 600,
    .parameters = parameters,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
