/* Two hulls without a world, and an oracle for them that uses no geometry of the engine.
 *
 * The outline of a hull becomes a polygon of many corners in double precision. Points are compared
 * with the hull itself: a core of vertices, grown by a radius. */
#ifndef TESTS_CLIP_ORACLE_H
#define TESTS_CLIP_ORACLE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../engine/core/base/maths.h"
#include "random_pairs.h"

enum { SEED = 20261, CHORDS = 240, MAX_POINTS = 4 * CHORDS };

static const double pi = 3.14159265358979323846;

typedef struct {
    double x, y;
} place;

typedef struct {
    place p[MAX_POINTS];
    int count;
} polygon;

static inline void check(bool good, const char *what, int trial) {
    if (good) return;
    print_error("seed %d, trial %d: %s\n", SEED, trial, what);
    fail();
}

static inline void assert_near(double value, double expected, double tolerance) {
    if (fabs(value - expected) <= tolerance) return;
    print_error("%.12g is not %.12g (+- %g)\n", value, expected, tolerance);
    fail();
}

// Checks that the call returned zero and that its error has this kind and names the call.
static inline void check_refusal(cn_error_kind kind, bool zero, const char *call, int line) {
    size_t length = strcspn(call, "(");
    bool named = strncmp(cn_error(), call, length) == 0 && cn_error()[length] == ':';
    bool good = zero && cn_error_code() == kind && named;
    if (!good) print_error("line %d: %s: kind %d, \"%s\"\n", line, call, kind, cn_error());
    assert_true(good);
    cn_fail(CN_ERROR_NONE, "%s", "");
}

#define REFUSES(kind, call) check_refusal(kind, is_zero(call), #call, __LINE__)

#define is_zero(call) _Generic((call), int : is_zero_int, cn_mtv : is_zero_mtv)(call)

static inline bool is_zero_int(int i) { return i == 0; }
static inline bool is_zero_vector(vec2s v) { return v.x == 0 && v.y == 0; }
static inline bool is_zero_mtv(cn_mtv m) { return !m.overlap && is_zero_vector(m.translation); }

// ---- the oracle

static inline place corner_of(const cn_hull *hull, cn_pose pose, place origin, int i) {
    vec2s v = hull->vertices[i % hull->count];
    double c = pose.rotation.c, s = pose.rotation.s, x = v.x, y = v.y;
    return (place){pose.position.x - origin.x + c * x - s * y,
                   pose.position.y - origin.y + s * x + c * y};
}

static inline double direction_of(place a, place b) { return atan2(b.y - a.y, b.x - a.x); }

// Returns the outline relative to an origin. Arcs become chords; if keep_area is true, they are
// moved outwards so that their sectors keep their areas.
static inline polygon trace(const cn_hull *hull, cn_pose pose, place origin, bool keep_area) {
    polygon out = {.count = 0};
    for (int i = 0; i < hull->count; i++) {
        place v = corner_of(hull, pose, origin, i);
        place before = corner_of(hull, pose, origin, i + hull->count - 1);
        double from = direction_of(before, v) - pi / 2;
        double to = direction_of(v, corner_of(hull, pose, origin, i + 1)) - pi / 2;
        while (to < from - 1e-6) to += 2 * pi;
        if (hull->count == 1) to = from + 2 * pi;
        int n = hull->radius > 0 ? 3 + (int)((to - from) / (2 * pi) * CHORDS) : 0;
        double step = n ? (to - from) / n : 0, r = hull->radius, grown = r;
        // The chords span two triangles with sides r and `grown` and n - 2 triangles with two sides
        // `grown`. Together they have the area of the sector, r^2 n step / 2.
        if (keep_area && step > 1e-9)
            grown = r * (sqrt(1 + (n - 2) * n * step / sin(step)) - 1) / (n - 2);
        for (int k = 0; k <= n; k++) {
            double at = from + step * k, length = k == 0 || k == n ? r : grown;
            out.p[out.count++] = (place){v.x + length * cos(at), v.y + length * sin(at)};
        }
    }
    return out;
}

static inline double side_of(place a, place b, place p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static inline double distance_to_edge(place a, place b, place p) {
    double ex = b.x - a.x, ey = b.y - a.y, ee = ex * ex + ey * ey;
    double t = ee > 0 ? ((p.x - a.x) * ex + (p.y - a.y) * ey) / ee : 0;
    t = fmax(0, fmin(1, t));
    return hypot(p.x - a.x - t * ex, p.y - a.y - t * ey);
}

// Returns the signed distance from the outline of a hull, negative inside.
static inline double height_over(const cn_hull *hull, cn_pose pose, place p) {
    double nearest = INFINITY;
    bool inside = hull->count > 2;
    place zero = {0, 0};
    for (int i = 0; i < hull->count; i++) {
        place a = corner_of(hull, pose, zero, i), b = corner_of(hull, pose, zero, i + 1);
        nearest = fmin(nearest, distance_to_edge(a, b, p));
        if (side_of(a, b, p) < 0) inside = false;
    }
    return (inside ? -nearest : nearest) - (double)hull->radius;
}

static inline bool is_segment(const cn_hull *hull) { return hull->count == 2 && hull->radius == 0; }

static inline double length_of_points(const vec2s *points, int count) {
    double length = 0;
    for (int i = 0; i < count; i++) {
        cn_vec2d e = cn_between(points[i], points[(i + 1) % count]);
        length += hypot(e.x, e.y);
    }
    return length;
}

// ---- shorthands

static inline cn_pose at(float x, float y) { return cn_pose_at(cn_vec(x, y), 0); }

static inline int forget_errors(void **state) {
    (void)state;
    cn_fail(CN_ERROR_NONE, "%s", "");
    return 0;
}

#define TEST(name) cmocka_unit_test_setup(name, forget_errors)

#endif
