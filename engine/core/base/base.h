/* base: the parts of the engine that know nothing of physics.
 *
 *   errors    cn_fail() records why a call failed, for the calling thread only. It returns false,
 *             so that a check reads `return cn_fail(...)`.
 *   memory    Every byte of a world comes from the world's allocator and is counted. Parallel
 *             arrays of one length ("rows") grow together or not at all.
 *   threads   Work that several workers share. The results do not depend on which worker did
 *             which part.
 *   cpu       The number of SIMD lanes that this machine runs well.
 *
 * maths.h has numbers and vectors of one lane; wide.h has those of CN_LANES lanes. */
#ifndef CN_BASE_H
#define CN_BASE_H

// All symbols of the shared library are hidden, except the functions of cairn.h.
#if !defined(_WIN32)
#pragma GCC visibility push(default)
#endif
#include "../../cairn.h"
#if !defined(_WIN32)
#pragma GCC visibility pop
#endif

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

enum { CN_LONGEST_ERROR = 512 }; // characters of an error, including the final zero

// Records the error of the current call and returns false. The arguments must not include the
// result of cn_error().
__attribute__((format(printf, 2, 3))) bool cn_fail(cn_error_kind kind, const char *format, ...);
// Records that this build lacks a part of the engine, and returns false.
bool cn_fail_without(const char *part);
// Returns the part that the build lacks according to the last error. NULL for any other error.
const char *cn_missing_part(void);
// Puts the name of one of the arguments ("point 3") before the error that was just recorded.
// Returns false.
bool cn_fail_in(const char *part);
bool cn_fail_in_number(const char *what, int number); // names the item with this number
// Puts the name of the public function before the error that one of its checks has just recorded.
// This completes the error, so it calls the user's hook. Each failed call does this once. Returns
// false.
bool cn_fail_call(const char *caller);
#define CN_CHECK(passed) ((passed) || cn_fail_call(__func__))
// Reports a probable mistake of a call that succeeds, as an error of the kind CN_ERROR_HINT.
__attribute__((format(printf, 2, 3))) void cn_hint(const char *caller, const char *format, ...);
// Keeps the error that was just completed, for a value that could not be made. Returns its mark.
uint32_t cn_keep_error(void);
// The kept error with this mark; NULL if the mark is 0 or the error is no longer kept.
const char *cn_kept_error(uint32_t mark);

// ---- locks (threads.c)

// A lock for rare operations, such as adding to a list that several workers share.
typedef atomic_bool cn_spinlock;
void cn_lock(cn_spinlock *lock);
void cn_unlock(cn_spinlock *lock);

// ---- memory (memory.c)

typedef struct cn_block cn_block;
typedef struct {
    cn_allocator allocator;
    cn_block *blocks; // the list of all blocks
    cn_spinlock lock; // needed because workers may allocate
    // Written under the lock; read without it.
    _Atomic size_t bytes; // allocated now
    _Atomic size_t calls; // number of allocations ever made
} cn_memory;

// One of several parallel arrays: the address of its pointer, and the size of an element.
typedef struct {
    void *array; // in fact a T **: the address of the array's pointer
    size_t size;
} cn_row;
#define CN_ROW(array) ((cn_row){(void *)&(array), sizeof *(array)})

// Returns zeroed memory aligned to 64 bytes, or NULL with the error recorded. Returns NULL without
// an error if the size is 0.
void *cn_allocate(cn_memory *memory, size_t size);
// The same, with any content: for memory that is written before it is read.
void *cn_allocate_uncleared(cn_memory *memory, size_t size);
void cn_release(cn_memory *memory, void *block, size_t size);
void cn_release_all(cn_memory *memory); // releases every block, whoever allocated it

// Resize all rows to hold `needed` elements. New elements are zeroed, and so is the padding that
// rounds a row up to a multiple of 64 bytes. cn_fit_rows() allocates exactly that many elements;
// cn_grow_rows() adds a reserve in proportion to the capacity. Neither shrinks the rows. A negative
// number releases all memory. On failure nothing changes.
bool cn_fit_rows(cn_memory *memory, const cn_row *rows, int row_count, int *capacity, int needed);
bool cn_grow_rows(cn_memory *memory, const cn_row *rows, int row_count, int *capacity, int needed);

// The same for a single array: cn_grow(memory, &world->things, &world->thing_capacity, n).
#define cn_grow(memory, array_address, capacity, needed)                                           \
    cn_grow_rows(memory, &CN_ROW(*(array_address)), 1, capacity, needed)
#define cn_fit(memory, array_address, capacity, needed)                                            \
    cn_fit_rows(memory, &CN_ROW(*(array_address)), 1, capacity, needed)

// A list that grows: `CN_LIST(int) numbers`. {0} is an empty list.
#define CN_LIST(type)                                                                              \
    struct {                                                                                       \
        type *items;                                                                               \
        int count, capacity;                                                                       \
    }
// cn_reserve() makes the capacity at least `needed`; cn_append() appends an item. Both are false if
// memory is short; then nothing has changed.
#define cn_reserve(memory, list, needed)                                                           \
    ((needed) <= (list)->capacity || cn_grow(memory, &(list)->items, &(list)->capacity, needed))
#define cn_append(memory, list, ...)                                                               \
    (cn_reserve(memory, list, (list)->count + 1) &&                                                \
     ((list)->items[(list)->count++] = (__VA_ARGS__), true))
#define cn_free_list(memory, list) ((void)cn_fit(memory, &(list)->items, &(list)->capacity, -1))

// ---- time (clock.c)

// Returns seconds of a clock that never goes back, from any start.
double cn_clock_seconds(void);

// ---- threads (threads.c)

enum { CN_MAX_WORKERS = 64 };

typedef struct cn_team cn_team; // the workers of a world; NULL if there is only one
typedef struct cn_job cn_job;   // the work that a team does now

// One worker of a job.
typedef struct {
    cn_job *job;            // NULL: it works alone
    int index;              // 0: the thread of the caller
    uint32_t stage, blocks; // calls of cn_distribute() in the job up to now, and all their blocks
} cn_worker;

typedef void cn_work(void *context, cn_worker *worker);
typedef void cn_part(void *context, int first, int end); // items first..end - 1

// All workers run `work` at the same time. Every worker must make the same calls of
// cn_distribute(). A job of few items is done by the thread of the caller alone.
void cn_run(cn_team *team, int items, cn_work *work, void *context);
// cn_team_shares: true if cn_run() shares a job of this many items among workers. cn_has_job: true
// if the worker has a job that is shared. Neither is ever true in WebAssembly without threads:
// compilers then leave out what only several workers do.
#if defined(__wasm__) && !defined(__wasm_atomics__)
static inline bool cn_team_shares(const cn_team *team, int items) {
    return (void)team, (void)items, false;
}
static inline bool cn_has_job(const cn_worker *worker) { return (void)worker, false; }
#else
bool cn_team_shares(const cn_team *team, int items);
static inline bool cn_has_job(const cn_worker *worker) { return worker->job; }
#endif
// Calls `part` for all items, a multiple of `grain` items at a time. Returns when all parts are
// done, to all workers. Grain 0 cuts one part for each worker: best for short loops, because taking
// a part costs about 100 ns. A worker that works alone makes one call of `part`.
void cn_distribute_blocks(cn_worker *worker, int count, int grain, cn_part *part, void *context);
static inline void cn_distribute(cn_worker *worker, int count, int grain, cn_part *part,
                                 void *context) {
    if (count <= 0) return;
    if (cn_has_job(worker))
        cn_distribute_blocks(worker, count, grain, part, context);
    else
        part(context, 0, count);
}
// Returns the first block that a worker owns. If there are few blocks, the first workers have them:
// worker 0 has certainly started.
static inline int cn_first_block_of(int worker, int workers, int blocks) {
    return (int)(((int64_t)blocks * worker + workers - 1) / workers);
}
// Runs a job that consists of one such loop. `items` is the amount of work, as in cn_run().
void cn_run_loop(cn_team *team, int items, int count, int grain, cn_part *part, void *context);

// Leaves *team NULL if there is only one worker or if the platform has no threads. False if memory
// is short.
bool cn_team_create(cn_team **team, cn_memory *memory, int workers, const cn_task_system *system);
void cn_team_end(cn_team *team); // ends the threads; cn_release_all() releases the memory
int cn_team_workers(const cn_team *team);
void cn_team_rest(cn_team *team, bool rests); // while it rests, the caller does all work alone
void cn_team_distribute_all(cn_team *team);   // for tests: distributes jobs of few items, too

// The events that a team reports to an observer (`cairn-bench --cores`). Only a team whose task
// system starts no task may be observed: there one thread does all blocks, one after the other.
typedef enum {
    CN_TEAM_JOB_BEGINS,   // count: of workers
    CN_TEAM_BLOCKS_BEGIN, // count: of blocks in this call of cn_distribute()
    CN_TEAM_BLOCK_ENDS,   // count: 1
    CN_TEAM_JOB_ENDS,     // count: of workers
    CN_TEAM_STAGE_ENDS,   // a stage of the step; name: its name
} cn_team_event;
typedef void cn_team_observer(void *user, cn_team_event event, int count, const char *name);
void cn_team_observe(cn_team *team, cn_team_observer *observer, void *user);
void cn_team_end_stage(cn_team *team, const char *name); // reports to the observer, if there is one

// A signal between workers, which is read after the stage. (Plain access to an atomic is ordered,
// which costs 20 ns.)
static inline void cn_store_relaxed(atomic_bool *sign, bool value) {
    atomic_store_explicit(sign, value, memory_order_relaxed);
}
static inline bool cn_load_relaxed(const atomic_bool *sign) {
    return atomic_load_explicit(sign, memory_order_relaxed);
}

// ---- cpu (cpu.c)

// The largest number of lanes that was built and that this machine runs.
int cn_cpu_lanes(void);

// ---- bits

static inline int cn_lowest_bit(uint64_t bits) { return __builtin_ctzll(bits); }
static inline void cn_set_bit(uint64_t *bits, int i) { bits[i >> 6] |= (uint64_t)1 << (i & 63); }
static inline void cn_clear_bit(uint64_t *bits, int i) {
    bits[i >> 6] &= ~((uint64_t)1 << (i & 63));
}
static inline bool cn_has_bit(const uint64_t *bits, int i) { return bits[i >> 6] >> (i & 63) & 1; }
// For bits, or a byte of flags, that several threads may change at the same time. Shared bits are
// written only if they change, so that workers do not contend for their cache lines.
// cn_set_shared_bit() and cn_clear_shared_bit() take an array and the index of a bit,
// cn_set_shared_bits() takes one word and the bits to set in it.
static inline void cn_set_shared_bit(uint64_t *bits, int i, bool shared) {
    const uint64_t bit = (uint64_t)1 << (i & 63);
    if (!shared)
        cn_set_bit(bits, i);
    else if (!(__atomic_load_n(&bits[i >> 6], __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(&bits[i >> 6], bit, __ATOMIC_RELAXED);
}
static inline void cn_set_shared_bits(uint64_t *word, uint64_t bits, bool shared) {
    if (!shared)
        *word |= bits;
    else if (bits & ~__atomic_load_n(word, __ATOMIC_RELAXED))
        __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}
static inline void cn_clear_shared_bit(uint64_t *bits, int i, bool shared) {
    if (shared)
        __atomic_fetch_and(&bits[i >> 6], ~((uint64_t)1 << (i & 63)), __ATOMIC_RELAXED);
    else
        cn_clear_bit(bits, i);
}
static inline void cn_set_shared_bool(bool *value) {
    if (!__atomic_load_n(value, __ATOMIC_RELAXED)) __atomic_store_n(value, true, __ATOMIC_RELAXED);
}
static inline void cn_set_shared_flag(uint8_t *flags, int i, bool shared) {
    if (!shared)
        *flags |= (uint8_t)(1 << i);
    else if (!(__atomic_load_n(flags, __ATOMIC_RELAXED) >> i & 1))
        __atomic_fetch_or(flags, (uint8_t)(1 << i), __ATOMIC_RELAXED);
}
// Visits the lanes whose bit is set, in ascending order: CN_EACH_LANE(k, lanes) { ... }
#define CN_EACH_LANE(k, lanes)                                                                     \
    for (int k, k##_rest = (int)(lanes);                                                           \
         k##_rest && (k = cn_lowest_bit((uint32_t)k##_rest), true); k##_rest &= k##_rest - 1)
// The same for an array of bits: visits all set bits up to the word that holds bit end - 1. (The
// third loop only declares i, so `break` does not leave the loops.)
#define CN_EACH_BIT(i, bits, end)                                                                  \
    for (int i##_word = 0; i##_word * 64 < (end); i##_word++)                                      \
        for (uint64_t i##_rest = (bits)[i##_word]; i##_rest; i##_rest &= i##_rest - 1)             \
            for (int i = i##_word * 64 + cn_lowest_bit(i##_rest), i##_once = 1; i##_once;          \
                 i##_once = 0)

// Returns the first index from `i` on whose bit has this value, or `end`.
static inline int cn_find_bit(const uint64_t *bits, int i, int end, bool value) {
    for (; i < end; i = (i | 63) + 1) {
        uint64_t rest = (value ? bits[i >> 6] : ~bits[i >> 6]) >> (i & 63);
        if (rest) return i + cn_lowest_bit(rest) < end ? i + cn_lowest_bit(rest) : end;
    }
    return end;
}

static inline int cn_min_int(int a, int b) { return a < b ? a : b; }
static inline int cn_max_int(int a, int b) { return a > b ? a : b; }

#endif
