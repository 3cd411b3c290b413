/* recorder: the functions by which calls on a world report to a recording or a replay.
 *
 * The world uses only this table. The functions are in recording/, a layer above. A world without a
 * recording has no table, and then a call costs one load and one branch more. */
#ifndef CN_RECORDER_H
#define CN_RECORDER_H

#include "../dynamics/model/model.h"
#include "recorded_calls.h"

typedef struct {
    const cn_recorded_calls *calls; // NULL in a replay
    // Called after a call has created an object with this handle.
    void (*created)(cn_world *world, cn_slot_kind kind, uint64_t id);
    // Called when a call that may change a body, one of its shapes or its grid begins; may be NULL.
    void (*edited)(cn_world *world, int body);
    // Called after each stage of a step if there is a filter or pre_solve callback; may be NULL.
    void (*end_stage)(cn_world *world);
    void (*stepped)(cn_world *world); // called after each step
    // The user's callbacks, if those of the world have this recorder as their user; NULL: none.
    const cn_callbacks *callbacks;
} cn_recorder;

// Records a call of a function that changes `world`: CN_RECORD(cn_world_step, world, dt). It must
// come before all changes. A call that fails later is also recorded. It fails again in a replay.
#define CN_RECORD(function, ...)                                                                   \
    (world && world->recorder && world->recorder->calls                                            \
         ? world->recorder->calls->function(__VA_ARGS__)                                           \
         : (void)0)

// Reports the handle of an object that a call has created. Returns it.
#define CN_CREATED(kind, handle)                                                                   \
    (world->recorder ? world->recorder->created(world, kind, (handle).id) : (void)0, handle)

#endif
