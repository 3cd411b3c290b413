/* cn_rollback: a kept state is restored bit for bit. cn_world_compare(): which object differs. */
#include "../../../demo/scenes/scene.h"
#include "../../../engine/core/world/world.h"
#include "../../support/floors.h"
#include "../../support/meter.h"
#include "../../support/recordings.h"
#include "../../support/sleepers.h"

#include <stdio.h>

enum { FRAMES = 20, PILE = 6 };

static cn_world *make_pile(cn_body *bodies) {
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    for (int i = 0; i < PILE; i++)
        bodies[i] = add_box(world, (cn_body_def){.position = point(0.1 * i, 0.6 + 1.1 * i)});
    return world;
}

// The input of a step: a push that depends on its number.
static void take_step(cn_world *world, const cn_body *bodies, int number) {
    if (number % 3 == 0)
        assert_done(cn_body_apply_impulse_at(world, bodies[number % PILE], point(number % 7 - 3, 1),
                                             cn_body_center(world, bodies[number % PILE])));
    assert_done(cn_world_step(world, STEP));
}

static void kept_states_come_back(void **state) {
    (void)state;
    enum { STEPS = 200 };
    cn_body bodies[PILE];
    cn_world *world = make_pile(bodies);
    cn_rollback *rollback = cn_rollback_create(world, FRAMES);
    assert_non_null(rollback);
    assert_int_equal(cn_rollback_newest(rollback), -1);
    uint64_t hashes[STEPS], chance = 3;
    for (int step = 0; step < STEPS; step++) {
        hashes[step] = cn_world_hash(world);
        assert_done(cn_rollback_keep(rollback, step));
        take_step(world, bodies, step);
        int back = (int)random_between(
            &chance, 0, cn_rollback_newest(rollback) - cn_rollback_oldest(rollback) + 1);
        uint64_t after = cn_world_hash(world);
        assert_done(cn_rollback_rewind(rollback, step - back));
        for (int k = step - back; k <= step; k++) {
            assert_true(cn_world_hash(world) == hashes[k]);
            assert_done(cn_rollback_keep(rollback, k)); // drops the states after it
            take_step(world, bodies, k);
        }
        assert_true(cn_world_hash(world) == after);
    }
    cn_rollback_destroy(rollback);
    cn_world_destroy(world);
}

static void refuse(cn_rollback *rollback, int number) {
    cn_error_clear();
    assert_false(cn_rollback_rewind(rollback, number));
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
}

static void a_ring_forgets_the_oldest_and_those_that_are_kept_anew(void **state) {
    (void)state;
    cn_body bodies[PILE];
    cn_world *world = make_pile(bodies);
    cn_rollback *rollback = cn_rollback_create(world, FRAMES);
    for (int i = 0; i < 3 * FRAMES; i++) assert_done(cn_rollback_keep(rollback, 10 * i));
    assert_int_equal(cn_rollback_oldest(rollback), 20 * FRAMES);
    assert_int_equal(cn_rollback_newest(rollback), 10 * (3 * FRAMES - 1));
    refuse(rollback, 10), refuse(rollback, 20 * FRAMES + 5);
    assert_done(cn_rollback_keep(rollback, 20 * FRAMES + 15));
    assert_int_equal(cn_rollback_newest(rollback), 20 * FRAMES + 15);
    refuse(rollback, 20 * FRAMES + 20);
    char range[40];
    snprintf(range, sizeof range, "from %d to %d", 20 * FRAMES, 20 * FRAMES + 15);
    assert_non_null(strstr(cn_error(), range));
    assert_done(cn_rollback_rewind(rollback, 20 * FRAMES + 10));
    assert_false(cn_rollback_keep(rollback, -1)); // this means that no state is kept
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
    assert_done(cn_rollback_keep(rollback, 0));
    assert_int_equal(cn_rollback_oldest(rollback), 0);
    cn_rollback_destroy(rollback);
    cn_rollback_destroy(NULL);
    assert_null(cn_rollback_create(world, 0));
    assert_false(cn_rollback_keep(NULL, 0));
    cn_world_destroy(world);
}

// Static bodies are created and destroyed between the frames.
static void scenery_comes_back(void **state) {
    (void)state;
    cn_body bodies[PILE], walls[FRAMES];
    cn_world *world = make_pile(bodies);
    cn_rollback *rollback = cn_rollback_create(world, FRAMES);
    uint64_t hashes[FRAMES];
    for (int i = 0; i < FRAMES; i++) {
        hashes[i] = cn_world_hash(world);
        assert_done(cn_rollback_keep(rollback, i));
        walls[i] = add_static(world);
        add_tile(world, walls[i], i - 5, 1, 0.2, 0.2);
        if (i % 3 == 2) assert_done(cn_body_destroy(world, walls[i - 1]));
        run(world, 1);
    }
    for (int i = FRAMES - 1; i >= 0; i -= i % 3 + 1) {
        assert_done(cn_rollback_rewind(rollback, i));
        assert_true(cn_world_hash(world) == hashes[i]);
        assert_int_equal(cn_body_valid(world, walls[i]), false);
    }
    cn_rollback_destroy(rollback);
    cn_world_destroy(world);
}

// Adds a field, and a grid of tiles.
static cn_grid use_parts(cn_world *world, cn_body body) {
    const cn_tile tile = {.solid = true};
    cn_grid_def def = {.tiles = &tile, .width = 1, .height = 1, .tile_size = 1};
    cn_shape_def water = {.hull = cn_box(2, 1), .sensor = true, .medium = {.density = 1}};
    assert_true(cn_shape_create(world, body, &water).id);
    cn_grid grid = cn_grid_create(world, cn_world_body_in_slot(world, 0), &def);
    assert_true(grid.id);
    run(world, 2);
    return grid;
}

// State 0 has no data of parts. State 1 has a field, and the slot of a grid that was destroyed, so
// its scenery is that of state 0. State 2 has two fields and a grid.
static void a_state_without_data_of_parts_comes_back(void **state) {
    (void)state;
    cn_body bodies[PILE];
    cn_world *world = make_pile(bodies);
    cn_rollback *rollback = cn_rollback_create(world, FRAMES);
    uint64_t hashes[3];
    cn_grid grids[2];
    for (int i = 0; i < 3; i++) {
        hashes[i] = cn_world_hash(world);
        assert_done(cn_rollback_keep(rollback, i));
        if (i < 2) grids[i] = use_parts(world, bodies[3]);
        if (i == 0) assert_done(cn_grid_destroy(world, grids[0]));
    }
    const int order[] = {2, 1, 0, 1, 2, 0, 2, 1, 0};
    for (int i = 0; i < 9; i++) {
        assert_done(cn_rollback_rewind(rollback, order[i]));
        assert_true(cn_world_hash(world) == hashes[order[i]]);
    }
    assert_true(use_parts(world, bodies[3]).id == grids[0].id);
    assert_done(cn_grid_destroy(world, grids[0]));
    assert_true(cn_world_hash(world) == hashes[1]);
    cn_rollback_destroy(rollback);
    cn_world_destroy(world);
}

// A replay has no kept states. The recording has the state to which the world was rewound.
static void a_recorded_world_can_be_rewound(void **state) {
    (void)state;
    cn_body bodies[PILE];
    cn_world *world = make_pile(bodies);
    cn_rollback *rollback = cn_rollback_create(world, FRAMES);
    assert_done(cn_rollback_keep(rollback, 0));
    tape recorded;
    begin_tape(&recorded, world);
    for (int step = 1; step < 30; step++) {
        assert_done(cn_rollback_keep(rollback, step));
        take_step(world, bodies, step);
        if (step % 7 == 0) assert_done(cn_rollback_rewind(rollback, step - 5));
    }
    assert_done(cn_recording_end(world));
    assert_true(plays_alike(&recorded, (cn_world_def){.lanes = 1}));
    free(recorded.bytes);
    cn_rollback_destroy(rollback);
    cn_world_destroy(world);
}

static void a_rollback_that_gets_no_memory_keeps_the_world(void **state) {
    (void)state;
    meter m = {0};
    cn_world *world =
        cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .allocator = metered(&m)});
    add_floor(world, (cn_material){0});
    cn_body body = add_box(world, (cn_body_def){.position = point(0, 3)});
    for (int call = 1, done = 0; !done; call++) {
        fail_at(&m, call);
        cn_rollback *rollback = cn_rollback_create(world, 4);
        uint64_t hash = cn_world_hash(world);
        done = rollback && cn_rollback_keep(rollback, 1) && !has_failed(&m);
        assert_true(cn_world_hash(world) == hash);
        fail_at(&m, 0);
        if (done) {
            assert_done(cn_body_set_velocity(world, body, point(1, 0)));
            assert_done(cn_rollback_rewind(rollback, 1));
            assert_true(cn_world_hash(world) == hash);
        }
        cn_rollback_destroy(rollback);
    }
    cn_world_destroy(world);
    assert_int_equal(m.bytes, 0);
}

// Keys arrive 4 to 10 steps late and in another order, and three of ten packets are lost.
static void two_machines_stay_equal_over_a_bad_network(void **state) {
    (void)state;
    scene_run run;
    assert_done(scene_start(&run, scene_find("rollback"), (cn_world_def){0}));
    for (int i = 0; i < 1200; i++) assert_done(scene_step(&run, STEP));
    sketch picture = {0};
    run.scene->draw(&run, &picture);
    const sketch_item *first = NULL; // note
    for (int i = 0; i < picture.count && !first; i++)
        if (picture.items[i].kind == SKETCH_NOTE) first = &picture.items[i];
    assert_non_null(first);
    assert_string_equal(first->text.content, "0 steps in which the worlds differed");
    sketch_free(&picture);
    scene_stop(&run);
}

// ---- differences

typedef struct {
    cn_world *world;
    cn_body bodies[PILE];
    cn_shape shape; // of body 3
    cn_joint joint; // of bodies 1 and 2
    cn_grid tiles;
} setting;

static setting make_setting(void) {
    setting s;
    s.world = make_pile(s.bodies);
    s.shape = first_shape(s.world, s.bodies[3]);
    s.joint = cn_joint_create(s.world, (cn_joint_def){.a = s.bodies[1], .b = s.bodies[2]});
    cn_grid_def def = {.width = 4, .height = 2, .tile_size = 1};
    const uint8_t solid[8] = {1, 1};
    def.solid = solid;
    s.tiles = cn_grid_create(s.world, add_static(s.world), &def);
    assert_true(s.joint.id && s.tiles.id);
    return s;
}

typedef bool change(setting *s);
static bool set_gravity(setting *s) { return cn_world_set_gravity(s->world, point(0, -9)); }
static bool set_velocity(setting *s) {
    return cn_body_set_velocity(s->world, s->bodies[4], point(0, 1e-6));
}
static bool set_friction(setting *s) {
    return cn_shape_set_material(s->world, s->shape, (cn_material){.friction = 0.61f});
}
static bool set_joint(setting *s) { return cn_joint_set_break(s->world, s->joint, 1e6f, 0); }
static bool set_tile(setting *s) { return cn_grid_set_solid(s->world, s->tiles, 3, 1, true); }
static bool set_drop_through(setting *s) {
    return cn_body_drop_through(s->world, s->bodies[2], 0.5f);
}
static bool set_user_data(setting *s) {
    return cn_body_set_user_data(s->world, s->bodies[2], 7) &&
           cn_shape_set_user_data(s->world, s->shape, 8) &&
           cn_joint_set_user_data(s->world, s->joint, 9);
}

// Compares two equal worlds after a change of the second one.
static cn_difference difference_after(change *make, int steps) {
    setting a = make_setting(), b = make_setting();
    run(a.world, 20), run(b.world, 20);
    assert_int_equal(cn_world_compare(a.world, b.world).part, CN_PART_NONE);
    assert_done(make(&b));
    run(a.world, steps), run(b.world, steps);
    cn_difference d = cn_world_compare(a.world, b.world);
    assert_true(!d.body.id || cn_body_valid(a.world, d.body));
    cn_world_destroy(a.world);
    cn_world_destroy(b.world);
    return d;
}

static void a_difference_names_the_object(void **state) {
    (void)state;
    setting s = make_setting();
    assert_int_equal(difference_after(set_gravity, 0).part, CN_PART_SETTINGS);
    cn_difference d = difference_after(set_velocity, 0);
    assert_true(d.part == CN_PART_BODIES && d.body.id == s.bodies[4].id);
    d = difference_after(set_drop_through, 0);
    assert_true(d.part == CN_PART_BODIES && d.body.id == s.bodies[2].id);
    d = difference_after(set_friction, 0);
    assert_true(d.part == CN_PART_SHAPES && d.shape.id == s.shape.id &&
                d.body.id == s.bodies[3].id);
    d = difference_after(set_joint, 0);
    assert_true(d.part == CN_PART_JOINTS && d.joint.id == s.joint.id);
    d = difference_after(set_tile, 0);
    assert_true(d.part == CN_PART_GRIDS && d.grid.id == s.tiles.id);
    assert_int_equal(difference_after(set_user_data, 0).part, CN_PART_NONE);
    cn_world_destroy(s.world);
}

// Contacts are compared last: here only the impulse of one differs.
static void a_difference_names_the_bodies_of_a_contact(void **state) {
    (void)state;
    setting a = make_setting(), b = make_setting();
    run(a.world, 20), run(b.world, 20);
    cn_touching_rows *touching = &b.world->sim.touching;
    int slot = cn_find_bit(touching->occupied, 0, touching->end, true);
    assert_in_range(slot, CN_FIRST_SLOT, touching->end - 1);
    touching->records[slot].ln1 += 1;
    cn_difference d = cn_world_compare(a.world, b.world);
    assert_int_equal(d.part, CN_PART_CONTACTS);
    assert_true(d.body.id == cn_world_body_in_slot(a.world, touching->bodies[slot].b).id);
    cn_world_destroy(a.world);
    cn_world_destroy(b.world);
}

// One changed constant: the bodies that it moves differ, and the first one is named.
static void a_difference_of_a_constant_names_a_body_that_it_moved(void **state) {
    (void)state;
    cn_difference d = difference_after(set_velocity, 3);
    setting s = make_setting();
    assert_int_equal(d.part, CN_PART_BODIES);
    assert_true(d.body.id == s.bodies[4].id);
    cn_world_destroy(s.world);
}

static void check_bytes(const cn_world *world, const meter *m) {
    cn_counters counters = cn_world_counters(world);
    assert_int_equal(counters.bytes, m->bytes);
    assert_int_equal(counters.allocations, m->served);
}

static void counters_have_the_memory_of_rollbacks_and_recordings(void **state) {
    (void)state;
    meter m = {0};
    tape t;
    cn_world *world = cn_world_create(&(cn_world_def){.allocator = metered(&m)});
    add_floor(world, (cn_material){0});
    cn_rollback *rollbacks[3];
    for (int i = 0; i < 3; i++) {
        rollbacks[i] = cn_rollback_create(world, 10 + i);
        assert_done(cn_rollback_keep(rollbacks[i], 1));
        check_bytes(world, &m);
    }
    size_t before = m.bytes;
    begin_tape(&t, world);
    check_bytes(world, &m);
    assert_true(m.bytes > before);
    run(world, 1);
    assert_done(cn_recording_end(world));
    for (int i = 1; i < 3; i++) {
        cn_rollback_destroy(rollbacks[i]);
        check_bytes(world, &m);
    }
    cn_world_destroy(world);
    assert_true(m.bytes > 0); // of the rollback that is left
    assert_false(cn_rollback_keep(rollbacks[0], 2) || cn_rollback_rewind(rollbacks[0], 1));
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    cn_rollback_destroy(rollbacks[0]);
    assert_int_equal(m.bytes, 0);
    free(t.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_have_the_memory_of_rollbacks_and_recordings),
        cmocka_unit_test(kept_states_come_back),
        cmocka_unit_test(a_ring_forgets_the_oldest_and_those_that_are_kept_anew),
        cmocka_unit_test(scenery_comes_back),
        cmocka_unit_test(a_state_without_data_of_parts_comes_back),
        cmocka_unit_test(a_recorded_world_can_be_rewound),
        cmocka_unit_test(a_rollback_that_gets_no_memory_keeps_the_world),
        cmocka_unit_test(two_machines_stay_equal_over_a_bad_network),
        cmocka_unit_test(a_difference_names_the_object),
        cmocka_unit_test(a_difference_names_the_bodies_of_a_contact),
        cmocka_unit_test(a_difference_of_a_constant_names_a_body_that_it_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
