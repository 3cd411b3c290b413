/* Batches: whole islands are packed into them, and their contacts and joints get their lanes.
 *
 * A batch has a size that fits the cache. All its islands take the same number of substeps. When
 * batches are made, every edge has a key: its colour and row type. The edges of a batch with the
 * same key are counted, and get a run of blocks of lanes:
 *
 *      key     coupling | joints, colour 0 | .. | plain contacts, colour 0 | one-point | .. |
 *      blocks  [.]      | [....][..00]     | .. | [....][....][.000]       | [....]    | .. |
 *
 * Unused lanes in the last block of a key name slot 0, a contact that does nothing. Constraints
 * that are solved one after the other have a block each.
 *
 * The errors of iterated joints add up in a large net. So in a world with MANY_SUBSTEPS or more,
 * an island with MANY_JOINTS iterated joints or more takes twice the substeps.
 */
#include "builder.h"

#define UNEVEN_RATIO   10.0f // of two masses: the heavier body pushes the lighter one like a wall
#define CROWDED_WEIGHT 1.5f // factor: how much more each of more than two contacts of a pair counts

enum {
    BATCH_CONTACTS = 1100, // contacts and joints of a batch, with which it fits the cache
    MANY_JOINTS = 100,     // iterated joints of an island: their errors add up to a large one
    MANY_SUBSTEPS = 12,    // substeps: a setting for accuracy rather than speed
};

// ---- keys

// Returns the colour of a contact key or joint key.
static int color_of(int key) {
    return key < FIRST_CONTACT_KEY ? (key - 1) / CN_JOINT_ROW_TYPES
                                   : (key - FIRST_CONTACT_KEY) / CN_CONTACT_ROW_TYPES;
}

static cn_row_type row_type_of(int key) {
    if (key == 0) return CN_ROW_COUPLING;
    return (cn_row_type)(key < FIRST_CONTACT_KEY
                             ? CN_ROW_POINT + (key - 1) % CN_JOINT_ROW_TYPES
                             : (key - FIRST_CONTACT_KEY) % CN_CONTACT_ROW_TYPES);
}

// True if the edges of this key are solved one after the other.
static bool is_single(int key) {
    return key == 0 || color_of(key) == DYNAMIC_OVERFLOW || color_of(key) == STATIC_OVERFLOW;
}

// ---- islands

// Returns the ratio of the larger mass to the smaller one, or 1 if only one of the bodies can move.
static float mass_ratio(const plan_builder *builder, const edge *e) {
    if (e->a < 0) return 1;
    const cn_body_hot *hot = builder->sim->hot;
    float a = hot[builder->bodies[e->a]].inverse_mass, b = hot[builder->bodies[e->b]].inverse_mass;
    return cn_max(a, b) / cn_min(a, b);
}

void cn_survey_joints(plan_builder *builder) {
    if (!builder->joint_count) return;
    memset(builder->forest.islands, 0,
           (size_t)builder->island_count * sizeof *builder->forest.islands);
    for (int i = 0; i < builder->joint_count; i++) {
        int of = builder->nodes[builder->edges[i].b].parent;
        if (builder->edges[i].key < 0)
            builder->forest.islands[of].joints++;
        else
            builder->islands[of].joints++;
    }
    for (int i = 0; i < builder->forest.count; i++) {
        int body = builder->forest.order[i];
        island_trees *of = &builder->forest.islands[builder->nodes[body].parent];
        of->height = cn_max_int(of->height, builder->forest.nodes[body].height + 1);
    }
}

// Returns the substeps of an island, for each substep of the world. See the essay of this file.
static int substeps_of(const plan_builder *builder, const island *i) {
    return builder->sim->substeps >= MANY_SUBSTEPS && i->joints >= MANY_JOINTS ? 2 : 1;
}

// ---- packing

// Returns the first unused batch from index `from` on, or -1 if memory is short.
static int find_batch(plan_builder *builder, int from) {
    cn_plan *plan = builder->plan;
    while (from < plan->batch_count && plan->batches[from].alive) from++;
    if (from < plan->batch_count) return from;
    if (!cn_grow(&builder->sim->memory, &plan->batches, &plan->batch_capacity, from + 1)) return -1;
    return plan->batch_count++;
}

// Returns the next island with these substeps from index `from` on, or the number of islands.
static int next_island(const plan_builder *builder, int from, int substeps) {
    while (from < builder->island_count &&
           substeps_of(builder, &builder->islands[from]) != substeps)
        from++;
    return from;
}

// True if an island fits into a batch that already has some bodies and edges.
static bool fits(const island *i, int bodies, int edges) {
    return bodies + i->bodies <= BATCH_BODIES && edges + i->edges <= BATCH_CONTACTS;
}

// Returns how many batches the islands with these substeps fill.
static int count_batches(const plan_builder *builder, int substeps) {
    int count = 0, bodies = 0, edges = 0;
    for (int k = next_island(builder, 0, substeps); k < builder->island_count;
         k = next_island(builder, k + 1, substeps)) {
        const island *i = &builder->islands[k];
        if (!count || !fits(i, bodies, edges)) count++, bodies = edges = 0;
        bodies += i->bodies, edges += i->edges;
    }
    return count;
}

bool cn_has_batches(const plan_builder *builder) {
    const cn_plan *plan = builder->plan;
    int kept = 0;
    if (plan->batch_capacity > plan->reserved_batches) return true;
    for (int i = 0; i < plan->batch_count; i++) kept += plan->batches[i].alive;
    return !kept ||
           kept + count_batches(builder, 1) + count_batches(builder, 2) <= plan->reserved_batches;
}

// Fills a batch with islands of the given substeps, beginning with island `next`. It takes as many
// as fit, and at least one. Returns the next island with these substeps, or -1 if memory is short.
static int fill_islands(plan_builder *builder, cn_batch *batch, int next, int substeps) {
    cn_memory *memory = &builder->sim->memory;
    int edges = 0, with_trees = 0; // islands
    island_trees all = {0};
    batch->body_count = batch->island_sizes.count = batch->colors.count = 0;
    batch->dirty = batch->has_extended = batch->has_couplings = batch->has_joint_rows =
        batch->has_watched_joints = batch->has_clamped_bodies = false;
    batch->tree_groups.count = batch->tree_runs.count = batch->tree_lanes.count =
        batch->tree_links.count = 0;
    batch->has_tree_rows = batch->has_tree_axes = false;
    batch->systems = batch->tree_joints = 0;
    batch->joint_blocks = batch->lanes.count = 0, batch->has_colors = false;
    batch->has_hits = builder->row_types & CN_PLAN_HITS;
    batch->substeps = substeps;
    batch->alive = true;
    do {
        island *i = &builder->islands[next];
        i->batch = (int)(batch - builder->plan->batches);
        i->end = batch->body_count;
        batch->body_count += i->bodies;
        edges += i->edges;
        if (builder->joint_count) {
            island_trees own = builder->forest.islands[next];
            all.joints += own.joints, with_trees += own.joints > 0;
            all.height = cn_max_int(all.height, own.height);
        }
        if (!cn_append(memory, &batch->island_sizes, i->bodies)) return -1;
        next = next_island(builder, next + 1, substeps);
    } while (next < builder->island_count &&
             fits(&builder->islands[next], batch->body_count, edges));
    batch->bodies.count = batch->body_count;
    batch->kernels = cn_kernels_of(builder->sim, edges);
    // Mostly trees of joints: as many lanes as there are joints of one height, on average.
    if (2 * all.joints > cn_max_int(edges, batch->body_count)) {
        int width = cn_max_int(with_trees, all.joints / cn_max_int(all.height, 1));
        batch->kernels = cn_tree_kernels_of(builder->sim, width);
    }
    return cn_reserve(memory, &batch->bodies, batch->body_count) ? next : -1;
}

// Packs the islands with these substeps into batches, and numbers the batches.
static bool pack_islands(plan_builder *builder, int substeps, int *number) {
    for (int i = 0, next = next_island(builder, 0, substeps); next < builder->island_count;
         ++*number) {
        i = find_batch(builder, i);
        if (i < 0) return false;
        builder->plan->batches[i].number = *number;
        next = fill_islands(builder, &builder->plan->batches[i], next, substeps);
        if (next < 0 ||
            !cn_reserve(&builder->sim->memory, &builder->plan->keys, (*number + 1) * KEYS))
            return false;
        memset(builder->plan->keys.items + *number * KEYS, 0, KEYS * sizeof(int));
    }
    return true;
}

static bool pack_all(plan_builder *builder) {
    bool packed = true;
    for (int substeps = 1, number = 0; substeps <= 2; substeps++)
        packed = packed && pack_islands(builder, substeps, &number);
    return packed;
}

static cn_batch *batch_of(const plan_builder *builder, const edge *e) {
    return &builder->plan->batches[builder->nodes[e->b].parent];
}

// Returns the table of keys of a new batch: how many edges each key has, and later the lane that
// the next edge of the key gets.
static int *keys_of(const plan_builder *builder, const cn_batch *batch) {
    return builder->plan->keys.items + batch->number * KEYS;
}

// ---- filling

// Puts the bodies into their batches, ordered by island.
static void fill_bodies(plan_builder *builder) {
    cn_simulation *sim = builder->sim;
    for (int i = 0; i < builder->body_count; i++) {
        int body = builder->bodies[i];
        island *of = &builder->islands[builder->nodes[i].parent];
        cn_batch *batch = &builder->plan->batches[of->batch];
        batch->bodies.items[of->end++] = body;
        batch->has_clamped_bodies |= (sim->hot[body].flags & CN_BODY_CLAMPED) != 0;
        builder->nodes[i].parent = of->batch;
        builder->nodes[i].degree = (uint32_t)of->end & INT32_MAX; // from now on its state
        cn_body_warm *warm = &sim->warm[body];
        if (warm->batch != of->batch || warm->batch_state != of->end)
            warm->batch = of->batch, warm->batch_state = of->end;
    }
}

// Lists the colours of a batch and finds where the lanes of each key begin. Unused lanes are zero.
static bool fill_colors(plan_builder *builder, cn_batch *batch) {
    const int lanes = batch->kernels->lanes;
    int *keys = keys_of(builder, batch), end = 0;
    for (int key = 0; key < KEYS; key++) {
        int count = keys[key], first = end;
        if (!count) continue;
        end += is_single(key) ? count : (count + lanes - 1) / lanes;
        cn_row_type type = row_type_of(key);
        bool static_a = color_of(key) > DYNAMIC_OVERFLOW;
        bool one_by_one = is_single(key) || (static_a && type >= CN_ROW_POINT);
        int number = key == 0 ? -1 : color_of(key) + (key < FIRST_CONTACT_KEY ? 0 : ALL_COLORS);
        cn_color color = {first, end, type, number, static_a, one_by_one};
        if (!cn_append(&builder->sim->memory, &batch->colors, color) ||
            !cn_reserve(&builder->sim->memory, &batch->lanes, end * lanes))
            return false;
        batch->has_extended |= type == CN_ROW_EXTENDED;
        batch->has_couplings |= type == CN_ROW_COUPLING;
        batch->has_joint_rows |= type == CN_ROW_POINT_ANGLE || type == CN_ROW_AXES;
        if (key < FIRST_CONTACT_KEY) batch->joint_blocks = end;
        keys[key] = first * lanes;
        int full = is_single(key) ? first : end - 1; // blocks first..full - 1 have no unused lanes
        memset(batch->lanes.items + full * lanes, 0,
               (size_t)((end - full) * lanes) * sizeof(cn_lane));
    }
    batch->lanes.count = end * lanes;
    batch->has_colors = true;
    return true;
}

// A kinematic body may have a copy in several batches. Its row remembers the last of these copies.
int cn_state_of(const cn_simulation *sim, const cn_batch *batch, int body) {
    int last = sim->warm[body].batch_state, count = batch->bodies.count;
    if (cn_is_dynamic(&sim->hot[body])) return last;
    if (last > batch->body_count && last <= count && batch->bodies.items[last - 1] == body)
        return last;
    for (int i = batch->body_count; i < count; i++)
        if (batch->bodies.items[i] == body) return i + 1;
    return 0;
}

// Returns the state of a body. Adds a copy of a kinematic body that has none in this batch. Returns
// -1 if memory is short.
static int find_or_add_state(plan_builder *builder, cn_batch *batch, int body) {
    int state = cn_state_of(builder->sim, batch, body);
    if (!(builder->sim->hot[body].flags & CN_BODY_IS_KINEMATIC)) return state;
    if (!state && !cn_append(&builder->sim->memory, &batch->bodies, body)) return -1;
    return builder->sim->warm[body].batch_state = state ? state : batch->bodies.count;
}

// Returns how many contacts there are between the bodies of an edge: half the number of points, at
// least one. If there are more than two, some of them lie at the same place, and with the stiffness
// that two contacts bear the pair would start to oscillate. So each of them counts for more.
static float count_contacts(const plan_builder *builder, const edge *e) {
    float contacts = (float)e->points / 2;
    if (contacts > 2 && e->a >= 0 && mass_ratio(builder, e) <= UNEVEN_RATIO)
        contacts *= CROWDED_WEIGHT;
    return cn_max(1, contacts);
}

cn_lane cn_joint_lane(plan_builder *builder, cn_batch *batch, int joint) {
    const int32_t *bodies = builder->sim->joint_records[joint].bodies;
    batch->has_watched_joints |= (builder->sim->joints[joint].flags & CN_JOINT_WATCHED) != 0;
    return (cn_lane){joint, find_or_add_state(builder, batch, bodies[0]),
                     find_or_add_state(builder, batch, bodies[1]), 0};
}

// A state of -1 in the lane means that memory is short.
static cn_lane make_lane(plan_builder *builder, cn_batch *batch, const edge *e) {
    if (e->key >= FIRST_CONTACT_KEY) {
        int a = e->a >= 0
                    ? (int)builder->nodes[e->a].degree
                    : find_or_add_state(builder, batch, builder->sim->touching.bodies[e->slot].a);
        return (cn_lane){e->slot, a, (int)builder->nodes[e->b].degree, count_contacts(builder, e)};
    }
    return cn_joint_lane(builder, batch, e->slot);
}

// Edges are ordered by their bodies B if several workers work on the same colour. Then each worker
// meets mostly the same bodies in every colour. Edges that are solved one after the other come
// first, and keep their order.
static int bucket_of(const edge *e) { return is_single(e->key) ? 0 : e->b + 1; }

// Fills `order`, or sets it to NULL if no island is large enough to be solved by several workers.
static void order_edges(plan_builder *builder) {
    int workers = cn_team_workers(builder->sim->team), largest = 0; // edges of an island
    for (int i = 0; i < builder->island_count; i++)
        largest = cn_max_int(largest, builder->islands[i].edges);
    if (workers == 1 || largest < builder->edge_count / (2 * workers)) builder->order = NULL;
    if (!builder->order) return;
    memset(builder->ends, 0, (size_t)(builder->body_count + 2) * sizeof(int));
    for (int i = 0; i < builder->edge_count; i++)
        builder->ends[bucket_of(&builder->edges[i]) + 1]++;
    for (int i = 0; i <= builder->body_count; i++) builder->ends[i + 1] += builder->ends[i];
    for (int i = 0; i < builder->edge_count; i++)
        builder->order[builder->ends[bucket_of(&builder->edges[i])]++] = i;
}

static bool fill_lanes(plan_builder *builder) {
    order_edges(builder);
    for (int i = 0; i < builder->edge_count; i++) {
        const edge *e = &builder->edges[builder->order ? builder->order[i] : i];
        if (e->key < 0) continue;
        cn_batch *batch = batch_of(builder, e);
        int *key = &keys_of(builder, batch)[e->key];
        cn_lane lane = make_lane(builder, batch, e);
        if (lane.a < 0 || lane.b < 0) return false;
        batch->lanes.items[*key] = lane;
        *key += is_single(e->key) ? batch->kernels->lanes : 1;
    }
    return true;
}

bool cn_make_batches(plan_builder *builder) {
    if (!pack_all(builder)) return false;
    fill_bodies(builder);
    for (edge *e = builder->edges; e < builder->edges + builder->edge_count; e++) {
        if (e->key < 0) continue;
        if (e->first >= 0) e->points = builder->edges[e->first].points; // of the whole pair
        keys_of(builder, batch_of(builder, e))[e->key]++;
    }
    for (island *i = builder->islands; i < builder->islands + builder->island_count; i++) {
        cn_batch *batch = &builder->plan->batches[i->batch];
        if (!batch->has_colors && !fill_colors(builder, batch)) return false;
    }
    return fill_lanes(builder) && cn_lay_out_trees(builder);
}
