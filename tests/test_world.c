/* What the world's calls do, apart from physics: defaults, getters and setters, iteration, handles,
 * events, frames, hash, sleep. */
#include "physics.h"

static const cn_hull ball = {.vertices = {{{0, 0}}}, .radius = 0.5f, .count = 1};

static cn_shape first_shape(const cn_world *world, cn_body body) {
    return cn_body_next_shape(world, body, (cn_shape){0});
}

static cn_body add_ball(cn_world *world, double x, double y) {
    return add(world, (cn_body_def){.position = point(x, y)}, (cn_shape_def){.hull = ball});
}

static void assert_vector(vec2s v, double x, double y) {
    assert_near((double)v.x, x, 1e-6);
    assert_near((double)v.y, y, 1e-6);
}

// ---- zero means the default

static void a_zero_definition_is_a_sensible_world(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){0});
    assert_vector(cn_world_gravity(world), 0, 0);
    assert_int_equal(cn_world_substeps(world), 4);
    assert_true(cn_world_sleeping(world));
    cn_tuning t = cn_world_tuning(world);
    const float values[] = {
        t.slop,       t.speculative_margin,    t.box_margin,    t.anchor_distance, t.anchor_angle,
        t.push_speed, t.restitution_threshold, t.hit_threshold, t.sleep_speed,     t.sleep_time};
    const double expected[] = {0.005, 0.02, 0.015, 0.05, 0.05, 3, 1, 1, 0.05, 0.5};
    for (int i = 0; i < 10; i++) assert_near((double)values[i], expected[i], 1e-7);
    assert_int_equal(cn_world_advance(world, 1.0f / 60), 1);
    assert_int_equal(cn_world_advance(world, 1), 8);
    assert_int_equal(cn_world_profile(world).count, 0);
    cn_world_destroy(world);
}

static void the_length_unit_scales_what_is_a_length(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.length_unit = 100});
    cn_tuning t = cn_world_tuning(world);
    const float values[] = {t.slop, t.push_speed, t.sleep_speed, t.anchor_angle, t.sleep_time};
    const double expected[] = {0.5, 300, 5, 0.05, 0.5};
    for (int i = 0; i < 5; i++) assert_near((double)values[i], expected[i], 1e-5);
    cn_world_destroy(world);
}

static void a_zero_definition_is_a_sensible_body(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body body = cn_body_create(world, &(cn_body_def){0});
    assert_int_equal(cn_body_get_type(world, body), CN_DYNAMIC);
    assert_vector(cn_body_position(world, body), 0, 0);
    assert_near((double)cn_body_angle(world, body), 0, 0);
    assert_near((double)cn_body_gravity_scale(world, body), 1, 0);
    assert_near((double)cn_body_linear_damping(world, body), 0, 0);
    assert_near((double)cn_body_speed_limit(world, body), 0, 0);
    assert_near(mass_of(world, body), 1, 0); // a point of 1 kg
    assert_true(cn_body_awake(world, body) && cn_body_enabled(world, body));
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
    cn_world_destroy(world);
}

static void flags_stand_for_a_wish_of_zero(void **state) {
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
    assert_int_equal(cn_shape_filter(world, shape).mask, 0);
    cn_world_destroy(world);
}

// ---- what was set comes back

static void a_world_gives_back_what_was_set(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    assert_done(cn_world_set_gravity(world, point(1, -2)));
    assert_done(cn_world_set_substeps(world, 7));
    assert_done(cn_world_set_sleeping(world, true));
    cn_tuning tuning = cn_world_tuning(world);
    tuning.slop = 0.25f, tuning.sleep_time = 3;
    assert_done(cn_world_set_tuning(world, &tuning));
    assert_vector(cn_world_gravity(world), 1, -2);
    assert_int_equal(cn_world_substeps(world), 7);
    assert_true(cn_world_sleeping(world));
    cn_tuning back = cn_world_tuning(world);
    assert_memory_equal(&tuning, &back, sizeof tuning);
    cn_world_destroy(world);
}

static void a_body_gives_back_what_was_set(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body body = add_ball(world, 0, 0);
    assert_done(cn_body_set_pose(world, body, point(3, 4), 0.5f));
    assert_done(cn_body_set_velocity(world, body, point(5, 6)));
    assert_done(cn_body_set_angular_velocity(world, body, 7));
    assert_done(cn_body_set_damping(world, body, 0.1f, 0.2f));
    assert_done(cn_body_set_gravity_scale(world, body, -2));
    assert_done(cn_body_set_speed_limit(world, body, 30));
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
    assert_near((double)cn_body_speed_limit(world, body), 30, 0);
    assert_near((double)cn_body_sleep_speed(world, body), 0.4, 1e-7);
    assert_true(cn_body_no_sleep(world, body));
    assert_true(cn_body_user_data(world, body) == UINT64_MAX - 1);
    assert_vector(cn_body_velocity_at(world, body, point(3, 5)), 5 - 7, 6);
    cn_world_destroy(world);
}

static void a_shape_gives_back_what_was_set(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body body = add_ball(world, 2, 0);
    cn_shape shape = first_shape(world, body);
    assert_done(cn_shape_set_density(world, shape, 3));
    assert_done(cn_shape_set_material(world, shape, (cn_material){0, 0.5f, false}));
    assert_done(cn_shape_set_filter(world, shape, (cn_filter){6, 5, -4}));
    assert_done(cn_shape_set_hit_events(world, shape, true));
    assert_done(cn_shape_set_user_data(world, shape, 99));
    assert_near((double)cn_shape_density(world, shape), 3, 0);
    assert_near((double)cn_shape_material(world, shape).friction, 0, 0); // literal
    assert_near((double)cn_shape_material(world, shape).restitution, 0.5, 0);
    cn_filter filter = cn_shape_filter(world, shape);
    assert_true(filter.category == 6 && filter.mask == 5 && filter.group == -4);
    assert_true(cn_shape_hit_events(world, shape));
    assert_int_equal(cn_shape_user_data(world, shape), 99);
    assert_true(cn_shape_body(world, shape).id == body.id);
    cn_world_destroy(world);
}

static void check_hull_comes_back(cn_world *world, cn_shape shape, cn_hull hull) {
    assert_done(cn_shape_set_hull(world, shape, &hull));
    cn_hull back = cn_shape_hull(world, shape);
    assert_int_equal(back.count, hull.count);
    assert_near((double)back.radius, (double)hull.radius, 0);
    for (int i = 0; i < hull.count; i++) { // from the same or another first vertex
        double nearest = 1e9;
        for (int k = 0; k < back.count; k++) {
            vec2s a = hull.vertices[i], b = back.vertices[k];
            nearest = fmin(nearest, hypot((double)(a.x - b.x), (double)(a.y - b.y)));
        }
        assert_near(nearest, 0, 1e-6);
    }
}

static void every_hull_comes_back(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_shape shape = first_shape(world, add_ball(world, 2, 3));
    const cn_hull hulls[] = {cn_circle(2),     cn_capsule(point(1, 2), point(-2, 1), 0.3f),
                             cn_box(1, 2),     cn_rounded_box(1, 2, 0.25f),
                             cn_regular(3, 1), cn_regular(5, 1),
                             cn_regular(8, 2), ball};
    for (int i = 0; i < 8; i++) {
        check_hull_comes_back(world, shape, hulls[i]);
        cn_pose pose = cn_pose_at(point(0.5, -1), 0.7f);
        check_hull_comes_back(world, shape, cn_hull_at(&hulls[i], pose));
    }
    cn_world_destroy(world);
}

static void masses_follow_the_shapes_until_set_by_hand(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = cn_body_create(world, &(cn_body_def){.angular_velocity = 2});
    cn_hull box = cn_box(1, 1), right = cn_hull_at(&box, cn_pose_at(point(3, 0), 0));
    assert_done(cn_shape_create(world, body, &(cn_shape_def){.hull = right}).id != 0);
    assert_near(mass_of(world, body), 4, 1e-5);
    assert_near(inertia_of(world, body), 4 * (4 + 4) / 12.0, 1e-5);
    assert_vector(cn_body_center(world, body), 3, 0);
    assert_vector(cn_body_position(world, body), 0, 0); // the origin stays
    assert_vector(cn_body_velocity(world, body), 0, 6); // that of the material there: w x r

    assert_done(cn_body_set_mass(world, body, (cn_mass){7, 8, point(0, 1)}));
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

static void questions_to_a_shape_are_asked_in_the_world(void **state) {
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

static void all_bodies_at_once_are_as_one_by_one(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    for (int i = 0; i < 10; i++) add_ball(world, 2 * i, i);
    assert_done(cn_body_set_enabled(world, cn_world_next_body(world, (cn_body){0}), false));
    run(world, 5);
    cn_body_state states[10];
    assert_int_equal(cn_world_bodies(world, NULL, 0, false), 10);
    assert_int_equal(cn_world_bodies(world, states, 4, false), 10);
    assert_int_equal(cn_world_bodies(world, states, 10, false), 10);
    cn_body body = {0};
    for (int i = 0; i < 10; i++) {
        body = cn_world_next_body(world, body);
        assert_true(states[i].body.id == body.id);
        cn_pose pose = cn_body_pose(world, body);
        assert_memory_equal(&states[i].pose, &pose, sizeof pose);
        assert_int_equal(states[i].awake, cn_body_awake(world, body));
        assert_int_equal(states[i].awake, i > 0);
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

// Freed between steps n and n + 1, a slot can be used again after step n + 2.
static void slots_are_used_again_after_the_next_step(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body old = add_ball(world, 0, 0);
    assert_done(cn_body_destroy(world, old));
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(slot_of(cn_body_create(world, &(cn_body_def){0})), i);
        assert_done(cn_world_step(world, 0)); // moves no time
        assert_int_not_equal(slot_of(cn_body_create(world, &(cn_body_def){0})), 0);
        run(world, 1);
        if (i == 1) assert_done(cn_body_destroy(world, cn_world_next_body(world, (cn_body){0})));
    }
    cn_body again = cn_body_create(world, &(cn_body_def){0});
    assert_int_equal(slot_of(again), 0);
    assert_int_equal(again.id >> 32, 2);
    assert_false(cn_body_valid(world, old));
    assert_true(cn_body_valid(world, again));
    cn_world_destroy(world);
}

// ---- events

typedef struct {
    int begins, ends;
} tally;

static tally count_events(cn_world *world, int steps) {
    tally sum = {0};
    for (int i = 0; i < steps; i++) {
        run(world, 1);
        cn_events events = cn_world_events(world);
        sum.begins += events.begin_count, sum.ends += events.end_count;
    }
    return sum;
}

static void every_begin_has_its_end(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_material bouncy = {.restitution = 0.8f};
    add_floor(world, bouncy);
    cn_body body = add(world, (cn_body_def){.position = point(0, 3)},
                       (cn_shape_def){.hull = ball, .material = bouncy});
    tally sum = count_events(world, 300);
    assert_true(sum.begins >= 3 && sum.ends >= sum.begins - 1);
    assert_done(cn_body_destroy(world, body));
    sum.ends += count_events(world, 1).ends;
    assert_int_equal(sum.begins, sum.ends);
    cn_world_destroy(world);
}

static void check_side(cn_side side, cn_body body, cn_shape shape, uint64_t user_data) {
    assert_true(side.body.id == body.id);
    assert_true(side.shape.id == shape.id);
    assert_int_equal(side.body_user_data, user_data);
    assert_int_equal(side.shape_user_data, user_data + 1);
}

static void events_name_what_is_gone_as_it_was(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body floor = add_floor(world, (cn_material){0});
    cn_body body = add(world, (cn_body_def){.position = point(0, 0.5), .user_data = 7},
                       (cn_shape_def){.hull = ball, .user_data = 8});
    cn_shape shape = first_shape(world, body), ground = first_shape(world, floor);
    run(world, 1);
    cn_events events = cn_world_events(world);
    assert_int_equal(events.begin_count, 1);
    check_side(events.begins[0].a, floor, ground, 0 - (uint64_t)0);
    assert_vector(events.begins[0].normal, 0, 1);
    check_side(events.begins[0].b, body, shape, 7);

    assert_done(cn_body_destroy(world, body));
    check_side(cn_world_events(world).begins[0].b, body, shape, 7);
    run(world, 1);
    add_ball(world, 5, 5); // takes no slot that the event still names
    events = cn_world_events(world);
    assert_int_equal(events.end_count, 1);
    check_side(events.ends[0].b, body, shape, 7);
    cn_world_destroy(world);
}

static void removing_a_contact_in_any_way_ends_it(void **state) {
    (void)state;
    for (int way = 0; way < 6; way++) {
        cn_world *world = make_world(10);
        cn_body floor = add_floor(world, (cn_material){0}), body = add_ball(world, 0, 0.5);
        cn_shape shape = first_shape(world, body);
        assert_int_equal(count_events(world, 3).begins, 1);
        cn_hull small = cn_circle(0.1f);
        if (way == 0) assert_done(cn_shape_destroy(world, shape));
        if (way == 1) assert_done(cn_body_set_enabled(world, body, false));
        if (way == 2) assert_done(cn_body_set_pose(world, body, point(0, 9), 0));
        if (way == 3) assert_done(cn_shape_set_filter(world, shape, (cn_filter){0}));
        if (way == 4) assert_done(cn_body_set_type(world, body, CN_STATIC));
        if (way == 5) assert_done(cn_shape_set_hull(world, shape, &small));
        tally sum = count_events(world, 1);
        assert_int_equal(sum.ends, 1);
        assert_int_equal(sum.begins, 0);
        cn_contact contact;
        assert_int_equal(cn_world_contacts(world, &contact, 1), 0);
        assert_true(cn_body_valid(world, floor));
        cn_world_destroy(world);
    }
}

static void contacts_are_listed_awake_and_asleep(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body floor = add_floor(world, (cn_material){0});
    cn_body body = add(world, (cn_body_def){.position = point(3, 0.5)},
                       (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    assert_done(cn_world_set_sleeping(world, true));
    for (int asleep = 0; asleep < 2; asleep++) {
        run(world, asleep ? 120 : 10);
        assert_int_equal(cn_body_awake(world, body), !asleep);
        cn_contact contact;
        assert_int_equal(cn_world_contacts(world, NULL, 0), 1);
        assert_int_equal(cn_world_contacts(world, &contact, 1), 1);
        assert_true(contact.a.body.id == floor.id && contact.b.body.id == body.id);
        assert_int_equal(contact.manifold.count, 2);
        assert_vector(contact.manifold.normal, 0, 1);
        assert_near((double)contact.friction, 0.6, 1e-6);
        for (int i = 0; i < 2; i++) {
            const cn_manifold_point *p = &contact.manifold.points[i];
            assert_near(fabs((double)p->point.x - 3), 0.5, 0.02);
            assert_near((double)p->point.y, 0, 0.02);
            assert_near((double)p->separation, 0, 0.01);
            assert_near((double)p->normal_impulse, 10.0 * (double)STEP / 4 / 2, 0.01);
        }
        cn_counters counters = cn_world_counters(world);
        assert_int_equal(counters.touching, !asleep);
        assert_int_equal(counters.sleeping_touching, asleep);
    }
    cn_world_destroy(world);
}

// ---- frames

static cn_world *make_falling(cn_body *body) {
    cn_world *world = cn_world_create(&(cn_world_def){.time_step = 0.125f, .max_steps = 3});
    *body = cn_body_create(world, &(cn_body_def){.velocity = {{8, 0}}});
    return world;
}

static void frames_are_cut_into_steps(void **state) {
    (void)state;
    cn_body body;
    cn_world *world = make_falling(&body);
    const double frames[] = {0.0625, 0.0625, 0.1875, 0.1875, 0, 0.125, 100, 0.0625};
    const int steps[] = {0, 1, 1, 2, 0, 1, 3, 0};
    const double rest[] = {0.5, 0, 0.5, 0, 0, 0, 0, 0.5};
    for (int i = 0, sum = 0; i < 8; i++) {
        assert_int_equal(cn_world_advance(world, (float)frames[i]), steps[i]);
        assert_near((double)cn_world_interpolation(world), rest[i], 1e-6);
        sum += steps[i];
        assert_int_equal(cn_world_counters(world).steps, sum);
        assert_vector(cn_body_position(world, body), sum, 0);
    }
    cn_world_destroy(world);
}

static void drawn_poses_lie_between_the_last_two_steps(void **state) {
    (void)state;
    cn_body body;
    cn_world *world = make_falling(&body);
    assert_done(cn_body_set_angular_velocity(world, body, 0.8f));
    cn_world_advance(world, 0.125f);
    for (int i = 0; i < 4; i++) {
        double t = i * 0.25;
        cn_pose drawn = cn_body_drawn_pose(world, body);
        assert_vector(drawn.position, t, 0);
        assert_near((double)cn_rotation_angle(drawn.rotation), 0.1 * t, 1e-4);
        cn_body_state bulk;
        cn_world_bodies(world, &bulk, 1, true);
        assert_memory_equal(&bulk.pose, &drawn, sizeof drawn);
        cn_world_advance(world, 0.03125f);
    }
    // A teleport is not drawn as a way, and steps by hand have nothing in between.
    assert_done(cn_body_set_pose(world, body, point(50, 0), 0));
    assert_vector(cn_body_drawn_pose(world, body).position, 50, 0);
    run(world, 3);
    vec2s now = cn_body_position(world, body);
    assert_vector(cn_body_drawn_pose(world, body).position, (double)now.x, 0);
    assert_near((double)cn_world_interpolation(world), 1, 0);
    cn_world_destroy(world);
}

static void a_profile_names_the_stages_of_the_last_step(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.profile = true});
    add_ball(world, 0, 0);
    run(world, 1);
    cn_profile profile = cn_world_profile(world);
    double sum = 0;
    assert_in_range(profile.count, 3, CN_MAX_STAGES);
    for (int i = 0; i < profile.count; i++) {
        assert_true(strlen(profile.names[i]) > 0);
        sum += profile.seconds[i];
    }
    assert_near(profile.total, sum, 1e-9);
    assert_true(profile.total > 0 && profile.total < 1);
    assert_done(cn_world_set_profiling(world, false));
    run(world, 1);
    assert_int_equal(cn_world_profile(world).count, 0);
    cn_world_destroy(world);
}

// ---- hash

static cn_world *make_pile(cn_world_def def) {
    def.gravity = point(0, -10);
    cn_world *world = cn_world_create(&def);
    add_floor(world, (cn_material){0});
    for (int i = 0; i < 6; i++) {
        cn_hull hull = i % 2 ? cn_regular(5, 0.5f) : cn_box(0.5f, 0.4f);
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
    return cn_body_set_pose(w, b, point(0, 0.7), 0);
}
static bool change_velocity(cn_world *w, cn_body b, cn_shape s) {
    (void)s;
    return cn_body_set_velocity(w, b, point(0, 1e-3));
}
static bool change_force(cn_world *w, cn_body b, cn_shape s) {
    (void)s;
    return cn_body_apply_center_force(w, b, point(0, 1e-3));
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
static bool change_hull(cn_world *w, cn_body b, cn_shape s) {
    (void)b;
    cn_hull hull = cn_regular(6, 0.5f);
    return cn_shape_set_hull(w, s, &hull);
}
static bool change_slots(cn_world *w, cn_body b, cn_shape s) {
    (void)b, (void)s;
    return cn_body_destroy(w, cn_body_create(w, &(cn_body_def){0}));
}

static void the_hash_sees_every_change(void **state) {
    (void)state;
    change *const changes[] = {change_gravity, change_substeps, change_pose,    change_velocity,
                               change_force,   change_flag,     change_density, change_friction,
                               change_filter,  change_hull,     change_slots};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        cn_world *world = make_pile((cn_world_def){0});
        cn_body body = cn_world_next_body(world, cn_world_next_body(world, (cn_body){0}));
        uint64_t before = cn_world_hash(world);
        assert_done(changes[i](world, body, first_shape(world, body)));
        assert_true(cn_world_hash(world) != before);
        cn_world_destroy(world);
    }
}

static void polygons_count_with_their_vertices_not_their_place(void **state) {
    (void)state;
    cn_world *a = make_world(0), *b = make_world(0);
    cn_shape_def pentagon = {.hull = cn_regular(5, 1)}, heptagon = {.hull = cn_regular(7, 1)};
    cn_shape_create(b, cn_body_create(b, &(cn_body_def){0}), &pentagon);
    cn_shape_create(a, cn_body_create(a, &(cn_body_def){0}), &heptagon);
    assert_true(cn_world_hash(a) != cn_world_hash(b));
    assert_done(cn_shape_set_hull(b, cn_world_next_shape(b, (cn_shape){0}), &heptagon.hull));
    run(a, 1), run(b, 1);
    assert_true(cn_world_hash(a) == cn_world_hash(b));
    cn_world_destroy(a);
    cn_world_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zero_definition_is_a_sensible_world),
        cmocka_unit_test(the_length_unit_scales_what_is_a_length),
        cmocka_unit_test(a_zero_definition_is_a_sensible_body),
        cmocka_unit_test(a_zero_definition_is_a_sensible_shape),
        cmocka_unit_test(flags_stand_for_a_wish_of_zero),
        cmocka_unit_test(a_world_gives_back_what_was_set),
        cmocka_unit_test(a_body_gives_back_what_was_set),
        cmocka_unit_test(a_shape_gives_back_what_was_set),
        cmocka_unit_test(every_hull_comes_back),
        cmocka_unit_test(masses_follow_the_shapes_until_set_by_hand),
        cmocka_unit_test(questions_to_a_shape_are_asked_in_the_world),
        cmocka_unit_test(iteration_visits_everything_once_in_slot_order),
        cmocka_unit_test(all_bodies_at_once_are_as_one_by_one),
        cmocka_unit_test(handles_carry_the_tag_of_their_world),
        cmocka_unit_test(slots_are_used_again_after_the_next_step),
        cmocka_unit_test(every_begin_has_its_end),
        cmocka_unit_test(events_name_what_is_gone_as_it_was),
        cmocka_unit_test(removing_a_contact_in_any_way_ends_it),
        cmocka_unit_test(contacts_are_listed_awake_and_asleep),
        cmocka_unit_test(frames_are_cut_into_steps),
        cmocka_unit_test(drawn_poses_lie_between_the_last_two_steps),
        cmocka_unit_test(a_profile_names_the_stages_of_the_last_step),
        cmocka_unit_test(equal_worlds_have_equal_hashes),
        cmocka_unit_test(the_hash_sees_every_change),
        cmocka_unit_test(polygons_count_with_their_vertices_not_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
