/* What pre-solve returns: contacts with another friction, restitution and surface speed for a step.
 * test_callbacks.c has when it is called, and contacts that it disables; test_pre_solve_piles.c has
 * many bodies. */
#include "pre_solve.h"

// ---- closed formulas

// The speed grows by mu g t until it is that of the conveyor.
static void a_conveyor_made_by_pre_solve_carries_a_box_at_its_speed(void **state) {
    (void)state;
    const double speeds[] = {2, -3, 0.1}, mu = 0.25;
    for (int i = 0; i < COUNT(speeds); i++) {
        cn_world *world = make_world(GRAVITY);
        add_floor(world, frictionless);
        cn_body box = add_crate(world, point(0, 0.5), point(0, 0), (cn_material){0});
        assert_done(cn_body_set_locks(world, box, false, false, true)); // else it rocks at first
        run(world, 30);
        game g = {.result = changed_to(mu, 0, speeds[i])};
        set_game(world, &g);
        for (int k = 1; k <= 120; k++) {
            run(world, 1);
            double expected = fmin(mu * GRAVITY * seconds_of(k), fabs(speeds[i]));
            assert_near(motion_of(world, box).vx, copysign(expected, speeds[i]), 2e-3);
        }
        cn_world_destroy(world);
    }
}

// The upper side moves to the right, the right side down, the lower side to the left, the left side
// up.
static void a_conveyor_made_by_pre_solve_runs_clockwise(void **state) {
    (void)state;
    const vec2s sides[] = {{{0, 1}}, {{1, 0}}, {{0, -1}}, {{-1, 0}}};
    for (int i = 0; i < 4; i++) {
        vec2s n = sides[i];
        cn_world *world = make_world(0);
        assert_done(cn_world_set_gravity(world, point(-10 * (double)n.x, -10 * (double)n.y)));
        add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_box(20, 20)});
        cn_body box = add_crate(world, point(20.5 * (double)n.x, 20.5 * (double)n.y), point(0, 0),
                                frictionless);
        game g = {.result = changed_to(0.5, 0, 2)};
        set_game(world, &g);
        run(world, 120);
        vec2s v = cn_body_velocity(world, box);
        assert_near((double)v.x, 2 * (double)n.y, 1e-3);
        assert_near((double)v.y, -2 * (double)n.x, 1e-3);
        cn_world_destroy(world);
    }
}

// The lower one of two equal crates stands on ice. Each of them gets half of the speed, and the
// upper one goes to the right, whichever of them is side a of the contact.
static void a_conveyor_between_two_crates_drives_both(void **state) {
    (void)state;
    for (int lower = 0; lower < 2; lower++) {
        cn_world *world = make_world(GRAVITY);
        add_floor(world, frictionless);
        cn_body crates[2];
        for (int i = 0; i < 2; i++) {
            crates[i] =
                add_crate(world, point(0, i == lower ? 0.5 : 1.5), point(0, 0), frictionless);
            assert_done(cn_body_set_locks(world, crates[i], false, false, true));
        }
        game g = {.result = changed_to(0.5, 0, 0.2), .only = crates[!lower]};
        set_game(world, &g);
        run(world, 40);
        assert_near(motion_of(world, crates[lower]).vx, -0.1, 1e-3);
        assert_near(motion_of(world, crates[!lower]).vx, 0.1, 1e-3);
        cn_world_destroy(world);
    }
}

static void a_box_slides_with_the_friction_of_pre_solve(void **state) {
    (void)state;
    const double angle = 35 * PI / 180;
    for (double mu = 0; mu < 0.55; mu += 0.1) {
        slope s = make_slope(angle, cn_box(0.5f, 0.5f), 0.5, 1.5); // would not slide
        game g = {.result = changed_to(mu, 0, 0)};
        set_game(s.world, &g);
        double expected = GRAVITY * (sin(angle) - mu * cos(angle));
        assert_near(measure_acceleration(&s), expected, 0.01 * expected);
        cn_world_destroy(s.world);
    }
}

static void a_box_rests_with_the_friction_of_pre_solve(void **state) {
    (void)state;
    slope s = make_slope(0.5, cn_box(0.5f, 0.5f), 0.5, 0);
    game g = {.result = changed_to(0.8, 0, 0)}; // tan 0.5 is 0.55
    set_game(s.world, &g);
    run(s.world, 60);
    double start = position_downhill(&s);
    run(s.world, 600);
    assert_near(position_downhill(&s), start, 1e-3);
    cn_world_destroy(s.world);
}

// Returns the height of the next apex over a floor at y = 0.
static double next_apex(cn_world *world, cn_body body) {
    double before = motion_of(world, body).vy;
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        motion m = motion_of(world, body);
        if (before < 0 && m.vy > 0) return m.y - 0.5 + m.vy * m.vy / (2 * GRAVITY);
        before = m.vy;
    }
    fail_msg("the body did not bounce");
    return 0;
}

// Whatever the own restitution is.
static void a_body_bounces_to_e_squared_of_its_height_with_the_e_of_pre_solve(void **state) {
    (void)state;
    const cn_hull hulls[] = {cn_circle(0.5f), cn_box(0.5f, 0.5f)};
    for (int i = 0; i < 2 * COUNT(hulls); i++)
        for (double e = 0.3; e < 1.01; e += 0.1) {
            cn_world *world = make_world(GRAVITY);
            add_floor(world, elastic(i % 2 ? 0.6 : 0));
            cn_body body = add_hull(world, 0, 5.5, hulls[i / 2], elastic(0), 1);
            game g = {.result = changed_to(0, e, 0)};
            set_game(world, &g);
            double height = 5;
            for (int k = 1; k <= 3 && height * e * e > 0.2; k++) {
                height *= e * e;
                assert_near(next_apex(world, body), height, (i / 2 ? 0.01 : 0.005) * k * height);
            }
            cn_world_destroy(world);
        }
}

// A restitution of 0 takes the bounce from an elastic floor, at any speed.
static void a_body_does_not_bounce_if_pre_solve_takes_its_restitution(void **state) {
    (void)state;
    for (double speed = 1; speed < 300; speed *= 4) {
        cn_world *world = make_world(GRAVITY);
        add_floor(world, elastic(0.8));
        cn_body body = add_crate(world, point(0, 3), point(0, -speed), elastic(0));
        game g = {.result = changed_to(0, 0, 0)};
        set_game(world, &g);
        run(world, 120);
        assert_near(motion_of(world, body).y, 0.5, 0.006);
        assert_near(motion_of(world, body).vy, 0, 0.01);
        cn_world_destroy(world);
    }
}

// Continuous collision stops the ball at the wall; the next step solves the impact.
static void a_fast_ball_bounces_with_the_restitution_of_pre_solve(void **state) {
    (void)state;
    for (double speed = 10; speed < 3000; speed *= 3) {
        cn_world *world = make_world(0);
        add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_box(0.1f, 5)});
        cn_body body =
            add(world, (cn_body_def){.position = point(-4, 0), .velocity = point(speed, 0)},
                (cn_shape_def){.hull = cn_circle(0.2f)});
        game g = {.result = changed_to(0, 0.5, 0)};
        set_game(world, &g);
        for (int i = 0; i < 60 && motion_of(world, body).vx > 0; i++) run(world, 1);
        assert_near(motion_of(world, body).vx, -0.5 * speed, 1e-3 * speed);
        cn_world_destroy(world);
    }
}

static void two_balls_part_at_e_times_their_approach(void **state) {
    (void)state;
    for (double e = 0.2; e < 1.01; e += 0.2)
        for (double speed = 2; speed < 100; speed *= 3) {
            cn_world *world = make_world(0);
            cn_body a = add_hull(world, -3, 0, cn_circle(0.5f), (cn_material){0}, 1);
            cn_body b = add_hull(world, 3, 0, cn_circle(0.5f), (cn_material){0}, 1);
            assert_done(cn_body_set_velocity(world, a, point(speed, 0)));
            game g = {.result = changed_to(0, e, 0)};
            set_game(world, &g);
            run(world, 240);
            assert_near(motion_of(world, b).vx - motion_of(world, a).vx, e * speed, 0.01 * speed);
            assert_near(motion_of(world, b).vx + motion_of(world, a).vx, speed, 1e-4 * speed);
            cn_world_destroy(world);
        }
}

// ---- which steps

// Friction brakes the box in every third step only.
static void a_change_lasts_for_one_step(void **state) {
    (void)state;
    for (int own = 0; own < 2; own++) { // its own friction is 0, or the changed one
        cn_world *world = make_world(GRAVITY);
        add_floor(world, own ? (cn_material){.friction = 0.3f} : frictionless);
        cn_body box = add_crate(world, point(0, 0.5), point(0, 0), (cn_material){.friction = 0.3f});
        run(world, 30);
        assert_done(cn_body_set_velocity(world, box, point(8, 0)));
        game g = {0};
        set_game(world, &g);
        double speed = 8;
        for (int i = 0; i < 60; i++) {
            bool brakes = i % 3 == 0;
            g.result = brakes != own ? changed_to(own ? 0 : 0.3, 0, 0) : (cn_pre_solve_result){0};
            run(world, 1);
            if (brakes) speed -= 0.3 * GRAVITY / 60;
            assert_near(motion_of(world, box).vx, speed, 2e-3);
        }
        cn_world_destroy(world);
    }
}

// The second of three bounces is changed.
static void only_the_bounce_for_which_it_is_asked_changes(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, elastic(0.8));
    cn_body body = add_hull(world, 0, 5.5, cn_circle(0.5f), elastic(0), 1);
    game g = {0};
    set_game(world, &g);
    double height = 5;
    for (int i = 0; i < 3; i++) {
        g.result = i == 1 ? changed_to(0, 0.5, 0) : (cn_pre_solve_result){0};
        height *= i == 1 ? 0.25 : 0.64;
        assert_near(next_apex(world, body), height, 0.01 * (i + 1) * height);
    }
    cn_world_destroy(world);
}

// The contact of the box at rest began long before.
static void a_callback_that_is_set_between_steps_acts_in_the_next_one(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body box = add_crate(world, point(0, 0.5), point(0, 0), (cn_material){0});
    assert_done(cn_body_set_locks(world, box, false, false, true));
    run(world, 30);
    game g = {.result = changed_to(1, 0, 0.1)}; // 1 g / 60 is more than 0.1 m/s
    for (int i = 0; i < 5; i++) {
        set_game(world, &g);
        run(world, 1);
        assert_near(motion_of(world, box).vx, 0.1, 1e-3);
        assert_done(cn_world_set_callbacks(world, (cn_callbacks){0}));
        run(world, 1);
        assert_near(motion_of(world, box).vx, 0, 1e-3);
    }
    cn_world_destroy(world);
}

static void a_disabled_contact_ignores_the_other_values(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body box = add_crate(world, point(0, 0.5), point(0, 0), (cn_material){0});
    run(world, 10);
    game g = {.result = changed_to((double)NAN, 0, 5)};
    g.result.disabled = true;
    set_game(world, &g);
    cn_error_clear();
    run(world, 1);
    assert_near(motion_of(world, box).vy, -GRAVITY / 60, 1e-4);
    assert_near(motion_of(world, box).vx, 0, 1e-6);
    assert_int_equal(cn_error_code(), CN_ERROR_NONE);
    cn_world_destroy(world);
}

// ---- what the world reports

static void the_callback_and_the_lists_see_the_own_values(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body floor =
        add_floor(world, (cn_material){.friction = 0.9f, .restitution = 0.25f, .surface_speed = 2});
    cn_body box =
        add_crate(world, point(0, 0.5), point(0, 0),
                  (cn_material){.friction = 0.4f, .restitution = 0.125f, .surface_speed = -0.5f});
    game g = {.result = changed_to(0.1, 0.5, 7)};
    set_game(world, &g);
    for (int i = 0; i < 5; i++) {
        run(world, 1);
        cn_contact listed;
        assert_int_equal(cn_world_contacts(world, &listed, 1), 1);
        cn_contact seen[] = {g.seen, listed, cn_contact_seen_from(listed, floor),
                             cn_contact_seen_from(listed, box)};
        for (int k = 0; k < COUNT(seen); k++) {
            assert_near((double)seen[k].friction, 0.6, 1e-6);
            assert_near((double)seen[k].restitution, 0.25, 0);
            assert_near((double)seen[k].surface_speed, 1.5, 0);
        }
        cn_ground ground = cn_body_ground(world, box, point(0, 1), 0.8f);
        assert_near((double)ground.velocity.x, 2, 0);
    }
    cn_world_destroy(world);
}

// v = 10 m/s: the impulse is m v (1 + e).
static void a_hit_event_has_the_impulse_of_the_changed_bounce(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_floor(world, (cn_material){0});
    cn_shape_def def = {.hull = cn_circle(0.5f), .hit_events = true};
    cn_body body =
        add(world, (cn_body_def){.position = point(0, 3), .velocity = point(0, -10)}, def);
    game g = {.result = changed_to(0, 0.5, 0)};
    set_game(world, &g);
    int hits = 0;
    for (int i = 0; i < 60; i++) {
        run(world, 1);
        cn_events events = cn_world_events(world);
        for (int k = 0; k < events.hit_count; k++, hits++) {
            assert_near((double)events.hits[k].approach_speed, 10, 0.01);
            assert_near((double)events.hits[k].impulse, 15 * mass_of(world, body), 0.02);
        }
    }
    assert_int_equal(hits, 1);
    cn_world_destroy(world);
}

static void a_one_way_platform_can_be_a_conveyor(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add(world, (cn_body_def){.type = CN_STATIC},
        (cn_shape_def){.hull = cn_box(50, 0.1f), .one_way = point(0, 1)});
    cn_body box = add_crate(world, point(0, -1), point(0, 8), (cn_material){0});
    game g = {.result = changed_to(0.5, 0, 3)};
    set_game(world, &g);
    while (motion_of(world, box).y < 0.6) run(world, 1);
    assert_int_equal(g.calls, 0); // while it passes
    run(world, 180);
    assert_near(motion_of(world, box).y, 0.6, 0.006);
    assert_near(motion_of(world, box).vx, 3, 1e-3);
    cn_world_destroy(world);
}

// ---- bad values

static void count_error(cn_error_kind kind, const char *text, void *user) {
    (void)kind, (void)text;
    ++*(int *)user;
}

// The box keeps its own friction, and each step has one error.
static void a_bad_value_leaves_the_contact_its_own_values(void **state) {
    (void)state;
    const cn_pre_solve_result bad[] = {
        changed_to((double)NAN, 0, 0),
        changed_to(-0.1, 0, 0),
        changed_to(2e9, 0, 0),
        changed_to((double)INFINITY, 0, 0),
        changed_to(0, -1, 0),
        changed_to(0, 1.01, 0),
        changed_to(0, (double)NAN, 0),
        changed_to(0, 0, 2e9),
        changed_to(0, 0, -(double)INFINITY),
        {.friction = 0.9f}, // without .changed
    };
    for (int i = 0; i < COUNT(bad); i++) {
        cn_world *world = make_world(GRAVITY);
        add_floor(world, (cn_material){.friction = 0.3f});
        cn_body box = add_crate(world, point(0, 0.5), point(5, 0), (cn_material){.friction = 0.3f});
        game g = {.result = bad[i]};
        set_game(world, &g);
        int errors = 0;
        cn_error_set_hook(count_error, &errors);
        run(world, 30);
        cn_error_set_hook(NULL, NULL);
        assert_near(motion_of(world, box).vx, 5 - 0.3 * GRAVITY / 2, 0.01);
        assert_int_equal(errors, 30);
        assert_int_equal(strncmp(cn_error(), "pre_solve: ", 11), 0);
        cn_error_kind kind = cn_error_code();
        assert_true(bad[i].changed ? kind == CN_ERROR_NUMBER || kind == CN_ERROR_RANGE
                                   : kind == CN_ERROR_STATE);
        cn_world_destroy(world);
    }
}

// ---- sleep

static void a_box_on_a_slow_conveyor_of_pre_solve_stays_awake(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_no_sleep(world, false));
    add_floor(world, (cn_material){0});
    cn_body box = add_crate(world, point(0, 0.5), point(0, 0), (cn_material){0});
    game g = {.result = changed_to(0.6, 0, 0.03)}; // below the sleep speed
    set_game(world, &g);
    run(world, 300);
    assert_true(!cn_body_asleep(world, box));
    assert_near(motion_of(world, box).vx, 0.03, 1e-3);
    g.result = (cn_pre_solve_result){0};
    run(world, 60);
    assert_false(!cn_body_asleep(world, box));
    cn_world_destroy(world);
}

static void a_sleeping_contact_changes_when_it_wakes(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_no_sleep(world, false));
    add_floor(world, (cn_material){0});
    cn_body box = add_crate(world, point(0, 0.5), point(0, 0), (cn_material){0});
    assert_done(cn_body_set_locks(world, box, false, false, true));
    flag_all_shapes(world);
    run(world, 120); // asleep before the world has a callback
    game g = {.result = changed_to(1, 0, 0.1)};
    set_game(world, &g);
    run(world, 60);
    assert_false(!cn_body_asleep(world, box));
    assert_int_equal(g.calls, 0);
    assert_done(cn_body_set_asleep(world, box, false));
    run(world, 1);
    assert_int_equal(g.calls, 1);
    assert_near(motion_of(world, box).vx, 0.1, 1e-3);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_conveyor_made_by_pre_solve_carries_a_box_at_its_speed),
        cmocka_unit_test(a_conveyor_made_by_pre_solve_runs_clockwise),
        cmocka_unit_test(a_conveyor_between_two_crates_drives_both),
        cmocka_unit_test(a_box_slides_with_the_friction_of_pre_solve),
        cmocka_unit_test(a_box_rests_with_the_friction_of_pre_solve),
        cmocka_unit_test(a_body_bounces_to_e_squared_of_its_height_with_the_e_of_pre_solve),
        cmocka_unit_test(a_body_does_not_bounce_if_pre_solve_takes_its_restitution),
        cmocka_unit_test(a_fast_ball_bounces_with_the_restitution_of_pre_solve),
        cmocka_unit_test(two_balls_part_at_e_times_their_approach),
        cmocka_unit_test(a_change_lasts_for_one_step),
        cmocka_unit_test(only_the_bounce_for_which_it_is_asked_changes),
        cmocka_unit_test(a_callback_that_is_set_between_steps_acts_in_the_next_one),
        cmocka_unit_test(a_disabled_contact_ignores_the_other_values),
        cmocka_unit_test(the_callback_and_the_lists_see_the_own_values),
        cmocka_unit_test(a_hit_event_has_the_impulse_of_the_changed_bounce),
        cmocka_unit_test(a_one_way_platform_can_be_a_conveyor),
        cmocka_unit_test(a_bad_value_leaves_the_contact_its_own_values),
        cmocka_unit_test(a_box_on_a_slow_conveyor_of_pre_solve_stays_awake),
        cmocka_unit_test(a_sleeping_contact_changes_when_it_wakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
