/* Conveyor belts: shapes with a surface speed. */
#include "../../../support/games.h"

static cn_body add_belt(cn_world *world, float speed, cn_body_def def) {
    return add(world, def,
               (cn_shape_def){.hull = cn_box(100, 1), .material = {.surface_speed = speed}});
}

static void a_belt_carries_a_box_at_its_speed(void **state) {
    (void)state;
    const float speeds[] = {2, -3, 0.1f};
    for (int i = 0; i < COUNT(speeds); i++) {
        cn_world *world = make_world(GRAVITY);
        add_belt(world, speeds[i], (cn_body_def){.type = CN_STATIC, .position = point(0, -1)});
        cn_body box = throw(world, crate(), point(0, 0.5), point(0, 0));
        cn_body rod = throw(world, pill(), point(5, 0.5), point(0, 0));
        cn_body tread = add(
            world, (cn_body_def){.position = point(-5, 0.5)},
            (cn_shape_def){.hull = crate(), .material = {.friction = 0.6f, .surface_speed = 1}});
        run(world, 120);
        assert_near(motion_of(world, box).vx, (double)speeds[i], 1e-3);
        assert_near(motion_of(world, rod).vx, (double)speeds[i], 1e-3);
        assert_near(motion_of(world, tread).vx, (double)speeds[i] + 1, 1e-3); // speeds add up
        cn_world_destroy(world);
    }
}

// Friction with the impulse J gives v = J / m and w r = J r^2 / I = 2 v. The belt's speed is 3 v.
static void a_belt_sets_a_circle_rolling(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_belt(world, 3, (cn_body_def){.type = CN_STATIC, .position = point(0, -1)});
    cn_body body = add_ball(world, 0, 0.5);
    run(world, 120);
    assert_near(motion_of(world, body).vx, 1, 0.01);
    assert_near(motion_of(world, body).w, 4, 0.04);
    cn_world_destroy(world);
}

// The upper side moves to the right, the right side down, the lower side to the left, the left side
// up.
static void a_belt_runs_clockwise(void **state) {
    (void)state;
    const vec2s sides[] = {{{0, 1}}, {{1, 0}}, {{0, -1}}, {{-1, 0}}};
    for (int i = 0; i < 4; i++) {
        vec2s n = sides[i];
        cn_world *world = make_world(0);
        assert_done(cn_world_set_gravity(world, point(-10 * (double)n.x, -10 * (double)n.y)));
        add(world, (cn_body_def){.type = CN_STATIC},
            (cn_shape_def){.hull = cn_box(20, 20), .material = {.surface_speed = 2}});
        cn_body body =
            throw(world, crate(), point(20.5 * (double)n.x, 20.5 * (double)n.y), point(0, 0));
        run(world, 120);
        vec2s v = cn_body_velocity(world, body);
        assert_near((double)v.x, 2 * (double)n.y, 1e-3);
        assert_near((double)v.y, -2 * (double)n.x, 1e-3);
        cn_world_destroy(world);
    }
}

static void belts_may_be_tilted_and_move(void **state) {
    (void)state;
    for (int moving = 0; moving < 2; moving++)
        for (double angle = -0.4; angle < 0.5; angle += 0.2) {
            cn_world *world = make_world(GRAVITY);
            cn_pose pose = cn_pose_at(point(0, 0), (float)angle);
            cn_body_def def = {.type = moving ? CN_KINEMATIC : CN_STATIC, .angle = (float)angle};
            if (moving) def.velocity = point(1, 0.5);
            add_belt(world, 2, def);
            cn_body body = add(world,
                               (cn_body_def){.position = cn_pose_point(pose, point(0, 1.5)),
                                             .angle = (float)angle},
                               (cn_shape_def){.hull = crate()});
            run(world, 120);
            vec2s v = cn_body_velocity(world, body), belt = cn_pose_point(pose, point(2, 0));
            assert_near((double)v.x, (double)(belt.x + def.velocity.x), 5e-3);
            assert_near((double)v.y, (double)(belt.y + def.velocity.y), 5e-3);
            cn_world_destroy(world);
        }
}

static void the_speed_of_a_belt_can_change_at_any_time(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_no_sleep(world, false));
    cn_shape belt = first_shape(world, add_floor(world, (cn_material){0}));
    cn_body body = throw(world, crate(), point(0, 0.5), point(0, 0));
    const float speeds[] = {0, 2, 0.03f, -1, 0, 3}; // 0.03 is below the sleep speed
    for (int i = 0; i < COUNT(speeds); i++) {
        cn_material material = cn_shape_material(world, belt);
        material.surface_speed = speeds[i];
        assert_done(cn_shape_set_material(world, belt, material));
        run(world, 150);
        assert_int_equal(!cn_body_asleep(world, body), speeds[i] != 0);
        assert_near(motion_of(world, body).vx, (double)speeds[i], 1e-3);
    }
    cn_world_destroy(world);
}

static void a_floor_becomes_a_belt_under_a_body_that_is_awake(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_shape floor = first_shape(world, add_floor(world, (cn_material){.friction = 0.6f}));
    cn_body body = throw(world, crate(), point(0, 0.5), point(0, 0));
    run(world, 60);
    cn_material material = cn_shape_material(world, floor);
    material.surface_speed = 2;
    assert_done(cn_shape_set_material(world, floor, material));
    run(world, 60);
    assert_near(motion_of(world, body).vx, 2, 1e-3);
    cn_world_destroy(world);
}

// The speed of the box is below the sleep speed. A box that is stopped on the belt falls asleep.
static void a_box_on_a_slow_belt_stays_awake(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_no_sleep(world, false));
    add_belt(world, 0.03f, (cn_body_def){.type = CN_STATIC, .position = point(0, -1)});
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(6, 0.5)},
        (cn_shape_def){.hull = crate()});
    cn_body carried = throw(world, crate(), point(0, 0.5), point(0, 0));
    cn_body stopped = throw(world, crate(), point(5, 0.5), point(0, 0));
    run(world, 300);
    assert_true(!cn_body_asleep(world, carried));
    assert_false(!cn_body_asleep(world, stopped));
    assert_done(cn_body_set_asleep(world, carried, true)); // possible, as on any other belt
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_carries_a_box_at_its_speed),
        cmocka_unit_test(a_belt_sets_a_circle_rolling),
        cmocka_unit_test(a_belt_runs_clockwise),
        cmocka_unit_test(belts_may_be_tilted_and_move),
        cmocka_unit_test(the_speed_of_a_belt_can_change_at_any_time),
        cmocka_unit_test(a_floor_becomes_a_belt_under_a_body_that_is_awake),
        cmocka_unit_test(a_box_on_a_slow_belt_stays_awake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
