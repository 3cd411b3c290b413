/* Extreme speeds, spins, damping and speed limits: every step succeeds and all values stay finite.
 * Velocities go up to 1e9 in each coordinate and of turning. */
#include "../../../support/physics.h"

#define MAX_SPEED 1e9f

static void any_damping_is_stable(void **state) {
    (void)state;
    for (float damping = 1; damping < 1e38f; damping *= 10) {
        cn_world *world = make_world(10);
        cn_body_def def = {.velocity = point(5, 0), .angular_velocity = 5};
        def.linear_damping = def.angular_damping = damping;
        cn_body body = add(world, def, box_of(0.5f));
        run(world, 60);
        assert_true(!cn_body_disabled(world, body));
        assert_near(motion_of(world, body).x, 0, 5 * (1 / (double)damping + 1.0 / 480) + 1e-4);
        cn_world_destroy(world);
    }
}

static void extreme_spins_do_not_fail_the_step(void **state) {
    (void)state;
    for (float w = 1e4f; w <= 1e9f; w *= 10) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){0});
        for (int i = 0; i < 20; i++)
            add(world, (cn_body_def){.position = point(12 * i - 100, 10), .angular_velocity = w},
                (cn_shape_def){.hull = cn_box(5, 0.25f)});
        for (int i = 0; i < 5; i++) assert_done(cn_world_step(world, 0.5f));
        cn_world_destroy(world);
    }
}

// The search for the bodies that the wheel may have met once read beyond the tree.
static void a_wheel_at_the_greatest_spin_moves_no_body_out_of_its_reach(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body_def wheel = {.type = CN_KINEMATIC, .position = point(1000, 0)};
    wheel.angular_velocity = MAX_SPEED;
    add(world, wheel, (cn_shape_def){.hull = cn_box(100, 1)});
    cn_body last = {0};
    for (int i = 0; i < 20; i++) {
        cn_body_def def = {.position = point(3 * i, 0), .velocity = point(0, i == 3 ? 500 : 0)};
        last = add(world, def, box_of(0.5f));
    }
    for (int i = 0; i < 10; i++) assert_done(cn_world_step(world, 1.0f / 60));
    assert_near(motion_of(world, last).x, 57, 0);
    cn_world_destroy(world);
}

// A gap just above the speculative margin closes slowly. The turn until it closes is not finite.
static void a_near_miss_at_the_greatest_spin_does_not_fail_the_step(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        cn_world *world = make_world(0);
        double gap = 0.02 + (i % 20 + 1) * 2e-6 * (1 << i / 20);
        add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_box(10, 1)});
        cn_body box = add(world, (cn_body_def){.position = point(0, 1.5 + gap)}, box_of(0.5f));
        assert_done(cn_body_set_velocity(world, box, point(0, -72 * (gap - 0.02))));
        assert_done(cn_body_set_angular_velocity(world, box, MAX_SPEED));
        run(world, 1);
        cn_world_destroy(world);
    }
}

// A body that the sweep puts back has almost no speed from which the work of gravity could be
// taken.
static void velocities_stay_finite_under_a_tiny_speed_limit(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        cn_world *world = make_world(10);
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, 3 + 0.1 * (i % 20))},
            (cn_shape_def){.hull = cn_box(20, 0.1f)});
        cn_body_def bat = {.type = CN_KINEMATIC, .position = point(0, -0.3)};
        bat.velocity = point(0, 10 + 20 * (i / 2));
        add(world, bat, (cn_shape_def){.hull = cn_box(1, 0.2f)});
        cn_body_def def = {.max_speed = i % 2 ? 1e-20f : 1e-21f};
        cn_body slow = add(world, def, (cn_shape_def){.hull = cn_box(0.1f, 0.05f)});
        for (int k = 0; k < 30; k++) {
            run(world, 1);
            motion m = motion_of(world, slow);
            assert_true(isfinite(m.vx) && isfinite(m.vy));
        }
        cn_world_destroy(world);
    }
}

static void velocities_above_the_limit_are_refused(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    const float above = 1.001f * MAX_SPEED;
    assert_true(cn_body_create(world, &(cn_body_def){.velocity = {{0, -above}}}).id == 0);
    assert_int_equal(cn_error_code(), CN_ERROR_RANGE);
    assert_true(cn_body_create(world, &(cn_body_def){.angular_velocity = above}).id == 0);
    cn_body ball = add(world, (cn_body_def){.velocity = point(0, MAX_SPEED)},
                       (cn_shape_def){.hull = cn_circle(0.5f)});
    assert_false(cn_body_set_velocity(world, ball, point(above, 0)));
    assert_false(cn_body_set_angular_velocity(world, ball, -above));
    assert_false(cn_body_apply_impulse(world, ball, point(0, 1e6)));
    assert_near(motion_of(world, ball).vy, MAX_SPEED, 0);
    assert_done(cn_body_apply_impulse(world, ball, point(0, -1e6)));
    cn_world_destroy(world);
}

// A force of 3e38 N would take the ball beyond the limit, and beyond the range of floats.
static void a_body_that_a_step_makes_too_fast_is_put_back_and_disabled(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    for (int i = 0; i < 2; i++) {
        cn_body ball = add(world, (cn_body_def){.position = point(i, 0)},
                           (cn_shape_def){.hull = cn_circle(0.1f)});
        assert_done(cn_body_apply_force(world, ball, point(i ? 3e38 : 1e11, 0)));
        run(world, 1);
        cn_events events = cn_world_events(world);
        assert_int_equal(events.body_count, 1);
        assert_int_equal(events.bodies[0].change, CN_BODY_FAULT);
        assert_false(!cn_body_disabled(world, ball));
        assert_near(motion_of(world, ball).x, i, 0);
        assert_near(motion_of(world, ball).vx, 0, 0);
    }
    cn_world_destroy(world);
}

// The impulses and turns of its joints would throw it again.
static void a_jointed_body_can_be_enabled_again_after_a_fault(void **state) {
    (void)state;
    for (int preset = 0; preset < 4; preset++) {
        cn_world *world = make_world(10);
        cn_body a = add(world, (cn_body_def){.position = point(0, 5)}, box_of(0.4f));
        cn_body b = add(world, (cn_body_def){.position = point(1, 5)}, box_of(0.4f));
        vec2s middle = point(0.5, 5);
        cn_joint_def def = preset == 0   ? cn_weld_joint(world, a, b, middle)
                           : preset == 1 ? cn_revolute_joint(world, a, b, middle)
                           : preset == 2 ? cn_spring_joint(world, a, b, point(0, 5), point(1, 5))
                                         : cn_prismatic_joint(world, a, b, middle, point(1, 0));
        assert_true(cn_joint_create(world, def).id != 0);
        assert_done(cn_body_apply_force_at(world, a, point(3e38, 0), point(0, 5)));
        run(world, 5);
        assert_false(!cn_body_disabled(world, a));
        for (int i = 0; i < 2; i++) {
            cn_body body = i ? b : a;
            assert_done(cn_body_set_disabled(world, body, false));
            assert_done(cn_body_set_pose(world, body, cn_pose_at(point(i, 5), 0)));
            assert_done(cn_body_set_velocity(world, body, point(0, 0)));
            assert_done(cn_body_set_angular_velocity(world, body, 0));
        }
        run(world, 60);
        assert_true(!cn_body_disabled(world, a) && !cn_body_disabled(world, b));
        assert_near(motion_of(world, a).vy, -10, 0.2);
        cn_world_destroy(world);
    }
}

// It squared the approach in float once.
static void the_approach_speed_of_a_hit_is_finite(void **state) {
    (void)state;
    for (float speed = 10; speed <= MAX_SPEED; speed *= 10) {
        cn_world *world = make_world(0);
        add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_box(50, 1)});
        add(world, (cn_body_def){.position = point(0, 1.5), .velocity = point(0, -speed)},
            (cn_shape_def){.hull = cn_circle(0.5f), .hit_events = true});
        run(world, 1);
        cn_events events = cn_world_events(world);
        for (int i = 0; i < events.hit_count; i++) {
            assert_true(isfinite(events.hits[i].approach_speed));
            assert_near(events.hits[i].approach_speed, speed, 1e-3 * (double)speed);
        }
        assert_true(speed > 1e3f || events.hit_count == 1);
        cn_world_destroy(world);
    }
}

// In a step as long as the sleep time it counted as at rest once, and left an island without
// bodies.
static void a_quarantined_body_leaves_no_sleeping_island(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = point(0, -10)});
    cn_body ball =
        add(world, (cn_body_def){.gravity_scale = 3e38f}, (cn_shape_def){.hull = cn_circle(0.5f)});
    assert_done(cn_world_step(world, 0.6f));
    cn_events events = cn_world_events(world);
    assert_int_equal(events.body_count, 1);
    assert_int_equal(events.bodies[0].change, CN_BODY_FAULT);
    assert_done(cn_body_destroy(world, ball));
    run(world, 10);
    assert_int_equal(cn_world_counters(world).sleeping_islands, 0);
    cn_world_destroy(world);
}

static cn_pre_solve_result check_separation(cn_world *world, const cn_contact *contact,
                                            void *count) {
    (void)world;
    assert_true(isfinite(contact->manifold.separation));
    ++*(int *)count;
    return (cn_pre_solve_result){0};
}

// A corner of a fast box passes a ball.
static void separations_are_finite_at_any_speed(void **state) {
    (void)state;
    int seen = 0;
    for (float speed = 1; speed <= MAX_SPEED; speed *= 10)
        for (float radius = 0.5f; radius < 1e7f; radius *= 100) {
            cn_world *world = make_world(0);
            cn_callbacks callbacks = {.pre_solve = check_separation, .user = &seen};
            assert_done(cn_world_set_callbacks(world, callbacks));
            cn_body_def box = {.type = CN_KINEMATIC, .angle = 0.7853f, .velocity = point(0, speed)};
            add(world, box, box_of(radius));
            add(world, (cn_body_def){.position = point(0, 14.8 * (double)radius)},
                (cn_shape_def){.hull = cn_circle(radius)});
            add(world, (cn_body_def){.position = point(0, 2.93 * (double)radius)},
                (cn_shape_def){.hull = cn_circle(radius)});
            flag_all_shapes(world);
            for (int i = 0; i < 3; i++) assert_done(cn_world_step(world, 1.0f / 60));
            cn_world_destroy(world);
        }
    assert_true(seen > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_damping_is_stable),
        cmocka_unit_test(velocities_above_the_limit_are_refused),
        cmocka_unit_test(a_body_that_a_step_makes_too_fast_is_put_back_and_disabled),
        cmocka_unit_test(a_jointed_body_can_be_enabled_again_after_a_fault),
        cmocka_unit_test(the_approach_speed_of_a_hit_is_finite),
        cmocka_unit_test(a_quarantined_body_leaves_no_sleeping_island),
        cmocka_unit_test(separations_are_finite_at_any_speed),
        cmocka_unit_test(extreme_spins_do_not_fail_the_step),
        cmocka_unit_test(a_wheel_at_the_greatest_spin_moves_no_body_out_of_its_reach),
        cmocka_unit_test(a_near_miss_at_the_greatest_spin_does_not_fail_the_step),
        cmocka_unit_test(velocities_stay_finite_under_a_tiny_speed_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
