/* Lists whose items leave in any order: kinematic bodies, bodies that drop through one-way shapes,
 * sensors, and lists of parts. Their order is part of the state.
 *
 * An object knows its place in a list, so it leaves in constant time. It leaves a gap:
 *
 *      | 7 | 3 | gap | 12 | gap | 5 |      closed:  | 7 | 3 | 12 | 5 |
 *
 * Gaps are not part of the state. They are closed at the start of a step, before the state is
 * saved, hashed or counted, and when an object joins a list that consists of gaps by more than
 * half. Apart pairs leave gaps, too, when a call puts an island to sleep.
 *
 * Reads of a const world close gaps, and several threads may read. So cn_close_gaps() takes a lock,
 * and clears the flag last. */
#include "model.h"

// ---- a list

static int slot_at(const cn_gap_list *list, int i) {
    int32_t slot;
    memcpy(&slot, (const char *)list->items + (size_t)i * list->size, sizeof slot);
    return slot;
}

static int place_of(const cn_gap_list *list, int slot) {
    int32_t place;
    memcpy(&place, (const char *)list->places + (size_t)slot * list->stride, sizeof place);
    return place;
}

static void set_place(const cn_gap_list *list, int slot, int32_t place) {
    memcpy((char *)list->places + (size_t)slot * list->stride, &place, sizeof place);
}

// Appends an item. There must be memory for it.
void cn_gap_append(cn_gap_list list, const void *item) {
    memcpy((char *)list.items + (size_t)*list.count * list.size, item, list.size);
    set_place(&list, slot_at(&list, *list.count), *list.count);
    ++*list.count;
}

void cn_gap_leave(cn_simulation *sim, cn_gap_list list, int slot) {
    const int32_t gap = -1;
    memcpy((char *)list.items + (size_t)place_of(&list, slot) * list.size, &gap, sizeof gap);
    set_place(&list, slot, -1);
    ++*list.gaps;
    atomic_store_explicit(&sim->has_gaps, true, memory_order_relaxed);
}

void cn_gap_close(cn_gap_list list) {
    char *items = list.items;
    int kept = 0;
    for (int i = 0; i < *list.count; i++) {
        int slot = slot_at(&list, i);
        if (slot < 0) continue;
        memmove(items + (size_t)kept * list.size, items + (size_t)i * list.size, list.size);
        set_place(&list, slot, kept++);
    }
    *list.count = kept, *list.gaps = 0;
}

void cn_gap_tidy(cn_gap_list list) {
    if (2 * *list.gaps > *list.count) cn_gap_close(list);
}

// ---- bodies

static const cn_body_links no_links = {-1, -1, -1};

bool cn_reserve_body_links(cn_simulation *sim) {
    int before = sim->body_links_capacity, needed = sim->slots[CN_BODIES].capacity;
    if (needed <= before) return true;
    if (!cn_fit(&sim->memory, &sim->body_links, &sim->body_links_capacity, needed)) return false;
    for (int i = before; i < sim->body_links_capacity; i++) sim->body_links[i] = no_links;
    return true;
}

void cn_clear_body_links(cn_simulation *sim, int body) {
    if (sim->body_links) sim->body_links[body] = no_links;
}

// The places of bodies in a list: a field of cn_body_links.
static void *places_of_bodies(const cn_simulation *sim, size_t field) {
    return sim->body_links ? (char *)sim->body_links + field : NULL;
}

static cn_gap_list kinematics_of(cn_simulation *sim) {
    return (cn_gap_list){.items = sim->kinematics.items,
                         .size = sizeof *sim->kinematics.items,
                         .count = &sim->kinematics.count,
                         .gaps = &sim->kinematic_gaps,
                         .places = places_of_bodies(sim, offsetof(cn_body_links, kinematic)),
                         .stride = sizeof *sim->body_links};
}

bool cn_reserve_kinematic(cn_simulation *sim) {
    cn_gap_tidy(kinematics_of(sim));
    int needed = sim->kinematics.count + 1;
    return cn_reserve_body_links(sim) && cn_reserve(&sim->memory, &sim->kinematics, needed) &&
           cn_reserve(&sim->memory, &sim->moving_kinematics, needed);
}

void cn_add_kinematic(cn_simulation *sim, int body) { cn_gap_append(kinematics_of(sim), &body); }

void cn_remove_kinematic(cn_simulation *sim, int body) {
    cn_gap_leave(sim, kinematics_of(sim), body);
}

static cn_gap_list drops_of(cn_simulation *sim) {
    return (cn_gap_list){.items = sim->drop_throughs.items,
                         .size = sizeof *sim->drop_throughs.items,
                         .count = &sim->drop_throughs.count,
                         .gaps = &sim->drop_gaps,
                         .places = places_of_bodies(sim, offsetof(cn_body_links, drop)),
                         .stride = sizeof *sim->body_links};
}

bool cn_reserve_drop(cn_simulation *sim) {
    cn_gap_tidy(drops_of(sim));
    return cn_reserve_body_links(sim) &&
           cn_reserve(&sim->memory, &sim->drop_throughs, sim->drop_throughs.count + 1);
}

void cn_add_drop(cn_simulation *sim, int body, float seconds) {
    cn_gap_append(drops_of(sim), &(cn_drop){body, seconds});
}

void cn_end_drop_through(cn_simulation *sim, int body) {
    if (cn_is_dropping(sim, body)) cn_gap_leave(sim, drops_of(sim), body);
}

void cn_pass_drop_time(cn_simulation *sim, float seconds) {
    for (int i = 0; i < sim->drop_throughs.count; i++) {
        cn_drop *drop = &sim->drop_throughs.items[i];
        drop->seconds -= seconds;
        if (drop->body >= 0 && drop->seconds <= 0) cn_end_drop_through(sim, drop->body);
    }
    cn_gap_close(drops_of(sim));
}

// ---- sensors

static cn_gap_list sensors_of(cn_simulation *sim) {
    return (cn_gap_list){.items = sim->sensors.items,
                         .size = sizeof *sim->sensors.items,
                         .count = &sim->sensors.count,
                         .gaps = &sim->sensor_gaps,
                         .places = sim->sensor_places,
                         .stride = sizeof *sim->sensor_places};
}

bool cn_reserve_sensor_places(cn_simulation *sim) {
    return cn_fit(&sim->memory, &sim->sensor_places, &sim->sensor_places_capacity,
                  cn_max_int(sim->slots[CN_SHAPES].capacity, 1));
}

bool cn_reserve_sensors(cn_simulation *sim, int count) {
    cn_gap_tidy(sensors_of(sim));
    return cn_reserve_sensor_places(sim) &&
           cn_reserve(&sim->memory, &sim->sensors, sim->sensors.count + count);
}

void cn_add_sensor(cn_simulation *sim, int shape) { cn_gap_append(sensors_of(sim), &shape); }

void cn_remove_sensor(cn_simulation *sim, int shape) { cn_gap_leave(sim, sensors_of(sim), shape); }

// ---- pairs

void cn_drop_pair(cn_simulation *sim, cn_apart *pair) {
    pair->shape_a = -1;
    atomic_store_explicit(&sim->has_gaps, true, memory_order_relaxed);
}

static void close_pairs(cn_simulation *sim, cn_apart_list *list) {
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (list->items[i].shape_a >= 0) list->items[kept++] = list->items[i];
    if (kept < list->count) sim->pairs_indexed = false;
    list->count = kept;
}

// ---- all

static void close_all(cn_simulation *sim) {
    const cn_gap_list lists[] = {kinematics_of(sim), drops_of(sim), sensors_of(sim)};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (*lists[i].gaps) cn_gap_close(lists[i]);
    for (int i = 0; i < CN_CLASS_COUNT; i++) close_pairs(sim, &sim->apart[i]);
    CN_EACH_PART(part) {
        if (part->close_gaps) part->close_gaps(sim);
    }
}

void cn_close_gaps(cn_simulation *sim) {
    if (!atomic_load_explicit(&sim->has_gaps, memory_order_acquire)) return;
    cn_lock(&sim->lock);
    // Another thread may have closed them meanwhile, and read the lists by now.
    if (atomic_load_explicit(&sim->has_gaps, memory_order_relaxed)) close_all(sim);
    atomic_store_explicit(&sim->has_gaps, false, memory_order_release);
    cn_unlock(&sim->lock);
}

static void find_sleeping_links(cn_simulation *sim, const cn_sleeping_island *island) {
    for (int body = island->first_body, previous = -1; body >= 0; body = sim->warm[body].next) {
        sim->body_links[body].previous = previous;
        previous = body;
    }
}

void cn_find_places(cn_simulation *sim) {
    for (int i = 0; i < sim->slots[CN_BODIES].end; i++) cn_clear_body_links(sim, i);
    for (int i = 0; i < sim->sleeping_end; i++)
        if (sim->sleeping_islands[i].alive) find_sleeping_links(sim, &sim->sleeping_islands[i]);
    cn_gap_close(kinematics_of(sim));
    cn_gap_close(drops_of(sim));
    cn_gap_close(sensors_of(sim));
    atomic_store_explicit(&sim->has_gaps, false, memory_order_relaxed);
}
