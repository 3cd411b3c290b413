/* base: what the engine needs before it knows any physics.
 *
 *   errors    cn_fail() records why a call failed, for the calling thread only; it returns false so
 *             that a check reads `return cn_fail(...)`.
 *   memory    every byte of a world comes from the allocator it was created with and is counted.
 *             Arrays grow in rows: parallel arrays of one length that grow together or not at all.
 *   cpu       how many SIMD lanes this machine runs well.
 */
#ifndef CN_BASE_H
#define CN_BASE_H

#include "../cairn.h"

#include <assert.h>
#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static_assert(FLT_EVAL_METHOD == 0,
              "floats must be computed as floats: see -msse2, -fexcess-precision");

// ---- errors (error.c)

// Records the error of the current call and returns false.
__attribute__((format(printf, 2, 3))) bool cn_fail(cn_error_kind kind, const char *format, ...);

// ---- memory (memory.c)

typedef struct {
    cn_allocator allocator;
    size_t bytes; // now allocated
    size_t calls; // allocations ever made
} cn_memory;

// One of several parallel arrays: where its pointer is kept and the size of an element.
typedef struct {
    void *array; // really T **: the address of the array's pointer
    size_t size;
} cn_row;

// Zeroed memory aligned to 64 bytes, or NULL with the error recorded. Size 0 gives NULL without error.
void *cn_allocate(cn_memory *memory, size_t size);
void cn_release(cn_memory *memory, void *block, size_t size);

// Grows all rows to hold at least `needed` elements (new ones zeroed), at least doubling the capacity.
// On failure nothing changes.
bool cn_grow_rows(cn_memory *memory, const cn_row *rows, int row_count, int *capacity, int needed);
void cn_release_rows(cn_memory *memory, const cn_row *rows, int row_count, int *capacity);

// The same for a single array: cn_grow(memory, &world->things, &world->thing_capacity, n).
#define cn_grow(memory, array_address, capacity, needed)                                           \
    cn_grow_rows(memory, &(cn_row){(void *)(array_address), sizeof **(array_address)}, 1,          \
                 capacity, needed)
#define cn_free(memory, array_address, capacity)                                                   \
    cn_release_rows(memory, &(cn_row){(void *)(array_address), sizeof **(array_address)}, 1,       \
                    capacity)

// A list that grows: CN_LIST(int) numbers; {0} is an empty one.
#define CN_LIST(type)                                                                              \
    struct {                                                                                       \
        type *items;                                                                               \
        int count, capacity;                                                                       \
    }
// Room for `needed` items; a further item. False if memory is short: nothing has changed then.
#define cn_reserve(memory, list, needed)                                                           \
    ((needed) <= (list)->capacity || cn_grow(memory, &(list)->items, &(list)->capacity, needed))
#define cn_push(memory, list, ...)                                                                 \
    (cn_reserve(memory, list, (list)->count + 1) &&                                                \
     ((list)->items[(list)->count++] = (__VA_ARGS__), true))
#define cn_free_list(memory, list) cn_free(memory, &(list)->items, &(list)->capacity)

// ---- cpu

// The widest lane count that was built and that this machine runs. The kernels of every width give
// the same bits, so the choice is one of speed only.
static inline int cn_cpu_lanes(void) {
#if defined(CN_BUILD_AVX512)
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) return 16;
#endif
#if defined(CN_BUILD_AVX2)
    if (__builtin_cpu_supports("avx2")) return 8;
#endif
    return 4;
}

// ---- bits

static inline int cn_lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }
static inline void cn_set_bit(uint64_t *bits, int i) { bits[i >> 6] |= (uint64_t)1 << (i & 63); }
static inline void cn_clear_bit(uint64_t *bits, int i) {
    bits[i >> 6] &= ~((uint64_t)1 << (i & 63));
}
static inline bool cn_has_bit(const uint64_t *bits, int i) { return bits[i >> 6] >> (i & 63) & 1; }
// Goes through all bits that are set, in ascending order. (The third loop only declares i: no `break`.)
#define CN_EACH_BIT(i, bits, end)                                                                  \
    for (int i##_word = 0; i##_word * 64 < (end); i##_word++)                                      \
        for (uint64_t i##_rest = (bits)[i##_word]; i##_rest; i##_rest &= i##_rest - 1)             \
            for (int i = i##_word * 64 + cn_lowest_bit(i##_rest), i##_once = 1; i##_once;          \
                 i##_once = 0)

static inline int cn_min_int(int a, int b) { return a < b ? a : b; }
static inline int cn_max_int(int a, int b) { return a > b ? a : b; }

#endif
