/* Bodies that are slow but not at rest: motors, springs, conveyors, lifts and flows go on until
 * they arrive, and bodies turn back at the end of their paths. A blocked body falls asleep. */
#include "../../../support/physics.h"

#define UNIT_WORLDS 3

// Substeps and units of length that are tried.
static const struct {
    int substeps;
    double unit;
} settings[UNIT_WORLDS] = {{4, 1}, {8, 100}, {12, 0.1}};

static cn_world *make_rest_world(double gravity, int i) {
    cn_world *world =
        cn_world_create(&(cn_world_def){.gravity = point(0, -gravity * settings[i].unit),
                                        .substeps = settings[i].substeps,
                                        .length_unit = (float)settings[i].unit});
    assert_done(world != NULL);
    return world;
}

static cn_body add_frame(cn_world *world) {
    return cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
}

static cn_body add_hull(cn_world *world, vec2s at, cn_hull hull) {
    return add(world, (cn_body_def){.position = at}, (cn_shape_def){.hull = hull});
}

static int steps_until_asleep(cn_world *world, cn_body body, int most) {
    int steps = 0;
    for (; steps < most && !cn_body_asleep(world, body); steps++) run(world, 1);
    return steps;
}

// ---- motors and springs

// A lift on a slider rises by 1.2 units, until its limit.
static void check_lift(double speed, int setting) {
    const double unit = settings[setting].unit;
    cn_world *world = make_rest_world(GRAVITY, setting);
    cn_body lift = add_hull(world, point(0, 0), cn_box((float)(unit / 2), (float)(unit / 10)));
    cn_joint_def def = cn_prismatic_joint(world, add_frame(world), lift, point(0, 0), point(0, 1));
    def.x = (cn_coordinate){.mode = CN_LIMITED,
                            .upper = (float)(1.2 * unit),
                            .motor = true,
                            .motor_speed = (float)(speed * unit)};
    assert_done(cn_joint_create(world, def).id != 0);
    int steps = steps_until_asleep(world, lift, (int)(60 * 1.5 / speed));
    assert_near(motion_of(world, lift).y / unit, 1.2, 1e-3);
    assert_near(seconds_of(steps), 1.2 / speed + 0.3, 0.31); // as soon as it stands
    cn_world_destroy(world);
}

static void a_slow_motor_arrives_and_then_sleeps(void **state) {
    (void)state;
    for (int i = 0; i < UNIT_WORLDS; i++) {
        check_lift(0.04, i);
        check_lift(0.01, i);
        check_lift(0.005, i);
    }
}

// The lift touches a ceiling of 0.2 m above it. Its motor has 20 N more than its weight.
static void a_motor_that_something_stops_sleeps(void **state) {
    (void)state;
    cn_world *world = make_rest_world(0, 0);
    cn_body lift = add_hull(world, point(0, 0), cn_box(0.5f, 0.1f));
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, 0.4)},
        (cn_shape_def){.hull = cn_box(1, 0.1f)});
    cn_joint_def def = cn_prismatic_joint(world, add_frame(world), lift, point(0, 0), point(0, 1));
    def.x.motor = true, def.x.motor_speed = 0.04f, def.x.max_motor_force = 20;
    assert_done(cn_joint_create(world, def).id != 0);
    int steps = steps_until_asleep(world, lift, 1000);
    assert_near(seconds_of(steps), 0.2 / 0.04 + 0.5, 0.5);
    assert_near(motion_of(world, lift).y, 0.2, 2e-3);
    cn_world_destroy(world);
}

// A door of 1 m turns by 1 rad.
static void a_slow_spring_arrives(void **state) {
    (void)state;
    for (int i = 0; i < UNIT_WORLDS; i++) {
        const float unit = (float)settings[i].unit;
        cn_world *world = make_rest_world(0, i);
        cn_body door = add_hull(world, cn_vec(unit / 2, 0), cn_box(unit / 2, unit / 20));
        cn_joint_def def = cn_revolute_joint(world, add_frame(world), door, point(0, 0));
        def.angle.hertz = 0.05f, def.angle.damping_ratio = 1, def.angle.target = 1;
        assert_done(cn_joint_create(world, def).id != 0);
        assert_true(steps_until_asleep(world, door, 7200) < 7200);
        assert_near(motion_of(world, door).angle, 1, 0.02);
        cn_world_destroy(world);
    }
}

// A slider creeps to its target: x = 1 - e^(-t / T), with T = c / k. It stops where its speed is 2
// % of the sleep speed, which is 0.02 units before the target.
static void a_strongly_damped_spring_arrives(void **state) {
    (void)state;
    const double w = 2 * PI * 0.05, seconds = 20; // rad/s; T
    for (int i = 0; i < 2 * UNIT_WORLDS; i++) {
        const double unit = settings[i / 2].unit;
        cn_world *world = make_rest_world(0, i / 2);
        cn_body box = add_hull(world, point(0, 0), cn_box((float)unit / 2, (float)unit / 2));
        cn_joint_def def =
            cn_prismatic_joint(world, add_frame(world), box, point(0, 0), point(1, 0));
        const double k = mass_of(world, box) * w * w;
        def.x = (cn_coordinate){.mode = CN_FREE, .target = (float)unit};
        if (i % 2)
            def.x.stiffness = (float)k, def.x.damping = (float)(k * seconds);
        else
            def.x.hertz = 0.05f, def.x.damping_ratio = (float)(w * seconds / 2);
        assert_done(cn_joint_create(world, def).id != 0);
        int steps = steps_until_asleep(world, box, 7200);
        assert_near(motion_of(world, box).x / unit, 1 - 0.02, 2e-3);
        assert_near(seconds_of(steps), seconds * log(50), 2);
        cn_world_destroy(world);
    }
}

// ---- forces

// A body starts up a slope of some degrees at 0.06 m/s. After 1.5 times the time in which it would
// come back, its place is s = v t - a t^2 / 2. A ball rolls with a = 2/3 g sin(slope).
static void check_slope(double degrees, bool rolls, int setting) {
    const double unit = settings[setting].unit, angle = degrees * PI / 180, r = 0.3 * unit;
    const double a = GRAVITY * sin(angle) * (rolls ? 2.0 / 3 : 1), v = 0.06;
    const vec2s along = point(cos(angle), sin(angle)), at = point(-sin(angle) * r, cos(angle) * r);
    const cn_material material = rolls ? (cn_material){0} : frictionless;
    cn_world *world = make_rest_world(GRAVITY, setting);
    cn_hull ground =
        cn_hull_at(cn_box((float)(50 * unit), (float)unit), cn_pose_at(point(0, -unit), 0));
    add(world, (cn_body_def){.type = CN_STATIC, .angle = (float)angle},
        (cn_shape_def){.hull = ground, .material = material});
    cn_body body =
        add(world, (cn_body_def){.position = at, .angle = (float)angle},
            (cn_shape_def){.hull = rolls ? cn_circle((float)r) : cn_box((float)r, (float)r),
                           .material = material});
    cn_body_set_velocity(world, body, glms_vec2_scale(along, (float)(v * unit)));
    cn_body_set_angular_velocity(world, body, rolls ? (float)(-v * unit / r) : 0);
    int steps = (int)(60 * 3 * v / a);
    run(world, steps);
    motion m = motion_of(world, body);
    double t = seconds_of(steps), s = (m.x * cos(angle) + m.y * sin(angle)) / unit;
    assert_near(s, v * t - a * t * t / 2, 1e-3);
    cn_world_destroy(world);
}

static void a_body_turns_back_on_a_slight_slope(void **state) {
    (void)state;
    for (int i = 0; i < UNIT_WORLDS; i++)
        for (int rolls = 0; rolls < 2; rolls++) {
            check_slope(0.1, rolls, i);
            check_slope(0.3, rolls, i);
            check_slope(1, rolls, i);
        }
}

// The pendulum is slower than the sleep speed near the ends of its swing. The range of its motion
// stays 2 L sin(angle).
static void check_pendulum(double length, double angle, int setting) {
    const double unit = settings[setting].unit, l = length * unit;
    cn_world *world = make_rest_world(GRAVITY, setting);
    cn_body bob =
        add_hull(world, point(l * sin(angle), -l * cos(angle)), cn_circle((float)(0.2 * unit)));
    cn_joint_def def = cn_revolute_joint(world, add_frame(world), bob, point(0, 0));
    assert_done(cn_joint_create(world, def).id != 0);
    const int period = (int)(60 * 2 * PI * sqrt(length / GRAVITY));
    double least = l, greatest = -l;
    run(world, 4 * period);
    for (int i = 0; i <= period; i++) {
        run(world, 1);
        least = fmin(least, motion_of(world, bob).x);
        greatest = fmax(greatest, motion_of(world, bob).x);
    }
    assert_near((greatest - least) / (2 * l * sin(angle)), 1, 0.01);
    cn_world_destroy(world);
}

static void a_slow_pendulum_swings_on(void **state) {
    (void)state;
    for (int i = 0; i < UNIT_WORLDS; i++) {
        check_pendulum(1, 0.01, i);    // never faster than 0.032 m/s
        check_pendulum(100, 0.005, i); // slow for 2 s at each end
    }
}

// At the highest point in gravity of 0.02 m/s^2.
static void a_slow_body_in_free_flight_falls(void **state) {
    (void)state;
    cn_world *world = make_rest_world(0.02, 0);
    cn_body body = add_hull(world, point(0, 0), cn_box(0.3f, 0.3f));
    cn_body_set_velocity(world, body, point(0, 0.02));
    run(world, 240);
    assert_near(motion_of(world, body).y, 0.02 * 4 - 0.01 * 16, 1e-4);
    cn_world_destroy(world);
}

// Without gravity, with a damping of 1/s: slow after log(1 / 0.05) s.
static void damping_does_not_keep_a_body_awake(void **state) {
    (void)state;
    cn_world *world = make_rest_world(0, 0);
    cn_body puck = add_hull(world, point(0, 0), cn_circle(0.3f));
    cn_body_set_damping(world, puck, 1, 1);
    cn_body_set_velocity(world, puck, point(1, 0));
    assert_near(seconds_of(steps_until_asleep(world, puck, 600)), log(20) + 0.5, 0.05);
    cn_world_destroy(world);
}

// A cart on a slider that is tilted by 0.005 rad, without and with a box on it.
static void a_cart_rolls_on_whatever_it_carries(void **state) {
    (void)state;
    for (int i = 0; i < 2 * UNIT_WORLDS; i++) {
        const float unit = (float)settings[i / 2].unit;
        cn_world *world = make_rest_world(10, i / 2);
        cn_world_set_gravity(world, cn_vec(0.05f * unit, -10 * unit));
        cn_body cart = add_hull(world, point(0, 0), cn_box(unit, 0.1f * unit));
        cn_joint_def def =
            cn_prismatic_joint(world, add_frame(world), cart, point(0, 0), point(1, 0));
        assert_done(cn_joint_create(world, def).id != 0);
        if (i % 2) add_hull(world, cn_vec(0, 0.4f * unit), cn_box(0.3f * unit, 0.3f * unit));
        run(world, 300);
        assert_near(motion_of(world, cart).x / (double)unit, 0.05 * 25 / 2, 0.01);
        cn_world_destroy(world);
    }
}

// A plank lies on two rollers, on a slope of 0.005 rad.
static void a_plank_rolls_away_on_rollers(void **state) {
    (void)state;
    cn_world *world = make_rest_world(10, 0);
    cn_world_set_gravity(world, point(0.05, -10));
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -1)},
        (cn_shape_def){.hull = cn_box(50, 1)});
    add_hull(world, point(-0.5, 0.3), cn_circle(0.3f));
    add_hull(world, point(0.5, 0.3), cn_circle(0.3f));
    cn_body plank = add_hull(world, point(0, 0.7), cn_box(2, 0.1f));
    run(world, 240);
    assert_near(motion_of(world, plank).x, 0.428, 0.01);
    cn_world_destroy(world);
}

// The weight of the box is the force of the damper at 0.02 units/s.
static void a_weight_sinks_on_a_damper(void **state) {
    (void)state;
    for (int i = 0; i < UNIT_WORLDS; i++) {
        const double unit = settings[i].unit;
        cn_world *world = make_rest_world(10, i);
        cn_body box = add_hull(world, point(0, 0), cn_box((float)(unit / 3), (float)(unit / 3)));
        cn_joint_def def =
            cn_prismatic_joint(world, add_frame(world), box, point(0, 0), point(0, 1));
        def.x.damping = (float)(mass_of(world, box) * 10 / 0.02);
        assert_done(cn_joint_create(world, def).id != 0);
        run(world, 1200);
        assert_near(motion_of(world, box).y / unit, -0.4, 0.004);
        cn_world_destroy(world);
    }
}

// Ten planks on hinges between two static bodies. The solver never stops them wholly.
static void a_bridge_of_planks_falls_asleep(void **state) {
    (void)state;
    for (int i = 0; i < 2 * UNIT_WORLDS; i++) {
        const float unit = (float)settings[i / 2].unit, far = i % 2 ? 6 : 5.7f;
        cn_world *world = make_rest_world(10, i / 2);
        cn_body left = add_frame(world), right = add_frame(world), plank = left;
        cn_body_set_position(world, right, cn_vec(far * unit, 0));
        for (int k = 0; k <= 10; k++) {
            cn_body next = right;
            if (k < 10)
                next = add_hull(world, cn_vec((0.3f + 0.6f * (float)k) * unit, 0),
                                cn_box(0.3f * unit, 0.06f * unit));
            if (k < 10) cn_body_set_damping(world, next, 1, 1);
            vec2s at = cn_vec(0.6f * (float)k * unit, 0);
            assert_done(cn_joint_create(world, cn_revolute_joint(world, plank, next, at)).id != 0);
            if (k < 10) plank = next;
        }
        assert_true(steps_until_asleep(world, plank, 300) < 300);
        cn_world_destroy(world);
    }
}

// ---- conveyors and lifts

// A box moves with a conveyor, and a ball on it rolls at a third of its speed.
static void a_slow_conveyor_carries_a_box_and_a_ball(void **state) {
    (void)state;
    for (int i = 0; i < UNIT_WORLDS; i++) {
        const float unit = (float)settings[i].unit;
        cn_world *world = make_rest_world(GRAVITY, i);
        add(world, (cn_body_def){.type = CN_STATIC, .position = cn_vec(0, -unit)},
            (cn_shape_def){.hull = cn_box(50 * unit, unit),
                           .material = {.friction = 0.6f, .surface_speed = 0.02f * unit}});
        cn_body box = add_hull(world, cn_vec(0, 0.3f * unit), cn_box(0.3f * unit, 0.3f * unit));
        cn_body ball = add_hull(world, cn_vec(3 * unit, 0.3f * unit), cn_circle(0.3f * unit));
        run(world, 600);
        assert_near(motion_of(world, box).x / (double)unit, 0.2, 1e-3);
        assert_near(motion_of(world, ball).x / (double)unit - 3, 0.2 / 3, 1e-3);
        cn_world_destroy(world);
    }
}

static void a_slow_kinematic_lift_carries_a_box(void **state) {
    (void)state;
    cn_world *world = make_rest_world(GRAVITY, 0);
    cn_body lift = add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(0, -0.1)},
                       (cn_shape_def){.hull = cn_box(1, 0.1f)});
    cn_body box = add_hull(world, point(0, 0.3), cn_box(0.3f, 0.3f));
    cn_body_set_velocity(world, lift, point(0, 0.01));
    run(world, 600);
    assert_near(motion_of(world, box).y, 0.3 + 0.01 * 10, 1e-3);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_motor_arrives_and_then_sleeps),
        cmocka_unit_test(a_motor_that_something_stops_sleeps),
        cmocka_unit_test(a_slow_spring_arrives),
        cmocka_unit_test(a_strongly_damped_spring_arrives),
        cmocka_unit_test(a_body_turns_back_on_a_slight_slope),
        cmocka_unit_test(a_slow_pendulum_swings_on),
        cmocka_unit_test(a_slow_body_in_free_flight_falls),
        cmocka_unit_test(damping_does_not_keep_a_body_awake),
        cmocka_unit_test(a_cart_rolls_on_whatever_it_carries),
        cmocka_unit_test(a_plank_rolls_away_on_rollers),
        cmocka_unit_test(a_weight_sinks_on_a_damper),
        cmocka_unit_test(a_bridge_of_planks_falls_asleep),
        cmocka_unit_test(a_slow_conveyor_carries_a_box_and_a_ball),
        cmocka_unit_test(a_slow_kinematic_lift_carries_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
