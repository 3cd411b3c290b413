/* Checks of what callers bring, and the slots behind handles.
 *
 *     63                    32 31    24 23                    0
 *    | generation             | tag    | slot                  |     zero is null
 *
 * The generation of a slot starts at 1 and goes up by one when its object is destroyed, so an old
 * handle never fits again. A slot whose generations are used up is not used again either.
 *
 * Slots are taken from the front of the queue of unused ones if that has rested long enough, else
 * from the end of the rows; retired ones join the end of the queue. So which slot comes next follows
 * from the calls and steps alone. */
#include "world.h"

#include <stdio.h>

enum { MAX_ROWS = 11, FIRST_CAPACITY = 16 };

// ---- checks

bool cn_check(bool passed, const char *caller) {
    if (passed) return true;
    char why[256];
    snprintf(why, sizeof why, "%s", cn_error());
    return cn_fail(cn_error_code(), "%s: %s", caller, why);
}

bool cn_check_part(const char *what, int number) {
    char part[64];
    snprintf(part, sizeof part, "%s %d", what, number);
    return cn_check(false, part);
}

bool cn_require_pointer(const char *what, const void *pointer) {
    return pointer || cn_fail(CN_ERROR_HANDLE, "the %s is NULL", what);
}

bool cn_require_idle(const cn_world *world) {
    return !world->calling || cn_fail(CN_ERROR_STATE, "not from within a callback");
}

bool cn_require_room(const void *array, int capacity) {
    if (capacity < 0) return cn_fail(CN_ERROR_RANGE, "capacity %d is negative", capacity);
    return array || capacity == 0 ||
           cn_fail(CN_ERROR_HANDLE, "the array for %d results is NULL", capacity);
}

// ---- bodies and shapes, as far as they are alike

static const char *const nouns[] = {"body", "shape", "joint", "tile grid"};

static int end_of(const cn_world *world, cn_slot_kind k) {
    const cn_simulation *sim = &world->sim;
    return (const int[]){sim->body_end, sim->shape_end, sim->joint_end, sim->grid_end}[k];
}
static bool is_alive(const cn_world *world, cn_slot_kind k, int slot) {
    const cn_simulation *sim = &world->sim;
    if (k == CN_JOINTS) return cn_is_joint(sim, slot);
    if (k == CN_GRIDS) return cn_is_grid(sim, slot);
    return k == CN_BODIES ? cn_is_body(sim, slot) : cn_is_shape(sim, slot);
}

// ---- handles

static int slot_of(uint64_t id) { return (int)(id & CN_MAX_SLOTS); }

static uint64_t id_of(const cn_world *world, cn_slot_kind k, int slot) {
    uint32_t generation =
        cn_cold_of(world, k)[slot].generation - (is_alive(world, k, slot) ? 0 : 1);
    return (uint64_t)generation << 32 | (uint64_t)world->tag << 24 | (uint64_t)slot;
}

cn_body cn_body_handle(const cn_world *world, int slot) {
    return (cn_body){id_of(world, CN_BODIES, slot)};
}
cn_shape cn_shape_handle(const cn_world *world, int slot) {
    return (cn_shape){id_of(world, CN_SHAPES, slot)};
}
cn_joint cn_joint_handle(const cn_world *world, int slot) {
    return (cn_joint){id_of(world, CN_JOINTS, slot)};
}
cn_tiles cn_tiles_handle(const cn_world *world, int slot) {
    return (cn_tiles){id_of(world, CN_GRIDS, slot)};
}

static bool is_valid(const cn_world *world, cn_slot_kind k, uint64_t id) {
    int slot = slot_of(id);
    return world && slot < end_of(world, k) && is_alive(world, k, slot) &&
           id == id_of(world, k, slot);
}

bool cn_body_valid(const cn_world *world, cn_body body) {
    return is_valid(world, CN_BODIES, body.id);
}
bool cn_shape_valid(const cn_world *world, cn_shape shape) {
    return is_valid(world, CN_SHAPES, shape.id);
}
bool cn_joint_valid(const cn_world *world, cn_joint joint) {
    return is_valid(world, CN_JOINTS, joint.id);
}
bool cn_tiles_valid(const cn_world *world, cn_tiles tiles) {
    return is_valid(world, CN_GRIDS, tiles.id);
}

static int find(const cn_world *world, cn_slot_kind k, uint64_t id, const char *caller) {
    if (is_valid(world, k, id)) return slot_of(id);
    int tag = (int)(id >> 24 & 255);
    if (!world)
        cn_fail(CN_ERROR_HANDLE, "%s: the world is NULL", caller);
    else if (id == 0)
        cn_fail(CN_ERROR_HANDLE, "%s: the %s is null (handle 0)", caller, nouns[k]);
    else if (tag != world->tag)
        cn_fail(CN_ERROR_HANDLE, "%s: the %s is of another world: it has tag %d, this world %d",
                caller, nouns[k], tag, world->tag);
    else
        cn_fail(CN_ERROR_HANDLE, "%s: the %s in slot %d, generation %u, is none, or no more",
                caller, nouns[k], slot_of(id), (unsigned)(id >> 32));
    return -1;
}

int cn_find_body(const cn_world *world, cn_body body, const char *caller) {
    return find(world, CN_BODIES, body.id, caller);
}
int cn_find_shape(const cn_world *world, cn_shape shape, const char *caller) {
    return find(world, CN_SHAPES, shape.id, caller);
}
int cn_find_joint(const cn_world *world, cn_joint joint, const char *caller) {
    return find(world, CN_JOINTS, joint.id, caller);
}
int cn_find_tiles(const cn_world *world, cn_tiles tiles, const char *caller) {
    return find(world, CN_GRIDS, tiles.id, caller);
}

// ---- rows

// Room for a slot of that kind; slot -1 gives all memory of the rows back.
static bool resize(cn_world *world, cn_slot_kind k, int slot) {
    cn_simulation *sim = &world->sim;
    const int counts[] = {10, 11, 6, 3};
    int *const capacities[] = {&sim->body_capacity, &sim->shape_capacity, &sim->joint_capacity,
                               &sim->grid_capacity};
    if (slot >= 0 && slot < *capacities[k]) return true;
    const cn_row rows[CN_SLOT_KINDS][MAX_ROWS] = {
        {CN_ROW(sim->hot), CN_ROW(sim->warm), CN_ROW(sim->cold), CN_ROW(sim->previous),
         CN_ROW(sim->motions), CN_ROW(sim->fast), CN_ROW(sim->fresh), CN_ROW(sim->kinematics),
         CN_ROW(sim->first_joint), CN_ROW(world->retired[CN_BODIES])},
        {CN_ROW(sim->placed), CN_ROW(sim->links), CN_ROW(sim->shapes), CN_ROW(sim->shape_cold),
         CN_ROW(sim->news), CN_ROW(sim->news_list), CN_ROW(sim->surface_of), CN_ROW(world->chains),
         CN_ROW(world->retired[CN_SHAPES]), CN_ROW(sim->tile_of), CN_ROW(sim->rooms)},
        {CN_ROW(sim->joint_records), CN_ROW(sim->tuned), CN_ROW(sim->joints),
         CN_ROW(sim->joint_cold), CN_ROW(world->broken), CN_ROW(world->retired[CN_JOINTS])},
        {CN_ROW(sim->grids), CN_ROW(sim->grid_cold), CN_ROW(world->retired[CN_GRIDS])}};
    int needed = cn_max_int(slot + 1, FIRST_CAPACITY);
    if (slot >= 0) return cn_grow_rows(&sim->memory, rows[k], counts[k], capacities[k], needed);
    cn_release_rows(&sim->memory, rows[k], counts[k], capacities[k]);
    return true;
}

void cn_free_slots(cn_world *world) {
    for (int k = 0; k < CN_SLOT_KINDS; k++) resize(world, (cn_slot_kind)k, -1);
}

// ---- taking and retiring

bool cn_has_rested(const cn_world *world, cn_slot_kind k, int slot) {
    return (int32_t)((uint32_t)world->told - world->retired[k][slot]) > 0;
}

int cn_next_slot(cn_world *world, cn_slot_kind k) {
    int first = world->unused[k].first, slot = end_of(world, k);
    if (first >= 0 && cn_has_rested(world, k, first)) slot = first;
    if (slot < CN_MAX_SLOTS) return resize(world, k, slot) ? slot : -1;
    cn_fail(CN_ERROR_RANGE, "all %d slots of a %s are taken", CN_MAX_SLOTS, nouns[k]);
    return -1;
}

bool cn_reserve_slots(cn_world *world, cn_slot_kind k, int count) {
    int last = end_of(world, k) + count - 1;
    return last < CN_MAX_SLOTS ? resize(world, k, last)
                               : cn_fail(CN_ERROR_RANGE, "%d more slots of a %s: only %d are left",
                                         count, nouns[k], CN_MAX_SLOTS - end_of(world, k));
}

void cn_take_slot(cn_world *world, cn_slot_kind k, int slot) {
    cn_simulation *sim = &world->sim;
    cn_cold *cold = &cn_cold_of(world, k)[slot];
    int *const ends[] = {&sim->body_end, &sim->shape_end, &sim->joint_end, &sim->grid_end};
    int *const counts[] = {&sim->body_count, &sim->shape_count, &sim->joint_count,
                           &sim->grid_count};
    if (slot == *ends[k])
        ++*ends[k];
    else
        world->unused[k].first = cold->next_free;
    ++*counts[k];
    if (cold->generation == 0) cold->generation = 1;
}

void cn_retire_slot(cn_world *world, cn_slot_kind k, int slot) {
    cn_simulation *sim = &world->sim;
    cn_cold *cold = cn_cold_of(world, k);
    cn_slot_queue *unused = &world->unused[k];
    if (k == CN_BODIES) cn_set_flag(&sim->hot[slot].flags, CN_BODY_ALIVE, false);
    if (k == CN_SHAPES) sim->shapes[slot].flags = 0;
    if (k == CN_JOINTS) sim->joints[slot].flags = 0;
    int *const counts[] = {&sim->body_count, &sim->shape_count, &sim->joint_count,
                           &sim->grid_count};
    --*counts[k];
    if (++cold[slot].generation == 0) return; // used up
    world->retired[k][slot] = (uint32_t)world->steps;
    cold[slot].next_free = -1;
    *(unused->first < 0 ? &unused->first : &cold[unused->last].next_free) = slot;
    unused->last = slot;
}
