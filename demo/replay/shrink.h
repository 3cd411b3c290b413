/* Shrinks a recording to the calls that are needed for a failure. */
#ifndef REPLAY_SHRINK_H
#define REPLAY_SHRINK_H

#include <stdbool.h>
#include <stddef.h>

// Returns whether a recording still shows the failure.
typedef bool still_fails(const void *bytes, size_t size, void *user);

// Leaves out calls as long as the failure stays. Returns the shorter recording and its size; free()
// it. Returns NULL if the bytes are not a recording, or do not show the failure. `tries` receives
// the number of recordings that were tested.
void *shrink_recording(const void *bytes, size_t size, still_fails *fails, void *user,
                       size_t *left_size, int *tries);

#endif
