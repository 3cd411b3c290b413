/* Where the outlines of two hulls cross or touch.
 *
 * Two curves may coincide along a stretch. Then only its two ends are crossings. Candidates are the
 * ends of the pieces of each curve, and the points where the lines and circles of the pieces meet,
 * if they lie on both curves. The candidates are sorted along a curve. Between two neighbours the
 * curve lies either completely on the other curve or nowhere on it, so its middle decides.
 *
 *      a -----.===========.------        A point is a crossing unless, along both curves, both
 *      b     /             \             of its sides lie on the other curve.
 *
 * Along both curves: a curve turns back at the end of a segment. If this end lies on another
 * segment, both sides of it lie on the other segment, but the other segment continues beyond it.
 *
 * A place along a curve is the number of the piece plus the fraction of it. */
#include "curve.h"

#define WELD 1e-9 // of the size of both curves: nearer points are one point
#define TURN 6.283185307179586

enum { MAX_POINTS = 256 };

typedef struct {
    cn_vec2d p;
    double first, last; // places along the curve: a corner is on several pieces
} crossing;

typedef struct {
    const cn_curve *curve, *other;
    double rounding, weld;
    crossing all[MAX_POINTS];
    int count;
} crossings;

// ---- points of a curve

static double distance_between(cn_vec2d p, cn_vec2d q) { return cn_length2d(cn_minus2d(p, q)); }

// The fraction of a piece whose point is nearest to p.
static double fraction_at(const cn_piece *piece, cn_vec2d p) {
    if (piece->radius > 0) {
        if (piece->angle <= 0) return 0;
        cn_vec2d n = cn_add_scaled(piece->from, -1, piece->center);
        cn_vec2d m = cn_add_scaled(p, -1, piece->center);
        double angle = cn_angle2d((cn_vec2d){cn_dot2d(n, m), cn_cross2d(n, m)});
        if (angle < 0) angle += TURN;
        if (angle <= piece->angle) return angle / piece->angle;
        return angle - piece->angle < TURN - angle ? 1 : 0;
    }
    cn_vec2d e = cn_add_scaled(piece->to, -1, piece->from);
    double length = cn_dot2d(e, e), along = cn_dot2d(e, cn_add_scaled(p, -1, piece->from));
    return along <= 0 ? 0 : along >= length ? 1 : along / length;
}

static cn_vec2d point_of(const cn_piece *piece, double fraction) {
    if (fraction == 0) return piece->from;
    if (fraction == 1) return piece->to;
    if (piece->radius == 0)
        return cn_add_scaled(piece->from, fraction, cn_add_scaled(piece->to, -1, piece->from));
    cn_vec2d n = cn_add_scaled(piece->from, -1, piece->center);
    cn_vec2d u = cn_direction2d(fraction * piece->angle);
    cn_vec2d m = cn_unit2d((cn_vec2d){n.x * u.x - n.y * u.y, n.x * u.y + n.y * u.x});
    return cn_add_scaled(piece->center, piece->radius, m);
}

// The distance from a point to the point of a piece at a fraction.
static double distance_to(const cn_piece *piece, double fraction, cn_vec2d p) {
    if (piece->radius > 0 && fraction > 0 && fraction < 1)
        return fabs(distance_between(p, piece->center) - piece->radius);
    return distance_between(p, point_of(piece, fraction));
}

static bool is_on_piece(const crossings *c, const cn_piece *piece, double fraction, cn_vec2d p) {
    return distance_to(piece, fraction, p) <= CN_SLACK * c->rounding;
}

static bool is_on_other(const crossings *c, cn_vec2d p) {
    for (int i = 0; i < c->other->count; i++) {
        const cn_piece *piece = &c->other->pieces[i];
        if (is_on_piece(c, piece, fraction_at(piece, p), p)) return true;
    }
    return false;
}

static cn_vec2d point_at(const cn_curve *curve, double place) {
    int i = (int)place;
    return point_of(&curve->pieces[i % curve->count], place - i);
}

// ---- the points on both curves

// Inserts a point in the order of places, unless the same piece has it already.
static void add_place(crossings *c, cn_vec2d p, double place, int piece) {
    int i = c->count;
    while (i > 0 && c->all[i - 1].first > place) i--;
    for (int k = 0; k < c->count; k++)
        if (c->all[k].last == piece && distance_between(c->all[k].p, p) <= c->weld) return;
    assert(c->count < MAX_POINTS);
    memmove(&c->all[i + 1], &c->all[i], (size_t)(c->count++ - i) * sizeof *c->all);
    c->all[i] = (crossing){p, place, piece};
}

static void add_point(crossings *c, cn_vec2d p) {
    if (!is_on_other(c, p)) return;
    for (int i = 0; i < c->curve->count; i++) {
        const cn_piece *piece = &c->curve->pieces[i];
        double fraction = fraction_at(piece, p);
        if (is_on_piece(c, piece, fraction, p)) add_place(c, p, i + fraction, i);
    }
}

static void add_meetings(crossings *c, const cn_piece *piece) {
    for (int k = 0; k < c->other->count; k++) {
        cn_vec2d points[2];
        int count = cn_pieces_meet(piece, &c->other->pieces[k], c->rounding, points);
        for (int i = 0; i < count; i++) add_point(c, points[i]);
    }
}

static void find_points(crossings *c) {
    c->count = 0;
    for (int i = 0; i < c->curve->count; i++) add_point(c, c->curve->pieces[i].from);
    for (int i = 0; i < c->other->count; i++) add_point(c, c->other->pieces[i].from);
    for (int i = 0; i < c->curve->count; i++) add_meetings(c, &c->curve->pieces[i]);
}

// True if two places are one point, and the curve between them stays at this point.
static bool is_one_place(const crossings *c, const crossing *a, const crossing *b, double gap) {
    cn_vec2d middle = point_at(c->curve, a->last + gap / 2);
    return distance_between(a->p, b->p) <= c->weld && distance_between(a->p, middle) <= c->weld;
}

// Joins successive places of one point. (Before this, `last` is the piece of a place.)
static void join_places(crossings *c) {
    crossing *first = c->all, *last = first;
    if (c->count == 0) return;
    first->last = first->first;
    for (crossing *next = first + 1; next < first + c->count; next++) {
        bool joins = is_one_place(c, last, next, next->first - last->last);
        if (!joins) (++last)->p = next->p, last->first = next->first;
        last->last = next->first;
    }
    double gap = first->first + c->curve->count - last->last;
    if (last > first && is_one_place(c, last, first, gap))
        first->first = (last--)->first - c->curve->count;
    c->count = (int)(last - first) + 1;
}

// ---- crossings

// True if the curve from crossing i to the next one lies on the other curve.
static bool coincides_after(const crossings *c, int i) {
    bool wraps = i + 1 == c->count;
    double end = c->all[wraps ? 0 : i + 1].first + (wraps ? c->curve->count : 0);
    double middle = (c->all[i].last + end) / 2;
    return is_on_other(c, point_at(c->curve, middle + c->curve->count));
}

static bool is_end(const crossings *c, int i) {
    return !coincides_after(c, i) || !coincides_after(c, (i + c->count - 1) % c->count);
}

static bool is_end_at(const crossings *c, cn_vec2d p) {
    for (int i = 0; i < c->count; i++)
        if (distance_between(c->all[i].p, p) <= c->weld && is_end(c, i)) return true;
    return false;
}

static crossings cross(const cn_curve *curve, const cn_curve *other, double rounding, double size) {
    crossings c = {.curve = curve, .other = other, .rounding = rounding, .weld = WELD * size};
    find_points(&c);
    join_places(&c);
    return c;
}

static int write_crossings(const cn_curve *a, const cn_curve *b, double rounding, cn_vec2d offset,
                           vec2s *points, int capacity) {
    double size = rounding / CN_ROUNDING;
    crossings of_a = cross(a, b, rounding, size), of_b = cross(b, a, rounding, size);
    cn_vec2d written[MAX_POINTS];
    int count = 0;
    for (int i = 0; i < of_a.count; i++) {
        cn_vec2d p = of_a.all[i].p;
        bool is_new = is_end_at(&of_a, p) || is_end_at(&of_b, p);
        for (int k = 0; k < count; k++)
            is_new &= distance_between(written[k], p) > of_a.weld; // a segment passes a point twice
        if (!is_new) continue;
        if (count < capacity) points[count] = cn_narrow(cn_add_scaled(offset, 1, p));
        written[count++] = p;
    }
    return count;
}

// ---- public functions

int cn_hull_crossings(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b,
                      vec2s *points, int capacity) {
    if (!CN_CHECK(cn_check_sized_pair(a, pose_a, b, pose_b) &&
                  cn_require_capacity(points, capacity)))
        return 0;
    cn_resting_pair pair = cn_make_resting_pair(a, pose_a, b, pose_b);
    if (!cn_pair_overlaps(&pair)) return 0;
    cn_curve of_a = cn_curve_at_rest(&pair.a), of_b = cn_curve_at_rest(&pair.b);
    return write_crossings(&of_a, &of_b, pair.rounding, cn_widen(pose_a.position), points,
                           capacity);
}

// The outline of a box. If the box has no width or no height, edges have no length.
static cn_curve curve_of_box(cn_bounds box, vec2s origin) {
    cn_vec2d low = cn_between(origin, box.lower), high = cn_between(origin, box.upper);
    cn_vec2d corners[4] = {low, {high.x, low.y}, high, {low.x, high.y}};
    return cn_curve_of(corners, 4, 0, low);
}

int cn_bounds_crossings(cn_bounds a, cn_bounds b, vec2s *points, int capacity) {
    if (!CN_CHECK(cn_bounds_check(a) && cn_bounds_check(b) &&
                  cn_require_capacity(points, capacity)))
        return 0;
    if (!cn_boxes_overlap(a, b)) return 0;
    cn_curve of_a = curve_of_box(a, a.lower), of_b = curve_of_box(b, a.lower);
    cn_bounds both = cn_box_union(a, b);
    double size = cn_length2d(cn_between(both.lower, both.upper));
    return write_crossings(&of_a, &of_b, CN_ROUNDING * size, cn_widen(a.lower), points, capacity);
}
