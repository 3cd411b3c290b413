/* Makes a batch of queries and runs it in Cairn. See queries.h. */
#include "queries.h"
#include "scene.h"

#include <stdlib.h>

enum { SEED = 5, MAX_TRIES = 1000 };

// ------------------------------------------------------------------------------------------ making

static cn_hull hull_of(const query_plan *plan) {
    if (plan->half_height == 0) return cn_circle(plan->half_width);
    return cn_box(plan->half_width, plan->half_height);
}

static bool is_free(const cn_world *world, const query_batch *batch, const query *q) {
    float clearance = batch->plan->clearance;
    return clearance == 0 || !cn_world_nearest(world, batch->hull, q->pose, clearance, NULL).found;
}

static query make_query(const query_plan *plan, scene_random *random) {
    cn_bounds area = plan->area;
    float x = scene_random_range(random, area.lower.x, area.upper.x);
    float y = scene_random_range(random, area.lower.y, area.upper.y);
    float angle = scene_random_range(random, -3.14f, 3.14f);
    cn_rotation to = cn_rotation_of(scene_random_range(random, -3.14f, 3.14f));
    float length = scene_random_range(random, 0.1f * plan->reach, plan->reach);
    return (query){.origin = {{x, y}},
                   .translation = {{length * to.c, length * to.s}},
                   .pose = cn_pose_at((vec2s){{x, y}}, angle),
                   .turn = scene_random_range(random, -plan->turn, plan->turn)};
}

static bool fill(query_batch *batch, const cn_world *world) {
    scene_random random = {SEED};
    for (int i = 0; i < batch->plan->count; i++) {
        query *q = &batch->items[i];
        int tries = 0;
        do {
            if (tries++ == MAX_TRIES) return false;
            *q = make_query(batch->plan, &random);
        } while (!is_free(world, batch, q));
        batch->rays[i] = (cn_ray){q->origin, q->translation};
    }
    return true;
}

bool query_make(query_batch *batch, const query_plan *plan, const cn_world *world) {
    size_t count = (size_t)plan->count;
    *batch = (query_batch){.plan = plan,
                           .hull = hull_of(plan),
                           .items = calloc(count, sizeof *batch->items),
                           .rays = calloc(count, sizeof *batch->rays),
                           .hits = calloc(count, sizeof *batch->hits)};
    if (batch->items && batch->rays && batch->hits && fill(batch, world)) return true;
    query_free(batch);
    return false;
}

void query_free(query_batch *batch) {
    free(batch->items);
    free(batch->rays);
    free(batch->hits);
    *batch = (query_batch){0};
}

// ----------------------------------------------------------------------------------------- running

static void add_hit(query_result *result, const cn_world_hit *hit) {
    if (hit->hit) query_add(result, (double)hit->fraction);
}

static void run_ray(const cn_world *world, const query_batch *b, const query *q,
                    query_result *result) {
    (void)b;
    cn_world_hit hit = cn_world_cast_ray(world, q->origin, q->translation, NULL);
    add_hit(result, &hit);
}

static void run_ray_any(const cn_world *world, const query_batch *b, const query *q,
                        query_result *result) {
    (void)b;
    const cn_query any = {.any = true};
    result->count += cn_world_cast_ray(world, q->origin, q->translation, &any).hit;
}

static void run_ray_all(const cn_world *world, const query_batch *b, const query *q,
                        query_result *result) {
    (void)b;
    cn_world_hit hits[QUERY_MAX_RESULTS];
    int count =
        cn_world_cast_ray_all(world, q->origin, q->translation, NULL, hits, QUERY_MAX_RESULTS);
    for (int i = 0; i < count && i < QUERY_MAX_RESULTS; i++) add_hit(result, &hits[i]);
}

static void run_bounds(const cn_world *world, const query_batch *b, const query *q,
                       query_result *result) {
    cn_side sides[QUERY_MAX_RESULTS];
    cn_bounds box = cn_hull_bounds(b->hull, q->pose);
    result->count += (uint64_t)cn_world_overlap_bounds(world, box, NULL, sides, QUERY_MAX_RESULTS);
}

static void run_overlap(const cn_world *world, const query_batch *b, const query *q,
                        query_result *result) {
    cn_side sides[QUERY_MAX_RESULTS];
    result->count +=
        (uint64_t)cn_world_overlap(world, b->hull, q->pose, NULL, sides, QUERY_MAX_RESULTS);
}

static void run_cast(const cn_world *world, const query_batch *b, const query *q,
                     query_result *result) {
    cn_sweep sweep = {.start = q->pose, .translation = q->translation, .turn = q->turn};
    cn_world_hit hit = cn_world_cast_hull(world, b->hull, sweep, NULL);
    add_hit(result, &hit);
}

static void run_nearest(const cn_world *world, const query_batch *b, const query *q,
                        query_result *result) {
    cn_neighbor neighbor = cn_world_nearest(world, b->hull, q->pose, b->plan->reach, NULL);
    if (neighbor.found) query_add(result, (double)neighbor.gap.distance);
}

static query_result run_rays(const cn_world *world, const query_batch *b) {
    query_result result = {0};
    int count = b->plan->count;
    if (!cn_world_cast_rays(world, b->rays, count, NULL, b->hits)) return result;
    for (int i = 0; i < count; i++) add_hit(&result, &b->hits[i]);
    return result;
}

query_result query_run(const cn_world *world, const query_batch *b) {
    static void (*const runners[])(const cn_world *, const query_batch *, const query *,
                                   query_result *) = {
        [QUERY_RAY] = run_ray,         [QUERY_RAY_ANY] = run_ray_any, [QUERY_RAY_ALL] = run_ray_all,
        [QUERY_BOUNDS] = run_bounds,   [QUERY_OVERLAP] = run_overlap, [QUERY_CAST] = run_cast,
        [QUERY_NEAREST] = run_nearest,
    };
    if (b->plan->type == QUERY_RAYS) return run_rays(world, b);
    query_result result = {0};
    for (int i = 0; i < b->plan->count; i++)
        runners[b->plan->type](world, b, &b->items[i], &result);
    return result;
}
