/* Steps of changing length, and very short ones: they neither drive nor throw bodies. */
#include "../../../support/chains.h"

// ---- very short steps

static void a_longer_step_after_short_ones_does_not_throw_a_box(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    cn_body box = add(world, (cn_body_def){.position = point(0, 0.505), .velocity = point(10, -10)},
                      box_of(0.5f));
    for (int i = 0; i < 100; i++) assert_done(cn_world_step(world, 1e-5f));
    double x = (double)cn_body_position(world, box).x;
    run(world, 1);
    assert_near((double)cn_body_position(world, box).x - x, 0, 0.17);
    cn_world_destroy(world);
}

// The inverse of the squared step length overflowed, and the bodies were quarantined.
static void the_shortest_steps_disable_no_body(void **state) {
    (void)state;
    const float steps[] = {1e-10f, 2e-15f, 1e-20f, 1e-30f, 1e-45f};
    for (int i = 0; i < 5; i++) {
        enum { BOXES = 10 };
        cn_world *world = make_world(10);
        cn_shape_def shape = box_of(0.5f);
        shape.material.restitution = 0.5f;
        add_floor(world, (cn_material){0});
        cn_body boxes[BOXES];
        cn_joint joint = {0};
        for (int k = 0; k < BOXES; k++) {
            cn_body_def def = {.position = point(1.2 * k, 0.45 + 0.02 * k)};
            def.velocity = point(0, -3);
            boxes[k] = add(world, def, shape);
            if (k < 8) continue; // joints weld the last three together
            cn_joint_def weld = cn_weld_joint(world, boxes[k - 1], boxes[k], def.position);
            joint = cn_joint_create(world, weld);
        }
        for (int k = 0; k < 4; k++) assert_done(cn_world_step(world, k % 2 ? steps[i] : 1.0f / 60));
        for (int k = 0; k < BOXES; k++) {
            assert_true(!cn_body_disabled(world, boxes[k]));
            assert_near(motion_of(world, boxes[k]).vy, 0, 10);
        }
        vec2s force = cn_joint_force(world, joint);
        assert_true(isfinite(force.x) && isfinite(force.y));
        cn_world_destroy(world);
    }
}

// ---- changing steps

// The gaps that a long step had opened were closed at the rate of the short ones: a whole fall of
// this chain is worth 236 J, and it gained 3 J at 4 substeps and 22 J at 12.
static void steps_of_changing_length_do_not_drive_a_chain(void **state) {
    (void)state;
    for (int substeps = 4; substeps <= 12; substeps += 8) {
        cn_world *world = make_world(10);
        assert_done(cn_world_set_substeps(world, substeps));
        cn_shape_def link = {.hull = cn_box(0.25f, 0.05f)},
                     ball = {.hull = cn_circle(0.3f), .density = 5};
        hang_loaded_chain(world, 12, point(0.5, 0), link, ball);
        cn_energy start = cn_world_energy(world), now;
        double most = 0;
        for (int k = 0; k < 600; k++) {
            assert_done(cn_world_step(world, k % 2 ? 1.0f / 30 : 1.0f / 120));
            now = cn_world_energy(world);
            most = fmax(most, now.kinetic + now.potential - start.kinetic - start.potential);
        }
        if (most > substeps - 3) fail_msg("gained %g J at %d substeps", most, substeps);
        cn_world_destroy(world);
    }
}

// A bridge of 12 planks with a little damping, after it has come to rest.
static cn_world *make_bridge(cn_body *middle) {
    cn_world *world = make_world(10);
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC}), last = ground;
    for (int i = 0; i <= 12; i++) {
        cn_body_def def = {.position = point(i - 5.5, 5)};
        def.linear_damping = def.angular_damping = 0.5f;
        cn_shape_def plank = {.hull = cn_box(0.5f, 0.1f), .filter.group = -1};
        cn_body next = i < 12 ? add(world, def, plank) : ground;
        join(world, cn_revolute_joint(world, last, next, point(i - 6, 5)));
        last = next;
        if (i == 6) *middle = next;
    }
    run(world, 40 * 60);
    return world;
}

// The stiffness followed the length of each step, and the compliance of joints its square: at 60 to
// 144 steps a second the bridge swung at up to 2.4 m/s, and it jumped when the substeps were set.
static void a_bridge_rests_while_steps_change(void **state) {
    (void)state;
    cn_body middle;
    cn_world *world = make_bridge(&middle);
    double rest = motion_of(world, middle).y, far = 0, fast = 0;
    uint64_t seed = 5;
    for (int i = 0; i < 1500; i++) {
        assert_done(cn_world_step(world, 1 / (float)random_between(&seed, 60, 144)));
        far = fmax(far, fabs(motion_of(world, middle).y - rest));
        fast = fmax(fast, fabs(motion_of(world, middle).vy));
    }
    if (far > 0.2 || fast > 0.5) fail_msg("moves by %g m, at %g m/s", far, fast);
    cn_world_destroy(world);

    world = make_bridge(&middle);
    assert_done(cn_world_set_substeps(world, 8));
    for (int i = 0; i < 120; i++) {
        run(world, 1);
        double speed = fabs(motion_of(world, middle).vy);
        if (speed > 0.5) fail_msg("jumps at %g m/s", speed);
    }
    cn_world_destroy(world);
}

// A shorter step does not throw out bodies that sank in during a longer one: these moved on at 0.06
// m/s, and some at 2 m/s.
static void a_pile_rests_while_steps_change(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    for (int i = -1; i <= 1; i += 2)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(6 * i, 10)},
            (cn_shape_def){.hull = cn_box(1, 10)});
    cn_body boxes[140];
    for (int i = 0; i < 140; i++)
        boxes[i] = add(world,
                       (cn_body_def){.position = point(i % 14 * 0.7 - 4.55, 0.5 + i / 14 * 0.7),
                                     .angle = (float)(i * i % 60)},
                       box_of(0.25f));
    run(world, 900);
    double sum = 0, fastest = 0;
    for (int k = 0; k < 1200; k++) {
        assert_done(cn_world_step(world, 1.0f / (k % 2 ? 60 : 120)));
        for (int i = 0; i < 140; i++) {
            motion m = motion_of(world, boxes[i]);
            double speed = hypot(m.vx, m.vy);
            sum += speed * speed / (140 * 1200);
            fastest = fmax(fastest, speed);
        }
    }
    assert_near(sqrt(sum), 0, 0.01);
    assert_near(fastest, 0, 0.3);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_longer_step_after_short_ones_does_not_throw_a_box),
        cmocka_unit_test(the_shortest_steps_disable_no_body),
        cmocka_unit_test(steps_of_changing_length_do_not_drive_a_chain),
        cmocka_unit_test(a_bridge_rests_while_steps_change),
        cmocka_unit_test(a_pile_rests_while_steps_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
