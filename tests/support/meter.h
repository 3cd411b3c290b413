/* An allocator that counts, and fails when the test wants it to. */
#ifndef TESTS_METER_H
#define TESTS_METER_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../engine/cairn.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int calls;
    int fail_at;          // number of the call that fails; 0: none
    bool keeps_failing;   // all later calls fail, too
    size_t bytes, blocks; // in use
    uint64_t served;      // successful calls since the start
} meter;

static inline bool meter_fails(const meter *m) {
    return m->fail_at > 0 && (m->keeps_failing ? m->calls >= m->fail_at : m->calls == m->fail_at);
}

// A block ends exactly where its memory ends, so that the address sanitizer sees any overrun. The
// pointer in front of it is what free() takes.
static inline void *meter_allocate(size_t size, size_t alignment, void *user) {
    meter *m = user;
    m->calls++;
    if (meter_fails(m)) return NULL;
    char *block = malloc(size + alignment + sizeof(void *));
    assert_non_null(block);
    char *aligned = block + sizeof(void *);
    aligned += (alignment - (uintptr_t)aligned % alignment) % alignment;
    memcpy(aligned - sizeof(void *), &block, sizeof block);
    m->bytes += size;
    m->blocks++;
    m->served++;
    return aligned;
}

static inline void meter_release(void *aligned, size_t size, void *user) {
    meter *m = user;
    char *block;
    memcpy(&block, (char *)aligned - sizeof(void *), sizeof block);
    free(block);
    m->bytes -= size;
    m->blocks--;
}

static inline cn_allocator metered(meter *m) {
    return (cn_allocator){meter_allocate, meter_release, m};
}

static inline void fail_at(meter *m, int call) { m->calls = 0, m->fail_at = call; }
static inline bool has_failed(const meter *m) { return m->fail_at > 0 && m->calls >= m->fail_at; }

#endif
