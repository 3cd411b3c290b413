/* The contact constraints, CN_LANES at a time: prepare, solve and relax, store. (contact_impact.h
 * has the impacts, contact_overlap.h the end of deep overlap.)
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

#include "contact_overlap.h"

#define MIN_DETERMINANT 0.01f // both points act as one below this; independent points have 1
#define OUT_OF_REACH    1e9f  // m: separation of a disabled contact

// The constants of one pass over blocks. They stay in registers.
typedef struct {
    cn_floatw inverse_h, bias_rate; // of a contact that is the only one between its bodies
    cn_floatw fast;                 // m/s, negative: points that approach faster are fast
    cn_floatw due;   // m/s, negative: contacts that approach faster may have an impact
    cn_floatw reach; // s: gaps that close within this time are near
    cn_floatw depth; // m, negative: deeper contacts are moved apart
} pass_constants;

CN_INLINE pass_constants constants_of(const cn_solver *s, cn_row_type type, bool static_a) {
    float bounce =
        type == CN_ROW_EXTENDED ? s->constants.force_speed - s->constants.bounce_speed : -FLT_MAX;
    const cn_softness *soft =
        static_a ? &s->constants.static_softness : &s->constants.contact_softness;
    return (pass_constants){.inverse_h = cn_splatw(s->constants.inverse_h),
                            .bias_rate = cn_splatw(soft->bias_rate),
                            .fast = cn_splatw(-s->constants.impact_speed),
                            .due = cn_splatw(cn_max(bounce, -s->constants.impact_speed)),
                            .reach = cn_splatw(2 * s->constants.h),
                            .depth = cn_splatw(-s->constants.spring_speed / soft->bias_rate)};
}

// ---- prepare

// Returns the row of a body, which begins with its velocities, after an impulse p and a torque.
CN_INLINE cn_row4w after_impulse(cn_row4w row, cn_floatw inverse_mass, cn_floatw inverse_inertia,
                                 cn_vec2w p, cn_floatw torque) {
    return (cn_row4w){row.x + inverse_mass * p.x, row.y + inverse_mass * p.y,
                      row.z + inverse_inertia * torque, row.w};
}

// The larger of the two rolling resistances counts, times the radius of the shape that rolls. That
// is the radius of B if B is round and A is static or kinematic, else the larger radius.
CN_INLINE void prepare_resistance(const cn_simulation *sim, const cn_lane *lanes,
                                  const contact_block *c, contact_extension *e, cn_intw meta) {
    e->surface = e->rolling = cn_splatw(0);
    e->rm = inverse_or_zero(c->ia + c->ib);
    CN_EACH_LANE(k, cn_mask_bitsw((meta & CN_META_RESISTS) != 0)) {
        const cn_anchor *anchor = &sim->touching.anchors[lanes[k].slot];
        const cn_shape_rare *a = cn_rare_of(sim, anchor->shape_a);
        const cn_shape_rare *b = cn_rare_of(sim, anchor->shape_b);
        float ra = sim->placed[anchor->shape_a].radius, rb = sim->placed[anchor->shape_b].radius;
        bool only_b = rb > 0 && !cn_is_dynamic(&sim->hot[sim->links[anchor->shape_a].body]);
        float radius = only_b ? rb : cn_max(ra, rb);
        e->surface[k] = cn_surface_speed_of(sim, anchor);
        e->rolling[k] = cn_max(a->rolling_resistance, b->rolling_resistance) * radius;
    }
}

/* Each of n contacts between two bodies is 1 / n of a spring, because the stiffness of all adds up.
 * In a tall stack the impulses, which are carried from substep to substep, lag behind. The stack
 * would start to oscillate by itself if all contacts together were stiffer than 2 m / h^2. The
 * stiffness of a single contact is 1.4 m / h^2. */
CN_INLINE void prepare_softness(const cn_solver *s, cn_floatw n, contact_block *c, bool static_a) {
    cn_softness one = static_a ? s->constants.static_softness : s->constants.contact_softness;
    cn_floatw all = 1 + one.impulse_scale * (n - 1); // a2 of make_softness() becomes a2 / n
    c->bias_rate = one.bias_rate / all;
    c->impulse_scale = one.impulse_scale * n / all;
}

// Takes the values that the contacts have in this step after the pre-solve callback.
CN_INLINE void take_values(const cn_simulation *sim, const cn_lane *lanes, contact_block *c,
                           contact_extension *e) {
    uint32_t rows[CN_LANES];
    for (int k = 0; k < CN_LANES; k++)
        rows[k] = (uint32_t)lanes[k].slot * sizeof(cn_contact_values);
    cn_row4w values = CN_GATHER_ROW(sim->contact_values.items, rows, friction, restitution,
                                    surface_speed, unused);
    c->friction = values.x, e->restitution = values.y, e->surface = values.z;
}

CN_INLINE void prepare_extension(const cn_solver *s, const cn_lane *lanes, contact_block *c,
                                 contact_extension *e, cn_floatw restitution, cn_floatw roll,
                                 cn_intw meta) {
    prepare_resistance(s->sim, lanes, c, e, meta);
    e->restitution = restitution, e->lr = roll;
    if (s->sim->pre_solve) take_values(s->sim, lanes, c, e);
    // With less restitution, contacts bounce in the first sweep only.
    if (cn_mask_bitsw(lanes_that_bounce(e, 1))) cn_store_relaxed(&s->batch->orders_bounces, true);
}

CN_INLINE void prepare_hit(hit_row *hit, normal_speeds v, cn_intw two) {
    hit->v1 = -v.v1;
    hit->v2 = cn_keepw(two, -v.v2);
    hit->l1 = hit->l2 = cn_splatw(0);
}

// Finds the byte offsets of the states of a block, and of its contact records. Unused lanes get the
// state `unused`. Returns how many contacts there are between the bodies of each lane.
CN_INLINE cn_floatw find_rows(const cn_lane *lanes, int unused, contact_block *c,
                              uint32_t *records) {
    uint32_t rows[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) rows[k] = (uint32_t)k * sizeof(cn_lane);
    cn_row4w lane = CN_GATHER_ROW(lanes, rows, slot, a, b, count);
    cn_intw spare = (cn_bitsw(lane.z) == 0) & unused; // no body B has state 0
    const cn_intw at[3] = {cn_bitsw(lane.x) * (int)sizeof(cn_contact_record),
                           (cn_bitsw(lane.y) | spare) * (int)sizeof(cn_state),
                           (cn_bitsw(lane.z) | spare) * (int)sizeof(cn_state)};
    memcpy(records, &at[0], sizeof rows);
    memcpy(c->a, &at[1], sizeof c->a);
    memcpy(c->b, &at[2], sizeof c->b);
    return lane.w;
}

// Moves the origin of two lever arms of the normal rows to the centres of the responses. Returns
// the components of these centres along the normal.
CN_INLINE cn_floatw move_arms(const cn_state *centres, const uint32_t *bodies,
                              const contact_block *c, cn_floatw *rn1, cn_floatw *rn2) {
    cn_row4w r = cn_gather4w(&centres->v, bodies);
    cn_floatw arm = r.x * c->ny - r.y * c->nx;
    *rn1 -= arm, *rn2 -= arm;
    return r.x * c->nx + r.y * c->ny;
}

// Finds the lever arms of the friction row from the first three rows of the records. Friction
// begins when a gap has closed, so they are those of the places that will touch: on one body the
// reference edge, on the other the nearer end of the incident edge.
CN_INLINE void place_friction(contact_block *c, cn_row4w r1, cn_row4w r2, cn_row4w r3,
                              cn_floatw out_a, cn_floatw out_b) {
    cn_floatw half = cn_splatw(0.5f), none = cn_splatw(0);
    cn_floatw mx = half * (r1.z + r2.x), my = half * (r1.w + r2.y);
    cn_intw meta = cn_bitsw(r3.w), two = (meta >> CN_META_COUNT & 3) > 1;
    cn_floatw mean = cn_selectw(two, half * (r3.x + r3.y), r3.x);
    cn_floatw closed = half * cn_maxw(mean, none);
    cn_floatw end = cn_maxw(cn_selectw(two, cn_minw(r3.x, r3.y), r3.x), none) - closed;
    cn_intw flip = (meta & 8 << CN_META_REFERENCE) != 0;
    c->rta = cn_selectw(flip, end, closed) - (mx * c->nx + my * c->ny) + out_a;
    c->rtb = out_b - ((mx - r2.z) * c->nx + (my - r2.w) * c->ny) - cn_selectw(flip, closed, end);
}

// Contacts of bodies with joints push more, because they are not moved apart. If both bodies are in
// one tree, or both have joints but are in no tree, they push less: joints may hold these bodies in
// overlap. The impulse of a push is that of the bodies alone at most: their responses may have a
// thousand times the mass.
CN_INLINE void push_jointed(const cn_solver *s, contact_block *c) {
    float push =
        cn_max(CN_PUSH_BY_VELOCITY * s->sim->tuning.push_speed, 2 * s->constants.spring_speed);
    float within = cn_max(CN_PUSH_BY_VELOCITY * push, 2 * s->constants.spring_speed);
    for (int k = 0; k < CN_LANES; k++) {
        int i = (int)(c->a[k] / sizeof(cn_state)), j = (int)(c->b[k] / sizeof(cn_state));
        if (!(s->tree.numbers[i] | s->tree.numbers[j])) continue;
        float inverse = s->states[i].d[3] + s->states[j].d[3]; // of the bodies alone
        float part = cn_min(1 / (inverse * cn_max(c->nm1[k], c->nm2[k])), 1);
        c->leak[k] = c->impulse_scale[k];
        c->push[k] = (s->tree.numbers[i] == s->tree.numbers[j] ? within : push) * part;
    }
}

// The contact records of a block.
typedef struct {
    cn_row4w r1, r2, r3, r4; // {n, point 1}, {point 2, d}, {s1, s2, friction, meta}, {impulses, e}
    cn_intw meta, two;       // two: mask, there are two points
} wide_records;

CN_INLINE wide_records load_records(const cn_solver *s, const uint32_t *at) {
    const cn_contact_record *from = s->sim->touching.records;
    wide_records r = {.r1 = CN_GATHER_ROW(from, at, nx, ny, p1x, p1y),
                      .r2 = CN_GATHER_ROW(from, at, p2x, p2y, dx, dy),
                      .r3 = CN_GATHER_ROW(from, at, s1, s2, friction, meta),
                      .r4 = CN_GATHER_ROW(from, at, ln1, ln2, lt, restitution)};
    r.meta = cn_bitsw(r.r3.w);
    r.two = (r.meta >> CN_META_COUNT & 3) > 1;
    return r;
}

// Finds the normal and the lever arms of the normal rows, from the centres of mass.
CN_INLINE void place_normals(contact_block *c, const wide_records *r, cn_row_type type) {
    cn_floatw nx = r->r1.x, ny = r->r1.y;
    c->nx = nx, c->ny = ny;
    c->rna1 = r->r1.z * ny - r->r1.w * nx;
    c->rnb1 = (r->r1.z - r->r2.z) * ny - (r->r1.w - r->r2.w) * nx;
    if (type != CN_ROW_PLAIN) { // the normal of a circle goes through its centre: no lever arm
        c->rna1 = cn_keepw((r->meta & CN_META_CIRCLE_A) == 0, c->rna1);
        c->rnb1 = cn_keepw((r->meta & CN_META_CIRCLE_B) == 0, c->rnb1);
    }
    c->rna2 = r->r2.x * ny - r->r2.y * nx;
    c->rnb2 = (r->r2.x - r->r2.z) * ny - (r->r2.y - r->r2.w) * nx;
    cn_intw off = r->meta < 0; // CN_META_DISABLED is the sign bit
    c->s1 = c->c1 = cn_selectw(off, cn_splatw(OUT_OF_REACH), r->r3.x);
    c->s2 = c->c2 = cn_selectw(off, cn_splatw(OUT_OF_REACH), r->r3.y);
}

// Finds the effective masses of the rows, and the friction row. `mm` is the sum of the inverse
// masses. Returns q of the two bodies.
CN_INLINE cn_vec2w place_masses(const cn_solver *s, contact_block *c, const wide_records *r,
                                cn_floatw mm, bool static_a) {
    cn_floatw out_a = cn_splatw(0), out_b = out_a; // centres of the responses, along the normal
    if (s->tree.centres && !static_a)
        out_a = move_arms(s->tree.centres, c->a, c, &c->rna1, &c->rna2);
    if (s->tree.centres) out_b = move_arms(s->tree.centres, c->b, c, &c->rnb1, &c->rnb2);
    c->nm1 = inverse_or_zero(mm + c->ia * c->rna1 * c->rna1 + c->ib * c->rnb1 * c->rnb1);
    c->nm2 = inverse_or_zero(mm + c->ia * c->rna2 * c->rna2 + c->ib * c->rnb2 * c->rnb2);
    c->nm2 = cn_keepw(r->two, c->nm2);
    place_friction(c, r->r1, r->r2, r->r3, out_a, out_b);
    c->tm = inverse_or_zero(mm + c->ia * c->rta * c->rta + c->ib * c->rtb * c->rtb);
    return (cn_vec2w){cn_selectw((r->meta & CN_META_CIRCLE_A) == 0, c->rta, out_a),
                      cn_selectw((r->meta & CN_META_CIRCLE_B) == 0, c->rtb, out_b)};
}

// Begins the impacts of a block in a step.
CN_INLINE void prepare_impacts(const cn_solver *s, const contact_block *c,
                               const contact_extension *e, cn_intw two, normal_speeds v) {
    impact_row *impacts = &s->impacts.rows[c - s->blocks];
    impacts->substep = -1;
    impacts->due = (cn_intw){0} - 1;
    cn_intw due = due_lanes(s, c, e, two, v);
    if (cn_mask_bitsw(due)) mark_due(s, c, due, 0);
}

CN_INLINE void prepare_block(const cn_solver *s, const cn_lane *lanes, contact_parts parts,
                             cn_row_type type, bool static_a) {
    contact_block *c = parts.block;
    contact_extension *e = type == CN_ROW_EXTENDED ? parts.extension : NULL;
    uint32_t record[CN_LANES];
    cn_floatw contacts = find_rows(lanes, cn_unused_state(s->batch, type), c, record);
    wide_records r = load_records(s, record);
    cn_row4w va = cn_gather4w(&s->states->v, c->a), vb = cn_gather4w(&s->states->v, c->b);
    // w: inverse inertia
    cn_row4w wa = cn_gather4w(&s->free->v, c->a), wb = cn_gather4w(&s->free->v, c->b);
    c->ia = wa.w, c->ib = wb.w;
    place_normals(c, &r, type);
    if (parts.hit) prepare_hit(parts.hit, speeds_of(c, va, vb), r.two);
    cn_vec2w q = place_masses(s, c, &r, va.w + vb.w, static_a);

    cn_floatw warm = cn_splatw(s->constants.warm_scale), roll = cn_splatw(0);
    c->ln1 = r.r4.x * warm;
    c->ln2 = cn_keepw(r.two, r.r4.y * warm);
    c->lt = r.r4.z * warm;
    c->friction = r.r3.z;
    c->taken = cn_splatw(0);
    prepare_softness(s, contacts, c, static_a);
    c->push = push_of(s, cn_selectw(r.two, cn_minw(c->s1, c->s2), c->s1));
    c->leak = cn_splatw(0);
    if (s->tree.numbers) push_jointed(s, c);
    if (e) {
        roll = cn_keepw(~r.two, r.r4.y * warm);
        prepare_extension(s, lanes, c, e, r.r4.w, roll, r.meta);
        e->qa = q.x, e->qb = q.y;
    }
    prepare_impacts(s, c, e, r.two, speeds_of(c, va, vb));
    if (type == CN_ROW_ONE_POINT) c->rna2 = q.x, c->rnb2 = q.y;

    // The warm start.
    pair_impulse i = impulse_of(c, c->ln1, c->ln2, c->lt, roll, type != CN_ROW_ONE_POINT);
    if (!static_a) cn_scatter4w(&s->free->v, c->a, after_impulse(wa, -va.w, -c->ia, i.p, i.ta));
    cn_scatter4w(&s->free->v, c->b, after_impulse(wb, vb.w, c->ib, i.p, i.tb));
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
CN_INLINE cn_floatw leave_to_impact(const cn_solver *s, cn_intw bounces, contact_point point,
                                    cn_floatw impulse, bool relax) {
    cn_floatw zero = cn_splatw(0);
    cn_intw spared = point.separation > zero;
    if (relax)
        spared |= point.vn < -s->constants.bounce_speed;
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

// Limits what the springs of a contact do: together they hold what is kept of the impulse that the
// contact bears, and add at most the impulse of `push`. They may shift load from one point to the
// other. That keeps a stack from tilting.
CN_INLINE void limit_springs(const contact_block *c, cn_floatw kept, normal_row *r1,
                             normal_row *r2) {
    cn_floatw zero = cn_splatw(0), half = cn_splatw(0.5f);
    cn_floatw q1 = cn_maxw(r1->l0, zero), q2 = cn_maxw(r2->l0, zero);
    cn_floatw all = kept * (c->ln1 + c->ln2) + (c->nm1 + c->nm2) * c->push,
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

// ---- fast points

/* An impact stops a point that approaches fast, in one blow. If that impulse were repeated in the
 * next substep, as the warm start repeats what bears a load, it would throw the body back. So solve
 * and relax stop a fast point, but the growth of its impulse is not repeated: it goes out of the
 * impulse of the row, and out of the warm start.
 *
 * A fast point that is deeper than IMPACT_DEPTH keeps what changes its speed by impact_speed: that
 * is needed to part the bodies. A contact of a body with joints keeps everything, because the
 * other bodies of its joints continue to push. So does a contact whose restitution is so small that
 * it bounces in the first sweep only: it has no landings, and a crowd would be crushed. In relax, a
 * fast point that still has a gap does not grow at all, because it has its impact in the next
 * substep. */

// Growth of the impulses of fast points.
typedef struct {
    cn_floatw l1, l2;
} fast_growth;

// Finds the growth of the impulses of fast points in some lanes. In relax, marks the impacts of the
// next substep.
CN_INLINE fast_growth find_growth(const cn_solver *s, const pass_constants *k,
                                  const contact_block *c, const contact_extension *e,
                                  normal_speeds v, cn_intw lanes, bool relax, bool two,
                                  normal_impulses *l) {
    cn_floatw zero = cn_splatw(0), deep = cn_splatw(-IMPACT_DEPTH * s->sim->tuning.slop);
    cn_intw second = two ? c->nm2 > zero : (cn_intw){0};
    cn_intw keeps = s->tree.numbers ? jointed_lanes(s, c, lanes) : (cn_intw){0};
    if (e) keeps |= (e->restitution > zero) & ~lanes_that_bounce(e, 1);
    cn_intw fast1 = lanes & ~keeps & (v.v1 < k->fast);
    cn_intw fast2 = lanes & ~keeps & (v.v2 < k->fast) & second;
    if (relax) {
        cn_intw due = due_lanes(s, c, e, second, v);
        if (cn_mask_bitsw(due)) mark_due(s, c, due, s->now.substep + 1);
        l->l1 = cn_selectw(fast1 & (c->c1 > zero), cn_minw(l->l1, c->ln1), l->l1);
        l->l2 = cn_selectw(fast2 & (c->c2 > zero), cn_minw(l->l2, c->ln2), l->l2);
    }
    cn_floatw kept1 = cn_keepw(c->c1 <= deep, zero - c->nm1 * k->fast);
    cn_floatw kept2 = cn_keepw(c->c2 <= deep, zero - c->nm2 * k->fast);
    return (fast_growth){cn_keepw(fast1, cn_maxw(l->l1 - c->ln1 - kept1, zero)),
                         cn_keepw(fast2, cn_maxw(l->l2 - c->ln2 - kept2, zero))};
}

// Takes the growth of fast points out of the impulses and of the warm start, which is v - free of
// the bodies. After relax, the part of the friction that the rest does not allow goes, too.
CN_INLINE void take_growth_out(const cn_solver *s, contact_block *c, contact_extension *e,
                               cn_floatw ma, cn_floatw mb, fast_growth g, bool relax, bool static_a,
                               bool two) {
    cn_floatw zero = cn_splatw(0), lt = zero, roll = zero;
    c->ln1 -= g.l1;
    if (two) c->ln2 -= g.l2;
    c->taken += g.l1 + g.l2;
    if (!relax && s->hits) {
        hit_row *hit = &s->hits[c - s->blocks];
        hit->l1 += g.l1, hit->l2 += g.l2;
    }
    cn_intw grew = c->taken > zero;
    if (relax) {
        cn_floatw normal = two ? c->ln1 + c->ln2 : c->ln1, limit = c->friction * normal;
        lt = cn_keepw(grew, c->lt - cn_maxw(zero - limit, cn_minw(c->lt, limit)));
        c->lt = cn_selectw(grew, c->lt - lt, c->lt), c->taken = zero;
        if (e) {
            limit = e->rolling * normal;
            roll = cn_keepw(grew, e->lr - cn_maxw(zero - limit, cn_minw(e->lr, limit)));
            e->lr = cn_selectw(grew, e->lr - roll, e->lr);
        }
    }
    cn_intw some = (g.l1 > zero) | (g.l2 > zero) | (lt != zero) | (roll != zero);
    forget_impulse(s, c, some, ma, mb, impulse_of(c, g.l1, g.l2, lt, roll, two), static_a);
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
        if (!relax) r1.l0 = cn_minw(r1.l0, kept * c->ln1 + c->nm1 * c->push);
        return (normal_impulses){cn_maxw(r1.l0 - r1.m * v.v1, cn_splatw(0)), cn_splatw(0)};
    }
    normal_row r2 = make_row(k, c, c->ln2, c->nm2, c->c2, relax);
    if (!relax) limit_springs(c, kept, &r1, &r2);
    cn_floatw k12 = (static_a ? u.b.w : u.a.w + u.b.w) + c->ib * c->rnb1 * c->rnb2;
    if (!static_a) k12 += c->ia * c->rna1 * c->rna2;
    cn_floatw seen = cn_keepw(c->bias_rate >= k->bias_rate, k12); // of row 2 by row 1
    return relax ? solve_together(c, r1, r2, v, seen, k12) : solve_in_turn(c, r1, r2, v, k12);
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
    cn_intw some = (vn < k->due) & (gap + k->reach * vn <= zero);
    if (relax) some |= c->taken > zero;
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
    if (!relax && s->tree.numbers) kept -= c->leak;
    normal_impulses l = solve_normals(k, c, u, v, kept, two, relax, static_a);
    if (e) {
        cn_intw bouncy = e->restitution > zero;
        l.l1 = leave_to_impact(s, bouncy, (contact_point){c->ln1, c->c1, v.v1}, l.l1, relax);
        l.l2 = leave_to_impact(s, bouncy, (contact_point){c->ln2, c->c2, v.v2}, l.l2, relax);
    }
    fast_growth growth = {zero, zero};
    if (has_fast) growth = find_growth(s, k, c, e, v, some, relax, two, &l);
    cn_floatw ut = (u.b.x - u.a.x) * c->ny - (u.b.y - u.a.y) * c->nx;
    cn_floatw d1 = l.l1 - c->ln1, d2 = two ? l.l2 - c->ln2 : zero, pn = d1 + d2, px = pn * c->nx,
              py = pn * c->ny;
    c->ln1 = l.l1;
    if (two) c->ln2 = l.l2;
    if (!static_a) u.a.z -= c->ia * (two ? c->rna1 * d1 + c->rna2 * d2 : c->rna1 * d1);
    u.b.z += c->ib * (two ? c->rnb1 * d1 + c->rnb2 * d2 : c->rnb1 * d1);
    if (relax) {
        cn_floatw normal = l.l1 + l.l2;
        if (has_fast) normal += c->taken;
        cn_floatw dt = solve_friction(c, e, &u, ut, normal, static_a);
        px += dt * c->ny, py -= dt * c->nx;
        if (parts.hit) parts.hit->l1 += l.l1, parts.hit->l2 += l.l2;
    }
    if (!static_a) {
        u.a.x -= u.a.w * px, u.a.y -= u.a.w * py;
        cn_scatter4w(&s->states->v, c->a, u.a);
    }
    u.b.x += u.b.w * px, u.b.y += u.b.w * py;
    cn_scatter4w(&s->states->v, c->b, u.b);

    if (has_fast) take_growth_out(s, c, e, u.a.w, u.b.w, growth, relax, static_a, two);
    if (relax && cn_mask_bitsw(gap < k->depth)) move_apart(s, c, type, k->depth, static_a);
}

static __attribute__((noinline)) void solve_fast_block(const cn_solver *s, contact_parts parts,
                                                       cn_row_type type, bool static_a) {
    pass_constants k = constants_of(s, type, static_a);
    solve_block(s, &k, parts, type, false, static_a, true);
}

static __attribute__((noinline)) void relax_fast_block(const cn_solver *s, contact_parts parts,
                                                       cn_row_type type, bool static_a) {
    pass_constants k = constants_of(s, type, static_a);
    solve_block(s, &k, parts, type, true, static_a, true);
}

// ---- store

CN_INLINE void store_block(const cn_solver *s, const cn_lane *lanes, const contact_block *c,
                           const contact_extension *e) {
    uint32_t record[CN_LANES];
    int used = 0;
    for (int k = 0; k < CN_LANES; k++) {
        record[k] = (uint32_t)lanes[k].slot * sizeof(cn_contact_record);
        used |= (lanes[k].slot != CN_SLOT_ZERO) << k;
    }
    cn_contact_record *to = s->sim->touching.records;
    cn_floatw scale = cn_splatw(s->constants.store_scale);
    cn_row4w row = CN_GATHER_ROW(to, record, ln1, ln2, lt, restitution);
    cn_floatw second = e ? cn_selectw(c->nm2 > 0, c->ln2, e->lr) : c->ln2;
    row = (cn_row4w){c->ln1 * scale, second * scale, c->lt * scale, row.w};
    CN_SCATTER_SOME_ROWS(to, record, row, used, ln1, ln2, lt, restitution);
}

#endif
