/* Definitions of common joints: frames from points in the world, and the modes of the coordinates.
 *
 * Both frames are at the given points and their x axes have the same direction in the world. So
 * each coordinate starts at 0, except a distance, which starts at its present length. */
#include "world.h"

// Returns the definition with its frames at two points, with their x axes along `axis`. If a body
// is not valid or a number is not finite, it returns all zeros, marked with the error (see
// base/error.c).
static cn_joint_def place_frames(const cn_world *world, cn_joint_def def, const vec2s points[2],
                                 vec2s axis, const char *caller) {
    const cn_body bodies[] = {def.a, def.b};
    cn_pose *const frames[] = {&def.frame_a, &def.frame_b};
    float length = glms_vec2_norm(axis);
    for (int k = 0; k < 2; k++) {
        int slot = cn_find_body(world, bodies[k], caller);
        bool good = slot >= 0 && ((cn_require2("point", points[k], CN_MAX_COORDINATE) &&
                                   cn_require("length of the axis", length, FLT_MIN, FLT_MAX)) ||
                                  cn_fail_call(caller));
        if (!good) return (cn_joint_def){.failure = cn_keep_error()};
        cn_pose pose = cn_settled_pose(&world->sim, slot);
        vec2s direction = cn_unrotate(pose.rotation, glms_vec2_scale(axis, 1 / length));
        *frames[k] = (cn_pose){cn_to_local(pose, points[k]), {direction.x, direction.y}};
    }
    return def;
}

// ---- at one point

static cn_joint_def place_frames_at(const cn_world *world, cn_joint_def def, vec2s point,
                                    vec2s axis, const char *caller) {
    return place_frames(world, def, (vec2s[]){point, point}, axis, caller);
}

static const vec2s x_axis = {{1, 0}};

cn_joint_def cn_weld_joint(const cn_world *world, cn_body a, cn_body b, vec2s point) {
    return place_frames_at(world, (cn_joint_def){.a = a, .b = b}, point, x_axis, __func__);
}

cn_joint_def cn_revolute_joint(const cn_world *world, cn_body a, cn_body b, vec2s point) {
    const cn_joint_def def = {.a = a, .b = b, .angle.mode = CN_FREE};
    return place_frames_at(world, def, point, x_axis, __func__);
}

cn_joint_def cn_prismatic_joint(const cn_world *world, cn_body a, cn_body b, vec2s point,
                                vec2s axis) {
    const cn_joint_def def = {.a = a, .b = b, .x.mode = CN_FREE};
    return place_frames_at(world, def, point, axis, __func__);
}

cn_joint_def cn_wheel_joint(const cn_world *world, cn_body a, cn_body b, vec2s point, vec2s axis) {
    const cn_coordinate spring = {.mode = CN_FREE, .hertz = 4, .damping_ratio = 0.7f};
    const cn_joint_def def = {.a = a, .b = b, .x = spring, .angle.mode = CN_FREE};
    return place_frames_at(world, def, point, axis, __func__);
}

cn_joint_def cn_motor_joint(const cn_world *world, cn_body a, cn_body b, float max_force,
                            float max_torque) {
    const cn_coordinate push = {.mode = CN_FREE, .motor = true, .max_motor_force = max_force};
    cn_joint_def def = {.a = a, .b = b, .x = push, .y = push, .angle = push};
    def.angle.max_motor_force = max_torque, def.collide_connected = true;
    int slot = cn_find_body(world, b, __func__);
    if (slot < 0) return (cn_joint_def){.failure = cn_keep_error()};
    return place_frames_at(world, def, cn_body_center(world, b), x_axis, __func__);
}

cn_joint_def cn_mouse_joint(const cn_world *world, cn_body a, cn_body b, vec2s point) {
    const cn_coordinate pull = {.mode = CN_FREE, .hertz = 5, .damping_ratio = 0.7f};
    cn_joint_def def = {.a = a, .b = b, .x = pull, .y = pull, .angle.mode = CN_FREE};
    def.collide_connected = true;
    return place_frames_at(world, def, point, x_axis, __func__);
}

cn_joint_def cn_filter_joint(const cn_world *world, cn_body a, cn_body b) {
    if (cn_find_body(world, a, __func__) < 0 || cn_find_body(world, b, __func__) < 0)
        return (cn_joint_def){.failure = cn_keep_error()};
    return (cn_joint_def){
        .a = a, .b = b, .x.mode = CN_FREE, .y.mode = CN_FREE, .angle.mode = CN_FREE};
}

// ---- along the line between two points

static cn_joint_def place_frames_along(const cn_world *world, cn_body a, cn_body b,
                                       const vec2s points[2], cn_coordinate line,
                                       const char *caller) {
    float length = glms_vec2_distance(points[0], points[1]);
    *(line.mode == CN_LIMITED ? &line.upper : &line.target) = length;
    const cn_joint_def def = {
        .a = a, .b = b, .polar = true, .x = line, .y.mode = CN_FREE, .angle.mode = CN_FREE};
    vec2s axis = glms_vec2_sub(points[1], points[0]);
    return place_frames(world, def, points, length > 0 ? axis : x_axis, caller);
}

cn_joint_def cn_distance_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                               vec2s point_b) {
    const vec2s points[] = {point_a, point_b};
    const cn_coordinate line = {.mode = CN_LOCKED};
    return place_frames_along(world, a, b, points, line, __func__);
}

cn_joint_def cn_rope_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                           vec2s point_b) {
    const vec2s points[] = {point_a, point_b};
    const cn_coordinate line = {.mode = CN_LIMITED};
    return place_frames_along(world, a, b, points, line, __func__);
}

cn_joint_def cn_spring_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                             vec2s point_b) {
    const vec2s points[] = {point_a, point_b};
    const cn_coordinate line = {.mode = CN_FREE, .hertz = 2};
    return place_frames_along(world, a, b, points, line, __func__);
}
