/* Shared by the tests of recordings: a sink in memory. */
#ifndef TESTS_RECORDINGS_H
#define TESTS_RECORDINGS_H

#include "physics.h"

typedef struct {
    unsigned char *bytes;
    size_t size, capacity;
    size_t limit; // the sink fails when there are more bytes; 0: never
} tape;

static inline bool write_to_tape(const void *bytes, size_t size, void *user) {
    tape *t = user;
    if (t->limit && t->size + size > t->limit) return false;
    if (t->size + size > t->capacity) {
        t->capacity = 2 * (t->size + size);
        t->bytes = realloc(t->bytes, t->capacity);
        assert_non_null(t->bytes);
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    return true;
}

static inline void begin_tape(tape *t, cn_world *world) {
    *t = (tape){0};
    assert_done(cn_recording_begin(world, (cn_recording_sink){write_to_tape, t}));
}

static inline cn_replay *open_tape(const tape *t, cn_world_def def) {
    cn_replay *replay = cn_replay_create(&def, t->bytes, t->size);
    if (!replay) print_error("%s\n", cn_error());
    assert_non_null(replay);
    return replay;
}

static inline bool is_at_end(const cn_replay *replay) {
    cn_replay_position p = cn_replay_at(replay);
    return p.call == p.calls;
}

// Plays all calls. Returns whether the replay never differed from the recorded world.
static inline bool plays_alike(const tape *t, cn_world_def def) {
    cn_replay *replay = open_tape(t, def);
    while (!is_at_end(replay)) assert_done(cn_replay_next(replay));
    cn_desync desync = cn_replay_desync(replay);
    cn_replay_position end = cn_replay_at(replay);
    assert_int_equal(end.step, end.steps);
    if (desync.found)
        print_error("call %d, step %d: %d bodies differ, the first in slot %d\n", desync.call,
                    desync.step, desync.bodies, desync.slot);
    cn_replay_destroy(replay);
    return !desync.found;
}

#endif
