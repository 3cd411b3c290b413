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

typedef struct {
    const char *name;
    bool (*prepare)(cn_simulation *sim); // may fail: the state has not changed yet
    void (*run)(cn_simulation *sim);     // cannot fail
} stage;

static const stage cn_stages[] = {
    {"create tile shapes", .prepare = cn_create_tile_shapes}, // of tiles near moving shapes
    {"find pairs", .prepare = cn_find_pairs}, // new overlaps of boxes, and which islands wake
    {"prepare contacts", .prepare = cn_prepare_contacts}, // slots and memory for all that begins
    {"plan islands", .prepare = cn_plan_islands},   // islands, colours, batches: what has changed
    {"age slots", .run = cn_age_slots},             // of objects that were destroyed
    {"update contacts", .run = cn_update_contacts}, // refresh, remake, begin, end
    {"pre-solve", .run = cn_run_pre_solve},         // the user may disable contacts
    {"solve islands", .run = cn_solve}, // substeps of every batch, then its bodies' new poses
    {"collect fast bodies", .run = cn_collect_fast_bodies}, // and quarantine faulty ones
    {"move kinematics", .run = cn_move_kinematics},         // by their velocities
    {"continuous collision", .run = cn_sweep_bodies},       // back to what they hit on their way
    {"update sensors", .run = cn_update_sensors},           // what overlaps them
    {"sleep", .run = cn_sleep_islands},                     // islands that have been at rest for long
    {"refit trees", .run = refit_trees},                    // so that queries only read
    {"remove tile shapes", .run = cn_remove_idle_tiles},    // of tiles that nothing is near
    {"remove broken joints", .run = cn_remove_broken_joints},
};
enum { STAGES = sizeof cn_stages / sizeof cn_stages[0] };
static_assert((int)STAGES <= (int)CN_MAX_STAGES, "cn_profile has a place for each");

// Writes the profile of a step that succeeded. `times` has the start of each stage and the end of the last.
static void write_profile(cn_profile *profile, const double *times) {
    *profile = (cn_profile){.count = STAGES, .total = times[STAGES] - times[0]};
    for (int i = 0; i < STAGES; i++) {
        profile->names[i] = cn_stages[i].name;
        profile->seconds[i] = times[i + 1] - times[i];
    }
}

bool cn_step(cn_simulation *sim, float dt, cn_profile *profile) {
    const float last = sim->step_seconds;
    double times[STAGES + 1];
    sim->step_seconds = dt;
    for (int i = 0; i < STAGES; i++) {
        if (profile) times[i] = cn_clock_seconds();
        sim->contact_revision++;
        if (cn_stages[i].prepare && !cn_stages[i].prepare(sim)) {
            cn_abandon_step(sim);
            sim->step_seconds = last;
            return false;
        }
        if (cn_stages[i].run) cn_stages[i].run(sim);
    }
    times[STAGES] = profile ? cn_clock_seconds() : 0;
    if (profile) write_profile(profile, times);
    return true;
}

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
