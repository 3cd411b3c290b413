/* Recordings and replays that are refused: calls at the wrong time, and damaged bytes. */
#include "replays.h"

#include <stdio.h>

// ---- refusals

static void recordings_are_refused_at_the_wrong_time(void **state) {
    (void)state;
    tape t;
    cn_world *world = make_world(10);
    assert_false(cn_recording_end(world));
    begin_tape(&t, world);
    assert_false(cn_recording_begin(world, (cn_recording_sink){write_to_tape, &t}));
    assert_false(cn_recording_begin(world, (cn_recording_sink){0}));
    t.limit = t.size + 100;
    run(world, 10);
    assert_false(cn_recording_end(world)); // the sink failed
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    t.limit = 10;
    assert_false(cn_recording_begin(world, (cn_recording_sink){write_to_tape, &t}));
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    t.limit = 0;
    free(t.bytes);
    begin_tape(&t, world);
    cn_world_destroy(world); // ends the recording
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    assert_true(cn_replay_at(replay).complete);
    cn_replay_destroy(replay);
    free(t.bytes);
}

static bool use_world_in_sink(const void *bytes, size_t size, void *user) {
    cn_world *world = *(cn_world **)user;
    (void)bytes, (void)size;
    cn_error_clear();
    assert_int_equal(cn_body_create(world, &(cn_body_def){0}).id, 0);
    assert_false(cn_world_step(world, STEP));
    assert_false(cn_recording_end(world));
    assert_int_equal(cn_world_save(world, CN_SAVE_ALL, NULL, 0), 0);
    cn_world_destroy(world);
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    return true;
}

static void a_sink_cannot_change_its_world(void **state) {
    (void)state;
    cn_world *world = make_world(10), *twin = make_world(10);
    assert_done(cn_recording_begin(world, (cn_recording_sink){use_world_in_sink, &world}));
    run(world, 10), run(twin, 10);
    assert_done(cn_recording_end(world));
    assert_true(cn_world_hash(world) == cn_world_hash(twin));
    cn_world_destroy(world);
    cn_world_destroy(twin);
}

static void the_world_of_a_replay_stays_with_it(void **state) {
    (void)state;
    tape t;
    cn_world *world = make_world(10);
    begin_tape(&t, world);
    cn_world_destroy(world);
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    cn_world *own = cn_replay_world(replay);
    cn_error_clear();
    cn_world_destroy(own);
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    assert_false(cn_recording_begin(own, (cn_recording_sink){write_to_tape, &t}));
    assert_non_null(strstr(cn_error(), "the world of a replay"));
    assert_true(cn_world_hash(own) != 0);
    cn_replay_destroy(replay);
    free(t.bytes);
}

// ---- bytes

static void try_bytes(const tape *t, size_t size) {
    unsigned char *copy = malloc(size ? size : 1); // so that reads past the end are detected
    memcpy(copy, t->bytes, size);
    cn_replay *replay = cn_replay_create(&(cn_world_def){0}, copy, size);
    if (replay) {
        while (!is_at_end(replay) && cn_replay_next(replay)) (void)cn_replay_text(replay);
        assert_false(cn_replay_desync(replay).found);
        cn_replay_destroy(replay);
    } else {
        assert_int_equal(cn_error_code(), CN_ERROR_DATA);
    }
    free(copy);
}

static void a_recording_may_be_cut_off_anywhere(void **state) {
    (void)state;
    tape t;
    stage s;
    record_crates(&t, &s);
    for (size_t size = 0; size < t.size; size += size < 3000 ? 1 : 97) try_bytes(&t, size);
    free(t.bytes);
}

static void damaged_bytes_are_errors(void **state) {
    (void)state;
    tape t;
    stage s;
    record_crates(&t, &s);
    for (size_t i = 0; i < t.size; i += i < 1500 ? 1 : 31) {
        t.bytes[i] ^= (unsigned char)(1 << i % 8);
        try_bytes(&t, t.size);
        t.bytes[i] ^= (unsigned char)(1 << i % 8);
    }
    free(t.bytes);
}

// Expects that no replay is made of the bytes, with this text in the error.
static void refuse(const tape *t, const char *text) {
    cn_error_clear();
    assert_null(cn_replay_create(&(cn_world_def){0}, t->bytes, t->size));
    assert_int_equal(cn_error_code(), CN_ERROR_DATA);
    if (!strstr(cn_error(), text)) fail_msg("the error is: %s", cn_error());
}

static void a_recording_of_another_version_is_refused(void **state) {
    (void)state;
    tape t;
    stage s;
    char text[100];
    record_crates(&t, &s);
    for (int format = 1; format < CN_FORMAT + 3; format++) {
        if (format == CN_FORMAT) continue;
        t.bytes[4] = (unsigned char)format;
        snprintf(text, sizeof text,
                 "format of the recording is %d; this version of the engine reads %d", format,
                 CN_FORMAT);
        refuse(&t, text);
    }
    t.bytes[4] = CN_FORMAT;
    t.bytes[8] ^= 1; // of the hash of its functions
    refuse(&t, "with other functions");
    free(t.bytes);
}

// If a call cannot be played, the calls before it still can.
static void a_replay_that_failed_can_go_back(void **state) {
    (void)state;
    tape t;
    stage s;
    record_crates(&t, &s);
    cn_record r = find_call(&t, 3 * CRATES + 60);
    t.bytes[r.data] = 0xff; // the number of the function
    cn_write_record_header(t.bytes + r.data, r.kind, r.size);
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    for (int i = 0; i < 2; i++) {
        assert_false(cn_replay_seek(replay, STEPS));
        assert_int_equal(cn_error_code(), CN_ERROR_DATA);
        assert_int_equal(cn_replay_at(replay).step, 60);
        assert_done(cn_replay_seek(replay, 50));
        assert_true(cn_world_hash(cn_replay_world(replay)) == s.hashes[50]);
    }
    cn_replay_destroy(replay);
    free(t.bytes);
}

// Such bytes are damaged, but a cut of them has the same records.
static void a_cut_may_have_an_empty_step(void **state) {
    (void)state;
    tape t;
    stage s;
    record_crates(&t, &s);
    uint8_t kept[3 * CRATES + STEPS + 1] = {0};
    cn_record r = find_call(&t, 3 * CRATES), step;
    assert_true(cn_read_record(t.bytes, t.size, r.next, &step) && step.kind == CN_RECORD_STEP);
    unsigned char header[CN_HEADER_ROOM];
    unsigned char *from = cn_write_record_header(header + CN_HEADER_ROOM, CN_RECORD_STEP, 0);
    size_t length = (size_t)(header + CN_HEADER_ROOM - from);
    memcpy(t.bytes + r.next, from, length);
    memmove(t.bytes + r.next + length, t.bytes + step.next, t.size - step.next);
    size_t size = t.size - step.next + r.next + length;
    memset(kept + 1, 1, sizeof kept - 1);
    unsigned char *cut = malloc(size);
    size = cn_recording_cut(t.bytes, size, kept, (int)sizeof kept, cut, size);
    cn_replay *replay = cn_replay_create(&(cn_world_def){0}, cut, size);
    assert_non_null(replay);
    assert_false(cn_replay_seek(replay, 1));
    assert_int_equal(cn_error_code(), CN_ERROR_DATA);
    cn_replay_destroy(replay);
    free(cut), free(t.bytes);
}

// Damages the data of records, with correct checksums.
static void bad_data_of_records_are_no_crash(void **state) {
    (void)state;
    tape t;
    stage s;
    record_crates(&t, &s);
    uint64_t chance = 5;
    cn_record r;
    for (size_t at = CN_FILE_HEADER; at < t.size; at = r.next) {
        assert_true(cn_read_record(t.bytes, t.size, at, &r));
        if (r.kind == CN_RECORD_START || r.size == 0) continue;
        unsigned char *data = t.bytes + r.data;
        size_t i = (size_t)random_between(&chance, 0, (double)r.size);
        unsigned char kept = data[i];
        data[i] = (unsigned char)random_between(&chance, 0, 256);
        cn_write_record_header(data, r.kind, r.size);
        cn_replay *replay = cn_replay_create(&(cn_world_def){0}, t.bytes, t.size);
        assert_non_null(replay);
        while (!is_at_end(replay) && cn_replay_next(replay)) (void)cn_replay_text(replay);
        cn_replay_destroy(replay);
        data[i] = kept;
        cn_write_record_header(data, r.kind, r.size);
    }
    free(t.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recordings_are_refused_at_the_wrong_time),
        cmocka_unit_test(a_sink_cannot_change_its_world),
        cmocka_unit_test(the_world_of_a_replay_stays_with_it),
        cmocka_unit_test(a_recording_may_be_cut_off_anywhere),
        cmocka_unit_test(damaged_bytes_are_errors),
        cmocka_unit_test(a_recording_of_another_version_is_refused),
        cmocka_unit_test(a_replay_that_failed_can_go_back),
        cmocka_unit_test(a_cut_may_have_an_empty_step),
        cmocka_unit_test(bad_data_of_records_are_no_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
