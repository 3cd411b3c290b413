/* Two fast bodies that only graze each other, apart before the step and after it. Without
 * restitution and friction they exchange the impulse
 *
 *     J = m u cosine,    1 / m = 1 / ma + 1 / mb
 *
 * along the normal n of their first touch. u is their relative speed, and the cosine is that of the
 * angle between n and their relative motion. */
#include "../../../support/physics.h"

// A body A flies along x, and a body B is higher by `offset`.
typedef struct {
    double radius_b;
    double speed_a, speed_b; // along x
    double ratio;            // of the densities of B and A
    int substeps;
    double unit; // of length: all lengths and speeds are multiples of it
} pass;

enum { PHASES = 20 };
#define RADIUS 0.1  // of A
#define ANGLE  0.05 // tuning.anchor_angle: a contact keeps its normal while it turns by less

static const pass standard = {RADIUS, 200, -200, 1, 4, 1};

static cn_world *make_pass_world(const pass *p) {
    cn_world *world = cn_world_create(
        &(cn_world_def){.no_sleep = true, .substeps = p->substeps, .length_unit = (float)p->unit});
    assert_done(world != NULL);
    return world;
}

// Returns the seconds until the first touch, in the middle of a step. At the start of this step the
// bodies are farther apart than the speculative margin, within which a contact has the normal of
// the start.
static double time_of(double phase) { return (2 + (phase + 0.5) / PHASES) / 60; }

static cn_body add_flying(cn_world *world, const pass *p, bool is_b, double offset, double phase) {
    double sum = RADIUS + p->radius_b, speed = is_b ? p->speed_b : p->speed_a;
    double x = is_b * sqrt(sum * sum - offset * offset) - speed * time_of(phase);
    float r = (float)((is_b ? p->radius_b : RADIUS) * p->unit);
    return add(world,
               (cn_body_def){.position = point(x * p->unit, is_b * offset * p->unit),
                             .velocity = point(speed * p->unit, 0)},
               (cn_shape_def){.hull = cn_circle(r),
                              .density = is_b ? (float)p->ratio : 1,
                              .material = frictionless});
}

// Checks the impulse of two balls, at all phases and at offsets up to 95 % of both radii.
static void check_passes(pass p) {
    for (int i = 0; i < 20 * PHASES; i++) {
        double sum = RADIUS + p.radius_b, sine = (i / PHASES) * 0.05, u = p.speed_a - p.speed_b;
        cn_world *world = make_pass_world(&p);
        cn_body a = add_flying(world, &p, false, sine * sum, i % PHASES);
        cn_body b = add_flying(world, &p, true, sine * sum, i % PHASES);
        run(world, 6);
        double ma = mass_of(world, a), mb = mass_of(world, b);
        motion after_a = motion_of(world, a), after_b = motion_of(world, b);
        double scale = ma * mb / (ma + mb) * u * p.unit, cosine = sqrt(1 - sine * sine);
        double x = ma * (p.speed_a * p.unit - after_a.vx) / scale, y = -ma * after_a.vy / scale;
        assert_near(x, cosine * cosine, ANGLE);
        assert_near(y, cosine * sine, ANGLE);
        assert_near(mb * (after_b.vx - p.speed_b * p.unit) / scale, x, 1e-3);
        assert_near(mb * after_b.vy / scale, y, 1e-3);
        cn_world_destroy(world);
    }
}

static void balls_that_graze_exchange_momentum(void **state) {
    (void)state;
    check_passes(standard);
    const double speeds[] = {75, 120, 500};
    for (int i = 0; i < 3; i++) {
        pass p = standard;
        p.speed_a = speeds[i], p.speed_b = -speeds[i];
        check_passes(p);
    }
}

// In some of these phases, the step of the touch begins when the balls are within the speculative
// margin, or hardly beyond it.
static void balls_that_graze_hit_in_any_phase(void **state) {
    (void)state;
    pass p = standard;
    p.speed_a = 20, p.speed_b = -20;
    for (double offset = 0.1; offset < 0.195; offset += 0.03)
        for (double phase = -0.5; phase < PHASES - 0.5; phase += 0.03) {
            cn_world *world = make_pass_world(&p);
            cn_body a = add_flying(world, &p, false, offset, phase);
            add_flying(world, &p, true, offset, phase);
            run(world, 6);
            assert_true(motion_of(world, a).vx < 20 - 1);
            cn_world_destroy(world);
        }
}

static void grazing_does_not_depend_on_substeps(void **state) {
    (void)state;
    for (int substeps = 8; substeps <= 12; substeps += 4) {
        pass p = standard;
        p.substeps = substeps;
        check_passes(p);
    }
}

static void grazing_does_not_depend_on_the_unit_of_length(void **state) {
    (void)state;
    const double units[] = {0.1, 100};
    for (int i = 0; i < 2; i++) {
        pass p = standard;
        p.unit = units[i];
        check_passes(p);
    }
}

static void balls_of_unequal_mass_graze(void **state) {
    (void)state;
    const double ratios[] = {100, 0.01};
    for (int i = 0; i < 2; i++) {
        pass p = standard;
        p.ratio = ratios[i];
        check_passes(p);
    }
}

// The large ball moves by less than its radius in a step. It once passed over the small one, which
// had stopped at it.
static void a_small_fast_ball_grazes_a_large_slow_one(void **state) {
    (void)state;
    const double speeds[] = {-40, -10, 0};
    for (int i = 0; i < 3; i++) check_passes((pass){1, 200, speeds[i], 1, 4, 1});
}

// Boxes that do not turn hit each other with parallel faces, so they stop.
static void boxes_that_graze_stop_at_their_faces(void **state) {
    (void)state;
    for (int i = 0; i < 18 * PHASES; i++) {
        double x = RADIUS + 200 * time_of(i % PHASES), offset = (i / PHASES) * 0.01;
        cn_world *world = make_pass_world(&standard);
        cn_body bodies[2];
        for (int k = 0; k < 2; k++)
            bodies[k] = add(world,
                            (cn_body_def){.position = point(k ? x : -x, k * offset),
                                          .velocity = point(k ? -200 : 200, 0),
                                          .lock_rotation = true},
                            box_of((float)RADIUS));
        run(world, 6);
        for (int k = 0; k < 2; k++) {
            assert_near(motion_of(world, bodies[k]).vx, 0, 0.2);
            assert_near(motion_of(world, bodies[k]).vy, 0, 0.2);
        }
        cn_world_destroy(world);
    }
}

// The ball hits the upper corner of the crate, along the line from the corner to its centre.
static void a_ball_grazes_a_crate_that_stands_on_the_floor(void **state) {
    (void)state;
    for (int phase = 0; phase < PHASES; phase++)
        for (double height = 0.05; height < 0.095; height += 0.01) {
            cn_world *world = make_world(GRAVITY);
            add_floor(world, frictionless);
            cn_shape_def crate = box_of(0.5f);
            crate.density = 1000, crate.material = frictionless;
            add(world, (cn_body_def){.position = point(0, 0.5)}, crate);
            run(world, 10);
            double x = -0.5 - sqrt(0.01 - height * height) - 200 * time_of(phase);
            cn_body ball = add(world,
                               (cn_body_def){.position = point(x, 1 + height),
                                             .velocity = point(200, 0),
                                             .weightless = true},
                               (cn_shape_def){.hull = cn_circle(0.1f), .material = frictionless});
            run(world, 6);
            motion after = motion_of(world, ball);
            double sine = height / 0.1, cosine = sqrt(1 - sine * sine);
            assert_near(after.vx, 200 * sine * sine, 10);
            assert_near(after.vy, 200 * sine * cosine, 10);
            cn_world_destroy(world);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_that_graze_exchange_momentum),
        cmocka_unit_test(balls_that_graze_hit_in_any_phase),
        cmocka_unit_test(grazing_does_not_depend_on_substeps),
        cmocka_unit_test(grazing_does_not_depend_on_the_unit_of_length),
        cmocka_unit_test(balls_of_unequal_mass_graze),
        cmocka_unit_test(a_small_fast_ball_grazes_a_large_slow_one),
        cmocka_unit_test(boxes_that_graze_stop_at_their_faces),
        cmocka_unit_test(a_ball_grazes_a_crate_that_stands_on_the_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
