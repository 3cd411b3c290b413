/* The public step: the checks, the stages of the simulation in order (dynamics/simulation.c lists
 * them), and time.
 *
 * A stage can fail only before the step has changed anything, so a failed step leaves the world as
 * it was. Slots that become free, counts and times are therefore updated after the stages. Only the
 * shapes of tiles are created before the stages; this has no effect except the time that it takes.
 *
 * cn_world_advance() accumulates the time of frames and takes steps of a fixed length out of it.
 * The rest, which is less than a step, is where the frame lies between the poses before and after
 * the last step. Drawn poses are interpolated there: they are up to one step late and never
 * extrapolated. */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 199309L // clock_gettime
#endif
#include "world.h"

#if defined(_WIN32)
#include <windows.h>
#else
#include <time.h>
#endif

// ---- one step

// Returns the time of a clock that never goes back.
static double seconds_now(void) {
#if defined(_WIN32)
    LARGE_INTEGER ticks, ticks_per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&ticks_per_second);
    return (double)ticks.QuadPart / (double)ticks_per_second.QuadPart;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}

// Writes the profile of a step that succeeded. `times` has the start of each stage; the last stage
// ends now.
static void write_profile(cn_profile *profile, double *times) {
    times[cn_stage_count] = seconds_now();
    *profile = (cn_profile){.count = cn_stage_count, .total = times[cn_stage_count] - times[0]};
    for (int i = 0; i < cn_stage_count; i++) {
        profile->names[i] = cn_stages[i].name;
        profile->seconds[i] = times[i + 1] - times[i];
    }
}

static bool run_stages(cn_world *world) {
    double times[CN_MAX_STAGES + 1];
    for (int i = 0; i < cn_stage_count; i++) {
        if (world->profiling) times[i] = seconds_now();
        cn_drop_index(world); // contacts move in memory
        if (cn_stages[i].prepare && !cn_stages[i].prepare(&world->sim)) return false;
        if (cn_stages[i].run) cn_stages[i].run(&world->sim);
    }
    if (world->profiling) write_profile(&world->profile, times);
    return true;
}

// Destroys the joints that broke. Their events are kept until the next step; in cn_world_advance(),
// for all of its steps.
static void end_broken(cn_world *world) {
    cn_simulation *sim = &world->sim;
    if (!sim->keep_events) world->broken_count = 0;
    for (int i = 0; cn_load_relaxed(&sim->any_broken) && i < sim->slots[CN_JOINTS].end; i++) {
        const cn_joint_data *joint = &sim->joints[i];
        if (!(joint->flags & CN_JOINT_BROKEN)) continue;
        world->broken[world->broken_count++] =
            (cn_joint_event){cn_joint_handle(world, i), joint->def.user_data, joint->broken_force,
                             joint->broken_torque};
        cn_remove_joint(world, i);
    }
    cn_store_relaxed(&sim->any_broken, false);
}

static bool take_step(cn_world *world, float dt) {
    cn_simulation *sim = &world->sim;
    float last = sim->step_seconds;
    bool sensors_failed = sim->sensors_failed; // the last step saw no sensors, so it did not report all ends
    sim->step_seconds = dt;
    world->step_failed = !cn_update_tiles(world) || !run_stages(world);
    if (world->step_failed) {
        cn_abandon_step(sim);
        sim->step_seconds = last;
        return false;
    }
    cn_find_moves(world);
    cn_age_slots(world, !sim->keep_events && !sensors_failed);
    world->steps++;
    cn_remove_idle_tiles(world);
    end_broken(world);
    return true;
}

// A call that takes no step has no events.
static void clear_events(cn_world *world) {
    cn_clear_event_buffers(&world->sim);
    cn_clear_moves(world);
    world->broken_count = 0;
}

// before_step prepares a step, so it must not take one.
bool cn_require_outside_before_step(const cn_world *world) {
    return !world->in_before_step ||
           cn_fail(CN_ERROR_STATE, "before_step must not step or destroy its world");
}

bool cn_world_step(cn_world *world, float dt) {
    if (!cn_edit_world(world, __func__)) return false;
    if (!CN_CHECK(cn_require_outside_before_step(world) && cn_require("dt", dt, 0, 1)))
        return false;
    if (dt < CN_MIN_STEP) {
        clear_events(world);
        return true;
    }
    if (!CN_CHECK(take_step(world, dt))) return false;
    world->stepped_manually = true;
    return true;
}

// ---- frames

static bool keep_poses(cn_simulation *sim) {
    int needed = cn_max_int(sim->slots[CN_BODIES].capacity, 1);
    if (!cn_grow(&sim->memory, &sim->previous, &sim->previous_capacity, needed)) return false;
    CN_EACH(CN_BODIES, i, sim) { sim->previous[i] = cn_origin_pose(sim, i); }
    return true;
}

static void ask_before_step(cn_world *world) {
    if (!world->callbacks.before_step) return;
    world->in_before_step = true;
    world->callbacks.before_step(world, world->time_step, world->callbacks.user);
    world->in_before_step = false;
}

int cn_world_advance(cn_world *world, float frame_seconds) {
    if (!cn_edit_world(world, __func__)) return -1;
    if (!CN_CHECK(cn_require_outside_before_step(world) &&
                  cn_require("frame_seconds", frame_seconds, 0, FLT_MAX)))
        return -1;
    cn_simulation *sim = &world->sim;
    double step = (double)world->time_step;
    double time = world->accumulator + (double)frame_seconds;
    if (world->stepped_manually && !CN_CHECK(keep_poses(sim))) return -1;
    world->stepped_manually = false;

    int taken = 0;
    if (time < step) clear_events(world);
    for (; taken < world->max_steps && time >= step; taken++) {
        ask_before_step(world);
        keep_poses(sim);
        sim->keep_events = taken > 0;
        bool done = take_step(world, world->time_step);
        sim->keep_events = false;
        if (!CN_CHECK(done)) return -1;
        time -= step;
        world->accumulator = time;
    }
    world->accumulator = fmod(time, step); // time beyond max_steps is lost
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
// is on the chord of the turn, so it is stretched to length 1.
cn_pose cn_drawn_pose(const cn_world *world, int body) {
    float t = interpolation_of(world);
    cn_pose to = cn_origin_pose(&world->sim, body);
    if (t == 1) return to;
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
    return slot < 0 ? (cn_pose){0} : cn_drawn_pose(world, slot);
}

// ---- profile

cn_profile cn_world_profile(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->profile : (cn_profile){0};
}

bool cn_world_set_profiling(cn_world *world, bool on) {
    if (!cn_edit_world(world, __func__)) return false;
    world->profiling = on;
    world->profile = (cn_profile){0};
    return true;
}
