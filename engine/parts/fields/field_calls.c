/* Media of shapes: checks, defaults, and the list of fields. */
#include "fields.h"

#define MAX_MEDIUM     1e9f  // kg/m^2, 1/s: so that its product with a mass is a float
#define MAX_ATTRACTION 1e18f // m^3/s^2
#define DEFAULT_FLOOR  0.1f  // m, times the length unit: cn_medium.floor

// ---- the list

static cn_gap_list list_of(cn_field_state *fields) {
    return (cn_gap_list){.items = fields->list.items,
                         .size = sizeof *fields->list.items,
                         .count = &fields->list.count,
                         .gaps = &fields->gaps,
                         .places = fields->places,
                         .stride = sizeof *fields->places};
}

bool cn_reserve_field_places(cn_simulation *sim) {
    cn_field_state *fields = cn_fields_of(sim);
    const cn_slot_rows *slots = &sim->slots[CN_SHAPES];
    return cn_fit(&sim->memory, &fields->places, &fields->places_capacity,
                  cn_max_int(slots->capacity, slots->end + 1));
}

// Reserves memory for more fields. False if memory is short.
static bool reserve_fields(cn_simulation *sim, int count) {
    if (!cn_reserve_part_state(sim, &cn_fields_part)) return false;
    cn_field_state *fields = cn_fields_of(sim);
    cn_gap_tidy(list_of(fields));
    int needed = fields->list.count + count;
    return cn_reserve_field_places(sim) && cn_reserve(&sim->memory, &fields->list, needed) &&
           cn_reserve(&sim->memory, &fields->placed, needed);
}

// The place of a shape that never was a field is 0, so the field found there must be checked.
int cn_find_field(const cn_simulation *sim, int shape) {
    const cn_field_state *fields = cn_fields_of(sim);
    if (!fields || shape >= fields->places_capacity) return -1;
    int i = fields->places[shape];
    return i >= 0 && i < fields->list.count && fields->list.items[i].shape == shape ? i : -1;
}

bool cn_find_field_places(cn_simulation *sim) {
    cn_field_state *fields = cn_fields_of(sim);
    if (!fields) return true;
    cn_gap_close(list_of(fields));
    for (int i = 0; i < fields->list.count; i++)
        if (cn_find_field(sim, fields->list.items[i].shape) != i) return false;
    return true;
}

static void begin_reading(cn_simulation *sim, bool is_used) {
    cn_field_state *fields = cn_fields_of(sim);
    if (fields && !is_used) fields->list.count = fields->gaps = 0;
}

static void state_read(cn_simulation *sim) { cn_find_field_places(sim); }

static void close_gaps(cn_simulation *sim) {
    cn_field_state *fields = cn_fields_of(sim);
    if (fields && fields->gaps) cn_gap_close(list_of(fields));
}

// Makes the shape a field with this medium. If the medium is empty, the shape is no longer a field.
// The memory must be reserved.
static void store_medium(cn_simulation *sim, int shape, cn_medium medium) {
    cn_field_state *fields = cn_fields_of(sim);
    int i = cn_find_field(sim, shape);
    bool is_empty = cn_is_empty_medium(medium);
    if (i >= 0 && is_empty)
        cn_gap_leave(sim, list_of(fields), shape);
    else if (i >= 0)
        fields->list.items[i].medium = medium;
    else if (!is_empty)
        cn_gap_append(list_of(fields), &(cn_field){shape, medium});
}

// ---- checks and defaults

static int count_fields(const cn_simulation *sim) {
    const cn_field_state *fields = cn_fields_of(sim);
    return fields ? fields->list.count - fields->gaps : 0;
}

static bool require_room(const cn_simulation *sim, int more) {
    return count_fields(sim) + more <= CN_MAX_FIELDS ||
           cn_fail(CN_ERROR_STATE, "the world has %d fields; with %d more it would have over %d",
                   count_fields(sim), more, CN_MAX_FIELDS);
}

bool cn_require_medium(const cn_simulation *sim, cn_medium m, int shape) {
    bool is_new = !cn_is_empty_medium(m) && (shape < 0 || cn_find_field(sim, shape) < 0);
    return (!is_new || require_room(sim, 1)) &&
           cn_require("density of the medium", m.density, 0, MAX_MEDIUM) &&
           cn_require("linear drag", m.linear_drag, 0, MAX_MEDIUM) &&
           cn_require("angular drag", m.angular_drag, 0, MAX_MEDIUM) &&
           cn_require2("flow", m.flow, CN_MAX_COORDINATE) &&
           cn_require2("acceleration of the medium", m.acceleration, CN_MAX_COORDINATE) &&
           cn_require("attraction", m.attraction, -MAX_ATTRACTION, MAX_ATTRACTION) &&
           cn_require("floor of the attraction", m.floor, 0, CN_MAX_COORDINATE);
}

static cn_medium apply_defaults(const cn_simulation *sim, cn_medium medium) {
    if (medium.floor == 0) medium.floor = DEFAULT_FLOOR * sim->length_unit;
    return medium;
}

// ---- calls

bool cn_shape_set_medium(cn_world *world, cn_shape shape, cn_medium medium) {
    CN_RECORD(cn_shape_set_medium, world, shape, medium);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    bool sensor = sim->shapes[slot].flags & CN_SHAPE_SENSOR;
    if (!CN_CHECK(cn_require_not_terrain(sim, slot) && cn_require_sensor(medium, sensor) &&
                  cn_require_medium(sim, medium, slot) &&
                  (cn_is_empty_medium(medium) || reserve_fields(sim, 1))))
        return false;
    store_medium(sim, slot, apply_defaults(sim, medium));
    cn_wake_around_shape(sim, slot);
    return true;
}

cn_medium cn_shape_medium(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    if (slot < 0) return (cn_medium){0};
    // Closes the gaps first, because another thread that reads may close them during the search.
    cn_close_gaps((cn_simulation *)&world->sim); // no world is a const object
    int field = cn_find_field(&world->sim, slot);
    return field < 0 ? (cn_medium){0} : cn_fields_of(&world->sim)->list.items[field].medium;
}

// ---- events of the core

static bool prepare_shape(cn_simulation *sim, const cn_shape_def *defs, int i) {
    if (!cn_require_medium(sim, defs[i].medium, -1)) return false;
    if (cn_is_empty_medium(defs[i].medium)) return true;
    int count = 0;
    for (int k = 0; k <= i; k++) count += !cn_is_empty_medium(defs[k].medium);
    return require_room(sim, count) && reserve_fields(sim, count);
}

static void shape_created(cn_simulation *sim, int shape, const cn_shape_def *def) {
    store_medium(sim, shape, apply_defaults(sim, def->medium));
}

static void shape_destroyed(cn_simulation *sim, int shape) {
    store_medium(sim, shape, (cn_medium){0});
}

static bool check_solid(const cn_simulation *sim, int shape) {
    return cn_find_field(sim, shape) < 0 ||
           cn_fail(CN_ERROR_STATE, "the shape is a field: first set its medium to all zeros");
}

const cn_part_hooks cn_fields_part = {
    .id = CN_FIELDS,
    .state_size = sizeof(cn_field_state),
    .prepare_shape = prepare_shape,
    .shape_created = shape_created,
    .shape_destroyed = shape_destroyed,
    .check_solid = check_solid,
    .close_gaps = close_gaps,
#if CN_HAS_SNAPSHOT
    .is_used = cn_has_fields,
    .walk = cn_walk_fields,
    .check = cn_check_fields,
#endif
    .begin_reading = begin_reading,
    .state_read = state_read,
};
