/* Bodies that were created or moved deep into others are moved apart, and gain next to no speed. */
#include "../../../support/physics.h"

// ---- separation

// They separate at the push speed at most, and almost none of it is left when they are apart.
static void overlapping_bodies_separate_slowly(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body a = add(world, (cn_body_def){0}, box_of(0.5f));
    cn_body b = add(world, (cn_body_def){.position = point(0.8, 0)}, box_of(0.5f));
    double push_speed = (double)cn_world_tuning(world).push_speed, gap = 0.8;
    for (int i = 0; i < 120; i++) {
        run(world, 1);
        double now = motion_of(world, b).x - motion_of(world, a).x;
        assert_true(now >= gap - 1e-6 && now - gap <= push_speed * (double)STEP * 1.001);
        gap = now;
    }
    assert_true(gap > 0.99);
    double left = motion_of(world, b).vx - motion_of(world, a).vx;
    assert_near(left, 0, 0.001 * push_speed);
    assert_near(motion_of(world, b).w, 0, 1e-4);
    assert_near(motion_of(world, a).vx + motion_of(world, b).vx, 0, 1e-6);
    cn_world_destroy(world);
}

// Where many bodies overlap, all others push each of them. Without overlap recovery they burst:
// these 8 boxes flew 56 m in 20 s.
static void boxes_created_in_one_place_separate_without_bursting(void **state) {
    (void)state;
    for (int floor = 0; floor < 2; floor++) {
        enum { BOXES = 8 };
        cn_world *world = make_world(floor ? 10 : 0);
        if (floor) add_floor(world, (cn_material){0});
        cn_body boxes[BOXES];
        for (int i = 0; i < BOXES; i++)
            boxes[i] =
                add(world, (cn_body_def){.position = point(0.02 * i, 0.5 + 0.01 * (i * i % 5))},
                    box_of(0.5f));
        double fastest = 0, farthest = 0;
        for (int i = 0; i < 20 * BOXES; i++) {
            run(world, 1200 / (20 * BOXES));
            motion now = motion_of(world, boxes[i % BOXES]);
            fastest = fmax(fastest, hypot(now.vx, now.vy));
            farthest = fmax(farthest, hypot(now.x, now.y));
        }
        if (fastest > 3 || farthest > 5) fail_msg("%g m/s, %g m away", fastest, farthest);
        assert_near(deepest_overlap(world), 0, 0.01);
        cn_world_destroy(world);
    }
}

// The boxes once lay half in each other for 20 to 30 s, because the weight on a pile jams it.
static void a_box_created_in_a_full_bin_stops_overlapping(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        cn_world *world =
            cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .substeps = k % 2 ? 12 : 4});
        add_floor(world, (cn_material){0});
        for (int side = -1; side <= 1; side += 2)
            add(world, (cn_body_def){.type = CN_STATIC, .position = point(3 * side, 9)},
                (cn_shape_def){.hull = cn_box(0.5f, 9)});
        for (int i = 0; i < 30; i++)
            add(world, (cn_body_def){.position = point(-2 + i % 5, 0.5 + i / 5)}, box_of(0.45f));
        run(world, 180);
        cn_body late =
            add(world, (cn_body_def){.position = point(-1 + 0.4 * k, 1.5), .angle = 0.3f},
                box_of(0.45f));
        run(world, 240);
        if (deepest_overlap(world) > (k % 2 ? 0.4 : 0.2)) // stiffer contacts jam the pile more
            fail_msg("place %d: %g m deep after 4 s", k, deepest_overlap(world));
        run(world, 600);
        assert_false(!cn_body_asleep(world, late));
        cn_world_destroy(world);
    }
}

// The contact of this pair does not begin anew. The box was once thrown out at 1.2 m/s.
static void a_box_moved_deep_into_the_box_below_separates_slowly(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    cn_body lower = add(world, (cn_body_def){.position = point(0, 0.5)}, box_of(0.5f));
    cn_body upper = add(world, (cn_body_def){.position = point(0, 1.5)}, box_of(0.5f));
    run(world, 60);
    assert_done(cn_body_set_pose(world, upper, cn_pose_at(point(0.05, 0.9), 0)));
    for (int i = 0; i < 600; i++) {
        run(world, 1);
        motion m = motion_of(world, upper);
        if (hypot(m.vx, m.vy) > 0.5) fail_msg("%g m/s after %d steps", hypot(m.vx, m.vy), i);
    }
    assert_near(motion_of(world, upper).y, 1.5, 0.01);
    assert_near(motion_of(world, lower).y, 0.5, 0.01);
    cn_world_destroy(world);
}

// Runs a world without gravity until no overlap is deeper than 2 slops. Returns the time.
static double run_until_apart(cn_world *world, int steps) {
    for (int i = 1; i <= steps; i++) {
        run(world, 1);
        if (deepest_overlap(world) <= 0.01) return seconds_of(i);
    }
    return INFINITY;
}

// Two boxes once took 3.3 s, five took 11.7 s, and twenty were still 0.58 m deep after 20 s. No
// speed is left between two boxes. A crowd keeps little.
static void boxes_at_one_point_part_without_bursting(void **state) {
    (void)state;
    const struct {
        int count;
        double time, energy;
    } cases[] = {{2, 0.1, 1e-6}, {5, 0.3, 0.006}, {20, 1.7, 1.4}};
    for (int i = 0; i < 3; i++)
        for (int substeps = 4; substeps <= 12; substeps += 4) {
            cn_world *world = make_world(0);
            assert_done(cn_world_set_substeps(world, substeps));
            for (int k = 0; k < cases[i].count; k++) add(world, (cn_body_def){0}, box_of(0.5f));
            double time = run_until_apart(world, 120), energy = cn_world_energy(world).kinetic;
            if (time > cases[i].time || energy > cases[i].energy)
                fail_msg("%d boxes, %d substeps: %g s, %g J", cases[i].count, substeps, time,
                         energy);
            cn_world_destroy(world);
        }
}

// They move along the shortest way out, and no speed is left.
static void a_heavy_body_that_overlaps_a_light_one_moves_less(void **state) {
    (void)state;
    for (float ratio = 1; ratio <= 1000; ratio *= 10) {
        cn_world *world = make_world(0);
        cn_shape_def shape = box_of(0.5f);
        cn_body light = add(world, (cn_body_def){.position = point(0.4, 0)}, shape);
        shape.density = ratio;
        cn_body heavy = add(world, (cn_body_def){0}, shape);
        double time = run_until_apart(world, 120);
        motion l = motion_of(world, light), h = motion_of(world, heavy);
        double moved = l.x - 0.4;
        assert_true(time < 0.1);
        assert_near(moved - h.x, 0.6, 0.01);
        assert_true(-h.x < (ratio > 1 ? 0.26 : 1.001) * moved);
        assert_near(hypot(l.vx, l.vy), 0, 1e-6);
        assert_near(hypot(l.w, h.w), 0, 1e-6);
        cn_world_destroy(world);
    }
}

// ---- which bodies count as overlapping

static cn_pre_solve_result disable_ghost(cn_world *world, const cn_contact *contact, void *user) {
    (void)world;
    uint64_t ghost = *(uint64_t *)user;
    bool is_ghost = contact->a.body.id == ghost || contact->b.body.id == ghost;
    return (cn_pre_solve_result){.disabled = is_ghost};
}

// Bodies inside a body that pre-solve refuses may count as overlapping in the first step only.
static void contacts_inside_a_refused_body_are_as_stiff_as_outside(void **state) {
    (void)state;
    double top[2];
    for (int with = 0; with < 2; with++) {
        cn_world *world = make_world(10);
        cn_body ghost = {0}, box = {0};
        add_floor(world, (cn_material){0});
        cn_shape_def refused = {.hull = cn_box(3, 3), .pre_solve = true};
        if (with)
            ghost =
                add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, 0.5)}, refused);
        assert_done(cn_world_set_callbacks(
            world, (cn_callbacks){.pre_solve = disable_ghost, .user = &ghost.id}));
        for (int i = 0; i < 10; i++)
            box = add(world, (cn_body_def){.position = point(0, 0.5 + i)}, box_of(0.5f));
        run(world, 300);
        top[with] = motion_of(world, box).y;
        cn_world_destroy(world);
    }
    assert_near(top[1], top[0], 1e-4);
}

// Several batches have a copy of the bar, and all copies must be equal.
static void an_overlapping_body_that_becomes_kinematic_is_equal_in_all_batches(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        cn_world *world = cn_world_create(
            &(cn_world_def){.gravity = {{0, -10}}, .no_sleep = true, .threads = 1 + 3 * k});
        cn_body_def floating = {.weightless = true};
        cn_body bar = add(world, floating, (cn_shape_def){.hull = cn_box(400, 0.5f)});
        for (int i = 0; i < 1200; i++) // one of 40 overlaps the bar deeply
            add(world, (cn_body_def){.position = point(0.63 * i - 380, i % 40 ? 0.7 : 0.5)},
                box_of(0.25f));
        run(world, 1);
        assert_done(cn_body_set_type(world, bar, CN_KINEMATIC));
        run(world, 60);
        hashes[k] = cn_world_hash(world);
        cn_world_destroy(world);
    }
    assert_int_equal(hashes[0], hashes[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapping_bodies_separate_slowly),
        cmocka_unit_test(boxes_created_in_one_place_separate_without_bursting),
        cmocka_unit_test(a_box_created_in_a_full_bin_stops_overlapping),
        cmocka_unit_test(a_box_moved_deep_into_the_box_below_separates_slowly),
        cmocka_unit_test(boxes_at_one_point_part_without_bursting),
        cmocka_unit_test(a_heavy_body_that_overlaps_a_light_one_moves_less),
        cmocka_unit_test(contacts_inside_a_refused_body_are_as_stiff_as_outside),
        cmocka_unit_test(an_overlapping_body_that_becomes_kinematic_is_equal_in_all_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
