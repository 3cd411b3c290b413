/* step: the stages of a step, in one table, and the stages that have no folder of their own.
 *
 *   step.c         the table of stages
 *   kernels.c      the loops that exist once per SIMD width, as one table       (per SIMD width)
 *   quarantine.c   faulty bodies are disabled
 *   kinematics.c   the motions of kinematic bodies
 *   sweep.c        continuous collision: stops bodies where they hit others
 *   sweep_search.c continuous collision: which bodies may meet, and what is ahead
 *   sweep_pair.c   continuous collision of two bodies: where one has to stop for the other
 *   move.c         all bodies move
 *   move_kernel.c  poses, shapes and boxes of some bodies                       (per SIMD width)
 *   sensor_index.c which shapes changed, and where the sensors are
 *   sensor.c       which shapes overlap sensors
 *   sleep.c        islands fall asleep
 *   rest.c         what still moves an island whose bodies are slow
 *   put_to_sleep.c a call puts an island to sleep
 */
#ifndef CN_STEP_H
#define CN_STEP_H

#include "../plan/plan.h"
#include "../solver/solver.h"

#define CN_IMPACT_TOLERANCE 0.1 // slops: how exactly stages find distances of hulls on their paths

// Takes a step of dt seconds. False if memory is short: then the state is as before, except that
// tiles near moving shapes may have shapes. `profile` (if not NULL) gets the times of the stages.
// `end_stage` may be NULL; else it is called with `context` after each stage.
typedef void cn_stage_end(void *context, const cn_stage *stage);
bool cn_step(cn_simulation *sim, float dt, cn_profile *profile, cn_stage_end *end_stage,
             void *context);

extern const cn_kernels cn_kernel_table_1, cn_kernel_table_4, cn_kernel_table_8, cn_kernel_table_16;
// Four lanes, compiled for the instruction set of the wider tables.
extern const cn_kernels cn_kernel_table_4_avx2, cn_kernel_table_4_avx512;
// The kernels of a SIMD width; 0: the widest that this processor has. NULL if that width was not
// built or cannot run here.
const cn_kernels *cn_kernels_for(int lanes);

// Moves bodies, their shapes and boxes by their motions.
typedef void cn_move_function(cn_simulation *sim, const int *bodies, int count);
CN_PER_WIDTH(cn_move_function, cn_move_bodies);

// The stages; step.c says what each achieves.
bool cn_find_edited_shapes(cn_simulation *sim);
void cn_quarantine_bodies(cn_simulation *sim);
void cn_find_kinematic_motions(cn_simulation *sim);
void cn_sweep_bodies(cn_simulation *sim);
void cn_move_all(cn_simulation *sim);
void cn_update_sensors(cn_simulation *sim);
void cn_sleep_islands(cn_simulation *sim);
// True if the contact ends in the next step.
bool cn_ends_now(const cn_simulation *sim, int slot);
// True if a moving kinematic body touches the island with the contacts in cn_simulation.lost_slots,
// or pulls it.
bool cn_is_moved_by_kinematic(const cn_simulation *sim, const int *bodies, int count);
// True if a drive, or a force, still moves the slow bodies of that island (rest.c).
bool cn_is_driven(const cn_simulation *sim, const int *bodies, int count);
bool cn_is_pulled(cn_simulation *sim, const int *bodies, int count);
// Makes a sleeping island of an island's bodies and the contacts in cn_simulation.lost_slots. False
// if memory is short: then the island stays awake.
bool cn_put_island_to_sleep(cn_simulation *sim, const int *bodies, int count);
// Puts the whole island of an awake body to sleep: all bodies that touch or are joined now. False,
// with an error, if memory is short or the island must not sleep.
bool cn_put_to_sleep(cn_simulation *sim, int body);
// Puts a body that is being created to sleep, alone. False if memory is short.
bool cn_put_new_to_sleep(cn_simulation *sim, int body);

#endif
