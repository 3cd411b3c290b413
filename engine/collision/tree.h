/* tree: how to go down the packed R-tree of tree.c, for whoever looks something up in it.
 *
 * To be included with CN_LANES defined. Eight boxes are tested against one in 8 / CN_LANES pieces;
 * the answer is a byte with a bit per box. A walk goes depth first and keeps one such byte per
 * level, the children still to be visited, so it needs no stack that could overflow:
 *
 *      level 3   [. . 1 . 1 . . .]     now in child 0 (its bit is cleared), two more to come
 *      level 2   [. . . . . . 1 1]     now in child 3
 *      level 1   [. . . . . . . .]     all visited: up again
 */
#ifndef CN_TREE_H
#define CN_TREE_H

#include "../base/wide.h"
#include "collision.h"

// CN_LANES floats of a row of a cn_box8. (GCC would take a memcpy apart into single floats.)
typedef cn_floatw cn_stored_floatw __attribute__((may_alias, aligned(4)));
CN_INLINE cn_floatw cn_box_lanes(const float *row) { return *(const cn_stored_floatw *)row; }

// Which of eight boxes overlap `query`; boxes that touch do.
CN_INLINE unsigned cn_box8_overlaps(const cn_box8 *boxes, cn_bounds query) {
    unsigned hits = 0;
    for (int i = 0; i < 8; i += CN_LANES) {
        cn_floatw x0 = cn_box_lanes(boxes->x0 + i), x1 = cn_box_lanes(boxes->x1 + i);
        cn_floatw y0 = cn_box_lanes(boxes->y0 + i), y1 = cn_box_lanes(boxes->y1 + i);
        cn_intw overlap = (x0 <= query.upper.x) & (x1 >= query.lower.x) & (y0 <= query.upper.y) &
                          (y1 >= query.lower.y);
        hits |= (unsigned)cn_mask_bitsw(overlap) << i;
    }
    return hits;
}

// ---- walks

CN_INLINE void cn_walk_enter(cn_tree_walk *walk, int level, int block) {
    walk->level = level;
    walk->block[level] = block;
    walk->hits[level] = cn_box8_overlaps(&walk->tree->boxes[level][block], walk->query);
}

// An infinite box would overlap also the empty ones.
CN_INLINE cn_bounds cn_box_bounded(cn_bounds box) {
    const vec2s low = {{-1e38f, -1e38f}}, high = {{1e38f, 1e38f}};
    return (cn_bounds){cn_max2(box.lower, low), cn_min2(box.upper, high)};
}

// The tree must have memory, and the box be bounded.
CN_INLINE void cn_walk_begin(cn_tree_walk *walk, const cn_tree *tree, cn_bounds query, int bottom) {
    walk->tree = tree, walk->query = query, walk->bottom = bottom;
    cn_walk_enter(walk, tree->levels - 1, 0);
}

// The next overlap, in ascending order: 8 * block + lane of the bottom level. -1 after the last.
CN_INLINE int cn_walk_next(cn_tree_walk *walk) {
    while (walk->level < walk->tree->levels) {
        unsigned hits = walk->hits[walk->level];
        if (hits == 0) {
            walk->level++;
            continue;
        }
        int child = 8 * walk->block[walk->level] + cn_lowest_bit(hits);
        walk->hits[walk->level] = hits & (hits - 1);
        if (walk->level == walk->bottom) return child;
        cn_walk_enter(walk, walk->level - 1, child);
    }
    return -1;
}

// ---- flags

static inline bool cn_all_clear(const uint8_t *flags, int count) {
    uint64_t word, any = 0;
    for (int i = 0; i < count; i += 8) memcpy(&word, flags + i, sizeof word), any |= word;
    return any == 0;
}

// The first index >= i whose byte is not zero; `count` or more if there is none. Zeros are skipped 64 or
// eight at once, so the array must be padded to a multiple of eight bytes.
static inline int cn_next_flag(const uint8_t *flags, int i, int count) {
    while (i < count && !flags[i]) {
        bool skip = (i & 7) == 0 && cn_all_clear(flags + i, 8);
        i += !skip ? 1 : i + 64 <= count && cn_all_clear(flags + i, 64) ? 64 : 8;
    }
    return i;
}

#endif
