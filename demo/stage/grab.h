/* grab: the mouse pulls a body with a soft, critically damped spring. */
#ifndef DEMO_GRAB_H
#define DEMO_GRAB_H

#include "../../engine/cairn.h"

typedef struct {
    cn_body body; // null: none is grabbed
    vec2s anchor; // the grabbed point, in the body's frame
    vec2s target; // the position of the mouse, world
    float effort; // 0: not yet; grows while something holds the body back
} demo_grab;

// Grabs the dynamic body at a point, or within `reach` of it. Returns false if there is none.
bool grab_start(demo_grab *grab, const cn_world *world, vec2s point, float reach);
void grab_end(demo_grab *grab);
// Applies the spring's force for the next step. Releases a body that no longer exists, or that is
// no longer dynamic.
void grab_pull(demo_grab *grab, cn_world *world, float dt);
// Returns the present position of the grabbed point, world.
vec2s grab_point(const demo_grab *grab, const cn_world *world);
static inline bool grab_is_active(const demo_grab *grab) { return grab->body.id != 0; }

#endif
