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
 * If several workers make the plan, they count and fill sections of 256 bodies of a batch. The runs
 * of the sections follow one another within the blocks of a key. So in every colour a worker solves
 * contacts of mostly the same bodies. The lanes of a key are solved at the same time, so their
 * order does not change the result. Constraints that are solved one after the other keep their
 * order, because they are all counted in the first section of their batch.
 *
 * The errors of iterated joints add up in a large net. So in a world with MANY_SUBSTEPS or more,
 * an island with MANY_JOINTS iterated joints or more takes twice the substeps.
 */
#include "builder.h"

#define UNEVEN_RATIO   10.0f // of two masses: the heavier body pushes the lighter one like a wall
#define CROWDED_WEIGHT 1.5f // factor: how much more each of more than two contacts of a pair counts

enum {
    MANY_JOINTS = 100,  // iterated joints of an island: their errors add up to a large one
    MANY_SUBSTEPS = 12, // substeps: a setting for accuracy rather than speed
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

// ---- sections

static int section_shift(const plan_builder *builder) {
    return builder->is_shared ? SECTION_SHIFT : 31;
}

// Returns the table of keys of a section: how many edges each key has, and later the lane that the
// next edge of the key gets.
static int *keys_of(const plan_builder *builder, int index) {
    return builder->plan->keys.items + index * KEYS;
}

cn_batch *cn_batch_of(const plan_builder *builder, int dense) {
    return &builder->plan->batches[builder->sections[builder->nodes[dense].section].batch];
}

// Returns the section in which an edge is counted: that of its body B, or the first one of the
// batch, for joints and for contacts that are solved one after the other.
static int section_of(const plan_builder *builder, const edge *e) {
    if (e->key < FIRST_CONTACT_KEY || is_single(e->key))
        return cn_batch_of(builder, e->b)->first_section;
    return builder->nodes[e->b].section;
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
    batch->joint_blocks = batch->lanes.count = 0;
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

// Cuts the bodies of a batch into sections, whose constraints are counted by key.
static bool add_sections(plan_builder *builder, int index) {
    cn_batch *batch = &builder->plan->batches[index];
    const int count = (batch->body_count >> section_shift(builder)) + 1;
    batch->first_section = builder->section_count;
    for (int i = 0; i < count; i++)
        builder->sections[builder->section_count++] = (section){.batch = index};
    if (!cn_reserve(&builder->sim->memory, &builder->plan->keys, builder->section_count * KEYS))
        return false;
    memset(keys_of(builder, batch->first_section), 0, (size_t)(count * KEYS) * sizeof(int));
    return true;
}

// Packs the islands with these substeps into batches.
static bool pack_islands(plan_builder *builder, int substeps) {
    for (int i = 0, next = next_island(builder, 0, substeps); next < builder->island_count;) {
        i = find_batch(builder, i);
        if (i < 0) return false;
        next = fill_islands(builder, &builder->plan->batches[i], next, substeps);
        if (next < 0 || !add_sections(builder, i)) return false;
    }
    return true;
}

// ---- bodies

// Puts the bodies into their batches, ordered by island.
static void fill_bodies(plan_builder *builder) {
    const int shift = section_shift(builder);
    for (int i = 0; i < builder->body_count; i++) {
        node *n = &builder->nodes[i];
        island *of = &builder->islands[n->parent];
        cn_batch *batch = &builder->plan->batches[of->batch];
        batch->bodies.items[of->end] = builder->bodies[i];
        n->section = batch->first_section + (of->end >> shift);
        n->state = ++of->end;
    }
}

// Writes the places of bodies in their batches into their rows.
static void write_places(void *context, int first, int end) {
    const plan_builder *builder = context;
    cn_simulation *sim = builder->sim;
    for (int i = first; i < end; i++) {
        const int state = builder->nodes[i].state;
        const int number = builder->sections[builder->nodes[i].section].batch;
        cn_body_warm *warm = &sim->warm[builder->bodies[i]];
        if (warm->batch != number || warm->batch_state != state)
            warm->batch = number, warm->batch_state = state;
        if (sim->hot[builder->bodies[i]].flags & CN_BODY_CLAMPED)
            cn_set_shared_bool(&builder->plan->batches[number].has_clamped_bodies);
    }
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

// Gives the contacts with kinematic bodies the states of the copies of these bodies.
static bool copy_kinematic_bodies(plan_builder *builder) {
    for (int i = 0; i < builder->kinematic_count; i++) {
        edge *e = &builder->edges[builder->joint_count + builder->kinematic_edges[i]];
        int state = find_or_add_state(builder, cn_batch_of(builder, e->b), KINEMATIC_A - e->a);
        if (state < 0) return false;
        e->a = STATIC_A - state;
    }
    return true;
}

// ---- lanes

// Lists the colours of a batch and finds where the lanes of each key begin. Unused lanes are zero.
static bool fill_colors(plan_builder *builder, cn_batch *batch, int section_count) {
    const int lanes = batch->kernels->lanes;
    int starts[KEYS] = {0}, end = 0, *keys = keys_of(builder, batch->first_section);
    for (int i = 0; i < section_count; i++)
        for (int key = 0; key < KEYS; key++) starts[key] += keys[i * KEYS + key];
    for (int key = 0; key < KEYS; key++) {
        int count = starts[key], first = end;
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
        starts[key] = first * lanes;
        int full = is_single(key) ? first : end - 1; // blocks first..full - 1 have no unused lanes
        memset(batch->lanes.items + full * lanes, 0,
               (size_t)((end - full) * lanes) * sizeof(cn_lane));
    }
    batch->lanes.count = end * lanes;
    for (int i = 0; i < section_count; i++)
        for (int key = 0; key < KEYS; key++) {
            int count = keys[i * KEYS + key];
            keys[i * KEYS + key] = starts[key];
            starts[key] += count;
        }
    return true;
}

static bool fill_all_colors(plan_builder *builder) {
    for (int first = 0, end; first < builder->section_count; first = end) {
        const int batch = builder->sections[first].batch;
        for (end = first + 1; end < builder->section_count && builder->sections[end].batch == batch;
             end++) {}
        if (!fill_colors(builder, &builder->plan->batches[batch], end - first)) return false;
    }
    return true;
}

// Returns how many contacts there are between the bodies of an edge: half the number of points, at
// least one. If there are more than two, some of them lie at the same place, and with the stiffness
// that two contacts bear the pair would start to oscillate. So each of them counts for more.
static float contacts_of_pair(const plan_builder *builder, const edge *e) {
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

static void put_lane(const plan_builder *builder, const edge *e, cn_batch *batch, cn_lane lane) {
    int *key = &keys_of(builder, section_of(builder, e))[e->key];
    batch->lanes.items[*key] = lane;
    *key += is_single(e->key) ? batch->kernels->lanes : 1;
}

// False if memory is short.
static bool fill_joint_lanes(plan_builder *builder) {
    for (const edge *e = builder->edges; e < builder->edges + builder->joint_count; e++) {
        if (e->key < 0) continue;
        cn_batch *batch = cn_batch_of(builder, e->b);
        const cn_lane lane = cn_joint_lane(builder, batch, e->slot);
        if (lane.a < 0 || lane.b < 0) return false;
        put_lane(builder, e, batch, lane);
    }
    return true;
}

static void fill_lanes(const plan_builder *builder, const edge *e, const edge *end) {
    for (; e < end; e++) {
        const int a = e->a >= 0 ? builder->nodes[e->a].state : STATIC_A - e->a;
        const cn_lane lane = {e->slot, a, builder->nodes[e->b].state, contacts_of_pair(builder, e)};
        put_lane(builder, e, cn_batch_of(builder, e->b), lane);
    }
}

static void count_keys(const plan_builder *builder, const edge *e, const edge *end) {
    for (; e < end; e++)
        if (e->key >= 0) keys_of(builder, section_of(builder, e))[e->key]++;
}

// ---- several workers

// Returns the row of `sorted_places` of a range.
static int *places_in(const plan_builder *builder, int range) {
    return builder->sorted_places + range * builder->section_count;
}

static void count_range(const plan_builder *builder, int range) {
    int *counts = places_in(builder, range);
    memset(counts, 0, (size_t)builder->section_count * sizeof *counts);
    const edge *end = &builder->edges[builder->first_edges[range + 1]];
    for (const edge *e = &builder->edges[builder->first_edges[range]]; e < end; e++)
        counts[section_of(builder, e)]++;
}

static void count_ranges(void *context, int first, int end) {
    plan_builder *builder = context;
    for (int i = first; i < end; i++) {
        cn_set_keys(builder, builder->first_edges[i], builder->first_edges[i + 1]);
        count_range(builder, i);
    }
}

// Finds where each range puts its contacts of each section: in slot order.
static void begin_sections(void *context, int first, int end) {
    plan_builder *builder = context;
    (void)first, (void)end; // one item
    for (int i = 0, next = 0; i < builder->section_count; i++) {
        builder->sections[i].first_edge = next;
        for (int range = 0; range < builder->range_count; range++) {
            int *count = &places_in(builder, range)[i], place = next;
            next += *count;
            *count = place;
        }
        builder->sections[i].end_edge = next;
    }
}

static void sort_ranges(void *context, int first, int end) {
    const plan_builder *builder = context;
    for (int i = first; i < end; i++) {
        int *places = places_in(builder, i);
        const edge *last = &builder->edges[builder->first_edges[i + 1]];
        for (const edge *e = &builder->edges[builder->first_edges[i]]; e < last; e++)
            builder->sorted[places[section_of(builder, e)]++] = *e;
    }
}

static void count_sections(void *context, int first, int end) {
    const plan_builder *builder = context;
    for (const section *i = builder->sections + first; i < builder->sections + end; i++)
        count_keys(builder, builder->sorted + i->first_edge, builder->sorted + i->end_edge);
}

static void fill_sections(void *context, int first, int end) {
    const plan_builder *builder = context;
    for (const section *i = builder->sections + first; i < builder->sections + end; i++)
        fill_lanes(builder, builder->sorted + i->first_edge, builder->sorted + i->end_edge);
}

// Sorts the contacts by section, and counts them by key.
static void sort_contacts(void *context, cn_worker *worker) {
    plan_builder *builder = context;
    cn_distribute(worker, builder->body_count, 0, write_places, builder);
    cn_distribute(worker, builder->range_count, 1, count_ranges, builder);
    cn_distribute(worker, 1, 1, begin_sections, builder);
    cn_distribute(worker, builder->range_count, 1, sort_ranges, builder);
    cn_distribute(worker, builder->section_count, 1, count_sections, builder);
}

// ---- the plan

bool cn_make_batches(plan_builder *builder) {
    cn_team *team = builder->sim->team;
    const int contacts = builder->edge_count - builder->joint_count;
    const edge *joints_end = builder->edges + builder->joint_count;
    if (!pack_islands(builder, 1) || !pack_islands(builder, 2)) return false;
    fill_bodies(builder);
    if (!copy_kinematic_bodies(builder)) return false;
    count_keys(builder, builder->edges, joints_end);
    if (cn_team_shares(team, contacts)) {
        cn_run(team, contacts, sort_contacts, builder);
    } else {
        write_places(builder, 0, builder->body_count);
        cn_set_keys(builder, builder->joint_count, builder->edge_count);
        count_keys(builder, joints_end, joints_end + contacts);
    }
    if (!fill_all_colors(builder) || !fill_joint_lanes(builder)) return false;
    if (cn_team_shares(team, contacts))
        cn_run_loop(team, contacts, builder->section_count, 1, fill_sections, builder);
    else
        fill_lanes(builder, joints_end, joints_end + contacts);
    return cn_lay_out_trees(builder);
}
