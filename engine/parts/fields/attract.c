/* Attraction of fields. Each substep computes it for the position that the body has in the middle
 * of the substep if its velocity does not change (the leapfrog method). A strong attraction could
 * make the body oscillate within a substep. The divisor 1 + z + z^2 keeps this stable: see
 * field.c. The numbers have double precision, because r^-3 is large near the centre. */
#include "fields.h"

static cn_float4 kick_of(const cn_solver *s, const cn_attraction *a, int state) {
    const cn_body_hot *hot = &s->sim->hot[a->body];
    float t = ((float)s->now.substep + 0.5f) * s->constants.h;
    cn_float4 d = s->states[state].d + 0.5f * s->constants.h * s->states[state].v;
    vec2s to = cn_vec(a->to.x + a->velocity.x * t - d[0], a->to.y + a->velocity.y * t - d[1]);
    double distance = cn_max2d(cn_length2d(cn_widen(to)), (double)a->floor),
           h = (double)s->constants.h;
    double rate = a->strength / (distance * distance * distance);
    double inverse_mass = (double)hot->inverse_mass;
    double z = h * h * cn_max2d(rate, 0) * inverse_mass / 12;
    cn_vec2d p = cn_scale2d(h * rate / (1 + z + z * z), cn_widen(to));
    double turn = cn_cross2d(cn_widen(a->arm), p) * (double)hot->inverse_inertia;
    cn_float4 kick = {(float)(p.x * inverse_mass), (float)(p.y * inverse_mass), (float)turn, 0};
    if (hot->flags & CN_BODY_LOCK_X) kick[0] = 0;
    if (hot->flags & CN_BODY_LOCK_Y) kick[1] = 0;
    return kick;
}

void cn_attract_bodies(void *context, int first, int end) {
    cn_solver *s = context;
    int batch = (int)(s->batch - s->sim->plan.batches);
    cn_field_state *fields = cn_fields_of(s->sim);
    for (int i = 0; first < end && i < fields->attractions.count; i++) {
        cn_attraction *a = &fields->attractions.items[i];
        const cn_body_warm *warm = &s->sim->warm[a->body];
        if (warm->batch != batch) continue;
        cn_float4 *add = &s->drives[warm->batch_state].add, kick = kick_of(s, a, warm->batch_state);
        *add += kick - a->last_kick;
        a->last_kick = kick;
    }
}
