/* Creates and destroys bodies, changes their type, disables and enables them, and puts them to
 * sleep or wakes them on request.
 *
 * A body takes part in the simulation while it is enabled. Then its shapes have proxies in a tree.
 * A kinematic body is in the list of kinematic bodies, a dynamic body is in the plan or in a
 * sleeping island. join() adds a body to the simulation and leave() removes it:
 *
 *     create = join      destroy = leave      disable = leave      enable = join
 *     change of type = leave, change the type, join
 *
 * leave() ends the contacts of the body, as if its shapes were destroyed, and wakes the bodies
 * around it, which may have rested on it. After join() the next pair search finds new contacts; the
 * bodies around it wake. */
#include "world.h"

// ---- definition

static const uint32_t type_flags[] = {CN_BODY_IS_DYNAMIC, CN_BODY_IS_KINEMATIC, 0};

static bool check_type(cn_motion_type type) {
    return cn_require("type", (float)type, CN_DYNAMIC, CN_STATIC);
}

// Must come before the call is recorded, which reads the shapes.
static bool check_shape_array(const cn_body_def *def) {
    if (!cn_require("shape_count", (float)def->shape_count, 0, CN_MAX_SLOTS)) return false;
    if (def->shape_count > 0) return cn_require_pointer("array of shapes", def->shapes);
    return !def->shapes || cn_fail(CN_ERROR_STATE, ".shapes is set, but .shape_count is 0");
}

static bool check_definition(const cn_body_def *def) {
    return check_type(def->type) && cn_require2("position", def->position, CN_MAX_COORDINATE) &&
           cn_require_finite("angle", def->angle) &&
           cn_require_velocity(type_flags[def->type], def->velocity, def->angular_velocity) &&
           cn_require("linear damping", def->linear_damping, 0, FLT_MAX) &&
           cn_require("angular damping", def->angular_damping, 0, FLT_MAX) &&
           cn_require_finite("gravity scale", def->gravity_scale) &&
           cn_require("max_speed", def->max_speed, 0, FLT_MAX) &&
           cn_require("sleep speed", def->sleep_speed, 0, FLT_MAX);
}

static cn_motion_type type_of(uint32_t flags) {
    if (flags & CN_BODY_IS_DYNAMIC) return CN_DYNAMIC;
    return flags & CN_BODY_IS_KINEMATIC ? CN_KINEMATIC : CN_STATIC;
}

static uint32_t flags_of(const cn_body_def *def) {
    return CN_BODY_ALIVE | type_flags[def->type] | (def->no_sleep ? CN_BODY_NO_SLEEP : 0) |
           (def->bullet ? CN_BODY_BULLET : 0) | (def->lock_x ? CN_BODY_LOCK_X : 0) |
           (def->lock_y ? CN_BODY_LOCK_Y : 0) | (def->lock_rotation ? CN_BODY_LOCK_ROTATION : 0) |
           (def->max_speed > 0 ? CN_BODY_LIMITED : 0);
}

// ---- taking part

// Reserves memory in the list of kinematic bodies, for parts, and in the tree for the proxies of
// all shapes of the body.
static bool reserve_join(cn_simulation *sim, cn_tree *tree, int body) {
    int count = 0;
    if (!cn_reserve_kinematic(sim)) return false;
    CN_EACH_PART(part) {
        if (part->prepare_body && !part->prepare_body(sim, body)) return false;
    }
    CN_EACH_SHAPE(i, sim, body) count++;
    return count == 0 || (cn_tidy_boxes(sim, tree) && cn_reserve_boxes(sim, tree, count));
}

// The memory must be reserved: reserve_join().
static void join(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    cn_motion_type type = type_of(hot->flags);
    hot->flags |= CN_BODY_ENABLED;
    if (type != CN_STATIC) hot->flags |= CN_BODY_AWAKE;
    hot->sleep_time = 0;
    if (sim->previous) sim->previous[body] = cn_origin_pose(sim, body);
    cn_clear_motion(sim, body);
    if (type == CN_KINEMATIC) cn_add_kinematic(sim, body);
    CN_EACH_SHAPE(i, sim, body) {
        cn_tree_insert(cn_tree_of(sim, body), i, cn_fat_bounds(sim, i));
        cn_forget_surfaces_around(sim, i); // and those of its neighbours
        sim->box_slack[i] = 0;
    }
    cn_forget_resting_bounds(sim, body);
    cn_replan_body(sim, body);
    cn_replan_joined(sim, body);
    cn_wake_around(sim, body);
}

static void leave(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    cn_wake_around(sim, body);
    CN_EACH_SHAPE(i, sim, body) cn_end_contacts(sim, i, cn_tree_remove);
    if (hot->flags & CN_BODY_IS_KINEMATIC) cn_remove_kinematic(sim, body);
    if (sim->warm[body].island >= 0) {
        cn_wake_body(sim, body);
        cn_remove_from_sleeping_island(sim, body);
    }
    hot->flags &= ~(uint32_t)(CN_BODY_ENABLED | CN_BODY_AWAKE);
    sim->warm[body].force = cn_vec(0, 0), sim->warm[body].torque = 0;
    cn_replan_body(sim, body);
    cn_replan_joined(sim, body);
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body))
        cn_joint_clear_impulses(sim, i);
    cn_clear_pulls(sim, body);
}

// ---- create, destroy

static void fill_rows(cn_simulation *sim, int body, const cn_body_def *def) {
    cn_rotation q = cn_rotation_of(def->angle);
    float scale = def->gravity_scale == 0 ? 1 : def->gravity_scale;
    sim->drifts[body] = (cn_drift){0};
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
        .gravity_scale = def->weightless ? 0 : scale,
        .flags = flags_of(def),
    };
    cn_body_warm warm = {.max_speed = def->max_speed, .sleep_speed = def->sleep_speed};
    warm.first_shape = warm.last_shape = warm.batch = warm.batch_state = warm.island = warm.next =
        -1;
    sim->warm[body] = warm;
    sim->first_joint[body] = -1;
    cn_clear_body_links(sim, body);
    cn_clear_pulls(sim, body);
    cn_apply_locks(&sim->hot[body]);
    cn_update_mass(sim, body);
}

// Only a dynamic body sleeps, and only if the world allows sleep.
static bool begins_asleep(const cn_simulation *sim, const cn_body_def *def) {
    return def->asleep && def->type == CN_DYNAMIC && !def->disabled && !def->no_sleep &&
           sim->sleeping;
}

cn_body cn_body_create(cn_world *world, const cn_body_def *def) {
    const cn_body none = {0};
    if (!cn_edit_world(world, __func__)) return none;
    if (def && !CN_CHECK(check_shape_array(def))) return none;
    CN_RECORD(cn_body_create, world, def);
    if (!CN_CHECK(cn_require_pointer("definition", def) && check_definition(def))) return none;
    cn_simulation *sim = &world->sim;
    int slot = cn_next_slot(&world->sim, CN_BODIES, def->user_data);
    if (!CN_CHECK(slot >= 0 && cn_check_body_shapes(slot, def) &&
                  cn_reserve_moves(world, sim->slots[CN_BODIES].capacity)))
        return none;

    fill_rows(sim, slot, def);
    bool asleep = begins_asleep(sim, def);
    if (asleep) sim->hot[slot].flags |= CN_BODY_ENABLED;
    bool done = cn_reserve_body_shapes(sim, slot, def) &&
                (def->type != CN_KINEMATIC || reserve_join(sim, &sim->moving_tree, slot));
    if (!CN_CHECK(done && (!asleep || cn_put_new_to_sleep(sim, slot)))) {
        sim->hot[slot].flags = 0; // the slot is still unused
        return none;
    }
    cn_take_slot(&world->sim, CN_BODIES, slot);
    sim->pinned_count += cn_is_pinned(&sim->hot[slot]);
    if (def->type == CN_STATIC) world->static_revision++;
    cn_start_body_moves(world, slot);
    if (!asleep && !def->disabled) join(sim, slot);
    cn_create_body_shapes(sim, slot, def);
    return CN_CREATED(CN_BODIES, cn_body_handle(world, slot));
}

bool cn_body_destroy(cn_world *world, cn_body body) {
    CN_RECORD(cn_body_destroy, world, body);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (sim->hot[slot].flags & CN_BODY_ENABLED) leave(sim, slot);
    while (sim->first_joint[slot] >= 0) cn_remove_joint(&world->sim, sim->first_joint[slot]);
    cn_end_drop_through(sim, slot);
    while (sim->warm[slot].first_shape >= 0) cn_destroy_shape(sim, sim->warm[slot].first_shape);
    CN_EACH_PART(part) {
        if (part->body_destroyed) part->body_destroyed(sim, slot);
    }
    sim->pinned_count -= cn_is_pinned(&sim->hot[slot]);
    sim->hot[slot].flags &= ~(uint32_t)(CN_BODY_EDITED | CN_BODY_RECOUNTS);
    cn_retire_slot(&world->sim, CN_BODIES, slot);
    return true;
}

// ---- type, enabled

cn_motion_type cn_body_type(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? CN_DYNAMIC : type_of(world->sim.hot[slot].flags);
}

bool cn_body_disabled(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot >= 0 && !(world->sim.hot[slot].flags & CN_BODY_ENABLED);
}

static void change_type(cn_simulation *sim, int body, cn_motion_type type) {
    cn_body_hot *hot = &sim->hot[body];
    sim->pinned_count -= cn_is_pinned(hot);
    hot->flags &= ~(uint32_t)(CN_BODY_MOVES | CN_BODY_JOINT_REMOVED | CN_BODY_STOPPED);
    hot->flags |= type_flags[type];
    sim->pinned_count += cn_is_pinned(hot);
    if (type == CN_STATIC) hot->vx = hot->vy = hot->w = 0;
    cn_clear_pulls(sim, body);
    cn_refresh_mass(sim, body, true);
}

bool cn_body_set_type(cn_world *world, cn_body body, cn_motion_type type) {
    CN_RECORD(cn_body_set_type, world, body, type);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(check_type(type))) return false;
    cn_simulation *sim = &world->sim;
    uint32_t flags = sim->hot[slot].flags;
    if (type == type_of(flags)) return true;
    CN_EACH_PART(part) {
        if (part->check_moving && !CN_CHECK(part->check_moving(sim, slot))) return false;
    }
    bool enabled = flags & CN_BODY_ENABLED;
    bool follows = type == CN_DYNAMIC && !(flags & CN_BODY_USER_MASS);
    cn_tree *tree = type == CN_STATIC ? &sim->static_tree : &sim->moving_tree;
    if (!CN_CHECK((!follows || cn_require_mass(sim, slot, -1, NULL)) &&
                  (!enabled || reserve_join(sim, tree, slot))))
        return false;
    cn_settle_body(sim, slot);
    if (enabled) leave(sim, slot);
    world->static_revision++;
    change_type(sim, slot, type);
    if (enabled) join(sim, slot);
    return true;
}

bool cn_body_set_disabled(cn_world *world, cn_body body, bool disabled) {
    CN_RECORD(cn_body_set_disabled, world, body, disabled);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (disabled == !(sim->hot[slot].flags & CN_BODY_ENABLED)) return true;
    if (!disabled && !CN_CHECK(reserve_join(sim, cn_tree_of(sim, slot), slot))) return false;
    cn_settle_body(sim, slot);
    disabled ? leave(sim, slot) : join(sim, slot);
    cn_report_placed(sim, slot);
    return true;
}

// ---- sleep

bool cn_body_asleep(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot >= 0 && !cn_body_is_awake(&world->sim, slot);
}

// Returns why a call cannot wake a body or put it to sleep; NULL if it can. A body that was woken
// by a call cannot be put to sleep before the next step, because contacts of its island may have to
// end.
static const char *sleep_obstacle(const cn_simulation *sim, int body, bool asleep) {
    uint32_t flags = sim->hot[body].flags;
    bool wakes = sim->warm[body].island >= 0 && cn_body_is_awake(sim, body);
    if (!(flags & CN_BODY_IS_DYNAMIC)) return "is not dynamic: only dynamic bodies sleep";
    if (!(flags & CN_BODY_ENABLED))
        return "is disabled: first call cn_body_set_disabled() with false";
    if (!asleep) return NULL;
    if (!sim->sleeping) return "is in a world without sleep: see cn_world_set_no_sleep()";
    if (flags & CN_BODY_NO_SLEEP) return "is set to never sleep: see cn_body_set_no_sleep()";
    if (wakes) return "was changed and wakes in the next step: step first";
    return NULL;
}

static bool check_sleep_request(const cn_simulation *sim, int body, bool asleep) {
    const char *why = sleep_obstacle(sim, body, asleep);
    return !why || cn_fail(CN_ERROR_STATE, "body %d %s", body, why);
}

bool cn_body_set_asleep(cn_world *world, cn_body body, bool asleep) {
    CN_RECORD(cn_body_set_asleep, world, body, asleep);
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(check_sleep_request(&world->sim, slot, asleep))) return false;
    cn_simulation *sim = &world->sim;
    if (asleep) {
        sim->sleep_revision++;
        return CN_CHECK(!cn_body_is_awake(sim, slot) || cn_put_to_sleep(sim, slot));
    }
    cn_wake_body(sim, slot);
    return true;
}
