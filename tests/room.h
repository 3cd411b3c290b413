/* Aligned memory for the allocators of tests. Windows has its own calls for it. */
#ifndef TESTS_ROOM_H
#define TESTS_ROOM_H

#include <stdlib.h>

#if defined(_WIN32)
static inline void *take_room(size_t size, size_t alignment) {
    return _aligned_malloc(size, alignment);
}
static inline void give_room(void *room) { _aligned_free(room); }
#else
static inline void *take_room(size_t size, size_t alignment) {
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
static inline void give_room(void *room) { free(room); }
#endif

#endif
