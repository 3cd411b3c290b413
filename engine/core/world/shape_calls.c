/* Creates, changes and destroys the shapes of bodies: checks and defaults. dynamics/model/shape.c
 * applies a change to the rows of shapes and to contacts. */
#include "world.h"

#define MAX_FRICTION 1e9f // so that the product of two is a float
#define ROUNDED_SUM  1e3f // more than the factor by which rounding changes a sum of masses

bool cn_require_not_terrain(const cn_simulation *sim, int shape) {
    return !cn_is_terrain(sim, shape) ||
           cn_fail(CN_ERROR_STATE,
                   "the shape is tile %d of a grid: change tiles with cn_grid_set_tile()",
                   cn_rare_of(sim, shape)->terrain.piece);
}

// ---- mass

// True if this part alone gives the body enough mass.
static bool is_enough(cn_mass_data part) {
    const float least = ROUNDED_SUM * CN_MIN_MASS;
    return part.mass >= least && part.inertia >= least;
}

// True if one of the other shapes is enough. Visits the nearest ones in the list first.
static bool has_enough_besides(const cn_simulation *sim, int changed) {
    int after = sim->shapes[changed].next, before = cn_shape_before(sim, changed);
    while (after >= 0 || before >= 0) {
        if (after >= 0 && is_enough(cn_shape_mass(sim, after))) return true;
        if (before >= 0 && is_enough(cn_shape_mass(sim, before))) return true;
        if (after >= 0) after = sim->shapes[after].next;
        if (before >= 0) before = cn_shape_before(sim, before);
    }
    return false;
}

// True if bounds show that the mass is valid, without a sum over all shapes.
static bool is_surely_valid(const cn_simulation *sim, int body, int changed,
                            const cn_mass_data *part) {
    if (!part || (changed < 0 && cn_is_mass_known(sim, body))) return false;
    const float greatest = CN_MAX_MASS / ROUNDED_SUM;
    cn_mass_data most = cn_mass_bound(sim, body, *part);
    return most.mass <= greatest && most.inertia <= greatest &&
           (is_enough(*part) || (changed >= 0 && has_enough_besides(sim, changed)));
}

static bool require_sum(cn_mass_data sum, int body) {
    const float least = CN_MIN_MASS, greatest = CN_MAX_MASS;
    return (sum.mass >= least && sum.inertia >= least && sum.mass <= greatest &&
            sum.inertia <= greatest) ||
           cn_fail(CN_ERROR_RANGE,
                   "body %d would have mass %g and inertia %g; both must be in %g .. %g", body,
                   (double)sum.mass, (double)sum.inertia, (double)least, (double)greatest);
}

bool cn_require_mass(const cn_simulation *sim, int body, int changed, const cn_mass_data *part) {
    if (is_surely_valid(sim, body, changed, part)) return true;
    cn_settled_mass(sim, body); // keeps the sum, so that the next bound is close
    cn_mass_data sum = part && changed < 0 ? cn_mass_with(sim, body, *part)
                                           : cn_mass_of_shapes(sim, body, changed, part);
    if (sum.mass == 0)
        return (!part && sim->warm[body].first_shape < 0) ||
               cn_fail(CN_ERROR_STATE,
                       "dynamic body %d would have shapes but a mass of 0: first give it a shape "
                       "with an "
                       "area and a density, or a mass with cn_body_set_mass_data()",
                       body);
    return require_sum(sum, body);
}

// Finds the mass of a shape. False if it is not finite.
static bool find_part(const cn_hull *hull, float density, cn_mass_data *part) {
    *part = cn_mass_of(hull, 1);
    part->mass *= density, part->inertia *= density;
    return (cn_finite(part->mass) && cn_finite(part->inertia)) ||
           cn_fail(CN_ERROR_RANGE,
                   "with the density %g the mass is %g and the inertia %g; both must be "
                   "finite: reduce the density or the size",
                   (double)density, (double)part->mass, (double)part->inertia);
}

// True if the mass of the body is valid with a changed shape, or with a new one (`changed` is -1),
// if it is computed from the shapes.
static bool check_part(const cn_simulation *sim, int body, int changed, const cn_hull *hull,
                       float density) {
    cn_mass_data part;
    if (!find_part(hull, density, &part)) return false;
    return !cn_mass_follows_shapes(&sim->hot[body]) || cn_require_mass(sim, body, changed, &part);
}

// ---- definition

static bool check_mix(const char *what, cn_mix mix) {
    return (mix >= CN_MIX_DEFAULT && mix <= CN_MIX_MULTIPLY) ||
           cn_fail(CN_ERROR_RANGE, "%s is %d; it must be one of cn_mix", what, (int)mix);
}

bool cn_require_contact_values(float friction, float restitution, float surface_speed) {
    return cn_require("friction", friction, 0, MAX_FRICTION) &&
           cn_require("restitution", restitution, 0, 1) &&
           cn_require("surface speed", surface_speed, -CN_MAX_COORDINATE, CN_MAX_COORDINATE);
}

bool cn_require_material(cn_material material) {
    return check_mix("friction_mix", material.friction_mix) &&
           check_mix("restitution_mix", material.restitution_mix) &&
           cn_require_contact_values(material.friction, material.restitution,
                                     material.surface_speed) &&
           cn_require("rolling resistance", material.rolling_resistance, 0, MAX_FRICTION) &&
           cn_require("min_bounce_speed", material.min_bounce_speed, 0, CN_MAX_COORDINATE);
}

bool cn_require_sensor(cn_medium medium, bool sensor) {
    return sensor || cn_is_empty_medium(medium) ||
           cn_fail(CN_ERROR_STATE,
                   "only a sensor can have a medium: set .sensor in the definition, "
                   "or call cn_shape_set_sensor() first");
}

static bool require_solid_one_way(bool sensor, vec2s one_way) {
    return !sensor || (one_way.x == 0 && one_way.y == 0) ||
           cn_fail(CN_ERROR_STATE,
                   "a sensor touches nothing, so its one_way must be (0, 0); it is (%g, %g)",
                   (double)one_way.x, (double)one_way.y);
}

static float density_of(const cn_shape_def *def) {
    float given = def->density == 0 ? 1 : def->density;
    return def->massless ? 0 : given;
}

cn_material cn_apply_material_defaults(cn_material given) {
    if (given.friction == 0) given.friction = 0.6f;
    if (given.frictionless) given.friction = 0;
    return given;
}

static cn_filter apply_filter_defaults(cn_filter given) {
    if (given.category == 0) given.category = 1;
    if (given.mask == 0) given.mask = UINT64_MAX;
    return given;
}

cn_shape_def cn_apply_shape_defaults(const cn_shape_def *given) {
    cn_shape_def def = *given;
    def.density = density_of(given);
    def.material = cn_apply_material_defaults(given->material);
    def.filter = apply_filter_defaults(given->filter);
    return def;
}

static bool check_definition(const cn_shape_def *def) {
    return cn_hull_check_sized(&def->hull) && cn_require_material(def->material) &&
           cn_require2("one-way direction", def->one_way, FLT_MAX) &&
           require_solid_one_way(def->sensor, def->one_way) &&
           cn_require("density", def->density, 0, FLT_MAX) &&
           (cn_is_empty_medium(def->medium) || cn_require_part("fields")) &&
           cn_require_sensor(def->medium, def->sensor);
}

bool cn_check_shape(const cn_simulation *sim, int body, const cn_shape_def *def) {
    return cn_require_pointer("definition", def) && check_definition(def) &&
           check_part(sim, body, -1, &def->hull, density_of(def));
}

// ---- create, destroy

static bool prepare_parts(cn_simulation *sim, const cn_shape_def *defs, int i) {
    CN_EACH_PART(part) {
        if (part->prepare_shape && !part->prepare_shape(sim, defs, i)) return false;
    }
    return true;
}

// Creates a shape. Returns its slot, or -1 if memory is short.
static int create_shape(cn_simulation *sim, int body, const cn_shape_def *def) {
    cn_shape_def full = cn_apply_shape_defaults(def);
    int shape = cn_add_shape(sim, body, &full);
    if (shape < 0) return -1;
    cn_count_new_shape(sim, body, shape);
    cn_add_proxy(sim, shape);
    if (cn_sleeps_alone(sim, body))
        sim->sleep_revision++; // it sleeps at a new place
    else
        cn_wake_around_shape(sim, shape);
    return shape;
}

cn_shape cn_shape_create(cn_world *world, cn_body body, const cn_shape_def *def) {
    CN_RECORD(cn_shape_create, world, body, def);
    const cn_shape none = {0};
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0) return none;
    cn_simulation *sim = &world->sim;
    bool is_first = sim->warm[slot].first_shape < 0;
    if (!CN_CHECK(cn_check_shape(sim, slot, def) && (is_first || cn_reserve_compounds(sim)) &&
                  (!def->sensor || cn_reserve_sensors(sim, 1)) && prepare_parts(sim, def, 0) &&
                  cn_tidy_boxes(sim, cn_tree_of(sim, slot))))
        return none;
    int shape = create_shape(sim, slot, def);
    if (!CN_CHECK(shape >= 0)) return none;
    return CN_CREATED(CN_SHAPES, cn_shape_handle(world, shape));
}

bool cn_shape_destroy(cn_world *world, cn_shape shape) {
    CN_RECORD(cn_shape_destroy, world, shape);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_not_terrain(&world->sim, slot))) return false;
    cn_simulation *sim = &world->sim;
    int body = sim->links[slot].body;
    bool counts = sim->shapes[slot].density != 0;
    cn_wake_around_shape(sim, slot);
    cn_destroy_shape(sim, slot);
    cn_count_shapes_anew(sim, body, -1, counts);
    return true;
}

// ---- the shapes of a new body

static bool check_total(cn_mass_data sum, int body) {
    return sum.mass != 0 ? require_sum(sum, body)
                         : cn_fail(CN_ERROR_STATE, "the shapes of a dynamic body have a mass of 0: "
                                                   "give one of them an area and a density");
}

bool cn_check_body_shapes(int body, const cn_body_def *def) {
    cn_mass_data sum = {0}, part;
    for (int i = 0; i < def->shape_count; i++) {
        const cn_shape_def *shape = &def->shapes[i];
        if (!check_definition(shape) || !find_part(&shape->hull, density_of(shape), &part))
            return cn_fail_in_number("shape", i);
        sum = cn_add_mass(sum, part);
    }
    return def->shape_count == 0 || def->type != CN_DYNAMIC || check_total(sum, body);
}

bool cn_reserve_body_shapes(cn_simulation *sim, int body, const cn_body_def *def) {
    const int count = def->shape_count;
    int rare = 0, sensors = 0, pooled = 0, with_data = 0;
    if (count == 0) return true;
    for (int i = 0; i < count; i++) {
        const cn_shape_def full = cn_apply_shape_defaults(&def->shapes[i]);
        rare += cn_has_rare_properties(&full), sensors += full.sensor;
        const cn_canonical_hull hull = cn_hull_canonical(&full.hull);
        pooled += cn_is_pooled(&hull.placed), with_data += full.user_data != 0;
    }
    if (!cn_reserve_next_slots(sim, CN_SHAPES, count, with_data > 0) ||
        (rare > 0 && !cn_reserve_rare(sim)) || (count > 1 && !cn_reserve_compounds(sim)) ||
        (sensors > 0 && !cn_reserve_sensors(sim, sensors)) ||
        !cn_hull_pool_reserve(&sim->hulls, &sim->memory, pooled))
        return false;
    for (int i = 0; i < count; i++)
        if (!prepare_parts(sim, def->shapes, i)) return cn_fail_in_number("shape", i);
    cn_tree *tree = cn_tree_of(sim, body);
    return cn_tidy_boxes(sim, tree) && (def->disabled || cn_reserve_boxes(sim, tree, count));
}

void cn_create_body_shapes(cn_simulation *sim, int body, const cn_body_def *def) {
    for (int i = 0; i < def->shape_count; i++) {
        int shape = create_shape(sim, body, &def->shapes[i]);
        assert(shape >= 0); // the memory is reserved
        (void)shape;
    }
}

// ---- changes

// Ends all contacts of the shape. The next pair search finds its pairs again.
static void recreate_pairs(cn_simulation *sim, int shape) {
    cn_wake_around_shape(sim, shape);
    cn_end_contacts(sim, shape, cn_tree_renew_pairs);
}

bool cn_shape_set_hull(cn_world *world, cn_shape shape, cn_hull hull) {
    CN_RECORD(cn_shape_set_hull, world, shape, hull);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (!CN_CHECK(cn_require_not_terrain(sim, slot) && cn_hull_check_sized(&hull) &&
                  check_part(sim, sim->links[slot].body, slot, &hull, sim->shapes[slot].density)))
        return false;
    int body = sim->links[slot].body;
    cn_canonical_hull canonical = cn_hull_canonical(&hull);
    if (!CN_CHECK(cn_pool_hull(sim, &canonical))) return false;

    cn_wake_around_shape(sim, slot);
    cn_forget_surfaces_around(sim, slot);
    cn_unpool_hull(sim, slot);
    cn_store_hull(sim, slot, &canonical.placed);
    cn_place_shape(sim, body, slot);
    cn_count_shapes_anew(sim, body, slot, sim->shapes[slot].density != 0);
    cn_tree *tree = cn_tree_of(sim, body);
    if (cn_tree_has(tree, slot)) {
        cn_tree_move(tree, slot, cn_fat_bounds(sim, slot));
        cn_tree_enclose(tree, slot);
        cn_forget_resting_bounds(sim, body);
    }
    sim->box_slack[slot] = 0;
    recreate_pairs(sim, slot);
    return true;
}

bool cn_shape_set_density(cn_world *world, cn_shape shape, float density) {
    CN_RECORD(cn_shape_set_density, world, shape, density);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_not_terrain(&world->sim, slot) &&
                              cn_require("density", density, 0, FLT_MAX)))
        return false;
    cn_simulation *sim = &world->sim;
    int body = sim->links[slot].body;
    cn_hull hull = cn_hull_of(sim, slot);
    if (!CN_CHECK(check_part(sim, body, slot, &hull, density))) return false;
    bool counts = density != 0 || sim->shapes[slot].density != 0;
    sim->shapes[slot].density = density;
    cn_count_shapes_anew(sim, body, slot, counts);
    return true;
}

bool cn_change_material(cn_simulation *sim, int shape, cn_material material) {
    if (!cn_require_material(material) ||
        (cn_is_rare_material(material) && !cn_make_rare(sim, shape)))
        return false;
    cn_store_material(sim, shape, cn_apply_material_defaults(material));
    cn_remake_contacts(sim, shape);
    return true;
}

bool cn_shape_set_material(cn_world *world, cn_shape shape, cn_material material) {
    CN_RECORD(cn_shape_set_material, world, shape, material);
    int slot = cn_edit_shape(world, shape, __func__);
    return slot >= 0 && CN_CHECK(cn_require_not_terrain(&world->sim, slot) &&
                                 cn_change_material(&world->sim, slot, material));
}

bool cn_shape_set_hit_events(cn_world *world, cn_shape shape, bool hit_events) {
    CN_RECORD(cn_shape_set_hit_events, world, shape, hit_events);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_not_terrain(&world->sim, slot))) return false;
    cn_simulation *sim = &world->sim;
    cn_set_flag(&sim->shapes[slot].flags, CN_SHAPE_HIT_EVENTS, hit_events);
    cn_remake_contacts(sim, slot);
    return true;
}

// Whether a contact raises touch events is decided when it begins, so existing contacts do not
// change.
bool cn_shape_set_no_touch_events(cn_world *world, cn_shape shape, bool no_touch_events) {
    CN_RECORD(cn_shape_set_no_touch_events, world, shape, no_touch_events);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_not_terrain(&world->sim, slot))) return false;
    cn_set_flag(&world->sim.shapes[slot].flags, CN_SHAPE_SILENT, no_touch_events);
    return true;
}

// Setting an equal filter keeps the contacts and their impulses.
bool cn_shape_set_filter(cn_world *world, cn_shape shape, cn_filter filter) {
    CN_RECORD(cn_shape_set_filter, world, shape, filter);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (!CN_CHECK(cn_require_not_terrain(sim, slot) && cn_make_rare(sim, slot))) return false;
    filter = apply_filter_defaults(filter);
    if (cn_is_same_filter(&sim->rare[slot].filter, &filter)) return true;
    sim->rare[slot].filter = filter;
    recreate_pairs(sim, slot);
    return true;
}

// The callback is called anew for all pairs of the shape.
bool cn_shape_set_custom_filter(cn_world *world, cn_shape shape, bool custom_filter) {
    CN_RECORD(cn_shape_set_custom_filter, world, shape, custom_filter);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_not_terrain(&world->sim, slot))) return false;
    cn_simulation *sim = &world->sim;
    if (custom_filter == !!(sim->shapes[slot].flags & CN_SHAPE_CUSTOM_FILTER)) return true;
    cn_set_flag(&sim->shapes[slot].flags, CN_SHAPE_CUSTOM_FILTER, custom_filter);
    recreate_pairs(sim, slot);
    return true;
}

bool cn_shape_set_no_collision(cn_world *world, cn_shape shape, bool no_collision) {
    CN_RECORD(cn_shape_set_no_collision, world, shape, no_collision);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_not_terrain(&world->sim, slot))) return false;
    cn_simulation *sim = &world->sim;
    if (no_collision == !!(sim->shapes[slot].flags & CN_SHAPE_NO_COLLISION)) return true;
    cn_set_flag(&sim->shapes[slot].flags, CN_SHAPE_NO_COLLISION, no_collision);
    recreate_pairs(sim, slot);
    return true;
}

// The contacts go on, with another row type. The shape may join other neighbours than before.
bool cn_shape_set_pre_solve(cn_world *world, cn_shape shape, bool pre_solve) {
    CN_RECORD(cn_shape_set_pre_solve, world, shape, pre_solve);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_not_terrain(&world->sim, slot))) return false;
    cn_simulation *sim = &world->sim;
    if (pre_solve == !!(sim->shapes[slot].flags & CN_SHAPE_PRE_SOLVE)) return true;
    cn_set_flag(&sim->shapes[slot].flags, CN_SHAPE_PRE_SOLVE, pre_solve);
    cn_forget_surfaces_around(sim, slot);
    cn_remake_contacts(sim, slot);
    return true;
}

bool cn_shape_set_one_way(cn_world *world, cn_shape shape, vec2s direction) {
    CN_RECORD(cn_shape_set_one_way, world, shape, direction);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    bool sensor = sim->shapes[slot].flags & CN_SHAPE_SENSOR;
    if (!CN_CHECK(cn_require_not_terrain(sim, slot) &&
                  cn_require2("one-way direction", direction, FLT_MAX) &&
                  require_solid_one_way(sensor, direction) && cn_make_rare(sim, slot)))
        return false;
    if (glms_vec2_eqv(sim->rare[slot].one_way, direction)) return true;
    cn_store_one_way(sim, slot, direction);
    recreate_pairs(sim, slot);
    return true;
}

// True if the shape may become solid.
static bool require_solid(const cn_simulation *sim, int shape) {
    CN_EACH_PART(part) {
        if (part->check_solid && !part->check_solid(sim, shape)) return false;
    }
    return true;
}

bool cn_shape_set_sensor(cn_world *world, cn_shape shape, bool sensor) {
    CN_RECORD(cn_shape_set_sensor, world, shape, sensor);
    int slot = cn_edit_shape(world, shape, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    if (!CN_CHECK(cn_require_not_terrain(sim, slot) && (sensor || require_solid(sim, slot)) &&
                  require_solid_one_way(sensor, cn_rare_of(sim, slot)->one_way) &&
                  (!sensor || cn_reserve_sensors(sim, 1))))
        return false;
    if (sensor == !!(sim->shapes[slot].flags & CN_SHAPE_SENSOR)) return true;
    cn_store_sensor(sim, slot, sensor);
    recreate_pairs(sim, slot);
    return true;
}

bool cn_shape_set_user_data(cn_world *world, cn_shape shape, uint64_t user_data) {
    CN_RECORD(cn_shape_set_user_data, world, shape, user_data);
    int slot = cn_edit_shape(world, shape, __func__);
    return slot >= 0 && CN_CHECK(cn_require_not_terrain(&world->sim, slot) &&
                                 cn_set_user_data(&world->sim, CN_SHAPES, slot, user_data));
}
