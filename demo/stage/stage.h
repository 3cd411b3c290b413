/* stage: a scene that runs at a fixed rate, whatever the rate of the display.
 *
 * The world advances in steps of STAGE_STEP seconds. The stage keeps the poses after the last two
 * steps and interpolates the drawn poses between them. Motion on the screen is therefore smooth,
 * and one step late. */
#ifndef DEMO_STAGE_H
#define DEMO_STAGE_H

#include "grab.h"
#include "history.h"
#include "playback.h"
#include "show.h"

#define STAGE_STEP (1.0f / 60) // seconds

// The bodies of the world at one time, in slot order.
typedef struct {
    cn_body_state *states;
    int count, capacity;
} stage_poses;

enum { STAGE_MAX_PATH = 100 }; // of a recording, as it is shown

typedef struct {
    scene_run run;
    cn_replay *replay; // plays a recording: the world is that of the replay; NULL: a scene
    FILE *recording;   // the calls on the world go to this file; NULL: none
    char recording_path[STAGE_MAX_PATH];
    cn_world_def options;               // for starting scenes
    float values[SCENE_MAX_PARAMETERS]; // of the scene's parameters, for the next start
    demo_grab grab;
    demo_history history;
    demo_show *show;         // particles and sounds; the caller's; NULL: none
    stage_poses before, now; // after the step before the last one, after the last one
    stage_poses drawn;       // interpolated between these two
    float unstepped;         // seconds of the world's time that are due but not stepped
    float speed;             // seconds of the world's time per second of the display's time
    bool paused;
    bool failed;      // the scene or a step failed, and the stage is paused
    char error[256];  // the text of cn_error() at that time
    char notice[256]; // for the user, until the next key or click: what went wrong, or is done
} demo_stage;

// Tells the user something: on the picture, and on stderr.
void stage_tell(demo_stage *stage, const char *format, ...);

// Starts a scene with values for its parameters. Returns false if that fails. The stage then has no
// world, and `error` says why.
bool stage_open(demo_stage *stage, const scene *chosen, const float *values,
                const cn_world_def *options);
void stage_close(demo_stage *stage);
// Starts the same scene, with stage.values, or another one, with its defaults. Keeps the speed, and
// the pause unless the stage was paused by a failure or the end of a recording. Returns false as
// above.
bool stage_restart(demo_stage *stage, const scene *chosen);
// The same with these values; NULL: as above.
bool stage_restart_with(demo_stage *stage, const scene *chosen, const float *values);

// Starts to record the scene to a file, or ends the recording. Returns false if it fails, with a
// message on stderr. A restart ends the recording, too.
bool stage_record(demo_stage *stage, const char *path);
bool stage_end_recording(demo_stage *stage);

// Takes one step. Returns false if it fails.
bool stage_step(demo_stage *stage);
// The two halves of a step of a scene: what the user and the scene do before it, and the step of
// the world. Return false if they fail. The first one fails for a recording, without a message.
bool stage_begin_step(demo_stage *stage);
bool stage_end_step(demo_stage *stage);
// The steps that stage_go_to() can reach: those of the last ten seconds, or of the recording.
void stage_range(const demo_stage *stage, int *first, int *last);
// Goes back to the last kept state that is not after this step. In a recording, goes to this step,
// back or forward.
bool stage_go_to(demo_stage *stage, int step);
// Takes the steps that are due after `seconds` more of the display's time. Takes none while paused.
void stage_advance(demo_stage *stage, float seconds);
// Returns the poses to draw: between the last two steps, or exactly those after the last step.
const stage_poses *stage_draw_poses(demo_stage *stage, bool exact);
// Reads the poses again. Call it when something other than a step changed them.
void stage_refresh(demo_stage *stage);

#endif
