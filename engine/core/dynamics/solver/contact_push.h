/* What impacts of contacts do to bodies: how much an impulse changes the velocities of the points,
 * and how an impulse moves the bodies.
 *
 * A body outside of trees of joints has its inverse mass and inertia, except along locked axes. A
 * body of a tree moves as its joints let it, and with it the whole tree (impact_trees.h). If a body
 * has a response (response.h), its lever arms, torques and velocities are those about the centre of
 * the response, here as in all passes over contacts. The mass of the response is not used here.
 *
 * Contacts with a body of a tree are solved one by one: `in_tree` is true, and there is one lane.
 */
#ifndef CN_CONTACT_PUSH_H
#define CN_CONTACT_PUSH_H

#include "contact_rows.h"

#define LOCKED_FRACTION 0.05f // of the inverse mass: at least, along a locked axis

CN_INLINE int body_of(const cn_solver *s, uint32_t state) {
    return s->batch->bodies.items[state / sizeof(cn_state) - 1];
}

// Returns the part of the inverse mass that acts along (x, y): a locked axis does not move.
CN_INLINE cn_floatw inverse_mass_along(const cn_solver *s, const uint32_t *at, cn_floatw mass,
                                       cn_floatw x, cn_floatw y) {
    for (int k = 0; s->batch->has_clamped_bodies && k < CN_LANES; k++) {
        uint32_t flags = mass[k] > 0 ? s->sim->hot[body_of(s, at[k])].flags : 0;
        if (flags & CN_BODY_LOCK_X) mass[k] *= y[k] * y[k];
        if (flags & CN_BODY_LOCK_Y) mass[k] *= x[k] * x[k];
    }
    return mass;
}

// Returns the part of the inverse effective mass along (x, y) that is not from turning. If the axis
// of a body is locked, it is a little more than 0. Otherwise an impulse near the centre of mass
// could stop the contact only by a fast turn.
CN_INLINE cn_floatw mass_term(const cn_solver *s, const contact_block *c, cn_floatw ma,
                              cn_floatw mb, cn_floatw x, cn_floatw y) {
    cn_floatw along = inverse_mass_along(s, c->a, ma, x, y) + inverse_mass_along(s, c->b, mb, x, y);
    return cn_maxw(along, LOCKED_FRACTION * (ma + mb));
}

// Returns the lanes with a body of a tree.
CN_INLINE cn_intw lanes_in_trees(const cn_solver *s, const contact_block *c) {
    return s->tree.bodies ? s->impacts.rows[c - s->blocks].in_trees : (cn_intw){0};
}

// ---- inverse masses

enum { POINT_1, POINT_2, FRICTION, ROWS }; // of a contact

// Returns the impulses on A and B for a unit impulse of a row.
static cn_pair_change unit_impulse(const contact_block *c, int row, int k) {
    float x = c->nx[k], y = c->ny[k];
    if (row == FRICTION) return (cn_pair_change){{-y, x, -c->rta[k]}, {y, -x, c->rtb[k]}};
    if (row == POINT_1) return (cn_pair_change){{-x, -y, -c->rna1[k]}, {x, y, c->rnb1[k]}};
    return (cn_pair_change){{-x, -y, -c->rna2[k]}, {x, y, c->rnb2[k]}};
}

static float dot3(cn_float4 a, cn_float4 b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// Returns the change of the velocity of a body outside of trees, else zero.
static cn_float4 change_outside(const cn_solver *s, uint32_t at, float inertia, cn_float4 p) {
    float mass = s->states[at / sizeof(cn_state)].v[3];
    if (s->tree.numbers[at / sizeof(cn_state)] > 0 || mass <= 0) return (cn_float4){0};
    cn_float4 change = {mass * p[0], mass * p[1], inertia * p[2], 0};
    uint32_t flags = s->batch->has_clamped_bodies ? s->sim->hot[body_of(s, at)].flags : 0;
    if (flags & CN_BODY_LOCK_X) change[0] = 0;
    if (flags & CN_BODY_LOCK_Y) change[1] = 0;
    return change;
}

// Finds how a unit impulse of one row of a contact with a body of a tree changes the velocities of
// all rows.
static void find_response_of_row(const cn_solver *s, const contact_block *c, int row, int k,
                                 float changes[ROWS]) {
    const cn_pair_change p = unit_impulse(c, row, k);
    cn_pair_change v = CN_WIDE(cn_respond)(s, (int)(c->a[k] / sizeof(cn_state)),
                                           (int)(c->b[k] / sizeof(cn_state)), p);
    v.a += change_outside(s, c->a[k], c->ia[k], p.a);
    v.b += change_outside(s, c->b[k], c->ib[k], p.b);
    for (int i = 0; i < ROWS; i++) {
        const cn_pair_change j = unit_impulse(c, i, k);
        changes[i] = dot3(j.a, v.a) + dot3(j.b, v.b);
    }
}

// Returns the inverse masses of the normal rows of the points that take part.
CN_INLINE inverse_masses normal_masses(const cn_solver *s, const contact_block *c, cn_floatw mm,
                                       cn_intw on1, cn_intw on2, bool in_tree) {
    if (!in_tree) return inverse_masses_of(c, mm, c->ia, c->ib);
    inverse_masses m = {cn_splatw(0), cn_splatw(0), cn_splatw(0)};
    CN_EACH_LANE(k, cn_mask_bitsw(on1 | on2)) {
        float changes[ROWS];
        if (on1[k]) {
            find_response_of_row(s, c, POINT_1, k, changes);
            m.k11[k] = changes[POINT_1], m.k12[k] = changes[POINT_2];
        }
        if (!on2[k]) continue;
        find_response_of_row(s, c, POINT_2, k, changes);
        m.k22[k] = changes[POINT_2];
    }
    return m;
}

// Friction alone would turn a body that lands flat, on both points. The points prevent that by a
// couple: their normal impulses change by opposite amounts.
typedef struct {
    cn_floatw alone, flat; // inverse masses of friction alone, and with the couple
    cn_floatw rate, width; // an impulse p of friction needs the couple -rate p / width
} friction_masses;

CN_INLINE friction_masses masses_of_friction(const cn_solver *s, const contact_block *c,
                                             cn_floatw mm, cn_intw lanes, cn_intw flat,
                                             bool in_tree) {
    cn_floatw turn = c->ia * c->rta + c->ib * c->rtb, i = c->ia + c->ib;
    cn_floatw alone = mm + c->ia * c->rta * c->rta + c->ib * c->rtb * c->rtb;
    cn_floatw rate = turn * inverse_or_zero(i);
    friction_masses m = {alone, alone - turn * rate, rate, c->rnb1 - c->rnb2};
    CN_EACH_LANE(k, in_tree ? cn_mask_bitsw(lanes) : 0) {
        float n1[ROWS], n2[ROWS] = {0}, t[ROWS];
        find_response_of_row(s, c, FRICTION, k, t);
        m.alone[k] = m.flat[k] = t[FRICTION];
        m.rate[k] = 0, m.width[k] = 1;
        if (!flat[k]) continue;
        find_response_of_row(s, c, POINT_1, k, n1);
        find_response_of_row(s, c, POINT_2, k, n2);
        float couple = n1[POINT_1] - 2 * n1[POINT_2] + n2[POINT_2], by = t[POINT_1] - t[POINT_2];
        if (couple <= 0) continue;
        m.rate[k] = by / couple;
        m.flat[k] = t[FRICTION] - by * m.rate[k];
    }
    return m;
}

typedef struct {
    cn_floatw friction, couple; // changes
} flat_impulses;

CN_INLINE flat_impulses solve_flat_friction(const friction_masses *m, cn_floatw old, cn_floatw vt,
                                            cn_floatw limit) {
    cn_floatw wide = cn_maxw(m->width * m->width, cn_splatw(FLT_MIN));
    cn_floatw p = cn_maxw(-limit, cn_minw(old - vt * inverse_or_zero(m->flat), limit)) - old;
    return (flat_impulses){p, -m->rate * p * m->width / wide};
}

// ---- pushes

// Adds d to the velocity of a body outside of trees, and moves the body back by d times the time of
// the impact within the substep: d[3], or for landings that of the first impact of the body. Bodies
// on iterated joints are not moved back by landings, and only moved, not turned back, by bounces.
CN_INLINE void change_body(const cn_solver *s, uint32_t at, cn_float4 change, bool lands) {
    cn_impact_body *body = &s->impacts.bodies[at / sizeof(cn_state)];
    cn_state *state = &s->states[at / sizeof(cn_state)];
    float time = change[3];
    change[3] = 0;
    if (body->substep != s->now.substep) {
        body->substep = (int8_t)s->now.substep;
        body->before = state->v;
        body->before[3] = time;
    }
    if (lands) time = body->before[3];
    if (s->batch->has_clamped_bodies) {
        uint32_t flags = s->sim->hot[body_of(s, at)].flags;
        if (flags & CN_BODY_LOCK_X) change[0] = 0;
        if (flags & CN_BODY_LOCK_Y) change[1] = 0;
    }
    state->v += change;
    if (time <= 0) return;
    if (s->tree.numbers && s->tree.numbers[at / sizeof(cn_state)]) {
        if (lands) return;
        change[2] = 0;
    }
    state->d -= change * time;
}

// Applies impulses to the bodies of some lanes, which have these inverse masses and inertias if
// they are not in trees. Lane 3 of an impulse is the time of the impact. x and y are multiplied by
// `scale`.
CN_INLINE void push_bodies(const cn_solver *s, const uint32_t *at, cn_intw lanes, cn_row4w impulse,
                           cn_floatw scale, cn_floatw mass, cn_floatw inertia, bool lands,
                           bool in_tree) {
    const cn_floatw m = mass * scale;
    cn_row4w d = {m * impulse.x, m * impulse.y, inertia * impulse.z, impulse.w};
    impulse.x *= scale, impulse.y *= scale;
    CN_EACH_LANE(k, cn_mask_bitsw(lanes)) {
        if (in_tree && s->tree.numbers[at[k] / sizeof(cn_state)] > 0) CN_WIDE(cn_push_tree)
        (s, (int)(at[k] / sizeof(cn_state)), cn_lane_of(impulse, k), lands);
        else if (!in_tree || mass[k] > 0) change_body(s, at[k], cn_lane_of(d, k), lands);
    }
}

#endif
