/* base: what the engine needs before it knows any physics.
 *
 *   errors    cn_fail() records why a call failed, for the calling thread only; it returns false so
 *             that a check reads `return cn_fail(...)`.
 *   memory    every byte of a world comes from the allocator it was created with and is counted.
 *             Arrays grow in rows: parallel arrays of one length that grow together or not at all.
 *   threads   work that several of them share, with results that do not depend on who did what.
 *   cpu       how many SIMD lanes this machine runs well.
 *
 * Beside it: maths.h, numbers and vectors of one lane; wide.h, those of CN_LANES.
 */
#ifndef CN_BASE_H
#define CN_BASE_H

#include "../cairn.h"

#include <assert.h>
#include <float.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static_assert(FLT_EVAL_METHOD == 0,
              "floats must be computed as floats: see -msse2, -fexcess-precision");

// ---- errors (error.c)

// Records the error of the current call and returns false. The arguments must not quote cn_error().
__attribute__((format(printf, 2, 3))) bool cn_fail(cn_error_kind kind, const char *format, ...);
// Puts the name of a part of the arguments ("point 3") before the error that was just recorded.
// Returns false.
bool cn_fail_in(const char *part);
bool cn_fail_in_number(const char *what, int number); // of the item with this number
// Puts the name of the public function before the error that one of its checks has just recorded.
// This completes the error, so it calls the user's hook, once for each failed call. Returns false.
bool cn_blame(const char *caller);
#define CN_CHECK(passed) ((passed) || cn_blame(__func__))
// Keeps the error that was just completed, for a value that could not be made. Returns its mark.
uint32_t cn_keep_error(void);
// The error with a mark; NULL if the mark is 0 or the error is no longer kept.
const char *cn_kept_error(uint32_t mark);

// ---- locks (threads.c)

// For what is rare: lists that several workers add to.
typedef atomic_bool cn_spinlock;
void cn_lock(cn_spinlock *lock);
void cn_unlock(cn_spinlock *lock);

// ---- memory (memory.c)

typedef struct cn_block cn_block;
typedef struct {
    cn_allocator allocator;
    cn_block *blocks; // all that there are
    cn_spinlock lock; // workers may allocate
    // Written under the lock and read without it.
    _Atomic size_t bytes; // now allocated
    _Atomic size_t calls; // allocations ever made
} cn_memory;

// One of several parallel arrays: where its pointer is kept and the size of an element.
typedef struct {
    void *array; // really T **: the address of the array's pointer
    size_t size;
} cn_row;
#define CN_ROW(array) ((cn_row){(void *)&(array), sizeof *(array)})

// Zeroed memory aligned to 64 bytes, or NULL with the error recorded. Size 0 gives NULL without error.
void *cn_allocate(cn_memory *memory, size_t size);
void cn_release(cn_memory *memory, void *block, size_t size);
void cn_release_all(cn_memory *memory); // whoever had it

// Makes room for so many elements in all rows, new ones zeroed (and what pads a row to a multiple of 64
// bytes): exactly so many, or with a reserve that grows with them. A negative number gives all memory
// back. On failure nothing changes.
bool cn_fit_rows(cn_memory *memory, const cn_row *rows, int row_count, int *capacity, int needed);
bool cn_grow_rows(cn_memory *memory, const cn_row *rows, int row_count, int *capacity, int needed);

// The same for a single array: cn_grow(memory, &world->things, &world->thing_capacity, n).
#define cn_grow(memory, array_address, capacity, needed)                                           \
    cn_grow_rows(memory, &CN_ROW(*(array_address)), 1, capacity, needed)
#define cn_fit(memory, array_address, capacity, needed)                                            \
    cn_fit_rows(memory, &CN_ROW(*(array_address)), 1, capacity, needed)

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
#define cn_free_list(memory, list) ((void)cn_fit(memory, &(list)->items, &(list)->capacity, -1))

// ---- threads (threads.c)

enum { CN_MAX_WORKERS = 64 };

typedef struct cn_team cn_team; // the workers of a world; NULL: there is one only
typedef struct cn_job cn_job;   // what they are at

// One at a job.
typedef struct {
    cn_job *job;            // NULL: it works alone
    int index;              // 0: the caller's thread
    uint32_t stage, blocks; // of the job so far: calls of cn_share(), and all blocks in them
} cn_worker;

typedef void cn_work(void *context, cn_worker *worker);
typedef void cn_part(void *context, int first, int end); // items first..end - 1

// All workers run `work` at once: all of it must come to the same calls of cn_share(). A job of few items
// is done by the caller's thread alone.
void cn_run(cn_team *team, int items, cn_work *work, void *context);
// Calls `part` for all items, for a multiple of `grain` at a time; then the job goes on, for all workers.
// Grain 0 cuts a piece for each worker: best for short loops, as to take a piece costs about 100 ns. Alone
// it is one call.
void cn_share_blocks(cn_worker *worker, int count, int grain, cn_part *part, void *context);
static inline void cn_share(cn_worker *worker, int count, int grain, cn_part *part, void *context) {
    if (count <= 0) return;
    if (worker->job)
        cn_share_blocks(worker, count, grain, part, context);
    else
        part(context, 0, count);
}
// A job that is one such loop.
void cn_run_loop(cn_team *team, int count, int grain, cn_part *part, void *context);

// Leaves NULL for a single worker, or where there are no threads. False if memory is short.
bool cn_team_create(cn_team **team, cn_memory *memory, int workers, const cn_task_system *system);
void cn_team_end(cn_team *team); // its threads; its memory is released with all other
int cn_team_workers(const cn_team *team);
void cn_team_share_all(cn_team *team); // for tests: also what has few items

// What workers tell each other, read after the stage. (Plain access to an atomic is ordered, which takes 20 ns.)
static inline void cn_put_sign(atomic_bool *sign, bool value) {
    atomic_store_explicit(sign, value, memory_order_relaxed);
}
static inline bool cn_get_sign(const atomic_bool *sign) {
    return atomic_load_explicit(sign, memory_order_relaxed);
}

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
// Where several threads may set bits of one word at once.
static inline void cn_set_shared_bit(uint64_t *bits, int i, bool shared) {
    if (shared)
        __atomic_fetch_or(&bits[i >> 6], (uint64_t)1 << (i & 63), __ATOMIC_RELAXED);
    else
        cn_set_bit(bits, i);
}
static inline void cn_set_shared_flag(uint8_t *flags, int i, bool shared) {
    if (!shared)
        *flags |= (uint8_t)(1 << i);
    else if (!(__atomic_load_n(flags, __ATOMIC_RELAXED) >> i & 1))
        __atomic_fetch_or(flags, (uint8_t)(1 << i), __ATOMIC_RELAXED);
}
// Goes through the lanes that have a bit, in ascending order: CN_EACH_LANE(k, lanes) { ... }
#define CN_EACH_LANE(k, lanes)                                                                     \
    for (int k, k##_rest = (int)(lanes);                                                           \
         k##_rest && (k = cn_lowest_bit((uint32_t)k##_rest), true); k##_rest &= k##_rest - 1)
// The same with an array of bits: all that are set below `end`. (The third loop only declares i: no `break`.)
#define CN_EACH_BIT(i, bits, end)                                                                  \
    for (int i##_word = 0; i##_word * 64 < (end); i##_word++)                                      \
        for (uint64_t i##_rest = (bits)[i##_word]; i##_rest; i##_rest &= i##_rest - 1)             \
            for (int i = i##_word * 64 + cn_lowest_bit(i##_rest), i##_once = 1; i##_once;          \
                 i##_once = 0)

static inline int cn_min_int(int a, int b) { return a < b ? a : b; }
static inline int cn_max_int(int a, int b) { return a > b ? a : b; }

#endif
