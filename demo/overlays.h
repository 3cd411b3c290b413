/* overlays: what can be drawn over a scene, by name, by key and by check box. */
#ifndef DEMO_OVERLAYS_H
#define DEMO_OVERLAYS_H

#include "../engine/cairn.h"

// Beside the engine's own: sleeping bodies are shown paler. And for the command line: what is on if it
// says nothing.
enum { OVERLAY_SLEEP = 1 << 16, OVERLAY_DEFAULT = 1 << 17 };

typedef struct {
    const char *name;  // on the command line
    const char *label; // in the panel
    const char *key;   // one capital letter
    uint32_t flag;     // of cn_draw_flags, or OVERLAY_SLEEP
} overlay;

static const overlay overlays[] = {
    {"contacts", "Contacts", "C", CN_DRAW_CONTACTS},
    {"normals", "Normals", "N", CN_DRAW_NORMALS},
    {"edges", "Reference edges", "E", CN_DRAW_REFERENCE_EDGES},
    {"boxes", "Boxes of shapes", "B", CN_DRAW_BOUNDS},
    {"tree", "Boxes of the tree", "T", CN_DRAW_TREE},
    {"islands", "Islands", "I", CN_DRAW_ISLANDS},
    {"mass", "Centres of mass", "M", CN_DRAW_MASS},
    {"joints", "Joints", "J", CN_DRAW_JOINTS},
    {"sleep", "Sleep (paler)", "Z", OVERLAY_SLEEP},
};
enum { OVERLAY_COUNT = sizeof overlays / sizeof *overlays };

#endif
