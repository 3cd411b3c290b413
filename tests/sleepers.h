/* Shared by the tests of sleep and waking: a world whose bodies may sleep, and boxes of 1 m. */
#ifndef TESTS_SLEEPERS_H
#define TESTS_SLEEPERS_H

#include "physics.h"

static inline cn_world *make_sleepy_world(double gravity) {
    cn_world *world = make_world(gravity);
    assert_done(cn_world_set_sleeping(world, true));
    return world;
}

static inline cn_body add_box(cn_world *world, cn_body_def def) {
    return add(world, def, (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

#endif
