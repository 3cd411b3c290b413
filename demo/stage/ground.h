/* ground: fills the solid side of chains. */
#ifndef DEMO_GROUND_H
#define DEMO_GROUND_H

#include "picture.h"

void ground_draw(const demo_picture *picture, const cn_world *world);

#endif
