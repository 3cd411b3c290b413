/* When a world allocates memory: never within its capacities, and never in a steady state. */
#include "../../../demo/scenes/scene.h"
#include "../../support/meter.h"
#include "../../support/physics.h"

// ---- capacities

static cn_world *metered_world(meter *m, cn_capacity capacity) {
    *m = (meter){0};
    cn_world *world = cn_world_create(&(cn_world_def){
        .gravity = {{0, -10}}, .no_sleep = true, .capacity = capacity, .allocator = metered(m)});
    assert_done(world != NULL);
    return world;
}

// Adds boxes in columns of ten. `distance` is that of their centres.
static void add_boxes(cn_world *world, int count, double distance) {
    for (int i = 0; i < count; i++)
        add(world, (cn_body_def){.position = point(4 * (i / 10), i % 10 * distance)},
            (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

static void a_world_within_its_capacities_allocates_nothing(void **state) {
    (void)state;
    for (int columns = 1; columns <= 40; columns += 3) {
        int boxes = 10 * columns;
        meter m;
        cn_world *world = metered_world(&m, (cn_capacity){.bodies = boxes + 1,
                                                          .shapes = boxes,
                                                          .static_shapes = 1,
                                                          .joints = 1,
                                                          .contacts = boxes});
        fail_at(&m, 1);
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -1.5)},
            (cn_shape_def){.hull = cn_box(500, 1)});
        add_boxes(world, boxes, 1.1); // they fall and come to rest
        cn_body first = cn_world_next_body(world, (cn_body){0});
        cn_joint_def joint = cn_filter_joint(world, first, cn_world_next_body(world, first));
        assert_done(cn_joint_create(world, joint).id != 0);
        run(world, 200);
        assert_int_equal(cn_world_counters(world).touching, boxes - 1); // the joint prevents one
        assert_int_equal(m.calls, 0);
        cn_world_destroy(world);
    }
}

// Chains of different lengths, from hooks and in free flight.
static void joints_within_the_capacities_allocate_nothing(void **state) {
    (void)state;
    for (int chains = 1; chains <= 20; chains += 4) {
        int links = 8 * chains;
        meter m;
        cn_world *world = metered_world(
            &m, (cn_capacity){
                    .bodies = links + 1, .shapes = links, .joints = links, .contacts = 2 * links});
        fail_at(&m, 1);
        cn_body hook = cn_body_create(world, &(cn_body_def){.type = CN_STATIC}), above = hook;
        for (int i = 0; i < links; i++) {
            vec2s at = point(3 * (i / 8), -i % 8);
            if (i % 8 == 0) above = hook;
            cn_body link = add(world, (cn_body_def){.position = at},
                               (cn_shape_def){.hull = cn_box(0.1f, 0.4f)});
            cn_body last = above;
            above = link;
            if (i % 16 == 8) continue; // every other chain is free
            cn_joint_def def = i % 3 ? cn_revolute_joint(world, last, link, at)
                                     : cn_weld_joint(world, last, link, at);
            assert_done(cn_joint_create(world, def).id != 0);
        }
        run(world, 60);
        assert_int_equal(m.calls, 0);
        cn_world_destroy(world);
    }
}

// Each body was once planned apart from those before it, so there were more batches than reserved.
static void bodies_that_come_between_steps_allocate_nothing(void **state) {
    (void)state;
    const int counts[] = {1, 42, 400, 1000};
    for (int i = 0; i < 8; i++) {
        int boxes = counts[i % 4], per_step = i < 4 ? 1 : 7;
        meter m;
        cn_world *world = metered_world(&m, (cn_capacity){.bodies = boxes + 1,
                                                          .shapes = boxes,
                                                          .static_shapes = 1,
                                                          .contacts = 2 * boxes});
        fail_at(&m, 1);
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -1.5)},
            (cn_shape_def){.hull = cn_box(500, 1)});
        for (int k = 0; k < boxes; k++) {
            add(world, (cn_body_def){.position = point(k % 100 * 1.5 - 70, k / 100 * 1.1)},
                (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
            if (k % per_step == 0) run(world, 1);
        }
        run(world, 60);
        assert_true(cn_world_counters(world).touching >= boxes);
        assert_int_equal(m.calls, 0);
        cn_world_destroy(world);
    }
}

static void a_world_grows_beyond_its_capacities(void **state) {
    (void)state;
    meter meters[2];
    cn_world *worlds[] = {metered_world(&meters[0], (cn_capacity){2, 1, 1, 1, 1}),
                          metered_world(&meters[1], (cn_capacity){0})};
    for (int i = 0; i < 2; i++) {
        add(worlds[i], (cn_body_def){.type = CN_STATIC, .position = point(0, -1.5)},
            (cn_shape_def){.hull = cn_box(500, 1)});
        add_boxes(worlds[i], 100, 1.1);
        run(worlds[i], 100);
    }
    assert_int_equal(cn_world_hash(worlds[0]), cn_world_hash(worlds[1]));
    for (int i = 0; i < 2; i++) cn_world_destroy(worlds[i]);
}

static void capacities_are_numbers_of_slots(void **state) {
    (void)state;
    const int most = (1 << 24) - 1;
    const cn_capacity bad[] = {{.bodies = -1},        {.shapes = most + 1},
                               {.static_shapes = -5}, {.shapes = most, .static_shapes = 1},
                               {.joints = INT32_MAX}, {.contacts = INT32_MIN}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(cn_world_create(&(cn_world_def){.capacity = bad[i]}));
        assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
    }
}

// The array of user data is allocated when the first object gets user data, with memory for all
// objects.
static void objects_without_user_data_read_zero(void **state) {
    (void)state;
    meter m;
    cn_world *world = metered_world(&m, (cn_capacity){0});
    add_boxes(world, 100, 1.1);
    cn_body first = cn_world_next_body(world, (cn_body){0});
    assert_true(cn_body_set_user_data(world, first, 7));
    add_boxes(world, 100, 1.1);
    assert_int_equal(cn_body_user_data(world, first), 7);
    for (cn_body b = first; (b = cn_world_next_body(world, b)).id;)
        assert_int_equal(cn_body_user_data(world, b), 0);
    cn_world_destroy(world);
}

// ---- steady state

// Runs the scene for some steps, then for as many again. Returns the number of allocations in the
// second half.
static int count_late_allocations(const scene *which, int steps) {
    scene_run play;
    assert_done(scene_start(&play, which, (cn_world_def){.no_sleep = true}));
    for (int i = 0; i < steps; i++) assert_done(scene_step(&play, STEP));
    uint64_t before = cn_world_counters(play.world).allocations;
    for (int i = 0; i < steps; i++) assert_done(scene_step(&play, STEP));
    int late = (int)(cn_world_counters(play.world).allocations - before);
    scene_stop(&play);
    return late;
}

static void steady_scenes_allocate_nothing(void **state) {
    (void)state;
    const char *const names[] = {"stack",      "pyramid", "card-house", "arch",
                                 "mass-ratio", "gears",   "pulley",     "seesaw",
                                 "soft-welds", "cradle",  "small-50",   "small-1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int late = count_late_allocations(scene_find(names[i]), 300);
        if (late > 0) fail_msg("%s: %d allocations", names[i], late);
    }
}

// These scenes allocate when there is more of something than ever before.
static void changing_scenes_seldom_allocate(void **state) {
    (void)state;
    const char *const names[] = {"rain-of-shapes", "mixer",   "tumbling-box", "conveyor",
                                 "tiles",          "one-way", "cave"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int late = count_late_allocations(scene_find(names[i]), 300);
        if (late > 40) fail_msg("%s: %d allocations in 300 steps", names[i], late);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_within_its_capacities_allocates_nothing),
        cmocka_unit_test(joints_within_the_capacities_allocate_nothing),
        cmocka_unit_test(bodies_that_come_between_steps_allocate_nothing),
        cmocka_unit_test(a_world_grows_beyond_its_capacities),
        cmocka_unit_test(capacities_are_numbers_of_slots),
        cmocka_unit_test(objects_without_user_data_read_zero),
        cmocka_unit_test(steady_scenes_allocate_nothing),
        cmocka_unit_test(changing_scenes_seldom_allocate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
