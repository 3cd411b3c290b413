/* cores: how long the steps of a scene would take on several cores (`cairn-bench --cores N`).
 *
 *   trace.c   runs a scene on one thread and records how long each block of work takes
 *   cores.c   plays the blocks on N workers, and prints what comes out
 *   near.c    measures how far the cores of this machine are from one another */
#ifndef DEMO_CORES_H
#define DEMO_CORES_H

#include "bench.h"

// ---------------------------------------------------------------------------- trace: blocks of
// work

typedef enum {
    TRACE_JOB,    // a job begins
    TRACE_BLOCKS, // a stage of `count` blocks begins; that many blocks follow
    TRACE_BLOCK,
    TRACE_JOB_ENDS,
    TRACE_STAGE, // the stage of the step with the name names[count] ends
    TRACE_STEP,  // a step ends
} trace_kind;

// What happened, and the time since the event before it: in a block for TRACE_BLOCK, else serial.
typedef struct {
    uint8_t kind; // trace_kind
    int32_t count;
    float us;
} trace_event;

typedef struct {
    trace_event *events;
    size_t count, capacity;
    const char *names[CN_MAX_STAGES]; // of stages of the step
    int name_count;
} trace;

// Records a scene that is stepped on one thread, with its work cut into blocks for `workers`
// workers. The time of each event is its smallest of all runs. Prints a message on stderr and
// returns false if a run fails or if the runs differ.
bool trace_record(trace *out, const scene *subject, int workers, const bench_settings *settings);
void trace_free(trace *t);

// --------------------------------------------------------------------------- cores: what they
// bring

// The time of one part of a step, in us per step.
typedef struct {
    double work;             // on one worker
    double serial;           // the part of the work that no other worker can share
    double span;             // of the rest, on all workers, with barriers
    double barriers, single; // barriers per step; those after only one block
} cores_time;

typedef struct {
    cores_time all, stages[CN_MAX_STAGES];
    int steps; // without those of the warm-up
} cores_result;

// Plays the trace on that many workers. Ignores the first `warm_up` steps.
cores_result cores_play(const trace *t, int workers, int warm_up);
// Measures all scenes of the settings and prints a line for each.
bool cores_measure(const bench_settings *settings, const bench_machine *machine);

// ------------------------------------------------------------------- near: a cache line on its way

// Returns how long a cache line takes from one core to another one and back, in ns: the longest
// among the first `cores` cores that this program may use. 0 if the system cannot tell.
double near_round_trip(int cores);

#endif
