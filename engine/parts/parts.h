/* parts: the ids of the parts that keep data in a simulation, and which parts are built in.
 *
 * A build defines CN_WITHOUT_... for each part that it leaves out (meson: -Dparts=...). CN_HAS_...
 * is 1 for a part that is built in. Only parts that a source asks about have one. */
#ifndef CN_PARTS_H
#define CN_PARTS_H

#include "../core/dynamics/model/part.h"

// The indices of the data in cn_simulation.part_states.
enum { CN_FIELDS, CN_TILES, CN_PARTS_WITH_DATA };

#if !defined(CN_WITHOUT_EXPLOSIONS)
#define CN_HAS_EXPLOSIONS 1
#endif
#if !defined(CN_WITHOUT_FIELDS)
#define CN_HAS_FIELDS 1
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
