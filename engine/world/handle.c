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

enum { BODY_ROWS = 5, SHAPE_ROWS = 6, FIRST_CAPACITY = 16 };

// ---- checks

bool cn_check_world(const cn_world *world, const char *caller) {
    return world || cn_fail(CN_ERROR_HANDLE, "%s: the world is NULL", caller);
}

bool cn_check_pointer(const void *pointer, const char *what, const char *caller) {
    return pointer || cn_fail(CN_ERROR_HANDLE, "%s: the %s is NULL", caller, what);
}

bool cn_check_finite(float value, const char *what, const char *caller) {
    return cn_finite(value) ||
           cn_fail(CN_ERROR_NUMBER, "%s: %s %g is not finite", caller, what, (double)value);
}

bool cn_check_finite2(vec2s value, const char *what, const char *caller) {
    return cn_finite2(value) || cn_fail(CN_ERROR_NUMBER, "%s: %s (%g, %g) is not finite", caller,
                                        what, (double)value.x, (double)value.y);
}

bool cn_check_range(float value, float low, float high, const char *what, const char *caller) {
    if (!cn_check_finite(value, what, caller)) return false;
    return (value >= low && value <= high) ||
           cn_fail(CN_ERROR_RANGE, "%s: %s %g is not in %g..%g", caller, what, (double)value,
                   (double)low, (double)high);
}

bool cn_check_count(int value, int low, int high, const char *what, const char *caller) {
    return (value >= low && value <= high) ||
           cn_fail(CN_ERROR_RANGE, "%s: %s %d is not in %d..%d", caller, what, value, low, high);
}

bool cn_check_point(vec2s point, const char *what, const char *caller) {
    if (!cn_check_finite2(point, what, caller)) return false;
    return (cn_abs(point.x) <= CN_FARTHEST && cn_abs(point.y) <= CN_FARTHEST) ||
           cn_fail(CN_ERROR_RANGE, "%s: %s (%g, %g) is farther out than %g", caller, what,
                   (double)point.x, (double)point.y, (double)CN_FARTHEST);
}

bool cn_check_hull(const cn_hull *hull, const char *caller) {
    if (cn_hull_check(hull)) return true;
    char why[200];
    snprintf(why, sizeof why, "%s", cn_error());
    return cn_fail(cn_error_code(), "%s: %s", caller, why);
}

bool cn_check_room(const void *array, int capacity, const char *caller) {
    if (capacity < 0)
        return cn_fail(CN_ERROR_RANGE, "%s: capacity %d is negative", caller, capacity);
    return array || capacity == 0 ||
           cn_fail(CN_ERROR_HANDLE, "%s: the array for %d results is NULL", caller, capacity);
}

// ---- handles

static uint64_t make_id(const cn_world *world, int slot, uint32_t generation) {
    return (uint64_t)generation << 32 | (uint64_t)world->tag << 24 | (uint64_t)slot;
}

static int slot_of(uint64_t id) { return (int)(id & CN_MAX_SLOTS); }
static int tag_of(uint64_t id) { return (int)(id >> 24 & 255); }
static uint32_t generation_of(uint64_t id) { return (uint32_t)(id >> 32); }

cn_body cn_body_handle(const cn_world *world, int slot) {
    uint32_t generation = world->sim.cold[slot].generation;
    if (!cn_is_body(&world->sim, slot)) generation--;
    return (cn_body){make_id(world, slot, generation)};
}

cn_shape cn_shape_handle(const cn_world *world, int slot) {
    uint32_t generation = world->sim.shape_cold[slot].generation;
    if (!cn_is_shape(&world->sim, slot)) generation--;
    return (cn_shape){make_id(world, slot, generation)};
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
    int tag = tag_of(id);
    if (id == 0)
        cn_fail(CN_ERROR_HANDLE, "%s: the %s is null (handle 0)", caller, noun);
    else if (tag != world->tag)
        cn_fail(CN_ERROR_HANDLE, "%s: the %s is of another world: it has tag %d, this world %d",
                caller, noun, tag, world->tag);
    else
        cn_fail(CN_ERROR_HANDLE, "%s: the %s in slot %d, generation %u, is none, or no more",
                caller, noun, slot_of(id), (unsigned)generation_of(id));
    return -1;
}

int cn_find_body(const cn_world *world, cn_body body, const char *caller) {
    if (!cn_check_world(world, caller)) return -1;
    if (cn_body_valid(world, body)) return slot_of(body.id);
    return refuse_handle(world, body.id, "body", caller);
}

int cn_find_shape(const cn_world *world, cn_shape shape, const char *caller) {
    if (!cn_check_world(world, caller)) return -1;
    if (cn_shape_valid(world, shape)) return slot_of(shape.id);
    return refuse_handle(world, shape.id, "shape", caller);
}

// ---- lists of unused slots

typedef int *link_function(cn_simulation *sim, int slot);

static int *body_link(cn_simulation *sim, int slot) { return &sim->cold[slot].next_free; }
static int *shape_link(cn_simulation *sim, int slot) { return &sim->shape_cold[slot].next_free; }

static const cn_slot_list no_slots = {-1, -1};

static void append(cn_simulation *sim, link_function *link, cn_slot_list *list, cn_slot_list more) {
    if (more.first < 0) return;
    if (list->first < 0)
        list->first = more.first;
    else
        *link(sim, list->last) = more.first;
    list->last = more.last;
}

static void push(cn_simulation *sim, link_function *link, cn_slots *slots, int slot) {
    *link(sim, slot) = -1;
    append(sim, link, &slots->pending, (cn_slot_list){slot, slot});
}

static void age(cn_simulation *sim, link_function *link, cn_slots *slots) {
    append(sim, link, &slots->free, slots->limbo);
    slots->limbo = slots->pending;
    slots->pending = no_slots;
}

// Takes the next slot, which is the first free one, else the end of the rows.
static void take(cn_simulation *sim, link_function *link, cn_slots *slots, int *end) {
    if (slots->free.first < 0)
        ++*end;
    else
        slots->free.first = *link(sim, slots->free.first);
}

static int next_slot(const cn_slots *slots, int end, const char *noun, const char *caller) {
    if (slots->free.first >= 0) return slots->free.first;
    if (end < CN_MAX_SLOTS) return end;
    cn_fail(CN_ERROR_RANGE, "%s: a world holds %d %s at most", caller, CN_MAX_SLOTS, noun);
    return -1;
}

void cn_init_slots(cn_world *world) {
    world->body_slots = world->shape_slots = (cn_slots){no_slots, no_slots, no_slots};
}

void cn_age_slots(cn_world *world) {
    age(&world->sim, body_link, &world->body_slots);
    age(&world->sim, shape_link, &world->shape_slots);
}

// ---- rows

static void list_body_rows(cn_simulation *sim, cn_row rows[BODY_ROWS]) {
    rows[0] = (cn_row){(void *)&sim->hot, sizeof *sim->hot};
    rows[1] = (cn_row){(void *)&sim->warm, sizeof *sim->warm};
    rows[2] = (cn_row){(void *)&sim->cold, sizeof *sim->cold};
    rows[3] = (cn_row){(void *)&sim->fresh, sizeof *sim->fresh};
    rows[4] = (cn_row){(void *)&sim->kinematics, sizeof *sim->kinematics};
}

static void list_shape_rows(cn_simulation *sim, cn_row rows[SHAPE_ROWS]) {
    rows[0] = (cn_row){(void *)&sim->placed, sizeof *sim->placed};
    rows[1] = (cn_row){(void *)&sim->links, sizeof *sim->links};
    rows[2] = (cn_row){(void *)&sim->shapes, sizeof *sim->shapes};
    rows[3] = (cn_row){(void *)&sim->shape_cold, sizeof *sim->shape_cold};
    rows[4] = (cn_row){(void *)&sim->news, sizeof *sim->news};
    rows[5] = (cn_row){(void *)&sim->news_list, sizeof *sim->news_list};
}

static bool make_room(cn_simulation *sim, const cn_row *rows, int count, int *capacity, int slot) {
    int needed = cn_max_int(slot + 1, FIRST_CAPACITY);
    return cn_grow_rows(&sim->memory, rows, count, capacity, needed);
}

int cn_next_body_slot(cn_world *world, const char *caller) {
    cn_simulation *sim = &world->sim;
    int slot = next_slot(&world->body_slots, sim->body_end, "bodies", caller);
    cn_row rows[BODY_ROWS];
    list_body_rows(sim, rows);
    bool fits = slot >= 0 && make_room(sim, rows, BODY_ROWS, &sim->body_capacity, slot);
    return fits ? slot : -1;
}

int cn_next_shape_slot(cn_world *world, const char *caller) {
    cn_simulation *sim = &world->sim;
    int slot = next_slot(&world->shape_slots, sim->shape_end, "shapes", caller);
    cn_row rows[SHAPE_ROWS];
    list_shape_rows(sim, rows);
    bool fits = slot >= 0 && make_room(sim, rows, SHAPE_ROWS, &sim->shape_capacity, slot);
    return fits ? slot : -1;
}

void cn_free_slots(cn_world *world) {
    cn_simulation *sim = &world->sim;
    cn_row rows[BODY_ROWS], shape_rows[SHAPE_ROWS];
    list_body_rows(sim, rows);
    list_shape_rows(sim, shape_rows);
    cn_release_rows(&sim->memory, rows, BODY_ROWS, &sim->body_capacity);
    cn_release_rows(&sim->memory, shape_rows, SHAPE_ROWS, &sim->shape_capacity);
}

// ---- taking and retiring

void cn_take_body_slot(cn_world *world, int slot) {
    cn_simulation *sim = &world->sim;
    take(sim, body_link, &world->body_slots, &sim->body_end);
    if (sim->cold[slot].generation == 0) sim->cold[slot].generation = 1;
    sim->body_count++;
}

void cn_take_shape_slot(cn_world *world, int slot) {
    cn_simulation *sim = &world->sim;
    take(sim, shape_link, &world->shape_slots, &sim->shape_end);
    if (sim->shape_cold[slot].generation == 0) sim->shape_cold[slot].generation = 1;
    sim->shape_count++;
}

void cn_retire_body_slot(cn_world *world, int slot) {
    cn_simulation *sim = &world->sim;
    sim->hot[slot].flags &= ~(uint32_t)CN_BODY_ALIVE;
    sim->body_count--;
    if (++sim->cold[slot].generation == 0) return; // used up
    push(sim, body_link, &world->body_slots, slot);
}

void cn_retire_shape_slot(cn_world *world, int slot) {
    cn_simulation *sim = &world->sim;
    sim->shapes[slot].flags = 0;
    sim->shape_count--;
    if (++sim->shape_cold[slot].generation == 0) return; // used up
    push(sim, shape_link, &world->shape_slots, slot);
}
