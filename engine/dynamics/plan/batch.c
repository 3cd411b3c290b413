/* Batches: islands are packed into them, and their contacts and joints get their lanes.
 *
 * A batch is of a size that fits the cache, and all its islands are solved in one settings. By then every edge
 * has a key, its colour and type. What has the same key is counted and gets a run of blocks of lanes:
 *
 *      key      coupling | joints, colour 0 | ... | contacts, colour 0, plain | one point | ... | static
 *      blocks   [.]      | [....][..00]     | ... | [....][....][.000]        | [....]    | ... | [....]
 *
 * Lanes that are left over in the last block of a key name contact 0, which does nothing. Of what is solved
 * one after the other each has a block of its own.
 */
#include "builder.h"

enum {
    BATCH_CONTACTS = 1100,
    // Where joints get more substeps: see settings_of().
    MANY_JOINTS = 100,
    MANY_SUBSTEPS = 12,
    VERY_UNEVEN_RATIO = 300,
    RIGID_SWEEPS = 4,
    SETTINGS = 6,
};

// ---- keys

// Of contacts or of joints.
static int color_of(int key) {
    return key < CONTACT_KEYS ? (key - 1) / CN_JOINT_ROW_TYPES
                              : (key - CONTACT_KEYS) / CN_CONTACT_ROW_TYPES;
}

static cn_row_type type_of(int key) {
    if (key == 0) return CN_ROW_COUPLING;
    return (cn_row_type)(key < CONTACT_KEYS ? CN_ROW_POINT + (key - 1) % CN_JOINT_ROW_TYPES
                                                   : (key - CONTACT_KEYS) % CN_CONTACT_ROW_TYPES);
}

// One after the other?
static bool is_single(int key) {
    return key == 0 || color_of(key) == DYNAMIC_OVERFLOW || color_of(key) == STATIC_OVERFLOW;
}

// ---- islands

// How much heavier the heavier of its bodies is; 1 if only one can move.
static float mass_ratio(const plan_builder *d, const edge *e) {
    if (e->a < 0) return 1;
    const cn_body_hot *hot = d->sim->hot;
    float a = hot[d->bodies[e->a]].inverse_mass, b = hot[d->bodies[e->b]].inverse_mass;
    return cn_max(a, b) / cn_min(a, b);
}

// What their joints ask for.
static void find_island_settings(plan_builder *d) {
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
static int settings_of(const plan_builder *d, const island *i) {
    int more = i->very_uneven ? 2 : i->uneven;
    if (d->sim->substeps >= MANY_SUBSTEPS) more = i->uneven || i->joints >= MANY_JOINTS;
    return 2 * more + (i->rigid > 1);
}

// ---- packing

// An unused batch from `from` on; -1 if memory is short.
static int find_batch(plan_builder *d, int from) {
    cn_plan *plan = d->plan;
    while (from < plan->batch_count && plan->batches[from].alive) from++;
    if (from < plan->batch_count) return from;
    if (!cn_grow(&d->sim->memory, &plan->batches, &plan->batch_capacity, from + 1)) return -1;
    return plan->batch_count++;
}

static int next_island(const plan_builder *d, int from, int settings) {
    while (from < d->island_count && settings_of(d, &d->islands[from]) != settings) from++;
    return from;
}

// Fills it with islands of a settings from number `next` on, as many as it holds, but at least one. Returns the
// number of the next of these, or -1 if memory is short.
static int fill_islands(plan_builder *d, cn_batch *batch, int next, int settings) {
    cn_memory *memory = &d->sim->memory;
    int edges = 0;
    batch->body_count = batch->islands.count = batch->colors.count = 0;
    batch->dirty = batch->extensions = batch->extended = batch->rows = batch->watched =
        batch->clamped = false;
    batch->joint_blocks = batch->lanes.count = 0, batch->has_colors = false;
    batch->hits = d->row_types & CN_ROW_HITS;
    batch->substeps = 1 << settings / 2;
    batch->sweeps = settings % 2 ? RIGID_SWEEPS : 1;
    batch->alive = true;
    do {
        island *i = &d->islands[next];
        i->batch = (int)(batch - d->plan->batches);
        i->end = batch->body_count;
        batch->body_count += i->bodies;
        edges += i->edges;
        if (!cn_push(memory, &batch->islands, i->bodies)) return -1;
        next = next_island(d, next + 1, settings);
    } while (next < d->island_count &&
             batch->body_count + d->islands[next].bodies <= BATCH_BODIES &&
             edges + d->islands[next].edges <= BATCH_CONTACTS);
    batch->bodies.count = batch->body_count;
    batch->kernels = cn_kernels_of(d->sim, edges);
    bool done = cn_reserve(memory, &batch->bodies, batch->body_count) &&
                cn_reserve(memory, &batch->touches, batch->body_count);
    return done ? next : -1;
}

// Packs the islands of a settings into batches, which are numbered.
static bool pack_islands(plan_builder *d, int settings, int *number) {
    for (int i = 0, next = next_island(d, 0, settings); next < d->island_count; ++*number) {
        i = find_batch(d, i);
        if (i < 0) return false;
        d->plan->batches[i].number = *number;
        next = fill_islands(d, &d->plan->batches[i], next, settings);
        if (next < 0 || !cn_reserve(&d->sim->memory, &d->plan->keys, (*number + 1) * KEYS))
            return false;
        memset(d->plan->keys.items + *number * KEYS, 0, KEYS * sizeof(int));
    }
    return true;
}

static bool pack_all(plan_builder *d) {
    bool packed = true;
    for (int settings = 0, number = 0; settings < (d->joint_count ? SETTINGS : 1); settings++)
        packed = packed && pack_islands(d, settings, &number);
    return packed;
}

static cn_batch *batch_of(const plan_builder *d, const edge *e) {
    return &d->plan->batches[d->nodes[e->b].parent];
}

// Of a new batch: how many edges each key has, then where the next of them goes.
static int *keys_of(const plan_builder *d, const cn_batch *batch) {
    return d->plan->keys.items + batch->number * KEYS;
}

static void fill_bodies(plan_builder *d) {
    cn_simulation *sim = d->sim;
    for (int i = 0; i < d->body_count; i++) {
        int body = d->bodies[i];
        island *of = &d->islands[d->nodes[i].parent];
        cn_batch *batch = &d->plan->batches[of->batch];
        batch->bodies.items[of->end++] = body;
        batch->touches.items[of->end - 1] = d->nodes[i].mask != 0;
        batch->clamped |= (sim->hot[body].flags & CN_BODY_CLAMPED) != 0;
        d->nodes[i].parent = of->batch;
        d->nodes[i].degree = (uint32_t)of->end & INT32_MAX; // its state
        cn_body_warm *warm = &sim->warm[body];
        if (warm->batch != of->batch || warm->local != of->end)
            warm->batch = of->batch, warm->local = of->end;
    }
}

// The colours of the keys that occur, and where the lanes of each begin. Unused lanes are zero.
static bool fill_colors(plan_builder *d, cn_batch *batch) {
    const int lanes = batch->kernels->lanes;
    int *keys = keys_of(d, batch), end = 0;
    for (int key = 0; key < KEYS; key++) {
        int count = keys[key], first = end;
        if (!count) continue;
        end += is_single(key) ? count : (count + lanes - 1) / lanes;
        cn_row_type type = type_of(key);
        bool static_a = color_of(key) > DYNAMIC_OVERFLOW;
        bool in_order = is_single(key) || (static_a && type >= CN_ROW_POINT);
        int number = key == 0 ? -1 : color_of(key) + (key < CONTACT_KEYS ? 0 : ALL_COLORS);
        cn_color color = {first, end, type, number, static_a, in_order};
        if (!cn_push(&d->sim->memory, &batch->colors, color) ||
            !cn_reserve(&d->sim->memory, &batch->lanes, end * lanes))
            return false;
        batch->extensions |= type == CN_ROW_COMPOUND || type == CN_ROW_EXTENDED;
        batch->extended |= type == CN_ROW_EXTENDED;
        batch->rows |= type == CN_ROW_POINT_ANGLE || type == CN_ROW_AXES;
        if (key < CONTACT_KEYS) batch->joint_blocks = end;
        keys[key] = first * lanes;
        int full = is_single(key) ? first : end - 1; // blocks without unused lanes end there
        memset(batch->lanes.items + full * lanes, 0,
               (size_t)((end - full) * lanes) * sizeof(cn_lane));
    }
    batch->lanes.count = end * lanes;
    batch->has_colors = true;
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
static int state_of(plan_builder *d, cn_batch *batch, int body) {
    int state = cn_state_of(d->sim, batch, body);
    if (!(d->sim->hot[body].flags & CN_BODY_IS_KINEMATIC)) return state;
    if (!state && !cn_push(&d->sim->memory, &batch->bodies, body)) return -1;
    return d->sim->warm[body].local = state ? state : batch->bodies.count;
}

static cn_lane lane_of(plan_builder *d, cn_batch *batch, const edge *e) {
    if (e->key >= CONTACT_KEYS) {
        int a = e->a >= 0 ? (int)d->nodes[e->a].degree
                          : state_of(d, batch, d->sim->touching.bodies[e->slot].a);
        // Three and more, some of which lie on each other, swing up at what two may bear.
        float each =
            e->points > 4 && e->a >= 0 && mass_ratio(d, e) <= CN_UNEVEN_RATIO ? 0.75f : 0.5f;
        return (cn_lane){e->slot, a, (int)d->nodes[e->b].degree, cn_max(1, each * (float)e->points)};
    }
    const int32_t *bodies = d->sim->joint_records[e->slot].bodies;
    batch->watched |= (d->sim->joints[e->slot].flags & CN_JOINT_WATCHED) != 0;
    return (cn_lane){e->slot, state_of(d, batch, bodies[0]), state_of(d, batch, bodies[1]), 0};
}

// Several workers share a colour: in order of bodies each comes to much the same ones in every colour. Those
// that are solved one after the other come first, as they are.
static int bucket_of(const edge *e) { return is_single(e->key) ? 0 : e->b + 1; }

static void order_edges(plan_builder *d) {
    int workers = cn_team_workers(d->sim->team), most = 0;
    for (int i = 0; i < d->island_count; i++) most = cn_max_int(most, d->islands[i].edges);
    if (workers == 1 || most < d->edge_count / (2 * workers)) d->order = NULL; // none is shared
    if (!d->order) return;
    memset(d->ends, 0, (size_t)(d->body_count + 2) * sizeof(int));
    for (int i = 0; i < d->edge_count; i++) d->ends[bucket_of(&d->edges[i]) + 1]++;
    for (int i = 0; i <= d->body_count; i++) d->ends[i + 1] += d->ends[i];
    for (int i = 0; i < d->edge_count; i++) d->order[d->ends[bucket_of(&d->edges[i])]++] = i;
}

static bool fill_lanes(plan_builder *d) {
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

bool cn_make_batches(plan_builder *d) {
    find_island_settings(d);
    if (!pack_all(d)) return false;
    fill_bodies(d);
    for (edge *e = d->edges; e < d->edges + d->edge_count; e++) {
        if (e->first >= 0) e->points = d->edges[e->first].points;
        if (e->points > 2 && type_of(e->key) < CN_ROW_COMPOUND)
            e->key += CN_ROW_COMPOUND - (int)type_of(e->key);
        keys_of(d, batch_of(d, e))[e->key]++;
    }
    for (island *i = d->islands; i < d->islands + d->island_count; i++) {
        cn_batch *batch = &d->plan->batches[i->batch];
        if (!batch->has_colors && !fill_colors(d, batch)) return false;
    }
    return fill_lanes(d);
}
