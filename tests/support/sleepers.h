/* Shared by the tests of sleep and waking: a world whose bodies may sleep, and boxes of 1 m. */
#ifndef TESTS_SLEEPERS_H
#define TESTS_SLEEPERS_H

#include "physics.h"

static inline cn_world *make_sleepy_world(double gravity) {
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, (float)-gravity}}});
    assert_done(world != NULL);
    return world;
}

static inline cn_body add_box(cn_world *world, cn_body_def def) {
    return add(world, def, (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

// Steps until all bodies sleep. Fails if that takes more than `steps`.
static inline void run_until_asleep(cn_world *world, int steps) {
    for (int i = 0; i < steps; i++) {
        run(world, 1);
        if (cn_world_counters(world).awake_bodies == 0) return;
    }
    print_error("%d bodies are still awake\n", cn_world_counters(world).awake_bodies);
    fail();
}

#endif
