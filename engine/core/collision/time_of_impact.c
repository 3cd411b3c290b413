/* The distance of two hulls, and the time at which two moving hulls first touch.
 *
 * The distance is signed: if the hulls overlap, it is minus the penetration depth. Hulls have few
 * vertices, so all edges and vertices are tested. The radii are ignored at first. The hulls without
 * their radii, the cores,
 *
 *      overlap     if neither core has an edge with the other core in front of it. The edge with
 *                  the least overlap gives the distance, the normal and the deepest point.
 *      are apart   otherwise. The nearest points are a vertex of one core and a point on an edge of
 *                  the other.
 *
 * Conservative advancement (Mirtich 1996) finds the time of impact. The signed distance is the
 * largest separation along any axis. Along the present normal n it shrinks by no more than
 *
 *      n.(va - vb) + |wa| ra + |wb| rb,      v: displacement, w: turn, r: farthest vertex
 *
 * per unit of the fraction. So both hulls can advance until this could have used up the distance,
 * and so on from there. They never step over a touch. A pure translation ends after a few rounds.
 *
 * A grazing rotation would need many rounds, and their number would grow with the length of a hull:
 * its far end is fast, although the touch is near its centre. So after SPEED_ROUNDS the advancement
 * bounds the acceleration instead of the speed. In the frame that turns with a hull F, F is at
 * rest. Along an axis n of this frame, a vertex k of the other hull O has the separation
 *
 *      s(t) = s + s' t + s'' t^2 / 2,    s' = n.(v - wF x D + (wO - wF) x rk)
 *                                     |s''| <= wF^2 |D| + 3 |wF| |v| + (wO - wF)^2 |rk|
 *
 *      s   separation now                        v   velocity of the centre of O minus that of F
 *      t   fraction from now on, wF t <= 1       D   from the centre of F to that of O
 *                                                rk  from the centre of O to the vertex
 *
 * (The bound of s'' follows from |D| + |v| t <= |D| + |v| / wF.) The hulls advance until the first
 * vertex could be at the wanted distance. This converges to a touch like Newton's method. A grazing
 * pass takes a number of rounds that grows with the logarithm of its closeness. Two more
 * bounds serve hulls that turn many times: the circle around O in place of O, and the circle around
 * the centre of F that F leaves free. The longest advance counts.
 *
 * After MAX_ROUNDS the fraction that has been reached counts as the touch. This happens to pairs
 * that turn many times and nearly touch in each turn, and to hulls so long that the rotation, a
 * float, no longer resolves the touch.
 *
 * Everything is in double precision, because a body may be swept over a thousand times its size. */
#include "collision.h"

enum {
    SPEED_ROUNDS = 24, // rounds that use the bound of the speed
    MAX_ROUNDS = 60,   // of both kinds
};

// The core of a hull at its place at some fraction, in the world.
typedef struct {
    cn_vec2d v[CN_MAX_VERTICES];
    int count;
} core;

float cn_inner_radius(const cn_hull *outline) {
    if (outline->count < 3) return outline->radius;
    vec2s middle = cn_vec(0, 0);
    float inner = FLT_MAX, weight = 1 / (float)outline->count;
    for (int i = 0; i < outline->count; i++)
        middle = glms_vec2_add(middle, glms_vec2_scale(outline->vertices[i], weight));
    for (int i = 0, last = outline->count - 1; i < outline->count; last = i++) {
        cn_vec2d edge = cn_between(outline->vertices[last], outline->vertices[i]);
        cn_vec2d offset = cn_between(outline->vertices[i], middle);
        inner = cn_min(inner, (float)(cn_cross2d(edge, offset) / sqrt(cn_dot2d(edge, edge))));
    }
    return inner + outline->radius;
}

cn_swept_hull cn_make_swept_hull(const cn_hull *outline, vec2s center, const cn_body_sweep *sweep) {
    cn_swept_hull swept = {.sweep = *sweep,
                           .count = outline->count,
                           .radius = (double)outline->radius,
                           .inner = (double)cn_inner_radius(outline)};
    for (int i = 0; i < outline->count; i++) {
        cn_vec2d r = cn_between(center, outline->vertices[i]);
        swept.vertices[i] = cn_rotate2d(sweep->start, r);
        double reach = sqrt(cn_dot2d(r, r));
        if (reach > swept.extent) swept.extent = reach; // (GCC 12 for ARM breaks on fmax() here.)
    }
    return swept;
}

static core core_at(const cn_swept_hull *hull, double fraction) {
    const cn_body_sweep *sweep = &hull->sweep;
    double f = fmin(fraction, sweep->end_fraction);
    cn_rotation q = {1, 0};
    if (sweep->turn != 0) q = cn_rotation_full((float)(f * (double)sweep->turn));
    cn_vec2d center = cn_add_scaled(sweep->start_center, f, sweep->displacement);
    core placed = {.count = hull->count};
    for (int i = 0; i < hull->count; i++)
        placed.v[i] = cn_add_scaled(center, 1, cn_rotate2d(q, hull->vertices[i]));
    return placed;
}

// ---- distance

// Stores the edge of `a` that separates `b` best, if it separates better than `best`: the normal,
// the nearest vertex of `b`, and the foot of this vertex on the line of the edge. `flip` swaps the
// hulls.
static void find_face(const core *a, const core *b, bool flip, cn_gapd *best) {
    for (int i = 0; i < a->count && a->count > 1; i++) {
        cn_vec2d e = cn_minus2d(a->v[(i + 1) % a->count], a->v[i]);
        cn_vec2d n = cn_unit2d((cn_vec2d){e.y, -e.x});
        double least = DBL_MAX;
        int nearest = 0;
        for (int k = 0; k < b->count; k++) {
            double height = cn_dot2d(n, cn_minus2d(b->v[k], a->v[i]));
            if (height < least) least = height, nearest = k;
        }
        if (least <= best->distance) continue;
        cn_vec2d v = b->v[nearest], foot = cn_add_scaled(v, -least, n);
        *best = flip ? (cn_gapd){least, {-n.x, -n.y}, v, foot} : (cn_gapd){least, n, foot, v};
    }
}

// The normal of an edge on the side to which `to` points. (If the cores almost touch, `to` is only
// rounding, so it gives no direction itself.)
static cn_vec2d normal_towards(cn_vec2d edge, cn_vec2d to) {
    cn_vec2d n = cn_unit2d((cn_vec2d){edge.y, -edge.x});
    return cn_dot2d(n, to) < 0 ? (cn_vec2d){-n.x, -n.y} : n;
}

// Stores the vertex of `a` and the point on an edge of `b` that are nearest, if nearer than `best`.
static void find_nearest(const core *a, const core *b, bool flip, cn_gapd *best) {
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            cn_vec2d e = cn_minus2d(b->v[(k + 1) % b->count], b->v[k]),
                     m = cn_minus2d(a->v[i], b->v[k]);
            double length = cn_dot2d(e, e), along = cn_dot2d(e, m);
            double t = along <= 0 ? 0 : along >= length ? 1 : along / length;
            cn_vec2d p = cn_add_scaled(b->v[k], t, e), to = cn_minus2d(p, a->v[i]);
            double distance = sqrt(cn_dot2d(to, to));
            if (distance >= best->distance) continue;
            cn_vec2d n = t > 0 && t < 1 ? normal_towards(e, to) : cn_unit2d(to);
            n = distance == 0 ? best->normal : flip ? (cn_vec2d){-n.x, -n.y} : n;
            *best = flip ? (cn_gapd){distance, n, p, a->v[i]} : (cn_gapd){distance, n, a->v[i], p};
        }
}

// The gap of two cores takes two steps. gap_of_faces() finds the edge that separates the cores
// best, if there is any edge. Then gap_of_points() finds the nearest points, if the cores are
// apart.
static cn_gapd gap_of_faces(const core *a, const core *b) {
    cn_gapd gap = {.distance = -DBL_MAX, .normal = {0, 1}};
    find_face(a, b, false, &gap);
    find_face(b, a, true, &gap);
    return gap;
}

static cn_gapd gap_of_points(const core *a, const core *b, cn_gapd gap) {
    if (gap.distance < 0 && a->count + b->count > 2) return gap;
    gap.distance = DBL_MAX;
    find_nearest(a, b, false, &gap);
    find_nearest(b, a, true, &gap);
    return gap;
}

cn_gapd cn_gap_at(const cn_swept_hull *a, const cn_swept_hull *b, double fraction) {
    core ca = core_at(a, fraction), cb = core_at(b, fraction);
    cn_gapd faces = gap_of_faces(&ca, &cb), gap = gap_of_points(&ca, &cb, faces);
    // Points that coincide, to rounding, give no direction.
    bool meet = gap.distance >= 0 && gap.distance <= CN_ROUNDING * (a->extent + b->extent);
    if (meet) gap.normal = faces.normal;
    gap.distance -= a->radius + b->radius;
    gap.a = cn_add_scaled(gap.a, a->radius, gap.normal);
    gap.b = cn_add_scaled(gap.b, -b->radius, gap.normal);
    return gap;
}

// ---- time of impact

// The greatest speed at which a hull may move along n from `fraction` on, per unit of the fraction.
static double greatest_speed(const cn_swept_hull *hull, cn_vec2d n, double fraction, double limit) {
    const cn_body_sweep *sweep = &hull->sweep;
    double speed = cn_dot2d(n, sweep->displacement) + fabs((double)sweep->turn) * hull->extent;
    if (fraction >= sweep->end_fraction) return 0;
    return sweep->end_fraction < limit ? fmax(speed, 0) : speed;
}

// How far the fraction can rise before the bounding discs of both hulls are within `distance`.
// These discs contain the hulls at any rotation.
static double fraction_apart(const cn_swept_hull *a, const cn_swept_hull *b, double distance,
                             double fraction) {
    cn_vec2d pa = cn_add_scaled(a->sweep.start_center, fmin(fraction, a->sweep.end_fraction),
                                a->sweep.displacement);
    cn_vec2d pb = cn_add_scaled(b->sweep.start_center, fmin(fraction, b->sweep.end_fraction),
                                b->sweep.displacement);
    cn_vec2d d = cn_minus2d(pb, pa), v = cn_minus2d(b->sweep.displacement, a->sweep.displacement);
    double speed = sqrt(cn_dot2d(v, v));
    if (a->sweep.end_fraction != b->sweep.end_fraction) // then one hull moves alone for a time
        speed = sqrt(cn_dot2d(a->sweep.displacement, a->sweep.displacement)) +
                sqrt(cn_dot2d(b->sweep.displacement, b->sweep.displacement));
    double gap = sqrt(cn_dot2d(d, d)) - a->extent - b->extent - a->radius - b->radius - distance;
    return speed > 0 ? gap / speed : gap > 0 ? DBL_MAX : 0;
}

// The greatest speed at which the hulls may approach each other.
static double closing_speed(const cn_swept_hull *a, const cn_swept_hull *b, cn_vec2d n,
                            double fraction, double limit) {
    return greatest_speed(a, n, fraction, limit) +
           greatest_speed(b, (cn_vec2d){-n.x, -n.y}, fraction, limit);
}

// A hull on its sweep, with its motion from now on.
typedef struct {
    core core;
    cn_vec2d center, velocity; // the latter per unit of the fraction
    double turn;               // likewise
    double extent;             // radius of the circle that contains the core
} mover;

static mover move_to(const cn_swept_hull *hull, const core *placed, double fraction) {
    const cn_body_sweep *sweep = &hull->sweep;
    bool moves = fraction < sweep->end_fraction;
    double f = fmin(fraction, sweep->end_fraction);
    return (mover){
        .core = *placed,
        .center = cn_add_scaled(sweep->start_center, f, sweep->displacement),
        .velocity = moves ? sweep->displacement : (cn_vec2d){0, 0},
        .turn = moves ? (double)sweep->turn : 0,
        .extent = hull->extent,
    };
}

static cn_vec2d spin2d(double w, cn_vec2d r) { return (cn_vec2d){-w * r.y, w * r.x}; }

// Returns the first time t > 0 at which height + slope t - bend t^2 / 2 is 0: DBL_MAX if there is
// none, 0 if the height is not positive.
static double time_of_fall(double height, double slope, double bend) {
    if (!(height > 0)) return 0;
    double root = sqrt(slope * slope + 2 * bend * height);
    if (slope < 0) return 2 * height / (root - slope);
    return bend > 0 ? (slope + root) / bend : DBL_MAX;
}

// Returns how far the fraction can rise before the hulls are within `distance` along an axis n,
// from F to O, that turns with F.
static double safe_advance(const mover *f, const mover *o, cn_vec2d n, double distance) {
    cn_vec2d d = cn_minus2d(o->center, f->center), v = cn_minus2d(o->velocity, f->velocity);
    double top = -DBL_MAX, w = o->turn - f->turn, own = fabs(f->turn);
    double bend = own * own * cn_length2d(d) + 3 * own * cn_length2d(v);
    double slope = cn_dot2d(n, cn_minus2d(v, spin2d(f->turn, d)));
    double advance = own > 0 ? 1 / own : DBL_MAX;
    for (int i = 0; i < f->core.count; i++)
        top = cn_max2d(top, cn_dot2d(n, cn_minus2d(f->core.v[i], f->center)));
    for (int k = 0; k < o->core.count; k++) {
        cn_vec2d r = cn_minus2d(o->core.v[k], o->center);
        double height = cn_dot2d(n, d) + cn_dot2d(n, r) - top - distance;
        double time =
            time_of_fall(height, slope + cn_dot2d(n, spin2d(w, r)), bend + w * w * cn_length2d(r));
        advance = cn_min2d(advance, time);
    }
    return advance;
}

// The same with the circle around O in place of O, along the best axis.
static double safe_advance_to_circle(const mover *f, const mover *o, double distance) {
    mover center = *o;
    center.core = (core){{o->center}, 1};
    cn_gapd gap = gap_of_points(&f->core, &center.core, gap_of_faces(&f->core, &center.core));
    return safe_advance(f, &center, gap.normal, distance + o->extent);
}

// The same for O in the circle that F leaves free around its centre while it turns.
static double safe_advance_in_hole(const mover *f, const mover *o, double distance) {
    core center = {{f->center}, 1};
    cn_gapd gap = gap_of_points(&f->core, &center, gap_of_faces(&f->core, &center));
    double speed = cn_length2d(cn_minus2d(o->velocity, f->velocity));
    double depth = gap.distance - cn_length2d(cn_minus2d(o->center, f->center)) - o->extent;
    return depth > distance ? speed > 0 ? (depth - distance) / speed : DBL_MAX : 0;
}

// The same for two hulls, from the best of these bounds. The axes point from A to B.
static double advance_by_acceleration(const mover *a, const mover *b, const cn_vec2d axes[2],
                                      double distance) {
    double best =
        fmax(safe_advance_to_circle(a, b, distance), safe_advance_to_circle(b, a, distance));
    best = fmax(best, safe_advance_in_hole(a, b, distance));
    best = fmax(best, safe_advance_in_hole(b, a, distance));
    for (int i = 0; i < 2; i++) {
        cn_vec2d n = axes[i], back = {-n.x, -n.y};
        best = cn_max2d(best, safe_advance(a, b, n, distance));
        best = cn_max2d(best, safe_advance(b, a, back, distance));
    }
    return best;
}

// Returns the next fraction at which one of the hulls ends its motion, or `limit`.
static double next_end(const cn_swept_hull *a, const cn_swept_hull *b, double fraction,
                       double limit) {
    double end_a = a->sweep.end_fraction, end_b = b->sweep.end_fraction;
    if (end_a > fraction) limit = fmin(limit, end_a);
    return end_b > fraction ? fmin(limit, end_b) : limit;
}

double cn_find_impact(const cn_swept_hull *a, const cn_swept_hull *b, double distance,
                      double tolerance, double limit) {
    double fraction = 0, target = distance + a->radius + b->radius; // distance of the cores
    for (int i = 0; i < MAX_ROUNDS; i++) {
        double ahead = fraction_apart(a, b, distance, fraction);
        if (fraction + ahead > limit) return CN_NO_IMPACT;
        fraction += fmax(ahead, 0);
        core ca = core_at(a, fraction), cb = core_at(b, fraction);
        cn_gapd faces = gap_of_faces(&ca, &cb); // any axis that separates the cores will do
        double remaining = faces.distance - target;
        double speed = closing_speed(a, b, faces.normal, fraction, limit);
        if (remaining > tolerance && !(speed * (limit - fraction) > remaining - tolerance))
            return CN_NO_IMPACT;
        cn_gapd gap = gap_of_points(&ca, &cb, faces);
        remaining = gap.distance - target;
        if (remaining <= tolerance) return fraction;
        speed = closing_speed(a, b, gap.normal, fraction, limit);
        if (!(speed * (limit - fraction) > remaining - tolerance)) return CN_NO_IMPACT;
        double advance = remaining / speed;
        if (i >= SPEED_ROUNDS) { // half of the tolerance is left for the last step
            mover ma = move_to(a, &ca, fraction), mb = move_to(b, &cb, fraction);
            const cn_vec2d axes[2] = {faces.normal, gap.normal};
            double safe = advance_by_acceleration(&ma, &mb, axes, target + tolerance / 2);
            advance = fmax((remaining - tolerance / 2) / speed,
                           fmin(safe, next_end(a, b, fraction, limit) - fraction));
        }
        fraction = fmin(fraction + advance, limit);
    }
    return fraction;
}

// ---- for callers without a world

#define MAX_COORDINATE 1e18f
#define MAX_TURN       1e6f

bool cn_require_sweep(const cn_sweep *sweep) {
    if (!sweep) return cn_fail(CN_ERROR_HANDLE, "the sweep is NULL");
    return cn_require_pose(sweep->start) && cn_require2("centre", sweep->center, MAX_COORDINATE) &&
           cn_require2("translation", sweep->translation, MAX_COORDINATE) &&
           cn_require("turn", sweep->turn, -MAX_TURN, MAX_TURN);
}

static bool check_sweeps(const cn_hull *a, const cn_sweep *sweep_a, const cn_hull *b,
                         const cn_sweep *sweep_b) {
    return cn_hull_check(a) && cn_hull_check(b) && cn_require_sweep(sweep_a) &&
           cn_require_sweep(sweep_b);
}

cn_swept_hull cn_swept_hull_from_sweep(const cn_hull *hull, const cn_sweep *sweep) {
    cn_pose start = cn_given_pose(sweep->start);
    cn_vec2d arm = cn_rotate2d(start.rotation, cn_widen(sweep->center));
    return cn_make_swept_hull(
        hull, sweep->center,
        &(cn_body_sweep){.start_center = cn_add_scaled(cn_widen(start.position), 1, arm),
                         .displacement = cn_widen(sweep->translation),
                         .start = start.rotation,
                         .turn = sweep->turn,
                         .end_fraction = 1});
}

cn_pose cn_sweep_pose(cn_sweep sweep, float fraction) {
    if (!CN_CHECK(cn_require_sweep(&sweep) && cn_require("fraction", fraction, 0, 1)))
        return cn_no_pose;
    cn_pose start = cn_given_pose(sweep.start);
    cn_rotation q = cn_combine(cn_rotation_full(fraction * sweep.turn), start.rotation);
    cn_vec2d center = cn_rotate2d(start.rotation, cn_widen(sweep.center));
    center = cn_add_scaled(center, (double)fraction, cn_widen(sweep.translation));
    center = cn_add_scaled(center, 1, cn_widen(start.position));
    cn_vec2d arm = cn_rotate2d(q, cn_widen(sweep.center));
    return (cn_pose){cn_narrow(cn_add_scaled(center, -1, arm)), q};
}

cn_gap cn_hull_distance(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b) {
    const cn_sweep at_a = {.start = pose_a}, at_b = {.start = pose_b};
    if (!CN_CHECK(check_sweeps(a, &at_a, b, &at_b))) return (cn_gap){0};
    cn_swept_hull sa = cn_swept_hull_from_sweep(a, &at_a), sb = cn_swept_hull_from_sweep(b, &at_b);
    cn_gapd gap = cn_gap_at(&sa, &sb, 0);
    return (cn_gap){(float)gap.distance, cn_narrow(gap.normal), cn_narrow(gap.a), cn_narrow(gap.b)};
}

// A hull at rest, relative to a point of the world.
static cn_swept_hull rest_hull(vec2s origin, const cn_hull *hull, cn_pose pose) {
    return cn_make_swept_hull(hull, cn_vec(0, 0),
                              &(cn_body_sweep){.start_center = cn_between(origin, pose.position),
                                               .start = cn_given_pose(pose).rotation,
                                               .end_fraction = 1});
}

cn_resting_pair cn_make_resting_pair(const cn_hull *a, cn_pose pose_a, const cn_hull *b,
                                     cn_pose pose_b) {
    cn_resting_pair pair = {.a = rest_hull(pose_a.position, a, pose_a),
                            .b = rest_hull(pose_a.position, b, pose_b)};
    pair.gap = cn_gap_at(&pair.a, &pair.b, 0);
    pair.rounding = CN_ROUNDING * (pair.a.extent + pair.a.radius + pair.b.extent + pair.b.radius);
    return pair;
}

cn_mtv cn_hull_mtv(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b) {
    if (!CN_CHECK(cn_check_pair(a, pose_a, b, pose_b))) return (cn_mtv){0};
    cn_resting_pair pair = cn_make_resting_pair(a, pose_a, b, pose_b);
    if (!cn_pair_overlaps(&pair)) return (cn_mtv){0};
    double depth = fmax(0, -pair.gap.distance);
    return (cn_mtv){true, cn_narrow(cn_add_scaled((cn_vec2d){0, 0}, depth, pair.gap.normal))};
}

static cn_ray_hit find_impact(const cn_hull *a, const cn_sweep *sweep_a, const cn_hull *b,
                              const cn_sweep *sweep_b, const char *caller) {
    bool good = check_sweeps(a, sweep_a, b, sweep_b) || cn_fail_call(caller);
    if (!good) return (cn_ray_hit){0};
    cn_swept_hull sa = cn_swept_hull_from_sweep(a, sweep_a),
                  sb = cn_swept_hull_from_sweep(b, sweep_b);
    double tolerance = cn_touch_tolerance(&sa, &sb);
    double fraction = cn_find_impact(&sa, &sb, 0, tolerance, 1);
    if (fraction > 1) return (cn_ray_hit){0};
    cn_gapd gap = cn_gap_at(&sa, &sb, fraction);
    bool inside = fraction == 0 && gap.distance < -tolerance;
    cn_vec2d n = {inside ? 0 : 0 - gap.normal.x, inside ? 0 : 0 - gap.normal.y};
    return (cn_ray_hit){true, (float)fraction, cn_narrow(gap.b), cn_narrow(n)};
}

cn_ray_hit cn_hull_time_of_impact(const cn_hull *a, const cn_sweep *sweep_a, const cn_hull *b,
                                  const cn_sweep *sweep_b) {
    return find_impact(a, sweep_a, b, sweep_b, __func__);
}

cn_ray_hit cn_hull_cast(const cn_hull *a, cn_pose pose_a, vec2s translation, const cn_hull *b,
                        cn_pose pose_b) {
    const cn_sweep moving = {.start = pose_a, .translation = translation},
                   resting = {.start = pose_b};
    return find_impact(a, &moving, b, &resting, __func__);
}
