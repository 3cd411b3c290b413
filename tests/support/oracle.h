/* The oracle for manifolds: how two hulls touch, computed in the plainest way.
 *
 * It works in double precision, from nothing except the vertices and radii of the hulls, and uses
 * no code of the engine.
 */
#ifndef CN_ORACLE_H
#define CN_ORACLE_H

#include "../../engine/cairn.h"

#include <stdbool.h>

typedef struct {
    double x, y;
} oracle_vec;

// The core of a hull in world coordinates: its vertices without its radius.
typedef struct {
    oracle_vec vertices[CN_MAX_VERTICES];
    int count;
    double radius;
} oracle_core;

oracle_core oracle_place(const cn_hull *hull, cn_pose pose);

// Returns 0 for a circle, 2 for a capsule, otherwise the number of vertices.
int oracle_edge_count(const oracle_core *core);
oracle_vec oracle_edge_normal(const oracle_core *core, int edge);

// Returns the gap of the projections on an axis: where that of core b begins minus where that of
// core a ends.
double oracle_gap(const oracle_core *a, const oracle_core *b, oracle_vec axis);
// Returns the distance of a point from the outline of the core, from either side.
double oracle_outline_distance(const oracle_core *core, oracle_vec point);
// True if core b is wholly inside core a.
bool oracle_contains(const oracle_core *a, const oracle_core *b);

typedef struct {
    double face;       // greatest gap of the cores along any edge normal; -DBL_MAX for two circles
    int face_ties;     // edges whose gap is within 2e-5 of that
    double separation; // distance of the cores, or minus their depth
    oracle_vec normal; // unit axis of that, from A to B; zero for coincident circles
} oracle_result;

oracle_result oracle_collide(const oracle_core *a, const oracle_core *b);

#endif
