/* Lists of results: all that a ray hits, all that overlaps a hull, a box or a point.
 *
 * Queries allocate nothing, so the results wait in the caller's own array, short ones in place of the long
 * ones that are asked for, and are written out at the end, from the last one on. If there are more than
 * fit they are kept as a heap with the last of them on top, which the next better one replaces:
 *
 *      memory    [r0 r1 r2 r3 r4 .                       ]     results, 24 bytes each
 *      at last   [ r0's hit | r1's hit | r2's hit | ...  ]     hits or sides, longer each                */
#include "world.h"

typedef struct {
    cn_search search;
    char *memory; // room for `capacity` results, at the front of the caller's array
    int capacity, count;
    double limit; // how far results are of interest
    bool is_heap;
} list;

static_assert(sizeof(cn_result) <= sizeof(cn_side) && sizeof(cn_result) <= sizeof(cn_world_hit),
              "results fit where they are written out");

static cn_result get(const list *l, int i) {
    cn_result result;
    memcpy(&result, l->memory + (size_t)i * sizeof result, sizeof result);
    return result;
}

static void put(list *l, int i, cn_result result) {
    memcpy(l->memory + (size_t)i * sizeof result, &result, sizeof result);
}

// ---- order

// Of a heap of so many, lets a result sink from place i to where it belongs.
static void sink(list *l, int i, int count, cn_result result) {
    for (int child; (child = 2 * i + 1) < count; i = child) {
        cn_result larger = get(l, child);
        if (child + 1 < count) {
            cn_result other = get(l, child + 1);
            if (cn_comes_before(&larger, &other)) larger = other, child++;
        }
        if (!cn_comes_before(&result, &larger)) break;
        put(l, i, larger);
    }
    put(l, i, result);
}

static void make_heap(list *l, int count) {
    for (int i = count / 2 - 1; i >= 0; i--) sink(l, i, count, get(l, i));
    l->is_heap = true;
}

static void insert_in_order(list *l, int count) {
    for (int i = 1; i < count; i++) {
        cn_result result = get(l, i);
        int k = i;
        for (; k > 0; k--) {
            cn_result before = get(l, k - 1);
            if (!cn_comes_before(&result, &before)) break;
            put(l, k, before);
        }
        put(l, k, result);
    }
}

static void sort(list *l, int count) {
    enum { FEW = 24 };
    if (count <= FEW && !l->is_heap) {
        insert_in_order(l, count);
        return;
    }
    if (!l->is_heap) make_heap(l, count);
    for (int end = count - 1; end > 0; end--) {
        cn_result last = get(l, end);
        put(l, end, get(l, 0));
        sink(l, 0, end, last);
    }
}

// ---- collecting

static void replace_last(list *l, cn_result result) {
    if (!l->is_heap) make_heap(l, l->capacity);
    cn_result last = get(l, 0);
    if (cn_comes_before(&result, &last)) sink(l, 0, l->capacity, result);
}

static double add_result(void *context, int id, double distance, vec2s normal) {
    list *l = context;
    if (!cn_sees(&l->search, id)) return l->limit;
    cn_result result = {distance, cn_place_of(&l->search, id), normal};
    if (l->count < l->capacity)
        put(l, l->count, result);
    else if (l->capacity > 0)
        replace_last(l, result);
    l->count++;
    return l->limit;
}

static bool begin_list(list *l, const cn_world *world, const cn_query *query, void *memory,
                       int capacity) {
    *l = (list){.memory = memory, .capacity = capacity};
    return cn_require_room(memory, capacity) && cn_begin_search(&l->search, world, query, false);
}

// Sorted; returns how many are to be written out.
static int end_list(list *l) {
    int written = cn_min_int(l->count, l->capacity);
    sort(l, written);
    return written;
}

static int write_sides(list *l, cn_side *sides) {
    for (int i = end_list(l) - 1; i >= 0; i--)
        sides[i] = cn_side_at(l->search.world, get(l, i).place);
    return l->count;
}

// ---- rays

int cn_world_cast_ray_all(const cn_world *world, vec2s origin, vec2s translation,
                          const cn_query *query, cn_world_hit *hits, int capacity) {
    list l;
    CN_READ_WORLD(
        cn_require_ray(origin, translation) && begin_list(&l, world, query, hits, capacity), 0);
    const cn_ray ray = {origin, translation};
    cn_path path = cn_path_of_ray(ray);
    l.limit = path.length, l.search.casts = true, l.search.start = path.origin;
    cn_scene scene = cn_scene_of(world);
    sim->kernels->queries->cast(&scene, &cn_point_probe, &path, add_result, &l);
    cn_cast_at_grids(&l.search, &cn_point_probe, &path, path.length, add_result);
    for (int i = end_list(&l) - 1; i >= 0; i--) {
        cn_result result = get(&l, i);
        hits[i] = cn_hit_of(&l.search, &result, &ray, &path);
    }
    return l.count;
}

// ---- overlaps

static int overlap_probe(list *l, const cn_probe *probe, cn_vec2d center, cn_side *sides) {
    cn_scene scene = cn_scene_of(l->search.world);
    l->search.world->sim.kernels->queries->overlap(&scene, probe, center, add_result, l);
    cn_overlap_grids(&l->search, probe, center, add_result);
    return write_sides(l, sides);
}

int cn_world_overlap(const cn_world *world, const cn_hull *hull, cn_pose pose,
                     const cn_query *query, cn_side *sides, int capacity) {
    list l;
    CN_READ_WORLD(cn_require_pointer("hull", hull) && cn_hull_check(hull) &&
                      cn_require_pose(pose) &&
                      cn_require2("position", pose.position, CN_FARTHEST) &&
                      begin_list(&l, world, query, sides, capacity),
                  0);
    cn_vec2d center;
    cn_probe probe = cn_probe_of(hull, pose, &center);
    return overlap_probe(&l, &probe, center, sides);
}

int cn_world_at(const cn_world *world, vec2s point, const cn_query *query, cn_side *sides,
                int capacity) {
    list l;
    CN_READ_WORLD(cn_require2("point", point, CN_FARTHEST) &&
                      begin_list(&l, world, query, sides, capacity),
                  0);
    return overlap_probe(&l, &cn_point_probe, cn_widen(point), sides);
}

static bool require_bounds(cn_bounds bounds) {
    return cn_require2("lower corner", bounds.lower, CN_FARTHEST) &&
           cn_require2("upper corner", bounds.upper, CN_FARTHEST) &&
           ((bounds.lower.x <= bounds.upper.x && bounds.lower.y <= bounds.upper.y) ||
            cn_fail(CN_ERROR_RANGE, "the box from (%g, %g) to (%g, %g) has lower above upper",
                    (double)bounds.lower.x, (double)bounds.lower.y, (double)bounds.upper.x,
                    (double)bounds.upper.y));
}

int cn_world_overlap_bounds(const cn_world *world, cn_bounds bounds, const cn_query *query,
                            cn_side *sides, int capacity) {
    list l;
    CN_READ_WORLD(require_bounds(bounds) && begin_list(&l, world, query, sides, capacity), 0);
    cn_scene scene = cn_scene_of(world);
    sim->kernels->queries->overlap_box(&scene, bounds, add_result, &l);
    cn_overlap_grid_boxes(&l.search, bounds, add_result);
    return write_sides(&l, sides);
}
