/* Move events: the bodies whose poses changed in a step.
 *
 * While move events are on, the world keeps the pose of each body's origin after the last step.
 * After a step it compares only the bodies whose pose may differ: those that the step solved,
 * kinematic bodies that move, and those that a call moved. A body whose pose differs gets a bit.
 * The bits accumulate over the steps of one cn_world_advance(). The events are written out from the
 * bits, so they are in slot order.
 *
 *      poses     .. 64 poses .. | .. 64 poses .. |      after the last step
 *      moved     1 word of bits | 1 word         |      moved in the last step or frame
 *      slept     1 word of bits | 1 word         |      fell asleep in it, and still sleep
 *      placed    1 word of bits | 1 word         |      moved by a call since the last step
 *
 * These functions only read the simulation. While move events are off these rows do not exist, and
 * a step only tests that. */
#include "world.h"

// ---- rows

// A negative number of groups releases all memory.
static bool fit_groups(cn_memory *memory, cn_moves *moves, int groups) {
    const cn_row rows[] = {{&moves->poses, 64 * sizeof(cn_pose)},
                           CN_ROW(moves->moved),
                           CN_ROW(moves->slept),
                           CN_ROW(moves->placed)};
    return cn_fit_rows(memory, rows, 4, &moves->groups, groups);
}

static void release_moves(cn_memory *memory, cn_moves *moves) {
    fit_groups(memory, moves, -1);
    cn_free_list(memory, &moves->events);
    cn_release(memory, moves, sizeof *moves);
}

bool cn_reserve_moves(cn_world *world, int bodies) {
    return !world->moves || fit_groups(&world->memory, world->moves, (bodies + 63) / 64);
}

// ---- on and off

bool cn_world_move_events(const cn_world *world) {
    return cn_check_world(world, __func__) && world->moves != NULL;
}

// Motion before this call raises no events.
bool cn_start_moves(cn_world *world) {
    cn_simulation *sim = &world->sim;
    world->moves = cn_allocate(&world->memory, sizeof *world->moves);
    if (!world->moves) return false;
    if (!cn_reserve_moves(world, sim->slots[CN_BODIES].capacity)) {
        release_moves(&world->memory, world->moves);
        world->moves = NULL;
        return false;
    }
    CN_EACH(CN_BODIES, i, sim) cn_start_body_moves(world, i);
    return true;
}

bool cn_world_set_move_events(cn_world *world, bool on) {
    CN_RECORD(cn_world_set_move_events, world, on);
    if (!cn_edit_world(world, __func__)) return false;
    if (on == !!world->moves) return true;
    if (on) return CN_CHECK(cn_start_moves(world));
    release_moves(&world->memory, world->moves);
    world->moves = NULL;
    return true;
}

// ---- calls

void cn_start_body_moves(cn_world *world, int body) {
    cn_moves *moves = world->moves;
    if (!moves) return;
    moves->poses[body] = cn_origin_pose(&world->sim, body);
    cn_clear_bit(moves->moved, body);
    cn_clear_bit(moves->slept, body);
    cn_clear_bit(moves->placed, body);
}

void cn_mark_placed(cn_world *world, int body) {
    if (world->moves) cn_set_bit(world->moves->placed, body);
}

void cn_clear_moves(cn_world *world) {
    cn_moves *moves = world->moves;
    if (!moves || moves->groups == 0) return;
    memset(moves->moved, 0, (size_t)moves->groups * sizeof *moves->moved);
    memset(moves->slept, 0, (size_t)moves->groups * sizeof *moves->slept);
}

// No pose equals NaN, so every body gets an event.
void cn_restart_moves(cn_world *world) {
    cn_moves *moves = world->moves;
    if (!moves) return;
    cn_clear_moves(world);
    CN_EACH(CN_BODIES, i, &world->sim) {
        moves->poses[i].position.x = NAN;
        cn_mark_placed(world, i);
    }
}

// ---- after a step

static void compare_pose(const cn_simulation *sim, cn_moves *moves, int body) {
    cn_pose now = cn_origin_pose(sim, body), *last = &moves->poses[body];
    if (cn_is_same_pose(now, *last)) return;
    *last = now;
    cn_set_bit(moves->moved, body);
}

static void find_moved_by_step(const cn_simulation *sim, cn_moves *moves) {
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        for (int k = 0; batch->alive && k < batch->body_count; k++)
            compare_pose(sim, moves, batch->bodies.items[k]);
    }
    for (int i = 0; i < sim->kinematics.count; i++)
        if (cn_is_moving_kinematic(&sim->hot[sim->kinematics.items[i]]))
            compare_pose(sim, moves, sim->kinematics.items[i]);
}

static void find_placed(const cn_simulation *sim, cn_moves *moves) {
    CN_EACH_BIT(body, moves->placed, sim->slots[CN_BODIES].end) {
        cn_clear_bit(moves->placed, body);
        if (cn_is_alive(sim, CN_BODIES, body)) compare_pose(sim, moves, body);
    }
}

// The last change counts: a body that fell asleep and woke in one frame is not marked as asleep.
static void find_sleep_changes(const cn_simulation *sim, cn_moves *moves) {
    for (int i = 0; i < sim->body_events.count; i++) {
        int body = sim->body_events.items[i].body;
        cn_clear_bit(moves->slept, body);
        if (sim->body_events.items[i].change != CN_BODY_SLEPT) continue;
        cn_set_bit(moves->moved, body);
        cn_set_bit(moves->slept, body);
    }
}

void cn_find_moves(cn_world *world) {
    if (!world->moves) return;
    if (!world->sim.keep_events) cn_clear_moves(world);
    find_moved_by_step(&world->sim, world->moves);
    find_placed(&world->sim, world->moves);
    find_sleep_changes(&world->sim, world->moves);
}

// ---- the events

static cn_move_event event_of(const cn_world *world, int body) {
    return (cn_move_event){cn_body_handle(world, body), cn_user_data(&world->sim, CN_BODIES, body),
                           world->moves->poses[body], cn_has_bit(world->moves->slept, body)};
}

bool cn_write_moves(cn_world *world, cn_events *events) {
    const cn_simulation *sim = &world->sim;
    cn_moves *moves = world->moves;
    if (!moves) return true;
    moves->events.count = 0;
    CN_EACH_BIT(body, moves->moved, sim->slots[CN_BODIES].end) {
        if (cn_is_alive(sim, CN_BODIES, body) &&
            !cn_append(&world->memory, &moves->events, event_of(world, body)))
            return false;
    }
    events->moved = moves->events.items, events->moved_count = moves->events.count;
    return true;
}
