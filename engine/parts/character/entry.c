/* How a moving body came into a hull.
 *
 * A lift that rises under the edge of a hull overlaps it after the step. The shortest path out
 * leads sideways, off the lift. But the world knows how each body moved in the last step, so the
 * two are swept again from where they were. At the first touch, the normal of the plane between
 * them points up. The hull leaves along this normal: the lift carries it, even with a narrow edge.
 *
 *      |   hull   |               |   hull   |
 *      |        __|___            |__________|___
 *      |_______|__|   |                   |      |
 *              |______| lift              |______| lift
 *
 *       after the step            at the first touch
 *
 * The same holds for doors and pistons. A body that overlapped the hull before the step, or was
 * teleported, has no such plane. */
#include "mover.h"

// Returns the motion of an active body in the last step.
static cn_body_sweep last_motion(const cn_simulation *sim, int body) {
    cn_body_sweep sweep = cn_no_sweep(sim, body);
    const cn_motion *motion = &sim->motions[body];
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

// Returns a bound: no point of a body moved farther relative to the mover in the last step.
static double reach_of_motion(const cn_mover *m, int body) {
    const cn_simulation *sim = &m->search.world->sim;
    float reach = cn_reach_of(&sim->motions[body], sim->warm[body].extent);
    return (double)reach + cn_length2d(m->carried);
}

// Returns how far the mover must move along a direction until it has left a shape. The mover is
// cast back from the other end. Returns 0 if it overlaps the shape there, too.
static double exit_length(const cn_mover *m, int shape, cn_vec2d direction, double longest) {
    const cn_simulation *sim = &m->search.world->sim;
    cn_vec2d center, end = cn_add_scaled(m->center, longest, direction);
    const cn_path back = cn_path_of(end, cn_scale2d(-longest, direction));
    const cn_placed_hull hull = cn_found_hull(&m->search, shape, &center);
    const cn_path_hit hit =
        cn_query_kernels_of(sim)->cast_at(&hull, center, sim->hulls.hulls8, &m->probe, &back);
    return hit.distance > 0 ? longest - hit.distance : 0;
}

void cn_mover_find_entry(const cn_mover *m, int shape, cn_plane *plane) {
    const cn_simulation *sim = &m->search.world->sim;
    const int body = sim->links[shape].body;
    if (!cn_is_active(&sim->hot[body])) return;
    const cn_swept_hull other = moved_shape(sim, shape);
    cn_swept_hull hull = m->hull;
    hull.sweep.start_center = cn_minus2d(hull.sweep.start_center, m->carried);
    hull.sweep.displacement = m->carried;
    const double tolerance = cn_touch_tolerance(&hull, &other);
    const double fraction = cn_find_impact(&hull, &other, 0, tolerance, 1);
    if (fraction == 0 || fraction > 1) return; // it overlapped the hull before, or did not move
    const cn_vec2d normal = cn_scale2d(-1, cn_gap_at(&hull, &other, fraction).normal);
    const double length = exit_length(m, shape, normal, reach_of_motion(m, body));
    if (length > 0) plane->normal = normal, plane->gap = -length;
}
