/* Axis-aligned boxes. Two of them are apart as soon as they are apart along x or along y; if they
 * overlap, the depth along an axis is the shorter of the two ways out along it:
 *
 *          a.lower ------------------- a.upper
 *                           b.lower ------------------- b.upper
 *                              |<- depth ->| */
#include "collision.h"

static bool check_bounds(cn_bounds b) {
    if (!cn_require2("lower corner", b.lower, FLT_MAX)) return false;
    if (!cn_require2("upper corner", b.upper, FLT_MAX)) return false;
    if (b.lower.x <= b.upper.x && b.lower.y <= b.upper.y) return true;
    return cn_fail(CN_ERROR_RANGE, "the bounds (%g, %g) .. (%g, %g) are turned over", b.lower.x,
                   b.lower.y, b.upper.x, b.upper.y);
}

bool cn_bounds_overlap(cn_bounds a, cn_bounds b) {
    return CN_CHECK(check_bounds(a) && check_bounds(b)) && cn_boxes_meet(a, b);
}

vec2s cn_bounds_depth(cn_bounds a, cn_bounds b) {
    if (!CN_CHECK(check_bounds(a) && check_bounds(b))) return cn_vec(0, 0);
    return cn_min2(glms_vec2_sub(a.upper, b.lower), glms_vec2_sub(b.upper, a.lower));
}

vec2s cn_bounds_resolve(cn_bounds a, cn_bounds b) {
    if (!CN_CHECK(check_bounds(a) && check_bounds(b)) || !cn_boxes_meet(a, b)) return cn_vec(0, 0);
    vec2s up = glms_vec2_sub(a.upper, b.lower), down = glms_vec2_sub(a.lower, b.upper);
    vec2s move = cn_vec(up.x <= -down.x ? up.x : down.x, up.y <= -down.y ? up.y : down.y);
    return cn_abs(move.x) <= cn_abs(move.y) ? cn_vec(move.x, 0) : cn_vec(0, move.y);
}

cn_bounds cn_bounds_union(cn_bounds a, cn_bounds b) {
    if (!CN_CHECK(check_bounds(a) && check_bounds(b))) return (cn_bounds){0};
    return (cn_bounds){cn_min2(a.lower, b.lower), cn_max2(a.upper, b.upper)};
}

bool cn_bounds_contains(cn_bounds bounds, vec2s point) {
    return CN_CHECK(check_bounds(bounds) && cn_require2("point", point, FLT_MAX)) &&
           cn_boxes_meet(bounds, (cn_bounds){point, point});
}
