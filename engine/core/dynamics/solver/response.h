/* How the bodies of a tree respond to contacts in the solve and relax. (Impacts move the tree
 * itself: impact_trees.h.)
 *
 * A contact that pushes one body of a tree moves the whole tree. But contacts are solved body by
 * body, after the trees. Suppose that the wheel of a heavy truck touches the road. With the mass of
 * the wheel alone, the contact would find only the impulse that stops the wheel, and the truck
 * would sink into the road.
 *
 * Let W be the response of a body: an impulse p on the body changes its velocity by W p. W follows
 * from the response of the parent. In the letters of trees.c, at the point P:
 *
 *      W = K W_parent K^T + the sum of n f f^T / (f.g)     over the free rows
 *      K = the product of 1 - f g^T / (f.g)
 *
 * n is 1 if only one body of the tree has contacts. The contacts of several bodies do not see each
 * other until the tree is solved again, so with n = 1 all together would push too much. So n is the
 * number of bodies with contacts that the free row moves, and each of them gets one n-th of the
 * mass. (This is mass splitting: R. Tonge et al., 2012.)
 *
 * Limits, limited motors and springs may give way within the step, so their rows count as free.
 * Closures are left out. So W is an upper bound of the true response. The response of the body
 * alone is another upper bound. Contacts take the smaller one. If the bodies of a tree take
 * different bounds, together they may push up to twice too much, which still converges.
 *
 * Contacts act on a body with a mass, an inertia and a centre. The centre need not be the centre of
 * mass. With W = [T q; q^T s] about the centre of mass, they are
 *
 *      inverse inertia  s
 *      centre           q / s, turned counter-clockwise by a right angle
 *      inverse mass     the greatest eigenvalue of T - q q^T / s
 *
 * For example, contacts see a board on a static hinge as a body whose centre is the hinge, and
 * whose mass is 1 / MIN_RESPONSE times that of the board. response.c applies the responses.
 */
#ifndef CN_RESPONSE_H
#define CN_RESPONSE_H

#include "closures.h"

#include <math.h>

// A response is at least this fraction of that of the body alone. A smaller one would be lost in
// rounding, because response.c finds the impulse from the change of the velocity.
#define MIN_RESPONSE 1e-3f

// Changes W by a free row i: W = K W K^T + n f f^T / (f.g).
CN_INLINE void release_row(cn_floatw w[CN_ELEMENTS], const tree_row *row, int i, cn_floatw n) {
    cn_floatw k[3], square = cn_splatw(0); // W g / (f.g), and g.W g / (f.g)^2
    for (int j = 0; j < 3; j++) {
        cn_floatw wg = row->g[0] * w[at[0][j]] + row->g[1] * w[at[1][j]] + row->g[2] * w[at[2][j]];
        k[j] = row->inverse * wg;
        square += row->inverse * row->g[j] * k[j];
    }
    for (int j = 0; j < 3; j++) w[at[i][j]] -= k[j];
    w[at[i][i]] += square - k[i] + n * row->inverse;
}

// Moves W to a point r away from where it was taken.
CN_INLINE void move_response(cn_floatw w[CN_ELEMENTS], cn_vec2w r) {
    cn_floatw xw = w[CN_XW] - r.y * w[CN_WW], yw = w[CN_YW] + r.x * w[CN_WW];
    w[CN_XX] -= r.y * (w[CN_XW] + xw);
    w[CN_YY] += r.x * (w[CN_YW] + yw);
    w[CN_XY] += r.x * w[CN_XW] - r.y * yw;
    w[CN_XW] = xw, w[CN_YW] = yw;
}

// Finds W of the children of a block, about their centres of mass. The sums of the inertias are no
// longer needed, so W takes their place.
CN_INLINE void respond_block(const cn_solver *s, int block, cn_row_type type) {
    tree_parts t = parts_of(s, block);
    tree_block *b = t.block;
    cn_floatw w[CN_ELEMENTS];
    for (int i = 0; i < CN_ELEMENTS; i++)
        w[i] = cn_keepw(b->parent_moves, read_parents(s->tree.inertias->values, INERTIAS, b, i));
    move_response(w, b->rp);
    if (type == CN_ROW_AXES) rotate_inertia(w, (cn_vec2w){t.rows->axis.x, -t.rows->axis.y});
    if (type == CN_ROW_AXES || type == CN_ROW_ROOT) {
        release_row(w, row_of(t, CN_JOINT_X), 0, b->contacts);
        release_row(w, row_of(t, CN_JOINT_Y), 1, b->contacts);
    }
    release_row(w, &b->angle, 2, b->contacts);
    if (type == CN_ROW_AXES) rotate_inertia(w, t.rows->axis);
    move_response(w, (cn_vec2w){-b->rc.x, -b->rc.y});
    memcpy(s->tree.inertias[block].values, w, sizeof w);
}

// Returns whether the body of a lane has contacts, and only contacts and joints of trees change its
// velocity. Motion locks and speed limits would change it, too.
static bool has_only_contacts(const cn_solver *s, int lane) {
    const tree_block *b = block_of_lane(s, lane);
    int k = lane % CN_LANES, body = s->batch->bodies.items[b->child[k] / sizeof(cn_state) - 1];
    return b->used >> k & 1 && s->batch->tree_links.items[lane].flags & CN_LINK_ONLY_CONTACTS &&
           !(s->sim->hot[body].flags & CN_BODY_CLAMPED) && b->inverse_mass[k] > 0 &&
           !b->rotation_locked[k];
}

// Prepares a block for the responses. Marks the children that may have one, and sets the rows: only
// locks and unlimited motors are active.
static void release_block(const cn_solver *s, int block, cn_row_type type) {
    tree_parts t = parts_of(s, block);
    for (int k = 0; k < CN_LANES; k++)
        t.block->own_contacts[k] = has_only_contacts(s, block * CN_LANES + k);
    if (type == CN_ROW_POINT || type == CN_ROW_ROOT) return;
    for (int i = type == CN_ROW_AXES ? CN_JOINT_X : CN_JOINT_ANGLE; i <= CN_JOINT_ANGLE; i++) {
        const joint_row *r = &t.rows->rows[i];
        row_of(t, i)->active = ~((r->lower < r->upper) & (r->motor_limit < FLT_MAX));
        row_of(t, i)->damping = cn_splatw(0);
    }
}

// Returns the response of the body of a lane, from its W.
static cn_response response_of(const cn_solver *s, int lane) {
    const tree_block *b = block_of_lane(s, lane);
    const cn_floatw *w = s->tree.inertias[lane / CN_LANES].values;
    int k = lane % CN_LANES;
    float mass = b->mass[k], inertia = b->inertia[k];
    float i = cn_max(w[CN_WW][k], MIN_RESPONSE / inertia), qx = w[CN_XW][k], qy = w[CN_YW][k];
    float xx = w[CN_XX][k] - qx * qx / i, xy = w[CN_XY][k] - qx * qy / i;
    float yy = w[CN_YY][k] - qy * qy / i;
    float half = (xx - yy) / 2, greatest = (xx + yy) / 2 + sqrtf(half * half + xy * xy);
    return (cn_response){.state = (int)(b->child[k] / sizeof(cn_state)),
                         .centre = cn_vec(-qy / i, qx / i),
                         .inverse_mass = cn_max(greatest, MIN_RESPONSE / mass),
                         .inverse_inertia = i,
                         .own_inverse_mass = 1 / mass,
                         .own_inverse_inertia = 1 / inertia};
}

// Returns whether a response is smaller than that of the body alone. The size of a response is the
// sum over x, y and angle, each relative to the body alone. So the size of the latter is 3.
static bool is_smaller(const cn_response *r) {
    float mass = 1 / r->own_inverse_mass, turn = r->inverse_inertia / r->own_inverse_inertia;
    float around = glms_vec2_norm2(r->centre) * r->inverse_inertia;
    return mass * (2 * r->inverse_mass + around) + turn < 3;
}

static void list_responses(const cn_solver *s, group_range g) {
    int first = g.first_block * CN_LANES, end = g.end_block * CN_LANES;
    for (int lane = first; lane < end; lane++) {
        if (!has_only_contacts(s, lane)) continue;
        cn_response r = response_of(s, lane);
        if (!is_smaller(&r)) continue;
        s->tree.responses[first + s->tree.response_counts[g.index]++] = r;
        s->states[r.state].v[3] = r.inverse_mass;
        s->free[r.state].v[3] = r.inverse_inertia;
        s->tree.centres[r.state].v = (cn_float4){r.centre.x, r.centre.y, 0, 0};
        cn_store_relaxed(&s->batch->any_response, true);
    }
}

// Finds the responses of the bodies of a group at the start of the step. They stay the same
// throughout the step.
static __attribute__((noinline)) void find_contact_responses(const cn_solver *s, group_range g) {
    s->tree.response_counts[g.index] = 0;
    if (s->batch->tree_groups.items[g.index].isolated) return;
    EACH_RUN(run, g) FOR_BLOCKS(run, release_block(s, k, type));
    factor_group(s, g);
    EACH_RUN_BACK(run, g) FOR_BLOCKS(run, respond_block(s, k, type));
    s->tree.factored[g.index] = false;
    list_responses(s, g);
}

#endif
