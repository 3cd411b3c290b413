/* Overlap recovery. The springs of the solve are limited: they keep the impulse of the contact and
 * add little. The remaining overlap is removed by moving the bodies, at the end of relax, block by
 * block. That leaves no speed (non-linear
 * Gauss-Seidel; "position based dynamics", Mueller et al. 2007, moves bodies like this).
 */
#ifndef CN_CONTACT_OVERLAP_H
#define CN_CONTACT_OVERLAP_H

#include "contact_block.h"

// Fractions of its overlap, relative to bias_rate h of its softness, that a contact removes in a
// substep: with the usual stiffness .44 between two dynamic bodies, and .86 at an immovable one,
// which is solved last.
#define RECOVERY        8
#define RECOVERY_STATIC 11
#define RECOVERY_TURN   0.05f // rad: greatest turn of a body in a pass: lever arms stay as they are
#define RECOVERY_RATIO  4     // a heavier body counts as at most so many times heavier

// Returns the distance by which a point is moved. The spring would move it at -bias_rate s. What
// the point bears, and what the spring may do by itself, do not count. Bodies that part fast by
// themselves are not moved, such as one that leaves a chain through its front.
CN_INLINE cn_floatw distance_of(const cn_solver *s, const contact_block *c, float moved,
                                cn_floatw separation, cn_floatw l, cn_floatw nm, cn_floatw vn) {
    cn_floatw zero = cn_splatw(0), h = cn_splatw(s->constants.h), parting = cn_maxw(vn, zero);
    cn_floatw borne = c->impulse_scale * l * inverse_or_zero(nm);
    cn_floatw excess = zero - separation * c->bias_rate - borne - s->constants.spring_speed;
    cn_floatw longest =
        cn_splatw((s->sim->tuning.push_speed - s->constants.spring_speed) * s->constants.h);
    cn_floatw distance = cn_minw(moved * h * excess, longest) - h * parting;
    cn_intw parts = parting > CN_PUSH_BY_VELOCITY * s->sim->tuning.push_speed;
    return cn_keepw((nm > zero) & ~parts, cn_maxw(distance, zero));
}

// The factor on the inverse mass of a body beside another one.
CN_INLINE cn_floatw lighten(cn_floatw mass, cn_floatw other) {
    cn_floatw least = 1.0f / RECOVERY_RATIO * other;
    cn_intw heavy = (mass > 0) & (mass < least);
    return cn_selectw(heavy, least * inverse_or_zero(mass), cn_splatw(1));
}

CN_INLINE cn_floatw limit_turn(cn_floatw angle) {
    return cn_maxw(cn_splatw(-RECOVERY_TURN), cn_minw(angle, cn_splatw(RECOVERY_TURN)));
}

// Moves the bodies of a block apart where they overlap, both points at once. Bodies with joints are
// not moved, because that would open the joints: the springs push them.
static __attribute__((noinline)) void move_apart(const cn_solver *s, contact_block *c,
                                                 cn_row_type type, cn_floatw depth, bool static_a) {
    const cn_floatw zero = cn_splatw(0);
    const cn_row4w va = cn_gather4w(&s->states->v, c->a), vb = cn_gather4w(&s->states->v, c->b);
    const normal_speeds v = speeds_of(c, va, vb);
    const float moved = static_a ? RECOVERY_STATIC : RECOVERY;
    cn_floatw gap = type == CN_ROW_ONE_POINT ? c->c1 : cn_minw(c->c1, c->c2);
    cn_intw movable = gap < depth;
    if (s->tree.numbers) movable &= ~jointed_lanes(s, c, movable);
    c->spring_speed = cn_selectw(movable, spring_speed_of(s, gap), c->spring_speed);
    normal_impulses wanted = {distance_of(s, c, moved, c->c1, c->ln1, c->nm1, v.v1), zero};
    if (type != CN_ROW_ONE_POINT) wanted.l2 = distance_of(s, c, moved, c->c2, c->ln2, c->nm2, v.v2);
    cn_intw on = movable & (cn_maxw(wanted.l1, wanted.l2) > zero);
    if (!cn_mask_bitsw(on)) return;
    cn_floatw ma = va.w, mb = vb.w, ia = c->ia, ib = c->ib;
    if (!static_a) {
        cn_floatw of_a = lighten(va.w, vb.w), of_b = lighten(vb.w, va.w);
        ma *= of_a, ia *= of_a, mb *= of_b, ib *= of_b;
    }
    normal_impulses p =
        solve_points(inverse_masses_of(c, ma + mb, ia, ib), (normal_impulses){zero, zero}, wanted,
                     on, on & (c->nm2 > zero));
    cn_floatw sum = p.l1 + p.l2, ta = c->rna1 * p.l1 + c->rna2 * p.l2,
              tb = c->rnb1 * p.l1 + c->rnb2 * p.l2;
    if (!static_a) {
        cn_row4w a = cn_gather4w(&s->states->d, c->a);
        a = add_to_row(a, on, -ma * sum * c->nx, -ma * sum * c->ny, limit_turn(-ia * ta));
        cn_scatter4w(&s->states->d, c->a, a);
    }
    cn_row4w b = cn_gather4w(&s->states->d, c->b);
    b = add_to_row(b, on, mb * sum * c->nx, mb * sum * c->ny, limit_turn(ib * tb));
    cn_scatter4w(&s->states->d, c->b, b);
}

#endif
