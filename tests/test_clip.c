/* Hull against hull without a world: overlap, common part, crossings of outlines, slices, poses.
 *
 * The oracle is an independent clipper. Both outlines are polygons of many corners in double
 * precision, and one is clipped by each edge of the other (Sutherland and Hodgman 1974). The inner
 * corners of an arc lie outside of it by so much that its sector keeps its area. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../engine/base/maths.h"
#include "random_pairs.h"

enum { SEED = 20261, CHORDS = 240, MOST = 4 * CHORDS };

static const double pi = 3.14159265358979323846;

typedef struct {
    double x, y;
} place;

typedef struct {
    place p[MOST];
    int count;
} polygon;

typedef struct {
    double area, x, y, inertia;
} area_moments;

static void check(bool good, const char *what, int trial) {
    if (good) return;
    print_error("seed %d, trial %d: %s\n", SEED, trial, what);
    fail();
}

static void assert_near(double value, double expected, double tolerance) {
    if (fabs(value - expected) <= tolerance) return;
    print_error("%.12g is not %.12g (+- %g)\n", value, expected, tolerance);
    fail();
}

// The call returns zero, and its error has this kind and names the call.
static void check_refusal(cn_error_kind kind, bool zero, const char *call, int line) {
    size_t length = strcspn(call, "(");
    bool named = strncmp(cn_error(), call, length) == 0 && cn_error()[length] == ':';
    bool good = zero && cn_error_code() == kind && named;
    if (!good) print_error("line %d: %s: kind %d, \"%s\"\n", line, call, kind, cn_error());
    assert_true(good);
    cn_fail(CN_ERROR_NONE, "%s", "");
}

#define REFUSES(kind, call) check_refusal(kind, is_zero(call), #call, __LINE__)
#define is_zero(call)                                                                              \
    _Generic((call), int : is_zero_int, cn_mtv : is_zero_mtv, cn_pose : is_zero_pose)(call)
static bool is_zero_int(int i) { return i == 0; }
static bool is_zero_vector(vec2s v) { return v.x == 0 && v.y == 0; }
static bool is_zero_mtv(cn_mtv m) { return !m.overlap && is_zero_vector(m.translation); }
static bool is_zero_pose(cn_pose p) {
    return is_zero_vector(p.position) && p.rotation.c == 0 && p.rotation.s == 0;
}

// ---- the oracle

static place corner_of(const cn_hull *hull, cn_pose pose, place origin, int i) {
    vec2s v = hull->vertices[i % hull->count];
    double c = pose.rotation.c, s = pose.rotation.s, x = v.x, y = v.y;
    return (place){pose.position.x - origin.x + c * x - s * y,
                   pose.position.y - origin.y + s * x + c * y};
}

static double direction_of(place a, place b) { return atan2(b.y - a.y, b.x - a.x); }

// The outline relative to an origin. Arcs become chords, and sectors keep their areas if wanted.
static polygon trace(const cn_hull *hull, cn_pose pose, place origin, bool keep_area) {
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
        // Two triangles of r and the grown radius, n - 2 of the grown one: n step / 2 in all.
        if (keep_area && step > 1e-9)
            grown = r * (sqrt(1 + (n - 2) * n * step / sin(step)) - 1) / (n - 2);
        for (int k = 0; k <= n; k++) {
            double at = from + step * k, length = k == 0 || k == n ? r : grown;
            out.p[out.count++] = (place){v.x + length * cos(at), v.y + length * sin(at)};
        }
    }
    return out;
}

static double side_of(place a, place b, place p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

static void clip_by_edge(polygon *poly, place a, place b) {
    static polygon out;
    out.count = 0;
    for (int i = 0; i < poly->count; i++) {
        place p = poly->p[i], q = poly->p[(i + 1) % poly->count];
        double sp = side_of(a, b, p), sq = side_of(a, b, q);
        if (sp >= 0) out.p[out.count++] = p;
        if ((sp >= 0) == (sq >= 0)) continue;
        double t = sp / (sp - sq);
        out.p[out.count++] = (place){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
    }
    *poly = out;
}

static area_moments moments_of(const polygon *poly) {
    area_moments m = {0};
    double polar = 0;
    for (int i = 0; i < poly->count; i++) {
        place a = poly->p[i], b = poly->p[(i + 1) % poly->count];
        double cross = a.x * b.y - a.y * b.x;
        m.area += cross / 2;
        m.x += cross * (a.x + b.x) / 6;
        m.y += cross * (a.y + b.y) / 6;
        polar +=
            cross * (a.x * a.x + a.x * b.x + b.x * b.x + a.y * a.y + a.y * b.y + b.y * b.y) / 12;
    }
    if (m.area <= 0) return (area_moments){0};
    m.x /= m.area, m.y /= m.area;
    m.inertia = polar - m.area * (m.x * m.x + m.y * m.y);
    return m;
}

static area_moments clip_plainly(const hull_pair *pair, place origin) {
    static polygon a, b;
    a = trace(&pair->a, pair->pose_a, origin, true);
    b = trace(&pair->b, pair->pose_b, origin, true);
    for (int i = 0; i < b.count && a.count; i++) clip_by_edge(&a, b.p[i], b.p[(i + 1) % b.count]);
    return moments_of(&a);
}

static double distance_to_edge(place a, place b, place p) {
    double ex = b.x - a.x, ey = b.y - a.y, ee = ex * ex + ey * ey;
    double t = ee > 0 ? ((p.x - a.x) * ex + (p.y - a.y) * ey) / ee : 0;
    t = fmax(0, fmin(1, t));
    return hypot(p.x - a.x - t * ex, p.y - a.y - t * ey);
}

// Signed distance to the outline of a hull; negative inside.
static double height_over(const cn_hull *hull, cn_pose pose, place p) {
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

static bool is_segment(const cn_hull *hull) { return hull->count == 2 && hull->radius == 0; }

// ---- the common part

static void the_common_part_of_any_pair_is_that_of_an_independent_clipper(void **state) {
    (void)state;
    random_source source = {SEED};
    int with_area = 0;
    for (int i = 0; i < 3000; i++) {
        hull_pair pair = random_pair(&source);
        place origin = {pair.pose_a.position.x, pair.pose_a.position.y};
        area_moments expected = clip_plainly(&pair, origin);
        cn_mass m;
        cn_clip(&pair.a, pair.pose_a, &pair.b, pair.pose_b, 0.01f, NULL, 0, &m);
        check(fabs((double)m.mass - expected.area) < 1e-5 + 1e-5 * expected.area, "area", i);
        if (expected.area < 0.01) continue;
        with_area++;
        check(fabs((double)m.inertia - expected.inertia) < 1e-5 + 3e-5 * expected.inertia,
              "inertia", i);
        check(fabs((double)m.center.x - origin.x - expected.x) < 1e-4, "x of the centre", i);
        check(fabs((double)m.center.y - origin.y - expected.y) < 1e-4, "y of the centre", i);
    }
    assert_true(with_area > 700);
}

static double area_of_points(const vec2s *points, int count) {
    double area = 0;
    for (int i = 0; i < count; i++) {
        cn_vec2d a = cn_between(points[0], points[i]);
        area += cn_cross2d(a, cn_between(points[0], points[(i + 1) % count])) / 2;
    }
    return area;
}

static double length_of_points(const vec2s *points, int count) {
    double length = 0;
    for (int i = 0; i < count; i++) {
        cn_vec2d e = cn_between(points[i], points[(i + 1) % count]);
        length += hypot(e.x, e.y);
    }
    return length;
}

static bool turns_left(const vec2s *points, int count) {
    for (int i = 0; i < count && count > 2; i++) {
        vec2s a = points[i], b = points[(i + 1) % count], c = points[(i + 2) % count];
        cn_vec2d e = cn_between(a, b), f = cn_between(b, c);
        if (cn_cross2d(e, f) < -3e-6 * (hypot(e.x, e.y) + hypot(f.x, f.y))) return false;
    }
    return true;
}

static void corners_lie_in_both_hulls_and_miss_no_more_than_the_tolerance(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 5000; i++) {
        hull_pair pair = random_pair(&source);
        float tolerance = random_between(&source, 1e-5f, 0.05f);
        vec2s points[2200];
        cn_mass m;
        int count =
            cn_clip(&pair.a, pair.pose_a, &pair.b, pair.pose_b, tolerance, points, 2200, &m);
        check(count >= 0 && count <= 2200, "number of corners", i);
        for (int k = 0; k < count; k++) {
            place p = {points[k].x, points[k].y};
            check(height_over(&pair.a, pair.pose_a, p) < 2e-6, "outside of A", i);
            check(height_over(&pair.b, pair.pose_b, p) < 2e-6, "outside of B", i);
        }
        double area = area_of_points(points, count), length = length_of_points(points, count);
        check(turns_left(points, count), "not convex", i);
        check(area <= (double)m.mass + 2e-6 * length + 1e-12, "area too large", i);
        check(area >= (double)m.mass - ((double)tolerance + 2e-6) * length - 1e-12,
              "area too small", i);
        check(m.mass > 0 || (count < 3 && m.inertia == 0), "corners without an area", i);
    }
}

static double distance_to_points(const vec2s *points, int count, place p) {
    double nearest = INFINITY;
    for (int i = 0; i < count; i++) {
        vec2s a = points[i], b = points[(i + 1) % count];
        place from = {a.x, a.y}, to = {b.x, b.y};
        nearest = fmin(nearest, distance_to_edge(from, to, p));
    }
    return nearest;
}

static void the_corners_pass_the_true_outline_within_the_tolerance(void **state) {
    (void)state;
    random_source source = {SEED};
    int compared = 0;
    for (int i = 0; i < 1500; i++) {
        hull_pair pair = random_pair(&source);
        float tolerance = random_between(&source, 1e-4f, 0.1f);
        vec2s points[400];
        int count =
            cn_clip(&pair.a, pair.pose_a, &pair.b, pair.pose_b, tolerance, points, 400, NULL);
        check(count <= 400, "number of corners", i);
        static polygon outline;
        outline = trace(&pair.a, pair.pose_a, (place){0, 0}, false);
        for (int k = 0; k < outline.count; k++) {
            if (height_over(&pair.b, pair.pose_b, outline.p[k]) > -1e-7) continue;
            double distance = distance_to_points(points, count, outline.p[k]);
            check(distance < (double)tolerance + 2e-6, "the outline is missed", i);
            compared++;
        }
    }
    assert_true(compared > 10000);
}

static void the_common_part_of_any_two_sizes_is_the_same_both_ways(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 5000; i++) {
        hull_pair p = random_pair(&source);
        float scale = (float)pow(10, (double)random_between(&source, -6, 4));
        for (int k = 0; k < p.b.count; k++)
            p.b.vertices[k] = glms_vec2_scale(p.b.vertices[k], scale);
        p.b.radius *= scale;
        cn_mass ab, ba;
        int n = cn_clip(&p.a, p.pose_a, &p.b, p.pose_b, 0.01f, NULL, 0, &ab);
        int k = cn_clip(&p.b, p.pose_b, &p.a, p.pose_a, 0.01f, NULL, 0, &ba);
        double size = fmin(1, (double)scale), difference = fabs((double)(ab.mass - ba.mass));
        check((n > 0) == (k > 0), "one way only", i);
        check(difference <= 2e-6 * (double)ab.mass + 1e-12 * size * size, "area", i);
    }
}

static void the_common_part_is_that_of_the_swapped_pair(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 5000; i++) {
        hull_pair p = random_pair(&source);
        cn_mass ab, ba;
        int n = cn_clip(&p.a, p.pose_a, &p.b, p.pose_b, 0.01f, NULL, 0, &ab);
        int k = cn_clip(&p.b, p.pose_b, &p.a, p.pose_a, 0.01f, NULL, 0, &ba);
        check((n > 0) == (k > 0) && (n > 0) == cn_overlap(&p.a, p.pose_a, &p.b, p.pose_b).overlap,
              "a common part without an overlap, or the reverse", i);
        check(fabs((double)(ab.mass - ba.mass)) <= 1e-6 * (double)ab.mass + 1e-14, "area", i);
        check(fabs((double)(ab.inertia - ba.inertia)) <= 2e-6 * (double)ab.inertia + 1e-14,
              "inertia", i);
    }
}

// Rounds to a multiple of 1/512, which is a float also 10 km away.
static float round_off(float x) { return (float)floor((double)x * 512) / 512; }

static void the_common_part_is_the_same_ten_kilometres_away(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 3000; i++) {
        hull_pair near = random_pair(&source), far;
        vec2s *a = &near.pose_a.position, *b = &near.pose_b.position;
        *a = cn_vec(round_off(a->x), round_off(a->y));
        *b = cn_vec(round_off(b->x), round_off(b->y));
        far = near;
        far.pose_a.position = cn_vec(a->x + 10240, a->y - 10240);
        far.pose_b.position = cn_vec(b->x + 10240, b->y - 10240);
        vec2s p[99], q[99];
        cn_mass m, n;
        int count = cn_clip(&near.a, near.pose_a, &near.b, near.pose_b, 0.01f, p, 99, &m);
        check(cn_clip(&far.a, far.pose_a, &far.b, far.pose_b, 0.01f, q, 99, &n) == count,
              "number of corners", i);
        check(m.mass == n.mass && m.inertia == n.inertia, "area", i);
        for (int k = 0; k < count; k++) {
            check(fabs((double)q[k].x - 10240 - (double)p[k].x) < 6e-4, "x", i);
            check(fabs((double)q[k].y + 10240 - (double)p[k].y) < 6e-4, "y", i);
        }
    }
}

// ---- closed forms

static cn_pose at(float x, float y) { return cn_pose_at(cn_vec(x, y), 0); }

static double lens_area(double r, double s, double d) {
    double p = (d * d + r * r - s * s) / (2 * d), q = d - p;
    return r * r * acos(p / r) - p * sqrt(r * r - p * p) + s * s * acos(q / s) -
           q * sqrt(s * s - q * q);
}

static void the_common_part_of_two_circles_is_a_lens(void **state) {
    (void)state;
    cn_hull a = cn_circle(2), b = cn_circle(1.5f);
    for (int i = 0; i < 100; i++) {
        float d = 0.51f + 0.0298f * (float)i, turn = (float)i;
        cn_rotation q = cn_rotation_of(turn);
        cn_pose pose_b = {cn_vec(3 + d * q.c, 4 + d * q.s), q};
        double distance = hypot((double)pose_b.position.x - 3, (double)pose_b.position.y - 4);
        cn_mass m;
        int count = cn_clip(&a, at(3, 4), &b, pose_b, 1, NULL, 0, &m);
        assert_true(count >= 3);
        double expected = lens_area(2, 1.5, distance);
        assert_near((double)m.mass, expected, 2e-7 * expected);
    }
    cn_mass thin; // nearly all digits cancel: area = 4/3 h sqrt(r h), h half the depth
    cn_hull unit = cn_circle(1);
    float h = 1.0f / (1 << 20);
    cn_clip(&unit, at(0, 0), &unit, at(2 - 2 * h, 0), 1, NULL, 0, &thin);
    double exact = 4 * sqrt(2.0) / 3 * 2 * (double)h * sqrt((double)h) * (1 - 0.15 * (double)h);
    assert_near((double)thin.mass / exact, 1, 1e-6);
}

static void the_common_part_of_boxes_is_a_box(void **state) {
    (void)state;
    cn_hull a = cn_box(2, 1);
    vec2s p[9];
    cn_mass m;
    assert_int_equal(cn_clip(&a, at(0, 0), &a, at(3, 1.5f), 1, p, 9, &m), 4);
    assert_near((double)m.mass, 0.5, 1e-7);
    assert_near((double)m.inertia, 0.5 * (1 + 0.25) / 12, 1e-7);
    assert_near((double)m.center.x, 1.5, 1e-6);
    assert_near((double)m.center.y, 0.75, 1e-6);
    bool seen[4] = {false};
    for (int i = 0; i < 4; i++) {
        assert_near(fabs((double)p[i].x - 1.5), 0.5, 1e-6);
        assert_near(fabs((double)p[i].y - 0.75), 0.25, 1e-6);
        seen[2 * (p[i].x > 1.5f) + (p[i].y > 0.75f)] = true;
    }
    assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
}

static void a_hull_inside_another_is_their_common_part(void **state) {
    (void)state;
    random_source source = {SEED};
    cn_hull large = cn_rounded_box(20, 20, 1);
    for (int i = 0; i < 500; i++) {
        cn_hull hull = random_hull(&source, (hull_kind)(i % KIND_COUNT), false);
        cn_pose pose = cn_pose_at(cn_vec(random_between(&source, -5, 5), 3), (float)i);
        cn_hull moved = cn_hull_at(&hull, pose);
        cn_mass m, n, whole = cn_hull_mass(&moved, 1);
        int count = cn_clip(&hull, pose, &large, at(0, 0), 1e6f, NULL, 0, &m);
        check(count == cn_clip(&large, at(0, 0), &hull, pose, 1e6f, NULL, 0, &n), "count", i);
        check(hull.radius > 0 || count == hull.count, "number of corners", i);
        check(hull.count != 2 || hull.radius == 0 || count == 6, "corners of a capsule", i);
        double scale = 1e-6 * (double)whole.mass + 3e-6;
        check(fabs((double)(m.mass - whole.mass)) <= 2 * scale, "area of a", i);
        check(fabs((double)(n.mass - whole.mass)) <= 2 * scale, "area of b", i);
        check(fabs((double)(m.inertia - whole.inertia)) <= 4e-6 * (double)whole.inertia + 1e-5, "I",
              i);
        check(glms_vec2_distance(m.center, whole.center) < 3e-6f, "centre", i);
    }
}

static void a_circle_within_has_chords_of_the_tolerance(void **state) {
    (void)state;
    cn_hull circle = cn_circle(1), box = cn_box(3, 3);
    for (float tolerance = 4; tolerance > 1e-5f; tolerance /= 3) {
        vec2s p[2200];
        int count = cn_clip(&circle, at(1, 1), &box, at(0, 0), tolerance, p, 2200, NULL);
        assert_true(count >= 4 && count <= 2200);
        double sagitta = 1 - cos(pi / count), coarser = 1 - cos(pi / (count - 1));
        assert_true(sagitta <= (double)tolerance * (1 + 1e-5));
        assert_true(count == 4 || coarser > (double)tolerance);
        for (int i = 0; i < count; i++) {
            vec2s q = p[(i + 1) % count];
            assert_near(hypot((double)p[i].x - 1, (double)p[i].y - 1), 1, 2e-7);
            assert_near((double)glms_vec2_distance(p[i], q), 2 * sin(pi / count), 1e-6);
        }
    }
    assert_int_equal(cn_clip(&circle, at(1, 1), &box, at(0, 0), 1e-30f, NULL, 0, NULL), 2048);
}

static void the_common_part_of_identical_hulls_is_the_hull(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 500; i++) {
        cn_hull hull = random_hull(&source, (hull_kind)(i % KIND_COUNT), false);
        cn_pose pose = cn_pose_at(cn_vec(random_between(&source, -5, 5), 3), (float)i);
        cn_mass m, whole = cn_hull_mass(&hull, 1);
        int count = cn_clip(&hull, pose, &hull, pose, 1e6f, NULL, 0, &m);
        check(hull.radius > 0 || count == hull.count, "number of corners", i);
        check(fabs((double)(m.mass - whole.mass)) <= 2e-6 * (double)whole.mass, "area", i);
        check(cn_outline_crossings(&hull, pose, &hull, pose, NULL, 0) == 0, "crossings", i);
    }
}

// ---- without an area

static void assert_flat(const cn_hull *a, cn_pose pa, const cn_hull *b, cn_pose pb, int count,
                        vec2s first, vec2s last) {
    vec2s p[9];
    cn_mass m = {.mass = 7};
    assert_int_equal(cn_clip(a, pa, b, pb, 0.1f, p, 9, &m), count);
    assert_true(m.mass == 0 && m.inertia == 0);
    vec2s end = p[count - 1];
    float straight = glms_vec2_distance(p[0], first) + glms_vec2_distance(end, last);
    float reverse = glms_vec2_distance(p[0], last) + glms_vec2_distance(end, first);
    assert_true(fminf(straight, reverse) < 1e-6f);
    vec2s middle = glms_vec2_scale(glms_vec2_add(first, last), 0.5f);
    assert_true(glms_vec2_distance(m.center, middle) < 1e-6f);
}

static void touches_and_segments_give_one_or_two_points(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), circle = cn_circle(1), s = cn_segment(cn_vec(-2, 0), cn_vec(2, 0));
    cn_pose o = at(0, 0), up = {{{0, 0}}, {0, 1}};
    assert_flat(&box, o, &box, at(2, 1), 2, cn_vec(1, 0), cn_vec(1, 1));
    assert_flat(&box, o, &box, at(-1, 2), 2, cn_vec(-1, 1), cn_vec(0, 1));
    assert_flat(&box, o, &box, at(2, 2), 1, cn_vec(1, 1), cn_vec(1, 1));
    assert_flat(&circle, o, &circle, at(2, 0), 1, cn_vec(1, 0), cn_vec(1, 0));
    assert_flat(&circle, o, &box, at(0, -2), 1, cn_vec(0, -1), cn_vec(0, -1));
    assert_flat(&circle, at(-3, -4), &(cn_hull){.count = 1, .radius = 4}, o, 1,
                cn_vec(-2.4f, -3.2f), cn_vec(-2.4f, -3.2f));
    assert_flat(&s, o, &box, o, 2, cn_vec(-1, 0), cn_vec(1, 0));
    assert_flat(&box, o, &s, up, 2, cn_vec(0, -1), cn_vec(0, 1));
    assert_flat(&s, o, &circle, at(2, 0.5f), 2, cn_vec(2, 0), cn_vec(2 - (float)sqrt(0.75), 0));
    assert_flat(&s, o, &s, up, 1, cn_vec(0, 0), cn_vec(0, 0));
    assert_flat(&s, o, &s, at(3, 0), 2, cn_vec(1, 0), cn_vec(2, 0));
    assert_flat(&s, o, &s, at(4, 0), 1, cn_vec(2, 0), cn_vec(2, 0));
    assert_flat(&s, at(0, 1), &box, o, 2, cn_vec(-1, 1), cn_vec(1, 1));
    assert_flat(&s, at(3, 1), &box, o, 1, cn_vec(1, 1), cn_vec(1, 1));
}

// A segment stands on a face as exactly as floats allow, at any angle.
static void a_segment_at_right_angles_to_a_face_keeps_its_length_inside(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), s = cn_segment(cn_vec(0, 0.5f), cn_vec(0, 3));
    for (int i = 0; i < 500; i++) {
        cn_pose pose = cn_pose_at(cn_vec(5, 7), 0.013f * (float)i);
        vec2s p[2];
        assert_int_equal(cn_clip(&box, pose, &s, pose, 0.1f, p, 2, NULL), 2);
        assert_near((double)glms_vec2_distance(p[0], p[1]), 0.5, 2e-6);
    }
}

static void hulls_apart_have_no_common_part(void **state) {
    (void)state;
    cn_hull a = cn_rounded_box(1, 1, 0.5f);
    cn_mass m = {.mass = 7, .inertia = 7};
    vec2s p = {{7, 7}};
    assert_int_equal(cn_clip(&a, at(0, 0), &a, at(3.001f, 0), 0.1f, &p, 1, &m), 0);
    assert_true(m.mass == 0 && m.inertia == 0 && m.center.x == 0 && p.x == 7);
    assert_int_equal(cn_outline_crossings(&a, at(0, 0), &a, at(3.001f, 0), &p, 1), 0);
    cn_mtv none = cn_overlap(&a, at(0, 0), &a, at(3.001f, 0));
    assert_true(!none.overlap && none.translation.x == 0 && none.translation.y == 0);
}

static void no_more_points_than_the_capacity_are_written(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 300; i++) {
        hull_pair p = random_pair(&source);
        vec2s all[300], some[300];
        int count = cn_clip(&p.a, p.pose_a, &p.b, p.pose_b, 0.001f, all, 300, NULL);
        int room = random_below(&source, count + 1);
        memset(some, 77, sizeof some);
        check(cn_clip(&p.a, p.pose_a, &p.b, p.pose_b, 0.001f, some, room, NULL) == count, "n", i);
        assert_memory_equal(all, some, (size_t)room * sizeof *all);
        vec2s untouched;
        memset(&untouched, 77, sizeof untouched);
        assert_memory_equal(&some[room], &untouched, sizeof untouched);
    }
}

// ---- overlap

static void the_translation_of_an_overlap_ends_it_and_no_shorter_one_does(void **state) {
    (void)state;
    random_source source = {SEED};
    int deep = 0;
    for (int i = 0; i < 5000; i++) {
        hull_pair p = random_pair(&source);
        cn_mtv mtv = cn_overlap(&p.a, p.pose_a, &p.b, p.pose_b);
        cn_gap gap = cn_distance(&p.a, p.pose_a, &p.b, p.pose_b);
        double depth = (double)glms_vec2_norm(mtv.translation);
        check(mtv.overlap ? gap.distance < 1e-6f : gap.distance > -1e-6f, "overlap", i);
        check(fabs(depth - fmax(0, -(double)gap.distance)) < 1e-6, "length", i);
        if (depth < 1e-4) continue;
        deep++;
        cn_pose moved = p.pose_b;
        moved.position = glms_vec2_add(moved.position, mtv.translation);
        double left = (double)cn_distance(&p.a, p.pose_a, &p.b, moved).distance;
        check(fabs(left) < 3e-6, "the move does not end in a touch", i);
        for (int k = 0; k < 16; k++) { // no other way out is shorter
            cn_pose other = p.pose_b;
            cn_rotation q = cn_rotation_of(0.39f * (float)k);
            float way = (float)depth * 0.99f;
            other.position = glms_vec2_add(other.position, cn_vec(q.c * way, q.s * way));
            check(cn_overlap(&p.a, p.pose_a, &p.b, other).overlap, "a shorter way out", i);
        }
    }
    assert_true(deep > 1500);
}

static void hulls_with_a_common_centre_have_a_way_out(void **state) {
    (void)state;
    cn_hull circle = cn_circle(1), s = cn_segment(cn_vec(-2, 0), cn_vec(2, 0)), box = cn_box(2, 1);
    cn_pose o = at(5, 5), up = {{{5, 5}}, {0, 1}};
    cn_mtv m = cn_overlap(&circle, o, &circle, o);
    assert_true(m.overlap && glms_vec2_norm(m.translation) == 2);
    m = cn_overlap(&s, o, &circle, o);
    assert_true(m.overlap && m.translation.x == 0 && fabsf(m.translation.y) == 1);
    m = cn_overlap(&s, o, &s, up);
    assert_true(m.overlap && glms_vec2_norm(m.translation) == 2);
    m = cn_overlap(&s, o, &s, o);
    assert_true(m.overlap && glms_vec2_norm(m.translation) == 0);
    m = cn_overlap(&box, o, &box, at(8.5f, 5.5f));
    assert_true(m.overlap && m.translation.x == 0.5f && m.translation.y == 0);
    cn_hull round = cn_rounded_box(2, 1, 0.5f); // the cores touch
    m = cn_overlap(&round, o, &round, at(9, 5.5f));
    assert_true(m.overlap && m.translation.x == 1 && m.translation.y == 0);
    m = cn_overlap(&box, o, &box, at(9, 7));
    assert_true(m.overlap && m.translation.x == 0 && m.translation.y == 0);
}

// ---- crossings

// Counts the changes of sign of the height over the other hull, along a very fine polygon.
static int count_sign_changes(const hull_pair *pair, place *changes, double *closest) {
    place zero = {0, 0};
    static polygon coarse;
    coarse = trace(&pair->a, pair->pose_a, zero, false);
    int count = 0;
    double last = height_over(&pair->b, pair->pose_b, coarse.p[0]), before = last;
    *closest = INFINITY; // the least height of a local extreme: a touch, or nearly
    for (int i = 0; i < coarse.count; i++) {
        place a = coarse.p[i], b = coarse.p[(i + 1) % coarse.count];
        int steps = 1 + (int)(hypot(b.x - a.x, b.y - a.y) / 0.002);
        for (int k = 1; k <= steps; k++) {
            double t = (double)k / steps;
            place p = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
            double height = height_over(&pair->b, pair->pose_b, p);
            if ((height < 0) != (last < 0) && count < 64) changes[count++] = p;
            if ((last - before) * (height - last) <= 0) *closest = fmin(*closest, fabs(last));
            before = last, last = height;
        }
    }
    return count;
}

static void outlines_cross_where_one_enters_or_leaves_the_other(void **state) {
    (void)state;
    random_source source = {SEED};
    int compared = 0;
    for (int i = 0; i < 1500; i++) {
        hull_pair pair = random_pair(&source);
        if (is_segment(&pair.a) || is_segment(&pair.b)) continue;
        place changes[64];
        double closest;
        int expected = count_sign_changes(&pair, changes, &closest);
        if (closest < 1e-3 || expected > 60) continue; // they touch, or nearly, or coincide
        compared++;
        vec2s p[64];
        int count = cn_outline_crossings(&pair.a, pair.pose_a, &pair.b, pair.pose_b, p, 64);
        check(count == expected, "number", i);
        int start = 0; // both go around, from different points
        for (int k = 1; k < count; k++)
            if (hypot((double)p[k].x - changes[0].x, (double)p[k].y - changes[0].y) <
                hypot((double)p[start].x - changes[0].x, (double)p[start].y - changes[0].y))
                start = k;
        for (int k = 0; k < count; k++) {
            vec2s q = p[(start + k) % count];
            check(hypot((double)q.x - changes[k].x, (double)q.y - changes[k].y) < 0.01, "place", i);
        }
    }
    assert_true(compared > 400);
}

static void crossings_lie_on_both_outlines_and_are_those_of_the_swapped_pair(void **state) {
    (void)state;
    random_source source = {SEED};
    int found = 0;
    for (int i = 0; i < 10000; i++) {
        hull_pair p = random_pair(&source);
        vec2s ab[64], ba[64];
        int n = cn_outline_crossings(&p.a, p.pose_a, &p.b, p.pose_b, ab, 64);
        int k = cn_outline_crossings(&p.b, p.pose_b, &p.a, p.pose_a, ba, 64);
        check(n == k && n <= 64, "number", i);
        found += n;
        for (int j = 0; j < n; j++) {
            place q = {ab[j].x, ab[j].y};
            check(fabs(height_over(&p.a, p.pose_a, q)) < 2e-6, "not on A", i);
            check(fabs(height_over(&p.b, p.pose_b, q)) < 2e-6, "not on B", i);
            float nearest = INFINITY;
            for (int m = 0; m < n; m++) nearest = fminf(nearest, glms_vec2_distance(ab[j], ba[m]));
            check(nearest < 2e-6f, "not a crossing of B and A", i);
        }
    }
    assert_true(found > 10000);
}

static void assert_points(const char *what, const vec2s *p, int count, const vec2s *expected,
                          int expected_count) {
    bool same = count == expected_count;
    for (int i = 0; i < count && same; i++) same = glms_vec2_distance(p[i], expected[i]) < 1e-6f;
    if (same) return;
    print_error("%s: %d points:", what, count);
    for (int i = 0; i < count; i++) print_error(" (%g, %g)", p[i].x, p[i].y);
    print_error("\n");
    fail();
}

#define CROSSES(a, pose_a, b, pose_b, n, ...)                                                      \
    do {                                                                                           \
        cn_hull a_ = (a), b_ = (b);                                                                \
        vec2s p_[16], expected_[] = {__VA_ARGS__};                                                 \
        int count_ = cn_outline_crossings(&a_, pose_a, &b_, pose_b, p_, 16);                       \
        assert_points(#a " and " #b, p_, count_, expected_, n);                                    \
    } while (0)

static void known_outlines_cross_at_the_known_points(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), circle = cn_circle(1), s = cn_segment(cn_vec(-2, 0), cn_vec(2, 0));
    cn_hull round = cn_rounded_box(1, 1, 0.5f);
    cn_pose o = at(0, 0), up = {{{0, 0}}, {0, 1}};
    CROSSES(box, o, box, at(1, 1), 2, {{1, 0}}, {{0, 1}});
    CROSSES(box, o, box, at(2, 1), 2, {{1, 0}}, {{1, 1}}); // along an edge
    CROSSES(box, o, box, at(1, 0), 4, {{0, -1}}, {{1, -1}}, {{1, 1}}, {{0, 1}});
    CROSSES(box, o, box, at(2, 2), 1, {{1, 1}});
    CROSSES(box, o, box, up, 0, {{0, 0}}); // identical
    CROSSES(round, o, round, at(1, 0), 4, {{0, -1.5f}}, {{1, -1.5f}}, {{1, 1.5f}}, {{0, 1.5f}});
    CROSSES(circle, o, circle, at(2, 0), 1, {{1, 0}});
    CROSSES(circle, o, cn_circle(0.5f), at(0.5f, 0), 1, {{1, 0}}); // from inside
    CROSSES(circle, o, cn_circle(0.5f), at(0.25f, 0), 0, {{0, 0}});
    CROSSES(circle, o, box, o, 4, {{0, -1}}, {{1, 0}}, {{0, 1}}, {{-1, 0}});
    CROSSES(box, o, circle, o, 4, {{0, -1}}, {{1, 0}}, {{0, 1}}, {{-1, 0}});
    CROSSES(s, o, box, o, 2, {{-1, 0}}, {{1, 0}});
    CROSSES(box, o, s, o, 2, {{1, 0}}, {{-1, 0}});
    CROSSES(s, o, s, up, 1, {{0, 0}});
    CROSSES(s, o, s, at(3, 0), 2, {{1, 0}}, {{2, 0}});
    CROSSES(s, o, s, at(4, 0), 1, {{2, 0}});
    CROSSES(s, o, s, o, 0, {{0, 0}});
    CROSSES(s, at(0, 1), box, o, 2, {{-1, 1}}, {{1, 1}});
    CROSSES(s, o, circle, o, 2, {{-1, 0}}, {{1, 0}});
    CROSSES(s, at(2.5f, 0), box, o, 1, {{1, 0}}); // its end is inside
}

#undef CROSSES

static cn_bounds box_of(float x0, float y0, float x1, float y1) {
    return (cn_bounds){cn_vec(x0, y0), cn_vec(x1, y1)};
}

#define BOXES_CROSS(a, b, n, ...)                                                                  \
    do {                                                                                           \
        vec2s p_[16], expected_[] = {__VA_ARGS__};                                                 \
        int count_ = cn_bounds_crossings(a, b, p_, 16);                                            \
        assert_points(#a " and " #b, p_, count_, expected_, n);                                    \
    } while (0)

static void boxes_cross_as_their_outlines_do(void **state) {
    (void)state;
    cn_bounds unit = box_of(0, 0, 1, 1);
    BOXES_CROSS(unit, box_of(0.5f, 0.5f, 2, 2), 2, {{1, 0.5f}}, {{0.5f, 1}});
    BOXES_CROSS(unit, box_of(-1, 0.25f, 2, 0.75f), 4, {{1, 0.25f}}, {{1, 0.75f}}, {{0, 0.75f}},
                {{0, 0.25f}});
    BOXES_CROSS(unit, unit, 0, {{0, 0}});
    BOXES_CROSS(unit, box_of(0.25f, 0.25f, 0.5f, 0.5f), 0, {{0, 0}});
    BOXES_CROSS(unit, box_of(2, 2, 3, 3), 0, {{0, 0}});
    BOXES_CROSS(unit, box_of(1, 1, 3, 3), 1, {{1, 1}});
    BOXES_CROSS(unit, box_of(1, 0.25f, 3, 3), 2, {{1, 0.25f}}, {{1, 1}});
    BOXES_CROSS(unit, box_of(0, 0, 0.5f, 0.5f), 2, {{0.5f, 0}}, {{0, 0.5f}});
    BOXES_CROSS(unit, box_of(0.5f, -1, 0.5f, 2), 2, {{0.5f, 0}}, {{0.5f, 1}}); // flat
    BOXES_CROSS(unit, box_of(0.5f, 0, 0.5f, 0), 1, {{0.5f, 0}});               // a point
    BOXES_CROSS(unit, box_of(0.5f, 0.5f, 0.5f, 0.5f), 0, {{0, 0}});
    BOXES_CROSS(box_of(-1e6f, 0, 1e6f, 1), box_of(0, -1e6f, 1, 1e6f), 4, {{0, 0}}, {{1, 0}},
                {{1, 1}}, {{0, 1}});
}

#undef BOXES_CROSS

// ---- slices

static double area_of(const cn_hull *hulls, int count) {
    double area = 0;
    for (int i = 0; i < count; i++) area += (double)cn_hull_mass(&hulls[i], 1).mass;
    return area;
}

// All of the part is on the side given by `sign`, and it is a valid hull.
static void check_slice(const cn_hull *part, vec2s point, vec2s unit, double sign, int trial) {
    check(cn_hull_mass(part, 1).mass > 0 && part->count >= 3 && part->count <= 8, "hull", trial);
    for (int k = 0; k < part->count; k++) {
        cn_vec2d v = cn_between(point, part->vertices[k]);
        check(sign * cn_dot2d(v, cn_widen(unit)) > -1e-6, "on the wrong side", trial);
    }
}

static void the_parts_of_a_slice_are_the_hull_and_keep_to_their_sides(void **state) {
    (void)state;
    random_source source = {SEED};
    int cut = 0;
    for (int i = 0; i < 3000; i++) {
        cn_hull hull = random_hull(&source, (hull_kind)random_below(&source, KIND_COUNT), i % 2);
        if (is_segment(&hull)) continue;
        float tolerance = random_between(&source, 1e-4f, 0.02f);
        vec2s point = cn_vec(random_between(&source, -1, 1), random_between(&source, -1, 1));
        cn_rotation q = cn_rotation_of(random_between(&source, -3, 3));
        vec2s unit = cn_vec(q.c, q.s);
        float length = random_between(&source, 0.1f, 9);
        cn_hull parts[64];
        int front, count = cn_slice(&hull, point, glms_vec2_scale(unit, length), tolerance, parts,
                                    64, &front);
        check(count >= 1 && count <= 64 && front >= 0 && front <= count, "number", i);
        double area = area_of(&hull, 1), sum = area_of(parts, count);
        double outline = length_of_points(hull.vertices, hull.count) + 6.3 * (double)hull.radius;
        check(sum <= area * (1 + 3e-6) + 1e-6, "area too large", i);
        check(sum >= area - ((double)tolerance + 2e-4) * outline, "area too small", i);
        if (count == 1) continue;
        cut++;
        for (int k = 0; k < count; k++) check_slice(&parts[k], point, unit, k < front ? 1 : -1, i);
    }
    assert_true(cut > 1000);
}

// Points inside the hull lie in one tile of their part, or on an edge that two tiles share.
static void the_tiles_of_a_part_leave_no_gap_and_do_not_overlap(void **state) {
    (void)state;
    random_source source = {SEED};
    cn_hull hull = cn_rounded_box(1, 0.5f, 0.75f), parts[200];
    int front, count = cn_slice(&hull, cn_vec(0.25f, 0), cn_vec(1, 2), 1e-5f, parts, 200, &front);
    assert_true(count > 20 && count <= 200 && front > 10 && count - front > 10);
    for (int i = 0; i < 20000; i++) {
        vec2s p = cn_vec(random_between(&source, -2, 2), random_between(&source, -2, 2));
        place q = {p.x, p.y};
        if (height_over(&hull, at(0, 0), q) > -2e-5) continue;
        int inside = 0, near = 0;
        for (int k = 0; k < count; k++) {
            double height = height_over(&parts[k], at(0, 0), q);
            inside += height < -1e-6;
            near += height < 1e-6;
        }
        check(inside <= 1 && near >= 1, "a gap or an overlap", i);
    }
    double area = area_of(&hull, 1);
    assert_near(area_of(parts, count), area, 1e-5 * area);
}

static void a_line_that_misses_gives_the_hull_back(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 500; i++) {
        cn_hull hull = random_hull(&source, (hull_kind)(i % KIND_COUNT), false), parts[2];
        vec2s direction = cn_vec(random_between(&source, -1, 1), random_between(&source, -1, 1));
        vec2s support = cn_hull_support(&hull, direction);
        vec2s beyond = glms_vec2_add(support, glms_vec2_scale(direction, 0.01f));
        int front = 7;
        check(cn_slice(&hull, beyond, direction, 0.1f, parts, 2, &front) == 1, "number", i);
        check(front == 0, "in front", i);
        assert_memory_equal(&parts[0], &hull, sizeof hull);
        vec2s back = glms_vec2_negate(direction);
        check(cn_slice(&hull, beyond, back, 0.1f, parts, 2, &front) == 1 && front == 1, "back", i);
        assert_memory_equal(&parts[0], &hull, sizeof hull);
    }
    cn_hull box = cn_box(1, 1), part;
    int front;
    assert_int_equal(cn_slice(&box, cn_vec(1, 5), cn_vec(1, 0), 0.1f, &part, 1, &front), 1);
    assert_int_equal(front, 0); // it touches
    assert_memory_equal(&part, &box, sizeof box);
}

static void known_hulls_are_cut_into_the_known_parts(void **state) {
    (void)state;
    cn_hull box = cn_box(2, 1), parts[2], left = {0};
    int front;
    assert_int_equal(cn_slice(&box, cn_vec(1, 9), cn_vec(3, 0), 0.1f, parts, 2, &front), 2);
    assert_true(front == 1 && parts[0].count == 4 && parts[1].count == 4);
    assert_near((double)cn_hull_mass(&parts[0], 1).mass, 2, 1e-6);
    assert_near((double)cn_hull_mass(&parts[1], 1).mass, 6, 1e-6);
    assert_int_equal(cn_slice(&box, cn_vec(0, 0), cn_vec(1, -2), 0.1f, parts, 2, NULL), 2);
    assert_true(parts[0].count == 3 && parts[1].count == 3); // through two corners
    cn_hull s = cn_segment(cn_vec(-2, 0), cn_vec(2, 0));
    assert_int_equal(cn_slice(&s, cn_vec(1, 0), cn_vec(1, 1), 0.1f, parts, 2, &front), 2);
    assert_true(front == 1 && parts[0].count == 2 && parts[1].count == 2);
    assert_true(parts[0].radius == 0 && cn_hull_support(&parts[0], cn_vec(1, 0)).x == 2);
    assert_near((double)cn_hull_support(&parts[0], cn_vec(-1, 0)).x, 1, 1e-6);
    assert_near((double)cn_hull_support(&parts[1], cn_vec(1, 0)).x, 1, 1e-6);
    assert_true(cn_hull_mass(&parts[1], 1).mass == 0 && cn_error_code() == CN_ERROR_NONE);
    // A part thinner than 1/10000 of its length is dropped.
    assert_int_equal(cn_slice(&box, cn_vec(0, 0.9999f), cn_vec(0, 1), 0.1f, &left, 1, &front), 1);
    assert_true(front == 0 && left.count == 4);
    assert_int_equal(cn_slice(&box, cn_vec(0, 0.999f), cn_vec(0, 1), 0.1f, NULL, 0, &front), 2);
}

static void slices_far_from_the_origin_of_the_hull_are_hulls_still(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 500; i++) {
        static cn_hull parts[800];
        cn_hull near = cn_rounded_box(3, 2, random_between(&source, 0.1f, 1));
        float x = random_between(&source, -2000, 2000);
        cn_hull hull = cn_hull_at(&near, cn_pose_at(cn_vec(x, 2000), 0.1f * (float)i));
        vec2s normal = cn_vec(random_between(&source, -1, 1), random_between(&source, -1, 1));
        int count = cn_slice(&hull, cn_vec(x, 2000), normal, 1e-6f, parts, 800, NULL);
        check(count >= 2 && count <= 800, "number", i);
        for (int k = 0; k < count; k++) check(cn_hull_mass(&parts[k], 1).mass > 0, cn_error(), i);
        check(fabs(area_of(parts, count) - area_of(&hull, 1)) < 0.05, "area", i);
    }
}

// ---- poses

static void poses_multiply_as_their_points_do(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 1000; i++) {
        vec2s p = cn_vec(random_between(&source, -5, 5), random_between(&source, -5, 5));
        vec2s u = cn_vec(random_between(&source, -5, 5), random_between(&source, -5, 5));
        cn_pose a = cn_pose_at(u, random_between(&source, -9, 9));
        cn_pose b = cn_pose_at(cn_vec(u.y, p.x), random_between(&source, -9, 9));
        vec2s once = cn_pose_point(cn_pose_multiply(a, b), p);
        vec2s twice = cn_pose_point(a, cn_pose_point(b, p));
        check(glms_vec2_distance(once, twice) < 1e-5f, "product", i);
        cn_pose back = cn_pose_inverse(a), none = cn_pose_multiply(a, back);
        check(glms_vec2_distance(cn_pose_point(back, p), cn_pose_local_point(a, p)) < 1e-5f,
              "inverse", i);
        check(glms_vec2_norm(none.position) < 1e-5f && fabsf(none.rotation.s) < 1e-6f, "none", i);
    }
    cn_pose turn = cn_pose_at(cn_vec(0, 0), 0.1f), all = turn;
    for (int i = 0; i < 100000; i++) all = cn_pose_multiply(turn, all);
    assert_near((double)(all.rotation.c * all.rotation.c + all.rotation.s * all.rotation.s), 1,
                1e-6);
}

// ---- mistakes

static void bad_hulls_poses_and_numbers_are_refused(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), none = {0};
    cn_pose o = at(0, 0), bad = {.position = {{NAN, 0}}, .rotation = {1, 0}}, zero = {0};
    cn_mass m = {.mass = 7};
    vec2s p = {{7, 7}};
    REFUSES(CN_ERROR_HANDLE, cn_overlap(NULL, o, &box, o));
    REFUSES(CN_ERROR_SHAPE, cn_overlap(&box, o, &none, o));
    REFUSES(CN_ERROR_NUMBER, cn_overlap(&box, bad, &box, o));
    REFUSES(CN_ERROR_RANGE, cn_overlap(&box, o, &box, zero));
    REFUSES(CN_ERROR_HANDLE, cn_clip(&box, o, NULL, o, 0.1f, &p, 1, &m));
    REFUSES(CN_ERROR_SHAPE, cn_clip(&none, o, &box, o, 0.1f, &p, 1, &m));
    REFUSES(CN_ERROR_NUMBER, cn_clip(&box, o, &box, bad, 0.1f, &p, 1, &m));
    REFUSES(CN_ERROR_RANGE, cn_clip(&box, o, &box, o, 0, &p, 1, &m));
    REFUSES(CN_ERROR_RANGE, cn_clip(&box, o, &box, o, -1, &p, 1, &m));
    REFUSES(CN_ERROR_NUMBER, cn_clip(&box, o, &box, o, INFINITY, &p, 1, &m));
    REFUSES(CN_ERROR_RANGE, cn_clip(&box, o, &box, o, 0.1f, &p, -1, &m));
    REFUSES(CN_ERROR_HANDLE, cn_clip(&box, o, &box, o, 0.1f, NULL, 1, &m));
    REFUSES(CN_ERROR_HANDLE, cn_outline_crossings(&box, o, NULL, o, &p, 1));
    REFUSES(CN_ERROR_RANGE, cn_outline_crossings(&box, zero, &box, o, &p, 1));
    REFUSES(CN_ERROR_RANGE, cn_outline_crossings(&box, o, &box, o, &p, -1));
    REFUSES(CN_ERROR_HANDLE, cn_outline_crossings(&box, o, &box, o, NULL, 2));
    cn_bounds unit = box_of(0, 0, 1, 1);
    REFUSES(CN_ERROR_RANGE, cn_bounds_crossings(unit, box_of(1, 0, 0, 1), &p, 1));
    REFUSES(CN_ERROR_NUMBER, cn_bounds_crossings(box_of(NAN, 0, 0, 1), unit, &p, 1));
    REFUSES(CN_ERROR_RANGE, cn_bounds_crossings(unit, unit, &p, -1));
    REFUSES(CN_ERROR_HANDLE, cn_bounds_crossings(unit, unit, NULL, 1));
    assert_true(m.mass == 7 && p.x == 7 && p.y == 7);
}

static void bad_slices_and_poses_are_refused(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), none = {0}, part = {.count = 7};
    vec2s o = {{0, 0}}, n = {{1, 0}}, bad = {{0, NAN}};
    cn_pose pose = at(0, 0), zero = {0}, far = at(1e18f, 1e18f);
    int front = 7;
    REFUSES(CN_ERROR_HANDLE, cn_slice(NULL, o, n, 0.1f, &part, 1, &front));
    REFUSES(CN_ERROR_SHAPE, cn_slice(&none, o, n, 0.1f, &part, 1, &front));
    REFUSES(CN_ERROR_NUMBER, cn_slice(&box, bad, n, 0.1f, &part, 1, &front));
    REFUSES(CN_ERROR_NUMBER, cn_slice(&box, o, bad, 0.1f, &part, 1, &front));
    REFUSES(CN_ERROR_RANGE, cn_slice(&box, o, o, 0.1f, &part, 1, &front));
    REFUSES(CN_ERROR_RANGE, cn_slice(&box, o, n, 0, &part, 1, &front));
    REFUSES(CN_ERROR_NUMBER, cn_slice(&box, o, n, NAN, &part, 1, &front));
    REFUSES(CN_ERROR_RANGE, cn_slice(&box, o, n, 0.1f, &part, -1, &front));
    REFUSES(CN_ERROR_HANDLE, cn_slice(&box, o, n, 0.1f, NULL, 1, &front));
    assert_true(part.count == 7 && front == 7);
    REFUSES(CN_ERROR_RANGE, cn_pose_multiply(zero, pose));
    REFUSES(CN_ERROR_RANGE, cn_pose_multiply(pose, zero));
    REFUSES(CN_ERROR_RANGE, cn_pose_multiply(far, far));
    REFUSES(CN_ERROR_RANGE, cn_pose_inverse(zero));
    REFUSES(CN_ERROR_NUMBER, cn_pose_inverse((cn_pose){.position = bad, .rotation = {1, 0}}));
}

// ---- extremes

static void sizes_of_any_order_go_together(void **state) {
    (void)state;
    cn_hull huge = cn_box(1e9f, 1e9f), tiny = cn_circle(1e-4f), least = cn_circle(1e-30f);
    cn_mass m;
    assert_true(cn_clip(&huge, at(0, 0), &huge, at(1e9f, 0), 1, NULL, 0, &m) == 4);
    assert_near((double)m.mass / 2e18, 1, 1e-6);
    cn_hull ground = cn_box(1000, 1);
    assert_true(cn_clip(&ground, at(0, -1), &tiny, at(900, 0), 1e-6f, NULL, 0, &m) > 4);
    assert_near((double)m.mass / (pi / 2 * 1e-8), 1, 1e-6);
    assert_true(cn_clip(&least, at(0, 0), &least, at(0, 0), 1, NULL, 0, &m) == 4);
    cn_hull sliver = cn_box(1000, 1e-3f);
    cn_clip(&sliver, at(0, 0), &sliver, cn_pose_at(cn_vec(0, 0), 1e-3f), 1, NULL, 0, &m);
    double s = (double)cn_rotation_of(1e-3f).s; // the common part of two strips is a rhomb
    assert_near((double)m.mass / (4e-6 / s), 1, 2e-5);
    assert_int_equal(
        cn_outline_crossings(&sliver, at(0, 0), &sliver, cn_pose_at(cn_vec(0, 0), 1e-3f), NULL, 0),
        4);
}

static void the_common_part_of_a_small_box_and_a_planet_is_a_small_box(void **state) {
    (void)state;
    cn_hull planet = cn_circle(1e6f), box = cn_box(0.5f, 0.5f);
    cn_mass m;
    assert_true(cn_clip(&planet, at(0, -1e6f), &box, at(0, 0), 0.1f, NULL, 0, &m) >= 4);
    assert_near((double)m.mass, 0.5, 1e-6);
    assert_near((double)m.inertia, 0.5 * (1 + 0.25) / 12, 1e-6);
    assert_near((double)m.center.y, -0.25, 1e-6);
}

static void corners_that_nearly_coincide_are_written_once(void **state) {
    (void)state;
    float thin = 1e-10f;
    vec2s left[] = {{{-2, -1}}, {{thin, -1}}, {{thin, 1}}, {{-2, 1}}};
    vec2s right[] = {{{0, -1}}, {{2, -1}}, {{2, 1}}, {{0, 1}}};
    cn_hull a = cn_polygon(left, 4, 0), b = cn_polygon(right, 4, 0);
    cn_mass m;
    assert_int_equal(cn_clip(&a, at(0, 0), &b, at(0, 0), 0.1f, NULL, 0, &m), 2);
    assert_near((double)m.mass / (2 * (double)thin), 1, 1e-5);
}

static int forget_errors(void **state) {
    (void)state;
    cn_fail(CN_ERROR_NONE, "%s", "");
    return 0;
}

// Where the line meets the arc at its extreme no part gets lost.
static void slices_of_a_circle_fill_it(void **state) {
    (void)state;
    cn_hull circle = cn_circle(1), hulls[600];
    for (int trial = 0; trial < 4000; trial++) {
        float d = 0.70710678f + 1e-7f * (float)(trial - 2000);
        cn_rotation q = cn_rotation_of(0.001571f * (float)trial);
        vec2s n = {{q.c, q.s}}, at = {{d * q.c, d * q.s}};
        int count = cn_slice(&circle, at, n, 0.01f, hulls, 600, NULL);
        check(count <= 600, "too many parts", trial);
        double area = 0;
        for (int i = 0; i < count; i++) area += (double)cn_hull_mass(&hulls[i], 1).mass;
        check(area < pi && area > pi - 0.06, "a part is lost", trial); // chords cost 0.04
    }
}

static void a_hull_whose_parts_are_too_thin_is_not_cut(void **state) {
    (void)state;
    cn_hull thin = cn_capsule((vec2s){{0, 0}}, (vec2s){{10, 0}}, 0.001f), hulls[8];
    int in_front = -1;
    int count = cn_slice(&thin, (vec2s){{5, 0}}, (vec2s){{0, 1}}, 1e-4f, hulls, 8, &in_front);
    assert_int_equal(count, 1);
    assert_true(hulls[0].count == 2 && hulls[0].radius == thin.radius);
    assert_in_range(in_front, 0, 1);
}

#define TEST(name) cmocka_unit_test_setup(name, forget_errors)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(slices_of_a_circle_fill_it),
        TEST(a_hull_whose_parts_are_too_thin_is_not_cut),
        TEST(the_common_part_of_any_pair_is_that_of_an_independent_clipper),
        TEST(corners_lie_in_both_hulls_and_miss_no_more_than_the_tolerance),
        TEST(the_corners_pass_the_true_outline_within_the_tolerance),
        TEST(the_common_part_of_any_two_sizes_is_the_same_both_ways),
        TEST(the_common_part_is_that_of_the_swapped_pair),
        TEST(the_common_part_is_the_same_ten_kilometres_away),
        TEST(the_common_part_of_two_circles_is_a_lens),
        TEST(the_common_part_of_boxes_is_a_box),
        TEST(a_hull_inside_another_is_their_common_part),
        TEST(a_circle_within_has_chords_of_the_tolerance),
        TEST(the_common_part_of_identical_hulls_is_the_hull),
        TEST(touches_and_segments_give_one_or_two_points),
        TEST(a_segment_at_right_angles_to_a_face_keeps_its_length_inside),
        TEST(hulls_apart_have_no_common_part),
        TEST(no_more_points_than_the_capacity_are_written),
        TEST(the_translation_of_an_overlap_ends_it_and_no_shorter_one_does),
        TEST(hulls_with_a_common_centre_have_a_way_out),
        TEST(outlines_cross_where_one_enters_or_leaves_the_other),
        TEST(crossings_lie_on_both_outlines_and_are_those_of_the_swapped_pair),
        TEST(known_outlines_cross_at_the_known_points),
        TEST(boxes_cross_as_their_outlines_do),
        TEST(the_parts_of_a_slice_are_the_hull_and_keep_to_their_sides),
        TEST(the_tiles_of_a_part_leave_no_gap_and_do_not_overlap),
        TEST(a_line_that_misses_gives_the_hull_back),
        TEST(known_hulls_are_cut_into_the_known_parts),
        TEST(slices_far_from_the_origin_of_the_hull_are_hulls_still),
        TEST(poses_multiply_as_their_points_do),
        TEST(bad_hulls_poses_and_numbers_are_refused),
        TEST(bad_slices_and_poses_are_refused),
        TEST(sizes_of_any_order_go_together),
        TEST(the_common_part_of_a_small_box_and_a_planet_is_a_small_box),
        TEST(corners_that_nearly_coincide_are_written_once),
    };
    return cmocka_run_group_tests_name("clip", tests, NULL, NULL);
}
