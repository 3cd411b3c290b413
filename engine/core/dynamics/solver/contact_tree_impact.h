/* Impacts of bodies of trees of joints.
 *
 * An impact on a body of a tree changes the whole tree, so contacts of trees are solved one by one,
 * each with the velocities that those before it have left. They come after the other contacts in
 * each sweep. A sweep visits those that are marked when it begins (mark_contact()), in the order of
 * their slots, so that neither lanes nor workers affect the result. One worker does this.
 *
 * After each sweep trees that were hit are solved again (cn_settle_trees()) if the impacts may have
 * changed which limits and motors act. The friction of landings comes at the end, as for
 * other bodies.
 */
#ifndef CN_CONTACT_TREE_IMPACT_H
#define CN_CONTACT_TREE_IMPACT_H

#include "contact_impact.h"

// Returns the lanes of a block with contacts of trees that may have an impact in this sweep: they
// approach, or have had one in this substep.
static cn_intw lanes_to_visit(const cn_solver *s, int block, bool is_extended) {
    const contact_block *c = &s->blocks[block];
    const impact_row *i = &s->impacts.rows[block];
    cn_row4w a = cn_gather4w(&s->states->v, c->a), b = cn_gather4w(&s->states->v, c->b);
    normal_speeds v = speeds_of(c, a, b);
    cn_floatw zero = cn_splatw(0), vn = cn_selectw(c->nm2 > zero, cn_minw(v.v1, v.v2), v.v1);
    cn_floatw due = is_extended ? s->extensions[block].due : cn_splatw(-s->constants.impact_speed);
    cn_intw lanes = (c->nm1 > zero) & (vn < due);
    if (i->substep == s->now.substep) lanes |= (i->p1 + i->p2) > zero;
    return lanes & lanes_in_trees(s, c);
}

// Lists lanes of a block. Returns the number of all that are listed.
static int list_lanes(const cn_solver *s, int block, int color, int lanes, int count) {
    CN_EACH_LANE(k, lanes) {
        const cn_lane *contact = lanes_of(s, block + s->batch->joint_blocks) + k;
        s->tree.impacts[count++] = (tree_impact){contact->slot, block * CN_LANES + k, color};
    }
    return count;
}

// Returns the index of the cn_color of a block, from that of an earlier block.
static int color_of(const cn_solver *s, int block, int color) {
    while (s->batch->colors.items[color].end_block <= block + s->batch->joint_blocks) color++;
    return color;
}

static cn_intw only_lane(int k) {
    cn_intw lanes = {0};
    lanes[k] = -1;
    return lanes;
}

// Solves the impacts of trees in one sweep.
static void solve_tree_impacts(cn_solver *s) {
    uint64_t *marks = s->tree.due_lanes;
    int count = 0, color = 0;
    CN_EACH_BIT(block, s->tree.contact_blocks, count_blocks(s)) {
        color = color_of(s, block, color);
        int lane = block * CN_LANES, marked = (int)(marks[lane / 64] >> lane % 64) & CN_ALL_LANES;
        bool is_extended = s->batch->colors.items[color].row_type == CN_ROW_EXTENDED;
        if (marked) marked &= cn_mask_bitsw(lanes_to_visit(s, block, is_extended));
        count = list_lanes(s, block, color, marked, count);
    }
    memset(marks, 0, (size_t)(count_blocks(s) * CN_LANES / 64 + 1) * sizeof *marks);
    cn_sort_items(s->tree.impacts, count, sizeof(tree_impact));
    for (int i = 0; i < count; i++) {
        const tree_impact *t = &s->tree.impacts[i];
        int block = t->lane / CN_LANES, k = t->lane % CN_LANES;
        if (island_of(s, s->blocks[block].b[k])->impacts > CROWD)
            mark_contact(s, t->lane, true);
        else
            impact_block(s, &s->batch->colors.items[t->color], block, only_lane(k), true);
    }
}

// Ends the impacts of trees in a substep, and finds the separations of their contacts again: the
// bodies have been moved back.
static void end_tree_impacts(cn_solver *s) {
    int count = 0, color = 0;
    CN_EACH_BIT(block, s->tree.contact_blocks, count_blocks(s)) {
        const impact_row *row = &s->impacts.rows[block];
        if (row->substep != s->now.substep) continue;
        color = color_of(s, block, color);
        cn_intw lanes = row->in_trees & (row->p1 + row->p2 > cn_splatw(0));
        count = list_lanes(s, block, color, cn_mask_bitsw(lanes), count);
    }
    cn_sort_items(s->tree.impacts, count, sizeof(tree_impact));
    for (int i = 0; i < count; i++) {
        const tree_impact *t = &s->tree.impacts[i];
        end_block(s, &s->batch->colors.items[t->color], t->lane / CN_LANES,
                  only_lane(t->lane % CN_LANES), true);
    }
    color = 0;
    CN_EACH_BIT(block, s->tree.contact_blocks, count_blocks(s)) {
        color = color_of(s, block, color);
        contact_block *c = &s->blocks[block];
        update_separations(s, c, s->extensions ? &s->extensions[block] : NULL,
                           s->batch->colors.items[color].row_type,
                           keep_changed(s, c, lanes_in_trees(s, c)));
    }
}

#endif
