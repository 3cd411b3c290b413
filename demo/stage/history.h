/* history: keeps the last ten seconds of a scene, to rewind it. */
#ifndef DEMO_HISTORY_H
#define DEMO_HISTORY_H

#include "../scenes/scene.h"

typedef struct {
    cn_rollback *states;     // NULL: the scene cannot go back
    unsigned char *memories; // of the scene, one for each kept state
    float *follows;          // scene_run.follow, by the same index
    int capacity;            // kept states
    int interval;            // steps between two of them
} demo_history;

// Begins with the present state. A scene that owns more than its world and its memory keeps
// nothing.
void history_open(demo_history *history, const scene_run *run);
void history_close(demo_history *history);
// Call this after each step.
void history_keep(demo_history *history, const scene_run *run);
// Returns the first step to which the scene can be rewound, or -1.
int history_oldest(const demo_history *history);
// Rewinds the scene to the last kept state that is not after this step. Returns false if there is
// none.
bool history_go_to(demo_history *history, scene_run *run, int step);

#endif
