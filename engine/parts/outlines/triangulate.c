/* The constrained Delaunay triangulation of outlines.
 *
 *   points    Points are added from left to right. Each makes triangles with the part of the outer
 *             face's ring that it sees. Then edges are flipped until no triangle has a point in its
 *             circle (Lawson, "Software for C1 surface interpolation", 1977).
 *
 *   edges     Each edge of an outline that is missing is put in: all edges that cross it are taken
 *             out, and ears are clipped off the two faces beside it (Meisters, "Polygons have
 *             ears", 1975). It is an error if one of the edges taken out belongs to an outline. An
 *             edge through a point becomes two edges, so outlines may touch. Then all other edges
 *             are flipped again.
 *
 *   inside    From the outer face inwards, the winding changes at an edge by the outlines that run
 *             along it. Outline 0 runs counter-clockwise and holes run clockwise, so the winding
 *             must be 1 inside and 0 elsewhere. Otherwise outlines cross at a corner, or a hole is
 *             at a wrong place.
 *
 * The signs of orientations are exact, so the mesh is proper for any points. The tests of circles
 * only choose between good triangulations. If rounding could decide such a test, the edge stays. */
#include "decompose.h"

#include <stdio.h>

// ---- exact signs

// The sum of products of floats, which doubles hold exactly, as an expansion: parts that do not
// overlap, the last one the largest (Shewchuk 1997).
static double sum_exactly(const double *terms, int count) {
    double parts[8];
    int part_count = 0;
    for (int i = 0; i < count; i++) {
        double sum = terms[i];
        int kept = 0;
        for (int k = 0; k < part_count; k++) {
            double a = sum, b = parts[k];
            sum = a + b;
            double from_b = sum - a, lost = (a - (sum - from_b)) + (b - from_b);
            if (lost != 0) parts[kept++] = lost;
        }
        if (sum != 0) parts[kept++] = sum;
        part_count = kept;
    }
    return part_count ? parts[part_count - 1] : 0;
}

double cn_orientation(vec2s a, vec2s b, vec2s c) {
    cn_vec2d ab = cn_between(a, b), ac = cn_between(a, c);
    double left = ab.x * ac.y, right = ab.y * ac.x, twice = left - right;
    if (fabs(twice) > 4e-16 * (fabs(left) + fabs(right))) return twice;
    cn_vec2d p = cn_widen(a), q = cn_widen(b), r = cn_widen(c);
    return sum_exactly(
        (double[]){p.x * q.y, -p.y * q.x, q.x * r.y, -q.y * r.x, r.x * p.y, -r.y * p.x}, 6);
}

static double orientation(const cn_mesh *mesh, int a, int b, int c) {
    return cn_orientation(mesh->points[a], mesh->points[b], mesh->points[c]);
}

double cn_turn(const cn_mesh *mesh, int a, int b, int c) {
    double turn = orientation(mesh, a, b, c);
    if (a < mesh->exact_count && b < mesh->exact_count && c < mesh->exact_count) return turn;
    vec2s p = mesh->points[a], q = mesh->points[b], r = mesh->points[c];
    cn_vec2d extent = cn_between(cn_min2(p, cn_min2(q, r)), cn_max2(p, cn_max2(q, r)));
    double rounding = extent.x * mesh->rounding.y + extent.y * mesh->rounding.x;
    return fabs(turn) <= rounding ? 0 : turn;
}

bool cn_turns_left(const cn_mesh *mesh, int a, int b, int c) {
    double turn = cn_turn(mesh, a, b, c);
    if (turn != 0) return turn > 0;
    return cn_dot2d(cn_between(mesh->points[b], mesh->points[a]),
                    cn_between(mesh->points[b], mesh->points[c])) < 0;
}

// True if d is clearly within the circle through a, b, c (counter-clockwise). Lifted onto the
// paraboloid x^2 + y^2, it is below the plane of the others.
static bool is_in_circle(vec2s a, vec2s b, vec2s c, vec2s d) {
    cn_vec2d p = cn_between(d, a), q = cn_between(d, b), r = cn_between(d, c);
    double qr = q.x * r.y, rq = r.x * q.y, rp = r.x * p.y, pr = p.x * r.y, pq = p.x * q.y,
           qp = q.x * p.y;
    double pp = cn_dot2d(p, p), qq = cn_dot2d(q, q), rr = cn_dot2d(r, r);
    double height = pp * (qr - rq) + qq * (rp - pr) + rr * (pq - qp);
    double size =
        pp * (fabs(qr) + fabs(rq)) + qq * (fabs(rp) + fabs(pr)) + rr * (fabs(pq) + fabs(qp));
    return height > 1.2e-15 * size;
}

// ---- points

// Keys of floats in ascending order.
static uint32_t order_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
static float float_of(uint32_t order) {
    uint32_t bits = order & 0x80000000u ? order & 0x7fffffffu : ~order;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static uint64_t key_of(vec2s p) { return (uint64_t)order_of(p.x) << 32 | order_of(p.y); }

// Corners at one place share a point.
static void collect_points(cn_mesh *mesh) {
    uint64_t keys[CN_MAX_OUTLINE_POINTS], spare[CN_MAX_OUTLINE_POINTS];
    int count = 0, kept = 0;
    for (int i = 0; i < mesh->corner_count; i++)
        if (!mesh->corners[i].dropped) keys[count++] = key_of(mesh->corners[i].at);
    cn_sort_keys(keys, spare, count, 0);
    for (int i = 0; i < count; i++)
        if (kept == 0 || keys[i] != keys[kept - 1]) keys[kept++] = keys[i];
    mesh->exact_count = mesh->point_count = kept;
    for (int i = 0; i < kept; i++)
        mesh->points[i] = cn_vec(float_of((uint32_t)(keys[i] >> 32)), float_of((uint32_t)keys[i]));
    for (int i = 0; i < mesh->corner_count; i++)
        mesh->corners[i].point = (uint16_t)cn_find_key(keys, kept, key_of(mesh->corners[i].at));
}

// ---- all points

static int new_edge(cn_mesh *mesh) {
    assert(mesh->edge_count < CN_MESH_EDGES);
    mesh->source[mesh->edge_count] = -1;
    mesh->net[mesh->edge_count] = 0;
    return 2 * mesh->edge_count++;
}

// Flips an edge if a triangle beside it has the point of the other triangle in its circle. An edge
// of the outer face has no triangle on that side.
static bool flip_if_better(cn_mesh *mesh, int half) {
    int twin = half ^ 1, c = mesh->prev[half], d = mesh->prev[twin];
    vec2s pa = cn_origin(mesh, half), pb = cn_origin(mesh, twin);
    vec2s pc = cn_origin(mesh, c), pd = cn_origin(mesh, d);
    if (!is_in_circle(pa, pb, pc, pd)) return false;
    if (cn_orientation(pa, pb, pc) <= 0 || cn_orientation(pb, pa, pd) <= 0) return false;
    cn_unlink_edge(mesh, half);
    cn_split_face(mesh, half, d, c);
    return true;
}

static void flip_edges(cn_mesh *mesh) {
    for (bool again = true; again;) {
        again = false;
        for (int e = 0; e < mesh->edge_count; e++)
            if (mesh->source[e] < 0 && flip_if_better(mesh, 2 * e)) again = true;
    }
}

// Adds a point to the right of all others, and triangles with the edges of the outer face that it
// sees. `outer` is a half-edge of the outer face that leaves the last point. Returns the one that
// leaves the new point.
static int add_point(cn_mesh *mesh, int outer, int p) {
    int in = new_edge(mesh), out = in ^ 1;
    mesh->origin[in] = mesh->origin[outer];
    mesh->origin[out] = (uint16_t)p;
    cn_link(mesh, mesh->prev[outer], in);
    cn_link(mesh, in, out);
    cn_link(mesh, out, outer);
    for (int h;
         h = mesh->next[out], orientation(mesh, mesh->origin[h], cn_target(mesh, h), p) > 0;) {
        int edge = new_edge(mesh);
        cn_split_face(mesh, edge, mesh->next[h], out);
        out = edge ^ 1;
    }
    for (int h;
         h = mesh->prev[in], orientation(mesh, mesh->origin[h], cn_target(mesh, h), p) > 0;) {
        int edge = new_edge(mesh);
        cn_split_face(mesh, edge, mesh->next[in], h);
        in = edge ^ 1;
    }
    return mesh->next[in];
}

// Returns a half-edge of the outer face.
static int triangulate_points(cn_mesh *mesh) {
    mesh->edge_count = 0;
    int half = new_edge(mesh), outer = half ^ 1;
    mesh->origin[half] = 0;
    mesh->origin[outer] = 1;
    cn_link(mesh, half, outer);
    cn_link(mesh, outer, half);
    for (int p = 2; p < mesh->point_count; p++) outer = add_point(mesh, outer, p);
    return outer;
}

// ---- errors

static void print_edge(const cn_mesh *mesh, int corner, char *text, size_t size) {
    const cn_corner *c = &mesh->corners[corner];
    vec2s to = mesh->corners[c->next].at;
    snprintf(text, size, "edge %d of outline %d, (%.5g, %.5g) to (%.5g, %.5g)", c->edge, c->outline,
             (double)c->at.x, (double)c->at.y, (double)to.x, (double)to.y);
}

static bool fail_pair(const cn_mesh *mesh, int i, const char *verb, int k) {
    char a[110], b[110];
    print_edge(mesh, i, a, sizeof a);
    print_edge(mesh, k, b, sizeof b);
    return cn_fail(CN_ERROR_SHAPE, "%s, %s %s", a, verb, b);
}

// True if a neighbour of another corner at the same point lies on the left of the outline through
// corner i.
static bool is_left_of_corner(const cn_mesh *mesh, int i, int neighbour) {
    const cn_corner *c = &mesh->corners[i];
    int before = mesh->corners[c->prev].point, after = mesh->corners[c->next].point;
    int p = mesh->corners[neighbour].point;
    bool left_of_next = orientation(mesh, c->point, after, p) > 0;
    bool left_of_prev = orientation(mesh, before, c->point, p) > 0;
    bool convex = orientation(mesh, before, c->point, after) > 0;
    return convex ? left_of_next && left_of_prev : left_of_next || left_of_prev;
}

// Finds two outlines, or two parts of one, that cross at a corner of both.
static bool find_crossing(const cn_mesh *mesh, int *i, int *k) {
    for (*i = 0; *i < mesh->corner_count; ++*i)
        for (*k = 0; *k < *i; ++*k) {
            const cn_corner *a = &mesh->corners[*i], *b = &mesh->corners[*k];
            if (a->dropped || b->dropped || a->point != b->point) continue;
            if (is_left_of_corner(mesh, *i, b->prev) != is_left_of_corner(mesh, *i, b->next))
                return true;
        }
    return false;
}

static double squared_distance(vec2s p, vec2s a, vec2s b) {
    cn_vec2d e = cn_between(a, b), to = cn_between(a, p);
    double t = fmin(1, fmax(0, cn_dot2d(e, to) / cn_dot2d(e, e)));
    cn_vec2d off = cn_add_scaled(to, -t, e);
    return cn_dot2d(off, off);
}

// The edge nearest to the start of another edge, among those of outline 0 or of the other holes.
static int find_nearest(const cn_mesh *mesh, int corner, bool of_hole) {
    int nearest = corner;
    double least = DBL_MAX;
    for (int i = 0; i < mesh->corner_count; i++) {
        const cn_corner *c = &mesh->corners[i];
        if (c->dropped || (c->outline > 0) != of_hole ||
            c->outline == mesh->corners[corner].outline)
            continue;
        double distance =
            squared_distance(mesh->corners[corner].at, c->at, mesh->corners[c->next].at);
        if (distance < least) least = distance, nearest = i;
    }
    return nearest;
}

// True if the start of an edge is within outline 0. Counts the edges to the left of it.
static bool is_in_first(const cn_mesh *mesh, int corner) {
    vec2s p = mesh->corners[corner].at;
    bool inside = false;
    for (int i = 0; i < mesh->corner_count && mesh->corners[i].outline == 0; i++) {
        vec2s a = mesh->corners[i].at, b = mesh->corners[mesh->corners[i].next].at;
        if (mesh->corners[i].dropped || (a.y > p.y) == (b.y > p.y)) continue;
        if ((cn_orientation(a, b, p) > 0) == (a.y > b.y)) inside = !inside;
    }
    return inside;
}

// The error for an edge behind which the winding is neither 0 nor 1.
static bool fail_winding(const cn_mesh *mesh, int corner) {
    int i, k;
    if (find_crossing(mesh, &i, &k)) return fail_pair(mesh, i, "crosses", k);
    if (!is_in_first(mesh, corner))
        return fail_pair(mesh, corner, "lies outside of", find_nearest(mesh, corner, false));
    return fail_pair(mesh, corner, "lies in the hole of", find_nearest(mesh, corner, true));
}

// ---- the edges of the outlines

// True if the corner b of a -> b -> c can be cut off, because nothing else of the ring is in the
// triangle.
static bool is_ear(const cn_mesh *mesh, int ab) {
    int bc = mesh->next[ab], a = mesh->origin[ab], b = mesh->origin[bc], c = cn_target(mesh, bc);
    if (orientation(mesh, a, b, c) <= 0) return false;
    for (int h = mesh->next[bc]; h != ab; h = mesh->next[h]) {
        int p = mesh->origin[h];
        // If the ring passes b again, its edges must not leave b inside the angle.
        int seen[] = {p == b ? cn_target(mesh, h) : p, p == b ? mesh->origin[mesh->prev[h]] : p};
        for (int k = 0; k < 2; k++) {
            int q = seen[k];
            bool in_angle = q != a && q != b && q != c && orientation(mesh, a, b, q) >= 0 &&
                            orientation(mesh, b, c, q) >= 0;
            if (in_angle && (p == b || orientation(mesh, c, a, q) >= 0)) return false;
        }
    }
    return true;
}

// Triangulates a face with edges from the list.
static void clip_ears(cn_mesh *mesh, int ring, const uint16_t *edges, int *used) {
    while (mesh->next[mesh->next[mesh->next[ring]]] != ring) {
        while (!is_ear(mesh, ring)) ring = mesh->next[ring];
        int edge = 2 * edges[(*used)++], after = mesh->next[mesh->next[ring]];
        cn_split_face(mesh, edge, after, ring);
        ring = edge ^ 1;
    }
}

// The half-edge out of point u that lies on the segment to v. If there is none, the half-edge to
// the right of the segment, whose triangle contains the start of the segment.
static int find_edge_towards(const cn_mesh *mesh, int start, int v) {
    int u = mesh->origin[start];
    for (int h = start;;) {
        double side = orientation(mesh, u, v, cn_target(mesh, h));
        double other = orientation(mesh, u, v, mesh->origin[mesh->prev[h]]);
        cn_vec2d along = cn_between(mesh->points[u], mesh->points[v]);
        cn_vec2d to = cn_between(mesh->points[u], mesh->points[cn_target(mesh, h)]);
        if (side == 0 && cn_dot2d(along, to) > 0) return h;
        if (side < 0 && other > 0 &&
            orientation(mesh, u, cn_target(mesh, h), mesh->origin[mesh->prev[h]]) > 0)
            return h;
        h = mesh->prev[h] ^ 1;
        assert(h != start);
    }
}

// Makes an edge from the origin of `first` towards v, up to the next point on this segment. Removes
// all edges that cross it and fills the two holes. Returns its half-edge, or -1 if it crosses an
// outline.
static int clear_segment(cn_mesh *mesh, int first, int v, int corner) {
    int u = mesh->origin[first], crossed = mesh->next[first], count = 0, used = 0, end;
    for (;;) {
        if (mesh->source[crossed >> 1] >= 0) {
            fail_pair(mesh, mesh->source[crossed >> 1], "crosses", corner);
            return -1;
        }
        int twin = crossed ^ 1, z = mesh->origin[mesh->prev[twin]];
        int left = mesh->prev[twin], right = mesh->next[twin]; // z -> q, p -> z
        mesh->list[count++] = (uint16_t)(crossed >> 1);
        cn_unlink_edge(mesh, crossed);
        double side = orientation(mesh, u, v, z);
        end = left; // leaves z
        if (side == 0) break;
        crossed = side < 0 ? left : right;
    }
    int edge = 2 * mesh->list[used++];
    cn_split_face(mesh, edge, first, end);
    clip_ears(mesh, edge, mesh->list, &used);
    clip_ears(mesh, edge ^ 1, mesh->list, &used);
    assert(used == count);
    return edge;
}

// A half-edge that leaves a point. Edges move, so `known` is only a first guess.
static int find_leaving(const cn_mesh *mesh, int point, uint16_t *known) {
    if (mesh->origin[known[point]] != point)
        for (known[point] = 0; mesh->origin[known[point]] != point;) known[point]++;
    return known[point];
}

static bool insert_edge(cn_mesh *mesh, int corner, uint16_t *leaving) {
    int u = mesh->corners[corner].point, v = mesh->corners[mesh->corners[corner].next].point;
    while (u != v) {
        int half = find_edge_towards(mesh, find_leaving(mesh, u, leaving), v);
        if (orientation(mesh, u, v, cn_target(mesh, half)) != 0)
            half = clear_segment(mesh, half, v, corner);
        if (half < 0) return false;
        mesh->source[half >> 1] = (int16_t)corner;
        mesh->net[half >> 1] = (int8_t)(mesh->net[half >> 1] + (half & 1 ? -1 : 1));
        u = cn_target(mesh, half);
    }
    return true;
}

static bool insert_edges(cn_mesh *mesh) {
    uint16_t leaving[CN_MAX_OUTLINE_POINTS];
    for (int h = 0; h < 2 * mesh->edge_count; h++) leaving[mesh->origin[h]] = (uint16_t)h;
    for (int i = 0; i < mesh->corner_count; i++)
        if (!mesh->corners[i].dropped && !insert_edge(mesh, i, leaving)) return false;
    return true;
}

// ---- inside and outside

enum { UNKNOWN = 127 };

static void set_winding(cn_mesh *mesh, int half, int winding, int *count) {
    for (int h = half, first = 1; h != half || first; h = mesh->next[h], first = 0)
        mesh->winding[h] = (int8_t)winding;
    mesh->list[(*count)++] = (uint16_t)half;
}

static bool find_windings(cn_mesh *mesh, int outer) {
    int count = 0;
    memset(mesh->winding, UNKNOWN, sizeof mesh->winding);
    set_winding(mesh, outer, 0, &count);
    while (count > 0) {
        int face = mesh->list[--count];
        for (int h = face, first = 1; h != face || first; h = mesh->next[h], first = 0) {
            int twin = h ^ 1, net = h & 1 ? -mesh->net[h >> 1] : mesh->net[h >> 1];
            if (mesh->winding[twin] != UNKNOWN) continue;
            int winding = mesh->winding[h] - net;
            if (winding != 0 && winding != 1) return fail_winding(mesh, mesh->source[h >> 1]);
            set_winding(mesh, twin, winding, &count);
        }
    }
    return true;
}

bool cn_triangulate(cn_mesh *mesh) {
    collect_points(mesh);
    int outer = triangulate_points(mesh);
    flip_edges(mesh);
    if (!insert_edges(mesh)) return false;
    flip_edges(mesh);
    return find_windings(mesh, outer);
}
