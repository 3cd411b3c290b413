/* A model of two trees as in a world: one of bodies that move (D), one of static shapes (S).
 *
 * The model keeps every box of now and of the last search in plain arrays and compares each with
 * each other. The searches are (D, D), (D, S) and (S, D, new boxes only). No search reports pairs
 * within S. */
#ifndef TESTS_TREE_MODEL_H
#define TESTS_TREE_MODEL_H

#include "../../../engine/core/collision/collision.h"
#include "../../support/meter.h"

#include <stdio.h>

enum { MAX_IDS = 3000 };

// ---- random numbers: splitmix64

static inline uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline int below(uint64_t *state, int limit) {
    return (int)(next_random(state) % (uint64_t)limit);
}

static inline float between(uint64_t *state, float low, float high) {
    return low + (high - low) * (float)(next_random(state) >> 40) * 0x1p-24f;
}

// ---- the model

typedef struct {
    bool is_live, is_ground, had_box;
    cn_bounds now, old; // old: valid if had_box
} model_box;

typedef struct {
    cn_memory memory;
    cn_tree trees[2]; // [0]: D, [1]: S
    cn_team *team;    // NULL: one worker
    cn_key_list found, spare;
    model_box boxes[MAX_IDS];
    int count; // the ids are 0..count - 1
    uint64_t random;
    uint64_t *expected;
    int expected_count, expected_capacity;
} arena;

static inline bool overlap(cn_bounds a, cn_bounds b) {
    return a.lower.x <= b.upper.x && a.lower.y <= b.upper.y && b.lower.x <= a.upper.x &&
           b.lower.y <= a.upper.y;
}

static inline arena *make_arena(int count, uint64_t seed) {
    arena *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->count = count;
    a->random = seed;
    return a;
}

// Gives the trees workers, which share even the smallest jobs.
static inline void make_team(arena *a, int workers) {
    assert_true(cn_team_create(&a->team, &a->memory, workers, &(cn_task_system){0}));
    cn_team_distribute_all(a->team);
}

static inline void free_arena(arena *a) {
    cn_team_end(a->team);
    cn_release_all(&a->memory);
    assert_int_equal(a->memory.bytes, 0);
    free(a->expected);
    free(a);
}

static inline cn_tree *tree_of(arena *a, int id) { return &a->trees[a->boxes[id].is_ground]; }

// Most boxes have half a metre. Some are as large as the whole area, some are points, some are very
// far away.
static inline cn_bounds random_box(arena *a) {
    uint64_t *r = &a->random;
    float world = sqrtf((float)a->count), size = between(r, 0, 0.5f);
    int kind = below(r, 200);
    if (kind < 4) size = between(r, 0, world);
    if (kind >= 4 && kind < 8) size = 0;
    if (kind == 8) size = between(r, 0, 1e20f);
    float x = between(r, 0, world), y = between(r, 0, world);
    if (kind >= 196) x *= 1e5f;
    if (kind == 199) y *= 1e25f;
    return (cn_bounds){{{x - size, y - size}}, {{x + size, y + between(r, 0, 1) * size}}};
}

// Returns the box that the tree stores for a box: its coordinates end at 1e18.
static inline cn_bounds clamped(cn_bounds box) {
    for (int i = 0; i < 2; i++) {
        box.lower.raw[i] = fmaxf(-1e18f, fminf(box.lower.raw[i], 1e18f));
        box.upper.raw[i] = fmaxf(-1e18f, fminf(box.upper.raw[i], 1e18f));
    }
    return box;
}

static inline bool insert_box(arena *a, int id) {
    model_box *b = &a->boxes[id];
    bool is_ground = below(&a->random, 4) == 0;
    cn_bounds box = random_box(a);
    if (!cn_tree_reserve(&a->trees[is_ground], &a->memory, 1, (id | 255) + 1)) return false;
    cn_tree_insert(&a->trees[is_ground], id, box);
    *b = (model_box){true, is_ground, false, clamped(box), {{{0}}, {{0}}}};
    return true;
}

static inline void remove_box(arena *a, int id) {
    cn_tree_remove(tree_of(a, id), id);
    a->boxes[id].is_live = false;
}

static inline void move_box(arena *a, int id, cn_bounds box) {
    cn_tree_move(tree_of(a, id), id, box);
    a->boxes[id].now = clamped(box);
}

static inline void shift_box(arena *a, int id) {
    cn_bounds box = a->boxes[id].now;
    vec2s d = {{between(&a->random, -0.3f, 0.3f), between(&a->random, -0.3f, 0.3f)}};
    move_box(a, id, (cn_bounds){glms_vec2_add(box.lower, d), glms_vec2_add(box.upper, d)});
}

static inline void forget_box(arena *a, int id) {
    cn_tree_renew_pairs(tree_of(a, id), id);
    a->boxes[id].had_box = false;
}

// Makes one random edit. Insertions and removals come in waves, so that the trees fill up and
// empty.
static inline void edit(arena *a, int step) {
    int id = below(&a->random, a->count), choice = below(&a->random, 100);
    if (!a->boxes[id].is_live) {
        if (step % 37 < 25 || choice < 10) insert_box(a, id);
        return;
    }
    int removals = step % 50 > 40 ? 50 : 5;
    if (choice < removals)
        remove_box(a, id);
    else if (choice < removals + 4)
        forget_box(a, id);
    else if (choice < removals + 10)
        move_box(a, id, random_box(a));
    else
        shift_box(a, id);
}

static inline bool is_new_pair(const model_box *a, const model_box *b) {
    if (!a->is_live || !b->is_live || (a->is_ground && b->is_ground)) return false;
    if (!overlap(a->now, b->now)) return false;
    return !(a->had_box && b->had_box && overlap(a->old, b->old));
}

// Collects the pairs that the searches must report, in ascending order.
static inline void expect_pairs(arena *a) {
    a->expected_count = 0;
    for (int i = 0; i < a->count; i++) {
        for (int j = i + 1; j < a->count && a->boxes[i].is_live; j++) {
            if (!is_new_pair(&a->boxes[i], &a->boxes[j])) continue;
            if (a->expected_count == a->expected_capacity) {
                a->expected_capacity = 2 * a->expected_capacity + 64;
                size_t size = (size_t)a->expected_capacity * sizeof(uint64_t);
                a->expected = realloc(a->expected, size);
                assert_non_null(a->expected);
            }
            a->expected[a->expected_count++] = (uint64_t)i << 32 | (uint64_t)j;
        }
    }
}

static inline bool search(arena *a, cn_tree_search_function *find) {
    cn_tree *d = &a->trees[0], *s = &a->trees[1];
    a->found.count = 0;
    int half = cn_tree_groups(d) / 2, all = cn_tree_groups(d), static_groups = cn_tree_groups(s);
    bool done = find(d, d, false, half, all, &a->memory, &a->found) &&
                find(d, d, false, 0, half, &a->memory, &a->found) &&
                find(d, s, false, 0, all, &a->memory, &a->found) &&
                find(s, d, true, 0, static_groups, &a->memory, &a->found);
    if (!done || !cn_reserve(&a->memory, &a->spare, a->found.count)) return false;
    cn_sort_keys(a->found.items, a->spare.items, a->found.count, 0);
    return true;
}

static inline void check_found(const arena *a, int step) {
    size_t size = (size_t)a->expected_count * sizeof(uint64_t);
    bool same = a->found.count == a->expected_count &&
                (size == 0 || memcmp(a->found.items, a->expected, size) == 0);
    if (!same)
        fail_msg("step %d: %d pairs found, %d expected", step, a->found.count, a->expected_count);
}

static inline void commit(arena *a) {
    for (int k = 0; k < 2; k++) cn_tree_commit(&a->trees[k]);
    for (int i = 0; i < a->count; i++) {
        a->boxes[i].old = a->boxes[i].now;
        a->boxes[i].had_box = a->boxes[i].is_live;
    }
}

static inline void update_tree(cn_tree *tree, cn_team *team) {
    uint64_t *scratch = malloc(cn_tree_sort_bytes(tree->slot_count) + 1);
    assert_non_null(scratch);
    cn_tree_update(tree, scratch, team, 0);
    free(scratch);
}

static inline void update(arena *a) {
    for (int k = 0; k < 2; k++) update_tree(&a->trees[k], a->team);
}

static inline void check_step(arena *a, int step) {
    update(a);
    expect_pairs(a);
    cn_tree_search_function *widths[] = {
        cn_tree_search_1,
        cn_tree_search_4,
#ifdef CN_BUILD_AVX2
        __builtin_cpu_supports("avx2") ? cn_tree_search_8 : cn_tree_search_4,
#endif
    };
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        assert_true(search(a, widths[i]));
        check_found(a, step);
    }
    commit(a);
}

// ---- queries

static inline void check_query(arena *a) {
    int seen[MAX_IDS] = {0};
    cn_bounds box = random_box(a);
    for (int k = 0; k < 2; k++) {
        cn_tree_refit(&a->trees[k]);
        CN_EACH_OVER(id, &a->trees[k], box) seen[id]++;
    }
    for (int i = 0; i < a->count; i++) {
        const model_box *b = &a->boxes[i];
        assert_int_equal(seen[i], b->is_live && overlap(box, b->now));
    }
}

#endif
