/* Fuzz target: a world that is rewound, or that just goes on, against a world that is loaded.
 *
 * Random calls change a world. At random moments its state is saved. Mostly it is also kept in a
 * rollback, and more random calls follow, then the rewind. A second world is loaded from the saved
 * bytes. From there on, both are equal: hashes, saved bytes, drawn poses, drawings, and the hashes
 * and results of the next steps and calls. After a rewind the counters and contacts are equal, too.
 *
 * The target "calls" cannot find such faults, because both of its worlds are rewound. It also
 * seldom changes a body that has joints and contacts. Here most calls change something, and there
 * is a chain of bodies with joints.
 *
 * The first bytes of the input choose the world. The rest are the calls, one after the other. */
#include "any_call.h"

enum { AHEAD = 60, MOST_BODIES = 512, MOST_BYTES = 1 << 20 };

typedef struct {
    fuzz f;
    block_list blocks;
    fuzz_memory memory;
    cn_world *world;
    cn_rollback *rollback; // only of this target; the calls have another one
} trial;

// ---- comparison

static uint64_t sum_of_counters(const cn_world *world) {
    outcome o = {0};
    mix_cn_counters(&o, cn_world_counters(world));
    return o.sum;
}

static void compare_saves(const cn_world *a, const cn_world *b) {
    static unsigned char bytes[2][MOST_BYTES];
    size_t size = cn_world_save(a, CN_SAVE_ALL, bytes[0], MOST_BYTES);
    if (size == 0 || size > MOST_BYTES) return;
    CLAIM(cn_world_save(b, CN_SAVE_ALL, bytes[1], MOST_BYTES) == size, "%zu bytes", size);
    CLAIM(memcmp(bytes[0], bytes[1], size) == 0, "other bytes");
}

static void compare_drawn_poses(const cn_world *a, const cn_world *b) {
    static cn_pose poses[2][MOST_BODIES];
    int count = cn_world_poses(a, poses[0], MOST_BODIES, true);
    CLAIM(count == cn_world_poses(b, poses[1], MOST_BODIES, true), "%d poses", count);
    CLAIM(memcmp(poses[0], poses[1], sizeof poses[0]) == 0, "other drawn poses");
}

static bool same_vertices(const cn_draw_vertex *a, const cn_draw_vertex *b, int count) {
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

// The inner boxes of the trees depend on the history. So does the scale of the lines of forces, and
// the drawing of contacts shows those that began in the last step.
static void compare_drawings(cn_world *a, cn_world *b, bool with_contacts) {
    uint32_t flags = CN_DRAW_ALL & ~(uint32_t)(CN_DRAW_TREE | CN_DRAW_JOINTS);
    if (!with_contacts) flags &= ~(uint32_t)CN_DRAW_CONTACTS;
    cn_drawing p, q;
    CLAIM(cn_world_draw(a, flags, &p) && cn_world_draw(b, flags, &q), "%s", cn_error());
    CLAIM(p.triangle_vertices == q.triangle_vertices && p.line_vertices == q.line_vertices,
          "%d, %d lines", p.line_vertices, q.line_vertices);
    CLAIM(same_vertices(p.triangles, q.triangles, p.triangle_vertices) &&
              same_vertices(p.lines, q.lines, p.line_vertices),
          "other drawings");
}

static void compare(cn_world *a, cn_world *b, bool is_rewound) {
    CLAIM(cn_world_hash(a) == cn_world_hash(b), "other hashes");
    CLAIM(cn_world_compare(a, b).part == CN_PART_NONE, "a difference that has no hash");
    CLAIM(!is_rewound || sum_of_counters(a) == sum_of_counters(b), "other counters");
    compare_saves(a, b);
    compare_drawn_poses(a, b);
    compare_drawings(a, b, is_rewound);
}

// ---- calls

static void keep_created(trial *t, const outcome *o) {
    if (o->failed || o->created == CREATED_NOTHING) return;
    keep_handle(&t->f, (handle_kind)(o->created - 1), o->id);
}

// Draws a function: a step, one that changes something, or any.
static const api_call *draw_change(fuzz *f) {
    static const api_call *changes[CALLS];
    static int count;
    for (int i = 0; count == 0 && i < CALLS; i++)
        if (calls[i].effect == EFFECT_changes) changes[count++] = &calls[i];
    int kind = draw_below(f, 8);
    const api_call *call = kind < 2   ? find_call("cn_world_step")
                           : kind < 7 ? changes[draw_word(f) % (uint32_t)count]
                                      : draw_call(f);
    f->is_wild = draw_below(f, 8) == 7;
    return is(call, "cn_world_destroy") ? find_call("cn_world_step") : call;
}

static void run_call(trial *t, const api_call *call, cn_world *world, outcome *o) {
    t->f.read = world;
    call->call(&t->f, world, o);
    free_blocks(&t->blocks);
    if (is(call, "cn_world_set_callbacks") && !o->failed) t->f.callbacks = last_callbacks;
}

static void make_calls(trial *t, int count) {
    for (int i = 0; i < count && t->f.at < t->f.size; i++) {
        outcome o;
        run_call(t, draw_change(&t->f), t->world, &o);
        keep_created(t, &o);
    }
}

// True if the result of a call follows from the state alone: not from kept states, recordings,
// earlier drawings or poses of the frame before.
static bool follows_from_state(const api_call *call) {
    return call->effect == EFFECT_changes && !strstr(call->name, "rollback") &&
           !strstr(call->name, "record") && !strstr(call->name, "replay") &&
           !is(call, "cn_world_draw") && !is(call, "cn_worlds_step");
}

// True if a call had the same result. How often a filter is called for a pair depends on the
// history, so the last error of a call from a callback does, too.
static bool same_results(const outcome *a, const outcome *b) {
    bool is_noisy = a->is_noisy || b->is_noisy;
    return (is_noisy || a->failed == b->failed) && a->sum == b->sum && a->id == b->id;
}

// Makes the same call in both worlds.
static void call_both(trial *t, cn_world *loaded) {
    const api_call *call = draw_change(&t->f);
    if (!follows_from_state(call)) call = find_call("cn_world_step");
    size_t start = t->f.at;
    outcome o, other;
    run_call(t, call, t->world, &o);
    size_t end = t->f.at;
    t->f.at = start;
    run_call(t, call, loaded, &other);
    CLAIM(t->f.at == end, "%s drew other arguments", call->name);
    CLAIM(same_results(&o, &other), "%s differs in the rewound and in the loaded world",
          call->name);
    keep_created(t, &o);
}

// ---- rewinding

static void follow(trial *t, cn_world *loaded, bool is_rewound) {
    bool with_calls = draw_below(&t->f, 3) == 0;
    for (int i = 0; i < AHEAD; i++) {
        if (with_calls && draw_below(&t->f, 4) == 0) call_both(t, loaded);
        bool done = cn_world_step(t->world, 1.0f / 60);
        CLAIM(done == cn_world_step(loaded, 1.0f / 60), "%s", cn_error());
        if (cn_world_hash(t->world) != cn_world_hash(loaded)) {
            cn_difference d = cn_world_compare(t->world, loaded);
            CLAIM(false, "part %d of body %d differs %d steps later", (int)d.part,
                  (int)(d.body.id & 0xFFFFFF), i + 1);
        }
        call_count += 2;
    }
    compare(t->world, loaded, is_rewound);
}

// Makes calls and takes them back.
static void rewind_once(trial *t) {
    CLAIM(cn_rollback_keep(t->rollback, 0), "%s", cn_error());
    make_calls(t, draw_below(&t->f, 16));
    CLAIM(cn_rollback_rewind(t->rollback, 0), "%s", cn_error());
}

static void load_once(trial *t) {
    static unsigned char bytes[MOST_BYTES];
    size_t size = cn_world_save(t->world, CN_SAVE_ALL, bytes, MOST_BYTES);
    if (size == 0 || size > MOST_BYTES) return;
    bool rewinds = draw_below(&t->f, 4) > 0;
    if (rewinds) rewind_once(t);
    cn_world_def def = {.lanes = 1, .allocator = allocator_of(&t->memory)};
    cn_world *loaded = cn_world_load(&def, &t->f.callbacks, bytes, size);
    CLAIM(loaded, "%s", cn_error());
    call_count += 4;
    compare(t->world, loaded, rewinds);
    follow(t, loaded, rewinds);
    cn_world_destroy(loaded);
}

// ---- the world

// Adds a chain of boxes with joints of different types. Every second box has another joint to the
// box before it, so that there are cycles.
static void add_chain(trial *t, int count) {
    cn_world *w = t->world;
    cn_body last = {t->f.kept[BODY][0]}; // the floor
    for (int i = 0; i < count; i++) {
        vec2s p = {{-4 + (float)i, 3}}, middle = {{p.x - 0.5f, 3}};
        cn_body box = cn_body_create(w, &(cn_body_def){.position = p});
        cn_shape shape = cn_shape_create(w, box, &(cn_shape_def){.hull = cn_box(0.4f, 0.2f)});
        keep_handle(&t->f, BODY, box.id);
        keep_handle(&t->f, SHAPE, shape.id);
        for (int k = 0; k <= i % 2; k++) {
            cn_joint_def def = (i + k) % 3 == 0   ? cn_revolute_joint(w, last, box, middle)
                               : (i + k) % 3 == 1 ? cn_weld_joint(w, last, box, middle)
                                                  : cn_spring_joint(w, last, box, middle, p);
            keep_handle(&t->f, JOINT, cn_joint_create(w, def).id);
        }
        last = box;
    }
}

static void create_world(trial *t) {
    fuzz *f = &t->f;
    world_choice choice;
    cn_world_def def = draw_world(f, &t->memory, &choice);
    t->world = create_defined(&def);
    fill_world(f, t->world, choice.kind / 16, true);
    add_chain(t, choice.machine % 8);
    f->owners[0] = t->world, f->rollbacks[0] = cn_rollback_create(t->world, 5);
    f->replays[0] = cn_replay_create(&def, f->tape.bytes, f->tape.size);
    t->rollback = cn_rollback_create(t->world, 1);
}

static void destroy_world(trial *t) {
    cn_rollback_destroy(t->rollback);
    cn_rollback_destroy(t->f.rollbacks[0]);
    cn_replay_destroy(t->f.replays[0]);
    cn_world_destroy(t->world);
    CLAIM(t->memory.blocks == 0 && t->memory.bytes == 0, "%zu blocks leak", t->memory.blocks);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static trial t;
    count_calls();
    if (size < 4) return 0;
    t = (trial){.f = {.bytes = bytes, .size = size}, .memory = {.largest = (size_t)1 << 26}};
    t.f.blocks = &t.blocks, t.f.memory = &t.memory;
    t.f.seed = scramble((uint64_t)draw_byte(&t.f));
    find_foreign(&t.f);
    t.f.tape = make_tape();
    create_world(&t);
    while (t.f.at < t.f.size) {
        make_calls(&t, draw_below(&t.f, 24));
        load_once(&t);
    }
    destroy_world(&t);
    cn_error_set_hook(NULL, NULL);
    free(t.f.saved.bytes), free(t.f.tape.bytes);
    return 0;
}
