/* Contacts act on a body of a tree with the mass, inertia and centre of its response (response.h).
 * This file converts the velocities of the body for the contacts, and back:
 *
 *      begin   moves the velocities to the centre of the response
 *              (the contacts are solved)
 *      end     moves the velocities back to the centre of mass
 *      take    finds the impulse of the contacts from the change of the velocity, and sets the
 *              velocity that this impulse would give to the body alone
 *
 * After that, the next solve of the tree finds how the whole tree moves. The warm start, which is
 * v - free, is converted in the same way. After the relaxation, the velocity is that of the body
 * alone until the next substep solves the trees. This velocity may be far from the motion of the
 * body in its tree. `excess` is the velocity of the body alone minus that of the response.
 *
 * The lever arms of contacts are constant during the step, and so is the centre.
 */
#include "solver.h"

static cn_float4 move_back(cn_float4 v, vec2s r) {
    return cn_move_velocity(v, glms_vec2_negate(r));
}

// Returns the change of the velocity of the body alone by the impulse that causes a given change of
// the velocity of the response. Both velocities are at the centre of mass.
static cn_float4 change_alone(const cn_response *r, cn_float4 change) {
    cn_float4 v = cn_move_velocity(change, r->centre);
    float px = v[0] / r->inverse_mass, py = v[1] / r->inverse_mass;
    float turn = v[2] / r->inverse_inertia + r->centre.x * py - r->centre.y * px;
    return (cn_float4){px * r->own_inverse_mass, py * r->own_inverse_mass,
                       turn * r->own_inverse_inertia, 0};
}

// Moves velocity and displacement to the centre. Contacts need the displacement of the centre up to
// the second order: see contact_rows.h.
static void move_to_centre(const cn_solver *s, cn_response *r) {
    cn_state *state = &s->states[r->state];
    r->v = state->v;
    state->v = cn_move_velocity(state->v, r->centre);
    float turn = state->d[2], bend = turn * turn / 2;
    r->d = state->d;
    r->shift = (cn_float4){-turn * r->centre.y - bend * r->centre.x,
                           turn * r->centre.x - bend * r->centre.y, 0, 0};
    state->d += r->shift;
}

static void begin(const cn_solver *s, cn_response *r) {
    cn_state *state = &s->states[r->state], *free = &s->free[r->state];
    r->free = free->v;
    free->v = cn_move_velocity(free->v, r->centre);
    move_to_centre(s, r);
    state->v[3] = r->inverse_mass;
}

// Moves the displacement back: the impacts have changed it, and the angle, too. The velocity is
// that before the impacts, until cn_end_tree_impacts().
static void end_impact(const cn_solver *s, cn_response *r) {
    cn_state *state = &s->states[r->state];
    cn_float4 moved = state->d - (r->d + r->shift);
    state->d = r->d + move_back(moved, r->centre);
    state->v = r->v;
}

// From here to the relaxation `free` does not include the excess, because integrate_positions()
// compares `free` with v.
static void begin_solve(const cn_solver *s, cn_response *r) {
    r->excess *= s->drives[r->state].damp;
    s->free[r->state].v -= r->excess;
    r->alone = s->states[r->state].v, r->free_alone = s->free[r->state].v;
    begin(s, r);
}

static void begin_relax(const cn_solver *s, cn_response *r) {
    s->free[r->state].v += r->excess;
    r->alone = s->states[r->state].v, r->free_alone = s->free[r->state].v;
    begin(s, r);
}

// Moves only the change back. So a body without contacts keeps its velocity to the last bit.
static cn_float4 move_change_back(cn_float4 moved, cn_float4 before, vec2s centre) {
    return before + move_back(moved - cn_move_velocity(before, centre), centre);
}

static void end(const cn_solver *s, cn_response *r) {
    cn_state *state = &s->states[r->state], *free = &s->free[r->state];
    state->v = move_change_back(state->v, r->v, r->centre);
    free->v = move_change_back(free->v, r->free, r->centre);
    cn_float4 d = r->d + r->shift;
    state->d[0] = r->d[0] + (state->d[0] - d[0]), state->d[1] = r->d[1] + (state->d[1] - d[1]);
    state->v[3] = r->own_inverse_mass;
}

static void take(const cn_solver *s, cn_response *r) {
    cn_float4 *v = &s->states[r->state].v, *free = &s->free[r->state].v;
    cn_float4 alone = r->alone + change_alone(r, *v - r->v);
    *free = r->free_alone + change_alone(r, *free - r->free);
    alone[3] = r->own_inverse_mass;
    if (s->now.relax) r->excess = alone - *v;
    *v = alone;
}

static void begin_pass(const cn_solver *s, cn_response *r) {
    if (s->now.relax)
        begin_relax(s, r);
    else
        begin_solve(s, r);
}

static void end_pass(const cn_solver *s, cn_response *r) {
    end(s, r);
    take(s, r);
}

// Converts the warm start of the response, which prepare_block() has added up in `free`.
static void take_warm_start(const cn_solver *s, cn_response *r) {
    cn_float4 *free = &s->free[r->state].v;
    *free = change_alone(r, move_back(*free, r->centre));
    s->states[r->state].v[3] = r->own_inverse_mass;
}

// Defines a function that applies another one to each response of a group.
#define DEFINE_FOR_GROUP(name, change)                                                             \
    void name(const cn_solver *s, int group) {                                                     \
        if (!s->tree.centres) return;                                                              \
        cn_response *r = s->tree.responses + cn_first_lane_of_group(s, group);                     \
        for (int i = 0; i < s->tree.response_counts[group]; i++) change(s, &r[i]);                 \
    }
DEFINE_FOR_GROUP(cn_prepare_responses, take_warm_start)
DEFINE_FOR_GROUP(cn_begin_responses, begin_pass)
DEFINE_FOR_GROUP(cn_end_responses, end_pass)
DEFINE_FOR_GROUP(cn_begin_impact_responses, move_to_centre)
DEFINE_FOR_GROUP(cn_end_impact_responses, end_impact)
