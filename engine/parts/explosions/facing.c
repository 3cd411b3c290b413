/* The part of the outline of a hull that faces a point p outside of the hull.
 *
 * The outline is a curve of straight edges and arcs (curve.c). An edge faces p if p is in front of
 * it. A point of an arc of radius r, in the direction u from the centre c of the arc, faces p if
 *
 *     u . (p - c) > r
 *
 * So the visible directions lie within the angle b of the direction to p, with cos b = r / |p - c|.
 * At both ends of this range the line of sight touches the circle:
 *
 *         ___.t1                    t1, t2: tangent points
 *       /      \  '-.
 *      |    c   |b    '-. p         An arc is visible where its own range of directions meets the
 *       \ ___  /      .-'           range from t2 to t1. An arc of a hull spans at most half a
 *            't2  .-'               turn, except that of a circle, so the two ranges meet once.
 *
 * The visible pieces of a convex outline follow each other. If p is in the hull, no piece faces it:
 * in front of an edge, or in the directions of an arc and beyond it, is outside. Everything is in
 * double precision. */
#include "facing.h"

// ---- visible pieces

static bool faces(const cn_piece *edge, cn_vec2d p) {
    cn_vec2d along = cn_add_scaled(edge->to, -1, edge->from);
    return cn_cross2d(along, cn_add_scaled(p, -1, edge->from)) < 0;
}

static cn_vec2d turned(cn_vec2d v, double c, double s) {
    return (cn_vec2d){c * v.x - s * v.y, s * v.x + c * v.y};
}

// Returns the visible part of an arc. Its angle is 0 if no part is visible.
static cn_piece visible_part(const cn_piece *arc, cn_vec2d p) {
    const cn_piece none = {.radius = 0};
    double r = arc->radius;
    cn_vec2d c = arc->center, to_p = cn_add_scaled(p, -1, c);
    double distance = sqrt(cn_dot2d(to_p, to_p));
    if (distance <= r) return none;

    cn_vec2d from = cn_add_scaled(arc->from, -1, c), to = cn_add_scaled(arc->to, -1, c);
    bool from_faces = cn_dot2d(from, to_p) > r * r, to_faces = cn_dot2d(to, to_p) > r * r;
    bool is_circle = arc->angle > 4; // radians: no other arc is longer than half a turn
    bool spans_p = is_circle || (cn_cross2d(from, to_p) >= 0 && cn_cross2d(to_p, to) >= 0);
    if (!from_faces && !to_faces && !spans_p) return none;

    double cosine = r / distance, sine = sqrt((distance - r) * (distance + r)) / distance;
    cn_vec2d u = {r * (to_p.x / distance), r * (to_p.y / distance)};
    if (!from_faces) from = turned(u, cosine, -sine);
    if (!to_faces) to = turned(u, cosine, sine);
    double angle = cn_angle2d((cn_vec2d){cn_dot2d(from, to), cn_cross2d(from, to)});
    return (cn_piece){cn_add_scaled(c, 1, from), cn_add_scaled(c, 1, to), c, r, fmax(0, angle)};
}

// Returns the piece from which on the visible ones follow each other: the arc before the first
// visible edge. If no edge is visible, at most one arc is, and any piece will do.
static int find_first(const cn_curve *curve, cn_vec2d p) {
    for (int i = 0, before = curve->count - 2; i < curve->count; before = i, i += 2)
        if (faces(&curve->pieces[i], p) && !faces(&curve->pieces[before], p)) return before + 1;
    return 0;
}

// ---- sums

static double length_of(const cn_piece *piece) {
    cn_vec2d along = cn_add_scaled(piece->to, -1, piece->from);
    return piece->radius > 0 ? piece->radius * piece->angle : sqrt(cn_dot2d(along, along));
}

// Returns the integral of the position along a piece. For an arc, with u the unit vector at an
// angle from n to m:  r (integral of c + r u) = length c + r^2 (m.y - n.y, n.x - m.x)
static cn_vec2d moment_of(const cn_piece *piece, double length) {
    cn_vec2d from = piece->from, to = piece->to, c = piece->center;
    double r = piece->radius;
    if (r > 0)
        return (cn_vec2d){length * c.x + r * (to.y - from.y), length * c.y + r * (from.x - to.x)};
    return (cn_vec2d){length * ((from.x + to.x) / 2), length * ((from.y + to.y) / 2)};
}

static void append(cn_facing *facing, cn_vec2d *moment, const cn_piece *piece) {
    double length = length_of(piece);
    facing->pieces[facing->count++] = *piece;
    facing->length += length;
    *moment = cn_add_scaled(*moment, 1, moment_of(piece, length));
}

cn_facing cn_facing_of(const cn_hull *outline, cn_vec2d p) {
    cn_vec2d vertices[CN_MAX_VERTICES], moment = {0, 0};
    for (int i = 0; i < outline->count; i++) vertices[i] = cn_widen(outline->vertices[i]);
    cn_vec2d behind = cn_unit2d(cn_add_scaled(vertices[0], -1, p)); // a circle begins at its back
    cn_curve curve = cn_curve_of(vertices, outline->count, (double)outline->radius, behind);

    cn_facing facing = {.count = 0};
    int first = find_first(&curve, p);
    for (int i = first; i < first + curve.count; i++) {
        cn_piece piece = curve.pieces[i % curve.count];
        bool is_edge = i % 2 == 0;
        if (!is_edge) piece = visible_part(&piece, p);
        if (is_edge ? faces(&piece, p) : piece.angle > 0) append(&facing, &moment, &piece);
    }
    if (facing.length > 0)
        facing.middle = cn_add_scaled((cn_vec2d){0, 0}, 1 / facing.length, moment);
    if (outline->count == 1) facing.middle = vertices[0];
    return facing;
}

// ---- points

static cn_vec2d point_of(const cn_piece *piece, double along, double length) {
    if (piece->radius == 0)
        return cn_add_scaled(piece->from, along / length,
                             cn_add_scaled(piece->to, -1, piece->from));
    cn_vec2d turn = cn_direction2d(along / piece->radius);
    cn_vec2d start = cn_add_scaled(piece->from, -1, piece->center);
    return cn_add_scaled(piece->center, 1, turned(start, turn.x, turn.y));
}

cn_vec2d cn_facing_at(const cn_facing *facing, double along) {
    int i = 0;
    double length = length_of(&facing->pieces[0]);
    for (; along > length && i + 1 < facing->count; length = length_of(&facing->pieces[i]))
        along -= length, i++;
    return point_of(&facing->pieces[i], cn_min2d(along, length), length);
}
