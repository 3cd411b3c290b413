/* Newton's cradle: as many balls leave on one side as arrive on the other. The resting balls just
 * touch, so an impact passes through all of their contacts at once. */
#include "scene.h"

#define PI 3.14159265358979f

enum { BALLS = 5 };

static const float radius = 0.5f, length = 4, top = 6;

static bool add_ball(cn_world *world, cn_body beam, float x, float angle) {
    cn_rotation r = cn_rotation_of(angle);
    vec2s anchor = {{x, top}}, place = {{x + length * r.s, top - length * r.c}};
    cn_body ball = cn_body_create(world, &(cn_body_def){.position = place});
    cn_material steel = {.frictionless = true, .restitution = 1};
    cn_joint_def string = cn_distance_joint(world, beam, ball, anchor, place);
    return cn_shape_create(world, ball,
                           &(cn_shape_def){.hull = cn_circle(radius), .material = steel})
               .id &&
           cn_joint_create(world, string).id;
}

// Adds a cradle. Its first `raised` balls are pulled to the side.
static bool add_cradle(cn_world *world, float x, int raised) {
    cn_body beam = scene_add_one(world, CN_STATIC, x, top + 0.15f, cn_box(3, 0.15f), 1);
    for (int i = 0; i < BALLS; i++) {
        float place = x + 2 * radius * (float)(i - BALLS / 2);
        if (!add_ball(world, beam, place, i < raised ? -PI / 4 : 0)) return false;
    }
    return true;
}

enum { LEFT, RIGHT };
static const scene_parameter parameters[] = {
    {"left", 1, 0, 5, true, ""}, // balls that are raised
    {"right", 2, 0, 5, true, ""},
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    return add_cradle(world, -6, (int)run->values[LEFT]) &&
           add_cradle(world, 6, (int)run->values[RIGHT]);
}

const scene scene_cradle = {
    .name = "cradle",
    .title = "Newton's cradle",
    .caption = "One ball swings in and one swings out. Two swing in and two swing out.",
    .view = {0, 4.2f, 13},
    .width = 23,
    .gravity = {{0, -10}},
    .parameters = parameters,
    .no_sleep = true,
    .overlays = CN_DRAW_JOINTS,
    .steps = 100,
    .create = create,
};
