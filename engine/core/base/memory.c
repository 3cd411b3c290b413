/* Allocation through the allocator of the world: counted, aligned to 64 bytes, and zeroed unless it
 * is scratch memory.
 *
 * After the end of every block stands a link to the other blocks. So all blocks can be released
 * together in the end, without a list of all that the world owns.
 *
 * Rows: the world keeps its data in parallel arrays (hot, warm, cold). The arrays of one length lie
 * in one block, so they are allocated together or not at all. Each begins at a multiple of 64
 * bytes:
 *
 *      | hot hot hot .. | warm warm warm .. | cold cold cold .. | */
#include "base.h"

#include <stdlib.h>

enum { ALIGNMENT = 64, LARGE = 1 << 14 };

#if defined(_WIN32)
static void *default_allocate(size_t size) { return _aligned_malloc(size, ALIGNMENT); }
static void default_release(void *block) { _aligned_free(block); }
#else
static void *default_allocate(size_t size) {
    return aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}
static void default_release(void *block) { free(block); }
#endif

// The link that stands after the end of a block.
struct cn_block {
    cn_block *next, *previous;
    size_t offset; // from the start of the block to this link
};

static size_t link_offset(size_t size) { return (size + 7) & ~(size_t)7; }

static void link_block(cn_memory *memory, cn_block *block, size_t offset) {
    cn_block *next = memory->blocks;
    *block = (cn_block){next, NULL, offset};
    if (next) next->previous = block;
    memory->blocks = block;
}

static void unlink_block(cn_memory *memory, const cn_block *block) {
    *(block->previous ? &block->previous->next : &memory->blocks) = block->next;
    if (block->next) block->next->previous = block->previous;
}

void *cn_allocate_uncleared(cn_memory *memory, size_t size) {
    if (size == 0) return NULL;
    size_t offset = link_offset(size), total = offset + sizeof(cn_block);
    const cn_allocator *allocator = &memory->allocator;
    cn_lock(&memory->lock);
    void *block = allocator->allocate ? allocator->allocate(total, ALIGNMENT, allocator->user)
                                      : default_allocate(total);
    if (block) {
        link_block(memory, (void *)((char *)block + offset), offset);
        memory->bytes += total;
        memory->calls++;
    }
    cn_unlock(&memory->lock);
    if (!block) {
        cn_fail(CN_ERROR_MEMORY, "out of memory: %.0f bytes were requested", (double)size);
        return NULL;
    }
    assert((uintptr_t)block % ALIGNMENT == 0);
    return block;
}

void *cn_allocate(cn_memory *memory, size_t size) {
    void *block = cn_allocate_uncleared(memory, size);
    return block ? memset(block, 0, size) : NULL;
}

void cn_release(cn_memory *memory, void *block, size_t size) {
    if (!block) return;
    size_t offset = link_offset(size), total = offset + sizeof(cn_block);
    cn_lock(&memory->lock);
    unlink_block(memory, (void *)((char *)block + offset));
    memory->bytes -= total;
    if (memory->allocator.allocate)
        memory->allocator.release(block, total, memory->allocator.user);
    else
        default_release(block);
    cn_unlock(&memory->lock);
}

void cn_release_all(cn_memory *memory) {
    for (cn_block *block; (block = memory->blocks);)
        cn_release(memory, (char *)block - block->offset, block->offset);
}

// The bytes of a row, up to the start of the next row.
static size_t row_bytes(const cn_row *row, int capacity) {
    return ((size_t)capacity * row->size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static size_t block_bytes(const cn_row *rows, int row_count, int capacity) {
    size_t bytes = 0;
    for (int i = 0; i < row_count; i++) bytes += row_bytes(&rows[i], capacity);
    return bytes;
}

// Stores a new address in the pointer of a row's array. Returns the old address. (The pointer has
// type T *, so it is copied with memcpy.)
static void *swap_array(const cn_row *row, void *fresh) {
    void *old;
    memcpy(&old, row->array, sizeof old);
    memcpy(row->array, &fresh, sizeof fresh);
    return old;
}

bool cn_fit_rows(cn_memory *memory, const cn_row *rows, int row_count, int *capacity, int needed) {
    if (needed >= 0 && needed <= *capacity) return true;
    size_t most = SIZE_MAX / 2 / block_bytes(rows, row_count, 1);
    if (needed > INT32_MAX / 2 || (needed > 0 && (size_t)needed > most))
        return cn_fail(CN_ERROR_MEMORY, "too many items: %d", needed);
    int new_capacity = cn_max_int(needed, 0);
    char *array = cn_allocate_uncleared(memory, block_bytes(rows, row_count, new_capacity));
    if (!array && new_capacity) return false;

    size_t old_bytes = block_bytes(rows, row_count, *capacity);
    void *block = NULL;
    for (int i = 0; i < row_count; i++) {
        void *old = swap_array(&rows[i], array);
        if (i == 0) block = old;
        if (!array) continue;
        size_t kept = old ? (size_t)*capacity * rows[i].size : 0;
        size_t bytes = row_bytes(&rows[i], new_capacity);
        if (old) memcpy(array, old, kept);
        memset(array + kept, 0, bytes - kept);
        array += bytes;
    }
    cn_release(memory, block, old_bytes);
    *capacity = new_capacity;
    return true;
}

// Adds a reserve: first one cache line, then the capacity again, and half of the capacity once the
// block is large.
bool cn_grow_rows(cn_memory *memory, const cn_row *rows, int row_count, int *capacity, int needed) {
    if (needed > *capacity) {
        bool large = block_bytes(rows, row_count, *capacity) > LARGE;
        int more = *capacity ? *capacity / (large ? 2 : 1) : (int)(ALIGNMENT / rows->size);
        needed = cn_max_int(*capacity + more, needed);
    }
    return cn_fit_rows(memory, rows, row_count, capacity, needed);
}
