/* The calls that step a world, and time.
 *
 * cn_world_step() checks its arguments and takes one step. The stages of a step are in
 * dynamics/step/step.c. A failed step leaves the world as it was, except that some tiles may
 * have shapes now: this changes the hash of the world, but not how its bodies move.
 *
 * cn_world_advance() accumulates the time of frames and takes steps of a fixed length out of it.
 * The rest, which is less than a step, says where the frame lies between the poses before and after
 * the last step. Drawn poses are interpolated there: they are up to one step late and never
 * extrapolated. */
#include "world.h"

// ---- one step

static void end_stage(void *context, const cn_stage *stage) {
    (void)stage;
    cn_world *world = context;
    world->recorder->end_stage(world);
}

static bool take_step(cn_world *world, float dt) {
    const cn_callbacks *callbacks = &world->callbacks;
    bool has_answers = callbacks->filter || callbacks->pre_solve;
    bool is_recorded = has_answers && world->recorder && world->recorder->end_stage;
    bool done = cn_step(&world->sim, dt, world->profile, is_recorded ? end_stage : NULL, world);
    if (done) cn_find_moves(world);
    if (done && world->recorder) world->recorder->stepped(world);
    return done;
}

// A call that takes no step has no events.
static void clear_events(cn_world *world) {
    cn_clear_event_buffers(&world->sim);
    cn_clear_moves(world);
}

static void clear_forces(cn_simulation *sim) {
    CN_EACH(CN_BODIES, i, sim) sim->warm[i].force = cn_vec(0, 0), sim->warm[i].torque = 0;
}

// before_step prepares a step, so it must not take one.
bool cn_require_outside_before_step(const cn_world *world) {
    return !world->in_before_step ||
           cn_fail(CN_ERROR_STATE,
                   "before_step must not step, restore, record or destroy its world");
}

bool cn_check_and_step(cn_world *world, float dt) {
    if (!cn_require_pointer("world", world) || !cn_require_idle(world) ||
        !cn_require_outside_before_step(world) || !cn_require("dt in seconds", dt, 0, 1))
        return false;
    if (dt < CN_MIN_STEP) {
        clear_events(world);
        clear_forces(&world->sim);
        return true;
    }
    if (!take_step(world, dt)) return false;
    world->stepped_manually = true;
    return true;
}

bool cn_world_step(cn_world *world, float dt) {
    CN_RECORD(cn_world_step, world, dt);
    if (!CN_CHECK(cn_check_and_step(world, dt))) return false;
    cn_check_new_callbacks(world);
    return true;
}

// ---- frames

// Seconds. A longer frame is probably one in milliseconds.
#define LONGEST_FRAME 1

// Reserves memory for the pose of each body before a step.
static bool reserve_poses(cn_simulation *sim) {
    int needed = cn_max_int(sim->slots[CN_BODIES].capacity, 1);
    return cn_grow(&sim->memory, &sim->previous, &sim->previous_capacity, needed);
}

static void call_before_step(cn_world *world) {
    if (!world->callbacks.before_step) return;
    world->in_before_step = true;
    world->callbacks.before_step(world, world->time_step, world->callbacks.user);
    world->in_before_step = false;
}

int cn_world_advance(cn_world *world, float frame_seconds) {
    CN_RECORD(cn_world_advance, world, frame_seconds);
    if (!cn_edit_world(world, __func__)) return -1;
    if (!CN_CHECK(cn_require_outside_before_step(world) &&
                  cn_require("frame_seconds", frame_seconds, 0, FLT_MAX)))
        return -1;
    cn_simulation *sim = &world->sim;
    double step = (double)world->time_step;
    double time = world->accumulator + (double)frame_seconds;
    if (!CN_CHECK(reserve_poses(sim))) return -1;
    bool stepped_manually = world->stepped_manually;
    if (stepped_manually) cn_keep_poses(sim);
    world->stepped_manually = false;

    int taken = 0;
    if (time < step) clear_events(world);
    for (; taken < world->max_steps && time >= step; taken++) {
        call_before_step(world);
        sim->keep_poses = true, sim->keep_events = taken > 0;
        bool done = take_step(world, world->time_step);
        sim->keep_poses = sim->keep_events = false;
        if (!done && taken == 0) world->stepped_manually = stepped_manually;
        if (!CN_CHECK(done)) return -1;
        time -= step;
        world->accumulator = time;
    }
    world->accumulator = fmod(time, step); // time beyond max_steps is lost
    if (taken > 0) cn_check_new_callbacks(world);
    if (frame_seconds > LONGEST_FRAME && !world->hinted_seconds && !cn_is_replayed(world)) {
        world->hinted_seconds = true;
        cn_hint(__func__, "frame_seconds is %g: milliseconds? The time is in seconds",
                (double)frame_seconds);
    }
    return taken;
}

static float interpolation_of(const cn_world *world) {
    if (world->stepped_manually) return 1;
    return cn_min((float)(world->accumulator / (double)world->time_step), 1);
}

float cn_world_interpolation(const cn_world *world) {
    return cn_check_world(world, __func__) ? interpolation_of(world) : 0;
}

// Positions move in a straight line and rotations take the shorter way. The interpolated rotation
// is on the chord of the turn, so it is stretched to length 1. Bodies that are not awake do not
// move in a step, so they are drawn where they are.
cn_pose cn_drawn_pose(const cn_world *world, int body) {
    float t = interpolation_of(world);
    cn_pose to = cn_settled_pose(&world->sim, body);
    if (t == 1 || !cn_is_active(&world->sim.hot[body])) return to;
    cn_pose from = world->sim.previous[body];
    vec2s move = glms_vec2_sub(to.position, from.position);
    cn_rotation q = {(1 - t) * from.rotation.c + t * to.rotation.c,
                     (1 - t) * from.rotation.s + t * to.rotation.s};
    bool turns = q.c * q.c + q.s * q.s > FLT_EPSILON; // by less than half a turn
    return (cn_pose){glms_vec2_add(from.position, glms_vec2_scale(move, t)),
                     turns ? cn_renormalize(q) : to.rotation};
}

cn_pose cn_body_drawn_pose(const cn_world *world, cn_body body) {
    int slot = cn_find_body(world, body, __func__);
    return slot < 0 ? cn_no_pose : cn_drawn_pose(world, slot);
}

// ---- profile

cn_profile cn_world_profile(const cn_world *world) {
    bool is_on = cn_check_world(world, __func__) && world->profile;
    return is_on ? *world->profile : (cn_profile){0};
}

bool cn_start_profiling(cn_world *world) {
    if (!world->profile) world->profile = cn_allocate(&world->memory, sizeof *world->profile);
    if (!world->profile) return false;
    *world->profile = (cn_profile){0};
    return true;
}

bool cn_world_profiling(const cn_world *world) {
    return cn_check_world(world, __func__) && world->profile;
}

bool cn_world_set_profiling(cn_world *world, bool on) {
    CN_RECORD(cn_world_set_profiling, world, on);
    if (!cn_edit_world(world, __func__)) return false;
    if (on) return CN_CHECK(cn_start_profiling(world));
    cn_release(&world->memory, world->profile, sizeof *world->profile);
    world->profile = NULL;
    return true;
}
