/* Fuzz target: sequences of calls of every function of the API, with any arguments. It checks:
 *
 *   - a call that fails says why, and changes nothing
 *   - a world with random lanes and threads gives the same results and hashes as a world with one
 *     lane and one thread
 *   - a contact has one begin event, then one end event; after the last body was destroyed, no
 *     contact is left
 *   - any allocation may fail; at the end all memory was released
 *
 * The first bytes of the input choose the world. The rest are the calls, one after the other. */
#include "any_call.h"

enum { MOST_OPEN = 4096 };

typedef struct {
    uint64_t a, b;
    int begins; // more than ends
} pair;

typedef struct {
    fuzz f;
    block_list blocks;
    fuzz_memory memory;
    cn_world *worlds[2];     // the second one has one lane and one thread, or is NULL
    uint64_t hash;           // of the first
    bool is_failing;         // allocations fail
    bool is_followed;        // begin and end events are compared
    bool is_switched;        // touch events were switched, so some touching contacts had no event
    pair open[2][MOST_OPEN]; // pairs that have begun: of contacts, and of sensors
    int open_count[2];
} trial;

// ---- events

static int find_pair(trial *t, int kind, uint64_t a, uint64_t b) {
    int count = t->open_count[kind];
    for (int i = 0; i < count; i++)
        if (t->open[kind][i].a == a && t->open[kind][i].b == b) return i;
    CLAIM(count < MOST_OPEN, "too many pairs");
    t->open[kind][count] = (pair){a, b, 0};
    return t->open_count[kind]++;
}

static void count_pair(trial *t, int kind, cn_side a, cn_side b, int change) {
    t->open[kind][find_pair(t, kind, a.shape.id, b.shape.id)].begins += change;
}

// Checks that each pair has begun as often as it has ended, or once more.
static void check_pairs(trial *t, int kind) {
    int kept = 0;
    for (int i = 0; i < t->open_count[kind]; i++) {
        pair p = t->open[kind][i];
        CLAIM(p.begins == 0 || p.begins == 1, "%d more begins than ends", p.begins);
        if (p.begins) t->open[kind][kept++] = p;
    }
    t->open_count[kind] = kept;
}

static bool raises_events(const cn_world *w, cn_side side) {
    return side.grid.id || !cn_shape_no_touch_events(w, side.shape);
}

// Checks that each touching contact had a begin event, unless it raises no events.
static void check_contacts(trial *t) {
    static cn_contact contacts[1024];
    const cn_world *w = t->worlds[0];
    int count = cn_world_contacts(w, contacts, 1024);
    for (int i = 0; i < count && i < 1024; i++) {
        cn_side a = contacts[i].a, b = contacts[i].b;
        if (a.grid.id || b.grid.id || !raises_events(w, a) || !raises_events(w, b)) continue;
        CLAIM(t->open[0][find_pair(t, 0, a.shape.id, b.shape.id)].begins == 1,
              "a contact without a begin event");
    }
}

static void follow_events(trial *t) {
    t->memory.fail_at = 0;
    cn_events e = cn_world_events(t->worlds[0]);
    if (!t->is_followed) return;
    for (int i = 0; i < e.begin_count; i++) count_pair(t, 0, e.begins[i].a, e.begins[i].b, 1);
    for (int i = 0; i < e.end_count; i++) count_pair(t, 0, e.ends[i].a, e.ends[i].b, -1);
    check_pairs(t, 0);
    if (t->is_failing) return; // (sensor events may come late)
    for (int i = 0; i < e.sensor_begin_count; i++)
        count_pair(t, 1, e.sensor_begins[i].sensor, e.sensor_begins[i].other, 1);
    for (int i = 0; i < e.sensor_end_count; i++)
        count_pair(t, 1, e.sensor_ends[i].sensor, e.sensor_ends[i].other, -1);
    check_pairs(t, 1);
}

// ---- a call

static bool steps(const api_call *call) {
    return is(call, "cn_world_step") || is(call, "cn_worlds_step") || is(call, "cn_world_advance");
}

// Checks that an error names the function, unless a callback caused the error.
static void check_error(const trial *t, const api_call *call, const outcome *o) {
    if (o->failed) CLAIM(o->error != CN_ERROR_NONE, "%s failed without an error", call->name);
    if (o->is_noisy || !o->failed) return;
    if (t->is_failing && steps(call) && !o->is_clear) return; // perhaps an error of its events
    size_t length = strlen(call->name);
    bool is_named = strncmp(cn_error(), call->name, length) == 0 && cn_error()[length] == ':';
    CLAIM(is_named || call->effect == EFFECT_thread, "%s: \"%s\"", call->name, cn_error());
}

// Checks that a call that succeeds leaves no error, except a step without memory for its events.
static void check_success(const trial *t, const api_call *call, const outcome *o) {
    if (o->failed || o->is_noisy || (t->is_failing && steps(call))) return;
    CLAIM(o->error == CN_ERROR_NONE, "%s succeeded: \"%s\"", call->name, cn_error());
}

// True if a call that fails may change the hash. A step without memory may have given shapes to
// tiles, cn_world_advance() may have taken steps, and cn_worlds_step() may have failed for another
// world only.
static bool may_change(const trial *t, const api_call *call, const outcome *o) {
    if (!o->failed && call->effect == EFFECT_changes) return true;
    if (is(call, "cn_world_advance")) return t->is_failing || o->is_noisy;
    if (is(call, "cn_worlds_step")) return true;
    return t->is_failing && steps(call) && t->f.kept_count[GRIDS] > 0;
}

static void check_hash(trial *t, const api_call *call, const outcome *o) {
    uint64_t hash = cn_world_hash(t->worlds[0]);
    if (!may_change(t, call, o))
        CLAIM(hash == t->hash, "%s changed the world%s", call->name,
              o->failed ? " and failed" : "");
    t->hash = hash;
}

static void run_call(trial *t, const api_call *call, int index, outcome *o) {
    t->f.read = t->worlds[index];
    call->call(&t->f, t->worlds[index], o);
    check_error(t, call, o), check_success(t, call, o);
}

// Makes the same call in the second world, and compares.
static void run_replica(trial *t, const api_call *call, size_t start, const outcome *o) {
    outcome other;
    size_t end = t->f.at;
    t->f.at = start;
    run_call(t, call, 1, &other);
    CLAIM(t->f.at == end, "%s drew other arguments", call->name);
    CLAIM(o->failed == other.failed, "%s failed in one of two worlds", call->name);
    CLAIM(o->sum == other.sum, "%s differs in two worlds", call->name);
    CLAIM(o->id == other.id, "%s: other handles", call->name);
}

static void keep_created(trial *t, const outcome *o) {
    if (o->failed || o->created == CREATED_NOTHING) return;
    keep_handle(&t->f, (handle_kind)(o->created - 1), o->id);
}

static void destroy_worlds(trial *t);
static void create_worlds(trial *t);

static void make_call(trial *t) {
    fuzz *f = &t->f;
    const api_call *call = draw_call(f);
    f->is_wild = draw_below(f, 4) == 3;
    if (is(call, "cn_world_destroy")) {
        destroy_worlds(t), create_worlds(t);
        return;
    }
    if (steps(call) && f->is_wild) f->is_wild = draw_below(f, 4) == 3;
    t->memory.fail_at = 0;
    if (t->is_failing && draw_below(f, 3) == 0)
        t->memory.fail_at = t->memory.calls + 1 + (uint64_t)draw_below(f, 12);
    size_t start = f->at;
    uint64_t steps_before = cn_world_counters(t->worlds[0]).steps;
    outcome o;
    run_call(t, call, 0, &o);
    free_blocks(t->f.blocks);
    t->memory.fail_at = 0;
    if (t->worlds[1]) run_replica(t, call, start, &o);
    keep_created(t, &o);
    check_hash(t, call, &o);
    if (t->worlds[1] && call->effect == EFFECT_changes)
        CLAIM(t->hash == cn_world_hash(t->worlds[1]), "after %s", call->name);
    free_blocks(f->blocks);
    bool restores = is(call, "cn_world_restore") || is(call, "cn_rollback_rewind");
    if (restores && !o.failed) t->is_followed = false;
    if (is(call, "cn_shape_set_no_touch_events") || o.is_noisy) t->is_switched = true;
    if (cn_world_counters(t->worlds[0]).steps == steps_before || is(call, "cn_world_restore"))
        return;
    follow_events(t); // of new steps
    if (t->is_followed && !t->is_failing && !t->is_switched) check_contacts(t);
}

// ---- worlds

static void create_worlds(trial *t) {
    fuzz *f = &t->f;
    world_choice choice;
    cn_world_def def = draw_world(f, &t->memory, &choice), plain = def;
    plain.lanes = plain.threads = 1;
    if (choice.machine >= 200 && def.threads > 1)
        def.tasks = (cn_task_system){start_tasks, finish_tasks, f};
    t->memory.fail_at = 0;
    t->worlds[0] = create_defined(&def);
    t->worlds[1] = t->is_failing ? NULL : cn_world_create(&plain);
    memset(f->kept_count, 0, sizeof f->kept_count);
    for (int i = 0; i < 2 && t->worlds[i]; i++) {
        fill_world(f, t->worlds[i], choice.kind / 16, i == 0);
        f->owners[i] = t->worlds[i], f->rollbacks[i] = cn_rollback_create(t->worlds[i], 5);
        f->replays[i] = cn_replay_create(i ? &plain : &def, f->tape.bytes, f->tape.size);
    }
    t->hash = cn_world_hash(t->worlds[0]);
    t->is_followed = true, t->is_switched = false;
    t->open_count[0] = t->open_count[1] = 0;
}

// After all bodies were destroyed, no contact is left.
static void check_end(trial *t) {
    cn_world *w = t->worlds[0];
    cn_world_set_callbacks(w, (cn_callbacks){0});
    for (cn_body b; b = cn_world_next_body(w, (cn_body){0}), b.id;) cn_body_destroy(w, b);
    CLAIM(cn_world_step(w, 1.0f / 60), "%s", cn_error());
    follow_events(t);
    cn_counters c = cn_world_counters(w);
    CLAIM(!c.bodies && !c.shapes && !c.joints && !c.contacts && !c.touching, "something is left");
    if (t->is_followed) CLAIM(t->open_count[0] == 0, "%d contacts have no end", t->open_count[0]);
    if (t->is_followed && !t->is_failing)
        CLAIM(t->open_count[1] == 0, "%d sensor events have no end", t->open_count[1]);
}

static void destroy_worlds(trial *t) {
    t->memory.fail_at = 0;
    check_end(t);
    for (int i = 0; i < 2; i++) {
        cn_rollback_destroy(t->f.rollbacks[i]), t->f.rollbacks[i] = NULL;
        cn_replay_destroy(t->f.replays[i]), t->f.replays[i] = NULL;
        cn_world_destroy(t->worlds[i]), t->worlds[i] = NULL;
    }
    CLAIM(t->memory.blocks == 0 && t->memory.bytes == 0, "%zu blocks leak", t->memory.blocks);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static trial t;
    count_calls();
    if (size < 4) return 0;
    t = (trial){.f = {.bytes = bytes, .size = size}, .memory = {.largest = (size_t)1 << 26}};
    t.f.blocks = &t.blocks, t.f.memory = &t.memory;
    int kind = draw_byte(&t.f);
    t.is_failing = kind % 3 == 0;
    t.f.seed = scramble((uint64_t)kind);
    find_foreign(&t.f);
    t.f.tape = make_tape();
    create_worlds(&t);
    while (t.f.at < t.f.size) make_call(&t);
    destroy_worlds(&t);
    cn_error_set_hook(NULL, NULL);
    free(t.f.saved.bytes), free(t.f.tape.bytes);
    return 0;
}
