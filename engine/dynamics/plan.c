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
    // Keys, in solving order: couplings, joints, contacts. Of each of the two: dynamic colours, the overflow
    // of bodies that have too many, colours of the static world, their overflow; and each of these by kind.
    KINDS = 3,
    OVERFLOW = DYNAMIC_COLORS,
    FIXED = DYNAMIC_COLORS + 1,
    FIXED_OVERFLOW = ALL_COLORS + 1,
    FAMILY_KEYS = (ALL_COLORS + 2) * KINDS,
    KEYS = 1 + 2 * FAMILY_KEYS,
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
    int joint_edges;    // the first ones
    int *bodies;        // dense index -> slot, in slot order
    int *parents;       // union-find; after linking: the island of each body
    int *island_bodies; // per island
    int *island_edges;
    int *island_batch; // batch, counted from the first new one
    int *order;        // dense indices by island
    uint64_t *masks;   // dense index -> colours in use, by contacts
    uint64_t *joint_masks;
    edge *edges;  // in slot order
    edge *sorted; // by batch
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
    for (int i = batch->joint_lanes; i < batch->lane_count; i++) {
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

static edge joint_edge(const draft *d, int joint, cn_constraint_kind kind) {
    const cn_joint_side *sides = d->sim->joints[joint].sides;
    int dense[2];
    for (int k = 0; k < 2; k++)
        dense[k] =
            cn_is_dynamic(&d->sim->hot[sides[k].body]) ? d->sim->warm[sides[k].body].local : -1;
    bool swap = dense[1] < 0;
    return (edge){joint, dense[swap], dense[!swap], 0, (uint8_t)kind};
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

// Can a body take part in a joint: is it planned now, or one that never is?
static bool is_ready(const draft *d, int body) {
    if (!(d->sim->hot[body].flags & CN_BODY_ENABLED)) return false;
    return !cn_is_dynamic(&d->sim->hot[body]) || d->plan->body_bits[body >> 6] >> (body & 63) & 1;
}

static bool joint_is_ready(const draft *d, int joint) {
    const cn_joint_side *sides = d->sim->joints[joint].sides;
    return is_ready(d, sides[0].body) && is_ready(d, sides[1].body);
}

// Does the body list the joint? The first of its two that is dynamic does.
static bool is_listed_by(const draft *d, int joint, int body) {
    const cn_joint_side *sides = d->sim->joints[joint].sides;
    return body == sides[!cn_is_dynamic(&d->sim->hot[sides[0].body])].body &&
           joint_is_ready(d, joint);
}

// Is its coupling to be solved?
static bool is_coupled(const draft *d, int joint) {
    const cn_joint_data *joints = d->sim->joints;
    int other = joints[joint].coupling.other;
    return other >= 0 && joints[joint].flags & joints[other].flags & CN_JOINT_ENABLED &&
           joint_is_ready(d, other);
}

// Calls for the bodies of the draft in their order: counts their joints and couplings, and lists them.
static int list_joints_of(const draft *d, int body, edge *edges) {
    int count = 0;
    const cn_simulation *sim = d->sim;
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        if (!is_listed_by(d, i, body)) continue;
        cn_constraint_kind kinds[] = {cn_joint_kind(&sim->joints[i]), CN_KIND_COUPLING};
        for (int k = 0; k < 2; k++) {
            if (k ? !is_coupled(d, i) : kinds[0] == CN_KIND_NONE) continue;
            if (edges) edges[count] = joint_edge(d, i, kinds[k]);
            count++;
        }
    }
    return count;
}

static int count_joints(const draft *d) {
    int count = 0;
    for (int word = 0; d->sim->joint_count && word * 64 < d->sim->body_end; word++)
        for (uint64_t bits = d->plan->body_bits[word]; bits; bits &= bits - 1)
            count += list_joints_of(d, word * 64 + cn_lowest_bit(bits), NULL);
    return count;
}

static bool begin_draft(draft *d) {
    cn_simulation *sim = d->sim;
    d->body_count = count_bits(d->plan->body_bits, (sim->body_end + 63) / 64);
    d->joint_edges = count_joints(d);
    d->edge_count = d->joint_edges + count_bits(d->plan->contact_bits, sim->touching.capacity);
    size_t n = (size_t)d->body_count, m = (size_t)d->edge_count;
    if (!reserve_arena(sim, n * (6 * sizeof(int) + 2 * sizeof(uint64_t)) + 2 * m * sizeof(edge) +
                                11 * 64))
        return false;
    cn_arena *arena = &sim->arena;
    d->bodies = take(arena, n, sizeof(int));
    d->parents = take(arena, n, sizeof(int));
    d->island_bodies = take(arena, n, sizeof(int));
    d->island_edges = take(arena, n, sizeof(int));
    d->island_batch = take(arena, n, sizeof(int));
    d->order = take(arena, n, sizeof(int));
    d->masks = take(arena, n, sizeof(uint64_t));
    d->joint_masks = take(arena, n, sizeof(uint64_t));
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
            d->masks[count] = d->joint_masks[count] = 0;
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
    for (int i = 0; count < d->joint_edges; i++)
        count += list_joints_of(d, d->bodies[i], &d->edges[count]);
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
static void link_bodies(draft *d, int a, int b) {
    if (a < 0 || b < 0) return;
    a = find_root(d->parents, a), b = find_root(d->parents, b);
    d->parents[cn_max_int(a, b)] = cn_min_int(a, b);
}

static void link_islands(draft *d) {
    for (int i = 0; i < d->edge_count; i++) {
        const edge *e = &d->edges[i];
        link_bodies(d, e->a, e->b);
        if (e->kind != CN_KIND_COUPLING) continue;
        edge other = joint_edge(d, d->sim->joints[e->slot].coupling.other, CN_KIND_NONE);
        link_bodies(d, e->b, other.b);
        link_bodies(d, e->b, other.a);
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
static int choose_color(uint64_t *masks, const edge *e) {
    uint64_t *b = &masks[e->b];
    if (e->a < 0) {
        uint64_t free =
            ~(*b >> DYNAMIC_COLORS) & (((uint64_t)1 << (ALL_COLORS - DYNAMIC_COLORS)) - 1);
        if (!free) return -1;
        int color = DYNAMIC_COLORS + cn_lowest_bit(free);
        *b |= (uint64_t)1 << color;
        return color;
    }
    uint64_t *a = &masks[e->a];
    uint64_t free = ~(*a | *b) & (((uint64_t)1 << DYNAMIC_COLORS) - 1);
    if (!free) return -1;
    uint64_t bit = free & -free;
    *a |= bit;
    *b |= bit;
    return cn_lowest_bit(free);
}

static int key_of(const draft *d, const edge *e) {
    if (e->kind == CN_KIND_COUPLING) return 0;
    bool joint = e->kind >= CN_KIND_POINT;
    int color = choose_color(joint ? d->joint_masks : d->masks, e);
    int place = color >= DYNAMIC_COLORS ? color + 1 : color;
    if (color < 0) place = e->a < 0 ? FIXED_OVERFLOW : OVERFLOW;
    int kind = joint ? e->kind - CN_KIND_POINT : e->kind;
    return 1 + (joint ? 0 : FAMILY_KEYS) + place * KINDS + kind;
}

static void color_edges(draft *d, edge *edges, int count, int *key_counts) {
    for (int i = 0; i < count; i++) {
        edges[i].key = (int16_t)key_of(d, &edges[i]);
        key_counts[edges[i].key]++;
    }
}

// The colour of a key, without its lanes.
static cn_color color_of(int key) {
    if (key == 0) return (cn_color){.kind = CN_KIND_COUPLING, .single = true};
    bool joint = key <= FAMILY_KEYS;
    int place = (key - 1) % FAMILY_KEYS / KINDS, kind = (key - 1) % KINDS;
    return (cn_color){.kind = (uint8_t)(joint ? CN_KIND_POINT + kind : kind),
                      .fixed = place >= FIXED,
                      .single = place == OVERFLOW || place == FIXED_OVERFLOW};
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
        int body = d->bodies[d->order[r.first_body + batch->body_count]];
        batch->bodies[batch->body_count++] = body;
        sim->warm[body].local = batch->body_count;
        sim->warm[body].batch = (int)(batch - d->plan->batches);
        batch->clamped |= (sim->hot[body].flags & CN_BODY_CLAMPED) != 0;
    }
    return true;
}

// The colours of the keys that occur; key_lanes[] gets the first lane of each.
static bool fill_colors(draft *d, cn_batch *batch, const int *key_counts, int *key_lanes) {
    const int lanes = d->sim->kernels->lanes;
    for (int key = 0; key < KEYS; key++) {
        int count = key_counts[key];
        if (!count) continue;
        if (!cn_grow(&d->sim->memory, &batch->colors, &batch->color_capacity,
                     batch->color_count + 1))
            return false;
        cn_color color = color_of(key);
        color.first_lane = key_lanes[key] = batch->lane_count;
        color.lane_count = color.single ? count : (count + lanes - 1) / lanes * lanes;
        batch->colors[batch->color_count++] = color;
        batch->lane_count += color.lane_count;
        batch->extended |= color.kind == CN_KIND_EXTENDED;
        batch->rows |= color.kind == CN_KIND_TURN || color.kind == CN_KIND_AXES;
        if (key <= FAMILY_KEYS) batch->joint_lanes = batch->lane_count;
    }
    return cn_grow(&d->sim->memory, &batch->lanes, &batch->lane_capacity, batch->lane_count);
}

// The state of a body in the batch: of the static world 0, of a kinematic one a copy that the batch carries
// along; -1 if memory is short.
static int state_of(draft *d, cn_batch *batch, int body) {
    const cn_body_hot *hot = &d->sim->hot[body];
    if (cn_is_dynamic(hot)) return d->sim->warm[body].local;
    if (!(hot->flags & CN_BODY_IS_KINEMATIC)) return 0;
    int states = batch->body_count + batch->carrier_count;
    for (int i = batch->body_count; i < states; i++)
        if (batch->bodies[i] == body) return i + 1;
    if (!cn_grow(&d->sim->memory, &batch->bodies, &batch->body_capacity, states + 1)) return -1;
    batch->bodies[states] = body;
    batch->carrier_count++;
    return states + 1;
}

static cn_lane lane_of(draft *d, cn_batch *batch, const edge *e) {
    const cn_contact_bodies *contact = &d->sim->touching.bodies[e->slot];
    if (e->kind < CN_KIND_POINT)
        return (cn_lane){e->slot, state_of(d, batch, contact->a), state_of(d, batch, contact->b)};
    const cn_joint_side *sides = d->sim->joints[e->slot].sides;
    return (cn_lane){e->slot, state_of(d, batch, sides[0].body), state_of(d, batch, sides[1].body)};
}

static bool fill_lanes(draft *d, cn_batch *batch, const edge *edges, int count, int *key_lanes) {
    if (batch->lane_count) memset(batch->lanes, 0, (size_t)batch->lane_count * sizeof(cn_lane));
    for (int i = 0; i < count; i++) {
        cn_lane lane = lane_of(d, batch, &edges[i]);
        if (lane.a < 0 || lane.b < 0) return false;
        batch->lanes[key_lanes[edges[i].key]++] = lane;
    }
    return true;
}

static bool make_batch(draft *d, run r, cn_batch *batch) {
    edge *edges = &d->sorted[r.first_edge];
    int key_counts[KEYS] = {0}, key_lanes[KEYS];
    color_edges(d, edges, r.edge_count, key_counts);
    batch->body_count = batch->carrier_count = batch->color_count = batch->lane_count = 0;
    batch->joint_lanes = 0;
    batch->dirty = batch->extended = batch->rows = batch->clamped = false;
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
