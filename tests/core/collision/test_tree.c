/* The tree against a model that compares every box with every other one: see tree_model.h. */
#include "tree_model.h"

static void run_on_workers(int count, int steps, uint64_t seed, int workers) {
    printf("%d boxes, %d steps, seed %d, workers %d\n", count, steps, (int)seed, workers);
    arena *a = make_arena(count, seed);
    make_team(a, workers);
    for (int step = 0; step < steps; step++) {
        int edits = step % 40 == 0 ? 2 * count : below(&a->random, count / 4 + 2);
        for (int i = 0; i < edits; i++) edit(a, step);
        if (step % 3 == 0) check_query(a); // between two steps, with edits pending
        check_step(a, step);
        check_query(a);
    }
    free_arena(a);
}

static void run_random_edits(int count, int steps, uint64_t seed) {
    run_on_workers(count, steps, seed, 1);
}

static void small_trees_report_exactly_the_new_pairs(void **state) {
    (void)state;
    for (int seed = 1; seed <= 30; seed++) run_random_edits(1 + seed, 200, (uint64_t)seed);
}

static void medium_trees_report_exactly_the_new_pairs(void **state) {
    (void)state;
    int counts[] = {63, 64, 65, 100, 200, 513, 700};
    for (int i = 0; i < 7; i++) run_random_edits(counts[i], 200, (uint64_t)(100 + i));
}

static void large_trees_report_exactly_the_new_pairs(void **state) {
    (void)state;
    run_random_edits(1500, 80, 200);
    run_random_edits(3000, 45, 201);
}

static void trees_that_workers_share_report_exactly_the_new_pairs(void **state) {
    (void)state;
    run_on_workers(7, 100, 300, 2);
    run_on_workers(520, 100, 301, 3);
    run_on_workers(3000, 20, 302, 8);
}

// Makes a tree with holes, and sorts it. Returns the arena.
static arena *sort_with(int workers) {
    arena *a = make_arena(MAX_IDS, 303);
    make_team(a, workers);
    for (int i = 0; i < a->count; i++) insert_box(a, i);
    for (int i = 0; i < a->count; i += 7) remove_box(a, i);
    update(a);
    return a;
}

static void the_order_of_a_tree_does_not_depend_on_the_number_of_workers(void **state) {
    (void)state;
    arena *one = sort_with(1);
    for (int workers = 2; workers <= 5; workers++) {
        arena *many = sort_with(workers);
        for (int k = 0; k < 2; k++) {
            const cn_tree *a = &one->trees[k], *b = &many->trees[k];
            const size_t slots = (size_t)a->slot_count;
            assert_true(slots > 0 && a->slot_count == b->slot_count && a->live == b->live);
            assert_true(a->cost == b->cost && a->work == b->work);
            assert_memory_equal(a->ids, b->ids, slots * sizeof *a->ids);
            assert_memory_equal(a->moved, b->moved, slots / 8);
            assert_memory_equal(a->boxes[0], b->boxes[0], slots / 8 * sizeof *a->old);
            assert_memory_equal(a->boxes[1], b->boxes[1], slots / 64 * sizeof *a->old);
            assert_memory_equal(a->old, b->old, slots / 8 * sizeof *a->old);
        }
        free_arena(many);
    }
    free_arena(one);
}

// Checks that the shifted box contains the exactly shifted box and is larger by rounding only.
static void check_moved(cn_bounds before, cn_bounds after, vec2s by) {
    for (int i = 0; i < 2; i++) {
        double lower = (double)before.lower.raw[i] - (double)by.raw[i];
        double upper = (double)before.upper.raw[i] - (double)by.raw[i];
        double low = (double)after.lower.raw[i], high = (double)after.upper.raw[i];
        assert_true(low <= lower && low >= lower - 3e-7 * fabs(lower));
        assert_true(high >= upper && high <= upper + 3e-7 * fabs(upper));
        if (by.raw[i] == 0) assert_true(low == lower && high == upper);
    }
}

static void shift_all(arena *a, vec2s by) {
    cn_tree_shift(&a->trees[0], by);
    cn_tree_shift(&a->trees[1], by);
    for (int id = 0; id < a->count; id++) {
        model_box *b = &a->boxes[id];
        if (!b->is_live) continue;
        const cn_tree *tree = tree_of(a, id);
        cn_bounds now = cn_tree_box(tree, id), old = cn_box8_get(tree->old, tree->slots[id]);
        check_moved(b->now, now, by);
        if (b->had_box) check_moved(b->old, old, by);
        b->now = now, b->old = old;
    }
}

// Shifts by any distance at any time, also after edits that no search has seen yet.
static void shifted_trees_report_exactly_the_new_pairs(void **state) {
    (void)state;
    const int counts[] = {1, 7, 64, 65, 600};
    for (uint64_t seed = 300; seed < 305; seed++) {
        printf("seed %d\n", (int)seed);
        arena *a = make_arena(counts[seed - 300], seed);
        for (int step = 0; step < 120; step++) {
            for (int i = below(&a->random, a->count / 4 + 2); i >= 0; i--) edit(a, step);
            float size = step % 20 == 0 ? 1e9f : 30;
            vec2s by = {{between(&a->random, -size, size), between(&a->random, -size, size)}};
            if (step % 3 == 0) by.y = 0;
            shift_all(a, by);
            check_query(a);
            check_step(a, step);
        }
        free_arena(a);
    }
}

static void an_empty_tree_owns_nothing_and_answers_nothing(void **state) {
    (void)state;
    arena *a = make_arena(1, 1);
    check_query(a);
    check_step(a, 0);
    assert_int_equal(a->memory.calls, 0);
    insert_box(a, 0);
    remove_box(a, 0);
    check_query(a);
    check_step(a, 1);
    free_arena(a);
}

static void a_box_is_stored_as_it_is_and_clamped_beyond_1e18(void **state) {
    (void)state;
    cn_memory memory = {0};
    cn_tree tree = {0};
    cn_bounds box = {{{-3.4e38f, 1.25f}}, {{-1, 3e30f}}};
    assert_true(cn_tree_reserve(&tree, &memory, 1, 8));
    cn_tree_insert(&tree, 7, box);
    cn_bounds stored = cn_tree_box(&tree, 7);
    assert_true(stored.lower.x == -1e18f && stored.lower.y == 1.25f);
    assert_true(stored.upper.x == -1 && stored.upper.y == 1e18f);
    assert_true(cn_tree_has(&tree, 7) && !cn_tree_has(&tree, 6) && !cn_tree_has(&tree, 10000));
    cn_tree_move(&tree, 7, box);
    assert_true(cn_tree_box(&tree, 7).lower.x == -1e18f);
    cn_release_all(&memory);
    assert_int_equal(memory.bytes, 0);
}

static void a_query_can_stop_on_the_way(void **state) {
    (void)state;
    arena *a = make_arena(300, 5);
    for (int i = 0; i < a->count; i++) insert_box(a, i);
    cn_tree_refit(&a->trees[0]);
    int total = 0;
    cn_bounds all = {{{-FLT_MAX, -FLT_MAX}}, {{FLT_MAX, FLT_MAX}}};
    CN_EACH_OVER(id, &a->trees[0], all) {
        if (++total == 10) break;
    }
    assert_int_equal(total, 10);
    free_arena(a);
}

static void the_same_id_can_come_back_between_two_searches(void **state) {
    (void)state;
    arena *a = make_arena(40, 6);
    for (int i = 0; i < a->count; i++) insert_box(a, i);
    check_step(a, 0);
    for (int step = 1; step < 20; step++) {
        for (int i = 0; i < a->count; i += 3) {
            remove_box(a, i);
            insert_box(a, i);
        }
        check_step(a, step);
    }
    free_arena(a);
}

static void the_cost_of_a_tree_survives_huge_boxes(void **state) {
    (void)state;
    arena *a = make_arena(500, 7);
    cn_tree *tree = &a->trees[0];
    cn_bounds huge = {{{-1e18f, -1e18f}}, {{1e18f, 1e18f}}}, small = {{{1, 1}}, {{2, 2}}};
    assert_true(cn_tree_reserve(tree, &a->memory, a->count, a->count));
    for (int i = 0; i < a->count; i++) {
        cn_tree_insert(tree, i, small);
        a->boxes[i] = (model_box){.is_live = true, .now = small};
    }
    for (int step = 0; step < 100; step++) {
        if (step < 60 && step % 20 == 10) move_box(a, 0, huge);
        if (step < 60 && step % 20 == 15) move_box(a, 0, small);
        for (int i = 1; i < a->count; i++) shift_box(a, i);
        check_step(a, step);
    }
    double sum = 0;
    for (int i = 0; i < cn_tree_blocks(tree, 0); i++) {
        cn_bounds box = cn_box8_get(tree->boxes[1], i);
        sum += (box.upper.x - box.lower.x) + (box.upper.y - box.lower.y);
    }
    assert_true(tree->cost > 0.99 * sum && tree->cost < 1.01 * sum);
    free_arena(a);
}

static void a_new_root_keeps_the_subtree_of_the_old_one(void **state) {
    (void)state;
    arena *a = make_arena(700, 16);
    for (int i = 0; i < a->count; i++) {
        cn_bounds box = random_box(a);
        assert_true(cn_tree_reserve(&a->trees[0], &a->memory, 1, (i | 255) + 1));
        cn_tree_insert(&a->trees[0], i, box);
        a->boxes[i] = (model_box){.is_live = true, .now = clamped(box)};
        if (i >= 500 && i < 520) check_step(a, i); // 512 = 8 * 8 * 8
        if (i >= 500 && i < 520) check_query(a);
    }
    free_arena(a);
}

// The result of a search depends only on the boxes, not on the order in which they were inserted.
static void history_does_not_change_the_pairs(void **state) {
    (void)state;
    arena *a = make_arena(400, 8), *b = make_arena(400, 8);
    for (int i = 0; i < a->count; i++) insert_box(a, i);
    for (int i = b->count - 1; i >= 0; i--) {
        b->boxes[i] = a->boxes[i];
        assert_true(cn_tree_reserve(tree_of(b, i), &b->memory, 1, (i | 255) + 1));
        cn_tree_insert(tree_of(b, i), i, b->boxes[i].now);
        if (i % 7 == 0) update(b);
    }
    update(a);
    update(b);
    assert_true(search(a, cn_tree_search_4) && search(b, cn_tree_search_1));
    assert_int_equal(a->found.count, b->found.count);
    size_t size = (size_t)a->found.count * sizeof(uint64_t);
    assert_memory_equal(a->found.items, b->found.items, size);
    free_arena(a);
    free_arena(b);
}

static void inserting_and_removing_without_update_does_not_grow_memory(void **state) {
    (void)state;
    arena *a = make_arena(100, 9);
    for (int i = 0; i < a->count; i++) insert_box(a, i);
    size_t before = a->memory.bytes, enough = 0;
    for (int i = 0; i < 200000; i++) {
        int id = below(&a->random, a->count);
        if (a->boxes[id].is_live)
            remove_box(a, id);
        else
            insert_box(a, id);
        if (i == 20000) enough = a->memory.bytes;
    }
    assert_int_equal(a->memory.bytes, enough);
    assert_true(enough < 2 * before);
    check_step(a, 0);
    free_arena(a);
}

static void a_steady_state_makes_no_allocations(void **state) {
    (void)state;
    arena *a = make_arena(1000, 10);
    for (int i = 0; i < a->count; i++) insert_box(a, i);
    for (int step = 0; step < 300; step++) {
        for (int i = 0; i < a->count; i++) move_box(a, i, random_box(a));
        size_t calls = a->memory.calls;
        update(a);
        assert_true(search(a, cn_tree_search_4));
        commit(a);
        if (step > 200) assert_int_equal(a->memory.calls, calls);
    }
    free_arena(a);
}

static void retry_insert(arena *a, int id) {
    uint64_t random = a->random;
    int live[2] = {a->trees[0].live, a->trees[1].live};
    if (insert_box(a, id)) return;
    assert_int_equal(cn_error_code(), CN_ERROR_MEMORY);
    assert_true(a->trees[0].live == live[0] && a->trees[1].live == live[1]);
    a->random = random;
    ((meter *)a->memory.allocator.user)->fail_at = 0; // there is memory again
    assert_true(insert_box(a, id));
}

static void search_with_shortage(arena *a, int step) {
    update(a);
    expect_pairs(a);
    if (!search(a, cn_tree_search_4)) {
        assert_int_equal(cn_error_code(), CN_ERROR_MEMORY);
        ((meter *)a->memory.allocator.user)->fail_at = 0;
        assert_true(search(a, cn_tree_search_4));
    }
    check_found(a, step);
    commit(a);
}

// Fills the trees, steps and empties them while allocation number `failing` fails. False if there
// are fewer allocations.
static bool run_with_shortage(int failing, bool for_ever) {
    meter m = {.fail_at = failing, .keeps_failing = for_ever};
    arena *a = make_arena(700, 11);
    a->memory.allocator = metered(&m);
    for (int step = 0; step < 14; step++) {
        for (int i = 50 * step; i < 50 * (step + 1); i++) retry_insert(a, i);
        for (int i = 0; i < 50 * step; i++) shift_box(a, i);
        search_with_shortage(a, step);
    }
    for (int i = 0; i < 700; i += 2) remove_box(a, i);
    search_with_shortage(a, 14);
    check_query(a);
    bool was_refused = m.fail_at == 0 || has_failed(&m);
    free_arena(a);
    return was_refused;
}

static void running_out_of_memory_at_any_allocation_does_no_harm(void **state) {
    (void)state;
    for (int for_ever = 0; for_ever < 2; for_ever++) {
        int failing = 1;
        while (run_with_shortage(failing, for_ever)) failing++;
        assert_true(failing > 21);
    }
}

static int count_boxes(const cn_tree *tree, int level) {
    int count = 0;
    for (int i = 0; i < cn_tree_blocks(tree, level - 1); i++) {
        cn_bounds box = cn_box8_get(tree->boxes[level], i);
        count += box.lower.x <= box.upper.x;
    }
    return count;
}

static void every_level_has_an_eighth_of_the_boxes_below(void **state) {
    (void)state;
    arena *a = make_arena(1000, 13);
    for (int i = 0; i < a->count; i++) insert_box(a, i);
    cn_tree *tree = &a->trees[0];
    update_tree(tree, NULL); // sorts, so there are no holes
    int expected = (tree->live + 7) / 8;
    for (int level = 1; level < tree->levels; level++, expected = (expected + 7) / 8)
        assert_int_equal(count_boxes(tree, level), expected);
    free_arena(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_trees_report_exactly_the_new_pairs),
        cmocka_unit_test(medium_trees_report_exactly_the_new_pairs),
        cmocka_unit_test(large_trees_report_exactly_the_new_pairs),
        cmocka_unit_test(trees_that_workers_share_report_exactly_the_new_pairs),
        cmocka_unit_test(the_order_of_a_tree_does_not_depend_on_the_number_of_workers),
        cmocka_unit_test(shifted_trees_report_exactly_the_new_pairs),
        cmocka_unit_test(an_empty_tree_owns_nothing_and_answers_nothing),
        cmocka_unit_test(a_box_is_stored_as_it_is_and_clamped_beyond_1e18),
        cmocka_unit_test(a_query_can_stop_on_the_way),
        cmocka_unit_test(the_same_id_can_come_back_between_two_searches),
        cmocka_unit_test(the_cost_of_a_tree_survives_huge_boxes),
        cmocka_unit_test(a_new_root_keeps_the_subtree_of_the_old_one),
        cmocka_unit_test(history_does_not_change_the_pairs),
        cmocka_unit_test(inserting_and_removing_without_update_does_not_grow_memory),
        cmocka_unit_test(a_steady_state_makes_no_allocations),
        cmocka_unit_test(running_out_of_memory_at_any_allocation_does_no_harm),
        cmocka_unit_test(every_level_has_an_eighth_of_the_boxes_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
