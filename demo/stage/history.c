/* A cn_rollback for the world, and copies of the scene's memory and of the view that follows it.
 * States of large worlds are kept less often, so that the memory stays within a limit. A world that
 * has grown beyond twice the limit begins a new history. */
#include "history.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 600, MAX_BYTES = 128 << 20 };

static size_t index_of(const demo_history *h, int step) {
    return (size_t)(step / h->interval % h->capacity);
}

static unsigned char *memory_at(const demo_history *h, const scene_run *run, int step) {
    return h->memories + index_of(h, step) * run->scene->memory_size;
}

static uint64_t state_size(const scene_run *run) {
    return (uint64_t)cn_world_save(run->world, CN_SAVE_MOVING, NULL, 0) + run->scene->memory_size;
}

void history_open(demo_history *h, const scene_run *run) {
    *h = (demo_history){.interval = 1};
    if (run->scene->destroy) return;
    h->interval = 1 + (int)(state_size(run) * STEPS / MAX_BYTES);
    h->capacity = STEPS / h->interval + 1;
    h->states = cn_rollback_create(run->world, h->capacity);
    h->memories = malloc((size_t)h->capacity * run->scene->memory_size + 1);
    h->follows = malloc((size_t)h->capacity * sizeof *h->follows);
    if (!h->states || !h->memories || !h->follows)
        history_close(h);
    else
        history_keep(h, run);
}

void history_close(demo_history *h) {
    cn_rollback_destroy(h->states);
    free(h->memories);
    free(h->follows);
    *h = (demo_history){.interval = 1};
}

void history_keep(demo_history *h, const scene_run *run) {
    if (!h->states || run->step % h->interval != 0) return;
    if (state_size(run) * (uint64_t)h->capacity > 2 * MAX_BYTES) {
        history_close(h);
        history_open(h, run); // which keeps this state
        return;
    }
    if (!cn_rollback_keep(h->states, run->step)) {
        history_close(h); // memory is short
        return;
    }
    if (run->memory) memcpy(memory_at(h, run, run->step), run->memory, run->scene->memory_size);
    h->follows[index_of(h, run->step)] = run->follow;
}

int history_oldest(const demo_history *h) { return h->states ? cn_rollback_oldest(h->states) : -1; }

bool history_go_to(demo_history *h, scene_run *run, int step) {
    if (!h->states || step < history_oldest(h)) return false;
    int newest = cn_rollback_newest(h->states);
    step = step < newest ? step - step % h->interval : newest;
    if (step < history_oldest(h) || !cn_rollback_rewind(h->states, step)) return false;
    if (run->memory) memcpy(run->memory, memory_at(h, run, step), run->scene->memory_size);
    run->follow = h->follows[index_of(h, step)];
    run->step = step;
    return true;
}
