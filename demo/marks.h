/* marks: what is special about a shape, drawn on it: the side from which it is solid, how its surface
 * moves. */
#ifndef DEMO_MARKS_H
#define DEMO_MARKS_H

#include "picture.h"

// `seconds` is the world's time, by which belts move.
void marks_draw(const demo_picture *picture, const cn_world *world, cn_shape shape,
                const cn_hull *hull, cn_pose pose, float seconds);

#endif
