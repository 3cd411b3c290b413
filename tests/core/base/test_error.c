/* The error of a thread: its text, its hook, and the hulls and poses that remember why they could
 * not be made. */
#include "../../support/small_stage.h"

#include "../../../engine/core/base/base.h"

#include <pthread.h>

// ---- hulls that could not be made

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (; (text = strstr(text, part)); text++) count++;
    return count;
}

static void a_hull_that_could_not_be_made_gives_the_reason_wherever_it_is_used(void **state) {
    (void)state;
    stage s = make_stage();
    cn_shape_def def = {.hull = cn_box(0, 1)};
    cn_circle(NAN);
    cn_body_position(s.world, (cn_body){0}); // neither of these errors is quoted
    cn_shape_create(s.world, s.dynamic, &def);
    assert_string_equal(cn_error(),
                        "cn_shape_create: the hull was not made (cn_box: the half width "
                        "is 0; it must be positive and at most 1e+09)");
    cn_circle(NAN);
    cn_hull_contains(def.hull, point(0, 0));
    assert_string_equal(cn_error(), "cn_hull_contains: the hull was not made (cn_box: the half "
                                    "width is 0; it must be positive and at most 1e+09)");
    cn_hull gone = cn_shape_hull(s.world, (cn_shape){0});
    cn_circle(NAN);
    cn_hull_mass_data(gone, 1);
    assert_int_equal(count_of(cn_error(), "(cn_shape_hull: the shape is null"), 1);
    end_stage(&s);
}

static void quotes_of_errors_do_not_nest(void **state) {
    (void)state;
    cn_hull hull = cn_box(0, 1);
    for (int i = 0; i < 3; i++) hull = cn_hull_at(hull, cn_pose_at(point(1, 2), 0));
    cn_hull_mass_data(hull, 1);
    assert_string_equal(cn_error(),
                        "cn_hull_mass_data: the hull was not made (cn_box: the half width is "
                        "0; it must be positive and at most 1e+09)");
    // If the pose is bad, the error is that of cn_hull_at().
    cn_hull box = cn_box(1, 1), lost = cn_hull_at(box, (cn_pose){.rotation = {2, 0}});
    cn_hull_mass_data(lost, 1);
    assert_int_equal(count_of(cn_error(), "(cn_hull_at: the rotation (2, 0) of the pose"), 1);
}

static void an_error_that_is_no_longer_kept_is_not_quoted(void **state) {
    (void)state;
    cn_hull first = cn_circle(-1);
    for (int i = 2; i <= 8; i++) cn_circle((float)-i);
    cn_circle(-8); // the same error again takes no second place in the list of kept errors
    cn_hull_mass_data(first, 1);
    assert_int_equal(count_of(cn_error(), "(cn_circle: the radius is -1;"), 1);
    cn_circle(-9);
    cn_hull_mass_data(first, 1);
    assert_string_equal(cn_error(),
                        "cn_hull_mass_data: the hull has count 0: the call that should have "
                        "made it failed, with an error that is not kept any more");
    cn_hull none = {0};
    cn_hull_mass_data(none, 1);
    assert_string_equal(cn_error(),
                        "cn_hull_mass_data: the hull has count 0: make it with cn_circle(), "
                        "cn_box(), cn_polygon(), ...");
}

static void *make_no_hull(void *hull) {
    *(cn_hull *)hull = cn_circle(-77);
    return NULL;
}

// Each thread keeps its own errors. Equal errors have equal marks on all threads.
static void an_error_of_another_thread_is_not_quoted(void **state) {
    (void)state;
    cn_hull hull;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, make_no_hull, &hull), 0);
    pthread_join(thread, NULL);
    cn_circle(-78);
    cn_hull_mass_data(hull, 1);
    assert_int_equal(count_of(cn_error(), "with an error that is not kept any more"), 1);
    cn_circle(-77);
    cn_hull_mass_data(hull, 1);
    assert_int_equal(count_of(cn_error(), "(cn_circle: the radius is -77;"), 1);
}

static void a_long_error_ends_with_dots_and_a_quote_of_it_is_complete(void **state) {
    (void)state;
    char text[2001];
    memset(text, 'x', 2000), text[2000] = 0;
    cn_fail(CN_ERROR_SHAPE, "%s", text);
    assert_int_equal(strlen(cn_error()), 511);
    assert_string_equal(cn_error() + 508, "...");
    cn_fail_call("cn_circle");
    assert_int_equal(strlen(cn_error()), 511);
    assert_int_equal(count_of(cn_error(), "cn_circle: xxx"), 1);
    assert_string_equal(cn_error() + 508, "...");
    cn_hull hull = {.failure = cn_keep_error()};
    cn_hull_mass_data(hull, 1);
    assert_string_equal(cn_error() + strlen(cn_error()) - 5, "x...)");
}

// ---- the hook

static void an_error_can_be_cleared(void **state) {
    (void)state;
    cn_hull hull = cn_circle(-1);
    cn_error_clear();
    assert_string_equal(cn_error(), "");
    assert_int_equal(cn_error_code(), CN_ERROR_NONE);
    assert_int_equal(cn_circle(1).count, 1);
    assert_string_equal(cn_error(), "");
    cn_hull_mass_data(hull, 1); // the hull still has the reason
    assert_int_equal(count_of(cn_error(), "(cn_circle: the radius is -1;"), 1);
}

static void count_errors(cn_error_kind kind, const char *text, void *user) {
    assert_true(kind == cn_error_code() && strcmp(text, cn_error()) == 0);
    ++*(int *)user;
}

static void *make_mistakes(void *count) {
    cn_circle(-1); // this thread has no hook yet
    cn_error_set_hook(count_errors, count);
    cn_circle(-1), cn_circle(-1);
    return NULL;
}

static void each_thread_has_a_hook_of_its_own(void **state) {
    (void)state;
    int here = 0, there = 0;
    pthread_t thread;
    cn_error_set_hook(count_errors, &here);
    cn_circle(-1), cn_circle(1);
    assert_int_equal(pthread_create(&thread, NULL, make_mistakes, &there), 0);
    pthread_join(thread, NULL);
    assert_true(here == 1 && there == 2);
    cn_error_set_hook(NULL, NULL);
    cn_circle(-1);
    assert_int_equal(here, 1);
}

// The error of a chain names the function, the point and the coordinate.
static void the_hook_gets_the_complete_error(void **state) {
    (void)state;
    stage s = make_stage();
    const vec2s points[] = {{{0, 0}}, {{1, 0}}, {{2, NAN}}};
    prepare_refusal(CN_ERROR_NUMBER);
    cn_chain_create(s.world, s.ground, &(cn_chain_def){.points = points, .count = 3});
    assert_true(hook_called_once());
    assert_string_equal(hook_calls.text,
                        "cn_chain_create: point 2: the y of the point is nan; it must be in -1e+09 "
                        ".. 1e+09");
    prepare_refusal(CN_ERROR_NUMBER);
    cn_shape_create(s.world, s.dynamic, &(cn_shape_def){.hull = {.count = 1, .radius = NAN}});
    assert_true(hook_called_once());
    end_stage(&s);
}

// ---- the text of an error

static void an_error_says_which_coordinate_is_wrong(void **state) {
    (void)state;
    stage s = make_stage();
    cn_world_set_gravity(s.world, point(0, NAN));
    assert_string_equal(cn_error(),
                        "cn_world_set_gravity: the y of the gravity is nan; it must be finite");
    cn_hull box = cn_box(1, 1);
    const cn_pose pose = cn_pose_at(point(0, 0), 0);
    cn_hull_cast(&box, pose, point(1e20, 0), &box, pose);
    assert_string_equal(cn_error(),
                        "cn_hull_cast: the x of the translation is 1e+20; it must be in "
                        "-1e+18 .. 1e+18");
    cn_body_create(s.world, &(cn_body_def){.position = point(3, 2e9)});
    assert_string_equal(cn_error(), "cn_body_create: the y of the position is 2e+09; it must be in "
                                    "-1e+09 .. 1e+09");
    cn_hull_bounds(box, (cn_pose){.rotation = {0, 0.5f}});
    assert_string_equal(cn_error(), "cn_hull_bounds: the rotation (0, 0.5) of the pose is not of "
                                    "length 1: make poses with cn_pose_at()");
    end_stage(&s);
}

static void numbers_without_bounds_need_only_be_finite(void **state) {
    (void)state;
    cn_rotation_of(NAN);
    assert_string_equal(cn_error(), "cn_rotation_of: the angle is nan; it must be finite");
    cn_hull box = cn_box(1, 1);
    cn_hull_mass_data(box, -1);
    assert_string_equal(cn_error(),
                        "cn_hull_mass_data: the density is -1; it must be finite and at least 0");
    cn_regular_polygon(9, 1);
    assert_non_null(strstr(cn_error(), "must be in 3 .. 8"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hull_that_could_not_be_made_gives_the_reason_wherever_it_is_used),
        cmocka_unit_test(quotes_of_errors_do_not_nest),
        cmocka_unit_test(an_error_that_is_no_longer_kept_is_not_quoted),
        cmocka_unit_test(an_error_of_another_thread_is_not_quoted),
        cmocka_unit_test(a_long_error_ends_with_dots_and_a_quote_of_it_is_complete),
        cmocka_unit_test(an_error_can_be_cleared),
        cmocka_unit_test(each_thread_has_a_hook_of_its_own),
        cmocka_unit_test(the_hook_gets_the_complete_error),
        cmocka_unit_test(an_error_says_which_coordinate_is_wrong),
        cmocka_unit_test(numbers_without_bounds_need_only_be_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
