/* The tight boxes of bodies and worlds, the nearest point of a shape, and points as hulls. */
#include "../../support/refuse.h"
#include "../../support/small_world.h"

static void assert_box(cn_bounds b, double x0, double y0, double x1, double y1) {
    assert_vector(b.lower, x0, y0);
    assert_vector(b.upper, x1, y1);
}

// A box of 2 m x 1 m that is turned by 30 degrees is 2 cos + 1 sin wide.
static void the_bounds_of_a_body_are_the_union_of_its_shapes(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    double c = cos(PI / 6), s = sin(PI / 6);
    cn_body body = add(world, (cn_body_def){.position = point(3, 4), .angle = (float)(PI / 6)},
                       (cn_shape_def){.hull = cn_box(1, 0.5f)});
    assert_box(cn_body_bounds(world, body), 3 - c - s / 2, 4 - s - c / 2, 3 + c + s / 2,
               4 + s + c / 2);
    cn_hull disc = cn_circle(0.5f), beside = cn_hull_at(disc, cn_pose_at(point(2, 0), 0));
    cn_shape_def def = {.hull = beside, .sensor = true};
    assert_done(cn_shape_create(world, body, &def).id != 0);
    assert_box(cn_body_bounds(world, body), 3 - c - s / 2, 4 - s - c / 2, 3.5 + 2 * c, 4.5 + 2 * s);
    assert_done(cn_body_set_disabled(world, body, true));
    assert_near((double)cn_body_bounds(world, body).upper.x, 3.5 + 2 * c, 1e-6);
    cn_world_destroy(world);
}

static void a_body_without_shapes_is_a_point(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    assert_box(cn_world_bounds(world), 0, 0, 0, 0);
    cn_body body = cn_body_create(world, &(cn_body_def){.position = point(3, 4)});
    assert_box(cn_body_bounds(world, body), 3, 4, 3, 4);
    assert_box(cn_world_bounds(world), 0, 0, 0, 0);
    add_ball(world, -5, 1);
    add_ball(world, 7, -2);
    assert_box(cn_world_bounds(world), -5.5, -2.5, 7.5, 1.5);
    cn_world_destroy(world);
}

// The oracle is the distance of two hulls, one of them a point.
static void the_closest_point_is_on_the_outline_or_the_point_itself(void **state) {
    (void)state;
    uint64_t seed = 5;
    cn_world *world = make_world(0);
    const cn_hull dot = cn_circle(0);
    const cn_hull hulls[] = {cn_box(1, 0.5f), cn_circle(0.7f), cn_rounded_box(1, 1, 0.3f),
                             cn_segment(point(-1, 0), point(1, 1))};
    for (int i = 0; i < 400; i++) {
        cn_body_def def = {.type = CN_STATIC, .position = random_point_between(&seed, -2, 2)};
        def.angle = (float)random_between(&seed, -3, 3);
        cn_shape shape = first_shape(world, add(world, def, (cn_shape_def){.hull = hulls[i % 4]}));
        vec2s p = random_point_between(&seed, -4, 4);
        vec2s found = cn_shape_closest_point(world, shape, p);
        cn_gap gap = cn_hull_distance(&dot, cn_pose_at(p, 0), &hulls[i % 4],
                                      cn_pose_at(def.position, def.angle));
        bool inside = cn_shape_contains(world, shape, p);
        if (inside) assert_vector(found, (double)p.x, (double)p.y);
        if (!inside)
            assert_near(hypot((double)found.x - (double)p.x, (double)found.y - (double)p.y),
                        (double)gap.distance, 1e-5);
        if (!inside) assert_vector(found, (double)gap.point_b.x, (double)gap.point_b.y);
    }
    cn_world_destroy(world);
}

static void only_queries_and_distances_take_points(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(0);
    cn_shape shape = first_shape(world, add_ball(world, 0, 0));
    const cn_hull dot = cn_circle(0), box = cn_box(1, 1);
    const cn_shape_def def = {.hull = dot};
    const cn_pose at = cn_pose_at(point(0, 0), 0);
    cn_body body = cn_shape_body(world, shape);
    REFUSES(CN_ERROR_SHAPE, cn_shape_create(world, body, &def));
    REFUSES(CN_ERROR_SHAPE, cn_shape_set_hull(world, shape, dot));
    REFUSES(CN_ERROR_SHAPE, cn_hull_clip(&dot, at, &box, at, 0.1f, NULL, 0, NULL));
    REFUSES(CN_ERROR_SHAPE, cn_hull_crossings(&box, at, &dot, at, NULL, 0));
    REFUSES(CN_ERROR_SHAPE, cn_hull_slice(dot, point(0, 0), point(1, 0), 0.1f, NULL, 0, NULL));
    assert_false(cn_world_move_hull(world, dot, at, point(1, 0), NULL).grounded);
    assert_int_equal(cn_error_code(), CN_ERROR_SHAPE);
    assert_int_equal(cn_world_overlap(world, dot, at, NULL, NULL, 0), 1);
    assert_true(cn_hull_mass_data(dot, 1).mass == 0);
    assert_near((double)cn_hull_collide(&dot, at, &box, at, 0).points[0].separation, -1, 1e-6);
    REFUSES(CN_ERROR_NUMBER, cn_shape_closest_point(world, shape, point(NAN, 0)));
    unchanged_world = NULL;
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bounds_of_a_body_are_the_union_of_its_shapes),
        cmocka_unit_test(a_body_without_shapes_is_a_point),
        cmocka_unit_test(the_closest_point_is_on_the_outline_or_the_point_itself),
        cmocka_unit_test(only_queries_and_distances_take_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
