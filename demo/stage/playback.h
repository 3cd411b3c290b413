/* playback: plays a recording of calls (cn_recording_begin()) as a scene, and records a world to a
 * file. */
#ifndef DEMO_PLAYBACK_H
#define DEMO_PLAYBACK_H

#include "../scenes/scene.h"

#include <stdio.h>

// Reads a recording from a file. Returns a scene that plays it, or NULL, with a message on stderr.
// The scene stays valid until the second call after this one.
const scene *playback_load(const char *path);
// Starts the replay of a scene from playback_load(). Returns NULL for other scenes, and if it
// fails.
cn_replay *playback_start(const scene *chosen, const cn_world_def *options);
bool playback_is(const scene *chosen);

typedef enum { PLAYBACK_STEPPED, PLAYBACK_ENDED, PLAYBACK_FAILED } playback_result;

// Makes the calls up to the end of the next step. Fails, with a message in `error`, if the
// recording is damaged, or if the world differs from the recorded one.
playback_result playback_step(cn_replay *replay, char *error, size_t error_size);

// True if all steps of the recording have been made. False if `replay` is NULL.
bool playback_has_ended(const cn_replay *replay);

// Begins to record a world to a file. Each call is in the file before it is made. Returns NULL if
// that fails, with a message on stderr.
FILE *playback_record(cn_world *world, const char *path);

#endif
