/* Islands that come to rest fall asleep, cost nothing while they sleep, and wake when anything
 * about them changes. */
#include "crates.h"

// ---- falling asleep

static void assert_inside_bin(const cn_world *world, const watch *pile) {
    for (int i = 0; i < pile->count; i++) {
        motion m = motion_of(world, pile->bodies[i]);
        assert_true(fabs(m.x) < 4 && m.y > 0 && m.y < 40); // false for a NaN
    }
}

// Steps until all bodies sleep. Fails if that takes more than `steps`.
static void run_until_asleep(cn_world *world, int steps) {
    for (int i = 0; i < steps; i++) {
        run(world, 1);
        if (cn_world_counters(world).awake_bodies == 0) return;
    }
    print_error("%d bodies are still awake\n", cn_world_counters(world).awake_bodies);
    fail();
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
    cn_world *world = make_sleepy_world();
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
    cn_world *world = make_sleepy_world();
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
    cn_world *world = make_sleepy_world();
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

static void a_body_that_must_not_sleep_keeps_its_island_awake(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_floor(world, (cn_material){0});
    watch awake = add_stack(world, 0, 3), other = add_stack(world, 5, 3);
    assert_done(cn_body_set_no_sleep(world, awake.bodies[1], true));
    run(world, 300);
    for (int i = 0; i < 3; i++) {
        assert_true(cn_body_awake(world, awake.bodies[i]));
        assert_false(cn_body_awake(world, other.bodies[i]));
    }
    cn_world_destroy(world);
}

static void a_body_on_a_moving_platform_stays_awake(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add(world, (cn_body_def){.type = CN_KINEMATIC, .position = {{0, -1}}, .velocity = {{1, 0}}},
        (cn_shape_def){.hull = cn_box(9, 1)});
    cn_body box = add_crate(world, 0, 0.5);
    run(world, 300);
    assert_true(cn_body_awake(world, box));
    assert_near(motion_of(world, box).vx, 1, 0.01);
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
    cn_world *world = make_sleepy_world();
    add_floor(world, (cn_material){0});
    cn_body box = add_crate(world, 0, 0.5);
    run_until_asleep(world, 300);
    assert_true(has_change(world, box, CN_BODY_SLEPT));
    assert_done(cn_body_apply_center_impulse(world, box, point(1, 0)));
    run(world, 1);
    assert_true(has_change(world, box, CN_BODY_WOKE));
    cn_world_destroy(world);
}

// ---- waking

// Two stacks asleep on a floor.
typedef struct {
    cn_world *world;
    cn_body floor;
    watch near, far;
} sleepers;

static sleepers make_sleepers(void) {
    sleepers s = {.world = make_sleepy_world()};
    s.floor = add_floor(s.world, (cn_material){0});
    s.near = add_stack(s.world, 0, 3);
    s.far = add_stack(s.world, 20, 3);
    run_until_asleep(s.world, 600);
    return s;
}

static bool is_awake(const sleepers *s, const watch *stack) {
    for (int i = 0; i < stack->count; i++)
        if (!cn_body_awake(s->world, stack->bodies[i])) return false;
    return true;
}

static void a_hit_wakes_one_stack_only(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    cn_body ball = add(s.world, (cn_body_def){.position = {{-5, 1.5f}}, .velocity = {{10, 2}}},
                       (cn_shape_def){.hull = cn_circle(0.4f), .density = 3});
    double before = motion_of(s.world, s.near.bodies[1]).x;
    run(s.world, 40);
    assert_true(cn_body_awake(s.world, ball) && is_awake(&s, &s.near));
    assert_false(is_awake(&s, &s.far));
    assert_true(motion_of(s.world, s.near.bodies[1]).x > before + 0.05);
    run_until_asleep(s.world, 3600);
    cn_world_destroy(s.world);
}

static void stacks_fall_when_their_floor_is_destroyed(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    assert_done(cn_body_destroy(s.world, s.floor));
    run(s.world, 60);
    assert_true(is_awake(&s, &s.near) && is_awake(&s, &s.far));
    assert_near(motion_of(s.world, s.near.bodies[2]).vy, -GRAVITY * seconds_of(60), 0.2);
    cn_world_destroy(s.world);
}

static void a_stack_falls_when_its_lowest_crate_is_destroyed(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    assert_done(cn_body_destroy(s.world, s.near.bodies[0]));
    run(s.world, 20);
    assert_true(cn_body_awake(s.world, s.near.bodies[1]));
    assert_true(cn_body_awake(s.world, s.near.bodies[2]));
    assert_false(is_awake(&s, &s.far));
    assert_true(motion_of(s.world, s.near.bodies[1]).y < 1.4);
    run_until_asleep(s.world, 600);
    assert_near(motion_of(s.world, s.near.bodies[1]).y, 0.5, 0.02);
    cn_world_destroy(s.world);
}

static void a_shape_created_against_a_sleeping_stack_wakes_it(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    add(s.world, (cn_body_def){.type = CN_KINEMATIC, .position = {{0.6f, 0.5f}}},
        (cn_shape_def){.hull = cn_box(0.3f, 0.3f)});
    run(s.world, 2);
    assert_true(is_awake(&s, &s.near));
    assert_false(is_awake(&s, &s.far));
    cn_world_destroy(s.world);
}

static bool push(cn_world *w, cn_body b) { return cn_body_apply_center_impulse(w, b, point(1, 0)); }
static bool pull(cn_world *w, cn_body b) { return cn_body_apply_center_force(w, b, point(1, 0)); }
static bool twist(cn_world *w, cn_body b) { return cn_body_apply_torque(w, b, 1); }
static bool speed(cn_world *w, cn_body b) { return cn_body_set_velocity(w, b, point(1, 0)); }
static bool spin(cn_world *w, cn_body b) { return cn_body_set_angular_velocity(w, b, 1); }
static bool wake(cn_world *w, cn_body b) { return cn_body_set_awake(w, b, true); }
static bool lift(cn_world *w, cn_body b) { return cn_body_set_pose(w, b, point(0, 6), 0); }
static bool disable(cn_world *w, cn_body b) { return cn_body_set_enabled(w, b, false); }

static bool weigh(cn_world *w, cn_body b) {
    return cn_body_set_mass(w, b, (cn_mass){.mass = 9, .inertia = 2});
}

static bool shrink(cn_world *w, cn_body b) {
    cn_hull hull = cn_box(0.4f, 0.4f);
    return cn_shape_set_hull(w, cn_body_next_shape(w, b, (cn_shape){0}), &hull);
}

static bool let_through(cn_world *w, cn_body b) {
    return cn_shape_set_filter(w, cn_body_next_shape(w, b, (cn_shape){0}), (cn_filter){0});
}

static bool hang(cn_world *w, cn_body b) { return cn_body_set_type(w, b, CN_STATIC); }

static bool tilt(cn_world *w, cn_body b) {
    (void)b;
    return cn_world_set_gravity(w, point(1, -10));
}

// Any change of the box in the middle wakes the box on top of it.
static void changing_a_body_wakes_its_island(void **state) {
    (void)state;
    bool (*const changes[])(cn_world *, cn_body) = {push,        pull, twist,   speed, spin,
                                                    wake,        lift, disable, weigh, shrink,
                                                    let_through, hang, tilt};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        sleepers s = make_sleepers();
        assert_false(cn_body_awake(s.world, s.near.bodies[2]));
        assert_done(changes[i](s.world, s.near.bodies[1]));
        run(s.world, 2);
        if (!cn_body_awake(s.world, s.near.bodies[2])) {
            print_error("change %d did not wake the stack\n", (int)i);
            fail();
        }
        cn_world_destroy(s.world);
    }
}

static void a_floor_that_moves_away_wakes_the_bodies_on_it(void **state) {
    (void)state;
    sleepers s = make_sleepers();
    assert_done(cn_body_set_pose(s.world, s.floor, point(0, -4), 0));
    run(s.world, 30);
    assert_true(is_awake(&s, &s.near) && is_awake(&s, &s.far));
    assert_true(motion_of(s.world, s.far.bodies[0]).y < 0);
    cn_world_destroy(s.world);
}

static void an_island_put_to_sleep_by_hand_sleeps_as_a_whole(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world();
    add_floor(world, (cn_material){0});
    watch stack = add_stack(world, 0, 4);
    run(world, 5);
    assert_done(cn_body_set_awake(world, stack.bodies[2], false));
    for (int i = 0; i < 4; i++) assert_false(cn_body_awake(world, stack.bodies[i]));
    run(world, 60);
    assert_costs_nothing(world);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_stays_in_its_bin_and_falls_asleep),
        cmocka_unit_test(all_islands_fall_asleep),
        cmocka_unit_test(a_sleeping_body_keeps_its_pose_bit_for_bit),
        cmocka_unit_test(a_body_that_must_not_sleep_keeps_its_island_awake),
        cmocka_unit_test(a_body_on_a_moving_platform_stays_awake),
        cmocka_unit_test(falling_asleep_and_waking_raise_events),
        cmocka_unit_test(a_hit_wakes_one_stack_only),
        cmocka_unit_test(stacks_fall_when_their_floor_is_destroyed),
        cmocka_unit_test(a_stack_falls_when_its_lowest_crate_is_destroyed),
        cmocka_unit_test(a_shape_created_against_a_sleeping_stack_wakes_it),
        cmocka_unit_test(changing_a_body_wakes_its_island),
        cmocka_unit_test(a_floor_that_moves_away_wakes_the_bodies_on_it),
        cmocka_unit_test(an_island_put_to_sleep_by_hand_sleeps_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
