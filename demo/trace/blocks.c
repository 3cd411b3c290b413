/* Records how long each block of work of a scene takes.
 *
 * The world gets a task system that starts no task. By the rule of the engine that no worker waits
 * for a worker that has not started, the thread of the caller then does the blocks of all workers,
 * one after the other, cut as they are for that many workers. The engine tells an observer where
 * each block ends.
 *
 * The runs of a scene are the same bit for bit, so event k is the same work in all of them. Its
 * smallest time is the one that other programs disturbed least. */
#include "../../engine/core/world/world.h"
#include "blocks.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    block_trace *out;
    size_t at;     // the index of the next event
    bool is_first; // run; the others only shorten times
    bool differs, is_full;
    double last; // us
} recorder;

static double now_us(void) { return cn_clock_seconds() * 1e6; }

static bool append(block_trace *t, block_event event) {
    if (t->count == t->capacity) {
        const size_t capacity = t->capacity ? 2 * t->capacity : 1 << 16;
        block_event *events = realloc(t->events, capacity * sizeof *events);
        if (!events) return false;
        t->events = events, t->capacity = capacity;
    }
    t->events[t->count++] = event;
    return true;
}

// Adds the event to the trace in the first run, and shortens its time in the others.
static void add_event(recorder *r, block_event_kind kind, int count) {
    const float us = (float)(now_us() - r->last);
    if (r->is_first) {
        r->is_full |= !append(r->out, (block_event){(uint8_t)kind, count, us});
    } else if (r->at < r->out->count) {
        block_event *event = &r->out->events[r->at++];
        r->differs |= event->kind != kind || event->count != count;
        if (us < event->us) event->us = us;
    } else {
        r->differs = true;
    }
    r->last = now_us();
}

static int index_of(block_trace *t, const char *name) {
    for (int i = 0; i < t->name_count; i++)
        if (t->names[i] == name) return i;
    if (t->name_count == CN_MAX_STAGES) return t->name_count - 1;
    t->names[t->name_count] = name;
    return t->name_count++;
}

static void observe(void *user, cn_team_event event, int count, const char *name) {
    recorder *r = user;
    switch (event) {
    case CN_TEAM_JOB_BEGINS: add_event(r, BLOCKS_JOB, count); break;
    case CN_TEAM_BLOCKS_BEGIN: add_event(r, BLOCKS_BEGIN, count); break;
    case CN_TEAM_BLOCK_ENDS: add_event(r, BLOCKS_ONE, 1); break;
    case CN_TEAM_JOB_ENDS: add_event(r, BLOCKS_JOB_ENDS, 1); break;
    case CN_TEAM_STAGE_ENDS: add_event(r, BLOCKS_STAGE, index_of(r->out, name)); break;
    }
}

// ------------------------------------------------------------------------------------------- runs

static void *start_nothing(cn_task *task, void *context, int count, void *user) {
    (void)task, (void)context, (void)count, (void)user;
    return NULL;
}

static void finish_nothing(void *handle, void *user) { (void)handle, (void)user; }

static bool record_steps(recorder *r, scene_run *run, int steps) {
    cn_team_observe(run->world->sim.team, observe, r);
    for (int i = 0; i < steps; i++) {
        if (!scene_act(run)) return false;
        r->last = now_us();
        if (!scene_advance(run, 1.0f / 60)) return false;
        add_event(r, BLOCKS_STEP, 1);
    }
    r->differs |= !r->is_first && r->at != r->out->count;
    return true;
}

static bool report(const scene *subject, const char *problem) {
    fprintf(stderr, "cairn-bench: scene %s: %s\n", subject->name, problem);
    return false;
}

static bool record_run(block_trace *out, bool is_first, const scene *subject, cn_world_def options,
                       int steps) {
    recorder r = {.out = out, .is_first = is_first};
    scene_run run;
    if (!scene_start(&run, subject, options)) return report(subject, cn_error());
    const bool done = record_steps(&r, &run, steps);
    scene_stop(&run);
    if (!done) return report(subject, cn_error());
    if (r.is_full) return report(subject, "out of memory");
    return !r.differs || report(subject, "two runs differ");
}

bool block_trace_record(block_trace *out, const scene *subject, int workers, cn_world_def options,
                        int steps, int runs) {
    options.threads = workers;
    options.tasks = (cn_task_system){start_nothing, finish_nothing, NULL};
    *out = (block_trace){0};
    for (int run = 0; run < runs; run++)
        if (!record_run(out, run == 0, subject, options, steps)) {
            block_trace_free(out);
            return false;
        }
    return true;
}

void block_trace_free(block_trace *t) {
    free(t->events);
    *t = (block_trace){0};
}

int block_trace_first(int worker, int workers, int blocks) {
    return cn_first_block_of(worker, workers, blocks);
}
