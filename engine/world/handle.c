/* Checks of what callers bring, and the slots behind handles.
 *
 *     63                    32 31    24 23                    0
 *    | generation             | tag    | slot                  |     zero is null
 *
 * The generation of a slot starts at 1 and goes up by one when its object is destroyed, so an old
 * handle never fits again. A slot whose generations are used up is not used again either.
 *
 * Slots are taken from the front of the free list, else from the end of the rows; retired ones join
 * the end of the pending list. So which slot comes next follows from the calls and steps alone. */
#include "world.h"

#include <stdio.h>

enum { FIRST_CAPACITY = 16 };

// ---- checks

bool cn_check(bool passed, const char *caller) {
    if (passed) return true;
    char why[256];
    snprintf(why, sizeof why, "%s", cn_error());
    return cn_fail(cn_error_code(), "%s: %s", caller, why);
}

bool cn_require_pointer(const char *what, const void *pointer) {
    return pointer || cn_fail(CN_ERROR_HANDLE, "the %s is NULL", what);
}

bool cn_require_room(const void *array, int capacity) {
    if (capacity < 0) return cn_fail(CN_ERROR_RANGE, "capacity %d is negative", capacity);
    return array || capacity == 0 ||
           cn_fail(CN_ERROR_HANDLE, "the array for %d results is NULL", capacity);
}

// ---- handles

static int slot_of(uint64_t id) { return (int)(id & CN_MAX_SLOTS); }

static uint64_t make_id(const cn_world *world, int slot, const cn_cold *cold, bool alive) {
    uint32_t generation = cold[slot].generation - (alive ? 0 : 1);
    return (uint64_t)generation << 32 | (uint64_t)world->tag << 24 | (uint64_t)slot;
}

cn_body cn_body_handle(const cn_world *world, int slot) {
    return (cn_body){make_id(world, slot, world->sim.cold, cn_is_body(&world->sim, slot))};
}

cn_shape cn_shape_handle(const cn_world *world, int slot) {
    return (cn_shape){make_id(world, slot, world->sim.shape_cold, cn_is_shape(&world->sim, slot))};
}

bool cn_body_valid(const cn_world *world, cn_body body) {
    int slot = slot_of(body.id);
    return world && slot < world->sim.body_end && cn_is_body(&world->sim, slot) &&
           body.id == cn_body_handle(world, slot).id;
}

bool cn_shape_valid(const cn_world *world, cn_shape shape) {
    int slot = slot_of(shape.id);
    return world && slot < world->sim.shape_end && cn_is_shape(&world->sim, slot) &&
           shape.id == cn_shape_handle(world, slot).id;
}

// Says what is wrong with a handle that is not valid.
static int refuse_handle(const cn_world *world, uint64_t id, const char *noun, const char *caller) {
    int tag = (int)(id >> 24 & 255);
    if (!world)
        cn_fail(CN_ERROR_HANDLE, "%s: the world is NULL", caller);
    else if (id == 0)
        cn_fail(CN_ERROR_HANDLE, "%s: the %s is null (handle 0)", caller, noun);
    else if (tag != world->tag)
        cn_fail(CN_ERROR_HANDLE, "%s: the %s is of another world: it has tag %d, this world %d",
                caller, noun, tag, world->tag);
    else
        cn_fail(CN_ERROR_HANDLE, "%s: the %s in slot %d, generation %u, is none, or no more",
                caller, noun, slot_of(id), (unsigned)(id >> 32));
    return -1;
}

int cn_find_body(const cn_world *world, cn_body body, const char *caller) {
    if (cn_body_valid(world, body)) return slot_of(body.id);
    return refuse_handle(world, body.id, "body", caller);
}

int cn_find_shape(const cn_world *world, cn_shape shape, const char *caller) {
    if (cn_shape_valid(world, shape)) return slot_of(shape.id);
    return refuse_handle(world, shape.id, "shape", caller);
}

// ---- lists of unused slots, of bodies or of shapes

static const cn_slot_list no_slots = {-1, -1};

static void append(cn_slot_list *list, cn_cold *cold, cn_slot_list more) {
    if (more.first < 0) return;
    *(list->first < 0 ? &list->first : &cold[list->last].next_free) = more.first;
    list->last = more.last;
}

static void age(cn_slots *slots, cn_cold *cold) {
    append(&slots->free, cold, slots->limbo);
    slots->limbo = slots->pending;
    slots->pending = no_slots;
}

// The first free slot, else the end of the rows; -1 if there is none.
static int next_slot(const cn_slots *slots, int end) {
    if (slots->free.first >= 0) return slots->free.first;
    if (end < CN_MAX_SLOTS) return end;
    cn_fail(CN_ERROR_RANGE, "a world holds %d bodies and %d shapes at most", end, end);
    return -1;
}

static void take(cn_slots *slots, cn_cold *cold, int slot, int *end) {
    if (slot == *end)
        ++*end;
    else
        slots->free.first = cold[slot].next_free;
    if (cold[slot].generation == 0) cold[slot].generation = 1;
}

static void retire(cn_slots *slots, cn_cold *cold, int slot) {
    if (++cold[slot].generation == 0) return; // used up
    cold[slot].next_free = -1;
    append(&slots->pending, cold, (cn_slot_list){slot, slot});
}

void cn_init_slots(cn_world *world) {
    world->body_slots = world->shape_slots = (cn_slots){no_slots, no_slots, no_slots};
}

void cn_age_slots(cn_world *world) {
    age(&world->body_slots, world->sim.cold);
    age(&world->shape_slots, world->sim.shape_cold);
}

// ---- rows

#define ROW(array)                                                                                 \
    { (void *)&(array), sizeof *(array) }

// Room for a slot; slot -1 gives all memory back.
static bool resize(cn_memory *memory, const cn_row *rows, int count, int *capacity, int slot) {
    if (slot >= 0)
        return cn_grow_rows(memory, rows, count, capacity, cn_max_int(slot + 1, FIRST_CAPACITY));
    cn_release_rows(memory, rows, count, capacity);
    return true;
}

static bool resize_bodies(cn_simulation *sim, int slot) {
    const cn_row rows[] = {ROW(sim->hot),      ROW(sim->warm),  ROW(sim->cold),
                           ROW(sim->previous), ROW(sim->fresh), ROW(sim->kinematics)};
    return resize(&sim->memory, rows, 6, &sim->body_capacity, slot);
}

static bool resize_shapes(cn_simulation *sim, int slot) {
    const cn_row rows[] = {ROW(sim->placed),     ROW(sim->links), ROW(sim->shapes),
                           ROW(sim->shape_cold), ROW(sim->news),  ROW(sim->news_list)};
    return resize(&sim->memory, rows, 6, &sim->shape_capacity, slot);
}

int cn_next_body_slot(cn_world *world) {
    int slot = next_slot(&world->body_slots, world->sim.body_end);
    return slot >= 0 && resize_bodies(&world->sim, slot) ? slot : -1;
}

int cn_next_shape_slot(cn_world *world) {
    int slot = next_slot(&world->shape_slots, world->sim.shape_end);
    return slot >= 0 && resize_shapes(&world->sim, slot) ? slot : -1;
}

void cn_free_slots(cn_world *world) {
    resize_bodies(&world->sim, -1);
    resize_shapes(&world->sim, -1);
}

// ---- taking and retiring

void cn_take_body_slot(cn_world *world, int slot) {
    take(&world->body_slots, world->sim.cold, slot, &world->sim.body_end);
    world->sim.body_count++;
}

void cn_take_shape_slot(cn_world *world, int slot) {
    take(&world->shape_slots, world->sim.shape_cold, slot, &world->sim.shape_end);
    world->sim.shape_count++;
}

void cn_retire_body_slot(cn_world *world, int slot) {
    world->sim.hot[slot].flags &= ~(uint32_t)CN_BODY_ALIVE;
    world->sim.body_count--;
    retire(&world->body_slots, world->sim.cold, slot);
}

void cn_retire_shape_slot(cn_world *world, int slot) {
    world->sim.shapes[slot].flags = 0;
    world->sim.shape_count--;
    retire(&world->shape_slots, world->sim.shape_cold, slot);
}
