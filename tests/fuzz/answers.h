/* The callbacks of the fuzz targets. Their answers depend only on their arguments and on the seed,
 * so they are the same in two worlds that get the same calls. They also call functions of the
 * world. Functions that are not allowed in a callback must fail. */
#ifndef TESTS_FUZZ_ANSWERS_H
#define TESTS_FUZZ_ANSWERS_H

#include "draw.h"

typedef enum { IN_FILTER, IN_BEFORE_STEP } callback_kind;

// Makes a random call from a callback. Defined after the table of calls.
static void call_within(fuzz *f, cn_world *world, uint64_t key, callback_kind kind);

static inline bool answer_cn_callbacks_filter(cn_world *world, cn_shape a, cn_shape b, void *user) {
    fuzz *f = user;
    uint64_t key = scramble(f->seed ^ a.id ^ b.id);
    answer_count++;
    if (key % 4 == 0) call_within(f, world, key, IN_FILTER);
    return key % 5 != 0;
}

static inline cn_pre_solve_result answer_cn_callbacks_pre_solve(cn_world *world,
                                                                const cn_contact *contact,
                                                                void *user) {
    fuzz *f = user;
    uint64_t key = scramble(f->seed ^ contact->a.shape.id ^ contact->b.shape.id * 3);
    answer_count++;
    if (key % 8 == 0) call_within(f, world, key, IN_FILTER);
    uint8_t bytes[12];
    memcpy(bytes, &key, sizeof key), memcpy(bytes + 8, &key, 4);
    fuzz values = {.bytes = bytes, .size = sizeof bytes, .is_wild = key >> 60 == 0};
    return (cn_pre_solve_result){.disabled = key >> 8 & 1,
                                 .changed = key >> 9 & 1,
                                 .friction = draw_float(&values),
                                 .restitution = draw_float(&values),
                                 .surface_speed = draw_float(&values)};
}

static inline void answer_cn_callbacks_before_step(cn_world *world, float time_step, void *user) {
    fuzz *f = user;
    uint64_t key = scramble(f->seed ^ cn_world_counters(world).steps);
    CLAIM(time_step > 0, "%g", (double)time_step);
    answer_count++;
    for (int i = 0; i < 3; i++) call_within(f, world, key += 77, IN_BEFORE_STEP);
}

static inline bool answer_cn_query_accept(const cn_world *world, cn_side side, void *user) {
    fuzz *f = user;
    (void)cn_body_position(world, side.body);
    return scramble(f->seed ^ side.shape.id ^ side.grid.id ^ (uint64_t)side.tile) % 4 != 0;
}

static inline bool answer_cn_recording_sink_write(const void *bytes, size_t size, void *user) {
    fuzz *f = user;
    uint64_t first = 0;
    memcpy(&first, bytes, size < sizeof first ? size : sizeof first);
    return scramble(f->seed ^ first) % 64 != 0;
}

static inline void answer_cn_error_set_hook_function(cn_error_kind kind, const char *text,
                                                     void *user) {
    (void)user;
    CLAIM(kind == cn_error_code(), "%d", (int)kind);
    CLAIM(strcmp(text, cn_error()) == 0, "%s", text);
}

static cn_callbacks last_callbacks; // that were drawn

static inline cn_callbacks make_cn_callbacks(fuzz *f) {
    int kind = draw_byte(f);
    cn_callbacks c = {.user = user_of(f)};
    if (kind & 1) c.filter = answer_cn_callbacks_filter;
    if (kind & 2) c.pre_solve = answer_cn_callbacks_pre_solve;
    if (kind & 4) c.before_step = answer_cn_callbacks_before_step;
    return last_callbacks = c;
}

#endif
