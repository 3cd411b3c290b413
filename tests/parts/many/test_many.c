/* cn_worlds_step() gives the same states as single steps, on any number of threads, and reports
 * each world that it could not step. cn_world_poses() writes the pose of each slot. */
#include "../../support/floors.h"
#include "../../support/recordings.h"
#include "../../support/refuse.h"
#include "../../support/small_world.h"

enum { WORLDS = 40 };

// Worlds of different sizes. Some have so many bodies that a step of one world would use all its
// threads.
static void make_worlds(cn_world *worlds[WORLDS], int threads) {
    for (int i = 0; i < WORLDS; i++) {
        worlds[i] =
            cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .threads = threads, .lanes = 4});
        add_tile(worlds[i], add_static(worlds[i]), 0, -0.5, 100, 0.5);
        int balls = i % 20 == 0 ? 1200 : 3 + i;
        for (int k = 0; k < balls; k++) add_ball(worlds[i], k % 100 - 50, 1 + 1.1 * (k / 100.0));
    }
}

static void destroy_worlds(cn_world *worlds[WORLDS]) {
    for (int i = 0; i < WORLDS; i++) cn_world_destroy(worlds[i]);
}

static void the_worlds_are_as_if_stepped_one_by_one(void **state) {
    (void)state;
    cn_world *alone[WORLDS], *together[WORLDS];
    const int threads[] = {1, 3};
    make_worlds(alone, 1);
    for (int k = 0; k < 40; k++)
        for (int i = 0; i < WORLDS; i++) assert_done(cn_world_step(alone[i], STEP));
    for (int t = 0; t < 2; t++) {
        make_worlds(together, threads[t]);
        cn_error_kind errors[WORLDS];
        for (int k = 0; k < 20; k++) {
            memset(errors, 0xFF, sizeof errors);
            assert_int_equal(cn_worlds_step(together, WORLDS, STEP, errors), WORLDS);
            for (int i = 0; i < WORLDS; i++) assert_int_equal(errors[i], CN_ERROR_NONE);
            assert_int_equal(cn_worlds_step(together, WORLDS, STEP, NULL), WORLDS);
        }
        for (int i = 0; i < WORLDS; i++)
            assert_true(cn_world_hash(together[i]) == cn_world_hash(alone[i]));
        assert_done(cn_world_step(together[0], STEP)); // its threads work for it again
        destroy_worlds(together);
    }
    destroy_worlds(alone);
}

static void each_failure_is_reported(void **state) {
    (void)state;
    cn_world *worlds[WORLDS], *other = cn_world_create(&(cn_world_def){0});
    make_worlds(worlds, 2);
    uint64_t before = cn_world_hash(worlds[2]);
    cn_world *list[5] = {worlds[2], NULL, other, worlds[2], worlds[3]};
    cn_error_kind errors[5];
    assert_int_equal(cn_worlds_step(list, 5, STEP, errors), 3);
    const cn_error_kind expected[5] = {0, CN_ERROR_HANDLE, 0, CN_ERROR_STATE, 0};
    for (int i = 0; i < 5; i++) assert_int_equal(errors[i], expected[i]);
    assert_string_equal(cn_error(), "cn_worlds_step: world 1: the world is NULL");
    assert_true(cn_world_hash(worlds[2]) != before);
    assert_int_equal(cn_worlds_step(list + 2, 2, STEP, NULL), 2);
    list[4] = list[0];
    assert_int_equal(cn_worlds_step(list + 2, 3, STEP, errors), 2);
    assert_string_equal(cn_error(), "cn_worlds_step: world 2: the list has this world twice, also "
                                    "as world 1");
    before = cn_world_hash(other);
    assert_int_equal(cn_worlds_step(&other, 1, 2, errors), 0);
    assert_int_equal(errors[0], CN_ERROR_RANGE);
    assert_true(cn_world_hash(other) == before);
    assert_int_equal(cn_worlds_step(list, 0, STEP, NULL), 0);
    assert_int_equal(cn_worlds_step(list, -1, STEP, NULL), 0);
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
    assert_int_equal(cn_worlds_step(NULL, 1, STEP, NULL), 0);
    assert_int_equal(cn_error_code(), CN_ERROR_HANDLE);
    cn_world_destroy(other);
    destroy_worlds(worlds);
}

static bool step_own_world(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b;
    cn_world *own = user;
    assert_int_equal(cn_worlds_step(&own, 1, STEP, NULL), 0);
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    return true;
}

static void a_callback_must_not_step_its_world(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    add_ball(world, 0, 0), add_ball(world, 0.5, 0);
    flag_all_shapes(world);
    assert_done(
        cn_world_set_callbacks(world, (cn_callbacks){.filter = step_own_world, .user = world}));
    assert_int_equal(cn_worlds_step(&world, 1, STEP, NULL), 1);
    cn_world_destroy(world);
}

static bool step_the_others(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b;
    cn_world **worlds = user;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cn_worlds_step(&worlds[i], 1, STEP, NULL), 0);
        assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    }
    assert_int_equal(cn_worlds_step(&worlds[2], 1, STEP, NULL), 1);
    return true;
}

static void a_callback_must_not_step_worlds_of_the_same_list(void **state) {
    (void)state;
    cn_world *worlds[3];
    for (int i = 0; i < 3; i++) worlds[i] = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    add_ball(worlds[0], 0, 0), add_ball(worlds[0], 0.5, 0);
    flag_all_shapes(worlds[0]);
    assert_done(cn_world_set_callbacks(worlds[0],
                                       (cn_callbacks){.filter = step_the_others, .user = worlds}));
    assert_int_equal(cn_worlds_step(worlds, 2, STEP, NULL), 2);
    assert_int_equal(cn_worlds_step(worlds, 3, STEP, NULL), 3);
    for (int i = 0; i < 3; i++) cn_world_destroy(worlds[i]);
}

static void recordings_have_the_steps(void **state) {
    (void)state;
    cn_world *worlds[WORLDS];
    make_worlds(worlds, 2);
    tape tapes[3];
    for (int i = 0; i < 3; i++) begin_tape(&tapes[i], worlds[i]);
    for (int k = 0; k < 10; k++)
        assert_int_equal(cn_worlds_step(worlds, WORLDS, STEP, NULL), WORLDS);
    for (int i = 0; i < 3; i++) {
        assert_done(cn_recording_end(worlds[i]));
        assert_true(plays_alike(&tapes[i], (cn_world_def){0}));
        free(tapes[i].bytes);
    }
    destroy_worlds(worlds);
}

static void poses_are_those_of_the_slots(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .tag = 7});
    cn_body bodies[4];
    for (int i = 0; i < 4; i++) bodies[i] = add_ball(world, 2 * i, 5);
    assert_done(cn_body_set_angular_velocity(world, bodies[3], 2));
    assert_done(cn_body_destroy(world, bodies[1]));
    assert_int_equal(cn_world_advance(world, 1.5f * STEP), 1);
    for (int drawn = 0; drawn < 2; drawn++) {
        cn_pose poses[5];
        memset(poses, 0xFF, sizeof poses);
        assert_int_equal(cn_world_poses(world, NULL, 0, drawn), 4);
        assert_int_equal(cn_world_poses(world, poses, 5, drawn), 4);
        for (int i = 0; i < 4; i++) {
            cn_pose expected = {0};
            if (i != 1)
                expected =
                    drawn ? cn_body_drawn_pose(world, bodies[i]) : cn_body_pose(world, bodies[i]);
            assert_memory_equal(&poses[bodies[i].id & 0xFFFFFF], &expected, sizeof expected);
        }
        memset(poses, 0xFF, sizeof poses);
        assert_int_equal(cn_world_poses(world, poses, 2, drawn), 4);
        assert_true(isnan(poses[2].position.x)); // not written
    }
    assert_int_equal(cn_world_poses(world, NULL, 1, false), 0);
    assert_int_equal(cn_error_code(), CN_ERROR_HANDLE);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worlds_are_as_if_stepped_one_by_one),
        cmocka_unit_test(each_failure_is_reported),
        cmocka_unit_test(a_callback_must_not_step_its_world),
        cmocka_unit_test(a_callback_must_not_step_worlds_of_the_same_list),
        cmocka_unit_test(recordings_have_the_steps),
        cmocka_unit_test(poses_are_those_of_the_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
