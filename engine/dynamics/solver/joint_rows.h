/* The joint constraints, CN_LANES at a time: prepare, solve and relax, store.
 *
 * Three kinds, sorted within a colour:
 *
 *     CN_ROW_POINT   a locked point: both linear rows at once, as a 2x2 block in the world's axes
 *     CN_ROW_POINT_ANGLE    the same and a row for the angle, which takes the point along
 *     CN_ROW_AXES    three rows by themselves: the angle, y, x; the axes turn with body A
 *
 * A row is one coordinate with a spring, a motor, and a lock or limits, each with an impulse of its own.
 * The angle is solved after the point, and so that the point stays as it was solved: a torque comes with
 * the impulse that holds the point, and its effective mass is that of bodies pinned together, as softly as they are
 * in the biased solve. A limit that stops a bar with a load at its end would else have to fight the point for it,
 * substep after substep.
 * Springs act in the biased solve only, and once: solved again in relax, they would be damped. They tell the motion at
 * the start of the substep, which is theirs to damp, from what others changed since. Stiff ones, which are
 * damped anyway, act in both, or light links under a load would swing up; and so do motors.
 *
 * What was driven far apart, or past a limit, is drawn back at a bounded speed: a doll that falls from a
 * roof is folded up within a step, and relax would not take all of the speed away again that unfolding it
 * at once gave it. The farther, the less may its impulse leak, since no stiffness makes up for it: a joint
 * that goes on leaking stays torn as soon as a crowd, or a net on it, pulls harder.
 *
 * Lever arms turn with their bodies in the course of a step (those of contacts do not). The warm start,
 * which repeats the last substep's change of velocity, would then apply impulses at the old arms: relax
 * adds what is missing, P at the new arms minus P at the old ones, by taking it from `free`. */
#ifndef CN_JOINT_ROWS_H
#define CN_JOINT_ROWS_H

#include "contact_rows.h"

#define DRAW_SHARE 0.5f  // of the push speed of contacts
#define DRAW_TURN  30.0f // rad/s
#define DRAW_RATE  20.0f // 1/s: the least share of a length, which may be changed all the time

typedef struct joint_block {
    uint32_t a[CN_LANES], b[CN_LANES]; // byte offsets of the states
    cn_floatw ia, ib;                  // inverse inertias
    cn_vec2w arm_a, arm_b;             // anchors from the centres of mass at the start of the step,
    cn_vec2w ra, rb;                   // and now
    cn_vec2w d;                        // centre of B minus that of A at the start
    cn_vec2w c;                        // anchor B minus anchor A now
    cn_floatw kxx, kxy, kyy;           // inverse effective mass of the point
    cn_vec2w l;                        // its impulse
} joint_block;

typedef struct {
    cn_floatw lower, upper, scale, rate;                // as in cn_prepared_row
    cn_floatw target, speed, spring_limit, motor_limit; // impulses
    cn_floatw lock, spring, motor;                      // impulses; lock: of the limits, too
    cn_floatw hold, before; // as in cn_prepared_joint; velocity at the start of the substep
} joint_row;

// Beside the blocks that have rows.
typedef struct joint_rows {
    joint_row rows[3];       // x, y, angle
    cn_floatw angle0, angle; // at the start of the step and now
    cn_vec2w axis0, axis;    // x of frame A, or the line between the anchors
    cn_intw polar;           // which of the two
    cn_floatw sa[2], sb[2];  // levers of the rows x and y
    cn_floatw m[3];          // effective masses of the rows
    cn_floatw held;          // of the turning that a torque does, what a point that stays takes
    // An impulse of the point turns B against A by its cross product with the lever; a torque of 1 moves
    // the point unless the reaction is taken from its impulse.
    cn_vec2w lever, reaction;
} joint_rows;

// ---- geometry

// Cosine and sine by series, for |r| <= pi / 4.
CN_INLINE cn_vec2w turn_little(cn_floatw r) {
    cn_floatw q = r * r;
    return (cn_vec2w){1 - q * (0.5f - q * (1.0f / 24 - q * (1.0f / 720))),
                      r * (1 - q * (1.0f / 6 - q * (1.0f / 120 - q * (1.0f / 5040))))};
}

// Of any angle: quarter turns are taken off.
CN_INLINE cn_vec2w turn_by(cn_floatw angle) {
    cn_floatw limit = cn_splatw(0.785f);
    if (!cn_mask_bitsw(~(cn_absw(angle) < limit))) return turn_little(angle); // as nearly always
    cn_floatw magic = cn_splatw(12582912.0f); // 1.5 * 2^23: adding it rounds to a whole number
    cn_floatw shifted = angle * 0.63661977f + magic, quarters = shifted - magic;
    cn_floatw r = (angle - quarters * 1.5703125f) - quarters * 4.8382680e-4f;
    limit = cn_splatw(0.79f);
    cn_vec2w turn = turn_little(cn_maxw(-limit, cn_minw(r, limit)));
    cn_intw quadrant = cn_bitsw(shifted), odd = -(quadrant & 1);
    cn_intw flip_s = quadrant << 30 & CN_SIGN_BIT;
    cn_intw flip_c = (quadrant + 1) << 30 & CN_SIGN_BIT;
    return (cn_vec2w){cn_flip_signw(cn_selectw(odd, turn.y, turn.x), flip_c),
                      cn_flip_signw(cn_selectw(odd, turn.x, turn.y), flip_s)};
}

CN_INLINE void invert_point(joint_block *c, cn_floatw mm) {
    cn_floatw k11 = mm + c->ia * c->ra.y * c->ra.y + c->ib * c->rb.y * c->rb.y;
    cn_floatw k12 = -(c->ia * c->ra.x * c->ra.y) - c->ib * c->rb.x * c->rb.y;
    cn_floatw k22 = mm + c->ia * c->ra.x * c->ra.x + c->ib * c->rb.x * c->rb.x;
    cn_floatw inverse = inverse_or_zero(k11 * k22 - k12 * k12);
    c->kxx = k22 * inverse;
    c->kxy = -k12 * inverse;
    c->kyy = k11 * inverse;
}

CN_INLINE cn_vec2w axis_of_row(const joint_rows *r, int row) {
    return row == CN_JOINT_X ? r->axis : (cn_vec2w){-r->axis.y, r->axis.x};
}

CN_INLINE void place_axes(const joint_block *c, joint_rows *r, cn_vec2w turn_a, cn_floatw mm) {
    cn_floatw square = cn_dot2w(c->c, c->c), zero = cn_splatw(0);
    cn_vec2w line = cn_scale2w(1 / cn_sqrtw(square), c->c);
    cn_vec2w turned = cn_rotatew(turn_a, r->axis0);
    r->axis = cn_select2w(r->polar & (square > zero), line, turned);
    for (int i = CN_JOINT_X; i <= CN_JOINT_Y; i++) {
        cn_vec2w n = axis_of_row(r, i);
        r->sa[i] = cn_cross2w(cn_add2w(c->ra, c->c), n);
        r->sb[i] = cn_cross2w(c->rb, n);
        cn_floatw k = mm + c->ia * r->sa[i] * r->sa[i] + c->ib * r->sb[i] * r->sb[i];
        r->m[i] = inverse_or_zero(k);
    }
}

CN_INLINE void hold_point(const joint_block *c, joint_rows *r) {
    cn_vec2w v = cn_add2w(cn_scale2w(c->ia, c->ra), cn_scale2w(c->ib, c->rb));
    r->lever = v;
    r->reaction = (cn_vec2w){c->kxy * v.x - c->kxx * v.y, c->kyy * v.x - c->kxy * v.y};
    r->held = r->m[CN_JOINT_ANGLE] * cn_cross2w(v, r->reaction);
}

// Anchors, axes and effective masses where the bodies are now: at displacements a and b.
CN_INLINE void place_joint(joint_block *c, joint_rows *r, cn_row4w a, cn_row4w b,
                           cn_row_type type) {
    cn_floatw mm = a.w + b.w;
    cn_vec2w turn_a = turn_by(a.z), moved = {c->d.x + (b.x - a.x), c->d.y + (b.y - a.y)};
    c->ra = cn_rotatew(turn_a, c->arm_a);
    c->rb = cn_rotatew(turn_by(b.z), c->arm_b);
    c->c = cn_add2w(moved, cn_sub2w(c->rb, c->ra));
    if (type != CN_ROW_POINT) r->angle = r->angle0 + (b.z - a.z);
    if (type == CN_ROW_AXES)
        place_axes(c, r, turn_a, mm);
    else
        invert_point(c, mm);
    if (type == CN_ROW_POINT_ANGLE) hold_point(c, r);
}

CN_INLINE cn_floatw axis_speed(const joint_rows *r, int row, cn_row4w a, cn_row4w b) {
    cn_vec2w n = axis_of_row(r, row);
    return (b.x - a.x) * n.x + (b.y - a.y) * n.y + (b.z * r->sb[row] - a.z * r->sa[row]);
}

// Of bodies that move at a and b, for the next substep.
CN_INLINE void store_speeds(joint_rows *r, cn_row4w a, cn_row4w b, cn_row_type type) {
    r->rows[CN_JOINT_ANGLE].before = b.z - a.z;
    for (int i = CN_JOINT_X; type == CN_ROW_AXES && i <= CN_JOINT_Y; i++)
        r->rows[i].before = axis_speed(r, i, a, b);
}

// ---- warm start

CN_INLINE cn_floatw total(const joint_row *r) { return r->lock + r->spring + r->motor; }

CN_INLINE pair_impulse push_of(const joint_block *c, const joint_rows *r, cn_row_type type) {
    pair_impulse push = {c->l, cn_cross2w(c->ra, c->l), cn_cross2w(c->rb, c->l)};
    if (type == CN_ROW_AXES) {
        cn_floatw x = total(&r->rows[CN_JOINT_X]), y = total(&r->rows[CN_JOINT_Y]);
        push.p = cn_add2w(cn_scale2w(x, r->axis), cn_scale2w(y, axis_of_row(r, CN_JOINT_Y)));
        push.ta = r->sa[0] * x + r->sa[1] * y;
        push.tb = r->sb[0] * x + r->sb[1] * y;
    }
    if (type != CN_ROW_POINT) {
        push.ta += total(&r->rows[CN_JOINT_ANGLE]);
        push.tb += total(&r->rows[CN_JOINT_ANGLE]);
    }
    return push;
}

CN_INLINE cn_floatw clamp_impulse(cn_floatw x, cn_floatw limit) {
    return cn_maxw(-limit, cn_minw(x, limit));
}

// What is not finite may not reach the static world, which all islands of a batch share: 0 times it is
// not 0.
CN_INLINE pair_impulse finite_push(pair_impulse push) {
    cn_floatw most = cn_splatw(1e30f);
    return (pair_impulse){{clamp_impulse(push.p.x, most), clamp_impulse(push.p.y, most)},
                          clamp_impulse(push.ta, most),
                          clamp_impulse(push.tb, most)};
}

// Adds a push to the rows of `free`.
CN_INLINE void push_free(const cn_solver *s, const joint_block *c, cn_floatw ma, cn_floatw mb,
                         pair_impulse push) {
    push = finite_push(push);
    cn_row4w a = cn_gather4w(s->free, c->a), b = cn_gather4w(s->free, c->b);
    cn_scatter4w(s->free, c->a, after_impulse(a, -ma, -c->ia, push.p, push.ta));
    cn_scatter4w(s->free, c->b, after_impulse(b, mb, c->ib, push.p, push.tb));
}

// Relax moves the joint on, and its warm start with it.
CN_INLINE void follow_bodies(const cn_solver *s, joint_block *c, joint_rows *r,
                             cn_row_type type) {
    cn_row4w a = cn_gather4w(&s->states->d, c->a), b = cn_gather4w(&s->states->d, c->b);
    pair_impulse before = push_of(c, r, type);
    a.w = inverse_mass_of(a), b.w = inverse_mass_of(b);
    place_joint(c, r, a, b, type);
    pair_impulse after = push_of(c, r, type),
                 gone = {before.p, before.ta - after.ta, before.tb - after.tb};
    // That of a point is the same.
    gone.p = type == CN_ROW_AXES ? cn_sub2w(before.p, after.p) : (cn_vec2w){0};
    push_free(s, c, a.w, b.w, gone);
}

// ---- prepare

// Byte offsets of what the lanes of a block read. Unused ones read what the first does, for bodies without
// mass.
typedef struct {
    uint32_t record[CN_LANES], prepared_joints[CN_LANES]; // joints
    uint32_t a[CN_LANES], b[CN_LANES];          // bodies
} joint_offsets;

CN_INLINE bool is_used(const cn_lane *lane) { return lane->a || lane->b; }

CN_INLINE joint_offsets offsets_of(const cn_simulation *sim, const cn_lane *lanes) {
    joint_offsets at;
    for (int k = 0; k < CN_LANES; k++) {
        uint32_t slot = (uint32_t)lanes[is_used(&lanes[k]) ? k : 0].slot;
        const int32_t *bodies = sim->joint_records[slot].bodies;
        at.record[k] = slot * sizeof(cn_joint_record);
        at.prepared_joints[k] = slot * sizeof(cn_prepared_joint);
        at.a[k] = (uint32_t)bodies[0] * sizeof(cn_body_hot);
        at.b[k] = (uint32_t)bodies[1] * sizeof(cn_body_hot);
    }
    return at;
}

// What is stored of a row: impulses, and the hold of its spring.
typedef struct {
    cn_floatw lock, spring, motor, hold;
} stored_row;

CN_INLINE void prepare_row(const cn_solver *s, joint_row *r, const char *prepared_joints,
                           const joint_offsets *at, stored_row stored) {
    cn_row4w limits = cn_gather4w(prepared_joints, at->prepared_joints), drive = cn_gather4w(prepared_joints + 16, at->prepared_joints);
    cn_floatw warm = cn_splatw(s->warm_scale);
    *r = (joint_row){limits.x,     limits.y, limits.z,    limits.w,    drive.x,
                     drive.y,      drive.z,  drive.w,     stored.lock * warm, stored.spring * warm,
                     stored.motor * warm, stored.hold,     cn_splatw(0)};
}

// The angle as counted, put right by the little that rounding lost. Where it is not little a body was put
// elsewhere, or back.
CN_INLINE cn_floatw angle_before(const cn_simulation *sim, const cn_lane *lanes, cn_floatw counted,
                                 cn_vec2w turn) {
    cn_vec2w lost = cn_unrotatew(turn_by(counted), turn);
    cn_floatw angle = counted + lost.y * (1 + lost.y * lost.y * (1.0f / 6));
    cn_intw little = (cn_absw(lost.y) < 0.05f) & (lost.x > 0);
    for (int k = 0; k < CN_LANES && is_used(&lanes[k]); k++)
        if (!little[k]) angle[k] = cn_joint_angle(sim, lanes[k].slot);
    return angle;
}

// What prepare has read of the joints and bodies of a block: impulses of locks, rotations.
typedef struct {
    joint_offsets at;
    cn_row4w locks;
    cn_vec2w turn_a, turn_b;
} joint_start;

CN_INLINE void prepare_rows(const cn_solver *s, const cn_lane *lanes, const joint_start *start,
                            const joint_block *c, joint_rows *r, cn_row_type type) {
    cn_simulation *sim = s->sim;
    const joint_offsets *at = &start->at;
    const cn_row4w locks = start->locks;
    for (int k = 0; k < CN_LANES && is_used(&lanes[k]); k++)
        if (sim->prepared_joints[lanes[k].slot].h != s->h) cn_joint_prepare(sim, lanes[k].slot, s->h);
    const char *records = (const char *)sim->joint_records, *prepared_joints = (const char *)sim->prepared_joints;
    cn_row4w springs = cn_gather4w(records + 32, at->record),
             motors = cn_gather4w(records + 48, at->record),
             frames = cn_gather4w(prepared_joints + offsetof(cn_prepared_joint, frames), at->prepared_joints),
             holds = cn_gather4w(prepared_joints + offsetof(cn_prepared_joint, h), at->prepared_joints); // behind h
    cn_vec2w qa = cn_rotatew(start->turn_a, (cn_vec2w){frames.x, frames.y}),
             qb = cn_rotatew(start->turn_b, (cn_vec2w){frames.z, frames.w});
    r->angle0 = angle_before(sim, lanes, locks.w, cn_unrotatew(qa, qb));
    prepare_row(s, &r->rows[CN_JOINT_ANGLE], prepared_joints + CN_JOINT_ANGLE * sizeof(cn_prepared_row), at, (stored_row){locks.z, springs.z, motors.y, holds.w});
    r->m[CN_JOINT_ANGLE] = inverse_or_zero(c->ia + c->ib);
    if (type != CN_ROW_AXES) return;
    prepare_row(s, &r->rows[CN_JOINT_X], prepared_joints, at,
                (stored_row){locks.x, springs.x, springs.w, holds.y});
    prepare_row(s, &r->rows[CN_JOINT_Y], prepared_joints + sizeof(cn_prepared_row), at,
                (stored_row){locks.y, springs.y, motors.x, holds.z});
    r->axis0 = qa;
    r->polar = holds.z == CN_POLAR;
}

CN_INLINE void prepare_joint(const cn_solver *s, const cn_lane *lanes, joint_block *c, joint_rows *r,
                             cn_row_type type, int unused) {
    const cn_simulation *sim = s->sim;
    joint_offsets at = offsets_of(sim, lanes);
    const char *hot = (const char *)sim->hot, *records = (const char *)sim->joint_records;
    cn_row4w arms = cn_gather4w(records, at.record), locks = cn_gather4w(records + 16, at.record);
    cn_row4w pa = cn_gather4w(hot, at.a), pb = cn_gather4w(hot, at.b);
    cn_row4w la = cn_gather4w(hot + offsetof(cn_body_hot, low_x), at.a),
             lb = cn_gather4w(hot + offsetof(cn_body_hot, low_x), at.b);
    for (int k = 0; k < CN_LANES; k++) {
        bool used = is_used(&lanes[k]);
        c->a[k] = (uint32_t)(used ? lanes[k].a : unused) * sizeof(cn_state);
        c->b[k] = (uint32_t)(used ? lanes[k].b : unused) * sizeof(cn_state);
    }
    cn_vec2w turn_a = {pa.z, pa.w}, turn_b = {pb.z, pb.w};
    cn_floatw warm = cn_splatw(s->warm_scale);
    c->ia = cn_gather4w(s->free, c->a).w;
    c->ib = cn_gather4w(s->free, c->b).w;
    c->arm_a = cn_rotatew(turn_a, (cn_vec2w){arms.x, arms.y});
    c->arm_b = cn_rotatew(turn_b, (cn_vec2w){arms.z, arms.w});
    c->d = (cn_vec2w){(pb.x - pa.x) + (lb.x - la.x), (pb.y - pa.y) + (lb.y - la.y)};
    c->l = (cn_vec2w){locks.x * warm, locks.y * warm};
    const joint_start start = {at, locks, turn_a, turn_b};
    if (type != CN_ROW_POINT) prepare_rows(s, lanes, &start, c, r, type);
    cn_row4w a = cn_gather4w(&s->states->d, c->a), b = cn_gather4w(&s->states->d, c->b);
    place_joint(c, r, a, b, type);
    push_free(s, c, a.w, b.w, push_of(c, r, type));
    if (type != CN_ROW_POINT)
        store_speeds(r, cn_gather4w(s->states, c->a), cn_gather4w(s->states, c->b), type);
}

// ---- solve

// The share of x that is within a bound: 1 if all of it is, as nearly always.
CN_INLINE cn_floatw share_within(cn_floatw most, cn_floatw x) {
    return cn_mask_bitsw(x > most) ? most / cn_maxw(x, most) : cn_splatw(1);
}

// The same of a vector.
CN_INLINE cn_floatw length_within(cn_floatw most, cn_vec2w v) {
    cn_floatw square = cn_dot2w(v, v);
    cn_intw far = square > most * most;
    if (!cn_mask_bitsw(far)) return cn_splatw(1);
    return cn_selectw(far, share_within(most, cn_sqrtw(square)), cn_splatw(1));
}

// Springs that are solved implicitly, and rates that are velocities, to be multiplied by the mass that
// the solver finds: see tune_spring() in model/joint.c.
CN_INLINE cn_intw is_implicit(const joint_row *r) {
    return (r->hold == r->scale) & (r->scale > 0.5f);
}
CN_INLINE cn_intw has_velocity_rate(const joint_row *r) { return r->rate < 0; }

// How a row moves: velocity, value of its coordinate, effective mass, that of its spring at rest, and
// the greatest impulse of its motor.
typedef struct {
    cn_floatw u, value, mass, spring_mass, motor_limit;
} row_motion;

// How fast a row that is apart is drawn back: a speed, and the least fraction of the error.
typedef struct {
    float speed, least;
} correction_bounds;

/* The change of impulse of a row that moves at u, with effective mass m. Lower limit, upper limit and lock
 * share one impulse: the median of L, 0 and U, which would each fulfil one of them. */
CN_INLINE cn_floatw solve_row(const cn_solver *s, joint_row *r, row_motion motion,
                              correction_bounds bounds, bool relax) {
    const cn_floatw u = motion.u, value = motion.value, m = motion.mass;
    cn_floatw zero = cn_splatw(0), one = cn_splatw(1), change = zero, mu = m * u;
    cn_intw stiff = is_implicit(r);
    bool springs = !relax && s->sweep == 0;
    if (springs || cn_mask_bitsw(stiff)) {
        // A stiff one is as strong as spring_mass says, but solved for the mass that it meets.
        cn_floatw met = cn_maxw(r->hold * motion.spring_mass + (one - r->hold) * m, cn_splatw(FLT_MIN));
        cn_floatw share = cn_selectw(stiff, motion.spring_mass / met, one);
        cn_floatw mass = cn_selectw(stiff, m, motion.spring_mass);
        cn_floatw k = cn_selectw(has_velocity_rate(r), -r->rate * mass, r->rate);
        cn_floatw pull = r->hold * r->spring - k * (value - r->target) -
                         mass * (r->hold * u - (r->hold - r->scale) * r->before);
        pull = clamp_impulse(share * pull, r->spring_limit);
        if (!springs) pull = cn_selectw(stiff, pull, r->spring);
        change = pull - r->spring;
        r->spring = pull;
    }
    cn_floatw drive = r->motor - (mu + change) + m * r->speed;
    drive = clamp_impulse(drive, motion.motor_limit);
    change += drive - r->motor;
    r->motor = drive;
    mu += change;
    cn_intw locked = ~(r->lower < r->upper);
    cn_floatw below = value - r->lower, above = r->upper - value; // gaps
    cn_floatw closing = cn_keepw(~locked, cn_splatw(s->inverse_h));
    cn_floatw low = cn_maxw(below * closing, zero), high = cn_maxw(above * closing, zero);
    cn_floatw low_scale = one, high_scale = one;
    if (!relax) {
        cn_floatw near = share_within(cn_splatw(bounds.speed * s->h), zero - cn_minw(below, above));
        near = cn_maxw(near, cn_splatw(bounds.least));
        cn_floatw soft = one - s->joint_softness.impulse_scale * near, rate = s->joint_softness.bias_rate * near;
        low += rate * cn_selectw(locked, below, cn_minw(below, zero));
        high += rate * cn_selectw(locked, above, cn_minw(above, zero));
        low_scale = cn_selectw(~locked & (below > zero), one, soft);
        high_scale = cn_selectw(~locked & (above > zero), one, soft);
    }
    cn_floatw l = low_scale * (r->lock - mu) - m * low, h = high_scale * (r->lock - mu) + m * high;
    cn_floatw lock = cn_maxw(l, cn_minw(h, zero));
    change += lock - r->lock;
    r->lock = lock;
    return change;
}

CN_INLINE cn_floatw solve_angle(const cn_solver *s, joint_rows *r, cn_floatw u, cn_floatw held,
                                bool relax) {
    joint_row *row = &r->rows[CN_JOINT_ANGLE];
    cn_floatw m = r->m[CN_JOINT_ANGLE];
    return solve_row(s, row, (row_motion){u, r->angle, held, m, row->motor_limit},
                     (correction_bounds){DRAW_TURN, 0}, relax);
}

CN_INLINE void apply_push(const joint_block *c, cn_row4w *a, cn_row4w *b, pair_impulse push) {
    push = finite_push(push);
    *a = after_impulse(*a, -a->w, -c->ia, push.p, push.ta);
    *b = after_impulse(*b, b->w, c->ib, push.p, push.tb);
}

// The rows of the velocities of both bodies.
typedef struct {
    cn_row4w a, b;
} velocity_rows;

CN_INLINE void solve_axis(const cn_solver *s, const joint_block *c, joint_rows *r, int row,
                          velocity_rows *v, cn_floatw motor_limit, bool relax) {
    cn_vec2w n = axis_of_row(r, row);
    row_motion motion = {axis_speed(r, row, v->a, v->b), cn_dot2w(c->c, n), r->m[row], r->m[row],
                         motor_limit};
    correction_bounds bounds = {DRAW_SHARE * s->sim->tuning.push_speed, cn_min(DRAW_RATE * s->h, 1)};
    cn_floatw p = solve_row(s, &r->rows[row], motion, bounds, relax);
    apply_push(c, &v->a, &v->b,
               (pair_impulse){cn_scale2w(p, n), r->sa[row] * p, r->sb[row] * p});
}

CN_INLINE cn_floatw wanted_drive(const joint_rows *r, int row, cn_row4w a, cn_row4w b) {
    return r->rows[row].motor + r->m[row] * (r->rows[row].speed - axis_speed(r, row, a, b));
}

// Of x and y. Those with the same limit share it: each gets its part of what both want.
CN_INLINE cn_vec2w motor_limits(const joint_rows *r, cn_row4w a, cn_row4w b) {
    cn_vec2w limits = {r->rows[CN_JOINT_X].motor_limit, r->rows[CN_JOINT_Y].motor_limit};
    cn_intw shared = (limits.x == limits.y) & (limits.x > 0) & (limits.x < FLT_MAX);
    if (!cn_mask_bitsw(shared)) return limits;
    cn_vec2w wish = {wanted_drive(r, CN_JOINT_X, a, b), wanted_drive(r, CN_JOINT_Y, a, b)};
    cn_floatw part = length_within(limits.x, wish);
    return cn_select2w(shared, (cn_vec2w){part * cn_absw(wish.x), part * cn_absw(wish.y)}, limits);
}

CN_INLINE void solve_point(const cn_solver *s, joint_block *c, joint_rows *r, cn_row4w *a, cn_row4w *b,
                           cn_row_type type, bool relax) {
    cn_floatw ux = (b->x - b->z * c->rb.y) - (a->x - a->z * c->ra.y);
    cn_floatw uy = (b->y + b->z * c->rb.x) - (a->y + a->z * c->ra.x);
    cn_floatw torque = cn_splatw(0), scale = cn_splatw(1);
    cn_vec2w old = c->l;
    if (!relax) {
        cn_floatw most = cn_splatw(DRAW_SHARE * s->sim->tuning.push_speed * s->h);
        cn_floatw near = length_within(most, c->c), rate = s->joint_softness.bias_rate * near;
        scale = 1 - s->joint_softness.impulse_scale * near;
        ux = scale * ux + rate * c->c.x;
        uy = scale * uy + rate * c->c.y;
        c->l = cn_scale2w(scale, old);
    }
    c->l.x -= c->kxx * ux + c->kxy * uy;
    c->l.y -= c->kxy * ux + c->kyy * uy;
    if (type == CN_ROW_POINT_ANGLE) {
        cn_floatw u = (b->z - a->z) + cn_cross2w(r->lever, cn_sub2w(c->l, old));
        cn_floatw left = cn_maxw(1 - scale * r->held, cn_splatw(1e-3f));
        torque = solve_angle(s, r, u, r->m[CN_JOINT_ANGLE] / left, relax);
        c->l = cn_sub2w(c->l, cn_scale2w(scale * torque, r->reaction));
    }
    cn_vec2w p = cn_sub2w(c->l, old);
    pair_impulse push = {p, cn_cross2w(c->ra, p), cn_cross2w(c->rb, p)};
    if (type == CN_ROW_POINT_ANGLE) push.ta += torque, push.tb += torque;
    apply_push(c, a, b, push);
}

// One block. `type` and `relax` are constants of the call, and all else is inlined.
CN_INLINE void solve_joint(const cn_solver *s, joint_block *c, joint_rows *r, cn_row_type type,
                           bool relax) {
    velocity_rows v = {cn_gather4w(s->states, c->a), cn_gather4w(s->states, c->b)};
    if (type == CN_ROW_AXES) {
        cn_floatw zero = cn_splatw(0),
                  p = solve_angle(s, r, v.b.z - v.a.z, r->m[CN_JOINT_ANGLE], relax);
        apply_push(c, &v.a, &v.b, (pair_impulse){{zero, zero}, p, p});
        cn_vec2w limits = motor_limits(r, v.a, v.b);
        solve_axis(s, c, r, CN_JOINT_Y, &v, limits.y, relax);
        solve_axis(s, c, r, CN_JOINT_X, &v, limits.x, relax);
    } else {
        solve_point(s, c, r, &v.a, &v.b, type, relax);
    }
    if (relax && type != CN_ROW_POINT) store_speeds(r, v.a, v.b, type);
    cn_scatter4w(s->states, c->a, v.a);
    cn_scatter4w(s->states, c->b, v.b);
}

// ---- store

CN_INLINE cn_row4w scale_row(cn_row4w row, cn_intw finite, cn_floatw scale) {
    return (cn_row4w){cn_keepw(finite, row.x * scale), cn_keepw(finite, row.y * scale),
                      cn_keepw(finite, row.z * scale), cn_keepw(finite, row.w * scale)};
}

/* What pulls at an arm holds the turn of its body like a spring. Where that is too stiff for the substep a light
 * body would swing up by itself and tear its joints: in the next step it gets more inertia (load_body() in solver.c;
 * "Stable Constrained Dynamics", Tournier et al. 2015, has such a term for all). */
#define PULL_SHARE 0.25f // of what the inertia stands, by one joint: then all are summed up

CN_INLINE void mark_raised_inertia(const cn_solver *s, const cn_lane *lanes, cn_vec2w l, cn_vec2w arm,
                           cn_floatw inverse, int side) {
    cn_floatw stiffness = s->h / PULL_SHARE * inverse;
    cn_intw strong = cn_dot2w(l, l) * cn_dot2w(arm, arm) * stiffness * stiffness > 1;
    CN_EACH_LANE(k, cn_mask_bitsw(strong)) {
        const cn_joint_record *record = &s->sim->joint_records[lanes[k].slot];
        s->sim->hot[record->bodies[side]].flags |= CN_BODY_RAISE_INERTIA;
    }
}

CN_INLINE void store_joint(const cn_solver *s, const cn_lane *lanes, const joint_block *c,
                           const joint_rows *r, cn_row_type type) {
    joint_offsets at = offsets_of(s->sim, lanes);
    cn_floatw zero = cn_splatw(0), scale = cn_splatw(s->store_scale);
    cn_floatw turn = cn_gather4w(&s->states->d, c->b).z - cn_gather4w(&s->states->d, c->a).z;
    // As in cn_joint_state.
    cn_row4w lock = {c->l.x, c->l.y, zero, zero}, spring = {zero, zero, zero, zero}, motor = spring;
    if (type == CN_ROW_AXES) {
        const joint_row *x = &r->rows[CN_JOINT_X], *y = &r->rows[CN_JOINT_Y];
        lock.x = x->lock, spring.x = x->spring, spring.w = x->motor;
        lock.y = y->lock, spring.y = y->spring, motor.x = y->motor;
    }
    if (type != CN_ROW_POINT) {
        const joint_row *angle = &r->rows[CN_JOINT_ANGLE];
        lock.z = angle->lock, spring.z = angle->spring, motor.y = angle->motor;
    }
    mark_raised_inertia(s, lanes, (cn_vec2w){lock.x, lock.y}, c->ra, c->ia, 0);
    mark_raised_inertia(s, lanes, (cn_vec2w){lock.x, lock.y}, c->rb, c->ib, 1);
    // If a body left the range of numbers its joints start anew.
    cn_floatw sum = turn + lock.x + lock.y + lock.z + spring.x + spring.y + spring.z + spring.w +
                    motor.x + motor.y;
    cn_intw finite = cn_absw(sum) <= FLT_MAX;
    lock = scale_row(lock, finite, scale);
    char *records = (char *)s->sim->joint_records;
    lock.w = type == CN_ROW_POINT ? cn_gather4w(records + 16, at.record).w : r->angle0;
    lock.w += cn_keepw(finite, turn);
    int used = 0;
    for (int k = 0; k < CN_LANES; k++) used |= is_used(&lanes[k]) << k;
    cn_scatter_some4w(records + 16, at.record, lock, used);
    if (type == CN_ROW_POINT) return; // the others are 0
    cn_row4w before = cn_gather4w(records + 48, at.record);
    motor = scale_row(motor, finite, scale);
    motor.z = before.z, motor.w = before.w; // the bodies
    cn_scatter_some4w(records + 32, at.record, scale_row(spring, finite, scale), used);
    cn_scatter_some4w(records + 48, at.record, motor, used);
}

#endif
