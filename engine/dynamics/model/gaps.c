/* Lists whose items leave in any order: kinematic bodies, and bodies that drop through one-way
 * shapes. Their order is part of the state.
 *
 * A body knows its place in each list (cn_body_links), so it leaves at once, however long the list
 * is. It leaves a gap there:
 *
 *      | 7 | 3 | gap | 12 | gap | 5 |      closed:  | 7 | 3 | 12 | 5 |
 *
 * Gaps are no state. They are closed before anything goes through a list: at the start of a step,
 * and before the state is saved, hashed or counted. A list that has no room is closed if half of it
 * are gaps. Apart pairs leave gaps as well, when a call puts an island to sleep.
 *
 * A read of a const world may close gaps, and several threads may read at the same time. So they
 * are closed under a lock, and the flag is cleared last. */
#include "model.h"

static const cn_body_links no_links = {-1, -1, -1, -1};

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

static void leave_gap(cn_simulation *sim) {
    atomic_store_explicit(&sim->has_gaps, true, memory_order_relaxed);
}

// ---- kinematic bodies

static void close_kinematics(cn_simulation *sim) {
    int kept = 0;
    for (int i = 0; i < sim->kinematics.count; i++) {
        int body = sim->kinematics.items[i];
        if (body < 0) continue;
        sim->body_links[body].kinematic = kept;
        sim->kinematics.items[kept++] = body;
    }
    sim->kinematics.count = kept, sim->kinematic_gaps = 0;
}

bool cn_reserve_kinematic(cn_simulation *sim) {
    if (2 * sim->kinematic_gaps > sim->kinematics.count) close_kinematics(sim);
    int needed = sim->kinematics.count + 1;
    return cn_reserve_body_links(sim) && cn_reserve(&sim->memory, &sim->kinematics, needed) &&
           cn_reserve(&sim->memory, &sim->moving_kinematics, needed);
}

void cn_add_kinematic(cn_simulation *sim, int body) {
    sim->body_links[body].kinematic = sim->kinematics.count;
    sim->kinematics.items[sim->kinematics.count++] = body;
}

void cn_remove_kinematic(cn_simulation *sim, int body) {
    int *place = &sim->body_links[body].kinematic;
    sim->kinematics.items[*place] = -1;
    *place = -1;
    sim->kinematic_gaps++;
    leave_gap(sim);
}

// ---- bodies that drop through

// Lets time pass, and closes the gaps.
static void close_drops(cn_simulation *sim, float passed) {
    int kept = 0;
    for (int i = 0; i < sim->drop_throughs.count; i++) {
        cn_drop drop = sim->drop_throughs.items[i];
        if (drop.body < 0) continue;
        drop.seconds -= passed;
        bool ended = drop.seconds <= 0;
        sim->body_links[drop.body].drop = ended ? -1 : kept;
        if (!ended) sim->drop_throughs.items[kept++] = drop;
    }
    sim->drop_throughs.count = kept, sim->drop_gaps = 0;
}

void cn_pass_drop_time(cn_simulation *sim, float seconds) { close_drops(sim, seconds); }

bool cn_reserve_drop(cn_simulation *sim) {
    if (2 * sim->drop_gaps > sim->drop_throughs.count) close_drops(sim, 0);
    return cn_reserve_body_links(sim) &&
           cn_reserve(&sim->memory, &sim->drop_throughs, sim->drop_throughs.count + 1);
}

void cn_add_drop(cn_simulation *sim, int body, float seconds) {
    sim->body_links[body].drop = sim->drop_throughs.count;
    sim->drop_throughs.items[sim->drop_throughs.count++] = (cn_drop){body, seconds};
}

void cn_end_drop_through(cn_simulation *sim, int body) {
    if (!cn_is_dropping(sim, body)) return;
    int *place = &sim->body_links[body].drop;
    sim->drop_throughs.items[*place].body = -1;
    *place = -1;
    sim->drop_gaps++;
    leave_gap(sim);
}

// ---- pairs

void cn_drop_pair(cn_simulation *sim, cn_apart *pair) {
    pair->shape_a = -1;
    leave_gap(sim);
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
    if (sim->kinematic_gaps) close_kinematics(sim);
    if (sim->drop_gaps) close_drops(sim, 0);
    for (int i = 0; i < CN_CLASS_COUNT; i++) close_pairs(sim, &sim->apart[i]);
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

void cn_find_body_links(cn_simulation *sim) {
    for (int i = 0; i < sim->slots[CN_BODIES].end; i++) cn_clear_body_links(sim, i);
    for (int i = 0; i < sim->sleeping_end; i++)
        if (sim->sleeping_islands[i].alive) find_sleeping_links(sim, &sim->sleeping_islands[i]);
    close_kinematics(sim);
    close_drops(sim, 0);
    atomic_store_explicit(&sim->has_gaps, false, memory_order_relaxed);
}
