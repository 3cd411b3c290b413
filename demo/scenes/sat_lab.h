/* The state of the SAT lab, shared by the scene and by the part of the demo that draws it. */
#ifndef DEMO_SAT_LAB_H
#define DEMO_SAT_LAB_H

#include "../scene.h"

// The scene's memory. Hulls and poses are those of the world's shapes and bodies.
typedef struct {
    cn_body bodies[2];
    cn_shape shapes[2];
    int kinds[2];
    int chosen; // the hull that keys turn: 0 or 1
    bool held;  // the mouse holds the chosen hull...
    vec2s grip; // ... at this distance from its origin
} sat_lab;

extern const scene scene_sat_lab;

int sat_lab_kinds(void);
const char *sat_lab_kind_name(int kind);
// Gives a hull (0: A, 1: B) another kind. False and cn_error() if it failed.
bool sat_lab_set_kind(cn_world *world, sat_lab *lab, int side, int kind);

#endif
