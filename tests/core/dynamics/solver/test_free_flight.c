/* Bodies in free flight against closed formulas: falling, turning, damping, gravity, and the speed
 * limit. */
#include "../../../support/single_body.h"

// ---- falling and turning

static void a_body_falls_as_galilei_says(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(world, (cn_body_def){.position = {{0, 100}}}, brick());
    run(world, 120);
    double t = seconds_of(120);
    motion m = motion_of(world, body);
    assert_near(m.y, 100 - GRAVITY * t * t / 2, 1e-4);
    assert_near(m.vy, -GRAVITY * t, 1e-4);
    assert_true(m.x == 0 && m.vx == 0 && m.angle == 0 && m.w == 0);
    cn_world_destroy(world);
}

static void a_projectile_lands_within_a_millimetre(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body =
        add(world, (cn_body_def){.velocity = {{30, 40}}, .angular_velocity = 5}, brick());
    run(world, 300);
    double t = seconds_of(300);
    motion m = motion_of(world, body);
    assert_near(m.x, 30 * t, 1e-3);
    assert_near(m.y, 40 * t - GRAVITY * t * t / 2, 1e-3);
    cn_world_destroy(world);
}

static void the_flight_does_not_depend_on_the_substeps(void **state) {
    (void)state;
    for (int substeps = 1; substeps <= 16; substeps *= 2) {
        cn_world *world = make_world(GRAVITY);
        assert_done(cn_world_set_substeps(world, substeps));
        cn_body body = add(world, (cn_body_def){.velocity = {{3, 20}}}, brick());
        run(world, 120);
        double t = seconds_of(120);
        assert_near(motion_of(world, body).y, 20 * t - GRAVITY * t * t / 2, 1e-3);
        cn_world_destroy(world);
    }
}

static void a_spin_keeps_its_speed_and_its_time(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.angular_velocity = 10}, brick());
    run(world, 6000);
    motion m = motion_of(world, body);
    assert_near(angle_from(10 * seconds_of(6000), m.angle) * 180 / PI, 0, 0.1);
    assert_true(m.w == 10 && m.x == 0 && m.y == 0);
    cn_world_destroy(world);
}

// Each turn of a fast wheel counts: the spin is not clamped.
static void a_spin_of_many_turns_a_step_keeps_its_time(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.angular_velocity = 1000}, brick());
    run(world, 600);
    assert_near(angle_from(1000 * seconds_of(600), motion_of(world, body).angle), 0, 0.01);
    cn_world_destroy(world);
}

static void a_slow_body_moves_even_ten_kilometres_from_the_origin(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body =
        add(world, (cn_body_def){.position = {{10000, 0}}, .velocity = {{0.01f, 0}}}, brick());
    run(world, 6000); // a step moves it by a sixth of the spacing of floats there
    assert_near(motion_of(world, body).x - 10000, 1, 1e-3);
    cn_world_destroy(world);
}

static void the_centre_of_a_tumbling_body_goes_straight(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.velocity = {{2, 1}}, .angular_velocity = 7}, brick());
    cn_hull side = cn_circle(0.5f);
    side = cn_hull_at(side, cn_pose_at(point(1, 1), 0));
    assert_done(cn_shape_create(world, body, &(cn_shape_def){.hull = side}).id != 0);
    motion start = motion_of(world, body);
    run(world, 300);
    motion end = motion_of(world, body);
    assert_near(end.x, start.x + start.vx * seconds_of(300), 1e-4);
    assert_near(end.y, start.y + start.vy * seconds_of(300), 1e-4);
    assert_true(end.w == 7);
    cn_world_destroy(world);
}

static void a_step_of_zero_length_only_clears_forces(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(world, (cn_body_def){.velocity = {{2, 1}}}, brick());
    run(world, 3);
    uint64_t hash = cn_world_hash(world);
    assert_done(cn_body_apply_torque(world, body, 1));
    assert_done(cn_world_step(world, 0));
    assert_true(cn_world_hash(world) == hash);
    cn_world_destroy(world);
}

// ---- damping, gravity, speed limit

// v = v0 e^(-c t), and the displacement is v0 (1 - e^(-c t)) / c. Its relative error is (h c)^2
// / 12.
static void damping_is_exponential_decay(void **state) {
    (void)state;
    for (double c = 0.1; c < 300; c *= 3) {
        cn_world *world = make_world(0);
        cn_body body = add(world,
                           (cn_body_def){.velocity = {{4, 0}},
                                         .angular_velocity = 3,
                                         .linear_damping = (float)c,
                                         .angular_damping = (float)(c / 2)},
                           brick());
        run(world, 6);
        double t = seconds_of(6), h = (double)STEP / 4;
        motion m = motion_of(world, body);
        assert_near(m.vx / (4 * exp(-c * t)), 1, 1e-4);
        assert_near(m.w / (3 * exp(-c / 2 * t)), 1, 1e-4);
        assert_near(m.x / (4 / c * (1 - exp(-c * t))), 1, h * h * c * c / 11 + 1e-5);
        cn_world_destroy(world);
    }
}

static void a_falling_body_with_damping_reaches_its_terminal_speed(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(world, (cn_body_def){.linear_damping = 2}, brick());
    run(world, 900);
    assert_near(motion_of(world, body).vy, -GRAVITY / 2, 1e-4);
    cn_world_destroy(world);
}

static void gravity_scales_by_body(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body half = add(world, (cn_body_def){.gravity_scale = 0.5f}, brick());
    cn_body up = add(world, (cn_body_def){.gravity_scale = -1}, brick());
    cn_body none = add(world, (cn_body_def){.weightless = true}, brick());
    cn_body set = add(world, (cn_body_def){.position = {{9, 0}}}, brick());
    assert_done(cn_body_set_pose(world, half, cn_pose_at(point(-9, 0), 0)));
    assert_done(cn_body_set_pose(world, up, cn_pose_at(point(-6, 0), 0)));
    assert_done(cn_body_set_gravity_scale(world, set, 0));
    run(world, 60);
    double drop = GRAVITY * seconds_of(60) * seconds_of(60) / 2;
    assert_near(motion_of(world, half).y, -drop / 2, 1e-4);
    assert_near(motion_of(world, up).y, drop, 1e-4);
    assert_true(motion_of(world, none).y == 0 && motion_of(world, set).y == 0);
    cn_world_destroy(world);
}

static void a_speed_limit_holds(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(world, (cn_body_def){.velocity = {{3, 0}}, .max_speed = 5}, brick());
    for (int i = 0; i < 180; i++) {
        run(world, 1);
        motion m = motion_of(world, body);
        assert_true(hypot(m.vx, m.vy) <= 5 * (1 + 1e-6));
    }
    assert_near(hypot(motion_of(world, body).vx, motion_of(world, body).vy), 5, 1e-4);
    assert_done(cn_body_set_max_speed(world, body, 0));
    run(world, 60);
    assert_true(motion_of(world, body).vy < -10);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_falls_as_galilei_says),
        cmocka_unit_test(a_projectile_lands_within_a_millimetre),
        cmocka_unit_test(the_flight_does_not_depend_on_the_substeps),
        cmocka_unit_test(a_spin_keeps_its_speed_and_its_time),
        cmocka_unit_test(a_spin_of_many_turns_a_step_keeps_its_time),
        cmocka_unit_test(a_slow_body_moves_even_ten_kilometres_from_the_origin),
        cmocka_unit_test(the_centre_of_a_tumbling_body_goes_straight),
        cmocka_unit_test(a_step_of_zero_length_only_clears_forces),
        cmocka_unit_test(damping_is_exponential_decay),
        cmocka_unit_test(a_falling_body_with_damping_reaches_its_terminal_speed),
        cmocka_unit_test(gravity_scales_by_body),
        cmocka_unit_test(a_speed_limit_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
