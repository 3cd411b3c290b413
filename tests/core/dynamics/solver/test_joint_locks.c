/* Joints of bodies with locked axes and of bodies that cannot turn. */
#include "../../../support/links.h"

// A cart with a locked y axis carries a pendulum of 100 times its mass.
static void a_cart_on_a_locked_axis_bears_a_heavy_load(void **state) {
    (void)state;
    cn_world *world = make_world_of(4, 10);
    cn_body cart = add_link(world, (cn_body_def){.lock_y = true}, 0.5, 0.2, 1);
    cn_body load = add_disc(world, 1, -1, 100);
    join(world, cn_revolute_joint(world, cart, load, point(0, 0)));
    double start = energy_of(world);
    for (int k = 0; k < 300; k++) {
        run(world, 1);
        assert_true(motion_of(world, cart).y == 0);
        assert_near(greatest_gap(world), 0, 0.005);
        assert_near(energy_of(world) - start, -120, 130); // once -5000 J: the load fell
    }
    cn_world_destroy(world);
}

static cn_body add_locked(cn_world *world, double x, int locks, double mass) {
    cn_body_def def = {.position = point(x, 0),
                       .lock_x = locks & 1,
                       .lock_y = locks & 2,
                       .lock_rotation = locks & 4,
                       .angular_velocity = 3};
    cn_body body = add_link(world, def, 0.5, 0.5, 1);
    cn_mass_data as = {(float)mass, (float)mass, point(0, 0)};
    assert_done(cn_body_set_mass_data(world, body, as));
    return body;
}

// Where no inertia was left after rounding, a body was once faulted.
static void bodies_of_any_mass_and_locks_stay_finite(void **state) {
    (void)state;
    enum { MASSES = 4 };
    const double masses[MASSES] = {1e-12, 1, 1e12, 1e20};
    for (int i = 0; i < 8 * 8 * MASSES * 3; i++) {
        cn_world *world = make_world_of(4, 10);
        cn_body a = add_locked(world, 0, i & 7, masses[i / 64 % MASSES]),
                b = add_locked(world, 2, i >> 3 & 7, 1);
        cn_joint_def defs[] = {cn_revolute_joint(world, a, b, point(1, 0)),
                               cn_weld_joint(world, a, b, point(1, 0)),
                               cn_prismatic_joint(world, a, b, point(1, 0), point(1, 1))};
        join(world, defs[i / 64 / MASSES]);
        join(world, cn_revolute_joint(world, add_anchor(world, 0, 0), b, point(3, 0)));
        for (int k = 0; k < 60; k++) {
            run(world, 1);
            assert_true(!cn_body_disabled(world, a) && !cn_body_disabled(world, b));
            assert_true(!(i & 1) || motion_of(world, a).x == 0);
        }
        cn_world_destroy(world);
    }
}

// The chassis cannot turn, or is welded to a body that cannot turn. Once, a body that cannot turn
// counted as very heavy as a child, so the torque was lost in rounding. Whether the motor had a
// limit depended on the order of the bodies and on anchors.
static void a_motor_at_a_body_that_cannot_turn_keeps_its_limit(void **state) {
    (void)state;
    for (int i = 0; i < 16; i++) {
        bool chassis_first = i & 1, anchored = i & 2, chassis_is_a = i & 4, welded = i & 8;
        cn_world *world = make_world_of(4, 0);
        cn_body bodies[2];
        for (int k = 0; k < 2; k++) {
            bool is_chassis = (k == 0) == chassis_first;
            cn_body_def def = {.lock_rotation = is_chassis && !welded};
            bodies[k] = add_link(world, def, 0.5, 0.5, 1);
        }
        cn_body chassis = bodies[!chassis_first], wheel = bodies[chassis_first];
        cn_joint_def def = cn_revolute_joint(world, chassis_is_a ? chassis : wheel,
                                             chassis_is_a ? wheel : chassis, point(0, 0));
        def.angle.motor = true, def.angle.max_motor_force = 0.5f;
        def.angle.motor_speed = chassis_is_a ? -10 : 10;
        cn_joint motor = join(world, def);
        if (welded) {
            cn_body still = add_link(world, (cn_body_def){.lock_rotation = true}, 0.5, 0.5, 1);
            join(world, cn_weld_joint(world, chassis, still, point(0, 0)));
        }
        if (anchored)
            join(world, cn_revolute_joint(world, add_anchor(world, 0, 0), wheel, point(0, 0)));
        run(world, 60);
        assert_near(motion_of(world, wheel).w, -0.5 / inertia_of(world, wheel), 0.001);
        assert_near(fabs((double)cn_joint_torque(world, motor)), 0.5, 0.001);
        assert_near(motion_of(world, chassis).angle, 0, 1e-6);
        cn_world_destroy(world);
    }
}

// Two links swing until the limit at a load that cannot turn stops the second link. Once, the limit
// gave way or pulled at random, and bodies of random trees reached 600 m/s.
static void a_limit_at_a_body_that_cannot_turn_stops_an_arm(void **state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        cn_world *world = make_world_of(8, 10);
        cn_body last = add_anchor(world, 0, 0);
        for (int k = 0; k < 2; k++) {
            cn_body next =
                add_link(world, (cn_body_def){.position = point(k + 0.5, 0)}, 0.5, 0.05, 1);
            join(world, cn_revolute_joint(world, last, next, point(k, 0)));
            last = next;
        }
        cn_body_def still = {.position = point(2, 0), .lock_rotation = true};
        cn_body load = add_link(world, still, 0.2, 0.2, 1);
        cn_joint_def def = cn_revolute_joint(world, last, load, point(2, 0));
        def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.5f};
        def.angle.upper = (float)(0.3 + 0.006 * i);
        cn_joint limited = join(world, def);
        double start = energy_of(world);
        for (int k = 0; k < 120; k++) {
            run(world, 1);
            double angle = value_of(world, limited, CN_JOINT_ANGLE);
            assert_true(energy_of(world) <= start + 0.01);
            assert_true(angle >= -0.5001 && angle <= (double)def.angle.upper + 0.0001);
            assert_near(greatest_gap(world), 0, 0.005);
        }
        cn_world_destroy(world);
    }
}

// A spinner carries a box that is welded to a box that cannot turn. Once, the weld had a torque of
// 2e9 N m: the rounding error of the speed of the spinner, times a very large inertia.
static void the_weld_of_a_body_that_cannot_turn_has_no_torque_of_its_own(void **state) {
    (void)state;
    cn_world *world = make_world_of(4, 0);
    cn_body spinner = add_link(world, (cn_body_def){.angular_velocity = 37}, 0.5, 0.1, 1);
    cn_body box = add_link(world, (cn_body_def){0}, 0.5, 0.5, 1);
    cn_body still = add_link(world, (cn_body_def){.lock_rotation = true}, 0.5, 0.5, 1);
    join(world, cn_revolute_joint(world, add_anchor(world, 0, 0), spinner, point(0, 0)));
    cn_joint_def def = cn_revolute_joint(world, spinner, box, point(0, 0));
    def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -1e6f, .upper = 1e6f};
    join(world, def);
    cn_joint weld = join(world, cn_weld_joint(world, box, still, point(0, 0)));
    for (int k = 0; k < 60; k++) {
        run(world, 1);
        assert_near(motion_of(world, spinner).w, 37, 0.001);
        assert_near((double)cn_joint_torque(world, weld), 0, 0.01);
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cart_on_a_locked_axis_bears_a_heavy_load),
        cmocka_unit_test(bodies_of_any_mass_and_locks_stay_finite),
        cmocka_unit_test(a_motor_at_a_body_that_cannot_turn_keeps_its_limit),
        cmocka_unit_test(a_limit_at_a_body_that_cannot_turn_stops_an_arm),
        cmocka_unit_test(the_weld_of_a_body_that_cannot_turn_has_no_torque_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
