/* The pushes of a character's hull, for scenes that have a character. */
#ifndef DEMO_PUSHES_H
#define DEMO_PUSHES_H

#include "scene.h"

// Applies the impulses that a move reports to the bodies that the hull ran into or stands on.
static inline bool apply_pushes(cn_world *world, const cn_move *move) {
    for (int i = 0; i < move->push_count; i++) {
        const cn_push *p = &move->pushes[i];
        if (!cn_body_apply_impulse_at(world, p->side.body, p->impulse, p->point)) return false;
    }
    return true;
}

#endif
