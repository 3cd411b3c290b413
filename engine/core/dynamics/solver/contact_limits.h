/* Contacts that may not push with their full force: those of bodies that recover from overlap, and
 * those of bodies between walls. They are solved like other contacts. The functions here change
 * their separations before the solve, and their warm start after it.
 */
#ifndef CN_CONTACT_LIMITS_H
#define CN_CONTACT_LIMITS_H

#include "contact_rows.h"

#define PARTING_FRACTION   0.1f   // of the overlap of two dynamic bodies, removed in a substep
#define PARTING_SPEED      0.1f   // fraction of push_speed: greatest speed at which these are moved
#define RECOVERY_PUSH      0.003f // fraction of push_speed at which recovering contacts push
#define RECOVERY_FALL_TIME 0.15f  // s: they also push with the speed of a fall of this time
#define RECOVERED_DEPTH    2      // slops: overlap of this depth is not moved
#define CARRIED_SPEED      0.5f   // fraction of push_speed: a warm start between walls stops it

// ---- recovery from overlap

/* A body that is created in other bodies, or put there, is not pushed out of them with full force.
 * Where many bodies overlap, relax does not take back all of the speed of the push, and they would
 * burst apart. As long as cn_needs_recovery(), the contacts of the body push with a small speed,
 * and the body is also moved directly. That gives it no speed (non-linear Gauss-Seidel), unless a
 * joint then pulls it back.
 *
 * A pile jams under its own weight, so the push is at least the speed of a short fall. Without
 * gravity the push is next to none. Contacts with static bodies remove twice the fraction, at the
 * full push speed, because they are solved last. */

// Returns the lanes in which a body recovers from overlap.
CN_INLINE cn_intw recovering_lanes(const cn_solver *s, const contact_block *c) {
    int32_t recovers[CN_LANES];
    cn_intw lanes;
    for (int k = 0; k < CN_LANES; k++)
        recovers[k] =
            -(s->recovers[c->a[k] / sizeof(cn_state)] | s->recovers[c->b[k] / sizeof(cn_state)]);
    memcpy(&lanes, recovers, sizeof lanes);
    return lanes;
}

// Limits a separation in recovering lanes, so that the bias of the contact is the speed of
// recovery.
CN_INLINE cn_floatw soften_separation(const cn_solver *s, cn_intw recovers, cn_floatw separation,
                                      bool static_a) {
    float speed = RECOVERY_PUSH * s->sim->tuning.push_speed +
                  RECOVERY_FALL_TIME * glms_vec2_norm(s->sim->gravity);
    float rate = (static_a ? s->static_softness : s->contact_softness).bias_rate;
    cn_floatw limited = cn_maxw(separation, cn_splatw(-speed / rate));
    return cn_selectw(recovers, limited, separation);
}

// Limits the separations of a block for its next solve. Returns whether any of its lanes recovers.
CN_INLINE bool soften_recovery(const cn_solver *s, contact_block *c, bool static_a) {
    cn_intw recovers = recovering_lanes(s, c);
    c->c1 = soften_separation(s, recovers, c->c1, static_a);
    c->c2 = soften_separation(s, recovers, c->c2, static_a);
    return cn_mask_bitsw(recovers);
}

// Moves the recovering bodies of a block apart, unless their velocities part them already.
CN_INLINE void separate_block(const cn_solver *s, contact_block *c, const contact_extension *e,
                              cn_row_type type, bool static_a) {
    cn_intw recovers = recovering_lanes(s, c);
    cn_row4w va = cn_gather4w(&s->states->v, c->a), vb = cn_gather4w(&s->states->v, c->b);
    cn_row4w a = cn_gather4w(&s->states->d, c->a), b = cn_gather4w(&s->states->d, c->b);
    update_separations(s, c, e, type);
    cn_floatw zero = cn_splatw(0),
              depth = zero - (type == CN_ROW_ONE_POINT ? c->c1 : cn_minw(c->c1, c->c2));
    cn_floatw un = (vb.x - va.x) * c->nx + (vb.y - va.y) * c->ny;
    cn_floatw wanted = (static_a ? 2 * PARTING_FRACTION : PARTING_FRACTION) * depth;
    float limit = (static_a ? 1 : PARTING_SPEED) * s->sim->tuning.push_speed * s->h;
    wanted = cn_minw(wanted, cn_splatw(limit));
    recovers &= depth > RECOVERED_DEPTH * s->sim->tuning.slop;
    cn_floatw mass = cn_keepw(recovers, inverse_or_zero(static_a ? vb.w : va.w + vb.w));
    cn_floatw p = mass * cn_maxw(wanted - un * s->h, zero);
    if (!static_a) {
        a.x -= va.w * p * c->nx;
        a.y -= va.w * p * c->ny;
        cn_scatter4w(&s->states->d, c->a, a);
    }
    b.x += vb.w * p * c->nx;
    b.y += vb.w * p * c->ny;
    cn_scatter4w(&s->states->d, c->b, b);
}

// ---- bodies between walls

/* Between walls that do not give way, each pass adds to the impulses on both sides, without end. A
 * body that then turns or slips out would be thrown. So the warm start of a contact is limited if
 * its island touches a kinematic body, or is deep in a static one. The limit is the impulse that
 * stops the points of the contact at CARRIED_SPEED, plus the load limit of the island: some times
 * its weight. */
CN_INLINE void limit_carried_impulse(const cn_solver *s, contact_block *c, cn_row_type type,
                                     bool static_a) {
    cn_floatw sum = c->ln1 + c->ln2;
    cn_floatw limit = CARRIED_SPEED * s->push_speed * (c->nm1 + c->nm2);
    if (!cn_mask_bitsw(sum > limit + s->load_limits[0])) return; // the least load limit
    for (int k = 0; k < CN_LANES; k++) limit[k] += s->load_limits[c->b[k] / sizeof(cn_state)];
    cn_floatw fraction = cn_keepw(sum > limit, 1 - limit / sum);
    remove_fraction(s, c, cn_gather4w(&s->states->v, c->a).w, cn_gather4w(&s->states->v, c->b).w,
                    fraction, static_a, type != CN_ROW_ONE_POINT);
}

#endif
