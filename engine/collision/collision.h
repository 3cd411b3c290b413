/* collision: shapes and boxes, with no notion of a body.
 *
 *   decompose.h      meshes that take outlines with holes apart (it lists its own files)
 *   decompose.c      concave outlines as hulls: cn_decompose()
 *   hull.c           makes hulls, checks and moves them
 *   hull_query.c     answers questions about one
 *   manifold.h       how two hulls touch, CN_LANES pairs at a time (an inline kernel)
 *   manifold.c       the same for one pair: cn_collide()
 *   surface.c        touching hulls of one body as one surface, and how a hull touches that
 *   sweep.c          how far apart two hulls are, and when they first touch on their way
 *   curve.h          outlines as curves of straight pieces and arcs, and regions between them
 *   curve.c          makes curves; where their pieces meet
 *   region.c         the common part of two curves
 *   clip.c           its moments and corners: cn_clip()
 *   crossings.c      where two curves cross
 *   slice.c          a hull cut in two
 *   tree.h           how a search goes down a tree, CN_LANES boxes at a time (inline)
 *   tree.c           the packed R-tree over boxes: edits, refit, sort, box queries
 *   tree_search.c    which pairs of boxes are new
 *   hull_sum.h       a moving hull against another as a point against their sum (inline)
 *   probe.c          the hull of a query
 *   tree_query.c     casts, overlaps and the nearest hull
 *   sort.c           radix sort of 64-bit keys
 */
#ifndef CN_COLLISION_H
#define CN_COLLISION_H

#include "../base/maths.h"

// ---- hulls as the narrowphase reads them

// How a hull is stored: rounded boxes (circle, capsule, segment, box) need no vertices at all. The
// class of a pair is the larger of its two.
typedef enum { CN_CLASS_BOX, CN_CLASS_HULL4, CN_CLASS_HULL8, CN_CLASS_COUNT } cn_hull_class;

/* A hull where it is in the world now: the pose of its centre in its canonical frame. Boxes are
 * axis-aligned about their centre there, capsules and segments lie on the x axis; the centre of a
 * polygon is the average of its vertices. */
typedef struct {
    cn_pose pose; // of the centre
    union {
        float hx;     // half the width (class box); 0 of a circle
        int32_t hull; // index into the hull pool (other classes)
    };
    float hy;     // half the height (class box); 0 of circles, capsules and polygons
    float radius; // of the rounding
    int32_t kind; // vertex count | class << 8
} cn_placed_hull;
static_assert(sizeof(cn_placed_hull) == 32, "one half of a cache line");

static inline cn_hull_class cn_placed_class(const cn_placed_hull *p) {
    return (cn_hull_class)(p->kind >> 8);
}
static inline int cn_placed_count(const cn_placed_hull *p) { return p->kind & 255; }

// Vertices and edge normals about the centre, padded with element 0 (so a padded edge ties with
// edge 0 and never wins a strict comparison). Of a hull of class HULL4 kernels read the first half
// of each row.
typedef struct {
    float x[8], y[8], nx[8], ny[8];
} cn_hull8;

// All distinct polygons of a world.
typedef struct {
    const cn_placed_hull *placed;
    const cn_hull8 *hulls8;
} cn_hull_store;

// A hull taken apart: placed in the frame it was given in, and the vertices of a polygon (which is
// in no pool yet).
typedef struct {
    cn_placed_hull placed;
    cn_hull8 hull8; // classes HULL4 and HULL8
} cn_canonical_hull;

// The corner at which edge i ends.
static inline int cn_next_corner(const cn_hull *hull, int i) {
    return i + 1 < hull->count ? i + 1 : 0;
}

cn_canonical_hull cn_hull_canonical(const cn_hull *hull);
// The hull of a placed one, where it is, and the same without its normals. Of a polygon the
// vertices are read from the pool.
cn_hull cn_outline_from_placed(const cn_placed_hull *placed, const cn_hull8 *pool);
cn_hull cn_hull_from_placed(const cn_placed_hull *placed, const cn_hull8 *pool);

cn_bounds cn_polygon_bounds(const cn_placed_hull *placed, const cn_hull8 *hull);
// The tight box of a placed hull, where it is.
static inline cn_bounds cn_placed_bounds(const cn_placed_hull *p, const cn_hull8 *pool) {
    if (cn_placed_class(p) != CN_CLASS_BOX) return cn_polygon_bounds(p, &pool[p->hull]);
    vec2s center = p->pose.position;
    float c = cn_abs(p->pose.rotation.c), s = cn_abs(p->pose.rotation.s);
    float x = c * p->hx + s * p->hy + p->radius, y = s * p->hx + c * p->hy + p->radius;
    return (cn_bounds){cn_vec(center.x - x, center.y - y), cn_vec(center.x + x, center.y + y)};
}

// False, with the error recorded, if the hull was not made by a constructor of ours (count, finite
// numbers, radius, convexity).
bool cn_hull_check(const cn_hull *hull);
// cn_segment() without its checks.
cn_hull cn_hull_of_segment(vec2s p, vec2s q);

// Does cn_polygon() refuse these points because they lie on a line, to its tolerance?
bool cn_points_are_flat(const vec2s *points, int count);
// Drops the corners of a convex polygon that stand out by no more than rounding, so that
// cn_hull_check() finds the rest convex. Returns how many are left.
int cn_trim_points(vec2s *points, int count);
// The hull of 2 to 8 corners that are convex and trimmed. Its count is 0 if cn_hull_check() could
// refuse it because it is too thin for its coordinates. No error is recorded.
cn_hull cn_hull_of_corners(const vec2s *corners, int count);

#define CN_MAX_LENGTH 1e9f // of lengths and coordinates
// Are there 3 or more points, all in range? False, with the error recorded, if not.
bool cn_check_points(const vec2s *points, int count);
// The hull of a convex polygon of 3 to 8 corners, counter-clockwise. It keeps all corners, and
// begins with the one that cn_polygon() begins with. Its count is 0, without an error, if
// cn_hull_check() would refuse it.
cn_hull cn_hull_of_piece(const vec2s *corners, int count, float radius);

// cn_hull_mass() without its checks, also for an outline. All zeros if a float cannot hold it.
cn_mass cn_mass_of(const cn_hull *hull, float density);

// An area about a reference point: its size, the integral of the position and of its square.
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
cn_mass cn_mass_of_moments(cn_moments moments, cn_vec2d about, float density);

// ---- distance and sweeps (sweep.c)

// The way of a body: its centre goes straight on while it turns evenly, both up to fraction
// `until`.
typedef struct {
    cn_vec2d from, motion; // of the centre, world
    cn_rotation start;     // rotation at fraction 0
    float turn;            // radians of the whole way
    double until;          // 0..1
} cn_way;

// A hull on its way.
typedef struct {
    cn_way way;
    cn_vec2d vertices[CN_MAX_VERTICES]; // at the start, about the centre, world axes
    int count;
    double radius, inner;
    double extent; // the farthest vertex from the centre
} cn_swept_hull;

typedef struct {
    double distance; // of the surfaces; with overlap: minus the shortest way out
    cn_vec2d normal; // unit, from A to B
    cn_vec2d a, b;   // the nearest points of the two surfaces, or the deepest ones; world
} cn_sweep_gap;

// Of a circle about the middle of the outline that fits into it.
float cn_inner_radius(const cn_hull *outline);
// `center` is the centre of the body in the frame of the outline.
cn_swept_hull cn_sweep_hull(const cn_hull *outline, vec2s center, const cn_way *way);
cn_sweep_gap cn_gap_at(const cn_swept_hull *a, const cn_swept_hull *b, double fraction);

// The fraction at which their signed distance has come down to `distance`, give or take
// `tolerance`: 0 if it is less from the start, CN_SWEEP_MISS if that does not happen before
// `limit`.
#define CN_SWEEP_MISS 2.0
double cn_sweep_until(const cn_swept_hull *a, const cn_swept_hull *b, double distance,
                      double tolerance, double limit);
// Two hulls that are closer than this, in m, touch.
static inline double cn_touch_tolerance(const cn_swept_hull *a, const cn_swept_hull *b) {
    return 1e-6 * (a->extent + a->radius + b->extent + b->radius);
}
// Is this a valid sweep? False, with the error recorded, if not.
bool cn_require_sweep(const cn_sweep *sweep);
cn_swept_hull cn_swept_of(const cn_hull *hull, const cn_sweep *sweep); // a hull along a sweep

// Two hulls at rest, in a frame with the axes of the world at the position of A.
typedef struct {
    cn_swept_hull a, b;
    cn_sweep_gap gap;
    double rounding; // more than double precision can be wrong about their distance
} cn_resting_pair;

#define CN_ROUNDING 1e-14 // of the size of both hulls

cn_resting_pair cn_rest_pair(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);
// Do they share a point, to rounding?
static inline bool cn_pair_meets(const cn_resting_pair *pair) {
    return pair->gap.distance <= pair->rounding;
}
// False, with the error recorded, unless both are hulls and both are poses.
bool cn_check_pair(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b);

// ---- surfaces (surface.c)

#define CN_LARGEST_TURN 2.0f // of half a circle

// What is seen of an edge beside the neighbours of its hull.
typedef struct {
    float ends[2];    // along the edge, from its first vertex
    vec2s normals[2]; // of the faces that continue it there
    float turns[2];   // how sharply: 1 - cosine, negative at a concave corner; larger than the
                      // largest if nothing continues it
    bool visible;
} cn_surface_edge;

typedef struct {
    cn_surface_edge edges[CN_MAX_VERTICES];
    bool one_sided; // a segment of a chain: solid but for the side of edge 0
    bool merged;    // it is another than that of the hull alone
    unsigned flat;  // a bit for each edge that is whole and goes on at both ends, around no corner
    int next_free;  // of the pool of surfaces
} cn_surface;

// The surface of a hull alone. Then the neighbours: first all cover it, again and again until none
// changes it, then all join it. Hulls are in one frame; those closer than the tolerance touch.
cn_surface cn_surface_of(const cn_hull *hull, bool one_sided);
bool cn_surface_cover(cn_surface *surface, const cn_hull *hull, const cn_hull *other,
                      float tolerance);
void cn_surface_join(cn_surface *surface, const cn_hull *hull, const cn_hull *other,
                     bool other_one_sided, float tolerance);
// From the frame that the hull is placed in to its canonical one: the last thing to be done.
void cn_surface_end(cn_surface *surface, const cn_hull *hull, cn_rotation frame);

// A cn_manifoldw of one lane.
typedef struct {
    uint32_t words[13];
} cn_manifold_row;

// cn_collide_pairsw() for one pair of which A has a surface: the same bits for every width.
cn_manifold_row cn_collide_surface(const cn_hull_store *store, const cn_surface *surface, int a,
                                   int b, float margin, float tolerance);

// ---- the tree

// cn_bounds_overlap() without its checks: also for the empty box, which overlaps nothing.
static inline bool cn_boxes_meet(cn_bounds a, cn_bounds b) {
    return (a.lower.x <= b.upper.x) & (b.lower.x <= a.upper.x) & (a.lower.y <= b.upper.y) &
           (b.lower.y <= a.upper.y);
}

bool cn_bounds_check(cn_bounds b); // false, with the error recorded, unless it is valid

// True if no part of the inner box is outside the outer one.
static inline bool cn_box_holds(cn_bounds outer, cn_bounds inner) {
    return (outer.lower.x <= inner.lower.x) & (outer.lower.y <= inner.lower.y) &
           (inner.upper.x <= outer.upper.x) & (inner.upper.y <= outer.upper.y);
}

static inline cn_bounds cn_boxes_united(cn_bounds a, cn_bounds b) {
    return (cn_bounds){cn_min2(a.lower, b.lower), cn_max2(a.upper, b.upper)};
}

// A box with a margin on all sides; one whose sides are moved by those of another; all places that
// a point comes to on its way, and `more`.
static inline cn_bounds cn_box_grown(cn_bounds box, float margin) {
    return (cn_bounds){cn_vec(box.lower.x - margin, box.lower.y - margin),
                       cn_vec(box.upper.x + margin, box.upper.y + margin)};
}
static inline cn_bounds cn_box_moved(cn_bounds box, cn_bounds by) {
    return (cn_bounds){glms_vec2_add(box.lower, by.lower), glms_vec2_add(box.upper, by.upper)};
}
static inline cn_bounds cn_box_of_way(float x, float y, float more) {
    return cn_box_grown((cn_bounds){{{cn_min(x, 0), cn_min(y, 0)}}, {{cn_max(x, 0), cn_max(y, 0)}}},
                        more);
}

// Eight boxes, as structure of arrays. Unused lanes hold the empty box (+max, +max, -max, -max),
// which overlaps nothing and is neutral in unions.
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

/* See tree.c. Outside of a step every box of an upper level contains all boxes below it. Dirty
 * lanes may be too large, never too small. The user of the tree names a proxy by an id, a small
 * integer of its choice. The tree stores the proxy in a slot, which a sort changes. */
typedef struct {
    int slot_count, slot_capacity; // slots in use (holes included) and slots that fit
    int live;                      // proxies
    int levels;                    // 0 without memory, else at least 3
    // [0]: the proxies' boxes; [k]: lane c of block i is the union of block 8 i + c of [k - 1]
    cn_box8 *boxes[CN_TREE_LEVELS];
    cn_box8 *old; // the proxies' boxes at the last search; empty for a new one
    int *ids;     // slot -> id, -1 for a hole
    int *slots;   // id -> slot, -1 if absent
    int id_capacity;
    int base;                       // slots that the last sort of the whole tree put in order
    uint8_t *moved;                 // per leaf block, a bit per lane: changed since the last search
    uint8_t *dirty[CN_TREE_LEVELS]; // per block of level k > 0, a bit per lane: to be recomputed
    int block_capacity[CN_TREE_LEVELS];
    double cost, base_cost; // half perimeters of all leaf blocks, now and at best since the sort
    bool shared;            // several threads may move proxies at once (each its own)
    atomic_bool changed;    // since the last search, or there is more memory
    int ordered;            // slots up to which members are in order, new ones by themselves
    int64_t work;           // leaf blocks changed since the last sort, edits counting more
} cn_tree;

// Blocks of a level that are in use.
static inline int cn_tree_blocks(const cn_tree *tree, int level) {
    int shift = 3 * level + 3;
    return (tree->slot_count + (1 << shift) - 1) >> shift;
}

// New pairs of proxy ids, the smaller id in the high half. A search wants room for so many to
// spare.
enum { CN_PAIRS_OF_JOB = 8 * 8 };
typedef CN_LIST(uint64_t) cn_key_list;

// Makes room for `more` further proxies with ids below id_limit (which grows in large steps). False
// if memory is short (no change).
bool cn_tree_reserve(cn_tree *tree, cn_memory *memory, int more, int id_limit);
// Boxes must be finite; coordinates are clamped to +-1e18. Reserve room first. The boxes above
// enclose the new box at once.
void cn_tree_insert(cn_tree *tree, int id, cn_bounds box);
void cn_tree_remove(cn_tree *tree, int id);
// All overlaps of the proxy count as new at the next search.
void cn_tree_forget(cn_tree *tree, int id);

static inline bool cn_tree_has(const cn_tree *tree, int id) {
    return id < tree->id_capacity && tree->slots[id] >= 0;
}
static inline cn_bounds cn_tree_box(const cn_tree *tree, int id) {
    assert(cn_tree_has(tree, id));
    return cn_box8_get(tree->boxes[0], tree->slots[id]);
}

// Sets the bits of the proxies that were inserted, moved or touched since the last search.
void cn_tree_list_moved(const cn_tree *tree, uint64_t *bits);

// Stores a box and notes who has to know: the next search, and the union above.
static inline void cn_tree_put(cn_tree *tree, int slot, cn_bounds box) {
    int leaf = slot >> 3;
    if (!cn_get_sign(&tree->changed)) cn_put_sign(&tree->changed, true); // all read its line
    cn_box8_set(tree->boxes[0], slot, box);
    cn_set_shared_flag(&tree->moved[leaf], slot & 7, tree->shared);
    cn_set_shared_flag(&tree->dirty[1][leaf >> 3], leaf & 7, tree->shared);
}
// Keeps unions and their perimeters finite, whatever comes in.
static inline cn_bounds cn_tree_clamp(cn_bounds box) {
    const vec2s low = {{-1e18f, -1e18f}}, high = {{1e18f, 1e18f}};
    return (cn_bounds){cn_max2(low, cn_min2(box.lower, high)),
                       cn_max2(low, cn_min2(box.upper, high))};
}
// Clamps as insert does. Any number of moves between two searches count as one. The boxes above
// enclose the new place after the next refit. Outside of a step call cn_tree_enclose() after every
// move, because queries may follow.
static inline void cn_tree_move(cn_tree *tree, int id, cn_bounds box) {
    assert(cn_tree_has(tree, id));
    cn_tree_put(tree, tree->slots[id], cn_tree_clamp(box));
}
// As if it had been moved to where it is.
static inline void cn_tree_touch(cn_tree *tree, int id) {
    cn_tree_move(tree, id, cn_tree_box(tree, id));
}

// Enlarges the boxes above a proxy until they enclose it.
void cn_tree_enclose(cn_tree *tree, int id);

// New members are appended, in no order in space, which makes queries slow. A tree is untidy if it
// has twice as many new members as were put in order since the last sort. Tidying puts them in
// order. The scratch is as for an update.
bool cn_tree_is_untidy(const cn_tree *tree);
void cn_tree_tidy(cn_tree *tree, uint64_t *scratch);

// Brings the upper levels up to date; sorts when that has become worth while. Needed before a
// search. The scratch has cn_tree_sort_bytes() for its slots: two keys for each of full blocks.
void cn_tree_update(cn_tree *tree, uint64_t *scratch);
static inline size_t cn_tree_sort_bytes(int slot_count) {
    return 2 * sizeof(uint64_t) * (((size_t)slot_count + 7) & ~(size_t)7);
}
void cn_tree_refit(cn_tree *tree); // only the first half of it
// Moves all boxes, also those of the last search, by minus a vector. Rounding enlarges boxes.
void cn_tree_shift(cn_tree *tree, vec2s by);
// After a search: today's boxes become the old ones.
void cn_tree_commit(cn_tree *tree);

// A walk down the tree, to whatever overlaps a box (tree.h).
typedef struct {
    const cn_tree *tree;
    cn_bounds query; // what to overlap
    int bottom;      // the walk yields lanes of this level: slots at 0, leaf blocks at 1, and so on
    int level;
    int block[CN_TREE_LEVELS];     // where the walk is on each level,
    unsigned hits[CN_TREE_LEVELS]; // and the lanes there that are still to be visited
} cn_tree_walk;

// Goes through the proxies whose boxes overlap one: CN_EACH_OVER(id, tree, box) { ... } The tree
// must be refit, and not be edited on the way. (The first loop only declares the walk.)
#define CN_EACH_OVER(id, tree, box)                                                                \
    for (cn_tree_walk id##_walk = cn_tree_look(tree, box), *id##_end = NULL; !id##_end;            \
         id##_end = &id##_walk)                                                                    \
        for (int id; (id = cn_tree_next(&id##_walk)) >= 0;)
cn_tree_walk cn_tree_look(const cn_tree *tree, cn_bounds box);
int cn_tree_next(cn_tree_walk *walk); // -1 after the last

// ---- queries (probe.c, tree_query.c)

/* A probe is the hull of a query, or a point (one vertex, radius 0). Coordinates are in world axes,
 * relative to its centre, which is the middle of its box. Unused places of the arrays repeat the
 * first. */
typedef struct {
    float x[8], y[8], nx[8], ny[8];
    int count;
    float radius;
    float half_width, half_height; // of its box, radius included
} cn_probe;

// The probe of a hull at a pose; its centre goes to `center`, world.
cn_probe cn_probe_of(const cn_hull *hull, cn_pose pose, cn_vec2d *center);
extern const cn_probe cn_point_probe;

// The straight path of a probe's centre.
typedef struct {
    cn_vec2d origin, direction; // a unit vector; zero if the length is 0
    double length;
} cn_path;

cn_path cn_path_of(cn_vec2d origin, cn_vec2d translation);

// Where a probe with its centre at `at` touches a hull whose normal there is `normal`. If they
// share a stretch of an edge, it is the middle of the stretch.
cn_vec2d cn_touch_point(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                        const cn_probe *probe, cn_vec2d at, vec2s normal);

// Boxes and the hulls in them. An id of the trees is an index of the placed hulls.
typedef struct {
    const cn_tree *trees[2];
    cn_hull_store store;
} cn_scene;

// Takes one result of a query: its distance along the path or from the probe, and for casts the
// normal of the hull where the path enters it (zero if the path starts inside). Returns the new
// limit: results beyond it are not needed. A negative limit ends the query.
typedef double cn_found(void *context, int id, double distance, vec2s normal);

// Where a probe on its path enters a hull.
typedef struct {
    double distance; // along the path; negative: no hit
    vec2s normal;    // of the hull; zero if the path starts inside
} cn_path_hit;

enum { CN_RAY_PACKET = 8 }; // rays that walk the tree together

typedef struct {
    // Hulls that the probe hits on its path. The nearest boxes come first, but `found` must not
    // rely on any order.
    void (*cast)(const cn_scene *scene, const cn_probe *probe, const cn_path *path, cn_found *found,
                 void *context);
    // The same for up to CN_RAY_PACKET rays, each with its own context.
    void (*cast_rays)(const cn_scene *scene, const cn_path *paths, int count, cn_found *found,
                      void **contexts);
    // Hulls whose fat boxes a box with these half sizes meets on the path. The distance is where it
    // enters the fat box.
    void (*sweep_box)(const cn_scene *scene, vec2s half, const cn_path *path, cn_found *found,
                      void *context);
    // Hulls that overlap the probe, or whose tight boxes meet `box`, in no order; distance 0.
    void (*overlap)(const cn_scene *scene, const cn_probe *probe, cn_vec2d center, cn_found *found,
                    void *context);
    void (*overlap_box)(const cn_scene *scene, cn_bounds box, cn_found *found, void *context);
    // Hulls up to `limit` from the probe, with their signed distances, nearest boxes first.
    void (*nearest)(const cn_scene *scene, const cn_probe *probe, cn_vec2d center, double limit,
                    cn_found *found, void *context);
    // A cast, an overlap and a signed distance to a single hull, for the tiles of a grid.
    cn_path_hit (*cast_at)(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                           const cn_probe *probe, const cn_path *path);
    double (*distance_to)(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                          const cn_probe *probe, cn_vec2d at);
    bool (*overlaps)(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                     const cn_probe *probe, cn_vec2d at);
} cn_query_kernels;

extern const cn_query_kernels cn_query_kernels_1, cn_query_kernels_4, cn_query_kernels_8;

// ---- kernels that exist once per SIMD width

/* Appends the pairs between changed members of t and members of u that overlap now and did not at
 * the last search. With u == t each pair comes once. With fresh, only unchanged members of u take
 * part (the changed ones were reported by the search the other way round). Of t the groups
 * first..end - 1 are searched. Both trees must be updated. False if memory is short: the pairs
 * appended so far mean nothing then. */
typedef bool cn_tree_search_function(const cn_tree *t, const cn_tree *u, bool fresh, int first,
                                     int end, cn_memory *memory, cn_key_list *pairs);
static inline int cn_tree_groups(const cn_tree *tree) { return (tree->slot_count + 63) / 64; }
cn_tree_search_function cn_tree_search_1, cn_tree_search_4, cn_tree_search_8;

// ---- sorting (sort.c)

// Sorts ascending by the bits from `first_bit` (a multiple of 8) on: keys that are equal there keep
// their order. `spare` is as large as `keys`.
void cn_sort_keys(uint64_t *keys, uint64_t *spare, int count, int first_bit);
// Of sorted keys: how many are less.
int cn_find_key(const uint64_t *keys, int count, uint64_t key);

#endif
