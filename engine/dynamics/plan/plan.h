/* plan: which contacts and joints are solved together, and in which order.
 *
 *   plan.c    islands and colours
 *   batch.c   whole islands in batches, their constraints in lanes
 *   builder.h what the two share while a plan is being made
 */
#ifndef CN_PLAN_H
#define CN_PLAN_H

#include "../pairs/pairs.h"

bool cn_plan_islands(cn_simulation *sim); // the last stage that can fail
bool cn_reserve_plan(cn_simulation *sim, int bodies, int edges);
// Does the body belong into the plan: dynamic, enabled, awake or about to be?
bool cn_is_in_plan(const cn_simulation *sim, int body);
// The state of a body in its batch: 0 of a static one, of a kinematic one the copy that the batch carries
// along, 0 if it has none.
int cn_state_of(const cn_simulation *sim, const cn_batch *batch, int body);

#endif
