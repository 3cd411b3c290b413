/* The rows of joints of trees that have limits, motors or springs: which of them are active, and
 * the impulses of the others.
 *
 * An active-set method finds the active rows. It solves the tree, moves each row that left its
 * range to the next segment of its graph (tree_block.h), and solves the tree again. It starts with
 * the active rows of the last solve. Rows may move back and forth without end. So after some rounds
 * only free rows move, and become active. Then a motor may exceed its limit in this substep, or a
 * limit may pull. But almost no row is faster than its graph allows.
 *
 * A limit with a gap that would close within the next substep does not begin to act in relax, but
 * in the next solve. So one substep has the whole impulse of a rope that becomes taut. The impulse
 * is not divided between two steps.
 */
#ifndef CN_TREE_ROWS_H
#define CN_TREE_ROWS_H

#include "tree_block.h"

// True in the first solve of a substep, which is neither a relaxation nor a repetition.
static inline bool is_first_solve(const cn_solver *s) { return !s->now.relax && !s->now.repeats; }

CN_INLINE correction_bounds bounds_of(const cn_solver *s, int row) {
    if (row == CN_JOINT_ANGLE) return (correction_bounds){CORRECTION_TURN, 0};
    return (correction_bounds){CORRECTION_SPEED * s->sim->tuning.push_speed,
                               cn_min(MIN_CORRECTION_RATE * s->constants.h, 1)};
}

// Returns the greatest error of a row that is corrected at once.
CN_INLINE cn_floatw correction_limit(const cn_solver *s, const tree_block *b, int row) {
    cn_floatw limit = cn_splatw(bounds_of(s, row).speed * s->constants.h);
    return row == CN_JOINT_ANGLE ? limit : limit + s->constants.h * b->turn_speed;
}

// ---- the graph of a row

// Finds the velocities at which segments begin and end, from the value of the coordinate.
CN_INLINE void find_graph(const cn_solver *s, const tree_block *b, tree_row *t, const joint_row *r,
                          int row, bool relax) {
    cn_floatw zero = cn_splatw(0), rate = cn_splatw(s->constants.inverse_h);
    cn_floatw below = t->value - r->lower, above = r->upper - t->value;
    cn_intw locked = is_locked(r);
    cn_floatw near = zero, off = cn_minw(below, above);
    if (!relax) {
        near = fraction_within(correction_limit(s, b, row), cn_absw(off));
        near = rate * cn_maxw(near, cn_splatw(bounds_of(s, row).min_fraction));
    }
    cn_floatw low = -(below * cn_selectw(below > zero, rate, near));
    cn_floatw high = above * cn_selectw(above > zero, rate, near);
    if (relax) { // limits begin to act in a solve
        cn_floatw infinite = cn_splatw(FLT_MAX);
        low = cn_selectw((below > zero) & (t->segment != AT_LOWER), -infinite, low);
        high = cn_selectw((above > zero) & (t->segment != AT_UPPER), infinite, high);
    }
    t->low = cn_selectw(locked, -(below * near), low);
    t->high = cn_selectw(locked, -(below * near), high);
    cn_floatw speed = cn_selectw(r->motor_limit > zero, r->speed, cn_splatw(FLT_MAX));
    t->speed = cn_maxw(t->low, cn_minw(speed, t->high));
}

// Sets how a row is solved on its segment, and the range of the segment.
CN_INLINE void set_row(tree_row *t, const joint_row *r, cn_intw flip) {
    cn_intw locked = is_locked(r);
    cn_intw lower = t->segment == AT_LOWER, upper = t->segment == AT_UPPER;
    t->active = locked | ((t->segment & 1) == 0);
    cn_floatw target = cn_selectw(lower | locked, t->low, cn_selectw(upper, t->high, t->speed));
    t->target = cn_flip_signw(target, flip);
    cn_floatw motor = cn_selectw(t->segment == MOTOR_UP, t->motor_limit, -t->motor_limit);
    cn_floatw push = t->spring + motor - t->l;
    t->push = cn_keepw(~t->active, cn_flip_signw(push, flip));
    cn_floatw most = t->motor_limit, infinite = cn_splatw(FLT_MAX);
    cn_floatw least_l = cn_selectw(lower, cn_selectw(t->speed <= t->low, -most, most), -most),
              most_l = cn_selectw(upper, cn_selectw(t->speed >= t->high, most, -most), most);
    least_l = cn_selectw(upper | locked, -infinite, least_l);
    most_l = cn_selectw(lower | locked, infinite, most_l);
    cn_intw motor_up = t->segment == MOTOR_UP;
    t->min_x = cn_selectw(t->active, least_l, cn_selectw(motor_up, t->low, t->speed));
    t->max_x = cn_selectw(t->active, most_l, cn_selectw(motor_up, t->speed, t->high));
}

// Returns the impulse of a row on B in this substep.
CN_INLINE cn_floatw row_impulse(const tree_row *t, cn_intw flip) {
    return t->l + cn_flip_signw(t->found, flip);
}

// Returns the same without the impulse of the drag.
CN_INLINE cn_floatw impulse_without_drag(const tree_row *t, cn_intw flip) {
    return row_impulse(t, flip) + t->drag * cn_flip_signw(t->q, flip);
}

// Returns the impulse of lock, limits and motor on B, without that of spring and drag.
CN_INLINE cn_floatw impulse_without_spring(const tree_row *t, cn_intw flip) {
    cn_floatw u = cn_flip_signw(t->q, flip);
    return row_impulse(t, flip) - (t->spring - (t->damping + t->drag) * u);
}

// Moves a row that left its range to another segment. Returns the mask of the rows that moved.
CN_INLINE cn_intw change_segment(tree_row *t, cn_intw flip, row_moves moves, cn_intw lanes) {
    cn_floatw x = cn_selectw(t->active, impulse_without_spring(t, flip), cn_flip_signw(t->q, flip));
    cn_intw below = (x < t->min_x) & lanes, above = (x > t->max_x) & lanes;
    if (moves == MOVE_FREE) below &= ~t->active, above &= ~t->active;
    if (!cn_mask_bitsw(below | above)) return below; // nearly always
    cn_intw p = t->segment, up = p == MOTOR_UP, down = p == MOTOR_DOWN;
    cn_intw limited = t->motor_limit < FLT_MAX; // a motor without a limit has no odd segments
    cn_intw motor_up = cn_select_intw(limited, cn_splat_intw(MOTOR_UP), cn_splat_intw(AT_SPEED));
    cn_intw motor_down =
        cn_select_intw(limited, cn_splat_intw(MOTOR_DOWN), cn_splat_intw(AT_SPEED));
    cn_intw speed_is_low = t->speed <= t->low, speed_is_high = t->speed >= t->high;
    // An active row whose impulse left its range becomes free, on the neighbouring segment.
    cn_intw released_below = cn_select_intw((p == AT_LOWER) & ~speed_is_low, motor_up, motor_down);
    cn_intw released_above = cn_select_intw((p == AT_UPPER) & ~speed_is_high, motor_down, motor_up);
    // A free row whose velocity left its range becomes active, at the end that it passed.
    cn_intw stopped_below =
        cn_select_intw(down & ~speed_is_low, cn_splat_intw(AT_SPEED), cn_splat_intw(AT_LOWER));
    cn_intw stopped_above =
        cn_select_intw(up & ~speed_is_high, cn_splat_intw(AT_SPEED), cn_splat_intw(AT_UPPER));
    cn_intw next =
        cn_select_intw(below, cn_select_intw(t->active, released_below, stopped_below), p);
    next = cn_select_intw(above, cn_select_intw(t->active, released_above, stopped_above), next);
    t->segment = next;
    return next != p;
}

// If the motors of x and y have the same limit, it bounds the length of the vector of both
// impulses.
CN_INLINE void split_motor_limit(tree_parts t) {
    tree_row *x = &t.axes->rows[CN_JOINT_X], *y = &t.axes->rows[CN_JOINT_Y];
    cn_floatw limit = t.rows->rows[CN_JOINT_X].motor_limit;
    cn_intw same = (limit == t.rows->rows[CN_JOINT_Y].motor_limit) & (limit > 0) &
                   (limit < FLT_MAX) & (x->segment == AT_SPEED) & (y->segment == AT_SPEED) &
                   t.block->may_move;
    if (!cn_mask_bitsw(same)) return;
    cn_vec2w l = {impulse_without_spring(x, t.block->flip),
                  impulse_without_spring(y, t.block->flip)};
    cn_floatw part = length_fraction_within(limit, l);
    cn_intw over = same & (part < 1);
    x->motor_limit = cn_selectw(over, part * cn_absw(l.x), cn_selectw(same, limit, x->motor_limit));
    y->motor_limit = cn_selectw(over, part * cn_absw(l.y), cn_selectw(same, limit, y->motor_limit));
    set_row(x, &t.rows->rows[CN_JOINT_X], t.block->flip);
    set_row(y, &t.rows->rows[CN_JOINT_Y], t.block->flip);
}

// ---- springs

// The impulse of a spring at the velocity u is b - k u: see spring_push(). A spring at its limit
// pushes with that impulse. Returns the mask of the springs that reached it.
CN_INLINE cn_intw limit_spring(tree_row *t, const joint_row *r, cn_intw flip, cn_intw lanes) {
    cn_floatw spring = t->spring - t->damping * cn_flip_signw(t->q, flip);
    cn_intw over = lanes & (r->spring_limit > 0) & (cn_absw(spring) > r->spring_limit);
    t->damping = cn_keepw(~over, t->damping);
    t->spring = cn_selectw(over, clamp_impulse(spring, r->spring_limit), t->spring);
    return over;
}

// ---- passes

// Begins to solve, relax or repeat a row. In relax and repeat, l is the impulse that the substep
// has found so far. Returns the mask of the rows for which D must be computed again.
CN_INLINE cn_intw begin_row(const cn_solver *s, tree_parts t, int i, bool relax, bool first) {
    tree_row *row = row_of(t, i);
    joint_row *r = &t.rows->rows[i];
    row->l = first ? cn_splatw(0) : row_impulse(row, t.block->flip);
    cn_intw stale = first ? t.block->may_move & (row->damping != r->damping) : cn_splat_intw(0);
    find_graph(s, t.block, row, r, i, relax);
    if (first) { // a spring at its limit stays there if the row may not move
        cn_floatw spring = spring_push(s, r, row->value, t.rows->spring_mass[i]);
        row->damping = cn_selectw(t.block->may_move, r->damping, row->damping);
        row->spring = cn_selectw(t.block->may_move, spring, row->spring);
    }
    set_row(row, r, t.block->flip);
    return stale;
}

// Moves rows of a block to other segments. Returns the bits of the lanes in which one moved.
CN_INLINE int move_rows(tree_parts t, cn_row_type type, row_moves moves) {
    tree_block *b = t.block;
    cn_intw moved = cn_splat_intw(0);
    if (type == CN_ROW_POINT || type == CN_ROW_ROOT) return 0;
    if (type == CN_ROW_AXES) split_motor_limit(t);
    for (int i = type == CN_ROW_AXES ? CN_JOINT_X : CN_JOINT_ANGLE; i <= CN_JOINT_ANGLE; i++) {
        tree_row *row = row_of(t, i);
        const joint_row *r = &t.rows->rows[i];
        cn_intw now = change_segment(row, b->flip, moves, b->may_move) |
                      limit_spring(row, r, b->flip, b->may_move);
        if (cn_mask_bitsw(now)) set_row(row, r, b->flip);
        moved |= now;
    }
    return cn_mask_bitsw(moved) & b->used;
}

// Stores the velocities of the rows for the springs of the next substep.
CN_INLINE void keep_speeds(tree_parts t, cn_row_type type) {
    if (type == CN_ROW_POINT || type == CN_ROW_ROOT) return;
    t.rows->rows[CN_JOINT_ANGLE].before = cn_flip_signw(t.block->angle.q, t.block->flip);
    for (int i = CN_JOINT_X; type == CN_ROW_AXES && i <= CN_JOINT_Y; i++)
        t.rows->rows[i].before = cn_flip_signw(t.axes->rows[i].q, t.block->flip);
}

// ---- prepare and store

CN_INLINE void prepare_tree_row(tree_row *t, joint_row *r) {
    t->damping = r->damping;
    cn_intw has_motor = r->motor_limit > 0;
    cn_intw full = cn_absw(r->motor) >= r->motor_limit;
    cn_intw at_motor =
        cn_select_intw(full & (r->motor > 0), cn_splat_intw(MOTOR_UP),
                       cn_select_intw(full, cn_splat_intw(MOTOR_DOWN), cn_splat_intw(AT_SPEED)));
    cn_intw p = cn_select_intw(has_motor, at_motor, cn_splat_intw(MOTOR_UP));
    p = cn_select_intw(r->lock > 0, cn_splat_intw(AT_LOWER), p);
    p = cn_select_intw(r->lock < 0, cn_splat_intw(AT_UPPER), p);
    t->segment = p;
    t->motor_limit = r->motor_limit;
    t->found = t->spring = t->q = t->drag = cn_splatw(0);
    t->l = r->lock;
}

// Divides the impulse of a row between spring, motor and lock. The impulse of the drag is left out.
CN_INLINE void store_tree_row(const tree_row *t, joint_row *r, cn_intw flip) {
    cn_floatw rest = impulse_without_spring(t, flip);
    cn_intw locked = is_locked(r), p = t->segment;
    cn_intw has_motor = (r->motor_limit > 0) & (r->motor_limit < FLT_MAX);
    cn_floatw motor =
        cn_selectw((p < AT_SPEED) & (t->low < t->speed), t->motor_limit, -t->motor_limit);
    motor = cn_selectw((p > AT_SPEED) & (t->speed >= t->high), t->motor_limit, motor);
    motor = cn_keepw(has_motor, motor);
    motor = cn_selectw(p == AT_SPEED, rest, motor);
    motor = cn_keepw(~locked, motor);
    r->spring = row_impulse(t, flip) - rest + t->drag * cn_flip_signw(t->q, flip);
    r->motor = motor;
    r->lock = cn_keepw(locked | (p == AT_LOWER) | (p == AT_UPPER), rest - motor);
}

#endif
