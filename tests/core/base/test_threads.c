/* The team of workers: shared loops process every item once and one stage after the other, whatever
 * the order in which workers arrive. Worlds compute the same bits on any number of threads and with
 * any task system. */
#include "../../support/physics.h"
#include "../../support/slow.h"
#include "../../support/task_systems.h"
#include "../../../demo/scenes/scene.h"
#include "../../../engine/core/world/world.h"

#include <inttypes.h>
#include <limits.h>

// ---- loops

enum { ITEMS = 1000, STAGES = 50 };

typedef struct {
    int done[ITEMS]; // number of stages processed, per item
    int count, grain, stage;
} sheet;

typedef struct {
    sheet *sheet;
    int stage;
} reader; // one per worker

// Each item reads another one, which must be at the same stage because of the barrier.
static void mark(void *context, int first, int end) {
    const reader *r = context;
    int *done = r->sheet->done, count = r->sheet->count;
    if (end <= first || end > count) abort();
    for (int i = first; i < end; i++) {
        if (done[i]++ != r->stage) abort();
    }
}

static void compare(void *context, int first, int end) {
    const reader *r = context;
    const int *done = r->sheet->done;
    for (int i = first; i < end; i++)
        if (done[r->sheet->count - 1 - i] != r->stage + 1) abort();
}

static void mark_all(void *context, cn_worker *worker) {
    reader r = {context, 0};
    for (; r.stage < STAGES; r.stage++) {
        cn_distribute(worker, r.sheet->count, r.sheet->grain, mark, &r);
        cn_distribute(worker, r.sheet->count, r.sheet->grain, compare, &r);
    }
}

static void check_loops(cn_team *team, int count, int grain) {
    sheet s = {.count = count, .grain = grain};
    cn_run(team, count, mark_all, &s);
    for (int i = 0; i < ITEMS; i++) assert_int_equal(s.done[i], i < count ? STAGES : 0);
}

static void with_team(int workers, const cn_task_system *system, int grain) {
    cn_memory memory = {0};
    cn_team *team = NULL;
    task_calls c = {0};
    cn_task_system own = *system;
    own.user = &c;
    assert_true(cn_team_create(&team, &memory, workers, &own));
    assert_int_equal(cn_team_workers(team), workers);
    cn_team_distribute_all(team);
    const int counts[] = {0, 1, 2, 7, 64, ITEMS};
    for (int i = 0; i < 6; i++) check_loops(team, counts[i], grain);
    assert_int_equal(c.started, c.finished);
    assert_int_equal(c.started, workers > 1 && system->start ? 6 : 0);
    cn_team_end(team);
    cn_release_all(&memory);
    assert_int_equal(memory.bytes, 0);
}

static void every_item_is_processed_once_per_stage_and_stages_come_in_order(void **state) {
    (void)state;
    for (int system = 0; system < SYSTEMS; system++)
        for (int workers = 1; workers <= MAX_WORKERS; workers++)
            for (int grain = 0; grain < 100; grain = 4 * grain + 1)
                with_team(workers, &systems[system], grain);
}

static void record_thread(void *context, cn_worker *worker) {
    assert_null(worker->job);
    *(pthread_t *)context = pthread_self();
}

static void few_items_are_processed_by_the_caller_alone(void **state) {
    (void)state;
    cn_memory memory = {0};
    cn_team *team = NULL;
    pthread_t thread;
    assert_true(cn_team_create(&team, &memory, 4, &(cn_task_system){0}));
    cn_run(team, 10, record_thread, &thread);
    assert_true(pthread_equal(thread, pthread_self()));
    cn_team_end(team);
    cn_release_all(&memory);
}

// ---- worlds

// Returns the hash of the scene after some steps. Workers share even the smallest jobs.
static uint64_t hash_scene(const scene *which, int threads, int steps, cn_task_system tasks) {
    scene_run run;
    task_calls c = {0};
    tasks.user = &c;
    assert_done(scene_start(&run, which, (cn_world_def){.threads = threads, .tasks = tasks}));
    cn_team_distribute_all(run.world->sim.team);
    for (int i = 0; i < steps; i++) assert_done(scene_step(&run, STEP));
    uint64_t hash = cn_world_hash(run.world);
    scene_stop(&run);
    assert_int_equal(c.started, c.finished);
    assert_true(c.started > 0 || !tasks.start);
    return hash;
}

static void check_threads(const scene *which, int steps) {
    uint64_t hash = hash_scene(which, 1, steps, systems[OWN_THREADS]);
    const int threads[] = {3, 2, 8};
    for (int i = 0; i < (SLOW > 1 ? 1 : 3); i++) {
        uint64_t other = hash_scene(which, threads[i], steps, systems[OWN_THREADS]);
        if (other == hash) continue;
        print_error("%s on %d threads: %016" PRIx64 ", on one %016" PRIx64 "\n", which->name,
                    threads[i], other, hash);
        fail();
    }
}

static void demo_scenes_are_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    for (const scene *const *list = demo_scenes; *list; list++) check_threads(*list, 40 / SLOW);
}

static void bench_scenes_are_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    for (const scene *const *list = bench_scenes; *list; list++) check_threads(*list, 12 / SLOW);
}

static void any_task_system_gives_the_same_bits(void **state) {
    (void)state;
    const char *const names[] = {"large-pyramid", "rain", "tumbler", "ragdolls"};
    for (int i = 0; i < 4; i++) {
        const scene *which = scene_find(names[i]);
        uint64_t hash = hash_scene(which, 1, 20 / SLOW, systems[OWN_THREADS]);
        for (int k = 1; k < SYSTEMS; k++)
            for (int threads = 2; threads <= 4; threads += SLOW)
                assert_int_equal(hash_scene(which, threads, 20 / SLOW, systems[k]), hash);
    }
}

// ---- giants: islands that all workers solve together

// The number of impact sweeps of a giant is known only while the giant is solved. A worker may
// arrive late, when the others are already past it, at the next giant or at the small islands. The
// late worker must run the same number of sweeps.

static void add_heap(cn_world *world, float x, int columns, int rows, float pitch, cn_hull hull) {
    cn_shape_def shape = {.hull = hull, .material = {.restitution = 0.5f}};
    for (int i = 0; i < columns * rows; i++) {
        int row = i / columns, column = i % columns;
        float shift = 0.5f * (float)(row % 2);
        vec2s at = {{x + (float)column + shift, 0.6f + pitch * (float)row}};
        vec2s velocity = {{(float)(i * 37 % 7 - 3), -3}};
        add(world, (cn_body_def){.position = at, .velocity = velocity}, shape);
    }
}

static void add_hinge(cn_world *world, cn_joint_def def) {
    assert_true(cn_joint_create(world, def).id != 0);
}

// Adds chains of small boxes on hinges, which fall faster than what is below them.
static void add_chains(cn_world *world, vec2s place, int count, float pitch, int links) {
    cn_shape_def shape = {.hull = cn_box(0.15f, 0.15f), .material = {.restitution = 0.5f}};
    for (int i = 0; i < count; i++) {
        cn_body last = {0};
        for (int k = 0; k < links; k++) {
            vec2s at = {{place.x + pitch * (float)i + 0.35f * (float)k, place.y}};
            cn_body next = add(world, (cn_body_def){.position = at, .velocity = {{0, -8}}}, shape);
            vec2s hinge = {{at.x - 0.175f, at.y}};
            if (k) add_hinge(world, cn_revolute_joint(world, last, next, hinge));
            last = next;
        }
    }
}

// Two heaps and small stacks fall, far apart. Chains fall on both heaps: so few on one that one
// worker solves their trees alone. The larger heap comes first. The scratch memory that
// held its flags then holds constraints of the other heap, which would read as any number of
// sweeps.
static bool create_heaps(scene_run *run) {
    cn_world *world = run->world;
    add(world, (cn_body_def){.type = CN_STATIC, .position = {{0, -1}}},
        (cn_shape_def){.hull = cn_box(400, 1)});
    add_heap(world, 100, 48, 36, 0.87f, cn_circle(0.5f));
    add_heap(world, -200, 40, 34, 1, cn_box(0.5f, 0.5f));
    add_chains(world, (vec2s){{120, 32}}, 1, 0, 6);
    add_chains(world, (vec2s){{-200, 34.3f}}, 48, 0.8f, 2);
    for (int i = 0; i < 5; i++) add_heap(world, 10 * (float)i, 1, 4, 1, cn_box(0.5f, 0.5f));
    return true;
}

static const scene heaps = {
    .name = "heaps", .gravity = {{0, -10}}, .no_sleep = true, .create = create_heaps};

static bool had_impact(const cn_simulation *sim, int batch) {
    int substeps = 2 * sim->substeps;
    for (int i = 0; i < substeps; i++)
        if (sim->plan.sweeps.items[batch * substeps + i].due > 0) return true;
    return false;
}

// Returns the number of giants in the last step in which something had an impact.
static int count_giants(const cn_simulation *sim) {
    int count = 0;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        count += batch->alive && cn_is_giant(sim, batch) && had_impact(sim, i);
    }
    return count;
}

// True if a giant has so many groups of trees.
static bool has_groups(const cn_simulation *sim, int least, int most) {
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        int groups = batch->alive && cn_is_giant(sim, batch) ? batch->tree_groups.count : 0;
        if (groups >= least && groups <= most && had_impact(sim, i)) return true;
    }
    return false;
}

enum { HEAP_STEPS = 16 / SLOW };

// Compares the hash after each step with that of the run on one thread. That run must come first:
// it writes the hashes.
static void run_heaps(int threads, cn_task_system tasks, uint64_t hashes[HEAP_STEPS]) {
    scene_run run;
    task_calls c = {0};
    tasks.user = &c;
    // The numbers of steps in which both heaps are giants, and in which chains lie on them.
    int with_two = 0, with_few = 0, with_many = 0;
    assert_done(scene_start(&run, &heaps, (cn_world_def){.threads = threads, .tasks = tasks}));
    for (int i = 0; i < HEAP_STEPS; i++) {
        assert_done(scene_step(&run, STEP));
        if (threads == 1) hashes[i] = cn_world_hash(run.world);
        assert_int_equal(cn_world_hash(run.world), hashes[i]);
        with_two += count_giants(&run.world->sim) == 2;
        with_few += has_groups(&run.world->sim, 1, 2);
        with_many += has_groups(&run.world->sim, 3, INT_MAX);
    }
    scene_stop(&run);
    // If this fails, the conditions of cn_is_giant() have changed, and the heaps must change with
    // them.
    assert_true(threads == 1 || with_two >= HEAP_STEPS / 4);
    assert_true(threads == 1 || with_few >= HEAP_STEPS / 4);
    assert_true(threads == 1 || with_many >= HEAP_STEPS / 4);
}

static void giant_islands_that_bounce_are_the_same_however_late_workers_arrive(void **state) {
    (void)state;
    uint64_t hashes[HEAP_STEPS];
    run_heaps(1, systems[OWN_THREADS], hashes);
    const int threads[] = {2, 3, 8};
    for (int i = 0; i < 3; i++) {
        run_heaps(threads[i], systems[OWN_THREADS], hashes);
        run_heaps(threads[i], systems[LATE], hashes);
    }
}

// Several workers load batches at once. Only kinematic bodies are in more than one batch.
static void batches_share_kinematic_bodies(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        cn_world *world =
            cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .threads = k ? 4 : 1});
        const cn_shape_def crate = {.hull = cn_box(0.5f, 0.5f)}, wide = {.hull = cn_box(5000, 1)};
        cn_body_def belt = {.type = CN_KINEMATIC, .velocity = {{0.3f, 0}}};
        assert_true(cn_shape_create(world, cn_body_create(world, &belt), &wide).id != 0);
        for (int i = 0; i < 2000; i++) {
            cn_body_def def = {.position = {{2 * (float)i - 2000, 1.52f}}};
            assert_true(cn_shape_create(world, cn_body_create(world, &def), &crate).id != 0);
        }
        for (int i = 0; i < 20; i++) assert_true(cn_world_step(world, 1.0f / 60));
        hashes[k] = cn_world_hash(world);
        cn_world_destroy(world);
    }
    assert_int_equal(hashes[1], hashes[0]);
}

static void half_a_task_system_is_refused(void **state) {
    (void)state;
    assert_null(cn_world_create(&(cn_world_def){.tasks.start = start_serial}));
    assert_int_equal(cn_error_code(), CN_ERROR_HANDLE);
    assert_null(cn_world_create(&(cn_world_def){.tasks.finish = end_tasks}));
    assert_int_equal(cn_error_code(), CN_ERROR_HANDLE);
}

static void a_world_of_one_thread_starts_no_tasks(void **state) {
    (void)state;
    task_calls c = {0};
    cn_task_system tasks = {start_serial, end_tasks, &c};
    cn_world *world = cn_world_create(&(cn_world_def){.threads = 1, .tasks = tasks});
    assert_null(world->sim.team);
    assert_done(cn_world_step(world, STEP));
    cn_world_destroy(world);
    assert_int_equal(c.started, 0);
}

// Field by field, because sides have padding.
static bool are_same_sides(const cn_side *a, const cn_side *b) {
    return a->body.id == b->body.id && a->shape.id == b->shape.id && a->grid.id == b->grid.id &&
           a->tile == b->tile && a->body_user_data == b->body_user_data &&
           a->shape_user_data == b->shape_user_data;
}

static void compare_touches(const cn_touch_event *a, const cn_touch_event *b, int count) {
    for (int i = 0; i < count; i++) {
        assert_true(are_same_sides(&a[i].a, &b[i].a) && are_same_sides(&a[i].b, &b[i].b));
        assert_memory_equal(&a[i].point, &b[i].point, sizeof(vec2s));
        assert_memory_equal(&a[i].normal, &b[i].normal, sizeof(vec2s));
    }
}

// Compares the events of the last step. Returns the number of hits.
static int compare_events(const cn_events *a, const cn_events *b) {
    assert_int_equal(a->hit_count, b->hit_count);
    assert_int_equal(a->begin_count, b->begin_count);
    assert_int_equal(a->end_count, b->end_count);
    for (int i = 0; i < a->hit_count; i++) {
        const cn_hit_event *x = &a->hits[i], *y = &b->hits[i];
        assert_true(are_same_sides(&x->a, &y->a) && are_same_sides(&x->b, &y->b));
        assert_memory_equal(&x->point, &y->point, sizeof(vec2s));
        assert_memory_equal(&x->normal, &y->normal, sizeof(vec2s));
        assert_true(x->approach_speed == y->approach_speed && x->impulse == y->impulse);
    }
    compare_touches(a->begins, b->begins, a->begin_count);
    compare_touches(a->ends, b->ends, a->end_count);
    return a->hit_count;
}

static void events_come_in_the_same_order(void **state) {
    (void)state;
    scene_run runs[2];
    int hits = 0;
    for (int k = 0; k < 2; k++)
        assert_done(
            scene_start(&runs[k], scene_find("washer"), (cn_world_def){.threads = 1 + 2 * k}));
    for (int i = 0; i < 100 / SLOW || hits == 0; i++) {
        for (int k = 0; k < 2; k++) assert_done(scene_step(&runs[k], STEP));
        cn_events one = cn_world_events(runs[0].world), three = cn_world_events(runs[1].world);
        hits += compare_events(&one, &three);
    }
    for (int k = 0; k < 2; k++) scene_stop(&runs[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_processed_once_per_stage_and_stages_come_in_order),
        cmocka_unit_test(few_items_are_processed_by_the_caller_alone),
        cmocka_unit_test(batches_share_kinematic_bodies),
        cmocka_unit_test(half_a_task_system_is_refused),
        cmocka_unit_test(a_world_of_one_thread_starts_no_tasks),
        cmocka_unit_test(events_come_in_the_same_order),
        cmocka_unit_test(any_task_system_gives_the_same_bits),
        cmocka_unit_test(giant_islands_that_bounce_are_the_same_however_late_workers_arrive),
        cmocka_unit_test(demo_scenes_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(bench_scenes_are_the_same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
