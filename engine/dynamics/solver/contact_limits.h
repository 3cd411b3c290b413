/* Contacts that must not push with all their force: of bodies deep in each other, and of what is pressed between
 * walls. They are solved as others; this is done to them before and after. */
#ifndef CN_CONTACT_LIMITS_H
#define CN_CONTACT_LIMITS_H

#include "contact_rows.h"

// ---- bodies deep in each other

/* A body that is made, or put, deep into others is not pushed out of them with all force: where many overlap relax
 * does not get all the speed of the push back, and they would burst apart. As long as cn_needs_recovery() its contacts push
 * gently, and it is also moved, which gives it no speed (non-linear Gauss-Seidel), unless a joint holds it. What
 * weighs on a pile jams it: so the push is the speed of a short fall. Where there is no gravity it is next to none. */
#define PART_SHARE 0.1f // of the overlap goes in a substep; twice that of one with what is fixed,
#define PART_SPEED 0.1f // which has the last word: two others part at this share of the push speed
#define GENTLE     0.003f // share of it at which they push, besides
#define FALL_TIME  0.15f  // s: that of the fall
#define REST       2      // slops: so much is not moved

// The lanes of which a body is deep in another.
CN_INLINE cn_intw recovering_lanes(const cn_solver *s, const contact_block *c) {
    int32_t calm[CN_LANES];
    cn_intw lanes;
    for (int k = 0; k < CN_LANES; k++)
        calm[k] = -(s->recovers[c->a[k] / sizeof(cn_state)] | s->recovers[c->b[k] / sizeof(cn_state)]);
    memcpy(&lanes, calm, sizeof lanes);
    return lanes;
}

// A separation as the soft contact of such a body sees it.
CN_INLINE cn_floatw softened_separation(const cn_solver *s, cn_intw calm, cn_floatw gap, bool static_a) {
    float speed = GENTLE * s->sim->tuning.push_speed + FALL_TIME * glms_vec2_norm(s->sim->gravity);
    cn_floatw seen = cn_maxw(gap, cn_splatw(-speed / (static_a ? s->static_softness : s->contact_softness).bias_rate));
    return cn_selectw(calm, seen, gap);
}

// Returns whether it has such lanes.
CN_INLINE bool soften_recovery(const cn_solver *s, contact_block *c, bool static_a) {
    cn_intw calm = recovering_lanes(s, c);
    c->c1 = softened_separation(s, calm, c->c1, static_a);
    c->c2 = softened_separation(s, calm, c->c2, static_a);
    return cn_mask_bitsw(calm);
}

// Moves the bodies of a block, unless they part by themselves.
CN_INLINE void separate_block(const cn_solver *s, contact_block *c, const contact_extension *e, cn_row_type type,
                          bool static_a) {
    cn_intw calm = recovering_lanes(s, c);
    cn_row4w va = cn_gather4w(s->states, c->a), vb = cn_gather4w(s->states, c->b);
    cn_row4w a = cn_gather4w(&s->states->d, c->a), b = cn_gather4w(&s->states->d, c->b);
    update_separations(s, c, e, type);
    cn_floatw zero = cn_splatw(0),
              depth = zero - (type == CN_ROW_ONE_POINT ? c->c1 : cn_minw(c->c1, c->c2));
    cn_floatw un = (vb.x - va.x) * c->nx + (vb.y - va.y) * c->ny;
    cn_floatw way = (static_a ? 2 * PART_SHARE : PART_SHARE) * depth;
    way = cn_minw(way, cn_splatw((static_a ? 1 : PART_SPEED) * s->sim->tuning.push_speed * s->h));
    calm &= depth > REST * s->sim->tuning.slop;
    cn_floatw mass = cn_keepw(calm, inverse_or_zero(static_a ? vb.w : va.w + vb.w));
    cn_floatw p = mass * cn_maxw(way - un * s->h, zero);
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

/* Between walls that do not give way each pass adds to the impulses on both sides, without end, and what
 * then turns or slips out would be thrown. So where the island of a contact touches what is kinematic, or is deep
 * in the ground, it carries on no more than stops its points at a share of the push speed, and some times the
 * weight of the island. */
#define PRESS_SHARE 0.5f
CN_INLINE void limit_carried_impulse(const cn_solver *s, contact_block *c, cn_row_type type, bool static_a) {
    cn_floatw sum = c->ln1 + c->ln2;
    cn_floatw most = PRESS_SHARE * s->push_speed * (c->nm1 + c->nm2);
    if (!cn_mask_bitsw(sum > most + s->load_limits[0])) return; // the least of all
    for (int k = 0; k < CN_LANES; k++) most[k] += s->load_limits[c->b[k] / sizeof(cn_state)];
    cn_floatw share = cn_keepw(sum > most, 1 - most / sum);
    remove_fraction(s, c, cn_gather4w(s->states, c->a).w, cn_gather4w(s->states, c->b).w, share, static_a,
                 type != CN_ROW_ONE_POINT);
}

#endif
