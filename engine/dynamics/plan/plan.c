/* The plan: which contacts and joints are solved together, and in which order.
 *
 * An island is a set of bodies connected by touching contacts and joints (static and kinematic bodies
 * connect nothing). Whole islands are packed into batches of a size that fits the cache. Within a batch
 * contacts, and by themselves joints, are coloured: no two of a colour share a body that can move, so they
 * can be solved at the same time, in lanes. Static colours come last, their word counts most.
 *
 *      bodies by slot --union-find--> islands --packed--> batches
 *      contacts by slot --greedy colours--> (colour, type) --> lanes, padded with zero contacts
 *
 * The plan is not state: an island's colours follow from its contacts in slot order, and the result of
 * the solver does not depend on how islands are packed. Only batches marked dirty (a contact began or
 * ended there, a body came or changed) are planned anew; what is in them comes out of two bitmaps in slot
 * order.
 *
 * In busy scenes that is every batch in every step, so contacts are gone through three times only, in
 * slot order: they are linked and coloured, counted by batch and key, and put into their lanes. Colours
 * need no islands, because bodies of different islands share none. The loops touch small arrays, by the
 * dense index of a body; of the contacts only their bodies and kinds.
 *
 * Several contacts between the same two bodies push side by side, and their stiffness adds up. Where a body
 * has several shapes those of a pair are counted, and are made of the type that knows how many they are.
 */
#include "builder.h"

// ---- what is planned anew

bool cn_is_in_plan(const cn_simulation *sim, int body) {
    const uint32_t needed = CN_BODY_ALIVE | CN_BODY_ENABLED | CN_BODY_IS_DYNAMIC;
    return (sim->hot[body].flags & needed) == needed && cn_body_is_awake(sim, body);
}

static void mark_body(cn_simulation *sim, int body) {
    if (cn_is_in_plan(sim, body))
        cn_set_bit(sim->plan.body_bits.items, body);
    else
        sim->warm[body].batch = sim->warm[body].local = -1;
}

// Its contacts, and other slots: they may have ended, and unused lanes name slot 0.
static void mark_lanes(cn_simulation *sim, const cn_batch *batch) {
    for (int i = batch->joint_blocks * batch->kernels->lanes; i < batch->lanes.count; i++)
        cn_set_bit(sim->touching.planned, batch->lanes.items[i].slot);
}

// Empties the dirty batches into the bitmaps.
static void mark_batches(cn_simulation *sim) {
    cn_plan *plan = &sim->plan;
    uint64_t *contacts = sim->touching.planned;
    bool some_stay = false;
    for (int i = 0; i < plan->batch_count; i++)
        some_stay |= plan->batches[i].alive && !plan->batches[i].dirty;
    for (int i = 0; i < sim->touching.words; i++) contacts[i] = some_stay ? 0 : ~(uint64_t)0;
    for (int i = 0; i < plan->batch_count; i++) {
        cn_batch *batch = &plan->batches[i];
        if (!batch->alive || !batch->dirty) continue;
        for (int k = 0; k < batch->body_count; k++) mark_body(sim, batch->bodies.items[k]);
        if (some_stay) mark_lanes(sim, batch);
        batch->alive = false;
    }
    for (int i = 0; i < sim->touching.words; i++) contacts[i] &= sim->touching.occupied[i];
}

// With fresh and waking bodies and new contacts.
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

static int find_root(node *nodes, int i) {
    while (nodes[i].parent != i) {
        nodes[i].parent = nodes[nodes[i].parent].parent; // path halving
        i = nodes[i].parent;
    }
    return i;
}

// The smaller root wins, so a root is the first body of its island. What is fixed (a: -1) links nothing.
static void link_bodies(node *nodes, int a, int b) {
    if (a < 0) return;
    a = find_root(nodes, a), b = find_root(nodes, b);
    nodes[cn_max_int(a, b)].parent = cn_min_int(a, b);
}

// ---- colours

// The lowest colour free in the masks of both bodies; what is fixed has the other's, and looks at the bits
// from `fixed` on only.
static int choose_color(uint64_t *a, uint64_t *b, int first_color) {
    const uint64_t below = ((uint64_t)1 << (first_color ? first_color : DYNAMIC_COLORS)) - 1;
    uint64_t free = ~(*a | *b) & (first_color ? ~below : below), bit = free & -free;
    if (!bit) return first_color ? STATIC_OVERFLOW : DYNAMIC_OVERFLOW;
    *a |= bit;
    *b |= bit;
    return cn_lowest_bit(bit) + (first_color > 0);
}

// ---- edges

static void add_edge(plan_builder *d, int slot, cn_contact_bodies dense, int key) {
    d->edges[d->edge_count++] = (edge){slot, dense.a, dense.b, key, -1, 0};
    d->nodes[dense.b].degree++;
    link_bodies(d->nodes, dense.a, dense.b);
}

// Counts the points of the last edge with those of its pair; what is fixed is one body.
static void count_points(plan_builder *d) {
    edge *e = &d->edges[d->edge_count - 1], *first = NULL;
    uint32_t hash = (uint32_t)e->a * 0x9E3779B1 + (uint32_t)e->b * 0x85EBCA77;
    if (d->counted++ == 0) memset(d->pairs, 0, (size_t)d->pair_slots * sizeof *d->pairs);
    for (uint32_t i = hash ^ hash >> 16; !first || first->a != e->a || first->b != e->b; i++) {
        int *pair = &d->pairs[i & (uint32_t)(d->pair_slots - 1)];
        if (!*pair) *pair = d->edge_count;
        first = &d->edges[*pair - 1];
    }
    e->first = (int)(first - d->edges);
    first->points += d->sim->touching.records[e->slot].meta & CN_META_ONE_POINT ? 1 : 2;
}

// Is what is fixed in a contact?
static bool is_kinematic(const plan_builder *d, int slot) {
    return d->sim->hot[d->sim->touching.bodies[slot].a].flags & CN_BODY_IS_KINEMATIC;
}

static void list_contacts(plan_builder *d) {
    const cn_touching_rows *touching = &d->sim->touching;
    CN_EACH_BIT(slot, touching->planned, touching->words * 64) {
        cn_contact_bodies pair = touching->bodies[slot];
        int type = touching->row_types[slot];
        d->row_types |= type;
        pair = (cn_contact_bodies){type & CN_ROW_STATIC_A ? -1 : d->dense[pair.a], d->dense[pair.b]};
        node *b = &d->nodes[pair.b];
        int first_color = pair.a >= 0 ? 0 : is_kinematic(d, slot) ? DYNAMIC_COLORS : STATIC_COLORS;
        int color = choose_color(first_color ? &b->mask : &d->nodes[pair.a].mask, &b->mask, first_color);
        add_edge(d, slot, pair, CONTACT_KEYS + color * CN_CONTACT_ROW_TYPES + type % CN_ROW_STATIC_A);
        if (b->is_compound || (pair.a >= 0 && d->nodes[pair.a].is_compound)) count_points(d);
    }
}

// Can a body take part in a joint: is it planned now, or one that never is?
static bool is_ready(const plan_builder *d, int body) {
    const cn_body_hot *hot = &d->sim->hot[body];
    if (!(hot->flags & CN_BODY_ENABLED)) return false;
    return !cn_is_dynamic(hot) || cn_has_bit(d->plan->body_bits.items, body);
}

static bool joint_is_ready(const plan_builder *d, int joint) {
    const int32_t *bodies = d->sim->joint_records[joint].bodies;
    return is_ready(d, bodies[0]) && is_ready(d, bodies[1]);
}

// The dense indices of its bodies: b is one that is dynamic.
static cn_contact_bodies dense_sides(const plan_builder *d, int joint) {
    const int32_t *bodies = d->sim->joint_records[joint].bodies;
    int dense[2];
    for (int k = 0; k < 2; k++)
        dense[k] = cn_is_dynamic(&d->sim->hot[bodies[k]]) ? d->dense[bodies[k]] : -1;
    bool swap = dense[1] < 0;
    return (cn_contact_bodies){dense[swap], dense[!swap]};
}

// Is its coupling to be solved?
static bool is_coupled(const plan_builder *d, int joint) {
    const cn_joint_data *joints = d->sim->joints;
    int other = joints[joint].coupling.other;
    return other >= 0 && !joints[joint].def.disabled && !joints[other].def.disabled &&
           joint_is_ready(d, other) && cn_joint_has_dynamic_body(d->sim, other);
}

static void add_joint(plan_builder *d, int joint, cn_row_type type) {
    cn_contact_bodies dense = dense_sides(d, joint);
    uint64_t *masks = d->joint_masks;
    int color = choose_color(&masks[dense.a < 0 ? dense.b : dense.a], &masks[dense.b],
                             dense.a < 0 ? DYNAMIC_COLORS : 0);
    add_edge(d, joint, dense, 1 + color * CN_JOINT_ROW_TYPES + (int)type - CN_ROW_POINT);
}

static void add_coupling(plan_builder *d, int joint) {
    cn_contact_bodies dense = dense_sides(d, joint);
    add_edge(d, joint, dense, 0);
    cn_contact_bodies other = dense_sides(d, d->sim->joints[joint].coupling.other);
    link_bodies(d->nodes, other.a, other.b);
    link_bodies(d->nodes, other.b, dense.b);
}

// Those of a body and their couplings, each with the first of its bodies that is dynamic.
static void list_joints_of(plan_builder *d, int body) {
    cn_simulation *sim = d->sim;
    bool restrung = sim->hot[body].flags & CN_BODY_SPRINGS_CHANGED;
    sim->hot[body].flags &= ~(uint32_t)CN_BODY_SPRINGS_CHANGED;
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        const int32_t *bodies = sim->joint_records[i].bodies;
        bool second = !cn_is_dynamic(&sim->hot[bodies[0]]);
        if (restrung) sim->prepared_joints[i].h = 0;
        if (bodies[second] != body || !joint_is_ready(d, i)) continue;
        if (sim->joints[i].row_type != CN_ROW_NONE) add_joint(d, i, sim->joints[i].row_type);
        if (is_coupled(d, i))
            add_coupling(d, i);
        else
            sim->joints[i].coupling.impulse = 0;
    }
}

static void list_joints(plan_builder *d) {
    if (!d->sim->slots[CN_JOINTS].count) return;
    CN_EACH_BIT(body, d->plan->body_bits.items, d->sim->slots[CN_BODIES].end) {
        list_joints_of(d, body);
    }
    d->joint_count = d->edge_count;
}

// ---- the plan_builder

static int count_bits(const uint64_t *bits, int words) {
    int count = 0;
    for (int i = 0; i < words; i++) count += __builtin_popcountll(bits[i]);
    return count;
}

static void take_memory(plan_builder *d, cn_arena *arena, int edges) {
    d->dense = cn_take(arena, d->body_count ? d->sim->slots[CN_BODIES].capacity : 0, sizeof(int));
    d->bodies = cn_take(arena, d->body_count, sizeof(int));
    d->nodes = cn_take(arena, d->body_count, sizeof(node));
    d->joint_masks = cn_take(arena, d->joint_count ? d->body_count : 0, sizeof(uint64_t));
    d->islands = cn_take(arena, d->body_count, sizeof(island));
    d->edges = cn_take(arena, edges, sizeof(edge));
    for (d->pair_slots = 2; d->pair_slots < edges + edges / 2; d->pair_slots *= 2) {}
    d->pairs = cn_take(arena, d->pair_slots, sizeof(int));
    if (!d->sim->team) return;
    d->order = cn_take(arena, edges, sizeof(int));
    d->ends = cn_take(arena, d->body_count + 2, sizeof(int));
}

static bool begin_plan(plan_builder *d) {
    cn_simulation *sim = d->sim;
    cn_arena counter = {0};
    d->body_count = count_bits(d->plan->body_bits.items, cn_body_words(sim));
    d->joint_count = d->sim->slots[CN_JOINTS].count + d->sim->coupling_count; // at most
    int edges = d->joint_count + count_bits(sim->touching.planned, sim->touching.words);
    take_memory(d, &counter, edges);
    if (!cn_scratch(sim, counter.used)) return false;
    take_memory(d, &sim->arena, edges);
    return true;
}

static bool reserve_batch(cn_simulation *sim, cn_batch *batch, int bodies, int edges) {
    enum { COLORS = 16 }; // that are not full
    cn_memory *memory = &sim->memory;
    int most = cn_min_int(edges, COLORS);
    batch->bodies.count = bodies;
    batch->lanes.count = edges + (sim->kernels->lanes - 1) * most;
    size_t bytes = sim->kernels->batch_bytes(batch);
    return cn_scratch(sim, (size_t)cn_team_workers(sim->team) * bytes) &&
           cn_reserve(memory, &batch->bodies, bodies) &&
           cn_reserve(memory, &batch->islands, bodies) &&
           cn_reserve(memory, &batch->touches, bodies) &&
           cn_reserve(memory, &batch->colors, most) &&
           cn_reserve(memory, &batch->lanes, batch->lanes.count);
}

bool cn_reserve_plan(cn_simulation *sim, int bodies, int edges) {
    if (bodies == 0) return true;
    cn_plan *plan = &sim->plan;
    cn_arena counter = {0};
    plan_builder most = {.sim = sim, .body_count = bodies, .joint_count = sim->slots[CN_JOINTS].capacity};
    take_memory(&most, &counter, edges);
    int count = (bodies + FEW_BODIES - 1) / FEW_BODIES;
    if (!cn_fit(&sim->memory, &plan->batches, &plan->batch_capacity, count) ||
        !cn_reserve(&sim->memory, &plan->body_bits, (bodies + 63) / 64) ||
        !cn_reserve_body_sets(sim, bodies) ||
        !cn_reserve(&sim->memory, &plan->keys, count * KEYS) || !cn_scratch(sim, counter.used))
        return false;
    bool done = true;
    while (done && plan->batch_count < count)
        done = reserve_batch(sim, &plan->batches[plan->batch_count++],
                             cn_min_int(bodies, BATCH_BODIES),
                             cn_min_int(edges, 2 * (edges / count) + 1));
    return done;
}

static void list_bodies(plan_builder *d) {
    int count = 0;
    CN_EACH_BIT(body, d->plan->body_bits.items, d->sim->slots[CN_BODIES].end) {
        d->dense[body] = count;
        d->bodies[count] = body;
        bool compound = d->sim->warm[body].first_shape != d->sim->warm[body].last_shape;
        d->nodes[count] = (node){.parent = count, .is_compound = compound};
        count++;
    }
    if (d->joint_count) memset(d->joint_masks, 0, (size_t)count * sizeof *d->joint_masks);
}

// Numbers the islands in order of their first bodies; their parents are then the islands of the bodies.
static void number_islands(plan_builder *d) {
    for (int i = 0; i < d->body_count; i++) {
        node *n = &d->nodes[i];
        int parent = n->parent; // comes before i, and has its number, unless it is i itself
        n->parent = parent == i ? d->island_count++ : d->nodes[parent].parent;
        island *of = &d->islands[n->parent];
        if (parent == i) *of = (island){0};
        of->bodies++;
        of->edges += (int)n->degree;
    }
}

// ---- the stage

// Forgets all batches: their bodies are fresh again. After this the plan can be made from nothing.
static void abandon(cn_simulation *sim) {
    cn_plan *plan = &sim->plan;
    for (int i = 0; i < plan->batch_count; i++) plan->batches[i].alive = false;
    for (int body = 0; body < sim->slots[CN_BODIES].end; body++) {
        sim->warm[body].batch = sim->warm[body].local = -1;
        cn_replan_body(sim, body);
    }
    plan->dirty = true;
}

static bool reserve_bounces(cn_simulation *sim, cn_batch *batch) {
    cn_store_relaxed(&batch->any_recovers, false);
    cn_store_relaxed(&batch->any_pressed, false);
    batch->bounced.count = 0;
    if (!batch->alive || !batch->extended) return true;
    batch->bounced.count = sim->substeps * batch->substeps * CN_IMPACT_SWEEPS;
    return cn_reserve(&sim->memory, &batch->bounced, batch->bounced.count);
}

// Of several workers each solves batches of its own; giant ones all of them together, in all the memory.
static bool reserve_for_solver(cn_simulation *sim) {
    size_t workers = (size_t)cn_team_workers(sim->team), most = 0, giant = 0;
    sim->plan.work = 0;
    for (int i = 0; i < sim->plan.batch_count; i++)
        if (sim->plan.batches[i].alive)
            sim->plan.work += sim->plan.batches[i].lanes.count + sim->plan.batches[i].body_count;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        cn_batch *batch = &sim->plan.batches[i];
        if (!reserve_bounces(sim, batch)) return false;
        size_t bytes = batch->alive ? batch->kernels->batch_bytes(batch) : 0;
        size_t *among = cn_is_giant(sim, batch) ? &giant : &most;
        if (bytes > *among) *among = bytes;
    }
    sim->arena_per_worker = most;
    return cn_reserve_body_sets(sim, sim->slots[CN_BODIES].end) &&
           cn_scratch(sim, most * workers > giant ? most * workers : giant);
}

static bool make_plan(cn_simulation *sim) {
    plan_builder d = {.sim = sim, .plan = &sim->plan};
    if (!cn_clear_body_bits(sim)) return false;
    mark_all(sim);
    if (!begin_plan(&d)) return false;
    list_bodies(&d);
    list_joints(&d);
    list_contacts(&d);
    number_islands(&d);
    return cn_make_batches(&d);
}

bool cn_plan_islands(cn_simulation *sim) {
    bool made = (!sim->plan.dirty || make_plan(sim)) && reserve_for_solver(sim);
    if (made)
        sim->plan.dirty = false;
    else
        abandon(sim);
    return made;
}
