/* Chains: outlines of segments that are solid on one side.
 *
 * A segment is a shape of its body like any other, but one-sided. A chain is smooth for the same
 * reason as tiles: touching shapes of a body share one surface (dynamics/model/ground.c). So a
 * chain needs no object of its own. It is the set of the shapes of a body that have its id, which
 * is the id of the handle of its first segment. */
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

// Reserves memory for all segments, so that creating them cannot fail.
static bool reserve_segments(cn_world *world, int body, int count, uint64_t user_data) {
    cn_simulation *sim = &world->sim;
    return cn_reserve_slots(sim, CN_SHAPES, count) && cn_reserve_rare(sim) &&
           cn_reserve_compounds(sim) &&
           cn_set_user_data(sim, CN_SHAPES, sim->slots[CN_SHAPES].end + count - 1, user_data) &&
           cn_reserve_boxes(sim, cn_tree_of(sim, body), count);
}

cn_chain cn_chain_create(cn_world *world, cn_body body, const cn_chain_def *def) {
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0) return (cn_chain){0};
    cn_simulation *sim = &world->sim;
    if (!CN_CHECK(check_chain(sim, slot, def) && cn_tidy_boxes(sim, cn_tree_of(sim, slot)) &&
                  reserve_segments(world, slot, segment_count(def), def->user_data)))
        return (cn_chain){0};
    CN_RECORD(cn_chain_create, world, body, def);
    cn_chain chain = {.body = body};
    int first = -1;
    for (int i = 0; i < segment_count(def); i++) {
        cn_shape_def segment = segment_of(def, i);
        segment = cn_apply_shape_defaults(&segment);
        int shape = cn_add_shape(sim, slot, &segment);
        assert(shape >= 0);
        if (i == 0) first = shape, chain.id = cn_shape_handle(world, shape).id;
        sim->shapes[shape].flags |= CN_SHAPE_ONE_SIDED;
        cn_make_rare(sim, shape)->chain = chain.id;
        cn_count_new_shape(sim, slot, shape);
    }
    for (int i = first; i >= 0; i = sim->shapes[i].next) {
        cn_add_proxy(sim, i);
        cn_wake_around_shape(sim, i);
    }
    return CN_CREATED(CN_SHAPES, true, chain);
}

// Returns the first segment of the chain among `shape` and the shapes after it on its body; -1 if
// there is none.
static int segment_from(const cn_world *world, cn_chain chain, int shape) {
    const cn_simulation *sim = &world->sim;
    while (shape >= 0 && (chain.id == 0 || cn_rare_of(sim, shape)->chain != chain.id))
        shape = sim->shapes[shape].next;
    return shape;
}

// Returns the body of a chain. If the chain has no segments, it returns -1, with the error recorded
// in the caller's name.
static int find_chain(const cn_world *world, cn_chain chain, const char *caller) {
    int body = cn_find_body(world, chain.body, caller);
    if (body < 0 || segment_from(world, chain, world->sim.warm[body].first_shape) >= 0) return body;
    cn_fail(CN_ERROR_HANDLE,
            "body %d has no segments of this chain: the chain or all of its segments were "
            "destroyed",
            body);
    cn_fail_call(caller);
    return -1;
}

// True if both shapes are segments of one chain. The shape `what` may have been destroyed already,
// because its rare properties are kept.
static bool is_of_chain(const cn_simulation *sim, int shape, int what) {
    return cn_rare_of(sim, shape)->chain == cn_rare_of(sim, what)->chain;
}

bool cn_chain_destroy(cn_world *world, cn_chain chain) {
    CN_RECORD(cn_chain_destroy, world, chain);
    int body = find_chain(world, chain, __func__);
    if (body < 0 || cn_edit_body(world, chain.body, __func__) < 0) return false;
    cn_simulation *sim = &world->sim;
    int first = segment_from(world, chain, sim->warm[body].first_shape);
    for (int i = first; i >= 0; i = segment_from(world, chain, sim->shapes[i].next))
        cn_wake_around_shape(sim, i);
    cn_destroy_shapes(&world->sim, body, is_of_chain, first);
    cn_count_shapes_anew(sim, body, -1, true);
    return true;
}

// ---- segments

cn_shape cn_chain_next_segment(const cn_world *world, cn_chain chain, cn_shape previous) {
    const cn_shape none = {0};
    if (previous.id == 0) {
        int body = find_chain(world, chain, __func__);
        if (body < 0) return none;
        return cn_shape_handle(world,
                               segment_from(world, chain, world->sim.warm[body].first_shape));
    }
    int slot = cn_find_shape(world, previous, __func__);
    if (slot < 0) return none;
    cn_chain own = cn_shape_chain(world, previous);
    if (!CN_CHECK((own.id && own.id == chain.id && own.body.id == chain.body.id) ||
                  cn_fail(CN_ERROR_HANDLE, "shape %d is not a segment of this chain", slot)))
        return none;
    return cn_shape_handle(world, segment_from(world, chain, world->sim.shapes[slot].next));
}

cn_chain cn_shape_chain(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    uint64_t id = slot < 0 ? 0 : cn_rare_of(&world->sim, slot)->chain;
    if (id == 0) return (cn_chain){0};
    return (cn_chain){cn_body_handle(world, world->sim.links[slot].body), id};
}
