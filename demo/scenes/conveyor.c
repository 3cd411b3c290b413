/* Conveyor belts: static bodies whose surface moves. Crates and balls ride down from belt to belt.
 * One of the belts runs uphill. Goods that fall off the last belt start again at the top. */
#include "scene.h"

enum { GOODS = 12 };

typedef struct {
    cn_body goods[GOODS];
} factory;

// Adds a belt between two points. If the speed is positive, the upper surface moves to the right.
static bool add_belt(cn_world *world, vec2s left, vec2s right, float speed) {
    cn_body body = scene_add_body(world, CN_STATIC, 0, 0);
    cn_shape_def belt = {.hull = cn_capsule(left, right, 0.35f),
                         .material = {.friction = 0.9f, .surface_speed = speed}};
    return cn_shape_create(world, body, &belt).id;
}

static vec2s locate_start(int i) {
    return (vec2s){{-8.5f + 1.2f * (float)(i % 6), 11.2f + 1.2f * (float)(i / 6)}};
}

enum { SPEED };
static const scene_parameter parameters[] = {
    {"speed", 2, 0.5f, 6, false, "m/s"},
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    factory *f = run->memory;
    float speed = run->values[SPEED];
    bool made = add_belt(world, (vec2s){{-9, 10}}, (vec2s){{1.5f, 10}}, speed) &&
                add_belt(world, (vec2s){{-5, 7.4f}}, (vec2s){{6.8f, 5.6f}}, -1.25f * speed) &&
                add_belt(world, (vec2s){{-9.6f, 4.4f}}, (vec2s){{1, 3.3f}}, speed) &&
                add_belt(world, (vec2s){{-4, 1}}, (vec2s){{8, 1}}, -1.5f * speed) &&
                scene_add_one(world, CN_STATIC, -10, 8, cn_box(0.2f, 5), 1).id &&
                scene_add_one(world, CN_STATIC, 7.3f, 7.7f, cn_box(0.2f, 2), 1).id;
    for (int i = 0; i < GOODS && made; i++) {
        cn_shape_def shape = {.hull = cn_box(0.45f, i % 3 ? 0.3f : 0.45f)};
        // Without rolling resistance the balls would roll down the belt that runs uphill.
        if (i % 3 == 1)
            shape =
                (cn_shape_def){.hull = cn_circle(0.4f), .material = {.rolling_resistance = 0.3f}};
        f->goods[i] = cn_body_create(world, &(cn_body_def){.position = locate_start(i)});
        made = cn_shape_create(world, f->goods[i], &shape).id;
    }
    return made;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    factory *f = run->memory;
    for (int i = 0; i < GOODS; i++) {
        if (cn_body_position(world, f->goods[i]).y > -3) continue;
        if (!cn_body_set_pose(world, f->goods[i], cn_pose_at(locate_start(i), 0)) ||
            !cn_body_set_velocity(world, f->goods[i], (vec2s){{0, 0}}))
            return false;
    }
    return true;
}

const scene scene_conveyor = {
    .name = "conveyor",
    .title = "Conveyor belts",
    .caption =
        "The surface of each belt moves while its body stands still. The second belt runs uphill.",
    .view = {0, 6, 15},
    .width = 21.5f,
    .gravity = {{0, -10}},
    .parameters = parameters,
    .steps = 600,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(factory),
};
