/* Where bodies are and how they move: poses, velocities, forces, impulses.
 *
 * Users know the pose of a body's origin, the engine that of its centre of mass; velocities are
 * those of the centre of mass for both. A change that sets a sleeping body in motion wakes its
 * island; one that moves boxes wakes what they overlap. Axes that are locked take no velocity at
 * any time. */
#include "world.h"

void cn_apply_locks(cn_body_hot *body) {
    if (body->flags & CN_BODY_LOCK_X) body->vx = 0;
    if (body->flags & CN_BODY_LOCK_Y) body->vy = 0;
    if (body->flags & CN_BODY_LOCK_ROTATION) body->w = 0;
}

static vec2s center_of(const cn_body_hot *body) {
    return cn_vec(body->x + body->low_x, body->y + body->low_y);
}

// ---- poses

cn_pose cn_body_pose(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? (cn_pose){0} : cn_origin_pose(&world->sim, slot);
}

vec2s cn_body_position(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? cn_vec(0, 0) : cn_origin_pose(&world->sim, slot).position;
}

float cn_body_angle(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return 0;
    return cn_atan2(world->sim.hot[slot].s, world->sim.hot[slot].c);
}

vec2s cn_body_center(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? cn_vec(0, 0) : center_of(&world->sim.hot[slot]);
}

bool cn_body_set_pose(cn_world *world, cn_body body, vec2s position, float angle) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !cn_check_point(position, "position", __func__) ||
        !cn_check_finite(angle, "angle", __func__))
        return false;
    cn_simulation *sim = &world->sim;
    cn_wake_around(sim, slot);
    cn_set_origin_pose(sim, slot, (cn_pose){position, cn_rotation_of(angle)});
    cn_place_shapes(sim, slot, true);
    sim->cold[slot].previous = cn_origin_pose(sim, slot);
    cn_disturb_body(sim, slot);
    cn_wake_around(sim, slot);
    return true;
}

// ---- velocities

vec2s cn_body_velocity(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return cn_vec(0, 0);
    return cn_vec(world->sim.hot[slot].vx, world->sim.hot[slot].vy);
}

float cn_body_angular_velocity(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : world->sim.hot[slot].w;
}

vec2s cn_body_velocity_at(const cn_world *world, cn_body body, vec2s point) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !cn_check_finite2(point, "point", __func__)) return cn_vec(0, 0);
    const cn_body_hot *hot = &world->sim.hot[slot];
    vec2s arm = glms_vec2_sub(point, center_of(hot));
    return glms_vec2_add(cn_vec(hot->vx, hot->vy), cn_spin(hot->w, arm));
}

static bool check_can_move(const cn_simulation *sim, int body, bool moves, const char *caller) {
    bool can = sim->hot[body].flags & (CN_BODY_IS_DYNAMIC | CN_BODY_IS_KINEMATIC);
    return can || !moves ||
           cn_fail(CN_ERROR_STATE, "%s: body %d is static and has no velocity", caller, body);
}

// A body at rest that stays at rest does not wake.
static void set_velocities(cn_simulation *sim, int body, vec2s v, float w) {
    cn_body_hot *hot = &sim->hot[body];
    hot->vx = v.x, hot->vy = v.y, hot->w = w;
    cn_apply_locks(hot);
    if (hot->vx == 0 && hot->vy == 0 && hot->w == 0) return;
    cn_disturb_body(sim, body);
    if (hot->flags & CN_BODY_IS_KINEMATIC) cn_wake_around(sim, body);
}

bool cn_body_set_velocity(cn_world *world, cn_body body, vec2s velocity) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !cn_check_finite2(velocity, "velocity", __func__)) return false;
    bool moves = velocity.x != 0 || velocity.y != 0;
    if (!check_can_move(&world->sim, slot, moves, __func__)) return false;
    if (moves || cn_body_is_awake(&world->sim, slot))
        set_velocities(&world->sim, slot, velocity, world->sim.hot[slot].w);
    return true;
}

bool cn_body_set_angular_velocity(cn_world *world, cn_body body, float angular_velocity) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !cn_check_finite(angular_velocity, "angular velocity", __func__)) return false;
    if (!check_can_move(&world->sim, slot, angular_velocity != 0, __func__)) return false;
    const cn_body_hot *hot = &world->sim.hot[slot];
    set_velocities(&world->sim, slot, cn_vec(hot->vx, hot->vy), angular_velocity);
    return true;
}

// ---- targets

// A difference of two coordinates of this size that is no more than their rounding is none.
static float clear_rounding(float difference, float size) {
    return cn_abs(difference) <= 2 * FLT_EPSILON * cn_abs(size) ? 0 : difference;
}

typedef struct {
    vec2s v;
    float w;
} motion;

/* The way of the centre of mass is a straight line, from where it is to where it is when the origin
 * has the target pose; the turn is the short one. */
static motion motion_to(const cn_simulation *sim, int body, cn_pose target, float seconds) {
    const cn_body_hot *hot = &sim->hot[body];
    const cn_body_warm *warm = &sim->warm[body];
    vec2s there = cn_to_world(target, cn_vec(warm->center_x, warm->center_y));
    float arm = cn_abs(warm->center_x) + cn_abs(warm->center_y);
    float x = clear_rounding(there.x - hot->x, cn_abs(hot->x) + arm);
    float y = clear_rounding(there.y - hot->y, cn_abs(hot->y) + arm);
    if (x != 0) x -= hot->low_x;
    if (y != 0) y -= hot->low_y;

    vec2s turn =
        cn_unrotate((cn_rotation){hot->c, hot->s}, cn_vec(target.rotation.c, target.rotation.s));
    float angle = clear_rounding(cn_atan2(turn.y, turn.x), 1);
    return (motion){cn_vec(x / seconds, y / seconds), angle / seconds};
}

bool cn_body_set_target(cn_world *world, cn_body body, vec2s position, float angle, float seconds) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !cn_check_point(position, "position", __func__) ||
        !cn_check_finite(angle, "angle", __func__) ||
        !cn_check_range(seconds, FLT_MIN, FLT_MAX, "seconds", __func__))
        return false;
    cn_simulation *sim = &world->sim;
    if (!(sim->hot[slot].flags & CN_BODY_IS_KINEMATIC))
        return cn_fail(CN_ERROR_STATE, "%s: body %d is not kinematic", __func__, slot);
    cn_pose target = {position, cn_rotation_of(angle)};
    motion m = motion_to(sim, slot, target, seconds);
    if (!cn_check_finite2(m.v, "velocity", __func__) ||
        !cn_check_finite(m.w, "angular velocity", __func__))
        return false;
    set_velocities(sim, slot, m.v, m.w);
    return true;
}

// ---- forces and impulses

// The slot of a body that forces move; else -1 with the error recorded.
static int find_pushable(const cn_world *world, cn_body body, const char *caller) {
    int slot = cn_find_body(world, body, caller);
    if (slot < 0) return -1;
    uint32_t flags = world->sim.hot[slot].flags;
    if ((flags & CN_BODY_IS_DYNAMIC) && (flags & CN_BODY_ENABLED)) return slot;
    cn_fail(CN_ERROR_STATE, "%s: body %d is %s", caller, slot,
            flags & CN_BODY_ENABLED ? "not dynamic" : "disabled");
    return -1;
}

static vec2s arm_to(const cn_simulation *sim, int body, vec2s point) {
    return glms_vec2_sub(point, center_of(&sim->hot[body]));
}

static bool add_force(cn_simulation *sim, int body, vec2s force, float torque, const char *caller) {
    cn_body_warm *warm = &sim->warm[body];
    vec2s total = cn_vec(warm->force_x + force.x, warm->force_y + force.y);
    float total_torque = warm->torque + torque;
    if (!cn_check_finite2(total, "sum of forces", caller) ||
        !cn_check_finite(total_torque, "sum of torques", caller))
        return false;
    warm->force_x = total.x, warm->force_y = total.y, warm->torque = total_torque;
    cn_disturb_body(sim, body);
    return true;
}

bool cn_body_apply_force(cn_world *world, cn_body body, vec2s force, vec2s point) {
    int slot = find_pushable(world, body, __func__);
    if (slot < 0 || !cn_check_finite2(force, "force", __func__) ||
        !cn_check_finite2(point, "point", __func__))
        return false;
    float torque = cn_cross(arm_to(&world->sim, slot, point), force);
    return add_force(&world->sim, slot, force, torque, __func__);
}

bool cn_body_apply_center_force(cn_world *world, cn_body body, vec2s force) {
    int slot = find_pushable(world, body, __func__);
    return slot >= 0 && cn_check_finite2(force, "force", __func__) &&
           add_force(&world->sim, slot, force, 0, __func__);
}

bool cn_body_apply_torque(cn_world *world, cn_body body, float torque) {
    int slot = find_pushable(world, body, __func__);
    return slot >= 0 && cn_check_finite(torque, "torque", __func__) &&
           add_force(&world->sim, slot, cn_vec(0, 0), torque, __func__);
}

// dv = J / m, dw = (r x J) / I.
static bool add_impulse(cn_simulation *sim, int body, vec2s impulse, float turn,
                        const char *caller) {
    const cn_body_hot *hot = &sim->hot[body];
    vec2s v =
        cn_vec(hot->vx + impulse.x * hot->inverse_mass, hot->vy + impulse.y * hot->inverse_mass);
    float w = hot->w + turn * hot->inverse_inertia;
    if (!cn_check_finite2(v, "velocity after it", caller) ||
        !cn_check_finite(w, "angular velocity after it", caller))
        return false;
    set_velocities(sim, body, v, w);
    cn_disturb_body(sim, body);
    return true;
}

bool cn_body_apply_impulse(cn_world *world, cn_body body, vec2s impulse, vec2s point) {
    int slot = find_pushable(world, body, __func__);
    if (slot < 0 || !cn_check_finite2(impulse, "impulse", __func__) ||
        !cn_check_finite2(point, "point", __func__))
        return false;
    float turn = cn_cross(arm_to(&world->sim, slot, point), impulse);
    return add_impulse(&world->sim, slot, impulse, turn, __func__);
}

bool cn_body_apply_center_impulse(cn_world *world, cn_body body, vec2s impulse) {
    int slot = find_pushable(world, body, __func__);
    return slot >= 0 && cn_check_finite2(impulse, "impulse", __func__) &&
           add_impulse(&world->sim, slot, impulse, 0, __func__);
}

bool cn_body_apply_angular_impulse(cn_world *world, cn_body body, float impulse) {
    int slot = find_pushable(world, body, __func__);
    return slot >= 0 && cn_check_finite(impulse, "impulse", __func__) &&
           add_impulse(&world->sim, slot, cn_vec(0, 0), impulse, __func__);
}
