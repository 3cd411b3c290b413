/* Bodies move in the same way in every build: with all parts of the engine, with some, and with
 * none. The hashes of six scenes that need no part are those in poses.txt, which has one line "name
 * hash" per scene. A hash is made by public calls, from position, rotation and velocities of all
 * bodies, because cn_world_hash() is in a part.
 *
 *     test_poses [poses.txt]                            compares
 *     CAIRN_POSES_WRITE=1 test_poses [poses.txt]        writes the file
 */
#include "../../../demo/scenes/scene.h"
#include "../../support/small_world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 300 };

extern const scene scene_pyramid, scene_lorry, scene_bullets, scene_rain_of_shapes, scene_chain,
    scene_ragdolls;
static const scene *const scenes[] = {&scene_pyramid,        &scene_lorry, &scene_bullets,
                                      &scene_rain_of_shapes, &scene_chain, &scene_ragdolls};
enum { SCENES = sizeof scenes / sizeof *scenes };

static const char *path = "tests/core/world/poses.txt";

static uint64_t mix(uint64_t hash, float value) { // FNV-1a of the bits
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; i++) hash = (hash ^ (bits >> 8 * i & 255)) * 1099511628211u;
    return hash;
}

static uint64_t hash_of(const cn_world *world) {
    uint64_t hash = 14695981039346656037u;
    int bodies = 0;
    for (cn_body b; b = cn_world_next_body(world, bodies ? b : (cn_body){0}), b.id; bodies++) {
        cn_pose at = cn_body_pose(world, b);
        vec2s v = cn_body_velocity(world, b);
        const float values[] = {at.position.x,
                                at.position.y,
                                at.rotation.c,
                                at.rotation.s,
                                v.x,
                                v.y,
                                cn_body_angular_velocity(world, b)};
        for (int i = 0; i < 7; i++) hash = mix(hash, values[i]);
    }
    assert_true(bodies > 10);
    return hash;
}

static uint64_t run_scene(const scene *which) {
    scene_run run;
    assert_done(scene_start(&run, which, (cn_world_def){0}));
    for (int i = 0; i < STEPS; i++) assert_done(scene_step(&run, 1.0f / 60));
    uint64_t hash = hash_of(run.world);
    scene_stop(&run);
    return hash;
}

static void bodies_move_as_in_every_build(void **state) {
    (void)state;
    bool writes = getenv("CAIRN_POSES_WRITE") != NULL;
    FILE *file = fopen(path, writes ? "w" : "r");
    assert_non_null(file);
    for (int i = 0; i < SCENES; i++) {
        char name[32];
        uint64_t expected, found = run_scene(scenes[i]);
        if (writes) {
            fprintf(file, "%s %016" PRIx64 "\n", scenes[i]->name, found);
            continue;
        }
        assert_int_equal(fscanf(file, "%31s %" SCNx64, name, &expected), 2);
        if (found != expected) print_error("%s: %016" PRIx64 "\n", scenes[i]->name, found);
        assert_string_equal(name, scenes[i]->name);
        assert_true(found == expected);
    }
    fclose(file);
}

int main(int argc, char **argv) {
    if (argc > 1) path = argv[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_move_as_in_every_build)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
