/* Stacks of crates of 1 m and a bin of mixed shapes, for tests of whole worlds. */
#ifndef TESTS_CRATES_H
#define TESTS_CRATES_H

#include "sleepers.h"

enum { MAX_WATCHED = 256 };

static inline cn_body add_crate(cn_world *world, double x, double y) {
    return add(world, (cn_body_def){.position = point(x, y)},
               (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

// Bodies that are watched, and their places at the start.
typedef struct {
    cn_body bodies[MAX_WATCHED];
    double x[MAX_WATCHED], y[MAX_WATCHED];
    int count;
} watch;

static inline void add_watched_crate(cn_world *world, watch *w, double x, double y) {
    w->bodies[w->count] = add_crate(world, x, y);
    w->x[w->count] = x;
    w->y[w->count++] = y;
}

static inline watch add_stack(cn_world *world, double x, int height) {
    watch w = {.count = 0};
    for (int i = 0; i < height; i++) add_watched_crate(world, &w, x, 0.5 + i);
    return w;
}

// ---- a bin of mixed shapes

static inline cn_hull mixed_hull(int i) {
    switch (i % 7) {
    case 0: return cn_box(0.3f, 0.3f);
    case 1: return cn_circle(0.3f);
    case 2: return cn_capsule(point(-0.3, 0), point(0.3, 0), 0.15f);
    case 3: return cn_regular_polygon(3, 0.4f);
    case 4: return cn_regular_polygon(5, 0.35f);
    case 5: return cn_rounded_box(0.25f, 0.15f, 0.1f);
    default: return cn_regular_polygon(8, 0.35f);
    }
}

// A bin 8 m wide inside, with its floor at y = 0.
static inline void add_bin(cn_world *world) {
    cn_body bin = add_floor(world, (cn_material){0});
    cn_hull walls[] = {cn_box(1, 20), cn_box(1, 20)};
    for (int i = 0; i < 2; i++) {
        walls[i] = cn_hull_at(walls[i], cn_pose_at(point(i ? 5 : -5, 20), 0));
        assert_done(cn_shape_create(world, bin, &(cn_shape_def){.hull = walls[i]}).id != 0);
    }
}

static inline watch fill_bin(cn_world *world, int count) {
    watch pile = {.count = count};
    uint64_t seed = 8;
    for (int i = 0; i < count; i++) {
        double x = i % 8 - 3.5 + random_between(&seed, -0.1, 0.1), y = 1 + i / 8;
        pile.bodies[i] =
            add(world, (cn_body_def){.position = point(x, y), .angle = (float)(i * 0.7)},
                (cn_shape_def){.hull = mixed_hull(i)});
    }
    return pile;
}

#endif
