/* Couplings of two joints: gears, racks and pulleys, against closed formulas. */
#include "../../../support/joints.h"
#include "../../../support/refuse.h"

// ---- gears and racks

static cn_joint add_gear(cn_world *world, double x, cn_body *disc) {
    cn_body anchor = add_anchor(world, x, 0);
    *disc = add_disc(world, x, 0, 1);
    return join(world, cn_revolute_joint(world, anchor, *disc, point(x, 0)));
}

// q + 2 q' is constant. An impulse J turns the wheels by J and 2 J, so 4 + J + 4 J = 0.
static void gears_turn_by_their_ratio(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body first, second;
    cn_joint p = add_gear(world, 0, &first), q = add_gear(world, 5, &second);
    assert_done(cn_joint_set_coupling(world, p,
                                      (cn_coupling){q, CN_JOINT_ANGLE, CN_JOINT_ANGLE, 2, false}));
    assert_done(cn_body_set_angular_velocity(world, first, 4));
    run(world, 120);
    assert_near(motion_of(world, first).w, 3.2, 1e-3);
    assert_near(motion_of(world, second).w, -1.6, 1e-3);
    double sum = value_of(world, p, CN_JOINT_ANGLE) + 2 * value_of(world, q, CN_JOINT_ANGLE);
    assert_near(sum, 0, 1e-3);
    cn_world_destroy(world);
}

static void a_pinion_drives_its_rack(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body pinion, anchor = add_anchor(world, 0, 1), rack = add_disc(world, 0, 1, 2);
    cn_joint p = add_gear(world, 0, &pinion);
    cn_joint q = join(world, cn_prismatic_joint(world, anchor, rack, point(0, 1), point(1, 0)));
    const double r = 0.25;
    assert_done(cn_joint_set_coupling(
        world, p, (cn_coupling){q, CN_JOINT_ANGLE, CN_JOINT_X, (float)(1 / r), false}));
    cn_coordinate drive = {.mode = CN_FREE, .motor = true, .motor_speed = 4};
    assert_done(cn_joint_set_coordinate(world, p, CN_JOINT_ANGLE, drive));
    run(world, 120);
    assert_near(motion_of(world, rack).vx, -4 * r, 1e-3);
    assert_near(motion_of(world, rack).x, -r * value_of(world, p, CN_JOINT_ANGLE), 1e-3);
    cn_world_destroy(world);
}

static void a_joint_couples_only_while_it_is_enabled(void **state) {
    (void)state;
    for (int which = 0; which < 2; which++) {
        cn_world *world = make_world(0);
        cn_body anchor = add_anchor(world, 0, 0), discs[2];
        cn_joint joints[2];
        for (int i = 0; i < 2; i++) {
            discs[i] = add_disc(world, 3 * i, 0, 1);
            joints[i] = join(world, cn_revolute_joint(world, anchor, discs[i], point(3 * i, 0)));
        }
        assert_done(cn_joint_set_coupling(
            world, joints[0], (cn_coupling){joints[1], CN_JOINT_ANGLE, CN_JOINT_ANGLE, 1, false}));
        run(world, 2);
        assert_done(cn_joint_set_disabled(world, joints[which], true));
        assert_done(cn_body_set_angular_velocity(world, discs[0], 4));
        run(world, 10);
        assert_near(motion_of(world, discs[0]).w, 4, 1e-4);
        assert_near(motion_of(world, discs[1]).w, 0, 1e-4);
        assert_done(cn_joint_set_disabled(world, joints[which], false));
        run(world, 10);
        assert_near(motion_of(world, discs[0]).w, 2, 0.1);
        cn_world_destroy(world);
    }
}

static void a_joint_without_a_dynamic_body_cannot_be_coupled(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body ground = add_anchor(world, 0, 0);
    cn_body wheel =
        add(world, (cn_body_def){.type = CN_KINEMATIC}, (cn_shape_def){.hull = cn_circle(1)});
    cn_body gear =
        add(world, (cn_body_def){.position = point(5, 0)}, (cn_shape_def){.hull = cn_circle(1)});
    cn_joint_def def = cn_revolute_joint(world, ground, wheel, point(0, 0));
    cn_joint of_wheel = cn_joint_create(world, def);
    def = cn_revolute_joint(world, ground, gear, point(5, 0));
    cn_joint of_gear = cn_joint_create(world, def);
    cn_coupling coupling = {of_wheel, CN_JOINT_ANGLE, CN_JOINT_ANGLE, 1, false};
    unchanged_world = world;
    REFUSES(CN_ERROR_STATE, cn_joint_set_coupling(world, of_gear, coupling));
    unchanged_world = NULL;
    cn_world_destroy(world);
}

// ---- pulleys

typedef struct {
    cn_world *world;
    cn_body heavy, light;
    cn_joint p, q;
} pulley;

static cn_joint add_string(cn_world *world, double x, cn_body disc) {
    cn_body anchor = add_anchor(world, x, 0);
    cn_joint_def def = cn_distance_joint(world, anchor, disc, point(x, 0), point(x, -5));
    def.x = (cn_coordinate){.mode = CN_FREE};
    return join(world, def);
}

// Atwood's machine: 2 kg and 1 kg hang 5 m below their wheels.
static pulley make_pulley(void) {
    pulley m = {.world = make_world(GRAVITY)};
    m.heavy = add_disc(m.world, -2, -5, 2), m.light = add_disc(m.world, 2, -5, 1);
    m.p = add_string(m.world, -2, m.heavy), m.q = add_string(m.world, 2, m.light);
    assert_done(
        cn_joint_set_coupling(m.world, m.p, (cn_coupling){m.q, CN_JOINT_X, CN_JOINT_X, 1, true}));
    return m;
}

static double rope_length(const pulley *m) {
    return value_of(m->world, m->p, CN_JOINT_X) + value_of(m->world, m->q, CN_JOINT_X);
}

static void a_pulley_keeps_the_length_of_its_rope(void **state) {
    (void)state;
    pulley m = make_pulley();
    run(m.world, 60);
    assert_near(rope_length(&m), 10, 0.002);
    assert_near(motion_of(m.world, m.light).vy, GRAVITY / 3, 0.01);
    assert_near(motion_of(m.world, m.heavy).vy, -GRAVITY / 3, 0.01);
    vec2s force = cn_joint_force(m.world, m.p); // 2 m1 m2 g / (m1 + m2)
    assert_near((double)force.x, 0, 0.01);
    assert_near((double)force.y, GRAVITY * 4 / 3, 0.05);
    assert_done(cn_joint_set_disabled(m.world, m.q, true));
    run(m.world, 1);
    assert_near((double)cn_joint_force(m.world, m.p).y, 0, 1e-6);
    cn_world_destroy(m.world);
}

// Only the coupling bears the weights: 13.3 N.
static void the_rope_of_a_pulley_may_break(void **state) {
    (void)state;
    for (int strong = 0; strong < 2; strong++) {
        pulley m = make_pulley();
        assert_done(cn_joint_set_break(m.world, m.p, strong ? 15 : 12, 0));
        int broken = 0;
        for (int i = 0; i < 60; i++) {
            run(m.world, 1);
            broken += cn_world_events(m.world).broken_count;
        }
        assert_int_equal(broken, !strong);
        cn_world_destroy(m.world);
    }
}

static void the_rope_of_a_pulley_may_hang_slack(void **state) {
    (void)state;
    pulley m = make_pulley();
    assert_done(cn_body_set_velocity(m.world, m.heavy, point(0, 5)));
    assert_done(cn_body_set_velocity(m.world, m.light, point(0, 5)));
    run(m.world, 30); // both are in free flight: 2 * (5 t - g t^2 / 2)
    assert_near(rope_length(&m), 10 - 2 * (2.5 - 1.25), 0.01);
    run(m.world, 60);
    assert_near(rope_length(&m), 10, 0.01);
    cn_world_destroy(m.world);
}

// Two equal weights swing in opposite directions, and each pulls up the other in turn.
static void a_swinging_pulley_keeps_its_energy(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body p = add_disc(world, -2, -5, 1), q = add_disc(world, 2, -5, 1);
    cn_joint a = add_string(world, -2, p), b = add_string(world, 2, q);
    assert_done(
        cn_joint_set_coupling(world, a, (cn_coupling){b, CN_JOINT_X, CN_JOINT_X, 1, false}));
    assert_done(cn_body_set_velocity(world, p, point(4, 0)));
    assert_done(cn_body_set_velocity(world, q, point(-4, 0)));
    cn_energy before = cn_world_energy(world);
    run(world, 1200);
    cn_energy after = cn_world_energy(world);
    double gain = after.kinetic + after.potential - before.kinetic - before.potential;
    print_message("swinging pulley: energy %+.2f %% in 20 s\n", 100 * gain / before.kinetic);
    assert_near(gain / before.kinetic, 0, 0.02);
    cn_world_destroy(world);
}

static cn_body add_load(cn_world *world, vec2s at, float density) {
    return add(world, (cn_body_def){.position = at},
               (cn_shape_def){.hull = cn_box(0.2f, 0.2f), .density = density, .filter.group = -1});
}

// Two loads on a pulley, one of which swings, with a small box welded to each. The impulse of the
// pulley once turned with its axes in each sweep over the joints, and the energy of 2.2 J became 37
// J.
static void a_pulley_with_welded_loads_adds_no_energy(void **state) {
    (void)state;
    cn_world *world =
        cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .substeps = 12, .no_sleep = true});
    cn_joint ropes[2];
    const vec2s loads[2] = {point(-2 + 3 * sin(1), 5 - 3 * cos(1)), point(2, 2)};
    for (int i = 0; i < 2; i++) {
        vec2s top = point(i ? 2 : -2, 5);
        cn_body load = add_load(world, loads[i], 1), small = add_load(world, loads[i], 0.05f);
        cn_joint_def rope = cn_distance_joint(world, add_anchor(world, 0, 5), load, top, loads[i]);
        rope.x = (cn_coordinate){.mode = CN_FREE};
        ropes[i] = join(world, rope);
        hold_together(world, load, small, loads[i], WELDS);
    }
    cn_coupling coupling = {
        .other = ropes[1], .axis = CN_JOINT_X, .other_axis = CN_JOINT_X, .ratio = 1};
    assert_done(cn_joint_set_coupling(world, ropes[0], coupling));
    cn_energy start = cn_world_energy(world), now = start;
    for (int i = 0; i < 600; i++) {
        run(world, 1);
        now = cn_world_energy(world);
        double gain = (double)(now.kinetic + now.potential) - (double)start.potential;
        if (fabs(gain) > 1.2) fail_msg("%.2f J in step %d", gain, i);
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gears_turn_by_their_ratio),
        cmocka_unit_test(a_pinion_drives_its_rack),
        cmocka_unit_test(a_joint_couples_only_while_it_is_enabled),
        cmocka_unit_test(a_joint_without_a_dynamic_body_cannot_be_coupled),
        cmocka_unit_test(a_pulley_keeps_the_length_of_its_rope),
        cmocka_unit_test(the_rope_of_a_pulley_may_break),
        cmocka_unit_test(the_rope_of_a_pulley_may_hang_slack),
        cmocka_unit_test(a_swinging_pulley_keeps_its_energy),
        cmocka_unit_test(a_pulley_with_welded_loads_adds_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
