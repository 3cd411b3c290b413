/* The benchmark's scenes are the same in the engines that Cairn is compared with: the same number
 * of bodies and shapes, the same mass and height, and after the first step the contacts that the
 * shapes have.
 *
 * Brute force finds the pairs that touch from the shapes themselves. Engines differ in the gap at
 * which they report a contact. Chipmunk needs an overlap. Polygons of Box2D have a skin of 1 cm
 * each. At a corner two skins make a square, whose diagonal is the greatest gap. Box2D's round ends
 * are polygons: the largest ones in the scenes, of radius 0.25 m, lose up to 0.25 (1 - cos 30
 * degrees) = 3.4 cm.
 *
 * Queries give the same results: the same number of results, at the same distances. */
#include "../support/physics.h"
#include "../../demo/bench/mirror.h"

#include <stdio.h>

#define WIDEST 0.0284 // the greatest of the gaps below

typedef struct {
    const char *name;
    double gap; // this peer reports no contact of shapes that are farther apart
    double cut; // and always reports one of shapes that overlap by more
} nearness;

static const nearness known[] = {{"box2d", WIDEST, 0.07}, {"chipmunk", 1e-4, 1e-4}};

static const nearness *find_nearness(const peer *which) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(which->name, known[i].name, strlen(known[i].name)) == 0) return &known[i];
    fail_msg("how near is near for %s?", which->name);
    return NULL;
}

// ------------------------------------------------------------------------------------ brute force

typedef struct {
    cn_bounds bounds;
    cn_hull hull;
    cn_pose pose;
    cn_filter filter;
    cn_body body;
    bool is_awake, is_joined; // dynamic and awake; by a joint to any body
} solid;

enum { MAX_SOLIDS = 200000, MAX_PAIRS = 200000 };

static solid solids[MAX_SOLIDS];

static int compare_left(const void *a, const void *b) {
    float x = ((const solid *)a)->bounds.lower.x, y = ((const solid *)b)->bounds.lower.x;
    return (x > y) - (x < y);
}

static int read_solids(const cn_world *world) {
    int count = 0;
    cn_shape shape = cn_world_next_shape(world, (cn_shape){0});
    for (; shape.id; shape = cn_world_next_shape(world, shape)) {
        assert_true(count < MAX_SOLIDS);
        cn_body body = cn_shape_body(world, shape);
        solids[count++] = (solid){
            .bounds = cn_shape_bounds(world, shape),
            .hull = cn_shape_hull(world, shape),
            .pose = cn_body_pose(world, body),
            .filter = cn_shape_filter(world, shape),
            .body = body,
            .is_awake = cn_body_type(world, body) == CN_DYNAMIC && !cn_body_asleep(world, body),
            .is_joined = cn_body_next_joint(world, body, (cn_joint){0}).id != 0,
        };
    }
    qsort(solids, (size_t)count, sizeof *solids, compare_left);
    return count;
}

static bool are_joined(const cn_world *world, const solid *a, const solid *b) {
    if (!a->is_joined || !b->is_joined) return false;
    cn_joint joint = cn_body_next_joint(world, a->body, (cn_joint){0});
    for (; joint.id; joint = cn_body_next_joint(world, a->body, joint)) {
        cn_joint_def def = cn_joint_definition(world, joint);
        if (def.a.id == b->body.id || def.b.id == b->body.id) return true;
    }
    return false;
}

static bool may_touch(const cn_world *world, const solid *a, const solid *b) {
    if (a->body.id == b->body.id || (!a->is_awake && !b->is_awake)) return false;
    if (a->filter.group == b->filter.group && a->filter.group) return a->filter.group > 0;
    bool is_seen = a->filter.category & b->filter.mask && b->filter.category & a->filter.mask;
    return is_seen && !are_joined(world, a, b);
}

typedef struct {
    int least, most;
} range;

static bool is_above(const cn_bounds *a, const cn_bounds *b) {
    return a->lower.y > b->upper.y + (float)WIDEST;
}

// Writes the gap of each pair that is near enough for any peer. Returns the number of pairs.
static int read_gaps(const cn_world *world, double *gaps) {
    int count = read_solids(world), found = 0;
    for (int i = 0; i < count; i++) {
        const solid *a = &solids[i];
        for (int k = i + 1; k < count; k++) {
            const solid *b = &solids[k];
            if (b->bounds.lower.x > a->bounds.upper.x + (float)WIDEST) break;
            if (is_above(&a->bounds, &b->bounds) || is_above(&b->bounds, &a->bounds)) continue;
            if (!may_touch(world, a, b)) continue;
            double gap = (double)cn_hull_distance(&a->hull, a->pose, &b->hull, b->pose).distance;
            if (gap > WIDEST) continue;
            assert_true(found < MAX_PAIRS);
            gaps[found++] = gap;
        }
    }
    return found;
}

// Returns how many contacts a peer may report.
static range count_pairs(const double *gaps, int count, const nearness *near) {
    range pairs = {0};
    for (int i = 0; i < count; i++) {
        pairs.least += gaps[i] < -near->cut;
        pairs.most += gaps[i] <= near->gap;
    }
    return pairs;
}

// ---------------------------------------------------------------------------------------- checks

static mirror *start(const peer *which, const scene *subject) {
    const char *refusal;
    mirror *m = mirror_start(which, subject, (cn_world_def){0}, &refusal);
    if (!m) fail_msg("%s cannot express %s: %s", which->name, subject->name, refusal);
    return m;
}

static void step(mirror *m, int count) {
    for (int i = 0; i < count; i++) {
        assert_null(mirror_prepare(m));
        mirror_step(m, STEP);
    }
}

static bool is_still(const cn_world *world, cn_body body) {
    return cn_body_type(world, body) == CN_STATIC;
}

// Returns the same counts for Cairn's world. Joints between two static bodies do not count, as they
// are not mirrored.
static peer_counts count_cairn(const cn_world *world) {
    cn_counters c = cn_world_counters(world);
    peer_counts counts = {.bodies = c.bodies, .shapes = c.shapes};
    int dynamic = 0;
    cn_body body = cn_world_next_body(world, (cn_body){0});
    for (; body.id; body = cn_world_next_body(world, body)) {
        if (cn_body_type(world, body) != CN_DYNAMIC) continue;
        counts.mass += (double)cn_body_mass(world, body);
        counts.height += (double)cn_body_position(world, body).y;
        dynamic++;
    }
    counts.height /= dynamic ? dynamic : 1;
    cn_joint joint = cn_world_next_joint(world, (cn_joint){0});
    for (; joint.id; joint = cn_world_next_joint(world, joint)) {
        cn_joint_def def = cn_joint_definition(world, joint);
        counts.joints += !is_still(world, def.a) || !is_still(world, def.b);
    }
    return counts;
}

// A scene in Cairn, before its first step.
typedef struct {
    peer_counts counts;
    double gaps[MAX_PAIRS];
    int gap_count;
} expectation;

static void expect(const scene *subject, expectation *out) {
    scene_run run;
    assert_done(scene_start(&run, subject, (cn_world_def){0}));
    assert_done(scene_act(&run));
    out->gap_count = read_gaps(run.world, out->gaps);
    out->counts = count_cairn(run.world);
    scene_stop(&run);
}

static void check_scene(const peer *which, const scene *subject, const expectation *expected) {
    const peer_counts *cairn = &expected->counts;
    range pairs = count_pairs(expected->gaps, expected->gap_count, find_nearness(which));
    mirror *m = start(which, subject);
    assert_null(mirror_prepare(m));
    peer_counts counts = mirror_count(m);
    mirror_step(m, STEP);
    counts.touching = mirror_count(m).touching;
    mirror_stop(m);
    print_message("%-14s %-14s %5d bodies, %.1f kg, touching %d of %d..%d\n", which->name,
                  subject->name, counts.bodies, counts.mass, counts.touching, pairs.least,
                  pairs.most);
    assert_int_equal(counts.bodies, cairn->bodies);
    assert_int_equal(counts.shapes, cairn->shapes);
    assert_true(counts.joints >= cairn->joints); // a hinge may be several constraints
    assert_near(counts.mass, cairn->mass, 1e-6 * cairn->mass);
    assert_near(counts.height, cairn->height, 1e-5);
    assert_true(counts.touching >= pairs.least && counts.touching <= pairs.most);
}

static void the_scenes_of_the_benchmark_are_the_same_in_the_peers(void **state) {
    (void)state;
    static expectation expected;
    for (int k = 0; bench_scenes[k]; k++) {
        if (bench_scenes[k]->times_calls) continue; // cannot be mirrored
        expect(bench_scenes[k], &expected);
        for (int i = 0; peers[i]; i++) check_scene(peers[i], bench_scenes[k], &expected);
    }
}

// A mirror copies the results of a scene's calls between steps, not the calls. So scenes about
// calls have no mirror.
static void scenes_about_calls_are_refused(void **state) {
    (void)state;
    for (int i = 0; peers[i]; i++) {
        const char *refusal = NULL;
        assert_null(
            mirror_start(peers[i], scene_find("growth-churn"), (cn_world_def){0}, &refusal));
        assert_non_null(refusal);
    }
}

static void stacks_stand_in_the_peers(void **state) {
    (void)state;
    for (int i = 0; peers[i]; i++) {
        mirror *m = start(peers[i], scene_find("small-100"));
        step(m, 100);
        peer_counts counts = mirror_count(m);
        mirror_stop(m);
        assert_int_equal(counts.touching, 100);
        assert_int_equal(counts.awake, 100);
        assert_near(counts.height, 5, 0.1);
    }
}

// The first column of dolls is destroyed when the forty-first is created.
static void dolls_are_created_and_destroyed_in_the_peers(void **state) {
    (void)state;
    for (int i = 0; peers[i]; i++) {
        mirror *m = start(peers[i], scene_find("rain"));
        step(m, 40 * 8);
        assert_int_equal(mirror_count(m).bodies, 11001);
        step(m, 8);
        assert_int_equal(mirror_count(m).bodies, 11001);
        mirror_stop(m);
    }
}

static query_result query_cairn(const scene *subject, int batches) {
    scene_run run;
    query_batch batch;
    query_result total = {0};
    assert_done(scene_start(&run, subject, (cn_world_def){0}));
    assert_true(query_make(&batch, subject->queries, run.world));
    for (int i = 0; i < batches; i++) {
        assert_done(scene_step(&run, STEP));
        query_result result = query_run(run.world, &batch);
        total.count += result.count, total.sum += result.sum;
    }
    query_free(&batch);
    scene_stop(&run);
    return total;
}

static query_result query_peer(mirror *m, const scene *subject, int batches) {
    query_batch batch;
    query_result total = {0};
    assert_true(query_make(&batch, subject->queries, mirror_source(m)));
    for (int i = 0; i < batches; i++) {
        step(m, 1);
        query_result result = mirror_run_queries(m, &batch);
        total.count += result.count, total.sum += result.sum;
    }
    query_free(&batch);
    return total;
}

// Rounding decides a few of 20,000 near misses. A circle that Chipmunk casts misses a shape if the
// line of its centre misses the shape's box.
static void queries_get_the_same_results_in_the_peers(void **state) {
    (void)state;
    for (int k = 0; query_scenes[k]; k++) {
        const scene *subject = query_scenes[k];
        query_result cairn = query_cairn(subject, 2);
        for (int i = 0; peers[i]; i++) {
            const char *refusal;
            mirror *m = mirror_start(peers[i], subject, (cn_world_def){0}, &refusal);
            if (!m) continue;
            query_result result = query_peer(m, subject, 2);
            mirror_stop(m);
            print_message("%-14s %-15s %d of %d results, sum %.2f of %.2f\n", peers[i]->name,
                          subject->name, (int)result.count, (int)cairn.count, result.sum,
                          cairn.sum);
            double fraction = strcmp(subject->name, "casts_circles") == 0 ? 0.06 : 0.0005;
            assert_near((double)result.count, (double)cairn.count, fraction * (double)cairn.count);
            assert_near(result.sum, cairn.sum, 2 * fraction * cairn.sum);
        }
    }
}

// Grids are not shapes, so the mirror of this scene would be an empty world.
static void scenes_with_grids_are_refused(void **state) {
    (void)state;
    for (int i = 0; peers[i]; i++) {
        const char *refusal = NULL;
        assert_null(mirror_start(peers[i], scene_find("tile_rays"), (cn_world_def){0}, &refusal));
        assert_string_equal(refusal, "grids of tiles");
    }
}

int main(void) {
    if (!peers[0]) {
        puts("skipped: this build has no peers (meson setup -Dpeers=enabled)");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scenes_of_the_benchmark_are_the_same_in_the_peers),
        cmocka_unit_test(scenes_about_calls_are_refused),
        cmocka_unit_test(stacks_stand_in_the_peers),
        cmocka_unit_test(dolls_are_created_and_destroyed_in_the_peers),
        cmocka_unit_test(queries_get_the_same_results_in_the_peers),
        cmocka_unit_test(scenes_with_grids_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
