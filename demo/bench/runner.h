/* runner: a scene that runs in Cairn or in a peer. The timed work is a step or a batch of queries.
 * Steps between batches are not timed. */
#ifndef DEMO_RUNNER_H
#define DEMO_RUNNER_H

#include "bench.h"
#include "mirror.h"

typedef struct {
    const scene *scene;
    scene_run run;
    mirror *mirror; // NULL: the scene runs in Cairn
    query_batch batch;
    query_result total; // of all batches
    int steps;          // steps taken
} runner;

// Prints a message on stderr and returns false. Every function here does so if it fails.
bool runner_report_error(const runner *r, const char *problem);

// If a peer cannot run the scene, the result has a refusal, and the runner need not be stopped.
bool runner_start(runner *r, const scene *subject, const cn_world_def *options, const peer *which,
                  bench_result *out);
void runner_stop(runner *r);
// Does the work that is not timed: the calls of a mirrored scene before a step, or the step before
// a batch of queries.
bool runner_prepare(runner *r);
// Does the timed work: `count` steps, or one batch of queries.
bool runner_work(runner *r, int count);
// Adds the awake bodies and the times of the stages of the last `steps` steps to the result. Not
// timed.
void runner_observe(const runner *r, int steps, bench_result *out);
// Writes the counts at the end of a run.
void runner_count(const runner *r, bench_result *out);

#endif
