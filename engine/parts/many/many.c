/* Steps many worlds in one call, on the threads of the first one.
 *
 * The worlds are the items of one job, so one thread steps each world, and the team of a world
 * rests while its step runs. The results of a step are the same with any number of threads. */
#include "many.h"

#include <limits.h>
#include <stdio.h>

typedef struct {
    cn_world *const *worlds;
    int count;
    float dt;
    cn_error_kind *errors; // one for each world, or NULL
    _Atomic int stepped;
    cn_spinlock lock; // of the fields below
    int failed;       // the first world that failed; INT_MAX: none
    cn_error_kind kind;
    char text[CN_LONGEST_ERROR];
} batch;

// ---- each world once

// Stores in each world its batch and its first place in the list. A callback may call
// cn_worlds_step(), too: worlds of the batch that is running keep it.
static void mark_places(const batch *b) {
    for (int i = 0; i < b->count; i++) {
        cn_many_data *at = b->worlds[i] ? cn_many_of(b->worlds[i]) : NULL;
        if (at && !at->batch) *at = (cn_many_data){b, i};
    }
}

static void forget_places(const batch *b) {
    for (int i = 0; i < b->count; i++)
        if (b->worlds[i] && cn_many_of(b->worlds[i])->batch == b)
            cn_many_of(b->worlds[i])->batch = NULL;
}

static bool require_once(const batch *b, int i) {
    const cn_many_data *at = b->worlds[i] ? cn_many_of(b->worlds[i]) : NULL;
    if (!at || (at->batch == b && at->place == i)) return true;
    if (at->batch == b)
        return cn_fail(CN_ERROR_STATE, "the list has this world twice, also as world %d",
                       at->place);
    return cn_fail(CN_ERROR_STATE, "a cn_worlds_step() with this world in its list is running");
}

// ---- steps

static bool step_world(const batch *b, int i) {
    if (!require_once(b, i)) return false;
    cn_world *world = b->worlds[i];
    CN_RECORD(cn_world_step, world, b->dt);
    if (world) cn_team_rest(world->sim.team, true);
    bool done = cn_check_and_step(world, b->dt);
    if (world) cn_team_rest(world->sim.team, false);
    return done;
}

// An error belongs to the thread that steps the world. The caller gets that of the first world that
// failed, so this keeps it.
static void keep_error(batch *b, int i) {
    cn_lock(&b->lock);
    if (i < b->failed) {
        b->failed = i, b->kind = cn_error_code();
        snprintf(b->text, sizeof b->text, "%s", cn_error());
    }
    cn_unlock(&b->lock);
}

static void step_range(void *context, int first, int end) {
    batch *b = context;
    for (int i = first; i < end; i++) {
        bool done = step_world(b, i);
        if (b->errors) b->errors[i] = done ? CN_ERROR_NONE : cn_error_code();
        if (done)
            atomic_fetch_add_explicit(&b->stepped, 1, memory_order_relaxed);
        else
            keep_error(b, i);
    }
}

static void step_all(void *context, cn_worker *worker) {
    batch *b = context;
    cn_distribute(worker, b->count, 1, step_range, b);
}

static bool require_list(cn_world *const *worlds, int count) {
    if (count < 0)
        return cn_fail(CN_ERROR_RANGE, "the number of worlds is %d; it must be 0 or more", count);
    return count == 0 || cn_require_pointer("list of worlds", worlds);
}

int cn_worlds_step(cn_world *const *worlds, int count, float dt, cn_error_kind *errors) {
    if (!CN_CHECK(require_list(worlds, count)) || count == 0) return 0;
    batch b = {worlds, count, dt, errors, .failed = INT_MAX};
    mark_places(&b);
    cn_run(worlds[0] ? worlds[0]->sim.team : NULL, INT_MAX, step_all, &b);
    forget_places(&b);
    for (int i = 0; i < count; i++)
        if (worlds[i]) cn_check_new_callbacks(worlds[i]);
    if (b.failed < INT_MAX) {
        cn_fail(b.kind, "world %d: %s", b.failed, b.text);
        cn_fail_call(__func__);
    }
    return b.stepped;
}
