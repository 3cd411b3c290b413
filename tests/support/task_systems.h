/* Task systems for tests of threads: they start tasks in another order, late, or never. */
#ifndef TESTS_TASK_SYSTEMS_H
#define TESTS_TASK_SYSTEMS_H

#include "physics.h"

#include <pthread.h>

enum { MAX_WORKERS = 8 };

// The arguments of start(), which are also its handle. `user` of the system points to it.
typedef struct {
    cn_task *task;
    void *context;
    int count;
    pthread_t threads[MAX_WORKERS];
    int started, finished; // calls
} task_calls;

static inline task_calls *take_tasks(task_calls *c, cn_task *task, void *context, int count) {
    assert_int_equal(c->started, c->finished); // never two calls at once
    assert_in_range(count, 1, MAX_WORKERS - 1);
    c->task = task, c->context = context, c->count = count;
    c->started++;
    return c;
}

static inline void end_tasks(void *handle, void *user) {
    assert_ptr_equal(handle, user);
    ((task_calls *)user)->finished++;
}

static inline void *start_serial(cn_task *task, void *context, int count, void *user) {
    for (int i = 0; i < count; i++) task(context, i);
    return take_tasks(user, task, context, count);
}

static inline void *start_reverse(cn_task *task, void *context, int count, void *user) {
    for (int i = count; i-- > 0;) task(context, i);
    return take_tasks(user, task, context, count);
}

// No worker starts before the caller has done everything.
static inline void *start_late(cn_task *task, void *context, int count, void *user) {
    return take_tasks(user, task, context, count);
}

static inline void end_late(void *handle, void *user) {
    task_calls *c = user;
    for (int i = 0; i < c->count; i++) c->task(c->context, i);
    end_tasks(handle, user);
}

typedef struct {
    task_calls *call;
    int index;
} task_start;

static inline void *run_task(void *argument) {
    task_start e = *(task_start *)argument;
    free(argument);
    e.call->task(e.call->context, e.index);
    return NULL;
}

static inline void *start_threads(cn_task *task, void *context, int count, void *user) {
    task_calls *c = take_tasks(user, task, context, count);
    for (int i = 0; i < count; i++) {
        task_start *e = malloc(sizeof *e);
        *e = (task_start){c, i};
        assert_int_equal(pthread_create(&c->threads[i], NULL, run_task, e), 0);
    }
    return c;
}

static inline void end_threads(void *handle, void *user) {
    task_calls *c = user;
    for (int i = 0; i < c->count; i++) pthread_join(c->threads[i], NULL);
    end_tasks(handle, user);
}

enum { OWN_THREADS, LATE, NEVER, SYSTEMS = 6 };

static const cn_task_system systems[SYSTEMS] = {
    [OWN_THREADS] = {0},
    [LATE] = {start_late, end_late, NULL},
    [NEVER] = {start_late, end_tasks, NULL},
    {start_serial, end_tasks, NULL},
    {start_reverse, end_tasks, NULL},
    {start_threads, end_threads, NULL},
};

// Returns a task system that records its calls.
static inline cn_task_system record_calls(int system, task_calls *c) {
    cn_task_system tasks = systems[system];
    tasks.user = c;
    return tasks;
}

// Checks that a world on several threads has used the system.
static inline void check_calls(int system, const task_calls *c) {
    assert_int_equal(c->started, c->finished);
    assert_true(c->started > 0 || !systems[system].start);
}

#endif
