/* Restitution: heights after a bounce, the threshold speed, and bounces that add no energy. */
#include "../../../support/contacts.h"

// ---- heights

// The height of the next apex, computed when the body is on its way up.
static double next_apex(cn_world *world, cn_body body) {
    double before = motion_of(world, body).vy;
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        motion m = motion_of(world, body);
        if (before < 0 && m.vy > 0) return m.y + m.vy * m.vy / (2 * GRAVITY);
        before = m.vy;
    }
    print_error("the body did not bounce\n");
    fail();
    return 0;
}

static void check_bounce(cn_hull hull, double e, double tolerance) {
    cn_world *world = make_world(GRAVITY);
    add_floor(world, elastic(e));
    cn_body body = add_hull(world, 0, 5.5, hull, elastic(0), 1); // the larger restitution counts
    double height = 5;
    for (int i = 0; i < 3 && height * e * e > 0.2; i++) {
        height *= e * e;
        double apex = next_apex(world, body) - 0.5;
        assert_near(apex, height, tolerance * (i + 1) * height);
    }
    cn_world_destroy(world);
}

static void a_ball_bounces_to_e_squared_of_its_height(void **state) {
    (void)state;
    for (double e = 0.3; e < 1.01; e += 0.1) check_bounce(cn_circle(0.5f), e, 0.005);
}

static void a_flat_box_bounces_to_e_squared_of_its_height(void **state) {
    (void)state;
    for (double e = 0.3; e < 1.01; e += 0.1) check_bounce(cn_box(0.5f, 0.5f), e, 0.01);
}

static void a_body_without_restitution_does_not_bounce(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body body = add_hull(world, 0, 3, cn_box(0.5f, 0.5f), (cn_material){0}, 1);
    run(world, 120);
    assert_near(motion_of(world, body).y, 0.5, 0.006);
    assert_near(motion_of(world, body).vy, 0, 0.01);
    cn_world_destroy(world);
}

// ---- the threshold

static void a_slow_impact_does_not_bounce(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, elastic(0.9));
    cn_body body = add_hull(world, 0, 0.5 + 0.04, cn_circle(0.5f), elastic(0.9), 1); // 0.9 m/s
    run(world, 12);
    for (int i = 0; i < 30; i++) {
        run(world, 1);
        assert_true(motion_of(world, body).y < 0.5 + 0.01);
    }
    cn_world_destroy(world);
}

// A row of balls with gaps. Each passes on 1 m/s, the threshold speed under this gravity.
static void an_impact_at_the_threshold_bounces(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, frictionless);
    cn_body balls[6];
    for (int i = 0; i < 6; i++)
        balls[i] = add_hull(world, 1.02 * i, 0.5, cn_circle(0.5f), elastic(1), 1);
    assert_done(cn_body_set_velocity(world, balls[0], point(1, 0)));
    run(world, 60);
    for (int i = 0; i < 6; i++) assert_near(motion_of(world, balls[i]).vx, i == 5, 1e-3);
    cn_world_destroy(world);
}

// A pair with restitution has a larger speculative margin. A pair that will pass has no contact.
static void a_ball_that_passes_a_corner_is_not_deflected(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++) {
        cn_world *world = make_world(0);
        add(world, (cn_body_def){.type = CN_STATIC}, box_of(1));
        double speed = 5 << (i % 5), gap = 0.03 + 0.05 * i, k = sqrt(0.5), at = 1 + (0.1 + gap) * k;
        cn_shape_def ball = {.hull = cn_circle(0.1f), .material = {.restitution = 0.5f}};
        cn_body body = add(world,
                           (cn_body_def){.position = point(at - 2, at + 2),
                                         .velocity = point(speed * k, -speed * k)},
                           ball);
        run(world, 60);
        assert_near((double)cn_body_velocity(world, body).x, speed * k, 1e-3);
        cn_world_destroy(world);
    }
}

// ---- energy

// The displacement that a bounce gives back once included its turn at the lever arm too. This tore
// the joint, which then pulled the bodies together at extreme speeds.
static void a_bounce_at_a_long_lever_arm_adds_no_energy(void **state) {
    (void)state;
    const float levers[] = {2, 3, 5, 10}, bounces[] = {0, 0.5f, 0.8f};
    for (int i = 0; i < 24; i++) {
        cn_world *world = make_world(10);
        cn_shape_def wall = {.hull = cn_box(40, 5)}, shape = {.hull = cn_box(0.2f, 0.1f)};
        wall.material.restitution = bounces[i / 4 % 3];
        for (int k = 0; k < 4; k++) {
            cn_body_def side = {.type = CN_STATIC, .angle = (float)(k * PI / 2)};
            side.position = point(k % 2 ? 25 * (2 - k) : 0, k % 2 ? 0 : 25 * (k - 1));
            add(world, side, wall);
        }
        double half = 0.5 * (double)levers[i % 4];
        cn_body_def left = {.position = point(-half, 0), .velocity = point(-10, 30)};
        cn_body_def right = {.position = point(half, 0), .velocity = point(20, -40)};
        left.angular_velocity = -20, right.angular_velocity = 20;
        cn_body a = add(world, left, shape), b = add(world, right, shape);
        cn_joint_def def = i < 12 ? cn_weld_joint(world, a, b, left.position)
                                  : cn_revolute_joint(world, a, b, left.position);
        assert_done(cn_joint_create(world, def).id != 0);
        run(world, 1);
        double most = 2 * (double)cn_world_energy(world).kinetic;
        for (int k = 0; k < 600; k++) {
            run(world, 1);
            double now = (double)cn_world_energy(world).kinetic;
            if (!(now < most)) fail_msg("case %d: %g J", i, now);
        }
        cn_world_destroy(world);
    }
}

static double energy_of(const cn_world *world) {
    cn_energy e = cn_world_energy(world);
    return (double)e.kinetic + (double)e.potential;
}

// A heavy box with restitution falls on a light box without. Returns the greatest energy
// afterwards, as a fraction of the energy at the start.
static double energy_after_fall(uint64_t seed, double ratio, int substeps) {
    cn_world *world = cn_world_create(
        &(cn_world_def){.gravity = {{0, -10}}, .substeps = substeps, .no_sleep = true});
    add_floor(world, (cn_material){0});
    add(world, (cn_body_def){.position = point(0, 0.2)},
        (cn_shape_def){.hull = cn_box(0.3f, 0.2f)});
    double most = 0, speed = random_between(&seed, 2, 15), x = random_between(&seed, -0.4, 0.4);
    cn_body_def heavy = {.position = point(x, 1.2), .velocity = point(0, -speed)};
    heavy.angle = (float)random_between(&seed, 0, 2 * PI);
    cn_shape_def box = {.hull = cn_box(0.4f, 0.4f), .material.restitution = 0.7f};
    box.density = (float)(ratio * 0.24 / 0.64);
    add(world, heavy, box);
    double start = energy_of(world);
    for (int i = 0; i < 90; i++) {
        run(world, 1);
        most = fmax(most, energy_of(world));
    }
    cn_world_destroy(world);
    return most / start;
}

// Each bounce of the light body increased the push of the ground, from which the body then bounced
// faster and faster: of a hundred falls at 50:1 eighteen threw it, with up to 180 times the energy.
static void a_bounce_on_a_light_body_adds_no_energy(void **state) {
    (void)state;
    for (int i = 0; i < 400; i++) {
        double ratio = i & 1 ? 50 : 10,
               energy = energy_after_fall((uint64_t)i, ratio, i & 2 ? 12 : 4);
        if (energy > 1.02) fail_msg("fall %d, %g:1: energy times %.3g", i, ratio, energy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces_to_e_squared_of_its_height),
        cmocka_unit_test(a_flat_box_bounces_to_e_squared_of_its_height),
        cmocka_unit_test(a_body_without_restitution_does_not_bounce),
        cmocka_unit_test(a_slow_impact_does_not_bounce),
        cmocka_unit_test(an_impact_at_the_threshold_bounces),
        cmocka_unit_test(a_ball_that_passes_a_corner_is_not_deflected),
        cmocka_unit_test(a_bounce_at_a_long_lever_arm_adds_no_energy),
        cmocka_unit_test(a_bounce_on_a_light_body_adds_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
