/* Properties of shapes, and queries of a single shape. Results are in world coordinates or in the
 * frame of the body, as cairn.h says. The hull of a shape is in the frame of the body. */
#include "world.h"

// ---- properties

cn_material cn_material_of(const cn_simulation *sim, int shape) {
    const cn_shape_warm *warm = &sim->shapes[shape];
    const cn_shape_rare *rare = cn_rare_of(sim, shape);
    return (cn_material){sim->links[shape].friction,
                         warm->restitution,
                         warm->flags & CN_SHAPE_FRICTIONLESS,
                         rare->rolling_resistance,
                         rare->surface_speed,
                         rare->min_bounce_speed,
                         cn_mix_in(warm->flags, CN_SHAPE_FRICTION_MIX),
                         cn_mix_in(warm->flags, CN_SHAPE_RESTITUTION_MIX)};
}

cn_body cn_shape_body(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? (cn_body){0} : cn_body_handle(world, world->sim.links[slot].body);
}

float cn_shape_density(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? 0 : world->sim.shapes[slot].density;
}

cn_material cn_shape_material(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? (cn_material){0} : cn_material_of(&world->sim, slot);
}

cn_filter cn_shape_filter(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? (cn_filter){0} : cn_rare_of(&world->sim, slot)->filter;
}

bool cn_shape_no_collision(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot >= 0 && (world->sim.shapes[slot].flags & CN_SHAPE_NO_COLLISION);
}

bool cn_shape_sensor(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot >= 0 && (world->sim.shapes[slot].flags & CN_SHAPE_SENSOR);
}

vec2s cn_shape_one_way(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? cn_vec(0, 0) : cn_rare_of(&world->sim, slot)->one_way;
}

bool cn_shape_hit_events(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot >= 0 && (world->sim.shapes[slot].flags & CN_SHAPE_HIT_EVENTS);
}

bool cn_shape_no_touch_events(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot >= 0 && (world->sim.shapes[slot].flags & CN_SHAPE_SILENT);
}

bool cn_shape_custom_filter(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot >= 0 && (world->sim.shapes[slot].flags & CN_SHAPE_CUSTOM_FILTER);
}

bool cn_shape_pre_solve(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot >= 0 && (world->sim.shapes[slot].flags & CN_SHAPE_PRE_SOLVE);
}

uint64_t cn_shape_user_data(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? 0 : cn_user_data(&world->sim, CN_SHAPES, slot);
}

cn_bounds cn_shape_bounds(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    if (slot < 0) return (cn_bounds){0};
    return cn_placed_bounds(&world->sim.placed[slot], world->sim.hulls.hulls8);
}

cn_hull cn_shape_hull(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? (cn_hull){.failure = cn_keep_error()} : cn_hull_of(&world->sim, slot);
}

// ---- bounds of bodies and worlds

// Extends a box by the shapes of a body. Grids of tiles are whole, with or without shapes.
static void add_bounds(const cn_simulation *sim, int body, cn_bounds *bounds) {
    CN_EACH_SHAPE(i, sim, body) {
        if (cn_is_terrain(sim, i)) continue;
        *bounds = cn_box_union(*bounds, cn_placed_bounds(&sim->placed[i], sim->hulls.hulls8));
    }
    CN_EACH_PART(part) {
        if (part->add_bounds) part->add_bounds(sim, body, bounds);
    }
}

static const cn_bounds no_bounds = {{{FLT_MAX, FLT_MAX}}, {{-FLT_MAX, -FLT_MAX}}};

static bool is_empty(cn_bounds bounds) { return bounds.lower.x > bounds.upper.x; }

cn_bounds cn_body_bounds(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return (cn_bounds){0};
    cn_bounds bounds = no_bounds;
    add_bounds(&world->sim, slot, &bounds);
    vec2s position = cn_settled_pose(&world->sim, slot).position;
    return is_empty(bounds) ? (cn_bounds){position, position} : bounds;
}

cn_bounds cn_world_bounds(const cn_world *world) {
    if (!cn_check_world(world, __func__)) return (cn_bounds){0};
    const cn_simulation *sim = &world->sim;
    cn_bounds bounds = no_bounds;
    CN_EACH(CN_BODIES, i, sim) add_bounds(sim, i, &bounds);
    return is_empty(bounds) ? (cn_bounds){0} : bounds;
}

// ---- questions

int cn_sensor_shapes(const cn_world *world, cn_shape shape, cn_shape *shapes, int capacity) {
    int slot = cn_find_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(cn_require_capacity(shapes, capacity))) return 0;
    const cn_simulation *sim = &world->sim;
    const cn_key_list *overlaps = &sim->overlaps;
    int count = 0, i = cn_find_key(overlaps->items, overlaps->count, (uint64_t)slot << 32);
    for (; i < overlaps->count && (int)(overlaps->items[i] >> 32) == slot; i++) {
        int other = (int)(uint32_t)overlaps->items[i];
        if (!cn_is_alive(sim, CN_SHAPES, other)) continue;
        if (count < capacity) shapes[count] = cn_shape_handle(world, other);
        count++;
    }
    return count;
}

bool cn_shape_contains(const cn_world *world, cn_shape shape, vec2s point) {
    int slot = cn_find_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(cn_require2("point", point, FLT_MAX))) return false;
    const cn_simulation *sim = &world->sim;
    cn_hull hull = cn_hull_of(sim, slot);
    cn_pose pose = cn_settled_pose(sim, sim->links[slot].body);
    return cn_hull_contains(hull, cn_to_local(pose, point));
}

vec2s cn_shape_closest_point(const cn_world *world, cn_shape shape, vec2s point) {
    int slot = cn_find_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(cn_require2("point", point, FLT_MAX))) return cn_vec(0, 0);
    const cn_simulation *sim = &world->sim;
    const cn_hull hull = cn_hull_of(sim, slot), dot = {.count = 1};
    cn_pose pose = cn_settled_pose(sim, sim->links[slot].body);
    cn_gapd gap = cn_make_resting_pair(&dot, (cn_pose){point, {1, 0}}, &hull, pose).gap;
    if (gap.distance <= 0) return point;
    return cn_narrow(cn_add_scaled(gap.b, 1, cn_widen(point)));
}

cn_ray_hit cn_shape_cast_ray(const cn_world *world, cn_shape shape, vec2s origin,
                             vec2s translation) {
    int slot = cn_find_shape(world, shape, __func__);
    if (slot < 0 || !CN_CHECK(cn_require2("origin", origin, FLT_MAX) &&
                              cn_require2("translation", translation, FLT_MAX)))
        return (cn_ray_hit){0};
    const cn_simulation *sim = &world->sim;
    cn_hull hull = cn_hull_of(sim, slot);
    cn_pose pose = cn_settled_pose(sim, sim->links[slot].body);
    vec2s local_translation = cn_unrotate(pose.rotation, translation);
    cn_ray_hit hit = cn_hull_cast_ray(hull, cn_to_local(pose, origin), local_translation);
    if (!hit.hit) return hit;
    hit.point = cn_to_world(pose, hit.point);
    hit.normal = cn_rotate(pose.rotation, hit.normal);
    return hit;
}
