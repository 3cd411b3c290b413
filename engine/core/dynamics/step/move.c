/* Moves all bodies that take part in the step, once, by the motions that the solver found and
 * continuous collision shortened (step/move_kernel.c).
 *
 * Workers share the bodies in chunks. The chunks are numbered from batch to batch. */
#include "step.h"

enum { CHUNK_SIZE = 64 }; // bodies in a chunk

static int count_chunks(const cn_batch *batch) {
    return batch->alive ? (batch->body_count + CHUNK_SIZE - 1) / CHUNK_SIZE : 0;
}

// Returns the last batch whose chunks begin at or before this one.
static int find_batch(const cn_plan *plan, int chunk) {
    int low = 0, high = plan->batch_count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (plan->batches[middle].first_chunk <= chunk)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void move_chunks(void *context, int first, int end) {
    cn_simulation *sim = context;
    const cn_batch *batch = &sim->plan.batches[find_batch(&sim->plan, first)];
    for (int chunk = first; chunk < end; chunk++) {
        while (chunk >= batch->first_chunk + count_chunks(batch)) batch++;
        int from = CHUNK_SIZE * (chunk - batch->first_chunk);
        batch->kernels->move(sim, batch->bodies.items + from,
                             cn_min_int(CHUNK_SIZE, batch->body_count - from));
    }
}

void cn_move_all(cn_simulation *sim) {
    int chunks = 0;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        sim->plan.batches[i].first_chunk = chunks;
        chunks += count_chunks(&sim->plan.batches[i]);
    }
    if (chunks) cn_run_loop(sim->team, CHUNK_SIZE * chunks, chunks, 1, move_chunks, sim);
    const int *kinematics = sim->moving_kinematics.items, count = sim->moving_kinematics.count;
    if (count) cn_kernels_of(sim, count)->move(sim, kinematics, count);
}
