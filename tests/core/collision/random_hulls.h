/* Seeded random hulls, and an oracle for single hulls: the outline of a rounded hull as a polygon
 * of many corners in double precision, built from the hull's vertices and radius alone. */
#ifndef TESTS_RANDOM_HULLS_H
#define TESTS_RANDOM_HULLS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../../engine/core/collision/collision.h"

enum { ARC = 2000, OUTLINE = 8 * (ARC + 1) };

static const double pi = 3.14159265358979323846;
static uint64_t seed;

// splitmix64
static inline uint64_t next_random(void) {
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline float random_between(float low, float high) {
    return low + (high - low) * (float)(next_random() >> 40) / 16777216.0f;
}

static inline vec2s random_point(float reach) {
    float x = random_between(-reach, reach);
    return cn_vec(x, random_between(-reach, reach));
}

static inline cn_pose random_pose(float reach) {
    vec2s p = random_point(reach);
    return cn_pose_at(p, random_between(-4, 4));
}

static inline cn_hull random_polygon(float radius) {
    for (;;) {
        vec2s points[9];
        int count = 3 + (int)(next_random() % 7);
        for (int i = 0; i < count; i++) points[i] = random_point(1);
        cn_hull hull = cn_polygon(points, count, radius);
        if (hull.count) return hull;
    }
}

// Returns a hull of any kind near the origin.
static inline cn_hull random_hull(void) {
    float r = random_between(0.05f, 1), x = random_between(0.05f, 2), y = random_between(0.05f, 2);
    cn_hull kinds[] = {cn_circle(r),
                       cn_capsule(random_point(1), cn_vec(x + 1, y), r),
                       cn_segment(random_point(1), cn_vec(x + 1, y)),
                       cn_box(x, y),
                       cn_rounded_box(x, y, r),
                       cn_regular_polygon(3 + (int)(next_random() % 6), r),
                       random_polygon(0),
                       random_polygon(r)};
    cn_hull hull = cn_hull_at(kinds[next_random() % 8], random_pose(1));
    assert_true(hull.count > 0);
    return hull;
}

static inline int start_random(void **state) {
    (void)state;
    seed = 977;
    return 0;
}

static inline void assert_near(double value, double expected, double tolerance) {
    if (fabs(value - expected) <= tolerance) return;
    print_error("%.9g is not %.9g (+- %g)\n", value, expected, tolerance);
    fail();
}

static inline void assert_refused(cn_error_kind kind) {
    if (cn_error_code() != kind) print_error("error: %s\n", cn_error());
    assert_int_equal(cn_error_code(), kind);
    assert_true(strlen(cn_error()) > 0);
    cn_fail(CN_ERROR_NONE, "%s", "");
}

// ---- the oracle

typedef struct {
    double x, y;
} point;

static point outline[OUTLINE];
static int outline_count;

static inline double direction_of_edge(const cn_hull *hull, int i) {
    vec2s a = hull->vertices[i % hull->count], b = hull->vertices[(i + 1) % hull->count];
    return atan2((double)b.y - (double)a.y, (double)b.x - (double)a.x);
}

static inline void trace_outline(const cn_hull *hull) {
    outline_count = 0;
    double r = (double)hull->radius;
    for (int i = 0; i < hull->count; i++) {
        // The arc about a vertex runs from the normal of the edge before the vertex to the normal
        // of the edge after it.
        double from = direction_of_edge(hull, i + hull->count - 1) - pi / 2;
        double to = direction_of_edge(hull, i) - pi / 2;
        while (to < from) to += 2 * pi;
        if (hull->count == 1) to = from + 2 * pi;
        for (int k = 0; k <= ARC; k++) {
            double t = from + (to - from) * k / ARC;
            outline[outline_count++] = (point){(double)hull->vertices[i].x + r * cos(t),
                                               (double)hull->vertices[i].y + r * sin(t)};
        }
    }
}

// Returns the mass of the outline by Green's theorem, for density 1.
static inline cn_mass_data outline_mass(void) {
    double area = 0, x = 0, y = 0, polar = 0;
    for (int i = 0; i < outline_count; i++) {
        point a = outline[i], b = outline[(i + 1) % outline_count];
        double cross = a.x * b.y - a.y * b.x;
        area += cross / 2;
        x += cross * (a.x + b.x) / 6;
        y += cross * (a.y + b.y) / 6;
        polar +=
            cross * (a.x * a.x + a.x * b.x + b.x * b.x + a.y * a.y + a.y * b.y + b.y * b.y) / 12;
    }
    x /= area, y /= area;
    return (cn_mass_data){
        (float)area, (float)(polar - area * (x * x + y * y)), {{(float)x, (float)y}}};
}

// Returns the distance from the outline, negative inside. The outline is convex, so a point is
// inside if it is below all sides.
static inline double outline_distance(vec2s p) {
    double nearest = 1e30;
    bool inside = true;
    for (int i = 0; i < outline_count; i++) {
        point a = outline[i], b = outline[(i + 1) % outline_count];
        double ex = b.x - a.x, ey = b.y - a.y, px = (double)p.x - a.x, py = (double)p.y - a.y;
        double ee = ex * ex + ey * ey, t = ee > 0 ? (px * ex + py * ey) / ee : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        nearest = fmin(nearest, hypot(px - t * ex, py - t * ey));
        if (ex * py - ey * px < 0) inside = false;
    }
    return inside ? -nearest : nearest;
}

#define TEST(name) cmocka_unit_test_setup(name, start_random)

#endif
