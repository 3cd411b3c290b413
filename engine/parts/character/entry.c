/* How a moving body came into a hull.
 *
 * A lift that rises under the edge of a hull overlaps it after the step. The shortest path out
 * leads sideways, off the lift. But the world knows how each body moved in the last step, so the
 * two are swept again from where they were. At the first touch the plane between them shows
 * upwards, and the hull leaves along its normal: the lift takes it along, however narrow the edge
 * is.
 *
 *      ____________              ____________
 *     |    hull    |            |    hull    |
 *     |            |   met at   |            |
 *     |__________ _|   ======   |____________|____
 *               |_|____                     |
 *               |  lift                     | lift
 *
 * The same holds for doors and pistons. A body that overlapped the hull before the step, or was
 * teleported, has no such plane. */
#include "mover.h"

// Returns the motion of a body in the last step.
static cn_body_sweep last_motion(const cn_simulation *sim, int body) {
    cn_body_sweep sweep = cn_no_sweep(sim, body);
    const cn_motion *motion = &sim->motions[body];
    if (!cn_is_active(&sim->hot[body])) return sweep;
    sweep.displacement = (cn_vec2d){(double)motion->x, (double)motion->y};
    sweep.start_center = cn_add_scaled(sweep.start_center, -1, sweep.displacement);
    sweep.turn = motion->angle;
    sweep.start = cn_combine(cn_rotation_full(-sweep.turn), sweep.start);
    return sweep;
}

// Returns a shape with the motion of its body in the last step.
static cn_swept_hull moved_shape(const cn_simulation *sim, int shape) {
    const int body = sim->links[shape].body;
    cn_body_sweep sweep = last_motion(sim, body);
    cn_hull outline = cn_outline_of(sim, shape);
    return cn_make_swept_hull(&outline, sim->warm[body].center, &sweep);
}

// Returns the gap between the mover and a hull at rest along a direction n, from the hull to the
// mover.
static double gap_along(const cn_mover *m, const cn_swept_hull *hull, cn_vec2d n) {
    double highest = -DBL_MAX;
    for (int i = 0; i < hull->count; i++)
        highest = cn_max2d(highest, cn_dot2d(n, hull->vertices[i]));
    highest += cn_dot2d(n, hull->sweep.start_center) + hull->radius;
    return cn_mover_lowest(m, n) - highest;
}

void cn_mover_find_entry(const cn_mover *m, int shape, cn_plane *plane) {
    const cn_swept_hull other = moved_shape(&m->search.world->sim, shape);
    cn_swept_hull hull = m->hull;
    hull.sweep.start_center = cn_add_scaled(hull.sweep.start_center, -1, m->carried);
    hull.sweep.displacement = m->carried;
    const double tolerance = cn_touch_tolerance(&hull, &other);
    const double fraction = cn_find_impact(&hull, &other, 0, tolerance, 1);
    if (fraction == 0 || fraction > 1)
        return; // it overlapped the hull before, or they did not move
    const cn_gapd gap = cn_gap_at(&hull, &other, fraction);
    const cn_swept_hull still = cn_still_hull(&m->search, shape);
    plane->normal = cn_scale2d(-1, gap.normal);
    plane->gap = gap_along(m, &still, plane->normal);
}
