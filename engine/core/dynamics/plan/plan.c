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
 * In busy scenes every batch is planned in every step, so workers share the long loops: they go
 * over ranges of contacts or bodies (edges.c, batch.c). Colours can be chosen before the islands
 * are known, because bodies of different islands share no contact. The loops use small arrays,
 * indexed by the dense index of a body. Most of them read only the bodies and the row type of a
 * contact.
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
static void mark_body(cn_simulation *sim, int body, bool shared) {
    if (cn_belongs_in_plan(sim, body))
        cn_set_shared_bit(sim->plan.body_bits.items, body, shared);
    else
        sim->warm[body].batch = sim->warm[body].batch_state = -1;
}

typedef struct {
    cn_simulation *sim;
    const cn_batch *batch;
    bool shared;
} batch_mark;

static void mark_bodies(void *context, int first, int end) {
    const batch_mark *m = context;
    for (int i = first; i < end; i++) mark_body(m->sim, m->batch->bodies.items[i], m->shared);
}

// Marks the contacts of a batch, or removes their marks. It also marks slots whose contact has
// ended, and slot 0 of the unused lanes; mark_batches() removes these.
static void mark_contacts_of(cn_simulation *sim, const cn_batch *batch, bool planned) {
    for (int i = batch->joint_blocks * batch->kernels->lanes; i < batch->lanes.count; i++)
        if (planned)
            cn_set_bit(sim->touching.planned, batch->lanes.items[i].slot);
        else
            cn_clear_bit(sim->touching.planned, batch->lanes.items[i].slot);
}

// Marks the bodies and contacts of the dirty batches, and frees these batches. If they have most of
// the contacts, all contacts are marked but those of the other batches.
static void mark_batches(cn_simulation *sim) {
    cn_plan *plan = &sim->plan;
    uint64_t *contacts = sim->touching.planned;
    int lanes[2] = {0}; // of the batches that stay, and of the dirty ones
    for (int i = 0; i < plan->batch_count; i++)
        if (plan->batches[i].alive) lanes[plan->batches[i].dirty] += plan->batches[i].lanes.count;
    const bool most = lanes[true] >= lanes[false];
    for (int i = 0; i < sim->touching.words && most; i++) contacts[i] = sim->touching.occupied[i];
    for (int i = 0; i < plan->batch_count; i++) {
        cn_batch *batch = &plan->batches[i];
        if (!batch->alive) continue;
        if (batch->dirty != most) mark_contacts_of(sim, batch, batch->dirty);
        if (!batch->dirty) continue;
        batch_mark mark = {sim, batch, cn_team_shares(sim->team, batch->body_count)};
        cn_run_loop(sim->team, batch->body_count, batch->body_count, 0, mark_bodies, &mark);
        batch->alive = false;
    }
    for (int i = 0; i < sim->touching.words && !most; i++) contacts[i] &= sim->touching.occupied[i];
}

// Marks all that is planned in this step: dirty batches, bodies that are in no plan yet, waking
// bodies, and new contacts.
static void mark_all(cn_simulation *sim) {
    uint64_t *contacts = sim->touching.planned;
    mark_batches(sim);
    for (int i = 0; i < sim->unplanned_count; i++) {
        sim->hot[sim->unplanned[i]].flags &= ~(uint32_t)CN_BODY_UNPLANNED;
        mark_body(sim, sim->unplanned[i], false);
    }
    sim->unplanned_count = 0;
    for (int i = 0; i < sim->waking.count; i++)
        for (int body = sim->sleeping_islands[sim->waking.items[i]].first_body; body >= 0;
             body = sim->warm[body].next)
            mark_body(sim, body, false);
    for (int i = 0; i < sim->new_slots.count; i++) cn_set_bit(contacts, sim->new_slots.items[i]);
    for (int i = 0; i < sim->lost_slots.count; i++)
        cn_clear_bit(contacts, sim->lost_slots.items[i]);
}

// ---- memory

// Returns the most sections that these bodies and edges can have. Two batches that follow one
// another have together more bodies or edges than fit into one batch, except the last ones of
// islands with the same number of substeps.
static int max_sections(int bodies, int edges) {
    return (bodies >> SECTION_SHIFT) + 2 * (bodies / BATCH_BODIES + edges / BATCH_CONTACTS) + 4;
}

static void take_memory(plan_builder *builder, cn_arena *arena, int edges) {
    builder->dense = cn_take(
        arena, builder->body_count ? builder->sim->slots[CN_BODIES].capacity : 0, sizeof(int));
    builder->bodies = cn_take(arena, builder->body_count, sizeof(int));
    builder->nodes = cn_take(arena, builder->body_count, sizeof(node));
    builder->masks = cn_take(arena, builder->body_count, sizeof(uint64_t));
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
    builder->colors = cn_take(arena, edges, sizeof(uint8_t));
    builder->first_edges = cn_take(arena, builder->range_count + 1, sizeof(int));
    builder->points = cn_take(arena, edges, sizeof(pair_points));
    builder->kinematic_edges = cn_take(arena, edges, sizeof(int));
    for (builder->pairs.slot_count = 2; builder->pairs.slot_count < edges + edges / 2;
         builder->pairs.slot_count *= 2) {}
    builder->pairs.slots = cn_take(arena, builder->pairs.slot_count, sizeof(int));
    const int sections = max_sections(builder->body_count, edges);
    builder->sections = cn_take(arena, sections, sizeof(section));
    builder->sorted = cn_take(arena, builder->is_shared ? edges : 0, sizeof(edge));
    builder->sorted_places =
        cn_take(arena, builder->is_shared ? sections * builder->range_count : 0, sizeof(int));
}

static int ranges_of(const cn_simulation *sim) {
    return sim->team ? RANGES_PER_WORKER * cn_team_workers(sim->team) : 1;
}

static bool begin_plan(plan_builder *builder) {
    cn_simulation *sim = builder->sim;
    cn_arena counter = {0};
    builder->body_count = cn_count_bits(builder->plan->body_bits.items, cn_body_words(sim));
    builder->joint_count =
        builder->sim->slots[CN_JOINTS].count + builder->sim->coupling_count; // an upper bound
    const int contacts = cn_count_bits(sim->touching.planned, sim->touching.words);
    const int edges = builder->joint_count + contacts;
    builder->is_shared = cn_team_shares(sim->team, contacts);
    builder->range_count = ranges_of(sim);
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
    plan_builder largest = {.sim = sim,
                            .body_count = bodies,
                            .joint_count = sim->slots[CN_JOINTS].capacity,
                            .is_shared = sim->team,
                            .range_count = ranges_of(sim)};
    take_memory(&largest, &counter, edges);
    int count = (bodies + BATCH_MEAN_BODIES - 1) / BATCH_MEAN_BODIES;
    if (!cn_fit(&sim->memory, &plan->batches, &plan->batch_capacity, count) ||
        !cn_reserve(&sim->memory, &plan->body_bits, (bodies + 63) / 64) ||
        !cn_reserve_body_sets(sim, bodies) ||
        !cn_reserve(&sim->memory, &plan->sweeps, count * 2 * sim->substeps) ||
        !cn_reserve(&sim->memory, &plan->keys,
                    (count + (sim->team ? bodies >> SECTION_SHIFT : 0)) * KEYS) ||
        !cn_scratch(sim, counter.used))
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

typedef struct {
    plan_builder *builder;
    int first[MAX_RANGES]; // by range of words of bits: the dense index of its first body
} body_list;

static void list_bodies_in(const body_list *list, int range) {
    plan_builder *builder = list->builder;
    const cn_simulation *sim = builder->sim;
    const int words = cn_body_words(sim);
    const int from = cn_first_of_range(builder, range, words);
    const int to = cn_first_of_range(builder, range + 1, words);
    int dense = list->first[range];
    CN_EACH_BIT(k, builder->plan->body_bits.items + from, (to - from) * 64) {
        const int body = from * 64 + k;
        const bool compound = sim->warm[body].first_shape != sim->warm[body].last_shape;
        if (compound) cn_set_shared_bool(&builder->has_compounds);
        builder->dense[body] = dense;
        builder->bodies[dense] = body;
        builder->masks[dense] = 0;
        builder->nodes[dense] = (node){.parent = dense, .is_compound = compound};
        dense++;
    }
}

static void list_ranges(void *context, int first, int end) {
    for (int i = first; i < end; i++) list_bodies_in(context, i);
}

static void list_bodies(plan_builder *builder) {
    const cn_simulation *sim = builder->sim;
    const uint64_t *bits = builder->plan->body_bits.items;
    body_list list;
    list.builder = builder;
    for (int i = 0, count = 0; i < builder->range_count; i++) {
        const int from = cn_first_of_range(builder, i, cn_body_words(sim));
        list.first[i] = count;
        count += cn_count_bits(bits + from,
                               cn_first_of_range(builder, i + 1, cn_body_words(sim)) - from);
    }
    cn_run_loop(sim->team, builder->body_count, builder->range_count, 1, list_ranges, &list);
    if (builder->joint_count)
        memset(builder->joint_masks, 0, (size_t)builder->body_count * sizeof *builder->joint_masks);
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
    cn_list_edges(builder);
    cn_number_islands(builder);
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
