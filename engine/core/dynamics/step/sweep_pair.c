/* Continuous collision of two bodies: both move along their paths through this step, and one may
 * have to stop for the other. The essay of sweep.c says which pairs are tested, and what counts as
 * a hit.
 *
 * A pair passes cheap tests first: whether one of its bodies may stop at all, and whether the
 * circles around both bodies meet with enough overlap, or a shape and a static box along its axes.
 * Then cn_find_impact() finds the first time at which the hulls are as deep in each other as a hit
 * requires, and the earlier time at which the body has to stop for it. `stop` of the motion of a
 * body keeps the earliest of its hits. */
#include "sweep.h"

// Slops: the gap at which a pair that was apart at the start stops.
#define STOP_GAP 0.5
// Slops: contacts at rest may overlap by this much, so a hit is deeper, as far as CN_HIT_DEPTH of
// the inner radius allows.
#define REST_DEPTH 1.5
// Slops: a pair that was near at the start stops at most this much deeper than it was.
#define MAX_NEAR_DEPTH 4

// How many bodies and joints are_linked() looks at.
enum { MAX_LINKED_BODIES = 64, MAX_LINKED_JOINTS = 256 };

// ---- which bodies may stop

// True if one of the two bodies is in free flight, a bullet, or kinematic: then the pair is not
// left to the contact solver.
static bool is_free_pair(const cn_simulation *sim, int body, int other) {
    return cn_is_free(sim, body) || cn_is_free(sim, other) ||
           (sim->hot[body].flags | sim->hot[other].flags) & CN_BODY_IS_KINEMATIC;
}

/* True if the body stops where it hits another one that is not static. That depends on the length
 * of its motion:
 *
 *     the other body       the body stops if it moves
 *     kinematic, moving    by any length: the other one may sweep over it
 *     kinematic, at rest   by more than its CCD threshold
 *     dynamic              the same, but if a constraint changed its velocity: by more than
 *                          CN_CONSTRAINED_PASS times both thresholds. Otherwise a motor could not
 *                          turn a long bar in a crowd.
 *
 * Only dynamic bodies stop. */
static bool stops_for(const cn_simulation *sim, int body, int other) {
    const cn_body_hot *hot = &sim->hot[body], *against = &sim->hot[other];
    const cn_motion *m = &sim->motions[body];
    if (!cn_is_dynamic(hot) || !cn_took_part(hot)) return false;
    if (cn_is_moving_kinematic(against)) return true;
    if (!cn_is_fast(sim, body) || cn_is_free(sim, body) || !cn_is_dynamic(against))
        return cn_is_fast(sim, body);
    float both = m->ccd_threshold + sim->motions[other].ccd_threshold;
    return cn_ccd_length(m) > CN_CONSTRAINED_PASS * both;
}

// True for a dynamic body whose velocity no constraint changed in this step.
static bool is_flying(const cn_simulation *sim, int body) {
    const uint32_t needed = CN_BODY_IS_DYNAMIC | CN_BODY_IN_FLIGHT;
    return (sim->hot[body].flags & needed) == needed;
}

// True if one of two bodies is flying, so no contact has solved a hit of the two in this step, and
// no joint holds either.
static bool is_unsolved(const cn_simulation *sim, int body, int other) {
    return (is_flying(sim, body) || is_flying(sim, other)) && sim->first_joint[body] < 0 &&
           sim->first_joint[other] < 0;
}

// What continuous collision does with a pair of bodies that move.
typedef struct {
    bool body_stops, other_stops;
    bool at_touch; // if they were apart at the start, they stop where they first touch
    float pass;    // m: they may pass each other if they move farther relative to each other
    float depth;   // m: a lower bound of the overlap of a hit
} pair_case;

static pair_case case_of(const cn_simulation *sim, int body, int other) {
    float both = sim->motions[body].ccd_threshold + sim->motions[other].ccd_threshold;
    pair_case c = {.body_stops = stops_for(sim, body, other),
                   .other_stops = stops_for(sim, other, body),
                   .pass = both,
                   .depth = FLT_MAX};
    if (!is_free_pair(sim, body, other)) c.pass *= CN_CONSTRAINED_PASS;
    if (c.body_stops) c.depth = sim->motions[body].ccd_threshold;
    if (c.other_stops) c.depth = cn_min(c.depth, sim->motions[other].ccd_threshold);
    c.depth = (float)CN_HIT_DEPTH * c.depth - sim->tuning.slop;
    return c;
}

// ---- cheap tests of a pair

// The square of the distance of the origin from the line segment between two points.
static float square_from_segment(vec2s from, vec2s to) {
    vec2s edge = glms_vec2_sub(to, from);
    float square = glms_vec2_dot(edge, edge), along = -glms_vec2_dot(from, edge);
    float t = square > 0 ? cn_clamp(along / square, 0, 1) : 0;
    vec2s nearest = glms_vec2_add(from, glms_vec2_scale(edge, t));
    return glms_vec2_dot(nearest, nearest);
}

// True if two moving bodies may hit each other: they move far enough relative to each other, and
// the circles around them meet with enough overlap. The relative path has two parts: while both
// move, and after one has stopped. Also finds whether they stop where they first touch. That does
// not depend on stops: if one stops at a touch, so does the other.
static bool paths_meet(const cn_simulation *sim, int body, int other, pair_case *c) {
    const cn_motion m = cn_motion_of(sim, body), n = cn_motion_of(sim, other);
    float both = cn_min(m.until, n.until), first = m.until - both, second = n.until - both;
    vec2s together = cn_vec(both * (m.x - n.x), both * (m.y - n.y));
    vec2s alone = cn_vec(first * m.x - second * n.x, first * m.y - second * n.y);
    // Rounded alike from both sides: either body may be the one that searches.
    float turn = cn_ccd_turn(&m) + cn_ccd_turn(&n);
    float length = glms_vec2_norm(together) + glms_vec2_norm(alone) + turn, whole = length;
    if (cn_min(m.until, n.until) < 1) whole = glms_vec2_norm(cn_vec(m.x - n.x, m.y - n.y)) + turn;
    c->at_touch = whole > CN_CONSTRAINED_PASS * (m.ccd_threshold + n.ccd_threshold) &&
                  is_unsolved(sim, body, other);
    if (!(length > c->pass || c->at_touch)) return false;
    const cn_body_hot *a = &sim->hot[body], *b = &sim->hot[other];
    float depth = c->at_touch ? -sim->tuning.slop : c->depth;
    float reach = sim->warm[body].extent + sim->warm[other].extent - depth;
    vec2s start = cn_vec(a->x - b->x, a->y - b->y);
    vec2s middle = glms_vec2_add(start, together), end = glms_vec2_add(middle, alone);
    return cn_min(square_from_segment(start, middle), square_from_segment(middle, end)) <=
           reach * reach;
}

// Returns an upper bound of the overlap of a shape with a static one on its path, in metres. If the
// static one is a box (or a circle, capsule or segment), that is the overlap along one of its axes.
// The path is taken in the frame of the box.
static float max_overlap(const cn_sweep_search *s, int shape) {
    const cn_simulation *sim = s->sim;
    const cn_placed_hull *box = &sim->placed[shape];
    if (cn_placed_class(box) != CN_CLASS_BOX) return FLT_MAX;
    const cn_motion *m = &sim->motions[s->body];
    const cn_rotation q = box->pose.rotation;
    cn_placed_hull own = sim->placed[s->shape];
    own.pose.position = cn_to_local(box->pose, own.pose.position);
    own.pose.rotation = cn_combine((cn_rotation){q.c, -q.s}, own.pose.rotation);
    vec2s d = cn_unrotate(q, cn_vec(m->x, m->y));
    cn_bounds start = cn_placed_bounds(&own, sim->hulls.hulls8);
    cn_bounds path = cn_box_extended(start, cn_box_of_displacement(d.x, d.y, 0));
    float x = box->hx + cn_min(-path.lower.x, path.upper.x);
    float y = box->hy + cn_min(-path.lower.y, path.upper.y);
    float turn = cn_turn_reach(m->angle, sim->warm[s->body].extent);
    float size = cn_abs(box->pose.position.x) + cn_abs(box->pose.position.y);
    return cn_min(x, y) + box->radius + turn + sim->tuning.slop + CN_BOX_ROUNDING * size;
}

// ---- joints, filters and one-way platforms

// True if joints link two dynamic bodies, directly or through other dynamic bodies: they are parts
// of one chain, doll or net. The search is breadth first and ends after MAX_LINKED_BODIES bodies or
// MAX_LINKED_JOINTS joints.
static bool are_linked(const cn_simulation *sim, int body, int other) {
    int found[MAX_LINKED_BODIES] = {cn_min_int(body, other)}, count = 1;
    int wanted = cn_max_int(body, other);
    bool jointed = sim->first_joint[body] >= 0 && sim->first_joint[other] >= 0 &&
                   cn_is_dynamic(&sim->hot[body]) && cn_is_dynamic(&sim->hot[other]);
    for (int i = 0, joints = 0; jointed && i < count; i++)
        for (int j = sim->first_joint[found[i]]; j >= 0 && joints < MAX_LINKED_JOINTS; joints++) {
            int next = cn_joint_other(sim, j, found[i]);
            bool links = sim->joints[j].row_type != CN_ROW_NONE;
            bool known = !links || !cn_is_dynamic(&sim->hot[next]) || count == MAX_LINKED_BODIES;
            if (links && next == wanted) return true;
            j = cn_joint_next(sim, j, found[i]);
            for (int k = 0; k < count && !known; k++) known = found[k] == next;
            if (!known) found[count++] = next;
        }
    return false;
}

bool cn_may_touch(const cn_simulation *sim, int a, int b) {
    if (!cn_should_collide(sim, a, b) || cn_is_excluded(sim, a, b) ||
        cn_passes_one_way(sim, a, b, CN_BEFORE_MOVE))
        return false;
    int body = sim->links[a].body, other = sim->links[b].body;
    // If a linked body stopped and its neighbours went on, the joints between would be torn.
    return is_free_pair(sim, body, other) || !are_linked(sim, body, other);
}

// ---- where a body stops

static const cn_swept_hull *hull_of(cn_sweep_search *s) {
    if (!s->hull.count) s->hull = cn_coming_shape(s->sim, s->shape);
    return &s->hull;
}

// What decides where a shape of a body stops. Lengths are metres.
typedef struct {
    double depth;        // an overlap that is a hit
    double static_depth; // the same for a static shape from which it was apart at the start: that
                         // of a bullet
    double slop, margin, tolerance;
    double angle; // radians: a contact whose normal turns by less is the same contact
    double limit; // a fraction of the step: the body stops there anyway
} limits;

static limits limits_of(const cn_simulation *sim, int body) {
    const cn_motion *m = &sim->motions[body];
    bool bullet = sim->hot[body].flags & CN_BODY_BULLET;
    double threshold = (double)m->ccd_threshold, slop = (double)sim->tuning.slop;
    double inner = bullet ? threshold / (double)CN_BULLET_FRACTION : threshold;
    double least = fmin(REST_DEPTH * slop, CN_HIT_DEPTH * inner);
    return (limits){.depth = fmax(CN_HIT_DEPTH * threshold, least),
                    .static_depth =
                        fmax(CN_HIT_DEPTH * (double)cn_bullet_threshold(sim, body), least),
                    .slop = slop,
                    .margin = (double)sim->tuning.speculative_margin,
                    .tolerance = CN_IMPACT_TOLERANCE * slop,
                    .angle = (double)sim->tuning.anchor_angle,
                    .limit = (double)m->until};
}

// Returns the time at which the distance of two hulls falls to a value. (Times are fractions of the
// step; CN_NO_IMPACT: never.)
static double find_time(const limits *l, const cn_swept_hull *own, const cn_swept_hull *other,
                        double distance) {
    return cn_find_impact(own, other, distance, l->tolerance, l->limit);
}

// Returns the time at which a body stops for a hit. The overlap is as deep as a hit at the time
// `deep`. The body stops when the distance falls to `stop`, which is earlier.
static double find_stop(const limits *l, const cn_swept_hull *own, const cn_swept_hull *other,
                        double deep, double stop) {
    if (deep > 1) return CN_NO_IMPACT;
    return fmin(deep, cn_find_impact(own, other, stop, l->tolerance, deep));
}

// Returns the time at which a body stops for another one that it was near at the start, with `gap`.
static double find_stop_of_near(const limits *l, const cn_swept_hull *own,
                                const cn_swept_hull *other, double gap) {
    double deeper = CN_NEAR_DEPTH * l->depth;
    double deep = find_time(l, own, other, -fmax(l->depth, deeper - gap));
    return find_stop(l, own, other, deep, fmin(gap, 0) - fmin(deeper, MAX_NEAR_DEPTH * l->slop));
}

// True if the contact of the next step is that of the first touch: the pair still overlaps at the
// end, by less than other hits do, and with the same normal.
static bool is_still_touching(const limits *l, const cn_swept_hull *own, const cn_swept_hull *other,
                              double touch) {
    cn_gapd first = cn_gap_at(own, other, touch), end = cn_gap_at(own, other, l->limit);
    double cosine = cn_dot2d(first.normal, end.normal);
    double sine = cn_cross2d(first.normal, end.normal);
    return end.distance <= 0 && end.distance >= -l->depth && cosine > 0 && fabs(sine) <= l->angle;
}

// Returns the time at which a body stops for another one that is not static. `at_touch` is that of
// the pair.
static double find_moving_stop(const limits *l, const cn_swept_hull *own,
                               const cn_swept_hull *other, bool at_touch) {
    double deep = find_time(l, own, other, at_touch ? 0 : -l->depth);
    if (deep > 1) return CN_NO_IMPACT; // most pairs
    double gap = cn_gap_at(own, other, 0).distance;
    if (gap <= l->margin - l->tolerance) return find_stop_of_near(l, own, other, gap);
    if (at_touch) return is_still_touching(l, own, other, deep) ? CN_NO_IMPACT : deep;
    return find_stop(l, own, other, deep, STOP_GAP * l->slop);
}

// Returns the overlap that is a hit with a static shape, for a shape that was apart from it at the
// start. `normal` is that of the hit. A shape that slides over static ground must go on over
// further ground. If it was near ground that faces the same way, the overlap is that for other
// bodies. If it was near other ground, the overlap is greater by its depth in that ground.
static double static_depth_on_ground(cn_sweep_search *s, const limits *l, cn_vec2d normal) {
    const cn_simulation *sim = s->sim;
    double deepest = 0;
    cn_bounds box = cn_placed_bounds(&sim->placed[s->shape], sim->hulls.hulls8);
    box = cn_box_grown(box, sim->tuning.speculative_margin);
    CN_EACH_OVER(other, &sim->static_tree, box) {
        const cn_swept_hull ground = cn_coming_shape(sim, other);
        cn_gapd gap = cn_gap_at(hull_of(s), &ground, 0);
        if (gap.distance > l->margin || !cn_may_touch(sim, s->shape, other)) continue;
        double cosine = gap.normal.x * normal.x + gap.normal.y * normal.y;
        if (cosine > (double)CN_SAME_FACE_COSINE) return l->depth;
        deepest = fmax(deepest, -gap.distance);
    }
    return fmin(l->depth, l->static_depth + deepest);
}

// Returns the time at which a body stops for a static shape. `most` is a bound of their overlap. A
// slow body cannot be past the shape, so it is deepest at the end, and it does not stop for a shape
// that was near: the pair was surely a contact in this step.
static double find_static_stop(cn_sweep_search *s, const cn_swept_hull *ground, double most) {
    const limits l = limits_of(s->sim, s->body);
    if (most < l.static_depth) return CN_NO_IMPACT;
    const cn_swept_hull *own = hull_of(s);
    bool fast = cn_is_fast(s->sim, s->body);
    double gap = cn_gap_at(own, ground, 0).distance;
    if (gap <= l.margin - l.tolerance)
        return fast && most >= l.depth ? find_stop_of_near(&l, own, ground, gap) : CN_NO_IMPACT;
    if (!fast && cn_gap_at(own, ground, l.limit).distance > -l.static_depth) return CN_NO_IMPACT;
    double deep = find_time(&l, own, ground, -l.static_depth);
    if (deep > 1) return CN_NO_IMPACT; // most pairs
    double depth = static_depth_on_ground(s, &l, cn_gap_at(own, ground, deep).normal);
    if (depth > l.static_depth) deep = find_time(&l, own, ground, -depth);
    return find_stop(&l, own, ground, deep, STOP_GAP * l.slop);
}

// Lets the body stop at a time, unless it stops earlier.
static void lower_stop(cn_simulation *sim, int body, double time) {
    _Atomic float *stop = &sim->motions[body].stop;
    float found = (float)time, lowest = atomic_load_explicit(stop, memory_order_relaxed);
    while (found < lowest)
        if (atomic_compare_exchange_weak(stop, &lowest, found)) {
            cn_set_shared_bit(cn_bits_of(sim, CN_SET_HIT), body, sim->team != NULL);
            return;
        }
}

// Stops the body where it hits another one that is not static.
static void stop_body(cn_simulation *sim, int body, int other_body, const cn_swept_hull *own,
                      const cn_swept_hull *other, bool at_touch) {
    cn_motion *m = &sim->motions[body];
    bool kinematic = sim->hot[other_body].flags & CN_BODY_IS_KINEMATIC;
    // A slow body that a kinematic body hits becomes fast. Only one thread searches for those.
    if (!m->sweep) {
        sim->swept[sim->swept_count++] = body;
        m->sweep = CN_SWEEP_FAST;
        m->stop = 1;
    }
    // A body that a kinematic body carried goes where that body takes it.
    if (kinematic && cn_was_stopped(m) && m->until == 1) return;
    const limits l = limits_of(sim, body);
    double stop = find_moving_stop(&l, own, other, at_touch);
    lower_stop(sim, body, stop);
    // A slow body in free flight becomes fast after this round, when no other thread reads its row.
    if (at_touch && stop <= 1 && is_flying(sim, other_body) && !cn_is_fast(sim, other_body))
        cn_set_shared_bit(cn_bits_of(sim, CN_SET_SWEPT), other_body, sim->team != NULL);
}

void cn_sweep_against_moving(cn_sweep_search *s, int shape) {
    cn_simulation *sim = s->sim;
    int other = sim->links[shape].body;
    if (other == s->body) return;
    pair_case c = case_of(sim, s->body, other);
    if (!(c.body_stops || c.other_stops) || !paths_meet(sim, s->body, other, &c) ||
        !cn_may_touch(sim, s->shape, shape))
        return;
    const cn_swept_hull *a = hull_of(s), b = cn_coming_shape(sim, shape);
    if (c.body_stops) stop_body(sim, s->body, other, a, &b, c.at_touch);
    if (c.other_stops) stop_body(sim, other, s->body, &b, a, c.at_touch);
}

void cn_sweep_against_static(cn_sweep_search *s, int shape) {
    float most = max_overlap(s, shape);
    if (most < (float)CN_HIT_DEPTH * cn_bullet_threshold(s->sim, s->body)) return;
    if (!cn_may_touch(s->sim, s->shape, shape)) return;
    const cn_swept_hull ground = cn_coming_shape(s->sim, shape);
    lower_stop(s->sim, s->body, find_static_stop(s, &ground, (double)most));
}

static void sweep_against_piece(void *context, const cn_terrain_piece *piece) {
    cn_sweep_search *s = context;
    cn_simulation *sim = s->sim;
    if (!cn_filter_agrees(&cn_rare_of(sim, s->shape)->filter, piece->filter) ||
        cn_joint_prevents_collision(sim, s->body, piece->body) ||
        cn_passes_piece(sim, piece, s->shape))
        return;
    cn_body_sweep sweep = cn_coming_sweep(sim, piece->body);
    const cn_swept_hull ground =
        cn_make_swept_hull(&piece->hull, sim->warm[piece->body].center, &sweep);
    lower_stop(sim, s->body, find_static_stop(s, &ground, DBL_MAX));
}

// A body gets near such pieces if an impact within the step threw it where no step expected it. The
// callbacks of the user are not called for them. If these would let the body pass, it passes in the
// next step, when the pieces have shapes.
void cn_sweep_against_terrain(cn_sweep_search *s, cn_bounds box) {
    const uint32_t passing = CN_SHAPE_SENSOR | CN_SHAPE_NO_COLLISION;
    if (!s->sim->terrain || s->sim->shapes[s->shape].flags & passing) return;
    s->sim->terrain->visit_pieces(s->sim, box, sweep_against_piece, s);
}
