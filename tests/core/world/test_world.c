/* The world's calls apart from physics: defaults, values that are read back, iteration, bulk reads,
 * handles and slots. */
#include "../../support/small_world.h"

// ---- zero means the default

static void a_zero_definition_is_a_sensible_world(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){0});
    assert_vector(cn_world_gravity(world), 0, 0);
    assert_int_equal(cn_world_substeps(world), 4);
    assert_true(!cn_world_no_sleep(world));
    cn_tuning t = cn_world_tuning(world);
    const float values[] = {
        t.slop,       t.speculative_margin, t.box_margin,  t.anchor_distance, t.anchor_angle,
        t.push_speed, t.hit_threshold,      t.sleep_speed, t.sleep_time};
    const double expected[] = {0.005, 0.02, 0.015, 0.05, 0.05, 30, 1, 0.05, 0.5};
    for (int i = 0; i < 9; i++) assert_near((double)values[i], expected[i], 1e-7);
    assert_int_equal(cn_world_advance(world, 1.0f / 60), 1);
    assert_int_equal(cn_world_advance(world, 1), 8);
    assert_int_equal(cn_world_profile(world).count, 0);
    cn_world_destroy(world);
}

static void the_length_unit_scales_only_lengths_and_speeds(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.length_unit = 100});
    cn_tuning t = cn_world_tuning(world);
    const float values[] = {t.slop, t.push_speed, t.sleep_speed, t.anchor_angle, t.sleep_time};
    const double expected[] = {0.5, 3000, 5, 0.05, 0.5};
    for (int i = 0; i < 5; i++) assert_near((double)values[i], expected[i], 1e-5);
    cn_world_destroy(world);
}

static void the_push_speed_follows_gravity_until_it_is_tuned(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -980}}});
    assert_near((double)cn_world_tuning(world).push_speed, 980, 1e-3);
    assert_done(cn_world_set_gravity(world, point(5, 0)));
    assert_near((double)cn_world_tuning(world).push_speed, 30, 0);
    assert_done(cn_world_set_gravity(world, point(FLT_MAX, FLT_MAX)));
    cn_tuning tuning = cn_world_tuning(world);
    assert_done(cn_world_set_tuning(world, tuning)); // the default is in range
    tuning.push_speed = 4;
    assert_done(cn_world_set_tuning(world, tuning));
    assert_done(cn_world_set_gravity(world, point(0, -980)));
    assert_near((double)cn_world_tuning(world).push_speed, 4, 0);
    cn_world_destroy(world);
}

static void zeros_of_a_tuning_are_defaults(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -980}}, .length_unit = 10});
    cn_tuning usual = cn_world_tuning(world), other = usual;
    other.slop = 0.2f, other.push_speed = 4, other.sleep_time = 3;
    assert_done(cn_world_set_tuning(world, other));
    assert_done(cn_world_set_tuning(world, (cn_tuning){.speculative_margin = 0.5f}));
    assert_near((double)cn_world_tuning(world).box_margin, 0.25, 0); // what the other one needs
    assert_done(cn_world_set_tuning(world, (cn_tuning){.hit_threshold = 7}));
    usual.hit_threshold = 7;
    cn_tuning back = cn_world_tuning(world);
    assert_memory_equal(&back, &usual, sizeof usual);
    assert_done(cn_world_set_gravity(world, point(0, -2000))); // push_speed follows again
    assert_near((double)cn_world_tuning(world).push_speed, 2000, 1e-3);
    cn_world_destroy(world);
}

static void the_sleep_speed_of_a_body_is_that_of_the_tuning_until_it_is_set(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body body = add_ball(world, 0, 0);
    assert_near((double)cn_body_sleep_speed(world, body), 0.05, 1e-7);
    assert_done(cn_world_set_tuning(world, (cn_tuning){.sleep_speed = 0.25f}));
    assert_near((double)cn_body_sleep_speed(world, body), 0.25, 0);
    assert_done(cn_body_set_sleep_speed(world, body, 0.5f));
    assert_done(cn_world_set_tuning(world, (cn_tuning){0}));
    assert_near((double)cn_body_sleep_speed(world, body), 0.5, 0);
    cn_world_destroy(world);
}

static void a_zero_definition_is_a_sensible_body(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body body = cn_body_create(world, &(cn_body_def){0});
    assert_int_equal(cn_body_type(world, body), CN_DYNAMIC);
    assert_vector(cn_body_position(world, body), 0, 0);
    assert_near((double)cn_body_angle(world, body), 0, 0);
    assert_near((double)cn_body_gravity_scale(world, body), 1, 0);
    assert_near((double)cn_body_linear_damping(world, body), 0, 0);
    assert_near((double)cn_body_max_speed(world, body), 0, 0);
    assert_near(mass_of(world, body), 1, 0); // a point of 1 kg
    assert_true(!cn_body_asleep(world, body) && !cn_body_disabled(world, body));
    assert_false(cn_body_no_sleep(world, body));
    bool x, y, rotation;
    cn_body_locks(world, body, &x, &y, &rotation);
    assert_false(x || y || rotation);
    assert_int_equal(cn_body_user_data(world, body), 0);
    cn_world_destroy(world);
}

static void a_zero_definition_is_a_sensible_shape(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_shape shape = first_shape(world, add_ball(world, 0, 0));
    assert_near((double)cn_shape_density(world, shape), 1, 0);
    cn_material material = cn_shape_material(world, shape);
    assert_near((double)material.friction, 0.6, 1e-7);
    assert_near((double)material.restitution, 0, 0);
    assert_false(material.frictionless);
    cn_filter filter = cn_shape_filter(world, shape);
    assert_true(filter.category == 1 && filter.mask == UINT64_MAX && filter.group == 0);
    assert_false(cn_shape_hit_events(world, shape));
    assert_true(!cn_shape_no_touch_events(world, shape));
    cn_world_destroy(world);
}

static void flags_stand_for_values_of_zero(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_STATIC, .weightless = true});
    cn_shape_def def = {.hull = ball, .massless = true, .no_collision = true};
    def.material.frictionless = true;
    cn_shape shape = cn_shape_create(world, body, &def);
    assert_near((double)cn_body_gravity_scale(world, body), 0, 0);
    assert_near((double)cn_shape_density(world, shape), 0, 0);
    assert_near((double)cn_shape_material(world, shape).friction, 0, 0);
    assert_true(cn_shape_material(world, shape).frictionless);
    assert_true(cn_shape_no_collision(world, shape));
    cn_world_destroy(world);
}

// What a getter returns sets the same, and zeros set the same as in a definition.
static void structs_mean_the_same_in_definitions_and_setters(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    const cn_material materials[] = {
        {0}, {.friction = 0.4f}, {.friction = 1, .frictionless = true}};
    const float friction[] = {0.6f, 0.4f, 0};
    const cn_filter filters[] = {{0}, {.category = 4}, {.mask = 2, .group = -1}};
    const cn_filter full[] = {{1, UINT64_MAX, 0}, {4, UINT64_MAX, 0}, {1, 2, -1}};
    cn_shape set = first_shape(world, add_ball(world, 2, 0));
    for (int i = 0; i < 9; i++) {
        cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        cn_shape_def def = {.hull = ball, .material = materials[i / 3], .filter = filters[i % 3]};
        cn_shape made = cn_shape_create(world, body, &def);
        assert_done(cn_shape_set_material(world, set, materials[i / 3]));
        assert_done(cn_shape_set_filter(world, set, filters[i % 3]));
        for (int k = 0; k < 3; k++) {
            cn_shape shape = k ? set : made;
            cn_material material = cn_shape_material(world, shape);
            cn_filter f = cn_shape_filter(world, shape), e = full[i % 3];
            assert_near((double)material.friction, (double)friction[i / 3], 1e-7);
            assert_int_equal(material.frictionless, i / 3 == 2);
            assert_true(f.category == e.category && f.mask == e.mask && f.group == e.group);
            assert_done(cn_shape_set_material(world, set, material));
            assert_done(cn_shape_set_filter(world, set, f));
        }
    }
    cn_world_destroy(world);
}

// ---- values that were set

static void a_world_returns_the_values_that_were_set(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    assert_done(cn_world_set_gravity(world, point(1, -2)));
    assert_done(cn_world_set_substeps(world, 7));
    assert_done(cn_world_set_no_sleep(world, false));
    cn_tuning tuning = cn_world_tuning(world);
    tuning.slop = 0.25f, tuning.sleep_time = 3;
    assert_done(cn_world_set_tuning(world, tuning));
    assert_vector(cn_world_gravity(world), 1, -2);
    assert_int_equal(cn_world_substeps(world), 7);
    assert_true(!cn_world_no_sleep(world));
    cn_tuning back = cn_world_tuning(world);
    assert_memory_equal(&tuning, &back, sizeof tuning);
    cn_world_destroy(world);
}

static void a_body_returns_the_values_that_were_set(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body body = add_ball(world, 0, 0);
    assert_done(cn_body_set_pose(world, body, cn_pose_at(point(3, 4), 0.5f)));
    assert_done(cn_body_set_velocity(world, body, point(5, 6)));
    assert_done(cn_body_set_angular_velocity(world, body, 7));
    assert_done(cn_body_set_damping(world, body, 0.1f, 0.2f));
    assert_done(cn_body_set_gravity_scale(world, body, -2));
    assert_done(cn_body_set_max_speed(world, body, 30));
    assert_done(cn_body_set_sleep_speed(world, body, 0.4f));
    assert_done(cn_body_set_no_sleep(world, body, true));
    assert_done(cn_body_set_user_data(world, body, UINT64_MAX - 1));
    motion m = motion_of(world, body);
    const double values[] = {m.x, m.y, m.angle, m.vx, m.vy, m.w};
    const double expected[] = {3, 4, 0.5, 5, 6, 7};
    for (int i = 0; i < 6; i++) assert_near(values[i], expected[i], 1e-6);
    assert_near((double)cn_body_linear_damping(world, body), 0.1, 1e-7);
    assert_near((double)cn_body_angular_damping(world, body), 0.2, 1e-7);
    assert_near((double)cn_body_gravity_scale(world, body), -2, 0);
    assert_near((double)cn_body_max_speed(world, body), 30, 0);
    assert_near((double)cn_body_sleep_speed(world, body), 0.4, 1e-7);
    assert_true(cn_body_no_sleep(world, body));
    assert_true(cn_body_user_data(world, body) == UINT64_MAX - 1);
    assert_vector(cn_body_velocity_at(world, body, point(3, 5)), 5 - 7, 6);
    cn_world_destroy(world);
}

static void a_shape_returns_the_values_that_were_set(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body body = add_ball(world, 2, 0);
    cn_shape shape = first_shape(world, body);
    assert_done(cn_shape_set_density(world, shape, 3));
    assert_done(cn_shape_set_material(world, shape, (cn_material){.restitution = 0.5f}));
    assert_done(cn_shape_set_filter(world, shape, (cn_filter){6, 5, -4}));
    assert_done(cn_shape_set_hit_events(world, shape, true));
    assert_done(cn_shape_set_no_touch_events(world, shape, true));
    assert_done(cn_shape_set_user_data(world, shape, 99));
    assert_near((double)cn_shape_density(world, shape), 3, 0);
    assert_near((double)cn_shape_material(world, shape).friction, 0.6, 1e-7); // the default
    assert_near((double)cn_shape_material(world, shape).restitution, 0.5, 0);
    cn_filter filter = cn_shape_filter(world, shape);
    assert_true(filter.category == 6 && filter.mask == 5 && filter.group == -4);
    assert_true(cn_shape_hit_events(world, shape) && cn_shape_no_touch_events(world, shape));
    assert_int_equal(cn_shape_user_data(world, shape), 99);
    assert_true(cn_shape_body(world, shape).id == body.id);
    cn_world_destroy(world);
}

static void check_hull_comes_back(cn_world *world, cn_shape shape, cn_hull hull) {
    assert_done(cn_shape_set_hull(world, shape, hull));
    cn_hull back = cn_shape_hull(world, shape);
    assert_int_equal(back.count, hull.count);
    assert_near((double)back.radius, (double)hull.radius, 0);
    for (int i = 0; i < hull.count; i++) { // the first vertex may be another one
        double nearest = 1e9;
        for (int k = 0; k < back.count; k++) {
            vec2s a = hull.vertices[i], b = back.vertices[k];
            nearest = fmin(nearest, hypot((double)(a.x - b.x), (double)(a.y - b.y)));
        }
        assert_near(nearest, 0, 1e-6);
    }
}

static void every_hull_reads_back(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_shape shape = first_shape(world, add_ball(world, 2, 3));
    const cn_hull hulls[] = {cn_circle(2),
                             cn_capsule(point(1, 2), point(-2, 1), 0.3f),
                             cn_box(1, 2),
                             cn_rounded_box(1, 2, 0.25f),
                             cn_regular_polygon(3, 1),
                             cn_regular_polygon(5, 1),
                             cn_regular_polygon(8, 2),
                             ball};
    for (int i = 0; i < 8; i++) {
        check_hull_comes_back(world, shape, hulls[i]);
        cn_pose pose = cn_pose_at(point(0.5, -1), 0.7f);
        check_hull_comes_back(world, shape, cn_hull_at(hulls[i], pose));
    }
    cn_world_destroy(world);
}

static void masses_follow_the_shapes_until_set_by_hand(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = cn_body_create(world, &(cn_body_def){.angular_velocity = 2});
    cn_hull box = cn_box(1, 1), right = cn_hull_at(box, cn_pose_at(point(3, 0), 0));
    assert_done(cn_shape_create(world, body, &(cn_shape_def){.hull = right}).id != 0);
    assert_near(mass_of(world, body), 4, 1e-5);
    assert_near(inertia_of(world, body), 4 * (4 + 4) / 12.0, 1e-5);
    assert_vector(cn_body_center(world, body), 3, 0);
    assert_vector(cn_body_position(world, body), 0, 0); // the origin does not move
    assert_vector(cn_body_velocity(world, body), 0, 6); // w x r of the new centre

    assert_done(cn_body_set_mass_data(world, body, (cn_mass_data){7, 8, point(0, 1)}));
    assert_done(cn_shape_set_density(world, first_shape(world, body), 2));
    assert_near(mass_of(world, body), 7, 0);
    assert_near(inertia_of(world, body), 8, 0);
    assert_vector(cn_body_center(world, body), 0, 1);
    assert_vector(cn_body_velocity(world, body), -2, 0);
    assert_done(cn_body_reset_mass(world, body));
    assert_near(mass_of(world, body), 8, 1e-5);
    assert_vector(cn_body_center(world, body), 3, 0);
    cn_world_destroy(world);
}

static void queries_of_a_shape_are_in_world_coordinates(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body =
        cn_body_create(world, &(cn_body_def){.position = point(10, 0), .angle = (float)(PI / 2)});
    cn_shape shape = cn_shape_create(world, body, &(cn_shape_def){.hull = cn_box(2, 1)});
    cn_bounds box = cn_shape_bounds(world, shape);
    assert_vector(box.lower, 9, -2);
    assert_vector(box.upper, 11, 2);
    assert_true(cn_shape_contains(world, shape, point(10, 1.9)));
    assert_false(cn_shape_contains(world, shape, point(11.9, 0)));
    cn_ray_hit hit = cn_shape_cast_ray(world, shape, point(10, 6), point(0, -8));
    assert_true(hit.hit);
    assert_near((double)hit.fraction, 0.5, 1e-6);
    assert_vector(hit.point, 10, 2);
    assert_vector(hit.normal, 0, 1);
    assert_false(cn_shape_cast_ray(world, shape, point(10, 6), point(0, -3)).hit);
    cn_world_destroy(world);
}

// ---- iteration and bulk reads

static void iteration_visits_everything_once_in_slot_order(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body bodies[5], body = {0};
    for (int i = 0; i < 5; i++) bodies[i] = add_ball(world, 2 * i, 0);
    cn_shape_create(world, bodies[1], &(cn_shape_def){.hull = ball, .user_data = 1});
    cn_shape_create(world, bodies[1], &(cn_shape_def){.hull = ball, .user_data = 2});
    cn_body_destroy(world, bodies[3]);
    const int expected[] = {0, 1, 2, 4};
    for (int i = 0; i < 4; i++) {
        body = cn_world_next_body(world, body);
        assert_true(body.id == bodies[expected[i]].id);
    }
    assert_true(cn_world_next_body(world, body).id == 0);

    int shapes = 0, of_body = 0;
    for (cn_shape s = {0}; (s = cn_world_next_shape(world, s)).id;) shapes++;
    for (cn_shape s = {0}; (s = cn_body_next_shape(world, bodies[1], s)).id;)
        assert_int_equal(cn_shape_user_data(world, s), of_body++); // in order of creation
    assert_int_equal(shapes, 6);
    assert_int_equal(of_body, 3);
    cn_world_destroy(world);
}

static void reading_all_bodies_at_once_equals_reading_each(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    for (int i = 0; i < 10; i++) add_ball(world, 2 * i, i);
    assert_done(cn_body_set_disabled(world, cn_world_next_body(world, (cn_body){0}), true));
    run(world, 5);
    cn_body_state states[10];
    assert_int_equal(cn_world_body_states(world, NULL, 0, false), 10);
    assert_int_equal(cn_world_body_states(world, states, 4, false), 10);
    assert_int_equal(cn_world_body_states(world, states, 10, false), 10);
    cn_body body = {0};
    for (int i = 0; i < 10; i++) {
        body = cn_world_next_body(world, body);
        assert_true(states[i].body.id == body.id);
        cn_pose pose = cn_body_pose(world, body);
        assert_memory_equal(&states[i].pose, &pose, sizeof pose);
        assert_int_equal(!states[i].asleep, !cn_body_asleep(world, body));
        assert_int_equal(!states[i].asleep, i > 0);
    }
    cn_world_destroy(world);
}

// ---- handles

static int slot_of(cn_body body) { return (int)(body.id & 0xFFFFFF); }

static void handles_carry_the_tag_of_their_world(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.tag = 200});
    cn_body body = add_ball(world, 0, 0);
    assert_int_equal(body.id >> 24 & 255, 200);
    assert_int_equal(first_shape(world, body).id >> 24 & 255, 200);
    assert_int_equal(body.id >> 32, 1);
    cn_world_destroy(world);
}

// A slot that is freed between steps n and n + 1 can be used again after step n + 2.
static void slots_are_used_again_after_the_next_step(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body old = add_ball(world, 0, 0);
    assert_done(cn_body_destroy(world, old));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(slot_of(cn_body_create(world, &(cn_body_def){0})), 1 + 2 * i);
        assert_done(cn_world_step(world, 0)); // a step of no time
        assert_int_equal(slot_of(cn_body_create(world, &(cn_body_def){0})), 2 + 2 * i);
        run(world, 1);
    }
    cn_body again = cn_body_create(world, &(cn_body_def){0});
    assert_int_equal(slot_of(again), 0);
    assert_int_equal(again.id >> 32, 2);
    assert_false(cn_body_valid(world, old));
    assert_true(cn_body_valid(world, again));
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zero_definition_is_a_sensible_world),
        cmocka_unit_test(the_length_unit_scales_only_lengths_and_speeds),
        cmocka_unit_test(the_push_speed_follows_gravity_until_it_is_tuned),
        cmocka_unit_test(a_zero_definition_is_a_sensible_body),
        cmocka_unit_test(a_zero_definition_is_a_sensible_shape),
        cmocka_unit_test(zeros_of_a_tuning_are_defaults),
        cmocka_unit_test(the_sleep_speed_of_a_body_is_that_of_the_tuning_until_it_is_set),
        cmocka_unit_test(structs_mean_the_same_in_definitions_and_setters),
        cmocka_unit_test(flags_stand_for_values_of_zero),
        cmocka_unit_test(a_world_returns_the_values_that_were_set),
        cmocka_unit_test(a_body_returns_the_values_that_were_set),
        cmocka_unit_test(a_shape_returns_the_values_that_were_set),
        cmocka_unit_test(every_hull_reads_back),
        cmocka_unit_test(masses_follow_the_shapes_until_set_by_hand),
        cmocka_unit_test(queries_of_a_shape_are_in_world_coordinates),
        cmocka_unit_test(iteration_visits_everything_once_in_slot_order),
        cmocka_unit_test(reading_all_bodies_at_once_equals_reading_each),
        cmocka_unit_test(handles_carry_the_tag_of_their_world),
        cmocka_unit_test(slots_are_used_again_after_the_next_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
