/* Springs of joints under loads: sag, dampers, energy over a minute, suspensions, springs of joints
 * that are solved by iteration, and changes of the mass. */
#include "../../../support/links.h"

static const int substeps_of[] = {4, 8, 12};
#define EACH_SUBSTEPS(n) for (int n##_ = 0, n; n##_ < 3 && (n = substeps_of[n##_], true); n##_++)

// ---- sag

// A box that hangs from a slider far beside it sags by m g / k.
static void a_slider_sags_by_the_weight_over_the_stiffness(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (double k = 100; k < 2000; k *= 4) {
        cn_world *world = make_world_of(n, GRAVITY);
        cn_body anchor = add_anchor(world, 0, 0);
        cn_body box = add_link(world, (cn_body_def){0}, 0.4, 0.2, 3);
        cn_joint_def def = cn_prismatic_joint(world, anchor, box, point(2, 0.5), point(0, 1));
        def.x = (cn_coordinate){.mode = CN_FREE, .stiffness = (float)k, .damping = 20};
        cn_joint joint = join(world, def);
        run(world, 900);
        double sag = -value_of(world, joint, CN_JOINT_X) / (3 * GRAVITY / k);
        print_message("%g N/m, %d substeps: sag %+.3f %%\n", k, n, 100 * (sag - 1));
        assert_near(sag, 1, 0.005);
        cn_world_destroy(world);
    }
}

// A bar that a torsion spring holds at its end sinks to the angle with k angle = m g r cos(angle).
static void a_torsion_spring_bears_the_torque_of_the_weight(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (double arm = 0.3; arm < 2; arm *= 2) {
        cn_world *world = make_world_of(n, GRAVITY);
        cn_body anchor = add_anchor(world, 0, 0);
        cn_body bar = add_link(world, (cn_body_def){.position = point(arm, 0)}, 0.3, 0.05, 2);
        cn_joint_def def = cn_revolute_joint(world, anchor, bar, point(0, 0));
        def.angle = (cn_coordinate){.mode = CN_FREE, .stiffness = 100, .damping = 10};
        cn_joint joint = join(world, def);
        run(world, 900);
        double angle = -value_of(world, joint, CN_JOINT_ANGLE);
        assert_near(100 * angle / (2 * GRAVITY * arm * cos(angle)), 1, 0.005);
        cn_world_destroy(world);
    }
}

// ---- dampers

// A damper alone: v = v0 e^(-c t / m), whatever the arm.
static void a_damper_without_a_spring_slows_exponentially(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (double c = 0.5; c < 100; c *= 5) {
        cn_world *world = make_world_of(n, 0);
        cn_body anchor = add_anchor(world, 0, 0);
        cn_body box = add_link(world, (cn_body_def){.velocity = point(4, 0)}, 0.4, 0.2, 3);
        cn_joint_def def = cn_prismatic_joint(world, anchor, box, point(1, 2), point(1, 0));
        def.x = (cn_coordinate){.mode = CN_FREE, .damping = (float)c};
        cn_joint joint = join(world, def);
        for (int i = 1; i < 60; i++) {
            run(world, 1);
            assert_near(motion_of(world, box).vx, 4 * exp(-c * seconds_of(i) / 3), 4e-3);
        }
        assert_near(value_of(world, joint, CN_JOINT_X), 4 * 3 / c * (1 - exp(-c * 59 / 180)), 0.04);
        cn_world_destroy(world);
    }
}

// A spring and a damper have limits of their forces.
static void a_damper_resists_with_no_more_than_its_greatest_force(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body anchor = add_anchor(world, 0, 0);
    cn_body box = add_link(world, (cn_body_def){.velocity = point(4, 0)}, 0.4, 0.2, 3);
    cn_joint_def def = cn_prismatic_joint(world, anchor, box, point(0, 1), point(1, 0));
    def.x = (cn_coordinate){.mode = CN_FREE, .damping = 1000, .max_spring_force = 6};
    join(world, def);
    run(world, 60);
    assert_near(motion_of(world, box).vx, 4 - 6.0 / 3, 1e-3);
    cn_world_destroy(world);
}

// ---- energy

// Two bars on a hinge with a spring fly and swing through large angles. With the spring, their
// energy is kinetic + k angle^2 / 2. The inertia about the hinge depends on the angle.
static void undamped_hinges_keep_the_energy_for_a_minute(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (int i = 0; i < 4; i++) {
        double k = i % 2 ? 3 : 0.5, rest = i < 2 ? 0 : PI, least = 1e9, most = 0;
        cn_world *world = make_world_of(n, 0);
        cn_body_def second = {.position = point(1, 0), .angular_velocity = 4};
        cn_body a = add_link(world, (cn_body_def){.velocity = point(0.2, 0.1)}, 0.5, 0.1, 1);
        cn_body b = add_link(world, second, 0.5, 0.1, 1.5);
        cn_joint_def def = cn_revolute_joint(world, a, b, point(0.5, 0));
        def.angle = (cn_coordinate){.mode = CN_FREE, .stiffness = (float)k, .target = (float)rest};
        cn_joint joint = join(world, def);
        run(world, 1);
        for (int t = 0; t < 3600; t++) {
            run(world, 1);
            double angle = value_of(world, joint, CN_JOINT_ANGLE) - rest;
            double energy = cn_world_energy(world).kinetic + 0.5 * k * angle * angle;
            least = fmin(least, energy), most = fmax(most, energy);
        }
        print_message("hinge of %g N m/rad, %d substeps: energy within %.2f %%\n", k, n,
                      100 * (most / least - 1));
        assert_true(most / least < 1.06);
        cn_world_destroy(world);
    }
}

// A box swings in a plane on soft springs at its corner: x, y, with a locked or free angle.
static void soft_corners_gain_no_energy_in_a_minute(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (int i = 0; i < 6; i++) {
        cn_world *world = make_world_of(n, 0);
        cn_body anchor = add_anchor(world, 0, 0);
        cn_body box = add_link(world, (cn_body_def){.velocity = point(0.4, 1)}, 0.5, 0.2, 1);
        cn_joint_def def = cn_weld_joint(world, anchor, box, point(0.5, 0.2));
        def.x = (cn_coordinate){.mode = CN_FREE, .hertz = 1};
        def.y = (cn_coordinate){.mode = CN_FREE, .stiffness = 90};
        if (i % 3 > 0) def.angle.mode = CN_FREE;
        if (i % 3 > 1) def.angle.stiffness = 2;
        join(world, def);
        double first = 0, last = 0;
        for (int t = 0; t < 3600; t++) {
            run(world, 1);
            double kinetic = cn_world_energy(world).kinetic;
            if (t < 600) first = fmax(first, kinetic);
            if (t >= 3000) last = fmax(last, kinetic);
        }
        print_message("soft corner %d, %d substeps: %.4f of the energy\n", i, n, last / first);
        assert_near(last / first, 1, 0.05);
        cn_world_destroy(world);
    }
}

// ---- suspensions

// A car of mass M stands on two wheels of mass m with springs of `hertz`. Each spring moves the
// inverse mass K = e + d^2 e / (I e + h^2), with e = 1 / M + 1 / m and the wheels at (+-d, -h).
static void a_car_keeps_its_ride_height(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (int i = 0; i < 4; i++) {
        double d = i % 2 ? 0.6 : 1, h = 0.5, k = 200, hertz = 3;
        cn_world *world = make_world_of(n, GRAVITY);
        add_floor(world, (cn_material){.friction = 1});
        cn_body car = add_link(world, (cn_body_def){.position = point(0, 0.7)}, 1.2, 0.2, 4);
        cn_joint joints[2];
        for (int j = 0; j < 2; j++) {
            vec2s at = point(j ? d : -d, 0.7 - h);
            cn_body wheel =
                add(world, (cn_body_def){.position = at},
                    (cn_shape_def){.hull = cn_circle(0.2f), .density = 8, .filter = apart});
            cn_joint_def def = cn_wheel_joint(world, car, wheel, at, point(0, 1));
            double e = 0.25 + 1 / mass_of(world, wheel);
            def.x = (cn_coordinate){.mode = CN_FREE, .hertz = (float)hertz, .damping_ratio = 0.7f};
            if (i < 2) def.x = (cn_coordinate){.mode = CN_FREE, .stiffness = 200, .damping = 20};
            if (i >= 2) {
                double inverse = e + d * d * e / (inertia_of(world, car) * e + h * h);
                k = pow(2 * PI * hertz, 2) / inverse;
            }
            joints[j] = join(world, def);
        }
        run(world, 600);
        for (int j = 0; j < 2; j++)
            assert_near(value_of(world, joints[j], CN_JOINT_X) / (2 * GRAVITY / k), 1, 0.01);
        cn_world_destroy(world);
    }
}

// ---- joints that are solved by iteration

// Copies of a joint without the spring close so many cycles that all joints are iterated.
static cn_joint join_iterated(cn_world *world, cn_joint_def def, cn_joint_axis axis,
                              cn_coordinate spring) {
    for (int i = 0; i < 12; i++) join(world, def);
    *(axis == CN_JOINT_X ? &def.x : &def.angle) = spring;
    return join(world, def);
}

static cn_joint add_iterated_hinge(cn_world *world, double arm, cn_coordinate angle, cn_body *bar) {
    cn_body anchor = add_anchor(world, 0, 0);
    *bar = add_link(world, (cn_body_def){.position = point(arm, 0)}, 0.5, 0.05, 2);
    return join_iterated(world, cn_revolute_joint(world, anchor, *bar, point(0, 0)), CN_JOINT_ANGLE,
                         angle);
}

static void iterated_hinges_swing_at_their_hertz(void **state) {
    (void)state;
    const double w = 2 * PI * 1.5, inertia = 2 * (0.2525 / 3 + 0.25);
    EACH_SUBSTEPS(n)
    for (int i = 0; i < 4; i++) {
        cn_world *world = make_world_of(n, 0);
        double z = i % 2 ? 0.2 : 0, v = w * sqrt(1 - z * z), worst = 0;
        cn_coordinate c = {.mode = CN_FREE, .hertz = 1.5f, .damping_ratio = (float)z};
        if (i > 1)
            c = (cn_coordinate){.mode = CN_FREE,
                                .stiffness = (float)(inertia * w * w),
                                .damping = (float)(2 * z * w * inertia)};
        cn_body bar;
        cn_joint joint = add_iterated_hinge(world, 0.5, c, &bar);
        assert_done(cn_body_set_velocity(world, bar, point(0, 0.5)));
        assert_done(cn_body_set_angular_velocity(world, bar, 1));
        for (int t = 1; t <= 120; t++) {
            run(world, 1);
            double s = seconds_of(t), x = exp(-z * w * s) * sin(v * s) / v;
            worst = fmax(worst, fabs(value_of(world, joint, CN_JOINT_ANGLE) - x) * v);
        }
        print_message("iterated hinge %d, %d substeps: within %.2f %%\n", i, n, 100 * worst);
        assert_true(worst < 0.05);
        cn_world_destroy(world);
    }
}

static void iterated_sliders_swing_at_their_hertz(void **state) {
    (void)state;
    const double w = 2 * PI * 2;
    EACH_SUBSTEPS(n)
    for (int i = 0; i < 2; i++) {
        cn_world *world = make_world_of(n, 0);
        double z = i ? 0.3 : 0, v = w * sqrt(1 - z * z), worst = 0;
        cn_body anchor = add_anchor(world, 0, 0);
        cn_body box = add_link(world, (cn_body_def){.velocity = point(1, 0)}, 0.5, 0.2, 3);
        cn_joint_def def = cn_prismatic_joint(world, anchor, box, point(2, 1), point(1, 0));
        cn_coordinate c = {.mode = CN_FREE, .hertz = 2, .damping_ratio = (float)z};
        cn_joint joint = join_iterated(world, def, CN_JOINT_X, c);
        for (int t = 1; t <= 120; t++) {
            run(world, 1);
            double s = seconds_of(t), x = exp(-z * w * s) * sin(v * s) / v;
            worst = fmax(worst, fabs(value_of(world, joint, CN_JOINT_X) - x) * v);
        }
        print_message("iterated slider %d, %d substeps: within %.2f %%\n", i, n, 100 * worst);
        assert_true(worst < 0.05);
        cn_world_destroy(world);
    }
}

// A ladder of links, each on two hinges, has so many cycles that all joints are iterated. An
// iterated joint does not see all of the inertia about its hinge at once. A stiff spring for this
// inertia must not throw the ladder.
static void stiff_springs_of_iterated_hinges_gain_no_energy(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (int i = 0; i < 20; i++) {
        cn_world *world = make_world_of(n, 0);
        double arm = i < 10 ? 0.5 : 2, hertz = 2 << i % 10 / 2, most = 0;
        cn_body anchor = add_anchor(world, 0, 0);
        cn_body_def def = {.velocity = point(0, arm), .angular_velocity = 1};
        def.position = point(arm, 0);
        cn_body first = add_link(world, def, 0.5, 0.05, 2), last = first;
        for (int k = 0; k < 14; k++) {
            double y = 0.3 * k + 0.15;
            cn_body_def next = {.position = point(arm, y + 0.15)};
            cn_body link = add_link(world, next, 0.5, 0.05, 0.5);
            for (int side = -1; side <= 1; side += 2)
                join(world, cn_revolute_joint(world, last, link, point(arm + 0.4 * side, y)));
            last = link;
        }
        cn_joint_def hinge = cn_revolute_joint(world, anchor, first, point(0, 0));
        hinge.angle = (cn_coordinate){
            .mode = CN_FREE, .hertz = (float)hertz, .damping_ratio = i % 2 ? 0.5f : 0};
        join(world, hinge);
        double start = cn_world_energy(world).kinetic;
        for (int t = 0; t < 600; t++) {
            run(world, 1);
            most = fmax(most, cn_world_energy(world).kinetic);
        }
        if (!(most < 1.02 * start))
            fail_msg("%g Hz, %d substeps: %g times the energy", hertz, n, most / start);
        cn_world_destroy(world);
    }
}

// ---- changes

// With a greater mass, a spring of k N/m swings slower. A spring with hertz does not.
static void a_new_mass_changes_the_hertz_of_a_stiffness(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        cn_world *world = make_world(0);
        cn_body anchor = add_anchor(world, 0, 0);
        cn_body box = add_link(world, (cn_body_def){0}, 0.4, 0.2, 1);
        cn_joint_def def = cn_prismatic_joint(world, anchor, box, point(1, 2), point(1, 0));
        def.x = (cn_coordinate){.mode = CN_FREE, .stiffness = i ? 0 : 50, .hertz = i ? 1.2f : 0};
        cn_joint joint = join(world, def);
        run(world, 3);
        assert_done(cn_body_set_mass_data(world, box, (cn_mass_data){.mass = 9, .inertia = 1}));
        assert_done(cn_body_set_velocity(world, box, point(1, 0)));
        double w = i ? 2 * PI * (double)1.2f : sqrt(50 / 9.0);
        for (int t = 1; t < 200; t++) {
            run(world, 1);
            assert_near(value_of(world, joint, CN_JOINT_X) * w, sin(w * seconds_of(t)), 0.02);
        }
        cn_world_destroy(world);
    }
}

// Lengths 100 times as great, with length_unit 100, swing equally.
static void springs_swing_equally_in_all_units(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        const float unit = i ? 100 : 1;
        cn_world *world = cn_world_create(&(cn_world_def){.length_unit = unit, .no_sleep = true});
        cn_body anchor = add_anchor(world, 0, 0);
        cn_body bar = add_link(world, (cn_body_def){.position = point((double)unit, 0)},
                               0.5 * (double)unit, 0.1 * (double)unit, 1);
        cn_joint_def def = cn_revolute_joint(world, anchor, bar, point(0, 0));
        def.angle = (cn_coordinate){.mode = CN_FREE, .hertz = 1, .target = 0.5f};
        cn_joint joint = join(world, def);
        for (int t = 1; t < 300; t++) {
            run(world, 1);
            double angle = value_of(world, joint, CN_JOINT_ANGLE);
            assert_near(angle, 0.5 * (1 - cos(2 * PI * seconds_of(t))), 0.01);
        }
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slider_sags_by_the_weight_over_the_stiffness),
        cmocka_unit_test(a_torsion_spring_bears_the_torque_of_the_weight),
        cmocka_unit_test(a_damper_without_a_spring_slows_exponentially),
        cmocka_unit_test(a_damper_resists_with_no_more_than_its_greatest_force),
        cmocka_unit_test(undamped_hinges_keep_the_energy_for_a_minute),
        cmocka_unit_test(soft_corners_gain_no_energy_in_a_minute),
        cmocka_unit_test(a_car_keeps_its_ride_height),
        cmocka_unit_test(iterated_hinges_swing_at_their_hertz),
        cmocka_unit_test(iterated_sliders_swing_at_their_hertz),
        cmocka_unit_test(stiff_springs_of_iterated_hinges_gain_no_energy),
        cmocka_unit_test(a_new_mass_changes_the_hertz_of_a_stiffness),
        cmocka_unit_test(springs_swing_equally_in_all_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
