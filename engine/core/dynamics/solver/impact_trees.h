/* Trees of joints during the impacts of a substep.
 *
 * An impact on one body of a tree moves the whole tree, and at once: the next impact meets bodies
 * that move as their joints let them. So during the impacts the velocities of a tree satisfy its
 * joints:
 *
 *      begin    solves the trees of all islands that have impacts
 *      respond  finds how a body, or both bodies of a contact, change by impulses on them
 *      push     applies an impulse to a body, and changes the velocities of the whole tree
 *      settle   after each sweep, solves those trees again that were pushed and have rows that
 *               may give way or begin to act, or closures: a push leaves these out. A push of any
 *               other tree is exact.
 *      end      sets the velocities from which the next solve begins
 *
 * Beside its velocity v, each body has the velocity `alone`, which it would have without joints in
 * this substep. An impulse p on the body changes `alone` by p / m. All solves begin with `alone`.
 * So the last one finds all impulses of the joints in this substep.
 *
 * A push is a solve of the tree for one impulse, with the factors of the last solve (trees.c): up
 * from the body to the root, then down to all bodies. Limits and limited motors may give way, so
 * their rows are free in these factors: a body that is pushed into a limit stops there when the
 * tree is settled, and is hit again in the next sweep. If they held, a light plank at its limit
 * would stop a heavy box like a wall, and be thrown by that impulse when it leaves the limit.
 * Respond goes down to the body only, unless the tree has both bodies. All is done lane by lane,
 * because few bodies of a batch are hit at a time.
 */
#ifndef CN_IMPACT_TREES_H
#define CN_IMPACT_TREES_H

#include "response.h"

// ---- one joint

// Eliminates a row of a lane from the momentum p.
static void eliminate_in_lane(tree_row *row, int i, int k, float pass, bool add, float p[3]) {
    float q0 = p[i] * row->inverse[k];
    for (int j = 0; j < 3; j++)
        if (j != i) p[j] -= row->g[j][k] * q0;
    p[i] *= pass;
    row->q0[k] = add ? row->q0[k] + q0 : q0;
}

// Adds the velocity of a row of a lane to v. `pushed`: momentum has passed the row.
static void substitute_in_lane(const tree_row *row, int i, int k, float pass, bool pushed,
                               float v[3]) {
    const int j = i == 0 ? 1 : 0, m = i == 2 ? 1 : 2;
    float others = row->g[j][k] * v[j] + row->g[m][k] * v[m];
    v[i] = pass * v[i] + ((pushed ? row->q0[k] : 0) - row->inverse[k] * others);
}

// Rotates x and y by the axis of the joint of a lane, or back.
static void turn_in_lane(const joint_rows *rows, int k, bool back, float v[3]) {
    vec2s axis = cn_vec(rows->axis.x[k], rows->axis.y[k]), turned = cn_vec(v[0], v[1]);
    turned = back ? cn_unrotate((cn_rotation){axis.x, axis.y}, turned)
                  : cn_rotate((cn_rotation){axis.x, axis.y}, turned);
    v[0] = turned.x, v[1] = turned.y;
}

// What a joint without a row for its angle passes on of a torque: see go_up().
static float angle_pass(const tree_block *b, int k) {
    bool has_angle = b->row_type != CN_ROW_POINT || b->has_drag;
    return has_angle ? b->angle.pass[k] : 0;
}

// Changes a momentum at the centre of the child to what the joint passes on to the centre of the
// parent.
static void climb(const cn_solver *s, int lane, bool add, float p[3]) {
    tree_parts t = parts_of(s, lane / CN_LANES);
    tree_block *b = t.block;
    const int k = lane % CN_LANES;
    const cn_row_type type = b->row_type;
    p[2] += p[0] * b->rc.y[k] - p[1] * b->rc.x[k];
    if (type == CN_ROW_AXES) turn_in_lane(t.rows, k, true, p);
    eliminate_in_lane(&b->angle, CN_JOINT_ANGLE, k, angle_pass(b, k), add, p);
    for (int i = CN_JOINT_Y; (type == CN_ROW_AXES || type == CN_ROW_ROOT) && i >= CN_JOINT_X; i--)
        eliminate_in_lane(row_of(t, i), i, k, row_of(t, i)->pass[k], add, p);
    if (type == CN_ROW_AXES) turn_in_lane(t.rows, k, false, p);
    p[2] += b->rp.x[k] * p[1] - b->rp.y[k] * p[0];
}

// Finds the change of the velocity of the child of a lane, from that of its parent.
static void descend(const cn_solver *s, int lane) {
    tree_parts t = parts_of(s, lane / CN_LANES);
    tree_block *b = t.block;
    const int k = lane % CN_LANES, above = b->parent_lane[k];
    const cn_row_type type = b->row_type;
    cn_tree_body *body = &s->tree.bodies[lane];
    float v[3] = {0, 0, 0};
    if (above != lane) {
        const cn_floatw *parent = s->tree.blocks[above / CN_LANES].v;
        for (int i = 0; i < 3; i++) v[i] = parent[i][above % CN_LANES];
        v[0] -= v[2] * b->rp.y[k], v[1] += v[2] * b->rp.x[k];
    }
    if (type == CN_ROW_AXES) turn_in_lane(t.rows, k, true, v);
    for (int i = CN_JOINT_X; (type == CN_ROW_AXES || type == CN_ROW_ROOT) && i <= CN_JOINT_Y; i++)
        substitute_in_lane(row_of(t, i), i, k, row_of(t, i)->pass[k], body->on_path, v);
    substitute_in_lane(&b->angle, CN_JOINT_ANGLE, k, angle_pass(b, k), body->on_path, v);
    if (type == CN_ROW_AXES) turn_in_lane(t.rows, k, false, v);
    b->v[0][k] = v[0] + v[2] * b->rc.y[k], b->v[1][k] = v[1] - v[2] * b->rc.x[k];
    b->v[2][k] = b->rotation_locked[k] ? 0 : v[2];
    body->on_path = false;
}

// ---- one tree

static int lane_in_tree(const cn_solver *s, int state) {
    return s->tree.numbers[state] > 0 ? s->tree.lanes[state] : -1;
}

static vec2s centre_of(const cn_solver *s, int state) {
    if (!s->tree.centres) return cn_vec(0, 0);
    return cn_vec(s->tree.centres[state].v[0], s->tree.centres[state].v[1]);
}

// Takes an impulse on the body of a lane up to the root. Returns the lane of the root. `torque` is
// that about the centre of mass.
static int climb_to_root(const cn_solver *s, int lane, cn_float4 impulse, float torque) {
    float p[3] = {impulse[0], impulse[1], torque};
    for (int path = -1;;) {
        cn_tree_body *body = &s->tree.bodies[lane];
        climb(s, lane, body->on_path, p);
        body->on_path = true, body->path = path;
        int above = block_of_lane(s, lane)->parent_lane[lane % CN_LANES];
        if (above == lane) return lane;
        path = lane, lane = above;
    }
}

static float torque_about_mass(const cn_solver *s, int state, cn_float4 impulse) {
    vec2s r = centre_of(s, state);
    return impulse[2] + (r.x * impulse[1] - r.y * impulse[0]);
}

static void descend_to_all(const cn_solver *s, int root) {
    for (int lane = root; lane >= 0; lane = s->tree.bodies[lane].next) descend(s, lane);
}

// Returns the change of the velocity of the body of a lane, at the centre of its response.
static cn_float4 change_of(const cn_solver *s, int lane) {
    const cn_floatw *v = block_of_lane(s, lane)->v;
    const int k = lane % CN_LANES;
    cn_float4 change = {v[0][k], v[1][k], v[2][k], 0};
    return cn_move_velocity(change, centre_of(s, s->tree.bodies[lane].state));
}

static cn_float4 respond(const cn_solver *s, int state, cn_float4 impulse) {
    int lane = lane_in_tree(s, state);
    if (lane < 0) return (cn_float4){0};
    int down = climb_to_root(s, lane, impulse, torque_about_mass(s, state, impulse));
    for (; down >= 0; down = s->tree.bodies[down].path) descend(s, down);
    return change_of(s, lane);
}

cn_pair_change CN_WIDE(cn_respond)(const cn_solver *s, int a, int b, cn_pair_change p) {
    if (s->tree.numbers[a] <= 0 || s->tree.numbers[a] != s->tree.numbers[b])
        return (cn_pair_change){respond(s, a, p.a), respond(s, b, p.b)};
    int lane_a = s->tree.lanes[a], lane_b = s->tree.lanes[b];
    climb_to_root(s, lane_a, p.a, torque_about_mass(s, a, p.a));
    descend_to_all(s, climb_to_root(s, lane_b, p.b, torque_about_mass(s, b, p.b)));
    return (cn_pair_change){change_of(s, lane_a), change_of(s, lane_b)};
}

// Changes the velocity of a body by a push of its tree, and moves it back.
static void move_body(const cn_solver *s, int lane, float time, bool lands) {
    int state = s->tree.bodies[lane].state;
    cn_impact_body *body = &s->impacts.bodies[state];
    cn_float4 change = change_of(s, lane);
    if (body->substep != s->now.substep) {
        body->substep = (int8_t)s->now.substep;
        body->before[3] = time;
    }
    s->states[state].v += change;
    s->states[state].d -= change * (lands ? body->before[3] : time);
}

// Lists a tree among those of its group that must be settled.
static void list_pushed(const cn_solver *s, int root) {
    cn_tree_body *body = &s->tree.bodies[root];
    if (body->pushed) return;
    body->pushed = true;
    body->next_pushed = s->tree.groups[body->group].first_pushed;
    s->tree.groups[body->group].first_pushed = root;
}

void CN_WIDE(cn_push_tree)(const cn_solver *s, int state, cn_float4 impulse, bool lands) {
    int lane = s->tree.lanes[state], k = lane % CN_LANES;
    const tree_block *b = block_of_lane(s, lane);
    float torque = torque_about_mass(s, state, impulse);
    cn_float4 change = {impulse[0] / b->mass[k], impulse[1] / b->mass[k],
                        b->rotation_locked[k] ? 0 : torque / b->inertia[k], 0};
    s->tree.alone[state] += change;
    s->free[state].v += change; // the warm start does not repeat it
    int root = climb_to_root(s, lane, impulse, torque);
    for (int down = root; down >= 0; down = s->tree.bodies[down].next) {
        descend(s, down);
        move_body(s, down, impulse[3], lands);
    }
    if (s->tree.bodies[root].yields) list_pushed(s, root);
}

// ---- groups

// Lists the bodies of the trees of a group, each after its parent. A parent has a later block than
// its children. The number of a tree is the lane of its root plus 1.
static void list_bodies(const cn_solver *s, group_range g) {
    for (int block = g.end_block - 1; block >= g.first_block; block--) {
        const tree_block *b = &s->tree.blocks[block];
        CN_EACH_LANE(k, b->used) {
            int lane = block * CN_LANES + k, state = (int)(b->child[k] / sizeof(cn_state));
            int root = s->tree.numbers[state] - 1;
            s->tree.lanes[state] = lane;
            s->tree.bodies[lane] = (cn_tree_body){.state = state, .group = g.index, .next = -1};
            // Until all are listed, `path` of the root is the last one of its tree.
            if (lane != root) s->tree.bodies[s->tree.bodies[root].path].next = lane;
            s->tree.bodies[root].path = lane;
        }
    }
    s->tree.groups[g.index].listed = true;
}

// Returns the end of the blocks of a group, with those of its closures.
static int end_of_closures(const group_range *g) { return g->end_closures[-1].end_block; }

// Returns whether an island has impacts in this substep.
static bool is_due(const cn_solver *s, int state) {
    return s->impacts.bodies[s->impacts.bodies[state].first].due == s->now.substep;
}

// Lets only the rows of trees that are due move to other segments. Those of the others must not
// depend on which islands are in the batch.
static void mark_due_lanes(const cn_solver *s, group_range g) {
    for (int block = g.first_block; block < end_of_closures(&g); block++) {
        tree_block *b = &s->tree.blocks[block];
        b->may_move = cn_splat_intw(0);
        CN_EACH_LANE(k, b->used) {
            b->may_move[k] = is_due(s, (int)(b->child[k] / sizeof(cn_state))) ? -1 : 0;
        }
    }
}

static void mark_all_lanes(const cn_solver *s, group_range g, int mask) {
    for (int k = g.first_block; k < end_of_closures(&g); k++)
        s->tree.blocks[k].may_move = cn_splat_intw(mask);
}

static bool has_due(const cn_solver *s, group_range g) {
    bool any = false;
    for (int block = g.first_block; block < g.end_block && !any; block++) {
        const tree_block *b = &s->tree.blocks[block];
        CN_EACH_LANE(k, b->used) any |= is_due(s, (int)(b->child[k] / sizeof(cn_state)));
    }
    return any;
}

// Solves a group from the velocities `alone`. The velocities satisfy the joints then.
static void solve_for_impacts(const cn_solver *s, group_range g) {
    begin_group(s, g);
    find_velocities(s, g);
}

// Runs a statement for the state of each body of a group.
#define EACH_STATE(state, group)                                                                   \
    for (int lane_ = (group).first_block * CN_LANES, state;                                        \
         (state = next_state(s, &lane_, (group).end_block * CN_LANES)) > 0; lane_++)

// Returns the state of the first used lane from *lane on, or 0 if there is none before `end`.
static int next_state(const cn_solver *s, int *lane, int end) {
    while (*lane < end && !(block_of_lane(s, *lane)->used >> *lane % CN_LANES & 1)) ++*lane;
    return *lane < end ? s->tree.bodies[*lane].state : 0;
}

// Finds how forces and joints together change the velocities in this substep, while the same rows
// are active. Bounces need it.
static void find_changes(const cn_solver *s, group_range g) {
    cn_float4 rate = (cn_float4){0} + 2 * s->constants.inverse_h;
    rate[3] = 0;
    EACH_STATE(i, g) {
        s->tree.before[i] = s->states[i].v;
        s->states[i].v = s->tree.alone[i] - rate * s->free[i].d;
    }
    begin_group(s, g);
    solve_once(s, g, MOVE_NONE);
    EACH_STATE(i, g) {
        cn_float4 change = s->tree.before[i] - s->states[i].v;
        s->tree.changes[i] = cn_move_velocity(change, centre_of(s, i));
        s->states[i].v = s->tree.before[i];
    }
}

// Frees the rows of a block that may give way. Returns the bits of the lanes in which one was
// active.
static int release_rows(tree_parts t, cn_row_type type) {
    cn_intw released = cn_splat_intw(0);
    if (type == CN_ROW_POINT || type == CN_ROW_ROOT) return 0;
    for (int i = type == CN_ROW_AXES ? CN_JOINT_X : CN_JOINT_ANGLE; i <= CN_JOINT_ANGLE; i++) {
        const joint_row *r = &t.rows->rows[i];
        cn_intw yields = (r->lower < r->upper) & (r->motor_limit < FLT_MAX);
        released |= row_of(t, i)->active & yields;
        row_of(t, i)->active &= ~yields;
    }
    return cn_mask_bitsw(released) & t.block->used;
}

// Factors a group for pushes, after it has been solved.
static void release_group(const cn_solver *s, group_range g) {
    int released = 0;
    EACH_RUN(run, g) {
        for (int k = run->first_block; k < run->end_block; k++)
            released |= release_rows(parts_of(s, k), run->row_type);
    }
    if (released) factor_group(s, g);
    if (released) s->tree.factored[g.index] = false; // for the next solve
}

// ---- which trees must be settled

// Marks the trees of the bodies of some lanes.
static void mark_yielding(const cn_solver *s, const uint32_t *states, int lanes) {
    CN_EACH_LANE(k, lanes) {
        int tree = s->tree.numbers[states[k] / sizeof(cn_state)];
        if (tree > 0) s->tree.bodies[tree - 1].yields = true;
    }
}

// Returns the bits of the lanes with a row that another velocity might move to another segment, or
// a spring with a limit. A limit that is not reached has no effect in the impacts.
static int find_yielding(tree_parts t, cn_row_type type) {
    cn_intw yields = cn_splat_intw(0);
    if (type == CN_ROW_POINT || type == CN_ROW_ROOT) return 0;
    for (int i = type == CN_ROW_AXES ? CN_JOINT_X : CN_JOINT_ANGLE; i <= CN_JOINT_ANGLE; i++) {
        const tree_row *row = row_of(t, i);
        const joint_row *r = &t.rows->rows[i];
        yields |= (row->min_x > -FLT_MAX) | (row->max_x < FLT_MAX);
        yields |= (r->spring_limit > 0) & (r->spring_limit < FLT_MAX);
    }
    return cn_mask_bitsw(yields) & t.block->used;
}

// Marks the trees of a group, after it has been solved, whose pushes are not exact.
static void mark_yielding_trees(const cn_solver *s, group_range g) {
    EACH_RUN(run, g) {
        for (int k = run->first_block; k < run->end_block; k++)
            mark_yielding(s, s->tree.blocks[k].child, find_yielding(parts_of(s, k), run->row_type));
    }
    EACH_CLOSURE(run, g) {
        for (int k = run->first_block; k < run->end_block; k++) {
            const tree_block *b = &s->tree.blocks[k];
            mark_yielding(s, b->child, b->used);
            mark_yielding(s, b->parent, b->used);
        }
    }
}

// ---- passes

static void begin_group_impacts(const cn_solver *s, group_range g) {
    cn_tree_group_impacts *impacts = &s->tree.groups[g.index];
    impacts->due = false;
    impacts->first_pushed = -1;
    if (s->batch->tree_groups.items[g.index].isolated || !has_due(s, g)) return;
    mark_due_lanes(s, g);
    impacts->due = true;
    if (!impacts->listed) list_bodies(s, g);
    EACH_STATE(k, g) {
        s->tree.alone[k] = s->states[k].v;
        s->tree.bodies[lane_].yields = false;
    }
    solve_for_impacts(s, g);
    mark_yielding_trees(s, g);
    if (s->extensions) find_changes(s, g);
    release_group(s, g);
    mark_all_lanes(s, g, 0);
}

static void begin_groups(void *context, int first, int end) {
    const cn_solver *s = context;
    for (int i = first; i < end; i++) {
        begin_group_impacts(s, group_of(s, i));
        cn_begin_impact_responses(s, i);
    }
}

// Runs a statement for the lane of each body of the trees of a group that must be settled.
#define EACH_PUSHED(lane, index)                                                                   \
    for (int root_ = s->tree.groups[index].first_pushed; root_ >= 0;                               \
         root_ = s->tree.bodies[root_].next_pushed)                                                \
        for (int lane = root_; lane >= 0; lane = s->tree.bodies[lane].next)

static void mark_pushed_lane(const cn_solver *s, int lane, int mask) {
    s->tree.blocks[lane / CN_LANES].may_move[lane % CN_LANES] = mask;
}

// Lists the trees that closures connect to pushed trees, too, and marks the lanes of the closures.
static void mark_closures(const cn_solver *s, group_range g) {
    for (bool any = g.systems > 0; any;) {
        any = false;
        for (int block = g.end_block; block < end_of_closures(&g); block++) {
            tree_block *b = &s->tree.blocks[block];
            CN_EACH_LANE(k, b->used & ~cn_mask_bitsw(b->may_move)) {
                int child = s->tree.numbers[b->child[k] / sizeof(cn_state)] - 1,
                    parent = s->tree.numbers[b->parent[k] / sizeof(cn_state)] - 1;
                if (!(child >= 0 && s->tree.bodies[child].pushed) &&
                    !(parent >= 0 && s->tree.bodies[parent].pushed))
                    continue;
                if (child >= 0) list_pushed(s, child);
                if (parent >= 0) list_pushed(s, parent);
                b->may_move[k] = -1, any = true;
            }
        }
    }
}

// Gives the bodies of the other trees of a group their velocities back. They must not depend on the
// group.
static void restore_others(const cn_solver *s, group_range g) {
    for (int k = g.first_block; k < g.end_block; k++) {
        const tree_block *b = &s->tree.blocks[k];
        int others = b->used & ~cn_mask_bitsw(b->may_move);
        cn_row4w v = {b->before[0], b->before[1], b->before[2], b->inverse_mass};
        if (others) cn_scatter_some4w(&s->states->v, b->child, v, others);
    }
}

// Solves the pushed trees of a group again, from the velocities without joints. What that changes
// acts from the time of the first impact on, too.
static void settle_group(const cn_solver *s, group_range g) {
    mark_closures(s, g);
    EACH_PUSHED(lane, g.index) {
        int i = s->tree.bodies[lane].state;
        mark_pushed_lane(s, lane, -1);
        s->tree.before[i] = s->states[i].v, s->states[i].v = s->tree.alone[i];
    }
    solve_for_impacts(s, g);
    restore_others(s, g);
    EACH_PUSHED(lane, g.index) {
        int i = s->tree.bodies[lane].state;
        mark_pushed_lane(s, lane, 0);
        s->tree.bodies[lane].pushed = false;
        s->states[i].v = cn_move_velocity(s->states[i].v, centre_of(s, i));
        if (s->impacts.bodies[i].substep != s->now.substep) continue;
        cn_float4 change = s->states[i].v - s->tree.before[i];
        change[3] = 0;
        s->states[i].d -= change * s->impacts.bodies[i].before[3];
    }
    if (g.systems) mark_all_lanes(s, g, 0);
}

static void settle_groups(void *context, int first, int end) {
    const cn_solver *s = context;
    for (int i = first; i < end; i++) {
        if (!s->tree.groups[i].due || s->tree.groups[i].first_pushed < 0) continue;
        settle_group(s, group_of(s, i));
        release_group(s, group_of(s, i));
        s->tree.groups[i].first_pushed = -1;
    }
}

static void end_group_impacts(const cn_solver *s, group_range g) {
    cn_end_impact_responses(s, g.index);
    if (!s->tree.groups[g.index].due) return;
    EACH_STATE(k, g) s->states[k].v = s->tree.alone[k];
    mark_all_lanes(s, g, -1);
}

static void end_groups(void *context, int first, int end) {
    for (int i = first; i < end; i++) end_group_impacts(context, group_of(context, i));
}

// One worker handles few groups alone.
static void distribute_groups(cn_solver *s, cn_part *part) {
    int count = s->batch->tree_groups.count, all = CN_DISTRIBUTED_GROUPS;
    cn_distribute(s->worker, count, count < all ? all : 1, part, s);
}

static void distribute_impacts(cn_solver *s, cn_part *part) {
    s->now.impacts = true;
    distribute_groups(s, part);
    s->now.impacts = false;
}

void CN_WIDE(cn_begin_tree_impacts)(cn_solver *s) { distribute_impacts(s, begin_groups); }
void CN_WIDE(cn_settle_trees)(cn_solver *s) { distribute_impacts(s, settle_groups); }
void CN_WIDE(cn_end_tree_impacts)(cn_solver *s) {
    distribute_groups(s, end_groups);
    s->now.ends_impacts = false;
}

#endif
