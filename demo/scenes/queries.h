/* queries: the queries that the benchmark runs in Cairn and in other engines.
 *
 * A plan gives the query type, the number of queries and their area. A batch is made from a plan
 * and the present world. Its queries are random, but the same on every machine. Rays, casts and
 * points start in free space. Every engine runs the same batch. The results of a batch are reduced
 * to their number and the sum of their distances. Both must agree between engines. */
#ifndef DEMO_QUERIES_H
#define DEMO_QUERIES_H

#include "../../engine/cairn.h"

typedef enum {
    QUERY_RAY,     // the nearest hit of a ray
    QUERY_RAY_ANY, // whether a ray hits anything
    QUERY_RAY_ALL, // all hits of a ray, by distance
    QUERY_RAYS,    // the nearest hit of each ray, in one call if the engine has such a call
    QUERY_BOUNDS,  // the shapes whose tight boxes overlap a box
    QUERY_OVERLAP, // the shapes that overlap a hull
    QUERY_CAST,    // the first hit of a hull that moves along a line and may turn
    QUERY_NEAREST, // the shape that is nearest to a point
} query_type;

typedef struct query_plan {
    query_type type;
    int count;
    cn_bounds area;   // of the starting points
    float clearance;  // m, minimum distance to all shapes at the start; 0: start anywhere
    float reach;      // m, length of the longest ray or cast (the shortest has a tenth of it), or
                      // maximum distance of QUERY_NEAREST
    float half_width; // m, of the box; if half_height is 0, the radius of a circle
    float half_height;
    float turn; // radians, maximum turn of a cast in either direction
    bool tiles; // the world is a grid of tiles
} query_plan;

typedef struct {
    vec2s origin, translation;
    cn_pose pose; // at the origin
    float turn;
} query;

typedef struct {
    const query_plan *plan;
    cn_hull hull; // a point, if the plan has no size
    query *items; // plan->count queries
    cn_ray *rays; // the same queries, for cn_world_cast_rays()
    cn_world_hit *hits;
} query_batch;

typedef struct {
    uint64_t count; // of the results of all queries
    double sum;     // of their distances, m; for rays and casts: of their fractions
} query_result;

#ifdef __cplusplus
extern "C" {
#endif

// Fails if there is not enough memory, or no free space in the area.
bool query_make(query_batch *batch, const query_plan *plan, const cn_world *world);
void query_free(query_batch *batch);

// Runs the whole batch in Cairn.
query_result query_run(const cn_world *world, const query_batch *batch);

// Capacity for the results of one query. Results beyond it are counted, but not read.
enum { QUERY_MAX_RESULTS = 64 };

static inline void query_add(query_result *result, double measured) {
    result->count++;
    result->sum += measured;
}

#ifdef __cplusplus
} // extern "C"
#endif

#endif
