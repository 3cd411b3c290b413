/* The pair search: which pairs of shapes become contacts in this step, and which sleeping islands
 * they wake.
 *
 * Nothing of the state changes here. All results go to scratch lists, so a step that runs out of
 * memory leaves the world as it was.
 *
 *   1. Islands that the user's calls woke are listed.
 *   2. The trees report the pairs whose boxes overlap now and did not at the last search.
 *   3. Dirty surfaces are found again (model/ground.c). They are not state.
 *   4. A new pair without an active side (awake, or kinematic) is dropped.
 *   5. The other apart pairs, old and new, are tested. A pair that touches a sleeping body wakes
 *      its island.
 *   6. A waking island gets back its contacts (contact.c) and the pairs that were dropped: those
 *      with static bodies, with other sleeping islands, and within the island. The trees find them:
 *      their boxes overlap now and did at the last search. If such a pair touches a body that stays
 *      asleep, the island of that body wakes in the next step. So waking spreads through a field of
 *      sleeping islands ring by ring.
 */
#include "pairs.h"

enum {
    CHUNK = 128,      // new pairs that are admitted together
    TEST_GRAIN = 128, // pairs that a worker tests at a time
    // Work in items of cn_run(): of a shape that searches for new pairs, of a new pair that is
    // admitted, of a pair that is tested, and of a body that wakes.
    SEARCH_ITEMS = 4,
    ADMISSION_ITEMS = 4,
    TEST_ITEMS = 3,
    RESTORED_ITEMS = 16,
};

// ---- pairs

bool cn_proxies_overlapped(const cn_simulation *sim, int shape_a, int shape_b) {
    const cn_tree *a = cn_tree_with(sim, shape_a), *b = cn_tree_with(sim, shape_b);
    return a && b &&
           cn_boxes_overlap(cn_box8_get(a->old, a->slots[shape_a]),
                            cn_box8_get(b->old, b->slots[shape_b]));
}

// Returns the flag of a circle. Its anchor does not turn if its centre is that of the body.
static uint32_t circle_flag(const cn_simulation *sim, int shape, uint32_t concentric) {
    if (cn_placed_count(&sim->placed[shape]) != 1) return 0;
    const cn_shape_link *link = &sim->links[shape];
    return link->offset.x == 0 && link->offset.y == 0 ? concentric : CN_META_ALWAYS_REMAKE;
}

// Returns the class that counts for a pair: that of the shape with more vertices.
static int pair_class(const cn_simulation *sim, int a, int b) {
    return cn_max_int((int)cn_placed_class(&sim->placed[a]), (int)cn_placed_class(&sim->placed[b]));
}

static uint32_t pair_meta(const cn_simulation *sim, int a, int b) {
    uint32_t meta = (uint32_t)pair_class(sim, a, b) << CN_META_CLASS;
    meta |= circle_flag(sim, a, CN_META_CIRCLE_A) | circle_flag(sim, b, CN_META_CIRCLE_B);
    const cn_shape_warm *sa = &sim->shapes[a], *sb = &sim->shapes[b];
    if (sa->restitution > 0 || sb->restitution > 0) meta |= CN_META_BOUNCY;
    if ((sa->flags | sb->flags) & CN_SHAPE_HIT_EVENTS) meta |= CN_META_HITS;
    if ((sa->flags | sb->flags) & CN_SHAPE_RARE_MATERIAL) meta |= CN_META_RARE_MATERIAL;
    return meta;
}

cn_apart cn_make_pair(const cn_simulation *sim, int shape_a, int shape_b) {
    int a = sim->links[shape_a].body, b = sim->links[shape_b].body;
    bool dynamic_a = cn_is_dynamic(&sim->hot[a]), dynamic_b = cn_is_dynamic(&sim->hot[b]);
    bool swap = dynamic_a != dynamic_b ? dynamic_a : a > b;
    int first = swap ? shape_b : shape_a, second = swap ? shape_a : shape_b;
    return (cn_apart){first, second, CN_PAIR_APART, pair_meta(sim, first, second)};
}

static bool push_new_pair(cn_simulation *sim, int a, int b) {
    cn_apart pair = cn_make_pair(sim, a, b);
    return cn_find_surface_of_pair(sim, pair.shape_a, pair.shape_b) &&
           cn_append(&sim->memory, &sim->apart[CN_NEW_APART + cn_class_of(pair.meta)], pair);
}

// ---- waking

static bool push_waking(cn_simulation *sim, int island) {
    if (!cn_append(&sim->memory, &sim->waking, island)) return false;
    sim->sleeping_islands[island].wake_requested = true;
    return true;
}

// Lists the islands that the user's calls woke, in slot order.
static bool list_requested_islands(cn_simulation *sim) {
    sim->waking.count = sim->requested_count = 0;
    for (int i = sim->requested_islands; i > 0; i = sim->sleeping_islands[i - 1].next_requested) {
        if (!push_waking(sim, i - 1)) return false;
        sim->requested_count++;
    }
    cn_sort_items(sim->waking.items, sim->waking.count, sizeof(int));
    return true;
}

typedef struct {
    cn_simulation *sim;
    const cn_tree *t, *u; // pairs of changed members of t with members of u
    bool fresh;           // only unchanged members of u
    cn_key_list *pairs;   // of the worker
} tree_search;

static void search_groups(void *context, int first, int end) {
    tree_search *s = context;
    cn_memory *memory = &s->sim->memory;
    if (!s->sim->kernels->search(s->t, s->u, s->fresh, first, end, memory, s->pairs))
        cn_store_relaxed(&s->sim->short_of_memory, true);
}

// Returns the list of the pairs that a worker finds.
static cn_key_list *list_of_worker(cn_simulation *sim, const cn_worker *worker) {
    return worker->index ? &sim->worker_pairs.items[worker->index - 1] : &sim->pairs;
}

// False if memory is short.
static bool clear_lists_of_workers(cn_simulation *sim) {
    const int other_workers = cn_team_workers(sim->team) - 1;
    cn_store_relaxed(&sim->short_of_memory, false);
    if (!cn_reserve(&sim->memory, &sim->worker_pairs, other_workers)) return false;
    sim->pairs.count = 0, sim->worker_pairs.count = other_workers;
    for (int i = 0; i < other_workers; i++) sim->worker_pairs.items[i].count = 0;
    return true;
}

static void search_trees(void *context, cn_worker *worker) {
    cn_simulation *sim = context;
    cn_tree *moving = &sim->moving_tree, *still = &sim->static_tree;
    cn_key_list *pairs = list_of_worker(sim, worker);
    tree_search searches[] = {{sim, moving, moving, false, pairs},
                              {sim, moving, still, false, pairs},
                              {sim, still, moving, true, pairs}};
    for (int i = 0; i < 3; i++)
        cn_distribute(worker, cn_tree_groups(searches[i].t), 1, search_groups, &searches[i]);
}

// Joins the pairs of all workers. Their order does not matter, because they are sorted afterwards.
static bool collect_pairs(cn_simulation *sim) {
    for (int i = 0; i < sim->worker_pairs.count; i++) {
        cn_key_list *found = &sim->worker_pairs.items[i], *all = &sim->pairs;
        int count = all->count + found->count;
        if (!cn_reserve(&sim->memory, all, count)) return false;
        if (found->count)
            memcpy(all->items + all->count, found->items,
                   (size_t)found->count * sizeof *found->items);
        all->count = count;
    }
    return cn_sort_list(sim, &sim->pairs);
}

static bool find_new_overlaps(cn_simulation *sim) {
    sim->pairs.count = 0;
    if (!cn_load_relaxed(&sim->moving_tree.changed) && !cn_load_relaxed(&sim->static_tree.changed))
        return true;
    int slots = cn_max_int(sim->moving_tree.slot_count, sim->static_tree.slot_count);
    enum { ARRAYS = 6 }; // of sweep_search.c, which needs this much, too
    size_t bytes = cn_tree_sort_bytes(slots) + ARRAYS * CN_ARENA_UNIT;
    uint64_t *scratch = cn_scratch(sim, bytes);
    if (!scratch) return false;
    cn_tree_update(&sim->moving_tree, scratch, sim->team, sim->dirty_count);
    cn_tree_update(&sim->static_tree, scratch, sim->team, 0);
    if (!clear_lists_of_workers(sim)) return false;
    cn_run(sim->team, SEARCH_ITEMS * sim->dirty_count, search_trees, sim);
    if (cn_load_relaxed(&sim->short_of_memory))
        return cn_fail(CN_ERROR_MEMORY, "no memory for all new pairs");
    return collect_pairs(sim);
}

// ---- admission

// Some of the new pairs.
typedef struct {
    int idle;                     // how many have no active side
    int admitted[CN_CLASS_COUNT]; // how many are to be tested; then the place of the first one
    bool needs_surface;           // some of these have a surface that is not known yet
} pair_chunk;

typedef struct {
    cn_simulation *sim;
    uint8_t *results;   // of each pair: NOT_ADMITTED ...
    pair_chunk *chunks; // CHUNK pairs each
} admission;

enum { NOT_ADMITTED, IDLE, ADMITTED }; // IDLE: no active side; ADMITTED + the class of the pair

static int shape_a_of(uint64_t key) { return (int)(key >> 32); }
static int shape_b_of(uint64_t key) { return (int)(uint32_t)key; }

static int admission_of(const cn_simulation *sim, uint64_t key) {
    const int a = shape_a_of(key), b = shape_b_of(key);
    if (!cn_body_is_awake(sim, sim->links[a].body) && !cn_body_is_awake(sim, sim->links[b].body))
        return IDLE;
    return cn_should_collide(sim, a, b) ? ADMITTED + pair_class(sim, a, b) : NOT_ADMITTED;
}

static void classify_chunk(const admission *s, int number) {
    pair_chunk chunk = {0};
    const uint64_t *keys = s->sim->pairs.items;
    const int end = cn_min_int(CHUNK * (number + 1), s->sim->pairs.count);
    for (int i = CHUNK * number; i < end; i++) {
        const int result = admission_of(s->sim, keys[i]);
        s->results[i] = (uint8_t)result;
        chunk.idle += result == IDLE;
        if (result < ADMITTED) continue;
        chunk.admitted[result - ADMITTED]++;
        chunk.needs_surface |=
            !cn_knows_surface_of_pair(s->sim, shape_a_of(keys[i]), shape_b_of(keys[i]));
    }
    s->chunks[number] = chunk;
}

static void classify_pairs(void *context, int first, int end) {
    for (int i = first; i < end; i++) classify_chunk(context, i);
}

static void write_chunk(const admission *s, int number) {
    cn_apart *next[CN_CLASS_COUNT]; // where the next pair of each class goes
    for (int i = 0; i < CN_CLASS_COUNT; i++)
        next[i] = s->sim->apart[CN_NEW_APART + i].items + s->chunks[number].admitted[i];
    const int end = cn_min_int(CHUNK * (number + 1), s->sim->pairs.count);
    for (int i = CHUNK * number; i < end; i++) {
        const uint64_t key = s->sim->pairs.items[i];
        if (s->results[i] >= ADMITTED)
            *next[s->results[i] - ADMITTED]++ =
                cn_make_pair(s->sim, shape_a_of(key), shape_b_of(key));
    }
}

static void write_pairs(void *context, int first, int end) {
    for (int i = first; i < end; i++) write_chunk(context, i);
}

// Turns the counts of the chunks into places behind the pairs in the lists, and reserves memory.
static bool find_places_of_pairs(cn_simulation *sim, pair_chunk *chunks, int count) {
    for (int i = 0; i < CN_CLASS_COUNT; i++) {
        cn_apart_list *list = &sim->apart[CN_NEW_APART + i];
        int place = list->count;
        for (int k = 0; k < count; k++) {
            const int admitted = chunks[k].admitted[i];
            chunks[k].admitted[i] = place;
            place += admitted;
        }
        if (!cn_reserve(&sim->memory, list, place)) return false;
        list->count = place;
    }
    return true;
}

// Finds surfaces for the pairs of a chunk, and keeps its idle pairs, from place `kept` on.
static bool end_chunk(const admission *s, int number, int *kept) {
    const pair_chunk *chunk = &s->chunks[number];
    cn_simulation *sim = s->sim;
    const int first = CHUNK * number, end = cn_min_int(first + CHUNK, sim->pairs.count);
    for (int i = first; (chunk->idle || chunk->needs_surface) && i < end; i++) {
        const uint64_t key = sim->pairs.items[i];
        if (s->results[i] == IDLE) sim->pairs.items[(*kept)++] = key;
        if (s->results[i] < ADMITTED || !chunk->needs_surface) continue;
        if (!cn_find_surface_of_pair(sim, shape_a_of(key), shape_b_of(key))) return false;
    }
    return true;
}

// Moves the new pairs that have an active side to the lists of pairs to be tested. The others are
// dropped, unless a contact of this step wakes one of their sides. Only one thread may call the
// user's filter.
static bool admit_pairs(cn_simulation *sim) {
    const int count = sim->pairs.count, chunks = (count + CHUNK - 1) / CHUNK;
    const size_t result_bytes = (size_t)chunks * CHUNK,
                 chunk_bytes = (size_t)chunks * sizeof(pair_chunk);
    cn_team *team = sim->filter ? NULL : sim->team;
    if (count == 0) return true;
    uint8_t *memory = cn_scratch(sim, result_bytes + chunk_bytes);
    if (!memory) return false;
    admission s = {sim, memory, (pair_chunk *)(memory + result_bytes)};
    cn_run_loop(team, ADMISSION_ITEMS * count, chunks, 1, classify_pairs, &s);
    if (!find_places_of_pairs(sim, s.chunks, chunks)) return false;
    cn_run_loop(sim->team, ADMISSION_ITEMS * count, chunks, 1, write_pairs, &s);
    int kept = 0;
    for (int i = 0; i < chunks; i++)
        if (!end_chunk(&s, i, &kept)) return false;
    sim->pairs.count = kept;
    return true;
}

// ---- tests

// Ends the apart pairs whose boxes no longer overlap.
static void mark_ended(const cn_simulation *sim, cn_apart *pairs, int count) {
    for (int i = 0; sim->dirty_count && i < count; i++)
        if (cn_has_ended(sim, pairs[i].shape_a, pairs[i].shape_b))
            pairs[i].result = CN_PAIR_SEPARATED;
}

// True if the body of the shape sleeps and does not wake in this step.
static bool stays_asleep(const cn_simulation *sim, int shape) {
    int island = sim->warm[sim->links[shape].body].island;
    return island >= 0 && !sim->sleeping_islands[island].wake_requested;
}

static bool wake_island_of(cn_simulation *sim, int shape) {
    return !stays_asleep(sim, shape) || push_waking(sim, sim->warm[sim->links[shape].body].island);
}

// Pairs that touch a sleeping body wake its island.
static bool wake_touched(cn_simulation *sim, const cn_apart_list *list) {
    for (int i = 0; i < list->count; i++) {
        const cn_apart *pair = &list->items[i];
        if (cn_begins_contact(pair) &&
            !(wake_island_of(sim, pair->shape_a) && wake_island_of(sim, pair->shape_b)))
            return false;
    }
    return true;
}

// The pairs to be tested: those of each list from first[list] on, list after list.
typedef struct {
    cn_simulation *sim;
    int first[CN_APART_LISTS];
    atomic_bool touches_sleepers; // some pair begins to touch a body that stays asleep
} pair_tests;

static bool touches_sleeper(const cn_simulation *sim, const cn_apart *pairs, int count) {
    for (int i = 0; i < count; i++)
        if (cn_begins_contact(&pairs[i]) &&
            (stays_asleep(sim, pairs[i].shape_a) || stays_asleep(sim, pairs[i].shape_b)))
            return true;
    return false;
}

static void test_some(pair_tests *t, int list, int first, int count) {
    cn_simulation *sim = t->sim;
    cn_apart *pairs = sim->apart[list].items + first;
    // cn_test_pairs() of contact_kernel.c.
    cn_kernels_of(sim, count)->test(sim, (cn_hull_class)(list % CN_CLASS_COUNT), pairs, count);
    cn_filter_pairs(sim, pairs, count);
    if (list < CN_NEW_APART) mark_ended(sim, pairs, count);
    if (sim->sleeping_count && touches_sleeper(sim, pairs, count))
        cn_store_relaxed(&t->touches_sleepers, true);
}

static void test_range(void *context, int first, int end) {
    pair_tests *t = context;
    for (int list = 0, begin = 0; list < CN_APART_LISTS; list++) {
        const int to_test = t->sim->apart[list].count - t->first[list];
        const int from = cn_max_int(first, begin), to = cn_min_int(end, begin + to_test);
        if (from < to) test_some(t, list, t->first[list] + from - begin, to - from);
        begin += to_test;
    }
}

// Tests the pairs of each list from tested[list] on, and updates `tested`. True if some begin to
// touch bodies that stay asleep.
static bool test_pairs(cn_simulation *sim, int *tested) {
    pair_tests tests = {.sim = sim};
    int count = 0;
    memcpy(tests.first, tested, sizeof tests.first);
    for (int i = 0; i < CN_APART_LISTS; i++) {
        count += sim->apart[i].count - tested[i];
        tested[i] = sim->apart[i].count;
    }
    cn_run_loop(sim->team, TEST_ITEMS * count, count, TEST_GRAIN, test_range, &tests);
    return cn_load_relaxed(&tests.touches_sleepers);
}

// ---- dropped pairs of waking islands

// The keys of pairs of one island, in the list of the worker that found them.
typedef struct {
    const cn_key_list *list;
    int first, end;
} island_keys;

typedef struct {
    cn_simulation *sim;
    cn_key_list *list;    // of the worker
    island_keys *islands; // by place among the waking islands
} island_search;

// Pushes the key of a pair. When the keys are sorted, the same pair as a touching one follows it.
static bool push_key(const island_search *s, int a, int b, bool touches) {
    return cn_append(&s->sim->memory, s->list,
                     (uint64_t)cn_min_int(a, b) << 32 | (uint32_t)cn_max_int(a, b) << 1 | touches);
}

// True if a pair of a waking island was dropped. Pairs with an active body never are. A pair within
// the island is found from both shapes, and a pair of two waking islands from both islands. Each
// counts once, the latter for the island that comes first.
static bool was_dropped(const cn_simulation *sim, int shape, int other) {
    int body = sim->links[shape].body, other_body = sim->links[other].body;
    int island = sim->warm[other_body].island;
    bool is_second = island == sim->warm[body].island
                         ? other < shape
                         : island >= 0 && sim->sleeping_islands[island].wake_requested &&
                               sim->sleeping_islands[island].place <
                                   sim->sleeping_islands[sim->warm[body].island].place;
    return !is_second && !cn_is_active(&sim->hot[other_body]) &&
           cn_proxies_overlapped(sim, shape, other) && cn_should_collide(sim, shape, other);
}

static bool push_dropped_pairs(const island_search *s, const cn_tree *tree, int shape) {
    CN_EACH_OVER(other, tree, cn_tree_box(&s->sim->moving_tree, shape)) {
        if (was_dropped(s->sim, shape, other) && !push_key(s, shape, other, false)) return false;
    }
    return true;
}

static bool push_dropped_of_island(const island_search *s, const cn_sleeping_island *island) {
    const cn_simulation *sim = s->sim;
    for (int body = island->first_body; body >= 0; body = sim->warm[body].next)
        CN_EACH_SHAPE(shape, sim, body) {
            if (cn_tree_has(&sim->moving_tree, shape) &&
                !(push_dropped_pairs(s, &sim->moving_tree, shape) &&
                  push_dropped_pairs(s, &sim->static_tree, shape)))
                return false;
        }
    return true;
}

static bool push_touching_pairs(const island_search *s, const cn_sleeping_island *island) {
    for (int i = 0; i < island->contacts.count; i++) {
        const cn_anchor *anchor = &island->contacts.items[i].anchor;
        if (cn_is_excluded(s->sim, anchor->shape_a, anchor->shape_b)) continue;
        if (!push_key(s, anchor->shape_a, anchor->shape_b, true)) return false;
    }
    return true;
}

// Finds all pairs of the shapes of an island: those that were dropped, and those that touch.
static bool push_pairs_of_island(const island_search *s, const cn_sleeping_island *island) {
    return push_dropped_of_island(s, island) && push_touching_pairs(s, island);
}

// Sorts the last keys of a list, from `first` on. False if memory is short.
static bool sort_last_keys(cn_memory *memory, cn_key_list *list, int first) {
    const int count = list->count - first;
    if (!cn_reserve(memory, list, list->count + count)) return false;
    if (count) cn_sort_keys(list->items + first, list->items + list->count, count, 0);
    return true;
}

static void search_islands(void *context, int first, int end) {
    const island_search *s = context;
    cn_simulation *sim = s->sim;
    for (int i = first; i < end; i++) {
        const int first_key = s->list->count;
        if (!push_pairs_of_island(s, &sim->sleeping_islands[sim->waking.items[i]]) ||
            !sort_last_keys(&sim->memory, s->list, first_key))
            cn_store_relaxed(&sim->short_of_memory, true);
        s->islands[i] = (island_keys){s->list, first_key, s->list->count};
    }
}

static void search_all_islands(void *context, cn_worker *worker) {
    cn_simulation *sim = ((island_search *)context)->sim;
    island_search own = *(island_search *)context;
    own.list = list_of_worker(sim, worker);
    cn_distribute(worker, sim->waking.count, 1, search_islands, &own);
}

// Restores the dropped pairs of an island: those of its keys that do not touch.
static bool restore_dropped_pairs(cn_simulation *sim, island_keys keys) {
    for (int i = keys.first; i < keys.end; i++) { // (there may be no memory for pairs yet)
        uint64_t key = keys.list->items[i];
        bool touches = key & 1 || (i + 1 < keys.end && keys.list->items[i + 1] == (key | 1));
        if (!touches && !push_new_pair(sim, (int)(key >> 32), (int)((uint32_t)key >> 1)))
            return false;
    }
    return true;
}

// Several workers search for the pairs of the islands.
static bool restore_shared(cn_simulation *sim, int items) {
    const int count = sim->waking.count;
    island_search search = {.sim = sim};
    search.islands = cn_scratch(sim, (size_t)count * sizeof *search.islands);
    if (!search.islands || !clear_lists_of_workers(sim)) return false;
    cn_run(sim->team, items, search_all_islands, &search);
    if (cn_load_relaxed(&sim->short_of_memory))
        return cn_fail(CN_ERROR_MEMORY, "no memory for the pairs of waking islands");
    for (int i = 0; i < count; i++)
        if (!restore_dropped_pairs(sim, search.islands[i])) return false;
    return true;
}

static bool restore_all_dropped_pairs(cn_simulation *sim) {
    int bodies = 0;
    for (int i = 0; i < sim->waking.count; i++)
        bodies += sim->sleeping_islands[sim->waking.items[i]].body_count;
    // Only one thread may call the user's filter.
    if (!sim->filter && cn_team_shares(sim->team, RESTORED_ITEMS * bodies))
        return restore_shared(sim, RESTORED_ITEMS * bodies);
    const island_search search = {.sim = sim, .list = &sim->pairs};
    for (int i = 0; i < sim->waking.count; i++) {
        sim->pairs.count = 0;
        if (!push_pairs_of_island(&search, &sim->sleeping_islands[sim->waking.items[i]]) ||
            !cn_sort_list(sim, &sim->pairs) ||
            !restore_dropped_pairs(sim, (island_keys){&sim->pairs, 0, sim->pairs.count}))
            return false;
    }
    return true;
}

// In this step a waking island touches no body that stays asleep. Such a body wakes in the next
// step.
static void postpone_waking(cn_simulation *sim, const int *first) {
    for (int list = CN_NEW_APART; list < CN_APART_LISTS; list++)
        for (int i = first[list]; i < sim->apart[list].count; i++) {
            cn_apart *pair = &sim->apart[list].items[i];
            bool asleep = stays_asleep(sim, pair->shape_a) || stays_asleep(sim, pair->shape_b);
            if (asleep && cn_begins_contact(pair)) pair->result = CN_PAIR_APART;
        }
}

// ---- the stage

// Steps 4 and 5 of the essay. `tested` becomes the number of pairs in each list.
static bool test_all_pairs(cn_simulation *sim, int *tested) {
    for (int i = 0; i < CN_APART_LISTS; i++) tested[i] = 0;
    for (int i = CN_NEW_APART; i < CN_APART_LISTS; i++) sim->apart[i].count = 0;
    if (!admit_pairs(sim)) return false;
    const bool touches_sleepers = test_pairs(sim, tested);
    for (int i = 0; touches_sleepers && i < CN_APART_LISTS; i++)
        if (!wake_touched(sim, &sim->apart[i])) return false;
    return true;
}

// Step 6.
static bool restore_islands(cn_simulation *sim, int *tested) {
    int restored[CN_APART_LISTS]; // where the restored pairs begin
    if (!sim->sleeping_count) return true;
    memcpy(restored, tested, sizeof restored);
    if (sim->waking.count > sim->requested_count && !admit_pairs(sim)) return false;
    for (int i = 0; i < sim->waking.count; i++)
        sim->sleeping_islands[sim->waking.items[i]].place = i;
    if (!restore_all_dropped_pairs(sim)) return false;
    test_pairs(sim, tested);
    postpone_waking(sim, restored);
    return true;
}

bool cn_find_pairs(cn_simulation *sim) {
    int tested[CN_APART_LISTS];
    return list_requested_islands(sim) && find_new_overlaps(sim) && cn_find_dirty_surfaces(sim) &&
           cn_find_parted(sim) && test_all_pairs(sim, tested) && restore_islands(sim, tested);
}

void cn_cancel_waking(cn_simulation *sim) {
    for (int i = sim->requested_count; i < sim->waking.count; i++)
        sim->sleeping_islands[sim->waking.items[i]].wake_requested = false;
    sim->waking.count = sim->requested_count = 0;
}
