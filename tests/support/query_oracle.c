/* See query_oracle.h. A straight cast is a ray against B - A, solved edge by edge and corner by
 * corner. A turning cast advances in steps. Each step is as long as the distance allows at the
 * greatest speed. It first advances until the gap is the tolerance, then until the depth is the
 * tolerance. */
#include "query_oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ULP        1.1920928955078125e-7 // unit in the last place of a float at 1
#define CAST_SLACK 2e-6 // of the sizes of both hulls: casts may be early by a millionth
#define RAY_SLACK  1e-5 // of the fraction

static oracle_point at(double x, double y) { return (oracle_point){x, y}; }
static oracle_point plus(oracle_point a, double s, oracle_point b) {
    return at(a.x + s * b.x, a.y + s * b.y);
}
static oracle_point minus(oracle_point a, oracle_point b) { return plus(a, -1, b); }
static double dot(oracle_point a, oracle_point b) { return a.x * b.x + a.y * b.y; }
static double cross(oracle_point a, oracle_point b) { return a.x * b.y - a.y * b.x; }
static double length(oracle_point a) { return sqrt(dot(a, a)); }
static oracle_point widen(vec2s v) { return at((double)v.x, (double)v.y); }

// ---- blobs

static oracle_point turned(cn_rotation q, oracle_point v) {
    double c = (double)q.c, s = (double)q.s;
    return at(c * v.x - s * v.y, s * v.x + c * v.y);
}

oracle_blob oracle_place_hull(const cn_hull *hull, cn_pose pose) {
    oracle_blob blob = {.count = hull->count, .radius = (double)hull->radius};
    for (int i = 0; i < hull->count; i++)
        blob.corners[i] =
            plus(widen(pose.position), 1, turned(pose.rotation, widen(hull->vertices[i])));
    return blob;
}

oracle_blob oracle_place_point(vec2s point) {
    return (oracle_blob){.corners = {widen(point)}, .count = 1};
}

oracle_point oracle_center_at(const cn_sweep *sweep, double fraction) {
    oracle_point center = turned(sweep->start.rotation, widen(sweep->center));
    center = plus(center, 1, widen(sweep->start.position));
    return plus(center, fraction, widen(sweep->translation));
}

oracle_blob oracle_hull_at(const cn_hull *hull, const cn_sweep *sweep, double fraction) {
    oracle_blob blob = {.count = hull->count, .radius = (double)hull->radius};
    oracle_point center = oracle_center_at(sweep, fraction);
    double angle = fraction * (double)sweep->turn, c = cos(angle), s = sin(angle);
    for (int i = 0; i < hull->count; i++) {
        oracle_point arm = minus(widen(hull->vertices[i]), widen(sweep->center));
        arm = turned(sweep->start.rotation, arm);
        blob.corners[i] = plus(center, 1, at(c * arm.x - s * arm.y, s * arm.x + c * arm.y));
    }
    return blob;
}

// ---- sums of blobs

static int lowest_corner(const oracle_blob *blob) {
    int low = 0;
    for (int i = 1; i < blob->count; i++) {
        oracle_point p = blob->corners[i], q = blob->corners[low];
        if (p.y < q.y || (p.y == q.y && p.x < q.x)) low = i;
    }
    return low;
}

static oracle_point edge_of(const oracle_blob *blob, int i) {
    return minus(blob->corners[(i + 1) % blob->count], blob->corners[i % blob->count]);
}

// The edges of both outlines are sorted by angle from the lowest corner on, so the sum is a merge
// of the two lists.
static oracle_blob sum_of(const oracle_blob *a, const oracle_blob *b) {
    oracle_blob sum = {.radius = a->radius + b->radius};
    int first_a = lowest_corner(a), first_b = lowest_corner(b), i = 0, k = 0;
    int edges_a = a->count > 1 ? a->count : 0, edges_b = b->count > 1 ? b->count : 0;
    do {
        oracle_point p = a->corners[(first_a + i) % a->count];
        oracle_point q = b->corners[(first_b + k) % b->count];
        sum.corners[sum.count++] = plus(p, 1, q);
        oracle_point e = edge_of(a, first_a + i), f = edge_of(b, first_b + k);
        double turn = i == edges_a ? -1 : k == edges_b ? 1 : cross(e, f);
        // Opposite edges have a cross product of 0, too: the edge that goes up or to the right
        // comes first.
        bool goes_up = e.y > 0 || (e.y == 0 && e.x > 0);
        if (i < edges_a && k < edges_b && turn == 0 && dot(e, f) < 0) turn = goes_up ? 1 : -1;
        if (turn >= 0 && i < edges_a) i++;
        if (turn <= 0 && k < edges_b) k++;
    } while (i < edges_a || k < edges_b);
    return sum;
}

// Returns B - A, the set of all differences of their points.
static oracle_blob difference_of(const oracle_blob *b, const oracle_blob *a) {
    oracle_blob negative = *a;
    for (int i = 0; i < a->count; i++) negative.corners[i] = at(-a->corners[i].x, -a->corners[i].y);
    return sum_of(b, &negative);
}

// ---- heights and distances

static double distance_to_edge(oracle_point p, oracle_point a, oracle_point b) {
    oracle_point e = minus(b, a), m = minus(p, a);
    double square = dot(e, e), t = square > 0 ? dot(m, e) / square : 0;
    return length(plus(m, -(t < 0 ? 0 : t > 1 ? 1 : t), e));
}

double oracle_height(const oracle_blob *blob, oracle_point point) {
    double inside = blob->count > 2 ? -DBL_MAX : DBL_MAX, outside = DBL_MAX;
    for (int i = 0; i < blob->count; i++) {
        oracle_point a = blob->corners[i], b = blob->corners[(i + 1) % blob->count];
        outside = fmin(outside, distance_to_edge(point, a, b));
        if (blob->count < 3) continue;
        oracle_point e = minus(b, a);
        inside = fmax(inside, cross(minus(point, a), e) / length(e));
    }
    return (inside <= 0 ? inside : outside) - blob->radius;
}

double oracle_distance(const oracle_blob *a, const oracle_blob *b) {
    oracle_blob d = difference_of(b, a);
    return oracle_height(&d, at(0, 0));
}

double oracle_reach(const oracle_blob *blob, oracle_point point, oracle_point direction) {
    double reach = -DBL_MAX;
    for (int i = 0; i < blob->count; i++)
        reach = fmax(reach, dot(direction, minus(blob->corners[i], point)));
    return reach + blob->radius;
}

static void find_box(const oracle_blob *blob, oracle_point *lower, oracle_point *upper) {
    double r = blob->radius;
    *lower = *upper = blob->corners[0];
    for (int i = 1; i < blob->count; i++) {
        oracle_point p = blob->corners[i];
        *lower = at(fmin(lower->x, p.x), fmin(lower->y, p.y));
        *upper = at(fmax(upper->x, p.x), fmax(upper->y, p.y));
    }
    *lower = at(lower->x - r, lower->y - r);
    *upper = at(upper->x + r, upper->y + r);
}

double oracle_size(const oracle_blob *blob) {
    oracle_point lower, upper;
    find_box(blob, &lower, &upper);
    return upper.x - lower.x + upper.y - lower.y;
}

// ---- the world

void oracle_add_grid(oracle *o, cn_grid tiles, const cn_grid_def *def) {
    int i = o->grid_count++;
    for (; i > 0 && (o->grids[i - 1].tiles.id & 0xFFFFFF) > (tiles.id & 0xFFFFFF); i--)
        o->grids[i] = o->grids[i - 1];
    o->grids[i] = (oracle_grid){tiles, *def};
    o->grids[i].def.solid = NULL, o->grids[i].def.tiles = NULL; // the caller may have freed them
}

// Adds an item whose corners are in the frame of the body.
static void add_item(oracle *o, cn_pose pose, oracle_item item) {
    double scale = item.blob.radius;
    for (int i = 0; i < item.blob.count; i++) {
        oracle_point *p = &item.blob.corners[i];
        scale = fmax(scale, fmax(fabs(p->x), fabs(p->y)));
        *p = plus(widen(pose.position), 1, turned(pose.rotation, *p));
        scale = fmax(scale, fmax(fabs(p->x), fabs(p->y)));
    }
    scale = fmax(scale, fmax(fabs((double)pose.position.x), fabs((double)pose.position.y)));
    item.tolerance = 4 * ULP * scale;
    item.size = oracle_size(&item.blob);
    find_box(&item.blob, &item.lower, &item.upper);
    if (o->count == o->capacity) {
        o->capacity = 2 * o->capacity + 64;
        o->items = realloc(o->items, (size_t)o->capacity * sizeof *o->items);
        if (!o->items) abort();
    }
    o->items[o->count++] = item;
}

static void read_shape(oracle *o, const cn_world *world, cn_shape shape) {
    cn_body body = cn_shape_body(world, shape);
    if (cn_body_disabled(world, body)) return;
    cn_hull hull = cn_shape_hull(world, shape);
    oracle_item item = {.filter = cn_shape_filter(world, shape)};
    item.blob = oracle_place_hull(&hull, (cn_pose){.rotation = {1, 0}});
    item.sensor = cn_shape_sensor(world, shape);
    item.one_sided = cn_shape_chain(world, shape).id != 0;
    item.side = (cn_side){.body = body, .shape = shape, .tile = -1};
    item.side.body_user_data = cn_body_user_data(world, body);
    item.side.shape_user_data = cn_shape_user_data(world, shape);
    add_item(o, cn_body_pose(world, body), item);
}

// True if a tile has this corner: x and y are 0 at the left and lower side, 1 at the others.
static bool has_corner(cn_tile_form form, int x, int y) {
    switch (form) {
    case CN_TILE_RISES_RIGHT: return x >= y;
    case CN_TILE_RISES_LEFT: return 1 - x >= y;
    case CN_TILE_HANGS_RIGHT: return y >= 1 - x;
    case CN_TILE_HANGS_LEFT: return y >= x;
    default: return true;
    }
}

static oracle_blob blob_of_tile(const cn_grid_def *def, cn_tile_form form, int x, int y) {
    oracle_blob blob = {.count = 0};
    for (int i = 0; i < 4; i++) {
        int right = i == 1 || i == 2, upper = i >= 2;
        if (has_corner(form, right, upper))
            blob.corners[blob.count++] =
                plus(widen(def->origin), (double)def->tile_size, at(x + right, y + upper));
    }
    return blob;
}

static void read_grid(oracle *o, const cn_world *world, const oracle_grid *grid) {
    if (!cn_grid_valid(world, grid->tiles)) return;
    cn_body body = cn_grid_body(world, grid->tiles);
    if (cn_body_disabled(world, body)) return;
    cn_filter filter = grid->def.filter;
    if (filter.category == 0) filter.category = 1;
    if (filter.mask == 0) filter.mask = UINT64_MAX;
    for (int tile = 0; tile < grid->def.width * grid->def.height; tile++) {
        int x = tile % grid->def.width, y = tile / grid->def.width;
        cn_tile what = cn_grid_tile(world, grid->tiles, x, y);
        if (!what.solid) continue;
        oracle_item item = {.filter = filter, .blob = blob_of_tile(&grid->def, what.form, x, y)};
        item.side = (cn_side){.body = body, .grid = grid->tiles, .tile = tile};
        item.side.body_user_data = cn_body_user_data(world, body);
        item.side.shape_user_data = grid->def.user_data;
        add_item(o, cn_body_pose(world, body), item);
    }
}

void oracle_read(oracle *o, const cn_world *world) {
    o->count = 0;
    for (cn_shape s = {0}; (s = cn_world_next_shape(world, s)).id;) read_shape(o, world, s);
    for (int i = 0; i < o->grid_count; i++) read_grid(o, world, &o->grids[i]);
}

void oracle_free(oracle *o) {
    free(o->items);
    *o = (oracle){0};
}

static bool passes(cn_filter shape, const cn_query *query) {
    if (query->group && query->group == shape.group) return query->group > 0;
    return (query->category == 0 || (query->category & shape.mask)) &&
           (query->mask == 0 || (query->mask & shape.category));
}

bool oracle_sees(const oracle_item *item, const cn_world *world, const cn_query *query) {
    if (!query) return !item->sensor;
    return (query->sensors || !item->sensor) && item->side.body.id != query->ignore.id &&
           passes(item->filter, query) &&
           (!query->accept || query->accept(world, item->side, query->user));
}

int oracle_find(const oracle *o, cn_side side) {
    for (int i = 0; i < o->count; i++) {
        const cn_side *s = &o->items[i].side;
        if (s->shape.id == side.shape.id && s->grid.id == side.grid.id && s->tile == side.tile)
            return i;
    }
    return -1;
}

// ---- straight casts

// Returns the fraction at which a ray from the origin enters the blob: 0 if it starts inside,
// DBL_MAX if it never enters.
static double enter(const oracle_blob *blob, oracle_point d) {
    double first = DBL_MAX, r = blob->radius, dd = dot(d, d);
    if (oracle_height(blob, at(0, 0)) <= 0) return 0;
    for (int i = 0; i < blob->count; i++) {
        oracle_point a = blob->corners[i], e = minus(blob->corners[(i + 1) % blob->count], a);
        double size = length(e), facing = -cross(d, e) / size;
        if (size > 0 && facing > 0) { // the edge moved outwards by the radius
            double height = cross(at(-a.x, -a.y), e) / size - r, t = height / facing;
            double along = dot(minus(plus(at(0, 0), t, d), a), e) / size;
            if (t >= 0 && along >= 0 && along <= size) first = fmin(first, t);
        }
        double ahead = dot(a, d), side = cross(a, d), square = dd * r * r - side * side;
        if (square >= 0 && ahead > 0) first = fmin(first, fmax(0, (ahead - sqrt(square)) / dd));
    }
    return first;
}

// Casts a point from the origin by d. It hits where it is inside `blob`.
static oracle_cast cast_straight(const oracle_blob *blob, oracle_point d, double tolerance) {
    double size = length(d), start = oracle_height(blob, at(0, 0));
    oracle_blob path = {.corners = {{0, 0}, {-d.x, -d.y}}, .count = size > 0 ? 2 : 1};
    oracle_blob swept = sum_of(blob, &path), wide = *blob;
    double height = oracle_height(&swept, at(0, 0));
    oracle_cast cast = {ORACLE_GRAZED, height <= 0, 0, 1};
    if (height > tolerance) cast.verdict = ORACLE_APART;
    if (height < -tolerance) cast.verdict = ORACLE_HIT;
    if (cast.verdict == ORACLE_APART || size == 0) return cast;
    wide.radius += tolerance;
    double early = enter(&wide, d), fraction = enter(blob, d);
    cast.early = fmin(1, early) - RAY_SLACK;
    // If the two meet at a small angle, the depth grows more and more slowly. If it exceeds the
    // tolerance at all, it grows from 0 to the tolerance in at most 2.5 times the time in which the
    // gap went from the tolerance to 0.
    if (cast.verdict == ORACLE_HIT && fabs(start) > tolerance)
        cast.late = fraction + 2.5 * (fraction - early) + RAY_SLACK;
    return cast;
}

// ---- turning casts

enum { MAX_ADVANCES = 1000 };

// Returns the first fraction at which the distance is between `target` - `close` and `target`, or a
// number above 1 if there is none. If the two approach too slowly to tell, it returns `unsure`, or
// the fraction reached so far if `unsure` is negative.
static double advance(const oracle_item *item, const cn_hull *hull, const cn_sweep *sweep,
                      double from, double target, double close, double unsure) {
    double arm = 0;
    for (int i = 0; i < hull->count; i++)
        arm = fmax(arm, length(minus(widen(hull->vertices[i]), widen(sweep->center))));
    double speed = length(widen(sweep->translation)) + fabs((double)sweep->turn) * arm;
    for (int i = 0; i < MAX_ADVANCES; i++) {
        oracle_blob blob = oracle_hull_at(hull, sweep, from);
        double left = oracle_distance(&blob, &item->blob) - target;
        if (left <= 0) return from;
        if (from >= 1 || speed == 0) return 2;
        from = fmin(1, from + (left + close) / speed);
    }
    return unsure < 0 ? from : unsure;
}

static oracle_cast cast_turning(const oracle_item *item, const cn_hull *hull,
                                const cn_sweep *sweep) {
    double tolerance = oracle_cast_tolerance(item, hull, sweep), close = 0.1 * tolerance;
    double early = advance(item, hull, sweep, 0, tolerance, close, -1);
    if (early > 1) return (oracle_cast){ORACLE_APART, false, 0, 0};
    oracle_cast cast = {ORACLE_GRAZED, false, early - RAY_SLACK, 1};
    cast.plain = advance(item, hull, sweep, early, 0, 0.1 * close, 2) <= 1;
    double late = advance(item, hull, sweep, early, -tolerance, close, 2);
    if (late <= 1) cast.verdict = ORACLE_HIT, cast.late = late + RAY_SLACK;
    return cast;
}

// ---- casts

// Chains are open on their right side. A cast that starts near the line itself may count as on
// either side.
static oracle_cast regard_side(const oracle_item *item, oracle_point start, double tolerance,
                               oracle_cast cast) {
    if (!item->one_sided || item->blob.count != 2) return cast;
    oracle_point e = minus(item->blob.corners[1], item->blob.corners[0]);
    double height = cross(minus(start, item->blob.corners[0]), e) / length(e);
    if (height <= 0) cast.plain = false;
    if (height < -tolerance) cast.verdict = ORACLE_APART;
    if (height <= tolerance && cast.verdict == ORACLE_HIT) cast.verdict = ORACLE_GRAZED;
    return cast;
}

static bool may_meet(const oracle_item *item, oracle_point from, oracle_point to, double reach) {
    double more = reach + 4 * item->tolerance + 1e-5 * item->size;
    return fmin(from.x, to.x) - more <= item->upper.x &&
           fmax(from.x, to.x) + more >= item->lower.x &&
           fmin(from.y, to.y) - more <= item->upper.y && fmax(from.y, to.y) + more >= item->lower.y;
}

oracle_cast oracle_cast_ray(const oracle_item *item, vec2s origin, vec2s translation) {
    oracle_point start = widen(origin), d = widen(translation);
    if (!may_meet(item, start, plus(start, 1, d), 0))
        return (oracle_cast){ORACLE_APART, false, 0, 0};
    oracle_blob from = oracle_place_point(origin), blob = difference_of(&item->blob, &from);
    return regard_side(item, start, item->tolerance, cast_straight(&blob, d, item->tolerance));
}

double oracle_cast_tolerance(const oracle_item *item, const cn_hull *hull, const cn_sweep *sweep) {
    oracle_blob blob = oracle_hull_at(hull, sweep, 0);
    oracle_point end = oracle_center_at(sweep, 1);
    double far = fmax(fmax(fabs(end.x), fabs(end.y)),
                      fmax(fabs(blob.corners[0].x), fabs(blob.corners[0].y)));
    return item->tolerance + 4 * ULP * far + CAST_SLACK * (item->size + oracle_size(&blob));
}

static oracle_point middle_of(const oracle_blob *blob) {
    oracle_point sum = at(0, 0);
    for (int i = 0; i < blob->count; i++) sum = plus(sum, 1.0 / blob->count, blob->corners[i]);
    return sum;
}

oracle_cast oracle_cast_hull(const oracle_item *item, const cn_hull *hull, const cn_sweep *sweep) {
    oracle_point start = oracle_center_at(sweep, 0);
    oracle_blob from = oracle_hull_at(hull, sweep, 0);
    oracle_point middle = middle_of(&from);
    double tolerance = oracle_cast_tolerance(item, hull, sweep), reach = 0;
    for (int i = 0; i < from.count; i++)
        reach = fmax(reach, length(minus(from.corners[i], start)) + from.radius);
    if (!may_meet(item, start, oracle_center_at(sweep, 1), reach + tolerance))
        return (oracle_cast){ORACLE_APART, false, 0, 0};
    if (sweep->turn != 0)
        return regard_side(item, middle, tolerance, cast_turning(item, hull, sweep));
    oracle_blob blob = difference_of(&item->blob, &from);
    oracle_cast cast = cast_straight(&blob, widen(sweep->translation), tolerance);
    return regard_side(item, middle, tolerance, cast);
}
