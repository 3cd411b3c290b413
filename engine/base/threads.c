/* Work that is shared.
 *
 * cn_run() has a function called by all workers of a team at once; they run the same lines, and where
 * those say cn_share() each takes a part of the items, and all go on when the last part is done:
 *
 *      worker 0   work() { ... share [0 1 2 3 |       ] | ... share [0 1 |  5] | ... }
 *      worker 1   work() { ... share [        |4 5 6 7] | ... share [    |3 4] | ... }
 *                                                     all done             all done
 *
 * Nobody waits for a worker that has not come (its thread may be late, or never start): the others do its
 * parts, and if it comes after all it finds them done and runs through. So work() must come to the same
 * calls of cn_share() whoever runs it and when: what it asks may only change in parts that come before, and
 * not again.
 *
 * Items are cut into blocks, and each worker begins with the same stretch of blocks in every stage (a
 * stage is one call of cn_share()), because they may still be in its cache. When these are gone it helps
 * others. A stretch is one number in memory, which is only ever counted up:
 *
 *      share of a worker      stage << 32 | blocks taken        of an older stage: as if none were taken
 *      job.done               blocks done in all stages; a stage is over when it is the sum of its blocks
 *                             and those of all stages before
 *
 * A team's own threads wait for their bit in `tasks`, first busily and then asleep. A task that none of
 * them has begun when the work is done is taken back.
 */
#include "base.h"

// WebAssembly has threads only if asked: else a world has one, or the user's tasks.
#if defined(__wasm__) && !defined(_REENTRANT)
#define HAS_THREADS 0
#else
#define HAS_THREADS 1
#include <pthread.h>
#endif
#include <sched.h>

enum {
    FEW_ITEMS = 1000,   // are done sooner than a thread has woken
    BLOCKS_EACH = 32,   // a stage has so many for each worker at most
    BUSY_ROUNDS = 1000, // of waiting; then the others have the processor
    PATIENCE = 2000,    // rounds until an own thread falls asleep
};

typedef struct {
    _Alignas(64) _Atomic uint64_t taken;
} share;

struct cn_job {
    cn_work *work;
    void *context;
    int workers;
    share shares[CN_MAX_WORKERS];
    _Alignas(64) _Atomic uint32_t done;
};

#if HAS_THREADS
typedef struct {
    cn_team *team;
    pthread_t id;
} own_thread;
#endif

struct cn_team {
    cn_job job;
    int workers, few_items;
    cn_task_system system;
#if HAS_THREADS
    own_thread threads[CN_MAX_WORKERS];
    int thread_count;
    bool ends, refused;    // refused: the system gave no more threads
    pthread_mutex_t mutex; // of the sleepers
    pthread_cond_t wake;
    _Alignas(64) _Atomic uint64_t tasks; // not yet begun
    _Atomic int unfinished, asleep;
#endif
};

static void wait_a_moment(int round) {
    if (round >= BUSY_ROUNDS) sched_yield();
#if defined(__SSE2__)
    __builtin_ia32_pause();
#endif
}

void cn_lock(cn_spinlock *lock) {
    for (int i = 0; atomic_exchange_explicit(lock, true, memory_order_acquire); i++)
        wait_a_moment(i);
}

void cn_unlock(cn_spinlock *lock) { atomic_store_explicit(lock, false, memory_order_release); }

// ---- stages

// The next block of a share that has `count` of them in this stage; -1 if all are taken.
static int take_block(share *from, uint32_t stage, int count) {
    uint64_t seen = atomic_load_explicit(&from->taken, memory_order_relaxed);
    for (;;) {
        int32_t ahead = (int32_t)((uint32_t)(seen >> 32) - stage);
        uint32_t taken = ahead < 0 ? 0 : (uint32_t)seen;
        if (ahead > 0 || taken >= (uint32_t)count) return -1;
        uint64_t next = (uint64_t)stage << 32 | (taken + 1);
        if (atomic_compare_exchange_weak_explicit(&from->taken, &seen, next, memory_order_relaxed,
                                                  memory_order_relaxed))
            return (int)taken;
    }
}

static void end_stage(const cn_worker *worker, uint32_t done) {
    _Atomic uint32_t *all = &worker->job->done;
    if (done) atomic_fetch_add_explicit(all, done, memory_order_acq_rel);
    for (int i = 0; (int32_t)(atomic_load_explicit(all, memory_order_acquire) - worker->blocks) < 0;
         i++)
        wait_a_moment(i);
}

static int block_size(int count, int grain, int workers) {
    int even = (count + workers - 1) / workers;
    return grain == 0 ? even : (even / (BLOCKS_EACH * grain) + 1) * grain;
}

void cn_share_blocks(cn_worker *worker, int count, int grain, cn_part *part, void *context) {
    int workers = worker->job->workers;
    int size = block_size(count, grain, workers);
    int blocks = (count + size - 1) / size;
    uint32_t done = 0;
    worker->stage++;
    worker->blocks += (uint32_t)blocks;
    for (int k = 0; k < workers; k++) {
        int whose = (worker->index + k) % workers;
        int first = (int)((int64_t)blocks * whose / workers);
        int end = (int)((int64_t)blocks * (whose + 1) / workers);
        for (int i; (i = take_block(&worker->job->shares[whose], worker->stage, end - first)) >= 0;
             done++) {
            int from = (first + i) * size;
            part(context, from, cn_min_int(from + size, count));
        }
    }
    end_stage(worker, done);
}

// ---- jobs

static void join_job(cn_job *job, int index) {
    job->work(job->context, &(cn_worker){.job = job, .index = index});
}

static void run_task(void *job, int index) { join_job(job, index + 1); }

void cn_run(cn_team *team, int items, cn_work *work, void *context) {
    if (!team || items < team->few_items) {
        work(context, &(cn_worker){0});
        return;
    }
    cn_job *job = &team->job;
    job->work = work, job->context = context, job->workers = team->workers;
    atomic_store_explicit(&job->done, 0, memory_order_relaxed);
    for (int i = 0; i < team->workers; i++)
        atomic_store_explicit(&job->shares[i].taken, 0, memory_order_relaxed);
    void *handle = team->system.start(run_task, job, team->workers - 1, team->system.user);
    join_job(job, 0);
    team->system.finish(handle, team->system.user);
}

typedef struct {
    int count, grain;
    cn_part *part;
    void *context;
} loop;

static void run_loop(void *context, cn_worker *worker) {
    const loop *l = context;
    cn_share(worker, l->count, l->grain, l->part, l->context);
}

void cn_run_loop(cn_team *team, int count, int grain, cn_part *part, void *context) {
    cn_run(team, count, run_loop, &(loop){count, grain, part, context});
}

// ---- own threads

#if HAS_THREADS

static bool take_task(cn_team *team, uint64_t bit) {
    return atomic_load(&team->tasks) & bit && atomic_fetch_and(&team->tasks, ~bit) & bit;
}

// False at the end.
static bool wait_for_task(cn_team *team, uint64_t bit) {
    bool taken = false;
    for (int i = 0; i < PATIENCE && !(taken = take_task(team, bit)); i++) wait_a_moment(i);
    if (taken) return true;
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->asleep, 1);
    while (!(taken = take_task(team, bit)) && !team->ends)
        pthread_cond_wait(&team->wake, &team->mutex);
    atomic_fetch_sub(&team->asleep, 1);
    pthread_mutex_unlock(&team->mutex);
    return taken;
}

static void *run_thread(void *argument) {
    const own_thread *thread = argument;
    cn_team *team = thread->team;
    int index = (int)(thread - team->threads);
    while (wait_for_task(team, (uint64_t)1 << index)) {
        run_task(&team->job, index);
        atomic_fetch_sub(&team->unfinished, 1);
    }
    return NULL;
}

static void wake_sleepers(cn_team *team, bool ends) {
    pthread_mutex_lock(&team->mutex);
    team->ends = ends;
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->mutex);
}

// Those that the system refuses will not be missed.
static void make_threads(cn_team *team, int count) {
    while (team->thread_count < count && !team->refused) {
        own_thread *thread = &team->threads[team->thread_count];
        thread->team = team;
        team->refused = pthread_create(&thread->id, NULL, run_thread, thread) != 0;
        team->thread_count += !team->refused;
    }
}

static void *start_own(cn_task *task, void *context, int count, void *user) {
    (void)task, (void)context; // always run_task() and the team's job
    cn_team *team = user;
    make_threads(team, count);
    atomic_store(&team->unfinished, count);
    atomic_store(&team->tasks, ((uint64_t)1 << count) - 1);
    if (atomic_load(&team->asleep) > 0) wake_sleepers(team, false);
    return team;
}

static void finish_own(void *handle, void *user) {
    (void)user;
    cn_team *team = handle;
    int untaken = __builtin_popcountll(atomic_exchange(&team->tasks, 0));
    for (int i = 0; atomic_load(&team->unfinished) > untaken; i++) wait_a_moment(i);
}

static void open_own(cn_team *team) {
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->wake, NULL);
    team->system = (cn_task_system){start_own, finish_own, team};
}

static void close_own(cn_team *team) {
    wake_sleepers(team, true);
    for (int i = 0; i < team->thread_count; i++) pthread_join(team->threads[i].id, NULL);
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->mutex);
}

#endif

// ---- teams

bool cn_team_create(cn_team **team, cn_memory *memory, int workers, const cn_task_system *system) {
    bool own = !system->start;
    if (workers < 2 || (own && !HAS_THREADS)) return true;
    cn_team *made = *team = cn_allocate(memory, sizeof *made);
    if (!made) return false;
    made->workers = cn_min_int(workers, CN_MAX_WORKERS);
    made->few_items = FEW_ITEMS;
    made->system = *system;
#if HAS_THREADS
    if (own) open_own(made);
#endif
    return true;
}

void cn_team_end(cn_team *team) {
    (void)team;
#if HAS_THREADS
    if (team && team->system.start == start_own) close_own(team);
#endif
}

int cn_team_workers(const cn_team *team) { return team ? team->workers : 1; }

void cn_team_share_all(cn_team *team) {
    if (team) team->few_items = 0;
}
