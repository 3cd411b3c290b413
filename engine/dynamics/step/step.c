/* The step, as a table of contents.
 *
 * Until "plan islands" has succeeded nothing of the state has changed, so a step that runs out of memory
 * leaves the world as it was. After it no stage can fail.
 */
#include "step.h"

static void refit_trees(cn_simulation *sim) {
    cn_tree_refit(&sim->moving_tree);
    cn_tree_refit(&sim->static_tree);
}

const cn_stage cn_stages[] = {
    {"find pairs", .prepare = cn_find_pairs}, // new overlaps of boxes, and which islands wake
    {"prepare contacts", .prepare = cn_prepare_contacts}, // slots and memory for all that begins
    {"plan islands", .prepare = cn_plan_islands},   // islands, colours, batches: what has changed
    {"update contacts", .run = cn_update_contacts}, // refresh, remake, begin, end
    {"ask user", .run = cn_run_pre_solve},               // may switch contacts off
    {"solve islands", .run = cn_solve}, // substeps of every batch, then its bodies' new poses
    {"collect fast bodies", .run = cn_collect_fast_bodies}, // and take out those whose motion is no number
    {"move kinematics", .run = cn_move_kinematics}, // by their velocities
    {"sweep fast bodies", .run = cn_sweep_bodies},  // back to what they hit on their way
    {"look around", .run = cn_update_sensors},         // what sensors see
    {"sleep", .run = cn_sleep_islands},             // islands that have been at rest for long
    {"refit trees", .run = refit_trees},            // so that queries only read
};
const int cn_stage_count = sizeof cn_stages / sizeof cn_stages[0];

const cn_kernels *cn_kernels_for(int lanes) {
    if (lanes == 0) lanes = cn_cpu_lanes();
    if (lanes > cn_cpu_lanes()) return NULL;
    switch (lanes) {
    case 1: return &cn_kernel_table_1;
    case 4: return &cn_kernel_table_4;
#if defined(CN_BUILD_AVX2)
    case 8: return &cn_kernel_table_8;
#endif
#if defined(CN_BUILD_AVX512)
    case 16: return &cn_kernel_table_16;
#endif
    default: return NULL;
    }
}
