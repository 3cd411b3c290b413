/* Couplings: q + ratio q' = constant, between coordinates q and q' of two joints. They make gears,
 * racks and pulleys.
 *
 * A coupling is one row over up to four bodies. Couplings are solved one after the other, before
 * the joints. The effective mass is 1 / (J M^-1 J^T), where J is the row of both coordinates (see
 * cn_joint_row). A body that is in both joints, such as the arm that carries two gears, counts with
 * the sum of its parts. A coupling with slack is one-sided, like a rope over two wheels: the sum
 * may be less than the constant.
 */
#include "solver.h"

// The part of the row that belongs to one body.
typedef struct {
    int state;
    vec2s n; // of the velocity
    float s; // of the angular velocity
    float inverse_mass, inverse_inertia;
} coupling_part;

typedef struct {
    coupling_part parts[4];
    float error; // q + ratio q' - constant
    float mass;  // effective
} coupling_row;

// Writes the parts of one joint, with the bodies where they were `before` seconds ago. Returns the
// value of its coordinate, times the ratio.
static float add_joint(const cn_solver *s, int joint, int axis, float ratio, float before,
                       coupling_part *parts) {
    const cn_simulation *sim = s->sim;
    const int32_t *bodies = sim->joint_records[joint].bodies;
    int state[2];
    cn_float4 d[2];
    for (int k = 0; k < 2; k++) {
        state[k] = cn_state_of(sim, s->batch, bodies[k]);
        const cn_state *now = &s->states[state[k]];
        d[k] = now->d - before * now->v;
    }
    cn_coordinate_row r = cn_joint_row(sim, joint, (cn_joint_axis)axis, d[0], d[1]);
    for (int k = 0; k < 2; k++) {
        const cn_body_hot *body = &sim->hot[bodies[k]];
        float sign = k ? ratio : -ratio;
        parts[k] = (coupling_part){state[k], glms_vec2_scale(r.n, sign), sign * (k ? r.sb : r.sa),
                                   state[k] ? body->inverse_mass : 0,
                                   state[k] ? body->inverse_inertia : 0};
    }
    return ratio * r.value;
}

// Returns the row of a coupling, with the bodies where they were `before` seconds ago.
static coupling_row coupling_of(const cn_solver *s, int joint, float before) {
    const cn_coupling_row *c = &s->sim->joints[joint].coupling;
    coupling_row r = {.error = -c->constant};
    r.error += add_joint(s, joint, c->axis, 1, before, r.parts);
    r.error += add_joint(s, c->other, c->other_axis, c->ratio, before, r.parts + 2);
    float k = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const coupling_part *a = &r.parts[i], *b = &r.parts[j];
            if (a->state == b->state)
                k += a->inverse_mass * glms_vec2_dot(a->n, b->n) + a->inverse_inertia * a->s * b->s;
        }
    r.mass = k > 0 ? 1 / k : 0;
    return r;
}

static void apply_coupling(const coupling_row *r, float impulse, cn_state *states) {
    for (int i = 0; i < 4; i++) {
        const coupling_part *p = &r->parts[i];
        // Nothing moves a static or kinematic body, and other islands may use the same state.
        if (p->inverse_mass == 0 && p->inverse_inertia == 0) continue;
        cn_float4 *v = &states[p->state].v;
        (*v)[0] += p->inverse_mass * impulse * p->n.x;
        (*v)[1] += p->inverse_mass * impulse * p->n.y;
        (*v)[2] += p->inverse_inertia * impulse * p->s;
    }
}

// ---- loads

// Returns the impulse of a coupling on B of the joint that owns it. `n` is the row of B.
static cn_joint_push push_along(vec2s n, const cn_coupling_row *c) {
    return (cn_joint_push){glms_vec2_scale(n, c->impulse),
                           c->axis == CN_JOINT_ANGLE ? c->impulse : 0};
}

// Adds the impulse of a substep to the load, which has impulses instead of forces until
// cn_finish_coupling().
static void add_to_load(cn_joint_load *load, cn_joint_push push) {
    load->force = glms_vec2_add(load->force, push.p);
    load->torque += push.turn;
    load->peak_force = cn_max(load->peak_force, glms_vec2_norm(push.p));
    load->peak_torque = cn_max(load->peak_torque, cn_abs(push.turn));
}

cn_joint_push cn_coupling_push(const cn_solver *s, const cn_lane *lane) {
    const cn_coupling_row *c = &s->sim->joints[lane->slot].coupling;
    if (c->other < 0 || c->impulse == 0) return (cn_joint_push){0};
    cn_coordinate_row r = cn_joint_row(s->sim, lane->slot, (cn_joint_axis)c->axis,
                                       s->states[lane->a].d, s->states[lane->b].d);
    return push_along(r.n, c);
}

void cn_finish_coupling(const cn_solver *s, int joint) {
    cn_joint_data *data = &s->sim->joints[joint];
    data->coupling.impulse *= s->constants.store_scale;
    if (data->row_type != CN_ROW_NONE) return; // its rows store the load
    cn_joint_load *load = &s->sim->joint_load[joint];
    float per_step = 1 / s->sim->step_seconds, per_substep = s->constants.inverse_h;
    load->force = glms_vec2_scale(load->force, per_step), load->torque *= per_step;
    load->peak_force *= per_substep, load->peak_torque *= per_substep;
}

// ---- prepare and solve

void cn_prepare_coupling(const cn_solver *s, int joint) {
    coupling_row r = coupling_of(s, joint, 0);
    s->sim->joint_load[joint] = (cn_joint_load){0};
    cn_coupling_row *c = &s->sim->joints[joint].coupling;
    c->impulse *= s->constants.warm_scale;
    apply_coupling(&r, c->impulse, s->free);
}

void cn_solve_coupling(const cn_solver *s, int joint) {
    coupling_row r = coupling_of(s, joint, 0);
    cn_coupling_row *c = &s->sim->joints[joint].coupling;
    // The axes turned in this substep, so the warm start turns too: see joint_rows.h.
    if (s->now.relax) {
        coupling_row before = coupling_of(s, joint, s->constants.h);
        apply_coupling(&before, c->impulse, s->free);
        apply_coupling(&r, -c->impulse, s->free);
    }
    float u = 0;
    for (int i = 0; i < 4; i++) {
        cn_float4 v = s->states[r.parts[i].state].v;
        u += glms_vec2_dot(r.parts[i].n, cn_vec(v[0], v[1])) + r.parts[i].s * v[2];
    }
    bool is_loose = c->slack && r.error < 0; // it may close its gap within the substep
    float scale = s->now.relax || is_loose ? 1 : 1 - s->constants.joint_softness.impulse_scale;
    float bias = is_loose       ? r.error / s->constants.h
                 : s->now.relax ? 0
                                : r.error * s->constants.joint_softness.bias_rate;
    float impulse = scale * c->impulse - r.mass * (scale * u + bias);
    if (c->slack) impulse = cn_min(impulse, 0);
    if (!cn_finite(impulse)) impulse = 0;
    apply_coupling(&r, impulse - c->impulse, s->states);
    c->impulse = impulse;
    if (s->now.relax) add_to_load(&s->sim->joint_load[joint], push_along(r.parts[1].n, c));
}
