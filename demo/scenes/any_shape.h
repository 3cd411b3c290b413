/* One body of any kind of shape, for scenes that want a mixture. */
#ifndef DEMO_ANY_SHAPE_H
#define DEMO_ANY_SHAPE_H

#include "../scene.h"

// Adds a body of a random kind, about `size` in radius, turned at random. False if it failed.
bool add_any_shape(cn_world *world, scene_random *random, float x, float y, float size);

#endif
