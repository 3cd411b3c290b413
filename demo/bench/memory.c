/* How much memory worlds take, each figure with its bar: "at most".
 *
 * The cost of a body, a contact or a static box is what a thousand more of them cost, 3000 in place
 * of 2000, in a world whose capacities are exactly those numbers. Bytes are those that the world
 * counts itself; a test compares that count with the world's allocator.
 *
 * A body takes about 320 bytes for its own rows, those of its shape and their place in the tree.
 * The rest is its place in the plan, its events and scratch memory. A contact itself takes 136
 * bytes. The rest is its place in each of three lists of pairs whose shapes are apart, in the lists
 * of contacts that begin and end, and in the scratch memory of the plan and the solver. */
#include "bench.h"

#include <stdlib.h>

enum { FEWER = 2000, MORE = 3000, SIDE = 1000 }; // SIDE: of the grid, in tiles

typedef enum { BODIES_APART, BODIES_TOUCHING, STATIC_BOXES } box_layout;

// A failure is printed once. All figures after it are printed as failed.
typedef struct {
    int failures; // figures above their bars
    bool failed;  // a call of the engine failed, or a scene was not as intended
} checklist;

static void report_error(checklist *list, const char *problem) {
    if (!list->failed) fprintf(stderr, "cairn-bench: --memory: %s\n", problem);
    list->failed = true;
}

static void check(checklist *list, const char *what, double value, double bar, const char *unit) {
    bool passed = !list->failed && value > 0 && value <= bar;
    list->failures += !passed;
    printf("%s  %-44s %10.2f  bar %10.2f %s\n", passed ? "pass" : "FAIL", what, value, bar, unit);
}

static cn_world *begin_world(checklist *list, cn_capacity capacity) {
    cn_world_def def = {.gravity = {{0, -10}}, .no_sleep = true, .capacity = capacity};
    cn_world *world = cn_world_create(&def);
    if (!world) report_error(list, cn_error());
    return world;
}

static void run(checklist *list, cn_world *world, int steps) {
    for (int i = 0; i < steps; i++)
        if (!cn_world_step(world, 1.0f / 60)) report_error(list, cn_error());
}

static double bytes_of(const cn_world *world) { return (double)cn_world_counters(world).bytes; }

// ------------------------------------------------------------------------------------ the least

// A world without anything in it, and one of a floor and a box that touch.
static void check_small_worlds(checklist *list) {
    cn_world *world = begin_world(list, (cn_capacity){0});
    check(list, "empty world", bytes_of(world), 2850, "bytes");
    bool done = scene_add_one(world, CN_STATIC, 0, 0, cn_box(10, 1), 1).id &&
                scene_add_one(world, CN_DYNAMIC, 0, 1.5f, cn_box(0.5f, 0.5f), 1).id;
    if (!done) report_error(list, cn_error());
    run(list, world, 10);
    cn_counters counters = cn_world_counters(world);
    if (counters.touching != 1) report_error(list, "the box does not touch the floor");
    check(list, "floor and one box, after 10 steps", (double)counters.bytes, 15400, "bytes");
    check(list, "the same", (double)counters.allocations, 35, "allocations");
    cn_world_destroy(world);
}

// ---------------------------------------------------------------------------------------- of each

static bool add_boxes(cn_world *world, int count, float distance) {
    bool done = true;
    for (int i = 0; i < count && done; i++) {
        float x = 4 * (float)(i / 10), y = distance * (float)(i % 10);
        done = scene_add_one(world, CN_DYNAMIC, x, y, cn_box(0.5f, 0.5f), 1).id;
    }
    return done;
}

static bool add_static_boxes(cn_world *world, int count) {
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    bool done = ground.id;
    for (int i = 0; i < count && done; i++) {
        cn_hull box = cn_box(0.5f, 0.5f);
        vec2s place = {{2 * (float)(i % 50), 2 * (float)(i / 50)}};
        box = cn_hull_at(box, cn_pose_at(place, 0));
        done = scene_add_hull(world, ground, box, 0.6f, 1).id;
    }
    return done;
}

static double bytes_of_boxes(checklist *list, int count, box_layout layout) {
    bool is_static = layout == STATIC_BOXES, touch = layout == BODIES_TOUCHING;
    cn_capacity capacity = {.bodies = is_static ? 1 : count, .contacts = touch ? count : 0};
    *(is_static ? &capacity.static_shapes : &capacity.shapes) = count;
    cn_world *world = begin_world(list, capacity);
    bool done = is_static ? add_static_boxes(world, count) : add_boxes(world, count, touch ? 1 : 4);
    if (!done) report_error(list, cn_error());
    run(list, world, 3);
    if (cn_world_counters(world).touching != (touch ? count * 9 / 10 : 0))
        report_error(list, "not as many contacts as intended");
    double bytes = bytes_of(world);
    cn_world_destroy(world);
    return bytes;
}

static double bytes_per_box(checklist *list, box_layout layout) {
    double more = bytes_of_boxes(list, MORE, layout), fewer = bytes_of_boxes(list, FEWER, layout);
    return (more - fewer) / (MORE - FEWER);
}

static void check_boxes(checklist *list) {
    double apart = bytes_per_box(list, BODIES_APART);
    double touching = bytes_per_box(list, BODIES_TOUCHING);
    check(list, "awake body with one shape", apart, 412, "bytes");
    check(list, "touching contact", touching - apart, 350, "bytes");
    check(list, "static box", bytes_per_box(list, STATIC_BOXES), 200, "bytes");
}

// A million tiles, before any step and after a box has landed on them.
static void check_tiles(checklist *list) {
    cn_world *world = begin_world(list, (cn_capacity){0});
    cn_body ground = scene_add_body(world, CN_STATIC, 0, 0);
    uint8_t *solid = malloc(SIDE * SIDE);
    for (int i = 0; solid && i < SIDE * SIDE; i++) solid[i] = i * 7 % 5 < 3;
    double before = bytes_of(world);
    cn_grid_def def = {.solid = solid, .width = SIDE, .height = SIDE, .tile_size = 1};
    if (!solid || !cn_grid_create(world, ground, &def).id) report_error(list, cn_error());
    free(solid);
    check(list, "tile of a million", (bytes_of(world) - before) / (SIDE * SIDE), 4.01, "bytes");
    scene_add_one(world, CN_DYNAMIC, 500, 1001, cn_box(0.5f, 0.5f), 1);
    run(list, world, 60);
    check(list, "the same, after a box has landed", (bytes_of(world) - before) / (SIDE * SIDE), 5,
          "bytes");
    cn_world_destroy(world);
}

bool bench_check_memory(void) {
    checklist list = {0};
    check_small_worlds(&list);
    check_boxes(&list);
    check_tiles(&list);
    printf("%d figures above their bars\n", list.failures);
    return list.failures == 0;
}
