/* Memory that a stage uses while it runs, and sorting.
 *
 * There is one arena. It only grows, so a world at its usual size allocates nothing in a step. Each
 * stage uses it from the start. The capacity outlives a stage: the solver uses what "plan islands"
 * reserved, and the sweep what the pair search reserved. The content does not outlive it. */
#include "model.h"

// Nothing in the arena outlives its stage, so its content is neither kept nor cleared. The arena
// grows by half at least, so that it rarely grows again.
void *cn_scratch(cn_simulation *sim, size_t bytes) {
    cn_arena *arena = &sim->arena;
    if (bytes / CN_ARENA_UNIT >= INT32_MAX / 2) {
        cn_fail(CN_ERROR_MEMORY, "too much scratch memory: %.0f bytes", (double)bytes);
        return NULL;
    }
    int needed = (int)(bytes / CN_ARENA_UNIT) + 1;
    arena->used = 0;
    if (needed <= arena->capacity) return arena->memory;
    int capacity = cn_max_int(needed, arena->capacity + arena->capacity / 2);
    char *memory = cn_allocate_uncleared(&sim->memory, (size_t)capacity * CN_ARENA_UNIT);
    if (!memory) return NULL;
    cn_release(&sim->memory, arena->memory, (size_t)arena->capacity * CN_ARENA_UNIT);
    arena->memory = memory, arena->capacity = capacity;
    return memory;
}

bool cn_clear_body_bits(cn_simulation *sim) {
    int words = cn_body_words(sim);
    if (!cn_reserve(&sim->memory, &sim->plan.body_bits, words)) return false;
    if (words) memset(sim->plan.body_bits.items, 0, (size_t)words * sizeof(uint64_t));
    return true;
}

// A change of the capacity moves the sets, which is allowed because they are empty.
bool cn_reserve_body_sets(cn_simulation *sim, int bodies) {
    int words = CN_SET_COUNT * ((bodies + 63) / 64);
    return cn_reserve(&sim->memory, &sim->body_sets, words);
}

// ---- sorting

static int32_t read_key(const char *item) {
    int32_t key;
    memcpy(&key, item, sizeof key);
    return key;
}

// Shell sort, because it needs no memory and the items are few or nearly in order.
void cn_sort_items(void *items, int count, size_t size) {
    char *first = items, saved[sizeof(cn_contact_event_row)];
    assert(size <= sizeof saved);
    for (int gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int i = gap; i < count; i++) {
            char *to = first + (size_t)i * size;
            size_t step = (size_t)gap * size;
            if (read_key(to - step) <= read_key(to)) continue;
            memcpy(saved, to, size);
            for (int k = i; k >= gap && read_key(to - step) > read_key(saved); k -= gap, to -= step)
                memcpy(to, to - step, size);
            memcpy(to, saved, size);
        }
}

bool cn_sort_list(cn_simulation *sim, cn_key_list *list) {
    uint64_t *spare = cn_scratch(sim, (size_t)list->count * sizeof *spare);
    if (spare && list->count) cn_sort_keys(list->items, spare, list->count, 0);
    return spare;
}
