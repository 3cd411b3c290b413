/* Queries of grids of tiles, in cases with an exact answer. */
#include "../queries/query_cases.h"

// ---- seams

// A rotation has length 1 only to within rounding. Over many tiles this error becomes large.
static void a_tile_far_from_the_corner_of_its_grid_is_seen(void **state) {
    (void)state;
    enum { FAR = 20000 };
    static uint8_t solid[FAR];
    memset(solid, 0, sizeof solid);
    solid[FAR - 2] = 1;
    for (int i = 0; i < 20; i++) {
        cn_world *world = make_world(0);
        cn_body body = add_static(world, 0, 0, 0.3 * i);
        cn_grid_def def = {.solid = solid, .width = FAR, .height = 1, .tile_size = 1};
        assert_done(cn_grid_create(world, body, &def).id != 0);
        cn_pose pose = cn_body_pose(world, body);
        for (int k = 0; k < 20; k++) {
            vec2s inside = cn_pose_point(pose, point(FAR - 2 + (k + 1) / 22.0, 0.5));
            vec2s above = cn_pose_point(pose, point(FAR - 2 + (k + 1) / 22.0, 10));
            assert_int_equal(cn_world_overlap_point(world, inside, NULL, NULL, 0), 1);
            vec2s path = glms_vec2_sub(inside, above);
            assert_true(cn_world_cast_ray(world, above, path, NULL).hit);
        }
        cn_world_destroy(world);
    }
}

static void nothing_passes_the_seams_of_a_turned_grid(void **state) {
    (void)state;
    for (int i = 1; i < 100; i++) {
        cn_world *world = make_world(i % 2 ? 4 : 1);
        cn_body body = add_static(world, 0.7 * i, -0.3 * i, 0.1 * i);
        add_tiles(world, body, 8, 8);
        cn_pose pose = cn_body_pose(world, body);
        for (int x = 1; x < 8; x++) {
            vec2s from = cn_pose_point(pose, point(x, 12)), to = cn_pose_point(pose, point(x, 4));
            cn_world_hit hit = cn_world_cast_ray(world, from, glms_vec2_sub(to, from), NULL);
            assert_near((double)hit.fraction, 0.5, 1e-5);
            assert_true(cn_world_overlap_point(world, to, NULL, NULL, 0) > 0);
        }
        cn_world_destroy(world);
    }
}

static void a_wide_box_finds_the_tiles_at_its_end(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_tiles(world, add_static(world, 0, 0, 0), 64, 1);
    for (double left = -10; left > -1e9; left *= 10) {
        cn_bounds box = {point(left, 0.25), point(30.5, 0.75)};
        assert_int_equal(cn_world_overlap_bounds(world, box, NULL, NULL, 0), 31);
    }
    cn_world_destroy(world);
}

// ---- tiles

static void a_ray_hits_every_solid_tile_that_it_passes(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_grid tiles = add_tiles(world, add_static(world, 0, 0, 0), 8, 8);
    assert_done(cn_grid_set_solid(world, tiles, 3, 2, false));
    cn_world_hit hits[16];
    int count = cn_world_cast_ray_all(world, point(-1, 2.5), point(16, 0), NULL, hits, 16);
    assert_int_equal(count, 7);
    for (int i = 0; i < 7; i++) {
        int x = i < 3 ? i : i + 1;
        assert_int_equal(hits[i].side.tile, 2 * 8 + x);
        assert_int_equal(hits[i].side.grid.id, tiles.id);
        assert_int_equal(hits[i].side.shape.id, 0);
        assert_near((double)hits[i].fraction, (x + 1) / 16.0, 1e-7);
        assert_same_vector(hits[i].normal, -1, 0);
    }
    cn_world_destroy(world);
}

// A ray along a seam touches the tiles on both sides. At a corner it touches four tiles.
static void tiles_are_closed_squares(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_tiles(world, add_static(world, 0, 0, 0), 4, 4);
    cn_world_hit hits[32];
    cn_side sides[32];
    assert_int_equal(cn_world_cast_ray_all(world, point(-1, 2), point(9, 0), NULL, hits, 32), 8);
    assert_int_equal(cn_world_cast_ray_all(world, point(-1, 4), point(9, 0), NULL, hits, 32), 4);
    assert_int_equal(cn_world_cast_ray_all(world, point(-1, -1), point(8, 8), NULL, hits, 32), 10);
    for (int i = 1; i < 10; i++) assert_true(hits[i].fraction >= hits[i - 1].fraction);
    assert_int_equal(cn_world_overlap_point(world, point(1, 1), NULL, sides, 32), 4);
    const int around[] = {0, 1, 4, 5};
    for (int i = 0; i < 4; i++) assert_int_equal(sides[i].tile, around[i]);
    assert_int_equal(cn_world_overlap_point(world, point(4, 4), NULL, sides, 32), 1);
    assert_int_equal(cn_world_overlap_point(world, point(1.5, 1.5), NULL, sides, 32), 1);
    assert_int_equal(sides[0].tile, 5); // tiles with neighbours on all sides, too
    cn_hull box = cn_box(0.5f, 0.5f);
    cn_pose pose = cn_pose_at(point(1.5, 1.5), 0);
    assert_int_equal(cn_world_overlap(world, box, pose, NULL, sides, 32), 9);
    cn_bounds bounds = {point(1, 1), point(2, 2)};
    assert_int_equal(cn_world_overlap_bounds(world, bounds, NULL, sides, 32), 9);
    cn_world_destroy(world);
}

static void tiles_turn_with_their_body(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add_static(world, 0, 0, PI / 4); // the diagonal of the grid points up
    cn_grid tiles = add_tiles(world, body, 2, 2);
    cn_side sides[8];
    assert_int_equal(cn_world_overlap_point(world, point(0, 2 * sqrt(2) - 0.01), NULL, sides, 8),
                     1);
    assert_int_equal(sides[0].tile, 3);
    cn_world_hit hit = cast(world, 0.1, 10, 0, -10);
    assert_int_equal(hit.side.tile, 3);
    assert_near((double)hit.point.y, 2 * sqrt(2) - 0.1, 1e-5);
    assert_same_vector(hit.normal, sqrt(0.5), sqrt(0.5));
    assert_done(cn_body_set_pose(world, body,
                                 cn_pose_at(point(0, 0), 0))); // the new pose takes effect at once
    assert_near((double)cast(world, 0.1, 10, 0, -10).point.y, 2, 1e-6);
    assert_done(cn_grid_set_solid(world, tiles, 0, 1, false));
    assert_near((double)cast(world, 0.1, 10, 0, -10).point.y, 1, 1e-6);
    cn_world_destroy(world);
}

// A slope that rises to the right is the half of its square below the diagonal.
static void queries_see_slopes_as_triangles(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_grid tiles = add_tiles(world, add_static(world, 0, 0, 0), 3, 1);
    cn_tile slope = {.solid = true, .form = CN_TILE_RISES_RIGHT, .one_way = true};
    assert_done(cn_grid_set_tile(world, tiles, 1, 0, slope));
    cn_world_hit hit = cast(world, 1.25, 4, 0, -8);
    assert_int_equal(hit.side.tile, 1);
    assert_same_vector(hit.point, 1.25, 0.25);
    assert_same_vector(hit.normal, -sqrt(0.5), sqrt(0.5));
    assert_int_equal(cast(world, 1.25, -1, 0, 8).side.tile, 1); // from below, too
    hit = cast(world, 1.25, 0.75, 8, 0); // through the empty half to the diagonal
    assert_int_equal(hit.side.tile, 1);
    assert_same_vector(hit.point, 1.75, 0.75);
    assert_false(cast(world, 1.25, 0.75, -0.2, 0.2).hit);
    assert_int_equal(cast(world, 1.25, 0.75, -8, 0).side.tile, 0);
    assert_int_equal(cn_world_overlap_point(world, point(1.25, 0.75), NULL, NULL, 0), 0);
    assert_int_equal(cn_world_overlap_point(world, point(1.75, 0.25), NULL, NULL, 0), 1);
    cn_hull box = cn_box(0.125f, 0.125f);
    assert_int_equal(cn_world_overlap(world, box, cn_pose_at(point(1.25, 0.75), 0), NULL, NULL, 0),
                     0);
    const cn_sweep fall = {.start = cn_pose_at(point(1.375, 4), 0), .translation = point(0, -4)};
    assert_near((double)cn_world_cast_hull(world, box, fall, NULL).fraction, 3.375 / 4, 1e-6);
    const cn_hull dot = cn_circle(0);
    cn_neighbor near = cn_world_nearest(world, dot, cn_pose_at(point(1.4, 0.6), 0), 1, NULL);
    assert_int_equal(near.side.tile, 1);
    assert_near((double)near.gap.distance, sqrt(0.02), 1e-6);
    cn_world_destroy(world);
}

// Results do not show which tiles have been turned into shapes by a step.
static void tiles_that_are_shapes_are_seen_once_as_tiles(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_grid tiles = add_tiles(world, add_static(world, 0, 0, 0), 4, 2);
    cn_body body = add(world, (cn_body_def){.position = point(1.5, 2.5)}, box_of(0.5f));
    cn_world_hit before[16], after[16];
    const cn_query query = {.ignore = body};
    int count = cn_world_cast_ray_all(world, point(-1, 1.5), point(9, 0), &query, before, 16);
    assert_int_equal(count, 4);
    run(world, 2);
    cn_contact contact;
    assert_in_range(cn_body_contacts(world, body, &contact, 1), 1, 4);
    assert_true(contact.a.grid.id == tiles.id || contact.b.grid.id == tiles.id);
    count = cn_world_cast_ray_all(world, point(-1, 1.5), point(9, 0), &query, after, 16);
    assert_int_equal(count, 4);
    for (int i = 0; i < 4; i++) assert_true(same_hit(&before[i], &after[i]));
    assert_int_equal(after[0].side.shape.id, 0);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile_far_from_the_corner_of_its_grid_is_seen),
        cmocka_unit_test(nothing_passes_the_seams_of_a_turned_grid),
        cmocka_unit_test(a_wide_box_finds_the_tiles_at_its_end),
        cmocka_unit_test(a_ray_hits_every_solid_tile_that_it_passes),
        cmocka_unit_test(tiles_are_closed_squares),
        cmocka_unit_test(tiles_turn_with_their_body),
        cmocka_unit_test(queries_see_slopes_as_triangles),
        cmocka_unit_test(tiles_that_are_shapes_are_seen_once_as_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
