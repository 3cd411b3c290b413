/* The character mover and bodies: lifts, belts, one-way platforms, crates, and overlaps at the
 * start. */
#include "characters.h"

// ---- lifts and belts

// A lift of 4 m by 0.2 m with its upper side at y.
static cn_body add_lift(cn_world *world, double y, double speed, vec2s one_way) {
    cn_body_def def = {.type = CN_KINEMATIC, .position = point(0, y - 0.1)};
    def.velocity = point(0, speed);
    return add(world, def, (cn_shape_def){.hull = cn_box(2, 0.1f), .one_way = one_way});
}

// Rides for a step, as the manual says: the horizontal velocity of the ground is added.
static void ride(character *c) {
    move(c, (double)c->last.ground_velocity.x * (double)STEP, -0.01);
    assert_true(c->last.grounded);
    run(c->world, 1);
}

// The lift swings by 2 m within 4 s: up to 3.1 m/s.
static void a_lift_carries_a_character_up_and_down(void **state) {
    (void)state;
    const vec2s ways[] = {{{0, 0}}, {{0, 1}}};
    for (int i = 0; i < 2 * WALKERS; i++) {
        cn_world *world = make_world(10);
        cn_body lift = add_lift(world, 0, 0, ways[i % 2]);
        character c = place(world, i / 2, 0.3, 0);
        c.def.snap_distance = 0.1f;
        for (int k = 0; k < 480; k++) {
            double speed = 3.1 * sin(k * PI / 120);
            assert_done(cn_body_set_velocity(world, lift, point(0, speed)));
            double top = (double)cn_body_position(world, lift).y + 0.1;
            ride(&c);
            assert_near(feet_of(&c), top + SLOP, SLOP / 2);
            assert_near((double)c.last.ground_velocity.y, speed, 1e-6);
            assert_int_equal(c.last.ground.body.id, lift.id);
        }
        assert_near(x_of(&c), 0.3, 1e-4);
        cn_world_destroy(world);
    }
}

static void a_shuttle_carries_a_character_along(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body shuttle = add_lift(world, 0, 0, point(0, 0));
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, (double)cn_body_position(world, shuttle).x, 0);
        assert_done(cn_body_set_velocity(world, shuttle, point(i % 2 ? 2 : -2, 0)));
        move(&c, 0, -0.01);
        for (int k = 0; k < 120; k++) ride(&c);
        assert_near(x_of(&c), (double)cn_body_position(world, shuttle).x, 1e-3);
    }
    cn_world_destroy(world);
}

// The surface of a belt runs clockwise: its upper side to the right.
static void a_belt_carries_a_character_at_its_speed(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){.surface_speed = 2});
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0, 0);
        move(&c, 0, -0.01);
        for (int k = 0; k < 60; k++) ride(&c);
        assert_near(x_of(&c), 2, 1e-3);
        assert_near((double)c.last.ground_velocity.x, 2, 1e-5);
    }
    cn_world_destroy(world);
}

static void a_belt_of_tiles_has_a_speed_too(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    const uint8_t solid[20] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    cn_grid_def def = {.solid = solid, .width = 20, .height = 1, .tile_size = 1};
    def.origin = point(0, -1), def.material.surface_speed = 2;
    cn_grid tiles = cn_grid_create(world, add_static(world), &def);
    character c = place(world, 0, 2.5, 0);
    move(&c, 0, -0.01);
    assert_near((double)c.last.ground_velocity.x, 2, 1e-5);
    assert_int_equal(c.last.ground.grid.id, tiles.id);
    assert_int_equal(c.last.ground.tile, 2);
    cn_world_destroy(world);
}

// ---- one-way platforms

static cn_world *make_platform(void) {
    cn_world *world = make_world(10);
    add_floor(world, frictionless);
    cn_body_def def = {.type = CN_STATIC, .position = point(0, 1.9)};
    add(world, def, (cn_shape_def){.hull = cn_box(3, 0.1f), .one_way = point(0, 1)});
    return world;
}

static void a_one_way_platform_lets_a_jump_pass_and_holds_a_fall(void **state) {
    (void)state;
    cn_world *world = make_platform();
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0, 0);
        for (int k = 0; k < 40; k++) move(&c, 0, 0.07);
        assert_near(feet_of(&c), SLOP + 40 * 0.07, 1e-4);
        for (int k = 0; k < 40; k++) move(&c, 0.01, -0.07);
        assert_near(feet_of(&c), 2 + SLOP, 1e-4);
        assert_near(x_of(&c), 0.4, 1e-4);
        assert_true(c.last.grounded);
        c.def.drop_through = true;
        move(&c, 0, -0.07);
        c.def.drop_through = false; // it passes the platform in which it is now
        for (int k = 0; k < 40; k++) move(&c, 0, -0.07);
        assert_near(feet_of(&c), SLOP, 1e-4);
    }
    cn_world_destroy(world);
}

// A row of one-way tiles above two rows of ground: one runs to the right, the other does not move.
static cn_world *make_shelf_of_tiles(void) {
    enum { WIDTH = 8, HEIGHT = 4 };
    cn_tile map[WIDTH * HEIGHT] = {0};
    for (int x = 0; x < WIDTH; x++) {
        map[x] = (cn_tile){.solid = true, .material = x >= WIDTH / 2};
        map[3 * WIDTH + x] = (cn_tile){.solid = true, .one_way = true};
    }
    const cn_material materials[] = {{.friction = 1}, {.surface_speed = 2}};
    cn_world *world = make_world(GRAVITY);
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_grid_def def = {.tiles = map,
                       .width = WIDTH,
                       .height = HEIGHT,
                       .tile_size = 1,
                       .materials = materials,
                       .material_count = 2};
    assert_done(cn_grid_create(world, ground, &def).id != 0);
    return world;
}

// No step was taken, so the tiles have no shapes.
static void one_way_tiles_and_belts_of_tiles_are_known(void **state) {
    (void)state;
    for (int i = 0; i < WALKERS; i++) {
        cn_world *world = make_shelf_of_tiles();
        character c = place(world, i, 2, 1);
        walk(&c, 0, 1);
        assert_near((double)c.last.ground_velocity.x, 0, 1e-6);
        for (int k = 0; k < 60; k++) move(&c, 0, 0.06); // from below, through the shelf
        assert_true(feet_of(&c) > 4.5);
        for (int k = 0; k < 60; k++) move(&c, 0, -0.06);
        assert_near(feet_of(&c), 4 + SLOP, 0.001);
        c.def.drop_through = true;
        for (int k = 0; k < 60; k++) move(&c, 0, -0.06);
        assert_near(feet_of(&c), 1 + SLOP, 0.001);
        character rider = place(world, i, 6, 1);
        walk(&rider, 0, 1);
        assert_near((double)rider.last.ground_velocity.x, 2, 1e-5);
        cn_world_destroy(world);
    }
}

static void a_one_way_platform_lets_a_character_pass_from_the_side(void **state) {
    (void)state;
    cn_world *world = make_platform();
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, -5, 1.5);
        for (int k = 0; k < 100; k++) move(&c, 0.1, 0);
        assert_near(x_of(&c), 5, 1e-4);
        assert_near(feet_of(&c), 1.5 + SLOP, 1e-4);
    }
    cn_world_destroy(world);
}

// A jump that ends half way through the platform: the way down is free again.
static void a_character_within_a_one_way_platform_is_not_held(void **state) {
    (void)state;
    cn_world *world = make_platform();
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0, 0);
        for (int k = 0; k < 25; k++) move(&c, 0, 0.07);
        assert_false(c.last.overlaps);
        for (int k = 0; k < 25; k++) move(&c, 0, -0.07);
        assert_near(feet_of(&c), SLOP, 1e-4);
    }
    cn_world_destroy(world);
}

// ---- crates

// A hull of 80 kg at 3 m/s hits a crate of 20 kg in the middle: together they have 2.4 m/s.
static void a_push_is_the_impulse_of_an_inelastic_impact(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_shape_def box = {.hull = cn_box(0.5f, 0.5f), .density = 20};
    cn_body crate = add(world, (cn_body_def){.position = point(2, 0.5)}, box);
    character c = place(world, 2, 1, 0);
    for (int k = 0; k < 60 && c.last.push_count == 0; k++) move(&c, 3 * (double)STEP, 0);
    assert_int_equal(c.last.push_count, 1);
    cn_push push = c.last.pushes[0];
    assert_int_equal(push.side.body.id, crate.id);
    assert_near((double)push.point.x, 1.5, 1e-4);
    double arm = 0.5 - (double)push.point.y, inertia = 20.0 / 6;
    double expected = 3 / (1.0 / 80 + 1.0 / 20 + arm * arm / inertia);
    assert_near((double)push.impulse.x, expected, 1e-2);
    assert_near((double)push.impulse.y, 0, 1e-6);
    c.def.seconds = 2 * STEP; // the same translation in twice the time
    move(&c, 3 * (double)STEP, 0);
    assert_near((double)c.last.pushes[0].impulse.x, expected / 2, 1e-2);
    assert_done(cn_body_set_velocity(world, crate, point(5, 0))); // it gets away
    move(&c, 3 * (double)STEP, 0);
    assert_near((double)c.last.pushes[0].impulse.x, 0, 0);
    cn_world_destroy(world);
}

// Without a mass in the definition, a box of 0.6 m x 1 m weighs 0.6 kg.
static void the_default_mass_is_that_of_density_one(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body_def def = {.position = point(1, 0.5), .lock_rotation = true};
    add(world, def, box_of(0.5f));
    character c = place(world, 2, 0, 0);
    c.def.mass = 0;
    move(&c, 1, 0);
    assert_int_equal(c.last.push_count, 1);
    assert_near((double)c.last.pushes[0].impulse.x, 60 / (1 / 0.6 + 1), 1e-3);
    cn_world_destroy(world);
}

static void a_character_pushes_a_crate_along(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){.friction = 0.3f});
    cn_body crate = add(world, (cn_body_def){.position = point(2, 0.5)}, box_of(0.5f));
    character c = place(world, 1, 0, 0);
    for (int k = 0; k < 240; k++) {
        walk(&c, 2, 1);
        for (int i = 0; i < c.last.push_count; i++)
            assert_done(cn_body_apply_impulse_at(world, c.last.pushes[i].side.body,
                                                 c.last.pushes[i].impulse, c.last.pushes[i].point));
        run(world, 1);
    }
    assert_true(x_of(&c) > 5);
    assert_near((double)cn_body_position(world, crate).x, x_of(&c) + 0.8, 0.1);
    cn_world_destroy(world);
}

static void a_character_does_not_meet_the_body_that_it_ignores(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body own = add(world, (cn_body_def){.position = point(0, 0.5)}, box_of(0.5f));
    character c = place(world, 2, 0, 0);
    c.def.query.ignore = own;
    move(&c, 2, 0);
    assert_near(x_of(&c), 2, 1e-6);
    assert_int_equal(c.last.push_count, 0);
    cn_world_destroy(world);
}

// ---- overlaps at the start

static void an_overlap_is_left_on_the_shortest_way(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_floor(world, frictionless);
    for (int i = 0; i < WALKERS; i++) {
        for (int deep = 1; deep < 10; deep++) {
            character c = place(world, i, 0, 0);
            c.pose.position.y -= 0.05f * (float)deep;
            move(&c, 0, 0);
            assert_near(feet_of(&c), SLOP, 1e-5);
            assert_near(x_of(&c), 0, 1e-5);
            assert_true(c.last.grounded && !c.last.overlaps);
        }
    }
    cn_world_destroy(world);
}

static void a_chain_is_left_on_its_open_side(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    vec2s points[21];
    for (int i = 0; i <= 20; i++) points[i] = point(10 - i, 0);
    cn_chain_def chain = {.points = points, .count = 21};
    assert_done(cn_chain_create(world, add_static(world), &chain).id != 0);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0.3, -0.4);
        move(&c, 0, 0);
        assert_near(feet_of(&c), SLOP, 1e-5);
        c = place(world, i, 0.3, -0.6); // more than half of it is behind the chain
        for (int k = 0; k < 20; k++) move(&c, 0, 0.1);
        assert_true(feet_of(&c) > 1.4);
    }
    cn_world_destroy(world);
}

// In a corner the hull leaves both overlaps together.
static void overlaps_are_left_together(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_floor(world, frictionless);
    add_block(world, 1, 0, 5, 5);
    for (int i = 0; i < WALKERS; i++) {
        character c = place(world, i, 0.9, -0.3);
        move(&c, 0, 0);
        assert_near(feet_of(&c), SLOP, 1e-4);
        assert_near(x_of(&c), 1 - (i == 0 ? 0.5 : 0.3) - SLOP, 1e-4);
        assert_false(c.last.overlaps);
    }
    cn_world_destroy(world);
}

// Deep in tiles, where most tiles are in the middle of others.
static void a_character_buried_in_tiles_gets_out(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_tile_floor(world, add_static(world), 40, 0.5); // down to y = -1
    for (int i = 0; i < WALKERS; i++) {
        for (int k = 0; k < 20; k++) {
            character c = place(world, i, 10 + 0.05 * k, -0.45);
            move(&c, 0, 0);
            assert_false(c.last.overlaps);
            assert_true(gap_of(&c) > SLOP / 2);
        }
    }
    cn_world_destroy(world);
}

// Between two walls that are too near, the hull stays, reports the overlap, and may leave upwards.
static void a_squeezed_character_can_leave(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_block(world, -3, 0, 2.75, 3);
    add_block(world, 0.25, 0, 2.75, 3);
    character c = place(world, 2, 0, 1);
    move(&c, 0, 0);
    assert_true(c.last.overlaps);
    move(&c, 0, 3);
    assert_false(c.last.overlaps);
    assert_near(feet_of(&c), 4, 0.02);
    cn_world_destroy(world);
}

// Two walls that lean apart by 0.2 degrees: the corner of their planes is 14 m below.
static void a_hull_between_almost_parallel_walls_is_not_thrown_far(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    for (int side = -1; side <= 1; side += 2) {
        cn_body_def def = {.type = CN_STATIC, .position = point(side * 20.28, 0)};
        def.angle = (float)(side * 0.1 * PI / 180);
        add(world, def, (cn_shape_def){.hull = cn_box(20, 30)});
    }
    character c = place(world, 2, 0, 0);
    cn_pose before = c.pose;
    move(&c, 0, 0);
    assert_true(glms_vec2_distance(c.pose.position, before.position) < 0.2f);
    assert_true(c.last.overlaps);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lift_carries_a_character_up_and_down),
        cmocka_unit_test(a_shuttle_carries_a_character_along),
        cmocka_unit_test(a_belt_carries_a_character_at_its_speed),
        cmocka_unit_test(a_belt_of_tiles_has_a_speed_too),
        cmocka_unit_test(a_one_way_platform_lets_a_jump_pass_and_holds_a_fall),
        cmocka_unit_test(one_way_tiles_and_belts_of_tiles_are_known),
        cmocka_unit_test(a_one_way_platform_lets_a_character_pass_from_the_side),
        cmocka_unit_test(a_character_within_a_one_way_platform_is_not_held),
        cmocka_unit_test(a_push_is_the_impulse_of_an_inelastic_impact),
        cmocka_unit_test(the_default_mass_is_that_of_density_one),
        cmocka_unit_test(a_character_pushes_a_crate_along),
        cmocka_unit_test(a_character_does_not_meet_the_body_that_it_ignores),
        cmocka_unit_test(an_overlap_is_left_on_the_shortest_way),
        cmocka_unit_test(a_chain_is_left_on_its_open_side),
        cmocka_unit_test(overlaps_are_left_together),
        cmocka_unit_test(a_character_buried_in_tiles_gets_out),
        cmocka_unit_test(a_squeezed_character_can_leave),
        cmocka_unit_test(a_hull_between_almost_parallel_walls_is_not_thrown_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
