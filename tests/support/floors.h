/* Shared by the tests of smooth ground: floors of tiles, chains and bodies, whose surface is y = 0
 * from x = 0 to x = 100. */
#ifndef TESTS_FLOORS_H
#define TESTS_FLOORS_H

#include "movers.h"

typedef enum { CHAIN, SQUARES, UNEVEN, OVERLAPPING, BODIES, FLOORS } floor_kind;

// A tile with its centre at x, y in the frame of the ground.
static inline cn_shape add_tile(cn_world *world, cn_body ground, double x, double y, double hx,
                                double hy) {
    cn_hull box = cn_box((float)hx, (float)hy);
    box = cn_hull_at(box, cn_pose_at(point(x, y), 0));
    cn_shape tile =
        cn_shape_create(world, ground, &(cn_shape_def){.hull = box, .material = frictionless});
    assert_done(tile.id != 0);
    return tile;
}

static inline cn_chain add_chain(cn_world *world, const vec2s *points, int count, bool closed) {
    cn_chain_def def = {
        .points = points, .count = count, .closed = closed, .material = frictionless};
    cn_chain chain = cn_chain_create(world, add_static(world), &def);
    assert_done(chain.id != 0);
    return chain;
}

// A tile of 1 m that is a body of its own. `side` says on which of its four sides it lies.
static inline cn_body add_tile_body(cn_world *world, double x, double y, int side) {
    cn_body_def def = {.type = CN_STATIC, .position = point(x, y)};
    def.angle = (float)(side * PI / 2);
    return add(world, def, (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material = frictionless});
}

static inline void add_long_floor(cn_world *world, floor_kind kind) {
    vec2s points[201];
    for (int i = 0; i <= 200; i++) points[i] = point(100 - 0.5 * i, 0);
    if (kind == CHAIN) {
        add_chain(world, points, 201, false);
        return;
    }
    for (int i = 0; i < 100 && kind == BODIES; i++) add_tile_body(world, i + 0.5, -0.5, i % 4);
    if (kind == BODIES) return;
    cn_body ground = add_static(world);
    for (int i = 0; i < 100; i++) {
        double half = kind == UNEVEN ? 0.2 + 0.1 * (i * 7 % 5) : 0.5;
        add_tile(world, ground, i + 0.5, -half, kind == OVERLAPPING ? 0.55 : 0.5, half);
    }
}

// Every normal of a contact, from the ground to the body, must be one of the allowed directions.
static inline void check_normals(const cn_world *world, const vec2s *allowed, int count,
                                 int least) {
    cn_contact contacts[32];
    int found = cn_world_contacts(world, contacts, 32);
    assert_in_range(found, least, 32);
    for (int i = 0; i < found; i++) {
        vec2s n = contacts[i].manifold.normal;
        double best = -1;
        for (int k = 0; k < count; k++)
            best =
                fmax(best, (double)n.x * (double)allowed[k].x + (double)n.y * (double)allowed[k].y);
        assert_near(best, 1, 1e-3);
    }
}

#endif
