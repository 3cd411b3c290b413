/* Memory that runs out: a call that gets none fails, the world stays as it was and goes on working,
 * and a destroyed world has given all memory back. Each call is made while its first allocation
 * fails, then its second, and so on, until the call succeeds without meeting the failure. */
#include "../../support/meter.h"
#include "../../support/refuse.h"

// ---- a world with objects of every kind, whose arrays are full

enum { BODIES = 16, JOINTS = 16 }; // capacities to which the arrays grow, so they are full

typedef struct {
    meter meter;
    cn_world *world;
    cn_body bodies[BODIES]; // 0: floor, 1: kinematic, 2: disabled, 3: asleep, 4..: falling boxes
    cn_shape shapes[BODIES];
    cn_joint joints[JOINTS]; // between falling boxes; one joint breaks when they land
} stage;

static cn_body_def stage_body(int i) {
    return (cn_body_def){
        .type = i == 0   ? CN_STATIC
                : i == 1 ? CN_KINEMATIC
                         : CN_DYNAMIC,
        .position = {{i < 4 ? 20.0f * (float)i : 1.5f * (float)i, i == 0 ? -1 : 0.6f}},
        .disabled = i == 2,
        .asleep = i == 3,
    };
}

// Returns joint i: all kinds of joints in turn, twice along the row of falling boxes.
static cn_joint_def stage_joint(const stage *s, int i) {
    cn_world *w = s->world;
    cn_body a = s->bodies[4 + i % 11], b = s->bodies[5 + i % 11];
    vec2s p = cn_body_position(w, a), q = cn_body_position(w, b);
    switch (i % 8) {
    case 0: return cn_spring_joint(w, a, b, p, q);
    case 1: return cn_rope_joint(w, a, b, p, q);
    case 2: return cn_wheel_joint(w, a, b, q, point(0, 1));
    case 3: return cn_motor_joint(w, a, b, 1, 1);
    case 4: return cn_mouse_joint(w, a, b, q);
    case 5: return cn_revolute_joint(w, a, b, q);
    case 6: return cn_weld_joint(w, a, b, q);
    default: return cn_filter_joint(w, a, b);
    }
}

static void add_joint(stage *s, int i) {
    cn_joint_def def = stage_joint(s, i);
    def.break_force = i == 6 ? 0.01f : 0;
    s->joints[i] = cn_joint_create(s->world, def);
    assert_done(s->joints[i].id != 0);
    if (i % 5 == 4)
        assert_done(cn_joint_set_coupling(
            s->world, s->joints[i],
            (cn_coupling){s->joints[i - 3], CN_JOINT_ANGLE, CN_JOINT_ANGLE, 0.5f, true}));
}

static void make_stage(stage *s) {
    *s = (stage){0};
    cn_allocator allocator = metered(&s->meter);
    s->world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .allocator = allocator});
    assert_done(s->world != NULL);
    for (int i = 0; i < BODIES; i++) {
        cn_hull hull = i == 0  ? cn_box(100, 1)
                       : i % 2 ? cn_box(0.5f, 0.5f)
                               : cn_regular_polygon(5, 0.5f);
        // One body needs rows for rolling resistance.
        cn_material material = {.rolling_resistance = i == 9 ? 0.1f : 0};
        s->bodies[i] =
            add(s->world, stage_body(i), (cn_shape_def){.hull = hull, .material = material});
        s->shapes[i] = cn_body_next_shape(s->world, s->bodies[i], (cn_shape){0});
    }
    for (int i = 0; i < JOINTS; i++) add_joint(s, i);
    unchanged_world = s->world;
}

static void end_stage(stage *s) {
    unchanged_world = NULL;
    fail_at(&s->meter, 0);
    run(s->world, 5);
    cn_world_destroy(s->world);
    assert_int_equal(s->meter.bytes, 0);
    assert_int_equal(s->meter.blocks, 0);
}

// ---- calls that may need memory

static bool create_body(stage *s) {
    return cn_body_create(s->world, &(cn_body_def){.position = {{5, 5}}}).id != 0;
}

static bool create_sleeper(stage *s) {
    return cn_body_create(s->world, &(cn_body_def){.asleep = true}).id != 0;
}

// Shapes that need all kinds of memory: polygons, a sensor, a field, rare properties, user data.
static bool create_body_with_shapes(stage *s) {
    cn_shape_def shapes[9] = {{.hull = cn_regular_polygon(6, 1), .user_data = 3}};
    for (int i = 1; i < 9; i++)
        shapes[i] = (cn_shape_def){.hull = cn_regular_polygon(3 + i % 6, 1)};
    shapes[3].sensor = true, shapes[3].medium.density = 1;
    shapes[5].filter.group = 2, shapes[6].hull = cn_box(1, 1);
    return cn_body_create(s->world, &(cn_body_def){.shapes = shapes, .shape_count = 9}).id != 0;
}

static bool create_sleeper_with_shapes(stage *s) {
    const cn_shape_def shapes[2] = {{.hull = cn_box(1, 1)}, {.hull = cn_circle(1), .sensor = true}};
    cn_body_def def = {.asleep = true, .shapes = shapes, .shape_count = 2};
    return cn_body_create(s->world, &def).id != 0;
}

static bool create_box(stage *s) {
    cn_shape_def def = {.hull = cn_box(1, 2)};
    return cn_shape_create(s->world, s->bodies[4], &def).id != 0;
}

static bool create_static_polygon(stage *s) {
    cn_shape_def def = {.hull = cn_regular_polygon(7, 1)};
    return cn_shape_create(s->world, s->bodies[0], &def).id != 0;
}

static bool create_joint(stage *s) {
    cn_joint_def def = cn_weld_joint(s->world, s->bodies[0], s->bodies[4], point(0, 0));
    return cn_joint_create(s->world, def).id != 0;
}

// Adds a chain of 20 segments on the floor.
static bool create_chain(stage *s) {
    vec2s points[21];
    for (int i = 0; i < 21; i++) points[i] = point(10 - i, 0.02 * (i % 2));
    cn_chain_def def = {.points = points, .count = 21};
    return cn_chain_create(s->world, s->bodies[0], &def).id != 0;
}

// Adds a tile to the floor below resting bodies, 1 mm above it. The next step has to find which
// surfaces of the two meet.
static bool create_tile(stage *s) {
    cn_hull tile = cn_box(1, 1);
    tile = cn_hull_at(tile, cn_pose_at(point(8, 0.001), 0));
    return cn_shape_create(s->world, s->bodies[0], &(cn_shape_def){.hull = tile}).id != 0;
}

static bool set_hull(stage *s) {
    cn_hull hull = cn_regular_polygon(8, 1);
    return cn_shape_set_hull(s->world, s->shapes[5], hull);
}

static bool set_type(stage *s) { return cn_body_set_type(s->world, s->bodies[4], CN_STATIC); }
static bool enable(stage *s) { return cn_body_set_disabled(s->world, s->bodies[2], false); }
static bool fall_asleep(stage *s) { return cn_body_set_asleep(s->world, s->bodies[3], true); }

static bool add_eye(stage *s) {
    cn_shape_def def = {.hull = cn_circle(2), .sensor = true};
    return cn_shape_create(s->world, s->bodies[4], &def).id != 0;
}

static bool add_pool(stage *s) {
    cn_shape_def def = {.hull = cn_circle(2), .sensor = true, .medium = {.attraction = 1}};
    return cn_shape_create(s->world, s->bodies[4], &def).id != 0;
}

static bool set_sensor(stage *s) { return cn_shape_set_sensor(s->world, s->shapes[5], true); }
static bool drop_through(stage *s) { return cn_body_drop_through(s->world, s->bodies[5], 1); }
static bool step(stage *s) { return cn_world_step(s->world, STEP); }

static bool read_events(stage *s) {
    cn_error_kind other = prepare_refusal(CN_ERROR_MEMORY).other;
    cn_events events = cn_world_events(s->world);
    return events.begins || cn_error_code() == other;
}

static bool index_contacts(stage *s) {
    cn_error_kind other = prepare_refusal(CN_ERROR_MEMORY).other;
    cn_body_contacts(s->world, s->bodies[4], NULL, 0);
    return cn_error_code() == other;
}

// Blasts the falling boxes, which shield each other.
static bool explode(stage *s) {
    cn_explosion e = {.position = {{12, 2}}, .radius = 9, .falloff = 9, .impulse_per_length = 1};
    e.blocked = true;
    return cn_world_explode(s->world, &e) > 0;
}

static bool begin_moves(stage *s) { return cn_world_set_move_events(s->world, true); }

static bool draw(stage *s) {
    cn_drawing drawing;
    return cn_world_draw(s->world, CN_DRAW_ALL, &drawing);
}

// Destroying objects and all other setters need no memory: they work even if every allocation
// fails.
static bool destroy(stage *s) {
    return cn_body_destroy(s->world, s->bodies[6]) && cn_shape_destroy(s->world, s->shapes[7]) &&
           cn_body_destroy(s->world, s->bodies[3]) && cn_body_destroy(s->world, s->bodies[0]);
}

static bool change_joint(cn_world *w, cn_joint joint) {
    const cn_coordinate c = {.mode = CN_FREE, .hertz = 3};
    return cn_joint_set_coordinate(w, joint, CN_JOINT_X, c) &&
           cn_joint_set_motor_speed(w, joint, CN_JOINT_ANGLE, 2) &&
           cn_joint_set_collide_connected(w, joint, true) &&
           cn_joint_set_disabled(w, joint, true) && cn_joint_set_break(w, joint, 100, 100);
}

static bool change_without_memory(stage *s) {
    cn_world *w = s->world;
    cn_body b = s->bodies[8];
    cn_shape shape = s->shapes[8];
    return cn_body_set_pose(w, b, cn_pose_at(point(0, 9), 1)) &&
           cn_body_set_velocity(w, b, point(1, 2)) &&
           cn_body_set_mass_data(w, b, (cn_mass_data){.mass = 2}) && cn_body_reset_mass(w, b) &&
           cn_body_set_locks(w, b, true, false, true) && cn_body_set_asleep(w, b, false) &&
           cn_body_apply_force_at(w, b, point(1, 2), point(3, 4)) &&
           cn_body_apply_impulse_at(w, b, point(1, 2), point(3, 4)) &&
           cn_body_set_disabled(w, b, true) && cn_shape_set_density(w, shape, 2) &&
           cn_shape_set_material(w, shape, (cn_material){.restitution = 1}) &&
           cn_shape_set_filter(w, shape, (cn_filter){1, 1, 1}) &&
           cn_shape_set_hit_events(w, shape, true) &&
           cn_shape_set_no_touch_events(w, shape, true) && cn_world_shift_origin(w, point(3, 4)) &&
           cn_world_set_gravity(w, point(1, 0)) && change_joint(w, s->joints[3]) &&
           cn_joint_destroy(w, s->joints[5]) && !cn_body_asleep(w, s->bodies[3]);
}

// ---- every allocation of a call fails once

typedef bool call(stage *s);

// Makes the call while its allocation n fails. Returns false if the call has no n-th allocation.
static bool try_call(stage *s, call *make, int n) {
    before_call before = prepare_refusal(CN_ERROR_MEMORY);
    fail_at(&s->meter, n);
    bool done = make(s);
    bool failed = has_failed(&s->meter);
    if (!done) {
        assert_true(failed);
        assert_int_equal(cn_error_code(), CN_ERROR_MEMORY);
        assert_int_equal(cn_world_hash(s->world), before.hash);
    }
    fail_at(&s->meter, 0);
    assert_int_equal(cn_world_counters(s->world).bytes, s->meter.bytes);
    return failed;
}

static void check_call(call *make, int steps_before) {
    bool more = true;
    for (int n = 1; more; n++) {
        stage s;
        make_stage(&s);
        run(s.world, steps_before);
        more = try_call(&s, make, n);
        end_stage(&s);
        assert_in_range(n, 1, 1000);
    }
}

static void creating_a_world_survives_failed_allocations(void **state) {
    (void)state;
    meter m = {0};
    cn_world_def def = {
        .allocator = metered(&m), .capacity = {50, 60, 70, 10, 100}, .move_events = true};
    cn_world *world = NULL;
    for (int n = 1; !world; n++) {
        fail_at(&m, n);
        world = cn_world_create(&def);
        assert_true(world || (has_failed(&m) && cn_error_code() == CN_ERROR_MEMORY && !m.blocks));
    }
    assert_in_range(m.calls, 20, 100);
    cn_world_destroy(world);
    assert_int_equal(m.blocks, 0);
}

static void every_editing_call_survives_failed_allocations(void **state) {
    (void)state;
    call *const calls[] = {create_body,
                           create_sleeper,
                           create_box,
                           create_static_polygon,
                           create_joint,
                           create_chain,
                           set_hull,
                           set_type,
                           enable,
                           fall_asleep,
                           read_events,
                           draw,
                           destroy,
                           add_eye,
                           set_sensor,
                           drop_through,
                           index_contacts,
                           explode,
                           begin_moves,
                           create_body_with_shapes,
                           create_sleeper_with_shapes,
                           change_without_memory};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        check_call(calls[i], 0);
        check_call(calls[i], 1);
        check_call(calls[i], 20);
    }
}

static void calls_that_need_no_memory_allocate_none(void **state) {
    (void)state;
    call *const calls[] = {destroy, change_without_memory};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        stage s;
        make_stage(&s);
        run(s.world, 20);
        fail_at(&s.meter, 1);
        assert_true(calls[i](&s));
        assert_int_equal(s.meter.calls, 0);
        end_stage(&s);
    }
}

static void every_step_survives_failed_allocations(void **state) {
    (void)state;
    stage s;
    make_stage(&s);
    // The kinematic body hits the sleeping one and wakes it.
    assert_done(cn_body_set_velocity(s.world, s.bodies[1], point(40, 0)));
    for (int i = 0; i < 120; i++) {
        uint64_t steps = cn_world_counters(s.world).steps;
        if (i == 20) assert_true(add_pool(&s));
        if (i == 30 || i == 40) assert_true(i == 30 ? create_chain(&s) : create_tile(&s));
        for (int n = 1; cn_world_counters(s.world).steps == steps; n++) try_call(&s, step, n);
    }
    end_stage(&s);
}

static void a_failed_step_leaves_no_trace(void **state) {
    (void)state;
    stage s, t;
    make_stage(&s);
    make_stage(&t);
    for (int i = 0; i < 25; i++) { // until the boxes have landed, and before any falls asleep
        bool done = false;
        for (int n = 1; !done; n++) {
            fail_at(&s.meter, n);
            done = cn_world_step(s.world, STEP);
        }
        fail_at(&s.meter, 0);
        run(t.world, 1);
        assert_int_equal(cn_world_hash(s.world), cn_world_hash(t.world));
    }
    end_stage(&t);
    end_stage(&s);
}

static void check_drawn_pose(const stage *s, cn_pose expected) {
    cn_pose pose = cn_body_drawn_pose(s->world, s->bodies[BODIES - 1]);
    assert_memory_equal(&pose, &expected, sizeof pose);
}

// Each allocation of the step fails once. Drawn poses lie between those before and after the last
// step that succeeded.
static void a_failed_step_of_a_frame_leaves_drawn_poses_as_they_were(void **state) {
    (void)state;
    stage s;
    make_stage(&s);
    bool ever_failed = false;
    assert_int_equal(cn_world_advance(s.world, 1.5f * STEP), 1);
    for (int i = 0; i < 25; i++) {
        bool done = false;
        cn_pose pose = cn_body_drawn_pose(s.world, s.bodies[BODIES - 1]);
        for (int n = 1; !done; n++) {
            fail_at(&s.meter, n);
            done = cn_world_advance(s.world, STEP) == 1;
            if (!done) check_drawn_pose(&s, pose);
            ever_failed |= !done;
        }
        fail_at(&s.meter, 0);
    }
    assert_true(ever_failed);
    end_stage(&s);
}

// ---- counting

static void the_world_counts_the_same_bytes_as_its_allocator(void **state) {
    (void)state;
    stage s;
    make_stage(&s);
    for (int i = 0; i < 60; i++) {
        run(s.world, 1);
        cn_world_events(s.world);
        cn_counters counters = cn_world_counters(s.world);
        assert_int_equal(counters.bytes, s.meter.bytes);
        assert_int_equal(counters.allocations, s.meter.served);
    }
    end_stage(&s);
}

// ---- steady state

static void a_world_at_rest_allocates_nothing(void **state) {
    (void)state;
    stage s;
    make_stage(&s);
    assert_done(cn_world_set_no_sleep(s.world, true));
    run(s.world, 240);
    fail_at(&s.meter, 0);
    run(s.world, 60);
    assert_int_equal(s.meter.calls, 0);
    end_stage(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creating_a_world_survives_failed_allocations),
        cmocka_unit_test(every_editing_call_survives_failed_allocations),
        cmocka_unit_test(calls_that_need_no_memory_allocate_none),
        cmocka_unit_test(every_step_survives_failed_allocations),
        cmocka_unit_test(a_failed_step_leaves_no_trace),
        cmocka_unit_test(a_failed_step_of_a_frame_leaves_drawn_poses_as_they_were),
        cmocka_unit_test(the_world_counts_the_same_bytes_as_its_allocator),
        cmocka_unit_test(a_world_at_rest_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
