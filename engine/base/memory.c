/* Allocation through the world's allocator, counted, 64-byte aligned, always zeroed.
 *
 * Rows: the world keeps its data in parallel arrays (hot, warm, cold). cn_grow_rows() allocates every
 * new array before it frees any old one, so running out of memory half way leaves all as it was. */
#include "base.h"

#include <stdlib.h>

enum { ALIGNMENT = 64, MAX_ROWS = 16 };

#if defined(_WIN32)
static void *default_allocate(size_t size) { return _aligned_malloc(size, ALIGNMENT); }
static void default_release(void *block) { _aligned_free(block); }
#else
static void *default_allocate(size_t size) {
    return aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}
static void default_release(void *block) { free(block); }
#endif

void *cn_allocate(cn_memory *memory, size_t size) {
    if (size == 0) return NULL;
    const cn_allocator *allocator = &memory->allocator;
    cn_lock(&memory->lock);
    void *block = allocator->allocate ? allocator->allocate(size, ALIGNMENT, allocator->user)
                                      : default_allocate(size);
    memory->bytes += block ? size : 0;
    memory->calls += block != NULL;
    cn_unlock(&memory->lock);
    if (!block) {
        cn_fail(CN_ERROR_MEMORY, "out of memory: %.0f bytes were asked for", (double)size);
        return NULL;
    }
    assert((uintptr_t)block % ALIGNMENT == 0);
    return memset(block, 0, size);
}

void cn_release(cn_memory *memory, void *block, size_t size) {
    if (!block) return;
    cn_lock(&memory->lock);
    memory->bytes -= size;
    if (memory->allocator.allocate)
        memory->allocator.release(block, size, memory->allocator.user);
    else
        default_release(block);
    cn_unlock(&memory->lock);
}

// Puts `fresh` into the place of a row's array, which it returns. (The place is a T **: hence memcpy.)
static void *swap_array(const cn_row *row, void *fresh) {
    void *old;
    memcpy(&old, row->array, sizeof old);
    memcpy(row->array, &fresh, sizeof fresh);
    return old;
}

bool cn_grow_rows(cn_memory *memory, const cn_row *rows, int row_count, int *capacity, int needed) {
    if (needed <= *capacity) return true;
    assert(row_count <= MAX_ROWS);
    int grown = cn_max_int(2 * *capacity, needed);
    if (grown > INT32_MAX / 2) return cn_fail(CN_ERROR_MEMORY, "too many items: %d", needed);

    void *fresh[MAX_ROWS];
    for (int i = 0; i < row_count; i++) {
        fresh[i] = cn_allocate(memory, (size_t)grown * rows[i].size);
        if (fresh[i]) continue;
        while (i-- > 0) cn_release(memory, fresh[i], (size_t)grown * rows[i].size);
        return false;
    }
    for (int i = 0; i < row_count; i++) {
        void *old = swap_array(&rows[i], fresh[i]);
        size_t old_size = (size_t)*capacity * rows[i].size;
        if (old) memcpy(fresh[i], old, old_size);
        cn_release(memory, old, old_size);
    }
    *capacity = grown;
    return true;
}

void cn_release_rows(cn_memory *memory, const cn_row *rows, int row_count, int *capacity) {
    for (int i = 0; i < row_count; i++)
        cn_release(memory, swap_array(&rows[i], NULL), (size_t)*capacity * rows[i].size);
    *capacity = 0;
}
