/* sketch_paint: paints a scene's sketch with the colours of a theme. */
#ifndef DEMO_SKETCH_PAINT_H
#define DEMO_SKETCH_PAINT_H

#include "picture.h"
#include "../scenes/sketch.h"

void sketch_paint(const demo_picture *picture, const sketch *s);

// Returns the area of the notes of a sketch; its height is 0 if there are none.
demo_area sketch_notes_area(demo_area world, const sketch *s);

#endif
