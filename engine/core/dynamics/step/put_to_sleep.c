/* A call puts an island to sleep.
 *
 * The plan may be out of date: calls or a restore may have changed what touches. So the island is
 * searched from its body, over contacts, joints and couplings, in time that depends on the island
 * alone.
 *
 * The search finds the contacts and apart pairs of a body in an index, a sorted list of keys:
 *
 *      body << 32 | list << 30 | place         list 0: place is the slot of a touching contact
 *                                              list 1 + class: an index in apart[class]
 *
 * The first call after a step builds the index. Until the next step, calls only remove contacts and
 * pairs, so it stays valid: unoccupied slots and gaps are skipped. */
#include "step.h"

enum { LIST_SHIFT = 30, LISTS = 1 + CN_CLASS_COUNT };
static_assert(LISTS <= 1 << (32 - LIST_SHIFT), "the lists have two bits");

// ---- the index

static bool push_key(cn_simulation *sim, int body, int list, int place) {
    uint64_t key = (uint64_t)body << 32 | (uint64_t)list << LIST_SHIFT | (uint64_t)place;
    return cn_append(&sim->memory, &sim->pair_index, key);
}

static bool push_contacts(cn_simulation *sim) {
    CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end) {
        cn_contact_bodies bodies = sim->touching.bodies[slot];
        if (!push_key(sim, bodies.a, 0, slot) || !push_key(sim, bodies.b, 0, slot)) return false;
    }
    return true;
}

static bool push_apart(cn_simulation *sim, int hull_class) {
    for (int i = 0; i < sim->apart[hull_class].count; i++) {
        const cn_apart *pair = &sim->apart[hull_class].items[i];
        if (pair->shape_a < 0) continue;
        if (!push_key(sim, sim->links[pair->shape_a].body, 1 + hull_class, i) ||
            !push_key(sim, sim->links[pair->shape_b].body, 1 + hull_class, i))
            return false;
    }
    return true;
}

static bool index_pairs(cn_simulation *sim) {
    if (sim->pairs_indexed) return true;
    sim->pair_index.count = 0;
    if (!push_contacts(sim)) return false;
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++)
        if (!push_apart(sim, hull_class)) return false;
    sim->pairs_indexed = cn_sort_list(sim, &sim->pair_index);
    return sim->pairs_indexed;
}

// Returns the index of the first key of the body in this list or a later one.
static int find_first(const cn_simulation *sim, int body, int list) {
    const cn_key_list *index = &sim->pair_index;
    uint64_t key = (uint64_t)body << 32 | (uint64_t)list << LIST_SHIFT;
    return index->count ? cn_find_key(index->items, index->count, key) : 0;
}

static bool is_of_body(const cn_simulation *sim, int i, int body) {
    return i < sim->pair_index.count && (int)(sim->pair_index.items[i] >> 32) == body;
}

static int list_of(uint64_t key) { return (int)((uint32_t)key >> LIST_SHIFT); }
static int place_of(uint64_t key) { return (int)(key & ((1u << LIST_SHIFT) - 1)); }

// Loops over the contacts of a body: EACH_CONTACT(slot, sim, body) { ... }
#define EACH_CONTACT(slot, sim, body)                                                              \
    for (int slot##_at = find_first(sim, body, 0), slot;                                           \
         (slot = contact_at(sim, body, slot##_at)) >= 0; slot##_at++)                              \
        if (cn_is_slot_occupied(&sim->touching, slot))

// Returns the slot of key i if it is of a contact of the body, else -1.
static int contact_at(const cn_simulation *sim, int body, int i) {
    if (!is_of_body(sim, i, body) || list_of(sim->pair_index.items[i]) > 0) return -1;
    return place_of(sim->pair_index.items[i]);
}

// ---- the island

// True if the body links the bodies that it touches: it is dynamic and awake, not about to wake.
static bool links_islands(const cn_simulation *sim, int body) {
    const uint32_t needed = CN_BODY_ENABLED | CN_BODY_IS_DYNAMIC | CN_BODY_AWAKE;
    return (sim->hot[body].flags & needed) == needed;
}

static bool is_in_island(const cn_simulation *sim, int body) {
    return cn_has_bit(cn_bits_of(sim, CN_SET_RESTED), body);
}

// Adds a body to the island, unless it is in it. Returns false, with an error, if memory is short
// or the body sleeps: a joint or coupling with an awake body was changed, so it is about to wake.
static bool add_body(cn_simulation *sim, int body) {
    if (sim->warm[body].island >= 0)
        return cn_fail(CN_ERROR_STATE,
                       "body %d in the island was changed and wakes in the next step: step first",
                       body);
    if (!links_islands(sim, body) || is_in_island(sim, body)) return true;
    if (!cn_append(&sim->memory, &sim->island, body)) return false;
    cn_set_bit(cn_bits_of(sim, CN_SET_RESTED), body);
    return true;
}

static bool add_bodies_of(cn_simulation *sim, int joint) {
    const int32_t *bodies = sim->joint_records[joint].bodies;
    return add_body(sim, bodies[0]) && add_body(sim, bodies[1]);
}

// Adds both bodies of the joint, and those of the joints that are coupled to it.
static bool add_joined(cn_simulation *sim, int joint) {
    int other = sim->joints[joint].coupling.other;
    int coupled = sim->joint_links[joint].first_coupled;
    if (sim->joints[joint].row_type != CN_ROW_NONE && !add_bodies_of(sim, joint)) return false;
    if (other >= 0 && !add_bodies_of(sim, other)) return false;
    for (; coupled >= 0; coupled = sim->joint_links[coupled].next_coupled)
        if (!add_bodies_of(sim, coupled)) return false;
    return true;
}

static bool add_neighbours(cn_simulation *sim, int body) {
    EACH_CONTACT(slot, sim, body) {
        cn_contact_bodies pair = sim->touching.bodies[slot];
        if (!cn_ends_now(sim, slot) && !add_body(sim, pair.a == body ? pair.b : pair.a))
            return false;
    }
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body))
        if (!add_joined(sim, i)) return false;
    return true;
}

// Lists the contacts that sleep with the island in cn_simulation.lost_slots, by slot. Body B of
// each is in the island.
static bool list_contacts(cn_simulation *sim) {
    sim->lost_slots.count = 0;
    for (int i = 0; i < sim->island.count; i++)
        EACH_CONTACT(slot, sim, sim->island.items[i]) {
            if (sim->touching.bodies[slot].b == sim->island.items[i] && !cn_ends_now(sim, slot) &&
                !cn_append(&sim->memory, &sim->lost_slots, slot))
                return false;
        }
    cn_sort_items(sim->lost_slots.items, sim->lost_slots.count, sizeof(int));
    return true;
}

// Lists the bodies of the island by slot, and its contacts. Returns false, with an error, if memory
// is short or the island is about to wake.
static bool find_island(cn_simulation *sim, int body) {
    if (!index_pairs(sim) || !cn_reserve_body_sets(sim, sim->slots[CN_BODIES].end)) return false;
    sim->island.count = 0;
    bool done = add_body(sim, body);
    for (int i = 0; done && i < sim->island.count; i++)
        done = add_neighbours(sim, sim->island.items[i]);
    for (int i = 0; i < sim->island.count; i++)
        cn_clear_bit(cn_bits_of(sim, CN_SET_RESTED), sim->island.items[i]);
    cn_sort_items(sim->island.items, sim->island.count, sizeof(int));
    return done && list_contacts(sim);
}

// ---- the call

static bool check_island(const cn_simulation *sim, int body) {
    const int *bodies = sim->island.items;
    int count = sim->island.count;
    for (int i = 0; i < count; i++)
        if (sim->hot[bodies[i]].flags & CN_BODY_NO_SLEEP)
            return cn_fail(CN_ERROR_STATE, "body %d in the island of body %d never sleeps",
                           bodies[i], body);
    return !cn_is_moved_by_kinematic(sim, bodies, count) ||
           cn_fail(CN_ERROR_STATE,
                   "a moving kinematic body touches the island of %d bodies around body %d: "
                   "stop it first",
                   count, body);
}

// Drops the apart pairs of a body in which no body is active any more.
static void drop_idle_pairs_of(cn_simulation *sim, int body) {
    for (int i = find_first(sim, body, 1); is_of_body(sim, i, body); i++) {
        uint64_t key = sim->pair_index.items[i];
        cn_apart *pair = &sim->apart[list_of(key) - 1].items[place_of(key)];
        if (pair->shape_a >= 0 && !cn_is_active(&sim->hot[sim->links[pair->shape_a].body]) &&
            !cn_is_active(&sim->hot[sim->links[pair->shape_b].body]))
            cn_drop_pair(sim, pair);
    }
}

bool cn_put_to_sleep(cn_simulation *sim, int body) {
    if (!find_island(sim, body) || !check_island(sim, body) ||
        !cn_put_island_to_sleep(sim, sim->island.items, sim->island.count))
        return false;
    for (int i = 0; i < sim->island.count; i++) drop_idle_pairs_of(sim, sim->island.items[i]);
    return true;
}
