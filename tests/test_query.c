/* Compares the world's queries with an oracle that knows every shape and tile. The worlds are
 * random, and each is queried when it is new, after edits, and after one and many steps. Results
 * are the same bits with any number of lanes and threads.
 *
 *     test_query [TIMES [SEED]]      TIMES: multiplies the number of queries
 */
#include "physics.h"
#include "query_judge.h"
#include "query_worlds.h"

#include <stdio.h>

enum {
    STAGES = 5, // created; edited; a step; edited; 100 steps
    ROUNDS = 8, // worlds of each kind
    RAYS = 72,
    CASTS = 72,
    OVERLAPS = 48,
    POINTS = 12,
    BOXES = 12,
    NEAREST = 72,
    RAYS_ALL = 18,
};

static int times = 1;
static uint64_t first_seed = 1;

// ---- queries

static double log_uniform(zoo *z, double low, double high) {
    return low * pow(high / low, zoo_uniform(z, 0, 1));
}

// Returns a point in the box of a random item.
static vec2s near_item(zoo *z) {
    if (z->oracle.count == 0 || zoo_one_in(z, 10)) return zoo_place(z);
    const oracle_item *item = &z->oracle.items[zoo_below(z, z->oracle.count)];
    return point(zoo_uniform(z, item->lower.x, item->upper.x),
                 zoo_uniform(z, item->lower.y, item->upper.y));
}

static vec2s offset(zoo *z, double length) {
    double angle = zoo_uniform(z, -PI, PI);
    if (zoo_one_in(z, 5)) angle = zoo_below(z, 4) * PI / 2;
    return point(length * cos(angle), length * sin(angle));
}

static vec2s some_translation(zoo *z) {
    switch (zoo_below(z, 12)) {
    case 0: return zoo_one_in(z, 2) ? point(0, 0) : point(-0.0, 0);
    case 1: return offset(z, 0.001 * z->reach);
    case 2: return offset(z, log_uniform(z, 10, 1e6));
    case 3: return point(zoo_uniform(z, -2, 2) * z->reach, 0);
    case 4: return point(0, zoo_uniform(z, -2, 2) * z->reach);
    case 5: return point(zoo_uniform(z, -2, 2) * z->reach, -0.0);
    default: return offset(z, zoo_uniform(z, 0, 2) * z->reach);
    }
}

// Returns a ray that often ends at an item or goes beyond it.
static cn_ray some_ray(zoo *z) {
    vec2s origin = zoo_one_in(z, 4) ? near_item(z) : zoo_place(z), to = near_item(z);
    if (zoo_one_in(z, 3)) return (cn_ray){origin, some_translation(z)};
    double more = zoo_one_in(z, 2) ? 1 : log_uniform(z, 1, 20);
    return (cn_ray){origin, point(more * ((double)to.x - (double)origin.x),
                                  more * ((double)to.y - (double)origin.y))};
}

static bool accept(const cn_world *world, cn_side side, void *user) {
    (void)world;
    return (side.shape.id * 7 + side.tiles.id + (uint64_t)side.tile) % 3 != *(uint64_t *)user;
}

static const cn_query *some_query(zoo *z, cn_query *query, bool may_any) {
    static uint64_t refused = 1;
    *query = (cn_query){0};
    if (zoo_one_in(z, 4)) return NULL;
    if (zoo_one_in(z, 3)) query->filter = zoo_filter(z);
    if (zoo_one_in(z, 3)) query->sensors = true;
    if (zoo_one_in(z, 4)) query->accept = accept, query->user = &refused;
    if (zoo_one_in(z, 4) && may_any) query->any = true;
    cn_body body = z->bodies[zoo_below(z, z->body_count)];
    if (zoo_one_in(z, 3) && cn_body_valid(z->world, body)) query->ignore = body;
    return query;
}

static cn_pose some_pose(zoo *z) { return cn_pose_at(near_item(z), (float)zoo_uniform(z, -3, 3)); }

static cn_sweep some_sweep(zoo *z) {
    cn_ray ray = some_ray(z);
    cn_sweep sweep = {.start = cn_pose_at(ray.origin, (float)zoo_uniform(z, -3, 3))};
    sweep.translation = ray.translation;
    if (zoo_one_in(z, 2)) sweep.center = offset(z, z->smallest);
    if (zoo_one_in(z, 2)) sweep.turn = (float)zoo_uniform(z, -4, 4);
    return sweep;
}

// ---- rounds

static void judge_casts(zoo *z, judge *j, int count) {
    cn_query query;
    for (int i = 0; i < RAYS * count; i++) {
        cn_ray ray = some_ray(z);
        judge_ray(j, ray.origin, ray.translation, some_query(z, &query, true));
    }
    for (int i = 0; i < RAYS_ALL * count; i++) {
        cn_ray ray = some_ray(z);
        judge_ray_all(j, ray.origin, ray.translation, some_query(z, &query, false));
    }
    for (int i = 0; i < CASTS * count; i++) {
        cn_hull hull = zoo_hull(z, false);
        cn_sweep sweep = some_sweep(z);
        judge_cast(j, &hull, &sweep, some_query(z, &query, true));
    }
}

static void judge_places(zoo *z, judge *j, int count) {
    cn_query query;
    for (int i = 0; i < OVERLAPS * count; i++) {
        cn_hull hull = zoo_hull(z, false);
        judge_overlap(j, &hull, some_pose(z), some_query(z, &query, false));
    }
    for (int i = 0; i < POINTS * count; i++)
        judge_point(j, near_item(z), some_query(z, &query, false));
    for (int i = 0; i < BOXES * count; i++) {
        cn_hull hull = zoo_hull(z, false);
        judge_bounds(j, cn_hull_bounds(&hull, some_pose(z)), some_query(z, &query, false));
    }
    for (int i = 0; i < NEAREST * count; i++) {
        cn_hull hull = zoo_hull(z, false);
        cn_pose pose = zoo_one_in(z, 3) ? some_pose(z) : cn_pose_at(zoo_place(z), 1);
        float greatest = zoo_one_in(z, 8) ? 0 : (float)log_uniform(z, 0.001, 1000);
        judge_nearest(j, zoo_one_in(z, 4) ? NULL : &hull, pose, greatest,
                      some_query(z, &query, false));
    }
}

static void judge_all(zoo *z, judge *j, int count) {
    uint64_t hash = cn_world_hash(z->world);
    uint64_t allocations = cn_world_counters(z->world).allocations;
    int awake = cn_world_counters(z->world).awake_bodies;
    j->oracle = &z->oracle, j->world = z->world;
    oracle_read(&z->oracle, z->world);
    assert_in_range(z->oracle.count, 1, JUDGE_HITS);
    judge_casts(z, j, count);
    judge_places(z, j, count);
    assert_int_equal(cn_world_hash(z->world), hash);
    assert_int_equal(cn_world_counters(z->world).allocations, allocations);
    assert_int_equal(cn_world_counters(z->world).awake_bodies, awake);
}

static void enter_stage(zoo *z, int stage) {
    if (stage == 1 || stage == 3) zoo_edit(z);
    if (stage == 2) run(z->world, 1);
    if (stage == 4) run(z->world, 100);
}

static const char *const kind_names[] = {"mixed",  "far",  "sizes", "tiles",
                                         "chains", "tiny", "stacks"};

static void check_kind(zoo_kind kind) {
    judge j = {0};
    static zoo z;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t seed = first_seed * 1000 + (uint64_t)round;
        assert_true(zoo_begin(&z, kind, seed, (cn_world_def){0}));
        for (int stage = 0; stage < STAGES; stage++) {
            char where[80];
            snprintf(where, sizeof where, "%s, seed %d, round %d, stage %d", kind_names[kind],
                     (int)first_seed, round, stage);
            j.where = where;
            enter_stage(&z, stage);
            judge_all(&z, &j, times);
        }
        zoo_end(&z);
    }
    if (j.faults || j.lenient * 100 > j.queries)
        print_error("%s: %ld queries, %ld faults, %ld needed the tolerance\n", kind_names[kind],
                    j.queries, j.faults, j.lenient);
    assert_int_equal(j.faults, 0);
    assert_true(j.lenient * 100 <= j.queries);
}

static void answers_are_right_among_shapes_of_all_kinds(void **state) {
    (void)state;
    check_kind(ZOO_MIXED);
}

static void answers_are_right_ten_kilometres_from_the_origin(void **state) {
    (void)state;
    check_kind(ZOO_FAR);
}

static void answers_are_right_for_sizes_from_a_centimetre_to_100_m(void **state) {
    (void)state;
    check_kind(ZOO_SIZES);
}

static void answers_are_right_among_tiles(void **state) {
    (void)state;
    check_kind(ZOO_TILES);
}

static void answers_are_right_among_chains(void **state) {
    (void)state;
    check_kind(ZOO_CHAINS);
}

static void answers_are_right_for_tiny_shapes(void **state) {
    (void)state;
    check_kind(ZOO_TINY);
}

static void answers_are_right_if_islands_sleep(void **state) {
    (void)state;
    check_kind(ZOO_STACKS);
}

// ---- the same bits

static void mix_lists(zoo *z, uint64_t *hash) {
    static cn_side sides[JUDGE_HITS];
    cn_query query;
    cn_hull hull = zoo_hull(z, false);
    cn_pose pose = some_pose(z);
    cn_bounds box = cn_hull_bounds(&hull, pose);
    const cn_query *q = some_query(z, &query, true);
    int count = cn_world_overlap(z->world, &hull, pose, q, sides, JUDGE_HITS);
    for (int k = 0; k < count; k++) mix_side(hash, sides[k]);
    count = cn_world_overlap_bounds(z->world, box, q, sides, JUDGE_HITS);
    for (int k = 0; k < count; k++) mix_side(hash, sides[k]);
    count = cn_world_at(z->world, pose.position, q, sides, JUDGE_HITS);
    for (int k = 0; k < count; k++) mix_side(hash, sides[k]);
    cn_neighbor n = cn_world_nearest(z->world, &hull, pose, 100, q);
    mix_neighbor(hash, &n);
}

static void mix_casts(zoo *z, uint64_t *hash) {
    static cn_world_hit hits[JUDGE_HITS];
    cn_query query;
    cn_ray ray = some_ray(z);
    const cn_query *q = some_query(z, &query, true);
    cn_world_hit hit = cn_world_cast_ray(z->world, ray.origin, ray.translation, q);
    mix_hit(hash, &hit);
    int count = cn_world_cast_ray_all(z->world, ray.origin, ray.translation, q, hits, JUDGE_HITS);
    for (int k = 0; k < count; k++) mix_hit(hash, &hits[k]);
    cn_hull hull = zoo_hull(z, false);
    cn_sweep sweep = some_sweep(z);
    hit = cn_world_cast_hull(z->world, &hull, &sweep, q);
    mix_hit(hash, &hit);
}

enum { MANY = 300 };

static void compare_with_single(const zoo *z, const cn_ray *ray, const cn_query *q,
                                const cn_world_hit *hit) {
    cn_world_hit single = cn_world_cast_ray(z->world, ray->origin, ray->translation, q);
    bool any = q && q->any; // then any other hit is right, too
    if (any ? single.hit == hit->hit : same_hit(&single, hit)) return;
    print_error("%s: (%.9g, %.9g) by (%.9g, %.9g)%s: alone %d at %.9g, with others %d at %.9g\n",
                kind_names[z->kind], (double)ray->origin.x, (double)ray->origin.y,
                (double)ray->translation.x, (double)ray->translation.y, any ? ", any" : "",
                single.hit, (double)single.fraction, hit->hit, (double)hit->fraction);
    fail();
}

// Checks that each result is bit for bit that of a single cast.
static void check_many_rays(zoo *z, uint64_t *hash) {
    static cn_ray rays[MANY];
    static cn_world_hit hits[MANY];
    cn_query query;
    for (int i = 0; i < MANY; i++) rays[i] = some_ray(z);
    const cn_query *q = some_query(z, &query, true);
    for (int count = MANY; count > 0; count /= 3) {
        assert_done(cn_world_cast_rays(z->world, rays, count, q, hits));
        for (int i = 0; i < count; i++) {
            compare_with_single(z, &rays[i], q, &hits[i]);
            mix_hit(hash, &hits[i]);
        }
    }
}

// Returns a hash of all results in a world, or 0 if this machine has no such lanes.
static uint64_t hash_answers(zoo_kind kind, int lanes, int threads) {
    static zoo z;
    uint64_t hash = 14695981039346656037u;
    cn_world_def def = {.lanes = lanes, .threads = threads};
    if (!zoo_begin(&z, kind, first_seed, def)) return 0;
    for (int stage = 0; stage < STAGES; stage++) {
        enter_stage(&z, stage);
        oracle_read(&z.oracle, z.world);
        for (int i = 0; i < 100; i++) mix_casts(&z, &hash), mix_lists(&z, &hash);
        check_many_rays(&z, &hash);
    }
    zoo_end(&z);
    return hash;
}

static void answers_are_the_same_bits_at_every_width_and_on_any_threads(void **state) {
    (void)state;
    for (zoo_kind kind = 0; kind < ZOO_KINDS; kind++) {
        uint64_t hash = hash_answers(kind, 1, 1);
        const int lanes[] = {4, 8, 16, 0}, threads[] = {1, 4, 1, 3};
        for (int i = 0; i < 4; i++) {
            uint64_t other = hash_answers(kind, lanes[i], threads[i]);
            if (other && other != hash)
                print_error("%s: %d lanes, %d threads\n", kind_names[kind], lanes[i], threads[i]);
            assert_true(other == 0 || other == hash);
        }
    }
}

// ---- within callbacks

static zoo callers; // the worlds whose callbacks run queries
static judge caller;
static int calls[3];

static void judge_within(int which, const char *where) {
    if (calls[which]++ % 16) return;
    caller.where = where;
    judge_all(&callers, &caller, 1);
}

static bool query_in_filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b, (void)user;
    judge_within(0, "within filter");
    return true;
}

static bool query_in_pre_solve(cn_world *world, const cn_contact *contact, void *user) {
    (void)world, (void)contact, (void)user;
    judge_within(1, "within pre_solve");
    return true;
}

static void query_in_before_step(cn_world *world, float time_step, void *user) {
    (void)world, (void)time_step, (void)user;
    judge_within(2, "within before_step");
}

static void callbacks_may_query(void **state) {
    (void)state;
    const cn_callbacks callbacks = {query_in_filter, query_in_pre_solve, NULL,
                                    query_in_before_step};
    for (int i = 0; i < 2; i++) {
        assert_true(zoo_begin(&callers, i ? ZOO_STACKS : ZOO_MIXED, first_seed,
                              (cn_world_def){.threads = 1 + 3 * i}));
        assert_done(cn_world_set_callbacks(callers.world, callbacks));
        for (int k = 0; k < 20; k++) assert_in_range(cn_world_advance(callers.world, STEP), 0, 2);
        zoo_end(&callers);
    }
    for (int i = 0; i < 3; i++) assert_in_range(calls[i], 17, 1000000);
    assert_int_equal(caller.faults, 0);
}

int main(int count, char **arguments) {
    if (count > 1) times = (int)strtol(arguments[1], NULL, 10);
    if (count > 2) first_seed = strtoull(arguments[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_right_among_shapes_of_all_kinds),
        cmocka_unit_test(answers_are_right_ten_kilometres_from_the_origin),
        cmocka_unit_test(answers_are_right_for_sizes_from_a_centimetre_to_100_m),
        cmocka_unit_test(answers_are_right_among_tiles),
        cmocka_unit_test(answers_are_right_among_chains),
        cmocka_unit_test(answers_are_right_for_tiny_shapes),
        cmocka_unit_test(answers_are_right_if_islands_sleep),
        cmocka_unit_test(answers_are_the_same_bits_at_every_width_and_on_any_threads),
        cmocka_unit_test(callbacks_may_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
