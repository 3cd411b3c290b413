/* The plain properties of a body: mass, damping, gravity, limits, locks, user data.
 *
 * What the plan has cached of a body (masses, limits, locks) is planned again when it changes. */
#include "world.h"

// ---- mass

bool cn_sleeps_alone(const cn_simulation *sim, int body) {
    if (cn_body_is_awake(sim, body) || sim->warm[body].island < 0) return false;
    const cn_sleeping_island *island = &sim->sleepers[sim->warm[body].island];
    return island->body_count == 1 && island->touching_count == 0;
}

// After the mass of a body changed, and its centre from what it was before.
static void follow_mass(cn_simulation *sim, int body, vec2s before) {
    const cn_body_warm *warm = &sim->warm[body];
    bool moved = warm->center_x != before.x || warm->center_y != before.y;
    if (moved) cn_place_shapes(sim, body, false);
    if (cn_sleeps_alone(sim, body)) return;
    // The arms of all contacts begin in the centre of mass, those of sleeping ones too.
    if (moved) cn_wake_around(sim, body);
    if (moved || cn_is_dynamic(&sim->hot[body])) cn_tell_body(sim, body, CN_SHAPE_CHANGED);
    cn_disturb_body(sim, body);
}

static vec2s local_center(const cn_simulation *sim, int body) {
    return cn_vec(sim->warm[body].center_x, sim->warm[body].center_y);
}

void cn_renew_mass(cn_simulation *sim, int body) {
    vec2s before = local_center(sim, body);
    cn_update_mass(sim, body);
    follow_mass(sim, body, before);
}

cn_mass cn_body_mass(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return (cn_mass){0};
    const cn_body_warm *warm = &world->sim.warm[slot];
    return (cn_mass){warm->mass, warm->inertia, local_center(&world->sim, slot)};
}

// The centre of mass becomes another point of the body; a dynamic one takes over the velocity of
// that point, v + w x r.
static void move_center(cn_simulation *sim, int body, vec2s center) {
    cn_body_hot *hot = &sim->hot[body];
    cn_pose origin = cn_origin_pose(sim, body);
    vec2s shift = cn_rotate(origin.rotation, glms_vec2_sub(center, local_center(sim, body)));
    sim->warm[body].center_x = center.x, sim->warm[body].center_y = center.y;
    cn_set_origin_pose(sim, body, origin);
    if (!cn_is_dynamic(hot)) return;
    vec2s change = cn_spin(hot->w, shift);
    hot->vx += change.x, hot->vy += change.y;
    cn_apply_locks(hot);
}

static bool check_mass(cn_mass mass, const char *caller) {
    return cn_check_range(mass.mass, CN_LEAST_MASS, CN_GREATEST_MASS, "mass", caller) &&
           (mass.inertia == 0 ||
            cn_check_range(mass.inertia, CN_LEAST_MASS, CN_GREATEST_MASS, "inertia", caller)) &&
           cn_check_point(mass.center, "center", caller);
}

bool cn_body_set_mass(cn_world *world, cn_body body, cn_mass mass) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !check_mass(mass, __func__)) return false;
    cn_simulation *sim = &world->sim;
    vec2s before = local_center(sim, slot);
    sim->hot[slot].flags |= CN_BODY_OWN_MASS;
    sim->warm[slot].mass = mass.mass;
    sim->warm[slot].inertia = mass.inertia;
    if (mass.center.x != before.x || mass.center.y != before.y) move_center(sim, slot, mass.center);
    cn_update_inverse_mass(sim, slot);
    follow_mass(sim, slot, before);
    return true;
}

bool cn_body_reset_mass(cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (cn_is_dynamic(&sim->hot[slot]) && !cn_check_mass(sim, slot, -1, NULL, __func__))
        return false;
    sim->hot[slot].flags &= ~(uint32_t)CN_BODY_OWN_MASS;
    cn_renew_mass(sim, slot);
    return true;
}

// ---- damping, gravity, speed limit

bool cn_body_set_damping(cn_world *world, cn_body body, float linear, float angular) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !cn_check_range(linear, 0, FLT_MAX, "linear damping", __func__) ||
        !cn_check_range(angular, 0, FLT_MAX, "angular damping", __func__))
        return false;
    world->sim.hot[slot].linear_damping = linear;
    world->sim.hot[slot].angular_damping = angular;
    return true;
}

float cn_body_linear_damping(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : world->sim.hot[slot].linear_damping;
}

float cn_body_angular_damping(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : world->sim.hot[slot].angular_damping;
}

bool cn_body_set_gravity_scale(cn_world *world, cn_body body, float scale) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !cn_check_finite(scale, "gravity scale", __func__)) return false;
    world->sim.hot[slot].gravity_scale = scale;
    cn_disturb_body(&world->sim, slot);
    return true;
}

float cn_body_gravity_scale(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : world->sim.hot[slot].gravity_scale;
}

static void set_flag(cn_simulation *sim, int body, uint32_t flag, bool on) {
    uint32_t *flags = &sim->hot[body].flags;
    *flags = on ? *flags | flag : *flags & ~flag;
}

bool cn_body_set_speed_limit(cn_world *world, cn_body body, float limit) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !cn_check_range(limit, 0, FLT_MAX, "speed limit", __func__)) return false;
    world->sim.warm[slot].speed_limit = limit;
    set_flag(&world->sim, slot, CN_BODY_LIMITED, limit > 0);
    cn_replan_body(&world->sim, slot);
    return true;
}

float cn_body_speed_limit(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : world->sim.warm[slot].speed_limit;
}

// ---- locks

bool cn_body_set_locks(cn_world *world, cn_body body, bool x, bool y, bool rotation) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    set_flag(sim, slot, CN_BODY_LOCK_X, x);
    set_flag(sim, slot, CN_BODY_LOCK_Y, y);
    set_flag(sim, slot, CN_BODY_LOCK_ROTATION, rotation);
    cn_apply_locks(&sim->hot[slot]);
    cn_update_inverse_mass(sim, slot);
    cn_replan_body(sim, slot);
    cn_disturb_body(sim, slot);
    return true;
}

static void write_flag(bool *out, uint32_t flag) {
    if (out) *out = flag != 0;
}

void cn_body_locks(const cn_world *world, cn_body body, bool *x, bool *y, bool *rotation) {
    int slot = cn_find_body(world, body, __func__);
    uint32_t flags = slot < 0 ? 0 : world->sim.hot[slot].flags;
    write_flag(x, flags & CN_BODY_LOCK_X);
    write_flag(y, flags & CN_BODY_LOCK_Y);
    write_flag(rotation, flags & CN_BODY_LOCK_ROTATION);
}

// ---- sleep

bool cn_body_set_no_sleep(cn_world *world, cn_body body, bool no_sleep) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return false;
    set_flag(&world->sim, slot, CN_BODY_NO_SLEEP, no_sleep);
    if (no_sleep) cn_disturb_body(&world->sim, slot);
    return true;
}

bool cn_body_no_sleep(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot >= 0 && world->sim.hot[slot].flags & CN_BODY_NO_SLEEP;
}

bool cn_body_set_sleep_speed(cn_world *world, cn_body body, float speed) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !cn_check_range(speed, 0, FLT_MAX, "sleep speed", __func__)) return false;
    world->sim.warm[slot].sleep_speed = speed;
    return true;
}

float cn_body_sleep_speed(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : world->sim.warm[slot].sleep_speed;
}

// ---- user data

bool cn_body_set_user_data(cn_world *world, cn_body body, uint64_t user_data) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return false;
    world->sim.cold[slot].user_data = user_data;
    return true;
}

uint64_t cn_body_user_data(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : world->sim.cold[slot].user_data;
}
