/* submerge: the part of a hull that lies in another one, and its waterline. */
#ifndef CN_SUBMERGE_H
#define CN_SUBMERGE_H

#include "../../core/collision/collision.h"

// A hull at rest, in double precision.
typedef struct {
    cn_vec2d vertices[CN_MAX_VERTICES], normals[CN_MAX_VERTICES];
    int count;
    double radius;
} cn_hulld;

// A circle that contains a hull.
typedef struct {
    cn_vec2d center;
    double radius;
} cn_circled;

// A side of the boundary of B within A.
typedef struct {
    cn_vec2d from, to, normal; // unit, out of B
} cn_chord;

// The common part of hulls A and B.
typedef struct {
    double whole; // m^2: the area of A
    double area;  // m^2: that of the common part
    cn_vec2d centroid;
    int chord_count;
    cn_chord chords[2 * CN_MAX_VERTICES]; // an arc of B counts as its chord
} cn_submersion;

// Sets all of a hull except its normals. Its pose is that of `placed`, with another position.
void cn_set_hulld(cn_hulld *hull, const cn_placed_hull *placed, const cn_hull8 *pool,
                  cn_vec2d position);
// Finds the normals of a hull whose vertices are set.
void cn_find_normals(cn_hulld *hull);
// Finds the heights of the lowest and of the highest point of A over edge i of B, which is taken as
// a polygon.
void cn_find_heights(const cn_hulld *a, const cn_hulld *b, int i, double *least, double *greatest);
// Finds area and centroid of a hull.
void cn_measure_hull(const cn_hulld *hull, double *area, cn_vec2d *centroid);
// Finds the part of A that lies in B. Both are in one frame, and B has an area. `around` contains
// A.
void cn_submerge(cn_submersion *result, const cn_hulld *a, cn_circled around, const cn_hulld *b);

#endif
