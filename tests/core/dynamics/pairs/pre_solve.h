/* Shared by the tests of what pre-solve returns: a callback that returns what the test wants. */
#ifndef TESTS_PRE_SOLVE_H
#define TESTS_PRE_SOLVE_H

#include "../../../support/contacts.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// What the callback returns, and what it has seen.
typedef struct {
    cn_pre_solve_result result;
    cn_body only; // other bodies get zeros; null: the result is for all
    int calls;
    cn_contact seen; // the last one
} game;

static inline cn_pre_solve_result play(cn_world *world, const cn_contact *contact, void *user) {
    (void)world;
    game *g = user;
    g->calls++, g->seen = *contact;
    bool other = contact->a.body.id != g->only.id && contact->b.body.id != g->only.id;
    return g->only.id && other ? (cn_pre_solve_result){0} : g->result;
}

// The shapes that the world has now are those for which the callback is called.
static inline void set_game(cn_world *world, game *g) {
    for (cn_shape s = {0}; (s = cn_world_next_shape(world, s)).id;)
        assert_done(cn_shape_set_pre_solve(world, s, true));
    assert_done(cn_world_set_callbacks(world, (cn_callbacks){.pre_solve = play, .user = g}));
}

static inline cn_pre_solve_result changed_to(double friction, double restitution, double speed) {
    return (cn_pre_solve_result){.changed = true,
                                 .friction = (float)friction,
                                 .restitution = (float)restitution,
                                 .surface_speed = (float)speed};
}

static inline cn_body add_crate(cn_world *world, vec2s position, vec2s velocity,
                                cn_material material) {
    return add(world, (cn_body_def){.position = position, .velocity = velocity},
               (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .material = material});
}

#endif
