/* Saves and recordings of builds with and without parts of the engine. A build that lacks a part
 * reads the saves of worlds that do not use the part, and refuses the others. A replay stops at a
 * call that needs a missing part. This test runs in both kinds of builds. */
#include "../../../engine/parts/parts.h"
#if CN_HAS_RECORDING
#include "../../../engine/parts/recording/recording.h"
#endif
#include "../../support/recordings.h"

#include <stdio.h>

enum { CAPACITY = 1 << 12, CHECKSUM = 32 }; // bytes; where the header has the checksum
#define HASH UINT64_C(0xbf8ee5e6ae430e56)   // of the world below, in a build with all parts

#if CN_HAS_FIELDS
static const bool has_fields = true;
#else
static const bool has_fields = false;
#endif
#if CN_HAS_TILES
static const bool has_tiles = true;
#else
static const bool has_tiles = false;
#endif

static cn_world *make_plain_world(void) {
    cn_world *world = make_world(GRAVITY);
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_DYNAMIC});
    cn_shape_create(world, body, &(cn_shape_def){.hull = cn_box(1, 1)});
    return world;
}

static void an_unused_part_adds_nothing_to_a_hash(void **state) {
    (void)state;
    cn_world *world = make_plain_world();
    if (cn_world_hash(world) != HASH)
        fail_msg("the hash is %016llx", (unsigned long long)cn_world_hash(world));
    cn_world_destroy(world);
}

static bool error_names(const char *part) {
    char text[64];
    snprintf(text, sizeof text, "this build has no part \"%s\"", part);
    return strstr(cn_error(), text);
}

// Makes a save that has data of a part. Each byte becomes a 1, in turn, and so does the number of
// fields and the number of grids. Returns the size of the first save that this build cannot read
// because it lacks the part; 0 if there is none.
static size_t save_with_part(cn_world *world, unsigned char bytes[CAPACITY], const char *part) {
    size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, CAPACITY);
    assert_in_range(size, 1, CAPACITY);
    for (int i = 0; i < 8; i++) bytes[CHECKSUM + i] = 0; // none
    assert_done(cn_world_restore(world, bytes, size));
    for (size_t i = CHECKSUM + 8; i < size; i++) {
        unsigned char kept = bytes[i];
        bytes[i] = 1;
        if (!cn_world_restore(world, bytes, size) && error_names(part)) return size;
        bytes[i] = kept;
    }
    return 0;
}

static void a_save_with_data_of_a_missing_part_names_the_part(void **state) {
    (void)state;
    unsigned char bytes[CAPACITY];
    cn_world *world = make_plain_world();
    assert_true((save_with_part(world, bytes, "fields") == 0) == has_fields);
    assert_true((save_with_part(world, bytes, "tiles") == 0) == has_tiles);
    cn_world_destroy(world);
}

// ---- replays

#if CN_HAS_RECORDING

// Records two calls that create sensors, the first one with a medium. It fails without the part
// fields. Stores where the second call begins.
static tape record_sensors(size_t *second) {
    tape t;
    cn_world *world = make_plain_world();
    cn_body body = cn_world_body(world, 0);
    cn_shape_def def = {.hull = cn_box(1, 1), .sensor = true, .medium.density = 1};
    begin_tape(&t, world);
    assert_true((cn_shape_create(world, body, &def).id != 0) == has_fields);
    *second = t.size;
    def.medium.density = 0;
    cn_shape_create(world, body, &def);
    assert_done(cn_recording_end(world));
    cn_world_destroy(world);
    return t;
}

static void a_call_that_lacked_a_part_when_it_was_recorded_fails_again(void **state) {
    (void)state;
    size_t second;
    tape t = record_sensors(&second);
    assert_true(plays_alike(&t, (cn_world_def){0}));
    free(t.bytes);
}

// Opens a recording. Its first call must fail, each time, because it needs this part.
static void assert_stops_for(const tape *t, const char *part) {
    cn_replay *replay = open_tape(t, (cn_world_def){0});
    for (int i = 0; i < 2; i++) {
        assert_false(cn_replay_next(replay));
        if (!error_names(part)) fail_msg("the error is: %s", cn_error());
    }
    assert_done(cn_replay_seek(replay, 0));
    cn_replay_destroy(replay);
}

// Without the record of the second call, the handle of its sensor seems to be that of the field, as
// in a recording of a build with fields.
static void a_replay_stops_at_a_medium_without_the_part_fields(void **state) {
    (void)state;
    if (has_fields) skip();
    size_t second;
    cn_record call;
    tape t = record_sensors(&second);
    assert_true(cn_read_record(t.bytes, t.size, second, &call));
    assert_int_equal(call.kind, CN_RECORD_CALL);
    memmove(t.bytes + second, t.bytes + call.next, t.size - call.next);
    t.size -= call.next - second;
    assert_stops_for(&t, "fields");
    free(t.bytes);
}

static void a_replay_stops_at_a_restore_that_needs_a_missing_part(void **state) {
    (void)state;
    const char *parts[] = {"fields", "tiles"};
    for (int i = 0; i < 2; i++) {
        unsigned char bytes[CAPACITY];
        cn_world *world = make_plain_world();
        size_t size = save_with_part(world, bytes, parts[i]);
        tape t;
        begin_tape(&t, world);
        assert_false(size && cn_world_restore(world, bytes, size));
        cn_world_destroy(world);
        if (size) assert_stops_for(&t, parts[i]);
        free(t.bytes);
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unused_part_adds_nothing_to_a_hash),
        cmocka_unit_test(a_save_with_data_of_a_missing_part_names_the_part),
#if CN_HAS_RECORDING
        cmocka_unit_test(a_call_that_lacked_a_part_when_it_was_recorded_fails_again),
        cmocka_unit_test(a_replay_stops_at_a_medium_without_the_part_fields),
        cmocka_unit_test(a_replay_stops_at_a_restore_that_needs_a_missing_part),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
