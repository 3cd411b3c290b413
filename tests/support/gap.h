/* The gap of a joint, measured through the public API in double precision. For the tests and the
 * quality harness. */
#ifndef TESTS_GAP_H
#define TESTS_GAP_H

#include <math.h>

#include "../../engine/cairn.h"

// The distance between the two anchors of a joint that locks a point, from the poses of its bodies.
static inline double gap_of(const cn_world *world, cn_joint joint) {
    cn_joint_def def = cn_joint_definition(world, joint);
    const cn_body bodies[] = {def.a, def.b};
    const cn_pose frames[] = {def.frame_a, def.frame_b};
    double x[2], y[2];
    for (int k = 0; k < 2; k++) {
        cn_pose q = cn_body_pose(world, bodies[k]);
        double c = (double)q.rotation.c, s = (double)q.rotation.s;
        double lx = (double)frames[k].position.x, ly = (double)frames[k].position.y;
        x[k] = (double)q.position.x + c * lx - s * ly;
        y[k] = (double)q.position.y + s * lx + c * ly;
    }
    return hypot(x[1] - x[0], y[1] - y[0]);
}

#endif
