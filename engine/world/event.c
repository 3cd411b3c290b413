/* The events of the last step.
 *
 * The step takes short notes: slots of shapes and bodies, and a few numbers. Only when they are
 * asked for are they written out with handles and user data, from slots that stay as they were even
 * if their object has gone (see cn_slot_queue in world.h). */
#include "world.h"

cn_side cn_side_of(const cn_world *world, int shape) {
    const cn_simulation *sim = &world->sim;
    int body = sim->links[shape].body;
    cn_tile_name name = cn_rare_of(sim, shape)->tile;
    return (cn_side){.body = {cn_id_of(world, CN_BODIES, body)},
                     .shape = {cn_id_of(world, CN_SHAPES, shape)},
                     .body_user_data = cn_user_data(sim, CN_BODIES, body),
                     .shape_user_data = cn_user_data(sim, CN_SHAPES, shape),
                     .tiles = {cn_id_of(world, CN_GRIDS, name.grid)},
                     .tile = name.tile};
}

// ---- events

// Writes an event for every note `n` of a list of the simulation, and tells where they are.
#define WRITE_EVENTS(notes, row, row_count, ...)                                                   \
    done = done && cn_reserve(&sim->memory, &world->row, sim->notes.count);                        \
    for (int i = 0; done && i < sim->notes.count; i++) {                                           \
        const __typeof__(*sim->notes.items) *n = &sim->notes.items[i];                             \
        world->row.items[i] = (__typeof__(*world->row.items)){__VA_ARGS__};                        \
    }                                                                                              \
    events.row = world->row.items, events.row_count = sim->notes.count;
#define SIDE_A cn_side_of(world, n->shape_a)
#define SIDE_B cn_side_of(world, n->shape_b)

cn_events cn_world_events(cn_world *world) {
    if (!cn_edit_world(world, __func__)) return (cn_events){0};
    cn_simulation *sim = &world->sim;
    cn_events events = {.broken = world->broken, .broken_count = world->broken_count};
    bool done = true;
    WRITE_EVENTS(begins, begins, begin_count, SIDE_A, SIDE_B, n->point, n->normal)
    WRITE_EVENTS(ends, ends, end_count, .a = SIDE_A, .b = SIDE_B)
    WRITE_EVENTS(hits, hits, hit_count, SIDE_A, SIDE_B, n->point, n->normal, n->approach_speed,
                 n->impulse)
    WRITE_EVENTS(notes, bodies, body_count, cn_body_handle(world, n->body),
                 cn_user_data(sim, CN_BODIES, n->body), n->change)
    WRITE_EVENTS(seen, sensor_begins, sensor_begin_count, SIDE_A, SIDE_B)
    WRITE_EVENTS(lost, sensor_ends, sensor_end_count, SIDE_A, SIDE_B)
    done = done && cn_write_moves(world, &events);
    return CN_CHECK(done) ? events : (cn_events){0};
}

// ---- callbacks

static bool call_filter(void *context, int shape_a, int shape_b) {
    cn_world *world = context;
    world->in_callback = true;
    bool collide = world->callbacks.filter(world, cn_shape_handle(world, shape_a),
                                           cn_shape_handle(world, shape_b), world->callbacks.user);
    world->in_callback = false;
    return collide;
}

static bool call_pre_solve(void *context, int slot) {
    cn_world *world = context;
    const cn_touching_rows *touching = &world->sim.touching;
    const cn_contact_ref ref = {&touching->records[slot], &touching->anchors[slot]};
    cn_contact contact = cn_contact_of(world, ref);
    world->in_callback = true;
    bool act = world->callbacks.pre_solve(world, &contact, world->callbacks.user);
    world->in_callback = false;
    return act;
}

// Where callbacks may refuse pairs the ground is another (ground.c).
bool cn_world_set_callbacks(cn_world *world, cn_callbacks callbacks) {
    if (!cn_edit_world(world, __func__)) return false;
    cn_simulation *sim = &world->sim;
    bool refused = sim->filter || sim->pre_solve;
    world->callbacks = callbacks;
    sim->callback_context = world;
    sim->filter = callbacks.filter ? call_filter : NULL;
    sim->pre_solve = callbacks.pre_solve ? call_pre_solve : NULL;
    bool refuses = sim->filter || sim->pre_solve;
    CN_EACH(CN_SHAPES, i, sim) if (refuses != refused) cn_forget_surface(sim, i);
    return true;
}
