/* Fast points of contacts.
 *
 * An impact stops a point that approaches fast, with one impulse. If that impulse were repeated in
 * the next substep, as the warm start repeats what bears a load, it would throw the body back. So
 * solve and relax stop a fast point, but the growth of its impulse is not repeated: it goes out of
 * the impulse of the row, and out of the warm start.
 *
 * A fast point that is deeper than DEEP_SLOPS keeps the part of its impulse that changes its
 * speed by impact_speed: that is needed to part the bodies. A contact of a body with joints keeps
 * everything, because the other bodies of its joints continue to push. So does a contact whose
 * restitution is at most 1/8: it bounces in the first sweep only and has no landings, so large
 * piles would be compressed. In relax, a fast point that still has a gap does not grow at all,
 * because it has its impact in the next substep.
 */
#ifndef CN_CONTACT_FAST_H
#define CN_CONTACT_FAST_H

#include "contact_block.h"

// Growth of the impulses of fast points.
typedef struct {
    cn_floatw l1, l2;
} fast_growth;

// Finds the growth of the impulses of fast points in some lanes. In relax, marks the impacts of the
// next substep.
CN_INLINE fast_growth find_growth(const cn_solver *s, const contact_block *c,
                                  const contact_extension *e, normal_speeds v, cn_intw lanes,
                                  bool relax, bool two, normal_impulses *l) {
    cn_floatw zero = cn_splatw(0), fast = cn_splatw(-s->constants.impact_speed),
              deep = cn_splatw(-DEEP_SLOPS * s->sim->tuning.slop);
    cn_intw second = two ? c->nm2 > zero : (cn_intw){0};
    cn_intw keeps = s->tree.numbers ? jointed_lanes(s, c, lanes) : (cn_intw){0};
    if (e) keeps |= (e->restitution > zero) & ~lanes_that_bounce(e, 1);
    cn_intw fast1 = lanes & ~keeps & (v.v1 < fast);
    cn_intw fast2 = lanes & ~keeps & (v.v2 < fast) & second;
    if (relax) {
        cn_intw due = due_lanes(s, c, e, second, v);
        if (cn_mask_bitsw(due)) mark_due(s, c, due, s->now.substep + 1);
        l->l1 = cn_selectw(fast1 & (c->c1 > zero), cn_minw(l->l1, c->ln1), l->l1);
        l->l2 = cn_selectw(fast2 & (c->c2 > zero), cn_minw(l->l2, c->ln2), l->l2);
    }
    cn_floatw kept1 = cn_keepw(c->c1 <= deep, zero - c->nm1 * fast);
    cn_floatw kept2 = cn_keepw(c->c2 <= deep, zero - c->nm2 * fast);
    return (fast_growth){cn_keepw(fast1, cn_maxw(l->l1 - c->ln1 - kept1, zero)),
                         cn_keepw(fast2, cn_maxw(l->l2 - c->ln2 - kept2, zero))};
}

// Takes the growth of fast points out of the impulses and of the warm start, which is v - free of
// the bodies. After relax, the part of the friction that the rest does not allow goes, too.
CN_INLINE void forget_growth(const cn_solver *s, contact_block *c, contact_extension *e,
                             cn_floatw ma, cn_floatw mb, fast_growth g, bool relax, bool static_a,
                             bool two) {
    cn_floatw zero = cn_splatw(0), lt = zero, roll = zero;
    c->ln1 -= g.l1;
    if (two) c->ln2 -= g.l2;
    c->unrepeated += g.l1 + g.l2;
    if (!relax) c->sum1 += g.l1, c->sum2 += g.l2;
    cn_intw grew = c->unrepeated > zero;
    if (relax) {
        cn_floatw normal = two ? c->ln1 + c->ln2 : c->ln1, limit = c->friction * normal;
        lt = cn_keepw(grew, c->lt - cn_maxw(zero - limit, cn_minw(c->lt, limit)));
        c->lt = cn_selectw(grew, c->lt - lt, c->lt), c->unrepeated = zero;
        if (e) {
            limit = e->rolling * normal;
            roll = cn_keepw(grew, e->lr - cn_maxw(zero - limit, cn_minw(e->lr, limit)));
            e->lr = cn_selectw(grew, e->lr - roll, e->lr);
        }
    }
    cn_intw some = (g.l1 > zero) | (g.l2 > zero) | (lt != zero) | (roll != zero);
    forget_impulse(s, c, some, ma, mb, impulse_of(c, g.l1, g.l2, lt, roll, two), static_a);
}

#endif
