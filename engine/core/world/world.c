/* Creates and destroys worlds, and changes their settings and tuning.
 *
 * Nearly every constant of length in the engine is a field of the tuning. The tuning of a new world
 * is the tuning for metres, scaled by cn_world_def.length_unit. The few other constants of length
 * are scaled where they are used. A new setting takes effect in the next step. Settings that may
 * disturb bodies at rest wake all sleeping islands. */
#include "world.h"

#define MAX_SUBSTEPS 64
#define MAX_THREADS  64
#define MAX_STEPS    1e6f
#define MIN_UNIT     1e-6f // limits of length_unit
#define MAX_UNIT     1e6f

// ---- tuning: the fields of cn_tuning in their order

enum { TUNING_FIELDS = sizeof(cn_tuning) / sizeof(float) };

static const struct {
    const char *name;
    float value;
    bool is_length; // a length or a speed: the value is for metres and is scaled
} tuning_fields[TUNING_FIELDS] = {
    {"slop", 0.005f, true},         {"speculative_margin", 0.02f, true},
    {"box_margin", 0.015f, true},   {"anchor_distance", 0.05f, true},
    {"anchor_angle", 0.05f, false}, {"push_speed", 30, true},
    {"hit_threshold", 1, true},     {"sleep_speed", 0.05f, true},
    {"sleep_time", 0.5f, false},
};

// The push speed is at least the speed of a free fall for this time. If lengths are pixels but no
// length unit was given, gravity is large, and then overlaps and joint errors are corrected at a
// matching speed.
#define PUSH_FALL_TIME 1.0f // s

static cn_tuning default_tuning(float metre, vec2s gravity) {
    float values[TUNING_FIELDS];
    for (int i = 0; i < TUNING_FIELDS; i++)
        values[i] = tuning_fields[i].value * (tuning_fields[i].is_length ? metre : 1);
    cn_tuning tuning;
    memcpy(&tuning, values, sizeof tuning);
    float fall = PUSH_FALL_TIME * glms_vec2_norm(gravity);
    tuning.push_speed = cn_clamp(fall, tuning.push_speed, CN_MAX_COORDINATE);
    return tuning;
}

// Sets the push speed for the new gravity, too, unless a call changed it before.
static void set_gravity(cn_simulation *sim, vec2s gravity) {
    float usual = default_tuning(sim->length_unit, sim->gravity).push_speed;
    if (sim->tuning.push_speed == usual)
        sim->tuning.push_speed = default_tuning(sim->length_unit, gravity).push_speed;
    sim->gravity = gravity;
}

// Replaces the zeros of a tuning by their defaults.
static cn_tuning apply_tuning_defaults(const cn_simulation *sim, cn_tuning given) {
    cn_tuning usual = default_tuning(sim->length_unit, sim->gravity);
    float values[TUNING_FIELDS], defaults[TUNING_FIELDS];
    memcpy(values, &given, sizeof values);
    memcpy(defaults, &usual, sizeof defaults);
    for (int i = 0; i < TUNING_FIELDS; i++)
        if (values[i] == 0) values[i] = defaults[i];
    bool is_wide = given.box_margin == 0; // as wide as the speculative margin needs
    memcpy(&given, values, sizeof given);
    if (is_wide) given.box_margin = cn_max(given.box_margin, 0.5f * given.speculative_margin);
    return given;
}

static bool check_tuning(const cn_tuning *tuning) {
    float values[TUNING_FIELDS];
    memcpy(values, tuning, sizeof values);
    for (int i = 0; i < TUNING_FIELDS; i++)
        if (!cn_require(tuning_fields[i].name, values[i], FLT_MIN, CN_MAX_COORDINATE)) return false;
    return tuning->box_margin >= 0.5f * tuning->speculative_margin ||
           cn_fail(CN_ERROR_RANGE,
                   "the box_margin is %g; it must be at least half of the speculative_margin %g: "
                   "set both",
                   (double)tuning->box_margin, (double)tuning->speculative_margin);
}

// ---- definition

static bool check_lanes(int lanes) {
    if (lanes != 0 && lanes != 1 && lanes != 4 && lanes != 8 && lanes != 16)
        return cn_fail(CN_ERROR_RANGE, "lanes is %d; it must be 0, 1, 4, 8 or 16", lanes);
    return lanes == 0 || cn_kernels_for(lanes) ||
           cn_fail(CN_ERROR_RANGE,
                   "lanes is %d, which this build or this processor does not support: 0 selects "
                   "the best",
                   lanes);
}

// Two functions that must be given together.
static bool check_both(const char *whose, bool first, bool second) {
    return first == second ||
           cn_fail(CN_ERROR_HANDLE, "one function of the %s is NULL: set both or none", whose);
}

static bool check_capacity(const cn_capacity *c) {
    const int numbers[] = {c->bodies, c->shapes, c->static_shapes, c->joints, c->contacts};
    for (int i = 0; i < 5; i++)
        if (!cn_require("capacity", (float)numbers[i], 0, CN_MAX_SLOTS)) return false;
    return cn_require("capacity of shapes", (float)(c->shapes + c->static_shapes), 0, CN_MAX_SLOTS);
}

static bool check_damping(float linear, float angular) {
    return cn_require("linear damping", linear, 0, FLT_MAX) &&
           cn_require("angular damping", angular, 0, FLT_MAX);
}

// In a definition 0 means the default, so 0 is in range.
static bool check_definition(const cn_world_def *def) {
    return cn_require2("gravity", def->gravity, FLT_MAX) &&
           cn_require("number of substeps", (float)def->substeps, 0, MAX_SUBSTEPS) &&
           cn_require("number of threads", (float)def->threads, 0, MAX_THREADS) &&
           cn_require("max_steps", (float)def->max_steps, 0, MAX_STEPS) &&
           check_damping(def->linear_damping, def->angular_damping) &&
           (def->time_step == 0 || cn_require("time_step", def->time_step, CN_MIN_STEP, 1)) &&
           (def->length_unit == 0 ||
            cn_require("length_unit", def->length_unit, MIN_UNIT, MAX_UNIT)) &&
           check_lanes(def->lanes) && check_capacity(&def->capacity) &&
           check_both("allocator", def->allocator.allocate, def->allocator.release) &&
           check_both("task system", def->tasks.start, def->tasks.finish);
}

bool cn_require_settings(const cn_world *world) {
    const cn_simulation *sim = &world->sim;
    return cn_require2("gravity", sim->gravity, FLT_MAX) &&
           cn_require("number of substeps", (float)sim->substeps, 1, MAX_SUBSTEPS) &&
           cn_require("length_unit", sim->length_unit, MIN_UNIT, MAX_UNIT) &&
           check_damping(sim->linear_damping, sim->angular_damping) &&
           cn_require("time_step", world->time_step, CN_MIN_STEP, 1) &&
           cn_require("max_steps", (float)world->max_steps, 1, MAX_STEPS) &&
           check_tuning(&sim->tuning);
}

// ---- create, destroy

static void initialize(cn_world *world, const cn_world_def *def) {
    cn_simulation *sim = &world->sim;
    sim->kernels = cn_kernels_for(def->lanes);
    sim->widest_only = def->lanes != 0;
    sim->gravity = def->gravity;
    sim->substeps = def->substeps ? def->substeps : 4;
    sim->length_unit = def->length_unit > 0 ? def->length_unit : 1;
    sim->tuning = default_tuning(sim->length_unit, def->gravity);
    sim->sleeping = !def->no_sleep;
    sim->min_ccd_threshold = FLT_MAX;
    sim->sleep_revision = 1;

    sim->linear_damping = def->linear_damping, sim->angular_damping = def->angular_damping;

    world->tag = def->tag;
    world->user_data = def->user_data;
    world->static_revision = 1;
    world->time_step = def->time_step > 0 ? def->time_step : 1.0f / 60;
    sim->step_seconds = world->time_step; // so that boxes look ahead before the first step, too
    world->max_steps = def->max_steps ? def->max_steps : 8;
    world->stepped_manually = true;
    for (cn_slot_kind k = CN_BODIES; k < CN_SLOT_KINDS; k++) cn_clear_slots(sim, k);
}

static bool reserve(cn_world *world, const cn_capacity *c) {
    cn_simulation *sim = &world->sim;
    bool has_compounds = c->shapes + c->static_shapes > c->bodies; // bodies with several shapes
    return cn_resize_slots(&world->sim, CN_BODIES, c->bodies, true) &&
           cn_resize_slots(&world->sim, CN_SHAPES, c->shapes + c->static_shapes, true) &&
           cn_resize_slots(&world->sim, CN_JOINTS, c->joints, true) &&
           (c->joints == 0 || cn_reserve_pulls(&world->sim)) &&
           (!has_compounds || cn_reserve_compounds(sim)) &&
           cn_reserve_boxes(sim, &sim->moving_tree, c->shapes) &&
           (c->static_shapes == 0 || cn_reserve_boxes(sim, &sim->static_tree, c->static_shapes)) &&
           (sim->slots[CN_SHAPES].capacity == 0 ||
            cn_scratch(sim, cn_tree_sort_bytes(cn_max_int(c->shapes, c->static_shapes)))) &&
           cn_reserve(&sim->memory, &sim->body_events, c->bodies) &&
           cn_reserve_contacts(sim, c->contacts) &&
           cn_reserve_plan(sim, c->bodies, c->contacts + c->joints);
}

cn_world *cn_make_world(const cn_world_def *def) {
    if (!cn_require_pointer("definition", def) || !check_definition(def)) return NULL;
    cn_memory memory = {.allocator = def->allocator};
    cn_world *world = cn_allocate(&memory, cn_world_bytes);
    if (!world) return NULL;
    world->memory = memory;
    world->sim.memory.allocator = def->allocator;
    initialize(world, def);
    bool done = cn_team_create(&world->sim.team, &world->memory, def->threads, &def->tasks);
    world->sim.moving_tree.shared = world->sim.static_tree.shared = world->sim.team != NULL;
    done = done && reserve(world, &def->capacity) && (!def->profiling || cn_start_profiling(world));
    if (done && (!def->move_events || cn_start_moves(world))) return world;
    cn_world_destroy(world);
    return NULL;
}

cn_world *cn_world_create(const cn_world_def *def) {
    cn_world *world = cn_make_world(def);
    return CN_CHECK(world != NULL) ? world : NULL;
}

// A replay sets its recorder to NULL before it destroys its world.
static bool require_no_replay(const cn_world *world) {
    return !world->recorder || world->recorder->calls ||
           cn_fail(CN_ERROR_STATE, "the world belongs to a replay: call cn_replay_destroy()");
}

void cn_attach(cn_world *world, cn_attachment *attachment) {
    attachment->world = world, attachment->next = world->attachments;
    world->attachments = attachment;
}

// The allocations that it made still count.
void cn_detach(cn_attachment *attachment) {
    cn_world *world = attachment->world;
    if (!world) return;
    cn_attachment **link = &world->attachments;
    while (*link != attachment) link = &(*link)->next;
    *link = attachment->next;
    world->memory.calls += attachment->memory.calls;
    attachment->world = NULL;
}

void cn_world_destroy(cn_world *world) {
    if (!world || !CN_CHECK(cn_require_idle(world) && cn_require_outside_before_step(world) &&
                            require_no_replay(world)))
        return;
    CN_RECORD(cn_world_destroy, world);
    while (world->attachments) cn_detach(world->attachments);
    cn_team_end(world->sim.team);
    cn_release_all(&world->sim.memory);
    cn_memory memory = world->memory; // the world itself is one of the blocks
    cn_release_all(&memory);
}

// ---- settings

vec2s cn_world_gravity(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->sim.gravity : cn_vec(0, 0);
}

int cn_world_substeps(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->sim.substeps : 0;
}

bool cn_world_no_sleep(const cn_world *world) {
    return cn_check_world(world, __func__) && !world->sim.sleeping;
}

float cn_world_linear_damping(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->sim.linear_damping : 0;
}

float cn_world_angular_damping(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->sim.angular_damping : 0;
}

uint64_t cn_world_user_data(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->user_data : 0;
}

int cn_world_threads(const cn_world *world) {
    return cn_check_world(world, __func__) ? cn_team_workers(world->sim.team) : 0;
}

float cn_world_time_step(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->time_step : 0;
}

int cn_world_max_steps(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->max_steps : 0;
}

float cn_world_length_unit(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->sim.length_unit : 0;
}

uint8_t cn_world_tag(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->tag : 0;
}

// Returns the greatest number of slots of a kind that were in use or waited to be used again.
static int most_slots(const cn_simulation *sim, cn_slot_kind kind) {
    return cn_max_int(sim->slots[kind].most, sim->slots[kind].end);
}

// The shapes of disabled bodies are in no tree.
cn_capacity cn_world_peak_capacity(const cn_world *world) {
    if (!cn_check_world(world, __func__)) return (cn_capacity){0};
    const cn_simulation *sim = &world->sim;
    int statics = sim->static_tree.most, shapes = most_slots(sim, CN_SHAPES);
    return (cn_capacity){.bodies = most_slots(sim, CN_BODIES),
                         .shapes = cn_max_int(sim->moving_tree.most, shapes - statics),
                         .static_shapes = statics,
                         .joints = most_slots(sim, CN_JOINTS),
                         .contacts = sim->most_contacts};
}

cn_tuning cn_world_tuning(const cn_world *world) {
    return cn_check_world(world, __func__) ? world->sim.tuning : (cn_tuning){0};
}

static void wake_all(cn_simulation *sim) {
    for (int i = 0; i < sim->sleeping_end; i++)
        if (sim->sleeping_islands[i].alive) cn_wake_island(sim, i);
}

// Gives all shapes new boxes, because the margins may have changed.
static void update_all_boxes(cn_simulation *sim) {
    CN_EACH(CN_BODIES, i, sim) cn_place_shapes(sim, i, FLT_MAX, true);
}

bool cn_world_set_gravity(cn_world *world, vec2s gravity) {
    CN_RECORD(cn_world_set_gravity, world, gravity);
    if (!cn_edit_world(world, __func__)) return false;
    if (!CN_CHECK(cn_require2("gravity", gravity, FLT_MAX))) return false;
    cn_simulation *sim = &world->sim;
    set_gravity(sim, gravity);
    wake_all(sim);
    return true;
}

// All islands are planned again, because those with joints may take more substeps.
bool cn_world_set_substeps(cn_world *world, int substeps) {
    CN_RECORD(cn_world_set_substeps, world, substeps);
    if (!cn_edit_world(world, __func__)) return false;
    if (!CN_CHECK(cn_require("number of substeps", (float)substeps, 1, MAX_SUBSTEPS))) return false;
    cn_simulation *sim = &world->sim;
    sim->substeps = substeps;
    cn_replan_all(sim);
    return true;
}

bool cn_world_set_no_sleep(cn_world *world, bool no_sleep) {
    CN_RECORD(cn_world_set_no_sleep, world, no_sleep);
    if (!cn_edit_world(world, __func__)) return false;
    cn_simulation *sim = &world->sim;
    sim->sleeping = !no_sleep;
    if (no_sleep) wake_all(sim);
    return true;
}

bool cn_world_set_damping(cn_world *world, float linear, float angular) {
    CN_RECORD(cn_world_set_damping, world, linear, angular);
    if (!cn_edit_world(world, __func__)) return false;
    if (!CN_CHECK(check_damping(linear, angular))) return false;
    cn_simulation *sim = &world->sim;
    sim->linear_damping = linear;
    sim->angular_damping = angular;
    return true;
}

bool cn_world_set_user_data(cn_world *world, uint64_t user_data) {
    CN_RECORD(cn_world_set_user_data, world, user_data);
    if (!cn_edit_world(world, __func__)) return false;
    world->user_data = user_data;
    return true;
}

bool cn_world_set_tuning(cn_world *world, cn_tuning tuning) {
    CN_RECORD(cn_world_set_tuning, world, tuning);
    if (!cn_edit_world(world, __func__)) return false;
    cn_simulation *sim = &world->sim;
    tuning = apply_tuning_defaults(sim, tuning);
    if (!CN_CHECK(check_tuning(&tuning))) return false;
    sim->tuning = tuning;
    update_all_boxes(sim);
    world->static_revision++;
    wake_all(sim);
    return true;
}
