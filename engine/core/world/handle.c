/* Checks of arguments, and handles.
 *
 *     63                    32 31    24 23                    0
 *    | generation             | tag    | slot                  |     zero is null
 *
 * The generation of a slot starts at 1 and increases by one when its object is destroyed, so an old
 * handle never becomes valid again. After its last generation a slot is not used again. */
#include "world.h"

// ---- checks

bool cn_require_pointer(const char *what, const void *pointer) {
    return pointer || cn_fail(CN_ERROR_HANDLE, "the %s is NULL", what);
}

static _Thread_local const cn_accept_call *innermost_call;

void cn_begin_accept(cn_accept_call *call, const cn_world *world) {
    *call = (cn_accept_call){world, innermost_call};
    innermost_call = call;
}

void cn_end_accept(const cn_accept_call *call) { innermost_call = call->outer; }

bool cn_is_in_accept(const cn_world *world) {
    for (const cn_accept_call *a = innermost_call; a; a = a->outer)
        if (a->world == world) return true;
    return false;
}

bool cn_require_idle(const cn_world *world) {
    if (cn_is_in_accept(world))
        return cn_fail(CN_ERROR_STATE,
                       "accept() of a query must not change the world: collect what "
                       "it finds, and change the world after the query");
    return !world->in_callback ||
           cn_fail(CN_ERROR_STATE, "filter, pre_solve and the sink of a recording must not change "
                                   "their world: remember what to do, and do it after the step");
}

bool cn_edit_world(const cn_world *world, const char *caller) {
    return (cn_require_pointer("world", world) && cn_require_idle(world)) || cn_fail_call(caller);
}

// ---- names of the slot kinds, for errors

static const char *const nouns[] = {"body", "shape", "joint", "grid of tiles", "chain"};

// ---- handles

static int slot_of(uint64_t id) { return (int)(id & CN_MAX_SLOTS); }

bool cn_is_valid_object(const cn_world *world, cn_slot_kind k, uint64_t id) {
    int slot = slot_of(id);
    return world && slot < world->sim.slots[k].end && cn_is_alive(&world->sim, k, slot) &&
           id == cn_id_of(world, k, slot);
}

// True if the object of this generation was in the slot and was destroyed. (After the last
// generation of a slot, the next one would be 0.)
static bool was_destroyed(const cn_world *world, cn_slot_kind k, uint64_t id) {
    const cn_slot_rows *slots = &world->sim.slots[k];
    uint32_t generation = (uint32_t)(id >> 32);
    return slot_of(id) < slots->end && generation - 1 < slots->items[slot_of(id)].generation - 1;
}

// True if the slot has the shape of a tile, or if its last object was one. Steps create and destroy
// these shapes.
static bool is_tile(const cn_world *world, cn_slot_kind k, int slot) {
    return k == CN_SHAPES && cn_is_terrain(&world->sim, slot);
}

static bool check_id(const cn_world *world, cn_slot_kind k, uint64_t id) {
    if (cn_is_valid_object(world, k, id)) return true;
    if (!cn_require_pointer("world", world)) return false;
    if (id == 0)
        return cn_fail(CN_ERROR_HANDLE,
                       "the %s is null: its handle is 0, as after a failed create%s", nouns[k],
                       k == CN_SHAPES ? ", or on the side of a tile" : "");
    int slot = slot_of(id), tag = (int)(id >> 24 & 255);
    if (tag != world->tag)
        return cn_fail(CN_ERROR_HANDLE,
                       "the %s belongs to another world: its tag is %d, this world has tag %d",
                       nouns[k], tag, world->tag);
    if (!was_destroyed(world, k, id))
        return cn_fail(CN_ERROR_HANDLE,
                       "the handle 0x%016llx was never a %s of this world (slot %d)",
                       (unsigned long long)id, nouns[k], slot);
    return cn_fail(CN_ERROR_HANDLE, "the %s in slot %d (generation %u) was destroyed%s", nouns[k],
                   slot, (unsigned)(id >> 32),
                   is_tile(world, k, slot) ? ", or was a tile that has no shape now" : "");
}

int cn_find_object(const cn_world *world, cn_slot_kind k, uint64_t id, const char *caller) {
    return check_id(world, k, id) || cn_fail_call(caller) ? slot_of(id) : -1;
}

// Returns the body of a body, shape or chain; -1 for other objects.
static int body_of(const cn_simulation *sim, cn_slot_kind k, int slot) {
    switch (k) {
    case CN_BODIES: return slot;
    case CN_SHAPES: return sim->links[slot].body;
    case CN_CHAINS: return sim->chains[slot].body;
    default: return -1;
    }
}

void cn_mark_edited(cn_world *world, int body) {
    if (!(world->sim.hot[body].flags & CN_BODY_MOVES)) world->static_revision++;
    if (world->recorder && world->recorder->edited) world->recorder->edited(world, body);
}

int cn_edit_object(cn_world *world, cn_slot_kind k, uint64_t id, const char *caller) {
    int slot = cn_find_object(world, k, id, caller);
    if (slot < 0 || !(cn_require_idle(world) || cn_fail_call(caller))) return -1;
    int body = body_of(&world->sim, k, slot);
    if (body >= 0) cn_mark_edited(world, body);
    return slot;
}

bool cn_require_body(const cn_world *world, cn_body body, int *slot) {
    *slot = slot_of(body.id);
    return check_id(world, CN_BODIES, body.id);
}

// True if the slot has an object that the user created.
static bool is_user_object(const cn_world *world, cn_slot_kind k, int slot) {
    return slot < world->sim.slots[k].end && cn_is_alive(&world->sim, k, slot) &&
           !is_tile(world, k, slot);
}

static bool check_slot(int slot) {
    return (slot >= 0 && slot < CN_MAX_SLOTS) ||
           cn_fail(CN_ERROR_RANGE, "the slot is %d; it must be in 0 .. %d", slot, CN_MAX_SLOTS - 1);
}

int cn_slot_after(const cn_world *world, cn_slot_kind k, uint64_t previous, const char *caller) {
    bool begins = world && previous == 0;
    int slot = begins ? -1 : cn_find_object(world, k, previous, caller);
    if (!begins && slot < 0) return -1;
    while (++slot < world->sim.slots[k].end)
        if (is_user_object(world, k, slot)) return slot;
    return -1;
}

// ---- handles of bodies

cn_body cn_body_handle(const cn_world *world, int slot) {
    return (cn_body){cn_id_of(world, CN_BODIES, slot)};
}

bool cn_body_valid(const cn_world *world, cn_body body) {
    return cn_is_valid_object(world, CN_BODIES, body.id);
}

int cn_find_body(const cn_world *world, cn_body body, const char *caller) {
    return cn_find_object(world, CN_BODIES, body.id, caller);
}

int cn_edit_body(cn_world *world, cn_body body, const char *caller) {
    return cn_edit_object(world, CN_BODIES, body.id, caller);
}

cn_body cn_world_body_in_slot(const cn_world *world, int slot) {
    if (!cn_check_world(world, __func__) || !CN_CHECK(check_slot(slot))) return (cn_body){0};
    return cn_body_handle(world, is_user_object(world, CN_BODIES, slot) ? slot : -1);
}

// ---- handles of shapes

cn_shape cn_shape_handle(const cn_world *world, int slot) {
    return (cn_shape){cn_id_of(world, CN_SHAPES, slot)};
}

bool cn_shape_valid(const cn_world *world, cn_shape shape) {
    return cn_is_valid_object(world, CN_SHAPES, shape.id);
}

int cn_find_shape(const cn_world *world, cn_shape shape, const char *caller) {
    return cn_find_object(world, CN_SHAPES, shape.id, caller);
}

int cn_edit_shape(cn_world *world, cn_shape shape, const char *caller) {
    return cn_edit_object(world, CN_SHAPES, shape.id, caller);
}

cn_shape cn_world_shape_in_slot(const cn_world *world, int slot) {
    if (!cn_check_world(world, __func__) || !CN_CHECK(check_slot(slot))) return (cn_shape){0};
    return cn_shape_handle(world, is_user_object(world, CN_SHAPES, slot) ? slot : -1);
}

// ---- handles of joints

cn_joint cn_joint_handle(const cn_world *world, int slot) {
    return (cn_joint){cn_id_of(world, CN_JOINTS, slot)};
}

bool cn_joint_valid(const cn_world *world, cn_joint joint) {
    return cn_is_valid_object(world, CN_JOINTS, joint.id);
}

int cn_find_joint(const cn_world *world, cn_joint joint, const char *caller) {
    return cn_find_object(world, CN_JOINTS, joint.id, caller);
}

int cn_edit_joint(cn_world *world, cn_joint joint, const char *caller) {
    return cn_edit_object(world, CN_JOINTS, joint.id, caller);
}

cn_joint cn_world_joint_in_slot(const cn_world *world, int slot) {
    if (!cn_check_world(world, __func__) || !CN_CHECK(check_slot(slot))) return (cn_joint){0};
    return cn_joint_handle(world, is_user_object(world, CN_JOINTS, slot) ? slot : -1);
}

// ---- handles of grids of tiles: the other calls are in the part

cn_grid cn_grid_handle(const cn_world *world, int slot) {
    return (cn_grid){cn_id_of(world, CN_GRIDS, slot)};
}

cn_grid cn_world_grid_in_slot(const cn_world *world, int slot) {
    if (!cn_check_world(world, __func__) || !CN_CHECK(check_slot(slot))) return (cn_grid){0};
    return cn_grid_handle(world, is_user_object(world, CN_GRIDS, slot) ? slot : -1);
}

// ---- handles of chains

cn_chain cn_chain_handle(const cn_world *world, int slot) {
    return (cn_chain){cn_id_of(world, CN_CHAINS, slot)};
}

bool cn_chain_valid(const cn_world *world, cn_chain chain) {
    return cn_is_valid_object(world, CN_CHAINS, chain.id);
}

int cn_find_chain(const cn_world *world, cn_chain chain, const char *caller) {
    return cn_find_object(world, CN_CHAINS, chain.id, caller);
}

int cn_edit_chain(cn_world *world, cn_chain chain, const char *caller) {
    return cn_edit_object(world, CN_CHAINS, chain.id, caller);
}

cn_chain cn_world_chain_in_slot(const cn_world *world, int slot) {
    if (!cn_check_world(world, __func__) || !CN_CHECK(check_slot(slot))) return (cn_chain){0};
    return cn_chain_handle(world, is_user_object(world, CN_CHAINS, slot) ? slot : -1);
}
