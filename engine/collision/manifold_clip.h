/* What both narrowphase kernels share: the pair they look at, and the way from two facing edges to
 * contact points. CN_LANES pairs at a time.
 *
 * Once the reference edge is known everything is measured from it: t along the edge from its first
 * vertex, s along its outward normal. The incident edge, of the other hull, runs the other way:
 *
 *              s
 *              ^        high ..--o start
 *              |     ....---- :            The incident edge is clipped to 0 <= t <= length; its
 *       end o----low''        :            two ends there are the contact points.
 *              |              :
 *              o==============o----> t
 *           t = 0          t = length
 *
 * There are three outcomes, told apart by masks:
 *   face     the edges overlap along t. Two points, the normal of the reference edge.
 *   corner   the cores are apart and two of their vertices are the nearest features. One point, the
 *            normal joins the two vertices. This is what makes rounded corners round.
 *   lone     neither: the edges lie side by side, but the hulls overlap or the corners are closer
 *            than the tolerance. One point, the normal of the reference edge: no contact is lost.
 * A corner has to be nearer than the face by the tolerance, or normals would flutter.
 *
 * Points are half way between the two surfaces. The radii of the reference hull r1 and of the other
 * r2 put the surfaces at s = r1 and s - r2, so the middle is (s + r1 - r2) / 2 and the separation
 * s - r1 - r2. */
#ifndef CN_MANIFOLD_CLIP_H
#define CN_MANIFOLD_CLIP_H

#include "../base/wide.h"
#include "collision.h"

// ---- vectors

typedef struct {
    cn_floatw x, y;
} cn_vec2w;

CN_INLINE cn_vec2w cn_rotatew(cn_floatw c, cn_floatw s, cn_vec2w v) {
    return (cn_vec2w){c * v.x - s * v.y, s * v.x + c * v.y};
}
CN_INLINE cn_vec2w cn_unrotatew(cn_floatw c, cn_floatw s, cn_vec2w v) {
    return (cn_vec2w){c * v.x + s * v.y, c * v.y - s * v.x};
}
CN_INLINE cn_vec2w cn_select2w(cn_intw mask, cn_vec2w yes, cn_vec2w no) {
    return (cn_vec2w){cn_selectw(mask, yes.x, no.x), cn_selectw(mask, yes.y, no.y)};
}

// ---- the pair

// The wide twin of cn_placed_hull. The lanes of hx hold the bits of a hull index where the class is
// not box.
typedef struct {
    cn_floatw x, y, c, s;
    cn_floatw hx, hy, radius;
    cn_intw count, class;
} cn_placed_hullw;

typedef struct {
    cn_placed_hullw a, b;
    cn_vec2w between; // from the centre of A to that of B, world axes
    cn_vec2w offset;  // the same in the frame of A, in which the kernels compute: so precision does
    cn_floatw c, s;   // not depend on the place in the world. Rotation of B there
    cn_floatw radii;  // sum
    cn_floatw reach;  // cores farther apart than this (radii + margin) make no contact
    cn_floatw tolerance;
} cn_pairw;

// Where the two cores face each other. Edges are numbered as in the hull; where flip is true the
// reference edge belongs to B.
typedef struct {
    cn_floatw t, s;
} cn_spotw;

typedef struct {
    cn_floatw best; // separation of the cores along the reference normal, the greatest of all edges
    cn_intw flip;
    cn_intw count,
        other_count; // vertices of the hull with the reference edge, and of the other one
    cn_intw reference, incident;
    cn_vec2w origin, normal; // of the reference edge: first vertex, outward normal; frame of A
    cn_floatw length;
    cn_spotw start, end; // of the incident edge
} cn_facingw;

CN_INLINE void cn_facing_flipw(const cn_pairw *pair, cn_intw flip, cn_facingw *f) {
    f->flip = flip;
    f->count = cn_select_intw(flip, pair->b.count, pair->a.count);
    f->other_count = cn_select_intw(flip, pair->a.count, pair->b.count);
}

// The vertex after that: the next number, or 0 after the last.
CN_INLINE cn_intw cn_next_vertexw(cn_intw vertex, cn_intw count) {
    cn_intw next = vertex + cn_splat_intw(1);
    return next & cn_less_intw(next, count);
}

CN_INLINE bool cn_all_apartw(const cn_pairw *pair, cn_floatw separation) {
    return cn_mask_bitsw(cn_greaterw(separation, pair->reach)) == CN_ALL_LANES;
}

// ---- clipping

typedef struct {
    cn_spotw low, high; // the clipped incident edge
    cn_intw overlap;    // do the edges overlap along t?
    cn_floatw least;    // the lesser s of the two, very large without overlap
} cn_clipw;

CN_INLINE cn_clipw cn_clip_incidentw(const cn_facingw *f, cn_floatw tolerance) {
    cn_floatw zero = cn_splatw(0);
    // An edge that stands on end has no slope to speak of: clipping would not move its ends.
    cn_floatw run = f->start.t - f->end.t, tiny = tolerance * cn_splatw(1.0f / 4096);
    cn_floatw slope = (f->start.s - f->end.s) / cn_maxw(run, tiny);
    cn_intw sloped = cn_greaterw(run, tiny);
    cn_intw cut_low = cn_lessw(f->end.t, zero) & sloped;
    cn_intw cut_high = cn_greaterw(f->start.t, f->length) & sloped;

    cn_clipw clip;
    clip.low.t = cn_maxw(f->end.t, zero);
    clip.low.s = cn_selectw(cut_low, f->end.s - f->end.t * slope, f->end.s);
    clip.high.t = cn_minw(f->start.t, f->length);
    clip.high.s = cn_selectw(cut_high, f->end.s + (f->length - f->end.t) * slope, f->start.s);
    clip.overlap = cn_greater_equalw(f->start.t, zero) & cn_less_equalw(f->end.t, f->length) &
                   cn_greaterw(f->length, zero);
    clip.least = cn_selectw(clip.overlap, cn_minw(clip.low.s, clip.high.s), cn_splatw(FLT_MAX));
    return clip;
}

// The end of the incident edge that is nearest to the reference edge.
typedef struct {
    cn_floatw foot;     // t of the nearest point on the reference edge
    cn_floatw beyond;   // t of the end, measured from the foot: zero over the edge
    cn_floatw s;        // of the end
    cn_floatw distance; // from the foot to the end
    cn_intw is_end;     // it is the end of the incident edge, not its start
} cn_cornerw;

CN_INLINE cn_cornerw cn_nearest_cornerw(const cn_facingw *f) {
    cn_floatw zero = cn_splatw(0);
    cn_floatw foot0 = cn_minw(cn_maxw(f->start.t, zero), f->length);
    cn_floatw foot1 = cn_minw(cn_maxw(f->end.t, zero), f->length);
    cn_floatw beyond0 = f->start.t - foot0, beyond1 = f->end.t - foot1;
    cn_floatw square0 = beyond0 * beyond0 + f->start.s * f->start.s;
    cn_floatw square1 = beyond1 * beyond1 + f->end.s * f->end.s;

    cn_cornerw corner;
    corner.is_end = cn_lessw(square1, square0);
    corner.foot = cn_selectw(corner.is_end, foot1, foot0);
    corner.beyond = cn_selectw(corner.is_end, beyond1, beyond0);
    corner.s = cn_selectw(corner.is_end, f->end.s, f->start.s);
    corner.distance = cn_sqrtw(cn_minw(square1, square0));
    return corner;
}

// ---- contact points

typedef struct {
    cn_spotw normal;    // unit, from the reference hull to the other
    cn_spotw low, high; // the points
    cn_floatw low_separation, high_separation;
    cn_intw touching;
    cn_intw single;            // low and high are one point, where these two vertices meet:
    cn_intw last_of_reference; // the second vertex of the reference edge, else the first
    cn_intw last_of_incident;  // the second vertex of the incident edge, else the first
} cn_touchw;

// Are the cores apart, so that a corner can be what is nearest? A separating edge says so. Two
// cores without area (circles, capsules, segments) may lie in one line, which none of their edges
// separates; there the question need not be asked: where such cores meet the clipped edge reaches s
// <= 0, which no corner beats.
CN_INLINE cn_intw cn_cores_apartw(const cn_pairw *pair, const cn_facingw *f) {
    cn_intw three = cn_splat_intw(3);
    return cn_greaterw(f->best, cn_splatw(0)) |
           (cn_less_intw(pair->a.count, three) & cn_less_intw(pair->b.count, three));
}

CN_INLINE cn_touchw cn_touch_edgesw(const cn_pairw *pair, const cn_facingw *f) {
    cn_floatw half = cn_splatw(0.5f), tolerance = pair->tolerance;
    cn_clipw clip = cn_clip_incidentw(f, tolerance);
    cn_cornerw corner = cn_nearest_cornerw(f);
    cn_intw apart = cn_cores_apartw(pair, f);
    cn_intw by_corner = apart & cn_greaterw(corner.distance, tolerance) &
                        cn_lessw(corner.distance + tolerance, clip.least);
    cn_floatw nearest = cn_minw(corner.distance, clip.least);

    cn_touchw touch;
    touch.touching =
        ~(cn_greaterw(f->best, pair->reach) | (apart & cn_greaterw(nearest, pair->reach)));
    touch.single = by_corner | ~clip.overlap;
    touch.last_of_reference = cn_greater_equalw(corner.beyond, cn_splatw(0));
    touch.last_of_incident = corner.is_end;

    cn_floatw inverse = cn_splatw(1) / cn_maxw(corner.distance, tolerance);
    touch.normal.t = cn_keepw(by_corner, corner.beyond * inverse);
    touch.normal.s = cn_selectw(by_corner, corner.s * inverse, cn_splatw(1));

    cn_floatw lead = pair->a.radius - pair->b.radius; // r1 - r2
    lead = cn_flip_signw(lead, f->flip & cn_splat_intw(CN_SIGN_BIT));
    cn_floatw gap = cn_selectw(by_corner, corner.distance, corner.s);
    cn_floatw middle = half * (gap + lead);
    cn_spotw point = {corner.foot + touch.normal.t * middle, touch.normal.s * middle};
    touch.low.t = cn_selectw(touch.single, point.t, clip.low.t);
    touch.low.s = cn_selectw(touch.single, point.s, half * (clip.low.s + lead));
    touch.high.t = cn_selectw(touch.single, point.t, clip.high.t);
    touch.high.s = cn_selectw(touch.single, point.s, half * (clip.high.s + lead));
    touch.low_separation = cn_selectw(touch.single, gap, clip.low.s) - pair->radii;
    touch.high_separation = cn_selectw(touch.single, gap, clip.high.s) - pair->radii;
    return touch;
}

#endif
