/* The hash is equal for worlds in the same state and differs for all others. */
#include "../../support/small_world.h"

// ---- hash

static cn_world *make_pile(cn_world_def def) {
    def.gravity = point(0, -10);
    cn_world *world = cn_world_create(&def);
    add_floor(world, (cn_material){0});
    for (int i = 0; i < 6; i++) {
        cn_hull hull = i % 2 ? cn_regular_polygon(5, 0.5f) : cn_box(0.5f, 0.4f);
        add(world, (cn_body_def){.position = point(0.2 * i, 0.6 + i)},
            (cn_shape_def){.hull = hull});
    }
    return world;
}

static void equal_worlds_have_equal_hashes(void **state) {
    (void)state;
    cn_world *a = make_pile((cn_world_def){0}),
             *b = make_pile((cn_world_def){.tag = 9, .lanes = 1});
    cn_body body = cn_world_next_body(b, (cn_body){0});
    assert_done(cn_body_set_user_data(b, body, 77));
    assert_done(cn_shape_set_user_data(b, first_shape(b, body), 78));
    for (int i = 0; i < 100; i++) {
        assert_true(cn_world_hash(a) == cn_world_hash(b));
        uint64_t before = cn_world_hash(a);
        run(a, 1), run(b, 1);
        assert_true(cn_world_hash(a) != before);
    }
    cn_world_destroy(a);
    cn_world_destroy(b);
}

// With friction -0 the tangent impulse could be -0 with one lane and 0 with more lanes.
static void friction_of_minus_zero_equals_zero(void **state) {
    (void)state;
    cn_world *worlds[2];
    for (int i = 0; i < 2; i++) {
        worlds[i] = make_pile((cn_world_def){.lanes = i ? 0 : 1});
        cn_shape s = {0};
        while ((s = cn_world_next_shape(worlds[i], s)).id)
            assert_done(cn_shape_set_material(
                worlds[i], s, (cn_material){.friction = i ? 0 : -0.0f, .frictionless = true}));
        run(worlds[i], 60);
    }
    assert_true(cn_world_hash(worlds[0]) == cn_world_hash(worlds[1]));
    for (int i = 0; i < 2; i++) cn_world_destroy(worlds[i]);
}

typedef bool change(cn_world *world, cn_body body, cn_shape shape);

static bool change_gravity(cn_world *w, cn_body b, cn_shape s) {
    (void)b, (void)s;
    return cn_world_set_gravity(w, point(0, -9));
}
static bool change_substeps(cn_world *w, cn_body b, cn_shape s) {
    (void)b, (void)s;
    return cn_world_set_substeps(w, 5);
}
static bool change_pose(cn_world *w, cn_body b, cn_shape s) {
    (void)s;
    return cn_body_set_pose(w, b, cn_pose_at(point(0, 0.7), 0));
}
static bool change_velocity(cn_world *w, cn_body b, cn_shape s) {
    (void)s;
    return cn_body_set_velocity(w, b, point(0, 1e-3));
}
static bool change_force(cn_world *w, cn_body b, cn_shape s) {
    (void)s;
    return cn_body_apply_force(w, b, point(0, 1e-3));
}
static bool change_flag(cn_world *w, cn_body b, cn_shape s) {
    (void)s;
    return cn_body_set_no_sleep(w, b, true);
}
static bool change_density(cn_world *w, cn_body b, cn_shape s) {
    (void)b;
    return cn_shape_set_density(w, s, 1.5f);
}
static bool change_friction(cn_world *w, cn_body b, cn_shape s) {
    (void)b;
    return cn_shape_set_material(w, s, (cn_material){.friction = 0.1f});
}
static bool change_filter(cn_world *w, cn_body b, cn_shape s) {
    (void)b;
    return cn_shape_set_filter(w, s, (cn_filter){2, 3, 4});
}
static bool change_no_collision(cn_world *w, cn_body b, cn_shape s) {
    (void)b;
    return cn_shape_set_no_collision(w, s, true);
}
static bool change_hull(cn_world *w, cn_body b, cn_shape s) {
    (void)b;
    cn_hull hull = cn_regular_polygon(6, 0.5f);
    return cn_shape_set_hull(w, s, hull);
}
static bool change_slots(cn_world *w, cn_body b, cn_shape s) {
    (void)b, (void)s;
    return cn_body_destroy(w, cn_body_create(w, &(cn_body_def){0}));
}

static void the_hash_sees_every_change(void **state) {
    (void)state;
    change *const changes[] = {change_gravity,  change_substeps, change_pose,
                               change_velocity, change_force,    change_flag,
                               change_density,  change_friction, change_filter,
                               change_hull,     change_slots,    change_no_collision};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        cn_world *world = make_pile((cn_world_def){0});
        cn_body body = cn_world_next_body(world, cn_world_next_body(world, (cn_body){0}));
        uint64_t before = cn_world_hash(world);
        assert_done(changes[i](world, body, first_shape(world, body)));
        assert_true(cn_world_hash(world) != before);
        cn_world_destroy(world);
    }
}

static void the_hash_includes_the_vertices_of_polygons_but_not_their_place_in_memory(void **state) {
    (void)state;
    cn_world *a = make_world(0), *b = make_world(0);
    cn_shape_def pentagon = {.hull = cn_regular_polygon(5, 1)},
                 heptagon = {.hull = cn_regular_polygon(7, 1)};
    cn_shape_create(b, cn_body_create(b, &(cn_body_def){0}), &pentagon);
    cn_shape_create(a, cn_body_create(a, &(cn_body_def){0}), &heptagon);
    assert_true(cn_world_hash(a) != cn_world_hash(b));
    assert_done(cn_shape_set_hull(b, cn_world_next_shape(b, (cn_shape){0}), heptagon.hull));
    run(a, 1), run(b, 1);
    assert_true(cn_world_hash(a) == cn_world_hash(b));
    cn_world_destroy(a);
    cn_world_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_worlds_have_equal_hashes),
        cmocka_unit_test(friction_of_minus_zero_equals_zero),
        cmocka_unit_test(the_hash_sees_every_change),
        cmocka_unit_test(the_hash_includes_the_vertices_of_polygons_but_not_their_place_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
