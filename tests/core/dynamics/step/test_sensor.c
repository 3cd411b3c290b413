/* Sensors see exactly the shapes that overlap them, and every begin has its end. */
#include "../../../support/meter.h"
#include "sensors.h"

static void sensors_see_exactly_the_shapes_that_overlap_them(void **state) {
    (void)state;
    static ledger open;
    long total = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cn_body bodies[BODIES] = {0};
        chance = seed, open.count = 0;
        cn_world *world = make_world(GRAVITY);
        assert_done(cn_world_set_no_sleep(world, false));
        add_walls(world);
        for (int i = 0; i < 1000; i++) {
            for (int k = one_in(40) ? 0 : below(3); k > 0; k--) change_something(world, bodies);
            run(world, one_in(50) ? 1 : 1);
            follow(&open, world);
            total += check_overlaps(&open, world);
        }
        for (cn_body b; (b = cn_world_next_body(world, (cn_body){0})).id;)
            assert_done(cn_body_destroy(world, b));
        run(world, 1);
        follow(&open, world);
        assert_int_equal(open.count, 0);
        cn_world_destroy(world);
    }
    assert_true(total > 10000); // otherwise the checks above did next to nothing
}

// ---- what sensors see

static cn_body add_sensor(cn_world *world, cn_motion_type type, vec2s position, cn_hull hull) {
    return add(world, (cn_body_def){.type = type, .position = position, .weightless = true},
               (cn_shape_def){.hull = hull, .sensor = true, .user_data = 5});
}

static int count_overlaps(const cn_world *world, cn_body sensor) {
    return cn_sensor_shapes(world, first_shape(world, sensor), NULL, 0);
}

static void a_sensor_sees_bodies_of_every_type(void **state) {
    (void)state;
    for (int type = 0; type < 3; type++) {
        cn_world *world = make_world(0);
        assert_done(cn_world_set_no_sleep(world, false));
        cn_body sensor = add_sensor(world, (cn_motion_type)type, point(0, 0), cn_circle(2));
        cn_body_def def = {.position = point(-1, 0)};
        add(world, def, (cn_shape_def){.hull = cn_circle(0.1f)});
        def.asleep = true, def.position = point(1, 0);
        cn_body sleeper = add(world, def, (cn_shape_def){.hull = cn_circle(0.1f)});
        assert_done(cn_body_set_asleep(world, sleeper, true));
        def = (cn_body_def){.type = CN_STATIC, .position = point(0, 1)};
        add(world, def, (cn_shape_def){.hull = cn_circle(0.1f)});
        def = (cn_body_def){.type = CN_KINEMATIC, .position = point(0, -1)};
        add(world, def, (cn_shape_def){.hull = cn_circle(0.1f)});
        cn_body other = add_sensor(world, CN_STATIC, point(0.5, 0.5), cn_circle(0.1f));
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(5, 0)},
            (cn_shape_def){.hull = cn_circle(0.1f)});
        run(world, 1);
        assert_int_equal(count_overlaps(world, sensor), 5);
        assert_int_equal(count_overlaps(world, other), 1);
        run(world, 120);
        assert_int_equal(count_overlaps(world, sensor), 5);
        cn_world_destroy(world);
    }
}

static void a_sensor_does_not_see_its_own_body(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    cn_body body = add_ball(world, 0, 0);
    cn_shape_def eye = {.hull = cn_circle(3), .sensor = true, .massless = true};
    cn_shape sensor = cn_shape_create(world, body, &eye);
    assert_done(sensor.id != 0);
    run(world, 2);
    assert_int_equal(cn_sensor_shapes(world, sensor, NULL, 0), 0);
    add_ball(world, 2, 0);
    run(world, 1);
    cn_shape seen;
    assert_int_equal(cn_sensor_shapes(world, sensor, &seen, 1), 1);
    assert_true(cn_shape_body(world, seen).id != body.id);
    assert_int_equal(cn_sensor_shapes(world, seen, NULL, 0), 0); // not a sensor
    cn_world_destroy(world);
}

static void a_sensor_collides_with_nothing(void **state) {
    (void)state;
    cn_world *world = make_world(GRAVITY);
    add_sensor(world, CN_STATIC, point(0, 0), cn_box(5, 1));
    cn_body body = add_ball(world, 0, 3);
    add(world, (cn_body_def){.position = point(0, 3)},
        (cn_shape_def){.hull = ball, .sensor = true}); // inside the ball, and falls with it
    for (int i = 1; i <= 60; i++) {
        run(world, 1);
        assert_int_equal(cn_world_contacts(world, NULL, 0), 0);
    }
    assert_near(motion_of(world, body).y, 3 - GRAVITY / 2, 1e-3);
    cn_world_destroy(world);
}

// ---- within one step

static void a_body_that_crosses_a_sensor_within_a_step_begins_and_ends(void **state) {
    (void)state;
    const cn_motion_type types[] = {CN_DYNAMIC, CN_KINEMATIC};
    for (int t = 0; t < 2; t++)
        for (int moving_sensor = 0; moving_sensor < 2; moving_sensor++)
            for (double speed = 10; speed < 1000; speed *= 1.3) {
                cn_world *world = make_world(0);
                cn_body_def fast = {.type = types[t], .position = point(-3, 0.03)};
                fast.velocity = point(speed, 0);
                cn_shape_def small = {.hull = cn_circle(0.05f), .sensor = moving_sensor};
                add(world, fast, small);
                small.sensor = !moving_sensor;
                small.hull = cn_box(0.05f, 2);
                add(world, (cn_body_def){.type = CN_STATIC}, small);
                tally sum = count_events(world, 60);
                assert_int_equal(sum.sensor_begins, 1);
                assert_int_equal(sum.sensor_ends, 1);
                cn_world_destroy(world);
            }
}

// (A body that a sensor left slowly was once seen a second time, because of rounding.)
static void a_body_that_passes_a_moving_sensor_is_seen_once(void **state) {
    (void)state;
    for (int i = 0; i < 600; i++) {
        cn_world *world = make_world(0);
        double speed = i % 3 ? 3.5 : 5, part = i / 600.0;
        add(world, (cn_body_def){.type = CN_KINEMATIC, .velocity = point(3, 0)},
            (cn_shape_def){.hull = cn_box(0.05f, 8), .sensor = true});
        cn_body_def passer = {.velocity = point(speed, 0), .angle = (float)(0.01 * i)};
        passer.position = point(-0.8 - 0.2 * part, 3 * part - 1.5);
        cn_hull hulls[] = {cn_circle(0.5f), cn_capsule(point(0, -0.3), point(0, 0.3), 0.3f)};
        add(world, passer, (cn_shape_def){.hull = hulls[i / 3 % 2]});
        tally sum = count_events(world, 300);
        assert_int_equal(sum.sensor_begins, 1);
        assert_int_equal(sum.sensor_ends, 1);
        cn_world_destroy(world);
    }
}

// A sensor works at any distance from the middle of its static body. (Bullets once passed through
// goals unseen.)
static void a_sensor_is_crossed_at_any_place(void **state) {
    (void)state;
    for (int moving_sensor = 0; moving_sensor < 2; moving_sensor++)
        for (double y = -1.9; y < 8; y += 0.3) {
            cn_world *world = make_world(0);
            cn_hull tall = cn_box(0.05f, 5);
            tall = cn_hull_at(tall, cn_pose_at((vec2s){{0, 3}}, 0));
            add(world, (cn_body_def){.type = CN_STATIC},
                (cn_shape_def){.hull = tall, .sensor = !moving_sensor});
            add(world, (cn_body_def){.position = point(-3, y), .velocity = point(400, 0)},
                (cn_shape_def){.hull = cn_circle(0.2f), .sensor = moving_sensor});
            tally sum = count_events(world, 5);
            assert_int_equal(sum.sensor_begins, 1);
            assert_int_equal(sum.sensor_ends, 1);
            cn_world_destroy(world);
        }
}

// The bullet stops at the wall, so the sensor behind the wall does not see it.
static void a_bullet_does_not_reach_sensors_behind_a_wall(void **state) {
    (void)state;
    cn_world *world = make_world(0);
    add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_box(0.1f, 5)});
    add_sensor(world, CN_STATIC, point(-1, 0), cn_box(0.1f, 5));
    add_sensor(world, CN_STATIC, point(1, 0), cn_box(0.1f, 5));
    add(world, (cn_body_def){.position = point(-4, 0), .velocity = point(600, 0), .bullet = true},
        (cn_shape_def){.hull = cn_circle(0.05f)});
    tally sum = count_events(world, 60);
    assert_int_equal(sum.sensor_begins, 1);
    assert_int_equal(sum.sensor_ends, 1);
    cn_world_destroy(world);
}

// ---- ends

static void ends_name_destroyed_objects_as_they_were(void **state) {
    (void)state;
    for (int part = 0; part < 4; part++) {
        cn_world *world = make_world(0);
        cn_body sensor = add_sensor(world, CN_STATIC, point(0, 0), cn_circle(1));
        cn_body body =
            add(world, (cn_body_def){.user_data = 7}, (cn_shape_def){.hull = ball, .user_data = 8});
        cn_shape eye = first_shape(world, sensor), shape = first_shape(world, body);
        assert_int_equal(count_events(world, 2).sensor_begins, 1);
        if (part == 0) assert_done(cn_body_destroy(world, body));
        if (part == 1) assert_done(cn_shape_destroy(world, shape));
        if (part == 2) assert_done(cn_body_destroy(world, sensor));
        if (part == 3) assert_done(cn_shape_destroy(world, eye));
        assert_int_equal(cn_world_events(world).sensor_end_count, 0);
        add_ball(world, 50, 50);
        run(world, 1);
        cn_events events = cn_world_events(world);
        assert_int_equal(events.sensor_end_count, 1);
        cn_sensor_event e = events.sensor_ends[0];
        assert_true(e.sensor.shape.id == eye.id && e.sensor.body.id == sensor.id);
        assert_true(e.other.shape.id == shape.id && e.other.body.id == body.id);
        assert_int_equal(e.sensor.shape_user_data, 5);
        assert_int_equal(e.other.body_user_data, 7);
        assert_int_equal(e.other.shape_user_data, 8);
        assert_int_equal(count_events(world, 3).sensor_ends, 0);
        cn_world_destroy(world);
    }
}

// ---- memory

// A step without memory either fails or postpones what its sensors see.
static void failed_allocations_lose_no_pair(void **state) {
    (void)state;
    static ledger open;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        meter m = {0};
        cn_body bodies[BODIES] = {0};
        chance = seed, open.count = 0;
        cn_world *world =
            cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .allocator = metered(&m)});
        assert_done(world != NULL);
        add_walls(world);
        for (int i = 0; i < 400; i++) {
            m = (meter){0};
            for (int k = below(3); k > 0; k--) change_something(world, bodies);
            m = (meter){.fail_at = one_in(2) ? 1 + below(6) : 0, .keeps_failing = true};
            bool stepped = cn_world_step(world, STEP), starved = has_failed(&m);
            m = (meter){0};
            if (!stepped) assert_int_equal(cn_error_code(), CN_ERROR_MEMORY);
            if (stepped) follow(&open, world);
            if (stepped && !starved) check_overlaps(&open, world);
        }
        cn_world_destroy(world);
    }
}

// While memory is short, the slot of the destroyed shape is not used again, because its end event
// is still to come.
static void an_end_waits_for_memory(void **state) {
    (void)state;
    meter m = {0};
    cn_world *world = cn_world_create(&(cn_world_def){.allocator = metered(&m)});
    assert_done(world != NULL);
    add_sensor(world, CN_STATIC, point(0, 0), cn_circle(5));
    cn_body_def still = {.type = CN_STATIC};
    cn_shape gone = first_shape(world, add(world, still, (cn_shape_def){.hull = ball}));
    run(world, 2);
    cn_world_events(world);
    assert_done(cn_body_destroy(world, cn_shape_body(world, gone)));
    for (int i = 0; i < 40; i++) add(world, still, (cn_shape_def){.hull = ball});
    for (int i = 0; i < 4; i++) {
        // The first step also needs more scratch memory.
        m = (meter){.fail_at = i == 0 ? 2 : 1, .keeps_failing = true};
        assert_done(cn_world_step(world, STEP));
        m = (meter){0};
        assert_int_equal(cn_world_events(world).sensor_end_count, 0);
    }
    for (int i = 0; i < 4; i++) add(world, still, (cn_shape_def){.hull = ball});
    run(world, 1);
    cn_events events = cn_world_events(world);
    assert_int_equal(events.sensor_begin_count, 44);
    assert_int_equal(events.sensor_end_count, 1);
    assert_true(events.sensor_ends[0].other.shape.id == gone.id);
    cn_world_destroy(world);
}

// (Once they did only while a dynamic body was near.)
static void sensors_of_any_body_see_tiles(void **state) {
    (void)state;
    const uint8_t solid[] = {1, 1, 0};
    for (cn_motion_type type = CN_DYNAMIC; type <= CN_STATIC; type++) {
        cn_world *world = make_world(0);
        cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        cn_grid tiles = cn_grid_create(
            world, ground, &(cn_grid_def){.solid = solid, .width = 3, .height = 1, .tile_size = 1});
        assert_true(tiles.id != 0);
        cn_body zone = cn_body_create(world, &(cn_body_def){.type = type});
        cn_shape sensor = cn_shape_create(
            world, zone, &(cn_shape_def){.hull = cn_box(1.5f, 1.5f), .sensor = true});
        run(world, 1);
        assert_int_equal(cn_world_events(world).sensor_begin_count, 2);
        run(world, 300);
        assert_int_equal(cn_sensor_shapes(world, sensor, NULL, 0), 2);
        assert_done(cn_grid_set_solid(world, tiles, 0, 0, false));
        run(world, 1);
        assert_int_equal(cn_world_events(world).sensor_end_count, 1);
        assert_done(cn_grid_set_solid(world, tiles, 0, 0, true));
        run(world, 1);
        assert_int_equal(cn_world_events(world).sensor_begin_count, 1);
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sensors_see_exactly_the_shapes_that_overlap_them),
        cmocka_unit_test(a_sensor_sees_bodies_of_every_type),
        cmocka_unit_test(a_sensor_does_not_see_its_own_body),
        cmocka_unit_test(a_sensor_collides_with_nothing),
        cmocka_unit_test(a_body_that_crosses_a_sensor_within_a_step_begins_and_ends),
        cmocka_unit_test(a_sensor_is_crossed_at_any_place),
        cmocka_unit_test(a_body_that_passes_a_moving_sensor_is_seen_once),
        cmocka_unit_test(a_bullet_does_not_reach_sensors_behind_a_wall),
        cmocka_unit_test(ends_name_destroyed_objects_as_they_were),
        cmocka_unit_test(failed_allocations_lose_no_pair),
        cmocka_unit_test(an_end_waits_for_memory),
        cmocka_unit_test(sensors_of_any_body_see_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
