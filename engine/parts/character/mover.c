/* Finds the planes that the hull of a character touches, and the motion that they allow.
 *
 *     |<-keep->|
 *      ________|________
 *     |  hull  :        |     The hull touches shapes that are nearer than TOUCH times `keep`. A
 *     |        : stop   |     cast detects a shape at half of `keep` and stops before that, where
 *     |________:________|     the gap is `keep`. A gap that rounding, or a seam that is a little
 *              |              too high, makes smaller is not detected. The next call of
 *    __________|___________   cn_mover_leave() makes it `keep` again.
 *
 * A plane between the hull and a shape may exclude too many motions. At a seam of the ground, the
 * nearest point of the next tile is its corner, and the plane there blocks the motion although the
 * hull passes above the tile. So a shape blocks a motion only if a cast along the motion hits the
 * shape at once. The plane is the one at the point of this hit. It bends the motion. Then the bent
 * motion is cast against the touched shapes, until no shape blocks it.
 *
 * The planes that block leave a convex region of motions x: dot(normal, x) >= least. A motion is
 * bent into this region in three stages. First, walls stop its horizontal part, so that a steep
 * slope does not lift the hull. Second, the ground lifts it along `up`: so gravity does not pull
 * the hull down a slope, and a slope does not slow the hull. Third, if a plane still blocks the
 * motion, the nearest motion in the region replaces it: on a plane, or where two planes meet.
 * (Clipping at all planes together is from Quake; a region instead of a list of clips is from
 * Box2D 3.)
 *
 * The order in which shapes are found does not matter: planes are in the order of their gaps, and
 * obstacles in the order of their distances, then of their keys. */
#include "mover.h"

#define TOUCH        1.5  // times `keep`: a larger gap is no touch
#define DETECT       0.5  // times `keep`: the gap at which a cast detects a shape
#define PLAY         1e-3 // times `keep`: by how much a motion may reduce a gap below `keep`
#define EXACT        1e-7 // times `keep`: the tolerance of a bent motion
#define STAY         1e-4 // times `keep`: a shorter shift keeps the list of obstacles
#define PARALLEL     1e-7 // sine of the angle between two planes: with less they have no corner
#define VERTICAL     1e-3 // cosine with `up`: a plane that overhangs by less is a wall
#define EDGE_COSINE  0.02 // cosine with `up`: a steeper contact is not an edge of ground
#define FRONT_COSINE 1e-3 // cosine with the front of a chain segment: less is behind it
#define EXIT_DEPTH   4.0  // times the depth of the hull: the length of a straight path out
enum { MAX_LEAVES = 16, RELAXATIONS = 32, EXITS = 16 };

// Returns the probe with a margin on all sides.
static cn_probe grow(cn_probe probe, double margin) {
    float more = (float)margin;
    probe.radius += more, probe.half_width += more, probe.half_height += more;
    return probe;
}

void cn_mover_set_hull(cn_mover *m, const cn_hull *hull, cn_pose pose) {
    const cn_sweep at = {.start = pose};
    m->hull = cn_swept_hull_from_sweep(hull, &at);
    m->probe = cn_probe_of(hull, pose, &m->center);
    m->grown = grow(m->probe, DETECT * m->keep);
    m->reach = grow(m->probe, TOUCH * m->keep);
    m->obstacle.key = CN_NO_KEY;
}

void cn_mover_shift(cn_mover *m, cn_vec2d by) {
    m->center = cn_add_scaled(m->center, 1, by);
    m->hull.sweep.start_center = cn_add_scaled(m->hull.sweep.start_center, 1, by);
    m->touched_is_known = false;
    if (cn_dot2d(by, by) > STAY * m->keep * STAY * m->keep) m->stops.count = 0;
}

double cn_mover_lowest(const cn_mover *m, cn_vec2d n) {
    double lowest = DBL_MAX;
    for (int i = 0; i < m->probe.count; i++)
        lowest = cn_min2d(lowest, n.x * (double)m->probe.x[i] + n.y * (double)m->probe.y[i]);
    return cn_dot2d(m->center, n) + lowest - (double)m->probe.radius;
}

static double excess(const cn_plane *p, cn_vec2d x) { return cn_dot2d(p->normal, x) - p->least; }

static void add_plane(cn_plane_list *list, cn_plane plane) {
    if (list->count < CN_MAX_PLANES) list->items[list->count++] = plane;
}

int cn_mover_body(const cn_mover *m, uint64_t key) {
    const cn_simulation *sim = &m->search.world->sim;
    return key & CN_TILE_KEY ? cn_grids_in_queries->body(sim, cn_grid_of_key(key))
                             : sim->links[key].body;
}

// ---- solid shapes

// True if the mover was in front of a one-way hull, where this hull was before the last step. In
// front means: above its face, or below it by at most a slop. `up` is in the frame of the body.
static bool is_in_front(const cn_mover *m, int body, const cn_hull *hull, vec2s up) {
    const cn_simulation *sim = &m->search.world->sim;
    cn_pose pose = cn_origin_pose(sim, body);
    vec2s n = cn_rotate(pose.rotation, cn_one_way_normal(hull, up));
    const double bottom = cn_mover_lowest(m, cn_widen(n));
    const cn_body_hot hot = cn_settled_body(sim, body);
    vec2s v = cn_velocity_at(&hot, cn_narrow(m->center));
    float rise = cn_max(glms_vec2_dot(v, n), 0) * sim->step_seconds;
    return (double)cn_hull_project(*hull, pose, n).y - bottom <= m->keep + (double)rise;
}

static bool is_solid_tile(const cn_mover *m, int tile) {
    const cn_simulation *sim = &m->search.world->sim;
    const cn_queried_grids *grids = cn_grids_in_queries;
    vec2s one_way = grids->one_way(sim, m->search.grid, tile);
    if (one_way.x == 0 && one_way.y == 0) return true;
    cn_hull hull = grids->hull(sim, m->search.grid, tile);
    return !m->drop_through && is_in_front(m, grids->body(sim, m->search.grid), &hull, one_way);
}

// True if a shape is solid for the hull, which touches it with this normal.
static bool is_solid(const cn_mover *m, int id, cn_vec2d normal) {
    const cn_simulation *sim = &m->search.world->sim;
    if (m->ridden >= 0 && cn_mover_body(m, cn_result_key(&m->search, id)) == m->ridden)
        return false;
    if (m->search.grid >= 0) return is_solid_tile(m, id);
    if (cn_is_one_sided(sim, id)) { // in its own frame, the open side of a segment is below it
        cn_rotation q = sim->placed[id].pose.rotation;
        if (normal.x * (double)q.s - normal.y * (double)q.c < FRONT_COSINE) return false;
    }
    if (sim->one_way_shapes == 0 || !cn_is_one_way(sim, id)) return true;
    cn_hull hull = cn_hull_of(sim, id);
    return !m->drop_through &&
           is_in_front(m, sim->links[id].body, &hull, cn_rare_of(sim, id)->one_way);
}

// ---- touching

static cn_plane measure(const cn_mover *m, int id) {
    cn_swept_hull other = cn_still_hull(&m->search, id);
    cn_gapd gap = cn_gap_at(&m->hull, &other, 0);
    return (cn_plane){.normal = {-gap.normal.x, -gap.normal.y},
                      .point = gap.b,
                      .gap = gap.distance,
                      .key = cn_result_key(&m->search, id)};
}

static bool is_before(const cn_plane *a, const cn_plane *b) {
    return a->gap != b->gap ? a->gap < b->gap : a->key < b->key;
}

static double add_touched(void *context, int id, double distance, vec2s normal) {
    cn_mover *m = context;
    (void)distance, (void)normal;
    if (!cn_sees(&m->search, id)) return 0;
    cn_plane plane = measure(m, id), *items = m->touched.items;
    if (!is_solid(m, id, plane.normal)) return 0;
    if (m->leaves_motion && plane.gap < 0 && m->search.grid < 0) cn_mover_find_entry(m, id, &plane);
    int i = m->touched.count;
    if (i == CN_MAX_PLANES && !is_before(&plane, &items[--i])) return 0;
    for (; i > 0 && is_before(&plane, &items[i - 1]); i--) items[i] = items[i - 1];
    items[i] = plane;
    m->touched.count = cn_min_int(m->touched.count + 1, CN_MAX_PLANES);
    return 0;
}

// True if the ground just behind an edge is not too steep. A short ray, down from above the edge,
// finds it. The ray starts inside of a shape if the edge is a seam of a wall.
static bool is_edge_of_ground(const cn_mover *m, const cn_plane *p) {
    cn_vec2d level = cn_unit2d(cn_mover_level(m, p->normal));
    cn_vec2d from = cn_add_scaled(p->point, -2 * m->keep, level);
    from = cn_add_scaled(from, 4 * m->keep, m->up);
    cn_path path = cn_path_of(from, cn_scale2d(-8 * m->keep, m->up));
    cn_search search = m->search;
    search.grid = -1;
    cn_nearest_search s = cn_ray_search(&search, &path);
    cn_query_scene scene = cn_query_scene_of(search.world);
    cn_query_kernels_of(&search.world->sim)
        ->cast(&scene, &cn_point_probe, &path, cn_keep_nearest, &s);
    cn_search_tiles(&s, &cn_point_probe, &path);
    return s.best.key != CN_NO_KEY && cn_dot2d(cn_widen(s.best.normal), m->up) >= m->least_cosine;
}

static cn_plane_kind kind_of_normal(const cn_mover *m, cn_vec2d normal) {
    double cosine = cn_dot2d(normal, m->up);
    return cosine >= m->least_cosine ? CN_PLANE_GROUND
           : cosine < -VERTICAL      ? CN_PLANE_CEILING
                                     : CN_PLANE_WALL;
}

static cn_plane_kind kind_of(const cn_mover *m, const cn_plane *p) {
    cn_plane_kind kind = kind_of_normal(m, p->normal);
    bool may_be_edge =
        kind == CN_PLANE_WALL && m->step_height > 0 && p->gap > 0 &&
        cn_dot2d(p->normal, m->up) > EDGE_COSINE &&
        cn_dot2d(p->point, m->up) <= cn_mover_lowest(m, m->up) + m->step_height + m->keep;
    return may_be_edge && is_edge_of_ground(m, p) ? CN_PLANE_EDGE : kind;
}

void cn_mover_touch(cn_mover *m) {
    if (m->touched_is_known) return;
    m->touched.count = 0, m->touched_is_known = true;
    m->search.grid = -1;
    cn_query_scene scene = cn_query_scene_of(m->search.world);
    const cn_query_kernels *kernels = cn_query_kernels_of(&m->search.world->sim);
    kernels->overlap(&scene, &m->reach, m->center, add_touched, m);
    if (cn_has_grids(&m->search))
        cn_grids_in_queries->overlap(&m->search, &m->reach, m->center, add_touched);
    for (int i = 0; i < m->touched.count; i++)
        m->touched.items[i].kind = kind_of(m, &m->touched.items[i]);
}

double cn_mover_gap(cn_mover *m) {
    cn_mover_touch(m);
    return m->touched.count ? m->touched.items[0].gap : TOUCH * m->keep;
}

bool cn_mover_stands(cn_mover *m) {
    cn_mover_touch(m);
    for (int i = 0; i < m->touched.count; i++)
        if (cn_plane_supports(&m->touched.items[i])) return true;
    return false;
}

const cn_plane *cn_mover_landing(cn_mover *m) {
    cn_mover_touch(m);
    for (int i = 0; i < m->touched.count; i++) {
        const cn_plane *p = &m->touched.items[i];
        bool stopped = m->stops.count == 0 || p->key == m->stops.items[m->stops.count - 1].key;
        if (stopped && cn_plane_supports(p)) return p;
    }
    return NULL;
}

// ---- casts

// True if the motion of the running cast moves the hull noticeably against this normal.
static bool closes(const cn_mover *m, cn_vec2d normal) {
    double length = m->path.length - m->keep; // of the motion
    return cn_dot2d(normal, m->path.direction) * length < -PLAY * m->keep;
}

// True if the hull is leaving the body of a key.
static bool is_left(const cn_mover *m, uint64_t key) {
    for (int i = 0; i < m->left_count; i++)
        if (m->left[i] == cn_mover_body(m, key)) return true;
    return false;
}

// Keeps the first obstacle by the distance at which it is detected.
static double keep_first(void *context, int id, double distance, vec2s normal) {
    cn_mover *m = context;
    cn_obstacle *best = &m->obstacle;
    uint64_t key = cn_result_key(&m->search, id);
    if (distance > best->distance || (distance == best->distance && key > best->key))
        return best->distance;
    bool starts_near = normal.x == 0 && normal.y == 0;
    cn_vec2d n = starts_near ? measure(m, id).normal : cn_unit2d(cn_widen(normal));
    if (starts_near && !closes(m, n)) return best->distance;
    if (m->passes_left && is_left(m, key)) return best->distance;
    if (!is_solid(m, id, n) || !cn_sees(&m->search, id)) return best->distance;
    *best = (cn_obstacle){distance, key, n};
    return distance;
}

// Returns where the hull must stop on the running path, so that the gap along the normal of an
// obstacle does not fall below `keep`.
static double stop_distance(const cn_mover *m, double detected, cn_vec2d normal) {
    double approach = -cn_dot2d(normal, m->path.direction);
    return cn_max2d(detected - (1 - DETECT) * m->keep / cn_max2d(approach, DBL_MIN), 0);
}

// The cast goes on beyond the motion, because an obstacle is detected behind the place at which the
// hull must stop.
double cn_mover_advance(cn_mover *m, cn_vec2d x) {
    m->path = cn_path_of(m->center, x);
    const double length = m->path.length;
    if (length == 0) return 1;
    m->path.length += m->keep;
    m->obstacle = (cn_obstacle){m->path.length, CN_NO_KEY, {0, 0}};
    m->search.grid = -1;
    cn_query_scene scene = cn_query_scene_of(m->search.world);
    cn_query_kernels_of(&m->search.world->sim)->cast(&scene, &m->grown, &m->path, keep_first, m);
    if (cn_has_grids(&m->search))
        cn_grids_in_queries->cast(&m->search, &m->grown, &m->path, m->obstacle.distance,
                                  keep_first);
    const cn_obstacle stop = m->obstacle;
    double free = length;
    if (stop.key != CN_NO_KEY) free = stop_distance(m, stop.distance, stop.normal);
    if (free >= length) {
        cn_mover_shift(m, x);
        return 1;
    }
    cn_mover_shift(m, cn_scale2d(free, m->path.direction));
    cn_plane plane = measure(m, cn_enter_key(&m->search, stop.key));
    plane.normal = stop.normal;
    add_plane(&m->stops, plane);
    return free / length;
}

// ---- the planes of obstacles

// Returns the plane of an obstacle with its kind. The gap along its normal is `keep`, so its
// `least` is 0. It is the edge of ground if that is the kind of the touched plane of this shape.
static cn_plane complete(const cn_mover *m, cn_plane stop) {
    stop.kind = kind_of_normal(m, stop.normal), stop.least = 0;
    bool may_be_edge = stop.kind == CN_PLANE_WALL && cn_dot2d(stop.normal, m->up) > EDGE_COSINE;
    for (int i = 0; i < m->touched.count && may_be_edge; i++) {
        const cn_plane *p = &m->touched.items[i];
        if (p->key == stop.key && p->kind == CN_PLANE_EDGE) stop.kind = CN_PLANE_EDGE;
    }
    return stop;
}

// ---- the region of motions

static bool is_in_region(const cn_plane_list *planes, cn_vec2d x, double play) {
    for (int i = 0; i < planes->count; i++)
        if (excess(&planes->items[i], x) < -play) return false;
    return true;
}

// A search for the motion in a region that is nearest to a target.
typedef struct {
    const cn_plane_list *planes;
    cn_vec2d target, best;
    double nearest, play;
} region_search;

static void try_motion(region_search *s, cn_vec2d x) {
    cn_vec2d off = cn_add_scaled(x, -1, s->target);
    double distance = cn_dot2d(off, off);
    if (distance < s->nearest && is_in_region(s->planes, x, s->play))
        s->best = x, s->nearest = distance;
}

// Tries the motion at which two planes meet: dot(p.normal, x) = p.least and the same for q.
static void try_corner(region_search *s, const cn_plane *p, const cn_plane *q) {
    double sine = cn_cross2d(p->normal, q->normal);
    if (fabs(sine) < PARALLEL) return;
    try_motion(s, (cn_vec2d){(p->least * q->normal.y - q->least * p->normal.y) / sine,
                             (q->least * p->normal.x - p->least * q->normal.x) / sine});
}

// Stores the motion in the region that is nearest to the target: the target itself, its projection
// on a plane, or a corner of two planes. Returns false if the region is empty.
static bool find_nearest(const cn_mover *m, const cn_plane_list *planes, cn_vec2d target,
                         cn_vec2d *best) {
    region_search s = {planes, target, *best, DBL_MAX, EXACT * m->keep};
    try_motion(&s, target);
    for (int i = 0; i < planes->count && s.nearest > 0; i++) {
        const cn_plane *p = &planes->items[i];
        try_motion(&s, cn_add_scaled(target, -excess(p, target), p->normal));
        for (int k = 0; k < i; k++) try_corner(&s, p, &planes->items[k]);
    }
    *best = s.best;
    return s.nearest < DBL_MAX;
}

// Removes the horizontal part of the motion that walls block.
static cn_vec2d stop_at_walls(const cn_mover *m, cn_vec2d x) {
    for (int i = 0; i < m->blocks.count; i++) {
        const cn_plane *p = &m->blocks.items[i];
        if (p->kind != CN_PLANE_WALL && p->kind != CN_PLANE_EDGE) continue;
        cn_vec2d level = cn_mover_level(m, p->normal), out = cn_unit2d(level);
        double beyond = cn_dot2d(level, x) - p->least;
        if (beyond < 0) x = cn_add_scaled(x, -beyond / sqrt(cn_dot2d(level, level)), out);
    }
    return x;
}

static cn_vec2d lift_from_ground(const cn_mover *m, cn_vec2d x) {
    for (int i = 0; i < m->blocks.count; i++) {
        const cn_plane *p = &m->blocks.items[i];
        double beyond = excess(p, x);
        if (cn_plane_supports(p) && beyond < 0)
            x = cn_add_scaled(x, -beyond / cn_dot2d(p->normal, m->up), m->up);
    }
    return x;
}

// Returns the nearest motion in the region that the blocks leave. Zero is in this region, because
// the hull may always stay.
static cn_vec2d bend_once(const cn_mover *m, cn_vec2d x) {
    cn_vec2d best = {0, 0};
    find_nearest(m, &m->blocks, lift_from_ground(m, stop_at_walls(m, x)), &best);
    return best;
}

// Stores the plane of a touched shape if the running path hits the shape at once, and before
// `*first`.
static void try_touched(cn_mover *m, const cn_plane *p, double *first, cn_plane *block) {
    double closing = -cn_dot2d(p->normal, m->path.direction) * m->path.length;
    if (closing <= PLAY * m->keep) return;
    cn_vec2d center;
    const cn_simulation *sim = &m->search.world->sim;
    cn_placed_hull hull = cn_found_hull(&m->search, cn_enter_key(&m->search, p->key), &center);
    cn_path_hit hit =
        cn_query_kernels_of(sim)->cast_at(&hull, center, sim->hulls.hulls8, &m->grown, &m->path);
    if (hit.distance < 0 || hit.distance >= *first) return;
    cn_plane plane = *p;
    if (hit.normal.x != 0 || hit.normal.y != 0) plane.normal = cn_unit2d(cn_widen(hit.normal));
    if (stop_distance(m, hit.distance, plane.normal) > PLAY * m->keep) return;
    *first = hit.distance, *block = complete(m, plane);
}

// Adds the first touched shape that blocks a motion. Returns false if none does.
static bool add_block(cn_mover *m, cn_vec2d x) {
    if (m->blocks.count == CN_MAX_PLANES) return false;
    m->path = cn_path_of(m->center, x);
    double first = DBL_MAX;
    cn_plane block = {.key = CN_NO_KEY};
    for (int i = 0; i < m->touched.count; i++) try_touched(m, &m->touched.items[i], &first, &block);
    if (block.key == CN_NO_KEY) return false;
    add_plane(&m->blocks, block);
    return true;
}

cn_vec2d cn_mover_bend(cn_mover *m, cn_vec2d x) {
    cn_mover_touch(m);
    m->blocks.count = 0;
    for (int i = 0; i < m->stops.count; i++) add_plane(&m->blocks, complete(m, m->stops.items[i]));
    cn_vec2d bent = bend_once(m, x);
    while (add_block(m, bent)) bent = bend_once(m, x);
    return bent;
}

// ---- leaving overlaps

// Returns a motion that violates the planes by little, for an empty region.
static cn_vec2d relax(const cn_plane_list *planes) {
    cn_vec2d x = {0, 0};
    for (int i = 0; i < RELAXATIONS; i++)
        for (int k = 0; k < planes->count; k++) {
            const cn_plane *p = &planes->items[k];
            x = cn_add_scaled(x, 0.5 * cn_max2d(-excess(p, x), 0), p->normal);
        }
    return x;
}

// Finds the shortest motion after which all gaps are `distance`.
static bool find_exit(cn_mover *m, double distance, cn_vec2d *out) {
    cn_plane_list *planes = &m->touched;
    for (int i = 0; i < planes->count; i++)
        planes->items[i].least = distance - planes->items[i].gap;
    return find_nearest(m, planes, (cn_vec2d){0, 0}, out);
}

// Leaves overlaps by planes: repeatedly moves by the shortest path out of all shapes that the hull
// touches, up to the first obstacle. If there is no room for `keep` on all sides, a gap of 0 is
// enough. Returns false if the path gets too long, as with planes that almost face each other.
static bool leave_by_planes(cn_mover *m) {
    const cn_vec2d place = m->center;
    const double longest = EXIT_DEPTH * (m->keep - cn_mover_gap(m));
    for (int i = 0; i < MAX_LEAVES; i++) {
        if (cn_mover_gap(m) >= CN_MOVER_ROOM * m->keep) return true;
        cn_vec2d out = {0, 0}, before = m->center;
        if (!find_exit(m, m->keep, &out) && !find_exit(m, 0, &out)) out = relax(&m->touched);
        cn_mover_advance(m, out);
        if (cn_length2d(cn_minus2d(m->center, place)) > longest) return false;
        if (cn_length2d(cn_minus2d(m->center, before)) <= PLAY * m->keep) break;
    }
    return cn_mover_gap(m) >= 0;
}

// Sets the bodies that the hull overlaps: those that it is about to leave.
static void set_left_bodies(cn_mover *m) {
    m->left_count = 0;
    for (int i = 0; i < m->touched.count; i++)
        if (m->touched.items[i].gap < 0)
            m->left[m->left_count++] = cn_mover_body(m, m->touched.items[i].key);
}

static void put_at(cn_mover *m, cn_vec2d place) {
    cn_mover_shift(m, cn_add_scaled(place, -1, m->center));
}

// Moves the hull from a position by `out`, through the bodies that it leaves but not into others.
// Then moves it back until it meets an obstacle. Returns its distance from the position then;
// DBL_MAX if it still overlaps something.
static double try_exit(cn_mover *m, cn_vec2d place, cn_vec2d out) {
    put_at(m, place);
    m->passes_left = true;
    cn_mover_advance(m, out);
    m->passes_left = false;
    if (cn_mover_gap(m) < 0) return DBL_MAX;
    cn_mover_advance(m, cn_add_scaled(place, -1, m->center));
    return cn_length2d(cn_minus2d(m->center, place));
}

// In the middle of several shapes, planes show no path out. Then the hull moves by the shortest of
// some straight paths out.
static void leave_straight(cn_mover *m) {
    double depth = -EXIT_DEPTH * cn_mover_gap(m), least = DBL_MAX;
    cn_vec2d place = m->center, best = place;
    set_left_bodies(m);
    for (int i = 0; i < EXITS && depth > 0; i++) {
        cn_vec2d turn = cn_direction2d(i * (2 * (double)CN_PI / EXITS));
        cn_vec2d out = {depth * (m->up.x * turn.x - m->up.y * turn.y),
                        depth * (m->up.y * turn.x + m->up.x * turn.y)};
        double distance = try_exit(m, place, out);
        if (distance < least) least = distance, best = m->center;
    }
    put_at(m, best);
}

void cn_mover_leave(cn_mover *m) {
    cn_vec2d place = m->center;
    for (int i = 0; i < 2; i++) { // as bodies that moved in push, then by the shortest path
        m->leaves_motion = i == 0;
        m->touched_is_known = false;
        bool has_left = leave_by_planes(m);
        m->leaves_motion = false;
        if (has_left) return;
        put_at(m, place);
    }
    m->touched_is_known = false;
    cn_mover_touch(m);
    leave_straight(m);
}
