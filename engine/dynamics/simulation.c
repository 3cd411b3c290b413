/* The step, as a table of contents.
 *
 * Until "plan islands" has succeeded nothing of the state has changed, so a step that runs out of memory
 * leaves the world as it was. After it no stage can fail.
 */
#include "dynamics.h"

const cn_stage cn_stages[] = {
    {"find pairs", cn_find_pairs},             // new overlaps of boxes, and which islands wake
    {"prepare contacts", cn_prepare_contacts}, // slots and memory for all that begins
    {"plan islands", cn_plan_islands}, // islands, colours, batches: only where something changed
    {"update contacts", cn_update_contacts}, // refresh, remake, begin, end
    {"solve islands", cn_solve},             // substeps of every batch, then its bodies' new poses
    {"move kinematics", cn_move_kinematics}, // by their velocities
    {"sweep fast bodies", cn_sweep_bodies},  // back to what they hit on their way
    {"sleep", cn_sleep_islands},             // islands that have been at rest for long
};
const int cn_stage_count = sizeof cn_stages / sizeof cn_stages[0];

const cn_kernels *cn_kernels_for(int lanes) {
    if (lanes == 0) lanes = cn_cpu_lanes();
    if (lanes > cn_cpu_lanes()) return NULL;
    switch (lanes) {
    case 1: return &cn_kernels_1;
    case 4: return &cn_kernels_4;
#if defined(CN_BUILD_AVX2)
    case 8: return &cn_kernels_8;
#endif
    default: return NULL;
    }
}

// Batches are solved in any order, so the hits of the step are put into that of their contacts.
static void sort_hits(cn_simulation *sim) {
    cn_hit_note *hits = sim->hits + sim->first_hit;
    int count = sim->hit_count - sim->first_hit;
    for (int gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int i = gap; i < count; i++) {
            cn_hit_note hit = hits[i];
            int k = i;
            for (; k >= gap && hits[k - gap].slot > hit.slot; k -= gap) hits[k] = hits[k - gap];
            hits[k] = hit;
        }
}

bool cn_solve(cn_simulation *sim) {
    for (int i = 0; i < sim->plan.batch_count; i++)
        if (sim->plan.batches[i].alive) sim->kernels->solve(sim, &sim->plan.batches[i]);
    sim->last_substep = sim->step_seconds / (float)sim->substeps;
    if (sim->hit_count > sim->first_hit) sort_hits(sim);
    return true;
}

void cn_simulation_free(cn_simulation *sim) {
    cn_memory *memory = &sim->memory;
    const cn_row touching[] = {{&sim->touching.records, 64 * sizeof(cn_contact_record)},
                               {&sim->touching.anchors, 64 * sizeof(cn_anchor)},
                               {&sim->touching.bodies, 64 * sizeof(cn_contact_bodies)},
                               {&sim->touching.occupied, sizeof(uint64_t)}};
    const cn_row lists[] = {
        {&sim->moved, sizeof(int)}, {&sim->sorted, sizeof(int)}, {&sim->ended, sizeof(int)}};
    cn_plan_free(sim);
    cn_sleepers_free(sim);
    cn_release_rows(memory, touching, 4, &sim->touching.capacity);
    cn_release_rows(memory, lists, 3, &sim->moved_capacity);
    for (int i = 0; i < CN_CLASS_COUNT; i++) {
        cn_free(memory, &sim->apart[i].pairs, &sim->apart[i].capacity);
        cn_free(memory, &sim->fresh_pairs[i].pairs, &sim->fresh_pairs[i].capacity);
    }
    cn_free(memory, &sim->pairs.pairs, &sim->pairs.capacity);
    cn_free(memory, &sim->known.pairs, &sim->known.capacity);
    cn_free(memory, &sim->pair_spare, &sim->pair_spare_capacity);
    cn_free(memory, &sim->waking, &sim->waking_capacity);
    cn_free(memory, &sim->new_slots, &sim->new_capacity);
    cn_free(memory, &sim->lost_slots, &sim->lost_capacity);
    cn_free(memory, &sim->begins, &sim->begin_capacity);
    cn_free(memory, &sim->ends, &sim->end_capacity);
    cn_free(memory, &sim->hits, &sim->hit_capacity);
    cn_free(memory, &sim->notes, &sim->note_capacity);
    cn_hull_pool_free(&sim->hulls, memory);
    cn_tree_free(&sim->moving, memory);
    cn_tree_free(&sim->fixed, memory);
}
