/* Locked coordinates of a body: a locked body takes no velocity, and collides like a body of
 * infinite mass along its locks. */
#include "../../../support/contacts.h"
#include "../../../support/single_body.h"
#include "../../../support/sleepers.h"
#include "../../../support/small_world.h"

// ---- velocities and forces

static void a_locked_axis_does_not_move(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body x = add(world, (cn_body_def){.position = {{0.1f, 0}}, .lock_x = true}, brick());
    cn_body y = add(world, (cn_body_def){.position = {{9, 0.1f}}, .lock_y = true}, brick());
    vec2s start_x = cn_body_position(world, x), start_y = cn_body_position(world, y);
    for (int i = 0; i < 60; i++) {
        assert_done(cn_body_apply_force(world, x, point(50, 0)));
        assert_done(cn_body_apply_force(world, y, point(2, 0)));
        run(world, 1);
    }
    double t = seconds_of(60);
    assert_true(cn_body_position(world, x).x == start_x.x);
    assert_true(cn_body_position(world, y).y == start_y.y);
    assert_near(motion_of(world, x).y, -GRAVITY * t * t / 2, 1e-4);
    assert_near(motion_of(world, y).x - 9, 2 / mass_of(world, y) * t * t / 2, 1e-4);
    cn_world_destroy(world);
}

static void a_locked_rotation_does_not_turn(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){.angle = 0.5f, .lock_rotation = true}, brick());
    float angle = cn_body_angle(world, body);
    assert_done(cn_body_apply_impulse_at(world, body, point(0, 1), point(3, 0)));
    assert_done(cn_body_apply_torque(world, body, 10));
    run(world, 60);
    assert_true(motion_of(world, body).w == 0 && cn_body_angle(world, body) == angle);
    assert_near(motion_of(world, body).y, seconds_of(60) / mass_of(world, body), 1e-5);
    assert_done(cn_body_set_locks(world, body, false, false, false));
    assert_done(cn_body_apply_angular_impulse(world, body, 1));
    assert_near(motion_of(world, body).w, 1 / inertia_of(world, body), 1e-5);
    cn_world_destroy(world);
}

static void locked_axes_take_no_velocity(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body_def def = {.velocity = point(1, 2), .angular_velocity = 3, .lock_x = true};
    def.lock_rotation = true;
    cn_body body = add_box(world, def);
    assert_vector(cn_body_velocity(world, body), 0, 2);
    assert_done(cn_body_apply_impulse_at(world, body, point(5, 1), point(0.5, 0.5)));
    assert_vector(cn_body_velocity(world, body), 0, 3);
    assert_near((double)cn_body_angular_velocity(world, body), 0, 0);
    assert_done(cn_body_apply_force_at(world, body, point(100, 0), point(0.5, 0.5)));
    run(world, 30);
    assert_near((double)cn_body_position(world, body).x, 0, 0);
    assert_near((double)cn_body_angle(world, body), 0, 0);

    assert_done(cn_body_set_locks(world, body, false, true, false));
    assert_vector(cn_body_velocity(world, body), 0, 0);
    bool x, y, rotation;
    cn_body_locks(world, body, &x, &y, &rotation);
    assert_true(!x && y && !rotation);
    assert_done(cn_body_apply_impulse_at(world, body, point(0, 1), point(0.5, 0)));
    assert_true(cn_body_angular_velocity(world, body) > 0);
    cn_world_destroy(world);
}

// ---- contacts

static void a_locked_box_does_not_tip(void **state) {
    (void)state;
    slope s = make_slope(40 * PI / 180, cn_box(0.2f, 1), 1, 0.5); // too slender to stand by itself
    assert_done(cn_body_set_locks(s.world, s.body, false, false, true));
    float angle = cn_body_angle(s.world, s.body);
    run(s.world, 60);
    assert_true(cn_body_angle(s.world, s.body) == angle);
    assert_true(speed_downhill(&s) > 1);
    cn_world_destroy(s.world);
}

static void a_pinned_body_bears_any_load(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body_def pinned = {.lock_x = true, .lock_y = true, .lock_rotation = true};
    cn_body shelf = add(world, pinned, box_of(1));
    cn_shape_def heavy = box_of(1);
    heavy.density = 100;
    cn_body load = add(world, (cn_body_def){.position = point(0, 2)}, heavy);
    run(world, 240);
    assert_near((double)cn_body_position(world, load).y, 2, 0.01);
    assert_near((double)cn_body_position(world, shelf).y, 0, 0);
    cn_world_destroy(world);
}

// A thin body that was stopped too deep in a slope was moved out along the normal of the slope.
static void a_locked_body_that_hits_a_slope_keeps_its_coordinate(void **state) {
    (void)state;
    for (int i = 0; i < 60; i++) {
        cn_world *world = make_world(30);
        cn_body_def ramp = {.type = CN_STATIC, .angle = 0.05f + 0.07f * (float)(i % 20)};
        add(world, ramp, (cn_shape_def){.hull = cn_box(30, 1)});
        cn_body_def def = {.position = point(0.3, 8), .lock_x = true};
        cn_body plate = add(world, def, (cn_shape_def){.hull = cn_box(0.5f, 0.02f)});
        for (int k = 0; k < 60; k++) {
            if (k % 20 == 0) assert_done(cn_body_set_velocity(world, plate, point(0, -50 - i)));
            run(world, 1);
            assert_near(motion_of(world, plate).x, (double)0.3f, 0);
        }
        cn_world_destroy(world);
    }
}

static void a_locked_body_created_deep_in_others_keeps_its_coordinate(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add(world, (cn_body_def){.type = CN_STATIC}, box_of(1));
    cn_body_def locked = {.position = point(1.2, 0), .lock_x = true, .weightless = true};
    cn_body box = add(world, locked, box_of(0.5f));
    add(world, (cn_body_def){.position = point(1.4, 0.1)}, box_of(0.5f));
    run(world, 60);
    assert_near(motion_of(world, box).x, (double)1.2f, 0);
    cn_world_destroy(world);
}

// ---- bounces

// The impulse was computed for the free mass, and the lock took its part away: a paddle of the
// puck's mass returned a tenth of the speed.
static void a_locked_paddle_returns_a_bounce(void **state) {
    (void)state;
    const cn_material elastic = {.frictionless = true, .restitution = 1};
    for (int i = 0; i < 6; i++) {
        bool sideways = i >= 3;
        const float density[] = {0.25f, 1, 4};
        cn_world *world = make_world(0);
        cn_shape_def bar = {.hull = cn_box(1, 1), .density = density[i % 3], .material = elastic};
        cn_body_def def = {.lock_rotation = true, .lock_x = sideways, .lock_y = !sideways};
        cn_body paddle = add(world, def, bar);
        cn_body puck = add(world,
                           (cn_body_def){.position = sideways ? point(3, 0.6) : point(0.6, 3),
                                         .velocity = sideways ? point(-10, 3) : point(3, -10)},
                           (cn_shape_def){.hull = cn_circle(0.5f), .material = elastic});
        run(world, 30);
        assert_vector(cn_body_velocity(world, puck), sideways ? 10 : 3, sideways ? 3 : 10);
        assert_vector(cn_body_velocity(world, paddle), 0, 0);
        cn_world_destroy(world);
    }
}

static void a_bounce_on_a_tilted_box_that_is_locked_keeps_its_energy(void **state) {
    (void)state;
    const cn_material elastic = {.frictionless = true, .restitution = 1};
    cn_world *world = make_world(0);
    cn_body box = add(world, (cn_body_def){.angle = 0.5f, .lock_y = true, .lock_rotation = true},
                      (cn_shape_def){.hull = cn_box(1, 1), .material = elastic});
    add(world, (cn_body_def){.position = point(-4, 0), .velocity = point(5, 0)},
        (cn_shape_def){.hull = cn_circle(0.5f), .material = elastic});
    double before = cn_world_energy(world).kinetic;
    run(world, 120);
    assert_true(motion_of(world, box).vx > 1);
    assert_near(cn_world_energy(world).kinetic, before, 1e-4 * before);
    cn_world_destroy(world);
}

// A disc takes a third of the speed of its rim from a wall that does not yield.
static void a_locked_box_returns_a_spin(void **state) {
    (void)state;
    const cn_material rough = {.friction = 2, .restitution = 0.5f};
    for (int i = 0; i < 6; i++) {
        bool sideways = i & 1;
        const float density[] = {0.25f, 1, 4};
        cn_world *world = make_world(0);
        cn_shape_def bar = {.hull = cn_box(1, 1), .density = density[i / 2], .material = rough};
        cn_body_def def = {.lock_rotation = true, .lock_x = !sideways, .lock_y = sideways};
        add(world, def, bar);
        cn_body_def spinning = {.position = sideways ? point(3, 0) : point(0, 3),
                                .velocity = sideways ? point(-10, 0) : point(0, -10),
                                .angular_velocity = 10};
        cn_body disc =
            add(world, spinning, (cn_shape_def){.hull = cn_circle(0.5f), .material = rough});
        run(world, 30);
        motion m = motion_of(world, disc);
        assert_near(sideways ? m.vy : m.vx, sideways ? 5 / 3.0 : -5 / 3.0, 0.01);
        assert_near(m.w, 10 / 3.0, 0.01);
        cn_world_destroy(world);
    }
}

// Friction takes some energy. A lock turns a part of the normal impulse into a slip, and friction
// must take this slip into account.
static void no_bounce_on_a_locked_box_gains_energy(void **state) {
    (void)state;
    uint64_t seed = 1;
    const cn_material rough = {.friction = 0.8f, .restitution = 1};
    int moved = 0;
    for (int i = 0; i < 400; i++) {
        cn_world *world = make_world(0);
        cn_body_def locked = {.angle = (float)random_between(&seed, 0, PI), .lock_x = i & 1};
        locked.lock_y = !locked.lock_x, locked.lock_rotation = i & 2;
        cn_shape_def square = {.hull = cn_box(1, 1), .material = rough};
        square.density = (float)random_between(&seed, 0.2, 4);
        cn_body box = add(world, locked, square);
        double vx = random_between(&seed, -10, 10), vy = random_between(&seed, -10, 0);
        cn_body_def flying = {.position = point(-0.3 * vx, 3 - 0.1 * vy),
                              .velocity = point(vx, vy)};
        flying.angular_velocity = (float)random_between(&seed, -20, 20);
        add(world, flying, (cn_shape_def){.hull = cn_circle(0.5f), .material = rough});
        double before = cn_world_energy(world).kinetic;
        run(world, 60);
        motion m = motion_of(world, box);
        moved += fabs(m.vx) + fabs(m.vy) + fabs(m.w) > 1e-6;
        double gain = cn_world_energy(world).kinetic / before - 1;
        if (gain > 1e-3) fail_msg("bounce %d: %+.2f %% of the energy", i, 100 * gain);
        cn_world_destroy(world);
    }
    assert_in_range(moved, 150, 400);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_locked_axis_does_not_move),
        cmocka_unit_test(a_locked_rotation_does_not_turn),
        cmocka_unit_test(locked_axes_take_no_velocity),
        cmocka_unit_test(a_locked_box_does_not_tip),
        cmocka_unit_test(a_pinned_body_bears_any_load),
        cmocka_unit_test(a_locked_body_that_hits_a_slope_keeps_its_coordinate),
        cmocka_unit_test(a_locked_body_created_deep_in_others_keeps_its_coordinate),
        cmocka_unit_test(a_locked_paddle_returns_a_bounce),
        cmocka_unit_test(a_bounce_on_a_tilted_box_that_is_locked_keeps_its_energy),
        cmocka_unit_test(a_locked_box_returns_a_spin),
        cmocka_unit_test(no_bounce_on_a_locked_box_gains_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
