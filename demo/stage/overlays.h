/* overlays: what can be drawn over a scene. Each overlay has a name, a key and a check box. */
#ifndef DEMO_OVERLAYS_H
#define DEMO_OVERLAYS_H

#include "../../engine/cairn.h"

// Flags in addition to cn_draw_flags. OVERLAY_SLEEP shows sleeping bodies paler. OVERLAY_DEFAULT
// stands for the scene's own overlays until the command line is read.
enum {
    OVERLAY_SLEEP = 1 << 16,
    OVERLAY_DEFAULT = 1 << 17,
    OVERLAY_VELOCITIES = 1 << 18, // these three: measures.h
    OVERLAY_IMPULSES = 1 << 19,
    OVERLAY_OVERLAP = 1 << 20,
};
#define OVERLAY_VELOCITY_COLOR 0x06D6A0FFu
#define OVERLAY_IMPULSE_COLOR  0xF72585FFu

typedef struct {
    const char *name;  // for --overlay
    const char *label; // in the panel
    const char *key;   // one capital letter, or a sign
    uint32_t flag;     // one of cn_draw_flags, or OVERLAY_SLEEP
    uint32_t color;    // 0xRRGGBBAA, that it draws in most; 0: none
} overlay;

static const overlay overlays[] = {
    {"contacts", "Contacts", "C", CN_DRAW_CONTACTS, 0xF4F1DEFF},
    {"normals", "Normals", "N", CN_DRAW_NORMALS, 0xF2CC8FFF},
    {"edges", "Reference edges", "E", CN_DRAW_REFERENCE_EDGES, 0xEF476FFF},
    {"boxes", "Shape boxes", "B", CN_DRAW_BOUNDS, 0x81B29AFF},
    {"tree", "Tree boxes", "T", CN_DRAW_TREE, 0x56CFE1FF},
    {"islands", "Islands", "I", CN_DRAW_ISLANDS, 0xFFD166FF},
    {"mass", "Centres of mass", "M", CN_DRAW_MASS, 0xE05252FF},
    {"joints", "Joints", "J", CN_DRAW_JOINTS, 0x06D6A0FF},
    {"velocities", "Velocities", "/", OVERLAY_VELOCITIES, OVERLAY_VELOCITY_COLOR},
    {"impulses", "Contact impulses", "'", OVERLAY_IMPULSES, OVERLAY_IMPULSE_COLOR},
    {"overlap", "Overlap (red: 1 cm)", ";", OVERLAY_OVERLAP, 0xFFD166FF},
    {"sleep", "Sleeping (paler)", "Z", OVERLAY_SLEEP, 0},
};
enum { OVERLAY_COUNT = sizeof overlays / sizeof *overlays };

#endif
