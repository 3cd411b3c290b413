/* The closures of a group of trees: joints that close cycles.
 *
 * Let v be the velocities of the bodies and C the Jacobian of the closures, so C v are the
 * velocities of their rows. Let T be the matrix from momenta that act on the bodies to the changes
 * of v that the trees allow. Impulses l of the closures then change C v by S l, with the Schur
 * complement S = C T C^T. Let u be the wanted C v. The solve has three parts (bordering):
 *
 *      solve the trees without closures, which gives v
 *      solve S l = u - C v
 *      solve the trees again, with the momenta C^T l added
 *
 * A column of S is the response of the trees to a unit impulse, so it costs a pass up and down.
 *
 * Closures have a small compliance, which is added to the diagonal of S. Without it, a bridge that
 * hangs almost straight between two anchors would get an almost unbounded tension.
 */
#ifndef CN_CLOSURES_H
#define CN_CLOSURES_H

#include "tree_group.h"

// A row of a closure that is active, or that is a spring.
typedef struct closure_row {
    int block, lane, row;
    cn_row_type type;
    int child, parent;               // lanes of the bodies; -1: static or kinematic
    float on_child[3], on_parent[3]; // the row of the Jacobian
    double target;                   // u
    double compliance;               // velocity per impulse, on the diagonal of S
    double impulse;
} closure_row;

typedef struct closure_system {
    int count, known_count;
    closure_row rows[CN_MAX_CLOSURE_ROWS];
    closure_row known_rows[CN_MAX_CLOSURE_ROWS];        // rows with a known impulse
    double s[CN_MAX_CLOSURE_ROWS][CN_MAX_CLOSURE_ROWS]; // S, then its factors
} closure_system;

static const tree_block *block_of_lane(const cn_solver *s, int lane) {
    return &s->tree.blocks[lane / CN_LANES];
}

static double velocity_of(const cn_solver *s, const float row[3], int lane) {
    if (lane < 0) return 0;
    const tree_block *b = block_of_lane(s, lane);
    int k = lane % CN_LANES;
    return (double)row[0] * (double)b->v[0][k] + (double)row[1] * (double)b->v[1][k] +
           (double)row[2] * (double)b->v[2][k];
}

// Returns whether the row is one of a locked point, which has no tree_row.
static bool is_point_row(int row, cn_row_type type) {
    return row != CN_JOINT_ANGLE && type != CN_ROW_AXES;
}

// Returns C v of a row, without the part of a static or kinematic parent.
static double closure_speed(const cn_solver *s, const closure_row *r) {
    return velocity_of(s, r->on_child, r->child) + velocity_of(s, r->on_parent, r->parent);
}

static void push_lane(const cn_solver *s, const float row[3], int lane, double impulse) {
    if (lane < 0) return;
    cn_floatw *sums = s->tree.momenta[lane / CN_LANES].values;
    for (int i = 0; i < MOMENTA; i++) sums[i][lane % CN_LANES] += (float)((double)row[i] * impulse);
}

static void push_closure(const cn_solver *s, const closure_row *r, double impulse) {
    push_lane(s, r->on_child, r->child, impulse);
    push_lane(s, r->on_parent, r->parent, impulse);
}

static float inverse_mass_along(const cn_solver *s, const float row[3], int lane) {
    if (lane < 0) return 0;
    const tree_block *b = block_of_lane(s, lane);
    int k = lane % CN_LANES;
    return (row[0] * row[0] + row[1] * row[1]) / b->mass[k] + row[2] * row[2] / b->inertia[k];
}

static closure_row make_closure_row(const cn_solver *s, int block, int lane, int row,
                                    cn_row_type type) {
    tree_parts t = parts_of(s, block);
    const tree_block *b = t.block;
    const cn_tree_link *link = &s->batch->tree_links.items[block * CN_LANES + lane];
    float x = 1, y = 0;
    if (type == CN_ROW_AXES) x = t.rows->axis.x[lane], y = t.rows->axis.y[lane];
    if (row == CN_JOINT_Y) {
        float turned = x;
        x = -y, y = turned;
    }
    if (row == CN_JOINT_ANGLE) x = y = 0;
    float turn = row == CN_JOINT_ANGLE;
    float wc = b->rc.x[lane] * y - b->rc.y[lane] * x + turn,
          wp = b->rp.x[lane] * y - b->rp.y[lane] * x + turn;
    return (closure_row){.block = block,
                         .lane = lane,
                         .row = row,
                         .type = type,
                         .child = link->child_lane,
                         .parent = link->parent_lane,
                         .on_child = {x, y, wc},
                         .on_parent = {-x, -y, -wp}};
}

// Returns the part of C v that a static or kinematic parent contributes.
static double parent_speed(const cn_solver *s, const closure_row *r) {
    if (r->parent >= 0) return 0;
    uint32_t at_parent = s->tree.blocks[r->block].parent[r->lane];
    cn_float4 v = ((const cn_state *)((const char *)s->states + at_parent))->v;
    return (double)(r->on_parent[0] * v[0] + r->on_parent[1] * v[1] + r->on_parent[2] * v[2]);
}

// Adds the rows of a closure to its system: active rows and springs. A spring or motor at its limit
// exerts a known impulse instead.
static void list_closure(const cn_solver *s, int block, int lane, cn_row_type type) {
    tree_parts t = parts_of(s, block);
    const cn_tree_link *link = &s->batch->tree_links.items[block * CN_LANES + lane];
    closure_system *system = &s->tree.closures[link->system];
    for (int i = CN_JOINT_X; i <= (type == CN_ROW_POINT ? CN_JOINT_Y : CN_JOINT_ANGLE); i++) {
        closure_row r = make_closure_row(s, block, lane, i, type);
        if (is_point_row(i, type)) {
            r.target = (double)(i == CN_JOINT_X ? t.block->t.x : t.block->t.y)[lane];
        } else {
            tree_row *row = row_of(t, i);
            double push = (double)row->push[lane];
            double damping = (double)(row->damping[lane] + row->drag[lane]);
            row->found[lane] = row->push[lane];
            if (row->active[lane]) {
                r.target = (double)row->target[lane];
            } else if (damping > 0) {
                r.target = push / damping, r.compliance = 1 / damping;
            } else {
                r.impulse = push;
                if (push != 0) system->known_rows[system->known_count++] = r;
                continue;
            }
        }
        float inverse_mass = inverse_mass_along(s, r.on_child, r.child) +
                             inverse_mass_along(s, r.on_parent, r.parent);
        r.compliance += s->constants.closure_compliance * (double)inverse_mass;
        assert(system->count < CN_MAX_CLOSURE_ROWS);
        system->rows[system->count++] = r;
    }
}

static void list_closures(const cn_solver *s, group_range g) {
    for (int i = 0; i < g.systems; i++)
        s->tree.closures[g.first_system + i].count =
            s->tree.closures[g.first_system + i].known_count = 0;
    EACH_CLOSURE(run, g) {
        for (int k = run->first_block; k < run->end_block; k++) {
            CN_EACH_LANE(lane, s->tree.blocks[k].used) list_closure(s, k, lane, run->row_type);
        }
    }
}

// Finds S, one column in all systems at a time.
static void find_columns(const cn_solver *s, group_range g) {
    closure_system *systems = s->tree.closures + g.first_system;
    int most = 0;
    for (int i = 0; i < g.systems; i++) most = cn_max_int(most, systems[i].count);
    for (int column = 0; column < most; column++) {
        clear_sums(s, g, false);
        for (int i = 0; i < g.systems; i++)
            if (column < systems[i].count) push_closure(s, &systems[i].rows[column], 1);
        find_response(s, g);
        for (int i = 0; i < g.systems; i++)
            for (int row = 0; column < systems[i].count && row < systems[i].count; row++)
                systems[i].s[row][column] = closure_speed(s, &systems[i].rows[row]);
    }
}

// Writes the factors of S = L D L^T, with a diagonal D: L D below the diagonal, and the inverse of
// D on it. The compliance of the rows makes D positive.
static void factor_closures(closure_system *c) {
    for (int j = 0; j < c->count; j++)
        for (int i = j; i < c->count; i++) {
            double x = c->s[i][j] + (i == j ? c->rows[i].compliance : 0);
            for (int k = 0; k < j; k++) x -= c->s[i][k] * c->s[j][k] * c->s[k][k];
            c->s[i][j] = i > j ? x : x > 0 ? 1 / x : 0;
        }
}

// Solves for the impulses, from the velocities that the trees have without them.
static void solve_closures(const cn_solver *s, closure_system *c) {
    double x[CN_MAX_CLOSURE_ROWS];
    for (int i = 0; i < c->count; i++) {
        const closure_row *r = &c->rows[i];
        x[i] = r->target - closure_speed(s, r) - parent_speed(s, r);
        for (int k = 0; k < i; k++) x[i] -= c->s[i][k] * c->s[k][k] * x[k];
    }
    for (int i = c->count - 1; i >= 0; i--) {
        for (int k = i + 1; k < c->count; k++) x[i] -= c->s[k][i] * c->rows[k].impulse;
        c->rows[i].impulse = x[i] *= c->s[i][i];
    }
}

static void store_closures(const cn_solver *s, const closure_system *c) {
    for (int i = 0; i < c->count; i++) {
        const closure_row *r = &c->rows[i];
        tree_block *b = &s->tree.blocks[r->block];
        cn_floatw *found = r->row == CN_JOINT_X ? &b->found.x : &b->found.y;
        if (!is_point_row(r->row, r->type)) found = &row_of(parts_of(s, r->block), r->row)->found;
        (*found)[r->lane] = (float)r->impulse;
    }
}

// Finds the velocities of the rows of a closure, for its limits, motors and springs.
static void find_closure_speeds(const cn_solver *s, int block, int lane, cn_row_type type) {
    for (int i = type == CN_ROW_AXES ? CN_JOINT_X : CN_JOINT_ANGLE; i <= CN_JOINT_ANGLE; i++) {
        closure_row r = make_closure_row(s, block, lane, i, type);
        tree_row *row = row_of(parts_of(s, block), i);
        float u = (float)(closure_speed(s, &r) + parent_speed(s, &r));
        row->q[lane] = row->active[lane] ? row->target[lane] : u;
    }
}

// Finds the velocities of the closures. Moves their rows to other segments, and returns the bits of
// the lanes in which one moved.
static int finish_closures(const cn_solver *s, group_range g, row_moves moves) {
    int moved = 0;
    EACH_CLOSURE(run, g) {
        if (run->row_type == CN_ROW_POINT) continue;
        for (int k = run->first_block; k < run->end_block; k++) {
            CN_EACH_LANE(lane, s->tree.blocks[k].used) {
                find_closure_speeds(s, k, lane, run->row_type);
            }
        }
        if (moves != MOVE_NONE) FOR_RUN(run, moved |= move_rows(parts_of(s, k), type, moves))
    }
    return moved;
}

// Sets the momenta in the sums to the impulses of the closures: the known ones, and with `all` also
// those of the solved rows.
static void push_closures(const cn_solver *s, group_range g, bool all) {
    clear_sums(s, g, false);
    for (int i = 0; i < g.systems; i++) {
        const closure_system *c = &s->tree.closures[g.first_system + i];
        for (int k = 0; k < c->known_count; k++)
            push_closure(s, &c->known_rows[k], c->known_rows[k].impulse);
        for (int k = 0; all && k < c->count; k++) push_closure(s, &c->rows[k], c->rows[k].impulse);
    }
}

// Finds the impulses of the closures, and puts them into the sums.
static void close_cycles(const cn_solver *s, group_range g) {
    closure_system *systems = s->tree.closures + g.first_system;
    list_closures(s, g);
    find_columns(s, g);
    for (int i = 0; i < g.systems; i++) factor_closures(&systems[i]);
    push_closures(s, g, false);
    up_group(s, g);
    down_group(s, g, MOVE_NONE);
    for (int i = 0; i < g.systems; i++) {
        solve_closures(s, &systems[i]);
        store_closures(s, &systems[i]);
    }
    push_closures(s, g, true);
}

// ---- solves

// Greatest number of solves to find the active rows. From half of them on, active rows stay active.
// The result of the last solve is final.
enum { MAX_ROUNDS = 8 };

// Solves the trees and closures of a group with the present active rows. Moves rows to other
// segments, and returns the bits of the lanes in which one moved.
static int solve_once(const cn_solver *s, group_range g, row_moves moves) {
    if (!s->tree.factored[g.index]) factor_group(s, g);
    if (g.systems)
        close_cycles(s, g);
    else
        clear_sums(s, g, false);
    up_group(s, g);
    int moved = down_group(s, g, moves);
    if (g.systems) moved |= finish_closures(s, g, moves);
    return moved;
}

// Solves the trees and closures of a group: finds the active rows, and the velocities.
static void find_velocities(const cn_solver *s, group_range g) {
    for (int round = 1;; round++) {
        row_moves moves = round == MAX_ROUNDS      ? MOVE_NONE
                          : round < MAX_ROUNDS / 2 ? MOVE_ALL
                                                   : MOVE_FREE;
        if (!solve_once(s, g, moves)) break;
        s->tree.factored[g.index] = false;
    }
}

#endif
