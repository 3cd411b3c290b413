/* A pool of water: a field with density and drag. The numbers on the bodies are their densities;
 * that of the water is 1. A loaded boat, crates, a log and a ball float, each at its own depth. A
 * raft tips when crates fall on its end. A lift beside the pool carries a tank of water, which is a
 * second field. */
#include "scene.h"

enum { FALLING = 6, CARGO = 5, CRATES = 4, MAX_PARTS = 8, FIRST_FALL = 150, STEPS_BETWEEN = 45 };

static const float seconds = 1.0f / 60; // of a step
static const cn_medium water = {.density = 1, .linear_drag = 4, .angular_drag = 2};

typedef struct {
    cn_body tank;
} state;

static bool add_wall(cn_world *world, cn_body body, float x, float y, float half_width,
                     float half_height) {
    cn_hull box = cn_box(half_width, half_height);
    cn_hull wall = cn_hull_at(box, cn_pose_at((vec2s){{x, y}}, 0));
    return scene_add_hull(world, body, wall, 0.5f, 1).id;
}

// Adds water below the origin of a body.
static bool add_water(cn_world *world, cn_body body, float half_width, float depth) {
    cn_hull box = cn_box(half_width, depth / 2);
    cn_shape_def def = {.hull = cn_hull_at(box, cn_pose_at((vec2s){{0, -depth / 2}}, 0)),
                        .sensor = true,
                        .medium = water};
    return cn_shape_create(world, body, &def).id;
}

// The surface is at y = 0.
static bool add_pool(cn_world *world) {
    cn_body ground = scene_add_body(world, CN_STATIC, -3, 0);
    return add_wall(world, ground, 0, -4.7f, 13, 0.5f) &&
           add_wall(world, ground, -12, -1.8f, 1, 2.4f) &&
           add_wall(world, ground, 12, -1.8f, 1, 2.4f) && add_water(world, ground, 11, 4.2f);
}

static vec2s locate_tank(int step) {
    return (vec2s){{13.4f, -0.1f - 2.0f * cn_rotation_of(0.9f * seconds * (float)step).c}};
}

static bool add_tank(cn_world *world, state *s) {
    vec2s place = locate_tank(0);
    s->tank = scene_add_body(world, CN_KINEMATIC, place.x, place.y);
    return add_wall(world, s->tank, 0, -2.65f, 2.3f, 0.15f) &&
           add_wall(world, s->tank, -2.15f, -0.7f, 0.15f, 1.8f) &&
           add_wall(world, s->tank, 2.15f, -0.7f, 0.15f, 1.8f) &&
           add_water(world, s->tank, 2, 2.5f) &&
           scene_add_one(world, CN_DYNAMIC, place.x - 1, place.y, cn_circle(0.45f), 0.3f).id &&
           scene_add_one(world, CN_DYNAMIC, place.x + 0.7f, place.y, cn_box(0.5f, 0.35f), 0.6f).id;
}

static bool add_boat(cn_world *world, float x) {
    static const vec2s points[] = {{{-2, -0.45f}},   {{2, -0.45f}},   {{2.8f, 1.05f}},
                                   {{2.3f, 1.05f}},  {{2, 0.45f}},    {{-2, 0.45f}},
                                   {{-2.3f, 1.05f}}, {{-2.8f, 1.05f}}};
    const cn_outline outline = {points, sizeof points / sizeof *points};
    cn_hull parts[MAX_PARTS];
    int count = cn_outline_decompose(&outline, 1, 0, parts, MAX_PARTS);
    cn_body boat = scene_add_body(world, CN_DYNAMIC, x, 0.1f);
    bool made = count > 0 && count <= MAX_PARTS && boat.id;
    for (int i = 0; i < count && made; i++)
        made = scene_add_hull(world, boat, parts[i], 0.6f, 0.4f).id;
    for (int i = 0; i < CARGO && made; i++) {
        float at = i < 3 ? (float)(i - 1) : (float)i - 3.5f, row = i < 3 ? 0 : 0.72f;
        made = scene_add_one(world, CN_DYNAMIC, x + at, 0.93f + row, cn_box(0.35f, 0.35f), 0.4f).id;
    }
    return made;
}

static bool add_crates(cn_world *world) {
    static const float densities[CRATES] = {0.2f, 0.4f, 0.7f, 1.3f};
    bool made = true;
    for (int i = 0; i < CRATES && made; i++) {
        cn_body_def def = {.position = {{-6.9f + 1.5f * (float)i, 0.8f}}, .angle = 0.1f};
        cn_body crate = cn_body_create(world, &def);
        made = scene_add_hull(world, crate, cn_box(0.5f, 0.5f), 0.6f, densities[i]).id;
    }
    return made;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    cn_hull log = cn_capsule((vec2s){{-0.2f, -1.1f}}, (vec2s){{0.2f, 1.1f}}, 0.3f);
    return add_pool(world) && add_tank(world, run->memory) && add_boat(world, -10.8f) &&
           add_crates(world) && scene_add_one(world, CN_DYNAMIC, -0.4f, 2, log, 0.6f).id &&
           scene_add_one(world, CN_DYNAMIC, 3.4f, 0.3f, cn_box(1.8f, 0.25f), 0.5f).id &&
           scene_add_one(world, CN_DYNAMIC, 6.9f, 4, cn_circle(0.6f), 0.1f).id;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    int step = run->step;
    state *s = run->memory;
    int fallen = (step - FIRST_FALL) / STEPS_BETWEEN;
    if (step >= FIRST_FALL && step % STEPS_BETWEEN == FIRST_FALL % STEPS_BETWEEN &&
        fallen < FALLING) {
        float x = 4.7f - 0.25f * (float)(fallen % 3);
        if (!scene_add_one(world, CN_DYNAMIC, x, 5.5f, cn_box(0.33f, 0.33f), 0.6f).id) return false;
    }
    return cn_body_set_target(world, s->tank, cn_pose_at(locate_tank(step + 1), 0), seconds);
}

const scene scene_pool = {
    .name = "pool",
    .title = "Pool",
    .caption = "The denser a body, the deeper it floats. The density of the water is 1.",
    .view = {-0.2f, 0.3f, 13},
    .width = 33,
    .gravity = {{0, -10}},
    .steps = 900,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(state),
};
