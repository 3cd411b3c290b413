/* Cycles of joints: closures of trees, and nets on both sides of the bound CN_MAX_CLOSURE_ROWS. */
#include "../../../support/links.h"

// The sides of a parallelogram stay parallel while a motor turns it.
static void a_parallelogram_keeps_its_coupler_level(void **state) {
    (void)state;
    cn_world *world = make_world_of(4, 10);
    cn_body ground = add_anchor(world, 0, 0), cranks[2];
    for (int i = 0; i < 2; i++) {
        cranks[i] = add_link(world, (cn_body_def){.position = point(3 * i, 0.5)}, 0.05, 0.5, 1);
        cn_joint_def def = cn_revolute_joint(world, ground, cranks[i], point(3 * i, 0));
        def.angle.motor = i == 0, def.angle.motor_speed = i == 0 ? 1 : 0;
        join(world, def);
    }
    cn_body coupler = add_link(world, (cn_body_def){.position = point(1.5, 1)}, 1.5, 0.05, 50);
    for (int i = 0; i < 2; i++)
        join(world, cn_revolute_joint(world, cranks[i], coupler, point(3 * i, 1)));
    for (int k = 0; k < 60; k++) {
        run(world, 1);
        motion m = motion_of(world, coupler);
        assert_near(m.angle, 0, 1e-4);
        assert_near(m.x - 1.5, -sin((k + 1) / 60.0), 0.005);
        assert_near(greatest_gap(world), 0, 1e-4);
    }
    cn_world_destroy(world);
}

// A closed ring of welds hangs from one of its boxes.
static void a_ring_of_welds_is_rigid(void **state) {
    (void)state;
    cn_world *world = make_world_of(4, 10);
    cn_body ring[12];
    for (int i = 0; i < 12; i++) {
        double angle = 2 * PI * i / 12;
        cn_body_def def = {.position = point(2 * cos(angle), 2 * sin(angle)),
                           .angle = (float)angle};
        ring[i] = add_link(world, def, 0.1, 0.5, 1);
    }
    for (int i = 0; i < 12; i++) {
        double angle = 2 * PI * (i + 0.5) / 12;
        join(world, cn_weld_joint(world, ring[i], ring[(i + 1) % 12],
                                  point(2 * cos(angle), 2 * sin(angle))));
    }
    join(world, cn_weld_joint(world, add_anchor(world, 0, 2), ring[3], point(0, 2)));
    run(world, 300);
    assert_near(motion_of(world, ring[9]).y, -2, 0.001);
    assert_near(motion_of(world, ring[0]).angle, 0, 0.001);
    cn_world_destroy(world);
}

// A ladder of n cells hangs from two hooks, with a ball of 20 kg at its end. Each cell closes a
// cycle. With 7 cells and the second hook, it has 16 rows of closures, the most that are solved
// directly; with 8 cells it is iterated.
static double hang_ladder(int cells) {
    cn_world *world = make_world_of(8, 10);
    cn_body ground = add_anchor(world, 0, 0), sides[2] = {ground, ground};
    cn_body ball = add_disc(world, 0.5, -cells - 0.5, 20);
    for (int i = 0; i < cells; i++) {
        for (int k = 0; k < 2; k++) {
            cn_body next =
                add_link(world, (cn_body_def){.position = point(k, -i - 0.5)}, 0.05, 0.5, 1);
            join(world, cn_revolute_joint(world, sides[k], next, point(k, -i)));
            sides[k] = next;
        }
        cn_body rung =
            add_link(world, (cn_body_def){.position = point(0.5, -i - 0.5)}, 0.5, 0.05, 1);
        for (int k = 0; k < 2; k++)
            join(world, cn_revolute_joint(world, sides[k], rung, point(k, -i - 0.5)));
        if (i == cells - 1) join(world, cn_weld_joint(world, rung, ball, point(0.5, -i - 0.5)));
    }
    run(world, 300);
    double gap = greatest_gap(world);
    assert_near(motion_of(world, ball).y, -cells - 0.5, 0.01);
    cn_world_destroy(world);
    return gap;
}

static void nets_hold_on_both_sides_of_the_bound(void **state) {
    (void)state;
    for (int cells = 1; cells <= 12; cells++) assert_near(hang_ladder(cells), 0, 0.005);
}

// Springs between rigid groups close no cycle. The rows of the closures of both groups once added
// up beyond the bound, and were written beyond the end of their array.
static void rigid_groups_may_be_joined_by_springs(void **state) {
    (void)state;
    for (int groups = 1; groups <= 4; groups++) {
        cn_world *world = make_world_of(4, 0);
        cn_body last = {0};
        for (int i = 0; i < groups; i++) {
            cn_body corners[4];
            for (int k = 0; k < 4; k++) {
                cn_body_def def = {.position = point(5 * i + k % 2, k / 2)};
                corners[k] = add_link(world, def, 0.3, 0.3, 1);
                for (int j = 0; j < k; j++) // each to each: three cycles, nine rows
                    join(world, cn_weld_joint(world, corners[j], corners[k], def.position));
            }
            if (last.id) {
                vec2s from = cn_body_position(world, last), to = point(5 * i, 0);
                join(world, cn_spring_joint(world, last, corners[0], from, to));
            }
            last = corners[1];
        }
        run(world, 120);
        assert_near(cn_world_energy(world).kinetic, 0, 0.001);
        cn_world_destroy(world);
    }
}

// The planks once oscillated at 3 m/s with these steps, because nothing bounded their tension.
static void a_straight_bridge_is_quiet_with_changing_steps(void **state) {
    (void)state;
    for (int substeps = 4; substeps <= 12; substeps += 4) {
        cn_world *world = make_world_of(substeps, 10);
        cn_body ground = add_anchor(world, 0, 0), last = ground, middle = ground;
        for (int i = 0; i < 20; i++) {
            cn_body next =
                add_link(world, (cn_body_def){.position = point(0.5 + i, 0)}, 0.5, 0.125, 1);
            join(world, cn_revolute_joint(world, last, next, point(i, 0)));
            last = next;
            if (i == 10) middle = next;
        }
        join(world, cn_revolute_joint(world, last, ground, point(20, 0)));
        for (int k = 0; k < 1200; k++) {
            assert_done(cn_world_step(world, k % 2 ? 1.0f / 30 : 1.0f / 120));
            if (k > 600) assert_near(motion_of(world, middle).vy, 0, 0.2);
        }
        assert_near(greatest_gap(world), 0, 0.0005);
        cn_world_destroy(world);
    }
}

// A wheel that is locked in x and y turns a rod, whose end slides on a line.
static void a_crank_drives_a_piston(void **state) {
    (void)state;
    cn_world *world = make_world_of(4, 0);
    cn_body wheel = add_link(
        world, (cn_body_def){.lock_x = true, .lock_y = true, .angular_velocity = 3}, 0.5, 0.5, 10);
    cn_body rod = add_link(world, (cn_body_def){.position = point(1.5, 0)}, 1, 0.05, 1);
    cn_body piston = add_link(
        world, (cn_body_def){.position = point(2.5, 0), .lock_y = true, .lock_rotation = true}, 0.3,
        0.2, 1);
    join(world, cn_revolute_joint(world, wheel, rod, point(0.5, 0)));
    join(world, cn_revolute_joint(world, rod, piston, point(2.5, 0)));
    for (int k = 0; k < 300; k++) {
        run(world, 1);
        double angle = motion_of(world, wheel).angle;
        double x = 0.5 * cos(angle) + sqrt(4 - 0.25 * sin(angle) * sin(angle));
        assert_near(motion_of(world, piston).x, x, 0.002);
        assert_true(motion_of(world, piston).angle == 0 && motion_of(world, wheel).x == 0);
    }
    cn_world_destroy(world);
}

// A chain of eight light links with a heavy ball in its middle. The hinge that closes the cycle has
// a weak motor, which may not push harder than it can.
static void a_weak_motor_in_a_loaded_cycle_keeps_its_limit(void **state) {
    (void)state;
    for (int closing = 0; closing < 9; closing++) {
        cn_world *world = make_world_of(4, 10);
        cn_body last = add_anchor(world, 0, 0), right = add_anchor(world, 1.2, 0);
        cn_joint motor = {0};
        for (int i = 0; i < 9; i++) {
            double x = 0.15 * i, y = -0.2 * (4 - fabs(i - 4.0));
            double nx = 0.15 * (i + 1), ny = -0.2 * (4 - fabs(i - 3.0));
            cn_body_def def = {.position = point((x + nx) / 2, (y + ny) / 2),
                               .angle = (float)atan2(ny - y, nx - x)};
            cn_body next = i < 8 ? add_link(world, def, 0.125, 0.05, 0.02) : right;
            cn_joint_def hinge = cn_revolute_joint(world, last, next, point(x, y));
            if (i == closing)
                hinge.angle.motor = true, hinge.angle.motor_speed = 3,
                hinge.angle.max_motor_force = 0.5f;
            cn_joint joint = join(world, hinge);
            if (i == closing) motor = joint;
            if (i == 4)
                join(world, cn_weld_joint(world, next, add_disc(world, x, y, 100), point(x, y)));
            last = next;
        }
        for (int k = 0; k < 240; k++) {
            run(world, 1);
            assert_true(fabs((double)cn_joint_torque(world, motor)) < 0.51);
        }
        assert_near(greatest_gap(world), 0, 0.002);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parallelogram_keeps_its_coupler_level),
        cmocka_unit_test(a_ring_of_welds_is_rigid),
        cmocka_unit_test(nets_hold_on_both_sides_of_the_bound),
        cmocka_unit_test(rigid_groups_may_be_joined_by_springs),
        cmocka_unit_test(a_straight_bridge_is_quiet_with_changing_steps),
        cmocka_unit_test(a_crank_drives_a_piston),
        cmocka_unit_test(a_weak_motor_in_a_loaded_cycle_keeps_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
