/* record: pictures out of the program, one PNG or a whole film. */
#ifndef DEMO_RECORD_H
#define DEMO_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum { RECORD_UNKNOWN, RECORD_GIF, RECORD_MP4, RECORD_DIRECTORY } record_kind;

typedef struct {
    record_kind kind;
    const char *path;
    FILE *pipe; // to ffmpeg
    int width, height;
    int steps, frames; // seen, written
} demo_record;

// Does the path end so, in either case of letters?
bool record_has_ending(const char *path, const char *ending);
// What a path asks for: by its ending, a directory if it has none or already is one.
record_kind record_kind_of(const char *path);

// All of these print a message on stderr and return false if they fail.
bool record_open(demo_record *record, const char *path, int width, int height);
// Should the picture after this step be written? A GIF takes every other one.
bool record_wants_frame(demo_record *record);
bool record_frame(demo_record *record, const unsigned char *rgba);
bool record_close(demo_record *record);
bool record_png(const char *path, const unsigned char *rgba, int width, int height);

#endif
