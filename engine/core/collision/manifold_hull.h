/* The hull kernel: pairs with at least one polygon, padded to `size` 4 or 8 vertices.
 *
 * Support-point SAT: along the normal n of an edge, the other hull begins at its support point. So
 * the separation is min_j(n . q_j) - n . p. The edge, of either hull, with the largest separation
 * is the reference edge. The incident edge is the edge of the other hull whose normal faces it
 * most. If the cores are apart, the reference edge contains the vertex nearest to the other hull,
 * and the incident edge contains the vertex nearest to it. Reason: sep(n) is a minimum of linear
 * functions, hence concave, and so the best edge normal is a neighbour of the true direction.
 *
 * Everything is in the frame of A. Padding repeats element 0, so a padded edge ties with edge 0 and
 * loses. The same holds for a padded vertex. So loops may end at the largest count of the lanes
 * without changing a result. */
#ifndef CN_MANIFOLD_HULL_H
#define CN_MANIFOLD_HULL_H

#include "manifold_clip.h"

typedef struct {
    cn_vec2w vertices[8], normals[8]; // normals: outward, of the edges that start at these vertices
} cn_hullw;

// ---- gather

// Gathers four vectors whose x and y are stored in separate rows.
CN_INLINE void cn_gather_vectorsw(const float *x, const float *y, const uint32_t *offset,
                                  cn_vec2w *v) {
    cn_row4w xs = cn_gather4w(x, offset), ys = cn_gather4w(y, offset);
    v[0] = (cn_vec2w){xs.x, ys.x};
    v[1] = (cn_vec2w){xs.y, ys.y};
    v[2] = (cn_vec2w){xs.z, ys.z};
    v[3] = (cn_vec2w){xs.w, ys.w};
}

// Overwrites the lanes that are boxes, capsules or circles with vertices made from their half
// extents. The numbers are those of the box kernel. A circle gets the normals of a box.
CN_INLINE void cn_insert_boxesw(int size, const cn_placed_hullw *placed, cn_intw mask,
                                cn_hullw *h) {
    cn_floatw zero = cn_splatw(0), one = cn_splatw(1), x = placed->half.x, y = placed->half.y;
    cn_intw capsule = placed->count == 2; // its y is 0
    cn_floatw in_box = cn_keepw(~capsule, one), in_capsule = cn_keepw(capsule, one);
    cn_vec2w vertices[4] = {{-x, -y}, {x, -y}, {cn_selectw(capsule, -x, x), y}, {-x, y}};
    cn_vec2w normals[4] = {{zero, -one},
                           {in_box, in_capsule},
                           {zero, cn_selectw(capsule, -one, one)},
                           {cn_keepw(~capsule, -one), cn_keepw(capsule, -one)}};
    for (int i = 0; i < size; i++) {
        int k = i < 4 ? i : 0;
        h->vertices[i] = cn_select2w(mask, vertices[k], h->vertices[i]);
        h->normals[i] = cn_select2w(mask, normals[k], h->normals[i]);
    }
}

CN_INLINE void cn_hull_gatherw(int size, const cn_hull_store *store, const cn_placed_hullw *placed,
                               cn_hullw *h) {
    cn_intw box = placed->hull_class == CN_CLASS_BOX;
    cn_intw bytes = (cn_bitsw(placed->half.x) & ~box) << 7;
    uint32_t offset[CN_LANES];
    memcpy(offset, &bytes, sizeof offset);
    for (int i = 0; i < size; i += 4) {
        const cn_hull8 *first = store->hulls8;
        cn_gather_vectorsw(first->x + i, first->y + i, offset, h->vertices + i);
        cn_gather_vectorsw(first->nx + i, first->ny + i, offset, h->normals + i);
    }
    if (cn_mask_bitsw(box)) cn_insert_boxesw(size, placed, box, h);
}

// ---- helpers

// The largest vertex count of the lanes, but at least 4.
CN_INLINE int cn_largest_countw(int size, cn_intw count) {
    int largest = 4;
    while (largest < size && cn_mask_bitsw(count > largest)) largest++;
    return largest;
}

// The element with this index, per lane.
CN_INLINE cn_vec2w cn_pickw(int size, const cn_vec2w *from, cn_intw index) {
    cn_vec2w picked = from[0];
    for (int i = 1; i < size; i++) picked = cn_select2w(index == i, from[i], picked);
    return picked;
}

CN_INLINE void cn_hull_placew(const cn_pairw *pair, int count, cn_hullw *b) { // into the frame of A
    for (int i = 0; i < count; i++) {
        b->vertices[i] = cn_add2w(cn_rotatew(pair->turn, b->vertices[i]), pair->offset);
        b->normals[i] = cn_rotatew(pair->turn, b->normals[i]);
    }
}

CN_INLINE void cn_swapw(cn_intw mask, cn_floatw *a, cn_floatw *b) {
    cn_intw difference = (cn_bitsw(*a) ^ cn_bitsw(*b)) & mask;
    *a = cn_from_bitsw(cn_bitsw(*a) ^ difference);
    *b = cn_from_bitsw(cn_bitsw(*b) ^ difference);
}
CN_INLINE void cn_hulls_swapw(cn_intw mask, int count, cn_hullw *a, cn_hullw *b) {
    for (int i = 0; i < count; i++) {
        cn_swapw(mask, &a->vertices[i].x, &b->vertices[i].x);
        cn_swapw(mask, &a->vertices[i].y, &b->vertices[i].y);
        cn_swapw(mask, &a->normals[i].x, &b->normals[i].x);
        cn_swapw(mask, &a->normals[i].y, &b->normals[i].y);
    }
}

// ---- the kernel

// The edge of p along whose normal q is farthest away. A circle has no edges.
CN_INLINE cn_facew cn_best_hull_facew(const cn_hullw *p, int edges, const cn_hullw *q, int vertices,
                                      cn_intw count) {
    cn_facew best = {cn_splatw(-FLT_MAX), cn_splat_intw(0)};
    for (int i = 0; i < edges; i++) {
        cn_vec2w n = p->normals[i];
        cn_floatw support = cn_dot2w(n, q->vertices[0]);
        for (int j = 1; j < vertices; j++) support = cn_minw(cn_dot2w(n, q->vertices[j]), support);
        cn_floatw separation = support - cn_dot2w(n, p->vertices[i]);
        cn_intw better = separation > best.separation;
        best.edge = cn_select_intw(better, cn_splat_intw(i), best.edge);
        best.separation = cn_selectw(better, separation, best.separation);
    }
    best.separation = cn_selectw(count == 1, cn_splatw(-FLT_MAX), best.separation);
    return best;
}

// The edge whose normal is most opposed to n.
CN_INLINE cn_intw cn_hull_incidentw(const cn_hullw *h, int edges, cn_vec2w n) {
    cn_floatw least = cn_dot2w(n, h->normals[0]);
    cn_intw edge = cn_splat_intw(0);
    for (int i = 1; i < edges; i++) {
        cn_floatw cosine = cn_dot2w(n, h->normals[i]);
        edge = cn_select_intw(cosine < least, cn_splat_intw(i), edge);
        least = cn_minw(cosine, least);
    }
    return edge;
}

// A vertex, in the frame of the reference face.
CN_INLINE cn_vec2w cn_seen_vertexw(int size, const cn_hullw *h, cn_intw index,
                                   const cn_facingw *f) {
    return cn_unrotatew(f->normal, cn_sub2w(cn_pickw(size, h->vertices, index), f->origin));
}

// Finds both edges. False if no lane is within reach; then only `best` is set.
CN_INLINE bool cn_hulls_facew(int size, const cn_hull_store *store, const cn_pairw *pair,
                              cn_facingw *f) {
    cn_hullw a, b;
    cn_hull_gatherw(size, store, &pair->a, &a);
    cn_hull_gatherw(size, store, &pair->b, &b);
    int count_a = cn_largest_countw(size, pair->a.count);
    int count_b = cn_largest_countw(size, pair->b.count);
    int count = cn_max_int(count_a, count_b);
    cn_hull_placew(pair, count, &b);
    cn_facew face_a = cn_best_hull_facew(&a, count_a, &b, count_b, pair->a.count);
    cn_facew face_b = cn_best_hull_facew(&b, count_b, &a, count_a, pair->b.count);
    if (!cn_choose_facew(pair, face_a, face_b, f)) return false;

    cn_hulls_swapw(f->flip, count, &a, &b); // from here on, `a` has the reference edge
    f->normal = cn_pickw(size, a.normals, f->reference);
    f->origin = cn_pickw(size, a.vertices, f->reference);
    f->length = cn_seen_vertexw(size, &a, cn_next_vertexw(f->reference, f->count), f).y;
    f->incident = cn_hull_incidentw(&b, count, f->normal) & ~(f->other_count == 1);
    f->start = cn_seen_vertexw(size, &b, f->incident, f);
    f->end = cn_seen_vertexw(size, &b, cn_next_vertexw(f->incident, f->other_count), f);
    return true;
}

#endif
