/* The warm start of contacts is limited in islands that touch a kinematic body, or that are deep in
 * a static one. */
#ifndef CN_CONTACT_LIMITS_H
#define CN_CONTACT_LIMITS_H

#include "contact_rows.h"

// Takes a fraction out of the impulses of a block, and out of the warm start.
CN_INLINE void remove_fraction(const cn_solver *s, contact_block *c, cn_floatw ma, cn_floatw mb,
                               cn_floatw fraction, bool static_a, bool two) {
    cn_intw any = fraction > 0; // the other lanes keep their impulses, with the sign of a zero
    cn_floatw l1 = cn_keepw(any, c->ln1 * fraction), l2 = cn_keepw(any, c->ln2 * fraction);
    cn_floatw lt = cn_keepw(any, c->lt * fraction);
    forget_impulse(s, c, any, ma, mb, impulse_of(c, l1, l2, lt, cn_splatw(0), two), static_a);
    c->ln1 -= l1, c->ln2 -= l2, c->lt -= lt;
}

/* Between walls that do not give way, each pass adds to the impulses on both sides, without end. A
 * body that then turns or slips out would be thrown. So the warm start of a contact is limited if
 * its island touches a kinematic body, or is deep in a static one. The limit is the impulse that
 * stops the points of the contact at CN_PUSH_BY_VELOCITY, plus the load limit of the island: some
 * times its weight. */
CN_INLINE void limit_carried_impulse(const cn_solver *s, contact_block *c, cn_row_type type,
                                     bool static_a) {
    cn_floatw sum = c->ln1 + c->ln2;
    cn_floatw limit = CN_PUSH_BY_VELOCITY * s->sim->tuning.push_speed * (c->nm1 + c->nm2);
    if (!cn_mask_bitsw(sum > limit + s->load_limits[0])) return; // the least load limit
    for (int k = 0; k < CN_LANES; k++) limit[k] += s->load_limits[c->b[k] / sizeof(cn_state)];
    cn_floatw fraction = cn_keepw(sum > limit, 1 - limit / sum);
    remove_fraction(s, c, cn_gather4w(&s->states->v, c->a).w, cn_gather4w(&s->states->v, c->b).w,
                    fraction, static_a, type != CN_ROW_ONE_POINT);
}

#endif
