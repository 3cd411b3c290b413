/* Queries of grids of tiles. A query visits only the tiles near it, so its cost does not depend on
 * the size of the grid.
 *
 * The walk is in the frame of the grid, where a tile is a unit square, in double precision. Each
 * solid tile on the walk is a hull, a box or a slope, for the kernels of
 * parts/queries/tree_query.c, as the hulls of shapes are.
 *
 *   a path     goes column by column if it moves more along x, otherwise row by row. In each column
 *              it visits the tiles that the box of the probe passes:
 *
 *                  . . . . . .
 *                  . . . 3 4 5
 *                  . 1 2 3 . .       (after Amanatides and Woo 1987, for paths with a width)
 *                  0 1 . . . .
 *
 *   overlaps   visit the tiles that the box of the probe touches.
 *   nearest    visits the same tiles, then rings of tiles around them, until a ring is farther away
 *              than the best result.
 *
 * The tree of the grids (grid_tree.c) finds the grids that a query visits. */
#include "../queries/queries.h"
#include "tiles.h"

// The frame of a grid: tile (x, y) covers x..x+1, y..y+1.
typedef struct {
    const cn_tile_grid *grid;
    cn_vec2d corner; // lower left corner of tile (0, 0), world
    cn_rotation rotation;
    double size; // side of a tile, m
} frame;

static frame frame_of(const cn_simulation *sim, const cn_tile_grid *grid) {
    cn_pose pose = cn_origin_pose(sim, grid->body);
    cn_vec2d arm = cn_rotate2d(pose.rotation, cn_widen(grid->origin));
    return (frame){grid, cn_add_scaled(cn_widen(pose.position), 1, arm), pose.rotation,
                   (double)grid->size};
}

// These return a vector and a point in the frame of the grid, in tiles.
static cn_vec2d direction_in(const frame *f, cn_vec2d v) {
    // The length of the rotation is 1 only up to rounding. Far from the corner, the difference
    // would exceed the slack of half_in().
    double c = (double)f->rotation.c, s = (double)f->rotation.s;
    double size = f->size * (c * c + s * s);
    cn_vec2d local = cn_rotate2d((cn_rotation){f->rotation.c, -f->rotation.s}, v);
    return (cn_vec2d){local.x / size, local.y / size};
}
static cn_vec2d point_in(const frame *f, cn_vec2d point) {
    return direction_in(f, cn_add_scaled(point, -1, f->corner));
}

// Returns half sizes in the frame of the grid, in tiles, of a box that encloses a box with half
// sizes in m along the world axes. A slack covers rounding.
static cn_vec2d half_in(const frame *f, cn_vec2d half) {
    double c = fabs((double)f->rotation.c), s = fabs((double)f->rotation.s), more = 1e-6;
    return (cn_vec2d){(c * half.x + s * half.y) / f->size + more,
                      (s * half.x + c * half.y) / f->size + more};
}

static cn_placed_hull place(const cn_simulation *sim, int index, int tile, cn_vec2d *center) {
    const cn_tile_grid *grid = cn_grid_at(sim, index);
    frame f = frame_of(sim, grid);
    cn_vec2d middle = {f.size * (tile % grid->width + 0.5), f.size * (tile / grid->width + 0.5)};
    *center = cn_add_scaled(f.corner, 1, cn_rotate2d(f.rotation, middle));
    cn_pose pose = {cn_narrow(*center), f.rotation};
    cn_tile_form form = cn_tile_form_of(grid, tile);
    if (form != CN_TILE_SQUARE) return cn_placed_slope(grid, form, pose);
    float half = 0.5f * grid->size;
    return (cn_placed_hull){.pose = pose, .hx = half, .hy = half, .kind = 4 | CN_CLASS_BOX << 8};
}

// ---- ranges

// Returns the tile of a coordinate: -1 before the first tile, `count` after the last.
static int tile_at(double coordinate, int count) {
    double low = -1, high = (double)count;
    double within = coordinate < low ? low : coordinate > high ? high : coordinate;
    return (int)floor(within);
}

// Returns the tiles of the grid that a box touches.
static cn_tile_range range_of(const cn_tile_grid *grid, cn_vec2d center, cn_vec2d half) {
    return (cn_tile_range){cn_max_int(tile_at(center.x - half.x, grid->width), 0),
                           cn_min_int(tile_at(center.x + half.x, grid->width), grid->width - 1),
                           cn_max_int(tile_at(center.y - half.y, grid->height), 0),
                           cn_min_int(tile_at(center.y + half.y, grid->height), grid->height - 1)};
}

// True if the query sees the grid, apart from query.accept, which decides tile by tile.
static bool sees_grid(const cn_search *search, int index) {
    const cn_simulation *sim = &search->world->sim;
    const cn_tile_grid *grid = cn_grid_at(sim, index);
    return sim->hot[grid->body].flags & CN_BODY_ENABLED && grid->body != search->ignored &&
           cn_filter_sees(search->query, &grid->shape.filter);
}

// Makes a grid that of the search. Returns false if the query does not see the grid.
static bool enter_grid(cn_search *search, int grid) {
    if (!sees_grid(search, grid)) return false;
    search->grid = grid;
    return true;
}

// Returns a box in floats that contains a box given by its centre and half sizes.
static cn_bounds box_around(cn_vec2d center, cn_vec2d half) {
    vec2s middle = cn_narrow(center), more = cn_narrow(half);
    float rounding = FLT_EPSILON * (cn_abs(middle.x) + cn_abs(middle.y) + more.x + more.y);
    cn_bounds box = {glms_vec2_sub(middle, more), glms_vec2_add(middle, more)};
    return cn_box_grown(box, rounding);
}

// The tree of the grids, for kernels that report boxes.
static cn_query_scene grid_scene(const cn_simulation *sim) {
    static const cn_tree none;
    return (cn_query_scene){.trees = {cn_grid_tree(sim), &none}};
}

// ---- along a path

// A path in the frame of a grid. It moves more along u than along v. Distances along it are in
// metres.
typedef struct {
    double u, v, du, dv, half_u, half_v; // origin, tiles per metre, half sizes of the box
    int end_u, end_v, step_u, step_v;    // tiles along each axis, and their stride in the bitmap
} grid_path;

static grid_path path_in(const frame *f, const cn_path *path, vec2s half) {
    cn_vec2d o = point_in(f, path->origin), d = direction_in(f, path->direction);
    cn_vec2d h = half_in(f, cn_widen(half));
    int width = f->grid->width, height = f->grid->height;
    if (fabs(d.x) >= fabs(d.y))
        return (grid_path){o.x, o.y, d.x, d.y, h.x, h.y, width, height, 1, width};
    return (grid_path){o.y, o.x, d.y, d.x, h.y, h.x, height, width, width, 1};
}

typedef struct {
    double from, to; // distances along the path
} stretch;

// Returns the stretch of the path within a column. A path without motion is in its column all the
// time.
static stretch stretch_in(const grid_path *p, int column, double limit) {
    if (p->du == 0) return (stretch){0, limit};
    double a = (column - p->half_u - p->u) / p->du, b = (column + 1 + p->half_u - p->u) / p->du;
    return (stretch){cn_max2d(cn_min2d(a, b), 0), cn_min2d(cn_max2d(a, b), limit)};
}

// Calls `found` for the solid tiles of a column that the path passes. Returns the new limit.
static inline double walk_column(const frame *f, const grid_path *p, int column, stretch part,
                                 double limit, cn_query_callback *found, void *context) {
    double a = p->v + part.from * p->dv, b = p->v + part.to * p->dv;
    int first = cn_max_int(tile_at(cn_min2d(a, b) - p->half_v, p->end_v), 0);
    int last = cn_min_int(tile_at(cn_max2d(a, b) + p->half_v, p->end_v), p->end_v - 1);
    for (int row = first; row <= last && limit >= 0; row++) {
        int tile = column * p->step_u + row * p->step_v;
        if (f->grid->tiles[tile] != CN_TILE_EMPTY)
            limit = found(context, tile, part.from, cn_vec(0, 0));
    }
    return limit;
}

static inline double walk_grid(const frame *f, const cn_path *path, vec2s half, double limit,
                               cn_query_callback *found, void *context) {
    grid_path p = path_in(f, path, half);
    double end = p.u + limit * p.du;
    int low = cn_max_int(tile_at(cn_min2d(p.u, end) - p.half_u, p.end_u), 0);
    int high = cn_min_int(tile_at(cn_max2d(p.u, end) + p.half_u, p.end_u), p.end_u - 1);
    int step = p.du < 0 ? -1 : 1, column = p.du < 0 ? high : low;
    for (; column >= low && column <= high; column += step) {
        stretch part = stretch_in(&p, column, limit);
        if (limit < 0 || part.from > limit) break;
        if (part.from > part.to) continue;
        limit = walk_column(f, &p, column, part, limit, found, context);
    }
    return limit;
}

// Calls `visit` for the grids whose boxes a box with these half sizes hits on its path, the nearest
// first. The callback returns the new limit.
static void visit_grids(const cn_simulation *sim, vec2s half, const cn_path *path, double limit,
                        cn_query_callback *visit, void *context) {
    int only = cn_only_grid(sim);
    if (!cn_grid_tree(sim)) return;
    if (only >= 0) {
        visit(context, only, 0, cn_vec(0, 0));
        return;
    }
    cn_query_scene scene = grid_scene(sim);
    cn_path shorter = *path;
    shorter.length = limit;
    cn_query_kernels_of(sim)->sweep_box(&scene, half, &shorter, visit, context);
}

typedef struct {
    cn_search *search;
    const cn_path *path;
    vec2s half;
    double limit;
    cn_query_callback *found; // gets the solid tiles on the path
} box_on_path;

static double walk_found_grid(void *context, int grid, double distance, vec2s normal) {
    box_on_path *s = context;
    (void)distance, (void)normal;
    if (!enter_grid(s->search, grid)) return s->limit;
    const cn_simulation *sim = &s->search->world->sim;
    frame f = frame_of(sim, cn_grid_at(sim, grid));
    s->limit = walk_grid(&f, s->path, s->half, s->limit, s->found, s->search);
    return s->limit;
}

static void sweep_over_grids(cn_search *search, vec2s half, const cn_path *path, double limit,
                             cn_query_callback *found) {
    box_on_path s = {search, path, half, limit, found};
    visit_grids(&search->world->sim, half, path, limit, walk_found_grid, &s);
}

// The context of functions that test one tile with a kernel.
typedef struct {
    cn_search *search; // the context of `found`
    const cn_query_kernels *kernels;
    const cn_hull8 *pool;
    const cn_probe *probe;
    const cn_path *path;
    cn_vec2d center;
    double limit;
    cn_query_callback *found;
} tile_test;

static tile_test begin_tile_test(cn_search *search, const cn_probe *probe, double limit,
                                 cn_query_callback *found) {
    return (tile_test){.search = search,
                       .kernels = cn_query_kernels_of(&search->world->sim),
                       .pool = search->world->sim.hulls.hulls8,
                       .probe = probe,
                       .limit = limit,
                       .found = found};
}

static double cast_at_tile(void *context, int tile, double distance, vec2s normal) {
    tile_test *q = context;
    (void)distance, (void)normal;
    cn_vec2d center;
    cn_placed_hull hull = cn_found_hull(q->search, tile, &center);
    cn_path_hit hit = q->kernels->cast_at(&hull, center, q->pool, q->probe, q->path);
    if (hit.distance < 0 || hit.distance > q->limit) return q->limit;
    q->limit = q->found(q->search, tile, hit.distance, hit.normal);
    return q->limit;
}

static double cast_at_found_grid(void *context, int grid, double distance, vec2s normal) {
    tile_test *q = context;
    (void)distance, (void)normal;
    if (!enter_grid(q->search, grid)) return q->limit;
    const cn_simulation *sim = &q->search->world->sim;
    frame f = frame_of(sim, cn_grid_at(sim, grid));
    vec2s half = cn_vec(q->probe->half_width, q->probe->half_height);
    return walk_grid(&f, q->path, half, q->limit, cast_at_tile, q);
}

static void cast_at_grids(cn_search *search, const cn_probe *probe, const cn_path *path,
                          double limit, cn_query_callback *found) {
    const cn_simulation *sim = &search->world->sim;
    if (!cn_grid_tree(sim)) return;
    tile_test q = begin_tile_test(search, probe, limit, found);
    q.path = path;
    vec2s half = cn_vec(probe->half_width, probe->half_height);
    visit_grids(sim, half, path, limit, cast_at_found_grid, &q);
}

// ---- overlaps

// Loops over the solid tiles of a range: EACH_SOLID(tile, grid, range) { ... }
#define EACH_SOLID(tile, grid, range)                                                              \
    for (int tile##_y = (range).from_y; tile##_y <= (range).to_y; tile##_y++)                      \
        for (int tile = tile##_y * (grid)->width + (range).from_x,                                 \
                 tile##_end = tile##_y * (grid)->width + (range).to_x;                             \
             tile <= tile##_end; tile++)                                                           \
            if ((grid)->tiles[tile] != CN_TILE_EMPTY)

static void overlap_grids(cn_search *search, const cn_probe *probe, cn_vec2d center,
                          cn_query_callback *found) {
    const cn_simulation *sim = &search->world->sim;
    const cn_query_kernels *kernels = cn_query_kernels_of(sim);
    cn_vec2d half = {(double)probe->half_width, (double)probe->half_height};
    CN_EACH_GRID(i, cn_grids_near, sim, box_around(center, half)) {
        if (!enter_grid(search, i)) continue;
        frame f = frame_of(sim, cn_grid_at(sim, i));
        cn_tile_range range = range_of(f.grid, point_in(&f, center), half_in(&f, half));
        EACH_SOLID(tile, f.grid, range) {
            cn_vec2d at;
            cn_placed_hull hull = cn_found_hull(search, tile, &at);
            if (kernels->overlaps(&hull, at, sim->hulls.hulls8, probe, center))
                found(search, tile, 0, cn_vec(0, 0));
        }
    }
}

static void overlap_grid_boxes(cn_search *search, cn_bounds box, cn_query_callback *found) {
    cn_vec2d center = {((double)box.lower.x + (double)box.upper.x) / 2,
                       ((double)box.lower.y + (double)box.upper.y) / 2};
    cn_vec2d half = {center.x - (double)box.lower.x, center.y - (double)box.lower.y};
    const cn_simulation *sim = &search->world->sim;
    CN_EACH_GRID(i, cn_grids_near, sim, box) {
        if (!enter_grid(search, i)) continue;
        frame f = frame_of(sim, cn_grid_at(sim, i));
        cn_vec2d reach = half_in(&f, half);
        cn_vec2d wider = {reach.x + 1, reach.y + 1}; // the box of a rotated tile is larger
        cn_tile_range range = range_of(f.grid, point_in(&f, center), wider);
        EACH_SOLID(tile, f.grid, range) {
            cn_vec2d at;
            cn_placed_hull hull = cn_found_hull(search, tile, &at);
            if (cn_boxes_overlap(cn_placed_bounds(&hull, sim->hulls.hulls8), box))
                found(search, tile, 0, cn_vec(0, 0));
        }
    }
}

// ---- the nearest

static void measure_tile(tile_test *q, int tile) {
    cn_vec2d at;
    cn_placed_hull hull = cn_found_hull(q->search, tile, &at);
    double distance = q->kernels->distance_to(&hull, at, q->pool, q->probe, q->center);
    if (distance <= q->limit) q->limit = q->found(q->search, tile, distance, cn_vec(0, 0));
}

// Measures the tiles of the range that are in the grid.
static void measure_range(tile_test *q, const cn_tile_grid *grid, cn_tile_range r) {
    r = (cn_tile_range){cn_max_int(r.from_x, 0), cn_min_int(r.to_x, grid->width - 1),
                        cn_max_int(r.from_y, 0), cn_min_int(r.to_y, grid->height - 1)};
    EACH_SOLID(tile, grid, r) measure_tile(q, tile);
}

// Measures the tiles on the border of a range, which is more than one tile wide and high.
static void measure_ring(tile_test *q, const cn_tile_grid *grid, cn_tile_range r) {
    measure_range(q, grid, (cn_tile_range){r.from_x, r.to_x, r.from_y, r.from_y});
    measure_range(q, grid, (cn_tile_range){r.from_x, r.to_x, r.to_y, r.to_y});
    measure_range(q, grid, (cn_tile_range){r.from_x, r.from_x, r.from_y + 1, r.to_y - 1});
    measure_range(q, grid, (cn_tile_range){r.to_x, r.to_x, r.from_y + 1, r.to_y - 1});
}

static bool covers_grid(const cn_tile_grid *grid, cn_tile_range r) {
    return r.from_x <= 0 && r.from_y <= 0 && r.to_x >= grid->width - 1 &&
           r.to_y >= grid->height - 1;
}

// The range that the probe's box touches comes first. Ring i around it is at least i - 1 tiles
// away.
static void measure_rings(tile_test *q, const frame *f, cn_vec2d half) {
    const cn_tile_grid *grid = f->grid;
    cn_vec2d center = point_in(f, q->center);
    cn_tile_range inner = range_of(grid, center, half);
    measure_range(q, grid, inner);
    cn_tile_range r = {
        tile_at(center.x - half.x, grid->width), tile_at(center.x + half.x, grid->width),
        tile_at(center.y - half.y, grid->height), tile_at(center.y + half.y, grid->height)};
    for (int i = 1; !covers_grid(grid, r); i++) {
        if ((i - 1) * f->size > cn_max2d(q->limit, 0)) break;
        r = (cn_tile_range){r.from_x - 1, r.to_x + 1, r.from_y - 1, r.to_y + 1};
        measure_ring(q, grid, r);
    }
}

static double measure_found_grid(void *context, int grid, double distance, vec2s normal) {
    tile_test *q = context;
    (void)distance, (void)normal;
    if (enter_grid(q->search, grid)) {
        const cn_simulation *sim = &q->search->world->sim;
        frame f = frame_of(sim, cn_grid_at(sim, grid));
        vec2s half = cn_vec(q->probe->half_width, q->probe->half_height);
        measure_rings(q, &f, half_in(&f, cn_widen(half)));
    }
    return cn_max2d(q->limit, 0); // a tile in another box may overlap the probe more deeply
}

static void find_nearest(cn_search *search, const cn_probe *probe, cn_vec2d center, double limit,
                         cn_query_callback *found) {
    tile_test q = begin_tile_test(search, probe, limit, found);
    q.center = center;
    const cn_simulation *sim = &search->world->sim;
    if (!cn_grid_tree(sim)) return;
    cn_query_scene scene = grid_scene(sim);
    cn_query_kernels_of(sim)->near_boxes(&scene, probe, center, cn_max2d(limit, 0),
                                         measure_found_grid, &q);
}

// ---- for the part queries

static cn_side side_of(const cn_world *world, int index, int tile) {
    const cn_tile_grid *grid = cn_grid_at(&world->sim, index);
    return (cn_side){.body = cn_body_handle(world, grid->body),
                     .body_user_data = cn_user_data(&world->sim, CN_BODIES, grid->body),
                     .shape_user_data = grid->shape.user_data,
                     .grid = cn_grid_handle(world, index),
                     .tile = tile,
                     .segment = -1};
}

static cn_hull hull_of(const cn_simulation *sim, int grid, int tile) {
    return cn_tile_hull(cn_grid_at(sim, grid), tile);
}

static int body_of(const cn_simulation *sim, int grid) { return cn_grid_at(sim, grid)->body; }

static vec2s one_way_of(const cn_simulation *sim, int index, int tile) {
    const cn_tile_grid *grid = cn_grid_at(sim, index);
    return cn_tile_of(grid, tile).one_way ? grid->shape.one_way : cn_vec(0, 0);
}

static float surface_speed_of(const cn_simulation *sim, int index, int tile) {
    const cn_tile_grid *grid = cn_grid_at(sim, index);
    return cn_tile_material(grid, cn_tile_of(grid, tile).material)->surface_speed;
}

const cn_queried_grids cn_queried_tiles = {
    .cast = cast_at_grids,
    .sweep = sweep_over_grids,
    .overlap = overlap_grids,
    .overlap_boxes = overlap_grid_boxes,
    .nearest = find_nearest,
    .side = side_of,
    .place = place,
    .hull = hull_of,
    .body = body_of,
    .one_way = one_way_of,
    .surface_speed = surface_speed_of,
};
