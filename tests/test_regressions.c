/* One test for each bug that a review or a user found, named as what must be true. (Hits, presses, loads: test_loads.c) */
#include "physics.h"

// A new pair of two idle bodies is dropped; it must come back when a contact wakes one of them.
static void a_crate_created_asleep_does_not_fall_through(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    add(world, (cn_body_def){.type = CN_KINEMATIC, .position = point(1, 0.5)}, box_of(0.5f));
    cn_body_def asleep = {.position = point(0, 0.5), .asleep = true};
    cn_body crate = add(world, asleep, box_of(0.5f));
    run(world, 120);
    assert_near((double)cn_body_position(world, crate).y, 0.5, 0.01);
    cn_world_destroy(world);
}

static void a_pinned_body_bears_any_load(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_body_def pinned = {.lock_x = true, .lock_y = true, .lock_rotation = true};
    cn_body shelf = add(world, pinned, box_of(1));
    cn_shape_def heavy = box_of(1);
    heavy.density = 100;
    cn_body load = add(world, (cn_body_def){.position = point(0, 2)}, heavy);
    run(world, 240);
    assert_near((double)cn_body_position(world, load).y, 2, 0.01);
    assert_near((double)cn_body_position(world, shelf).y, 0, 0);
    cn_world_destroy(world);
}

static double deepest_overlap(const cn_world *world) {
    static cn_contact contacts[1000];
    int count = cn_world_contacts(world, contacts, 1000);
    double deepest = 0;
    assert_in_range(count, 0, 1000);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < contacts[i].manifold.count; k++)
            deepest = fmax(deepest, -(double)contacts[i].manifold.points[k].separation);
    return deepest;
}

// Else where many overlap each is pushed by all others, and they burst: these 8 flew 56 m in 20 s.
static void boxes_made_in_one_place_part_without_bursting(void **state) {
    (void)state;
    for (int floor = 0; floor < 2; floor++) {
        enum { BOXES = 8 };
        cn_world *world = make_world(floor ? 10 : 0);
        if (floor) add_floor(world, (cn_material){0});
        cn_body boxes[BOXES];
        for (int i = 0; i < BOXES; i++)
            boxes[i] =
                add(world, (cn_body_def){.position = point(0.02 * i, 0.5 + 0.01 * (i * i % 5))},
                    box_of(0.5f));
        double fastest = 0, farthest = 0;
        for (int i = 0; i < 20 * BOXES; i++) {
            run(world, 1200 / (20 * BOXES));
            motion now = motion_of(world, boxes[i % BOXES]);
            fastest = fmax(fastest, hypot(now.vx, now.vy));
            farthest = fmax(farthest, hypot(now.x, now.y));
        }
        if (fastest > 3 || farthest > 5) fail_msg("%g m/s, %g m away", fastest, farthest);
        assert_near(deepest_overlap(world), 0, 0.01);
        cn_world_destroy(world);
    }
}

// They used to lie half in each other for 20 to 30 s: what weighs on a pile jams it.
static void boxes_made_in_a_full_bin_find_room(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        cn_world *world =
            cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .substeps = k % 2 ? 12 : 4});
        add_floor(world, (cn_material){0});
        for (int side = -1; side <= 1; side += 2)
            add(world, (cn_body_def){.type = CN_STATIC, .position = point(3 * side, 9)},
                (cn_shape_def){.hull = cn_box(0.5f, 9)});
        for (int i = 0; i < 30; i++)
            add(world, (cn_body_def){.position = point(-2 + i % 5, 0.5 + i / 5)}, box_of(0.45f));
        run(world, 180);
        cn_body late =
            add(world, (cn_body_def){.position = point(-1 + 0.4 * k, 1.5), .angle = 0.3f},
                box_of(0.45f));
        run(world, 240);
        if (deepest_overlap(world) > (k % 2 ? 0.4 : 0.2)) // the firmer, the more it jams
            fail_msg("place %d: %g m deep after 4 s", k, deepest_overlap(world));
        run(world, 600);
        assert_false(cn_body_awake(world, late));
        cn_world_destroy(world);
    }
}

// Its contact does not begin: it used to be thrown out at 1.2 m/s.
static void a_box_put_deep_into_one_that_it_lies_on_parts_calmly(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    cn_body lower = add(world, (cn_body_def){.position = point(0, 0.5)}, box_of(0.5f));
    cn_body upper = add(world, (cn_body_def){.position = point(0, 1.5)}, box_of(0.5f));
    run(world, 60);
    assert_done(cn_body_set_pose(world, upper, point(0.05, 0.9), 0));
    for (int i = 0; i < 600; i++) {
        run(world, 1);
        motion m = motion_of(world, upper);
        if (hypot(m.vx, m.vy) > 0.5) fail_msg("%g m/s after %d steps", hypot(m.vx, m.vy), i);
    }
    assert_near(motion_of(world, upper).y, 1.5, 0.01);
    assert_near(motion_of(world, lower).y, 0.5, 0.01);
    cn_world_destroy(world);
}

// Where floats are 1 mm apart separations used to jump by that, and at 12 substeps piles never slept.
static void a_pile_far_out_comes_to_rest(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .substeps = 12});
    const double x = 10000;
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(x, -1)},
        (cn_shape_def){.hull = cn_box(20, 1)});
    for (int i = 0; i < 2; i++)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(x + (i ? 4 : -4), 5)},
            (cn_shape_def){.hull = cn_box(0.5f, 5)});
    for (int i = 0; i < 40; i++)
        add(world,
            (cn_body_def){.position = point(x - 2 + i % 4, 1 + 1.1 * (i / 4)), .angle = (float)i},
            i % 2 ? box_of(0.4f) : (cn_shape_def){.hull = cn_circle(0.4f)});
    run(world, 900);
    assert_int_equal(cn_world_counters(world).awake_bodies, 0);
    cn_world_destroy(world);
}

static void nobody_falls_asleep_in_mid_air(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -0.05f}}});
    add_floor(world, (cn_material){0});
    cn_body thrown = add(world, (cn_body_def){.position = point(0, 3), .velocity = point(0, 0.05)},
                         box_of(0.5f));
    cn_body floats =
        add(world, (cn_body_def){.position = point(5, 3), .weightless = true}, box_of(0.5f));
    run(world, 1200);
    assert_near(motion_of(world, thrown).y, 0.5, 0.01);
    assert_false(cn_body_awake(world, thrown));
    assert_false(cn_body_awake(world, floats));
    cn_world_destroy(world);
}

static void what_a_lock_holds_up_falls_asleep(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    cn_body shelf = add(world, (cn_body_def){.lock_x = true, .lock_y = true}, box_of(1));
    cn_body crate = add(world, (cn_body_def){.position = point(0, 1.5)}, box_of(0.5f));
    run(world, 300);
    assert_false(cn_body_awake(world, shelf));
    assert_false(cn_body_awake(world, crate));
    cn_world_destroy(world);
}

static void what_is_left_of_a_body_has_a_mass(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    cn_shape_def light = box_of(0.5f);
    light.density = 1e-40f;
    cn_body body = cn_body_create(world, &(cn_body_def){0});
    cn_shape heavy = cn_shape_create(world, body, &(cn_shape_def){.hull = cn_box(1, 1)});
    assert_done(cn_shape_create(world, body, &light).id != 0);
    assert_done(cn_shape_destroy(world, heavy));
    run(world, 10);
    assert_true(cn_body_enabled(world, body));
    assert_near(mass_of(world, body), 1, 0);
    cn_world_destroy(world);
}

static void no_damping_is_too_much(void **state) {
    (void)state;
    for (float damping = 1; damping < 1e38f; damping *= 10) {
        cn_world *world = make_world(10);
        cn_body_def def = {.velocity = point(5, 0), .angular_velocity = 5};
        def.linear_damping = def.angular_damping = damping;
        cn_body body = add(world, def, box_of(0.5f));
        run(world, 60);
        assert_true(cn_body_enabled(world, body));
        assert_near(motion_of(world, body).x, 0, 5 * (1 / (double)damping + 1.0 / 480) + 1e-4);
        cn_world_destroy(world);
    }
}

static void what_spins_beyond_measure_harms_nobody(void **state) {
    (void)state;
    for (float w = 1e10f; w < 1e38f; w *= 100) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){0});
        for (int i = 0; i < 20; i++)
            add(world, (cn_body_def){.position = point(12 * i - 100, 10), .angular_velocity = w},
                (cn_shape_def){.hull = cn_box(5, 0.25f)});
        for (int i = 0; i < 5; i++) assert_done(cn_world_step(world, 0.5f));
        cn_world_destroy(world);
    }
}

// The search for whom it may have met went on beyond the tree.
static void a_wheel_that_spins_beyond_measure_harms_nobody(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body_def wheel = {.type = CN_KINEMATIC, .position = point(1000, 0)};
    wheel.angular_velocity = FLT_MAX;
    add(world, wheel, (cn_shape_def){.hull = cn_box(100, 1)});
    cn_body last = {0};
    for (int i = 0; i < 20; i++) {
        cn_body_def def = {.position = point(3 * i, 0), .velocity = point(0, i == 3 ? 500 : 0)};
        last = add(world, def, box_of(0.5f));
    }
    for (int i = 0; i < 10; i++) assert_done(cn_world_step(world, 1.0f / 60));
    assert_near(motion_of(world, last).x, 57, 0);
    cn_world_destroy(world);
}

// What is put back by the sweep has next to no speed to take the work of gravity from.
static void a_tiny_speed_limit_harms_nobody(void **state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        cn_world *world = make_world(10);
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, 3 + 0.1 * (i % 20))},
            (cn_shape_def){.hull = cn_box(20, 0.1f)});
        cn_body_def bat = {.type = CN_KINEMATIC, .position = point(0, -0.3)};
        bat.velocity = point(0, 10 + 20 * (i / 2));
        add(world, bat, (cn_shape_def){.hull = cn_box(1, 0.2f)});
        cn_body_def def = {.speed_limit = i % 2 ? 1e-20f : 1e-21f};
        cn_body slow = add(world, def, (cn_shape_def){.hull = cn_box(0.1f, 0.05f)});
        for (int k = 0; k < 30; k++) {
            run(world, 1);
            motion m = motion_of(world, slow);
            assert_true(isfinite(m.vx) && isfinite(m.vy));
        }
        cn_world_destroy(world);
    }
}

// A thin one that was stopped too deep in a slope was let out along its normal.
static void a_lock_holds_also_who_hits_a_slope(void **state) {
    (void)state;
    for (int i = 0; i < 60; i++) {
        cn_world *world = make_world(30);
        cn_body_def slope = {.type = CN_STATIC, .angle = 0.05f + 0.07f * (float)(i % 20)};
        add(world, slope, (cn_shape_def){.hull = cn_box(30, 1)});
        cn_body_def def = {.position = point(0.3, 8), .lock_x = true};
        cn_body plate = add(world, def, (cn_shape_def){.hull = cn_box(0.5f, 0.02f)});
        for (int k = 0; k < 60; k++) {
            if (k % 20 == 0) assert_done(cn_body_set_velocity(world, plate, point(0, -50 - i)));
            run(world, 1);
            assert_near(motion_of(world, plate).x, (double)0.3f, 0);
        }
        cn_world_destroy(world);
    }
}

// Inverses of their squares were no numbers, and the bodies were given up.
static void the_shortest_steps_harm_nobody(void **state) {
    (void)state;
    const float steps[] = {1e-10f, 2e-15f, 1e-20f, 1e-30f, 1e-45f};
    for (int i = 0; i < 5; i++) {
        enum { BOXES = 10 };
        cn_world *world = make_world(10);
        cn_shape_def shape = box_of(0.5f);
        shape.material.restitution = 0.5f;
        add_floor(world, (cn_material){0});
        cn_body boxes[BOXES];
        cn_joint joint = {0};
        for (int k = 0; k < BOXES; k++) {
            cn_body_def def = {.position = point(1.2 * k, 0.45 + 0.02 * k)};
            def.velocity = point(0, -3);
            boxes[k] = add(world, def, shape);
            if (k < 8) continue; // the last three hang together
            cn_joint_def weld = cn_weld_joint(world, boxes[k - 1], boxes[k], def.position);
            joint = cn_joint_create(world, &weld);
        }
        for (int k = 0; k < 4; k++) assert_done(cn_world_step(world, k % 2 ? steps[i] : 1.0f / 60));
        for (int k = 0; k < BOXES; k++) {
            assert_true(cn_body_enabled(world, boxes[k]));
            assert_near(motion_of(world, boxes[k]).vy, 0, 10);
        }
        vec2s force = cn_joint_force(world, joint);
        assert_true(isfinite(force.x) && isfinite(force.y));
        cn_world_destroy(world);
    }
}

static void a_lock_holds_also_who_is_made_deep_in_others(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add(world, (cn_body_def){.type = CN_STATIC}, box_of(1));
    cn_body_def locked = {.position = point(1.2, 0), .lock_x = true, .weightless = true};
    cn_body box = add(world, locked, box_of(0.5f));
    add(world, (cn_body_def){.position = point(1.4, 0.1)}, box_of(0.5f));
    run(world, 60);
    assert_near(motion_of(world, box).x, (double)1.2f, 0);
    cn_world_destroy(world);
}

static bool act_on_no_ghost(cn_world *world, const cn_contact *contact, void *ghost) {
    (void)world;
    return contact->a.body.id != *(uint64_t *)ghost && contact->b.body.id != *(uint64_t *)ghost;
}

// Only in the first step may they find themselves deep in it.
static void what_is_in_a_refused_body_is_as_firm_as_ever(void **state) {
    (void)state;
    double top[2];
    for (int with = 0; with < 2; with++) {
        cn_world *world = make_world(10);
        cn_body ghost = {0}, box = {0};
        add_floor(world, (cn_material){0});
        if (with)
            ghost =
                add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, 0.5)}, box_of(3));
        assert_done(cn_world_set_callbacks(
            world, (cn_callbacks){.pre_solve = act_on_no_ghost, .user = &ghost.id}));
        for (int i = 0; i < 10; i++)
            box = add(world, (cn_body_def){.position = point(0, 0.5 + i)}, box_of(0.5f));
        run(world, 300);
        top[with] = motion_of(world, box).y;
        cn_world_destroy(world);
    }
    assert_near(top[1], top[0], 1e-4);
}

// Several batches hold a copy of the bar, and all must find it as it is.
static void a_body_that_is_deep_and_becomes_kinematic_is_the_same_for_all(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        cn_world *world = cn_world_create(
            &(cn_world_def){.gravity = {{0, -10}}, .no_sleep = true, .threads = 1 + 3 * k});
        cn_body_def floating = {.weightless = true};
        cn_body bar = add(world, floating, (cn_shape_def){.hull = cn_box(400, 0.5f)});
        for (int i = 0; i < 1200; i++) // one of 40 is deep in it
            add(world, (cn_body_def){.position = point(0.63 * i - 380, i % 40 ? 0.7 : 0.5)},
                box_of(0.25f));
        run(world, 1);
        assert_done(cn_body_set_type(world, bar, CN_KINEMATIC));
        run(world, 60);
        hashes[k] = cn_world_hash(world);
        cn_world_destroy(world);
    }
    assert_int_equal(hashes[0], hashes[1]);
}

static void a_longer_step_after_a_short_one_throws_nothing(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    cn_body box = add(world, (cn_body_def){.position = point(0, 0.505), .velocity = point(10, -10)},
                      box_of(0.5f));
    for (int i = 0; i < 100; i++) assert_done(cn_world_step(world, 1e-5f));
    double x = (double)cn_body_position(world, box).x;
    run(world, 1);
    assert_near((double)cn_body_position(world, box).x - x, 0, 0.17);
    cn_world_destroy(world);
}

// A bouncing pair is a contact from afar, but not if it will pass.
static void what_flies_past_a_corner_is_not_deflected(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++) {
        cn_world *world = make_world(0);
        add(world, (cn_body_def){.type = CN_STATIC}, box_of(1));
        double speed = 5 << (i % 5), gap = 0.03 + 0.05 * i, k = sqrt(0.5), at = 1 + (0.1 + gap) * k;
        cn_shape_def ball = {.hull = cn_circle(0.1f), .material = {.restitution = 0.5f}};
        cn_body body = add(world,
                           (cn_body_def){.position = point(at - 2, at + 2),
                                         .velocity = point(speed * k, -speed * k)},
                           ball);
        run(world, 60);
        assert_near((double)cn_body_velocity(world, body).x, speed * k, 1e-3);
        cn_world_destroy(world);
    }
}

// Where a ball of radius r is that has rolled off another one of its size.
static vec2s roll_off(double r, float anchor_distance) {
    cn_world *world = make_world(10);
    cn_tuning tuning = cn_world_tuning(world);
    tuning.anchor_distance = anchor_distance;
    assert_done(cn_world_set_tuning(world, &tuning));
    cn_shape_def ball = {.hull = cn_circle((float)r), .material = {.frictionless = true}};
    add(world, (cn_body_def){.type = CN_STATIC}, ball);
    cn_body body = add(world, (cn_body_def){.position = point(0.1 * r, 2 * r)}, ball);
    run(world, 18);
    vec2s p = cn_body_position(world, body);
    cn_world_destroy(world);
    return p;
}

// Anchors stay put by a share of the smaller body's size only.
static void a_small_ball_does_not_hang_on_a_stale_contact(void **state) {
    (void)state;
    const double r = 0.02;
    vec2s p = roll_off(r, 0.05f), exact = roll_off(r, 1e-6f);
    assert_true(exact.y < 0);
    assert_near((double)p.x, (double)exact.x, r);
    assert_near((double)p.y, (double)exact.y, r);
}

static void a_change_of_type_keeps_the_motion(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_shape_def arm = box_of(0.5f);
    arm.hull = cn_hull_at(&arm.hull, cn_pose_at(point(2, 0), 0));
    cn_body body = add(world, (cn_body_def){.angular_velocity = 5}, arm);
    assert_done(cn_body_set_velocity(world, body, point(0, 0)));
    assert_done(cn_body_set_type(world, body, CN_KINEMATIC));
    assert_near((double)cn_body_velocity_at(world, body, point(2, 0)).y, 0, 1e-5);
    assert_done(cn_body_set_type(world, body, CN_DYNAMIC));
    assert_near((double)cn_body_velocity(world, body).y, 0, 1e-5);
    cn_world_destroy(world);
}

static void who_never_sleeps_keeps_its_island_awake(void **state) {
    (void)state;
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = point(0, -10)});
    add_floor(world, (cn_material){0});
    cn_body awake =
        add(world, (cn_body_def){.position = point(0, 0.5), .no_sleep = true}, box_of(0.5f));
    cn_body on_top = add(world, (cn_body_def){.position = point(0, 1.5)}, box_of(0.5f));
    run(world, 10);
    assert_false(cn_body_set_awake(world, on_top, false));
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    assert_true(cn_body_awake(world, awake));
    cn_world_destroy(world);
}

// The underside of the one face was thought to hold what lies across the crest: it pulled it through.
static void a_plank_lies_on_the_crest_of_thin_ground(void **state) {
    (void)state;
    for (int kind = 0; kind < 6; kind++) {
        cn_world *world = make_world(10);
        cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        double slope = kind % 2 ? 0.4 : 0.1, aside = kind % 2 ? 0.3 : 0.6;
        for (int side = -1; side <= 1; side += 2) {
            vec2s far = point(4 * side, -4 * slope), low = point(4 * side, -4 * slope - 0.1);
            cn_hull hull = cn_capsule(point(0, 0), far, 0.05f);
            if (kind < 2) hull = cn_segment(point(0, 0), far);
            if (kind > 3) hull = cn_polygon((vec2s[]){point(0, 0), far, low, point(0, -0.1)}, 4, 0);
            assert_done(cn_shape_create(world, ground, &(cn_shape_def){.hull = hull}).id != 0);
        }
        cn_body_def place = {.position = point(-aside, 0.1 + (kind / 2 == 1 ? 0.05 : 0))};
        cn_body plank = add(world, place, (cn_shape_def){.hull = cn_box(1, 0.1f)});
        for (int i = 0; i < 180; i++) {
            run(world, 1);
            cn_contact contacts[4];
            int count = cn_world_contacts(world, contacts, 4);
            for (int k = 0; k < count; k++) assert_true(contacts[k].manifold.normal.y > 0.5f);
        }
        vec2s p = cn_body_position(world, plank);
        assert_true((double)p.y > -slope * fabs((double)p.x));
        cn_world_destroy(world);
    }
}

// A sharp end of what turns comes down at 5 m/s or more while its centre stands still.
static void what_turns_does_not_fall_through_a_one_way_platform(void **state) {
    (void)state;
    for (int phase = 0; phase < 20; phase++) {
        cn_world *world = make_world(0);
        cn_body platform = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        cn_shape_def shelf = {.hull = cn_box(50, 0.25f), .one_way = point(0, 1)};
        assert_done(cn_shape_create(world, platform, &shelf).id != 0);
        cn_body_def spinning = {.position = point(0, 1.05),
                                .angle = -0.00475f * (float)phase,
                                .angular_velocity = 5.7f};
        cn_body plank = add(world, spinning, (cn_shape_def){.hull = cn_box(1, 0.1f)});
        run(world, 13);
        assert_true(cn_body_angular_velocity(world, plank) < 5.6f);
        cn_world_destroy(world);
    }
}

// Which side of a chain a body comes from was told by one of its corners, which may be below a crest.
static void what_tumbles_does_not_pass_a_curved_chain(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        cn_world *world = make_world(10);
        vec2s points[58];
        for (int k = 0; k < 58; k++) points[k] = point(20 - 0.7 * k, 0.2 * sin(20 - 0.7 * k));
        cn_chain_def chain = {.points = points, .count = 58};
        cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        assert_done(cn_chain_create(world, ground, &chain).id != 0);
        cn_body_def def = {.position = point(0, random_between(&seed, 1.5, 4.5)),
                           .angle = (float)random_between(&seed, 0, 6.28),
                           .angular_velocity = (float)random_between(&seed, -33, 33)};
        def.velocity = point(random_between(&seed, -3, 3), random_between(&seed, -66, 0));
        cn_body body = add(world, def, (cn_shape_def){.hull = cn_box(0.05f, 0.4f)});
        run(world, 40);
        assert_true(cn_body_position(world, body).y > -0.5f);
        cn_world_destroy(world);
    }
}

// Several contacts between the same two bodies are as stiff as one, else such stacks swing up by themselves:
// these were still at 0.3 m/s after 20 s.
static void a_stack_of_compound_bodies_comes_to_rest(void **state) {
    (void)state;
    const float parts[2][3][4] = {
        {{-0.4f, 0.3f, 0.1f, 0.3f}, {0.4f, 0.3f, 0.1f, 0.3f}, {0, 0.7f, 0.5f, 0.1f}}, // tables
        {{-0.25f, 0.4f, 0.25f, 0.4f}, {0.25f, 0.4f, 0.25f, 0.4f}},                    // halves
    };
    for (int kind = 0; kind < 2; kind++) {
        cn_world *world = make_world(10);
        add_floor(world, (cn_material){0});
        cn_body body = {0};
        for (int i = 0; i < 12; i++) {
            body = cn_body_create(world, &(cn_body_def){.position = point(0, 0.8 * i)});
            for (int k = 0; k < (kind ? 2 : 3); k++) {
                const float *p = parts[kind][k]; // centre, half sizes
                cn_hull part = cn_box(p[2], p[3]);
                part = cn_hull_at(&part, cn_pose_at((vec2s){{p[0], p[1]}}, 0));
                assert_true(cn_shape_create(world, body, &(cn_shape_def){.hull = part}).id);
            }
        }
        run(world, 600);
        motion top = motion_of(world, body);
        assert_near(hypot(top.vx, top.vy), 0, 0.01);
        assert_near((double)cn_body_position(world, body).x, 0, 0.01);
        cn_world_destroy(world);
    }
}

// What one step lets sink in is not thrown out by a shorter one: these went
// on at 0.06 m/s, and some at 2 m/s.
static void a_pile_rests_while_steps_change(void **state) {
    (void)state;
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    for (int i = -1; i <= 1; i += 2)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(6 * i, 10)},
            (cn_shape_def){.hull = cn_box(1, 10)});
    cn_body boxes[140];
    for (int i = 0; i < 140; i++)
        boxes[i] = add(world,
                       (cn_body_def){.position = point(i % 14 * 0.7 - 4.55, 0.5 + i / 14 * 0.7),
                                     .angle = (float)(i * i % 60)},
                       box_of(0.25f));
    run(world, 900);
    double sum = 0, fastest = 0;
    for (int k = 0; k < 1200; k++) {
        assert_done(cn_world_step(world, 1.0f / (k % 2 ? 60 : 120)));
        for (int i = 0; i < 140; i++) {
            motion m = motion_of(world, boxes[i]);
            double speed = hypot(m.vx, m.vy);
            sum += speed * speed / (140 * 1200);
            fastest = fmax(fastest, speed);
        }
    }
    assert_near(sqrt(sum), 0, 0.01);
    assert_near(fastest, 0, 0.3);
    cn_world_destroy(world);
}

// What the sweep stopped got back the speed that gravity had taken on the rest of its way.
static void a_stop_keeps_to_the_speed_limit(void **state) {
    (void)state;
    cn_world *world = make_world(100);
    add(world, (cn_body_def){.position = point(0, 1), .weightless = true},
        (cn_shape_def){.hull = cn_box(1, 0.005f), .density = 1000});
    for (int i = 0; i < 20; i++) {
        cn_body_def def = {.position = point(0, 0.9 + 0.004 * i), .velocity = point(0, 4)};
        def.speed_limit = 4;
        cn_body ball = add(world, def, (cn_shape_def){.hull = cn_circle(0.01f)});
        vec2s thrust = point(0, 500 * mass_of(world, ball));
        assert_done(cn_body_apply_force(world, ball, thrust, cn_body_center(world, ball)));
        run(world, 1);
        motion m = motion_of(world, ball);
        if (hypot(m.vx, m.vy) > 4.001) fail_msg("%g m/s, from %g", m.vy, (double)def.position.y);
        assert_done(cn_body_destroy(world, ball));
    }
    cn_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crate_created_asleep_does_not_fall_through),
        cmocka_unit_test(a_pinned_body_bears_any_load),
        cmocka_unit_test(boxes_made_in_one_place_part_without_bursting),
        cmocka_unit_test(boxes_made_in_a_full_bin_find_room),
        cmocka_unit_test(a_box_put_deep_into_one_that_it_lies_on_parts_calmly),
        cmocka_unit_test(a_pile_far_out_comes_to_rest),
        cmocka_unit_test(nobody_falls_asleep_in_mid_air),
        cmocka_unit_test(what_a_lock_holds_up_falls_asleep),
        cmocka_unit_test(what_is_left_of_a_body_has_a_mass),
        cmocka_unit_test(no_damping_is_too_much),
        cmocka_unit_test(what_spins_beyond_measure_harms_nobody),
        cmocka_unit_test(a_wheel_that_spins_beyond_measure_harms_nobody),
        cmocka_unit_test(a_tiny_speed_limit_harms_nobody),
        cmocka_unit_test(a_lock_holds_also_who_hits_a_slope),
        cmocka_unit_test(the_shortest_steps_harm_nobody),
        cmocka_unit_test(a_lock_holds_also_who_is_made_deep_in_others),
        cmocka_unit_test(what_is_in_a_refused_body_is_as_firm_as_ever),
        cmocka_unit_test(a_body_that_is_deep_and_becomes_kinematic_is_the_same_for_all),
        cmocka_unit_test(a_longer_step_after_a_short_one_throws_nothing),
        cmocka_unit_test(what_flies_past_a_corner_is_not_deflected),
        cmocka_unit_test(a_small_ball_does_not_hang_on_a_stale_contact),
        cmocka_unit_test(a_change_of_type_keeps_the_motion),
        cmocka_unit_test(who_never_sleeps_keeps_its_island_awake),
        cmocka_unit_test(a_plank_lies_on_the_crest_of_thin_ground),
        cmocka_unit_test(what_turns_does_not_fall_through_a_one_way_platform),
        cmocka_unit_test(what_tumbles_does_not_pass_a_curved_chain),
        cmocka_unit_test(a_stack_of_compound_bodies_comes_to_rest),
        cmocka_unit_test(a_pile_rests_while_steps_change),
        cmocka_unit_test(a_stop_keeps_to_the_speed_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
