/* What hardly anybody does, and what then must be true; each was not. */
#include "movers.h"
#include "refuse.h"

static cn_body add_hull(cn_world *world, cn_body_type type, vec2s position, cn_hull hull) {
    return add(world, (cn_body_def){.type = type, .position = position},
               (cn_shape_def){.hull = hull});
}

// A gap just above the speculative margin closes slowly: after a second it will have turned by no number.
static void no_spin_is_too_fast_for_a_near_miss(void **state) {
    (void)state;
    for (int i = 0; i < 200; i++) {
        cn_world *world = make_world(0);
        double gap = 0.02 + (i % 20 + 1) * 2e-6 * (1 << i / 20);
        add_hull(world, CN_STATIC, point(0, 0), cn_box(10, 1));
        cn_body box = add_hull(world, CN_DYNAMIC, point(0, 1.5 + gap), cn_box(0.5f, 0.5f));
        assert_done(cn_body_set_velocity(world, box, point(0, -72 * (gap - 0.02))));
        assert_done(cn_body_set_angular_velocity(world, box, 3e38f));
        run(world, 1);
        cn_world_destroy(world);
    }
}

// Else it would sleep alone, and the joint hold nobody.
static void who_was_joined_is_not_put_to_sleep_before_the_next_step(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = point(0, -10)});
    cn_body a = add_hull(world, CN_DYNAMIC, point(0, 5), cn_box(0.4f, 0.4f));
    cn_body b = add_hull(world, CN_DYNAMIC, point(1, 5), cn_box(0.4f, 0.4f));
    cn_joint_def weld = cn_weld_joint(world, a, b, point(0.5, 5));
    cn_joint joint = cn_joint_create(world, &weld);
    watched = world;
    REFUSES(CN_ERROR_STATE, cn_body_set_awake(world, a, false));
    watched = NULL;
    run(world, 60);
    assert_near((double)cn_joint_value(world, joint, CN_JOINT_Y), 0, 1e-3);
    assert_near(motion_of(world, a).y, motion_of(world, b).y, 1e-3);
    cn_world_destroy(world);
}

static void what_holds_no_dynamic_body_is_coupled_with_nothing(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body ground = add_static(world);
    cn_body wheel = add_hull(world, CN_KINEMATIC, point(0, 0), cn_circle(1));
    cn_body gear = add_hull(world, CN_DYNAMIC, point(5, 0), cn_circle(1));
    cn_joint_def def = cn_revolute_joint(world, ground, wheel, point(0, 0));
    cn_joint of_wheel = cn_joint_create(world, &def);
    def = cn_revolute_joint(world, ground, gear, point(5, 0));
    cn_joint of_gear = cn_joint_create(world, &def);
    cn_coupling coupling = {of_wheel, CN_JOINT_ANGLE, CN_JOINT_ANGLE, 1, false};
    watched = world;
    REFUSES(CN_ERROR_STATE, cn_joint_set_coupling(world, of_gear, coupling));
    watched = NULL;
    cn_world_destroy(world);
}

static void segments_of_a_dynamic_body_have_two_sides(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    const vec2s points[] = {point(5, 0), point(-5, 0)};
    assert_done(cn_chain_create(world, body, &(cn_chain_def){.points = points, .count = 2}).id !=
                0);
    assert_done(cn_body_set_mass(world, body, (cn_mass){1000, 1000, point(0, 0)}));
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

// Where another was before, or it before it was put here, does not count.
static void a_body_put_into_a_one_way_platform_passes_it(void **state) {
    (void)state;
    for (int how = 0; how < 3; how++) {
        cn_world *world = make_world(0);
        cn_shape_def platform = {.hull = cn_box(5, 0.1f), .one_way = point(0, 1)};
        add(world, (cn_body_def){.type = CN_STATIC}, platform);
        cn_body_def def = {.position = point(100, 50), .velocity = point(0, -60)};
        cn_body body = add(world, def, box_of(0.4f));
        run(world, 1);
        if (how > 0) assert_done(cn_body_destroy(world, body));
        if (how > 0) run(world, how - 1);
        if (how > 0) body = add(world, (cn_body_def){.position = point(0, -0.2)}, box_of(0.4f));
        assert_done(cn_body_set_pose(world, body, point(0, -0.2), 0));
        assert_done(cn_body_set_velocity(world, body, point(0, 0)));
        run(world, 30);
        assert_near(motion_of(world, body).y, -0.2, 1e-6);
        cn_world_destroy(world);
    }
}

// Two motors side by side, one of them beyond measure.
static void a_strong_motor_changes_nothing_for_its_neighbour(void **state) {
    (void)state;
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        cn_world *world = cn_world_create(&(cn_world_def){.lanes = i ? 2 << i : 1});
        for (int k = 0; world && k < 2; k++) {
            cn_body body = add_hull(world, CN_DYNAMIC, point(5 * k, 0), cn_box(0.5f, 0.5f));
            cn_joint_def def = cn_motor_joint(world, add_static(world), body, k ? 1e30f : 10, 1);
            def.x.speed = k ? 1e9f : 5;
            if (k) assert_done(cn_body_set_mass(world, body, (cn_mass){1e12f, 1e12f, point(0, 0)}));
            assert_done(cn_joint_create(world, &def).id != 0);
        }
        if (world) run(world, 3);
        hashes[i] = world ? cn_world_hash(world) : hashes[0]; // this machine has fewer lanes
        assert_int_equal(hashes[i], hashes[0]);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_spin_is_too_fast_for_a_near_miss),
        cmocka_unit_test(who_was_joined_is_not_put_to_sleep_before_the_next_step),
        cmocka_unit_test(what_holds_no_dynamic_body_is_coupled_with_nothing),
        cmocka_unit_test(segments_of_a_dynamic_body_have_two_sides),
        cmocka_unit_test(a_body_put_into_a_one_way_platform_passes_it),
        cmocka_unit_test(a_strong_motor_changes_nothing_for_its_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
