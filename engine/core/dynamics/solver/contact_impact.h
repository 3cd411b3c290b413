/* Impacts: contacts that touch within a substep bounce, CN_LANES at a time, before the substep is
 * solved.
 *
 * A contact that would touch at the time t of the substep bounces at that time. Let g be the
 * relative acceleration of the free bodies. Then it approaches at vn - g (h - t) at the touch, and
 * leaves with e times that speed. The change of velocity dv acts only for the time h - t, so the
 * positions are moved back by dv t. The angles of bodies with joints are not: joints take most of
 * the turn back, and would be torn at the end of a lever arm.
 *
 * The blocks are swept up to CN_IMPACT_SWEEPS times. A contact with restitution e bounces in the
 * first fraction e of the sweeps, so a more elastic contact passes a shock on through more bodies.
 *
 * A contact without restitution may be solved as an impact too, if a body lands at speed (see
 * cn_expect_impact()). It takes part in all sweeps. Its impulses add up to those that stop the
 * body, and they shrink again where other contacts come to bear the body.
 *
 * Friction follows each sweep. A contact does not bounce if it is jammed, or if it approaches only
 * because of the warm start: a bounce would feed the bodies that press it.
 */
#ifndef CN_CONTACT_IMPACT_H
#define CN_CONTACT_IMPACT_H

#include "contact_rows.h"

#define SINGULAR_FRACTION 1e-3f // of k11 k22: with a smaller determinant both points act as one
#define SETTLED_FRACTION  1e-3f // of the impulses: a smaller change needs no further sweep
#define MIN_APPROACH      1e-9f // m/s: avoids a division by zero

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

// Returns the changes of both impulses of an impact. The points in on1 and on2 take part. The
// velocity of such a point changes by r1 or r2, or by more if its impulse ends at zero.
CN_INLINE normal_impulses solve_impact(const contact_block *c, cn_floatw mm, normal_impulses old,
                                       cn_floatw r1, cn_floatw r2, cn_intw on1, cn_intw on2) {
    cn_floatw zero = cn_splatw(0);
    cn_floatw k11 = mm + c->ia * c->rna1 * c->rna1 + c->ib * c->rnb1 * c->rnb1;
    cn_floatw k22 = mm + c->ia * c->rna2 * c->rna2 + c->ib * c->rnb2 * c->rnb2;
    cn_floatw k12 = mm + c->ia * c->rna1 * c->rna2 + c->ib * c->rnb1 * c->rnb2;
    cn_floatw det = k11 * k22 - k12 * k12;
    cn_floatw b1 = k11 * old.l1 + k12 * old.l2 + r1, b2 = k12 * old.l1 + k22 * old.l2 + r2;
    cn_intw both = on1 & on2 & (det > SINGULAR_FRACTION * k11 * k22);
    cn_floatw inverse = cn_keepw(both, inverse_or_zero(det));
    cn_floatw p1 = (k22 * b1 - k12 * b2) * inverse, p2 = (k11 * b2 - k12 * b1) * inverse;
    cn_floatw alone1 = cn_maxw(b1 * inverse_or_zero(k11), zero);
    cn_floatw alone2 = cn_maxw(b2 * inverse_or_zero(k22), zero);
    both &= cn_minw(p1, p2) >= zero;
    cn_intw first = on1 & (~on2 | (k12 * alone1 >= b2));
    p1 = cn_selectw(both, p1, cn_keepw(first, alone1));
    p2 = cn_selectw(both, p2, cn_keepw(on2 & ~first, alone2));
    return (normal_impulses){p1 - old.l1, p2 - old.l2};
}

// Friction of a body that lands flat, on both points. Friction alone would turn the body. The
// points prevent that by a couple: their normal impulses change by opposite amounts.
typedef struct {
    cn_floatw friction, couple; // changes
} flat_impulses;

CN_INLINE flat_impulses solve_flat_friction(const contact_block *c, cn_floatw mm, cn_floatw old,
                                            cn_floatw vt, cn_floatw limit) {
    cn_floatw turn = c->ia * c->rta + c->ib * c->rtb, i = c->ia + c->ib;
    cn_floatw width = c->rnb1 - c->rnb2, rate = turn * inverse_or_zero(i);
    cn_floatw k = mm + c->ia * c->rta * c->rta + c->ib * c->rtb * c->rtb - turn * rate;
    cn_floatw wide = cn_maxw(width * width, cn_splatw(FLT_MIN));
    cn_floatw p = cn_maxw(-limit, cn_minw(old - vt * inverse_or_zero(k), limit)) - old;
    return (flat_impulses){p, -rate * p * width / wide};
}

// Adds d to the velocities of some lanes. As a rule these are few. d.w is the time of the impact
// within the substep.
CN_INLINE void bounce_bodies(const cn_solver *s, const uint32_t *at, int lanes, cn_row4w d) {
    CN_EACH_LANE(k, lanes) {
        cn_float4 change = {d.x[k], d.y[k], d.z[k], 0};
        size_t i = at[k] / sizeof(cn_state);
        int body = body_of(s, at[k]);
        bool has_joints = s->sim->first_joint[body] >= 0;
        for (int axis = 0; axis < 2; axis++)
            if (s->sim->hot[body].flags & (uint32_t)CN_BODY_LOCK_X << axis) change[axis] = 0;
        s->states[i].v += change;
        s->states[i].d -= change * (cn_float4){d.w[k], d.w[k], has_joints ? 0 : d.w[k], 0};
        s->free[i].v += change;
    }
}

// ---- which islands have bounced

// Returns the flags of a sweep: whether any island has bounced, then each of them.
CN_INLINE atomic_bool *bounced_flags(const cn_solver *s, int sweep) {
    int row = s->substep * CN_IMPACT_SWEEPS + sweep;
    return &s->batch->bounced.items[row * (s->batch->island_sizes.count + 1)];
}

// Marks the island of the body at this state.
CN_INLINE void mark_bounced(const cn_solver *s, uint32_t state) {
    atomic_bool *flags = bounced_flags(s, s->sweep);
    cn_store_relaxed(&flags[0], true);
    cn_store_relaxed(&flags[1 + s->islands[state / sizeof(cn_state)]], true);
}

// Returns those of the lanes whose island has bounced in a sweep.
CN_INLINE cn_intw keep_bounced(const cn_solver *s, const contact_block *c, cn_intw lanes,
                               int sweep) {
    const atomic_bool *flags = bounced_flags(s, sweep) + 1;
    CN_EACH_LANE(k, cn_mask_bitsw(lanes)) {
        if (!cn_load_relaxed(&flags[s->islands[c->b[k] / sizeof(cn_state)]])) lanes[k] = 0;
    }
    return lanes;
}

// ---- sweeps

// Solves one block in one sweep. Returns a bit for each lane that bounced.
CN_INLINE int impact_block(const cn_solver *s, contact_block *c, contact_extension *e, hit_row *hit,
                           bool static_a) {
    float swept = (float)s->sweep / CN_IMPACT_SWEEPS; // fraction of the sweeps
    cn_intw is_landing = e->restitution <= CN_EXPECTED_IMPACT;
    cn_intw bouncy = (e->restitution > 0) & (is_landing | (e->restitution > swept));
    if (!cn_mask_bitsw(bouncy)) return 0; // most blocks have no restitution
    if (s->sweep == 0)
        e->p1 = e->p2 = e->pt = e->t = cn_splatw(0);
    else
        bouncy = keep_bounced(s, c, bouncy, s->sweep - 1);
    bouncy &= may_bounce(c, e);
    if (!cn_mask_bitsw(bouncy)) return 0;
    cn_intw has_landed = is_landing & (e->p1 + e->p2 > 0);
    is_landing &= bouncy;
    // Impacts of other contacts may have moved the bodies back. (Contacts with restitution keep
    // their separations: they have bounced already, or come next.)
    if (cn_mask_bitsw(is_landing)) {
        cn_floatw c1 = c->c1, c2 = c->c2;
        update_separations(s, c, e, CN_ROW_EXTENDED);
        c->c1 = cn_selectw(is_landing, c->c1, c1), c->c2 = cn_selectw(is_landing, c->c2, c2);
    }
    cn_floatw zero = cn_splatw(0), h = cn_splatw(s->h), threshold = cn_splatw(-s->bounce_threshold);
    cn_row4w a = cn_gather4w(&s->states->v, c->a), b = cn_gather4w(&s->states->v, c->b);
    normal_speeds now = speeds_of(c, a, b);
    cn_floatw v1 = now.v1, v2 = now.v2;
    cn_intw on1 = bouncy & (c->nm1 > zero) & (v1 < threshold) & (c->c1 + h * v1 <= zero);
    cn_intw on2 = bouncy & (c->nm2 > zero) & (v2 < threshold) & (c->c2 + h * v2 <= zero);
    on1 &= ~is_jammed(s, c->ln1, c->c1), on2 &= ~is_jammed(s, c->ln2, c->c2);
    cn_intw loaded1 = is_landing & (e->p1 > zero), loaded2 = is_landing & (e->p2 > zero);
    on1 |= loaded1, on2 |= loaded2;
    if (!cn_mask_bitsw(on1 | on2)) return 0;

    normal_speeds own =
        speeds_of(c, cn_gather4w(&s->free->v, c->a), cn_gather4w(&s->free->v, c->b));
    on1 &= loaded1 | (own.v1 < threshold), on2 &= loaded2 | (own.v2 < threshold);
    cn_intw on = on1 | on2, both = on1 & on2;
    if (!cn_mask_bitsw(on)) return 0;

    cn_row4w ga = cn_gather4w(&s->free->d, c->a), gb = cn_gather4w(&s->free->d, c->b);
    cn_floatw g =
        ((gb.x - ga.x) * c->nx + (gb.y - ga.y) * c->ny) * (2 * s->inverse_h * s->inverse_h);
    cn_floatw half = cn_splatw(0.5f);
    cn_floatw v = cn_selectw(both, half * (v1 + v2), cn_selectw(on1, v1, v2));
    cn_floatw gap = cn_selectw(both, half * (c->c1 + c->c2), cn_selectw(on1, c->c1, c->c2));
    cn_floatw t = cn_minw(cn_maxw(gap, zero) / cn_maxw(zero - v, cn_splatw(MIN_APPROACH)), h);
    t = cn_selectw(has_landed, e->t, t);
    // A bounce uses the smaller of the approach speeds with and without constraints. The speed
    // that other contacts add is left to the solve, such as the push of a heavy body on a light one
    // on the ground.
    v1 = cn_selectw(is_landing, v1, cn_maxw(v1, own.v1));
    v2 = cn_selectw(is_landing, v2, cn_maxw(v2, own.v2));
    cn_floatw factor = zero - (1 + e->restitution), late = cn_keepw(~is_landing, g * (h - t));
    cn_floatw mm = inverse_mass_along(s, c->a, a.w, c->nx, c->ny) +
                   inverse_mass_along(s, c->b, b.w, c->nx, c->ny);
    normal_impulses old = {cn_keepw(is_landing, e->p1), cn_keepw(is_landing, e->p2)};
    normal_impulses p =
        solve_impact(c, mm, old, factor * (v1 - late), factor * (v2 - late), on1, on2);
    cn_floatw p1 = cn_keepw(on, p.l1), p2 = cn_keepw(on, p.l2), sum = p1 + p2;
    cn_floatw ta = c->rna1 * p1 + c->rna2 * p2, tb = c->rnb1 * p1 + c->rnb2 * p2;
    if (hit) hit->l1 += p1, hit->l2 += p2;
    cn_floatw px = sum * c->nx, py = sum * c->ny;
    e->p1 += p1, e->p2 += p2, e->t = cn_selectw(on, t, e->t);

    int some = cn_mask_bitsw(on);
    cn_row4w da = {-a.w * px, -a.w * py, -c->ia * ta, t}, db = {b.w * px, b.w * py, c->ib * tb, t};
    if (!static_a) bounce_bodies(s, c->a, some, da);
    bounce_bodies(s, c->b, some, db);
    cn_floatw change = cn_absw(p1) + cn_absw(p2);
    return cn_mask_bitsw(on & (~has_landed | (change > SETTLED_FRACTION * (e->p1 + e->p2))));
}

// Solves the friction of the impacts up to this sweep. It comes after each sweep, because a body
// that lands flat turns and slips on one end only until the neighbouring ground shape bears its
// other end.
CN_INLINE void impact_friction_block(const cn_solver *s, contact_block *c, contact_extension *e,
                                     bool static_a) {
    if (!cn_mask_bitsw(e->restitution > 0)) return;
    cn_floatw zero = cn_splatw(0), sum = e->p1 + e->p2, limit = c->friction * sum;
    cn_intw rubs = keep_bounced(s, c, (sum > zero) | (e->pt != zero), s->sweep);
    int some = cn_mask_bitsw(rubs);
    if (!some) return;
    cn_row4w a = cn_gather4w(&s->states->v, c->a), b = cn_gather4w(&s->states->v, c->b);
    cn_floatw vt = (b.x - a.x) * c->ny - (b.y - a.y) * c->nx + (b.z * c->rtb - a.z * c->rta);
    vt -= e->surface;
    cn_floatw mm = inverse_mass_along(s, c->a, a.w, c->ny, c->nx) +
                   inverse_mass_along(s, c->b, b.w, c->ny, c->nx);
    cn_floatw tm = inverse_or_zero(mm + c->ia * c->rta * c->rta + c->ib * c->rtb * c->rtb);
    cn_floatw pt = cn_maxw(zero - limit, cn_minw(e->pt - tm * vt, limit)) - e->pt;
    flat_impulses f = solve_flat_friction(c, mm, e->pt, vt, limit);
    cn_intw stays_flat =
        (cn_minw(e->p1, e->p2) > zero) & (cn_minw(e->p1 + f.couple, e->p2 - f.couple) >= zero);
    cn_floatw couple = cn_keepw(stays_flat & rubs, f.couple);
    pt = cn_keepw(rubs, cn_selectw(stays_flat, f.friction, pt));
    e->p1 += couple, e->p2 -= couple, e->pt += pt;
    cn_floatw ta = (c->rna1 - c->rna2) * couple + c->rta * pt;
    cn_floatw tb = (c->rnb1 - c->rnb2) * couple + c->rtb * pt;
    cn_floatw px = pt * c->ny, py = zero - pt * c->nx;
    if (!static_a)
        bounce_bodies(s, c->a, some, (cn_row4w){-a.w * px, -a.w * py, -c->ia * ta, e->t});
    bounce_bodies(s, c->b, some, (cn_row4w){b.w * px, b.w * py, c->ib * tb, e->t});
}

#endif
