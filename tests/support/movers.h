/* Shared by the tests of smooth ground: bodies without friction that slide over it. */
#ifndef TESTS_MOVERS_H
#define TESTS_MOVERS_H

#include "refuse.h"

static inline cn_body add_static(cn_world *world) {
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    assert_done(body.id != 0);
    return body;
}

enum { MOVERS = 5 };

// All movers except the circle lie on a flat side. The centre is 0.5 m above the floor.
static inline cn_hull mover(int i) {
    cn_hull octagon = cn_regular_polygon(8, (float)(0.5 / cos(PI / 8)));
    const cn_hull hulls[MOVERS] = {
        cn_box(0.5f, 0.5f),
        cn_capsule(point(-0.3, 0), point(0.3, 0), 0.5f),
        cn_circle(0.5f),
        cn_rounded_box(0.4f, 0.4f, 0.1f),
        cn_hull_at(octagon, cn_pose_at(point(0, 0), (float)(PI / 8))),
    };
    return hulls[i];
}

static inline cn_body add_mover(cn_world *world, int i, vec2s place, double angle, vec2s velocity,
                                double bounce) {
    cn_shape_def shape = {.hull = mover(i),
                          .material = {.frictionless = true, .restitution = (float)bounce}};
    cn_body_def def = {.position = place, .angle = (float)angle, .velocity = velocity};
    return add(world, def, shape);
}

// Puts a mover at a place. Returns the separation of its deepest contact point, and the normal
// there; 1e9 if it touches nothing.
static inline double deepest_at(cn_world *world, int which, vec2s place, double angle,
                                vec2s *normal) {
    cn_body body = add_mover(world, which, place, angle, point(0, 0), 0);
    assert_done(cn_world_step(world, 1e-6f));
    cn_contact contacts[16];
    int count = cn_world_contacts(world, contacts, 16);
    double deepest = 1e9;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < contacts[i].manifold.count; k++) {
            double separation = (double)contacts[i].manifold.points[k].separation;
            if (separation < deepest) deepest = separation, *normal = contacts[i].manifold.normal;
        }
    assert_done(cn_body_destroy(world, body));
    return deepest;
}

// Moves two static bodies at random, and movers around them. Both bodies have the same outline, so
// the movers touch both or none, with the same deepest contact point.
static inline void check_same_outline(cn_world *whole, cn_body a, cn_world *pieces, cn_body b,
                                      uint64_t seed) {
    int touching = 0, others = 0;
    for (int i = 0; i < 20000; i++) {
        if (i % 1000 == 0) {
            vec2s place = random_point_between(&seed, -1, 1);
            float angle = (float)random_between(&seed, -4, 4);
            assert_done(cn_body_set_pose(whole, a, cn_pose_at(place, angle)));
            assert_done(cn_body_set_pose(pieces, b, cn_pose_at(place, angle)));
        }
        vec2s place = random_point_between(&seed, -3.2, 3.2);
        vec2s n = {{0}}, m = {{0}};
        double angle = random_between(&seed, -4, 4);
        double expected = deepest_at(whole, i % MOVERS, place, angle, &n);
        double found = deepest_at(pieces, i % MOVERS, place, angle, &m);
        if (expected < -0.03 || fabs(expected - 0.02) < 1e-5) continue;
        assert_true((expected < 1) == (found < 1));
        touching += expected < 1;
        others += found < 1 && (fabs(expected - found) > 1e-4 ||
                                (double)n.x * (double)m.x + (double)n.y * (double)m.y < 0.9999);
    }
    assert_in_range(touching, 300, 20000);
    assert_in_range(others, 0, 1);
}

#endif
