/* Fields with drag. Leaves and balls circle in a wind tunnel, whose four fields blow around a
 * block. A fan in the middle blows upwards in gusts, so the balls above it rise and sink. In the
 * pit on the right, boxes sink into syrup: denser boxes sink faster. */
#include "scene.h"

enum { LEAVES = 36, BALLS = 6, HOVERING = 7, FAN = 3, SINKING = 4, STEPS_BETWEEN = 120 };

typedef struct {
    cn_shape fan[FAN];
} state;

static bool add_wall(cn_world *world, float left, float bottom, float right, float top) {
    cn_hull box = cn_box((right - left) / 2, (top - bottom) / 2);
    return scene_add_one(world, CN_STATIC, (left + right) / 2, (bottom + top) / 2, box, 1).id;
}

static cn_shape add_field(cn_world *world, float left, float bottom, float right, float top,
                          cn_medium medium) {
    cn_body body = scene_add_body(world, CN_STATIC, (left + right) / 2, (bottom + top) / 2);
    cn_shape_def def = {
        .hull = cn_box((right - left) / 2, (top - bottom) / 2), .sensor = true, .medium = medium};
    return cn_shape_create(world, body, &def);
}

static cn_medium wind_of(float x, float y) {
    return (cn_medium){.linear_drag = 3, .angular_drag = 0.5f, .flow = {{x, y}}};
}

// Each field of the tunnel ends where the next one begins.
static bool add_tunnel(cn_world *world) {
    return add_wall(world, -16.3f, -0.3f, -16, 10.3f) && add_wall(world, -16, 10, -2, 10.3f) &&
           add_wall(world, -2, -0.3f, -1.7f, 10.3f) && add_wall(world, -13, 3, -5, 7) &&
           add_field(world, -16, 7, -5, 10, wind_of(8, 2.5f)).id &&
           add_field(world, -5, 3, -2, 10, wind_of(0, -5)).id &&
           add_field(world, -13, 0, -2, 3, wind_of(-8, 1)).id &&
           add_field(world, -16, 0, -13, 7, wind_of(0, 9)).id;
}

static bool add_leaves(cn_world *world) {
    bool made = true;
    for (int i = 0; i < LEAVES && made; i++) {
        cn_body_def def = {
            .position = {{-12.5f + 0.84f * (float)(i % 9), 0.3f + 0.6f * (float)(i / 9)}},
            .angle = 0.7f * (float)i};
        cn_body leaf = cn_body_create(world, &def);
        made = scene_add_hull(world, leaf, cn_rounded_box(0.24f, 0.02f, 0.03f), 0.2f, 0.2f).id;
    }
    for (int i = 0; i < BALLS && made; i++)
        made = scene_add_one(world, CN_DYNAMIC, -14.9f + 0.9f * (float)(i % 2),
                             0.5f + 0.9f * (float)(i / 2), cn_circle(0.3f), 0.5f)
                   .id;
    return made;
}

// ---- the fan

// The fields beside the middle one blow inwards, so that the balls stay above the fan.
static cn_medium make_gust(int i, int step) {
    float gust = cn_rotation_of(0.015f * (float)step).s;
    return wind_of(1.5f * (float)(1 - i), 5 + 3.5f * gust);
}

static bool add_fan(cn_world *world, state *s) {
    bool made = add_wall(world, 0.6f, 0, 1, 2) && add_wall(world, 6.4f, 0, 6.8f, 2);
    for (int i = 0; i < FAN && made; i++) {
        float left = 1 + 1.8f * (float)i;
        s->fan[i] = add_field(world, left, 0, left + 1.8f, 6.5f, make_gust(i, 0));
        made = s->fan[i].id;
    }
    for (int i = 0; i < HOVERING && made; i++)
        made = scene_add_one(world, CN_DYNAMIC, 2 + 0.9f * (float)(i % 4), 0.6f + (float)(i / 4),
                             cn_circle(0.3f + 0.03f * (float)i), 0.5f)
                   .id;
    return made;
}

// ---- the pit

static bool add_pit(cn_world *world) {
    cn_medium syrup = {.density = 1, .linear_drag = 15, .angular_drag = 15};
    return add_wall(world, -16.3f, -0.6f, 8.4f, 0) && add_wall(world, 7.8f, -4.6f, 8.4f, -0.6f) &&
           add_wall(world, 8.4f, -4.6f, 16, -4) && add_wall(world, 16, -4.6f, 16.6f, 0) &&
           add_field(world, 8.4f, -4, 16, -0.4f, syrup).id;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    return add_pit(world) && add_tunnel(world) && add_leaves(world) && add_fan(world, run->memory);
}

static bool drop_box(cn_world *world, int i) {
    static const float densities[SINKING] = {1.5f, 0.5f, 5, 2};
    cn_body_def def = {.position = {{9.5f + 1.8f * (float)i, 5}}, .angle = 0.3f * (float)i};
    cn_body box = cn_body_create(world, &def);
    return scene_add_hull(world, box, cn_box(0.7f, 0.45f), 0.6f, densities[i]).id;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    int step = run->step;
    state *s = run->memory;
    for (int i = 0; i < FAN; i++)
        if (!cn_shape_set_medium(world, s->fan[i], make_gust(i, step))) return false;
    return step % STEPS_BETWEEN != 20 || step / STEPS_BETWEEN >= SINKING ||
           drop_box(world, step / STEPS_BETWEEN);
}

const scene scene_wind = {
    .name = "wind",
    .title = "Wind",
    .caption =
        "Air blows leaves around and keeps balls in the air, and boxes sink slowly into syrup.",
    .view = {0.1f, 2.9f, 15.8f},
    .width = 34,
    .gravity = {{0, -10}},
    .steps = 900,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(state),
};
