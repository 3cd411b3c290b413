/* Creates, changes and destroys joints.
 *
 * A change wakes both bodies and plans their islands again. If the type of constraint changes, the
 * impulses of the joint are reset to zero. Whether two joined bodies may collide is decided when
 * their shapes begin to overlap. So when a joint is created or destroyed, it is enough to mark the
 * shapes of one of its bodies as changed. */
#include "world.h"

#define MAX_RATIO 1e6f // of a coupling

static const char *const names[] = {"x", "y", "angle"};

// ---- definition

static bool check_numbers(const cn_coordinate *c, const char *name) {
    bool good = cn_require("mode", (float)c->mode, CN_LOCKED, CN_LIMITED) &&
                cn_require("lower limit", c->lower, -CN_MAX_COORDINATE, CN_MAX_COORDINATE) &&
                cn_require("upper limit", c->upper, -CN_MAX_COORDINATE, CN_MAX_COORDINATE) &&
                cn_require("target", c->target, -CN_MAX_COORDINATE, CN_MAX_COORDINATE) &&
                cn_require("hertz", c->hertz, 0, 1e6f) &&
                cn_require("damping ratio", c->damping_ratio, 0, 1e6f) &&
                cn_require("stiffness", c->stiffness, 0, FLT_MAX) &&
                cn_require("damping", c->damping, 0, FLT_MAX) &&
                cn_require("spring force", c->max_spring_force, 0, FLT_MAX) &&
                cn_require("motor force", c->max_motor_force, 0, FLT_MAX) &&
                cn_require("motor speed", c->motor_speed, -CN_MAX_COORDINATE, CN_MAX_COORDINATE) &&
                cn_require("ratchet", c->ratchet, 0, CN_MAX_COORDINATE) &&
                (c->mode != CN_LIMITED || c->lower <= c->upper ||
                 cn_fail(CN_ERROR_RANGE, "the lower limit %g is above the upper limit %g",
                         (double)c->lower, (double)c->upper));
    return good || cn_fail_in(name);
}

// A field without effect is an error, because the user set it in order to have an effect.
static bool check_effects(const cn_coordinate *c, int axis, bool polar) {
    const bool locked = c->mode == CN_LOCKED, limited = c->mode == CN_LIMITED;
    const bool tuned = c->hertz > 0, none = polar && axis == CN_JOINT_Y;
    const char *const limit = "set .mode = CN_LIMITED";
    const char *const unlock = "CN_LOCKED (0) is rigid: set .mode = CN_FREE or CN_LIMITED";
    const char *const units = locked ? unlock : "the spring is given by .hertz: clear .hertz";
    const char *const ratio =
        c->stiffness > 0 ? "set .damping, which goes with .stiffness" : "set .hertz, too";
    const char *const drive = "set .motor = true";
    const struct {
        const char *name;
        float value; // 0: not set
        bool used;
        const char *remedy; // what to do if the field has no effect
    } fields[] = {
        {"mode", limited ? CN_LIMITED : 0, true, NULL},
        {"lower", c->lower, limited, limit},
        {"upper", c->upper, limited, limit},
        {"ratchet", c->ratchet, limited, limit},
        {"hertz", c->hertz, !locked, unlock},
        {"stiffness", c->stiffness, !locked && !tuned, units},
        {"damping", c->damping, !locked && !tuned, units},
        {"target", c->target, locked || cn_has_target(c),
         "set .mode = CN_LOCKED, or .hertz or .stiffness for a spring"},
        {"damping_ratio", c->damping_ratio, tuned, ratio},
        {"max_spring_force", c->max_spring_force, cn_is_sprung(c), "set .hertz or .stiffness, too"},
        {"motor", c->motor, !locked, unlock},
        {"motor_speed", c->motor_speed, c->motor, drive},
        {"max_motor_force", c->max_motor_force, c->motor, drive},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].value != 0 && (none || !fields[i].used))
            return cn_fail(CN_ERROR_STATE, "%s.%s = %g has no effect: %s, or clear it", names[axis],
                           fields[i].name, (double)fields[i].value,
                           none ? "a polar joint has no y: set .polar = false" : fields[i].remedy);
    return true;
}

static bool check_coordinate(const cn_coordinate *c, int axis, bool polar) {
    if (!check_numbers(c, names[axis]) || !check_effects(c, axis, polar)) return false;
    if (!polar || axis != CN_JOINT_X || c->mode == CN_FREE) return true;
    bool locked = c->mode == CN_LOCKED;
    float longest = locked ? c->target : c->upper;
    return longest > 0 ||
           cn_fail(CN_ERROR_RANGE,
                   "x.%s is %g; it must be positive, because x of a polar joint is a length (do "
                   "the two points coincide?)",
                   locked ? "target" : "upper", (double)longest);
}

static bool check_frame(cn_pose frame, const char *name) {
    bool good = cn_require_pose(frame) &&
                cn_require2("position of the pose", frame.position, CN_MAX_COORDINATE);
    return good || cn_fail_in(name);
}

bool cn_require_joint(const cn_joint_def *def) {
    return check_coordinate(&def->x, CN_JOINT_X, def->polar) &&
           check_coordinate(&def->y, CN_JOINT_Y, def->polar) &&
           check_coordinate(&def->angle, CN_JOINT_ANGLE, def->polar) &&
           check_frame(def->frame_a, "frame_a") && check_frame(def->frame_b, "frame_b") &&
           cn_require("break force", def->break_force, 0, FLT_MAX) &&
           cn_require("break torque", def->break_torque, 0, FLT_MAX);
}

static bool is_watched(const cn_joint_def *def) {
    return def->break_force > 0 || def->break_torque > 0 || def->x.ratchet > 0 ||
           def->y.ratchet > 0 || def->angle.ratchet > 0;
}

// ---- create, change, destroy

static bool locks_any(const cn_joint_def *def) {
    return def->x.mode == CN_LOCKED || (!def->polar && def->y.mode == CN_LOCKED) ||
           def->angle.mode == CN_LOCKED;
}

static bool twists(const cn_joint_def *def) {
    return def->angle.mode != CN_FREE || def->angle.motor;
}

// Stores a definition. Wakes both bodies, and plans them again if the plan may change.
static void store_definition(cn_simulation *sim, int joint, const cn_joint_def *def) {
    cn_joint_data *data = &sim->joints[joint];
    const cn_row_type old_row_type = data->row_type;
    const uint32_t old_flags = data->flags;
    data->row_type = cn_joint_row_type(def);
    cn_set_flag(&data->flags, CN_JOINT_WATCHED, is_watched(def));
    cn_set_flag(&data->flags, CN_JOINT_LOCKS, locks_any(def));
    cn_set_flag(&data->flags, CN_JOINT_TWISTS, twists(def));
    if (data->row_type != old_row_type || def->polar != data->def.polar)
        cn_joint_clear_impulses(sim, joint);
    const double old_strength = cn_joint_strength(sim, joint, 1);
    data->def = *def;
    data->def.frame_a = cn_given_pose(def->frame_a);
    data->def.frame_b = cn_given_pose(def->frame_b);
    cn_update_lever_arms(sim, joint);
    if (data->row_type != old_row_type || data->flags != old_flags ||
        cn_joint_strength(sim, joint, 1) != old_strength)
        cn_replan_joint(sim, joint);
    for (int k = 0; k < 2; k++) cn_wake_body(sim, sim->joint_records[joint].bodies[k]);
}

static bool change_definition(cn_simulation *sim, int joint, const cn_joint_def *def) {
    if (!cn_require_joint(def)) return false;
    const cn_joint_def *data = &sim->joints[joint].def;
    bool enabled = def->disabled != data->disabled;
    bool renewed = enabled || def->collide_connected != data->collide_connected;
    if (renewed) cn_joint_mark_removed(sim, joint);
    store_definition(sim, joint, def);
    if (renewed) cn_joint_refilter(sim, joint), cn_joint_forget_surfaces(sim, joint);
    if (enabled) cn_replan_joined(sim, sim->joint_records[joint].bodies[1]);
    return true;
}

static bool check_failure(const cn_joint_def *def) {
    const char *why = cn_kept_error(def->failure);
    if (why) return cn_fail(CN_ERROR_HANDLE, "the definition was not made (%s)", why);
    if (def->failure)
        return cn_fail(CN_ERROR_HANDLE, "the definition was not made: the call that should have "
                                        "made it failed, with an error that is not kept any more");
    return def->a.id || def->b.id ||
           cn_fail(CN_ERROR_HANDLE, "both bodies are null: set .a and .b, or make the definition "
                                    "with cn_revolute_joint(), ...");
}

static bool check_bodies(int a, int b) {
    return a != b ||
           cn_fail(CN_ERROR_STATE, "a and b are both body %d: a joint needs two bodies", a);
}

cn_joint cn_joint_create(cn_world *world, cn_joint_def def) {
    CN_RECORD(cn_joint_create, world, def);
    const cn_joint none = {0};
    if (!cn_edit_world(world, __func__)) return none;
    if (!CN_CHECK(check_failure(&def))) return none;
    cn_simulation *sim = &world->sim;
    int a = cn_find_body(world, def.a, __func__);
    int b = a < 0 ? -1 : cn_find_body(world, def.b, __func__);
    if (b < 0 || !CN_CHECK(check_bodies(a, b) && cn_require_joint(&def))) return none;
    int slot = cn_next_slot(&world->sim, CN_JOINTS, 0);
    if (!CN_CHECK(slot >= 0 && cn_reserve_pulls(sim))) return none;
    sim->joints[slot] = (cn_joint_data){.coupling.other = -1};
    sim->joint_records[slot] = (cn_joint_record){.bodies = {a, b}};
    sim->joint_load[slot] = (cn_joint_load){0};
    store_definition(sim, slot, &def);
    sim->joint_records[slot].state.angle = cn_joint_angle(sim, slot);
    cn_joint_link(sim, slot);
    cn_take_slot(&world->sim, CN_JOINTS, slot);
    cn_joint_refilter(sim, slot);
    if (!def.collide_connected) cn_joint_forget_surfaces(sim, slot);
    return CN_CREATED(CN_JOINTS, cn_joint_handle(world, slot));
}

bool cn_joint_destroy(cn_world *world, cn_joint joint) {
    CN_RECORD(cn_joint_destroy, world, joint);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0) return false;
    cn_remove_joint(&world->sim, slot);
    return true;
}

// ---- settings

// Sets a number. Returns false if it has this value already: a call that changes nothing wakes no
// body.
static bool set_if_different(float *number, float value) {
    bool other = *number != value;
    *number = value;
    return other;
}

static bool check_speed(const cn_simulation *sim, int joint, cn_joint_axis axis, float speed) {
    cn_joint_def def = sim->joints[joint].def;
    return cn_require_axis(axis) && cn_require_finite("motor speed", speed) &&
           (cn_coordinate_of(&def, (int)axis)->motor ||
            cn_fail(CN_ERROR_STATE,
                    "%s of joint %d has no motor: give it one with cn_joint_set_coordinate()",
                    names[axis], joint));
}

static bool check_target(const cn_simulation *sim, int joint, cn_joint_axis axis, float target) {
    cn_joint_def def = sim->joints[joint].def;
    if (!cn_require_axis(axis) || !cn_require_finite("target", target)) return false;
    const cn_coordinate *c = cn_coordinate_of(&def, (int)axis);
    bool none = def.polar && axis == CN_JOINT_Y;
    return (!none && (c->mode == CN_LOCKED || cn_has_target(c))) ||
           cn_fail(CN_ERROR_STATE, "%s of joint %d %s", names[axis], joint,
                   none ? "does not exist: the joint is polar"
                        : "is not locked and has no spring: give it one with "
                          "cn_joint_set_coordinate()");
}

bool cn_joint_set_motor_speed(cn_world *world, cn_joint joint, cn_joint_axis axis,
                              float motor_speed) {
    CN_RECORD(cn_joint_set_motor_speed, world, joint, axis, motor_speed);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0 || !CN_CHECK(check_speed(&world->sim, slot, axis, motor_speed))) return false;
    cn_simulation *sim = &world->sim;
    cn_joint_def def = sim->joints[slot].def;
    if (!set_if_different(&cn_coordinate_of(&def, (int)axis)->motor_speed, motor_speed))
        return true;
    return CN_CHECK(change_definition(sim, slot, &def));
}

bool cn_joint_set_target(cn_world *world, cn_joint joint, cn_joint_axis axis, float target) {
    CN_RECORD(cn_joint_set_target, world, joint, axis, target);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0 || !CN_CHECK(check_target(&world->sim, slot, axis, target))) return false;
    cn_simulation *sim = &world->sim;
    cn_joint_def def = sim->joints[slot].def;
    if (!set_if_different(&cn_coordinate_of(&def, (int)axis)->target, target)) return true;
    return CN_CHECK(change_definition(sim, slot, &def));
}

bool cn_joint_set_coordinate(cn_world *world, cn_joint joint, cn_joint_axis axis,
                             cn_coordinate coordinate) {
    CN_RECORD(cn_joint_set_coordinate, world, joint, axis, coordinate);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_axis(axis))) return false;
    cn_simulation *sim = &world->sim;
    cn_joint_def def = sim->joints[slot].def;
    *cn_coordinate_of(&def, (int)axis) = coordinate;
    return CN_CHECK(change_definition(sim, slot, &def));
}

bool cn_joint_set_frames(cn_world *world, cn_joint joint, cn_pose frame_a, cn_pose frame_b) {
    CN_RECORD(cn_joint_set_frames, world, joint, frame_a, frame_b);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    cn_joint_def def = sim->joints[slot].def;
    def.frame_a = frame_a;
    def.frame_b = frame_b;
    return CN_CHECK(change_definition(sim, slot, &def));
}

bool cn_joint_set_anchor(cn_world *world, cn_joint joint, cn_which which, vec2s world_point) {
    CN_RECORD(cn_joint_set_anchor, world, joint, which, world_point);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0 ||
        !CN_CHECK(cn_require_which(which) && cn_require2("point", world_point, CN_MAX_COORDINATE)))
        return false;
    cn_simulation *sim = &world->sim;
    cn_joint_def def = sim->joints[slot].def;
    cn_pose pose = cn_settled_pose(sim, sim->joint_records[slot].bodies[which == CN_B]);
    cn_pose *frame = which == CN_A ? &def.frame_a : &def.frame_b;
    frame->position = cn_to_local(pose, world_point);
    return CN_CHECK(change_definition(sim, slot, &def));
}

bool cn_joint_set_polar(cn_world *world, cn_joint joint, bool polar) {
    CN_RECORD(cn_joint_set_polar, world, joint, polar);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    cn_joint_def def = sim->joints[slot].def;
    def.polar = polar;
    return CN_CHECK(change_definition(sim, slot, &def));
}

bool cn_joint_set_collide_connected(cn_world *world, cn_joint joint, bool collide) {
    CN_RECORD(cn_joint_set_collide_connected, world, joint, collide);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    cn_joint_def def = sim->joints[slot].def;
    def.collide_connected = collide;
    return CN_CHECK(change_definition(sim, slot, &def));
}

bool cn_joint_set_disabled(cn_world *world, cn_joint joint, bool disabled) {
    CN_RECORD(cn_joint_set_disabled, world, joint, disabled);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    cn_joint_def def = sim->joints[slot].def;
    def.disabled = disabled;
    return CN_CHECK(change_definition(sim, slot, &def));
}

bool cn_joint_set_break(cn_world *world, cn_joint joint, float force, float torque) {
    CN_RECORD(cn_joint_set_break, world, joint, force, torque);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    cn_joint_def def = sim->joints[slot].def;
    def.break_force = force;
    def.break_torque = torque;
    return CN_CHECK(change_definition(sim, slot, &def));
}

bool cn_joint_set_user_data(cn_world *world, cn_joint joint, uint64_t user_data) {
    CN_RECORD(cn_joint_set_user_data, world, joint, user_data);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0) return false;
    world->sim.joints[slot].def.user_data = user_data;
    return true;
}

uint64_t cn_joint_user_data(const cn_world *world, cn_joint joint) {
    int slot = cn_find_joint(world, joint, __func__);
    return slot < 0 ? 0 : world->sim.joints[slot].def.user_data;
}

// ---- couplings

static cn_coupling coupling_of(const cn_world *world, int joint) {
    const cn_coupling_row *c = &world->sim.joints[joint].coupling;
    if (c->other < 0) return (cn_coupling){0};
    return (cn_coupling){cn_joint_handle(world, c->other), (cn_joint_axis)c->axis,
                         (cn_joint_axis)c->other_axis, c->ratio, c->slack};
}

cn_coupling cn_joint_coupling(const cn_world *world, cn_joint joint) {
    int slot = cn_find_joint(world, joint, __func__);
    return slot < 0 ? (cn_coupling){0} : coupling_of(world, slot);
}

// Checks an axis of a coupling. A polar joint has no y.
static bool check_axis_of(const cn_simulation *sim, int joint, cn_joint_axis axis) {
    return (cn_joint_has_dynamic_body(sim, joint) ||
            cn_fail(CN_ERROR_STATE, "joint %d has no dynamic body: a coupling would have no effect",
                    joint)) &&
           cn_require_axis(axis) &&
           (axis != CN_JOINT_Y || !sim->joints[joint].def.polar ||
            cn_fail(CN_ERROR_STATE, "joint %d is polar: it has no y", joint));
}

static bool check_coupling(const cn_simulation *sim, const cn_coupling *c, int joint, int other) {
    return check_axis_of(sim, joint, c->axis) && check_axis_of(sim, other, c->other_axis) &&
           cn_require("ratio", c->ratio, -MAX_RATIO, MAX_RATIO) &&
           (c->ratio != 0 || cn_fail(CN_ERROR_RANGE, "the ratio is 0: to uncouple, set {0}")) &&
           (joint != other ||
            cn_fail(CN_ERROR_STATE, "joint %d cannot be coupled with itself", joint));
}

static void settle_bodies_of(cn_simulation *sim, int joint) {
    for (int k = 0; k < 2; k++) cn_settle_body(sim, sim->joint_records[joint].bodies[k]);
}

bool cn_joint_set_coupling(cn_world *world, cn_joint joint, cn_coupling coupling) {
    CN_RECORD(cn_joint_set_coupling, world, joint, coupling);
    int slot = cn_edit_joint(world, joint, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    int other = coupling.other.id ? cn_find_joint(world, coupling.other, __func__) : -1;
    if (coupling.other.id && (other < 0 || !CN_CHECK(check_coupling(sim, &coupling, slot, other))))
        return false;
    settle_bodies_of(sim, slot);
    if (other >= 0) settle_bodies_of(sim, other);
    cn_coupling_row *row = &sim->joints[slot].coupling;
    cn_store_coupling(sim, slot, (cn_coupling_row){.other = other});
    cn_replan_joint(sim, slot);
    if (other < 0) return true;
    row->axis = (int32_t)coupling.axis, row->other_axis = (int32_t)coupling.other_axis;
    row->ratio = coupling.ratio, row->slack = coupling.slack;
    row->constant = cn_joint_row_now(sim, slot, row->axis).value +
                    row->ratio * cn_joint_row_now(sim, other, row->other_axis).value;
    cn_replan_joint(sim, other);
    return true;
}
