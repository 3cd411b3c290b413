/* record: writes a picture as a PNG file, or all pictures as a film. */
#ifndef DEMO_RECORD_H
#define DEMO_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum { RECORD_UNKNOWN, RECORD_GIF, RECORD_MP4, RECORD_DIRECTORY } record_format;

typedef struct {
    record_format format;
    const char *path;
    FILE *pipe;        // to ffmpeg
    int width, height; // pixels
    int steps;         // counted by record_wants_frame()
    int frames;        // written
} demo_record;

// True if the path has this lower-case ending. Ignores the case of the path.
bool record_has_ending(const char *path, const char *ending);
// Returns the format that a path's ending stands for. A path without an ending, or of an existing
// directory, stands for a directory.
record_format record_format_of(const char *path);

// The functions below that can fail print a message on stderr and return false.
bool record_open(demo_record *record, const char *path, int width, int height);
// True if the picture after this step is to be written. A GIF takes every second one.
// Call it once a step.
bool record_wants_frame(demo_record *record);
bool record_frame(demo_record *record, const unsigned char *rgba);
bool record_close(demo_record *record);
bool record_png(const char *path, const unsigned char *rgba, int width, int height);

#endif
