/* A packed R-tree: boxes in the order of a curve, unions of eight boxes, unions of eight of these,
 * and so on.
 *
 *      level 2            [ 0 1 .......... 7 ]                lane c of block i is the union
 *                           /  \                             of block 8 i + c one level below
 *      level 1     [ 0 1 ... 7 ] [ 8 9 ... ]                 a block here: a group of 64 slots
 *                    /  \
 *      level 0   [boxes][boxes][boxes] ...                   leaf blocks: lane s is slot 8 i + s
 *
 * There are no pointers and no balancing. An insertion appends a slot. A removal leaves a hole (an
 * empty box). A move overwrites a box. Each of these marks the lane above as dirty, and a refit
 * recomputes dirty lanes from the bottom up. Sorting keeps the tree good: from time to time all
 * members are put in the order of a Hilbert curve and refill the blocks from the first on, without
 * holes (tree_sort.c). A sort is due when the leaf blocks have grown by a tenth in total, or when
 * so much has changed that the cost of the sort does not matter.
 *
 * Between steps queries read the tree from any thread, so it cannot be refit then. Edits between
 * steps enlarge the boxes above a new or moved box at once, as far up as needed. Appended members
 * are sorted among themselves each time their number has doubled. Slots then look like this:
 *
 *      0              base               ordered        slot_count
 *      | sorted       | sorted by itself | unsorted     |
 *
 * Two boxes are kept for each proxy: the present box, and the box at the last search. A pair is new
 * if the present boxes overlap and the old boxes do not (tree_search.c). Nothing outside depends on
 * the order of slots: a caller sorts any results in which it shows. Unused lanes and blocks hold
 * empty boxes, and flags can be read eight at a time up to the end of their row, so no loop needs
 * bounds.
 *
 * Packed Hilbert R-trees: Kamel and Faloutsos, "On Packing R-trees", 1993. */
#define CN_LANES 4
#include "tree.h"

#include <math.h>

enum {
    MAX_SLOTS = 1 << 26,
    GROUP_GRAIN = 8, // groups that a worker refits at a time: those of one block of level 2
    EDIT_WORK = 32,  // an insertion or removal counts as this many moved leaf blocks
    MIN_SORTED = 64, // fewer new members than this are not worth a sort
};

static const cn_bounds empty_box = {{{FLT_MAX, FLT_MAX}}, {{-FLT_MAX, -FLT_MAX}}};

// ---- memory

// Grows the parallel arrays of a level. Level 0 also has the arrays with one element per proxy. It
// grows with a reserve, which the upper levels follow.
static bool grow_level(cn_tree *tree, cn_memory *memory, int level, int blocks) {
    const cn_row ids = {&tree->ids, 8 * sizeof(int)};
    const cn_row rows[] = {CN_ROW(tree->boxes[level]), CN_ROW(tree->dirty[level]),
                           CN_ROW(tree->old), CN_ROW(tree->moved), ids};
    int *capacity = &tree->block_capacity[level], before = *capacity;
    if (level == 1 && blocks > GROUP_GRAIN &&
        !cn_fit(memory, &tree->changes, &tree->change_capacity, blocks))
        return false;
    bool done = level ? cn_fit_rows(memory, rows, 2, capacity, blocks)
                      : cn_grow_rows(memory, rows, 5, capacity, blocks);
    if (!done) return false;
    for (int i = 8 * before; i < 8 * *capacity; i++) {
        cn_box8_set(tree->boxes[level], i, empty_box);
        if (level > 0) continue;
        cn_box8_set(tree->old, i, empty_box);
        tree->ids[i] = -1;
    }
    return true;
}

// Grows level by level. If one level fails, the levels below have more blocks than are used, which
// does no harm.
static bool grow_slots(cn_tree *tree, cn_memory *memory, int slots) {
    if (!grow_level(tree, memory, 0, (slots + 7) / 8)) return false;
    int level = 1;
    for (int blocks = tree->block_capacity[0]; blocks > 1 || level < 3; level++) {
        blocks = (blocks + 7) / 8;
        if (!grow_level(tree, memory, level, blocks)) return false;
    }
    // The old root becomes lane 0 of the level above it.
    if (tree->levels > 0 && level > tree->levels) tree->dirty[tree->levels][0] |= 1;
    cn_store_relaxed(&tree->changed, true);
    bool deeper = level > tree->levels;
    tree->levels = level;
    tree->slot_capacity = 8 * tree->block_capacity[0];
    if (deeper) cn_tree_refit(tree);
    return true;
}

static bool grow_ids(cn_tree *tree, cn_memory *memory, int id_limit) {
    int before = tree->id_capacity;
    if (!cn_fit(memory, &tree->slots, &tree->id_capacity, id_limit)) return false;
    for (int id = before; id < tree->id_capacity; id++) tree->slots[id] = -1;
    return true;
}

// ---- edits

// Sets the end of the slots in use, and the level where walks begin.
static void set_slot_count(cn_tree *tree, int count) {
    tree->slot_count = count, tree->top = 0;
    while (cn_tree_blocks(tree, tree->top) > 1) tree->top++;
}

static float half_perimeter(cn_bounds box) { // 0 for an empty box
    return cn_max(0, (box.upper.x - box.lower.x) + (box.upper.y - box.lower.y));
}

void cn_tree_enclose(cn_tree *tree, int id) {
    int lane = tree->slots[id];
    cn_bounds box = cn_box8_get(tree->boxes[0], lane);
    for (int level = 1; level < tree->levels; level++) {
        lane >>= 3;
        cn_bounds above = cn_box8_get(tree->boxes[level], lane);
        if (cn_box_contains(above, box)) return;
        cn_bounds larger = cn_box_union(above, box);
        if (level == 1) tree->cost += (double)half_perimeter(larger) - half_perimeter(above);
        cn_box8_set(tree->boxes[level], lane, larger);
    }
}

void cn_tree_insert(cn_tree *tree, int id, cn_bounds box) {
    assert(!cn_tree_has(tree, id) && id < tree->id_capacity);
    assert(tree->slot_count < tree->slot_capacity);
    int slot = tree->slot_count;
    set_slot_count(tree, slot + 1);
    tree->slots[id] = slot;
    tree->ids[slot] = id;
    tree->most = cn_max_int(tree->most, ++tree->live);
    tree->work += EDIT_WORK;
    cn_tree_store_box(tree, slot, cn_tree_clamp(box));
    cn_tree_enclose(tree, id);
}

void cn_tree_remove(cn_tree *tree, int id) {
    assert(cn_tree_has(tree, id));
    int slot = tree->slots[id];
    tree->slots[id] = -1;
    tree->ids[slot] = -1;
    tree->live--;
    tree->work += EDIT_WORK;
    cn_tree_store_box(tree, slot, empty_box);
    cn_box8_set(tree->old, slot, empty_box);
}

void cn_tree_restore(cn_tree *tree, int id, cn_bounds box, const cn_bounds *old) {
    if (!cn_tree_has(tree, id)) cn_tree_insert(tree, id, box);
    int slot = tree->slots[id];
    cn_bounds before = cn_box8_get(tree->boxes[0], slot);
    bool same = memcmp(&before, &box, sizeof box) == 0;
    if (old || !same) cn_tree_store_box(tree, slot, box);
    cn_box8_set(tree->old, slot, old ? *old : box);
    if (!old) tree->moved[slot >> 3] &= (uint8_t) ~(1 << (slot & 7));
}

void cn_tree_renew_pairs(cn_tree *tree, int id) {
    cn_tree_mark_moved(tree, id);
    cn_box8_set(tree->old, tree->slots[id], empty_box);
}

void cn_tree_commit_blocks(cn_tree *tree, int first, int end) {
    for (int i = first; (i = cn_next_flag(tree->moved, i, end)) < end; i++) {
        tree->old[i] = tree->boxes[0][i];
        tree->moved[i] = 0;
    }
}

void cn_tree_commit(cn_tree *tree) {
    if (!cn_load_relaxed(&tree->changed)) return;
    cn_tree_commit_blocks(tree, 0, cn_tree_uncommitted_blocks(tree));
    cn_store_relaxed(&tree->changed, false);
}

void cn_tree_list_moved(const cn_tree *tree, uint64_t *bits) {
    int leaves = cn_tree_blocks(tree, 0);
    for (int i = 0; (i = cn_next_flag(tree->moved, i, leaves)) < leaves; i++)
        CN_EACH_LANE(k, tree->moved[i]) {
            int id = tree->ids[8 * i + k];
            if (id >= 0) cn_set_bit(bits, id);
        }
}

// ---- refit

// The union of the boxes of a block: first of both halves, then of their lanes. After the
// transpose, each vector holds one box.
static cn_bounds union_of(const cn_box8 *b) {
    cn_row4w r = {cn_minw(cn_box_lanes(b->x0), cn_box_lanes(b->x0 + 4)),
                  cn_minw(cn_box_lanes(b->y0), cn_box_lanes(b->y0 + 4)),
                  cn_maxw(cn_box_lanes(b->x1), cn_box_lanes(b->x1 + 4)),
                  cn_maxw(cn_box_lanes(b->y1), cn_box_lanes(b->y1 + 4))};
    r = cn_transpose4w(r);
    cn_floatw least = cn_minw(cn_minw(r.x, r.y), cn_minw(r.z, r.w));
    cn_floatw greatest = cn_maxw(cn_maxw(r.x, r.y), cn_maxw(r.z, r.w));
    return (cn_bounds){cn_vec(least[0], least[1]), cn_vec(greatest[2], greatest[3])};
}

static void add_change(cn_tree *tree, cn_tree_change change) {
    tree->cost += change.cost;
    tree->work += change.leaves;
}

// Recomputes the dirty lanes of a group of level 1 from the leaf blocks.
static void refit_group(cn_tree *tree, int group) {
    cn_tree_change change = {0};
    CN_EACH_LANE(k, tree->dirty[1][group]) {
        int leaf = 8 * group + k;
        cn_bounds box = union_of(&tree->boxes[0][leaf]), before = cn_box8_get(tree->boxes[1], leaf);
        change.cost += (double)half_perimeter(box) - half_perimeter(before);
        change.leaves++;
        cn_box8_set(tree->boxes[1], leaf, box);
    }
    if (tree->changes)
        tree->changes[group] = change;
    else
        add_change(tree, change);
    tree->dirty[1][group] = 0;
    tree->dirty[2][group >> 3] |= (uint8_t)(1 << (group & 7));
}

static inline void refit_range(cn_tree *tree, int first, int end) {
    for (int i = first; (i = cn_next_flag(tree->dirty[1], i, end)) < end; i++) refit_group(tree, i);
}

static void refit_groups(void *tree, int first, int end) { refit_range(tree, first, end); }

// Recomputes the dirty lanes of a block above level 1.
static void refit_block(cn_tree *tree, int level, int block) {
    CN_EACH_LANE(k, tree->dirty[level][block]) {
        int child = 8 * block + k;
        cn_box8_set(tree->boxes[level], child, union_of(&tree->boxes[level - 1][child]));
        if (level > 2 || !tree->changes) continue;
        add_change(tree, tree->changes[child]);
        tree->changes[child] = (cn_tree_change){0};
    }
    tree->dirty[level][block] = 0;
    if (level + 1 < tree->levels) tree->dirty[level + 1][block >> 3] |= (uint8_t)(1 << (block & 7));
}

// The sums of the costs do not depend on which worker refits which groups.
void cn_tree_refit_shared(cn_tree *tree, cn_team *team, int moved) {
    if (tree->levels == 0) return;
    const int groups = cn_tree_blocks(tree, 1);
    if (team)
        cn_run_loop(team, moved, groups, GROUP_GRAIN, refit_groups, tree);
    else
        refit_range(tree, 0, groups);
    for (int level = 2; level < tree->levels; level++) {
        int blocks = cn_tree_blocks(tree, level);
        for (int i = 0; (i = cn_next_flag(tree->dirty[level], i, blocks)) < blocks; i++)
            refit_block(tree, level, i);
    }
}

void cn_tree_refit(cn_tree *tree) { cn_tree_refit_shared(tree, NULL, 0); }

cn_bounds cn_tree_bounds(const cn_tree *tree) {
    return tree->levels ? union_of(&tree->boxes[tree->levels - 1][0]) : empty_box;
}

// ---- sort

// Sorts the slots from block `first` on. The holes are no longer in use after this. The tree must
// be refit.
static void sort_from(cn_tree *tree, int first, uint64_t *keys, cn_team *team) {
    int used = 8 * first + cn_tree_sort(tree, first, keys, team);
    cn_tree_refit_shared(tree, team, tree->slot_count);
    tree->ordered = used;
    set_slot_count(tree, used);
}

// The tree must be refit.
static void sort_tree(cn_tree *tree, uint64_t *keys, cn_team *team) {
    sort_from(tree, 0, keys, team);
    tree->base = tree->slot_count;

    // Computed anew, because a sum of differences loses its small terms as soon as a huge box has
    // been added and removed.
    tree->cost = 0;
    for (int i = 0; i < cn_tree_blocks(tree, 0); i++)
        tree->cost += half_perimeter(cn_box8_get(tree->boxes[1], i));
    tree->base_cost = tree->cost;
    tree->work = 0;
}

void cn_tree_update(cn_tree *tree, uint64_t *scratch, cn_team *team, int moved) {
    cn_tree_refit_shared(tree, team, moved);
    if (tree->cost < tree->base_cost) tree->base_cost = tree->cost;
    bool is_worse = tree->cost > 1.1 * tree->base_cost;
    bool is_stale = tree->work > 4 * ((int64_t)tree->live + 64);
    if (is_worse || is_stale) sort_tree(tree, scratch, team);
}

bool cn_tree_is_untidy(const cn_tree *tree) {
    int added = tree->slot_count - tree->base, one_by_one = tree->ordered - tree->base;
    return added >= MIN_SORTED && added >= 2 * one_by_one;
}

// Sorts the whole tree if most members are new. This costs as much as their insertion did, at most.
void cn_tree_tidy(cn_tree *tree, uint64_t *scratch) {
    cn_tree_refit(tree);
    if (tree->slot_count - tree->base >= tree->base)
        sort_tree(tree, scratch, NULL);
    else
        sort_from(tree, (tree->base + 7) / 8, scratch, NULL);
}

bool cn_tree_reserve(cn_tree *tree, cn_memory *memory, int more, int id_limit) {
    if (more > MAX_SLOTS - tree->slot_count)
        return cn_fail(CN_ERROR_MEMORY, "too many boxes: %d in addition to %d", more,
                       tree->slot_count);
    if (!grow_ids(tree, memory, id_limit)) return false;
    if (tree->slot_count + more <= tree->slot_capacity) return true;
    // If there are many holes, sort the tree rather than grow it: a sort moves the holes to the
    // end.
    size_t bytes = cn_tree_sort_bytes(tree->slot_count);
    bool has_many_holes = tree->slot_count - tree->live > tree->slot_capacity / 4;
    uint64_t *scratch = has_many_holes ? cn_allocate(memory, bytes) : NULL;
    if (has_many_holes) {
        if (!scratch) return false;
        cn_tree_refit(tree);
        sort_tree(tree, scratch, NULL);
        cn_release(memory, scratch, bytes);
    }
    int slots = tree->slot_count + more;
    return slots <= tree->slot_capacity || grow_slots(tree, memory, slots);
}

// ---- queries

cn_tree_walk cn_tree_overlaps(const cn_tree *tree, cn_bounds box) {
    cn_tree_walk walk;
    walk.tree = tree, walk.top = -1, walk.level = 0; // the end of the walk
    if (tree->live > 0) cn_walk_begin(&walk, tree, cn_box_bounded(box), 0);
    return walk;
}

int cn_tree_next(cn_tree_walk *walk) {
    int slot = cn_walk_next(walk);
    return slot < 0 ? -1 : walk->tree->ids[slot];
}

// ---- shift

// The greatest float that is not above the value. (Rounding is monotone, so unions stay unions.)
static float round_down(double value) {
    float near = (float)value;
    return (double)near > value ? nextafterf(near, -FLT_MAX) : near;
}

// Empty boxes keep their coordinates.
static void shift_box(cn_box8 *boxes, int i, vec2s by) {
    cn_bounds box = cn_box8_get(boxes, i);
    if (box.lower.x > box.upper.x) return;
    double x = (double)by.x, y = (double)by.y;
    vec2s lower = cn_vec(round_down((double)box.lower.x - x), round_down((double)box.lower.y - y));
    vec2s upper =
        cn_vec(0 - round_down(x - (double)box.upper.x), 0 - round_down(y - (double)box.upper.y));
    cn_box8_set(boxes, i, (cn_bounds){lower, upper});
}

void cn_tree_shift(cn_tree *tree, vec2s by) {
    for (int level = 0; level < tree->levels; level++)
        for (int i = 0; i < 8 * tree->block_capacity[level]; i++)
            shift_box(tree->boxes[level], i, by);
    for (int i = 0; i < tree->slot_capacity; i++) shift_box(tree->old, i, by);
}
