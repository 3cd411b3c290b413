/* Chains: outlines of segments that are solid on one side.
 *
 * A segment is a shape of its body like any other, but one-sided. A chain is smooth for the same
 * reason as tiles: touching shapes of a body share one surface (dynamics/model/ground.c). So a
 * chain is only the name of some shapes, which the step does not use. Its row has the ends of the
 * run of its segments in the list of the body's shapes, and each segment names its chain.
 *
 *     list of the body    a -- [0 -- 1 -- 2 -- 4] -- b -- [0 -- 1] -- c
 *                               first      last            another chain
 *
 * A segment keeps its number when others are destroyed, as segment 3 above. A chain ends with its
 * last segment. */
#include "world.h"

// ---- definition

static bool check_points(const cn_simulation *sim, const cn_chain_def *def) {
    int least = def->closed ? 3 : 2;
    if (!cn_require_pointer("array of points", def->points)) return false;
    if (def->count < least || def->count > CN_MAX_SLOTS)
        return cn_fail(CN_ERROR_RANGE, "the count is %d; %s chain needs %d to %d points",
                       def->count, def->closed ? "a closed" : "an open", least, CN_MAX_SLOTS);
    for (int i = 0; i < def->count; i++) {
        vec2s p = def->points[i], q = def->points[(i + 1) % def->count];
        if (!cn_require2("point", p, CN_MAX_COORDINATE)) return cn_fail_in_number("point", i);
        float distance = glms_vec2_distance(p, q), closest = 0.005f * sim->length_unit;
        if (distance < closest && (def->closed || i + 1 < def->count))
            return cn_fail(CN_ERROR_SHAPE,
                           "the distance of points %d and %d is %g; it must be %g or more: leave "
                           "one of them out",
                           i, (i + 1) % def->count, (double)distance, (double)closest);
    }
    return true;
}

static int segment_count(const cn_chain_def *def) {
    return def->closed ? def->count : def->count - 1;
}

static cn_shape_def segment_of(const cn_chain_def *def, int i) {
    return (cn_shape_def){
        .hull = cn_hull_of_segment(def->points[i], def->points[(i + 1) % def->count]),
        .material = def->materials ? def->materials[i] : def->material,
        .filter = def->filter,
        .hit_events = def->hit_events,
        .no_touch_events = def->no_touch_events,
        .custom_filter = def->custom_filter,
        .pre_solve = def->pre_solve,
        .user_data = def->user_data,
    };
}

static bool check_chain(const cn_simulation *sim, int body, const cn_chain_def *def) {
    if (!cn_require_pointer("definition", def) || !check_points(sim, def)) return false;
    if (cn_is_dynamic(&sim->hot[body]))
        return cn_fail(CN_ERROR_STATE,
                       "body %d is dynamic: a chain needs a static or kinematic body", body);
    for (int i = 0; i < segment_count(def); i++) {
        cn_shape_def segment = segment_of(def, i);
        if (!cn_check_shape(sim, body, &segment)) return cn_fail_in_number("segment", i);
    }
    return true;
}

// ---- create, destroy

// Reserves memory for all segments, so that creating them cannot fail. Returns the slot of the
// chain, or -1 if memory is short.
static int reserve_chain(cn_simulation *sim, int body, int count, uint64_t user_data) {
    bool done = cn_tidy_boxes(sim, cn_tree_of(sim, body)) &&
                cn_reserve_next_slots(sim, CN_SHAPES, count, user_data != 0) &&
                cn_reserve_rare(sim) && cn_reserve_compounds(sim) &&
                cn_reserve_boxes(sim, cn_tree_of(sim, body), count);
    return done ? cn_next_slot(sim, CN_CHAINS, 0) : -1;
}

// Adds the next segment to the chain. The memory must be reserved.
static void add_segment(cn_simulation *sim, int chain, int number, const cn_chain_def *def) {
    cn_chain_row *row = &sim->chains[chain];
    cn_shape_def segment = segment_of(def, number);
    segment = cn_apply_shape_defaults(&segment);
    int shape = cn_add_shape(sim, row->body, &segment);
    assert(shape >= 0);
    sim->shapes[shape].flags |= CN_SHAPE_ONE_SIDED;
    cn_shape_rare *rare = cn_make_rare(sim, shape);
    rare->chain = chain, rare->segment = number;
    if (number == 0) row->first = shape;
    row->last = shape;
    cn_count_new_shape(sim, row->body, shape);
}

cn_chain cn_chain_create(cn_world *world, cn_body body, const cn_chain_def *def) {
    const cn_chain none = {0};
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(check_chain(&world->sim, slot, def))) return none;
    CN_RECORD(cn_chain_create, world, body, def);
    cn_simulation *sim = &world->sim;
    int count = segment_count(def), made = reserve_chain(sim, slot, count, def->user_data);
    if (!CN_CHECK(made >= 0)) return none;
    cn_take_slot(sim, CN_CHAINS, made);
    sim->chains[made] = (cn_chain_row){.body = slot, .count = count};
    for (int i = 0; i < count; i++) add_segment(sim, made, i, def);
    for (int i = sim->chains[made].first; i >= 0; i = sim->shapes[i].next) {
        cn_add_proxy(sim, i);
        cn_wake_around_shape(sim, i);
    }
    return CN_CREATED(CN_CHAINS, cn_chain_handle(world, made));
}

// Returns the segment after another one, or -1 after the last one. With -1 it returns the first.
static int next_segment(const cn_simulation *sim, int chain, int segment) {
    const cn_chain_row *row = &sim->chains[chain];
    if (segment == row->last) return -1;
    return segment < 0 ? row->first : sim->shapes[segment].next;
}

bool cn_chain_destroy(cn_world *world, cn_chain chain) {
    CN_RECORD(cn_chain_destroy, world, chain);
    int slot = cn_edit_chain(world, chain, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    int body = sim->chains[slot].body;
    for (int i = -1; (i = next_segment(sim, slot, i)) >= 0;) cn_wake_around_shape(sim, i);
    while (cn_is_alive(sim, CN_CHAINS, slot)) cn_destroy_shape(sim, sim->chains[slot].first);
    cn_count_shapes_anew(sim, body, -1, true);
    return true;
}

// ---- segments

cn_body cn_chain_body(const cn_world *world, cn_chain chain) {
    int slot = cn_find_chain(world, chain, __func__);
    return slot < 0 ? (cn_body){0} : cn_body_handle(world, world->sim.chains[slot].body);
}

int cn_chain_count(const cn_world *world, cn_chain chain) {
    int slot = cn_find_chain(world, chain, __func__);
    return slot < 0 ? 0 : world->sim.chains[slot].count;
}

cn_shape cn_chain_next_segment(const cn_world *world, cn_chain chain, cn_shape previous) {
    const cn_shape none = {0};
    int slot = cn_find_chain(world, chain, __func__);
    int last = previous.id && slot >= 0 ? cn_find_shape(world, previous, __func__) : -1;
    if (slot < 0 || (previous.id && last < 0)) return none;
    const cn_simulation *sim = &world->sim;
    if (last >= 0 &&
        !CN_CHECK(cn_rare_of(sim, last)->chain == slot ||
                  cn_fail(CN_ERROR_HANDLE, "shape %d is not a segment of chain %d", last, slot)))
        return none;
    return cn_shape_handle(world, next_segment(sim, slot, last));
}

cn_chain cn_shape_chain(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return cn_chain_handle(world, slot < 0 ? -1 : cn_rare_of(&world->sim, slot)->chain);
}

// ---- materials

static bool is_segment(const cn_simulation *sim, int shape, int chain, int number) {
    if (shape < 0 || shape >= sim->slots[CN_SHAPES].end || !cn_is_alive(sim, CN_SHAPES, shape))
        return false;
    const cn_shape_rare *rare = cn_rare_of(sim, shape);
    return rare->chain == chain && rare->segment == number;
}

// Returns the shape of a segment, or -1 if it was destroyed. Shapes that are created together
// mostly have consecutive slots, so the expected slot comes before the search.
static int find_segment(const cn_simulation *sim, int chain, int number) {
    int first = sim->chains[chain].first;
    int expected = first + number - sim->rare[first].segment;
    if (is_segment(sim, expected, chain, number)) return expected;
    for (int i = -1; (i = next_segment(sim, chain, i)) >= 0;)
        if (sim->rare[i].segment == number) return i;
    return -1;
}

// Stores the shape of a segment.
static bool require_segment(const cn_simulation *sim, int chain, int index, int *shape) {
    int count = sim->chains[chain].count;
    if (index < 0 || index >= count)
        return cn_fail(CN_ERROR_RANGE, "the segment is %d; chain %d has the segments 0 to %d",
                       index, chain, count - 1);
    *shape = find_segment(sim, chain, index);
    return *shape >= 0 ||
           cn_fail(CN_ERROR_HANDLE, "segment %d of chain %d was destroyed", index, chain);
}

cn_material cn_chain_material(const cn_world *world, cn_chain chain, int index) {
    int slot = cn_find_chain(world, chain, __func__), shape = -1;
    if (slot < 0 || !CN_CHECK(require_segment(&world->sim, slot, index, &shape)))
        return (cn_material){0};
    return cn_material_of(&world->sim, shape);
}

bool cn_chain_set_material(cn_world *world, cn_chain chain, int index, cn_material material) {
    CN_RECORD(cn_chain_set_material, world, chain, index, material);
    int slot = cn_edit_chain(world, chain, __func__), shape = -1;
    return slot >= 0 && CN_CHECK(require_segment(&world->sim, slot, index, &shape) &&
                                 cn_change_material(&world->sim, shape, material));
}
