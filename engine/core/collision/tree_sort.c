/* The sort of the packed R-tree (tree.c): puts slots in the order of a Hilbert curve. Several
 * workers may share it. The order that it makes does not depend on their number.
 *
 * Each slot gets a key: its index on the curve, then the slot itself. Holes get the greatest index.
 * One worker sorts all keys at once. Several workers first part them by the highest byte of the
 * index into buckets, which are then sorted one by one:
 *
 *      keys     [ range 0 | range 1 | ... ]      each range counts its keys of each bucket
 *      spare    [ 0 0 0 1 1 2 2 2 2 3 ... ]      and moves them to their places
 *
 * The sorted keys say where each member comes from. The rows of the tree are permuted one after the
 * other through the other half of the scratch memory, which has the room of one key for each slot:
 * half of a box, or an id. */
#define CN_LANES 4
#include "tree.h"

enum {
    SAMPLES = 32,  // proxies that are sampled to fit the window
    RANGES = 16,   // of the keys, for several workers
    BUCKETS = 256, // values of the highest byte of an index on the curve
    GRAIN = 64,    // leaf blocks that a worker takes at a time
    SLOT_WORK = 2, // work in items of cn_run(): of a slot
};

// ---- the curve

// A square window onto the plane: coordinate v becomes t / (1 + |t|), t = (v - centre) * scale.
// This is nearly linear near the centre, and maps even the farthest outlier to less than 1.
// Coordinates are sums of both sides of a box, which is twice its centre.
typedef struct {
    float x, y, scale;
} window;

static void insert_sorted(float *values, int count, float value) {
    int i = count;
    for (; i > 0 && values[i - 1] > value; i--) values[i] = values[i - 1];
    values[i] = value;
}

// Fits the window to a sample of the members of blocks `first` to `end` - 1. Its centre is the
// median, and the middle three quarters of the sample fill the linear part.
static window fit_window(const cn_tree *tree, int first, int end) {
    float x[SAMPLES], y[SAMPLES];
    int count = 0;
    for (int i = 0; i < SAMPLES; i++) {
        int slot = 8 * (first + (int)((int64_t)i * (end - first) / SAMPLES)) + (i & 7);
        if (tree->ids[slot] < 0) continue;
        cn_bounds box = cn_box8_get(tree->boxes[0], slot);
        insert_sorted(x, count, box.lower.x + box.upper.x);
        insert_sorted(y, count++, box.lower.y + box.upper.y);
    }
    if (count == 0) return (window){0, 0, 1};
    int low = count / 8, high = count - 1 - low;
    float span = cn_max(x[high] - x[low], y[high] - y[low]);
    if (span == 0) span = cn_max(x[count - 1] - x[0], y[count - 1] - y[0]);
    return (window){x[count / 2], y[count / 2], 0.5f / cn_max(span, 1e-12f)};
}

// The position of v in the window, as a number of 16 bits. Adding 2^23 puts the integer part of a
// float into its lowest bits.
static cn_intw quantize(cn_floatw v, float centre, float scale) {
    cn_floatw t = (v - centre) * scale;
    cn_floatw shifted = t / (1 + cn_absw(t)) * 32767 + (8388608 + 32768);
    return cn_bitsw(shifted) & 0xffff;
}

// abcd (4 x 4 bits) -> 0a0b0c0d, finer each time, until every bit has a zero above it.
static cn_intw spread_bits(cn_intw v) {
    v = (v | v << 8) & 0x00ff00ff;
    v = (v | v << 4) & 0x0f0f0f0f;
    v = (v | v << 2) & 0x33333333;
    return (v | v << 1) & 0x55555555;
}

/* Index along the Hilbert curve of points of 2 x 16 bits. In every quadrant the curve is a copy of
 * itself. In the lower two quadrants (y bit 0) x and y are exchanged, and in the lower right
 * quadrant the copy is also rotated by half a turn. Both operations change x and y in the same
 * bits. So x ^ y stays the same, and only y must be followed. In the end y holds the lower/upper
 * choices within the copies. The quadrants come in the order lower left, upper left, upper right,
 * lower right: as two bits, (x, x ^ y). */
static cn_intw hilbert_index(cn_intw x, cn_intw y) {
    const cn_intw differ = x ^ y;
    for (int i = 15; i > 0; i--) {
        int bit = 1 << i, finer = bit - 1;
        cn_intw is_lower = (y & bit) == 0, is_right = (differ & bit) == bit; // if it is lower
        y ^= is_lower & (differ ^ is_right) & finer;
    }
    return spread_bits(y ^ differ) << 1 | spread_bits(differ);
}

// ---- keys

typedef struct {
    cn_tree *tree;
    window window;
    int first, blocks;      // the leaf blocks
    uint64_t *keys, *spare; // 8 * blocks each
    uint64_t *from, *room;  // the sorted keys, and the other one of the two
    // By range and bucket: how many keys; then the place of the next one.
    int places[RANGES][BUCKETS];
} tree_sort;

// Makes the keys of a leaf block.
static void make_keys(const tree_sort *s, int block) {
    const cn_box8 *b = &s->tree->boxes[0][s->first + block];
    const int slot = 8 * (s->first + block);
    uint64_t *keys = s->keys + 8 * block;
    for (int i = 0; i < 8; i += CN_LANES) {
        cn_floatw x = cn_box_lanes(b->x0 + i) + cn_box_lanes(b->x1 + i);
        cn_floatw y = cn_box_lanes(b->y0 + i) + cn_box_lanes(b->y1 + i);
        const window w = s->window;
        cn_intw index = hilbert_index(quantize(x, w.x, w.scale), quantize(y, w.y, w.scale));
        for (int lane = i; lane < i + CN_LANES; lane++) {
            uint32_t at = (uint32_t)index[lane - i];
            if (at == UINT32_MAX) at--;
            if (s->tree->ids[slot + lane] < 0) at = UINT32_MAX;
            keys[lane] = (uint64_t)at << 32 | (uint32_t)(slot + lane);
        }
    }
}

static void make_all_keys(void *context, int first, int end) {
    for (int i = first; i < end; i++) make_keys(context, i);
}

// Returns the first key of a range.
static int begin_of(const tree_sort *s, int range) {
    return (int)((int64_t)8 * s->blocks * range / RANGES);
}

static void count_ranges(void *context, int first, int end) {
    tree_sort *s = context;
    for (int range = first; range < end; range++) {
        int *counts = s->places[range];
        memset(counts, 0, sizeof s->places[range]);
        for (int i = begin_of(s, range); i < begin_of(s, range + 1); i++)
            counts[s->keys[i] >> 56]++;
    }
}

static void find_places(void *context, int first, int end) {
    tree_sort *s = context;
    int place = 0;
    (void)first, (void)end; // one item
    s->from = s->spare, s->room = s->keys;
    for (int bucket = 0; bucket < BUCKETS; bucket++)
        for (int range = 0; range < RANGES; range++) {
            int count = s->places[range][bucket];
            s->places[range][bucket] = place;
            place += count;
        }
}

static void move_ranges(void *context, int first, int end) {
    tree_sort *s = context;
    for (int range = first; range < end; range++)
        for (int i = begin_of(s, range); i < begin_of(s, range + 1); i++)
            s->spare[s->places[range][s->keys[i] >> 56]++] = s->keys[i];
}

// After the move, a place of the last range is the end of its bucket.
static void sort_buckets(void *context, int first, int end) {
    tree_sort *s = context;
    for (int bucket = first; bucket < end; bucket++) {
        int from = bucket ? s->places[RANGES - 1][bucket - 1] : 0;
        int count = s->places[RANGES - 1][bucket] - from;
        cn_sort_keys(s->spare + from, s->keys + from, count, 32);
    }
}

// ---- rows

// Half of the boxes of a row: the coordinates x0 and y0, or x1 and y1.
typedef struct {
    const tree_sort *sort;
    cn_box8 *boxes;
    bool upper;
} half_row;

// Returns the 16 coordinates of a leaf block.
static float *half_of(const half_row *row, int leaf) {
    return (float *)&row->boxes[leaf] + (row->upper ? 16 : 0);
}

static void gather_boxes(void *context, int first, int end) {
    const half_row *row = context;
    float *room = (float *)row->sort->room + 16 * first;
    for (int i = first; i < end; i++, room += 16)
        for (int lane = 0; lane < 8; lane++) {
            int slot = (int)(uint32_t)row->sort->from[8 * i + lane];
            const float *half = half_of(row, slot >> 3) + (slot & 7);
            room[lane] = half[0], room[lane + 8] = half[8];
        }
}

static void store_boxes(void *context, int first, int end) {
    const half_row *row = context;
    const float *room = (const float *)row->sort->room;
    for (int i = first; i < end; i++)
        memcpy(half_of(row, row->sort->first + i), room + 16 * i, 16 * sizeof *room);
}

// An id and a bit: it has moved.
static void gather_ids(void *context, int first, int end) {
    const tree_sort *s = context;
    for (int i = 8 * first; i < 8 * end; i++) {
        int slot = (int)(uint32_t)s->from[i];
        uint64_t moved = s->tree->moved[slot >> 3] >> (slot & 7) & 1;
        s->room[i] = (uint64_t)(uint32_t)s->tree->ids[slot] << 1 | moved;
    }
}

static void store_ids(void *context, int first, int end) {
    const tree_sort *s = context;
    cn_tree *tree = s->tree;
    for (int i = first; i < end; i++) {
        int leaf = s->first + i;
        unsigned moved = 0;
        for (int lane = 0; lane < 8; lane++) {
            uint64_t member = s->room[8 * i + lane];
            int id = (int)(uint32_t)(member >> 1);
            tree->ids[8 * leaf + lane] = id;
            if (id >= 0) tree->slots[id] = 8 * leaf + lane;
            moved |= (unsigned)(member & 1) << lane;
        }
        tree->moved[leaf] = (uint8_t)moved;
        cn_set_shared_flag(&tree->dirty[1][leaf >> 3], leaf & 7, true);
    }
}

static void permute(tree_sort *s, cn_worker *worker) {
    for (int i = 0; i < 4; i++) {
        half_row row = {s, i < 2 ? s->tree->boxes[0] : s->tree->old, i & 1};
        cn_distribute(worker, s->blocks, GRAIN, gather_boxes, &row);
        cn_distribute(worker, s->blocks, GRAIN, store_boxes, &row);
    }
    cn_distribute(worker, s->blocks, GRAIN, gather_ids, s);
    cn_distribute(worker, s->blocks, GRAIN, store_ids, s);
}

// ---- the sort

static void sort_slots(void *context, cn_worker *worker) {
    tree_sort *s = context;
    cn_distribute(worker, s->blocks, GRAIN, make_all_keys, s);
    if (!cn_has_job(worker)) {
        cn_sort_keys(s->keys, s->spare, 8 * s->blocks, 32); // by the index on the curve
    } else {
        cn_distribute(worker, RANGES, 1, count_ranges, s);
        cn_distribute(worker, 1, 1, find_places, s);
        cn_distribute(worker, RANGES, 1, move_ranges, s);
        cn_distribute(worker, BUCKETS, 8, sort_buckets, s);
    }
    permute(s, worker);
}

int cn_tree_sort(cn_tree *tree, int first, uint64_t *keys, cn_team *team) {
    const int end = cn_tree_blocks(tree, 0), slots = 8 * (end - first);
    tree_sort s;
    if (slots == 0) return 0;
    s.tree = tree, s.window = fit_window(tree, first, end);
    s.first = first, s.blocks = end - first;
    s.keys = s.from = keys, s.spare = s.room = keys + slots;
    cn_run(team, SLOT_WORK * slots, sort_slots, &s);
    cn_store_relaxed(&tree->changed, true);
    return cn_find_key(s.from, slots, (uint64_t)UINT32_MAX << 32);
}
