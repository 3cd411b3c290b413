/* Chains, grids and nets of joints under load: they hardly stretch, and are not torn. */
#include "../../../support/chains.h"

static double gap_of_loaded_chain(int substeps) {
    static chain c;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_substeps(world, substeps));
    hang_chain(&c, world, LINKS);
    cn_body load =
        add(world, (cn_body_def){.position = point(0, -LINKS - 1)},
            (cn_shape_def){
                .hull = cn_circle(1), .density = (float)(100 / PI), .filter = {.group = -1}});
    join(world, cn_revolute_joint(world, c.links[LINKS - 1], load, point(0, -LINKS)));
    run(world, 600);
    double gap = greatest_gap(world);
    print_message("chain of %d with a 100x ball, %d substeps: gap %.2f mm\n", LINKS, substeps,
                  1000 * gap);
    cn_world_destroy(world);
    return gap;
}

static void a_loaded_chain_hardly_stretches(void **state) {
    (void)state;
    assert_true(gap_of_loaded_chain(4) < 0.040);
    assert_true(gap_of_loaded_chain(8) < 0.008);
    assert_true(gap_of_loaded_chain(12) < 0.004);
}

static double gap_of_grid(int substeps) {
    enum { SIDE = 30 };
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_substeps(world, substeps));
    cn_body grid[SIDE][SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        int row = i / SIDE, column = i % SIDE;
        grid[row][column] = add(
            world,
            (cn_body_def){.type = row ? CN_DYNAMIC : CN_STATIC, .position = point(column, -row)},
            (cn_shape_def){.hull = cn_circle(0.4f)});
        if (row)
            join(world, cn_revolute_joint(world, grid[row - 1][column], grid[row][column],
                                          point(column, -row + 0.5)));
        if (row && column)
            join(world, cn_revolute_joint(world, grid[row][column - 1], grid[row][column],
                                          point(column - 0.5, -row)));
    }
    run(world, 300);
    double gap = greatest_gap(world);
    print_message("grid of 30 x 30, %d substeps: gap %.2f mm\n", substeps, 1000 * gap);
    cn_world_destroy(world);
    return gap;
}

static void a_grid_hardly_stretches(void **state) {
    (void)state;
    assert_true(gap_of_grid(8) < 0.002);
}

// Light bodies under strong tension once swung up by themselves, and this net was torn farther and
// farther.
static void a_net_holds_under_a_strong_pull(void **state) {
    (void)state;
    enum { SIDE = 12 };
    cn_world *world = make_world(400);
    cn_body knots[SIDE][SIDE];
    cn_shape_def ball = {.hull = cn_circle(0.1f)};
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE;
        cn_body_def def = {.type = y || x % (SIDE - 1) ? CN_DYNAMIC : CN_STATIC};
        def.position = point(0.4 * x, -0.4 * y);
        knots[y][x] = add(world, def, ball);
        for (int k = 0; k < 2; k++) {
            if (!(k ? y : x)) continue;
            cn_body other = k ? knots[y - 1][x] : knots[y][x - 1];
            vec2s middle = point(0.4 * x - (k ? 0 : 0.2), -0.4 * y + (k ? 0.2 : 0));
            cn_joint_def joint = cn_revolute_joint(world, other, knots[y][x], middle);
            assert_done(cn_joint_create(world, joint).id != 0);
        }
    }
    for (int i = 0; i < 600; i++) {
        run(world, 1);
        for (int k = 0; k < SIDE * SIDE; k++) {
            int x = k % SIDE, y = k / SIDE;
            motion a = motion_of(world, knots[y][x]), b = motion_of(world, knots[y ? y - 1 : 0][x]);
            if (hypot(a.x - b.x, a.y - b.y) > 1.4) fail_msg("torn in step %d", i);
        }
    }
    cn_world_destroy(world);
}

// The tension of joints may raise the inertia of a body within a step. A torque on the body counts
// with the same raised inertia.
static void a_torque_on_a_lever_under_tension_is_not_amplified(void **state) {
    (void)state;
    cn_world *world = make_world(4000);
    cn_filter together = {.group = -1};
    cn_body pivot = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_body lever = add(world, (cn_body_def){.position = point(1, 0)},
                        (cn_shape_def){.hull = cn_box(1, 0.05f), .filter = together});
    cn_body load = add(world, (cn_body_def){.position = point(2, 0)},
                       (cn_shape_def){.hull = cn_circle(0.5f), .density = 2, .filter = together});
    const cn_joint_def joints[] = {cn_revolute_joint(world, pivot, lever, point(0, 0)),
                                   cn_revolute_joint(world, lever, load, point(2, 0))};
    for (int i = 0; i < 2; i++) assert_done(cn_joint_create(world, joints[i]).id != 0);
    double holds = 4000 * (2 * mass_of(world, load) + mass_of(world, lever));
    for (int i = 0; i < 10; i++) {
        assert_done(cn_body_apply_torque(world, lever, (float)(0.9 * holds)));
        run(world, 1);
    }
    assert_near(motion_of(world, load).vy, 0, 400); // it was 9,000 m/s without this rule
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_chain_hardly_stretches),
        cmocka_unit_test(a_grid_hardly_stretches),
        cmocka_unit_test(a_net_holds_under_a_strong_pull),
        cmocka_unit_test(a_torque_on_a_lever_under_tension_is_not_amplified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
