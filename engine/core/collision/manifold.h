/* How two hulls touch: the narrowphase, CN_LANES pairs at a time.
 *
 * It is a pure function of two placed hulls, without memory of the last step: no cached edge, no
 * hysteresis. The stages:
 *
 *   gather    Poses, half extents, vertices: rows of 16 bytes, transposed into lanes.
 *   face      The reference edge is the edge, of either hull, along whose normal the other hull is
 *             farthest away. The incident edge is the edge of the other hull that faces it most
 *             (manifold_box.h from half extents, manifold_hull.h from vertices).
 *   touch     The incident edge clipped to the reference edge, or the two nearest corners
 *             (manifold_clip.h).
 *   finish    Back to world axes. Normal, points and ids do not depend on which hull has the
 *             reference edge.
 *
 * The id of a point names the vertices that made it: one of A and one of B, whichever hull has the
 * reference edge. So ids survive a change of the reference edge between two parallel faces. A pair
 * with a circle has one point, and its id is always 0.
 *
 * The class is a constant where speed matters: then it selects the kernel at compile time. All
 * widths give the same bits. */
#ifndef CN_MANIFOLD_H
#define CN_MANIFOLD_H

#include "manifold_box.h"
#include "manifold_clip.h"
#include "manifold_hull.h"

typedef struct {
    cn_vec2w normal;    // unit, from A to B, world axes
    cn_vec2w points[2]; // world axes, relative to the centre of placed hull A. If there is one
                        // point, the second equals the first
    cn_floatw separations[2]; // of the points, along the normal
    cn_floatw separation; // of the hulls along the normal of the reference edge, radii included:
                          // less than those of the points if these are two corners
    cn_intw ids;          // of point 0 | of point 1 << 8; an id is vertex of A | vertex of B << 4
    cn_intw reference;    // edge | 8 if it belongs to B
    cn_intw incident;     // edge of the other hull
    cn_intw count;        // 0..2; if it is 0, only the separation has a meaning
} cn_manifoldw;

CN_INLINE cn_placed_hullw cn_placed_gatherw(const cn_placed_hull *placed, const int32_t *index) {
    uint32_t offset[CN_LANES];
    for (int i = 0; i < CN_LANES; i++) offset[i] = (uint32_t)index[i] * sizeof(cn_placed_hull);
    cn_row4w pose = CN_GATHER_ROW(placed, offset, pose.position.x, pose.position.y, pose.rotation.c,
                                  pose.rotation.s);
    cn_row4w form = CN_GATHER_ROW(placed, offset, hx, hy, radius, kind);
    return (cn_placed_hullw){
        .center = {pose.x, pose.y},
        .turn = {pose.z, pose.w},
        .half = {form.x, form.y},
        .radius = form.z,
        .count = cn_bitsw(form.w) & 255,
        .hull_class = cn_bitsw(form.w) >> 8,
    };
}

CN_INLINE cn_pairw cn_pair_gatherw(const cn_placed_hull *placed, const int32_t *a, const int32_t *b,
                                   cn_floatw margin, cn_floatw tolerance) {
    cn_pairw pair = {.a = cn_placed_gatherw(placed, a), .b = cn_placed_gatherw(placed, b)};
    pair.offset = cn_unrotatew(pair.a.turn, cn_sub2w(pair.b.center, pair.a.center));
    pair.turn = cn_unrotatew(pair.a.turn, pair.b.turn);
    pair.radii = pair.a.radius + pair.b.radius;
    pair.reach = pair.radii + margin;
    pair.tolerance = tolerance;
    return pair;
}

// Ids of both points. The low point lies over the first vertex of the reference edge, where the
// incident edge ends. The high point lies over the second vertex, where the incident edge starts.
CN_INLINE cn_intw cn_manifold_idsw(const cn_facingw *f, const cn_touchw *touch) {
    cn_intw first = f->reference, second = cn_next_vertexw(f->reference, f->count);
    cn_intw start = f->incident, end = cn_next_vertexw(f->incident, f->other_count);
    cn_intw corner = cn_select_intw(touch->last_of_reference, second, first) |
                     cn_select_intw(touch->last_of_incident, end, start) << 4;
    cn_intw low = cn_select_intw(touch->single, corner, first | end << 4);
    cn_intw high = cn_select_intw(touch->single, corner, second | start << 4);
    cn_intw turned = high | low << 8; // then the two vertices of each id change places
    turned = (turned & 0x0f0f) << 4 | (turned >> 4 & 0x0f0f);
    return cn_select_intw(f->flip, turned, low | high << 8);
}

// If B has the reference edge, the normal is reversed and the points change places.
CN_INLINE void cn_manifold_finishw(const cn_pairw *pair, const cn_facingw *f,
                                   const cn_touchw *touch, cn_manifoldw *m) {
    cn_intw flip = f->flip;
    cn_vec2w edge_normal = cn_rotatew(pair->a.turn, f->normal);
    cn_vec2w origin = cn_rotatew(pair->a.turn, f->origin);
    cn_vec2w zero = {cn_splatw(0), cn_splatw(0)}; // turns -0 into 0
    cn_vec2w normal = cn_add2w(zero, cn_rotatew(edge_normal, touch->normal));
    m->normal = cn_flip_sign2w(normal, flip & CN_SIGN_BIT);
    for (int i = 0; i < 2; i++) {
        cn_vec2w point = cn_select2w(flip, touch->points[1 - i], touch->points[i]);
        m->points[i] = cn_add2w(origin, cn_rotatew(edge_normal, point));
        m->separations[i] = cn_selectw(flip, touch->separations[1 - i], touch->separations[i]);
    }

    cn_intw circle = (pair->a.count == 1) | (pair->b.count == 1);
    m->ids = cn_manifold_idsw(f, touch) & ~circle;
    m->reference = f->reference | (flip & 8);
    m->incident = f->incident;
    m->count = (2 + (touch->single | circle)) & touch->touching;
}

// Collides the pairs a[i], b[i] of placed hulls, all of class `hull_class`. Cores closer than their
// radii plus `margin` touch. A corner is preferred to a face only if it is nearer by `tolerance`, a
// tenth of the slop. It must also be at least that far away, to give a direction.
CN_INLINE void cn_collide_pairsw(cn_hull_class hull_class, const cn_hull_store *store,
                                 const int32_t *a, const int32_t *b, cn_floatw margin,
                                 cn_floatw tolerance, cn_manifoldw *m) {
    cn_pairw pair = cn_pair_gatherw(store->placed, a, b, margin, tolerance);
    cn_facingw f;
    bool in_reach = hull_class == CN_CLASS_BOX
                        ? cn_boxes_facew(&pair, &f)
                        : cn_hulls_facew(hull_class == CN_CLASS_HULL4 ? 4 : 8, store, &pair, &f);
    memset(m, 0, sizeof *m);
    if (in_reach) {
        cn_touchw touch = cn_touch_edgesw(&pair, &f);
        cn_manifold_finishw(&pair, &f, &touch, m);
    }
    m->separation = f.best - pair.radii;
}

#endif
