/* The contact constraints of a step are prepared, CN_LANES at a time: contact records and bodies
 * become blocks. contact_rows.h describes the formulas and the letters.
 */
#ifndef CN_CONTACT_PREPARE_H
#define CN_CONTACT_PREPARE_H

#include "contact_block.h"

#define OUT_OF_REACH 1e9f // m: separation of a disabled contact

// Returns the row of a body, which begins with its velocities, after an impulse p and a torque.
CN_INLINE cn_row4w after_impulse(cn_row4w row, cn_floatw inverse_mass, cn_floatw inverse_inertia,
                                 cn_vec2w p, cn_floatw torque) {
    return (cn_row4w){row.x + inverse_mass * p.x, row.y + inverse_mass * p.y,
                      row.z + inverse_inertia * torque, row.w};
}

// Returns the smaller one of two speeds. A speed of 0 is not set and does not count.
CN_INLINE float smaller_set(float a, float b) { return a > 0 && (b <= 0 || a < b) ? a : b; }

// Finds what the materials set. The larger of the two rolling resistances counts, times the radius
// of the shape that rolls. That is the radius of B if B is round and A is static or kinematic, else
// the larger radius.
CN_INLINE void prepare_resistance(const cn_simulation *sim, const cn_lane *lanes,
                                  const contact_block *c, contact_extension *e, cn_intw meta) {
    e->surface = e->rolling = e->bounce_speed = cn_splatw(0);
    e->rm = inverse_or_zero(c->ia + c->ib);
    CN_EACH_LANE(k, cn_mask_bitsw((meta & CN_META_RARE_MATERIAL) != 0)) {
        const cn_anchor *anchor = &sim->touching.anchors[lanes[k].slot];
        const cn_shape_rare *a = cn_rare_of(sim, anchor->shape_a);
        const cn_shape_rare *b = cn_rare_of(sim, anchor->shape_b);
        float ra = sim->placed[anchor->shape_a].radius, rb = sim->placed[anchor->shape_b].radius;
        bool only_b = rb > 0 && !cn_is_dynamic(&sim->hot[sim->links[anchor->shape_a].body]);
        float radius = only_b ? rb : cn_max(ra, rb);
        e->surface[k] = cn_surface_speed_of(sim, anchor);
        e->rolling[k] = cn_max(a->rolling_resistance, b->rolling_resistance) * radius;
        e->bounce_speed[k] = smaller_set(a->min_bounce_speed, b->min_bounce_speed);
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

// Takes the values that contacts have in this step after the pre-solve callback. Contacts for which
// it was not called keep their own.
CN_INLINE void take_values(const cn_simulation *sim, const cn_lane *lanes, contact_block *c,
                           contact_extension *e) {
    uint32_t rows[CN_LANES];
    for (int k = 0; k < CN_LANES; k++)
        rows[k] = (uint32_t)lanes[k].slot * sizeof(cn_contact_values);
    cn_row4w values = CN_GATHER_ROW(sim->contact_values.items, rows, friction, restitution,
                                    surface_speed, is_given);
    cn_intw given = values.w != 0;
    c->friction = cn_selectw(given, values.x, c->friction);
    e->restitution = cn_selectw(given, values.y, e->restitution);
    e->surface = cn_selectw(given, values.z, e->surface);
}

// Returns the change of the velocities of some bodies by forces in a substep.
CN_INLINE cn_floatw force_speeds(const cn_solver *s, const uint32_t *bodies) {
    static_assert(sizeof(cn_drive) == sizeof(cn_state), "the same offsets");
    cn_row4w add = cn_gather4w(&s->drives->add, bodies);
    return cn_sqrtw(add.x * add.x + add.y * add.y);
}

// Returns the lanes of bodies that joints hold in each other.
static cn_intw find_joined(const cn_solver *s, const contact_block *c) {
    cn_intw joined = c->s1 < cn_splatw(-s->sim->tuning.speculative_margin);
    CN_EACH_LANE(k, cn_mask_bitsw(joined)) {
        const int *numbers = s->tree.numbers;
        int a = (int)(c->a[k] / sizeof(cn_state)), b = (int)(c->b[k] / sizeof(cn_state));
        if (!numbers || !numbers[a] || !numbers[b]) joined[k] = 0;
    }
    return joined;
}

/* Finds the thresholds of bounces where the materials set none. A threshold is the speed that two
 * causes make in PRESS_TIME, the greater one of both: the acceleration of a body by forces, and the
 * load that the contact bears. Without the load, bodies that others press together would never come
 * to rest. The load counts up to the speed of landings, because at the bottom of a stack it is
 * large. Bodies that joints hold in each other bounce above the speed of landings only: they would
 * bounce for ever, and gain energy. `mm` is the sum of the inverse masses. */
static __attribute__((noinline)) void prepare_bounces(const cn_solver *s, const contact_block *c,
                                                      contact_extension *e, cn_floatw mm,
                                                      normal_speeds v) {
    cn_floatw zero = cn_splatw(0), landing = cn_splatw(s->constants.impact_speed);
    cn_floatw substeps = cn_splatw(PRESS_TIME * s->constants.inverse_h);
    cn_floatw force = cn_maxw(force_speeds(s, c->a), force_speeds(s, c->b));
    cn_floatw load = (c->ln1 + c->ln2) * mm;
    cn_floatw pressed = cn_maxw(substeps * force, cn_minw(substeps * load, landing));
    pressed = cn_selectw(find_joined(s, c), cn_maxw(pressed, landing), pressed);
    e->bounce_speed = cn_selectw(e->bounce_speed > zero, e->bounce_speed, pressed);
    // A contact that stays slower than its threshold in this step lands, as one without
    // restitution.
    cn_floatw vn = cn_selectw(c->nm2 > zero, cn_minw(v.v1, v.v2), v.v1);
    cn_floatw fastest = force * cn_splatw((float)s->constants.substeps) - vn;
    cn_intw lands = (e->bounce_speed > landing) & (fastest < e->bounce_speed);
    e->restitution = cn_keepw(~lands, e->restitution);
    // Until the impact, forces make the contact faster.
    cn_floatw due = cn_minw(cn_maxw(e->bounce_speed - force, zero), landing);
    e->due = zero - cn_selectw(e->restitution > zero, due, landing);
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

// The springs of contacts of bodies with joints may add more speed, because these bodies are not
// moved apart. If both bodies are in one tree, or both have joints but are in no tree, it is a
// tenth of that: joints may hold these bodies in overlap. The impulse is limited to that of the
// bodies alone, because their responses may have a thousand times the mass.
CN_INLINE void set_jointed_springs(const cn_solver *s, contact_block *c) {
    float push =
        cn_max(CN_PUSH_BY_VELOCITY * s->sim->tuning.push_speed, 2 * s->constants.spring_speed);
    float within = cn_max(CN_PUSH_BY_VELOCITY * push, 2 * s->constants.spring_speed);
    for (int k = 0; k < CN_LANES; k++) {
        int i = (int)(c->a[k] / sizeof(cn_state)), j = (int)(c->b[k] / sizeof(cn_state));
        if (!(s->tree.numbers[i] | s->tree.numbers[j])) continue;
        float inverse = s->states[i].d[3] + s->states[j].d[3]; // of the bodies alone
        float part = cn_min(1 / (inverse * cn_max(c->nm1[k], c->nm2[k])), 1);
        c->released[k] = c->impulse_scale[k];
        c->spring_speed[k] = (s->tree.numbers[i] == s->tree.numbers[j] ? within : push) * part;
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
    impacts->in_trees = (cn_intw){0};
    cn_intw due = due_lanes(s, c, e, two, v);
    if (cn_mask_bitsw(due)) mark_due(s, c, due, 0);
}

CN_INLINE void prepare_block(const cn_solver *s, const cn_lane *lanes, contact_parts parts,
                             hit_row *hit, cn_row_type type, bool static_a) {
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
    if (hit) prepare_hit(hit, speeds_of(c, va, vb), r.two);
    cn_vec2w q = place_masses(s, c, &r, va.w + vb.w, static_a);

    cn_floatw warm = cn_splatw(s->constants.warm_scale), roll = cn_splatw(0);
    c->ln1 = r.r4.x * warm;
    c->ln2 = cn_keepw(r.two, r.r4.y * warm);
    c->lt = r.r4.z * warm;
    c->friction = r.r3.z;
    c->unrepeated = c->sum1 = c->sum2 = c->sum_t = cn_splatw(0);
    prepare_softness(s, contacts, c, static_a);
    c->spring_speed = spring_speed_of(s, cn_selectw(r.two, cn_minw(c->s1, c->s2), c->s1));
    c->released = cn_splatw(0);
    if (s->tree.numbers) set_jointed_springs(s, c);
    if (e) {
        roll = cn_keepw(~r.two, r.r4.y * warm);
        prepare_extension(s, lanes, c, e, r.r4.w, roll, r.meta);
        e->qa = q.x, e->qb = q.y;
        prepare_bounces(s, c, e, va.w + vb.w, speeds_of(c, va, vb));
    }
    prepare_impacts(s, c, e, r.two, speeds_of(c, va, vb));
    if (type == CN_ROW_ONE_POINT) c->rna2 = q.x, c->rnb2 = q.y;

    // The warm start.
    pair_impulse i = impulse_of(c, c->ln1, c->ln2, c->lt, roll, type != CN_ROW_ONE_POINT);
    if (!static_a) cn_scatter4w(&s->free->v, c->a, after_impulse(wa, -va.w, -c->ia, i.p, i.ta));
    cn_scatter4w(&s->free->v, c->b, after_impulse(wb, vb.w, c->ib, i.p, i.tb));
}

#endif
