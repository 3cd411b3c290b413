/* The plain properties of a body: mass, damping, gravity, limits, locks, user data.
 *
 * The plan has copies of the masses, limits and locks of a body. So the body is planned again when
 * one of these changes. */
#include "world.h"

// ---- mass

bool cn_sleeps_alone(const cn_simulation *sim, int body) {
    if (cn_body_is_awake(sim, body) || sim->warm[body].island < 0) return false;
    const cn_sleeping_island *island = &sim->sleeping_islands[sim->warm[body].island];
    return island->body_count == 1 && island->contacts.count == 0;
}

// Updates the data that depend on the mass of a body after the mass changed. `before` is the
// previous centre of mass. A body that was created asleep and gets its shapes sleeps on.
static void apply_mass_change(cn_simulation *sim, int body, vec2s before, bool wakes) {
    vec2s center = sim->warm[body].center;
    bool moved = center.x != before.x || center.y != before.y;
    if (moved) cn_place_shapes(sim, body, FLT_MAX, false);
    if (moved) cn_report_placed(sim, body); // its pose is rounded anew
    if (!wakes) return;
    // The lever arms of all contacts start at the centre of mass, those of sleeping contacts too.
    if (moved) cn_wake_around(sim, body);
    if (moved || cn_is_dynamic(&sim->hot[body])) cn_mark_body_dirty(sim, body, CN_DIRTY_CHANGED);
    cn_wake_body(sim, body);
}

void cn_refresh_mass(cn_simulation *sim, int body, bool wakes) {
    vec2s before = sim->warm[body].center;
    cn_update_mass(sim, body);
    apply_mass_change(sim, body, before, wakes);
}

// True if an edit of the shapes of the body computes its mass at once, because it has only one.
static bool is_counted_at_once(const cn_simulation *sim, int body) {
    const cn_body_warm *warm = &sim->warm[body];
    return warm->first_shape == warm->last_shape && !(sim->hot[body].flags & CN_BODY_EDITED);
}

// Wakes a dynamic body after an edit, and its neighbours if its centre of mass may have moved. They
// stay awake until the next step, unless cn_simulation.sleep_revision changes. So later edits need
// not wake them again.
static void wake_edited(cn_simulation *sim, int body, bool moves) {
    cn_body_edit *edit = &sim->edits[body];
    if (moves && edit->woken != sim->sleep_revision) {
        cn_wake_around(sim, body);
        edit->woken = sim->sleep_revision;
    }
    if (!edit->is_dirty) cn_mark_body_dirty(sim, body, CN_DIRTY_CHANGED);
    edit->is_dirty = true;
    cn_wake_body(sim, body);
}

void cn_count_new_shape(cn_simulation *sim, int body, int shape) {
    bool wakes = !cn_sleeps_alone(sim, body);
    if (is_counted_at_once(sim, body)) {
        cn_refresh_mass(sim, body, wakes);
        return;
    }
    bool moves = cn_append_mass(sim, body, shape);
    if (!wakes || !cn_is_dynamic(&sim->hot[body])) return;
    wake_edited(sim, body, moves);
    cn_mark_dirty(sim, shape, CN_DIRTY_CHANGED);
}

void cn_count_shapes_anew(cn_simulation *sim, int body, int shape, bool counts) {
    if (is_counted_at_once(sim, body)) {
        cn_refresh_mass(sim, body, true);
        return;
    }
    bool moves = cn_recount_mass(sim, body, shape, counts);
    if (cn_is_dynamic(&sim->hot[body])) wake_edited(sim, body, moves);
}

float cn_body_mass(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : cn_settled_mass(&world->sim, slot).mass.mass;
}

cn_mass_data cn_body_mass_data(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? (cn_mass_data){0} : cn_settled_mass(&world->sim, slot).mass;
}

static bool check_mass(cn_mass_data mass) {
    return cn_require("mass", mass.mass, CN_MIN_MASS, CN_MAX_MASS) &&
           (mass.inertia == 0 || cn_require("inertia", mass.inertia, CN_MIN_MASS, CN_MAX_MASS)) &&
           cn_require2("centre of mass", mass.center, CN_MAX_COORDINATE);
}

bool cn_body_set_mass_data(cn_world *world, cn_body body, cn_mass_data mass_data) {
    CN_RECORD(cn_body_set_mass_data, world, body, mass_data);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(check_mass(mass_data))) return false;
    cn_simulation *sim = &world->sim;
    cn_settle_body(sim, slot);
    vec2s before = sim->warm[slot].center;
    sim->hot[slot].flags |= CN_BODY_USER_MASS;
    cn_set_mass(sim, slot, mass_data);
    apply_mass_change(sim, slot, before, true);
    return true;
}

bool cn_body_reset_mass(cn_world *world, cn_body body) {
    CN_RECORD(cn_body_reset_mass, world, body);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (!CN_CHECK(!cn_is_dynamic(&sim->hot[slot]) || cn_require_mass(sim, slot, -1, NULL)))
        return false;
    cn_settle_body(sim, slot);
    cn_set_flag(&sim->hot[slot].flags, CN_BODY_USER_MASS, false);
    cn_refresh_mass(sim, slot, true);
    return true;
}

// ---- locks

bool cn_body_set_locks(cn_world *world, cn_body body, bool x, bool y, bool rotation) {
    CN_RECORD(cn_body_set_locks, world, body, x, y, rotation);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    cn_settle_body(sim, slot);
    cn_body_hot *hot = &sim->hot[slot];
    sim->pinned_count -= cn_is_pinned(hot);
    cn_set_flag(&hot->flags, CN_BODY_LOCK_X, x);
    cn_set_flag(&hot->flags, CN_BODY_LOCK_Y, y);
    cn_set_flag(&hot->flags, CN_BODY_LOCK_ROTATION, rotation);
    sim->pinned_count += cn_is_pinned(hot);
    cn_apply_locks(hot);
    cn_update_inverse_mass(sim, slot);
    cn_mark_body_dirty(sim, slot, CN_DIRTY_CHANGED);
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
    CN_RECORD(cn_body_set_damping, world, body, linear, angular);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(cn_require("linear damping", linear, 0, FLT_MAX) &&
                              cn_require("angular damping", angular, 0, FLT_MAX)))
        return false;
    cn_simulation *sim = &world->sim;
    sim->hot[slot].linear_damping = linear;
    sim->hot[slot].angular_damping = angular;
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
    CN_RECORD(cn_body_set_gravity_scale, world, body, scale);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_finite("gravity scale", scale))) return false;
    cn_simulation *sim = &world->sim;
    sim->hot[slot].gravity_scale = scale;
    cn_wake_body(sim, slot);
    return true;
}

bool cn_body_set_max_speed(cn_world *world, cn_body body, float max_speed) {
    CN_RECORD(cn_body_set_max_speed, world, body, max_speed);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(cn_require("max_speed", max_speed, 0, FLT_MAX))) return false;
    cn_simulation *sim = &world->sim;
    sim->warm[slot].max_speed = max_speed;
    cn_set_flag(&sim->hot[slot].flags, CN_BODY_LIMITED, max_speed > 0);
    cn_replan_body(sim, slot);
    return true;
}

float cn_body_gravity_scale(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : world->sim.hot[slot].gravity_scale;
}

float cn_body_max_speed(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : world->sim.warm[slot].max_speed;
}

bool cn_body_drop_through(cn_world *world, cn_body body, float seconds) {
    CN_RECORD(cn_body_drop_through, world, body, seconds);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(cn_require("time in seconds", seconds, 0, FLT_MAX) &&
                              cn_start_drop_through(&world->sim, slot, seconds)))
        return false;
    cn_wake_body(&world->sim, slot);
    return true;
}

// ---- continuous collision, sleep, user data

bool cn_body_set_bullet(cn_world *world, cn_body body, bool bullet) {
    CN_RECORD(cn_body_set_bullet, world, body, bullet);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    cn_settle_body(sim, slot);
    cn_set_flag(&sim->hot[slot].flags, CN_BODY_BULLET, bullet);
    cn_update_inverse_mass(sim, slot);
    return true;
}

bool cn_body_bullet(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot >= 0 && (world->sim.hot[slot].flags & CN_BODY_BULLET);
}

bool cn_body_set_no_sleep(cn_world *world, cn_body body, bool no_sleep) {
    CN_RECORD(cn_body_set_no_sleep, world, body, no_sleep);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    cn_set_flag(&sim->hot[slot].flags, CN_BODY_NO_SLEEP, no_sleep);
    if (no_sleep) cn_wake_body(sim, slot);
    return true;
}

bool cn_body_no_sleep(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot >= 0 && (world->sim.hot[slot].flags & CN_BODY_NO_SLEEP);
}

static bool check_sleep_speed(float speed) {
    if (speed == 0)
        return cn_fail(CN_ERROR_RANGE,
                       "the sleep speed is 0; it must be positive: to keep the body from falling "
                       "asleep use cn_body_set_no_sleep()");
    return cn_require("sleep speed", speed, FLT_MIN, FLT_MAX);
}

bool cn_body_set_sleep_speed(cn_world *world, cn_body body, float speed) {
    CN_RECORD(cn_body_set_sleep_speed, world, body, speed);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(check_sleep_speed(speed))) return false;
    world->sim.warm[slot].sleep_speed = speed;
    return true;
}

float cn_body_sleep_speed(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return 0;
    return cn_sleep_speed(&world->sim, slot);
}

bool cn_body_set_user_data(cn_world *world, cn_body body, uint64_t user_data) {
    CN_RECORD(cn_body_set_user_data, world, body, user_data);
    int slot = cn_edit_body(world, body, __func__);
    return slot >= 0 && CN_CHECK(cn_set_user_data(&world->sim, CN_BODIES, slot, user_data));
}

uint64_t cn_body_user_data(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? 0 : cn_user_data(&world->sim, CN_BODIES, slot);
}
