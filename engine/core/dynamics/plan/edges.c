/* The edges of the plan: its joints and contacts, their colours, and the islands that they link.
 *
 * Several workers list the contacts, each some ranges of slots. Then three loops go over all
 * contacts, each on one worker, at the same time: the first chooses the colours, which depend on
 * those of earlier contacts; the second links the bodies; the third counts the points between
 * bodies with several shapes. They read the list of edges, and each writes arrays of its own.
 */
#include "builder.h"

// ---- islands

// Joins the islands of both bodies. A body that is static or kinematic (a < 0) links nothing.
static inline void link_bodies(node *nodes, int a, int b) {
    if (a >= 0) cn_join_sets((cn_sets){&nodes->parent, sizeof(node) / sizeof(int)}, a, b);
}

// ---- colours

// Takes the lowest of the bits first..end - 1 that is free in both masks. Returns `end` if none is.
static int take_bit(uint64_t *mask_a, uint64_t *mask_b, int first, int end) {
    uint64_t allowed = ~(uint64_t)0 >> (MASK_BITS - end) & ~(uint64_t)0 << first;
    uint64_t free = ~(*mask_a | *mask_b) & allowed, bit = free & -free;
    if (!bit) return end;
    *mask_a |= bit;
    *mask_b |= bit;
    return cn_lowest_bit(bit);
}

// Chooses the colour of an edge between two dynamic bodies.
static int choose_dynamic_color(uint64_t *mask_a, uint64_t *mask_b) {
    return take_bit(mask_a, mask_b, 0, DYNAMIC_COLORS); // if none is free: DYNAMIC_OVERFLOW
}

// Chooses the colour of an edge whose other body is static or kinematic. Only B has a mask. The
// colour is one more than the bit, because DYNAMIC_OVERFLOW is a colour without a bit.
static int choose_static_color(uint64_t *mask_b, int first_bit) {
    return take_bit(mask_b, mask_b, first_bit, MASK_BITS) + 1; // if none is free: STATIC_OVERFLOW
}

// ---- contacts

// Lists the contacts of ranges of slots.
static void list_contacts(void *context, int first, int end) {
    const plan_builder *builder = context;
    const cn_touching_rows *touching = &builder->sim->touching;
    const node *nodes = builder->nodes;
    const int from = cn_first_of_range(builder, first, builder->word_count);
    const int to = cn_first_of_range(builder, end, builder->word_count);
    edge *e = builder->edges + builder->first_edges[first];
    CN_EACH_BIT(k, touching->planned + from, (to - from) * 64) {
        int slot = from * 64 + k, type = touching->row_types[slot];
        cn_contact_bodies pair = touching->bodies[slot];
        assert(cn_has_bit(builder->plan->body_bits.items, pair.b) &&
               (type & CN_PLAN_STATIC_A || cn_has_bit(builder->plan->body_bits.items, pair.a)));
        int b = builder->dense[pair.b], a = builder->dense[pair.a];
        bool is_compound = nodes[b].is_compound;
        if (type & CN_PLAN_STATIC_A)
            a = builder->sim->hot[pair.a].flags & CN_BODY_IS_KINEMATIC ? KINEMATIC_A - pair.a
                                                                       : STATIC_A;
        else
            is_compound |= nodes[a].is_compound;
        *e++ = (edge){
            .slot = slot, .a = a, .b = b, .row_types = (uint8_t)type, .counts_points = is_compound};
    }
}

// Chooses the colours of all contacts, in slot order.
static void color_contacts(plan_builder *builder, const edge *contacts, int count) {
    uint64_t *const masks = builder->masks;
    uint8_t *const colors = builder->colors;
    int kinematic = 0, row_types = 0;
    for (int i = 0; i < count; i++) {
        const int a = contacts[i].a, b = contacts[i].b;
        const int first_bit = a == STATIC_A ? FIRST_STATIC_BIT : FIRST_KINEMATIC_BIT;
        const int color = a >= 0 ? choose_dynamic_color(&masks[a], &masks[b])
                                 : choose_static_color(&masks[b], first_bit);
        colors[i] = (uint8_t)color;
        row_types |= contacts[i].row_types;
        if (a <= KINEMATIC_A) builder->kinematic_edges[kinematic++] = i;
    }
    builder->row_types = row_types, builder->kinematic_count = kinematic;
}

static void link_contacts(plan_builder *builder, const edge *contacts, int count) {
    node *const nodes = builder->nodes;
    for (int i = 0; i < count; i++) {
        nodes[contacts[i].b].degree++;
        link_bodies(nodes, contacts[i].a, contacts[i].b);
    }
}

// Adds the points of a contact to those of its pair. All static and kinematic bodies count as the
// same body.
static void count_points(plan_builder *builder, int i) {
    const cn_touching_rows *touching = &builder->sim->touching;
    const edge *contacts = builder->edges + builder->joint_count, *e = &contacts[i], *first = NULL;
    const int a = cn_max_int(e->a, -1);
    uint32_t hash = (uint32_t)a * 0x9E3779B1 + (uint32_t)e->b * 0x85EBCA77;
    if (builder->pairs.edges++ == 0)
        memset(builder->pairs.slots, 0,
               (size_t)builder->pairs.slot_count * sizeof *builder->pairs.slots);
    for (uint32_t k = hash ^ hash >> 16;
         !first || cn_max_int(first->a, -1) != a || first->b != e->b; k++) {
        int *pair = &builder->pairs.slots[k & (uint32_t)(builder->pairs.slot_count - 1)];
        if (!*pair) *pair = i + 1, builder->points[i].count = 0;
        first = &contacts[*pair - 1];
    }
    builder->points[i].first = (int)(first - contacts);
    builder->points[first - contacts].count +=
        touching->records[e->slot].meta & CN_META_ONE_POINT ? 1 : 2;
}

static void count_all_points(plan_builder *builder, const edge *contacts, int count) {
    for (int i = 0; i < count; i++)
        if (contacts[i].counts_points) count_points(builder, i);
}

// What one worker does with all contacts, while others do the rest.
typedef enum { COLORS, LINKS, POINTS, TASKS } task;

static void go_over_all(plan_builder *builder, task which) {
    const edge *contacts = builder->edges + builder->joint_count;
    const int count = builder->edge_count - builder->joint_count;
    if (which == COLORS) color_contacts(builder, contacts, count);
    if (which == LINKS) link_contacts(builder, contacts, count);
    if (which == POINTS && builder->has_compounds) count_all_points(builder, contacts, count);
}

static void run_tasks(void *context, int first, int end) {
    for (int i = first; i < end; i++) go_over_all(context, (task)i);
}

void cn_set_keys(plan_builder *builder, int first, int end) {
    for (int i = first; i < end; i++) {
        edge *e = &builder->edges[i];
        const int type = cn_row_type_in(e->row_types), contact = i - builder->joint_count;
        const int color = builder->colors[contact];
        if (e->counts_points) e->points = builder->points[builder->points[contact].first].count;
        e->key = FIRST_CONTACT_KEY + color * CN_CONTACT_ROW_TYPES + type;
    }
}

static void list_all_contacts(void *context, cn_worker *worker) {
    plan_builder *builder = context;
    cn_distribute(worker, builder->range_count, 1, list_contacts, builder);
    cn_distribute(worker, TASKS, 1, run_tasks, builder);
}

// ---- joints

// True if a joint of the body can be planned: the body is planned now, or it is static or
// kinematic.
static bool is_body_ready(const plan_builder *builder, int body) {
    const cn_body_hot *hot = &builder->sim->hot[body];
    if (!(hot->flags & CN_BODY_ENABLED)) return false;
    return !cn_is_dynamic(hot) || cn_has_bit(builder->plan->body_bits.items, body);
}

static bool is_joint_ready(const plan_builder *builder, int joint) {
    const int32_t *bodies = builder->sim->joint_records[joint].bodies;
    return is_body_ready(builder, bodies[0]) && is_body_ready(builder, bodies[1]);
}

// Returns the dense indices of the bodies of a joint: b is a dynamic body, a is -1 if the other one
// is not dynamic.
static cn_contact_bodies dense_bodies_of(const plan_builder *builder, int joint) {
    const int32_t *bodies = builder->sim->joint_records[joint].bodies;
    int dense[2];
    for (int k = 0; k < 2; k++)
        dense[k] = cn_is_dynamic(&builder->sim->hot[bodies[k]]) ? builder->dense[bodies[k]] : -1;
    bool swap = dense[1] < 0;
    return (cn_contact_bodies){dense[swap], dense[!swap]};
}

// True if the joint has a coupling, and both of its joints are to be solved.
static bool is_coupled(const plan_builder *builder, int joint) {
    const cn_joint_data *joints = builder->sim->joints;
    int other = joints[joint].coupling.other;
    return other >= 0 && !joints[joint].def.disabled && !joints[other].def.disabled &&
           is_joint_ready(builder, other) && cn_joint_has_dynamic_body(builder->sim, other);
}

// Chooses the colours of the joints that are iterated.
static void color_joints(plan_builder *builder) {
    uint64_t *masks = builder->joint_masks;
    for (edge *e = builder->edges; e < builder->edges + builder->joint_count; e++) {
        if (e->key < CN_ROW_POINT) continue; // a coupling, or in a tree
        int color = e->a >= 0 ? choose_dynamic_color(&masks[e->a], &masks[e->b])
                              : choose_static_color(&masks[e->b], FIRST_KINEMATIC_BIT);
        e->key = 1 + color * CN_JOINT_ROW_TYPES + e->key - CN_ROW_POINT;
    }
}

static void add_edge(plan_builder *builder, int joint, cn_contact_bodies dense, int key) {
    builder->edges[builder->edge_count++] =
        (edge){.slot = joint, .a = dense.a, .b = dense.b, .key = key};
    builder->nodes[dense.b].degree++;
    link_bodies(builder->nodes, dense.a, dense.b);
}

static void add_coupling(plan_builder *builder, int joint) {
    cn_contact_bodies dense = dense_bodies_of(builder, joint);
    add_edge(builder, joint, dense, 0);
    cn_contact_bodies other = dense_bodies_of(builder, builder->sim->joints[joint].coupling.other);
    link_bodies(builder->nodes, other.a, other.b);
    link_bodies(builder->nodes, other.b, dense.b);
}

// Adds the joints of a body, and their couplings. A joint belongs to the first of its bodies that
// is dynamic.
static void list_joints_of(plan_builder *builder, int body) {
    cn_simulation *sim = builder->sim;
    bool springs_changed = sim->hot[body].flags & CN_BODY_SPRINGS_CHANGED;
    sim->hot[body].flags &= ~(uint32_t)CN_BODY_SPRINGS_CHANGED;
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        const int32_t *bodies = sim->joint_records[i].bodies;
        bool second = !cn_is_dynamic(&sim->hot[bodies[0]]);
        if (springs_changed) sim->prepared_joints[i].h = 0; // to be prepared again
        if (bodies[second] != body || !is_joint_ready(builder, i)) continue;
        cn_row_type type = sim->joints[i].row_type;
        if (type != CN_ROW_NONE) add_edge(builder, i, dense_bodies_of(builder, i), (int)type);
        if (is_coupled(builder, i))
            add_coupling(builder, i);
        else if (sim->joints[i].coupling.other >= 0)
            sim->uncoupled.items[sim->uncoupled.count++] = i;
    }
}

static void list_joints(plan_builder *builder) {
    if (!builder->sim->slots[CN_JOINTS].count) return;
    CN_EACH_BIT(body, builder->plan->body_bits.items, builder->sim->slots[CN_BODIES].end) {
        if (builder->sim->first_joint[body] >= 0) list_joints_of(builder, body);
    }
    builder->joint_count = builder->edge_count;
    cn_find_trees(builder);
    color_joints(builder);
}

// Finds where the contacts of each range begin in `edges`.
static void find_first_edges(plan_builder *builder) {
    const cn_touching_rows *touching = &builder->sim->touching;
    for (builder->word_count = touching->words;
         builder->word_count && !touching->planned[builder->word_count - 1];
         builder->word_count--) {}
    for (int i = 0; i < builder->range_count; i++) {
        const int from = cn_first_of_range(builder, i, builder->word_count);
        const int to = cn_first_of_range(builder, i + 1, builder->word_count);
        builder->first_edges[i] = builder->edge_count;
        builder->edge_count += cn_count_bits(touching->planned + from, to - from);
    }
    builder->first_edges[builder->range_count] = builder->edge_count;
}

void cn_list_edges(plan_builder *builder) {
    list_joints(builder);
    find_first_edges(builder);
    cn_run(builder->sim->team, builder->edge_count - builder->joint_count, list_all_contacts,
           builder);
}

// ---- islands

void cn_number_islands(plan_builder *builder) {
    for (int i = 0; i < builder->body_count; i++) {
        node *n = &builder->nodes[i];
        int parent = n->parent; // itself, or a node before it, which is already numbered
        n->parent = parent == i ? builder->island_count++ : builder->nodes[parent].parent;
        island *of = &builder->islands[n->parent];
        if (parent == i) *of = (island){0};
        of->bodies++;
        of->edges += (int)n->degree;
    }
}
