/* The box kernel: pairs of circles, capsules, segments and boxes from their half extents alone.
 *
 * All of them are boxes in their own frame, with hy = 0 (capsule, segment) or hx = hy = 0 (circle).
 * On an axis at angle a to its own, a box casts a shadow of |cos a| hx + |sin a| hy to either side,
 * so the four separations need no vertices. Then every lane is turned, by swapping the boxes,
 * swapping the axes and changing signs, until its reference face looks along n:
 *
 *            +----2----+          t (the reference edge runs along it)
 *            |         |          ^
 *            3    o    1          |     Edges and, at the start of each, corners:
 *            |         |          o--> n       bottom 0, right 1, top 2, left 3
 *            +----0----+
 *
 * A capsule only has the faces 0 and 2 (called 1 outside, for it has two vertices), a circle has
 * none. A missing face must never be the reference face: its length is zero, and where it ties with
 * a real one it would hide the contact. Two circles are the exception, they have to use some axis
 * of A. */
#ifndef CN_MANIFOLD_BOX_H
#define CN_MANIFOLD_BOX_H

#include "manifold_clip.h"

// How far a box is from another, on either side, along the two axes of that one. `turn` holds |cos|
// and |sin| of the angle between them.
CN_INLINE cn_vec2w cn_box_gapsw(cn_vec2w offset, cn_vec2w turn, cn_vec2w half, cn_vec2w other) {
    return (cn_vec2w){
        cn_absw(offset.x) - (half.x + (turn.x * other.x + turn.y * other.y)),
        cn_absw(offset.y) - (half.y + (turn.y * other.x + turn.x * other.y)),
    };
}

// A direction or place in the axes of a box, measured along a face of it: the face to the right or,
// if along_y, to the top; where the sign bit of `negative` is set the opposite one.
CN_INLINE cn_spotw cn_along_facew(cn_intw along_y, cn_intw negative, cn_vec2w v) {
    return (cn_spotw){
        .t = cn_flip_signw(cn_selectw(along_y, -v.x, v.y), negative),
        .s = cn_flip_signw(cn_selectw(along_y, v.y, v.x), negative),
    };
}

// The number of a face as a hull of `count` vertices counts its edges.
CN_INLINE cn_intw cn_box_edgew(cn_intw along_y, cn_intw negative, cn_intw count) {
    cn_intw edge = cn_select_intw(along_y, cn_splat_intw(2), cn_splat_intw(1));
    edge = edge ^ ((negative >> 30) & cn_splat_intw(2));
    edge = cn_select_intw(cn_equal_intw(count, cn_splat_intw(2)), edge >> 1, edge);
    return edge & ~cn_equal_intw(count, cn_splat_intw(1));
}

// The incident edge, from the x axis of the other box and its centre over the start of the
// reference face: that face of it which faces the reference face most.
CN_INLINE void cn_box_incidentw(cn_spotw x_axis, cn_spotw centre, cn_vec2w half, cn_facingw *f) {
    cn_intw sign = cn_splat_intw(CN_SIGN_BIT);
    cn_intw sign_s = cn_bitsw(x_axis.s) & sign, sign_t = cn_bitsw(x_axis.t) & sign;
    cn_floatw cosine = cn_absw(x_axis.s), sine = cn_absw(x_axis.t);
    cn_intw along_y = cn_lessw(cosine, sine) |
                      cn_equal_intw(f->other_count, cn_splat_intw(2)); // capsules: long faces only

    // Its outward normal looks down; the edge runs at a right angle to that.
    cn_floatw down = -cn_selectw(along_y, sine, cosine);
    cn_floatw aside = cn_selectw(along_y, cn_flip_signw(x_axis.s, sign_t),
                                 cn_flip_signw(x_axis.t, sign_s ^ sign));
    cn_floatw depth = cn_selectw(along_y, half.y, half.x);
    cn_floatw extent = cn_selectw(along_y, half.x, half.y);
    cn_floatw t = centre.t + aside * depth, s = centre.s + down * depth;
    f->start = (cn_spotw){t - down * extent, s + aside * extent};
    f->end = (cn_spotw){t + down * extent, s - aside * extent};
    cn_intw negative = cn_select_intw(along_y, sign_t, sign_s ^ sign);
    f->incident = cn_box_edgew(along_y, negative, f->other_count);
}

// The best of the faces of both boxes.
typedef struct {
    cn_floatw separation;
    cn_intw flip;    // it belongs to B
    cn_intw along_y; // its normal is the y axis of its box, in one sense or the other
} cn_box_facew;

CN_INLINE cn_box_facew cn_box_best_facew(const cn_pairw *pair, cn_vec2w offset_b) {
    cn_intw one = cn_splat_intw(1), two = cn_splat_intw(2);
    cn_floatw none = cn_splatw(-FLT_MAX);
    cn_vec2w turn = {cn_absw(pair->c), cn_absw(pair->s)};
    cn_vec2w half_a = {pair->a.hx, pair->a.hy}, half_b = {pair->b.hx, pair->b.hy};
    cn_vec2w gap_a = cn_box_gapsw(pair->offset, turn, half_a, half_b);
    cn_vec2w gap_b = cn_box_gapsw(offset_b, turn, half_b, half_a);

    cn_intw no_face_b = cn_equal_intw(pair->b.count, one);
    cn_intw no_face_a = cn_equal_intw(pair->a.count, one) & ~no_face_b;
    gap_a.x = cn_selectw(no_face_a | cn_equal_intw(pair->a.count, two), none, gap_a.x);
    gap_b.x = cn_selectw(no_face_b | cn_equal_intw(pair->b.count, two), none, gap_b.x);
    gap_a.y = cn_selectw(no_face_a, none, gap_a.y);
    gap_b.y = cn_selectw(no_face_b, none, gap_b.y);

    cn_floatw best_a = cn_maxw(gap_a.y, gap_a.x), best_b = cn_maxw(gap_b.y, gap_b.x);
    cn_intw flip = cn_greaterw(best_b, best_a);
    cn_intw y_a = cn_greaterw(gap_a.y, gap_a.x), y_b = cn_greaterw(gap_b.y, gap_b.x);
    return (cn_box_facew){cn_maxw(best_a, best_b), flip, cn_select_intw(flip, y_b, y_a)};
}

// Finds the reference and the incident edge. False if no lane comes within reach: then only `best`
// is set.
CN_INLINE bool cn_boxes_facew(const cn_pairw *pair, cn_facingw *f) {
    cn_floatw zero = cn_splatw(0), one = cn_splatw(1);
    cn_intw sign = cn_splat_intw(CN_SIGN_BIT);
    cn_vec2w offset_b = cn_unrotatew(pair->c, pair->s, pair->offset);
    cn_box_facew face = cn_box_best_facew(pair, offset_b);
    f->best = face.separation;
    if (cn_all_apartw(pair, f->best)) return false;

    // The other box, seen from the reference box.
    cn_intw flip = face.flip, along_y = face.along_y;
    cn_facing_flipw(pair, flip, f);
    cn_vec2w half_a = {pair->a.hx, pair->a.hy}, half_b = {pair->b.hx, pair->b.hy};
    cn_vec2w half = cn_select2w(flip, half_b, half_a), other = cn_select2w(flip, half_a, half_b);
    cn_vec2w offset = cn_select2w(flip, (cn_vec2w){-offset_b.x, -offset_b.y}, pair->offset);
    cn_vec2w x_axis = {pair->c, cn_flip_signw(pair->s, flip & sign)};

    // The same, seen from the reference face.
    cn_intw negative = cn_bitsw(cn_selectw(along_y, offset.y, offset.x)) & sign;
    cn_floatw height = cn_selectw(along_y, half.y, half.x);
    cn_floatw extent = cn_selectw(along_y, half.x, half.y);
    cn_spotw centre = cn_along_facew(along_y, negative, offset);
    centre = (cn_spotw){centre.t + extent, centre.s - height};
    cn_box_incidentw(cn_along_facew(along_y, negative, x_axis), centre, other, f);
    f->reference = cn_box_edgew(along_y, negative, f->count);
    f->length = extent + extent;

    // The reference face in the frame of A.
    cn_floatw unit = cn_flip_signw(one, negative);
    cn_vec2w normal = {cn_keepw(~along_y, unit), cn_keepw(along_y, unit)};
    f->normal = cn_rotatew(cn_selectw(flip, pair->c, one), cn_keepw(flip, pair->s), normal);
    f->origin.x =
        cn_selectw(flip, pair->offset.x, zero) + (height * f->normal.x + extent * f->normal.y);
    f->origin.y =
        cn_selectw(flip, pair->offset.y, zero) + (height * f->normal.y - extent * f->normal.x);
    return true;
}

#endif
