/* The state of the SAT lab, shared by the scene and by the part of the demo that draws the lab. */
#ifndef DEMO_SAT_LAB_H
#define DEMO_SAT_LAB_H

#include "scene.h"

// The scene's memory. The hulls and poses are in the shapes and bodies of the world.
typedef struct {
    cn_body bodies[2];
    cn_shape shapes[2];
    int hulls[2];      // indices, see sat_lab_hull_name()
    int chosen;        // the hull that the keys turn: 0 or 1
    int lesson;        // the step of the explanation that is shown; 0: the whole picture
    bool is_dragged;   // the mouse drags the chosen hull
    vec2s drag_offset; // where the mouse drags it, relative to its origin
} sat_lab;

enum { SAT_LAB_LESSONS = 6 };

extern const scene scene_sat_lab;

int sat_lab_hull_count(void);
const char *sat_lab_hull_name(int index);
// Replaces a hull (0: A, 1: B) by one of another type. Returns false if it fails, and cn_error()
// says why.
bool sat_lab_set_hull(cn_world *world, sat_lab *lab, int side, int index);

#endif
