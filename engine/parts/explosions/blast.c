/* Explosions: impulses on all shapes around a point.
 *
 * A shape gets an impulse in the direction from the blast to the centroid m of the part of its
 * outline that faces the blast (facing.h). The size of the impulse is proportional to the
 * width of the shape across this direction:
 *
 *                    _____
 *                   |     |  ^              impulse = impulse_per_length strength width
 *      blast  *---> m     |  | width        It acts on the line from the blast through m.
 *                   |_____|  v
 *
 * A blast inside a shape pushes the shape towards its centroid c. The impulse is multiplied by
 * e / (e + d), with the distance e of the blast from c and the depth d of the blast below the
 * outline. This factor is 1 at the outline. It is 0 at the centroid, where there is no direction.
 *
 * If shapes shield others, the facing part is divided into RAYS pieces of equal length. A ray goes
 * from the blast to the middle of each piece. If it hits another shape first, the piece is hidden.
 * The impulse then depends on the width of the visible pieces, and acts towards the centroid of
 * their middles:
 *
 *                         ____
 *                   ...../ m1 |  visible
 *      blast  *.....''   | m2 |  visible    A shape that contains the blast shields nothing: it is
 *               '''..|   | m3 |  hidden     the bomb itself, or the ground in which it lies.
 *                 wall   |____|
 *
 * The call first finds all shapes and all impulses. They are sorted by body and by shape, so the
 * result does not depend on the trees. Then it adds the impulses, which cannot fail. */
#include "../queries/queries.h"

#include "explosions.h"
#include "facing.h"

enum { RAYS = 16 }; // to each shape, if others may shield it

typedef struct {
    cn_search search;
    const cn_explosion *explosion;
    cn_explosion_data *data; // of the world
    cn_query query;          // what the search sees: no sensors
    cn_vec2d position;
    double reach; // m: the strength is 0 beyond
} blast;

// ---- arguments

static bool require_explosion(const cn_explosion *e) {
    return cn_require_pointer("explosion", e) &&
           cn_require2("position", e->position, CN_MAX_COORDINATE) &&
           cn_require("radius", e->radius, 0, CN_MAX_LENGTH) &&
           cn_require("falloff", e->falloff, 0, CN_MAX_LENGTH) &&
           cn_require_finite("impulse per length", e->impulse_per_length) &&
           (e->radius > 0 || e->falloff > 0 ||
            cn_fail(CN_ERROR_RANGE, "radius and falloff are 0: their sum must be above 0"));
}

static bool begin_blast(blast *b, const cn_world *world, const cn_explosion *e) {
    *b = (blast){.explosion = e, .query = e->query, .position = cn_widen(e->position)};
    b->data = cn_explosion_of(world);
    b->reach = (double)e->radius + (double)e->falloff;
    b->query.sensors = false;
    return cn_begin_search(&b->search, world, &b->query, false);
}

// ---- shapes in reach

typedef struct {
    cn_search search;
    cn_world *world;
    cn_key_list *shapes; // takes them
    double reach;
    bool short_of_memory;
} collector;

static double collect_shape(void *context, int id, double distance, vec2s normal) {
    collector *c = context;
    cn_world *world = c->world;
    (void)distance, (void)normal;
    int body = world->sim.links[id].body;
    if (c->short_of_memory || !cn_is_dynamic(&world->sim.hot[body]) || !cn_sees(&c->search, id))
        return c->reach;
    uint64_t key = (uint64_t)body << 32 | (uint64_t)id;
    c->short_of_memory = !cn_append(&world->memory, c->shapes, key);
    return c->reach;
}

// Lists the shapes of dynamic bodies in reach, sorted by body, then by slot. They are all in the
// tree of moving bodies. Returns false if memory is short.
static bool find_shapes(const blast *b, cn_world *world) {
    static const cn_tree no_tree = {.live = 0};
    cn_query_scene scene = cn_query_scene_of(world);
    scene.trees[0] = &world->sim.moving_tree, scene.trees[1] = &no_tree;
    collector c = {b->search, world, &b->data->shapes, b->reach, false};
    c.shapes->count = 0;
    cn_query_kernels_of(&world->sim)
        ->nearest(&scene, &cn_point_probe, b->position, b->reach, collect_shape, &c);
    return !c.short_of_memory && cn_sort_list(&world->sim, c.shapes);
}

// ---- the push on a shape

// A push on a shape along the line from the blast to a point.
typedef struct {
    cn_vec2d at;        // the point, relative to the centre of the shape
    cn_vec2d direction; // from the blast to it; a unit vector, or zero
    double width;       // m
} push;

static double width_across(const cn_hull *outline, cn_vec2d direction) {
    double low = DBL_MAX, high = -DBL_MAX;
    for (int i = 0; i < outline->count; i++) {
        double across = cn_cross2d(direction, cn_widen(outline->vertices[i]));
        low = cn_min2d(low, across), high = cn_max2d(high, across);
    }
    return high - low + 2 * (double)outline->radius;
}

static push push_at(const cn_hull *outline, cn_vec2d from, cn_vec2d at) {
    cn_vec2d direction = cn_unit2d(cn_add_scaled(at, -1, from));
    return (push){at, direction, width_across(outline, direction)};
}

// Boxes and similar hulls have their centre at the centroid, other polygons near it.
static push push_from_inside(const cn_hull *outline, cn_hull_class hull_class, cn_vec2d from,
                             double depth) {
    cn_vec2d centroid = {0, 0};
    if (hull_class != CN_CLASS_BOX) centroid = cn_widen(cn_mass_of(outline, 1).center);
    push p = push_at(outline, from, centroid);
    cn_vec2d arm = cn_add_scaled(p.at, -1, from);
    double distance = sqrt(cn_dot2d(arm, arm));
    p.width *= distance > 0 ? distance / (distance + depth) : 0;
    return p;
}

static double strength_at(const cn_explosion *e, double distance) {
    double beyond = distance - (double)e->radius;
    if (beyond <= 0) return 1;
    return beyond < (double)e->falloff ? 1 - beyond / (double)e->falloff : 0;
}

// ---- shields

typedef struct {
    cn_search search;
    int target;   // the shape to which the ray goes
    double limit; // length of the ray, m
    bool is_hit;
} shield_search;

// The normal of a shape that contains the blast is zero.
static double meet_shield(void *context, int id, double distance, vec2s normal) {
    shield_search *s = context;
    (void)distance;
    bool is_target = s->search.grid < 0 && id == s->target;
    bool contains_blast = normal.x == 0 && normal.y == 0;
    if (is_target || contains_blast || !cn_sees(&s->search, id)) return s->limit;
    s->is_hit = true;
    return -1;
}

// True if nothing is between the blast and a point on a shape. The ray ends a slop before the
// point, because shapes that touch the target overlap it by up to that.
static bool is_visible(const blast *b, int target, cn_vec2d to_point) {
    const cn_world *world = b->search.world;
    cn_path path = cn_path_of(b->position, to_point);
    path.length -= (double)world->sim.tuning.slop;
    if (path.length <= 0) return true;
    shield_search s = {b->search, target, path.length, false};
    s.search.casts = true, s.search.start = b->position;
    cn_query_scene scene = cn_query_scene_of(world);
    cn_query_kernels_of(&world->sim)->cast(&scene, &cn_point_probe, &path, meet_shield, &s);
    if (!s.is_hit && cn_has_grids(&s.search))
        cn_grids_in_queries->cast(&s.search, &cn_point_probe, &path, path.length, meet_shield);
    return !s.is_hit;
}

// Returns the push on the visible pieces of the facing part. `whole` is the push without shields.
static push push_visible(const blast *b, int shape, cn_vec2d from, const cn_facing *facing,
                         push whole) {
    double step = facing->length / RAYS, width = 0, visible_width = 0;
    cn_vec2d sum = {0, 0}, start = cn_facing_at(facing, 0);
    int visible = 0;
    for (int i = 0; i < RAYS; i++) {
        cn_vec2d middle = cn_facing_at(facing, (i + 0.5) * step);
        cn_vec2d end = cn_facing_at(facing, (i + 1) * step);
        double piece = fabs(cn_cross2d(whole.direction, cn_add_scaled(end, -1, start)));
        width += piece, start = end;
        if (!is_visible(b, shape, cn_add_scaled(middle, -1, from))) continue;
        visible_width += piece, visible++;
        sum = cn_add_scaled(sum, 1, middle);
    }
    if (visible == RAYS) return whole;
    if (visible == 0) return (push){.width = 0};
    cn_vec2d at = {sum.x / visible, sum.y / visible};
    cn_vec2d direction = cn_unit2d(cn_add_scaled(at, -1, from));
    double part = width > 0 ? visible_width / width : 0; // a segment may be seen end-on
    return (push){at, direction, part * whole.width};
}

// ---- impulses

// Returns the push on a shape. Its width is multiplied by the strength of the blast.
static push find_push(const blast *b, int shape) {
    const cn_simulation *sim = &b->search.world->sim;
    cn_placed_hull placed = sim->placed[shape];
    cn_vec2d center = cn_widen(placed.pose.position);
    cn_vec2d from = cn_add_scaled(b->position, -1, center);
    double distance = cn_query_kernels_of(sim)->distance_to(&placed, center, sim->hulls.hulls8,
                                                            &cn_point_probe, b->position);
    placed.pose.position = cn_vec(0, 0);
    cn_hull outline = cn_outline_from_placed(&placed, sim->hulls.hulls8);
    cn_facing facing = cn_facing_of(&outline, from);
    push p = facing.count ? push_at(&outline, from, facing.middle)
                          : push_from_inside(&outline, cn_placed_class(&placed), from,
                                             cn_max2d(-distance, 0));
    if (facing.count && b->explosion->blocked) p = push_visible(b, shape, from, &facing, p);
    p.width *= strength_at(b->explosion, distance);
    return p;
}

// Returns the sum of the impulses on the shapes of one body, which are keys[0..count - 1].
static cn_body_push sum_pushes(const blast *b, const uint64_t *keys, int count) {
    const cn_simulation *sim = &b->search.world->sim;
    cn_vec2d impulse = {0, 0};
    double turn = 0, scale = (double)b->explosion->impulse_per_length;
    for (int i = 0; i < count; i++) {
        int shape = (int)(uint32_t)keys[i];
        push p = find_push(b, shape);
        cn_vec2d j = {scale * p.width * p.direction.x, scale * p.width * p.direction.y};
        impulse = cn_add_scaled(impulse, 1, j);
        turn += cn_cross2d(cn_add_scaled(p.at, 1, cn_widen(cn_settled_offset(sim, shape))), j);
    }
    return (cn_body_push){(int)(keys[0] >> 32), cn_narrow(impulse), (float)turn};
}

static bool require_push(const cn_simulation *sim, const cn_body_push *p) {
    return (cn_require2("impulse", p->impulse, FLT_MAX) &&
            cn_require_finite("angular impulse", p->turn) &&
            cn_require_impulse(sim, p->body, p->impulse, p->turn)) ||
           cn_fail_in_number("body", p->body);
}

// Lists the impulses that are not zero. Returns false if memory is short, or if a body would be too
// fast.
static bool find_pushes(const blast *b, cn_world *world) {
    const uint64_t *keys = b->data->shapes.items;
    int end = b->data->shapes.count;
    b->data->pushes.count = 0;
    for (int first = 0, next; first < end; first = next) {
        for (next = first + 1; next < end && keys[next] >> 32 == keys[first] >> 32;) next++;
        cn_body_push p = sum_pushes(b, keys + first, next - first);
        if (p.impulse.x == 0 && p.impulse.y == 0 && p.turn == 0) continue;
        if (!require_push(&world->sim, &p)) return false;
        if (!cn_append(&world->memory, &b->data->pushes, p)) return false;
    }
    return true;
}

int cn_world_explode(cn_world *world, const cn_explosion *explosion) {
    blast b;
    CN_RECORD(cn_world_explode, world, &explosion);
    if (!cn_edit_world(world, __func__)) return 0;
    if (!CN_CHECK(require_explosion(explosion) && begin_blast(&b, world, explosion) &&
                  find_shapes(&b, world) && find_pushes(&b, world)))
        return 0;
    for (int i = 0; i < b.data->pushes.count; i++) {
        const cn_body_push *p = &b.data->pushes.items[i];
        cn_add_impulse(&world->sim, p->body, p->impulse, p->turn);
    }
    return b.data->pushes.count;
}
