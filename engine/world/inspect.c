/* Looking inside: iteration, all bodies at once, energy, counters. Everything goes in slot order.
 */
#include "world.h"

// ---- iteration

cn_body cn_world_next_body(const cn_world *world, cn_body previous) {
    const cn_body none = {0};
    if (!CN_CHECK(cn_require_pointer("world", world))) return none;
    int slot = previous.id == 0 ? -1 : cn_find_body(world, previous, __func__);
    if (slot < 0 && previous.id != 0) return none;
    while (++slot < world->sim.body_end)
        if (cn_is_body(&world->sim, slot)) return cn_body_handle(world, slot);
    return none;
}

cn_shape cn_world_next_shape(const cn_world *world, cn_shape previous) {
    const cn_shape none = {0};
    if (!CN_CHECK(cn_require_pointer("world", world))) return none;
    int slot = previous.id == 0 ? -1 : cn_find_shape(world, previous, __func__);
    if (slot < 0 && previous.id != 0) return none;
    while (++slot < world->sim.shape_end)
        if (cn_is_shape(&world->sim, slot)) return cn_shape_handle(world, slot);
    return none;
}

cn_shape cn_body_next_shape(const cn_world *world, cn_body body, cn_shape previous) {
    const cn_shape none = {0};
    int owner = cn_find_body(world, body, __func__);
    if (owner < 0) return none;
    int next = world->sim.warm[owner].first_shape;
    if (previous.id != 0) {
        int slot = cn_find_shape(world, previous, __func__);
        if (slot < 0) return none;
        if (world->sim.links[slot].body != owner) {
            cn_fail(CN_ERROR_HANDLE, "%s: shape %d is of body %d, not of %d", __func__, slot,
                    world->sim.links[slot].body, owner);
            return none;
        }
        next = world->sim.shapes[slot].next;
    }
    return next < 0 ? none : cn_shape_handle(world, next);
}

// ---- all bodies

static cn_body_state state_of(const cn_world *world, int slot, bool drawn) {
    return (cn_body_state){
        .body = cn_body_handle(world, slot),
        .user_data = world->sim.cold[slot].user_data,
        .pose = drawn ? cn_drawn_pose(world, slot) : cn_origin_pose(&world->sim, slot),
        .awake = cn_body_is_awake(&world->sim, slot),
    };
}

int cn_world_bodies(const cn_world *world, cn_body_state *states, int capacity, bool drawn) {
    if (!CN_CHECK(cn_require_pointer("world", world) && cn_require_room(states, capacity)))
        return 0;
    int count = 0;
    for (int i = 0; i < world->sim.body_end && count < capacity; i++)
        if (cn_is_body(&world->sim, i)) states[count++] = state_of(world, i, drawn);
    return world->sim.body_count;
}

// ---- energy

static void add_energy(cn_energy *sum, const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    double m = (double)sim->warm[body].mass, inertia = (double)sim->warm[body].inertia;
    double x = (double)hot->x + (double)hot->low_x, y = (double)hot->y + (double)hot->low_y;
    double vx = (double)hot->vx, vy = (double)hot->vy, w = (double)hot->w;
    double gx = (double)sim->gravity.x, gy = (double)sim->gravity.y;

    sum->kinetic += 0.5 * (m * (vx * vx + vy * vy) + inertia * w * w);
    sum->potential -= m * (double)hot->gravity_scale * (gx * x + gy * y);
    sum->momentum_x += m * vx;
    sum->momentum_y += m * vy;
    sum->angular += m * (x * vy - y * vx) + inertia * w;
}

cn_energy cn_world_energy(const cn_world *world) {
    cn_energy sum = {0};
    if (!CN_CHECK(cn_require_pointer("world", world))) return sum;
    for (int i = 0; i < world->sim.body_end; i++)
        if (cn_is_body(&world->sim, i) && cn_is_dynamic(&world->sim.hot[i]))
            add_energy(&sum, &world->sim, i);
    return sum;
}

// ---- counters

static int count_awake(const cn_simulation *sim) {
    int count = 0;
    for (int i = 0; i < sim->body_end; i++) count += cn_is_body(sim, i) && cn_body_is_awake(sim, i);
    return count;
}

static int count_sleeping_touching(const cn_simulation *sim) {
    int count = 0;
    for (int i = 0; i < sim->sleeper_end; i++)
        if (sim->sleepers[i].alive) count += sim->sleepers[i].touching_count;
    return count;
}

static void count_plan(cn_counters *counters, const cn_plan *plan) {
    for (int i = 0; i < plan->batch_count; i++) {
        if (!plan->batches[i].alive) continue;
        counters->batches++;
        counters->islands += plan->batches[i].island_count;
        counters->colors += plan->batches[i].color_count;
    }
}

cn_counters cn_world_counters(const cn_world *world) {
    if (!CN_CHECK(cn_require_pointer("world", world))) return (cn_counters){0};
    const cn_simulation *sim = &world->sim;
    cn_counters counters = {
        .bodies = sim->body_count,
        .awake_bodies = count_awake(sim),
        .shapes = sim->shape_count,
        .contacts = sim->touching.count,
        .touching = sim->touching.count,
        .sleeping_touching = count_sleeping_touching(sim),
        .sleeping_islands = sim->sleeper_count,
        .lanes = sim->kernels->lanes,
        .steps = world->steps,
        .bytes = sim->memory.bytes,
        .allocations = sim->memory.calls,
    };
    for (int i = 0; i < CN_CLASS_COUNT; i++) counters.contacts += sim->apart[i].count;
    count_plan(&counters, &sim->plan);
    return counters;
}
