/* hooks: what the traced solver calls, and how the trace reads its blocks. */
#ifndef DEMO_TRACE_HOOKS_H
#define DEMO_TRACE_HOOKS_H

#include "../../engine/core/world/world.h"
#include "trace.h"

// ---- the solver with one lane that reports what it does (traced_solver.c)

cn_batch_bytes_function trace_batch_bytes;
cn_solve_function trace_solve_batch;
// Return the impulses of a block: those of a contact or joint, and those of a contact's impacts in
// this substep. The block must have been prepared.
trace_impulses trace_read_block(const cn_solver *s, const cn_color *color, int block);
trace_impulses trace_read_impact(const cn_solver *s, int block);

// ---- what it calls instead of cn_run_colors(), cn_distribute(), cn_solve_trees() and
// cn_finish_trees() (trace.c). `name` is that of the pass or work.

void trace_run_colors(cn_solver *s, cn_solver_pass *pass, const char *name, int first, int end);
void trace_distribute(cn_solver *s, int count, cn_part *part, const char *name);
void trace_run_work(cn_solver *s, cn_solver_work *work, const char *name);
void trace_solve_trees(cn_solver *s);
void trace_finish_trees(cn_solver *s);

// ---- the step that is traced

typedef struct {
    trace *made;      // gets the places; NULL: they are known
    trace_view *view; // gets the state after `wanted` places; NULL: none
    int wanted;
    int count; // places so far
    int groups[TRACE_LEVELS];
    int stage, batch, substep; // as in trace_place
    bool is_preparing;
    bool has_impacts; // it is at the impacts of a substep
    int prepared;     // blocks of the batch that were prepared
    int done_batches; // batches whose bodies have a motion, but have not moved yet
    trace_impulses change;
    bool failed; // memory is short
    cn_simulation *sim;
} trace_run;

// Returns the place of entry i of a batch's colours among its colours, which have several entries
// if they have constraints of several row types.
static inline int trace_color_of(const cn_batch *batch, int i) {
    const cn_color *colors = batch->colors.items;
    int color = 0;
    for (int k = 1; k <= i; k++) color += colors[k].number != colors[k - 1].number;
    return color;
}

// Copies the present state. `s` is the solver of the batch that is being solved; NULL: none.
// Returns false if memory is short.
bool trace_copy_view(const trace_run *run, const cn_solver *s);

#endif
