/* queries: questions to a world, as the benchmark asks them of Cairn and of other engines.
 *
 * A plan says what is asked, how often and where. A batch is made from it, with the world as it is
 * then: the questions are random, but the same on every machine, and rays, casts and points start in
 * free space. Every engine gets the same batch. What two answers must agree in is counted: how many
 * results there are, and the sum of what was measured (fractions of rays and casts, distances). */
#ifndef DEMO_QUERIES_H
#define DEMO_QUERIES_H

#include "../engine/cairn.h"

typedef enum {
    QUERY_RAY,     // the nearest hit of a ray
    QUERY_RAY_ANY, // whether a ray hits anything
    QUERY_RAY_ALL, // all hits of a ray, by distance
    QUERY_RAYS,    // the nearest hit of each ray: in one call, if there is such a call
    QUERY_BOUNDS,  // the shapes whose tight boxes meet a box
    QUERY_OVERLAP, // the shapes that overlap a hull
    QUERY_CAST,    // the first hit of a hull that moves along a line and may turn
    QUERY_NEAREST, // the shape that is nearest to a point
} query_kind;

typedef struct query_plan {
    query_kind kind;
    int count;
    cn_bounds area;   // where they start
    float clearance;  // m, from all shapes at the start; 0: anywhere
    float reach;      // m: length of the longest ray or cast, the shortest has a tenth of it;
                      // of QUERY_NEAREST the greatest distance
    float half_width; // m, of the box that is cast or laid; with half_height 0 it is a circle
    float half_height;
    float turn; // radians: greatest turn of a cast, either way
    bool tiles; // the world is a grid of tiles
} query_plan;

typedef struct {
    vec2s origin, translation;
    cn_pose pose; // at the origin
    float turn;
} query;

typedef struct {
    const query_plan *plan;
    cn_hull hull; // count 0: there is none
    query *items; // plan->count of them
    cn_ray *rays; // the same as Cairn wants them
    cn_world_hit *hits;
} query_batch;

typedef struct {
    uint64_t results;
    double sum;
} query_answer;

#ifdef __cplusplus
extern "C" {
#endif

// False if memory is short, or if the area has no free space.
bool query_make(query_batch *batch, const query_plan *plan, const cn_world *world);
void query_free(query_batch *batch);

// Asks Cairn the whole batch.
query_answer query_ask(const cn_world *world, const query_batch *batch);

// More results of one question are counted, but not looked at.
enum { QUERY_MOST_RESULTS = 64 };

static inline void query_add(query_answer *answer, double measured) {
    answer->results++;
    answer->sum += measured;
}

#ifdef __cplusplus
} // extern "C"
#endif

#endif
