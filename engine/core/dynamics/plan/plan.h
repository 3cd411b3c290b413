/* plan: which contacts and joints are solved together, and in which order.
 *
 *   plan.c      finds the bodies and contacts to plan
 *   edges.c     lists contacts and joints, colours them, links bodies into islands
 *   forest.c    finds the joints that are solved directly
 *   batch.c     packs whole islands into batches, puts their constraints into lanes
 *   builder.h   the data that these files share while a plan is being made
 *   islands.c   the number of islands in the plan, and the islands of the present state
 */
#ifndef CN_PLAN_H
#define CN_PLAN_H

#include "../pairs/pairs.h"

// Makes the plan of the step. If it or a later stage fails, call cn_forget_plan(). False if memory
// is short.
bool cn_plan_islands(cn_simulation *sim);
// Clears the impulses of the couplings that the new plan left out.
void cn_clear_uncoupled(cn_simulation *sim);
// Has the next step plan all bodies anew.
void cn_forget_plan(cn_simulation *sim);
// Reserves memory for a plan of this many bodies and edges. False if memory is short.
bool cn_reserve_plan(cn_simulation *sim, int bodies, int edges);
// True if the body belongs in the plan: it is dynamic, enabled, and awake or about to wake.
bool cn_belongs_in_plan(const cn_simulation *sim, int body);
// Returns the state of a body in a batch. For a static body it is 0. For a kinematic body it is the
// state of the batch's copy, or 0 if the batch has none.
int cn_state_of(const cn_simulation *sim, const cn_batch *batch, int body);

// Returns how much work a batch is, in lanes and bodies.
static inline int cn_work_of(const cn_batch *batch) {
    return batch->lanes.count + batch->tree_joints + batch->body_count;
}

// True if all workers solve the batch together: if it is a good part of all the work.
static inline bool cn_is_giant(const cn_simulation *sim, const cn_batch *batch) {
    enum { MIN_GIANT_LANES = 2048 }; // distributing less takes longer than it saves
    int workers = cn_team_workers(sim->team), lanes = batch->lanes.count + batch->tree_joints;
    return workers > 1 && lanes >= MIN_GIANT_LANES && lanes > sim->plan.work_items / (2 * workers);
}

// ---- sets of bodies: islands, and systems of trees (union-find)

// The parents of the bodies. They may be members of structs, which are `stride` ints apart. A body
// that is its own parent is the first of its set.
typedef struct {
    int *parents;
    size_t stride;
} cn_sets;

static inline int *cn_parent_of(cn_sets sets, int body) {
    return &sets.parents[(size_t)body * sets.stride];
}
// Returns the first body of a set.
static inline int cn_first_of_set(cn_sets sets, int body) {
    for (int *parent; *(parent = cn_parent_of(sets, body)) != body;)
        body = *parent = *cn_parent_of(sets, *parent); // path halving
    return body;
}
// Joins the sets of both bodies (Rem's algorithm): walks up both paths, and links the higher body
// to the lower one, until they meet. They usually meet at once, so there is no branch in the first
// two steps of both. The first body of a set is the one with the lowest number, whatever the order
// of the calls. Always inline: the plan calls it for each contact.
static inline __attribute__((always_inline)) void cn_join_sets(cn_sets sets, int a, int b) {
    int *parent_a = cn_parent_of(sets, a), *parent_b = cn_parent_of(sets, b);
    a = *parent_a = *cn_parent_of(sets, *parent_a);
    b = *parent_b = *cn_parent_of(sets, *parent_b);
    for (int above_a, above_b;
         (above_a = *cn_parent_of(sets, a)) != (above_b = *cn_parent_of(sets, b));) {
        const int higher = cn_max_int(above_a, above_b), from = above_a > above_b ? a : b;
        *cn_parent_of(sets, from) = cn_min_int(above_a, above_b);
        if (higher == from) return; // it was the first of its set
        b = above_a > above_b ? b : a, a = higher;
    }
}

// ---- islands.c

int cn_count_islands(const cn_simulation *sim); // in the plan
// Returns for each slot of a body the first body of its island, in scratch memory. A body that is
// in no island is alone. NULL if memory is short.
const int *cn_find_islands(cn_simulation *sim);

#endif
