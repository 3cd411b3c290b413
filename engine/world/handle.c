/* Checks of arguments, handles, and the slots behind handles.
 *
 *     63                    32 31    24 23                    0
 *    | generation             | tag    | slot                  |     zero is null
 *
 * The generation of a slot starts at 1 and increases by one when its object is destroyed, so an old
 * handle never becomes valid again. After its last generation a slot is not used again.
 *
 * A new object takes the first slot of the queue of unused slots if that slot may be used again
 * (see cn_slot_queue), otherwise a new slot at the end of the rows. The slot of a destroyed object
 * joins the end of the queue. So the slot of a new object depends only on the calls and steps
 * before. */
#include "world.h"

enum { MAX_ROWS = 8, FIRST_CAPACITY = 8, MANY = 64 };

// ---- checks

bool cn_require_pointer(const char *what, const void *pointer) {
    return pointer || cn_fail(CN_ERROR_HANDLE, "the %s is NULL", what);
}

bool cn_require_idle(const cn_world *world) {
    if (cn_is_in_accept(world))
        return cn_fail(CN_ERROR_STATE,
                       "accept() of a query must not change the world: collect what "
                       "it finds, and change the world after the query");
    return !world->in_callback ||
           cn_fail(CN_ERROR_STATE, "a filter or pre_solve callback must not change its world");
}

bool cn_edit_world(const cn_world *world, const char *caller) {
    return (cn_require_pointer("world", world) && cn_require_idle(world)) || cn_fail_call(caller);
}

// ---- names of the slot kinds, for errors

static const char *const nouns[] = {"body", "shape", "joint", "grid of tiles"};
static const char *const plurals[] = {"bodies", "shapes", "joints", "grids of tiles"};

// ---- handles

static int slot_of(uint64_t id) { return (int)(id & CN_MAX_SLOTS); }

static bool is_valid(const cn_world *world, cn_slot_kind k, uint64_t id) {
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
    return k == CN_SHAPES && cn_is_tile(&world->sim, slot);
}

static bool check_id(const cn_world *world, cn_slot_kind k, uint64_t id) {
    if (is_valid(world, k, id)) return true;
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

static int find(const cn_world *world, cn_slot_kind k, uint64_t id, const char *caller) {
    return check_id(world, k, id) || cn_fail_call(caller) ? slot_of(id) : -1;
}

// The same for a call that changes the world: also -1 while a callback runs.
static int find_to_edit(const cn_world *world, cn_slot_kind k, uint64_t id, const char *caller) {
    int slot = find(world, k, id, caller);
    return slot >= 0 && (cn_require_idle(world) || cn_fail_call(caller)) ? slot : -1;
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
    int slot = begins ? -1 : find(world, k, previous, caller);
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
    return is_valid(world, CN_BODIES, body.id);
}

int cn_find_body(const cn_world *world, cn_body body, const char *caller) {
    return find(world, CN_BODIES, body.id, caller);
}

int cn_edit_body(const cn_world *world, cn_body body, const char *caller) {
    return find_to_edit(world, CN_BODIES, body.id, caller);
}

cn_body cn_world_body(const cn_world *world, int slot) {
    if (!cn_check_world(world, __func__) || !CN_CHECK(check_slot(slot))) return (cn_body){0};
    return cn_body_handle(world, is_user_object(world, CN_BODIES, slot) ? slot : -1);
}

// ---- handles of shapes

cn_shape cn_shape_handle(const cn_world *world, int slot) {
    return (cn_shape){cn_id_of(world, CN_SHAPES, slot)};
}

bool cn_shape_valid(const cn_world *world, cn_shape shape) {
    return is_valid(world, CN_SHAPES, shape.id);
}

int cn_find_shape(const cn_world *world, cn_shape shape, const char *caller) {
    return find(world, CN_SHAPES, shape.id, caller);
}

int cn_edit_shape(const cn_world *world, cn_shape shape, const char *caller) {
    return find_to_edit(world, CN_SHAPES, shape.id, caller);
}

cn_shape cn_world_shape(const cn_world *world, int slot) {
    if (!cn_check_world(world, __func__) || !CN_CHECK(check_slot(slot))) return (cn_shape){0};
    return cn_shape_handle(world, is_user_object(world, CN_SHAPES, slot) ? slot : -1);
}

// ---- handles of joints

cn_joint cn_joint_handle(const cn_world *world, int slot) {
    return (cn_joint){cn_id_of(world, CN_JOINTS, slot)};
}

bool cn_joint_valid(const cn_world *world, cn_joint joint) {
    return is_valid(world, CN_JOINTS, joint.id);
}

int cn_find_joint(const cn_world *world, cn_joint joint, const char *caller) {
    return find(world, CN_JOINTS, joint.id, caller);
}

int cn_edit_joint(const cn_world *world, cn_joint joint, const char *caller) {
    return find_to_edit(world, CN_JOINTS, joint.id, caller);
}

cn_joint cn_world_joint(const cn_world *world, int slot) {
    if (!cn_check_world(world, __func__) || !CN_CHECK(check_slot(slot))) return (cn_joint){0};
    return cn_joint_handle(world, is_user_object(world, CN_JOINTS, slot) ? slot : -1);
}

// ---- handles of grids of tiles

cn_tiles cn_tiles_handle(const cn_world *world, int slot) {
    return (cn_tiles){cn_id_of(world, CN_GRIDS, slot)};
}

bool cn_tiles_valid(const cn_world *world, cn_tiles tiles) {
    return is_valid(world, CN_GRIDS, tiles.id);
}

int cn_find_tiles(const cn_world *world, cn_tiles tiles, const char *caller) {
    return find(world, CN_GRIDS, tiles.id, caller);
}

int cn_edit_tiles(const cn_world *world, cn_tiles tiles, const char *caller) {
    return find_to_edit(world, CN_GRIDS, tiles.id, caller);
}

cn_tiles cn_world_grid(const cn_world *world, int slot) {
    if (!cn_check_world(world, __func__) || !CN_CHECK(check_slot(slot))) return (cn_tiles){0};
    return cn_tiles_handle(world, is_user_object(world, CN_GRIDS, slot) ? slot : -1);
}

// ---- rows

// Grows optional rows, which not every world has. Once they exist, they grow before the other rows
// of their kind.
static bool follow(cn_simulation *sim, cn_row row, int *capacity, int needed) {
    return *capacity == 0 || cn_fit_rows(&sim->memory, &row, 1, capacity, needed);
}

bool cn_resize_slots(cn_world *world, cn_slot_kind k, int needed, bool exactly) {
    cn_simulation *sim = &world->sim;
    cn_slot_rows *slots = &sim->slots[k];
    int more = slots->capacity / (slots->capacity < MANY ? 1 : 2);
    if (needed <= slots->capacity) return true;
    if (!exactly) needed = cn_max_int(needed, cn_max_int(slots->capacity + more, FIRST_CAPACITY));
    const int counts[] = {6, 8, 5, 2};
    const cn_row rows[CN_SLOT_KINDS][MAX_ROWS] = {
        {CN_ROW(sim->hot), CN_ROW(sim->warm), CN_ROW(slots->items), CN_ROW(sim->motions),
         CN_ROW(sim->unplanned), CN_ROW(sim->first_joint)},
        {CN_ROW(sim->placed), CN_ROW(sim->links), CN_ROW(sim->shapes), CN_ROW(slots->items),
         CN_ROW(sim->dirty), CN_ROW(sim->dirty_shapes), CN_ROW(sim->surface_of), CN_ROW(sim->box_slack)},
        {CN_ROW(sim->joint_records), CN_ROW(sim->prepared_joints), CN_ROW(sim->joints), CN_ROW(slots->items),
         CN_ROW(world->broken)},
        {CN_ROW(sim->grids), CN_ROW(slots->items)}};
    const cn_row previous = CN_ROW(sim->previous), rare = CN_ROW(sim->rare);
    return follow(sim, CN_ROW(slots->user_data), &slots->user_data_capacity, needed) &&
           (k != CN_BODIES || follow(sim, previous, &sim->previous_capacity, needed)) &&
           (k != CN_SHAPES || follow(sim, rare, &sim->rare_capacity, needed)) &&
           cn_fit_rows(&sim->memory, rows[k], counts[k], &slots->capacity, needed);
}

bool cn_set_user_data(cn_simulation *sim, cn_slot_kind k, int slot, uint64_t user_data) {
    cn_slot_rows *slots = &sim->slots[k];
    int *capacity = &slots->user_data_capacity, needed = user_data ? slots->capacity : 0;
    if (!cn_fit(&sim->memory, &slots->user_data, capacity, needed)) return false;
    if (slot < *capacity) slots->user_data[slot] = user_data;
    return true;
}

// ---- taking and retiring

void cn_age_slots(cn_world *world, bool told) {
    for (int k = 0; k < CN_SLOT_KINDS; k++) {
        cn_slot_queue *unused = &world->unused[k];
        if (told) unused->rested = unused->seen;
        unused->seen = unused->last;
    }
}

bool cn_reserve_slots(cn_world *world, cn_slot_kind k, int count) {
    int left = CN_MAX_SLOTS - world->sim.slots[k].end;
    if (count > left)
        return cn_fail(CN_ERROR_RANGE, "there are no slots for %d more %s: %d of %d are left",
                       count, plurals[k], left, CN_MAX_SLOTS);
    return cn_resize_slots(world, k, world->sim.slots[k].end + count, false);
}

int cn_next_slot(cn_world *world, cn_slot_kind k, uint64_t user_data) {
    const cn_slot_queue *unused = &world->unused[k];
    bool again = unused->rested >= 0;
    int slot = again ? unused->first : world->sim.slots[k].end;
    bool done = (again || cn_reserve_slots(world, k, 1)) &&
                cn_set_user_data(&world->sim, k, slot, user_data);
    return done ? slot : -1;
}

static void take_first(cn_slot_queue *unused, int next) {
    int *const marks[] = {&unused->last, &unused->rested, &unused->seen};
    for (int i = 0; i < 3; i++)
        if (*marks[i] == unused->first) *marks[i] = -1;
    unused->first = next;
}

void cn_take_slot(cn_world *world, cn_slot_kind k, int slot) {
    cn_slot_rows *slots = &world->sim.slots[k];
    cn_slot *taken = &slots->items[slot];
    if (slot == slots->end)
        slots->end++;
    else
        take_first(&world->unused[k], taken->next_free);
    slots->count++;
    taken->next_free = CN_IN_USE;
    if (taken->generation == 0) taken->generation = 1;
}

void cn_retire_slot(cn_world *world, cn_slot_kind k, int slot) {
    cn_simulation *sim = &world->sim;
    cn_slot *slots = sim->slots[k].items;
    cn_slot_queue *unused = &world->unused[k];
    if (k == CN_BODIES) cn_set_flag(&sim->hot[slot].flags, CN_BODY_ALIVE, false);
    if (k == CN_SHAPES) sim->shapes[slot].flags &= CN_SHAPE_RARE; // events read the tile's number
    if (k == CN_JOINTS) sim->joints[slot].flags = 0;
    sim->slots[k].count--;
    slots[slot].next_free = -1;
    if (++slots[slot].generation == 0) return; // this was the last generation
    *(unused->first < 0 ? &unused->first : &slots[unused->last].next_free) = slot;
    unused->last = slot;
}
