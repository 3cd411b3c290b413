/* Cuts a hull in two along a line.
 *
 * For a hull, the half plane on one side of the line is the same as a large box with one edge on
 * the line. So a part is the common region of the hull and such a box. Its corners, with arcs as
 * chords, are a convex polygon. A polygon of more than 8 corners is cut into tiles. Each tile takes
 * 4 corners from either end of the list and shares the last of these 4 with the next tile.
 *
 *      9-----8-----7
 *     /      :      \         corners 0 1 2 3 . . . 6 7 8 9 make the first tile,
 *    0       :       6        then 3 . . . 6 the next
 *     \      :      /
 *      1-2---3--4--5
 */
#include "curve.h"

// Relative to the greatest coordinate: chords that are nearer to their arc than this could lie on
// one line after rounding to floats.
#define FINEST (1.0 / (1 << 19))

typedef struct {
    cn_hull *hulls;
    int capacity, count;
} writer;

static void write_hull(writer *w, cn_hull hull) {
    if (w->count < w->capacity) w->hulls[w->count] = hull;
    w->count++;
}

// A tile of the rest of the polygon, from corner `low` to corner `high`: its first and last
// corners.
static void write_tile(writer *w, const vec2s *points, int low, int high) {
    vec2s corners[CN_MAX_VERTICES];
    int count = cn_min_int(high - low + 1, CN_MAX_VERTICES), half = count / 2;
    for (int i = 0; i < half; i++) corners[i] = points[low + i];
    for (int i = half; i < count; i++) corners[i] = points[high - (count - 1 - i)];
    cn_hull hull = cn_hull_of_corners(corners, count);
    if (hull.count) write_hull(w, hull);
}

static void write_polygon(writer *w, const vec2s *points, int count) {
    int low = 0, high = count - 1;
    for (; high - low + 1 > CN_MAX_VERTICES; low += 3, high -= 3) write_tile(w, points, low, high);
    write_tile(w, points, low, high);
}

// The outline of the half plane into which `normal` points. Coordinates are relative to a point of
// the line near the hull.
static cn_curve curve_of_half_plane(cn_vec2d normal, double reach) {
    cn_vec2d zero = {0, 0}, along = {normal.y * reach, -normal.x * reach};
    cn_vec2d end = cn_add_scaled(zero, -1, along), up = cn_add_scaled(zero, reach, normal);
    // Counter-clockwise: the half plane is on the left of its first edge.
    cn_vec2d corners[4] = {end, along, cn_add_scaled(along, 1, up), cn_add_scaled(end, 1, up)};
    return cn_curve_of(corners, 4, 0, normal);
}

typedef struct {
    cn_vec2d origin;  // a point of the line
    cn_vec2d normal;  // unit
    cn_curve curve;   // of the hull, relative to the origin
    double low, high; // of the hull, along the normal
    double reach;     // of the hull, from the origin
    double finest;    // tolerance
    bool has_area;
} cut;

static cut prepare_cut(const cn_hull *hull, vec2s point, vec2s normal) {
    cut c = {.normal = cn_unit2d(cn_widen(normal)), .low = DBL_MAX, .high = -DBL_MAX};
    double r = (double)hull->radius,
           above = cn_dot2d(c.normal, cn_between(point, hull->vertices[0]));
    c.origin = cn_add_scaled(cn_widen(hull->vertices[0]), -above, c.normal);
    cn_vec2d vertices[CN_MAX_VERTICES];
    for (int i = 0; i < hull->count; i++) {
        vertices[i] = cn_add_scaled(cn_widen(hull->vertices[i]), -1, c.origin);
        double height = cn_dot2d(c.normal, cn_between(point, hull->vertices[i]));
        c.low = cn_min2d(c.low, height - r);
        c.high = cn_max2d(c.high, height + r);
        vec2s v = hull->vertices[i];
        c.finest = fmax(c.finest, FINEST * (r + fmax(fabs((double)v.x), fabs((double)v.y))));
        c.reach = fmax(c.reach, r + fabs(vertices[i].x) + fabs(vertices[i].y));
    }
    c.curve = cn_curve_of(vertices, hull->count, r, (cn_vec2d){0, -1});
    c.has_area = hull->count != 2 || r > 0;
    return c;
}

static void write_part(writer *w, const cut *c, cn_vec2d normal, double tolerance) {
    cn_curve half = curve_of_half_plane(normal, 4 * c->reach);
    cn_region region;
    cn_find_region(&region, &c->curve, &half, (cn_vec2d){0, 0}, normal, CN_ROUNDING * c->reach);
    vec2s points[CN_MAX_POINTS];
    int count =
        cn_region_points(&region, c->origin, fmax(tolerance, c->finest), points, CN_MAX_POINTS);
    assert(count <= CN_MAX_POINTS);
    count = cn_trim_points(points, count);
    if (c->has_area ? count > 2 && !cn_points_are_flat(points, count) : count == 2)
        write_polygon(w, points, count);
}

static bool check_normal(vec2s normal) {
    if (!cn_require2("normal", normal, FLT_MAX)) return false;
    if (normal.x != 0 || normal.y != 0) return true;
    return cn_fail(CN_ERROR_RANGE, "the normal is (0, 0); it must not be zero");
}

int cn_hull_slice(cn_hull hull, vec2s point, vec2s normal, float tolerance, cn_hull *hulls,
                  int capacity, int *in_front) {
    if (!CN_CHECK(cn_hull_check_sized(&hull) && cn_require2("point", point, FLT_MAX) &&
                  check_normal(normal) &&
                  cn_require("tolerance", tolerance, FLT_TRUE_MIN, FLT_MAX) &&
                  cn_require_capacity(hulls, capacity)))
        return 0;
    writer w = {.hulls = hulls, .capacity = capacity};
    cut c = prepare_cut(&hull, point, normal);
    double rounding = CN_ROUNDING * c.reach;
    bool is_front = c.low >= -rounding, is_back = c.high <= rounding;
    if (is_front)
        write_hull(&w, hull);
    else if (!is_back)
        write_part(&w, &c, c.normal, (double)tolerance);
    if (in_front) *in_front = w.count;
    if (is_back && !is_front)
        write_hull(&w, hull);
    else if (!is_front)
        write_part(&w, &c, (cn_vec2d){-c.normal.x, -c.normal.y}, (double)tolerance);
    if (w.count == 0) write_hull(&w, hull); // both parts are too thin: the hull is not cut
    return w.count;
}
