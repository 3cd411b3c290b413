/* Takes faulty bodies out of the simulation: bodies whose new motion is not finite or faster than
 * CN_MAX_SPEED, or that would leave the range of positions. The workers of the solver mark them
 * with a bit each (solver/finish_kernel.c). One thread handles them here, in slot order. */
#include "step.h"

// Disables a body, which the solver has stopped: it leaves the trees, its contacts end, and the
// user gets an event.
static void quarantine_body(cn_simulation *sim, int body) {
    sim->hot[body].flags &= ~(uint32_t)(CN_BODY_ENABLED | CN_BODY_AWAKE);
    CN_EACH_SHAPE(shape, sim, body) {
        cn_tree *tree = cn_tree_of(sim, body);
        cn_forget_own_surface(sim, shape);
        if (cn_tree_has(tree, shape)) cn_tree_remove(tree, shape);
    }
    // The impulses and counted turns of such a motion would throw the body again when it is
    // enabled.
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        cn_joint_clear_impulses(sim, i);
        sim->joint_records[i].state.angle = 0; // cn_joint_angle() takes the nearest turn to it
    }
    cn_mark_body_dirty(sim, body, CN_DIRTY_REMOVED);
    cn_push_body_event(sim, body, CN_BODY_FAULT);
}

void cn_quarantine_bodies(cn_simulation *sim) {
    if (!cn_load_relaxed(&sim->any_fault)) return;
    int end = sim->slots[CN_BODIES].end;
    CN_EACH_BIT(body, cn_bits_of(sim, CN_SET_FAULT), end) {
        cn_clear_bit(cn_bits_of(sim, CN_SET_FAULT), body);
        quarantine_body(sim, body);
    }
    cn_store_relaxed(&sim->any_fault, false);
}
