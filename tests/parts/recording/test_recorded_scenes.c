/* A replay of each scene gives the same bits, with other SIMD lanes and other threads. */
#include "../../../demo/scenes/scene.h"
#include "../../support/recordings.h"

enum { STEPS = 150 };

static void record_scene(tape *t, const scene *which) {
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){0}));
    for (int i = 0; i < STEPS / 3; i++) assert_done(scene_step(&run, STEP));
    begin_tape(t, run.world);
    for (int i = STEPS / 3; i < STEPS; i++) assert_done(scene_step(&run, STEP));
    assert_done(cn_recording_end(run.world));
    scene_stop(&run);
}

static void every_scene_replays_to_the_same_bits(void **state) {
    (void)state;
    int differences = 0;
    for (const scene *const *list = demo_scenes; *list; list++) {
        tape t;
        record_scene(&t, *list);
        bool alike = plays_alike(&t, (cn_world_def){.lanes = 1}) &&
                     plays_alike(&t, (cn_world_def){.lanes = 4, .threads = 3});
        if (!alike) print_error("%s differs\n", (*list)->name);
        differences += !alike;
        free(t.bytes);
    }
    assert_int_equal(differences, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_scene_replays_to_the_same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
