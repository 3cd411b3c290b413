/* Continuous collision of two bodies: both move along their paths through this step, and one may
 * have to stop for the other. The essay of sweep.c says which pairs are tested, and what counts as
 * a hit.
 *
 * A pair passes cheap tests first: whether one of its bodies may stop at all, and whether the
 * circles around both bodies (or the circle around one and a static box) meet with enough overlap.
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

// ---- where a body stops

// True if a hit needs only a quarter of the usual depth: the body was slow until it was hit in this
// step, so it had no contact yet with the other body, which is static.
static bool stops_early(const cn_simulation *sim, int body, int other) {
    return sim->motions[body].sweep & CN_SWEEP_WAS_HIT && !(sim->hot[other].flags & CN_BODY_MOVES);
}

// Returns the fraction of the step after which the body has to stop for another one, CN_NO_IMPACT
// if it need not.
static double find_stop(const cn_simulation *sim, int body, int other_body,
                        const cn_swept_hull *own, const cn_swept_hull *other) {
    const cn_motion *m = &sim->motions[body];
    bool bullet = sim->hot[body].flags & CN_BODY_BULLET;
    double threshold = (double)m->ccd_threshold;
    double inner = bullet ? threshold / (double)CN_BULLET_FRACTION : threshold;
    if (stops_early(sim, body, other_body)) threshold = (double)CN_BULLET_FRACTION * inner;
    double slop = (double)sim->tuning.slop, tolerance = CN_IMPACT_TOLERANCE * slop;
    double limit = (double)m->until, margin = (double)sim->tuning.speculative_margin;
    double stop = STOP_GAP * slop, max_depth = CN_MAX_DEPTH * (own->inner + other->inner);
    double hit_depth =
        fmax(CN_HIT_DEPTH * threshold, fmin(REST_DEPTH * slop, CN_HIT_DEPTH * inner));
    if (hit_depth > max_depth) return CN_NO_IMPACT;
    double fraction = cn_find_impact(own, other, -hit_depth, tolerance, limit);
    if (fraction > 1) return CN_NO_IMPACT; // most pairs
    bool was_near = cn_find_impact(own, other, margin, tolerance, limit) == 0;
    if (was_near) {
        double gap = cn_gap_at(own, other, 0).distance;
        stop = fmin(gap, 0) - fmin(CN_NEAR_DEPTH * hit_depth, MAX_NEAR_DEPTH * slop);
        hit_depth = fmax(hit_depth, CN_NEAR_DEPTH * hit_depth - gap);
        if (hit_depth > max_depth) return CN_NO_IMPACT;
        fraction = cn_find_impact(own, other, -hit_depth, tolerance, limit);
    }
    if (fraction > 1) return fraction;
    return fmin(fraction, cn_find_impact(own, other, stop, tolerance, fraction));
}

// ---- which bodies may stop

// True if one of the two bodies is in free flight, a bullet, or kinematic: then the pair is not
// left to the contact solver.
static bool is_free_pair(const cn_simulation *sim, int body, int other) {
    return (sim->motions[body].sweep | sim->motions[other].sweep) & CN_SWEEP_FREE_FLIGHT ||
           (sim->hot[body].flags | sim->hot[other].flags) & CN_BODY_IS_KINEMATIC;
}

// True if the body is fast, or if the other one is kinematic and may sweep over it.
static bool may_stop(const cn_simulation *sim, int body, int other) {
    const cn_body_hot *hot = &sim->hot[body];
    return cn_is_fast(sim, body) ||
           (cn_is_dynamic(hot) && cn_took_part(hot) && cn_is_moving_kinematic(&sim->hot[other]));
}

// True if the body does not stop for another dynamic body, which stops instead: a constraint
// changed its velocity, and its path is not so long that it went far past the other. Otherwise a
// motor could not turn a long bar in a crowd.
static bool pushes_through(const cn_simulation *sim, int body, int other) {
    const cn_motion *m = &sim->motions[body], *n = &sim->motions[other];
    return cn_is_dynamic(&sim->hot[other]) && !(m->sweep & CN_SWEEP_FREE_FLIGHT) &&
           cn_ccd_length(m) <= CN_CONSTRAINED_PASS * (m->ccd_threshold + n->ccd_threshold);
}

static bool stops_for(const cn_simulation *sim, int body, int other) {
    return may_stop(sim, body, other) && !pushes_through(sim, body, other);
}

// ---- cheap tests of a pair

// In metres: a lower bound of the overlap at which one of the two bodies has to stop.
static float min_hit_depth(const cn_simulation *sim, int body, int other) {
    float threshold = FLT_MAX;
    if (may_stop(sim, body, other)) threshold = sim->motions[body].ccd_threshold;
    if (may_stop(sim, other, body))
        threshold = cn_min(threshold, sim->motions[other].ccd_threshold);
    if (stops_early(sim, body, other)) threshold *= CN_BULLET_FRACTION;
    return (float)CN_HIT_DEPTH * threshold - sim->tuning.slop;
}

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
// move, and after one has stopped.
static bool paths_meet(const cn_simulation *sim, int body, int other) {
    const cn_motion m = cn_motion_of(sim, body), n = cn_motion_of(sim, other);
    float both = cn_min(m.until, n.until), first = m.until - both, second = n.until - both;
    vec2s together = cn_vec(both * (m.x - n.x), both * (m.y - n.y));
    vec2s alone = cn_vec(first * m.x - second * n.x, first * m.y - second * n.y);
    float factor = is_free_pair(sim, body, other) ? 1 : CN_CONSTRAINED_PASS;
    float travel =
        glms_vec2_norm(together) + glms_vec2_norm(alone) + cn_ccd_turn(&m) + cn_ccd_turn(&n);
    if (!(travel > factor * (m.ccd_threshold + n.ccd_threshold))) return false;
    const cn_body_hot *a = &sim->hot[body], *b = &sim->hot[other];
    float reach =
        sim->warm[body].extent + sim->warm[other].extent - min_hit_depth(sim, body, other);
    vec2s start = cn_vec(a->x - b->x, a->y - b->y);
    vec2s middle = glms_vec2_add(start, together), end = glms_vec2_add(middle, alone);
    return cn_min(square_from_segment(start, middle), square_from_segment(middle, end)) <=
           reach * reach;
}

// True if a body may hit a static shape. False if the shape is a box (or a circle, capsule or
// segment) and the path of the circle around the body stays on one side of it. The path is taken in
// the frame of the shape.
static bool path_enters(const cn_simulation *sim, int body, int shape) {
    const cn_placed_hull *box = &sim->placed[shape];
    if (cn_placed_class(box) != CN_CLASS_BOX) return true;
    const cn_body_hot *hot = &sim->hot[body];
    const cn_motion *m = &sim->motions[body];
    vec2s start = cn_to_local(box->pose, cn_vec(hot->x, hot->y));
    vec2s end = glms_vec2_add(start, cn_unrotate(box->pose.rotation, cn_vec(m->x, m->y)));
    vec2s low = cn_min2(start, end), high = cn_max2(start, end);
    float reach =
        sim->warm[body].extent + box->radius - min_hit_depth(sim, body, sim->links[shape].body);
    float x = box->hx + reach, y = box->hy + reach;
    return low.x <= x && high.x >= -x && low.y <= y && high.y >= -y;
}

static bool may_hit(const cn_simulation *sim, int body, int shape) {
    int other = sim->links[shape].body;
    if (!stops_for(sim, body, other) && !stops_for(sim, other, body)) return false;
    bool moves = sim->hot[other].flags & CN_BODY_MOVES;
    return moves ? paths_meet(sim, body, other) : path_enters(sim, body, shape);
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

// ---- hits

// Lowers `stop` of the body if it has to stop for the other one earlier than for those before.
static void lower_stop(cn_simulation *sim, int body, int other_body, const cn_swept_hull *own,
                       const cn_swept_hull *other) {
    if (!stops_for(sim, body, other_body)) return;
    cn_motion *m = &sim->motions[body];
    // A slow body that a kinematic body hits becomes fast. Only one thread searches for those.
    if (!m->sweep) {
        sim->swept[sim->swept_count++] = body;
        m->stop = 1;
    }
    if (!cn_is_fast(sim, body)) m->sweep |= CN_SWEEP_FAST;
    // A kinematic body carried it: it goes where that takes it.
    bool carried = cn_was_stopped(m) && m->until == 1;
    if (carried && sim->hot[other_body].flags & CN_BODY_IS_KINEMATIC) return;
    _Atomic float *stop = &m->stop;
    float found = (float)find_stop(sim, body, other_body, own, other);
    float lowest = atomic_load_explicit(stop, memory_order_relaxed);
    while (found < lowest && !atomic_compare_exchange_weak(stop, &lowest, found)) {}
}

void cn_sweep_against_shape(cn_sweep_search *s, int shape) {
    cn_simulation *sim = s->sim;
    int other = sim->links[shape].body;
    if (other == s->body || !may_hit(sim, s->body, shape) || !cn_may_touch(sim, s->shape, shape))
        return;
    if (!s->hull.count) s->hull = cn_coming_shape(sim, s->shape);
    cn_swept_hull b = cn_coming_shape(sim, shape);
    lower_stop(sim, s->body, other, &s->hull, &b);
    lower_stop(sim, other, s->body, &b, &s->hull);
}

static void sweep_against_piece(void *context, const cn_terrain_piece *piece) {
    cn_sweep_search *s = context;
    cn_simulation *sim = s->sim;
    if (!cn_filter_agrees(&cn_rare_of(sim, s->shape)->filter, piece->filter) ||
        cn_joint_prevents_collision(sim, s->body, piece->body) ||
        cn_passes_piece(sim, piece, s->shape))
        return;
    if (!s->hull.count) s->hull = cn_coming_shape(sim, s->shape);
    cn_body_sweep sweep = cn_coming_sweep(sim, piece->body);
    cn_swept_hull b = cn_make_swept_hull(&piece->hull, sim->warm[piece->body].center, &sweep);
    lower_stop(sim, s->body, piece->body, &s->hull, &b);
}

// A body gets near such pieces if an impact within the step threw it where no step expected it. The
// callbacks of the user are not called for them. If these would let the body pass, it passes in the
// next step, when the pieces have shapes.
void cn_sweep_against_terrain(cn_sweep_search *s, cn_bounds box) {
    if (!s->sim->terrain || s->sim->shapes[s->shape].flags & CN_SHAPE_SENSOR) return;
    s->sim->terrain->visit_pieces(s->sim, box, sweep_against_piece, s);
}
