/* The data that both files of continuous collision use: sweep.c finds the bodies that fast bodies
 * may have hit, and stops them; sweep_pair.c follows two shapes along their paths. The essay of
 * sweep.c explains the terms. */
#ifndef CN_SWEEP_H
#define CN_SWEEP_H

#include "step.h"

// Fraction of the CCD threshold: a body that gets into another by more than this hits it and stops.
#define CN_HIT_DEPTH 0.75
// Fraction of the hit depth: how much deeper a pair that was near at the start may get before it is
// a hit. Contacts that slide need some play.
#define CN_NEAR_DEPTH 0.25
// Multiple of the sum of both CCD thresholds: two bodies can hit each other only if they move by
// more than this relative to each other. It is 1 if either is in free flight or kinematic.
#define CN_CONSTRAINED_PASS 2

static inline bool cn_is_fast(const cn_simulation *sim, int body) {
    return sim->motions[body].sweep & CN_SWEEP_FAST;
}

static inline bool cn_is_free(const cn_simulation *sim, int body) {
    return sim->motions[body].sweep & CN_SWEEP_FREE_FLIGHT;
}

static inline bool cn_may_leave_margin(const cn_simulation *sim, int body) {
    return sim->motions[body].sweep & CN_SWEEP_TERRAIN;
}

// True if the motion of a dynamic body is so long that static shapes stop it.
static inline bool cn_may_hit_static(const cn_simulation *sim, int body) {
    return cn_ccd_length(&sim->motions[body]) > cn_terrain_threshold(sim, body);
}

// The motion of a body in this step, which is none if the body does not move. `stop` is not copied,
// because other workers may be lowering it.
static inline cn_motion cn_motion_of(const cn_simulation *sim, int body) {
    const cn_motion *m = &sim->motions[body];
    if (!cn_took_part(&sim->hot[body]))
        return (cn_motion){
            .until = 1, .ccd_threshold = m->ccd_threshold, .ccd_reach = m->ccd_reach};
    return (cn_motion){m->x, m->y, m->angle, m->until, m->ccd_threshold, m->ccd_reach, .stop = 1};
}

// A search for the shapes that one shape hit on its path.
typedef struct {
    cn_simulation *sim;
    int body, shape;
    cn_swept_hull hull; // of the shape; made when it is first needed, until then it has no vertices
} cn_sweep_search;

// True if two shapes can stop each other in this step: filters, joints and one-way platforms.
bool cn_may_touch(const cn_simulation *sim, int a, int b);
// Tests the shape of the search against one of a body that is not static. If their paths lead to a
// hit, lowers `stop` of the bodies that have to stop.
void cn_sweep_against_moving(cn_sweep_search *s, int shape);
// The same against a static shape, if cn_may_hit_static().
void cn_sweep_against_static(cn_sweep_search *s, int shape);
// The same against the pieces of terrain in a box that have no shapes.
void cn_sweep_against_terrain(cn_sweep_search *s, cn_bounds box);

#endif
