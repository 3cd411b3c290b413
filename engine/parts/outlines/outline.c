/* Reads outlines: checks their numbers, and drops points that are no corners.
 *
 * The corners are stored in one direction, which does not depend on the user's: outline 0 runs
 * counter-clockwise and holes run clockwise, each from its leftmost point. A point is dropped
 *
 *   - if it repeats the point before or after it, to within the rounding that hulls allow for;
 *   - if it lies on the line between these two, to within the same rounding. The flattest corner
 *     goes first (Visvalingam and Whyatt, "Line generalisation by repeated elimination of points",
 *     1993), as long as the area changes by no more than AREA_SLACK in total.
 *
 * No corner is dropped if another corner is in the triangle that this would add or remove. So
 * dropping corners makes no outlines cross. */
#include "decompose.h"

#define ROUNDING   (1.0 / (1 << 21)) // of the greatest coordinate
#define AREA_SLACK 4e-6              // of the area: greatest change by dropped points

// ---- reading

static double twice_area(const cn_outline *outline) {
    double sum = 0;
    for (int i = 1; i + 1 < outline->count; i++)
        sum += cn_cross2d(cn_between(outline->points[0], outline->points[i]),
                          cn_between(outline->points[0], outline->points[i + 1]));
    return sum;
}

static bool is_left_of(vec2s a, vec2s b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }

// Appends the corners of an outline, starting with the leftmost, so that the result does not depend
// on the user's direction and first point.
static void append_corners(cn_mesh *mesh, const cn_outline *outline, int number, bool reversed) {
    int start = 0, n = outline->count, first = mesh->corner_count;
    for (int i = 1; i < n; i++)
        if (is_left_of(outline->points[i], outline->points[start])) start = i;
    for (int i = 0; i < n; i++) {
        int from = reversed ? (start + n - i) % n : (start + i) % n;
        mesh->corners[mesh->corner_count++] = (cn_corner){
            .at = {{outline->points[from].x + 0.0f, outline->points[from].y + 0.0f}}, // no -0
            .outline = (int16_t)number,
            .edge = (int16_t)(reversed ? (from + n - 1) % n : from),
            .next = (uint16_t)(first + (i + 1) % n),
            .prev = (uint16_t)(first + (i + n - 1) % n),
        };
    }
}

// ---- dropping

// The limits within which a point may be dropped.
typedef struct {
    cn_vec2d rounding; // of coordinates
    double budget;     // greatest change of twice the area
    double changed;    // change up to now
} tolerance;

static bool is_near(cn_vec2d difference, cn_vec2d rounding) {
    return fabs(difference.x) <= rounding.x && fabs(difference.y) <= rounding.y;
}

// True if the corner coincides with a neighbour, or lies on the line between both neighbours.
static bool may_drop(const cn_mesh *mesh, const cn_corner *corner, const tolerance *t,
                     double *change) {
    vec2s before = mesh->corners[corner->prev].at, after = mesh->corners[corner->next].at;
    cn_vec2d e = cn_between(before, after);
    *change = -cn_orientation(before, corner->at, after);
    if (is_near(cn_between(before, corner->at), t->rounding) ||
        is_near(cn_between(corner->at, after), t->rounding))
        return true;
    return fabs(*change) <= fabs(e.x) * t->rounding.y + fabs(e.y) * t->rounding.x &&
           fabs(t->changed + *change) <= t->budget;
}

static bool is_in_triangle(vec2s p, vec2s a, vec2s b, vec2s c) {
    double ab = cn_orientation(a, b, p), bc = cn_orientation(b, c, p), ca = cn_orientation(c, a, p);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

static bool are_equal(vec2s a, vec2s b) { return a.x == b.x && a.y == b.y; }

// True if the outline would pass over another corner if this corner were dropped.
static bool sweeps_corner(const cn_mesh *mesh, const cn_corner *corner) {
    vec2s a = mesh->corners[corner->prev].at, b = corner->at, c = mesh->corners[corner->next].at;
    if (are_equal(a, b) || are_equal(b, c)) return false;
    cn_bounds box = {cn_min2(a, cn_min2(b, c)), cn_max2(a, cn_max2(b, c))};
    for (int i = 0; i < mesh->corner_count; i++) {
        vec2s p = mesh->corners[i].at;
        bool other =
            !mesh->corners[i].dropped && !are_equal(p, a) && !are_equal(p, b) && !are_equal(p, c);
        if (other && cn_boxes_overlap(box, (cn_bounds){p, p}) && is_in_triangle(p, a, b, c))
            return true;
    }
    return false;
}

// The corner that changes the area least, among those that may be dropped; -1: there is none.
static int find_flattest(const cn_mesh *mesh, int first, int end, const tolerance *t) {
    int flattest = -1;
    double least = DBL_MAX, change;
    for (int i = first; i < end; i++) {
        const cn_corner *corner = &mesh->corners[i];
        if (corner->dropped || !may_drop(mesh, corner, t, &change) || fabs(change) >= least)
            continue;
        if (sweeps_corner(mesh, corner)) continue;
        least = fabs(change);
        flattest = i;
    }
    return flattest;
}

static bool drop_corners(cn_mesh *mesh, int first, int end, tolerance *t) {
    int left = end - first;
    for (int i; left > 2 && (i = find_flattest(mesh, first, end, t)) >= 0; left--) {
        cn_corner *corner = &mesh->corners[i];
        double change;
        may_drop(mesh, corner, t, &change);
        t->changed += change;
        corner->dropped = true;
        mesh->corners[corner->prev].next = corner->next;
        mesh->corners[corner->next].prev = corner->prev;
    }
    return left > 2 ||
           cn_fail(CN_ERROR_SHAPE, "outline %d has %d points that are not on a line; it needs 3",
                   mesh->corners[first].outline, left);
}

static bool check_outlines(const cn_outline *outlines, int count) {
    if (!outlines) return cn_fail(CN_ERROR_HANDLE, "the outlines are NULL");
    if (count < 1)
        return cn_fail(CN_ERROR_RANGE, "the number of outlines is %d; it must be 1 or more", count);
    int64_t total = 0;
    for (int i = 0; i < count; i++) {
        if (!cn_check_points(outlines[i].points, outlines[i].count))
            return cn_fail_in_number("outline", i);
        total += outlines[i].count;
        if (total > CN_MAX_OUTLINE_POINTS)
            return cn_fail(CN_ERROR_RANGE,
                           "outlines 0 to %d have %lld points; all outlines together may have %d",
                           i, (long long)total, CN_MAX_OUTLINE_POINTS);
    }
    return true;
}

static tolerance find_tolerance(const cn_mesh *mesh, double area) {
    tolerance t = {.budget = fmax(0, AREA_SLACK * area)};
    for (int i = 0; i < mesh->corner_count; i++) {
        t.rounding.x = fmax(t.rounding.x, ROUNDING * fabs((double)mesh->corners[i].at.x));
        t.rounding.y = fmax(t.rounding.y, ROUNDING * fabs((double)mesh->corners[i].at.y));
    }
    return t;
}

bool cn_read_outlines(cn_mesh *mesh, const cn_outline *outlines, int count) {
    if (!check_outlines(outlines, count)) return false;
    double area = 0; // twice the area of all outlines
    mesh->corner_count = 0;
    for (int i = 0; i < count; i++) {
        double own = twice_area(&outlines[i]);
        area += i == 0 ? fabs(own) : -fabs(own);
        append_corners(mesh, &outlines[i], i, (own < 0) == (i == 0));
    }
    tolerance t = find_tolerance(mesh, area);
    mesh->rounding = (cn_vec2d){t.rounding.x / 4, t.rounding.y / 4};
    for (int i = 0, first = 0; i < count; first += outlines[i++].count)
        if (!drop_corners(mesh, first, first + outlines[i].count, &t)) return false;
    return true;
}
