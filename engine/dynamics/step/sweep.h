/* What the two halves of continuous collision share: sweep_pair.c follows two bodies on their ways, sweep.c
 * finds who may have met whom, and stops them. */
#ifndef CN_SWEEP_H
#define CN_SWEEP_H

#include "step.h"

// A hit is as deep as this share of the way from which on a body is fast; pairs that are in touch may get
// deeper by a share of that.
#define CN_DEPTH_SHARE 0.75
#define CN_NEWS_SHARE  0.25
// Of both inner radii: who is deeper in another is left to the solver; two bodies that both are held pass on
// so long a way.
#define CN_LOST_SHARE 0.98
#define CN_HELD_SHARE 2

static inline bool cn_is_fast(const cn_simulation *sim, int body) {
    return sim->motions[body].sweep & CN_SWEEP_FAST;
}

// How far turning carried any point beyond the inner radius.
static inline float cn_spin_of(const cn_motion *m) { return cn_abs(m->angle) * m->ccd_reach; }

// All but `stop`, which others may be lowering.
static inline cn_motion cn_motion_of(const cn_simulation *sim, int body) {
    const cn_motion *m = &sim->motions[body];
    if (!cn_has_moved(&sim->hot[body]))
        return (cn_motion){.until = 1, .ccd_threshold = m->ccd_threshold, .ccd_reach = m->ccd_reach};
    return (cn_motion){m->x, m->y, m->angle, m->until, m->ccd_threshold, m->ccd_reach, .stop = 1};
}

// A shape that looks for whom it hit on its way.
typedef struct {
    cn_simulation *sim;
    int body, shape;
    cn_swept_hull hull; // of the shape, once it is needed: until then it has no vertices
} cn_search;

// May two shapes, whose bodies moved in this step, hit each other?
bool cn_may_touch(const cn_simulation *sim, int a, int b);
// If the shape that looks, or another, hit the other, its body shall stop: no later than there.
void cn_meet_shape(cn_search *s, int shape);
void cn_meet_tiles(const cn_search *s, cn_bounds box); // those in the box that are no shapes yet

#endif
