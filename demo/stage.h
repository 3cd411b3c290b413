/* stage: a scene that runs, at a fixed rate, while something looks at it.
 *
 * The world advances in whole steps of STAGE_STEP seconds whatever the display does. The poses
 * after the last two steps are kept here, and what is drawn lies between them: moving one step
 * late, but smoothly. */
#ifndef DEMO_STAGE_H
#define DEMO_STAGE_H

#include "grab.h"
#include "scene.h"

#define STAGE_STEP (1.0f / 60)

// The bodies of the world at one time, in slot order.
typedef struct {
    cn_body_state *states;
    int count, capacity;
} stage_poses;

typedef struct {
    scene_run run;
    cn_world_def options; // what scenes are started with
    demo_grab grab;
    stage_poses before, now, drawn; // after the last step but one, after the last, and in between
    float owed;                     // seconds of the display's time not yet stepped
    float speed;                    // of the world's time against the display's
    bool paused;
    bool failed; // a step failed: cn_error() said why, and the stage is paused
    char error[256];
} demo_stage;

// Starts a scene. False if it could not be made: then the stage has no world, and `error` says why.
bool stage_open(demo_stage *stage, const scene *chosen, const cn_world_def *options);
void stage_close(demo_stage *stage);
// The same scene or another one from the start; pause and speed stay. False as above.
bool stage_restart(demo_stage *stage, const scene *chosen);

// One step now. False if it failed.
bool stage_step(demo_stage *stage);
// Takes the steps due after `seconds` of the display's time (none while paused).
void stage_advance(demo_stage *stage, float seconds);
// Reads the poses to be drawn: between the last two steps, or exactly the last one.
const stage_poses *stage_draw_poses(demo_stage *stage, bool exact);
// Reads the poses again after something other than a step changed them.
void stage_refresh(demo_stage *stage);

#endif
