/* Checks that twelve scenes give the same bits on every machine. The table determinism.txt has the
 * hash of each scene after 300 steps and after 360 steps, as a line "name hash later".
 *
 *     determinism TABLE [OPTION]...       compares with the table; fails if there is a difference
 *     determinism --hashes                prints the hash of every scene after 60 steps
 *
 *     --lanes LIST      numbers of SIMD lanes (1,4,8,16); prints those that are not available
 *     --threads LIST    numbers of threads (1,2,3,8)
 *     --save FOLDER     also writes the snapshot of each scene after 300 steps to a file
 *     --load FOLDER     instead of running the scenes, continues from the snapshots in these files,
 *                       which another machine may have written
 *     --write           writes a new table
 *
 * The program needs no test library, so that it is easy to build for another machine.
 * determinism.sh runs it for many machines. */
#include "../../demo/scenes/scene.h"
#include "../../engine/core/world/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP (1.0f / 60)

enum { STEPS = 300, LATER = 60, SCENES = 12, LIST = 8, PATH = 512 };

static const char *const names[SCENES] = {
    "pyramid", "rain-of-shapes", "hammock", "ragdolls", "lorry", "gears",
    "bullets", "tiles",          "one-way", "sensors",  "pool",  "small-100",
};

// The results of a scene: the hash after STEPS steps, the hash LATER steps after that, and the hash
// of the bytes of the snapshot after STEPS steps.
typedef struct {
    uint64_t hash, later, bytes;
} result;

typedef struct {
    int count, items[LIST];
} int_list;

typedef struct {
    const char *table, *save, *load;
    int_list lanes, threads;
    bool writes, hashes_all;
} options;

static void stop(const char *what, const char *why) {
    fprintf(stderr, "determinism: %s: %s\n", what, why);
    exit(2);
}

// ---- files

static const char *path_of(const char *folder, const char *name) {
    static char path[PATH];
    if (snprintf(path, PATH, "%s/%s.snapshot", folder, name) >= PATH) stop(folder, "is too long");
    return path;
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        stop(path, "cannot be written");
}

static size_t find_size(FILE *file) {
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    return size > 0 ? (size_t)size : 0;
}

// The caller frees the bytes.
static unsigned char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) stop(path, "is missing");
    *size = find_size(file);
    unsigned char *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size) stop(path, "cannot be read");
    fclose(file);
    return bytes;
}

// Fills in the hashes of all scenes. A scene that is not in the table has hashes of 0.
static void read_table(const char *path, result table[SCENES]) {
    char line[128], name[64];
    result found = {0};
    FILE *file = fopen(path, "r");
    if (!file) stop(path, "is missing");
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%63s %" SCNx64 " %" SCNx64, name, &found.hash, &found.later) != 3)
            stop(path, "has a line that is not: name hash later");
        for (int i = 0; i < SCENES; i++)
            if (strcmp(names[i], name) == 0) table[i] = found;
    }
    fclose(file);
}

static void write_table(const char *path, const result table[SCENES]) {
    FILE *file = fopen(path, "w");
    if (!file) stop(path, "cannot be written");
    for (int i = 0; i < SCENES; i++)
        fprintf(file, "%s %016" PRIx64 " %016" PRIx64 "\n", names[i], table[i].hash,
                table[i].later);
    if (fclose(file) != 0) stop(path, "cannot be written");
}

// ---- runs

static void check(bool done, const char *name) {
    if (!done) stop(name, cn_error());
}

static uint64_t hash_of(const unsigned char *bytes, size_t size) { // FNV-1a
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001B3u;
    return hash;
}

// Saves the world, in a file if there is a folder. Returns the hash of the bytes.
static uint64_t save(const cn_world *world, const char *folder, const char *name) {
    size_t size = cn_world_save(world, CN_SAVE_ALL, NULL, 0);
    unsigned char *bytes = malloc(size);
    check(bytes && cn_world_save(world, CN_SAVE_ALL, bytes, size) == size, name);
    uint64_t hash = hash_of(bytes, size);
    if (folder) write_file(path_of(folder, name), bytes, size);
    free(bytes);
    return hash;
}

// Steps the world without the code of its scene, which a loaded world does not have.
static uint64_t run_on(cn_world *world, const char *name) {
    for (int i = 0; i < LATER; i++) check(cn_world_step(world, STEP), name);
    return cn_world_hash(world);
}

// Runs a scene. Threads share even the smallest jobs, so that this is tested, too.
static result run_scene(const char *name, cn_world_def def, const char *folder) {
    scene_run run;
    check(scene_start(&run, scene_find(name), def), name);
    cn_team_distribute_all(run.world->sim.team);
    for (int i = 0; i < STEPS; i++) check(scene_step(&run, STEP), name);
    result r = {.hash = cn_world_hash(run.world), .bytes = save(run.world, folder, name)};
    r.later = run_on(run.world, name);
    scene_stop(&run);
    return r;
}

static result load_scene(const char *name, const char *folder) {
    size_t size;
    unsigned char *bytes = read_file(path_of(folder, name), &size);
    cn_world *world = cn_world_load(&(cn_world_def){0}, NULL, bytes, size);
    check(world != NULL, name);
    result r = {.hash = cn_world_hash(world), .bytes = save(world, NULL, name)};
    r.later = run_on(world, name);
    cn_world_destroy(world);
    free(bytes);
    return r;
}

// Some processors have fewer lanes, and some systems have no threads.
static bool is_available(cn_world_def def) {
    cn_world *world = cn_world_create(&def);
    bool has_threads = world && cn_team_workers(world->sim.team) == def.threads;
    cn_world_destroy(world);
    return has_threads;
}

// ---- comparisons

// Prints which scenes differ. `bytes` may be NULL: snapshots to compare with.
static bool compare(const result got[SCENES], const result table[SCENES],
                    const result bytes[SCENES]) {
    bool same = true;
    for (int i = 0; i < SCENES; i++) {
        const char *what = NULL;
        if (bytes && got[i].bytes != bytes[i].bytes) what = "snapshot";
        if (got[i].later != table[i].later) what = "later";
        if (got[i].hash != table[i].hash) what = "hash";
        if (!what) continue;
        printf("%s %s (%s)", same ? "DIFFERENT:" : ",", names[i], what);
        same = false;
    }
    puts(same ? "equal" : "");
    return same;
}

// Runs all scenes on each number of lanes and threads. The first run makes the files, and the
// snapshots of the others must have the same bytes.
static bool run_all(const options *o, const result table[SCENES]) {
    result first[SCENES], got[SCENES];
    bool same = true, is_first = true;
    for (int i = 0; i < o->lanes.count * o->threads.count; i++) {
        cn_world_def def = {.lanes = o->lanes.items[i / o->threads.count],
                            .threads = o->threads.items[i % o->threads.count]};
        printf("%d lanes, %d threads: ", def.lanes, def.threads);
        if (!is_available(def)) {
            puts("not available");
            continue;
        }
        for (int k = 0; k < SCENES; k++)
            got[k] = run_scene(names[k], def, is_first ? o->save : NULL);
        if (is_first) memcpy(first, got, sizeof first);
        same = compare(got, table, first) && same;
        is_first = false;
    }
    return same && !is_first;
}

static bool load_all(const options *o, const result table[SCENES]) {
    result got[SCENES];
    for (int i = 0; i < SCENES; i++) got[i] = load_scene(names[i], o->load);
    printf("snapshots of %s: ", o->load);
    return compare(got, table, NULL);
}

static void print_hashes(const scene *const *list) {
    for (; *list; list++) {
        scene_run run;
        check(scene_start(&run, *list, (cn_world_def){0}), (*list)->name);
        for (int i = 0; i < 60; i++) check(scene_step(&run, STEP), (*list)->name);
        printf("%s %016" PRIx64 "\n", (*list)->name, cn_world_hash(run.world));
        scene_stop(&run);
    }
}

// ---- the command line

static int_list read_list(const char *text) {
    int_list list = {0};
    for (char *end; *text && list.count < LIST; text = *end ? end + 1 : end) {
        list.items[list.count++] = (int)strtol(text, &end, 10);
        if (end == text) stop(text, "is not a list of numbers");
    }
    return list;
}

static options read_options(int count, char **arguments) {
    options o = {.lanes = {4, {1, 4, 8, 16}}, .threads = {4, {1, 2, 3, 8}}};
    for (int i = 1; i < count; i++) {
        const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : "";
        bool has_value = true;
        if (strcmp(name, "--lanes") == 0)
            o.lanes = read_list(value);
        else if (strcmp(name, "--threads") == 0)
            o.threads = read_list(value);
        else if (strcmp(name, "--save") == 0)
            o.save = value;
        else if (strcmp(name, "--load") == 0)
            o.load = value;
        else {
            has_value = false;
            if (strcmp(name, "--write") == 0)
                o.writes = true;
            else if (strcmp(name, "--hashes") == 0)
                o.hashes_all = true;
            else
                o.table = name;
        }
        i += has_value;
    }
    return o;
}

static void write_anew(const char *path) {
    result table[SCENES];
    for (int i = 0; i < SCENES; i++) table[i] = run_scene(names[i], (cn_world_def){0}, NULL);
    write_table(path, table);
}

int main(int count, char **arguments) {
    options o = read_options(count, arguments);
    result table[SCENES] = {0};
    if (o.hashes_all) {
        print_hashes(demo_scenes);
        print_hashes(bench_scenes);
        return 0;
    }
    if (!o.table) stop("usage", "determinism TABLE [OPTION]... (the source has the list)");
    if (o.writes) write_anew(o.table);
    read_table(o.table, table);
    return (o.load ? load_all(&o, table) : run_all(&o, table)) ? 0 : 1;
}
