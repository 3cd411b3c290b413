/* Results of the simulation have not changed: the hashes of five scenes after 300 steps are those
 * in golden.txt, which has one line "name hash" per scene.
 *
 *     test_golden [golden.txt]                            compares
 *     CAIRN_GOLDEN_WRITE=1 test_golden [golden.txt]       writes the file anew
 *
 * A difference means that the simulation now computes something else. If that is intended, write
 * the file anew and say so in the change. Otherwise it is a bug.
 *
 * The scenes are few and change rarely. That all scenes are the same on every width, on any number
 * of threads and in every build is tested by test_determinism, test_threads and .ci/run. */
#include "../support/physics.h"
#include "../../demo/scenes/scene.h"

#include <inttypes.h>
#include <stdio.h>

static const char *path = "tests/scenes/golden.txt";

// ---- tiles, sensors and fields in one scene

enum { WIDTH = 24, HEIGHT = 6 };

static const char *const ground[HEIGHT] = {
    "#......................#", "#......................#", "#......................#",
    "####......###......#####", "####......###......#####", "########################",
};

static cn_shape add_region(cn_world *world, float x, float y, cn_hull hull, cn_medium medium) {
    cn_shape_def def = {.hull = hull, .sensor = true, .medium = medium};
    return cn_shape_create(world, scene_add_body(world, CN_STATIC, x, y), &def);
}

// Pools left and right of the middle, wind above the right one, a planet, and a gate.
static bool add_regions(cn_world *world) {
    const cn_medium water = {.density = 1, .linear_drag = 2, .angular_drag = 2};
    const cn_medium wind = {.linear_drag = 1, .flow = {{-6, 2}}};
    return add_region(world, -5, -1, cn_box(3, 0.9f), water).id &&
           add_region(world, 4, -1, cn_box(3, 0.9f), water).id &&
           add_region(world, 4, 2, cn_box(4, 2), wind).id &&
           add_region(world, -0.5f, 4, cn_circle(3), (cn_medium){.attraction = 20}).id &&
           add_region(world, -0.5f, 1.2f, cn_box(0.1f, 1.2f), (cn_medium){0}).id;
}

static bool create_regions(scene_run *run) {
    cn_world *world = run->world;
    uint8_t solid[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        solid[i] = ground[HEIGHT - 1 - i / WIDTH][i % WIDTH] == '#';
    cn_grid_def tiles = {.solid = solid, .width = WIDTH, .height = HEIGHT, .tile_size = 1};
    cn_body body = scene_add_body(world, CN_STATIC, -0.5f * WIDTH, -0.5f * HEIGHT);
    if (!cn_grid_create(world, body, &tiles).id || !add_regions(world)) return false;
    const cn_hull hulls[] = {cn_box(0.3f, 0.2f), cn_circle(0.25f), cn_regular_polygon(5, 0.3f)};
    for (int i = 0; i < 45; i++) {
        float x = 1.3f * (float)(i % 15 - 7), y = 2.5f + 0.8f * (float)(i / 15);
        float density = 0.4f + 0.3f * (float)(i % 4);
        cn_body moving = scene_add_one(world, CN_DYNAMIC, x, y, hulls[i % 3], density);
        if (!moving.id) return false;
    }
    return true;
}

static const scene regions = {
    .name = "regions",
    .title = "Regions",
    .caption = "Bodies fall on tiles, into water and wind, past a planet and through a gate.",
    .view = {0, 0, 12},
    .gravity = {{0, -10}},
    .create = create_regions,
};

// ---- hashes

enum { SCENES = 5, STEPS = 300 };

// Stacking, joints, continuous collision, shapes of every type, and the scene above.
static const char *const names[SCENES - 1] = {"pyramid", "lorry", "bullets", "rain-of-shapes"};

static const scene *golden_scene(int i) { return i < SCENES - 1 ? scene_find(names[i]) : &regions; }

static uint64_t hash_scene(const scene *which) {
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){0}));
    for (int i = 0; i < STEPS; i++) assert_done(scene_step(&run, STEP));
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

static int count_differences(void) {
    int differences = 0;
    for (int i = 0; i < SCENES; i++) {
        const scene *which = golden_scene(i);
        uint64_t golden = 0, hash = hash_scene(which);
        bool is_known = find_golden(which->name, &golden);
        if (is_known && golden == hash) continue;
        print_error("%s: %016" PRIx64 "%s", which->name, hash, is_known ? "" : " is new\n");
        if (is_known) print_error(" was %016" PRIx64 "\n", golden);
        differences++;
    }
    return differences;
}

static void write_golden(void) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < SCENES; i++)
        fprintf(file, "%s %016" PRIx64 "\n", golden_scene(i)->name, hash_scene(golden_scene(i)));
    assert_int_equal(fclose(file), 0);
}

static void scenes_have_their_golden_hashes(void **state) {
    (void)state;
    const char *write = getenv("CAIRN_GOLDEN_WRITE");
    if (write && strcmp(write, "1") == 0) write_golden();
    assert_int_equal(count_differences(), 0);
}

int main(int count, char **arguments) {
    if (count > 1) path = arguments[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_have_their_golden_hashes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
