/* Saves of builds with and without parts of the engine. A build that lacks a part reads the saves
 * of worlds that do not use the part, and refuses the others. This test runs in both kinds of
 * builds. */
#include "../../../engine/parts/parts.h"
#include "../../support/physics.h"

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

// Each byte becomes a 1, in turn, and so does the number of fields and the number of grids.
static void a_save_with_data_of_a_missing_part_names_the_part(void **state) {
    (void)state;
    unsigned char bytes[CAPACITY], damaged[CAPACITY];
    bool names_fields = false, names_tiles = false;
    cn_world *world = make_plain_world();
    size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, sizeof bytes);
    assert_in_range(size, 1, sizeof bytes);
    for (int i = 0; i < 8; i++) bytes[CHECKSUM + i] = 0; // none
    assert_done(cn_world_restore(world, bytes, size));
    for (size_t i = CHECKSUM + 8; i < size; i++) {
        memcpy(damaged, bytes, size);
        damaged[i] = 1;
        if (cn_world_restore(world, damaged, size)) continue;
        names_fields = names_fields || strstr(cn_error(), "has no part \"fields\"");
        names_tiles = names_tiles || strstr(cn_error(), "has no part \"tiles\"");
    }
    assert_true(names_fields == !has_fields);
    assert_true(names_tiles == !has_tiles);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unused_part_adds_nothing_to_a_hash),
        cmocka_unit_test(a_save_with_data_of_a_missing_part_names_the_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
