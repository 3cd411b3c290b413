/* particles_paint: draws particles on a picture. */
#ifndef DEMO_PARTICLES_PAINT_H
#define DEMO_PARTICLES_PAINT_H

#include "particles.h"
#include "picture.h"

// Draws them as they are `ahead` seconds later, or earlier if it is negative.
// Draws the dust, or all other particles.
void particles_paint(const demo_picture *picture, const demo_particles *particles, float ahead,
                     bool dust);

#endif
