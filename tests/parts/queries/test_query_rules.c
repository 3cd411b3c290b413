/* The rules of the world's queries, one by one, in cases with an exact answer: what a query sees,
 * ties, ends, chains. test_query_tiles.c has the rules about tiles, test_query_refusals.c mistakes,
 * and test_query.c compares any queries with an oracle. */
#include "query_cases.h"

static const cn_hull dot = {.count = 1}; // cn_circle(0)

// ---- accept

static bool destroy_it(const cn_world *world, cn_side side, void *user) {
    cn_world *changed = user; // the same world without const
    bool refused = !cn_body_destroy(changed, side.body) && cn_error_code() == CN_ERROR_STATE;
    refused = refused && !cn_world_step(changed, 0.1f) && cn_error_code() == CN_ERROR_STATE;
    return refused && cn_world_overlap_point(world, point(-1, 0), NULL, NULL, 0) == 0;
}

static void accept_cannot_change_the_world(void **state) {
    (void)state;
    cn_world *world = make_world(0), *other = make_world(0);
    add_box(world, 2, 0);
    add_tiles(world, add_static(world, 5, 0, 0), 1, 1);
    const cn_query query = {.accept = destroy_it, .user = world};
    cn_ray ray = {point(0, 0.5), point(9, 0)};
    cn_world_hit hits[4];
    assert_int_equal(cn_world_cast_ray_all(world, ray.origin, ray.translation, &query, hits, 4), 2);
    assert_done(cn_world_cast_rays(world, &ray, 1, &query, hits) && hits[0].hit);
    assert_done(cn_body_destroy(world, hits[0].side.body)); // allowed after the query
    assert_done(cn_world_step(other, 0.1f));
    cn_world_destroy(other);
    cn_world_destroy(world);
}

// ---- surfaces and seams

// All numbers are exact in floats, so that a ray aimed at a face ends on it.
static void a_ray_that_ends_on_a_surface_touches_it(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_shape(world, add_static(world, 0, 0, 0), (cn_shape_def){.hull = cn_box(1, 1)});
    cn_body grid = add_static(world, 9, -1, 0);
    add_tiles(world, grid, 2, 2);
    cn_hull box = cn_box(0.5f, 0.5f);
    for (int i = 0; i < 2000; i++) {
        double x = (i * 37 % 255 - 127) / 128.0, dx = (i * 91 % 1024 - 512) / 64.0;
        double dy = -(i * 53 % 1024 + 1) / 64.0;
        for (double at = 0; at < 11; at += 10)
            assert_true(cast(world, at + x - dx, 1 - dy, dx, dy).hit);
        const cn_sweep sweep = {.start = cn_pose_at(point(x - dx, 1.5 - dy), 0),
                                .translation = point(dx, dy)};
        assert_true(cn_world_cast_hull(world, box, sweep, NULL).hit);
    }
    cn_world_destroy(world);
}

static void nothing_passes_between_two_turned_boxes(void **state) {
    (void)state;
    for (int i = 1; i < 300; i++) {
        cn_world *world = make_world(0);
        cn_body body = add_static(world, 0, 0, 0.1 * i);
        vec2s points[] = {point(0, -1), point(1, -1), point(1, 0), point(0, 0)};
        add_shape(world, body, (cn_shape_def){.hull = cn_polygon(points, 4, 0)});
        for (int k = 0; k < 4; k++) points[k].x -= 1;
        add_shape(world, body, (cn_shape_def){.hull = cn_polygon(points, 4, 0)});
        cn_pose pose = cn_body_pose(world, body);
        vec2s from = cn_pose_point(pose, point(0, 3)), to = cn_pose_point(pose, point(0, -3));
        assert_true(cn_world_cast_ray(world, from, glms_vec2_sub(to, from), NULL).hit);
        cn_world_destroy(world);
    }
}

// ---- rays

static void a_ray_hits_the_nearest_box_at_its_face(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_box(world, 6, 0);
    cn_shape near = add_box(world, 2, 0);
    cn_world_hit hit = cast(world, 0, 0.25, 8, 0);
    assert_true(hit.hit);
    assert_int_equal(hit.side.shape.id, near.id);
    assert_int_equal(hit.side.body.id, cn_shape_body(world, near).id);
    assert_int_equal(hit.side.tile, -1);
    assert_true(hit.fraction == 0.25f && hit.point.x == 2 && hit.point.y == 0.25f);
    assert_true(hit.normal.x == -1 && hit.normal.y == 0);
    assert_false(cast(world, 0, 0.25, 1.9, 0).hit);
    assert_false(cast(world, 0, 0.25, -8, 0).hit);
    cn_world_destroy(world);
}

static void minus_zero_is_zero(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_box(world, -0.5, -0.5);
    add_tiles(world, add_static(world, 9.5, -0.5, 0), 1, 1);
    for (double x = 0; x < 20; x += 10)
        for (double d = -2; d < 3; d += 4) {
            assert_true(cast(world, x - d, 0, d, 0).fraction == 0.75f);
            assert_true(cast(world, x - d, 0, d, -0.0).fraction == 0.75f);
            assert_true(cast(world, x, -d, 0, d).fraction == 0.75f);
            assert_true(cast(world, x, -d, -0.0, d).fraction == 0.75f);
            assert_true(cast(world, x, 0, -0.0, -0.0).hit);
        }
    cn_world_destroy(world);
}

static void a_ray_that_starts_inside_hits_there_and_has_no_normal(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_box(world, 2, 0);
    cn_grid tiles = add_tiles(world, add_static(world, 10, 0, 0), 2, 2);
    const double starts[] = {2.3, 2.5, 10.3, 11.5}, lengths[] = {4, 0, -4, 0};
    for (int i = 0; i < 4; i++) {
        cn_world_hit hit = cast(world, starts[i], 0.25, lengths[i], 0);
        assert_true(hit.hit && hit.fraction == 0 && hit.normal.x == 0 && hit.normal.y == 0);
        assert_true(hit.point.x == (float)starts[i] && hit.point.y == 0.25f);
        assert_int_equal(hit.side.grid.id, i < 2 ? 0 : tiles.id);
    }
    assert_false(cast(world, 1.5, 0.25, 0, 0).hit); // a ray of length 0, outside
    assert_true(cast(world, 2, 0.25, 0, 0).hit);    // a ray of length 0 on the edge
    cn_world_destroy(world);
}

static void among_equal_hits_the_lowest_slot_wins_and_shapes_come_before_tiles(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_grid tiles = add_tiles(world, add_static(world, 2, 0, 0), 1, 1);
    cn_shape a = add_box(world, 2, 0), b = add_box(world, 2, 0), c = add_box(world, 2, 0);
    cn_world_hit hits[4], one = cast(world, 0, 0.5, 4, 0);
    int count = cn_world_cast_ray_all(world, point(0, 0.5), point(4, 0), NULL, hits, 4);
    assert_int_equal(count, 4);
    assert_int_equal(hits[0].side.shape.id, a.id);
    assert_int_equal(hits[1].side.shape.id, b.id);
    assert_int_equal(hits[2].side.shape.id, c.id);
    assert_int_equal(hits[3].side.grid.id, tiles.id);
    assert_true(same_hit(&one, &hits[0]));
    assert_done(cn_shape_destroy(world, a));
    assert_int_equal(cast(world, 0, 0.5, 4, 0).side.shape.id, b.id);
    cn_shape again = add_box(world, 2, 0); // the new box may get the slot of the first one
    uint64_t low = 0xFFFFFF, least = (again.id & low) < (b.id & low) ? again.id : b.id;
    assert_int_equal(cast(world, 0, 0.5, 4, 0).side.shape.id, least);
    cn_world_destroy(world);
}

static void a_ray_sees_changes_made_just_before(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_shape shape = add_box(world, 2, 0);
    cn_body body = cn_shape_body(world, shape);
    assert_done(cn_body_set_pose(world, body, cn_pose_at(point(102.5, 0.5), 0)));
    assert_false(cast(world, 0, 0.5, 8, 0).hit);
    assert_true(cast(world, 100, 0.5, 8, 0).fraction == 0.25f);
    assert_done(cn_body_set_disabled(world, body, true));
    assert_false(cast(world, 100, 0.5, 8, 0).hit);
    assert_done(cn_body_set_disabled(world, body, false));
    cn_hull hull = cn_box(0.25f, 2);
    assert_done(cn_shape_set_hull(world, shape, hull));
    assert_true(cast(world, 100, 2.25, 9, 0).fraction == 0.25f);
    assert_done(cn_body_destroy(world, body));
    assert_false(cast(world, 100, 0.5, 8, 0).hit);
    cn_world_destroy(world);
}

// ---- what a query sees

static void sensors_are_seen_on_request(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add_static(world, 2, 0, 0);
    add_shape(world, body, (cn_shape_def){.hull = cn_circle(1), .sensor = true});
    cn_side side;
    const cn_query query = {.sensors = true};
    assert_false(cast(world, 0, 0, 4, 0).hit);
    assert_true(cn_world_cast_ray(world, point(0, 0), point(4, 0), &query).hit);
    assert_int_equal(cn_world_overlap_point(world, point(2, 0), NULL, &side, 1), 0);
    assert_int_equal(cn_world_overlap_point(world, point(2, 0), &query, &side, 1), 1);
    assert_false(cn_world_nearest(world, dot, cn_pose_at(point(0, 0), 0), 9, NULL).found);
    assert_true(cn_world_nearest(world, dot, cn_pose_at(point(0, 0), 0), 9, &query).found);
    cn_world_destroy(world);
}

static void shapes_without_collision_and_one_way_shapes_are_solid_to_queries(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add_static(world, 2, 0, 0);
    cn_shape ghost =
        add_shape(world, body, (cn_shape_def){.hull = cn_box(1, 1), .no_collision = true});
    assert_int_equal(cast(world, 0, 0, 4, 0).side.shape.id, ghost.id);
    const cn_query first = {.mask = 1}, second = {.mask = 2}; // its filter counts as of any shape
    assert_true(cn_world_cast_ray(world, point(0, 0), point(4, 0), &first).hit);
    assert_false(cn_world_cast_ray(world, point(0, 0), point(4, 0), &second).hit);
    assert_done(cn_shape_destroy(world, ghost));
    add_shape(world, body, (cn_shape_def){.hull = cn_box(1, 1), .one_way = {{0, 1}}});
    for (int i = 0; i < 4; i++) {
        double x = cos(i * PI / 2), y = sin(i * PI / 2);
        assert_near((double)cast(world, 2 + 2 * x, 2 * y, -2 * x, -2 * y).fraction, 0.5, 1e-6);
    }
    cn_world_destroy(world);
}

static void a_pose_without_rotation_is_not_turned(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add_box(world, 2, 0);
    const cn_hull bar = cn_box(2, 0.25f);
    const cn_pose at = {.position = point(-0.5, 0.5)}, as = cn_pose_at(at.position, 0);
    cn_side side;
    const cn_pose over = {.position = point(0.5, 0.5)};
    assert_int_equal(cn_world_overlap(world, bar, over, NULL, &side, 1), 1);
    for (int turns = 0; turns < 2; turns++) {
        const float turn = (float)turns;
        const cn_sweep sweep = {.start = at, .translation = point(3, 0), .turn = turn};
        const cn_sweep equal = {.start = as, .translation = point(3, 0), .turn = turn};
        cn_world_hit hit = cn_world_cast_hull(world, bar, sweep, NULL);
        cn_world_hit expected = cn_world_cast_hull(world, bar, equal, NULL);
        assert_true(hit.hit && hit.fraction == expected.fraction);
        assert_true(glms_vec2_eqv(hit.point, expected.point));
    }
    cn_neighbor near = cn_world_nearest(world, bar, at, 9, NULL);
    assert_true(near.found && glms_vec2_eqv(near.gap.point_a,
                                            cn_world_nearest(world, bar, as, 9, NULL).gap.point_a));
    cn_world_destroy(world);
}

typedef struct {
    cn_filter shape, query;
    bool seen;
} filter_case;

static void filters_decide_as_between_shapes(void **state) {
    (void)state;
    const filter_case cases[] = {
        {{1, 1, 0}, {0, 0, 0}, true},    {{2, 4, 0}, {0, 0, 0}, true},
        {{2, 4, 0}, {4, 2, 0}, true},    {{2, 4, 0}, {4, 1, 0}, false},
        {{2, 4, 0}, {1, 2, 0}, false},   {{2, 4, 0}, {0, 2, 0}, true},
        {{2, 4, 0}, {4, 0, 0}, true},    {{2, 4, 0}, {1, 0, 0}, false},
        {{2, 4, 0}, {0, 5, 0}, false},   {{2, 4, 3}, {1, 1, 3}, true},
        {{2, 4, -3}, {4, 2, -3}, false}, {{2, 4, -3}, {0, 0, -3}, false},
        {{2, 4, 3}, {4, 2, -3}, true},   {{2, 4, 3}, {1, 1, 2}, false},
        {{2, 4, 3}, {1, 1, 0}, false},   {{6, 12, 0}, {8, 4, 0}, true},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        cn_world *world = make_world(0);
        add_shape(world, add_static(world, 2, 0, 0),
                  (cn_shape_def){.hull = cn_box(1, 1), .filter = cases[i].shape});
        const cn_filter f = cases[i].query;
        const cn_query query = {.category = f.category, .mask = f.mask, .group = f.group};
        const cn_pose pose = cn_pose_at(point(2, 0), 0);
        const cn_hull ball = cn_circle(0.5f);
        cn_side side;
        bool seen[] = {
            cn_world_cast_ray(world, point(0, 0), point(4, 0), &query).hit,
            cn_world_overlap(world, ball, pose, &query, &side, 1) == 1,
            cn_world_overlap_point(world, point(2, 0), &query, &side, 1) == 1,
            cn_world_nearest(world, ball, pose, 1, &query).found,
        };
        for (int k = 0; k < 4; k++)
            if (seen[k] != cases[i].seen) print_error("case %d, query %d\n", i, k);
        for (int k = 0; k < 4; k++) assert_int_equal(seen[k], cases[i].seen);
        cn_world_destroy(world);
    }
}

static void a_body_can_be_ignored_with_all_its_shapes_and_tiles(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add_static(world, 0, 0, 0);
    add_tiles(world, body, 2, 2);
    add_shape(world, body, (cn_shape_def){.hull = cn_box(1, 1)});
    cn_shape other = add_box(world, 4, 0);
    const cn_query query = {.ignore = body};
    cn_world_hit hit = cn_world_cast_ray(world, point(-3, 0.5), point(9, 0), &query);
    assert_int_equal(hit.side.shape.id, other.id);
    cn_side side;
    assert_int_equal(cn_world_overlap_point(world, point(0.5, 0.5), &query, &side, 1), 0);
    assert_int_equal(cn_world_overlap_point(world, point(0.5, 0.5), NULL, &side, 1), 2);
    cn_world_destroy(world);
}

// The shape that accept() refuses, and the number of calls of accept().
typedef struct {
    cn_shape refused;
    int calls;
} chooser;

static bool choose(const cn_world *world, cn_side side, void *user) {
    chooser *c = user;
    c->calls++;
    assert_true(cn_shape_valid(world, side.shape));
    assert_int_equal(cn_shape_body(world, side.shape).id, side.body.id);
    return side.shape.id != c->refused.id;
}

static void accept_may_refuse_any_result(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_shape a = add_box(world, 2, 0), b = add_box(world, 4, 0);
    add_box(world, 50, 50); // not a result, so accept() is not called for this box
    chooser c = {.refused = a};
    const cn_query query = {.accept = choose, .user = &c};
    cn_world_hit hit = cn_world_cast_ray(world, point(0, 0.5), point(9, 0), &query);
    assert_int_equal(hit.side.shape.id, b.id);
    assert_in_range(c.calls, 2, 2);
    cn_hull hull = cn_box(5, 1);
    cn_side side;
    c.calls = 0;
    assert_int_equal(cn_world_overlap(world, hull, cn_pose_at(point(3, 0), 0), &query, &side, 1),
                     1);
    assert_int_equal(side.shape.id, b.id);
    assert_in_range(c.calls, 2, 2);
    cn_neighbor near = cn_world_nearest(world, dot, cn_pose_at(point(0, 0.5), 0), 10, &query);
    assert_int_equal(near.side.shape.id, b.id);
    cn_world_destroy(world);
}

// ---- chains

// The chain runs from right to left along y = 0, so its open side is above.
static void chains_stop_only_casts_that_start_on_their_open_side(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        cn_world *world = make_world(0);
        cn_body body = add_static(world, 0, 0, turned ? PI : 0);
        const vec2s floor[] = {{{3, 0}}, {{1, 0}}, {{-1, 0}}, {{-3, 0}}};
        cn_chain chain = cn_chain_create(world, body, &(cn_chain_def){.points = floor, .count = 4});
        assert_done(chain.id != 0);
        double up = turned ? -1 : 1;
        assert_near((double)cast(world, 0.2, 2 * up, 0, -4 * up).fraction, 0.5, 1e-6);
        assert_same_vector(cast(world, 0.2, 2 * up, 0, -4 * up).normal, 0, up);
        assert_false(cast(world, 0.2, -2 * up, 0, 4 * up).hit);
        cn_hull ball = cn_circle(0.5f);
        cn_sweep sweep = {.start = cn_pose_at(point(0, 2 * up), 0),
                          .translation = point(0, -4 * up)};
        assert_near((double)cn_world_cast_hull(world, ball, sweep, NULL).fraction, 0.375, 1e-5);
        sweep.start.position.y *= -1, sweep.translation.y *= -1;
        assert_false(cn_world_cast_hull(world, ball, sweep, NULL).hit);
        // The middle of the hull decides on which side the cast starts, not the centre of the
        // sweep.
        sweep.center = point(0, 2.5 * up), sweep.translation = point(0, 1.9 * up);
        assert_false(cn_world_cast_hull(world, ball, sweep, NULL).hit);
        cn_world_destroy(world);
    }
}

static void overlaps_and_distances_see_chains_from_both_sides(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    const vec2s floor[] = {{{3, 0}}, {{-3, 0}}};
    cn_body body = add_static(world, 0, 0, 0);
    assert_done(cn_chain_create(world, body, &(cn_chain_def){.points = floor, .count = 2}).id != 0);
    cn_hull ball = cn_circle(0.5f);
    cn_side side;
    for (double y = -1; y < 2; y += 2) {
        cn_pose near = cn_pose_at(point(0.3, 0.4 * y), 0), apart = cn_pose_at(point(0.3, 2 * y), 0);
        assert_int_equal(cn_world_overlap(world, ball, near, NULL, &side, 1), 1);
        assert_int_equal(cn_world_overlap(world, ball, apart, NULL, &side, 1), 0);
        cn_neighbor n = cn_world_nearest(world, ball, apart, 5, NULL);
        assert_true(n.found);
        assert_near((double)n.gap.distance, 1.5, 1e-6);
        assert_same_vector(n.gap.normal, 0, -y);
        assert_same_vector(n.gap.point_a, 0.3, 1.5 * y);
        assert_same_vector(n.gap.point_b, 0.3, 0);
    }
    assert_int_equal(cn_world_overlap_point(world, point(1, 0), NULL, &side, 1), 1);
    cn_world_destroy(world);
}

// ---- the nearest

static void the_nearest_is_the_deepest_or_has_the_lowest_slot(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_shape a = add_box(world, 2, 0), b = add_box(world, -3, 0);
    const cn_pose middle = cn_pose_at(point(0, 0.5), 0), right = cn_pose_at(point(0.1, 0.5), 0);
    cn_hull ball = cn_circle(0.5f), wide = cn_box(2.5f, 0.4f);
    assert_int_equal(cn_world_nearest(world, dot, middle, 9, NULL).side.shape.id, a.id);
    assert_near((double)cn_world_nearest(world, ball, middle, 9, NULL).gap.distance, 1.5, 1e-6);
    assert_int_equal(cn_world_nearest(world, ball, right, 9, NULL).side.shape.id, a.id);
    const cn_query query = {.ignore = cn_shape_body(world, a)};
    assert_int_equal(cn_world_nearest(world, ball, right, 9, &query).side.shape.id, b.id);
    assert_near((double)cn_world_nearest(world, wide, right, 0, NULL).gap.distance, -0.6, 1e-6);
    assert_false(cn_world_nearest(world, ball, middle, 1.49f, NULL).found);
    assert_true(cn_world_nearest(world, ball, middle, 1.51f, NULL).found);
    cn_shape deeper = add_box(world, 1.7, 0);
    assert_int_equal(cn_world_nearest(world, wide, right, 0, NULL).side.shape.id, deeper.id);
    cn_world_destroy(world);
}

static void an_empty_world_gives_no_results(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_hull ball = cn_circle(0.5f);
    const cn_pose pose = cn_pose_at(point(0, 0), 0);
    const cn_sweep sweep = {.start = pose, .translation = {{1, 0}}};
    const cn_ray ray = {{{0, 0}}, {{1, 1}}};
    cn_world_hit hit;
    assert_false(cast(world, 0, 0, 1, 0).hit);
    assert_int_equal(cn_world_cast_ray_all(world, ray.origin, ray.translation, NULL, NULL, 0), 0);
    assert_done(cn_world_cast_rays(world, &ray, 1, NULL, &hit));
    assert_false(hit.hit);
    assert_done(cn_world_cast_rays(world, NULL, 0, NULL, NULL));
    assert_false(cn_world_cast_hull(world, ball, sweep, NULL).hit);
    assert_int_equal(cn_world_overlap(world, ball, pose, NULL, NULL, 0), 0);
    assert_int_equal(cn_world_overlap_point(world, point(0, 0), NULL, NULL, 0), 0);
    assert_false(cn_world_nearest(world, ball, pose, 1e9f, NULL).found);
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_hits_the_nearest_box_at_its_face),
        cmocka_unit_test(a_ray_that_ends_on_a_surface_touches_it),
        cmocka_unit_test(nothing_passes_between_two_turned_boxes),
        cmocka_unit_test(accept_cannot_change_the_world),
        cmocka_unit_test(minus_zero_is_zero),
        cmocka_unit_test(a_ray_that_starts_inside_hits_there_and_has_no_normal),
        cmocka_unit_test(among_equal_hits_the_lowest_slot_wins_and_shapes_come_before_tiles),
        cmocka_unit_test(a_ray_sees_changes_made_just_before),
        cmocka_unit_test(sensors_are_seen_on_request),
        cmocka_unit_test(shapes_without_collision_and_one_way_shapes_are_solid_to_queries),
        cmocka_unit_test(filters_decide_as_between_shapes),
        cmocka_unit_test(a_pose_without_rotation_is_not_turned),
        cmocka_unit_test(a_body_can_be_ignored_with_all_its_shapes_and_tiles),
        cmocka_unit_test(accept_may_refuse_any_result),
        cmocka_unit_test(chains_stop_only_casts_that_start_on_their_open_side),
        cmocka_unit_test(overlaps_and_distances_see_chains_from_both_sides),
        cmocka_unit_test(the_nearest_is_the_deepest_or_has_the_lowest_slot),
        cmocka_unit_test(an_empty_world_gives_no_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
