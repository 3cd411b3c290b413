/* Events and lists of contacts: every begin has its end, and events name destroyed objects as they
 * were. */
#include "../../support/small_world.h"

// ---- events

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

// Some games set values in every frame even if these hardly ever change.
static void setting_the_same_values_again_does_not_disturb_a_stack(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    cn_body boxes[8];
    for (int i = 0; i < 8; i++)
        boxes[i] = add(world, (cn_body_def){.position = point(0, 0.5 + i)}, box_of(0.5f));
    run(world, 120);
    double height = motion_of(world, boxes[7]).y;
    for (int frame = 0; frame < 60; frame++) {
        for (int i = 0; i < 8; i++) {
            cn_shape shape = first_shape(world, boxes[i]);
            assert_done(cn_shape_set_filter(world, shape, cn_shape_filter(world, shape)));
            assert_done(cn_shape_set_no_collision(world, shape, false));
            assert_done(cn_shape_set_one_way(world, shape, point(0, 0)));
            assert_done(cn_shape_set_sensor(world, shape, false));
        }
        run(world, 1);
        double change = motion_of(world, boxes[7]).y - height;
        if (frame == 59) print_message("the top moved by %.5f m\n", change);
        assert_near(change, 0, 0.002);
    }
    cn_world_destroy(world);
}

// The body is moved away, put to sleep there and moved back before a step. Its contact has ended,
// and another one begins.
static void a_sleeping_body_moved_away_and_back_ends_and_begins_its_contact_once(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    assert_done(cn_world_set_no_sleep(world, false));
    cn_body box = add(world, (cn_body_def){.position = point(0, 0.5)}, box_of(0.5f));
    run(world, 10);
    assert_done(cn_body_set_pose(world, box, cn_pose_at(point(0, 20), 0)));
    assert_done(cn_body_set_asleep(world, box, true));
    assert_done(cn_body_set_pose(world, box, cn_pose_at(point(0, 0.5), 0)));
    tally sum = count_events(world, 1);
    assert_int_equal(sum.ends, 1);
    assert_int_equal(sum.begins, 1);
    assert_int_equal(cn_world_counters(world).touching, 1);
    cn_world_destroy(world);
}

// A ball falls 5 m. It hits the floor at 10 m/s and gets the impulse m v (1 + e).
static void check_hit(double restitution) {
    cn_world *world = make_world(10);
    cn_material material = {.restitution = (float)restitution};
    add_floor(world, material);
    cn_body body = add(world, (cn_body_def){.position = point(0, 5.5)},
                       (cn_shape_def){.hull = ball, .material = material, .hit_events = true});
    cn_events events = {0};
    for (int i = 0; i < 90 && events.hit_count == 0; i++) {
        run(world, 1);
        events = cn_world_events(world);
    }
    assert_int_equal(events.hit_count, 1);
    double expected = (double)cn_body_mass(world, body) * 10 * (1 + restitution);
    assert_near((double)events.hits[0].approach_speed, 10, 0.3);
    assert_near((double)events.hits[0].impulse, expected, 0.03 * expected);
    assert_vector(events.hits[0].normal, 0, 1);
    cn_world_destroy(world);
}

static void a_hit_event_has_the_speed_and_the_impulse(void **state) {
    (void)state;
    check_hit(0);
    check_hit(0.5);
    check_hit(1);
}

// The speed is right wherever in a step the ball touches. (It once lacked gravity's part of that
// step.)
static void a_hit_event_has_the_speed_at_the_moment_of_touch(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        double height = 2 + 0.013 * i;
        cn_world *world = make_world(GRAVITY);
        add_floor(world, (cn_material){0});
        add(world, (cn_body_def){.position = point(0, height + 0.5)},
            (cn_shape_def){.hull = ball, .hit_events = true});
        cn_events events = {0};
        for (int k = 0; k < 90 && events.hit_count == 0; k++) {
            run(world, 1);
            events = cn_world_events(world);
        }
        assert_int_equal(events.hit_count, 1);
        double expected = sqrt(2 * GRAVITY * height);
        assert_near((double)events.hits[0].approach_speed, expected, 0.005);
        cn_world_destroy(world);
    }
}

// Each event is seen once, whatever the ratio of frames to steps.
static void frames_see_every_event_once(void **state) {
    (void)state;
    const float frame_rates[] = {240, 60, 30, 15};
    for (int i = 0; i < 4; i++) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){0});
        for (int k = 0; k < 20; k++)
            add(world, (cn_body_def){.position = point(2 * k - 20, 1 + 0.3 * k)},
                (cn_shape_def){.hull = ball, .hit_events = true});
        int begins = 0, hits = 0;
        for (int k = 0; k < 5 * (int)frame_rates[i]; k++) {
            assert_true(cn_world_advance(world, 1 / frame_rates[i]) >= 0);
            cn_events events = cn_world_events(world);
            begins += events.begin_count;
            hits += events.hit_count;
        }
        assert_int_equal(begins, 20);
        assert_int_equal(hits, 20);
        cn_world_destroy(world);
    }
}

static void check_side(cn_side side, cn_body body, cn_shape shape, uint64_t user_data) {
    assert_true(side.body.id == body.id && side.shape.id == shape.id);
    assert_int_equal(side.body_user_data, user_data);
    assert_int_equal(side.shape_user_data, user_data + 1);
}

static void events_name_destroyed_objects_as_they_were(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body floor = add_floor(world, (cn_material){0});
    cn_body body = add(world, (cn_body_def){.position = point(0, 0.5), .user_data = 7},
                       (cn_shape_def){.hull = ball, .user_data = 8});
    cn_shape shape = first_shape(world, body), ground = first_shape(world, floor);
    run(world, 1);
    cn_events events = cn_world_events(world);
    assert_int_equal(events.begin_count, 1);
    assert_true(events.begins[0].a.body.id == floor.id);
    assert_true(events.begins[0].a.shape.id == ground.id);
    assert_vector(events.begins[0].normal, 0, 1);
    check_side(events.begins[0].b, body, shape, 7);

    assert_done(cn_body_destroy(world, body));
    check_side(cn_world_events(world).begins[0].b, body, shape, 7);
    run(world, 1);
    add_ball(world, 5, 5); // must not take the slot that the event still names
    events = cn_world_events(world);
    assert_int_equal(events.end_count, 1);
    check_side(events.ends[0].b, body, shape, 7);
    cn_world_destroy(world);
}

// The same holds if several steps were taken and bodies were created before the events are read.
static void events_of_a_frame_name_destroyed_objects_as_they_were(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    cn_body body = add(world, (cn_body_def){.position = point(0, 0.5), .user_data = 7},
                       (cn_shape_def){.hull = ball, .user_data = 8});
    cn_shape shape = first_shape(world, body);
    run(world, 1);
    assert_done(cn_body_destroy(world, body));
    assert_int_equal(cn_world_advance(world, 4.5f * STEP), 4);
    for (int i = 0; i < 4; i++) add_ball(world, 5 * i, 5);
    cn_events events = cn_world_events(world);
    assert_int_equal(events.end_count, 1);
    check_side(events.ends[0].b, body, shape, 7);
    cn_world_destroy(world);
}

static void removing_a_contact_in_any_way_ends_it(void **state) {
    (void)state;
    for (int change = 0; change < 7; change++) {
        cn_world *world = make_world(10);
        cn_body floor = add_floor(world, (cn_material){0}), body = add_ball(world, 0, 0.5);
        cn_shape shape = first_shape(world, body);
        assert_int_equal(count_events(world, 3).begins, 1);
        cn_hull small = cn_circle(0.1f);
        if (change == 0) assert_done(cn_shape_destroy(world, shape));
        if (change == 1) assert_done(cn_body_set_disabled(world, body, true));
        if (change == 2) assert_done(cn_body_set_pose(world, body, cn_pose_at(point(0, 9), 0)));
        if (change == 3) assert_done(cn_shape_set_filter(world, shape, (cn_filter){.mask = 2}));
        if (change == 4) assert_done(cn_body_set_type(world, body, CN_STATIC));
        if (change == 5) assert_done(cn_shape_set_hull(world, shape, small));
        if (change == 6) assert_done(cn_shape_set_no_collision(world, shape, true));
        tally sum = count_events(world, 1);
        assert_int_equal(sum.ends, 1);
        assert_int_equal(sum.begins, 0);
        cn_contact contact;
        assert_int_equal(cn_world_contacts(world, &contact, 1), 0);
        assert_true(cn_body_valid(world, floor));
        cn_world_destroy(world);
    }
}

// The filter stays when the flag is set and cleared, and the flag stays when the filter changes.
static void collision_can_be_switched_off_and_on_beside_the_filter(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    const cn_filter filter = {4, UINT64_MAX, 0}, other = {8, 1, 3};
    cn_shape_def def = {.hull = ball, .filter = filter, .no_collision = true};
    cn_body body = add(world, (cn_body_def){0}, def);
    add_ball(world, 0.9, 0);
    cn_shape shape = first_shape(world, body);
    for (int i = 0; i < 4; i++) {
        bool off = i % 2 == 0;
        cn_filter now = i < 2 ? filter : other, back = cn_shape_filter(world, shape);
        assert_int_equal(cn_shape_no_collision(world, shape), off);
        assert_true(back.category == now.category && back.mask == now.mask);
        tally sum = count_events(world, 2);
        assert_int_equal(sum.begins, !off);
        assert_int_equal(sum.ends, off && i > 0);
        if (i == 1) assert_done(cn_shape_set_filter(world, shape, other));
        assert_done(cn_shape_set_no_collision(world, shape, !off));
    }
    cn_world_destroy(world);
}

static void sensors_do_not_see_shapes_without_collision(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add(world, (cn_body_def){0}, (cn_shape_def){.hull = ball, .sensor = true});
    cn_shape sensor = first_shape(world, body), shape = first_shape(world, add_ball(world, 0.5, 0));
    for (int i = 0; i < 4; i++) {
        assert_done(cn_shape_set_no_collision(world, i < 2 ? shape : sensor, i % 2));
        run(world, 2);
        assert_int_equal(cn_sensor_shapes(world, sensor, NULL, 0), i % 2 == 0);
        if (i == 1) assert_done(cn_shape_set_no_collision(world, shape, false));
    }
    cn_world_destroy(world);
}

static void contacts_are_listed_awake_and_asleep(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body floor = add_floor(world, (cn_material){0});
    cn_body body = add(world, (cn_body_def){.position = point(3, 0.5)},
                       (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    assert_done(cn_world_set_no_sleep(world, false));
    for (int asleep = 0; asleep < 2; asleep++) {
        run(world, asleep ? 120 : 10);
        assert_int_equal(!cn_body_asleep(world, body), !asleep);
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
            assert_near((double)p->normal_impulse, 10.0 * (double)STEP / 2, 1e-3);
        }
        cn_counters counters = cn_world_counters(world);
        assert_int_equal(counters.touching, !asleep);
        assert_int_equal(counters.sleeping_touching, asleep);
    }
    cn_world_destroy(world);
}

// A crate that lands on one corner touches only there. Its other corner is still in the air.
static void contacts_show_no_point_in_empty_space(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_box(50, 1)});
    add(world, (cn_body_def){.position = {{0, 1.9f}}, .angle = 0.4f},
        (cn_shape_def){.hull = cn_box(1, 0.5f)});
    float margin = cn_world_tuning(world).speculative_margin;
    int seen[3] = {0};
    for (int i = 0; i < 200; i++) {
        run(world, 1);
        cn_contact contact;
        if (cn_world_contacts(world, &contact, 1) != 1) continue;
        const cn_manifold *m = &contact.manifold;
        seen[m->count]++;
        for (int k = 1; k < m->count; k++)
            assert_true(m->points[0].separation <= margin && m->points[k].separation <= margin);
    }
    assert_true(seen[0] == 0 && seen[1] > 0 && seen[2] > 0); // first on a corner, then on a side
    cn_world_destroy(world);
}

// (The free end, still in the air, once raised a hit event in every step.)
static void a_plank_that_topples_hits_when_it_lands(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    add(world, (cn_body_def){.position = point(0, 1.5), .angular_velocity = -1.3f},
        (cn_shape_def){.hull = cn_box(0.1f, 1.5f), .hit_events = true});
    int hits = 0;
    for (int i = 0; i < 240; i++) {
        run(world, 1);
        cn_events events = cn_world_events(world);
        for (int k = 0; k < events.hit_count; k++)
            assert_near((double)events.hits[k].point.y, 0, 0.1);
        hits += events.hit_count;
    }
    assert_in_range(hits, 1, 3);
    cn_world_destroy(world);
}

// A plank that falls at an angle touches with its lower end.
static void events_have_the_point_of_touch(void **state) {
    (void)state;
    for (double angle = -0.7; angle < 0.8; angle += 0.2) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){0});
        add(world, (cn_body_def){.position = point(0, 3), .angle = (float)angle},
            (cn_shape_def){.hull = cn_box(1, 0.1f), .hit_events = true});
        cn_events events = cn_world_events(world);
        for (int i = 0; i < 60 && events.begin_count == 0; i++) {
            run(world, 1);
            events = cn_world_events(world);
        }
        assert_int_equal(events.begin_count, 1);
        assert_int_equal(events.hit_count, 1);
        const vec2s points[] = {events.begins[0].point, events.hits[0].point};
        double x = -copysign(cos(angle) - 0.1 * sin(fabs(angle)), angle);
        for (int k = 0; k < 2; k++) {
            assert_near((double)points[k].x, x, 0.02);
            assert_near((double)points[k].y, 0, 0.06);
        }
        cn_world_destroy(world);
    }
}

// Otherwise a paused game would get the same hit in every frame.
static void a_step_of_zero_length_has_no_events(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    add(world, (cn_body_def){.position = point(0, 0.5)}, box_of(0.5f));
    run(world, 1);
    assert_int_equal(cn_world_events(world).begin_count, 1);
    assert_done(cn_world_step(world, 0));
    assert_int_equal(cn_world_events(world).begin_count, 0);
    cn_world_destroy(world);
}

// ---- shapes that raise no touch events

// Counts the events of a crate on a floor. Each of the two may be silent, both may be switched, and
// the crate is destroyed at the end.
static tally events_of_switched(bool silent_crate, bool silent_floor, int switched_to) {
    cn_world *world = make_world(10);
    cn_body floor = add(world, (cn_body_def){.type = CN_STATIC, .position = {{0, -1}}},
                        (cn_shape_def){.hull = cn_box(9, 1), .no_touch_events = silent_floor});
    cn_shape_def crate = box_of(0.5f);
    crate.no_touch_events = silent_crate;
    cn_body body = add(world, (cn_body_def){.position = point(0, 0.5)}, crate);
    tally sum = count_events(world, 10);
    if (switched_to >= 0) {
        cn_shape shapes[] = {first_shape(world, body), first_shape(world, floor)};
        for (int i = 0; i < 2; i++)
            assert_done(cn_shape_set_no_touch_events(world, shapes[i], !switched_to));
    }
    tally more = count_events(world, 10);
    assert_int_equal(more.begins + more.ends, 0); // switching raises no events
    assert_done(cn_body_destroy(world, body));
    sum.ends += count_events(world, 1).ends;
    cn_world_destroy(world);
    return sum;
}

// The state of the shapes when the contact begins decides, even if they are switched later.
static void silent_shapes_raise_no_touch_events(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int switched_to = -1; switched_to < 2; switched_to++) {
            tally sum = events_of_switched(i & 1, i & 2, switched_to);
            assert_int_equal(sum.begins, i == 0);
            assert_int_equal(sum.ends, i == 0);
        }
}

// The contact sleeps, wakes and ends.
static void a_contact_stays_silent_while_it_sleeps(void **state) {
    (void)state;
    for (int silent = 0; silent < 2; silent++) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){0});
        assert_done(cn_world_set_no_sleep(world, false));
        cn_shape_def shape = box_of(0.5f);
        shape.no_touch_events = silent;
        cn_body body = add(world, (cn_body_def){.position = point(0, 0.5)}, shape);
        tally sum = count_events(world, 120);
        assert_false(!cn_body_asleep(world, body));
        assert_done(cn_shape_set_no_touch_events(world, first_shape(world, body), !silent));
        assert_done(cn_body_set_asleep(world, body, false));
        sum.ends += count_events(world, 2).ends;
        assert_true(!cn_body_asleep(world, body));
        run(world, 120);
        assert_false(!cn_body_asleep(world, body));
        // The contact ends while it sleeps.
        assert_done(cn_body_set_pose(world, body, cn_pose_at(point(0, 50), 0)));
        sum.ends += count_events(world, 2).ends;
        assert_int_equal(sum.begins, !silent);
        assert_int_equal(sum.ends, !silent);
        cn_world_destroy(world);
    }
}

// Motion, contacts, hit events and sensor events stay the same.
static void silent_shapes_behave_like_others_in_everything_else(void **state) {
    (void)state;
    cn_world *worlds[2];
    for (int i = 0; i < 2; i++) {
        cn_world *world = worlds[i] = make_world(10);
        add_floor(world, (cn_material){.restitution = 0.5f});
        add(world, (cn_body_def){.position = point(0, 3)},
            (cn_shape_def){.hull = ball, .hit_events = true, .no_touch_events = i});
        add(world, (cn_body_def){.type = CN_STATIC},
            (cn_shape_def){.hull = cn_box(2, 2), .sensor = true, .no_touch_events = i});
    }
    int hits = 0, seen = 0;
    for (int k = 0; k < 200; k++) {
        cn_events events[2];
        for (int i = 0; i < 2; i++) run(worlds[i], 1), events[i] = cn_world_events(worlds[i]);
        assert_int_equal(events[0].hit_count, events[1].hit_count);
        assert_int_equal(events[0].sensor_begin_count, events[1].sensor_begin_count);
        assert_int_equal(events[1].begin_count + events[1].end_count, 0);
        assert_true(cn_world_energy(worlds[0]).kinetic == cn_world_energy(worlds[1]).kinetic);
        hits += events[1].hit_count, seen += events[1].sensor_begin_count;
    }
    assert_true(hits > 2 && seen >= 1);
    for (int i = 0; i < 2; i++) cn_world_destroy(worlds[i]);
}

static void chains_and_tiles_may_be_silent(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        cn_world *world = make_world(10);
        cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        const vec2s points[] = {point(5, 0), point(-5, 0)};
        const uint8_t solid[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        cn_chain_def chain = {.points = points, .count = 2, .no_touch_events = i & 1};
        cn_grid_def tiles = {.solid = solid, .width = 10, .height = 1, .tile_size = 1};
        tiles.origin = point(-5, -1), tiles.no_touch_events = i & 1;
        if (i & 2)
            assert_done(cn_chain_create(world, ground, &chain).id != 0);
        else
            assert_done(cn_grid_create(world, ground, &tiles).id != 0);
        cn_body body = add(world, (cn_body_def){.position = point(0.5, 0.4)}, box_of(0.4f));
        tally sum = count_events(world, 10);
        assert_done(cn_body_destroy(world, body));
        sum.ends += count_events(world, 1).ends;
        assert_true((sum.begins > 0) == !(i & 1));
        assert_int_equal(sum.ends, sum.begins);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_begin_has_its_end),
        cmocka_unit_test(a_sleeping_body_moved_away_and_back_ends_and_begins_its_contact_once),
        cmocka_unit_test(a_hit_event_has_the_speed_and_the_impulse),
        cmocka_unit_test(a_hit_event_has_the_speed_at_the_moment_of_touch),
        cmocka_unit_test(a_plank_that_topples_hits_when_it_lands),
        cmocka_unit_test(events_have_the_point_of_touch),
        cmocka_unit_test(frames_see_every_event_once),
        cmocka_unit_test(events_name_destroyed_objects_as_they_were),
        cmocka_unit_test(events_of_a_frame_name_destroyed_objects_as_they_were),
        cmocka_unit_test(removing_a_contact_in_any_way_ends_it),
        cmocka_unit_test(collision_can_be_switched_off_and_on_beside_the_filter),
        cmocka_unit_test(sensors_do_not_see_shapes_without_collision),
        cmocka_unit_test(contacts_are_listed_awake_and_asleep),
        cmocka_unit_test(contacts_show_no_point_in_empty_space),
        cmocka_unit_test(a_step_of_zero_length_has_no_events),
        cmocka_unit_test(setting_the_same_values_again_does_not_disturb_a_stack),
        cmocka_unit_test(silent_shapes_raise_no_touch_events),
        cmocka_unit_test(a_contact_stays_silent_while_it_sleeps),
        cmocka_unit_test(silent_shapes_behave_like_others_in_everything_else),
        cmocka_unit_test(chains_and_tiles_may_be_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
