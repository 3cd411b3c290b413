/* tree: how a search descends the packed R-tree of tree.c.
 *
 * Define CN_LANES before you include this file. One box is tested against eight, CN_LANES at a
 * time. The result is a byte with one bit per box. A walk goes depth first. For each level it keeps
 * one such byte: the children that are still to be visited. So it needs no stack that could
 * overflow:
 *
 *      level 3   [. . 1 . 1 . . .]     now in child 0 (its bit is cleared), two more to come
 *      level 2   [. . . . . . 1 1]     now in child 3
 *      level 1   [. . . . . . . .]     all visited: up again
 */
#ifndef CN_TREE_H
#define CN_TREE_H

#include "../base/wide.h"
#include "collision.h"

// CN_LANES floats of a row of a cn_box8. (GCC splits a memcpy into single floats.)
typedef cn_floatw cn_stored_floatw __attribute__((may_alias, aligned(4)));
CN_INLINE cn_floatw cn_box_lanes(const float *row) { return *(const cn_stored_floatw *)row; }

// Returns one bit for each of eight boxes that overlaps `query`. Boxes that touch overlap.
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

// Makes a box finite. An infinite box would overlap the empty boxes too.
CN_INLINE cn_bounds cn_box_bounded(cn_bounds box) {
    const vec2s low = {{-1e38f, -1e38f}}, high = {{1e38f, 1e38f}};
    return (cn_bounds){cn_max2(box.lower, low), cn_min2(box.upper, high)};
}

// The tree must have memory, and the box must be bounded. The walk begins at the lowest level that
// has a single block.
CN_INLINE void cn_walk_begin(cn_tree_walk *walk, const cn_tree *tree, cn_bounds query, int bottom) {
    walk->tree = tree, walk->query = query, walk->bottom = bottom;
    walk->top = cn_max_int(tree->top, bottom);
    cn_walk_enter(walk, walk->top, 0);
}

// Returns the next overlap, in ascending order: 8 * block + lane of the bottom level; -1 at the
// end.
CN_INLINE int cn_walk_next(cn_tree_walk *walk) {
    while (walk->level <= walk->top) {
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

// The first index >= i whose byte is not zero; `count` or more if there is none. Skips 64 or 8
// zeros at a time, so the array must be padded to a multiple of eight bytes.
static inline int cn_next_flag(const uint8_t *flags, int i, int count) {
    while (i < count && !flags[i]) {
        bool skip = (i & 7) == 0 && cn_all_clear(flags + i, 8);
        i += !skip ? 1 : i + 64 <= count && cn_all_clear(flags + i, 64) ? 64 : 8;
    }
    return i;
}

#endif
