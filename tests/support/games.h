/* Shared by the tests of platforms, belts and callbacks: crates and pills, with a position and a
 * velocity. */
#ifndef TESTS_GAMES_H
#define TESTS_GAMES_H

#include "small_world.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static inline cn_hull crate(void) { return cn_box(0.5f, 0.5f); }
static inline cn_hull pill(void) { return cn_capsule(point(-0.3, 0), point(0.3, 0), 0.5f); }

static inline double height_of(const cn_world *world, cn_body body) {
    return motion_of(world, body).y;
}

static inline cn_body throw(cn_world * world, cn_hull hull, vec2s position, vec2s velocity) {
    return add(world, (cn_body_def){.position = position, .velocity = velocity},
               (cn_shape_def){.hull = hull});
}

#endif
