/* The joint constraints, CN_LANES at a time: prepare, solve and relax, store.
 *
 * There are three row types, sorted within a colour:
 *
 *     CN_ROW_POINT        a locked point: both linear rows at once, as a 2x2 block in world axes
 *     CN_ROW_POINT_ANGLE  the same, and a row for the angle, which is coupled to the point
 *     CN_ROW_AXES         three separate rows: the angle, y, x; the axes turn with body A
 *
 * A row is one coordinate with a spring, a motor, and a lock or limits. Each of these has an
 * impulse of its own.
 *
 * The angle is solved after the point, in such a way that the point stays as it was solved: a
 * torque comes with the impulse that holds the point in place. So its effective mass is that of
 * bodies that are pinned together, as softly as they are in the biased solve. Otherwise a limit
 * that stops a bar with a load at its end would have to fight the point for it, substep after
 * substep.
 *
 * Springs act only in the biased solve, and only in its first sweep. If they were solved again in
 * relax, they would be damped. A spring damps only the motion that the row had at the start of the
 * substep, not the changes by other constraints since then. Stiff springs are damped anyway. They
 * act in both passes, otherwise light links under a load would start to oscillate. Motors also act
 * in both.
 *
 * A row that was driven far apart, or past a limit, is corrected at a bounded speed. A ragdoll that
 * falls from a roof is folded up within a step. Unfolding it at once would give it a speed that
 * relax does not take away completely. The farther a row is off, the less its impulse may leak,
 * because no stiffness makes up for the leak: the joint would stay torn as soon as a crowd, or a
 * net that hangs on it, pulls harder.
 *
 * Lever arms turn with their bodies in the course of a step, unlike those of contacts. The warm
 * start repeats the change of velocity of the last substep, so it would apply impulses at the old
 * arms. Relax adds the difference, P at the new arms minus P at the old ones, by taking it from
 * `free`. */
#ifndef CN_JOINT_ROWS_H
#define CN_JOINT_ROWS_H

#include "contact_rows.h"

#define CORRECTION_SPEED 0.5f  // fraction of push_speed: greatest speed of a linear correction
#define CORRECTION_TURN  30.0f // rad/s: greatest speed of the correction of an angle
#define MIN_CORRECTION_RATE                                                                        \
    20.0f                   // 1/s: at least, for an axis, because its target may keep changing
#define STIFF_SCALE   0.5f  // scale of an implicit spring above which it also acts in relax
#define MIN_FREEDOM   1e-3f // fraction: a locked point leaves at least this much of a turn
#define PULL_FRACTION 0.25f // fraction of the stable pull; see mark_raised_inertia()
#define ANGLE_ERROR   0.05f // rad: a larger error of a counted angle is not from rounding
#define MAX_IMPULSE   1e30f // N s or N m s: keeps impulses finite

typedef struct joint_block {
    uint32_t a[CN_LANES], b[CN_LANES]; // byte offsets of the states
    cn_floatw ia, ib;                  // inverse inertias
    cn_vec2w arm_a, arm_b;             // anchors from the centres of mass at the start of the step
    cn_vec2w ra, rb;                   // the same now
    cn_vec2w d;                        // centre of B minus centre of A at the start of the step
    cn_vec2w c;                        // anchor B minus anchor A now
    cn_floatw kxx, kxy, kyy;           // effective mass of the point, a symmetric matrix
    cn_vec2w l;                        // impulse of the point
} joint_block;

// One coordinate of a joint. spring_limit and motor_limit are limits of impulses.
typedef struct {
    cn_floatw lower, upper, scale, rate;                // as in cn_prepared_row
    cn_floatw target, speed, spring_limit, motor_limit; // as in cn_prepared_row
    cn_floatw lock, spring, motor;                      // impulses; `lock` also that of the limits
    cn_floatw hold;                                     // as in cn_prepared_joint
    cn_floatw before;                                   // velocity at the start of the substep
} joint_row;

// The data that the joints of the types with rows have beside their block.
typedef struct joint_rows {
    joint_row rows[3];       // x, y, angle
    cn_floatw angle0, angle; // at the start of the step; now
    cn_vec2w axis0, axis;    // direction of x, at the start of the step; now
    cn_intw polar;           // mask: x is the line between the anchors, else x of frame A
    cn_floatw sa[2], sb[2];  // lever arms of the rows x and y
    cn_floatw m[3];          // effective masses of the rows
    // The coupling of angle and point. An impulse p of the point changes the relative angular
    // velocity by cross(lever, p). A torque impulse of 1 leaves the point in place if `reaction` is
    // subtracted from the impulse of the point. That takes back the fraction `taken_back` of the
    // turn.
    cn_floatw taken_back;
    cn_vec2w lever, reaction;
} joint_rows;

// ---- geometry

// Returns cosine and sine by series, for |r| <= pi / 4.
CN_INLINE cn_vec2w small_rotation(cn_floatw r) {
    cn_floatw q = r * r;
    return (cn_vec2w){1 - q * (0.5f - q * (1.0f / 24 - q * (1.0f / 720))),
                      r * (1 - q * (1.0f / 6 - q * (1.0f / 120 - q * (1.0f / 5040))))};
}

// Returns cosine and sine of any angle. Quarter turns are taken off first.
CN_INLINE cn_vec2w rotation_of(cn_floatw angle) {
    cn_floatw limit = cn_splatw(0.785f);
    if (!cn_mask_bitsw(~(cn_absw(angle) < limit))) return small_rotation(angle); // nearly always
    cn_floatw magic = cn_splatw(12582912.0f); // 1.5 * 2^23: adding it rounds to a whole number
    cn_floatw shifted = angle * 0.63661977f + magic, quarters = shifted - magic;
    cn_floatw r = (angle - quarters * 1.5703125f) - quarters * 4.8382680e-4f;
    limit = cn_splatw(0.79f);
    cn_vec2w turn = small_rotation(cn_maxw(-limit, cn_minw(r, limit)));
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

CN_INLINE void couple_angle_to_point(const joint_block *c, joint_rows *r) {
    cn_vec2w v = cn_add2w(cn_scale2w(c->ia, c->ra), cn_scale2w(c->ib, c->rb));
    r->lever = v;
    r->reaction = (cn_vec2w){c->kxy * v.x - c->kxx * v.y, c->kyy * v.x - c->kxy * v.y};
    r->taken_back = r->m[CN_JOINT_ANGLE] * cn_cross2w(v, r->reaction);
}

// Computes anchors, axes and effective masses for the displacements a and b of the bodies.
CN_INLINE void place_joint(joint_block *c, joint_rows *r, cn_row4w a, cn_row4w b,
                           cn_row_type type) {
    cn_floatw mm = a.w + b.w;
    cn_vec2w turn_a = rotation_of(a.z), moved = {c->d.x + (b.x - a.x), c->d.y + (b.y - a.y)};
    c->ra = cn_rotatew(turn_a, c->arm_a);
    c->rb = cn_rotatew(rotation_of(b.z), c->arm_b);
    c->c = cn_add2w(moved, cn_sub2w(c->rb, c->ra));
    if (type != CN_ROW_POINT) r->angle = r->angle0 + (b.z - a.z);
    if (type == CN_ROW_AXES)
        place_axes(c, r, turn_a, mm);
    else
        invert_point(c, mm);
    if (type == CN_ROW_POINT_ANGLE) couple_angle_to_point(c, r);
}

CN_INLINE cn_floatw axis_speed(const joint_rows *r, int row, cn_row4w a, cn_row4w b) {
    cn_vec2w n = axis_of_row(r, row);
    return (b.x - a.x) * n.x + (b.y - a.y) * n.y + (b.z * r->sb[row] - a.z * r->sa[row]);
}

// Stores the velocities of the rows, from the velocities a and b of the bodies, for the springs of
// the next substep.
CN_INLINE void store_speeds(joint_rows *r, cn_row4w a, cn_row4w b, cn_row_type type) {
    r->rows[CN_JOINT_ANGLE].before = b.z - a.z;
    for (int i = CN_JOINT_X; type == CN_ROW_AXES && i <= CN_JOINT_Y; i++)
        r->rows[i].before = axis_speed(r, i, a, b);
}

// ---- warm start

CN_INLINE cn_floatw impulse_of_row(const joint_row *r) { return r->lock + r->spring + r->motor; }

// Returns the effect of the impulses of all rows on the bodies.
CN_INLINE pair_impulse sum_impulses(const joint_block *c, const joint_rows *r, cn_row_type type) {
    pair_impulse push = {c->l, cn_cross2w(c->ra, c->l), cn_cross2w(c->rb, c->l)};
    if (type == CN_ROW_AXES) {
        cn_floatw x = impulse_of_row(&r->rows[CN_JOINT_X]),
                  y = impulse_of_row(&r->rows[CN_JOINT_Y]);
        push.p = cn_add2w(cn_scale2w(x, r->axis), cn_scale2w(y, axis_of_row(r, CN_JOINT_Y)));
        push.ta = r->sa[0] * x + r->sa[1] * y;
        push.tb = r->sb[0] * x + r->sb[1] * y;
    }
    if (type != CN_ROW_POINT) {
        push.ta += impulse_of_row(&r->rows[CN_JOINT_ANGLE]);
        push.tb += impulse_of_row(&r->rows[CN_JOINT_ANGLE]);
    }
    return push;
}

CN_INLINE cn_floatw clamp_impulse(cn_floatw x, cn_floatw limit) {
    return cn_maxw(-limit, cn_minw(x, limit));
}

// Limits impulses to finite numbers. All islands of a batch use the state of the static world,
// whose inverse mass is 0. But 0 times an infinite impulse is not 0, and would spread to all of
// them.
CN_INLINE pair_impulse limit_impulse(pair_impulse push) {
    cn_floatw limit = cn_splatw(MAX_IMPULSE);
    return (pair_impulse){{clamp_impulse(push.p.x, limit), clamp_impulse(push.p.y, limit)},
                          clamp_impulse(push.ta, limit),
                          clamp_impulse(push.tb, limit)};
}

// Adds impulses to the velocities in `free`.
CN_INLINE void add_to_free(const cn_solver *s, const joint_block *c, cn_floatw ma, cn_floatw mb,
                           pair_impulse push) {
    push = limit_impulse(push);
    cn_row4w a = cn_gather4w(s->free, c->a), b = cn_gather4w(s->free, c->b);
    cn_scatter4w(s->free, c->a, after_impulse(a, -ma, -c->ia, push.p, push.ta));
    cn_scatter4w(s->free, c->b, after_impulse(b, mb, c->ib, push.p, push.tb));
}

// Moves the anchors and axes of a joint with its bodies, and turns its warm start. Relax does this.
CN_INLINE void follow_bodies(const cn_solver *s, joint_block *c, joint_rows *r, cn_row_type type) {
    cn_row4w a = cn_gather4w(&s->states->d, c->a), b = cn_gather4w(&s->states->d, c->b);
    pair_impulse before = sum_impulses(c, r, type);
    a.w = inverse_mass_of(a), b.w = inverse_mass_of(b);
    place_joint(c, r, a, b, type);
    pair_impulse after = sum_impulses(c, r, type),
                 removed = {before.p, before.ta - after.ta, before.tb - after.tb};
    // The linear impulse of a point is in world axes, so it does not turn.
    removed.p = type == CN_ROW_AXES ? cn_sub2w(before.p, after.p) : (cn_vec2w){0};
    add_to_free(s, c, a.w, b.w, removed);
}

// ---- prepare

// Byte offsets of the rows that the lanes of a block read. Unused lanes read those of the first
// lane, but their states have no mass.
typedef struct {
    uint32_t record[CN_LANES], prepared[CN_LANES]; // of the joints
    uint32_t a[CN_LANES], b[CN_LANES];             // of the bodies
} joint_offsets;

CN_INLINE bool is_used(const cn_lane *lane) { return lane->a || lane->b; }

CN_INLINE joint_offsets offsets_of(const cn_simulation *sim, const cn_lane *lanes) {
    joint_offsets at;
    for (int k = 0; k < CN_LANES; k++) {
        uint32_t slot = (uint32_t)lanes[is_used(&lanes[k]) ? k : 0].slot;
        const int32_t *bodies = sim->joint_records[slot].bodies;
        at.record[k] = slot * sizeof(cn_joint_record);
        at.prepared[k] = slot * sizeof(cn_prepared_joint);
        at.a[k] = (uint32_t)bodies[0] * sizeof(cn_body_hot);
        at.b[k] = (uint32_t)bodies[1] * sizeof(cn_body_hot);
    }
    return at;
}

// The input of prepare_row() for a row: its stored impulses, and the hold of its spring.
typedef struct {
    cn_floatw lock, spring, motor, hold;
} stored_row;

CN_INLINE void prepare_row(const cn_solver *s, joint_row *r, const char *prepared,
                           const joint_offsets *at, stored_row stored) {
    cn_row4w limits = cn_gather4w(prepared, at->prepared);
    cn_row4w drive = cn_gather4w(prepared + 16, at->prepared);
    cn_floatw warm = cn_splatw(s->warm_scale);
    *r = (joint_row){.lower = limits.x,
                     .upper = limits.y,
                     .scale = limits.z,
                     .rate = limits.w,
                     .target = drive.x,
                     .speed = drive.y,
                     .spring_limit = drive.z,
                     .motor_limit = drive.w,
                     .lock = stored.lock * warm,
                     .spring = stored.spring * warm,
                     .motor = stored.motor * warm,
                     .hold = stored.hold,
                     .before = cn_splatw(0)};
}

// Returns the angle at the start of the step: the counted angle, corrected by the small error that
// rounding caused. `turn` is the rotation of frame B against frame A. If the error is not small, a
// body was put elsewhere, or put back, and the angle is computed from the poses.
CN_INLINE cn_floatw find_start_angle(const cn_simulation *sim, const cn_lane *lanes,
                                     cn_floatw counted, cn_vec2w turn) {
    cn_vec2w error = cn_unrotatew(rotation_of(counted), turn);
    cn_floatw angle = counted + error.y * (1 + error.y * error.y * (1.0f / 6));
    cn_intw small = (cn_absw(error.y) < ANGLE_ERROR) & (error.x > 0);
    for (int k = 0; k < CN_LANES && is_used(&lanes[k]); k++)
        if (!small[k]) angle[k] = cn_joint_angle(sim, lanes[k].slot);
    return angle;
}

// The data of the joints and bodies of a block that prepare_joint() has read.
typedef struct {
    joint_offsets at;
    cn_row4w locks;          // impulses of the locks x, y, angle; the counted angle
    cn_vec2w turn_a, turn_b; // rotations of the bodies
} joint_start;

CN_INLINE void prepare_rows(const cn_solver *s, const cn_lane *lanes, const joint_start *start,
                            const joint_block *c, joint_rows *r, cn_row_type type) {
    cn_simulation *sim = s->sim;
    const joint_offsets *at = &start->at;
    const cn_row4w locks = start->locks;
    for (int k = 0; k < CN_LANES && is_used(&lanes[k]); k++)
        if (sim->prepared_joints[lanes[k].slot].h != s->h)
            cn_joint_prepare(sim, lanes[k].slot, s->h);
    const char *records = (const char *)sim->joint_records,
               *prepared = (const char *)sim->prepared_joints;
    cn_row4w springs = cn_gather4w(records + 32, at->record),
             motors = cn_gather4w(records + 48, at->record),
             frames = cn_gather4w(prepared + offsetof(cn_prepared_joint, frames), at->prepared),
             holds = cn_gather4w(prepared + offsetof(cn_prepared_joint, h), at->prepared); // x: h
    cn_vec2w qa = cn_rotatew(start->turn_a, (cn_vec2w){frames.x, frames.y}),
             qb = cn_rotatew(start->turn_b, (cn_vec2w){frames.z, frames.w});
    r->angle0 = find_start_angle(sim, lanes, locks.w, cn_unrotatew(qa, qb));
    prepare_row(s, &r->rows[CN_JOINT_ANGLE], prepared + CN_JOINT_ANGLE * sizeof(cn_prepared_row),
                at, (stored_row){locks.z, springs.z, motors.y, holds.w});
    r->m[CN_JOINT_ANGLE] = inverse_or_zero(c->ia + c->ib);
    if (type != CN_ROW_AXES) return;
    prepare_row(s, &r->rows[CN_JOINT_X], prepared, at,
                (stored_row){locks.x, springs.x, springs.w, holds.y});
    prepare_row(s, &r->rows[CN_JOINT_Y], prepared + sizeof(cn_prepared_row), at,
                (stored_row){locks.y, springs.y, motors.x, holds.z});
    r->axis0 = qa;
    r->polar = holds.z == CN_POLAR;
}

CN_INLINE void prepare_joint(const cn_solver *s, const cn_lane *lanes, joint_block *c,
                             joint_rows *r, cn_row_type type, int unused) {
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
    add_to_free(s, c, a.w, b.w, sum_impulses(c, r, type));
    if (type != CN_ROW_POINT)
        store_speeds(r, cn_gather4w(s->states, c->a), cn_gather4w(s->states, c->b), type);
}

// ---- solve

// Returns the fraction of x that is within a limit: nearly always 1.
CN_INLINE cn_floatw fraction_within(cn_floatw limit, cn_floatw x) {
    return cn_mask_bitsw(x > limit) ? limit / cn_maxw(x, limit) : cn_splatw(1);
}

// Returns the same for the length of a vector.
CN_INLINE cn_floatw length_fraction_within(cn_floatw limit, cn_vec2w v) {
    cn_floatw square = cn_dot2w(v, v);
    cn_intw far = square > limit * limit;
    if (!cn_mask_bitsw(far)) return cn_splatw(1);
    return cn_selectw(far, fraction_within(limit, cn_sqrtw(square)), cn_splatw(1));
}

// A stiff spring is solved implicitly, which it shows by hold == scale. A rate below 0 is one of
// velocity, to be multiplied by the effective mass. See tune_spring() in model/joint_springs.c.
CN_INLINE cn_intw is_stiff(const joint_row *r) {
    return (r->hold == r->scale) & (r->scale > STIFF_SCALE);
}
CN_INLINE cn_intw has_velocity_rate(const joint_row *r) { return r->rate < 0; }

// How a row moves.
typedef struct {
    cn_floatw u;           // velocity of its coordinate
    cn_floatw value;       // of its coordinate
    cn_floatw mass;        // effective mass
    cn_floatw spring_mass; // effective mass that its spring has been tuned for
    cn_floatw motor_limit; // greatest impulse of its motor
} row_motion;

// How fast a row that is far off is corrected.
typedef struct {
    float speed;        // the greatest
    float min_fraction; // of the error: at least this much is corrected as if it were small
} correction_bounds;

/* Returns the change of impulse of a row that moves at u and has the effective mass m. Lower limit,
 * upper limit and lock use the same impulse. It is the median of L, 0 and U: L would fulfil the
 * lower limit, 0 is right between the limits, U would fulfil the upper limit. */
CN_INLINE cn_floatw solve_row(const cn_solver *s, joint_row *r, row_motion motion,
                              correction_bounds bounds, bool relax) {
    const cn_floatw u = motion.u, value = motion.value, m = motion.mass;
    cn_floatw zero = cn_splatw(0), one = cn_splatw(1), change = zero, mu = m * u;
    cn_intw stiff = is_stiff(r);
    bool springs = !relax && s->sweep == 0;
    if (springs || cn_mask_bitsw(stiff)) {
        // The strength of a stiff spring follows from spring_mass, but m is the mass it is solved
        // with.
        cn_floatw solved_mass =
            cn_maxw(r->hold * motion.spring_mass + (one - r->hold) * m, cn_splatw(FLT_MIN));
        cn_floatw strength = cn_selectw(stiff, motion.spring_mass / solved_mass, one);
        cn_floatw mass = cn_selectw(stiff, m, motion.spring_mass);
        cn_floatw k = cn_selectw(has_velocity_rate(r), -r->rate * mass, r->rate);
        cn_floatw pull = r->hold * r->spring - k * (value - r->target) -
                         mass * (r->hold * u - (r->hold - r->scale) * r->before);
        pull = clamp_impulse(strength * pull, r->spring_limit);
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
        cn_floatw near =
            fraction_within(cn_splatw(bounds.speed * s->h), zero - cn_minw(below, above));
        near = cn_maxw(near, cn_splatw(bounds.min_fraction));
        cn_floatw soft = one - s->joint_softness.impulse_scale * near,
                  rate = s->joint_softness.bias_rate * near;
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

CN_INLINE cn_floatw solve_angle(const cn_solver *s, joint_rows *r, cn_floatw u, cn_floatw mass,
                                bool relax) {
    joint_row *row = &r->rows[CN_JOINT_ANGLE];
    cn_floatw m = r->m[CN_JOINT_ANGLE];
    return solve_row(s, row, (row_motion){u, r->angle, mass, m, row->motor_limit},
                     (correction_bounds){CORRECTION_TURN, 0}, relax);
}

CN_INLINE void apply_push(const joint_block *c, cn_row4w *a, cn_row4w *b, pair_impulse push) {
    push = limit_impulse(push);
    *a = after_impulse(*a, -a->w, -c->ia, push.p, push.ta);
    *b = after_impulse(*b, b->w, c->ib, push.p, push.tb);
}

// The velocities of both bodies, and their inverse masses.
typedef struct {
    cn_row4w a, b;
} velocity_rows;

CN_INLINE void solve_axis(const cn_solver *s, const joint_block *c, joint_rows *r, int row,
                          velocity_rows *v, cn_floatw motor_limit, bool relax) {
    cn_vec2w n = axis_of_row(r, row);
    row_motion motion = {axis_speed(r, row, v->a, v->b), cn_dot2w(c->c, n), r->m[row], r->m[row],
                         motor_limit};
    correction_bounds bounds = {CORRECTION_SPEED * s->sim->tuning.push_speed,
                                cn_min(MIN_CORRECTION_RATE * s->h, 1)};
    cn_floatw p = solve_row(s, &r->rows[row], motion, bounds, relax);
    apply_push(c, &v->a, &v->b, (pair_impulse){cn_scale2w(p, n), r->sa[row] * p, r->sb[row] * p});
}

// Returns the impulse that would give a motor its speed.
CN_INLINE cn_floatw wanted_motor_impulse(const joint_rows *r, int row, cn_row4w a, cn_row4w b) {
    return r->rows[row].motor + r->m[row] * (r->rows[row].speed - axis_speed(r, row, a, b));
}

// Returns the motor limits of x and y. If both have the same limit, it limits the vector of both
// impulses: each axis gets its part of the limit.
CN_INLINE cn_vec2w motor_limits(const joint_rows *r, cn_row4w a, cn_row4w b) {
    cn_vec2w limits = {r->rows[CN_JOINT_X].motor_limit, r->rows[CN_JOINT_Y].motor_limit};
    cn_intw same = (limits.x == limits.y) & (limits.x > 0) & (limits.x < FLT_MAX);
    if (!cn_mask_bitsw(same)) return limits;
    cn_vec2w wanted = {wanted_motor_impulse(r, CN_JOINT_X, a, b),
                       wanted_motor_impulse(r, CN_JOINT_Y, a, b)};
    cn_floatw part = length_fraction_within(limits.x, wanted);
    return cn_select2w(same, (cn_vec2w){part * cn_absw(wanted.x), part * cn_absw(wanted.y)},
                       limits);
}

CN_INLINE void solve_point(const cn_solver *s, joint_block *c, joint_rows *r, cn_row4w *a,
                           cn_row4w *b, cn_row_type type, bool relax) {
    cn_floatw ux = (b->x - b->z * c->rb.y) - (a->x - a->z * c->ra.y);
    cn_floatw uy = (b->y + b->z * c->rb.x) - (a->y + a->z * c->ra.x);
    cn_floatw torque = cn_splatw(0), scale = cn_splatw(1);
    cn_vec2w old = c->l;
    if (!relax) {
        cn_floatw limit = cn_splatw(CORRECTION_SPEED * s->sim->tuning.push_speed * s->h);
        cn_floatw near = length_fraction_within(limit, c->c),
                  rate = s->joint_softness.bias_rate * near;
        scale = 1 - s->joint_softness.impulse_scale * near;
        ux = scale * ux + rate * c->c.x;
        uy = scale * uy + rate * c->c.y;
        c->l = cn_scale2w(scale, old);
    }
    c->l.x -= c->kxx * ux + c->kxy * uy;
    c->l.y -= c->kxy * ux + c->kyy * uy;
    if (type == CN_ROW_POINT_ANGLE) {
        cn_floatw u = (b->z - a->z) + cn_cross2w(r->lever, cn_sub2w(c->l, old));
        cn_floatw freedom = cn_maxw(1 - scale * r->taken_back, cn_splatw(MIN_FREEDOM));
        torque = solve_angle(s, r, u, r->m[CN_JOINT_ANGLE] / freedom, relax);
        c->l = cn_sub2w(c->l, cn_scale2w(scale * torque, r->reaction));
    }
    cn_vec2w p = cn_sub2w(c->l, old);
    pair_impulse push = {p, cn_cross2w(c->ra, p), cn_cross2w(c->rb, p)};
    if (type == CN_ROW_POINT_ANGLE) push.ta += torque, push.tb += torque;
    apply_push(c, a, b, push);
}

// Solves one block. `type` and `relax` are constants of the call; everything is inlined.
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

/* A joint that pulls at a lever arm resists the turn of its body like a spring. If that spring is
 * too stiff for the substep, a light body would start to oscillate by itself and tear its joints.
 * Such a body gets more inertia in the next step: see inverse_inertia() in bodies.c, which adds up
 * the pull of all joints of a body in which one joint pulls with PULL_FRACTION of the stable limit.
 * ("Stable Constrained Dynamics", Tournier et al. 2015, has such a term for all bodies.) */
CN_INLINE void mark_raised_inertia(const cn_solver *s, const cn_lane *lanes, cn_vec2w l,
                                   cn_vec2w arm, cn_floatw inverse, int side) {
    cn_floatw stiffness = s->h / PULL_FRACTION * inverse;
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
    // In the layout of cn_joint_state.
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
    // If the motion of a body is not finite, its joints start again without impulses.
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
    if (type == CN_ROW_POINT) return; // its springs and motors are always 0
    cn_row4w before = cn_gather4w(records + 48, at.record);
    motor = scale_row(motor, finite, scale);
    motor.z = before.z, motor.w = before.w; // the slots of the bodies
    cn_scatter_some4w(records + 32, at.record, scale_row(spring, finite, scale), used);
    cn_scatter_some4w(records + 48, at.record, motor, used);
}

#endif
