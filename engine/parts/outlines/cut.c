/* Convex pieces by one cut for each reflex corner.
 *
 * If edges end only at corners, some outlines need nearly twice as many pieces as reflex corners:
 * two edges at each. A cut that may end anywhere halves any reflex corner, so r reflex corners
 * leave at most r + 1 pieces. Chazelle and Dobkin ("Optimal convex decompositions", 1985) call it
 * the naive decomposition:
 *
 *         +---------------+      A reflex corner v is cut to the nearest corner that it sees
 *          \              |      straight ahead, where the cut leaves two convex corners. Reflex
 *           v . . . . . . s      corners that also have v straight ahead come first, because one
 *          /              |      cut halves both. If v sees no corner there, the cut ends at a new
 *         +---------------+      point s on the edge that it meets.
 *
 * A new point is rounded, so it lies off its edge by at most half a unit in the last place. Of
 * several places on the edge, the one with the least error is used, and the piece on the other side
 * counts the point as straight. From here on this holds for all corners: a turn within rounding
 * counts as straight (exact_count in the mesh), and no cut passes so close to a corner. Pieces with
 * more than 8 corners are cut further. */
#include "decompose.h"

enum { PLACES = 12 }; // places tried for a new point, on each side

// ---- corners

static bool is_convex(const cn_mesh *mesh, int half) {
    return cn_turns_left(mesh, cn_before(mesh, half), mesh->origin[half], cn_target(mesh, half));
}

// True if a cut from a corner to a point would leave two convex corners.
static bool is_ahead(const cn_mesh *mesh, int half, int point) {
    int at = mesh->origin[half];
    return cn_turns_left(mesh, point, at, cn_target(mesh, half)) &&
           cn_turns_left(mesh, cn_before(mesh, half), at, point);
}

// True if a point is between the two edges of a corner.
static bool is_between(const cn_mesh *mesh, int half, int point) {
    int at = mesh->origin[half];
    bool left_of_next = cn_turn(mesh, at, cn_target(mesh, half), point) > 0;
    bool left_of_prev = cn_turn(mesh, cn_before(mesh, half), at, point) > 0;
    return is_convex(mesh, half) ? left_of_next && left_of_prev : left_of_next || left_of_prev;
}

// True if p is between a and b. All three points are on one line.
static bool is_on_segment(const cn_mesh *mesh, int a, int b, int p) {
    return cn_dot2d(cn_between(mesh->points[p], mesh->points[a]),
                    cn_between(mesh->points[p], mesh->points[b])) < 0;
}

// True if the segment between two points meets a half-edge, except at the segment's own ends.
static bool is_blocked(const cn_mesh *mesh, int a, int b, int half) {
    int p = mesh->origin[half], q = cn_target(mesh, half);
    double side_p = cn_turn(mesh, a, b, p), side_q = cn_turn(mesh, a, b, q);
    if (p != a && p != b && side_p == 0 && is_on_segment(mesh, a, b, p)) return true;
    if (p == a || p == b || q == a || q == b) return false;
    if (side_p == 0 || side_q == 0 || (side_p > 0) == (side_q > 0)) return false;
    double side_a = cn_turn(mesh, p, q, a), side_b = cn_turn(mesh, p, q, b);
    return !((side_a > 0 && side_b > 0) || (side_a < 0 && side_b < 0));
}

static cn_bounds box_of(vec2s a, vec2s b) { return (cn_bounds){cn_min2(a, b), cn_max2(a, b)}; }

// True if two corners of a face see each other.
static bool sees(const cn_mesh *mesh, int from, int to) {
    cn_bounds box = box_of(cn_origin(mesh, from), cn_origin(mesh, to));
    CN_EACH_AROUND(h, mesh, from) {
        if (!cn_boxes_overlap(box, box_of(cn_origin(mesh, h), cn_origin(mesh, h ^ 1)))) continue;
        if (is_blocked(mesh, mesh->origin[from], mesh->origin[to], h)) return false;
    }
    return true;
}

// The corner at which a cut from a reflex corner ends; -1: there is none.
static int find_corner(const cn_mesh *mesh, int half) {
    int best = -1, v = mesh->origin[half];
    bool best_is_reflex = false;
    double nearest = DBL_MAX;
    CN_EACH_AROUND(h, mesh, half) {
        int w = mesh->origin[h];
        if (w == v || !is_ahead(mesh, half, w) || !is_between(mesh, h, v)) continue;
        bool is_reflex = !is_convex(mesh, h) && is_ahead(mesh, h, v);
        cn_vec2d e = cn_between(mesh->points[v], mesh->points[w]);
        double distance = cn_dot2d(e, e);
        bool better = is_reflex == best_is_reflex ? distance < nearest : is_reflex;
        if (!better || !sees(mesh, half, h)) continue;
        best = h;
        best_is_reflex = is_reflex;
        nearest = distance;
    }
    return best;
}

// ---- new points

// The direction half way between the two extended edges of a reflex corner. It is the sum of the
// directions of the edges and of their normals, which decide if the edges are almost opposite.
static cn_vec2d find_ahead(const cn_mesh *mesh, int half) {
    vec2s at = cn_origin(mesh, half);
    cn_vec2d a = cn_unit2d(cn_between(mesh->points[cn_before(mesh, half)], at));
    cn_vec2d b = cn_unit2d(cn_between(mesh->points[cn_target(mesh, half)], at));
    return cn_unit2d((cn_vec2d){a.x + b.x + b.y - a.y, a.y + b.y + a.x - b.x});
}

// The half-edge of the face that lies straight ahead of a reflex corner; -1: there is none. Stores
// the point where it is hit.
static int find_hit(const cn_mesh *mesh, int half, vec2s *point) {
    vec2s at = cn_origin(mesh, half);
    cn_vec2d d = find_ahead(mesh, half);
    double nearest = DBL_MAX;
    int best = -1;
    for (int h = mesh->next[half]; h != mesh->prev[half]; h = mesh->next[h]) {
        cn_vec2d a = cn_between(at, cn_origin(mesh, h)), b = cn_between(at, cn_origin(mesh, h ^ 1));
        double right = cn_cross2d(d, a), left = cn_cross2d(d, b);
        if (right > 0 || left <= 0) continue;
        double t = right / (right - left);
        cn_vec2d hit = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        double distance = cn_dot2d(d, hit);
        if (distance <= 0 || distance >= nearest) continue;
        nearest = distance;
        best = h;
        *point = cn_narrow(cn_add_scaled(cn_widen(at), 1, hit));
    }
    return best;
}

static int next_free_half(cn_mesh *mesh) { return 2 * mesh->list[--mesh->list_count]; }

// Puts a point on an edge. Links only the inside: nothing reads the other faces any more.
static void split_edge(cn_mesh *mesh, int half, int point) {
    int twin = half ^ 1, rest = next_free_half(mesh);
    mesh->origin[rest] = (uint16_t)point;
    mesh->origin[rest ^ 1] = mesh->origin[twin];
    mesh->origin[twin] = (uint16_t)point;
    mesh->winding[rest] = mesh->winding[half];
    mesh->winding[rest ^ 1] = mesh->winding[twin];
    cn_link(mesh, rest, mesh->next[half]);
    cn_link(mesh, half, rest);
    if (!cn_is_inside(mesh, twin)) return;
    cn_link(mesh, mesh->prev[twin], rest ^ 1);
    cn_link(mesh, rest ^ 1, twin);
}

// True if a reflex corner may be cut to point s of an edge.
static bool can_cut_to(const cn_mesh *mesh, int half, int edge, int s) {
    int v = mesh->origin[half];
    if (!is_ahead(mesh, half, s) || !cn_turns_left(mesh, mesh->origin[edge], s, v) ||
        !cn_turns_left(mesh, v, s, cn_target(mesh, edge)))
        return false;
    CN_EACH_AROUND(h, mesh, half)
        if (h != edge && is_blocked(mesh, v, s, h)) return false;
    return true;
}

// Tries places on an edge around a point, up to a quarter of its length away. Keeps the place that
// rounding moves off the edge least.
static bool place_point(cn_mesh *mesh, int half, int edge, int s) {
    vec2s a = cn_origin(mesh, edge), b = cn_origin(mesh, edge ^ 1), best = mesh->points[s];
    cn_vec2d e = cn_between(a, b);
    double middle = cn_dot2d(e, cn_between(a, best)) / cn_dot2d(e, e), least = DBL_MAX;
    for (int i = -PLACES; i <= PLACES; i++) {
        double t = middle + i / (4.0 * PLACES);
        mesh->points[s] = cn_narrow(cn_add_scaled(cn_widen(a), t, e));
        double off = fabs(cn_orientation(a, mesh->points[s], b));
        if (t <= 0 || t >= 1 || off >= least || !can_cut_to(mesh, half, edge, s)) continue;
        least = off;
        best = mesh->points[s];
    }
    mesh->points[s] = best;
    return least < DBL_MAX;
}

static bool cut_to_edge(cn_mesh *mesh, int half) {
    int s = mesh->point_count;
    if (s == CN_MESH_POINTS || mesh->list_count < 2) return false;
    int edge = find_hit(mesh, half, &mesh->points[s]);
    if (edge < 0 || !place_point(mesh, half, edge, s)) return false;
    mesh->point_count++;
    split_edge(mesh, edge, s);
    cn_put_in(mesh, next_free_half(mesh), half, mesh->next[edge]);
    return true;
}

// ---- all cuts

// Edges that connect the face to a hole stay, because the face would fall apart without them.
static void take_out_edges(cn_mesh *mesh) {
    mesh->list_count = 0;
    for (int e = mesh->edge_count - 1; e >= 0; e--) {
        if (!cn_is_inner(mesh, 2 * e) || cn_shares_face(mesh, 2 * e, 2 * e + 1)) continue;
        cn_take_out(mesh, 2 * e);
        mesh->list[mesh->list_count++] = (uint16_t)e;
    }
}

static bool cut_corner(cn_mesh *mesh, int half) {
    int to = find_corner(mesh, half);
    if (to < 0) return cut_to_edge(mesh, half);
    if (mesh->list_count == 0) return false;
    cn_put_in(mesh, next_free_half(mesh), half, to);
    return true;
}

static int advance(const cn_mesh *mesh, int half, int steps) {
    while (steps-- > 0) half = mesh->next[half];
    return half;
}

// Cuts a part with 8 points off a convex piece, or with fewer points if that is impossible. The
// part may start at any corner.
static bool cut_piece(cn_mesh *mesh, int half) {
    CN_EACH_AROUND(from, mesh, half) {
        for (int steps = CN_MAX_VERTICES - 1; steps > 1; steps--) {
            int to = advance(mesh, from, steps);
            if (!is_ahead(mesh, from, mesh->origin[to]) || !is_ahead(mesh, to, mesh->origin[from]))
                continue;
            if (mesh->list_count == 0) return false;
            cn_put_in(mesh, next_free_half(mesh), from, to);
            return true;
        }
    }
    return false;
}

bool cn_cut_reflex_corners(cn_mesh *mesh) {
    take_out_edges(mesh);
    mesh->exact_count = 0;
    for (bool again = true; again;) { // because new points can make straight corners reflex
        again = false;
        for (int h = 0; h < 2 * mesh->edge_count; h++) {
            if (!cn_is_inside(mesh, h) || is_convex(mesh, h)) continue;
            if (!cut_corner(mesh, h)) return false;
            again = true;
        }
    }
    for (int h = 0; h < 2 * mesh->edge_count; h++)
        while (cn_is_inside(mesh, h) && cn_count_corners(mesh, h) > CN_MAX_VERTICES)
            if (!cut_piece(mesh, h)) return false;
    return true;
}
