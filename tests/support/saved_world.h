/* The bytes of a saved world, for tests that compare worlds. */
#ifndef TESTS_SAVED_WORLD_H
#define TESTS_SAVED_WORLD_H

#include "physics.h"

typedef struct {
    unsigned char *bytes; // free() them
    size_t size;
} saved_world;

static inline saved_world save_world(const cn_world *world) {
    saved_world saved = {.size = cn_world_save(world, CN_SAVE_ALL, NULL, 0)};
    saved.bytes = malloc(saved.size);
    assert_int_equal(cn_world_save(world, CN_SAVE_ALL, saved.bytes, saved.size), saved.size);
    return saved;
}

#endif
