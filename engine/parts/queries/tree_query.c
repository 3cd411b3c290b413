/* Queries of the trees: casts, overlaps and the nearest hull. Compiled for 4 and for 8 lanes.
 *
 * All results are exact for the hulls themselves (hull_sum.h). Boxes only choose which hulls to
 * test. A walk visits the nearest box first. For each level it keeps eight ranks, which are the
 * distances of the boxes of one block, and takes the least rank until all are beyond the limit:
 *
 *      level 2   [ 3.1   -   .5   -   -   8.   -   - ]    takes .5, then 3.1; 8 is beyond the best
 *      level 1   [  -    .5  .7   -   -   -    -   - ]    result by then, so the walk goes up again
 *
 * Each result lowers the limit, so most boxes are never visited. The tree with more members comes
 * first, because its results shorten the walk through the other tree.
 *
 * Boxes are compared in floats. Coordinates are subtracted first, so that only their difference is
 * rounded, and the limit grows by more than the rounding can lose. So no hull in reach is missed,
 * and all lane widths and orders of visits give the same results.
 *
 * Eight rays share a walk. Each box is tested against all of them, and is visited once if any of
 * them hits it. */
#include "hull_sum.h"

#define ROUNDING 1.0000005f // more than a few float operations can lose

// The trees, the one with more members first.
static void order_trees(const cn_query_scene *scene, const cn_tree *trees[2]) {
    bool swap = scene->trees[1]->live > scene->trees[0]->live;
    trees[0] = scene->trees[swap], trees[1] = scene->trees[!swap];
}

// ---- one hull

// Turns a vector to the frame of a hull with this rotation. Rotations have length 1 only to
// rounding. Without the correction, a turned grid of boxes would have gaps.
CN_INLINE cn_vec2d to_hull_frame(cn_rotation q, cn_vec2d v) {
    double c = (double)q.c, s = (double)q.s;
    double scale = 2 - (c * c + s * s); // the inverse of the squared length, which is almost 1
    return (cn_vec2d){(c * v.x + s * v.y) * scale, (c * v.y - s * v.x) * scale};
}

// Turns the normal of an entry to world axes. Its length is 1, whatever the length of the rotation.
CN_INLINE vec2s turn_normal(cn_rotation q, cn_entry e) {
    float scale = 1.5f - 0.5f * (q.c * q.c + q.s * q.s);
    return glms_vec2_scale(cn_rotate(q, cn_vec(e.nx, e.ny)), scale);
}

/* The point of the path that is nearest to the centre of the hull is computed in double precision.
 * All later numbers are relative to it and of the size of the hull. If the line of the path enters
 * the hull before the origin and leaves it after the origin, the path starts inside. */
CN_INLINE cn_path_hit cast_pair(const cn_placed_hull *b, cn_vec2d center, const cn_hull8 *pool,
                                const cn_probe *a, const cn_path *path, bool is_point) {
    const cn_path_hit none = {-1, {{0, 0}}};
    cn_rotation q = b->pose.rotation;
    cn_vec2d from = cn_add_scaled(path->origin, -1, center);
    double ahead = -cn_dot2d(from, path->direction);
    cn_vec2d p = to_hull_frame(q, cn_add_scaled(from, ahead, path->direction));
    cn_vec2d d = to_hull_frame(q, path->direction);
    cn_sum sum;
    cn_make_sum(&sum, b, pool, a, is_point);
    if (path->length == 0) return cn_sum_contains(&sum, p) ? (cn_path_hit){0, {{0, 0}}} : none;
    cn_entry in = cn_sum_enter(&sum, p, d);
    if (in.distance == CN_NO_ENTRY) return none;
    double distance = ahead + in.distance;
    // A path that ends on the hull touches it. The height of its end above the face is known to
    // rounding.
    double above = (distance - path->length) * fabs(d.x * (double)in.nx + d.y * (double)in.ny);
    double size = fabs(in.distance) + fabs(p.x) + fabs(p.y);
    if (distance > path->length && above <= 4 * (double)FLT_EPSILON * size) distance = path->length;
    if (distance > 0) return (cn_path_hit){distance, turn_normal(q, in)};
    cn_entry back = cn_sum_enter(&sum, p, (cn_vec2d){-d.x, -d.y});
    bool leaves_after = back.distance != CN_NO_ENTRY && ahead - back.distance >= 0;
    return leaves_after ? (cn_path_hit){0, {{0, 0}}} : none;
}

CN_INLINE double measure_pair(const cn_placed_hull *b, cn_vec2d center, const cn_hull8 *pool,
                              const cn_probe *a, cn_vec2d at, bool is_point) {
    cn_sum sum;
    cn_make_sum(&sum, b, pool, a, is_point);
    return cn_sum_distance(&sum, to_hull_frame(b->pose.rotation, cn_add_scaled(at, -1, center)));
}

CN_INLINE bool pair_overlaps(const cn_placed_hull *b, cn_vec2d center, const cn_hull8 *pool,
                             const cn_probe *a, cn_vec2d at, bool is_point) {
    cn_sum sum;
    cn_make_sum(&sum, b, pool, a, is_point);
    return cn_sum_contains(&sum, to_hull_frame(b->pose.rotation, cn_add_scaled(at, -1, center)));
}

static cn_path_hit cast_at(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                           const cn_probe *probe, const cn_path *path) {
    return cast_pair(hull, center, pool, probe, path, probe->count == 1);
}

static double distance_to(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                          const cn_probe *probe, cn_vec2d at) {
    return measure_pair(hull, center, pool, probe, at, probe->count == 1);
}

static bool overlaps(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                     const cn_probe *probe, cn_vec2d at) {
    return probe->count == 1 ? pair_overlaps(hull, center, pool, probe, at, true)
                             : pair_overlaps(hull, center, pool, probe, at, false);
}

// ---- boxes

// Distances of eight boxes. The last three bits of each are replaced by its lane. So all ranks
// differ, and the least rank identifies its lane.
typedef struct {
    cn_floatw values[CN_PIECES];
} ranks;

#define LEAST_RANK   FLT_MIN // normal with the bits of any lane: programs may flush denormals
#define OUT_OF_REACH 3.4e38f // the rank of a box that has been visited, is too far or is empty

CN_INLINE cn_floatw rank(cn_floatw distance, cn_intw within, int piece) {
    cn_floatw value = cn_maxw(distance, cn_splatw(LEAST_RANK));
    value = cn_selectw(within, value, cn_splatw(OUT_OF_REACH));
    cn_intw lane;
    for (int i = 0; i < CN_LANES; i++) lane[i] = piece * CN_LANES + i;
    return cn_from_bitsw((cn_bitsw(value) & ~7) | lane);
}

// Takes the least rank out and returns its distance; about OUT_OF_REACH if none is left.
CN_INLINE float take_least(ranks *r, int *lane) {
    cn_floatw all = r->values[0];
    for (int i = 1; i < CN_PIECES; i++) all = cn_minw(all, r->values[i]);
    float least = cn_least_lane(all);
    for (int i = 0; i < CN_PIECES; i++) {
        cn_intw taken = r->values[i] == cn_splatw(least);
        r->values[i] = cn_selectw(taken, cn_splatw(OUT_OF_REACH), r->values[i]);
    }
    uint32_t bits;
    memcpy(&bits, &least, sizeof bits);
    *lane = (int)(bits & 7), bits &= ~7u;
    memcpy(&least, &bits, sizeof bits);
    return least;
}

// Ranks eight boxes by distance. Boxes beyond the limit get OUT_OF_REACH.
typedef void measure_boxes(const void *argument, const cn_box8 *boxes, float limit, ranks *r8);
// Tests one hull. Returns the new limit.
typedef double test_hull(const void *argument, int id, float near, double limit);

// The path of a point, or of a box with these half sizes. The inverses for the far sides are
// enlarged by more than rounding can lose.
typedef struct {
    float x, y, inverse_x, inverse_y, far_inverse_x, far_inverse_y, half_x, half_y;
    bool left, down; // its direction
} ray;

static float invert(double d) {
    if (fabs(d) < 1e-30) return d < 0 ? -1e30f : 1e30f;
    return (float)(1 / d);
}

// The half sizes grow by the rounding error of the origin.
static ray make_ray(const cn_path *path, float half_x, float half_y) {
    float x = (float)path->origin.x, y = (float)path->origin.y;
    cn_vec2d d = path->direction;
    ray r = {.x = x, .y = y, .left = d.x < 0, .down = d.y < 0};
    r.inverse_x = invert(d.x), r.far_inverse_x = r.inverse_x * ROUNDING;
    r.inverse_y = invert(d.y), r.far_inverse_y = r.inverse_y * ROUNDING;
    if ((double)x != path->origin.x) half_x += cn_abs(x) * FLT_EPSILON;
    if ((double)y != path->origin.y) half_y += cn_abs(y) * FLT_EPSILON;
    r.half_x = r.left ? -half_x : half_x, r.half_y = r.down ? -half_y : half_y;
    return r;
}

// Ranks boxes by the distance at which the ray enters them. (For a point the compiler drops the
// half sizes, which are 0.)
CN_INLINE void enter_sides(const ray *r, const cn_box8 *b, float half_x, float half_y, float limit,
                           ranks *r8) {
    const float *near_x = r->left ? b->x1 : b->x0, *far_x = r->left ? b->x0 : b->x1;
    const float *near_y = r->down ? b->y1 : b->y0, *far_y = r->down ? b->y0 : b->y1;
    for (int i = 0; i < CN_PIECES; i++) {
        int k = i * CN_LANES;
        cn_floatw x0 = cn_box_lanes(near_x + k) - r->x, x1 = cn_box_lanes(far_x + k) - r->x;
        cn_floatw y0 = cn_box_lanes(near_y + k) - r->y, y1 = cn_box_lanes(far_y + k) - r->y;
        x0 = (x0 - half_x) * r->inverse_x, x1 = (x1 + half_x) * r->far_inverse_x;
        y0 = (y0 - half_y) * r->inverse_y, y1 = (y1 + half_y) * r->far_inverse_y;
        cn_floatw in = cn_maxw(cn_maxw(x0, y0), cn_splatw(0));
        r8->values[i] = rank(in, in <= cn_minw(cn_minw(x1, y1), cn_splatw(limit)), i);
    }
}

CN_INLINE void enter_boxes(const void *argument, const cn_box8 *b, float limit, ranks *r8) {
    const ray *r = argument;
    enter_sides(r, b, r->half_x, r->half_y, limit, r8);
}

CN_INLINE void enter_boxes_as_point(const void *argument, const cn_box8 *b, float limit,
                                    ranks *r8) {
    enter_sides(argument, b, 0, 0, limit, r8);
}

// Ranks boxes by their distance from the box of a probe.
CN_INLINE void approach_boxes(const void *argument, const cn_box8 *b, float limit, ranks *r8) {
    const cn_bounds *box = argument;
    for (int i = 0; i < CN_PIECES; i++) {
        int k = i * CN_LANES;
        cn_floatw right = cn_box_lanes(b->x0 + k) - box->upper.x;
        cn_floatw left = box->lower.x - cn_box_lanes(b->x1 + k);
        cn_floatw above = cn_box_lanes(b->y0 + k) - box->upper.y;
        cn_floatw below = box->lower.y - cn_box_lanes(b->y1 + k);
        cn_floatw x = cn_maxw(cn_maxw(right, left), cn_splatw(0));
        cn_floatw y = cn_maxw(cn_maxw(above, below), cn_splatw(0));
        cn_floatw distance = cn_sqrtw(x * x + y * y);
        r8->values[i] = rank(distance, distance <= cn_splatw(limit), i);
    }
}

// ---- walks

// The rank of the farthest box that can matter for a limit.
static float reach_of(double limit) {
    if (limit < 0) return -1;
    return cn_min(cn_max((float)limit * ROUNDING, LEAST_RANK), 1e38f);
}

// The functions that a walk calls for boxes and for hulls, each with its argument.
typedef struct {
    measure_boxes *measure;
    const void *boxes;
    test_hull *test;
    const void *argument;
} visitor;

// Walks through all boxes below a block of some level.
CN_INLINE double walk_below(const cn_tree *tree, int top, int block, double limit, visitor v) {
    ranks ranks_of[CN_TREE_LEVELS];
    int block_of[CN_TREE_LEVELS], level = top, lane;
    float reach = reach_of(limit);
    block_of[top] = block;
    v.measure(v.boxes, &tree->boxes[top][block], reach, &ranks_of[top]);
    while (level <= top) {
        float distance = take_least(&ranks_of[level], &lane);
        if (distance > reach) { // so are all other boxes of this block
            level++;
            continue;
        }
        int child = 8 * block_of[level] + lane;
        if (level == 0) {
            limit = v.test(v.argument, tree->ids[child], distance, limit);
            reach = reach_of(limit);
            continue;
        }
        block_of[--level] = child;
        if (level == 0) __builtin_prefetch(&tree->ids[8 * child]);
        v.measure(v.boxes, &tree->boxes[level][child], reach, &ranks_of[level]);
    }
    return limit;
}

CN_INLINE void walk(const cn_query_scene *scene, double limit, measure_boxes *measure,
                    const void *boxes, test_hull *test, const void *argument) {
    const cn_tree *trees[2];
    order_trees(scene, trees);
    for (int i = 0; i < 2 && limit >= 0; i++)
        if (trees[i]->live)
            limit = walk_below(trees[i], trees[i]->top, 0, limit,
                               (visitor){measure, boxes, test, argument});
}

// ---- queries

typedef struct {
    const cn_hull_store *store;
    const cn_probe *probe;
    const cn_path *path;
    cn_vec2d center;
    cn_query_callback *found;
    void *context;
} hull_query;

CN_INLINE double cast_one(const hull_query *q, int id, double limit, bool is_point) {
    const cn_placed_hull *hull = &q->store->placed[id];
    cn_path_hit hit = cast_pair(hull, cn_widen(hull->pose.position), q->store->hulls8, q->probe,
                                q->path, is_point);
    if (hit.distance < 0 || hit.distance > limit) return limit;
    return q->found(q->context, id, hit.distance, hit.normal);
}

CN_INLINE double cast_point(const void *argument, int id, float near, double limit) {
    (void)near;
    return cast_one(argument, id, limit, true);
}

CN_INLINE double cast_hull(const void *argument, int id, float near, double limit) {
    (void)near;
    return cast_one(argument, id, limit, false);
}

static void cast(const cn_query_scene *scene, const cn_probe *probe, const cn_path *path,
                 cn_query_callback *found, void *context) {
    ray r = make_ray(path, probe->half_width, probe->half_height);
    hull_query q = {&scene->store, probe, path, {0, 0}, found, context};
    if (probe->count == 1 && r.half_x == 0 && r.half_y == 0)
        walk(scene, path->length, enter_boxes_as_point, &r, cast_point, &q);
    else if (probe->count == 1)
        walk(scene, path->length, enter_boxes, &r, cast_point, &q);
    else
        walk(scene, path->length, enter_boxes, &r, cast_hull, &q);
}

CN_INLINE double report_box(const void *argument, int id, float near, double limit) {
    const hull_query *q = argument;
    (void)limit;
    return q->found(q->context, id, (double)near, cn_vec(0, 0));
}

static void sweep_box(const cn_query_scene *scene, vec2s half, const cn_path *path,
                      cn_query_callback *found, void *context) {
    ray r = make_ray(path, half.x, half.y);
    hull_query q = {.found = found, .context = context};
    walk(scene, path->length, enter_boxes, &r, report_box, &q);
}

CN_INLINE double measure_one(const hull_query *q, int id, double limit, bool is_point) {
    const cn_placed_hull *hull = &q->store->placed[id];
    double distance = measure_pair(hull, cn_widen(hull->pose.position), q->store->hulls8, q->probe,
                                   q->center, is_point);
    if (distance > limit) return limit;
    return cn_max2d(q->found(q->context, id, distance, cn_vec(0, 0)), 0);
}

CN_INLINE double measure_point(const void *argument, int id, float near, double limit) {
    (void)near;
    return measure_one(argument, id, limit, true);
}

CN_INLINE double measure_hull(const void *argument, int id, float near, double limit) {
    (void)near;
    return measure_one(argument, id, limit, false);
}

static cn_bounds box_of(const cn_probe *probe, cn_vec2d center) {
    float x = (float)center.x, y = (float)center.y;
    float half_x = probe->half_width + cn_abs(x) * FLT_EPSILON;
    float half_y = probe->half_height + cn_abs(y) * FLT_EPSILON;
    return (cn_bounds){cn_vec(x - half_x, y - half_y), cn_vec(x + half_x, y + half_y)};
}

static void nearest(const cn_query_scene *scene, const cn_probe *probe, cn_vec2d center,
                    double limit, cn_query_callback *found, void *context) {
    cn_bounds box = box_of(probe, center);
    hull_query q = {&scene->store, probe, NULL, center, found, context};
    if (probe->count == 1)
        walk(scene, limit, approach_boxes, &box, measure_point, &q);
    else
        walk(scene, limit, approach_boxes, &box, measure_hull, &q);
}

static void near_boxes(const cn_query_scene *scene, const cn_probe *probe, cn_vec2d center,
                       double limit, cn_query_callback *found, void *context) {
    cn_bounds box = box_of(probe, center);
    hull_query q = {.found = found, .context = context};
    walk(scene, limit, approach_boxes, &box, report_box, &q);
}

static void overlap(const cn_query_scene *scene, const cn_probe *probe, cn_vec2d center,
                    cn_query_callback *found, void *context) {
    cn_bounds box = cn_box_bounded(box_of(probe, center));
    for (int i = 0; i < 2; i++) {
        const cn_tree *tree = scene->trees[i];
        if (tree->live == 0) continue;
        cn_tree_walk walk;
        cn_walk_begin(&walk, tree, box, 0);
        for (int slot; (slot = cn_walk_next(&walk)) >= 0;) {
            int id = tree->ids[slot];
            const cn_placed_hull *hull = &scene->store.placed[id];
            cn_vec2d at = cn_widen(hull->pose.position);
            if (overlaps(hull, at, scene->store.hulls8, probe, center))
                found(context, id, 0, cn_vec(0, 0));
        }
    }
}

// Returns one bit for each of eight boxes that lies within `query`. (The empty box does, but it
// overlaps nothing.)
CN_INLINE unsigned boxes_within(const cn_box8 *boxes, cn_bounds query) {
    unsigned inside = 0;
    for (int i = 0; i < 8; i += CN_LANES) {
        cn_floatw x0 = cn_box_lanes(boxes->x0 + i), x1 = cn_box_lanes(boxes->x1 + i);
        cn_floatw y0 = cn_box_lanes(boxes->y0 + i), y1 = cn_box_lanes(boxes->y1 + i);
        cn_intw within = (x0 >= query.lower.x) & (x1 <= query.upper.x) & (y0 >= query.lower.y) &
                         (y1 <= query.upper.y);
        inside |= (unsigned)cn_mask_bitsw(within) << i;
    }
    return inside;
}

// If the fat box of a hull lies within the given box, its tight box is not tested.
static void overlap_box(const cn_query_scene *scene, cn_bounds given, cn_query_callback *found,
                        void *context) {
    cn_bounds box = cn_box_bounded(given);
    for (int i = 0; i < 2; i++) {
        const cn_tree *tree = scene->trees[i];
        if (tree->live == 0) continue;
        cn_tree_walk walk;
        cn_walk_begin(&walk, tree, box, 1);
        for (int block; (block = cn_walk_next(&walk)) >= 0;) {
            const cn_box8 *boxes = &tree->boxes[0][block];
            unsigned inside = boxes_within(boxes, box);
            CN_EACH_LANE(k, cn_box8_overlaps(boxes, box)) {
                int id = tree->ids[8 * block + k];
                bool meets = inside >> k & 1;
                if (!meets) {
                    const cn_placed_hull *hull = &scene->store.placed[id];
                    meets = cn_boxes_overlap(cn_placed_bounds(hull, scene->store.hulls8), given);
                }
                if (meets) found(context, id, 0, cn_vec(0, 0));
            }
        }
    }
}

// ---- eight rays

enum { FEW_RAYS = 3 }; // this many rays or fewer are faster one by one

typedef struct {
    float distance;
    int32_t block, level;
    unsigned rays;
} shared_stop;

typedef struct {
    cn_floatw x[CN_PIECES], y[CN_PIECES], inverse_x[CN_PIECES], inverse_y[CN_PIECES];
    float reach[CN_RAY_PACKET]; // the limits as floats, plus more than rounding can lose
    double limits[CN_RAY_PACKET];
    ray rays[CN_RAY_PACKET];
    hull_query queries[CN_RAY_PACKET];
} packet;

static void set_limit(packet *p, int k, double limit) {
    p->limits[k] = limit;
    p->reach[k] = reach_of(limit);
}

static void fill_packet(packet *p, const cn_query_scene *scene, const cn_path *paths, int count,
                        cn_query_callback *found, void **contexts) {
    float x[CN_RAY_PACKET], y[CN_RAY_PACKET], inverse_x[CN_RAY_PACKET], inverse_y[CN_RAY_PACKET];
    for (int k = 0; k < CN_RAY_PACKET; k++) {
        int i = k < count ? k : 0;
        ray r = p->rays[k] = make_ray(&paths[i], 0, 0);
        x[k] = r.x, y[k] = r.y, inverse_x[k] = r.inverse_x, inverse_y[k] = r.inverse_y;
        p->queries[k] =
            (hull_query){&scene->store, &cn_point_probe, &paths[i], {0, 0}, found, contexts[i]};
        set_limit(p, k, k < count ? paths[i].length : -1);
    }
    memcpy(p->x, x, sizeof x), memcpy(p->y, y, sizeof y);
    memcpy(p->inverse_x, inverse_x, sizeof x), memcpy(p->inverse_y, inverse_y, sizeof y);
}

// Returns the rays that enter a box within their limits. Stores the distances.
CN_INLINE unsigned enter_box(const packet *p, cn_bounds b, float distances[8]) {
    unsigned hits = 0;
    for (int i = 0; i < CN_PIECES; i++) {
        cn_floatw x0 = (b.lower.x - p->x[i]) * p->inverse_x[i];
        cn_floatw x1 = (b.upper.x - p->x[i]) * p->inverse_x[i];
        cn_floatw y0 = (b.lower.y - p->y[i]) * p->inverse_y[i];
        cn_floatw y1 = (b.upper.y - p->y[i]) * p->inverse_y[i];
        cn_floatw in = cn_maxw(cn_minw(x0, x1), cn_minw(y0, y1));
        cn_floatw out = cn_minw(cn_maxw(x0, x1), cn_maxw(y0, y1));
        in = cn_maxw(in, cn_splatw(0));
        out = cn_minw(out, cn_box_lanes(p->reach + i * CN_LANES)) * ROUNDING;
        memcpy(distances + i * CN_LANES, &in, sizeof in);
        hits |= (unsigned)cn_mask_bitsw(in <= out) << i * CN_LANES;
    }
    return hits;
}

// Returns those of the rays whose limits are not below a distance.
CN_INLINE unsigned rays_in_reach(const packet *p, unsigned rays, float distance) {
    unsigned bits = 0;
    for (int i = 0; i < CN_PIECES; i++) {
        cn_intw within = cn_box_lanes(p->reach + i * CN_LANES) >= distance;
        bits |= (unsigned)cn_mask_bitsw(within) << i * CN_LANES;
    }
    return rays & bits;
}

CN_INLINE float least_of(const float *values, unsigned lanes) {
    float least = FLT_MAX;
    CN_EACH_LANE(k, lanes) least = cn_min(least, values[k]);
    return least;
}

static void test_rays(packet *p, int id, unsigned rays) {
    CN_EACH_LANE(k, rays) set_limit(p, k, cast_one(&p->queries[k], id, p->limits[k], true));
}

static void walk_separately(packet *p, const cn_tree *tree, shared_stop at, unsigned rays) {
    CN_EACH_LANE(k, rays) {
        set_limit(
            p, k,
            walk_below(tree, at.level, at.block, p->limits[k],
                       (visitor){enter_boxes_as_point, &p->rays[k], cast_point, &p->queries[k]}));
    }
}

// Visits the children of a block: tests their hulls, or pushes the children as stops, the nearest
// on top. Returns the new number of stops.
static int visit_children(packet *p, const cn_tree *tree, shared_stop at, unsigned rays,
                          shared_stop *stops, int count) {
    float distances[CN_RAY_PACKET];
    int first = count;
    for (int c = 8 * at.block; c < 8 * at.block + 8; c++) {
        cn_bounds box = cn_box8_get(tree->boxes[at.level], c);
        if (box.lower.x > box.upper.x) continue;
        unsigned hits = enter_box(p, box, distances) & rays;
        if (!hits) continue;
        if (at.level == 0) {
            test_rays(p, tree->ids[c], hits);
            continue;
        }
        float distance = least_of(distances, hits);
        int i = count++;
        for (; i > first && stops[i - 1].distance < distance; i--) stops[i] = stops[i - 1];
        stops[i] = (shared_stop){distance, c, at.level - 1, hits};
    }
    return count;
}

static void walk_shared(packet *p, const cn_tree *tree) {
    shared_stop stops[8 * CN_TREE_LEVELS];
    int count = 0;
    const uint32_t all = (1u << CN_RAY_PACKET) - 1;
    if (tree->live) stops[count++] = (shared_stop){0, 0, tree->top, all};
    while (count > 0) {
        shared_stop at = stops[--count];
        unsigned rays = rays_in_reach(p, at.rays, at.distance);
        if (__builtin_popcount(rays) > FEW_RAYS)
            count = visit_children(p, tree, at, rays, stops, count);
        else
            walk_separately(p, tree, at, rays);
    }
}

static void cast_rays(const cn_query_scene *scene, const cn_path *paths, int count,
                      cn_query_callback *found, void **contexts) {
    packet p;
    fill_packet(&p, scene, paths, count, found, contexts);
    const cn_tree *trees[2];
    order_trees(scene, trees);
    for (int i = 0; i < 2; i++) walk_shared(&p, trees[i]);
}

const cn_query_kernels CN_WIDE(cn_query_kernels) = {
    .cast = cast,
    .cast_rays = cast_rays,
    .sweep_box = sweep_box,
    .overlap = overlap,
    .overlap_box = overlap_box,
    .nearest = nearest,
    .near_boxes = near_boxes,
    .cast_at = cast_at,
    .distance_to = distance_to,
    .overlaps = overlaps,
};
