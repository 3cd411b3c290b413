/* parts: where parts keep their data, and which parts are built in.
 *
 * A build defines CN_WITHOUT_... for each part that it leaves out (meson: -Dparts=...). CN_HAS_...
 * is 1 for a part that is built in. Only parts that a source asks about have one. */
#ifndef CN_PARTS_H
#define CN_PARTS_H

#include "../core/dynamics/model/part.h"

// The indices of the data in cn_simulation.part_states, and the bits of the parts in a save. They
// are the same in all builds. A new part comes last, so that saves and hashes of other worlds do
// not change.
enum { CN_FIELDS, CN_TILES, CN_PARTS_WITH_DATA };

// Other data of a world lie behind it, in the same block of memory. They start as all zeros. Memory
// that they point to belongs to the memory of the world, which releases it in the end. They do not
// belong to the state: when a world is restored, they stay. These are the bytes from the start of
// the world to the data of each part.
extern const size_t cn_drawing_offset, cn_explosion_offset, cn_many_offset, cn_query_offset,
    cn_snapshot_offset;
static inline void *cn_behind_world(const cn_world *world, size_t offset) {
    return (char *)(uintptr_t)world + offset; // no world is a const object
}

#if !defined(CN_WITHOUT_EXPLOSIONS)
#define CN_HAS_EXPLOSIONS 1
#endif
#if !defined(CN_WITHOUT_FIELDS)
#define CN_HAS_FIELDS 1
#endif
#if !defined(CN_WITHOUT_MANY)
#define CN_HAS_MANY 1
#endif
#if !defined(CN_WITHOUT_SNAPSHOT)
#define CN_HAS_SNAPSHOT 1
#endif
#if !defined(CN_WITHOUT_DRAWING)
#define CN_HAS_DRAWING 1
#endif
#if !defined(CN_WITHOUT_QUERIES)
#define CN_HAS_QUERIES 1
#endif
#if !defined(CN_WITHOUT_RECORDING)
#define CN_HAS_RECORDING 1
#endif
#if !defined(CN_WITHOUT_TILES)
#define CN_HAS_TILES 1
#endif

#endif
