/* The part of the narrowphase that both kernels use: the pair, and the step from two facing edges
 * to contact points. CN_LANES pairs at a time.
 *
 * All positions are measured in the frame of the reference edge: x along its outward normal n, y
 * along the edge from its first vertex. The incident edge, of the other hull, runs the other way:
 *
 *              y
 *              ^
 *   y = length o . . . . . high . . . o start
 *              |             \_____--       The incident edge is clipped to 0 <= y <= length. Its
 *    reference |              \             two ends there are the contact points.
 *      edge    |               \
 *        y = 0 o . . . . . . . low . . > x (n)
 *                                \
 *                                 o end
 *
 * The core of a hull is the hull without its radius: the convex hull of its vertices. The edges are
 * those of the cores. There are three outcomes, distinguished by masks:
 *
 *   face     The edges overlap along y. Two points, the normal of the reference edge.
 *   corner   The cores are apart, and two of their vertices are the nearest features. One point;
 *            the normal joins the two vertices. This makes rounded corners round.
 *   beside   Neither: the edges do not overlap along y, but the hulls overlap or the corners are
 *            closer than the tolerance. One point, the normal of the reference edge. So no contact
 *            is lost.
 *
 * A corner must be nearer than the face by the tolerance, or normals would flutter.
 *
 * A point is half way between the two surfaces. With the radius r1 of the reference hull and r2 of
 * the other hull, the surfaces are at x = r1 and x - r2. So the middle is (x + r1 - r2) / 2, and
 * the separation is x - r1 - r2. */
#ifndef CN_MANIFOLD_CLIP_H
#define CN_MANIFOLD_CLIP_H

#include "../base/wide.h"
#include "collision.h"

// ---- the pair

// The wide twin of cn_placed_hull. If the class is not box, the lanes of half.x hold the bits of a
// hull index.
typedef struct {
    cn_vec2w center, turn, half;
    cn_floatw radius;
    cn_intw count, hull_class;
} cn_placed_hullw;

typedef struct {
    cn_placed_hullw a, b;
    // The pose of B in the frame of A, in which the kernels compute. So precision does not depend
    // on the place in the world.
    cn_vec2w offset, turn;
    cn_floatw radii; // sum
    cn_floatw reach; // radii + margin: cores farther apart than this make no contact
    cn_floatw tolerance;
} cn_pairw;

// The best face of a hull: the separation of the other core from it, along its normal.
typedef struct {
    cn_floatw separation;
    cn_intw edge;
} cn_facew;

// How the two cores face each other. Edges are numbered as in the hull. If flip is true, the
// reference edge belongs to B.
typedef struct {
    cn_floatw best; // separation of the cores along the reference normal: the largest of all edges
    cn_intw flip;
    cn_intw count, other_count; // vertices of the hull with the reference edge; of the other
    cn_intw reference, incident;
    cn_vec2w origin, normal; // first vertex and outward normal of the reference edge; frame of A
    cn_floatw length;
    cn_vec2w start, end; // of the incident edge, in the frame of the face
} cn_facingw;

// Chooses the reference edge. False if no lane is within reach.
CN_INLINE bool cn_choose_facew(const cn_pairw *pair, cn_facew a, cn_facew b, cn_facingw *f) {
    f->flip = b.separation > a.separation;
    f->best = cn_maxw(a.separation, b.separation);
    f->reference = cn_select_intw(f->flip, b.edge, a.edge);
    f->count = cn_select_intw(f->flip, pair->b.count, pair->a.count);
    f->other_count = cn_select_intw(f->flip, pair->a.count, pair->b.count);
    return cn_mask_bitsw(f->best > pair->reach) != CN_ALL_LANES;
}

// The vertex after this one: the next number, or 0 after the last.
CN_INLINE cn_intw cn_next_vertexw(cn_intw vertex, cn_intw count) {
    return (vertex + 1) & (vertex + 1 < count);
}

// ---- clipping

// Clips the incident edge; points[0] is nearer to y = 0. Returns where the edges overlap along y.
CN_INLINE cn_intw cn_clip_incidentw(const cn_facingw *f, cn_floatw tolerance, cn_vec2w *points) {
    // An edge parallel to n has no usable slope; clipping would not move its ends.
    cn_vec2w start = f->start, end = f->end, run = cn_sub2w(start, end);
    cn_floatw zero = cn_splatw(0), tiny = tolerance * (1.0f / 4096);
    cn_floatw slope = run.x / cn_maxw(run.y, tiny);
    cn_intw sloped = run.y > tiny;
    cn_floatw at_zero = end.x - end.y * slope, at_length = end.x + (f->length - end.y) * slope;
    points[0].x = cn_selectw((end.y < 0) & sloped, at_zero, end.x);
    points[0].y = cn_maxw(end.y, zero);
    points[1].x = cn_selectw((start.y > f->length) & sloped, at_length, start.x);
    points[1].y = cn_minw(start.y, f->length);
    return (start.y >= 0) & (end.y <= f->length) & (f->length > 0);
}

// The end of the incident edge that is nearest to the reference edge.
typedef struct {
    cn_floatw foot;  // y of the nearest point on the reference edge
    cn_vec2w offset; // from there to the end; y is zero if the end lies over the edge
    cn_intw is_end;  // true: the end of the incident edge; false: its start
} cn_cornerw;

CN_INLINE cn_cornerw cn_nearest_cornerw(const cn_facingw *f) {
    cn_floatw foot0 = cn_minw(cn_maxw(f->start.y, cn_splatw(0)), f->length);
    cn_floatw foot1 = cn_minw(cn_maxw(f->end.y, cn_splatw(0)), f->length);
    cn_vec2w offset0 = {f->start.x, f->start.y - foot0}, offset1 = {f->end.x, f->end.y - foot1};
    cn_intw is_end = cn_dot2w(offset1, offset1) < cn_dot2w(offset0, offset0);
    return (cn_cornerw){cn_selectw(is_end, foot1, foot0), cn_select2w(is_end, offset1, offset0),
                        is_end};
}

// ---- contact points

typedef struct {
    cn_vec2w normal;    // unit, from the reference hull to the other, in the frame of the face
    cn_vec2w points[2]; // likewise; the first point is nearer to y = 0
    cn_floatw separations[2]; // of the points
    cn_intw touching;
    cn_intw single;            // both points are one, where these two vertices meet:
    cn_intw last_of_reference; // the second vertex of the reference edge, else the first
    cn_intw last_of_incident;  // the second vertex of the incident edge, else the first
} cn_touchw;

CN_INLINE cn_touchw cn_touch_edgesw(const cn_pairw *pair, const cn_facingw *f) {
    cn_floatw zero = cn_splatw(0), one = cn_splatw(1), tolerance = pair->tolerance;
    cn_touchw touch;
    cn_intw overlap = cn_clip_incidentw(f, tolerance, touch.points);
    cn_floatw least = cn_minw(touch.points[0].x, touch.points[1].x);
    least = cn_selectw(overlap, least, cn_splatw(FLT_MAX));
    cn_cornerw corner = cn_nearest_cornerw(f);
    cn_floatw distance = cn_sqrtw(cn_dot2w(corner.offset, corner.offset));

    // Two corners can be the nearest features only if the cores are apart. A separating edge shows
    // that they are. Two cores without area (circles, capsules, segments) may be apart on one line,
    // although none of their edges separates them. Such pairs always count as apart: if their cores
    // meet, the clipped edge reaches x <= 0, and no corner is nearer than that.
    cn_intw apart = (f->best > 0) | ((pair->a.count < 3) & (pair->b.count < 3));
    cn_intw by_corner = apart & (distance > tolerance) & (distance + tolerance < least);
    cn_intw too_far = apart & (cn_minw(distance, least) > pair->reach);
    touch.touching = ~((f->best > pair->reach) | too_far);
    touch.single = by_corner | ~overlap;
    touch.last_of_reference = corner.offset.y >= 0;
    touch.last_of_incident = corner.is_end;
    cn_vec2w direction = cn_scale2w(one / cn_maxw(distance, tolerance), corner.offset);
    touch.normal = cn_select2w(by_corner, direction, (cn_vec2w){one, zero});

    cn_floatw lead = pair->a.radius - pair->b.radius; // r1 - r2
    lead = cn_flip_signw(lead, f->flip & CN_SIGN_BIT);
    cn_floatw gap = cn_selectw(by_corner, distance, corner.offset.x);
    cn_vec2w single = cn_scale2w(0.5f * (gap + lead), touch.normal);
    single.y = corner.foot + single.y;
    for (int i = 0; i < 2; i++) {
        cn_vec2w middle = {0.5f * (touch.points[i].x + lead), touch.points[i].y};
        touch.separations[i] = cn_selectw(touch.single, gap, touch.points[i].x) - pair->radii;
        touch.points[i] = cn_select2w(touch.single, single, middle);
    }
    return touch;
}

#endif
