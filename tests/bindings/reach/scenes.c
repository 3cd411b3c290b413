/* Four scenes that the tests of each binding build again through its own objects: the hashes must
 * be equal. Numbers are computed in double precision and rounded to float only when they are
 * passed, as other languages do.
 *
 *     scenes            prints the name, the hash after 100 steps and the last hash of each scene
 *     scenes NAME       prints the hash after each step of one scene */
#include "../../../engine/cairn.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static cn_body add_body(cn_world *world, cn_motion_type type, double x, double y, cn_hull hull) {
    cn_body_def def = {.type = type, .position = {{(float)x, (float)y}}};
    cn_body body = cn_body_create(world, &def);
    cn_shape_create(world, body,
                    &(cn_shape_def){.hull = hull, .density = 1, .material = {.friction = 0.6f}});
    return body;
}

static cn_body add_ground(cn_world *world) {
    return add_body(world, CN_STATIC, 0, -1, cn_box(100, 1));
}

// 820 boxes of 1 m: 40 in the lowest row.
static void make_pyramid(cn_world *world) {
    add_ground(world);
    for (int row = 0; row < 40; row++)
        for (int i = 0; i < 40 - row; i++)
            add_body(world, CN_DYNAMIC, i + row * 0.5 - 19.5, 0.5 + row, cn_box(0.5f, 0.5f));
}

// 1000 circles, boxes, triangles and hexagons fall into a bin.
static void make_bin(cn_world *world) {
    add_ground(world);
    for (int side = -1; side <= 1; side += 2)
        add_body(world, CN_STATIC, side * 13, 20, cn_box(1, 20));
    for (int i = 0; i < 1000; i++) {
        cn_hull hull = i % 4 == 0   ? cn_circle(0.4f)
                       : i % 4 == 1 ? cn_box(0.4f, 0.4f)
                       : i % 4 == 2 ? cn_regular_polygon(3, 0.5f)
                                    : cn_regular_polygon(6, 0.45f);
        int row = i / 20, column = i % 20;
        add_body(world, CN_DYNAMIC, column * 1.1 - 10.45 + (row % 2) * 0.3, 2 + row * 1.1, hull);
    }
}

// 10 stacks of 10 boxes, 1.5 m apart.
static void make_stacks(cn_world *world) {
    cn_body_def def = {.type = CN_STATIC};
    cn_shape_def segment = {.hull = cn_segment((vec2s){{-1000, 0}}, (vec2s){{1000, 0}}),
                            .material = {.friction = 0.6f}};
    cn_shape_create(world, cn_body_create(world, &def), &segment);
    for (int i = 0; i < 100; i++)
        add_body(world, CN_DYNAMIC, i / 10 * 1.5, 0.25 + i % 10 * 0.5, cn_box(0.25f, 0.25f));
}

static void join(cn_world *world, cn_body a, cn_body b, double x, double y) {
    cn_joint_def def = cn_revolute_joint(world, a, b, (vec2s){{(float)x, (float)y}});
    cn_joint_create(world, def);
}

// A net of 30 x 30 circles hangs from two static ones: 1740 hinges.
static void make_net(cn_world *world) {
    cn_body net[30][30];
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 30; x++) {
            bool hangs = y > 0 || (x > 0 && x < 29);
            net[y][x] = add_body(world, hangs ? CN_DYNAMIC : CN_STATIC, x, -y, cn_circle(0.2f));
            if (x > 0) join(world, net[y][x - 1], net[y][x], x - 0.5, -y);
            if (y > 0) join(world, net[y - 1][x], net[y][x], x, -y + 0.5);
        }
}

static const struct {
    const char *name;
    int steps;
    void (*make)(cn_world *world);
} scenes[] = {{"pyramid40", 300, make_pyramid},
              {"bin1000", 600, make_bin},
              {"stacks100", 600, make_stacks},
              {"net30", 300, make_net}};

int main(int count, char **arguments) {
    for (int k = 0; k < 4; k++) {
        if (count > 1 && strcmp(arguments[1], scenes[k].name) != 0) continue;
        cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .no_sleep = true});
        if (!world) return 1;
        scenes[k].make(world);
        if (count == 1) printf("%s", scenes[k].name);
        for (int i = 1; i <= scenes[k].steps; i++) {
            if (!cn_world_step(world, 1.0f / 60)) return 1;
            uint64_t hash = cn_world_hash(world);
            if (count > 1) printf("%d %016" PRIx64 "\n", i, hash);
            if (count == 1 && (i == 100 || i == scenes[k].steps)) printf(" %016" PRIx64, hash);
        }
        if (count == 1) printf("\n");
        cn_world_destroy(world);
    }
    if (cn_error_code()) fprintf(stderr, "%s\n", cn_error());
    return cn_error_code() != CN_ERROR_NONE;
}
