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
 *     ORACLE_HIT      a hit, even if both are moved by the tolerance
 *     ORACLE_APART    no hit, even if both are moved by the tolerance
 *     ORACLE_GRAZED   neither: the engine may report it or not
 */
#ifndef CN_QUERY_ORACLE_H
#define CN_QUERY_ORACLE_H

#include "../../engine/cairn.h"

#include <stdbool.h>

typedef struct {
    double x, y;
} oracle_point;

// A counter-clockwise convex polygon, grown by a radius. One corner makes a disc, two make a
// capsule.
enum { ORACLE_CORNERS = 2 * CN_MAX_VERTICES + 4 };
typedef struct {
    oracle_point corners[ORACLE_CORNERS];
    int count;
    double radius;
} oracle_blob;

// A shape or a tile.
typedef struct {
    cn_side side; // the side that queries must return for the item
    oracle_blob blob;
    oracle_point lower, upper; // its box
    double tolerance;          // m
    double size;               // m, of its box
    bool one_sided, sensor;
    cn_filter filter;
} oracle_item;

// A grid of tiles with its definition. The rest is read from the world.
typedef struct {
    cn_grid tiles;
    cn_grid_def def;
} oracle_grid;

enum { ORACLE_GRIDS = 8 };

// The items stand in the order in which equal results are returned: shapes by slot, then tiles.
typedef struct {
    oracle_item *items;
    int count, capacity;
    oracle_grid grids[ORACLE_GRIDS]; // by slot
    int grid_count;
} oracle;

void oracle_add_grid(oracle *o, cn_grid tiles, const cn_grid_def *def);
void oracle_read(oracle *o, const cn_world *world);
void oracle_free(oracle *o);

// True if the query sees the item. Calls the accept() of the query.
bool oracle_sees(const oracle_item *item, const cn_world *world, const cn_query *query);
// Returns the index of an item, or -1.
int oracle_find(const oracle *o, cn_side side);

// ---- geometry

oracle_blob oracle_place_hull(const cn_hull *hull, cn_pose pose);
oracle_blob oracle_place_point(vec2s point);
// The hull at a fraction of its sweep, and the centre of the sweep there.
oracle_blob oracle_hull_at(const cn_hull *hull, const cn_sweep *sweep, double fraction);
oracle_point oracle_center_at(const cn_sweep *sweep, double fraction);
// Returns the distance of a point from the surface, negative inside.
double oracle_height(const oracle_blob *blob, oracle_point point);
// Returns the distance of two blobs. If they overlap, it is minus the length of the shortest
// translation that separates them.
double oracle_distance(const oracle_blob *a, const oracle_blob *b);
// Returns how far the blob extends beyond a point along a unit direction.
double oracle_reach(const oracle_blob *blob, oracle_point point, oracle_point direction);
// Returns half the perimeter of the blob's box.
double oracle_size(const oracle_blob *blob);

// ---- casts

typedef enum { ORACLE_APART, ORACLE_GRAZED, ORACLE_HIT } oracle_verdict;

typedef struct {
    oracle_verdict verdict;
    bool plain;         // true if it is a hit in exact arithmetic, without tolerance
    double early, late; // bounds of the fraction
} oracle_cast;

oracle_cast oracle_cast_ray(const oracle_item *item, vec2s origin, vec2s translation);
oracle_cast oracle_cast_hull(const oracle_item *item, const cn_hull *hull, const cn_sweep *sweep);
// Returns by how much two answers about the hull and the item may differ, in metres.
double oracle_cast_tolerance(const oracle_item *item, const cn_hull *hull, const cn_sweep *sweep);

#endif
