/* The data that the files of continuous collision share. sweep.c stops bodies where they hit
 * others. sweep_search.c finds the bodies that may meet. sweep_pair.c follows two shapes along
 * their paths. The essay of sweep.c explains the terms. */
#ifndef CN_SWEEP_H
#define CN_SWEEP_H

#include "step.h"

// Fraction of the CCD threshold: a body that gets into another by more than this hits it and stops.
#define CN_HIT_DEPTH 0.75
// Fraction of the hit depth: how much deeper a pair that was near at the start may get before it is
// a hit. Contacts that slide need some play.
#define CN_NEAR_DEPTH 0.25
// Multiple of the sum of both CCD thresholds: two bodies can hit each other only if they move by
// more than this relative to each other. It is 1 if either is in free flight, a bullet or
// kinematic. Bodies in free flight that move farther stop where they first touch.
#define CN_CONSTRAINED_PASS 2

enum {
    CN_SWEPT_GRAIN = 256,                 // swept bodies that a worker takes at a time, if each is
                                          // little work
    CN_SWEPT_WORDS = CN_SWEPT_GRAIN / 64, // the same, as words of bits
};

static inline bool cn_is_fast(const cn_simulation *sim, int body) {
    return sim->motions[body].sweep & CN_SWEEP_FAST;
}

static inline bool cn_is_free(const cn_simulation *sim, int body) {
    return sim->motions[body].sweep & CN_SWEEP_FREE_FLIGHT;
}

static inline bool cn_may_leave_margin(const cn_simulation *sim, int body) {
    return sim->motions[body].sweep & CN_SWEEP_LEAVES_MARGIN;
}

// True if the motion of a dynamic body is so long that static shapes can stop it.
static inline bool cn_may_hit_static(const cn_simulation *sim, int body) {
    return cn_ccd_length(&sim->motions[body]) > cn_static_threshold(sim, body);
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

static inline void cn_set_round(cn_motion *m, int round) {
    m->sweep = (m->sweep & ((1u << CN_SWEEP_ROUND) - 1)) | (uint32_t)(round + 1) << CN_SWEEP_ROUND;
}

// ---- the search (sweep_search.c)

// Bounds of the motions of some bodies in this step.
typedef struct {
    vec2s low, high; // of the displacements
    float turn;      // metres: the greatest cn_ccd_turn()
    float reach;     // metres: how far a turn carries any point, at most
    float threshold; // metres: the smallest CCD threshold
} cn_motion_range;

// The bodies in cn_simulation.swept and the moving kinematic bodies, by leaf blocks of the moving
// tree. A block that has any shape of these bodies is listed.
typedef struct {
    cn_simulation *sim;
    bool any_fast;              // some dynamic body is fast
    cn_bounds kinematics;       // encloses the boxes of all shapes of kinematic bodies
    cn_bounds kinematics_ahead; // the same, with their motions in this step and the next
    cn_bounds kinematic_motion; // bounds of these motions in the next step
    cn_bounds fast;             // encloses the boxes of all shapes of fast bodies
    cn_bounds constrained;      // the same for those that are not in free flight
    cn_motion_range all;        // motions of all bodies
    cn_motion_range slow;       // motions of the bodies that are not fast
    uint64_t *listed;           // a bit per block
    uint64_t *kinematic;        // a bit per block: it has a shape of a moving kinematic body, or
                                // of one that such a body carried
    int *places;                // by block: its index in the list, if it is listed
    int *blocks, count;         // the listed blocks
    cn_motion_range *ranges;    // by index in the list: motions in the block, except kinematic ones
    int *stopped;               // the bodies that stopped in this round: they search again
    int stopped_count, round;
} cn_sweeps;

// The search of the first round, for the bodies in CN_SET_SWEPT, `count` of them. Lists them and
// clears the set. Also marks the bodies with immovable shapes ahead.
void cn_search_all(cn_sweeps *s, int count);
// Lets later rounds find a body whose motion has become another one.
void cn_widen_search(cn_sweeps *s, int body);
// The search of a later round, for the bodies in s->stopped.
void cn_search_stopped(cn_sweeps *s);

// ---- two shapes (sweep_pair.c)

// A search for the shapes that one shape hits on its path.
typedef struct {
    cn_simulation *sim;
    int body, shape;
    cn_swept_hull hull; // of the shape; made when it is first needed, until then it has no vertices
} cn_sweep_search;

// True if filters, joints and one-way platforms let two shapes stop each other in this step.
bool cn_may_touch(const cn_simulation *sim, int a, int b);
// Tests the shape of the search against one of a body that is not static. If their paths lead to a
// hit, lowers `stop` of the bodies that have to stop.
void cn_sweep_against_moving(cn_sweep_search *s, int shape);
// The same against a static shape. Call it only if cn_may_hit_static().
void cn_sweep_against_static(cn_sweep_search *s, int shape);
// The same against the pieces of terrain in a box that have no shapes.
void cn_sweep_against_terrain(cn_sweep_search *s, cn_bounds box);

#endif
