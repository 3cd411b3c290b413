/* The oracle of the world's queries: every shape and tile of a world, one by one, in double
 * precision.
 *
 * It reads the world only through its public API and uses no geometry of the engine. It has one
 * idea: hull A overlaps hull B if the origin lies in B - A, the set of all differences of their
 * points. This set is a convex polygon grown by the sum of both radii. So rays, casts, overlaps and
 * distances are tests of one point, or one segment, against one such polygon.
 *
 * Coordinates of a world are floats, so no answer is exact. `tolerance` of an item is four units in
 * the last place of its largest coordinate. A cast moves along a segment. The depth of this segment
 * in B - A decides how certain the hit is:
 *
 *     ORACLE_STRUCK   a hit, also if both are moved by the tolerance
 *     ORACLE_APART    no hit, also if both are moved by the tolerance
 *     ORACLE_GRAZED   neither: the engine may see it or not
 */
#ifndef CN_QUERY_ORACLE_H
#define CN_QUERY_ORACLE_H

#include "../engine/cairn.h"

#include <stdbool.h>

typedef struct {
    double x, y;
} oracle_point;

// A convex polygon, counter-clockwise, grown by a radius; 1 corner: a disc, 2: a capsule.
enum { ORACLE_CORNERS = 2 * CN_MAX_VERTICES + 4 };
typedef struct {
    oracle_point corners[ORACLE_CORNERS];
    int count;
    double radius;
} oracle_blob;

// A shape or a tile.
typedef struct {
    cn_side side; // that queries must return for it
    oracle_blob blob;
    oracle_point lower, upper; // its box
    double tolerance;          // m
    double size;               // m, of its box
    bool one_sided, sensor;
    cn_filter filter;
} oracle_item;

// A grid of tiles with its definition. The rest is read from the world.
typedef struct {
    cn_tiles tiles;
    cn_tiles_def def;
} oracle_grid;

enum { ORACLE_GRIDS = 8 };

// The items are in the order of equal results: shapes by slot, then tiles.
typedef struct {
    oracle_item *items;
    int count, capacity;
    oracle_grid grids[ORACLE_GRIDS]; // of the test, by slot
    int grid_count;
} oracle;

void oracle_add_grid(oracle *o, cn_tiles tiles, const cn_tiles_def *def);
void oracle_read(oracle *o, const cn_world *world);
void oracle_free(oracle *o);

// Does the query see the item? Calls its accept(), too.
bool oracle_sees(const oracle_item *item, const cn_world *world, const cn_query *query);
// -1: there is no such item.
int oracle_find(const oracle *o, cn_side side);

// ---- geometry

oracle_blob oracle_place_hull(const cn_hull *hull, cn_pose pose);
oracle_blob oracle_place_point(vec2s point);
// Where a hull is at a fraction of its sweep; its centre.
oracle_blob oracle_hull_at(const cn_hull *hull, const cn_sweep *sweep, double fraction);
oracle_point oracle_center_at(const cn_sweep *sweep, double fraction);
// Distance of a point from the surface, negative inside.
double oracle_height(const oracle_blob *blob, oracle_point point);
// Distance of two blobs. If they overlap: minus the shortest way out.
double oracle_distance(const oracle_blob *a, const oracle_blob *b);
// How far the blob goes beyond a point along a unit direction.
double oracle_reach(const oracle_blob *blob, oracle_point point, oracle_point direction);
// Half the perimeter of the box.
double oracle_size(const oracle_blob *blob);

// ---- casts

typedef enum { ORACLE_APART, ORACLE_GRAZED, ORACLE_STRUCK } oracle_verdict;

typedef struct {
    oracle_verdict verdict;
    bool plain;         // does it hit without any tolerance?
    double early, late; // the fraction lies between them
} oracle_cast;

oracle_cast oracle_cast_ray(const oracle_item *item, vec2s origin, vec2s translation);
oracle_cast oracle_cast_hull(const oracle_item *item, const cn_hull *hull, const cn_sweep *sweep);
// By how much two answers about the hull and the item may differ, m.
double oracle_cast_tolerance(const oracle_item *item, const cn_hull *hull, const cn_sweep *sweep);

#endif
