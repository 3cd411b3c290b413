/* Forces, torques, impulses and energy of a single body, against closed formulas. */
#include "../../support/single_body.h"

static void a_steady_force_accelerates_by_f_over_m(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){0}, brick());
    double m = mass_of(world, body), t = seconds_of(60);
    for (int i = 0; i < 60; i++) {
        assert_done(cn_body_apply_force(world, body, point(3, -6)));
        run(world, 1);
    }
    motion end = motion_of(world, body);
    assert_near(end.vx, 3 / m * t, 1e-5);
    assert_near(end.x, 3 / m * t * t / 2, 1e-5);
    assert_near(end.y, -6 / m * t * t / 2, 1e-5);
    assert_true(end.w == 0);
    cn_world_destroy(world);
}

static void a_force_acts_only_during_one_step(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){0}, brick());
    assert_done(cn_body_apply_force(world, body, point(1, 0)));
    assert_done(cn_body_apply_force(world, body, point(2, 0)));
    run(world, 5);
    assert_near(motion_of(world, body).vx, 3 / mass_of(world, body) * (double)STEP, 1e-7);
    cn_world_destroy(world);
}

static void forces_end_with_a_step_of_no_time(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){0}, brick());
    for (int i = 0; i < 3; i++) { // as in a paused game
        assert_done(cn_body_apply_force(world, body, point(50, -20)));
        assert_done(cn_body_apply_torque(world, body, 7));
        assert_done(cn_world_step(world, i == 1 ? 9e-16f : 0));
    }
    run(world, 1);
    assert_near(motion_of(world, body).vx, 0, 0);
    assert_near(motion_of(world, body).vy, 0, 0);
    assert_near(motion_of(world, body).w, 0, 0);
    cn_world_destroy(world);
}

static void a_torque_turns_by_torque_over_inertia(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){0}, brick());
    double t = seconds_of(60), inertia = inertia_of(world, body);
    for (int i = 0; i < 60; i++) {
        assert_done(cn_body_apply_torque(world, body, 0.2f));
        run(world, 1);
    }
    motion end = motion_of(world, body);
    assert_near(end.w, (double)0.2f / inertia * t, 1e-5);
    assert_near(end.angle, (double)0.2f / inertia * t * t / 2, 1e-5);
    assert_true(end.x == 0 && end.y == 0);
    cn_world_destroy(world);
}

static void a_force_off_the_centre_turns_the_body_too(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.position = {{5, 7}}}, brick());
    assert_done(cn_body_apply_force_at(world, body, point(1, 2), point(5.25, 7.125)));
    run(world, 1);
    double torque = 0.25 * 2 - 0.125 * 1;
    motion m = motion_of(world, body);
    assert_near(m.vx, 1 / mass_of(world, body) * (double)STEP, 1e-7);
    assert_near(m.vy, 2 / mass_of(world, body) * (double)STEP, 1e-7);
    assert_near(m.w, torque / inertia_of(world, body) * (double)STEP, 1e-7);
    cn_world_destroy(world);
}

static void impulses_change_velocities_at_once(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.position = {{-3, 2}}, .angle = 1}, brick());
    double m = mass_of(world, body), inertia = inertia_of(world, body);
    assert_done(cn_body_apply_impulse_at(world, body, point(2, -1), point(-2.5, 2.25)));
    assert_near(motion_of(world, body).vx, 2 / m, 1e-6);
    assert_near(motion_of(world, body).vy, -1 / m, 1e-6);
    assert_near(motion_of(world, body).w, (0.5 * -1 - 0.25 * 2) / inertia, 1e-5);

    double w = motion_of(world, body).w;
    assert_done(cn_body_apply_angular_impulse(world, body, 0.5f));
    assert_near(motion_of(world, body).w - w, 0.5 / inertia, 1e-5);
    assert_done(cn_body_apply_impulse(world, body, point(0, 4)));
    assert_near(motion_of(world, body).vy, 3 / m, 1e-6);
    assert_near(motion_of(world, body).w - w, 0.5 / inertia, 1e-5);
    cn_world_destroy(world);
}

static void the_velocity_of_a_point_is_v_plus_w_cross_r(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(
        world, (cn_body_def){.position = {{1, 1}}, .velocity = {{3, -1}}, .angular_velocity = 2},
        brick());
    vec2s v = cn_body_velocity_at(world, body, point(1.5, 3));
    assert_near((double)v.x, 3 - 2 * 2, 1e-6);
    assert_near((double)v.y, -1 + 2 * 0.5, 1e-6);
    cn_world_destroy(world);
}

static void the_energies_follow_their_formulas(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(
        world, (cn_body_def){.position = {{2, 3}}, .velocity = {{4, -1}}, .angular_velocity = 5},
        brick());
    add_floor(world, (cn_material){0}); // a static body has no energy
    double m = mass_of(world, body), inertia = inertia_of(world, body);
    cn_energy energy = cn_world_energy(world);
    assert_near(energy.kinetic, m * 17 / 2 + inertia * 25 / 2, 1e-5);
    assert_near(energy.potential, m * GRAVITY * 3, 1e-4);
    assert_near(energy.momentum_x, m * 4, 1e-5);
    assert_near(energy.momentum_y, -m, 1e-5);
    assert_near(energy.angular, m * (2 * -1 - 3 * 4) + inertia * 5, 1e-4);
    cn_world_destroy(world);
}

// A body of two shapes, turned and in motion, with its centre of mass off its origin.
static cn_body add_pair(cn_world *world, double x, double y) {
    cn_body_def def = {.position = point(x, y), .angle = 0.7f, .angular_velocity = 3};
    cn_body body = add(world, def, brick());
    cn_hull arm = cn_box(0.5f, 0.1f), far = cn_hull_at(arm, cn_pose_at(point(1, 0), 0.2f));
    cn_shape_create(world, body, &(cn_shape_def){.hull = far});
    return body;
}

static void a_new_position_keeps_the_rotation_bit_for_bit(void **state) {
    (void)state;
    cn_world *world = make_world(0), *twin = make_world(0);
    cn_body body = add_pair(world, 0, 0), other = add_pair(twin, 0, 0);
    for (int i = 0; i < 50; i++) {
        run(world, 1), run(twin, 1);
        cn_pose before = cn_body_pose(world, body);
        vec2s v = cn_body_velocity(world, body);
        assert_done(cn_body_set_position(world, body, point(3 * i, -i)));
        cn_pose after = cn_body_pose(world, body);
        assert_true(after.rotation.c == before.rotation.c && after.rotation.s == before.rotation.s);
        assert_true(glms_vec2_eqv(cn_body_velocity(world, body), v));
        assert_near((double)after.position.x, 3 * i, 1e-5);
        assert_near((double)after.position.y, -i, 1e-5);
        cn_pose drawn = cn_body_drawn_pose(world, body);
        assert_memory_equal(&drawn, &after, sizeof after);
        assert_true(cn_body_pose(twin, other).rotation.c == after.rotation.c);
    }
    cn_world_destroy(world);
    cn_world_destroy(twin);
}

static void a_new_position_wakes_the_body_and_its_neighbours(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_no_sleep(world, false));
    add_floor(world, (cn_material){0});
    cn_body boxes[3];
    for (int i = 0; i < 3; i++) // two on each other, one elsewhere
        boxes[i] = add(world, (cn_body_def){.position = point(i == 2 ? 9 : 0, i == 1 ? 1.5 : 0.5)},
                       (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    run(world, 120);
    for (int i = 0; i < 3; i++) assert_false(!cn_body_asleep(world, boxes[i]));
    assert_done(cn_body_set_position(world, boxes[1], point(9, 1.5)));
    for (int i = 0; i < 3; i++) assert_true(!cn_body_asleep(world, boxes[i]));
    run(world, 60);
    assert_near(motion_of(world, boxes[1]).y, 1.5, 0.02);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_force_accelerates_by_f_over_m),
        cmocka_unit_test(a_force_acts_only_during_one_step),
        cmocka_unit_test(forces_end_with_a_step_of_no_time),
        cmocka_unit_test(a_torque_turns_by_torque_over_inertia),
        cmocka_unit_test(a_force_off_the_centre_turns_the_body_too),
        cmocka_unit_test(impulses_change_velocities_at_once),
        cmocka_unit_test(the_velocity_of_a_point_is_v_plus_w_cross_r),
        cmocka_unit_test(the_energies_follow_their_formulas),
        cmocka_unit_test(a_new_position_keeps_the_rotation_bit_for_bit),
        cmocka_unit_test(a_new_position_wakes_the_body_and_its_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
