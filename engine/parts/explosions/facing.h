/* The part of the outline of a hull that faces a point. Explosions use it. */
#ifndef CN_FACING_H
#define CN_FACING_H

#include "../outlines/curve.h"

// The pieces of an outline that can be seen from a point, counter-clockwise and without a gap.
typedef struct {
    cn_piece pieces[2 * CN_MAX_VERTICES];
    int count;       // 0: the point is in the hull or on its edge
    double length;   // of all pieces
    cn_vec2d middle; // their centroid. For a circle its centre, which lies behind the centroid
} cn_facing;

// Both points are in the frame of the hull, whose normals are not needed.
cn_facing cn_facing_of(const cn_hull *outline, cn_vec2d point);
// Returns the point at a distance along the pieces, from 0 to their length.
cn_vec2d cn_facing_at(const cn_facing *facing, double along);

#endif
