/* A cave of tiles, drawn as a map of text. Bodies fall in at the top and roll down its ledges. From
 * time to time a tile of a ledge is removed, and later it is put back. */
#include "any_shape.h"

enum { WIDTH = 48, HEIGHT = 28, BODIES = 160, HOLES = 40 };

#define TILE 0.5f

static const char *const cave[HEIGHT] = {
    "################............####################",
    "###############..............###################",
    "############....................################",
    "#########..........................#############",
    "######................................##########",
    "####.....................................#######",
    "###........................................#####",
    "##..##.....................................#####",
    "##..####......................####...........###",
    "##..#####.....................#####..........###",
    "##....#####...................#####..........###",
    "##.....#####................#######...........##",
    "##......######............######..............##",
    "##............................................##",
    "##............................................##",
    "###.............#########.....................##",
    "###........#################..................##",
    "###......####............####........#####....##",
    "##......###................###.....#######....##",
    "##....................................####....##",
    "##...........................................###",
    "##.....###...................................###",
    "###...######........######..................####",
    "####..#######.....##########.......###.....#####",
    "#####...........................#######..#######",
    "#######..............................###########",
    "##########......................################",
    "################################################",
};

typedef struct {
    cn_grid tiles;
    scene_random random;
    struct {
        int x, y;
    } holes[HOLES]; // a ring buffer: the oldest hole is filled first
    int hole_count;
} state;

static bool add_cave(cn_world *world, state *s) {
    uint8_t solid[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        solid[i] = cave[HEIGHT - 1 - i / WIDTH][i % WIDTH] == '#';
    cn_body ground = scene_add_body(world, CN_STATIC, -0.5f * TILE * WIDTH, -0.5f * TILE * HEIGHT);
    cn_grid_def def = {.solid = solid, .width = WIDTH, .height = HEIGHT, .tile_size = TILE};
    s->tiles = cn_grid_create(world, ground, &def);
    return s->tiles.id;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    s->random = (scene_random){11};
    return add_cave(world, s);
}

// Removes a random tile inside the cave, but never one of the outer walls. When there are HOLES
// holes, it also fills the oldest hole.
static bool change_tile(cn_world *world, state *s) {
    int x = (int)scene_random_range(&s->random, 4, WIDTH - 5);
    int y = (int)scene_random_range(&s->random, 3, HEIGHT - 6), k = s->hole_count % HOLES;
    if (!cn_grid_solid(world, s->tiles, x, y)) return true;
    if (s->hole_count >= HOLES &&
        !cn_grid_set_solid(world, s->tiles, s->holes[k].x, s->holes[k].y, true))
        return false;
    s->holes[k].x = x, s->holes[k].y = y;
    s->hole_count++;
    return cn_grid_set_solid(world, s->tiles, x, y, false);
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    int step = run->step;
    state *s = run->memory;
    if (step % 5 == 0 && step / 5 < BODIES) {
        float x = scene_random_range(&s->random, -3.6f, 1.6f);
        float size = scene_random_range(&s->random, 0.12f, 0.28f);
        if (!add_any_shape(world, &s->random, x, 8, size)) return false;
    }
    return step % 4 != 0 || change_tile(world, s);
}

const scene scene_tiles = {
    .name = "tiles",
    .title = "Tiles",
    .caption =
        "Ground of tiles. Bodies roll smoothly over it while tiles are removed and put back.",
    .view = {0, 0.6f, 16},
    .width = TILE * WIDTH + 0.5f,
    .gravity = {{0, -10}},
    .steps = 900,
    .create = create,
    .before_step = before_step,
    .memory_size = sizeof(state),
};
