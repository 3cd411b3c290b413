/* How a body moves in this step: from where to where, and when it stops.
 *
 * Before the stage "move bodies", the pose in cn_body_hot is that at the start of the step. After
 * it, the pose is that at the end, and the start follows from the displacement in cn_motion. Both
 * are computed in double precision, with the low part of the position. */
#include "model.h"

cn_body_sweep cn_no_sweep(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    return (cn_body_sweep){
        .start_center = {(double)hot->x + (double)hot->low_x, (double)hot->y + (double)hot->low_y},
        .start = {hot->c, hot->s},
        .end_fraction = 1};
}

cn_body_sweep cn_coming_sweep(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    const cn_motion *m = &sim->motions[body];
    cn_body_sweep sweep = cn_no_sweep(sim, body);
    if (!cn_took_part(hot)) return sweep;
    sweep.displacement = (cn_vec2d){(double)m->x, (double)m->y};
    sweep.turn = m->angle;
    sweep.end_fraction = (double)m->until;
    return sweep;
}

cn_body_sweep cn_past_sweep(const cn_simulation *sim, int body) {
    cn_body_sweep sweep = cn_coming_sweep(sim, body);
    if (!cn_took_part(&sim->hot[body])) return sweep;
    sweep.start_center = cn_add_scaled(sweep.start_center, -1, sweep.displacement);
    sweep.start = cn_combine(cn_rotation_full(-sweep.turn), sweep.start);
    return sweep;
}

static cn_swept_hull sweep_shape(const cn_simulation *sim, int shape, const cn_body_sweep *sweep) {
    vec2s center = sim->warm[sim->links[shape].body].center;
    cn_hull outline = cn_outline_of(sim, shape);
    return cn_make_swept_hull(&outline, center, sweep);
}

cn_swept_hull cn_still_shape(const cn_simulation *sim, int shape) {
    const cn_body_sweep still = cn_no_sweep(sim, sim->links[shape].body);
    return sweep_shape(sim, shape, &still);
}

cn_swept_hull cn_coming_shape(const cn_simulation *sim, int shape) {
    const cn_body_sweep sweep = cn_coming_sweep(sim, sim->links[shape].body);
    return sweep_shape(sim, shape, &sweep);
}

cn_swept_hull cn_past_shape(const cn_simulation *sim, int shape) {
    const cn_body_sweep sweep = cn_past_sweep(sim, sim->links[shape].body);
    return sweep_shape(sim, shape, &sweep);
}

cn_bounds cn_past_bounds(const cn_simulation *sim, int body, float more) {
    const cn_motion *m = &sim->motions[body];
    vec2s end = cn_vec(sim->hot[body].x, sim->hot[body].y);
    float r = sim->warm[body].extent + sim->tuning.box_margin + more;
    return cn_box_extended((cn_bounds){end, end}, cn_box_of_displacement(-m->x, -m->y, r));
}
