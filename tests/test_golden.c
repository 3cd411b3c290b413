/* Results of the simulation have not changed: the hash of every scene after 60 steps is that in
 * golden.txt, which has one line "name hash" per scene.
 *
 *     test_golden [golden.txt]                            compares
 *     CAIRN_GOLDEN_WRITE=1 test_golden [golden.txt]       writes the file anew
 *
 * A difference means that the simulation now computes something else. If that is intended, write
 * the file anew and say so in the change. Otherwise it is a bug. A scene that is not in the file is
 * also a failure. */
#include "physics.h"
#include "../demo/scene.h"

#include <inttypes.h>
#include <stdio.h>

static const char *path = "tests/golden.txt";

static uint64_t hash_scene(const scene *which) {
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){0}));
    for (int i = 0; i < 60; i++) assert_done(scene_step(&run, STEP));
    uint64_t hash = cn_world_hash(run.world);
    scene_stop(&run);
    return hash;
}

// Reads the hash of a scene from the file. Returns false if it has none.
static bool find_golden(const char *name, uint64_t *hash) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    char line[128], found[64];
    bool is_found = false;
    while (!is_found && fgets(line, sizeof line, file))
        is_found = sscanf(line, "%63s %" SCNx64, found, hash) == 2 && strcmp(found, name) == 0;
    fclose(file);
    return is_found;
}

static int count_differences(const scene *const *list) {
    int differences = 0;
    for (; *list; list++) {
        uint64_t golden = 0, hash = hash_scene(*list);
        bool is_known = find_golden((*list)->name, &golden);
        if (is_known && golden == hash) continue;
        print_error("%s: %016" PRIx64 "%s", (*list)->name, hash, is_known ? "" : " is new\n");
        if (is_known) print_error(" was %016" PRIx64 "\n", golden);
        differences++;
    }
    return differences;
}

static void write_list(FILE *file, const scene *const *list) {
    for (; *list; list++) fprintf(file, "%s %016" PRIx64 "\n", (*list)->name, hash_scene(*list));
}

static void write_golden(void) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    write_list(file, demo_scenes);
    write_list(file, bench_scenes);
    assert_int_equal(fclose(file), 0);
}

static void scenes_have_their_golden_hashes(void **state) {
    (void)state;
    const char *write = getenv("CAIRN_GOLDEN_WRITE");
    if (write && strcmp(write, "1") == 0) write_golden();
    int differences = count_differences(demo_scenes) + count_differences(bench_scenes);
    assert_int_equal(differences, 0);
}

int main(int count, char **arguments) {
    if (count > 1) path = arguments[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_have_their_golden_hashes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
