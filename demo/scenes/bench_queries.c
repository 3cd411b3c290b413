/* The benchmark's queries. They run in two worlds:
 *
 *     a field   10,000 static and 2,000 moving shapes, scattered over 400 m x 400 m. They are
 *               circles, boxes and polygons with sharp corners, which every engine represents
 *               exactly. Nothing collides, so after any number of steps all shapes are at the same
 *               places in every engine.
 *     a cave    a grid of a million tiles, made by a cellular automaton. It starts with random
 *               tiles. Then, five times, each tile takes the value of the majority of the nine
 *               tiles around and including it. */
#include "queries.h"
#include "scene.h"

#include <string.h>

enum { STATIC_SHAPES = 10000, MOVING_SHAPES = 2000, QUERIES = 10000, BATCHES = 21 };
enum { CAVE = 1000, SMOOTHINGS = 5 };

// ------------------------------------------------------------------------------------------- field

static cn_hull make_shape(scene_random *random) {
    float size = scene_random_range(random, 0.25f, 0.75f);
    int type = (int)scene_random_range(random, 0, 3);
    if (type == 0) return cn_circle(size);
    if (type == 1) return cn_box(size, scene_random_range(random, 0.25f, 0.75f));
    return cn_regular_polygon((int)scene_random_range(random, 3, 8.99f), size);
}

static bool add_shape(cn_world *world, scene_random *random, cn_motion_type type) {
    cn_body_def def = {.type = type};
    float speed = type == CN_STATIC ? 0 : 1;
    def.position.x = scene_random_range(random, -200, 200);
    def.position.y = scene_random_range(random, -200, 200);
    def.angle = scene_random_range(random, -3.14f, 3.14f);
    def.velocity.x = scene_random_range(random, -speed, speed);
    def.velocity.y = scene_random_range(random, -speed, speed);
    cn_shape_def shape = {.hull = make_shape(random), .filter = {.group = -1}};
    return cn_shape_create(world, cn_body_create(world, &def), &shape).id != 0;
}

static bool create_field(scene_run *run) {
    cn_world *world = run->world;
    scene_random random = {3};
    for (int i = 0; i < STATIC_SHAPES; i++)
        if (!add_shape(world, &random, CN_STATIC)) return false;
    for (int i = 0; i < MOVING_SHAPES; i++)
        if (!add_shape(world, &random, CN_DYNAMIC)) return false;
    return true;
}

// -------------------------------------------------------------------------------------------- cave

// Returns the number of solid tiles among a tile and its eight neighbours. The tile must not be at
// the border.
static int count_solid(const uint8_t *tile) {
    int count = 0;
    for (int y = -CAVE; y <= CAVE; y += CAVE) count += tile[y - 1] + tile[y] + tile[y + 1];
    return count;
}

static void fill_cave(uint8_t *tiles) {
    scene_random random = {7};
    for (int i = 0; i < CAVE * CAVE; i++) {
        int x = i % CAVE, y = i / CAVE;
        bool is_border = x == 0 || y == 0 || x == CAVE - 1 || y == CAVE - 1;
        tiles[i] = scene_random_range(&random, 0, 1) < 0.48f || is_border;
    }
}

static void smooth_cave(uint8_t *tiles, uint8_t *before) {
    memcpy(before, tiles, CAVE * CAVE);
    for (int y = 1; y < CAVE - 1; y++)
        for (int x = 1; x < CAVE - 1; x++)
            tiles[y * CAVE + x] = count_solid(&before[y * CAVE + x]) >= 5;
}

static bool create_cave(scene_run *run) {
    cn_world *world = run->world;
    uint8_t *tiles = run->memory;
    fill_cave(tiles);
    for (int i = 0; i < SMOOTHINGS; i++) smooth_cave(tiles, tiles + CAVE * CAVE);
    cn_grid_def def = {.solid = tiles, .width = CAVE, .height = CAVE, .tile_size = 0.5f};
    cn_body ground = scene_add_body(world, CN_STATIC, -0.25f * CAVE, -0.25f * CAVE);
    return cn_grid_create(world, ground, &def).id != 0;
}

// ------------------------------------------------------------------------------------------- plans

#define ACROSS_FIELD    .count = QUERIES, .area = {{{-190, -190}}, {{190, 190}}}
#define FROM_FREE_SPACE ACROSS_FIELD, .clearance = 0.5f
#define SMALL_BOX       .half_width = 0.5f, .half_height = 0.3f

static const query_plan rays = {.type = QUERY_RAY, FROM_FREE_SPACE, .reach = 60};
static const query_plan rays_any = {.type = QUERY_RAY_ANY, FROM_FREE_SPACE, .reach = 60};
static const query_plan rays_all = {.type = QUERY_RAY_ALL, FROM_FREE_SPACE, .reach = 60};
static const query_plan rays_many = {.type = QUERY_RAYS, FROM_FREE_SPACE, .reach = 60};
static const query_plan overlaps = {
    .type = QUERY_OVERLAP, ACROSS_FIELD, .half_width = 2, .half_height = 1};
static const query_plan overlaps_bounds = {
    .type = QUERY_BOUNDS, ACROSS_FIELD, .half_width = 2, .half_height = 1};
static const query_plan casts = {.type = QUERY_CAST, FROM_FREE_SPACE, SMALL_BOX, .reach = 60};
static const query_plan casts_circles = {
    .type = QUERY_CAST, FROM_FREE_SPACE, .half_width = 0.4f, .reach = 60};
static const query_plan casts_turning = {
    .type = QUERY_CAST, FROM_FREE_SPACE, SMALL_BOX, .reach = 60, .turn = 3};
static const query_plan nearest = {.type = QUERY_NEAREST, FROM_FREE_SPACE, .reach = 20};
static const query_plan tile_rays = {.type = QUERY_RAY,
                                     .count = QUERIES,
                                     .area = {{{-249, -249}}, {{249, 249}}},
                                     .clearance = 0.2f,
                                     .reach = 60,
                                     .tiles = true};

// ------------------------------------------------------------------------------------------ scenes

#define FIELD_SCENE .view = {0, 0, 400}, .no_sleep = true, .steps = BATCHES, .create = create_field

static const scene scene_rays = {
    .name = "rays",
    .title = "Rays",
    .caption = "The nearest hit of a ray of 6 to 60 m among 12,000 shapes.",
    .queries = &rays,
    FIELD_SCENE,
};
static const scene scene_rays_any = {
    .name = "rays_any",
    .title = "Rays: any hit",
    .caption = "Whether a ray of 6 to 60 m hits anything.",
    .queries = &rays_any,
    FIELD_SCENE,
};
static const scene scene_rays_all = {
    .name = "rays_all",
    .title = "Rays: all hits",
    .caption = "All hits of a ray of 6 to 60 m, sorted by distance.",
    .queries = &rays_all,
    FIELD_SCENE,
};
static const scene scene_rays_many = {
    .name = "rays_many",
    .title = "Rays: many",
    .caption = "The nearest hits of 10,000 rays of 6 to 60 m, in one call.",
    .queries = &rays_many,
    FIELD_SCENE,
};
static const scene scene_overlaps_bounds = {
    .name = "overlaps_bounds",
    .title = "Overlaps: boxes",
    .caption = "The shapes whose bounding boxes overlap that of a rotated box of 4 m x 2 m.",
    .queries = &overlaps_bounds,
    FIELD_SCENE,
};
static const scene scene_overlaps = {
    .name = "overlaps",
    .title = "Overlaps",
    .caption = "The shapes that overlap a rotated box of 4 m x 2 m.",
    .queries = &overlaps,
    FIELD_SCENE,
};
static const scene scene_casts_circles = {
    .name = "casts_circles",
    .title = "Casts: circles",
    .caption = "The first hit of a circle that moves 6 to 60 m.",
    .queries = &casts_circles,
    FIELD_SCENE,
};
static const scene scene_casts = {
    .name = "casts",
    .title = "Casts",
    .caption = "The first hit of a box that moves 6 to 60 m.",
    .queries = &casts,
    FIELD_SCENE,
};
static const scene scene_casts_turning = {
    .name = "casts_turning",
    .title = "Casts: turning",
    .caption = "The first hit of a box that moves 6 to 60 m and turns by up to 3 radians.",
    .queries = &casts_turning,
    FIELD_SCENE,
};
static const scene scene_nearest = {
    .name = "nearest",
    .title = "Nearest",
    .caption = "The shape nearest to a point, within 20 m.",
    .queries = &nearest,
    FIELD_SCENE,
};
static const scene scene_tile_rays = {
    .name = "tile_rays",
    .title = "Rays: tiles",
    .caption = "The nearest hit of a ray of 6 to 60 m in a cave of a million tiles of 0.5 m.",
    .view = {0, 0, 500},
    .queries = &tile_rays,
    .steps = BATCHES,
    .create = create_cave,
    .memory_size = 2 * CAVE * CAVE,
};

const scene *const query_scenes[] = {
    &scene_rays,          &scene_rays_any,        &scene_rays_all,
    &scene_rays_many,     &scene_overlaps_bounds, &scene_overlaps,
    &scene_casts_circles, &scene_casts,           &scene_casts_turning,
    &scene_nearest,       &scene_tile_rays,       NULL,
};
