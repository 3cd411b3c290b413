/* Changes of a body's type, and bodies that are disabled and enabled again. */
#include "../../support/sleepers.h"

static void a_body_can_change_its_type_at_any_time(void **state) {
    (void)state;
    for (int asleep = 0; asleep < 2; asleep++) {
        cn_world *world = make_sleepy_world(10);
        add_floor(world, (cn_material){0});
        cn_body below = add_box(world, (cn_body_def){.position = point(0, 0.5)});
        cn_body above = add_box(world, (cn_body_def){.position = point(0, 1.5)});
        const cn_body_type types[] = {CN_STATIC,    CN_DYNAMIC, CN_KINEMATIC,
                                      CN_DYNAMIC,   CN_STATIC,  CN_KINEMATIC,
                                      CN_KINEMATIC, CN_STATIC,  CN_DYNAMIC};
        for (int i = 0; i < 9; i++) {
            run(world, asleep ? 90 : 5);
            assert_done(cn_body_set_type(world, below, types[i]));
            assert_int_equal(cn_body_get_type(world, below), types[i]);
            assert_int_equal(cn_body_awake(world, below), types[i] != CN_STATIC);
        }
        run(world, 120);
        assert_near((double)cn_body_position(world, below).y, 0.5, 0.01);
        assert_near((double)cn_body_position(world, above).y, 1.5, 0.02);
        cn_world_destroy(world);
    }
}

static void a_change_of_type_keeps_the_motion(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_shape_def arm = box_of(0.5f);
    arm.hull = cn_hull_at(&arm.hull, cn_pose_at(point(2, 0), 0));
    cn_body body = add(world, (cn_body_def){.angular_velocity = 5}, arm);
    assert_done(cn_body_set_velocity(world, body, point(0, 0)));
    assert_done(cn_body_set_type(world, body, CN_KINEMATIC));
    assert_near((double)cn_body_velocity_at(world, body, point(2, 0)).y, 0, 1e-5);
    assert_done(cn_body_set_type(world, body, CN_DYNAMIC));
    assert_near((double)cn_body_velocity(world, body).y, 0, 1e-5);
    cn_world_destroy(world);
}

static void a_static_body_never_moves(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body body = add_floor(world, (cn_material){0});
    cn_pose before = cn_body_pose(world, body);
    assert_false(cn_body_apply_center_impulse(world, body, point(1, 1)));
    run(world, 60);
    cn_pose after = cn_body_pose(world, body);
    assert_memory_equal(&before, &after, sizeof before);
    cn_world_destroy(world);
}

static void a_disabled_body_keeps_its_state_and_touches_nothing(void **state) {
    (void)state;
    cn_world *world = make_sleepy_world(10);
    add_floor(world, (cn_material){0});
    cn_body below = add_box(world, (cn_body_def){.position = point(0, 0.5)});
    cn_body above = add_box(world, (cn_body_def){.position = point(0, 1.5)});
    run(world, 90);
    assert_done(cn_body_set_enabled(world, below, false));
    assert_false(cn_body_enabled(world, below) || cn_body_awake(world, below));
    assert_done(cn_body_set_velocity(world, below, point(1, 0)));
    double x = (double)cn_body_position(world, below).x;
    run(world, 60);
    assert_near((double)cn_body_position(world, above).y, 0.5, 0.02);
    assert_near((double)cn_body_position(world, below).x, x, 0);
    assert_near((double)cn_body_velocity(world, below).x, 1, 0);

    assert_done(cn_body_set_pose(world, below, point(5, 0.5), 0));
    assert_done(cn_body_set_enabled(world, below, true));
    run(world, 60);
    assert_true((double)cn_body_position(world, below).x > 5.05);
    assert_near((double)cn_body_position(world, below).y, 0.5, 0.01);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_can_change_its_type_at_any_time),
        cmocka_unit_test(a_change_of_type_keeps_the_motion),
        cmocka_unit_test(a_static_body_never_moves),
        cmocka_unit_test(a_disabled_body_keeps_its_state_and_touches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
