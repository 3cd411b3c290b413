/* Chains: their segments and calls, the side on which they are solid, and bodies that follow their
 * hills and valleys. */
#include "../../support/floors.h"
#include "../../support/refuse.h"

// ---- hills and valleys

// The circle rolls without slipping. The impulses that are lost at a seam let it sink by less than
// 1 mm.
static void a_circle_rolls_over_a_chain_without_sinking(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    vec2s points[201];
    for (int i = 0; i <= 200; i++) points[i] = point(100 - 0.5 * i, 0);
    cn_chain_def def = {.points = points, .count = 201, .material = {.friction = 0.9f}};
    assert_done(cn_chain_create(world, add_static(world), &def).id != 0);
    cn_body ball = add(
        world,
        (cn_body_def){.position = point(3, 0.5), .velocity = point(20, 0), .angular_velocity = -40},
        (cn_shape_def){.hull = cn_circle(0.5f), .material = {.friction = 0.9f}});
    for (double x = 0; x < 95;) {
        run(world, 1);
        motion m = motion_of(world, ball);
        x = m.x;
        assert_near(m.y, 0.5, 1e-3);
        assert_near(m.w, -40, 0.1);
        assert_near(m.vx, 20, 0.05);
    }
    cn_world_destroy(world);
}

enum { ARC = 41 };

// y = height (1 + cos x / 3) over -3 pi .. 3 pi, from right to left.
static void arc(vec2s *points, double height) {
    for (int i = 0; i < ARC; i++) {
        double x = 3 * PI * (1 - 2.0 * i / (ARC - 1));
        points[i] = point(x, height * (1 + cos(x / 3)));
    }
}

// The energy of a body above the floor, in J per kg.
static double energy_of(const cn_world *world, cn_body body) {
    motion m = motion_of(world, body);
    double spin = 0.5 * inertia_of(world, body) / mass_of(world, body) * m.w * m.w;
    return 0.5 * (m.vx * m.vx + m.vy * m.vy) + spin + GRAVITY * m.y;
}

static void check_arc(double height, double speed, double x, int which) {
    cn_world *world = make_world(GRAVITY);
    vec2s points[ARC];
    arc(points, height);
    add_chain(world, points, ARC, false);
    double top = height * (1 + cos(x / 3));
    cn_body body = add_mover(world, which, point(x, top + 0.52), 0, point(0, 0), 0);
    run(world, 30);
    assert_done(cn_body_set_velocity(world, body, point(speed, 0)));
    double energy = energy_of(world, body);
    int touching = 0, steps = 0;
    for (; steps < 200 && fabs(motion_of(world, body).x) < 8; steps++) {
        run(world, 1);
        assert_in_range(energy_of(world, body) < energy * 1.002 + 0.05, 1, 1);
        energy = fmin(energy, energy_of(world, body));
        cn_contact contact;
        touching += cn_world_contacts(world, &contact, 1) > 0;
    }
    assert_in_range(touching, steps - 3, steps);
    cn_world_destroy(world);
}

static void bodies_follow_hills_and_valleys_and_gain_no_energy(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        check_arc(0.5, 2, -1, which);  // over a hill
        check_arc(-0.5, 2, -4, which); // through a valley
    }
}

// ---- the solid side

static void a_chain_is_solid_only_on_one_side(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        cn_world *world = make_world(0);
        vec2s points[] = {point(10, 0), point(0, 0), point(-10, 0)};
        add_chain(world, points, 3, false);
        cn_body above = add_mover(world, which, point(1, 3), 0, point(0, 0), 0),
                below = add_mover(world, which, point(-3, -3), 0, point(0, 0), 0);
        assert_done(cn_body_set_velocity(world, above, point(0, -5)));
        assert_done(cn_body_set_velocity(world, below, point(0, 5)));
        run(world, 120);
        assert_in_range(motion_of(world, above).y > 0.495, 1, 1);
        assert_near(motion_of(world, below).y, 7, 1e-3);
        cn_world_destroy(world);
    }
}

// A ring of 24 points. Bodies move against it from the centre or from outside.
static void a_closed_chain_holds_bodies_in_or_out_by_its_winding(void **state) {
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        cn_world *world = make_world(0);
        vec2s points[24];
        for (int i = 0; i < 24; i++) {
            double angle = (inside ? -1 : 1) * 2 * PI * i / 24;
            points[i] = point(5 * cos(angle), 5 * sin(angle));
        }
        add_chain(world, points, 24, true);
        cn_body bodies[12];
        for (int i = 0; i < 12; i++) {
            double c = cos(0.53 * i), s = sin(0.53 * i), from = inside ? 2 : 9, v = inside ? 3 : -3;
            bodies[i] = add_mover(world, i % MOVERS, point(from * c, from * s), i, point(0, 0), 0);
            assert_done(cn_body_set_velocity(world, bodies[i], point(v * c, v * s)));
        }
        for (int i = 0; i < 300; i++) {
            run(world, 1);
            for (int k = 0; k < 12; k++) {
                double r = hypot(motion_of(world, bodies[k]).x, motion_of(world, bodies[k]).y);
                assert_in_range(inside ? r < 4.6 : r > 5.3, 1, 1);
            }
        }
        cn_world_destroy(world);
    }
}

static void segments_of_a_dynamic_body_have_two_sides(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    const vec2s points[] = {point(5, 0), point(-5, 0)};
    assert_done(cn_chain_create(world, body, &(cn_chain_def){.points = points, .count = 2}).id !=
                0);
    assert_done(cn_body_set_mass_data(world, body, (cn_mass_data){1000, 1000, point(0, 0)}));
    assert_done(cn_body_set_type(world, body, CN_DYNAMIC));
    for (int i = 0; i < 20; i++) {
        cn_body_def def = {.position = point(-3 + 0.3 * i, -3 - 0.13 * i),
                           .velocity = point(0, 100)};
        cn_shape_def shape = {.hull = cn_circle(0.1f), .filter = {.category = 2, .mask = 1}};
        cn_body ball = add(world, def, shape);
        run(world, 10);
        assert_true(motion_of(world, ball).y < motion_of(world, body).y + 0.2);
        assert_done(cn_body_destroy(world, ball));
    }
    cn_world_destroy(world);
}

// ---- calls

static void a_chain_has_its_segments(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    vec2s points[] = {point(3, 0), point(1, 0), point(-1, 0), point(-3, 0), point(0, -3)};
    cn_material materials[] = {{.friction = 0.1f},
                               {.friction = 0.2f},
                               {.friction = 0.3f},
                               {.friction = 0.4f},
                               {.restitution = 0.5f}};
    cn_body ground = add_static(world);
    cn_chain_def def = {.points = points, .count = 5, .closed = true, .materials = materials};
    cn_chain chain = cn_chain_create(world, ground, &def),
             other = cn_chain_create(world, ground, &def);
    assert_true(chain.id != other.id);
    int count = 0;
    for (cn_shape s = {0}; (s = cn_chain_next_segment(world, chain, s)).id; count++) {
        assert_near(cn_shape_material(world, s).friction, count < 4 ? 0.1 * (count + 1) : 0.6,
                    1e-6);
        assert_int_equal(cn_shape_chain(world, s).id, chain.id);
        assert_near(cn_shape_hull(world, s).vertices[0].x, points[count].x, 1e-6);
    }
    assert_int_equal(count, 5);
    assert_done(cn_shape_destroy(world, cn_chain_next_segment(world, chain, (cn_shape){0})));
    assert_done(cn_chain_destroy(world, chain));
    assert_int_equal(cn_world_counters(world).shapes, 5);
    assert_false(cn_chain_destroy(world, chain));
    assert_done(cn_chain_destroy(world, other));
    assert_int_equal(cn_world_counters(world).shapes, 0);
    cn_world_destroy(world);
}

// It once took minutes, because each segment was created and destroyed by itself, with a search
// through all others.
static void a_long_chain_is_created_and_destroyed_quickly(void **state) {
    (void)state;
    enum { LONG = 50000 };
    cn_world *world = cn_world_create(&(cn_world_def){0});
    cn_body belt = cn_body_create(world, &(cn_body_def){.type = CN_KINEMATIC});
    vec2s *points = malloc(LONG * sizeof *points);
    for (int i = 0; i < LONG; i++) points[i] = point(-0.02 * i, 0);
    cn_shape other = cn_shape_create(world, belt, &(cn_shape_def){.hull = cn_box(1, 1)});
    cn_chain chain = cn_chain_create(world, belt, &(cn_chain_def){.points = points, .count = LONG});
    free(points);
    int count = 0;
    for (cn_shape s = {0}; (s = cn_chain_next_segment(world, chain, s)).id;) count++;
    assert_int_equal(count, LONG - 1);
    assert_true(cn_chain_destroy(world, chain));
    assert_true(cn_shape_valid(world, other) && cn_world_counters(world).shapes == 1);
    cn_world_destroy(world);
}

// ---- refused calls

#define BAD_CHAIN(kind, BODY, ...)                                                                 \
    REFUSES(kind, cn_chain_create(world, BODY, &((cn_chain_def){__VA_ARGS__})))

static void bad_chains_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    cn_body ground = add_static(world), none = {0};
    cn_body dynamic = cn_body_create(world, &(cn_body_def){.type = CN_DYNAMIC});
    vec2s good[] = {point(0, 0), point(1, 0), point(1, 1)};
    vec2s nan[] = {point(0, 0), point(NAN, 0), point(1, 1)};
    vec2s far[] = {point(0, 0), point(2e9, 0), point(1, 1)};
    vec2s twice[] = {point(0, 0), point(1, 0), point(1, 0.001)};
    vec2s round[] = {point(0, 0), point(1, 0), point(0.001, 0)};
    cn_material bad[] = {{.friction = 1}, {.restitution = 2}};
    BAD_CHAIN(CN_ERROR_HANDLE, none, .points = good, .count = 3);
    BAD_CHAIN(CN_ERROR_STATE, dynamic, .points = good, .count = 3);
    BAD_CHAIN(CN_ERROR_HANDLE, ground, .count = 3);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = 1);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = -7);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = 2, .closed = true);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = 1 << 24);
    BAD_CHAIN(CN_ERROR_NUMBER, ground, .points = nan, .count = 3);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = far, .count = 3);
    BAD_CHAIN(CN_ERROR_SHAPE, ground, .points = twice, .count = 3);
    BAD_CHAIN(CN_ERROR_SHAPE, ground, .points = round, .count = 3, .closed = true);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = 3, .materials = bad);
    BAD_CHAIN(CN_ERROR_RANGE, ground, .points = good, .count = 3, .material = {.friction = -1});
    REFUSES(CN_ERROR_HANDLE, cn_chain_create(world, ground, (const cn_chain_def *)NULL));
    cn_world_destroy(world);
    unchanged_world = NULL;
}

static void calls_with_bad_chain_handles_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    vec2s points[] = {point(0, 0), point(1, 0), point(1, 1)};
    cn_chain old = add_chain(world, points, 3, false), chain = add_chain(world, points, 3, false);
    assert_done(cn_chain_destroy(world, old));
    const cn_chain bad[] = {{0}, old, {chain.id ^ 1}, {chain.id ^ 1u << 24}};
    const cn_shape first = {0};
    for (int i = 0; i < 4; i++) {
        assert_false(cn_chain_valid(world, bad[i]));
        REFUSES(CN_ERROR_HANDLE, cn_chain_destroy(world, bad[i]));
        REFUSES(CN_ERROR_HANDLE, cn_chain_body(world, bad[i]));
        REFUSES(CN_ERROR_HANDLE, cn_chain_count(world, bad[i]));
        REFUSES(CN_ERROR_HANDLE, cn_chain_next_segment(world, bad[i], first));
        REFUSES(CN_ERROR_HANDLE, cn_chain_material(world, bad[i], 0));
        REFUSES(CN_ERROR_HANDLE, cn_chain_set_material(world, bad[i], 0, (cn_material){0}));
        if (i > 0) REFUSES(CN_ERROR_HANDLE, cn_world_next_chain(world, bad[i]));
    }
    cn_body body = cn_chain_body(world, chain), other = add_static(world);
    cn_chain_def def = {.points = points, .count = 3};
    REFUSES(CN_ERROR_HANDLE, cn_chain_create(NULL, body, &def));
    REFUSES(CN_ERROR_HANDLE, cn_chain_destroy(NULL, chain));
    REFUSES(CN_ERROR_HANDLE, cn_chain_next_segment(NULL, chain, first));
    REFUSES(CN_ERROR_HANDLE, cn_world_next_chain(NULL, (cn_chain){0}));
    REFUSES(CN_ERROR_HANDLE, cn_world_chain_in_slot(NULL, 0));
    REFUSES(CN_ERROR_RANGE, cn_world_chain_in_slot(world, -1));
    cn_shape tile = add_tile(world, body, 0, 0, 1, 1);
    REFUSES(CN_ERROR_HANDLE, cn_chain_next_segment(world, chain, tile));
    REFUSES(CN_ERROR_HANDLE, cn_shape_chain(world, first));
    REFUSES(CN_ERROR_HANDLE, cn_body_next_chain(world, other, chain));
    assert_true(is_zero_chain(cn_shape_chain(world, tile)));
    cn_world_destroy(world);
    unchanged_world = NULL;
}

static void bad_materials_and_numbers_of_segments_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    vec2s points[] = {point(0, 0), point(1, 0), point(1, 1)};
    cn_chain chain = add_chain(world, points, 3, false);
    const int bad[] = {-1, 2, INT32_MIN, INT32_MAX};
    for (int i = 0; i < 4; i++) {
        REFUSES(CN_ERROR_RANGE, cn_chain_material(world, chain, bad[i]));
        REFUSES(CN_ERROR_RANGE, cn_chain_set_material(world, chain, bad[i], (cn_material){0}));
    }
    REFUSES(CN_ERROR_RANGE, cn_chain_set_material(world, chain, 0, (cn_material){.friction = -1}));
    assert_done(cn_shape_destroy(world, cn_chain_next_segment(world, chain, (cn_shape){0})));
    REFUSES(CN_ERROR_HANDLE, cn_chain_material(world, chain, 0));
    REFUSES(CN_ERROR_HANDLE, cn_chain_set_material(world, chain, 0, (cn_material){0}));
    assert_string_equal(cn_error(), "cn_chain_set_material: segment 0 of chain 0 was destroyed");
    cn_world_destroy(world);
    unchanged_world = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_rolls_over_a_chain_without_sinking),
        cmocka_unit_test(bodies_follow_hills_and_valleys_and_gain_no_energy),
        cmocka_unit_test(a_chain_is_solid_only_on_one_side),
        cmocka_unit_test(a_closed_chain_holds_bodies_in_or_out_by_its_winding),
        cmocka_unit_test(segments_of_a_dynamic_body_have_two_sides),
        cmocka_unit_test(a_chain_has_its_segments),
        cmocka_unit_test(a_long_chain_is_created_and_destroyed_quickly),
        cmocka_unit_test(bad_chains_are_refused),
        cmocka_unit_test(calls_with_bad_chain_handles_are_refused),
        cmocka_unit_test(bad_materials_and_numbers_of_segments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
