/* Shrinking reduces a recording to the calls that are needed for a failure. */
#include "../../demo/replay/shrink.h"
#include "../support/recordings.h"

enum { CRATES = 100, STEPS = 100 };

// 500 calls: of the crates only one gets an impulse that takes it far away.
static void record(tape *t, int culprit) {
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    begin_tape(t, world);
    cn_body crates[CRATES];
    for (int i = 0; i < CRATES; i++) {
        crates[i] = add(world, (cn_body_def){.position = point(i % 10, 1 + i / 10)}, box_of(0.4f));
        cn_body_set_user_data(world, crates[i], (uint64_t)i);
    }
    for (int i = 0; i < STEPS; i++) {
        vec2s impulse = i == culprit ? point(0, 50) : point(0, 0.1);
        cn_body_apply_impulse(world, crates[i], impulse);
        assert_done(cn_world_step(world, STEP));
    }
    assert_done(cn_recording_end(world));
    cn_world_destroy(world);
}

// The failure: a body is high above the others.
static bool rises(const void *bytes, size_t size, void *user) {
    cn_replay *replay = cn_replay_create(&(cn_world_def){0}, bytes, size);
    assert_non_null(replay);
    while (!is_at_end(replay)) assert_done(cn_replay_next(replay));
    cn_world *world = cn_replay_world(replay);
    bool found = false;
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;)
        found |= cn_body_position(world, b).y > 12;
    cn_replay_destroy(replay);
    *(int *)user += 1;
    return found;
}

static void few_calls_of_500_are_left(void **state) {
    (void)state;
    tape t;
    record(&t, 42);
    size_t size;
    int tries, played = 0;
    void *left = shrink_recording(t.bytes, t.size, rises, &played, &size, &tries);
    assert_non_null(left);
    assert_int_equal(tries, played);
    assert_true(rises(left, size, &played));
    cn_replay *replay = cn_replay_create(&(cn_world_def){0}, left, size);
    int calls = cn_replay_at(replay).calls, bodies = 0, steps = 0, impulses = 0;
    for (; !is_at_end(replay); assert_done(cn_replay_next(replay))) {
        const char *text = cn_replay_text(replay);
        bodies += strncmp(text, "cn_body_create", 14) == 0;
        steps += strncmp(text, "cn_world_step", 13) == 0;
        impulses += strncmp(text, "cn_body_apply", 13) == 0;
    }
    print_message("%d calls left after %d trials: %d bodies, %d impulses, %d steps\n", calls, tries,
                  bodies, impulses, steps);
    assert_int_equal(calls, bodies + impulses + steps);
    assert_int_equal(bodies, 1);
    assert_int_equal(impulses, 1);
    assert_true(steps < 40);
    cn_replay_destroy(replay);
    free(left), free(t.bytes);
}

static bool never(const void *bytes, size_t size, void *user) {
    (void)bytes, (void)size, (void)user;
    return false;
}

static void nothing_is_left_without_a_failure(void **state) {
    (void)state;
    tape t;
    record(&t, 42);
    size_t size;
    int tries;
    assert_null(shrink_recording(t.bytes, t.size, never, NULL, &size, &tries));
    assert_null(shrink_recording(t.bytes, 10, never, NULL, &size, &tries));
    free(t.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_calls_of_500_are_left),
        cmocka_unit_test(nothing_is_left_without_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
