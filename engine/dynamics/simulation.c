/* The step, as a table of contents.
 *
 * Until "plan islands" has succeeded nothing of the state has changed, so a step that runs out of memory
 * leaves the world as it was. After it no stage can fail.
 */
#include "dynamics.h"

static void refit_trees(cn_simulation *sim) {
    cn_tree_refit(&sim->moving);
    cn_tree_refit(&sim->fixed);
}

const cn_stage cn_stages[] = {
    {"find pairs", .prepare = cn_find_pairs}, // new overlaps of boxes, and which islands wake
    {"prepare contacts", .prepare = cn_prepare_contacts}, // slots and memory for all that begins
    {"plan islands", .prepare = cn_plan_islands},   // islands, colours, batches: what has changed
    {"update contacts", .run = cn_update_contacts}, // refresh, remake, begin, end
    {"ask user", .run = cn_ask_user},               // may switch contacts off
    {"solve islands", .run = cn_solve}, // substeps of every batch, then its bodies' new poses
    {"move kinematics", .run = cn_move_kinematics}, // by their velocities
    {"sweep fast bodies", .run = cn_sweep_bodies},  // back to what they hit on their way
    {"look around", .run = cn_look_around},         // what sensors see
    {"sleep", .run = cn_sleep_islands},             // islands that have been at rest for long
    {"refit trees", .run = refit_trees},            // so that queries only read
};
const int cn_stage_count = sizeof cn_stages / sizeof cn_stages[0];

const cn_kernels *cn_kernels_for(int lanes) {
    if (lanes == 0) lanes = cn_cpu_lanes();
    if (lanes > cn_cpu_lanes()) return NULL;
    switch (lanes) {
    case 1: return &cn_kernels_1;
    case 4: return &cn_kernels_4;
#if defined(CN_BUILD_AVX2)
    case 8: return &cn_kernels_8;
#endif
#if defined(CN_BUILD_AVX512)
    case 16: return &cn_kernels_16;
#endif
    default: return NULL;
    }
}

static int32_t key_of(const char *item) {
    int32_t key;
    memcpy(&key, item, sizeof key);
    return key;
}

// Shell sort: it needs no memory, and items are few or nearly in order.
void cn_sort_items(void *items, int count, size_t size) {
    char *first = items, held[sizeof(cn_touch_note)];
    assert(size <= sizeof held);
    for (int gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int i = gap; i < count; i++) {
            char *to = first + (size_t)i * size;
            size_t step = (size_t)gap * size;
            memcpy(held, to, size);
            for (int k = i; k >= gap && key_of(to - step) > key_of(held); k -= gap, to -= step)
                memcpy(to, to - step, size);
            memcpy(to, held, size);
        }
}

typedef struct {
    cn_simulation *sim;
    cn_worker alone;
} solution;

static void solve_batches(void *context, int first, int end) {
    solution *s = context;
    size_t place = s->sim->share_of_arena * (size_t)s->alone.index;
    for (int i = first; i < end; i++) {
        cn_batch *batch = &s->sim->plan.batches[i];
        if (batch->alive && !cn_is_giant(s->sim, batch))
            batch->kernels->solve(s->sim, batch, place, &s->alone);
    }
}

// First together, then each its own.
static void solve_all(void *context, cn_worker *worker) {
    cn_simulation *sim = context;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        cn_batch *batch = &sim->plan.batches[i];
        if (batch->alive && cn_is_giant(sim, batch)) batch->kernels->solve(sim, batch, 0, worker);
    }
    solution s = {sim, {.index = worker->index}};
    cn_share(worker, sim->plan.batch_count, 1, solve_batches, &s);
}

/* Contacts are as stiff as the substep allows. Where it gets longer they are softer at once; where it gets
 * shorter they get firm by and by, half as long a second, or what the longer one let sink in would be thrown
 * out, and a pile would never rest while steps change. Up to eight times the substep is
 * remembered; what contacts make of it see the solver. (Joints follow the mean.) */
void cn_solve(cn_simulation *sim) {
    float h = sim->step_seconds / (float)sim->substeps, kept = 1 - 0.5f * sim->step_seconds;
    sim->soft_substep = cn_max(h, cn_min(sim->soft_substep * kept, 8 * h));
    // A single long step counts little, or joints would be soft after a pause, or a first frame that loads.
    if (sim->mean_substep == 0) sim->mean_substep = cn_min(h, 1.0f / 60 / (float)sim->substeps);
    sim->mean_substep += cn_min(sim->step_seconds, 1.0f / 30) * (h - sim->mean_substep);
    sim->fast = sim->fresh + sim->fresh_count;
    cn_run(sim->team, sim->plan.work, solve_all, sim);
    cn_finish_noted(sim);
    sim->last_substep = h;
    // Batches are solved in any order, so the hits of the step are put into that of their contacts.
    int count = sim->hits.count - sim->first_hit;
    if (count) cn_sort_items(sim->hits.items + sim->first_hit, count, sizeof *sim->hits.items);
}

// ---- memory

bool cn_reserve_contacts(cn_simulation *sim, int count) {
    if (count == 0) return true;
    cn_memory *memory = &sim->memory;
    bool done = cn_touching_resize(sim, CN_FIRST_SLOT + count);
    int slots = cn_touching_slots(&sim->touching);
    for (int i = 0; i < CN_APART_LISTS; i++)
        done = done && cn_reserve(memory, &sim->apart[i], slots);
    return done && cn_reserve(memory, &sim->new_slots, slots) &&
           cn_reserve(memory, &sim->lost_slots, slots) && cn_reserve(memory, &sim->begins, slots) &&
           cn_reserve(memory, &sim->ends, slots) &&
           cn_reserve(memory, &sim->pairs, count + CN_PAIRS_OF_JOB);
}

void *cn_scratch(cn_simulation *sim, size_t bytes) {
    cn_arena *arena = &sim->arena;
    const cn_row row = {&arena->memory, CN_ARENA_UNIT};
    int needed = (int)(bytes / CN_ARENA_UNIT) + 1;
    arena->used = 0;
    if (needed <= arena->capacity) return arena->memory;
    return cn_grow_rows(&sim->memory, &row, 1, &arena->capacity, needed) ? arena->memory : NULL;
}
