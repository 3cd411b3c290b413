/* The definitions of joints as they are now, their positions, speeds and forces. */
#include "world.h"

bool cn_require_axis(cn_joint_axis axis) {
    return cn_require("axis", (float)axis, CN_JOINT_X, CN_JOINT_ANGLE);
}

bool cn_require_which(cn_which which) { return cn_require("side", (float)which, CN_A, CN_B); }

// ---- the definition

cn_joint_def cn_joint_definition(const cn_world *world, cn_joint joint) {
    int slot = cn_find_joint(world, joint, __func__);
    return slot < 0 ? (cn_joint_def){.failure = cn_keep_error()} : world->sim.joints[slot].def;
}

cn_body_pair cn_joint_bodies(const cn_world *world, cn_joint joint) {
    int slot = cn_find_joint(world, joint, __func__);
    if (slot < 0) return (cn_body_pair){0};
    const int32_t *bodies = world->sim.joint_records[slot].bodies;
    return (cn_body_pair){cn_body_handle(world, bodies[0]), cn_body_handle(world, bodies[1])};
}

// Returns a coordinate; all zeros after an error, which is recorded in the caller's name.
static cn_coordinate read_coordinate(const cn_world *world, cn_joint joint, cn_joint_axis axis,
                                     const char *caller) {
    int slot = cn_find_joint(world, joint, caller);
    if (slot < 0 || !(cn_require_axis(axis) || cn_fail_call(caller))) return (cn_coordinate){0};
    cn_joint_def def = world->sim.joints[slot].def;
    return *cn_coordinate_of(&def, (int)axis);
}

cn_coordinate cn_joint_coordinate(const cn_world *world, cn_joint joint, cn_joint_axis axis) {
    return read_coordinate(world, joint, axis, __func__);
}

float cn_joint_target(const cn_world *world, cn_joint joint, cn_joint_axis axis) {
    return read_coordinate(world, joint, axis, __func__).target;
}

float cn_joint_motor_speed(const cn_world *world, cn_joint joint, cn_joint_axis axis) {
    return read_coordinate(world, joint, axis, __func__).motor_speed;
}

bool cn_joint_polar(const cn_world *world, cn_joint joint) {
    int slot = cn_find_joint(world, joint, __func__);
    return slot >= 0 && world->sim.joints[slot].def.polar;
}

bool cn_joint_collide_connected(const cn_world *world, cn_joint joint) {
    int slot = cn_find_joint(world, joint, __func__);
    return slot >= 0 && world->sim.joints[slot].def.collide_connected;
}

bool cn_joint_disabled(const cn_world *world, cn_joint joint) {
    int slot = cn_find_joint(world, joint, __func__);
    return slot >= 0 && world->sim.joints[slot].def.disabled;
}

float cn_joint_break_force(const cn_world *world, cn_joint joint) {
    int slot = cn_find_joint(world, joint, __func__);
    return slot < 0 ? 0 : world->sim.joints[slot].def.break_force;
}

float cn_joint_break_torque(const cn_world *world, cn_joint joint) {
    int slot = cn_find_joint(world, joint, __func__);
    return slot < 0 ? 0 : world->sim.joints[slot].def.break_torque;
}

static cn_pose frame_of(const cn_simulation *sim, int joint, cn_which which) {
    const cn_joint_def *def = &sim->joints[joint].def;
    return which == CN_A ? def->frame_a : def->frame_b;
}

cn_pose cn_joint_frame(const cn_world *world, cn_joint joint, cn_which which) {
    int slot = cn_find_joint(world, joint, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_which(which))) return cn_no_pose;
    return frame_of(&world->sim, slot, which);
}

vec2s cn_joint_anchor(const cn_world *world, cn_joint joint, cn_which which) {
    int slot = cn_find_joint(world, joint, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_which(which))) return cn_vec(0, 0);
    const cn_simulation *sim = &world->sim;
    cn_pose pose = cn_settled_pose(sim, sim->joint_records[slot].bodies[which == CN_B]);
    return cn_to_world(pose, frame_of(sim, slot, which).position);
}

// ---- state

float cn_joint_value(const cn_world *world, cn_joint joint, cn_joint_axis axis) {
    int slot = cn_find_joint(world, joint, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_axis(axis))) return 0;
    return cn_joint_row_now(&world->sim, slot, (int)axis).value;
}

// Returns the velocity of the point of a body where its lever arms start: the centre of mass in its
// rows, which is the previous one if its shapes were edited.
static vec2s velocity_at_arm(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body], settled = cn_settled_body(sim, body);
    return cn_velocity_at(&settled, cn_vec(hot->x, hot->y));
}

float cn_joint_rate(const cn_world *world, cn_joint joint, cn_joint_axis axis) {
    int slot = cn_find_joint(world, joint, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_axis(axis))) return 0;
    const cn_simulation *sim = &world->sim;
    cn_coordinate_row r = cn_joint_row_now(sim, slot, (int)axis);
    const int32_t *bodies = sim->joint_records[slot].bodies;
    vec2s v = glms_vec2_sub(velocity_at_arm(sim, bodies[1]), velocity_at_arm(sim, bodies[0]));
    return glms_vec2_dot(r.n, v) + sim->hot[bodies[1]].w * r.sb - sim->hot[bodies[0]].w * r.sa;
}

// ---- loads

static const cn_joint_load *find_load(const cn_world *world, cn_joint joint, const char *caller) {
    static const cn_joint_load none = {0};
    int slot = cn_find_joint(world, joint, caller);
    return slot < 0 ? &none : &world->sim.joint_load[slot];
}

vec2s cn_joint_force(const cn_world *world, cn_joint joint) {
    return find_load(world, joint, __func__)->force;
}

float cn_joint_torque(const cn_world *world, cn_joint joint) {
    return find_load(world, joint, __func__)->torque;
}

float cn_joint_peak_force(const cn_world *world, cn_joint joint) {
    return find_load(world, joint, __func__)->peak_force;
}

float cn_joint_peak_torque(const cn_world *world, cn_joint joint) {
    return find_load(world, joint, __func__)->peak_torque;
}
