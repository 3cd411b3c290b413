/* Continuous collision: fast bodies pass through no wall and no other body, and keep the energy
 * that they should keep. */
#include "../../../support/contacts.h"

enum { PHASES = 20 };

// ---- thin walls

static cn_hull projectile(int i) {
    switch (i) {
    case 0: return cn_box(0.5f, 0.5f);
    case 1: return cn_circle(0.5f);
    case 2: return cn_capsule(point(0, -0.5), point(0, 0.5), 0.25f);
    case 3: return cn_box(0.5f, 0.01f);
    default: return cn_box(0.01f, 0.5f);
    }
}

// True if the body gets behind the wall within some steps after the hit, seen from the wall, which
// may move.
static bool gets_behind(cn_world *world, cn_body body, cn_body wall, double speed) {
    for (int step = 0, after = 0; step < 12 && after < 4; step++) {
        run(world, 1);
        vec2s seen = cn_pose_local_point(cn_body_pose(world, wall), cn_body_position(world, body));
        if (seen.x > 0) return true;
        after += fabs(motion_of(world, body).vx - speed) > 1e-3 * speed;
    }
    return false;
}

// Shoots a body at a wall of 0.1 m, from another place in each phase. Returns how many bodies pass.
static int count_passes(int kind, double speed, double spin, cn_motion_type type, float e) {
    int passes = 0;
    cn_material material = {.restitution = e, .frictionless = true};
    for (int phase = 0; phase < PHASES; phase++) {
        cn_world *world = make_world(0);
        cn_body wall = add(world, (cn_body_def){.type = type, .lock_rotation = true},
                           (cn_shape_def){.hull = cn_box(0.05f, 2), .material = material});
        double x = -1 - speed / 60 * (2 + (double)phase / PHASES);
        cn_body body = add(world,
                           (cn_body_def){.position = point(x, 0.1),
                                         .velocity = point(speed, 0),
                                         .angular_velocity = (float)spin},
                           (cn_shape_def){.hull = projectile(kind), .material = material});
        passes += gets_behind(world, body, wall, speed);
        cn_world_destroy(world);
    }
    return passes;
}

static void check_walls(cn_motion_type type) {
    for (int kind = 0; kind < 5; kind++)
        for (double speed = 10; speed <= 10000; speed *= 10)
            for (int i = 0; i < 3; i++) {
                assert_int_equal(count_passes(kind, speed, 0, type, 0.5f * (float)i), 0);
                if (type == CN_STATIC)
                    assert_int_equal(count_passes(kind, speed, i == 0 ? 30 : 300, type, 0), 0);
            }
}

static void nothing_passes_a_thin_static_wall(void **state) {
    (void)state;
    check_walls(CN_STATIC);
}

static void nothing_passes_a_thin_dynamic_wall(void **state) {
    (void)state;
    check_walls(CN_DYNAMIC);
}

static void boxes_head_on_do_not_pass_each_other(void **state) {
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        cn_world *world = make_world(0);
        double x = 3 + 0.2 * phase;
        cn_body a = add(world, (cn_body_def){.position = point(-x, 0), .velocity = point(100, 0)},
                        (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material = frictionless});
        cn_body b = add(world, (cn_body_def){.position = point(x, 0.1), .velocity = point(-100, 0)},
                        (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material = frictionless});
        run(world, 30);
        assert_true(motion_of(world, a).x < motion_of(world, b).x);
        assert_near(motion_of(world, a).vx + motion_of(world, b).vx, 0, 1e-3);
        cn_world_destroy(world);
    }
}

// A dumbbell with nothing between its two balls. The end of the wall comes between them, and
// neither ball passes the wall.
static void every_shape_of_a_compound_is_swept(void **state) {
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        cn_world *world = make_world(0);
        cn_body wall = add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, 2)},
                           (cn_shape_def){.hull = cn_box(0.05f, 1.5f), .material = frictionless});
        cn_body body = cn_body_create(world, &(cn_body_def){.position = point(-5 - 0.3 * phase, 0),
                                                            .velocity = point(400, 0),
                                                            .lock_rotation = true});
        for (int i = -1; i <= 1; i += 2) {
            cn_hull ball = cn_circle(0.2f);
            ball = cn_hull_at(ball, cn_pose_at(point(0, i), 0));
            assert_done(cn_shape_create(world, body,
                                        &(cn_shape_def){.hull = ball, .material = frictionless})
                            .id);
        }
        run(world, 10);
        assert_true(motion_of(world, body).x < cn_body_position(world, wall).x);
        cn_world_destroy(world);
    }
}

// ---- after the hit

// In the step after the impact the body has its new velocity and moves by it.
static void the_energy_after_a_hit_is_that_of_the_restitution(void **state) {
    (void)state;
    for (int i = 0; i < 3 * PHASES; i++) {
        double e = 0.5 * (i % 3), speed = 1000;
        cn_world *world = make_world(0);
        cn_material material = {.restitution = (float)e, .frictionless = true};
        add(world, (cn_body_def){.type = CN_STATIC},
            (cn_shape_def){.hull = cn_box(0.05f, 2), .material = material});
        cn_body ball = add(
            world, (cn_body_def){.position = point(-5 - 0.9 * i, 0), .velocity = point(speed, 0)},
            (cn_shape_def){.hull = cn_circle(0.5f), .material = material});
        for (int k = 0; k < 12; k++) {
            motion before = motion_of(world, ball);
            run(world, 1);
            motion after = motion_of(world, ball);
            assert_true(before.vx <= 0 || after.x > before.x + 1e-3 || after.vx <= 0);
            if (before.vx < -1) assert_near(after.x, before.x + seconds_of(1) * before.vx, 0.01);
        }
        assert_near(motion_of(world, ball).vx, -e * speed, 1e-3 * speed);
        cn_world_destroy(world);
    }
}

// A body that the sweep stopped got back the speed that gravity takes on the rest of its path.
static void a_body_stopped_by_the_sweep_keeps_to_its_speed_limit(void **state) {
    (void)state;
    cn_world *world = make_world(100);
    add(world, (cn_body_def){.position = point(0, 1), .weightless = true},
        (cn_shape_def){.hull = cn_box(1, 0.005f), .density = 1000});
    for (int i = 0; i < 20; i++) {
        cn_body_def def = {.position = point(0, 0.9 + 0.004 * i), .velocity = point(0, 4)};
        def.max_speed = 4;
        cn_body ball = add(world, def, (cn_shape_def){.hull = cn_circle(0.01f)});
        vec2s thrust = point(0, 500 * mass_of(world, ball));
        assert_done(cn_body_apply_force_at(world, ball, thrust, cn_body_center(world, ball)));
        run(world, 1);
        motion m = motion_of(world, ball);
        if (hypot(m.vx, m.vy) > 4.001) fail_msg("%g m/s, from %g", m.vy, (double)def.position.y);
        assert_done(cn_body_destroy(world, ball));
    }
    cn_world_destroy(world);
}

// The fast body is stopped short of the slow one, which moves on for the rest of the step.
static void a_fast_body_hits_a_slower_one_that_it_follows(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 300; i++) {
        double fast = random_between(&seed, 20, 300), slow = random_between(&seed, 1, 15);
        float r = (float)random_between(&seed, 0.05, 0.5),
              q = (float)random_between(&seed, 0.05, 0.5);
        cn_world *world = make_world(0);
        cn_body follower = add(world, (cn_body_def){.velocity = point(fast, 0), .bullet = i % 2},
                               (cn_shape_def){.hull = i % 3 ? cn_circle(r) : cn_box(r, r)});
        add(world, (cn_body_def){.position = point(3, 0), .velocity = point(slow, 0)},
            (cn_shape_def){.hull = i % 5 ? cn_circle(q) : cn_box(q, q)});
        run(world, (int)(3 / (fast - slow) / STEP) + 6);
        if (motion_of(world, follower).vx > fast - 0.1)
            fail_msg("trial %d: %g m/s follows %g m/s", i, fast, slow);
        cn_world_destroy(world);
    }
}

static void a_bullet_stops_short_of_deep_overlap(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add(world, (cn_body_def){.type = CN_STATIC},
        (cn_shape_def){.hull = cn_box(0.05f, 2), .material = frictionless});
    cn_body box = add(world, (cn_body_def){.position = point(-2, 0), .bullet = true},
                      (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material = frictionless});
    assert_true(cn_body_bullet(world, box));
    assert_done(cn_body_set_velocity(world, box, point(25, 0)));
    for (int i = 0; i < 20; i++) {
        run(world, 1);
        assert_true(motion_of(world, box).x < -0.55 + 0.1);
    }
    uint64_t hash = cn_world_hash(world);
    assert_done(cn_body_set_bullet(world, box, false));
    assert_false(cn_body_bullet(world, box));
    assert_true(cn_world_hash(world) != hash);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_a_thin_static_wall),
        cmocka_unit_test(nothing_passes_a_thin_dynamic_wall),
        cmocka_unit_test(boxes_head_on_do_not_pass_each_other),
        cmocka_unit_test(every_shape_of_a_compound_is_swept),
        cmocka_unit_test(the_energy_after_a_hit_is_that_of_the_restitution),
        cmocka_unit_test(a_body_stopped_by_the_sweep_keeps_to_its_speed_limit),
        cmocka_unit_test(a_fast_body_hits_a_slower_one_that_it_follows),
        cmocka_unit_test(a_bullet_stops_short_of_deep_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
