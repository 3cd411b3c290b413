/* Thresholds of bounces: the speed that forces or the load of the contact make in 0.1 s, or the
 * speed that a material sets. */
#include "../../../support/contacts.h"

static const int substep_counts[] = {4, 8, 12};

enum { SUBSTEP_COUNTS = sizeof substep_counts / sizeof *substep_counts };

static cn_world *make_world_with(double gravity, int substeps, double unit) {
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, (float)-gravity}},
                                                      .substeps = substeps,
                                                      .length_unit = (float)unit,
                                                      .no_sleep = true});
    assert_done(world != NULL);
    return world;
}

// Four walls around a room that is 2 w wide and 2 h high.
static void add_room(cn_world *world, double w, double h, cn_material material) {
    for (int side = -1; side <= 1; side += 2) {
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(side * (w + 1), 0)},
            (cn_shape_def){.hull = cn_box(1, (float)h + 2), .material = material});
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, side * (h + 1))},
            (cn_shape_def){.hull = cn_box((float)w + 2, 1), .material = material});
    }
}

static double speed_of(const cn_world *world, cn_body body) {
    motion m = motion_of(world, body);
    return hypot(m.vx, m.vy);
}

// ---- without forces

// Returns the speed after 60 s in a room, as a fraction of that at the start.
static double speed_kept(int substeps, double unit, double vx, double vy) {
    cn_world *world = make_world_with(0, substeps, unit);
    add_room(world, 2 * unit, 1.5 * unit, frictionless);
    cn_body body = add_hull(world, 0, 0, cn_circle(0.1f * (float)unit), elastic(1), 1);
    assert_done(cn_body_set_velocity(world, body, point(vx * unit, vy * unit)));
    run(world, 3600);
    double kept = speed_of(world, body) / (hypot(vx, vy) * unit);
    cn_world_destroy(world);
    return kept;
}

static void a_ball_in_a_room_without_gravity_keeps_its_speed(void **state) {
    (void)state;
    static const double speeds[][2] = {{0.9, 0.4}, {0.05, 0}, {0.3, -0.2}, {0.002, 0.06}};
    for (int i = 0; i < SUBSTEP_COUNTS; i++)
        for (int k = 0; k < 4; k++)
            for (double unit = 0.1; unit < 200; unit *= 30)
                assert_near(speed_kept(substep_counts[i], unit, speeds[k][0], speeds[k][1]), 1,
                            1e-4);
}

static void a_slow_box_in_a_room_keeps_its_energy(void **state) {
    (void)state;
    for (int i = 0; i < SUBSTEP_COUNTS; i++) {
        cn_world *world = make_world_with(0, substep_counts[i], 1);
        add_room(world, 1, 0.6, (cn_material){.friction = 1});
        cn_body box = add_hull(world, 0, 0, cn_box(0.2f, 0.1f), elastic(1), 1);
        assert_done(cn_body_set_pose(world, box, cn_pose_at(point(0, 0), 0.4f)));
        assert_done(cn_body_set_velocity(world, box, point(0.2, 0.1)));
        double start = cn_world_energy(world).kinetic;
        run(world, 3600);
        assert_true(fabs(motion_of(world, box).w) > 1e-3); // it also turns by now
        assert_near(cn_world_energy(world).kinetic / start, 1, 1e-3);
        cn_world_destroy(world);
    }
}

// A rack of 15 balls is broken by a ball of 0.05 to 0.4 m/s.
static void slow_balls_of_a_pool_table_lose_no_energy(void **state) {
    (void)state;
    for (int i = 0; i < 2 * SUBSTEP_COUNTS; i++) {
        cn_world *world = make_world_with(0, substep_counts[i / 2], 1);
        add_room(world, 2, 1, frictionless);
        for (int row = 0; row < 5; row++)
            for (int k = 0; k <= row; k++)
                add_hull(world, 0.3 + 0.087 * row, 0.1002 * (k - 0.5 * row), cn_circle(0.05f),
                         elastic(1), 1);
        cn_body cue = add_hull(world, -0.2, 0.01, cn_circle(0.05f), elastic(1), 1);
        assert_done(cn_body_set_velocity(world, cue, point(i % 2 ? 0.05 : 0.4, 0)));
        double start = cn_world_energy(world).kinetic;
        run(world, 1800);
        assert_true(speed_of(world, cue) < (i % 2 ? 0.05 : 0.4)); // it has hit
        assert_near(cn_world_energy(world).kinetic / start, 1, 1e-4);
        cn_world_destroy(world);
    }
}

// ---- forces and materials

typedef struct {
    double gravity, scale, force; // m/s^2, factor, m/s^2 downwards
} press;

// Returns how fast a ball leaves the floor that arrives with the speed v. Its restitution is 0.8.
static double speed_after_bounce(int substeps, double unit, press p, double v,
                                 cn_material material) {
    double a = p.gravity * p.scale + p.force, height = v * v / (2 * a), best = 0;
    cn_world *world = make_world_with(p.gravity * unit, substeps, unit);
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -unit)},
        (cn_shape_def){.hull = cn_box(9 * (float)unit, (float)unit)});
    cn_body ball = add(
        world,
        (cn_body_def){.position = point(0, (0.2 + height) * unit), .gravity_scale = (float)p.scale},
        (cn_shape_def){.hull = cn_circle(0.2f * (float)unit), .material = material});
    double force = p.force * unit * mass_of(world, ball);
    for (int i = 0; i < (int)(90 * v / a); i++) { // until it falls again, if it bounces
        assert_done(cn_body_apply_force(world, ball, point(0, -force)));
        run(world, 1);
        motion m = motion_of(world, ball);
        if (m.vy > 0) best = fmax(best, sqrt(m.vy * m.vy + 2 * a * unit * (m.y - 0.2 * unit)));
    }
    cn_world_destroy(world);
    return best / unit;
}

// A ball bounces if it arrives with more than a tenth of a second times the acceleration.
static void the_threshold_is_what_the_acceleration_makes_in_a_tenth_of_a_second(void **state) {
    (void)state;
    static const press presses[] = {{10, 1, 0}, {1.6, 1, 0}, {0.2, 1, 0}, {10, 0.1, 0},
                                    {0, 1, 3},  {5, 1, 5},   {30, 1, 0}};
    const cn_material material = elastic(0.8);
    for (int i = 0; i < SUBSTEP_COUNTS; i++)
        for (int k = 0; k < 7; k++) {
            const double a = presses[k].gravity * presses[k].scale + presses[k].force;
            const int n = substep_counts[i];
            double fast = 0.13 * a, slow = 0.08 * a;
            assert_near(speed_after_bounce(n, 1, presses[k], fast, material), 0.8 * fast,
                        0.01 * fast);
            assert_near(speed_after_bounce(n, 1, presses[k], slow, material), 0, 0.1 * slow);
            assert_near(speed_after_bounce(n, 50, presses[k], fast, material), 0.8 * fast,
                        0.01 * fast);
            assert_near(speed_after_bounce(n, 50, presses[k], slow, material), 0, 0.1 * slow);
        }
}

static void a_material_may_set_the_threshold(void **state) {
    (void)state;
    const press weight = {10, 1, 0};
    cn_material lively = elastic(0.8), dull = elastic(0.8);
    lively.min_bounce_speed = 0.3f, dull.min_bounce_speed = 3;
    for (int i = 0; i < SUBSTEP_COUNTS; i++) {
        const int n = substep_counts[i];
        assert_near(speed_after_bounce(n, 1, weight, 0.4, lively), 0.32, 0.01);
        assert_near(speed_after_bounce(n, 1, weight, 0.25, lively), 0, 0.03);
        assert_near(speed_after_bounce(n, 1, weight, 3.2, dull), 2.56, 0.03);
        // It lands as without restitution: see the next function.
        double landed = speed_after_bounce(n, 1, weight, 2.8, elastic(0));
        assert_near(speed_after_bounce(n, 1, weight, 2.8, dull), landed, 1e-6);
        assert_near(landed, 0, 10.0 / 60 / n + 1e-3); // the gravity of a substep
    }
}

// A heavy box falls on a light one, slower than the threshold. It lands: without an impact, it
// would sink in. Returns the deepest overlap.
static double sinks_by(int substeps, float mass, cn_material material) {
    cn_world *world = make_world_with(10, substeps, 1);
    add_floor(world, material);
    cn_body lower = add_hull(world, 0, 0.5, cn_box(0.5f, 0.5f), material, 1);
    cn_body upper = add_hull(world, 0, 3, cn_box(0.5f, 0.5f), material, mass);
    double deepest = 0;
    for (int step = 0; step < 120; step++) {
        run(world, 1);
        double low = motion_of(world, lower).y, high = motion_of(world, upper).y;
        deepest = fmax(deepest, fmax(low + 1 - high, 0.5 - low));
    }
    cn_world_destroy(world);
    return deepest;
}

static void bodies_below_a_high_threshold_land(void **state) {
    (void)state;
    cn_material dull = elastic(0.9);
    dull.min_bounce_speed = 20;
    for (int i = 0; i < SUBSTEP_COUNTS; i++)
        for (float mass = 1; mass < 30; mass += 7) {
            double landed = sinks_by(substep_counts[i], mass, elastic(0));
            assert_true(sinks_by(substep_counts[i], mass, dull) <= landed);
        }
}

// Two balls without gravity. One of them sets a threshold, or both.
static double bounce_of_two(double first, double second, double speed) {
    cn_world *world = make_world(0);
    cn_material materials[2] = {elastic(1), elastic(1)};
    materials[0].min_bounce_speed = (float)first, materials[1].min_bounce_speed = (float)second;
    cn_body a = add_hull(world, 0, 0, cn_circle(0.5f), materials[0], 1);
    cn_body b = add_hull(world, 1.1, 0, cn_circle(0.5f), materials[1], 1);
    assert_done(cn_body_set_velocity(world, a, point(speed, 0)));
    run(world, 60);
    double apart = motion_of(world, b).vx - motion_of(world, a).vx;
    cn_world_destroy(world);
    return apart;
}

static void of_two_thresholds_the_smaller_one_that_is_set_counts(void **state) {
    (void)state;
    for (int swap = 0; swap < 2; swap++) {
        double small = swap ? 2 : 0.5, large = swap ? 0.5 : 2;
        assert_near(bounce_of_two(small, large, 1), 1, 1e-4);
        assert_near(bounce_of_two(swap ? 2 : 0, swap ? 0 : 2, 1), 0, 1e-2);
        assert_near(bounce_of_two(swap ? 2 : 0, swap ? 0 : 2, 2.5), 2.5, 1e-3);
    }
    assert_near(bounce_of_two(0, 0, 0.25), 0.25, 1e-4);
}

// ---- bodies at rest

// A force presses a body into the corner of a room.
static void a_body_that_a_force_presses_on_a_wall_comes_to_rest(void **state) {
    (void)state;
    const cn_hull hulls[] = {cn_circle(0.3f), cn_box(0.3f, 0.3f), cn_regular_polygon(5, 0.3f)};
    for (int i = 0; i < 9 * SUBSTEP_COUNTS; i++) {
        cn_world *world = make_world_with(0, substep_counts[i / 9], 1);
        add_room(world, 2, 1.5, (cn_material){0});
        cn_body body = add_hull(world, 0, 0, hulls[i % 3], elastic(0.5 + 0.15 * (i / 3 % 3)), 1);
        double force = (i % 2 ? 10 : 1) * mass_of(world, body);
        for (int step = 0; step < 2400; step++) {
            assert_done(cn_body_apply_force(world, body, point(force, 0.2 * force)));
            run(world, 1);
        }
        for (int step = 0; step < 60; step++) {
            assert_done(cn_body_apply_force(world, body, point(force, 0.2 * force)));
            run(world, 1);
            assert_near(speed_of(world, body), 0, 0.003);
        }
        cn_world_destroy(world);
    }
}

// A body that has a force pushes 18 elastic crates and balls against a wall. They have no
// acceleration of their own, but they bear a load.
static void bodies_that_others_press_together_come_to_rest(void **state) {
    (void)state;
    for (int i = 0; i < 3 * SUBSTEP_COUNTS; i++) {
        cn_world *world = make_world_with(0, substep_counts[i / 3], 1);
        add_room(world, 4, 3, (cn_material){0});
        cn_body bodies[18];
        for (int k = 0; k < 18; k++) {
            bodies[k] = add_hull(world, 1 + 0.85 * (k % 3), -2.3 + 0.85 * (k / 3),
                                 k % 3 ? cn_box(0.4f, 0.4f) : cn_circle(0.4f),
                                 (cn_material){.restitution = 0.2f + 0.3f * (float)(i % 3)}, 1);
            assert_done(cn_body_set_damping(world, bodies[k], 3, 3));
        }
        cn_body pusher = add_hull(world, -2, 0.1, cn_circle(0.5f), elastic(0.5), 1);
        assert_done(cn_body_set_damping(world, pusher, 5, 5));
        for (int step = 0; step < 3000; step++) {
            assert_done(cn_body_apply_force(world, pusher, point(60 * mass_of(world, pusher), 0)));
            run(world, 1);
            for (int k = 0; step > 2700 && k < 18; k++)
                assert_near(speed_of(world, bodies[k]), 0, 0.05); // slow enough for sleep
        }
        cn_world_destroy(world);
    }
}

// A stack that falls by 0.1 m at each gap.
static void elastic_stacks_come_to_rest_and_sleep(void **state) {
    (void)state;
    for (int i = 0; i < 6 * SUBSTEP_COUNTS; i++) {
        double g = i % 2 ? GRAVITY : 1.6, unit = i / 2 % 3 == 2 ? 100 : 1;
        cn_world *world = make_world_with(g * unit, substep_counts[i / 6], unit);
        assert_done(cn_world_set_no_sleep(world, false));
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -unit)},
            (cn_shape_def){.hull = cn_box(9 * (float)unit, (float)unit)});
        cn_body boxes[8];
        cn_material material = {.restitution = i / 2 % 3 ? 0.75f : 0.5f};
        for (int k = 0; k < 8; k++)
            boxes[k] = add_hull(world, 0, (0.6 + 1.1 * k) * unit,
                                cn_box(0.5f * (float)unit, 0.5f * (float)unit), material, 1);
        run(world, 900);
        for (int k = 0; k < 8; k++) {
            assert_true(cn_body_asleep(world, boxes[k]));
            assert_near(motion_of(world, boxes[k]).y / unit, 0.5 + k, 0.02);
        }
        cn_world_destroy(world);
    }
}

// A kinematic piston presses a ball, and stops when the ball has no room any more.
static void a_piston_does_not_throw_an_elastic_ball_that_it_presses(void **state) {
    (void)state;
    for (int i = 0; i < 2 * SUBSTEP_COUNTS; i++) {
        cn_world *world = make_world_with(0, substep_counts[i / 2], 1);
        add_room(world, 2, 1.5, frictionless);
        cn_body ball = add_hull(world, 1.5, 0.01, cn_circle(0.2f), elastic(1), 1);
        cn_body piston = add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(0.5, 0)},
                             (cn_shape_def){.hull = cn_box(0.2f, 1.2f)});
        double v = i % 2 ? 1 : 0.1;
        assert_done(cn_body_set_velocity(world, piston, point(v, 0)));
        run(world, (int)(0.92 / v * 60)); // 1 or 2 cm too far for the ball
        assert_done(cn_body_set_velocity(world, piston, point(0, 0)));
        run(world, 120);
        assert_near(motion_of(world, ball).x, 1.8, 0.03);
        assert_near(speed_of(world, ball), 0, 0.05);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_in_a_room_without_gravity_keeps_its_speed),
        cmocka_unit_test(a_slow_box_in_a_room_keeps_its_energy),
        cmocka_unit_test(slow_balls_of_a_pool_table_lose_no_energy),
        cmocka_unit_test(the_threshold_is_what_the_acceleration_makes_in_a_tenth_of_a_second),
        cmocka_unit_test(a_material_may_set_the_threshold),
        cmocka_unit_test(bodies_below_a_high_threshold_land),
        cmocka_unit_test(of_two_thresholds_the_smaller_one_that_is_set_counts),
        cmocka_unit_test(a_body_that_a_force_presses_on_a_wall_comes_to_rest),
        cmocka_unit_test(bodies_that_others_press_together_come_to_rest),
        cmocka_unit_test(elastic_stacks_come_to_rest_and_sleep),
        cmocka_unit_test(a_piston_does_not_throw_an_elastic_ball_that_it_presses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
