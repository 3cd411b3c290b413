/* Shared by the tests of joints that are solved directly: links that collide only with bodies of
 * the first category, and the energy of a world. */
#ifndef TESTS_LINKS_H
#define TESTS_LINKS_H

#include "joints.h"

static const cn_filter apart = {.category = 2, .mask = 1};

static inline cn_world *make_world_of(int substeps, double gravity) {
    cn_world *world = make_world(gravity);
    assert_done(cn_world_set_substeps(world, substeps));
    return world;
}

static inline cn_body add_link(cn_world *world, cn_body_def def, double half_x, double half_y,
                               double mass) {
    return add(world, def,
               (cn_shape_def){.hull = cn_box((float)half_x, (float)half_y),
                              .density = (float)(mass / (4 * half_x * half_y)),
                              .filter = apart});
}

static inline double energy_of(const cn_world *world) {
    cn_energy e = cn_world_energy(world);
    return e.kinetic + e.potential;
}

#endif
