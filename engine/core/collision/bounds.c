/* Axis-aligned boxes. Two boxes are apart if they are apart along x or along y. If they overlap,
 * the depth along an axis is the smaller of the two displacements along it that separate them:
 *
 *          a.lower ------------------- a.upper
 *                           b.lower ------------------- b.upper
 *                              |<- depth ->|
 */
#define CN_LANES 4
#include "../base/wide.h"
#include "collision.h"

// ---- the box of a shape

// Loads four floats. (The rows of the pool are aligned only like floats.)
static cn_floatw four_of(const float *row) {
    cn_floatw four;
    memcpy(&four, row, sizeof four);
    return four;
}

cn_bounds cn_polygon_bounds(const cn_placed_hull *placed, const cn_hull8 *hull) {
    vec2s center = placed->pose.position;
    float c = placed->pose.rotation.c, s = placed->pose.rotation.s, r = placed->radius;
    cn_floatw least = cn_splatw(FLT_MAX); // least x, y, -x and -y of all corners
    for (int i = 0; i < (cn_placed_class(placed) == CN_CLASS_HULL4 ? 4 : 8); i += CN_LANES) {
        cn_floatw vx = four_of(hull->x + i), vy = four_of(hull->y + i);
        cn_floatw x = c * vx - s * vy, y = s * vx + c * vy;
        cn_row4w corners = cn_transpose4w((cn_row4w){x, y, -x, -y});
        least =
            cn_minw(least, cn_minw(cn_minw(corners.x, corners.y), cn_minw(corners.z, corners.w)));
    }
    return (cn_bounds){cn_vec(center.x + least[0] - r, center.y + least[1] - r),
                       cn_vec(center.x - least[2] + r, center.y - least[3] + r)};
}

// ---- hulls that surely overlap

// Fraction of the coordinates: a bound of the rounding errors of a point in the frame of a hull.
#define CENTER_ROUNDING (16 * FLT_EPSILON)

// Returns how far a point is inside the core of a polygon, in its canonical frame.
static float depth_in_polygon(const cn_hull8 *polygon, int count, vec2s p) {
    float depth = FLT_MAX;
    for (int i = 0; i < count; i++) {
        vec2s from = cn_vec(polygon->x[i] - p.x, polygon->y[i] - p.y);
        depth = cn_min(depth, polygon->nx[i] * from.x + polygon->ny[i] * from.y);
    }
    return depth;
}

// The same for a rounded box. Outside its core, only the depth within its radius counts.
static float depth_in_box(const cn_placed_hull *box, vec2s p) {
    float x = cn_abs(p.x) - box->hx, y = cn_abs(p.y) - box->hy;
    if (x < 0 && y < 0) return cn_min(-x, -y);
    return box->radius - glms_vec2_norm(cn_vec(cn_max(x, 0), cn_max(y, 0)));
}

// The centre of a hull is always a point of the hull.
bool cn_holds_center(const cn_placed_hull *a, const cn_placed_hull *b, const cn_hull8 *pool,
                     float size) {
    vec2s from = a->pose.position, to = b->pose.position;
    vec2s p = cn_unrotate(a->pose.rotation, glms_vec2_sub(to, from));
    float largest = size + cn_abs(from.x) + cn_abs(from.y) + cn_abs(to.x) + cn_abs(to.y);
    float depth = cn_placed_class(a) == CN_CLASS_BOX
                      ? depth_in_box(a, p)
                      : depth_in_polygon(&pool[a->hull], cn_placed_count(a), p);
    return depth > CENTER_ROUNDING * largest;
}

// ---- public functions

bool cn_bounds_check(cn_bounds b) {
    if (!cn_require2("lower corner", b.lower, FLT_MAX)) return false;
    if (!cn_require2("upper corner", b.upper, FLT_MAX)) return false;
    if (b.lower.x <= b.upper.x && b.lower.y <= b.upper.y) return true;
    return cn_fail(CN_ERROR_RANGE,
                   "the bounds (%g, %g) .. (%g, %g) have lower above upper: swap them", b.lower.x,
                   b.lower.y, b.upper.x, b.upper.y);
}

bool cn_bounds_overlap(cn_bounds a, cn_bounds b) {
    return CN_CHECK(cn_bounds_check(a) && cn_bounds_check(b)) && cn_boxes_overlap(a, b);
}

vec2s cn_bounds_depth(cn_bounds a, cn_bounds b) {
    if (!CN_CHECK(cn_bounds_check(a) && cn_bounds_check(b))) return cn_vec(0, 0);
    return cn_min2(glms_vec2_sub(a.upper, b.lower), glms_vec2_sub(b.upper, a.lower));
}

vec2s cn_bounds_resolve(cn_bounds a, cn_bounds b) {
    if (!CN_CHECK(cn_bounds_check(a) && cn_bounds_check(b))) return cn_vec(0, 0);
    if (!cn_boxes_overlap(a, b)) return cn_vec(0, 0);
    vec2s up = glms_vec2_sub(a.upper, b.lower), down = glms_vec2_sub(a.lower, b.upper);
    vec2s move = cn_vec(up.x <= -down.x ? up.x : down.x, up.y <= -down.y ? up.y : down.y);
    return cn_abs(move.x) <= cn_abs(move.y) ? cn_vec(move.x, 0) : cn_vec(0, move.y);
}

cn_bounds cn_bounds_union(cn_bounds a, cn_bounds b) {
    if (!CN_CHECK(cn_bounds_check(a) && cn_bounds_check(b))) return (cn_bounds){0};
    return cn_box_union(a, b);
}

bool cn_bounds_contains(cn_bounds bounds, vec2s point) {
    return CN_CHECK(cn_bounds_check(bounds) && cn_require2("point", point, FLT_MAX)) &&
           cn_boxes_overlap(bounds, (cn_bounds){point, point});
}
