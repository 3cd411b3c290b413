/* step: the stages of a step, in one table, and those that are not in a folder of their own.
 *
 *   step.c         the table of stages
 *   kernels.c      the loops that exist once per SIMD width, as one table       (per SIMD width)
 *   kinematics.c   kinematic bodies move; bodies whose motion is no number are taken out
 *   sweep.c        continuous collision: fast bodies stop at what they hit
 *   sweep_pair.c   and of two: where one has to stop for the other
 *   sensor.c       what overlaps sensors
 *   sleep.c        islands fall asleep
 */
#ifndef CN_STEP_H
#define CN_STEP_H

#include "../plan/plan.h"
#include "../solver/solver.h"

// Takes a step of dt seconds. False if memory is short: then the state is as before, except that tiles
// near moving shapes may have shapes. `profile` (if not NULL) gets the times of the stages.
bool cn_step(cn_simulation *sim, float dt, cn_profile *profile);

extern const cn_kernels cn_kernel_table_1, cn_kernel_table_4, cn_kernel_table_8, cn_kernel_table_16;
// Four lanes with the instructions of the wider ones.
extern const cn_kernels cn_kernel_table_4_avx2, cn_kernel_table_4_avx512;
const cn_kernels *cn_kernels_for(int lanes); // NULL if that width was not built or cannot run here

// After the solver: bodies that are fast are listed, and those whose motion is no longer finite taken out.
void cn_collect_fast_bodies(cn_simulation *sim);
void cn_move_kinematics(cn_simulation *sim); // by their velocities
void cn_sweep_bodies(cn_simulation *sim);
void cn_update_sensors(cn_simulation *sim); // what overlaps each sensor now
void cn_sleep_islands(cn_simulation *sim);
// Makes a single sleeping island of a new or lone body, or puts the whole island of an awake body to
// sleep. False if memory is short.
bool cn_put_to_sleep(cn_simulation *sim, int body);

#endif
