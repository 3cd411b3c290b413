/* The plan is the same on any number of workers, which count and fill sections of a batch.
 *
 * A crowd on a moving belt: bodies of one and of two shapes, and a plank under so many small boxes
 * that its contacts use up all colours. These belong to different sections. Some bodies jump in
 * each step, so that contacts begin and end. Beside the crowd lie single boxes that do not move:
 * their batches stay as they are. */
#include "../../../../engine/core/dynamics/plan/plan.h"
#include "../../../../engine/core/world/world.h"
#include "../../../support/physics.h"
#include "../../../support/slow.h"
#include "../../../support/task_systems.h"

enum {
    COLUMNS = 40,
    MAX_ROWS = 16,
    LYING = 2000,  // single boxes
    SECTION = 256, // bodies of a section
    STEPS = 30 / SLOW,
};

typedef struct {
    cn_world *world;
    task_calls calls;
    cn_body bodies[COLUMNS * MAX_ROWS];
    int count;
    // The steps in which a batch with several sections has contacts beyond the last colour, and
    // copies of kinematic bodies; and in which batches with few or most of all lanes stay.
    int overflows, copies, few_stay, most_stay;
} crowd;

// ---- the world

static void add_rows(crowd *c, int rows) {
    for (int i = 0; i < COLUMNS * rows; i++) {
        const int row = i / COLUMNS;
        const vec2s at = {
            {(float)(i % COLUMNS) + 0.5f * (float)(row % 2) - 20, 1.55f + 0.9f * (float)row}};
        cn_body body = add(c->world, (cn_body_def){.position = at}, box_of(0.45f));
        cn_hull cap = cn_hull_at(cn_box(0.2f, 0.2f), cn_pose_at((vec2s){{0.3f, 0.3f}}, 0.2f));
        if (i % 3 == 0)
            assert_done(cn_shape_create(c->world, body, &(cn_shape_def){.hull = cap}).id);
        c->bodies[c->count++] = body;
        if (i % 8 == 0) // on the plank
            add(c->world, (cn_body_def){.position = {{(float)i / 16 - 20, 0.85f}}}, box_of(0.24f));
    }
}

static void make_crowd(crowd *c, int rows, int threads, int system) {
    *c = (crowd){0};
    cn_world_def def = {.gravity = {{0, -10}},
                        .no_sleep = true,
                        .threads = threads,
                        .tasks = record_calls(system, &c->calls)};
    c->world = cn_world_create(&def);
    assert_done(c->world != NULL);
    cn_team_distribute_all(c->world->sim.team);
    add(c->world,
        (cn_body_def){.type = CN_KINEMATIC, .position = {{0, -1}}, .velocity = {{0.5f, 0}}},
        (cn_shape_def){.hull = cn_box(40, 1)});
    add(c->world, (cn_body_def){.type = CN_STATIC, .position = {{1500, -1}}},
        (cn_shape_def){.hull = cn_box(1440, 1)});
    add(c->world, (cn_body_def){.position = {{0, 0.3f}}},
        (cn_shape_def){.hull = cn_box(21, 0.3f), .density = 5});
    add_rows(c, rows);
    for (int i = 0; i < LYING; i++)
        add(c->world, (cn_body_def){.position = {{100 + 1.4f * (float)i, 0.5f}}}, box_of(0.5f));
}

static void kick(crowd *c, int step) {
    for (int i = step % 7; i < c->count; i += 7)
        cn_body_set_velocity(c->world, c->bodies[i],
                             (vec2s){{(float)(i * 37 % 5 - 2), (float)(i * 23 % 7)}});
}

// ---- what happened

static bool overflows(const cn_batch *batch) {
    for (int i = 0; i < batch->colors.count; i++) {
        const cn_color *color = &batch->colors.items[i];
        if (color->row_type < CN_ROW_POINT && color->one_by_one && !color->static_a) return true;
    }
    return false;
}

// Marks the batches in a member that only the planner writes.
static void mark_batches(crowd *c) {
    cn_plan *plan = &c->world->sim.plan;
    for (int i = 0; i < plan->batch_count; i++) plan->batches[i].first_section = -1;
}

static void look(crowd *c) {
    const cn_plan *plan = &c->world->sim.plan;
    int lanes[2] = {0}; // of batches that were planned anew, and of those that stayed
    for (int i = 0; i < plan->batch_count; i++) {
        const cn_batch *batch = &plan->batches[i];
        if (!batch->alive) continue;
        lanes[batch->first_section < 0] += batch->lanes.count;
        c->overflows += batch->body_count > SECTION && overflows(batch);
        c->copies += batch->body_count > SECTION && batch->bodies.count > batch->body_count;
    }
    c->few_stay += lanes[true] > 0 && lanes[true] < lanes[false];
    c->most_stay += lanes[true] > lanes[false];
}

// Compares the hash after each step with that on one thread, which must come first.
static crowd run_crowd(int rows, int threads, int system, uint64_t hashes[STEPS]) {
    crowd c;
    make_crowd(&c, rows, threads, system);
    for (int i = 0; i < STEPS; i++) {
        kick(&c, i);
        mark_batches(&c);
        assert_done(cn_world_step(c.world, STEP));
        if (threads == 1) hashes[i] = cn_world_hash(c.world);
        assert_int_equal(cn_world_hash(c.world), hashes[i]);
        look(&c);
    }
    cn_world_destroy(c.world);
    check_calls(system, &c.calls);
    return c;
}

// Returns what happened on one thread. The same happens on several.
static crowd check_crowd(int rows) {
    uint64_t hashes[STEPS];
    const int threads[] = {2, 3, 8};
    const crowd alone = run_crowd(rows, 1, OWN_THREADS, hashes);
    for (int i = 0; i < 3; i++)
        for (int system = OWN_THREADS; system <= NEVER; system++)
            run_crowd(rows, threads[i], system, hashes);
    return alone;
}

static void a_crowd_is_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    const crowd c = check_crowd(MAX_ROWS);
    assert_true(c.overflows >= STEPS / 4);
    assert_true(c.copies >= STEPS / 4);
    assert_true(c.few_stay >= STEPS / 4);
}

static void a_small_crowd_is_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    assert_true(check_crowd(1).most_stay >= STEPS / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(a_small_crowd_is_the_same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
