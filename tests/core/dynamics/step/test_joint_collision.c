/* Collision of joined bodies: with each other, after their joint is destroyed, and with others when
 * continuous collision stops only some bodies of a chain. */
#include "../../../../demo/scenes/ragdoll.h"
#include "../../../support/chains.h"

// ---- with each other

static void check_tally(cn_world *world, int begins, int ends) {
    tally sum = count_events(world, 3);
    assert_int_equal(sum.begins, begins);
    assert_int_equal(sum.ends, ends);
}

static void joined_bodies_collide_if_their_joint_says_so(void **state) {
    (void)state;
    for (int sleepy = 0; sleepy < 2; sleepy++) {
        cn_world *world = make_world(0);
        assert_done(cn_world_set_no_sleep(world, !sleepy));
        cn_shape_def box = {.hull = cn_box(0.5f, 0.5f)};
        cn_body a = add(world, (cn_body_def){0}, box);
        cn_body b = add(world, (cn_body_def){.position = point(1, 0)}, box);
        check_tally(world, 1, 0);
        cn_joint joint = join(world, cn_weld_joint(world, a, b, point(0.5, 0)));
        check_tally(world, 0, 1);
        if (sleepy) run(world, 60), assert_false(!cn_body_asleep(world, a));
        assert_done(cn_joint_set_collide_connected(world, joint, true));
        check_tally(world, 1, 0);
        assert_done(cn_joint_set_collide_connected(world, joint, false));
        check_tally(world, 0, 1);
        assert_done(cn_joint_set_disabled(world, joint, true));
        check_tally(world, 1, 0);
        assert_done(cn_joint_set_disabled(world, joint, false));
        check_tally(world, 0, 1);
        if (sleepy) run(world, 60), assert_false(!cn_body_asleep(world, a));
        assert_done(cn_joint_destroy(world, joint));
        check_tally(world, 1, 0);
        assert_done(cn_body_destroy(world, a));
        check_tally(world, 0, 1);
        cn_world_destroy(world);
    }
}

// A disc once passed the walls if these were on the body to which the motor joint holds it.
static void a_motor_joint_lets_its_bodies_collide(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body table = add_anchor(world, 0, 0);
    cn_body disc = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_circle(0.2f)});
    cn_hull cushion = cn_box(0.5f, 5);
    cushion = cn_hull_at(cushion, cn_pose_at(point(3, 0), 0));
    assert_done(cn_shape_create(world, table, &(cn_shape_def){.hull = cushion}).id != 0);
    join(world, cn_motor_joint(world, table, disc, 0.1f, 0.1f));
    assert_done(cn_body_set_velocity(world, disc, point(4, 0)));
    run(world, 120);
    assert_true(motion_of(world, disc).x < 2.6);
    cn_world_destroy(world);
}

// ---- after a joint is destroyed

// The links overlap at each joint, including the cut.
static void a_cut_rope_falls_freely(void **state) {
    (void)state;
    const cn_hull shapes[] = {cn_capsule(point(0, -0.25), point(0, 0.25), 0.1f), cn_box(0.1f, 0.3f),
                              cn_box(0.05f, 0.27f)};
    for (int i = 0; i < 12; i++) {
        bool sleeps = i & 1;
        cn_world *world = sleeps ? make_sleepy_world(GRAVITY) : make_world(GRAVITY);
        assert_done(cn_world_set_substeps(world, i < 6 ? 4 : 12));
        cn_body links[12], above = add_anchor(world, 0, 0);
        cn_joint middle = {0};
        for (int k = 0; k < 12; k++) {
            links[k] = add(world, (cn_body_def){.position = point(0, -0.25 - 0.5 * k)},
                           (cn_shape_def){.hull = shapes[i / 2 % 3]});
            cn_joint joint =
                join(world, cn_revolute_joint(world, above, links[k], point(0, -0.5 * k)));
            if (k == 6) middle = joint;
            above = links[k];
        }
        run(world, 120);
        assert_int_equal(!cn_body_asleep(world, above), !sleeps);
        assert_done(cn_joint_destroy(world, middle));
        run(world, 30);
        for (int k = 0; k < 12; k++) {
            motion m = motion_of(world, links[k]);
            assert_near(m.vy, k < 6 ? 0 : -GRAVITY * 0.5, 0.01);
            assert_near(m.w, 0, 0.01);
        }
        cn_world_destroy(world);
    }
}

// A filter joint lets a load overlap its bearer. The load leaves, and collides again.
static void bodies_that_a_joint_let_overlap_collide_after_they_separate(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body bearer = add(world, (cn_body_def){.position = point(0, 0.5)},
                         (cn_shape_def){.hull = cn_box(1, 0.5f)});
    cn_body load = add(world, (cn_body_def){.position = point(0, 0.8)},
                       (cn_shape_def){.hull = cn_box(0.3f, 0.3f)});
    cn_joint carried = join(world, cn_filter_joint(world, bearer, load));
    run(world, 5);
    assert_done(cn_joint_destroy(world, carried));
    assert_done(cn_body_set_velocity(world, load, point(0, 6)));
    run(world, 20);
    assert_true(motion_of(world, load).y > 2); // the overlap adds nothing to 6 m/s
    assert_near(motion_of(world, load).vy, 6 - GRAVITY / 3, 0.01);
    run(world, 180);
    assert_near(motion_of(world, load).y, 1.3, 0.01);
    cn_world_destroy(world);
}

// Four cases: a joint that lets its bodies collide, two welded pairs, a body that is enabled after
// its joint is destroyed, and two bodies that each were welded to an anchor.
static void bodies_that_no_joint_let_overlap_separate(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        cn_world *world = make_world(GRAVITY);
        add_floor(world, (cn_material){0});
        cn_shape_def box = {.hull = cn_box(0.5f, 0.5f)};
        cn_body lower = add(world, (cn_body_def){.position = point(0, 0.5)}, box);
        cn_body upper =
            add(world, (cn_body_def){.position = point(0, 0.7), .disabled = i == 2}, box);
        cn_joint_def guide = cn_prismatic_joint(world, lower, upper, point(0, 0.5), point(0, 1));
        guide.collide_connected = true;
        if (i == 0) join(world, guide);
        for (int side = -1; i == 1 && side <= 1; side += 2) {
            cn_body pair = side < 0 ? lower : upper;
            cn_body other =
                add(world, (cn_body_def){.position = point(1, side < 0 ? 0.5 : 0.7)}, box);
            join(world, cn_weld_joint(world, pair, other, point(0.5, 0.6)));
        }
        if (i == 2) {
            cn_joint joint = join(world, cn_weld_joint(world, lower, upper, point(0, 0.5)));
            assert_done(cn_joint_destroy(world, joint));
            run(world, 100);
            assert_done(cn_body_set_disabled(world, upper, false));
        }
        for (int side = -1; i == 3 && side <= 1; side += 2) {
            cn_body welded = side < 0 ? lower : upper, anchor = add_anchor(world, side, 3);
            cn_joint joint = join(world, cn_weld_joint(world, anchor, welded, point(0, 0.6)));
            assert_done(cn_joint_destroy(world, joint));
        }
        run(world, 600);
        assert_near(motion_of(world, upper).y, 1.5, 0.01);
        cn_world_destroy(world);
    }
}

// Joints connect neighbours in rows of five bodies that overlap, in a room. So most joints hold
// their bodies in each other, and contacts push against them for ever.
static cn_world *make_overlapping_rows(uint64_t seed, int kind, float restitution) {
    uint64_t random = seed;
    cn_world *world = make_world(0);
    const cn_material material = {.friction = 0.5f, .restitution = restitution};
    cn_body room = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    for (int side = 0; side < 4; side++) {
        cn_hull wall = side < 2 ? cn_box(9, 1) : cn_box(1, 9);
        double at = side % 2 ? 8 : -8;
        wall = cn_hull_at(wall, cn_pose_at(side < 2 ? point(0, at) : point(at, 0), 0));
        cn_shape_create(world, room, &(cn_shape_def){.hull = wall, .material = material});
    }
    cn_body before = {0};
    for (int i = 0; i < 15; i++) {
        double x = (i % 5 - 2) * 0.8 + random_between(&random, -0.2, 0.2);
        double y = (i / 5 - 2) * 0.8 + random_between(&random, -0.2, 0.2);
        cn_body_def def = {.position = point(x, y)};
        def.angle = (float)random_between(&random, -3, 3);
        def.velocity = random_point_between(&random, -6, 6);
        def.angular_velocity = (float)random_between(&random, -4, 4);
        float r = (float)random_between(&random, 0.25, 0.5);
        cn_hull hulls[] = {cn_circle(r), cn_box(r, 0.6f * r), cn_regular_polygon(6, r)};
        cn_shape_def shape = {.hull = hulls[i % 3], .material = material};
        cn_body body = add(world, def, shape);
        vec2s a = i % 5 ? cn_body_position(world, before) : def.position, b = def.position;
        vec2s middle = glms_vec2_scale(glms_vec2_add(a, b), 0.5f);
        cn_joint_def joint = kind == 0   ? cn_revolute_joint(world, before, body, middle)
                             : kind == 1 ? cn_weld_joint(world, before, body, middle)
                                         : cn_distance_joint(world, before, body, a, b);
        joint.collide_connected = true;
        if (i % 5) join(world, joint);
        before = body;
    }
    return world;
}

// They gain a little, because they part as far as their joints let them.
static void bodies_that_joints_hold_in_overlap_gain_little_energy(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++)
        for (int i = 0; i < 9; i++) {
            cn_world *world = make_overlapping_rows(seed, i / 3, 0.5f * (float)(i % 3));
            run(world, 1);
            double start = cn_world_energy(world).kinetic, most = 0;
            for (int k = 0; k < 300; k++) {
                run(world, 1);
                most = fmax(most, cn_world_energy(world).kinetic);
            }
            if (most > 1.3 * start)
                fail_msg("seed %d, case %d: %g times", (int)seed, i, most / start);
            cn_world_destroy(world);
        }
}

// Two boxes are hinged to the world at their centres and overlap. Their contact sees masses that
// are up to a thousand times theirs where its normal goes past the hinges.
static void boxes_that_are_hinged_in_each_other_gain_no_energy(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        cn_world *world = make_world(0);
        cn_body ground = add_anchor(world, 0, 0);
        for (int i = 0; i < 2; i++) {
            cn_body_def def = {.position = random_point_between(&random, 0, 0.6)};
            def.angle = (float)random_between(&random, -3, 3);
            def.angular_velocity = (float)random_between(&random, -2, 2);
            vec2s half = random_point_between(&random, 0.1, 0.4);
            cn_body box = add(world, def, (cn_shape_def){.hull = cn_box(half.x, half.y)});
            cn_joint_def hinge = cn_revolute_joint(world, ground, box, def.position);
            hinge.collide_connected = true;
            join(world, hinge);
        }
        double most = 0;
        for (int k = 0; k < 300; k++) {
            run(world, 1);
            most = fmax(most, cn_world_energy(world).kinetic);
        }
        if (most > 10) fail_msg("seed %d: %g J", (int)seed, most);
        cn_world_destroy(world);
    }
}

// A weld holds two crates on each other, and is then destroyed.
static void boxes_that_only_touch_keep_touching_after_their_weld(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body crates[2];
    for (int i = 0; i < 2; i++)
        crates[i] = add(world, (cn_body_def){.position = point(0, 0.5 + 0.95 * i)},
                        (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    cn_joint weld = join(world, cn_weld_joint(world, crates[0], crates[1], point(0, 1)));
    run(world, 5);
    assert_done(cn_joint_destroy(world, weld));
    run(world, 120);
    assert_near(motion_of(world, crates[1]).y, 1.5, 0.01);
    cn_world_destroy(world);
}

// ---- chains and continuous collision

// Continuous collision once stopped links that hit others of their chain fast, while their
// neighbours moved on: the joints opened by up to two links.
static void a_chain_that_is_whirled_about_stays_whole(void **state) {
    (void)state;
    for (int phase = 0; phase < 5; phase++) {
        cn_world *world = make_world(10);
        cn_body_def hand = {.type = CN_KINEMATIC};
        cn_body last = add(world, hand, box_of(0.05f)), first = last;
        for (int k = 0; k < 10; k++) {
            cn_body_def def = {.position = point(k + 0.5, 0)};
            cn_shape_def link = {.hull = cn_capsule(point(-0.4, 0), point(0.4, 0), 0.1f)};
            cn_body next = add(world, def, link);
            join(world, cn_revolute_joint(world, last, next, point(k, 0)));
            last = next;
        }
        double most = 0;
        for (int k = 0; k < 300; k++) {
            double t = k / 60.0 + 0.37 * phase;
            assert_done(cn_body_set_velocity(world, first, point(8 * cos(3 * t), 8 * sin(5 * t))));
            run(world, 1);
            most = fmax(most, greatest_gap(world));
        }
        if (most > 0.25) fail_msg("phase %d: the chain opens by %g m", phase, most);
        cn_world_destroy(world);
    }
}

// A filter joint exerts no force, so its bodies land like bodies without joints. Whether there are
// joints elsewhere, in the same batch of the solver, must not matter.
static cn_pose landing_of(bool filter_joint, bool hinge_elsewhere) {
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    cn_body_def fast = {.position = point(0, 3), .angle = 0.3f, .velocity = point(5, -9)};
    cn_body box = add(world, fast, box_of(0.5f));
    cn_body other = add(world, (cn_body_def){.position = point(30, 0.5)}, box_of(0.5f));
    if (filter_joint) join(world, cn_filter_joint(world, other, box));
    if (hinge_elsewhere) {
        cn_body a = add(world, (cn_body_def){.position = point(60, 5)}, box_of(0.5f));
        cn_body b = add(world, (cn_body_def){.position = point(61, 5)}, box_of(0.5f));
        join(world, cn_revolute_joint(world, a, b, point(60.5, 5)));
    }
    run(world, 60);
    cn_pose pose = cn_body_pose(world, box);
    cn_world_destroy(world);
    return pose;
}

static void a_filter_joint_does_not_change_a_landing(void **state) {
    (void)state;
    cn_pose alone = landing_of(false, false);
    for (int i = 1; i < 4; i++) {
        cn_pose pose = landing_of(i & 1, i & 2);
        assert_memory_equal(&pose, &alone, sizeof pose);
    }
}

// Each link hits the floor at its own time within a substep.
static void a_chain_that_lands_stays_whole(void **state) {
    (void)state;
    for (int substeps = 4; substeps <= 12; substeps += 4)
        for (int tilt = 0; tilt < 4; tilt++) {
            cn_world *world = make_world(10);
            assert_done(cn_world_set_substeps(world, substeps));
            add_floor(world, (cn_material){0});
            double angle = 0.2 * tilt, most = 0;
            cn_body last = {0};
            for (int k = 0; k < 12; k++) {
                vec2s place = point(0.42 * k * cos(angle), 30 + 0.42 * k * sin(angle));
                cn_body_def def = {.position = place, .angle = (float)angle};
                cn_hull link = cn_capsule(point(-0.2, 0), point(0.2, 0), 0.07f);
                cn_body next = add(world, def, (cn_shape_def){.hull = link});
                vec2s between = cn_pose_point(cn_body_pose(world, next), point(-0.21, 0));
                if (k) join(world, cn_revolute_joint(world, last, next, between));
                last = next;
            }
            for (int k = 0; k < 300; k++) {
                run(world, 1);
                most = fmax(most, greatest_gap(world));
            }
            if (most > 0.015)
                fail_msg("%d substeps, %g rad: the chain opens by %g m", substeps, angle, most);
            cn_world_destroy(world);
        }
}

// A chain of links of 0.5 m, upright or level, in free flight.
static void add_flying_chain(cn_world *world, double x, double y, bool upright, double speed) {
    cn_body last = {0};
    for (int i = 0; i < 12; i++) {
        double dx = upright ? 0 : 0.5 * i, dy = upright ? 0.5 * i : 0;
        cn_body_def def = {.position = point(x + dx, y + dy), .velocity = point(speed, 0)};
        def.angle = (float)(upright ? PI / 2 : 0);
        cn_shape_def shape = {.hull = cn_capsule(point(-0.2, 0), point(0.2, 0), 0.05f)};
        cn_body body = add(world, def, shape);
        vec2s pin = point(x + dx - (upright ? 0 : 0.25), y + dy - (upright ? 0.25 : 0));
        if (i) join(world, cn_revolute_joint(world, last, body, pin));
        last = body;
    }
}

// If continuous collision stopped single links, their neighbours would move on.
static void chains_that_collide_in_free_flight_stay_whole(void **state) {
    (void)state;
    double sum = 0;
    for (int i = 0; i < 10; i++) {
        cn_world *world = make_world(0);
        add_flying_chain(world, -7, 0.3 * i - 1.5, false, 15);
        add_flying_chain(world, 1, -3 + 0.07 * i, true, -15);
        double gap = 0;
        for (int k = 0; k < 60; k++) {
            run(world, 1);
            gap = fmax(gap, greatest_gap(world));
        }
        sum += gap;
        cn_world_destroy(world);
    }
    assert_near(sum / 10, 0, 0.15);
}

// Static stairs that descend to the right: 24 steps of 0.5 m by 0.25 m.
static void add_stairs(cn_world *world) {
    cn_body stairs = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    for (int i = 0; i < 24; i++) {
        cn_hull step = cn_box(0.25f, 0.125f);
        step = cn_hull_at(step, cn_pose_at(point(0.5 * i, -0.25 * i), 0));
        assert_done(cn_shape_create(world, stairs, &(cn_shape_def){.hull = step}).id != 0);
    }
}

// The bones land on the stairs, not in them, so no neighbour of a stopped bone goes on without it.
// The joints once opened by up to 52 mm.
static void dolls_that_fall_on_stairs_stay_whole(void **state) {
    (void)state;
    for (int i = 0; i < 60; i++) {
        double speed = i % 2 ? 20 : 10, gap = 0;
        cn_world *world = make_world(GRAVITY);
        ragdoll doll;
        add_stairs(world);
        assert_done(ragdoll_add(world, &doll, 0, 2, 1));
        for (int k = 0; k < RAGDOLL_BONES; k++)
            assert_done(cn_body_set_velocity(world, doll.bones[k], point(2 + 0.06 * i, -speed)));
        for (int k = 0; k < 240; k++) {
            run(world, 1);
            gap = fmax(gap, greatest_gap(world));
        }
        if (gap > 0.036) fail_msg("doll %d at %g m/s opens by %g m", i, speed, gap);
        cn_world_destroy(world);
    }
}

// Continuous collision is on for a body with a joint to the body of the walls.
static void a_body_joined_to_the_walls_does_not_pass_them(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body walls = add(world, (cn_body_def){.type = CN_STATIC, .position = point(10, 0)},
                        (cn_shape_def){.hull = cn_box(0.05f, 20)});
    for (int i = 0; i < 20; i++) {
        cn_body_def def = {.position = point(0.17 * i, i - 9.5), .velocity = point(150, 0)};
        cn_body puck = add(world, def, (cn_shape_def){.hull = cn_circle(0.2f)});
        join(world, cn_motor_joint(world, walls, puck, 1, 1));
        run(world, 15);
        double x = motion_of(world, puck).x;
        if (x > 10) fail_msg("puck %d is at %g", i, x);
    }
    cn_world_destroy(world);
}

// A filter joint holds no coordinate, so it makes no chain of its bodies.
static void a_filter_joint_does_not_end_continuous_collision(void **state) {
    (void)state;
    for (int phase = 0; phase < 20; phase++) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){.frictionless = true});
        cn_body pucks[2], post = add_anchor(world, 0, 20);
        cn_body far =
            add(world, (cn_body_def){.position = point(0, 30), .weightless = true}, box_of(1));
        for (int i = 0; i < 2; i++) {
            double direction = i ? -1 : 1;
            cn_body_def def = {.position = point(-direction * (10 + 0.1 * phase * i), 0.2),
                               .velocity = point(60 * direction, 0)};
            pucks[i] = add(world, def, (cn_shape_def){.hull = cn_circle(0.2f)});
            join(world, cn_filter_joint(world, far, pucks[i]));
        }
        join(world, cn_filter_joint(world, post, far));
        run(world, 20);
        double gap = motion_of(world, pucks[1]).x - motion_of(world, pucks[0]).x;
        if (gap < 0) fail_msg("phase %d: they passed each other", phase);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_bodies_collide_if_their_joint_says_so),
        cmocka_unit_test(a_motor_joint_lets_its_bodies_collide),
        cmocka_unit_test(a_cut_rope_falls_freely),
        cmocka_unit_test(bodies_that_a_joint_let_overlap_collide_after_they_separate),
        cmocka_unit_test(bodies_that_no_joint_let_overlap_separate),
        cmocka_unit_test(bodies_that_joints_hold_in_overlap_gain_little_energy),
        cmocka_unit_test(boxes_that_are_hinged_in_each_other_gain_no_energy),
        cmocka_unit_test(boxes_that_only_touch_keep_touching_after_their_weld),
        cmocka_unit_test(a_chain_that_is_whirled_about_stays_whole),
        cmocka_unit_test(a_filter_joint_does_not_change_a_landing),
        cmocka_unit_test(a_chain_that_lands_stays_whole),
        cmocka_unit_test(chains_that_collide_in_free_flight_stay_whole),
        cmocka_unit_test(dolls_that_fall_on_stairs_stay_whole),
        cmocka_unit_test(a_body_joined_to_the_walls_does_not_pass_them),
        cmocka_unit_test(a_filter_joint_does_not_end_continuous_collision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
