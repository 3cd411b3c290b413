/* Limits and ratchets of joints. */
#include "../../../support/joints.h"

static void limits_hold(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body anchor = add_anchor(world, 0, 0), disc = add_disc(world, 1, 0, 1);
    cn_joint_def def = cn_revolute_joint(world, anchor, disc, point(0, 0));
    def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.5f, .upper = 0.25f};
    cn_joint joint = join(world, def);
    double lowest = 0;
    for (int i = 0; i < 120; i++) {
        run(world, 1);
        lowest = fmin(lowest, value_of(world, joint, CN_JOINT_ANGLE));
    }
    print_message("limit: overshoot %.2f degrees\n", (-0.5 - lowest) * 180 / PI);
    assert_true(lowest > -0.55);
    run(world, 300);
    assert_near(value_of(world, joint, CN_JOINT_ANGLE), -0.5, 0.01);
    assert_done(cn_world_set_gravity(world, point(0, GRAVITY)));
    run(world, 420);
    assert_near(value_of(world, joint, CN_JOINT_ANGLE), 0.25, 0.01);
    cn_world_destroy(world);
}

// An arm of 1 kg, with 100 kg hinged to its end, falls by 0.5 rad onto its limit. Returns the
// overshoot in degrees.
static double overshoot_of_heavy_load(int substeps) {
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_substeps(world, substeps));
    cn_body anchor = add_anchor(world, 0, 0);
    cn_body arm = add(world, (cn_body_def){.position = point(0.5, 0)},
                      (cn_shape_def){.hull = cn_box(0.5f, 0.125f), .density = 4});
    cn_body load = add_disc(world, 1, 0, 100);
    cn_joint_def def = cn_revolute_joint(world, anchor, arm, point(0, 0));
    def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.5f, .upper = 0.5f};
    cn_joint joint = join(world, def);
    join(world, cn_revolute_joint(world, arm, load, point(1, 0)));
    double lowest = 0;
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        lowest = fmin(lowest, value_of(world, joint, CN_JOINT_ANGLE));
    }
    cn_world_destroy(world);
    return (-0.5 - lowest) * 180 / PI;
}

// The overshoot was 2.0 degrees while the point and the angle were solved one after the other.
static void a_limit_holds_a_hundred_times_its_body(void **state) {
    (void)state;
    for (int substeps = 4; substeps <= 12; substeps += 4)
        print_message("limit, load 100x, %d substeps: overshoot %.2f degrees\n", substeps,
                      overshoot_of_heavy_load(substeps));
    assert_true(overshoot_of_heavy_load(12) < 1);
}

static void a_ratchet_turns_only_in_one_direction(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body anchor = add_anchor(world, 0, 0), disc = add_disc(world, 0, 0, 1);
    cn_joint_def def = cn_revolute_joint(world, anchor, disc, point(0, 0));
    def.angle = (cn_coordinate){.mode = CN_LIMITED, .upper = 100, .ratchet = 0.1f};
    cn_joint joint = join(world, def);
    assert_done(cn_body_set_angular_velocity(world, disc, 1));
    run(world, 57); // to 0.95
    assert_near(value_of(world, joint, CN_JOINT_ANGLE), 0.95, 1e-3);
    assert_done(cn_body_set_angular_velocity(world, disc, -1));
    run(world, 60);
    assert_near(value_of(world, joint, CN_JOINT_ANGLE), 0.9, 0.002);
    assert_near((double)cn_joint_definition(world, joint).angle.lower, 0.9, 1e-5);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(a_limit_holds_a_hundred_times_its_body),
        cmocka_unit_test(a_ratchet_turns_only_in_one_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
