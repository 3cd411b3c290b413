/* explosions: the scratch memory of a world for cn_world_explode() (blast.c). */
#ifndef CN_EXPLOSIONS_H
#define CN_EXPLOSIONS_H

#include "../../core/world/world.h"
#include "../parts.h"

// An impulse on a body.
typedef struct {
    int body;
    vec2s impulse; // N s
    float turn;    // N m s, about the centre of mass
} cn_body_push;

typedef struct {
    cn_key_list shapes;           // body << 32 | shape, of the shapes in reach
    CN_LIST(cn_body_push) pushes; // by body
} cn_explosion_data;

static inline cn_explosion_data *cn_explosion_of(const cn_world *world) {
    return cn_behind_world(world, cn_explosion_offset);
}

#endif
