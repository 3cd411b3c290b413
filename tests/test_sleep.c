/* Islands fall asleep: which bodies may, when they do, and bodies that are created asleep. */
#include "refuse.h"
#include "sleepers.h"

// ---- created asleep

static void bodies_created_asleep_stay_asleep(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(0);
    cn_body bodies[6];
    for (int i = 0; i < 6; i++) // side by side: their fat boxes overlap
        bodies[i] = add_box(world, (cn_body_def){.position = point(i, 0), .asleep = true});
    cn_hull more = cn_circle(0.7f);
    assert_done(cn_shape_create(world, bodies[2], &(cn_shape_def){.hull = more}).id != 0);
    run(world, 60);
    for (int i = 0; i < 6; i++) assert_false(cn_body_awake(world, bodies[i]));
    assert_int_equal(cn_world_counters(world).sleeping_islands, 6);
    assert_int_equal(cn_world_counters(world).awake_bodies, 0);

    // A box that hits the first one wakes all of them.
    add_box(world, (cn_body_def){.position = point(-3, 0), .velocity = point(20, 0)});
    run(world, 30);
    for (int i = 0; i < 6; i++) assert_true(cn_body_awake(world, bodies[i]));
    cn_world_destroy(world);
}

static void asleep_is_only_for_bodies_that_may_sleep(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(10);
    const cn_body_def defs[] = {{.asleep = true, .type = CN_KINEMATIC},
                                {.asleep = true, .no_sleep = true},
                                {.asleep = true}};
    for (int i = 0; i < 3; i++)
        assert_int_equal(cn_body_awake(world, cn_body_create(world, &defs[i])), i < 2);
    assert_done(cn_world_set_sleeping(world, false));
    assert_true(cn_body_awake(world, cn_body_create(world, &defs[2])));
    cn_world_destroy(world);
}

// ---- islands

static void an_island_goes_to_sleep_as_a_whole(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(10);
    add_floor(world, (cn_material){0});
    cn_body bodies[3];
    for (int i = 0; i < 3; i++)
        bodies[i] = add_box(world, (cn_body_def){.position = point(0, 0.5 + i)});
    run(world, 10);
    assert_done(cn_body_set_awake(world, bodies[1], false));
    for (int i = 0; i < 3; i++) assert_false(cn_body_awake(world, bodies[i]));
    run(world, 10);
    assert_int_equal(cn_world_counters(world).sleeping_touching, 3);
    assert_done(cn_body_set_awake(world, bodies[2], true));
    for (int i = 0; i < 3; i++) assert_true(cn_body_awake(world, bodies[i]));
    cn_world_destroy(world);
}

// Takes the lowest box of a stack of three out of the world, with one call, and puts the others to
// sleep.
static void check_island_without(bool (*take_out)(cn_world *, cn_body), double height_after) {
    cn_world *world = make_sleepy_world(10);
    add_floor(world, (cn_material){0});
    cn_body stack[3];
    for (int i = 0; i < 3; i++)
        stack[i] = add_box(world, (cn_body_def){.position = point(0, 0.5 + i)});
    run(world, 10);
    assert_done(take_out(world, stack[0]));
    assert_done(cn_body_set_awake(world, stack[1], false));
    for (int i = 0; i < 4; i++) { // these may take the slot of the destroyed box
        run(world, 2);
        cn_body more = add_box(world, (cn_body_def){.position = point(3 + 2 * i, 0.5)});
        assert_true(cn_body_awake(world, more));
    }
    assert_int_equal(cn_world_counters(world).sleeping_islands, 1);
    assert_int_equal(cn_world_counters(world).awake_bodies, 4);
    assert_done(cn_body_set_awake(world, stack[2], true));
    run(world, 60);
    for (int i = 1; i < 3; i++)
        assert_near((double)cn_body_position(world, stack[i]).y, height_after + i - 1, 0.02);
    cn_world_destroy(world);
}

static bool disable(cn_world *w, cn_body b) { return cn_body_set_enabled(w, b, false); }
static bool fix(cn_world *w, cn_body b) { return cn_body_set_type(w, b, CN_STATIC); }

static void an_island_that_lost_a_body_can_be_put_to_sleep(void **state) {
    (void)state;
    check_island_without(cn_body_destroy, 0.5);
    check_island_without(disable, 0.5);
    check_island_without(fix, 1.5);
}

static void a_body_that_never_sleeps_keeps_its_island_awake(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = point(0, -10)});
    add_floor(world, (cn_material){0});
    cn_body awake =
        add(world, (cn_body_def){.position = point(0, 0.5), .no_sleep = true}, box_of(0.5f));
    cn_body on_top = add(world, (cn_body_def){.position = point(0, 1.5)}, box_of(0.5f));
    run(world, 10);
    assert_false(cn_body_set_awake(world, on_top, false));
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    assert_true(cn_body_awake(world, awake));
    cn_world_destroy(world);
}

// It would sleep alone, and the joint would not hold the other body.
static void a_newly_joined_body_cannot_be_put_to_sleep_before_the_next_step(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = point(0, -10)});
    cn_body a = add(world, (cn_body_def){.position = point(0, 5)}, box_of(0.4f));
    cn_body b = add(world, (cn_body_def){.position = point(1, 5)}, box_of(0.4f));
    cn_joint_def weld = cn_weld_joint(world, a, b, point(0.5, 5));
    cn_joint joint = cn_joint_create(world, &weld);
    unchanged_world = world;
    REFUSES(CN_ERROR_STATE, cn_body_set_awake(world, a, false));
    unchanged_world = NULL;
    run(world, 60);
    assert_near((double)cn_joint_value(world, joint, CN_JOINT_Y), 0, 1e-3);
    assert_near(motion_of(world, a).y, motion_of(world, b).y, 1e-3);
    cn_world_destroy(world);
}

// ---- bodies at rest

static void a_thrown_body_does_not_fall_asleep_at_its_highest_point(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -0.05f}}});
    add_floor(world, (cn_material){0});
    cn_body thrown = add(world, (cn_body_def){.position = point(0, 3), .velocity = point(0, 0.05)},
                         box_of(0.5f));
    cn_body floats =
        add(world, (cn_body_def){.position = point(5, 3), .weightless = true}, box_of(0.5f));
    run(world, 1200);
    assert_near(motion_of(world, thrown).y, 0.5, 0.01);
    assert_false(cn_body_awake(world, thrown));
    assert_false(cn_body_awake(world, floats));
    cn_world_destroy(world);
}

static void a_locked_shelf_and_its_load_fall_asleep(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_body shelf = add(world, (cn_body_def){.lock_x = true, .lock_y = true}, box_of(1));
    cn_body crate = add(world, (cn_body_def){.position = point(0, 1.5)}, box_of(0.5f));
    run(world, 300);
    assert_false(cn_body_awake(world, shelf));
    assert_false(cn_body_awake(world, crate));
    cn_world_destroy(world);
}

// At 10 km floats are 1 mm apart. Separations used to jump by that, and at 12 substeps piles never
// slept.
static void a_pile_far_out_comes_to_rest(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .substeps = 12});
    const double x = 10000;
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(x, -1)},
        (cn_shape_def){.hull = cn_box(20, 1)});
    for (int i = 0; i < 2; i++)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(x + (i ? 4 : -4), 5)},
            (cn_shape_def){.hull = cn_box(0.5f, 5)});
    for (int i = 0; i < 40; i++)
        add(world,
            (cn_body_def){.position = point(x - 2 + i % 4, 1 + 1.1 * (i / 4)), .angle = (float)i},
            i % 2 ? box_of(0.4f) : (cn_shape_def){.hull = cn_circle(0.4f)});
    run(world, 900);
    assert_int_equal(cn_world_counters(world).awake_bodies, 0);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_created_asleep_stay_asleep),
        cmocka_unit_test(asleep_is_only_for_bodies_that_may_sleep),
        cmocka_unit_test(an_island_goes_to_sleep_as_a_whole),
        cmocka_unit_test(an_island_that_lost_a_body_can_be_put_to_sleep),
        cmocka_unit_test(a_body_that_never_sleeps_keeps_its_island_awake),
        cmocka_unit_test(a_newly_joined_body_cannot_be_put_to_sleep_before_the_next_step),
        cmocka_unit_test(a_thrown_body_does_not_fall_asleep_at_its_highest_point),
        cmocka_unit_test(a_locked_shelf_and_its_load_fall_asleep),
        cmocka_unit_test(a_pile_far_out_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
