/* Sensors see exactly the shapes that overlap them, and every begin has its end. */
#include "meter.h"
#include "small_world.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// ---- pairs that are open according to the events

enum { MAX_OPEN = 1 << 14 };

typedef struct {
    uint64_t sensor, other; // handles
} pair;

typedef struct {
    pair pairs[MAX_OPEN];
    int count;
} ledger;

static int find_open(const ledger *l, const cn_sensor_event *event) {
    for (int i = 0; i < l->count; i++)
        if (l->pairs[i].sensor == event->sensor.shape.id &&
            l->pairs[i].other == event->other.shape.id)
            return i;
    return -1;
}

// Reads the events of a step, begins first: a body that crosses a sensor within a step begins and
// ends in it. A pair that ends was open, and a pair that begins was not.
static void follow(ledger *l, cn_world *world) {
    cn_events events = cn_world_events(world);
    for (int i = 0; i < events.sensor_begin_count; i++) {
        const cn_sensor_event *e = &events.sensor_begins[i];
        assert_true(find_open(l, e) < 0);
        assert_true(l->count < MAX_OPEN);
        assert_true(e->sensor.body.id != e->other.body.id);
        l->pairs[l->count++] = (pair){e->sensor.shape.id, e->other.shape.id};
    }
    for (int i = 0; i < events.sensor_end_count; i++) {
        int k = find_open(l, &events.sensor_ends[i]);
        assert_true(k >= 0);
        l->pairs[k] = l->pairs[--l->count];
    }
}

static bool is_open(const ledger *l, cn_shape sensor, cn_shape other) {
    for (int i = 0; i < l->count; i++)
        if (l->pairs[i].sensor == sensor.id && l->pairs[i].other == other.id) return true;
    return false;
}

// ---- brute force

static bool filters_agree(cn_filter a, cn_filter b) {
    if (a.group == b.group && a.group != 0) return a.group > 0;
    return a.category & b.mask && b.category & a.mask;
}

static double gap_between(const cn_world *world, cn_shape a, cn_shape b) {
    cn_hull hull_a = cn_shape_hull(world, a), hull_b = cn_shape_hull(world, b);
    cn_pose pose_a = cn_body_pose(world, cn_shape_body(world, a));
    cn_pose pose_b = cn_body_pose(world, cn_shape_body(world, b));
    return (double)cn_distance(&hull_a, pose_a, &hull_b, pose_b).distance;
}

// Returns 1 if the sensor must see the shape, 0 if it must not, -1 if they are too close to tell.
static int should_see(const cn_world *world, cn_shape sensor, cn_shape other) {
    cn_body a = cn_shape_body(world, sensor), b = cn_shape_body(world, other);
    if (!cn_shape_sensor(world, sensor) || a.id == b.id) return 0;
    if (!cn_body_enabled(world, a) || !cn_body_enabled(world, b)) return 0;
    if (!filters_agree(cn_shape_filter(world, sensor), cn_shape_filter(world, other))) return 0;
    double gap = gap_between(world, sensor, other);
    return fabs(gap) < 1e-4 ? -1 : gap < 0;
}

static bool is_listed(const cn_shape *shapes, int count, cn_shape shape) {
    for (int i = 0; i < count; i++)
        if (shapes[i].id == shape.id) return true;
    return false;
}

// Checks that events, lists and brute force agree. Returns the number of overlaps.
static int check_overlaps(const ledger *l, const cn_world *world) {
    static cn_shape seen[1024];
    int total = 0;
    for (cn_shape s = {0}; (s = cn_world_next_shape(world, s)).id;) {
        int count = cn_shape_overlaps(world, s, seen, COUNT(seen));
        assert_true(count <= COUNT(seen));
        total += count;
        for (cn_shape o = {0}; (o = cn_world_next_shape(world, o)).id;) {
            int expected = should_see(world, s, o);
            bool listed = is_listed(seen, count, o);
            assert_int_equal(listed, is_open(l, s, o));
            if (expected >= 0 && listed != expected)
                print_error("gap %g, listed %d\n", gap_between(world, s, o), listed);
            assert_true(expected < 0 || listed == expected);
        }
    }
    assert_int_equal(total, l->count);
    return total;
}

// ---- a random world

enum { BODIES = 24 };

static uint64_t chance;

static double uniform(double low, double high) { return random_between(&chance, low, high); }
static int below(int count) { return (int)uniform(0, count); }
static bool one_in(int count) { return below(count) == 0; }
static vec2s somewhere(void) { return point(uniform(-5, 5), uniform(0.5, 6)); }

static cn_hull some_hull(void) {
    float size = (float)uniform(0.2, 0.9);
    cn_hull hull = one_in(3)   ? cn_circle(size)
                   : one_in(3) ? cn_box(size, (float)uniform(0.2, 0.8))
                   : one_in(2) ? cn_capsule(point(-0.4, 0), point(0.3, 0.1), size)
                               : cn_regular(3 + below(6), size);
    cn_pose pose = cn_pose_at(point(uniform(-0.5, 0.5), 0), (float)uniform(-3, 3));
    return one_in(3) ? cn_hull_at(&hull, pose) : hull;
}

static cn_filter some_filter(void) {
    return (cn_filter){(uint64_t)1 << below(3), (uint64_t)below(8), below(5) - 2};
}

static cn_shape_def some_shape(void) {
    cn_shape_def def = {.hull = some_hull(), .sensor = one_in(3)};
    if (one_in(3)) def.filter = some_filter();
    if (one_in(8)) def.one_way = point(0, 1);
    return def;
}

static cn_body create_body(cn_world *w) {
    cn_body_def def = {.type = (cn_body_type)below(3), .position = somewhere()};
    def.asleep = one_in(4), def.disabled = one_in(8), def.bullet = one_in(4);
    if (def.type != CN_STATIC) def.velocity = point(uniform(-30, 30), uniform(-5, 5));
    def.angle = (float)uniform(-3, 3);
    return add(w, def, some_shape());
}

static bool change_shape(cn_world *w, cn_body body) {
    cn_shape shape = first_shape(w, body);
    cn_hull hull = some_hull();
    cn_shape_def def = some_shape();
    switch (below(6)) {
    case 0: return cn_shape_set_sensor(w, shape, one_in(2));
    case 1: return cn_shape_set_filter(w, shape, some_filter());
    case 2: return cn_shape_set_filter(w, shape, (cn_filter){1, UINT64_MAX, 0});
    case 3: return cn_shape_set_hull(w, shape, &hull);
    case 4: return cn_shape_create(w, body, &def).id != 0;
    default: return cn_shape_destroy(w, shape);
    }
}

static bool change_body(cn_world *w, cn_body *body) {
    switch (below(10)) {
    case 0: return cn_body_destroy(w, *body);
    case 1: return cn_body_set_pose(w, *body, somewhere(), (float)uniform(-3, 3));
    case 2: return cn_body_set_enabled(w, *body, one_in(2));
    case 3: return cn_body_set_type(w, *body, (cn_body_type)below(3));
    case 4: return cn_body_set_awake(w, *body, one_in(2));
    case 5: return cn_body_set_velocity(w, *body, point(uniform(-60, 60), uniform(-9, 9)));
    case 6: return cn_body_drop_through(w, *body, (float)uniform(0, 1));
    default: return change_shape(w, *body);
    }
}

static void change_something(cn_world *w, cn_body *bodies) {
    cn_body *body = &bodies[below(BODIES)];
    if (!cn_body_valid(w, *body))
        *body = create_body(w);
    else
        change_body(w, body);
}

static void add_walls(cn_world *world) {
    cn_shape_def wall = {.hull = cn_box(0.5f, 10)};
    for (int side = -1; side <= 1; side += 2)
        add(world, (cn_body_def){.type = CN_STATIC, .position = point(6 * side, 5)}, wall);
    add_floor(world, (cn_material){0});
}

static void sensors_see_exactly_the_shapes_that_overlap_them(void **state) {
    (void)state;
    static ledger open;
    long total = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        cn_body bodies[BODIES] = {0};
        chance = seed, open.count = 0;
        cn_world *world = make_world(GRAVITY);
        assert_done(cn_world_set_sleeping(world, true));
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

static cn_body add_sensor(cn_world *world, cn_body_type type, vec2s position, cn_hull hull) {
    return add(world, (cn_body_def){.type = type, .position = position, .weightless = true},
               (cn_shape_def){.hull = hull, .sensor = true, .user_data = 5});
}

static int count_overlaps(const cn_world *world, cn_body sensor) {
    return cn_shape_overlaps(world, first_shape(world, sensor), NULL, 0);
}

static void a_sensor_sees_bodies_of_every_type(void **state) {
    (void)state;
    for (int type = 0; type < 3; type++) {
        cn_world *world = make_world(0);
        assert_done(cn_world_set_sleeping(world, true));
        cn_body sensor = add_sensor(world, (cn_body_type)type, point(0, 0), cn_circle(2));
        cn_body_def def = {.position = point(-1, 0)};
        add(world, def, (cn_shape_def){.hull = cn_circle(0.1f)});
        def.asleep = true, def.position = point(1, 0);
        cn_body sleeper = add(world, def, (cn_shape_def){.hull = cn_circle(0.1f)});
        assert_done(cn_body_set_awake(world, sleeper, false));
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
    assert_int_equal(cn_shape_overlaps(world, sensor, NULL, 0), 0);
    add_ball(world, 2, 0);
    run(world, 1);
    cn_shape seen;
    assert_int_equal(cn_shape_overlaps(world, sensor, &seen, 1), 1);
    assert_true(cn_shape_body(world, seen).id != body.id);
    assert_int_equal(cn_shape_overlaps(world, seen, NULL, 0), 0); // not a sensor
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
    const cn_body_type types[] = {CN_DYNAMIC, CN_KINEMATIC};
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
            tall = cn_hull_at(&tall, cn_pose_at((vec2s){{0, 3}}, 0));
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
    for (cn_body_type type = CN_DYNAMIC; type <= CN_STATIC; type++) {
        cn_world *world = make_world(0);
        cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
        cn_tiles tiles = cn_tiles_create(
            world, ground,
            &(cn_tiles_def){.solid = solid, .width = 3, .height = 1, .tile_size = 1});
        assert_true(tiles.id != 0);
        cn_body zone = cn_body_create(world, &(cn_body_def){.type = type});
        cn_shape sensor = cn_shape_create(
            world, zone, &(cn_shape_def){.hull = cn_box(1.5f, 1.5f), .sensor = true});
        run(world, 1);
        assert_int_equal(cn_world_events(world).sensor_begin_count, 2);
        run(world, 300);
        assert_int_equal(cn_shape_overlaps(world, sensor, NULL, 0), 2);
        assert_done(cn_tiles_set(world, tiles, 0, 0, false));
        run(world, 1);
        assert_int_equal(cn_world_events(world).sensor_end_count, 1);
        assert_done(cn_tiles_set(world, tiles, 0, 0, true));
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
