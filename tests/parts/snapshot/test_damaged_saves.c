/* Saved bytes with random changes: cn_world_load() refuses them, or makes a world that can be used.
 * It allocates at most a multiple of their size.
 *
 *     test_damaged_saves [count [seed]]     damages each save this many times
 */
#include "../../../demo/scenes/scene.h"
#include "../../support/meter.h"
#include "../../support/sleepers.h"

#include <stdio.h>

enum {
    HEADER_WORDS = 10,
    CHECKSUM_WORD = 8, // of two words; 0: the bytes have no checksum
    LARGEST = 1 << 18, // bytes: larger saves are left out
    STEPS = 3,
    BYTES_PER_BYTE = 200,   // of memory for a world, at most
    LEAST_MEMORY = 1 << 20, // bytes: of any world
};

static int count = 40;
static uint64_t chance = 1;
static int refused, accepted;

static int below(size_t most) { return (int)random_between(&chance, 0, (double)most); }

static uint32_t odd_word(uint32_t before) {
    const uint32_t odd[] = {0,          1,          2,          255,         0x7fffffff,
                            0x80000000, 0xffffffff, 0xfffffffe, 0x7f800000,  0x7fc00000,
                            0x7f7fffff, 0xff7fffff, before + 1, before - 1,  before ^ 1u << 31,
                            before * 2, before / 2, before + 7, before << 8, before ^ 4};
    return below(4) ? odd[below(20)] : before ^ 1u << below(32);
}

// Changes some words. Often the bytes are those of indices, so small numbers are likely.
static void damage(uint32_t *words, size_t size) {
    for (int i = 0; i < 1 + below(2); i++) {
        size_t at = HEADER_WORDS + (size_t)below(size / sizeof *words - HEADER_WORDS);
        words[at] = odd_word(words[at]);
    }
    words[CHECKSUM_WORD] = words[CHECKSUM_WORD + 1] = 0;
}

// Draws, reads and queries the world.
static void look_at(cn_world *world) {
    cn_contact contacts[16];
    cn_side sides[16];
    cn_hull box = cn_box(3, 2);
    cn_drawing drawing;
    cn_world_hash(world);
    cn_world_contacts(world, contacts, 16);
    cn_world_overlap(world, box, cn_pose_at(point(0, 1), 0), NULL, sides, 16);
    cn_world_cast_ray(world, point(-20, 5), point(40, -6), NULL);
    cn_world_draw(world, CN_DRAW_ALL, &drawing);
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;) {
        cn_body_contacts(world, b, contacts, 16);
        for (cn_shape s = {0}; (s = cn_body_next_shape(world, b, s)).id;) cn_shape_hull(world, s);
        for (cn_chain c = {0}; (c = cn_body_next_chain(world, b, c)).id;)
            for (cn_shape s = {0}; (s = cn_chain_next_segment(world, c, s)).id;)
                assert_true(cn_shape_chain(world, s).id == c.id);
    }
}

static void use(cn_world *world) {
    look_at(world);
    for (int i = 0; i < STEPS; i++) {
        cn_world_step(world, STEP);
        cn_world_events(world);
        look_at(world);
    }
    cn_body body = cn_world_next_body(world, (cn_body){0});
    if (body.id) assert_done(cn_body_destroy(world, body));
    add_box(world, (cn_body_def){.position = point(0, 3)});
    size_t size = cn_world_save(world, CN_SAVE_ALL, NULL, 0);
    void *bytes = malloc(size);
    assert_int_equal(cn_world_save(world, CN_SAVE_ALL, bytes, size), size);
    if (!cn_world_restore(world, bytes, size)) print_error("%s\n", cn_error());
    free(bytes);
    cn_world_step(world, STEP);
}

static void load(const void *bytes, size_t size) {
    meter m = {0};
    cn_world *world = cn_world_load(&(cn_world_def){.allocator = metered(&m)}, NULL, bytes, size);
    if (!world) {
        assert_int_equal(cn_error_code(), CN_ERROR_DATA);
        assert_int_equal(m.bytes, 0);
        refused++;
        return;
    }
    accepted++;
    assert_true(m.bytes < LEAST_MEMORY + BYTES_PER_BYTE * size);
    use(world);
    cn_world_destroy(world);
    assert_int_equal(m.bytes, 0);
}

static void check_scene(const scene *which) {
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){0}));
    for (int i = 0; i < 40; i++) assert_done(scene_step(&run, STEP));
    size_t size = cn_world_save(run.world, CN_SAVE_ALL, NULL, 0);
    for (int i = 0; i < count && size <= LARGEST; i++) {
        uint32_t *bytes = malloc(size);
        assert_int_equal(cn_world_save(run.world, CN_SAVE_ALL, bytes, size), size);
        damage(bytes, size);
        load(bytes, size);
        free(bytes);
    }
    scene_stop(&run);
}

static void damaged_saves_of_scenes_are_refused_or_can_be_used(void **state) {
    (void)state;
    for (const scene *const *list = demo_scenes; *list; list++) {
        if (getenv("CAIRN_SCENE") && strcmp(getenv("CAIRN_SCENE"), (*list)->name) != 0) continue;
        check_scene(*list);
    }
    print_message("%d refused, %d used\n", refused, accepted);
}

// Three chains, one without one of its segments, and a slot whose chain was destroyed.
static size_t save_chains(uint32_t *words, size_t capacity) {
    const vec2s points[] = {point(6, 0), point(3, -1), point(0, 0), point(-3, -1)};
    cn_world *world = make_world(10);
    cn_chain chains[4];
    for (int i = 0; i < 4; i++) {
        cn_body_def def = {.type = i % 2 ? CN_KINEMATIC : CN_STATIC};
        cn_body body = cn_body_create(world, &def);
        cn_chain_def chain = {.points = points, .count = 4, .closed = i == 0};
        chains[i] = cn_chain_create(world, body, &chain);
    }
    assert_done(cn_shape_destroy(world, cn_chain_next_segment(world, chains[0], (cn_shape){0})));
    assert_done(cn_chain_destroy(world, chains[1]));
    add_box(world, (cn_body_def){.position = point(0, 1)});
    for (int i = 0; i < 20; i++) assert_done(cn_world_step(world, STEP));
    size_t size = cn_world_save(world, CN_SAVE_ALL, words, capacity);
    assert_in_range(size, 1, capacity);
    cn_world_destroy(world);
    return size;
}

static void any_damage_to_a_word_of_a_world_with_chains_is_refused_or_can_be_used(void **state) {
    (void)state;
    static uint32_t words[4096], damaged[4096];
    size_t size = save_chains(words, sizeof words);
    for (size_t at = HEADER_WORDS; at < size / sizeof *words; at++) {
        for (int i = 0; i < 4; i++) {
            memcpy(damaged, words, size);
            damaged[at] = odd_word(words[at]);
            damaged[CHECKSUM_WORD] = damaged[CHECKSUM_WORD + 1] = 0;
            load(damaged, size);
        }
    }
}

int main(int arguments, char **texts) {
    if (arguments > 1) count = atoi(texts[1]);
    if (arguments > 2) chance = strtoull(texts[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_saves_of_scenes_are_refused_or_can_be_used),
        cmocka_unit_test(any_damage_to_a_word_of_a_world_with_chains_is_refused_or_can_be_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
