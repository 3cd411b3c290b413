/* What is left to do after the batches: the bodies that they marked, and the kinematic bodies.
 *
 * A batch of the solver moves its own dynamic bodies (solver/finish_kernel.c). Several workers do
 * this at the same time, so they only mark two kinds of bodies with a bit each. One thread handles
 * the marked bodies here, in slot order:
 *
 *   swept    bodies that moved far, or look ahead: they are listed for continuous collision
 *   faulty   bodies whose new motion is not finite or faster than CN_MAX_SPEED, or that would leave
 *            the range of positions: they are quarantined
 *
 * Kinematic bodies are in no batch of their own, so they move here, by their velocities. */
#include "step.h"

// Disables a body and stops it: it leaves the trees, its contacts end, and the user gets an event.
static void quarantine_body(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    hot->vx = hot->vy = hot->w = 0;
    hot->flags &= ~(uint32_t)(CN_BODY_ENABLED | CN_BODY_AWAKE);
    CN_EACH_SHAPE(shape, sim, body) {
        cn_tree *tree = cn_tree_of(sim, body);
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

void cn_collect_swept_bodies(cn_simulation *sim) {
    int end = sim->slots[CN_BODIES].end;
    CN_EACH_BIT(body, cn_bits_of(sim, CN_SET_SWEPT), end) {
        cn_clear_bit(cn_bits_of(sim, CN_SET_SWEPT), body);
        sim->swept[sim->swept_count++] = body;
    }
    if (!cn_load_relaxed(&sim->any_fault)) return;
    CN_EACH_BIT(body, cn_bits_of(sim, CN_SET_FAULT), end) {
        cn_clear_bit(cn_bits_of(sim, CN_SET_FAULT), body);
        quarantine_body(sim, body);
    }
    cn_store_relaxed(&sim->any_fault, false);
}

// Lists the kinematic bodies that move. If there are others than in the last step, the box of those
// at rest must be found anew.
static void list_moving(cn_simulation *sim) {
    int *moving = sim->moving_kinematics.items, before = sim->moving_kinematics.count, count = 0;
    for (int i = 0; i < sim->kinematics.count; i++) {
        int body = sim->kinematics.items[i];
        cn_clear_motion(sim, body);
        if (!cn_is_moving_kinematic(&sim->hot[body])) continue;
        if (count >= before || moving[count] != body) sim->knows_resting_bounds = false;
        moving[count++] = body;
    }
    if (count != before) sim->knows_resting_bounds = false;
    sim->moving_kinematics.count = count;
}

void cn_move_kinematics(cn_simulation *sim) {
    list_moving(sim);
    for (int i = 0; i < sim->moving_kinematics.count; i++) {
        int body = sim->moving_kinematics.items[i];
        const cn_body_hot *hot = &sim->hot[body];
        float dt = sim->step_seconds, vx = hot->vx, vy = hot->vy, w = hot->w;
        const cn_state state = {{vx, vy, w, 0}, {dt * vx, dt * vy, dt * w, 0}};
        cn_finish_bodies_4(sim, &body, 1, &state, &state, NULL);
    }
}
