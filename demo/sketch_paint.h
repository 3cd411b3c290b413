/* sketch_paint: paints a scene's sketch with the colours of a theme. */
#ifndef DEMO_SKETCH_PAINT_H
#define DEMO_SKETCH_PAINT_H

#include "picture.h"
#include "sketch.h"

void sketch_paint(const demo_picture *picture, const sketch *s);

#endif
