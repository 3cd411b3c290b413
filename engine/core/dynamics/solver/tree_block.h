/* A block of joints of trees, CN_LANES at a time: its data, and the elimination of rows. trees.c
 * has the algorithm and the letters. */
#ifndef CN_TREE_BLOCK_H
#define CN_TREE_BLOCK_H

#include "joint_block.h"

/* The velocity u of a row and its impulse without spring lie on one of five segments of a graph:
 *
 *      impulse     AT_LOWER |
 *       limit               +------- MOTOR_UP
 *                                   | AT_SPEED
 *      -limit                       +-------- MOTOR_DOWN
 *                                            | AT_UPPER
 *      velocity            low    speed     high
 *
 * On an even segment the row is active: u is known, and the impulse has a range. On an odd segment
 * the row is free: the impulse is that of the motor at its limit, and u has a range. */
enum { AT_LOWER, MOTOR_UP, AT_SPEED, MOTOR_DOWN, AT_UPPER };

// Which of the rows that left their ranges move to another segment after a solve.
typedef enum { MOVE_NONE, MOVE_FREE, MOVE_ALL } row_moves;

typedef struct tree_row {
    cn_intw segment, active;
    cn_floatw g[3], inverse, pass; // D f; 1 / (f.g + k), k / (f.g + k); 0 and 1 if it is active
    cn_floatw target;              // velocity of the child relative to the parent, if it is active
    cn_floatw push, damping;       // b and k of spring and motor
    cn_floatw drag;                // k of the drag of an angle: see find_drag()
    cn_floatw q0;                  // (f.p + b) / (f.g + k)
    cn_floatw q;                   // result: velocity of the row
    cn_floatw found;               // result: impulse on the child
    cn_floatw l;                   // impulse of this substep before this solve, on B
    cn_floatw value;               // of the coordinate
    cn_floatw spring;              // b of its spring, on B
    cn_floatw low, high, speed;    // velocities of B relative to A where segments begin and end
    cn_floatw motor_limit;         // greatest impulse of the motor
    cn_floatw min_x, max_x; // range of the segment: of the impulse if it is active, else of u
} tree_row;

typedef struct tree_block {
    uint32_t child[CN_LANES], parent[CN_LANES]; // byte offsets of the states
    int parent_lane[CN_LANES];                  // the child's if the parent is static or kinematic
    int parent_block; // the block of all parents, each in the lane of its child; -1: none
    cn_row_type row_type;
    int used;                              // bits of the lanes in use
    int adding;                            // bits of those whose parent is part of the tree
    bool has_drag;                         // some lane has a drag
    cn_floatw parent_inertia;              // of the parent alone
    cn_intw flip;                          // sign bit, where the child is A
    cn_floatw mass, inertia, inverse_mass; // of the child
    cn_intw rotation_locked;               // mask: its angular velocity stays the same
    cn_intw parent_moves;                  // mask: the parent is part of the tree
    cn_intw may_move;                      // mask: rows may move to other segments
    cn_vec2w rc, rp;                       // lever arms of P at child and parent
    cn_vec2w t;                     // t of a locked point: wanted velocity relative to the parent
    cn_vec2w found;                 // result: impulse of a locked point, on the child
    cn_floatw d[CN_ELEMENTS], e[3]; // D and e: the impulse of the joint is D x + e
    cn_floatw before[3], v[3];      // velocity of the child before and after the solve
    cn_floatw change[3];    // change of the velocity of the child by the tree in this substep
    cn_floatw turn_speed;   // m/s: see find_turn_speed()
    cn_floatw own_contacts; // 1 if contacts act on the child, else 0
    cn_floatw contacts;     // number of bodies with contacts: the child and all below it
    tree_row angle;
} tree_block;

typedef struct tree_axes {
    tree_row rows[2]; // x, y
} tree_axes;

// A block and its other parts, which are NULL where its row type has none.
typedef struct {
    tree_block *block;
    tree_axes *axes;
    joint_block *joint;
    joint_rows *rows;
} tree_parts;

static tree_parts parts_of(const cn_solver *s, int k) {
    return (tree_parts){&s->tree.blocks[k], s->tree.axes ? &s->tree.axes[k] : NULL,
                        &s->tree.joints[k], s->tree.rows ? &s->tree.rows[k] : NULL};
}

CN_INLINE tree_row *row_of(tree_parts t, int row) {
    return row == CN_JOINT_ANGLE ? &t.block->angle : &t.axes->rows[row];
}

// ---- symmetric matrices

// The element in a row and a column.
static const int at[3][3] = {{CN_XX, CN_XY, CN_XW}, {CN_XY, CN_YY, CN_YW}, {CN_XW, CN_YW, CN_WW}};

// Rotates the axes x and y of a symmetric matrix by the rotation n.
CN_INLINE void rotate_inertia(cn_floatw d[CN_ELEMENTS], cn_vec2w n) {
    cn_floatw cc = n.x * n.x, cs = n.x * n.y, ss = n.y * n.y;
    cn_floatw xx = d[CN_XX], xy = d[CN_XY], yy = d[CN_YY], xw = d[CN_XW], yw = d[CN_YW];
    d[CN_XX] = cc * xx - (cs + cs) * xy + ss * yy;
    d[CN_XY] = cs * (xx - yy) + (cc - ss) * xy;
    d[CN_YY] = ss * xx + (cs + cs) * xy + cc * yy;
    d[CN_XW] = n.x * xw - n.y * yw;
    d[CN_YW] = n.y * xw + n.x * yw;
}

// Eliminates a row from D. With masses too uneven for floats, rounding may leave no inertia along
// the row. Then nothing moves it.
CN_INLINE void eliminate(cn_floatw d[CN_ELEMENTS], tree_row *row, int i) {
    for (int j = 0; j < 3; j++) row->g[j] = d[at[i][j]];
    cn_floatw damping = row->damping + row->drag;
    cn_floatw inverse = inverse_or_zero(row->g[i] + damping);
    row->inverse = cn_keepw(~row->active, inverse);
    row->pass = cn_selectw(row->active, cn_splatw(1), damping * inverse);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k <= j; k++)
            if (j != i && k != i) d[at[j][k]] -= row->g[j] * (row->g[k] * row->inverse);
    for (int j = 0; j < 3; j++) d[at[i][j]] = row->g[j] * row->pass;
}

// Eliminates the angle of a joint of type CN_ROW_POINT, which is always free and has no spring.
CN_INLINE void eliminate_free_angle(cn_floatw d[CN_ELEMENTS], tree_row *row) {
    row->g[0] = d[CN_XW], row->g[1] = d[CN_YW], row->g[2] = d[CN_WW];
    row->inverse = inverse_or_zero(d[CN_WW]);
    cn_floatw gx = d[CN_XW] * row->inverse, gy = d[CN_YW] * row->inverse;
    d[CN_XX] -= d[CN_XW] * gx, d[CN_XY] -= d[CN_YW] * gx, d[CN_YY] -= d[CN_YW] * gy;
    d[CN_XW] = d[CN_YW] = d[CN_WW] = cn_splatw(0);
}

// Eliminates a row from p. With `respond`, the row has b = 0.
CN_INLINE void eliminate_momentum(cn_floatw p[3], tree_row *row, int i, bool respond) {
    cn_floatw push = respond ? cn_splatw(0) : row->push;
    row->q0 = (p[i] + push) * row->inverse;
    for (int j = 0; j < 3; j++)
        if (j != i) p[j] -= row->g[j] * row->q0;
    p[i] = row->pass * p[i] - (1 - row->pass) * push;
}

// Adds the velocity of a free row to v. (g_i / (f.g + k) is 1 - pass.)
CN_INLINE void substitute(cn_floatw v[3], tree_row *row, int i) {
    const int j = i == 0 ? 1 : 0, k = i == 2 ? 1 : 2;
    cn_floatw others = row->g[j] * v[j] + row->g[k] * v[k];
    cn_floatw q = row->q0 - row->inverse * (others + row->g[i] * v[i]);
    v[i] = row->pass * v[i] + (row->q0 - row->inverse * others);
    row->q = cn_selectw(row->active, row->target, q);
}

// ---- sums

/* The sums that the children of a body add to it, in the lane of the body: by block, then by value.
 *
 * If the trees of a group are alike, the children in a block have their parents in one other block,
 * each in the same lane. Then whole blocks are added. */
enum { INERTIAS = CN_ELEMENTS + 1, MOMENTA = 3 };

typedef struct tree_inertia {
    cn_floatw values[INERTIAS]; // D, then the number of bodies with contacts
} tree_inertia;

typedef struct tree_momentum {
    cn_floatw values[MOMENTA]; // p
} tree_momentum;

// Adds values of the children of a block to the sums of their parents.
CN_INLINE void add_to_parents(cn_floatw *sums, int values, const tree_block *b,
                              const cn_floatw *x) {
    if (b->parent_block >= 0) {
        for (int i = 0; i < values; i++) sums[b->parent_block * values + i] += x[i];
        return;
    }
    CN_EACH_LANE(k, b->adding) {
        cn_floatw *to = sums + b->parent_lane[k] / CN_LANES * values;
        for (int i = 0; i < values; i++) to[i][b->parent_lane[k] % CN_LANES] += x[i][k];
    }
}

// Reads a value from the sums of the parents of a block. The value is arbitrary in the lanes of
// static and kinematic parents.
CN_INLINE cn_floatw read_parents(const cn_floatw *sums, int values, const tree_block *b,
                                 int value) {
    if (b->parent_block >= 0) return sums[b->parent_block * values + value];
    cn_floatw x;
    for (int k = 0; k < CN_LANES; k++)
        x[k] = sums[b->parent_lane[k] / CN_LANES * values + value][b->parent_lane[k] % CN_LANES];
    return x;
}

#endif
