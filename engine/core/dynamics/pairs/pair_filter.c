/* Filters for pairs that are near enough to touch. (Categories, masks and groups are tested when
 * the boxes of the pair begin to overlap: model/filter.c.)
 *
 *     joints     Bodies that a joint connects do not collide, unless the joint says so. Bodies that
 *                overlap deeply when their joint is removed do not collide before they part.
 *     one-way    See one_way.c.
 *
 * A pair that may not touch stays an apart pair. So the pair is tested again when the reason has
 * ended. */
#include "pairs.h"

#include <math.h>

// Fraction of the smaller inner radius: two bodies with a greater overlap, as the links of a chain
// may have, would be thrown apart after their joint was removed. They pass until they part.
#define PASSING_OVERLAP 0.5

bool cn_is_excluded_pair(const cn_simulation *sim, int shape_a, int shape_b) {
    int a = sim->links[shape_a].body, b = sim->links[shape_b].body;
    if (sim->slots[CN_JOINTS].count && cn_joint_prevents_collision(sim, a, b)) return true;
    if (sim->drop_throughs.count == 0 || sim->one_way_shapes == 0) return false;
    return (cn_is_one_way(sim, shape_a) && cn_is_dropping(sim, b)) ||
           (cn_is_one_way(sim, shape_b) && cn_is_dropping(sim, a));
}

// True if the slot has a body that lost a joint since the last step.
static bool lost_joint(const cn_simulation *sim, int body) {
    return body >= 0 && body < sim->slots[CN_BODIES].end &&
           sim->hot[body].flags & CN_BODY_JOINT_REMOVED;
}

static uint64_t parted_key(int a, int b) {
    return (uint64_t)cn_min_int(a, b) << 32 | (uint64_t)cn_max_int(a, b);
}

bool cn_find_parted(cn_simulation *sim) {
    sim->parted.count = 0;
    if (!sim->may_have_parted) return true;
    for (int i = 0; i < sim->slots[CN_JOINTS].end; i++) { // destroyed joints keep their bodies
        const int32_t *bodies = sim->joint_records[i].bodies;
        if (lost_joint(sim, bodies[0]) && lost_joint(sim, bodies[1]) &&
            !cn_append(&sim->memory, &sim->parted, parted_key(bodies[0], bodies[1])))
            return false;
    }
    sim->may_have_parted = sim->parted.count > 0;
    return !sim->may_have_parted || cn_sort_list(sim, &sim->parted);
}

// True if a joint between the bodies was removed since the last step, and the shapes overlap
// deeply.
static bool must_part_first(const cn_simulation *sim, int shape_a, int shape_b) {
    uint64_t key = parted_key(sim->links[shape_a].body, sim->links[shape_b].body);
    const cn_key_list *parted = &sim->parted;
    int at = parted->count ? cn_find_key(parted->items, parted->count, key) : 0;
    if (at == parted->count || parted->items[at] != key) return false;
    cn_swept_hull first = cn_still_shape(sim, shape_a), second = cn_still_shape(sim, shape_b);
    double depth = -cn_gap_at(&first, &second, 1).distance;
    return depth > PASSING_OVERLAP * fmin(first.inner, second.inner);
}

// A pair that passes continues to pass as long as it is near enough to touch. The exception is a
// body on ground that goes on in the one-way shape: it may land on both sides of a crest at once.
static bool passes_pair(const cn_simulation *sim, const cn_apart *pair) {
    int a = pair->shape_a, b = pair->shape_b;
    if (pair->meta & CN_APART_PASSES && !cn_is_on_further_ground(sim, a, b)) return true;
    return cn_passes_one_way(sim, a, b, CN_AFTER_LAST_MOVE);
}

static void filter_pair(const cn_simulation *sim, cn_apart *pair) {
    int a = pair->shape_a, b = pair->shape_b;
    if (!cn_begins_contact(pair)) return;
    if (passes_pair(sim, pair))
        pair->result = CN_PAIR_PASSES;
    else if (cn_is_excluded(sim, a, b))
        pair->result = CN_PAIR_APART;
    else if (must_part_first(sim, a, b))
        pair->result = CN_PAIR_PASSES;
}

void cn_filter_pairs(const cn_simulation *sim, cn_apart *pairs, int count) {
    for (int i = 0; i < count; i++) filter_pair(sim, &pairs[i]);
}
