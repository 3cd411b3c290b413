/* Bounces in fields: what a field does to a body presses it, as gravity does. */
#include "../../support/contacts.h"

static const int substep_counts[] = {4, 8, 12};

enum { SUBSTEP_COUNTS = sizeof substep_counts / sizeof *substep_counts, PILE = 24 };

static cn_world *make_space(int substeps) {
    cn_world *world = cn_world_create(&(cn_world_def){.substeps = substeps});
    assert_done(world != NULL);
    return world;
}

// Returns how fast a ball of restitution 0.8 leaves a floor, to which a field of 2 m/s^2 draws it.
static double speed_after_bounce(int substeps, double speed) {
    cn_world *world = make_space(substeps);
    cn_body floor = add_floor(world, (cn_material){0});
    cn_shape_def field = {.hull = cn_box(9, 9), .massless = true, .sensor = true};
    field.medium.acceleration = point(0, -2);
    assert_done(cn_shape_create(world, floor, &field).id != 0);
    double best = 0;
    cn_body ball = add_hull(world, 0, 0.2 + speed * speed / 4, cn_circle(0.2f), elastic(0.8), 1);
    for (int i = 0; i < (int)(45 * speed) + 3; i++) {
        run(world, 1);
        motion m = motion_of(world, ball);
        if (m.vy > 0) best = fmax(best, sqrt(m.vy * m.vy + 4 * (m.y - 0.2)));
    }
    cn_world_destroy(world);
    return best;
}

static void a_field_sets_the_threshold_as_gravity_does(void **state) {
    (void)state;
    for (int i = 0; i < SUBSTEP_COUNTS; i++) {
        assert_near(speed_after_bounce(substep_counts[i], 0.26), 0.208, 0.004);
        assert_near(speed_after_bounce(substep_counts[i], 0.16), 0, 0.02);
    }
}

static cn_hull stone(int i) {
    return i % 3 == 0   ? cn_circle(0.3f)
           : i % 3 == 1 ? cn_box(0.25f, 0.2f)
                        : cn_regular_polygon(5, 0.3f);
}

// Bodies fall on a planet without gravity that attracts them: 10 m/s^2 at its surface.
static void a_pile_on_a_planet_sleeps(void **state) {
    (void)state;
    for (int i = 0; i < 3 * SUBSTEP_COUNTS; i++) {
        cn_world *world = make_space(substep_counts[i / 3]);
        cn_body planet = add(world, (cn_body_def){.type = CN_STATIC},
                             (cn_shape_def){.hull = cn_regular_polygon(8, 3)});
        cn_shape_def field = {.hull = cn_circle(30), .massless = true, .sensor = true};
        field.medium.attraction = 90;
        assert_done(cn_shape_create(world, planet, &field).id != 0);
        cn_body bodies[PILE];
        for (int k = 0; k < PILE; k++) {
            double angle = 0.7 * k, r = 3.6 + 0.1 * k;
            cn_material material = {.restitution = 0.3f + 0.25f * (float)(i % 3),
                                    .rolling_resistance = 0.05f};
            bodies[k] = add_hull(world, r * cos(angle), r * sin(angle), stone(k), material, 1);
        }
        run(world, 1800);
        for (int k = 0; k < PILE; k++) assert_true(cn_body_asleep(world, bodies[k]));
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_sets_the_threshold_as_gravity_does),
        cmocka_unit_test(a_pile_on_a_planet_sleeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
