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
 * What stops changes what others meet, so all is repeated a few times, until nothing is put back any
 * further: of two that rush at each other both stop. Fractions only ever decrease.
 *
 * In a landslide all are fast and yet hardly move against each other. So a coarse grid of the places that
 * bodies went through keeps the range of their motions: only who finds a motion there that differs from
 * its own by more than both inner radii is a suspect, and looked at. (Cells share the places of a hash
 * table; a range may be too wide, which costs time only.)
 *
 * All bodies are asked before any is stopped, and of all hits the earliest counts: results depend on
 * neither order, lanes, batches nor trees. While this
 * runs, a fast body's proxies cover its whole way, so that two of them find each other. */
#include "dynamics.h"

enum { MAX_ROUNDS = 4 };

#define DEEP_SHARE 0.75 // of the distance from which on a body is fast
#define LOST_SHARE 0.98 // of both inner radii: who is deeper in another is left to the solver
#define GAP_SHARE  0.5  // of the slop: what is left between the two
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

cn_swept_hull cn_swept_shape(const cn_simulation *sim, int shape, const cn_way *way) {
    const cn_body_warm *warm = &sim->warm[sim->links[shape].body];
    cn_hull hull = cn_hull_of(sim, shape);
    return cn_sweep_hull(&hull, cn_vec(warm->center_x, warm->center_y), way);
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

// ---- the earliest hit of one body

typedef struct {
    cn_simulation *sim;
    int body, shape, round;
    cn_way way;
    cn_swept_hull hull; // of the shape, once it is needed
    bool has_hull;
    double fraction; // how far it gets
    double deep;     // in others, that makes a hit
} search;

// When the two shapes have to stop, CN_SWEEP_MISS if not before `limit`.
static double find_stop(const search *s, const cn_swept_hull *a, const cn_swept_hull *b,
                        double limit) {
    const cn_tuning *tuning = &s->sim->tuning;
    double slop = (double)tuning->slop, tolerance = TOLERANCE * slop, deep = s->deep;
    double stop = GAP_SHARE * slop;
    double near = cn_sweep_until(a, b, (double)tuning->speculative_margin, tolerance, limit);
    if (near > 1) return near;
    if (near == 0) {
        double gap = cn_gap_at(a, b, 0).distance;
        deep = fmax(deep, NEWS_SHARE * deep - gap);
        stop = fmin(gap, 0) - fmin(NEWS_SHARE * s->deep, 4 * slop);
    }
    if (deep > LOST_SHARE * (a->inner + b->inner)) return CN_SWEEP_MISS;
    double fraction = cn_sweep_until(a, b, -deep, tolerance, limit);
    return fraction > 1 ? fraction : cn_sweep_until(a, b, stop, tolerance, fraction);
}

// The square of the distance of the origin from the way between two points.
static float square_from_way(vec2s from, vec2s to) {
    vec2s way = glms_vec2_sub(to, from);
    float square = glms_vec2_dot(way, way), along = -glms_vec2_dot(from, way);
    float t = square > 0 ? cn_clamp(along / square, 0, 1) : 0;
    vec2s nearest = glms_vec2_add(from, glms_vec2_scale(way, t));
    return glms_vec2_dot(nearest, nearest);
}

// A cheap test of two moving bodies, about whom there are circles: seen from the other, does the way of
// the body, until one stops and then on, bring them together, and past the middle of the overlap?
static bool may_hit(const search *s, int other) {
    const cn_simulation *sim = s->sim;
    const cn_body_hot *a = &sim->hot[s->body], *b = &sim->hot[other];
    const cn_motion *m = &sim->motions[s->body], *n = &sim->motions[other];
    if (!has_moved(b)) return s->round == 0;
    if (s->round > 0 && !(n->until < 1 && n->round >= s->round - 1)) return false;
    float ra = sim->warm[s->body].extent, rb = sim->warm[other].extent, reach = ra + rb;
    float both = cn_min(m->until, n->until);
    vec2s start = cn_vec(a->x - m->x - (b->x - n->x), a->y - m->y - (b->y - n->y));
    vec2s middle = cn_vec(start.x + both * (m->x - n->x), start.y + both * (m->y - n->y));
    vec2s end = cn_vec(start.x + m->until * m->x - n->until * n->x,
                       start.y + m->until * m->y - n->until * n->y);
    float travel = glms_vec2_distance(start, middle) + glms_vec2_distance(middle, end) +
                   cn_abs(m->angle) * m->swing + cn_abs(n->angle) * n->swing;
    if (!(travel > m->least + n->least)) return false;
    return cn_min(square_from_way(start, middle), square_from_way(middle, end)) <= reach * reach;
}

static bool visit_other(int shape, void *context) {
    search *s = context;
    const cn_simulation *sim = s->sim;
    int other = sim->links[shape].body;
    if (other == s->body || !may_hit(s, other) || !cn_should_collide(sim, s->shape, shape) ||
        cn_is_refused(sim, s->shape, shape) || !cn_was_held(sim, s->shape, shape))
        return true;
    if (!s->has_hull) s->hull = cn_swept_shape(sim, s->shape, &s->way);
    s->has_hull = true;
    cn_way way = cn_way_of(sim, other);
    cn_swept_hull hull = cn_swept_shape(sim, shape, &way);
    double fraction = find_stop(s, &s->hull, &hull, s->fraction);
    s->fraction = fmin(s->fraction, fraction);
    return true;
}

static bool is_marked(const cn_simulation *sim, int body) {
    return sim->hot[body].flags & CN_BODY_SUSPECT;
}

static search find_hit(cn_simulation *sim, int body, int round) {
    const cn_motion *m = &sim->motions[body];
    bool bullet = sim->hot[body].flags & CN_BODY_BULLET;
    double least = (double)m->least, inner = bullet ? least / (double)CN_BULLET_SHARE : least;
    double resting = fmin(1.5 * (double)sim->tuning.slop, DEEP_SHARE * inner); // rests are no hits
    search s = {.sim = sim, .body = body, .round = round};
    s.fraction = (double)m->until;
    s.deep = fmax(DEEP_SHARE * least, resting);
    s.way = cn_way_of(sim, body);
    cn_bounds box = cn_way_bounds(sim, body, sim->slow_motion), own = cn_way_bounds(sim, body, 0);
    for (int i = sim->warm[body].first_shape; i >= 0; i = sim->shapes[i].next) {
        s.shape = i;
        s.has_hull = false;
        if (is_marked(sim, body)) cn_tree_query(&sim->moving, box, visit_other, &s);
        if (round == 0) cn_tree_query(&sim->fixed, own, visit_other, &s);
    }
    return s;
}

// ---- suspects

enum { FEW = 32, CELLS = 1024, MOST_CELLS = 16 };

typedef struct {
    float x0, x1, y0, y1; // of motions
    float spin, least;    // greatest way by turning; smallest inner radius
} range;

static const range no_range = {FLT_MAX, -FLT_MAX, FLT_MAX, -FLT_MAX, 0, FLT_MAX};

typedef struct {
    range cells[CELLS];
    range large; // of bodies that cover too many cells
    float size;  // of a cell
} grid;

static float spin_of(const cn_simulation *sim, int body) {
    return cn_abs(sim->motions[body].angle) * sim->motions[body].swing;
}

static void widen(range *r, const cn_simulation *sim, int body) {
    const cn_motion *m = &sim->motions[body];
    r->x0 = cn_min(r->x0, m->x), r->x1 = cn_max(r->x1, m->x);
    r->y0 = cn_min(r->y0, m->y), r->y1 = cn_max(r->y1, m->y);
    r->spin = cn_max(r->spin, spin_of(sim, body));
    r->least = cn_min(r->least, m->least);
}

// May something that moved like that have passed the body?
static bool is_suspect(const range *r, const cn_simulation *sim, int body) {
    const cn_motion *m = &sim->motions[body];
    if (r->x0 > r->x1) return false;
    vec2s most = cn_vec(cn_max(m->x - r->x0, r->x1 - m->x), cn_max(m->y - r->y0, r->y1 - m->y));
    return glms_vec2_norm(most) + spin_of(sim, body) + r->spin > m->least + r->least;
}

// Calls for every cell on the way of a body; stops when that returns true.
static bool visit_cells(grid *g, const cn_simulation *sim, int body,
                        bool (*visit)(range *r, const cn_simulation *sim, int body)) {
    cn_bounds box = cn_way_bounds(sim, body, 0);
    float x0 = floorf(box.lower.x / g->size), x1 = floorf(box.upper.x / g->size);
    float y0 = floorf(box.lower.y / g->size), y1 = floorf(box.upper.y / g->size);
    if (!((x1 - x0 + 1) * (y1 - y0 + 1) <= MOST_CELLS)) return visit(&g->large, sim, body);
    for (float x = x0; x <= x1; x++)
        for (float y = y0; y <= y1; y++) {
            uint32_t hash = (uint32_t)(int64_t)x * 73856093u ^ (uint32_t)(int64_t)y * 19349663u;
            if (visit(&g->cells[hash % CELLS], sim, body)) return true;
        }
    return false;
}

static bool add_to_cell(range *r, const cn_simulation *sim, int body) {
    widen(r, sim, body);
    return false;
}

static bool check_cell(range *r, const cn_simulation *sim, int body) {
    return is_suspect(r, sim, body);
}

static void fill_grid(grid *g, const cn_simulation *sim) {
    float sum = 0;
    for (int i = 0; i < sim->fast_count; i++) {
        const cn_motion *m = &sim->motions[sim->fast[i]];
        sum += cn_abs(m->x) + cn_abs(m->y) + 2 * sim->warm[sim->fast[i]].extent;
    }
    g->size = cn_max(4 * sum / (float)sim->fast_count, sim->tuning.slop);
    g->large = no_range;
    for (int i = 0; i < CELLS; i++) g->cells[i] = no_range;
    for (int i = 0; i < sim->plan.batch_count; i++) {
        const cn_batch *batch = &sim->plan.batches[i];
        for (int k = 0; batch->alive && k < batch->body_count; k++)
            visit_cells(g, sim, batch->bodies.items[k], add_to_cell);
    }
    for (int i = 0; i < sim->kinematic_count; i++)
        if (has_moved(&sim->hot[sim->kinematics[i]]))
            visit_cells(g, sim, sim->kinematics[i], add_to_cell);
}

// What sleeps has not moved; a large body may be anywhere.
static bool may_pass_others(grid *g, const cn_simulation *sim, int body) {
    const range asleep = {0, 0, 0, 0, 0, sim->thinnest};
    return (sim->sleeper_count > 0 && is_suspect(&asleep, sim, body)) ||
           is_suspect(&g->large, sim, body) || visit_cells(g, sim, body, check_cell);
}

static void find_suspects(cn_simulation *sim) {
    grid g;
    bool few = sim->fast_count <= FEW;
    if (!few) fill_grid(&g, sim);
    for (int i = 0; i < sim->fast_count; i++)
        if (few || may_pass_others(&g, sim, sim->fast[i]))
            sim->hot[sim->fast[i]].flags |= CN_BODY_SUSPECT;
}

// ---- all bodies

void cn_note_fast(cn_simulation *sim, int body) { sim->fast[sim->fast_count++] = body; }

static void cover_ways(cn_simulation *sim) {
    for (int i = 0; i < sim->fast_count; i++) {
        if (!is_marked(sim, sim->fast[i])) continue;
        cn_bounds box = cn_way_bounds(sim, sim->fast[i], 0);
        int shape = sim->warm[sim->fast[i]].first_shape;
        for (; shape >= 0; shape = sim->shapes[shape].next)
            if (cn_tree_has(&sim->moving, shape)) cn_tree_move(&sim->moving, shape, box);
    }
    cn_tree_refit(&sim->moving);
    cn_tree_refit(&sim->fixed);
}

// Has any body been stopped? After the first round only bodies that just were can stop others.
static bool sweep_all(cn_simulation *sim, int round) {
    bool any = false;
    for (int i = 0; i < sim->fast_count; i++) {
        cn_motion *m = &sim->motions[sim->fast[i]];
        bool asked = round == 0 || is_marked(sim, sim->fast[i]);
        m->stop = asked ? (float)find_hit(sim, sim->fast[i], round).fraction : 1;
    }
    for (int i = 0; i < sim->fast_count; i++) { // now that all have been asked
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
        cn_replan_body(sim, a);
        cn_replan_body(sim, b);
    }
}

static void put_all_back(cn_simulation *sim) {
    bool any = false;
    for (int i = 0; i < sim->fast_count; i++) {
        int body = sim->fast[i];
        bool stops = sim->motions[body].until < 1;
        if (stops) put_back(sim, body);
        any |= stops;
        if (stops || is_marked(sim, body)) cn_place_shapes(sim, body, true); // with usual boxes
        sim->hot[body].flags &= ~(uint32_t)CN_BODY_SUSPECT;
    }
    if (any) expect_impacts(sim);
}

bool cn_sweep_bodies(cn_simulation *sim) {
    if (sim->fast_count) {
        find_suspects(sim);
        cover_ways(sim);
        for (int round = 0; round < MAX_ROUNDS && sweep_all(sim, round); round++) continue;
        put_all_back(sim);
    }
    return true;
}
