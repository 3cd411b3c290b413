/* What shapes are, and questions to a single one. Answers are in the world or in the body's frame,
 * as cairn.h says; in the body's frame a shape is its hull. */
#include "world.h"

// ---- properties

static cn_material material_of(const cn_simulation *sim, int shape) {
    const cn_shape_warm *warm = &sim->shapes[shape];
    const cn_shape_rare *rare = cn_rare_of(sim, shape);
    return (cn_material){sim->links[shape].friction, warm->restitution,
                         warm->flags & CN_SHAPE_FRICTIONLESS, rare->rolling_resistance,
                         rare->surface_speed};
}

CN_GETTER(cn_body, cn_shape_body, shape, cn_body_handle(world, sim->links[slot].body))
CN_GETTER(float, cn_shape_density, shape, sim->shapes[slot].density)
CN_GETTER(cn_material, cn_shape_material, shape, material_of(sim, slot))
CN_GETTER(cn_filter, cn_shape_filter, shape, cn_rare_of(sim, slot)->filter)
CN_GETTER(bool, cn_shape_sensor, shape, sim->shapes[slot].flags &CN_SHAPE_SENSOR)
CN_GETTER(vec2s, cn_shape_one_way, shape, cn_rare_of(sim, slot)->one_way)
CN_GETTER(bool, cn_shape_hit_events, shape, sim->shapes[slot].flags &CN_SHAPE_HIT_EVENTS)
CN_GETTER(bool, cn_shape_touch_events, shape, !(sim->shapes[slot].flags & CN_SHAPE_SILENT))
CN_GETTER(uint64_t, cn_shape_user_data, shape, cn_user_data(sim, CN_SHAPES, slot))
CN_GETTER(cn_bounds, cn_shape_bounds, shape,
          cn_placed_bounds(&sim->placed[slot], sim->hulls.hulls8))

cn_hull cn_shape_hull(const cn_world *world, cn_shape shape) {
    int slot = cn_find_shape(world, shape, __func__);
    return slot < 0 ? (cn_hull){.failure = cn_keep_error()} : cn_hull_of(&world->sim, slot);
}

// ---- questions

int cn_shape_overlaps(const cn_world *world, cn_shape shape, cn_shape *shapes, int capacity) {
    CN_READ(shape, cn_require_room(shapes, capacity), 0);
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
    CN_READ(shape, cn_require2("point", point, FLT_MAX), false);
    cn_hull hull = cn_hull_of(sim, slot);
    cn_pose pose = cn_origin_pose(sim, sim->links[slot].body);
    return cn_hull_contains(&hull, cn_to_local(pose, point));
}

cn_ray_hit cn_shape_cast_ray(const cn_world *world, cn_shape shape, vec2s origin,
                             vec2s translation) {
    CN_READ(shape,
            cn_require2("origin", origin, FLT_MAX) &&
                cn_require2("translation", translation, FLT_MAX),
            (cn_ray_hit){0});
    cn_hull hull = cn_hull_of(sim, slot);
    cn_pose pose = cn_origin_pose(sim, sim->links[slot].body);
    vec2s local_translation = cn_unrotate(pose.rotation, translation);
    cn_ray_hit hit = cn_hull_cast_ray(&hull, cn_to_local(pose, origin), local_translation);
    if (!hit.hit) return hit;
    hit.point = cn_to_world(pose, hit.point);
    hit.normal = cn_rotate(pose.rotation, hit.normal);
    return hit;
}
