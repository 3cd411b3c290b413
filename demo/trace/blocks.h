/* blocks: the time of each block of work of a scene, on one thread (`cairn-bench --cores N`). */
#ifndef DEMO_TRACE_BLOCKS_H
#define DEMO_TRACE_BLOCKS_H

#include "../scenes/scene.h"

typedef enum {
    BLOCKS_JOB,   // a job begins
    BLOCKS_BEGIN, // a stage of `count` blocks begins; that many blocks follow
    BLOCKS_ONE,
    BLOCKS_JOB_ENDS,
    BLOCKS_STAGE, // the stage of the step with the name names[count] ends
    BLOCKS_STEP,  // a step ends
} block_event_kind;

// What happened, and the time since the event before it: in a block for BLOCKS_ONE, else serial.
typedef struct {
    uint8_t kind; // block_event_kind
    int32_t count;
    float us;
} block_event;

typedef struct {
    block_event *events;
    size_t count, capacity;
    const char *names[CN_MAX_STAGES]; // of stages of the step
    int name_count;
} block_trace;

// Records a scene that is stepped on one thread, with its work cut into blocks for `workers`
// workers. The time of each event is its smallest of all runs. Prints a message on stderr and
// returns false if a run fails or if the runs differ.
bool block_trace_record(block_trace *out, const scene *subject, int workers, cn_world_def options,
                        int steps, int runs);
void block_trace_free(block_trace *t);
// Returns the first block of a stage that a worker owns.
int block_trace_first(int worker, int workers, int blocks);

#endif
