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
    ALL_COLORS = 64,
    KEYS = ALL_COLORS * CN_KIND_COUNT, // colour * kinds + kind
    OVERFLOW_KEYS = 2 * CN_KIND_COUNT, // bodies with too many contacts: kind, then fixed + kind
};

// A contact while it is being planned.
typedef struct {
    int slot;
    int a, b; // dense indices of the bodies; a: -1 if fixed
    int16_t key;
    uint8_t kind;
} edge;

typedef struct {
    cn_simulation *sim;
    cn_plan *plan;
    int body_count, edge_count, island_count;
    int *bodies;        // dense index -> slot, in slot order
    int *parents;       // union-find; after linking: the island of each body
    int *island_bodies; // per island
    int *island_edges;
    int *island_batch; // batch, counted from the first new one
    int *places;       // dense index -> state in its batch
    int *order;        // dense indices by island
    uint64_t *masks;   // dense index -> colours in use
    edge *edges;       // in slot order
    edge *sorted;      // by batch
} draft;

// ---- what is planned anew

bool cn_is_planned(const cn_simulation *sim, int body) {
    const uint32_t needed = CN_BODY_ALIVE | CN_BODY_ENABLED | CN_BODY_IS_DYNAMIC;
    uint32_t flags = sim->hot[body].flags;
    if ((flags & needed) != needed) return false;
    int island = sim->warm[body].island;
    return flags & CN_BODY_AWAKE || (island >= 0 && sim->sleepers[island].wake);
}

static void set_bit(uint64_t *bits, int i) { bits[i >> 6] |= (uint64_t)1 << (i & 63); }

static bool clear_bits(cn_simulation *sim) {
    cn_plan *plan = &sim->plan;
    int body_words = (sim->body_end + 63) / 64, contact_words = sim->touching.capacity;
    if (!cn_grow(&sim->memory, &plan->body_bits, &plan->body_bits_capacity, body_words) ||
        !cn_grow(&sim->memory, &plan->contact_bits, &plan->contact_bits_capacity, contact_words))
        return false;
    memset(plan->body_bits, 0, (size_t)body_words * sizeof(uint64_t));
    if (contact_words) memset(plan->contact_bits, 0, (size_t)contact_words * sizeof(uint64_t));
    return true;
}

static void mark_body(cn_simulation *sim, int body) {
    sim->warm[body].batch = -1;
    sim->warm[body].local = -1;
    if (cn_is_planned(sim, body)) set_bit(sim->plan.body_bits, body);
}

static void mark_batch(cn_simulation *sim, const cn_batch *batch) {
    for (int i = 0; i < batch->body_count; i++) mark_body(sim, batch->bodies[i]);
    for (int i = 0; i < batch->lane_count; i++) {
        int slot = batch->lanes[i].slot;
        if (slot >= CN_FIRST_SLOT && cn_occupied(&sim->touching, slot))
            set_bit(sim->plan.contact_bits, slot);
    }
}

// Empties the dirty batches into the bitmaps, with fresh and waking bodies and new contacts.
static void mark_all(cn_simulation *sim) {
    cn_plan *plan = &sim->plan;
    if (plan->abandoned && sim->touching.end)
        memcpy(plan->contact_bits, sim->touching.occupied,
               (size_t)sim->touching.capacity * sizeof(uint64_t));
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
    for (int i = 0; i < sim->waking_count; i++)
        for (int body = sim->sleepers[sim->waking[i]].first_body; body >= 0;
             body = sim->warm[body].next)
            mark_body(sim, body);
    for (int i = 0; i < sim->new_count; i++) set_bit(plan->contact_bits, sim->new_slots[i]);
    for (int i = 0; i < sim->lost_count; i++)
        plan->contact_bits[sim->lost_slots[i] >> 6] &= ~((uint64_t)1 << (sim->lost_slots[i] & 63));
}

static int count_bits(const uint64_t *bits, int words) {
    int count = 0;
    for (int i = 0; i < words; i++) count += __builtin_popcountll(bits[i]);
    return count;
}

// ---- the draft

static void *take(cn_arena *arena, size_t count, size_t size) {
    void *piece = arena->memory + arena->used;
    arena->used += (count * size + 63) & ~(size_t)63;
    assert(arena->used <= arena->capacity);
    return piece;
}

static bool reserve_arena(cn_simulation *sim, size_t size) {
    cn_arena *arena = &sim->arena;
    arena->used = 0;
    if (size <= arena->capacity) return true;
    size_t grown = size > arena->capacity / 2 * 3 ? size : arena->capacity / 2 * 3;
    char *memory = cn_allocate(&sim->memory, grown);
    if (!memory) return false;
    cn_release(&sim->memory, arena->memory, arena->capacity);
    *arena = (cn_arena){memory, 0, grown};
    return true;
}

static bool begin_draft(draft *d) {
    cn_simulation *sim = d->sim;
    d->body_count = count_bits(d->plan->body_bits, (sim->body_end + 63) / 64);
    d->edge_count = count_bits(d->plan->contact_bits, sim->touching.capacity);
    size_t n = (size_t)d->body_count, m = (size_t)d->edge_count;
    if (!reserve_arena(sim,
                       n * (7 * sizeof(int) + sizeof(uint64_t)) + 2 * m * sizeof(edge) + 10 * 64))
        return false;
    cn_arena *arena = &sim->arena;
    d->bodies = take(arena, n, sizeof(int));
    d->parents = take(arena, n, sizeof(int));
    d->island_bodies = take(arena, n, sizeof(int));
    d->island_edges = take(arena, n, sizeof(int));
    d->island_batch = take(arena, n, sizeof(int));
    d->places = take(arena, n, sizeof(int));
    d->order = take(arena, n, sizeof(int));
    d->masks = take(arena, n, sizeof(uint64_t));
    d->edges = take(arena, m, sizeof(edge));
    d->sorted = take(arena, m, sizeof(edge));
    return true;
}

static void list_bodies(draft *d) {
    int count = 0;
    for (int word = 0; count < d->body_count; word++)
        for (uint64_t bits = d->plan->body_bits[word]; bits; bits &= bits - 1) {
            int body = word * 64 + cn_lowest_bit(bits);
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
    return (edge){slot, moves ? sim->warm[pair.a].local : -1, sim->warm[pair.b].local, 0,
                  (uint8_t)kind};
}

static void list_edges(draft *d) {
    int count = 0;
    for (int word = 0; count < d->edge_count; word++)
        for (uint64_t bits = d->plan->contact_bits[word]; bits; bits &= bits - 1)
            d->edges[count++] = edge_of(d->sim, word * 64 + cn_lowest_bit(bits));
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
    for (int i = 0; i < d->body_count; i++)
        d->parents[i] = d->parents[d->parents[i]]; // all to their roots
    d->island_count = 0;
    for (int i = 0; i < d->body_count; i++) {
        int root = d->parents[i];
        if (root == i) {
            d->island_bodies[d->island_count] = d->island_edges[d->island_count] = 0;
            d->parents[i] = d->island_count++;
        } else {
            d->parents[i] = d->parents[root]; // the root came first and has its number
        }
        d->island_bodies[d->parents[i]]++;
    }
    for (int i = 0; i < d->edge_count; i++) d->island_edges[d->parents[d->edges[i].b]]++;
}

// Packs islands into batches in their order.
static void pack_islands(draft *d) {
    int batch = -1, bodies = 0, edges = 0;
    for (int i = 0; i < d->island_count; i++) {
        if (batch < 0 || bodies + d->island_bodies[i] > BATCH_BODIES ||
            edges + d->island_edges[i] > BATCH_CONTACTS) {
            batch++;
            bodies = edges = 0;
        }
        bodies += d->island_bodies[i];
        edges += d->island_edges[i];
        d->island_batch[i] = batch;
    }
}

// ---- colours

// The lowest colour free at both bodies; static contacts look at the upper bits of theirs only.
static int choose_color(draft *d, const edge *e) {
    uint64_t *b = &d->masks[e->b];
    if (e->a < 0) {
        uint64_t free =
            ~(*b >> DYNAMIC_COLORS) & (((uint64_t)1 << (ALL_COLORS - DYNAMIC_COLORS)) - 1);
        if (!free) return -1;
        int color = DYNAMIC_COLORS + cn_lowest_bit(free);
        *b |= (uint64_t)1 << color;
        return color;
    }
    uint64_t *a = &d->masks[e->a];
    uint64_t free = ~(*a | *b) & (((uint64_t)1 << DYNAMIC_COLORS) - 1);
    if (!free) return -1;
    uint64_t bit = free & -free;
    *a |= bit;
    *b |= bit;
    return cn_lowest_bit(free);
}

static void color_edges(draft *d, edge *edges, int count, int *key_counts) {
    for (int i = 0; i < count; i++) {
        edge *e = &edges[i];
        int color = choose_color(d, e);
        int overflow = KEYS + (e->a < 0 ? CN_KIND_COUNT : 0) + e->kind;
        e->key = (int16_t)(color < 0 ? overflow : color * CN_KIND_COUNT + e->kind);
        key_counts[e->key]++;
    }
}

// Solving order of the keys: dynamic colours, their overflow, static colours, theirs.
static int key_in_order(int i) {
    const int dynamic = DYNAMIC_COLORS * CN_KIND_COUNT;
    if (i < dynamic) return i;
    if (i < dynamic + CN_KIND_COUNT) return KEYS + i - dynamic;
    if (i < KEYS + CN_KIND_COUNT) return i - CN_KIND_COUNT;
    return i;
}

// ---- batches

// A run of islands and what belongs to them.
typedef struct {
    int first_island, island_count, first_body, body_count, first_edge, edge_count;
} run;

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
    if (!cn_grow(&sim->memory, &batch->bodies, &batch->body_capacity, r.body_count) ||
        !cn_grow(&sim->memory, &batch->islands, &batch->island_capacity, r.island_count))
        return false;
    memcpy(batch->islands, &d->island_bodies[r.first_island], (size_t)r.island_count * sizeof(int));
    batch->island_count = r.island_count;
    while (batch->body_count < r.body_count) {
        int dense = d->order[r.first_body + batch->body_count], body = d->bodies[dense];
        batch->bodies[batch->body_count++] = body;
        d->places[dense] = sim->warm[body].local = batch->body_count;
        sim->warm[body].batch = (int)(batch - d->plan->batches);
        batch->clamped |= (sim->hot[body].flags & CN_BODY_CLAMPED) != 0;
    }
    return true;
}

// The colours of the keys that occur; key_lanes[] gets the first lane of each.
static bool fill_colors(draft *d, cn_batch *batch, const int *key_counts, int *key_lanes) {
    const int lanes = d->sim->kernels->lanes;
    for (int i = 0; i < KEYS + OVERFLOW_KEYS; i++) {
        int key = key_in_order(i), count = key_counts[key];
        if (!count) continue;
        bool single = key >= KEYS;
        bool fixed = single ? key >= KEYS + CN_KIND_COUNT : key >= DYNAMIC_COLORS * CN_KIND_COUNT;
        int kind = key % CN_KIND_COUNT,
            padded = single ? count : (count + lanes - 1) / lanes * lanes;
        if (!cn_grow(&d->sim->memory, &batch->colors, &batch->color_capacity,
                     batch->color_count + 1))
            return false;
        batch->colors[batch->color_count++] =
            (cn_color){batch->lane_count, padded, (uint8_t)kind, fixed, single};
        batch->extended |= kind == CN_KIND_EXTENDED;
        key_lanes[key] = batch->lane_count;
        batch->lane_count += padded;
    }
    return cn_grow(&d->sim->memory, &batch->lanes, &batch->lane_capacity, batch->lane_count);
}

// The state of a static or kinematic body: 0, or one that the batch carries along; -1 if memory is short.
static int fixed_state(draft *d, cn_batch *batch, int body) {
    if (!(d->sim->hot[body].flags & CN_BODY_IS_KINEMATIC)) return 0;
    int states = batch->body_count + batch->carrier_count;
    for (int i = batch->body_count; i < states; i++)
        if (batch->bodies[i] == body) return i + 1;
    if (!cn_grow(&d->sim->memory, &batch->bodies, &batch->body_capacity, states + 1)) return -1;
    batch->bodies[states] = body;
    batch->carrier_count++;
    return states + 1;
}

static bool fill_lanes(draft *d, cn_batch *batch, const edge *edges, int count, int *key_lanes) {
    if (batch->lane_count) memset(batch->lanes, 0, (size_t)batch->lane_count * sizeof(cn_lane));
    for (int i = 0; i < count; i++) {
        const edge *e = &edges[i];
        int a =
            e->a >= 0 ? d->places[e->a] : fixed_state(d, batch, d->sim->touching.bodies[e->slot].a);
        if (a < 0) return false;
        batch->lanes[key_lanes[e->key]++] = (cn_lane){e->slot, a, d->places[e->b]};
    }
    return true;
}

static bool make_batch(draft *d, run r, cn_batch *batch) {
    edge *edges = &d->sorted[r.first_edge];
    int key_counts[KEYS + OVERFLOW_KEYS] = {0}, key_lanes[KEYS + OVERFLOW_KEYS];
    color_edges(d, edges, r.edge_count, key_counts);
    batch->body_count = batch->carrier_count = batch->color_count = batch->lane_count = 0;
    batch->dirty = batch->extended = batch->clamped = false;
    batch->alive = true;
    return fill_bodies(d, batch, r) && fill_colors(d, batch, key_counts, key_lanes) &&
           fill_lanes(d, batch, edges, r.edge_count, key_lanes);
}

// Sorts dense bodies by island and edges by island, both in slot order within.
static void sort_by_island(draft *d) {
    int bodies = 0, edges = 0;
    for (int i = 0; i < d->island_count; i++) { // counts become first places...
        int n = d->island_bodies[i], m = d->island_edges[i];
        d->island_bodies[i] = bodies;
        d->island_edges[i] = edges;
        bodies += n;
        edges += m;
    }
    for (int i = 0; i < d->body_count; i++) d->order[d->island_bodies[d->parents[i]]++] = i;
    for (int i = 0; i < d->edge_count; i++)
        d->sorted[d->island_edges[d->parents[d->edges[i].b]]++] = d->edges[i];
    for (int i = d->island_count - 1; i > 0; i--) { // ... which are ends now: counts again
        d->island_bodies[i] -= d->island_bodies[i - 1];
        d->island_edges[i] -= d->island_edges[i - 1];
    }
}

static bool make_batches(draft *d) {
    pack_islands(d);
    sort_by_island(d);
    run r = {0};
    int index = 0;
    for (int i = 0; i < d->island_count; i += r.island_count) {
        r = (run){i, 0, r.first_body + r.body_count, 0, r.first_edge + r.edge_count, 0};
        for (int k = i; k < d->island_count && d->island_batch[k] == d->island_batch[i]; k++) {
            r.island_count++;
            r.body_count += d->island_bodies[k];
            r.edge_count += d->island_edges[k];
        }
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
        cn_free(memory, &batch->bodies, &batch->body_capacity);
        cn_free(memory, &batch->islands, &batch->island_capacity);
        cn_free(memory, &batch->colors, &batch->color_capacity);
        cn_free(memory, &batch->lanes, &batch->lane_capacity);
    }
    cn_free(memory, &plan->batches, &plan->batch_capacity);
    cn_free(memory, &plan->body_bits, &plan->body_bits_capacity);
    cn_free(memory, &plan->contact_bits, &plan->contact_bits_capacity);
    cn_release(memory, sim->arena.memory, sim->arena.capacity);
}
