/* Copies a world, takes one step in the copy, and lists the places of the step.
 *
 * The kernels of the copy are those of one lane, with the traced solver in place of theirs. So the
 * engine itself calls the traced solver, and needs no hook for it. (The report at the end of each
 * stage is an argument of cn_step().) The copy has one thread, so one variable has the state of
 * the trace. */
#include "hooks.h"

#include <math.h>
#include <stdlib.h>

static trace_run now;

// ---- places

static void begin_group(trace_level level) {
    for (int i = (int)level; i < TRACE_LEVELS; i++) now.groups[i]++;
}

static bool append(trace *to, const trace_place *place) {
    if (to->count == to->capacity) {
        int capacity = to->capacity ? 2 * to->capacity : 1024;
        void *grown = realloc(to->places, (size_t)capacity * sizeof *to->places);
        if (!grown) return false;
        to->places = grown, to->capacity = capacity;
    }
    to->places[to->count++] = *place;
    return true;
}

// A part of the work is done. `s` is the solver of the batch; NULL: the part is a whole stage.
static void add_place(const cn_solver *s, trace_place place) {
    begin_group(TRACE_CONTACT);
    memcpy(place.groups, now.groups, sizeof place.groups);
    place.stage = now.stage, place.batch = -1, place.substep = -1;
    if (s) {
        place.batch = now.batch, place.substep = now.substep;
        place.substeps = s->constants.substeps;
        place.colors = trace_color_of(s->batch, s->batch->colors.count - 1) + 1;
        place.islands = s->batch->island_sizes.count, place.bodies = s->batch->body_count;
    }
    if (now.made && !append(now.made, &place)) now.failed = true;
    if (++now.count == now.wanted && !trace_copy_view(&now, s)) now.failed = true;
}

// ---- what the solver does

static bool is_named(const char *name, const char *other) { return strcmp(name, other) == 0; }

// Finds out which batch and substep the pass belongs to.
static void begin_pass(const cn_solver *s, const char *name) {
    int batch = (int)(s->batch - s->sim->plan.batches);
    if (is_named(name, "cn_load_bodies")) now.is_preparing = true, now.prepared = 0;
    if (is_named(name, "integrate_velocities")) now.is_preparing = false;
    if (is_named(name, "solve_impacts")) now.has_impacts = true;
    if (is_named(name, "solve")) now.has_impacts = false;
    int substep = now.is_preparing ? -1 : s->now.substep;
    bool same = batch == now.batch && substep == now.substep;
    begin_group(now.batch < 0 ? TRACE_STAGE : same ? TRACE_PASS : TRACE_SUBSTEP);
    now.batch = batch, now.substep = substep;
    now.change = (trace_impulses){.friction = 0};
}

static void measure_speeds(const cn_solver *s) {
    for (int i = 1; i <= s->batch->body_count && now.made; i++) {
        cn_float4 v = s->states[i].v;
        now.made->largest_speed = cn_max(now.made->largest_speed, hypotf(v[0], v[1]));
    }
}

void trace_distribute(cn_solver *s, int count, cn_part *part, const char *name) {
    if (count <= 0) return;
    begin_pass(s, name);
    part(s, 0, count);
    if (is_named(name, "integrate_velocities")) measure_speeds(s);
    if (is_named(name, "finish")) now.done_batches = now.batch + 1;
    add_place(s, (trace_place){.name = name, .color = -1, .slot = -1});
}

// Runs a work and reports it, unless it has reported its parts.
void trace_run_work(cn_solver *s, cn_solver_work *work, const char *name) {
    const int before = now.count;
    begin_pass(s, name);
    work(s);
    if (now.count == before) add_place(s, (trace_place){.name = name, .color = -1, .slot = -1});
}

static void run_trees(cn_solver *s, cn_solver_work *work, const char *name) {
    if (s->batch->tree_groups.count) begin_pass(s, name);
    work(s);
    if (!s->batch->tree_groups.count) return;
    add_place(s, (trace_place){.name = name, .color = -1, .slot = -1, .relaxes = s->now.relax});
}

void trace_solve_trees(cn_solver *s) { run_trees(s, cn_solve_trees_1, "cn_solve_trees"); }
void trace_finish_trees(cn_solver *s) { run_trees(s, cn_finish_trees_1, "cn_finish_trees"); }

static trace_impulses read_impulses(const cn_solver *s, const cn_color *color, int block,
                                    const char *name) {
    bool is_contact = color->row_type < CN_ROW_POINT;
    if (is_contact && is_named(name, "solve_impacts")) return trace_read_impact(s, block);
    return block < now.prepared ? trace_read_block(s, color, block)
                                : (trace_impulses){.friction = 0};
}

static float largest_of(trace_impulses i) {
    return cn_max(cn_max(cn_abs(i.normal[0]), cn_abs(i.normal[1])), cn_abs(i.friction));
}

static trace_impulses subtract(trace_impulses a, trace_impulses b) {
    return (trace_impulses){{a.normal[0] - b.normal[0], a.normal[1] - b.normal[1]},
                            a.friction - b.friction};
}

// Updates the largest impulse and the residuals of the step.
static void measure(const cn_solver *s, const cn_color *color, const trace_place *place,
                    trace_impulses impulses) {
    trace *made = now.made;
    if (!made) return;
    int substep = s->now.substep / s->batch->substeps;
    if (color->row_type < CN_ROW_POINT)
        made->largest_impulse =
            cn_max(made->largest_impulse, cn_max(impulses.normal[0], impulses.normal[1]));
    if (!is_named(place->name, "solve") || substep >= TRACE_MAX_SUBSTEPS) return;
    float *residual = &made->residuals[substep][place->relaxes];
    *residual = cn_max(*residual, place->change);
    made->substeps = s->sim->substeps;
}

static void find_ends(const cn_simulation *sim, trace_place *place) {
    if (place->is_joint) {
        memcpy(place->ends, sim->joint_records[place->slot].bodies, sizeof place->ends);
        return;
    }
    place->ends[0] = sim->touching.bodies[place->slot].a;
    place->ends[1] = sim->touching.bodies[place->slot].b;
}

// Visits one contact or joint. If a pass visits all blocks and changes only some, only the changed
// blocks are places.
static void visit(cn_solver *s, cn_solver_pass *pass, const char *name, const cn_color *color,
                  int block) {
    const cn_lane *lane = &s->batch->lanes.items[block];
    bool prepares = is_named(name, "prepare");
    bool always = prepares || is_named(name, "solve") || is_named(name, "store");
    trace_impulses before =
        prepares ? (trace_impulses){.friction = 0} : read_impulses(s, color, block, name);
    cn_float4 va = s->states[lane->a].v, vb = s->states[lane->b].v;
    pass(s, color, block, block + 1);
    if (prepares) now.prepared = block + 1;
    trace_impulses after = read_impulses(s, color, block, name);
    now.change = subtract(after, before);
    bool moved = memcmp(&va, &s->states[lane->a].v, sizeof va) != 0 ||
                 memcmp(&vb, &s->states[lane->b].v, sizeof vb) != 0;
    if (!always && !moved) return;
    trace_place place = {.name = name,
                         .color = trace_color_of(s->batch, (int)(color - s->batch->colors.items)),
                         .slot = lane->slot,
                         .is_joint = color->row_type >= CN_ROW_POINT,
                         .relaxes = is_named(name, "solve") && s->now.relax,
                         .change = largest_of(now.change)};
    find_ends(s->sim, &place);
    measure(s, color, &place, after);
    add_place(s, place);
}

void trace_run_colors(cn_solver *s, cn_solver_pass *pass, const char *name, int first, int end) {
    if (first < end) begin_pass(s, name);
    const cn_color *colors = s->batch->colors.items;
    for (int i = first; i < end; i++) {
        if (i == first || colors[i].number != colors[i - 1].number) begin_group(TRACE_COLOR);
        for (int k = colors[i].first_block; k < colors[i].end_block; k++)
            visit(s, pass, name, &colors[i], k);
    }
}

// ---- the step

static void end_stage(void *context, const cn_stage *stage) {
    (void)context;
    if (is_named(stage->name, "move bodies")) now.done_batches = 0;
    now.change = (trace_impulses){.friction = 0};
    begin_group(now.batch < 0 ? TRACE_STAGE : TRACE_SUBSTEP);
    add_place(NULL, (trace_place){.name = stage->name, .color = -1, .slot = -1});
    if (now.made) now.made->stage_names[now.stage] = stage->name;
    now.stage++;
    now.batch = -1;
}

// The next step has no warm start.
static void clear_impulses(cn_simulation *sim) {
    CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end) {
        cn_contact_record *r = &sim->touching.records[slot];
        r->ln1 = r->ln2 = r->lt = 0;
    }
    CN_EACH(CN_JOINTS, joint, sim) {
        cn_joint_state *state = &sim->joint_records[joint].state;
        memset(state->lock, 0, sizeof state->lock);
        memset(state->spring, 0, sizeof state->spring);
        memset(state->motor, 0, sizeof state->motor);
        sim->joints[joint].coupling.impulse = 0;
    }
}

static void use_traced_solver(cn_simulation *sim) {
    static cn_kernels traced;
    traced = cn_kernel_table_1;
    traced.batch_bytes = trace_batch_bytes, traced.solve = trace_solve_batch;
    traced.single = &traced;
    sim->kernels = &traced;
    sim->widest_only = true;
}

// Takes the step in a new copy, and reports it to `run`. Returns the copy after the step; NULL if
// that fails.
static cn_world *take_step(const trace *of, trace_run run) {
    cn_world *copy = cn_world_load(&(cn_world_def){0}, NULL, of->bytes, of->size);
    if (!copy) return NULL;
    now = run;
    now.sim = &copy->sim, now.batch = -1;
    use_traced_solver(&copy->sim);
    if (of->is_cold) clear_impulses(&copy->sim);
    if (now.wanted == 0 && !trace_copy_view(&now, NULL)) now.failed = true;
    if (cn_step(&copy->sim, of->dt, NULL, end_stage, NULL) && !now.failed) return copy;
    if (now.failed) cn_fail(CN_ERROR_MEMORY, "memory is short");
    cn_world_destroy(copy);
    return NULL;
}

// ---- the trace

static bool save_world(trace *made, const cn_world *world) {
    made->size = cn_world_save(world, CN_SAVE_ALL, NULL, 0);
    if (!made->size) return false;
    made->bytes = malloc(made->size);
    if (!made->bytes) return cn_fail(CN_ERROR_MEMORY, "memory is short");
    cn_world_save(world, CN_SAVE_ALL, made->bytes, made->size);
    return true;
}

bool trace_make(trace *made, const cn_world *world, float dt, bool is_cold) {
    *made = (trace){.dt = dt, .is_cold = is_cold};
    if (world->callbacks.filter || world->callbacks.pre_solve)
        return cn_fail(CN_ERROR_STATE, "its world has the callbacks filter or pre_solve");
    if (!save_world(made, world)) return false;
    cn_world *copy = take_step(made, (trace_run){.made = made, .wanted = -1});
    if (!copy) {
        trace_free(made);
        return false;
    }
    made->stages = now.stage;
    made->hash = cn_world_hash(copy);
    cn_world_destroy(copy);
    return true;
}

void trace_free(trace *made) {
    free(made->bytes);
    free(made->places);
    *made = (trace){0};
}

bool trace_look(const trace *made, int n, trace_view *view) {
    cn_world *copy = take_step(made, (trace_run){.view = view, .wanted = n});
    if (copy) cn_world_destroy(copy);
    return copy;
}

int trace_next(const trace *made, int n, trace_level level) {
    int end = n;
    while (end < made->count && made->places[end].groups[level] == made->places[n].groups[level])
        end++;
    return end;
}

int trace_previous(const trace *made, int n, trace_level level) {
    int first = n;
    while (first > 0 && made->places[first - 1].groups[level] == made->places[n - 1].groups[level])
        first--;
    return first;
}
