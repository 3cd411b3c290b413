/* racer: a scene that runs in Cairn or in a peer. The timed work is a step, or a batch of queries.
 * In the second case the steps between the batches are not timed. */
#ifndef DEMO_RACER_H
#define DEMO_RACER_H

#include "bench.h"
#include "mirror.h"

typedef struct {
    const scene *scene;
    scene_run run;
    mirror *mirror; // NULL: Cairn
    query_batch batch;
    query_answer answer; // of all batches
    int steps;           // taken
} racer;

// Prints a message on stderr and returns false, as every function here does if it fails.
bool racer_complain(const racer *r, const char *problem);

// If a peer cannot run the scene, the result says so. Then there is nothing to stop.
bool racer_start(racer *r, const scene *subject, const cn_world_def *options, const peer *which,
                 bench_result *out);
void racer_stop(racer *r);
// Does the preparations, which are not timed.
bool racer_prepare(racer *r);
// Does `count` steps, or one batch of queries.
bool racer_work(racer *r, int count);
// Reads the state after this many steps, outside the timed part: adds to the result and writes the
// counts.
void racer_observe(const racer *r, int steps, bench_result *out);
void racer_count(const racer *r, bench_result *out);

#endif
