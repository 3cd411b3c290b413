/* Friction against closed formulas: sliding, the angle of friction, and bodies that stand on one
 * end. */
#include "../../../support/contacts.h"

// ---- mixing

static double mixed(cn_mix rule, double a, double b, double standard) {
    if (rule == CN_MIX_AVERAGE) return (a + b) / 2;
    if (rule == CN_MIX_MINIMUM) return fmin(a, b);
    if (rule == CN_MIX_MAXIMUM) return fmax(a, b);
    return rule == CN_MIX_MULTIPLY ? a * b : standard;
}

// All pairs of rules. The later rule counts.
static void materials_mix_by_the_later_of_two_rules(void **state) {
    (void)state;
    for (int i = 0; i < 25; i++) {
        cn_mix below = (cn_mix)(i / 5), above = (cn_mix)(i % 5),
               later = (cn_mix)(i / 5 > i % 5 ? i / 5 : i % 5);
        cn_world *world = make_world(GRAVITY);
        add_floor(world, (cn_material){.friction = 0.2f,
                                       .restitution = 0.25f,
                                       .friction_mix = below,
                                       .restitution_mix = above});
        cn_shape_def def = box_of(0.5f);
        def.material = (cn_material){
            .friction = 0.8f, .restitution = 0.5f, .friction_mix = above, .restitution_mix = below};
        cn_body box = add(world, (cn_body_def){.position = {{0, 0.5f}}}, def);
        run(world, 1);
        cn_contact contact;
        assert_int_equal(cn_world_contacts(world, &contact, 1), 1);
        assert_near((double)contact.friction, mixed(later, 0.2, 0.8, 0.4), 1e-6);
        assert_near((double)contact.restitution, mixed(later, 0.25, 0.5, 0.5), 1e-6);
        cn_material kept = cn_shape_material(world, first_shape(world, box));
        assert_int_equal(kept.friction_mix, above);
        assert_int_equal(kept.restitution_mix, below);
        cn_world_destroy(world);
    }
}

// Ice with the minimum is as slippery under rubber as under wood: v^2 / (2 mu g).
static void ice_is_slippery_with_all(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        cn_world *world = make_world(GRAVITY);
        add_floor(world, (cn_material){.friction = 0.05f, .friction_mix = CN_MIX_MINIMUM});
        cn_shape_def def = {.hull = cn_box(0.5f, 0.25f),
                            .material = {.friction = 0.3f + 0.6f * (float)i}};
        cn_body box =
            add(world, (cn_body_def){.position = {{0, 0.25f}}, .velocity = {{1, 0}}}, def);
        run(world, 180);
        assert_near(motion_of(world, box).x, 1, 0.02);
        cn_world_destroy(world);
    }
}

// ---- sliding

static void a_box_slides_at_g_sin_minus_mu_cos(void **state) {
    (void)state;
    for (double mu = 0; mu < 0.55; mu += 0.1) {
        double angle = 35 * PI / 180;
        slope s = make_slope(angle, cn_box(0.5f, 0.5f), 0.5, mu);
        double expected = GRAVITY * (sin(angle) - mu * cos(angle));
        assert_near(measure_acceleration(&s), expected, 0.01 * expected);
        cn_world_destroy(s.world);
    }
}

static void a_box_starts_to_slide_at_the_angle_of_friction(void **state) {
    (void)state;
    for (double mu = 0.2; mu < 1; mu += 0.3) {
        double half_degree = PI / 360, limit = atan(mu);
        slope resting = make_slope(limit - half_degree, cn_box(0.5f, 0.25f), 0.25, mu);
        run(resting.world, 60);
        double start = position_downhill(&resting);
        run(resting.world, 600);
        assert_near(position_downhill(&resting), start, 1e-3);
        cn_world_destroy(resting.world);

        slope sliding = make_slope(limit + half_degree, cn_box(0.5f, 0.25f), 0.25, mu);
        double expected = GRAVITY * (sin(sliding.angle) - mu * cos(sliding.angle));
        assert_near(measure_acceleration(&sliding), expected, 0.1 * expected);
        cn_world_destroy(sliding.world);
    }
}

// It stops after v^2 / (2 mu g). The friction of a pair is the geometric mean.
static void a_sliding_box_stops_where_its_energy_is_spent(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){.friction = 0.2f});
    cn_body body =
        add_hull(world, 0, 0.25, cn_box(0.5f, 0.25f), (cn_material){.friction = 0.8f}, 1);
    run(world, 30);
    double start = motion_of(world, body).x;
    assert_done(cn_body_set_velocity(world, body, point(5, 0)));
    run(world, 180);
    double expected = 25 / (2 * 0.4 * GRAVITY);
    assert_near(motion_of(world, body).x - start, expected, 0.02 * expected);
    assert_near(motion_of(world, body).vx, 0, 1e-3);
    cn_world_destroy(world);
}

static void without_friction_a_box_slides_for_ever(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body body = add_hull(world, -50, 0.5, cn_box(0.5f, 0.5f), frictionless, 1);
    assert_done(cn_body_set_velocity(world, body, point(5, 0)));
    run(world, 600);
    assert_near(motion_of(world, body).vx, 5, 1e-3);
    cn_world_destroy(world);
}

// ---- bodies that stand on one end

// A ladder leans at 60 degrees against a wall without friction. It stands if mu is above 0.289,
// which is cos / (2 sin). Returns how far its foot slips in 4 s.
static double slip_of_ladder(cn_hull hull, double foot, double mu) {
    cn_world *world = make_world(GRAVITY);
    cn_material rough = {.friction = (float)mu};
    add_floor(world, rough);
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(-1, 9)},
        (cn_shape_def){.hull = cn_box(1, 10), .material = frictionless});
    double angle = PI / 3, x = foot + 2 * cos(angle), y = foot + 2 * sin(angle);
    cn_body ladder = add(world, (cn_body_def){.position = point(x, y), .angle = (float)-angle},
                         (cn_shape_def){.hull = hull, .material = rough});
    run(world, 240);
    double slip = motion_of(world, ladder).x - x;
    cn_world_destroy(world);
    return slip;
}

// Friction once acted at the middle of the lower edge, which is in the air: the ladder needed twice
// the friction to stand.
static void a_ladder_slips_at_its_angle_of_friction(void **state) {
    (void)state;
    cn_hull pole = cn_capsule(point(-2, 0), point(2, 0), 0.02f);
    assert_near(slip_of_ladder(pole, 0.02, 0.32), 0, 0.02);
    assert_true(slip_of_ladder(pole, 0.02, 0.26) > 0.5);
    assert_near(slip_of_ladder(cn_box(2, 0.02f), 0.02, 0.33), 0, 0.03);
    assert_true(slip_of_ladder(cn_box(2, 0.02f), 0.02, 0.26) > 0.5);
}

// They lean against each other, and need a friction of tan(0.25) / 2 = 0.13.
static void two_leaning_poles_stand(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){.friction = 0.2f});
    cn_body cards[2];
    for (int i = 0; i < 2; i++) {
        float side = i ? 1 : -1, lean = 0.25f;
        cn_body_def def = {.angle = side * lean};
        def.position = point((double)side * (sin(0.25) + 0.021), cos(0.25) + 0.02);
        cards[i] = add(world, def,
                       (cn_shape_def){.hull = cn_capsule(point(0, -1), point(0, 1), 0.02f),
                                      .material = {.friction = 0.2f}});
    }
    run(world, 300);
    for (int i = 0; i < 2; i++) assert_near(fabs(motion_of(world, cards[i]).angle), 0.25, 0.1);
    cn_world_destroy(world);
}

// The equations of a rod whose foot slides give 0.611 rad after 1 s (solved elsewhere). The pole
// once lay flat by then.
static void a_falling_pole_follows_its_equations(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){.friction = 0.3f});
    cn_body_def def = {.position = point(sin(0.1), 0.1 + cos(0.1)), .angle = -0.1f};
    cn_hull pole = cn_capsule(point(0, -1), point(0, 1), 0.1f);
    cn_body body = add(world, def, (cn_shape_def){.hull = pole, .material = {.friction = 0.3f}});
    run(world, 60);
    assert_near(motion_of(world, body).angle, -0.611, 0.04);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_mix_by_the_later_of_two_rules),
        cmocka_unit_test(ice_is_slippery_with_all),
        cmocka_unit_test(a_box_slides_at_g_sin_minus_mu_cos),
        cmocka_unit_test(a_box_starts_to_slide_at_the_angle_of_friction),
        cmocka_unit_test(a_sliding_box_stops_where_its_energy_is_spent),
        cmocka_unit_test(without_friction_a_box_slides_for_ever),
        cmocka_unit_test(a_ladder_slips_at_its_angle_of_friction),
        cmocka_unit_test(two_leaning_poles_stand),
        cmocka_unit_test(a_falling_pole_follows_its_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
