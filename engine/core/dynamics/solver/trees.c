/* Trees of joints, solved directly, CN_LANES joints at a time.
 *
 * A joint connects a child to its parent at a point P. Velocities, impulses and momenta have three
 * components: x, y and angular. They are taken at P: the velocity of the body at the point P, and
 * moments about P. The child has the articulated inertia A, a symmetric 3x3 matrix, and the
 * momentum p. Both include the bodies below the child, as far as the joints pass them on.
 *
 * Let x be the velocity of the parent, t the velocity of the child relative to the parent along the
 * directions that the joint controls, and q the relative velocity along its free directions. t is
 * known, q is not. Then the child moves at v = x + t + q, and
 *
 *      l = A v - p      is the impulse of the joint on the child
 *
 * l is 0 along a free direction without a spring or motor. Eliminating q leaves l = D x + e, where
 * D and e depend only on the child and the bodies below it. So the parent needs only D and e:
 *
 *      up, leaves to root:    A_parent += D,   p_parent -= e      both about the parent's centre
 *      down, root to leaves:  x from the parent, then q, l and v
 *
 * This is the articulated-body algorithm (R. Featherstone, 1983) in maximal coordinates. It costs
 * one division for each free direction. D starts as A. A free direction f has the velocity
 *
 *      q = (f.p + b - g.(x + t)) / (f.g + k)      g = D f;  b - k q is the impulse along f
 *
 * and is eliminated by D -= g g^T / (f.g + k). A spring, a drag, or a motor at its limit sets b and
 * k.
 *
 * A row is active if a lock, a limit or a motor sets its velocity. Active rows are not eliminated.
 * An active-set method finds them: solve, free each row whose impulse left its range, activate each
 * row whose velocity left its range, and solve again (tree_rows.h).
 *
 * Every solve starts from the present velocities, without a warm start. So finish_block() takes the
 * change by the joints out of the warm start of the bodies.
 *
 * The root of a tree without an anchor has a row type of its own: a joint to the ground that locks
 * only the locked axes of the body.
 *
 *   tree_block.h    data of a block of joints, elimination of rows
 *   tree_rows.h     limits, motors and springs
 *   tree_passes.h   up and down over a block
 *   tree_group.h    up and down over a group of trees
 *   closures.h      joints that close cycles of trees
 *   response.h      mass, inertia and centre of bodies of trees, as contacts see them
 *   impact_trees.h  how impacts move whole trees
 */
#include "impact_trees.h"

#define LOCKED_INERTIA 1e12f // kg m^2 per kg and squared length unit: of a body that cannot turn

// ---- prepare and store

// A body that cannot turn gets a very large inertia. A body with both axes locked keeps its mass,
// because the rows of its root lock the axes.
static void prepare_locked_bodies(const cn_solver *s, tree_block *b, int lanes) {
    float unit = s->sim->length_unit;
    CN_EACH_LANE(i, lanes) {
        int body = s->batch->bodies.items[b->child[i] / sizeof(cn_state) - 1];
        if (!(b->inverse_mass[i] > 0)) b->mass[i] = s->sim->warm[body].mass;
        if (b->rotation_locked[i])
            b->inertia[i] = cn_min(LOCKED_INERTIA * unit * unit * b->mass[i], CN_LARGEST);
    }
}

// Finds the block that has all parents of a block, each in the lane of its child. There is none if
// a parent has another lane, or if the block of the parents uses more lanes.
static void find_parent_block(const cn_solver *s, tree_block *b) {
    int block = b->parent_lane[0] / CN_LANES, there = 0;
    for (int k = 0; k < CN_LANES; k++) there |= (b->parent_lane[k] == block * CN_LANES + k) << k;
    bool fits =
        b->used && !(b->used & ~(there & b->adding)) && !(s->tree.blocks[block].used & ~b->used);
    b->parent_block = fits ? block : -1;
}

static_assert(sizeof(cn_tree_link) == sizeof(cn_float4), "prepare_lanes() reads it as one");

// Unused lanes compute the same as the first lane, but write nothing.
CN_INLINE void prepare_lanes(const cn_solver *s, tree_block *b, int block) {
    const cn_lane *lanes = &s->batch->tree_lanes.items[block * CN_LANES];
    uint32_t rows[CN_LANES];
    b->used = 0;
    for (int k = 0; k < CN_LANES; k++) {
        b->used |= is_used(&lanes[k]) << k;
        rows[k] = is_used(&lanes[k]) ? (uint32_t)k * sizeof(cn_float4) : 0;
    }
    const cn_tree_link *links = &s->batch->tree_links.items[block * CN_LANES];
    cn_row4w lane = CN_GATHER_ROW(lanes, rows, slot, a, b, count);
    cn_row4w link = CN_GATHER_ROW(links, rows, child_lane, parent_lane, flags, system);
    cn_intw above = cn_bitsw(link.y), flags = cn_bitsw(link.z);
    cn_intw is_a = (flags & CN_LINK_CHILD_IS_A) != 0;
    cn_intw a = cn_bitsw(lane.y) * (int)sizeof(cn_state),
            c = cn_bitsw(lane.z) * (int)sizeof(cn_state);
    cn_intw child = cn_select_intw(is_a, a, c), parent = cn_select_intw(is_a, c, a);
    b->flip = is_a & CN_SIGN_BIT;
    b->own_contacts = cn_splatw(0);
    b->may_move = cn_splat_intw(-1);
    b->parent_moves = above >= 0;
    b->adding = b->used & cn_mask_bitsw(b->parent_moves);
    // Without a parent: the lane of the child, because other workers may write to other groups.
    for (int k = 0; k < CN_LANES; k++) above[k] = above[k] < 0 ? block * CN_LANES + k : above[k];
    memcpy(b->child, &child, sizeof child);
    memcpy(b->parent, &parent, sizeof parent);
    memcpy(b->parent_lane, &above, sizeof above);
    cn_floatw inverse_inertia = cn_gather4w(&s->free->v, b->child).w;
    b->inverse_mass = cn_gather4w(&s->states->v, b->child).w;
    b->rotation_locked = ~(inverse_inertia > 0);
    b->mass = 1 / b->inverse_mass, b->inertia = 1 / inverse_inertia;
    b->parent_inertia = 1 / cn_gather4w(&s->free->v, b->parent).w;
    int locked = cn_mask_bitsw(b->rotation_locked | ~(b->inverse_mass > 0));
    if (locked) prepare_locked_bodies(s, b, locked);
}

// Finds the sum of the speeds at P that the rotation of the two bodies causes at the start of the
// step. The error of a joint can grow this fast, so its correction may be faster by as much.
CN_INLINE void find_turn_speed(const cn_solver *s, tree_block *b) {
    cn_row4w child = cn_gather4w(&s->states->v, b->child),
             parent = cn_gather4w(&s->states->v, b->parent);
    cn_floatw wc = cn_absw(child.z), wp = cn_absw(parent.z);
    b->turn_speed = wc * cn_sqrtw(cn_dot2w(b->rc, b->rc)) + wp * cn_sqrtw(cn_dot2w(b->rp, b->rp));
}

// A row of a root is active, with the target 0, if its body is locked along it.
static void prepare_root(const cn_solver *s, tree_parts t, const cn_lane *lanes) {
    t.block->rc = t.block->rp = t.block->t = (cn_vec2w){cn_splatw(0), cn_splatw(0)};
    t.block->angle = t.axes->rows[CN_JOINT_X] = t.axes->rows[CN_JOINT_Y] = (tree_row){0};
    for (int i = 0; i < CN_LANES && is_used(&lanes[i]); i++) {
        uint32_t flags = s->sim->hot[s->batch->bodies.items[lanes[i].b - 1]].flags;
        t.axes->rows[CN_JOINT_X].active[i] = flags & CN_BODY_LOCK_X ? -1 : 0;
        t.axes->rows[CN_JOINT_Y].active[i] = flags & CN_BODY_LOCK_Y ? -1 : 0;
    }
}

CN_INLINE void load_tree_block(const cn_solver *s, int k, cn_row_type type) {
    tree_parts t = parts_of(s, k);
    const cn_lane *lanes = &s->batch->tree_lanes.items[k * CN_LANES];
    prepare_lanes(s, t.block, k);
    t.block->row_type = type;
    t.block->found = (cn_vec2w){cn_splatw(0), cn_splatw(0)};
    if (type == CN_ROW_ROOT) {
        prepare_root(s, t, lanes);
        return;
    }
    t.block->angle = (tree_row){0};
    load_joint(s, lanes, t.joint, t.rows, type, cn_unused_state(s->batch, type));
    if (type != CN_ROW_POINT) prepare_tree_row(&t.block->angle, &t.rows->rows[CN_JOINT_ANGLE]);
    for (int i = CN_JOINT_X; type == CN_ROW_AXES && i <= CN_JOINT_Y; i++)
        prepare_tree_row(&t.axes->rows[i], &t.rows->rows[i]);
}

// Stores what the first substep needs of the velocities, after place_block().
CN_INLINE void store_start(const cn_solver *s, int k, cn_row_type type) {
    tree_parts t = parts_of(s, k);
    if (type == CN_ROW_ROOT) return;
    find_turn_speed(s, t.block);
    if (type != CN_ROW_POINT)
        store_speeds(t.rows, cn_gather4w(&s->states->v, t.joint->a),
                     cn_gather4w(&s->states->v, t.joint->b), type);
}

CN_INLINE void store_tree_block(const cn_solver *s, int k, cn_row_type type) {
    tree_parts t = parts_of(s, k);
    if (type == CN_ROW_ROOT) return;
    add_tree_load(s, t, type);
    t.joint->l = cn_add2w(t.joint->l, cn_flip_sign2w(t.block->found, t.block->flip));
    if (type != CN_ROW_POINT)
        store_tree_row(&t.block->angle, &t.rows->rows[CN_JOINT_ANGLE], t.block->flip);
    for (int i = CN_JOINT_X; type == CN_ROW_AXES && i <= CN_JOINT_Y; i++)
        store_tree_row(&t.axes->rows[i], &t.rows->rows[i], t.block->flip);
    const cn_lane *lanes = &s->batch->tree_lanes.items[k * CN_LANES];
    store_joint(s, lanes, t.joint, t.rows, type);
    if (s->batch->has_watched_joints) watch_joints(s, lanes);
}

// ---- groups

// The number of a tree is the lane of its root plus 1. A parent has a later block than its
// children.
static void number_trees(const cn_solver *s, group_range g) {
    for (int k = g.end_block - 1; k >= g.first_block; k--) {
        const tree_block *b = &s->tree.blocks[k];
        CN_EACH_LANE(i, b->used) {
            int lane = k * CN_LANES + i, parent = b->parent_lane[i];
            const tree_block *above = &s->tree.blocks[parent / CN_LANES];
            int *tree = &s->tree.numbers[b->child[i] / sizeof(cn_state)];
            *tree = lane + 1;
            if (parent != lane)
                *tree = s->tree.numbers[above->child[parent % CN_LANES] / sizeof(cn_state)];
        }
    }
}

static void prepare_group(const cn_solver *s, group_range g) {
    EACH_ANY(run, g) FOR_BLOCKS(run, load_tree_block(s, k, type));
    place_group(s, g, false);
    EACH_ANY(run, g) FOR_BLOCKS(run, store_start(s, k, type));
    for (int k = g.first_block; k < g.end_block; k++) find_parent_block(s, &s->tree.blocks[k]);
    number_trees(s, g);
    s->tree.factored[g.index] = s->tree.groups[g.index].listed = false;
    find_contact_responses(s, g);
}

static void solve_group(const cn_solver *s, group_range g) {
    if (s->now.repeats && s->batch->tree_groups.items[g.index].isolated) return;
    if (s->now.relax && !s->now.repeats) place_group(s, g, !skips_relax(s, g));
    if (s->now.relax && skips_relax(s, g)) return;
    begin_group(s, g);
    find_velocities(s, g);
    finish_group(s, g);
}

static void prepare_groups(void *context, int first, int end) {
    for (int i = first; i < end; i++) prepare_group(context, group_of(context, i));
}

static void solve_groups(void *context, int first, int end) {
    const cn_solver *s = context;
    for (int i = first; i < end; i++) {
        if (s->now.ends_impacts) end_group_impacts(s, group_of(s, i));
        solve_group(s, group_of(s, i));
        cn_begin_responses(s, i);
    }
}

// Solves the trees once more, but not the contacts. So the impulses of the contacts move whole
// trees, and the velocities satisfy the joints. These are the velocities with which positions move,
// and those at the end of the step. Isolated trees do not need that.
static void finish_groups(void *context, int first, int end) {
    const cn_solver *s = context;
    for (int i = first; i < end; i++) {
        cn_end_responses(s, i);
        if (s->now.repeats) solve_group(s, group_of(s, i));
    }
}

static void prepare_group_responses(void *context, int first, int end) {
    for (int i = first; i < end; i++) cn_prepare_responses(context, i);
}

static void store_groups(void *context, int first, int end) {
    const cn_solver *s = context;
    for (int i = first; i < end; i++) {
        group_range g = group_of(s, i);
        EACH_ANY(run, g) FOR_BLOCKS(run, store_tree_block(s, k, type));
    }
}

void CN_WIDE(cn_prepare_trees)(cn_solver *s) { distribute_groups(s, prepare_groups); }

void CN_WIDE(cn_prepare_all_responses)(cn_solver *s) {
    if (s->tree.centres) distribute_groups(s, prepare_group_responses);
}

void CN_WIDE(cn_solve_trees)(cn_solver *s) {
    distribute_groups(s, solve_groups);
    s->now.ends_impacts = false;
}

void CN_WIDE(cn_finish_trees)(cn_solver *s) {
    if (s->tree.centres || s->now.repeats) distribute_groups(s, finish_groups);
}

void CN_WIDE(cn_store_trees)(cn_solver *s) { distribute_groups(s, store_groups); }

// Without trees the pointers are NULL.
static void take_impact_memory(cn_solver *s, cn_arena *arena) {
    const cn_batch *batch = s->batch;
    const int groups = batch->tree_groups.count, states = batch->bodies.count + 1;
    const int contacts = batch->lanes.count - batch->joint_blocks * CN_LANES;
    s->tree.bodies = NULL;
    if (!groups) return;
    s->tree.groups = cn_take(arena, groups, sizeof(cn_tree_group_impacts));
    s->tree.bodies = cn_take(arena, batch->tree_lanes.count, sizeof(cn_tree_body));
    s->tree.lanes = cn_take(arena, states, sizeof(int));
    s->tree.alone = cn_take(arena, states, sizeof(cn_float4));
    s->tree.changes = cn_take(arena, states, sizeof(cn_float4));
    s->tree.before = cn_take(arena, states, sizeof(cn_float4));
    s->tree.due_lanes = cn_take(arena, contacts / 64 + 1, sizeof(uint64_t));
    s->tree.impacts = cn_take(arena, contacts, sizeof(tree_impact));
    s->tree.contact_blocks = cn_take(arena, contacts / CN_LANES / 64 + 1, sizeof(uint64_t));
}

void CN_WIDE(cn_take_tree_memory)(cn_solver *s, cn_arena *arena) {
    int blocks = s->batch->tree_lanes.count / CN_LANES, groups = s->batch->tree_groups.count;
    int states = s->batch->bodies.count + 1;
    s->tree.blocks = cn_take(arena, blocks, sizeof(tree_block));
    s->tree.joints = cn_take(arena, blocks, sizeof(joint_block));
    s->tree.rows = s->batch->has_tree_rows ? cn_take(arena, blocks, sizeof(joint_rows)) : NULL;
    s->tree.axes = s->batch->has_tree_axes ? cn_take(arena, blocks, sizeof(tree_axes)) : NULL;
    s->tree.factored = cn_take(arena, groups, sizeof(bool));
    s->tree.closures = cn_take(arena, s->batch->systems, sizeof(closure_system));
    s->tree.inertias = cn_take(arena, blocks, sizeof(tree_inertia));
    s->tree.momenta = cn_take(arena, blocks, sizeof(tree_momentum));
    s->tree.responses = cn_take(arena, blocks * CN_LANES, sizeof(cn_response));
    s->tree.response_counts = cn_take(arena, groups, sizeof(int));
    s->tree.centres =
        groups ? cn_take(arena, states + CN_CONTACT_ROW_TYPES, sizeof(cn_state)) : NULL;
    take_impact_memory(s, arena);
    bool any_joints = groups || s->batch->joint_blocks;
    s->tree.numbers =
        any_joints ? cn_take(arena, states + CN_CONTACT_ROW_TYPES, sizeof(int)) : NULL;
}
