/* How soon a replay notices that it differs from the recorded world, which body it names, and what
 * the comparison costs. */
#include "../../support/meter.h"
#include "replays.h"

enum { STEPS_BEFORE = 120, ROW = 10 };

// A floor, and boxes in stacks of ten. They sleep at the end, if they may.
static cn_world *make_stacks(int boxes, bool no_sleep) {
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    add_floor(world, (cn_material){.friction = 0.375f});
    for (int i = 0; i < boxes; i++)
        add(world,
            (cn_body_def){.position = point(2 * (i / ROW), 0.5 + i % ROW), .no_sleep = no_sleep},
            box_of(0.5f));
    run(world, STEPS_BEFORE);
    return world;
}

// Plays until a difference is found, but at most to the end.
static cn_desync play_to_difference(cn_replay *replay) {
    while (!is_at_end(replay) && !cn_replay_desync(replay).found)
        assert_done(cn_replay_next(replay));
    return cn_replay_desync(replay);
}

// ---- cost

// Returns the bytes of a hundred recorded steps, without the first one.
static size_t bytes_of_steps(int sleepers, int awake) {
    tape t;
    cn_world *world = make_stacks(sleepers, false);
    for (int i = 0; i < awake; i++)
        add(world, (cn_body_def){.position = point(-5 - 2 * i, 0.5), .no_sleep = true},
            box_of(0.5f));
    assert_int_equal(cn_world_counters(world).awake_bodies, awake);
    begin_tape(&t, world);
    run(world, 1);
    size_t before = t.size;
    run(world, 100);
    size_t bytes = t.size - before;
    cn_world_destroy(world);
    free(t.bytes);
    return bytes;
}

static void bodies_at_rest_add_nothing_to_a_recorded_step(void **state) {
    (void)state;
    size_t alone = bytes_of_steps(0, 0);
    assert_in_range(alone, 1, 100 * 16);
    assert_int_equal(bytes_of_steps(100, 0), alone);
    assert_int_equal(bytes_of_steps(500, 0), alone);
}

static void the_bytes_of_a_step_follow_what_moves(void **state) {
    (void)state;
    for (int awake = 1; awake < 5; awake++) {
        size_t bytes = bytes_of_steps(400, awake), alone = bytes_of_steps(400, 0);
        assert_in_range(bytes - alone, 100 * 3 * awake, 100 * (3 * awake + 2));
    }
}

// Counts the steps whose whole state is in the recording.
static int count_whole_steps(const tape *t) {
    int count = 0;
    cn_record r;
    for (size_t at = CN_FILE_HEADER; at < t->size; at = r.next) {
        assert_true(cn_read_record(t->bytes, t->size, at, &r));
        count += r.kind == CN_RECORD_STEP && t->bytes[r.data] & CN_COMPARES_ALL;
    }
    return count;
}

static void whole_states_are_compared_in_proportion_to_what_moves(void **state) {
    (void)state;
    for (int no_sleep = 0; no_sleep < 2; no_sleep++) {
        tape t;
        cn_world *world = make_stacks(60, no_sleep);
        begin_tape(&t, world);
        run(world, 200);
        cn_world_destroy(world);
        if (no_sleep)
            assert_in_range(count_whole_steps(&t), 200 / 20, 200 / 10);
        else
            assert_int_equal(count_whole_steps(&t), 1);
        free(t.bytes);
    }
}

// ---- differences

static void a_body_that_moves_in_another_way_is_found_in_this_step(void **state) {
    (void)state;
    enum { BOXES = 40 };
    tape t;
    cn_world *world = make_stacks(BOXES, true);
    begin_tape(&t, world);
    run(world, 60);
    cn_world_destroy(world);
    for (int slot = 1; slot <= BOXES; slot++) {
        cn_replay *replay = open_tape(&t, (cn_world_def){0});
        assert_done(cn_replay_seek(replay, slot));
        cn_world *w = cn_replay_world(replay);
        cn_body body = cn_world_body_in_slot(w, slot);
        vec2s p = cn_body_position(w, body);
        p.x = nextafterf(p.x, 1e6f);
        assert_done(cn_body_set_pose(w, body, cn_pose_at(p, 0)));
        cn_desync desync = play_to_difference(replay);
        assert_true(desync.found && desync.step == slot && desync.bodies >= 1);
        assert_in_range(desync.slot, 1, slot);
        assert_in_range(desync.slot, (slot - 1) / ROW * ROW + 1, BOXES); // of the same stack
        assert_int_equal(desync.body.id & CN_MAX_SLOTS, desync.slot);
        cn_replay_destroy(replay);
    }
    free(t.bytes);
}

// A body that moves in only one of the two worlds.
static void a_body_that_sleeps_in_one_world_only_is_found_in_this_step(void **state) {
    (void)state;
    for (int woken = 0; woken < 2; woken++) {
        tape t;
        cn_world *world = make_stacks(30, false);
        cn_body body = cn_world_body_in_slot(world, 14);
        if (!woken) cn_body_set_asleep(world, body, false);
        begin_tape(&t, world);
        run(world, 40);
        cn_world_destroy(world);
        cn_replay *replay = open_tape(&t, (cn_world_def){0});
        assert_done(cn_replay_seek(replay, 5));
        assert_done(cn_body_set_asleep(cn_replay_world(replay), body, !woken));
        cn_desync desync = play_to_difference(replay);
        assert_true(desync.found && desync.step == 5);
        assert_int_equal(desync.bodies, ROW);
        assert_int_equal(desync.slot, 11);
        cn_replay_destroy(replay);
        free(t.bytes);
    }
}

typedef void edit(cn_world *world, cn_body body, float value);

static void edit_material(cn_world *w, cn_body body, float value) {
    cn_shape_set_material(w, first_shape(w, body), (cn_material){.friction = value});
}
static void edit_damping(cn_world *w, cn_body body, float value) {
    cn_body_set_damping(w, body, 0, value);
}
static void edit_filter(cn_world *w, cn_body body, float value) {
    cn_filter filter = {1, UINT64_MAX, (int)(-8 * value)};
    cn_shape_set_filter(w, first_shape(w, body), filter);
}

// In the replay a call gives a body at rest another value, which moves nothing.
static void a_changed_body_is_found_though_it_rests(void **state) {
    (void)state;
    static edit *const edits[] = {edit_material, edit_damping, edit_filter};
    for (int i = 0; i < 9; i++) {
        const int slots[] = {0, 2, 21}; // static, disabled, asleep alone
        tape t;
        cn_world *world = make_stacks(21, false);
        cn_body body = cn_world_body_in_slot(world, slots[i % 3]);
        if (i % 3 == 1) cn_body_set_disabled(world, body, true);
        run(world, 200);
        begin_tape(&t, world);
        for (int k = 0; k < 4; k++) run(world, 9), edits[i / 3](world, body, 0.25f * (float)k);
        run(world, 9);
        cn_world_destroy(world);
        cn_replay *replay = open_tape(&t, (cn_world_def){0});
        assert_done(cn_replay_seek(replay, 18) && cn_replay_next(replay));
        edits[i / 3](cn_replay_world(replay), body, 0.625f);
        cn_desync desync = play_to_difference(replay);
        assert_true(desync.found && desync.step == 18);
        assert_int_equal(desync.bodies, 1);
        assert_true(desync.body.id == body.id);
        cn_replay_destroy(replay);
        free(t.bytes);
    }
}

// The least speed of hit events differs, which moves no body.
static void a_difference_that_moves_nothing_is_found_later(void **state) {
    (void)state;
    for (int no_sleep = 0; no_sleep < 2; no_sleep++) {
        tape t;
        cn_world *world = make_stacks(20, no_sleep);
        begin_tape(&t, world);
        run(world, 100);
        cn_world_destroy(world);
        cn_replay *replay = open_tape(&t, (cn_world_def){0});
        assert_done(cn_replay_seek(replay, 10));
        cn_replay_world(replay)->sim.tuning.hit_threshold *= 2;
        cn_desync desync = play_to_difference(replay);
        assert_true(desync.found && desync.bodies == 0 && desync.body.id == 0);
        assert_true(desync.recorded && desync.replayed && desync.recorded != desync.replayed);
        if (no_sleep)
            assert_in_range(desync.step, 10, 40);
        else
            assert_int_equal(desync.step, 100); // the end
        cn_replay_destroy(replay);
        free(t.bytes);
    }
}

// ---- memory

static void a_recording_without_memory_ends_and_leaks_nothing(void **state) {
    (void)state;
    for (int call = 1; call < 200; call++) {
        meter m = {0};
        tape t;
        cn_world *world = cn_world_create(&(cn_world_def){.allocator = metered(&m)});
        begin_tape(&t, world);
        fail_at(&m, call);
        for (int i = 0; i < 150; i++) {
            cn_body body = cn_body_create(world, &(cn_body_def){.position = point(3 * i, 0)});
            if (body.id) cn_body_set_velocity(world, body, point(1, 0));
            if (i % 50 == 0) cn_world_step(world, STEP);
        }
        fail_at(&m, 0);
        cn_replay *replay = open_tape(&t, (cn_world_def){0});
        while (!is_at_end(replay)) assert_done(cn_replay_next(replay));
        cn_replay_destroy(replay);
        cn_world_destroy(world);
        assert_int_equal(m.bytes, 0);
        free(t.bytes);
    }
}

// ---- bytes that no recorder writes

// Sets the flags of the last comparison: those of a step, which lists only what moves.
static void compare_the_end_like_a_step(tape *t) {
    size_t at = CN_FILE_HEADER;
    for (cn_record r; cn_read_record(t->bytes, t->size, at, &r) && r.kind; at = r.next) {
        if (r.kind != CN_RECORD_END) continue;
        t->bytes[r.data] = CN_COMPARES;
        cn_write_record_header(t->bytes + r.data, r.kind, r.size);
    }
}

static void an_end_that_lists_what_moves_reads_no_body_that_left(void **state) {
    (void)state;
    tape t;
    cn_world *world = make_world(GRAVITY);
    cn_body bodies[4];
    for (int i = 0; i < 4; i++)
        bodies[i] =
            cn_body_create(world, &(cn_body_def){.type = CN_KINEMATIC, .velocity = point(1, 0)});
    begin_tape(&t, world);
    run(world, 1);
    for (int i = 0; i < 3; i++) assert_done(cn_body_destroy(world, bodies[i]));
    assert_done(cn_recording_end(world));
    cn_world_destroy(world);
    compare_the_end_like_a_step(&t);
    cn_replay *replay = cn_replay_create(&(cn_world_def){0}, t.bytes, t.size);
    assert_non_null(replay);
    while (!is_at_end(replay) && cn_replay_next(replay)) {}
    cn_replay_destroy(replay);
    free(t.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_at_rest_add_nothing_to_a_recorded_step),
        cmocka_unit_test(the_bytes_of_a_step_follow_what_moves),
        cmocka_unit_test(whole_states_are_compared_in_proportion_to_what_moves),
        cmocka_unit_test(a_body_that_moves_in_another_way_is_found_in_this_step),
        cmocka_unit_test(a_body_that_sleeps_in_one_world_only_is_found_in_this_step),
        cmocka_unit_test(a_changed_body_is_found_though_it_rests),
        cmocka_unit_test(a_difference_that_moves_nothing_is_found_later),
        cmocka_unit_test(a_recording_without_memory_ends_and_leaks_nothing),
        cmocka_unit_test(an_end_that_lists_what_moves_reads_no_body_that_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
