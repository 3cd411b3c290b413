/* Keeps the plan when another state is read over the present one: usually that of a few steps ago,
 * with nearly the same contacts.
 *
 * The check of the bytes compares settings, bodies, joints and contacts with the rows of the world
 * (walk.h), except the words that ordinary steps change. Those words are declared where
 * the rows are walked, so a new field is compared unless it is declared. Three differences are
 * frequent, so they do not end the plan:
 *
 *   - a contact begins, ends, or gets another type
 *   - a body without joints falls asleep or wakes
 *   - the present state has further bodies at the end of the rows
 *
 * After any other difference the next step plans everything anew. */
#include "snapshot.h"

bool cn_has_changed_shapes(const cn_simulation *sim) {
    for (int i = 0; i < sim->dirty_count; i++)
        if (sim->dirty[sim->dirty_shapes[i]] & CN_DIRTY_CHANGED) return true;
    return false;
}

void cn_forget_changes(cn_simulation *sim) {
    for (int i = 0; i < sim->touching.words; i++) sim->touching.ending[i] = 0;
}

static void mark_batch(cn_simulation *sim, int body) {
    int batch = sim->warm[body].batch;
    if (batch < 0) return;
    sim->plan.batches[batch].dirty = sim->plan.dirty = true;
}

void cn_leave_plan(cn_simulation *sim, int end) {
    const cn_touching_rows *t = &sim->touching;
    CN_EACH_BIT(slot, t->ending, t->words * 64) {
        if (!cn_has_bit(t->occupied, slot)) continue;
        mark_batch(sim, t->bodies[slot].a);
        mark_batch(sim, t->bodies[slot].b);
    }
    for (int body = end; body < sim->slots[CN_BODIES].end; body++) mark_batch(sim, body);
}

// True if a body with joints has joined or left the solved bodies. Its joints link it to other
// bodies, so it is not planned again alone.
static bool has_moved_joint(const cn_simulation *sim) {
    if (!sim->slots[CN_JOINTS].count) return false;
    CN_EACH(CN_BODIES, i, sim) {
        bool was_planned = sim->warm[i].batch >= 0;
        if (sim->first_joint[i] >= 0 && was_planned != cn_is_solved(&sim->hot[i])) return true;
    }
    return false;
}

static void renew_contacts(cn_simulation *sim) {
    cn_touching_rows *t = &sim->touching;
    CN_EACH_BIT(slot, t->ending, t->words * 64) {
        cn_clear_bit(t->ending, slot);
        if (!cn_has_bit(t->occupied, slot)) continue;
        cn_update_row_type(sim, slot);
        cn_replan_body(sim, t->bodies[slot].a);
        cn_replan_body(sim, t->bodies[slot].b);
        cn_set_bit(t->planned, slot);
    }
}

void cn_enter_plan(cn_simulation *sim, bool is_kept) {
    sim->unplanned_count = 0; // reading cleared CN_BODY_UNPLANNED
    if (!is_kept || has_moved_joint(sim)) {
        cn_forget_changes(sim);
        cn_update_row_types(sim);
        cn_forget_plan(sim);
        return;
    }
    for (int i = 0; i < sim->slots[CN_BODIES].end; i++)
        if ((sim->warm[i].batch >= 0) != cn_is_solved(&sim->hot[i])) cn_replan_body(sim, i);
    renew_contacts(sim);
}
