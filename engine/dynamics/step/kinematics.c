/* Bodies that no batch finishes (finish_kernel.c): kinematic ones, those that the sweep puts back, and
 * those whose motion came to nothing. */
#include "step.h"

// Leaves the simulation: no proxies, no contacts, no motion.
static void retire_body(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    hot->vx = hot->vy = hot->w = 0;
    hot->flags &= ~(uint32_t)(CN_BODY_ENABLED | CN_BODY_AWAKE);
    CN_EACH_SHAPE(shape, sim, body) {
        cn_tree *tree = cn_tree_of(sim, body);
        if (cn_tree_has(tree, shape)) cn_tree_remove(tree, shape);
    }
    cn_mark_body_dirty(sim, body, CN_DIRTY_REMOVED);
    cn_push_body_event(sim, body, CN_BODY_FAULT);
}

void cn_collect_fast_bodies(cn_simulation *sim) {
    int end = sim->slots[CN_BODIES].end;
    CN_EACH_BIT(body, cn_bits_of(sim, CN_SET_FAST), end) {
        cn_clear_bit(cn_bits_of(sim, CN_SET_FAST), body);
        sim->fast[sim->fast_count++] = body;
    }
    if (!cn_load_relaxed(&sim->any_fault)) return;
    CN_EACH_BIT(body, cn_bits_of(sim, CN_SET_FAULT), end) {
        cn_clear_bit(cn_bits_of(sim, CN_SET_FAULT), body);
        retire_body(sim, body);
    }
    cn_store_relaxed(&sim->any_fault, false);
}

void cn_move_kinematics(cn_simulation *sim) {
    for (int i = 0; i < sim->kinematics.count; i++) {
        int body = sim->kinematics.items[i];
        const cn_body_hot *hot = &sim->hot[body];
        cn_clear_motion(sim, body);
        if (!cn_is_moving_kinematic(hot)) continue;
        float dt = sim->step_seconds, vx = hot->vx, vy = hot->vy, w = hot->w;
        const cn_state state = {{vx, vy, w, 0}, {dt * vx, dt * vy, dt * w, 0}};
        cn_finish_bodies_1(sim, &body, 1, &state, &state, NULL);
    }
}
