/* Growth: grids of tiles, and chains. */
#include "cost.h"

#include <stdlib.h>
#include <string.h>

enum { WORLD_HEIGHT = 16, CHUNK = 8, WALKERS = 100 };

// ---- worlds

// Solid in the lower half.
static void add_grid(trial *t, cn_body body, int width, int height, vec2s origin) {
    size_t count = (size_t)width * (size_t)height;
    uint8_t *solid = calloc(count, 1);
    must(solid != NULL);
    memset(solid, 1, count / 2);
    t->tiles = cn_grid_create(
        t->world, body,
        &(cn_grid_def){
            .solid = solid, .width = width, .height = height, .tile_size = 1, .origin = origin});
    free(solid);
    must(t->tiles.id != 0);
}

static void add_holder(trial *t) {
    t->hub = cn_body_create(t->world, &(cn_body_def){.type = CN_STATIC});
    must(t->hub.id != 0);
}

// A row of grids of 8 x 8 tiles, as worlds that are made of chunks. Their surface is at y = 4.
static void add_chunk(trial *t, int i) {
    add_grid(t, t->hub, CHUNK, CHUNK, (vec2s){{(float)(CHUNK * i), 0}});
}

static void add_chunk_with_body(trial *t, int i) {
    cn_body body = add_body(t, (cn_body_def){.type = CN_STATIC});
    add_grid(t, body, CHUNK, CHUNK, (vec2s){{(float)(CHUNK * i), 0}});
}

static void start(trial *t) {
    start_world(t, 10);
    add_holder(t);
}

static void build_chunks(trial *t) {
    start(t);
    for (int i = 0; i < t->n; i++) add_chunk_with_body(t, i);
    take_steps(t, 2);
}

// A hundred boxes that never sleep, far from n chunks.
static void build_far_chunks(trial *t) {
    start(t);
    add_spread(t, WALKERS, (cn_body_def){.position = {{-5000, 0}}, .no_sleep = true}, 3);
    for (int i = 0; i < t->n; i++) add_chunk(t, i);
    take_steps(t, 2);
}

static void build_sleepers_on_chunks(trial *t) {
    build_chunks(t);
    for (int i = 0; i < t->n; i++)
        add_one(t, (cn_body_def){.position = {{(float)(CHUNK * i) + 4, 4.5f}}, .asleep = true},
                (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    take_steps(t, 2);
}

static void add_walkers(trial *t, float spacing) {
    for (int i = 0; i < t->n; i++)
        add_one(t, (cn_body_def){.position = {{spacing * (float)i + 4, 4.5f}}, .no_sleep = true},
                (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    take_steps(t, 4);
}

// A box on each chunk.
static void build_walkers_on_chunks(trial *t) {
    build_chunks(t);
    add_walkers(t, CHUNK);
}

// n boxes on one grid of fixed size.
static void build_walkers_on_grid(trial *t) {
    start(t);
    add_grid(t, t->hub, 3000, CHUNK, (vec2s){{0, 0}});
    add_walkers(t, 2);
}

// One box on a grid of n x 64 tiles.
static void build_one_on_grid(trial *t) {
    start(t);
    add_grid(t, t->hub, t->n, 64, (vec2s){{0, -28}});
    add_one(t, (cn_body_def){.position = {{10, 4.5f}}, .no_sleep = true},
            (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    take_steps(t, 4);
}

// n grids that overlap, and one box on them.
static void build_grid_heap(trial *t) {
    start(t);
    for (int i = 0; i < t->n; i++) add_grid(t, t->hub, CHUNK, CHUNK, (vec2s){{0, 0}});
    add_one(t, (cn_body_def){.position = {{4, 4.5f}}, .no_sleep = true},
            (cn_shape_def){.hull = cn_box(0.5f, 0.5f)});
    take_steps(t, 4);
}

// A sensor over a grid of n x 16 tiles gives shapes to all of them.
static void build_grid_in_sensor(trial *t) {
    start(t);
    add_grid(t, t->hub, t->n, WORLD_HEIGHT, (vec2s){{0, 0}});
    add_one(t, (cn_body_def){.type = CN_STATIC},
            (cn_shape_def){.hull = cn_box(4000, 20), .sensor = true});
    take_steps(t, 4);
}

// ---- calls

static void destroy_chunk(trial *t, int i) { must(cn_body_destroy(t->world, t->bodies[i])); }

static void toggle_chunk(trial *t, int i) {
    must(cn_body_set_disabled(t->world, t->bodies[i], true));
    must(cn_body_set_disabled(t->world, t->bodies[i], false));
}

static void move_chunk(trial *t, int i) {
    must(cn_body_set_pose(t->world, t->bodies[i], cn_pose_at((vec2s){{0, 1}}, 0)));
}

// All tiles of a grid of n x 16.
static void build_empty_grid(trial *t) {
    start(t);
    add_grid(t, t->hub, t->n, WORLD_HEIGHT, (vec2s){{0, 0}});
}

static void dig_column(trial *t, int i) {
    for (int y = 0; y < WORLD_HEIGHT / 2; y++)
        must(cn_grid_set_solid(t->world, t->tiles, i, y, false));
}

static void set_column(trial *t, int i) {
    for (int y = 0; y < WORLD_HEIGHT; y++)
        must(cn_grid_set_tile(t->world, t->tiles, i, y,
                              (cn_tile){.solid = true, .form = CN_TILE_RISES_LEFT}));
}

// Digs under a walker in each call.
static void dig_under(trial *t, int i) {
    must(cn_grid_set_solid(t->world, t->tiles, 2 * i + 4, CHUNK / 2 - 1, false));
}

static void dig_one(trial *t) {
    must(cn_grid_set_solid(t->world, t->tiles, 3, 3, false));
    take_steps(t, 1);
}

static void cast_ray(trial *t) {
    for (int i = 0; i < 10; i++)
        must(cn_world_cast_ray(t->world, (vec2s){{3.5f, 20}}, (vec2s){{0, -30}}, NULL).hit);
}

static void cast_short_hull(trial *t) {
    cn_hull ball = cn_circle(0.4f);
    cn_sweep sweep = {.start = cn_pose_at((vec2s){{3.5f, 6}}, 0), .translation = {{0, -3}}};
    must(cn_world_cast_hull(t->world, ball, sweep, NULL).hit);
}

static void move_character(trial *t) {
    cn_hull ball = cn_circle(0.4f);
    must(cn_world_move_hull(t->world, ball, cn_pose_at((vec2s){{3.5f, 4.5f}}, 0),
                            (vec2s){{0.1f, -0.2f}}, NULL)
             .grounded);
}

static void overlap_place(trial *t) {
    cn_hull ball = cn_circle(0.4f);
    cn_side sides[8];
    must(cn_world_overlap(t->world, ball, cn_pose_at((vec2s){{3.5f, 4}}, 0), NULL, sides, 8) > 0);
}

static void find_nearest(trial *t) {
    const cn_hull dot = cn_circle(0);
    must(cn_world_nearest(t->world, dot, cn_pose_at((vec2s){{3.5f, 5}}, 0), 3, NULL).found);
}

// ---- chains

static void create_chain(trial *t) {
    vec2s *points = (vec2s *)t->joints; // large enough, and unused here
    for (int i = 0; i <= t->n; i++) points[i] = (vec2s){{(float)(t->n - i), noise(i)}};
    cn_chain_def def = {.points = points, .count = t->n + 1};
    cn_chain chain = cn_chain_create(t->world, t->hub, &def);
    must(chain.id != 0);
    take_steps(t, 1);
    for (cn_shape s = {0}; (s = cn_chain_next_segment(t->world, chain, s)).id;)
        must(cn_shape_set_hit_events(t->world, s, true));
    must(cn_chain_destroy(t->world, chain));
}

static void build_segments(trial *t) {
    start(t);
    vec2s *points = (vec2s *)t->joints; // large enough, and unused here
    for (int i = 0; i <= t->n; i++) points[i] = (vec2s){{(float)(t->n - i), noise(i)}};
    cn_chain_def def = {.points = points, .count = t->n + 1};
    cn_chain chain = cn_chain_create(t->world, t->hub, &def);
    for (cn_shape s = {0}; (s = cn_chain_next_segment(t->world, chain, s)).id;)
        t->shapes[t->shape_count++] = s;
    take_steps(t, 1);
}

static void destroy_segment(trial *t, int i) { must(cn_shape_destroy(t->world, t->shapes[i])); }

static void create_short_chain(trial *t, int i) {
    vec2s place = place_of(i, 5);
    vec2s points[] = {{{place.x + 2, place.y}}, {{place.x + 1, place.y}}, {{place.x, place.y}}};
    must(cn_chain_create(t->world, t->hub, &(cn_chain_def){.points = points, .count = 3}).id != 0);
}

const cost_case tile_cases[] = {
    {"create-chunks", 1000, start, .act = add_chunk_with_body},
    {"create-chunks-of-body", 1000, start, .act = add_chunk},
    {"destroy-chunks", 300, build_chunks, .act = destroy_chunk},
    {"destroy-chunks-reversed", 300, build_chunks, .act = destroy_chunk, .order = REVERSED},
    {"toggle-chunks", 300, build_chunks, .act = toggle_chunk},
    {"move-chunks", 300, build_chunks, .act = move_chunk},
    {"dig-tiles", 100, build_empty_grid, .act = dig_column},
    {"set-tiles", 100, build_empty_grid, .act = set_column},
    {"dig-under-walkers", 300, build_walkers_on_grid, .act = dig_under},
    {"dig-one-of-chunks", 300, build_far_chunks, .work = dig_one},
    {"dig-one-of-grid", 300, build_one_on_grid, .work = dig_one},
    {"step-far-chunks", 300, build_far_chunks, .work = four_steps},
    {"step-sleepers-on-chunks", 300, build_sleepers_on_chunks, .work = four_steps},
    {"step-walkers-on-chunks", 100, build_walkers_on_chunks, .work = four_steps},
    {"step-walkers-on-grid", 300, build_walkers_on_grid, .work = four_steps},
    {"step-one-on-grid", 500, build_one_on_grid, .work = four_steps},
    {"step-grid-heap", 16, build_grid_heap, .work = four_steps},
    {"step-grid-in-sensor", 60, build_grid_in_sensor, .work = four_steps},
    {"ray-in-chunks", 300, build_far_chunks, .work = cast_ray},
    {"cast-in-chunks", 300, build_far_chunks, .work = cast_short_hull},
    {"move-in-chunks", 300, build_far_chunks, .work = move_character},
    {"overlap-in-chunks", 300, build_far_chunks, .work = overlap_place},
    {"nearest-in-chunks", 300, build_far_chunks, .work = find_nearest},
    {"create-chain", 1000, start, .work = create_chain},
    {"destroy-segments", 300, build_segments, .act = destroy_segment, .order = SHUFFLED},
    {"create-short-chains", 1000, start, .act = create_short_chain},
    {0},
};
