/* Shared by the tests of replays: a recording of crates that slide over a floor. */
#ifndef TESTS_REPLAYS_H
#define TESTS_REPLAYS_H

#include "../../../engine/parts/recording/recording.h"
#include "../../support/recordings.h"

enum { CRATES = 6, STEPS = 200 };

typedef struct {
    cn_body crates[CRATES];
    cn_shape shapes[CRATES];
    uint64_t hashes[STEPS + 1];
    int pushes;
} stage;

// Records crates that slide over a floor with different speeds.
static inline void record_crates(tape *t, stage *s) {
    cn_world *world = make_world(10);
    add_floor(world, (cn_material){0});
    begin_tape(t, world);
    for (int i = 0; i < CRATES; i++) {
        s->crates[i] = cn_body_create(
            world, &(cn_body_def){.position = point(4 * i, 0.5), .velocity = point(1 + i, 0)});
        s->shapes[i] =
            cn_shape_create(world, s->crates[i], &(cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
        cn_shape_set_material(world, s->shapes[i], (cn_material){.friction = 0.375f});
    }
    s->hashes[0] = cn_world_hash(world);
    for (int i = 1; i <= STEPS; i++) {
        if (i == 100) cn_body_apply_impulse(world, s->crates[1], point(0, 3));
        assert_done(cn_world_step(world, STEP));
        s->hashes[i] = cn_world_hash(world);
    }
    assert_done(cn_recording_end(world));
    cn_world_destroy(world);
}

// Finds the record of a call.
static inline cn_record find_call(const tape *t, int call) {
    cn_record r;
    for (size_t at = CN_FILE_HEADER;; at = r.next) {
        assert_true(cn_read_record(t->bytes, t->size, at, &r) && r.kind);
        if (r.kind == CN_RECORD_CALL && call-- == 0) return r;
    }
}

#endif
