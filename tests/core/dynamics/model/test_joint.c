/* Joints of one or two bodies against closed formulas: what each preset lets move, the forces that
 * joints report, when joints break, and the life of a joint. */
#include "../../../support/chains.h"

// ---- pendulums

// A disc on a rod of 1 m, at rest at an angle from straight down.
static cn_body add_pendulum(cn_world *world, double angle) {
    cn_body anchor = add_anchor(world, 0, 0);
    cn_body disc = add_disc(world, sin(angle), -cos(angle), 1);
    join(world, cn_revolute_joint(world, anchor, disc, point(0, 0)));
    return disc;
}

// T = 2 pi sqrt((I + m l^2) / (m g l)) (1 + a^2 / 16), with the amplitude a.
static void a_small_pendulum_keeps_time(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    const double swing = 0.05;
    cn_body disc = add_pendulum(world, swing);
    double expected = 2 * PI * sqrt((inertia_of(world, disc) + 1) / GRAVITY);
    double last = 0, first = 0, end = 0;
    int crossings = 0;
    for (int i = 1; i < 3000; i++) {
        double before = motion_of(world, disc).x;
        run(world, 1);
        double x = motion_of(world, disc).x;
        if (before >= 0 || x < 0) continue; // not a crossing of 0 towards positive x
        last = seconds_of(i) + (double)STEP * (before / (x - before));
        if (crossings++ == 0) first = last;
        end = last;
    }
    double period = (end - first) / (crossings - 1);
    print_message("pendulum: period %+.4f %%\n",
                  100 * (period / (expected * (1 + swing * swing / 16)) - 1));
    assert_near(period / (expected * (1 + swing * swing / 16)), 1, 5e-4);
    cn_world_destroy(world);
}

static void a_wide_pendulum_keeps_its_height(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body disc = add_pendulum(world, PI / 2);
    run(world, 5800);
    double highest = -1;
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        highest = fmax(highest, motion_of(world, disc).y);
    }
    print_message("pendulum from 90 degrees: %.3f %% lost in 100 s\n", -100 * highest);
    assert_near(highest, 0, 0.005);
    cn_world_destroy(world);
}

// ---- presets

static void a_slider_moves_only_along_its_axis(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body anchor = add_anchor(world, 0, 0), disc = add_disc(world, 1, 2, 1);
    cn_joint joint =
        join(world, cn_prismatic_joint(world, anchor, disc, point(1, 2), point(3, -4)));
    run(world, 60);
    motion m = motion_of(world, disc);
    double s = 0.8 * GRAVITY / 2; // m along the axis, whose slope has the sine 0.8
    assert_near(m.x, 1 + 0.6 * s, 0.02);
    assert_near(m.y, 2 - 0.8 * s, 0.02);
    assert_near(value_of(world, joint, CN_JOINT_Y), 0, 1e-4);
    assert_near(m.angle, 0, 1e-5);
    cn_world_destroy(world);
}

static void a_weld_keeps_the_pose(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body a = add_disc(world, 0, 0, 1), b = add_disc(world, 1, 0.5, 3);
    cn_joint joint = join(world, cn_weld_joint(world, a, b, point(0.3, 0.1)));
    assert_done(cn_body_apply_impulse_at(world, b, point(2, 7), point(1.5, 0.5)));
    run(world, 300);
    motion m = motion_of(world, a), n = motion_of(world, b);
    double c = cos(m.angle), s = sin(m.angle), x = n.x - m.x, y = n.y - m.y;
    assert_near(c * x + s * y, 1, 1e-3);
    assert_near(c * y - s * x, 0.5, 1e-3);
    assert_near(angle_from(m.angle, n.angle), 0, 1e-3);
    assert_near(value_of(world, joint, CN_JOINT_ANGLE), 0, 1e-3);
    cn_world_destroy(world);
}

static void a_bar_keeps_its_length_and_a_rope_may_be_shorter(void **state) {
    (void)state;
    for (int rope = 0; rope < 2; rope++) {
        cn_world *world = make_world(GRAVITY);
        cn_body anchor = add_anchor(world, 0, 0), disc = add_disc(world, 2, 0, 1);
        cn_joint_def def = rope ? cn_rope_joint(world, anchor, disc, point(0, 0), point(2, 0))
                                : cn_distance_joint(world, anchor, disc, point(0, 0), point(2, 0));
        join(world, def);
        assert_done(cn_body_set_velocity(world, disc, point(-3, 4)));
        double shortest = 9, longest = 0;
        for (int i = 0; i < 300; i++) {
            run(world, 1);
            motion m = motion_of(world, disc);
            shortest = fmin(shortest, hypot(m.x, m.y)), longest = fmax(longest, hypot(m.x, m.y));
        }
        assert_near(longest, 2, 0.01);
        if (rope)
            assert_true(shortest < 1.5);
        else
            assert_near(shortest, 2, 0.01);
        cn_world_destroy(world);
    }
}

static void an_angle_counts_turns(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body anchor = add_anchor(world, 0, 0), disc = add_disc(world, 0, 0, 1);
    cn_joint joint = join(world, cn_revolute_joint(world, anchor, disc, point(0, 0)));
    assert_done(cn_body_set_angular_velocity(world, disc, (float)(2 * PI)));
    run(world, 600);
    assert_near(value_of(world, joint, CN_JOINT_ANGLE), 20 * PI, 1e-3);
    assert_near(speed_of(world, joint, CN_JOINT_ANGLE), 2 * PI, 1e-4);
    cn_world_destroy(world);
}

// A net force of 0.2 N moves both bodies at 0.2 N divided by the damping. The joint may take no
// part of this force.
static void a_damped_balloon_lifts_its_load(void **state) {
    (void)state;
    for (int damping = 1; damping <= 10; damping += 3) {
        cn_world *world = make_world(10);
        cn_body load = add_disc(world, 0, 0, 1), balloon = add_disc(world, 0, 4, 1.02);
        assert_done(cn_body_set_gravity_scale(world, balloon, -1));
        assert_done(cn_body_set_damping(world, balloon, (float)damping, 0));
        join(world, cn_rope_joint(world, load, balloon, point(0, 0), point(0, 4)));
        run(world, 600);
        double speed = 0.2 / (1.02 * damping);
        print_message("damping %d: %.3f of the speed\n", damping,
                      motion_of(world, load).vy / speed);
        assert_near(motion_of(world, load).vy / speed, 1, 0.03);
        cn_world_destroy(world);
    }
}

// ---- forces and breaking

static void a_joint_reports_its_force_and_torque(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body anchor = add_anchor(world, 0, 0), hung = add_disc(world, 0, -1, 3);
    cn_joint bar = join(world, cn_distance_joint(world, anchor, hung, point(0, 0), point(0, -1)));
    cn_body beam = add_disc(world, 4, 0, 2);
    cn_joint weld = join(world, cn_weld_joint(world, anchor, beam, point(2.5, 0)));
    double sum[4] = {0};
    for (int i = 0; i < 600; i++) { // the mean: the soft joint swings without damping
        run(world, 1);
        vec2s f = cn_joint_force(world, bar), g = cn_joint_force(world, weld);
        sum[0] += (double)f.x / 600, sum[1] += (double)f.y / 600, sum[2] += (double)g.y / 600;
        sum[3] += (double)cn_joint_torque(world, weld) / 600;
    }
    assert_near(sum[0], 0, 0.01);
    assert_near(sum[1], 3 * GRAVITY, 0.1);
    assert_near(sum[2], 2 * GRAVITY, 0.1);
    assert_near(sum[3], 2 * GRAVITY * 1.5, 0.15);
    cn_world_destroy(world);
}

// A bar that bears 31 N holds 3 kg, and breaks under 4 kg.
static void a_joint_breaks_above_its_break_force(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body anchor = add_anchor(world, 0, 0), disc = add_disc(world, 0, -1, 3);
    cn_joint_def def = cn_distance_joint(world, anchor, disc, point(0, 0), point(0, -1));
    def.break_force = 31, def.user_data = 77;
    cn_joint joint = join(world, def);
    run(world, 60);
    assert_int_equal(cn_world_events(world).broken_count, 0);
    assert_done(cn_shape_set_density(world, cn_body_next_shape(world, disc, (cn_shape){0}),
                                     (float)(4 / (PI * 0.04))));
    int events = 0;
    for (int i = 0; i < 60; i++) {
        run(world, 1);
        cn_events e = cn_world_events(world);
        events += e.broken_count;
        if (!e.broken_count) continue;
        assert_true(e.broken[0].joint.id == joint.id && e.broken[0].user_data == 77);
        assert_true(e.broken[0].force > 31 && e.broken[0].force < 41);
        assert_false(cn_joint_valid(world, joint));
    }
    assert_int_equal(events, 1);
    assert_true(motion_of(world, disc).y < -3);
    assert_false(cn_joint_destroy(world, joint));
    cn_world_destroy(world);
}

static void a_weld_breaks_above_its_break_torque(void **state) {
    (void)state;
    for (int breaks = 0; breaks < 2; breaks++) {
        cn_world *world = make_world(GRAVITY);
        cn_body anchor = add_anchor(world, 0, 0), beam = add_disc(world, 1.5, 0, 2);
        cn_joint_def def = cn_weld_joint(world, anchor, beam, point(0, 0));
        def.break_torque = breaks ? 28 : 70; // the load is 30 N m, and twice that at first
        cn_joint joint = join(world, def);
        run(world, 60);
        assert_int_equal(cn_joint_valid(world, joint), !breaks);
        cn_world_destroy(world);
    }
}

// ---- the life of a joint

static void joints_of_destroyed_bodies_are_destroyed(void **state) {
    (void)state;
    chain c;
    hang_chain(&c, make_world(GRAVITY), 5);
    run(c.world, 3);
    assert_int_equal(cn_world_counters(c.world).joints, 5);
    assert_done(cn_body_destroy(c.world, c.links[2]));
    assert_int_equal(cn_world_counters(c.world).joints, 3);
    assert_false(cn_joint_valid(c.world, c.joints[2]) || cn_joint_valid(c.world, c.joints[3]));
    assert_true(cn_joint_valid(c.world, c.joints[1]) && cn_joint_valid(c.world, c.joints[4]));
    assert_true(cn_body_next_joint(c.world, c.links[3], (cn_joint){0}).id == c.joints[4].id);
    assert_true(cn_body_next_joint(c.world, c.links[3], c.joints[4]).id == 0);
    run(c.world, 30);
    assert_true(motion_of(c.world, c.links[3]).y < -4);
    assert_near(motion_of(c.world, c.links[1]).y, -1.5, 0.01);
    cn_world_destroy(c.world);
}

static void joint_settings_are_read_back(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body a = add_anchor(world, 0, 0), b = add_disc(world, 1, 0, 1);
    cn_joint joint = join(world, cn_weld_joint(world, a, b, point(0, 0)));
    cn_coordinate c = {
        .mode = CN_LIMITED, .lower = -1, .upper = 2, .hertz = 3, .max_spring_force = 4};
    c.motor = true;
    assert_done(cn_joint_set_coordinate(world, joint, CN_JOINT_ANGLE, c));
    assert_done(cn_joint_set_motor_speed(world, joint, CN_JOINT_ANGLE, 5));
    assert_done(cn_joint_set_target(world, joint, CN_JOINT_ANGLE, 0.5f));
    assert_done(cn_joint_set_break(world, joint, 6, 7));
    assert_done(cn_joint_set_user_data(world, joint, 8));
    cn_joint_def def = cn_joint_definition(world, joint);
    assert_true(def.a.id == a.id && def.b.id == b.id && def.user_data == 8);
    assert_true(def.angle.mode == CN_LIMITED && def.angle.lower == -1 && def.angle.upper == 2);
    assert_true(def.angle.hertz == 3 && def.angle.max_spring_force == 4 &&
                def.angle.motor_speed == 5);
    assert_true(def.angle.target == 0.5f && def.break_force == 6 && def.break_torque == 7);
    assert_int_equal(cn_joint_user_data(world, joint), 8);
    assert_true(cn_joint_coupling(world, joint).other.id == 0);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_pendulum_keeps_time),
        cmocka_unit_test(a_wide_pendulum_keeps_its_height),
        cmocka_unit_test(a_slider_moves_only_along_its_axis),
        cmocka_unit_test(a_weld_keeps_the_pose),
        cmocka_unit_test(a_bar_keeps_its_length_and_a_rope_may_be_shorter),
        cmocka_unit_test(an_angle_counts_turns),
        cmocka_unit_test(a_damped_balloon_lifts_its_load),
        cmocka_unit_test(a_joint_reports_its_force_and_torque),
        cmocka_unit_test(a_joint_breaks_above_its_break_force),
        cmocka_unit_test(a_weld_breaks_above_its_break_torque),
        cmocka_unit_test(joints_of_destroyed_bodies_are_destroyed),
        cmocka_unit_test(joint_settings_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
