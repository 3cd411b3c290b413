/* Thousands of random calls and steps, and the claims that must hold after any of them:
 *
 *   - a contact that began ends once before it begins again, and none is left when all bodies are
 *     destroyed
 *   - a joint that breaks raises one event with its handle; joints are destroyed with their bodies
 *   - the calls give the same bits at every SIMD width
 *   - an allocation that fails changes nothing, and nothing leaks
 *   - links and trees that follow from the state are those of a plain scan
 *   - queries change nothing, even with bad numbers and handles, and the objects they return exist
 *
 * The seed of each run is printed. */
#include "../../engine/parts/snapshot/snapshot.h"
#include "../support/links_oracle.h"
#include "../support/random_trial.h"
#include "../support/slow.h"

enum { RUNS = 4, CALLS = 2500 / SLOW };

static uint64_t first_seed = 1; // or the argument of the program

// ---- contacts that have begun and not ended

static int find_open(const trial *t, int kind, cn_side a, cn_side b) {
    for (int i = 0; i < t->open_count[kind]; i++)
        if (t->open[kind][i].a == a.shape.id && t->open[kind][i].b == b.shape.id) return i;
    return -1;
}

static void begin_pair(trial *t, int kind, cn_side a, cn_side b) {
    assert_true(find_open(t, kind, a, b) < 0);
    assert_true(t->open_count[kind] < MAX_OPEN);
    t->open[kind][t->open_count[kind]++] = (pair){a.shape.id, b.shape.id};
}

static void end_pair(trial *t, int kind, cn_side a, cn_side b) {
    int k = find_open(t, kind, a, b);
    assert_true(k >= 0); // the pair had begun
    t->open[kind][k] = t->open[kind][--t->open_count[kind]];
}

// Checks that every joint that existed before the step still exists or broke in the step.
static void follow_joints(trial *t, const cn_events *events) {
    for (int i = 0; i < events->broken_count; i++) {
        const cn_joint_event *e = &events->broken[i];
        assert_true(e->user_data < JOINTS && t->existed[e->user_data]);
        assert_true(t->joints[e->user_data].id == e->joint.id);
        assert_true(e->force > 0 || e->torque > 0);
        assert_false(cn_joint_valid(t->world, e->joint));
        t->existed[e->user_data] = false;
    }
    for (int i = 0; i < JOINTS; i++)
        assert_int_equal(t->existed[i], cn_joint_valid(t->world, t->joints[i]));
}

static void follow_events(trial *t) {
    t->meter.fail_at = 0;
    cn_events events = cn_world_events(t->world);
    follow_joints(t, &events);
    for (int i = 0; i < events.end_count; i++) end_pair(t, 0, events.ends[i].a, events.ends[i].b);
    for (int i = 0; i < events.begin_count; i++)
        begin_pair(t, 0, events.begins[i].a, events.begins[i].b);
    for (int i = 0; i < events.sensor_begin_count; i++) // pairs that cross end in the same step
        begin_pair(t, 1, events.sensor_begins[i].sensor, events.sensor_begins[i].other);
    for (int i = 0; i < events.sensor_end_count; i++)
        end_pair(t, 1, events.sensor_ends[i].sensor, events.sensor_ends[i].other);
}

static bool take_steps(trial *t, int count) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < JOINTS; k++) t->existed[k] = cn_joint_valid(t->world, t->joints[k]);
        if (!cn_world_step(t->world, STEP)) return i > 0;
        follow_events(t);
        t->hash = t->hash * 31 + cn_world_hash(t->world);
    }
    return true;
}

static bool call_something(trial *t) {
    bool done = one_in(25) ? take_steps(t, 1 + 60 * one_in(8)) : call_without_step(t);
    check_links(t->world);
    return done;
}

// ---- runs

static uint64_t end_trial(trial *t) {
    t->meter.fail_at = 0;
    for (cn_body b; (b = cn_world_next_body(t->world, (cn_body){0})).id;)
        assert_done(cn_body_destroy(t->world, b));
    assert_true(take_steps(t, 3));
    cn_counters counters = cn_world_counters(t->world);
    assert_int_equal(t->open_count[0] + t->open_count[1], 0);
    assert_int_equal(counters.joints, 0);
    assert_int_equal(counters.contacts + counters.sleeping_touching, 0);
    assert_int_equal(counters.islands + counters.sleeping_islands, 0);
    cn_world_destroy(t->world);
    assert_int_equal(t->meter.bytes, 0);
    return t->hash;
}

static uint64_t run_trial(uint64_t seed, int lanes) {
    static trial t;
    begin_trial(&t, seed, lanes);
    for (int i = 0; i < CALLS; i++) call_something(&t);
    return end_trial(&t);
}

typedef struct {
    void *bytes;
    size_t size;
} saved;

static saved save(const cn_world *world, cn_save_parts parts) {
    size_t size = cn_world_save(world, parts, NULL, 0);
    saved s = {malloc(size), size};
    assert_int_equal(cn_world_save(world, parts, s.bytes, size), size);
    return s;
}

static uint64_t scenery_hash(const cn_world *world) { return cn_find_scenery(world)->hash; }

// Saves the world, makes some other calls, and goes back to the saved state: in place if the
// scenery is still the same.
static void make_detour(trial *t, bool in_place) {
    static trial before;
    before = *t;
    uint64_t hash = cn_world_hash(t->world), scenery = scenery_hash(t->world), usual = chance;
    saved all = save(t->world, CN_SAVE_ALL), moving = save(t->world, CN_SAVE_MOVING);
    cn_callbacks callbacks = t->world->callbacks; // are not part of the state
    chance ^= 0xDE70;
    for (int calls = below(8); calls > 0; calls--) call_something(t);
    chance = usual;
    meter metered = t->meter;
    *t = before, t->meter = metered;
    assert_done(cn_world_set_callbacks(t->world, callbacks));
    bool same = scenery_hash(t->world) == scenery;
    const saved *s = same && in_place ? &moving : &all;
    assert_done(same && in_place ? cn_restore_in_place(t->world, s->bytes, s->size)
                                 : cn_world_restore(t->world, s->bytes, s->size));
    assert_true(cn_world_hash(t->world) == hash);
    free(all.bytes), free(moving.bytes);
}

// The same calls, with a detour before some of them.
static uint64_t run_trial_with_detours(uint64_t seed, bool in_place) {
    static trial t;
    uint64_t moments = seed;
    begin_trial(&t, seed, 0);
    for (int i = 0; i < CALLS; i++) {
        if (random_between(&moments, 0, 1) < 0.2) make_detour(&t, in_place);
        call_something(&t);
    }
    return end_trial(&t);
}

static void run_starved_trial(uint64_t seed) {
    static trial t;
    begin_trial(&t, seed, 0);
    for (int i = 0; i < CALLS; i++) {
        uint64_t before = cn_world_hash(t.world);
        t.meter.calls = 0, t.meter.fail_at = one_in(8) ? 1 + below(4) : 0;
        cn_circle(-1);               // so that the last error is of another kind
        bool had_tiles = t.tiles.id; // a failed step may have turned some tiles into shapes
        if (!call_something(&t) && cn_error_code() == CN_ERROR_MEMORY && !had_tiles)
            assert_true(cn_world_hash(t.world) == before);
    }
    end_trial(&t);
}

static void any_calls_leave_a_consistent_world_and_equal_bits_at_every_width(void **state) {
    (void)state;
    for (uint64_t seed = first_seed; seed < first_seed + RUNS; seed++) {
        print_message("seed %d\n", (int)seed);
        uint64_t hash = run_trial(seed, 1);
        assert_true(run_trial(seed, 4) == hash);
        assert_true(run_trial(seed, 0) == hash);
        assert_true(run_trial_with_detours(seed, false) == hash);
        assert_true(run_trial_with_detours(seed, true) == hash);
    }
}

static void any_calls_leave_a_consistent_world_when_memory_fails(void **state) {
    (void)state;
    for (uint64_t seed = first_seed; seed < first_seed + RUNS; seed++) {
        print_message("seed %d\n", (int)seed);
        run_starved_trial(seed);
    }
}

int main(int count, char **arguments) {
    if (count > 1) first_seed = strtoull(arguments[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_calls_leave_a_consistent_world_and_equal_bits_at_every_width),
        cmocka_unit_test(any_calls_leave_a_consistent_world_when_memory_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
