/* Who solves what: a worker alone, or several together, who then share the bodies, and the blocks of each colour.
 *
 * A stage is what can be done at once, and ends when all are done with it: a colour in all its kinds. Small
 * colours in a row are one stage for one worker, since to wait for each other would take longer. */
#ifndef CN_STAGES_H
#define CN_STAGES_H

#include "contact_solver.h"

enum { LEAST_SHARED = 16 }; // a colour of fewer blocks is done by one worker

static void share_bodies(solver *s, int count, cn_part *part) {
    cn_share(s->worker, count, 0, part, s);
}

// Blocks first..end - 1 of the stage, colour by colour.
static void pass_blocks(void *context, int first, int end) {
    solver *s = context;
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

// By several workers, stage by stage.
static __attribute__((noinline)) void share_pass(solver *s, pass_function *what, int end) {
    const cn_batch *batch = s->batch;
    const cn_color *colors = batch->colors.items;
    stage now;
    s->pass = what;
    for (s->color = 0; s->color < batch->colors.count; s->color = now.end) {
        if (colors[s->color].first_block >= end) return;
        now = stage_at(batch, s->color);
        s->block = colors[s->color].first_block;
        int count = colors[now.end - 1].end_block - s->block;
        cn_share(s->worker, count, now.shared ? 0 : count, pass_blocks, s);
    }
}

// The constraints before block `end`. Couplings, joints, contacts; of each first the colours with bodies on both
// sides, then those with the static world: the last word counts.
CN_INLINE void run_blocks(solver *s, pass_function *what, int end) {
    const cn_color *colors = s->batch->colors.items;
    if (s->worker->job)
        share_pass(s, what, end);
    else
        for (int i = 0; i < s->batch->colors.count && colors[i].first_block < end; i++)
            what(s, &colors[i], colors[i].first_block, colors[i].end_block);
}

CN_INLINE void run_pass(solver *s, pass_function *what) { run_blocks(s, what, INT32_MAX); }

#endif
