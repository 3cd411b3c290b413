/* A sensor measures a pair only in steps in which one of its two shapes moved or was changed. It
 * detects the same shapes as if it measured all pairs in every step. */
#include "../../../support/recordings.h"
#include "sensors.h"

// ---- which pairs are measured

// The filter is asked for each pair before it is measured.
static bool count_call(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b;
    ++*(int *)user;
    return true;
}

static int calls_in(cn_world *world, int *calls, int steps) {
    *calls = 0;
    run(world, steps);
    return *calls;
}

// A wide sensor above a row of static and sleeping boxes, which do not touch each other.
static cn_world *make_row(int *calls, cn_body bodies[20], cn_body *sensor) {
    cn_world *world = make_world(0);
    assert_done(cn_world_set_no_sleep(world, false));
    assert_done(cn_world_set_callbacks(world, (cn_callbacks){.filter = count_call, .user = calls}));
    *sensor = add(world, (cn_body_def){.type = CN_STATIC},
                  (cn_shape_def){.hull = cn_box(50, 1), .sensor = true, .custom_filter = true});
    for (int i = 0; i < 20; i++)
        bodies[i] = add(
            world,
            (cn_body_def){.type = i % 2 ? CN_STATIC : CN_DYNAMIC, .position = point(2 * i - 19, 1)},
            box_of(0.4f));
    run(world, 100);
    for (int i = 0; i < 20; i += 2) assert_false(!cn_body_asleep(world, bodies[i]));
    return world;
}

static void pairs_at_rest_are_not_measured(void **state) {
    (void)state;
    int calls;
    cn_body bodies[20], sensor;
    cn_world *world = make_row(&calls, bodies, &sensor);
    assert_int_equal(cn_sensor_shapes(world, first_shape(world, sensor), NULL, 0), 20);
    assert_int_equal(calls_in(world, &calls, 10), 0);
    // A body that moves far away from the sensor changes nothing.
    add(world, (cn_body_def){.position = point(0, 90), .velocity = point(70, 0)}, box_of(0.4f));
    assert_int_equal(calls_in(world, &calls, 10), 0);
    // A body that moves under it is measured in each step, and the others are not.
    add(world, (cn_body_def){.position = point(0, -0.5), .no_sleep = true}, box_of(0.1f));
    run(world, 1);
    assert_int_equal(calls_in(world, &calls, 10), 10);
    cn_world_destroy(world);
}

static void a_change_has_its_own_pairs_measured(void **state) {
    (void)state;
    for (int change = 0; change < 6; change++) {
        int calls;
        cn_body bodies[20], sensor;
        cn_world *world = make_row(&calls, bodies, &sensor);
        cn_body body = bodies[5];
        cn_shape shape = first_shape(world, body);
        cn_hull hull = cn_box(0.3f, 0.3f);
        bool done = true, seen = change < 4;
        if (change == 0) done = cn_body_set_pose(world, body, cn_pose_at(point(-9.1, 1), 0));
        if (change == 1) done = cn_shape_set_hull(world, shape, hull);
        if (change == 2) done = cn_shape_set_filter(world, shape, (cn_filter){2, 1, 0});
        if (change == 3) done = cn_shape_create(world, body, &(cn_shape_def){.hull = hull}).id;
        if (change == 4) done = cn_body_set_disabled(world, body, true);
        if (change == 5) done = cn_shape_destroy(world, shape);
        assert_done(done);
        int count = calls_in(world, &calls, 1);
        assert_true(seen ? count >= 1 && count <= 2 : count == 0);
        assert_int_equal(calls_in(world, &calls, 5), 0);
        assert_int_equal(cn_sensor_shapes(world, first_shape(world, sensor), NULL, 0),
                         19 + seen + (change == 3));
        cn_world_destroy(world);
    }
}

static void a_sensor_that_moves_measures_all_its_pairs(void **state) {
    (void)state;
    int calls;
    cn_body bodies[20], sensor;
    cn_world *world = make_row(&calls, bodies, &sensor);
    assert_done(cn_body_set_pose(world, sensor, cn_pose_at(point(-1, 0), 0)));
    assert_true(calls_in(world, &calls, 1) >= 20);
    run(world, 100); // the bodies were woken
    assert_int_equal(calls_in(world, &calls, 1), 0);
    assert_done(cn_body_set_pose(world, sensor, cn_pose_at(point(0, 30), 0)));
    tally sum = count_events(world, 1);
    assert_int_equal(sum.sensor_ends, 20);
    cn_world_destroy(world);
}

static void a_field_at_rest_is_not_tested_against_sleepers(void **state) {
    (void)state;
    int calls;
    cn_body bodies[20], sensor;
    cn_world *world = make_row(&calls, bodies, &sensor);
    assert_done(cn_shape_set_medium(world, first_shape(world, sensor),
                                    (cn_medium){.density = 1, .linear_drag = 1}));
    run(world, 100); // this woke the bodies
    assert_int_equal(calls_in(world, &calls, 10), 0);
    // One body that is awake inside is tested twice a step: for the field and for the sensor.
    add(world, (cn_body_def){.position = point(0, -0.5), .no_sleep = true}, box_of(0.1f));
    run(world, 1);
    assert_int_equal(calls_in(world, &calls, 10), 20);
    cn_world_destroy(world);
}

static bool refuse_all(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b, (void)user;
    return false;
}

static void another_filter_is_asked_at_once(void **state) {
    (void)state;
    int calls;
    cn_body bodies[20], sensor;
    cn_world *world = make_row(&calls, bodies, &sensor);
    assert_done(cn_world_set_callbacks(world, (cn_callbacks){.filter = refuse_all}));
    assert_int_equal(count_events(world, 1).sensor_ends, 20);
    assert_int_equal(count_events(world, 5).sensor_begins, 0);
    assert_done(cn_world_set_callbacks(world, (cn_callbacks){0}));
    assert_int_equal(count_events(world, 1).sensor_begins, 20);
    cn_world_destroy(world);
}

// ---- saved worlds

typedef struct {
    void *bytes;
    size_t size;
} saved_world;

static saved_world save(const cn_world *world) {
    saved_world s = {.size = cn_world_save(world, CN_SAVE_ALL, NULL, 0)};
    s.bytes = malloc(s.size);
    assert_non_null(s.bytes);
    assert_int_equal(cn_world_save(world, CN_SAVE_ALL, s.bytes, s.size), s.size);
    return s;
}

// Replaces a world by one that is loaded from its saved state, with three threads.
static cn_world *reload(cn_world *world, const cn_callbacks *callbacks) {
    saved_world s = save(world);
    cn_world_destroy(world);
    world = cn_world_load(&(cn_world_def){.threads = 3}, callbacks, s.bytes, s.size);
    assert_done(world != NULL);
    free(s.bytes);
    return world;
}

static void assert_same_events(const cn_sensor_event *a, int count_a, const cn_sensor_event *b,
                               int count_b) {
    assert_int_equal(count_a, count_b);
    for (int i = 0; i < count_a; i++) {
        assert_true(a[i].sensor.shape.id == b[i].sensor.shape.id);
        assert_true(a[i].other.shape.id == b[i].other.shape.id);
    }
}

static void assert_same_step(cn_world *a, cn_world *b) {
    cn_events x = cn_world_events(a), y = cn_world_events(b);
    assert_same_events(x.sensor_begins, x.sensor_begin_count, y.sensor_begins,
                       y.sensor_begin_count);
    assert_same_events(x.sensor_ends, x.sensor_end_count, y.sensor_ends, y.sensor_end_count);
    assert_true(cn_world_hash(a) == cn_world_hash(b));
}

// Applies the same random changes to both worlds.
static void change_both(cn_world *a, cn_world *b, cn_body *bodies) {
    int count = below(3);
    cn_body same[BODIES];
    uint64_t before = chance;
    memcpy(same, bodies, sizeof same);
    for (int k = 0; k < count; k++) change_something(a, bodies);
    chance = before;
    for (int k = 0; k < count; k++) change_something(b, same);
    assert_memory_equal(same, bodies, sizeof same);
}

static cn_world *make_random_world(const cn_callbacks *callbacks) {
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_no_sleep(world, false));
    assert_done(cn_world_set_callbacks(world, *callbacks));
    add_walls(world);
    flag_all_shapes(world);
    return world;
}

// The second world asks the filter for the same pairs, so a replay has all answers that it needs.
static void a_loaded_world_measures_the_same_pairs(void **state) {
    (void)state;
    static ledger open;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        int calls_a = 0, calls_b = 0;
        cn_callbacks count_a = {.filter = count_call, .user = &calls_a}, count_b = count_a;
        count_b.user = &calls_b;
        cn_world *a = make_random_world(&count_a), *b = make_random_world(&count_b);
        cn_body bodies[BODIES] = {0};
        chance = seed, open.count = 0;
        for (int i = 0; i < 500; i++) {
            if (one_in(5)) change_both(a, b, bodies);
            if (one_in(4)) b = reload(b, &count_b);
            calls_a = calls_b = 0;
            run(a, 1), run(b, 1);
            assert_same_step(a, b);
            assert_int_equal(calls_a, calls_b);
            follow(&open, a);
            check_overlaps(&open, b);
        }
        cn_world_destroy(a), cn_world_destroy(b);
    }
}

static void a_rewound_world_sees_the_same_again(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        const cn_callbacks none = {0};
        cn_world *a = make_random_world(&none), *b = make_random_world(&none);
        cn_rollback *rollback = cn_rollback_create(b, 1);
        cn_body bodies[BODIES] = {0}, lost[BODIES];
        chance = seed;
        for (int i = 0; i < 300; i++) {
            if (one_in(5)) change_both(a, b, bodies);
            assert_done(cn_rollback_keep(rollback, i));
            memcpy(lost, bodies, sizeof lost);
            for (int k = below(4); k > 0; k--) { // steps and changes that are taken back
                if (one_in(2)) change_something(b, lost);
                run(b, 1);
            }
            assert_done(cn_rollback_rewind(rollback, i));
            run(a, 1), run(b, 1);
            assert_same_step(a, b);
        }
        cn_rollback_destroy(rollback);
        cn_world_destroy(a), cn_world_destroy(b);
    }
}

// The world is saved between the call and the step.
static void a_saved_world_asks_another_filter_too(void **state) {
    (void)state;
    int calls;
    cn_body bodies[20], sensor;
    const cn_callbacks refuse = {.filter = refuse_all};
    cn_world *world = make_row(&calls, bodies, &sensor);
    assert_done(cn_world_set_callbacks(world, refuse));
    world = reload(world, &refuse);
    assert_int_equal(count_events(world, 1).sensor_ends, 20);
    world = reload(world, NULL);
    assert_int_equal(count_events(world, 5).sensor_begins, 0); // no pair is measured again
    assert_done(cn_world_set_callbacks(world, refuse));
    assert_done(cn_world_set_callbacks(world, (cn_callbacks){0}));
    assert_int_equal(count_events(world, 1).sensor_begins, 20);
    cn_world_destroy(world);
}

// ---- recordings

// Refuses pairs with a shape of the category 2.
static bool refuse_some(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)user;
    return cn_shape_filter(world, a).category != 2 && cn_shape_filter(world, b).category != 2;
}

// A replay has the answers for the pairs that were measured when the world was recorded, so it must
// not measure others: it would see the shapes that the filter refused.
static void a_replay_begins_with_refused_pairs_at_rest(void **state) {
    (void)state;
    int calls;
    cn_body bodies[20], sensor;
    cn_world *world = make_row(&calls, bodies, &sensor);
    assert_done(cn_world_set_callbacks(world, (cn_callbacks){.filter = refuse_some}));
    for (int i = 0; i < 20; i += 3)
        assert_done(cn_shape_set_filter(world, first_shape(world, bodies[i]),
                                        (cn_filter){2, UINT64_MAX, 0}));
    run(world, 100);
    assert_int_equal(cn_sensor_shapes(world, first_shape(world, sensor), NULL, 0), 13);
    tape t;
    begin_tape(&t, world);
    run(world, 5);
    assert_done(cn_body_set_pose(world, bodies[1], cn_pose_at(point(-17, 0.9), 0)));
    run(world, 5);
    assert_done(cn_recording_end(world));
    assert_int_equal(cn_sensor_shapes(world, first_shape(world, sensor), NULL, 0), 13);
    cn_world_destroy(world);
    assert_true(plays_alike(&t, (cn_world_def){0}));
    free(t.bytes);
}

// ---- shifts

static void a_shift_of_the_origin_begins_and_ends_nothing(void **state) {
    (void)state;
    int calls;
    cn_body bodies[20], sensor;
    cn_world *world = make_row(&calls, bodies, &sensor);
    cn_body passer = add(world, (cn_body_def){.position = point(-60, 0), .velocity = point(300, 0)},
                         box_of(0.1f));
    tally sum = {0};
    for (int i = 0; i < 40; i++) {
        assert_done(cn_world_shift_origin(world, point(3 * i, -i)));
        tally t = count_events(world, 1);
        sum.sensor_begins += t.sensor_begins, sum.sensor_ends += t.sensor_ends;
    }
    assert_int_equal(sum.sensor_begins, 1); // of the body that passes
    assert_int_equal(sum.sensor_ends, 1);
    assert_int_equal(cn_sensor_shapes(world, first_shape(world, sensor), NULL, 0), 20);
    assert_done(cn_body_destroy(world, passer));
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_at_rest_are_not_measured),
        cmocka_unit_test(a_change_has_its_own_pairs_measured),
        cmocka_unit_test(a_sensor_that_moves_measures_all_its_pairs),
        cmocka_unit_test(a_field_at_rest_is_not_tested_against_sleepers),
        cmocka_unit_test(another_filter_is_asked_at_once),
        cmocka_unit_test(a_loaded_world_measures_the_same_pairs),
        cmocka_unit_test(a_rewound_world_sees_the_same_again),
        cmocka_unit_test(a_saved_world_asks_another_filter_too),
        cmocka_unit_test(a_replay_begins_with_refused_pairs_at_rest),
        cmocka_unit_test(a_shift_of_the_origin_begins_and_ends_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
