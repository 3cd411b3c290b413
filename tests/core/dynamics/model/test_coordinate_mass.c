/* Springs of joints move the mass that the locked coordinates of the joint leave: their frequency,
 * damping and sag against closed formulas, at 4, 8 and 12 substeps, with hertz and with stiffness.
 */
#include "../../../support/links.h"

static const int substeps_of[] = {4, 8, 12};
#define EACH_SUBSTEPS(n) for (int n##_ = 0, n; n##_ < 3 && (n = substeps_of[n##_], true); n##_++)

// ---- measurements

static cn_coordinate spring_of(double hertz, double ratio) {
    return (cn_coordinate){.mode = CN_FREE, .hertz = (float)hertz, .damping_ratio = (float)ratio};
}

static cn_coordinate stiffness_of(double stiffness, double damping) {
    return (cn_coordinate){
        .mode = CN_FREE, .stiffness = (float)stiffness, .damping = (float)damping};
}

// Returns the frequency with which a coordinate swings about 0 in a given time. Between two steps
// its motion is a sine, so both values give the phase of a crossing.
static double measure_hertz(cn_world *world, cn_joint joint, cn_joint_axis axis, double expected,
                            int steps) {
    double first = 0, last = 0, w = 2 * PI * expected * (double)STEP;
    int crossings = 0;
    for (int i = 1; i <= steps; i++) {
        double before = value_of(world, joint, axis);
        run(world, 1);
        double now = value_of(world, joint, axis);
        if ((before < 0) == (now < 0)) continue;
        double s = before * sin(w), c = before * cos(w) - now;
        last = seconds_of(i) - (double)STEP * (1 - atan(s / c) / w);
        if (crossings++ == 0) first = last;
    }
    return crossings > 1 ? (crossings - 1) / (2 * (last - first)) : 0;
}

static void check_hertz(cn_world *world, cn_joint joint, cn_joint_axis axis, double expected,
                        const char *what, int substeps) {
    int steps = (int)(60 * fmax(5, 10 / expected));
    double found = measure_hertz(world, joint, axis, expected, steps);
    print_message("%s, %d substeps: %.4f Hz for %.4f, %+.3f %%\n", what, substeps, found, expected,
                  100 * (found / expected - 1));
    assert_near(found / expected, 1, 0.005);
    cn_world_destroy(world);
}

// ---- hinges

// A box of half extents (half_x, half_y) and 2 kg whose centre is at (arm_x, arm_y) from its hinge.
typedef struct {
    double half_x, half_y, arm_x, arm_y;
} hinged_box;

static const hinged_box boxes[] = {{0.5, 0.05, 0.5, 0},
                                   {0.3, 0.3, -0.3, 0.3},
                                   {2, 0.02, 0, 1.5},
                                   {0.05, 0.05, 1, 0},
                                   {0.4, 0.1, 0, 0}};
enum { BOXES = sizeof boxes / sizeof *boxes };

static double inertia_about_hinge(hinged_box b) {
    return 2 * ((b.half_x * b.half_x + b.half_y * b.half_y) / 3 + b.arm_x * b.arm_x +
                b.arm_y * b.arm_y);
}

// With `first`, the box is body A of the joint.
static cn_joint add_hinged(cn_world *world, hinged_box b, cn_coordinate angle, bool first,
                           cn_body *box) {
    cn_body anchor = add_anchor(world, 0, 0);
    *box =
        add_link(world, (cn_body_def){.position = point(b.arm_x, b.arm_y)}, b.half_x, b.half_y, 2);
    cn_joint_def def =
        cn_revolute_joint(world, first ? *box : anchor, first ? anchor : *box, point(0, 0));
    def.angle = angle;
    return join(world, def);
}

// Turns a box about its hinge at the origin.
static void spin(cn_world *world, cn_body box, double w) {
    motion m = motion_of(world, box);
    assert_done(cn_body_set_velocity(world, box, point(-w * m.y, w * m.x)));
    assert_done(cn_body_set_angular_velocity(world, box, (float)w));
}

static void a_hinged_box_swings_at_the_hertz_of_its_spring(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (int i = 0; i < BOXES; i++)
        for (double hertz = 0.5; hertz < 5; hertz *= 2) {
            cn_world *world = make_world_of(n, 0);
            cn_body box;
            cn_joint joint = add_hinged(world, boxes[i], spring_of(hertz, 0), i % 2, &box);
            spin(world, box, 0.5);
            check_hertz(world, joint, CN_JOINT_ANGLE, hertz, "hinged box", n);
        }
}

static void a_torsion_spring_turns_the_inertia_about_the_hinge(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (int i = 0; i < BOXES; i++)
        for (double k = 2; k < 100; k *= 6) {
            cn_world *world = make_world_of(n, 0);
            cn_body box;
            cn_joint joint = add_hinged(world, boxes[i], stiffness_of(k, 0), i % 2, &box);
            spin(world, box, 0.5);
            double hertz = sqrt(k / inertia_about_hinge(boxes[i])) / (2 * PI);
            if (hertz < 15) check_hertz(world, joint, CN_JOINT_ANGLE, hertz, "torsion spring", n);
        }
}

// theta = theta0 e^(-w t) (1 + w t) for a damping ratio of 1: it never passes 0.
static void a_critically_damped_hinge_does_not_overshoot(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (int i = 0; i < BOXES; i++)
        for (double hertz = 1; hertz < 5; hertz *= 2) {
            cn_world *world = make_world_of(n, 0);
            cn_body box;
            cn_coordinate spring = spring_of(hertz, 1);
            spring.target = 0.4f;
            cn_joint joint = add_hinged(world, boxes[i], spring, false, &box);
            double w = 2 * PI * hertz, over = 0, worst = 0;
            for (int k = 1; k <= 180; k++) {
                run(world, 1);
                double t = seconds_of(k), left = 1 - value_of(world, joint, CN_JOINT_ANGLE) / 0.4;
                over = fmax(over, -left);
                worst = fmax(worst, fabs(left - exp(-w * t) * (1 + w * t)));
            }
            print_message("%g Hz, %d substeps: over by %.3f %%, within %.2f %%\n", hertz, n,
                          100 * over, 100 * worst);
            assert_true(over < 0.005 && worst < 0.05);
            cn_world_destroy(world);
        }
}

// Each swing is smaller by e^(-2 pi z / sqrt(1 - z^2)).
static void a_damped_hinge_has_the_decrement_of_its_damping_ratio(void **state) {
    (void)state;
    const double z = 0.1, decrement = 2 * PI * z / sqrt(1 - z * z);
    EACH_SUBSTEPS(n)
    for (int i = 0; i < 2 * BOXES; i++) {
        cn_world *world = make_world_of(n, 0);
        cn_body box;
        double w = 2 * PI * 1.5, m = inertia_about_hinge(boxes[i / 2]);
        cn_coordinate c = i % 2 ? spring_of(1.5, z) : stiffness_of(m * w * w, 2 * z * m * w);
        cn_joint joint = add_hinged(world, boxes[i / 2], c, false, &box);
        spin(world, box, 1);
        double peaks[3] = {0};
        int swings = (int)(60 / (1.5 * sqrt(1 - z * z))); // steps of a swing
        for (int k = 0; k < 3 * swings; k++) {
            run(world, 1);
            double *peak = &peaks[k / swings];
            *peak = fmax(*peak, value_of(world, joint, CN_JOINT_ANGLE));
        }
        double found = log(peaks[0] / peaks[2]) / 2;
        print_message("decrement %.4f for %.4f\n", found, decrement);
        assert_near(found / decrement, 1, 0.02);
        cn_world_destroy(world);
    }
}

// A wheel that is hinged at its centre to the end of a bar. Relative to each other they turn with
// the inverse mass 1 / Iw + 1 / (Ib + b^2 mw mb / (mw + mb)).
static void a_hinge_of_two_dynamic_bodies_swings_at_its_hertz(void **state) {
    (void)state;
    const double masses[][2] = {{1, 1}, {0.2, 3}, {5, 0.5}};
    EACH_SUBSTEPS(n)
    for (int i = 0; i < 12; i++) {
        double mw = masses[i / 4][0], mb = masses[i / 4][1], arm = i % 2 ? 1.2 : 0.6;
        cn_world *world = make_world_of(n, 0);
        cn_body wheel = add_disc(world, 0, 0, mw);
        cn_body bar = add_link(world, (cn_body_def){.position = point(arm, 0)}, 0.6, 0.1, mb);
        cn_joint_def def = cn_revolute_joint(world, wheel, bar, point(0, 0));
        double k = 1 / inertia_of(world, wheel) +
                   1 / (inertia_of(world, bar) + arm * arm * mw * mb / (mw + mb));
        double hertz = 2;
        def.angle = i % 4 < 2 ? spring_of(hertz, 0) : stiffness_of(0.7, 0);
        if (i % 4 >= 2) hertz = sqrt(0.7 * k) / (2 * PI);
        cn_joint joint = join(world, def);
        assert_done(cn_body_set_angular_velocity(world, wheel, -2));
        check_hertz(world, joint, CN_JOINT_ANGLE, hertz, "wheel on a bar", n);
    }
}

// ---- sliders and distances

// A box on a slider whose point is far from the box: only its mass counts.
static void a_slider_off_centre_swings_with_the_whole_mass(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (int i = 0; i < 8; i++) {
        vec2s at = point(i % 2 ? 0.4 : 3, i % 4 < 2 ? -0.3 : 2);
        cn_world *world = make_world_of(n, 0);
        cn_body anchor = add_anchor(world, 0, 0);
        cn_body box = add_link(world, (cn_body_def){0}, 0.5, 0.2, 3);
        cn_joint_def def = cn_prismatic_joint(world, anchor, box, at, point(1, 1));
        double hertz = i < 4 ? 2 : sqrt(700 / 3.0) / (2 * PI);
        def.x = i < 4 ? spring_of(hertz, 0) : stiffness_of(700, 0);
        cn_joint joint = join(world, def);
        assert_done(cn_body_set_velocity(world, box, point(1, 1)));
        check_hertz(world, joint, CN_JOINT_X, hertz, "slider", n);
    }
}

// Two boxes on a slider, with centres e apart along it and d across it, also turn together:
// 1 / m = 1 / ma + 1 / mb + d^2 / (Ia + Ib + e^2 ma mb / (ma + mb)).
static void a_slider_of_two_dynamic_bodies_turns_both(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (int i = 0; i < 4; i++) {
        double d = i % 2 ? 0.5 : 2, e = 0.3;
        cn_world *world = make_world_of(n, 0);
        cn_body a = add_link(world, (cn_body_def){0}, 0.5, 0.2, 3);
        cn_body b = add_link(world, (cn_body_def){.position = point(e, d)}, 0.3, 0.2, 1);
        cn_joint_def def = cn_prismatic_joint(world, a, b, point(2, -1), point(1, 0));
        double inertia = inertia_of(world, a) + inertia_of(world, b) + 0.75 * e * e;
        double k = 4.0 / 3 + d * d / inertia;
        double hertz = i < 2 ? 1.5 : sqrt(60 * k) / (2 * PI);
        def.x = i < 2 ? spring_of(hertz, 0) : stiffness_of(60, 0);
        cn_joint joint = join(world, def);
        // Small swings, in which the centres hardly move along each other.
        assert_done(cn_body_set_velocity(world, b, point(0.02, 0)));
        check_hertz(world, joint, CN_JOINT_X, hertz, "slider of two boxes", n);
    }
}

// A distance spring pulls a box at its corner, along the y axis: with the inverse mass
// 1 / m + s^2 / I.
static void a_distance_spring_at_a_corner_swings_at_its_hertz(void **state) {
    (void)state;
    EACH_SUBSTEPS(n)
    for (int i = 0; i < 6; i++) {
        double half = 0.2 + 0.15 * (i % 3);
        cn_world *world = make_world_of(n, 0);
        cn_body anchor = add_anchor(world, 0, 0);
        cn_body box =
            add_link(world, (cn_body_def){.position = point(half, 2 + half)}, half, half, 2);
        cn_joint_def def = cn_spring_joint(world, anchor, box, point(0, 0), point(0, 2));
        double k = 0.5 + half * half / inertia_of(world, box);
        double hertz = i < 3 ? 2 : sqrt(300 * k) / (2 * PI);
        def.x = i < 3 ? spring_of(hertz, 0) : stiffness_of(300, 0);
        def.x.target = 2;
        cn_joint joint = join(world, def);
        cn_body_apply_impulse_at(world, box, point(0, 0.002), point(0, 2));
        double w = 2 * PI * hertz, most = 0;
        for (int t = 1; t <= 120; t++) {
            run(world, 1);
            double u = (value_of(world, joint, CN_JOINT_X) - 2) / (0.002 * k / w);
            most = fmax(most, fabs(u - sin(w * seconds_of(t))));
        }
        print_message("corner, %g Hz, %d substeps: within %.2f %%\n", hertz, n, 100 * most);
        assert_true(most < 0.05);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hinged_box_swings_at_the_hertz_of_its_spring),
        cmocka_unit_test(a_torsion_spring_turns_the_inertia_about_the_hinge),
        cmocka_unit_test(a_critically_damped_hinge_does_not_overshoot),
        cmocka_unit_test(a_damped_hinge_has_the_decrement_of_its_damping_ratio),
        cmocka_unit_test(a_hinge_of_two_dynamic_bodies_swings_at_its_hertz),
        cmocka_unit_test(a_slider_off_centre_swings_with_the_whole_mass),
        cmocka_unit_test(a_slider_of_two_dynamic_bodies_turns_both),
        cmocka_unit_test(a_distance_spring_at_a_corner_swings_at_its_hertz),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
