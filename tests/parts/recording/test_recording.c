/* Recordings of random calls, which a replay repeats bit by bit. */
#include "../../../engine/parts/recording/recording.h"
#include "../../support/random_trial.h"
#include "../../support/recordings.h"

enum { RUNS = 4, CALLS = 2500 };

// ---- all functions

static bool accepts(const cn_world *world, cn_side side, void *user) {
    (void)user;
    return cn_body_valid(world, side.body) && side.body.id % 2;
}

// Changes the world in each step of cn_world_advance().
static void before_step(cn_world *world, float time_step, void *user) {
    trial *t = user;
    cn_body body = t->bodies[below(BODIES)];
    if (cn_body_valid(world, body)) {
        cn_body_apply_force_at(world, body, point(uniform(-50, 50), 0), somewhere());
        cn_body_set_target(world, body, cn_pose_at(somewhere(), 0), time_step);
    }
    cn_body_create(world, &(cn_body_def){.position = somewhere()});
    assert_false(cn_world_step(world, STEP));
}

// The calls that call_something() never makes.
static void call_the_rest(trial *t) {
    cn_world *w = t->world;
    cn_body b = t->bodies[below(BODIES)], c = t->bodies[below(BODIES)];
    cn_joint joint = t->joints[below(JOINTS)];
    cn_explosion e = {.position = somewhere(), .radius = 2, .impulse_per_length = 1};
    e.query.accept = accepts;
    switch (below(23)) {
    case 0: cn_world_set_gravity(w, point(uniform(-2, 2), -10)); break;
    case 1: cn_world_set_substeps(w, 1 + below(8)); break;
    case 2: cn_world_set_profiling(w, one_in(2)); break;
    case 3: cn_body_set_angular_velocity(w, b, (float)uniform(-5, 5)); break;
    case 4: cn_body_apply_force(w, b, point(uniform(-50, 50), 0)); break;
    case 5: cn_body_apply_torque(w, b, (float)uniform(-5, 5)); break;
    case 6: cn_body_apply_impulse(w, b, point(uniform(-5, 5), 0)); break;
    case 7: cn_body_apply_angular_impulse(w, b, (float)uniform(-2, 2)); break;
    case 8: cn_body_set_damping(w, b, (float)uniform(0, 1), (float)uniform(0, 1)); break;
    case 9: cn_body_set_gravity_scale(w, b, (float)uniform(-1, 2)); break;
    case 10: cn_body_set_sleep_speed(w, b, (float)uniform(0.01, 1)); break;
    case 11: cn_body_set_user_data(w, b, UINT64_MAX - (uint64_t)below(99)); break;
    case 12: cn_joint_set_user_data(w, joint, cn_joint_definition(w, joint).user_data); break;
    case 13: cn_world_explode(w, &e); break;
    case 14: cn_body_apply_force_at(w, c, point(uniform(-50, 50), 9), somewhere()); break;
    case 15: cn_body_set_pose(w, (cn_body){12345}, cn_pose_at(somewhere(), 0)); break; // refused
    case 16: cn_world_set_tuning(w, (cn_tuning){.slop = -1}); break;                   // refused
    case 17: cn_world_set_damping(w, (float)uniform(0, 0.5), 0); break;
    case 18: cn_world_set_user_data(w, (uint64_t)below(99)); break;
    case 19: cn_joint_set_anchor(w, joint, CN_A, somewhere()); break;
    default: cn_world_advance(w, (float)uniform(0, 0.05)); break;
    }
}

static void save_or_restore(trial *t, tape *saved) {
    if (saved->size && one_in(2)) {
        assert_done(cn_world_restore(t->world, saved->bytes, saved->size));
        return;
    }
    saved->size = cn_world_save(t->world, CN_SAVE_ALL, NULL, 0);
    saved->bytes = realloc(saved->bytes, saved->size);
    cn_world_save(t->world, CN_SAVE_ALL, saved->bytes, saved->size);
}

static void record_calls(tape *t, uint64_t seed) {
    static trial x;
    tape saved = {0};
    begin_trial(&x, seed, 0);
    for (int i = 0; i < 200; i++) call_without_step(&x); // so that the first state has objects
    begin_tape(t, x.world);
    for (int i = 0; i < CALLS; i++) {
        if (one_in(100)) save_or_restore(&x, &saved);
        if (i == CALLS / 2)
            assert_done(cn_world_set_callbacks(
                x.world, (cn_callbacks){.before_step = before_step, .user = &x}));
        if (one_in(5)) call_the_rest(&x);
        one_in(20) ? cn_world_step(x.world, STEP) : call_without_step(&x);
    }
    assert_done(cn_recording_end(x.world));
    cn_world_destroy(x.world);
    assert_int_equal(x.meter.bytes, 0);
    free(saved.bytes);
}

// Counts how often each function was called.
static void count_functions(const tape *t, int *counts) {
    cn_record r;
    for (size_t at = CN_FILE_HEADER;; at = r.next) {
        assert_true(cn_read_record(t->bytes, t->size, at, &r));
        if (r.kind == 0) return;
        int number = 0;
        cn_stream s = {.reads = true, .from = t->bytes + r.data, .size = r.size};
        cn_walk_int(&s, "", &number);
        if (r.kind == CN_RECORD_CALL) counts[number]++;
    }
}

static void recorded_calls_replay_to_the_same_bits(void **state) {
    (void)state;
    int counts[200] = {0}, missing = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        tape t;
        record_calls(&t, seed);
        assert_true(plays_alike(&t, (cn_world_def){0}));
        assert_true(plays_alike(&t, (cn_world_def){.lanes = 1}));
        assert_true(plays_alike(&t, (cn_world_def){.lanes = 4, .threads = 3}));
        count_functions(&t, counts);
        print_message("seed %d: %d bytes\n", (int)seed, (int)t.size);
        free(t.bytes);
    }
    for (int i = 0; i < cn_played_call_count; i++) {
        if (counts[i] == 0) print_error("%s was not recorded\n", cn_played_calls[i].name);
        missing += counts[i] == 0;
    }
    assert_int_equal(missing, 0);
}

static bool refuse_all(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b, (void)user;
    return false;
}

static bool set_callbacks_in_filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)a, (void)b, (void)user;
    assert_false(cn_world_set_callbacks(world, (cn_callbacks){0}));
    return false;
}

// Two balls that overlap.
static cn_world *make_pair(cn_callbacks callbacks) {
    cn_world *world = make_world(0);
    for (int i = 0; i < 2; i++)
        add(world, (cn_body_def){.position = point(0.1 * i, 0)},
            (cn_shape_def){.hull = cn_circle(1), .custom_filter = true});
    assert_done(cn_world_set_callbacks(world, callbacks));
    return world;
}

// A call that fails in a callback, and a call after the sink has failed.
static void callbacks_stay_those_of_the_user(void **state) {
    (void)state;
    tape t;
    cn_world *world = make_pair((cn_callbacks){.filter = set_callbacks_in_filter});
    begin_tape(&t, world);
    assert_done(cn_world_step(world, STEP));
    assert_done(cn_recording_end(world));
    assert_int_equal(cn_world_contacts(world, NULL, 0), 0);
    cn_world_destroy(world);
    free(t.bytes);
    world = make_pair((cn_callbacks){0});
    begin_tape(&t, world);
    t.limit = 1;
    assert_done(cn_world_set_callbacks(world, (cn_callbacks){0})); // the sink fails
    assert_done(cn_world_set_callbacks(world, (cn_callbacks){.filter = refuse_all}));
    assert_false(cn_recording_end(world));
    assert_done(cn_world_step(world, STEP));
    assert_int_equal(cn_world_contacts(world, NULL, 0), 0);
    cn_world_destroy(world);
    free(t.bytes);
}

static void a_recording_without_memory_does_not_begin(void **state) {
    (void)state;
    meter m = {0};
    cn_world *world = cn_world_create(&(cn_world_def){.allocator = metered(&m)});
    tape t = {0};
    for (int call = 1; call < 9; call++) {
        fail_at(&m, call);
        cn_error_clear();
        bool begun = cn_recording_begin(world, (cn_recording_sink){write_to_tape, &t});
        bool failed = has_failed(&m);
        fail_at(&m, 0);
        assert_int_equal(begun, !failed);
        assert_int_equal(begun, cn_error_code() == CN_ERROR_NONE);
        if (begun) assert_done(cn_recording_end(world));
    }
    free(t.bytes);
    cn_world_destroy(world);
}

// Arrays of definitions may lie in memory that cannot be written to.
static void constant_arrays_can_be_recorded(void **state) {
    (void)state;
    static const uint8_t solid[2] = {1, 0};
    static const cn_tile tiles[2] = {{.solid = true}, {.solid = true, .material = 1}};
    static const cn_material materials[2] = {{.friction = 0.5f}, {.friction = 0.25f}};
    static const vec2s points[3] = {{{4, 0}}, {{2, 0}}, {{0, 0}}};
    cn_world *world = make_world(10);
    tape t;
    begin_tape(&t, world);
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_grid_def grid = {.solid = solid, .width = 2, .height = 1, .tile_size = 1};
    assert_true(cn_grid_create(world, body, &grid).id);
    grid = (cn_grid_def){.tiles = tiles, .width = 2, .height = 1, .tile_size = 1};
    grid.materials = materials, grid.material_count = 2, grid.origin = point(0, -3);
    assert_true(cn_grid_create(world, body, &grid).id);
    cn_chain_def chain = {.points = points, .count = 3, .materials = materials};
    assert_true(cn_chain_create(world, body, &chain).id);
    const cn_shape_def shapes[2] = {{.hull = cn_circle(1)}, {.hull = cn_box(1, 2)}};
    const cn_body_def crate = {.position = point(0, 9), .shapes = shapes, .shape_count = 2};
    assert_true(cn_body_create(world, &crate).id);
    assert_done(cn_world_step(world, STEP));
    assert_done(cn_recording_end(world));
    assert_true(plays_alike(&t, (cn_world_def){0}));
    cn_world_destroy(world);
    free(t.bytes);
}

// Handles of the replay and numbers of segments are those of the recorded world.
static void calls_of_chains_are_replayed(void **state) {
    (void)state;
    const vec2s points[] = {point(6, 0), point(3, 0), point(0, 0), point(-3, 0)};
    const cn_chain_def def = {.points = points, .count = 4};
    cn_world *world = make_world(10);
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_chain before = cn_chain_create(world, body, &def);
    add(world, (cn_body_def){.position = point(1, 2)}, (cn_shape_def){.hull = cn_circle(0.5f)});
    tape t;
    begin_tape(&t, world);
    cn_chain chains[4];
    for (int i = 0; i < 4; i++) {
        chains[i] = cn_chain_create(world, body, &def);
        assert_done(cn_chain_set_material(world, chains[i], i % 3, (cn_material){.friction = 1}));
        assert_done(cn_world_step(world, STEP));
        if (i == 1) assert_done(cn_chain_destroy(world, before));
        if (i == 2) assert_done(cn_chain_destroy(world, chains[0]));
        cn_shape segment = cn_chain_next_segment(world, chains[i], (cn_shape){0});
        assert_done(cn_shape_destroy(world, segment));
        run(world, 5);
    }
    assert_done(cn_recording_end(world));
    assert_true(plays_alike(&t, (cn_world_def){0}));
    cn_replay *replay = open_tape(&t, (cn_world_def){0});
    while (!is_at_end(replay)) assert_done(cn_replay_next(replay));
    for (int i = 1; i < 4; i++) assert_true(cn_chain_valid(cn_replay_world(replay), chains[i]));
    cn_replay_destroy(replay);
    cn_world_destroy(world);
    free(t.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_arrays_can_be_recorded),
        cmocka_unit_test(calls_of_chains_are_replayed),
        cmocka_unit_test(callbacks_stay_those_of_the_user),
        cmocka_unit_test(a_recording_without_memory_does_not_begin),
        cmocka_unit_test(recorded_calls_replay_to_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
