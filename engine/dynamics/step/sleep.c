/* Islands fall asleep and wake.
 *
 * An island whose bodies have all been at rest long enough leaves the plan. Its touching contacts move,
 * anchors and impulses included, into a block of its own. Its pairs that are apart are dropped, unless
 * the other side is awake or kinematic: the trees find them again when it wakes (pairs.c). So sleeping_islands
 * cost nothing in a step.
 *
 * Waking is a wish that the next step fulfils: until then only a flag is set, so a call that wakes
 * cannot fail.
 */
#include "step.h"

// ---- sleeping_islands

static void lay_down(cn_simulation *sim, int index, int body) {
    cn_body_hot *hot = &sim->hot[body];
    cn_body_warm *warm = &sim->warm[body];
    hot->flags &= ~(uint32_t)CN_BODY_AWAKE;
    hot->vx = hot->vy = hot->w = hot->sleep_time = 0;
    warm->force = cn_vec(0, 0), warm->torque = 0;
    cn_replan_body(sim, body);
    warm->island = index;
    warm->batch = warm->local = -1;
    warm->next = sim->sleeping_islands[index].first_body;
    sim->sleeping_islands[index].first_body = body;
    sim->sleeping_islands[index].body_count++;
}

// ---- falling asleep

// An island of a batch: `first` counts within the batch's bodies.
typedef struct {
    const cn_batch *batch;
    int first, count;
} resting;

static bool has_rested(const cn_simulation *sim, const resting *r) {
    const int *bodies = &r->batch->bodies.items[r->first];
    for (int i = 0; i < r->count; i++)
        if (sim->hot[bodies[i]].sleep_time < sim->tuning.sleep_time ||
            !cn_is_in_plan(sim, bodies[i])) // was quarantined in this step
            return false;
    return true;
}

// The slot of lane i of the batch, if it is a contact of the island that goes to sleep with it; else -1.
static int slot_of_island(const cn_simulation *sim, const resting *r, int i) {
    const cn_lane *lane = &r->batch->lanes.items[i];
    bool inside = lane->b > r->first && lane->b <= r->first + r->count;
    if (!inside || lane->slot < CN_FIRST_SLOT || !cn_occupied(&sim->touching, lane->slot))
        return -1;
    const cn_anchor *anchor = &sim->touching.anchors[lane->slot];
    bool lost = cn_has_ended(sim, anchor->shape_a, anchor->shape_b);
    return lost ? -1 : lane->slot; // those end in the next step
}

static bool is_pulled(const cn_simulation *sim, int body) {
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body))
        if (cn_is_moving_kinematic(&sim->hot[cn_joint_other(sim, i, body)])) return true;
    return false;
}

// Lists the island's contacts in ascending order of slots in sim->lost_slots, which is free by then.
// False if a moving kinematic body touches or pulls it: it is carried along and cannot sleep.
static bool list_slots(cn_simulation *sim, const resting *r) {
    sim->lost_slots.count = 0;
    for (int i = 0; sim->slots[CN_JOINTS].count && i < r->count; i++)
        if (is_pulled(sim, r->batch->bodies.items[r->first + i])) return false;
    int joint_lanes = r->batch->joint_blocks * r->batch->kernels->lanes; // they come first
    for (int i = joint_lanes; i < r->batch->lanes.count; i++) {
        int slot = slot_of_island(sim, r, i);
        if (slot < 0) continue;
        if (cn_is_moving_kinematic(&sim->hot[sim->touching.bodies[slot].a])) return false;
        sim->lost_slots.items[sim->lost_slots.count++] = slot;
    }
    cn_sort_items(sim->lost_slots.items, sim->lost_slots.count, sizeof(int));
    return true;
}

// Does a belt, so slow that all seem to be at rest, carry a body of the contacts that have been listed?
static bool is_conveyed(const cn_simulation *sim) {
    for (int i = 0; i < sim->lost_slots.count; i++) {
        int slot = sim->lost_slots.items[i];
        if (!(sim->touching.records[slot].meta & CN_META_RESISTS)) continue;
        const cn_anchor *anchor = &sim->touching.anchors[slot];
        const cn_body_hot *a = &sim->hot[sim->touching.bodies[slot].a];
        const cn_body_hot *b = &sim->hot[sim->touching.bodies[slot].b];
        float surface = cn_rare_of(sim, anchor->shape_a)->surface_speed +
                        cn_rare_of(sim, anchor->shape_b)->surface_speed;
        float speed = glms_vec2_norm(cn_vec(b->vx - a->vx, b->vy - a->vy));
        if (surface != 0 && speed > 0.5f * cn_abs(surface)) return true;
    }
    return false;
}

// With the contacts that have been listed. False if memory is short: then the island stays awake.
static bool put_down(cn_simulation *sim, const resting *r) {
    cn_touching_rows *touching = &sim->touching;
    int index = cn_add_sleeping_island(sim, sim->lost_slots.count);
    if (index < 0) return false;
    for (int i = 0; i < sim->lost_slots.count; i++) {
        int slot = sim->lost_slots.items[i];
        cn_push(&sim->memory, &sim->sleeping_islands[index].contacts, cn_contact_at(touching, slot));
        cn_free_slot(touching, slot);
    }
    const int *bodies = &r->batch->bodies.items[r->first];
    for (int i = r->count - 1; i >= 0; i--) // so the list ends up in order
        if (sim->warm[bodies[i]].island < 0 && cn_is_in_plan(sim, bodies[i]))
            lay_down(sim, index, bodies[i]);
    return true;
}

// Drops the pairs that are apart and have no active side any more.
static void drop_idle_pairs(cn_simulation *sim) {
    for (int class = 0; class < CN_CLASS_COUNT; class ++) {
        cn_apart_list *list = &sim->apart[class];
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

static resting island_around(const cn_simulation *sim, int body) {
    const cn_batch *batch = &sim->plan.batches[sim->warm[body].batch];
    resting r = {batch, 0, 0};
    for (int i = 0; i < batch->islands.count; i++, r.first += r.count) {
        r.count = batch->islands.items[i];
        if (sim->warm[body].local <= r.first + r.count) break;
    }
    return r;
}

// Notes the first bodies of the islands that have rested.
static void note_rested(cn_simulation *sim) {
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        resting r = {batch, 0, 0};
        for (int k = 0; batch->alive && k < batch->islands.count; k++, r.first += r.count) {
            r.count = batch->islands.items[k];
            if (has_rested(sim, &r)) cn_set_bit(cn_bits_of(sim, CN_SET_RESTED), batch->bodies.items[r.first]);
        }
    }
}

void cn_sleep_islands(cn_simulation *sim) {
    if (!sim->sleeping) return;
    bool any = false;
    note_rested(sim);
    // In slot order: how islands are packed must not show.
    CN_EACH_BIT(body, cn_bits_of(sim, CN_SET_RESTED), sim->slots[CN_BODIES].end) {
        resting r = island_around(sim, body);
        cn_clear_bit(cn_bits_of(sim, CN_SET_RESTED), body);
        if (!list_slots(sim, &r) || is_conveyed(sim) || !put_down(sim, &r)) continue;
        for (int k = r.first; k < r.first + r.count; k++)
            cn_push_body_event(sim, r.batch->bodies.items[k], CN_BODY_SLEPT);
        any = true;
    }
    if (any) drop_idle_pairs(sim);
}

// ---- on demand

bool cn_put_to_sleep(cn_simulation *sim, int body) {
    if (sim->warm[body].island >= 0) return true;
    if (sim->warm[body].batch < 0) {
        int index = cn_add_sleeping_island(sim, 0);
        if (index >= 0) lay_down(sim, index, body);
        return index >= 0;
    }
    resting r = island_around(sim, body);
    for (int i = r.first; i < r.first + r.count; i++)
        if (sim->hot[r.batch->bodies.items[i]].flags & (CN_BODY_NO_SLEEP | CN_BODY_SPRINGS_CHANGED))
            return cn_fail(CN_ERROR_STATE,
                           "body %d in the island of body %d never sleeps, or its joints changed: "
                           "then step first",
                           r.batch->bodies.items[i], body);
    if (!list_slots(sim, &r))
        return cn_fail(CN_ERROR_STATE,
                       "a moving kinematic body touches the island of %d bodies around body %d: "
                       "stop it first",
                       r.count, body);
    if (!put_down(sim, &r)) return false;
    drop_idle_pairs(sim);
    return true;
}
