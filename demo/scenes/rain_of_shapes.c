/* Shapes of every type fall into a bin: circles, capsules, boxes, rounded boxes, polygons with and
 * without a radius, and bodies made of several of them. */
#include "any_shape.h"

enum { STEPS_BETWEEN = 3 };

typedef struct {
    scene_random random;
    int made;
} memory;

enum { COUNT };
static const scene_parameter parameters[] = {
    {"count", 260, 1, 1000, true, ""},
    {.name = NULL},
};

static bool create(scene_run *run) {
    cn_world *world = run->world;
    ((memory *)run->memory)->random.state = 7;
    cn_body bin = scene_add_body(world, CN_STATIC, 0, 0);
    static const float walls[][5] = {
        // half width, half height, x, y, angle
        {11, 0.5f, 0, -0.5f, 0},
        {0.4f, 8, -12.2f, 6.6f, 0.2f},
        {0.4f, 8, 12.2f, 6.6f, -0.2f},
    };
    for (int i = 0; i < 3; i++) {
        const float *w = walls[i];
        cn_hull box = cn_box(w[0], w[1]);
        cn_hull wall = cn_hull_at(box, cn_pose_at((vec2s){{w[2], w[3]}}, w[4]));
        if (!scene_add_hull(world, bin, wall, 0.5f, 1).id) return false;
    }
    return true;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    memory *m = run->memory;
    if (run->step % STEPS_BETWEEN != 0 || m->made >= (int)run->values[COUNT]) return true;
    m->made++;
    float x = scene_random_range(&m->random, -9, 9);
    float size = scene_random_range(&m->random, 0.45f, 0.85f);
    return add_any_shape(world, &m->random, x, 19, size);
}

const scene scene_rain_of_shapes = {
    .name = "rain-of-shapes",
    .title = "Rain of shapes",
    .caption = "Every type of shape in the engine falls into one bin.",
    .view = {0, 8.8f, 23},
    .gravity = {{0, -10}},
    .parameters = parameters,
    .steps = 1200,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(memory),
};
