/* Builds one world with each number of SIMD lanes that the machine has, on one thread and on three,
 * and prints the hash after 100 steps. The output must be the same for all compilers and systems.
 */
#include "cairn.h"

#include <inttypes.h>
#include <stdio.h>

// 3000 circles and boxes fall on the ground.
static void fill(cn_world *world) {
    cn_body ground = cn_body_create(world, &(cn_body_def){.position = {{0, -1}}});
    cn_shape_create(world, ground, &(cn_shape_def){.hull = cn_box(100, 1)});
    for (int i = 0; i < 3000; i++) {
        cn_body_def def = {.type = CN_DYNAMIC,
                           .position = {{(float)(i % 60) - 30, 1 + (float)(i / 60) * 0.9f}}};
        cn_body body = cn_body_create(world, &def);
        cn_hull hull = i % 3 ? cn_box(0.4f, 0.3f) : cn_circle(0.4f);
        cn_shape_create(world, body, &(cn_shape_def){.hull = hull, .density = 1});
    }
}

static int print_hash(int lanes, int threads) {
    cn_world *world = cn_world_create(&(cn_world_def){.lanes = lanes, .threads = threads});
    if (!world) {
        printf("%d lanes: %s\n", lanes, cn_error());
        return 0;
    }
    fill(world);
    for (int i = 0; i < 100; i++)
        if (!cn_world_step(world, 1.0f / 60)) return 1;
    printf("%d lanes, %d threads: %016" PRIx64 "\n", cn_world_counters(world).lanes, threads,
           cn_world_hash(world));
    cn_world_destroy(world);
    return 0;
}

int main(void) {
    int failed = 0;
    for (int lanes = 1; lanes <= 16; lanes = lanes == 1 ? 4 : 2 * lanes)
        for (int threads = 1; threads <= 3; threads += 2) failed |= print_hash(lanes, threads);
    return failed;
}
