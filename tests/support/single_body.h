/* Shared by the tests of single bodies: a brick, and shapes away from the body's origin. */
#ifndef TESTS_SINGLE_BODY_H
#define TESTS_SINGLE_BODY_H

#include "physics.h"

// A box of 1 x 0.5 m with a mass of 2 kg.
static inline cn_shape_def brick(void) {
    return (cn_shape_def){.hull = cn_box(0.5f, 0.25f), .density = 4};
}

static inline void add_at(cn_world *world, cn_body body, cn_hull hull, vec2s at, double angle,
                          float density) {
    hull = cn_hull_at(hull, cn_pose_at(at, (float)angle));
    assert_done(
        cn_shape_create(world, body, &(cn_shape_def){.hull = hull, .density = density}).id != 0);
}

#endif
