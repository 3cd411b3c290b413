/* Compares the world's queries with an oracle that knows every shape and tile. The worlds are
 * random, and each is queried when it is new, after edits, and after one and many steps. Results
 * are the same bits with any number of lanes and threads.
 *
 *     test_query [TIMES [SEED]]      TIMES: multiplies the number of queries
 */
#include "../../support/physics.h"
#include "../../support/query_judge.h"
#include "query_worlds.h"

#include <stdio.h>

enum {
    STAGES = 5, // created; edited; a step; edited; 100 steps
    ROUNDS = 8, // worlds of each type
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

static double log_uniform(random_world *w, double low, double high) {
    return low * pow(high / low, pick_uniform(w, 0, 1));
}

// Returns a point in the box of a random item.
static vec2s near_item(random_world *w) {
    if (w->oracle.count == 0 || one_chance_in(w, 10)) return pick_place(w);
    const oracle_item *item = &w->oracle.items[pick_below(w, w->oracle.count)];
    return point(pick_uniform(w, item->lower.x, item->upper.x),
                 pick_uniform(w, item->lower.y, item->upper.y));
}

static vec2s offset(random_world *w, double length) {
    double angle = pick_uniform(w, -PI, PI);
    if (one_chance_in(w, 5)) angle = pick_below(w, 4) * PI / 2;
    return point(length * cos(angle), length * sin(angle));
}

static vec2s some_translation(random_world *w) {
    switch (pick_below(w, 12)) {
    case 0: return one_chance_in(w, 2) ? point(0, 0) : point(-0.0, 0);
    case 1: return offset(w, 0.001 * w->reach);
    case 2: return offset(w, log_uniform(w, 10, 1e6));
    case 3: return point(pick_uniform(w, -2, 2) * w->reach, 0);
    case 4: return point(0, pick_uniform(w, -2, 2) * w->reach);
    case 5: return point(pick_uniform(w, -2, 2) * w->reach, -0.0);
    default: return offset(w, pick_uniform(w, 0, 2) * w->reach);
    }
}

// Returns a ray that often ends at an item or goes beyond it.
static cn_ray some_ray(random_world *w) {
    vec2s origin = one_chance_in(w, 4) ? near_item(w) : pick_place(w), to = near_item(w);
    if (one_chance_in(w, 3)) return (cn_ray){origin, some_translation(w)};
    double more = one_chance_in(w, 2) ? 1 : log_uniform(w, 1, 20);
    return (cn_ray){origin, point(more * ((double)to.x - (double)origin.x),
                                  more * ((double)to.y - (double)origin.y))};
}

static bool accept(const cn_world *world, cn_side side, void *user) {
    (void)world;
    return (side.shape.id * 7 + side.grid.id + (uint64_t)side.tile) % 3 != *(uint64_t *)user;
}

static const cn_query *some_query(random_world *w, cn_query *query, bool may_any) {
    static uint64_t refused = 1;
    *query = (cn_query){0};
    if (one_chance_in(w, 4)) return NULL;
    if (one_chance_in(w, 3)) {
        cn_filter f = pick_filter(w);
        query->category = f.category, query->mask = f.mask, query->group = f.group;
    }
    if (one_chance_in(w, 3)) query->sensors = true;
    if (one_chance_in(w, 4)) query->accept = accept, query->user = &refused;
    if (one_chance_in(w, 4) && may_any) query->any = true;
    cn_body body = w->bodies[pick_below(w, w->body_count)];
    if (one_chance_in(w, 3) && cn_body_valid(w->world, body)) query->ignore = body;
    return query;
}

static cn_pose some_pose(random_world *w) {
    return cn_pose_at(near_item(w), (float)pick_uniform(w, -3, 3));
}

static cn_sweep some_sweep(random_world *w) {
    cn_ray ray = some_ray(w);
    cn_sweep sweep = {.start = cn_pose_at(ray.origin, (float)pick_uniform(w, -3, 3))};
    sweep.translation = ray.translation;
    if (one_chance_in(w, 2)) sweep.center = offset(w, w->smallest);
    if (one_chance_in(w, 2)) sweep.turn = (float)pick_uniform(w, -4, 4);
    return sweep;
}

// A hull, or a point: a circle of radius 0, often off the origin of its frame.
static cn_hull some_hull(random_world *w) {
    if (!one_chance_in(w, 6)) return pick_hull(w, false);
    cn_hull dot = cn_circle(0);
    if (one_chance_in(w, 2)) dot.vertices[0] = offset(w, w->smallest);
    return dot;
}

// ---- rounds

static void judge_casts(random_world *w, judge *j, int count) {
    cn_query query;
    for (int i = 0; i < RAYS * count; i++) {
        cn_ray ray = some_ray(w);
        judge_ray(j, ray.origin, ray.translation, some_query(w, &query, true));
    }
    for (int i = 0; i < RAYS_ALL * count; i++) {
        cn_ray ray = some_ray(w);
        judge_ray_all(j, ray.origin, ray.translation, some_query(w, &query, false));
    }
    for (int i = 0; i < CASTS * count; i++) {
        cn_hull hull = some_hull(w);
        cn_sweep sweep = some_sweep(w);
        judge_cast(j, &hull, &sweep, some_query(w, &query, true));
    }
}

static void judge_places(random_world *w, judge *j, int count) {
    cn_query query;
    for (int i = 0; i < OVERLAPS * count; i++) {
        cn_hull hull = some_hull(w);
        judge_overlap(j, &hull, some_pose(w), some_query(w, &query, false));
    }
    for (int i = 0; i < POINTS * count; i++)
        judge_point(j, near_item(w), some_query(w, &query, false));
    for (int i = 0; i < BOXES * count; i++) {
        cn_hull hull = pick_hull(w, false);
        judge_bounds(j, cn_hull_bounds(hull, some_pose(w)), some_query(w, &query, false));
    }
    for (int i = 0; i < NEAREST * count; i++) {
        cn_hull hull = some_hull(w);
        cn_pose pose = one_chance_in(w, 3) ? some_pose(w) : cn_pose_at(pick_place(w), 1);
        float greatest = one_chance_in(w, 8) ? 0 : (float)log_uniform(w, 0.001, 1000);
        judge_nearest(j, &hull, pose, greatest, some_query(w, &query, false));
    }
}

static void judge_all(random_world *w, judge *j, int count) {
    uint64_t hash = cn_world_hash(w->world);
    uint64_t allocations = cn_world_counters(w->world).allocations;
    int awake = cn_world_counters(w->world).awake_bodies;
    j->oracle = &w->oracle, j->world = w->world;
    oracle_read(&w->oracle, w->world);
    assert_in_range(w->oracle.count, 1, JUDGE_HITS);
    judge_casts(w, j, count);
    judge_places(w, j, count);
    assert_int_equal(cn_world_hash(w->world), hash);
    assert_int_equal(cn_world_counters(w->world).allocations, allocations);
    assert_int_equal(cn_world_counters(w->world).awake_bodies, awake);
}

static void enter_stage(random_world *w, int stage) {
    if (stage == 1 || stage == 3) random_world_edit(w);
    if (stage == 2) run(w->world, 1);
    if (stage == 4) run(w->world, 100);
}

static const char *const type_names[] = {"mixed",  "far",  "sizes", "tiles",
                                         "chains", "tiny", "stacks"};

static void check_type(random_world_type type) {
    judge j = {0};
    static random_world w;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t seed = first_seed * 1000 + (uint64_t)round;
        assert_true(random_world_begin(&w, type, seed, (cn_world_def){0}));
        for (int stage = 0; stage < STAGES; stage++) {
            char where[80];
            snprintf(where, sizeof where, "%s, seed %d, round %d, stage %d", type_names[type],
                     (int)first_seed, round, stage);
            j.where = where;
            enter_stage(&w, stage);
            judge_all(&w, &j, times);
        }
        random_world_end(&w);
    }
    if (j.faults || j.lenient * 100 > j.queries)
        print_error("%s: %ld queries, %ld faults, %ld needed the tolerance\n", type_names[type],
                    j.queries, j.faults, j.lenient);
    assert_int_equal(j.faults, 0);
    assert_true(j.lenient * 100 <= j.queries);
}

static void answers_are_right_among_shapes_of_all_kinds(void **state) {
    (void)state;
    check_type(RANDOM_WORLD_MIXED);
}

static void answers_are_right_ten_kilometres_from_the_origin(void **state) {
    (void)state;
    check_type(RANDOM_WORLD_FAR);
}

static void answers_are_right_for_sizes_from_a_centimetre_to_100_m(void **state) {
    (void)state;
    check_type(RANDOM_WORLD_SIZES);
}

static void answers_are_right_among_tiles(void **state) {
    (void)state;
    check_type(RANDOM_WORLD_TILES);
}

static void answers_are_right_among_chains(void **state) {
    (void)state;
    check_type(RANDOM_WORLD_CHAINS);
}

static void answers_are_right_for_tiny_shapes(void **state) {
    (void)state;
    check_type(RANDOM_WORLD_TINY);
}

static void answers_are_right_if_islands_sleep(void **state) {
    (void)state;
    check_type(RANDOM_WORLD_STACKS);
}

// ---- the same bits

static void mix_lists(random_world *w, uint64_t *hash) {
    static cn_side sides[JUDGE_HITS];
    cn_query query;
    cn_hull hull = pick_hull(w, false);
    cn_pose pose = some_pose(w);
    cn_bounds box = cn_hull_bounds(hull, pose);
    const cn_query *q = some_query(w, &query, true);
    int count = cn_world_overlap(w->world, hull, pose, q, sides, JUDGE_HITS);
    for (int k = 0; k < count; k++) mix_side(hash, sides[k]);
    count = cn_world_overlap_bounds(w->world, box, q, sides, JUDGE_HITS);
    for (int k = 0; k < count; k++) mix_side(hash, sides[k]);
    count = cn_world_overlap_point(w->world, pose.position, q, sides, JUDGE_HITS);
    for (int k = 0; k < count; k++) mix_side(hash, sides[k]);
    cn_neighbor n = cn_world_nearest(w->world, hull, pose, 100, q);
    mix_neighbor(hash, &n);
}

static void mix_casts(random_world *w, uint64_t *hash) {
    static cn_world_hit hits[JUDGE_HITS];
    cn_query query;
    cn_ray ray = some_ray(w);
    const cn_query *q = some_query(w, &query, true);
    cn_world_hit hit = cn_world_cast_ray(w->world, ray.origin, ray.translation, q);
    mix_hit(hash, &hit);
    int count = cn_world_cast_ray_all(w->world, ray.origin, ray.translation, q, hits, JUDGE_HITS);
    for (int k = 0; k < count; k++) mix_hit(hash, &hits[k]);
    cn_hull hull = pick_hull(w, false);
    cn_sweep sweep = some_sweep(w);
    hit = cn_world_cast_hull(w->world, hull, sweep, q);
    mix_hit(hash, &hit);
}

enum { MANY = 300 };

static void compare_with_single(const random_world *w, const cn_ray *ray, const cn_query *q,
                                const cn_world_hit *hit) {
    cn_world_hit single = cn_world_cast_ray(w->world, ray->origin, ray->translation, q);
    bool any = q && q->any; // then any other hit is right, too
    if (any ? single.hit == hit->hit : same_hit(&single, hit)) return;
    print_error("%s: (%.9g, %.9g) by (%.9g, %.9g)%s: alone %d at %.9g, with others %d at %.9g\n",
                type_names[w->type], (double)ray->origin.x, (double)ray->origin.y,
                (double)ray->translation.x, (double)ray->translation.y, any ? ", any" : "",
                single.hit, (double)single.fraction, hit->hit, (double)hit->fraction);
    fail();
}

// Checks that each result is bit for bit that of a single cast.
static void check_many_rays(random_world *w, uint64_t *hash) {
    static cn_ray rays[MANY];
    static cn_world_hit hits[MANY];
    cn_query query;
    for (int i = 0; i < MANY; i++) rays[i] = some_ray(w);
    const cn_query *q = some_query(w, &query, true);
    for (int count = MANY; count > 0; count /= 3) {
        assert_done(cn_world_cast_rays(w->world, rays, count, q, hits));
        for (int i = 0; i < count; i++) {
            compare_with_single(w, &rays[i], q, &hits[i]);
            mix_hit(hash, &hits[i]);
        }
    }
}

// Returns a hash of all results in a world, or 0 if this machine has no such lanes.
static uint64_t hash_results(random_world_type type, int lanes, int threads) {
    static random_world w;
    uint64_t hash = 14695981039346656037u;
    cn_world_def def = {.lanes = lanes, .threads = threads};
    if (!random_world_begin(&w, type, first_seed, def)) return 0;
    for (int stage = 0; stage < STAGES; stage++) {
        enter_stage(&w, stage);
        oracle_read(&w.oracle, w.world);
        for (int i = 0; i < 100; i++) mix_casts(&w, &hash), mix_lists(&w, &hash);
        check_many_rays(&w, &hash);
    }
    random_world_end(&w);
    return hash;
}

static void answers_are_the_same_bits_at_every_width_and_number_of_threads(void **state) {
    (void)state;
    for (random_world_type type = 0; type < RANDOM_WORLD_TYPES; type++) {
        uint64_t hash = hash_results(type, 1, 1);
        const int lanes[] = {4, 8, 16, 0}, threads[] = {1, 4, 1, 3};
        for (int i = 0; i < 4; i++) {
            uint64_t other = hash_results(type, lanes[i], threads[i]);
            if (other && other != hash)
                print_error("%s: %d lanes, %d threads\n", type_names[type], lanes[i], threads[i]);
            assert_true(other == 0 || other == hash);
        }
    }
}

// ---- within callbacks

static random_world callers; // the worlds whose callbacks run queries
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

static cn_pre_solve_result query_in_pre_solve(cn_world *world, const cn_contact *contact,
                                              void *user) {
    (void)world, (void)contact, (void)user;
    judge_within(1, "within pre_solve");
    return (cn_pre_solve_result){0};
}

static void query_in_before_step(cn_world *world, float time_step, void *user) {
    (void)world, (void)time_step, (void)user;
    judge_within(2, "within before_step");
}

static void callbacks_may_query(void **state) {
    (void)state;
    const cn_callbacks callbacks = {query_in_filter, query_in_pre_solve, query_in_before_step,
                                    NULL};
    for (int i = 0; i < 2; i++) {
        assert_true(random_world_begin(&callers, i ? RANDOM_WORLD_STACKS : RANDOM_WORLD_MIXED,
                                       first_seed, (cn_world_def){.threads = 1 + 3 * i}));
        flag_all_shapes(callers.world);
        assert_done(cn_world_set_callbacks(callers.world, callbacks));
        for (int k = 0; k < 20; k++) assert_in_range(cn_world_advance(callers.world, STEP), 0, 2);
        random_world_end(&callers);
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
        cmocka_unit_test(answers_are_the_same_bits_at_every_width_and_number_of_threads),
        cmocka_unit_test(callbacks_may_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
