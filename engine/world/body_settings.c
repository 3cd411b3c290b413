/* The plain properties of a body: mass, damping, gravity, limits, locks, user data.
 *
 * What the plan has cached of a body (masses, limits, locks) is planned again when it changes. */
#include "world.h"

// ---- mass

bool cn_sleeps_alone(const cn_simulation *sim, int body) {
    if (cn_body_is_awake(sim, body) || sim->warm[body].island < 0) return false;
    const cn_sleeping_island *island = &sim->sleepers[sim->warm[body].island];
    return island->body_count == 1 && island->contacts.count == 0;
}

// After the mass of a body changed, and its centre from what it was before.
static void follow_mass(cn_simulation *sim, int body, vec2s before) {
    vec2s center = sim->warm[body].center;
    bool moved = center.x != before.x || center.y != before.y;
    if (moved) cn_place_shapes(sim, body, FLT_MAX, false);
    if (cn_sleeps_alone(sim, body)) return;
    // The arms of all contacts begin in the centre of mass, those of sleeping ones too.
    if (moved) cn_wake_around(sim, body);
    if (moved || cn_is_dynamic(&sim->hot[body])) cn_tell_body(sim, body, CN_SHAPE_CHANGED);
    cn_wake_body(sim, body);
}

void cn_renew_mass(cn_simulation *sim, int body) {
    vec2s before = sim->warm[body].center;
    cn_update_mass(sim, body);
    follow_mass(sim, body, before);
}

static cn_mass mass_of(const cn_body_warm *body) {
    return (cn_mass){body->mass, body->inertia, body->center};
}

CN_GETTER(cn_mass, cn_body_mass, body, mass_of(&sim->warm[slot]))

static bool check_mass(cn_mass mass) {
    return cn_require("mass", mass.mass, CN_LEAST_MASS, CN_GREATEST_MASS) &&
           (mass.inertia == 0 ||
            cn_require("inertia", mass.inertia, CN_LEAST_MASS, CN_GREATEST_MASS)) &&
           cn_require2("centre of mass", mass.center, CN_FARTHEST);
}

bool cn_body_set_mass(cn_world *world, cn_body body, cn_mass mass) {
    CN_ENTER(body, check_mass(mass));
    vec2s before = sim->warm[slot].center;
    sim->hot[slot].flags |= CN_BODY_OWN_MASS;
    cn_put_mass(sim, slot, mass);
    follow_mass(sim, slot, before);
    return true;
}

bool cn_body_reset_mass(cn_world *world, cn_body body) {
    CN_ENTER(body, !cn_is_dynamic(&sim->hot[slot]) || cn_require_mass(sim, slot, -1, NULL));
    cn_set_flag(&sim->hot[slot].flags, CN_BODY_OWN_MASS, false);
    cn_renew_mass(sim, slot);
    return true;
}

// ---- locks

bool cn_body_set_locks(cn_world *world, cn_body body, bool x, bool y, bool rotation) {
    CN_ENTER(body, true);
    cn_body_hot *hot = &sim->hot[slot];
    cn_set_flag(&hot->flags, CN_BODY_LOCK_X, x);
    cn_set_flag(&hot->flags, CN_BODY_LOCK_Y, y);
    cn_set_flag(&hot->flags, CN_BODY_LOCK_ROTATION, rotation);
    cn_apply_locks(hot);
    cn_update_inverse_mass(sim, slot);
    cn_tell_body(sim, slot, CN_SHAPE_CHANGED);
    cn_wake_body(sim, slot);
    return true;
}

void cn_body_locks(const cn_world *world, cn_body body, bool *x, bool *y, bool *rotation) {
    int slot = cn_find_body(world, body, __func__);
    uint32_t flags = slot < 0 ? 0 : world->sim.hot[slot].flags;
    if (x) *x = flags & CN_BODY_LOCK_X;
    if (y) *y = flags & CN_BODY_LOCK_Y;
    if (rotation) *rotation = flags & CN_BODY_LOCK_ROTATION;
}

// ---- damping, gravity, speed limit

bool cn_body_set_damping(cn_world *world, cn_body body, float linear, float angular) {
    CN_ENTER(body, cn_require("linear damping", linear, 0, FLT_MAX) &&
                       cn_require("angular damping", angular, 0, FLT_MAX));
    sim->hot[slot].linear_damping = linear;
    sim->hot[slot].angular_damping = angular;
    return true;
}

CN_GETTER(float, cn_body_linear_damping, body, sim->hot[slot].linear_damping)
CN_GETTER(float, cn_body_angular_damping, body, sim->hot[slot].angular_damping)

CN_SETTER(cn_body_set_gravity_scale, body, float scale, cn_require_finite("gravity scale", scale),
          sim->hot[slot].gravity_scale = scale, cn_wake_body(sim, slot))

CN_SETTER(cn_body_set_speed_limit, body, float limit, cn_require("speed limit", limit, 0, FLT_MAX),
          sim->warm[slot].speed_limit = limit;
          cn_set_flag(&sim->hot[slot].flags, CN_BODY_LIMITED, limit > 0), cn_replan_body(sim, slot))

CN_GETTER(float, cn_body_gravity_scale, body, sim->hot[slot].gravity_scale)
CN_GETTER(float, cn_body_speed_limit, body, sim->warm[slot].speed_limit)

CN_SETTER(cn_body_drop_through, body, float seconds,
          cn_require("time in seconds", seconds, 0, FLT_MAX) && cn_drop_body(sim, slot, seconds),
          cn_wake_body(sim, slot))

// ---- continuous collision, sleep, user data

CN_SETTER(cn_body_set_bullet, body, bool bullet, true,
          cn_set_flag(&sim->hot[slot].flags, CN_BODY_BULLET, bullet),
          cn_update_inverse_mass(sim, slot))

CN_GETTER(bool, cn_body_bullet, body, sim->hot[slot].flags &CN_BODY_BULLET)

CN_SETTER(cn_body_set_no_sleep, body, bool no_sleep, true,
          cn_set_flag(&sim->hot[slot].flags, CN_BODY_NO_SLEEP, no_sleep);
          if (no_sleep) cn_wake_body(sim, slot))

CN_GETTER(bool, cn_body_no_sleep, body, sim->hot[slot].flags &CN_BODY_NO_SLEEP)
CN_SETTER(cn_body_set_sleep_speed, body, float speed, cn_require("sleep speed", speed, 0, FLT_MAX),
          sim->warm[slot].sleep_speed = speed)
CN_GETTER(float, cn_body_sleep_speed, body, sim->warm[slot].sleep_speed)
CN_SETTER(cn_body_set_user_data, body, uint64_t user_data,
          cn_set_user_data(sim, CN_BODIES, slot, user_data), (void)0)
CN_GETTER(uint64_t, cn_body_user_data, body, cn_user_data(sim, CN_BODIES, slot))
