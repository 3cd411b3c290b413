/* Mistakes in queries: each call fails with a reason and writes nothing to the arrays for results.
 */
#include "query_cases.h"

static bool is_no_hit(cn_world_hit hit) { return same_hit(&hit, &(cn_world_hit){0}); }
static bool is_no_neighbor(cn_neighbor n) { return same_neighbor(&n, &(cn_neighbor){0}); }

#define REFUSED(kind, result, call)                                                                \
    do {                                                                                           \
        before_call before_ = prepare_refusal(kind);                                               \
        bool zero_ = result(call);                                                                 \
        check_refusal(before_, zero_, kind, #call, __FILE__, __LINE__);                            \
    } while (0)

static cn_world_hit hit_array[2];
static cn_side side_array[2];

static bool is_untouched(const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (((const unsigned char *)bytes)[i] != 0x55) return false;
    return true;
}

static const vec2s zero = {{0, 0}}, not_a_number = {{NAN, 0}}, infinite = {{0, INFINITY}},
                   too_far = {{0, -2e9f}};

static void rays_with_bad_numbers_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    add_box(world, -0.5, -0.5);
    memset(hit_array, 0x55, sizeof hit_array);
    const vec2s bad[] = {not_a_number, infinite, too_far};
    const cn_error_kind kinds[] = {CN_ERROR_NUMBER, CN_ERROR_NUMBER, CN_ERROR_RANGE};
    for (int i = 0; i < 3; i++) {
        cn_error_kind kind = kinds[i];
        const vec2s v = bad[i];
        const cn_ray rays[] = {{zero, zero}, {v, zero}},
                     bad_translations[] = {{zero, zero}, {zero, v}};
        REFUSED(kind, is_no_hit, cn_world_cast_ray(world, v, zero, NULL));
        REFUSED(kind, is_no_hit, cn_world_cast_ray(world, zero, v, NULL));
        REFUSED(kind, is_zero_int, cn_world_cast_ray_all(world, v, zero, NULL, hit_array, 2));
        REFUSED(kind, is_zero_int, cn_world_cast_ray_all(world, zero, v, NULL, hit_array, 2));
        REFUSED(kind, is_zero_bool, cn_world_cast_rays(world, rays, 2, NULL, hit_array));
        REFUSED(kind, is_zero_bool,
                cn_world_cast_rays(world, bad_translations, 2, NULL, hit_array));
        REFUSED(kind, is_zero_int, cn_world_overlap_point(world, v, NULL, side_array, 2));
    }
    assert_true(is_untouched(hit_array, sizeof hit_array));
    cn_world_destroy(world);
    unchanged_world = NULL;
}

static void bad_arrays_for_results_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    add_box(world, -0.5, -0.5);
    memset(hit_array, 0x55, sizeof hit_array), memset(side_array, 0x55, sizeof side_array);
    const cn_ray ray = {zero, zero};
    const cn_hull ball = cn_circle(1);
    const cn_pose pose = cn_pose_at(zero, 0);
    const cn_bounds box = {{{-1, -1}}, {{1, 1}}};
    const int capacities[] = {-1, INT32_MIN};
    for (int i = 0; i < 2; i++) {
        int capacity = capacities[i];
        cn_error_kind kind = CN_ERROR_RANGE;
        REFUSED(kind, is_zero_int,
                cn_world_cast_ray_all(world, zero, zero, NULL, hit_array, capacity));
        REFUSED(kind, is_zero_int, cn_world_overlap(world, ball, pose, NULL, side_array, capacity));
        REFUSED(kind, is_zero_int, cn_world_overlap_bounds(world, box, NULL, side_array, capacity));
        REFUSED(kind, is_zero_int, cn_world_overlap_point(world, zero, NULL, side_array, capacity));
        REFUSED(kind, is_zero_bool, cn_world_cast_rays(world, &ray, capacity, NULL, hit_array));
    }
    cn_error_kind kind = CN_ERROR_HANDLE;
    REFUSED(kind, is_zero_int, cn_world_cast_ray_all(world, zero, zero, NULL, NULL, 2));
    REFUSED(kind, is_zero_int, cn_world_overlap(world, ball, pose, NULL, NULL, 2));
    REFUSED(kind, is_zero_int, cn_world_overlap_bounds(world, box, NULL, NULL, 2));
    REFUSED(kind, is_zero_int, cn_world_overlap_point(world, zero, NULL, NULL, 2));
    REFUSED(kind, is_zero_bool, cn_world_cast_rays(world, NULL, 1, NULL, hit_array));
    REFUSED(kind, is_zero_bool, cn_world_cast_rays(world, &ray, 1, NULL, NULL));
    assert_true(is_untouched(hit_array, sizeof hit_array) &&
                is_untouched(side_array, sizeof side_array));
    cn_world_destroy(world);
    unchanged_world = NULL;
}

static void bad_hulls_and_poses_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    add_box(world, -0.5, -0.5);
    const cn_hull none = {0}, ball = cn_circle(1);
    const cn_pose pose = cn_pose_at(zero, 0), poses[] = {{zero, {2, 0}},
                                                         {not_a_number, {1, 0}},
                                                         {zero, {1, INFINITY}},
                                                         {too_far, {1, 0}}};
    const cn_error_kind pose_kinds[] = {CN_ERROR_RANGE, CN_ERROR_NUMBER, CN_ERROR_NUMBER,
                                        CN_ERROR_RANGE};
    const cn_sweep rest = {.start = pose};
    REFUSED(CN_ERROR_SHAPE, is_no_hit, cn_world_cast_hull(world, none, rest, NULL));
    REFUSED(CN_ERROR_SHAPE, is_zero_int, cn_world_overlap(world, none, pose, NULL, side_array, 2));
    REFUSED(CN_ERROR_SHAPE, is_no_neighbor, cn_world_nearest(world, none, pose, 1, NULL));
    for (int i = 0; i < 4; i++) {
        cn_error_kind kind = pose_kinds[i];
        const cn_pose bad = poses[i];
        const cn_sweep sweep = {.start = bad};
        REFUSED(kind, is_no_hit, cn_world_cast_hull(world, ball, sweep, NULL));
        REFUSED(kind, is_zero_int, cn_world_overlap(world, ball, bad, NULL, side_array, 2));
        REFUSED(kind, is_no_neighbor, cn_world_nearest(world, ball, bad, 1, NULL));
        REFUSED(kind, is_no_neighbor, cn_world_nearest(world, cn_circle(0), bad, 1, NULL));
    }
    cn_world_destroy(world);
    unchanged_world = NULL;
}

static void bad_sweeps_boxes_and_distances_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    add_box(world, -0.5, -0.5);
    const cn_hull ball = cn_circle(1);
    const cn_pose pose = cn_pose_at(zero, 0);
    const cn_sweep sweeps[] = {{pose, not_a_number, zero, 0}, {pose, too_far, zero, 0},
                               {pose, zero, infinite, 0},     {pose, zero, too_far, 0},
                               {pose, zero, zero, NAN},       {pose, zero, zero, 2e6f}};
    for (int i = 0; i < COUNT(sweeps); i++) {
        cn_error_kind kind = i % 2 ? CN_ERROR_RANGE : CN_ERROR_NUMBER;
        const cn_sweep *sweep = &sweeps[i];
        REFUSED(kind, is_no_hit, cn_world_cast_hull(world, ball, *sweep, NULL));
    }
    const cn_bounds boxes[] = {{not_a_number, zero}, {{{1, 0}}, zero},     {zero, infinite},
                               {{{0, 1}}, zero},     {zero, not_a_number}, {too_far, zero}};
    for (int i = 0; i < COUNT(boxes); i++) {
        cn_error_kind kind = i % 2 ? CN_ERROR_RANGE : CN_ERROR_NUMBER;
        const cn_bounds box = boxes[i];
        REFUSED(kind, is_zero_int, cn_world_overlap_bounds(world, box, NULL, side_array, 2));
    }
    const float distances[] = {NAN, -1, INFINITY, -1e-20f};
    for (int i = 0; i < COUNT(distances); i++) {
        cn_error_kind kind = i % 2 ? CN_ERROR_RANGE : CN_ERROR_NUMBER;
        const float distance = distances[i];
        REFUSED(kind, is_no_neighbor, cn_world_nearest(world, ball, pose, distance, NULL));
    }
    cn_world_destroy(world);
    unchanged_world = NULL;
}

static void check_refused_query(const cn_world *world, const cn_query *q) {
    const cn_error_kind kind = CN_ERROR_HANDLE;
    const cn_hull ball = cn_circle(1);
    const cn_pose pose = cn_pose_at(zero, 0);
    const cn_sweep rest = {.start = pose};
    const cn_bounds box = {{{-1, -1}}, {{1, 1}}};
    const cn_ray ray = {zero, zero};
    REFUSED(kind, is_no_hit, cn_world_cast_ray(world, zero, zero, q));
    REFUSED(kind, is_zero_int, cn_world_cast_ray_all(world, zero, zero, q, hit_array, 2));
    REFUSED(kind, is_zero_bool, cn_world_cast_rays(world, &ray, 1, q, hit_array));
    REFUSED(kind, is_no_hit, cn_world_cast_hull(world, ball, rest, q));
    REFUSED(kind, is_zero_int, cn_world_overlap(world, ball, pose, q, side_array, 2));
    REFUSED(kind, is_zero_int, cn_world_overlap_bounds(world, box, q, side_array, 2));
    REFUSED(kind, is_zero_int, cn_world_overlap_point(world, zero, q, side_array, 2));
    REFUSED(kind, is_no_neighbor, cn_world_nearest(world, ball, pose, 1, q));
}

static void queries_without_a_world_or_with_bad_handles_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    cn_world *other = cn_world_create(&(cn_world_def){.tag = 7});
    add_box(world, -0.5, -0.5);
    memset(hit_array, 0x55, sizeof hit_array), memset(side_array, 0x55, sizeof side_array);
    cn_body stale = add_static(world, 0, 0, 0);
    assert_done(cn_body_destroy(world, stale));
    const cn_query queries[] = {
        {.ignore = stale}, {.ignore = add_static(other, 0, 0, 0)}, {.ignore = {12345}}};
    for (int i = 0; i < COUNT(queries); i++) check_refused_query(world, &queries[i]);
    check_refused_query(NULL, NULL);
    assert_true(is_untouched(hit_array, sizeof hit_array) &&
                is_untouched(side_array, sizeof side_array));
    cn_world_destroy(world);
    cn_world_destroy(other);
    unchanged_world = NULL;
}

static const cn_pose start = {{{1, 5}}, {1, 0}};

// The pose of the call, and nothing else.
static bool is_unmoved(cn_move m) {
    return memcmp(&m.pose, &start, sizeof start) == 0 && !m.grounded && !m.wall && !m.ceiling &&
           !m.overlaps && m.ground.body.id == 0 && m.push_count == 0 && m.sensor_count == 0 &&
           m.ride.body.id == 0;
}

static void bad_moves_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    cn_body stale = add_static(world, 0, 0, 0);
    assert_done(cn_body_destroy(world, stale));
    const cn_hull ball = cn_circle(1), none = {0};
    const vec2s bad[] = {not_a_number, infinite, too_far}, by = {{1, 0}};
    const cn_error_kind kinds[] = {CN_ERROR_NUMBER, CN_ERROR_NUMBER, CN_ERROR_RANGE};
    for (int i = 0; i < 3; i++) {
        cn_error_kind kind = kinds[i];
        REFUSED(kind, is_unmoved, cn_world_move_hull(world, ball, start, bad[i], NULL));
    }
    const cn_move_def ranges[] = {
        {.max_slope = -0.1f},  {.max_slope = 1.6f},     {.step_height = -1}, {.step_height = 2e9f},
        {.snap_distance = -1}, {.snap_distance = 2e9f}, {.mass = -1},        {.mass = 2e36f},
        {.seconds = -1},       {.seconds = 1e-20f}};
    for (int i = 0; i < COUNT(ranges); i++)
        REFUSED(CN_ERROR_RANGE, is_unmoved, cn_world_move_hull(world, ball, start, by, &ranges[i]));
    assert_non_null(strstr(cn_error(), "at least 1e-15")); // the text of the last one has the limit
    const cn_move_def numbers[] = {{.up = not_a_number}, {.max_slope = NAN},
                                   {.step_height = NAN}, {.snap_distance = INFINITY},
                                   {.mass = NAN},        {.seconds = INFINITY}};
    for (int i = 0; i < COUNT(numbers); i++)
        REFUSED(CN_ERROR_NUMBER, is_unmoved,
                cn_world_move_hull(world, ball, start, by, &numbers[i]));
    const cn_body live = add_static(world, 0, 0, 0);
    const cn_ride rides[] = {{.body = live, .pose = {bad[0], {1, 0}}},
                             {.body = live, .point = bad[1]},
                             {.body = live, .surface_velocity = bad[2]},
                             {.body = stale, .pose.rotation = {2, 0}}};
    for (int i = 0; i < 4; i++) {
        const cn_move_def def = {.ride = rides[i]};
        cn_error_kind kind = i < 3 ? kinds[i] : CN_ERROR_RANGE;
        REFUSED(kind, is_unmoved, cn_world_move_hull(world, ball, start, by, &def));
        assert_non_null(strstr(cn_error(), "ride"));
    }
    const cn_move_def far = {.ride = {live, .surface_velocity = {{1e9f, 0}}}, .seconds = 9};
    REFUSED(CN_ERROR_RANGE, is_unmoved, cn_world_move_hull(world, ball, start, by, &far));
    const cn_move_def old = {.query.ignore = stale};
    REFUSED(CN_ERROR_HANDLE, is_unmoved, cn_world_move_hull(world, ball, start, by, &old));
    REFUSED(CN_ERROR_SHAPE, is_unmoved, cn_world_move_hull(world, (cn_hull){0}, start, by, NULL));
    REFUSED(CN_ERROR_HANDLE, is_unmoved, cn_world_move_hull(NULL, ball, start, by, NULL));
    REFUSED(CN_ERROR_SHAPE, is_unmoved, cn_world_move_hull(world, none, start, by, NULL));
    cn_world_destroy(world);
    unchanged_world = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_with_bad_numbers_are_refused),
        cmocka_unit_test(bad_arrays_for_results_are_refused),
        cmocka_unit_test(bad_hulls_and_poses_are_refused),
        cmocka_unit_test(bad_sweeps_boxes_and_distances_are_refused),
        cmocka_unit_test(bad_moves_are_refused),
        cmocka_unit_test(queries_without_a_world_or_with_bad_handles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
