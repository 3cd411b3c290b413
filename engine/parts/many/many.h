/* many: the place of a world in the list of a cn_worlds_step() (many.c). */
#ifndef CN_MANY_H
#define CN_MANY_H

#include "../../core/world/world.h"
#include "../parts.h"

typedef struct {
    const void *batch; // the call that is running; NULL: none
    int place;         // in its list
} cn_many_data;

static inline cn_many_data *cn_many_of(const cn_world *world) {
    return cn_behind_world(world, cn_many_offset);
}

#endif
