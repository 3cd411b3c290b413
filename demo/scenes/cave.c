/* A cave of tiles of many forms and materials. Bodies fall in at the top and slide down a slope of
 * ice. They bounce on rubber, ride on a belt, and drop through ledges that are solid from above
 * only. Bodies that leave the cave at its lower end start again at the top. */
#include "any_shape.h"

#include <string.h>

enum { WIDTH = 48, HEIGHT = 28, BODIES = 90, BORN_EVERY = 8, DROP_EVERY = 20 };

#define TILE 0.5f

//  # / \ 7 F  stone      I ( )  ice      R  rubber      C  belt      - < >  solid from above
static const char *const cave[HEIGHT] = {
    "#####......#####################################",
    "####F.........7####F..........7######F....7#####",
    "###F...........................7####F......7####",
    "##..........................................7###",
    "##............................................##",
    "####).........................................##",
    "####I)........................................##",
    "####II).......................................##",
    "####III)......................................##",
    "###7IIII).....................................##",
    "##..7IIII)..........................-------...##",
    "##...7IIII)...................................##",
    "##....7IIII)..................................##",
    "##.....7IIII).................................##",
    "##......7IIII)......................<---->....##",
    "##.......7IIII)...............................##",
    "###\\......7IIIIIIIIII---IIIIII)...............##",
    "####\\......7######F.....7#####F...............##",
    "#####\\................................RRRRRR..##",
    "######-----...................................##",
    "####F.........<--->...........................##",
    "###F..........................................##",
    "##............................<-------->......##",
    "##.........../\\...............................##",
    "##........../##\\..............................##",
    "##RRRRRRRR/####RRRRRCCCCCCCCCCCCCCCCCCCCCC....##",
    "##########################################....##",
    "##########################################....##",
};

enum { STONE, ICE, RUBBER, BELT, MATERIALS };

static const cn_material materials[MATERIALS] = {
    [STONE] = {.friction = 0.5f},
    [ICE] = {.friction = 0.02f, .friction_mix = CN_MIX_MINIMUM},
    [RUBBER] = {.friction = 0.9f, .restitution = 0.7f},
    [BELT] = {.friction = 0.9f, .surface_speed = 2},
};

typedef struct {
    cn_grid tiles;
    scene_random random;
    cn_body bodies[BODIES];
    int count, drops;
} state;

static cn_tile tile_of(char letter) {
    cn_tile tile = {.solid = letter != '.'};
    if (strchr("/(<", letter)) tile.form = CN_TILE_RISES_RIGHT;
    if (strchr("\\)>", letter)) tile.form = CN_TILE_RISES_LEFT;
    if (letter == '7') tile.form = CN_TILE_HANGS_RIGHT;
    if (letter == 'F') tile.form = CN_TILE_HANGS_LEFT;
    if (strchr("I()", letter)) tile.material = ICE;
    if (letter == 'R') tile.material = RUBBER;
    if (letter == 'C') tile.material = BELT;
    tile.one_way = strchr("-<>", letter) != NULL;
    return tile;
}

static bool create(scene_run *run) {
    cn_world *world = run->world;
    state *s = run->memory;
    cn_tile tiles[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        tiles[i] = tile_of(cave[HEIGHT - 1 - i / WIDTH][i % WIDTH]);
    cn_body ground = scene_add_body(world, CN_STATIC, -0.5f * TILE * WIDTH, -0.5f * TILE * HEIGHT);
    cn_grid_def def = {.tiles = tiles, .width = WIDTH, .height = HEIGHT, .tile_size = TILE};
    def.materials = materials, def.material_count = MATERIALS;
    s->random = (scene_random){5};
    s->tiles = cn_grid_create(world, ground, &def);
    return s->tiles.id;
}

// Moves a body that left the cave to the entrance.
static bool start_again(cn_world *world, state *s, cn_body body) {
    vec2s start = {{scene_random_range(&s->random, -9.2f, -6.8f), 8.5f}};
    return cn_body_set_pose(world, body, cn_pose_at(start, 0)) &&
           cn_body_set_velocity(world, body, (vec2s){{0, 0}});
}

static bool add_body(cn_world *world, state *s) {
    float x = scene_random_range(&s->random, -9.2f, -6.8f);
    float size = scene_random_range(&s->random, 0.15f, 0.3f);
    if (!add_any_shape(world, &s->random, x, 8.5f, size)) return false;
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;) s->bodies[s->count] = b;
    s->count++;
    return true;
}

static bool before_step(scene_run *run) {
    cn_world *world = run->world;
    int step = run->step;
    state *s = run->memory;
    if (step % BORN_EVERY == 0 && s->count < BODIES && !add_body(world, s)) return false;
    for (int i = 0; i < s->count; i++)
        if (cn_body_position(world, s->bodies[i]).y < -8 && !start_again(world, s, s->bodies[i]))
            return false;
    return step % DROP_EVERY != DROP_EVERY - 1 ||
           cn_body_drop_through(world, s->bodies[s->drops++ * 7 % s->count], 0.3f);
}

// Draws the tiles that are not plain stone in the colours of their materials.
static void draw(const scene_run *run, sketch *drawn) {
    static const sketch_ink inks[MATERIALS] = {INK_YELLOW, INK_BLUE, INK_PINK, INK_GREEN};
    const state *s = run->memory;
    cn_pose pose = cn_body_pose(run->world, cn_grid_body(run->world, s->tiles));
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        cn_tile tile = cn_grid_tile(run->world, s->tiles, i % WIDTH, i / WIDTH);
        if (!tile.solid || (tile.material == STONE && !tile.one_way)) continue;
        vec2s points[4];
        int count = 0;
        for (int k = 0; k < 4; k++) {
            int x = k == 1 || k == 2, y = k >= 2;
            if (tile.form == CN_TILE_RISES_RIGHT && x < y) continue;
            if (tile.form == CN_TILE_RISES_LEFT && x + y > 1) continue;
            vec2s corner = {{TILE * (float)(i % WIDTH + x), TILE * (float)(i / WIDTH + y)}};
            points[count++] = cn_pose_point(pose, corner);
        }
        sketch_polygon(drawn, points, count, (sketch_pen){inks[tile.material], 0.3f, 0});
    }
}

const scene scene_cave = {
    .name = "cave",
    .title = "Cave",
    .caption =
        "Tiles with slopes. Blue: ice; pink: rubber; green: a belt; yellow: solid from above. Now "
        "and then a body drops through the yellow tiles.",
    .view = {0, 0.9f, 16.6f},
    .width = TILE * WIDTH + 0.5f,
    .gravity = {{0, -10}},
    .steps = 900,
    .create = create,
    .before_step = before_step,
    .draw = draw,
    .memory_size = sizeof(state),
};
