/* Shared by the tests of the character mover: a character that walks and falls in a world. Its feet
 * are the lowest point of its hull. */
#ifndef TESTS_CHARACTERS_H
#define TESTS_CHARACTERS_H

#include "../../support/tile_maps.h"

#define SLOP 0.005

typedef struct {
    cn_world *world;
    cn_hull hull;
    cn_move_def def;
    cn_pose pose;
    cn_move last;
} character;

// All hulls have their feet 0.5 m below their origin.
enum { WALKERS = 4 };
static inline cn_hull walker(int i) {
    const cn_hull hulls[WALKERS] = {
        cn_circle(0.5f),
        cn_capsule(point(0, -0.2), point(0, 0.4), 0.3f),
        cn_box(0.3f, 0.5f),
        cn_rounded_box(0.2f, 0.4f, 0.1f),
    };
    return hulls[i];
}

// Puts a character with its feet above a point, at the distance that the mover keeps.
static inline character place(cn_world *world, int which, double x, double y) {
    character c = {.world = world, .hull = walker(which), .def = {.mass = 80}};
    c.pose = cn_pose_at(point(x, y + 0.5 + SLOP), 0);
    return c;
}

static inline void move(character *c, double x, double y) {
    cn_error_clear();
    c->last = cn_world_move_hull(c->world, c->hull, c->pose, point(x, y), &c->def);
    if (cn_error_code()) print_error("%s\n", cn_error());
    assert_int_equal(cn_error_code(), CN_ERROR_NONE);
    c->pose = c->last.pose;
}

// Walks with a horizontal speed for some steps, and presses down by 2 cm in each.
static inline void walk(character *c, double speed, int steps) {
    for (int i = 0; i < steps; i++) move(c, speed * (double)STEP, -0.02);
}

static inline double x_of(const character *c) { return (double)c->pose.position.x; }
static inline double feet_of(const character *c) { return (double)c->pose.position.y - 0.5; }

// The distance to the nearest shape; 1 if none is so near.
static inline double gap_of(const character *c) {
    cn_neighbor near = cn_world_nearest(c->world, c->hull, c->pose, 1, &c->def.query);
    return near.found ? (double)near.gap.distance : 1;
}

// Adds a static box with its lower left corner at x, y.
static inline cn_body add_block(cn_world *world, double x, double y, double width, double height) {
    cn_body_def def = {.type = CN_STATIC, .position = point(x + width / 2, y + height / 2)};
    cn_hull box = cn_box((float)(width / 2), (float)(height / 2));
    return add(world, def, (cn_shape_def){.hull = box});
}

// Adds a slope that begins at x, 0 and rises to the right by an angle in degrees.
static inline void add_slope(cn_world *world, double x, double degrees, double length) {
    double rise = length * sin(degrees * PI / 180), run = length * cos(degrees * PI / 180);
    vec2s corners[] = {point(x, 0), point(x + run, 0), point(x + run, rise)};
    add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_polygon(corners, 3, 0)});
}

// Adds stairs to the right of x: `count` steps of 0.3 m, each 0.2 m high.
static inline void add_stairs(cn_world *world, double x, int count) {
    for (int i = 0; i < count; i++) add_block(world, x + 0.3 * i, 0, 6, 0.2 * (i + 1));
}

#endif
