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
 * Each row also names the groups of data that its stage reads and changes (model/data.h).
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
 *                           make_begin_events()    the begin event
 *         solve islands     prepare_block()        record to block: lever arms, effective masses
 *                           solve_block()          in each substep: with bias, and to relax
 *                           store_block()          impulses: block to record
 *                           cn_finish_bodies()     velocities and motions of the bodies
 *         move bodies       cn_move_bodies()       bodies, shapes and boxes move
 *   k+2   update contacts   cn_refresh_contacts()  anchors stay, separations follow the bodies
 *         solve islands     prepare_block()        warm start with the stored impulses
 *   n     sleep             cn_put_island_to_sleep() moves from its slot to the sleeping island
 *   or    update contacts   end_contact()          no points any more: an apart pair again
 *
 * A pair of a fast body goes from "new" to "touches" in one step. */
#include "../model/data.h"
#include "step.h"

static void refit_trees(cn_simulation *sim) {
    cn_tree_refit_shared(&sim->moving_tree, sim->team, sim->dirty_count);
    cn_tree_refit(&sim->static_tree);
}

// Keeps the poses only if they were asked for: there is memory for them then.
static void begin_changes(cn_simulation *sim) {
    sim->solved_islands = cn_count_islands(sim);
    cn_end_edits(sim);
    if (sim->keep_poses) cn_keep_moving_poses(sim);
    cn_age_slots(sim);
    cn_clear_uncoupled(sim);
    sim->swept_count = 0;
    sim->max_slow_displacement = 0;
}

static const cn_stage cn_stages[CN_STAGES] = {
    // Broadphase: finds new overlaps of fat boxes. Then the narrowphase tests all apart pairs: it
    // decides which begin to touch, and which sleeping islands wake. (pairs/pairs.c)
    [CN_STAGE_FIND_PAIRS] = {"find pairs", .prepare = cn_find_pairs,
                             .reads = PROPERTIES | POSES | VELOCITIES | FLAGS | MOTIONS | SHAPES |
                                      SURFACES | HULLS | BOXES | TREES | DIRTY | PAIRS | CONTACTS |
                                      JOINTS | ISLANDS | FINDINGS,
                             .writes = SURFACES | TREES | FINDINGS},
    // Lists the shapes whose pairs with sensors the calls since the last step may have changed.
    // (step/sensor_index.c)
    [CN_STAGE_FIND_EDITED_SHAPES] = {"find edited shapes", .prepare = cn_find_edited_shapes,
                                     .reads = VELOCITIES | FLAGS | SHAPES | BOXES | TREES | DIRTY,
                                     .writes = TREES | FINDINGS},
    // Finds the contacts that end. Gives slots to those that begin or wake, and reserves memory for
    // all that the narrowphase may bring. (pairs/contact.c)
    [CN_STAGE_PREPARE_CONTACTS] = {"prepare contacts", .prepare = cn_prepare_contacts,
                                   .reads = PROPERTIES | FLAGS | SHAPES | HULLS | BOXES | DIRTY |
                                            PAIRS | CONTACTS | JOINTS | ISLANDS | PLAN | FINDINGS,
                                   .writes = PLAN | FINDINGS},
    // Brings islands, colours and batches up to date where contacts or joints changed.
    // (plan/plan.c)
    [CN_STAGE_PLAN] = {"plan islands", .prepare = cn_plan_islands,
                       .reads = PROPERTIES | FLAGS | SHAPES | CONTACTS | JOINTS | ISLANDS | PLAN |
                                FINDINGS,
                       .writes = PREPARED | PLAN | FINDINGS},

    // From here on the state changes. Counts the islands, ends the edits of shapes, keeps the poses
    // that drawing starts from, ages the slots of destroyed objects, and clears the impulses of
    // couplings that are no longer solved. (plan/islands.c, model/mass.c, model/body.c,
    // model/slots.c, plan/plan.c)
    [CN_STAGE_BEGIN_CHANGES] = {"begin changes", .run = begin_changes,
                                .reads = PROPERTIES | POSES | SHAPES | OVERLAPS | PLAN | FINDINGS |
                                         EDITS | SLOTS,
                                .writes = MOTIONS | JOINTS | FINDINGS | EDITS | SLOTS | RESULTS},
    // Narrowphase of touching contacts: they begin, end, are refreshed or are remade. Islands wake.
    // (pairs/contact_update.c, pairs/contact_kernel.c)
    [CN_STAGE_UPDATE_CONTACTS] = {"update contacts", .run = cn_update_contacts,
                                  .reads = PROPERTIES | POSES | VELOCITIES | FLAGS | SHAPES |
                                           SURFACES | HULLS | BOXES | DIRTY | PAIRS | CONTACTS |
                                           JOINTS | ISLANDS | PLAN | FINDINGS,
                                  .writes = FLAGS | BOXES | TREES | DIRTY | PAIRS | CONTACTS |
                                            ISLANDS | PLAN | FINDINGS | RESULTS},
    // Calls the user's pre_solve for touching contacts of shapes with .pre_solve: it may disable
    // them, or change their friction, restitution and surface speed for this step.
    // (pairs/pre_solve.c)
    [CN_STAGE_PRE_SOLVE] = {"pre-solve", .run = cn_run_pre_solve,
                            .reads = FLAGS | SHAPES | CONTACTS, .writes = FLAGS | CONTACTS},
    // Solves every batch in substeps (solver/workers.c, solver/solver.c), then writes velocities
    // and
    // motions of its bodies (solver/finish_kernel.c).
    [CN_STAGE_SOLVE] = {"solve islands", .run = cn_solve,
                        .reads = PROPERTIES | POSES | VELOCITIES | FORCES | REST | FLAGS | MOTIONS |
                                 SHAPES | HULLS | BOXES | CONTACTS | JOINTS | PREPARED | PLAN,
                        .writes = VELOCITIES | FORCES | REST | FLAGS | MOTIONS | CONTACTS | JOINTS |
                                  PREPARED | RESULTS},
    // Disables the bodies whose motion is faulty: not finite, too fast or too far away.
    // (step/quarantine.c)
    [CN_STAGE_QUARANTINE] = {"quarantine bodies", .run = cn_quarantine_bodies,
                             .reads = FLAGS | MOTIONS | SHAPES | SURFACES | JOINTS | PLAN,
                             .writes = FLAGS | MOTIONS | SURFACES | BOXES | TREES | DIRTY | JOINTS |
                                       PLAN | RESULTS},
    // Finds the motions of kinematic bodies. (step/kinematics.c)
    [CN_STAGE_KINEMATICS] = {"find kinematic motions", .run = cn_find_kinematic_motions,
                             .reads = PROPERTIES | POSES | VELOCITIES | FLAGS | MOTIONS,
                             .writes = VELOCITIES | FLAGS | MOTIONS},
    // Shortens the motions of bodies that hit something on their paths. (step/sweep.c)
    [CN_STAGE_SWEEP] = {"continuous collision", .run = cn_sweep_bodies,
                        .reads = PROPERTIES | POSES | VELOCITIES | FLAGS | MOTIONS | SHAPES |
                                 SURFACES | HULLS | BOXES | TREES | DIRTY | CONTACTS | JOINTS |
                                 PLAN,
                        .writes = VELOCITIES | FLAGS | MOTIONS | TREES},
    // Moves all bodies, their shapes and boxes by their motions. (step/move.c)
    [CN_STAGE_MOVE] = {"move bodies", .run = cn_move_all,
                       .reads = PROPERTIES | POSES | VELOCITIES | FLAGS | MOTIONS | SHAPES | HULLS |
                                BOXES | JOINTS | PLAN,
                       .writes = POSES | FLAGS | MOTIONS | HULLS | BOXES | TREES | DIRTY},
    // Finds the shapes that overlap sensors, or passed through them. (step/sensor.c)
    [CN_STAGE_SENSORS] = {"update sensors", .run = cn_update_sensors,
                          .reads = PROPERTIES | POSES | VELOCITIES | FLAGS | MOTIONS | SHAPES |
                                   HULLS | BOXES | TREES | OVERLAPS | PLAN | FINDINGS,
                          .writes = TREES | OVERLAPS | FINDINGS | RESULTS},
    // Puts islands to sleep that have been at rest for long enough. (step/sleep.c, step/rest.c)
    [CN_STAGE_SLEEP] = {"sleep", .run = cn_sleep_islands,
                        .reads = PROPERTIES | POSES | VELOCITIES | REST | FLAGS | SHAPES | BOXES |
                                 DIRTY | PAIRS | CONTACTS | JOINTS | PLAN,
                        .writes = VELOCITIES | REST | FLAGS | PAIRS | CONTACTS | ISLANDS | PLAN |
                                  FINDINGS | RESULTS},
    // Updates the inner boxes of the trees, so that queries after the step only read them.
    [CN_STAGE_REFIT_TREES] = {"refit trees", .run = refit_trees, .reads = BOXES | TREES,
                              .writes = TREES},
    // Destroys the joints that broke in this step, and raises their events. (model/joint.c)
    [CN_STAGE_BREAK_JOINTS] = {"remove broken joints", .run = cn_remove_broken_joints,
                               .reads = FLAGS | SHAPES | SURFACES | BOXES | TREES | JOINTS |
                                        ISLANDS | PLAN,
                               .writes = REST | FLAGS | SURFACES | TREES | DIRTY | JOINTS |
                                         ISLANDS | PLAN | FINDINGS | SLOTS | RESULTS},
};

// ---- the step

// Goes through the stages of the core. Stages of parts come before the core's stage of their place.
typedef struct {
    int place;                 // of the next stage of the core
    const cn_part_stage *part; // the next one of a part
} stage_walk;

// Returns the next stage; NULL after the last one.
static inline const cn_stage *next_stage(stage_walk *walk) {
    if ((int)walk->part->before == walk->place) return &walk->part++->stage;
    return walk->place < CN_STAGES ? &cn_stages[walk->place++] : NULL;
}

// Adds a stage that ends now to a profile. `time` is when the last stage ended, in seconds.
static void add_time(cn_profile *profile, const char *name, double *time) {
    double now = cn_clock_seconds();
    profile->names[profile->count] = name;
    profile->seconds[profile->count++] = now - *time;
    profile->total += now - *time;
    *time = now;
}

// Cancels a step in which a stage failed: the state is as before it.
static void abandon(cn_simulation *sim) {
    cn_cancel_waking(sim);
    cn_release_found_surfaces(sim);
    cn_cancel_new_contacts(sim);
    cn_forget_plan(sim); // it may have contacts that did not begin
    cn_unsettle_bodies(sim);
}

bool cn_step(cn_simulation *sim, float dt, cn_profile *profile, cn_stage_end *end_stage,
             void *context) {
    const float last_dt = sim->step_seconds;
    cn_profile measured;
    if (profile) measured = (cn_profile){.count = 0};
    double time = profile ? cn_clock_seconds() : 0;
    sim->step_seconds = dt;
    cn_close_gaps(sim);
    sim->pairs_indexed = false; // each stage may change contacts and pairs
    cn_settle_bodies(sim);      // the masses of bodies whose shapes were edited
    stage_walk walk = {0, cn_part_stages};
    for (const cn_stage *stage; (stage = next_stage(&walk));) {
        sim->contact_revision++; // any stage may move contacts in memory
        if (stage->prepare && !stage->prepare(sim)) {
            abandon(sim);
            sim->step_seconds = last_dt;
            return false;
        }
        if (stage->run) stage->run(sim);
        if (end_stage) end_stage(context, stage);
        cn_team_end_stage(sim->team, stage->name);
        if (profile) add_time(&measured, stage->name, &time);
    }
    assert(walk.part->before == CN_NO_STAGE); // the stages of parts are in the order of places
    sim->steps++;                             // now that this one is complete
    if (profile) *profile = measured;
    return true;
}

const cn_kernels *cn_kernels_for(int lanes) {
    if (lanes == 0) lanes = cn_cpu_lanes();
    if (lanes > cn_cpu_lanes()) return NULL;
    switch (lanes) {
#if !defined(CN_NO_1_LANE)
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
