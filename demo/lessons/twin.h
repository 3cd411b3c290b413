/* The bodies of a lesson in a world of the engine, for comparison. */
#ifndef LESSON_TWIN_H
#define LESSON_TWIN_H

#include "rows.h"

#include <stdio.h>

enum { MAX_BODIES = 32 };
typedef struct {
    cn_world *world;
    cn_body bodies[MAX_BODIES];
} twin;

// Bodies that cannot be moved are static.
static inline twin make_twin(const body *bodies, int count, float friction) {
    twin t = {.world = cn_world_create(&(cn_world_def){.gravity = {{0, -10}}, .no_sleep = true})};
    for (int i = 0; i < count; i++) {
        const body *b = &bodies[i];
        bool is_static = b->inverse_mass == 0;
        float area = cn_hull_mass_data(b->hull, 1).mass;
        cn_shape_def shape = {.hull = b->hull,
                              .density = is_static ? 1 : 1 / b->inverse_mass / area,
                              .material.friction = friction};
        t.bodies[i] =
            cn_body_create(t.world, &(cn_body_def){.type = is_static ? CN_STATIC : CN_DYNAMIC,
                                                   .position = b->position,
                                                   .angle = b->angle,
                                                   .velocity = b->v,
                                                   .angular_velocity = b->w,
                                                   .shapes = &shape,
                                                   .shape_count = 1});
    }
    return t;
}

// Returns the normal impulse between two bodies in the last step, in N s.
static inline float twin_impulse(const twin *t, int a, int b) {
    cn_contact contacts[8];
    int count = cn_body_contacts(t->world, t->bodies[a], contacts, 8);
    float sum = 0;
    for (int i = 0; i < count && i < 8; i++) {
        cn_contact c = cn_contact_seen_from(contacts[i], t->bodies[a]);
        if (c.b.body.id != t->bodies[b].id) continue;
        for (int k = 0; k < c.manifold.count; k++) sum += c.manifold.points[k].normal_impulse;
    }
    return sum;
}

#endif
