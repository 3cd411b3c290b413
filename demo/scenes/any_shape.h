/* A body with a random shape, for scenes that need a mixture. */
#ifndef DEMO_ANY_SHAPE_H
#define DEMO_ANY_SHAPE_H

#include "scene.h"

// Adds a body of a random type, about `size` in radius, at a random angle. Returns false if it
// fails.
bool add_any_shape(cn_world *world, scene_random *random, float x, float y, float size);

#endif
