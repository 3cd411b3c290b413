/* The oracle: how two hulls touch, found in the plainest way there is, to judge the engine by.
 *
 * In double precision, from nothing but the vertices and radii of the hulls; no code of the engine.
 */
#ifndef CN_ORACLE_H
#define CN_ORACLE_H

#include "../engine/cairn.h"

#include <stdbool.h>

typedef struct {
    double x, y;
} oracle_vec;

// The core of a hull, in the world.
typedef struct {
    oracle_vec vertices[CN_MAX_VERTICES];
    int count;
    double radius;
} oracle_core;

oracle_core oracle_place(const cn_hull *hull, cn_pose pose);

// 0 for a circle, 2 for a capsule, else the number of vertices.
int oracle_edge_count(const oracle_core *core);
oracle_vec oracle_edge_normal(const oracle_core *core, int edge);

// Where the shadow of core b on an axis begins minus where that of core a ends.
double oracle_gap(const oracle_core *a, const oracle_core *b, oracle_vec axis);
// Distance of a point from the outline of the core, from either side.
double oracle_outline_distance(const oracle_core *core, oracle_vec point);
// Is core b wholly inside of core a?
bool oracle_contains(const oracle_core *a, const oracle_core *b);

typedef struct {
    double face;       // greatest gap of the cores along an edge normal; -DBL_MAX for two circles
    int face_ties;     // edges whose gap is within 2e-5 of that
    double separation; // of the cores: their distance, or minus the depth
    oracle_vec normal; // from A to B, along which that is; unit, but zero for coincident circles
} oracle_result;

oracle_result oracle_collide(const oracle_core *a, const oracle_core *b);

#endif
