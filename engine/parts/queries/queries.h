/* queries: rays, casts, overlaps, and what is near.
 *
 *   probe.h        the hull of a query, and the searches that the trees answer
 *   probe.c        makes the hull
 *   hull_sum.h     a moving hull against another, as a point against their sum (inline)
 *   tree_query.c   casts, overlaps and the nearest hull; compiled once per SIMD width
 *   query.c        the first hit of a ray or hull, the nearest shape
 *   query_list.c   all hits of a ray, all overlaps
 *   query_rays.c   many rays in one call
 */
#ifndef CN_QUERIES_H
#define CN_QUERIES_H

#include "../../core/world/world.h"
#include "../parts.h"
#include "probe.h"

// Data of a world.
typedef struct {
    atomic_bool team_is_taken; // a call of cn_world_cast_rays() uses the threads
} cn_query_data;

// Returns the kernels for the lanes of the simulation.
const cn_query_kernels *cn_query_kernels_of(const cn_simulation *sim);

/* A running query and what it sees. Kernels and walks through grids pass an id to it: a shape or,
 * while `grid` is not negative, a tile of that grid. Every type of search has a cn_search as its
 * first member, so that the search can be the context of a cn_query_callback function. */
typedef struct {
    const cn_world *world;
    const cn_query *query;
    int ignored;    // a body that the query does not see; -1: none
    bool sees_all;  // no shape needs a check
    bool any;       // the query stops at the first result found
    bool casts;     // a cast: a chain segment stops it only if `start` is on its open side
    cn_vec2d start; // start of the ray, or of the middle of the hull
    int grid;       // -1: ids are shapes
} cn_search;

// Records an error and returns false if the query is not valid. A query of NULL is the same as a
// query of all zeros. Pass may_stop = false for a search that needs all results, or the nearest.
bool cn_begin_search(cn_search *search, const cn_world *world, const cn_query *query,
                     bool may_stop);
bool cn_sees(const cn_search *search, int id);
// True if a query accepts the filter of a shape. Zeros of the query restrict nothing.
bool cn_filter_sees(const cn_query *query, const cn_filter *shape);
// Returns the hull of a shape or tile. Its rotation is in its pose; `center` is its exact position.
cn_placed_hull cn_found_hull(const cn_search *search, int id, cn_vec2d *center);
// Returns the same hull as a sweep without motion.
cn_swept_hull cn_still_hull(const cn_search *search, int id);
cn_query_scene cn_query_scene_of(const cn_world *world);

// A result in its short form. Results are in the order of distance (for casts with a turn: of
// fraction), then of keys.
typedef struct {
    double distance;
    uint64_t key; // a shape; or a tile: CN_TILE_KEY | grid << 32 | tile
    vec2s normal;
} cn_result;
#define CN_TILE_KEY ((uint64_t)1 << 63)
#define CN_NO_KEY   UINT64_MAX
// Returns the grid of the key of a tile.
static inline int cn_grid_of_key(uint64_t key) { return (int)((key ^ CN_TILE_KEY) >> 32); }

static inline bool cn_is_before(const cn_result *a, const cn_result *b) {
    return a->distance != b->distance ? a->distance < b->distance : a->key < b->key;
}
uint64_t cn_result_key(const cn_search *search, int id);
// Sets the search to the grid of a key, or to shapes, for cn_found_hull(). Returns the id.
int cn_enter_key(cn_search *search, uint64_t key);
cn_side cn_side_of_key(const cn_world *world, uint64_t key);

// A search for the first result in this order.
typedef struct {
    cn_search search;
    cn_result best; // starts as the greatest distance and CN_NO_KEY
} cn_nearest_search;
cn_query_callback cn_keep_nearest; // with a cn_nearest_search

// Rays.
bool cn_require_ray(vec2s origin, vec2s translation);
cn_path cn_path_of_ray(cn_ray ray);
cn_nearest_search cn_ray_search(const cn_search *search, const cn_path *path);
// Continues the search in the grids of tiles, unless it may stop and has a result.
void cn_search_tiles(cn_nearest_search *s, const cn_probe *probe, const cn_path *path);
// Returns the hit of a result. A result with CN_NO_KEY gives no hit.
cn_world_hit cn_hit_of(const cn_search *search, const cn_result *result, const cn_ray *ray,
                       const cn_path *path);

/* Grids of tiles, as the part tiles answers queries. These functions call `found` for solid tiles,
 * as the kernels do for shapes. */
typedef struct cn_queried_grids {
    void (*cast)(cn_search *search, const cn_probe *probe, const cn_path *path, double limit,
                 cn_query_callback *found);
    void (*sweep)(cn_search *search, vec2s half, const cn_path *path, double limit,
                  cn_query_callback *found);
    void (*overlap)(cn_search *search, const cn_probe *probe, cn_vec2d center,
                    cn_query_callback *found);
    void (*overlap_boxes)(cn_search *search, cn_bounds box, cn_query_callback *found);
    void (*nearest)(cn_search *search, const cn_probe *probe, cn_vec2d center, double limit,
                    cn_query_callback *found);
    cn_side (*side)(const cn_world *world, int grid, int tile);
    // The hull of a tile: as cn_found_hull() returns it, and in the frame of its body.
    cn_placed_hull (*place)(const cn_simulation *sim, int grid, int tile, cn_vec2d *center);
    cn_hull (*hull)(const cn_simulation *sim, int grid, int tile);
    int (*body)(const cn_simulation *sim, int grid);
    vec2s (*one_way)(const cn_simulation *sim, int grid, int tile); // zero: solid from all sides
    float (*surface_speed)(const cn_simulation *sim, int grid, int tile);
} cn_queried_grids;
extern const cn_queried_grids *const cn_grids_in_queries; // NULL: the part tiles is not built in

// True if there are grids to search.
static inline bool cn_has_grids(const cn_search *search) {
    return cn_grids_in_queries && search->world->sim.slots[CN_GRIDS].count > 0;
}

#endif
