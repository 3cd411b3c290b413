/* Impacts: contacts that touch within a substep at speed, before the substep is solved.
 *
 * A contact that approaches faster than a threshold, and would touch at the time t of the substep,
 * has an impact at that time. There are two kinds:
 *
 *      landing  (restitution 0)  stops. Its impulse adds up over the sweeps to what stops the
 *               bodies, and shrinks again if other contacts take over the load. It begins with
 *               most of its impulse of the substep before, if it had an impact then: a heavy body
 *               that crushes a light one is stopped by a row of such impacts. Friction comes after
 *               the last sweep. Otherwise a body that lands flat on two shapes would turn and slip
 *               before the second one supports it.
 *      bounce   (restitution e)  leaves with e times its speed, at once, and with friction. Its
 *               threshold follows the forces on the bodies: prepare_bounces(). Let g be the
 *               relative acceleration of the free bodies. Then the contact approaches at
 *               vn - g (h - t) at the touch. Of the bounces of a body the earliest goes first, and
 *               the others may then come at another time, or not at all.
 *
 * The change of velocity dv acts only for the time h - t, so the positions are moved back by dv t.
 * For landings, t is that of the first impact of the body in the substep: the impulses on both
 * sides of a body that is crushed are large, and with different times it would be moved far. A tree
 * of joints is moved back as a whole (contact_tree_impact.h). Bodies on iterated joints are not
 * moved back by landings, and do not turn back by bounces, because that would open the joints. The
 * warm start does not repeat an impact, because `free` changes by dv as well.
 *
 * There are up to CN_IMPACT_SWEEPS sweeps. An impact begins if prepare or relax found it
 * (mark_due()), or if another impact has changed one of its bodies. In a block whose bodies have
 * not changed since its last visit, nothing happens. So which blocks are visited affects only the
 * run time: all of them if one of CN_LANES is due, else those that are due, and those of the bodies
 * that change. The latter are visited in the same sweep if they come later in it, else in the next
 * one. Where contacts bounce, a pass before each sweep finds when. A contact that waits for an
 * earlier bounce is due again in the next sweep.
 *
 * The contacts of a body are a list, in the order of the colours. The lists are made in the first
 * substep that needs them. If several workers solve the batch, one of them does a short sweep
 * alone. Short sweeps that follow one another, and a short end of the impacts, are one stage.
 * Whether a sweep is short is decided before it begins, so all workers agree.
 *
 * An island has as many sweeps as it needs, whatever other islands are in the batch. If it has more
 * than CROWD impacts in a sweep, it stops after CROWD_SWEEPS and continues in the next substep. A
 * contact with restitution e bounces in the first e CN_IMPACT_SWEEPS / 2 sweeps, so a more elastic
 * contact passes a shock on through more bodies.
 */
#ifndef CN_CONTACT_IMPACT_H
#define CN_CONTACT_IMPACT_H

#include "contact_push.h"

#define LATER             FLT_MAX // s: the time of no bounce
#define REPEATED_FRACTION 0.8f    // of the impulse of a landing: the next substep begins with it
#define SETTLED_FRACTION  0.05f // of impact_speed: a landing that is slower needs no further sweep

enum {
    CROWD = 100, // impacts of an island in a sweep
    CROWD_SWEEPS = 2,
    SINGLE_BLOCKS = 12, // for each stage: a pass that visits fewer blocks is done by one worker
    SWEEP_GRAIN = 4, // blocks that a worker takes at a time: those to visit are not evenly spread
};

// ---- which blocks a sweep visits

CN_INLINE int count_blocks(const cn_solver *s) {
    return s->batch->lanes.count / CN_LANES - s->batch->joint_blocks;
}

// Returns the first body of the island of the body at a state.
CN_INLINE cn_impact_body *island_of(const cn_solver *s, uint32_t state) {
    return &s->impacts.bodies[s->impacts.bodies[state / sizeof(cn_state)].first];
}

CN_INLINE int next_end(const cn_solver *s, int end) { return s->impacts.next_ends[end]; }

// Finds the contacts of trees in a block, and the bodies beside trees. Other workers may find the
// same bodies.
static void find_tree_contacts(const cn_solver *s, int block) {
    const cn_lane *lanes = lanes_of(s, block + s->batch->joint_blocks);
    const int *numbers = s->tree.numbers;
    for (int k = 0; k < CN_LANES; k++) {
        const int a = lanes[k].a, b = lanes[k].b;
        if (numbers[a] <= 0 && numbers[b] <= 0) continue;
        if (!(s->blocks[block].nm1[k] > 0)) continue;
        s->impacts.rows[block].in_trees[k] = -1;
        cn_set_shared_bit(s->tree.contact_blocks, block, cn_has_job(s->worker));
        if (a) __atomic_store_n(&s->impacts.bodies[a].beside_tree, true, __ATOMIC_RELAXED);
        if (b) __atomic_store_n(&s->impacts.bodies[b].beside_tree, true, __ATOMIC_RELAXED);
    }
}

static void find_all_tree_contacts(void *context, int first, int end) {
    cn_solver *s = context;
    for (int block = first; block < end; block++) find_tree_contacts(s, block);
    if (first == 0)
        atomic_store_explicit(&s->batch->listed_beside_trees, (int8_t)s->now.substep,
                              memory_order_relaxed);
}

// Adds the contacts of some blocks to the lists of their bodies, if these can move. No other worker
// adds to the same list: the blocks are of one colour, or one worker has all of them.
static void link_blocks(cn_solver *s, const cn_color *color, int first, int end) {
    const cn_batch *batch = s->batch;
    cn_impact_body *bodies = s->impacts.bodies;
    if (color->row_type >= CN_ROW_POINT) return;
    if (first == batch->joint_blocks && s->now.links_others)
        atomic_store_explicit(&s->batch->listed, (int8_t)s->now.substep, memory_order_relaxed);
    const cn_lane *lanes = batch->lanes.items + batch->joint_blocks * CN_LANES;
    first = (first - batch->joint_blocks) * CN_LANES, end = (end - batch->joint_blocks) * CN_LANES;
    for (int lane = first; lane < end; lane++) {
        if (lanes[lane].slot == CN_SLOT_ZERO) continue;
        const int states[2] = {lanes[lane].a, lanes[lane].b};
        const bool beside =
            s->tree.bodies && (bodies[states[0]].beside_tree || bodies[states[1]].beside_tree);
        if (!(beside ? s->now.links_beside_trees : s->now.links_others)) continue;
        for (int k = 0; k < 2; k++) {
            if (states[k] == 0 || states[k] > batch->body_count) continue;
            s->impacts.next_ends[2 * lane + k] = bodies[states[k]].first_end;
            bodies[states[k]].first_end = 2 * lane + k;
        }
    }
}

// True if lists of contacts are made in this substep: no earlier one has made them.
static bool are_missing(const cn_solver *s, const _Atomic int8_t *listed) {
    return atomic_load_explicit(listed, memory_order_relaxed) >= s->now.substep;
}

// True if this is so little work for a pass that one worker does it alone.
static bool is_short(const cn_solver *s, int blocks) {
    return blocks < SINGLE_BLOCKS * cn_count_stages(s->batch);
}

static int count_bits(const cn_solver *s, const uint64_t *bits) {
    int count = 0;
    for (int i = 0; i <= count_blocks(s) / 64; i++) count += __builtin_popcountll(bits[i]);
    return count;
}

// Workers may be late, so a later part must not change what these two say.

// True if a sweep of the present substep has work.
CN_INLINE bool has_sweep(const cn_solver *s, int sweep) {
    const cn_impact_sweeps *sweeps = &s->impacts.sweeps[s->now.substep];
    return sweep == 0 ? __atomic_load_n(&sweeps->due, __ATOMIC_RELAXED) > 0
                      : __atomic_load_n(&sweeps->count, __ATOMIC_RELAXED) > sweep;
}

// True if one worker does the sweep alone. After the last sweep: the end of the impacts.
static bool is_single(const cn_solver *s, int sweep) {
    const cn_impact_sweeps *sweeps = &s->impacts.sweeps[s->now.substep];
    if (sweep == 0)
        return is_short(s, s->impacts.visits_all ? count_blocks(s)
                                                 : __atomic_load_n(&sweeps->due, __ATOMIC_RELAXED));
    return __atomic_load_n(&sweeps->single, __ATOMIC_RELAXED) >> (sweep - 1) & 1;
}

// Says whether there is a sweep after the present one. One worker does this.
static void add_sweep(const cn_solver *s, bool more) {
    cn_impact_sweeps *sweeps = &s->impacts.sweeps[s->now.substep];
    const int next = s->now.sweep + 1;
    const bool ends = !more || next == CN_IMPACT_SWEEPS;
    if (s->sim->team) { // without a team nothing reads `single`
        const uint64_t *bits = ends ? s->impacts.visited : s->impacts.due_blocks;
        bool all = !bits || (!ends && s->impacts.visits_all);
        const int alone = is_short(s, all ? count_blocks(s) : count_bits(s, bits));
        __atomic_store_n(&sweeps->single, (uint16_t)(sweeps->single | alone << (next - 1)),
                         __ATOMIC_RELAXED);
    }
    if (!ends) __atomic_store_n(&sweeps->count, (uint8_t)(next + 1), __ATOMIC_RELAXED);
}

// Decides which blocks the sweeps of this substep visit. Every worker does this.
static void begin_visits(cn_solver *s) {
    const int due = __atomic_load_n(&s->impacts.sweeps[s->now.substep].due, __ATOMIC_RELAXED);
    s->impacts.visits_all = !s->impacts.due_blocks || CN_LANES * due >= count_blocks(s);
}

// Marks a contact. Its block is visited in this sweep if it comes later, else in the next one. (A
// contact of a tree: contact_tree_impact.h.)
CN_INLINE void mark_contact(const cn_solver *s, int lane, bool beside_tree) {
    if (!s->impacts.visits_all)
        cn_set_shared_bit(s->impacts.due_blocks, lane / CN_LANES, cn_has_job(s->worker));
    if (beside_tree) cn_set_shared_bit(s->tree.due_lanes, lane, cn_has_job(s->worker));
}

static void mark_contacts_of(const cn_solver *s, int state) {
    const cn_impact_body *body = &s->impacts.bodies[state];
    if (s->impacts.visits_all && !body->beside_tree) return;
    for (int end = body->first_end; end >= 0; end = next_end(s, end))
        mark_contact(s, end / 2, body->beside_tree);
}

// Marks all contacts of the bodies of some lanes, and of the trees of these bodies. Counts the
// lanes.
CN_INLINE void mark_contacts_of_pairs(const cn_solver *s, const contact_block *c, int lanes,
                                      bool static_a, bool in_tree) {
    CN_EACH_LANE(k, lanes) {
        int *count = &island_of(s, c->b[k])->impacts;
        if (cn_has_job(s->worker))
            __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
        else
            ++*count;
    }
    if (s->impacts.visits_all && !s->tree.bodies) return;
    CN_EACH_LANE(k, lanes) {
        for (int side = static_a; side < 2; side++) {
            int at = (int)((side ? c->b[k] : c->a[k]) / sizeof(cn_state));
            bool is_tree = in_tree && s->tree.numbers[at] > 0;
            if (!is_tree) mark_contacts_of(s, at);
            for (int lane = is_tree ? s->tree.numbers[at] - 1 : -1; lane >= 0;
                 lane = s->tree.bodies[lane].next)
                mark_contacts_of(s, s->tree.bodies[lane].state);
        }
    }
}

// Ends a sweep: decides which islands have another one. One worker does this.
static void end_sweep(cn_solver *s) {
    const int *sizes = s->batch->island_sizes.items;
    bool more = false;
    for (int i = 0, state = 1; i < s->batch->island_sizes.count; state += sizes[i++]) {
        cn_impact_body *island = &s->impacts.bodies[state];
        if (s->now.sweep + 1 >= CROWD_SWEEPS && island->impacts > CROWD)
            island->stopped = (int8_t)s->now.substep;
        more |= island->impacts && island->stopped != s->now.substep;
        island->impacts = 0;
    }
    add_sweep(s, more);
}

// Keeps the lanes of islands whose sweeps go on.
CN_INLINE cn_intw keep_swept(const cn_solver *s, const contact_block *c, cn_intw lanes) {
    CN_EACH_LANE(k, s->now.sweep < CROWD_SWEEPS ? 0 : cn_mask_bitsw(lanes)) {
        if (island_of(s, c->b[k])->stopped == s->now.substep) lanes[k] = 0;
    }
    return lanes;
}

// ---- sweeps

// Applies impulses of some lanes to both bodies, at the time t: `scale` times i.p, and the torques
// of i.
CN_INLINE void push_pairs(const cn_solver *s, const contact_block *c, cn_intw lanes, cn_floatw ma,
                          cn_floatw mb, pair_impulse i, cn_floatw scale, cn_floatw t, bool static_a,
                          bool lands, bool in_tree) {
    cn_row4w on_a = {-i.p.x, -i.p.y, -i.ta, t}, on_b = {i.p.x, i.p.y, i.tb, t};
    if (!static_a) push_bodies(s, c->a, lanes, on_a, scale, ma, c->ia, lands, in_tree);
    push_bodies(s, c->b, lanes, on_b, scale, mb, c->ib, lands, in_tree);
}

// Keeps the lanes of contacts whose impact may begin: those that were due at the start of the
// substep, and those with a body that another impact has changed.
CN_INLINE cn_intw keep_due(const cn_solver *s, const contact_block *c, cn_intw lanes) {
    cn_intw due = lanes & (s->impacts.rows[c - s->blocks].due == s->now.substep);
    return due | keep_changed(s, c, lanes & ~due);
}

// Begins the impacts of a block in a substep. A landing begins with most of its
// impulse of the substep before, if it had one.
CN_INLINE void begin_block(const cn_solver *s, impact_row *i, contact_extension *e) {
    cn_floatw zero = cn_splatw(0);
    bool repeats = i->substep >= 0 && i->substep == s->now.substep - 1;
    i->last1 = repeats ? REPEATED_FRACTION * i->p1 : zero;
    i->last2 = repeats ? REPEATED_FRACTION * i->p2 : zero;
    i->p1 = i->p2 = i->pt = i->t = zero;
    if (e) e->bounce_time = cn_splatw(LATER);
    i->substep = s->now.substep;
    if (s->impacts.visited)
        cn_set_shared_bit(s->impacts.visited, (int)(i - s->impacts.rows), cn_has_job(s->worker));
}

// Returns the lanes of a point whose landing begins, if it can touch within the substep.
CN_INLINE cn_intw fast_lanes(const cn_solver *s, cn_floatw p, cn_floatw nm, cn_floatw gap,
                             cn_floatw vn) {
    cn_floatw zero = cn_splatw(0);
    return (vn < -s->constants.impact_speed) & (gap > -DEEP_SLOPS * s->sim->tuning.slop) &
           (nm > zero) & ~(p > zero);
}

// Returns the lanes of a point whose landing goes on: it is not settled.
CN_INLINE cn_intw unsettled_lanes(const cn_solver *s, cn_floatw p, cn_floatw vn) {
    return (p > 0) & (cn_absw(vn) > cn_splatw(SETTLED_FRACTION * s->constants.impact_speed));
}

// Solves the landings of a block. `lands`: the lanes that have no restitution.
CN_INLINE void land_block(const cn_solver *s, contact_block *c, impact_row *i,
                          const contact_extension *e, cn_row_type type, cn_intw lands,
                          bool static_a, bool in_tree) {
    const cn_floatw zero = cn_splatw(0), h = cn_splatw(s->constants.h);
    cn_row4w a = cn_gather4w(&s->states->v, c->a), b = cn_gather4w(&s->states->v, c->b);
    normal_speeds v = speeds_of(c, a, b);
    cn_intw on1 = lands & unsettled_lanes(s, i->p1, v.v1);
    cn_intw on2 = lands & unsettled_lanes(s, i->p2, v.v2);
    cn_intw fast1 = lands & fast_lanes(s, i->p1, c->nm1, c->c1, v.v1);
    cn_intw fast2 = lands & fast_lanes(s, i->p2, c->nm2, c->c2, v.v2);
    cn_intw fast = fast1 | fast2, begins = {0}; // the contact had no impact in this substep yet
    if (!cn_mask_bitsw(on1 | on2 | fast)) return;
    fast = keep_due(s, c, fast);
    if (cn_mask_bitsw(fast)) {
        // Other impacts may have moved the bodies back.
        separations now = separations_of(s, c, e, type);
        fast1 &= fast & (now.c1 + h * v.v1 <= zero), fast2 &= fast & (now.c2 + h * v.v2 <= zero);
        begins = keep_swept(s, c, (fast1 | fast2) & (i->p1 + i->p2 <= zero));
        on1 |= fast1, on2 |= fast2;
        cn_floatw vn = cn_selectw(fast1, v.v1, v.v2), gap = cn_selectw(fast1, now.c1, now.c2);
        cn_floatw t = cn_maxw(gap, zero) / cn_maxw(zero - vn, cn_splatw(FLT_MIN));
        i->t = cn_selectw(begins, cn_minw(t, h), i->t);
    }
    cn_intw on = keep_swept(s, c, on1 | on2);
    if (!cn_mask_bitsw(on)) return;
    on1 &= on, on2 &= on;
    cn_floatw mm = mass_term(s, c, a.w, b.w, c->nx, c->ny);
    on1 |= on & (i->p1 > zero), on2 |= on & (i->p2 > zero);
    normal_impulses old = {i->p1, i->p2}, r = {zero - v.v1, zero - v.v2};
    normal_impulses p = solve_points(normal_masses(s, c, mm, on1, on2, in_tree), old, r, on1, on2);
    // The impulse of the substep before is a good guess.
    p.l1 = cn_selectw(begins & on1, cn_maxw(p.l1, i->last1), p.l1);
    p.l2 = cn_selectw(begins & on2, cn_maxw(p.l2, i->last2), p.l2);
    i->last1 = cn_keepw(~begins, i->last1), i->last2 = cn_keepw(~begins, i->last2);
    cn_floatw p1 = cn_keepw(on, p.l1), p2 = cn_keepw(on, p.l2);
    i->p1 += p1, i->p2 += p2;
    push_pairs(s, c, on, a.w, b.w, impulse_of(c, p1, p2, zero, zero, true), cn_splatw(1), i->t,
               static_a, true, in_tree);
    mark_contacts_of_pairs(s, c, cn_mask_bitsw(on), static_a, in_tree);
}

// Solves the friction of the impacts in some lanes, which are all landings or all bounces. `e` is
// NULL if no surface moves.
CN_INLINE void impact_friction_block(const cn_solver *s, const contact_block *c, impact_row *i,
                                     const contact_extension *e, cn_intw lanes, bool static_a,
                                     bool lands, bool in_tree) {
    cn_floatw zero = cn_splatw(0), limit = c->friction * (i->p1 + i->p2);
    cn_row4w a = cn_gather4w(&s->states->v, c->a), b = cn_gather4w(&s->states->v, c->b);
    cn_floatw vt = (b.x - a.x) * c->ny - (b.y - a.y) * c->nx + (b.z * c->rtb - a.z * c->rta);
    if (e) vt -= e->surface;
    cn_floatw mm = mass_term(s, c, a.w, b.w, c->ny, c->nx);
    cn_intw flat = cn_minw(i->p1, i->p2) > zero;
    friction_masses m = masses_of_friction(s, c, mm, lanes, flat, in_tree);
    cn_floatw tm = inverse_or_zero(m.alone);
    cn_floatw pt = cn_maxw(zero - limit, cn_minw(i->pt - tm * vt, limit)) - i->pt;
    flat_impulses f = solve_flat_friction(&m, i->pt, vt, limit);
    cn_intw stays_flat =
        (cn_minw(i->p1, i->p2) > zero) & (cn_minw(i->p1 + f.couple, i->p2 - f.couple) >= zero);
    cn_floatw couple = cn_keepw(stays_flat & lanes, f.couple);
    pt = cn_keepw(lanes, cn_selectw(stays_flat, f.friction, pt));
    i->p1 += couple, i->p2 -= couple, i->pt += pt;
    pair_impulse p = {{pt * c->ny, zero - pt * c->nx},
                      (c->rna1 - c->rna2) * couple + c->rta * pt,
                      (c->rnb1 - c->rnb2) * couple + c->rtb * pt};
    push_pairs(s, c, lanes, a.w, b.w, p, cn_splatw(1), i->t, static_a, lands, in_tree);
}

// The bounces that some contacts of a block would have next.
typedef struct {
    cn_intw on1, on2; // points
    cn_floatw t;      // s: when, within the substep; LATER: there is none
} next_bounces;

CN_INLINE next_bounces find_bounces(const cn_solver *s, const contact_block *c,
                                    const contact_extension *e, cn_intw lanes, normal_speeds v) {
    const cn_floatw zero = cn_splatw(0), h = cn_splatw(s->constants.h),
                    fast = zero - e->bounce_speed;
    next_bounces b = {lanes & (v.v1 < fast) & (c->nm1 > zero),
                      lanes & (v.v2 < fast) & (c->nm2 > zero), cn_splatw(LATER)};
    cn_intw on = keep_due(s, c, keep_swept(s, c, b.on1 | b.on2));
    if (!cn_mask_bitsw(on)) return (next_bounces){{0}, {0}, b.t};
    separations now = separations_of(s, c, e, CN_ROW_EXTENDED); // other impacts may have moved them
    b.on1 &= on & (now.c1 + h * v.v1 <= zero), b.on2 &= on & (now.c2 + h * v.v2 <= zero);
    cn_intw both = b.on1 & b.on2;
    cn_floatw half = cn_splatw(0.5f);
    cn_floatw vn = cn_selectw(both, half * (v.v1 + v.v2), cn_selectw(b.on1, v.v1, v.v2));
    cn_floatw gap = cn_selectw(both, half * (now.c1 + now.c2), cn_selectw(b.on1, now.c1, now.c2));
    cn_floatw t = cn_minw(cn_maxw(gap, zero) / cn_maxw(zero - vn, cn_splatw(FLT_MIN)), h);
    b.t = cn_selectw(b.on1 | b.on2, t, b.t);
    return b;
}

// True if a contact of a body bounces before `time`.
static bool has_earlier_bounce(const cn_solver *s, uint32_t state, float time) {
    for (int end = s->impacts.bodies[state / sizeof(cn_state)].first_end; end >= 0;
         end = next_end(s, end)) {
        int block = end / (2 * CN_LANES), lane = end / 2 % CN_LANES;
        bool visited = s->impacts.rows[block].substep == s->now.substep;
        if (visited && s->extensions[block].bounce_time[lane] < time) return true;
    }
    return false;
}

// Keeps the lanes that do not wait for an earlier bounce of one of their bodies. A contact waits as
// long as it may still bounce in the next sweep.
static cn_intw keep_earliest(const cn_solver *s, const contact_block *c, cn_intw lanes,
                             cn_intw may_wait, cn_floatw t) {
    CN_EACH_LANE(k, cn_mask_bitsw(lanes & may_wait)) {
        if (has_earlier_bounce(s, c->a[k], t[k]) || has_earlier_bounce(s, c->b[k], t[k]))
            lanes[k] = 0;
    }
    return lanes;
}

// Finds when the contacts of a block bounce.
static void time_block(const cn_solver *s, int block) {
    const contact_block *c = &s->blocks[block];
    contact_extension *e = &s->extensions[block];
    impact_row *i = &s->impacts.rows[block];
    if (i->substep != s->now.substep) begin_block(s, i, e);
    cn_row4w a = cn_gather4w(&s->states->v, c->a), b = cn_gather4w(&s->states->v, c->b);
    next_bounces next =
        find_bounces(s, c, e, lanes_that_bounce(e, s->now.sweep), speeds_of(c, a, b));
    e->bounce_time = next.t;
}

// Returns the relative acceleration along the normal that forces cause. In a tree, it is that
// by forces and joints.
CN_INLINE cn_floatw acceleration_of(const cn_solver *s, const contact_block *c, cn_intw lanes,
                                    bool in_tree) {
    const float rate = s->constants.inverse_h;
    cn_row4w ga = cn_gather4w(&s->free->d, c->a), gb = cn_gather4w(&s->free->d, c->b);
    cn_floatw g = ((gb.x - ga.x) * c->nx + (gb.y - ga.y) * c->ny) * (2 * rate * rate);
    CN_EACH_LANE(k, in_tree ? cn_mask_bitsw(lanes) : 0) {
        cn_pair_change n = unit_impulse(c, POINT_1, k);
        int a = (int)(c->a[k] / sizeof(cn_state)), b = (int)(c->b[k] / sizeof(cn_state));
        cn_float4 of_a = s->free[a].d * (2 * rate), of_b = s->free[b].d * (2 * rate);
        of_a[2] = of_b[2] = 0;
        if (s->tree.numbers[a] > 0) of_a = s->tree.changes[a];
        if (s->tree.numbers[b] > 0) of_b = s->tree.changes[b];
        g[k] = (dot3(n.a, of_a) + dot3(n.b, of_b)) * rate;
    }
    return g;
}

// Solves the bounces of a block.
CN_INLINE void bounce_block(const cn_solver *s, contact_block *c, impact_row *i,
                            contact_extension *e, cn_intw lanes, bool static_a, bool in_tree) {
    const cn_floatw zero = cn_splatw(0), h = cn_splatw(s->constants.h);
    cn_row4w a = cn_gather4w(&s->states->v, c->a), b = cn_gather4w(&s->states->v, c->b);
    normal_speeds v = speeds_of(c, a, b);
    next_bounces next = find_bounces(s, c, e, lanes, v);
    cn_intw own = in_tree ? lanes : ~lanes_in_trees(s, c);
    e->bounce_time = cn_selectw(own, next.t, e->bounce_time);
    cn_intw on = next.on1 | next.on2;
    if (!cn_mask_bitsw(on)) return;
    if (cn_load_relaxed(&s->batch->orders_bounces)) {
        cn_intw waits = on;
        on = keep_earliest(s, c, on, lanes_that_bounce(e, s->now.sweep + 1), next.t);
        waits &= ~on;
        CN_EACH_LANE(k, cn_mask_bitsw(waits)) {
            mark_contact(s, (int)(c - s->blocks) * CN_LANES + k, in_tree);
        }
        if (!cn_mask_bitsw(on)) return;
    }
    cn_floatw g = acceleration_of(s, c, on, in_tree);
    cn_floatw factor = zero - (1 + e->restitution), late = g * (h - next.t);
    cn_floatw mm = mass_term(s, c, a.w, b.w, c->nx, c->ny);
    normal_impulses none = {zero, zero}, r = {factor * (v.v1 - late), factor * (v.v2 - late)};
    next.on1 &= on, next.on2 &= on;
    inverse_masses k = normal_masses(s, c, mm, next.on1, next.on2, in_tree);
    normal_impulses p = solve_points(k, none, r, next.on1, next.on2);
    cn_floatw p1 = cn_keepw(on, p.l1), p2 = cn_keepw(on, p.l2);
    i->p1 += p1, i->p2 += p2, i->t = cn_selectw(on, next.t, i->t);
    e->bounce_time = cn_selectw(on, cn_splatw(LATER), e->bounce_time);
    pair_impulse unit = {{c->nx, c->ny}, c->rna1 * p1 + c->rna2 * p2, c->rnb1 * p1 + c->rnb2 * p2};
    push_pairs(s, c, on, a.w, b.w, unit, p1 + p2, i->t, static_a, false, in_tree);
    impact_friction_block(s, c, i, e, on, static_a, false, in_tree);
    mark_contacts_of_pairs(s, c, cn_mask_bitsw(on), static_a, in_tree);
}

// Solves some lanes of a block in one sweep.
CN_INLINE void impact_block(const cn_solver *s, const cn_color *color, int block, cn_intw lanes,
                            bool in_tree) {
    contact_block *c = &s->blocks[block];
    impact_row *i = &s->impacts.rows[block];
    contact_extension *e = s->extensions ? &s->extensions[block] : NULL;
    if (i->substep != s->now.substep) begin_block(s, i, e);
    cn_intw lands = lanes & (c->nm1 > 0);
    if (color->row_type == CN_ROW_EXTENDED) {
        lands &= e->restitution <= 0;
        cn_intw bouncy = lanes & lanes_that_bounce(e, s->now.sweep);
        if (cn_mask_bitsw(bouncy)) bounce_block(s, c, i, e, bouncy, color->static_a, in_tree);
    }
    if (cn_mask_bitsw(lands))
        land_block(s, c, i, e, color->row_type, lands, color->static_a, in_tree);
}

// Ends the impacts of some lanes of a block that was visited in this substep, with the friction of
// landings.
CN_INLINE void end_block(const cn_solver *s, const cn_color *color, int block, cn_intw lanes,
                         bool in_tree) {
    contact_block *c = &s->blocks[block];
    impact_row *i = &s->impacts.rows[block];
    cn_floatw zero = cn_splatw(0), sum = i->p1 + i->p2;
    const cn_intw hit = lanes & (sum > zero);
    if (!cn_mask_bitsw(hit)) return;
    cn_intw lands = hit;
    const contact_extension *e = s->extensions ? &s->extensions[block] : NULL;
    const contact_extension *extended = color->row_type == CN_ROW_EXTENDED ? e : NULL;
    if (extended) lands &= e->restitution <= zero;
    if (cn_mask_bitsw(lands))
        impact_friction_block(s, c, i, extended, lands, color->static_a, true, in_tree);
    c->sum1 += cn_keepw(hit, i->p1), c->sum2 += cn_keepw(hit, i->p2);
    c->sum_t += cn_keepw(hit, i->pt);
    lands &= i->t > zero;
    if (!in_tree) update_separations(s, c, e, color->row_type, lands);
}

// The warm start does not repeat the impacts: `free` changes as the velocity does.
static void end_impacts(void *context, int first, int end) {
    cn_solver *s = context;
    if (first == 0)
        cn_clear_impact_marks(s); // blocks may still be due, if their island was stopped
    for (int i = first + 1; i <= end; i++) {
        if (s->impacts.bodies[i].substep != s->now.substep) continue;
        if (s->tree.bodies && s->tree.numbers[i] > 0) continue; // cn_push_tree() has changed it
        const cn_float4 v = s->states[i].v;
        cn_float4 before = s->impacts.bodies[i].before;
        before[3] = v[3]; // the inverse mass
        cn_float4 *free = &s->free[i].v;
        if (memcmp(&before, free, sizeof v) == 0)
            *free = v;
        else
            *free += v - before;
    }
}

#endif
