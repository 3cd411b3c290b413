/* The motions of kinematic bodies. They are in no batch of their own, so they get their motions
 * here, from their velocities. */
#include "step.h"

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

void cn_find_kinematic_motions(cn_simulation *sim) {
    list_moving(sim);
    for (int i = 0; i < sim->moving_kinematics.count; i++) {
        int body = sim->moving_kinematics.items[i];
        const cn_body_hot *hot = &sim->hot[body];
        float dt = sim->step_seconds, vx = hot->vx, vy = hot->vy, w = hot->w;
        const cn_state state = {{vx, vy, w, 0}, {dt * vx, dt * vy, dt * w, 0}};
        cn_finish_bodies_4(sim, &body, 1, &state, &state);
    }
}
