/* Springs of joints against closed formulas: frequency, damping, sag, energy, and many springs on
 * one body. */
#include "../../../support/links.h"

// ---- one spring

// A disc at x on a slider along the x axis, with a spring.
static cn_joint add_spring(cn_world *world, double x, double hertz, double ratio, cn_body *disc) {
    cn_body anchor = add_anchor(world, 0, 0);
    *disc = add_disc(world, 0, 0, 2);
    cn_joint_def def = cn_prismatic_joint(world, anchor, *disc, point(0, 0), point(1, 0));
    def.x.hertz = (float)hertz, def.x.damping_ratio = (float)ratio;
    assert_done(cn_body_set_pose(world, *disc, cn_pose_at(point(x, 0), 0)));
    return join(world, def);
}

static void check_undamped(double hertz) {
    cn_world *world = make_world(0);
    cn_body disc;
    add_spring(world, 0.5, hertz, 0, &disc);
    double first = 0, last = 0;
    int crossings = 0;
    for (int i = 1; i <= 600; i++) {
        double before = motion_of(world, disc).x;
        run(world, 1);
        double x = motion_of(world, disc).x;
        if ((before < 0) == (x < 0)) continue;
        // Between two steps the motion is a sine: both values give the phase of the crossing.
        double w = 2 * PI * hertz * (double)STEP, s = before * sin(w), c = before * cos(w) - x;
        last = seconds_of(i) - (double)STEP * (1 - atan(s / c) / w);
        if (crossings++ == 0) first = last;
    }
    motion m = motion_of(world, disc);
    double found = (crossings - 1) / (2 * (last - first));
    double amplitude = hypot(m.x, m.vx / (2 * PI * hertz)) / 0.5;
    print_message("spring of %g Hz: %+.3f %% frequency, %.2f %% amplitude after 10 s\n", hertz,
                  100 * (found / hertz - 1), 100 * amplitude);
    assert_near(found / hertz, 1, 0.005);
    assert_near(amplitude, 1, 0.02);
    cn_world_destroy(world);
}

static void an_undamped_spring_keeps_time_and_amplitude(void **state) {
    (void)state;
    check_undamped(1);
    check_undamped(2);
    check_undamped(5);
}

// x = e^(-z w t) (cos v t + z w / v sin v t), with v = w sqrt(1 - z^2).
static void a_damped_spring_follows_its_formula(void **state) {
    (void)state;
    const double w = 2 * PI * 2;
    for (double z = 0.1; z < 0.95; z += 0.2) {
        cn_world *world = make_world(0);
        cn_body disc;
        add_spring(world, 0.5, 2, z, &disc);
        double worst = 0, v = w * sqrt(1 - z * z);
        for (int i = 1; i <= 120; i++) {
            run(world, 1);
            double t = seconds_of(i);
            double x = 0.5 * exp(-z * w * t) * (cos(v * t) + z * w / v * sin(v * t));
            worst = fmax(worst, fabs(motion_of(world, disc).x - x) / 0.5);
        }
        print_message("spring of damping ratio %.1f: within %.2f %%\n", z, 100 * worst);
        assert_true(worst < 0.05);
        cn_world_destroy(world);
    }
}

// Springs along y, down to the slowest. Small terms of the formula must not be lost.
static void a_slow_spring_swings_along_y(void **state) {
    (void)state;
    for (double hertz = 0.003; hertz < 4; hertz *= 1.1) {
        cn_world *world = make_world(0);
        cn_body anchor = add_anchor(world, 0, 0), disc = add_disc(world, 0, 0, 2);
        cn_joint_def def = cn_weld_joint(world, anchor, disc, point(0, 0));
        def.x.mode = def.y.mode = CN_FREE;
        def.y.hertz = (float)hertz;
        assert_done(cn_body_set_pose(world, disc, cn_pose_at(point(0, 0.5), 0)));
        assert_done(cn_body_set_velocity(world, disc, point(1, 0)));
        join(world, def);
        run(world, 30);
        assert_near(motion_of(world, disc).y, 0.5 * cos(2 * PI * hertz / 2), 0.03);
        assert_near(motion_of(world, disc).x, 0.5, 1e-4);
        cn_world_destroy(world);
    }
}

static void a_spring_pulls_no_more_than_its_greatest_force(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body disc;
    cn_joint joint = add_spring(world, 5, 2, 0, &disc);
    cn_coordinate c = cn_joint_definition(world, joint).x;
    c.max_spring_force = 3;
    assert_done(cn_joint_set_coordinate(world, joint, CN_JOINT_X, c));
    run(world, 60);
    assert_near(motion_of(world, disc).vx, -3.0 / 2, 1e-3);
    assert_near((double)cn_joint_force(world, joint).x, -3, 1e-3);
    cn_world_destroy(world);
}

static void a_soft_weld_swings_back(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body a = add_anchor(world, 0, 0), b = add_disc(world, 0, 0, 1);
    cn_joint_def def = cn_weld_joint(world, a, b, point(0, 0));
    def.x = def.y = def.angle = (cn_coordinate){.mode = CN_FREE, .hertz = 2, .damping_ratio = 0.5f};
    join(world, def);
    assert_done(cn_body_set_pose(world, b, cn_pose_at(point(0.3, -0.2), 0.5f)));
    run(world, 12);
    assert_true(motion_of(world, b).x < 0.1);
    run(world, 228);
    motion m = motion_of(world, b);
    assert_near(hypot(m.x, m.y), 0, 1e-3);
    assert_near(m.angle, 0, 1e-3);
    cn_world_destroy(world);
}

// ---- several springs

static cn_joint hang_on_spring(cn_world *world, cn_body anchor, cn_body disc, double hertz,
                               double damping_ratio) {
    cn_joint_def def = cn_prismatic_joint(world, anchor, disc, point(0, 0), point(0, 1));
    def.x.hertz = (float)hertz, def.x.damping_ratio = (float)damping_ratio;
    return join(world, def);
}

// Each spring once damped all of the motion: 16 springs of 10 Hz, and 8 of 18 Hz, threw the body.
static void many_springs_on_a_body_are_stable(void **state) {
    (void)state;
    for (int count = 8; count <= 64; count *= 2)
        for (int hertz = 2; hertz <= 18; hertz += 4)
            for (int damped = 0; damped < 2; damped++) {
                cn_world *world = make_world(GRAVITY);
                cn_body anchor = add_anchor(world, 0, 0), disc = add_disc(world, 0, 0, 1);
                for (int i = 0; i < count; i++)
                    hang_on_spring(world, anchor, disc, hertz, damped * 0.5);
                double w = 2 * PI * hertz, sag = GRAVITY / (w * w * count);
                for (int i = 0; i < 300; i++) {
                    run(world, 1);
                    double y = motion_of(world, disc).y / sag;
                    if (!(y > -3 && y < 1))
                        fail_msg("%d of %d Hz: at %g sags after %d steps", count, hertz, y, i);
                }
                cn_world_destroy(world);
            }
}

// An undamped spring alone is exact; among many it is not. It must become exact again when the
// others are destroyed, disabled or made loose.
static void a_spring_is_exact_again_after_others_are_removed(void **state) {
    (void)state;
    for (int how = 0; how < 3; how++) {
        cn_world *world = make_world(0);
        cn_body anchor = add_anchor(world, 0, 0), disc = add_disc(world, 0, 0, 1);
        cn_joint others[64];
        hang_on_spring(world, anchor, disc, 10, 0);
        run(world, 1);
        for (int i = 0; i < 64; i++) others[i] = hang_on_spring(world, anchor, disc, 10, 0);
        run(world, 1);
        cn_coordinate loose = {.mode = CN_FREE};
        for (int i = 0; i < 64; i++)
            assert_done(how == 0   ? cn_joint_destroy(world, others[i])
                        : how == 1 ? cn_joint_set_disabled(world, others[i], true)
                                   : cn_joint_set_coordinate(world, others[i], CN_JOINT_X, loose));
        assert_done(cn_body_set_velocity(world, disc, point(0, 1)));
        run(world, 600);
        double most = 0;
        for (int i = 0; i < 60; i++) {
            run(world, 1);
            most = fmax(most, fabs(motion_of(world, disc).y));
        }
        assert_near(most * 2 * PI * 10, 1, 0.15); // no step ends at the exact top
        cn_world_destroy(world);
    }
}

// An arm of bars of 0.16 kg with stiff, damped springs at their angles bears a ball at its end. It
// once moved for ever, at up to 44 m/s.
static void a_light_arm_on_stiff_springs_bears_its_load(void **state) {
    (void)state;
    const struct {
        double hertz, ratio, load;
        int bars;
        float step;
    } cases[] = {{60, 2, 1, 3, 1.0f / 60},
                 {30, 1, 1, 2, 1.0f / 60},
                 {30, 1, 1, 2, 1.0f / 30},
                 {30, 1, 1, 3, 1.0f / 30}};
    for (int i = 0; i < 4; i++) {
        cn_world *world = make_world(10);
        cn_body last = add_anchor(world, 0, 0);
        for (int k = 0; k < cases[i].bars; k++) {
            cn_body bar = add(world, (cn_body_def){.position = point(k + 0.5, 0)},
                              (cn_shape_def){.hull = cn_box(0.5f, 0.08f)});
            cn_joint_def def = cn_revolute_joint(world, last, bar, point(k, 0));
            def.angle.hertz = (float)cases[i].hertz;
            def.angle.damping_ratio = (float)cases[i].ratio;
            join(world, def);
            last = bar;
        }
        cn_body ball = add_disc(world, cases[i].bars, 0, cases[i].load);
        join(world, cn_weld_joint(world, last, ball, point(cases[i].bars, 0)));
        double fastest = 0;
        for (int k = 0; k < 12 / (double)cases[i].step; k++) {
            assert_done(cn_world_step(world, cases[i].step));
            motion m = motion_of(world, ball);
            if (k > 6 / (double)cases[i].step) fastest = fmax(fastest, hypot(m.vx, m.vy));
        }
        print_message("arm of %d bars, springs of %g Hz: %.3f m/s\n", cases[i].bars, cases[i].hertz,
                      fastest);
        assert_true(fastest < 1);
        cn_world_destroy(world);
    }
}

// The greatest kinetic energy of the world within 10 s.
static double greatest_kinetic(cn_world *world) {
    double greatest = 0;
    for (int i = 0; i < 600; i++) {
        run(world, 1);
        greatest = fmax(greatest, cn_world_energy(world).kinetic);
    }
    return greatest;
}

// Two boxes swing, turn and drift. One spring holds them at their corners, or three springs at
// their ends: x, y and the angle. Their effective mass at these points changes with the pose.
static void springs_off_centre_keep_the_energy(void **state) {
    (void)state;
    for (int k = 0; k < 8; k++) {
        cn_world *world = make_world(0);
        double half = k % 2 ? 0.2 : 0.5, hertz = 0.5 * (1 << k / 2);
        cn_shape_def shape = {
            .hull = cn_box(0.5f, (float)half), .density = 1, .no_collision = true};
        cn_body_def def_a = {.velocity = point(1.2, -0.7), .angular_velocity = 3},
                    def_b = {.velocity = point(-0.8, 1.6), .angular_velocity = -2};
        def_b.position = point(k % 2 ? 1 : 2, 0);
        cn_body a = add(world, def_a, shape), b = add(world, def_b, shape);
        cn_joint_def def = cn_weld_joint(world, a, b, point(0.5, 0));
        def.x = def.y = def.angle = (cn_coordinate){.mode = CN_FREE, .hertz = (float)hertz};
        if (k % 2 == 0) {
            def = cn_spring_joint(world, a, b, point(0.5, 0.5), point(1.5, -0.5));
            def.x.hertz = (float)hertz;
        }
        join(world, def);
        double first = greatest_kinetic(world), last = 0;
        for (int i = 0; i < 3; i++) last = greatest_kinetic(world);
        print_message("%s of %g Hz: %.4f of the energy after 30 s\n", k % 2 ? "weld" : "spring",
                      hertz, last / first);
        assert_near(last / first, 1,
                    k % 2 ? 0.06 : 0.01); // the three springs of a weld exchange energy
        cn_world_destroy(world);
    }
}

// ---- suspensions

// How far a wheel hangs down, as a fraction of m g / k = g / (2 pi f)^2.
static double sag_of_suspension(double hertz, double ratio, int substeps) {
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_substeps(world, substeps));
    cn_body car = add_anchor(world, 0, 0), wheel = add_disc(world, 0, -1, 3);
    cn_joint_def def = cn_wheel_joint(world, car, wheel, point(0, -1), point(0, 1));
    cn_coordinate *spring = def.x.hertz > 0 ? &def.x : &def.y;
    spring->hertz = (float)hertz, spring->damping_ratio = (float)ratio;
    cn_joint joint = join(world, def);
    assert_done(cn_body_set_angular_velocity(world, wheel, 3));
    run(world, 600);
    assert_near(motion_of(world, wheel).w, 3, 1e-4);
    double sag = -value_of(world, joint, CN_JOINT_X) / (GRAVITY / pow(2 * PI * hertz, 2));
    cn_world_destroy(world);
    return sag;
}

// The exact solution sags by a fraction (w h)^2 / 12 too much, for all damping ratios. Above 19 Hz
// a spring is implicit.
static void a_suspension_sags_by_the_weight(void **state) {
    (void)state;
    for (double hertz = 1; hertz < 40; hertz *= 2)
        for (double ratio = 0.2; ratio < 2.5; ratio += 0.4)
            for (int substeps = 4; substeps <= 12; substeps += 8) {
                double sag = sag_of_suspension(hertz, ratio, substeps);
                double x = 2 * PI * hertz / (60 * substeps);
                print_message("%g Hz, damping ratio %.1f, %d substeps: sag %+.3f %%\n", hertz,
                              ratio, substeps, 100 * (sag - 1));
                assert_near(sag, 1, x < 0.5 ? x * x / 10 + 2e-4 : 1e-3);
            }
}

// A light link between two soft welds carries a heavy body at its end. When the stiffness of the
// springs included the added inertia of the link, the bodies gained ten times their energy.
static void soft_welds_of_a_light_link_give_back_no_more_than_they_took(void **state) {
    (void)state;
    for (double hertz = 15; hertz <= 120; hertz *= 2) {
        cn_world *world = make_world(0);
        cn_body last = add_anchor(world, 0, 0);
        for (int i = 0; i < 2; i++) {
            double mass = i ? 168 : 0.168;
            cn_body_def def = {.position = point(0.7 * i + 0.35, 0), .velocity = {{0, i ? -3 : 0}}};
            cn_body next = add(world, def,
                               (cn_shape_def){.hull = cn_box(0.35f, 0.12f),
                                              .density = (float)(mass / 0.168),
                                              .no_collision = true});
            cn_joint_def weld = cn_weld_joint(world, last, next, point(0.7 * i, 0));
            weld.angle =
                (cn_coordinate){.mode = CN_FREE, .hertz = (float)hertz, .damping_ratio = 0.3f};
            join(world, weld);
            last = next;
        }
        double start = cn_world_energy(world).kinetic;
        for (int i = 0; i < 1200; i++) {
            run(world, 1);
            assert_true(cn_world_energy(world).kinetic < 1.01 * start);
        }
        cn_world_destroy(world);
    }
}

// Two bodies are 18 m apart along a soft spring. So the stiffer spring across it has a lever arm of
// 18 m. Once, this spring gained energy without end.
static void springs_with_a_long_lever_stay_stable(void **state) {
    (void)state;
    cn_world *world = make_world_of(8, 0);
    cn_body a = add_link(world, (cn_body_def){0}, 0.3, 0.2, 1.2);
    cn_body b = add_link(world, (cn_body_def){.position = point(18, 0.1)}, 0.3, 0.2, 1.5);
    cn_coordinate soft = {.mode = CN_FREE, .hertz = 0.3f}, stiff = {.mode = CN_FREE, .hertz = 5};
    join(world, (cn_joint_def){.a = a, .b = b, .x = soft, .y = stiff, .angle = {.mode = CN_FREE}});
    // The energy of both springs at the start.
    double mass = 1.2 * 1.5 / 2.7, k = mass * 4 * PI * PI;
    double energy = 0.5 * k * (0.09 * 18 * 18 + 25 * 0.1 * 0.1);
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        assert_true(cn_world_energy(world).kinetic <= 1.2 * energy);
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_undamped_spring_keeps_time_and_amplitude),
        cmocka_unit_test(a_damped_spring_follows_its_formula),
        cmocka_unit_test(a_slow_spring_swings_along_y),
        cmocka_unit_test(a_spring_pulls_no_more_than_its_greatest_force),
        cmocka_unit_test(a_soft_weld_swings_back),
        cmocka_unit_test(many_springs_on_a_body_are_stable),
        cmocka_unit_test(a_spring_is_exact_again_after_others_are_removed),
        cmocka_unit_test(a_light_arm_on_stiff_springs_bears_its_load),
        cmocka_unit_test(springs_off_centre_keep_the_energy),
        cmocka_unit_test(a_suspension_sags_by_the_weight),
        cmocka_unit_test(springs_with_a_long_lever_stay_stable),
        cmocka_unit_test(soft_welds_of_a_light_link_give_back_no_more_than_they_took),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
