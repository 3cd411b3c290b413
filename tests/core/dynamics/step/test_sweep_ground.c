/* Continuous collision and static ground: bodies that are knocked at a wall or land do not get deep
 * into it, lose no speed that they should keep, and go on sliding where they only graze. */
#include "../../../support/contacts.h"
#include "../../../support/terrain.h"

// ---- landings

// A turning body stops within the step where one of its corners gets into the ground. The work of
// gravity on the rest of its path was once taken back along its whole velocity, which slowed it
// horizontally by up to 14 %.
static void a_bounce_without_friction_keeps_the_horizontal_speed(void **state) {
    (void)state;
    for (ground_kind kind = WHOLE; kind <= TILES; kind++)
        for (int i = 0; i < 200; i++) {
            cn_world *world = make_world(GRAVITY);
            add_ground(world, kind);
            cn_body_def def = {.position = point(-18, 2 + 0.02 * i), .angle = 0.05f * (float)i};
            def.velocity = point(2 + 0.01 * i, 0), def.angular_velocity = (float)(i % 9 - 4);
            cn_shape_def shape = {.hull = cn_box(0.1f + 0.002f * (float)i, 0.7f)};
            shape.material =
                (cn_material){.frictionless = true, .restitution = 0.1f * (float)(i % 11)};
            cn_body box = add(world, def, shape);
            for (int k = 0; k < 150; k++) assert_done(cn_world_step(world, 1.0f / 30));
            assert_near(motion_of(world, box).vx, 2 + 0.01 * i, 1e-4);
            cn_world_destroy(world);
        }
}

// ---- walls

// The body was at rest near the wall and had no contact with it. It once got into the wall by up to
// three quarters of its radius.
static void a_body_that_was_hit_stops_at_the_wall_behind_it(void **state) {
    (void)state;
    for (int box = 0; box < 2; box++)
        for (int i = 0; i < 60; i++) {
            const double r = 0.1, gap = 0.002 * i, speed = 12 + i % 3 * 9;
            cn_world *world = make_world(0);
            add(world, (cn_body_def){.type = CN_STATIC, .position = point(1, 0)},
                (cn_shape_def){.hull = cn_box(1, 5)});
            cn_shape_def shape = {.hull = box ? cn_box((float)r, (float)r) : cn_circle((float)r)};
            cn_body_def def = {.position = point(-r - gap, 0)};
            cn_body target = add(world, def, shape);
            def.position = point(-3 * r - gap - 0.013 * i, 0), def.velocity = point(speed, 0);
            add(world, def, shape);
            double depth = 0;
            for (int k = 0; k < 30; k++) {
                run(world, 1);
                depth = fmax(depth, motion_of(world, target).x + r);
            }
            if (depth > 0.25 * r) fail_msg("gap %g m, %g m/s: %g m deep", gap, speed, depth);
            cn_world_destroy(world);
        }
}

// ---- sliding and turning

// The sweep does not stop a body that rests on another one. This is also true on flush tiles.
static void a_fast_box_slides_along_a_floor(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    for (int i = 0; i < 100; i++)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(i, -0.5)},
            (cn_shape_def){.hull = cn_box(i ? 0.5f : 500, 0.5f), .material = frictionless});
    cn_body box = add(world, (cn_body_def){.position = point(-80, 0.25)},
                      (cn_shape_def){.hull = cn_box(0.25f, 0.25f), .material = frictionless});
    run(world, 30);
    assert_done(cn_body_set_velocity(world, box, point(50, 0)));
    double x = motion_of(world, box).x;
    run(world, 180);
    assert_near(motion_of(world, box).vx, 50, 0.01);
    assert_near(motion_of(world, box).x, x + 150, 0.1);
    cn_world_destroy(world);
}

static void a_spinning_rod_stays_above_the_floor(void **state) {
    (void)state;
    for (double spin = 10; spin <= 1000; spin *= 1.5) {
        cn_world *world = make_world(GRAVITY);
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -0.05)},
            (cn_shape_def){.hull = cn_box(2000, 0.05f)});
        cn_body rod = add(world,
                          (cn_body_def){.position = point(0, 1.2),
                                        .velocity = point(3, -20),
                                        .angular_velocity = (float)spin},
                          (cn_shape_def){.hull = cn_box(1, 0.01f)});
        for (int i = 0; i < 300; i++) {
            run(world, 1);
            assert_true(motion_of(world, rod).y > -0.1);
        }
        cn_world_destroy(world);
    }
}

// The side of a chain from which a body comes was once read from one corner, which may be below a
// crest.
static void a_tumbling_plank_does_not_pass_a_curved_chain(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        cn_world *world = make_world(10);
        vec2s points[58];
        for (int k = 0; k < 58; k++) points[k] = point(20 - 0.7 * k, 0.2 * sin(20 - 0.7 * k));
        cn_chain_def chain = {.points = points, .count = 58};
        cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        assert_done(cn_chain_create(world, ground, &chain).id != 0);
        cn_body_def def = {.position = point(0, random_between(&seed, 1.5, 4.5)),
                           .angle = (float)random_between(&seed, 0, 6.28),
                           .angular_velocity = (float)random_between(&seed, -33, 33)};
        def.velocity = point(random_between(&seed, -3, 3), random_between(&seed, -66, 0));
        cn_body body = add(world, def, (cn_shape_def){.hull = cn_box(0.05f, 0.4f)});
        run(world, 40);
        assert_true(cn_body_position(world, body).y > -0.5f);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bounce_without_friction_keeps_the_horizontal_speed),
        cmocka_unit_test(a_body_that_was_hit_stops_at_the_wall_behind_it),
        cmocka_unit_test(a_fast_box_slides_along_a_floor),
        cmocka_unit_test(a_spinning_rod_stays_above_the_floor),
        cmocka_unit_test(a_tumbling_plank_does_not_pass_a_curved_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
