/* Saves and recordings of builds with and without parts of the engine. A build that lacks a part
 * reads the saves of worlds that do not use the part, and refuses the others. A replay stops at a
 * call that needs a missing part. This test runs in both kinds of builds. */
#include "../../../engine/parts/parts.h"
#if CN_HAS_RECORDING
#include "../../../engine/parts/recording/recording.h"
#endif
#include "../../support/recordings.h"

#include <stdio.h>

enum { CAPACITY = 1 << 12, HEADER = 40 };  // bytes
enum { SCENERY_BYTES = 8, CHECKSUM = 32 }; // places of numbers in the header
// Of the world below, in a build with all parts.
#define HASH       UINT64_C(0xf1e37b959c51d3e4)
#define SAVED_SIZE 717
#define SAVED_HASH UINT64_C(0x26054703c5ae2387)

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

static void an_unused_part_adds_nothing_to_a_hash_or_a_save(void **state) {
    (void)state;
    unsigned char bytes[CAPACITY];
    cn_world *world = make_plain_world();
    size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, CAPACITY);
    uint64_t hash = cn_world_hash(world), saved = 0;
    for (size_t i = 0; i < size; i++) saved = (saved ^ bytes[i]) * 0x9E3779B97F4A7C15u;
    if (hash != HASH || size != SAVED_SIZE || saved != SAVED_HASH)
        fail_msg("the hash is %016llx, and that of %d saved bytes is %016llx",
                 (unsigned long long)hash, (int)size, (unsigned long long)saved);
    cn_world_destroy(world);
}

static bool error_names(const char *part) {
    char text[64];
    snprintf(text, sizeof text, "this build has no part \"%s\"", part);
    return strstr(cn_error(), text);
}

static unsigned char *bits_of_scenery(unsigned char *bytes) { return bytes + HEADER; }
static unsigned char *bits_of_moving_part(unsigned char *bytes) {
    return bytes + HEADER + bytes[SCENERY_BYTES];
}

// Saves a world without a checksum. It uses no part.
static size_t save_plain(const cn_world *world, unsigned char bytes[CAPACITY]) {
    size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, CAPACITY);
    assert_in_range(size, 1, CAPACITY);
    assert_in_range(bytes[SCENERY_BYTES], 1, 255); // the number fits into this byte
    for (int i = 0; i < 8; i++) bytes[CHECKSUM + i] = 0;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(bits_of_scenery(bytes)[i], 0);
        assert_int_equal(bits_of_moving_part(bytes)[i], 0);
    }
    return size;
}

static bool is_missing(int part) { return part == CN_FIELDS ? !has_fields : !has_tiles; }

// Expects that the bytes are refused and the world keeps its state. If a part is missing, the error
// must name it.
static void refuse_bit(cn_world *world, const unsigned char *bytes, size_t size, int bit) {
    uint64_t hash = cn_world_hash(world);
    cn_error_clear();
    assert_false(cn_world_restore(world, bytes, size));
    bool names = bit < CN_PARTS_WITH_DATA && is_missing(bit)
                     ? error_names(cn_part_names[bit])
                     : strstr(cn_error(), "damaged") != NULL;
    if (!names) fail_msg("bit %d: the error is: %s", bit, cn_error());
    assert_true(cn_world_hash(world) == hash);
}

// The bit is that of a missing part, of no part, or of a part without data.
static void a_wrong_bit_of_a_part_is_refused(void **state) {
    (void)state;
    unsigned char bytes[CAPACITY];
    cn_world *world = make_plain_world();
    size_t size = save_plain(world, bytes);
    unsigned char *words[] = {bits_of_scenery(bytes), bits_of_moving_part(bytes)};
    for (int i = 0; i < 2; i++) {
        for (int bit = 0; bit < 32; bit++) {
            words[i][bit / 8] = (unsigned char)(1 << bit % 8);
            refuse_bit(world, bytes, size, bit);
            words[i][bit / 8] = 0;
        }
        assert_done(cn_world_restore(world, bytes, size));
    }
    assert_true(cn_world_hash(world) == HASH);
    cn_world_destroy(world);
}

// ---- replays

#if CN_HAS_RECORDING

// Records two calls that create sensors, the first one with a medium. It fails without the part
// fields. Stores where the second call begins.
static tape record_sensors(size_t *second) {
    tape t;
    cn_world *world = make_plain_world();
    cn_body body = cn_world_body_in_slot(world, 0);
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

// Opens a recording. Each attempt to play its first call must fail, because the call needs this
// part.
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

// Saves a world with the bit of a part, as if it had data there.
static size_t save_with_part(const cn_world *world, unsigned char bytes[CAPACITY], int part) {
    size_t size = save_plain(world, bytes);
    *bits_of_moving_part(bytes) = (unsigned char)(1 << part);
    return size;
}

static void a_replay_stops_at_a_restore_that_needs_a_missing_part(void **state) {
    (void)state;
    for (int part = 0; part < CN_PARTS_WITH_DATA; part++) {
        unsigned char bytes[CAPACITY];
        cn_world *world = make_plain_world();
        size_t size = save_with_part(world, bytes, part);
        tape t;
        begin_tape(&t, world);
        assert_false(cn_world_restore(world, bytes, size));
        cn_world_destroy(world);
        if (is_missing(part)) assert_stops_for(&t, cn_part_names[part]);
        free(t.bytes);
    }
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unused_part_adds_nothing_to_a_hash_or_a_save),
        cmocka_unit_test(a_wrong_bit_of_a_part_is_refused),
#if CN_HAS_RECORDING
        cmocka_unit_test(a_call_that_lacked_a_part_when_it_was_recorded_fails_again),
        cmocka_unit_test(a_replay_stops_at_a_medium_without_the_part_fields),
        cmocka_unit_test(a_replay_stops_at_a_restore_that_needs_a_missing_part),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
