/* Speculative contacts: a body that falls lands on what is ahead of it, and does not sink in. */
#include "../../../support/terrain.h"

// ---- landing on any ground

typedef struct {
    double depth, tilt, hop, aside; // the greatest values: m, rad, m, m
} landing;

// A box falls flat, from 24 heights and places.
static landing land(ground_kind kind, double height) {
    landing worst = {0};
    for (int i = 0; i < 24; i++) {
        cn_world *world = make_world(GRAVITY);
        add_ground(world, kind);
        double x = 0.0437 * i, y = height + 0.027 * i;
        cn_body box = add(world, (cn_body_def){.position = point(x, 0.5 + y)},
                          (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material.friction = 0.6f});
        int landed = 0;
        for (int k = 0; k < 150; k++) {
            run(world, 1);
            motion m = motion_of(world, box);
            worst.depth = fmax(worst.depth, 0.5 - m.y);
            landed += m.y < 0.55;
            if (landed > 3) worst.hop = fmax(worst.hop, m.y - 0.5);
            worst.tilt = fmax(worst.tilt, fabs(m.angle));
            worst.aside = fmax(worst.aside, fabs(m.x - x));
        }
        cn_world_destroy(world);
    }
    return worst;
}

// The search ahead once found only static shapes: boxes sank into other ground by up to 13 cm. It
// also was made only for fast bodies: from 1 m they got 5 cm deep into any ground.
static void a_box_lands_on_any_ground_without_sinking_in(void **state) {
    (void)state;
    const double heights[] = {0.25, 1, 2, 4.5};
    for (ground_kind kind = WHOLE; kind <= KINEMATIC; kind++)
        for (int i = 0; i < 4; i++) {
            double depth = land(kind, heights[i]).depth;
            if (depth > 0.005)
                fail_msg("from %g m %g m deep in %s", heights[i], depth, ground_names[kind]);
        }
}

// The ground was two boxes. The first one supported an end of the falling box, which began to turn.
// Friction then braked that end, so the box jumped sideways, tilted, and sometimes fell over.
static void a_box_that_lands_flat_on_a_seam_stays_upright(void **state) {
    (void)state;
    for (ground_kind kind = WHOLE; kind <= KINEMATIC; kind++) {
        landing l = land(kind, 8);
        if (l.tilt > 0.02 || l.aside > 0.02 || l.hop > 0.01)
            fail_msg("on %s: tilted by %g, %g m aside, %g m up", ground_names[kind], l.tilt,
                     l.aside, l.hop);
    }
}

// The greatest depth in the floor of a body that falls at a given speed, over all phases of the
// step.
static double deepest_landing(cn_hull hull, double speed, double *sideways) {
    double deepest = 0;
    *sideways = 0;
    for (int phase = 0; phase < 20; phase++) {
        cn_world *world = make_world(GRAVITY);
        add_floor(world, (cn_material){0});
        double y = 1 + (2 + phase / 20.0) * speed / 60; // from the second step on
        cn_body body =
            add(world, (cn_body_def){.position = point(0, y)}, (cn_shape_def){.hull = hull});
        assert_done(cn_body_set_velocity(world, body, point(0, -speed)));
        for (int i = 0; i < 40; i++) {
            run(world, 1);
            deepest = fmax(deepest, 0.5 - motion_of(world, body).y);
        }
        assert_near(motion_of(world, body).vy, 0, 0.02);
        *sideways = fmax(*sideways, fabs(motion_of(world, body).x));
        cn_world_destroy(world);
    }
    return deepest;
}

static void a_fast_falling_body_does_not_sink_into_the_ground(void **state) {
    (void)state;
    for (double speed = 10; speed < 200; speed *= 1.5) {
        double off = 0, ball = deepest_landing(cn_circle(0.5f), speed, &off),
               box = deepest_landing(cn_box(0.5f, 0.5f), speed, &off);
        if (fmax(ball, box) > 0.01) fail_msg("%g m/s: %g, %g m deep", speed, ball, box);
        assert_near(off, 0, 0.01);
    }
}

// Three rods with a radius of 0.1 m. Because of the joints no rod is in free flight.
static void joined_rods_land_on_the_ground(void **state) {
    (void)state;
    cn_hull rod = cn_capsule(point(-0.3, 0), point(0.3, 0), 0.1f);
    for (int substeps = 4; substeps <= 12; substeps += 8) {
        int deep = 0;
        for (int i = 0; i < 100; i++) {
            cn_world *world = make_world(GRAVITY);
            assert_done(cn_world_set_substeps(world, substeps));
            add_ground(world, WHOLE);
            cn_body rods[3];
            vec2s end = point(0, 4 + 0.003 * i);
            for (int k = 0; k < 3; k++) {
                double angle = 0.6 + 0.06 * i + 1.1 * k;
                vec2s half = point(0.3 * cos(angle), 0.3 * sin(angle)), joint = end;
                cn_body_def def = {.position = glms_vec2_add(joint, half),
                                   .angle = (float)angle,
                                   .velocity = point(3, -4)};
                rods[k] = add(world, def, (cn_shape_def){.hull = rod, .filter = {.group = -1}});
                end = glms_vec2_add(def.position, half);
                if (k == 0) continue;
                cn_joint_def hinge = cn_revolute_joint(world, rods[k - 1], rods[k], joint);
                assert_done(cn_joint_create(world, hinge).id != 0);
            }
            for (int step = 0; step < 150; step++) {
                run(world, 1);
                float lowest = 0;
                for (int k = 0; k < 3; k++)
                    lowest =
                        fminf(lowest, cn_hull_bounds(rod, cn_body_pose(world, rods[k])).lower.y);
                deep += lowest < -0.02f;
            }
            cn_world_destroy(world);
        }
        if (deep > 30) fail_msg("%d substeps: deep in %d steps of 100 falls", substeps, deep);
    }
}

// ---- the search ahead

// In the first step of a world nothing was known of what is ahead: after it an elastic ball was 7
// cm deep.
static void the_first_step_finds_the_ground_ahead(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    const cn_material elastic = {.frictionless = true, .restitution = 1};
    add_floor(world, elastic);
    cn_body ball = add(world, (cn_body_def){.position = point(0, 0.6), .velocity = point(0, -10)},
                       (cn_shape_def){.hull = cn_circle(0.5f), .material = elastic});
    run(world, 1);
    motion m = motion_of(world, ball);
    assert_near(m.vy, 10, 1e-3);
    assert_near(m.y, 0.5 + (1.0 / 60 - 0.01) * 10, 1e-3);
    cn_world_destroy(world);
}

static void the_search_ahead_uses_a_velocity_just_set(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        cn_world *world = make_world(0);
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -1)},
            (cn_shape_def){.hull = cn_box(50, 1)});
        cn_body ball = add(world, (cn_body_def){.position = point(0, 0.6 + 0.015 * i)},
                           (cn_shape_def){.hull = cn_circle(0.5f)});
        run(world, 10);
        assert_done(cn_body_set_velocity(world, ball, point(3, -25)));
        run(world, 1);
        assert_true(motion_of(world, ball).y > 0.49);
        cn_world_destroy(world);
    }
}

// A body that comes towards a floating box gets hardly deeper into it than falling boxes into the
// ground.
static void a_lift_does_not_sink_into_a_floating_box(void **state) {
    (void)state;
    for (int speed = 1; speed <= 16; speed *= 2)
        for (int i = 0; i < 12; i++) {
            cn_world *world = make_world(0);
            cn_body lift =
                add(world, (cn_body_def){.type = CN_KINEMATIC, .velocity = point(0, speed)},
                    (cn_shape_def){.hull = cn_box(5, 0.5f)});
            cn_body box = add(world, (cn_body_def){.position = point(0, 2 + 0.013 * speed * i)},
                              box_of(0.5f));
            double deepest = 0;
            for (int k = 0; k < 2 * 60 / speed; k++) {
                run(world, 1);
                double gap = motion_of(world, box).y - motion_of(world, lift).y - 1;
                deepest = fmax(deepest, -gap);
            }
            if (deepest > 0.01) fail_msg("%g m deep in a lift at %d m/s", deepest, speed);
            cn_world_destroy(world);
        }
}

// A sensor on a kinematic body once counted as ground ahead, which changed the fall of a box
// through it.
static void a_sensor_is_not_ground_ahead(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        double x[2];
        for (int seen = 0; seen < 2; seen++) {
            cn_world *world = make_world(GRAVITY);
            add(world, (cn_body_def){.weightless = true}, (cn_shape_def){.hull = cn_box(3, 0.5f)});
            cn_body_def seer = {.type = CN_KINEMATIC, .position = point(0, 1)};
            cn_shape_def region = {.hull = cn_box(8, 2), .sensor = true};
            if (seen) add(world, seer, region);
            cn_body_def def = {.position = point(0.2 + 0.03 * i, 6 + 0.1 * i)};
            def.angle = 0.1f * (float)(i % 3);
            cn_body box = add(world, def, box_of(0.5f));
            run(world, 120);
            x[seen] = motion_of(world, box).x;
            cn_world_destroy(world);
        }
        assert_near(x[0], x[1], 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_lands_on_any_ground_without_sinking_in),
        cmocka_unit_test(a_box_that_lands_flat_on_a_seam_stays_upright),
        cmocka_unit_test(a_fast_falling_body_does_not_sink_into_the_ground),
        cmocka_unit_test(joined_rods_land_on_the_ground),
        cmocka_unit_test(the_first_step_finds_the_ground_ahead),
        cmocka_unit_test(the_search_ahead_uses_a_velocity_just_set),
        cmocka_unit_test(a_lift_does_not_sink_into_a_floating_box),
        cmocka_unit_test(a_sensor_is_not_ground_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
