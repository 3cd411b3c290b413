/* The hull kernel: pairs of which at least one is a polygon, padded to `size` 4 or 8 vertices.
 *
 * Support-point SAT: along the normal n of an edge the other hull begins at its support point, so
 * the separation is min_j(n . q_j) - n . p; the edge of either hull for which it is greatest
 * becomes the reference edge. The incident edge is that edge of the other hull whose normal faces
 * it most. If the cores are apart, the reference edge contains the vertex nearest to the other
 * hull, and the incident edge the vertex nearest to it: sep(n) is a minimum of linear functions,
 * hence concave, and so the best edge normal is a neighbour of the true direction.
 *
 * Everything is in the frame of A. Padding repeats element 0, so a padded edge ties with edge 0 and
 * loses; so does a padded vertex. That is why loops may end at the largest count of the lanes
 * without changing a result. */
#ifndef CN_MANIFOLD_HULL_H
#define CN_MANIFOLD_HULL_H

#include "manifold_clip.h"

typedef struct {
    cn_floatw x[8], y[8], nx[8], ny[8]; // vertices, outward normals of the edges that start there
} cn_hullw;

// ---- gather

CN_INLINE void cn_gather_columnsw(const void *base, const uint32_t *offset, cn_floatw *columns) {
    cn_row4w row = cn_gather4w(base, offset);
    columns[0] = row.x, columns[1] = row.y, columns[2] = row.z, columns[3] = row.w;
}

// Overwrites the lanes that are boxes, capsules or circles by vertices made from their half
// extents, with the numbers that the box kernel gives them. A circle gets the normals of a box.
CN_INLINE void cn_insert_boxesw(int size, const cn_placed_hullw *placed, cn_intw mask,
                                cn_hullw *h) {
    cn_floatw zero = cn_splatw(0), one = cn_splatw(1), hx = placed->hx, hy = placed->hy;
    cn_intw capsule = cn_equal_intw(placed->count, cn_splat_intw(2));
    cn_floatw x[4] = {-hx, hx, cn_selectw(capsule, -hx, hx), -hx};
    cn_floatw y[4] = {-hy, -hy, hy, hy}; // hy = 0 for a capsule
    cn_floatw nx[4] = {zero, cn_keepw(~capsule, one), zero, cn_keepw(~capsule, -one)};
    cn_floatw ny[4] = {-one, cn_keepw(capsule, one), cn_selectw(capsule, -one, one),
                       cn_keepw(capsule, -one)};
    for (int i = 0; i < size; i++) {
        int k = i < 4 ? i : 0;
        h->x[i] = cn_selectw(mask, x[k], h->x[i]);
        h->y[i] = cn_selectw(mask, y[k], h->y[i]);
        h->nx[i] = cn_selectw(mask, nx[k], h->nx[i]);
        h->ny[i] = cn_selectw(mask, ny[k], h->ny[i]);
    }
}

CN_INLINE void cn_hull_gatherw(int size, const cn_hull_store *store, const cn_placed_hullw *placed,
                               cn_hullw *h) {
    const char *base = size == 4 ? (const char *)store->hulls4 : (const char *)store->hulls8;
    cn_intw box = cn_equal_intw(placed->class, cn_splat_intw(CN_CLASS_BOX));
    cn_intw bytes = (cn_bitsw(placed->hx) & ~box) << (size == 4 ? 6 : 7);
    uint32_t offset[CN_LANES];
    memcpy(offset, &bytes, sizeof offset);
    int column = size * (int)sizeof(float);
    for (int i = 0; i < size; i += 4) {
        const char *row = base + i * (int)sizeof(float);
        cn_gather_columnsw(row, offset, h->x + i);
        cn_gather_columnsw(row + column, offset, h->y + i);
        cn_gather_columnsw(row + 2 * column, offset, h->nx + i);
        cn_gather_columnsw(row + 3 * column, offset, h->ny + i);
    }
    if (cn_mask_bitsw(box)) cn_insert_boxesw(size, placed, box, h);
}

// ---- small verbs

// The largest vertex count of the lanes, but at least 4.
CN_INLINE int cn_largest_countw(int size, cn_intw count) {
    int largest = 4;
    while (largest < size && cn_mask_bitsw(cn_less_intw(cn_splat_intw(largest), count))) largest++;
    return largest;
}

CN_INLINE cn_intw cn_bit_maskw(cn_intw x, int bit) { // all ones where that bit is set
    return ~cn_equal_intw(x & cn_splat_intw(1 << bit), cn_splat_intw(0));
}

// Which of 4 or 8 elements to take, per lane: the bits of its index as masks.
typedef struct {
    cn_intw bit[3];
} cn_pickw;

CN_INLINE cn_pickw cn_pick_ofw(cn_intw index) {
    return (cn_pickw){{cn_bit_maskw(index, 0), cn_bit_maskw(index, 1), cn_bit_maskw(index, 2)}};
}
CN_INLINE cn_floatw cn_pick4w(const cn_floatw *from, const cn_pickw *pick) {
    return cn_selectw(pick->bit[1], cn_selectw(pick->bit[0], from[3], from[2]),
                      cn_selectw(pick->bit[0], from[1], from[0]));
}
CN_INLINE cn_floatw cn_pick_fromw(int size, const cn_floatw *from, const cn_pickw *pick) {
    cn_floatw low = cn_pick4w(from, pick);
    return size == 4 ? low : cn_selectw(pick->bit[2], cn_pick4w(from + 4, pick), low);
}
CN_INLINE cn_vec2w cn_vertexw(int size, const cn_hullw *h, const cn_pickw *pick) {
    return (cn_vec2w){cn_pick_fromw(size, h->x, pick), cn_pick_fromw(size, h->y, pick)};
}

CN_INLINE void cn_hull_placew(const cn_pairw *pair, int count, cn_hullw *b) { // to the frame of A
    for (int i = 0; i < count; i++) {
        cn_vec2w vertex = cn_rotatew(pair->c, pair->s, (cn_vec2w){b->x[i], b->y[i]});
        cn_vec2w normal = cn_rotatew(pair->c, pair->s, (cn_vec2w){b->nx[i], b->ny[i]});
        b->x[i] = vertex.x + pair->offset.x;
        b->y[i] = vertex.y + pair->offset.y;
        b->nx[i] = normal.x;
        b->ny[i] = normal.y;
    }
}

CN_INLINE void cn_swapw(cn_intw mask, cn_floatw *a, cn_floatw *b) {
    cn_intw difference = (cn_bitsw(*a) ^ cn_bitsw(*b)) & mask;
    *a = cn_from_bitsw(cn_bitsw(*a) ^ difference);
    *b = cn_from_bitsw(cn_bitsw(*b) ^ difference);
}
CN_INLINE void cn_hulls_swapw(cn_intw mask, int count, cn_hullw *a, cn_hullw *b) {
    for (int i = 0; i < count; i++) {
        cn_swapw(mask, &a->x[i], &b->x[i]);
        cn_swapw(mask, &a->y[i], &b->y[i]);
        cn_swapw(mask, &a->nx[i], &b->nx[i]);
        cn_swapw(mask, &a->ny[i], &b->ny[i]);
    }
}

// ---- the kernel

typedef struct {
    cn_floatw separation;
    cn_intw edge;
} cn_hull_facew;

// The edge of p along whose normal q is farthest away.
CN_INLINE cn_hull_facew cn_hull_best_facew(const cn_hullw *p, int edges, const cn_hullw *q,
                                           int vertices) {
    cn_hull_facew best = {cn_splatw(-FLT_MAX), cn_splat_intw(0)};
    for (int i = 0; i < edges; i++) {
        cn_floatw nx = p->nx[i], ny = p->ny[i];
        cn_floatw support = nx * q->x[0] + ny * q->y[0];
        for (int j = 1; j < vertices; j++) support = cn_minw(nx * q->x[j] + ny * q->y[j], support);
        cn_floatw separation = support - (nx * p->x[i] + ny * p->y[i]);
        cn_intw better = cn_greaterw(separation, best.separation);
        best.edge = cn_select_intw(better, cn_splat_intw(i), best.edge);
        best.separation = cn_selectw(better, separation, best.separation);
    }
    return best;
}

// The edge whose normal is most opposed to n.
CN_INLINE cn_intw cn_hull_incidentw(const cn_hullw *h, int edges, cn_vec2w n) {
    cn_floatw least = n.x * h->nx[0] + n.y * h->ny[0];
    cn_intw edge = cn_splat_intw(0);
    for (int i = 1; i < edges; i++) {
        cn_floatw cosine = n.x * h->nx[i] + n.y * h->ny[i];
        cn_intw better = cn_lessw(cosine, least);
        edge = cn_select_intw(better, cn_splat_intw(i), edge);
        least = cn_selectw(better, cosine, least);
    }
    return edge;
}

CN_INLINE cn_spotw cn_spot_ofw(const cn_facingw *f, cn_vec2w point) {
    cn_vec2w d = {point.x - f->origin.x, point.y - f->origin.y};
    return (cn_spotw){f->normal.x * d.y - f->normal.y * d.x, f->normal.x * d.x + f->normal.y * d.y};
}

// From the edges with the greatest separation on to the two that face each other. Swaps the hulls
// in lanes whose reference edge belongs to B.
CN_INLINE void cn_hulls_alignw(int size, int edges, cn_hullw *a, cn_hullw *b, cn_facingw *f) {
    cn_hulls_swapw(f->flip, edges, a, b);

    cn_pickw first = cn_pick_ofw(f->reference);
    cn_pickw second = cn_pick_ofw(cn_next_vertexw(f->reference, f->count));
    f->normal = (cn_vec2w){cn_pick_fromw(size, a->nx, &first), cn_pick_fromw(size, a->ny, &first)};
    f->origin = cn_vertexw(size, a, &first);
    f->length = cn_spot_ofw(f, cn_vertexw(size, a, &second)).t;

    cn_intw circle = cn_equal_intw(f->other_count, cn_splat_intw(1));
    f->incident = cn_hull_incidentw(b, edges, f->normal) & ~circle;
    cn_pickw start = cn_pick_ofw(f->incident);
    cn_pickw end = cn_pick_ofw(cn_next_vertexw(f->incident, f->other_count));
    f->start = cn_spot_ofw(f, cn_vertexw(size, b, &start));
    f->end = cn_spot_ofw(f, cn_vertexw(size, b, &end));
}

// Finds the reference and the incident edge. False if no lane comes within reach: then only `best`
// is set. (A filter on candidate normals for smooth chains belongs between the two halves.)
CN_INLINE bool cn_hulls_facew(int size, const cn_hull_store *store, const cn_pairw *pair,
                              cn_facingw *f) {
    cn_hullw a, b;
    cn_hull_gatherw(size, store, &pair->a, &a);
    cn_hull_gatherw(size, store, &pair->b, &b);
    int count_a = cn_largest_countw(size, pair->a.count);
    int count_b = cn_largest_countw(size, pair->b.count);
    int count = cn_max_int(count_a, count_b);
    cn_hull_placew(pair, count, &b);

    cn_intw one = cn_splat_intw(1); // a circle has no edges
    cn_floatw none = cn_splatw(-FLT_MAX);
    cn_hull_facew face_a = cn_hull_best_facew(&a, count_a, &b, count_b);
    cn_hull_facew face_b = cn_hull_best_facew(&b, count_b, &a, count_a);
    face_a.separation = cn_selectw(cn_equal_intw(pair->a.count, one), none, face_a.separation);
    face_b.separation = cn_selectw(cn_equal_intw(pair->b.count, one), none, face_b.separation);

    cn_facing_flipw(pair, cn_greaterw(face_b.separation, face_a.separation), f);
    f->best = cn_maxw(face_a.separation, face_b.separation);
    f->reference = cn_select_intw(f->flip, face_b.edge, face_a.edge);
    if (cn_all_apartw(pair, f->best)) return false;
    cn_hulls_alignw(size, count, &a, &b, f);
    return true;
}

#endif
