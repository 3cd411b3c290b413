/* What games ask for beyond plain bodies: platforms that are solid from one side, belts and
 * rolling resistance; and contacts asked for body by body. */
#include "games.h"

// ---- one-way

// 8 m wide; its upper side goes through the body's position.
static cn_body add_platform(cn_world *world, cn_body_def def) {
    cn_hull hull = cn_box(4, 0.1f);
    hull = cn_hull_at(&hull, cn_pose_at(point(0, -0.1), 0));
    return add(world, def, (cn_shape_def){.hull = hull, .one_way = {{0, 1}}});
}

static cn_body add_shelf(cn_world *world, double y) {
    return add_platform(world, (cn_body_def){.type = CN_STATIC, .position = point(0, y)});
}

// From above it is a solid floor, to the last bit.
static void a_platform_holds_what_falls_at_any_speed(void **state) {
    (void)state;
    const cn_hull hulls[] = {ball, crate(), pill()};
    const double speeds[] = {0, 5, 20, 50, 300};
    for (int i = 0; i < COUNT(hulls) * COUNT(speeds); i++) {
        vec2s velocity = point(0, -speeds[i % COUNT(speeds)]);
        cn_body bodies[2];
        cn_world *worlds[2];
        for (int solid = 0; solid < 2; solid++) {
            worlds[solid] = make_world(GRAVITY);
            cn_shape shelf = first_shape(worlds[solid], add_shelf(worlds[solid], 0));
            if (solid) assert_done(cn_shape_set_one_way(worlds[solid], shelf, point(0, 0)));
            bodies[solid] = throw(worlds[solid], hulls[i / COUNT(speeds)], point(0.2, 3), velocity);
        }
        for (int k = 0; k < 90; k++) {
            run(worlds[0], 1);
            run(worlds[1], 1);
            assert_near(height_of(worlds[0], bodies[0]), height_of(worlds[1], bodies[1]), 0);
            assert_true(height_of(worlds[0], bodies[0]) > 0.2);
        }
        cn_world_destroy(worlds[0]);
        cn_world_destroy(worlds[1]);
    }
}

static void a_jump_from_below_passes_and_lands(void **state) {
    (void)state;
    const cn_hull hulls[] = {ball, crate(), pill()};
    for (int h = 0; h < COUNT(hulls); h++) {
        cn_world *world = make_world(GRAVITY);
        add_shelf(world, 0);
        cn_body body = throw(world, hulls[h], point(0, -2), point(0, 10));
        for (int i = 1; i <= 60; i++) { // up to its highest point nothing acts but gravity
            run(world, 1);
            assert_near(motion_of(world, body).vy, 10 - GRAVITY * seconds_of(i), 1e-4);
        }
        run(world, 200);
        assert_near(height_of(world, body), 0.5, 0.02);
        cn_world_destroy(world);
    }
}

static void a_platform_lets_through_what_comes_from_the_side(void **state) {
    (void)state;
    const cn_hull hulls[] = {ball, crate(), pill()};
    for (int h = 0; h < COUNT(hulls); h++)
        for (int i = 0; i < 3; i++) {
            cn_world *world = make_world(0);
            add_shelf(world, 0);
            cn_body body = throw(world, hulls[h], point(-8, 0.3 * i - 0.4), point(10, 0));
            run(world, 120);
            assert_near(motion_of(world, body).vx, 10, 0);
            assert_near(motion_of(world, body).x, 12, 1e-3);
            cn_world_destroy(world);
        }
}

static void half_a_jump_falls_back(void **state) {
    (void)state;
    const double tops[] = {-0.6, -0.3, 0, 0.3, 0.49}; // of the jump, of the middle of the body
    const cn_hull hulls[] = {ball, crate(), pill()};
    for (int i = 0; i < COUNT(tops); i++)
        for (int h = 0; h < COUNT(hulls); h++) {
            cn_world *world = make_world(GRAVITY);
            add_shelf(world, 0);
            double v = sqrt(2 * GRAVITY * (tops[i] + 2)), t = seconds_of(90);
            cn_body body = throw(world, hulls[h], point(0, -2), point(0, v));
            run(world, 90);
            assert_near(height_of(world, body), -2 + v * t - GRAVITY * t * t / 2, 1e-3);
            cn_world_destroy(world);
        }
}

static void moving_platforms_carry(void **state) {
    (void)state;
    const vec2s velocities[] = {{{2, 0}},   {{0, 2}},  {{0, -2}}, {{1, 1}},
                                {{-1, -1}}, {{0, 15}}, {{3, -5}}};
    const cn_hull hulls[] = {crate(), pill()};
    for (int i = 0; i < COUNT(velocities); i++)
        for (int h = 0; h < COUNT(hulls); h++) {
            cn_world *world = make_world(GRAVITY);
            cn_body platform =
                add_platform(world, (cn_body_def){.type = CN_KINEMATIC, .velocity = velocities[i]});
            cn_body body = throw(world, hulls[h], point(0, 0.6), velocities[i]);
            run(world, 240);
            motion m = motion_of(world, body), p = motion_of(world, platform);
            assert_near(m.vx, (double)velocities[i].x, 1e-3);
            assert_near(m.vy, (double)velocities[i].y, 1e-3);
            assert_near(m.y - p.y, 0.5, 0.02);
            assert_near(m.x - p.x, 0, 0.1);
            cn_world_destroy(world);
        }
}

static void a_rising_platform_lifts_what_falls_on_it(void **state) {
    (void)state;
    const double speeds[] = {1, 5, 20, 50};
    for (int i = 0; i < COUNT(speeds); i++) {
        cn_world *world = make_world(GRAVITY);
        cn_body platform = add_platform(
            world, (cn_body_def){.type = CN_KINEMATIC, .velocity = point(0, speeds[i])});
        cn_body body = throw(world, crate(), point(0, 5), point(0, -10));
        run(world, 240);
        assert_near(height_of(world, body) - height_of(world, platform), 0.5, 0.03);
        cn_world_destroy(world);
    }
}

// A cart with a shelf 2 m above its middle; a ball falls on it, another flies through from below.
static void a_body_may_carry_a_platform(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body cart = add(world, (cn_body_def){.position = point(0, 0.5)},
                       (cn_shape_def){.hull = cn_box(2, 0.5f)});
    cn_hull shelf = cn_box(2, 0.1f);
    shelf = cn_hull_at(&shelf, cn_pose_at(point(0, 2), 0));
    assert_done(
        cn_shape_create(world, cart, &(cn_shape_def){.hull = shelf, .one_way = {{0, 1}}}).id != 0);
    cn_body above = throw(world, crate(), point(-1, 4), point(0, 0));
    cn_body below = throw(world, crate(), point(1, 1.5), point(0, 8));
    run(world, 12);
    assert_near(motion_of(world, below).vy, 8 - GRAVITY * 0.2, 1e-3);
    run(world, 300);
    assert_near((double)cn_body_position(world, cart).y, 0.5, 0.02);
    assert_near(height_of(world, above), 3.1, 0.03);
    assert_near(height_of(world, below), 3.1, 0.03);
    cn_world_destroy(world);
}

static void a_platform_turns_with_its_body(void **state) {
    (void)state;
    const float angles[] = {0.3f, 1.5f, -2, 3.1f};
    for (int i = 0; i < COUNT(angles); i++) {
        cn_world *world = make_world(0);
        add_platform(world, (cn_body_def){.type = CN_STATIC, .angle = angles[i]});
        cn_pose pose = cn_pose_at(point(0, 0), angles[i]);
        cn_body down = throw(world, ball, cn_pose_point(pose, point(-1, 3)),
                             cn_pose_point(pose, point(0, -6)));
        cn_body up =
            throw(world, ball, cn_pose_point(pose, point(1, -3)), cn_pose_point(pose, point(0, 6)));
        run(world, 60);
        vec2s held = cn_pose_local_point(pose, cn_body_position(world, down));
        vec2s passed = cn_pose_local_point(pose, cn_body_position(world, up));
        assert_near((double)held.y, 0.5, 0.02);
        assert_near((double)passed.y, 3, 1e-3);
        cn_world_destroy(world);
    }
}

static void one_way_is_switched_on_a_live_shape(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    cn_shape shape = first_shape(world, add_shelf(world, 0));
    cn_body body = throw(world, crate(), point(0, 0.5), point(0, 0));
    assert_vector(cn_shape_one_way(world, shape), 0, 1);
    for (int i = 0; i < 3; i++) { // solid, one-way, solid again: it stands on all of them
        assert_done(cn_shape_set_one_way(world, shape, point(0, i % 2)));
        run(world, 60);
        assert_near(height_of(world, body), 0.5, 0.01);
    }
    assert_done(cn_body_set_pose(world, body, point(0, -2), 0)); // from below it hits the solid one
    assert_done(cn_body_set_velocity(world, body, point(0, 9)));
    run(world, 60);
    assert_true(height_of(world, body) < -0.69);
    assert_done(cn_body_set_pose(world, body, point(0, 0.5), 0));
    assert_done(cn_body_set_velocity(world, body, point(0, 0)));
    run(world, 30);
    assert_near(height_of(world, body), 0.5, 0.01);
    assert_done(cn_shape_set_one_way(world, shape, point(0, -1))); // solid from below: it falls
    run(world, 60);
    assert_near(height_of(world, body), 0.5 - GRAVITY / 2, 0.02);
    cn_world_destroy(world);
}

static void a_body_drops_through_for_a_time(void **state) {
    (void)state;
    const struct {
        float seconds;
        double lands;
    } drops[] = {{0, 6.5}, {0.3f, 3.5}, {0.7f, 3.5}, {1.2f, 0.5}};
    for (int i = 0; i < COUNT(drops); i++)
        for (int asleep = 0; asleep < 2; asleep++) {
            cn_world *world = make_world(GRAVITY);
            add_floor(world, (cn_material){0});
            add_shelf(world, 6);
            add_shelf(world, 3);
            assert_done(cn_world_set_sleeping(world, true));
            cn_body body = throw(world, crate(), point(0, 6.5), point(0, 0));
            run(world, asleep ? 120 : 10);
            assert_int_equal(cn_body_awake(world, body), !asleep);
            assert_done(cn_body_drop_through(world, body, 1));
            assert_done(
                cn_body_drop_through(world, body, drops[i].seconds)); // the last word counts
            run(world, 120);
            assert_near(height_of(world, body), drops[i].lands, 0.02);
            cn_world_destroy(world);
        }
}

static void a_stack_sleeps_and_wakes_on_a_platform(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_sleeping(world, true));
    add_shelf(world, 0);
    cn_body stack[5];
    for (int i = 0; i < 5; i++) stack[i] = throw(world, crate(), point(0, 0.5 + i), point(0, 0));
    run(world, 120);
    assert_false(cn_body_awake(world, stack[0]));
    throw(world, ball, point(0.1, 8), point(0, 0)); // falls on top and wakes them
    run(world, 50);
    assert_true(cn_body_awake(world, stack[0]));
    run(world, 300);
    for (int i = 0; i < 5; i++) assert_near(height_of(world, stack[i]), 0.5 + i, 0.03);
    assert_done(
        cn_body_drop_through(world, stack[0], 0.4f)); // the others follow as far as they can
    run(world, 120);
    assert_true(height_of(world, stack[0]) < -5);
    assert_near(height_of(world, stack[1]), 0.5, 0.03);
    cn_world_destroy(world);
}

// From a solid floor onto a platform of the same height, as onto a solid one.
static void what_slides_onto_a_platform_is_held(void **state) {
    (void)state;
    const cn_hull hulls[] = {ball, crate(), pill()};
    cn_shape_def floor = {.hull = cn_box(4, 1), .material = {.frictionless = true}};
    for (int i = 0; i < 2 * COUNT(hulls); i++) {
        int side = i % 2 ? 1 : -1;
        double x[2];
        for (int solid = 0; solid < 2; solid++) {
            cn_world *world = make_world(GRAVITY);
            cn_shape shelf = first_shape(world, add_shelf(world, 0));
            if (solid) assert_done(cn_shape_set_one_way(world, shelf, point(0, 0)));
            add(world, (cn_body_def){.type = CN_STATIC, .position = point(8 * side, -1)}, floor);
            cn_body body = throw(world, hulls[i / 2], point(7 * side, 0.5), point(-4 * side, 0));
            run(world, 100);
            x[solid] = motion_of(world, body).x;
            assert_true(fabs(x[solid]) < 4);
            assert_near(height_of(world, body), 0.5, 0.01);
            cn_world_destroy(world);
        }
        assert_near(x[0], x[1], 0.1);
    }
}

static void only_the_body_that_drops_drops(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    for (int side = -1; side <= 1; side += 2) // two platforms that meet at x = 0
        add_platform(world, (cn_body_def){.type = CN_STATIC, .position = point(4 * side, 0)});
    cn_body body = throw(world, crate(), point(0, 0.5), point(0, 0));
    cn_body other = throw(world, crate(), point(2, 0.5), point(0, 0));
    run(world, 30);
    assert_done(cn_body_drop_through(world, body, 0.5f));
    run(world, 30);
    assert_near(height_of(world, body), 0.5 - GRAVITY / 8, 0.03);
    assert_near(height_of(world, other), 0.5, 0.01);
    cn_world_destroy(world);
}

static void continuous_collision_knows_the_side(void **state) {
    (void)state;
    for (int bullet = 0; bullet < 2; bullet++)
        for (double speed = 20; speed < 1000; speed *= 1.7) {
            cn_world *world = make_world(0);
            add_shelf(world, 0);
            cn_shape_def shape = {.hull = cn_box(0.1f, 0.15f)};
            cn_body_def def = {.position = point(-1, -5), .bullet = bullet};
            def.velocity = point(0, speed);
            cn_body up = add(world, def, shape);
            def.position = point(1, 5), def.velocity = point(0, -speed);
            cn_body down = add(world, def, shape);
            run(world, 30);
            assert_near(height_of(world, up), speed / 2 - 5, 1e-3 * speed);
            assert_near(height_of(world, down), 0.15, 0.02);
            cn_world_destroy(world);
        }
}

// ---- belts

static cn_body add_belt(cn_world *world, float speed, cn_body_def def) {
    return add(world, def,
               (cn_shape_def){.hull = cn_box(100, 1), .material = {.surface_speed = speed}});
}

static void a_belt_carries_a_box_at_its_speed(void **state) {
    (void)state;
    const float speeds[] = {2, -3, 0.1f};
    for (int i = 0; i < COUNT(speeds); i++) {
        cn_world *world = make_world(GRAVITY);
        add_belt(world, speeds[i], (cn_body_def){.type = CN_STATIC, .position = point(0, -1)});
        cn_body box = throw(world, crate(), point(0, 0.5), point(0, 0));
        cn_body rod = throw(world, pill(), point(5, 0.5), point(0, 0));
        cn_body tread = add(
            world, (cn_body_def){.position = point(-5, 0.5)},
            (cn_shape_def){.hull = crate(), .material = {.friction = 0.6f, .surface_speed = 1}});
        run(world, 120);
        assert_near(motion_of(world, box).vx, (double)speeds[i], 1e-3);
        assert_near(motion_of(world, rod).vx, (double)speeds[i], 1e-3);
        assert_near(motion_of(world, tread).vx, (double)speeds[i] + 1, 1e-3); // two add up
        cn_world_destroy(world);
    }
}

// Friction gives it v = J / m and w r = J r^2 / I = 2 v: the belt's speed is 3 v.
static void a_belt_sets_a_circle_rolling(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_belt(world, 3, (cn_body_def){.type = CN_STATIC, .position = point(0, -1)});
    cn_body body = add_ball(world, 0, 0.5);
    run(world, 120);
    assert_near(motion_of(world, body).vx, 1, 0.01);
    assert_near(motion_of(world, body).w, 4, 0.04);
    cn_world_destroy(world);
}

// Clockwise: the upper side to the right, the right one down, the lower one to the left, the left one up.
static void a_belt_runs_clockwise(void **state) {
    (void)state;
    const vec2s sides[] = {{{0, 1}}, {{1, 0}}, {{0, -1}}, {{-1, 0}}};
    for (int i = 0; i < 4; i++) {
        vec2s n = sides[i];
        cn_world *world = make_world(0);
        assert_done(cn_world_set_gravity(world, point(-10 * (double)n.x, -10 * (double)n.y)));
        add(world, (cn_body_def){.type = CN_STATIC},
            (cn_shape_def){.hull = cn_box(20, 20), .material = {.surface_speed = 2}});
        cn_body body =
            throw(world, crate(), point(20.5 * (double)n.x, 20.5 * (double)n.y), point(0, 0));
        run(world, 120);
        vec2s v = cn_body_velocity(world, body);
        assert_near((double)v.x, 2 * (double)n.y, 1e-3);
        assert_near((double)v.y, -2 * (double)n.x, 1e-3);
        cn_world_destroy(world);
    }
}

static void belts_may_be_tilted_and_move(void **state) {
    (void)state;
    for (int moving = 0; moving < 2; moving++)
        for (double angle = -0.4; angle < 0.5; angle += 0.2) {
            cn_world *world = make_world(GRAVITY);
            cn_pose pose = cn_pose_at(point(0, 0), (float)angle);
            cn_body_def def = {.type = moving ? CN_KINEMATIC : CN_STATIC, .angle = (float)angle};
            if (moving) def.velocity = point(1, 0.5);
            add_belt(world, 2, def);
            cn_body body = add(world,
                               (cn_body_def){.position = cn_pose_point(pose, point(0, 1.5)),
                                             .angle = (float)angle},
                               (cn_shape_def){.hull = crate()});
            run(world, 120);
            vec2s v = cn_body_velocity(world, body), belt = cn_pose_point(pose, point(2, 0));
            assert_near((double)v.x, (double)(belt.x + def.velocity.x), 5e-3);
            assert_near((double)v.y, (double)(belt.y + def.velocity.y), 5e-3);
            cn_world_destroy(world);
        }
}

static void a_live_belt_changes_its_speed(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_sleeping(world, true));
    cn_shape belt = first_shape(world, add_floor(world, (cn_material){0}));
    cn_body body = throw(world, crate(), point(0, 0.5), point(0, 0));
    const float speeds[] = {0, 2, 0.03f, -1, 0, 3}; // one below the sleep speed
    for (int i = 0; i < COUNT(speeds); i++) {
        cn_material material = cn_shape_material(world, belt);
        material.surface_speed = speeds[i];
        assert_done(cn_shape_set_material(world, belt, material));
        run(world, 150);
        assert_int_equal(cn_body_awake(world, body), speeds[i] != 0);
        assert_near(motion_of(world, body).vx, (double)speeds[i], 1e-3);
    }
    cn_world_destroy(world);
}

// It seems to be at rest, and is not; but what a stop holds is.
static void what_a_slow_belt_carries_stays_awake(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_sleeping(world, true));
    add_belt(world, 0.03f, (cn_body_def){.type = CN_STATIC, .position = point(0, -1)});
    add(world, (cn_body_def){.type = CN_STATIC, .position = point(6, 0.5)},
        (cn_shape_def){.hull = crate()});
    cn_body carried = throw(world, crate(), point(0, 0.5), point(0, 0));
    cn_body held = throw(world, crate(), point(5, 0.5), point(0, 0));
    run(world, 300);
    assert_true(cn_body_awake(world, carried));
    assert_false(cn_body_awake(world, held));
    assert_done(cn_body_set_awake(world, carried, false)); // as on any other belt
    cn_world_destroy(world);
}

// ---- rolling resistance

static cn_body roll(cn_world *world, cn_hull hull, float resistance, double speed) {
    return add(world,
               (cn_body_def){.position = point(0, 0.5),
                             .velocity = point(speed, 0),
                             .angular_velocity = (float)(-2 * speed)},
               (cn_shape_def){.hull = hull, .material = {.rolling_resistance = resistance}});
}

// m a = f, I a / r = c m g r - f r: a = c g / (1 + I / (m r^2)).
static void rolling_resistance_brakes_a_circle(void **state) {
    (void)state;
    const float shares[] = {0, 0.02f, 0.1f};
    for (int i = 0; i < COUNT(shares); i++)
        for (int on_floor = 0; on_floor < 2; on_floor++) { // two mix as the larger
            cn_world *world = make_world(GRAVITY);
            add_floor(world, (cn_material){.rolling_resistance = on_floor ? shares[i] : 0});
            cn_body body = roll(world, ball, on_floor ? 0 : shares[i], 5);
            run(world, 120);
            double speed = 5 - 2 * (double)shares[i] * GRAVITY / 1.5;
            assert_near(motion_of(world, body).vx, speed, 0.01);
            assert_near(motion_of(world, body).w, -2 * speed, 0.02);
            cn_world_destroy(world);
        }
}

static void what_rolls_comes_to_rest_and_sleeps(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    assert_done(cn_world_set_sleeping(world, true));
    add_floor(world, (cn_material){0});
    cn_body body = roll(world, ball, 0.15f, 1); // a = 1: 1 s, 0.5 m
    run(world, 120);
    assert_false(cn_body_awake(world, body));
    assert_near(motion_of(world, body).x, 0.5, 0.02);
    cn_world_destroy(world);
}

// Its own radius counts, not that of a planet.
static void rolling_resistance_is_that_of_what_rolls(void **state) {
    (void)state;
    for (int on_floor = 0; on_floor < 2; on_floor++) {
        cn_world *world = make_world(GRAVITY);
        cn_material soft = {.rolling_resistance = 0.02f}, hard = {0};
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(0, -1000)},
            (cn_shape_def){.hull = cn_circle(1000), .material = on_floor ? soft : hard});
        cn_body body = roll(world, ball, on_floor ? 0 : 0.02f, 1);
        run(world, 30);
        assert_near(motion_of(world, body).vx, 1 - 0.5 * 0.02 * GRAVITY / 1.5, 0.005);
        cn_world_destroy(world);
    }
}

// A capsule that is nearly a circle.
static void rolling_resistance_brakes_capsules(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_floor(world, (cn_material){0});
    cn_body body = roll(world, cn_capsule(point(-1e-3, 0), point(1e-3, 0), 0.5f), 0.1f, 5);
    run(world, 120);
    assert_near(motion_of(world, body).vx, 5 - 2 * 0.1 * GRAVITY / 1.5, 0.05);
    cn_world_destroy(world);
}

// It crept down by 3 to 13 mm/s.
static void rolling_resistance_lets_nothing_creep(void **state) {
    (void)state;
    const double slopes[] = {0.1, 0.2, 0.28};
    for (int i = 0; i < 3; i++) {
        double c = 1 / hypot(1, slopes[i]);
        cn_world *world = make_world(GRAVITY);
        cn_world_set_gravity(world, point(GRAVITY * slopes[i] * c, -GRAVITY * c));
        add_floor(world, (cn_material){0});
        cn_body wheel =
            add(world, (cn_body_def){.position = point(0, 0.3)},
                (cn_shape_def){.hull = cn_circle(0.3f), .material = {.rolling_resistance = 0.3f}});
        run(world, 60);
        double x = motion_of(world, wheel).x;
        run(world, 600);
        assert_near(motion_of(world, wheel).x, x, 1e-4);
        cn_world_destroy(world);
    }
}

// It rests while tan a < c; else a = g (sin a - c cos a) / 1.5.
static void rolling_resistance_holds_a_circle_on_a_slope(void **state) {
    (void)state;
    for (double slope = 0.02; slope < 0.3; slope += 0.04) {
        cn_world *world = make_world(GRAVITY);
        add(world, (cn_body_def){.type = CN_STATIC, .angle = (float)-slope},
            (cn_shape_def){.hull = cn_box(100, 1)});
        cn_pose pose = cn_pose_at(point(0, 0), (float)-slope);
        cn_body body = add(world, (cn_body_def){.position = cn_pose_point(pose, point(0, 1.5))},
                           (cn_shape_def){.hull = ball, .material = {.rolling_resistance = 0.12f}});
        run(world, 120);
        double a = GRAVITY * (sin(slope) - 0.12 * cos(slope)) / 1.5;
        vec2s v = cn_pose_local_point(pose, cn_body_velocity(world, body));
        assert_near((double)v.x, 2 * fmax(a, 0), 0.01);
        cn_world_destroy(world);
    }
}

// ---- contacts of a body

enum { MOST_PAIRS = 512 };

static bool in_contact(const cn_contact *c, cn_body body) {
    return c->a.body.id == body.id || c->b.body.id == body.id;
}

// cn_body_contacts() and cn_touching() say the same as the list of all contacts.
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
            assert_int_equal(cn_touching(world, a, b), touching);
        }
    }
}

static bool agreeing_filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)a, (void)b;
    if (random_between(user, 0, 20) < 1) check_agreement(world);
    return true;
}

static bool agreeing_solve(cn_world *world, const cn_contact *contact, void *user) {
    assert_true(cn_touching(world, contact->a.body, contact->b.body));
    if (random_between(user, 0, 20) < 1) check_agreement(world);
    return true;
}

static void change_at_random(cn_world *world, uint64_t *chance) {
    cn_body body = {0};
    for (int i = (int)random_between(chance, 1, 30); i-- > 0;)
        body = cn_world_next_body(world, body);
    vec2s place = point(random_between(chance, -5, 5), random_between(chance, 1, 8));
    switch ((int)random_between(chance, 0, 8)) {
    case 0: cn_body_destroy(world, body); break;
    case 1: cn_body_set_awake(world, body, false); break;
    case 2: cn_body_set_pose(world, body, place, 0); break;
    case 3: cn_body_set_enabled(world, body, random_between(chance, 0, 2) < 1); break;
    case 4: cn_body_set_type(world, body, (cn_body_type)random_between(chance, 0, 3)); break;
    case 5: cn_shape_destroy(world, first_shape(world, body)); break;
    default: throw(world, random_between(chance, 0, 2) < 1 ? crate() : ball, place, point(0, 0));
    }
}

static void contacts_of_bodies_agree_with_those_of_the_world(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint64_t chance = seed, other_chance = seed;
        cn_world *world = make_world(GRAVITY);
        assert_done(cn_world_set_sleeping(world, true));
        add_floor(world, (cn_material){0});
        for (int i = 0; i < 25; i++) change_at_random(world, &chance);
        check_agreement(world); // before the first step
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
        cmocka_unit_test(a_platform_holds_what_falls_at_any_speed),
        cmocka_unit_test(a_jump_from_below_passes_and_lands),
        cmocka_unit_test(a_platform_lets_through_what_comes_from_the_side),
        cmocka_unit_test(half_a_jump_falls_back),
        cmocka_unit_test(moving_platforms_carry),
        cmocka_unit_test(a_rising_platform_lifts_what_falls_on_it),
        cmocka_unit_test(a_body_may_carry_a_platform),
        cmocka_unit_test(a_platform_turns_with_its_body),
        cmocka_unit_test(one_way_is_switched_on_a_live_shape),
        cmocka_unit_test(a_body_drops_through_for_a_time),
        cmocka_unit_test(a_stack_sleeps_and_wakes_on_a_platform),
        cmocka_unit_test(what_slides_onto_a_platform_is_held),
        cmocka_unit_test(only_the_body_that_drops_drops),
        cmocka_unit_test(continuous_collision_knows_the_side),
        cmocka_unit_test(a_belt_carries_a_box_at_its_speed),
        cmocka_unit_test(a_belt_sets_a_circle_rolling),
        cmocka_unit_test(a_belt_runs_clockwise),
        cmocka_unit_test(belts_may_be_tilted_and_move),
        cmocka_unit_test(a_live_belt_changes_its_speed),
        cmocka_unit_test(what_a_slow_belt_carries_stays_awake),
        cmocka_unit_test(rolling_resistance_brakes_a_circle),
        cmocka_unit_test(what_rolls_comes_to_rest_and_sleeps),
        cmocka_unit_test(rolling_resistance_is_that_of_what_rolls),
        cmocka_unit_test(rolling_resistance_brakes_capsules),
        cmocka_unit_test(rolling_resistance_holds_a_circle_on_a_slope),
        cmocka_unit_test(rolling_resistance_lets_nothing_creep),
        cmocka_unit_test(contacts_of_bodies_agree_with_those_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
