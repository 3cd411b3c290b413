/* forces: the numbers of the joint overlay, which draws the force in each joint as a line. */
#ifndef DEMO_FORCES_H
#define DEMO_FORCES_H

#include "picture.h"

// Draws the scale of the lines, and the force and torque of the joint under the mouse. A line of
// 1 m stands for `scale`, in N.
void forces_draw(const demo_picture *picture, const scene_run *run, float scale);

#endif
