/* The plan: which contacts are solved together, and in which order.
 *
 * An island is a set of bodies connected by touching contacts (static and kinematic bodies connect
 * nothing). Whole islands are packed into batches of a size that fits the cache. Within a batch the
 * contacts are coloured: no two of a colour share a body that can move, so they can be solved at the
 * same time, in lanes. Static colours come last, their word counts most.
 *
 *      bodies by slot --union-find--> islands --packed--> batches
 *      contacts by slot --greedy colours--> (colour, kind) --> lanes, padded with zero contacts
 *
 * The plan is not state: an island's colours follow from its contacts in slot order, and the result of
 * the solver does not depend on how islands are packed. Only batches marked dirty (a contact began or
 * ended there, a body came or changed) are planned anew; what is in them comes out of two bitmaps in slot
 * order.
 */
#include "dynamics.h"

enum {
    BATCH_BODIES = 440, // with its constraints about 100 KB
    BATCH_CONTACTS = 1100,
    DYNAMIC_COLORS = 48, // bits of a body's mask; the rest is for contacts with the static world
    MASK_BITS = 64,
    // Colours in solving order: dynamic ones, those of bodies with too many contacts (they are solved one
    // after the other), static ones, the same of these.
    DYNAMIC_OVERFLOW = DYNAMIC_COLORS,
    STATIC_OVERFLOW = MASK_BITS + 1,
    ALL_COLORS,
    KEYS = ALL_COLORS * CN_KIND_COUNT, // colour * kinds + kind
};

// A contact while it is being planned.
typedef struct {
    int slot;
    int a, b; // dense indices of the bodies; a: -1 if fixed
    int key;  // colour and kind; at first the kind alone
} edge;

typedef struct {
    cn_simulation *sim;
    cn_plan *plan;
    int body_count, edge_count, island_count;
    int *bodies;    // dense index -> slot, in slot order
    int *parents;   // union-find; after linking: the island of each body
    int *body_ends; // per island: where its bodies end in `order`
    int *edge_ends; // per island: where its edges end in `sorted`

    int *order;      // dense indices by island
    uint64_t *masks; // dense index -> colours in use
    edge *edges;     // in slot order
    edge *sorted;    // by island
} draft;

// ---- what is planned anew

bool cn_is_planned(const cn_simulation *sim, int body) {
    const uint32_t needed = CN_BODY_ALIVE | CN_BODY_ENABLED | CN_BODY_IS_DYNAMIC;
    uint32_t flags = sim->hot[body].flags;
    if ((flags & needed) != needed) return false;
    int island = sim->warm[body].island;
    return flags & CN_BODY_AWAKE || (island >= 0 && sim->sleepers[island].wake);
}

static bool clear_bits(cn_simulation *sim) {
    cn_plan *plan = &sim->plan;
    int body_words = (sim->body_end + 63) / 64, contact_words = sim->touching.capacity;
    if (!cn_reserve(&sim->memory, &plan->body_bits, body_words) ||
        !cn_reserve(&sim->memory, &plan->contact_bits, contact_words))
        return false;
    memset(plan->body_bits.items, 0, (size_t)body_words * sizeof(uint64_t));
    if (contact_words)
        memset(plan->contact_bits.items, 0, (size_t)contact_words * sizeof(uint64_t));
    return true;
}

static void mark_body(cn_simulation *sim, int body) {
    sim->warm[body].batch = -1;
    sim->warm[body].local = -1;
    if (cn_is_planned(sim, body)) cn_set_bit(sim->plan.body_bits.items, body);
}

static void mark_batch(cn_simulation *sim, const cn_batch *batch) {
    for (int i = 0; i < batch->body_count; i++) mark_body(sim, batch->bodies.items[i]);
    for (int i = 0; i < batch->lanes.count; i++) {
        int slot = batch->lanes.items[i].slot;
        if (slot >= CN_FIRST_SLOT && cn_occupied(&sim->touching, slot))
            cn_set_bit(sim->plan.contact_bits.items, slot);
    }
}

// Empties the dirty batches into the bitmaps, with fresh and waking bodies and new contacts.
static void mark_all(cn_simulation *sim) {
    cn_plan *plan = &sim->plan;
    uint64_t *contacts = plan->contact_bits.items;
    if (plan->abandoned && sim->touching.end)
        memcpy(contacts, sim->touching.occupied, (size_t)sim->touching.capacity * sizeof(uint64_t));
    for (int i = 0; i < plan->batch_count; i++) {
        cn_batch *batch = &plan->batches[i];
        if (!batch->alive || !batch->dirty) continue;
        mark_batch(sim, batch);
        batch->alive = false;
    }
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

static int count_bits(const uint64_t *bits, int words) {
    int count = 0;
    for (int i = 0; i < words; i++) count += __builtin_popcountll(bits[i]);
    return count;
}

// ---- the draft

static bool reserve_arena(cn_simulation *sim, size_t size) {
    sim->arena.used = 0;
    const cn_row row = {&sim->arena.memory, CN_ARENA_UNIT};
    int needed = (int)((size + CN_ARENA_UNIT - 1) / CN_ARENA_UNIT);
    return cn_grow_rows(&sim->memory, &row, 1, &sim->arena.capacity, needed);
}

static void take_memory(draft *d, cn_arena *arena) {
    int **const ints[] = {&d->bodies, &d->parents, &d->body_ends, &d->edge_ends, &d->order};
    for (int i = 0; i < 5; i++) *ints[i] = cn_take(arena, d->body_count, sizeof(int));
    d->masks = cn_take(arena, d->body_count, sizeof(uint64_t));
    d->edges = cn_take(arena, d->edge_count, sizeof(edge));
    d->sorted = cn_take(arena, d->edge_count, sizeof(edge));
}

static bool begin_draft(draft *d) {
    cn_simulation *sim = d->sim;
    cn_arena counter = {0};
    d->body_count = count_bits(d->plan->body_bits.items, (sim->body_end + 63) / 64);
    d->edge_count = count_bits(d->plan->contact_bits.items, sim->touching.capacity);
    take_memory(d, &counter);
    if (!reserve_arena(sim, counter.used)) return false;
    take_memory(d, &sim->arena);
    return true;
}

static void list_bodies(draft *d) {
    int count = 0;
    CN_EACH_BIT(body, d->plan->body_bits.items, d->sim->body_end) {
        d->sim->warm[body].local = count;
        d->bodies[count] = body;
        d->parents[count] = count;
        d->masks[count] = 0;
        count++;
    }
}

static bool masses_uneven(const cn_body_hot *a, const cn_body_hot *b) {
    return a->inverse_mass > CN_UNEVEN_RATIO * b->inverse_mass ||
           b->inverse_mass > CN_UNEVEN_RATIO * a->inverse_mass;
}

// The flags of a contact, as they will be once news of its shapes have been taken over.
static uint32_t current_meta(const cn_simulation *sim, int slot) {
    const cn_anchor *anchor = &sim->touching.anchors[slot];
    uint8_t news = sim->news[anchor->shape_a] | sim->news[anchor->shape_b];
    return news & CN_SHAPE_CHANGED ? cn_make_pair(sim, anchor->shape_a, anchor->shape_b).meta
                                   : sim->touching.records[slot].meta;
}

static edge edge_of(const cn_simulation *sim, int slot) {
    cn_contact_bodies pair = sim->touching.bodies[slot];
    const cn_body_hot *a = &sim->hot[pair.a], *b = &sim->hot[pair.b];
    bool moves = cn_is_dynamic(a);
    uint32_t meta = current_meta(sim, slot);
    bool extended = meta & (CN_META_BOUNCY | CN_META_HITS) || (moves && masses_uneven(a, b));
    cn_constraint_kind kind = extended                     ? CN_KIND_EXTENDED
                              : (meta & CN_META_ONE_POINT) ? CN_KIND_ONE_POINT
                                                           : CN_KIND_PLAIN;
    return (edge){slot, moves ? sim->warm[pair.a].local : -1, sim->warm[pair.b].local, (int)kind};
}

static void list_edges(draft *d) {
    int count = 0;
    CN_EACH_BIT(slot, d->plan->contact_bits.items, d->sim->touching.capacity * 64)
    d->edges[count++] = edge_of(d->sim, slot);
}

// ---- islands

static int find_root(int *parents, int i) {
    while (parents[i] != i) {
        parents[i] = parents[parents[i]]; // path halving
        i = parents[i];
    }
    return i;
}

// The smaller root wins, so a root is the first body of its island.
static void link_islands(draft *d) {
    for (int i = 0; i < d->edge_count; i++) {
        if (d->edges[i].a < 0) continue;
        int a = find_root(d->parents, d->edges[i].a), b = find_root(d->parents, d->edges[i].b);
        if (a < b)
            d->parents[b] = a;
        else
            d->parents[a] = b;
    }
}

// Numbers the islands in order of their first bodies; parents[] then gives the island of each body.
static void number_islands(draft *d) {
    for (int i = 0; i < d->body_count; i++) {
        int parent = d->parents[i]; // comes before i, and has its number, unless it is i itself
        int island = parent == i ? d->island_count++ : d->parents[parent];
        if (parent == i) d->body_ends[island] = d->edge_ends[island] = 0;
        d->parents[i] = island;
        d->body_ends[island]++;
    }
    for (int i = 0; i < d->edge_count; i++) d->edge_ends[d->parents[d->edges[i].b]]++;
}

// Counts become the places where each begins.
static void sum_up(int *counts, int count) {
    for (int i = 0, sum = 0; i < count; i++) {
        int begin = sum;
        sum += counts[i];
        counts[i] = begin;
    }
}

// Sorts bodies and edges by island, in slot order within. Where an island begins is, in the end, where
// it ends.
static void sort_by_island(draft *d) {
    sum_up(d->body_ends, d->island_count);
    sum_up(d->edge_ends, d->island_count);
    for (int i = 0; i < d->body_count; i++) d->order[d->body_ends[d->parents[i]]++] = i;
    for (int i = 0; i < d->edge_count; i++)
        d->sorted[d->edge_ends[d->parents[d->edges[i].b]]++] = d->edges[i];
}

// ---- colours

// The lowest colour free at both bodies; static contacts look at the upper bits of theirs only.
static int choose_color(draft *d, const edge *e) {
    const uint64_t dynamic = ((uint64_t)1 << DYNAMIC_COLORS) - 1;
    bool fixed = e->a < 0;
    uint64_t *b = &d->masks[e->b], *a = fixed ? b : &d->masks[e->a];
    uint64_t free = ~(*a | *b) & (fixed ? ~dynamic : dynamic), bit = free & -free;
    if (!bit) return fixed ? STATIC_OVERFLOW : DYNAMIC_OVERFLOW;
    *a |= bit;
    *b |= bit;
    return cn_lowest_bit(bit) + fixed;
}

static void color_edges(draft *d, edge *edges, int count, int *key_counts) {
    for (int i = 0; i < count; i++) {
        edges[i].key += choose_color(d, &edges[i]) * CN_KIND_COUNT;
        key_counts[edges[i].key]++;
    }
}

// ---- batches

// A run of islands and what belongs to them.
typedef struct {
    int first_island, end_island, first_body, end_body, first_edge, end_edge;
} run;

// Those after the last run, as many as a batch holds, but at least one.
static run next_run(const draft *d, run last) {
    int i = last.end_island;
    run r = {i, i, last.end_body, 0, last.end_edge, 0};
    do {
        r.end_body = d->body_ends[i];
        r.end_edge = d->edge_ends[i];
        r.end_island = ++i;
    } while (i < d->island_count && d->body_ends[i] - r.first_body <= BATCH_BODIES &&
             d->edge_ends[i] - r.first_edge <= BATCH_CONTACTS);
    return r;
}

// An unused batch from `from` on; -1 if memory is short.
static int find_batch(draft *d, int from) {
    cn_plan *plan = d->plan;
    while (from < plan->batch_count && plan->batches[from].alive) from++;
    if (from < plan->batch_count) return from;
    if (!cn_grow(&d->sim->memory, &plan->batches, &plan->batch_capacity, from + 1)) return -1;
    return plan->batch_count++;
}

static bool fill_bodies(draft *d, cn_batch *batch, run r) {
    cn_simulation *sim = d->sim;
    for (int i = r.first_island, first = r.first_body; i < r.end_island; i++) {
        if (!cn_push(&sim->memory, &batch->islands, d->body_ends[i] - first)) return false;
        first = d->body_ends[i];
    }
    for (int i = r.first_body; i < r.end_body; i++) {
        int body = d->bodies[d->order[i]];
        if (!cn_push(&sim->memory, &batch->bodies, body)) return false;
        sim->warm[body].local = ++batch->body_count; // its state
        sim->warm[body].batch = (int)(batch - d->plan->batches);
        batch->clamped |= (sim->hot[body].flags & CN_BODY_CLAMPED) != 0;
    }
    return true;
}

static bool is_overflow(int key) {
    int color = key / CN_KIND_COUNT;
    return color == DYNAMIC_OVERFLOW || color == STATIC_OVERFLOW;
}

// The colours of the keys that occur; key_lanes[] gets the first lane of each.
static bool fill_colors(draft *d, cn_batch *batch, const int *key_counts, int *key_lanes) {
    const int lanes = d->sim->kernels->lanes;
    int end = 0;
    for (int key = 0; key < KEYS; key++) {
        int count = key_counts[key], first = end, kind = key % CN_KIND_COUNT;
        if (!count) continue;
        end += is_overflow(key) ? count : (count + lanes - 1) / lanes;
        bool fixed = key / CN_KIND_COUNT > DYNAMIC_OVERFLOW;
        cn_color color = {first, end, (cn_constraint_kind)kind, fixed};
        if (!cn_push(&d->sim->memory, &batch->colors, color)) return false;
        batch->extended |= kind == CN_KIND_EXTENDED;
        key_lanes[key] = first * lanes;
    }
    batch->lanes.count = end * lanes;
    return cn_reserve(&d->sim->memory, &batch->lanes, batch->lanes.count);
}

// The state of a static or kinematic body: 0, or one that the batch carries along; -1 if memory is short.
static int fixed_state(draft *d, cn_batch *batch, int body) {
    if (!(d->sim->hot[body].flags & CN_BODY_IS_KINEMATIC)) return 0;
    for (int i = batch->body_count; i < batch->bodies.count; i++)
        if (batch->bodies.items[i] == body) return i + 1;
    return cn_push(&d->sim->memory, &batch->bodies, body) ? batch->bodies.count : -1;
}

static bool fill_lanes(draft *d, cn_batch *batch, run r, int *key_lanes) {
    cn_lane *lanes = batch->lanes.items;
    if (lanes) memset(lanes, 0, (size_t)batch->lanes.count * sizeof *lanes);
    for (const edge *e = d->sorted + r.first_edge; e < d->sorted + r.end_edge; e++) {
        cn_contact_bodies pair = d->sim->touching.bodies[e->slot];
        int a = e->a >= 0 ? d->sim->warm[pair.a].local : fixed_state(d, batch, pair.a);
        if (a < 0) return false;
        lanes[key_lanes[e->key]] = (cn_lane){e->slot, a, d->sim->warm[pair.b].local};
        key_lanes[e->key] += is_overflow(e->key) ? d->sim->kernels->lanes : 1;
    }
    return true;
}

static bool make_batch(draft *d, run r, cn_batch *batch) {
    int key_counts[KEYS] = {0}, key_lanes[KEYS];
    color_edges(d, &d->sorted[r.first_edge], r.end_edge - r.first_edge, key_counts);
    batch->body_count = batch->bodies.count = batch->islands.count = batch->colors.count = 0;
    batch->dirty = batch->extended = batch->clamped = false;
    batch->alive = true;
    return fill_bodies(d, batch, r) && fill_colors(d, batch, key_counts, key_lanes) &&
           fill_lanes(d, batch, r, key_lanes);
}

static bool make_batches(draft *d) {
    run r = {0};
    for (int index = 0; r.end_island < d->island_count;) {
        r = next_run(d, r);
        index = find_batch(d, index);
        if (index < 0 || !make_batch(d, r, &d->plan->batches[index])) return false;
    }
    return true;
}

// ---- the stage

// Forgets all batches: their bodies are fresh again. After this the plan can be made from nothing.
static void abandon(cn_simulation *sim) {
    cn_plan *plan = &sim->plan;
    for (int i = 0; i < plan->batch_count; i++) plan->batches[i].alive = false;
    for (int body = 0; body < sim->body_end; body++) {
        sim->warm[body].batch = sim->warm[body].local = -1;
        cn_replan_body(sim, body);
    }
    plan->dirty = plan->abandoned = true;
}

static bool reserve_for_solver(cn_simulation *sim) {
    size_t most = 0;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        size_t bytes = batch->alive ? sim->kernels->batch_bytes(batch) : 0;
        if (bytes > most) most = bytes;
    }
    return reserve_arena(sim, most);
}

static bool make_plan(cn_simulation *sim) {
    draft d = {.sim = sim, .plan = &sim->plan};
    if (!clear_bits(sim)) return false;
    mark_all(sim);
    if (!begin_draft(&d)) return false;
    list_bodies(&d);
    list_edges(&d);
    link_islands(&d);
    number_islands(&d);
    sort_by_island(&d);
    return make_batches(&d);
}

bool cn_plan_islands(cn_simulation *sim) {
    bool made = (!sim->plan.dirty || make_plan(sim)) && reserve_for_solver(sim);
    if (made)
        sim->plan.dirty = sim->plan.abandoned = false;
    else
        abandon(sim);
    return made;
}

void cn_plan_free(cn_simulation *sim) {
    cn_plan *plan = &sim->plan;
    cn_memory *memory = &sim->memory;
    for (int i = 0; i < plan->batch_count; i++) {
        cn_batch *batch = &plan->batches[i];
        cn_free_list(memory, &batch->bodies);
        cn_free_list(memory, &batch->islands);
        cn_free_list(memory, &batch->colors);
        cn_free_list(memory, &batch->lanes);
    }
    cn_free(memory, &plan->batches, &plan->batch_capacity);
    cn_free_list(memory, &plan->body_bits);
    cn_free_list(memory, &plan->contact_bits);
    cn_release(memory, sim->arena.memory, (size_t)sim->arena.capacity * CN_ARENA_UNIT);
}
