/* The stage "solve islands": how stiff contacts and joints are in this step (update_substeps()),
 * and which workers solve which batch.
 *
 * A giant batch is solved by all workers together: they distribute its bodies, and the blocks of
 * each colour. Every other batch is solved by one worker alone.
 *
 * The blocks that can be solved at the same time are a stage, and a stage ends when all workers are
 * done with it. A stage is a colour, with all of its row types. Several small colours in a row are
 * one stage for a single worker, because waiting for each other would take longer. If they are the
 * last ones of a pass, this worker also does what one worker has to do after the pass.
 */
#include "solver.h"

#define FIRMING_RATE     0.5f        // 1/s: how fast contacts get stiff again after a long substep
#define MAX_SOFTENING    8           // substeps: the longest substep that contacts remember
#define FIRST_SUBSTEP_DT (1.0f / 60) // s: the longest step that the first mean substep follows
#define MAX_MEAN_WEIGHT  (1.0f / 30) // s: the longest step that counts fully in joint_substep

enum { MIN_DISTRIBUTED = 16 }; // blocks: a colour with fewer is solved by one worker

// ---- a giant batch

static void do_alone(cn_solver *s, cn_solver_work *work) {
    cn_worker *const worker = s->worker;
    const cn_solver_progress now = s->now;
    s->worker = &(cn_worker){.index = worker->index};
    work(s);
    s->worker = worker, s->now = now;
}

static void work_alone(void *context, int first, int end) {
    cn_solver *s = context;
    if (first < end) do_alone(s, s->now.work);
}

void cn_run_alone(cn_solver *s, cn_solver_work *work) {
    s->now.work = work;
    if (cn_has_job(s->worker))
        cn_distribute(s->worker, 1, 1, work_alone, s);
    else
        work(s);
}

// Runs the pass on blocks first..end - 1 of the stage, colour by colour, then the work.
static void pass_blocks(void *context, int first, int end) {
    cn_solver *s = context;
    first += s->now.block, end += s->now.block;
    for (const cn_color *color = &s->batch->colors.items[s->now.color]; first < end; color++) {
        int last = cn_min_int(end, color->end_block);
        if (first >= last) continue;
        s->now.pass(s, color, first, last);
        first = last;
    }
    if (s->now.work) do_alone(s, s->now.work);
}

// Runs the pass on the parts first..end - 1 of each colour, of as many as there are workers. So a
// worker has the same blocks as in other passes: they may still be in its cache.
static void pass_parts(void *context, int first, int end) {
    cn_solver *s = context;
    const int workers = cn_team_workers(s->sim->team);
    for (int i = s->now.color; i < s->now.end_color; i++) {
        const cn_color *color = &s->batch->colors.items[i];
        int count = color->end_block - color->first_block, size = (count + workers - 1) / workers;
        int from = cn_min_int(size * first, count), to = cn_min_int(size * end, count);
        if (from < to) s->now.pass(s, color, color->first_block + from, color->first_block + to);
    }
}

void cn_distribute_free_pass(cn_solver *s, cn_solver_pass *pass, int first, int end) {
    s->now.pass = pass;
    s->now.color = first, s->now.end_color = end;
    if (first < end) cn_distribute(s->worker, cn_team_workers(s->sim->team), 0, pass_parts, s);
}

// Returns the end of the row types of the colour that begins at index i.
static int end_of_color(const cn_batch *batch, int i) {
    const cn_color *colors = batch->colors.items;
    int end = i + 1;
    while (end < batch->colors.count && colors[end].number == colors[i].number) end++;
    return end;
}

// True if several workers solve this colour.
static bool is_distributed(const cn_batch *batch, int i, int end) {
    const cn_color *colors = batch->colors.items;
    int count = colors[end - 1].end_block - colors[i].first_block;
    return !colors[i].one_by_one && count >= MIN_DISTRIBUTED;
}

typedef struct {
    int end; // index after its last cn_color
    bool distributed;
} stage;

// Returns the stage that begins at index i: one distributed colour, or several small ones in a row
// before index `end`.
static stage stage_at(const cn_batch *batch, int i, int end) {
    stage s = {end_of_color(batch, i), false};
    s.distributed = is_distributed(batch, i, s.end);
    while (!s.distributed && s.end < end) {
        int next = end_of_color(batch, s.end);
        if (is_distributed(batch, s.end, next)) break;
        s.end = next;
    }
    return s;
}

int cn_count_stages(const cn_batch *batch) {
    int stages = 0, all = batch->colors.count;
    for (int i = 0; i < all; i = stage_at(batch, i, all).end) stages++;
    return stages;
}

void cn_distribute_pass(cn_solver *s, cn_solver_pass *pass, int first, int end,
                        cn_solver_work *then) {
    const cn_batch *batch = s->batch;
    const cn_color *colors = batch->colors.items;
    stage now = {.distributed = true};
    s->now.pass = pass;
    for (s->now.color = first; s->now.color < end; s->now.color = now.end) {
        now = stage_at(batch, s->now.color, end);
        s->now.block = colors[s->now.color].first_block;
        s->now.work = now.end == end && !now.distributed ? then : NULL;
        int count = colors[now.end - 1].end_block - s->now.block;
        cn_distribute(s->worker, count, now.distributed ? s->now.grain : count, pass_blocks, s);
    }
    if (then && now.distributed) cn_run_alone(s, then);
}

// ---- all batches

typedef struct {
    cn_simulation *sim;
    cn_worker alone;
} solution;

static void solve_batches(void *context, int first, int end) {
    solution *s = context;
    size_t place = s->sim->arena_per_worker * (size_t)s->alone.index;
    for (int i = first; i < end; i++) {
        cn_batch *batch = &s->sim->plan.batches[i];
        if (batch->alive && !cn_is_giant(s->sim, batch))
            batch->kernels->solve(s->sim, batch, place, &s->alone); // cn_solve_batch()
    }
}

// Solves the giant batches with all workers together, then the others with one worker each.
static void solve_all(void *context, cn_worker *worker) {
    cn_simulation *sim = context;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        cn_batch *batch = &sim->plan.batches[i];
        if (batch->alive && cn_is_giant(sim, batch)) batch->kernels->solve(sim, batch, 0, worker);
    }
    solution s = {sim, {.index = worker->index}};
    cn_distribute(worker, sim->plan.batch_count, 1, solve_batches, &s);
}

/* The stiffness of contacts and joints follows the length of the substep, which may change from
 * step to step.
 *
 * contact_substep: contacts are as stiff as in a substep of this length. If the substep gets
 * longer, they soften at once. If it gets shorter, they get stiff slowly: contact_substep falls by
 * half its value per second. Otherwise bodies that sank in during the longer substep would be
 * thrown out, and a pile would never come to rest while the step length varies. At most eight times
 * the current substep is remembered; constants_of_step() in solver.c limits its effect on contacts.
 *
 * joint_substep: joints are as stiff as in a substep of this length, the mean over about a second.
 * A single long step has little weight in it. Otherwise joints would be soft after a pause, or
 * after a first frame that takes long because the game is loading. */
static void update_substeps(cn_simulation *sim) {
    float h = sim->step_seconds / (float)sim->substeps;
    float kept = 1 - FIRMING_RATE * sim->step_seconds;
    sim->contact_substep = cn_max(h, cn_min(sim->contact_substep * kept, MAX_SOFTENING * h));
    if (sim->joint_substep == 0)
        sim->joint_substep = cn_min(h, FIRST_SUBSTEP_DT / (float)sim->substeps);
    sim->joint_substep += cn_min(sim->step_seconds, MAX_MEAN_WEIGHT) * (h - sim->joint_substep);
}

void cn_solve(cn_simulation *sim) {
    update_substeps(sim);
    cn_run(sim->team, sim->plan.work_items, solve_all, sim);
    sim->last_substep = sim->step_seconds / (float)sim->substeps;
    // Batches are solved in any order, so the hit events of the step are sorted by contact.
    int count = sim->hits.count - sim->first_hit;
    if (count) cn_sort_items(sim->hits.items + sim->first_hit, count, sizeof *sim->hits.items);
}
