/* racer: a scene that runs in Cairn or in a peer. The timed work is a step or a batch of queries.
 * Steps between batches are not timed. */
#ifndef DEMO_RACER_H
#define DEMO_RACER_H

#include "bench.h"
#include "mirror.h"

typedef struct {
    const scene *scene;
    scene_run run;
    mirror *mirror; // NULL: the scene runs in Cairn
    query_batch batch;
    query_answer answer; // of all batches
    int steps;           // steps taken
} racer;

// Prints a message on stderr and returns false. Every function here does so if it fails.
bool racer_complain(const racer *r, const char *problem);

// If a peer cannot run the scene, the result has a refusal, and the racer need not be stopped.
bool racer_start(racer *r, const scene *subject, const cn_world_def *options, const peer *which,
                 bench_result *out);
void racer_stop(racer *r);
// Does the work that is not timed: the calls of a mirrored scene before a step, or the step before
// a batch of queries.
bool racer_prepare(racer *r);
// Does the timed work: `count` steps, or one batch of queries.
bool racer_work(racer *r, int count);
// Adds the awake bodies and the times of the stages of the last `steps` steps to the result. Not
// timed.
void racer_observe(const racer *r, int steps, bench_result *out);
// Writes the counts at the end of a run.
void racer_count(const racer *r, bench_result *out);

#endif
