/* Growth: queries in n shapes, and explosions. */
#include "cost.h"

#include <stdlib.h>

// ---- worlds

static void build_boxes(trial *t) {
    start_world(t, 10);
    add_spread(t, t->n, (cn_body_def){.type = t->type, .asleep = t->type == CN_DYNAMIC}, 3);
    t->results = calloc((size_t)t->n + 1, sizeof(cn_world_hit));
    must(t->results != NULL);
    take_steps(t, 2);
}

// All boxes lie on one line, one metre apart.
static void build_line(trial *t) {
    start_world(t, 0);
    for (int i = 0; i < t->n; i++)
        add_one(t, (cn_body_def){.type = CN_STATIC, .position = {{2 * (float)i, 0}}},
                (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    t->results = calloc((size_t)t->n + 1, sizeof(cn_world_hit));
    must(t->results != NULL);
    take_steps(t, 2);
}

static void build_sensors(trial *t) {
    start_world(t, 0);
    for (int i = 0; i < t->n; i++)
        add_one(t, (cn_body_def){.type = CN_STATIC, .position = place_of(i, 3)},
                (cn_shape_def){.hull = cn_box(0.5f, 0.5f), .sensor = true});
    take_steps(t, 2);
}

static void build_heap(trial *t) {
    start_world(t, 0);
    for (int i = 0; i < t->n; i++)
        add_one(t, (cn_body_def){.type = CN_STATIC, .position = {{noise(i), noise(-i)}}},
                (cn_shape_def){.hull = cn_circle(1)});
    t->results = calloc((size_t)t->n + 1, sizeof(cn_world_hit));
    must(t->results != NULL);
    take_steps(t, 2);
}

// A ring of boxes about the origin that grows with n.
static void build_ring(trial *t) {
    start_world(t, 0);
    for (int i = 0; i < t->n; i++) {
        cn_rotation turn = cn_rotation_of(6.2831853f * (float)i / (float)t->n);
        float radius = 0.3f * (float)t->n;
        add_one(t, (cn_body_def){.position = {{radius * turn.c, radius * turn.s}}},
                (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    }
    take_steps(t, 2);
}

// ---- queries that meet few shapes

static void cast_ray(trial *t, int i) {
    vec2s place = place_of(i, 3);
    must(cn_world_cast_ray(t->world, (vec2s){{place.x - 2, place.y}}, (vec2s){{3, 0}}, NULL).hit);
}

static void cast_hull(trial *t, int i) {
    vec2s place = place_of(i, 3);
    cn_hull ball = cn_circle(0.2f);
    cn_sweep sweep = {.start = cn_pose_at((vec2s){{place.x - 1.5f, place.y}}, 0),
                      .translation = {{3, 0}}};
    must(cn_world_cast_hull(t->world, ball, sweep, NULL).hit);
}

static void overlap(trial *t, int i) {
    cn_hull ball = cn_circle(0.6f);
    cn_side side;
    cn_pose pose = cn_pose_at(place_of(i, 3), 0);
    must(cn_world_overlap(t->world, ball, pose, NULL, &side, 1) == 1);
}

static void find_at(trial *t, int i) {
    cn_side side;
    must(cn_world_overlap_point(t->world, place_of(i, 3), NULL, &side, 1) == 1);
}

static void find_nearest(trial *t, int i) {
    const cn_hull dot = cn_circle(0);
    must(cn_world_nearest(t->world, dot, cn_pose_at(place_of(i, 3), 0), 1e6f, NULL).found);
}

static void move_hull(trial *t, int i) {
    vec2s place = place_of(i, 3);
    cn_hull ball = cn_circle(0.2f);
    cn_pose pose = cn_pose_at((vec2s){{place.x, place.y + 0.8f}}, 0);
    must(cn_world_move_hull(t->world, ball, pose, (vec2s){{0.1f, -0.2f}}, NULL).grounded);
}

// ---- one query

static void cast_through_line(trial *t) {
    int count = cn_world_cast_ray_all(t->world, (vec2s){{-2, 0}}, (vec2s){{2 * (float)t->n + 2, 0}},
                                      NULL, t->results, t->n);
    must(count == t->n);
}

static void cast_at_line(trial *t) {
    for (int i = 0; i < 10; i++)
        must(cn_world_cast_ray(t->world, (vec2s){{-2, 0}}, (vec2s){{2 * (float)t->n + 2, 0}}, NULL)
                 .hit);
}

static void cast_beside_sensors(trial *t) {
    for (int i = 0; i < 10; i++)
        must(!cn_world_cast_ray(t->world, (vec2s){{-2, 0}}, (vec2s){{6, 6}}, NULL).hit);
}

static void find_all_in_heap(trial *t) {
    must(cn_world_overlap_point(t->world, (vec2s){{0.5f, 0.5f}}, NULL, t->results, t->n) >
         t->n / 2);
}

static void find_nearest_in_heap(trial *t) {
    const cn_hull dot = cn_circle(0);
    must(cn_world_nearest(t->world, dot, cn_pose_at((vec2s){{0.5f, 0.5f}}, 0), 1, NULL).found);
}

static void cast_many(trial *t) {
    cn_ray *rays = calloc((size_t)t->n, sizeof *rays);
    must(rays != NULL);
    for (int i = 0; i < t->n; i++) {
        vec2s place = place_of(i, 3);
        rays[i] = (cn_ray){{{place.x - 2, place.y}}, {{3, 0}}};
    }
    must(cn_world_cast_rays(t->world, rays, t->n, NULL, t->results));
    free(rays);
}

// ---- outlines

static void start(trial *t) { start_world(t, 0); }

// A comb of n teeth of different heights, with 4 points each.
static void decompose(trial *t) {
    vec2s *points = calloc((size_t)t->n * 4, sizeof *points);
    cn_hull *hulls = calloc((size_t)t->n * 4, sizeof *hulls);
    must(points && hulls);
    for (int i = 0; i < t->n; i++) {
        float x = 2 * (float)i, height = 2 + noise(i);
        const vec2s tooth[] = {{{x, 1}}, {{x, height}}, {{x + 1, height}}, {{x + 1, 1}}};
        for (int k = 0; k < 4; k++) points[4 * i + k] = tooth[k];
    }
    points[0].y = 0, points[4 * t->n - 1].y = 0;
    must(cn_outline_decompose(&(cn_outline){points, 4 * t->n}, 1, 0, hulls, 4 * t->n) > t->n);
    free(points);
    free(hulls);
}

// ---- explosions

static void explode_all(trial *t, bool blocked) {
    float reach = (float)t->n;
    must(cn_world_explode(t->world, &(cn_explosion){.falloff = reach,
                                                    .impulse_per_length = 1,
                                                    .blocked = blocked}) == t->n);
    take_steps(t, 1);
}

static void explode(trial *t) { explode_all(t, false); }
static void explode_blocked(trial *t) { explode_all(t, true); }

static void explode_few(trial *t) {
    for (int i = 0; i < 10; i++)
        must(cn_world_explode(t->world, &(cn_explosion){.falloff = 4, .impulse_per_length = 1}) >
             0);
}

const cost_case query_cases[] = {
    {"rays", 300, build_boxes, .act = cast_ray},
    {"casts", 200, build_boxes, .act = cast_hull},
    {"overlaps", 200, build_boxes, .act = overlap, .type = CN_STATIC},
    {"points", 300, build_boxes, .act = find_at},
    {"nearest", 200, build_boxes, .act = find_nearest, .type = CN_STATIC},
    {"moves", 200, build_boxes, .act = move_hull, .type = CN_STATIC},
    {"rays-in-one-call", 300, build_boxes, .work = cast_many},
    {"ray-through-all", 500, build_line, .work = cast_through_line},
    {"ray-at-first-of-all", 500, build_line, .work = cast_at_line},
    {"ray-beside-sensors", 500, build_sensors, .work = cast_beside_sensors},
    {"points-in-heap", 500, build_heap, .work = find_all_in_heap},
    {"nearest-in-heap", 500, build_heap, .work = find_nearest_in_heap},
    {"decompose", 60, start, .work = decompose},
    {"explode-all", 500, build_ring, .work = explode},
    {"explode-all-blocked", 200, build_ring, .work = explode_blocked},
    {"explode-few", 500, build_boxes, .work = explode_few},
    {0},
};
