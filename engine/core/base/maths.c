/* Checks of numbers, and the public functions on rotations and poses.
 *
 * If a number is not finite, every sum and product that it enters is not finite either. So it is
 * enough to check the results. */
#include "maths.h"

#include <stdio.h>

bool cn_require(const char *what, float value, float low, float high) {
    if (value >= low && value <= high) return true;
    cn_error_kind kind = cn_finite(value) ? CN_ERROR_RANGE : CN_ERROR_NUMBER;
    const char *open = low > 0   ? "positive and finite"
                       : low < 0 ? "finite"
                                 : "finite and at least 0";
    if (high == FLT_MAX && low > FLT_MIN)
        return cn_fail(kind, "the %s is %g; it must be finite and at least %g", what, value, low);
    if (high == FLT_MAX) return cn_fail(kind, "the %s is %g; it must be %s", what, value, open);
    if (low == FLT_TRUE_MIN)
        return cn_fail(kind, "the %s is %g; it must be positive and at most %g", what, value, high);
    return cn_fail(kind, "the %s is %g; it must be in %g .. %g", what, value, low, high);
}

static bool require_coordinate(char name, const char *what, float value, float limit) {
    char coordinate[64];
    snprintf(coordinate, sizeof coordinate, "%c of the %s", name, what);
    return cn_require(coordinate, value, -limit, limit);
}

bool cn_require2(const char *what, vec2s value, float limit) {
    if (cn_abs(value.x) <= limit && cn_abs(value.y) <= limit) return true; // the usual case, fast
    return require_coordinate('x', what, value.x, limit) &&
           require_coordinate('y', what, value.y, limit);
}

bool cn_require_pose(cn_pose pose) {
    cn_rotation q = cn_given_pose(pose).rotation;
    float square = q.c * q.c + q.s * q.s;
    if (!cn_require2("position of the pose", pose.position, 1e18f)) return false;
    return (square >= 0.999f && square <= 1.001f) ||
           cn_fail(cn_finite(square) ? CN_ERROR_RANGE : CN_ERROR_NUMBER,
                   "the rotation (%g, %g) of the pose is not of length 1: make poses with "
                   "cn_pose_at()",
                   (double)q.c, (double)q.s);
}

bool cn_require_capacity(const void *array, int capacity) {
    if (capacity < 0)
        return cn_fail(CN_ERROR_RANGE, "the capacity is %d: it must be 0 or more", capacity);
    return array || capacity == 0 ||
           cn_fail(CN_ERROR_HANDLE, "the array for %d results is NULL", capacity);
}

cn_rotation cn_rotation_of(float angle) {
    return CN_CHECK(cn_require_finite("angle", angle)) ? cn_rotation_full(angle)
                                                       : cn_no_pose.rotation;
}

float cn_rotation_angle(cn_rotation rotation) {
    bool valid = CN_CHECK(cn_require2("rotation", cn_vec(rotation.c, rotation.s), FLT_MAX));
    return valid ? cn_atan2(rotation.s, rotation.c) : 0;
}

cn_pose cn_pose_at(vec2s position, float angle) {
    bool valid =
        CN_CHECK(cn_require2("position", position, FLT_MAX) && cn_require_finite("angle", angle));
    return valid ? (cn_pose){position, cn_rotation_full(angle)} : cn_no_pose;
}

static vec2s check_result(vec2s result, const char *caller) {
    bool good = cn_require2("point in its new frame", result, FLT_MAX) || cn_fail_call(caller);
    return good ? result : cn_vec(0, 0);
}

vec2s cn_pose_point(cn_pose pose, vec2s local) {
    return check_result(cn_to_world(cn_given_pose(pose), local), __func__);
}

vec2s cn_pose_local_point(cn_pose pose, vec2s point) {
    return check_result(cn_to_local(cn_given_pose(pose), point), __func__);
}

static vec2s check_direction(vec2s result, const char *caller) {
    bool good = cn_require2("direction in its new frame", result, FLT_MAX) || cn_fail_call(caller);
    return good ? result : cn_vec(0, 0);
}

vec2s cn_pose_direction(cn_pose pose, vec2s local) {
    return check_direction(cn_rotate(cn_given_pose(pose).rotation, local), __func__);
}

vec2s cn_pose_local_direction(cn_pose pose, vec2s direction) {
    return check_direction(cn_unrotate(cn_given_pose(pose).rotation, direction), __func__);
}

// Normalizes the rotation again, so that rounding errors do not add up in a long chain of poses.
static cn_pose check_pose(cn_pose result, const char *caller) {
    bool good = cn_require_pose(result) || cn_fail_call(caller);
    return good ? (cn_pose){result.position, cn_renormalize(result.rotation)} : cn_no_pose;
}

cn_pose cn_pose_multiply(cn_pose a, cn_pose b) {
    if (!CN_CHECK(cn_require_pose(a) && cn_require_pose(b))) return cn_no_pose;
    a = cn_given_pose(a), b = cn_given_pose(b);
    a.rotation = cn_renormalize(a.rotation), b.rotation = cn_renormalize(b.rotation);
    return check_pose(cn_compose(a, b), __func__);
}

cn_pose cn_pose_inverse(cn_pose pose) {
    if (!CN_CHECK(cn_require_pose(pose))) return cn_no_pose;
    cn_rotation q = cn_renormalize(cn_given_pose(pose).rotation), back = {q.c, 0 - q.s};
    vec2s position = cn_rotate(back, cn_vec(0 - pose.position.x, 0 - pose.position.y));
    return check_pose((cn_pose){position, back}, __func__);
}
