/* Poses and velocities of bodies, forces and impulses.
 *
 * The public pose of a body is that of its origin. The engine stores that of its centre of mass.
 * Velocities are those of the centre of mass in both. A call that sets a sleeping body in motion
 * wakes its island. A call that moves boxes wakes the bodies whose boxes they overlap. The velocity
 * along a locked axis is always zero. */
#include "world.h"

void cn_apply_locks(cn_body_hot *body) {
    if (body->flags & CN_BODY_LOCK_X) body->vx = 0;
    if (body->flags & CN_BODY_LOCK_Y) body->vy = 0;
    if (body->flags & CN_BODY_LOCK_ROTATION) body->w = 0;
}

static vec2s center_of(const cn_body_hot *body) {
    return cn_vec(body->x + body->low_x, body->y + body->low_y);
}

static vec2s velocity_of(const cn_body_hot *body) { return cn_vec(body->vx, body->vy); }

// ---- parts

void cn_report_placed(cn_simulation *sim, int body) {
    CN_EACH_PART(part) {
        if (part->body_placed) part->body_placed(sim, body);
    }
}

// ---- poses

cn_pose cn_body_pose(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? cn_no_pose : cn_settled_pose(&world->sim, slot);
}

vec2s cn_body_position(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? cn_vec(0, 0) : cn_settled_pose(&world->sim, slot).position;
}

float cn_body_angle(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : cn_atan2(world->sim.hot[slot].s, world->sim.hot[slot].c);
}

vec2s cn_body_center(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return cn_vec(0, 0);
    const cn_body_hot hot = cn_settled_body(&world->sim, slot);
    return center_of(&hot);
}

// A teleport: begin_teleport(), then the body gets its new pose, then end_teleport().
static void begin_teleport(cn_simulation *sim, int body) {
    cn_settle_body(sim, body);
    cn_wake_around(sim, body);
    cn_forget_body_surfaces(sim, body); // at the old pose and at the new one
}

static void end_teleport(cn_world *world, int body) {
    cn_simulation *sim = &world->sim;
    cn_place_shapes(sim, body, FLT_MAX, true);
    cn_forget_body_surfaces(sim, body);
    cn_report_placed(sim, body);
    if (sim->previous) sim->previous[body] = cn_origin_pose(sim, body);
    cn_clear_motion(sim, body);
    cn_mark_placed(world, body);
    sim->hot[body].flags &= ~(uint32_t)CN_BODY_JOINT_REMOVED;
    cn_count_teleport(&sim->hot[body]);
    cn_wake_body(sim, body);
    cn_wake_around(sim, body);
}

bool cn_body_set_pose(cn_world *world, cn_body body, cn_pose pose) {
    CN_RECORD(cn_body_set_pose, world, body, pose);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_pose(pose) &&
                              cn_require2("position", pose.position, CN_MAX_COORDINATE)))
        return false;
    begin_teleport(&world->sim, slot);
    cn_set_origin_pose(&world->sim, slot, cn_given_pose(pose));
    end_teleport(world, slot);
    return true;
}

bool cn_body_set_position(cn_world *world, cn_body body, vec2s position) {
    CN_RECORD(cn_body_set_position, world, body, position);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(cn_require2("position", position, CN_MAX_COORDINATE))) return false;
    begin_teleport(&world->sim, slot);
    cn_set_origin(&world->sim, slot, position);
    end_teleport(world, slot);
    return true;
}

// ---- velocities

vec2s cn_body_velocity(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return cn_vec(0, 0);
    const cn_body_hot hot = cn_settled_body(&world->sim, slot);
    return velocity_of(&hot);
}

float cn_body_angular_velocity(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : world->sim.hot[slot].w;
}

vec2s cn_body_velocity_at(const cn_world *world, cn_body body, vec2s point) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(cn_require2("point", point, FLT_MAX))) return cn_vec(0, 0);
    const cn_body_hot hot = cn_settled_body(&world->sim, slot);
    return cn_velocity_at(&hot, point);
}

bool cn_require_velocity(uint32_t flags, vec2s v, float w) {
    return cn_require2("velocity", v, CN_MAX_SPEED) &&
           cn_require("angular velocity", w, -CN_MAX_SPEED, CN_MAX_SPEED) &&
           (flags & CN_BODY_MOVES || (v.x == 0 && v.y == 0 && w == 0) ||
            cn_fail(CN_ERROR_STATE,
                    "the velocity (%g, %g) and angular velocity %g of a static body must be 0: "
                    "make the body kinematic",
                    (double)v.x, (double)v.y, (double)w));
}

// Returns false, with the error recorded, if the body cannot have this velocity. A body at rest
// that stays at rest does not wake.
static bool set_velocity(cn_simulation *sim, int body, vec2s v, float w) {
    cn_body_hot *hot = &sim->hot[body];
    if (!cn_require_velocity(hot->flags, v, w)) return false;
    cn_settle_body(sim, body);
    hot->vx = v.x, hot->vy = v.y, hot->w = w;
    cn_apply_locks(hot);
    if (hot->vx == 0 && hot->vy == 0 && hot->w == 0) return true;
    cn_wake_body(sim, body);
    // The boxes cover the sweep from the start, so shapes and tiles on its path are found in time.
    cn_place_shapes(sim, body, 0, false);
    if (hot->flags & CN_BODY_IS_KINEMATIC) cn_wake_around(sim, body);
    return true;
}

bool cn_body_set_velocity(cn_world *world, cn_body body, vec2s velocity) {
    CN_RECORD(cn_body_set_velocity, world, body, velocity);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    return CN_CHECK(set_velocity(sim, slot, velocity, sim->hot[slot].w));
}

bool cn_body_set_angular_velocity(cn_world *world, cn_body body, float w) {
    CN_RECORD(cn_body_set_angular_velocity, world, body, w);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0) return false;
    const cn_body_hot hot = cn_settled_body(&world->sim, slot);
    return CN_CHECK(set_velocity(&world->sim, slot, velocity_of(&hot), w));
}

// ---- targets

// Returns 0 if the difference of two coordinates of this size is within their rounding.
static float clear_rounding(float difference, float size) {
    return cn_abs(difference) <= 2 * FLT_EPSILON * cn_abs(size) ? 0 : difference;
}

/* Returns the displacement (x, y, angle) that takes the body to a target pose of its origin. The
 * centre of mass moves in a straight line, and the body turns by the shorter way. */
static vec3s displacement_to(const cn_simulation *sim, int body, cn_pose target) {
    const cn_body_hot *hot = &sim->hot[body];
    vec2s center = sim->warm[body].center, there = cn_to_world(target, center);
    float arm = cn_abs(center.x) + cn_abs(center.y);
    float x = clear_rounding(there.x - hot->x, cn_abs(hot->x) + arm);
    float y = clear_rounding(there.y - hot->y, cn_abs(hot->y) + arm);
    if (x != 0) x -= hot->low_x;
    if (y != 0) y -= hot->low_y;
    vec2s turned = cn_vec(target.rotation.c, target.rotation.s);
    vec2s turn = cn_unrotate((cn_rotation){hot->c, hot->s}, turned);
    return (vec3s){{x, y, clear_rounding(cn_atan2(turn.y, turn.x), 1)}};
}

static bool require_kinematic(const cn_simulation *sim, int body) {
    return (sim->hot[body].flags & CN_BODY_IS_KINEMATIC) ||
           cn_fail(CN_ERROR_STATE,
                   "body %d is not kinematic: drive a dynamic body by its velocity or with a motor "
                   "joint",
                   body);
}

bool cn_body_set_target(cn_world *world, cn_body body, cn_pose target, float seconds) {
    CN_RECORD(cn_body_set_target, world, body, target, seconds);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_pose(target) &&
                              cn_require2("position", target.position, CN_MAX_COORDINATE) &&
                              cn_require("time in seconds", seconds, FLT_MIN, FLT_MAX) &&
                              require_kinematic(&world->sim, slot)))
        return false;
    cn_simulation *sim = &world->sim;
    // A frame of cn_world_advance() may be shorter than its step. The body arrives after one step
    // at the earliest.
    if (!world->stepped_manually) seconds = cn_max(seconds, world->time_step);
    vec3s displacement = displacement_to(sim, slot, cn_given_pose(target));
    vec2s v = cn_vec(displacement.x / seconds, displacement.y / seconds);
    return CN_CHECK(set_velocity(sim, slot, v, displacement.z / seconds));
}

// ---- forces and impulses

// Adds to the force and torque that act in the next step.
static bool add_force(cn_simulation *sim, int body, vec2s force, float torque) {
    cn_body_warm *warm = &sim->warm[body];
    vec2s sum = glms_vec2_add(warm->force, force);
    torque += warm->torque;
    if (!cn_require2("sum of forces", sum, FLT_MAX) || !cn_require_finite("sum of torques", torque))
        return false;
    warm->force = sum, warm->torque = torque;
    cn_wake_body(sim, body);
    return true;
}

// Returns the velocity (x, y, angular) after an impulse: dv = J / m, dw = (r x J) / I.
static vec3s velocity_after(const cn_simulation *sim, int body, vec2s impulse, float turn) {
    const cn_body_hot hot = cn_settled_body(sim, body);
    float m = hot.inverse_mass;
    return (vec3s){
        {hot.vx + impulse.x * m, hot.vy + impulse.y * m, hot.w + turn * hot.inverse_inertia}};
}

bool cn_require_impulse(const cn_simulation *sim, int body, vec2s impulse, float turn) {
    vec3s v = velocity_after(sim, body, impulse, turn);
    return cn_require_velocity(sim->hot[body].flags, cn_vec(v.x, v.y), v.z);
}

bool cn_add_impulse(cn_simulation *sim, int body, vec2s impulse, float turn) {
    vec3s v = velocity_after(sim, body, impulse, turn);
    if (!set_velocity(sim, body, cn_vec(v.x, v.y), v.z)) return false;
    cn_wake_body(sim, body);
    return true;
}

typedef struct {
    vec2s force;        // or an impulse
    const vec2s *point; // where it acts, in the world; NULL: the centre of mass
    float torque;       // or an angular impulse; not used if there is a point
    bool (*add)(cn_simulation *sim, int body, vec2s force, float torque);
} push;

static bool require_pushable(const cn_simulation *sim, int body) {
    uint32_t flags = sim->hot[body].flags;
    if (!(flags & CN_BODY_ENABLED))
        return cn_fail(CN_ERROR_STATE,
                       "body %d is disabled: first call cn_body_set_disabled() with false", body);
    return (flags & CN_BODY_IS_DYNAMIC) ||
           cn_fail(CN_ERROR_STATE,
                   "body %d is not dynamic: forces and impulses act only on dynamic bodies", body);
}

static bool apply(cn_world *world, cn_body body, push p, const char *caller) {
    int slot = cn_find_body(world, body, caller);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    bool good = require_pushable(sim, slot) && cn_require_idle(world) &&
                cn_require2("force or impulse", p.force, FLT_MAX) &&
                cn_require_finite("torque or angular impulse", p.torque) &&
                (!p.point || cn_require2("point", *p.point, FLT_MAX));
    const cn_body_hot hot = cn_settled_body(sim, slot);
    if (p.point) p.torque = cn_cross(glms_vec2_sub(*p.point, center_of(&hot)), p.force);
    return (good && p.add(sim, slot, p.force, p.torque)) || cn_fail_call(caller);
}

bool cn_body_apply_force_at(cn_world *world, cn_body body, vec2s force, vec2s point) {
    CN_RECORD(cn_body_apply_force_at, world, body, force, point);
    return apply(world, body, (push){force, &point, 0, add_force}, __func__);
}
bool cn_body_apply_force(cn_world *world, cn_body body, vec2s force) {
    CN_RECORD(cn_body_apply_force, world, body, force);
    return apply(world, body, (push){force, NULL, 0, add_force}, __func__);
}
bool cn_body_apply_torque(cn_world *world, cn_body body, float torque) {
    CN_RECORD(cn_body_apply_torque, world, body, torque);
    return apply(world, body, (push){.torque = torque, .add = add_force}, __func__);
}
bool cn_body_apply_impulse_at(cn_world *world, cn_body body, vec2s impulse, vec2s point) {
    CN_RECORD(cn_body_apply_impulse_at, world, body, impulse, point);
    return apply(world, body, (push){impulse, &point, 0, cn_add_impulse}, __func__);
}
bool cn_body_apply_impulse(cn_world *world, cn_body body, vec2s impulse) {
    CN_RECORD(cn_body_apply_impulse, world, body, impulse);
    return apply(world, body, (push){impulse, NULL, 0, cn_add_impulse}, __func__);
}
bool cn_body_apply_angular_impulse(cn_world *world, cn_body body, float impulse) {
    CN_RECORD(cn_body_apply_angular_impulse, world, body, impulse);
    return apply(world, body, (push){.torque = impulse, .add = cn_add_impulse}, __func__);
}
