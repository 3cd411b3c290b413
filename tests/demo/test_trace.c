/* The trace of a step has all places of the step, and is the step that the world takes. */
#include "../../demo/scenes/scene.h"
#include "../../demo/trace/trace.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const float dt = 1.0f / 60;

static scene_run start(const char *name, int steps) {
    scene_run run;
    assert_true(scene_start(&run, scene_find(name), (cn_world_def){0}));
    for (int i = 0; i < steps; i++) assert_true(scene_step(&run, dt));
    return run;
}

static trace trace_next_step(scene_run *run, bool is_cold) {
    trace made;
    assert_true(scene_act(run));
    assert_true(trace_make(&made, run->world, dt, is_cold));
    return made;
}

static bool is_named(const trace_place *place, const char *name) {
    return strcmp(place->name, name) == 0;
}

// ---- the step

// Returns how many of the steps at which the scene was traced differ.
static int compare_steps(const scene *which) {
    scene_run run;
    int wrong = 0;
    assert_true(scene_start(&run, which, (cn_world_def){0}));
    for (int step = 0; step < 60; step++) {
        assert_true(scene_act(&run));
        bool is_traced = step % 10 == 1;
        trace made = {.count = 0};
        uint64_t before = cn_world_hash(run.world);
        if (is_traced) assert_true(trace_make(&made, run.world, dt, false));
        assert_true(cn_world_hash(run.world) == before);
        assert_true(scene_advance(&run, dt));
        if (is_traced && made.hash != cn_world_hash(run.world)) {
            print_error("%s: step %d of the trace differs\n", which->name, step);
            wrong++;
        }
        trace_free(&made);
    }
    scene_stop(&run);
    return wrong;
}

static void the_traced_step_is_the_step_that_the_world_takes(void **state) {
    (void)state;
    int wrong = 0;
    for (const scene *const *s = demo_scenes; *s; s++) wrong += compare_steps(*s);
    assert_int_equal(wrong, 0);
}

static bool accept_all(cn_world *world, cn_shape a, cn_shape b, void *user) {
    (void)world, (void)a, (void)b, (void)user;
    return true;
}

static void a_world_with_callbacks_is_not_traced(void **state) {
    (void)state;
    scene_run run = start("stack", 1);
    trace made;
    assert_true(trace_make(&made, run.world, dt, false));
    trace_free(&made);
    assert_true(cn_world_set_callbacks(run.world, (cn_callbacks){.filter = accept_all}));
    assert_false(trace_make(&made, run.world, dt, false));
    assert_int_equal(cn_error_code(), CN_ERROR_STATE);
    scene_stop(&run);
}

// ---- its places

static void each_contact_is_solved_and_relaxed_once_in_each_substep(void **state) {
    (void)state;
    scene_run run = start("pyramid", 30);
    trace made = trace_next_step(&run, false);
    assert_true(scene_advance(&run, dt));
    int contacts = cn_world_counters(run.world).touching, solved = 0, relaxed = 0, stored = 0;
    for (int i = 0; i < made.count; i++) {
        const trace_place *p = &made.places[i];
        solved += is_named(p, "solve") && !p->relaxes;
        relaxed += is_named(p, "solve") && p->relaxes;
        stored += is_named(p, "store");
    }
    assert_true(contacts > 100);
    assert_int_equal(stored, contacts);
    assert_int_equal(solved, contacts * cn_world_substeps(run.world));
    assert_int_equal(relaxed, solved);
    trace_free(&made);
    scene_stop(&run);
}

static void groups_of_a_level_divide_those_of_the_level_above(void **state) {
    (void)state;
    scene_run run = start("bridge", 30);
    trace made = trace_next_step(&run, false);
    int counts[TRACE_LEVELS] = {0};
    for (int level = 0; level < TRACE_LEVELS; level++)
        for (int n = 0; n < made.count; counts[level]++) {
            int end = trace_next(&made, n, (trace_level)level);
            assert_true(end > n);
            assert_int_equal(trace_previous(&made, end, (trace_level)level), n);
            if (level > 0) assert_true(trace_next(&made, n, (trace_level)(level - 1)) >= end);
            n = end;
        }
    assert_int_equal(counts[TRACE_STAGE], made.stages);
    assert_int_equal(counts[TRACE_CONTACT], made.count);
    for (int level = 1; level < TRACE_LEVELS; level++)
        assert_true(counts[level] > counts[level - 1]);
    trace_free(&made);
    scene_stop(&run);
}

// ---- what there is at a place

static float largest_of(trace_impulses i) {
    return fmaxf(fmaxf(fabsf(i.normal[0]), fabsf(i.normal[1])), fabsf(i.friction));
}

// Between two places only the contact of the later one changes, by what the place says.
static void a_place_changes_the_impulses_of_its_contact(void **state) {
    (void)state;
    scene_run run = start("stack", 20);
    trace made = trace_next_step(&run, false);
    trace_view before = {.touching = 0}, after = {.touching = 0};
    int checked = 0;
    for (int n = made.count / 2; n < made.count && checked < 50; n++) {
        const trace_place *p = &made.places[n];
        if (!is_named(p, "solve") || p->is_joint) continue;
        assert_true(trace_look(&made, n, &before) && trace_look(&made, n + 1, &after));
        for (int slot = 0; slot < after.contact_count; slot++) {
            const trace_impulses *a = &before.contacts[slot].impulses,
                                 *b = &after.contacts[slot].impulses;
            trace_impulses change = {{b->normal[0] - a->normal[0], b->normal[1] - a->normal[1]},
                                     b->friction - a->friction};
            float expected = slot == p->slot ? p->change : 0;
            assert_float_equal(largest_of(change), expected, 0);
        }
        checked++;
    }
    assert_int_equal(checked, 50);
    trace_view_free(&before);
    trace_view_free(&after);
    trace_free(&made);
    scene_stop(&run);
}

static void the_first_view_is_the_world_before_and_the_last_one_after_the_step(void **state) {
    (void)state;
    scene_run run = start("rain-of-shapes", 60);
    trace made = trace_next_step(&run, false);
    for (int i = 0; i < 2; i++) {
        trace_view view = {.touching = 0};
        assert_true(trace_look(&made, i ? made.count : 0, &view));
        int compared = 0;
        for (cn_body b = {0}; (b = cn_world_next_body(run.world, b)).id; compared++) {
            const trace_body *body = &view.bodies[b.id & 0xFFFFFF];
            vec2s v = cn_body_velocity(run.world, b), c = cn_body_center(run.world, b);
            assert_true(v.x == body->velocity.x && v.y == body->velocity.y);
            assert_true(c.x == body->center.x && c.y == body->center.y);
        }
        assert_true(compared > 10);
        trace_view_free(&view);
        if (i == 0) assert_true(scene_advance(&run, dt));
    }
    trace_free(&made);
    scene_stop(&run);
}

// The displacements that the solver shows at its end are those of the step. Nothing is fast here.
static void displacements_in_the_solver_lead_to_the_poses_after_the_step(void **state) {
    (void)state;
    scene_run run = start("stack", 20);
    trace made = trace_next_step(&run, false);
    int last = 0;
    for (int i = 0; i < made.count; i++)
        if (is_named(&made.places[i], "integrate_positions")) last = i + 1;
    trace_view in_solver = {.touching = 0}, after = {.touching = 0};
    assert_true(trace_look(&made, last, &in_solver) && trace_look(&made, made.count, &after));
    int moved = 0;
    for (int i = 0; i < after.body_count; i++) {
        vec2s a = in_solver.bodies[i].center, b = after.bodies[i].center;
        assert_float_equal(a.x, b.x, 1e-5f);
        assert_float_equal(a.y, b.y, 1e-5f);
        moved += after.bodies[i].is_dynamic;
    }
    assert_true(moved > 10);
    trace_view_free(&in_solver);
    trace_view_free(&after);
    trace_free(&made);
    scene_stop(&run);
}

// ---- the warm start

// A stack at rest: with the impulses of the step before, hardly anything is left to do.
static void without_a_warm_start_impulses_change_more(void **state) {
    (void)state;
    scene_run run = start("stack", 20);
    trace warm = trace_next_step(&run, false), cold;
    assert_true(trace_make(&cold, run.world, dt, true));
    assert_true(warm.substeps == 4 && cold.substeps == 4);
    for (int i = 0; i < 4; i++) {
        print_message("substep %d: warm %g, cold %g N s\n", i, (double)warm.residuals[i][0],
                      (double)cold.residuals[i][0]);
        assert_true(warm.residuals[i][0] < cold.residuals[i][0] / 2);
    }
    assert_true(warm.hash != cold.hash);
    trace_free(&warm);
    trace_free(&cold);
    scene_stop(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_traced_step_is_the_step_that_the_world_takes),
        cmocka_unit_test(a_world_with_callbacks_is_not_traced),
        cmocka_unit_test(each_contact_is_solved_and_relaxed_once_in_each_substep),
        cmocka_unit_test(groups_of_a_level_divide_those_of_the_level_above),
        cmocka_unit_test(a_place_changes_the_impulses_of_its_contact),
        cmocka_unit_test(the_first_view_is_the_world_before_and_the_last_one_after_the_step),
        cmocka_unit_test(displacements_in_the_solver_lead_to_the_poses_after_the_step),
        cmocka_unit_test(without_a_warm_start_impulses_change_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
