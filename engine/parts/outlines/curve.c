/* The outline of a rounded hull as one closed curve.
 *
 * The hull is its core grown by the radius r. So its outline consists of the edges of the core,
 * each moved by r along its normal, and of an arc about each vertex, from the normal of the edge
 * before it to the normal of the edge after it. A polygon has arcs of radius 0. A circle has an
 * edge of no length and an arc of a full turn. A capsule has two arcs of half a turn. None is a
 * special case.
 *
 *              ____4____
 *           5.'         '.3         piece 2 i: edge i; piece 2 i + 1: the arc at its end
 *           |             |
 *           6             2
 *           7.           .1
 *             '____0____'
 *
 * Everything is in double precision. */
#include "curve.h"

#define TURN 6.283185307179586

// The angle of the arc from normal n to normal m. The outline turns left; at a vertex that is flat
// or, by rounding, a little concave, the arc is empty.
static double angle_of_arc(cn_vec2d n, cn_vec2d m) {
    return fmax(0, cn_angle2d((cn_vec2d){cn_dot2d(n, m), cn_cross2d(n, m)}));
}

static cn_vec2d normal_of_edge(const cn_vec2d *vertices, int count, int i, cn_vec2d start) {
    cn_vec2d e = cn_add_scaled(vertices[(i + 1) % count], -1, vertices[i % count]);
    return count > 1 ? cn_unit2d((cn_vec2d){e.y, -e.x}) : start;
}

cn_curve cn_curve_of(const cn_vec2d *vertices, int count, double radius, cn_vec2d start) {
    cn_curve curve = {.count = 2 * count};
    cn_vec2d n = normal_of_edge(vertices, count, 0, start);
    cn_vec2d from = cn_add_scaled(vertices[0], radius, n), first = from;
    for (int i = 0; i < count; i++) {
        cn_vec2d tip = vertices[(i + 1) % count], m = normal_of_edge(vertices, count, i + 1, start);
        cn_vec2d end = cn_add_scaled(tip, radius, n);
        cn_vec2d next = i + 1 < count ? cn_add_scaled(tip, radius, m) : first;
        curve.pieces[2 * i] = (cn_piece){.from = from, .to = end, .center = tip};
        curve.pieces[2 * i + 1] =
            (cn_piece){end, next, tip, radius, count > 1 ? angle_of_arc(n, m) : TURN};
        n = m, from = next;
    }
    return curve;
}

cn_curve cn_curve_at_rest(const cn_swept_hull *hull) {
    cn_vec2d vertices[CN_MAX_VERTICES], center = hull->sweep.start_center;
    double c = (double)hull->sweep.start.c, s = (double)hull->sweep.start.s;
    for (int i = 0; i < hull->count; i++) vertices[i] = cn_add_scaled(center, 1, hull->vertices[i]);
    return cn_curve_of(vertices, hull->count, hull->radius, cn_unit2d((cn_vec2d){s, -c}));
}

cn_curve cn_curve_in(cn_frame frame, const cn_curve *curve) {
    cn_curve seen = {.count = curve->count};
    for (int i = 0; i < curve->count; i++) {
        const cn_piece *p = &curve->pieces[i];
        seen.pieces[i] = (cn_piece){cn_into_frame(frame, p->from), cn_into_frame(frame, p->to),
                                    cn_into_frame(frame, p->center), p->radius, p->angle};
    }
    return seen;
}

// ---- where pieces meet

// Finds where a line meets the circle of radius r about a centre. The line is at the distance
// `away` along its unit normal n, and reaches `depth` into the circle. Returns the number of
// points; a touch has one point.
static int meet_line(cn_vec2d center, double r, cn_vec2d n, double away, double depth,
                     double rounding, cn_vec2d points[2]) {
    if (!(depth >= -rounding)) return 0;
    bool touches = depth <= rounding;
    if (touches) away = away < 0 ? -r : r;
    double half = sqrt(fmax(0, (r - away) * (r + away)));
    cn_vec2d foot = cn_add_scaled(center, away, n), along = {-n.y, n.x};
    points[0] = cn_add_scaled(foot, -half, along);
    points[1] = cn_add_scaled(foot, half, along);
    return touches ? 1 : 2;
}

static int meet_lines(const cn_piece *a, const cn_piece *b, cn_vec2d points[2]) {
    cn_vec2d e = cn_add_scaled(a->to, -1, a->from), f = cn_add_scaled(b->to, -1, b->from);
    double cross = cn_cross2d(e, f);
    if (cross == 0) return 0;
    double t = cn_cross2d(cn_add_scaled(b->from, -1, a->from), f) / cross;
    points[0] = cn_add_scaled(a->from, t, e);
    return 1;
}

// Two circles meet on a line at `away` from the centre of a, with D the distance of the centres:
//     away = (D^2 + ra^2 - rb^2) / (2 D)
static int meet_circles(const cn_piece *a, const cn_piece *b, double rounding, cn_vec2d points[2]) {
    cn_vec2d d = cn_add_scaled(b->center, -1, a->center);
    double distance = sqrt(cn_dot2d(d, d)), more = a->radius - b->radius;
    double away = (distance + more * ((a->radius + b->radius) / distance)) / 2;
    double depth = fmin(a->radius + b->radius - distance, distance - fabs(more));
    if (distance == 0) return 0;
    return meet_line(a->center, a->radius, cn_unit2d(d), away, depth, rounding, points);
}

int cn_pieces_meet(const cn_piece *a, const cn_piece *b, double rounding, cn_vec2d points[2]) {
    if (a->radius > 0 && b->radius > 0) return meet_circles(a, b, rounding, points);
    if (a->radius == 0 && b->radius == 0) return meet_lines(a, b, points);
    const cn_piece *arc = a->radius > 0 ? a : b, *line = a->radius > 0 ? b : a;
    cn_vec2d e = cn_add_scaled(line->to, -1, line->from), n = cn_unit2d((cn_vec2d){e.y, -e.x});
    if (n.x == 0 && n.y == 0) return 0;
    double away = cn_dot2d(n, cn_add_scaled(line->from, -1, arc->center));
    return meet_line(arc->center, arc->radius, n, away, arc->radius - fabs(away), rounding, points);
}
