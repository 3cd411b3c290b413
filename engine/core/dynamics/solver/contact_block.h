/* A block of contact constraints, CN_LANES at a time: its data, and what all passes over blocks
 * need. contact_rows.h describes the formulas and the letters.
 */
#ifndef CN_CONTACT_BLOCK_H
#define CN_CONTACT_BLOCK_H

#include "../../base/wide.h"
#include "solver.h"

// In slops. Deeper points are deep: they have no landings, and keep a part of the impulse that
// stops them. Springs do not push deep contacts of bodies without joints: of many bodies in one
// place, each would make the next one faster.
#define DEEP_SLOPS 30
// s: the thresholds of bounces and landings are speeds that forces make in this time. It is a
// little less than 0.1 s. So under 10 m/s^2, a body that arrives with 1 m/s bounces and passes the
// impact on, in spite of rounding.
#define PRESS_TIME        0.0999f
#define SINGULAR_FRACTION 1e-3f // of k11 k22: with a smaller determinant both points act as one

typedef struct contact_block {
    uint32_t a[CN_LANES], b[CN_LANES]; // byte offsets of the states
    cn_floatw nx, ny;                  // normal
    // Lever arms of the normal rows. In one-point blocks rna2 and rnb2 are q.
    cn_floatw rna1, rnb1, rna2, rnb2;
    cn_floatw nm1, nm2; // effective masses of the normal rows
    cn_floatw s1, s2;   // separations at the start of the step
    cn_floatw ln1, ln2; // normal impulses
    cn_floatw c1, c2;   // separations now: written by relax, read by the next solve
    cn_floatw ia, ib;   // inverse inertias
    // The friction row: lever arms, effective mass, impulse, coefficient.
    cn_floatw rta, rtb, tm, lt, friction;
    cn_floatw bias_rate, impulse_scale; // softness
    cn_floatw spring_speed;             // m/s: the speed that the springs may add
    cn_floatw released;                 // fraction of the impulse that the springs do not keep
    cn_floatw unrepeated; // normal impulse of fast points that the solve of this substep took out
    cn_floatw sum1, sum2, sum_t; // impulses of the step so far: both points, friction
} contact_block;
static_assert(sizeof(contact_block) == 124 * CN_LANES, "");

// The data that extended contacts have beside their block.
typedef struct contact_extension {
    cn_floatw restitution;
    cn_floatw bounce_speed; // m/s: a contact with restitution that approaches faster bounces
    cn_floatw due;          // m/s, not positive: one that approaches faster may have an impact
    cn_floatw qa, qb;       // lever arms of the second-order term
    cn_floatw surface;      // m/s: speed of the surfaces along the tangent
    cn_floatw rolling;      // m: greatest torque against rolling, for each unit of normal force
    cn_floatw rm, lr;       // the rolling row: effective mass, impulse
    cn_floatw bounce_time;  // s: when the contact bounces next, within the substep
} contact_extension;

// The impacts of a block in a substep (contact_impact.h).
typedef struct impact_row {
    cn_floatw p1, p2, pt;   // impulses: points 1 and 2, friction of bounces
    cn_floatw last1, last2; // with which landings begin
    cn_floatw t;            // s: when an impact begins, within the substep
    int substep;            // the last one in which the block was visited; -1: none
    cn_intw due;            // the last substep at whose start the contact was due; -1: none
    cn_intw in_trees;       // mask: contacts with a body of a tree of joints
} impact_row;

// A contact of a body of a tree that a sweep of the impacts visits.
typedef struct tree_impact {
    int32_t slot; // of the contact: they are visited in this order
    int lane;     // among the contacts
    int color;
} tree_impact;

// The data of a block that hit events need.
typedef struct hit_row {
    cn_floatw v1, v2; // m/s: approach speeds of the points at the start of the step
} hit_row;

// A block with its extension, which is NULL where the batch has none.
typedef struct {
    contact_block *block;
    contact_extension *extension;
} contact_parts;

// Returns the lanes of a block.
static inline const cn_lane *lanes_of(const cn_solver *s, int index) {
    return &s->batch->lanes.items[index * CN_LANES];
}

CN_INLINE cn_floatw inverse_or_zero(cn_floatw x) { return cn_keepw(x > 0, 1 / x); }

// ---- velocities and separations

// Relative velocities of both points along the normal; negative: they approach.
typedef struct {
    cn_floatw v1, v2;
} normal_speeds;

CN_INLINE normal_speeds speeds_of(const contact_block *c, cn_row4w a, cn_row4w b) {
    cn_floatw un = (b.x - a.x) * c->nx + (b.y - a.y) * c->ny;
    return (normal_speeds){un + (b.z * c->rnb1 - a.z * c->rna1),
                           un + (b.z * c->rnb2 - a.z * c->rna2)};
}

// Returns tb^2 qb - ta^2 qa. For angles ta, tb, half of it is the second-order term of the
// separation. For angular velocities it is the acceleration of the separation, because lever arms
// that turn leave the tangent.
CN_INLINE cn_floatw second_order_term(const contact_block *c, const contact_extension *e,
                                      cn_row_type type, cn_floatw ta, cn_floatw tb) {
    cn_floatw qa = type == CN_ROW_PLAIN ? c->rta : type == CN_ROW_ONE_POINT ? c->rna2 : e->qa;
    cn_floatw qb = type == CN_ROW_PLAIN ? c->rtb : type == CN_ROW_ONE_POINT ? c->rnb2 : e->qb;
    return tb * tb * qb - ta * ta * qa;
}

// Separations of both points.
typedef struct {
    cn_floatw c1, c2;
} separations;

// Returns the separations with the present displacements of the bodies. That of the second point
// of a one-point block has no meaning.
CN_INLINE separations separations_of(const cn_solver *s, const contact_block *c,
                                     const contact_extension *e, cn_row_type type) {
    cn_row4w da = cn_gather4w(&s->states->d, c->a), db = cn_gather4w(&s->states->d, c->b);
    cn_floatw dn = (db.x - da.x) * c->nx + (db.y - da.y) * c->ny;
    dn += 0.5f * second_order_term(c, e, type, da.z, db.z);
    return (separations){c->s1 + dn + (db.z * c->rnb1 - da.z * c->rna1),
                         c->s2 + dn + (db.z * c->rnb2 - da.z * c->rna2)};
}

// Returns those of the lanes in which a body has joints.
CN_INLINE cn_intw jointed_lanes(const cn_solver *s, const contact_block *c, cn_intw lanes) {
    CN_EACH_LANE(k, cn_mask_bitsw(lanes)) {
        if (!(s->tree.numbers[c->a[k] / sizeof(cn_state)] |
              s->tree.numbers[c->b[k] / sizeof(cn_state)]))
            lanes[k] = 0;
    }
    return lanes;
}

// Returns the speed that springs may add, by the separation. Bodies with joints have
// another speed: set_jointed_springs().
CN_INLINE cn_floatw spring_speed_of(const cn_solver *s, cn_floatw separation) {
    cn_intw shallow = separation > -DEEP_SLOPS * s->sim->tuning.slop;
    return cn_keepw(shallow, cn_splatw(s->constants.spring_speed));
}

// ---- impulses

// The impulses of a constraint, as they act on its two bodies.
typedef struct {
    cn_vec2w p;       // on B; the opposite on A
    cn_floatw ta, tb; // torques about the centres of mass
} pair_impulse;

// Returns the effect of the given impulses of a block on its bodies. `roll` is the impulse against
// rolling.
CN_INLINE pair_impulse impulse_of(const contact_block *c, cn_floatw l1, cn_floatw l2, cn_floatw lt,
                                  cn_floatw roll, bool two) {
    cn_floatw sum = two ? l1 + l2 : l1;
    pair_impulse i = {{sum * c->nx + lt * c->ny, sum * c->ny - lt * c->nx},
                      c->rna1 * l1 + c->rta * lt,
                      c->rnb1 * l1 + c->rtb * lt};
    if (two) {
        i.ta += c->rna2 * l2 + roll;
        i.tb += c->rnb2 * l2 + roll;
    }
    return i;
}

// Adds x, y, z to the rows of some lanes. The others keep the sign of a zero, too.
CN_INLINE cn_row4w add_to_row(cn_row4w row, cn_intw lanes, cn_floatw x, cn_floatw y, cn_floatw z) {
    return (cn_row4w){cn_selectw(lanes, row.x + x, row.x), cn_selectw(lanes, row.y + y, row.y),
                      cn_selectw(lanes, row.z + z, row.z), row.w};
}

// Takes an impulse out of the warm start of some lanes, which is v - free of the bodies. The effect
// of the impulse stays, but it is not repeated in the next substep.
static inline void forget_impulse(const cn_solver *s, const contact_block *c, cn_intw lanes,
                                  cn_floatw ma, cn_floatw mb, pair_impulse i, bool static_a) {
    cn_floatw zero = cn_splatw(0);
    cn_row4w da = {-ma * i.p.x, -ma * i.p.y, -c->ia * i.ta, zero};
    cn_row4w db = {mb * i.p.x, mb * i.p.y, c->ib * i.tb, zero};
    CN_EACH_LANE(k, cn_mask_bitsw(lanes)) {
        if (!static_a) s->free[c->a[k] / sizeof(cn_state)].v += cn_lane_of(da, k);
        s->free[c->b[k] / sizeof(cn_state)].v += cn_lane_of(db, k);
    }
}

typedef struct {
    cn_floatw l1, l2;
} normal_impulses;

// How much the velocities of both points along the normal change for each unit of their impulses:
// k12 is that of one point by the impulse of the other.
typedef struct {
    cn_floatw k11, k22, k12;
} inverse_masses;

// Returns those of two bodies with these inverse inertias, and a sum of inverse masses of mm.
CN_INLINE inverse_masses inverse_masses_of(const contact_block *c, cn_floatw mm, cn_floatw ia,
                                           cn_floatw ib) {
    return (inverse_masses){mm + ia * c->rna1 * c->rna1 + ib * c->rnb1 * c->rnb1,
                            mm + ia * c->rna2 * c->rna2 + ib * c->rnb2 * c->rnb2,
                            mm + ia * c->rna1 * c->rna2 + ib * c->rnb1 * c->rnb2};
}

// Returns the changes of the impulses of both points. The points in on1 and on2 take part. The
// velocity of such a point changes by r1 or r2, or by more if its impulse ends at zero.
CN_INLINE normal_impulses solve_points(inverse_masses k, normal_impulses old, normal_impulses r,
                                       cn_intw on1, cn_intw on2) {
    cn_floatw zero = cn_splatw(0), k11 = k.k11, k22 = k.k22, k12 = k.k12;
    cn_floatw det = k11 * k22 - k12 * k12;
    cn_floatw b1 = k11 * old.l1 + k12 * old.l2 + r.l1, b2 = k12 * old.l1 + k22 * old.l2 + r.l2;
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

// ---- impacts

// True if an impact has changed the body at a state in this substep.
CN_INLINE bool has_changed(const cn_solver *s, uint32_t state) {
    return s->impacts.bodies[state / sizeof(cn_state)].substep == s->now.substep;
}

// Returns the lanes with so much restitution that they may bounce in a sweep.
CN_INLINE cn_intw lanes_that_bounce(const contact_extension *e, int sweep) {
    return e->restitution > cn_splatw(2 * (float)sweep / CN_IMPACT_SWEEPS);
}

// Marks contacts, if they are of trees, and their islands: trees are solved for the impacts.
static void mark_tree_lanes(const cn_solver *s, const contact_block *c, int lanes, int substep) {
    cn_impact_body *bodies = s->impacts.bodies;
    const int lane = (int)(c - s->blocks) * CN_LANES;
    cn_set_shared_bits(&s->tree.due_lanes[lane / 64], (uint64_t)lanes << lane % 64,
                       cn_has_job(s->worker));
    if (s->batch->island_sizes.count == 1) lanes &= -lanes; // one lane is enough
    CN_EACH_LANE(k, lanes) {
        int island = bodies[c->b[k] / sizeof(cn_state)].first;
        __atomic_store_n(&bodies[island].due, (int8_t)substep, __ATOMIC_RELAXED);
    }
}

// Marks contacts that may have an impact in a substep.
static __attribute__((noinline)) void mark_due(const cn_solver *s, const contact_block *c,
                                               cn_intw lanes, int substep) {
    if (substep >= s->constants.substeps) return;
    int block = (int)(c - s->blocks);
    if (s->impacts.due_blocks)
        cn_set_shared_bit(s->impacts.due_blocks, block, cn_has_job(s->worker));
    CN_EACH_LANE(k, cn_mask_bitsw(lanes)) s->impacts.rows[block].due[k] = substep;
    if (cn_has_job(s->worker))
        __atomic_fetch_add(&s->impacts.sweeps[substep].due, 1, __ATOMIC_RELAXED);
    else
        s->impacts.sweeps[substep].due++;
    if (s->tree.bodies) mark_tree_lanes(s, c, cn_mask_bitsw(lanes), substep);
}

// Returns the speed, not positive, from which on a contact may have an impact in the next substep.
// `e` is NULL if all lanes have landings.
CN_INLINE cn_floatw due_speed(const cn_solver *s, const contact_extension *e) {
    return e ? e->due : cn_splatw(-s->constants.impact_speed);
}

// True in lanes whose point may have an impact in the next substep: it approaches faster than
// `due`, a negative speed.
CN_INLINE cn_intw may_touch(const cn_solver *s, cn_floatw due, cn_floatw vn, cn_floatw separation) {
    return (vn < due) & (separation + 2 * s->constants.h * vn <= 0);
}

// Returns the lanes of contacts that may have an impact in the next substep. `second`: lanes with
// two points.
CN_INLINE cn_intw due_lanes(const cn_solver *s, const contact_block *c, const contact_extension *e,
                            cn_intw second, normal_speeds v) {
    cn_floatw due = due_speed(s, e);
    return may_touch(s, due, v.v1, c->c1) | (second & may_touch(s, due, v.v2, c->c2));
}

// Keeps the lanes with a body that an impact has changed in this substep.
CN_INLINE cn_intw keep_changed(const cn_solver *s, const contact_block *c, cn_intw lanes) {
    CN_EACH_LANE(k, cn_mask_bitsw(lanes)) {
        if (!has_changed(s, c->a[k]) && !has_changed(s, c->b[k])) lanes[k] = 0;
    }
    return lanes;
}

// Finds the separations of some lanes again: impacts have moved their bodies back.
CN_INLINE void update_separations(const cn_solver *s, contact_block *c, const contact_extension *e,
                                  cn_row_type type, cn_intw lanes) {
    if (!cn_mask_bitsw(lanes)) return;
    separations now = separations_of(s, c, e, type);
    c->c1 = cn_selectw(lanes, now.c1, c->c1), c->c2 = cn_selectw(lanes, now.c2, c->c2);
}

#endif
