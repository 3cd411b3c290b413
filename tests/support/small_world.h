/* Shared by the tests of the world's calls: balls, and nearly equal vectors. */
#ifndef TESTS_SMALL_WORLD_H
#define TESTS_SMALL_WORLD_H

#include "physics.h"

static const cn_hull ball = {.vertices = {{{0, 0}}}, .radius = 0.5f, .count = 1};

static inline cn_body add_ball(cn_world *world, double x, double y) {
    return add(world, (cn_body_def){.position = point(x, y)}, (cn_shape_def){.hull = ball});
}

static inline void assert_vector(vec2s v, double x, double y) {
    assert_near((double)v.x, x, 1e-6);
    assert_near((double)v.y, y, 1e-6);
}

#endif
