/* Lists of results: all hits of a ray, and all shapes that overlap a hull, a box or a point.
 *
 * Queries allocate no memory, so results are collected in the caller's array, in a short form.
 * Several short results fit in the place of one final result. When the array is full of short
 * results they are sorted, and those beyond the capacity are dropped. In the end they are written
 * out in their final form, from the last one to the first:
 *
 *      memory    [r0 r1 r2 r3 r4 .                       ]     short results
 *      finally   [ r0's hit | r1's hit | r2's hit | ...  ]     hits or sides, which are longer */
#include "queries.h"

#include <limits.h>

// The short results are keys (for overlaps) or cn_results (for rays).
typedef struct {
    cn_search search;
    double limit; // the greatest distance of a result
    void *memory;
    int capacity;       // size of the caller's array, in final results
    int short_capacity; // size of the same array, in short results
    int kept, count;
} list;

static bool begin_list(list *l, const cn_world *world, const cn_query *query, void *memory,
                       int capacity) {
    *l = (list){.memory = memory, .capacity = capacity};
    return cn_require_capacity(memory, capacity) &&
           cn_begin_search(&l->search, world, query, false);
}

// ---- places

enum {
    FEW = 48, // up to this count, insertion sort is faster
    KEYS_EACH = sizeof(cn_side) / (2 * sizeof(uint64_t)), // half of the array is for the sort
    RESULTS_EACH = sizeof(cn_world_hit) / sizeof(cn_result),
};

static int short_capacity_for(int capacity, int each) {
    return each * cn_min_int(capacity, INT_MAX / each);
}

static void sort_keys(list *l) {
    uint64_t *keys = l->memory;
    if (l->kept > FEW) {
        cn_sort_keys(keys, keys + l->short_capacity, l->kept, 0);
        return;
    }
    for (int i = 1; i < l->kept; i++) {
        uint64_t key = keys[i];
        int k = i;
        for (; k > 0 && keys[k - 1] > key; k--) keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

static double add_key(void *context, int id, double distance, vec2s normal) {
    list *l = context;
    (void)distance, (void)normal;
    if (!cn_sees(&l->search, id)) return 0;
    l->count++;
    if (l->capacity == 0) return 0;
    if (l->kept == l->short_capacity) sort_keys(l), l->kept = l->capacity;
    ((uint64_t *)l->memory)[l->kept++] = cn_result_key(&l->search, id);
    return 0;
}

// Goes from the last side to the first, so that each key is read before a side overwrites it.
static int write_sides(list *l, cn_side *sides) {
    sort_keys(l);
    for (int i = cn_min_int(l->kept, l->capacity) - 1; i >= 0; i--)
        sides[i] = cn_side_of_key(l->search.world, ((uint64_t *)l->memory)[i]);
    return l->count;
}

// ---- results

// Shell sort, because it needs no memory, and most rays hit few shapes.
static void sort_results(list *l) {
    cn_result *results = l->memory;
    for (int gap = l->kept / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int i = gap; i < l->kept; i++) {
            cn_result result = results[i];
            int k = i;
            for (; k >= gap && cn_is_before(&result, &results[k - gap]); k -= gap)
                results[k] = results[k - gap];
            results[k] = result;
        }
}

static double add_result(void *context, int id, double distance, vec2s normal) {
    list *l = context;
    if (!cn_sees(&l->search, id)) return l->limit;
    l->count++;
    if (l->capacity == 0) return l->limit;
    if (l->kept == l->short_capacity) sort_results(l), l->kept = l->capacity;
    ((cn_result *)l->memory)[l->kept++] =
        (cn_result){distance, cn_result_key(&l->search, id), normal};
    return l->limit;
}

// ---- rays

int cn_world_cast_ray_all(const cn_world *world, vec2s origin, vec2s translation,
                          const cn_query *query, cn_world_hit *hits, int capacity) {
    list l;
    if (!cn_check_world(world, __func__)) return 0;
    if (!CN_CHECK(cn_require_ray(origin, translation) &&
                  begin_list(&l, world, query, hits, capacity)))
        return 0;
    const cn_ray ray = {origin, translation};
    cn_path path = cn_path_of_ray(ray);
    l.short_capacity = short_capacity_for(capacity, RESULTS_EACH), l.limit = path.length;
    l.search.casts = true, l.search.start = path.origin;
    cn_query_scene scene = cn_query_scene_of(world);
    cn_query_kernels_of(&world->sim)->cast(&scene, &cn_point_probe, &path, add_result, &l);
    if (cn_has_grids(&l.search))
        cn_grids_in_queries->cast(&l.search, &cn_point_probe, &path, path.length, add_result);
    sort_results(&l);
    for (int i = cn_min_int(l.kept, capacity) - 1; i >= 0; i--) {
        cn_result result = ((cn_result *)l.memory)[i];
        hits[i] = cn_hit_of(&l.search, &result, &ray, &path);
    }
    return l.count;
}

// ---- overlaps

static int overlap_probe(list *l, const cn_probe *probe, cn_vec2d center, cn_side *sides) {
    cn_query_scene scene = cn_query_scene_of(l->search.world);
    l->short_capacity = short_capacity_for(l->capacity, KEYS_EACH);
    cn_query_kernels_of(&l->search.world->sim)->overlap(&scene, probe, center, add_key, l);
    if (cn_has_grids(&l->search)) cn_grids_in_queries->overlap(&l->search, probe, center, add_key);
    return write_sides(l, sides);
}

int cn_world_overlap(const cn_world *world, cn_hull hull, cn_pose pose, const cn_query *query,
                     cn_side *sides, int capacity) {
    list l;
    if (!cn_check_world(world, __func__)) return 0;
    if (!CN_CHECK(cn_hull_check(&hull) && cn_require_pose(pose) &&
                  cn_require2("position", pose.position, CN_MAX_COORDINATE) &&
                  begin_list(&l, world, query, sides, capacity)))
        return 0;
    cn_vec2d center;
    cn_probe probe = cn_probe_of(&hull, cn_given_pose(pose), &center);
    return overlap_probe(&l, &probe, center, sides);
}

int cn_world_overlap_point(const cn_world *world, vec2s point, const cn_query *query,
                           cn_side *sides, int capacity) {
    list l;
    if (!cn_check_world(world, __func__)) return 0;
    if (!CN_CHECK(cn_require2("point", point, CN_MAX_COORDINATE) &&
                  begin_list(&l, world, query, sides, capacity)))
        return 0;
    return overlap_probe(&l, &cn_point_probe, cn_widen(point), sides);
}

static bool require_bounds(cn_bounds bounds) {
    return cn_bounds_check(bounds) &&
           cn_require2("lower corner", bounds.lower, CN_MAX_COORDINATE) &&
           cn_require2("upper corner", bounds.upper, CN_MAX_COORDINATE);
}

int cn_world_overlap_bounds(const cn_world *world, cn_bounds bounds, const cn_query *query,
                            cn_side *sides, int capacity) {
    list l;
    if (!cn_check_world(world, __func__)) return 0;
    if (!CN_CHECK(require_bounds(bounds) && begin_list(&l, world, query, sides, capacity)))
        return 0;
    cn_query_scene scene = cn_query_scene_of(world);
    l.short_capacity = short_capacity_for(capacity, KEYS_EACH);
    cn_query_kernels_of(&world->sim)->overlap_box(&scene, bounds, add_key, &l);
    if (cn_has_grids(&l.search)) cn_grids_in_queries->overlap_boxes(&l.search, bounds, add_key);
    return write_sides(&l, sides);
}
