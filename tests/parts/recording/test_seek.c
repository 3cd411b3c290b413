/* A replay that is sought to a step is the same as one that was played to it: its position, world,
 * drawn poses, events, counters and later steps. The recordings also change what a saved
 * state does not contain: callbacks, move events, profiling. */
#include "../../support/random_trial.h"
#include "../../support/recordings.h"

enum { CRATES = 8, LENGTH = 130, FURTHER = 30, SEEKS_OF_RANDOM_CALLS = 12 };

// ---- what is recorded

typedef struct {
    cn_world *world;
    cn_body ground, lift, crates[CRATES];
    cn_joint motor;
    cn_grid tiles;
    cn_rollback *rollback;
    tape saved;
} stage;

static bool passes_some(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)user;
    return (a.id + b.id) % 7 != 0;
}

static cn_pre_solve_result slips_on_some(cn_world *world, const cn_contact *contact, void *user) {
    (void)world, (void)user;
    return (cn_pre_solve_result){.changed = contact->b.shape.id % 2, .friction = 0.1f};
}

static void moves_lift(cn_world *world, float time_step, void *user) {
    const stage *s = user;
    float height = cn_body_position(world, s->lift).y < 1 ? 1.5f : 0.5f;
    cn_body_set_target(world, s->lift, cn_pose_at((vec2s){{6, height}}, 0), 20 * time_step);
    cn_body_apply_force(world, s->crates[0], point(5, 0));
}

// A ground of boxes side by side, tiles and a chain, crates, and a motor that turns two of them.
static void build(stage *s) {
    const uint8_t solid[] = {1, 1, 0, 1, 1, 1};
    const vec2s points[] = {{{-4, 0}}, {{-6, 1}}, {{-8, 0}}, {{-10, 1}}, {{-12, 0}}};
    cn_world *w = s->world;
    s->ground = cn_body_create(w, &(cn_body_def){.type = CN_STATIC});
    cn_chain_create(w, s->ground, &(cn_chain_def){.points = points, .count = 5, .pre_solve = true});
    s->tiles = cn_grid_create(w, s->ground,
                              &(cn_grid_def){.solid = solid,
                                             .width = 3,
                                             .height = 2,
                                             .tile_size = 1,
                                             .origin = {{9, 0}},
                                             .custom_filter = true});
    for (int i = 0; i < CRATES; i++) {
        add(w, (cn_body_def){.type = CN_STATIC, .position = point(i - 3.5, -0.5)}, box_of(0.5f));
        cn_shape_def shape = {.hull = i % 2 ? cn_circle(0.3f) : cn_box(0.3f, 0.3f)};
        if (i == 6) shape.material.restitution = 0.6f;
        shape.custom_filter = i % 3 > 0, shape.pre_solve = i % 3 > 1;
        s->crates[i] = add(w, (cn_body_def){.position = point(1.7 * i - 5, 1 + i % 3)}, shape);
    }
    s->lift = add(w, (cn_body_def){.type = CN_KINEMATIC, .position = point(6, 0.5)}, box_of(0.5f));
    cn_joint_def hinge = cn_revolute_joint(w, s->ground, s->crates[1], point(-4, 2));
    hinge.angle =
        (cn_coordinate){.mode = CN_FREE, .motor = true, .motor_speed = 2, .max_motor_force = 4};
    s->motor = cn_joint_create(w, hinge);
    hinge = cn_revolute_joint(w, s->crates[1], s->crates[2], point(-3, 2));
    hinge.break_force = 90;
    assert_done(s->motor.id && cn_joint_create(w, hinge).id && s->tiles.id);
}

static void step_on(stage *s, int step) {
    if (step % 3)
        assert_done(cn_world_advance(s->world, step % 3 == 1 ? 0.03f : 0.01f) >= 0);
    else
        assert_done(cn_world_step(s->world, STEP));
}

// Callbacks are set and removed, one by one and together.
static void change_callbacks_of(stage *s, int step) {
    if (step % 9) return;
    int set = (int)(0x25716340u >> step / 9 % 8 * 4 & 7);
    cn_callbacks callbacks = {.user = s};
    if (set & 1) callbacks.filter = passes_some;
    if (set & 2) callbacks.pre_solve = slips_on_some;
    if (set & 4) callbacks.before_step = moves_lift;
    assert_done(cn_world_set_callbacks(s->world, callbacks));
}

static bool accepts_odd(const cn_world *world, cn_side side, void *user) {
    (void)world, (void)user;
    return side.shape.id % 2;
}

// Objects are created, changed and destroyed.
static void change_objects(stage *s, int step) {
    cn_world *w = s->world;
    cn_explosion explosion = {.position = point(0, 0.2), .radius = 4, .impulse_per_length = 0.5f};
    explosion.query.accept = accepts_odd;
    switch (step) {
    case 20: cn_world_explode(w, &explosion); break;
    case 26: cn_shape_set_custom_filter(w, first_shape(w, s->crates[0]), true); break;
    case 28: cn_shape_set_pre_solve(w, first_shape(w, s->crates[7]), true); break;
    case 30: cn_joint_set_motor_speed(w, s->motor, CN_JOINT_ANGLE, -3); break;
    case 40: cn_body_set_disabled(w, s->crates[3], true); break;
    case 45: cn_grid_set_solid(w, s->tiles, 1, 1, false); break;
    case 55: cn_body_set_disabled(w, s->crates[3], false); break;
    case 60: cn_body_destroy(w, s->crates[4]); break;
    case 61: cn_body_set_type(w, s->crates[5], CN_KINEMATIC); break;
    case 70: s->crates[4] = add(w, (cn_body_def){.position = point(3, 3)}, box_of(0.2f)); break;
    case 80: cn_joint_destroy(w, s->motor); break;
    case 85: cn_body_set_bullet(w, s->crates[6], true); break;
    case 86: cn_body_set_velocity(w, s->crates[6], point(90, -9)); break;
    case 95: cn_shape_set_material(w, first_shape(w, s->ground), frictionless); break;
    case 99: cn_body_drop_through(w, s->crates[0], 0.4f); break;
    default: break;
    }
}

// States are restored, and settings of the world change.
static void change_world_of(stage *s, int step) {
    cn_world *w = s->world;
    cn_tuning tuning = cn_world_tuning(w);
    tuning.slop *= 2;
    switch (step) {
    case 15: cn_world_set_move_events(w, true); break;
    case 24: cn_rollback_keep(s->rollback, 1); break;
    case 33: cn_world_shift_origin(w, point(3, 0)); break;
    case 38: assert_done(cn_rollback_rewind(s->rollback, 1)); break;
    case 42: cn_world_set_profiling(w, true); break;
    case 50: s->saved.size = cn_world_save(w, CN_SAVE_ALL, s->saved.bytes, 1 << 16); break;
    case 52: cn_world_set_callbacks(w, (cn_callbacks){.filter = passes_some}); break;
    case 58: cn_world_set_move_events(w, false); break;
    case 65: assert_done(cn_world_restore(w, s->saved.bytes, s->saved.size)); break;
    case 75: cn_world_set_callbacks(w, (cn_callbacks){0}); break;
    case 77: cn_world_set_gravity(w, point(1, -9)); break;
    case 84: cn_world_set_tuning(w, tuning); break;
    case 90: cn_world_set_substeps(w, 6); break;
    case 97: cn_world_set_profiling(w, false); break;
    case 110: cn_body_set_asleep(w, s->crates[7], true); break;
    default: break;
    }
}

typedef void caller(stage *s, int step);

static void record_stage(tape *t, caller *call, bool has_callbacks) {
    stage s = {.world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .tag = 3})};
    build(&s);
    s.rollback = cn_rollback_create(s.world, 4);
    s.saved.bytes = malloc(1 << 16);
    cn_callbacks callbacks = {.filter = passes_some, .before_step = moves_lift, .user = &s};
    if (has_callbacks) cn_world_set_callbacks(s.world, callbacks);
    run(s.world, 7);
    begin_tape(t, s.world);
    for (int i = 0; i < LENGTH; i++) call(&s, i), step_on(&s, i);
    assert_done(cn_recording_end(s.world));
    assert_in_range(s.saved.size, 0, 1 << 16);
    cn_rollback_destroy(s.rollback);
    cn_world_destroy(s.world);
    free(s.saved.bytes);
}

// ---- the claim

static void compare_poses(const cn_world *a, const cn_world *b) {
    enum { MOST = 200 };
    static cn_pose of_a[MOST], of_b[MOST];
    for (int drawn = 0; drawn < 2; drawn++) {
        int count = cn_world_poses(a, of_a, MOST, drawn);
        assert_in_range(count, 0, MOST);
        assert_int_equal(cn_world_poses(b, of_b, MOST, drawn), count);
        assert_memory_equal(of_a, of_b, (size_t)count * sizeof *of_a);
    }
}

static void compare_replays(cn_replay *a, cn_replay *b) {
    cn_world *v = cn_replay_world(a), *w = cn_replay_world(b);
    assert_int_equal(cn_replay_at(a).call, cn_replay_at(b).call);
    assert_int_equal(cn_replay_at(a).step, cn_replay_at(b).step);
    assert_true(cn_world_hash(v) == cn_world_hash(w));
    assert_int_equal(cn_world_compare(v, w).part, CN_PART_NONE);
    compare_poses(v, w);
    cn_events e = cn_world_events(v), f = cn_world_events(w);
    assert_int_equal(e.begin_count, f.begin_count);
    assert_int_equal(e.end_count, f.end_count);
    assert_int_equal(e.body_count, f.body_count);
    assert_int_equal(e.moved_count, f.moved_count);
    cn_counters c = cn_world_counters(v), d = cn_world_counters(w);
    assert_int_equal(c.islands, d.islands);
    assert_int_equal(c.awake_bodies, d.awake_bodies);
    assert_int_equal(cn_world_profile(v).count, cn_world_profile(w).count);
}

// Compares the replay, which was sought, with one that is played from the start.
static void check_position(const tape *t, cn_replay *sought) {
    cn_replay *played = open_tape(t, (cn_world_def){0});
    int call = cn_replay_at(sought).call, last = cn_replay_at(sought).step + FURTHER;
    while (cn_replay_at(played).call < call) assert_done(cn_replay_next(played));
    compare_replays(sought, played);
    while (!is_at_end(sought) && cn_replay_at(sought).step < last) {
        assert_done(cn_replay_next(sought) && cn_replay_next(played));
        assert_true(cn_world_hash(cn_replay_world(sought)) ==
                    cn_world_hash(cn_replay_world(played)));
    }
    assert_false(cn_replay_desync(sought).found || cn_replay_desync(played).found);
    cn_replay_destroy(played);
}

// Seeks to all steps, or to some of them, in random order.
static void check_positions(const tape *t, int most) {
    cn_replay *replay = open_tape(t, (cn_world_def){0});
    int steps = cn_replay_at(replay).steps, order[1000];
    uint64_t seed = 11;
    assert_in_range(steps, 1, 999);
    for (int i = 0; i <= steps; i++) {
        int place = (int)random_between(&seed, 0, i + 1);
        order[i] = order[place], order[place] = i;
    }
    for (int i = 0; i <= steps && i < most; i++) {
        assert_done(cn_replay_seek(replay, order[i]));
        check_position(t, replay);
    }
    cn_replay_destroy(replay);
}

static void check_stage(caller *call, bool has_callbacks) {
    tape t;
    record_stage(&t, call, has_callbacks);
    check_positions(&t, 1000);
    free(t.bytes);
}

// ---- tests

static void seeking_keeps_the_ground_that_follows_from_callbacks(void **state) {
    (void)state;
    check_stage(change_callbacks_of, false);
    check_stage(change_callbacks_of, true);
}

static void seeking_keeps_objects(void **state) {
    (void)state;
    check_stage(change_objects, false);
    check_stage(change_objects, true);
}

static void seeking_keeps_restored_states_and_settings(void **state) {
    (void)state;
    check_stage(change_world_of, false);
    check_stage(change_world_of, true);
}

static void seeking_over_random_calls_gives_the_played_world(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        static trial x;
        tape t;
        begin_trial(&x, seed, 0);
        for (int i = 0; i < 150; i++) call_without_step(&x);
        begin_tape(&t, x.world);
        for (int i = 0; i < 1500; i++) {
            if (one_in(60)) change_callbacks(&x);
            one_in(12) ? (bool)cn_world_advance(x.world, STEP) : call_without_step(&x);
        }
        assert_done(cn_recording_end(x.world));
        cn_world_destroy(x.world);
        check_positions(&t, SEEKS_OF_RANDOM_CALLS);
        free(t.bytes);
    }
}

// The trees of the recorded world have a history, so its sweeps and sensors find the shapes in
// another order than those of the replay. In seeds 169 and 342 they asked the filter about a pair
// from either side, and the replay had no answer for the other one.
static void a_world_after_random_calls_is_replayed_from_its_state(void **state) {
    (void)state;
    enum { TAPES = 8, CALLS = 200 };
    const uint64_t seeds[] = {1, 2, 3, 4, 169, 342};
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        static trial x;
        begin_trial(&x, seeds[k], 0);
        for (int i = 0; i < TAPES; i++) {
            tape t;
            begin_tape(&t, x.world);
            for (int call = 0; call < CALLS; call++) {
                if (one_in(60)) change_callbacks(&x);
                one_in(12) ? (bool)cn_world_advance(x.world, STEP) : call_without_step(&x);
            }
            assert_done(cn_recording_end(x.world));
            if (!plays_alike(&t, (cn_world_def){0})) fail_msg("seed %d", (int)seeds[k]);
            free(t.bytes);
        }
        cn_world_destroy(x.world);
    }
}

// A seek that gets no memory may stop within a call. The next one starts from a kept state.
static void a_replay_without_memory_can_seek_again(void **state) {
    (void)state;
    meter m = {0};
    tape t;
    record_stage(&t, change_world_of, true);
    cn_replay *replay = open_tape(&t, (cn_world_def){.allocator = metered(&m)});
    assert_done(cn_replay_seek(replay, 50)); // move events are on
    uint64_t hash = cn_world_hash(cn_replay_world(replay));
    for (int call = 1, failed = 1; failed; call++) {
        assert_done(cn_replay_seek(replay, 90)); // they are off, and the filter is another one
        fail_at(&m, call);
        failed = !cn_replay_seek(replay, 50);
        assert_true(!failed || has_failed(&m));
        fail_at(&m, 0);
        if (failed) assert_true(cn_error_code() != CN_ERROR_NONE);
        assert_done(cn_replay_seek(replay, 50));
        assert_true(cn_world_hash(cn_replay_world(replay)) == hash);
        assert_done(cn_replay_seek(replay, 80));
        assert_false(cn_replay_desync(replay).found);
    }
    cn_replay_destroy(replay);
    assert_int_equal(m.bytes, 0);
    free(t.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeking_keeps_the_ground_that_follows_from_callbacks),
        cmocka_unit_test(seeking_keeps_objects),
        cmocka_unit_test(seeking_keeps_restored_states_and_settings),
        cmocka_unit_test(a_replay_without_memory_can_seek_again),
        cmocka_unit_test(seeking_over_random_calls_gives_the_played_world),
        cmocka_unit_test(a_world_after_random_calls_is_replayed_from_its_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
