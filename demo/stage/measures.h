/* measures: overlays that the demo draws itself: velocities, impulses and overlap. */
#ifndef DEMO_MEASURES_H
#define DEMO_MEASURES_H

#include "picture.h"

void measures_draw(const demo_picture *picture, cn_world *world);

#endif
