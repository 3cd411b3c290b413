/* cn_hull_slice(): hulls that a line cuts into parts. */
#include "../../support/clip_oracle.h"

static double area_of(const cn_hull *hulls, int count) {
    double area = 0;
    for (int i = 0; i < count; i++) area += (double)cn_hull_mass_data(hulls[i], 1).mass;
    return area;
}

// Checks that the part is a valid hull and that all of it is on the side given by `sign`.
static void check_slice(const cn_hull *part, vec2s point, vec2s unit, double sign, int trial) {
    check(cn_hull_mass_data(*part, 1).mass > 0 && part->count >= 3 && part->count <= 8, "hull",
          trial);
    for (int k = 0; k < part->count; k++) {
        cn_vec2d v = cn_between(point, part->vertices[k]);
        check(sign * cn_dot2d(v, cn_widen(unit)) > -1e-6, "on the wrong side", trial);
    }
}

static void the_parts_of_a_slice_add_up_to_the_hull_and_stay_on_their_sides(void **state) {
    (void)state;
    random_source source = {SEED};
    int cut = 0;
    for (int i = 0; i < 3000; i++) {
        cn_hull hull = random_hull(&source, (hull_kind)random_below(&source, CLASS_COUNT), i % 2);
        if (is_segment(&hull)) continue;
        float tolerance = random_between(&source, 1e-4f, 0.02f);
        vec2s point = cn_vec(random_between(&source, -1, 1), random_between(&source, -1, 1));
        cn_rotation q = cn_rotation_of(random_between(&source, -3, 3));
        vec2s unit = cn_vec(q.c, q.s);
        float length = random_between(&source, 0.1f, 9);
        cn_hull parts[64];
        int front, count = cn_hull_slice(hull, point, glms_vec2_scale(unit, length), tolerance,
                                         parts, 64, &front);
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

// Each point inside the hull lies in exactly one tile, or on an edge that two tiles share.
static void the_tiles_of_a_part_leave_no_gap_and_do_not_overlap(void **state) {
    (void)state;
    random_source source = {SEED};
    cn_hull hull = cn_rounded_box(1, 0.5f, 0.75f), parts[200];
    int front,
        count = cn_hull_slice(hull, cn_vec(0.25f, 0), cn_vec(1, 2), 1e-5f, parts, 200, &front);
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

static void a_line_that_misses_the_hull_leaves_it_unchanged(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 500; i++) {
        cn_hull hull = random_hull(&source, (hull_kind)(i % CLASS_COUNT), false), parts[2];
        vec2s direction = cn_vec(random_between(&source, -1, 1), random_between(&source, -1, 1));
        vec2s support = cn_hull_support(hull, direction);
        vec2s beyond = glms_vec2_add(support, glms_vec2_scale(direction, 0.01f));
        int front = 7;
        check(cn_hull_slice(hull, beyond, direction, 0.1f, parts, 2, &front) == 1, "number", i);
        check(front == 0, "in front", i);
        assert_memory_equal(&parts[0], &hull, sizeof hull);
        vec2s back = glms_vec2_negate(direction);
        check(cn_hull_slice(hull, beyond, back, 0.1f, parts, 2, &front) == 1 && front == 1, "back",
              i);
        assert_memory_equal(&parts[0], &hull, sizeof hull);
    }
    cn_hull box = cn_box(1, 1), part;
    int front;
    assert_int_equal(cn_hull_slice(box, cn_vec(1, 5), cn_vec(1, 0), 0.1f, &part, 1, &front), 1);
    assert_int_equal(front, 0); // the box touches the line from behind
    assert_memory_equal(&part, &box, sizeof box);
}

static void known_hulls_are_cut_into_the_known_parts(void **state) {
    (void)state;
    cn_hull box = cn_box(2, 1), parts[2], left = {0};
    int front;
    assert_int_equal(cn_hull_slice(box, cn_vec(1, 9), cn_vec(3, 0), 0.1f, parts, 2, &front), 2);
    assert_true(front == 1 && parts[0].count == 4 && parts[1].count == 4);
    assert_near((double)cn_hull_mass_data(parts[0], 1).mass, 2, 1e-6);
    assert_near((double)cn_hull_mass_data(parts[1], 1).mass, 6, 1e-6);
    assert_int_equal(cn_hull_slice(box, cn_vec(0, 0), cn_vec(1, -2), 0.1f, parts, 2, NULL), 2);
    assert_true(parts[0].count == 3 && parts[1].count == 3); // through two corners
    cn_hull s = cn_segment(cn_vec(-2, 0), cn_vec(2, 0));
    assert_int_equal(cn_hull_slice(s, cn_vec(1, 0), cn_vec(1, 1), 0.1f, parts, 2, &front), 2);
    assert_true(front == 1 && parts[0].count == 2 && parts[1].count == 2);
    assert_true(parts[0].radius == 0 && cn_hull_support(parts[0], cn_vec(1, 0)).x == 2);
    assert_near((double)cn_hull_support(parts[0], cn_vec(-1, 0)).x, 1, 1e-6);
    assert_near((double)cn_hull_support(parts[1], cn_vec(1, 0)).x, 1, 1e-6);
    assert_true(cn_hull_mass_data(parts[1], 1).mass == 0 && cn_error_code() == CN_ERROR_NONE);
    // A part thinner than 1/10000 of its length is dropped.
    assert_int_equal(cn_hull_slice(box, cn_vec(0, 0.9999f), cn_vec(0, 1), 0.1f, &left, 1, &front),
                     1);
    assert_true(front == 0 && left.count == 4);
    assert_int_equal(cn_hull_slice(box, cn_vec(0, 0.999f), cn_vec(0, 1), 0.1f, NULL, 0, &front), 2);
}

static void slices_far_from_the_origin_of_the_hull_are_valid_hulls(void **state) {
    (void)state;
    random_source source = {SEED};
    for (int i = 0; i < 500; i++) {
        static cn_hull parts[800];
        cn_hull near = cn_rounded_box(3, 2, random_between(&source, 0.1f, 1));
        float x = random_between(&source, -2000, 2000);
        cn_hull hull = cn_hull_at(near, cn_pose_at(cn_vec(x, 2000), 0.1f * (float)i));
        vec2s normal = cn_vec(random_between(&source, -1, 1), random_between(&source, -1, 1));
        int count = cn_hull_slice(hull, cn_vec(x, 2000), normal, 1e-6f, parts, 800, NULL);
        check(count >= 2 && count <= 800, "number", i);
        for (int k = 0; k < count; k++)
            check(cn_hull_mass_data(parts[k], 1).mass > 0, cn_error(), i);
        check(fabs(area_of(parts, count) - area_of(&hull, 1)) < 0.05, "area", i);
    }
}

// ---- mistakes

static void bad_slices_are_refused(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), none = {0}, part = {.count = 7};
    vec2s o = {{0, 0}}, n = {{1, 0}}, bad = {{0, NAN}};
    int front = 7;
    REFUSES(CN_ERROR_SHAPE, cn_hull_slice(none, o, n, 0.1f, &part, 1, &front));
    REFUSES(CN_ERROR_NUMBER, cn_hull_slice(box, bad, n, 0.1f, &part, 1, &front));
    REFUSES(CN_ERROR_NUMBER, cn_hull_slice(box, o, bad, 0.1f, &part, 1, &front));
    REFUSES(CN_ERROR_RANGE, cn_hull_slice(box, o, o, 0.1f, &part, 1, &front));
    REFUSES(CN_ERROR_RANGE, cn_hull_slice(box, o, n, 0, &part, 1, &front));
    REFUSES(CN_ERROR_NUMBER, cn_hull_slice(box, o, n, NAN, &part, 1, &front));
    REFUSES(CN_ERROR_RANGE, cn_hull_slice(box, o, n, 0.1f, &part, -1, &front));
    REFUSES(CN_ERROR_HANDLE, cn_hull_slice(box, o, n, 0.1f, NULL, 1, &front));
    assert_true(part.count == 7 && front == 7);
}

// ---- extremes

// No part is lost if the line cuts off a piece that begins just where an arc begins.
static void slices_of_a_circle_fill_it(void **state) {
    (void)state;
    cn_hull circle = cn_circle(1), hulls[600];
    for (int trial = 0; trial < 4000; trial++) {
        float d = 0.70710678f + 1e-7f * (float)(trial - 2000);
        cn_rotation q = cn_rotation_of(0.001571f * (float)trial);
        vec2s n = {{q.c, q.s}}, at = {{d * q.c, d * q.s}};
        int count = cn_hull_slice(circle, at, n, 0.01f, hulls, 600, NULL);
        check(count <= 600, "too many parts", trial);
        double area = 0;
        for (int i = 0; i < count; i++) area += (double)cn_hull_mass_data(hulls[i], 1).mass;
        check(area < pi && area > pi - 0.06, "a part is lost", trial); // chords cost 0.04
    }
}

static void a_hull_whose_parts_are_too_thin_is_not_cut(void **state) {
    (void)state;
    cn_hull thin = cn_capsule((vec2s){{0, 0}}, (vec2s){{10, 0}}, 0.001f), hulls[8];
    int in_front = -1;
    int count = cn_hull_slice(thin, (vec2s){{5, 0}}, (vec2s){{0, 1}}, 1e-4f, hulls, 8, &in_front);
    assert_int_equal(count, 1);
    assert_true(hulls[0].count == 2 && hulls[0].radius == thin.radius);
    assert_in_range(in_front, 0, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(slices_of_a_circle_fill_it),
        TEST(a_hull_whose_parts_are_too_thin_is_not_cut),
        TEST(the_parts_of_a_slice_add_up_to_the_hull_and_stay_on_their_sides),
        TEST(the_tiles_of_a_part_leave_no_gap_and_do_not_overlap),
        TEST(a_line_that_misses_the_hull_leaves_it_unchanged),
        TEST(known_hulls_are_cut_into_the_known_parts),
        TEST(slices_far_from_the_origin_of_the_hull_are_valid_hulls),
        TEST(bad_slices_are_refused),
    };
    return cmocka_run_group_tests_name("clip", tests, NULL, NULL);
}
