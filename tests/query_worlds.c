// See query_worlds.h. Edits may fail for a good reason, for example if they would remove the last
// shape with mass of a body.
#include "query_worlds.h"

#include <math.h>
#include <string.h>

// ---- chance (splitmix64)

double zoo_uniform(zoo *z, double low, double high) {
    uint64_t bits = z->chance += 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    bits ^= bits >> 31;
    return low + (high - low) * ((double)(bits >> 11) / 9007199254740992.0);
}

int zoo_below(zoo *z, int count) { return (int)zoo_uniform(z, 0, count); }
bool zoo_one_in(zoo *z, int count) { return zoo_below(z, count) == 0; }

static vec2s random_point(zoo *z, double x, double y, double reach) {
    double u = zoo_uniform(z, -reach, reach), v = zoo_uniform(z, -reach, reach);
    return (vec2s){{(float)(x + u), (float)(y + v)}};
}

vec2s zoo_place(zoo *z) { return random_point(z, z->x, z->y, z->reach); }

static float random_angle(zoo *z) {
    if (zoo_one_in(z, 4)) return (float)(zoo_below(z, 4) * 1.5707963267948966);
    return (float)zoo_uniform(z, -3, 3);
}

// Returns a number between low and high. Every power of ten is equally likely.
static double random_size(zoo *z) {
    return z->smallest * pow(z->greatest / z->smallest, zoo_uniform(z, 0, 1));
}

// ---- hulls

static cn_hull random_polygon(zoo *z, double size, double radius) {
    for (;;) {
        vec2s points[8];
        int count = 3 + zoo_below(z, 6);
        for (int i = 0; i < count; i++) points[i] = random_point(z, 0, 0, size);
        cn_hull hull = cn_polygon(points, count, (float)radius);
        if (hull.count) return hull;
    }
}

static cn_hull random_sliver(zoo *z, double size) {
    float length = (float)size, width = (float)(size * zoo_uniform(z, 0.005, 0.03));
    vec2s points[3] = {{{-length, 0}}, {{length, -width}}, {{0.9f * length, width}}};
    return cn_polygon(points, 3, 0);
}

static cn_hull plain_hull(zoo *z, bool with_area) {
    double size = random_size(z), other = size * zoo_uniform(z, 0.2, 1);
    float s = (float)size, t = (float)other, r = (float)(size * zoo_uniform(z, 0.02, 0.4));
    vec2s p = random_point(z, 0, 0, size), q = {{p.x + s, p.y + t}};
    switch (zoo_below(z, with_area ? 8 : 9)) {
    case 0: return cn_circle(s);
    case 1: return cn_capsule(p, q, r);
    case 2: return cn_box(s, t);
    case 3: return cn_rounded_box(s, t, r);
    case 4: return random_polygon(z, size, 0);
    case 5: return random_polygon(z, size, (double)r);
    case 6: return random_sliver(z, size);
    case 7: return cn_regular(3 + zoo_below(z, 6), s);
    default: return cn_segment(p, q);
    }
}

cn_hull zoo_hull(zoo *z, bool with_area) {
    cn_hull hull = plain_hull(z, with_area);
    if (zoo_one_in(z, 2)) return hull;
    vec2s offset = random_point(z, 0, 0, z->smallest);
    cn_hull moved = cn_hull_at(&hull, cn_pose_at(offset, random_angle(z)));
    return moved.count ? moved : hull;
}

// ---- shapes

cn_filter zoo_filter(zoo *z) {
    cn_filter filter = {0};
    if (zoo_one_in(z, 2)) filter.category = (uint64_t)1 << zoo_below(z, 3);
    if (zoo_one_in(z, 2)) filter.mask = (uint64_t)(1 + zoo_below(z, 7));
    if (zoo_one_in(z, 4)) filter.group = zoo_below(z, 5) - 2;
    return filter;
}

static uint64_t some_data(zoo *z) { return (uint64_t)zoo_below(z, 1000); }

static void add_shape(zoo *z, cn_body body) {
    bool moves = cn_body_get_type(z->world, body) == CN_DYNAMIC;
    cn_shape_def def = {.hull = zoo_hull(z, moves), .user_data = some_data(z)};
    if (zoo_one_in(z, 3)) def.filter = zoo_filter(z);
    def.no_collision = zoo_one_in(z, 8);
    def.sensor = zoo_one_in(z, 8);
    if (zoo_one_in(z, 8)) def.one_way = (vec2s){{0, 1}};
    cn_shape_create(z->world, body, &def);
}

static void add_chain(zoo *z, cn_body body) {
    enum { MOST = 12 };
    vec2s points[MOST];
    int count = 3 + zoo_below(z, MOST - 2);
    bool closed = zoo_one_in(z, 2);
    double size = 0.3 * z->reach, way = zoo_one_in(z, 2) ? 1 : -1, least = size * 0.4;
    for (int i = 0; i < count; i++) {
        double t = 6.28 * i / count, r = zoo_uniform(z, least, size);
        points[i] = closed ? (vec2s){{(float)(r * cos(way * t)), (float)(r * sin(way * t))}}
                           : (vec2s){{(float)(way * (i - count / 2) * least), (float)(r - size)}};
    }
    cn_chain_def def = {.points = points, .count = count, .closed = closed};
    def.user_data = some_data(z);
    if (zoo_one_in(z, 3)) def.filter = zoo_filter(z);
    cn_chain_create(z->world, body, &def);
}

static void add_grid(zoo *z, cn_body body) {
    uint8_t solid[16 * 16];
    cn_tiles_def def = {
        .solid = solid, .width = 1 + zoo_below(z, 16), .height = 1 + zoo_below(z, 9)};
    int least = zoo_below(z, 10);
    for (int i = 0; i < 16 * 16; i++) solid[i] = zoo_below(z, 10) >= least;
    def.tile_size = (float)fmax(0.025, z->reach * zoo_uniform(z, 0.01, 0.08));
    def.origin = random_point(z, 0, 0, 0.2 * z->reach);
    def.user_data = some_data(z);
    if (zoo_one_in(z, 3)) def.filter = zoo_filter(z);
    if (z->oracle.grid_count == ORACLE_GRIDS) return;
    cn_tiles tiles = cn_tiles_create(z->world, body, &def);
    if (tiles.id) oracle_add_grid(&z->oracle, tiles, &def);
}

// ---- bodies

static cn_body add_body(zoo *z, cn_body_type type, vec2s position, float angle) {
    cn_body_def def = {.type = type, .position = position, .angle = angle};
    if (type != CN_STATIC) def.velocity = random_point(z, 0, 0, 0.2 * z->reach);
    if (type != CN_STATIC) def.angular_velocity = (float)zoo_uniform(z, -2, 2);
    def.disabled = zoo_one_in(z, 12);
    def.user_data = some_data(z);
    cn_body body = cn_body_create(z->world, &def);
    int i = z->body_count < ZOO_BODIES ? z->body_count++ : zoo_below(z, ZOO_BODIES);
    if (z->bodies[i].id && cn_body_valid(z->world, z->bodies[i]))
        cn_body_destroy(z->world, z->bodies[i]);
    return z->bodies[i] = body;
}

static void add_random_body(zoo *z) {
    const cn_body_type types[] = {CN_DYNAMIC, CN_DYNAMIC, CN_KINEMATIC, CN_STATIC};
    cn_body body = add_body(z, types[zoo_below(z, 4)], zoo_place(z), random_angle(z));
    for (int i = 1 + zoo_below(z, 3); i > 0; i--) add_shape(z, body);
}

static void add_ground(zoo *z, void add(zoo *z, cn_body body), int count, bool moves) {
    cn_body_type type = moves && zoo_one_in(z, 3) ? CN_KINEMATIC : CN_STATIC;
    cn_body body = add_body(z, type, zoo_place(z), random_angle(z));
    for (int i = 0; i < count; i++) add(z, body);
}

// Creates columns of crates and balls at rest. Some are asleep from the start.
static void add_stacks(zoo *z) {
    cn_body ground = cn_body_create(
        z->world, &(cn_body_def){.type = CN_STATIC, .position = {{0, (float)-z->reach - 1}}});
    cn_shape_create(z->world, ground, &(cn_shape_def){.hull = cn_box(100, 1)});
    for (int i = 0; i < 30; i++) {
        vec2s place = {{(float)(2 * (i / 3) - 10), (float)(-z->reach + 0.5 + i % 3)}};
        cn_body_def def = {.position = place, .asleep = i / 3 % 2};
        cn_shape_def shape = {.hull = i % 3 == 2 ? cn_circle(0.5f) : cn_box(0.5f, 0.5f)};
        cn_shape_create(z->world, cn_body_create(z->world, &def), &shape);
    }
}

static void choose_sizes(zoo *z) {
    z->reach = 12, z->smallest = 0.1, z->greatest = 1.5;
    if (z->kind == ZOO_FAR) z->x = 10000, z->y = -7000;
    if (z->kind == ZOO_SIZES) z->reach = 150, z->smallest = 0.01, z->greatest = 100;
    if (z->kind == ZOO_TINY) z->reach = 0.4, z->smallest = 0.01, z->greatest = 0.04;
}

bool zoo_begin(zoo *z, zoo_kind kind, uint64_t seed, cn_world_def def) {
    *z = (zoo){.kind = kind, .chance = seed};
    def.gravity = (vec2s){{0, zoo_one_in(z, 2) || kind == ZOO_STACKS ? -10 : 0}};
    z->world = cn_world_create(&def);
    if (!z->world) return false;
    choose_sizes(z);
    bool few = kind == ZOO_TILES || kind == ZOO_CHAINS || kind == ZOO_STACKS;
    for (int i = few ? 12 : 40; i > 0; i--) add_random_body(z);
    for (int i = kind == ZOO_CHAINS ? 10 : 2; i > 0; i--) add_ground(z, add_chain, 1, true);
    for (int i = kind == ZOO_TILES ? 3 : 1; i > 0; i--) add_ground(z, add_grid, 2, false);
    if (kind == ZOO_STACKS) add_stacks(z);
    return true;
}

void zoo_end(zoo *z) {
    cn_world_destroy(z->world);
    oracle_free(&z->oracle);
}

// ---- edits

static void edit_shape(zoo *z, cn_shape shape) {
    cn_hull hull = zoo_hull(z, true);
    bool is_segment = cn_shape_chain(z->world, shape).id != 0;
    switch (zoo_below(z, 5)) {
    case 0: cn_shape_destroy(z->world, shape); break;
    case 1: cn_shape_set_filter(z->world, shape, zoo_filter(z)); break;
    case 2: cn_shape_set_sensor(z->world, shape, zoo_one_in(z, 2)); break;
    case 3: cn_shape_set_user_data(z->world, shape, some_data(z)); break;
    default:
        if (!is_segment) cn_shape_set_hull(z->world, shape, &hull);
    }
}

static void edit_grid(zoo *z) {
    if (z->oracle.grid_count == 0) return;
    oracle_grid *grid = &z->oracle.grids[zoo_below(z, z->oracle.grid_count)];
    if (!cn_tiles_valid(z->world, grid->tiles)) return;
    if (zoo_one_in(z, 40)) {
        cn_tiles_destroy(z->world, grid->tiles);
        return;
    }
    for (int i = 0; i < 5; i++)
        cn_tiles_set(z->world, grid->tiles, zoo_below(z, grid->def.width),
                     zoo_below(z, grid->def.height), zoo_one_in(z, 2));
    if (zoo_one_in(z, 3))
        cn_body_set_pose(z->world, cn_tiles_body(z->world, grid->tiles), zoo_place(z),
                         random_angle(z));
}

static void edit_body(zoo *z, cn_body body) {
    switch (zoo_below(z, 6)) {
    case 0: cn_body_destroy(z->world, body); break;
    case 1: cn_body_set_enabled(z->world, body, zoo_one_in(z, 2)); break;
    case 2: add_shape(z, body); break;
    case 3: cn_body_set_awake(z->world, body, zoo_one_in(z, 2)); break;
    default: cn_body_set_pose(z->world, body, zoo_place(z), random_angle(z));
    }
}

void zoo_edit(zoo *z) {
    for (int i = 0; i < 20; i++) {
        cn_body body = z->bodies[zoo_below(z, z->body_count)];
        if (zoo_one_in(z, 4)) edit_grid(z);
        if (zoo_one_in(z, 10)) add_random_body(z);
        if (!cn_body_valid(z->world, body)) continue;
        cn_shape shape = cn_body_next_shape(z->world, body, (cn_shape){0});
        if (shape.id && zoo_one_in(z, 3))
            edit_shape(z, shape);
        else
            edit_body(z, body);
    }
}
