/* A box, a capsule and a circle race over tiles and over the hills of a chain. They slide without
 * friction, back and forth between two elastic walls. The seams of the tiles and the vertices of
 * the chain have no effect on them:
 *
 *      |        ___                                             |
 *      |  ->   |___|                  .--.          .--.        |
 *      |[ ][ ][ ][ ][ ][ ][ ][ ]-----'    '--------'    '-------|    one lane for each */
#include "scene.h"

enum { LANES = 3, TILES = 20, POINTS = 81 };

#define HALF_WIDTH  20.0f
#define LANE_HEIGHT 5.0f
#define PI          3.14159265358979f

static bool add_part(cn_world *world, cn_body body, cn_hull hull, float x, float y, float bounce) {
    cn_shape_def def = {.hull = cn_hull_at(hull, cn_pose_at((vec2s){{x, y}}, 0)),
                        .material = {.frictionless = true, .restitution = bounce}};
    return cn_shape_create(world, body, &def).id != 0;
}

static float hill_height(float x) {
    return 0.7f * (1 - cn_rotation_of(x * (4 * PI / HALF_WIDTH)).c);
}

// Adds a chain of hills. Its points are listed from right to left, so that its solid side is below.
static bool add_hills(cn_world *world, cn_body ground) {
    vec2s points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        float x = HALF_WIDTH * (1 - (float)i / (POINTS - 1));
        points[i] = (vec2s){{x, hill_height(x)}};
    }
    cn_chain_def hills = {.points = points, .count = POINTS, .material = {.frictionless = true}};
    return cn_chain_create(world, ground, &hills).id != 0;
}

static bool add_lane(cn_world *world, float y, cn_hull racer) {
    cn_body ground = scene_add_body(world, CN_STATIC, 0, y);
    for (int i = 0; i < TILES; i++)
        if (!add_part(world, ground, cn_box(0.5f, 0.5f), (float)i + 0.5f - HALF_WIDTH, -0.5f, 0))
            return false;
    cn_body body = cn_body_create(
        world, &(cn_body_def){.position = {{3 - HALF_WIDTH, y + 0.5f}}, .velocity = {{11, 0}}});
    return add_hills(world, ground) &&
           add_part(world, ground, cn_box(0.25f, 2), -HALF_WIDTH - 0.25f, 2, 1) &&
           add_part(world, ground, cn_box(0.25f, 2), HALF_WIDTH + 0.25f, 2, 1) &&
           add_part(world, body, racer, 0, 0, 0);
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    const cn_hull racers[LANES] = {
        cn_box(0.5f, 0.5f),
        cn_capsule((vec2s){{-0.4f, 0}}, (vec2s){{0.4f, 0}}, 0.5f),
        cn_circle(0.5f),
    };
    for (int i = 0; i < LANES; i++)
        if (!add_lane(world, LANE_HEIGHT * (float)(1 - i), racers[i])) return false;
    return true;
}

const scene scene_sliding_race = {
    .name = "sliding-race",
    .title = "Sliding race",
    .caption =
        "Bodies slide over tiles and chains as over one smooth floor. No body catches on a seam.",
    .view = {0, 1.2f, 24},
    .width = 41.5f,
    .gravity = {{0, -10}},
    .no_sleep = true,
    .steps = 600,
    .create = create,
};
