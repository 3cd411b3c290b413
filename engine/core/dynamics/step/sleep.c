/* Islands fall asleep.
 *
 * An island falls asleep when all its bodies have been slow for tuning.sleep_time and nothing moves
 * them any more (rest.c). It becomes a sleeping island:
 *
 *   - Its bodies leave the plan.
 *   - Its touching contacts move into a block of the island, with their anchors and impulses.
 *   - Its pairs that are apart are dropped, unless the other side is awake or kinematic. When the
 *     island wakes, the trees find them again (pairs/pairs.c).
 *
 * So sleeping islands cost nothing in a step. model/wake.c wakes them. Calls put islands to sleep,
 * too (put_to_sleep.c). */
#include "step.h"

// ---- bodies

// Puts one body to sleep, as the first of a sleeping island.
static void put_body_to_sleep(cn_simulation *sim, int index, int body) {
    cn_settle_body(sim, body); // a call may have edited it
    cn_body_hot *hot = &sim->hot[body];
    cn_body_warm *warm = &sim->warm[body];
    hot->flags &= ~(uint32_t)(CN_BODY_AWAKE | CN_BODY_PULLS);
    hot->vx = hot->vy = hot->w = hot->sleep_time = 0;
    warm->force = cn_vec(0, 0), warm->torque = 0;
    cn_replan_body(sim, body);
    warm->island = index;
    warm->batch = warm->batch_state = -1;
    warm->next = sim->sleeping_islands[index].first_body;
    if (warm->next >= 0) sim->body_links[warm->next].previous = body;
    sim->body_links[body].previous = -1;
    sim->sleeping_islands[index].first_body = body;
    sim->sleeping_islands[index].body_count++;
}

// ---- falling asleep

bool cn_ends_now(const cn_simulation *sim, int slot) {
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    return cn_has_ended(sim, anchor->shape_a, anchor->shape_b);
}

// An island of a batch.
typedef struct {
    const cn_batch *batch;
    int first, count; // its bodies are items first .. first + count - 1 of the batch's bodies
} awake_island;

// True if the body is in the plan and has been slow for long enough. (A body that was quarantined
// in this step is not in the plan any more.)
static bool is_at_rest(const cn_simulation *sim, int body) {
    return sim->hot[body].sleep_time >= sim->tuning.sleep_time && cn_belongs_in_plan(sim, body);
}

// True if all bodies of an island of the batch are at rest. The body that was not at rest in the
// last step is tested first: it is probably still moving.
static bool has_rested(const cn_simulation *sim, cn_batch *batch, const awake_island *island) {
    const int *bodies = batch->bodies.items, first = island->first, end = first + island->count;
    const int last = batch->awake_at;
    if (last >= first && last < end && !is_at_rest(sim, bodies[last])) return false;
    for (int i = first; i < end; i++)
        if (!is_at_rest(sim, bodies[i])) {
            batch->awake_at = i;
            return false;
        }
    return true;
}

// Returns the slot of the contact in lane i of the batch if the contact belongs to the island and
// sleeps with it, else -1. Contacts that end in the next step do not sleep.
static int slot_of_island(const cn_simulation *sim, const awake_island *island, int i) {
    const cn_lane *lane = &island->batch->lanes.items[i];
    bool inside = lane->b > island->first && lane->b <= island->first + island->count;
    if (!inside || lane->slot < CN_FIRST_SLOT || !cn_is_slot_occupied(&sim->touching, lane->slot))
        return -1;
    return cn_ends_now(sim, lane->slot) ? -1 : lane->slot;
}

// Lists the contacts of the island by slot in sim->lost_slots, which no other stage uses any more.
static void list_slots(cn_simulation *sim, const awake_island *island) {
    sim->lost_slots.count = 0;
    int joint_lanes =
        island->batch->joint_blocks * island->batch->kernels->lanes; // joints come first
    for (int i = joint_lanes; i < island->batch->lanes.count; i++) {
        int slot = slot_of_island(sim, island, i);
        if (slot >= 0) sim->lost_slots.items[sim->lost_slots.count++] = slot;
    }
    cn_sort_items(sim->lost_slots.items, sim->lost_slots.count, sizeof(int));
}

bool cn_put_island_to_sleep(cn_simulation *sim, const int *bodies, int count) {
    cn_touching_rows *touching = &sim->touching;
    int index = cn_add_sleeping_island(sim, sim->lost_slots.count);
    if (index < 0) return false;
    sim->contact_revision++; // contacts move to the sleeping island
    for (int i = 0; i < sim->lost_slots.count; i++) {
        int slot = sim->lost_slots.items[i];
        cn_append(&sim->memory, &sim->sleeping_islands[index].contacts,
                  cn_contact_at(touching, slot));
        cn_free_slot(touching, slot);
    }
    for (int i = count - 1; i >= 0; i--) // backwards, so that the linked list has their order
        if (sim->warm[bodies[i]].island < 0 && cn_belongs_in_plan(sim, bodies[i]))
            put_body_to_sleep(sim, index, bodies[i]);
    return true;
}

// Drops the pairs that are apart and have no active side.
static void drop_idle_pairs(cn_simulation *sim) {
    for (int hull_class = 0; hull_class < CN_CLASS_COUNT; hull_class++) {
        cn_apart_list *list = &sim->apart[hull_class];
        int kept = 0;
        for (int i = 0; i < list->count; i++) {
            const cn_apart *pair = &list->items[i];
            if (cn_is_active(&sim->hot[sim->links[pair->shape_a].body]) ||
                cn_is_active(&sim->hot[sim->links[pair->shape_b].body]))
                list->items[kept++] = *pair;
        }
        list->count = kept;
    }
}

// ---- the stage

// The island of an awake body.
static awake_island island_around(const cn_simulation *sim, int body) {
    const cn_batch *batch = &sim->plan.batches[sim->warm[body].batch];
    awake_island island = {batch, 0, 0};
    for (int i = 0; i < batch->island_sizes.count; i++, island.first += island.count) {
        island.count = batch->island_sizes.items[i];
        if (sim->warm[body].batch_state <= island.first + island.count) break;
    }
    return island;
}

// Marks the first body of each island that has rested, of some batches.
static void mark_rested(void *context, int first, int end) {
    cn_simulation *sim = context;
    for (int i = first; i < end; i++) {
        cn_batch *batch = &sim->plan.batches[i];
        awake_island island = {batch, 0, 0};
        for (int k = 0; batch->alive && k < batch->island_sizes.count;
             k++, island.first += island.count) {
            island.count = batch->island_sizes.items[k];
            if (has_rested(sim, batch, &island))
                cn_set_shared_bit(cn_bits_of(sim, CN_SET_RESTED), batch->bodies.items[island.first],
                                  sim->team != NULL);
        }
    }
}

// The bodies of the island go on as if they had been slow for this time.
static void begin_rest_again(cn_simulation *sim, const awake_island *island, float seconds) {
    const int *bodies = &island->batch->bodies.items[island->first];
    for (int i = 0; i < island->count; i++) sim->hot[bodies[i]].sleep_time = seconds;
}

void cn_sleep_islands(cn_simulation *sim) {
    if (!sim->sleeping) return;
    bool any = false;
    cn_run_loop(sim->team, sim->solved_islands / 2, sim->plan.batch_count, 1, mark_rested, sim);
    // In slot order, so that results do not depend on how islands are packed into batches.
    CN_EACH_BIT(body, cn_bits_of(sim, CN_SET_RESTED), sim->slots[CN_BODIES].end) {
        awake_island island = island_around(sim, body);
        cn_clear_bit(cn_bits_of(sim, CN_SET_RESTED), body);
        const int *bodies = &island.batch->bodies.items[island.first];
        list_slots(sim, &island);
        bool driven = cn_is_driven(sim, bodies, island.count);
        if (driven || cn_is_pulled(sim, bodies, island.count)) {
            begin_rest_again(sim, &island, driven ? 0 : sim->tuning.sleep_time / 2);
            continue;
        }
        if (!cn_put_island_to_sleep(sim, bodies, island.count)) continue;
        for (int k = 0; k < island.count; k++) cn_push_body_event(sim, bodies[k], CN_BODY_SLEPT);
        any = true;
    }
    if (any) drop_idle_pairs(sim);
}

// ---- a new body

bool cn_put_new_to_sleep(cn_simulation *sim, int body) {
    int index = cn_add_sleeping_island(sim, 0);
    if (index >= 0) put_body_to_sleep(sim, index, body);
    return index >= 0;
}
