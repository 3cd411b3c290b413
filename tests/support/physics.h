/* Shared by the tests of the simulation: worlds with a floor, bodies in one call, and motions that
 * are read through the public API in double precision. A step is 1/60 s. */
#ifndef TESTS_PHYSICS_H
#define TESTS_PHYSICS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../engine/cairn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP    (1.0f / 60)
#define GRAVITY 10.0
#define PI      3.14159265358979323846

static inline double seconds_of(int steps) { return steps * (double)STEP; }

// ---- claims

static inline void check_near(double value, double expected, double tolerance, const char *what,
                              const char *file, int line) {
    if (fabs(value - expected) <= tolerance) return; // NaN fails too
    print_error("%s is %.9g, should be %.9g (+- %g)\n", what, value, expected, tolerance);
    _fail(file, line);
}

#define assert_near(value, expected, tolerance)                                                    \
    check_near(value, expected, tolerance, #value, __FILE__, __LINE__)

// Fails with the error of a call that should have succeeded.
static inline void check_done(bool done, const char *what, const char *file, int line) {
    if (done) return;
    print_error("%s failed: %s\n", what, cn_error());
    _fail(file, line);
}

#define assert_done(call) check_done(call, #call, __FILE__, __LINE__)

// ---- worlds

static const cn_material frictionless = {.frictionless = true};

// A world in which sleeping is off.
static inline cn_world *make_world(double gravity) {
    cn_world *world =
        cn_world_create(&(cn_world_def){.gravity = {{0, (float)-gravity}}, .no_sleep = true});
    assert_done(world != NULL);
    return world;
}

static inline cn_shape_def box_of(float half) { return (cn_shape_def){.hull = cn_box(half, half)}; }

static inline cn_body add(cn_world *world, cn_body_def body, cn_shape_def shape) {
    cn_body added = cn_body_create(world, &body);
    assert_done(added.id != 0);
    assert_done(cn_shape_create(world, added, &shape).id != 0);
    return added;
}

// A static floor 200 m wide, with its surface at y = 0.
static inline cn_body add_floor(cn_world *world, cn_material material) {
    return add(world, (cn_body_def){.type = CN_STATIC, .position = {{0, -1}}},
               (cn_shape_def){.hull = cn_box(100, 1), .material = material});
}

static inline cn_shape first_shape(const cn_world *world, cn_body body) {
    return cn_body_next_shape(world, body, (cn_shape){0});
}

// Has the filter and pre_solve callbacks called for all shapes that the user created.
static inline void flag_all_shapes(cn_world *world) {
    for (cn_shape s = {0}; (s = cn_world_next_shape(world, s)).id;)
        assert_done(cn_shape_set_custom_filter(world, s, true) &&
                    cn_shape_set_pre_solve(world, s, true));
}

static inline void run(cn_world *world, int steps) {
    for (int i = 0; i < steps; i++) assert_done(cn_world_step(world, STEP));
}

// ---- motions

typedef struct {
    double x, y, angle, vx, vy, w; // of the centre of mass
} motion;

static inline motion motion_of(const cn_world *world, cn_body body) {
    vec2s p = cn_body_center(world, body), v = cn_body_velocity(world, body);
    return (motion){(double)p.x, (double)p.y, (double)cn_body_angle(world, body),
                    (double)v.x, (double)v.y, (double)cn_body_angular_velocity(world, body)};
}

static inline double mass_of(const cn_world *world, cn_body body) {
    return (double)cn_body_mass(world, body);
}

static inline double inertia_of(const cn_world *world, cn_body body) {
    return (double)cn_body_mass_data(world, body).inertia;
}

// The difference of two angles, from -pi to pi.
static inline double angle_from(double from, double to) { return remainder(to - from, 2 * PI); }

static inline vec2s point(double x, double y) { return (vec2s){{(float)x, (float)y}}; }

// ---- events

// Counts of events by type.
typedef struct {
    int begins, ends, sensor_begins, sensor_ends;
} tally;

static inline tally count_events(cn_world *world, int steps) {
    tally sum = {0};
    for (int i = 0; i < steps; i++) {
        run(world, 1);
        cn_events events = cn_world_events(world);
        sum.begins += events.begin_count, sum.ends += events.end_count;
        sum.sensor_begins += events.sensor_begin_count;
        sum.sensor_ends += events.sensor_end_count;
    }
    return sum;
}

// ---- random numbers

// The generator splitmix64: its numbers are equal on every machine.
static inline double random_between(uint64_t *seed, double low, double high) {
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return low + (high - low) * ((double)(z >> 11) / 9007199254740992.0);
}

// Returns a random point of a square. The order in which arguments are evaluated depends on the
// compiler, so y is drawn before x.
static inline vec2s random_point_between(uint64_t *seed, double low, double high) {
    double y = random_between(seed, low, high);
    return point(random_between(seed, low, high), y);
}

// Returns the greatest overlap of all contacts, m.
static inline double deepest_overlap(const cn_world *world) {
    static cn_contact contacts[4096];
    int count = cn_world_contacts(world, contacts, 4096);
    double deepest = 0;
    assert_in_range(count, 0, 4096);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < contacts[i].manifold.count; k++)
            deepest = fmax(deepest, -(double)contacts[i].manifold.points[k].separation);
    return deepest;
}

#endif
