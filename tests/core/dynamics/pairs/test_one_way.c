/* One-way platforms: solid from one side, on static and on moving bodies, for falls at any speed,
 * and for bodies that drop through. */
#include "../../../support/games.h"

// ---- platforms

// A static or moving platform 8 m wide. Its upper face goes through the position of its body.
static cn_body add_platform(cn_world *world, cn_body_def def) {
    cn_hull hull = cn_box(4, 0.1f);
    hull = cn_hull_at(hull, cn_pose_at(point(0, -0.1), 0));
    return add(world, def, (cn_shape_def){.hull = hull, .one_way = {{0, 1}}});
}

static cn_body add_shelf(cn_world *world, double y) {
    return add_platform(world, (cn_body_def){.type = CN_STATIC, .position = point(0, y)});
}

// From above a platform is equal to a solid floor, bit for bit.
static void a_platform_stops_a_falling_body_at_any_speed(void **state) {
    (void)state;
    const cn_hull hulls[] = {ball, crate(), pill()};
    const double speeds[] = {0, 5, 20, 50, 300};
    for (int i = 0; i < COUNT(hulls) * COUNT(speeds); i++) {
        vec2s velocity = point(0, -speeds[i % COUNT(speeds)]);
        cn_body bodies[2];
        cn_world *worlds[2];
        for (int solid = 0; solid < 2; solid++) {
            worlds[solid] = make_world(GRAVITY);
            cn_shape shelf = first_shape(worlds[solid], add_shelf(worlds[solid], 0));
            if (solid) assert_done(cn_shape_set_one_way(worlds[solid], shelf, point(0, 0)));
            bodies[solid] = throw(worlds[solid], hulls[i / COUNT(speeds)], point(0.2, 3), velocity);
        }
        for (int k = 0; k < 90; k++) {
            run(worlds[0], 1);
            run(worlds[1], 1);
            assert_near(height_of(worlds[0], bodies[0]), height_of(worlds[1], bodies[1]), 0);
            assert_true(height_of(worlds[0], bodies[0]) > 0.2);
        }
        cn_world_destroy(worlds[0]);
        cn_world_destroy(worlds[1]);
    }
}

// A circle has no edge that points up, so it takes the direction itself.
static void a_direction_may_have_any_length(void **state) {
    (void)state;
    const float lengths[] = {1e-30f, 0.5f, 1, 60, 1e30f};
    for (int i = 0; i < COUNT(lengths); i++) {
        cn_world *world = make_world(GRAVITY);
        cn_shape_def knob = {.hull = cn_circle(0.5f), .one_way = {{0, lengths[i]}}};
        add(world, (cn_body_def){.type = CN_STATIC}, knob);
        cn_body body = throw(world, ball, point(0, -2), point(0, 10));
        cn_error_clear();
        run(world, 40);
        assert_near(motion_of(world, body).vy, 10 - GRAVITY * seconds_of(40), 1e-4); // passed
        run(world, 120);
        assert_near(height_of(world, body), 1, 0.05); // on top of the circle
        assert_int_equal(cn_error_code(), CN_ERROR_NONE);
        cn_world_destroy(world);
    }
}

static void a_jump_from_below_passes_and_lands(void **state) {
    (void)state;
    const cn_hull hulls[] = {ball, crate(), pill()};
    for (int h = 0; h < COUNT(hulls); h++) {
        cn_world *world = make_world(GRAVITY);
        add_shelf(world, 0);
        cn_body body = throw(world, hulls[h], point(0, -2), point(0, 10));
        for (int i = 1; i <= 60; i++) { // only gravity acts up to the highest point
            run(world, 1);
            assert_near(motion_of(world, body).vy, 10 - GRAVITY * seconds_of(i), 1e-4);
        }
        run(world, 200);
        assert_near(height_of(world, body), 0.5, 0.02);
        cn_world_destroy(world);
    }
}

static void a_platform_lets_a_body_pass_from_the_side(void **state) {
    (void)state;
    const cn_hull hulls[] = {ball, crate(), pill()};
    for (int h = 0; h < COUNT(hulls); h++)
        for (int i = 0; i < 3; i++) {
            cn_world *world = make_world(0);
            add_shelf(world, 0);
            cn_body body = throw(world, hulls[h], point(-8, 0.3 * i - 0.4), point(10, 0));
            run(world, 120);
            assert_near(motion_of(world, body).vx, 10, 0);
            assert_near(motion_of(world, body).x, 12, 1e-3);
            cn_world_destroy(world);
        }
}

static void a_body_that_jumps_only_half_through_falls_back(void **state) {
    (void)state;
    const double tops[] = {-0.6, -0.3, 0, 0.3, 0.49}; // apex of the body's centre
    const cn_hull hulls[] = {ball, crate(), pill()};
    for (int i = 0; i < COUNT(tops); i++)
        for (int h = 0; h < COUNT(hulls); h++) {
            cn_world *world = make_world(GRAVITY);
            add_shelf(world, 0);
            double v = sqrt(2 * GRAVITY * (tops[i] + 2)), t = seconds_of(90);
            cn_body body = throw(world, hulls[h], point(0, -2), point(0, v));
            run(world, 90);
            assert_near(height_of(world, body), -2 + v * t - GRAVITY * t * t / 2, 1e-3);
            cn_world_destroy(world);
        }
}

// A body slides from a solid floor onto a platform of the same height, as onto a solid one.
static void a_body_that_slides_onto_a_platform_is_supported(void **state) {
    (void)state;
    const cn_hull hulls[] = {ball, crate(), pill()};
    cn_shape_def floor = {.hull = cn_box(4, 1), .material = {.frictionless = true}};
    for (int i = 0; i < 2 * COUNT(hulls); i++) {
        int side = i % 2 ? 1 : -1;
        double x[2];
        for (int solid = 0; solid < 2; solid++) {
            cn_world *world = make_world(GRAVITY);
            cn_shape shelf = first_shape(world, add_shelf(world, 0));
            if (solid) assert_done(cn_shape_set_one_way(world, shelf, point(0, 0)));
            add(world, (cn_body_def){.type = CN_STATIC, .position = point(8 * side, -1)}, floor);
            cn_body body = throw(world, hulls[i / 2], point(7 * side, 0.5), point(-4 * side, 0));
            run(world, 100);
            x[solid] = motion_of(world, body).x;
            assert_true(fabs(x[solid]) < 4);
            assert_near(height_of(world, body), 0.5, 0.01);
            cn_world_destroy(world);
        }
        assert_near(x[0], x[1], 0.1);
    }
}

// Two former positions do not count: that of another body in the same slot, and that of the body
// before it was moved here.
static void a_body_put_into_a_one_way_platform_passes_it(void **state) {
    (void)state;
    for (int how = 0; how < 3; how++) {
        cn_world *world = make_world(0);
        cn_shape_def platform = {.hull = cn_box(5, 0.1f), .one_way = point(0, 1)};
        add(world, (cn_body_def){.type = CN_STATIC}, platform);
        cn_body_def def = {.position = point(100, 50), .velocity = point(0, -60)};
        cn_body body = add(world, def, box_of(0.4f));
        run(world, 1);
        if (how > 0) assert_done(cn_body_destroy(world, body));
        if (how > 0) run(world, how - 1);
        if (how > 0) body = add(world, (cn_body_def){.position = point(0, -0.2)}, box_of(0.4f));
        assert_done(cn_body_set_pose(world, body, cn_pose_at(point(0, -0.2), 0)));
        assert_done(cn_body_set_velocity(world, body, point(0, 0)));
        run(world, 30);
        assert_near(motion_of(world, body).y, -0.2, 1e-6);
        cn_world_destroy(world);
    }
}

static void a_shape_can_become_one_way_and_solid_again(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_shape shape = first_shape(world, add_shelf(world, 0));
    cn_body body = throw(world, crate(), point(0, 0.5), point(0, 0));
    assert_vector(cn_shape_one_way(world, shape), 0, 1);
    for (int i = 0; i < 3; i++) { // the body stands on it: solid, one-way, solid again
        assert_done(cn_shape_set_one_way(world, shape, point(0, i % 2)));
        run(world, 60);
        assert_near(height_of(world, body), 0.5, 0.01);
    }
    assert_done(cn_body_set_pose(world, body, cn_pose_at(point(0, -2), 0))); // hits it from below
    assert_done(cn_body_set_velocity(world, body, point(0, 9)));
    run(world, 60);
    assert_true(height_of(world, body) < -0.69);
    assert_done(cn_body_set_pose(world, body, cn_pose_at(point(0, 0.5), 0)));
    assert_done(cn_body_set_velocity(world, body, point(0, 0)));
    run(world, 30);
    assert_near(height_of(world, body), 0.5, 0.01);
    assert_done(cn_shape_set_one_way(world, shape, point(0, -1))); // solid from below: falls
    run(world, 60);
    assert_near(height_of(world, body), 0.5 - GRAVITY / 2, 0.02);
    cn_world_destroy(world);
}

// ---- moving platforms

static void moving_platforms_carry_bodies(void **state) {
    (void)state;
    const vec2s velocities[] = {{{2, 0}},   {{0, 2}},  {{0, -2}}, {{1, 1}},
                                {{-1, -1}}, {{0, 15}}, {{3, -5}}};
    const cn_hull hulls[] = {crate(), pill()};
    for (int i = 0; i < COUNT(velocities); i++)
        for (int h = 0; h < COUNT(hulls); h++) {
            cn_world *world = make_world(GRAVITY);
            cn_body platform =
                add_platform(world, (cn_body_def){.type = CN_KINEMATIC, .velocity = velocities[i]});
            cn_body body = throw(world, hulls[h], point(0, 0.6), velocities[i]);
            run(world, 240);
            motion m = motion_of(world, body), p = motion_of(world, platform);
            assert_near(m.vx, (double)velocities[i].x, 1e-3);
            assert_near(m.vy, (double)velocities[i].y, 1e-3);
            assert_near(m.y - p.y, 0.5, 0.02);
            assert_near(m.x - p.x, 0, 0.1);
            cn_world_destroy(world);
        }
}

static void a_rising_platform_lifts_a_body_that_falls_on_it(void **state) {
    (void)state;
    const double speeds[] = {1, 5, 20, 50};
    for (int i = 0; i < COUNT(speeds); i++) {
        cn_world *world = make_world(GRAVITY);
        cn_body platform = add_platform(
            world, (cn_body_def){.type = CN_KINEMATIC, .velocity = point(0, speeds[i])});
        cn_body body = throw(world, crate(), point(0, 5), point(0, -10));
        run(world, 240);
        assert_near(height_of(world, body) - height_of(world, platform), 0.5, 0.03);
        cn_world_destroy(world);
    }
}

// A cart with a shelf 2 m above its middle. One crate falls onto the shelf, another one jumps
// through it from below.
static void a_body_may_carry_a_platform(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body cart = add(world, (cn_body_def){.position = point(0, 0.5)},
                       (cn_shape_def){.hull = cn_box(2, 0.5f)});
    cn_hull shelf = cn_box(2, 0.1f);
    shelf = cn_hull_at(shelf, cn_pose_at(point(0, 2), 0));
    assert_done(
        cn_shape_create(world, cart, &(cn_shape_def){.hull = shelf, .one_way = {{0, 1}}}).id != 0);
    cn_body above = throw(world, crate(), point(-1, 4), point(0, 0));
    cn_body below = throw(world, crate(), point(1, 1.5), point(0, 8));
    run(world, 12);
    assert_near(motion_of(world, below).vy, 8 - GRAVITY * 0.2, 1e-3);
    run(world, 300);
    assert_near((double)cn_body_position(world, cart).y, 0.5, 0.02);
    assert_near(height_of(world, above), 3.1, 0.03);
    assert_near(height_of(world, below), 3.1, 0.03);
    cn_world_destroy(world);
}

static void a_platform_turns_with_its_body(void **state) {
    (void)state;
    const float angles[] = {0.3f, 1.5f, -2, 3.1f};
    for (int i = 0; i < COUNT(angles); i++) {
        cn_world *world = make_world(0);
        add_platform(world, (cn_body_def){.type = CN_STATIC, .angle = angles[i]});
        cn_pose pose = cn_pose_at(point(0, 0), angles[i]);
        cn_body down = throw(world, ball, cn_pose_point(pose, point(-1, 3)),
                             cn_pose_point(pose, point(0, -6)));
        cn_body up =
            throw(world, ball, cn_pose_point(pose, point(1, -3)), cn_pose_point(pose, point(0, 6)));
        run(world, 60);
        vec2s stopped = cn_pose_local_point(pose, cn_body_position(world, down));
        vec2s passed = cn_pose_local_point(pose, cn_body_position(world, up));
        assert_near((double)stopped.y, 0.5, 0.02);
        assert_near((double)passed.y, 3, 1e-3);
        cn_world_destroy(world);
    }
}

// ---- dropping through

static void a_body_drops_through_for_a_time(void **state) {
    (void)state;
    const struct {
        float seconds;
        double lands;
    } drops[] = {{0, 6.5}, {0.3f, 3.5}, {0.7f, 3.5}, {1.2f, 0.5}};
    for (int i = 0; i < COUNT(drops); i++)
        for (int asleep = 0; asleep < 2; asleep++) {
            cn_world *world = make_world(GRAVITY);
            add_floor(world, (cn_material){0});
            add_shelf(world, 6);
            add_shelf(world, 3);
            assert_done(cn_world_set_no_sleep(world, false));
            cn_body body = throw(world, crate(), point(0, 6.5), point(0, 0));
            run(world, asleep ? 120 : 10);
            assert_int_equal(!cn_body_asleep(world, body), !asleep);
            assert_done(cn_body_drop_through(world, body, 1));
            assert_done(
                cn_body_drop_through(world, body, drops[i].seconds)); // the last call counts
            run(world, 120);
            assert_near(height_of(world, body), drops[i].lands, 0.02);
            cn_world_destroy(world);
        }
}

static void only_the_body_that_drops_through_falls(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    for (int side = -1; side <= 1; side += 2) // two platforms that meet at x = 0
        add_platform(world, (cn_body_def){.type = CN_STATIC, .position = point(4 * side, 0)});
    cn_body body = throw(world, crate(), point(0, 0.5), point(0, 0));
    cn_body other = throw(world, crate(), point(2, 0.5), point(0, 0));
    run(world, 30);
    assert_done(cn_body_drop_through(world, body, 0.5f));
    run(world, 30);
    assert_near(height_of(world, body), 0.5 - GRAVITY / 8, 0.03);
    assert_near(height_of(world, other), 0.5, 0.01);
    cn_world_destroy(world);
}

static void a_stack_sleeps_and_wakes_on_a_platform(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_no_sleep(world, false));
    add_shelf(world, 0);
    cn_body stack[5];
    for (int i = 0; i < 5; i++) stack[i] = throw(world, crate(), point(0, 0.5 + i), point(0, 0));
    run(world, 120);
    assert_false(!cn_body_asleep(world, stack[0]));
    throw(world, ball, point(0.1, 8), point(0, 0)); // falls on top and wakes the stack
    run(world, 50);
    assert_true(!cn_body_asleep(world, stack[0]));
    run(world, 300);
    for (int i = 0; i < 5; i++) assert_near(height_of(world, stack[i]), 0.5 + i, 0.03);
    assert_done(cn_body_drop_through(world, stack[0], 0.4f)); // the others fall onto the platform
    run(world, 120);
    assert_true(height_of(world, stack[0]) < -5);
    assert_near(height_of(world, stack[1]), 0.5, 0.03);
    cn_world_destroy(world);
}

// ---- fast bodies

static void continuous_collision_knows_the_solid_side_of_a_platform(void **state) {
    (void)state;
    for (int bullet = 0; bullet < 2; bullet++)
        for (double speed = 20; speed < 1000; speed *= 1.7) {
            cn_world *world = make_world(0);
            add_shelf(world, 0);
            cn_shape_def shape = {.hull = cn_box(0.1f, 0.15f)};
            cn_body_def def = {.position = point(-1, -5), .bullet = bullet};
            def.velocity = point(0, speed);
            cn_body up = add(world, def, shape);
            def.position = point(1, 5), def.velocity = point(0, -speed);
            cn_body down = add(world, def, shape);
            run(world, 30);
            assert_near(height_of(world, up), speed / 2 - 5, 1e-3 * speed);
            assert_near(height_of(world, down), 0.15, 0.02);
            cn_world_destroy(world);
        }
}

// A sharp end of the plank comes down at 5 m/s or more while its centre stands still.
static void a_spinning_plank_does_not_fall_through_a_one_way_platform(void **state) {
    (void)state;
    for (int phase = 0; phase < 20; phase++) {
        cn_world *world = make_world(0);
        cn_body platform = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        cn_shape_def shelf = {.hull = cn_box(50, 0.25f), .one_way = point(0, 1)};
        assert_done(cn_shape_create(world, platform, &shelf).id != 0);
        cn_body_def spinning = {.position = point(0, 1.05),
                                .angle = -0.00475f * (float)phase,
                                .angular_velocity = 5.7f};
        cn_body plank = add(world, spinning, (cn_shape_def){.hull = cn_box(1, 0.1f)});
        run(world, 13);
        assert_true(cn_body_angular_velocity(world, plank) < 5.6f);
        cn_world_destroy(world);
    }
}

// ---- ground of several platforms

// Adds a row of 40 boxes of 1 m, with their upper faces at y = 0, between two walls.
static void add_row(cn_world *world) {
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_hull box = cn_box(0.5f, 0.5f), wall = cn_box(1, 60);
    for (int i = 0; i < 40; i++) {
        cn_shape_def def = {.hull = cn_hull_at(box, cn_pose_at(point(i + 0.5, -0.5), 0))};
        def.one_way = point(0, 1);
        assert_done(cn_shape_create(world, ground, &def).id != 0);
    }
    for (int i = 0; i < 2; i++)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(i ? 41 : -1, 20)},
            (cn_shape_def){.hull = wall});
}

// The impacts press bodies deeply into the row while they slide from box to box.
static void a_pile_that_falls_on_a_row_of_platforms_stays_above_it(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (int fast = 0; fast < 2; fast++) {
            uint64_t random = seed;
            cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
            add_row(world);
            cn_body bodies[200];
            for (int i = 0; i < 200; i++) {
                vec2s place = point(2 + random_between(&random, 0, 36), 12 + 0.3 * i);
                vec2s velocity = point(random_between(&random, -5, 5), fast ? -100 : 0);
                cn_hull hull = i % 3 == 0   ? cn_circle(0.4f)
                               : i % 3 == 1 ? cn_box(0.4f, 0.3f)
                                            : cn_regular_polygon(5, 0.4f);
                bodies[i] = throw(world, hull, place, velocity);
            }
            run(world, 600);
            for (int i = 0; i < 200; i++) assert_true(height_of(world, bodies[i]) > 0.2);
            cn_world_destroy(world);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_platform_stops_a_falling_body_at_any_speed),
        cmocka_unit_test(a_direction_may_have_any_length),
        cmocka_unit_test(a_jump_from_below_passes_and_lands),
        cmocka_unit_test(a_platform_lets_a_body_pass_from_the_side),
        cmocka_unit_test(a_body_that_jumps_only_half_through_falls_back),
        cmocka_unit_test(a_body_that_slides_onto_a_platform_is_supported),
        cmocka_unit_test(a_body_put_into_a_one_way_platform_passes_it),
        cmocka_unit_test(a_shape_can_become_one_way_and_solid_again),
        cmocka_unit_test(moving_platforms_carry_bodies),
        cmocka_unit_test(a_rising_platform_lifts_a_body_that_falls_on_it),
        cmocka_unit_test(a_body_may_carry_a_platform),
        cmocka_unit_test(a_platform_turns_with_its_body),
        cmocka_unit_test(a_body_drops_through_for_a_time),
        cmocka_unit_test(only_the_body_that_drops_through_falls),
        cmocka_unit_test(a_stack_sleeps_and_wakes_on_a_platform),
        cmocka_unit_test(continuous_collision_knows_the_solid_side_of_a_platform),
        cmocka_unit_test(a_spinning_plank_does_not_fall_through_a_one_way_platform),
        cmocka_unit_test(a_pile_that_falls_on_a_row_of_platforms_stays_above_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
