/* recorder: what the calls on a world report to a recording or a replay of it.
 *
 * The world knows only this table. The functions are in recording/, which stands above it. A world
 * without a recording has none, so that a call costs one load and one branch. */
#ifndef CN_RECORDER_H
#define CN_RECORDER_H

#include "../dynamics/model/model.h"
#include "recorded_calls.h"

typedef struct {
    const cn_recorded_calls *calls; // NULL: a replay
    // The call has created an object with this handle. `is_chain`: a chain, not its first segment.
    void (*created)(cn_world *world, cn_slot_kind kind, bool is_chain, uint64_t id);
    void (*end_stage)(cn_world *world); // a stage of a step has ended; NULL: is not reported
    void (*stepped)(cn_world *world);   // a step was taken
} cn_recorder;

// Records a call of a function that changes `world`: CN_RECORD(cn_body_set_angle, world, 2). This
// comes before all changes. A call that fails later is recorded, too: it fails again in a replay.
#define CN_RECORD(function, ...)                                                                   \
    (world && world->recorder && world->recorder->calls                                            \
         ? world->recorder->calls->function(__VA_ARGS__)                                           \
         : (void)0)

// Reports the handle of an object that a call has created. Returns it.
#define CN_CREATED(kind, is_chain, handle)                                                         \
    (world->recorder ? world->recorder->created(world, kind, is_chain, (handle).id) : (void)0,     \
     handle)

#endif
