/* The state of the SAT lab, shared by the scene and by the part of the demo that draws the lab. */
#ifndef DEMO_SAT_LAB_H
#define DEMO_SAT_LAB_H

#include "../scene.h"

// The scene's memory. The hulls and poses are in the shapes and bodies of the world.
typedef struct {
    cn_body bodies[2];
    cn_shape shapes[2];
    int kinds[2];
    int chosen; // the hull that the keys turn: 0 or 1
    bool held;  // the mouse drags the chosen hull
    vec2s grip; // where the mouse drags it, relative to its origin
} sat_lab;

extern const scene scene_sat_lab;

int sat_lab_kinds(void);
const char *sat_lab_kind_name(int kind);
// Replaces a hull (0: A, 1: B) by one of another type. Returns false if it fails, and cn_error()
// says why.
bool sat_lab_set_kind(cn_world *world, sat_lab *lab, int side, int kind);

#endif
