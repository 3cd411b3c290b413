/* One step of a simulation, as a table of contents.
 *
 * A step finds the shapes that touch, solves their contacts and the joints, moves the bodies, and
 * then looks at where they are. Each row of the table is a stage: its name in a profile, its
 * function, and above it what the stage achieves and the file that has it. The stages have two
 * halves:
 *
 *   prepare   These stages may fail, if memory is short. They write only scratch memory and data
 *             that follow from the state, and they reserve the memory of the second half. So if
 *             one of them fails, the step is abandoned and the state is as it was. The only trace
 *             may be shapes of tiles, which do not affect how bodies move.
 *   run       These stages change the state and cannot fail. If a stage needs more memory than was
 *             reserved and gets none, it leaves work undone: the sensor events of the step come
 *             with the next one, an island stays awake, an event of a body or a hit is missing.
 *
 * One contact through the stages: a box falls on the ground. The last column says what becomes of
 * the pair of shapes.
 *
 *   step  stage             function               the pair
 *   k     find pairs        search_trees()         fat boxes overlap: a new cn_apart
 *                           cn_test_pairs()        collided for a yes or no: still apart
 *   k+1   find pairs        cn_test_pairs()        near enough: CN_PAIR_TOUCHES
 *         prepare contacts  write_begun()          gets a slot and a record to be remade
 *         plan islands      list_contacts()        an edge with a colour and a row type
 *                           fill_lanes()           a lane of a block of a batch
 *         update contacts   cn_refresh_contacts()  lists the contacts to be remade
 *                           cn_collide_contacts()  normal, points, separations, anchors
 *                           push_begin_events()    the begin event
 *         solve islands     prepare_block()        record to block: lever arms, effective masses
 *                           solve_block()          in each substep: with bias, and to relax
 *                           store_block()          impulses: block to record
 *                           cn_finish_bodies()     bodies, shapes and boxes move
 *   k+2   update contacts   cn_refresh_contacts()  anchors stay, separations follow the bodies
 *         solve islands     prepare_block()        warm start with the stored impulses
 *   n     sleep             cn_put_island_to_sleep() moves from its slot to the sleeping island
 *   or    update contacts   part_contact()         no points any more: an apart pair again
 *
 * A pair of a fast body goes from "new" to "touches" in one step. */
#include "step.h"

static void refit_trees(cn_simulation *sim) {
    cn_tree_refit(&sim->moving_tree);
    cn_tree_refit(&sim->static_tree);
}

// Keeps the poses only if they were asked for: there is memory for them then.
static void begin_changes(cn_simulation *sim) {
    sim->solved_islands = cn_count_islands(sim);
    cn_end_edits(sim);
    if (sim->keep_poses) cn_keep_moving_poses(sim);
    cn_age_slots(sim);
    cn_clear_uncoupled(sim);
}

// Has exactly one of the two functions.
typedef struct {
    const char *name;
    bool (*prepare)(cn_simulation *sim); // may fail, and does not change the state
    void (*run)(cn_simulation *sim);     // cannot fail
} stage;

static const stage cn_stages[] = {
    // Makes shapes of the solid tiles near moving shapes and sensors. (model/tiles.c)
    {"create tile shapes", .prepare = cn_create_tile_shapes},
    // Broadphase: finds new overlaps of fat boxes. Then the narrowphase tests all apart pairs: it
    // decides which begin to touch, and which sleeping islands wake. (pairs/pairs.c)
    {"find pairs", .prepare = cn_find_pairs},
    // Lists the shapes whose pairs with sensors the calls since the last step may have changed.
    // (step/sensor_index.c)
    {"find edited shapes", .prepare = cn_find_edited_shapes},
    // Finds the shapes in fields. (step/field.c)
    {"find fields", .prepare = cn_find_field_pairs},
    // Finds the contacts that end. Gives slots to those that begin or wake, and reserves memory for
    // all that the narrowphase may bring. (pairs/contact.c)
    {"prepare contacts", .prepare = cn_prepare_contacts},
    // Brings islands, colours and batches up to date where contacts or joints changed.
    // (plan/plan.c)
    {"plan islands", .prepare = cn_plan_islands},

    // From here on the state changes. Counts the islands, ends the edits of shapes, keeps the poses
    // that drawing starts from, ages the slots of destroyed objects, and clears the impulses of
    // couplings that are no longer solved. (plan/islands.c, model/mass.c, model/body.c,
    // model/slots.c, plan/plan.c)
    {"begin changes", .run = begin_changes},
    // Narrowphase of touching contacts: they begin, end, are refreshed or are remade. Islands wake.
    // (pairs/contact.c, pairs/contact_kernel.c)
    {"update contacts", .run = cn_update_contacts},
    // Calls the user's pre_solve for touching contacts: it may disable them, or change their
    // friction, restitution and surface speed for this step. (pairs/one_way.c)
    {"pre-solve", .run = cn_run_pre_solve},
    // Adds the forces of fields to the forces of the user. (step/field.c)
    {"apply fields", .run = cn_apply_fields},
    // Solves every batch in substeps (solver/workers.c, solver/solver.c), then moves its bodies,
    // shapes and boxes. (solver/finish_kernel.c)
    {"solve islands", .run = cn_solve},
    // Lists the bodies that continuous collision looks at. Quarantines those whose motion is not
    // finite, too fast or too far away. (step/kinematics.c)
    {"collect swept bodies", .run = cn_collect_swept_bodies},
    // Moves kinematic bodies by their velocities. (step/kinematics.c)
    {"move kinematics", .run = cn_move_kinematics},
    // Puts fast bodies back to where they hit something on their paths. (step/sweep.c)
    {"continuous collision", .run = cn_sweep_bodies},
    // Finds the shapes that overlap sensors, or passed through them. (step/sensor.c)
    {"update sensors", .run = cn_update_sensors},
    // Puts islands to sleep that have been at rest for long enough. (step/sleep.c)
    {"sleep", .run = cn_sleep_islands},
    // Updates the inner boxes of the trees, so that queries after the step only read them.
    {"refit trees", .run = refit_trees},
    // Destroys the shapes of tiles that have nothing near them. (model/tiles.c)
    {"remove tile shapes", .run = cn_remove_idle_tiles},
    // Destroys the joints that broke in this step, and raises their events. (model/joint.c)
    {"remove broken joints", .run = cn_remove_broken_joints},
};
enum { STAGES = sizeof cn_stages / sizeof cn_stages[0] };
static_assert((int)STAGES <= (int)CN_MAX_STAGES, "cn_profile has a place for each");

// Writes the profile of a step that succeeded. `times` has the start of each stage and the end of
// the last one, in seconds.
static void write_profile(cn_profile *profile, const double *times) {
    *profile = (cn_profile){.count = STAGES, .total = times[STAGES] - times[0]};
    for (int i = 0; i < STAGES; i++) {
        profile->names[i] = cn_stages[i].name;
        profile->seconds[i] = times[i + 1] - times[i];
    }
}

bool cn_step(cn_simulation *sim, float dt, cn_profile *profile, void (*end_stage)(void *context),
             void *context) {
    const float last_dt = sim->step_seconds;
    double times[STAGES + 1];
    sim->step_seconds = dt;
    cn_close_gaps(sim);
    sim->pairs_indexed = false; // each stage may change contacts and pairs
    cn_settle_bodies(sim);      // the masses of bodies whose shapes were edited
    for (int i = 0; i < STAGES; i++) {
        if (profile) times[i] = cn_clock_seconds();
        sim->contact_revision++; // any stage may move contacts in memory
        if (cn_stages[i].prepare && !cn_stages[i].prepare(sim)) {
            cn_cancel_waking(sim);
            cn_cancel_new_contacts(sim);
            cn_forget_plan(sim); // it may have contacts that did not begin
            cn_unsettle_bodies(sim);
            sim->step_seconds = last_dt;
            return false;
        }
        if (cn_stages[i].run) cn_stages[i].run(sim);
        if (end_stage) end_stage(context);
    }
    sim->steps++; // now that this one is complete
    times[STAGES] = profile ? cn_clock_seconds() : 0;
    if (profile) write_profile(profile, times);
    return true;
}

const cn_kernels *cn_kernels_for(int lanes) {
    if (lanes == 0) lanes = cn_cpu_lanes();
    if (lanes > cn_cpu_lanes()) return NULL;
    switch (lanes) {
#if !defined(CN_ONLY_4_LANES)
    case 1: return &cn_kernel_table_1;
#endif
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
