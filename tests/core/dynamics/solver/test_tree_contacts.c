/* Contacts that load joints: a contact acts on a body of a tree with the mass of the tree behind
 * the body, and joints do not open. */
#include "../../../support/joints.h"

#include "../../../../demo/scenes/ragdoll.h"

static cn_body add_box(cn_world *world, double x, double y, double half_x, double half_y,
                       double mass) {
    return add(world, (cn_body_def){.position = point(x, y)},
               (cn_shape_def){.hull = cn_box((float)half_x, (float)half_y),
                              .density = (float)(mass / (4 * half_x * half_y))});
}

// ---- loads

// Wheels of 10 kg bear up to ten tonnes. With the mass of the wheels alone, contacts let the wheels
// sink in by 20 cm.
static void light_wheels_bear_a_heavy_truck(void **state) {
    (void)state;
    for (double mass = 10; mass <= 10000; mass *= 10) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){.friction = 0.9f});
        cn_body truck = add_box(world, 0, 1.2, 2, 0.4, mass);
        for (int i = -1; i <= 1; i += 2) {
            cn_body_def def = {.position = point(1.4 * i, 0.5)};
            cn_hull wheel = cn_circle(0.5f);
            cn_body body = add(world, def,
                               (cn_shape_def){.hull = wheel,
                                              .density = 10 / cn_hull_mass_data(wheel, 1).mass,
                                              .material = {.friction = 0.9f}});
            cn_joint_def axle = cn_revolute_joint(world, truck, body, def.position);
            axle.angle.motor = true, axle.angle.max_motor_force = (float)(2 * mass);
            axle.angle.motor_speed = -10;
            join(world, axle);
        }
        for (int i = 0; i < 300; i++) {
            run(world, 1);
            assert_near(greatest_gap(world), 0, 1e-5);
            assert_near(deepest_overlap(world), 0, 0.001);
        }
        assert_near(motion_of(world, truck).vx, 5, 0.15);
        cn_world_destroy(world);
    }
}

// Once, the hinge opened by 5 to 15 cm when the block fell on the board.
static void the_hinge_of_a_seesaw_holds_when_a_block_falls_on_it(void **state) {
    (void)state;
    for (double mass = 40; mass <= 1000; mass *= 5) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){.friction = 0.6f});
        cn_body board = add_box(world, 0, 1.5, 4.5, 0.12, 2);
        cn_joint_def hinge =
            cn_revolute_joint(world, add_anchor(world, 0, 0), board, point(0, 1.5));
        hinge.angle = (cn_coordinate){.mode = CN_LIMITED, .lower = -0.3f, .upper = 0.3f};
        join(world, hinge);
        add_box(world, -4, 2.02, 0.4, 0.4, 1);
        add_box(world, 3.6, 12.4, 0.9, 0.9, mass);
        double gap = 0;
        for (int i = 0; i < 300; i++) {
            run(world, 1);
            gap = fmax(gap, greatest_gap(world));
        }
        assert_near(gap, 0, 1e-4);
        cn_world_destroy(world);
    }
}

// A robot of 100 kg stands on legs and feet of 1 kg.
static void light_legs_bear_a_heavy_robot(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){.friction = 0.9f});
    cn_body robot = add_box(world, 0, 2.5, 0.6, 0.4, 100);
    for (int i = -1; i <= 1; i += 2) {
        double x = 0.5 * i;
        cn_body parts[] = {robot, add_box(world, x, 1.6, 0.1, 0.49, 1),
                           add_box(world, x, 0.6, 0.08, 0.49, 1),
                           add_box(world, x, 0.05, 0.3, 0.05, 1)};
        const double heights[] = {2.1, 1.1, 0.1};
        for (int k = 0; k < 3; k++) {
            cn_joint_def def =
                cn_revolute_joint(world, parts[k], parts[k + 1], point(x, heights[k]));
            def.angle.motor = true;
            join(world, def);
        }
    }
    run(world, 120);
    motion before = motion_of(world, robot);
    run(world, 180);
    assert_near(greatest_gap(world), 0, 1e-5);
    assert_near(deepest_overlap(world), 0, 0.01);
    assert_near(hypot(motion_of(world, robot).vx, motion_of(world, robot).vy), 0, 1e-3);
    assert_near(motion_of(world, robot).y, before.y, 1e-3);
    cn_world_destroy(world);
}

// ---- impacts

// Returns the angular velocity of a bar of 2 kg after a ball of 3 kg hit the bar at 5 m/s, and
// writes the velocity of the ball. `kind` 0: the bar is on a hinge at its end; 1: two halves are
// welded together; 2: the bar is one body.
static double hit_bar(int kind, double restitution, double *ball_speed) {
    cn_world *world = make_world(0);
    cn_body bar = {0};
    if (kind == 1) {
        cn_body left = add_box(world, -0.5, 0, 0.5, 0.1, 1);
        bar = add_box(world, 0.5, 0, 0.5, 0.1, 1);
        join(world, cn_weld_joint(world, left, bar, point(0, 0)));
    } else {
        bar = add_box(world, 0, 0, 1, 0.1, 2);
    }
    if (kind == 0)
        join(world, cn_revolute_joint(world, add_anchor(world, -1, 0), bar, point(-1, 0)));
    cn_hull hull = cn_circle(0.2f);
    cn_body ball =
        add(world, (cn_body_def){.position = point(0.7, 0.5), .velocity = {{0, -5}}},
            (cn_shape_def){.hull = hull,
                           .density = 3 / cn_hull_mass_data(hull, 1).mass,
                           .material = {.restitution = (float)restitution, .frictionless = true}});
    run(world, 12);
    *ball_speed = motion_of(world, ball).vy;
    double w = motion_of(world, bar).w;
    assert_near(greatest_gap(world), 0, 5e-4);
    cn_world_destroy(world);
    return w;
}

// A ball of mass m and speed v hits a bar at a distance l from its hinge. I is the inertia about
// the hinge, and e the restitution. With J = I / l^2, the impulse is (1 + e) v / (1 / m + 1 / J).
static void an_impact_on_a_hinged_bar_follows_the_closed_form(void **state) {
    (void)state;
    const double m = 3, v = 5, l = 1.7, inertia = 2 * (4 + 0.04) / 12 + 2;
    for (int i = 0; i <= 4; i++) {
        double e = 0.25 * i, ball;
        double impulse = (1 + e) * v / (1 / m + l * l / inertia);
        double w = hit_bar(0, e, &ball);
        assert_near(w, -impulse * l / inertia, 0.02 * v);
        assert_near(ball, -v + impulse / m, 0.02 * v);
    }
}

static void an_impact_on_a_welded_bar_is_that_on_one_body(void **state) {
    (void)state;
    for (int i = 0; i <= 4; i++) {
        double e = 0.25 * i, welded, whole;
        double w = hit_bar(1, e, &welded), expected = hit_bar(2, e, &whole);
        assert_near(w, expected, 0.05 * 5);
        assert_near(welded, whole, 0.05 * 5);
    }
}

typedef struct {
    double x, y, angular;
} momentum;

static momentum momentum_of(const cn_world *world, const cn_body *bodies, int count) {
    momentum sum = {0};
    for (int i = 0; i < count; i++) {
        motion m = motion_of(world, bodies[i]);
        double mass = mass_of(world, bodies[i]);
        sum.x += mass * m.vx, sum.y += mass * m.vy;
        sum.angular += inertia_of(world, bodies[i]) * m.w + mass * (m.x * m.vy - m.y * m.vx);
    }
    return sum;
}

// A ball hits the lighter body of a free pair. When the impulses of the last relaxation did not
// reach the other body, a hundredth of the momentum was lost.
static void a_hit_on_a_jointed_pair_keeps_the_momentum(void **state) {
    (void)state;
    for (int i = 0; i < 16; i++) {
        cn_world *world = make_world(0);
        cn_body bodies[3] = {add_box(world, -0.5, 0, 0.5, 0.1, 10),
                             add_box(world, 0.5, 0, 0.5, 0.1, 1)};
        join(world, i & 1 ? cn_weld_joint(world, bodies[0], bodies[1], point(0, 0))
                          : cn_revolute_joint(world, bodies[0], bodies[1], point(0, 0)));
        cn_hull ball = cn_circle(0.2f);
        bodies[2] =
            add(world,
                (cn_body_def){.position = point(0.7, 0.5 + 0.005 * (i / 4)), .velocity = {{2, -5}}},
                (cn_shape_def){.hull = ball,
                               .density = 3 / cn_hull_mass_data(ball, 1).mass,
                               .material = {.restitution = i & 2 ? 0.6f : 0}});
        momentum before = momentum_of(world, bodies, 3);
        run(world, 60);
        momentum after = momentum_of(world, bodies, 3);
        assert_near(after.x, before.x, 1e-4);
        assert_near(after.y, before.y, 1e-4);
        assert_near(after.angular, before.angular, 0.3); // a bar of one body: 0.27 of 13.5
        cn_world_destroy(world);
    }
}

static void a_hinged_bar_hits_a_ball_once_and_at_its_speed(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body bar = add(world, (cn_body_def){.velocity = {{0, 4}}, .angular_velocity = 4},
                      (cn_shape_def){.hull = cn_box(1, 0.1f), .density = 5, .hit_events = true});
    join(world, cn_revolute_joint(world, add_anchor(world, -1, 0), bar, point(-1, 0)));
    add(world, (cn_body_def){.position = point(0.7, 0.5)},
        (cn_shape_def){.hull = cn_circle(0.2f), .density = 1});
    int hits = 0;
    for (int i = 0; i < 20; i++) {
        run(world, 1);
        cn_events events = cn_world_events(world);
        for (int k = 0; k < events.hit_count; k++, hits++)
            assert_near((double)events.hits[k].approach_speed, 4 * 1.7, 0.3);
    }
    assert_int_equal(hits, 1);
    cn_world_destroy(world);
}

static void a_speed_limit_holds_for_a_body_on_a_rod(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){.friction = 0.3f});
    cn_body limited =
        add(world, (cn_body_def){.position = point(0, 0.2), .max_speed = 2}, box_of(0.2f));
    cn_body fast = add_box(world, 2, 0.5, 0.5, 0.5, 200);
    join(world, cn_distance_joint(world, limited, fast, point(0, 0.2), point(2, 0.5)));
    assert_done(cn_body_set_velocity(world, fast, point(20, 0)));
    for (int i = 0; i < 40; i++) {
        motion before = motion_of(world, limited);
        run(world, 1);
        motion now = motion_of(world, limited);
        assert_true(hypot(now.x - before.x, now.y - before.y) <= 2.001 * (double)STEP);
    }
    cn_world_destroy(world);
}

// ---- other islands, threads

// Balls that bounce far away are in the same batch.
static void a_board_moves_the_same_in_any_company(void **state) {
    (void)state;
    motion alone = {0};
    for (int balls = 0; balls <= 3; balls += 3) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){.friction = 0.6f});
        cn_body board = add_box(world, 0, 1.5, 3, 0.12, 8);
        join(world, cn_revolute_joint(world, add_anchor(world, 0, 0), board, point(0.7, 1.5)));
        add_box(world, 2, 2.02, 0.3, 0.3, 3);
        add_box(world, -1, 0.3, 0.3, 0.3, 1);
        for (int i = 0; i < balls; i++)
            add(world, (cn_body_def){.position = point(60 + 5 * i, 2 + i)},
                (cn_shape_def){.hull = cn_circle(0.3f), .material = {.restitution = 0.7f}});
        run(world, 100);
        motion m = motion_of(world, board);
        if (balls == 0) alone = m;
        assert_true(m.x == alone.x && m.y == alone.y && m.angle == alone.angle && m.w == alone.w);
        cn_world_destroy(world);
    }
}

static uint64_t hash_of_many_trees(int threads, int substeps) {
    cn_world *world = cn_world_create(&(cn_world_def){
        .gravity = {{0, -10}}, .no_sleep = true, .threads = threads, .substeps = substeps});
    assert_done(world != NULL);
    add_floor(world, (cn_material){.friction = 0.6f, .restitution = 0.4f});
    for (int i = 0; i < 60; i++) {
        double x = -40 + 1.4 * i, y = 1 + i % 3;
        cn_body last = add_box(world, x, y, 0.5, 0.12, 1 + i);
        for (int k = 0; k < 4; k++) {
            cn_body next = add_box(world, x + 0.25 * k, y + 0.6 + 0.3 * k, 0.1, 0.2, 1);
            vec2s at = point(x + 0.25 * k, y + 0.4);
            join(world, k % 2 ? cn_weld_joint(world, last, next, at)
                              : cn_revolute_joint(world, last, next, at));
            last = next;
        }
    }
    for (int i = 0; i < 400; i++) add_box(world, -40 + 0.2 * i, 6 + 0.5 * (i % 7), 0.15, 0.15, 1);
    run(world, 100);
    uint64_t hash = cn_world_hash(world);
    cn_world_destroy(world);
    return hash;
}

static void many_bouncing_trees_are_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    for (int substeps = 1; substeps <= 4; substeps += 3)
        assert_int_equal(hash_of_many_trees(1, substeps), hash_of_many_trees(3, substeps));
}

// ---- rest

// A beam of welded boxes lies on the ground and bears a stack. When positions moved with the
// velocities after the contacts, the boxes trembled at 2 mm/s.
static void a_welded_beam_under_a_stack_comes_to_rest(void **state) {
    (void)state;
    for (int count = 2; count <= 20; count += 6) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){.friction = 0.6f});
        cn_body last = {0};
        for (int i = 0; i < count; i++) {
            cn_body next = add_box(world, 0.5 * i, 0.25, 0.25, 0.25, 1);
            if (i) join(world, cn_weld_joint(world, last, next, point(0.5 * i - 0.25, 0.25)));
            last = next;
        }
        for (int i = 0; i < 5; i++) add_box(world, 0.25 * (count - 1), 1 + i, 0.5, 0.5, 1);
        run(world, 600);
        assert_near(cn_world_energy(world).kinetic, 0, 1e-6);
        assert_near(greatest_gap(world), 0, 1e-5);
        cn_world_destroy(world);
    }
}

// Ten dolls fall between two walls. Without the mass of the tree, and when positions moved with the
// velocities after the contacts, the dolls trembled at 2 to 50 mm/s for ever.
static void a_heap_of_dolls_comes_to_rest(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){.friction = 0.6f});
    for (int i = -1; i <= 1; i += 2)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(2.2 * i, 1)},
            (cn_shape_def){.hull = cn_box(0.2f, 2)});
    for (int i = 0; i < 10; i++) {
        ragdoll doll;
        assert_done(ragdoll_add(world, &doll, -1.2f + 0.6f * (float)(i % 5),
                                0.3f + 2 * (float)(i / 5), i + 1));
    }
    run(world, 720);
    assert_near(cn_world_energy(world).kinetic, 0, 1e-6);
    assert_near(greatest_gap(world), 0, 1e-4);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_wheels_bear_a_heavy_truck),
        cmocka_unit_test(the_hinge_of_a_seesaw_holds_when_a_block_falls_on_it),
        cmocka_unit_test(light_legs_bear_a_heavy_robot),
        cmocka_unit_test(an_impact_on_a_hinged_bar_follows_the_closed_form),
        cmocka_unit_test(an_impact_on_a_welded_bar_is_that_on_one_body),
        cmocka_unit_test(a_hit_on_a_jointed_pair_keeps_the_momentum),
        cmocka_unit_test(a_hinged_bar_hits_a_ball_once_and_at_its_speed),
        cmocka_unit_test(a_speed_limit_holds_for_a_body_on_a_rod),
        cmocka_unit_test(a_board_moves_the_same_in_any_company),
        cmocka_unit_test(many_bouncing_trees_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(a_welded_beam_under_a_stack_comes_to_rest),
        cmocka_unit_test(a_heap_of_dolls_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
