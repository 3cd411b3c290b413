/* How hulls are made, checked and moved, and the canonical form in which the engine keeps them. */
#include "random_hulls.h"

static void assert_no_hull(cn_hull hull, cn_error_kind kind) {
    assert_int_equal(hull.count, 0);
    assert_refused(kind);
}

// ---- constructors

static void assert_proper(const cn_hull *hull) {
    assert_true(cn_hull_check(hull));
    for (int i = 0; i < hull->count && hull->count > 1; i++) {
        vec2s n = hull->normals[i], a = hull->vertices[i];
        assert_near((double)glms_vec2_norm(n), 1, 1e-6);
        for (int k = 0; k < hull->count; k++)
            assert_true(glms_vec2_dot(n, glms_vec2_sub(hull->vertices[k], a)) < 1e-5f);
    }
    for (int i = hull->count; i < CN_MAX_VERTICES; i++)
        assert_true(hull->vertices[i].x == 0 && hull->normals[i].y == 0);
}

static void every_constructor_makes_a_proper_hull(void **state) {
    (void)state;
    for (int i = 0; i < 5000; i++) {
        cn_hull hull = random_hull();
        assert_proper(&hull);
    }
}

static void a_box_has_its_corners_counter_clockwise_from_the_lower_left(void **state) {
    (void)state;
    cn_hull box = cn_rounded_box(2, 3, 0.5f);
    float x[] = {-2, 2, 2, -2}, y[] = {-3, -3, 3, 3}, nx[] = {0, 1, 0, -1}, ny[] = {-1, 0, 1, 0};
    assert_int_equal(box.count, 4);
    assert_true(box.radius == 0.5f);
    for (int i = 0; i < 4; i++) {
        assert_true(box.vertices[i].x == x[i] && box.vertices[i].y == y[i]);
        assert_true(box.normals[i].x == nx[i] && box.normals[i].y == ny[i]);
        assert_false(signbit(box.normals[i].x) && box.normals[i].x == 0);
        assert_false(signbit(box.normals[i].y) && box.normals[i].y == 0);
    }
    cn_hull plain = cn_box(2, 3), rounded = cn_rounded_box(2, 3, 0);
    assert_memory_equal(&plain, &rounded, sizeof plain);
}

static void a_regular_hull_lies_on_its_circle(void **state) {
    (void)state;
    for (int n = 3; n <= 8; n++) {
        cn_hull hull = cn_regular_polygon(n, 3);
        assert_int_equal(hull.count, n);
        assert_true(hull.vertices[0].x == 3 && hull.vertices[0].y == 0);
        for (int i = 0; i < n; i++) {
            assert_near((double)hull.vertices[i].x, 3 * cos(2 * pi * i / n), 1e-6);
            assert_near((double)hull.vertices[i].y, 3 * sin(2 * pi * i / n), 1e-6);
        }
    }
    cn_hull square = cn_regular_polygon(4, 1); // quarter turns are exact
    assert_true(square.vertices[1].x == 0 && square.vertices[2].y == 0 &&
                square.vertices[3].y == -1);
}

static void the_corners_of_a_box_make_that_box_among_other_points_in_any_order(void **state) {
    (void)state;
    for (int i = 0; i < 2000; i++) {
        float x = random_between(0.01f, 5), y = random_between(0.01f, 5);
        cn_hull box = cn_box(x, y);
        vec2s points[200];
        for (int k = 0; k < 4; k++) points[k] = box.vertices[k];
        for (int k = 4; k < 200; k++) { // many of them on an edge of the box
            points[k] = cn_vec(random_between(-x, x), random_between(-y, y));
            if (k % 3 == 0) points[k].x = k % 2 ? x : -x;
            if (k % 3 == 1) points[k].y = k % 2 ? y : -y;
        }
        for (uint64_t k = 200; k-- > 1;) {
            uint64_t other = next_random() % (k + 1);
            vec2s swap = points[k];
            points[k] = points[other];
            points[other] = swap;
        }
        cn_hull made = cn_polygon(points, 200, 0);
        assert_memory_equal(&made, &box, sizeof box);
    }
}

static void a_polygon_contains_all_its_points(void **state) {
    (void)state;
    int made = 0;
    for (int i = 0; i < 5000; i++) {
        vec2s points[12];
        int count = 3 + (int)(next_random() % 10);
        for (int k = 0; k < count; k++) points[k] = random_point(1);
        cn_hull hull = cn_polygon(points, count, 0);
        if (!hull.count) continue;
        made++;
        for (int k = 0; k < count; k++)
            for (int e = 0; e < hull.count; e++) {
                vec2s offset = glms_vec2_sub(points[k], hull.vertices[e]);
                assert_true(glms_vec2_dot(hull.normals[e], offset) < 6e-4f);
            }
        for (int k = 0; k < hull.count; k++) { // and its corners are some of the points
            bool found = false;
            for (int p = 0; p < count; p++)
                found |= memcmp(&points[p], &hull.vertices[k], sizeof points[p]) == 0;
            assert_true(found);
        }
    }
    assert_true(made > 4000);
}

static void close_points_are_welded_at_any_scale(void **state) {
    (void)state;
    for (float scale = 1e-30f; scale < 1e9f; scale *= 37) {
        cn_hull box = cn_box(scale, scale);
        vec2s points[40];
        for (int i = 0; i < 40; i++)
            points[i] = glms_vec2_add(box.vertices[i % 4], random_point(2e-5f * scale));
        cn_hull hull = cn_polygon(points, 40, 0);
        assert_int_equal(hull.count, 4);
        for (int i = 0; i < 4; i++) {
            vec2s v = glms_vec2_scale(hull.vertices[i], 1 / scale);
            assert_near(fabs((double)v.x), 1, 3e-5);
            assert_near(fabs((double)v.y), 1, 3e-5);
        }
    }
}

static void the_rounded_hull_of_eight_corners_is_the_largest(void **state) {
    (void)state;
    vec2s points[9];
    for (int i = 0; i < 9; i++) {
        cn_rotation q = cn_rotation_of(2 * CN_PI * (float)i / 9);
        points[i] = cn_vec(q.c, q.s);
    }
    cn_hull hull = cn_polygon(points, 8, 0.25f);
    assert_int_equal(hull.count, 8);
    assert_no_hull(cn_polygon(points, 9, 0.25f), CN_ERROR_SHAPE);
    vec2s many[100];
    for (int i = 0; i < 100; i++) {
        cn_rotation q = cn_rotation_of(2 * CN_PI * (float)i / 100);
        many[i] = cn_vec(q.c, q.s);
    }
    assert_no_hull(cn_polygon(many, 100, 0), CN_ERROR_SHAPE);
}

static void points_that_make_no_polygon_are_refused(void **state) {
    (void)state;
    vec2s good[] = {{{0, 0}}, {{1, 0}}, {{0, 1}}};
    assert_no_hull(cn_polygon(NULL, 3, 0), CN_ERROR_HANDLE);
    assert_no_hull(cn_polygon(good, 2, 0), CN_ERROR_SHAPE);
    assert_no_hull(cn_polygon(good, -1, 0), CN_ERROR_SHAPE);
    assert_no_hull(cn_polygon(good, 3, -1), CN_ERROR_RANGE);
    assert_no_hull(cn_polygon(good, 3, NAN), CN_ERROR_NUMBER);
    assert_no_hull(cn_polygon(good, 3, INFINITY), CN_ERROR_NUMBER);
    assert_no_hull(cn_polygon(good, 3, 1.1e9f), CN_ERROR_RANGE);
    vec2s line[] = {{{0, 0}}, {{1, 1}}, {{3, 3}}, {{2, 2}}},
          sliver[] = {{{0, 0}}, {{9, 0}}, {{5, 5e-4f}}};
    assert_no_hull(cn_polygon(line, 4, 1), CN_ERROR_SHAPE);
    assert_no_hull(cn_polygon(sliver, 3, 1), CN_ERROR_SHAPE);
    vec2s one[] = {{{1, 2}}, {{1, 2}}, {{1, 2}}},
          two[] = {{{1, 2}}, {{1, 2}}, {{2, 2}}, {{2, 2.00001f}}};
    assert_no_hull(cn_polygon(one, 3, 1), CN_ERROR_SHAPE);
    assert_no_hull(cn_polygon(two, 4, 1), CN_ERROR_SHAPE);
    vec2s nan[] = {{{0, 0}}, {{1, 0}}, {{0, NAN}}},
          infinite[] = {{{0, 0}}, {{-INFINITY, 0}}, {{0, 1}}};
    assert_no_hull(cn_polygon(nan, 3, 0), CN_ERROR_NUMBER);
    assert_no_hull(cn_polygon(infinite, 3, 0), CN_ERROR_NUMBER);
    vec2s far[] = {{{0, 0}}, {{2e9f, 0}}, {{0, 1e9f}}};
    assert_no_hull(cn_polygon(far, 3, 0), CN_ERROR_RANGE);
}

static void sizes_out_of_range_are_refused(void **state) {
    (void)state;
    vec2s p = {{1, 2}}, q = {{2, 2}};
    float out[] = {0, -1, 1.1e9f, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        cn_error_kind kind = i < 3 ? CN_ERROR_RANGE : CN_ERROR_NUMBER;
        if (i > 0) assert_no_hull(cn_circle(out[i]), kind);
        assert_no_hull(cn_capsule(p, q, out[i]), kind);
        assert_no_hull(cn_box(out[i], 1), kind);
        assert_no_hull(cn_box(1, out[i]), kind);
        assert_no_hull(cn_rounded_box(out[i], 1, 1), kind);
        assert_no_hull(cn_regular_polygon(5, out[i]), kind);
        if (i > 0) assert_no_hull(cn_rounded_box(1, 1, out[i]), kind);
        if (i > 1) assert_no_hull(cn_segment(p, cn_vec(0, out[i])), kind);
        if (i > 1) assert_no_hull(cn_capsule(cn_vec(out[i], 0), p, 1), kind);
    }
    assert_no_hull(cn_capsule(p, p, 1), CN_ERROR_SHAPE);
    assert_no_hull(cn_segment(q, q), CN_ERROR_SHAPE);
    assert_no_hull(cn_regular_polygon(2, 1), CN_ERROR_RANGE);
    assert_no_hull(cn_regular_polygon(9, 1), CN_ERROR_RANGE);
}

static void extreme_sizes_in_range_are_accepted(void **state) {
    (void)state;
    assert_int_equal(cn_box(1e9f, 1e9f).count, 4);
    assert_int_equal(cn_box(1e9f, 0.01f).count, 4);
    assert_int_equal(cn_box(1e-20f, 1e-18f).count, 4);
    assert_int_equal(cn_circle(1e9f).count, 1);
    assert_int_equal(cn_segment(cn_vec(-1e9f, 0), cn_vec(1e9f, 0.5f)).count, 2);
    assert_int_equal(cn_capsule(cn_vec(0, 0), cn_vec(1e-9f, 0), 1e6f).count, 2);
}

static void a_moved_hull_is_its_vertices_moved(void **state) {
    (void)state;
    for (int i = 0; i < 2000; i++) {
        cn_hull hull = random_hull();
        cn_pose pose = random_pose(100);
        cn_hull moved = cn_hull_at(hull, pose);
        assert_int_equal(moved.count, hull.count);
        assert_true(moved.radius == hull.radius);
        for (int k = 0; k < hull.count; k++) {
            vec2s expected = cn_pose_point(pose, hull.vertices[k]);
            assert_memory_equal(&moved.vertices[k], &expected, sizeof expected);
            vec2s n = cn_rotate(pose.rotation, hull.normals[k]);
            assert_true(glms_vec2_distance(moved.normals[k], n) < 5e-3f);
        }
    }
}

static void a_hull_is_not_moved_by_a_bad_pose_or_beyond_the_world(void **state) {
    (void)state;
    cn_hull box = cn_box(1, 1), none = {0};
    assert_no_hull(cn_hull_at(none, cn_pose_at(cn_vec(0, 0), 0)), CN_ERROR_SHAPE);
    assert_no_hull(cn_hull_at(box, (cn_pose){.rotation = {2, 0}}), CN_ERROR_RANGE);
    assert_no_hull(cn_hull_at(box, (cn_pose){.rotation = {1, 0.1f}}), CN_ERROR_RANGE);
    assert_no_hull(cn_hull_at(box, (cn_pose){.rotation = {1, NAN}}), CN_ERROR_NUMBER);
    assert_no_hull(cn_hull_at(box, (cn_pose){{{INFINITY, 0}}, {1, 0}}), CN_ERROR_NUMBER);
    assert_no_hull(cn_hull_at(box, cn_pose_at(cn_vec(1e9f, 1e9f), 0)), CN_ERROR_SHAPE);
    assert_no_hull(cn_hull_at(box, cn_pose_at(cn_vec(2e9f, 0), 0)), CN_ERROR_RANGE);
}

// ---- checks

static void assert_bad(cn_hull hull, cn_error_kind kind) {
    assert_false(cn_hull_check(&hull));
    assert_refused(kind);
}

static void invalid_hulls_fail_the_check(void **state) {
    (void)state;
    cn_hull hull = cn_regular_polygon(5, 1);
    assert_false(cn_hull_check(NULL));
    assert_refused(CN_ERROR_HANDLE);
    int counts[] = {0, -1, 9, 1000000000, INT32_MIN};
    for (int i = 0; i < 5; i++) {
        cn_hull bad = hull;
        bad.count = counts[i];
        assert_bad(bad, CN_ERROR_SHAPE);
    }
    cn_hull bad = hull;
    bad.vertices[3].y = NAN;
    assert_bad(bad, CN_ERROR_NUMBER);
    bad = hull, bad.normals[4].x = NAN;
    assert_bad(bad, CN_ERROR_SHAPE);
    bad = hull, bad.normals[4].x *= 1.01f;
    assert_bad(bad, CN_ERROR_SHAPE);
    bad = hull, bad.radius = -1;
    assert_bad(bad, CN_ERROR_RANGE);
    bad = hull, bad.radius = NAN;
    assert_bad(bad, CN_ERROR_NUMBER);
    bad = cn_segment(cn_vec(0, 0), cn_vec(1, 0)), bad.vertices[1].x = 0;
    assert_bad(bad, CN_ERROR_SHAPE);
}

// Returns a hull of these vertices with the normals of its edges, without any check.
static cn_hull raw_hull(const vec2s *vertices, int count) {
    cn_hull hull = {.count = count};
    for (int i = 0; i < count; i++) {
        vec2s e = glms_vec2_sub(vertices[(i + 1) % count], vertices[i]);
        hull.vertices[i] = vertices[i];
        hull.normals[i] = glms_vec2_normalize(cn_vec(e.y, -e.x));
    }
    return hull;
}

static void only_simple_convex_counter_clockwise_outlines_are_hulls(void **state) {
    (void)state;
    vec2s v[5], star[5], clockwise[5], twice[6], flat[] = {{{0, 0}}, {{2, 0}}, {{1, 0}}};
    for (int i = 0; i < 5; i++) v[i] = cn_regular_polygon(5, 1).vertices[i];
    for (int i = 0; i < 5; i++) star[i] = v[2 * i % 5], clockwise[i] = v[4 - i];
    for (int i = 0; i < 6; i++) twice[i] = v[i % 3];
    cn_hull good = raw_hull(v, 5);
    assert_true(cn_hull_check(&good));
    assert_bad(raw_hull(star, 5), CN_ERROR_SHAPE);
    assert_bad(raw_hull(clockwise, 5), CN_ERROR_SHAPE);
    assert_bad(raw_hull(twice, 6), CN_ERROR_SHAPE);
    assert_bad(raw_hull(flat, 3), CN_ERROR_SHAPE);
    vec2s dent[] = {{{0, 0}}, {{2, 0}}, {{2, 2}}, {{1, 1.9f}}, {{0, 2}}};
    assert_bad(raw_hull(dent, 5), CN_ERROR_SHAPE);
}

static void random_bits_never_break_the_check(void **state) {
    (void)state;
    for (int i = 0; i < 200000; i++) {
        cn_hull hull;
        uint32_t words[sizeof hull / 4];
        for (size_t k = 0; k < sizeof hull / 4; k++) words[k] = (uint32_t)next_random();
        memcpy(&hull, words, sizeof hull);
        if (i % 2) hull.count = (int)(next_random() % 9);
        if (i % 4 == 1) hull.radius = 1;
        if (hull.count == 1 && cn_hull_check(&hull)) continue; // a circle may lie anywhere
        assert_false(hull.count > 2 && cn_hull_check(&hull));
    }
}

// ---- the canonical form

static cn_hull_class class_of(const cn_hull *hull) {
    cn_canonical_hull canonical = cn_hull_canonical(hull);
    return cn_placed_class(&canonical.placed);
}

static void the_canonical_form_of_an_aligned_box_is_exact(void **state) {
    (void)state;
    for (int i = 0; i < 5000; i++) {
        float x = random_between(0.001f, 30), y = random_between(0.001f, 30),
              r = random_between(0, 1);
        cn_hull box = cn_rounded_box(x, y, i % 2 ? r : 0);
        cn_canonical_hull canonical = cn_hull_canonical(&box);
        assert_int_equal(cn_placed_class(&canonical.placed), CN_CLASS_BOX);
        assert_int_equal(cn_placed_count(&canonical.placed), 4);
        assert_true(canonical.placed.hx == x && canonical.placed.hy == y &&
                    canonical.placed.radius == box.radius);
        assert_true(canonical.placed.pose.rotation.c == 1 && canonical.placed.pose.rotation.s == 0);
        assert_true(canonical.placed.pose.position.x == 0 && canonical.placed.pose.position.y == 0);
        cn_hull back = cn_hull_from_placed(&canonical.placed, &canonical.hull8);
        assert_memory_equal(&back, &box, sizeof box);
    }
}

static void a_turned_box_is_still_a_box(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        float x = random_between(0.01f, 3), y = random_between(0.01f, 3);
        cn_hull box = cn_rounded_box(x, y, 0.1f);
        cn_pose pose = random_pose(i % 2 ? 10.0f : 0.0f);
        cn_hull moved = cn_hull_at(box, pose);
        cn_canonical_hull canonical = cn_hull_canonical(&moved);
        assert_int_equal(cn_placed_class(&canonical.placed), CN_CLASS_BOX);
        assert_near((double)canonical.placed.hx, (double)x, 3e-6);
        assert_near((double)canonical.placed.hy, (double)y, 3e-6);
        assert_near((double)canonical.placed.pose.position.x, (double)pose.position.x, 3e-6);
        assert_near((double)canonical.placed.pose.position.y, (double)pose.position.y, 3e-6);
        double longer = (double)cn_max(x, y);
        assert_near((double)canonical.placed.pose.rotation.c, (double)pose.rotation.c,
                    3e-6 / longer);
        assert_near((double)canonical.placed.pose.rotation.s, (double)pose.rotation.s,
                    3e-6 / longer);
    }
}

static void a_hull_that_is_not_quite_a_rectangle_is_not_a_box(void **state) {
    (void)state;
    for (int i = 0; i < 5000; i++) {
        cn_hull box = cn_box(random_between(0.5f, 1), random_between(0.5f, 1));
        cn_hull moved = cn_hull_at(box, random_pose(0));
        moved.vertices[i % 4].x *= 1.0f + 2e-4f;
        moved.vertices[i % 4].y *= 1.0f + 2e-4f;
        cn_hull dented = cn_polygon(moved.vertices, 4, 0);
        assert_int_equal(dented.count, 4);
        assert_int_equal(class_of(&dented), CN_CLASS_HULL4);
    }
    vec2s wedge[] = {{{-1000, -0.2f}}, {{1000, -0.2f}}, {{1000, 0.2f}}, {{-1000, 0.3f}}};
    cn_hull hull = cn_polygon(wedge, 4, 0);
    assert_int_equal(hull.count, 4);
    assert_int_equal(class_of(&hull), CN_CLASS_HULL4);
}

static void circles_and_capsules_are_flat_boxes(void **state) {
    (void)state;
    cn_hull circle = cn_hull_at((cn_hull[]){cn_circle(2)}[0], cn_pose_at(cn_vec(3, 4), 1));
    cn_canonical_hull c = cn_hull_canonical(&circle);
    assert_true(cn_placed_class(&c.placed) == CN_CLASS_BOX && cn_placed_count(&c.placed) == 1 &&
                c.placed.hx == 0 && c.placed.hy == 0 && c.placed.radius == 2);
    assert_true(c.placed.pose.position.x == 3 && c.placed.pose.position.y == 4);
    assert_true(c.placed.pose.rotation.c == 1 && c.placed.pose.rotation.s == 0);
    cn_hull capsule = cn_capsule(cn_vec(1, 1), cn_vec(4, 5), 0.5f);
    c = cn_hull_canonical(&capsule);
    assert_true(cn_placed_class(&c.placed) == CN_CLASS_BOX && cn_placed_count(&c.placed) == 2 &&
                c.placed.hx == 2.5f && c.placed.hy == 0);
    assert_true(c.placed.pose.position.x == 2.5f && c.placed.pose.position.y == 3);
    assert_true(c.placed.pose.rotation.c == 0.6f && c.placed.pose.rotation.s == 0.8f);
    cn_hull segment = cn_segment(cn_vec(0, 2), cn_vec(0, -2));
    c = cn_hull_canonical(&segment);
    assert_true(cn_placed_class(&c.placed) == CN_CLASS_BOX && cn_placed_count(&c.placed) == 2 &&
                c.placed.hx == 2 && c.placed.radius == 0);
    assert_true(c.placed.pose.rotation.c == 0 && c.placed.pose.rotation.s == -1);
}

static void polygons_are_padded_with_their_first_vertex(void **state) {
    (void)state;
    for (int i = 0; i < 3000; i++) {
        cn_hull hull = random_polygon(0.1f);
        cn_canonical_hull c = cn_hull_canonical(&hull);
        assert_int_equal(cn_placed_class(&c.placed),
                         hull.count <= 4 ? CN_CLASS_HULL4 : CN_CLASS_HULL8);
        double x = 0, y = 0;
        for (int k = 0; k < hull.count; k++) x += (double)c.hull8.x[k], y += (double)c.hull8.y[k];
        assert_near(x, 0, 1e-6), assert_near(y, 0, 1e-6);
        for (int k = 0; k < 8; k++) {
            int from = k < hull.count ? k : 0;
            assert_true(c.hull8.x[k] == c.hull8.x[from] && c.hull8.y[k] == c.hull8.y[from]);
            assert_true(c.hull8.nx[k] == hull.normals[from].x &&
                        c.hull8.ny[k] == hull.normals[from].y);
        }
    }
}

static void the_canonical_form_gives_the_hull_back(void **state) {
    (void)state;
    for (int i = 0; i < 10000; i++) {
        cn_hull hull = random_hull();
        cn_canonical_hull canonical = cn_hull_canonical(&hull);
        cn_hull back = cn_hull_from_placed(&canonical.placed, &canonical.hull8);
        assert_proper(&back);
        assert_true(back.count == hull.count && back.radius == hull.radius);
        for (int k = 0; k < hull.count; k++)
            assert_true(glms_vec2_distance(back.vertices[k], hull.vertices[k]) < 2e-6f);
    }
}

static void a_placed_hull_has_the_bounds_of_the_hull(void **state) {
    (void)state;
    for (int i = 0; i < 10000; i++) {
        cn_hull hull = random_hull();
        cn_pose pose = random_pose(10);
        cn_canonical_hull canonical = cn_hull_canonical(&hull);
        cn_placed_hull placed = canonical.placed;
        placed.pose = cn_compose(pose, placed.pose);
        if (cn_placed_class(&placed) != CN_CLASS_BOX) placed.hull = 0;
        cn_bounds box = cn_placed_bounds(&placed, &canonical.hull8);
        cn_bounds expected = cn_hull_bounds(hull, pose);
        assert_true(glms_vec2_distance(box.lower, expected.lower) < 5e-6f);
        assert_true(glms_vec2_distance(box.upper, expected.upper) < 5e-6f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_constructor_makes_a_proper_hull),
        TEST(a_box_has_its_corners_counter_clockwise_from_the_lower_left),
        TEST(a_regular_hull_lies_on_its_circle),
        TEST(the_corners_of_a_box_make_that_box_among_other_points_in_any_order),
        TEST(a_polygon_contains_all_its_points),
        TEST(close_points_are_welded_at_any_scale),
        TEST(the_rounded_hull_of_eight_corners_is_the_largest),
        TEST(points_that_make_no_polygon_are_refused),
        TEST(sizes_out_of_range_are_refused),
        TEST(extreme_sizes_in_range_are_accepted),
        TEST(a_moved_hull_is_its_vertices_moved),
        TEST(a_hull_is_not_moved_by_a_bad_pose_or_beyond_the_world),
        TEST(invalid_hulls_fail_the_check),
        TEST(only_simple_convex_counter_clockwise_outlines_are_hulls),
        TEST(random_bits_never_break_the_check),
        TEST(the_canonical_form_of_an_aligned_box_is_exact),
        TEST(a_turned_box_is_still_a_box),
        TEST(a_hull_that_is_not_quite_a_rectangle_is_not_a_box),
        TEST(circles_and_capsules_are_flat_boxes),
        TEST(polygons_are_padded_with_their_first_vertex),
        TEST(the_canonical_form_gives_the_hull_back),
        TEST(a_placed_hull_has_the_bounds_of_the_hull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
