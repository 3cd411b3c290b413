/* Worlds: made, destroyed, set.
 *
 * Every constant of length in the engine is a field of the tuning. A new world's tuning is that of
 * metres times cn_world_def.length_unit, so nothing else ever asks what a metre is. Settings take
 * hold with the next step; those that may unsettle what rests wake all sleeping islands. */
#include "world.h"

enum { MAX_SUBSTEPS = 64, MAX_THREADS = 64, MAX_STEPS = 1000000 };

static const float smallest_unit = 1e-6f, largest_unit = 1e6f;

// ---- definition

static bool check_lanes(int lanes, const char *caller) {
    if (lanes != 0 && lanes != 1 && lanes != 4 && lanes != 8)
        return cn_fail(CN_ERROR_RANGE, "%s: lanes %d is none of 0, 1, 4, 8", caller, lanes);
    return lanes == 0 || cn_kernels_for(lanes) ||
           cn_fail(CN_ERROR_RANGE, "%s: %d lanes were not built or do not run on this machine",
                   caller, lanes);
}

static bool check_allocator(const cn_allocator *allocator, const char *caller) {
    return !allocator->allocate == !allocator->release ||
           cn_fail(CN_ERROR_HANDLE, "%s: 1 of the allocator's 2 functions is NULL", caller);
}

// Where zero is a default it is in range.
static bool check_unit(float unit, const char *caller) {
    return unit == 0 || cn_check_range(unit, smallest_unit, largest_unit, "length_unit", caller);
}

static bool check_definition(const cn_world_def *def, const char *caller) {
    return cn_check_finite2(def->gravity, "gravity", caller) &&
           cn_check_count(def->substeps, 0, MAX_SUBSTEPS, "substeps", caller) &&
           cn_check_count(def->threads, 0, MAX_THREADS, "threads", caller) &&
           cn_check_count(def->max_steps, 0, MAX_STEPS, "max_steps", caller) &&
           cn_check_range(def->time_step, 0, 1, "time_step", caller) &&
           check_unit(def->length_unit, caller) && check_lanes(def->lanes, caller) &&
           check_allocator(&def->allocator, caller);
}

static cn_tuning default_tuning(float metre) {
    return (cn_tuning){
        .slop = 0.005f * metre,
        .speculative_margin = 0.02f * metre,
        .box_margin = 0.015f * metre,
        .anchor_distance = 0.05f * metre,
        .anchor_angle = 0.05f,
        .push_speed = 3 * metre,
        .restitution_threshold = metre,
        .hit_threshold = metre,
        .sleep_speed = 0.05f * metre,
        .sleep_time = 0.5f,
    };
}

// The kernels asked for, else the best that were built.
static const cn_kernels *choose_kernels(int lanes) {
    const cn_kernels *best = cn_kernels_for(lanes ? lanes : cn_cpu_lanes());
    return best ? best : cn_kernels_for(1);
}

// ---- create, destroy

static void set_up(cn_world *world, const cn_world_def *def) {
    cn_simulation *sim = &world->sim;
    sim->kernels = choose_kernels(def->lanes);
    sim->gravity = def->gravity;
    sim->substeps = def->substeps ? def->substeps : 4;
    sim->length_unit = def->length_unit > 0 ? def->length_unit : 1;
    sim->tuning = default_tuning(sim->length_unit);
    sim->sleeping = !def->no_sleep;

    world->tag = def->tag;
    world->time_step = def->time_step > 0 ? def->time_step : 1.0f / 60;
    world->max_steps = def->max_steps ? def->max_steps : 8;
    world->by_hand = true;
    world->profiling = def->profile;
    cn_init_slots(world);
}

cn_world *cn_world_create(const cn_world_def *def) {
    if (!cn_check_pointer(def, "definition", __func__)) return NULL;
    if (!check_definition(def, __func__)) return NULL;
    cn_memory memory = {.allocator = def->allocator};
    cn_world *world = cn_allocate(&memory, sizeof *world);
    if (!world) return NULL;
    world->sim.memory = memory;
    set_up(world, def);
    return world;
}

void cn_world_destroy(cn_world *world) {
    if (!world) return;
    cn_memory *memory = &world->sim.memory;
    cn_draw_free(&world->draw, memory);
    cn_free_events(world);
    cn_free_slots(world);
    cn_simulation_free(&world->sim);

    cn_memory rest = *memory;
    cn_release(&rest, world, sizeof *world);
    assert(rest.bytes == 0);
}

// ---- settings

void cn_wake_all(cn_simulation *sim) {
    for (int i = 0; i < sim->sleeper_end; i++)
        if (sim->sleepers[i].alive) sim->sleepers[i].wake = true;
    sim->any_wake = true;
}

bool cn_world_set_gravity(cn_world *world, vec2s gravity) {
    if (!cn_check_world(world, __func__) || !cn_check_finite2(gravity, "gravity", __func__))
        return false;
    world->sim.gravity = gravity;
    cn_wake_all(&world->sim);
    return true;
}

vec2s cn_world_gravity(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->sim.gravity : cn_vec(0, 0);
}

bool cn_world_set_substeps(cn_world *world, int substeps) {
    if (!cn_check_world(world, __func__)) return false;
    if (!cn_check_count(substeps, 1, MAX_SUBSTEPS, "substeps", __func__)) return false;
    world->sim.substeps = substeps;
    return true;
}

int cn_world_substeps(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->sim.substeps : 0;
}

bool cn_world_set_sleeping(cn_world *world, bool allowed) {
    if (!cn_check_world(world, __func__)) return false;
    world->sim.sleeping = allowed;
    if (!allowed) cn_wake_all(&world->sim);
    return true;
}

bool cn_world_sleeping(const cn_world *world) {
    return cn_check_world(world, __func__) && world->sim.sleeping;
}

// ---- tuning

static bool check_tuning(const cn_tuning *tuning, const char *caller) {
    const struct {
        float value;
        const char *name;
    } fields[] = {
        {tuning->slop, "slop"},
        {tuning->speculative_margin, "speculative_margin"},
        {tuning->box_margin, "box_margin"},
        {tuning->anchor_distance, "anchor_distance"},
        {tuning->anchor_angle, "anchor_angle"},
        {tuning->push_speed, "push_speed"},
        {tuning->restitution_threshold, "restitution_threshold"},
        {tuning->hit_threshold, "hit_threshold"},
        {tuning->sleep_speed, "sleep_speed"},
        {tuning->sleep_time, "sleep_time"},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!cn_check_range(fields[i].value, FLT_MIN, CN_FARTHEST, fields[i].name, caller))
            return false;
    return tuning->box_margin >= 0.5f * tuning->speculative_margin ||
           cn_fail(CN_ERROR_RANGE, "%s: box_margin %g is below half the speculative_margin %g",
                   caller, (double)tuning->box_margin, (double)tuning->speculative_margin);
}

cn_tuning cn_world_tuning(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->sim.tuning : (cn_tuning){0};
}

bool cn_world_set_tuning(cn_world *world, const cn_tuning *tuning) {
    if (!cn_check_world(world, __func__) || !cn_check_pointer(tuning, "tuning", __func__))
        return false;
    if (!check_tuning(tuning, __func__)) return false;
    cn_simulation *sim = &world->sim;
    sim->tuning = *tuning;
    for (int i = 0; i < sim->body_end; i++)
        if (cn_is_body(sim, i)) cn_place_shapes(sim, i, true); // the margins of boxes may be new
    cn_wake_all(sim);
    return true;
}
