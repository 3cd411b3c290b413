/* collision: shapes and boxes, without any notion of a body.
 *
 *   hull.c            makes hulls, checks them and moves them
 *   hull_query.c      queries of a single hull
 *   manifold.h        the contact manifold of two hulls, CN_LANES pairs at a time (inline)
 *   manifold.c        the same for one pair: cn_hull_collide()
 *   surface.c         touching hulls of one body as one surface, and its contacts with a hull
 *   time_of_impact.c  the distance of two hulls, and when two moving hulls first touch
 *   tree.h            how a search descends a tree, CN_LANES boxes at a time (inline)
 *   tree.c            the packed R-tree of boxes: edits, refit, sort, box queries
 *   tree_sort.c       puts the boxes of the tree in order
 *   tree_search.c     finds new pairs of boxes
 *   sort.c            radix sort of 64-bit keys
 */
#ifndef CN_COLLISION_H
#define CN_COLLISION_H

#include "../base/maths.h"

// ---- hulls as the narrowphase reads them

// How a hull is stored. Rounded boxes (circle, capsule, segment, box) need no vertices at all. The
// class of a pair is the larger class of its two hulls.
typedef enum { CN_CLASS_BOX, CN_CLASS_HULL4, CN_CLASS_HULL8, CN_CLASS_COUNT } cn_hull_class;

/* A hull at its present place in the world: the pose of its centre in its canonical frame. In that
 * frame boxes are axis-aligned about their centre, and capsules and segments lie on the x axis. The
 * centre of a polygon is the average of its vertices, or the middle of its square if it is a tile.
 */
typedef struct {
    cn_pose pose; // of the centre
    union {
        float hx;     // half the width (class box); 0 for a circle
        int32_t hull; // index into the hull pool (other classes)
    };
    float hy;     // half the height (class box); 0 for circles, capsules and polygons
    float radius; // of the rounding
    int32_t kind; // vertex count | class << 8
} cn_placed_hull;
static_assert(sizeof(cn_placed_hull) == 32, "one half of a cache line");

static inline cn_hull_class cn_placed_class(const cn_placed_hull *p) {
    return (cn_hull_class)(p->kind >> 8);
}
static inline int cn_placed_count(const cn_placed_hull *p) { return p->kind & 255; }

// Vertices relative to the centre, and edge normals. Unused elements repeat element 0, so a padded
// edge ties with edge 0 and never wins a strict comparison. For class HULL4, kernels read only the
// first half of each row.
typedef struct {
    float x[8], y[8], nx[8], ny[8];
} cn_hull8;

// All distinct polygons of a world.
typedef struct {
    const cn_placed_hull *placed;
    const cn_hull8 *hulls8;
} cn_hull_store;

// A hull in its canonical form: placed in the frame in which the user gave it, with the vertices of
// a polygon (which is in no pool yet).
typedef struct {
    cn_placed_hull placed;
    cn_hull8 hull8; // only for the classes HULL4 and HULL8
} cn_canonical_hull;

// The index of the corner at which edge i ends.
static inline int cn_next_corner(const cn_hull *hull, int i) {
    return i + 1 < hull->count ? i + 1 : 0;
}

cn_canonical_hull cn_hull_canonical(const cn_hull *hull);
cn_canonical_hull cn_polygon_about(const cn_hull *polygon, vec2s center); // with another centre
// The hull of a placed hull at its present place; cn_outline_from_placed() leaves out its normals.
// The vertices of a polygon are read from the pool.
cn_hull cn_outline_from_placed(const cn_placed_hull *placed, const cn_hull8 *pool);
cn_hull cn_hull_from_placed(const cn_placed_hull *placed, const cn_hull8 *pool);

cn_bounds cn_polygon_bounds(const cn_placed_hull *placed, const cn_hull8 *hull);
// The tight box of a placed hull at its present place.
static inline cn_bounds cn_placed_bounds(const cn_placed_hull *p, const cn_hull8 *pool) {
    if (cn_placed_class(p) != CN_CLASS_BOX) return cn_polygon_bounds(p, &pool[p->hull]);
    vec2s center = p->pose.position;
    float c = cn_abs(p->pose.rotation.c), s = cn_abs(p->pose.rotation.s);
    float x = c * p->hx + s * p->hy + p->radius, y = s * p->hx + c * p->hy + p->radius;
    return (cn_bounds){cn_vec(center.x - x, center.y - y), cn_vec(center.x + x, center.y + y)};
}

// True if the centre of B is inside of A by more than rounding errors: then the hulls overlap. If
// they overlap, it may still be false. The bound of the rounding errors is that of numbers as large
// as `size` plus the coordinates of both hulls.
bool cn_holds_center(const cn_placed_hull *a, const cn_placed_hull *b, const cn_hull8 *pool,
                     float size);

// False, with the error recorded, if the hull is not one that a constructor could have made (count,
// finite numbers, radius, convexity).
bool cn_hull_check(const cn_hull *hull);
// The same for a call that takes no point (a circle of radius 0).
bool cn_hull_check_sized(const cn_hull *hull);
// The same for two hulls and their poses.
bool cn_check_pair(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);
bool cn_check_sized_pair(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);
// cn_segment() without its checks.
cn_hull cn_hull_of_segment(vec2s p, vec2s q);

// True if cn_polygon() refuses these points because they lie on a line, to its tolerance.
bool cn_points_are_flat(const vec2s *points, int count);
// Drops the corners of a convex polygon that stand out by no more than rounding, so that
// cn_hull_check() finds the rest convex. Returns how many corners are left.
int cn_trim_points(vec2s *points, int count);
// The hull of 2 to 8 corners that are convex and trimmed. Its count is 0 if cn_hull_check() could
// refuse it because it is too thin for its coordinates. No error is recorded.
cn_hull cn_hull_of_corners(const vec2s *corners, int count);

#define CN_MAX_LENGTH 1e9f // largest length or coordinate
// True if there are 3 or more points, all in range. Otherwise false, with the error recorded.
bool cn_check_points(const vec2s *points, int count);
// The hull of a convex polygon of 3 to 8 corners, counter-clockwise. It keeps all corners, and
// begins with the corner with which cn_polygon() begins. Its count is 0, without an error, if
// cn_hull_check() would refuse it.
cn_hull cn_hull_of_piece(const vec2s *corners, int count, float radius);

// cn_hull_mass_data() without its checks, also for an outline. All zeros if a float cannot hold
// them.
cn_mass_data cn_mass_of(const cn_hull *hull, float density);

// The moments of an area about a reference point: its size, and the integrals of the position and
// of its square.
typedef struct {
    double area;
    cn_vec2d first;
    double polar;
} cn_moments;

// Adds a part whose moments are about the point `at`.
static inline void cn_add_moments(cn_moments *sum, cn_vec2d at, cn_moments part) {
    sum->area += part.area;
    sum->first = cn_add_scaled(cn_add_scaled(sum->first, 1, part.first), part.area, at);
    sum->polar += part.polar + 2 * cn_dot2d(at, part.first) + part.area * cn_dot2d(at, at);
}
// Mass and inertia are infinite if a float cannot hold them.
cn_mass_data cn_mass_of_moments(cn_moments moments, cn_vec2d about, float density);

// ---- distance and time of impact (time_of_impact.c)

// The motion of a body: its centre moves along a straight line while the body turns at a constant
// rate. Both stop at fraction `end_fraction`.
typedef struct {
    cn_vec2d start_center; // world, at fraction 0
    cn_vec2d displacement; // of the centre, at fraction 1
    cn_rotation start;     // rotation at fraction 0
    float turn;            // radians turned at fraction 1
    double end_fraction;   // 0..1
} cn_body_sweep;

// A hull in motion.
typedef struct {
    cn_body_sweep sweep;
    cn_vec2d vertices[CN_MAX_VERTICES]; // at fraction 0, relative to the centre; world axes
    int count;
    double radius, inner;
    double extent; // distance of the farthest vertex from the centre
} cn_swept_hull;

typedef struct {
    double distance; // of the surfaces; if they overlap: minus the penetration depth
    cn_vec2d normal; // unit, from A to B
    cn_vec2d a, b;   // the nearest points of both surfaces, or the deepest points; world
} cn_gapd;

// The radius of the largest circle about the middle of the outline that fits into it.
float cn_inner_radius(const cn_hull *outline);
// Prepares a hull for the motion of its body. `center` is the centre of the body in the frame of
// the outline.
cn_swept_hull cn_make_swept_hull(const cn_hull *outline, vec2s center, const cn_body_sweep *sweep);
cn_gapd cn_gap_at(const cn_swept_hull *a, const cn_swept_hull *b, double fraction);

// The first fraction at which the signed distance of two moving hulls has fallen to `distance`, to
// within `tolerance`: 0 if it is less from the start, CN_NO_IMPACT if it does not fall so far
// before `limit`.
#define CN_NO_IMPACT 2.0
double cn_find_impact(const cn_swept_hull *a, const cn_swept_hull *b, double distance,
                      double tolerance, double limit);
// Two hulls that are closer than this touch. In metres.
static inline double cn_touch_tolerance(const cn_swept_hull *a, const cn_swept_hull *b) {
    return 1e-6 * (a->extent + a->radius + b->extent + b->radius);
}
// False, with the error recorded, if the sweep is not valid.
bool cn_require_sweep(const cn_sweep *sweep);
cn_swept_hull cn_swept_hull_from_sweep(const cn_hull *hull,
                                       const cn_sweep *sweep); // hull on a sweep

// Two hulls at rest, in a frame with the axes of the world at the position of A.
typedef struct {
    cn_swept_hull a, b;
    cn_gapd gap;
    double rounding; // the largest error of their distance in double precision
} cn_resting_pair;

#define CN_ROUNDING 1e-14 // relative to the size of both hulls

cn_resting_pair cn_make_resting_pair(const cn_hull *a, cn_pose pose_a, const cn_hull *b,
                                     cn_pose pose_b);
// True if the two hulls share a point, to rounding.
static inline bool cn_pair_overlaps(const cn_resting_pair *pair) {
    return pair->gap.distance <= pair->rounding;
}

// ---- surfaces (surface.c)

#define CN_LARGEST_TURN 2.0f // the turn of half a circle (see `turns`)

// The part of an edge that the neighbours of its hull leave visible.
typedef struct {
    float ends[2];    // distances along the edge, from its first vertex
    vec2s normals[2]; // of the faces that continue the edge at its ends
    float turns[2];   // how sharply they turn: 1 - cosine, negative at a concave corner. Larger
                      // than CN_LARGEST_TURN if no face continues the edge
    bool visible;
} cn_surface_edge;

typedef struct {
    cn_surface_edge edges[CN_MAX_VERTICES];
    bool one_sided; // a segment of a chain: only the side of edge 0 is solid
    bool merged;    // true if it differs from the surface of a lone two-sided hull
    unsigned flat;  // a bit for each edge that is whole and ends at no convex corner
    unsigned inner; // the same, or only a part of the edge is visible
    float parts[CN_MAX_VERTICES][2]; // where the visible part begins and ends, along the edge from
                                     // the point of its line that is nearest to the hull's centre
    int next_free; // the next free surface in the pool; in use: the step that found it, -1: others
} cn_surface;

// cn_surface_of() returns the surface of a hull alone. Then call cn_surface_cover() for all
// neighbours, again and again until no call changes the surface. Then call cn_surface_join() for
// all neighbours. All hulls are in one frame. Hulls that are closer than the tolerance touch.
cn_surface cn_surface_of(const cn_hull *hull, bool one_sided);
bool cn_surface_cover(cn_surface *surface, const cn_hull *hull, const cn_hull *other,
                      float tolerance);
void cn_surface_join(cn_surface *surface, const cn_hull *hull, const cn_hull *other,
                     bool other_one_sided, float tolerance);
// Turns normals from the frame in which the hull is placed to its canonical frame, which has the
// given pose in it. Call this last.
void cn_surface_end(cn_surface *surface, const cn_hull *hull, cn_pose pose);
// True if a face that points along `up` goes on behind a convex corner of an edge, and `normal` is
// between the normal of the edge, `own`, and that of this face. All in the canonical frame.
bool cn_surface_goes_on(const cn_surface *surface, int edge, vec2s own, vec2s normal, vec2s up);

// A cn_manifoldw of one lane.
typedef struct {
    uint32_t words[13];
} cn_manifold_row;

// cn_collide_pairsw() for one pair in which A has a surface. Returns the same bits for every width.
cn_manifold_row cn_collide_surface(const cn_hull_store *store, const cn_surface *surface, int a,
                                   int b, float margin, float tolerance);
// The same manifold after A and B have changed places. offset: from the centre of A to that of B.
cn_manifold_row cn_manifold_swapped(const cn_manifold_row *row, vec2s offset);

// ---- the tree

// cn_bounds_overlap() without its checks. The empty box is allowed, and overlaps nothing.
static inline bool cn_boxes_overlap(cn_bounds a, cn_bounds b) {
    return (a.lower.x <= b.upper.x) & (b.lower.x <= a.upper.x) & (a.lower.y <= b.upper.y) &
           (b.lower.y <= a.upper.y);
}

bool cn_bounds_check(cn_bounds b); // false, with the error recorded, if they are invalid

// True if no part of the inner box is outside the outer box.
static inline bool cn_box_contains(cn_bounds outer, cn_bounds inner) {
    return (outer.lower.x <= inner.lower.x) & (outer.lower.y <= inner.lower.y) &
           (inner.upper.x <= outer.upper.x) & (inner.upper.y <= outer.upper.y);
}

static inline cn_bounds cn_box_union(cn_bounds a, cn_bounds b) {
    return (cn_bounds){cn_min2(a.lower, b.lower), cn_max2(a.upper, b.upper)};
}

// cn_box_grown() adds a margin on all sides. cn_box_extended() adds the sides of another box to
// those of a box. cn_box_of_displacement() is the box of a displacement (x, y) from the origin,
// with a margin.
static inline cn_bounds cn_box_grown(cn_bounds box, float margin) {
    return (cn_bounds){cn_vec(box.lower.x - margin, box.lower.y - margin),
                       cn_vec(box.upper.x + margin, box.upper.y + margin)};
}
static inline cn_bounds cn_box_extended(cn_bounds box, cn_bounds by) {
    return (cn_bounds){glms_vec2_add(box.lower, by.lower), glms_vec2_add(box.upper, by.upper)};
}
static inline cn_bounds cn_box_of_displacement(float x, float y, float more) {
    return cn_box_grown((cn_bounds){{{cn_min(x, 0), cn_min(y, 0)}}, {{cn_max(x, 0), cn_max(y, 0)}}},
                        more);
}

// Eight boxes, as a structure of arrays. Unused lanes hold the empty box (+max, +max, -max, -max),
// which overlaps nothing and does not change a union.
typedef struct {
    float x0[8], y0[8], x1[8], y1[8];
} cn_box8;
static_assert(sizeof(cn_box8) == 128, "two cache lines");

// Box i of an array: lane i % 8 of block i / 8.
static inline cn_bounds cn_box8_get(const cn_box8 *blocks, int i) {
    const cn_box8 *b = &blocks[i >> 3];
    int lane = i & 7;
    return (cn_bounds){cn_vec(b->x0[lane], b->y0[lane]), cn_vec(b->x1[lane], b->y1[lane])};
}
static inline void cn_box8_set(cn_box8 *blocks, int i, cn_bounds box) {
    cn_box8 *b = &blocks[i >> 3];
    int lane = i & 7;
    b->x0[lane] = box.lower.x;
    b->y0[lane] = box.lower.y;
    b->x1[lane] = box.upper.x;
    b->y1[lane] = box.upper.y;
}

enum { CN_TREE_LEVELS = 9 };

// What a refit of eight leaf blocks changed, until it is added to the sums of the tree.
typedef struct {
    double cost; // half perimeters
    int leaves;  // recomputed
} cn_tree_change;

/* See tree.c. Outside of a step, every box of an upper level contains all boxes below it. The boxes
 * of dirty lanes may be too large but never too small. The user of the tree names a proxy by an id,
 * a small integer of its choice. The tree stores the proxy in a slot, which a sort changes. */
typedef struct {
    int slot_count, slot_capacity; // slots in use (including holes), and capacity
    int live, most;                // number of proxies: now, and at most
    int levels;                    // 0 without memory, else at least 3
    int change_capacity;
    // [0]: boxes of the proxies; [k]: lane c of block i is the union of block 8 i + c of [k - 1]
    cn_box8 *boxes[CN_TREE_LEVELS];
    cn_box8 *old; // the boxes of the proxies at the last search; empty for a new proxy
    int *ids;     // slot -> id, -1 for a hole
    int *slots;   // id -> slot, -1 if absent
    int id_capacity;
    int base;                       // slots that the last sort of the whole tree put in order
    uint8_t *moved;                 // per leaf block, a bit per lane: changed since the last search
    uint8_t *dirty[CN_TREE_LEVELS]; // per block of level k > 0, a bit per lane: to be recomputed
    cn_tree_change *changes; // per block of level 1; zero outside of a refit. NULL if so few blocks
                             // that one worker refits them
    int block_capacity[CN_TREE_LEVELS];
    int top;                // walks begin here: the lowest level with one block in use
    double cost, base_cost; // half perimeters of all leaf blocks: now, and least since the sort
    bool shared;            // several threads may move proxies at once (each its own)
    atomic_bool changed;    // boxes or memory have changed since the last search
    int ordered;            // end of the slots in order; new members are sorted by themselves
    int64_t work;           // leaf blocks changed since the last sort; an edit counts as several
} cn_tree;

// The number of blocks of a level that are in use.
static inline int cn_tree_blocks(const cn_tree *tree, int level) {
    int shift = 3 * level + 3;
    return (tree->slot_count + (1 << shift) - 1) >> shift;
}

// Keys of new pairs: two proxy ids, the smaller id in the high half. A search needs spare capacity
// for this many pairs.
enum { CN_PAIRS_OF_JOB = 8 * 8 };
typedef CN_LIST(uint64_t) cn_key_list;

// Reserves memory for `more` further proxies with ids below id_limit (callers raise it in large
// steps). False if memory is short; then the proxies do not change.
bool cn_tree_reserve(cn_tree *tree, cn_memory *memory, int more, int id_limit);
// Boxes must be finite; coordinates are clamped to +-1e18. Reserve memory first. The boxes above
// enclose the new box at once.
void cn_tree_insert(cn_tree *tree, int id, cn_bounds box);
void cn_tree_remove(cn_tree *tree, int id);
// All overlaps of the proxy count as new in the next search.
void cn_tree_renew_pairs(cn_tree *tree, int id);

static inline bool cn_tree_has(const cn_tree *tree, int id) {
    return id < tree->id_capacity && tree->slots[id] >= 0;
}
static inline cn_bounds cn_tree_box(const cn_tree *tree, int id) {
    assert(cn_tree_has(tree, id));
    return cn_box8_get(tree->boxes[0], tree->slots[id]);
}

// Sets the bits of the proxies that were inserted, moved or touched since the last search.
void cn_tree_list_moved(const cn_tree *tree, uint64_t *bits);

// Stores a box. Marks it as moved for the next search, and marks the lane above as dirty.
static inline void cn_tree_store_box(cn_tree *tree, int slot, cn_bounds box) {
    int leaf = slot >> 3;
    if (!cn_load_relaxed(&tree->changed))
        cn_store_relaxed(&tree->changed, true); // others read its line
    cn_box8_set(tree->boxes[0], slot, box);
    cn_set_shared_flag(&tree->moved[leaf], slot & 7, tree->shared);
    cn_set_shared_flag(&tree->dirty[1][leaf >> 3], leaf & 7, tree->shared);
}
// Keeps unions and their perimeters finite for any box.
static inline cn_bounds cn_tree_clamp(cn_bounds box) {
    const vec2s low = {{-1e18f, -1e18f}}, high = {{1e18f, 1e18f}};
    return (cn_bounds){cn_max2(low, cn_min2(box.lower, high)),
                       cn_max2(low, cn_min2(box.upper, high))};
}
// Clamps like cn_tree_insert(). Any number of moves between two searches count as one. The boxes
// above enclose the new box after the next refit. Outside of a step, call cn_tree_enclose() after
// every move, because queries may follow.
static inline void cn_tree_move(cn_tree *tree, int id, cn_bounds box) {
    assert(cn_tree_has(tree, id));
    cn_tree_store_box(tree, tree->slots[id], cn_tree_clamp(box));
}
// The same as a move of the proxy to its present box.
static inline void cn_tree_mark_moved(cn_tree *tree, int id) {
    cn_tree_move(tree, id, cn_tree_box(tree, id));
}

// Enlarges the boxes above a proxy until they enclose it.
void cn_tree_enclose(cn_tree *tree, int id);

// New members are appended, in no spatial order, which makes queries slow. A tree is untidy if it
// has at least twice as many new members as have been put in order since the last full sort.
// Tidying puts them in order. It needs the same scratch as an update.
bool cn_tree_is_untidy(const cn_tree *tree);
void cn_tree_tidy(cn_tree *tree, uint64_t *scratch);

// Updates the upper levels, and sorts the tree if that has become worthwhile. Required before a
// search. The scratch has cn_tree_sort_bytes(): two keys for each slot, rounded up to full blocks.
// The team may be NULL. `moved`: about how many boxes have moved since the last refit.
void cn_tree_update(cn_tree *tree, uint64_t *scratch, cn_team *team, int moved);
static inline size_t cn_tree_sort_bytes(int slot_count) {
    return 2 * sizeof(uint64_t) * (((size_t)slot_count + 7) & ~(size_t)7);
}
void cn_tree_refit(cn_tree *tree);                                  // updates the upper levels only
void cn_tree_refit_shared(cn_tree *tree, cn_team *team, int moved); // workers share it
// Sorts the slots from leaf block `first` on: the members along the curve, then the holes. Returns
// the number of members. The tree must be refit, and must be refit again after this (tree_sort.c).
int cn_tree_sort(cn_tree *tree, int first, uint64_t *scratch, cn_team *team);
// Returns the box around all boxes. The tree must be refit.
cn_bounds cn_tree_bounds(const cn_tree *tree);

// For the state of a tree: the box of a proxy, the box that it had at the last search, and whether
// it has moved since. cn_tree_restore() sets all three, and adds the proxy if it is not there.
// `old` is NULL if it has not moved.
static inline bool cn_tree_has_moved(const cn_tree *tree, int id) {
    return tree->moved[tree->slots[id] >> 3] >> (tree->slots[id] & 7) & 1;
}
static inline cn_bounds cn_tree_old_box(const cn_tree *tree, int id) {
    return cn_box8_get(tree->old, tree->slots[id]);
}
void cn_tree_restore(cn_tree *tree, int id, cn_bounds box, const cn_bounds *old);
// Moves all boxes by minus a vector, including those of the last search. Rounding enlarges boxes.
void cn_tree_shift(cn_tree *tree, vec2s by);
// Call this after a search. The present boxes become the old ones.
void cn_tree_commit(cn_tree *tree);
// Commits leaf blocks first..end - 1. `first` is a multiple of 8, and `end`, too, except at the end
// of the blocks. Several workers may commit parts. cn_tree_commit() must follow.
void cn_tree_commit_blocks(cn_tree *tree, int first, int end);
// Returns the number of leaf blocks if some of them may have moved since the last search, else 0.
static inline int cn_tree_uncommitted_blocks(const cn_tree *tree) {
    return cn_load_relaxed(&tree->changed) ? cn_tree_blocks(tree, 0) : 0;
}

// A walk down the tree that finds everything that overlaps a box (tree.h).
typedef struct {
    const cn_tree *tree;
    cn_bounds query; // the box to overlap
    int bottom;      // level whose lanes the walk yields: slots at 0, leaf blocks at 1, ...
    int top;         // level where the walk began
    int level;
    int block[CN_TREE_LEVELS];     // the current block of each level,
    unsigned hits[CN_TREE_LEVELS]; // and its lanes that are still to be visited
} cn_tree_walk;

// Visits the proxies whose boxes overlap a box: CN_EACH_OVER(id, tree, box) { ... }. The tree must
// be refit, and must not be edited inside the loop. (The first loop only declares the walk.)
#define CN_EACH_OVER(id, tree, box)                                                                \
    for (cn_tree_walk id##_walk = cn_tree_overlaps(tree, box), *id##_end = NULL; !id##_end;        \
         id##_end = &id##_walk)                                                                    \
        for (int id; (id = cn_tree_next(&id##_walk)) >= 0;)
cn_tree_walk cn_tree_overlaps(const cn_tree *tree, cn_bounds box);
int cn_tree_next(cn_tree_walk *walk); // -1 after the last

// ---- functions that exist once per SIMD width

/* Appends the pairs between changed members of t and members of u that overlap now and did not
 * overlap at the last search. If u == t, each pair is appended once. If `fresh` is true, only
 * unchanged members of u take part (the search the other way round reports the changed ones). Only
 * the groups first..end - 1 of t are searched. Both trees must be updated. False if memory is
 * short; then the pairs appended up to there are useless. */
typedef bool cn_tree_search_function(const cn_tree *t, const cn_tree *u, bool fresh, int first,
                                     int end, cn_memory *memory, cn_key_list *pairs);
static inline int cn_tree_groups(const cn_tree *tree) { return (tree->slot_count + 63) / 64; }
cn_tree_search_function cn_tree_search_1, cn_tree_search_4, cn_tree_search_8;

// ---- sorting (sort.c)

// Sorts in ascending order by the bits from `first_bit` (a multiple of 8) on. Keys that are equal
// in these bits keep their order. `spare` is as large as `keys`.
void cn_sort_keys(uint64_t *keys, uint64_t *spare, int count, int first_bit);
// The number of sorted keys that are less than `key`.
int cn_find_key(const uint64_t *keys, int count, uint64_t key);

#endif
