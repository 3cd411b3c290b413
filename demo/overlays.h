/* overlays: what can be drawn over a scene. Each overlay has a name, a key and a check box. */
#ifndef DEMO_OVERLAYS_H
#define DEMO_OVERLAYS_H

#include "../engine/cairn.h"

// Flags in addition to cn_draw_flags. OVERLAY_SLEEP shows sleeping bodies paler. OVERLAY_DEFAULT
// stands for the scene's own overlays until the command line is read.
enum { OVERLAY_SLEEP = 1 << 16, OVERLAY_DEFAULT = 1 << 17 };

typedef struct {
    const char *name;  // for --overlay
    const char *label; // in the panel
    const char *key;   // one capital letter
    uint32_t flag;     // one of cn_draw_flags, or OVERLAY_SLEEP
} overlay;

static const overlay overlays[] = {
    {"contacts", "Contacts", "C", CN_DRAW_CONTACTS},
    {"normals", "Normals", "N", CN_DRAW_NORMALS},
    {"edges", "Reference edges", "E", CN_DRAW_REFERENCE_EDGES},
    {"boxes", "Shape boxes", "B", CN_DRAW_BOUNDS},
    {"tree", "Tree boxes", "T", CN_DRAW_TREE},
    {"islands", "Islands", "I", CN_DRAW_ISLANDS},
    {"mass", "Centres of mass", "M", CN_DRAW_MASS},
    {"joints", "Joints", "J", CN_DRAW_JOINTS},
    {"sleep", "Sleep (paler)", "Z", OVERLAY_SLEEP},
};
enum { OVERLAY_COUNT = sizeof overlays / sizeof *overlays };

#endif
