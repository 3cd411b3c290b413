/* Iteration, bulk reads, energy, counters. All loops are in slot order. */
#include "world.h"

// ---- iteration

// True if an object that belongs to the body `owner` belongs to `body`.
static bool belongs_to(const char *what, int slot, int owner, int body) {
    return owner == body || cn_fail(CN_ERROR_HANDLE, "%s %d belongs to body %d, not to body %d",
                                    what, slot, owner, body);
}

static bool holds_body(const cn_simulation *sim, int joint, int body) {
    return cn_joint_has_body(sim, joint, body) ||
           cn_fail(CN_ERROR_HANDLE, "joint %d is not attached to body %d", joint, body);
}

cn_body cn_world_next_body(const cn_world *world, cn_body previous) {
    return cn_body_handle(world, cn_slot_after(world, CN_BODIES, previous.id, __func__));
}

cn_shape cn_world_next_shape(const cn_world *world, cn_shape previous) {
    return cn_shape_handle(world, cn_slot_after(world, CN_SHAPES, previous.id, __func__));
}

cn_shape cn_body_next_shape(const cn_world *world, cn_body body, cn_shape previous) {
    const cn_shape none = {0};
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return none;
    const cn_simulation *sim = &world->sim;
    int last = previous.id ? cn_find_shape(world, previous, __func__) : -1;
    if (previous.id &&
        (last < 0 || !CN_CHECK(belongs_to("shape", last, sim->links[last].body, slot))))
        return none;
    int next = last < 0 ? sim->warm[slot].first_shape : sim->shapes[last].next;
    while (next >= 0 && cn_is_terrain(sim, next)) next = sim->shapes[next].next;
    return cn_shape_handle(world, next);
}

cn_joint cn_world_next_joint(const cn_world *world, cn_joint previous) {
    return cn_joint_handle(world, cn_slot_after(world, CN_JOINTS, previous.id, __func__));
}

cn_joint cn_body_next_joint(const cn_world *world, cn_body body, cn_joint previous) {
    const cn_joint none = {0};
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return none;
    const cn_simulation *sim = &world->sim;
    int last = previous.id ? cn_find_joint(world, previous, __func__) : -1;
    if (previous.id && (last < 0 || !CN_CHECK(holds_body(sim, last, slot)))) return none;
    return cn_joint_handle(world,
                           last < 0 ? sim->first_joint[slot] : cn_joint_next(sim, last, slot));
}

cn_chain cn_world_next_chain(const cn_world *world, cn_chain previous) {
    return cn_chain_handle(world, cn_slot_after(world, CN_CHAINS, previous.id, __func__));
}

// The next chain begins behind the last segment of the previous one.
cn_chain cn_body_next_chain(const cn_world *world, cn_body body, cn_chain previous) {
    const cn_chain none = {0};
    int slot = cn_find_body(world, body, __func__);
    if (slot < 0) return none;
    const cn_simulation *sim = &world->sim;
    int last = previous.id ? cn_find_chain(world, previous, __func__) : -1;
    if (previous.id &&
        (last < 0 || !CN_CHECK(belongs_to("chain", last, sim->chains[last].body, slot))))
        return none;
    int shape = last < 0 ? sim->warm[slot].first_shape : sim->shapes[sim->chains[last].last].next;
    while (shape >= 0 && cn_rare_of(sim, shape)->chain < 0) shape = sim->shapes[shape].next;
    return cn_chain_handle(world, shape < 0 ? -1 : cn_rare_of(sim, shape)->chain);
}

// ---- all bodies

int cn_world_body_states(const cn_world *world, cn_body_state *states, int capacity, bool drawn) {
    if (!cn_check_world(world, __func__) || !CN_CHECK(cn_require_capacity(states, capacity)))
        return 0;
    const cn_simulation *sim = &world->sim;
    int count = 0;
    CN_EACH(CN_BODIES, i, sim) {
        if (count == capacity) break;
        cn_pose pose = drawn ? cn_drawn_pose(world, i) : cn_settled_pose(sim, i);
        states[count++] = (cn_body_state){cn_body_handle(world, i), cn_user_data(sim, CN_BODIES, i),
                                          pose, !cn_body_is_awake(sim, i)};
    }
    return sim->slots[CN_BODIES].count;
}

int cn_world_poses(const cn_world *world, cn_pose *poses, int capacity, bool drawn) {
    if (!cn_check_world(world, __func__) || !CN_CHECK(cn_require_capacity(poses, capacity)))
        return 0;
    const cn_simulation *sim = &world->sim;
    int end = sim->slots[CN_BODIES].end;
    if (capacity) memset(poses, 0, (size_t)cn_min_int(capacity, end) * sizeof *poses);
    CN_EACH(CN_BODIES, i, sim) {
        if (i >= capacity) break;
        poses[i] = drawn ? cn_drawn_pose(world, i) : cn_settled_pose(sim, i);
    }
    return end;
}

// ---- energy

static void add_energy(cn_energy *sum, const cn_simulation *sim, int body) {
    const cn_body_hot hot = cn_settled_body(sim, body);
    const cn_mass_data mass = cn_settled_mass(sim, body).mass;
    double m = (double)mass.mass, inertia = (double)mass.inertia;
    double x = (double)hot.x + (double)hot.low_x, y = (double)hot.y + (double)hot.low_y;
    double vx = (double)hot.vx, vy = (double)hot.vy, w = (double)hot.w;
    double gx = (double)sim->gravity.x, gy = (double)sim->gravity.y;

    sum->kinetic += 0.5 * (m * (vx * vx + vy * vy) + inertia * w * w);
    sum->potential -= m * (double)hot.gravity_scale * (gx * x + gy * y);
    sum->momentum_x += m * vx;
    sum->momentum_y += m * vy;
    sum->angular += m * (x * vy - y * vx) + inertia * w;
}

cn_energy cn_world_energy(const cn_world *world) {
    cn_energy sum = {0};
    if (!cn_check_world(world, __func__)) return sum;
    const cn_simulation *sim = &world->sim;
    CN_EACH(CN_BODIES, i, sim) {
        if (cn_is_dynamic(&sim->hot[i])) add_energy(&sum, sim, i);
    }
    return sum;
}

// ---- counters

cn_counters cn_world_counters(const cn_world *world) {
    if (!cn_check_world(world, __func__)) return (cn_counters){0};
    const cn_simulation *sim = &world->sim;
    cn_close_gaps((cn_simulation *)sim); // no world is a const object
    cn_counters counters = {
        .bodies = sim->slots[CN_BODIES].count,
        .shapes = sim->slots[CN_SHAPES].count - sim->terrain_shape_count,
        .joints = sim->slots[CN_JOINTS].count,
        .contacts = sim->touching.count,
        .touching = sim->touching.count,
        .islands = sim->solved_islands,
        .sleeping_islands = sim->sleeping_count,
        .lanes = sim->kernels->lanes,
        .steps = world->sim.steps,
        .bytes = world->memory.bytes + sim->memory.bytes,
        .allocations = world->memory.calls + sim->memory.calls,
    };
    for (const cn_attachment *a = world->attachments; a; a = a->next) {
        counters.bytes += a->memory.bytes;
        counters.allocations += a->memory.calls;
    }
    CN_EACH(CN_BODIES, i, sim) counters.awake_bodies += cn_body_is_awake(sim, i);
    for (int i = 0; i < CN_CLASS_COUNT; i++) counters.contacts += sim->apart[i].count;
    for (int i = 0; i < sim->sleeping_end; i++)
        if (sim->sleeping_islands[i].alive)
            counters.sleeping_touching += sim->sleeping_islands[i].contacts.count;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        if (!batch->alive) continue;
        counters.batches++;
        counters.colors += batch->colors.count;
    }
    return counters;
}
