/* Moves all bodies that take part in the step, once, by the motions that the solver found and
 * continuous collision shortened (step/move_kernel.c).
 *
 * Workers share the bodies in parts. The parts of all batches are numbered through. */
#include "step.h"

enum { PART_SIZE = 64 }; // bodies of a part

static int count_parts(const cn_batch *batch) {
    return batch->alive ? (batch->body_count + PART_SIZE - 1) / PART_SIZE : 0;
}

// Returns the last batch whose parts begin at or before this one.
static int find_batch(const cn_plan *plan, int part) {
    int low = 0, high = plan->batch_count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (plan->batches[middle].first_part <= part)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void move_parts(void *context, int first, int end) {
    cn_simulation *sim = context;
    const cn_batch *batch = &sim->plan.batches[find_batch(&sim->plan, first)];
    for (int part = first; part < end; part++) {
        while (part >= batch->first_part + count_parts(batch)) batch++;
        int from = PART_SIZE * (part - batch->first_part);
        batch->kernels->move(sim, batch->bodies.items + from,
                             cn_min_int(PART_SIZE, batch->body_count - from));
    }
}

void cn_move_all(cn_simulation *sim) {
    int parts = 0;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        sim->plan.batches[i].first_part = parts;
        parts += count_parts(&sim->plan.batches[i]);
    }
    if (parts) cn_run_loop(sim->team, parts, 1, move_parts, sim);
    const int *kinematics = sim->moving_kinematics.items, count = sim->moving_kinematics.count;
    if (count) cn_kernels_of(sim, count)->move(sim, kinematics, count);
}
