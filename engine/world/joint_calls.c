/* Joints come, go and change; what they are and what they exert.
 *
 * A change wakes both bodies and plans their islands again; the impulses of a coordinate that becomes
 * something else are forgotten. Whether two bodies that are joined may touch is asked when a pair is about
 * to: so a joint that ends only has to tell the shapes of one side. */
#include "world.h"

#define LARGEST_RATIO 1e6f // of a coupling

static const char *const names[] = {"x", "y", "angle"};

// ---- definition

static bool check_coordinate(const cn_coordinate *c, int axis, bool polar) {
    const char *name = names[axis];
    if (!cn_require("mode", (float)c->mode, CN_LOCKED, CN_LIMITED) ||
        !cn_require2("limits", cn_vec(c->lower, c->upper), CN_FARTHEST) ||
        !cn_require("target", c->target, -CN_FARTHEST, CN_FARTHEST) ||
        !cn_require("hertz", c->hertz, 0, 1e6f) ||
        !cn_require("damping ratio", c->damping_ratio, 0, 1e6f) ||
        !cn_require("spring force", c->spring_force, 0, FLT_MAX) ||
        !cn_require("motor force", c->motor_force, 0, FLT_MAX) ||
        !cn_require("motor speed", c->speed, -CN_FARTHEST, CN_FARTHEST) ||
        !cn_require("ratchet", c->ratchet, 0, CN_FARTHEST))
        return false;
    if (c->mode == CN_LIMITED && !(c->lower <= c->upper))
        return cn_fail(CN_ERROR_RANGE, "coordinate %s: lower limit %g is above upper limit %g",
                       name, (double)c->lower, (double)c->upper);
    if (c->mode == CN_LOCKED && (c->hertz > 0 || c->motor) && !(polar && axis == CN_JOINT_Y))
        return cn_fail(CN_ERROR_STATE, "coordinate %s is locked (mode 0) but has a %s", name,
                       c->motor ? "motor" : "spring");
    if (c->mode != CN_LIMITED && c->ratchet > 0)
        return cn_fail(CN_ERROR_STATE, "coordinate %s has a ratchet but no limits (mode %d)", name,
                       (int)c->mode);
    bool line = polar && axis == CN_JOINT_X;
    float least = c->mode == CN_LOCKED ? c->target : c->upper;
    return !line || c->mode == CN_FREE || least > 0 ||
           cn_fail(CN_ERROR_RANGE, "a polar joint cannot have length %g", (double)least);
}

// A rotation of all zeros is none.
static cn_pose frame_of(cn_pose frame) {
    if (frame.rotation.c == 0 && frame.rotation.s == 0) frame.rotation.c = 1;
    return frame;
}

static bool check_frames(cn_pose a, cn_pose b) {
    return cn_require_pose(frame_of(a)) && cn_require2("frame", a.position, CN_FARTHEST) &&
           cn_require_pose(frame_of(b)) && cn_require2("frame", b.position, CN_FARTHEST);
}

static bool check_break(float force, float torque) {
    return cn_require("break force", force, 0, FLT_MAX) &&
           cn_require("break torque", torque, 0, FLT_MAX);
}

static bool check_definition(const cn_joint_def *def) {
    return check_coordinate(&def->x, CN_JOINT_X, def->polar) &&
           check_coordinate(&def->y, CN_JOINT_Y, def->polar) &&
           check_coordinate(&def->angle, CN_JOINT_ANGLE, def->polar) &&
           check_frames(def->frame_a, def->frame_b) &&
           check_break(def->break_force, def->break_torque);
}

// ---- create, destroy

// What the joint means to the solver changed.
static void renew(cn_simulation *sim, int joint) {
    cn_joint_data *data = &sim->joints[joint];
    bool watched = data->break_force > 0 || data->break_torque > 0;
    for (int i = 0; i < 3; i++) watched |= data->coordinates[i].ratchet > 0;
    cn_set_flag(&data->flags, CN_JOINT_WATCHED, watched);
    cn_constraint_kind kind = cn_joint_kind(data);
    if (kind != data->kind) cn_joint_forget(sim, joint);
    data->kind = kind;
    sim->tuned[joint].h = 0;
    cn_replan_joint(sim, joint);
}

// May the bodies still collide?
static void renew_contacts(cn_simulation *sim, int joint) {
    cn_tell_body(sim, sim->joint_records[joint].bodies[1], CN_SHAPE_CHANGED);
}

static void fill_row(cn_simulation *sim, int joint, int a, int b, const cn_joint_def *def) {
    sim->joints[joint] = (cn_joint_data){
        .frames = {frame_of(def->frame_a), frame_of(def->frame_b)},
        .flags = CN_JOINT_ALIVE | (def->disabled ? 0 : CN_JOINT_ENABLED) |
                 (def->polar ? CN_JOINT_POLAR : 0) |
                 (def->collide_connected ? CN_JOINT_COLLIDES : 0),
        .coordinates = {def->x, def->y, def->angle},
        .break_force = def->break_force,
        .break_torque = def->break_torque,
        .coupling.other = -1,
    };
    sim->joint_cold[joint].user_data = def->user_data;
    sim->joint_records[joint] = (cn_joint_record){.bodies = {a, b}};
    sim->joint_records[joint].state.angle = cn_joint_angle(sim, joint);
    cn_place_arms(sim, joint);
}

cn_joint cn_joint_create(cn_world *world, const cn_joint_def *def) {
    const cn_joint none = {0};
    if (!CN_CHECK_EDIT(cn_require_pointer("definition", def))) return none;
    int a = cn_find_body(world, def->a, __func__);
    int b = a < 0 ? -1 : cn_find_body(world, def->b, __func__);
    if (b < 0 || !CN_CHECK(a != b || cn_fail(CN_ERROR_STATE, "body %d with itself", a)) ||
        !CN_CHECK(check_definition(def)))
        return none;
    int slot = cn_next_slot(world, CN_JOINTS);
    if (!CN_CHECK(slot >= 0)) return none;
    fill_row(&world->sim, slot, a, b, def);
    cn_joint_link(&world->sim, slot);
    cn_take_slot(world, CN_JOINTS, slot);
    renew(&world->sim, slot);
    renew_contacts(&world->sim, slot);
    return cn_joint_handle(world, slot);
}

// No other joint stays coupled to this one.
static void uncouple(cn_simulation *sim, int joint) {
    for (int i = 0; sim->coupling_count > 0 && i < sim->joint_end; i++) {
        if (!cn_is_joint(sim, i) || sim->joints[i].coupling.other < 0) continue;
        if (i != joint && sim->joints[i].coupling.other != joint) continue;
        sim->joints[i].coupling = (cn_joint_link_row){.other = -1};
        sim->coupling_count--;
        cn_replan_joint(sim, i);
    }
}

void cn_remove_joint(cn_world *world, int joint) {
    cn_simulation *sim = &world->sim;
    uncouple(sim, joint);
    cn_replan_joint(sim, joint);
    renew_contacts(sim, joint);
    cn_joint_unlink(sim, joint);
    cn_retire_slot(world, CN_JOINTS, joint);
}

bool cn_joint_destroy(cn_world *world, cn_joint joint) {
    int slot = cn_find_joint(world, joint, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_idle(world))) return false;
    cn_remove_joint(world, slot);
    return true;
}

// ---- settings

static cn_joint_def definition_of(const cn_world *world, int joint) {
    const cn_joint_data *data = &world->sim.joints[joint];
    const int32_t *bodies = world->sim.joint_records[joint].bodies;
    return (cn_joint_def){
        .a = cn_body_handle(world, bodies[0]),
        .b = cn_body_handle(world, bodies[1]),
        .frame_a = data->frames[0],
        .frame_b = data->frames[1],
        .x = data->coordinates[CN_JOINT_X],
        .y = data->coordinates[CN_JOINT_Y],
        .angle = data->coordinates[CN_JOINT_ANGLE],
        .polar = data->flags & CN_JOINT_POLAR,
        .collide_connected = data->flags & CN_JOINT_COLLIDES,
        .disabled = !(data->flags & CN_JOINT_ENABLED),
        .break_force = data->break_force,
        .break_torque = data->break_torque,
        .user_data = world->sim.joint_cold[joint].user_data,
    };
}

CN_GETTER(cn_joint_def, cn_joint_get, joint, definition_of(world, slot))

static bool check_axis(cn_joint_axis axis) {
    return cn_require("axis", (float)axis, CN_JOINT_X, CN_JOINT_ANGLE);
}

static bool set_coordinate(cn_simulation *sim, int joint, cn_joint_axis axis,
                           const cn_coordinate *coordinate) {
    cn_joint_data *data = &sim->joints[joint];
    if (!check_coordinate(coordinate, (int)axis, data->flags & CN_JOINT_POLAR)) return false;
    data->coordinates[axis] = *coordinate;
    renew(sim, joint);
    return true;
}

bool cn_joint_set_coordinate(cn_world *world, cn_joint joint, cn_joint_axis axis,
                             const cn_coordinate *coordinate) {
    CN_ENTER(joint, cn_require_pointer("coordinate", coordinate) && check_axis(axis));
    return CN_CHECK(set_coordinate(sim, slot, axis, coordinate));
}

bool cn_joint_set_speed(cn_world *world, cn_joint joint, cn_joint_axis axis, float speed) {
    CN_ENTER(joint, check_axis(axis));
    cn_coordinate c = sim->joints[slot].coordinates[axis];
    if (c.speed == speed) return true; // and it sleeps on
    c.speed = speed;
    return CN_CHECK(set_coordinate(sim, slot, axis, &c));
}

bool cn_joint_set_target(cn_world *world, cn_joint joint, cn_joint_axis axis, float target) {
    CN_ENTER(joint, check_axis(axis));
    cn_coordinate c = sim->joints[slot].coordinates[axis];
    if (c.target == target) return true;
    c.target = target;
    return CN_CHECK(set_coordinate(sim, slot, axis, &c));
}

bool cn_joint_set_frames(cn_world *world, cn_joint joint, cn_pose frame_a, cn_pose frame_b) {
    CN_ENTER(joint, check_frames(frame_a, frame_b));
    sim->joints[slot].frames[0] = frame_of(frame_a);
    sim->joints[slot].frames[1] = frame_of(frame_b);
    sim->tuned[slot].h = 0;
    cn_place_arms(sim, slot);
    for (int k = 0; k < 2; k++) cn_disturb_body(sim, sim->joint_records[slot].bodies[k]);
    return true;
}

static bool check_polar(const cn_joint_data *joint, bool polar) {
    return check_coordinate(&joint->coordinates[CN_JOINT_X], CN_JOINT_X, polar) &&
           check_coordinate(&joint->coordinates[CN_JOINT_Y], CN_JOINT_Y, polar);
}

static void set_flag(cn_simulation *sim, int joint, uint32_t flag, bool on) {
    cn_set_flag(&sim->joints[joint].flags, flag, on);
    if (flag == CN_JOINT_POLAR) cn_joint_forget(sim, joint);
    renew(sim, joint);
    renew_contacts(sim, joint);
    if (flag == CN_JOINT_ENABLED) cn_replan_joined(sim, sim->joint_records[joint].bodies[1]);
}

CN_SETTER(cn_joint_set_polar, joint, bool polar, check_polar(&sim->joints[slot], polar),
          set_flag(sim, slot, CN_JOINT_POLAR, polar))
CN_SETTER(cn_joint_set_collide_connected, joint, bool collide, true,
          set_flag(sim, slot, CN_JOINT_COLLIDES, collide))
CN_SETTER(cn_joint_set_enabled, joint, bool enabled, true,
          set_flag(sim, slot, CN_JOINT_ENABLED, enabled))

bool cn_joint_set_break(cn_world *world, cn_joint joint, float force, float torque) {
    CN_ENTER(joint, check_break(force, torque));
    sim->joints[slot].break_force = force, sim->joints[slot].break_torque = torque;
    renew(sim, slot);
    return true;
}

CN_SETTER(cn_joint_set_user_data, joint, uint64_t user_data, true,
          sim->joint_cold[slot].user_data = user_data)
CN_GETTER(uint64_t, cn_joint_user_data, joint, sim->joint_cold[slot].user_data)

// ---- state

static cn_coordinate_row row_now(const cn_simulation *sim, int joint, cn_joint_axis axis) {
    const float still[3] = {0};
    return cn_joint_row(sim, joint, axis, still, still);
}

float cn_joint_value(const cn_world *world, cn_joint joint, cn_joint_axis axis) {
    int slot = cn_find_joint(world, joint, __func__);
    if (slot < 0 || !CN_CHECK(check_axis(axis))) return 0;
    return row_now(&world->sim, slot, axis).value;
}

float cn_joint_speed(const cn_world *world, cn_joint joint, cn_joint_axis axis) {
    int slot = cn_find_joint(world, joint, __func__);
    if (slot < 0 || !CN_CHECK(check_axis(axis))) return 0;
    cn_coordinate_row r = row_now(&world->sim, slot, axis);
    const int32_t *bodies = world->sim.joint_records[slot].bodies;
    const cn_body_hot *a = &world->sim.hot[bodies[0]], *b = &world->sim.hot[bodies[1]];
    return glms_vec2_dot(r.n, cn_vec(b->vx - a->vx, b->vy - a->vy)) + b->w * r.sb - a->w * r.sa;
}

static float per_second(const cn_simulation *sim) {
    return sim->last_substep > 0 ? 1 / sim->last_substep : 0;
}

CN_GETTER(vec2s, cn_joint_force, joint,
          glms_vec2_scale(cn_joint_impulse_on_b(sim, slot), per_second(sim)))
CN_GETTER(float, cn_joint_torque, joint,
          cn_total_impulse(sim, slot, CN_JOINT_ANGLE) * per_second(sim))

// ---- couplings

static cn_coupling coupling_of(const cn_world *world, int joint) {
    const cn_joint_link_row *c = &world->sim.joints[joint].coupling;
    if (c->other < 0) return (cn_coupling){0};
    return (cn_coupling){cn_joint_handle(world, c->other), (cn_joint_axis)c->axis,
                         (cn_joint_axis)c->other_axis, c->ratio, c->slack};
}

CN_GETTER(cn_coupling, cn_joint_get_coupling, joint, coupling_of(world, slot))

// A polar joint has no y.
static bool has_axis(const cn_simulation *sim, int joint, cn_joint_axis axis) {
    return axis != CN_JOINT_Y || !(sim->joints[joint].flags & CN_JOINT_POLAR) ||
           cn_fail(CN_ERROR_STATE, "joint %d is polar: it has no y", joint);
}

static bool check_coupling(const cn_simulation *sim, const cn_coupling *c, int joint, int other) {
    return has_axis(sim, joint, c->axis) && has_axis(sim, other, c->other_axis) &&
           check_axis(c->axis) && check_axis(c->other_axis) &&
           cn_require("ratio", c->ratio, -LARGEST_RATIO, LARGEST_RATIO) &&
           (c->ratio != 0 || cn_fail(CN_ERROR_RANGE, "the ratio is 0")) &&
           (joint != other || cn_fail(CN_ERROR_STATE, "joint %d with itself", joint));
}

bool cn_joint_set_coupling(cn_world *world, cn_joint joint, cn_coupling coupling) {
    CN_ENTER(joint, true);
    int other = coupling.other.id ? cn_find_joint(world, coupling.other, __func__) : -1;
    if (coupling.other.id && (other < 0 || !CN_CHECK(check_coupling(sim, &coupling, slot, other))))
        return false;
    cn_joint_link_row *row = &sim->joints[slot].coupling;
    sim->coupling_count += (other >= 0) - (row->other >= 0);
    *row = (cn_joint_link_row){.other = other};
    cn_replan_joint(sim, slot);
    if (other < 0) return true;
    row->axis = (int32_t)coupling.axis, row->other_axis = (int32_t)coupling.other_axis;
    row->ratio = coupling.ratio, row->slack = coupling.slack;
    row->constant = row_now(sim, slot, coupling.axis).value +
                    coupling.ratio * row_now(sim, other, coupling.other_axis).value;
    cn_replan_joint(sim, other);
    return true;
}
