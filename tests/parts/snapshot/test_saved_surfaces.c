/* The surfaces of bodies follow from their shapes. So a world goes on with the same bits after a
 * load and after a rewind, although neither has surfaces. */
#include "../../support/floors.h"

enum { PIECES = 30 };

// Rafts, angles and blocks of touching boxes fall in a heap, on a raft that lies on the floor.
static cn_world *make_heap(void) {
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    for (int i = 0; i <= PIECES; i++) {
        cn_body_def def = {.position =
                               point(1.3 * (i % 5) - 2.6, 0.5 + 1.4 * (i / 5 + (i < PIECES))),
                           .angle = 0.7f * (float)(i < PIECES ? i : 0)};
        if (i == PIECES) def.position = point(0, 0.5);
        cn_body body = cn_body_create(world, &def);
        for (int k = 0; k < (i < PIECES ? 2 + i % 3 : 6); k++) {
            bool turned = i % 2 && k > 0 && i < PIECES;
            add_tile(world, body, turned ? 0 : 0.5 * k, turned ? 0.5 * k : 0, 0.25, 0.25);
        }
    }
    return world;
}

static void a_heap_of_compounds_goes_on_alike_after_a_load(void **state) {
    (void)state;
    static unsigned char bytes[1 << 20];
    cn_world *world = make_heap();
    for (int when = 0; when < 4; when++) {
        run(world, 25);
        size_t size = cn_world_save(world, CN_SAVE_ALL, bytes, sizeof bytes);
        assert_in_range(size, 1, sizeof bytes);
        cn_world *twin = cn_world_load(&(cn_world_def){0}, NULL, bytes, size);
        assert_done(twin != NULL);
        for (int i = 0; i < 30; i++) {
            run(world, 1), run(twin, 1);
            assert_true(cn_world_hash(world) == cn_world_hash(twin));
        }
        cn_world_destroy(twin);
    }
    cn_world_destroy(world);
}

// An edit changes contacts only beside known surfaces, so these must be the same after a rewind.
static void edits_of_compounds_have_the_same_effect_after_a_rewind(void **state) {
    (void)state;
    cn_world *world = make_heap();
    cn_rollback *rollback = cn_rollback_create(world, 4);
    uint64_t hashes[40];
    run(world, 60);
    assert_done(cn_rollback_keep(rollback, 0));
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 40; i++) {
            cn_body body = cn_world_body_in_slot(world, 1 + i % PIECES);
            if (i % 4 == 0) add_tile(world, body, -0.5, 0, 0.25, 0.25);
            if (i % 4 == 2) assert_done(cn_shape_destroy(world, first_shape(world, body)));
            run(world, 1);
            if (pass == 0) hashes[i] = cn_world_hash(world);
            assert_true(cn_world_hash(world) == hashes[i]);
        }
        assert_done(cn_rollback_rewind(rollback, 0));
    }
    cn_rollback_destroy(rollback);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heap_of_compounds_goes_on_alike_after_a_load),
        cmocka_unit_test(edits_of_compounds_have_the_same_effect_after_a_rewind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
