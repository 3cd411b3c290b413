/* Work that several workers share.
 *
 * cn_run() calls a function on all workers of a team at the same time. All workers run the same
 * lines. At each call of cn_distribute(), each worker takes some of the items, and all workers go
 * on when the last item is done:
 *
 *      worker 0   work() { ... items [0 1 2 3 |       ] | ... items [0 1 |  5] | ... }
 *      worker 1   work() { ... items [        |4 5 6 7] | ... items [    |3 4] | ... }
 *                                                     all done             all done
 *
 * No worker waits for a worker that has not started (its thread may be late, or may never start).
 * The others do its items. If it starts later, it finds them done and runs through. So work() must
 * make the same calls of cn_distribute() in every worker, whenever the worker starts. Its
 * conditions may depend only on values that an earlier part has set and that no later part changes
 * again.
 *
 * The items of a stage are cut into blocks. (A stage is one call of cn_distribute().) Each worker
 * owns one range of the blocks and begins there. The ranges are the same in every stage, because
 * their data may still be in the worker's cache. When its own range is used up, the worker waits
 * for a moment and then helps the others. The state of a range is one number in memory, which only
 * grows:
 *
 *      range.taken   stage << 32 | blocks taken. If the stage is an older one, no block is taken.
 *      job.done      Blocks done in all stages. A stage is over when this is the sum of its blocks
 *                    and the blocks of all stages before it.
 *
 * The library's own threads wait for their bit in `tasks`: first they spin, then they sleep. If a
 * task has not begun when the work is done, it is taken back. */
#include "base.h"
#include "native_threads.h"

enum {
    MIN_DISTRIBUTED_ITEMS = 1000, // fewer items are done sooner than a thread wakes up
    BLOCKS_PER_WORKER = 32,       // greatest number of blocks in a stage for each worker
    ROUNDS_TO_HELP = 100,         // rounds of waiting after which a worker helps the others
    SPIN_ROUNDS = 1000,           // rounds of spinning; after that each round yields the processor
    ROUNDS_TO_SLEEP = 2000,       // rounds of waiting after which a thread sleeps
};

// They are 128 bytes apart, because processors fetch cache lines in pairs.
typedef struct {
    _Alignas(64) _Atomic uint64_t taken;
    char unused[120];
} block_range;
static_assert(sizeof(block_range) == 128, "two cache lines");

struct cn_job {
    cn_work *work;
    void *context;
    int workers;
    cn_team_observer *observer; // NULL: none
    void *observer_user;
    _Atomic int started; // workers
    block_range ranges[CN_MAX_WORKERS];
    _Alignas(64) _Atomic uint32_t done;
};

#if HAS_THREADS
typedef struct {
    cn_team *team;
    cn_thread id;
} team_thread;
#endif

struct cn_team {
    cn_job job;
    int workers, min_distributed_items;
    bool rests;
    cn_task_system system;
#if HAS_THREADS
    team_thread threads[CN_MAX_WORKERS];
    int thread_count;
    bool ends, refused; // refused: the system did not create a thread
    cn_mutex mutex;     // for `wake` and `ends`
    cn_condition wake;
    _Alignas(64) _Atomic uint64_t tasks; // one bit for each task that has not begun
    _Atomic int unfinished, asleep;
#endif
};

static void wait_a_moment(uint32_t round) {
    if (round >= SPIN_ROUNDS) cn_thread_yield();
#if defined(__SSE2__)
    __builtin_ia32_pause();
#endif
}

void cn_lock(cn_spinlock *lock) {
    for (uint32_t i = 0; atomic_exchange_explicit(lock, true, memory_order_acquire); i++)
        wait_a_moment(i);
}

void cn_unlock(cn_spinlock *lock) { atomic_store_explicit(lock, false, memory_order_release); }

static inline void tell(const cn_job *job, cn_team_event event, int count, const char *name) {
    if (job->observer) job->observer(job->observer_user, event, count, name);
}

// ---- stages

// Takes the next block of a range that has `count` blocks in this stage; -1 if all are taken.
static int take_block(block_range *from, uint32_t stage, int count) {
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

static void add_done(const cn_worker *worker, uint32_t blocks) {
    if (blocks) atomic_fetch_add_explicit(&worker->job->done, blocks, memory_order_acq_rel);
}

// True if another worker has started.
static bool has_others(const cn_worker *worker) {
    return atomic_load_explicit(&worker->job->started, memory_order_relaxed) > 1;
}

// Waits until the stage is over, but no longer than this number of rounds. True if it is over.
static bool wait_for_end(const cn_worker *worker, uint32_t rounds) {
    const _Atomic uint32_t *all = &worker->job->done;
    for (uint32_t i = 0;
         (int32_t)(atomic_load_explicit(all, memory_order_acquire) - worker->blocks) < 0; i++) {
        if (i == rounds) return false;
        wait_a_moment(i);
    }
    return true;
}

static int block_size(int count, int grain, int workers) {
    int even = (count + workers - 1) / workers;
    return grain == 0 ? even : (even / (BLOCKS_PER_WORKER * grain) + 1) * grain;
}

void cn_distribute_blocks(cn_worker *worker, int count, int grain, cn_part *part, void *context) {
    int workers = worker->job->workers;
    int size = block_size(count, grain, workers);
    int blocks = (count + size - 1) / size;
    worker->stage++;
    worker->blocks += (uint32_t)blocks;
    tell(worker->job, CN_TEAM_BLOCKS_BEGIN, blocks, NULL);
    for (int k = 0; k < workers; k++) {
        int owner = (worker->index + k) % workers;
        int first = cn_first_block_of(owner, workers, blocks);
        int end = cn_first_block_of(owner + 1, workers, blocks);
        uint32_t done = 0;
        for (int i; (i = take_block(&worker->job->ranges[owner], worker->stage, end - first)) >= 0;
             done++) {
            int from = (first + i) * size;
            part(context, from, cn_min_int(from + size, count));
            tell(worker->job, CN_TEAM_BLOCK_ENDS, 1, NULL);
        }
        add_done(worker, done);
        // The others are probably almost done. Taking a block from them moves their cache
        // lines.
        if (k == 0 && has_others(worker) && wait_for_end(worker, ROUNDS_TO_HELP)) return;
    }
    while (!wait_for_end(worker, UINT32_MAX)) {}
}

// ---- jobs

static void join_job(cn_job *job, int index) {
    atomic_fetch_add_explicit(&job->started, 1, memory_order_relaxed);
    job->work(job->context, &(cn_worker){.job = job, .index = index});
}

static void run_task(void *job, int index) { join_job(job, index + 1); }

#if !defined(__wasm__) || defined(__wasm_atomics__)
bool cn_team_shares(const cn_team *team, int items) {
    return team && !team->rests && items >= team->min_distributed_items;
}
#endif

void cn_run(cn_team *team, int items, cn_work *work, void *context) {
    if (!cn_team_shares(team, items)) {
        work(context, &(cn_worker){0});
        return;
    }
    cn_job *job = &team->job;
    job->work = work, job->context = context, job->workers = team->workers;
    atomic_store_explicit(&job->done, 0, memory_order_relaxed);
    atomic_store_explicit(&job->started, 0, memory_order_relaxed);
    for (int i = 0; i < team->workers; i++)
        atomic_store_explicit(&job->ranges[i].taken, 0, memory_order_relaxed);
    tell(job, CN_TEAM_JOB_BEGINS, job->workers, NULL);
    void *handle = team->system.start(run_task, job, team->workers - 1, team->system.user);
    join_job(job, 0);
    team->system.finish(handle, team->system.user);
    tell(job, CN_TEAM_JOB_ENDS, job->workers, NULL);
}

typedef struct {
    int count, grain;
    cn_part *part;
    void *context;
} loop;

static void run_loop(void *context, cn_worker *worker) {
    const loop *l = context;
    cn_distribute(worker, l->count, l->grain, l->part, l->context);
}

void cn_run_loop(cn_team *team, int items, int count, int grain, cn_part *part, void *context) {
    if (cn_team_shares(team, items))
        cn_run(team, items, run_loop, &(loop){count, grain, part, context});
    else if (count > 0)
        part(context, 0, count);
}

// ---- the library's own threads

#if HAS_THREADS

static bool take_task(cn_team *team, uint64_t bit) {
    return atomic_load(&team->tasks) & bit && atomic_fetch_and(&team->tasks, ~bit) & bit;
}

// False when the team ends.
static bool wait_for_task(cn_team *team, uint64_t bit) {
    bool taken = false;
    for (uint32_t i = 0; i < ROUNDS_TO_SLEEP && !(taken = take_task(team, bit)); i++)
        wait_a_moment(i);
    if (taken) return true;
    cn_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->asleep, 1);
    while (!(taken = take_task(team, bit)) && !team->ends)
        cn_condition_wait(&team->wake, &team->mutex);
    atomic_fetch_sub(&team->asleep, 1);
    cn_mutex_unlock(&team->mutex);
    return taken;
}

static cn_thread_result CN_THREAD_CALL run_thread(void *argument) {
    const team_thread *thread = argument;
    cn_team *team = thread->team;
    int index = (int)(thread - team->threads);
    while (wait_for_task(team, (uint64_t)1 << index)) {
        run_task(&team->job, index);
        atomic_fetch_sub(&team->unfinished, 1);
    }
    return 0;
}

static void wake_sleepers(cn_team *team, bool ends) {
    cn_mutex_lock(&team->mutex);
    team->ends = ends;
    cn_condition_wake_all(&team->wake);
    cn_mutex_unlock(&team->mutex);
}

// If the system refuses a thread, the other workers do its work.
static void create_threads(cn_team *team, int count) {
    while (team->thread_count < count && !team->refused) {
        team_thread *thread = &team->threads[team->thread_count];
        thread->team = team;
        team->refused = !cn_thread_start(&thread->id, run_thread, thread);
        team->thread_count += !team->refused;
    }
}

static void *start_threads(cn_task *task, void *context, int count, void *user) {
    (void)task, (void)context; // the task is always run_task(), and its context the job of the team
    cn_team *team = user;
    create_threads(team, count);
    atomic_store(&team->unfinished, count);
    atomic_store(&team->tasks, ((uint64_t)1 << count) - 1);
    if (atomic_load(&team->asleep) > 0) wake_sleepers(team, false);
    return team;
}

static void finish_threads(void *handle, void *user) {
    (void)user;
    cn_team *team = handle;
    int untaken = __builtin_popcountll(atomic_exchange(&team->tasks, 0));
    for (uint32_t i = 0; atomic_load(&team->unfinished) > untaken; i++) wait_a_moment(i);
}

static void set_up_threads(cn_team *team) {
    cn_mutex_begin(&team->mutex);
    cn_condition_begin(&team->wake);
    team->system = (cn_task_system){start_threads, finish_threads, team};
}

static void end_threads(cn_team *team) {
    wake_sleepers(team, true);
    for (int i = 0; i < team->thread_count; i++) cn_thread_join(team->threads[i].id);
    cn_condition_end(&team->wake);
    cn_mutex_end(&team->mutex);
}

#endif

// ---- teams

bool cn_team_create(cn_team **team, cn_memory *memory, int workers, const cn_task_system *system) {
    bool use_own_threads = !system->start;
    if (workers < 2 || (use_own_threads && !HAS_THREADS)) return true;
    cn_team *made = *team = cn_allocate(memory, sizeof *made);
    if (!made) return false;
    made->workers = cn_min_int(workers, CN_MAX_WORKERS);
    made->min_distributed_items = MIN_DISTRIBUTED_ITEMS;
    made->system = *system;
#if HAS_THREADS
    if (use_own_threads) set_up_threads(made);
#endif
    return true;
}

void cn_team_end(cn_team *team) {
    (void)team;
#if HAS_THREADS
    if (team && team->system.start == start_threads) end_threads(team);
#endif
}

int cn_team_workers(const cn_team *team) { return team ? team->workers : 1; }

void cn_team_rest(cn_team *team, bool rests) {
    if (team) team->rests = rests;
}

void cn_team_distribute_all(cn_team *team) {
    if (team) team->min_distributed_items = 0;
}

void cn_team_observe(cn_team *team, cn_team_observer *observer, void *user) {
    team->job.observer = observer, team->job.observer_user = user;
}

void cn_team_end_stage(cn_team *team, const char *name) {
    if (team) tell(&team->job, CN_TEAM_STAGE_ENDS, 1, name);
}
