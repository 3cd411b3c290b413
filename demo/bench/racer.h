/* racer: a scene that runs in Cairn, or in a peer. What is timed is its work: a step, or a batch of
 * queries, in which case the steps between the batches are not timed. */
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

// All that can fail puts a message on stderr and returns false; so does this.
bool racer_complain(const racer *r, const char *problem);

// A peer that cannot run the scene says so in the result; then nothing is to be stopped.
bool racer_start(racer *r, const scene *subject, const cn_world_def *options, const peer *which,
                 bench_result *out);
void racer_stop(racer *r);
// What is done before the work, and not timed.
bool racer_prepare(racer *r);
// `count` steps, or one batch of queries.
bool racer_work(racer *r, int count);
// Adds to the result what is read after as many steps, outside the timed part; writes the counts.
void racer_observe(const racer *r, int steps, bench_result *out);
void racer_count(const racer *r, bench_result *out);

#endif
