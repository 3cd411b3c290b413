/* cores: how long the steps of a scene would take on several cores (`cairn-bench --cores N`).
 *
 *   cores.c   plays the blocks of a step on N workers, and prints the predicted times
 *   near.c    measures how long a cache line takes between cores of this machine */
#ifndef DEMO_CORES_H
#define DEMO_CORES_H

#include "../trace/blocks.h"
#include "bench.h"

// ------------------------------------------------------------------------------- predicted times

// The time of one part of a step, in us per step.
typedef struct {
    double work;             // on one worker
    double serial;           // the part of the work that other workers cannot take over
    double span;             // of the rest, on all workers, with barriers
    double barriers, single; // barriers per step; barriers after a stage of one block
} cores_time;

typedef struct {
    cores_time all, stages[CN_MAX_STAGES];
    int steps; // without those of the warm-up
} cores_result;

// Plays the trace on that many workers. Ignores the first `warm_up` steps.
cores_result cores_play(const block_trace *t, int workers, int warm_up);
// Measures all scenes of the settings and prints a line for each.
bool cores_measure(const bench_settings *settings, const bench_machine *machine);

// ------------------------------------------------------------------------ time between the cores

// Returns how long a cache line takes from one core to another one and back, in ns: the longest
// among the first `cores` cores that this program may use. 0 if the system does not allow it.
double near_round_trip(int cores);

#endif
