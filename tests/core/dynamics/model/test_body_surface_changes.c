/* Surfaces of dynamic bodies follow their shapes: real steps and gaps are felt, and changes of the
 * shapes take effect at once. */
#include "../../../support/floors.h"

// A weightless raft of ten frictionless tiles of 1 m, much heavier than its riders. Its deck
// is y = 0, from x = 0 to 10. The tiles are in the array.
static cn_body add_raft(cn_world *world, cn_shape *tiles) {
    cn_body raft = cn_body_create(world, &(cn_body_def){.weightless = true});
    for (int i = 0; i < 10; i++) tiles[i] = add_tile(world, raft, i + 0.5, -0.5, 0.5, 0.5);
    assert_done(cn_body_set_mass_data(world, raft, (cn_mass_data){1e5f, 1e6f, {{5, -0.5f}}}));
    return raft;
}

static void a_rider_stops_at_a_real_step(void **state) {
    (void)state;
    for (int which = 0; which < MOVERS; which++) {
        cn_shape tiles[10];
        cn_world *world = make_world(GRAVITY);
        cn_body raft = add_raft(world, tiles);
        add_tile(world, raft, 5.5, 0.5, 0.5, 0.5); // from x = 5 to 6, 1 m high
        cn_body rider = add_mover(world, which, point(2, 0.5), 0, point(6, 0), 0);
        run(world, 60);
        assert_near(motion_of(world, rider).x, which == 1 ? 4.2 : 4.5, 0.02); // capsule: 1.6 m wide
        assert_near(motion_of(world, rider).vx, 0, 0.02);
        assert_near(motion_of(world, rider).y, 0.5, 0.02);
        cn_world_destroy(world);
    }
}

static void a_destroyed_tile_leaves_a_gap(void **state) {
    (void)state;
    cn_shape tiles[10];
    cn_world *world = make_world(GRAVITY);
    add_raft(world, tiles);
    cn_shape_def small = {.hull = cn_box(0.2f, 0.2f), .material = frictionless};
    cn_body rider = add(world, (cn_body_def){.position = point(2, 0.2)}, small);
    cn_body other = add(world, (cn_body_def){.position = point(5.5, 0.2)}, small);
    run(world, 30);
    assert_done(cn_shape_destroy(world, tiles[5]));
    assert_done(cn_body_set_velocity(world, rider, point(3, 0)));
    run(world, 12);
    assert_near(motion_of(world, other).y, 0.2 - 0.5 * GRAVITY * 0.04, 0.03); // falls freely
    run(world, 78);
    assert_true(motion_of(world, rider).x < 5.81); // it fell past the side of the next tile
    assert_true(motion_of(world, rider).y < -0.5);
    cn_world_destroy(world);
}

// The octagon rests on the first tile, which is the only shape. It slides over the seam of another
// one, which comes later, and is back on a single tile at the end.
static void a_new_shape_joins_the_first_one_under_a_rider(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body raft = cn_body_create(world, &(cn_body_def){.weightless = true});
    add_tile(world, raft, 0, -0.5, 2, 0.5);
    assert_done(cn_body_set_mass_data(world, raft, (cn_mass_data){1e5f, 1e6f, {{0, 0}}}));
    cn_body rider = add_mover(world, 4, point(0, 0.5), 0, point(0, 0), 0);
    run(world, 30);
    add_tile(world, raft, -20, -0.5, 1, 0.5); // far away
    run(world, 1);
    cn_shape second = add_tile(world, raft, 4, -0.5, 2, 0.5);
    assert_done(cn_body_set_velocity(world, rider, point(4, 0)));
    run(world, 50);
    assert_near(motion_of(world, rider).x, 4 * seconds_of(50), 0.01);
    assert_near(motion_of(world, rider).y, 0.5, 1e-3);
    assert_done(cn_body_set_velocity(world, rider, point(-4, 0)));
    run(world, 40);
    assert_done(cn_shape_destroy(world, second));
    run(world, 10);
    assert_near(motion_of(world, rider).y, 0.5, 1e-3);
    assert_near(motion_of(world, rider).vx, -4, 0.01);
    cn_world_destroy(world);
}

// The octagon lies on the raft as one of two shapes, and slides as a lone one. `first`: it is the
// first of the two shapes.
static void check_octagon_that_loses_a_shape(bool first, int substeps) {
    cn_shape tiles[10];
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_substeps(world, substeps));
    add_raft(world, tiles);
    cn_body rider = cn_body_create(world, &(cn_body_def){.position = point(1, 0.5)});
    cn_shape other = {0};
    if (!first) other = add_tile(world, rider, 0, 2, 0.1, 0.1);
    cn_shape_def octagon = {.hull = mover(4), .material = frictionless};
    assert_done(cn_shape_create(world, rider, &octagon).id != 0);
    if (first) other = add_tile(world, rider, 0, 2, 0.1, 0.1);
    run(world, 30);
    assert_done(cn_shape_destroy(world, other));
    assert_done(cn_body_set_velocity(world, rider, point(10.5, 0)));
    for (int i = 0; i < 40; i++) {
        run(world, 1);
        assert_near(motion_of(world, rider).y, 0.5, 1e-3);
        assert_near(motion_of(world, rider).vx, 10.5, 0.0105);
    }
    cn_world_destroy(world);
}

static void a_rider_that_loses_its_other_shape_slides_as_one_shape(void **state) {
    (void)state;
    for (int substeps = 4; substeps <= 12; substeps += 4) {
        check_octagon_that_loses_a_shape(true, substeps);
        check_octagon_that_loses_a_shape(false, substeps);
    }
}

// True if an octagon that slides over a raft of tiles of two kinds, in turn, feels no seam.
static bool are_joined(const cn_shape_def *kinds) {
    cn_world *world = make_world(GRAVITY);
    cn_body raft = cn_body_create(world, &(cn_body_def){.weightless = true});
    for (int i = 0; i < 10; i++) {
        cn_shape_def tile = kinds[i % 2];
        tile.hull = cn_hull_at(cn_box(0.5f, 0.5f), cn_pose_at(point(i + 0.5, -0.5), 0));
        tile.material = frictionless;
        assert_done(cn_shape_create(world, raft, &tile).id != 0);
    }
    assert_done(cn_body_set_mass_data(world, raft, (cn_mass_data){1e5f, 1e6f, {{5, -0.5f}}}));
    cn_body octagon = add_mover(world, 4, point(0.5, 0.5), 0, point(10.5, 0), 0);
    bool joined = true;
    for (int i = 0; i < 50; i++) {
        run(world, 1);
        joined &= fabs(motion_of(world, octagon).w) < 0.01;
    }
    cn_world_destroy(world);
    return joined;
}

static void shapes_that_a_body_may_pass_join_only_their_like(void **state) {
    (void)state;
    cn_shape_def defs[4] = {{.density = 1}, {.custom_filter = true}, {.pre_solve = true}};
    defs[3].filter = (cn_filter){.category = 2};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            const cn_shape_def kinds[2] = {defs[i], defs[k]};
            assert_int_equal(are_joined(kinds), i == k);
        }
}

// A box that covers the middle of a bar hides nothing of the bar's ends, and an inner box nothing
// of the outer one.
static void overlapping_shapes_hide_only_what_is_inside(void **state) {
    (void)state;
    for (int substeps = 4; substeps <= 12; substeps += 4) {
        cn_world *world = make_world(GRAVITY);
        assert_done(cn_world_set_substeps(world, substeps));
        cn_body cross = cn_body_create(world, &(cn_body_def){.weightless = true});
        add_tile(world, cross, 0, 0, 3, 0.25);
        add_tile(world, cross, 0, 0, 0.25, 3);
        add_tile(world, cross, 0, 0, 0.1, 0.1);
        assert_done(cn_body_set_mass_data(world, cross, (cn_mass_data){1e5f, 1e6f, {{0, 0}}}));
        cn_body on_arm = add_mover(world, 0, point(2, 0.75), 0, point(0, 0), 0);
        cn_body in_corner = add_mover(world, 2, point(-1.5, 0.75), 0, point(2, 0), 0);
        cn_body on_top = add_mover(world, 1, point(0, 3.5), 0, point(0, 0), 0);
        run(world, 90);
        assert_near(motion_of(world, on_arm).y, 0.75, 2e-3);
        assert_near(motion_of(world, in_corner).x, -0.75, 5e-3);
        assert_near(motion_of(world, in_corner).y, 0.75, 5e-3);
        assert_near(motion_of(world, on_top).y, 3.5, 2e-3);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rider_stops_at_a_real_step),
        cmocka_unit_test(a_destroyed_tile_leaves_a_gap),
        cmocka_unit_test(a_new_shape_joins_the_first_one_under_a_rider),
        cmocka_unit_test(a_rider_that_loses_its_other_shape_slides_as_one_shape),
        cmocka_unit_test(shapes_that_a_body_may_pass_join_only_their_like),
        cmocka_unit_test(overlapping_shapes_hide_only_what_is_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
