/* The box kernel: pairs of circles, capsules, segments and boxes, from their half extents alone.
 *
 * All of them are boxes in their own frame, with hy = 0 (capsule, segment) or hx = hy = 0 (circle).
 * The projection of a box onto an axis at angle a to its own axis extends |cos a| hx + |sin a| hy
 * to either side. So the four separations need no vertices. Then every lane is turned, by swapping
 * the boxes, swapping the axes and changing signs, until its reference face points along n, as
 * manifold_clip.h needs it:
 *
 *            +----2----+          y (the reference edge runs along it)
 *            |         |          ^
 *            3    o    1          |     Edges and, at the start of each, corners:
 *            |         |          o--> x = n   bottom 0, right 1, top 2, left 3
 *            +----0----+
 *
 * A capsule has only the faces 0 and 2 (the latter is edge 1 outside of this file, because a
 * capsule has two vertices). A circle has none. A missing face must never be the reference face:
 * its length is zero, and where it ties with a real face it would hide the contact. Two circles are
 * the exception: they have to use some axis of A. */
#ifndef CN_MANIFOLD_BOX_H
#define CN_MANIFOLD_BOX_H

#include "manifold_clip.h"

// The best face of a box: the separation of `other` on either side of the box, along the better of
// its two axes. `edge` is a mask that is true if this axis is y. `offset` is the position of
// `other` in these axes; `turn` holds |cos| and |sin| of the angle between both boxes. Lanes of
// `no_face` have no face.
CN_INLINE cn_facew cn_best_box_facew(const cn_placed_hullw *box, const cn_placed_hullw *other,
                                     cn_vec2w offset, cn_vec2w turn, cn_intw no_face) {
    cn_floatw none = cn_splatw(-FLT_MAX);
    cn_floatw x = cn_absw(offset.x) - (box->half.x + cn_dot2w(turn, other->half));
    cn_floatw y =
        cn_absw(offset.y) - (box->half.y + (turn.y * other->half.x + turn.x * other->half.y));
    x = cn_selectw(no_face | (box->count == 2), none, x);
    y = cn_selectw(no_face, none, y);
    return (cn_facew){cn_maxw(y, x), y > x};
}

// Turns a vector from the axes of a box to the frame of one of its faces. It is the right face or,
// if along_y is true, the top face; where the sign bit of `negative` is set, it is the opposite
// face.
CN_INLINE cn_vec2w cn_along_facew(cn_intw along_y, cn_intw negative, cn_vec2w v) {
    return cn_flip_sign2w(cn_select2w(along_y, (cn_vec2w){v.y, -v.x}, v), negative);
}

// The half extents of a box in the frame of that face: along its normal, and along the edge.
CN_INLINE cn_vec2w cn_half_of_facew(cn_intw along_y, cn_vec2w half) {
    return cn_select2w(along_y, (cn_vec2w){half.y, half.x}, half);
}

// The number of that face among the edges of a hull of `count` vertices.
CN_INLINE cn_intw cn_box_edgew(cn_intw along_y, cn_intw negative, cn_intw count) {
    cn_intw edge = (1 - along_y) ^ ((negative >> 30) & 2);
    edge = cn_select_intw(count == 2, edge >> 1, edge);
    return edge & ~(count == 1);
}

// Finds the incident edge: the face of the other box that faces the reference face most. The x axis
// and the centre of the other box are given in the frame of the reference face.
CN_INLINE void cn_box_incidentw(cn_vec2w x_axis, cn_vec2w center, cn_vec2w half, cn_facingw *f) {
    cn_intw sign_x = cn_bitsw(x_axis.x) & CN_SIGN_BIT, sign_y = cn_bitsw(x_axis.y) & CN_SIGN_BIT;
    cn_floatw cosine = cn_absw(x_axis.x), sine = cn_absw(x_axis.y);
    cn_intw along_y = (cosine < sine) | (f->other_count == 2); // capsules have only the long faces

    // The outward normal points towards -x. The edge is perpendicular to it.
    cn_vec2w normal = {-cn_selectw(along_y, sine, cosine),
                       cn_selectw(along_y, cn_flip_signw(x_axis.x, sign_y),
                                  cn_flip_signw(x_axis.y, sign_x ^ CN_SIGN_BIT))};
    half = cn_half_of_facew(along_y, half);
    cn_vec2w middle = cn_add2w(center, cn_scale2w(half.x, normal));
    cn_vec2w run = cn_scale2w(half.y, (cn_vec2w){normal.y, -normal.x});
    f->start = cn_add2w(middle, run);
    f->end = cn_sub2w(middle, run);
    cn_intw negative = cn_select_intw(along_y, sign_y, sign_x ^ CN_SIGN_BIT);
    f->incident = cn_box_edgew(along_y, negative, f->other_count);
}

// Finds both edges. False if no lane is within reach; then only `best` is set.
CN_INLINE bool cn_boxes_facew(const cn_pairw *pair, cn_facingw *f) {
    cn_floatw zero = cn_splatw(0), one = cn_splatw(1);
    cn_vec2w offset_b = cn_unrotatew(pair->turn, pair->offset);
    cn_vec2w turn = {cn_absw(pair->turn.x), cn_absw(pair->turn.y)};
    cn_intw circle_b = pair->b.count == 1;
    cn_intw circle_a = (pair->a.count == 1) & ~circle_b;
    cn_facew face_a = cn_best_box_facew(&pair->a, &pair->b, pair->offset, turn, circle_a);
    cn_facew face_b = cn_best_box_facew(&pair->b, &pair->a, offset_b, turn, circle_b);
    if (!cn_choose_facew(pair, face_a, face_b, f)) return false;

    // The other box, seen from the reference box.
    cn_intw flip = f->flip, along_y = f->reference;
    cn_vec2w half = cn_select2w(flip, pair->b.half, pair->a.half);
    cn_vec2w other = cn_select2w(flip, pair->a.half, pair->b.half);
    cn_vec2w offset = cn_select2w(flip, (cn_vec2w){-offset_b.x, -offset_b.y}, pair->offset);
    cn_vec2w x_axis = {pair->turn.x, cn_flip_signw(pair->turn.y, flip & CN_SIGN_BIT)};

    // The same, seen from the reference face.
    cn_intw negative = cn_bitsw(cn_selectw(along_y, offset.y, offset.x)) & CN_SIGN_BIT;
    half = cn_half_of_facew(along_y, half);
    cn_vec2w center = cn_along_facew(along_y, negative, offset);
    center = (cn_vec2w){center.x - half.x, center.y + half.y};
    cn_box_incidentw(cn_along_facew(along_y, negative, x_axis), center, other, f);
    f->reference = cn_box_edgew(along_y, negative, f->count);
    f->length = half.y + half.y;

    // The reference face in the frame of A.
    cn_floatw unit = cn_flip_signw(one, negative);
    cn_vec2w normal = cn_select2w(along_y, (cn_vec2w){zero, unit}, (cn_vec2w){unit, zero});
    f->normal = cn_rotatew(cn_select2w(flip, pair->turn, (cn_vec2w){one, zero}), normal);
    f->origin = cn_add2w(cn_select2w(flip, pair->offset, (cn_vec2w){zero, zero}),
                         cn_rotatew(f->normal, (cn_vec2w){half.x, -half.y}));
    return true;
}

#endif
