/* Islands fall asleep: which bodies may, when they do, that a sleeping island costs nothing, and
 * bodies that are put to sleep by a call or created asleep. */
#include "../../../support/crates.h"
#include "../../../support/refuse.h"

// ---- piles and stacks

static void assert_inside_bin(const cn_world *world, const watch *pile) {
    for (int i = 0; i < pile->count; i++) {
        motion m = motion_of(world, pile->bodies[i]);
        assert_true(fabs(m.x) < 4 && m.y > 0 && m.y < 40); // false for a NaN
    }
}

static void assert_costs_nothing(const cn_world *world) {
    cn_counters counters = cn_world_counters(world);
    assert_int_equal(counters.awake_bodies, 0);
    assert_int_equal(counters.contacts, 0);
    assert_int_equal(counters.touching, 0);
    assert_int_equal(counters.islands, 0);
    assert_int_equal(counters.batches, 0);
}

static void a_pile_stays_in_its_bin_and_falls_asleep(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(GRAVITY);
    add_bin(world);
    watch pile = fill_bin(world, 200);
    for (int second = 0; second < 60 && cn_world_counters(world).awake_bodies > 0; second++) {
        run(world, 60);
        assert_inside_bin(world, &pile);
    }
    run(world, 1); // the counters are those of the plan, which is made at the start of a step
    assert_costs_nothing(world);
    assert_true(cn_world_counters(world).sleeping_touching > 200);
    cn_world_destroy(world);
}

static void all_islands_fall_asleep(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(GRAVITY);
    add_floor(world, (cn_material){0});
    for (int i = 0; i < 12; i++) add_stack(world, 2.0 * i, 1 + i % 5);
    run_until_asleep(world, 600);
    run(world, 1); // the counters are those of the plan, which is made at the start of a step
    assert_costs_nothing(world);
    cn_counters counters = cn_world_counters(world);
    assert_int_equal(counters.sleeping_islands, 12);
    assert_true(counters.sleeping_touching >= counters.bodies - 1);
    cn_world_destroy(world);
}

static void a_sleeping_body_keeps_its_pose_bit_for_bit(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(GRAVITY);
    add_bin(world);
    watch pile = fill_bin(world, 30);
    run_until_asleep(world, 3600);
    cn_pose before[30];
    for (int i = 0; i < 30; i++) before[i] = cn_body_pose(world, pile.bodies[i]);
    uint64_t allocations = cn_world_counters(world).allocations;
    run(world, 600);
    for (int i = 0; i < 30; i++) {
        cn_pose after = cn_body_pose(world, pile.bodies[i]);
        assert_memory_equal(&before[i], &after, sizeof after);
        assert_true(motion_of(world, pile.bodies[i]).vx == 0);
    }
    assert_true(cn_world_counters(world).allocations == allocations);
    cn_world_destroy(world);
}

static bool has_change(cn_world *world, cn_body body, cn_body_change change) {
    cn_events events = cn_world_events(world);
    for (int i = 0; i < events.body_count; i++)
        if (events.bodies[i].body.id == body.id && events.bodies[i].change == change) return true;
    return false;
}

static void falling_asleep_and_waking_raise_events(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body box = add_crate(world, 0, 0.5);
    run_until_asleep(world, 300);
    assert_true(has_change(world, box, CN_BODY_SLEPT));
    assert_done(cn_body_apply_impulse(world, box, point(1, 0)));
    run(world, 1);
    assert_true(has_change(world, box, CN_BODY_WOKE));
    cn_world_destroy(world);
}

// ---- which bodies may sleep

static void only_bodies_that_may_sleep_are_created_asleep(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(10);
    const cn_body_def defs[] = {{.asleep = true, .type = CN_KINEMATIC},
                                {.asleep = true, .no_sleep = true},
                                {.asleep = true}};
    for (int i = 0; i < 3; i++)
        assert_int_equal(!cn_body_asleep(world, cn_body_create(world, &defs[i])), i < 2);
    assert_done(cn_world_set_no_sleep(world, true));
    assert_true(!cn_body_asleep(world, cn_body_create(world, &defs[2])));
    cn_world_destroy(world);
}

static void a_body_that_must_not_sleep_keeps_its_island_awake(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(GRAVITY);
    add_floor(world, (cn_material){0});
    watch awake = add_stack(world, 0, 3), other = add_stack(world, 5, 3);
    assert_done(cn_body_set_no_sleep(world, awake.bodies[1], true));
    run(world, 300);
    for (int i = 0; i < 3; i++) {
        assert_true(!cn_body_asleep(world, awake.bodies[i]));
        assert_false(!cn_body_asleep(world, other.bodies[i]));
    }
    cn_world_destroy(world);
}

static void a_body_that_never_sleeps_keeps_its_island_awake(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = point(0, -10)});
    add_floor(world, (cn_material){0});
    cn_body awake =
        add(world, (cn_body_def){.position = point(0, 0.5), .no_sleep = true}, box_of(0.5f));
    cn_body on_top = add(world, (cn_body_def){.position = point(0, 1.5)}, box_of(0.5f));
    run(world, 10);
    assert_false(cn_body_set_asleep(world, on_top, true));
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    assert_true(!cn_body_asleep(world, awake));
    cn_world_destroy(world);
}

static void a_body_on_a_moving_platform_stays_awake(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(GRAVITY);
    add(world, (cn_body_def){.type = CN_KINEMATIC, .position = {{0, -1}}, .velocity = {{1, 0}}},
        (cn_shape_def){.hull = cn_box(9, 1)});
    cn_body box = add_crate(world, 0, 0.5);
    run(world, 300);
    assert_true(!cn_body_asleep(world, box));
    assert_near(motion_of(world, box).vx, 1, 0.01);
    cn_world_destroy(world);
}

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
    assert_false(!cn_body_asleep(world, thrown));
    assert_false(!cn_body_asleep(world, floats));
    cn_world_destroy(world);
}

static void a_locked_shelf_and_its_load_fall_asleep(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_body shelf = add(world, (cn_body_def){.lock_x = true, .lock_y = true}, box_of(1));
    cn_body crate = add(world, (cn_body_def){.position = point(0, 1.5)}, box_of(0.5f));
    run(world, 300);
    assert_false(!cn_body_asleep(world, shelf));
    assert_false(!cn_body_asleep(world, crate));
    cn_world_destroy(world);
}

// At 10 km floats are 1 mm apart. Separations used to jump by that, and at 12 substeps piles never
// slept.
static void a_pile_far_from_the_origin_comes_to_rest(void **state) {
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

// ---- put to sleep by a call, or created asleep

static void an_island_goes_to_sleep_as_a_whole(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(10);
    add_floor(world, (cn_material){0});
    cn_body bodies[3];
    for (int i = 0; i < 3; i++)
        bodies[i] = add_box(world, (cn_body_def){.position = point(0, 0.5 + i)});
    run(world, 10);
    assert_done(cn_body_set_asleep(world, bodies[1], true));
    for (int i = 0; i < 3; i++) assert_false(!cn_body_asleep(world, bodies[i]));
    run(world, 10);
    assert_int_equal(cn_world_counters(world).sleeping_touching, 3);
    assert_done(cn_body_set_asleep(world, bodies[2], false));
    for (int i = 0; i < 3; i++) assert_true(!cn_body_asleep(world, bodies[i]));
    cn_world_destroy(world);
}

static void an_island_put_to_sleep_by_hand_sleeps_as_a_whole(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(GRAVITY);
    add_floor(world, (cn_material){0});
    watch stack = add_stack(world, 0, 4);
    run(world, 5);
    assert_done(cn_body_set_asleep(world, stack.bodies[2], true));
    for (int i = 0; i < 4; i++) assert_false(!cn_body_asleep(world, stack.bodies[i]));
    run(world, 60);
    assert_costs_nothing(world);
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
    assert_done(cn_body_set_asleep(world, stack[1], true));
    for (int i = 0; i < 4; i++) { // these may take the slot of the destroyed box
        run(world, 2);
        cn_body more = add_box(world, (cn_body_def){.position = point(3 + 2 * i, 0.5)});
        assert_true(!cn_body_asleep(world, more));
    }
    assert_int_equal(cn_world_counters(world).sleeping_islands, 1);
    assert_int_equal(cn_world_counters(world).awake_bodies, 4);
    assert_done(cn_body_set_asleep(world, stack[2], false));
    run(world, 60);
    for (int i = 1; i < 3; i++)
        assert_near((double)cn_body_position(world, stack[i]).y, height_after + i - 1, 0.02);
    cn_world_destroy(world);
}

static bool disable(cn_world *w, cn_body b) { return cn_body_set_disabled(w, b, true); }
static bool make_static(cn_world *w, cn_body b) { return cn_body_set_type(w, b, CN_STATIC); }

static void an_island_that_lost_a_body_can_be_put_to_sleep(void **state) {
    (void)state;
    check_island_without(cn_body_destroy, 0.5);
    check_island_without(disable, 0.5);
    check_island_without(make_static, 1.5);
}

static void a_newly_joined_body_falls_asleep_with_the_other(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(10);
    cn_body a = add(world, (cn_body_def){.position = point(0, 5)}, box_of(0.4f));
    cn_body b = add(world, (cn_body_def){.position = point(1, 5)}, box_of(0.4f));
    cn_body c = add(world, (cn_body_def){.position = point(2, 5)}, box_of(0.4f));
    cn_joint_def weld = cn_weld_joint(world, a, b, point(0.5, 5));
    cn_joint joint = cn_joint_create(world, weld);
    assert_done(cn_body_set_asleep(world, a, true));
    assert_false(!cn_body_asleep(world, b));
    assert_true(!cn_body_asleep(world, c));
    run(world, 30);
    assert_near((double)cn_body_position(world, b).y, 5, 0);
    assert_done(cn_body_set_asleep(world, b, false));
    run(world, 30);
    assert_near((double)cn_joint_value(world, joint, CN_JOINT_Y), 0, 1e-3);
    assert_near(motion_of(world, a).y, motion_of(world, b).y, 1e-3);
    assert_true(cn_body_position(world, a).y < 4.5f);
    cn_world_destroy(world);
}

// A new joint or coupling wakes all its bodies. If one of them could be put to sleep before the
// next step, the others would wake alone.
static void a_body_linked_to_one_that_wakes_is_not_put_to_sleep(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){0});
    cn_body bodies[4];
    cn_joint joints[2];
    for (int i = 0; i < 4; i++)
        bodies[i] =
            add(world, (cn_body_def){.position = point(2 * i, 0), .asleep = i == 1}, box_of(0.5f));
    for (int i = 0; i < 2; i++) {
        cn_body a = bodies[2 * i], b = bodies[2 * i + 1];
        cn_joint_def def = cn_revolute_joint(world, a, b, point(4 * i + 1, 0));
        joints[i] = cn_joint_create(world, def);
    }
    unchanged_world = world;
    REFUSES(CN_ERROR_STATE, cn_body_set_asleep(world, bodies[0], true));
    assert_done(cn_body_set_asleep(world, bodies[2], true));
    run(world, 1);
    assert_done(cn_joint_set_coupling(
        world, joints[0], (cn_coupling){joints[1], CN_JOINT_ANGLE, CN_JOINT_ANGLE, 1, false}));
    REFUSES(CN_ERROR_STATE, cn_body_set_asleep(world, bodies[0], true));
    run(world, 1);
    assert_done(cn_body_set_asleep(world, bodies[0], true));
    for (int i = 0; i < 4; i++) assert_false(!cn_body_asleep(world, bodies[i]));
    unchanged_world = NULL;
    cn_world_destroy(world);
}

// A contact ends because a body was moved away. The other body is put to sleep, then the first one
// comes so near again within the same step that the boxes overlap.
static void a_contact_that_ended_before_a_body_fell_asleep_stays_ended(void **state) {
    (void)state;
    for (int sleeper = 0; sleeper < 2; sleeper++) {
        cn_world *world = make_sleepy_world(0);
        cn_body bodies[2];
        for (int i = 0; i < 2; i++)
            bodies[i] = add_box(world, (cn_body_def){.position = point(0.99 * i, 0)});
        run(world, 2);
        assert_int_equal(cn_world_contacts(world, NULL, 0), 1);
        cn_body mover = bodies[1 - sleeper];
        double side = sleeper ? -1 : 1;
        assert_done(cn_body_set_pose(world, mover, cn_pose_at(point(9 * side, 0), 0)));
        assert_done(cn_body_set_asleep(world, bodies[sleeper], true));
        assert_done(cn_body_set_velocity(world, mover, point(-900 * side, 0)));
        assert_done(cn_world_step(world, 1e-4f));
        assert_int_equal(cn_world_contacts(world, NULL, 0), 0);
        run(world, 60);
        cn_world_destroy(world);
    }
}

static void bodies_created_asleep_stay_asleep(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(0);
    cn_body bodies[6];
    for (int i = 0; i < 6; i++) // side by side: their fat boxes overlap
        bodies[i] = add_box(world, (cn_body_def){.position = point(i, 0), .asleep = true});
    cn_hull more = cn_circle(0.7f);
    assert_done(cn_shape_create(world, bodies[2], &(cn_shape_def){.hull = more}).id != 0);
    run(world, 60);
    for (int i = 0; i < 6; i++) assert_false(!cn_body_asleep(world, bodies[i]));
    assert_int_equal(cn_world_counters(world).sleeping_islands, 6);
    assert_int_equal(cn_world_counters(world).awake_bodies, 0);

    // A box that hits the first one wakes all of them.
    add_box(world, (cn_body_def){.position = point(-3, 0), .velocity = point(20, 0)});
    run(world, 30);
    for (int i = 0; i < 6; i++) assert_true(!cn_body_asleep(world, bodies[i]));
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_stays_in_its_bin_and_falls_asleep),
        cmocka_unit_test(all_islands_fall_asleep),
        cmocka_unit_test(a_sleeping_body_keeps_its_pose_bit_for_bit),
        cmocka_unit_test(falling_asleep_and_waking_raise_events),
        cmocka_unit_test(only_bodies_that_may_sleep_are_created_asleep),
        cmocka_unit_test(a_body_that_must_not_sleep_keeps_its_island_awake),
        cmocka_unit_test(a_body_that_never_sleeps_keeps_its_island_awake),
        cmocka_unit_test(a_body_on_a_moving_platform_stays_awake),
        cmocka_unit_test(a_thrown_body_does_not_fall_asleep_at_its_highest_point),
        cmocka_unit_test(a_locked_shelf_and_its_load_fall_asleep),
        cmocka_unit_test(a_pile_far_from_the_origin_comes_to_rest),
        cmocka_unit_test(an_island_goes_to_sleep_as_a_whole),
        cmocka_unit_test(an_island_put_to_sleep_by_hand_sleeps_as_a_whole),
        cmocka_unit_test(an_island_that_lost_a_body_can_be_put_to_sleep),
        cmocka_unit_test(a_newly_joined_body_falls_asleep_with_the_other),
        cmocka_unit_test(a_body_linked_to_one_that_wakes_is_not_put_to_sleep),
        cmocka_unit_test(a_contact_that_ended_before_a_body_fell_asleep_stays_ended),
        cmocka_unit_test(bodies_created_asleep_stay_asleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
