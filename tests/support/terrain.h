/* Shared by the tests of landing bodies: ground of several kinds, with its surface at y = 0. */
#ifndef TESTS_TERRAIN_H
#define TESTS_TERRAIN_H

#include "physics.h"

typedef enum { WHOLE, ROW, TILES, KINEMATIC } ground_kind;
static const char *const ground_names[] = {"a static box", "a row of boxes", "tiles",
                                           "a kinematic box"};

// Ground 40 m wide, in pieces of 1 m. If the kind is TILES, the ground has no other shapes.
static inline void add_ground(cn_world *world, ground_kind kind) {
    const cn_material rough = {.friction = 0.6f};
    cn_body_def def = {.type = kind == KINEMATIC ? CN_KINEMATIC : CN_STATIC};
    cn_body ground = cn_body_create(world, &def);
    uint8_t solid[40];
    memset(solid, 1, sizeof solid);
    cn_grid_def tiles = {.solid = solid, .width = 40, .height = 1, .tile_size = 1};
    tiles.origin = point(-20, -1), tiles.material = rough;
    if (kind == TILES) assert_done(cn_grid_create(world, ground, &tiles).id != 0);
    for (int i = 0; i < 40 && kind == ROW; i++) {
        cn_hull piece = cn_box(0.5f, 0.5f);
        cn_shape_def shape = {.material = rough};
        shape.hull = cn_hull_at(piece, cn_pose_at(point(i - 19.5, -0.5), 0));
        assert_done(cn_shape_create(world, ground, &shape).id != 0);
    }
    cn_hull whole = cn_box(20, 0.5f);
    cn_shape_def shape = {.material = rough};
    shape.hull = cn_hull_at(whole, cn_pose_at(point(0, -0.5), 0));
    if (kind == WHOLE || kind == KINEMATIC)
        assert_done(cn_shape_create(world, ground, &shape).id != 0);
}

#endif
