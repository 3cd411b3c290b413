/* The public face of maths.h: rotations and poses, with their numbers checked.
 *
 * A number that is not finite makes every sum and product it enters not finite either, so it is
 * enough to look at the results. */
#include "maths.h"

static vec2s check_result(vec2s result, cn_pose pose, vec2s point) {
    if (cn_finite2(result)) return result;
    cn_fail(CN_ERROR_NUMBER, "the point (%g, %g) or the pose {(%g, %g), (%g, %g)} is not finite",
            point.x, point.y, pose.position.x, pose.position.y, pose.rotation.c, pose.rotation.s);
    return cn_vec(0, 0);
}

cn_rotation cn_rotation_of(float angle) {
    if (cn_finite(angle)) return cn_rotation_full(angle);
    cn_fail(CN_ERROR_NUMBER, "the angle %g is not finite", angle);
    return (cn_rotation){0, 0};
}

float cn_rotation_angle(cn_rotation rotation) {
    if (cn_finite(rotation.c) && cn_finite(rotation.s)) return cn_atan2(rotation.s, rotation.c);
    cn_fail(CN_ERROR_NUMBER, "the rotation (%g, %g) is not finite", rotation.c, rotation.s);
    return 0;
}

cn_pose cn_pose_at(vec2s position, float angle) {
    if (cn_finite2(position) && cn_finite(angle))
        return (cn_pose){position, cn_rotation_full(angle)};
    cn_fail(CN_ERROR_NUMBER, "the position (%g, %g) or the angle %g is not finite", position.x,
            position.y, angle);
    return (cn_pose){0};
}

vec2s cn_pose_point(cn_pose pose, vec2s local) {
    return check_result(cn_to_world(pose, local), pose, local);
}

vec2s cn_pose_local_point(cn_pose pose, vec2s point) {
    return check_result(cn_to_local(pose, point), pose, point);
}
