/* The passes over a block of joints of trees: its placement, then up and down. See trees.c. */
#ifndef CN_TREE_PASSES_H
#define CN_TREE_PASSES_H

#include "tree_rows.h"

#define DRAG_FACTOR 2.0f // factor: see find_drag()

/* Sets the drag of the joints. The force F of a joint resists the relative rotation of its bodies
 * like a spring. The stiffness of this spring is F times the lever arms (the geometric stiffness).
 * For example, a light link between heavy ones in a taut chain would oscillate by itself if
 * F (|rc| + |rp|) h^2 exceeded its inertia. The drag prevents that: an impulse -k w against the
 * relative angular velocity w, solved implicitly. The drag takes energy only from the relative
 * rotation, so a chain that swings as a whole loses none.
 *
 * For two equal light bodies of inertia I, the motion is stable with k >= F r h^2 / 2 - I / 2,
 * where r is one lever arm. With DRAG_FACTOR, k is at least eight times as much. ("Stable
 * Constrained Dynamics", Tournier et al. 2015, adds a similar term to the inertias.) */
CN_INLINE void find_drag(const cn_solver *s, tree_parts t, cn_row_type type) {
    tree_block *b = t.block;
    cn_vec2w l = cn_add2w(t.joint->l, cn_flip_sign2w(b->found, b->flip)); // of the last substep
    if (type == CN_ROW_AXES)
        l = (cn_vec2w){row_impulse(row_of(t, CN_JOINT_X), b->flip),
                       row_impulse(row_of(t, CN_JOINT_Y), b->flip)};
    cn_floatw arms = cn_sqrtw(cn_dot2w(b->rc, b->rc)) + cn_sqrtw(cn_dot2w(b->rp, b->rp));
    cn_floatw stiffness =
        cn_minw(s->constants.h * arms * cn_sqrtw(cn_dot2w(l, l)), cn_splatw(CN_LARGEST));
    cn_floatw excess = stiffness - cn_minw(b->inertia, b->parent_inertia);
    b->angle.drag = cn_keepw(b->parent_moves & (excess > 0), DRAG_FACTOR * excess);
    b->has_drag = (cn_mask_bitsw(b->angle.drag > 0) & b->used) != 0;
}

// Finds the masses of x and y: those with which they respond while the locked coordinates of the
// joint stay as they are. See find_masses() in model/joint_springs.c.
CN_INLINE void find_spring_masses(const joint_block *c, joint_rows *r, cn_floatw mm) {
    const cn_floatw *sa = r->sa, *sb = r->sb;
    cn_floatw least = cn_splatw(FLT_EPSILON), k[2], turn[2];
    cn_intw is_turn_locked = is_locked(&r->rows[CN_JOINT_ANGLE]);
    cn_floatw per_turn = cn_keepw(is_turn_locked, inverse_or_zero(c->ia + c->ib));
    for (int i = CN_JOINT_X; i <= CN_JOINT_Y; i++) {
        cn_floatw own = mm + c->ia * sa[i] * sa[i] + c->ib * sb[i] * sb[i];
        turn[i] = c->ia * sa[i] + c->ib * sb[i];
        k[i] = cn_maxw(own - turn[i] * turn[i] * per_turn, least * own);
    }
    cn_floatw both = c->ia * sa[0] * sa[1] + c->ib * sb[0] * sb[1] - turn[0] * turn[1] * per_turn;
    for (int i = CN_JOINT_X; i <= CN_JOINT_Y; i++) {
        cn_floatw other = cn_keepw(is_locked(&r->rows[1 - i]), inverse_or_zero(k[1 - i]));
        r->spring_mass[i] = inverse_or_zero(cn_maxw(k[i] - both * both * other, least * k[i]));
    }
}

// Returns the linear impulse on B in this substep of a block with axes.
CN_INLINE cn_vec2w impulse_along_axes(tree_parts t) {
    cn_intw flip = t.block->flip;
    return cn_rotatew(t.rows->axis, (cn_vec2w){row_impulse(row_of(t, CN_JOINT_X), flip),
                                               row_impulse(row_of(t, CN_JOINT_Y), flip)});
}

// The point P is anchor B, even if the anchors are apart. So the impulses on the two bodies act on
// one line, and the joint keeps angular momentum. With `turns`, axes turn between solve and relax:
// the load has the impulses of the solve along the axes before.
CN_INLINE void place_block(const cn_solver *s, tree_parts t, cn_row_type type, bool turns) {
    tree_block *b = t.block;
    joint_block *c = t.joint;
    if (type == CN_ROW_ROOT) return;
    cn_row4w da = cn_gather4w(&s->states->d, c->a), db = cn_gather4w(&s->states->d, c->b);
    if (type == CN_ROW_AXES && turns) c->sum = cn_add2w(c->sum, impulse_along_axes(t));
    move_joint(c, t.rows, da, db, type);
    if (type == CN_ROW_AXES && turns) c->sum = cn_sub2w(c->sum, impulse_along_axes(t));
    cn_vec2w at_a = cn_add2w(c->ra, c->c);
    cn_intw flip = b->flip < 0;
    b->rc = cn_select2w(flip, at_a, c->rb);
    b->rp = cn_select2w(flip, c->rb, at_a);
    find_drag(s, t, type);
    if (type == CN_ROW_POINT) return;
    b->angle.value = t.rows->angle;
    if (type == CN_ROW_AXES && t.rows->sprung) find_spring_masses(c, t.rows, da.w + db.w);
    for (int i = CN_JOINT_X; type == CN_ROW_AXES && i <= CN_JOINT_Y; i++)
        row_of(t, i)->value = cn_dot2w(c->c, axis_of_row(t.rows, i));
}

// Sets t of a locked point: the velocity that corrects the distance of its anchors.
CN_INLINE void aim_point(const cn_solver *s, tree_parts t, bool relax) {
    cn_floatw zero = cn_splatw(0);
    t.block->t = (cn_vec2w){zero, zero};
    if (relax) return;
    cn_floatw limit = correction_limit(s, t.block, CN_JOINT_X);
    cn_vec2w off = t.joint->c;
    cn_floatw rate = -s->constants.inverse_h * length_fraction_within(limit, off);
    t.block->t = cn_flip_sign2w(cn_scale2w(rate, off), t.block->flip);
}

// Begins to solve, relax or repeat a block. Returns the bits of the lanes for which D must be
// computed again.
CN_INLINE int begin_block(const cn_solver *s, tree_parts t, cn_row_type type, bool relax,
                          bool first) {
    tree_block *b = t.block;
    cn_row4w v = cn_gather4w(&s->states->v, b->child);
    b->before[0] = v.x, b->before[1] = v.y, b->before[2] = v.z;
    if (type == CN_ROW_ROOT) return 0;
    if (type != CN_ROW_AXES) {
        t.joint->l = first ? (cn_vec2w){cn_splatw(0), cn_splatw(0)}
                           : cn_add2w(t.joint->l, cn_flip_sign2w(b->found, b->flip));
        aim_point(s, t, relax);
    }
    if (type == CN_ROW_POINT) return 0;
    cn_intw stale = begin_row(s, t, CN_JOINT_ANGLE, relax, first);
    for (int i = CN_JOINT_X; type == CN_ROW_AXES && i <= CN_JOINT_Y; i++)
        stale |= begin_row(s, t, i, relax, first);
    return cn_mask_bitsw(stale) & b->used;
}

// Computes D and g of a block, and adds D to the inertias of the parents.
CN_INLINE void factor_block(const cn_solver *s, int k, cn_row_type type, bool leaves) {
    tree_parts t = parts_of(s, k);
    tree_block *b = t.block;
    const cn_vec2w rc = b->rc, rp = b->rp;
    cn_floatw zero = cn_splatw(0);
    // To P: the velocity of the centre is that of P minus w x r.
    cn_floatw *d = b->d, contacts = b->own_contacts;
    if (leaves) {
        d[CN_XX] = d[CN_YY] = b->mass, d[CN_XY] = zero;
        d[CN_XW] = b->mass * rc.y, d[CN_YW] = -(b->mass * rc.x);
        d[CN_WW] = b->inertia + d[CN_XW] * rc.y - d[CN_YW] * rc.x;
    } else {
        const cn_floatw *sums = s->tree.inertias[k].values;
        contacts += sums[CN_ELEMENTS];
        d[CN_XX] = b->mass + sums[CN_XX], d[CN_XY] = sums[CN_XY], d[CN_YY] = b->mass + sums[CN_YY];
        d[CN_XW] = sums[CN_XW] + d[CN_XX] * rc.y - sums[CN_XY] * rc.x;
        d[CN_YW] = sums[CN_YW] + sums[CN_XY] * rc.y - d[CN_YY] * rc.x;
        d[CN_WW] = b->inertia + sums[CN_WW] + (sums[CN_XW] + d[CN_XW]) * rc.y -
                   (sums[CN_YW] + d[CN_YW]) * rc.x;
    }
    b->contacts = contacts;
    const bool has_angle = type != CN_ROW_POINT || b->has_drag;
    if (!has_angle) eliminate_free_angle(d, &b->angle);
    if (type == CN_ROW_AXES) rotate_inertia(d, (cn_vec2w){t.rows->axis.x, -t.rows->axis.y});
    if (has_angle) eliminate(d, &b->angle, 2);
    if (type == CN_ROW_AXES || type == CN_ROW_ROOT) {
        eliminate(d, row_of(t, CN_JOINT_Y), 1);
        eliminate(d, row_of(t, CN_JOINT_X), 0);
    }
    if (type == CN_ROW_ROOT) return;
    cn_floatw up[INERTIAS];
    memcpy(up, d, sizeof b->d);
    if (type == CN_ROW_AXES) rotate_inertia(up, t.rows->axis);
    // To the centre of the parent.
    cn_floatw xw = up[CN_XW], yw = up[CN_YW];
    up[CN_XW] += up[CN_XY] * rp.x - up[CN_XX] * rp.y;
    up[CN_YW] += up[CN_YY] * rp.x - up[CN_XY] * rp.y;
    up[CN_WW] += (yw + up[CN_YW]) * rp.x - (xw + up[CN_XW]) * rp.y;
    up[CN_ELEMENTS] = contacts;
    add_to_parents(s->tree.inertias->values, INERTIAS, b, up);
}

// Writes t: the velocity of the child relative to the parent that the active rows want; 0 along the
// free rows.
CN_INLINE void find_targets(tree_parts t, cn_row_type type, cn_floatw v[3]) {
    tree_block *b = t.block;
    v[0] = b->t.x, v[1] = b->t.y, v[2] = cn_splatw(0);
    if (type != CN_ROW_POINT) v[2] = cn_keepw(b->angle.active, b->angle.target);
    if (type != CN_ROW_AXES && type != CN_ROW_ROOT) return;
    for (int i = CN_JOINT_X; i <= CN_JOINT_Y; i++) {
        const tree_row *row = row_of(t, i);
        v[i] = cn_keepw(row->active, row->target);
    }
}

// Eliminates the free rows of a block from the momenta of the children, and adds -e to the momenta
// of the parents. With `respond`, only the momenta in the sums act.
CN_INLINE void go_up(const cn_solver *s, int block, cn_row_type type, bool leaves, bool respond) {
    tree_parts t = parts_of(s, block);
    tree_block *b = t.block;
    const bool has_angle = type != CN_ROW_POINT || b->has_drag;
    const cn_floatw zero = cn_splatw(0);
    cn_floatw p[3] = {b->mass * b->before[0], b->mass * b->before[1], b->inertia * b->before[2]};
    if (respond) p[0] = p[1] = p[2] = cn_splatw(0);
    if (!leaves) {
        for (int i = 0; i < MOMENTA; i++) p[i] += s->tree.momenta[block].values[i];
    }
    p[2] += p[0] * b->rc.y - p[1] * b->rc.x; // about P
    if (!has_angle) { // what eliminate_momentum() does for `pass` 0, with the same signs of zeros
        b->angle.q0 = (p[2] + zero) * b->angle.inverse;
        p[0] -= b->angle.g[0] * b->angle.q0, p[1] -= b->angle.g[1] * b->angle.q0;
        p[2] = zero * p[2] - zero;
    }
    if (type == CN_ROW_AXES) {
        cn_vec2w turned = cn_unrotatew(t.rows->axis, (cn_vec2w){p[0], p[1]});
        p[0] = turned.x, p[1] = turned.y;
    }
    if (has_angle) eliminate_momentum(p, &b->angle, 2, respond);
    if (type == CN_ROW_AXES || type == CN_ROW_ROOT) {
        eliminate_momentum(p, row_of(t, CN_JOINT_Y), 1, respond);
        eliminate_momentum(p, row_of(t, CN_JOINT_X), 0, respond);
    }
    if (type == CN_ROW_ROOT) return;
    const cn_floatw *d = b->d;
    b->e[0] = -p[0], b->e[1] = -p[1], b->e[2] = -p[2];
    if (!respond) {
        cn_floatw v[3];
        find_targets(t, type, v);
        b->e[0] += d[CN_XX] * v[0] + d[CN_XY] * v[1];
        b->e[1] += d[CN_XY] * v[0] + d[CN_YY] * v[1];
        if (has_angle) {
            b->e[0] += d[CN_XW] * v[2], b->e[1] += d[CN_YW] * v[2];
            b->e[2] += d[CN_XW] * v[0] + d[CN_YW] * v[1] + d[CN_WW] * v[2];
        }
    }
    cn_vec2w e = {b->e[0], b->e[1]};
    if (type == CN_ROW_AXES) e = cn_rotatew(t.rows->axis, e);
    const cn_floatw up[MOMENTA] = {-e.x, -e.y, -(b->e[2] + cn_cross2w(b->rp, e))};
    add_to_parents(s->tree.momenta->values, MOMENTA, b, up);
}

CN_INLINE cn_row4w velocities_of_parents(const cn_solver *s, const tree_block *b) {
    if (b->parent_block < 0) return cn_gather4w(&s->states->v, b->parent);
    const cn_floatw *v = s->tree.blocks[b->parent_block].v;
    return (cn_row4w){v[0], v[1], v[2], v[2]};
}

// Finds the impulses of a block, and the velocities of the children from those of the parents.
// Returns the bits of the lanes in which a row changed its segment.
CN_INLINE int go_down(const cn_solver *s, tree_parts t, cn_row_type type, row_moves moves,
                      bool respond) {
    tree_block *b = t.block;
    const cn_floatw *d = b->d;
    const bool has_angle = type != CN_ROW_POINT || b->has_drag;
    cn_floatw v[3] = {cn_splatw(0), cn_splatw(0), cn_splatw(0)};
    if (type != CN_ROW_ROOT) {
        cn_row4w parent = velocities_of_parents(s, b);
        v[0] = parent.x - parent.z * b->rp.y, v[1] = parent.y + parent.z * b->rp.x, v[2] = parent.z;
        for (int i = 0; respond && i < 3; i++) v[i] = cn_keepw(b->parent_moves, v[i]);
    }
    if (type == CN_ROW_AXES) {
        cn_vec2w turned = cn_unrotatew(t.rows->axis, (cn_vec2w){v[0], v[1]});
        v[0] = turned.x, v[1] = turned.y;
    }
    if (type != CN_ROW_ROOT) {
        cn_floatw x = d[CN_XX] * v[0] + d[CN_XY] * v[1] + b->e[0],
                  y = d[CN_XY] * v[0] + d[CN_YY] * v[1] + b->e[1];
        if (has_angle) {
            x += d[CN_XW] * v[2], y += d[CN_YW] * v[2];
            b->angle.found = d[CN_XW] * v[0] + d[CN_YW] * v[1] + d[CN_WW] * v[2] + b->e[2];
        }
        if (type == CN_ROW_AXES)
            row_of(t, CN_JOINT_X)->found = x, row_of(t, CN_JOINT_Y)->found = y;
        else
            b->found = (cn_vec2w){x, y};
    }
    if (!respond) {
        cn_floatw target[3];
        find_targets(t, type, target);
        for (int i = 0; i < 3; i++) v[i] += target[i];
    }
    if (!has_angle) { // as in substitute(), with the same signs of zeros
        cn_floatw others = b->angle.g[0] * v[0] + b->angle.g[1] * v[1];
        v[2] = cn_splatw(0) * v[2] + (b->angle.q0 - b->angle.inverse * others);
    } else {
        if (type == CN_ROW_AXES || type == CN_ROW_ROOT) {
            substitute(v, row_of(t, CN_JOINT_X), 0);
            substitute(v, row_of(t, CN_JOINT_Y), 1);
        }
        substitute(v, &b->angle, 2);
    }
    if (type == CN_ROW_AXES) {
        cn_vec2w turned = cn_rotatew(t.rows->axis, (cn_vec2w){v[0], v[1]});
        v[0] = turned.x, v[1] = turned.y;
    }
    b->v[0] = v[0] + v[2] * b->rc.y, b->v[1] = v[1] - v[2] * b->rc.x;
    b->v[2] = respond ? v[2] : cn_selectw(b->rotation_locked, b->before[2], v[2]);
    cn_row4w child = {b->v[0], b->v[1], b->v[2], b->inverse_mass};
    cn_scatter_some4w(&s->states->v, b->child, child, b->used);
    return moves == MOVE_NONE ? 0 : move_rows(t, type, moves);
}

// True in the substeps after which another one follows. Only the last one solves the trees once
// more at its end, so store_tree_block() adds its impulses to the loads.
static inline bool has_next_substep(const cn_solver *s) {
    return s->now.substep + 1 < s->constants.substeps;
}

// Adds the impulse of the substep to the load of a block, after its last solve.
CN_INLINE void add_tree_load(const cn_solver *s, tree_parts t, cn_row_type type) {
    const tree_block *b = t.block;
    if (type == CN_ROW_ROOT) return;
    const cn_lane *lanes = &s->batch->tree_lanes.items[(b - s->tree.blocks) * CN_LANES];
    cn_vec2w p = cn_add2w(t.joint->l, cn_flip_sign2w(b->found, b->flip));
    cn_floatw turn = cn_splatw(0);
    if (type == CN_ROW_AXES) p = impulse_along_axes(t);
    if (type != CN_ROW_POINT) turn = impulse_without_drag(&b->angle, b->flip);
    add_to_load(s, coupled_lanes(s, lanes), t.joint, p, turn, type);
}

// The warm start of the next substep is the change of the velocity since `free`. It must leave out
// what the tree changed, because the next solve of the tree starts from zero.
CN_INLINE void finish_block(const cn_solver *s, tree_parts t, cn_row_type type, bool relax,
                            bool first) {
    tree_block *b = t.block;
    for (int i = 0; i < 3; i++) {
        cn_floatw change = b->v[i] - b->before[i];
        b->change[i] = first ? change : b->change[i] + change;
    }
    if (!relax || !has_next_substep(s)) return;
    cn_row4w free = cn_gather4w(&s->free->v, b->child);
    free.x += b->change[0], free.y += b->change[1], free.z += b->change[2];
    cn_scatter_some4w(&s->free->v, b->child, free, b->used);
    add_tree_load(s, t, type);
    keep_speeds(t, type);
}

// The same for a tree on which nothing else acts: it has no warm start.
CN_INLINE void finish_isolated_block(const cn_solver *s, tree_parts t, cn_row_type type) {
    const tree_block *b = t.block;
    cn_row4w v = {b->v[0], b->v[1], b->v[2], b->inverse_mass};
    cn_scatter_some4w(&s->free->v, b->child, v, b->used);
    add_tree_load(s, t, type);
    keep_speeds(t, type);
}

#endif
