/* Finds the pairs of boxes that are new. Compiled once per lane width.
 *
 * The contact system knows a pair exactly if the two boxes of the last search (`old`) overlap. So a
 * pair is new if the present boxes overlap and the old boxes do not. No set of pairs is needed.
 *
 * Only proxies that changed search for pairs. They do so in groups of 64; a group is one block of
 * level 1:
 *
 *      group of t (8 leaf blocks)          near: the groups of u that overlap its box
 *      [A0 A1 A2 A3 A4 A5 A6 A7]   --->    [B0 .. B7]  [B0 .. B7]  [B0 .. B7]
 *
 * For every near group, the pairs of leaf blocks A and B that overlap become jobs, and then the
 * jobs are run: two plain loops are faster than one nest. In a group with few changed proxies, or
 * with scattered ones (many groups are near), every proxy walks down to the leaves alone.
 *
 * Within one tree each pair must be found once. If both proxies changed, the pair is found from the
 * smaller leaf block. Within one block it is found from the smaller lane. */
#include "tree.h"

enum {
    FEW_MOVERS = 8,                 // up to this many proxies walk alone
    MAX_NEAR = FEW_MOVERS + 2 * 64, // near groups that 64 moved proxies may share
    MAX_JOBS = 8 * 8,               // leaf blocks of a group times leaf blocks of a near group
};

// Members `movers` of leaf block a of t against members `others` of leaf block b of u.
typedef struct {
    int a, b;
    unsigned movers, others;
} job;

typedef struct {
    const cn_tree *t, *u;
    bool fresh;
    cn_memory *memory;
    cn_key_list *pairs;
} search;

CN_INLINE unsigned find_candidates(const search *s, int a, int b) {
    bool unmoved_only = s->fresh || (s->t == s->u && b < a);
    return unmoved_only ? (uint8_t)~s->u->moved[b] : 255u;
}

CN_INLINE uint64_t pair_of(int id, int other) {
    uint64_t low = (uint32_t)cn_min_int(id, other), high = (uint32_t)cn_max_int(id, other);
    return low << 32 | high;
}

// Writes the new pairs of a job. Returns where the next pair goes.
CN_INLINE uint64_t *run_job(const search *s, const job *j, uint64_t *out) {
    const cn_tree *t = s->t, *u = s->u;
    const cn_box8 *now_a = &t->boxes[0][j->a], *old_a = &t->old[j->a];
    const cn_box8 *now_b = &u->boxes[0][j->b], *old_b = &u->old[j->b];
    bool within = t == u && j->a == j->b;

    for (unsigned movers = j->movers; movers; movers &= movers - 1) {
        int lane = cn_lowest_bit(movers) & 7; // & 7 tells the compiler that it is a lane
        // Both tests always run, because a branch between them costs more than it saves.
        unsigned fresh = cn_box8_overlaps(now_b, cn_box8_get(now_a, lane)) &
                         ~cn_box8_overlaps(old_b, cn_box8_get(old_a, lane)) & j->others;
        if (!fresh) continue;
        if (within) fresh &= ~(t->moved[j->a] & ((2u << lane) - 1)); // no repeat, no self-pair
        for (; fresh; fresh &= fresh - 1)
            *out++ = pair_of(t->ids[8 * j->a + lane], u->ids[8 * j->b + cn_lowest_bit(fresh)]);
    }
    return out;
}

static bool run_jobs(const search *s, const job *jobs, int count) {
    cn_key_list *pairs = s->pairs;
    for (int i = 0; i < count; i++) {
        if (!cn_reserve(s->memory, pairs, pairs->count + CN_PAIRS_OF_JOB)) return false;
        uint64_t *out = pairs->items + pairs->count;
        pairs->count += (int)(run_job(s, &jobs[i], out) - out);
    }
    return true;
}

// Makes and runs the jobs of a group of t and a near group of u.
static bool search_near(const search *s, int group, int near) {
    const cn_tree *t = s->t, *u = s->u;
    const cn_box8 *group_boxes = &t->boxes[1][group], *near_boxes = &u->boxes[1][near];
    job jobs[MAX_JOBS];
    int count = 0;
    for (int lane_a = 0; lane_a < 8; lane_a++) {
        int a = 8 * group + lane_a;
        if (!t->moved[a]) continue;
        unsigned hits = cn_box8_overlaps(near_boxes, cn_box8_get(group_boxes, lane_a));
        for (; hits; hits &= hits - 1) {
            int lane_b = cn_lowest_bit(hits) & 7, b = 8 * near + lane_b;
            unsigned movers =
                t->moved[a] & cn_box8_overlaps(&t->boxes[0][a], cn_box8_get(near_boxes, lane_b));
            jobs[count] = (job){a, b, movers, find_candidates(s, a, b)};
            count += jobs[count].movers && jobs[count].others;
        }
    }
    return count == 0 || run_jobs(s, jobs, count);
}

static bool search_alone(const search *s, int a, int lane) {
    cn_tree_walk walk;
    cn_walk_begin(&walk, s->u, cn_box8_get(s->t->boxes[0], 8 * a + lane), 1);
    for (int b; (b = cn_walk_next(&walk)) >= 0;) {
        job j = {a, b, 1u << lane, find_candidates(s, a, b)};
        if (!run_jobs(s, &j, 1)) return false;
    }
    return true;
}

static bool search_one_by_one(const search *s, int group) {
    for (int a = 8 * group; a < 8 * group + 8; a++)
        for (unsigned movers = s->t->moved[a]; movers; movers &= movers - 1)
            if (!search_alone(s, a, cn_lowest_bit(movers))) return false;
    return true;
}

static bool search_group(const search *s, int group) {
    uint64_t moved; // a bit for each of the 64 proxies
    memcpy(&moved, s->t->moved + 8 * group, sizeof moved);
    int near[MAX_NEAR], count = 0, movers = __builtin_popcountll(moved);
    if (movers <= FEW_MOVERS) return search_one_by_one(s, group);

    cn_tree_walk walk;
    cn_walk_begin(&walk, s->u, cn_box8_get(s->t->boxes[2], group), 2);
    for (int found; (found = cn_walk_next(&walk)) >= 0;) {
        if (count == FEW_MOVERS + 2 * movers) return search_one_by_one(s, group);
        near[count++] = found;
    }
    for (int i = 0; i < count; i++)
        if (!search_near(s, group, near[i])) return false;
    return true;
}

bool CN_WIDE(cn_tree_search)(const cn_tree *t, const cn_tree *u, bool fresh, int first, int end,
                             cn_memory *memory, cn_key_list *pairs) {
    if (!cn_load_relaxed(&t->changed) || t->live == 0 || u->live == 0) return true;
    search s = {t, u, fresh, memory, pairs};
    int leaves = cn_min_int(8 * end, cn_tree_blocks(t, 0));
    for (int i = 8 * first; (i = cn_next_flag(t->moved, i, leaves)) < leaves; i = (i | 7) + 1)
        if (!search_group(&s, i >> 3)) return false;
    return true;
}
