/* Creates, changes and destroys the shapes of bodies.
 *
 * Contacts refer to shapes by slot. A call does not search for the contacts of a shape: it marks
 * the shape as changed or gone. The next step ends the contacts of shapes that are gone and remakes
 * those of changed shapes. A shape that gets another hull or filter is marked as gone, and its
 * proxy forgets what it overlapped, so the next pair search finds all its pairs again.
 *
 * The shapes of a body are linked in the order of their creation. Polygons are in the hull pool,
 * where equal polygons share one entry; placed.hull is its index. */
#include "world.h"

#define MAX_FRICTION 1e9f // so that the product of two is a float

// ---- hulls as they are stored

// Gives a polygon its entry in the pool. Returns false if memory is short.
static bool pool_hull(cn_simulation *sim, cn_canonical_hull *hull) {
    if (cn_placed_class(&hull->placed) == CN_CLASS_BOX) return true;
    hull->placed.hull = cn_hull_pool_add(&sim->hulls, &sim->memory, hull);
    return hull->placed.hull >= 0;
}

static void unpool_hull(cn_simulation *sim, int shape) {
    const cn_placed_hull *placed = &sim->placed[shape];
    if (cn_placed_class(placed) != CN_CLASS_BOX) cn_hull_pool_remove(&sim->hulls, placed->hull);
}

static void store_hull(cn_simulation *sim, int shape, const cn_placed_hull *placed) {
    sim->placed[shape] = *placed;
    sim->shapes[shape].pose = placed->pose;
}

// ---- proxies

void cn_end_contacts(cn_simulation *sim, int shape, void (*edit)(cn_tree *tree, int id)) {
    cn_tree *tree = cn_tree_of(sim, sim->links[shape].body);
    if (!cn_tree_has(tree, shape)) return;
    cn_forget_surfaces(sim, shape);
    edit(tree, shape);
    cn_mark_dirty(sim, shape, CN_DIRTY_REMOVED);
}

void cn_wake_around_shape(cn_simulation *sim, int shape) {
    cn_tree *tree = cn_tree_of(sim, sim->links[shape].body);
    if (cn_tree_has(tree, shape)) cn_wake_bounds(sim, cn_tree_box(tree, shape));
    cn_wake_body(sim, sim->links[shape].body);
}

// True if the user may change the shape. Only steps create and destroy the shapes of tiles.
static bool require_not_tile(const cn_simulation *sim, int shape) {
    return !cn_is_tile(sim, shape) ||
           cn_fail(CN_ERROR_STATE,
                   "the shape is tile %d of a grid: change tiles with cn_tiles_set()",
                   cn_rare_of(sim, shape)->tile.tile);
}

// ---- mass

bool cn_require_mass(const cn_simulation *sim, int body, int changed, const cn_mass *part) {
    cn_mass sum = cn_mass_of_shapes(sim, body, changed, part);
    if (sum.mass == 0)
        return (!part && sim->warm[body].first_shape < 0) ||
               cn_fail(CN_ERROR_STATE,
                       "dynamic body %d would have shapes but a mass of 0: first give it a shape "
                       "with an "
                       "area and a density, or a mass with cn_body_set_mass()",
                       body);
    const float least = CN_MIN_MASS, greatest = CN_MAX_MASS;
    return (sum.mass >= least && sum.inertia >= least && sum.mass <= greatest &&
            sum.inertia <= greatest) ||
           cn_fail(CN_ERROR_RANGE,
                   "body %d would have mass %g and inertia %g; both must be in %g .. %g", body,
                   (double)sum.mass, (double)sum.inertia, (double)least, (double)greatest);
}

// The same for a changed shape, or for a new one (`changed` is -1), if the mass of the body is
// computed from its shapes.
static bool check_part(const cn_simulation *sim, int body, int changed, const cn_hull *hull,
                       float density) {
    cn_mass part = cn_mass_of(hull, 1);
    part.mass *= density, part.inertia *= density;
    if (!cn_finite(part.mass) || !cn_finite(part.inertia))
        return cn_fail(CN_ERROR_RANGE,
                       "with the density %g the mass is %g and the inertia %g; both must be "
                       "finite: reduce the density or the size",
                       (double)density, (double)part.mass, (double)part.inertia);
    uint32_t flags = sim->hot[body].flags;
    bool follows = (flags & CN_BODY_IS_DYNAMIC) && !(flags & CN_BODY_OWN_MASS);
    return !follows || cn_require_mass(sim, body, changed, &part);
}

// ---- definition

static bool check_material(cn_material material) {
    return cn_require("friction", material.friction, 0, MAX_FRICTION) &&
           cn_require("restitution", material.restitution, 0, 1) &&
           cn_require("rolling resistance", material.rolling_resistance, 0, MAX_FRICTION) &&
           cn_require("surface speed", material.surface_speed, -CN_MAX_COORDINATE,
                      CN_MAX_COORDINATE);
}

static bool has_resistance(cn_material material) {
    return material.rolling_resistance > 0 || material.surface_speed != 0;
}

static float density_of(const cn_shape_def *def) {
    float given = def->density == 0 ? 1 : def->density;
    return def->massless ? 0 : given;
}

cn_shape_def cn_apply_shape_defaults(const cn_shape_def *given) {
    cn_shape_def def = *given;
    def.density = density_of(given);
    if (def.material.friction == 0 && !def.material.frictionless) def.material.friction = 0.6f;
    if (def.filter.category == 0) def.filter.category = 1;
    if (def.filter.mask == 0) def.filter.mask = UINT64_MAX;
    if (def.no_collision) def.filter = (cn_filter){0};
    return def;
}

bool cn_check_shape(const cn_simulation *sim, int body, const cn_shape_def *def) {
    return cn_require_pointer("definition", def) && cn_hull_check(&def->hull) &&
           check_material(def->material) &&
           cn_require2("one-way direction", def->one_way, FLT_MAX) &&
           cn_require("density", def->density, 0, FLT_MAX) &&
           check_part(sim, body, -1, &def->hull, density_of(def));
}

static bool is_rare(const cn_shape_def *def) {
    return has_resistance(def->material) || def->one_way.x != 0 || def->one_way.y != 0 ||
           !cn_is_same_filter(&def->filter, &cn_common_shape.filter);
}

// ---- create, destroy

// A shape with rolling resistance or a surface speed already has a row of rare properties.
static void store_material(cn_simulation *sim, int shape, cn_material material) {
    cn_shape_warm *local = &sim->shapes[shape];
    sim->bouncy_shapes += (material.restitution > 0) - (local->restitution > 0);
    local->restitution = material.restitution;
    // makes -0 to 0
    sim->links[shape].friction = material.frictionless ? 0 : cn_max(material.friction, 0);
    cn_set_flag(&local->flags, CN_SHAPE_FRICTIONLESS, material.frictionless);
    cn_set_flag(&local->flags, CN_SHAPE_RESISTS, has_resistance(material));
    if (!(local->flags & CN_SHAPE_RARE)) return;
    sim->rare[shape].rolling_resistance = material.rolling_resistance;
    sim->rare[shape].surface_speed = material.surface_speed;
}

static void store_one_way(cn_simulation *sim, int shape, vec2s direction) {
    if (!(sim->shapes[shape].flags & CN_SHAPE_RARE)) return;
    sim->one_way_shapes -= cn_is_one_way(sim, shape);
    sim->rare[shape].one_way = direction;
    sim->one_way_shapes += cn_is_one_way(sim, shape);
}

// Memory in the list of sensors must be reserved.
static void store_sensor(cn_simulation *sim, int shape, bool sensor) {
    uint32_t *flags = &sim->shapes[shape].flags;
    if (sensor == !!(*flags & CN_SHAPE_SENSOR)) return;
    cn_set_flag(flags, CN_SHAPE_SENSOR, sensor);
    sim->sensors.count = cn_remove_item(sim->sensors.items, sim->sensors.count, shape);
    if (sensor) sim->sensors.items[sim->sensors.count++] = shape;
}

static bool reserve_sensor(cn_simulation *sim, bool sensor) {
    return !sensor || cn_reserve(&sim->memory, &sim->sensors, sim->sensors.count + 1);
}

static void fill_rows(cn_simulation *sim, int shape, int body, const cn_shape_def *def) {
    sim->links[shape] = (cn_shape_link){.body = body};
    sim->shapes[shape] = (cn_shape_warm){
        .density = def->density,
        .flags = CN_SHAPE_ALIVE | (def->hit_events ? CN_SHAPE_HIT_EVENTS : 0) |
                 (def->no_touch_events ? CN_SHAPE_SILENT : 0),
        .next = -1,
    };
    if (is_rare(def)) cn_make_rare(sim, shape)->filter = def->filter;
    sim->box_slack[shape] = 0;
    store_material(sim, shape, def->material);
    store_one_way(sim, shape, def->one_way);
    store_sensor(sim, shape, def->sensor);
}

static void append_to_body(cn_simulation *sim, int shape, int body) {
    cn_body_warm *warm = &sim->warm[body];
    *(warm->last_shape < 0 ? &warm->first_shape : &sim->shapes[warm->last_shape].next) = shape;
    warm->last_shape = shape;
}

// Reserves all memory that a new shape needs. Returns its slot, or -1.
static int reserve_shape(cn_world *world, int body, const cn_shape_def *def,
                         cn_canonical_hull *hull) {
    cn_simulation *sim = &world->sim;
    int slot = cn_next_slot(world, CN_SHAPES, def->user_data);
    if (slot < 0 || (is_rare(def) && !cn_reserve_rare(sim))) return -1;
    bool enabled = sim->hot[body].flags & CN_BODY_ENABLED;
    if (enabled && !cn_reserve_boxes(sim, cn_tree_of(sim, body), 1)) return -1;
    return pool_hull(sim, hull) ? slot : -1;
}

int cn_add_shape(cn_world *world, int body, const cn_shape_def *given) {
    cn_simulation *sim = &world->sim;
    cn_shape_def def = cn_apply_shape_defaults(given);
    cn_canonical_hull hull = cn_hull_canonical(&def.hull);
    int slot = reserve_shape(world, body, &def, &hull);
    if (slot < 0) return -1;
    cn_take_slot(world, CN_SHAPES, slot);
    fill_rows(sim, slot, body, &def);
    store_hull(sim, slot, &hull.placed);
    append_to_body(sim, slot, body);
    cn_place_shape(sim, body, slot);
    return slot;
}

void cn_add_proxy(cn_simulation *sim, int shape) {
    int body = sim->links[shape].body;
    if (sim->hot[body].flags & CN_BODY_ENABLED)
        cn_tree_insert(cn_tree_of(sim, body), shape, cn_fat_bounds(sim, shape));
    cn_forget_surfaces(sim, shape); // and those of its neighbours
}

cn_shape cn_shape_create(cn_world *world, cn_body body, const cn_shape_def *def) {
    const cn_shape none = {0};
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0) return none;
    cn_simulation *sim = &world->sim;
    if (!CN_CHECK(cn_check_shape(sim, slot, def) && reserve_sensor(sim, def->sensor) &&
                  cn_tidy_boxes(sim, cn_tree_of(sim, slot))))
        return none;
    int shape = cn_add_shape(world, slot, def);
    if (!CN_CHECK(shape >= 0)) return none;
    cn_refresh_mass(sim, slot);
    cn_add_proxy(sim, shape);
    if (!cn_sleeps_alone(sim, slot)) cn_wake_around_shape(sim, shape);
    return cn_shape_handle(world, shape);
}

// Destroys a shape that was removed from the list of its body.
static void destroy_shape(cn_world *world, int shape) {
    cn_simulation *sim = &world->sim;
    cn_end_contacts(sim, shape, cn_tree_remove);
    unpool_hull(sim, shape);
    store_material(sim, shape, (cn_material){0});
    store_one_way(sim, shape, cn_vec(0, 0));
    store_sensor(sim, shape, false);
    if (cn_is_tile(sim, shape)) { // its tile name stays, because events read it
        cn_tile_name name = cn_rare_of(sim, shape)->tile;
        sim->grids[name.grid].tiles[name.tile] = CN_TILE_SOLID;
        sim->tile_shape_count--;
    }
    cn_retire_slot(world, CN_SHAPES, shape);
}

void cn_destroy_shapes(cn_world *world, int body, cn_shape_test *is_chosen, int what) {
    cn_simulation *sim = &world->sim;
    cn_body_warm *warm = &sim->warm[body];
    int *link = &warm->first_shape;
    warm->last_shape = -1;
    while (*link >= 0) {
        int shape = *link;
        if (!is_chosen || is_chosen(world, shape, what)) {
            *link = sim->shapes[shape].next;
            destroy_shape(world, shape);
        } else {
            warm->last_shape = shape;
            link = &sim->shapes[shape].next;
        }
    }
}

void cn_destroy_shape(cn_world *world, int shape) {
    cn_simulation *sim = &world->sim;
    cn_body_warm *warm = &sim->warm[sim->links[shape].body];
    int *link = &warm->first_shape, previous = -1;
    for (; *link != shape; link = &sim->shapes[previous].next) previous = *link;
    *link = sim->shapes[shape].next;
    if (warm->last_shape == shape) warm->last_shape = previous;
    destroy_shape(world, shape);
}

bool cn_shape_destroy(cn_world *world, cn_shape shape) {
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(require_not_tile(&world->sim, slot))) return false;
    cn_simulation *sim = &world->sim;
    int body = sim->links[slot].body;
    cn_wake_around_shape(sim, slot);
    cn_destroy_shape(world, slot);
    cn_refresh_mass(sim, body);
    return true;
}

// ---- changes

// Ends all contacts of the shape. The next pair search finds its pairs again.
static void recreate_pairs(cn_simulation *sim, int shape) {
    cn_wake_around_shape(sim, shape);
    cn_end_contacts(sim, shape, cn_tree_renew_pairs);
}

bool cn_shape_set_hull(cn_world *world, cn_shape shape, const cn_hull *hull) {
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (!CN_CHECK(require_not_tile(sim, slot) && cn_hull_check(hull) &&
                  check_part(sim, sim->links[slot].body, slot, hull, sim->shapes[slot].density)))
        return false;
    int body = sim->links[slot].body;
    cn_canonical_hull canonical = cn_hull_canonical(hull);
    if (!CN_CHECK(pool_hull(sim, &canonical))) return false;

    cn_wake_around_shape(sim, slot);
    cn_forget_surfaces(sim, slot);
    unpool_hull(sim, slot);
    store_hull(sim, slot, &canonical.placed);
    cn_place_shape(sim, body, slot);
    cn_refresh_mass(sim, body);
    cn_tree *tree = cn_tree_of(sim, body);
    if (cn_tree_has(tree, slot)) {
        cn_tree_move(tree, slot, cn_fat_bounds(sim, slot));
        cn_tree_enclose(tree, slot);
    }
    sim->box_slack[slot] = 0;
    recreate_pairs(sim, slot);
    return true;
}

bool cn_shape_set_density(cn_world *world, cn_shape shape, float density) {
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(require_not_tile(&world->sim, slot) &&
                              cn_require("density", density, 0, FLT_MAX)))
        return false;
    cn_simulation *sim = &world->sim;
    int body = sim->links[slot].body;
    cn_hull hull = cn_hull_of(sim, slot);
    if (!CN_CHECK(check_part(sim, body, slot, &hull, density))) return false;
    sim->shapes[slot].density = density;
    cn_refresh_mass(sim, body);
    return true;
}

// Contacts have copies of some properties of their shapes. They are remade, sleeping contacts too.
static void refresh_contacts(cn_simulation *sim, int shape) {
    cn_mark_dirty(sim, shape, CN_DIRTY_CHANGED);
    cn_replan_body(sim, sim->links[shape].body);
    cn_wake_around_shape(sim, shape);
}

bool cn_shape_set_material(cn_world *world, cn_shape shape, cn_material material) {
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (!CN_CHECK(require_not_tile(sim, slot) && check_material(material) &&
                  (!has_resistance(material) || cn_make_rare(sim, slot))))
        return false;
    store_material(sim, slot, material);
    refresh_contacts(sim, slot);
    return true;
}

bool cn_shape_set_hit_events(cn_world *world, cn_shape shape, bool hit_events) {
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(require_not_tile(&world->sim, slot))) return false;
    cn_simulation *sim = &world->sim;
    cn_set_flag(&sim->shapes[slot].flags, CN_SHAPE_HIT_EVENTS, hit_events);
    refresh_contacts(sim, slot);
    return true;
}

// Whether a contact raises touch events is decided when it begins, so existing contacts do not
// change.
bool cn_shape_set_touch_events(cn_world *world, cn_shape shape, bool touch_events) {
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(require_not_tile(&world->sim, slot))) return false;
    cn_set_flag(&world->sim.shapes[slot].flags, CN_SHAPE_SILENT, !touch_events);
    return true;
}

// Setting an equal filter keeps the contacts and their impulses.
bool cn_shape_set_filter(cn_world *world, cn_shape shape, cn_filter filter) {
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (!CN_CHECK(require_not_tile(sim, slot) && cn_make_rare(sim, slot))) return false;
    if (cn_is_same_filter(&sim->rare[slot].filter, &filter)) return true;
    sim->rare[slot].filter = filter;
    recreate_pairs(sim, slot);
    return true;
}

bool cn_shape_set_one_way(cn_world *world, cn_shape shape, vec2s direction) {
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (!CN_CHECK(require_not_tile(sim, slot) &&
                  cn_require2("one-way direction", direction, FLT_MAX) && cn_make_rare(sim, slot)))
        return false;
    if (glms_vec2_eqv(sim->rare[slot].one_way, direction)) return true;
    store_one_way(sim, slot, direction);
    recreate_pairs(sim, slot);
    return true;
}

bool cn_shape_set_sensor(cn_world *world, cn_shape shape, bool sensor) {
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (!CN_CHECK(require_not_tile(sim, slot) && reserve_sensor(sim, sensor))) return false;
    if (sensor == !!(sim->shapes[slot].flags & CN_SHAPE_SENSOR)) return true;
    store_sensor(sim, slot, sensor);
    recreate_pairs(sim, slot);
    return true;
}

bool cn_shape_set_user_data(cn_world *world, cn_shape shape, uint64_t user_data) {
    int slot = cn_edit_shape(world, shape, __func__);
    return slot >= 0 && CN_CHECK(require_not_tile(&world->sim, slot) &&
                                 cn_set_user_data(&world->sim, CN_SHAPES, slot, user_data));
}
