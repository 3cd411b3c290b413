/* The plan: which contacts and joints are solved together, and in which order.
 *
 * An island is a set of bodies that are connected by touching contacts and joints. Static and
 * kinematic bodies connect nothing. Whole islands are packed into batches of a size that fits the
 * cache. forest.c finds the joints that are solved directly. Within a batch the contacts are
 * coloured, and separately the joints that are iterated: no two edges of a colour share a body that
 * can move. So they can be solved at the same time, in lanes. The colours of contacts with static
 * bodies come last, because the constraint that is solved last is fulfilled best.
 *
 *      bodies by slot   --union-find-->     islands --packed--> batches
 *      contacts by slot --greedy colours--> (colour, type) --> lanes, padded with zero contacts
 *
 * The plan is not part of the state: the colours of an island follow from its contacts in slot
 * order, and the result of the solver does not depend on how islands are packed. Only dirty batches
 * are planned again. A batch is dirty if one of its contacts began or ended, or if one of its
 * bodies was added, removed or changed. Two bitmaps give the bodies and contacts to plan in slot
 * order.
 *
 * In busy scenes every batch is planned in every step. So only three loops go over all contacts,
 * each in slot order: they link and colour them, count them by batch and key, and put them into
 * their lanes. Colours can be chosen before the islands are known, because bodies of different
 * islands share no contact. The loops use small arrays, indexed by the dense index of a body. They
 * read only the bodies and the row type of a contact.
 *
 * Several contacts between the same two bodies act side by side, and their stiffness adds up. If
 * one of the bodies has several shapes, the contacts of the pair are counted. Each of n contacts is
 * 1 / n as stiff.
 */
#include "builder.h"

// ---- which bodies and contacts are planned

bool cn_belongs_in_plan(const cn_simulation *sim, int body) {
    const uint32_t needed = CN_BODY_ALIVE | CN_BODY_ENABLED | CN_BODY_IS_DYNAMIC;
    return (sim->hot[body].flags & needed) == needed && cn_body_is_awake(sim, body);
}

// Puts the body into the set of bodies to plan, or records that it is in no batch.
static void mark_body(cn_simulation *sim, int body) {
    if (cn_belongs_in_plan(sim, body))
        cn_set_bit(sim->plan.body_bits.items, body);
    else
        sim->warm[body].batch = sim->warm[body].batch_state = -1;
}

// Marks the contacts of a batch. It also marks slots whose contact has ended, and slot 0 of the
// unused lanes; mark_batches() removes them.
static void mark_contacts(cn_simulation *sim, const cn_batch *batch) {
    for (int i = batch->joint_blocks * batch->kernels->lanes; i < batch->lanes.count; i++)
        cn_set_bit(sim->touching.planned, batch->lanes.items[i].slot);
}

// Marks the bodies and contacts of the dirty batches, and frees these batches. If no batch stays,
// it marks all contacts.
static void mark_batches(cn_simulation *sim) {
    cn_plan *plan = &sim->plan;
    uint64_t *contacts = sim->touching.planned;
    bool any_stays = false;
    for (int i = 0; i < plan->batch_count; i++)
        any_stays |= plan->batches[i].alive && !plan->batches[i].dirty;
    for (int i = 0; i < sim->touching.words && !any_stays; i++) contacts[i] = ~(uint64_t)0;
    for (int i = 0; i < plan->batch_count; i++) {
        cn_batch *batch = &plan->batches[i];
        if (!batch->alive || !batch->dirty) continue;
        for (int k = 0; k < batch->body_count; k++) mark_body(sim, batch->bodies.items[k]);
        if (any_stays) mark_contacts(sim, batch);
        batch->alive = false;
    }
    for (int i = 0; i < sim->touching.words; i++) contacts[i] &= sim->touching.occupied[i];
}

// Marks all that is planned in this step: dirty batches, bodies that are in no plan yet, waking
// bodies, and new contacts.
static void mark_all(cn_simulation *sim) {
    uint64_t *contacts = sim->touching.planned;
    mark_batches(sim);
    for (int i = 0; i < sim->unplanned_count; i++) {
        sim->hot[sim->unplanned[i]].flags &= ~(uint32_t)CN_BODY_UNPLANNED;
        mark_body(sim, sim->unplanned[i]);
    }
    sim->unplanned_count = 0;
    for (int i = 0; i < sim->waking.count; i++)
        for (int body = sim->sleeping_islands[sim->waking.items[i]].first_body; body >= 0;
             body = sim->warm[body].next)
            mark_body(sim, body);
    for (int i = 0; i < sim->new_slots.count; i++) cn_set_bit(contacts, sim->new_slots.items[i]);
    for (int i = 0; i < sim->lost_slots.count; i++)
        cn_clear_bit(contacts, sim->lost_slots.items[i]);
}

// ---- islands

// Joins the islands of both bodies. A static or kinematic body (a: -1) links nothing.
static void link_bodies(node *nodes, int a, int b) {
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

// ---- edges

static void add_edge(plan_builder *builder, int slot, cn_contact_bodies dense, int key) {
    builder->edges[builder->edge_count++] = (edge){slot, dense.a, dense.b, key, -1, 0};
    builder->nodes[dense.b].degree++;
    link_bodies(builder->nodes, dense.a, dense.b);
}

// Adds the points of the last edge to those of its pair. All static and kinematic bodies count as
// the same body.
static void count_points(plan_builder *builder) {
    edge *e = &builder->edges[builder->edge_count - 1], *first = NULL;
    uint32_t hash = (uint32_t)e->a * 0x9E3779B1 + (uint32_t)e->b * 0x85EBCA77;
    if (builder->pairs.edges++ == 0)
        memset(builder->pairs.slots, 0,
               (size_t)builder->pairs.slot_count * sizeof *builder->pairs.slots);
    for (uint32_t i = hash ^ hash >> 16; !first || first->a != e->a || first->b != e->b; i++) {
        int *pair = &builder->pairs.slots[i & (uint32_t)(builder->pairs.slot_count - 1)];
        if (!*pair) *pair = builder->edge_count;
        first = &builder->edges[*pair - 1];
    }
    e->first = (int)(first - builder->edges);
    first->points += builder->sim->touching.records[e->slot].meta & CN_META_ONE_POINT ? 1 : 2;
}

// Returns the first bit that may stand for the colour of a contact with a static or kinematic A.
static int first_bit_of(const plan_builder *builder, int slot) {
    const cn_body_hot *a = &builder->sim->hot[builder->sim->touching.bodies[slot].a];
    return a->flags & CN_BODY_IS_KINEMATIC ? FIRST_KINEMATIC_BIT : FIRST_STATIC_BIT;
}

static void list_contacts(plan_builder *builder) {
    const cn_touching_rows *touching = &builder->sim->touching;
    CN_EACH_BIT(slot, touching->planned, touching->words * 64) {
        cn_contact_bodies pair = touching->bodies[slot];
        int type = touching->row_types[slot];
        builder->row_types |= type;
        assert(cn_has_bit(builder->plan->body_bits.items, pair.b) &&
               (type & CN_PLAN_STATIC_A || cn_has_bit(builder->plan->body_bits.items, pair.a)));
        pair = (cn_contact_bodies){type & CN_PLAN_STATIC_A ? -1 : builder->dense[pair.a],
                                   builder->dense[pair.b]};
        node *b = &builder->nodes[pair.b];
        int color = pair.a >= 0 ? choose_dynamic_color(&builder->nodes[pair.a].mask, &b->mask)
                                : choose_static_color(&b->mask, first_bit_of(builder, slot));
        add_edge(builder, slot, pair,
                 FIRST_CONTACT_KEY + color * CN_CONTACT_ROW_TYPES + cn_row_type_in(type));
        if (b->is_compound || (pair.a >= 0 && builder->nodes[pair.a].is_compound))
            count_points(builder);
    }
}

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
        list_joints_of(builder, body);
    }
    builder->joint_count = builder->edge_count;
    cn_find_trees(builder);
    color_joints(builder);
}

// ---- memory

static int count_bits(const uint64_t *bits, int words) {
    int count = 0;
    for (int i = 0; i < words; i++) count += __builtin_popcountll(bits[i]);
    return count;
}

static void take_memory(plan_builder *builder, cn_arena *arena, int edges) {
    builder->dense = cn_take(
        arena, builder->body_count ? builder->sim->slots[CN_BODIES].capacity : 0, sizeof(int));
    builder->bodies = cn_take(arena, builder->body_count, sizeof(int));
    builder->nodes = cn_take(arena, builder->body_count, sizeof(node));
    int tree_bodies = builder->joint_count ? builder->body_count : 0;
    builder->joint_masks = cn_take(arena, tree_bodies, sizeof(uint64_t));
    builder->forest.nodes = cn_take(arena, tree_bodies, sizeof(tree_node));
    builder->forest.islands = cn_take(arena, tree_bodies, sizeof(island_trees));
    builder->forest.links = cn_take(arena, 2 * builder->joint_count, sizeof(int));
    builder->forest.order = cn_take(arena, tree_bodies, sizeof(int));
    builder->layout.entry_groups = cn_take(arena, tree_bodies, sizeof(int));
    builder->layout.ranks = cn_take(arena, tree_bodies, sizeof(int));
    builder->layout.place_counts = cn_take(arena, TREE_ROW_TYPES * tree_bodies, sizeof(int));
    builder->layout.groups = cn_take(arena, tree_bodies, sizeof(group_plan));
    builder->layout.keys = cn_take(arena, tree_bodies, sizeof(uint64_t));
    builder->layout.closure_keys = cn_take(arena, builder->joint_count, sizeof(uint64_t));
    builder->layout.spare_keys =
        cn_take(arena, cn_max_int(tree_bodies, builder->joint_count), sizeof(uint64_t));
    builder->islands = cn_take(arena, builder->body_count, sizeof(island));
    builder->edges = cn_take(arena, edges, sizeof(edge));
    for (builder->pairs.slot_count = 2; builder->pairs.slot_count < edges + edges / 2;
         builder->pairs.slot_count *= 2) {}
    builder->pairs.slots = cn_take(arena, builder->pairs.slot_count, sizeof(int));
    if (!builder->sim->team) return;
    builder->order = cn_take(arena, edges, sizeof(int));
    builder->ends = cn_take(arena, builder->body_count + 2, sizeof(int));
}

static bool begin_plan(plan_builder *builder) {
    cn_simulation *sim = builder->sim;
    cn_arena counter = {0};
    builder->body_count = count_bits(builder->plan->body_bits.items, cn_body_words(sim));
    builder->joint_count =
        builder->sim->slots[CN_JOINTS].count + builder->sim->coupling_count; // an upper bound
    int edges = builder->joint_count + count_bits(sim->touching.planned, sim->touching.words);
    take_memory(builder, &counter, edges);
    sim->uncoupled.count = 0;
    if (!cn_reserve(&sim->memory, &sim->uncoupled, sim->coupling_count) ||
        !cn_scratch(sim, counter.used))
        return false;
    take_memory(builder, &sim->arena, edges);
    return true;
}

// Reserves the lists of trees, for the tree that fills the fewest lanes: a chain, which has a block
// for each joint. Roots of different heights may have a block each, too.
static bool reserve_trees(cn_simulation *sim, cn_batch *batch, int joints) {
    enum { ROOT_BLOCKS = 64 }; // more roots of different heights need 2000 joints
    cn_memory *memory = &sim->memory;
    int blocks = joints > 0 ? joints + ROOT_BLOCKS : 0, lanes = blocks * sim->kernels->lanes;
    batch->tree_lanes.count = lanes, batch->tree_groups.count = joints, batch->systems = joints / 2;
    batch->has_tree_rows = batch->has_tree_axes = joints > 0;
    return cn_reserve(memory, &batch->tree_groups, joints) &&
           cn_reserve(memory, &batch->tree_runs, blocks) &&
           cn_reserve(memory, &batch->tree_lanes, lanes) &&
           cn_reserve(memory, &batch->tree_links, lanes);
}

static bool reserve_batch(cn_simulation *sim, cn_batch *batch, int bodies, int edges, int joints) {
    enum { COLORS = 16 }; // number of colours whose last block is not full
    cn_memory *memory = &sim->memory;
    int colors = cn_min_int(edges, COLORS);
    batch->bodies.count = bodies;
    batch->lanes.count = edges + (sim->kernels->lanes - 1) * colors;
    batch->island_sizes.count = bodies;
    if (!reserve_trees(sim, batch, joints)) return false;
    size_t bytes = sim->kernels->batch_bytes(batch);
    return cn_scratch(sim, (size_t)cn_team_workers(sim->team) * bytes) &&
           cn_reserve(memory, &batch->bodies, bodies) &&
           cn_reserve(memory, &batch->island_sizes, bodies) &&
           cn_reserve(memory, &batch->colors, colors) &&
           cn_reserve(memory, &batch->lanes, batch->lanes.count);
}

bool cn_reserve_plan(cn_simulation *sim, int bodies, int edges) {
    if (bodies == 0) return true;
    cn_plan *plan = &sim->plan;
    cn_arena counter = {0};
    plan_builder largest = {
        .sim = sim, .body_count = bodies, .joint_count = sim->slots[CN_JOINTS].capacity};
    take_memory(&largest, &counter, edges);
    int count = (bodies + BATCH_MEAN_BODIES - 1) / BATCH_MEAN_BODIES;
    if (!cn_fit(&sim->memory, &plan->batches, &plan->batch_capacity, count) ||
        !cn_reserve(&sim->memory, &plan->body_bits, (bodies + 63) / 64) ||
        !cn_reserve_body_sets(sim, bodies) ||
        !cn_reserve(&sim->memory, &plan->sweeps, count * 2 * sim->substeps) ||
        !cn_reserve(&sim->memory, &plan->keys, count * KEYS) || !cn_scratch(sim, counter.used))
        return false;
    int joints = sim->slots[CN_JOINTS].capacity;
    bool done = true;
    plan->reserved_batches = count;
    while (done && plan->batch_count < count)
        done = reserve_batch(sim, &plan->batches[plan->batch_count++],
                             cn_min_int(bodies, BATCH_BODIES),
                             cn_min_int(edges, 2 * (edges / count) + 1),
                             cn_min_int(joints, 2 * (joints / count) + 1));
    return done;
}

// ---- bodies and islands of the plan

static void list_bodies(plan_builder *builder) {
    int count = 0;
    CN_EACH_BIT(body, builder->plan->body_bits.items, builder->sim->slots[CN_BODIES].end) {
        builder->dense[body] = count;
        builder->bodies[count] = body;
        bool compound = builder->sim->warm[body].first_shape != builder->sim->warm[body].last_shape;
        builder->nodes[count] = (node){.parent = count, .is_compound = compound};
        count++;
    }
    if (builder->joint_count)
        memset(builder->joint_masks, 0, (size_t)count * sizeof *builder->joint_masks);
}

// Numbers the islands in order of their first bodies. After that the parent of a node is the number
// of its island.
static void number_islands(plan_builder *builder) {
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

// ---- the stage

void cn_forget_plan(cn_simulation *sim) {
    cn_plan *plan = &sim->plan;
    for (int i = 0; i < plan->batch_count; i++) plan->batches[i].alive = false;
    plan->dirty = true;
    sim->unplanned_count = 0;
    for (int body = 0; body < sim->slots[CN_BODIES].end; body++) {
        sim->hot[body].flags &= ~(uint32_t)CN_BODY_UNPLANNED;
        sim->warm[body].batch = sim->warm[body].batch_state = -1;
        cn_replan_body(sim, body);
    }
}

// Clears the flags that the workers set for each other in a batch.
static void clear_flags(cn_batch *batch) {
    cn_store_relaxed(&batch->any_response, false);
    cn_store_relaxed(&batch->any_pressed, false);
    atomic_store_explicit(&batch->listed, CN_NO_SUBSTEP, memory_order_relaxed);
    atomic_store_explicit(&batch->listed_beside_trees, CN_NO_SUBSTEP, memory_order_relaxed);
    cn_store_relaxed(&batch->orders_bounces, false);
}

// Reserves the scratch memory of the solver. Each worker needs memory for the largest batch that
// one worker solves alone. All workers together solve a giant batch, which may use all of the
// memory.
static bool reserve_for_solver(cn_simulation *sim) {
    size_t workers = (size_t)cn_team_workers(sim->team), largest = 0, largest_giant = 0;
    sim->plan.work_items = 0;
    for (int i = 0; i < sim->plan.batch_count; i++)
        if (sim->plan.batches[i].alive) sim->plan.work_items += cn_work_of(&sim->plan.batches[i]);
    for (int i = 0; i < sim->plan.batch_count; i++) {
        cn_batch *batch = &sim->plan.batches[i];
        clear_flags(batch);
        size_t bytes = batch->alive ? batch->kernels->batch_bytes(batch) : 0;
        size_t *maximum = cn_is_giant(sim, batch) ? &largest_giant : &largest;
        if (bytes > *maximum) *maximum = bytes;
    }
    sim->arena_per_worker = largest;
    sim->plan.sweeps.count = sim->plan.batch_count * 2 * sim->substeps;
    if (!cn_reserve(&sim->memory, &sim->plan.sweeps, sim->plan.sweeps.count)) return false;
    for (int i = 0; i < sim->plan.sweeps.count; i++)
        sim->plan.sweeps.items[i] = (cn_impact_sweeps){0};
    return cn_reserve_body_sets(sim, sim->slots[CN_BODIES].end) &&
           cn_scratch(sim, largest * workers > largest_giant ? largest * workers : largest_giant);
}

// Lists all that is planned in this step, and finds its islands and colours.
static bool list_all(plan_builder *builder) {
    cn_simulation *sim = builder->sim;
    mark_all(sim);
    if (!begin_plan(builder)) return false;
    list_bodies(builder);
    list_joints(builder);
    list_contacts(builder);
    number_islands(builder);
    cn_survey_joints(builder);
    for (int i = 0; i < sim->touching.words; i++) sim->touching.planned[i] = 0;
    return true;
}

// If the reserved batches do not suffice, all islands are planned again. Otherwise bodies that come
// one after the other would each get a batch.
static bool make_plan(cn_simulation *sim) {
    const plan_builder empty = {.sim = sim, .plan = &sim->plan};
    plan_builder builder = empty;
    if (!cn_clear_body_bits(sim) || !list_all(&builder)) return false;
    if (!cn_has_batches(&builder)) {
        for (int i = 0; i < sim->plan.batch_count; i++) sim->plan.batches[i].dirty = true;
        builder = empty;
        if (!list_all(&builder)) return false;
    }
    return cn_make_batches(&builder);
}

bool cn_plan_islands(cn_simulation *sim) {
    if ((sim->plan.dirty && !make_plan(sim)) || !reserve_for_solver(sim)) return false;
    sim->plan.dirty = false;
    return true;
}

void cn_clear_uncoupled(cn_simulation *sim) {
    for (int i = 0; i < sim->uncoupled.count; i++) {
        int joint = sim->uncoupled.items[i];
        sim->joints[joint].coupling.impulse = 0;
        sim->joint_load[joint] = (cn_joint_load){0};
    }
    sim->uncoupled.count = 0;
}
