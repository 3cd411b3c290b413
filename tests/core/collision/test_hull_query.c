/* Queries of single hulls: mass, support points, intervals, boxes, points and rays, against closed
 * formulas and brute force. */
#include "random_hulls.h"

static vec2s random_direction(void) {
    cn_rotation q = cn_rotation_of(random_between(-3, 3));
    return cn_vec(q.c, q.s);
}

// ---- mass

static void the_mass_of_simple_hulls_is_the_textbook_one(void **state) {
    (void)state;
    cn_hull circle = cn_circle(2), box = cn_box(1.5f, 0.5f);
    cn_mass_data m = cn_hull_mass_data(circle, 3);
    assert_near((double)m.mass, 12 * pi, 1e-5);
    assert_near((double)m.inertia, 12 * pi * 4 / 2, 1e-4);
    m = cn_hull_mass_data(box, 2);
    assert_true(m.mass == 6 && m.center.x == 0 && m.center.y == 0);
    assert_near((double)m.inertia, 6.0 * (9 + 1) / 12, 1e-6);
    cn_hull capsule = cn_capsule(cn_vec(1, 1), cn_vec(1, 4), 0.5f);
    m = cn_hull_mass_data(capsule, 1);
    double rod = 3, caps = pi / 4, d = 1.5, r = 0.5,
           lever = 4 * r / (3 * pi); // the centroid of a half disc
    double cap_inertia = caps * (r * r / 2 - lever * lever) + caps * (d + lever) * (d + lever);
    assert_near((double)m.mass, rod + caps, 1e-6);
    assert_near((double)m.inertia, rod * (9 + 1) / 12 + cap_inertia, 1e-5);
    assert_near((double)m.center.x, 1, 1e-6);
    assert_near((double)m.center.y, 2.5, 1e-6);
}

static void a_segment_has_a_centre_and_no_mass(void **state) {
    (void)state;
    cn_hull segment = cn_segment(cn_vec(1, 2), cn_vec(3, 6));
    cn_mass_data m = cn_hull_mass_data(segment, 5);
    assert_true(m.mass == 0 && m.inertia == 0 && m.center.x == 2 && m.center.y == 4);
    cn_hull box = cn_hull_at((cn_hull[]){cn_box(1, 1)}[0], cn_pose_at(cn_vec(3, 0), 0));
    m = cn_hull_mass_data(box, 0);
    assert_true(m.mass == 0 && m.inertia == 0 && m.center.x == 3);
}

static void the_mass_of_any_hull_is_that_of_its_outline(void **state) {
    (void)state;
    for (int i = 0; i < 400; i++) {
        cn_hull hull = random_hull();
        if (hull.count == 2 && hull.radius == 0) continue;
        trace_outline(&hull);
        cn_mass_data m = cn_hull_mass_data(hull, 1), expected = outline_mass();
        assert_near((double)m.mass, (double)expected.mass, 3e-6 * (double)expected.mass);
        assert_near((double)m.inertia, (double)expected.inertia, 5e-6 * (double)expected.inertia);
        assert_near((double)m.center.x, (double)expected.center.x, 3e-6);
        assert_near((double)m.center.y, (double)expected.center.y, 3e-6);
    }
}

static void area_grows_with_the_radius_by_steiners_formula(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++) {
        cn_hull hull = random_polygon(0);
        double area = (double)cn_hull_mass_data(hull, 1).mass, length = 0, r = 0.75;
        for (int k = 0; k < hull.count; k++)
            length +=
                (double)glms_vec2_distance(hull.vertices[k], hull.vertices[(k + 1) % hull.count]);
        hull.radius = (float)r;
        assert_near((double)cn_hull_mass_data(hull, 1).mass, area + length * r + pi * r * r, 5e-6);
    }
}

static void mass_far_from_the_origin_keeps_its_inertia(void **state) {
    (void)state;
    cn_hull box = cn_rounded_box(0.5f, 0.25f, 0.125f);
    cn_mass_data near = cn_hull_mass_data(box, 1);
    cn_hull moved = cn_hull_at(box, cn_pose_at(cn_vec(4096, -8192), 0));
    cn_mass_data far = cn_hull_mass_data(moved, 1);
    assert_near((double)far.inertia, (double)near.inertia, 1e-6 * (double)near.inertia);
    assert_true(far.center.x == 4096 && far.center.y == -8192);
}

static void masses_out_of_range_are_refused(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), huge = cn_box(1e9f, 1e9f), none = {0};
    float densities[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        assert_true(cn_hull_mass_data(box, densities[i]).mass == 0);
        assert_refused(i == 0 ? CN_ERROR_RANGE : CN_ERROR_NUMBER);
    }
    assert_true(cn_hull_mass_data(huge, 1e6f).mass == 0);
    assert_refused(CN_ERROR_RANGE);
    assert_true(cn_hull_mass_data(none, 1).mass == 0);
    assert_refused(CN_ERROR_SHAPE);
}

// ---- support points, intervals, boxes, points

// Returns the interval that the outline covers on an axis.
static point outline_interval(vec2s axis) {
    point interval = {1e30, -1e30};
    for (int i = 0; i < outline_count; i++) {
        double at = outline[i].x * (double)axis.x + outline[i].y * (double)axis.y;
        interval.x = fmin(interval.x, at), interval.y = fmax(interval.y, at);
    }
    return interval;
}

static void support_and_interval_are_those_of_the_outline(void **state) {
    (void)state;
    for (int i = 0; i < 300; i++) {
        cn_hull hull = random_hull();
        trace_outline(&hull);
        for (int k = 0; k < 5; k++) {
            vec2s axis = random_direction();
            point expected = outline_interval(axis);
            vec2s interval = cn_hull_project(hull, cn_pose_at(cn_vec(0, 0), 0), axis);
            assert_near((double)interval.x, expected.x, 3e-6);
            assert_near((double)interval.y, expected.y, 3e-6);
            vec2s farthest =
                cn_hull_support(hull, glms_vec2_scale(axis, random_between(1e-30f, 1e30f)));
            assert_near((double)glms_vec2_dot(axis, farthest), expected.y, 3e-6);
        }
    }
}

static void placing_and_projecting_commute(void **state) {
    (void)state;
    for (int i = 0; i < 3000; i++) {
        cn_hull hull = random_hull();
        cn_pose pose = random_pose(10), still = cn_pose_at(cn_vec(0, 0), 0);
        cn_hull moved = cn_hull_at(hull, pose);
        vec2s axis = random_direction();
        vec2s a = cn_hull_project(hull, pose, axis), b = cn_hull_project(moved, still, axis);
        assert_true(a.x == b.x && a.y == b.y);
        cn_bounds box = cn_hull_bounds(hull, pose), same = cn_hull_bounds(moved, still);
        assert_memory_equal(&box, &same, sizeof box);
        for (int k = 0; k < 4; k++) {
            vec2s d = cn_vec(k == 0 ? 1 : k == 1 ? -1 : 0, k == 2 ? 1 : k == 3 ? -1 : 0);
            vec2s p = cn_hull_support(moved, d);
            float side = k == 0   ? box.upper.x
                         : k == 1 ? box.lower.x
                         : k == 2 ? box.upper.y
                                  : box.lower.y;
            assert_near((double)(k < 2 ? p.x : p.y), (double)side, 2e-6);
        }
    }
}

static void a_direction_of_no_length_supports_a_vertex(void **state) {
    (void)state;
    cn_hull box = cn_rounded_box(1, 2, 3);
    vec2s p = cn_hull_support(box, cn_vec(0, 0));
    assert_true(p.x == -1 && p.y == -2);
}

static void a_point_is_contained_iff_it_is_inside_the_outline(void **state) {
    (void)state;
    for (int i = 0; i < 60; i++) {
        cn_hull hull = random_hull();
        if (hull.count == 2 && hull.radius == 0) continue;
        trace_outline(&hull);
        for (int k = 0; k < 40; k++) {
            vec2s p = random_point(3);
            double distance = outline_distance(p);
            if (fabs(distance) < 2e-6) continue;
            assert_int_equal(cn_hull_contains(hull, p), distance < 0);
        }
    }
}

static void the_edge_of_a_hull_counts_as_inside(void **state) {
    (void)state;
    cn_hull box = cn_box(0.3f, 0.7f), circle = cn_circle(0.1f);
    cn_hull segment = cn_segment(cn_vec(-1, -2), cn_vec(1, 2));
    assert_true(cn_hull_contains(box, cn_vec(0.3f, 0.1f)));
    assert_false(cn_hull_contains(box, cn_vec(nextafterf(0.3f, 1), 0.1f)));
    assert_true(cn_hull_contains(circle, cn_vec(0, -0.1f)));
    assert_false(cn_hull_contains(circle, cn_vec(0, nextafterf(-0.1f, -1))));
    assert_true(cn_hull_contains(segment, cn_vec(0.25f, 0.5f)));
    assert_false(cn_hull_contains(segment, cn_vec(0.25f, 0.500001f)));
    assert_false(cn_hull_contains(segment, cn_vec(1.5f, 3)));
    for (int i = 0; i < 2000; i++) {
        cn_hull hull = random_hull();
        for (int k = 0; k < hull.count; k++) assert_true(cn_hull_contains(hull, hull.vertices[k]));
    }
}

static void queries_of_bad_hulls_and_numbers_are_refused(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), none = {0};
    cn_pose pose = cn_pose_at(cn_vec(0, 0), 0), bad = {.rotation = {2, 0}};
    vec2s axis = {{1, 0}}, nan = {{NAN, 0}};
    assert_true(cn_hull_bounds(none, pose).upper.x == 0), assert_refused(CN_ERROR_SHAPE);
    assert_true(cn_hull_support(none, axis).x == 0), assert_refused(CN_ERROR_SHAPE);
    assert_true(cn_hull_project(none, pose, axis).y == 0), assert_refused(CN_ERROR_SHAPE);
    assert_false(cn_hull_contains(none, axis)), assert_refused(CN_ERROR_SHAPE);
    assert_false(cn_hull_cast_ray(none, axis, axis).hit), assert_refused(CN_ERROR_SHAPE);
    assert_true(cn_hull_bounds(box, bad).upper.x == 0), assert_refused(CN_ERROR_RANGE);
    assert_true(cn_hull_project(box, bad, axis).y == 0), assert_refused(CN_ERROR_RANGE);
    assert_true(cn_hull_project(box, pose, cn_vec(2, 0)).y == 0), assert_refused(CN_ERROR_RANGE);
    assert_true(cn_hull_project(box, pose, nan).y == 0), assert_refused(CN_ERROR_NUMBER);
    assert_true(cn_hull_support(box, nan).x == 0), assert_refused(CN_ERROR_NUMBER);
    assert_false(cn_hull_contains(box, nan)), assert_refused(CN_ERROR_NUMBER);
    assert_false(cn_hull_cast_ray(box, nan, axis).hit), assert_refused(CN_ERROR_NUMBER);
    assert_false(cn_hull_cast_ray(box, axis, nan).hit), assert_refused(CN_ERROR_NUMBER);
}

// ---- rays

static vec2s along(vec2s origin, vec2s translation, float t) {
    return glms_vec2_add(origin, glms_vec2_scale(translation, t));
}

// Returns the first fraction at which a sample of the ray is inside, or 2 if there is none.
static float sample_ray(const cn_hull *hull, vec2s origin, vec2s d, int samples) {
    for (int i = 0; i <= samples; i++) {
        float t = (float)i / (float)samples;
        if (cn_hull_contains(*hull, along(origin, d, t))) return t;
    }
    return 2;
}

static void a_ray_enters_where_dense_samples_enter(void **state) {
    (void)state;
    int hits = 0, misses = 0;
    for (int i = 0; i < 3000; i++) {
        cn_hull hull = random_hull();
        vec2s origin = random_point(5), d = glms_vec2_sub(random_point(3), origin);
        cn_ray_hit hit = cn_hull_cast_ray(hull, origin, d);
        float t = sample_ray(&hull, origin, d, 500);
        if (t <= 1) assert_true(hit.hit && hit.fraction <= t + 1e-6f); // no sample inside is missed
        if (hit.hit && t <= 1) assert_true(hit.fraction >= t - 1.0f / 500 - 1e-6f);
        hits += hit.hit, misses += !hit.hit;
    }
    assert_true(hits > 500 && misses > 500);
}

static void a_hit_lies_on_the_outline_with_its_outward_normal(void **state) {
    (void)state;
    for (int i = 0; i < 400; i++) {
        cn_hull hull = random_hull();
        vec2s origin = random_point(8),
              d = glms_vec2_scale(glms_vec2_sub(random_point(1), origin), 2);
        cn_ray_hit hit = cn_hull_cast_ray(hull, origin, d);
        if (!hit.hit || hit.fraction == 0) continue;
        trace_outline(&hull);
        if (hull.count > 2 || hull.radius > 0) assert_near(outline_distance(hit.point), 0, 4e-6);
        vec2s at = along(origin, d, hit.fraction);
        assert_true(glms_vec2_distance(at, hit.point) < 4e-6f);
        assert_near((double)glms_vec2_norm(hit.normal), 1, 1e-6);
        assert_true(glms_vec2_dot(hit.normal, d) < 0);
        // The tangent through the hit supports the hull: nothing is farther along the normal.
        vec2s top = cn_hull_support(hull, hit.normal);
        assert_near((double)glms_vec2_dot(hit.normal, glms_vec2_sub(top, hit.point)), 0, 1e-5);
    }
}

static void a_ray_from_inside_hits_at_once(void **state) {
    (void)state;
    for (int i = 0; i < 2000; i++) {
        cn_hull hull = random_hull();
        vec2s origin = hull.vertices[0], d = random_point(2);
        if (i % 3 == 0) d = cn_vec(0, 0);
        cn_ray_hit hit = cn_hull_cast_ray(hull, origin, d);
        assert_true(hit.hit && hit.fraction == 0 && hit.normal.x == 0 && hit.normal.y == 0);
        assert_true(hit.point.x == origin.x && hit.point.y == origin.y);
        assert_false(cn_hull_cast_ray(hull, cn_vec(50, 50), cn_vec(0, 0)).hit);
    }
}

static void no_ray_slips_between_two_edges(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        cn_hull hull = random_hull();
        if (hull.count < 3) continue;
        vec2s middle = cn_hull_mass_data(hull, 1).center, v = hull.vertices[i % hull.count];
        vec2s out = glms_vec2_normalize(glms_vec2_sub(v, middle));
        vec2s origin = glms_vec2_add(v, glms_vec2_scale(out, 8));
        cn_ray_hit hit = cn_hull_cast_ray(hull, origin, glms_vec2_sub(middle, origin));
        assert_true(hit.hit && hit.fraction > 0);
    }
}

static void rays_meet_a_segment_from_both_sides_and_end_on(void **state) {
    (void)state;
    cn_hull segment = cn_segment(cn_vec(-1, 0), cn_vec(1, 0));
    cn_ray_hit hit = cn_hull_cast_ray(segment, cn_vec(0.5f, 2), cn_vec(0, -4));
    assert_true(hit.hit && hit.fraction == 0.5f && hit.normal.y == 1);
    hit = cn_hull_cast_ray(segment, cn_vec(0.5f, -2), cn_vec(0, 4));
    assert_true(hit.hit && hit.fraction == 0.5f && hit.normal.y == -1);
    hit = cn_hull_cast_ray(segment, cn_vec(-3, 0), cn_vec(4, 0));
    assert_true(hit.hit && hit.fraction == 0.5f && hit.normal.x == -1);
    assert_false(cn_hull_cast_ray(segment, cn_vec(1.001f, 2), cn_vec(0, -4)).hit);
    assert_false(cn_hull_cast_ray(segment, cn_vec(0, 2), cn_vec(0, -1.99f)).hit);
}

static void rays_meet_a_circle_where_pythagoras_says(void **state) {
    (void)state;
    cn_hull circle = cn_circle(5);
    for (int i = -49; i < 50; i++) {
        float y = (float)i / 10;
        cn_ray_hit hit = cn_hull_cast_ray(circle, cn_vec(-100, y), cn_vec(200, 0));
        double x = -sqrt(25 - (double)y * (double)y);
        assert_true(hit.hit);
        assert_near((double)hit.point.x, x, 1e-6);
        assert_near((double)hit.normal.x, x / 5, 1e-6);
        assert_near((double)hit.normal.y, (double)y / 5, 1e-6);
    }
    assert_false(cn_hull_cast_ray(circle, cn_vec(-100, 5.001f), cn_vec(200, 0)).hit);
    assert_false(cn_hull_cast_ray(circle, cn_vec(-100, 0), cn_vec(-200, 0)).hit);
}

static void a_ray_cast_again_from_its_hit_hits_at_once(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        cn_hull hull = random_hull();
        vec2s origin = random_point(8),
              d = glms_vec2_sub(cn_hull_support(hull, cn_vec(0, 0)), origin);
        cn_ray_hit hit = cn_hull_cast_ray(hull, origin, d);
        if (!hit.hit || hit.fraction > 0.999f || (hull.count == 2 && hull.radius == 0)) continue;
        if (glms_vec2_dot(hit.normal, glms_vec2_normalize(d)) > -0.01f) continue; // grazing
        cn_ray_hit again = cn_hull_cast_ray(hull, hit.point, d);
        assert_true(again.hit && again.fraction < 1e-3f);
    }
}

// ---- bad hulls

// A star turns left at every corner, but it goes around twice.
static void a_star_that_crosses_itself_is_not_a_hull(void **state) {
    (void)state;
    cn_hull star = {.count = 5};
    for (int i = 0; i < 5; i++) {
        cn_rotation q = cn_rotation_of(4 * 3.14159265f / 5 * (float)i);
        cn_rotation n = cn_rotation_of(4 * 3.14159265f / 5 * ((float)i + 0.5f));
        star.vertices[i] = (vec2s){{q.c, q.s}}, star.normals[i] = (vec2s){{n.c, n.s}};
    }
    cn_mass_data mass = cn_hull_mass_data(star, 1);
    assert_true(mass.mass == 0 && cn_error_code() == CN_ERROR_SHAPE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_star_that_crosses_itself_is_not_a_hull),
        TEST(the_mass_of_simple_hulls_is_the_textbook_one),
        TEST(a_segment_has_a_centre_and_no_mass),
        TEST(the_mass_of_any_hull_is_that_of_its_outline),
        TEST(area_grows_with_the_radius_by_steiners_formula),
        TEST(mass_far_from_the_origin_keeps_its_inertia),
        TEST(masses_out_of_range_are_refused),
        TEST(support_and_interval_are_those_of_the_outline),
        TEST(placing_and_projecting_commute),
        TEST(a_direction_of_no_length_supports_a_vertex),
        TEST(a_point_is_contained_iff_it_is_inside_the_outline),
        TEST(the_edge_of_a_hull_counts_as_inside),
        TEST(queries_of_bad_hulls_and_numbers_are_refused),
        TEST(a_ray_enters_where_dense_samples_enter),
        TEST(a_hit_lies_on_the_outline_with_its_outward_normal),
        TEST(a_ray_from_inside_hits_at_once),
        TEST(no_ray_slips_between_two_edges),
        TEST(rays_meet_a_segment_from_both_sides_and_end_on),
        TEST(rays_meet_a_circle_where_pythagoras_says),
        TEST(a_ray_cast_again_from_its_hit_hits_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
