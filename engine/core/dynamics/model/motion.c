/* How a body moved in this step: where it was, its displacement, and when it stopped.
 *
 * The pose in cn_body_hot is that after the step. The pose before it follows from the displacement
 * in cn_motion. Both are computed in double precision, with the low part of the position. */
#define CN_LANES 1
#include "motion.h"

#include "model.h"

// rad in a step: each shape of a body that turns farther is swept as a circle about the centre of
// mass, with the shape's inner radius. The faster a hull turns, the shorter are the steps of the
// search for an impact.
#define MAX_SWEPT_TURN 1000.0f

void cn_move_body(cn_body_hot *body, const float *d) {
    cn_row4w pose = {{body->x}, {body->y}, {body->c}, {body->s}};
    cn_vec2w low = {{body->low_x}, {body->low_y}};
    cn_movew(&pose, &low, (cn_row4w){{d[0]}, {d[1]}, {d[2]}, {0}});
    body->x = pose.x[0], body->y = pose.y[0], body->c = pose.z[0], body->s = pose.w[0];
    body->low_x = low.x[0], body->low_y = low.y[0];
}

// A body at its present pose, without a motion.
static cn_body_sweep stand_still(const cn_body_hot *hot) {
    return (cn_body_sweep){
        .start_center = {(double)hot->x + (double)hot->low_x, (double)hot->y + (double)hot->low_y},
        .start = {hot->c, hot->s},
        .end_fraction = 1};
}

cn_body_sweep cn_sweep_of_body(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    const cn_motion *m = &sim->motions[body];
    cn_body_sweep sweep = stand_still(hot);
    if (!cn_took_part(hot)) return sweep;
    sweep.displacement = (cn_vec2d){(double)m->x, (double)m->y};
    sweep.start_center = cn_add_scaled(sweep.start_center, -1, sweep.displacement);
    sweep.start = cn_combine(cn_rotation_full(-m->angle), sweep.start);
    sweep.turn = m->angle;
    sweep.end_fraction = (double)m->until;
    return sweep;
}

cn_swept_hull cn_still_shape(const cn_simulation *sim, int shape) {
    int body = sim->links[shape].body;
    const cn_body_sweep still = stand_still(&sim->hot[body]);
    cn_hull outline = cn_outline_of(sim, shape);
    return cn_make_swept_hull(&outline, sim->warm[body].center, &still);
}

cn_swept_hull cn_swept_shape(const cn_simulation *sim, int shape) {
    int body = sim->links[shape].body;
    vec2s center = sim->warm[body].center;
    cn_body_sweep sweep = cn_sweep_of_body(sim, body);
    cn_hull outline = cn_outline_of(sim, shape);
    if (cn_abs(sweep.turn) > MAX_SWEPT_TURN)
        outline = (cn_hull){.vertices = {center}, .radius = cn_inner_radius(&outline), .count = 1};
    return cn_make_swept_hull(&outline, center, &sweep);
}

cn_bounds cn_swept_bounds(const cn_simulation *sim, int body, float more) {
    const cn_motion *m = &sim->motions[body];
    vec2s end = cn_vec(sim->hot[body].x, sim->hot[body].y);
    float r = sim->warm[body].extent + sim->tuning.box_margin + more;
    return cn_box_extended((cn_bounds){end, end}, cn_box_of_displacement(-m->x, -m->y, r));
}
