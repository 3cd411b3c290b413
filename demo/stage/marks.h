/* marks: drawn on special shapes. They show the solid side of a one-way shape and the motion of a
 * conveyor belt. */
#ifndef DEMO_MARKS_H
#define DEMO_MARKS_H

#include "picture.h"

// `seconds` is the world's time. It sets the position of the belts' dashes.
void marks_draw(const demo_picture *picture, const cn_world *world, cn_shape shape,
                const cn_hull *hull, cn_pose pose, float seconds);

#endif
