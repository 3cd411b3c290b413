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
    // Keys in solving order: couplings (0), joints, contacts; of both by colour, then kind.
    KINDS = 3,
    CONTACT_KEYS = 1 + ALL_COLORS * KINDS, // the first of them
    KEYS = CONTACT_KEYS + ALL_COLORS * KINDS,
    // Where joints get more substeps: see substeps_of().
    MANY_JOINTS = 100,
    MANY_SUBSTEPS = 12,
    UNEVEN = 1 << 24,
};

// A contact or joint while it is being planned.
typedef struct {
    int slot;
    int a, b; // dense indices of the bodies; a: -1 if fixed
    int kind; // cn_constraint_kind
    int key;  // colour and kind
} edge;

typedef struct {
    cn_simulation *sim;
    cn_plan *plan;
    int body_count, edge_count, joint_count, island_count; // edges of joints come first
    int *bodies;                                           // dense index -> slot, in slot order
    int *parents;    // union-find; after linking: the island of each body
    int *body_ends;  // per island: where its bodies end in `order`
    int *edge_ends;  // per island: where its edges end in `sorted`
    int *joints;     // per island: how many; those of uneven masses count as UNEVEN
    int *order;      // dense indices by island
    uint64_t *masks; // dense index -> colours in use by contacts, and by joints
    uint64_t *joint_masks;
    edge *edges;  // in slot order
    edge *sorted; // by island
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
    for (int i = batch->joint_blocks * batch->kernels->lanes; i < batch->lanes.count; i++) {
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

// ---- joints

// Can a body take part in a joint: is it planned now, or one that never is?
static bool is_ready(const draft *d, int body) {
    const cn_body_hot *hot = &d->sim->hot[body];
    if (!(hot->flags & CN_BODY_ENABLED)) return false;
    return !cn_is_dynamic(hot) || d->plan->body_bits.items[body >> 6] >> (body & 63) & 1;
}

static bool joint_is_ready(const draft *d, int joint) {
    const int32_t *bodies = d->sim->joint_records[joint].bodies;
    return is_ready(d, bodies[0]) && is_ready(d, bodies[1]);
}

static edge joint_edge(const draft *d, int joint, cn_constraint_kind kind) {
    const int32_t *bodies = d->sim->joint_records[joint].bodies;
    int dense[2];
    for (int k = 0; k < 2; k++) {
        bool moves = cn_is_dynamic(&d->sim->hot[bodies[k]]);
        dense[k] = moves ? d->sim->warm[bodies[k]].local : -1;
    }
    bool swap = dense[1] < 0;
    return (edge){joint, dense[swap], dense[!swap], (int)kind, 0};
}

// Is its coupling to be solved?
static bool is_coupled(const draft *d, int joint) {
    const cn_joint_data *joints = d->sim->joints;
    int other = joints[joint].coupling.other;
    return other >= 0 && !joints[joint].def.disabled && !joints[other].def.disabled &&
           joint_is_ready(d, other);
}

// Lists the joints of a body and their couplings, each with the first of its bodies that is dynamic, and
// returns how many; `edges` may be NULL.
static int list_joints(const draft *d, int body, edge *edges) {
    const cn_simulation *sim = d->sim;
    int count = 0;
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body)) {
        const int32_t *bodies = sim->joint_records[i].bodies;
        bool second = !cn_is_dynamic(&sim->hot[bodies[0]]);
        if (bodies[second] != body || !joint_is_ready(d, i)) continue;
        const cn_constraint_kind kinds[] = {sim->joints[i].kind,
                                            is_coupled(d, i) ? CN_KIND_COUPLING : CN_KIND_NONE};
        for (int k = 0; k < 2; k++) {
            if (kinds[k] == CN_KIND_NONE) continue;
            if (edges) edges[count] = joint_edge(d, i, kinds[k]);
            count++;
        }
    }
    return count;
}

static int count_joints(const draft *d) {
    int count = 0;
    if (!d->sim->joint_count) return 0;
    CN_EACH_BIT(body, d->plan->body_bits.items, d->sim->body_end)
    count += list_joints(d, body, NULL);
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
    int **const ints[] = {&d->bodies,    &d->parents, &d->body_ends,
                          &d->edge_ends, &d->joints,  &d->order};
    for (int i = 0; i < 6; i++) *ints[i] = cn_take(arena, d->body_count, sizeof(int));
    d->masks = cn_take(arena, d->body_count, sizeof(uint64_t));
    d->joint_masks = cn_take(arena, d->body_count, sizeof(uint64_t));
    d->edges = cn_take(arena, d->edge_count, sizeof(edge));
    d->sorted = cn_take(arena, d->edge_count, sizeof(edge));
}

static bool begin_draft(draft *d) {
    cn_simulation *sim = d->sim;
    cn_arena counter = {0};
    d->body_count = count_bits(d->plan->body_bits.items, (sim->body_end + 63) / 64);
    d->joint_count = count_joints(d);
    d->edge_count =
        d->joint_count + count_bits(d->plan->contact_bits.items, sim->touching.capacity);
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
    bool extended =
        meta & (CN_META_BOUNCY | CN_META_HITS | CN_META_RESISTS) || (moves && masses_uneven(a, b));
    cn_constraint_kind kind = extended                     ? CN_KIND_EXTENDED
                              : (meta & CN_META_ONE_POINT) ? CN_KIND_ONE_POINT
                                                           : CN_KIND_PLAIN;
    return (edge){slot, moves ? sim->warm[pair.a].local : -1, sim->warm[pair.b].local, (int)kind,
                  0};
}

static void list_edges(draft *d) {
    int count = 0;
    for (int i = 0; count < d->joint_count; i++)
        count += list_joints(d, d->bodies[i], &d->edges[count]);
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
static void link_bodies(draft *d, int a, int b) {
    if (a < 0 || b < 0) return;
    a = find_root(d->parents, a), b = find_root(d->parents, b);
    if (a < b)
        d->parents[b] = a;
    else
        d->parents[a] = b;
}

static void link_islands(draft *d) {
    for (int i = 0; i < d->edge_count; i++) {
        const edge *e = &d->edges[i];
        link_bodies(d, e->a, e->b);
        if (e->kind != CN_KIND_COUPLING) continue;
        edge other = joint_edge(d, d->sim->joints[e->slot].coupling.other, CN_KIND_NONE);
        link_bodies(d, other.b, e->b);
    }
}

static bool is_uneven(const draft *d, const edge *e) {
    if (e->a < 0) return false;
    return masses_uneven(&d->sim->hot[d->bodies[e->a]], &d->sim->hot[d->bodies[e->b]]);
}

// Numbers the islands in order of their first bodies; parents[] then gives the island of each body.
static void number_islands(draft *d) {
    for (int i = 0; i < d->body_count; i++) {
        int parent = d->parents[i]; // comes before i, and has its number, unless it is i itself
        int island = parent == i ? d->island_count++ : d->parents[parent];
        if (parent == i) d->body_ends[island] = d->edge_ends[island] = d->joints[island] = 0;
        d->parents[i] = island;
        d->body_ends[island]++;
    }
    for (int i = 0; i < d->edge_count; i++) d->edge_ends[d->parents[d->edges[i].b]]++;
    for (int i = 0; i < d->joint_count; i++)
        d->joints[d->parents[d->edges[i].b]] += is_uneven(d, &d->edges[i]) ? UNEVEN : 1;
}

// How many substeps an island takes for each of the world's: two where a joint holds uneven masses, and
// where many joints add up and the world asks for much.
static int substeps_of(const draft *d, int island) {
    int few = d->sim->substeps < MANY_SUBSTEPS ? UNEVEN : MANY_JOINTS;
    return d->joints[island] < few ? 1 : 2;
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
static int choose_color(uint64_t *masks, const edge *e) {
    const uint64_t dynamic = ((uint64_t)1 << DYNAMIC_COLORS) - 1;
    bool fixed = e->a < 0;
    uint64_t *b = &masks[e->b], *a = fixed ? b : &masks[e->a];
    uint64_t free = ~(*a | *b) & (fixed ? ~dynamic : dynamic), bit = free & -free;
    if (!bit) return fixed ? STATIC_OVERFLOW : DYNAMIC_OVERFLOW;
    *a |= bit;
    *b |= bit;
    return cn_lowest_bit(bit) + fixed;
}

static int key_of(const draft *d, const edge *e) {
    if (e->kind == CN_KIND_COUPLING) return 0;
    bool joint = e->kind >= CN_KIND_POINT;
    int color = choose_color(joint ? d->joint_masks : d->masks, e);
    return (joint ? 1 : CONTACT_KEYS) + color * KINDS + e->kind % KINDS;
}

static void color_edges(draft *d, edge *edges, int count, int *key_counts) {
    for (int i = 0; i < count; i++) {
        edges[i].key = key_of(d, &edges[i]);
        key_counts[edges[i].key]++;
    }
}

// Of contacts or of joints.
static int color_of(int key) { return (key - 1) / KINDS % ALL_COLORS; }

static cn_constraint_kind kind_of(int key) {
    if (key == 0) return CN_KIND_COUPLING;
    return (cn_constraint_kind)((key - 1) % KINDS + (key < CONTACT_KEYS ? CN_KIND_POINT : 0));
}

// One after the other?
static bool is_single(int key) {
    return key == 0 || color_of(key) == DYNAMIC_OVERFLOW || color_of(key) == STATIC_OVERFLOW;
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
    } while (i < d->island_count && substeps_of(d, i) == substeps_of(d, r.first_island) &&
             d->body_ends[i] - r.first_body <= BATCH_BODIES &&
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

// The colours of the keys that occur; key_lanes[] gets the first lane of each.
static bool fill_colors(draft *d, cn_batch *batch, const int *key_counts, int *key_lanes) {
    const int lanes = batch->kernels->lanes;
    int end = 0;
    for (int key = 0; key < KEYS; key++) {
        int count = key_counts[key], first = end;
        if (!count) continue;
        end += is_single(key) ? count : (count + lanes - 1) / lanes;
        cn_constraint_kind kind = kind_of(key);
        cn_color color = {first, end, kind, color_of(key) > DYNAMIC_OVERFLOW};
        if (!cn_push(&d->sim->memory, &batch->colors, color)) return false;
        batch->extended |= kind == CN_KIND_EXTENDED;
        batch->rows |= kind == CN_KIND_TURN || kind == CN_KIND_AXES;
        if (key < CONTACT_KEYS) batch->joint_blocks = end;
        key_lanes[key] = first * lanes;
    }
    batch->lanes.count = end * lanes;
    return cn_reserve(&d->sim->memory, &batch->lanes, batch->lanes.count);
}

static cn_contact_bodies bodies_of(const draft *d, const edge *e) {
    if (e->kind < CN_KIND_POINT) return d->sim->touching.bodies[e->slot];
    const int32_t *bodies = d->sim->joint_records[e->slot].bodies;
    return (cn_contact_bodies){bodies[0], bodies[1]};
}

// The state of a body in the batch: 0 of a static one, of a kinematic one a copy that the batch carries
// along; -1 if memory is short.
static int state_of(draft *d, cn_batch *batch, int body) {
    const cn_body_hot *hot = &d->sim->hot[body];
    if (cn_is_dynamic(hot)) return d->sim->warm[body].local;
    if (!(hot->flags & CN_BODY_IS_KINEMATIC)) return 0;
    for (int i = batch->body_count; i < batch->bodies.count; i++)
        if (batch->bodies.items[i] == body) return i + 1;
    return cn_push(&d->sim->memory, &batch->bodies, body) ? batch->bodies.count : -1;
}

static bool fill_lanes(draft *d, cn_batch *batch, run r, int *key_lanes) {
    cn_lane *lanes = batch->lanes.items;
    if (lanes) memset(lanes, 0, (size_t)batch->lanes.count * sizeof *lanes);
    for (const edge *e = d->sorted + r.first_edge; e < d->sorted + r.end_edge; e++) {
        cn_contact_bodies pair = bodies_of(d, e);
        cn_lane lane = {e->slot, state_of(d, batch, pair.a), state_of(d, batch, pair.b)};
        if (lane.a < 0 || lane.b < 0) return false;
        if (e->kind >= CN_KIND_POINT)
            batch->watched |= (d->sim->joints[e->slot].flags & CN_JOINT_WATCHED) != 0;
        lanes[key_lanes[e->key]] = lane;
        key_lanes[e->key] += is_single(e->key) ? batch->kernels->lanes : 1;
    }
    return true;
}

static bool make_batch(draft *d, run r, cn_batch *batch) {
    int key_counts[KEYS] = {0}, key_lanes[KEYS];
    color_edges(d, &d->sorted[r.first_edge], r.end_edge - r.first_edge, key_counts);
    batch->body_count = batch->bodies.count = batch->islands.count = batch->colors.count = 0;
    batch->dirty = batch->extended = batch->rows = batch->watched = batch->clamped = false;
    batch->joint_blocks = 0;
    batch->kernels = cn_kernels_of(d->sim, r.end_edge - r.first_edge);
    batch->substeps = substeps_of(d, r.first_island);
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
        size_t bytes = batch->alive ? batch->kernels->batch_bytes(batch) : 0;
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
