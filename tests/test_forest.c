/* Joints that are solved directly: random trees, cycles, anchors, locked bodies, and nets on both
 * sides of the bound CN_MAX_CLOSURE_ROWS. */
#include "joints.h"

static const cn_filter apart = {.category = 2, .mask = 1};

static cn_world *make_world_of(int substeps, double gravity) {
    cn_world *world = make_world(gravity);
    assert_done(cn_world_set_substeps(world, substeps));
    return world;
}

static cn_body add_link(cn_world *world, cn_body_def def, double half_x, double half_y,
                        double mass) {
    return add(world, def,
               (cn_shape_def){.hull = cn_box((float)half_x, (float)half_y),
                              .density = (float)(mass / (4 * half_x * half_y)),
                              .filter = apart});
}

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

static double energy_of(const cn_world *world) {
    cn_energy e = cn_world_energy(world);
    return e.kinetic + e.potential;
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
                cn_joint_set_speed(world, joints[i], CN_JOINT_ANGLE, (float)(10 * error));
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
            def.angle.motor = true, def.angle.motor_force = 20000;
            joints[i] = join(world, def);
            last = next;
        }
        join(world, cn_weld_joint(world, last, add_disc(world, 0, 6, 400), point(0, 6)));
        double gap = 0, speed = 0;
        for (int k = 0; k < 300; k++) {
            for (int i = 0; i < 6 && k % 10 == 0; i++)
                cn_joint_set_speed(world, joints[i], CN_JOINT_ANGLE,
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

// ---- cycles

// The sides of a parallelogram stay parallel while a motor turns it.
static void a_parallelogram_keeps_its_coupler_level(void **state) {
    (void)state;
    cn_world *world = make_world_of(4, 10);
    cn_body ground = add_anchor(world, 0, 0), cranks[2];
    for (int i = 0; i < 2; i++) {
        cranks[i] = add_link(world, (cn_body_def){.position = point(3 * i, 0.5)}, 0.05, 0.5, 1);
        cn_joint_def def = cn_revolute_joint(world, ground, cranks[i], point(3 * i, 0));
        def.angle.motor = i == 0, def.angle.speed = i == 0 ? 1 : 0;
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

// ---- locked bodies

// A cart with a locked y axis carries a pendulum of 100 times its mass.
static void a_cart_on_a_locked_axis_bears_a_heavy_load(void **state) {
    (void)state;
    cn_world *world = make_world_of(4, 10);
    cn_body cart = add_link(world, (cn_body_def){.lock_y = true}, 0.5, 0.2, 1);
    cn_body load = add_disc(world, 1, -1, 100);
    join(world, cn_revolute_joint(world, cart, load, point(0, 0)));
    double start = energy_of(world);
    for (int k = 0; k < 300; k++) {
        run(world, 1);
        assert_true(motion_of(world, cart).y == 0);
        assert_near(greatest_gap(world), 0, 0.005);
        assert_near(energy_of(world) - start, -120, 130); // once -5000 J: the load fell
    }
    cn_world_destroy(world);
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

static cn_body add_locked(cn_world *world, double x, int locks, double mass) {
    cn_body_def def = {.position = point(x, 0),
                       .lock_x = locks & 1,
                       .lock_y = locks & 2,
                       .lock_rotation = locks & 4,
                       .angular_velocity = 3};
    cn_body body = add_link(world, def, 0.5, 0.5, 1);
    cn_mass as = {(float)mass, (float)mass, point(0, 0)};
    assert_done(cn_body_set_mass(world, body, as));
    return body;
}

// Where no inertia was left after rounding, a body was once faulted.
static void bodies_of_any_mass_and_locks_stay_finite(void **state) {
    (void)state;
    enum { MASSES = 4 };
    const double masses[MASSES] = {1e-12, 1, 1e12, 1e20};
    for (int i = 0; i < 8 * 8 * MASSES * 3; i++) {
        cn_world *world = make_world_of(4, 10);
        cn_body a = add_locked(world, 0, i & 7, masses[i / 64 % MASSES]),
                b = add_locked(world, 2, i >> 3 & 7, 1);
        cn_joint_def defs[] = {cn_revolute_joint(world, a, b, point(1, 0)),
                               cn_weld_joint(world, a, b, point(1, 0)),
                               cn_prismatic_joint(world, a, b, point(1, 0), point(1, 1))};
        join(world, defs[i / 64 / MASSES]);
        join(world, cn_revolute_joint(world, add_anchor(world, 0, 0), b, point(3, 0)));
        for (int k = 0; k < 60; k++) {
            run(world, 1);
            assert_true(cn_body_enabled(world, a) && cn_body_enabled(world, b));
            assert_true(!(i & 1) || motion_of(world, a).x == 0);
        }
        cn_world_destroy(world);
    }
}

// The chassis cannot turn, or is welded to a body that cannot turn. Once, a body that cannot turn
// counted as very heavy as a child, so the torque was lost in rounding. Whether the motor had a
// limit depended on the order of the bodies and on anchors.
static void a_motor_at_a_body_that_cannot_turn_keeps_its_limit(void **state) {
    (void)state;
    for (int i = 0; i < 16; i++) {
        bool chassis_first = i & 1, anchored = i & 2, chassis_is_a = i & 4, welded = i & 8;
        cn_world *world = make_world_of(4, 0);
        cn_body bodies[2];
        for (int k = 0; k < 2; k++) {
            bool is_chassis = (k == 0) == chassis_first;
            cn_body_def def = {.lock_rotation = is_chassis && !welded};
            bodies[k] = add_link(world, def, 0.5, 0.5, 1);
        }
        cn_body chassis = bodies[!chassis_first], wheel = bodies[chassis_first];
        cn_joint_def def = cn_revolute_joint(world, chassis_is_a ? chassis : wheel,
                                             chassis_is_a ? wheel : chassis, point(0, 0));
        def.angle.motor = true, def.angle.motor_force = 0.5f;
        def.angle.speed = chassis_is_a ? -10 : 10;
        cn_joint motor = join(world, def);
        if (welded) {
            cn_body still = add_link(world, (cn_body_def){.lock_rotation = true}, 0.5, 0.5, 1);
            join(world, cn_weld_joint(world, chassis, still, point(0, 0)));
        }
        if (anchored)
            join(world, cn_revolute_joint(world, add_anchor(world, 0, 0), wheel, point(0, 0)));
        run(world, 60);
        assert_near(motion_of(world, wheel).w, -0.5 / inertia_of(world, wheel), 0.001);
        assert_near(fabs((double)cn_joint_torque(world, motor)), 0.5, 0.001);
        assert_near(motion_of(world, chassis).angle, 0, 1e-6);
        cn_world_destroy(world);
    }
}

// Two links swing until the limit at a load that cannot turn stops the second link. Once, the limit
// gave way or pulled at random, and bodies of random trees reached 600 m/s.
static void a_limit_at_a_body_that_cannot_turn_stops_an_arm(void **state) {
    (void)state;
    for (int i = 0; i < 100; i++) {
        cn_world *world = make_world_of(8, 10);
        cn_body last = add_anchor(world, 0, 0);
        for (int k = 0; k < 2; k++) {
            cn_body next =
                add_link(world, (cn_body_def){.position = point(k + 0.5, 0)}, 0.5, 0.05, 1);
            join(world, cn_revolute_joint(world, last, next, point(k, 0)));
            last = next;
        }
        cn_body_def still = {.position = point(2, 0), .lock_rotation = true};
        cn_body load = add_link(world, still, 0.2, 0.2, 1);
        cn_joint_def def = cn_revolute_joint(world, last, load, point(2, 0));
        def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.5f};
        def.angle.upper = (float)(0.3 + 0.006 * i);
        cn_joint limited = join(world, def);
        double start = energy_of(world);
        for (int k = 0; k < 120; k++) {
            run(world, 1);
            double angle = value_of(world, limited, CN_JOINT_ANGLE);
            assert_true(energy_of(world) <= start + 0.01);
            assert_true(angle >= -0.5001 && angle <= (double)def.angle.upper + 0.0001);
            assert_near(greatest_gap(world), 0, 0.005);
        }
        cn_world_destroy(world);
    }
}

// A spinner carries a box that is welded to a box that cannot turn. Once, the weld had a torque of
// 2e9 N m: the rounding error of the speed of the spinner, times a very large inertia.
static void the_weld_of_a_body_that_cannot_turn_has_no_torque_of_its_own(void **state) {
    (void)state;
    cn_world *world = make_world_of(4, 0);
    cn_body spinner = add_link(world, (cn_body_def){.angular_velocity = 37}, 0.5, 0.1, 1);
    cn_body box = add_link(world, (cn_body_def){0}, 0.5, 0.5, 1);
    cn_body still = add_link(world, (cn_body_def){.lock_rotation = true}, 0.5, 0.5, 1);
    join(world, cn_revolute_joint(world, add_anchor(world, 0, 0), spinner, point(0, 0)));
    cn_joint_def def = cn_revolute_joint(world, spinner, box, point(0, 0));
    def.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -1e6f, .upper = 1e6f};
    join(world, def);
    cn_joint weld = join(world, cn_weld_joint(world, box, still, point(0, 0)));
    for (int k = 0; k < 60; k++) {
        run(world, 1);
        assert_near(motion_of(world, spinner).w, 37, 0.001);
        assert_near((double)cn_joint_torque(world, weld), 0, 0.01);
    }
    cn_world_destroy(world);
}

// ---- springs

// Two bodies are 18 m apart along a soft spring. So the stiffer spring across it has a lever arm of
// 18 m. Once, this spring gained energy without end.
static void springs_with_a_long_lever_stay_stable(void **state) {
    (void)state;
    cn_world *world = make_world_of(8, 0);
    cn_body a = add_link(world, (cn_body_def){0}, 0.3, 0.2, 1.2);
    cn_body b = add_link(world, (cn_body_def){.position = point(18, 0.1)}, 0.3, 0.2, 1.5);
    cn_coordinate soft = {.mode = CN_FREE, .hertz = 0.3f}, stiff = {.mode = CN_FREE, .hertz = 5};
    join(world, (cn_joint_def){.a = a, .b = b, .x = soft, .y = stiff, .angle = {.mode = CN_FREE}});
    // The energy of both springs at the start.
    double mass = 1.2 * 1.5 / 2.7, k = mass * 4 * PI * PI;
    double energy = 0.5 * k * (0.09 * 18 * 18 + 25 * 0.1 * 0.1);
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        assert_true(cn_world_energy(world).kinetic <= 1.2 * energy);
    }
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
        cmocka_unit_test(a_parallelogram_keeps_its_coupler_level),
        cmocka_unit_test(a_ring_of_welds_is_rigid),
        cmocka_unit_test(nets_hold_on_both_sides_of_the_bound),
        cmocka_unit_test(rigid_groups_may_be_joined_by_springs),
        cmocka_unit_test(a_straight_bridge_is_quiet_with_changing_steps),
        cmocka_unit_test(a_cart_on_a_locked_axis_bears_a_heavy_load),
        cmocka_unit_test(a_crank_drives_a_piston),
        cmocka_unit_test(bodies_of_any_mass_and_locks_stay_finite),
        cmocka_unit_test(a_motor_at_a_body_that_cannot_turn_keeps_its_limit),
        cmocka_unit_test(a_limit_at_a_body_that_cannot_turn_stops_an_arm),
        cmocka_unit_test(the_weld_of_a_body_that_cannot_turn_has_no_torque_of_its_own),
        cmocka_unit_test(springs_with_a_long_lever_stay_stable),
        cmocka_unit_test(a_tree_moves_the_same_in_any_company),
        cmocka_unit_test(a_giant_island_of_chains_is_the_same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
