/* cn_hull_clip(): the common part of two hulls, without a world.
 *
 * The oracle is an independent clipper. Both outlines are polygons of many corners in double
 * precision, and one is clipped by each edge of the other (Sutherland and Hodgman 1974). The inner
 * corners of an arc lie outside of the arc by just so much that its sector keeps its area. */
#include "../../support/clip_oracle.h"

typedef struct {
    double area, x, y, inertia;
} area_moments;

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

// ---- the common part

static void the_common_part_of_any_pair_matches_an_independent_clipper(void **state) {
    (void)state;
    random_source source = {SEED};
    int with_area = 0;
    for (int i = 0; i < 3000; i++) {
        hull_pair pair = random_pair(&source);
        place origin = {pair.pose_a.position.x, pair.pose_a.position.y};
        area_moments expected = clip_plainly(&pair, origin);
        cn_mass_data m;
        cn_hull_clip(&pair.a, pair.pose_a, &pair.b, pair.pose_b, 0.01f, NULL, 0, &m);
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
        cn_mass_data m;
        int count =
            cn_hull_clip(&pair.a, pair.pose_a, &pair.b, pair.pose_b, tolerance, points, 2200, &m);
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
            cn_hull_clip(&pair.a, pair.pose_a, &pair.b, pair.pose_b, tolerance, points, 400, NULL);
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
        cn_mass_data ab, ba;
        int n = cn_hull_clip(&p.a, p.pose_a, &p.b, p.pose_b, 0.01f, NULL, 0, &ab);
        int k = cn_hull_clip(&p.b, p.pose_b, &p.a, p.pose_a, 0.01f, NULL, 0, &ba);
        double size = fmin(1, (double)scale), difference = fabs((double)(ab.mass - ba.mass));
        check((n > 0) == (k > 0), "one way only", i);
        check(difference <= 2e-6 * (double)ab.mass + 1e-12 * size * size, "area", i);
    }
}

static void the_common_part_does_not_depend_on_the_order_of_the_hulls(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 5000; i++) {
        hull_pair p = random_pair(&source);
        cn_mass_data ab, ba;
        int n = cn_hull_clip(&p.a, p.pose_a, &p.b, p.pose_b, 0.01f, NULL, 0, &ab);
        int k = cn_hull_clip(&p.b, p.pose_b, &p.a, p.pose_a, 0.01f, NULL, 0, &ba);
        check((n > 0) == (k > 0) && (n > 0) == cn_hull_mtv(&p.a, p.pose_a, &p.b, p.pose_b).overlap,
              "a common part without an overlap, or the reverse", i);
        check(fabs((double)(ab.mass - ba.mass)) <= 1e-6 * (double)ab.mass + 1e-14, "area", i);
        check(fabs((double)(ab.inertia - ba.inertia)) <= 2e-6 * (double)ab.inertia + 1e-14,
              "inertia", i);
    }
}

// Rounds to a multiple of 1/512. Such numbers are exact floats up to 10 km from the origin.
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
        cn_mass_data m, n;
        int count = cn_hull_clip(&near.a, near.pose_a, &near.b, near.pose_b, 0.01f, p, 99, &m);
        check(cn_hull_clip(&far.a, far.pose_a, &far.b, far.pose_b, 0.01f, q, 99, &n) == count,
              "number of corners", i);
        check(m.mass == n.mass && m.inertia == n.inertia, "area", i);
        for (int k = 0; k < count; k++) {
            check(fabs((double)q[k].x - 10240 - (double)p[k].x) < 6e-4, "x", i);
            check(fabs((double)q[k].y + 10240 - (double)p[k].y) < 6e-4, "y", i);
        }
    }
}

// ---- closed forms

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
        cn_mass_data m;
        int count = cn_hull_clip(&a, at(3, 4), &b, pose_b, 1, NULL, 0, &m);
        assert_true(count >= 3);
        double expected = lens_area(2, 1.5, distance);
        assert_near((double)m.mass, expected, 2e-7 * expected);
    }
    // Nearly all digits cancel: the area is 4/3 h sqrt(r h), where h is half the depth.
    cn_mass_data thin;
    cn_hull unit = cn_circle(1);
    float h = 1.0f / (1 << 20);
    cn_hull_clip(&unit, at(0, 0), &unit, at(2 - 2 * h, 0), 1, NULL, 0, &thin);
    double exact = 4 * sqrt(2.0) / 3 * 2 * (double)h * sqrt((double)h) * (1 - 0.15 * (double)h);
    assert_near((double)thin.mass / exact, 1, 1e-6);
}

static void the_common_part_of_boxes_is_a_box(void **state) {
    (void)state;
    cn_hull a = cn_box(2, 1);
    vec2s p[9];
    cn_mass_data m;
    assert_int_equal(cn_hull_clip(&a, at(0, 0), &a, at(3, 1.5f), 1, p, 9, &m), 4);
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
        cn_hull hull = random_hull(&source, (hull_kind)(i % CLASS_COUNT), false);
        cn_pose pose = cn_pose_at(cn_vec(random_between(&source, -5, 5), 3), (float)i);
        cn_hull moved = cn_hull_at(hull, pose);
        cn_mass_data m, n, whole = cn_hull_mass_data(moved, 1);
        int count = cn_hull_clip(&hull, pose, &large, at(0, 0), 1e6f, NULL, 0, &m);
        check(count == cn_hull_clip(&large, at(0, 0), &hull, pose, 1e6f, NULL, 0, &n), "count", i);
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

static void a_circle_inside_a_box_gets_chords_within_the_tolerance(void **state) {
    (void)state;
    cn_hull circle = cn_circle(1), box = cn_box(3, 3);
    for (float tolerance = 4; tolerance > 1e-5f; tolerance /= 3) {
        vec2s p[2200];
        int count = cn_hull_clip(&circle, at(1, 1), &box, at(0, 0), tolerance, p, 2200, NULL);
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
    assert_int_equal(cn_hull_clip(&circle, at(1, 1), &box, at(0, 0), 1e-30f, NULL, 0, NULL), 2048);
}

static void the_common_part_of_identical_hulls_is_the_hull(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 500; i++) {
        cn_hull hull = random_hull(&source, (hull_kind)(i % CLASS_COUNT), false);
        cn_pose pose = cn_pose_at(cn_vec(random_between(&source, -5, 5), 3), (float)i);
        cn_mass_data m, whole = cn_hull_mass_data(hull, 1);
        int count = cn_hull_clip(&hull, pose, &hull, pose, 1e6f, NULL, 0, &m);
        check(hull.radius > 0 || count == hull.count, "number of corners", i);
        check(fabs((double)(m.mass - whole.mass)) <= 2e-6 * (double)whole.mass, "area", i);
        check(cn_hull_crossings(&hull, pose, &hull, pose, NULL, 0) == 0, "crossings", i);
    }
}

// ---- common parts without an area

static void assert_flat(const cn_hull *a, cn_pose pa, const cn_hull *b, cn_pose pb, int count,
                        vec2s first, vec2s last) {
    vec2s p[9];
    cn_mass_data m = {.mass = 7};
    assert_int_equal(cn_hull_clip(a, pa, b, pb, 0.1f, p, 9, &m), count);
    assert_true(m.mass == 0 && m.inertia == 0);
    vec2s end = p[count - 1];
    float straight = glms_vec2_distance(p[0], first) + glms_vec2_distance(end, last);
    float reverse = glms_vec2_distance(p[0], last) + glms_vec2_distance(end, first);
    assert_true(fminf(straight, reverse) < 1e-6f);
    vec2s middle = glms_vec2_scale(glms_vec2_add(first, last), 0.5f);
    assert_true(glms_vec2_distance(m.center, middle) < 1e-6f);
}

static void hulls_that_touch_and_segments_have_one_or_two_common_points(void **state) {
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

// A segment stands on a face at right angles, as exactly as floats allow, at any angle of both.
static void a_segment_at_right_angles_to_a_face_keeps_its_length_inside(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), s = cn_segment(cn_vec(0, 0.5f), cn_vec(0, 3));
    for (int i = 0; i < 500; i++) {
        cn_pose pose = cn_pose_at(cn_vec(5, 7), 0.013f * (float)i);
        vec2s p[2];
        assert_int_equal(cn_hull_clip(&box, pose, &s, pose, 0.1f, p, 2, NULL), 2);
        assert_near((double)glms_vec2_distance(p[0], p[1]), 0.5, 2e-6);
    }
}

static void hulls_apart_have_no_common_part(void **state) {
    (void)state;
    cn_hull a = cn_rounded_box(1, 1, 0.5f);
    cn_mass_data m = {.mass = 7, .inertia = 7};
    vec2s p = {{7, 7}};
    assert_int_equal(cn_hull_clip(&a, at(0, 0), &a, at(3.001f, 0), 0.1f, &p, 1, &m), 0);
    assert_true(m.mass == 0 && m.inertia == 0 && m.center.x == 0 && p.x == 7);
    assert_int_equal(cn_hull_crossings(&a, at(0, 0), &a, at(3.001f, 0), &p, 1), 0);
    cn_mtv none = cn_hull_mtv(&a, at(0, 0), &a, at(3.001f, 0));
    assert_true(!none.overlap && none.translation.x == 0 && none.translation.y == 0);
}

static void no_more_points_than_the_capacity_are_written(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 300; i++) {
        hull_pair p = random_pair(&source);
        vec2s all[300], some[300];
        int count = cn_hull_clip(&p.a, p.pose_a, &p.b, p.pose_b, 0.001f, all, 300, NULL);
        int capacity = random_below(&source, count + 1);
        memset(some, 77, sizeof some);
        check(cn_hull_clip(&p.a, p.pose_a, &p.b, p.pose_b, 0.001f, some, capacity, NULL) == count,
              "n", i);
        assert_memory_equal(all, some, (size_t)capacity * sizeof *all);
        vec2s untouched;
        memset(&untouched, 77, sizeof untouched);
        assert_memory_equal(&some[capacity], &untouched, sizeof untouched);
    }
}

// ---- mistakes

static void bad_hulls_poses_and_numbers_are_refused(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), none = {0};
    cn_pose o = at(0, 0), bad = {.position = {{NAN, 0}}, .rotation = {1, 0}};
    cn_mass_data m = {.mass = 7};
    vec2s p = {{7, 7}};
    REFUSES(CN_ERROR_HANDLE, cn_hull_clip(&box, o, NULL, o, 0.1f, &p, 1, &m));
    REFUSES(CN_ERROR_SHAPE, cn_hull_clip(&none, o, &box, o, 0.1f, &p, 1, &m));
    REFUSES(CN_ERROR_NUMBER, cn_hull_clip(&box, o, &box, bad, 0.1f, &p, 1, &m));
    REFUSES(CN_ERROR_RANGE, cn_hull_clip(&box, o, &box, o, 0, &p, 1, &m));
    REFUSES(CN_ERROR_RANGE, cn_hull_clip(&box, o, &box, o, -1, &p, 1, &m));
    REFUSES(CN_ERROR_NUMBER, cn_hull_clip(&box, o, &box, o, INFINITY, &p, 1, &m));
    REFUSES(CN_ERROR_RANGE, cn_hull_clip(&box, o, &box, o, 0.1f, &p, -1, &m));
    REFUSES(CN_ERROR_HANDLE, cn_hull_clip(&box, o, &box, o, 0.1f, NULL, 1, &m));
    assert_true(m.mass == 7 && p.x == 7 && p.y == 7);
}

// ---- extremes

static void hulls_of_very_different_sizes_can_be_clipped(void **state) {
    (void)state;
    cn_hull huge = cn_box(1e9f, 1e9f), tiny = cn_circle(1e-4f), least = cn_circle(1e-30f);
    cn_mass_data m;
    assert_true(cn_hull_clip(&huge, at(0, 0), &huge, at(1e9f, 0), 1, NULL, 0, &m) == 4);
    assert_near((double)m.mass / 2e18, 1, 1e-6);
    cn_hull ground = cn_box(1000, 1);
    assert_true(cn_hull_clip(&ground, at(0, -1), &tiny, at(900, 0), 1e-6f, NULL, 0, &m) > 4);
    assert_near((double)m.mass / (pi / 2 * 1e-8), 1, 1e-6);
    assert_true(cn_hull_clip(&least, at(0, 0), &least, at(0, 0), 1, NULL, 0, &m) == 4);
    cn_hull sliver = cn_box(1000, 1e-3f);
    cn_hull_clip(&sliver, at(0, 0), &sliver, cn_pose_at(cn_vec(0, 0), 1e-3f), 1, NULL, 0, &m);
    double s = (double)cn_rotation_of(1e-3f).s; // two strips have a rhombus in common
    assert_near((double)m.mass / (4e-6 / s), 1, 2e-5);
    assert_int_equal(
        cn_hull_crossings(&sliver, at(0, 0), &sliver, cn_pose_at(cn_vec(0, 0), 1e-3f), NULL, 0), 4);
}

static void the_common_part_of_a_small_box_and_a_planet_is_a_small_box(void **state) {
    (void)state;
    cn_hull planet = cn_circle(1e6f), box = cn_box(0.5f, 0.5f);
    cn_mass_data m;
    assert_true(cn_hull_clip(&planet, at(0, -1e6f), &box, at(0, 0), 0.1f, NULL, 0, &m) >= 4);
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
    cn_mass_data m;
    assert_int_equal(cn_hull_clip(&a, at(0, 0), &b, at(0, 0), 0.1f, NULL, 0, &m), 2);
    assert_near((double)m.mass / (2 * (double)thin), 1, 1e-5);
}

static void a_pose_without_rotation_is_not_turned(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 2), disc = cn_circle(1);
    cn_pose placed = {.position = {{0.5f, 1}}}, equal = at(0.5, 1);
    vec2s points[2][64], crossings[2][4];
    cn_mass_data exact[2];
    int count = cn_hull_clip(&box, placed, &disc, at(0, 0), 0.01f, points[0], 64, &exact[0]);
    assert_int_equal(cn_hull_clip(&box, equal, &disc, at(0, 0), 0.01f, points[1], 64, &exact[1]),
                     count);
    assert_true(count > 3 && exact[0].mass == exact[1].mass);
    assert_memory_equal(points[0], points[1], (size_t)count * sizeof(vec2s));
    count = cn_hull_crossings(&disc, at(0, 0), &box, placed, crossings[0], 4);
    assert_int_equal(cn_hull_crossings(&disc, at(0, 0), &box, equal, crossings[1], 4), count);
    assert_memory_equal(crossings[0], crossings[1], (size_t)count * sizeof(vec2s));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_common_part_of_any_pair_matches_an_independent_clipper),
        TEST(corners_lie_in_both_hulls_and_miss_no_more_than_the_tolerance),
        TEST(the_corners_pass_the_true_outline_within_the_tolerance),
        TEST(the_common_part_of_any_two_sizes_is_the_same_both_ways),
        TEST(the_common_part_does_not_depend_on_the_order_of_the_hulls),
        TEST(the_common_part_is_the_same_ten_kilometres_away),
        TEST(the_common_part_of_two_circles_is_a_lens),
        TEST(the_common_part_of_boxes_is_a_box),
        TEST(a_hull_inside_another_is_their_common_part),
        TEST(a_circle_inside_a_box_gets_chords_within_the_tolerance),
        TEST(the_common_part_of_identical_hulls_is_the_hull),
        TEST(hulls_that_touch_and_segments_have_one_or_two_common_points),
        TEST(a_segment_at_right_angles_to_a_face_keeps_its_length_inside),
        TEST(hulls_apart_have_no_common_part),
        TEST(no_more_points_than_the_capacity_are_written),
        TEST(a_pose_without_rotation_is_not_turned),
        TEST(bad_hulls_poses_and_numbers_are_refused),
        TEST(hulls_of_very_different_sizes_can_be_clipped),
        TEST(the_common_part_of_a_small_box_and_a_planet_is_a_small_box),
        TEST(corners_that_nearly_coincide_are_written_once),
    };
    return cmocka_run_group_tests_name("clip", tests, NULL, NULL);
}
