/* Common joints as definitions: frames from points of the world, and which coordinates are free.
 *
 * Both frames are laid at the given points with their x axes along one direction of the world, so each
 * coordinate starts at 0 (a distance at what it is). */
#include "world.h"

static const cn_coordinate free_coordinate = {.mode = CN_FREE};

// Frames at two points, both turned to an axis. All zeros if a body is not valid or a number not finite.
static cn_joint_def definition_at(const cn_world *world, cn_body a, cn_body b,
                                  const vec2s points[2], vec2s axis, const char *caller) {
    const cn_body bodies[] = {a, b};
    cn_pose frames[2];
    float length = glms_vec2_norm(axis);
    for (int k = 0; k < 2; k++) {
        int slot = cn_find_body(world, bodies[k], caller);
        if (slot < 0 || !cn_check(cn_require2("point", points[k], CN_FARTHEST) &&
                                      cn_require("length of the axis", length, FLT_MIN, FLT_MAX),
                                  caller))
            return (cn_joint_def){0};
        cn_pose pose = cn_origin_pose(&world->sim, slot);
        vec2s direction = cn_unrotate(pose.rotation, glms_vec2_scale(axis, 1 / length));
        frames[k] = (cn_pose){cn_to_local(pose, points[k]), {direction.x, direction.y}};
    }
    return (cn_joint_def){.a = a, .b = b, .frame_a = frames[0], .frame_b = frames[1]};
}

static cn_joint_def definition_at_point(const cn_world *world, cn_body a, cn_body b, vec2s point,
                                        vec2s axis, const char *caller) {
    return definition_at(world, a, b, (vec2s[]){point, point}, axis, caller);
}

cn_joint_def cn_weld_joint(const cn_world *world, cn_body a, cn_body b, vec2s point) {
    return definition_at_point(world, a, b, point, cn_vec(1, 0), __func__);
}

cn_joint_def cn_revolute_joint(const cn_world *world, cn_body a, cn_body b, vec2s point) {
    cn_joint_def def = definition_at_point(world, a, b, point, cn_vec(1, 0), __func__);
    def.angle = free_coordinate;
    return def;
}

cn_joint_def cn_prismatic_joint(const cn_world *world, cn_body a, cn_body b, vec2s point,
                                vec2s axis) {
    cn_joint_def def = definition_at_point(world, a, b, point, axis, __func__);
    def.x = free_coordinate;
    return def;
}

cn_joint_def cn_wheel_joint(const cn_world *world, cn_body a, cn_body b, vec2s point, vec2s axis) {
    cn_joint_def def = definition_at_point(world, a, b, point, axis, __func__);
    def.x = (cn_coordinate){.mode = CN_FREE, .hertz = 4, .damping_ratio = 0.7f};
    def.angle = free_coordinate;
    return def;
}

cn_joint_def cn_motor_joint(const cn_world *world, cn_body a, cn_body b, float greatest_force,
                            float greatest_torque) {
    cn_joint_def def =
        definition_at_point(world, a, b, cn_body_center(world, b), cn_vec(1, 0), __func__);
    def.x = def.y = (cn_coordinate){.mode = CN_FREE, .motor = true, .motor_force = greatest_force};
    def.angle = (cn_coordinate){.mode = CN_FREE, .motor = true, .motor_force = greatest_torque};
    return def;
}

cn_joint_def cn_mouse_joint(const cn_world *world, cn_body a, cn_body b, vec2s point) {
    cn_joint_def def = definition_at_point(world, a, b, point, cn_vec(1, 0), __func__);
    def.x = def.y = (cn_coordinate){.mode = CN_FREE, .hertz = 5, .damping_ratio = 0.7f};
    def.angle = free_coordinate;
    def.collide_connected = true;
    return def;
}

cn_joint_def cn_filter_joint(const cn_world *world, cn_body a, cn_body b) {
    cn_joint_def def = {.a = a, .b = b};
    def.x = def.y = def.angle = free_coordinate;
    (void)world;
    return def;
}

// ---- along the line between two points

static cn_joint_def line_between(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                                 vec2s point_b, cn_coordinate line, const char *caller) {
    cn_joint_def def =
        definition_at(world, a, b, (vec2s[]){point_a, point_b}, cn_vec(1, 0), caller);
    float length = glms_vec2_distance(point_a, point_b);
    def.polar = true;
    def.x = line;
    def.x.target = def.x.upper = length;
    def.y = def.angle = free_coordinate;
    return def;
}

cn_joint_def cn_distance_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                               vec2s point_b) {
    return line_between(world, a, b, point_a, point_b, (cn_coordinate){0}, __func__);
}

cn_joint_def cn_rope_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                           vec2s point_b) {
    return line_between(world, a, b, point_a, point_b, (cn_coordinate){.mode = CN_LIMITED},
                        __func__);
}

cn_joint_def cn_spring_joint(const cn_world *world, cn_body a, cn_body b, vec2s point_a,
                             vec2s point_b) {
    return line_between(world, a, b, point_a, point_b, (cn_coordinate){.mode = CN_FREE, .hertz = 2},
                        __func__);
}
