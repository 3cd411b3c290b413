/* Workers share the contacts that begin, end and part. Whatever their number and whenever they
 * arrive, contacts, apart pairs and events are the same, in the same order.
 *
 * A storm: bodies of all hull classes, packed too closely, are thrown about every few steps. Calls
 * between the steps change materials, teleport and destroy bodies, connect bodies that touch and
 * let bodies drop through a shelf. Beside it stand stacks that are put to sleep and wake. */
#include "../../../../engine/core/world/world.h"
#include "../../../support/meter.h"
#include "../../../support/random_calls.h"
#include "../../../support/saved_world.h"
#include "../../../support/slow.h"
#include "../../../support/task_systems.h"

#include <inttypes.h>

enum {
    COLUMNS = 40,
    BODIES = 1280,
    STACKS = 60,
    STACKED = 3 * STACKS,
    STEPS = 40 / SLOW, // in the steps of the sanitizers all that is counted below happens, too
};

typedef struct {
    meter meter;
    cn_world *world;
    cn_body bodies[BODIES], stacked[STACKED];
    task_calls calls;
    // The most contacts in a step that begin, end and are restored, and the most hits; calls of
    // pre-solve.
    int begun, ended, restored, hits, asked;
} storm;

// ---- the world

static void add_walls(storm *s) {
    add(s->world, (cn_body_def){.type = CN_STATIC, .position = {{0, -1}}},
        (cn_shape_def){.hull = cn_box(200, 1)});
    for (int side = -1; side <= 1; side += 2)
        add(s->world, (cn_body_def){.type = CN_STATIC, .position = point(21 * side, 40)},
            (cn_shape_def){.hull = cn_box(1, 40)});
    add(s->world, (cn_body_def){.type = CN_STATIC, .position = {{0, 8}}},
        (cn_shape_def){.hull = cn_box(18, 0.1f), .one_way = {{0, 1}}});
    cn_body_def belt = {.type = CN_KINEMATIC, .position = {{-18, 2}}, .velocity = {{0.5f, 0}}};
    add(s->world, belt, box_of(0.5f));
}

static void add_bodies(storm *s) {
    for (int i = 0; i < BODIES; i++) {
        cn_body_def def = {.position =
                               point(0.95 * (i % COLUMNS) - 18.5, 0.5 + 0.9 * (i / COLUMNS))};
        cn_shape_def shape = {.hull = some_hull(), .material = some_material()};
        shape.no_touch_events = one_in(6), shape.pre_solve = one_in(6),
        shape.hit_events = one_in(3);
        s->bodies[i] = add(s->world, def, shape);
    }
    for (int i = 0; i < STACKED; i++) {
        cn_body_def def = {.position = point(30 + 2 * (i / 3), 0.5 + i % 3)};
        cn_shape_def shape = box_of(0.5f);
        shape.custom_filter = true;
        s->stacked[i] = add(s->world, def, shape);
    }
}

static cn_pre_solve_result disable_some(cn_world *world, const cn_contact *contact, void *user) {
    (void)world;
    ((storm *)user)->asked++;
    return (cn_pre_solve_result){.disabled = contact->manifold.normal.x > 0.9f};
}

// The same seed makes the same world.
static void make_storm(storm *s, int threads, int system) {
    *s = (storm){0};
    chance = 7;
    cn_world_def def = {.gravity = {{0, -10}},
                        .threads = threads,
                        .tasks = record_calls(system, &s->calls),
                        .allocator = metered(&s->meter)};
    s->world = cn_world_create(&def);
    assert_done(s->world != NULL);
    cn_team_distribute_all(s->world->sim.team);
    add_walls(s);
    add_bodies(s);
    cn_callbacks callbacks = {.pre_solve = disable_some, .user = s};
    assert_done(cn_world_set_callbacks(s->world, callbacks));
}

// ---- edits between the steps

static cn_body some_body(const storm *s) { return s->bodies[below(BODIES)]; }

// Connects bodies that touch: their contacts may not go on.
static void connect_touching(storm *s) {
    for (int i = 0; i < 20; i++) {
        cn_body a = some_body(s);
        cn_contact contact;
        if (!cn_body_valid(s->world, a) || !cn_body_contacts(s->world, a, &contact, 1)) continue;
        cn_body b = contact.a.body.id == a.id ? contact.b.body : contact.a.body;
        cn_joint_def def = cn_filter_joint(s->world, a, b);
        assert_done(cn_joint_create(s->world, def).id != 0);
    }
}

static void edit(storm *s, int step) {
    for (int i = 0; i < 8; i++) {
        cn_body_set_pose(s->world, some_body(s), cn_pose_at(point(uniform(-18, 18), 30), 0));
        cn_body_drop_through(s->world, some_body(s), 0.3f);
        cn_body body = some_body(s);
        if (cn_body_valid(s->world, body))
            cn_shape_set_material(s->world, first_shape(s->world, body), some_material());
        if (one_in(4)) cn_body_destroy(s->world, some_body(s));
    }
    for (int i = 0; i < BODIES && step % 4 == 3; i++) {
        vec2s velocity = point(uniform(-15, 15), uniform(-5, 15));
        if (one_in(2)) cn_body_set_velocity(s->world, s->bodies[i], velocity);
    }
    if (step % 4 == 1) connect_touching(s);
    for (int i = 0; i < STACKED; i += 3)
        if (step > 3) cn_body_set_asleep(s->world, s->stacked[i], step % 3 == 0);
}

// ---- hashes

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_touches(uint64_t hash, const cn_touch_event *events, int count) {
    for (int i = 0; i < count; i++) {
        const uint64_t shapes[] = {events[i].a.shape.id, events[i].b.shape.id};
        hash = add_bytes(hash, shapes, sizeof shapes);
        hash = add_bytes(hash, &events[i].point, sizeof(vec2s));
        hash = add_bytes(hash, &events[i].normal, sizeof(vec2s));
    }
    return add_bytes(hash, &count, sizeof count);
}

static uint64_t hash_hits(uint64_t hash, const cn_hit_event *events, int count) {
    for (int i = 0; i < count; i++) {
        const uint64_t shapes[] = {events[i].a.shape.id, events[i].b.shape.id};
        const float sizes[] = {events[i].approach_speed, events[i].impulse};
        hash = add_bytes(hash, shapes, sizeof shapes);
        hash = add_bytes(hash, &events[i].point, sizeof(vec2s));
        hash = add_bytes(hash, &events[i].normal, sizeof(vec2s));
        hash = add_bytes(hash, sizes, sizeof sizes);
    }
    return add_bytes(hash, &count, sizeof count);
}

// Returns a hash of the state and of the events of the last step.
static uint64_t hash_step(const storm *s) {
    cn_events events = cn_world_events(s->world);
    uint64_t hash = hash_touches(cn_world_hash(s->world), events.begins, events.begin_count);
    hash = hash_touches(hash, events.ends, events.end_count);
    return hash_hits(hash, events.hits, events.hit_count);
}

static void count(storm *s) {
    const cn_simulation *sim = &s->world->sim;
    s->begun = cn_max_int(s->begun, sim->begun_count);
    s->restored = cn_max_int(s->restored, sim->new_slots.count - sim->begun_count);
    s->ended = cn_max_int(s->ended, cn_world_events(s->world).end_count);
    s->hits = cn_max_int(s->hits, cn_world_events(s->world).hit_count);
}

// ---- the tests

// Compares each step with that of the run on one thread. That run must come first: it writes the
// hashes.
static void run_storm(int threads, int system, uint64_t hashes[STEPS]) {
    storm s;
    make_storm(&s, threads, system);
    for (int i = 0; i < STEPS; i++) {
        if (i) edit(&s, i);
        assert_done(cn_world_step(s.world, STEP));
        count(&s);
        if (threads == 1) hashes[i] = hash_step(&s);
        if (hash_step(&s) != hashes[i])
            fail_msg("%d threads differ in step %d, system %d", threads, i, system);
    }
    cn_world_destroy(s.world);
    assert_int_equal(s.meter.blocks, 0);
    check_calls(system, &s.calls);
    // The storm is strong enough: several ranges of slots, and many contacts of each kind.
    assert_in_range(s.begun, 2000, 100000);
    assert_in_range(s.ended, 200, 100000);
    assert_in_range(s.restored, STACKED / 2, 100000);
    assert_in_range(s.hits, 100, 100000);
    assert_in_range(s.asked, 100, 10000000);
}

static void contacts_and_events_are_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    uint64_t hashes[STEPS];
    run_storm(1, OWN_THREADS, hashes);
    const int threads[] = {2, 3, 8};
    for (int i = 0; i < 3; i++)
        for (int system = OWN_THREADS; system <= NEVER; system++)
            run_storm(threads[i], system, hashes);
}

typedef struct {
    pthread_t thread; // that steps the world
    int calls, calls_of_others;
} filter_calls;

static bool count_call(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b;
    filter_calls *c = user;
    c->calls++;
    c->calls_of_others += !pthread_equal(pthread_self(), c->thread);
    return true;
}

// Islands wake in this world, so their pairs are found again.
static void the_filter_is_called_by_the_thread_that_steps(void **state) {
    (void)state;
    storm s;
    filter_calls calls = {.thread = pthread_self()};
    make_storm(&s, 3, OWN_THREADS);
    cn_callbacks callbacks = {.filter = count_call, .user = &calls};
    assert_done(cn_world_set_callbacks(s.world, callbacks));
    for (int i = 0; i < STEPS; i++) {
        if (i) edit(&s, i);
        assert_done(cn_world_step(s.world, STEP));
        count(&s);
    }
    cn_world_destroy(s.world);
    assert_in_range(s.restored, STACKED / 2, 100000);
    assert_in_range(calls.calls, STACKED, 10000000);
    assert_int_equal(calls.calls_of_others, 0);
}

// Takes a step while allocation n fails. Returns whether the step was taken. The second half of a
// step leaves work undone if it gets no memory: then the step is taken again.
static bool try_step(storm *s, int n) {
    saved_world before = save_world(s->world);
    const uint64_t hash = cn_world_hash(s->world);
    fail_at(&s->meter, n);
    bool done = cn_world_step(s->world, STEP), failed = has_failed(&s->meter);
    fail_at(&s->meter, 0);
    assert_true(done || (failed && cn_error_code() == CN_ERROR_MEMORY));
    assert_true(done || cn_world_hash(s->world) == hash);
    if (done && failed) {
        assert_done(cn_world_restore(s->world, before.bytes, before.size));
        assert_done(cn_world_step(s->world, STEP));
    }
    free(before.bytes);
    return done;
}

static void a_step_that_gets_no_memory_changes_no_contact(void **state) {
    (void)state;
    storm s, twin;
    int failures = 0;
    make_storm(&twin, 1, OWN_THREADS);
    make_storm(&s, 3, OWN_THREADS);
    for (int i = 0; i < 8; i++) {
        const uint64_t before = chance;
        if (i) edit(&twin, i);
        chance = before;
        if (i) edit(&s, i);
        // What an attempt has allocated stays, so the next one fails at the allocation after that.
        for (int n = 1; !try_step(&s, n); n = 2) failures++;
        assert_true(try_step(&twin, 0));
        if (cn_world_hash(s.world) != cn_world_hash(twin.world)) fail_msg("step %d differs", i);
    }
    assert_in_range(failures, 40, 10000);
    cn_world_destroy(s.world);
    cn_world_destroy(twin.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_and_events_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(the_filter_is_called_by_the_thread_that_steps),
        cmocka_unit_test(a_step_that_gets_no_memory_changes_no_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
