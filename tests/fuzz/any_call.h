/* Shared by the fuzz targets that call any function on a world: how a function is drawn, calls from
 * callbacks, and what is in a world at first. */
#ifndef TESTS_FUZZ_ANY_CALL_H
#define TESTS_FUZZ_ANY_CALL_H

#include "answers.h"

#include "fuzz_calls.h"

enum { CALLS = sizeof calls / sizeof *calls };

static bool is(const api_call *call, const char *name) { return strcmp(call->name, name) == 0; }

static const api_call *find_call(const char *name) {
    for (int i = 0; i < CALLS; i++)
        if (strcmp(calls[i].name, name) == 0) return &calls[i];
    CLAIM(false, "no function %s", name);
    return NULL;
}

// Draws a function: often one that makes something happen.
static const api_call *draw_call(fuzz *f) {
    static const char *frequent[] = {"cn_world_step",   "cn_world_step",   "cn_world_step",
                                     "cn_body_create",  "cn_shape_create", "cn_shape_create",
                                     "cn_joint_create", "cn_world_step"};
    int choice = draw_byte(f);
    if (choice < 96) return find_call(frequent[choice % 8]);
    return &calls[(unsigned)(draw_byte(f) * 256 + draw_byte(f)) % CALLS];
}

// ---- calls from callbacks

static void call_within(fuzz *f, cn_world *world, uint64_t key, callback_kind kind) {
    if (f->depth) return;
    uint8_t bytes[96];
    for (size_t i = 0; i < sizeof bytes; i += 8) {
        uint64_t word = scramble(key + i);
        memcpy(bytes + i, &word, 8);
    }
    block_list blocks = {.count = 0};
    fuzz inner = *f;
    inner.bytes = bytes, inner.size = sizeof bytes, inner.at = 0, inner.depth = 1, inner.outer = f;
    inner.blocks = &blocks, inner.read = world, inner.is_wild = key % 8 == 0;
    const api_call *call = &calls[scramble(key) % CALLS];
    outcome o = {0};
    bool is_allowed = kind == IN_FILTER ? call->may_read : call->may_edit;
    bool is_of_world = strcmp(call->name, "cn_world_destroy") != 0 && // these ignore NULL
                       strcmp(call->name, "cn_rollback_destroy") != 0 &&
                       strcmp(call->name, "cn_worlds_step") != 0 && // an empty list is good
                       strncmp(call->name, "cn_replay", 9) != 0;    // of another world
    call->call(&inner, world, &o);
    if (is(call, "cn_world_set_callbacks") && !o.failed) f->callbacks = last_callbacks;
    if (!is_allowed && is_of_world) CLAIM(o.failed, "%s from a callback", call->name);
    free_blocks(&blocks);
}

// ---- worlds

// The first two bytes of an input, which choose the world.
typedef struct {
    int kind, machine;
} world_choice;

// Draws a definition with other lanes and threads than one.
static cn_world_def draw_world(fuzz *f, fuzz_memory *memory, world_choice *choice) {
    static const int lanes[] = {0, 1, 4, 8, 16};
    int kind = choice->kind = draw_byte(f), machine = choice->machine = draw_byte(f);
    return (cn_world_def){
        .gravity = {{0, kind % 8 == 7 ? 0 : -10}},
        .allocator = allocator_of(memory),
        .tag = 1,
        .substeps = kind % 4 == 3 ? 1 + kind / 64 : 0,
        .no_sleep = kind % 3 == 0,
        .move_events = kind % 5 == 0,
        .lanes = lanes[machine % 5],
        .threads = machine / 5 % 8 == 7 ? 3 : 1,
    };
}

// Creates a world, with the default lanes if this machine has not those of the definition.
static cn_world *create_defined(cn_world_def *def) {
    cn_world *world = cn_world_create(def);
    if (!world) def->lanes = 0, world = cn_world_create(def);
    CLAIM(world, "%s", cn_error());
    return world;
}

// Adds a floor and some boxes and circles. Their handles are kept if `keeps`.
static void fill_world(fuzz *f, cn_world *world, int count, bool keeps) {
    cn_body ground = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_shape floor = cn_shape_create(world, ground, &(cn_shape_def){.hull = cn_box(20, 0.5f)});
    if (keeps) keep_handle(f, BODY, ground.id);
    if (keeps) keep_handle(f, SHAPE, floor.id);
    for (int i = 0; i < count; i++) {
        float x = (float)(i % 3) - 1,
              y = 1 + (float)(i / 3) * 1.01f; // NOLINT(bugprone-integer-division)
        cn_body box = cn_body_create(world, &(cn_body_def){.position = {{x, y}}});
        cn_shape_def def = {.hull = i % 4 ? cn_box(0.5f, 0.5f) : cn_circle(0.5f)};
        cn_shape shape = cn_shape_create(world, box, &def);
        if (keeps) keep_handle(f, BODY, box.id);
        if (keeps) keep_handle(f, SHAPE, shape.id);
    }
}

// Handles of a world with another tag.
static void find_foreign(fuzz *f) {
    cn_world_def def = {.tag = 9};
    cn_world *world = cn_world_create(&def);
    cn_body body = cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
    cn_body other = cn_body_create(world, &(cn_body_def){0});
    vec2s points[] = {{{2, 0}}, {{1, 0}}, {{0, 0}}};
    cn_chain chain = cn_chain_create(world, body, &(cn_chain_def){.points = points, .count = 3});
    cn_grid_def tiles = {.solid = (uint8_t[]){1}, .width = 1, .height = 1, .tile_size = 1};
    f->foreign[BODY] = body.id;
    f->foreign[SHAPE] = cn_shape_create(world, body, &(cn_shape_def){.hull = cn_circle(1)}).id;
    f->foreign[JOINT] = cn_joint_create(world, (cn_joint_def){.a = body, .b = other}).id;
    f->foreign[CHAIN] = chain.id;
    f->foreign[GRIDS] = cn_grid_create(world, body, &tiles).id;
    cn_world_destroy(world);
}

#endif
