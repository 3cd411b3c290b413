/* hull_sum: a point, or a point that moves along a line, against the sum of two hulls.
 *
 * Define CN_LANES before you include this file. The probe A is the hull of a query. It overlaps a
 * hull B exactly if the centre of A lies in
 *
 *      S = { b - a },  all differences of a point of B and a point of A (about A's centre),
 *
 * grown by both radii. S is the Minkowski sum of B and the mirrored hull -A (Lozano-Perez 1983). So
 * a ray, a cast, an overlap and a distance of any two hulls are one test: of a point against S.
 *
 * The edges of S are the edges of B, moved out along their normals as far as -A reaches, and the
 * edges of -A, moved out as far as B reaches. The tests do not need the order of the edges:
 *
 *      distance   The largest height of the point above a face. Beyond the ends of that face, the
 *                 distance to the vertex at that end.
 *      entry      The last face that the point crosses from outside. With a radius, all faces move
 *                 out by it. A point that crosses the face beyond its ends enters the disc about
 *                 the vertex at that end, or it misses S:
 *
 *                         ______________
 *                        |.'  face    '.|   <- the disc about an end of the face
 *                        |  *--------*  |
 *
 * A vertex that is not next to the face cannot be nearer, because S is convex. Circles and capsules
 * are stored as boxes of no height. Their faces without length are supports of S like all others.
 *
 * Everything is in the frame of B, relative to its centre. So results are as exact as the hull
 * itself, at any place in the world and for paths of any length. All edges of a hull are computed
 * at once, in lanes of floats. Boxes and discs need few operations, and are in double precision. */
#ifndef CN_HULL_SUM_H
#define CN_HULL_SUM_H

#include "../../core/collision/tree.h"
#include "probe.h"

// (GCC does not see that the edges of a sum without edges are never read.)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

enum { CN_PIECES = 8 / CN_LANES }; // vectors of an array of eight

// The edges of a hull: a point on each edge, and its outward normal.
typedef struct {
    cn_floatw x[CN_PIECES], y[CN_PIECES], nx[CN_PIECES], ny[CN_PIECES];
    cn_floatw reach[CN_PIECES]; // the distance by which the other hull moves the edge out
    int pieces;
} cn_edges;

typedef struct {
    cn_edges b, a; // a: in the frame of B; no pieces if A is a point or a circle
    float radius;
    bool is_box; // B is of class box and A has one vertex: S is a box, and `b` has no edges
    float hx, hy;
} cn_sum;

// A face by its normal, and a value: where a line crosses it, or the height of a point above it.
typedef struct {
    float value;
    float nx, ny;
} cn_face;

// ---- lanes

// Folds the lanes of v until lane 0 holds the choice among all lanes.
#if CN_LANES == 8
#define CN_FOLD(choose, v)                                                                         \
    v = choose(v, CN_SHUFFLEW(v, v, 4, 5, 6, 7, 0, 1, 2, 3));                                      \
    v = choose(v, CN_SHUFFLEW(v, v, 2, 3, 0, 1, 6, 7, 4, 5));                                      \
    v = choose(v, CN_SHUFFLEW(v, v, 1, 0, 3, 2, 5, 4, 7, 6))
#elif CN_LANES == 4
#define CN_FOLD(choose, v)                                                                         \
    v = choose(v, CN_SHUFFLEW(v, v, 2, 3, 0, 1));                                                  \
    v = choose(v, CN_SHUFFLEW(v, v, 1, 0, 3, 2))
#else
#define CN_FOLD(choose, v) (void)0
#endif
CN_INLINE float cn_greatest_lane(cn_floatw v) {
    CN_FOLD(cn_maxw, v);
    return v[0];
}
CN_INLINE float cn_least_lane(cn_floatw v) {
    CN_FOLD(cn_minw, v);
    return v[0];
}

// With few lanes a hull has several pieces, and the code for them is long. So functions that few
// queries reach are not inlined there.
#if CN_LANES >= 8
#define CN_SELDOM CN_INLINE
#else
#define CN_SELDOM static
#endif

// ---- the sum

CN_INLINE void cn_load_edges(cn_edges *e, const float *x, const float *y, const float *nx,
                             const float *ny, int count) {
    e->pieces = CN_PIECES == 1 ? 1 : (count + CN_LANES - 1) / CN_LANES;
    for (int i = 0; i < e->pieces; i++) {
        e->x[i] = cn_box_lanes(x + i * CN_LANES), e->y[i] = cn_box_lanes(y + i * CN_LANES);
        e->nx[i] = cn_box_lanes(nx + i * CN_LANES), e->ny[i] = cn_box_lanes(ny + i * CN_LANES);
        e->reach[i] = cn_splatw(0);
    }
}

// A hull of class box has four edges, even if their lengths are 0.
CN_INLINE void cn_load_box_edges(cn_edges *e, float hx, float hy) {
    static const float x[8] = {-1, 1, 1, -1, -1, -1, -1, -1}, y[8] = {-1, -1, 1, 1, -1, -1, -1, -1};
    static const float nx[8] = {0, 1, 0, -1, 0, 0, 0, 0}, ny[8] = {-1, 0, 1, 0, -1, -1, -1, -1};
    cn_load_edges(e, x, y, nx, ny, 4);
    for (int i = 0; i < e->pieces; i++) e->x[i] *= hx, e->y[i] *= hy;
}

// Stores the distance that the mirrored vertices (-x, -y) of the other hull reach along the normal
// of each edge.
CN_INLINE void cn_reach_out(cn_edges *e, const float *x, const float *y, int count) {
    for (int i = 0; i < e->pieces; i++) {
        e->reach[i] = -(e->nx[i] * x[0] + e->ny[i] * y[0]);
        for (int k = 1; k < count; k++)
            e->reach[i] = cn_maxw(e->reach[i], -(e->nx[i] * x[k] + e->ny[i] * y[k]));
    }
}

CN_INLINE void cn_turn_edges(cn_edges *e, cn_rotation q) { // into a frame of this rotation
    for (int i = 0; i < e->pieces; i++) {
        cn_floatw x = e->x[i], y = e->y[i], nx = e->nx[i], ny = e->ny[i];
        e->x[i] = q.c * x + q.s * y, e->y[i] = q.c * y - q.s * x;
        e->nx[i] = q.c * nx + q.s * ny, e->ny[i] = q.c * ny - q.s * nx;
    }
}

// Makes the sum of a hull B and a probe A. `is_point`: the probe has one vertex. Callers pass a
// constant, so the compiler drops the rest.
CN_INLINE void cn_make_sum(cn_sum *sum, const cn_placed_hull *b, const cn_hull8 *pool,
                           const cn_probe *a, bool is_point) {
    bool is_box = cn_placed_class(b) == CN_CLASS_BOX;
    const cn_hull8 *h = is_box ? NULL : &pool[b->hull];
    sum->radius = b->radius + a->radius;
    sum->is_box = is_box && is_point;
    sum->b.pieces = sum->a.pieces = 0;
    sum->hx = is_box ? b->hx : 0, sum->hy = b->hy;
    if (sum->is_box) return;
    if (is_box)
        cn_load_box_edges(&sum->b, b->hx, b->hy);
    else
        cn_load_edges(&sum->b, h->x, h->y, h->nx, h->ny, cn_placed_count(b));
    if (is_point) return;
    cn_load_edges(&sum->a, a->x, a->y, a->nx, a->ny, a->count);
    cn_turn_edges(&sum->a, b->pose.rotation);
    float ax[8], ay[8];
    memcpy(ax, sum->a.x, sizeof ax), memcpy(ay, sum->a.y, sizeof ay);
    cn_reach_out(&sum->b, ax, ay, a->count);
    float bx[8], by[8];
    memcpy(bx, sum->b.x, sizeof bx), memcpy(by, sum->b.y, sizeof by);
    cn_reach_out(&sum->a, bx, by, is_box ? 4 : cn_placed_count(b));
}

// ---- faces: `sign` is 1 for edges of B, and -1 for edges of A, which it mirrors

// Stores the face of S, without the radius, above which p is highest; a negative height if p is
// below all faces.
CN_INLINE void cn_find_highest_face(const cn_edges *e, float sign, vec2s p, cn_face *best) {
    for (int i = 0; i < e->pieces; i++) {
        cn_floatw height = e->nx[i] * (sign * p.x - e->x[i]) + e->ny[i] * (sign * p.y - e->y[i]);
        height -= e->reach[i];
        float greatest = cn_greatest_lane(height);
        if (!(greatest > best->value)) continue;
        int k = cn_lowest_bit((unsigned)cn_mask_bitsw(height == cn_splatw(greatest)));
        *best = (cn_face){greatest, sign * e->nx[i][k], sign * e->ny[i][k]};
    }
}

CN_INLINE cn_face cn_highest_face(const cn_sum *sum, vec2s p) {
    cn_face best = {-FLT_MAX, 0, 0};
    cn_find_highest_face(&sum->b, 1, p, &best);
    cn_find_highest_face(&sum->a, -1, p, &best);
    return best;
}

// Where a line enters S and where it leaves S, with all faces moved out by the radius.
typedef struct {
    cn_face in;
    float out;
    bool misses; // the line is parallel to a face and outside of it
} cn_passage;

CN_INLINE void cn_clip_line(const cn_edges *e, float sign, vec2s p, vec2s d, float radius,
                            cn_passage *passage) {
    const cn_floatw far = cn_splatw(FLT_MAX);
    for (int i = 0; i < e->pieces; i++) {
        cn_floatw height = e->nx[i] * (e->x[i] - sign * p.x) + e->ny[i] * (e->y[i] - sign * p.y);
        height += e->reach[i] + radius; // of the face above the point
        cn_floatw speed = sign * (e->nx[i] * d.x + e->ny[i] * d.y);
        if (cn_mask_bitsw((speed == 0) & (height < 0))) passage->misses = true;
        cn_floatw t = height / speed;
        cn_floatw entries = cn_selectw(speed < 0, t, -far);
        float last = cn_greatest_lane(entries);
        float first = -cn_greatest_lane(cn_selectw(speed > 0, -t, -far));
        if (first < passage->out) passage->out = first;
        if (!(last > passage->in.value)) continue;
        int k = cn_lowest_bit((unsigned)cn_mask_bitsw(entries == cn_splatw(last)));
        passage->in = (cn_face){last, sign * e->nx[i][k], sign * e->ny[i][k]};
    }
}

// The part of S that is farthest along a normal: an edge or one vertex. It spans from `low` to
// `high` along the tangent, which is the normal turned by +90 degrees.
typedef struct {
    float level, low, high;
} cn_extent;

// A vertex belongs to the level if rounding cannot distinguish it from the farthest vertex.
CN_INLINE void cn_add_extent(const cn_edges *e, float sign, cn_face face, cn_extent *sum) {
    cn_floatw height[CN_PIECES], along[CN_PIECES];
    float level = -FLT_MAX, size = 0;
    for (int i = 0; i < e->pieces; i++) {
        height[i] = sign * (face.nx * e->x[i] + face.ny * e->y[i]);
        along[i] = sign * (face.nx * e->y[i] - face.ny * e->x[i]);
        level = cn_max(level, cn_greatest_lane(height[i]));
        size = cn_max(size, cn_greatest_lane(cn_maxw(cn_absw(height[i]), cn_absw(along[i]))));
    }
    float low = FLT_MAX, high = -FLT_MAX;
    const cn_floatw least = cn_splatw(level - 8 * FLT_EPSILON * size), far = cn_splatw(FLT_MAX);
    for (int i = 0; i < e->pieces; i++) {
        cn_intw belongs = height[i] >= least;
        low = cn_min(low, -cn_greatest_lane(cn_selectw(belongs, -along[i], -far)));
        high = cn_max(high, cn_greatest_lane(cn_selectw(belongs, along[i], -far)));
    }
    sum->level += level, sum->low += low, sum->high += high;
}

CN_SELDOM cn_extent cn_extent_of(const cn_sum *sum, cn_face face) {
    cn_extent extent = {0, 0, 0};
    cn_add_extent(&sum->b, 1, face, &extent);
    if (sum->a.pieces) cn_add_extent(&sum->a, -1, face, &extent);
    return extent;
}

// Where a line enters S, and the normal there.
typedef struct {
    double distance; // along the line
    float nx, ny;
} cn_entry;

#define CN_NO_ENTRY DBL_MAX

// Where the line p + t d enters the disc of radius r about a point.
CN_INLINE cn_entry cn_enter_disc(cn_vec2d p, cn_vec2d d, double r, double x, double y) {
    cn_vec2d m = {p.x - x, p.y - y};
    double side = cn_cross2d(m, d), dd = cn_dot2d(d, d), rest = dd * r * r - side * side;
    if (rest < 0) return (cn_entry){CN_NO_ENTRY, 0, 0};
    double t = (-cn_dot2d(m, d) - sqrt(rest)) / dd;
    return (cn_entry){t, (float)((m.x + t * d.x) / r), (float)((m.y + t * d.y) / r)};
}

// ---- S is a box: the same in scalar double precision

CN_INLINE double cn_box_distance(const cn_sum *sum, cn_vec2d p) {
    double x = fabs(p.x) - (double)sum->hx, y = fabs(p.y) - (double)sum->hy;
    double r = (double)sum->radius;
    return x <= 0 || y <= 0 ? cn_max2d(x, y) - r : sqrt(x * x + y * y) - r;
}

// Where a line p + t d enters (`in`) and leaves (`out`) the slab from -e to +e of an axis. For the
// slab that is wider by a margin on both sides, they are in - more and out + more.
typedef struct {
    double in, out, more;
} cn_span;

CN_INLINE cn_span cn_span_of(double e, double margin, double p, double d) {
    if (d == 0 && fabs(p) > e + margin) return (cn_span){DBL_MAX, -DBL_MAX, 0};
    if (d == 0) return (cn_span){-DBL_MAX, DBL_MAX, 0};
    double inverse = 1 / fabs(d), ahead = d < 0 ? p : -p;
    return (cn_span){(ahead - e) * inverse, (ahead + e) * inverse, margin * inverse};
}

// The largest error that rounding to floats makes in a box.
CN_INLINE double cn_box_rounding(const cn_sum *sum) {
    return 2 * (double)FLT_EPSILON * (double)(sum->hx + sum->hy + sum->radius);
}

// A line that passes a box by no more than rounding enters it. Otherwise rays would pass between
// boxes that stand side by side.
CN_INLINE cn_entry cn_box_enter(const cn_sum *sum, cn_vec2d p, cn_vec2d d) {
    double hx = (double)sum->hx, hy = (double)sum->hy, r = (double)sum->radius;
    if (hx == 0 && hy == 0) return cn_enter_disc(p, d, r, 0, 0);
    double more = cn_box_rounding(sum);
    cn_span x = cn_span_of(hx + r, more, p.x, d.x), y = cn_span_of(hy + r, more, p.y, d.y);
    double first_out = cn_min2d(x.out + x.more, y.out + y.more);
    if (!(cn_max2d(x.in - x.more, y.in - y.more) <= first_out))
        return (cn_entry){CN_NO_ENTRY, 0, 0};
    double in = cn_max2d(x.in, y.in), at_x = p.x + in * d.x, at_y = p.y + in * d.y;
    if (r > 0 && fabs(at_x) > hx && fabs(at_y) > hy)
        return cn_enter_disc(p, d, r, at_x < 0 ? -hx : hx, at_y < 0 ? -hy : hy);
    if (x.in > y.in) return (cn_entry){in, d.x < 0 ? 1.0f : -1.0f, 0};
    return (cn_entry){in, 0, d.y < 0 ? 1.0f : -1.0f};
}

// ---- tests

// The signed distance of a point from the grown S. For a point inside: minus the penetration depth.
CN_INLINE double cn_sum_distance(const cn_sum *sum, cn_vec2d point) {
    if (sum->is_box) return cn_box_distance(sum, point);
    vec2s p = cn_narrow(point);
    cn_face face = cn_highest_face(sum, p);
    if (face.value <= 0) return (double)(face.value - sum->radius);
    cn_extent extent = cn_extent_of(sum, face);
    float along = face.nx * p.y - face.ny * p.x;
    float beyond = cn_max(cn_max(extent.low - along, along - extent.high), 0);
    if (beyond == 0) return (double)(face.value - sum->radius);
    return (double)(sqrtf(face.value * face.value + beyond * beyond) - sum->radius);
}

// True if the point is in the grown S. (Without a radius the faces alone decide.)
CN_INLINE bool cn_sum_contains(const cn_sum *sum, cn_vec2d point) {
    if (sum->is_box) return cn_box_distance(sum, point) <= cn_box_rounding(sum);
    cn_face face = cn_highest_face(sum, cn_narrow(point));
    if (face.value > sum->radius) return false;
    return face.value <= 0 || cn_sum_distance(sum, point) <= 0;
}

// Where the line enters the grown S, if S is not a box.
CN_SELDOM cn_entry cn_edges_enter(const cn_sum *sum, cn_vec2d origin, cn_vec2d direction) {
    vec2s p = cn_narrow(origin), d = cn_narrow(direction);
    const cn_entry none = {CN_NO_ENTRY, 0, 0};
    cn_passage passage = {{-FLT_MAX, 0, 0}, FLT_MAX, false};
    cn_clip_line(&sum->b, 1, p, d, sum->radius, &passage);
    if (sum->a.pieces) cn_clip_line(&sum->a, -1, p, d, sum->radius, &passage);
    cn_face face = passage.in;
    if (passage.misses || !(face.value <= passage.out)) return none;
    const cn_entry entry = {(double)face.value, face.nx, face.ny};
    if (sum->radius == 0) return entry;
    cn_extent extent = cn_extent_of(sum, face);
    float x = p.x + face.value * d.x, y = p.y + face.value * d.y;
    float along = face.nx * y - face.ny * x;
    if (along >= extent.low && along <= extent.high) return entry;
    float end = along < extent.low ? extent.low : extent.high;
    return cn_enter_disc(origin, direction, (double)sum->radius,
                         (double)(face.nx * extent.level - face.ny * end),
                         (double)(face.ny * extent.level + face.nx * end));
}

// Where the line enters the grown S; CN_NO_ENTRY if it misses.
CN_INLINE cn_entry cn_sum_enter(const cn_sum *sum, cn_vec2d origin, cn_vec2d direction) {
    if (sum->is_box) return cn_box_enter(sum, origin, direction);
    return cn_edges_enter(sum, origin, direction);
}

#endif
