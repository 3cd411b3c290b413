/* Who solves what: a worker alone, or several together, who then share the bodies, and the blocks of each colour.
 *
 * A stage is what can be done at once, and ends when all are done with it: a colour in all its kinds. Small
 * colours in a row are one stage for one worker, since to wait for each other would take longer. */
#include "solver.h"

enum { LEAST_SHARED = 16 }; // a colour of fewer blocks is done by one worker

// Blocks first..end - 1 of the stage, colour by colour.
static void pass_blocks(void *context, int first, int end) {
    cn_solver *s = context;
    first += s->block, end += s->block;
    for (const cn_color *color = &s->batch->colors.items[s->color]; first < end; color++) {
        int last = cn_min_int(end, color->end_block);
        if (first >= last) continue;
        s->pass(s, color, first, last);
        first = last;
    }
}

// Colours that can be passed at once: one, in all its kinds.
static int end_of_color(const cn_batch *batch, int i) {
    const cn_color *colors = batch->colors.items;
    int end = i + 1;
    while (end < batch->colors.count && colors[end].number == colors[i].number) end++;
    return end;
}

static bool is_shared(const cn_batch *batch, int i, int end) {
    const cn_color *colors = batch->colors.items;
    int count = colors[end - 1].end_block - colors[i].first_block;
    return !colors[i].in_order && count >= LEAST_SHARED;
}

typedef struct {
    int end; // colour
    bool shared;
} stage;

// That begins with colour i: one that is worth sharing, or small ones in a row.
static stage stage_at(const cn_batch *batch, int i) {
    stage s = {end_of_color(batch, i), false};
    s.shared = is_shared(batch, i, s.end);
    while (!s.shared && s.end < batch->colors.count) {
        int next = end_of_color(batch, s.end);
        if (is_shared(batch, s.end, next)) break;
        s.end = next;
    }
    return s;
}

void cn_share_pass(cn_solver *s, cn_solver_pass *what, int end) {
    const cn_batch *batch = s->batch;
    const cn_color *colors = batch->colors.items;
    stage now;
    s->pass = what;
    for (s->color = 0; s->color < batch->colors.count; s->color = now.end) {
        if (colors[s->color].first_block >= end) return;
        now = stage_at(batch, s->color);
        s->block = colors[s->color].first_block;
        int count = colors[now.end - 1].end_block - s->block;
        cn_distribute(s->worker, count, now.shared ? 0 : count, pass_blocks, s);
    }
}

void cn_run_joints_back(cn_solver *s, cn_solver_pass *what) {
    const cn_color *colors = s->batch->colors.items;
    int i = s->batch->colors.count;
    while (i > 0 && colors[i - 1].first_block >= s->batch->joint_blocks) i--;
    s->pass = what;
    while (i-- > 0) {
        s->color = i, s->block = colors[i].first_block;
        int count = colors[i].end_block - s->block;
        cn_distribute(s->worker, count, is_shared(s->batch, i, i + 1) ? 0 : count, pass_blocks, s);
    }
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
            batch->kernels->solve(s->sim, batch, place, &s->alone);
    }
}

// First together, then each its own.
static void solve_all(void *context, cn_worker *worker) {
    cn_simulation *sim = context;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        cn_batch *batch = &sim->plan.batches[i];
        if (batch->alive && cn_is_giant(sim, batch)) batch->kernels->solve(sim, batch, 0, worker);
    }
    solution s = {sim, {.index = worker->index}};
    cn_distribute(worker, sim->plan.batch_count, 1, solve_batches, &s);
}

/* Contacts are as stiff as the substep allows. Where it gets longer they are softer at once; where it gets
 * shorter they get firm by and by, half as long a second, or what the longer one let sink in would be thrown
 * out, and a pile would never rest while steps change. Up to eight times the substep is
 * remembered; what contacts make of it see the solver. (Joints follow the mean.) */
void cn_solve(cn_simulation *sim) {
    float h = sim->step_seconds / (float)sim->substeps, kept = 1 - 0.5f * sim->step_seconds;
    sim->soft_substep = cn_max(h, cn_min(sim->soft_substep * kept, 8 * h));
    // A single long step counts little, or joints would be soft after a pause, or a first frame that loads.
    if (sim->mean_substep == 0) sim->mean_substep = cn_min(h, 1.0f / 60 / (float)sim->substeps);
    sim->mean_substep += cn_min(sim->step_seconds, 1.0f / 30) * (h - sim->mean_substep);
    cn_run(sim->team, sim->plan.work, solve_all, sim);
    sim->last_substep = h;
    // Batches are solved in any order, so the hits of the step are put into that of their contacts.
    int count = sim->hits.count - sim->first_hit;
    if (count) cn_sort_items(sim->hits.items + sim->first_hit, count, sizeof *sim->hits.items);
}
