/* Small worlds for the rules of queries, in which each query has one exact answer. */
#ifndef TESTS_QUERY_CASES_H
#define TESTS_QUERY_CASES_H

#include "../../support/query_judge.h"
#include "../../support/refuse.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static inline cn_body add_static(cn_world *world, double x, double y, double angle) {
    cn_body body = cn_body_create(
        world, &(cn_body_def){.type = CN_STATIC, .position = point(x, y), .angle = (float)angle});
    assert_done(body.id != 0);
    return body;
}

static inline cn_shape add_shape(cn_world *world, cn_body body, cn_shape_def def) {
    cn_shape shape = cn_shape_create(world, body, &def);
    assert_done(shape.id != 0);
    return shape;
}

// Adds a static box of 1 m x 1 m with this lower left corner.
static inline cn_shape add_box(cn_world *world, double x, double y) {
    return add_shape(world, add_static(world, x + 0.5, y + 0.5, 0),
                     (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

static inline cn_grid add_tiles(cn_world *world, cn_body body, int width, int height) {
    uint8_t solid[64];
    memset(solid, 1, sizeof solid);
    assert_in_range(width * height, 1, COUNT(solid));
    cn_grid_def def = {.solid = solid, .width = width, .height = height, .tile_size = 1};
    cn_grid tiles = cn_grid_create(world, body, &def);
    assert_done(tiles.id != 0);
    return tiles;
}

static inline cn_world_hit cast(const cn_world *world, double x, double y, double dx, double dy) {
    return cn_world_cast_ray(world, point(x, y), point(dx, dy), NULL);
}

static inline void assert_same_vector(vec2s v, double x, double y) {
    assert_near((double)v.x, x, 1e-6);
    assert_near((double)v.y, y, 1e-6);
}

#endif
