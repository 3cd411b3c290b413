/* The character mover walks, falls, climbs and slides as the manual says. The expected positions
 * follow from the geometry of the ground. */
#include "characters.h"

// ---- flat ground

static void a_fall_ends_a_slop_above_the_floor(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, frictionless);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0, 3);
        assert_false(c.last.grounded);
        for (int k = 0; k < 40; k++) move(&c, 0, -0.1);
        assert_near(feet_of(&c), SLOP, 1e-5);
        assert_near(x_of(&c), 0, 0);
        assert_true(c.last.grounded && !c.last.wall && !c.last.ceiling && !c.last.overlaps);
        assert_near((double)c.last.ground_normal.y, 1, 1e-6);
        assert_near((double)c.last.ground_point.y, 0, 1e-6);
    }
    cn_world_destroy(world);
}

// 40 m of floor: the height never changes by more than rounding, whatever the floor is made of.
static void seams_are_not_felt(void **state) {
    (void)state;
    for (int ground = 0; ground < 4; ground++) {
        cn_world *world = make_world(10);
        vec2s points[81];
        for (int i = 0; i <= 80; i++) points[i] = point(60 - i, 0);
        cn_chain_def chain = {.points = points, .count = 81};
        if (ground == 0) add_tile_floor(world, add_static(world), 60, 1);
        if (ground == 1) assert_done(cn_chain_create(world, add_static(world), &chain).id != 0);
        if (ground == 2) add_tile_floor(world, add_static(world), 600, 0.1);
        for (int i = 0; i < 60 && ground == 3; i++)
            add_block(world, i, -1 - 0.1 * (i % 3), 1, 1 + 0.1 * (i % 3));
        for (int i = 0; i < WALKERS; i++) {
            character c = place(world, i, 5, 0);
            for (int k = 0; k < 400; k++) {
                walk(&c, 6, 1);
                assert_near(feet_of(&c), SLOP, 2e-6);
                assert_true(c.last.grounded && !c.last.wall);
            }
            assert_near(x_of(&c), 45, 1e-3);
        }
        cn_world_destroy(world);
    }
}

// The same with a large step downwards, and backwards in one move.
static void a_long_move_is_not_stopped_by_seams(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_tile_floor(world, add_static(world), 60, 1);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 5.3, 2);
        move(&c, 40, -4);
        assert_near(x_of(&c), 45.3, 1e-3);
        assert_near(feet_of(&c), SLOP, 1e-4);
        move(&c, -40, -0.1);
        assert_near(x_of(&c), 5.3, 1e-3);
    }
    cn_world_destroy(world);
}

// ---- slopes

static double climbed_height(int which, double degrees, double limit) {
    cn_world *world = make_world(10);
    add_floor(world, frictionless);
    add_slope(world, 2, degrees, 10);
    character c = place(world, which, 0, 0);
    c.def.max_slope = (float)(limit * PI / 180);
    walk(&c, 3, 120); // 6 m
    double height = feet_of(&c);
    cn_world_destroy(world);
    return height;
}

static void slopes_are_climbed_up_to_the_limit(void **state) {
    (void)state;
    for (int i = 0; i < WALKERS; i++) {
        assert_true(climbed_height(i, 44, 0) > 3);
        assert_true(climbed_height(i, 44.99, 45) > 3);
        assert_near(climbed_height(i, 46, 0), SLOP, 1e-4);
        assert_near(climbed_height(i, 45.01, 45), SLOP, 1e-4);
        assert_true(climbed_height(i, 59, 60) > 4);
        assert_near(climbed_height(i, 21, 20), SLOP, 1e-4);
    }
}

// Up and down, the horizontal speed is that of the translation. At rest it stands still.
static void a_slope_does_not_change_the_horizontal_speed(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_slope(world, 0, 30, 20);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 5, 5);
        c.def.snap_distance = 0.3f;
        for (int k = 0; k < 100; k++) move(&c, 0, -0.1);
        double x = x_of(&c);
        assert_near(x, 5, 1e-5);
        walk(&c, 3, 60);
        assert_near(x_of(&c), x + 3, 1e-4);
        assert_true(c.last.grounded);
        assert_near((double)c.last.ground_normal.y, cos(PI / 6), 1e-5);
        for (int k = 0; k < 60; k++) {
            move(&c, -3 * (double)STEP, 0);
            assert_true(c.last.grounded);
        }
        assert_near(x_of(&c), x, 1e-4);
        assert_near(gap_of(&c), SLOP, 1e-4);
    }
    cn_world_destroy(world);
}

static void a_steep_slope_is_slid_down(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, frictionless);
    add_slope(world, 0, 60, 10);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 3.5, 8);
        for (int k = 0; k < 60; k++) move(&c, 0, -0.1);
        assert_false(c.last.grounded);
        double y = feet_of(&c);
        for (int k = 0; k < 30; k++) move(&c, 0.05, -0.1);   // against the slope: it slides as fast
        assert_near(feet_of(&c), y - 30 * 0.1 * 0.75, 0.01); // sin(60)^2
        for (int k = 0; k < 200; k++) move(&c, 0, -0.1);
        assert_near(feet_of(&c), SLOP, 1e-4);
        assert_true(c.last.grounded);
    }
    cn_world_destroy(world);
}

// ---- steps

static double height_after_step(int which, double height, double step_height) {
    cn_world *world = make_world(10);
    add_floor(world, frictionless);
    add_block(world, 2, 0, 10, height);
    character c = place(world, which, 0, 0);
    c.def.step_height = (float)step_height;
    walk(&c, 1, 240);
    double feet = feet_of(&c);
    assert_true(c.last.grounded);
    cn_world_destroy(world);
    return feet;
}

static void a_step_is_climbed_if_it_is_no_higher_than_step_height(void **state) {
    (void)state;
    for (int i = 0; i < WALKERS; i++) {
        assert_near(height_after_step(i, 0.3, 0.3), 0.3 + SLOP, 1e-4);
        assert_near(height_after_step(i, 0.05, 0.3), 0.05 + SLOP, 1e-4);
        assert_near(height_after_step(i, 0.45, 0.3), SLOP, 1e-4);
        assert_near(height_after_step(i, 0.3, 0), SLOP, 1e-4);
    }
    assert_near(height_after_step(2, 0.311, 0.3), SLOP, 1e-4);
    // A hull without a flat bottom rolls over edges at which its own surface is flat enough.
    assert_near(height_after_step(0, 0.1, 0), 0.1 + SLOP, 1e-4);
}

static void stairs_are_walked_up_and_down(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, frictionless);
    add_stairs(world, 2, 10);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0, 0);
        c.def.step_height = c.def.snap_distance = 0.25f;
        for (int k = 0; k < 120; k++) {
            walk(&c, 3, 1);
            assert_true(c.last.grounded);
        }
        assert_near(x_of(&c), 6, 0.05);
        assert_near(feet_of(&c), 2 + SLOP, 1e-4);
        for (int k = 0; k < 120; k++) {
            move(&c, -3 * (double)STEP, 0);
            assert_true(c.last.grounded);
        }
        assert_near(feet_of(&c), SLOP, SLOP / 2);
        move(&c, 6, -0.1); // the whole flight in one move
        assert_near(feet_of(&c), 2 + SLOP, 0.01);
        move(&c, -6, 0);
        assert_near(feet_of(&c), SLOP, 0.01);
    }
    cn_world_destroy(world);
}

static void stairs_of_tiles_are_walked_up_and_down(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    static const char *const rows[] = {"..........########", "........##########",
                                       "......############", "##################"};
    add_map(world, add_static(world), rows, 4, 0.25, point(0, -0.25));
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0.5, 0);
        c.def.step_height = c.def.snap_distance = 0.3f;
        for (int k = 0; k < 60; k++) {
            walk(&c, 3, 1);
            assert_true(c.last.grounded);
        }
        assert_near(feet_of(&c), 0.75 + SLOP, 1e-4);
        for (int k = 0; k < 60; k++) {
            move(&c, -3 * (double)STEP, 0);
            assert_true(c.last.grounded);
        }
        assert_near(feet_of(&c), SLOP, SLOP / 2);
    }
    cn_world_destroy(world);
}

// A ceiling leaves no room above the step.
static void a_step_without_room_is_a_wall(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, frictionless);
    add_block(world, 2, 0, 5, 0.2);
    add_block(world, 1, 1.15, 8, 1);
    character c = place(world, 2, 0, 0);
    c.def.step_height = 0.3f;
    walk(&c, 3, 60);
    assert_near(x_of(&c), 1.7 - SLOP, 1e-4);
    assert_near(feet_of(&c), SLOP, 1e-4);
    assert_true(c.last.wall && c.last.grounded);
    cn_world_destroy(world);
}

static void a_step_onto_a_steep_slope_is_not_climbed(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, frictionless);
    add_slope(world, 2, 50, 5);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0, 0);
        c.def.step_height = 0.4f;
        walk(&c, 3, 120);
        assert_near(feet_of(&c), SLOP, 0.01);
        assert_true(c.last.wall);
    }
    cn_world_destroy(world);
}

// ---- corners, wedges, ceilings

static void a_corner_stops_a_character_without_jitter(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, frictionless);
    add_block(world, 2, 0, 1, 5);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0, 0);
        double half = i == 0 ? 0.5 : 0.3;
        walk(&c, 3, 60);
        cn_pose still = c.pose;
        for (int k = 0; k < 60; k++) {
            move(&c, 0.05, -0.05 * (k % 3));
            assert_memory_equal(&c.pose, &still, sizeof still);
        }
        assert_near(x_of(&c), 2 - half - SLOP, 1e-4);
        assert_true(c.last.wall && c.last.grounded);
    }
    cn_world_destroy(world);
}

// A V of two steep slopes: it falls to the bottom and stays there.
static void a_wedge_holds_a_character_still(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    vec2s left[] = {point(0, 0), point(-3, 0), point(-3, 5)};
    vec2s right[] = {point(0, 0), point(3, 5), point(3, 0)};
    add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_polygon(left, 3, 0)});
    add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_polygon(right, 3, 0)});
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0.5, 4);
        for (int k = 0; k < 100; k++) move(&c, 0, -0.1);
        cn_pose still = c.pose;
        for (int k = 0; k < 60; k++) {
            move(&c, 0.1 * (k % 3 - 1), -0.1);
            assert_near((double)c.pose.position.x, (double)still.position.x, 1e-3);
            assert_near((double)c.pose.position.y, (double)still.position.y, 1e-3);
        }
        assert_near(x_of(&c), 0, 1e-3);
        assert_near(gap_of(&c), SLOP, 1e-3);
        move(&c, 0, 3);
        assert_near(feet_of(&c), (double)still.position.y - 0.5 + 3, 1e-4);
    }
    cn_world_destroy(world);
}

static void a_jump_ends_at_the_ceiling_and_slides_along_it(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_block(world, -50, 4, 100, 1);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0, 0);
        double head = i == 1 ? 0.7 : 0.5;
        for (int k = 0; k < 60; k++) move(&c, 0.05, 0.1);
        assert_near((double)c.pose.position.y, 4 - SLOP - head, 1e-4);
        assert_near(x_of(&c), 3, 1e-4);
        assert_true(c.last.ceiling && !c.last.grounded);
    }
    cn_world_destroy(world);
}

// Between a slope that it can climb and a ceiling.
static void a_wedge_under_a_ceiling_stops_a_character(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, frictionless);
    add_slope(world, 2, 30, 10);
    add_block(world, 0, 2, 20, 1);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0, 0);
        walk(&c, 3, 120);
        cn_pose still = c.pose;
        assert_true(x_of(&c) > 2.5 && x_of(&c) < 4.5);
        for (int k = 0; k < 60; k++) move(&c, 0.05 * (k % 3), -0.02);
        assert_near((double)c.pose.position.x, (double)still.position.x, 1e-3);
        assert_near((double)c.pose.position.y, (double)still.position.y, 1e-3);
        assert_true(gap_of(&c) > SLOP / 2);
        walk(&c, -3, 60);
        assert_near(feet_of(&c), SLOP, 1e-3);
    }
    cn_world_destroy(world);
}

// One long move up along a wall, and over its end.
static void a_long_jump_goes_over_the_end_of_a_wall(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_block(world, 1, 0, 5, 2);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0, 0);
        move(&c, 4, 4);
        assert_true(x_of(&c) > 1.5);
        assert_near(feet_of(&c), 4 + SLOP, 0.02);
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fall_ends_a_slop_above_the_floor),
        cmocka_unit_test(seams_are_not_felt),
        cmocka_unit_test(a_long_move_is_not_stopped_by_seams),
        cmocka_unit_test(slopes_are_climbed_up_to_the_limit),
        cmocka_unit_test(a_slope_does_not_change_the_horizontal_speed),
        cmocka_unit_test(a_steep_slope_is_slid_down),
        cmocka_unit_test(a_step_is_climbed_if_it_is_no_higher_than_step_height),
        cmocka_unit_test(stairs_are_walked_up_and_down),
        cmocka_unit_test(stairs_of_tiles_are_walked_up_and_down),
        cmocka_unit_test(a_step_without_room_is_a_wall),
        cmocka_unit_test(a_step_onto_a_steep_slope_is_not_climbed),
        cmocka_unit_test(a_corner_stops_a_character_without_jitter),
        cmocka_unit_test(a_wedge_holds_a_character_still),
        cmocka_unit_test(a_jump_ends_at_the_ceiling_and_slides_along_it),
        cmocka_unit_test(a_wedge_under_a_ceiling_stops_a_character),
        cmocka_unit_test(a_long_jump_goes_over_the_end_of_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
