/* Queries of the world: the first hit of a ray or hull, and the nearest shape.
 *
 * tree_query.c finds shapes, and the part tiles finds tiles. Both call a cn_query_callback
 * function with a search. That function decides whether the query sees the shape or tile, and keeps
 * the first result. Results are in the order of distance, then shapes by slot, then tiles. This
 * order does not depend on the order in which they are found.
 *
 * Steps make shapes of some tiles. The search skips these shapes, because the grids find all of
 * their tiles. */
#include "queries.h"

// A block of the trees has eight boxes, so kernels for 16 lanes would not be faster. A world with
// one lane uses the kernels for four, because kernels for one would have the most code.
const cn_query_kernels *cn_query_kernels_of(const cn_simulation *sim) {
#if defined(CN_BUILD_AVX2)
    if (sim->kernels->lanes >= 8) return &cn_query_kernels_8;
#endif
    (void)sim;
    return &cn_query_kernels_4;
}

// ---- what a query sees

// True if the query sees all shapes. Then no shape needs a check.
static bool sees_everything(const cn_simulation *sim, const cn_query *query) {
    return query->category == 0 && query->mask == 0 && query->group == 0 && query->ignore.id == 0 &&
           !query->accept && (query->sensors || !sim->sensors.count) &&
           sim->terrain_shape_count == 0;
}

bool cn_begin_search(cn_search *search, const cn_world *world, const cn_query *query,
                     bool may_stop) {
    static const cn_query all = {0};
    if (!query) query = &all;
    *search = (cn_search){.world = world,
                          .query = query,
                          .ignored = -1,
                          .sees_all = sees_everything(&world->sim, query),
                          .any = may_stop && query->any,
                          .grid = -1};
    if (query->ignore.id == 0) return true;
    return cn_require_body(world, query->ignore, &search->ignored) || cn_fail_in("query.ignore");
}

bool cn_filter_sees(const cn_query *query, const cn_filter *shape) {
    if (query->group != 0 && query->group == shape->group) return query->group > 0;
    return (query->mask == 0 || query->mask & shape->category) &&
           (query->category == 0 || query->category & shape->mask);
}

// True if the cast starts behind a one-sided shape. Only segments are one-sided.
static bool starts_behind(const cn_search *search, int shape) {
    const cn_simulation *sim = &search->world->sim;
    const cn_placed_hull *placed = &sim->placed[shape];
    if (!search->casts || cn_placed_count(placed) != 2 || !cn_is_one_sided(sim, shape))
        return false;
    cn_pose pose = placed->pose; // in its own frame, the open side of a segment is below it
    double x = search->start.x - (double)pose.position.x;
    double y = search->start.y - (double)pose.position.y;
    return (double)pose.rotation.c * y - (double)pose.rotation.s * x > 0;
}

static bool accepts(const cn_search *search, int id) {
    const cn_query *query = search->query;
    if (!query->accept) return true;
    cn_side side = cn_side_of_key(search->world, cn_result_key(search, id));
    cn_accept_call call;
    cn_begin_accept(&call, search->world);
    bool accepted = query->accept(search->world, side, query->user);
    cn_end_accept(&call);
    return accepted;
}

static bool sees_shape(const cn_search *search, int shape) {
    const cn_simulation *sim = &search->world->sim;
    if (starts_behind(search, shape)) return false;
    if (search->sees_all) return true;
    bool sensor = sim->shapes[shape].flags & CN_SHAPE_SENSOR;
    return (search->query->sensors || !sensor) && !cn_is_terrain(sim, shape) &&
           sim->links[shape].body != search->ignored &&
           cn_filter_sees(search->query, &cn_rare_of(sim, shape)->filter) && accepts(search, shape);
}

// Only grids that the query sees are searched, so the filter is not tested here for tiles.
bool cn_sees(const cn_search *search, int id) {
    return search->grid < 0 ? sees_shape(search, id) : accepts(search, id);
}

// ---- results

uint64_t cn_result_key(const cn_search *search, int id) {
    if (search->grid < 0) return (uint64_t)id;
    return CN_TILE_KEY | (uint64_t)search->grid << 32 | (uint64_t)id;
}

cn_side cn_side_of_key(const cn_world *world, uint64_t key) {
    if (!(key & CN_TILE_KEY)) return cn_side_of(world, (int)key);
    return cn_grids_in_queries->side(world, cn_grid_of_key(key), (int)(uint32_t)key);
}

double cn_keep_nearest(void *context, int id, double distance, vec2s normal) {
    cn_nearest_search *s = context;
    cn_result result = {distance, cn_result_key(&s->search, id), normal};
    if (!cn_is_before(&result, &s->best) || !cn_sees(&s->search, id)) return s->best.distance;
    s->best = result;
    if (s->search.grid < 0) { // data that the final result needs
        const cn_simulation *sim = &s->search.world->sim;
        __builtin_prefetch(&sim->links[id]);
        __builtin_prefetch(&sim->shapes[id]);
        __builtin_prefetch(&sim->slots[CN_SHAPES].items[id]);
    }
    return s->search.any ? -1 : distance;
}

static cn_nearest_search begin_nearest(const cn_search *search, double limit) {
    return (cn_nearest_search){*search, {limit, CN_NO_KEY, {{0, 0}}}};
}

cn_query_scene cn_query_scene_of(const cn_world *world) {
    const cn_simulation *sim = &world->sim;
    return (cn_query_scene){{&sim->static_tree, &sim->moving_tree},
                            {sim->placed, sim->hulls.hulls8}};
}

static bool is_done(const cn_nearest_search *s) {
    return s->search.any && s->best.key != CN_NO_KEY;
}

// ---- rays

bool cn_require_ray(vec2s origin, vec2s translation) {
    return cn_require2("origin", origin, CN_MAX_COORDINATE) &&
           cn_require2("translation", translation, CN_MAX_COORDINATE);
}

cn_path cn_path_of_ray(cn_ray ray) {
    return cn_path_of(cn_widen(ray.origin), cn_widen(ray.translation));
}

cn_nearest_search cn_ray_search(const cn_search *search, const cn_path *path) {
    cn_nearest_search s = begin_nearest(search, path->length);
    s.search.casts = true, s.search.start = path->origin;
    return s;
}

void cn_search_tiles(cn_nearest_search *s, const cn_probe *probe, const cn_path *path) {
    if (is_done(s) || !cn_has_grids(&s->search)) return;
    cn_grids_in_queries->cast(&s->search, probe, path, s->best.distance, cn_keep_nearest);
}

static cn_world_hit any_hit(const cn_search *search, const cn_result *result) {
    return (cn_world_hit){.hit = true, .side = cn_side_of_key(search->world, result->key)};
}

cn_world_hit cn_hit_of(const cn_search *search, const cn_result *result, const cn_ray *ray,
                       const cn_path *path) {
    if (result->key == CN_NO_KEY) return (cn_world_hit){0};
    if (search->any) return any_hit(search, result);
    cn_side side = cn_side_of_key(search->world, result->key);
    if (result->distance == 0) return (cn_world_hit){true, side, 0, ray->origin, result->normal};
    float fraction = cn_min((float)(result->distance / path->length), 1);
    cn_vec2d point = cn_add_scaled(path->origin, result->distance, path->direction);
    return (cn_world_hit){true, side, fraction, cn_narrow(point), result->normal};
}

cn_world_hit cn_world_cast_ray(const cn_world *world, vec2s origin, vec2s translation,
                               const cn_query *query) {
    cn_search search;
    if (!cn_check_world(world, __func__)) return (cn_world_hit){0};
    if (!CN_CHECK(cn_require_ray(origin, translation) &&
                  cn_begin_search(&search, world, query, true)))
        return (cn_world_hit){0};
    const cn_ray ray = {origin, translation};
    cn_path path = cn_path_of_ray(ray);
    cn_nearest_search s = cn_ray_search(&search, &path);
    cn_query_scene scene = cn_query_scene_of(world);
    cn_query_kernels_of(&world->sim)->cast(&scene, &cn_point_probe, &path, cn_keep_nearest, &s);
    cn_search_tiles(&s, &cn_point_probe, &path);
    return cn_hit_of(&search, &s.best, &ray, &path);
}

// ---- hulls

cn_placed_hull cn_found_hull(const cn_search *search, int id, cn_vec2d *center) {
    const cn_simulation *sim = &search->world->sim;
    if (search->grid >= 0) return cn_grids_in_queries->place(sim, search->grid, id, center);
    *center = cn_widen(sim->placed[id].pose.position);
    return sim->placed[id];
}

cn_swept_hull cn_still_hull(const cn_search *search, int id) {
    cn_body_sweep sweep = {.start = {1, 0}, .end_fraction = 1};
    cn_placed_hull placed = cn_found_hull(search, id, &sweep.start_center);
    placed.pose.position = cn_vec(0, 0);
    cn_hull outline = cn_outline_from_placed(&placed, search->world->sim.hulls.hulls8);
    return cn_make_swept_hull(&outline, cn_vec(0, 0), &sweep);
}

typedef struct {
    cn_nearest_search nearest; // its distances are fractions of the sweep
    cn_swept_hull hull;
    double length; // of the path of its centre
} turning_search;

// A little beyond the best result, so that no result of the same fraction is missed.
static double fraction_limit(double best) {
    double beyond = best * 1.000001 + 1e-12;
    return beyond < 1 ? beyond : 1;
}

static double find_turning_hit(void *context, int id, double distance, vec2s normal) {
    turning_search *s = context;
    (void)distance;
    cn_swept_hull other = cn_still_hull(&s->nearest.search, id);
    double limit = fraction_limit(s->nearest.best.distance);
    double tolerance = cn_touch_tolerance(&s->hull, &other);
    double fraction = cn_find_impact(&s->hull, &other, 0, tolerance, limit);
    if (fraction <= 1) cn_keep_nearest(&s->nearest, id, fraction, normal);
    return is_done(&s->nearest) ? -1 : s->nearest.best.distance * s->length;
}

// At every rotation the hull stays within a disc around its centre. So this sweeps the box of the
// disc.
static cn_result find_turning(const cn_search *search, const cn_swept_hull *hull) {
    turning_search s = {begin_nearest(search, 1), *hull, 0};
    cn_path path = cn_path_of(hull->sweep.start_center, hull->sweep.displacement);
    s.length = path.length;
    float reach = (float)(hull->extent + hull->radius) * (1 + 32 * FLT_EPSILON); // a touch counts
    cn_query_scene scene = cn_query_scene_of(search->world);
    cn_query_kernels_of(&search->world->sim)
        ->sweep_box(&scene, cn_vec(reach, reach), &path, find_turning_hit, &s);
    if (!is_done(&s.nearest) && cn_has_grids(&s.nearest.search))
        cn_grids_in_queries->sweep(&s.nearest.search, cn_vec(reach, reach), &path,
                                   s.nearest.best.distance * s.length, find_turning_hit);
    return s.nearest.best;
}

static cn_vec2d middle_of(const cn_hull *hull, cn_pose pose) {
    vec2s sum = cn_vec(0, 0);
    for (int i = 0; i < hull->count; i++) sum = glms_vec2_add(sum, hull->vertices[i]);
    vec2s middle = cn_rotate(pose.rotation, glms_vec2_scale(sum, 1 / (float)hull->count));
    return cn_add_scaled(cn_widen(pose.position), 1, cn_widen(middle));
}

int cn_enter_key(cn_search *search, uint64_t key) {
    search->grid = key & CN_TILE_KEY ? cn_grid_of_key(key) : -1;
    return (int)(uint32_t)key;
}

// Returns the hit at a fraction of the sweep.
static cn_world_hit touch_of(cn_search *search, const cn_swept_hull *hull, cn_result result) {
    cn_swept_hull other = cn_still_hull(search, cn_enter_key(search, result.key));
    cn_gapd gap = cn_gap_at(hull, &other, result.distance);
    bool inside = result.distance == 0 && gap.distance < -cn_touch_tolerance(hull, &other);
    vec2s n = inside ? cn_vec(0, 0) : cn_vec((float)-gap.normal.x, (float)-gap.normal.y);
    return (cn_world_hit){true, cn_side_of_key(search->world, result.key), (float)result.distance,
                          cn_narrow(gap.b), n};
}

static cn_world_hit cast_turning(cn_search *search, const cn_hull *hull, const cn_sweep *sweep) {
    cn_swept_hull swept = cn_swept_hull_from_sweep(hull, sweep);
    cn_result result = find_turning(search, &swept);
    if (result.key == CN_NO_KEY) return (cn_world_hit){0};
    return search->any ? any_hit(search, &result) : touch_of(search, &swept, result);
}

static cn_world_hit cast_straight(cn_search *search, const cn_hull *hull, const cn_sweep *sweep) {
    const cn_simulation *sim = &search->world->sim;
    cn_vec2d center;
    cn_probe probe = cn_probe_of(hull, sweep->start, &center);
    cn_path path = cn_path_of(center, cn_widen(sweep->translation));
    cn_nearest_search s = begin_nearest(search, path.length);
    cn_query_scene scene = cn_query_scene_of(search->world);
    cn_query_kernels_of(sim)->cast(&scene, &probe, &path, cn_keep_nearest, &s);
    cn_search_tiles(&s, &probe, &path);

    cn_result best = s.best;
    if (best.key == CN_NO_KEY) return (cn_world_hit){0};
    if (search->any) return any_hit(search, &best);
    if (best.distance == 0) {
        cn_swept_hull swept = cn_swept_hull_from_sweep(hull, sweep);
        return touch_of(search, &swept, best);
    }
    cn_vec2d other_center, at = cn_add_scaled(path.origin, best.distance, path.direction);
    cn_placed_hull other = cn_found_hull(search, cn_enter_key(search, best.key), &other_center);
    cn_vec2d point =
        cn_touch_point(&other, other_center, sim->hulls.hulls8, &probe, at, best.normal);
    return (cn_world_hit){true, cn_side_of_key(search->world, best.key),
                          cn_min((float)(best.distance / path.length), 1), cn_narrow(point),
                          best.normal};
}

static bool check_sweep(const cn_hull *hull, const cn_sweep *sweep) {
    return cn_hull_check(hull) && cn_require_sweep(sweep) &&
           cn_require2("position", sweep->start.position, CN_MAX_COORDINATE) &&
           cn_require2("centre", sweep->center, CN_MAX_COORDINATE) &&
           cn_require2("translation", sweep->translation, CN_MAX_COORDINATE);
}

cn_world_hit cn_world_cast_hull(const cn_world *world, cn_hull hull, cn_sweep sweep,
                                const cn_query *query) {
    const cn_world_hit none = {0};
    cn_search search;
    if (!cn_check_world(world, __func__)) return none;
    if (!CN_CHECK(check_sweep(&hull, &sweep) && cn_begin_search(&search, world, query, true)))
        return none;
    sweep.start = cn_given_pose(sweep.start);
    search.casts = true, search.start = middle_of(&hull, sweep.start);
    return sweep.turn == 0 ? cast_straight(&search, &hull, &sweep)
                           : cast_turning(&search, &hull, &sweep);
}

// ---- the nearest

static bool check_hull_pose(const cn_hull *hull, cn_pose pose) {
    return cn_hull_check(hull) && cn_require_pose(pose) &&
           cn_require2("position", pose.position, CN_MAX_COORDINATE);
}

cn_neighbor cn_world_nearest(const cn_world *world, cn_hull hull, cn_pose pose, float max_distance,
                             const cn_query *query) {
    const cn_neighbor none = {0};
    cn_search search;
    if (!cn_check_world(world, __func__)) return none;
    if (!CN_CHECK(check_hull_pose(&hull, pose) &&
                  cn_require("max_distance", max_distance, 0, FLT_MAX) &&
                  cn_begin_search(&search, world, query, false)))
        return none;
    pose = cn_given_pose(pose);
    const cn_sweep at = {.start = pose};
    cn_vec2d center;
    cn_probe probe = cn_probe_of(&hull, pose, &center);
    cn_nearest_search s = begin_nearest(&search, (double)max_distance);
    cn_query_scene scene = cn_query_scene_of(world);
    cn_query_kernels_of(&world->sim)
        ->nearest(&scene, &probe, center, s.best.distance, cn_keep_nearest, &s);
    if (cn_has_grids(&s.search))
        cn_grids_in_queries->nearest(&s.search, &probe, center, s.best.distance, cn_keep_nearest);
    if (s.best.key == CN_NO_KEY) return none;

    cn_swept_hull a = cn_swept_hull_from_sweep(&hull, &at);
    cn_swept_hull b = cn_still_hull(&search, cn_enter_key(&search, s.best.key));
    cn_gapd gap = cn_gap_at(&a, &b, 0);
    return (cn_neighbor){
        true, cn_side_of_key(world, s.best.key),
        (cn_gap){(float)gap.distance, cn_narrow(gap.normal), cn_narrow(gap.a), cn_narrow(gap.b)}};
}
