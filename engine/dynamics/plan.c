/* The plan: which contacts and joints are solved together, and in which order.
 *
 * An island is a set of bodies connected by touching contacts and joints (static and kinematic bodies
 * connect nothing). Whole islands are packed into batches of a size that fits the cache. Within a batch
 * contacts, and by themselves joints, are coloured: no two of a colour share a body that can move, so they
 * can be solved at the same time, in lanes. Static colours come last, their word counts most.
 *
 *      bodies by slot --union-find--> islands --packed--> batches
 *      contacts by slot --greedy colours--> (colour, kind) --> lanes, padded with zero contacts
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
 * has several shapes those of a pair are counted, and are made of the kind that knows how many they are.
 */
#include "dynamics.h"

enum {
    BATCH_BODIES = 440, // with its constraints about 100 KB
    FEW_BODIES = 330,   // that batches of many islands have in the mean
    BATCH_CONTACTS = 1100,
    DYNAMIC_COLORS = 48, // bits of a body's mask; the rest is for contacts with kinematic bodies
    STATIC_COLORS = 50,  // and, from here on, with static ones, which so have the last word
    MASK_BITS = 64,
    // Colours in solving order: dynamic ones, those of bodies with too many contacts (they are solved one
    // after the other), static ones, the same of these.
    DYNAMIC_OVERFLOW = DYNAMIC_COLORS,
    STATIC_OVERFLOW = MASK_BITS + 1,
    ALL_COLORS,
    // Keys in solving order: couplings (0), joints, contacts; of both by colour, then kind.
    KINDS = 3,
    CONTACT_KEYS = 1 + ALL_COLORS * KINDS, // the first of them
    KEYS = CONTACT_KEYS + ALL_COLORS * KINDS,
    // Where joints get more substeps: see manner_of().
    MANY_JOINTS = 100,
    MANY_SUBSTEPS = 12,
    VERY_UNEVEN_RATIO = 300,
    RIGID_SWEEPS = 4,
    MANNERS = 6,
    COMPOUND = 1 << 30, // in a node's degree: the body has several shapes
};

// A contact or joint while it is being planned.
typedef struct {
    int slot;
    int a, b;   // dense indices of the bodies; a: -1 if fixed
    int key;    // colour and kind
    int points; // of all contacts of a pair of which one has several shapes; ~edge: as many as it
} edge;

// A body, named by its dense index: its place among those that are planned, in slot order.
typedef struct {
    uint64_t mask; // colours in use by its contacts
    int parent;    // union-find; then its island; in the end its batch
    int degree;    // edges of which it is b; in the end its state
} node;
static_assert(sizeof(node) == 16, "a loop over edges reads two of them");

typedef struct {
    int bodies, edges;
    uint32_t joints : 28, uneven : 1, very_uneven : 1; // if one holds such masses
    uint32_t rigid : 2;                                // > 1: several hold an angle
    int batch;
    int end; // of its bodies that are already in the batch
} island;

typedef struct {
    cn_simulation *sim;
    cn_plan *plan;
    int body_count, edge_count, joint_count, island_count, pair_slots; // edges of joints come first
    int *dense;  // slot of a planned body -> dense index
    int *bodies; // dense index -> slot
    node *nodes;
    uint64_t *joint_masks; // colours in use by joints
    island *islands;
    edge *edges; // in slot order
    int *order;  // of edges, by their bodies B; NULL: as they are
    int *ends;   // of the edges of each body in it
    int *pairs;  // hash table by bodies: 1 + the first edge of a pair
    int counted; // edges that are in it
    int kinds;   // all bits of cn_touching_rows.kinds that occur
} draft;

// ---- what is planned anew

bool cn_is_planned(const cn_simulation *sim, int body) {
    const uint32_t needed = CN_BODY_ALIVE | CN_BODY_ENABLED | CN_BODY_IS_DYNAMIC;
    return (sim->hot[body].flags & needed) == needed && cn_body_is_awake(sim, body);
}

bool cn_clear_body_bits(cn_simulation *sim) {
    int words = cn_body_words(sim);
    if (!cn_reserve(&sim->memory, &sim->plan.body_bits, words)) return false;
    if (words) memset(sim->plan.body_bits.items, 0, (size_t)words * sizeof(uint64_t));
    return true;
}

static void mark_body(cn_simulation *sim, int body) {
    if (cn_is_planned(sim, body))
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
    for (int i = 0; i < sim->fresh_count; i++) {
        sim->hot[sim->fresh[i]].flags &= ~(uint32_t)CN_BODY_FRESH;
        mark_body(sim, sim->fresh[i]);
    }
    sim->fresh_count = 0;
    for (int i = 0; i < sim->waking.count; i++)
        for (int body = sim->sleepers[sim->waking.items[i]].first_body; body >= 0;
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
static int choose_color(uint64_t *a, uint64_t *b, int fixed) {
    const uint64_t below = ((uint64_t)1 << (fixed ? fixed : DYNAMIC_COLORS)) - 1;
    uint64_t free = ~(*a | *b) & (fixed ? ~below : below), bit = free & -free;
    if (!bit) return fixed ? STATIC_OVERFLOW : DYNAMIC_OVERFLOW;
    *a |= bit;
    *b |= bit;
    return cn_lowest_bit(bit) + (fixed > 0);
}

// Of contacts or of joints.
static int color_of(int key) { return (key < CONTACT_KEYS ? key - 1 : key - CONTACT_KEYS) / KINDS; }

static cn_constraint_kind kind_of(int key) {
    if (key == 0) return CN_KIND_COUPLING;
    return (cn_constraint_kind)((key - 1) % KINDS + (key < CONTACT_KEYS ? CN_KIND_POINT : 0));
}

// One after the other?
static bool is_single(int key) {
    return key == 0 || color_of(key) == DYNAMIC_OVERFLOW || color_of(key) == STATIC_OVERFLOW;
}

// ---- edges

static void add_edge(draft *d, int slot, cn_contact_bodies dense, int key) {
    d->edges[d->edge_count++] = (edge){slot, dense.a, dense.b, key, 0};
    d->nodes[dense.b].degree++;
    link_bodies(d->nodes, dense.a, dense.b);
}

// Counts the points of the last edge with those of its pair; what is fixed is one body.
static void count_points(draft *d) {
    edge *e = &d->edges[d->edge_count - 1], *first = NULL;
    uint32_t hash = (uint32_t)e->a * 0x9E3779B1 + (uint32_t)e->b * 0x85EBCA77;
    if (d->counted++ == 0) memset(d->pairs, 0, (size_t)d->pair_slots * sizeof *d->pairs);
    for (uint32_t i = hash ^ hash >> 16; !first || first->a != e->a || first->b != e->b; i++) {
        int *pair = &d->pairs[i & (uint32_t)(d->pair_slots - 1)];
        if (!*pair) *pair = d->edge_count;
        first = &d->edges[*pair - 1];
    }
    if (first != e) e->points = (int)(d->edges - first) - 1;
    first->points += d->sim->touching.records[e->slot].meta & CN_META_ONE_POINT ? 1 : 2;
}

// Is what is fixed in a contact?
static bool is_kinematic(const draft *d, int slot) {
    return d->sim->hot[d->sim->touching.bodies[slot].a].flags & CN_BODY_IS_KINEMATIC;
}

static void list_contacts(draft *d) {
    const cn_touching_rows *touching = &d->sim->touching;
    CN_EACH_BIT(slot, touching->planned, touching->words * 64) {
        cn_contact_bodies pair = touching->bodies[slot];
        int kind = touching->kinds[slot];
        d->kinds |= kind;
        pair = (cn_contact_bodies){kind & CN_KIND_FIXED ? -1 : d->dense[pair.a], d->dense[pair.b]};
        node *b = &d->nodes[pair.b];
        int fixed = pair.a >= 0 ? 0 : is_kinematic(d, slot) ? DYNAMIC_COLORS : STATIC_COLORS;
        int color = choose_color(fixed ? &b->mask : &d->nodes[pair.a].mask, &b->mask, fixed);
        add_edge(d, slot, pair, CONTACT_KEYS + color * KINDS + kind % CN_KIND_FIXED);
        if ((b->degree | (pair.a < 0 ? 0 : d->nodes[pair.a].degree)) & COMPOUND) count_points(d);
    }
}

// Can a body take part in a joint: is it planned now, or one that never is?
static bool is_ready(const draft *d, int body) {
    const cn_body_hot *hot = &d->sim->hot[body];
    if (!(hot->flags & CN_BODY_ENABLED)) return false;
    return !cn_is_dynamic(hot) || cn_has_bit(d->plan->body_bits.items, body);
}

static bool joint_is_ready(const draft *d, int joint) {
    const int32_t *bodies = d->sim->joint_records[joint].bodies;
    return is_ready(d, bodies[0]) && is_ready(d, bodies[1]);
}

// The dense indices of its bodies: b is one that is dynamic.
static cn_contact_bodies dense_sides(const draft *d, int joint) {
    const int32_t *bodies = d->sim->joint_records[joint].bodies;
    int dense[2];
    for (int k = 0; k < 2; k++)
        dense[k] = cn_is_dynamic(&d->sim->hot[bodies[k]]) ? d->dense[bodies[k]] : -1;
    bool swap = dense[1] < 0;
    return (cn_contact_bodies){dense[swap], dense[!swap]};
}

// Is its coupling to be solved?
static bool is_coupled(const draft *d, int joint) {
    const cn_joint_data *joints = d->sim->joints;
    int other = joints[joint].coupling.other;
    return other >= 0 && !joints[joint].def.disabled && !joints[other].def.disabled &&
           joint_is_ready(d, other);
}

static void add_joint(draft *d, int joint, cn_constraint_kind kind) {
    cn_contact_bodies dense = dense_sides(d, joint);
    uint64_t *masks = d->joint_masks;
    int color = choose_color(&masks[dense.a < 0 ? dense.b : dense.a], &masks[dense.b],
                             dense.a < 0 ? DYNAMIC_COLORS : 0);
    add_edge(d, joint, dense, 1 + color * KINDS + (int)kind - CN_KIND_POINT);
}

static void add_coupling(draft *d, int joint) {
    cn_contact_bodies dense = dense_sides(d, joint);
    add_edge(d, joint, dense, 0);
    cn_contact_bodies other = dense_sides(d, d->sim->joints[joint].coupling.other);
    link_bodies(d->nodes, other.a, other.b);
    link_bodies(d->nodes, other.b, dense.b);
}

// Those of a body and their couplings, each with the first of its bodies that is dynamic.
static void list_joints_of(draft *d, int body) {
    cn_simulation *sim = d->sim;
    bool restrung = sim->hot[body].flags & CN_BODY_RESTRUNG;
    sim->hot[body].flags &= ~(uint32_t)CN_BODY_RESTRUNG;
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        const int32_t *bodies = sim->joint_records[i].bodies;
        bool second = !cn_is_dynamic(&sim->hot[bodies[0]]);
        if (restrung) sim->tuned[i].h = 0;
        if (bodies[second] != body || !joint_is_ready(d, i)) continue;
        if (sim->joints[i].kind != CN_KIND_NONE) add_joint(d, i, sim->joints[i].kind);
        if (is_coupled(d, i))
            add_coupling(d, i);
        else
            sim->joints[i].coupling.impulse = 0;
    }
}

static void list_joints(draft *d) {
    if (!d->sim->slots[CN_JOINTS].count) return;
    CN_EACH_BIT(body, d->plan->body_bits.items, d->sim->slots[CN_BODIES].end) {
        list_joints_of(d, body);
    }
    d->joint_count = d->edge_count;
}

// ---- the draft

static int count_bits(const uint64_t *bits, int words) {
    int count = 0;
    for (int i = 0; i < words; i++) count += __builtin_popcountll(bits[i]);
    return count;
}

static void take_memory(draft *d, cn_arena *arena, int edges) {
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

static bool begin_draft(draft *d) {
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
           cn_reserve(memory, &batch->colors, most) &&
           cn_reserve(memory, &batch->lanes, batch->lanes.count);
}

bool cn_reserve_plan(cn_simulation *sim, int bodies, int edges) {
    if (bodies == 0) return true;
    cn_plan *plan = &sim->plan;
    cn_arena counter = {0};
    draft most = {.sim = sim, .body_count = bodies, .joint_count = sim->slots[CN_JOINTS].capacity};
    take_memory(&most, &counter, edges);
    int count = (bodies + FEW_BODIES - 1) / FEW_BODIES;
    if (!cn_fit(&sim->memory, &plan->batches, &plan->batch_capacity, count) ||
        !cn_reserve(&sim->memory, &plan->body_bits, (bodies + 63) / 64) ||
        !cn_reserve(&sim->memory, &sim->noted, (bodies + 63) / 64) ||
        !cn_reserve(&sim->memory, &plan->keys, count * KEYS) || !cn_scratch(sim, counter.used))
        return false;
    bool done = true;
    while (done && plan->batch_count < count)
        done = reserve_batch(sim, &plan->batches[plan->batch_count++],
                             cn_min_int(bodies, BATCH_BODIES),
                             cn_min_int(edges, 2 * (edges / count) + 1));
    return done;
}

static void list_bodies(draft *d) {
    int count = 0;
    CN_EACH_BIT(body, d->plan->body_bits.items, d->sim->slots[CN_BODIES].end) {
        d->dense[body] = count;
        d->bodies[count] = body;
        bool compound = d->sim->warm[body].first_shape != d->sim->warm[body].last_shape;
        d->nodes[count] = (node){.parent = count, .degree = compound ? COMPOUND : 0};
        count++;
    }
    if (d->joint_count) memset(d->joint_masks, 0, (size_t)count * sizeof *d->joint_masks);
}

// How much heavier the heavier of its bodies is; 1 if only one can move.
static float mass_ratio(const draft *d, const edge *e) {
    if (e->a < 0) return 1;
    const cn_body_hot *hot = d->sim->hot;
    float a = hot[d->bodies[e->a]].inverse_mass, b = hot[d->bodies[e->b]].inverse_mass;
    return cn_max(a, b) / cn_min(a, b);
}

// Numbers the islands in order of their first bodies; their parents are then the islands of the bodies.
static void number_islands(draft *d) {
    for (int i = 0; i < d->body_count; i++) {
        node *n = &d->nodes[i];
        int parent = n->parent; // comes before i, and has its number, unless it is i itself
        n->parent = parent == i ? d->island_count++ : d->nodes[parent].parent;
        island *of = &d->islands[n->parent];
        if (parent == i) *of = (island){0};
        of->bodies++;
        of->edges += n->degree & ~COMPOUND;
    }
    for (int i = 0; i < d->joint_count; i++) {
        island *of = &d->islands[d->nodes[d->edges[i].b].parent];
        float ratio = mass_ratio(d, &d->edges[i]);
        of->joints++;
        of->uneven |= ratio > CN_UNEVEN_RATIO;
        of->very_uneven |= ratio > VERY_UNEVEN_RATIO;
        bool coupling = d->edges[i].key == 0;
        if (!coupling && d->sim->joints[d->edges[i].slot].flags & CN_JOINT_RIGID)
            of->rigid = of->rigid ? 2 : 1;
    }
}

/* How an island is solved: its substeps for each of the world's, as a power of two, twice; and 1 if joints hold angles.
 * Two where a joint holds uneven masses, four where they are so uneven that what is light would flutter, and two
 * where many joints add up and the world asks for much. What one joint that holds an angle does to the next in a chain
 * of them takes a few sweeps to settle. Else they would lag behind their load, and swing up. */
static int manner_of(const draft *d, const island *i) {
    int more = i->very_uneven ? 2 : i->uneven;
    if (d->sim->substeps >= MANY_SUBSTEPS) more = i->uneven || i->joints >= MANY_JOINTS;
    return 2 * more + (i->rigid > 1);
}

// ---- batches

// An unused batch from `from` on; -1 if memory is short.
static int find_batch(draft *d, int from) {
    cn_plan *plan = d->plan;
    while (from < plan->batch_count && plan->batches[from].alive) from++;
    if (from < plan->batch_count) return from;
    if (!cn_grow(&d->sim->memory, &plan->batches, &plan->batch_capacity, from + 1)) return -1;
    return plan->batch_count++;
}

static int next_island(const draft *d, int from, int manner) {
    while (from < d->island_count && manner_of(d, &d->islands[from]) != manner) from++;
    return from;
}

// Fills it with islands of a manner from number `next` on, as many as it holds, but at least one. Returns the
// number of the next of these, or -1 if memory is short.
static int fill_islands(draft *d, cn_batch *batch, int next, int manner) {
    cn_memory *memory = &d->sim->memory;
    int edges = 0;
    batch->body_count = batch->islands.count = batch->colors.count = 0;
    batch->dirty = batch->extended = batch->rows = batch->watched = batch->clamped = false;
    batch->joint_blocks = 0, batch->lanes.count = -1; // until it has colours
    batch->hits = d->kinds & CN_KIND_HITS;
    batch->substeps = 1 << manner / 2;
    batch->sweeps = manner % 2 ? RIGID_SWEEPS : 1;
    batch->alive = true;
    do {
        island *i = &d->islands[next];
        i->batch = (int)(batch - d->plan->batches);
        i->end = batch->body_count;
        batch->body_count += i->bodies;
        edges += i->edges;
        if (!cn_push(memory, &batch->islands, i->bodies)) return -1;
        next = next_island(d, next + 1, manner);
    } while (next < d->island_count &&
             batch->body_count + d->islands[next].bodies <= BATCH_BODIES &&
             edges + d->islands[next].edges <= BATCH_CONTACTS);
    batch->bodies.count = batch->body_count;
    batch->kernels = cn_kernels_of(d->sim, edges);
    return cn_reserve(memory, &batch->bodies, batch->body_count) ? next : -1;
}

// Packs the islands of a manner into batches, which are numbered.
static bool pack_islands(draft *d, int manner, int *number) {
    for (int i = 0, next = next_island(d, 0, manner); next < d->island_count; ++*number) {
        i = find_batch(d, i);
        if (i < 0) return false;
        d->plan->batches[i].number = *number;
        next = fill_islands(d, &d->plan->batches[i], next, manner);
        if (next < 0 || !cn_reserve(&d->sim->memory, &d->plan->keys, (*number + 1) * KEYS))
            return false;
        memset(d->plan->keys.items + *number * KEYS, 0, KEYS * sizeof(int));
    }
    return true;
}

static bool pack_all(draft *d) {
    bool packed = true;
    for (int manner = 0, number = 0; manner < (d->joint_count ? MANNERS : 1); manner++)
        packed = packed && pack_islands(d, manner, &number);
    return packed;
}

static cn_batch *batch_of(const draft *d, const edge *e) {
    return &d->plan->batches[d->nodes[e->b].parent];
}

// Of a new batch: how many edges each key has, then where the next of them goes.
static int *keys_of(const draft *d, const cn_batch *batch) {
    return d->plan->keys.items + batch->number * KEYS;
}

static void fill_bodies(draft *d) {
    cn_simulation *sim = d->sim;
    for (int i = 0; i < d->body_count; i++) {
        int body = d->bodies[i];
        island *of = &d->islands[d->nodes[i].parent];
        cn_batch *batch = &d->plan->batches[of->batch];
        batch->bodies.items[of->end++] = body;
        uint32_t *flags = &sim->hot[body].flags;
        *flags = (*flags & ~(uint32_t)CN_BODY_TOUCHES) | (d->nodes[i].mask ? CN_BODY_TOUCHES : 0);
        batch->clamped |= (sim->hot[body].flags & CN_BODY_CLAMPED) != 0;
        d->nodes[i].parent = of->batch;
        d->nodes[i].degree = of->end; // its state
        cn_body_warm *warm = &sim->warm[body];
        if (warm->batch != of->batch || warm->local != of->end)
            warm->batch = of->batch, warm->local = of->end;
    }
}

// The colours of the keys that occur, and where the lanes of each begin. Unused lanes are zero.
static bool fill_colors(draft *d, cn_batch *batch) {
    const int lanes = batch->kernels->lanes;
    int *keys = keys_of(d, batch), end = 0;
    for (int key = 0; key < KEYS; key++) {
        int count = keys[key], first = end;
        if (!count) continue;
        end += is_single(key) ? count : (count + lanes - 1) / lanes;
        cn_constraint_kind kind = kind_of(key);
        bool fixed = color_of(key) > DYNAMIC_OVERFLOW;
        bool in_order = is_single(key) || (fixed && kind >= CN_KIND_POINT);
        cn_color color = {first, end, kind, (key + KINDS - 1) / KINDS, fixed, in_order};
        if (!cn_push(&d->sim->memory, &batch->colors, color) ||
            !cn_reserve(&d->sim->memory, &batch->lanes, end * lanes))
            return false;
        batch->extended |= kind == CN_KIND_EXTENDED;
        batch->rows |= kind == CN_KIND_TURN || kind == CN_KIND_AXES;
        if (key < CONTACT_KEYS) batch->joint_blocks = end;
        keys[key] = first * lanes;
        int full = is_single(key) ? first : end - 1; // blocks without unused lanes end there
        memset(batch->lanes.items + full * lanes, 0,
               (size_t)((end - full) * lanes) * sizeof(cn_lane));
    }
    batch->lanes.count = end * lanes;
    return true;
}

// A kinematic body keeps where its copy was last: it may be in several batches.
int cn_state_of(const cn_simulation *sim, const cn_batch *batch, int body) {
    int last = sim->warm[body].local, count = batch->bodies.count;
    if (cn_is_dynamic(&sim->hot[body])) return last;
    if (last > batch->body_count && last <= count && batch->bodies.items[last - 1] == body)
        return last;
    for (int i = batch->body_count; i < count; i++)
        if (batch->bodies.items[i] == body) return i + 1;
    return 0;
}

// The same, but a kinematic body gets its copy if it has none; -1 if memory is short.
static int state_of(draft *d, cn_batch *batch, int body) {
    int state = cn_state_of(d->sim, batch, body);
    if (!(d->sim->hot[body].flags & CN_BODY_IS_KINEMATIC)) return state;
    if (!state && !cn_push(&d->sim->memory, &batch->bodies, body)) return -1;
    return d->sim->warm[body].local = state ? state : batch->bodies.count;
}

static cn_lane lane_of(draft *d, cn_batch *batch, const edge *e) {
    if (e->key >= CONTACT_KEYS) {
        int a = e->a >= 0 ? d->nodes[e->a].degree
                          : state_of(d, batch, d->sim->touching.bodies[e->slot].a);
        // Three and more, some of which lie on each other, swing up at what two may bear.
        float each =
            e->points > 4 && e->a >= 0 && mass_ratio(d, e) <= CN_UNEVEN_RATIO ? 0.75f : 0.5f;
        return (cn_lane){e->slot, a, d->nodes[e->b].degree, cn_max(1, each * (float)e->points)};
    }
    const int32_t *bodies = d->sim->joint_records[e->slot].bodies;
    batch->watched |= (d->sim->joints[e->slot].flags & CN_JOINT_WATCHED) != 0;
    return (cn_lane){e->slot, state_of(d, batch, bodies[0]), state_of(d, batch, bodies[1]), 0};
}

// Several workers share a colour: in order of bodies each comes to much the same ones in every colour. Those
// that are solved one after the other come first, as they are.
static int bucket_of(const edge *e) { return is_single(e->key) ? 0 : e->b + 1; }

static void order_edges(draft *d) {
    int workers = cn_team_workers(d->sim->team), most = 0;
    for (int i = 0; i < d->island_count; i++) most = cn_max_int(most, d->islands[i].edges);
    if (workers == 1 || most < d->edge_count / (2 * workers)) d->order = NULL; // none is shared
    if (!d->order) return;
    memset(d->ends, 0, (size_t)(d->body_count + 2) * sizeof(int));
    for (int i = 0; i < d->edge_count; i++) d->ends[bucket_of(&d->edges[i]) + 1]++;
    for (int i = 0; i <= d->body_count; i++) d->ends[i + 1] += d->ends[i];
    for (int i = 0; i < d->edge_count; i++) d->order[d->ends[bucket_of(&d->edges[i])]++] = i;
}

static bool fill_lanes(draft *d) {
    order_edges(d);
    for (int i = 0; i < d->edge_count; i++) {
        const edge *e = &d->edges[d->order ? d->order[i] : i];
        cn_batch *batch = batch_of(d, e);
        int *key = &keys_of(d, batch)[e->key];
        cn_lane lane = lane_of(d, batch, e);
        if (lane.a < 0 || lane.b < 0) return false;
        batch->lanes.items[*key] = lane;
        *key += is_single(e->key) ? batch->kernels->lanes : 1;
    }
    return true;
}

static bool make_batches(draft *d) {
    if (!pack_all(d)) return false;
    fill_bodies(d);
    for (edge *e = d->edges; e < d->edges + d->edge_count; e++) {
        if (e->points < 0) e->points = d->edges[~e->points].points;
        if (e->points > 2) e->key += CN_KIND_EXTENDED - (int)kind_of(e->key);
        keys_of(d, batch_of(d, e))[e->key]++;
    }
    for (island *i = d->islands; i < d->islands + d->island_count; i++) {
        cn_batch *batch = &d->plan->batches[i->batch];
        if (batch->lanes.count < 0 && !fill_colors(d, batch)) return false;
    }
    return fill_lanes(d);
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
    cn_put_sign(&batch->deep, false);
    cn_put_sign(&batch->pressed, false);
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
    sim->share_of_arena = most;
    return cn_reserve(&sim->memory, &sim->noted, cn_body_words(sim)) &&
           cn_scratch(sim, most * workers > giant ? most * workers : giant);
}

static bool make_plan(cn_simulation *sim) {
    draft d = {.sim = sim, .plan = &sim->plan};
    if (!cn_clear_body_bits(sim)) return false;
    mark_all(sim);
    if (!begin_draft(&d)) return false;
    list_bodies(&d);
    list_joints(&d);
    list_contacts(&d);
    number_islands(&d);
    return make_batches(&d);
}

bool cn_plan_islands(cn_simulation *sim) {
    bool made = (!sim->plan.dirty || make_plan(sim)) && reserve_for_solver(sim);
    if (made)
        sim->plan.dirty = false;
    else
        abandon(sim);
    return made;
}
