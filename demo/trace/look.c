/* Copies the state of a step at a place: velocities and places of bodies, contacts and their
 * impulses.
 *
 * Where the engine keeps them depends on the place. Outside of the solver, bodies have their own
 * rows, and contacts their records. A batch that is being solved has states and blocks. After it
 * was solved, its bodies have a motion, until "move bodies" moves them. (While contacts act on
 * trees of joints, the states of their bodies are those of their responses: see solver/response.c.)
 */
#include "hooks.h"

#include <stdlib.h>

static bool fit(void **rows, int count, size_t size) {
    void *grown = realloc(*rows, (size_t)count * size + 1);
    if (!grown) return false;
    memset(grown, 0, (size_t)count * size);
    *rows = grown;
    return true;
}

// ---- bodies

static void displace(trace_body *body, float x, float y, float angle) {
    body->center.x += x, body->center.y += y;
    body->rotation = cn_combine(cn_rotation_full(angle), body->rotation);
}

static trace_body read_body(const trace_run *run, int slot) {
    const cn_body_hot *hot = &run->sim->hot[slot];
    trace_body body = {.is_dynamic = cn_is_dynamic(hot) && cn_is_active(hot),
                       .center = {{hot->x, hot->y}},
                       .rotation = {hot->c, hot->s},
                       .velocity = {{hot->vx, hot->vy}},
                       .w = hot->w};
    int batch = run->sim->warm[slot].batch;
    const cn_motion *m = &run->sim->motions[slot];
    if (body.is_dynamic && batch >= 0 && batch < run->done_batches)
        displace(&body, m->until * m->x, m->until * m->y, m->until * m->angle);
    return body;
}

// State i + 1 of a batch is that of its body i. Behind the dynamic bodies are copies of kinematic
// ones.
static void copy_states(const trace_run *run, const cn_solver *s) {
    for (int i = 0; i < s->batch->body_count; i++) {
        const cn_state *state = &s->states[i + 1];
        trace_body *body = &run->view->bodies[s->batch->bodies.items[i]];
        body->velocity = cn_vec(state->v[0], state->v[1]);
        body->w = state->v[2];
        displace(body, state->d[0], state->d[1], state->d[2]);
    }
}

static bool copy_bodies(const trace_run *run, const cn_solver *s) {
    trace_view *view = run->view;
    view->body_count = run->sim->slots[CN_BODIES].end;
    if (!fit((void **)&view->bodies, view->body_count, sizeof *view->bodies)) return false;
    CN_EACH(CN_BODIES, slot, run->sim) view->bodies[slot] = read_body(run, slot);
    // The bodies of a batch that is done have their motion.
    if (s && run->batch >= run->done_batches) copy_states(run, s);
    return true;
}

// ---- contacts

// The points are where the record has them: relative to body A at the start of the step.
static trace_contact read_contact(const cn_simulation *sim, int slot) {
    const cn_contact_record *r = &sim->touching.records[slot];
    const cn_body_hot *a = &sim->hot[sim->touching.bodies[slot].a];
    return (trace_contact){
        .count = cn_points_of(r->meta),
        .normal = {{r->nx, r->ny}},
        .points = {{{a->x + r->p1x, a->y + r->p1y}}, {{a->x + r->p2x, a->y + r->p2y}}},
        .separations = {r->s1, r->s2},
        .impulses = {{r->ln1, cn_points_of(r->meta) == 2 ? r->ln2 : 0}, r->lt},
        .color = -1,
    };
}

static void copy_colors(const trace_run *run, const cn_batch *batch) {
    for (int i = 0; i < batch->colors.count; i++) {
        const cn_color *color = &batch->colors.items[i];
        const int number = trace_color_of(batch, i);
        for (int k = color->first_block; k < color->end_block; k++) {
            int slot = batch->lanes.items[k].slot;
            if (color->row_type < CN_ROW_POINT && slot < run->view->contact_count)
                run->view->contacts[slot].color = number;
        }
    }
}

static void copy_blocks(const trace_run *run, const cn_solver *s) {
    for (int i = 0; i < s->batch->colors.count; i++) {
        const cn_color *color = &s->batch->colors.items[i];
        if (color->row_type >= CN_ROW_POINT) continue;
        for (int k = color->first_block; k < color->end_block && k < run->prepared; k++)
            run->view->contacts[s->batch->lanes.items[k].slot].impulses =
                run->has_impacts ? trace_read_impact(s, k) : trace_read_block(s, color, k);
    }
}

static bool copy_contacts(const trace_run *run, const cn_solver *s) {
    const cn_simulation *sim = run->sim;
    trace_view *view = run->view;
    view->contact_count = sim->touching.end;
    if (!fit((void **)&view->contacts, view->contact_count, sizeof *view->contacts)) return false;
    CN_EACH_BIT(slot, sim->touching.occupied, sim->touching.end)
        view->contacts[slot] = read_contact(sim, slot);
    for (int i = 0; i < sim->plan.batch_count; i++)
        if (sim->plan.batches[i].alive) copy_colors(run, &sim->plan.batches[i]);
    if (s && run->batch >= run->done_batches) copy_blocks(run, s);
    return true;
}

bool trace_copy_view(const trace_run *run, const cn_solver *s) {
    trace_view *view = run->view;
    view->touching = run->sim->touching.count, view->apart = 0;
    for (int i = 0; i < CN_APART_LISTS; i++) view->apart += run->sim->apart[i].count;
    view->change = run->change;
    return copy_bodies(run, s) && copy_contacts(run, s);
}

void trace_view_free(trace_view *view) {
    free(view->bodies);
    free(view->contacts);
    *view = (trace_view){0};
}
