/* Trees of joints, which are solved directly: random trees, arms of motors, light chains under
 * heavy loads, and the same bits in any company. */
#include "../../../support/links.h"

// ---- random trees

typedef struct {
    cn_world *world;
    double size; // m: the tree is within this distance of the origin
} random_tree;

// Boxes of 1 to `ratio` kg on revolute joints at random points. Most trees hang from a static body.
static random_tree make_tree(uint64_t seed, int substeps, double ratio) {
    random_tree tree = {make_world_of(substeps, 10), 0};
    cn_body bodies[14];
    vec2s places[14];
    int count = 2 + (int)random_between(&seed, 0, 11.999);
    bool anchored = random_between(&seed, 0, 1) < 0.7;
    for (int i = 0; i < count; i++) {
        int above = i ? (int)random_between(&seed, 0, i - 0.001) : -1;
        vec2s p = point(random_between(&seed, -1, 1), random_between(&seed, -1, 1));
        places[i] = i ? glms_vec2_add(places[above], p) : point(0, 0);
        cn_body_def def = {.position = places[i], .angle = (float)random_between(&seed, -3, 3)};
        bodies[i] =
            add_link(tree.world, def, random_between(&seed, 0.1, 0.5),
                     random_between(&seed, 0.05, 0.35), exp(random_between(&seed, 0, log(ratio))));
        tree.size = fmax(tree.size, (double)glms_vec2_norm(places[i]) + 0.5);
        if (i == 0 && !anchored) continue;
        cn_body parent = i ? bodies[above] : add_anchor(tree.world, 0, 0);
        vec2s at = point(random_between(&seed, -0.5, 0.5), random_between(&seed, -0.5, 0.5));
        join(tree.world,
             cn_revolute_joint(tree.world, parent, bodies[i], glms_vec2_add(places[i], at)));
    }
    return tree;
}

// With 20,000 seeds no tree gained more than 0.95 % of its greatest kinetic energy. In one tree a
// joint opened by 1.2 % of the size of the tree.
static void random_trees_gain_no_energy_and_stay_whole(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        random_tree tree = make_tree(seed * 7919, 8, 1.5);
        double start = energy_of(tree.world), most = start, scale = 0, gap = 0;
        for (int k = 0; k < 120; k++) {
            run(tree.world, 1);
            most = fmax(most, energy_of(tree.world));
            scale = fmax(scale, cn_world_energy(tree.world).kinetic);
            gap = fmax(gap, greatest_gap(tree.world));
        }
        if (!(most - start <= 0.01 * scale)) fail_msg("seed %d: energy", (int)seed);
        if (!(gap <= 0.01 * tree.size)) fail_msg("seed %d: %g m", (int)seed, gap);
        cn_world_destroy(tree.world);
    }
}

// Joints of light links that whirl fast open further. At a mass ratio of 1e4 no gap exceeds a
// quarter of the size of the tree. At 1e6 no number becomes infinite.
static void trees_of_very_uneven_masses_stay_together(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        random_tree tree = make_tree(seed * 104729, 4, seed & 1 ? 1e4 : 1e6);
        for (int k = 0; k < 120; k++) {
            run(tree.world, 1);
            assert_true(isfinite(energy_of(tree.world)));
            double gap = greatest_gap(tree.world);
            bool whole = gap <= 0.25 * tree.size || !(seed & 1);
            if (!whole) fail_msg("seed %d: %g m", (int)seed, gap);
        }
        cn_world_destroy(tree.world);
    }
}

// A hub of 3 kg in free fall has arms of 60 times its mass. Iteration over the joints becomes
// unstable with 20 to 80 arms.
static void a_hub_with_a_thousand_arms_stays_whole(void **state) {
    (void)state;
    cn_world *world = make_world_of(4, 10);
    cn_body hub =
        add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_circle(1), .filter = apart});
    for (int i = 0; i < 1000; i++) {
        double angle = 2 * PI * i / 1000;
        cn_body_def def = {.position = point(2.5 * cos(angle), 2.5 * sin(angle)),
                           .angle = (float)angle};
        join(world,
             cn_revolute_joint(world, hub, add_link(world, def, 2.5, 0.02, 0.2), point(0, 0)));
    }
    run(world, 120);
    assert_near(motion_of(world, hub).vy, -20, 0.01);
    assert_near(greatest_gap(world), 0, 0.001);
    cn_world_destroy(world);
}

// The speeds of the motors follow from the angles. Under a load of 10 kg or more, such an arm once
// oscillated by a radian.
static void an_arm_of_motors_follows_under_any_load(void **state) {
    (void)state;
    for (int load = 1; load <= 1000; load *= 10) {
        cn_world *world = make_world_of(4, 10);
        cn_body last = add_anchor(world, 0, 0);
        cn_joint joints[4];
        for (int i = 0; i < 4; i++) {
            cn_body next =
                add_link(world, (cn_body_def){.position = point(i + 0.5, 0)}, 0.5, 0.1, 1);
            cn_joint_def def = cn_revolute_joint(world, last, next, point(i, 0));
            def.angle.motor = true;
            joints[i] = join(world, def);
            last = next;
        }
        join(world, cn_weld_joint(world, last, add_disc(world, 4, 0, load), point(4, 0)));
        for (int k = 0; k < 600; k++) {
            for (int i = 0; i < 4; i++) {
                double target = 0.3 * sin(k / 60.0 + i),
                       error = target - value_of(world, joints[i], CN_JOINT_ANGLE);
                if (k > 120) assert_near(error, 0, 0.035);
                cn_joint_set_motor_speed(world, joints[i], CN_JOINT_ANGLE, (float)(10 * error));
            }
            run(world, 1);
        }
        cn_world_destroy(world);
    }
}

// The motors get new speeds every ten steps, and some reach their greatest torque. Once, a motor
// whose row was free after the last round whirled its link at 1,000 rad/s.
static void weak_motors_of_an_arm_do_not_whirl(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t random = seed * 7919;
        cn_world *world = make_world_of(4, 10);
        cn_body last = add_anchor(world, 0, 0);
        cn_joint joints[6];
        for (int i = 0; i < 6; i++) {
            cn_body next =
                add_link(world, (cn_body_def){.position = point(0, i + 0.5)}, 0.1, 0.5, 0.4);
            cn_joint_def def = cn_revolute_joint(world, last, next, point(0, i));
            def.angle.motor = true, def.angle.max_motor_force = 20000;
            joints[i] = join(world, def);
            last = next;
        }
        join(world, cn_weld_joint(world, last, add_disc(world, 0, 6, 400), point(0, 6)));
        double gap = 0, speed = 0;
        for (int k = 0; k < 300; k++) {
            for (int i = 0; i < 6 && k % 10 == 0; i++)
                cn_joint_set_motor_speed(world, joints[i], CN_JOINT_ANGLE,
                                         (float)random_between(&random, -1, 1));
            run(world, 1);
            gap = fmax(gap, greatest_gap(world));
            for (int i = 0; i < 6; i++)
                speed = fmax(speed, fabs(speed_of(world, joints[i], CN_JOINT_ANGLE)));
        }
        if (gap > 0.005 || speed > 20) fail_msg("seed %d: %g m, %g rad/s", (int)seed, gap, speed);
        cn_world_destroy(world);
    }
}

// ---- light chains under heavy loads

typedef struct {
    int links, ratio, substeps;
    double angle; // below the horizontal
} chain_case;

// Releases a straight chain of boxes of 0.02 kg with a ball at its end. Returns the greatest gap,
// and writes the greatest gain of energy, relative to the energy of a fall by its length.
static double swing_chain(const chain_case *c, double *gain) {
    const double length = 0.2, mass = 0.02 * c->ratio, arm = (c->links + 1) * length;
    cn_world *world = make_world_of(c->substeps, 10);
    cn_body last = add_anchor(world, 0, 0);
    for (int i = 0; i <= c->links; i++) {
        double at = i < c->links ? (i + 0.5) * length : arm;
        cn_body_def def = {.position = point(at * cos(c->angle), -at * sin(c->angle)),
                           .angle = (float)-c->angle};
        cn_body next = i < c->links
                           ? add_link(world, def, 0.1, 0.05, 0.02)
                           : add_disc(world, (double)def.position.x, (double)def.position.y, mass);
        vec2s joint = point(i * length * cos(c->angle), -i * length * sin(c->angle));
        join(world, cn_revolute_joint(world, last, next, joint));
        last = next;
    }
    double start = energy_of(world), gap = 0;
    for (int i = 0; i < 600; i++) {
        run(world, 1);
        gap = fmax(gap, greatest_gap(world));
        *gain = fmax(*gain, (energy_of(world) - start) / (mass * 10 * arm));
    }
    cn_world_destroy(world);
    return gap;
}

// Once, the light links oscillated more and more. A joint opened by metres, and the ball got
// hundreds of times its energy. Whether this happened depended on the angle and on the substeps.
static void a_light_chain_swings_a_heavy_ball_from_any_angle(void **state) {
    (void)state;
    const int links[] = {2, 5, 10}, ratios[] = {100, 1000, 10000}, substeps[] = {4, 6, 8, 12};
    for (int i = 0; i < 36; i++)
        for (double angle = 0; angle < 1.6; angle += 0.25) {
            chain_case c = {links[i % 3], ratios[i / 3 % 3], substeps[i / 9], angle};
            double gain = 0, gap = swing_chain(&c, &gain);
            if (!(gap < 0.002 && gain < 0.02))
                fail_msg("%d links, ratio %d, %d substeps, %g rad: %g m, %g", c.links, c.ratio,
                         c.substeps, angle, gap, gain);
        }
}

// The hinges may turn freely within their limits, so they have no torque. The drag that keeps light
// links from oscillating does not count, and breaks no joint.
static void the_drag_of_a_light_chain_is_no_torque_of_its_joints(void **state) {
    (void)state;
    cn_world *world = make_world_of(4, 10);
    cn_body last = add_anchor(world, 0, 0);
    cn_joint joints[6];
    for (int i = 0; i < 6; i++) {
        cn_body_def def = {.position = point(0.2 * i + 0.1, 0)};
        cn_body next =
            i < 5 ? add_link(world, def, 0.1, 0.05, 0.02) : add_disc(world, 0.2 * i + 0.2, 0, 200);
        cn_joint_def hinge = cn_revolute_joint(world, last, next, point(0.2 * i, 0));
        hinge.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -1e6f, .upper = 1e6f};
        hinge.break_torque = 0.01f;
        joints[i] = join(world, hinge);
        last = next;
    }
    for (int k = 0; k < 240; k++) {
        run(world, 1);
        for (int i = 0; i < 6; i++) {
            assert_true(cn_joint_valid(world, joints[i]));
            assert_near((double)cn_joint_torque(world, joints[i]), 0, 0.005);
        }
    }
    assert_near(greatest_gap(world), 0, 0.001);
    cn_world_destroy(world);
}

// ---- the same bits

// Other trees in the same batch do not change the motion of a tree.
static void a_tree_moves_the_same_in_any_company(void **state) {
    (void)state;
    for (int company = 1; company <= 20; company += 19) {
        motion alone = {0};
        for (int count = 0; count <= company; count += company) {
            cn_world *world = make_world_of(4, 10);
            cn_body last = add_anchor(world, 0, 0);
            for (int i = 0; i < 6; i++) {
                cn_body next =
                    add_link(world, (cn_body_def){.position = point(0.5 + i, 0)}, 0.5, 0.1, 1 + i);
                cn_joint_def def = cn_revolute_joint(world, last, next, point(i, 0));
                if (i > 2)
                    def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.3f, .upper = 0.2f};
                join(world, def);
                last = next;
            }
            for (int i = 0; i < count; i++) {
                cn_body a =
                    add_link(world, (cn_body_def){.position = point(3 * i, 20)}, 0.5, 0.1, 1);
                cn_body b =
                    add_link(world, (cn_body_def){.position = point(3 * i + 1, 20)}, 0.5, 0.1, 3);
                join(world, cn_weld_joint(world, a, b, point(3 * i + 0.5, 20)));
                if (i % 3 == 0)
                    join(world,
                         cn_revolute_joint(world, add_anchor(world, 0, 0), a, point(3 * i, 20)));
            }
            run(world, 100);
            motion m = motion_of(world, last);
            if (count == 0) alone = m;
            assert_true(m.x == alone.x && m.y == alone.y && m.angle == alone.angle);
            cn_world_destroy(world);
        }
    }
}

// One island of many chains, which is large enough for several workers.
static void a_giant_island_of_chains_is_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        cn_world *world = cn_world_create(
            &(cn_world_def){.gravity = {{0, -10}}, .threads = i ? 3 : 1, .no_sleep = true});
        assert_done(world != NULL);
        add_floor(world, (cn_material){0});
        for (int k = 0; k < 400; k++) {
            cn_body last = {0};
            for (int j = 0; j < 4; j++) {
                vec2s at = point(k % 20 * 0.9 + 0.02 * (k / 20 % 3), 0.3 + k / 20 * 2 + 0.42 * j);
                cn_body next = add(world, (cn_body_def){.position = at},
                                   (cn_shape_def){.hull = cn_box(0.4f, 0.2f)});
                vec2s joint = point((double)at.x, (double)at.y - 0.21);
                if (j) join(world, cn_revolute_joint(world, last, next, joint));
                last = next;
            }
        }
        run(world, 90);
        hashes[i] = cn_world_hash(world);
        cn_world_destroy(world);
    }
    assert_int_equal(hashes[0], hashes[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees_gain_no_energy_and_stay_whole),
        cmocka_unit_test(trees_of_very_uneven_masses_stay_together),
        cmocka_unit_test(a_hub_with_a_thousand_arms_stays_whole),
        cmocka_unit_test(an_arm_of_motors_follows_under_any_load),
        cmocka_unit_test(weak_motors_of_an_arm_do_not_whirl),
        cmocka_unit_test(a_light_chain_swings_a_heavy_ball_from_any_angle),
        cmocka_unit_test(the_drag_of_a_light_chain_is_no_torque_of_its_joints),
        cmocka_unit_test(a_tree_moves_the_same_in_any_company),
        cmocka_unit_test(a_giant_island_of_chains_is_the_same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
