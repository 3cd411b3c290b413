/* The contact constraints, CN_LANES at a time: solve and relax, store. (contact_prepare.h makes the
 * blocks, contact_impact.h has the impacts, contact_fast.h what solve and relax do about fast
 * points, contact_overlap.h overlap recovery.)
 *
 * This is the soft-step solver ("Solver2D", E. Catto 2024). In every substep the velocities are
 * first solved with a bias that pushes overlap apart like a stiff damped spring. Then the positions
 * move. Then the velocities are relaxed without the bias, so that the push leaves no speed behind.
 *
 * A block holds CN_LANES contacts of one colour, which share no body that can move:
 *
 *      A <--- n --- B      n  normal from A to B,  t = (ny, -nx) tangent
 *      rn = cross(r, n)    r  lever arm from the centre of mass to the point
 *      un = n.(vB - vA)    relative velocity of the centres along n; at a point
 *      vn = un + wB rnB - wA rnA
 *
 * In the code wB is b.z, and b.w is the inverse mass of B. A name is the letter of the formula,
 * then the body, then the point: rnb1 is rnB of point 1; nm1 and ln1 are the effective mass and the
 * impulse of its row. The friction row has rta, rtb, tm and lt, with rt = cross(r, t) = -r.n.
 *
 * All products are taken in the (n, t) frame, so a block needs four scalars of the two bodies.
 * Friction is one row at the mean of the two points: for a flat contact the rows of both points are
 * the same. The separation during the step is
 *
 *      s = s0 + n.(dB - dA) + thB rnB - thA rnA + (thB^2 qB - thA^2 qA) / 2,    q = -r.n
 *
 * where d and th are displacement and angle since the start of the step. The last term is the
 * second order of the turned lever arm. q is also the lever arm rt of the friction row, so plain
 * contacts read it there. The anchor of a circle does not turn with the circle, so its q is that of
 * the centre of the circle: 0.
 *
 * If a body of a tree has a response (response.h), the centre of the response takes the place of
 * the centre of mass. Then the q of a circle is not 0.
 *
 * Row types: plain (two points); one-point (a circle takes part); extended (restitution, rolling
 * resistance or a moving surface; any points).
 * In a world with a pre-solve callback all rows are extended, and take the values of the step.
 */
#ifndef CN_CONTACT_ROWS_H
#define CN_CONTACT_ROWS_H

#include "contact_fast.h"
#include "contact_overlap.h"
#include "contact_prepare.h"

#define MIN_DETERMINANT 0.01f // both points act as one below this; independent points have 1

// The constants of one pass over blocks. They stay in registers.
typedef struct {
    cn_floatw inverse_h, bias_rate; // of a contact that is the only one between its bodies
    cn_floatw due;   // m/s, negative: contacts that approach faster may land; extended ones have
                     // a speed of their own
    cn_floatw reach; // s: gaps that close within this time are near
    cn_floatw depth; // m, negative: deeper contacts are moved apart
} pass_constants;

CN_INLINE pass_constants constants_of(const cn_solver *s, bool static_a) {
    const cn_softness *soft =
        static_a ? &s->constants.static_softness : &s->constants.contact_softness;
    return (pass_constants){.inverse_h = cn_splatw(s->constants.inverse_h),
                            .bias_rate = cn_splatw(soft->bias_rate),
                            .due = cn_splatw(-s->constants.impact_speed),
                            .reach = cn_splatw(2 * s->constants.h),
                            .depth = cn_splatw(-s->constants.spring_speed / soft->bias_rate)};
}

// ---- solve and relax

// A normal row: its new impulse is max(l0 - m vn, 0). l0 is what it would be without any approach.
typedef struct {
    cn_floatw l0, m;
} normal_row;

// An overlap is soft. A gap is rigid, and may close within the substep. The larger of both biases
// is always the right one, because bias_rate is less than 1 / h.
CN_INLINE normal_row biased_row(cn_floatw l, cn_floatw nm, cn_floatw separation,
                                cn_floatw inverse_h, cn_floatw bias_rate, cn_floatw impulse_scale) {
    cn_intw gap = separation > 0;
    cn_floatw scale = 1 - cn_keepw(~gap, impulse_scale);
    cn_floatw bias = cn_maxw(separation * inverse_h, separation * bias_rate);
    return (normal_row){l * scale - nm * bias, nm * scale};
}

// One point of a contact before it is solved.
typedef struct {
    cn_floatw impulse, separation, vn;
} contact_point;

// Leaves the bounce of a contact with restitution to the impact pass. In the solve, its impulse may
// not grow while there is a gap, unless the gap would close within this substep. In relax, it may
// not grow while there is a gap, or while the points approach fast.
CN_INLINE cn_floatw leave_to_impact(const cn_solver *s, const contact_extension *e,
                                    contact_point point, cn_floatw impulse, bool relax) {
    cn_floatw zero = cn_splatw(0);
    cn_intw bounces = e->restitution > zero;
    cn_intw spared = point.separation > zero;
    if (relax)
        spared |= point.vn < -e->bounce_speed;
    else
        spared &= point.separation + s->constants.h * point.vn > zero;
    return cn_selectw(spared & bounces, cn_minw(impulse, point.impulse), impulse);
}

CN_INLINE normal_row make_row(const pass_constants *k, const contact_block *c, cn_floatw l,
                              cn_floatw nm, cn_floatw separation, bool relax) {
    cn_floatw closing = cn_maxw(separation * k->inverse_h, cn_splatw(0));
    if (relax) return (normal_row){l - nm * closing, nm};
    return biased_row(l, nm, separation, k->inverse_h, c->bias_rate, c->impulse_scale);
}

// Limits what the springs of a contact do: together they hold the fraction `kept` of its impulse,
// and add at most the impulse of `spring_speed`. They may shift load from one point to the other.
// That keeps a stack from tilting.
CN_INLINE void limit_springs(const contact_block *c, cn_floatw kept, normal_row *r1,
                             normal_row *r2) {
    cn_floatw zero = cn_splatw(0), half = cn_splatw(0.5f);
    cn_floatw q1 = cn_maxw(r1->l0, zero), q2 = cn_maxw(r2->l0, zero);
    cn_floatw all = kept * (c->ln1 + c->ln2) + (c->nm1 + c->nm2) * c->spring_speed,
              excess = half * (q1 + q2 - all);
    cn_intw limited = excess > zero;
    q1 = cn_minw(cn_maxw(q1 - excess, zero), all);
    r1->l0 = cn_selectw(limited, cn_minw(r1->l0, q1), r1->l0);
    r2->l0 = cn_selectw(limited, cn_minw(r2->l0, all - q1), r2->l0);
}

// Solves one row after the other. Row 2 sees row 1 through k12, the off-diagonal term of the
// inverse effective mass.
CN_INLINE normal_impulses solve_in_turn(const contact_block *c, normal_row r1, normal_row r2,
                                        normal_speeds v, cn_floatw k12) {
    cn_floatw l1 = cn_maxw(r1.l0 - r1.m * v.v1, cn_splatw(0));
    return (normal_impulses){l1,
                             cn_maxw(r2.l0 - r2.m * (v.v2 + k12 * (l1 - c->ln1)), cn_splatw(0))};
}

/* Solves both rows at once: x1 = a1 - m1 k12 (x2 - l2) and x2 likewise, where a = l0 - m vn and no
 * x is negative. In relax this keeps a box that lands flat from tilting, and makes piles denser. If
 * one solution is negative, that point is free and the other row is solved alone. Points that are
 * so close that they act as one are solved as one row too. Where a pair has more contacts, row 1
 * does not see row 2 (k12 is 0): otherwise each contact would leave nothing to the others. */
CN_INLINE normal_impulses solve_together(const contact_block *c, normal_row r1, normal_row r2,
                                         normal_speeds v, cn_floatw k12, cn_floatw k21) {
    cn_floatw zero = cn_splatw(0), min_det = cn_splatw(MIN_DETERMINANT);
    cn_floatw g1 = r1.m * k12, g2 = r2.m * k21;
    cn_floatw d1 = r1.l0 - r1.m * v.v1 + g1 * c->ln2, d2 = r2.l0 - r2.m * v.v2 + g2 * c->ln1;
    cn_floatw det = 1 - g1 * g2, inverse = 1 / cn_maxw(det, min_det);
    cn_floatw x1 = (d1 - g1 * d2) * inverse, x2 = (d2 - g2 * d1) * inverse;
    cn_intw both = (cn_minw(x1, x2) >= zero) & (det > min_det);
    cn_intw second = x1 < x2;
    return (normal_impulses){cn_selectw(both, x1, cn_keepw(~second, cn_maxw(d1, zero))),
                             cn_selectw(both, x2, cn_keepw(second, cn_maxw(d2, zero)))};
}

// Returns the change of the impulse against rolling.
CN_INLINE cn_floatw resist_rolling(contact_extension *e, cn_floatw normal, cn_floatw w) {
    cn_floatw limit = e->rolling * normal, old = e->lr;
    e->lr = cn_maxw(-limit, cn_minw(old - e->rm * w, limit));
    return e->lr - old;
}

typedef void fast_block(const cn_solver *s, contact_parts parts, cn_row_type type, bool static_a);
static fast_block solve_fast_block, relax_fast_block;

// The velocities of the bodies of a block.
typedef struct {
    cn_row4w a, b;
} velocities;

// Returns the new impulses of the normal rows. `kept` is the fraction of what the contact bears
// that the springs hold.
CN_INLINE normal_impulses solve_normals(const pass_constants *k, const contact_block *c,
                                        velocities u, normal_speeds v, cn_floatw kept, bool two,
                                        bool relax, bool static_a) {
    normal_row r1 = make_row(k, c, c->ln1, c->nm1, c->c1, relax);
    if (!two) {
        if (!relax) r1.l0 = cn_minw(r1.l0, kept * c->ln1 + c->nm1 * c->spring_speed);
        return (normal_impulses){cn_maxw(r1.l0 - r1.m * v.v1, cn_splatw(0)), cn_splatw(0)};
    }
    normal_row r2 = make_row(k, c, c->ln2, c->nm2, c->c2, relax);
    if (!relax) limit_springs(c, kept, &r1, &r2);
    cn_floatw k12 = (static_a ? u.b.w : u.a.w + u.b.w) + c->ib * c->rnb1 * c->rnb2;
    if (!static_a) k12 += c->ia * c->rna1 * c->rna2;
    if (!relax) return solve_in_turn(c, r1, r2, v, k12);
    cn_intw single = c->bias_rate >= k->bias_rate; // several contacts of a pair share the softness
    return solve_together(c, r1, r2, v, cn_keepw(single, k12), k12);
}

// Solves the friction row, and that against rolling. `normal` is the normal impulse, `ut` the
// tangential velocity of the centres. Returns the change of the impulse along the tangent.
CN_INLINE cn_floatw solve_friction(contact_block *c, contact_extension *e, velocities *u,
                                   cn_floatw ut, cn_floatw normal, bool static_a) {
    cn_floatw zero = cn_splatw(0), limit = c->friction * normal;
    cn_floatw vt = ut + (u->b.z * c->rtb - u->a.z * c->rta);
    if (e) vt -= e->surface;
    cn_floatw lt = cn_maxw(zero - limit, cn_minw(c->lt - c->tm * vt, limit)), dt = lt - c->lt;
    c->lt = lt;
    if (!static_a) u->a.z -= c->ia * c->rta * dt;
    u->b.z += c->ib * c->rtb * dt;
    if (e) {
        cn_floatw roll = resist_rolling(e, normal, u->b.z - u->a.z);
        if (!static_a) u->a.z -= c->ia * roll;
        u->b.z += c->ib * roll;
    }
    return dt;
}

// Writes the velocities of the bodies, with an impulse p at their centres.
CN_INLINE void write_velocities(const cn_solver *s, const contact_block *c, velocities u,
                                cn_vec2w p, bool static_a) {
    if (!static_a) {
        u.a.x -= u.a.w * p.x, u.a.y -= u.a.w * p.y;
        cn_scatter4w(&s->states->v, c->a, u.a);
    }
    u.b.x += u.b.w * p.x, u.b.y += u.b.w * p.y;
    cn_scatter4w(&s->states->v, c->b, u.b);
}

// Solves one block. `type`, `relax` and `static_a` are constants of the call; everything is
// inlined. Blocks with fast points need more, so they are solved by functions of their own, which
// are compiled once for all types. The bits are the same.
CN_INLINE void solve_block(const cn_solver *s, const pass_constants *k, contact_parts parts,
                           cn_row_type type, bool relax, bool static_a, bool has_fast) {
    contact_block *c = parts.block;
    const bool two = type != CN_ROW_ONE_POINT;
    contact_extension *e = type == CN_ROW_EXTENDED ? parts.extension : NULL;
    const cn_floatw zero = cn_splatw(0);
    velocities u = {cn_gather4w(&s->states->v, c->a), cn_gather4w(&s->states->v, c->b)};
    if (relax) {
        separations now = separations_of(s, c, e, type);
        c->c1 = now.c1;
        if (two) c->c2 = now.c2;
    }
    normal_speeds v = speeds_of(c, u.a, u.b);
    cn_floatw vn = two ? cn_minw(v.v1, v.v2) : v.v1, gap = two ? cn_minw(c->c1, c->c2) : c->c1;
    cn_intw some = (vn < (e ? e->due : k->due)) & (gap + k->reach * vn <= zero);
    if (relax) some |= c->unrepeated > zero;
    if (!has_fast && cn_mask_bitsw(some)) {
        (relax ? relax_fast_block : solve_fast_block)(s, parts, type, static_a);
        return;
    }
    if (has_fast && e && !relax) { // leave_to_impact() reads the separations
        cn_intw bouncy = due_lanes(s, c, e, c->nm2 > 0, v) & (e->restitution > 0);
        update_separations(s, c, e, type, keep_changed(s, c, bouncy));
    }

    // Contacts of bodies with joints are not moved apart. Their springs push more, but hold
    // only a part of what the contact bears. Otherwise its impulse would grow without limit.
    cn_floatw kept = cn_splatw(1);
    if (!relax && s->tree.numbers) kept -= c->released;
    normal_impulses l = solve_normals(k, c, u, v, kept, two, relax, static_a);
    if (e) {
        l.l1 = leave_to_impact(s, e, (contact_point){c->ln1, c->c1, v.v1}, l.l1, relax);
        l.l2 = leave_to_impact(s, e, (contact_point){c->ln2, c->c2, v.v2}, l.l2, relax);
    }
    fast_growth growth = {zero, zero};
    if (has_fast) growth = find_growth(s, c, e, v, some, relax, two, &l);
    cn_floatw ut = (u.b.x - u.a.x) * c->ny - (u.b.y - u.a.y) * c->nx;
    cn_floatw d1 = l.l1 - c->ln1, d2 = two ? l.l2 - c->ln2 : zero, pn = d1 + d2, px = pn * c->nx,
              py = pn * c->ny;
    c->ln1 = l.l1;
    if (two) c->ln2 = l.l2;
    if (!static_a) u.a.z -= c->ia * (two ? c->rna1 * d1 + c->rna2 * d2 : c->rna1 * d1);
    u.b.z += c->ib * (two ? c->rnb1 * d1 + c->rnb2 * d2 : c->rnb1 * d1);
    if (relax) {
        cn_floatw normal = l.l1 + l.l2;
        if (has_fast) normal += c->unrepeated;
        cn_floatw dt = solve_friction(c, e, &u, ut, normal, static_a);
        px += dt * c->ny, py -= dt * c->nx;
        c->sum1 += l.l1, c->sum_t += c->lt;
        if (two) c->sum2 += l.l2;
    }
    write_velocities(s, c, u, (cn_vec2w){px, py}, static_a);
    if (has_fast) forget_growth(s, c, e, u.a.w, u.b.w, growth, relax, static_a, two);
    if (relax && cn_mask_bitsw(gap < k->depth)) move_apart(s, c, type, k->depth, static_a);
}

static __attribute__((noinline)) void solve_fast_block(const cn_solver *s, contact_parts parts,
                                                       cn_row_type type, bool static_a) {
    pass_constants k = constants_of(s, static_a);
    solve_block(s, &k, parts, type, false, static_a, true);
}

static __attribute__((noinline)) void relax_fast_block(const cn_solver *s, contact_parts parts,
                                                       cn_row_type type, bool static_a) {
    pass_constants k = constants_of(s, static_a);
    solve_block(s, &k, parts, type, true, static_a, true);
}

// ---- store

// Only extended blocks have restitution.
CN_INLINE void store_block(const cn_solver *s, const cn_lane *lanes, const contact_block *c,
                           const contact_extension *e) {
    uint32_t record[CN_LANES], load[CN_LANES];
    int used = 0;
    for (int k = 0; k < CN_LANES; k++) {
        record[k] = (uint32_t)lanes[k].slot * sizeof(cn_contact_record);
        used |= (lanes[k].slot != CN_SLOT_ZERO) << k;
    }
    for (int k = 0; k < CN_LANES; k++) load[k] = record[k] / 4;
    static_assert(sizeof(cn_contact_record) == 4 * sizeof(cn_contact_load), "");
    cn_contact_record *to = s->sim->touching.records;
    cn_floatw scale = cn_splatw(s->constants.store_scale);
    cn_row4w row = {c->ln1 * scale, c->ln2 * scale, c->lt * scale, cn_splatw(0)};
    if (e) {
        row.y = cn_selectw(c->nm2 > 0, c->ln2, e->lr) * scale;
        row.w = CN_GATHER_ROW(to, record, ln1, ln2, lt, restitution).w;
    }
    CN_SCATTER_SOME_ROWS(to, record, row, used, ln1, ln2, lt, restitution);
    row = (cn_row4w){c->sum1, c->sum2, c->sum_t, cn_splatw(0)};
    CN_SCATTER_SOME_ROWS(s->sim->touching.load, load, row, used, n1, n2, t, unused);
}

#endif
