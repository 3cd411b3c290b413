/* Kinematic bodies: they move by their velocity only, reach their targets in time, and carry and
 * push dynamic bodies. */
#include "../../../support/contacts.h"
#include "../../../support/single_body.h"
#include "../../../support/small_world.h"

// ---- motion

static void a_kinematic_body_moves_only_by_its_velocity(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add(world,
                       (cn_body_def){.type = CN_KINEMATIC,
                                     .velocity = {{1, -2}},
                                     .angular_velocity = 0.5f,
                                     .linear_damping = 3},
                       brick());
    assert_false(cn_body_apply_force(world, body, point(1, 1)));
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    run(world, 120);
    double t = seconds_of(120);
    assert_near(motion_of(world, body).x, t, 1e-5);
    assert_near(motion_of(world, body).y, -2 * t, 1e-5);
    assert_near(motion_of(world, body).angle, 0.5 * t, 1e-5);
    cn_world_destroy(world);
}

// The shape is off the origin, so the origin and the centre of mass have different paths.
static void a_kinematic_body_reaches_its_target(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = cn_body_create(
        world, &(cn_body_def){.type = CN_KINEMATIC, .angle = (float)(170 * PI / 180)});
    add_at(world, body, cn_box(1, 0.25f), point(2, 0), 0, 1);
    float angle = (float)(-170 * PI / 180);
    assert_done(cn_body_set_target(world, body, cn_pose_at(point(1, 2), angle), 0.5f));
    assert_near(motion_of(world, body).w, 40 * PI / 180, 1e-4); // it turns by the smaller angle
    run(world, 30);
    assert_near((double)cn_body_position(world, body).x, 1, 1e-4);
    assert_near((double)cn_body_position(world, body).y, 2, 1e-4);
    assert_near(angle_from((double)angle, motion_of(world, body).angle), 0, 1e-5);
    cn_world_destroy(world);
}

static void a_target_is_reached_in_the_given_time(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_hull box = cn_box(1, 1), aside = cn_hull_at(box, cn_pose_at(point(2, 1), 0));
    cn_body body =
        add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(3, 4), .angle = 3},
            (cn_shape_def){.hull = aside});
    const double x[] = {5, 5, -100, 0}, angle[] = {-3, -3, 1, 0};
    for (int i = 0; i < 4; i++) {
        vec2s target = point(x[i], 2);
        assert_done(
            cn_body_set_target(world, body, cn_pose_at(target, (float)angle[i]), 30 * STEP));
        double w = (double)cn_body_angular_velocity(world, body);
        assert_true(fabs(w) * 30 * (double)STEP < PI + 1e-3); // it turns by the smaller angle
        run(world, 30);
        vec2s position = cn_body_position(world, body);
        assert_near((double)position.x, x[i], 1e-3);
        assert_near((double)position.y, 2, 1e-3);
        assert_near(angle_from((double)cn_body_angle(world, body), angle[i]), 0, 1e-3);
    }
    cn_world_destroy(world);
}

static void a_target_already_reached_gives_zero_velocity(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_hull box = cn_box(1, 1), aside = cn_hull_at(box, cn_pose_at(point(2, 1), 0));
    for (int i = 0; i < 50; i++) {
        vec2s at = point(1000.0 / (i + 1), 0.1 * i);
        float angle = 0.37f * (float)i;
        cn_body body =
            add(world, (cn_body_def){.type = CN_KINEMATIC, .position = at, .angle = angle},
                (cn_shape_def){.hull = aside});
        assert_done(cn_body_set_target(world, body, cn_pose_at(at, angle), STEP));
        assert_vector(cn_body_velocity(world, body), 0, 0);
        assert_true(cn_body_velocity(world, body).x == 0 && cn_body_velocity(world, body).y == 0);
        assert_true(cn_body_angular_velocity(world, body) == 0);
    }
    cn_world_destroy(world);
}

// ---- carrying and pushing

static void a_moving_platform_carries_a_box(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body platform = add(world, (cn_body_def){.type = CN_KINEMATIC, .velocity = {{1, 0}}},
                           (cn_shape_def){.hull = cn_box(5, 0.5f)});
    cn_body box = add_hull(world, 0, 1, cn_box(0.5f, 0.5f), (cn_material){.friction = 0.3f}, 1);
    run(world, 120);
    double mu = sqrt(0.3 * 0.6), lag = 1 / (2 * mu * GRAVITY); // v^2 / (2 a)
    assert_near(motion_of(world, box).vx, 1, 0.01);
    assert_near(motion_of(world, box).x - motion_of(world, platform).x, -lag, 0.03);
    assert_true(motion_of(world, platform).vx == 1);
    cn_world_destroy(world);
}

static void a_lift_raises_a_box(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body lift = add(world, (cn_body_def){.type = CN_KINEMATIC, .velocity = {{0, 1}}},
                       (cn_shape_def){.hull = cn_box(5, 0.5f)});
    cn_body box = add_hull(world, 0, 1, cn_box(0.5f, 0.5f), (cn_material){0}, 1);
    run(world, 60);
    for (int i = 0; i < 120; i++) {
        run(world, 1);
        assert_near(motion_of(world, box).y - motion_of(world, lift).y, 1, 0.01);
        assert_near(motion_of(world, box).vy, 1, 0.02);
    }
    cn_world_destroy(world);
}

// The limits for pressed bodies do not apply to the load of a lift, however large it is.
static void a_lift_bears_a_heavy_load_on_ten_boxes(void **state) {
    (void)state;
    enum { BOXES = 11 };
    cn_world *world = make_world(10);
    cn_body_def def = {.position = point(0, -0.5), .velocity = point(0, 2)};
    def.type = CN_KINEMATIC;
    cn_body boxes[BOXES], lift = add(world, def, (cn_shape_def){.hull = cn_box(20, 0.5f)});
    for (int i = 0; i < BOXES; i++) {
        cn_shape_def shape = box_of(0.5f);
        shape.density = i < BOXES - 1 ? 1 : 100;
        boxes[i] = add(world, (cn_body_def){.position = point(0, 0.5 + i)}, shape);
    }
    for (int i = 0; i < 600; i++) {
        if (i == 180) assert_done(cn_body_set_velocity(world, lift, point(0, 0)));
        run(world, 1);
    }
    motion top = motion_of(world, boxes[BOXES - 1]), base = motion_of(world, lift);
    if (fabs(top.x) > 0.2 || top.y - base.y < 10) fail_msg("at %g, %g", top.x, top.y - base.y);
    cn_world_destroy(world);
}

static void a_pusher_is_not_stopped_by_a_heavy_box(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body pusher = add(
        world, (cn_body_def){.type = CN_KINEMATIC, .position = {{-2, 0.6f}}, .velocity = {{1, 0}}},
        (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material = {.frictionless = true}});
    cn_body box = add_hull(world, 0, 0.5, cn_box(0.5f, 0.5f), (cn_material){0}, 1000);
    run(world, 180);
    assert_near(motion_of(world, pusher).x, 1, 1e-4);
    assert_near(motion_of(world, box).vx, 1, 0.02);
    assert_near(motion_of(world, box).x - motion_of(world, pusher).x, 1, 0.02);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kinematic_body_moves_only_by_its_velocity),
        cmocka_unit_test(a_kinematic_body_reaches_its_target),
        cmocka_unit_test(a_target_is_reached_in_the_given_time),
        cmocka_unit_test(a_target_already_reached_gives_zero_velocity),
        cmocka_unit_test(a_moving_platform_carries_a_box),
        cmocka_unit_test(a_lift_raises_a_box),
        cmocka_unit_test(a_lift_bears_a_heavy_load_on_ten_boxes),
        cmocka_unit_test(a_pusher_is_not_stopped_by_a_heavy_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
