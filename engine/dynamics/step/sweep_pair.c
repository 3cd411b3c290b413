/* Continuous collision of two bodies: each on its way through this step, where does one have to stop for the
 * other? (Why, and for whom at all: sweep.c.) */
#include "sweep.h"

#define GAP_SHARE 0.5     // of the slop: what is left between the two
#define TOLERANCE 0.1     // of the slop

// ---- pairs

// Does what was struck stop early, at what is static?
static bool is_early(const cn_simulation *sim, int body, int other) {
    return sim->motions[body].sweep & CN_SWEEP_WAS_HIT && !(sim->hot[other].flags & CN_BODY_MOVES);
}

// When a body has to stop for another, CN_NO_IMPACT if not at all.
static double find_stop(const cn_simulation *sim, int body, int other_body,
                        const cn_swept_hull *own, const cn_swept_hull *other) {
    const cn_motion *m = &sim->motions[body];
    bool bullet = sim->hot[body].flags & CN_BODY_BULLET;
    double least = (double)m->ccd_threshold, inner = bullet ? least / (double)CN_BULLET_FRACTION : least;
    if (is_early(sim, body, other_body)) least = (double)CN_BULLET_FRACTION * inner;
    double slop = (double)sim->tuning.slop, tolerance = TOLERANCE * slop, stop = GAP_SHARE * slop;
    double limit = (double)m->until, margin = (double)sim->tuning.speculative_margin;
    // What rests is not deep.
    double deep = fmax(CN_DEPTH_SHARE * least, fmin(1.5 * slop, CN_DEPTH_SHARE * inner));
    if (deep > CN_LOST_SHARE * (own->inner + other->inner)) return CN_NO_IMPACT;
    double fraction = cn_find_impact(own, other, -deep, tolerance, limit);
    if (fraction > 1) return CN_NO_IMPACT; // as a rule
    if (cn_find_impact(own, other, margin, tolerance, limit) == 0) {
        double gap = cn_gap_at(own, other, 0).distance;
        stop = fmin(gap, 0) - fmin(CN_NEWS_SHARE * deep, 4 * slop);
        deep = fmax(deep, CN_NEWS_SHARE * deep - gap);
        if (deep > CN_LOST_SHARE * (own->inner + other->inner)) return CN_NO_IMPACT;
        fraction = cn_find_impact(own, other, -deep, tolerance, limit);
    }
    if (fraction > 1) return fraction;
    return fmin(fraction, cn_find_impact(own, other, stop, tolerance, fraction));
}

// The square of the distance of the origin from the way between two points.
static float square_from_way(vec2s from, vec2s to) {
    vec2s way = glms_vec2_sub(to, from);
    float square = glms_vec2_dot(way, way), along = -glms_vec2_dot(from, way);
    float t = square > 0 ? cn_clamp(along / square, 0, 1) : 0;
    vec2s nearest = glms_vec2_add(from, glms_vec2_scale(way, t));
    return glms_vec2_dot(nearest, nearest);
}

// Did one of the two move by no other will than its own?
static bool fly(const cn_simulation *sim, int body, int other) {
    return (sim->motions[body].sweep | sim->motions[other].sweep) & CN_SWEEP_FREE_FLIGHT ||
           (sim->hot[body].flags | sim->hot[other].flags) & CN_BODY_IS_KINEMATIC;
}

// Is it fast, or may it be swept over by the other?
static bool may_stop(const cn_simulation *sim, int body, int other) {
    const cn_body_hot *hot = &sim->hot[body];
    return cn_is_fast(sim, body) ||
           (cn_is_dynamic(hot) && cn_has_moved(hot) && cn_is_moving_kinematic(&sim->hot[other]));
}

// What is held goes on through what flies into its way (that stops): else a motor could not turn a long bar
// in a crowd. It stops for others where it went far past them.
static bool goes_on(const cn_simulation *sim, int body, int other) {
    const cn_motion *m = &sim->motions[body], *n = &sim->motions[other];
    float way = sqrtf(m->x * m->x + m->y * m->y) + cn_spin_of(m);
    return cn_is_dynamic(&sim->hot[other]) && !(m->sweep & CN_SWEEP_FREE_FLIGHT) &&
           way <= CN_HELD_SHARE * (m->ccd_threshold + n->ccd_threshold);
}

static bool stops_for(const cn_simulation *sim, int body, int other) {
    return may_stop(sim, body, other) && !goes_on(sim, body, other);
}

// Two of which one may stop do not if they get no deeper into each other.
static float least_depth(const cn_simulation *sim, int body, int other) {
    float least = FLT_MAX;
    if (may_stop(sim, body, other)) least = sim->motions[body].ccd_threshold;
    if (may_stop(sim, other, body)) least = cn_min(least, sim->motions[other].ccd_threshold);
    if (is_early(sim, body, other)) least *= CN_BULLET_FRACTION;
    return (float)CN_DEPTH_SHARE * least - sim->tuning.slop;
}

// A cheap test of two moving bodies, about whom there are circles: seen from the other, does the way of
// the body, until one stops and then on, bring them together, and past the middle of the overlap?
static bool may_hit(const cn_simulation *sim, int body, int other) {
    const cn_motion m = cn_motion_of(sim, body), n = cn_motion_of(sim, other);
    float both = cn_min(m.until, n.until), first = m.until - both, second = n.until - both;
    vec2s way = cn_vec(both * (m.x - n.x), both * (m.y - n.y)); // together, then one alone
    vec2s rest = cn_vec(first * m.x - second * n.x, first * m.y - second * n.y);
    float share = fly(sim, body, other) ? 1 : CN_HELD_SHARE;
    float travel = glms_vec2_norm(way) + glms_vec2_norm(rest) + cn_spin_of(&m) + cn_spin_of(&n);
    if (!(travel > share * (m.ccd_threshold + n.ccd_threshold))) return false;
    const cn_body_hot *a = &sim->hot[body], *b = &sim->hot[other];
    float reach = sim->warm[body].extent + sim->warm[other].extent - least_depth(sim, body, other);
    vec2s start = cn_vec(a->x - m.x - (b->x - n.x), a->y - m.y - (b->y - n.y));
    vec2s middle = glms_vec2_add(start, way), end = glms_vec2_add(middle, rest);
    return cn_min(square_from_way(start, middle), square_from_way(middle, end)) <= reach * reach;
}

// The same of a body and a fixed shape: is all the way on one side of it?
static bool may_enter(const cn_simulation *sim, int body, int shape) {
    const cn_placed_hull *box = &sim->placed[shape];
    if (cn_placed_class(box) != CN_CLASS_BOX) return true;
    const cn_body_hot *hot = &sim->hot[body];
    const cn_motion *m = &sim->motions[body];
    vec2s end = cn_to_local(box->pose, cn_vec(hot->x, hot->y));
    vec2s start = glms_vec2_sub(end, cn_unrotate(box->pose.rotation, cn_vec(m->x, m->y)));
    vec2s low = cn_min2(start, end), high = cn_max2(start, end);
    float reach =
        sim->warm[body].extent + box->radius - least_depth(sim, body, sim->links[shape].body);
    float x = box->hx + reach, y = box->hy + reach;
    return low.x <= x && high.x >= -x && low.y <= y && high.y >= -y;
}

static void note_stop(cn_simulation *sim, int body, int other_body, const cn_swept_hull *own,
                      const cn_swept_hull *other) {
    if (!stops_for(sim, body, other_body)) return;
    cn_motion *m = &sim->motions[body];
    if (!m->sweep) { // then no other worker is at it
        sim->fast[sim->fast_count++] = body;
        m->stop = 1;
    }
    if (!cn_is_fast(sim, body)) m->sweep |= CN_SWEEP_FAST;
    bool carried = cn_was_stopped(m) && m->until == 1;
    if (carried && sim->hot[other_body].flags & CN_BODY_IS_KINEMATIC) return;
    _Atomic float *stop = &m->stop;
    float fresh = (float)find_stop(sim, body, other_body, own, other);
    float last = atomic_load_explicit(stop, memory_order_relaxed);
    while (fresh < last && !atomic_compare_exchange_weak(stop, &last, fresh)) {}
}

static bool may_meet(const cn_simulation *sim, int body, int shape) {
    int other = sim->links[shape].body;
    if (!stops_for(sim, body, other) && !stops_for(sim, other, body)) return false;
    bool moves = sim->hot[other].flags & CN_BODY_MOVES;
    return moves ? may_hit(sim, body, other) : may_enter(sim, body, shape);
}

// Are two dynamic bodies parts of one chain, doll or net? So far as the nearest bodies of the one tell.
static bool hang_together(const cn_simulation *sim, int body, int other) {
    enum { MOST = 64, MOST_JOINTS = 256 };
    int found[MOST] = {cn_min_int(body, other)}, count = 1, wanted = cn_max_int(body, other);
    bool joined = sim->first_joint[body] >= 0 && sim->first_joint[other] >= 0 &&
                  cn_is_dynamic(&sim->hot[body]) && cn_is_dynamic(&sim->hot[other]);
    for (int i = 0, joints = 0; joined && i < count; i++)
        for (int j = sim->first_joint[found[i]]; j >= 0 && joints < MOST_JOINTS; joints++) {
            int next = cn_joint_other(sim, j, found[i]);
            bool holds = sim->joints[j].row_type != CN_ROW_NONE;
            bool known = !holds || !cn_is_dynamic(&sim->hot[next]) || count == MOST;
            if (holds && next == wanted) return true;
            j = cn_joint_next(sim, j, found[i]);
            for (int k = 0; k < count && !known; k++) known = found[k] == next;
            if (!known) found[count++] = next;
        }
    return false;
}

bool cn_may_touch(const cn_simulation *sim, int a, int b) {
    if (!cn_should_collide(sim, a, b) || cn_is_excluded(sim, a, b) || !cn_one_way_blocks(sim, a, b, true))
        return false;
    int body = sim->links[a].body, other = sim->links[b].body;
    // To stop one in mid-step, while its neighbours go on, would tear the joints between.
    return fly(sim, body, other) || !hang_together(sim, body, other);
}

void cn_meet_shape(cn_search *s, int shape) {
    cn_simulation *sim = s->sim;
    int other = sim->links[shape].body;
    if (other == s->body || !may_meet(sim, s->body, shape) || !cn_may_touch(sim, s->shape, shape))
        return;
    if (!s->hull.count) s->hull = cn_swept_shape(sim, s->shape);
    cn_swept_hull b = cn_swept_shape(sim, shape);
    note_stop(sim, s->body, other, &s->hull, &b);
    note_stop(sim, other, s->body, &b, &s->hull);
}

// Tiles that are no shapes: an impact within the step threw it where it was not expected. (So no callback
// was asked; if that would let them pass they will in the next step, when they are shapes.)
void cn_meet_tiles(const cn_search *s, cn_bounds box) {
    cn_simulation *sim = s->sim;
    const cn_filter *filter = &cn_rare_of(sim, s->shape)->filter;
    bool sensor = sim->shapes[s->shape].flags & CN_SHAPE_SENSOR;
    for (int i = 0; i < sim->slots[CN_GRIDS].end && !sensor; i++)
        for (int tile = -1; (tile = cn_next_missing_tile(sim, i, box, tile)) >= 0;) {
            const cn_tile_grid *grid = &sim->grids[i];
            if (!cn_filter_agrees(filter, &grid->shape.filter) ||
                cn_joint_prevents_collision(sim, s->body, grid->body))
                break;
            cn_body_sweep way = cn_sweep_of_body(sim, grid->body);
            cn_hull hull = cn_tile_hull(grid, tile);
            cn_swept_hull a = cn_swept_shape(sim, s->shape);
            cn_swept_hull b = cn_make_swept_hull(&hull, cn_vec(0, 0), &way);
            note_stop(sim, s->body, grid->body, &a, &b);
        }
}
