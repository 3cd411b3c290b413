/* What shapes are, and questions to a single one. Answers are in the world or in the body's frame,
 * as cairn.h says; in the body's frame a shape is its hull. */
#include "world.h"

// ---- properties

cn_body cn_shape_body(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? (cn_body){0} : cn_body_handle(world, world->sim.links[slot].body);
}

cn_hull cn_shape_hull(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? (cn_hull){0} : cn_hull_of(&world->sim, slot);
}

float cn_shape_density(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? 0 : world->sim.shapes[slot].density;
}

cn_material cn_shape_material(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    if (slot < 0) return (cn_material){0};
    const cn_shape_warm *local = &world->sim.shapes[slot];
    return (cn_material){world->sim.links[slot].friction, local->restitution,
                         local->flags & CN_SHAPE_FRICTIONLESS};
}

cn_filter cn_shape_filter(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? (cn_filter){0} : world->sim.shapes[slot].filter;
}

bool cn_shape_hit_events(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot >= 0 && world->sim.shapes[slot].flags & CN_SHAPE_HIT_EVENTS;
}

uint64_t cn_shape_user_data(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? 0 : world->sim.shape_cold[slot].user_data;
}

// ---- questions

static cn_pose pose_of(const cn_simulation *sim, int shape) {
    return cn_origin_pose(sim, sim->links[shape].body);
}

cn_bounds cn_shape_bounds(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    if (slot < 0) return (cn_bounds){0};
    cn_hull_store store = cn_store(&world->sim);
    return cn_placed_bounds(&store, &world->sim.placed[slot]);
}

bool cn_shape_contains(const cn_world *world, cn_shape shape, vec2s point) {
    int slot = cn_find_shape(world, shape, __func__);
    if (slot < 0 || !cn_check_finite2(point, "point", __func__)) return false;
    cn_hull hull = cn_hull_of(&world->sim, slot);
    return cn_hull_contains(&hull, cn_to_local(pose_of(&world->sim, slot), point));
}

cn_ray_hit cn_shape_cast_ray(const cn_world *world, cn_shape shape, vec2s origin,
                             vec2s translation) {
    int slot = cn_find_shape(world, shape, __func__);
    if (slot < 0 || !cn_check_finite2(origin, "origin", __func__) ||
        !cn_check_finite2(translation, "translation", __func__))
        return (cn_ray_hit){0};
    cn_hull hull = cn_hull_of(&world->sim, slot);
    cn_pose pose = pose_of(&world->sim, slot);
    cn_ray_hit hit =
        cn_hull_cast_ray(&hull, cn_to_local(pose, origin), cn_unrotate(pose.rotation, translation));
    if (!hit.hit) return hit;
    hit.point = cn_to_world(pose, hit.point);
    hit.normal = cn_rotate(pose.rotation, hit.normal);
    return hit;
}
