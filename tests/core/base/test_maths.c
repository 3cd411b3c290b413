/* Rotations, poses and axis-aligned boxes, compared with libm in double precision, with each other
 * and with samples. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../../engine/core/base/api_hash.h"
#include "../../../engine/core/base/maths.h"

static uint64_t seed;

// splitmix64
static uint64_t next_random(void) {
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static float random_between(float low, float high) {
    return low + (high - low) * (float)(next_random() >> 40) / 16777216.0f;
}

static vec2s random_point(float reach) {
    float x = random_between(-reach, reach);
    return cn_vec(x, random_between(-reach, reach));
}

static cn_bounds random_bounds(void) {
    vec2s a = random_point(2), b = random_point(2);
    return (cn_bounds){cn_min2(a, b), cn_max2(a, b)};
}

static int start_random(void **state) {
    (void)state;
    seed = 20240607;
    return 0;
}

static void assert_near(double value, double expected, double tolerance) {
    if (fabs(value - expected) <= tolerance) return;
    print_error("%.9g is not %.9g (+- %g)\n", value, expected, tolerance);
    fail();
}

static void assert_refused(cn_error_kind kind) {
    assert_int_equal(cn_error_code(), kind);
    assert_true(strlen(cn_error()) > 0);
    cn_fail(CN_ERROR_NONE, "%s", "");
}

static void rotations_agree_with_libm(void **state) {
    (void)state;
    for (int i = 0; i < 400000; i++) {
        float range = i % 3 == 0 ? 4.0f : i % 3 == 1 ? 1000.0f : 1e6f;
        float angle = random_between(-range, range);
        cn_rotation q = cn_rotation_of(angle);
        assert_near((double)q.c, cos((double)angle), 4e-8);
        assert_near((double)q.s, sin((double)angle), 4e-8);
    }
}

static void rotations_of_huge_angles_have_unit_length(void **state) {
    (void)state;
    for (float angle = 1; angle < 3e38f; angle *= 1.7f) {
        cn_rotation p = cn_rotation_of(angle), q = cn_rotation_of(-angle);
        assert_near((double)(p.c * p.c + p.s * p.s), 1, 3e-7);
        assert_near((double)(q.c * q.c + q.s * q.s), 1, 3e-7);
        assert_true(angle > 1e6f || (p.c == q.c && p.s == -q.s));
    }
    cn_rotation none = cn_rotation_of(0);
    assert_true(none.c == 1 && none.s == 0);
}

static void the_angle_of_a_rotation_agrees_with_libm(void **state) {
    (void)state;
    for (int i = 0; i < 400000; i++) {
        vec2s v = random_point(i % 2 ? 1.0f : 1e-6f);
        if (i % 5 == 0) v.y *= 1e-5f;
        double angle = (double)cn_rotation_angle((cn_rotation){v.x, v.y});
        assert_near(angle, atan2((double)v.y, (double)v.x), 3e-7);
    }
    assert_true(cn_rotation_angle((cn_rotation){1, 0}) == 0);
    assert_near((double)cn_rotation_angle((cn_rotation){-1, 0}), 3.14159265358979, 2e-7);
    assert_near((double)cn_rotation_angle((cn_rotation){0, -1}), -1.57079632679490, 2e-7);
}

static void the_angle_of_a_vector_in_double_precision_agrees_with_libm(void **state) {
    (void)state;
    for (int i = 0; i < 400000; i++) {
        vec2s p = random_point(1), q = random_point(1);
        double scale = i % 2 ? 1 : 1e-9 * (double)q.y; // also near the axes
        cn_vec2d v = {(double)p.x, (double)p.y * scale + 1e-12 * (double)q.x};
        if (i % 3 == 0) v = (cn_vec2d){v.y, v.x};
        assert_near(cn_angle2d(v), atan2(v.y, v.x), 2e-15);
    }
    assert_true(cn_angle2d((cn_vec2d){0, 0}) == 0);
    assert_true(cn_angle2d((cn_vec2d){-1, 0}) == 3.14159265358979323846);
    assert_true(cn_angle2d((cn_vec2d){0, -2}) == -3.14159265358979323846 / 2);
}

static void an_angle_survives_conversion_to_a_rotation_and_back(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) {
        float angle = random_between(-3.1415f, 3.1415f);
        assert_near((double)cn_rotation_angle(cn_rotation_of(angle)), (double)angle, 4e-7);
    }
}

static void a_pose_turns_first_and_then_moves(void **state) {
    (void)state;
    vec2s p = cn_pose_point(cn_pose_at(cn_vec(10, 20), CN_PI / 2), cn_vec(1, 0));
    assert_near((double)p.x, 10, 1e-6);
    assert_near((double)p.y, 21, 1e-6);
}

static void a_local_point_is_the_inverse_of_a_point(void **state) {
    (void)state;
    for (int i = 0; i < 10000; i++) {
        cn_pose pose = cn_pose_at(random_point(10), random_between(-50, 50));
        vec2s local = random_point(10),
              back = cn_pose_local_point(pose, cn_pose_point(pose, local));
        assert_near((double)back.x, (double)local.x, 1e-5);
        assert_near((double)back.y, (double)local.y, 1e-5);
    }
}

static void poses_refuse_values_that_are_not_finite(void **state) {
    (void)state;
    cn_pose good = cn_pose_at(cn_vec(1, 2), 3);
    float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        cn_rotation q = cn_rotation_of(bad[i]);
        assert_true(isnan(q.c) && isnan(q.s));
        assert_refused(CN_ERROR_NUMBER);
        assert_true(cn_rotation_angle((cn_rotation){1, bad[i]}) == 0);
        assert_refused(CN_ERROR_NUMBER);
        assert_true(cn_pose_at(cn_vec(1, 1), bad[i]).position.x == 0);
        assert_refused(CN_ERROR_NUMBER);
        assert_true(cn_pose_at(cn_vec(1, bad[i]), 1).position.x == 0);
        assert_refused(CN_ERROR_NUMBER);
        assert_true(cn_pose_point(good, cn_vec(bad[i], 1)).y == 0);
        assert_refused(CN_ERROR_NUMBER);
        cn_pose turned = {{{1, 1}}, {bad[i], 0}};
        assert_true(cn_pose_local_point(turned, cn_vec(1, 1)).y == 0);
        assert_refused(CN_ERROR_NUMBER);
    }
}

static void poses_multiply_as_their_points_do(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++) {
        vec2s p = random_point(5), u = random_point(5);
        cn_pose a = cn_pose_at(u, random_between(-9, 9));
        cn_pose b = cn_pose_at(cn_vec(u.y, p.x), random_between(-9, 9));
        vec2s once = cn_pose_point(cn_pose_multiply(a, b), p);
        vec2s twice = cn_pose_point(a, cn_pose_point(b, p));
        assert_true(glms_vec2_distance(once, twice) < 1e-5f);
        cn_pose back = cn_pose_inverse(a), none = cn_pose_multiply(a, back);
        assert_true(glms_vec2_distance(cn_pose_point(back, p), cn_pose_local_point(a, p)) < 1e-5f);
        assert_true(glms_vec2_norm(none.position) < 1e-5f && fabsf(none.rotation.s) < 1e-6f);
    }
    cn_pose turn = cn_pose_at(cn_vec(0, 0), 0.1f), all = turn;
    for (int i = 0; i < 100000; i++) all = cn_pose_multiply(turn, all);
    assert_near((double)(all.rotation.c * all.rotation.c + all.rotation.s * all.rotation.s), 1,
                1e-6);
}

static bool same_pose(cn_pose a, cn_pose b) { return memcmp(&a, &b, sizeof a) == 0; }

static void a_pose_without_rotation_is_not_turned(void **state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        cn_pose moved = {.position = random_point(10)}, same = cn_pose_at(moved.position, 0);
        cn_pose a = cn_pose_at(random_point(10), (float)i);
        vec2s p = random_point(10);
        assert_true(glms_vec2_eqv(cn_pose_point(moved, p), cn_pose_point(same, p)));
        assert_true(glms_vec2_eqv(cn_pose_local_point(moved, p), cn_pose_local_point(same, p)));
        assert_true(same_pose(cn_pose_multiply(moved, a), cn_pose_multiply(same, a)));
        assert_true(same_pose(cn_pose_multiply(a, moved), cn_pose_multiply(a, same)));
        assert_true(same_pose(cn_pose_inverse(moved), cn_pose_inverse(same)));
        assert_true(glms_vec2_eqv(cn_pose_point((cn_pose){0}, p), p));
    }
}

// The direction from p to q in one frame is that from p to q in the other.
static void directions_turn_as_differences_of_points_do(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++) {
        cn_pose pose = cn_pose_at(random_point(5), random_between(-9, 9));
        vec2s p = random_point(5), q = random_point(5), d = glms_vec2_sub(q, p);
        vec2s out = glms_vec2_sub(cn_pose_point(pose, q), cn_pose_point(pose, p));
        assert_true(glms_vec2_distance(cn_pose_direction(pose, d), out) < 1e-5f);
        vec2s back = cn_pose_local_direction(pose, cn_pose_direction(pose, d));
        assert_true(glms_vec2_distance(back, d) < 1e-5f);
    }
    cn_pose pose = cn_pose_at(cn_vec(1, 2), 3);
    assert_true(cn_pose_direction(pose, cn_vec(NAN, 0)).y == 0);
    assert_refused(CN_ERROR_NUMBER);
    assert_true(cn_pose_local_direction(pose, cn_vec(0, INFINITY)).x == 0);
    assert_refused(CN_ERROR_NUMBER);
}

static void the_library_has_the_version_of_its_header(void **state) {
    (void)state;
    assert_int_equal(cn_version(), CN_VERSION);
    assert_int_equal(CN_VERSION / 10000, CN_VERSION_MAJOR);
    assert_int_equal(CN_VERSION / 100 % 100, CN_VERSION_MINOR);
    assert_int_equal(CN_VERSION % 100, CN_VERSION_PATCH);
    assert_true(cn_api_hash() == CN_API_HASH);
}

static void assert_no_pose(cn_pose p, cn_error_kind kind, const char *call) {
    assert_true(isnan(p.rotation.c) && isnan(p.rotation.s)); // so that no call takes it
    assert_int_equal(strncmp(cn_error(), call, strlen(call)), 0);
    assert_refused(kind);
}

static void products_and_inverses_of_bad_poses_are_refused(void **state) {
    (void)state;
    cn_pose pose = cn_pose_at(cn_vec(0, 0), 0), longer = {.rotation = {2, 0}},
            far = cn_pose_at(cn_vec(1e18f, 1e18f), 0);
    cn_pose bad = {.position = {{0, NAN}}, .rotation = {1, 0}};
    assert_no_pose(cn_pose_multiply(longer, pose), CN_ERROR_RANGE, "cn_pose_multiply:");
    assert_no_pose(cn_pose_multiply(pose, longer), CN_ERROR_RANGE, "cn_pose_multiply:");
    assert_no_pose(cn_pose_multiply(far, far), CN_ERROR_RANGE, "cn_pose_multiply:");
    assert_no_pose(cn_pose_inverse(longer), CN_ERROR_RANGE, "cn_pose_inverse:");
    assert_no_pose(cn_pose_inverse(bad), CN_ERROR_NUMBER, "cn_pose_inverse:");
}

static void boxes_overlap_if_and_only_if_they_share_a_point(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        cn_bounds a = random_bounds(), b = random_bounds();
        // The point of box a that is nearest to the centre of box b.
        vec2s center = glms_vec2_scale(glms_vec2_add(b.lower, b.upper), 0.5f);
        vec2s nearest = cn_max2(a.lower, cn_min2(a.upper, center));
        assert_int_equal(cn_bounds_overlap(a, b), cn_bounds_contains(b, nearest));
        assert_int_equal(cn_bounds_overlap(a, b), cn_bounds_overlap(b, a));
    }
    cn_bounds a = {{{0, 0}}, {{1, 1}}}, touching = {{{1, 1}}, {{2, 2}}};
    assert_true(cn_bounds_overlap(a, touching));
    touching.lower.x = 1.0000001f;
    assert_false(cn_bounds_overlap(a, touching));
}

static void the_depth_of_boxes_that_are_apart_is_negative(void **state) {
    (void)state;
    cn_bounds a = {{{0, 0}}, {{4, 4}}};
    vec2s depth = cn_bounds_depth(a, (cn_bounds){{{3, 6}}, {{9, 9}}});
    assert_true(depth.x == 1 && depth.y == -2);
    // One inside the other: the depth is that of the shorter translation.
    depth = cn_bounds_depth(a, (cn_bounds){{{1, 2}}, {{1.5f, 3}}});
    assert_true(depth.x == 1.5f && depth.y == 2);
    for (int i = 0; i < 10000; i++) {
        cn_bounds p = random_bounds(), q = random_bounds();
        vec2s d = cn_bounds_depth(p, q);
        assert_int_equal(cn_bounds_overlap(p, q), d.x >= 0 && d.y >= 0);
    }
}

static void the_translation_that_separates_boxes_is_the_shortest(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        cn_bounds a = random_bounds(), b = random_bounds();
        vec2s move = cn_bounds_resolve(a, b), depth = cn_bounds_depth(a, b);
        if (!cn_bounds_overlap(a, b)) {
            assert_true(move.x == 0 && move.y == 0);
            continue;
        }
        assert_true(move.x == 0 || move.y == 0);
        assert_true(cn_abs(move.x) + cn_abs(move.y) == cn_min(depth.x, depth.y));
        cn_bounds moved = {glms_vec2_add(b.lower, move), glms_vec2_add(b.upper, move)};
        vec2s left = cn_bounds_depth(a, moved);
        assert_near((double)(move.x != 0 ? left.x : left.y), 0, 1e-6);
    }
}

static void a_union_is_the_smallest_box_that_contains_both(void **state) {
    (void)state;
    for (int i = 0; i < 10000; i++) {
        cn_bounds a = random_bounds(), b = random_bounds(), u = cn_bounds_union(a, b);
        assert_true(cn_bounds_contains(u, a.lower) && cn_bounds_contains(u, a.upper));
        assert_true(cn_bounds_contains(u, b.lower) && cn_bounds_contains(u, b.upper));
        assert_true(u.lower.x == a.lower.x || u.lower.x == b.lower.x);
        assert_true(u.upper.y == a.upper.y || u.upper.y == b.upper.y);
    }
}

static void bounds_refuse_bad_numbers(void **state) {
    (void)state;
    cn_bounds good = {{{0, 0}}, {{1, 1}}}, turned = {{{1, 0}}, {{0, 1}}},
              nan = {{{0, NAN}}, {{1, 1}}};
    assert_false(cn_bounds_overlap(good, turned));
    assert_refused(CN_ERROR_RANGE);
    assert_false(cn_bounds_overlap(nan, good));
    assert_refused(CN_ERROR_NUMBER);
    assert_true(cn_bounds_depth(good, turned).x == 0);
    assert_refused(CN_ERROR_RANGE);
    assert_true(cn_bounds_resolve(turned, good).x == 0);
    assert_refused(CN_ERROR_RANGE);
    assert_true(cn_bounds_union(good, nan).upper.x == 0);
    assert_refused(CN_ERROR_NUMBER);
    assert_false(cn_bounds_contains(good, cn_vec(INFINITY, 0)));
    assert_refused(CN_ERROR_NUMBER);
    assert_false(cn_bounds_contains(turned, cn_vec(0, 0)));
    assert_refused(CN_ERROR_RANGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(rotations_agree_with_libm, start_random),
        cmocka_unit_test_setup(rotations_of_huge_angles_have_unit_length, start_random),
        cmocka_unit_test_setup(the_angle_of_a_rotation_agrees_with_libm, start_random),
        cmocka_unit_test_setup(the_angle_of_a_vector_in_double_precision_agrees_with_libm,
                               start_random),
        cmocka_unit_test_setup(an_angle_survives_conversion_to_a_rotation_and_back, start_random),
        cmocka_unit_test_setup(a_pose_turns_first_and_then_moves, start_random),
        cmocka_unit_test_setup(a_local_point_is_the_inverse_of_a_point, start_random),
        cmocka_unit_test_setup(poses_refuse_values_that_are_not_finite, start_random),
        cmocka_unit_test_setup(poses_multiply_as_their_points_do, start_random),
        cmocka_unit_test_setup(a_pose_without_rotation_is_not_turned, start_random),
        cmocka_unit_test_setup(directions_turn_as_differences_of_points_do, start_random),
        cmocka_unit_test(the_library_has_the_version_of_its_header),
        cmocka_unit_test_setup(products_and_inverses_of_bad_poses_are_refused, start_random),
        cmocka_unit_test_setup(boxes_overlap_if_and_only_if_they_share_a_point, start_random),
        cmocka_unit_test_setup(the_depth_of_boxes_that_are_apart_is_negative, start_random),
        cmocka_unit_test_setup(the_translation_that_separates_boxes_is_the_shortest, start_random),
        cmocka_unit_test_setup(a_union_is_the_smallest_box_that_contains_both, start_random),
        cmocka_unit_test_setup(bounds_refuse_bad_numbers, start_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
