/* Stacks, piles and heaps: they bear their weight and bodies that fall on them, and come to rest.
 */
#include "../../../support/physics.h"

// ---- at rest

// The impulses of a step bear the weight of the box during this step.
static void a_floor_bears_the_weight_of_a_box(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body body = add(world, (cn_body_def){.position = point(0, 0.5)},
                       (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .density = 2});
    run(world, 120);
    cn_contact contact;
    assert_int_equal(cn_world_contacts(world, &contact, 1), 1);
    assert_int_equal(contact.manifold.count, 2);
    double left = (double)contact.manifold.points[0].normal_impulse;
    double right = (double)contact.manifold.points[1].normal_impulse;
    double expected = mass_of(world, body) * GRAVITY * (double)STEP;
    assert_near(left + right, expected, 0.01 * expected);
    assert_near(left, right, 0.02 * expected);
    cn_world_destroy(world);
}

// Several contacts between the same two bodies are together as stiff as one. Otherwise such stacks
// swing up by themselves: these still moved at 0.3 m/s after 20 s.
static void a_stack_of_compound_bodies_comes_to_rest(void **state) {
    (void)state;
    const float parts[2][3][4] = {
        {{-0.4f, 0.3f, 0.1f, 0.3f}, {0.4f, 0.3f, 0.1f, 0.3f}, {0, 0.7f, 0.5f, 0.1f}}, // tables
        {{-0.25f, 0.4f, 0.25f, 0.4f}, {0.25f, 0.4f, 0.25f, 0.4f}},                    // halves
    };
    for (int kind = 0; kind < 2; kind++) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){0});
        cn_body body = {0};
        for (int i = 0; i < 12; i++) {
            body = cn_body_create(world, &(cn_body_def){.position = point(0, 0.8 * i)});
            for (int k = 0; k < (kind ? 2 : 3); k++) {
                const float *p = parts[kind][k]; // centre, half sizes
                cn_hull part = cn_box(p[2], p[3]);
                part = cn_hull_at(part, cn_pose_at((vec2s){{p[0], p[1]}}, 0));
                assert_true(cn_shape_create(world, body, &(cn_shape_def){.hull = part}).id);
            }
        }
        run(world, 600);
        motion top = motion_of(world, body);
        assert_near(hypot(top.vx, top.vy), 0, 0.01);
        assert_near((double)cn_body_position(world, body).x, 0, 0.01);
        cn_world_destroy(world);
    }
}

// Boxes of two halves each, with small horizontal offsets: three contacts for each pair, one of
// them narrow. These boxes once hopped for ever, at 0.26 m/s.
static void stacks_of_compounds_come_to_rest(void **state) {
    (void)state;
    for (int count = 15; count <= 20; count += 5) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){.friction = 0.6f});
        uint64_t seed = 1;
        for (int i = 0; i < count; i++) {
            cn_body_def def = {.position = point(random_between(&seed, -0.01, 0.01), 0.5 + i)};
            cn_hull half = cn_box(0.25f, 0.5f),
                    right = cn_hull_at(half, cn_pose_at(point(0.25, 0), 0));
            cn_hull left = cn_hull_at(half, cn_pose_at(point(-0.25, 0), 0));
            cn_body box = add(world, def, (cn_shape_def){.hull = left});
            assert_done(cn_shape_create(world, box, &(cn_shape_def){.hull = right}).id != 0);
        }
        run(world, 900);
        double energy = cn_world_energy(world).kinetic;
        print_message("%d compounds: %.2g J\n", count, energy);
        assert_true(energy < 5e-3);
        cn_world_destroy(world);
    }
}

// ---- falls

// The impulses of an impact were repeated in the next substeps: ten boxes rose by 0.68 m, and
// by 1.24 m at 12 substeps.
static void a_stack_that_falls_does_not_jump_up_again(void **state) {
    (void)state;
    enum { BOXES = 10 };
    for (int i = 0; i < 6; i++) {
        cn_world *world = make_world(10);
        assert_done(cn_world_set_substeps(world, i % 2 ? 12 : 4));
        add_floor(world, (cn_material){0});
        cn_body top = {0};
        cn_body_def def = {.velocity = point(0, -5)};
        for (int k = 0; k < BOXES; k++) {
            def.position = point(0, 0.6 + 0.022 * (i / 2) + k);
            top = add(world, def, box_of(0.5f));
        }
        run(world, 12);
        for (int k = 0; k < 200; k++) {
            run(world, 1);
            double rise = motion_of(world, top).y - (BOXES - 0.5);
            if (rise > 0.25) fail_msg("case %d: the top rises by %g m", i, rise);
        }
        cn_world_destroy(world);
    }
}

// Light boxes were crushed when the impulses of an impact faded, and thrown by a push that stiff
// contacts do not take back: no stack stood at 4 substeps, and two of six at 12.
static void a_stack_bears_a_heavy_box_that_falls_on_it(void **state) {
    (void)state;
    enum { BOXES = 6, CASES = 6 };
    uint64_t seed = 1;
    for (int substeps = 4; substeps <= 12; substeps += 8) {
        int fallen = 0;
        for (int i = 0; i < CASES; i++) {
            cn_world *world = make_world(10);
            assert_done(cn_world_set_substeps(world, substeps));
            add_floor(world, (cn_material){0});
            cn_body top = {0};
            for (int k = 0; k < BOXES; k++)
                top = add(world, (cn_body_def){.position = point(0, 0.5 + k)}, box_of(0.5f));
            run(world, 60);
            cn_shape_def heavy = box_of(0.5f);
            heavy.density = 100;
            cn_body_def def = {.position =
                                   point(random_between(&seed, -0.02, 0.02), 7.5 + 0.06 * i),
                               .velocity = point(0, -5)};
            add(world, def, heavy);
            run(world, 180);
            motion m = motion_of(world, top);
            fallen += fabs(m.x) > 0.5 || m.y < 4.5;
            cn_world_destroy(world);
        }
        if (fallen > 1) fail_msg("%d fell at %d substeps", fallen, substeps);
    }
}

// Impact impulses once faded together with those that bear weight, and a heap gave way under
// falling boxes: they overlapped by 80 mm on average instead of 33 mm.
static void a_heap_bears_the_boxes_that_fall_on_it(void **state) {
    (void)state;
    enum { COLUMNS = 4, ROWS = 100, CONTACTS = 4 * COLUMNS * ROWS };
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    for (int side = -1; side <= 1; side += 2) {
        cn_body_def wall = {.type = CN_STATIC, .position = point(5 * side, 100)};
        add(world, wall, (cn_shape_def){.hull = cn_box(0.5f, 100)});
    }
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        double x = 2 * (i / ROWS) - COLUMNS + 1 + (i % 2 ? -0.25 : 0.25);
        cn_body_def def = {.position = point(x, 0.5 + 2.25 * (i % ROWS))};
        add(world, def, (cn_shape_def){.hull = cn_box(0.7f, 0.5f)});
    }
    static cn_contact contacts[CONTACTS];
    double worst = 0;
    for (int k = 0; k < 40; k++) {
        run(world, 10);
        int count = cn_world_contacts(world, contacts, CONTACTS), points = 0;
        double sum = 0;
        for (int i = 0; i < count && i < CONTACTS; i++) {
            for (int j = 0; j < contacts[i].manifold.count; j++) {
                double depth = -contacts[i].manifold.points[j].separation;
                if (depth > 0) sum += depth, points++;
            }
        }
        if (points > 50) worst = fmax(worst, sum / points);
    }
    assert_true(worst > 0 && worst < 0.055);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floor_bears_the_weight_of_a_box),
        cmocka_unit_test(a_stack_of_compound_bodies_comes_to_rest),
        cmocka_unit_test(stacks_of_compounds_come_to_rest),
        cmocka_unit_test(a_stack_that_falls_does_not_jump_up_again),
        cmocka_unit_test(a_stack_bears_a_heavy_box_that_falls_on_it),
        cmocka_unit_test(a_heap_bears_the_boxes_that_fall_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
