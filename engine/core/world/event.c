/* The events of the last step.
 *
 * A step records events in a short form: slots of shapes and bodies, and a few numbers.
 * cn_world_events() writes them out with handles and user data. A slot keeps its user data for a
 * while after its object was destroyed: see cn_slot_queue in dynamics/model/rows.h. */
#include "world.h"

cn_side cn_side_of(const cn_world *world, int shape) {
    const cn_simulation *sim = &world->sim;
    int body = sim->links[shape].body;
    const cn_shape_rare *rare = cn_rare_of(sim, shape);
    return (cn_side){.body = cn_body_handle(world, body),
                     .shape = cn_shape_handle(world, shape),
                     .body_user_data = cn_user_data(sim, CN_BODIES, body),
                     .shape_user_data = cn_user_data(sim, CN_SHAPES, shape),
                     .grid = cn_grid_handle(world, rare->terrain.owner),
                     .tile = rare->terrain.piece,
                     .chain = cn_chain_handle(world, rare->chain),
                     .segment = rare->segment};
}

// ---- events

static bool reserve_events(cn_world *world) {
    cn_simulation *sim = &world->sim;
    return cn_reserve(&world->memory, &world->begins, sim->begins.count) &&
           cn_reserve(&world->memory, &world->ends, sim->ends.count) &&
           cn_reserve(&world->memory, &world->hits, sim->hits.count) &&
           cn_reserve(&world->memory, &world->bodies, sim->body_events.count) &&
           cn_reserve(&world->memory, &world->sensor_begins, sim->sensor_begins.count) &&
           cn_reserve(&world->memory, &world->sensor_ends, sim->sensor_ends.count) &&
           cn_reserve(&world->memory, &world->broken, sim->broken_count);
}

static void write_touch_events(cn_world *world) {
    const cn_simulation *sim = &world->sim;
    for (int i = 0; i < sim->begins.count; i++) {
        const cn_contact_event_row *row = &sim->begins.items[i];
        cn_side a = cn_side_of(world, row->shape_a), b = cn_side_of(world, row->shape_b);
        world->begins.items[i] = (cn_touch_event){a, b, row->point, row->normal};
    }
    for (int i = 0; i < sim->ends.count; i++) {
        const cn_shape_pair_row *row = &sim->ends.items[i];
        cn_side a = cn_side_of(world, row->shape_a), b = cn_side_of(world, row->shape_b);
        world->ends.items[i] = (cn_touch_event){.a = a, .b = b};
    }
}

static void write_hit_events(cn_world *world) {
    const cn_simulation *sim = &world->sim;
    for (int i = 0; i < sim->hits.count; i++) {
        const cn_contact_event_row *row = &sim->hits.items[i];
        cn_side a = cn_side_of(world, row->shape_a), b = cn_side_of(world, row->shape_b);
        world->hits.items[i] =
            (cn_hit_event){a, b, row->point, row->normal, row->approach_speed, row->impulse};
    }
}

static void write_body_events(cn_world *world) {
    const cn_simulation *sim = &world->sim;
    for (int i = 0; i < sim->body_events.count; i++) {
        int body = sim->body_events.items[i].body;
        world->bodies.items[i] =
            (cn_body_event){cn_body_handle(world, body), cn_user_data(sim, CN_BODIES, body),
                            sim->body_events.items[i].change};
    }
}

static void write_sensor_events(const cn_world *world, const cn_shape_pair_row *rows, int count,
                                cn_sensor_event *events) {
    for (int i = 0; i < count; i++) {
        cn_side sensor = cn_side_of(world, rows[i].shape_a);
        events[i] = (cn_sensor_event){sensor, cn_side_of(world, rows[i].shape_b)};
    }
}

// A broken joint was destroyed in the step. Its slot still has its definition.
static void write_joint_events(cn_world *world) {
    const cn_simulation *sim = &world->sim;
    for (int i = 0; i < sim->broken_count; i++) {
        const cn_break_event_row *row = &sim->broken[i];
        world->broken.items[i] =
            (cn_joint_event){cn_joint_handle(world, row->joint),
                             sim->joints[row->joint].def.user_data, row->force, row->torque};
    }
}

cn_events cn_world_events(cn_world *world) {
    if (!cn_edit_world(world, __func__)) return (cn_events){0};
    if (!CN_CHECK(reserve_events(world))) return (cn_events){0};
    const cn_simulation *sim = &world->sim;
    write_touch_events(world);
    write_hit_events(world);
    write_body_events(world);
    write_joint_events(world);
    write_sensor_events(world, sim->sensor_begins.items, sim->sensor_begins.count,
                        world->sensor_begins.items);
    write_sensor_events(world, sim->sensor_ends.items, sim->sensor_ends.count,
                        world->sensor_ends.items);
    cn_events events = {
        .begins = world->begins.items,
        .ends = world->ends.items,
        .hits = world->hits.items,
        .bodies = world->bodies.items,
        .sensor_begins = world->sensor_begins.items,
        .sensor_ends = world->sensor_ends.items,
        .broken = world->broken.items,
        .begin_count = sim->begins.count,
        .end_count = sim->ends.count,
        .hit_count = sim->hits.count,
        .body_count = sim->body_events.count,
        .sensor_begin_count = sim->sensor_begins.count,
        .sensor_end_count = sim->sensor_ends.count,
        .broken_count = sim->broken_count,
    };
    return CN_CHECK(cn_write_moves(world, &events)) ? events : (cn_events){0};
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

static void change_values(cn_contact_values *values, const cn_pre_solve_result *result) {
    values->friction = cn_max(result->friction, 0); // never -0
    values->restitution = cn_max(result->restitution, 0);
    values->surface_speed = result->surface_speed;
}

static bool check_values(const cn_pre_solve_result *result) {
    float friction = result->friction, restitution = result->restitution;
    if (result->changed)
        return cn_require_contact_values(friction, restitution, result->surface_speed);
    return (friction == 0 && restitution == 0 && result->surface_speed == 0) ||
           cn_fail(CN_ERROR_STATE, "the result has values without effect: set .changed, too");
}

// The step cannot fail any more, so a contact with a bad result keeps its own values.
static bool call_pre_solve(void *context, int slot, cn_contact_values *values) {
    cn_world *world = context;
    const cn_touching_rows *touching = &world->sim.touching;
    const cn_contact_ref ref = {&touching->records[slot], &touching->anchors[slot],
                                &touching->load[slot]};
    cn_contact contact = cn_contact_of(world, ref);
    world->in_callback = true;
    cn_pre_solve_result result = world->callbacks.pre_solve(world, &contact, world->callbacks.user);
    world->in_callback = false;
    if (result.disabled) return false;
    if (!check_values(&result))
        cn_fail_call("pre_solve");
    else if (result.changed)
        change_values(values, &result);
    return true;
}

cn_callbacks cn_exchange_callbacks(cn_world *world, cn_callbacks callbacks) {
    cn_callbacks before = world->callbacks;
    world->callbacks = callbacks;
    world->sim.callback_context = world;
    world->sim.filter = callbacks.filter ? call_filter : NULL;
    world->sim.pre_solve = callbacks.pre_solve ? call_pre_solve : NULL;
    return before;
}

cn_callbacks cn_world_callbacks(const cn_world *world) {
    const cn_callbacks none = {0};
    if (!cn_check_world(world, __func__)) return none;
    const cn_recorder *recorder = world->recorder;
    if (!recorder || world->callbacks.user != recorder) return world->callbacks;
    return recorder->callbacks ? *recorder->callbacks : none;
}

bool cn_world_set_callbacks(cn_world *world, cn_callbacks callbacks) {
    if (!cn_edit_world(world, __func__)) return false;
    CN_RECORD(cn_world_set_callbacks, world, &callbacks); // which replaces them
    cn_simulation *sim = &world->sim;
    if (sim->filter || callbacks.filter) cn_remeasure_sensors(sim); // with the new filter
    cn_exchange_callbacks(world, callbacks);
    world->has_new_callbacks = true;
    return true;
}

static bool any_shape_has(const cn_simulation *sim, uint32_t flag) {
    CN_EACH(CN_SHAPES, i, sim) {
        if (sim->shapes[i].flags & flag) return true;
    }
    return sim->terrain && sim->terrain->has_flag(sim, flag);
}

static void expect_shape_with(const cn_world *world, uint32_t flag, const char *callback) {
    if (any_shape_has(&world->sim, flag)) return;
    const char *field = flag == CN_SHAPE_PRE_SOLVE ? "pre_solve" : "custom_filter";
    cn_hint(callback,
            "this callback is set, but no shape has .%s, so it is never called: set .%s in the "
            "definition of each shape that it is about, or call cn_shape_set_%s()",
            field, field, field);
}

void cn_check_new_callbacks(cn_world *world) {
    const cn_simulation *sim = &world->sim;
    if (!world->has_new_callbacks || sim->steps == 0 || cn_is_replayed(world) ||
        !(sim->slots[CN_SHAPES].count || sim->slots[CN_GRIDS].count))
        return;
    world->has_new_callbacks = false;
    if (sim->filter) expect_shape_with(world, CN_SHAPE_CUSTOM_FILTER, "filter");
    if (sim->pre_solve) expect_shape_with(world, CN_SHAPE_PRE_SOLVE, "pre_solve");
}
