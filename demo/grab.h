/* grab: a body held by the mouse, as by a soft, critically damped spring. */
#ifndef DEMO_GRAB_H
#define DEMO_GRAB_H

#include "../engine/cairn.h"

typedef struct {
    cn_body body; // null: nothing is held
    vec2s anchor; // the point that was grabbed, in the body's frame
    vec2s target; // where the mouse is, world
} demo_grab;

// Takes hold of the dynamic body at a point, or within `reach` of it. False if there is none.
bool grab_start(demo_grab *grab, const cn_world *world, vec2s point, float reach);
void grab_end(demo_grab *grab);
// Applies the spring's force for the step to come; lets go of a body that no longer exists.
void grab_pull(demo_grab *grab, cn_world *world, float dt);
// The grabbed point now, world.
vec2s grab_point(const demo_grab *grab, const cn_world *world);
static inline bool grab_holds(const demo_grab *grab) { return grab->body.id != 0; }

#endif
