/* Random numbers, hulls and joints for test_random_calls.c. */
#ifndef TESTS_RANDOM_CALLS_H
#define TESTS_RANDOM_CALLS_H

#include "small_world.h"

// ---- chance

static uint64_t chance;

static inline double uniform(double low, double high) { return random_between(&chance, low, high); }
static inline int below(int count) { return (int)uniform(0, count); }
static inline bool one_in(int count) { return below(count) == 0; }
static inline vec2s somewhere(void) { return point(uniform(-10, 10), uniform(1, 6)); }

// Returns a random number, sometimes one that is refused or at a limit.
static inline float odd_number(double low, double high) {
    const float odd[] = {NAN, INFINITY, -INFINITY, 2e9f, -1e9f, 0, -0.0f, 1e-40f};
    return one_in(40) ? odd[below(8)] : (float)uniform(low, high);
}

static inline cn_hull some_hull(void) {
    float size = (float)uniform(0.2, 0.8);
    cn_hull hull = below(4) == 0   ? cn_circle(size)
                   : below(3) == 0 ? cn_box(size, (float)uniform(0.2, 0.8))
                   : below(2) == 0 ? cn_capsule(point(-0.4, 0), point(0.3, 0.1), size)
                                   : cn_regular_polygon(3 + below(6), size);
    cn_pose pose = cn_pose_at(point(uniform(-0.5, 0.5), 0), (float)uniform(-3, 3));
    return one_in(3) ? cn_hull_at(hull, pose) : hull;
}

static inline cn_material some_material(void) {
    cn_material material = {.friction = (float)uniform(0, 1),
                            .restitution = one_in(2) ? (float)uniform(0, 1) : 0};
    if (one_in(3)) material.rolling_resistance = (float)uniform(0, 1);
    if (one_in(3)) material.surface_speed = (float)uniform(-5, 5);
    if (one_in(3)) material.min_bounce_speed = (float)uniform(0, 2);
    return material;
}

// Returns a tile with one of some materials, rarely with a form that is refused.
static inline cn_tile some_tile(int materials) {
    return (cn_tile){.solid = !one_in(3),
                     .form = (cn_tile_form)(one_in(60) ? below(9) : below(5)),
                     .material = (uint8_t)below(materials),
                     .one_way = one_in(4)};
}

static inline cn_coordinate some_coordinate(void) {
    cn_coordinate c = {.mode = (cn_coordinate_mode)below(3)};
    if (c.mode == CN_LIMITED) c.lower = (float)uniform(-1, 0), c.upper = (float)uniform(0.1, 1);
    if (c.mode != CN_LOCKED && one_in(2)) c.hertz = (float)uniform(0.5, 30);
    if ((c.mode == CN_LOCKED || c.hertz > 0) && one_in(2)) c.target = (float)uniform(0, 1);
    if (c.hertz > 0) c.damping_ratio = (float)below(2);
    if (c.hertz > 0 && one_in(3)) c.max_spring_force = (float)uniform(1, 50);
    if (c.hertz > 0 && one_in(3))
        c.stiffness = 20 * c.hertz, c.damping = c.damping_ratio, c.hertz = c.damping_ratio = 0;
    if (c.mode != CN_LOCKED && one_in(3))
        c.motor = true, c.motor_speed = (float)uniform(-3, 3), c.max_motor_force = 20;
    if (c.mode == CN_LIMITED && one_in(4)) c.ratchet = 0.1f;
    if (one_in(20)) c.upper += 1; // the call fails if this has no effect
    return c;
}

static inline cn_joint_def some_joint(const cn_world *w, cn_body a, cn_body b) {
    vec2s p = cn_body_position(w, a), q = cn_body_position(w, b);
    vec2s middle = {{(p.x + q.x) / 2, (p.y + q.y) / 2}};
    switch (below(10)) {
    case 0: return cn_revolute_joint(w, a, b, middle);
    case 1: return cn_prismatic_joint(w, a, b, middle, point(1, uniform(-1, 1)));
    case 2: return cn_weld_joint(w, a, b, middle);
    case 3: return cn_wheel_joint(w, a, b, q, point(0, 1));
    case 4: return cn_distance_joint(w, a, b, p, q);
    case 5: return cn_rope_joint(w, a, b, p, q);
    case 6: return cn_spring_joint(w, a, b, p, q);
    case 7: return cn_mouse_joint(w, a, b, q);
    case 8: return cn_motor_joint(w, a, b, 30, 10);
    default: return cn_filter_joint(w, a, b);
    }
}

#endif
