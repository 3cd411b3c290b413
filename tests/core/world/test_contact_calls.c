/* Contacts of one body: its ground, a contact seen from one of its sides, and the index of
 * contacts, against the list of all contacts. */
#include "../../support/games.h"
#include "../../support/refuse.h"

static const vec2s up = {{0, 1}};

// ---- the ground of a body

static void a_crate_stands_on_the_floor_at_its_middle(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body floor = add_floor(world, (cn_material){0});
    cn_body crate = add(world, (cn_body_def){.position = point(3, 0.5)}, box_of(0.5f));
    assert_false(cn_body_ground(world, crate, up, (float)PI).found); // before the first step
    for (int i = 0; i < 3; i++) {                                    // awake twice, then asleep
        run(world, i ? 60 : 1);
        if (i == 1) assert_done(cn_world_set_no_sleep(world, false));
        cn_ground ground = cn_body_ground(world, crate, up, 0.8f);
        assert_true(ground.found && ground.side.body.id == floor.id);
        assert_true(ground.side.shape.id == first_shape(world, floor).id);
        assert_near((double)ground.point.x, 3, 0.01);
        assert_near((double)ground.point.y, 0, 0.01);
        assert_vector(ground.normal, 0, 1);
        assert_near((double)ground.velocity.x, 0, 1e-6);
    }
    assert_false(!cn_body_asleep(world, crate));
    // The crate is above the floor. It is the ground of the floor only if up points down.
    assert_false(cn_body_ground(world, floor, up, 1.57f).found);
    cn_ground other = cn_body_ground(world, floor, point(0, -3), 0);
    assert_true(other.found && other.side.body.id == crate.id);
    assert_vector(other.normal, 0, -1);
    cn_world_destroy(world);
}

// A slope of a radians is ground if a is at most max_slope.
static void a_slope_is_ground_up_to_its_angle(void **state) {
    (void)state;
    for (double angle = 0.1; angle < 1.2; angle += 0.1) {
        cn_world *world = make_world(10);
        cn_pose pose = cn_pose_at(point(0, 0), (float)angle);
        add(world, (cn_body_def){.type = CN_STATIC, .angle = (float)angle},
            (cn_shape_def){.hull = cn_box(20, 1)});
        vec2s at = cn_pose_point(pose, point(0, 1.5));
        cn_body crate =
            add(world, (cn_body_def){.position = at, .angle = (float)angle}, box_of(0.5f));
        run(world, 2);
        assert_true(cn_body_ground(world, crate, up, (float)angle + 0.001f).found);
        assert_false(cn_body_ground(world, crate, up, (float)angle - 0.001f).found);
        // Seen along its own normal the slope is flat. The length of up does not matter.
        vec2s normal = cn_pose_point(pose, point(0, 1));
        for (double length = 1e-20; length < 1e21; length *= 1e10) {
            vec2s own = point((double)normal.x * length, (double)normal.y * length);
            assert_true(cn_body_ground(world, crate, own, 0.01f).found);
        }
        cn_world_destroy(world);
    }
}

// A floor, two walls and a roof touch the body. The direction `up` chooses one of them.
static void the_ground_is_the_contact_that_faces_up_most(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    const vec2s places[] = {point(0, -1.5), point(1.5, 0), point(0, 1.5), point(-1.5, 0)};
    cn_body walls[4];
    for (int i = 0; i < 4; i++)
        walls[i] = add(world, (cn_body_def){.type = CN_STATIC, .position = places[i]}, box_of(1));
    cn_body crate = add(world, (cn_body_def){0}, box_of(0.5f));
    run(world, 1);
    assert_int_equal(cn_body_contacts(world, crate, NULL, 0), 4);
    for (int i = 0; i < 360; i++) {
        double angle = (i + 0.5) * PI / 180;
        vec2s direction = point(cos(angle), sin(angle));
        cn_ground ground = cn_body_ground(world, crate, direction, 0.8f);
        int wall = i < 45 || i >= 315 ? 3 : i < 135 ? 0 : i < 225 ? 1 : 2;
        assert_true(ground.found && ground.side.body.id == walls[wall].id);
        double slope = acos((double)glms_vec2_dot(ground.normal, direction));
        assert_true(slope < 0.8);
        assert_false(cn_body_ground(world, crate, direction, (float)(slope - 0.005)).found);
    }
    cn_world_destroy(world);
}

// The body stands on two crates. The one whose contact comes first is the ground.
static void among_equal_grounds_the_first_wins(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(-2, -1)}, box_of(1));
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(2, -1)}, box_of(1));
    cn_body plank = add(world, (cn_body_def){.position = point(0, 0.25)},
                        (cn_shape_def){.hull = cn_box(3, 0.25f)});
    run(world, 10);
    cn_contact contacts[2];
    assert_int_equal(cn_body_contacts(world, plank, contacts, 2), 2);
    cn_ground ground = cn_body_ground(world, plank, up, 1);
    assert_true(ground.side.shape.id == contacts[0].a.shape.id);
    cn_world_destroy(world);
}

// A lift that moves and turns, and a belt.
static void the_ground_has_a_velocity(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body lift = add(world,
                       (cn_body_def){.type = CN_KINEMATIC,
                                     .position = point(0, -1),
                                     .velocity = point(1, 0.5),
                                     .angular_velocity = 0.1f},
                       (cn_shape_def){.hull = cn_box(5, 1)});
    cn_body rider = add(world, (cn_body_def){.position = point(2, 0.5)}, box_of(0.5f));
    run(world, 20);
    cn_ground ground = cn_body_ground(world, rider, up, 0.8f);
    vec2s v = cn_body_velocity_at(world, lift, ground.point);
    assert_true(ground.found && ground.side.body.id == lift.id);
    assert_vector(ground.velocity, (double)v.x, (double)v.y);
    cn_world_destroy(world);

    world = make_world(10);
    add_floor(world, (cn_material){.friction = 1, .surface_speed = 2});
    rider = add(world, (cn_body_def){.position = point(0, 0.5)}, box_of(0.5f));
    run(world, 120);
    ground = cn_body_ground(world, rider, up, 0.8f);
    assert_vector(ground.velocity, 2, 0);
    assert_near((double)cn_body_velocity(world, rider).x, 2, 0.01); // the belt carries it
    cn_world_destroy(world);
}

static cn_pre_solve_result disable_all(cn_world *world, const cn_contact *contact, void *user) {
    (void)world, (void)contact, (void)user;
    return (cn_pre_solve_result){.disabled = true};
}

static void sensors_and_disabled_contacts_are_no_ground(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -1)},
        (cn_shape_def){.hull = cn_box(5, 1), .sensor = true});
    cn_body crate = add(world, (cn_body_def){.position = point(0, 0.5)}, box_of(0.5f));
    run(world, 2);
    assert_false(cn_body_ground(world, crate, up, (float)PI).found);
    add_floor(world, (cn_material){0});
    flag_all_shapes(world);
    run(world, 2);
    assert_true(cn_body_ground(world, crate, up, (float)PI).found);
    assert_done(cn_world_set_callbacks(world, (cn_callbacks){.pre_solve = disable_all}));
    run(world, 2);
    assert_int_equal(cn_body_contacts(world, crate, NULL, 0), 1);
    assert_false(cn_body_ground(world, crate, up, (float)PI).found);
    cn_world_destroy(world);
}

static void tiles_are_named_as_ground(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    const uint8_t solid[4] = {1, 1, 1, 1};
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_grid_def def = {.solid = solid, .width = 4, .height = 1, .tile_size = 1};
    cn_grid tiles = cn_grid_create(world, body, &def);
    cn_body crate = add(world, (cn_body_def){.position = point(2.5, 1.25)}, box_of(0.25f));
    run(world, 3);
    cn_ground ground = cn_body_ground(world, crate, up, 0.8f);
    assert_true(ground.found && ground.side.grid.id == tiles.id);
    assert_int_equal(ground.side.tile, 2);
    cn_world_destroy(world);
}

static void bad_arguments_for_the_ground_are_refused(void **state) {
    (void)state;
    cn_world *world = unchanged_world = make_world(10);
    cn_body crate = add(world, (cn_body_def){0}, box_of(0.5f));
    run(world, 1);
    REFUSES(CN_ERROR_RANGE, cn_body_ground(world, crate, point(0, 0), 0.8f));
    REFUSES(CN_ERROR_NUMBER, cn_body_ground(world, crate, point(NAN, 1), 0.8f));
    REFUSES(CN_ERROR_NUMBER, cn_body_ground(world, crate, point(0, INFINITY), 0.8f));
    REFUSES(CN_ERROR_RANGE, cn_body_ground(world, crate, up, 3.15f));
    REFUSES(CN_ERROR_RANGE, cn_body_ground(world, crate, up, -0.01f));
    REFUSES(CN_ERROR_NUMBER, cn_body_ground(world, crate, up, NAN));
    unchanged_world = NULL;
    cn_world_destroy(world);
}

// ---- a contact seen from one side

static cn_manifold collide_again(const cn_world *world, const cn_contact *c) {
    cn_hull a = cn_shape_hull(world, c->a.shape), b = cn_shape_hull(world, c->b.shape);
    return cn_hull_collide(&a, cn_body_pose(world, c->a.body), &b, cn_body_pose(world, c->b.body),
                           0.1f);
}

// With swapped sides, the normal and ids are those of cn_hull_collide() with swapped hulls.
static void a_contact_is_seen_from_either_side(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body a = add(world, (cn_body_def){0}, (cn_shape_def){.hull = cn_box(1, 0.5f)});
    cn_body b = add(world, (cn_body_def){.position = point(0.3, 0.99), .angle = 0.01f},
                    (cn_shape_def){.hull = cn_regular_polygon(5, 0.6f)});
    run(world, 1);
    cn_contact contact;
    assert_int_equal(cn_body_contacts(world, a, &contact, 1), 1);
    assert_true(contact.a.body.id == a.id && contact.b.body.id == b.id);
    cn_contact same = cn_contact_seen_from(contact, a), other = cn_contact_seen_from(contact, b);
    assert_true(same.a.shape.id == contact.a.shape.id && same.b.shape.id == contact.b.shape.id);
    assert_true(glms_vec2_eqv(same.manifold.normal, contact.manifold.normal));
    assert_true(other.a.shape.id == contact.b.shape.id && other.b.shape.id == contact.a.shape.id);
    assert_vector(other.manifold.normal, -(double)contact.manifold.normal.x,
                  -(double)contact.manifold.normal.y);
    assert_true(other.manifold.reference != contact.manifold.reference);
    assert_int_equal(other.manifold.reference_edge, contact.manifold.reference_edge);
    assert_int_equal(other.manifold.count, contact.manifold.count);
    for (int i = 0; i < contact.manifold.count; i++) {
        const cn_manifold_point *p = &contact.manifold.points[i], *q = &other.manifold.points[i];
        assert_int_equal(p->id & 15, q->id >> 4);
        assert_int_equal(p->id >> 4, q->id & 15);
        assert_vector(q->point, (double)p->point.x, (double)p->point.y);
        assert_true(q->separation == p->separation && q->normal_impulse == p->normal_impulse);
        assert_true(q->tangent_impulse == p->tangent_impulse);
    }
    cn_manifold again = collide_again(world, &other);
    assert_true((double)glms_vec2_dot(again.normal, other.manifold.normal) > 0.999);
    assert_true(again.points[0].id == other.manifold.points[0].id ||
                again.points[0].id == other.manifold.points[again.count - 1].id);
    cn_contact back = cn_contact_seen_from(other, a);
    assert_true(back.a.shape.id == contact.a.shape.id && back.b.shape.id == contact.b.shape.id);
    assert_true(glms_vec2_eqv(back.manifold.normal, contact.manifold.normal));
    cn_world_destroy(world);
}

static void a_contact_is_not_seen_from_another_body(void **state) {
    (void)state;
    cn_contact contact = {.a.body.id = 5, .b.body.id = 6, .manifold.count = 1};
    REFUSES(CN_ERROR_HANDLE, cn_contact_seen_from(contact, (cn_body){7}));
    REFUSES(CN_ERROR_HANDLE, cn_contact_seen_from((cn_contact){0}, (cn_body){0}));
    contact.manifold.count = 3;
    REFUSES(CN_ERROR_RANGE, cn_contact_seen_from(contact, (cn_body){5}));
    contact.manifold.count = -1;
    REFUSES(CN_ERROR_RANGE, cn_contact_seen_from(contact, (cn_body){6}));
}

// ---- impulses

// On a slope of the angle h at rest, friction holds m g sin h, and the slope bears m g cos h.
static void check_slope(double h) {
    cn_world *world = make_world(GRAVITY);
    const cn_material rough = {.friction = 1};
    cn_body_def slope = {.type = CN_STATIC, .angle = (float)h};
    add(world, slope, (cn_shape_def){.hull = cn_box(20, 1), .material = rough});
    vec2s place = point(-1.5 * sin(h), 1.5 * cos(h));
    cn_body block = add(world, (cn_body_def){.position = place, .angle = (float)h},
                        (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material = rough});
    run(world, 180);
    cn_contact contact;
    assert_int_equal(cn_body_contacts(world, block, &contact, 1), 1);
    double weight = mass_of(world, block) * GRAVITY * (double)STEP; // impulse of a step
    for (int turn = 0; turn < 2; turn++) {
        double normal = 0, tangent = 0;
        for (int i = 0; i < contact.manifold.count; i++) {
            normal += (double)contact.manifold.points[i].normal_impulse;
            tangent += (double)contact.manifold.points[i].tangent_impulse;
        }
        // The direction (normal.y, -normal.x) leads up a slope that rises to the right.
        assert_near(tangent, weight * sin(h), 1e-3 * weight);
        assert_near(normal, weight * cos(h), 1e-3 * weight);
        contact = cn_contact_seen_from(contact, block);
    }
    cn_world_destroy(world);
}

static void friction_holds_a_block_on_a_slope(void **state) {
    (void)state;
    const double angles[] = {0, 0.1, 0.4, -0.25};
    for (int i = 0; i < 4; i++) check_slope(angles[i]);
}

// ---- events

static void events_are_seen_from_either_side(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_body floor = add_floor(world, frictionless);
    cn_shape_def zone = {.hull = cn_box(1, 1), .sensor = true, .massless = true};
    assert_done(cn_shape_create(world, floor, &zone).id != 0);
    cn_body disc = add(world, (cn_body_def){.position = point(0, 0.51), .velocity = point(0, -5)},
                       (cn_shape_def){.hull = cn_circle(0.5f), .hit_events = true});
    run(world, 1);
    cn_events e = cn_world_events(world);
    assert_true(e.begin_count == 1 && e.hit_count == 1 && e.sensor_begin_count == 1);
    cn_touch_event touch = cn_touch_event_seen_from(e.begins[0], disc);
    cn_hit_event hit = cn_hit_event_seen_from(e.hits[0], disc);
    assert_true(touch.a.body.id == disc.id && touch.b.body.id == floor.id);
    assert_true(touch.normal.x == 0 && touch.normal.y == -1 && !signbit(touch.normal.x));
    assert_memory_equal(&touch.point, &e.begins[0].point, sizeof(vec2s));
    assert_true(hit.a.body.id == disc.id && hit.b.body.id == floor.id && hit.normal.y == -1);
    assert_true(hit.impulse == e.hits[0].impulse);
    touch = cn_touch_event_seen_from(touch, floor), hit = cn_hit_event_seen_from(hit, floor);
    assert_true(touch.a.body.id == floor.id && touch.normal.y == 1 && hit.normal.y == 1);
    assert_true(cn_sensor_event_other_side(e.sensor_begins[0], floor).body.id == disc.id);
    assert_true(cn_sensor_event_other_side(e.sensor_begins[0], disc).body.id == floor.id);
    cn_world_destroy(world);
}

static void events_are_not_seen_from_another_body(void **state) {
    (void)state;
    const cn_touch_event touch = {.a.body = {5}, .b.body = {6}};
    const cn_hit_event hit = {.a.body = {5}, .b.body = {6}};
    const cn_sensor_event sensed = {.sensor.body = {5}, .other.body = {6}};
    const cn_body bad[] = {{0}, {7}};
    for (int i = 0; i < 2; i++) {
        assert_true(cn_touch_event_seen_from(touch, bad[i]).a.body.id == 0);
        assert_int_equal(cn_error_code(), CN_ERROR_HANDLE);
        cn_error_clear();
        assert_true(cn_hit_event_seen_from(hit, bad[i]).a.body.id == 0);
        assert_int_equal(cn_error_code(), CN_ERROR_HANDLE);
        cn_error_clear();
        assert_true(cn_sensor_event_other_side(sensed, bad[i]).body.id == 0);
        assert_int_equal(cn_error_code(), CN_ERROR_HANDLE);
        cn_error_clear();
    }
}

// ---- contacts of a body

enum { MOST_PAIRS = 512 };

static bool in_contact(const cn_contact *c, cn_body body) {
    return c->a.body.id == body.id || c->b.body.id == body.id;
}

// cn_body_contacts() and cn_body_touches() must agree with the list of all contacts.
static void check_agreement(cn_world *world) {
    static cn_contact all[MOST_PAIRS], own[MOST_PAIRS];
    int count = cn_world_contacts(world, all, MOST_PAIRS);
    assert_true(count <= MOST_PAIRS);
    for (cn_body a = {0}; (a = cn_world_next_body(world, a)).id;) {
        int found = cn_body_contacts(world, a, own, MOST_PAIRS), expected = 0;
        for (int i = 0; i < count; i++) {
            if (!in_contact(&all[i], a)) continue;
            assert_true(expected < found && own[expected].a.shape.id == all[i].a.shape.id);
            assert_true(own[expected++].b.shape.id == all[i].b.shape.id);
        }
        assert_int_equal(found, expected);
        for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;) {
            bool touching = false;
            for (int i = 0; i < found; i++) touching |= a.id != b.id && in_contact(&own[i], b);
            assert_int_equal(cn_body_touches(world, a, b), touching);
        }
    }
}

static bool agreeing_filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)a, (void)b;
    if (random_between(user, 0, 20) < 1) check_agreement(world);
    return true;
}

static cn_pre_solve_result agreeing_solve(cn_world *world, const cn_contact *contact, void *user) {
    assert_true(cn_body_touches(world, contact->a.body, contact->b.body));
    if (random_between(user, 0, 20) < 1) check_agreement(world);
    return (cn_pre_solve_result){0};
}

static void change_at_random(cn_world *world, uint64_t *chance) {
    cn_body body = {0};
    for (int i = (int)random_between(chance, 1, 30); i-- > 0;)
        body = cn_world_next_body(world, body);
    vec2s place = point(random_between(chance, -5, 5), random_between(chance, 1, 8));
    switch ((int)random_between(chance, 0, 8)) {
    case 0: cn_body_destroy(world, body); break;
    case 1: cn_body_set_asleep(world, body, true); break;
    case 2: cn_body_set_pose(world, body, cn_pose_at(place, 0)); break;
    case 3: cn_body_set_disabled(world, body, !(random_between(chance, 0, 2) < 1)); break;
    case 4: cn_body_set_type(world, body, (cn_motion_type)random_between(chance, 0, 3)); break;
    case 5: cn_shape_destroy(world, first_shape(world, body)); break;
    default: throw(world, random_between(chance, 0, 2) < 1 ? crate() : ball, place, point(0, 0));
    }
}

static void contacts_of_bodies_agree_with_those_of_the_world(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint64_t chance = seed, other_chance = seed;
        cn_world *world = make_world(GRAVITY);
        assert_done(cn_world_set_no_sleep(world, false));
        add_floor(world, (cn_material){0});
        for (int i = 0; i < 25; i++) change_at_random(world, &chance);
        check_agreement(world); // before the first step
        flag_all_shapes(world);
        if (seed % 2)
            assert_done(cn_world_set_callbacks(world, (cn_callbacks){.filter = agreeing_filter,
                                                                     .pre_solve = agreeing_solve,
                                                                     .user = &other_chance}));
        for (int i = 0; i < 300; i++) {
            run(world, i % 50 == 0 ? 40 : 1);
            check_agreement(world);
            change_at_random(world, &chance);
            if (i % 2) check_agreement(world);
        }
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crate_stands_on_the_floor_at_its_middle),
        cmocka_unit_test(a_slope_is_ground_up_to_its_angle),
        cmocka_unit_test(the_ground_is_the_contact_that_faces_up_most),
        cmocka_unit_test(among_equal_grounds_the_first_wins),
        cmocka_unit_test(the_ground_has_a_velocity),
        cmocka_unit_test(sensors_and_disabled_contacts_are_no_ground),
        cmocka_unit_test(tiles_are_named_as_ground),
        cmocka_unit_test(bad_arguments_for_the_ground_are_refused),
        cmocka_unit_test(a_contact_is_seen_from_either_side),
        cmocka_unit_test(a_contact_is_not_seen_from_another_body),
        cmocka_unit_test(friction_holds_a_block_on_a_slope),
        cmocka_unit_test(events_are_seen_from_either_side),
        cmocka_unit_test(events_are_not_seen_from_another_body),
        cmocka_unit_test(contacts_of_bodies_agree_with_those_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
