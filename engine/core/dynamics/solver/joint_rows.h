/* The joints that are solved by iteration, CN_LANES at a time: prepare, solve and relax.
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
 * Springs act only in the biased solve. If they were solved again in relax, they would be damped. A
 * spring damps only the motion that the row had at the start of the substep, not the changes by
 * other constraints since then. Stiff springs are damped anyway. They act in both passes, otherwise
 * light links under a load would start to oscillate. Motors also act in both.
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

#include "joint_block.h"

#define MIN_FREEDOM 1e-3f // fraction: a locked point leaves at least this much of a turn

// ---- geometry

CN_INLINE void invert_point(joint_block *c, cn_floatw mm) {
    cn_floatw k11 = mm + c->ia * c->ra.y * c->ra.y + c->ib * c->rb.y * c->rb.y;
    cn_floatw k12 = -(c->ia * c->ra.x * c->ra.y) - c->ib * c->rb.x * c->rb.y;
    cn_floatw k22 = mm + c->ia * c->ra.x * c->ra.x + c->ib * c->rb.x * c->rb.x;
    cn_floatw inverse = inverse_or_zero(k11 * k22 - k12 * k12);
    c->kxx = k22 * inverse;
    c->kxy = -k12 * inverse;
    c->kyy = k11 * inverse;
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
    move_joint(c, r, a, b, type);
    if (type != CN_ROW_AXES) invert_point(c, a.w + b.w);
    if (type == CN_ROW_POINT_ANGLE) couple_angle_to_point(c, r);
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

// Limits impulses to finite numbers. All islands of a batch use the state of the static world,
// whose inverse mass is 0. But 0 times an infinite impulse is not 0, and would spread to all of
// them.
CN_INLINE pair_impulse limit_impulse(pair_impulse push) {
    cn_floatw limit = cn_splatw(CN_LARGEST);
    return (pair_impulse){{clamp_impulse(push.p.x, limit), clamp_impulse(push.p.y, limit)},
                          clamp_impulse(push.ta, limit),
                          clamp_impulse(push.tb, limit)};
}

// Adds impulses to the velocities in `free`.
CN_INLINE void add_to_free(const cn_solver *s, const joint_block *c, cn_floatw ma, cn_floatw mb,
                           pair_impulse push) {
    push = limit_impulse(push);
    cn_row4w a = cn_gather4w(&s->free->v, c->a), b = cn_gather4w(&s->free->v, c->b);
    cn_scatter4w(&s->free->v, c->a, after_impulse(a, -ma, -c->ia, push.p, push.ta));
    cn_scatter4w(&s->free->v, c->b, after_impulse(b, mb, c->ib, push.p, push.tb));
}

// Moves the anchors and axes of a joint with its bodies, and turns its warm start. Relax does this.
CN_INLINE void follow_bodies(const cn_solver *s, joint_block *c, joint_rows *r, cn_row_type type) {
    cn_row4w a = cn_gather4w(&s->states->d, c->a), b = cn_gather4w(&s->states->d, c->b);
    pair_impulse before = sum_impulses(c, r, type);
    place_joint(c, r, a, b, type);
    pair_impulse after = sum_impulses(c, r, type),
                 removed = {before.p, before.ta - after.ta, before.tb - after.tb};
    // The linear impulse of a point is in world axes, so it does not turn.
    removed.p = type == CN_ROW_AXES ? cn_sub2w(before.p, after.p) : (cn_vec2w){0};
    if (type == CN_ROW_AXES) c->sum = cn_add2w(c->sum, removed.p); // solved along the axes before
    add_to_free(s, c, a.w, b.w, removed);
}

// ---- prepare

CN_INLINE void prepare_joint(const cn_solver *s, const cn_lane *lanes, joint_block *c,
                             joint_rows *r, cn_row_type type, int unused) {
    load_joint(s, lanes, c, r, type, unused);
    cn_row4w a = cn_gather4w(&s->states->d, c->a), b = cn_gather4w(&s->states->d, c->b);
    place_joint(c, r, a, b, type);
    add_to_free(s, c, a.w, b.w, sum_impulses(c, r, type));
    if (type != CN_ROW_POINT)
        store_speeds(r, cn_gather4w(&s->states->v, c->a), cn_gather4w(&s->states->v, c->b), type);
}

// ---- solve

// A stiff spring has no explicit part, and resists the motion more than the mass of its row. See
// tune_spring() in model/joint_springs.c.
CN_INLINE cn_intw is_stiff(const joint_row *r, cn_floatw mass) {
    return (r->per_speed == 0) & (r->damping > mass);
}
// How a row moves.
typedef struct {
    cn_floatw u;           // velocity of its coordinate
    cn_floatw value;       // of its coordinate
    cn_floatw mass;        // effective mass
    cn_floatw motor_limit; // greatest impulse of its motor
} row_motion;

/* Returns the change of impulse of a row that moves at u and has the effective mass m. Lower limit,
 * upper limit and lock use the same impulse. It is the median of L, 0 and U: L would fulfil the
 * lower limit, 0 is right between the limits, U would fulfil the upper limit. */
CN_INLINE cn_floatw solve_row(const cn_solver *s, joint_row *r, row_motion motion,
                              correction_bounds bounds, bool relax) {
    const cn_floatw u = motion.u, value = motion.value, m = motion.mass;
    cn_floatw zero = cn_splatw(0), one = cn_splatw(1), change = zero, mu = m * u;
    cn_intw stiff = is_stiff(r, m);
    bool springs = !relax;
    if (springs || cn_mask_bitsw(stiff)) {
        // The impulse changes the velocity u that it resists.
        cn_floatw part = m / cn_maxw(m + r->damping, cn_splatw(FLT_MIN));
        cn_floatw push = spring_push(s, r, value, m) - r->damping * u;
        cn_floatw pull = clamp_impulse(part * push + (one - part) * r->spring, r->spring_limit);
        if (!springs) pull = cn_selectw(stiff, pull, r->spring);
        change = pull - r->spring;
        r->spring = pull;
    }
    cn_floatw drive = r->motor - (mu + change) + m * r->speed;
    drive = clamp_impulse(drive, motion.motor_limit);
    change += drive - r->motor;
    r->motor = drive;
    mu += change;
    cn_intw locked = is_locked(r);
    cn_floatw below = value - r->lower, above = r->upper - value; // gaps
    cn_floatw closing = cn_keepw(~locked, cn_splatw(s->constants.inverse_h));
    cn_floatw low = cn_maxw(below * closing, zero), high = cn_maxw(above * closing, zero);
    cn_floatw low_scale = one, high_scale = one;
    if (!relax) {
        cn_floatw near =
            fraction_within(cn_splatw(bounds.speed * s->constants.h), zero - cn_minw(below, above));
        near = cn_maxw(near, cn_splatw(bounds.min_fraction));
        cn_floatw soft = one - s->constants.joint_softness.impulse_scale * near,
                  rate = s->constants.joint_softness.bias_rate * near;
        low += rate * cn_selectw(locked, below, cn_minw(below, zero));
        high += rate * cn_selectw(locked, above, cn_minw(above, zero));
        low_scale = cn_selectw(~locked & (below > zero), one, soft);
        high_scale = cn_selectw(~locked & (above > zero), one, soft);
    }
    cn_floatw l = low_scale * (r->lock - mu) - m * low, h = high_scale * (r->lock - mu) + m * high;
    if (relax) { // limits begin to act in a solve: see tree_rows.h
        cn_floatw infinite = cn_splatw(FLT_MAX);
        l = cn_selectw(~locked & (below > zero) & (r->lock <= zero), -infinite, l);
        h = cn_selectw(~locked & (above > zero) & (r->lock >= zero), infinite, h);
    }
    cn_floatw lock = cn_maxw(l, cn_minw(h, zero));
    change += lock - r->lock;
    r->lock = lock;
    return change;
}

CN_INLINE cn_floatw solve_angle(const cn_solver *s, joint_rows *r, cn_floatw u, cn_floatw mass,
                                bool relax) {
    joint_row *row = &r->rows[CN_JOINT_ANGLE];
    return solve_row(s, row, (row_motion){u, r->angle, mass, row->motor_limit},
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
    row_motion motion = {axis_speed(r, row, v->a, v->b), cn_dot2w(c->c, n), r->m[row], motor_limit};
    correction_bounds bounds = {CORRECTION_SPEED * s->sim->tuning.push_speed,
                                cn_min(MIN_CORRECTION_RATE * s->constants.h, 1)};
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
        cn_floatw limit = cn_splatw(CORRECTION_SPEED * s->sim->tuning.push_speed * s->constants.h);
        cn_floatw near = length_fraction_within(limit, c->c),
                  rate = s->constants.joint_softness.bias_rate * near;
        scale = 1 - s->constants.joint_softness.impulse_scale * near;
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

// Solves one block. `type` and `relax` are constants of the call; everything is inlined. `coupled`
// are its lanes if joints may have a coupling, else NULL.
CN_INLINE void solve_joint(const cn_solver *s, const cn_lane *coupled, joint_block *c,
                           joint_rows *r, cn_row_type type, bool relax) {
    velocity_rows v = {cn_gather4w(&s->states->v, c->a), cn_gather4w(&s->states->v, c->b)};
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
    if (relax) {
        cn_floatw turn = cn_splatw(0);
        if (type != CN_ROW_POINT) turn = impulse_of_row(&r->rows[CN_JOINT_ANGLE]);
        add_to_load(s, coupled, c, sum_impulses(c, r, type).p, turn, type);
    }
    cn_scatter4w(&s->states->v, c->a, v.a);
    cn_scatter4w(&s->states->v, c->b, v.b);
}

// Adds the pulls of iterated joints, impulse times lever arm, to their bodies: see add_inertia() in
// bodies.c. It adds lane by lane, because a body may be in several lanes.
CN_INLINE void add_pulls(const cn_solver *s, const cn_lane *lanes, const joint_block *c,
                         cn_vec2w l) {
    cn_floatw square = cn_dot2w(l, l), most = cn_splatw(CN_LARGEST);
    cn_floatw on_a = cn_minw(cn_sqrtw(square * cn_dot2w(c->ra, c->ra)), most),
              on_b = cn_minw(cn_sqrtw(square * cn_dot2w(c->rb, c->rb)), most);
    const int *bodies = s->batch->bodies.items, count = s->batch->body_count;
    cn_pull *pulls = s->sim->pulls;
    for (int k = 0; k < CN_LANES; k++) {
        const int a = lanes[k].a, b = lanes[k].b; // 0 in unused lanes
        if (a > 0 && a <= count) pulls[bodies[a - 1]].sum += on_a[k];
        if (b > 0 && b <= count) pulls[bodies[b - 1]].sum += on_b[k];
    }
}

#endif
