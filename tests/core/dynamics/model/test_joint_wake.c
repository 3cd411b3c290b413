/* Joints and sleep: chains that sleep and wake as a whole, changes that wake them, and bodies of a
 * joint that are enabled, disabled or change their type. */
#include "../../../support/chains.h"

// ---- sleep

static bool is_chain_awake(const chain *c) { return !cn_body_asleep(c->world, c->links[0]); }

static void make_sleeping_chain(chain *c) {
    hang_chain(c, make_sleepy_world(GRAVITY), 5);
    run(c->world, 300);
    for (int i = 0; i < 5; i++) assert_false(!cn_body_asleep(c->world, c->links[i]));
    assert_int_equal(cn_world_counters(c->world).sleeping_islands, 1);
}

static void a_hanging_chain_sleeps_and_wakes_as_a_whole(void **state) {
    (void)state;
    chain c;
    make_sleeping_chain(&c);
    cn_world *w = c.world;
    motion before = motion_of(w, c.links[4]);
    run(w, 60);
    assert_true(motion_of(w, c.links[4]).y == before.y);
    assert_done(cn_body_apply_impulse_at(w, c.links[4], point(5, 0), point(0, -4.5)));
    run(w, 2);
    for (int i = 0; i < 5; i++) assert_true(!cn_body_asleep(w, c.links[i]));
    run(w, 30);
    assert_true(motion_of(w, c.links[0]).angle != 0);
    cn_world_destroy(w);
}

static void a_body_that_hits_a_chain_wakes_it(void **state) {
    (void)state;
    chain c;
    make_sleeping_chain(&c);
    add(c.world, (cn_body_def){.position = point(-1, -4.5), .velocity = {{10, 3}}},
        (cn_shape_def){.hull = cn_circle(0.3f)});
    run(c.world, 20);
    assert_true(is_chain_awake(&c));
    cn_world_destroy(c.world);
}

static bool move_anchor(chain *c) {
    return cn_body_set_pose(c->world, c->anchor, cn_pose_at(point(1, 0), 0));
}
static bool free_anchor(chain *c) { return cn_body_set_type(c->world, c->anchor, CN_DYNAMIC); }
static bool disable_anchor(chain *c) { return cn_body_set_disabled(c->world, c->anchor, true); }
static bool destroy_anchor(chain *c) { return cn_body_destroy(c->world, c->anchor); }
static bool drive_anchor(chain *c) {
    return cn_body_set_type(c->world, c->anchor, CN_KINEMATIC) &&
           cn_body_set_velocity(c->world, c->anchor, point(1, 0));
}
static bool cut(chain *c) { return cn_joint_destroy(c->world, c->joints[2]); }
static bool disable_joint(chain *c) { return cn_joint_set_disabled(c->world, c->joints[2], true); }
static bool drive_joint(chain *c) {
    cn_coordinate motor = {.mode = CN_FREE, .motor = true, .motor_speed = 2, .max_motor_force = 50};
    return cn_joint_set_coordinate(c->world, c->joints[2], CN_JOINT_ANGLE, motor);
}
static bool move_frame(chain *c) {
    return cn_joint_set_frames(c->world, c->joints[0], (cn_pose){.position = {{1, 0}}},
                               (cn_pose){.position = {{0, 0.5f}}});
}

// After each of these changes the chain wakes and its end moves.
static void a_change_to_a_joint_or_its_anchor_wakes_and_moves_the_chain(void **state) {
    (void)state;
    bool (*const changes[])(chain *) = {move_anchor,    free_anchor,  disable_anchor,
                                        destroy_anchor, drive_anchor, cut,
                                        disable_joint,  drive_joint,  move_frame};
    for (size_t i = 0; i < 2 * sizeof changes / sizeof *changes; i++) {
        chain c;
        make_sleeping_chain(&c);
        if (i % 2) assert_done(cn_body_set_asleep(c.world, c.links[1], false)), run(c.world, 2);
        motion before = motion_of(c.world, c.links[4]);
        assert_done(changes[i / 2](&c));
        run(c.world, 2);
        bool awake = !cn_body_asleep(c.world, c.links[4]) && !cn_body_asleep(c.world, c.links[0]);
        run(c.world, 40);
        motion m = motion_of(c.world, c.links[4]);
        bool moved = hypot(m.x - before.x, m.y - before.y) > 0.05;
        if (!awake || !moved) {
            print_error("change %d of %s chain: awake %d, moved %d\n", (int)i / 2,
                        i % 2 ? "an awake" : "a sleeping", awake, moved);
            fail();
        }
        cn_world_destroy(c.world);
    }
}

// ---- bodies that become a part of the simulation

// A disc hangs on a body, or by a joint, that is disabled at first and is then enabled.
static void a_joint_holds_as_soon_as_both_bodies_take_part(void **state) {
    (void)state;
    for (int how = 0; how < 4; how++) {
        cn_world *world = make_world(GRAVITY);
        cn_body_def above = {.disabled = how != 1,
                             .type = how == 0   ? CN_STATIC
                                     : how == 3 ? CN_KINEMATIC
                                                : CN_DYNAMIC};
        cn_body a = cn_body_create(world, &above), b = add_disc(world, 0, -1, 1);
        cn_joint_def def = cn_revolute_joint(world, a, b, point(0, 0));
        def.disabled = how == 1;
        cn_joint joint = join(world, def);
        run(world, 1);
        if (how == 1) assert_done(cn_joint_set_disabled(world, joint, false));
        if (how != 1) assert_done(cn_body_set_disabled(world, a, false));
        if (how == 2) assert_done(cn_body_set_type(world, a, CN_STATIC));
        run(world, 60);
        if (gap_of(world, joint) > 0.01) {
            print_error("case %d: the gap is %g\n", how, gap_of(world, joint));
            fail();
        }
        cn_world_destroy(world);
    }
}

// A weight hangs, and is then disabled for a while. It is enabled without gravity, so nothing may
// move it.
static void a_joint_forgets_its_impulse_while_its_body_is_disabled(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body weight = add_disc(world, 0, -1, 1);
    cn_joint joint =
        join(world, cn_revolute_joint(world, add_anchor(world, 0, 0), weight, point(0, 0)));
    run(world, 60);
    assert_near(cn_joint_force(world, joint).y, GRAVITY, 0.1);
    assert_done(cn_body_set_disabled(world, weight, true));
    assert_near(cn_joint_force(world, joint).y, 0, 0);
    assert_done(cn_body_set_velocity(world, weight, point(0, 0)));
    assert_done(cn_world_set_gravity(world, point(0, 0)));
    assert_done(cn_body_set_disabled(world, weight, false));
    run(world, 1);
    assert_near(motion_of(world, weight).y, -1, 1e-4);
    cn_world_destroy(world);
}

// The body falls and pulls the other one down, which is weightless.
static void a_static_body_that_becomes_dynamic_pulls(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body a = add_disc(world, 0, 0, 1);
    assert_done(cn_body_set_type(world, a, CN_STATIC));
    cn_body b = cn_body_create(world, &(cn_body_def){.position = point(0, -1), .weightless = true});
    cn_joint joint = join(world, cn_weld_joint(world, a, b, point(0, 0)));
    run(world, 10);
    assert_done(cn_body_set_type(world, a, CN_DYNAMIC));
    run(world, 60);
    assert_near(motion_of(world, b).vy, -GRAVITY / 2, 0.2);
    assert_true(gap_of(world, joint) < 0.01);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hanging_chain_sleeps_and_wakes_as_a_whole),
        cmocka_unit_test(a_body_that_hits_a_chain_wakes_it),
        cmocka_unit_test(a_change_to_a_joint_or_its_anchor_wakes_and_moves_the_chain),
        cmocka_unit_test(a_joint_holds_as_soon_as_both_bodies_take_part),
        cmocka_unit_test(a_joint_forgets_its_impulse_while_its_body_is_disabled),
        cmocka_unit_test(a_static_body_that_becomes_dynamic_pulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
