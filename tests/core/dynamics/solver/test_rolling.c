/* Rolling discs and rolling resistance, against closed formulas. */
#include "../../../support/contacts.h"
#include "../../../support/games.h"

// ---- without resistance

static void a_disc_rolls_downhill_at_two_thirds_of_g_sin(void **state) {
    (void)state;
    for (double degrees = 5; degrees <= 35; degrees += 10) {
        slope s = make_slope(degrees * PI / 180, cn_circle(0.5f), 0.5, 0.9);
        double expected = 2 * GRAVITY * sin(s.angle) / 3;
        assert_near(measure_acceleration(&s), expected, 0.01 * expected);
        double rim = -0.5 * motion_of(s.world, s.body).w;
        assert_near(rim, speed_downhill(&s), 0.01 * speed_downhill(&s));
        cn_world_destroy(s.world);
    }
}

static void a_rolling_disc_keeps_its_speed(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body body = add_hull(world, -50, 0.5, cn_circle(0.5f), (cn_material){0}, 1);
    assert_done(cn_body_set_velocity(world, body, point(4, 0)));
    assert_done(cn_body_set_angular_velocity(world, body, -8));
    run(world, 900);
    assert_near(motion_of(world, body).vx, 4, 4e-3);
    assert_near(motion_of(world, body).w, -8, 8e-3);
    cn_world_destroy(world);
}

// A disc loses a third of its speed between sliding and rolling, whatever the friction.
static void a_sliding_disc_ends_rolling_at_two_thirds(void **state) {
    (void)state;
    for (double friction = 0.1; friction < 0.7; friction += 0.2) {
        cn_world *world = make_world(GRAVITY);
        add_floor(world, (cn_material){.friction = (float)friction});
        cn_body body =
            add_hull(world, 0, 0.5, cn_circle(0.5f), (cn_material){.friction = (float)friction}, 1);
        run(world, 30);
        assert_done(cn_body_set_velocity(world, body, point(3, 0)));
        run(world, 120);
        assert_near(motion_of(world, body).vx, 2, 0.02);
        assert_near(motion_of(world, body).w, -4, 0.04);
        cn_world_destroy(world);
    }
}

// ---- rolling resistance

static cn_body roll(cn_world *world, cn_hull hull, float resistance, double speed) {
    return add(world,
               (cn_body_def){.position = point(0, 0.5),
                             .velocity = point(speed, 0),
                             .angular_velocity = (float)(-2 * speed)},
               (cn_shape_def){.hull = hull, .material = {.rolling_resistance = resistance}});
}

// m a = f and I a / r = c m g r - f r give a = c g / (1 + I / (m r^2)).
static void rolling_resistance_brakes_a_circle(void **state) {
    (void)state;
    const float resistances[] = {0, 0.02f, 0.1f};
    for (int i = 0; i < COUNT(resistances); i++)
        for (int on_floor = 0; on_floor < 2; on_floor++) { // the larger one counts
            cn_world *world = make_world(GRAVITY);
            add_floor(world, (cn_material){.rolling_resistance = on_floor ? resistances[i] : 0});
            cn_body body = roll(world, ball, on_floor ? 0 : resistances[i], 5);
            run(world, 120);
            double speed = 5 - 2 * (double)resistances[i] * GRAVITY / 1.5;
            assert_near(motion_of(world, body).vx, speed, 0.01);
            assert_near(motion_of(world, body).w, -2 * speed, 0.02);
            cn_world_destroy(world);
        }
}

static void a_rolling_ball_comes_to_rest_and_sleeps(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_no_sleep(world, false));
    add_floor(world, (cn_material){0});
    cn_body body = roll(world, ball, 0.15f, 1); // a = 1 m/s^2: it stops after 1 s and 0.5 m
    run(world, 120);
    assert_false(!cn_body_asleep(world, body));
    assert_near(motion_of(world, body).x, 0.5, 0.02);
    cn_world_destroy(world);
}

// The radius of the planet does not count.
static void rolling_resistance_uses_the_radius_of_the_rolling_body(void **state) {
    (void)state;
    for (int on_floor = 0; on_floor < 2; on_floor++) {
        cn_world *world = make_world(GRAVITY);
        cn_material soft = {.rolling_resistance = 0.02f}, hard = {0};
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -1000)},
            (cn_shape_def){.hull = cn_circle(1000), .material = on_floor ? soft : hard});
        cn_body body = roll(world, ball, on_floor ? 0 : 0.02f, 1);
        run(world, 30);
        assert_near(motion_of(world, body).vx, 1 - 0.5 * 0.02 * GRAVITY / 1.5, 0.005);
        cn_world_destroy(world);
    }
}

// The capsule is almost a circle.
static void rolling_resistance_brakes_capsules(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body body = roll(world, cn_capsule(point(-1e-3, 0), point(1e-3, 0), 0.5f), 0.1f, 5);
    run(world, 120);
    assert_near(motion_of(world, body).vx, 5 - 2 * 0.1 * GRAVITY / 1.5, 0.05);
    cn_world_destroy(world);
}

// The wheel once moved downhill at 3 to 13 mm/s.
static void rolling_resistance_lets_no_wheel_creep(void **state) {
    (void)state;
    const double slopes[] = {0.1, 0.2, 0.28};
    for (int i = 0; i < 3; i++) {
        double c = 1 / hypot(1, slopes[i]);
        cn_world *world = make_world(GRAVITY);
        cn_world_set_gravity(world, point(GRAVITY * slopes[i] * c, -GRAVITY * c));
        add_floor(world, (cn_material){0});
        cn_body wheel =
            add(world, (cn_body_def){.position = point(0, 0.3)},
                (cn_shape_def){.hull = cn_circle(0.3f), .material = {.rolling_resistance = 0.3f}});
        run(world, 60);
        double x = motion_of(world, wheel).x;
        run(world, 600);
        assert_near(motion_of(world, wheel).x, x, 1e-4);
        cn_world_destroy(world);
    }
}

// The circle rests while tan a < c. Otherwise its acceleration is g (sin a - c cos a) / 1.5.
static void rolling_resistance_holds_a_circle_on_a_slope(void **state) {
    (void)state;
    for (double tilt = 0.02; tilt < 0.3; tilt += 0.04) {
        cn_world *world = make_world(GRAVITY);
        add(world, (cn_body_def){.type = CN_STATIC, .angle = (float)-tilt},
            (cn_shape_def){.hull = cn_box(100, 1)});
        cn_pose pose = cn_pose_at(point(0, 0), (float)-tilt);
        cn_body body = add(world, (cn_body_def){.position = cn_pose_point(pose, point(0, 1.5))},
                           (cn_shape_def){.hull = ball, .material = {.rolling_resistance = 0.12f}});
        run(world, 120);
        double a = GRAVITY * (sin(tilt) - 0.12 * cos(tilt)) / 1.5;
        vec2s v = cn_pose_local_point(pose, cn_body_velocity(world, body));
        assert_near((double)v.x, 2 * fmax(a, 0), 0.01);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_rolls_downhill_at_two_thirds_of_g_sin),
        cmocka_unit_test(a_rolling_disc_keeps_its_speed),
        cmocka_unit_test(a_sliding_disc_ends_rolling_at_two_thirds),
        cmocka_unit_test(rolling_resistance_brakes_a_circle),
        cmocka_unit_test(a_rolling_ball_comes_to_rest_and_sleeps),
        cmocka_unit_test(rolling_resistance_uses_the_radius_of_the_rolling_body),
        cmocka_unit_test(rolling_resistance_brakes_capsules),
        cmocka_unit_test(rolling_resistance_lets_no_wheel_creep),
        cmocka_unit_test(rolling_resistance_holds_a_circle_on_a_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
