/* Several threads read one world at once: queries and contacts. */
#include "../../support/physics.h"
#include "../../support/query_judge.h"
#include "query_worlds.h"
#include "../../support/sleepers.h"
#include "../../support/slow.h"
#include "../../../demo/scenes/scene.h"

#include <pthread.h>
#include <stdatomic.h>

// ---- queries from any number of threads at once

enum { QUERIERS = 4, QUERIES = 200 / SLOW, RAYS = 64, MAX_SIDES = 256 };

typedef struct {
    const random_world *random_world;
    uint64_t seed, hash; // of the queries, and of the results
} querier;

static cn_ray ray_between(random_world *w) {
    vec2s p = pick_place(w), q = pick_place(w);
    return (cn_ray){p, {{q.x - p.x, q.y - p.y}}};
}

static void run_casts(random_world *w, const cn_query *query, uint64_t *hash) {
    cn_ray rays[RAYS];
    cn_world_hit hits[RAYS];
    cn_hull hull = pick_hull(w, false);
    for (int i = 0; i < RAYS; i++) rays[i] = ray_between(w);
    if (!cn_world_cast_rays(w->world, rays, RAYS, query, hits)) abort();
    for (int i = 0; i < RAYS; i++) mix_hit(hash, &hits[i]);
    cn_ray ray = rays[0];
    *hash +=
        (uint64_t)cn_world_cast_ray_all(w->world, ray.origin, ray.translation, query, hits, RAYS);
    mix_hit(hash, &hits[0]);
    hits[0] = cn_world_cast_ray(w->world, ray.origin, ray.translation, query);
    mix_hit(hash, &hits[0]);
    const cn_sweep sweep = {cn_pose_at(ray.origin, 1), {{0, 0}}, ray.translation, 1};
    hits[0] = cn_world_cast_hull(w->world, hull, sweep, query);
    mix_hit(hash, &hits[0]);
}

static void mix_sides(uint64_t *hash, const cn_side *sides, int count) {
    for (int i = 0; i < count && i < MAX_SIDES; i++) mix_side(hash, sides[i]);
}

static void run_overlaps(random_world *w, const cn_query *query, uint64_t *hash) {
    cn_side sides[MAX_SIDES];
    const cn_world *world = w->world;
    cn_hull hull = pick_hull(w, false);
    cn_pose pose = cn_pose_at(pick_place(w), 1);
    cn_bounds box = cn_hull_bounds(hull, pose);
    mix_sides(hash, sides, cn_world_overlap(world, hull, pose, query, sides, MAX_SIDES));
    mix_sides(hash, sides, cn_world_overlap_bounds(world, box, query, sides, MAX_SIDES));
    mix_sides(hash, sides, cn_world_overlap_point(world, pose.position, query, sides, MAX_SIDES));
    cn_neighbor nearest = cn_world_nearest(world, hull, pose, 100, query);
    mix_neighbor(hash, &nearest);
    const cn_move_def def = {.step_height = 0.2f, .snap_distance = 0.2f};
    cn_move move = cn_world_move_hull(world, hull, pose, (vec2s){{1, -1}}, &def);
    mix_move(hash, &move);
}

static void *run_queries(void *argument) {
    querier *a = argument;
    random_world own = *a->random_world; // a copy with random numbers of its own
    own.random_state = a->seed;
    for (int i = 0; i < QUERIES; i++) {
        cn_filter f = pick_filter(&own);
        const cn_query query = {f.category, f.mask, f.group, .sensors = i % 2};
        run_casts(&own, i % 4 ? NULL : &query, &a->hash);
        run_overlaps(&own, i % 4 ? NULL : &query, &a->hash);
    }
    return NULL;
}

static void query_at_once(const random_world *w, uint64_t seed) {
    pthread_t threads[QUERIERS];
    querier together[QUERIERS], alone[QUERIERS];
    for (int i = 0; i < QUERIERS; i++) together[i] = alone[i] = (querier){w, seed + (uint64_t)i, 1};
    for (int i = 0; i < QUERIERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_queries, &together[i]), 0);
    for (int i = 0; i < QUERIERS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < QUERIERS; i++) {
        run_queries(&alone[i]);
        assert_int_equal(together[i].hash, alone[i].hash);
    }
}

static void several_threads_may_query_at_once_after_edits_and_between_steps(void **state) {
    (void)state;
    static random_world w;
    for (int threads = 1; threads < 5; threads += 3)
        for (int type = 0; type < RANDOM_WORLD_TYPES; type += threads) {
            assert_true(random_world_begin(&w, (random_world_type)type, 1,
                                           (cn_world_def){.threads = threads}));
            query_at_once(&w, 10);
            for (int i = 0; i < 3; i++) {
                run(w.world, 1 + i);
                query_at_once(&w, 20);
                random_world_edit(&w);
                query_at_once(&w, 30);
            }
            random_world_end(&w);
        }
}

// ---- contacts

enum { READERS = 6, READ_STEPS = 60 / SLOW };

typedef struct {
    const cn_world *world;
    int first; // the body with which this thread begins
    uint64_t answers;
} reader;

static uint64_t mix(uint64_t sum, uint64_t value) { return (sum ^ value) * 0x9E3779B97F4A7C15u; }

static uint64_t read_body(const cn_world *world, cn_body body, cn_body other) {
    cn_contact contacts[8];
    int count = cn_body_contacts(world, body, contacts, 8);
    cn_ground ground = cn_body_ground(world, body, point(0, 1), 1);
    uint64_t sum =
        (uint64_t)count + 100 * ground.found + 1000 * cn_body_touches(world, body, other);
    for (int i = 0; i < count && i < 8; i++) {
        cn_contact c = cn_contact_seen_from(contacts[i], body);
        sum = mix(sum, c.b.shape.id ^ (uint64_t)c.manifold.count);
    }
    return mix(sum, ground.side.shape.id ^ (uint64_t)cn_world_counters(world).touching);
}

// Reads the contacts of all bodies. The sum does not depend on the body with which it begins.
static void *read_all(void *argument) {
    reader *a = argument;
    cn_body bodies[512], none = {0};
    int count = 0;
    for (cn_body b = none; count < 512 && (b = cn_world_next_body(a->world, b)).id;)
        bodies[count++] = b;
    for (int i = 0; i < count; i++) {
        int k = (a->first + i) % count;
        a->answers += read_body(a->world, bodies[k], bodies[(k + 1) % count]);
    }
    return NULL;
}

// The first thread to read builds the index of contacts. All threads get the same results as a
// single thread.
static void many_threads_may_read_contacts(void **state) {
    (void)state;
    const scene *which = scene_find("large-pyramid");
    scene_run shared, alone;
    assert_done(scene_start(&shared, which, (cn_world_def){.threads = 2}));
    assert_done(scene_start(&alone, which, (cn_world_def){.threads = 1}));
    uint64_t all = 0;
    for (int i = 0; i < READ_STEPS; i++) {
        assert_done(scene_step(&shared, STEP) && scene_step(&alone, STEP));
        reader readers[READERS], expected = {.world = alone.world};
        pthread_t threads[READERS];
        read_all(&expected);
        for (int k = 0; k < READERS; k++) {
            readers[k] = (reader){.world = shared.world, .first = 7 * k};
            assert_int_equal(pthread_create(&threads[k], NULL, read_all, &readers[k]), 0);
        }
        for (int k = 0; k < READERS; k++) {
            pthread_join(threads[k], NULL);
            assert_true(readers[k].answers == expected.answers);
        }
        all |= expected.answers;
    }
    assert_true(all != 0 && cn_world_counters(shared.world).touching > 20);
    scene_stop(&shared);
    scene_stop(&alone);
}

// ---- gaps

enum { SLEEPERS = 1000, HASHERS = 3, GAP_ROUNDS = 100 / SLOW };

typedef struct {
    const cn_world *world;
    atomic_int *waiting; // threads that have not begun yet
    uint64_t hash;
} hasher;

static void *hash_at_once(void *argument) {
    hasher *h = argument;
    for (atomic_fetch_sub(h->waiting, 1); atomic_load(h->waiting) > 0;) {}
    h->hash = cn_world_hash(h->world);
    return NULL;
}

// Calls that put bodies to sleep leave gaps in the lists of pairs. The first thread closes them.
static void many_threads_may_hash_after_calls_that_leave_gaps(void **state) {
    (void)state;
    for (int round = 0; round < GAP_ROUNDS; round++) {
        cn_world *world = make_sleepy_world(GRAVITY);
        add(world, (cn_body_def){.type = CN_STATIC}, (cn_shape_def){.hull = cn_box(2000, 0.5f)});
        cn_body boxes[SLEEPERS];
        for (int i = 0; i < SLEEPERS; i++)
            boxes[i] = add(world, (cn_body_def){.position = point(1.02 * i, 1)}, box_of(0.5f));
        run(world, 5);
        for (int i = 0; i < SLEEPERS / 2; i++)
            assert_done(cn_body_set_asleep(world, boxes[i], true));
        atomic_int waiting = HASHERS;
        hasher hashers[HASHERS];
        pthread_t threads[HASHERS];
        for (int k = 0; k < HASHERS; k++) {
            hashers[k] = (hasher){world, &waiting, 0};
            assert_int_equal(pthread_create(&threads[k], NULL, hash_at_once, &hashers[k]), 0);
        }
        for (int k = 0; k < HASHERS; k++) pthread_join(threads[k], NULL);
        for (int k = 0; k < HASHERS; k++) assert_true(hashers[k].hash == cn_world_hash(world));
        cn_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_threads_may_query_at_once_after_edits_and_between_steps),
        cmocka_unit_test(many_threads_may_read_contacts),
        cmocka_unit_test(many_threads_may_hash_after_calls_that_leave_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
