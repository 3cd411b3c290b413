/* Trees of bodies whose joints hold their angles, by welds, motors or limits: they come to rest,
 * and gain no energy. */
#include "../../../support/joints.h"

// ---- trees of welds

// The link is between two boxes of 1 kg, and starts at 1 cm/s.
static void a_light_link_between_two_welds_is_stable(void **state) {
    (void)state;
    for (int substeps = 1; substeps <= 16; substeps *= 2) {
        cn_world *world = make_world(0);
        assert_done(cn_world_set_substeps(world, substeps));
        cn_shape_def box = {.hull = cn_box(0.5f, 0.5f)};
        cn_body left = add(world, (cn_body_def){.position = point(-0.75, 0)}, box);
        cn_body right = add(world, (cn_body_def){.position = point(0.75, 0)}, box);
        cn_body link = add(world, (cn_body_def){.velocity = point(0, 0.01)},
                           (cn_shape_def){.hull = cn_box(0.25f, 0.07f)});
        join(world, cn_weld_joint(world, left, link, point(-0.25, 0)));
        join(world, cn_weld_joint(world, link, right, point(0.25, 0)));
        double before = cn_world_energy(world).kinetic;
        run(world, 300);
        assert_true(cn_world_energy(world).kinetic < before);
        assert_near(motion_of(world, link).w, 0, 0.001);
        cn_world_destroy(world);
    }
}

// Slowly drifting bars of 1 to 30 kg. Each is welded to an end of an earlier bar.
static void trees_of_welds_gain_no_energy(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 120; i++) {
        cn_world *world = make_world(0);
        assert_done(cn_world_set_substeps(world, i & 1 ? 12 : 4));
        cn_body bars[6];
        vec2s ends[6];
        int count = 2 + i % 5;
        for (int k = 0; k < count; k++) {
            int above = k ? (int)random_between(&seed, 0, k - 0.001) : -1;
            double length = exp(random_between(&seed, log(0.2), log(2)));
            double angle = random_between(&seed, 0, 2 * PI),
                   mass = exp(random_between(&seed, 0, log(30)));
            vec2s start = k ? ends[above] : point(0, 0);
            vec2s offset = point(length * cos(angle), length * sin(angle));
            ends[k] = glms_vec2_add(start, offset);
            double width = length * random_between(&seed, 0.1, 1);
            cn_body_def def = {.position = glms_vec2_add(start, glms_vec2_scale(offset, 0.5f)),
                               .angle = (float)angle,
                               .velocity = point(random_between(&seed, -0.02, 0.02),
                                                 random_between(&seed, -0.02, 0.02)),
                               .angular_velocity = (float)random_between(&seed, -0.02, 0.02)};
            bars[k] = add(world, def,
                          (cn_shape_def){.hull = cn_box((float)length / 2, (float)width / 2),
                                         .density = (float)(mass / (length * width)),
                                         .no_collision = true});
            if (k) join(world, cn_weld_joint(world, bars[above], bars[k], start));
        }
        double before = cn_world_energy(world).kinetic;
        run(world, 300);
        double after = cn_world_energy(world).kinetic;
        if (after > 1.01 * before)
            fail_msg("tree %d of %d: kinetic energy x %.3g", i, count, after / before);
        cn_world_destroy(world);
    }
}

static void free_bodies_keep_their_momenta(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body bodies[6];
    for (int i = 0; i < 6; i++) {
        bodies[i] = add_disc(world, i, 0.3 * (i % 2), 1 + i);
        vec2s at = point(i - 0.5, 0.2);
        if (i % 2) join(world, cn_revolute_joint(world, bodies[i - 1], bodies[i], at));
        if (i && i % 2 == 0) join(world, cn_weld_joint(world, bodies[i - 1], bodies[i], at));
    }
    join(world, cn_spring_joint(world, bodies[0], bodies[4], point(0, 0), point(4, 0)));
    assert_done(cn_body_apply_impulse_at(world, bodies[2], point(3, 8), point(2.1, 0)));
    assert_done(cn_body_apply_angular_impulse(world, bodies[5], 0.5f));
    cn_energy before = cn_world_energy(world);
    run(world, 600);
    cn_energy after = cn_world_energy(world);
    assert_near(after.momentum_x, before.momentum_x, 1e-3);
    assert_near(after.momentum_y, before.momentum_y, 1e-3);
    print_message("momenta after 10 s: %+.2g %+.2g, angular %+.2g of %.3g\n",
                  after.momentum_x - before.momentum_x, after.momentum_y - before.momentum_y,
                  after.angular - before.angular, before.angular);
    assert_near(after.angular, before.angular, 0.01 * fabs(before.angular));
    cn_world_destroy(world);
}

// The beam once swung up and down by 7 mm for ever.
static void a_beam_of_welds_comes_to_rest(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body last = add_anchor(world, 0, 0);
    for (int i = 0; i < 6; i++) {
        cn_body next = add(world, (cn_body_def){.position = point(i + 0.5, 0), .no_sleep = true},
                           (cn_shape_def){.hull = cn_box(0.5f, 0.25f), .filter.group = -1});
        hold_together(world, last, next, point(i, 0), WELDS);
        last = next;
    }
    run(world, 900);
    double low = 0, high = -6;
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        low = fmin(low, motion_of(world, last).y), high = fmax(high, motion_of(world, last).y);
    }
    print_message("six welds sag by %.3f m, and swing by %.2g m\n", -low, high - low);
    assert_in_range((int)(1e6 * (high - low)), 0, 50);
    cn_world_destroy(world);
}

// ---- random trees

typedef struct {
    double x, y, half, angle;
    cn_body body;
} link;

// A link that hangs on one of the other links, at its end or anywhere along it.
static link add_link(cn_world *world, uint64_t *seed, const link *links, int count,
                     angle_kind kind) {
    link l = {.angle = random_between(seed, -PI, PI)};
    l.half = 0.15 * pow(6.5, random_between(seed, 0, 1));
    float thickness = (float)(0.05 * pow(4, random_between(seed, 0, 1)));
    float density = (float)pow(30, random_between(seed, 0, 1));
    const link *parent = &links[(int)random_between(seed, 0, count)];
    double side = random_between(seed, 0, 1) < 0.7 ? 1 : random_between(seed, -1, 1);
    double x = parent->x + side * parent->half * cos(parent->angle),
           y = parent->y + side * parent->half * sin(parent->angle);
    l.x = x + l.half * cos(l.angle), l.y = y + l.half * sin(l.angle);
    l.body =
        add(world, (cn_body_def){.position = point(l.x, l.y), .angle = (float)l.angle},
            (cn_shape_def){
                .hull = cn_box((float)l.half, thickness), .density = density, .filter.group = -1});
    if (kind == ALL_KINDS) kind = (angle_kind)random_between(seed, 0, 3);
    hold_together(world, parent->body, l.body, point(x, y), kind);
    return l;
}

// The kinetic energy after 8 s of a tree on a wall, with mass ratios of up to a hundred.
static double energy_after_settling(uint64_t number, angle_kind kind) {
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .no_sleep = true});
    uint64_t seed = 7919 * number + 13;
    link links[12] = {{.body = add_anchor(world, 0, 0)}};
    int count = (int)random_between(&seed, 4, 12);
    for (int i = 1; i < count; i++) links[i] = add_link(world, &seed, links, i, kind);
    run(world, 480);
    double most = 0;
    for (int i = 0; i < 60; i++) {
        run(world, 1);
        most = fmax(most, (double)cn_world_energy(world).kinetic);
    }
    cn_world_destroy(world);
    return most;
}

// Once 4, 6, 11 and 10 of 100 trees did not come to rest.
static void trees_of_uneven_links_come_to_rest(void **state) {
    (void)state;
    const char *const names[] = {"welds", "motors", "limits", "all kinds"};
    for (angle_kind kind = WELDS; kind <= ALL_KINDS; kind++) {
        int restless = 0;
        for (uint64_t i = 0; i < 100; i++) restless += !(energy_after_settling(i, kind) < 1);
        print_message("%s: %d of 100 do not come to rest\n", names[kind], restless);
        assert_in_range(restless, 0, kind == LIMITS ? 4 : 2);
    }
}

// A tree in free flight, without gravity, whose links start to move. Returns its greatest energy as
// a multiple of the energy at the start.
static double energy_growth(uint64_t number, angle_kind kind) {
    cn_world *world = cn_world_create(&(cn_world_def){.no_sleep = true});
    uint64_t seed = 7919 * number + 13;
    cn_shape_def trunk = {.hull = cn_box(0.3f, 0.1f), .filter.group = -1};
    link links[12] = {{.body = add(world, (cn_body_def){0}, trunk), .half = 0.3}};
    int count = (int)random_between(&seed, 3, 12);
    for (int i = 1; i < count; i++) links[i] = add_link(world, &seed, links, i, kind);
    for (int i = 0; i < count; i++) {
        vec2s v = point(random_between(&seed, -0.1, 0.1), random_between(&seed, -0.1, 0.1));
        assert_done(cn_body_set_velocity(world, links[i].body, v));
    }
    double start = (double)cn_world_energy(world).kinetic, most = 0;
    for (int i = 0; i < 600; i++) {
        run(world, 1);
        most = fmax(most, (double)cn_world_energy(world).kinetic);
    }
    cn_world_destroy(world);
    return most / start;
}

// Motors at a speed of 0 act as brakes. 33 of 800 trees once gained energy; now 2 do.
static void brakes_hardly_ever_add_energy_to_a_tree_in_free_flight(void **state) {
    (void)state;
    int driven = 0;
    for (uint64_t i = 0; i < 200; i++) driven += !(energy_growth(i, MOTORS) < 3);
    print_message("brakes: %d of 200 trees gain energy\n", driven);
    assert_in_range(driven, 0, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_link_between_two_welds_is_stable),
        cmocka_unit_test(trees_of_welds_gain_no_energy),
        cmocka_unit_test(free_bodies_keep_their_momenta),
        cmocka_unit_test(a_beam_of_welds_comes_to_rest),
        cmocka_unit_test(trees_of_uneven_links_come_to_rest),
        cmocka_unit_test(brakes_hardly_ever_add_energy_to_a_tree_in_free_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
