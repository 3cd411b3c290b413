/* The order of bounces: of the bounces of a body the earliest goes first, also within a substep. So
 * the velocities agree with an oracle of successive impacts. */
#include "../../../support/contacts.h"
#include "../../../support/successive_impacts.h"

static const int substep_counts[] = {3, 4, 7, 12};

enum { SUBSTEP_COUNTS = sizeof substep_counts / sizeof *substep_counts };

// A world without gravity. No force presses the discs together, so slow impacts bounce, too.
static cn_world *make_table(int substeps) {
    cn_world *world = make_world(0);
    assert_done(cn_world_set_substeps(world, substeps));
    return world;
}

static cn_body add_disc(cn_world *world, disc d) {
    cn_body body = add_hull(world, d.x, d.y, cn_circle((float)DISC_RADIUS), elastic(1), 1);
    assert_done(cn_body_set_velocity(world, body, point(d.vx, d.vy)));
    return body;
}

static double greatest_error(const cn_world *world, const cn_body *bodies, const disc *discs,
                             int count) {
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, speed_between(disc_of(world, bodies[i]), discs[i]));
    return most;
}

// ---- racks

// The break of a rack with gaps of about 1 mm. Returns the greatest error of a velocity.
static double break_rack(uint64_t seed, int rows, int substeps) {
    disc discs[MAX_DISCS];
    cn_body bodies[MAX_DISCS];
    int count = make_rack(discs, rows, 1e-3);
    discs[0].x -= random_between(&seed, 0, 10.0 / 60); // anywhere within a step
    discs[0].y += random_between(&seed, -0.1, 0.1);
    cn_world *world = make_table(substeps);
    for (int i = 0; i < count; i++) {
        discs[i].x += random_between(&seed, -3e-4, 3e-4);
        discs[i].y += random_between(&seed, -3e-4, 3e-4);
        bodies[i] = add_disc(world, discs[i]);
        discs[i] = disc_of(world, bodies[i]);
    }
    double before = cn_world_energy(world).kinetic;
    run(world, 60);
    run_successive_impacts(discs, count, seconds_of(60));
    double error = greatest_error(world, bodies, discs, count);
    assert_near(cn_world_energy(world).kinetic / before, 1, 1e-5);
    cn_world_destroy(world);
    return error;
}

static void check_racks(int rows) {
    for (int i = 0; i < SUBSTEP_COUNTS; i++) {
        double worst = 0;
        for (uint64_t seed = 1; seed <= 20; seed++)
            worst = fmax(worst, break_rack(seed, rows, substep_counts[i]));
        print_message("%d rows, %d substeps: wrong by %.4f m/s\n", rows, substep_counts[i], worst);
        assert_near(worst, 0, 0.03);
    }
}

// If bounces go in the order of their contacts instead, balls leave with other speeds.
static void a_rack_of_three_breaks_by_successive_impacts(void **state) {
    (void)state;
    check_racks(2);
}

static void a_rack_of_six_breaks_by_successive_impacts(void **state) {
    (void)state;
    check_racks(3);
}

// ---- two bounces of a body

enum { TRIO = 3 };

// A disc goes between two others. It hits one of them, above or below, 0.3 of a substep before it
// would hit the other one. `back`, in metres, moves the other two along x.
static void make_trio(disc *discs, double back, int substeps, bool above) {
    double side = above ? 0.55 : -0.55;
    discs[0] = (disc){.x = -2, .vx = 10};
    discs[1] = (disc){.x = back - 0.3 * 10 / (60 * substeps), .y = side};
    discs[2] = (disc){.x = back, .y = -side};
}

static void run_trio(const disc *discs, int substeps, bool reverse, disc *after) {
    cn_world *world = make_table(substeps);
    cn_body bodies[TRIO];
    for (int i = 0; i < TRIO; i++) {
        int k = reverse ? TRIO - 1 - i : i;
        bodies[k] = add_disc(world, discs[k]);
    }
    run(world, 30);
    for (int i = 0; i < TRIO; i++) after[i] = disc_of(world, bodies[i]);
    cn_world_destroy(world);
}

// In mirrored worlds, and in worlds with another order of contacts, the velocities are the same.
// Returns the greatest error against successive impacts.
static double check_trio(double back, int substeps) {
    disc first[TRIO];
    double worst = 0;
    for (int i = 0; i < 4; i++) {
        bool above = i & 1, reverse = i & 2;
        disc discs[TRIO], after[TRIO];
        make_trio(discs, back, substeps, above);
        run_trio(discs, substeps, reverse, after);
        run_successive_impacts(discs, TRIO, seconds_of(30));
        for (int k = 0; k < TRIO; k++) {
            worst = fmax(worst, speed_between(after[k], discs[k]));
            if (above) after[k].vy = -after[k].vy;
            if (i == 0) first[k] = after[k];
            assert_near(speed_between(after[k], first[k]), 0, 1e-4);
        }
    }
    return worst;
}

// In the wrong order, velocities are wrong by 3.7 m/s. In the right order a small error remains:
// normals are found at the start of a step, so that of the later bounce is slightly wrong.
static void the_earlier_of_two_bounces_goes_first(void **state) {
    (void)state;
    for (int i = 0; i < SUBSTEP_COUNTS; i++) {
        double worst = 0;
        for (int phase = 0; phase < 16; phase++)
            worst = fmax(worst, check_trio(phase * 10.0 / (60 * 16), substep_counts[i]));
        print_message("%d substeps: wrong by %.4f m/s\n", substep_counts[i], worst);
        assert_near(worst, 0, 0.15);
    }
}

// ---- seams

static bool allow_all(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b, (void)user;
    return true;
}

typedef struct {
    double height, sideways; // relative; m/s
} bounce_error;

// A ball falls by `drop` metres onto one of two boxes, `aside` from their seam. If a filter decides
// about the two boxes, they are not one smooth ground.
static bounce_error bounce_beside_seam(double drop, double aside, int substeps, bool filtered) {
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_substeps(world, substeps));
    if (filtered) assert_done(cn_world_set_callbacks(world, (cn_callbacks){.filter = allow_all}));
    for (int side = -1; side <= 1; side += 2)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(side, -1)},
            (cn_shape_def){.hull = cn_box(1, 1), .custom_filter = filtered});
    cn_shape_def shape = {.hull = cn_circle(0.5f), .material.restitution = 0.8f};
    cn_body ball = add(world, (cn_body_def){.position = point(aside, drop + 0.5)}, shape);
    bounce_error error = {NAN, 0};
    bool rises = false;
    for (int i = 0; i < 180 && isnan(error.height); i++) {
        run(world, 1);
        motion m = motion_of(world, ball);
        rises |= m.vy > 0;
        if (rises) error.sideways = fmax(error.sideways, fabs(m.vx));
        double apex = m.y - 0.5 + m.vy * m.vy / (2 * GRAVITY);
        if (rises && m.vy <= 0) error.height = fabs(apex / (0.8 * 0.8 * drop) - 1);
    }
    cn_world_destroy(world);
    return error;
}

static void a_ball_bounces_beside_a_seam_as_on_one_floor(void **state) {
    (void)state;
    const int substeps[] = {4, 8, 12};
    for (int i = 0; i < 6; i++) {
        bounce_error worst = {0, 0};
        for (int k = 0; k < 140; k++) {
            double aside = 1e-4 * pow(6000, k / 139.0), drop = 3 + 0.02 * (k % 7); // up to 0.6 m
            if (k % 2) aside = -aside;
            bounce_error error = bounce_beside_seam(drop, aside, substeps[i / 2], i % 2);
            worst.height = fmax(worst.height, error.height);
            worst.sideways = fmax(worst.sideways, error.sideways);
            assert_true(error.height >= 0); // not if it did not bounce
        }
        print_message("%d substeps%s: height wrong by %.4f %%, %.4f m/s sideways\n",
                      substeps[i / 2], i % 2 ? ", filtered" : "", 100 * worst.height,
                      worst.sideways);
        assert_near(worst.height, 0, 1e-3);
        assert_near(worst.sideways, 0, 0.01);
    }
}

// ---- energy

// Walls take no energy. In each pair, the larger restitution counts.
static void throw_mixed_balls(cn_world *world, uint64_t *seed) {
    const double restitutions[] = {0, 0.1, 0.5, 1};
    for (int i = 0; i < 4; i++) {
        cn_body_def wall = {.type = CN_STATIC, .angle = (float)(i * PI / 2)};
        wall.position = point(6 * (i % 2) * (2 - i), 6 * ((i + 1) % 2) * (1 - i));
        add(world, wall, (cn_shape_def){.hull = cn_box(7, 1), .material = elastic(1)});
    }
    for (int i = 0; i < 40; i++) {
        cn_body ball = add_hull(world, 1.2 * (i % 8 - 3.5), 1.2 * (i / 8 - 2), cn_circle(0.4f),
                                elastic(restitutions[i % 4]), 1);
        assert_done(cn_body_set_velocity(world, ball, random_point_between(seed, -10, 10)));
    }
}

// A contact with less restitution bounces in fewer sweeps, and one without lands in all of them.
static void a_gas_of_mixed_restitution_gains_no_energy(void **state) {
    (void)state;
    double most = 0;
    for (uint64_t round = 1; round <= 5; round++) {
        uint64_t seed = round;
        cn_world *world = cn_world_create(&(cn_world_def){.no_sleep = true, .length_unit = 0.1f});
        assert_done(world != NULL); // impacts from 0.1 m/s on land
        throw_mixed_balls(world, &seed);
        double before = cn_world_energy(world).kinetic;
        for (int i = 0; i < 600; i++) {
            run(world, 1);
            double now = cn_world_energy(world).kinetic;
            if (!(now <= before * (1 + 1e-4)))
                fail_msg("round %d, step %d: %g J, then %g J", (int)round, i, before, now);
            most = fmax(most, now / before - 1);
            before = now;
        }
        assert_true(before > 0);
        cn_world_destroy(world);
    }
    print_message("a step adds %.3g of the energy at most\n", most);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rack_of_three_breaks_by_successive_impacts),
        cmocka_unit_test(a_rack_of_six_breaks_by_successive_impacts),
        cmocka_unit_test(the_earlier_of_two_bounces_goes_first),
        cmocka_unit_test(a_ball_bounces_beside_a_seam_as_on_one_floor),
        cmocka_unit_test(a_gas_of_mixed_restitution_gains_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
