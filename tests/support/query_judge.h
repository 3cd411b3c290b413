/* Compares results of the world's queries with the oracle.
 *
 * The engine may either report or omit a hit that the oracle calls a graze, and only such a hit.
 * `lenient` counts the queries in which the engine then differs from exact arithmetic. */
#ifndef CN_QUERY_JUDGE_H
#define CN_QUERY_JUDGE_H

#include "query_oracle.h"

typedef struct {
    const oracle *oracle;
    const cn_world *world;
    const char *where;             // printed in front of every fault
    long queries, lenient, faults; // counts
} judge;

enum { JUDGE_HITS = 4096 };

bool same_side(cn_side a, cn_side b);
bool same_hit(const cn_world_hit *a, const cn_world_hit *b); // equal bit for bit
bool same_neighbor(const cn_neighbor *a, const cn_neighbor *b);
// These add the bits of an answer to a hash.
void mix_side(uint64_t *hash, cn_side side);
void mix_hit(uint64_t *hash, const cn_world_hit *hit);
void mix_neighbor(uint64_t *hash, const cn_neighbor *neighbor);
static inline void mix_move(uint64_t *hash, const cn_move *move) {
    const cn_world_hit ground = {move->grounded, move->ground, 0, move->pose.position,
                                 move->ground_normal};
    mix_hit(hash, &ground);
    for (int i = 0; i < move->sensor_count; i++) {
        const cn_world_hit sensor = {true, move->sensors[i], 0, move->wall_normal,
                                     move->ride.point};
        mix_hit(hash, &sensor);
    }
}

// Each of these runs one query in the world and compares the result with that of the oracle.
void judge_ray(judge *j, vec2s origin, vec2s translation, const cn_query *query);
void judge_ray_all(judge *j, vec2s origin, vec2s translation, const cn_query *query);
void judge_cast(judge *j, const cn_hull *hull, const cn_sweep *sweep, const cn_query *query);
void judge_overlap(judge *j, const cn_hull *hull, cn_pose pose, const cn_query *query);
void judge_bounds(judge *j, cn_bounds bounds, const cn_query *query);
void judge_point(judge *j, vec2s point, const cn_query *query);
void judge_nearest(judge *j, const cn_hull *hull, cn_pose pose, float greatest,
                   const cn_query *query);

#endif
