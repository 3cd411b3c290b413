/* Continuous collision: what moved far in this step is followed from where it was to where it is.
 *
 * The solver moves bodies by the whole step at once. What moved by no more than its inner radius (the
 * largest circle about its middle that fits into it) is still on the right side of whatever it ran
 * into. What moved farther may be past it. So the finish notes every such body, and here each is
 * swept against all that its way crosses, which is on its own way over the same time:
 *
 *      far apart at the start    hit if it gets deep into the other: three quarters of its inner
 *                                radius. It is put back to where it came within a small gap: the next
 *                                step sees a contact about to close, with the full approach speed.
 *      near each other           they were a contact already, so the solver has seen it, and what
 *                                slides along a floor shall go on: hit only if it gets deeper than
 *                                that (and than it was), and put back to there.
 *
 * Grazes are left to the contacts of the next step. A body that was put back keeps its velocity, but
 * has not yet done or used the work of gravity on the rest of its way: a bounce loses time, not energy.
 *
 * This is for first hits of what flies; the inside of a pile is the contact solver's. So two bodies that
 * both were held in this step (a constraint changed their velocity) must have passed farther to count,
 * and if both are fast and began near each other they do not count at all.
 *
 * In a landslide all are fast and yet hardly move against each other. So a coarse grid of the places that
 * bodies went through keeps the range of their motions: only who finds a motion there that differs from
 * its own by more than both inner radii looks into the tree. There are the boxes of the ends of the ways:
 * it asks for its own box, extended by those motions as seen from it. Large and kinematic bodies are not
 * in the grid but look for themselves. (Cells share places of a table; a range may be too wide, which
 * costs time only.) Whether anything at rest is near, ground or sleepers, is looked up once for 64
 * neighbours. Of what is found most is put aside by circles and sides of boxes.
 *
 * What stops changes what others meet, so those that were just stopped look who ran into them, a few
 * times: of two that rush at each other both stop. A pair is tested for both at once. All have been asked
 * before any is stopped, and of all hits the earliest counts: results depend on neither order, lanes,
 * batches nor trees. */
#include "dynamics.h"

enum { MAX_ROUNDS = 4 };

#define DEEP_SHARE 0.75    // of the distance from which on a body is fast
#define LOST_SHARE 0.98    // of both inner radii: who is deeper in another is left to the solver
#define MOST_TURN  1000.0f // radians
#define GAP_SHARE  0.5     // of the slop: what is left between the two
#define HELD_SHARE 2    // of both inner radii: two bodies that both are held pass on so long a way
#define TOLERANCE  0.1  // of the slop
#define NEWS_SHARE 0.25 // of the depth of a hit: pairs that are in touch may get that much deeper

// ---- ways

// Has it moved in this step?
static bool has_moved(const cn_body_hot *hot) {
    bool flies = (hot->flags & CN_BODY_IS_DYNAMIC) && (hot->flags & CN_BODY_AWAKE);
    return flies || cn_is_moving_kinematic(hot);
}

cn_way cn_way_of(const cn_simulation *sim, int body) {
    const cn_body_hot *hot = &sim->hot[body];
    const cn_motion *m = &sim->motions[body];
    cn_way way = {
        .from = {(double)hot->x + (double)hot->low_x, (double)hot->y + (double)hot->low_y},
        .start = {hot->c, hot->s},
        .until = 1};
    if (!has_moved(hot)) return way;
    way.motion = (cn_vec2d){(double)m->x, (double)m->y};
    way.from = cn_add_scaled(way.from, -1, way.motion);
    way.start = cn_combine(cn_rotation_full(-m->angle), way.start);
    way.turn = m->angle;
    way.until = (double)m->until;
    return way;
}

// Of what turns more than MOST_TURN in a step only the middle is followed.
cn_swept_hull cn_swept_shape(const cn_simulation *sim, int shape, const cn_way *way) {
    const cn_body_warm *warm = &sim->warm[sim->links[shape].body];
    vec2s center = cn_vec(warm->center_x, warm->center_y);
    cn_hull hull = cn_hull_of(sim, shape);
    if (cn_abs(way->turn) > MOST_TURN)
        hull = (cn_hull){.vertices = {center}, .radius = cn_inner_radius(&hull), .count = 1};
    return cn_sweep_hull(&hull, center, way);
}

// All places that the body goes through, and `more` on each side.
cn_bounds cn_way_bounds(const cn_simulation *sim, int body, float more) {
    const cn_body_hot *hot = &sim->hot[body];
    const cn_motion *m = &sim->motions[body];
    vec2s end = cn_vec(hot->x, hot->y), start = cn_vec(end.x - m->x, end.y - m->y);
    float r = sim->warm[body].extent + sim->tuning.box_margin + more;
    vec2s lower = cn_min2(start, end), upper = cn_max2(start, end);
    return (cn_bounds){cn_vec(lower.x - r, lower.y - r), cn_vec(upper.x + r, upper.y + r)};
}

// ---- pairs

// When a body has to stop for another, CN_SWEEP_MISS if not at all.
static double find_stop(const cn_simulation *sim, int body, const cn_swept_hull *own,
                        const cn_swept_hull *other, bool solved) {
    const cn_motion *m = &sim->motions[body];
    bool bullet = sim->hot[body].flags & CN_BODY_BULLET;
    double least = (double)m->least, inner = bullet ? least / (double)CN_BULLET_SHARE : least;
    double slop = (double)sim->tuning.slop, tolerance = TOLERANCE * slop, stop = GAP_SHARE * slop;
    double limit = (double)m->until, margin = (double)sim->tuning.speculative_margin;
    double deep = fmax(DEEP_SHARE * least, fmin(1.5 * slop, DEEP_SHARE * inner)); // rests are none
    if (deep > LOST_SHARE * (own->inner + other->inner)) return CN_SWEEP_MISS;
    double fraction = cn_sweep_until(own, other, -deep, tolerance, limit);
    if (fraction > 1) return CN_SWEEP_MISS; // as a rule
    if (cn_sweep_until(own, other, margin, tolerance, limit) == 0) {
        if (solved) return CN_SWEEP_MISS;
        double gap = cn_gap_at(own, other, 0).distance;
        stop = fmin(gap, 0) - fmin(NEWS_SHARE * deep, 4 * slop);
        deep = fmax(deep, NEWS_SHARE * deep - gap);
        if (deep > LOST_SHARE * (own->inner + other->inner)) return CN_SWEEP_MISS;
        fraction = cn_sweep_until(own, other, -deep, tolerance, limit);
    }
    return fraction > 1 ? fraction : cn_sweep_until(own, other, stop, tolerance, fraction);
}

// The square of the distance of the origin from the way between two points.
static float square_from_way(vec2s from, vec2s to) {
    vec2s way = glms_vec2_sub(to, from);
    float square = glms_vec2_dot(way, way), along = -glms_vec2_dot(from, way);
    float t = square > 0 ? cn_clamp(along / square, 0, 1) : 0;
    vec2s nearest = glms_vec2_add(from, glms_vec2_scale(way, t));
    return glms_vec2_dot(nearest, nearest);
}

static float spin_of(const cn_motion *m) { return cn_abs(m->angle) * m->swing; }

// All but `stop`, which others may be lowering.
static cn_motion motion_of(const cn_simulation *sim, int body) {
    const cn_motion *m = &sim->motions[body];
    if (!has_moved(&sim->hot[body]))
        return (cn_motion){.until = 1, .least = m->least, .swing = m->swing};
    return (cn_motion){m->x, m->y, m->angle, m->until, m->least, m->swing, .stop = 1};
}

// Did one of the two move by no other will than its own?
static bool fly(const cn_simulation *sim, int body, int other) {
    uint32_t flags = sim->hot[body].flags | sim->hot[other].flags;
    return flags & (CN_BODY_FLIES | CN_BODY_IS_KINEMATIC);
}

// Two of which one is fast do not stop if they get no deeper into each other.
static float least_depth(const cn_simulation *sim, int body, int other) {
    float least = FLT_MAX;
    if (sim->hot[body].flags & CN_BODY_FAST) least = sim->motions[body].least;
    if (sim->hot[other].flags & CN_BODY_FAST) least = cn_min(least, sim->motions[other].least);
    return (float)DEEP_SHARE * least - sim->tuning.slop;
}

// A cheap test of two moving bodies, about whom there are circles: seen from the other, does the way of
// the body, until one stops and then on, bring them together, and past the middle of the overlap?
static bool may_hit(const cn_simulation *sim, int body, int other) {
    const cn_motion m = motion_of(sim, body), n = motion_of(sim, other);
    float both = cn_min(m.until, n.until), first = m.until - both, second = n.until - both;
    vec2s way = cn_vec(both * (m.x - n.x), both * (m.y - n.y)); // together, then one alone
    vec2s rest = cn_vec(first * m.x - second * n.x, first * m.y - second * n.y);
    float share = fly(sim, body, other) ? 1 : HELD_SHARE;
    float travel = glms_vec2_norm(way) + glms_vec2_norm(rest) + spin_of(&m) + spin_of(&n);
    if (!(travel > share * (m.least + n.least))) return false;
    const cn_body_hot *a = &sim->hot[body], *b = &sim->hot[other];
    float reach = sim->warm[body].extent + sim->warm[other].extent - least_depth(sim, body, other);
    vec2s start = cn_vec(a->x - m.x - (b->x - n.x), a->y - m.y - (b->y - n.y));
    vec2s middle = glms_vec2_add(start, way), end = glms_vec2_add(middle, rest);
    return cn_min(square_from_way(start, middle), square_from_way(middle, end)) <= reach * reach;
}

// The shape where it was before the step.
static cn_placed_hull placed_before(const cn_simulation *sim, int shape, const cn_motion *m) {
    return cn_placed_after(sim, shape, cn_vec(-m->x, -m->y), -m->angle);
}

// How far the core of a shape reaches along n from its centre.
static float reach_along(const cn_simulation *sim, const cn_placed_hull *placed, vec2s n) {
    vec2s own = cn_unrotate(placed->pose.rotation, n);
    if (cn_placed_class(placed) == CN_CLASS_BOX)
        return placed->hx * cn_abs(own.x) + placed->hy * cn_abs(own.y);
    const cn_hull8 *hull = &sim->hulls.hulls8[placed->hull];
    float most = -FLT_MAX;
    for (int i = 0; i < cn_placed_count(placed); i++)
        most = cn_max(most, own.x * hull->x[i] + own.y * hull->y[i]);
    return most;
}

// Normal i of a shape, in its canonical frame.
static vec2s normal_of(const cn_simulation *sim, const cn_placed_hull *placed, int i) {
    static const vec2s sides[4] = {{{1, 0}}, {{0, 1}}, {{-1, 0}}, {{0, -1}}};
    if (cn_placed_class(placed) == CN_CLASS_BOX) return sides[i];
    const cn_hull8 *hull = &sim->hulls.hulls8[placed->hull];
    return cn_vec(hull->nx[i], hull->ny[i]);
}

// How far B lies in front of A along A's normal i.
static float gap_before_face(const cn_simulation *sim, const cn_placed_hull *a,
                             const cn_placed_hull *b, int i) {
    vec2s n = cn_rotate(a->pose.rotation, normal_of(sim, a, i));
    vec2s between = glms_vec2_sub(b->pose.position, a->pose.position);
    return glms_vec2_dot(n, between) - reach_along(sim, a, n) -
           reach_along(sim, b, cn_vec(-n.x, -n.y)) - a->radius - b->radius;
}

// A better one: was a shape in front of a side of another, and is it still? Seen from the other its points'
// ways are chords of curves that bend by an eighth of the greatest acceleration at most.
static bool stays_beside(const cn_simulation *sim, int shape, int other_shape) {
    int body = sim->links[shape].body, other = sim->links[other_shape].body;
    const cn_motion m = motion_of(sim, body), n = motion_of(sim, other);
    if (m.until < 1 || n.until < 1) return false;
    const cn_body_hot *a = &sim->hot[body], *b = &sim->hot[other];
    vec2s way = cn_vec(m.x - n.x, m.y - n.y);
    float turn = cn_abs(n.angle), spin = cn_abs(m.angle) + turn, far = glms_vec2_norm(way);
    float bend = spin * spin * sim->warm[body].extent;
    if (turn > 0)
        bend += turn * (2 * far + turn * (far + glms_vec2_norm(cn_vec(a->x - b->x, a->y - b->y))));
    float least = bend / 8 - least_depth(sim, body, other);
    const cn_placed_hull *now = sim->placed;
    const cn_placed_hull own = placed_before(sim, shape, &m),
                         theirs = placed_before(sim, other_shape, &n);
    int sides = cn_placed_class(&theirs) == CN_CLASS_BOX ? 4 : cn_placed_count(&theirs);
    for (int i = 0; i < sides; i++)
        if (gap_before_face(sim, &now[other_shape], &now[shape], i) > least &&
            gap_before_face(sim, &theirs, &own, i) > least)
            return true;
    return false;
}

typedef struct {
    cn_simulation *sim;
    int body, shape;
    cn_swept_hull hull; // of the shape, once it is needed
    bool has_hull;
} search;

// What is held goes on through what flies into its way (that stops): else a motor could not turn a long bar
// in a crowd. It stops for others where it went far past them.
static bool goes_on(const cn_simulation *sim, int body, int other) {
    const cn_motion *m = &sim->motions[body], *n = &sim->motions[other];
    float way = sqrtf(m->x * m->x + m->y * m->y) + spin_of(m);
    return cn_is_dynamic(&sim->hot[other]) && !(sim->hot[body].flags & CN_BODY_FLIES) &&
           way <= HELD_SHARE * (m->least + n->least);
}

static void note_stop(cn_simulation *sim, int body, int other_body, const cn_swept_hull *own,
                      const cn_swept_hull *other, bool solved) {
    if (!(sim->hot[body].flags & CN_BODY_FAST) || goes_on(sim, body, other_body)) return;
    _Atomic float *stop = &sim->motions[body].stop;
    float fresh = (float)find_stop(sim, body, own, other, solved);
    float last = atomic_load_explicit(stop, memory_order_relaxed);
    while (fresh < last && !atomic_compare_exchange_weak(stop, &last, fresh)) {}
}

static bool may_meet(const cn_simulation *sim, int body, int shape, int other, int other_shape) {
    const cn_body_hot *a = &sim->hot[body], *b = &sim->hot[other];
    if (!((a->flags | b->flags) & CN_BODY_FAST)) return false;
    bool moves = b->flags & (CN_BODY_IS_DYNAMIC | CN_BODY_IS_KINEMATIC);
    if (moves && (!may_hit(sim, body, other) || stays_beside(sim, other_shape, shape)))
        return false;
    return !stays_beside(sim, shape, other_shape);
}

static bool visit_other(int shape, void *context) {
    search *s = context;
    cn_simulation *sim = s->sim;
    int other = sim->links[shape].body;
    if (other == s->body || !may_meet(sim, s->body, s->shape, other, shape) ||
        !cn_should_collide(sim, s->shape, shape) || cn_is_refused(sim, s->shape, shape) ||
        !cn_was_held(sim, s->shape, shape))
        return true;
    cn_way way = cn_way_of(sim, s->body);
    if (!s->has_hull) s->hull = cn_swept_shape(sim, s->shape, &way);
    s->has_hull = true;
    way = cn_way_of(sim, other);
    cn_swept_hull hull = cn_swept_shape(sim, shape, &way);
    bool both = sim->hot[s->body].flags & sim->hot[other].flags & CN_BODY_FAST;
    bool solved = both && !fly(sim, s->body, other);
    note_stop(sim, s->body, other, &s->hull, &hull, solved);
    note_stop(sim, other, s->body, &hull, &s->hull, solved);
    return true;
}

// Looks up who is within `more` of the boxes of the body's shapes.
static void look_up(cn_simulation *sim, int body, const cn_tree *tree, cn_bounds more) {
    search s = {.sim = sim, .body = body};
    for (s.shape = sim->warm[body].first_shape; s.shape >= 0; s.shape = sim->shapes[s.shape].next) {
        if (!cn_tree_has(&sim->moving, s.shape)) continue;
        cn_bounds box = cn_tree_box(&sim->moving, s.shape);
        s.has_hull = false;
        box.lower = glms_vec2_add(box.lower, more.lower);
        box.upper = glms_vec2_add(box.upper, more.upper);
        cn_tree_query(tree, box, visit_other, &s);
    }
}

// ---- what moves about a body

enum { FEW = 32, ROW = 61, MOST_CELLS = 4, MOST_LARGE = 16, GROUPS = 64 };

// Of the motions of some bodies.
typedef struct {
    vec2s low, high;
    float spin, reach; // greatest way by turning: beyond the inner radius; of any point
    float least;       // smallest inner radius
} range;

// What stands about 64 shapes that are neighbours in the tree.
typedef struct {
    const cn_simulation *sim;
    int group;
    bool fixed, resting; // static; other that does not move
} surroundings;

typedef struct {
    range *cells;              // in scratch memory: rows of an endless plane, wrapped around
    int count;                 // of cells: a power of two, or 0
    range all, resting, large; // of all bodies; of those at rest; and of those in too many cells
    int bodies[MOST_LARGE];    // the latter
    int large_count;
    float rate; // cells per metre; 0: there are none
} grid;

static const range no_range = {{{FLT_MAX, FLT_MAX}}, {{-FLT_MAX, -FLT_MAX}}, .least = FLT_MAX};

static void widen(range *r, const range *by) {
    r->low = cn_min2(r->low, by->low), r->high = cn_max2(r->high, by->high);
    r->spin = cn_max(r->spin, by->spin), r->reach = cn_max(r->reach, by->reach);
    r->least = cn_min(r->least, by->least);
}

typedef struct {
    int x0, y0, x1, y1;
} block;

static int cell_at(const grid *g, float v) { return (int)cn_clamp(v * g->rate, -1e6f, 1e6f); }

static int cell_of(const grid *g, int x, int y) { return (x + ROW * y) & (g->count - 1); }

// The cells on the way of a body.
static block block_of(const grid *g, const cn_simulation *sim, int body) {
    cn_bounds box = cn_way_bounds(sim, body, 0);
    return (block){cell_at(g, box.lower.x), cell_at(g, box.lower.y), cell_at(g, box.upper.x),
                   cell_at(g, box.upper.y)};
}

static bool is_large(block b) { return b.x1 - b.x0 >= MOST_CELLS || b.y1 - b.y0 >= MOST_CELLS; }

static range range_of(const cn_simulation *sim, int body) {
    const cn_motion *m = &sim->motions[body];
    vec2s motion = cn_vec(m->x, m->y);
    float reach = cn_abs(m->angle) * sim->warm[body].extent;
    return (range){motion, motion, spin_of(m), reach, m->least};
}

static void add_body(grid *g, const cn_simulation *sim, int body) {
    range r = range_of(sim, body);
    block b = block_of(g, sim, body);
    if (is_large(b)) {
        if (g->large_count < MOST_LARGE) g->bodies[g->large_count] = body;
        g->large_count++;
        widen(&g->large, &r);
        return;
    }
    for (int x = b.x0; x <= b.x1; x++)
        for (int y = b.y0; y <= b.y1; y++) widen(&g->cells[cell_of(g, x, y)], &r);
}

static range motions_about(const grid *g, const cn_simulation *sim, int body, bool large,
                           bool resting) {
    if (g->rate == 0) return g->all;
    block b = block_of(g, sim, body);
    if (is_large(b)) return g->all;
    range r = large ? g->large : no_range;
    if (resting) widen(&r, &g->resting);
    for (int x = b.x0; x <= b.x1; x++)
        for (int y = b.y0; y <= b.y1; y++) widen(&r, &g->cells[cell_of(g, x, y)]);
    return r;
}

static bool find_fixed(int shape, void *context) {
    (void)shape;
    ((surroundings *)context)->fixed = true;
    return false;
}

static bool find_resting(int shape, void *context) {
    surroundings *s = context;
    s->resting = !has_moved(&s->sim->hot[s->sim->links[shape].body]);
    return !s->resting;
}

// What a worker knows while it asks for all bodies, or for those that were stopped in the last round.
typedef struct {
    cn_simulation *sim;
    const grid *grid;
    int round;                   // -1: all
    surroundings groups[GROUPS]; // some that were looked up
} inquiry;

// Neighbours are looked up together: most find nothing.
static const surroundings *look_around(inquiry *q, int shape) {
    const cn_simulation *sim = q->sim;
    const grid *g = q->grid;
    int group = sim->moving.slots[shape] >> 6;
    surroundings *s = &q->groups[group & (GROUPS - 1)];
    if (s->sim && s->group == group) return s;
    cn_bounds box = cn_box8_get(sim->moving.boxes[2], group);
    float reach = g->all.reach;
    box.lower = glms_vec2_subs(glms_vec2_sub(box.lower, g->all.high), reach);
    box.upper = glms_vec2_adds(glms_vec2_sub(box.upper, g->all.low), reach);
    *s = (surroundings){.sim = sim, .group = group};
    cn_tree_query(&sim->fixed, box, find_fixed, s);
    if (g->resting.low.x <= 0) cn_tree_query(&sim->moving, box, find_resting, s);
    return s;
}

static surroundings surroundings_of(inquiry *q, int body) {
    const cn_simulation *sim = q->sim;
    bool alone = q->grid->rate == 0;
    surroundings all = {.fixed = alone, .resting = alone};
    for (int i = sim->warm[body].first_shape; i >= 0 && !alone; i = sim->shapes[i].next) {
        if (!cn_tree_has(&sim->moving, i)) continue;
        const surroundings *s = look_around(q, i);
        all.fixed |= s->fixed, all.resting |= s->resting;
    }
    return all;
}

// Went it far enough to have passed something that did not?
static bool is_asking(const cn_simulation *sim, int body) {
    const cn_motion *m = &sim->motions[body];
    float share = sim->hot[body].flags & CN_BODY_FLIES ? 1 : HELD_SHARE;
    return 1.001f * (sqrtf(m->x * m->x + m->y * m->y) + spin_of(m)) > share * m->least;
}

// As many cells as are of use and as there is room for.
static void make_cells(grid *g, const cn_simulation *sim) {
    float sum = 0;
    g->rate = 0;
    g->count = FEW;
    g->cells = (range *)(void *)sim->arena.memory;
    size_t room = (size_t)sim->arena.capacity * CN_ARENA_UNIT;
    if (sim->fast_count <= FEW || room < FEW * sizeof *g->cells) return;
    while (g->count < 2 * sim->fast_count && 2 * (size_t)g->count * sizeof *g->cells <= room)
        g->count *= 2;
    for (int i = 0; i < g->count; i++) g->cells[i] = no_range;
    for (int i = 0; i < sim->fast_count; i++) {
        const cn_motion *m = &sim->motions[sim->fast[i]];
        sum += cn_abs(m->x) + cn_abs(m->y) + 2 * sim->warm[sim->fast[i]].extent;
    }
    g->rate = cn_min((float)sim->fast_count / (2 * sum), 1 / sim->tuning.slop);
}

static void fill_cells(grid *g, const cn_simulation *sim) {
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        for (int k = 0; batch->alive && k < batch->body_count; k++)
            add_body(g, sim, batch->bodies.items[k]);
    }
}

static void fill_grid(grid *g, const cn_simulation *sim) {
    float slow = sim->slow_motion;
    make_cells(g, sim);
    g->large_count = 0;
    bool rests = sim->sleeper_count > 0;
    for (int i = 0; i < sim->kinematic_count; i++)
        rests |= !has_moved(&sim->hot[sim->kinematics[i]]);
    g->large = g->resting = no_range;
    if (rests) g->resting = (range){.least = sim->thinnest};
    g->all = (range){cn_vec(-slow, -slow), cn_vec(slow, slow), slow, slow, sim->thinnest};
    for (int i = 0; i < sim->fast_count; i++) {
        range r = range_of(sim, sim->fast[i]);
        widen(&g->all, &r);
    }
    if (g->rate > 0) fill_cells(g, sim);
}

// May the body and something that moved like that have passed each other?
static bool is_suspect(const cn_simulation *sim, int body, const range *r) {
    const cn_motion *m = &sim->motions[body];
    vec2s most = cn_vec(cn_max(m->x - r->low.x, r->high.x - m->x),
                        cn_max(m->y - r->low.y, r->high.y - m->y));
    float share = sim->hot[body].flags & CN_BODY_FLIES ? 1 : HELD_SHARE;
    float travel = glms_vec2_norm(most) + spin_of(m) + r->spin;
    return r->low.x <= r->high.x && 1.001f * travel > share * (m->least + r->least);
}

// How much larger than its own the box is that holds the ends of the ways of those whom the body may
// have met. With motion n, seen from the end of its own motion m that stops at u, they are at s (n - m)
// before it stops, s from 0 to 1; after that or if they stop, too, at s n - (1 - u) m.
static cn_bounds meeting_bounds(const cn_simulation *sim, int body, const range *r) {
    const cn_motion m = motion_of(sim, body);
    vec2s motion = cn_vec(m.x, m.y), back = glms_vec2_scale(motion, m.until - 1);
    vec2s low = back, high = back;
    float turn = r->reach + cn_abs(m.angle) * sim->warm[body].extent;
    if (m.until < 1) {
        low = glms_vec2_add(back, cn_min2(r->low, cn_vec(0, 0)));
        high = glms_vec2_add(back, cn_max2(r->high, cn_vec(0, 0)));
    }
    low = cn_min2(low, glms_vec2_sub(r->low, motion));
    high = cn_max2(high, glms_vec2_sub(r->high, motion));
    return (cn_bounds){cn_vec(low.x - turn, low.y - turn), cn_vec(high.x + turn, high.y + turn)};
}

// ---- all bodies

// The static ones that it met on its way.
static void meet_static(cn_simulation *sim, int body) {
    const cn_motion *m = &sim->motions[body];
    float turn = cn_abs(m->angle) * sim->warm[body].extent;
    look_up(sim, body, &sim->fixed,
            (cn_bounds){cn_vec(cn_min(-m->x, 0) - turn, cn_min(-m->y, 0) - turn),
                        cn_vec(cn_max(-m->x, 0) + turn, cn_max(-m->y, 0) + turn)});
}

static void meet(cn_simulation *sim, int body, const range *r) {
    look_up(sim, body, &sim->moving, meeting_bounds(sim, body, r));
}

// Looks about the body if it may have passed another.
static void ask(inquiry *q, int body) {
    const grid *g = q->grid;
    surroundings about = surroundings_of(q, body);
    if (about.fixed) meet_static(q->sim, body);
    if (g->rate > 0 && !is_asking(q->sim, body)) return;
    range r = motions_about(g, q->sim, body, g->large_count > MOST_LARGE, about.resting);
    if (is_suspect(q->sim, body, &r)) meet(q->sim, body, &r);
}

// What was just stopped may be in the way of others.
static void ask_stopped(const inquiry *q, int body) {
    if (q->sim->motions[body].round != q->round) return;
    range r = motions_about(q->grid, q->sim, body, true, true);
    meet(q->sim, body, &r);
}

static void ask_some(void *context, int first, int end) {
    inquiry *q = context;
    for (int i = first; i < end; i++) {
        if (q->round < 0)
            ask(q, q->sim->fast[i]);
        else
            ask_stopped(q, q->sim->fast[i]);
    }
}

static void ask_with(void *context, cn_worker *worker) {
    inquiry q = *(const inquiry *)context;
    cn_share(worker, q.sim->fast_count, 32, ask_some, &q);
}

// (The user's filter is called by one thread only.)
static void meet_others(cn_simulation *sim, const grid *g, int round) {
    inquiry q = {.sim = sim, .grid = g, .round = round};
    cn_run(sim->filter ? NULL : sim->team, sim->fast_count, ask_with, &q);
}

// At first all look about them, and if they are many what is large or moved by hand, lest all find that.
static void meet_all(cn_simulation *sim, const grid *g) {
    bool many_large = g->large_count > MOST_LARGE;
    meet_others(sim, g, -1);
    for (int i = 0; i < g->large_count && !many_large; i++) meet(sim, g->bodies[i], &g->all);
    for (int i = 0; i < sim->kinematic_count && g->rate > 0; i++)
        if (has_moved(&sim->hot[sim->kinematics[i]])) meet(sim, sim->kinematics[i], &g->all);
}

// Now that all have been asked. Has any body been stopped?
static bool stop_bodies(cn_simulation *sim, int round) {
    bool any = false;
    for (int i = 0; i < sim->fast_count; i++) {
        cn_motion *m = &sim->motions[sim->fast[i]];
        if (!(m->stop < m->until)) continue;
        m->until = m->stop;
        m->round = round;
        any = true;
    }
    return any;
}

// Takes back the rest of its way, and the work that gravity did on it: m v^2 / 2 changes by m g.d.
static void put_back(cn_simulation *sim, int body) {
    cn_body_hot *hot = &sim->hot[body];
    cn_motion *m = &sim->motions[body];
    float rest = m->until - 1, d[3] = {rest * m->x, rest * m->y, rest * m->angle};
    m->x += d[0], m->y += d[1], m->angle += d[2]; // the way that it made
    m->until = 1;
    float work = hot->gravity_scale * (sim->gravity.x * d[0] + sim->gravity.y * d[1]);
    float square = hot->vx * hot->vx + hot->vy * hot->vy;
    cn_move_body(hot, d);
    hot->flags |= CN_BODY_STOPPED;
    if (!(square > 0) || !cn_finite(square)) return;
    float scale = sqrtf(cn_max(0, 1 + 2 * work / square));
    hot->vx *= scale, hot->vy *= scale;
}

// The contacts that stopped bodies already have. (New ones know it from the flag of the body.)
static void expect_impacts(cn_simulation *sim) {
    const cn_touching_rows *touching = &sim->touching;
    CN_EACH_BIT(slot, touching->occupied, touching->end) {
        int a = touching->bodies[slot].a, b = touching->bodies[slot].b;
        bool stopped = (sim->hot[a].flags | sim->hot[b].flags) & CN_BODY_STOPPED;
        if (!stopped || touching->records[slot].meta & CN_META_BOUNCY) continue;
        cn_expect_impact(&touching->records[slot]);
        cn_note_kind(sim, slot);
        cn_replan_body(sim, a);
        cn_replan_body(sim, b);
    }
}

static void put_all_back(cn_simulation *sim) {
    bool any = false;
    for (int i = 0; i < sim->fast_count; i++) {
        int body = sim->fast[i];
        sim->hot[body].flags &= ~(uint32_t)(CN_BODY_FAST | CN_BODY_FLIES);
        if (!(sim->motions[body].until < 1)) continue;
        put_back(sim, body);
        cn_place_shapes(sim, body, FLT_MAX, true, true);
        any = true;
    }
    if (any) expect_impacts(sim);
}

bool cn_sweep_bodies(cn_simulation *sim) {
    if (sim->fast_count) {
        grid g;
        fill_grid(&g, sim);
        cn_tree_refit(&sim->moving);
        cn_tree_refit(&sim->fixed);
        meet_all(sim, &g);
        for (int round = 0; stop_bodies(sim, round) && round < MAX_ROUNDS; round++)
            meet_others(sim, &g, round);
        put_all_back(sim);
    }
    return true;
}
