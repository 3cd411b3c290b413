/* Replays: seeking, differences from the recorded world, calls that were left out. */
#include "replays.h"

#include <stdio.h>
#include <time.h>

// ---- seeking

static void seeking_gives_the_state_of_each_step(void **state) {
    (void)state;
    const int steps[] = {150, 20, 199, 1, 100, 99, 101, STEPS, 30, 31, 1};
    tape t;
    stage s;
    record_crates(&t, &s);
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_done(cn_replay_seek(replay, steps[i]));
        cn_replay_position at = cn_replay_at(replay);
        assert_int_equal(at.step, steps[i]);
        assert_true(cn_world_hash(cn_replay_world(replay)) == s.hashes[steps[i]]);
    }
    assert_false(cn_replay_seek(replay, STEPS + 1));
    assert_false(cn_replay_seek(replay, -1));
    assert_done(cn_replay_seek(replay, STEPS));
    assert_false(cn_replay_next(replay));
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    assert_false(cn_replay_desync(replay).found);
    cn_replay_destroy(replay);
    free(t.bytes);
}

static void seeking_a_step_goes_back_over_the_calls_after_it(void **state) {
    (void)state;
    tape t;
    stage s;
    record_crates(&t, &s);
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    for (int i = 0; i < 5; i++) assert_done(cn_replay_next(replay));
    assert_done(cn_replay_seek(replay, 0));
    assert_int_equal(cn_replay_at(replay).call, 0);
    assert_done(cn_replay_seek(replay, 99));
    int call = cn_replay_at(replay).call;
    assert_done(cn_replay_next(replay)); // the impulse
    assert_int_equal(cn_replay_at(replay).step, 99);
    assert_done(cn_replay_seek(replay, 99));
    assert_int_equal(cn_replay_at(replay).call, call);
    assert_true(cn_world_hash(cn_replay_world(replay)) == s.hashes[99]);
    cn_replay_destroy(replay);
    free(t.bytes);
}

static void the_next_call_has_a_text(void **state) {
    (void)state;
    tape t;
    stage s;
    record_crates(&t, &s);
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    assert_string_equal(cn_replay_text(replay),
                        "cn_body_create(def {position {y 0.5}, velocity {x 1}})");
    for (int i = 0; i < 3 * CRATES; i++) assert_done(cn_replay_next(replay));
    assert_string_equal(cn_replay_text(replay), "cn_world_step(dt 0.0166666675)");
    assert_done(cn_replay_seek(replay, 99));
    assert_string_equal(cn_replay_text(replay), "cn_body_apply_impulse(body 2.1, impulse {y 3})");
    assert_done(cn_replay_seek(replay, STEPS));
    assert_string_equal(cn_replay_text(replay), "");
    cn_replay_destroy(replay);
    free(t.bytes);
}

static void arguments_have_a_text(void **state) {
    (void)state;
    tape t;
    cn_world *world = make_world(10);
    size_t size = cn_world_save(world, CN_SAVE_ALL, NULL, 0);
    void *bytes = malloc(size);
    cn_world_save(world, CN_SAVE_ALL, bytes, size);
    begin_tape(&t, world);
    assert_false(cn_body_create(world, NULL).id);
    assert_done(cn_world_set_substeps(world, 6));
    assert_done(cn_world_set_no_sleep(world, true));
    assert_done(cn_world_restore(world, bytes, size));
    assert_done(cn_recording_end(world));
    char restore[60];
    snprintf(restore, sizeof restore, "cn_world_restore(bytes %d bytes)", (int)size);
    const char *texts[] = {"cn_body_create(def NULL)", "cn_world_set_substeps(substeps 6)",
                           "cn_world_set_no_sleep(no_sleep true)", restore};
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_string_equal(cn_replay_text(replay), texts[i]);
        assert_done(cn_replay_next(replay));
    }
    cn_replay_destroy(replay);
    cn_world_destroy(world);
    free(bytes), free(t.bytes);
}

// More steps than keyframes at their first distance.
static void a_long_replay_goes_back_to_each_step(void **state) {
    (void)state;
    enum { LONG = 2300 };
    static uint64_t hashes[LONG + 1];
    tape t;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    add(world, (cn_body_def){.position = point(0, 3), .no_sleep = true, .velocity = point(1, 0)},
        (cn_shape_def){.hull = cn_circle(0.5f), .material = {.restitution = 1}});
    begin_tape(&t, world);
    for (int i = 1; i <= LONG; i++) {
        assert_done(cn_world_step(world, STEP));
        hashes[i] = cn_world_hash(world);
    }
    assert_done(cn_recording_end(world));
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    for (int step = LONG; step > 0; step -= step > 60 ? 97 : 7) {
        assert_done(cn_replay_seek(replay, step));
        assert_true(cn_world_hash(cn_replay_world(replay)) == hashes[step]);
    }
    cn_replay_destroy(replay);
    cn_world_destroy(world);
    free(t.bytes);
}

// ---- differences

// Changes a number among the arguments of a call.
static void change_number(tape *t, int call, float from, float to) {
    cn_record r = find_call(t, call);
    unsigned char *data = t->bytes + r.data;
    for (size_t i = 0; i + sizeof from <= r.size; i++) {
        if (memcmp(data + i, &from, sizeof from) != 0) continue;
        memcpy(data + i, &to, sizeof to);
        cn_write_record_header(data, r.kind, r.size);
        return;
    }
    fail();
}

static void another_friction_is_found_with_its_body(void **state) {
    (void)state;
    for (int crate = 0; crate < CRATES; crate++) {
        tape t;
        stage s;
        record_crates(&t, &s);
        change_number(&t, 3 * crate + 2, 0.375f, 0.5f); // its material
        cn_replay *replay = open_tape(&t, (cn_world_def){0});
        assert_done(cn_replay_seek(replay, STEPS));
        cn_desync desync = cn_replay_desync(replay);
        assert_true(desync.found);
        assert_int_equal(desync.step, 0);
        assert_int_equal(desync.call, 3 * CRATES);
        assert_int_equal(desync.bodies, 1);
        assert_true(desync.body.id == s.crates[crate].id);
        assert_true(desync.recorded == s.hashes[1] && desync.replayed != s.hashes[1]);
        cn_replay_destroy(replay);
        free(t.bytes);
    }
}

static void a_body_that_is_missing_is_found(void **state) {
    (void)state;
    tape t;
    stage s;
    record_crates(&t, &s);
    change_number(&t, 3 * (CRATES - 1), 4 * (CRATES - 1), NAN); // the position of the last crate
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    assert_done(cn_replay_seek(replay, 1));
    cn_desync desync = cn_replay_desync(replay);
    assert_true(desync.found);
    assert_int_equal(desync.bodies, 1);
    assert_int_equal(desync.slot, CRATES); // the floor is in slot 0
    assert_true(desync.body.id == 0);
    cn_replay_destroy(replay);
    free(t.bytes);
}

// Records a single body, in a world that had more bodies before it was restored.
static void record_restored(tape *t, cn_body *body) {
    tape saved = {0};
    cn_world *world = make_world(10);
    *body = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(1, 1)});
    saved.size = cn_world_save(world, CN_SAVE_ALL, NULL, 0);
    saved.bytes = malloc(saved.size);
    cn_world_save(world, CN_SAVE_ALL, saved.bytes, saved.size);
    for (int i = 1; i < 6; i++) cn_body_create(world, &(cn_body_def){.position = point(4 * i, 0)});
    begin_tape(t, world);
    assert_done(cn_world_step(world, STEP));
    assert_done(cn_world_restore(world, saved.bytes, saved.size));
    for (int i = 0; i < 2; i++) assert_done(cn_world_step(world, STEP));
    assert_done(cn_recording_end(world));
    cn_world_destroy(world);
    free(saved.bytes);
}

static void bodies_from_before_a_restore_do_not_differ(void **state) {
    (void)state;
    tape t;
    cn_body body;
    record_restored(&t, &body);
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    for (int i = 0; i < 3; i++) assert_done(cn_replay_next(replay));
    cn_body_set_velocity(cn_replay_world(replay), body, point(7, 0));
    assert_done(cn_replay_next(replay));
    cn_desync desync = cn_replay_desync(replay);
    assert_true(desync.found && desync.body.id == body.id);
    assert_int_equal(desync.bodies, 1);
    cn_replay_destroy(replay);
    free(t.bytes);
}

static void the_rest_of_a_recording_differs_in_the_same_step(void **state) {
    (void)state;
    tape t, rest = {0};
    stage s;
    record_crates(&t, &s);
    change_number(&t, 3 * CRATES + 99, 3, 4); // the impulse
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    assert_done(cn_replay_seek(replay, STEPS));
    cn_desync desync = cn_replay_desync(replay);
    assert_int_equal(desync.step, 99);
    assert_done(cn_replay_seek(replay, 99));
    rest.size = cn_replay_rest(replay, NULL, 0);
    rest.bytes = malloc(rest.size);
    assert_int_equal(cn_replay_rest(replay, rest.bytes, rest.size), rest.size);
    cn_replay *second = open_tape(&rest, (cn_world_def){0});
    assert_int_equal(cn_replay_at(second).calls, 1 + STEPS - 99);
    assert_true(cn_world_hash(cn_replay_world(second)) == s.hashes[99]);
    assert_done(cn_replay_next(second));
    assert_done(cn_replay_next(second));
    cn_desync again = cn_replay_desync(second);
    assert_true(again.found && again.step == 0 && again.call == 1);
    assert_true(again.replayed == desync.replayed && again.recorded == s.hashes[100]);
    assert_true(again.body.id == s.crates[1].id);
    cn_replay_destroy(second);
    cn_replay_destroy(replay);
    free(t.bytes), free(rest.bytes);
}

// Such a handle was refused in the recorded world, too.
static void a_stale_handle_does_not_forbid_the_rest(void **state) {
    (void)state;
    tape t, rest = {0};
    cn_world *world = make_world(10);
    cn_body stale = cn_body_create(world, &(cn_body_def){0});
    cn_body_destroy(world, stale);
    begin_tape(&t, world);
    cn_body body = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(1, 1)});
    assert_false(cn_body_set_asleep(world, stale, false));
    run(world, 10);
    cn_body_set_velocity(world, body, point(3, 0));
    run(world, 10);
    assert_done(cn_recording_end(world));
    cn_world_destroy(world);
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    assert_done(cn_replay_seek(replay, 10));
    rest.size = cn_replay_rest(replay, NULL, 0);
    assert_true(rest.size > 0);
    rest.bytes = malloc(rest.size);
    assert_int_equal(cn_replay_rest(replay, rest.bytes, rest.size), rest.size);
    assert_true(plays_alike(&rest, (cn_world_def){0}));
    cn_replay_destroy(replay);
    free(t.bytes), free(rest.bytes);
}

// ---- calls that are left out

static void leaving_out_calls_does_not_shift_handles(void **state) {
    (void)state;
    tape t, cut = {0};
    stage s;
    record_crates(&t, &s);
    uint8_t kept[3 * CRATES + STEPS + 1];
    memset(kept, 1, sizeof kept);
    kept[0] = 0;     // the first crate: its shape and material cannot be made either
    kept[3 + 2] = 0; // the material of the second crate
    size_t size = cn_recording_cut(t.bytes, t.size, kept, (int)sizeof kept, NULL, 0);
    cut.bytes = malloc(size), cut.size = size;
    assert_int_equal(cn_recording_cut(t.bytes, t.size, kept, (int)sizeof kept, cut.bytes, size),
                     size);
    assert_true(plays_alike(&cut, (cn_world_def){0})); // there are no hashes to compare
    cn_replay *replay = open_tape(&cut, (cn_world_def){0});
    assert_done(cn_replay_seek(replay, STEPS));
    cn_world *world = cn_replay_world(replay);
    assert_int_equal(cn_world_counters(world).bodies, CRATES); // with the floor
    for (int i = 1; i < CRATES; i++) { // each body has the slot of the one before it
        cn_shape shape = cn_body_next_shape(world, cn_world_body_in_slot(world, i), (cn_shape){0});
        float friction = cn_shape_material(world, shape).friction;
        assert_true(friction == (i == 1 ? 0.6f : 0.375f));
    }
    cn_replay_destroy(replay);
    assert_int_equal(cn_recording_cut(t.bytes, t.size, kept, 3, NULL, 0), 0);
    free(t.bytes), free(cut.bytes);
}

// The first body is left out, so that the shapes of the second one are in other slots.
static void shapes_of_a_body_keep_their_names_in_a_cut(void **state) {
    (void)state;
    const cn_shape_def shapes[2] = {{.hull = cn_circle(1)}, {.hull = cn_box(1, 2)}};
    const cn_body_def def = {.shapes = shapes, .shape_count = 2};
    tape t;
    cn_world *world = make_world(10);
    begin_tape(&t, world);
    cn_body_create(world, &def);
    cn_body body = cn_body_create(world, &def);
    cn_shape second = cn_body_next_shape(world, body, first_shape(world, body));
    assert_done(cn_shape_set_density(world, second, 7));
    assert_done(cn_recording_end(world));
    cn_world_destroy(world);
    const uint8_t kept[3] = {0, 1, 1};
    unsigned char *cut = malloc(t.size);
    size_t size = cn_recording_cut(t.bytes, t.size, kept, 3, cut, t.size);
    cn_replay *replay = cn_replay_create(&(cn_world_def){0}, cut, size);
    for (int i = 0; i < 2; i++) assert_done(cn_replay_next(replay));
    cn_world *played = cn_replay_world(replay);
    body = cn_world_next_body(played, (cn_body){0});
    cn_shape first = first_shape(played, body);
    assert_true((first.id & 0xFFFFFF) == 0 && cn_shape_density(played, first) == 1);
    assert_true(cn_shape_density(played, cn_body_next_shape(played, body, first)) == 7);
    cn_replay_destroy(replay);
    free(cut), free(t.bytes);
}

static void cutting_nothing_changes_nothing(void **state) {
    (void)state;
    tape t;
    stage s;
    record_crates(&t, &s);
    uint8_t kept[3 * CRATES + STEPS + 1];
    memset(kept, 1, sizeof kept);
    unsigned char *copy = malloc(t.size);
    assert_int_equal(cn_recording_cut(t.bytes, t.size, kept, (int)sizeof kept, copy, t.size),
                     t.size);
    assert_memory_equal(copy, t.bytes, t.size);
    free(copy), free(t.bytes);
}

// ---- before_step

static void push_crate(cn_world *world, float time_step, void *user) {
    stage *s = user;
    assert_true(time_step > 0);
    s->pushes++;
    cn_body_apply_force(world, s->crates[0], point(20, 0));
    s->crates[1] = cn_body_create(world, &(cn_body_def){.position = point(0, 5)});
    assert_false(cn_recording_end(world));
}

static void calls_of_before_step_are_replayed_in_it(void **state) {
    (void)state;
    tape t;
    stage s = {0};
    cn_world *world = make_world(10);
    s.crates[0] = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(1, 1)});
    cn_callbacks callbacks = {.before_step = push_crate, .user = &s};
    cn_world_set_callbacks(world, callbacks);
    begin_tape(&t, world);
    for (int i = 0; i < 20; i++) cn_world_advance(world, 0.02f);
    cn_body_destroy(world, s.crates[1]);
    cn_world_set_callbacks(world, (cn_callbacks){0});
    cn_world_advance(world, 0.5f);
    assert_done(cn_recording_end(world));
    assert_true(plays_alike(&t, (cn_world_def){0}));
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    while (!is_at_end(replay)) assert_done(cn_replay_next(replay));
    assert_true(cn_world_hash(cn_replay_world(replay)) == cn_world_hash(world));
    assert_int_equal(cn_replay_at(replay).steps, s.pushes + 8);
    assert_int_equal(cn_replay_at(replay).calls, 20 + 2 * s.pushes + 3);
    cn_replay_destroy(replay);
    cn_world_destroy(world);
    free(t.bytes);
}

static void never_called(cn_error_kind kind, const char *text, void *user) {
    (void)kind, (void)user;
    fail_msg("%s", text);
}

static void a_replay_repeats_no_hints(void **state) {
    (void)state;
    tape t;
    cn_world *world = make_world(10);
    cn_body crate = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(1, 1)});
    begin_tape(&t, world);
    assert_int_equal(cn_world_advance(world, 16.5f), 8);
    assert_int_equal(cn_error_code(), CN_ERROR_HINT);
    assert_done(cn_body_apply_torque(world, crate, 5));
    assert_done(cn_world_step(world, 0));
    run(world, 1);
    assert_done(cn_recording_end(world));
    cn_error_set_hook(never_called, NULL);
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    while (!is_at_end(replay)) assert_done(cn_replay_next(replay));
    cn_error_set_hook(NULL, NULL);
    assert_true(cn_world_hash(cn_replay_world(replay)) == cn_world_hash(world));
    cn_replay_destroy(replay);
    cn_world_destroy(world);
    free(t.bytes);
}

static void the_text_of_a_call_has_those_of_before_step(void **state) {
    (void)state;
    tape t;
    stage s = {0};
    cn_world *world = make_world(10);
    s.crates[0] = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(1, 1)});
    cn_world_set_callbacks(world, (cn_callbacks){.before_step = push_crate, .user = &s});
    begin_tape(&t, world);
    for (int i = 0; i < 2; i++) cn_world_advance(world, 0.02f);
    cn_world_set_substeps(world, 3);
    assert_done(cn_recording_end(world));
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    for (int i = 0; i < 2; i++) {
        assert_string_equal(cn_replay_text(replay),
                            "cn_world_advance(frame_seconds 0.0199999996)\n"
                            "    cn_body_apply_force(body 0.1, force {x 20})\n"
                            "    cn_body_create(def {position {y 5}, velocity {}})");
        assert_done(cn_replay_next(replay));
    }
    assert_string_equal(cn_replay_text(replay), "cn_world_set_substeps(substeps 3)");
    cn_replay_destroy(replay);
    cn_world_destroy(world);
    free(t.bytes);
}

// A call of before_step is left out, and so are the handles that it created. The other calls stay.
static void calls_of_before_step_can_be_left_out(void **state) {
    (void)state;
    tape t;
    stage s = {0};
    cn_world *world = make_world(10);
    s.crates[0] = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(1, 1)});
    cn_world_set_callbacks(world, (cn_callbacks){.before_step = push_crate, .user = &s});
    begin_tape(&t, world);
    for (int i = 0; i < 3; i++) assert_int_equal(cn_world_advance(world, 1.0f / 60), 1);
    assert_done(cn_recording_end(world));
    uint8_t kept[9] = {1, 1, 0, 1, 0, 1, 1, 1, 1}; // a step, a force and a body, three times
    unsigned char *cut = malloc(t.size);
    size_t size = cn_recording_cut(t.bytes, t.size, kept, 9, cut, t.size);
    assert_in_range(size, 1, t.size - 1);
    cn_replay *replay = cn_replay_create(&(cn_world_def){0}, cut, size);
    assert_non_null(replay);
    while (!is_at_end(replay)) assert_done(cn_replay_next(replay));
    cn_counters counters = cn_world_counters(cn_replay_world(replay));
    assert_int_equal(counters.bodies, 1 + 3 - 1);
    assert_int_equal((int)counters.steps, 3);
    cn_replay_destroy(replay);
    cn_world_destroy(world);
    free(cut), free(t.bytes);
}

// The call that took a step is the outer one, not the last call of before_step.
static void a_difference_is_found_in_the_call_of_its_step(void **state) {
    (void)state;
    tape t;
    stage s = {0};
    cn_world *world = make_world(10);
    s.crates[0] = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(1, 1)});
    cn_world_set_callbacks(world, (cn_callbacks){.before_step = push_crate, .user = &s});
    begin_tape(&t, world);
    for (int i = 0; i < 60; i++) cn_world_advance(world, STEP);
    assert_done(cn_recording_end(world));
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    assert_done(cn_replay_seek(replay, 5));
    cn_body_set_velocity(cn_replay_world(replay), s.crates[0], point(7, 0));
    int call = cn_replay_at(replay).call;
    assert_memory_equal(cn_replay_text(replay), "cn_world_advance", 16);
    assert_done(cn_replay_seek(replay, 6));
    assert_true(cn_replay_at(replay).call > call + 1);
    cn_desync desync = cn_replay_desync(replay);
    assert_true(desync.found);
    assert_int_equal(desync.call, call);
    cn_replay_destroy(replay);
    cn_world_destroy(world);
    free(t.bytes);
}

// ---- answers

static bool refuses_all(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b, (void)user;
    return false;
}

// Returns the recording that a crash within a step leaves: all records before that of the step.
static void the_answers_of_a_step_that_crashed_are_replayed(void **state) {
    (void)state;
    tape t;
    cn_world *world = make_world(10);
    add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(1, 1)});
    add(world, (cn_body_def){.position = point(0.3, 0.3)}, (cn_shape_def){.hull = cn_box(1, 1)});
    flag_all_shapes(world);
    cn_world_set_callbacks(world, (cn_callbacks){.filter = refuses_all});
    begin_tape(&t, world);
    assert_done(cn_world_step(world, STEP));
    cn_record r = find_call(&t, 0);
    size_t end;
    do {
        end = r.next;
        assert_true(cn_read_record(t.bytes, t.size, end, &r));
    } while (r.kind != CN_RECORD_STEP);
    cn_replay *replay = cn_replay_create(&(cn_world_def){0}, t.bytes, end);
    assert_done(cn_replay_next(replay));
    assert_true(cn_world_hash(cn_replay_world(replay)) == cn_world_hash(world));
    cn_replay_destroy(replay);
    cn_world_destroy(world);
    free(t.bytes);
}

// The first body is left out, so that the shape of the third one, which got its slot, comes after
// that of the second one.
static void a_filter_answers_in_a_cut_in_which_shapes_change_their_order(void **state) {
    (void)state;
    tape t;
    cn_world *world = make_world(0);
    const cn_shape_def box = {.hull = cn_box(1, 1), .custom_filter = true};
    const cn_body_def def = {.shapes = &box, .shape_count = 1};
    cn_world_set_callbacks(world, (cn_callbacks){.filter = refuses_all});
    begin_tape(&t, world);
    cn_body first = cn_body_create(world, &def);
    cn_shape second = first_shape(world, cn_body_create(world, &def));
    assert_done(cn_body_destroy(world, first));
    run(world, 2);
    cn_shape third = first_shape(world, cn_body_create(world, &def));
    assert_true((third.id & 0xFFFFFF) < (second.id & 0xFFFFFF));
    run(world, 1);
    assert_done(cn_recording_end(world));
    cn_world_destroy(world);
    const uint8_t kept[7] = {0, 1, 0, 1, 1, 1, 1};
    unsigned char *cut = malloc(t.size);
    size_t size = cn_recording_cut(t.bytes, t.size, kept, 7, cut, t.size);
    cn_replay *replay = cn_replay_create(&(cn_world_def){0}, cut, size);
    for (int i = 0; i < 5; i++) assert_done(cn_replay_next(replay));
    assert_int_equal(cn_world_counters(cn_replay_world(replay)).bodies, 2);
    assert_int_equal(cn_world_contacts(cn_replay_world(replay), NULL, 0), 0);
    cn_replay_destroy(replay);
    free(cut), free(t.bytes);
}

static cn_pre_solve_result keep_contact(cn_world *world, const cn_contact *contact, void *user) {
    (void)world, (void)contact, (void)user;
    return (cn_pre_solve_result){0};
}

static bool accepts_some(const cn_world *world, cn_side side, void *user) {
    (void)world, (void)user;
    return side.body.id % 3 != 0;
}

static double seconds_since(clock_t start) {
    return (double)(clock() - start) / (double)CLOCKS_PER_SEC;
}

// A replay that read all answers of a step for each of them took hundreds of times as long.
static void answers_take_time_in_proportion_to_their_number(void **state) {
    (void)state;
    enum { SIDE = 40, RUN = 8 };
    tape t;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    for (int i = 0; i < SIDE * SIDE; i++)
        add(world, (cn_body_def){.position = point(i % SIDE, 0.5 + i / SIDE)},
            (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    flag_all_shapes(world);
    cn_world_set_callbacks(world, (cn_callbacks){.pre_solve = keep_contact});
    cn_explosion explosion = {.radius = 200, .impulse_per_length = 0.01f};
    explosion.query.accept = accepts_some;
    begin_tape(&t, world);
    clock_t start = clock();
    for (int i = 0; i < RUN; i++) {
        assert_done(cn_world_explode(world, &explosion));
        assert_done(cn_world_step(world, STEP));
    }
    double recorded = seconds_since(start);
    assert_done(cn_recording_end(world));
    cn_world_destroy(world);
    start = clock();
    assert_true(plays_alike(&t, (cn_world_def){0}));
    double replayed = seconds_since(start);
    if (replayed > 20 * recorded) print_error("%g s, %g s replayed\n", recorded, replayed);
    assert_true(replayed < 20 * recorded);
    free(t.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeking_gives_the_state_of_each_step),
        cmocka_unit_test(seeking_a_step_goes_back_over_the_calls_after_it),
        cmocka_unit_test(the_next_call_has_a_text),
        cmocka_unit_test(arguments_have_a_text),
        cmocka_unit_test(a_long_replay_goes_back_to_each_step),
        cmocka_unit_test(another_friction_is_found_with_its_body),
        cmocka_unit_test(a_body_that_is_missing_is_found),
        cmocka_unit_test(bodies_from_before_a_restore_do_not_differ),
        cmocka_unit_test(the_rest_of_a_recording_differs_in_the_same_step),
        cmocka_unit_test(a_stale_handle_does_not_forbid_the_rest),
        cmocka_unit_test(leaving_out_calls_does_not_shift_handles),
        cmocka_unit_test(shapes_of_a_body_keep_their_names_in_a_cut),
        cmocka_unit_test(cutting_nothing_changes_nothing),
        cmocka_unit_test(calls_of_before_step_are_replayed_in_it),
        cmocka_unit_test(a_replay_repeats_no_hints),
        cmocka_unit_test(the_text_of_a_call_has_those_of_before_step),
        cmocka_unit_test(a_difference_is_found_in_the_call_of_its_step),
        cmocka_unit_test(the_answers_of_a_step_that_crashed_are_replayed),
        cmocka_unit_test(a_filter_answers_in_a_cut_in_which_shapes_change_their_order),
        cmocka_unit_test(answers_take_time_in_proportion_to_their_number),
        cmocka_unit_test(calls_of_before_step_can_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
