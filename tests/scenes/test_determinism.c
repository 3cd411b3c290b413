/* Every scene gives the same bits each time and on every SIMD width, and reading a world does not
 * change it. */
#include "../support/crates.h"
#include "../../demo/scenes/scene.h"
#include "../../engine/core/world/world.h"
#include "../support/slow.h"

enum { HASHED_STEPS = 60 / SLOW, CROWDED_STEPS = 10 / SLOW };

// Writes the hash after each step and returns the number of steps, which is smaller for crowded
// scenes. Mixed: kernels as on a CPU of that width, which leaves small numbers of contacts to fewer
// lanes.
static int hash_scene(const scene *which, int lanes, bool mixed, uint64_t hashes[HASHED_STEPS]) {
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){.lanes = lanes}));
    run.world->sim.widest_only = !mixed;
    int steps = cn_world_counters(run.world).bodies > 2000 ? CROWDED_STEPS : HASHED_STEPS;
    for (int i = 0; i < steps; i++) {
        assert_done(scene_step(&run, STEP));
        hashes[i] = cn_world_hash(run.world);
    }
    scene_stop(&run);
    return steps;
}

static void check_same_hashes(const scene *which, int lanes, bool mixed, const uint64_t *expected) {
    uint64_t hashes[HASHED_STEPS];
    int steps = hash_scene(which, lanes, mixed, hashes);
    for (int i = 0; i < steps; i++) {
        if (hashes[i] == expected[i]) continue;
        print_error("%s, %d lanes: differs from step %d on\n", which->name, lanes, i);
        fail();
    }
}

static bool can_use_lanes(int lanes) {
    cn_world *world = cn_world_create(&(cn_world_def){.lanes = lanes});
    cn_world_destroy(world);
    return world != NULL;
}

static void check_scene(const scene *which, bool mixed) {
    uint64_t expected[HASHED_STEPS];
    hash_scene(which, 1, false, expected);
    for (int lanes = 1; lanes <= 16; lanes = lanes == 1 ? 4 : 2 * lanes) {
        if (!can_use_lanes(lanes)) continue;
        check_same_hashes(which, lanes, false, expected);
        if (mixed && lanes > 4) check_same_hashes(which, lanes, true, expected);
    }
}

// Runs each scene twice with one lane, then with 4, 8 and 16 lanes.
static void scenes_of_the_demo_are_the_same_each_time_and_on_every_width(void **state) {
    (void)state;
    for (int i = 0; demo_scenes[i]; i++) check_scene(demo_scenes[i], true);
}

static void scenes_of_the_benchmark_are_the_same_each_time_and_on_every_width(void **state) {
    (void)state;
    for (int i = 0; bench_scenes[i]; i++) check_scene(bench_scenes[i], false);
}

static void look_at(cn_world *world) {
    cn_drawing drawing;
    assert_done(cn_world_draw(world, CN_DRAW_ALL, &drawing));
    cn_world_contacts(world, NULL, 0);
    cn_world_events(world);
    cn_world_energy(world);
}

static uint64_t hash_of_pile(bool is_looked_at) {
    cn_world *world = make_sleepy_world(GRAVITY), *other = make_world(GRAVITY);
    add_bin(world);
    fill_bin(world, 60);
    add_stack(other, 0, 5);
    for (int i = 0; i < 300; i++) {
        run(world, 1);
        if (!is_looked_at) continue;
        look_at(world);
        run(other, 1);
    }
    uint64_t hash = cn_world_hash(world);
    cn_world_destroy(world);
    cn_world_destroy(other);
    return hash;
}

static void reading_a_world_and_stepping_another_change_nothing(void **state) {
    (void)state;
    assert_true(hash_of_pile(false) == hash_of_pile(true));
}

// Draws the sketch of a scene without a mouse and with one that moves.
static void check_sketch(scene_run *run) {
    for (int i = 0; i < 2; i++) {
        sketch drawn = {0};
        vec2s mouse = point(6 - 0.2f * (float)run->step, -4 + 0.13f * (float)run->step);
        run->input = (scene_input){.has_mouse = i == 1, .mouse = mouse};
        run->scene->draw(run, &drawn);
        if (drawn.count == 0) fail_msg("%s, step %d: no sketch", run->scene->name, run->step);
        sketch_free(&drawn);
    }
    run->input = (scene_input){0};
}

static uint64_t hash_sketched(const scene *which, bool is_sketched) {
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){0}));
    for (int i = 0; i < 120; i++) {
        assert_done(scene_step(&run, STEP));
        if (is_sketched) check_sketch(&run);
    }
    uint64_t hash = cn_world_hash(run.world);
    scene_stop(&run);
    return hash;
}

static void sketches_of_scenes_change_nothing(void **state) {
    (void)state;
    for (int i = 0; demo_scenes[i]; i++)
        if (demo_scenes[i]->draw)
            assert_true(hash_sketched(demo_scenes[i], true) ==
                        hash_sketched(demo_scenes[i], false));
}

// Returns the hash after 200 steps. Setting the substeps has the whole plan made anew.
static uint64_t hash_replanned(const scene *which, bool is_replanned) {
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){0}));
    for (int i = 0; i < 200; i++) {
        if (is_replanned)
            assert_done(cn_world_set_substeps(run.world, cn_world_substeps(run.world)));
        assert_done(scene_step(&run, STEP));
    }
    uint64_t hash = cn_world_hash(run.world);
    scene_stop(&run);
    return hash;
}

// Which islands share a batch depends on what was planned before. Results do not.
static void a_plan_that_is_made_anew_changes_nothing(void **state) {
    (void)state;
    for (int i = 0; demo_scenes[i]; i++)
        if (hash_replanned(demo_scenes[i], true) != hash_replanned(demo_scenes[i], false))
            fail_msg("%s depends on the plan", demo_scenes[i]->name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_of_the_demo_are_the_same_each_time_and_on_every_width),
        cmocka_unit_test(scenes_of_the_benchmark_are_the_same_each_time_and_on_every_width),
        cmocka_unit_test(reading_a_world_and_stepping_another_change_nothing),
        cmocka_unit_test(sketches_of_scenes_change_nothing),
        cmocka_unit_test(a_plan_that_is_made_anew_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
