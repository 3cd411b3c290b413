// See move_worlds.h.
#include "move_worlds.h"

static const double reach = 30; // m

double level_uniform(level *l, double low, double high) {
    return random_between(&l->seed, low, high);
}
int level_below(level *l, int count) { return (int)level_uniform(l, 0, count); }

double level_ground(const level *l, double x) {
    for (int i = 1; i < 31; i++) {
        vec2s a = l->hills[i - 1], b = l->hills[i];
        if (x > (double)b.x) continue;
        double t = (x - (double)a.x) / ((double)b.x - (double)a.x);
        return (double)a.y + t * ((double)b.y - (double)a.y);
    }
    return (double)l->hills[30].y;
}

static vec2s random_place(level *l) {
    double x = level_uniform(l, -reach, reach);
    return point(x, level_ground(l, x) + level_uniform(l, 0, 5));
}

static void add_hills(level *l) {
    vec2s points[31];
    for (int i = 0; i < 31; i++) {
        l->hills[i] = point(-reach + 2 * i, level_uniform(l, -1, 1));
        if (i % 5 == 1) l->hills[i].y = l->hills[i - 1].y; // a level stretch
    }
    for (int i = 0; i < 31; i++) points[i] = l->hills[30 - i];
    cn_chain_def def = {.points = points, .count = 31};
    assert_done(cn_chain_create(l->world, add_static(l->world), &def).id != 0);
}

enum { MAP_WIDTH = 24, MAP_HEIGHT = 8 };

static void add_tiles(level *l) {
    uint8_t solid[MAP_WIDTH * MAP_HEIGHT] = {0};
    int height = 2;
    for (int x = 0; x < MAP_WIDTH; x++) {
        height += level_below(l, 3) - 1;
        for (int y = 0; y < MAP_HEIGHT; y++) {
            bool floats = level_below(l, 12) == 0;
            solid[y * MAP_WIDTH + x] = y < height || floats;
        }
    }
    cn_body_def body = {.type = CN_STATIC, .position = random_place(l)};
    body.angle = level_below(l, 2) ? 0 : (float)level_uniform(l, -0.6, 0.6);
    double size = level_below(l, 2) ? 0.25 : 0.5;
    cn_grid_def def = {.solid = solid, .width = MAP_WIDTH, .height = MAP_HEIGHT};
    def.tile_size = (float)size, def.origin = point(-size * MAP_WIDTH / 2, -1);
    assert_done(cn_grid_create(l->world, cn_body_create(l->world, &body), &def).id != 0);
}

cn_hull level_hull(level *l) {
    float s = (float)level_uniform(l, 0.1, 0.6), t = (float)level_uniform(l, 0.1, 0.6);
    vec2s points[6];
    switch (level_below(l, 5)) {
    case 0: return cn_circle(s);
    case 1: return cn_capsule(point(0, 0), (vec2s){{0, 0.1f + s}}, t / 2);
    case 2: return cn_box(s, t);
    case 3: return cn_rounded_box(s / 2, t, s / 2);
    default:
        for (int i = 0; i < 6; i++) {
            cn_rotation q = cn_rotation_of((float)level_uniform(l, 0, 6.28));
            points[i] = (vec2s){{s * q.c, t * q.s}};
        }
        cn_hull polygon = cn_polygon(points, 6, 0.02f);
        return polygon.count ? polygon : cn_box(t, s);
    }
}

static void add_shape(level *l, cn_motion_type type, cn_hull hull, vec2s one_way) {
    cn_body_def body = {.type = type, .position = random_place(l)};
    if (type == CN_KINEMATIC)
        body.velocity = point(level_uniform(l, -2, 2), level_uniform(l, -1, 1));
    else if (level_below(l, 2) && one_way.y == 0)
        body.angle = (float)level_uniform(l, -3, 3);
    add(l->world, body, (cn_shape_def){.hull = hull, .one_way = one_way});
}

static void add_coin(level *l) {
    cn_body_def body = {.type = level_below(l, 2) ? CN_STATIC : CN_KINEMATIC};
    body.position = random_place(l);
    add(l->world, body, (cn_shape_def){.hull = level_hull(l), .sensor = true});
}

static void add_slope_at(level *l) {
    float run = (float)level_uniform(l, 1, 4), rise = (float)level_uniform(l, 0.3, 4);
    if (level_below(l, 2)) run = -run;
    vec2s corners[] = {{{0, -0.5f}}, {{run, -0.5f}}, {{run, rise}}, {{0, 0}}};
    cn_body_def body = {.type = CN_STATIC, .position = random_place(l)};
    add(l->world, body, (cn_shape_def){.hull = cn_polygon(corners, 4, 0)});
}

bool level_begin(level *l, uint64_t seed, cn_world_def def) {
    const vec2s solid = {{0, 0}}, up = {{0, 1}};
    def.gravity = point(0, -10);
    *l = (level){.world = cn_world_create(&def), .seed = seed};
    if (!l->world) return false;
    add_hills(l);
    for (int i = 0; i < 2; i++) add_tiles(l);
    for (int i = 0; i < 6; i++) add_slope_at(l);
    for (int i = 0; i < 20; i++) add_shape(l, CN_STATIC, level_hull(l), solid);
    for (int i = 0; i < 6; i++) add_shape(l, CN_STATIC, cn_box(1, 0.1f), up);
    for (int i = 0; i < 4; i++) add_shape(l, CN_KINEMATIC, cn_box(1, 0.15f), i % 2 ? up : solid);
    for (int i = 0; i < 10; i++) add_shape(l, CN_DYNAMIC, level_hull(l), solid);
    for (int i = 0; i < 40; i++) add_coin(l);
    return true;
}

void level_end(level *l) { cn_world_destroy(l->world); }

cn_move_def level_def(level *l) {
    cn_move_def def = {0};
    if (level_below(l, 2)) def.step_height = (float)level_uniform(l, 0.05, 0.5);
    if (level_below(l, 2)) def.snap_distance = (float)level_uniform(l, 0.05, 0.5);
    if (level_below(l, 3) == 0) def.max_slope = (float)level_uniform(l, 0.2, 1.4);
    if (level_below(l, 4) == 0) def.up = point(level_uniform(l, -1, 1), 1);
    def.drop_through = level_below(l, 5) == 0;
    return def;
}
