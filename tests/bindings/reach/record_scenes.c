/* Records every scene of the demo and of the benchmark. Other languages replay the recordings and
 * must get the same hashes.
 *
 *     record_scenes FOLDER     writes FOLDER/SCENE.cairn, and prints a line "SCENE HASH" for each
 *                              scene, with the hash after the last step */
#include "../../../demo/scenes/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define STEP (1.0f / 60)

enum { STEPS = 90, BEFORE = 30, PATH = 512 }; // the recording begins after BEFORE steps

static void check(bool done, const char *scene) {
    if (done) return;
    fprintf(stderr, "record_scenes: %s: %s\n", scene, cn_error());
    exit(1);
}

static bool write_to_file(const void *bytes, size_t size, void *file) {
    return fwrite(bytes, 1, size, file) == size;
}

static void record(const scene *which, const char *path) {
    scene_run run;
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(1);
    }
    check(scene_start(&run, which, (cn_world_def){0}), which->name);
    for (int i = 0; i < STEPS; i++) {
        if (i == BEFORE)
            check(cn_recording_begin(run.world, (cn_recording_sink){write_to_file, file}),
                  which->name);
        check(scene_step(&run, STEP), which->name);
    }
    check(cn_recording_end(run.world), which->name);
    printf("%s %016" PRIx64 "\n", which->name, cn_world_hash(run.world));
    scene_stop(&run);
    check(fclose(file) == 0, which->name);
}

static void record_all(const scene *const *list, const char *folder) {
    for (; *list; list++) {
        char path[PATH];
        snprintf(path, sizeof path, "%s/%s.cairn", folder, (*list)->name);
        record(*list, path);
    }
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: record_scenes FOLDER\n");
        return 2;
    }
    record_all(demo_scenes, arguments[1]);
    record_all(bench_scenes, arguments[1]);
    return 0;
}
