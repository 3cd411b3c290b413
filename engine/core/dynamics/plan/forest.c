/* The forest: which joints are solved directly, and in which order.
 *
 * Joints connect bodies to components. A component without a cycle is a tree, and the solver solves
 * the joints of a tree exactly (solver/trees.c). Static and kinematic bodies connect nothing, but a
 * joint to such a body anchors the tree. A second anchor closes a cycle.
 *
 * A body with a locked axis counts as anchored, so it is a root. A body that cannot turn counts as
 * anchored, too, if a joint locks, limits or drives its angle relative to a body that can turn. As
 * a child, a body that cannot turn has a very large inertia. Then the torques of the joints above
 * it are differences of large numbers, too inexact to compare with the range of a limit or motor.
 *
 * A joint that closes a cycle is a closure. Closures connect trees to a system, which is solved as
 * a whole (solver/closures.h). If the closures of a system have more than CN_MAX_CLOSURE_ROWS rows,
 * all its joints are iterated instead (solver/joint_rows.h).
 *
 * A joint that locks no coordinate, such as a spring or a rope, is never a closure. If it would
 * close a cycle, only this joint is iterated.
 *
 *      ground ── a ── b ── c        root: a; heights: a 2, b 1, c and d 0
 *                     └─── d
 *
 * The root of a tree is the body at its anchor. A tree without an anchor has its root in the middle
 * of its longest path, which makes the tree as low as possible. The height of a body is the number
 * of joints from it to its farthest leaf. The height of a joint is that of the body below it.
 * Joints of one height do not depend on each other, so they share blocks of lanes:
 *
 *      group       systems that one worker solves at a time
 *      run         blocks of joints of one group, one height and one row type
 *
 * Trees are often alike, for example ragdolls. In a run, the first joints of all trees come first,
 * then the second joints of all trees, and so on. If there are as many trees as lanes, each tree
 * has a lane of its own.
 *
 * The results depend neither on the groups nor on the number of lanes. Lanes do not mix. If several
 * joints add to the same body, they add in the order of their lanes.
 */
#include "builder.h"

enum {
    GROUP_JOINTS = 32, // joints: a group with as many has enough work for all lanes
    INDEX_BITS = 32,   // bits of a sort key that hold an index: the lower half
};

// ---- linking

static cn_sets systems_of(tree_node *trees) {
    return (cn_sets){&trees->set_parent, sizeof *trees / sizeof(int)};
}

static int find_system(tree_node *trees, int i) { return cn_first_of_set(systems_of(trees), i); }

static const cn_body_hot *body_at(const plan_builder *builder, int dense) {
    return &builder->sim->hot[builder->bodies[dense]];
}

static bool is_joint(const edge *e) { return e->key >= CN_ROW_POINT; } // else a coupling

static bool cannot_turn(const plan_builder *builder, int dense) {
    return !(body_at(builder, dense)->inverse_inertia > 0);
}

// Marks the bodies that cannot turn, if a joint locks, limits or drives their angle relative to a
// body that can turn.
static void find_twisted_bodies(plan_builder *builder) {
    for (int i = 0; i < builder->joint_count; i++) {
        const edge *e = &builder->edges[i];
        bool twists = is_joint(e) && builder->sim->joints[e->slot].flags & CN_JOINT_TWISTS;
        if (!twists || e->a < 0 || cannot_turn(builder, e->a) == cannot_turn(builder, e->b))
            continue;
        tree_node *t = &builder->forest.nodes[cannot_turn(builder, e->a) ? e->a : e->b];
        t->is_anchor = t->anchored = true;
    }
}

static void clear_trees(plan_builder *builder) {
    for (int i = 0; i < builder->body_count; i++) {
        bool locked = body_at(builder, i)->flags & (CN_BODY_LOCK_X | CN_BODY_LOCK_Y);
        builder->forest.nodes[i] = (tree_node){.set_parent = i,
                                               .first_link = -1,
                                               .edge = -1,
                                               .anchor = -1,
                                               .height = -1,
                                               .is_anchor = locked,
                                               .anchored = locked,
                                               .group = -1,
                                               .isolated = true};
    }
    find_twisted_bodies(builder);
}

// Joins the systems of both bodies. Returns false if the joint closes a cycle.
static bool join_systems(tree_node *trees, const edge *e) {
    tree_node *b = &trees[find_system(trees, e->b)];
    bool was_anchored = b->anchored;
    if (e->a < 0) {
        b->anchored = true;
        return !was_anchored;
    }
    tree_node *a = &trees[find_system(trees, e->a)];
    if (a == b) return false;
    bool both_anchored = was_anchored && a->anchored;
    tree_node *root = a < b ? a : b, *other = a < b ? b : a;
    other->set_parent = (int)(root - trees);
    root->anchored |= other->anchored;
    root->rows += other->rows;
    return !both_anchored;
}

static bool is_iterated(const tree_node *root) { return root->rows > CN_MAX_CLOSURE_ROWS; }

// Returns whether a joint that locks nothing can become an edge of a tree.
static bool may_join(const plan_builder *builder, const edge *e) {
    tree_node *trees = builder->forest.nodes;
    const tree_node *b = &trees[find_system(trees, e->b)];
    if (e->a < 0) return !b->anchored && !is_iterated(b);
    const tree_node *a = &trees[find_system(trees, e->a)];
    bool fits = a->rows + b->rows <= CN_MAX_CLOSURE_ROWS;
    return a != b && fits && !(a->anchored && b->anchored);
}

static bool locks_coordinate(const plan_builder *builder, const edge *e) {
    return builder->sim->joints[e->slot].flags & CN_JOINT_LOCKS;
}

static int count_rows(cn_row_type type) { return type == CN_ROW_POINT ? 2 : 3; }

static void link_edge(plan_builder *builder, int index) {
    edge *e = &builder->edges[index];
    tree_node *b = &builder->forest.nodes[e->b];
    e->key = TREE_KEY;
    if (e->a < 0) {
        b->anchor = index;
        return;
    }
    tree_node *a = &builder->forest.nodes[e->a];
    builder->forest.links[2 * index] = b->first_link, b->first_link = 2 * index;
    builder->forest.links[2 * index + 1] = a->first_link, a->first_link = 2 * index + 1;
}

static void close_edge(plan_builder *builder, const edge *e) {
    builder->forest.nodes[e->b].ends_closure = true;
    if (e->a >= 0) builder->forest.nodes[e->a].ends_closure = true;
    builder->forest.closure_count++;
}

// Makes each joint that locks a coordinate an edge of a tree or a closure. Joints of a system with
// too many closure rows keep their row type as key.
static void link_locks(plan_builder *builder) {
    tree_node *trees = builder->forest.nodes;
    edge *end = builder->edges + builder->joint_count;
    for (edge *e = builder->edges; e < end; e++) {
        if (!is_joint(e) || !locks_coordinate(builder, e) || join_systems(trees, e)) continue;
        trees[find_system(trees, e->b)].rows += count_rows((cn_row_type)e->key);
        e->key = CLOSURE_KEY;
    }
    for (edge *e = builder->edges; e < end; e++) {
        bool closes = e->key == CLOSURE_KEY;
        if (!closes && (!is_joint(e) || !locks_coordinate(builder, e))) continue;
        if (is_iterated(&trees[find_system(trees, e->b)]))
            e->key = (int)builder->sim->joints[e->slot].row_type;
        else if (closes)
            close_edge(builder, e);
        else
            link_edge(builder, (int)(e - builder->edges));
    }
}

// Makes each other joint an edge of a tree, unless it closes a cycle.
static void link_others(plan_builder *builder) {
    for (int i = 0; i < builder->joint_count; i++) {
        const edge *e = &builder->edges[i];
        if (!is_joint(e) || locks_coordinate(builder, e) || !may_join(builder, e)) continue;
        join_systems(builder->forest.nodes, e);
        link_edge(builder, i);
    }
}

// ---- rooting

static int other_end(const plan_builder *builder, int link) {
    const edge *e = &builder->edges[link / 2];
    return link & 1 ? e->b : e->a;
}

// Lists the bodies of a tree in order of their distance from `start`, and sets their edges towards
// it. Returns their number.
static int walk_tree(plan_builder *builder, int start, int *order) {
    tree_node *trees = builder->forest.nodes;
    int count = 0;
    order[count++] = start;
    trees[start].edge = trees[start].anchor;
    for (int i = 0; i < count; i++)
        for (int link = trees[order[i]].first_link; link >= 0; link = builder->forest.links[link]) {
            if (link / 2 == trees[order[i]].edge) continue;
            int other = other_end(builder, link);
            trees[other].edge = link / 2;
            order[count++] = other;
        }
    return count;
}

// Returns the body at the other end of the edge towards the start of the walk.
static int towards_start(const plan_builder *builder, int body) {
    const edge *e = &builder->edges[builder->forest.nodes[body].edge];
    return e->a == body ? e->b : e->a;
}

// Returns the middle of the longest path of a tree without an anchor.
static int find_middle(plan_builder *builder, int body, int *order) {
    int end = order[walk_tree(builder, body, order) - 1];
    int middle = order[walk_tree(builder, end, order) - 1], length = 0;
    for (int i = middle; i != end; i = towards_start(builder, i)) length++;
    for (int i = 0; i < length / 2; i++) middle = towards_start(builder, middle);
    return middle;
}

// Adds the tree with this root to forest.order, and finds the heights of its bodies.
static void root_tree(plan_builder *builder, int root) {
    tree_node *trees = builder->forest.nodes;
    int *order = builder->forest.order + builder->forest.count,
        count = walk_tree(builder, root, order);
    builder->forest.count += count;
    for (int i = 0; i < count; i++) trees[order[i]].height = 0;
    for (int i = count - 1; i > 0; i--) {
        tree_node *above = &trees[towards_start(builder, order[i])];
        above->height = cn_max_int(above->height, trees[order[i]].height + 1);
    }
}

// Finds the roots of all trees. An anchor, or a body that counts as anchored, decides the root of
// its tree, so these trees come first.
static void root_trees(plan_builder *builder) {
    tree_node *trees = builder->forest.nodes;
    for (int i = 0; i < builder->body_count; i++)
        if (trees[i].anchor >= 0 ||
            (trees[i].is_anchor && (trees[i].first_link >= 0 || trees[i].ends_closure)))
            root_tree(builder, i);
    for (int i = 0; i < builder->body_count; i++)
        if (trees[i].first_link >= 0 && trees[i].height < 0)
            root_tree(builder,
                      find_middle(builder, i, builder->forest.order + builder->forest.count));
}

void cn_find_trees(plan_builder *builder) {
    if (!builder->joint_count) return;
    clear_trees(builder);
    link_locks(builder);
    link_others(builder);
    root_trees(builder);
}

// ---- groups

// Returns whether the body is the root of its tree.
static bool is_root(const plan_builder *builder, int body) {
    int above = builder->forest.nodes[body].edge;
    return above < 0 || builder->edges[above].a < 0;
}

// Returns the row type of the joint above a body.
static cn_row_type row_type_above(const plan_builder *builder, int body) {
    int above = builder->forest.nodes[body].edge;
    return above < 0 ? CN_ROW_ROOT : builder->sim->joints[builder->edges[above].slot].row_type;
}

// The place of a joint in its group: by height, then by row type.
static uint64_t place_of(const plan_builder *builder, int body) {
    const tree_node *t = &builder->forest.nodes[body];
    return (uint64_t)t->height * TREE_ROW_TYPES +
           (uint64_t)(row_type_above(builder, body) - CN_ROW_POINT);
}

// Trees are often alike. If their number is a multiple of the lanes, few lanes stay unused.
static bool is_full(const group_plan *group) {
    return group->joints >= GROUP_JOINTS && group->trees % group->batch->kernels->lanes == 0;
}

static void mark_other_constraints(plan_builder *builder, int joint) {
    const int32_t *bodies = builder->sim->joint_records[joint].bodies;
    for (int k = 0; k < 2; k++)
        if (cn_is_dynamic(&builder->sim->hot[bodies[k]]))
            builder->forest.nodes[builder->dense[bodies[k]]].has_other_constraints = true;
}

// Marks the bodies on which constraints act that are not joints of trees.
static void mark_all_other_constraints(plan_builder *builder) {
    for (int i = 0; i < builder->joint_count; i++) {
        const edge *e = &builder->edges[i];
        if (e->key < 0) continue;
        mark_other_constraints(builder, e->slot);
        if (e->key == 0)
            mark_other_constraints(builder, builder->sim->joints[e->slot].coupling.other);
    }
    for (int i = 0; i < builder->forest.count; i++) {
        int body = builder->forest.order[i];
        bool *others = &builder->forest.nodes[body].has_other_constraints;
        bool has_contacts = builder->masks[body] != 0;
        builder->forest.nodes[body].has_only_contacts = has_contacts && !*others;
        *others |= has_contacts;
    }
}

static tree_node *system_of(const plan_builder *builder, int body) {
    return &builder->forest.nodes[find_system(builder->forest.nodes, body)];
}

static int open_group(plan_builder *builder, const tree_node *system, cn_batch *batch, int *count) {
    int *group = &batch->open_groups[system->isolated];
    if (*group < 0 || is_full(&builder->layout.groups[*group])) {
        *group = (*count)++;
        builder->layout.groups[*group] = (group_plan){.batch = batch, .isolated = system->isolated};
    }
    return *group;
}

// Assigns a group to each system, and returns the number of groups. Isolated systems get groups of
// their own.
static int assign_groups(plan_builder *builder) {
    cn_plan *plan = builder->plan;
    int groups = 0;
    mark_all_other_constraints(builder);
    for (int i = 0; i < plan->batch_count; i++)
        plan->batches[i].open_groups[0] = plan->batches[i].open_groups[1] = -1;
    for (int i = 0; i < builder->forest.count; i++)
        if (builder->forest.nodes[builder->forest.order[i]].has_other_constraints)
            system_of(builder, builder->forest.order[i])->isolated = false;
    for (int i = 0; i < builder->forest.count; i++) {
        int body = builder->forest.order[i];
        tree_node *system = system_of(builder, body);
        cn_batch *batch = cn_batch_of(builder, body);
        if (system->group < 0) {
            system->group = open_group(builder, system, batch, &groups);
            builder->layout.groups[system->group].trees++;
        }
        builder->layout.groups[system->group].joints++;
        builder->layout.entry_groups[i] = system->group;
    }
    return groups;
}

// Finds the rank of each body: the number of bodies before it with the same place in the same tree.
static void find_ranks(plan_builder *builder) {
    const int *order = builder->forest.order;
    int *counts = builder->layout.place_counts; // by place, of one tree
    for (int first = 0, end; first < builder->forest.count; first = end) {
        for (end = first;
             end == first || (end < builder->forest.count && !is_root(builder, order[end])); end++)
            counts[place_of(builder, order[end])] = 0;
        for (int i = first; i < end; i++)
            builder->layout.ranks[i] = counts[place_of(builder, order[i])]++;
    }
}

// Sorts the bodies of trees by group, then by place, then by rank, then by forest.order. The lower
// half of a key is the index in forest.order.
static void sort_bodies(plan_builder *builder) {
    uint64_t *keys = builder->layout.keys, *spare = builder->layout.spare_keys;
    int count = builder->forest.count;
    find_ranks(builder);
    for (int i = 0; i < count; i++)
        keys[i] = (uint64_t)builder->layout.ranks[i] << INDEX_BITS | (uint64_t)i;
    cn_sort_keys(keys, spare, count, INDEX_BITS);
    for (int i = 0; i < count; i++) {
        uint32_t index = (uint32_t)keys[i];
        keys[i] = place_of(builder, builder->forest.order[index]) << INDEX_BITS | index;
    }
    cn_sort_keys(keys, spare, count, INDEX_BITS);
    for (int i = 0; i < count; i++) {
        uint32_t index = (uint32_t)keys[i];
        keys[i] = (uint64_t)builder->layout.entry_groups[index] << INDEX_BITS | index;
    }
    cn_sort_keys(keys, spare, count, INDEX_BITS);
}

// Sorts the closures by group, then by system. The lower half of a key is the edge.
static void sort_closures(plan_builder *builder) {
    uint64_t *keys = builder->layout.closure_keys;
    int count = 0;
    for (int i = 0; i < builder->joint_count && builder->forest.closure_count; i++)
        if (builder->edges[i].key == CLOSURE_KEY)
            keys[count++] = (uint64_t)find_system(builder->forest.nodes, builder->edges[i].b)
                                << INDEX_BITS |
                            (uint32_t)i;
    cn_sort_keys(keys, builder->layout.spare_keys, count, INDEX_BITS);
    for (int i = 0; i < count; i++) {
        uint32_t index = (uint32_t)keys[i];
        uint64_t group = (uint64_t)system_of(builder, builder->edges[index].b)->group;
        keys[i] = group << INDEX_BITS | index;
    }
    cn_sort_keys(keys, builder->layout.spare_keys, count, INDEX_BITS);
}

// ---- lanes

static bool add_lane(plan_builder *builder, cn_batch *batch, cn_lane lane, bool child_is_a) {
    cn_memory *memory = &builder->sim->memory;
    return cn_append(memory, &batch->tree_lanes, lane) &&
           cn_append(memory, &batch->tree_links,
                     (cn_tree_link){-1, -1, child_is_a ? CN_LINK_CHILD_IS_A : 0, 0});
}

// Fills up the last block of a batch with unused lanes, and returns the number of blocks, or -1 if
// memory is short.
static int end_run(plan_builder *builder, cn_batch *batch) {
    const int lanes = batch->kernels->lanes;
    while (batch->tree_lanes.count % lanes)
        if (!add_lane(builder, batch, (cn_lane){0}, false)) return -1;
    int blocks = batch->tree_lanes.count / lanes, runs = batch->tree_runs.count;
    if (runs > 0) batch->tree_runs.items[runs - 1].end_block = blocks;
    return blocks;
}

static bool begin_run(plan_builder *builder, cn_batch *batch, cn_row_type type, bool leaves) {
    int block = end_run(builder, batch);
    cn_tree_run run = {block, block, type, leaves};
    return block >= 0 && cn_append(&builder->sim->memory, &batch->tree_runs, run);
}

static bool begin_group(plan_builder *builder, const group_plan *group) {
    int runs = group->batch->tree_runs.count;
    cn_tree_group new = {runs, runs, runs, group->batch->systems, 0, group->isolated};
    return cn_append(&builder->sim->memory, &group->batch->tree_groups, new);
}

static bool add_joint(plan_builder *builder, cn_batch *batch, int body, int joint,
                      cn_row_type type) {
    batch->tree_joints++;
    cn_lane lane = cn_joint_lane(builder, batch, joint);
    bool child_is_a = builder->sim->joint_records[joint].bodies[0] == builder->bodies[body];
    batch->has_tree_rows |= type == CN_ROW_POINT_ANGLE || type == CN_ROW_AXES;
    batch->has_tree_axes |= type == CN_ROW_AXES;
    return lane.a >= 0 && lane.b >= 0 && add_lane(builder, batch, lane, child_is_a);
}

static bool add_body(plan_builder *builder, cn_batch *batch, int body, cn_row_type type) {
    builder->forest.nodes[body].lane = batch->tree_lanes.count;
    if (type != CN_ROW_ROOT)
        return add_joint(builder, batch, body,
                         builder->edges[builder->forest.nodes[body].edge].slot, type);
    batch->has_tree_axes = true;
    return add_lane(builder, batch, (cn_lane){0, 0, builder->nodes[body].state, 0}, false);
}

static bool add_closure(plan_builder *builder, cn_batch *batch, const edge *e, int system) {
    cn_row_type type = builder->sim->joints[e->slot].row_type;
    int lane = batch->tree_lanes.count, a = e->a < 0 ? -1 : builder->forest.nodes[e->a].lane;
    if (!add_joint(builder, batch, e->b, e->slot, type)) return false;
    cn_tree_link *link = &batch->tree_links.items[lane];
    link->child_lane = builder->forest.nodes[e->b].lane, link->parent_lane = a,
    link->system = system;
    return true;
}

// Adds the closures of the last group, beginning with entry *next of the keys, and numbers their
// systems.
static bool add_closures(plan_builder *builder, int index, int *next) {
    cn_batch *batch = builder->layout.groups[index].batch;
    cn_tree_group *group = &batch->tree_groups.items[batch->tree_groups.count - 1];
    cn_row_type last_type = CN_ROW_NONE;
    int last_system = -1;
    for (; *next < builder->forest.closure_count; ++*next) {
        uint64_t key = builder->layout.closure_keys[*next];
        const edge *e = &builder->edges[(uint32_t)key];
        cn_row_type type = builder->sim->joints[e->slot].row_type;
        int system = find_system(builder->forest.nodes, e->b);
        if (key >> INDEX_BITS != (uint64_t)index) break;
        if (system != last_system) group->systems++, batch->systems++;
        if (type != last_type && !begin_run(builder, batch, type, false)) return false;
        last_type = type, last_system = system;
        if (!add_closure(builder, batch, e, batch->systems - 1)) return false;
    }
    // Closures add momentum to leaves, too, so no run may skip the sums of its bodies.
    for (int run = group->first_run; group->systems && run < group->end_run; run++)
        batch->tree_runs.items[run].leaves = false;
    group->end_closures = batch->tree_runs.count;
    return true;
}

// Adds the bodies in the order of their keys.
static bool add_bodies(plan_builder *builder) {
    uint64_t last_place = 0;
    for (int i = 0, closures = 0, last_group = -1; i < builder->forest.count; i++) {
        uint32_t index = (uint32_t)builder->layout.keys[i];
        int body = builder->forest.order[index], group = builder->layout.entry_groups[index];
        cn_batch *batch = builder->layout.groups[group].batch;
        cn_row_type type = row_type_above(builder, body);
        uint64_t place = place_of(builder, body);
        bool leaves = builder->forest.nodes[body].height == 0;
        if (group != last_group && !begin_group(builder, &builder->layout.groups[group]))
            return false;
        if ((group != last_group || place != last_place) &&
            !begin_run(builder, batch, type, leaves))
            return false;
        last_group = group, last_place = place;
        if (!add_body(builder, batch, body, type)) return false;
        cn_tree_group *added = &batch->tree_groups.items[batch->tree_groups.count - 1];
        added->end_run = added->end_closures = batch->tree_runs.count;
        bool is_last = i + 1 == builder->forest.count ||
                       builder->layout.keys[i + 1] >> INDEX_BITS != (uint64_t)group;
        if (is_last && !add_closures(builder, group, &closures)) return false;
    }
    return true;
}

static void link_lanes(plan_builder *builder) {
    for (int i = 0; i < builder->forest.count; i++) {
        int body = builder->forest.order[i], lane = builder->forest.nodes[body].lane;
        cn_batch *batch = cn_batch_of(builder, body);
        cn_tree_link *link = &batch->tree_links.items[lane];
        link->child_lane = lane;
        if (builder->forest.nodes[body].has_only_contacts) link->flags |= CN_LINK_ONLY_CONTACTS;
        if (!is_root(builder, body))
            link->parent_lane = builder->forest.nodes[towards_start(builder, body)].lane;
    }
}

bool cn_lay_out_trees(plan_builder *builder) {
    int groups = assign_groups(builder);
    sort_bodies(builder);
    sort_closures(builder);
    if (!add_bodies(builder)) return false;
    for (int i = 0; i < groups; i++)
        if (end_run(builder, builder->layout.groups[i].batch) < 0) return false;
    link_lanes(builder);
    return true;
}
