/* Shared by the fuzz targets: arguments drawn from a stream of bytes, and the outcome of a call.
 *
 * After the end of the stream, all drawn values are zero. Most calls have valid arguments, because
 * the world refuses calls with random ones. In a wild call, numbers may be NaN, infinite, huge,
 * tiny or denormal, counts may be wrong, handles may be random, and pointers may be NULL.
 *
 * Each array is a block of exactly its size, so that the address sanitizer detects reads and writes
 * beyond its end. */
#ifndef TESTS_FUZZ_DRAW_H
#define TESTS_FUZZ_DRAW_H

#include "../../engine/cairn.h"

#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Ends the program if a claim does not hold. A fuzzer then keeps the input.
#define CLAIM(holds, ...)                                                                          \
    do {                                                                                           \
        if (!(holds)) {                                                                            \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #holds);                            \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fprintf(stderr, "\n");                                                                 \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

enum { KEPT_HANDLES = 24, MOST_BLOCKS = 2048, MOST_ITEMS = 4096 };
typedef enum { BODY, SHAPE, JOINT, CHAIN, GRIDS, HANDLE_KINDS } handle_kind;
enum {
    CREATED_NOTHING,
    CREATED_cn_body,
    CREATED_cn_shape,
    CREATED_cn_joint,
    CREATED_cn_chain,
    CREATED_cn_grid
};
typedef enum { EFFECT_changes, EFFECT_lends, EFFECT_reads, EFFECT_thread, EFFECT_none } effect;

typedef struct {
    void *items[MOST_BLOCKS];
    int count;
} block_list;

// Counts memory. Fails at the call `fail_at`, and if a block is larger than a world here may need.
typedef struct {
    uint64_t calls, fail_at; // number of the call that fails; 0: none
    size_t blocks, bytes, peak, largest;
} fuzz_memory;

typedef struct {
    unsigned char *bytes;
    size_t size;
} saved_bytes;

typedef struct fuzz {
    const uint8_t *bytes;
    size_t size, at;
    bool is_wild;           // the present call is
    int depth;              // 1 within a callback
    struct fuzz *outer;     // within a callback: the fuzz of the call that runs it
    uint64_t seed;          // of the answers of callbacks
    cn_callbacks callbacks; // of the world, which its calls and callbacks set
    const cn_world *read;   // for arguments that follow from the state of the world
    uint64_t kept[HANDLE_KINDS][KEPT_HANDLES];
    int kept_count[HANDLE_KINDS]; // of all handles that were ever kept
    uint64_t foreign[HANDLE_KINDS];
    saved_bytes saved; // from cn_world_save()
    saved_bytes tape;  // a recording
    block_list *blocks;
    fuzz_memory *memory;
    const cn_world *owners[2]; // of the rollbacks and replays
    cn_rollback *rollbacks[2];
    cn_replay *replays[2];
} fuzz;

// Returns the fuzz for callbacks that are set now. The fuzz of a call within a callback ends with
// that call, but the callbacks stay.
static inline fuzz *user_of(fuzz *f) { return f->depth ? f->outer : f; }

typedef struct {
    bool failed;
    bool is_clear; // the result says whether the call failed
    bool is_noisy; // callbacks ran, so the error may be theirs
    cn_error_kind error;
    bool is_finite; // all numbers of the result
    int answers;    // of callbacks, before the call
    uint64_t sum;   // of all results
    int created;    // CREATED_...
    uint64_t id;    // of what was created
} outcome;

typedef struct {
    void (*call)(fuzz *f, cn_world *world, outcome *o);
    const char *name, *section;
    effect effect;
    bool may_read, may_edit; // in filter, and in before_step
} api_call;

static uint64_t call_count; // ever
static _Atomic int answer_count;

static void print_calls(void) { printf("%" PRIu64 " calls\n", call_count); }

// Prints the number of calls when the program ends.
static inline void count_calls(void) {
    static bool is_counting;
    if (!is_counting) atexit(print_calls);
    is_counting = true;
}

// ---- bytes

static uint64_t scramble(uint64_t z) { // splitmix64
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline int draw_byte(fuzz *f) { return f->at < f->size ? f->bytes[f->at++] : 0; }

static inline uint32_t draw_word(fuzz *f) {
    uint32_t word = 0;
    for (int i = 0; i < 4; i++) word = word << 8 | (uint32_t)draw_byte(f);
    return word;
}

static inline int draw_below(fuzz *f, int count) { // up to 256
    return draw_byte(f) % count;
}

static inline bool draw_bool(fuzz *f) { return draw_byte(f) & 1; }

// True if a field keeps its default, as most fields do.
static inline bool draw_default(fuzz *f) { return draw_byte(f) % 8 < 5; }

// True if a pointer should be NULL: often if NULL is allowed, else rarely.
static inline bool draw_null(fuzz *f, bool is_allowed) {
    if (is_allowed) return draw_byte(f) % 3 == 0;
    return f->is_wild && draw_byte(f) % 16 == 15;
}

// ---- numbers

static inline float draw_ordinary(fuzz *f) {
    int kind = draw_byte(f);
    float b = (float)draw_byte(f);
    switch (kind & 7) {
    case 0: return b / 255;
    case 1: return (b - 128) / 16;
    case 2: return b / 16;
    case 3: return (b - 128) / 128;
    case 4: return b / 64;
    case 5: return b;
    case 6: return (b - 128) / 128 * (float)(kind >> 3) * 10;
    default: return 0;
    }
}

static inline float draw_odd(fuzz *f) {
    static const float odd[] = {NAN,     INFINITY, -INFINITY,   0,          -0.0f,   1e9f,
                                -1e9f,   2e9f,     FLT_MAX,     -FLT_MAX,   FLT_MIN, 1e-40f,
                                -1e-40f, 1e-45f,   1e-15f,      1e15f,      -1e15f,  1e-30f,
                                1e-6f,   1e6f,     9.99999e8f,  1e20f,      1e-20f,  16777216,
                                -1,      1e-3f,    3.14159265f, -3.1415927f};
    int kind = draw_byte(f);
    if (kind < 28) return odd[kind];
    if (kind >= 64) return draw_ordinary(f);
    uint32_t word = draw_word(f);
    float any;
    memcpy(&any, &word, sizeof any);
    return any;
}

static inline float draw_float(fuzz *f) {
    return f->is_wild && draw_below(f, 4) == 0 ? draw_odd(f) : draw_ordinary(f);
}

static inline int draw_int(fuzz *f) {
    static const int odd[] = {INT_MIN, INT_MAX, -1, 1 << 24, (1 << 24) - 1, 65536, 255, 46341};
    if (f->is_wild && draw_below(f, 4) == 0) return odd[draw_below(f, 8)];
    return draw_below(f, 10);
}

static inline uint64_t draw_id(fuzz *f) {
    if (f->is_wild) return (uint64_t)draw_word(f) << 32 | draw_word(f);
    return (uint64_t)draw_below(f, 4);
}

// In wild calls, counts may also be negative, or near 512, the limit of outlines.
static inline int draw_count(fuzz *f) {
    static const int odd[] = {INT_MIN, INT_MAX, -1, 0, 1, 511, 513, 4096};
    if (f->is_wild && draw_below(f, 4) == 0) return odd[draw_below(f, 8)];
    return 1 + draw_below(f, 12);
}

static inline int draw_capacity(fuzz *f) {
    int count = draw_count(f);
    return count > 0 ? count - 1 : count;
}

// A number of bytes: mostly enough for a saved world.
static inline size_t draw_size(fuzz *f) {
    return draw_below(f, 4) ? (size_t)1 << 17 : (size_t)draw_word(f) % 5000;
}

static inline int draw_enum(fuzz *f, const int *values, int count) {
    if (f->is_wild && draw_below(f, 8) == 0) return (int)(draw_word(f) & INT_MAX);
    return values[draw_below(f, count)];
}

static inline uint32_t draw_flags(fuzz *f, const int *values, int count) {
    uint32_t sum = 0, chosen = draw_word(f);
    if (f->is_wild && draw_below(f, 8) == 0) return chosen;
    for (int i = 0; i < count; i++)
        if (chosen >> i & 1) sum |= (uint32_t)values[i];
    return sum;
}

// ---- blocks

// Returns a block of `count` items, or of one item if the count is not positive; NULL if there are
// too many. The block is cleared, and valid until the end of the call.
static inline void *new_block(fuzz *f, int64_t count, size_t size) {
    block_list *list = f->blocks;
    if (count > MOST_ITEMS && size > 1) return NULL;
    if (count > 1 << 20 || list->count == MOST_BLOCKS) return NULL;
    void *block = calloc(count > 0 ? (size_t)count : 1, size);
    CLAIM(block, "no memory");
    return list->items[list->count++] = block;
}

static inline void free_blocks(block_list *list) {
    while (list->count) free(list->items[--list->count]);
}

// ---- handles

static inline uint64_t draw_handle(fuzz *f, handle_kind kind) {
    int choice = draw_byte(f), count = f->kept_count[kind];
    if (f->is_wild && choice % 4 == 0) {
        int odd = draw_below(f, 3);
        if (odd == 0) return 0;
        if (odd == 1) return f->foreign[kind];
        return (uint64_t)draw_word(f) << 32 | draw_word(f);
    }
    if (count > KEPT_HANDLES) count = KEPT_HANDLES;
    return count ? f->kept[kind][choice % count] : 0;
}

static inline cn_body draw_cn_body(fuzz *f) { return (cn_body){draw_handle(f, BODY)}; }
static inline cn_shape draw_cn_shape(fuzz *f) { return (cn_shape){draw_handle(f, SHAPE)}; }
static inline cn_joint draw_cn_joint(fuzz *f) { return (cn_joint){draw_handle(f, JOINT)}; }
static inline cn_grid draw_cn_grid(fuzz *f) { return (cn_grid){draw_handle(f, GRIDS)}; }
static inline cn_chain draw_cn_chain(fuzz *f) { return (cn_chain){draw_handle(f, CHAIN)}; }

static inline void keep_handle(fuzz *f, handle_kind kind, uint64_t id) {
    f->kept[kind][f->kept_count[kind]++ % KEPT_HANDLES] = id;
}

// ---- structs that the world refuses if their fields are random

static inline vec2s make_vec2s(fuzz *f) {
    float x = draw_float(f);
    return (vec2s){{x, draw_float(f)}};
}

static inline cn_rotation make_cn_rotation(fuzz *f) {
    if (!f->is_wild || draw_below(f, 2)) return cn_rotation_of(draw_ordinary(f));
    float c = draw_odd(f);
    return (cn_rotation){c, draw_odd(f)};
}

static inline cn_pose make_cn_pose(fuzz *f) {
    vec2s position = make_vec2s(f);
    return (cn_pose){position, make_cn_rotation(f)};
}

static inline cn_hull make_any_hull(fuzz *f) {
    cn_hull hull;
    for (int i = 0; i < CN_MAX_VERTICES; i++)
        hull.vertices[i] = make_vec2s(f), hull.normals[i] = make_vec2s(f);
    hull.radius = draw_float(f), hull.count = draw_int(f), hull.failure = draw_word(f);
    return hull;
}

static inline cn_hull make_polygon(fuzz *f) {
    vec2s points[10];
    int count = 3 + draw_below(f, 8);
    for (int i = 0; i < count; i++) points[i] = make_vec2s(f);
    return cn_polygon(points, count, draw_bool(f) ? draw_float(f) : 0);
}

// Returns a hull from one of the functions that make hulls, which may have failed.
static inline cn_hull make_usual_hull(fuzz *f) {
    int kind = draw_byte(f);
    float size = 0.1f + (float)(kind >> 3) / 16;
    if (f->is_wild && draw_below(f, 4) == 0) size = draw_odd(f);
    vec2s p = make_vec2s(f);
    cn_hull hull = kind % 8 == 0   ? cn_circle(size)
                   : kind % 8 == 1 ? cn_box(size, size / 2)
                   : kind % 8 == 2 ? cn_capsule(p, (vec2s){{0.3f, 0.1f}}, size)
                   : kind % 8 == 3 ? cn_segment(p, (vec2s){{size, 0}})
                   : kind % 8 == 4 ? cn_rounded_box(size, size, 0.1f)
                   : kind % 8 == 5 ? cn_regular_polygon(3 + draw_below(f, 6), size)
                   : kind % 8 == 6 ? make_polygon(f)
                                   : cn_box(size, size);
    return draw_below(f, 4) ? hull : cn_hull_at(hull, make_cn_pose(f));
}

static inline cn_hull make_cn_hull(fuzz *f) {
    bool is_any = f->is_wild && draw_below(f, 16) == 0;
    return is_any ? make_any_hull(f) : make_usual_hull(f);
}

static inline cn_coordinate make_cn_coordinate(fuzz *f) {
    int kind = draw_byte(f);
    cn_coordinate c = {.mode = (cn_coordinate_mode)(kind % 3)};
    if (f->is_wild && kind >= 200) c.mode = (cn_coordinate_mode)draw_int(f);
    if (c.mode == CN_LIMITED) c.lower = draw_float(f), c.upper = c.lower + fabsf(draw_float(f));
    if (c.mode != CN_LOCKED && (kind & 64)) {
        c.hertz = fabsf(draw_float(f)), c.damping_ratio = draw_bool(f) ? fabsf(draw_float(f)) : 0;
        if (draw_bool(f)) c.max_spring_force = fabsf(draw_float(f));
        if (kind & 128)
            c.stiffness = c.hertz, c.damping = c.damping_ratio, c.hertz = c.damping_ratio = 0;
    }
    if ((c.mode == CN_LOCKED || c.hertz > 0 || c.stiffness > 0) && draw_bool(f))
        c.target = draw_float(f);
    if (c.mode != CN_LOCKED && (kind & 32))
        c.motor = true, c.motor_speed = draw_float(f), c.max_motor_force = fabsf(draw_float(f));
    if (c.mode == CN_LIMITED && (kind & 16) && draw_bool(f)) c.ratchet = fabsf(draw_float(f));
    return c;
}

static inline cn_joint_def make_joint(fuzz *f, cn_body a, cn_body b) {
    int kind = draw_below(f, 11);
    vec2s p = make_vec2s(f), q = make_vec2s(f);
    const cn_world *w = f->read;
    switch (kind) {
    case 0: return cn_revolute_joint(w, a, b, p);
    case 1: return cn_prismatic_joint(w, a, b, p, q);
    case 2: return cn_weld_joint(w, a, b, p);
    case 3: return cn_wheel_joint(w, a, b, p, q);
    case 4: return cn_distance_joint(w, a, b, p, q);
    case 5: return cn_rope_joint(w, a, b, p, q);
    case 6: return cn_spring_joint(w, a, b, p, q);
    case 7: return cn_mouse_joint(w, a, b, p);
    case 8: return cn_motor_joint(w, a, b, fabsf(p.x), fabsf(p.y));
    case 9: return cn_filter_joint(w, a, b);
    default: return (cn_joint_def){.a = a, .b = b};
    }
}

static inline cn_joint_def make_cn_joint_def(fuzz *f) {
    cn_body a = draw_cn_body(f), b = draw_cn_body(f);
    cn_joint_def def = make_joint(f, a, b);
    if (draw_default(f)) return def;
    int changes = draw_byte(f);
    if (changes & 1) def.angle = make_cn_coordinate(f);
    if (changes & 2) def.x = make_cn_coordinate(f);
    if (changes & 4 && f->is_wild) def.y = make_cn_coordinate(f);
    if (changes & 8) def.collide_connected = true;
    if (changes & 16) def.break_force = fabsf(draw_float(f)) * 10;
    if (changes & 32) def.break_torque = fabsf(draw_float(f)) * 10;
    if (changes & 64) def.frame_a = make_cn_pose(f);
    if (changes & 128) def.disabled = draw_bool(f), def.polar = f->is_wild && draw_bool(f);
    def.user_data = draw_id(f);
    return def;
}

static inline cn_tuning make_cn_tuning(fuzz *f) {
    cn_tuning tuning = cn_world_tuning(f->read);
    float *fields[] = {&tuning.slop,          &tuning.speculative_margin, &tuning.box_margin,
                       &tuning.anchor_angle,  &tuning.anchor_distance,    &tuning.push_speed,
                       &tuning.hit_threshold, &tuning.sleep_speed,        &tuning.sleep_time};
    float *field = fields[draw_below(f, 9)];
    *field = f->is_wild ? draw_odd(f) : *field * (0.25f + (float)draw_byte(f) / 64);
    return tuning;
}

// ---- memory and tasks

static inline void *allocate(size_t size, size_t alignment, void *user) {
    fuzz_memory *m = user;
    if (++m->calls == m->fail_at || size > m->largest) return NULL;
    char *block = malloc(size + alignment + sizeof(void *));
    if (!block) return NULL;
    char *aligned = block + sizeof(void *);
    aligned += (alignment - (uintptr_t)aligned % alignment) % alignment;
    memcpy(aligned - sizeof(void *), &block, sizeof block);
    m->blocks++, m->bytes += size;
    if (m->bytes > m->peak) m->peak = m->bytes;
    return aligned;
}

static inline void release(void *aligned, size_t size, void *user) {
    fuzz_memory *m = user;
    char *block;
    memcpy(&block, (char *)aligned - sizeof(void *), sizeof block);
    free(block);
    m->blocks--, m->bytes -= size;
}

static inline cn_allocator allocator_of(fuzz_memory *m) {
    return (cn_allocator){allocate, release, m};
}

static inline cn_allocator make_cn_allocator(fuzz *f) { return allocator_of(f->memory); }

// A task system that runs tasks at once, on the thread of the step.
static inline void *start_tasks(cn_task *task, void *context, int count, void *user) {
    for (int i = 0; i < count; i++) task(context, i);
    return user;
}
static inline void finish_tasks(void *handle, void *user) {
    CLAIM(handle == user, "the handle is another one");
}

static inline cn_task_system make_cn_task_system(fuzz *f) {
    if (draw_below(f, 3)) return (cn_task_system){0};
    return (cn_task_system){start_tasks, finish_tasks, user_of(f)};
}

static inline cn_world_def make_cn_world_def(fuzz *f) {
    static const int lanes[] = {0, 1, 4, 8, 16};
    cn_world_def def = {.gravity = {{0, -10}}, .allocator = make_cn_allocator(f)};
    int kind = draw_byte(f);
    if (kind & 1) def.gravity = make_vec2s(f);
    if (kind & 2) def.substeps = f->is_wild ? draw_int(f) : draw_below(f, 9);
    if (kind & 4) def.lanes = f->is_wild ? draw_int(f) : lanes[draw_below(f, 5)];
    if ((kind & 0x38) == 0x38) def.threads = f->is_wild ? draw_int(f) : draw_below(f, 4);
    if ((kind & 0x70) == 0x70) def.length_unit = fabsf(draw_float(f));
    if ((kind & 0xc0) == 0xc0) def.time_step = fabsf(draw_float(f)), def.max_steps = draw_int(f);
    if ((kind & 0xe0) == 0xe0)
        def.capacity =
            (cn_capacity){draw_int(f), draw_int(f), draw_int(f), draw_int(f), draw_int(f)};
    if (def.threads > 4 && def.threads <= 64) def.threads = 4; // (more would only take time)
    def.no_sleep = kind % 5 == 0, def.move_events = kind % 3 == 0, def.profiling = kind % 7 == 0;
    def.tasks = make_cn_task_system(f), def.tag = 1;
    return def;
}

// ---- saved bytes

// Returns a copy of saved bytes, sometimes cut off.
static inline void *draw_saved(fuzz *f, const saved_bytes *saved, size_t *size) {
    *size = saved->size;
    if (f->is_wild && *size) *size = (size_t)draw_word(f) % (*size + 1);
    void *copy = new_block(f, (int64_t)*size, 1);
    if (copy && *size) memcpy(copy, saved->bytes, *size);
    if (!copy) *size = 0;
    return copy;
}

// ---- outcomes

static inline void begin_call(outcome *o) {
    *o = (outcome){.answers = answer_count, .is_finite = true};
    cn_error_clear();
    call_count++;
}

static inline void end_call(outcome *o) {
    o->error = cn_error_code() == CN_ERROR_HINT ? CN_ERROR_NONE : cn_error_code();
    o->failed = o->error != CN_ERROR_NONE;
    o->is_noisy = answer_count != o->answers;
}

static inline void end_call_with(outcome *o, bool is_done) {
    end_call(o);
    o->is_clear = true;
    o->failed = !is_done;
}

static inline void mix(outcome *o, uint64_t value) { o->sum = scramble(o->sum ^ value); }

// All NaNs are treated as equal.
static inline void mix_number(outcome *o, double value) {
    uint64_t bits = 1;
    if (!isnan(value)) memcpy(&bits, &value, sizeof bits);
    if (!isfinite(value)) o->is_finite = false;
    mix(o, bits);
}

static inline int64_t total_of(int64_t total, int64_t capacity) {
    return total < capacity ? total : capacity;
}

// Keeps bytes that cn_world_save() wrote, for cn_world_restore() and cn_world_load().
static inline void keep_saved(fuzz *f, outcome *o, const void *bytes, size_t size,
                              size_t capacity) {
    if (!bytes || o->failed || size == 0 || size > capacity) return;
    for (size_t i = 0; i < size; i++) o->sum = o->sum * 31 + ((const unsigned char *)bytes)[i];
    if (f->depth) return;
    free(f->saved.bytes);
    f->saved.bytes = malloc(size);
    CLAIM(f->saved.bytes, "no memory");
    memcpy(f->saved.bytes, bytes, size);
    f->saved.size = size;
}

static inline cn_rollback *given_cn_rollback(const fuzz *f, const cn_world *world) {
    for (int i = 0; i < 2; i++)
        if (f->owners[i] == world) return f->rollbacks[i];
    return NULL;
}

static inline void try_cn_rollback(fuzz *f, outcome *o, cn_rollback *rollback) {
    (void)f, (void)o;
    cn_rollback_destroy(rollback);
}

static inline cn_replay *given_cn_replay(const fuzz *f, const cn_world *world) {
    for (int i = 0; i < 2; i++)
        if (f->owners[i] == world) return f->replays[i];
    return NULL;
}

static inline void try_cn_replay(fuzz *f, outcome *o, cn_replay *replay) {
    (void)f, (void)o;
    cn_replay_destroy(replay);
}

static inline bool add_to_tape(const void *bytes, size_t size, void *user) {
    saved_bytes *tape = user;
    tape->bytes = realloc(tape->bytes, tape->size + size);
    CLAIM(tape->bytes, "no memory");
    memcpy(tape->bytes + tape->size, bytes, size);
    tape->size += size;
    return true;
}

// Records a small world.
static inline saved_bytes make_tape(void) {
    saved_bytes tape = {NULL, 0};
    cn_world *world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}});
    CLAIM(world && cn_recording_begin(world, (cn_recording_sink){add_to_tape, &tape}), "%s",
          cn_error());
    for (int i = 0; i < 6; i++) {
        cn_body body = cn_body_create(world, &(cn_body_def){.position = {{0.3f * (float)i, 1}}});
        cn_shape_create(world, body, &(cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
        cn_world_step(world, 1.0f / 60);
        if (i == 3) cn_body_destroy(world, body);
    }
    CLAIM(cn_recording_end(world), "%s", cn_error());
    cn_world_destroy(world);
    return tape;
}

// Steps and destroys a world that a call made.
static inline void try_cn_world(fuzz *f, outcome *o, cn_world *world) {
    if (!world) return;
    bool is_failing = f->memory->fail_at != 0;
    bool is_done = cn_world_step(world, 1.0f / 60);
    if (!is_failing) CLAIM(is_done, "%s", cn_error());
    if (!is_failing) mix(o, cn_world_hash(world));
    cn_world_destroy(world);
    o->is_noisy = answer_count != o->answers;
}

#endif
