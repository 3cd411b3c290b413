/* Bodies come, go, change type, and fall asleep at the user's word.
 *
 * A body takes part in the world while it is enabled: then its shapes have proxies in a tree, a
 * kinematic one is in the list of kinematics, a dynamic one is in the plan or in a sleeping island.
 * join() and leave() are the two ways across, and every call here is made of them:
 *
 *     create = join      destroy = leave      disable = leave      enable = join
 *     change of type = leave, become another, join
 *
 * leave() ends the body's contacts (its shapes are reported as gone) and wakes what they may have
 * held; join() lets the next pair search find new ones and wakes what lies there. */
#include "world.h"

// ---- definition

static bool check_velocities(const cn_body_def *def, const char *caller) {
    if (!cn_check_finite2(def->velocity, "velocity", caller) ||
        !cn_check_finite(def->angular_velocity, "angular velocity", caller))
        return false;
    bool moves = def->velocity.x != 0 || def->velocity.y != 0 || def->angular_velocity != 0;
    return def->type != CN_STATIC || !moves ||
           cn_fail(CN_ERROR_STATE, "%s: a static body cannot have velocity (%g, %g) and %g rad/s",
                   caller, (double)def->velocity.x, (double)def->velocity.y,
                   (double)def->angular_velocity);
}

static bool check_type(cn_body_type type, const char *caller) {
    return cn_check_count((int)type, CN_DYNAMIC, CN_STATIC, "type", caller);
}

static bool check_definition(const cn_body_def *def, const char *caller) {
    return check_type(def->type, caller) && cn_check_point(def->position, "position", caller) &&
           cn_check_finite(def->angle, "angle", caller) && check_velocities(def, caller) &&
           cn_check_range(def->linear_damping, 0, FLT_MAX, "linear damping", caller) &&
           cn_check_range(def->angular_damping, 0, FLT_MAX, "angular damping", caller) &&
           cn_check_finite(def->gravity_scale, "gravity scale", caller) &&
           cn_check_range(def->speed_limit, 0, FLT_MAX, "speed limit", caller) &&
           cn_check_range(def->sleep_speed, 0, FLT_MAX, "sleep speed", caller);
}

static uint32_t flags_of_type(cn_body_type type) {
    return type == CN_DYNAMIC     ? CN_BODY_IS_DYNAMIC
           : type == CN_KINEMATIC ? CN_BODY_IS_KINEMATIC
                                  : 0;
}

static cn_body_type type_of(uint32_t flags) {
    return flags & CN_BODY_IS_DYNAMIC     ? CN_DYNAMIC
           : flags & CN_BODY_IS_KINEMATIC ? CN_KINEMATIC
                                          : CN_STATIC;
}

static uint32_t flags_of(const cn_body_def *def) {
    uint32_t flags = CN_BODY_ALIVE | flags_of_type(def->type);
    if (def->no_sleep) flags |= CN_BODY_NO_SLEEP;
    if (def->lock_x) flags |= CN_BODY_LOCK_X;
    if (def->lock_y) flags |= CN_BODY_LOCK_Y;
    if (def->lock_rotation) flags |= CN_BODY_LOCK_ROTATION;
    if (def->speed_limit > 0) flags |= CN_BODY_LIMITED;
    return flags;
}

// ---- taking part

void cn_disturb_body(cn_simulation *sim, int body) {
    sim->hot[body].sleep_time = 0;
    cn_wake_body(sim, body);
}

static void enter_kinematics(cn_simulation *sim, int body) {
    sim->kinematics[sim->kinematic_count++] = body;
}

static void leave_kinematics(cn_simulation *sim, int body) {
    int kept = 0;
    for (int i = 0; i < sim->kinematic_count; i++)
        if (sim->kinematics[i] != body) sim->kinematics[kept++] = sim->kinematics[i];
    sim->kinematic_count = kept;
}

// Room for the proxies must have been reserved.
static void join(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    cn_body_type type = type_of(hot->flags);
    hot->flags |= CN_BODY_ENABLED;
    if (type != CN_STATIC) hot->flags |= CN_BODY_AWAKE;
    hot->sleep_time = 0;
    if (type == CN_KINEMATIC) enter_kinematics(sim, body);
    cn_insert_proxies(sim, body);
    cn_replan_body(sim, body);
    cn_wake_around(sim, body);
}

static void leave(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    cn_wake_around(sim, body);
    cn_remove_proxies(sim, body);
    if (hot->flags & CN_BODY_IS_KINEMATIC) leave_kinematics(sim, body);
    if (sim->warm[body].island >= 0) {
        cn_wake_body(sim, body);
        cn_sleeper_forget_body(sim, body);
    }
    hot->flags &= ~(uint32_t)(CN_BODY_ENABLED | CN_BODY_AWAKE);
    sim->warm[body].force_x = sim->warm[body].force_y = sim->warm[body].torque = 0;
    cn_replan_body(sim, body);
}

// ---- create, destroy

static void fill_rows(cn_simulation *sim, int body, const cn_body_def *def) {
    cn_rotation q = cn_rotation_of(def->angle);
    sim->hot[body] = (cn_body_hot){
        .x = def->position.x,
        .y = def->position.y,
        .c = q.c,
        .s = q.s,
        .vx = def->velocity.x,
        .vy = def->velocity.y,
        .w = def->angular_velocity,
        .linear_damping = def->linear_damping,
        .angular_damping = def->angular_damping,
        .gravity_scale = def->weightless           ? 0
                         : def->gravity_scale == 0 ? 1
                                                   : def->gravity_scale,
        .flags = flags_of(def),
    };
    sim->warm[body] = (cn_body_warm){
        .speed_limit = def->speed_limit,
        .sleep_speed = def->sleep_speed,
        .first_shape = -1,
        .last_shape = -1,
        .batch = -1,
        .local = -1,
        .island = -1,
        .next = -1,
    };
    sim->cold[body].user_data = def->user_data;
    sim->cold[body].previous = (cn_pose){def->position, q};
    cn_apply_locks(&sim->hot[body]);
    cn_update_mass(sim, body);
}

// Only a dynamic body sleeps, and only where sleep is allowed.
static bool begins_asleep(const cn_simulation *sim, const cn_body_def *def) {
    return def->asleep && def->type == CN_DYNAMIC && !def->disabled && !def->no_sleep &&
           sim->sleeping;
}

// The new body as an island of its own. False if memory is short.
static bool lay_to_sleep(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    hot->vx = hot->vy = hot->w = 0;
    hot->flags |= CN_BODY_ENABLED;
    return cn_put_to_sleep(sim, body);
}

cn_body cn_body_create(cn_world *world, const cn_body_def *def) {
    const cn_body none = {0};
    if (!cn_check_world(world, __func__) || !cn_check_pointer(def, "definition", __func__))
        return none;
    if (!check_definition(def, __func__)) return none;
    cn_simulation *sim = &world->sim;
    int slot = cn_next_body_slot(world, __func__);
    if (slot < 0) return none;

    fill_rows(sim, slot, def);
    bool asleep = begins_asleep(sim, def);
    if (asleep && !lay_to_sleep(sim, slot)) {
        sim->hot[slot].flags = 0; // the slot is still unused
        return none;
    }
    cn_take_body_slot(world, slot);
    if (!asleep && !def->disabled) join(sim, slot);
    return cn_body_handle(world, slot);
}

bool cn_body_destroy(cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return false;
    if (world->sim.hot[slot].flags & CN_BODY_ENABLED) leave(&world->sim, slot);
    cn_destroy_shapes(world, slot);
    cn_retire_body_slot(world, slot);
    return true;
}

// ---- type, enabled

cn_body_type cn_body_get_type(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? CN_DYNAMIC : type_of(world->sim.hot[slot].flags);
}

static void become(cn_simulation *sim, int body, cn_body_type type) {
    cn_body_hot *hot = &sim->hot[body];
    cn_body_warm *warm = &sim->warm[body];
    hot->flags &= ~(uint32_t)(CN_BODY_IS_DYNAMIC | CN_BODY_IS_KINEMATIC);
    hot->flags |= flags_of_type(type);
    warm->force_x = warm->force_y = warm->torque = 0;
    if (type == CN_STATIC) hot->vx = hot->vy = hot->w = 0;
    cn_renew_mass(sim, body);
}

bool cn_body_set_type(cn_world *world, cn_body body, cn_body_type type) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0 || !check_type(type, __func__)) return false;
    cn_simulation *sim = &world->sim;
    if (type == type_of(sim->hot[slot].flags)) return true;
    bool enabled = sim->hot[slot].flags & CN_BODY_ENABLED;
    bool own_mass = sim->hot[slot].flags & CN_BODY_OWN_MASS;
    if (type == CN_DYNAMIC && !own_mass && !cn_check_mass(sim, slot, -1, NULL, __func__))
        return false;
    cn_tree *tree = type == CN_STATIC ? &sim->fixed : &sim->moving;
    if (enabled && !cn_reserve_proxies(sim, tree, slot)) return false;
    if (enabled) leave(sim, slot);
    become(sim, slot, type);
    if (enabled) join(sim, slot);
    return true;
}

bool cn_body_set_enabled(cn_world *world, cn_body body, bool enabled) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    bool is_enabled = sim->hot[slot].flags & CN_BODY_ENABLED;
    if (enabled && !is_enabled) {
        if (!cn_reserve_proxies(sim, cn_tree_of(sim, slot), slot)) return false;
        join(sim, slot);
    }
    if (!enabled && is_enabled) leave(sim, slot);
    return true;
}

bool cn_body_enabled(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot >= 0 && world->sim.hot[slot].flags & CN_BODY_ENABLED;
}

// ---- sleep

static bool check_can_sleep(const cn_simulation *sim, int body, const char *caller) {
    uint32_t flags = sim->hot[body].flags;
    const char *why = !(flags & CN_BODY_IS_DYNAMIC) ? "is not dynamic"
                      : !(flags & CN_BODY_ENABLED)  ? "is disabled"
                                                    : NULL;
    return !why || cn_fail(CN_ERROR_STATE, "%s: body %d %s", caller, body, why);
}

// A wish to wake cannot be taken back: contacts of the island may have to end.
static bool check_may_sleep(const cn_world *world, int body, const char *caller) {
    const cn_simulation *sim = &world->sim;
    bool wakes = sim->warm[body].island >= 0 && cn_body_is_awake(sim, body);
    const char *why = !sim->sleeping                            ? "is in a world without sleep"
                      : sim->hot[body].flags & CN_BODY_NO_SLEEP ? "is set to never sleep"
                      : wakes              ? "was changed and wakes in the next step"
                      : world->step_failed ? "is in an island that the failed step did not find"
                                           : NULL;
    return !why || cn_fail(CN_ERROR_STATE, "%s: body %d %s", caller, body, why);
}

bool cn_body_set_awake(cn_world *world, cn_body body, bool awake) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (!check_can_sleep(sim, slot, __func__)) return false;
    if (awake) {
        cn_disturb_body(sim, slot);
        return true;
    }
    if (!check_may_sleep(world, slot, __func__)) return false;
    return !cn_body_is_awake(sim, slot) || cn_put_to_sleep(sim, slot);
}

bool cn_body_awake(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot >= 0 && cn_body_is_awake(&world->sim, slot);
}
