/* What changes on bodies bring about: sleep and waking, types, locks, targets, enabling. */
#include "small_world.h"

static cn_world *make_sleepy_world(double gravity) {
    cn_world *world = make_world(gravity);
    assert_done(cn_world_set_sleeping(world, true));
    return world;
}

static cn_body add_box(cn_world *world, cn_body_def def) {
    return add(world, def, (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
}

// ---- sleep

static void what_is_created_asleep_stays_asleep(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(0);
    cn_body bodies[6];
    for (int i = 0; i < 6; i++) // side by side, their boxes overlap
        bodies[i] = add_box(world, (cn_body_def){.position = point(i, 0), .asleep = true});
    cn_hull more = cn_circle(0.7f);
    assert_done(cn_shape_create(world, bodies[2], &(cn_shape_def){.hull = more}).id != 0);
    run(world, 60);
    for (int i = 0; i < 6; i++) assert_false(cn_body_awake(world, bodies[i]));
    assert_int_equal(cn_world_counters(world).sleeping_islands, 6);
    assert_int_equal(cn_world_counters(world).awake_bodies, 0);

    // One that comes flying wakes them all.
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

typedef bool change(cn_world *world, cn_body body);

static bool push(cn_world *w, cn_body b) { return cn_body_apply_center_impulse(w, b, point(1, 0)); }
static bool press(cn_world *w, cn_body b) { return cn_body_apply_center_force(w, b, point(1, 0)); }
static bool twist(cn_world *w, cn_body b) { return cn_body_apply_torque(w, b, 1); }
static bool spin(cn_world *w, cn_body b) { return cn_body_apply_angular_impulse(w, b, 1); }
static bool move(cn_world *w, cn_body b) { return cn_body_set_velocity(w, b, point(0, 1)); }
static bool turn(cn_world *w, cn_body b) { return cn_body_set_angular_velocity(w, b, 1); }
static bool lift(cn_world *w, cn_body b) { return cn_body_set_pose(w, b, point(0, 5), 0); }
static bool wake(cn_world *w, cn_body b) { return cn_body_set_awake(w, b, true); }
static bool float_up(cn_world *w, cn_body b) { return cn_body_set_gravity_scale(w, b, -1); }
static bool grease(cn_world *w, cn_body b) {
    return cn_shape_set_material(w, first_shape(w, b), (cn_material){.frictionless = true});
}
static bool weigh(cn_world *w, cn_body b) { return cn_shape_set_density(w, first_shape(w, b), 2); }
static bool take_floor(cn_world *w, cn_body b) {
    (void)b;
    return cn_body_destroy(w, cn_world_next_body(w, (cn_body){0}));
}
static bool lower_floor(cn_world *w, cn_body b) {
    (void)b;
    return cn_body_set_pose(w, cn_world_next_body(w, (cn_body){0}), point(0, -3), 0);
}
static bool turn_gravity(cn_world *w, cn_body b) {
    (void)b;
    return cn_world_set_gravity(w, point(1, 0));
}

// A box that has fallen asleep on the floor.
static cn_body add_sleeper(cn_world *world) {
    add_floor(world, (cn_material){0});
    cn_body body = add_box(world, (cn_body_def){.position = point(0, 0.5)});
    run(world, 90);
    assert_false(cn_body_awake(world, body));
    return body;
}

static void every_change_that_matters_wakes(void **state) {
    (void)state;
    change *const changes[] = {push,  press,      twist,       spin,        move,
                               turn,  lift,       wake,        float_up,    grease,
                               weigh, take_floor, lower_floor, turn_gravity};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        cn_world *world = make_sleepy_world(10);
        cn_body body = add_sleeper(world);
        assert_done(changes[i](world, body));
        assert_true(cn_body_awake(world, body));
        run(world, 1);
        assert_true(cn_body_awake(world, body));
        cn_world_destroy(world);
    }
}

static bool stand_still(cn_world *w, cn_body b) { return cn_body_set_velocity(w, b, point(0, 0)); }
static bool stop_turning(cn_world *w, cn_body b) { return cn_body_set_angular_velocity(w, b, 0); }
static bool damp(cn_world *w, cn_body b) { return cn_body_set_damping(w, b, 1, 1); }
static bool name(cn_world *w, cn_body b) { return cn_body_set_user_data(w, b, 1); }
static bool build_far_away(cn_world *w, cn_body b) {
    (void)b;
    return add_box(w, (cn_body_def){.type = CN_STATIC, .position = point(50, 50)}).id != 0;
}

static void what_changes_nothing_wakes_nothing(void **state) {
    (void)state;
    change *const changes[] = {stand_still, stop_turning, damp, name, build_far_away};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        cn_world *world = make_sleepy_world(10);
        cn_body body = add_sleeper(world);
        assert_done(changes[i](world, body));
        run(world, 1);
        assert_false(cn_body_awake(world, body));
        cn_world_destroy(world);
    }
}

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

// Takes the lowest of a stack of three out of the world and puts the other two to sleep.
static void check_island_without(change *take_out, double height_after) {
    cn_world *world = make_sleepy_world(10);
    add_floor(world, (cn_material){0});
    cn_body stack[3];
    for (int i = 0; i < 3; i++)
        stack[i] = add_box(world, (cn_body_def){.position = point(0, 0.5 + i)});
    run(world, 10);
    assert_done(take_out(world, stack[0]));
    assert_done(cn_body_set_awake(world, stack[1], false));
    for (int i = 0; i < 4; i++) { // these may take the slot of the one that is gone
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

static void a_kinematic_body_that_starts_moving_wakes_its_load(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(10);
    cn_body lift = add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(0, -1)},
                       (cn_shape_def){.hull = cn_box(3, 1)});
    cn_body load = add_box(world, (cn_body_def){.position = point(0, 0.5)});
    run(world, 90);
    assert_false(cn_body_awake(world, load));
    assert_done(cn_body_set_velocity(world, lift, point(0, 1)));
    run(world, 60);
    assert_true(cn_body_awake(world, load));
    assert_near((double)cn_body_position(world, load).y, 1.5, 0.02);
    cn_world_destroy(world);
}

// ---- types, enabling

static void a_body_can_change_its_type_at_any_time(void **state) {
    (void)state;
    for (int asleep = 0; asleep < 2; asleep++) {
        cn_world *world = make_sleepy_world(10);
        add_floor(world, (cn_material){0});
        cn_body below = add_box(world, (cn_body_def){.position = point(0, 0.5)});
        cn_body above = add_box(world, (cn_body_def){.position = point(0, 1.5)});
        const cn_body_type types[] = {CN_STATIC,    CN_DYNAMIC, CN_KINEMATIC,
                                      CN_DYNAMIC,   CN_STATIC,  CN_KINEMATIC,
                                      CN_KINEMATIC, CN_STATIC,  CN_DYNAMIC};
        for (int i = 0; i < 9; i++) {
            run(world, asleep ? 90 : 5);
            assert_done(cn_body_set_type(world, below, types[i]));
            assert_int_equal(cn_body_get_type(world, below), types[i]);
            assert_int_equal(cn_body_awake(world, below), types[i] != CN_STATIC);
        }
        run(world, 120);
        assert_near((double)cn_body_position(world, below).y, 0.5, 0.01);
        assert_near((double)cn_body_position(world, above).y, 1.5, 0.02);
        cn_world_destroy(world);
    }
}

static void a_disabled_body_keeps_its_state_and_touches_nothing(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(10);
    add_floor(world, (cn_material){0});
    cn_body below = add_box(world, (cn_body_def){.position = point(0, 0.5)});
    cn_body above = add_box(world, (cn_body_def){.position = point(0, 1.5)});
    run(world, 90);
    assert_done(cn_body_set_enabled(world, below, false));
    assert_false(cn_body_enabled(world, below) || cn_body_awake(world, below));
    assert_done(cn_body_set_velocity(world, below, point(1, 0)));
    double x = (double)cn_body_position(world, below).x;
    run(world, 60);
    assert_near((double)cn_body_position(world, above).y, 0.5, 0.02);
    assert_near((double)cn_body_position(world, below).x, x, 0);
    assert_near((double)cn_body_velocity(world, below).x, 1, 0);

    assert_done(cn_body_set_pose(world, below, point(5, 0.5), 0));
    assert_done(cn_body_set_enabled(world, below, true));
    run(world, 60);
    assert_true((double)cn_body_position(world, below).x > 5.05);
    assert_near((double)cn_body_position(world, below).y, 0.5, 0.01);
    cn_world_destroy(world);
}

// ---- locks, targets

static void locked_axes_take_no_velocity(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body_def def = {.velocity = point(1, 2), .angular_velocity = 3, .lock_x = true};
    def.lock_rotation = true;
    cn_body body = add_box(world, def);
    assert_vector(cn_body_velocity(world, body), 0, 2);
    assert_done(cn_body_apply_impulse(world, body, point(5, 1), point(0.5, 0.5)));
    assert_vector(cn_body_velocity(world, body), 0, 3);
    assert_near((double)cn_body_angular_velocity(world, body), 0, 0);
    assert_done(cn_body_apply_force(world, body, point(100, 0), point(0.5, 0.5)));
    run(world, 30);
    assert_near((double)cn_body_position(world, body).x, 0, 0);
    assert_near((double)cn_body_angle(world, body), 0, 0);

    assert_done(cn_body_set_locks(world, body, false, true, false));
    assert_vector(cn_body_velocity(world, body), 0, 0);
    bool x, y, rotation;
    cn_body_locks(world, body, &x, &y, &rotation);
    assert_true(!x && y && !rotation);
    assert_done(cn_body_apply_impulse(world, body, point(0, 1), point(0.5, 0)));
    assert_true(cn_body_angular_velocity(world, body) > 0);
    cn_world_destroy(world);
}

// The impulse was that of the free mass, of which the lock took its share away: a paddle of the puck's weight gave
// back a tenth of the speed.
static void what_a_lock_holds_gives_back_a_bounce(void **state) {
    (void)state;
    const cn_material elastic = {.frictionless = true, .restitution = 1};
    for (int i = 0; i < 6; i++) {
        bool sideways = i >= 3;
        const float density[] = {0.25f, 1, 4};
        cn_world *world = make_world(0);
        cn_shape_def bar = {.hull = cn_box(1, 1), .density = density[i % 3], .material = elastic};
        cn_body_def def = {.lock_rotation = true, .lock_x = sideways, .lock_y = !sideways};
        cn_body paddle = add(world, def, bar);
        cn_body puck = add(world,
                           (cn_body_def){.position = sideways ? point(3, 0.6) : point(0.6, 3),
                                         .velocity = sideways ? point(-10, 3) : point(3, -10)},
                           (cn_shape_def){.hull = cn_circle(0.5f), .material = elastic});
        run(world, 30);
        assert_vector(cn_body_velocity(world, puck), sideways ? 10 : 3, sideways ? 3 : 10);
        assert_vector(cn_body_velocity(world, paddle), 0, 0);
        cn_world_destroy(world);
    }
}

// A disc takes a third of the speed of its rim from a wall that does not yield.
static void what_a_lock_holds_gives_back_a_spin(void **state) {
    (void)state;
    const cn_material rough = {.friction = 2, .restitution = 0.5f};
    for (int i = 0; i < 6; i++) {
        bool sideways = i & 1;
        const float density[] = {0.25f, 1, 4};
        cn_world *world = make_world(0);
        cn_shape_def bar = {.hull = cn_box(1, 1), .density = density[i / 2], .material = rough};
        cn_body_def def = {.lock_rotation = true, .lock_x = !sideways, .lock_y = sideways};
        add(world, def, bar);
        cn_body_def spinning = {.position = sideways ? point(3, 0) : point(0, 3),
                                .velocity = sideways ? point(-10, 0) : point(0, -10),
                                .angular_velocity = 10};
        cn_body disc =
            add(world, spinning, (cn_shape_def){.hull = cn_circle(0.5f), .material = rough});
        run(world, 30);
        motion m = motion_of(world, disc);
        assert_near(sideways ? m.vy : m.vx, sideways ? 5 / 3.0 : -5 / 3.0, 0.01);
        assert_near(m.w, 10 / 3.0, 0.01);
        cn_world_destroy(world);
    }
}

// With friction it loses some; a lock turns what the normal gives into a slip, which friction has to know of.
static void no_bounce_on_a_locked_box_gains_energy(void **state) {
    (void)state;
    uint64_t seed = 1;
    const cn_material rough = {.friction = 0.8f, .restitution = 1};
    int moved = 0;
    for (int i = 0; i < 400; i++) {
        cn_world *world = make_world(0);
        cn_body_def locked = {.angle = (float)random_between(&seed, 0, PI), .lock_x = i & 1};
        locked.lock_y = !locked.lock_x, locked.lock_rotation = i & 2;
        cn_shape_def square = {.hull = cn_box(1, 1), .material = rough};
        square.density = (float)random_between(&seed, 0.2, 4);
        cn_body box = add(world, locked, square);
        double vx = random_between(&seed, -10, 10), vy = random_between(&seed, -10, 0);
        cn_body_def flying = {.position = point(-0.3 * vx, 3 - 0.1 * vy),
                              .velocity = point(vx, vy)};
        flying.angular_velocity = (float)random_between(&seed, -20, 20);
        add(world, flying, (cn_shape_def){.hull = cn_circle(0.5f), .material = rough});
        double before = cn_world_energy(world).kinetic;
        run(world, 60);
        motion m = motion_of(world, box);
        moved += fabs(m.vx) + fabs(m.vy) + fabs(m.w) > 1e-6;
        double gain = cn_world_energy(world).kinetic / before - 1;
        if (gain > 1e-3) fail_msg("bounce %d: %+.2f %% of the energy", i, 100 * gain);
        cn_world_destroy(world);
    }
    assert_in_range(moved, 150, 400);
}

static void a_bounce_on_a_tilted_box_that_is_locked_keeps_its_energy(void **state) {
    (void)state;
    const cn_material elastic = {.frictionless = true, .restitution = 1};
    cn_world *world = make_world(0);
    cn_body box = add(world, (cn_body_def){.angle = 0.5f, .lock_y = true, .lock_rotation = true},
                      (cn_shape_def){.hull = cn_box(1, 1), .material = elastic});
    add(world, (cn_body_def){.position = point(-4, 0), .velocity = point(5, 0)},
        (cn_shape_def){.hull = cn_circle(0.5f), .material = elastic});
    double before = cn_world_energy(world).kinetic;
    run(world, 120);
    assert_true(motion_of(world, box).vx > 1);
    assert_near(cn_world_energy(world).kinetic, before, 1e-4 * before);
    cn_world_destroy(world);
}

static void a_target_is_reached_in_the_given_time(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_hull box = cn_box(1, 1), aside = cn_hull_at(&box, cn_pose_at(point(2, 1), 0));
    cn_body body =
        add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(3, 4), .angle = 3},
            (cn_shape_def){.hull = aside});
    const double x[] = {5, 5, -100, 0}, angle[] = {-3, -3, 1, 0};
    for (int i = 0; i < 4; i++) {
        vec2s target = point(x[i], 2);
        assert_done(cn_body_set_target(world, body, target, (float)angle[i], 30 * STEP));
        double w = (double)cn_body_angular_velocity(world, body);
        assert_true(fabs(w) * 30 * (double)STEP < PI + 1e-3); // the short way round
        run(world, 30);
        vec2s position = cn_body_position(world, body);
        assert_near((double)position.x, x[i], 1e-3);
        assert_near((double)position.y, 2, 1e-3);
        assert_near(angle_from((double)cn_body_angle(world, body), angle[i]), 0, 1e-3);
    }
    cn_world_destroy(world);
}

static void a_target_that_is_reached_means_to_stand_still(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_hull box = cn_box(1, 1), aside = cn_hull_at(&box, cn_pose_at(point(2, 1), 0));
    for (int i = 0; i < 50; i++) {
        vec2s at = point(1000.0 / (i + 1), 0.1 * i);
        float angle = 0.37f * (float)i;
        cn_body body =
            add(world, (cn_body_def){.type = CN_KINEMATIC, .position = at, .angle = angle},
                (cn_shape_def){.hull = aside});
        assert_done(cn_body_set_target(world, body, at, angle, STEP));
        assert_vector(cn_body_velocity(world, body), 0, 0);
        assert_true(cn_body_velocity(world, body).x == 0 && cn_body_velocity(world, body).y == 0);
        assert_true(cn_body_angular_velocity(world, body) == 0);
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_created_asleep_stays_asleep),
        cmocka_unit_test(asleep_is_only_for_bodies_that_may_sleep),
        cmocka_unit_test(every_change_that_matters_wakes),
        cmocka_unit_test(what_changes_nothing_wakes_nothing),
        cmocka_unit_test(an_island_goes_to_sleep_as_a_whole),
        cmocka_unit_test(an_island_that_lost_a_body_can_be_put_to_sleep),
        cmocka_unit_test(a_kinematic_body_that_starts_moving_wakes_its_load),
        cmocka_unit_test(a_body_can_change_its_type_at_any_time),
        cmocka_unit_test(a_disabled_body_keeps_its_state_and_touches_nothing),
        cmocka_unit_test(locked_axes_take_no_velocity),
        cmocka_unit_test(what_a_lock_holds_gives_back_a_bounce),
        cmocka_unit_test(a_bounce_on_a_tilted_box_that_is_locked_keeps_its_energy),
        cmocka_unit_test(what_a_lock_holds_gives_back_a_spin),
        cmocka_unit_test(no_bounce_on_a_locked_box_gains_energy),
        cmocka_unit_test(a_target_is_reached_in_the_given_time),
        cmocka_unit_test(a_target_that_is_reached_means_to_stand_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
