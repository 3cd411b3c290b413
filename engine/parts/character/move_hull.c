/* Moves the hull of a character: cn_world_move_hull().
 *
 *     ride      move along with the ground of the last move, which does not stop the hull (ride.c)
 *     leave     move out of the shapes that the hull overlaps now, and follow ground that has moved
 *               down
 *     parts     divide the translation into parts that are no longer than the hull is thick, and no
 *               longer than snap_distance. For each part:
 *         slide     move to the first obstacle, bend the rest of the part by all planes that block
 *                   it there, and repeat
 *         climb     if a wall stops the hull on ground: move up by step_height, forward, and down.
 *                   If the hull then stands on ground, it has climbed a step
 *         follow    if the hull stood on ground before the part and does not now: move down to the
 *                   ground, if the ground is near
 *     report    the ground, the bodies that the hull ran into, and the sensors on its path (meet.c)
 *
 * Because of the parts, a long move has the same result as many short moves: over the end of a
 * wall, around a hill, down a flight of stairs. Only the planes at the present position are used. A
 * plane from an earlier position may stop the hull where no shape is.
 *
 * The position is in double precision. mover.c finds the planes and obstacles. */
#include "mover.h"

#define STEEPEST      1.5f        // rad: on steeper ground, horizontal motion lifts a hull too far
#define DEFAULT_SLOPE 0.78539816f // rad: 45 degrees
#define TINY          1e-4        // times `keep`: shorter motions are ignored
enum { MAX_PARTS = 32, MAX_STOPS = 24, MAX_STRIDES = 6 };

// A running move.
typedef struct {
    cn_mover mover;
    cn_move result;
    cn_vec2d velocity; // of the hull, m/s
    double mass;       // of the hull, kg
    double seconds;    // duration of the translation
    bool goes_up;      // the hull does not follow ground down, and climbs no steps
    int ground;        // the body that it rides; -1: none
    cn_vec2d ride;     // m: how far the ground takes it
    cn_vec2d conveyor; // m: how far a conveyor takes it in addition
    cn_meeting sensors;
    cn_vec2d leg; // where the running leg of the path began
} walk;

// ---- pushes

// The impulse that stops the approach of the hull and the body along the normal n of the plane. The
// hull has the mass m. The body has the mass M and the inertia I, and r is the vector from its
// centre of mass to the point:
//     approach = impulse (1/m + 1/M + (r x n)^2 / I)
static cn_push push_of(const walk *w, const cn_plane *p, int shape) {
    const cn_simulation *sim = &w->mover.search.world->sim;
    const cn_body_hot body = cn_settled_body(sim, sim->links[shape].body);
    vec2s point = cn_narrow(p->point);
    cn_vec2d v = cn_widen(cn_velocity_at(&body, point));
    double approach = -cn_dot2d(cn_add_scaled(w->velocity, -1, v), p->normal);
    double arm = cn_cross2d(cn_between(cn_vec(body.x, body.y), point), p->normal);
    double inverse =
        1 / w->mass + (double)body.inverse_mass + arm * arm * (double)body.inverse_inertia;
    cn_vec2d impulse = cn_scale2d(-cn_max2d(approach, 0) / inverse, p->normal);
    return (cn_push){cn_side_of(w->mover.search.world, shape), point, cn_narrow(impulse)};
}

// Adds a push. Each body has one push, with its greatest impulse.
static void add_push(cn_move *move, cn_push push) {
    int i = 0;
    while (i < move->push_count && move->pushes[i].side.body.id != push.side.body.id) i++;
    if (i == CN_MAX_PUSHES) return;
    bool is_new = i == move->push_count;
    if (is_new) move->push_count++;
    if (is_new || glms_vec2_norm2(push.impulse) > glms_vec2_norm2(move->pushes[i].impulse))
        move->pushes[i] = push;
}

// Records walls, ceilings and pushes for the planes that block a motion.
static void record_planes(walk *w, cn_vec2d motion) {
    const cn_mover *m = &w->mover;
    const cn_simulation *sim = &m->search.world->sim;
    for (int i = 0; i < m->blocks.count; i++) {
        const cn_plane *p = &m->blocks.items[i];
        if (cn_dot2d(p->normal, motion) >= -TINY * m->keep) continue;
        if (p->kind == CN_PLANE_WALL && !w->result.wall)
            w->result.wall = true, w->result.wall_normal = cn_narrow(p->normal);
        w->result.ceiling |= p->kind == CN_PLANE_CEILING;
        if (p->key & CN_TILE_KEY) continue;
        int shape = (int)p->key;
        if (cn_is_dynamic(&sim->hot[sim->links[shape].body]))
            add_push(&w->result, push_of(w, p, shape));
    }
}

// ---- steps

static bool is_tiny(const cn_mover *m, cn_vec2d v) { return cn_length2d(v) <= TINY * m->keep; }

// Moves the hull back to an earlier position.
static void put_back(cn_mover *m, cn_vec2d center) {
    cn_mover_shift(m, cn_add_scaled(center, -1, m->center));
}

// The ground to which a step may lead: ground that is at most step_height above the feet at the
// point where the hull touches it, or ground that supports the hull already.
typedef struct {
    double highest;               // coordinate along `up`
    uint64_t keys[CN_MAX_PLANES]; // ground that supports the hull already
    int key_count;
    double gap; // m: the least gap that the hull must have after the step
} step_goal;

static step_goal make_goal(cn_mover *m) {
    step_goal goal = {.highest = cn_mover_lowest(m, m->up) + m->step_height + m->keep};
    goal.gap = cn_min2d(cn_mover_gap(m), CN_MOVER_ROOM * m->keep);
    for (int i = 0; i < m->touched.count; i++)
        if (cn_plane_supports(&m->touched.items[i]))
            goal.keys[goal.key_count++] = m->touched.items[i].key;
    return goal;
}

static bool is_reached(const step_goal *goal, cn_mover *m) {
    const cn_plane *ground = cn_mover_landing(m);
    if (!ground || cn_mover_gap(m) < goal->gap) return false;
    bool is_allowed = cn_dot2d(ground->point, m->up) <= goal->highest;
    for (int i = 0; i < goal->key_count; i++) is_allowed |= goal->keys[i] == ground->key;
    return is_allowed;
}

// Moves the hull up by step_height, forward, and down again. If this reaches the goal, returns the
// fraction of the forward motion that was made. Otherwise moves the hull back, and returns 0 if
// there is no room above the step, or else -1.
static double try_step(cn_mover *m, cn_vec2d forward, const step_goal *goal) {
    cn_vec2d before = m->center, up = cn_scale2d(m->step_height, m->up);
    double rise = cn_mover_advance(m, up), fraction = cn_mover_advance(m, forward);
    if (!is_tiny(m, cn_scale2d(fraction, forward))) {
        cn_mover_advance(m, cn_scale2d(-rise, up));
        if (is_reached(goal, m)) return fraction;
        fraction = -1;
    }
    put_back(m, before);
    return cn_min2d(fraction, 0);
}

// Climbs a step in the direction of a motion. Returns the fraction of the motion that was made; 0
// if there is no step, or no room above it. A long stride may miss the step and hit the next one,
// so shorter strides are tried, too.
static double climb(cn_mover *m, cn_vec2d forward) {
    if (m->step_height == 0 || is_tiny(m, forward) || !cn_mover_stands(m)) return 0;
    const step_goal goal = make_goal(m);
    double stride = 1;
    for (int i = 0; i < MAX_STRIDES; i++, stride /= 2) {
        double fraction = try_step(m, cn_scale2d(stride, forward), &goal);
        if (fraction >= 0) return fraction * stride;
    }
    return 0;
}

// Moves the hull down to the ground, if it is within snap_distance.
static void follow_ground(cn_mover *m) {
    if (m->snap_distance == 0 || cn_mover_stands(m)) return;
    cn_vec2d before = m->center;
    cn_mover_advance(m, cn_scale2d(-m->snap_distance, m->up));
    if (!cn_mover_landing(m)) put_back(m, before);
}

// Returns the velocity of the surface at a plane.
static vec2s surface_velocity(const cn_mover *m, const cn_plane *p) {
    const cn_simulation *sim = &m->search.world->sim;
    vec2s n = cn_narrow(p->normal);
    if (!(p->key & CN_TILE_KEY))
        return cn_surface_velocity(sim, (int)p->key, n, cn_narrow(p->point));
    int grid = cn_grid_of_key(p->key), tile = (int)(uint32_t)p->key;
    float speed = cn_grids_in_queries->surface_speed(sim, grid, tile);
    return cn_vec(speed * n.y, -speed * n.x);
}

// Returns the supporting plane whose normal is nearest to `up`; NULL: the hull does not stand.
// `touched` must be known.
static const cn_plane *find_ground(const cn_mover *m) {
    const cn_plane *best = NULL;
    double greatest = -1;
    for (int i = 0; i < m->touched.count; i++) {
        const cn_plane *p = &m->touched.items[i];
        double cosine = cn_dot2d(p->normal, m->up);
        if (cn_plane_supports(p) && cosine > greatest) best = p, greatest = cosine;
    }
    return best;
}

// True if a translation leads up from the ground. One that is no faster than rising ground does
// not.
static bool leads_up(walk *w, cn_vec2d translation) {
    cn_mover *m = &w->mover;
    cn_mover_touch(m);
    double rise = cn_dot2d(translation, m->up);
    const cn_plane *ground = w->ground < 0 && rise > 0 ? find_ground(m) : NULL;
    vec2s v = ground ? surface_velocity(m, ground) : cn_vec(0, 0);
    rise -= w->seconds * cn_max2d(cn_dot2d(cn_widen(v), m->up), 0);
    return rise > TINY * m->keep;
}

// Moves the hull down to ground that was under it before the last step and has moved down, such as
// a lift.
static void follow_sinking_ground(cn_mover *m) {
    if (m->snap_distance == 0 || cn_mover_stands(m)) return;
    cn_vec2d before = m->center;
    cn_mover_advance(m, cn_scale2d(-m->snap_distance, m->up));
    double fallen = cn_dot2d(cn_add_scaled(before, -1, m->center), m->up);
    const cn_plane *ground = cn_mover_landing(m);
    double sunk = 0;
    if (ground) sunk = -cn_dot2d(cn_widen(surface_velocity(m, ground)), m->up);
    sunk *= (double)m->search.world->sim.step_seconds;
    if (sunk <= 0 || fallen > sunk + m->keep) put_back(m, before);
}

// ---- moves

// True if bending a motion reduced its horizontal part.
static bool is_stopped(const cn_mover *m, cn_vec2d wanted, cn_vec2d bent) {
    cn_vec2d lost = cn_mover_level(m, cn_add_scaled(wanted, -1, bent));
    return cn_dot2d(lost, wanted) > 0 && !is_tiny(m, lost);
}

static void slide(walk *w, cn_vec2d motion) {
    cn_mover *m = &w->mover;
    for (int i = 0; i < MAX_STOPS && !is_tiny(m, motion); i++) {
        cn_vec2d bent = cn_mover_bend(m, motion);
        if (!w->goes_up && is_stopped(m, motion, bent)) {
            cn_vec2d forward = cn_mover_level(m, motion);
            double climbed = climb(m, forward);
            if (climbed > 0) {
                motion = cn_scale2d(1 - climbed, forward);
                continue;
            }
        }
        record_planes(w, motion);
        if (is_tiny(m, bent)) return;
        motion = cn_scale2d(1 - cn_mover_advance(m, bent), motion);
    }
}

// Ends a leg of the path at the present position.
static void end_leg(walk *w) {
    cn_meeting_add(&w->sensors, &w->mover, w->leg);
    w->leg = w->mover.center;
}

static void move_part(walk *w, cn_vec2d part) {
    bool was_supported = cn_mover_stands(&w->mover);
    slide(w, part);
    if (was_supported && !w->goes_up) follow_ground(&w->mover);
    end_leg(w);
}

static void move_all(walk *w, cn_vec2d translation) {
    cn_mover *m = &w->mover;
    double longest = m->hull.inner + m->keep;
    if (m->snap_distance > 0) longest = cn_min2d(longest, m->snap_distance + m->keep);
    double parts = ceil(cn_length2d(translation) / longest);
    int count = parts < MAX_PARTS ? cn_max_int((int)parts, 1) : MAX_PARTS;
    for (int i = 0; i < count; i++) move_part(w, cn_scale2d(1.0 / count, translation));
}

// Moves the hull along with its ground.
static void go_along(walk *w) {
    cn_mover *m = &w->mover;
    const cn_vec2d from = m->center;
    if (is_tiny(m, w->ride)) return;
    w->goes_up = true;
    m->ridden = w->ground;
    move_all(w, w->ride);
    m->ridden = -1, m->touched_is_known = false;
    m->stops.count = 0;
    m->carried = cn_minus2d(m->center, from);
}

static void move(walk *w, cn_vec2d translation) {
    w->leg = w->mover.center;
    go_along(w);
    cn_mover_leave(&w->mover);
    w->goes_up = leads_up(w, translation);
    if (!w->goes_up) follow_sinking_ground(&w->mover);
    move_all(w, cn_add_scaled(translation, 1, w->conveyor));
}

// ---- the result

static void report_ground(walk *w) {
    const cn_mover *m = &w->mover;
    const cn_plane *best = find_ground(m);
    if (!best) return;
    cn_move *move = &w->result;
    move->grounded = true;
    move->ground = cn_side_of_key(m->search.world, best->key);
    move->ground_point = cn_narrow(best->point);
    move->ground_normal = cn_narrow(best->normal);
    move->ground_velocity = surface_velocity(m, best);
    // This point of the hull's core stays where it is on ground that turns. The point on the
    // surface would move, because round feet roll.
    double height = best->gap + m->hull.radius;
    move->ride = cn_ride_on(m->search.world, cn_mover_body(m, best->key), move->ground_velocity,
                            best->point, cn_add_scaled(best->point, height, best->normal));
}

static void report(walk *w) {
    cn_mover *m = &w->mover;
    cn_mover_touch(m);
    w->result.pose.position = cn_narrow(m->hull.sweep.start_center);
    w->result.overlaps = m->touched.count > 0 && m->touched.items[0].gap < 0;
    report_ground(w);
    cn_meeting_end(&w->sensors, &w->result);
}

// ---- the call

static bool check_def(const cn_move_def *def) {
    return cn_require2("up", def->up, FLT_MAX) &&
           cn_require("max_slope", def->max_slope, 0, STEEPEST) &&
           cn_require("step_height", def->step_height, 0, CN_MAX_COORDINATE) &&
           cn_require("snap_distance", def->snap_distance, 0, CN_MAX_COORDINATE) &&
           cn_require("mass", def->mass, 0, CN_MAX_MASS) && cn_ride_check(&def->ride) &&
           (def->seconds == 0 || cn_require("seconds", def->seconds, CN_MIN_STEP, FLT_MAX));
}

static bool check_move(const cn_hull *hull, cn_pose pose, vec2s translation) {
    return cn_require_pointer("hull", hull) && cn_hull_check_sized(hull) && cn_require_pose(pose) &&
           cn_require2("position", pose.position, CN_MAX_COORDINATE) &&
           cn_require2("translation", translation, CN_MAX_COORDINATE) &&
           cn_require2("end of the translation", glms_vec2_add(pose.position, translation),
                       CN_MAX_COORDINATE);
}

static void start(walk *w, const cn_search *search, const cn_move_def *def) {
    cn_mover *m = &w->mover;
    m->search = *search;
    m->up = cn_unit2d(cn_widen(def->up));
    if (m->up.x == 0 && m->up.y == 0) m->up.y = 1;
    float slope = def->max_slope > 0 ? def->max_slope : DEFAULT_SLOPE;
    m->least_cosine = cn_direction2d((double)slope).x - CN_SLOPE_PLAY;
    m->step_height = (double)def->step_height;
    m->snap_distance = (double)def->snap_distance;
    m->keep = (double)search->world->sim.tuning.slop;
    m->drop_through = def->drop_through;
    m->ridden = -1;
}

// Sets where the ground takes the hull. False, with the error recorded, if this is too far.
static bool begin_ride(walk *w, const cn_world *world, const cn_ride *ride) {
    const cn_simulation *sim = &world->sim;
    w->ground = cn_ride_body(world, ride);
    if (w->ground < 0) return true;
    w->ride = cn_ride_motion(sim, w->ground, ride);
    w->conveyor = cn_scale2d(w->seconds, cn_widen(ride->surface_velocity));
    vec2s v = cn_ride_velocity(sim, w->ground, ride);
    w->velocity = cn_add_scaled(w->velocity, 1, cn_widen(v));
    cn_vec2d end = cn_add_scaled(cn_add_scaled(w->ride, 1, w->conveyor), 1, w->mover.center);
    return cn_require2("end of the ride", cn_narrow(end), CN_MAX_COORDINATE);
}

cn_move cn_world_move_hull(const cn_world *world, cn_hull hull, cn_pose pose, vec2s translation,
                           const cn_move_def *def) {
    static const cn_move_def plain = {0};
    const cn_move_def *d = def ? def : &plain;
    cn_search search;
    walk w = {.result = {.pose = pose}};
    if (!cn_check_world(world, __func__)) return w.result;
    if (!CN_CHECK(check_move(&hull, pose, translation) && check_def(d) &&
                  cn_begin_search(&search, world, &d->query, false)))
        return w.result;
    start(&w, &search, d);
    w.result.pose = cn_given_pose(pose);
    cn_mover_set_hull(&w.mover, &hull, w.result.pose);
    w.seconds = (double)(d->seconds > 0 ? d->seconds : world->time_step);
    w.velocity = cn_scale2d(1 / w.seconds, cn_widen(translation));
    w.mass = (double)(d->mass > 0 ? d->mass : cn_mass_of(&hull, 1).mass);
    if (!CN_CHECK(begin_ride(&w, world, &d->ride) && cn_meeting_begin(&w.sensors, &search)))
        return w.result;
    move(&w, cn_widen(translation));
    report(&w);
    return w.result;
}
