/* The rows of shapes: hull, material, filter, place in the list of the body, proxy.
 *
 * Contacts refer to shapes by slot. Nothing here searches for the contacts of a shape; the shape is
 * marked dirty instead. The next step ends the contacts of shapes that were removed and remakes
 * those of changed shapes. A shape that gets another hull or filter counts as removed, and its
 * proxy forgets what it overlapped, so the next pair search finds all its pairs again.
 *
 * The shapes of a body are linked in the order of their creation, in both directions. Polygons are
 * in the hull pool, where equal polygons share one entry; placed.hull is its index. */
#include "model.h"

// ---- hulls as they are stored

bool cn_is_pooled(const cn_placed_hull *placed) { return cn_placed_class(placed) != CN_CLASS_BOX; }

bool cn_pool_hull(cn_simulation *sim, cn_canonical_hull *hull) {
    if (!cn_is_pooled(&hull->placed)) return true;
    hull->placed.hull = cn_hull_pool_add(&sim->hulls, &sim->memory, hull);
    return hull->placed.hull >= 0;
}

void cn_unpool_hull(cn_simulation *sim, int shape) {
    const cn_placed_hull *placed = &sim->placed[shape];
    if (cn_is_pooled(placed)) cn_hull_pool_remove(&sim->hulls, placed->hull);
}

void cn_store_hull(cn_simulation *sim, int shape, const cn_placed_hull *placed) {
    sim->placed[shape] = *placed;
    sim->shapes[shape].pose = placed->pose;
}

// ---- proxies

void cn_end_contacts(cn_simulation *sim, int shape, void (*edit)(cn_tree *tree, int id)) {
    cn_tree *tree = cn_tree_of(sim, sim->links[shape].body);
    if (!cn_tree_has(tree, shape)) return;
    cn_forget_surfaces_around(sim, shape);
    edit(tree, shape);
    cn_mark_dirty(sim, shape, CN_DIRTY_REMOVED);
}

void cn_wake_around_shape(cn_simulation *sim, int shape) {
    cn_tree *tree = cn_tree_of(sim, sim->links[shape].body);
    if (cn_tree_has(tree, shape)) cn_wake_bounds(sim, cn_tree_box(tree, shape));
    cn_wake_body(sim, sim->links[shape].body);
}

// The bodies around the shape are planned again, because the types of their contacts may change.
void cn_remake_contacts(cn_simulation *sim, int shape) {
    cn_mark_dirty(sim, shape, CN_DIRTY_CHANGED);
    cn_replan_body(sim, sim->links[shape].body);
    cn_wake_around_shape(sim, shape);
    const cn_tree *tree = cn_tree_with(sim, shape);
    if (!tree) return;
    cn_tree_refit(&sim->moving_tree);
    CN_EACH_OVER(other, &sim->moving_tree, cn_tree_box(tree, shape)) {
        cn_replan_body(sim, sim->links[other].body);
    }
}

// ---- properties

bool cn_is_rare_material(cn_material material) {
    return material.rolling_resistance > 0 || material.surface_speed != 0 ||
           material.min_bounce_speed > 0;
}

bool cn_has_rare_properties(const cn_shape_def *def) {
    return cn_is_rare_material(def->material) || def->one_way.x != 0 || def->one_way.y != 0 ||
           !cn_is_same_filter(&def->filter, &cn_common_shape.filter);
}

void cn_store_material(cn_simulation *sim, int shape, cn_material material) {
    cn_shape_warm *local = &sim->shapes[shape];
    sim->bouncy_shapes += (material.restitution > 0) - (local->restitution > 0);
    local->restitution = material.restitution;
    // The maximum turns -0 into 0.
    sim->links[shape].friction = material.frictionless ? 0 : cn_max(material.friction, 0);
    cn_set_flag(&local->flags, CN_SHAPE_FRICTIONLESS, material.frictionless);
    cn_set_flag(&local->flags, CN_SHAPE_RARE_MATERIAL, cn_is_rare_material(material));
    local->flags &= ~(uint32_t)(CN_SHAPE_FRICTION_MIX | CN_SHAPE_RESTITUTION_MIX);
    local->flags |= cn_mix_bits(material.friction_mix, CN_SHAPE_FRICTION_MIX) |
                    cn_mix_bits(material.restitution_mix, CN_SHAPE_RESTITUTION_MIX);
    if (!(local->flags & CN_SHAPE_RARE)) return;
    sim->rare[shape].rolling_resistance = material.rolling_resistance;
    sim->rare[shape].surface_speed = material.surface_speed;
    sim->rare[shape].min_bounce_speed = material.min_bounce_speed;
}

void cn_store_one_way(cn_simulation *sim, int shape, vec2s direction) {
    if (!(sim->shapes[shape].flags & CN_SHAPE_RARE)) return;
    sim->one_way_shapes -= cn_is_one_way(sim, shape);
    sim->rare[shape].one_way = direction;
    sim->one_way_shapes += cn_is_one_way(sim, shape);
}

void cn_store_sensor(cn_simulation *sim, int shape, bool sensor) {
    uint32_t *flags = &sim->shapes[shape].flags;
    if (sensor == !!(*flags & CN_SHAPE_SENSOR)) return;
    cn_set_flag(flags, CN_SHAPE_SENSOR, sensor);
    sensor ? cn_add_sensor(sim, shape) : cn_remove_sensor(sim, shape);
}

void cn_remeasure_sensors(cn_simulation *sim) {
    for (int i = 0; i < sim->sensors.count; i++) {
        int shape = sim->sensors.items[i];
        if (shape < 0) continue; // a gap
        cn_tree *tree = cn_tree_of(sim, sim->links[shape].body);
        if (cn_tree_has(tree, shape)) cn_tree_mark_moved(tree, shape);
    }
}

bool cn_is_empty_medium(cn_medium m) {
    return m.density == 0 && m.linear_drag == 0 && m.angular_drag == 0 && m.attraction == 0 &&
           m.acceleration.x == 0 && m.acceleration.y == 0 && m.flow.x == 0 && m.flow.y == 0;
}

static void fill_rows(cn_simulation *sim, int shape, int body, const cn_shape_def *def) {
    sim->links[shape] = (cn_shape_link){.body = body};
    sim->shapes[shape] = (cn_shape_warm){
        .density = def->density,
        .flags = CN_SHAPE_ALIVE | (def->hit_events ? CN_SHAPE_HIT_EVENTS : 0) |
                 (def->no_touch_events ? CN_SHAPE_SILENT : 0) |
                 (def->custom_filter ? CN_SHAPE_CUSTOM_FILTER : 0) |
                 (def->pre_solve ? CN_SHAPE_PRE_SOLVE : 0) |
                 (def->no_collision ? CN_SHAPE_NO_COLLISION : 0),
        .next = -1,
    };
    if (cn_has_rare_properties(def)) cn_make_rare(sim, shape)->filter = def->filter;
    sim->box_slack[shape] = 0;
    cn_store_material(sim, shape, def->material);
    cn_store_one_way(sim, shape, def->one_way);
    cn_store_sensor(sim, shape, def->sensor);
    CN_EACH_PART(part) {
        if (part->shape_created) part->shape_created(sim, shape, def);
    }
}

// ---- the list of a body

static bool reserve_shape_before(cn_simulation *sim) {
    return cn_fit(&sim->memory, &sim->shape_before, &sim->shape_before_capacity,
                  cn_max_int(sim->slots[CN_SHAPES].capacity, 1));
}

bool cn_reserve_compounds(cn_simulation *sim) {
    return reserve_shape_before(sim) && cn_fit(&sim->memory, &sim->edits, &sim->edit_capacity,
                                               cn_max_int(sim->slots[CN_BODIES].capacity, 1));
}

static void append_to_body(cn_simulation *sim, int shape, int body) {
    cn_body_warm *warm = &sim->warm[body];
    *(warm->last_shape < 0 ? &warm->first_shape : &sim->shapes[warm->last_shape].next) = shape;
    if (warm->last_shape >= 0) sim->shape_before[shape] = warm->last_shape;
    warm->last_shape = shape;
}

static void remove_from_body(cn_simulation *sim, int shape) {
    cn_body_warm *warm = &sim->warm[sim->links[shape].body];
    int next = sim->shapes[shape].next, before = cn_shape_before(sim, shape);
    *(before < 0 ? &warm->first_shape : &sim->shapes[before].next) = next;
    if (next < 0)
        warm->last_shape = before;
    else
        sim->shape_before[next] = before; // not used if `next` is the first one now
}

void cn_link_shapes_back(cn_simulation *sim) {
    for (int i = 0; i < sim->slots[CN_SHAPES].end; i++) {
        int next = sim->shapes[i].next;
        if (next >= 0 && cn_is_alive(sim, CN_SHAPES, i)) sim->shape_before[next] = i;
    }
}

// ---- create, destroy

// Reserves all memory that a new shape needs. Returns its slot, or -1 if memory is short.
static int reserve_shape(cn_simulation *sim, int body, const cn_shape_def *def,
                         cn_canonical_hull *hull) {
    int slot = cn_next_slot(sim, CN_SHAPES, def->user_data);
    if (slot < 0 || (cn_has_rare_properties(def) && !cn_reserve_rare(sim))) return -1;
    if (sim->warm[body].first_shape >= 0 && !reserve_shape_before(sim)) return -1;
    bool enabled = sim->hot[body].flags & CN_BODY_ENABLED;
    if (enabled && !cn_reserve_boxes(sim, cn_tree_of(sim, body), 1)) return -1;
    return cn_pool_hull(sim, hull) ? slot : -1;
}

int cn_add_shape(cn_simulation *sim, int body, const cn_shape_def *def) {
    cn_canonical_hull hull = cn_hull_canonical(&def->hull);
    return cn_add_canonical_shape(sim, body, def, &hull);
}

int cn_add_canonical_shape(cn_simulation *sim, int body, const cn_shape_def *def,
                           cn_canonical_hull *hull) {
    int slot = reserve_shape(sim, body, def, hull);
    if (slot < 0) return -1;
    cn_take_slot(sim, CN_SHAPES, slot);
    fill_rows(sim, slot, body, def);
    cn_store_hull(sim, slot, &hull->placed);
    append_to_body(sim, slot, body);
    cn_place_shape(sim, body, slot);
    cn_remake_lone_shape(sim, body, true);
    return slot;
}

void cn_add_proxy(cn_simulation *sim, int shape) {
    int body = sim->links[shape].body;
    if (sim->hot[body].flags & CN_BODY_ENABLED)
        cn_tree_insert(cn_tree_of(sim, body), shape, cn_fat_bounds(sim, shape));
    cn_forget_resting_bounds(sim, body);
    cn_forget_surfaces_around(sim, shape);
}

// Destroys a shape that was removed from the list of its body.
static void destroy_shape(cn_simulation *sim, int shape) {
    CN_EACH_PART(part) {
        if (part->shape_destroyed) part->shape_destroyed(sim, shape);
    }
    cn_end_contacts(sim, shape, cn_tree_remove);
    cn_unpool_hull(sim, shape);
    cn_store_material(sim, shape, (cn_material){0});
    cn_store_one_way(sim, shape, cn_vec(0, 0));
    cn_store_sensor(sim, shape, false);
    cn_retire_slot(sim, CN_SHAPES, shape);
}

// Removes a segment from its chain. The rare properties keep the name of the chain, because events
// read it.
static void remove_from_chain(cn_simulation *sim, int shape) {
    int slot = sim->rare[shape].chain;
    cn_chain_row *chain = &sim->chains[slot];
    if (chain->first == chain->last)
        cn_retire_slot(sim, CN_CHAINS, slot);
    else if (chain->first == shape)
        chain->first = sim->shapes[shape].next;
    else if (chain->last == shape)
        chain->last = cn_shape_before(sim, shape);
}

void cn_destroy_shape(cn_simulation *sim, int shape) {
    if (sim->shapes[shape].flags & CN_SHAPE_ONE_SIDED) remove_from_chain(sim, shape);
    int body = sim->links[shape].body;
    remove_from_body(sim, shape);
    destroy_shape(sim, shape);
    cn_remake_lone_shape(sim, body, false);
}
