/* Motors of joints and motor joints, against closed formulas. */
#include "../../../support/joints.h"

// ---- motors

static void a_motor_reaches_its_speed(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body anchor = add_anchor(world, 0, 0), disc = add_disc(world, 0, 0, 1);
    cn_joint_def def = cn_revolute_joint(world, anchor, disc, point(0, 0));
    def.angle.motor = true, def.angle.motor_speed = 5, def.angle.max_motor_force = 0.1f;
    join(world, def);
    double alpha = 0.1 / inertia_of(world, disc); // 5 rad / s^2
    run(world, 30);
    assert_near(motion_of(world, disc).w, alpha / 2, 1e-3);
    run(world, 60);
    assert_near(motion_of(world, disc).w, 5, 1e-3);
    cn_world_destroy(world);
}

// A lift of 2 kg: with 30 N it rises at 5 m/s^2 up to its speed, and with 12 N it sinks at 4 m/s^2.
static void a_motor_has_no_more_than_its_greatest_force(void **state) {
    (void)state;
    const double forces[] = {30, 12}, speeds[] = {2.5, -2};
    for (int i = 0; i < 2; i++) {
        cn_world *world = make_world(GRAVITY);
        cn_body anchor = add_anchor(world, 0, 0), disc = add_disc(world, 0, 0, 2);
        cn_joint_def def = cn_prismatic_joint(world, anchor, disc, point(0, 0), point(0, 1));
        def.x.motor = true, def.x.motor_speed = 4, def.x.max_motor_force = (float)forces[i];
        cn_joint joint = join(world, def);
        run(world, 30);
        assert_near(motion_of(world, disc).vy, speeds[i], 0.01);
        assert_near((double)cn_joint_force(world, joint).y, forces[i], 0.01);
        run(world, 60);
        if (i == 0) assert_near(motion_of(world, disc).vy, 4, 0.01);
        cn_world_destroy(world);
    }
}

static void a_wheel_with_a_motor_rolls(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){.friction = 1});
    cn_body wheel = add(world, (cn_body_def){.position = point(0, 0.5)},
                        (cn_shape_def){.hull = cn_circle(0.5f)});
    cn_body car =
        cn_body_create(world, &(cn_body_def){.position = point(0, 0.5), .lock_rotation = true});
    cn_joint_def def = cn_revolute_joint(world, car, wheel, point(0, 0.5));
    def.angle.motor = true, def.angle.motor_speed = -5;
    join(world, def);
    run(world, 240);
    double x = motion_of(world, car).x;
    run(world, 60);
    assert_near(motion_of(world, wheel).w, -5, 0.01);
    assert_near(motion_of(world, car).x - x, 5 * 0.5, 0.01);
    cn_world_destroy(world);
}

// Two links with motors bear a load of five times the mass of a link. Each motor gets a speed in
// proportion to the error of its angle.
static void an_arm_reaches_the_angles_its_motors_aim_at(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_joint joints[2];
    cn_body last = add_anchor(world, 0, 0);
    const cn_shape_def bar = {.hull = cn_box(0.5f, 0.1f), .filter.group = -1};
    for (int i = 0; i < 2; i++) {
        cn_body next = add(world, (cn_body_def){.position = point(i + 0.5, 0)}, bar);
        joints[i] = hold_together(world, last, next, point(i, 0), MOTORS);
        last = next;
    }
    cn_shape_def load = {.hull = cn_circle(0.3f), .density = 3.5f, .filter.group = -1};
    cn_body ball = add(world, (cn_body_def){.position = point(2, 0)}, load);
    hold_together(world, last, ball, point(2, 0), WELDS);
    const double targets[2] = {0.5, -0.7};
    for (int i = 0; i < 300; i++) {
        for (int k = 0; k < 2; k++) {
            double error = targets[k] - value_of(world, joints[k], CN_JOINT_ANGLE);
            cn_joint_set_motor_speed(world, joints[k], CN_JOINT_ANGLE, (float)(10 * error));
        }
        run(world, 1);
    }
    for (int k = 0; k < 2; k++)
        assert_near(value_of(world, joints[k], CN_JOINT_ANGLE), targets[k], 0.01);
    vec2s v = cn_body_velocity(world, ball);
    assert_near(hypot((double)v.x, (double)v.y), 0, 0.02);
    cn_world_destroy(world);
}

// ---- motor joints

static void a_motor_joint_is_the_friction_of_a_floor_seen_from_above(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body floor = add_anchor(world, 0, 0), disc = add_disc(world, 1, 2, 2);
    join(world, cn_motor_joint(world, floor, disc, 3, 1));
    assert_done(cn_body_set_velocity(world, disc, point(6, 0)));
    run(world, 120);
    assert_near(motion_of(world, disc).vx, 6 - 3.0 / 2 * 2, 1e-3); // F / m = 1.5
    assert_near(motion_of(world, disc).vy, 0, 1e-6);
    run(world, 180);
    motion m = motion_of(world, disc);
    assert_near(hypot(m.vx, m.vy), 0, 1e-5);
    assert_near(m.x, 1 + 6 * 6 / (2 * 1.5), 0.02);
    cn_world_destroy(world);
}

// A puck on a floor seen from above slides straight, and slows down equally in each direction.
static void the_friction_of_a_motor_joint_has_no_direction(void **state) {
    (void)state;
    for (int i = 0; i < 16; i++) {
        cn_world *world = make_world(0);
        cn_body puck = add_disc(world, 0, 0, 2);
        join(world, cn_motor_joint(world, add_anchor(world, 0, 0), puck, 4, 1));
        double c = cos(PI / 8 * i), s = sin(PI / 8 * i);
        cn_body_set_velocity(world, puck, point(3 * c, 3 * s));
        run(world, 60);
        vec2s v = cn_body_velocity(world, puck);
        assert_near((double)v.x, c, 0.01);
        assert_near((double)v.y, s, 0.01);
        run(world, 60);
        assert_near((double)glms_vec2_norm(cn_body_velocity(world, puck)), 0, 1e-4);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motor_reaches_its_speed),
        cmocka_unit_test(a_motor_has_no_more_than_its_greatest_force),
        cmocka_unit_test(a_wheel_with_a_motor_rolls),
        cmocka_unit_test(an_arm_reaches_the_angles_its_motors_aim_at),
        cmocka_unit_test(a_motor_joint_is_the_friction_of_a_floor_seen_from_above),
        cmocka_unit_test(the_friction_of_a_motor_joint_has_no_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
