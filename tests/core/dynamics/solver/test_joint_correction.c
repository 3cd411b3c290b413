/* Joints far from where they should be: they close the error at a bounded speed, throw no body, and
 * do not stay torn. */
#include "../../../support/joints.h"

static cn_world *make_world_with(int substeps) {
    cn_world *world = cn_world_create(
        &(cn_world_def){.gravity = {{0, -10}}, .substeps = substeps, .no_sleep = true});
    assert_done(world != NULL);
    return world;
}

static double greatest_speed(const cn_world *world) {
    double most = 0;
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;)
        most = fmax(most, (double)glms_vec2_norm(cn_body_velocity(world, b)));
    return most;
}

// The greatest speed of any body during the steps.
static double run_and_watch(cn_world *world, int steps) {
    double most = 0;
    for (int i = 0; i < steps; i++) {
        run(world, 1);
        most = fmax(most, greatest_speed(world));
    }
    return most;
}

static cn_body add_bar(cn_world *world, double x, double y) {
    cn_shape_def bar = {.hull = cn_box(0.4f, 0.1f), .no_collision = true};
    return add(world, (cn_body_def){.position = point(x, y)}, bar);
}

// The bar was once thrown at 60 m/s, and at 1700 m/s from ten times this distance.
static void a_bar_joined_far_away_is_drawn_in_slowly(void **state) {
    (void)state;
    for (int substeps = 4; substeps <= 12; substeps += 8) {
        cn_world *world = make_world_with(substeps);
        cn_joint_def def = cn_revolute_joint(world, add_anchor(world, 0, 0),
                                             add_bar(world, 2.56, -1.6), point(2.16, -1.6));
        def.frame_a.position = point(0, 0);
        cn_joint joint = join(world, def);
        double most = run_and_watch(world, 600);
        if (!(most < 8)) fail_msg("%d substeps: %g m/s", substeps, most);
        assert_near(gap_of(world, joint), 0, 0.002);
        cn_world_destroy(world);
    }
}

// The bar was once thrown at 800 m/s.
static void limits_set_nine_turns_away_do_not_throw_the_bar(void **state) {
    (void)state;
    for (int substeps = 4; substeps <= 12; substeps += 8) {
        cn_world *world = make_world_with(substeps);
        cn_joint_def def =
            cn_revolute_joint(world, add_anchor(world, 0, 0), add_bar(world, 0.4, 0), point(0, 0));
        def.angle = (cn_coordinate){.mode = CN_FREE, .motor = true, .motor_speed = (float)(2 * PI)};
        cn_joint joint = join(world, def);
        run(world, 540);
        cn_coordinate limits = {.mode = CN_LIMITED, .lower = -0.5f, .upper = 0.5f};
        assert_done(cn_joint_set_coordinate(world, joint, CN_JOINT_ANGLE, limits));
        double most = run_and_watch(world, 300);
        if (!(most < 15)) fail_msg("%d substeps: %g m/s", substeps, most);
        assert_near(value_of(world, joint, CN_JOINT_ANGLE), 0, 0.51);
        cn_world_destroy(world);
    }
}

// The gap was once closed at 1 m/s, however fast the length changed and however large the gap was.
static void a_load_that_is_reeled_in_follows(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        cn_world *world = make_world(10);
        cn_body hook = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        cn_body load = add(world, (cn_body_def){.position = point(0, -10)}, box_of(0.5f));
        cn_joint_def def = i ? cn_rope_joint(world, hook, load, point(0, 0), point(0, -10))
                             : cn_distance_joint(world, hook, load, point(0, 0), point(0, -10));
        cn_joint joint = cn_joint_create(world, def);
        double length = 10;
        for (int k = 0; k < 150; k++) {
            length -= 3.0 / 60;
            cn_coordinate x = cn_joint_definition(world, joint).x;
            *(i ? &x.upper : &x.target) = (float)length;
            assert_done(cn_joint_set_coordinate(world, joint, CN_JOINT_X, x));
            run(world, 1);
            motion m = motion_of(world, load);
            assert_near(hypot(m.x, m.y), length, 0.3);
        }
        cn_world_destroy(world);
    }
}

static cn_body add_limb(cn_world *world, cn_body to, double x, double y, double half, int doll) {
    cn_hull hull = cn_capsule(point(0, -half), point(0, half), 0.08f);
    cn_body body =
        add(world, (cn_body_def){.position = point(x, y)},
            (cn_shape_def){.hull = hull, .density = 50, .filter = {1, UINT64_MAX, -doll}});
    if (!to.id) return body;
    cn_joint_def def = cn_revolute_joint(world, to, body, point(x, y + half + 0.05));
    def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -1, .upper = 1};
    join(world, def);
    return body;
}

// Twenty dolls in a narrow bin, at 12 substeps. Some joints once stayed open by 6 to 20 cm.
static void joints_in_a_crowd_of_dolls_do_not_stay_torn(void **state) {
    (void)state;
    for (int seed = 0; seed < 3; seed++) {
        cn_world *world = make_world_with(12);
        add_floor(world, (cn_material){0});
        for (int side = -1; side <= 1; side += 2)
            add(world, (cn_body_def){.type = CN_STATIC, .position = point(4 * side, 5)},
                (cn_shape_def){.hull = cn_box(0.5f, 8)});
        for (int i = 1; i <= 20; i++) {
            double x = i % 3 * 2 - 2 + i * (seed + 1) % 7 * 0.03, y = 1.5 + 1.1 * i;
            cn_body trunk = add_limb(world, (cn_body){0}, x, y, 0.3, i);
            add_limb(world, trunk, x, y - 0.75, 0.25, i);
            for (int k = 0; k < 4; k++) {
                double side = k % 2 ? 0.1 : -0.1, top = y + (k < 2 ? 0.1 : -0.5);
                cn_body upper = add_limb(world, trunk, x + side, top, 0.15, i);
                add_limb(world, upper, x + side, top - 0.4, 0.15, i);
            }
        }
        run(world, 1500);
        double gap = greatest_gap(world);
        if (!(gap < 0.05)) fail_msg("seed %d: %g m", seed, gap);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_joined_far_away_is_drawn_in_slowly),
        cmocka_unit_test(limits_set_nine_turns_away_do_not_throw_the_bar),
        cmocka_unit_test(a_load_that_is_reeled_in_follows),
        cmocka_unit_test(joints_in_a_crowd_of_dolls_do_not_stay_torn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
