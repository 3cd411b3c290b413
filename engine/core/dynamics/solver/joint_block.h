/* A block of joints, CN_LANES at a time: its data, where its anchors and axes are, how it is read
 * from the records of the joints and written back. joint_rows.h solves a block by iteration,
 * trees.c solves blocks of trees directly.
 *
 * There are three row types:
 *
 *     CN_ROW_POINT        a locked point
 *     CN_ROW_POINT_ANGLE  a locked point, and a row for the angle
 *     CN_ROW_AXES         three separate rows: the angle, y, x; the axes turn with body A
 *
 * A row is one coordinate with a spring, a motor, and a lock or limits.
 *
 * A row that was driven far apart, or past a limit, is corrected at a bounded speed. A ragdoll that
 * falls from a roof is folded up within a step. Unfolding it at once would give it a speed that
 * relax does not take away completely.
 */
#ifndef CN_JOINT_BLOCK_H
#define CN_JOINT_BLOCK_H

#include "contact_rows.h"

#define CORRECTION_SPEED 0.05f // fraction of push_speed: greatest speed of a linear correction
#define CORRECTION_TURN  30.0f // rad/s: greatest speed of the correction of an angle
#define MIN_CORRECTION_RATE                                                                        \
    20.0f                 // 1/s: at least, for an axis, because its target may keep changing
#define ANGLE_ERROR 0.05f // rad: a larger error of a counted angle is not from rounding

typedef struct joint_block {
    uint32_t a[CN_LANES], b[CN_LANES]; // byte offsets of the states
    cn_floatw ia, ib;                  // inverse inertias
    cn_vec2w arm_a, arm_b;             // anchors from the centres of mass at the start of the step
    cn_vec2w ra, rb;                   // the same now
    cn_vec2w d;                        // centre of B minus centre of A at the start of the step
    cn_vec2w c;                        // anchor B minus anchor A now
    cn_floatw kxx, kxy, kyy;           // effective mass of the point, a symmetric matrix
    cn_vec2w l;                        // impulse of the point
    // The load of the step so far. The peaks are those of a substep.
    cn_vec2w sum;          // impulse on B, world axes
    cn_floatw sum_turn;    // without the drag of trees
    cn_floatw peak_square; // greatest square of an impulse
    cn_floatw peak_turn;
} joint_block;

// One coordinate of a joint. spring_limit and motor_limit are limits of impulses.
typedef struct {
    cn_floatw lower, upper, per_speed, per_length;      // as in cn_prepared_row
    cn_floatw target, speed, spring_limit, motor_limit; // as in cn_prepared_row
    cn_floatw lock, spring, motor;                      // impulses; `lock` also that of the limits
    cn_floatw damping;                                  // as in cn_prepared_joint
    cn_floatw before;                                   // velocity at the start of the substep
} joint_row;

// The data that the joints of the types with rows have beside their block.
typedef struct joint_rows {
    joint_row rows[3];        // x, y, angle
    cn_floatw angle0, angle;  // at the start of the step; now
    cn_vec2w axis0, axis;     // direction of x, at the start of the step; now
    cn_intw polar;            // mask: x is the line between the anchors, else x of frame A
    cn_floatw sa[2], sb[2];   // lever arms of the rows x and y
    cn_floatw m[3];           // effective masses of the rows
    cn_floatw spring_mass[3]; // of trees: masses of sprung coordinates x and y; very large for the
                              // angle, because tune_spring() bounds its spring
    int sprung;               // bits of the lanes in which x or y has a spring
    // The coupling of angle and point. An impulse p of the point changes the relative angular
    // velocity by cross(lever, p). A torque impulse of 1 leaves the point in place if `reaction` is
    // subtracted from the impulse of the point. That takes back the fraction `taken_back` of the
    // turn.
    cn_floatw taken_back;
    cn_vec2w lever, reaction;
} joint_rows;

// ---- geometry

// Returns cosine and sine by series, for |r| <= pi / 4. (The series of cn_rotation_of_stepw() are
// for shorter steps: up to a quarter.)
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
    cn_intw quadrant = cn_bitsw(shifted) & 3, odd = -(quadrant & 1);
    cn_intw flip_s = quadrant << 30 & CN_SIGN_BIT;
    cn_intw flip_c = (quadrant + 1) << 30 & CN_SIGN_BIT;
    return (cn_vec2w){cn_flip_signw(cn_selectw(odd, turn.y, turn.x), flip_c),
                      cn_flip_signw(cn_selectw(odd, turn.x, turn.y), flip_s)};
}
CN_INLINE cn_vec2w axis_of_row(const joint_rows *r, int row) {
    return row == CN_JOINT_X ? r->axis : (cn_vec2w){-r->axis.y, r->axis.x};
}

CN_INLINE cn_intw is_locked(const joint_row *r) { return ~(r->lower < r->upper); }

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

// Moves anchors and axes to where they are for the displacements a and b of the bodies.
CN_INLINE void move_joint(joint_block *c, joint_rows *r, cn_row4w a, cn_row4w b, cn_row_type type) {
    cn_vec2w turn_a = rotation_of(a.z), moved = {c->d.x + (b.x - a.x), c->d.y + (b.y - a.y)};
    c->ra = cn_rotatew(turn_a, c->arm_a);
    c->rb = cn_rotatew(rotation_of(b.z), c->arm_b);
    c->c = cn_add2w(moved, cn_sub2w(c->rb, c->ra));
    if (type != CN_ROW_POINT) r->angle = r->angle0 + (b.z - a.z);
    if (type == CN_ROW_AXES) place_axes(c, r, turn_a, a.w + b.w);
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
// ---- bounds

CN_INLINE cn_floatw clamp_impulse(cn_floatw x, cn_floatw limit) {
    return cn_maxw(-limit, cn_minw(x, limit));
}

// Returns the fraction of x that is within a limit: nearly always 1.
CN_INLINE cn_floatw fraction_within(cn_floatw limit, cn_floatw x) {
    cn_intw over = x > limit;
    return cn_mask_bitsw(over) ? cn_selectw(over, limit / x, cn_splatw(1)) : cn_splatw(1);
}

// Returns the same for the length of a vector.
CN_INLINE cn_floatw length_fraction_within(cn_floatw limit, cn_vec2w v) {
    cn_floatw square = cn_dot2w(v, v);
    cn_intw far = square > limit * limit;
    if (!cn_mask_bitsw(far)) return cn_splatw(1);
    return cn_selectw(far, fraction_within(limit, cn_sqrtw(square)), cn_splatw(1));
}
// How fast a row that is far off is corrected.
typedef struct {
    float speed;        // the greatest
    float min_fraction; // of the error: at least this much is corrected as if it were small
} correction_bounds;

// Returns the impulse of a spring that follows from the start of the substep; its damping resists
// the velocity at the end of it. `mass` is the mass that responds in this solve, in the present
// pose. It may be smaller than that in the rest pose, because the lever arm has become long, or
// because an iteration does not see the locks of the joint. So the spring stops at most the motion
// of this mass, and the phase of its oscillation advances by at most one radian in a substep.
CN_INLINE cn_floatw spring_push(const cn_solver *s, const joint_row *r, cn_floatw value,
                                cn_floatw mass) {
    cn_floatw per_speed = cn_minw(r->per_speed, mass),
              per_length = cn_minw(r->per_length, (mass + r->damping) * s->constants.inverse_h);
    return -(per_speed * r->before + per_length * (value - r->target));
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

// The input of prepare_row() for a row: its stored impulses, and the damping of its spring.
typedef struct {
    cn_floatw lock, spring, motor, damping;
} stored_row;

CN_INLINE void prepare_row(const cn_solver *s, joint_row *r, const cn_prepared_row *prepared,
                           const joint_offsets *at, stored_row stored) {
    cn_row4w limits = CN_GATHER_ROW(prepared, at->prepared, lower, upper, per_speed, per_length);
    cn_row4w drive =
        CN_GATHER_ROW(prepared, at->prepared, target, speed, spring_limit, motor_limit);
    cn_floatw warm = cn_splatw(s->constants.warm_scale);
    *r = (joint_row){.lower = limits.x,
                     .upper = limits.y,
                     .per_speed = limits.z,
                     .per_length = limits.w,
                     .target = drive.x,
                     .speed = drive.y,
                     .spring_limit = drive.z,
                     .motor_limit = drive.w,
                     .lock = stored.lock * warm,
                     .spring = stored.spring * warm,
                     .motor = stored.motor * warm,
                     .damping = stored.damping,
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
        if (sim->prepared_joints[lanes[k].slot].h != s->constants.h)
            cn_joint_prepare(sim, lanes[k].slot, s->constants.h);
    const cn_joint_record *records = sim->joint_records;
    const cn_prepared_joint *prepared = sim->prepared_joints;
    cn_row4w springs = CN_GATHER_ROW(records, at->record, state.spring[0], state.spring[1],
                                     state.spring[2], state.motor[0]);
    cn_row4w motors =
        CN_GATHER_ROW(records, at->record, state.motor[1], state.motor[2], bodies[0], bodies[1]);
    cn_row4w frames =
        CN_GATHER_ROW(prepared, at->prepared, frames[0].c, frames[0].s, frames[1].c, frames[1].s);
    cn_row4w dampings =
        CN_GATHER_ROW(prepared, at->prepared, h, damping[0], damping[1], damping[2]);
    cn_vec2w qa = cn_rotatew(start->turn_a, (cn_vec2w){frames.x, frames.y}),
             qb = cn_rotatew(start->turn_b, (cn_vec2w){frames.z, frames.w});
    r->angle0 = find_start_angle(sim, lanes, locks.w, cn_unrotatew(qa, qb));
    prepare_row(s, &r->rows[CN_JOINT_ANGLE], &prepared->rows[CN_JOINT_ANGLE], at,
                (stored_row){locks.z, springs.z, motors.y, dampings.w});
    r->m[CN_JOINT_ANGLE] = inverse_or_zero(c->ia + c->ib);
    for (int i = 0; i < 3; i++) r->spring_mass[i] = cn_splatw(CN_LARGEST);
    if (type != CN_ROW_AXES) return;
    prepare_row(s, &r->rows[CN_JOINT_X], &prepared->rows[CN_JOINT_X], at,
                (stored_row){locks.x, springs.x, springs.w, dampings.y});
    prepare_row(s, &r->rows[CN_JOINT_Y], &prepared->rows[CN_JOINT_Y], at,
                (stored_row){locks.y, springs.y, motors.x, cn_maxw(dampings.z, cn_splatw(0))});
    r->axis0 = qa;
    r->polar = dampings.z == CN_POLAR;
    r->sprung = cn_mask_bitsw((r->rows[CN_JOINT_X].spring_limit > 0) |
                              (r->rows[CN_JOINT_Y].spring_limit > 0));
}

// Gathers the impulses of the locks of x, y and the angle, and the counted angle.
CN_INLINE cn_row4w gather_locks(const cn_joint_record *records, const uint32_t *offset) {
    return CN_GATHER_ROW(records, offset, state.lock[0], state.lock[1], state.lock[2], state.angle);
}

// Finds the byte offsets of the states of a block. Unused lanes get the state `unused`.
CN_INLINE void find_states(const cn_lane *lanes, int unused, joint_block *c) {
    uint32_t rows[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) rows[k] = (uint32_t)k * sizeof(cn_lane);
    cn_row4w lane = CN_GATHER_ROW(lanes, rows, slot, a, b, count);
    cn_intw a = cn_bitsw(lane.y), b = cn_bitsw(lane.z), spare = ((a | b) == 0) & unused;
    a = (a | spare) * (int)sizeof(cn_state), b = (b | spare) * (int)sizeof(cn_state);
    memcpy(c->a, &a, sizeof c->a);
    memcpy(c->b, &b, sizeof c->b);
}

// Reads joints and bodies into a block. `unused` is the state of unused lanes.
CN_INLINE void load_joint(const cn_solver *s, const cn_lane *lanes, joint_block *c, joint_rows *r,
                          cn_row_type type, int unused) {
    const cn_simulation *sim = s->sim;
    joint_offsets at = offsets_of(sim, lanes);
    const cn_body_hot *hot = sim->hot;
    const cn_joint_record *records = sim->joint_records;
    cn_row4w arms = CN_GATHER_ROW(records, at.record, arms[0].x, arms[0].y, arms[1].x, arms[1].y);
    cn_row4w locks = gather_locks(records, at.record);
    cn_row4w pa = CN_GATHER_ROW(hot, at.a, x, y, c, s), pb = CN_GATHER_ROW(hot, at.b, x, y, c, s);
    cn_row4w la = CN_GATHER_ROW(hot, at.a, low_x, low_y, sleep_time, flags);
    cn_row4w lb = CN_GATHER_ROW(hot, at.b, low_x, low_y, sleep_time, flags);
    find_states(lanes, unused, c);
    cn_vec2w turn_a = {pa.z, pa.w}, turn_b = {pb.z, pb.w};
    cn_floatw warm = cn_splatw(s->constants.warm_scale);
    c->ia = cn_gather4w(&s->free->v, c->a).w;
    c->ib = cn_gather4w(&s->free->v, c->b).w;
    c->arm_a = cn_rotatew(turn_a, (cn_vec2w){arms.x, arms.y});
    c->arm_b = cn_rotatew(turn_b, (cn_vec2w){arms.z, arms.w});
    c->d = (cn_vec2w){(pb.x - pa.x) + (lb.x - la.x), (pb.y - pa.y) + (lb.y - la.y)};
    c->l = (cn_vec2w){locks.x * warm, locks.y * warm};
    c->sum = (cn_vec2w){cn_splatw(0), cn_splatw(0)};
    c->sum_turn = c->peak_square = c->peak_turn = cn_splatw(0);
    const joint_start start = {at, locks, turn_a, turn_b};
    if (type != CN_ROW_POINT) prepare_rows(s, lanes, &start, c, r, type);
}

// ---- loads

// Returns the first lane of a run of blocks if a joint of the batch has a coupling, else NULL.
CN_INLINE const cn_lane *coupled_lanes(const cn_solver *s, const cn_lane *lanes) {
    return s->batch->has_couplings ? lanes : NULL;
}

// Adds the impulses of the couplings that the joints of a block own.
static __attribute__((noinline)) void add_couplings(const cn_solver *s, const cn_lane *lanes,
                                                    cn_vec2w *p, cn_floatw *turn) {
    for (int k = 0; k < CN_LANES && is_used(&lanes[k]); k++) {
        cn_joint_push push = cn_coupling_push(s, &lanes[k]);
        p->x[k] += push.p.x, p->y[k] += push.p.y, (*turn)[k] += push.turn;
    }
}

// Adds the impulse of a substep to the load of a block: the linear one on B, and that of the angle.
// `coupled` are the lanes if joints may have a coupling, else NULL.
CN_INLINE void add_to_load(const cn_solver *s, const cn_lane *coupled, joint_block *c, cn_vec2w p,
                           cn_floatw turn, cn_row_type type) {
    if (coupled) add_couplings(s, coupled, &p, &turn);
    c->sum = cn_add2w(c->sum, p);
    c->peak_square = cn_maxw(cn_dot2w(p, p), c->peak_square);
    if (type == CN_ROW_POINT && !coupled) return; // no torque
    c->sum_turn += turn;
    c->peak_turn = cn_maxw(cn_absw(turn), c->peak_turn);
}

static_assert(sizeof(cn_joint_record) == 2 * sizeof(cn_joint_load), "see store_load()");

// Stores the load of a block. That of a joint whose motion is not finite is 0.
CN_INLINE void store_load(const cn_solver *s, const joint_block *c, const uint32_t *records,
                          int used, cn_intw finite, cn_row_type type) {
    cn_floatw per_step = cn_splatw(1 / s->sim->step_seconds), zero = cn_splatw(0),
              per_substep = cn_splatw(s->constants.inverse_h);
    cn_row4w first = {cn_keepw(finite, c->sum.x * per_step), cn_keepw(finite, c->sum.y * per_step),
                      cn_keepw(finite, c->sum_turn * per_step),
                      cn_keepw(finite, cn_sqrtw(c->peak_square) * per_substep)};
    cn_row4w second = {cn_keepw(finite, c->peak_turn * per_substep), zero, zero, zero};
    cn_joint_load *to = s->sim->joint_load;
    uint32_t at[CN_LANES];
    for (int k = 0; k < CN_LANES; k++) at[k] = records[k] / 2;
    CN_SCATTER_SOME_ROWS(to, at, first, used, force.x, force.y, torque, peak_force);
    if (type == CN_ROW_POINT && !s->batch->has_couplings) return; // no torque
    CN_SCATTER_SOME_ROWS(to, at, second, used, peak_torque, unused[0], unused[1], unused[2]);
}

// ---- store

CN_INLINE cn_row4w scale_row(cn_row4w row, cn_intw finite, cn_floatw scale) {
    return (cn_row4w){cn_keepw(finite, row.x * scale), cn_keepw(finite, row.y * scale),
                      cn_keepw(finite, row.z * scale), cn_keepw(finite, row.w * scale)};
}

// Writes a block back to the records of its joints. Returns the stored impulses of the locks of x
// and y.
CN_INLINE cn_vec2w store_joint(const cn_solver *s, const cn_lane *lanes, const joint_block *c,
                               const joint_rows *r, cn_row_type type) {
    joint_offsets at = offsets_of(s->sim, lanes);
    cn_floatw zero = cn_splatw(0), scale = cn_splatw(s->constants.store_scale);
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
    // If the motion of a body is not finite, its joints start again without impulses.
    cn_floatw sum = turn + lock.x + lock.y + lock.z + spring.x + spring.y + spring.z + spring.w +
                    motor.x + motor.y;
    cn_intw finite = cn_absw(sum) <= FLT_MAX;
    lock = scale_row(lock, finite, scale);
    cn_joint_record *records = s->sim->joint_records;
    lock.w = type == CN_ROW_POINT ? gather_locks(records, at.record).w : r->angle0;
    lock.w += cn_keepw(finite, turn);
    int used = 0;
    for (int k = 0; k < CN_LANES; k++) used |= is_used(&lanes[k]) << k;
    CN_SCATTER_SOME_ROWS(records, at.record, lock, used, state.lock[0], state.lock[1],
                         state.lock[2], state.angle);
    store_load(s, c, at.record, used, finite, type);
    const cn_vec2w locks = {lock.x, lock.y};
    if (type == CN_ROW_POINT) return locks; // its springs and motors are always 0
    cn_row4w old_motor =
        CN_GATHER_ROW(records, at.record, state.motor[1], state.motor[2], bodies[0], bodies[1]);
    motor = scale_row(motor, finite, scale);
    motor.z = old_motor.z, motor.w = old_motor.w; // the slots of the bodies
    spring = scale_row(spring, finite, scale);
    CN_SCATTER_SOME_ROWS(records, at.record, spring, used, state.spring[0], state.spring[1],
                         state.spring[2], state.motor[0]);
    CN_SCATTER_SOME_ROWS(records, at.record, motor, used, state.motor[1], state.motor[2], bodies[0],
                         bodies[1]);
    return locks;
}

// Ratchets, and joints that may break.
static inline void watch_joints(const cn_solver *s, const cn_lane *lanes) {
    for (int k = 0; k < CN_LANES && is_used(&lanes[k]); k++)
        cn_joint_after_step(s->sim, lanes[k].slot, &s->states[lanes[k].a], &s->states[lanes[k].b]);
}

#endif
