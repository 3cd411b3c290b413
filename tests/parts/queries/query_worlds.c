// See query_worlds.h. Edits may fail for a good reason, for example if they would remove the last
// shape with mass of a body.
#include "query_worlds.h"

#include <math.h>
#include <string.h>

// ---- random numbers (splitmix64)

double pick_uniform(random_world *w, double low, double high) {
    uint64_t bits = w->random_state += 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    bits ^= bits >> 31;
    return low + (high - low) * ((double)(bits >> 11) / 9007199254740992.0);
}

int pick_below(random_world *w, int count) { return (int)pick_uniform(w, 0, count); }
bool one_chance_in(random_world *w, int count) { return pick_below(w, count) == 0; }

static vec2s random_point(random_world *w, double x, double y, double reach) {
    double u = pick_uniform(w, -reach, reach), v = pick_uniform(w, -reach, reach);
    return (vec2s){{(float)(x + u), (float)(y + v)}};
}

vec2s pick_place(random_world *w) { return random_point(w, w->x, w->y, w->reach); }

static float random_angle(random_world *w) {
    if (one_chance_in(w, 4)) return (float)(pick_below(w, 4) * 1.5707963267948966);
    return (float)pick_uniform(w, -3, 3);
}

// Returns a number between low and high. Every power of ten is equally likely.
static double random_size(random_world *w) {
    return w->smallest * pow(w->greatest / w->smallest, pick_uniform(w, 0, 1));
}

// ---- hulls

static cn_hull random_polygon(random_world *w, double size, double radius) {
    for (;;) {
        vec2s points[8];
        int count = 3 + pick_below(w, 6);
        for (int i = 0; i < count; i++) points[i] = random_point(w, 0, 0, size);
        cn_hull hull = cn_polygon(points, count, (float)radius);
        if (hull.count) return hull;
    }
}

static cn_hull random_sliver(random_world *w, double size) {
    float length = (float)size, width = (float)(size * pick_uniform(w, 0.005, 0.03));
    vec2s points[3] = {{{-length, 0}}, {{length, -width}}, {{0.9f * length, width}}};
    return cn_polygon(points, 3, 0);
}

static cn_hull plain_hull(random_world *w, bool with_area) {
    double size = random_size(w), other = size * pick_uniform(w, 0.2, 1);
    float s = (float)size, t = (float)other, r = (float)(size * pick_uniform(w, 0.02, 0.4));
    vec2s p = random_point(w, 0, 0, size), q = {{p.x + s, p.y + t}};
    switch (pick_below(w, with_area ? 8 : 9)) {
    case 0: return cn_circle(s);
    case 1: return cn_capsule(p, q, r);
    case 2: return cn_box(s, t);
    case 3: return cn_rounded_box(s, t, r);
    case 4: return random_polygon(w, size, 0);
    case 5: return random_polygon(w, size, (double)r);
    case 6: return random_sliver(w, size);
    case 7: return cn_regular_polygon(3 + pick_below(w, 6), s);
    default: return cn_segment(p, q);
    }
}

cn_hull pick_hull(random_world *w, bool with_area) {
    cn_hull hull = plain_hull(w, with_area);
    if (one_chance_in(w, 2)) return hull;
    vec2s offset = random_point(w, 0, 0, w->smallest);
    cn_hull moved = cn_hull_at(hull, cn_pose_at(offset, random_angle(w)));
    return moved.count ? moved : hull;
}

// ---- shapes

cn_filter pick_filter(random_world *w) {
    cn_filter filter = {0};
    if (one_chance_in(w, 2)) filter.category = (uint64_t)1 << pick_below(w, 3);
    if (one_chance_in(w, 2)) filter.mask = (uint64_t)(1 + pick_below(w, 7));
    if (one_chance_in(w, 4)) filter.group = pick_below(w, 5) - 2;
    return filter;
}

static uint64_t some_data(random_world *w) { return (uint64_t)pick_below(w, 1000); }

static void add_shape(random_world *w, cn_body body) {
    bool moves = cn_body_type(w->world, body) == CN_DYNAMIC;
    cn_shape_def def = {.hull = pick_hull(w, moves), .user_data = some_data(w)};
    if (one_chance_in(w, 3)) def.filter = pick_filter(w);
    def.no_collision = one_chance_in(w, 8);
    def.sensor = one_chance_in(w, 8);
    if (one_chance_in(w, 8)) def.one_way = (vec2s){{0, 1}};
    cn_shape_create(w->world, body, &def);
}

static void add_chain(random_world *w, cn_body body) {
    enum { MOST = 12 };
    vec2s points[MOST];
    int count = 3 + pick_below(w, MOST - 2);
    bool closed = one_chance_in(w, 2);
    double size = 0.3 * w->reach, way = one_chance_in(w, 2) ? 1 : -1, least = size * 0.4;
    for (int i = 0; i < count; i++) {
        double t = 6.28 * i / count, r = pick_uniform(w, least, size);
        points[i] = closed ? (vec2s){{(float)(r * cos(way * t)), (float)(r * sin(way * t))}}
                           : (vec2s){{(float)(way * (i - count / 2) * least), (float)(r - size)}};
    }
    cn_chain_def def = {.points = points, .count = count, .closed = closed};
    def.user_data = some_data(w);
    if (one_chance_in(w, 3)) def.filter = pick_filter(w);
    cn_chain_create(w->world, body, &def);
}

static cn_tile random_tile(random_world *w, bool solid) {
    return (cn_tile){
        .solid = solid, .form = (cn_tile_form)pick_below(w, 5), .one_way = one_chance_in(w, 8)};
}

// Some grids have plain tiles, others have tiles of all forms.
static void add_grid(random_world *w, cn_body body) {
    uint8_t solid[16 * 16];
    cn_tile forms[16 * 16];
    cn_grid_def def = {.width = 1 + pick_below(w, 16), .height = 1 + pick_below(w, 9)};
    int least = pick_below(w, 10);
    for (int i = 0; i < 16 * 16; i++) solid[i] = pick_below(w, 10) >= least;
    for (int i = 0; i < 16 * 16; i++) forms[i] = random_tile(w, solid[i]);
    if (one_chance_in(w, 2))
        def.solid = solid;
    else
        def.tiles = forms;
    def.tile_size = (float)fmax(0.025, w->reach * pick_uniform(w, 0.01, 0.08));
    def.origin = random_point(w, 0, 0, 0.2 * w->reach);
    def.user_data = some_data(w);
    if (one_chance_in(w, 3)) def.filter = pick_filter(w);
    if (w->oracle.grid_count == ORACLE_GRIDS) return;
    cn_grid tiles = cn_grid_create(w->world, body, &def);
    if (tiles.id) oracle_add_grid(&w->oracle, tiles, &def);
}

// ---- bodies

static cn_body add_body(random_world *w, cn_motion_type type, vec2s position, float angle) {
    cn_body_def def = {.type = type, .position = position, .angle = angle};
    if (type != CN_STATIC) def.velocity = random_point(w, 0, 0, 0.2 * w->reach);
    if (type != CN_STATIC) def.angular_velocity = (float)pick_uniform(w, -2, 2);
    def.disabled = one_chance_in(w, 12);
    def.user_data = some_data(w);
    cn_body body = cn_body_create(w->world, &def);
    int i =
        w->body_count < RANDOM_WORLD_BODIES ? w->body_count++ : pick_below(w, RANDOM_WORLD_BODIES);
    if (w->bodies[i].id && cn_body_valid(w->world, w->bodies[i]))
        cn_body_destroy(w->world, w->bodies[i]);
    return w->bodies[i] = body;
}

static void add_random_body(random_world *w) {
    const cn_motion_type types[] = {CN_DYNAMIC, CN_DYNAMIC, CN_KINEMATIC, CN_STATIC};
    cn_body body = add_body(w, types[pick_below(w, 4)], pick_place(w), random_angle(w));
    for (int i = 1 + pick_below(w, 3); i > 0; i--) add_shape(w, body);
}

static void add_ground(random_world *w, void add(random_world *w, cn_body body), int count,
                       bool moves) {
    cn_motion_type type = moves && one_chance_in(w, 3) ? CN_KINEMATIC : CN_STATIC;
    cn_body body = add_body(w, type, pick_place(w), random_angle(w));
    for (int i = 0; i < count; i++) add(w, body);
}

// Creates columns of crates and balls at rest. Some are asleep from the start.
static void add_stacks(random_world *w) {
    cn_body ground = cn_body_create(
        w->world, &(cn_body_def){.type = CN_STATIC, .position = {{0, (float)-w->reach - 1}}});
    cn_shape_create(w->world, ground, &(cn_shape_def){.hull = cn_box(100, 1)});
    for (int i = 0; i < 30; i++) {
        vec2s place = {{(float)(2 * (i / 3) - 10), (float)(-w->reach + 0.5 + i % 3)}};
        cn_body_def def = {.position = place, .asleep = i / 3 % 2};
        cn_shape_def shape = {.hull = i % 3 == 2 ? cn_circle(0.5f) : cn_box(0.5f, 0.5f)};
        cn_shape_create(w->world, cn_body_create(w->world, &def), &shape);
    }
}

static void choose_sizes(random_world *w) {
    w->reach = 12, w->smallest = 0.1, w->greatest = 1.5;
    if (w->type == RANDOM_WORLD_FAR) w->x = 10000, w->y = -7000;
    if (w->type == RANDOM_WORLD_SIZES) w->reach = 150, w->smallest = 0.01, w->greatest = 100;
    if (w->type == RANDOM_WORLD_TINY) w->reach = 0.4, w->smallest = 0.01, w->greatest = 0.04;
}

bool random_world_begin(random_world *w, random_world_type type, uint64_t seed, cn_world_def def) {
    *w = (random_world){.type = type, .random_state = seed};
    def.gravity = (vec2s){{0, one_chance_in(w, 2) || type == RANDOM_WORLD_STACKS ? -10 : 0}};
    w->world = cn_world_create(&def);
    if (!w->world) return false;
    choose_sizes(w);
    bool few =
        type == RANDOM_WORLD_TILES || type == RANDOM_WORLD_CHAINS || type == RANDOM_WORLD_STACKS;
    for (int i = few ? 12 : 40; i > 0; i--) add_random_body(w);
    for (int i = type == RANDOM_WORLD_CHAINS ? 10 : 2; i > 0; i--)
        add_ground(w, add_chain, 1, true);
    for (int i = type == RANDOM_WORLD_TILES ? 3 : 1; i > 0; i--) add_ground(w, add_grid, 2, false);
    if (type == RANDOM_WORLD_STACKS) add_stacks(w);
    return true;
}

void random_world_end(random_world *w) {
    cn_world_destroy(w->world);
    oracle_free(&w->oracle);
}

// ---- edits

static void edit_shape(random_world *w, cn_shape shape) {
    cn_hull hull = pick_hull(w, true);
    bool is_segment = cn_shape_chain(w->world, shape).id != 0;
    switch (pick_below(w, 5)) {
    case 0: cn_shape_destroy(w->world, shape); break;
    case 1: cn_shape_set_filter(w->world, shape, pick_filter(w)); break;
    case 2: cn_shape_set_sensor(w->world, shape, one_chance_in(w, 2)); break;
    case 3: cn_shape_set_user_data(w->world, shape, some_data(w)); break;
    default:
        if (!is_segment) cn_shape_set_hull(w->world, shape, hull);
    }
}

static void edit_grid(random_world *w) {
    if (w->oracle.grid_count == 0) return;
    oracle_grid *grid = &w->oracle.grids[pick_below(w, w->oracle.grid_count)];
    if (!cn_grid_valid(w->world, grid->tiles)) return;
    if (one_chance_in(w, 40)) {
        cn_grid_destroy(w->world, grid->tiles);
        return;
    }
    for (int i = 0; i < 5; i++) {
        int x = pick_below(w, grid->def.width), y = pick_below(w, grid->def.height);
        if (one_chance_in(w, 2))
            cn_grid_set_solid(w->world, grid->tiles, x, y, one_chance_in(w, 2));
        else
            cn_grid_set_tile(w->world, grid->tiles, x, y, random_tile(w, one_chance_in(w, 2)));
    }
    if (one_chance_in(w, 3))
        cn_body_set_pose(w->world, cn_grid_body(w->world, grid->tiles),
                         cn_pose_at(pick_place(w), random_angle(w)));
}

static void edit_body(random_world *w, cn_body body) {
    switch (pick_below(w, 6)) {
    case 0: cn_body_destroy(w->world, body); break;
    case 1: cn_body_set_disabled(w->world, body, !one_chance_in(w, 2)); break;
    case 2: add_shape(w, body); break;
    case 3: cn_body_set_asleep(w->world, body, !one_chance_in(w, 2)); break;
    default: cn_body_set_pose(w->world, body, cn_pose_at(pick_place(w), random_angle(w)));
    }
}

void random_world_edit(random_world *w) {
    for (int i = 0; i < 20; i++) {
        cn_body body = w->bodies[pick_below(w, w->body_count)];
        if (one_chance_in(w, 4)) edit_grid(w);
        if (one_chance_in(w, 10)) add_random_body(w);
        if (!cn_body_valid(w->world, body)) continue;
        cn_shape shape = cn_body_next_shape(w->world, body, (cn_shape){0});
        if (shape.id && one_chance_in(w, 3))
            edit_shape(w, shape);
        else
            edit_body(w, body);
    }
}
