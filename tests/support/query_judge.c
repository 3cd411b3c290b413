/* See query_judge.h. A fault is printed with all numbers that it takes to repeat the query.
 */
#include "query_judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ULP  1.1920928955078125e-7
#define UNIT 1e-6 // by which the length of a normal may differ from 1

// ---- bits

bool same_side(cn_side a, cn_side b) {
    return a.body.id == b.body.id && a.shape.id == b.shape.id && a.grid.id == b.grid.id &&
           a.body_user_data == b.body_user_data && a.shape_user_data == b.shape_user_data &&
           a.tile == b.tile;
}

bool same_hit(const cn_world_hit *a, const cn_world_hit *b) {
    return a->hit == b->hit && same_side(a->side, b->side) &&
           memcmp(&a->fraction, &b->fraction, sizeof a->fraction) == 0 &&
           memcmp(&a->point, &b->point, sizeof a->point) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0;
}

bool same_neighbor(const cn_neighbor *a, const cn_neighbor *b) {
    return a->found == b->found && same_side(a->side, b->side) &&
           memcmp(&a->gap, &b->gap, sizeof a->gap) == 0;
}

static void mix(uint64_t *hash, const void *bytes, size_t size) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++) *hash = (*hash ^ p[i]) * 1099511628211u;
}

void mix_side(uint64_t *hash, cn_side side) {
    const uint64_t names[] = {side.body.id,        side.shape.id,        side.grid.id,
                              side.body_user_data, side.shape_user_data, (uint64_t)side.tile};
    mix(hash, names, sizeof names);
}

void mix_hit(uint64_t *hash, const cn_world_hit *hit) {
    mix(hash, &hit->hit, sizeof hit->hit);
    mix_side(hash, hit->side);
    mix(hash, &hit->fraction, sizeof hit->fraction);
    mix(hash, &hit->point, sizeof hit->point);
    mix(hash, &hit->normal, sizeof hit->normal);
}

void mix_neighbor(uint64_t *hash, const cn_neighbor *neighbor) {
    mix(hash, &neighbor->found, sizeof neighbor->found);
    mix_side(hash, neighbor->side);
    mix(hash, &neighbor->gap, sizeof neighbor->gap);
}

// ---- faults

// The current query, for messages.
typedef struct {
    const char *kind;
    const cn_hull *hull; // NULL: a point
    cn_sweep sweep;      // a ray uses only the position and the translation
    const cn_query *query;
    float greatest;
} question;

static void print_hull(const cn_hull *hull) {
    printf("    hull radius %.9g:", (double)hull->radius);
    for (int i = 0; i < hull->count; i++)
        printf(" (%.9g, %.9g)", (double)hull->vertices[i].x, (double)hull->vertices[i].y);
    printf("\n");
}

static void print_item(const oracle_item *item) {
    const oracle_blob *b = &item->blob;
    printf("    item shape %06x grid %06x tile %d%s, tolerance %.3g, radius %.9g:",
           (unsigned)(item->side.shape.id & 0xFFFFFF), (unsigned)(item->side.grid.id & 0xFFFFFF),
           item->side.tile, item->one_sided ? " (one side)" : "", item->tolerance, b->radius);
    for (int i = 0; i < b->count; i++) printf(" (%.9g, %.9g)", b->corners[i].x, b->corners[i].y);
    printf("\n");
}

static void print_question(const question *q) {
    const cn_sweep *s = &q->sweep;
    printf("    %s at (%.9g, %.9g) rotation (%.9g, %.9g) translation (%.9g, %.9g) center (%.9g, "
           "%.9g) turn %.9g greatest %.9g\n",
           q->kind, (double)s->start.position.x, (double)s->start.position.y,
           (double)s->start.rotation.c, (double)s->start.rotation.s, (double)s->translation.x,
           (double)s->translation.y, (double)s->center.x, (double)s->center.y, (double)s->turn,
           (double)q->greatest);
    if (q->hull) print_hull(q->hull);
    if (q->query)
        printf("    query category %llx mask %llx group %d sensors %d any %d\n",
               (unsigned long long)q->query->category, (unsigned long long)q->query->mask,
               q->query->group, q->query->sensors, q->query->any);
}

enum { MAX_FAULTS = 10 };

static void fault(judge *j, const question *q, const oracle_item *item, const char *format, ...) {
    if (j->faults++ >= MAX_FAULTS) return;
    va_list list;
    va_start(list, format);
    printf("%s: ", j->where);
    vprintf(format, list);
    printf("\n");
    va_end(list);
    print_question(q);
    if (item) print_item(item);
    fflush(stdout);
}

// ---- the oracle's answers to a cast

typedef struct {
    oracle_cast cast;
    bool seen;
} entry;

static entry *entries; // one per item, for the current query
static int entry_capacity;

static oracle_cast cast_at(const oracle_item *item, const question *q) {
    if (q->hull) return oracle_cast_hull(item, q->hull, &q->sweep);
    return oracle_cast_ray(item, q->sweep.start.position, q->sweep.translation);
}

static void prepare(judge *j, const question *q) {
    int count = j->oracle->count;
    j->queries++;
    if (count > entry_capacity) {
        entry_capacity = 2 * count;
        entries = realloc(entries, (size_t)entry_capacity * sizeof *entries);
        if (!entries) abort();
    }
    for (int i = 0; i < count; i++) {
        const oracle_item *item = &j->oracle->items[i];
        entries[i].cast = cast_at(item, q);
        entries[i].seen =
            entries[i].cast.verdict != ORACLE_APART && oracle_sees(item, j->world, q->query);
    }
}

// Returns the moving hull at a fraction. A ray moves a point.
static oracle_blob mover_at(const question *q, double fraction) {
    if (q->hull) return oracle_hull_at(q->hull, &q->sweep, fraction);
    oracle_blob blob = oracle_place_point(q->sweep.start.position);
    blob.corners[0].x += fraction * (double)q->sweep.translation.x;
    blob.corners[0].y += fraction * (double)q->sweep.translation.y;
    return blob;
}

static double coordinate_of(oracle_point p) { return fmax(fabs(p.x), fabs(p.y)); }

// Returns by how much lengths in this answer may differ, in metres.
static double tolerance_of(const oracle_item *item, const question *q, const cn_world_hit *hit) {
    double x = (double)q->sweep.translation.x, y = (double)q->sweep.translation.y;
    oracle_point point = {(double)hit->point.x, (double)hit->point.y};
    double tolerance = 2 * item->tolerance + 4 * ULP * coordinate_of(point);
    if (!q->hull) return tolerance;
    double turned = 0;
    for (int i = 0; i < q->hull->count; i++)
        turned += fabs((double)q->sweep.turn) *
                  hypot((double)q->hull->vertices[i].x - (double)q->sweep.center.x,
                        (double)q->hull->vertices[i].y - (double)q->sweep.center.y);
    return tolerance + oracle_cast_tolerance(item, q->hull, &q->sweep) +
           ULP * (hypot(x, y) + turned);
}

static void judge_start(judge *j, const question *q, const oracle_item *item,
                        const cn_world_hit *hit) {
    oracle_blob mover = mover_at(q, 0);
    double height = oracle_distance(&mover, &item->blob), most = tolerance_of(item, q, hit);
    if (hit->fraction != 0) fault(j, q, item, "no normal, but fraction %g", (double)hit->fraction);
    if (height > most) fault(j, q, item, "no normal, but it starts outside by %g", height);
    if (!q->hull && memcmp(&hit->point, &q->sweep.start.position, sizeof(vec2s)) != 0)
        fault(j, q, item, "it starts inside, but the point is not the origin");
}

// Checks that the point lies on the item and, for a ray, at the fraction, and that the normal
// separates the two.
static void judge_surface(judge *j, const question *q, const oracle_item *item,
                          const cn_world_hit *hit) {
    double most = tolerance_of(item, q, hit), t = (double)hit->fraction;
    oracle_point p = {(double)hit->point.x, (double)hit->point.y};
    oracle_point n = {(double)hit->normal.x, (double)hit->normal.y}, back = {-n.x, -n.y};
    oracle_blob mover = mover_at(q, t);
    double height = oracle_height(&item->blob, p), gap = oracle_distance(&mover, &item->blob);
    double travelled = hypot((double)q->sweep.translation.x, (double)q->sweep.translation.y);
    double apart = q->hull ? 0 : hypot(p.x - mover.corners[0].x, p.y - mover.corners[0].y);
    double slack = most + 1e-6 * item->size, own = oracle_size(&mover);
    if (fabs(hypot(n.x, n.y) - 1) > UNIT)
        fault(j, q, item, "normal (%.9g, %.9g): length 1 %+g", n.x, n.y, hypot(n.x, n.y) - 1);
    if (fabs(height) > most) fault(j, q, item, "the point lies %g above the surface", height);
    if (apart > most + 1e-5 * travelled) fault(j, q, item, "point and fraction: %g apart", apart);
    if (fabs(gap) > most + 1e-5 * travelled) fault(j, q, item, "at the hit the gap is %g", gap);
    if (oracle_reach(&item->blob, p, n) > slack)
        fault(j, q, item, "normal (%.9g, %.9g) at (%.9g, %.9g): the item goes %g beyond", n.x, n.y,
              p.x, p.y, oracle_reach(&item->blob, p, n));
    if (q->hull && oracle_reach(&mover, p, back) > slack + 1e-6 * own + 1e-5 * travelled)
        fault(j, q, item, "normal (%.9g, %.9g) at (%.9g, %.9g): the hull goes %g below", n.x, n.y,
              p.x, p.y, oracle_reach(&mover, p, back));
    double facing = n.x * (double)q->sweep.translation.x + n.y * (double)q->sweep.translation.y;
    // Only a hull that touches the item at the start may move away from it.
    if (q->sweep.turn == 0 && t > 0 && facing > 1e-6 * travelled)
        fault(j, q, item, "it leaves the surface");
}

// Checks a hit. Returns the index of its item, or -1 if there must be no such hit.
static int judge_hit(judge *j, const question *q, const cn_world_hit *hit) {
    int found = oracle_find(j->oracle, hit->side);
    if (found < 0) {
        fault(j, q, NULL, "there is no shape %llx, grid %llx, tile %d",
              (unsigned long long)hit->side.shape.id, (unsigned long long)hit->side.grid.id,
              hit->side.tile);
        return -1;
    }
    const oracle_item *item = &j->oracle->items[found];
    const entry *e = &entries[found];
    if (!same_side(item->side, hit->side)) fault(j, q, item, "another side");
    if (!e->seen) {
        bool apart = e->cast.verdict == ORACLE_APART;
        fault(j, q, item, apart ? "it is not hit" : "the query does not see it");
        return -1;
    }
    if (q->query && q->query->any) return found;
    double t = (double)hit->fraction;
    if (!(t >= 0 && t <= 1) || t < e->cast.early || t > e->cast.late)
        fault(j, q, item, "fraction %.9g, should be in %.9g .. %.9g", t, e->cast.early,
              e->cast.late);
    if (hit->normal.x == 0 && hit->normal.y == 0)
        judge_start(j, q, item, hit);
    else
        judge_surface(j, q, item, hit);
    return found;
}

// ---- single casts

static void judge_miss(judge *j, const question *q) {
    bool lenient = false;
    for (int i = 0; i < j->oracle->count; i++) {
        if (!entries[i].seen) continue;
        lenient |= entries[i].cast.plain;
        if (entries[i].cast.verdict == ORACLE_HIT)
            fault(j, q, &j->oracle->items[i], "no hit, but this one at %.9g .. %.9g",
                  entries[i].cast.early, entries[i].cast.late);
    }
    j->lenient += lenient;
}

static void judge_single(judge *j, const question *q, const cn_world_hit *hit) {
    prepare(j, q);
    if (!hit->hit) {
        judge_miss(j, q);
        return;
    }
    int found = judge_hit(j, q, hit);
    if (found < 0) return;
    bool lenient = !entries[found].cast.plain;
    for (int i = 0; i < j->oracle->count && !(q->query && q->query->any); i++) {
        const oracle_cast *cast = &entries[i].cast;
        if (!entries[i].seen || i == found || cast->late >= (double)hit->fraction) continue;
        lenient |= cast->verdict == ORACLE_GRAZED && cast->plain;
        if (cast->verdict == ORACLE_HIT)
            fault(j, q, &j->oracle->items[i], "hit at %.9g, but this one is nearer, %.9g .. %.9g",
                  (double)hit->fraction, cast->early, cast->late);
    }
    j->lenient += lenient;
}

static question make_question(const char *kind, const cn_hull *hull, cn_sweep sweep,
                              const cn_query *query) {
    return (question){kind, hull, sweep, query, 0};
}

static cn_sweep sweep_of_ray(vec2s origin, vec2s translation) {
    return (cn_sweep){.start = {origin, {1, 0}}, .translation = translation};
}

void judge_ray(judge *j, vec2s origin, vec2s translation, const cn_query *query) {
    question q = make_question("ray", NULL, sweep_of_ray(origin, translation), query);
    cn_world_hit hit = cn_world_cast_ray(j->world, origin, translation, query);
    judge_single(j, &q, &hit);
}

void judge_cast(judge *j, const cn_hull *hull, const cn_sweep *sweep, const cn_query *query) {
    question q = make_question("cast", hull, *sweep, query);
    cn_world_hit hit = cn_world_cast_hull(j->world, *hull, *sweep, query);
    judge_single(j, &q, &hit);
}

// ---- all hits of a ray

static cn_world_hit hits[JUDGE_HITS], again[JUDGE_HITS];

// Hits at equal fractions stand in the order of the oracle.
static void judge_order(judge *j, const question *q, int count) {
    for (int i = 1; i < count; i++) {
        int a = oracle_find(j->oracle, hits[i - 1].side), b = oracle_find(j->oracle, hits[i].side);
        if (hits[i].fraction < hits[i - 1].fraction ||
            (hits[i].fraction == hits[i - 1].fraction && a >= b))
            fault(j, q, b < 0 ? NULL : &j->oracle->items[b], "hit %d at %.9g, then %d at %.9g", a,
                  (double)hits[i - 1].fraction, b, (double)hits[i].fraction);
    }
}

// Repeats the query with a smaller array: it must return the same count, write the first hits, and
// write nothing beyond the array.
static void judge_capacity(judge *j, const question *q, int count) {
    int capacity = count / 2;
    memset(again, 0x55, ((size_t)capacity + 1) * sizeof *again);
    cn_world_hit beyond = again[capacity];
    int other = cn_world_cast_ray_all(j->world, q->sweep.start.position, q->sweep.translation,
                                      q->query, again, capacity);
    if (other != count) fault(j, q, NULL, "%d hits, with a smaller array %d", count, other);
    for (int i = 0; i < capacity; i++)
        if (!same_hit(&hits[i], &again[i]))
            fault(j, q, NULL, "with a smaller array hit %d differs", i);
    if (memcmp(&beyond, &again[capacity], sizeof beyond) != 0) fault(j, q, NULL, "wrote too much");
}

void judge_ray_all(judge *j, vec2s origin, vec2s translation, const cn_query *query) {
    question q = make_question("ray_all", NULL, sweep_of_ray(origin, translation), query);
    int count = cn_world_cast_ray_all(j->world, origin, translation, query, hits, JUDGE_HITS);
    prepare(j, &q);
    cn_world_hit first = cn_world_cast_ray(j->world, origin, translation, query);
    if (first.hit != (count > 0) || (first.hit && !same_hit(&first, &hits[0])))
        fault(j, &q, NULL, "the first of %d hits is not that of cn_world_cast_ray()", count);
    bool lenient = false;
    for (int i = 0; i < count; i++) {
        int found = judge_hit(j, &q, &hits[i]);
        if (found < 0) continue;
        lenient |= !entries[found].cast.plain;
        entries[found].seen = false; // a second hit of this item is a fault
    }
    for (int i = 0; i < j->oracle->count; i++) { // items that were not reported
        if (!entries[i].seen) continue;
        lenient |= entries[i].cast.plain;
        if (entries[i].cast.verdict == ORACLE_HIT)
            fault(j, &q, &j->oracle->items[i], "missing, should be at %.9g .. %.9g",
                  entries[i].cast.early, entries[i].cast.late);
    }
    judge_order(j, &q, count);
    judge_capacity(j, &q, count);
    j->lenient += lenient;
}

// ---- lists of sides

static cn_side sides[JUDGE_HITS], fewer[JUDGE_HITS];

// Returns the distance of an item, negative inside, and its tolerance. Items with a negative
// distance must be in the list.
typedef double height_function(const oracle_item *item, const void *context, double *tolerance);

static int judge_list(judge *j, const question *q, int count, height_function *height,
                      const void *context) {
    int next = 0;
    bool lenient = false;
    j->queries++;
    for (int i = 0; i < j->oracle->count; i++) {
        const oracle_item *item = &j->oracle->items[i];
        double tolerance = 0, h = height(item, context, &tolerance);
        bool listed = next < count && same_side(sides[next], item->side);
        bool seen = h <= tolerance && oracle_sees(item, j->world, q->query);
        next += listed;
        if (listed && h > tolerance) fault(j, q, item, "it is %g away", h);
        if (listed && h <= tolerance && !seen) fault(j, q, item, "the query does not see it");
        if (!listed && seen && h < -tolerance) fault(j, q, item, "not listed, height %g", h);
        lenient |= seen && listed != (h <= 0);
    }
    if (next < count)
        fault(j, q, NULL, "side %d of %d is wrong, or in the wrong place", next, count);
    j->lenient += lenient;
    return count / 2;
}

static void judge_fewer(judge *j, const question *q, int count, int other, int capacity) {
    if (other != count) fault(j, q, NULL, "%d sides, with a smaller array %d", count, other);
    for (int i = 0; i < capacity; i++)
        if (!same_side(sides[i], fewer[i]))
            fault(j, q, NULL, "with a smaller array side %d differs", i);
    cn_side beyond;
    memset(&beyond, 0x55, sizeof beyond);
    if (memcmp(&beyond, &fewer[capacity], sizeof beyond) != 0) fault(j, q, NULL, "wrote too much");
}

// ---- overlaps

static double height_above(const oracle_item *item, const void *context, double *tolerance) {
    const oracle_blob *blob = context;
    double reach = blob->radius + 4 * item->tolerance + oracle_size(blob);
    oracle_point p = blob->corners[0];
    *tolerance =
        item->tolerance + 4 * ULP * coordinate_of(p) + 1e-6 * (item->size + oracle_size(blob));
    if (p.x - reach > item->upper.x || p.x + reach < item->lower.x || p.y - reach > item->upper.y ||
        p.y + reach < item->lower.y)
        return 1e9;
    return oracle_distance(blob, &item->blob);
}

void judge_overlap(judge *j, const cn_hull *hull, cn_pose pose, const cn_query *query) {
    question q = make_question("overlap", hull, (cn_sweep){.start = pose}, query);
    oracle_blob blob = oracle_place_hull(hull, pose);
    int count = cn_world_overlap(j->world, *hull, pose, query, sides, JUDGE_HITS);
    int capacity = judge_list(j, &q, count, height_above, &blob);
    memset(fewer, 0x55, ((size_t)capacity + 1) * sizeof *fewer);
    judge_fewer(j, &q, count, cn_world_overlap(j->world, *hull, pose, query, fewer, capacity),
                capacity);
}

void judge_point(judge *j, vec2s point, const cn_query *query) {
    question q = make_question("at", NULL, sweep_of_ray(point, (vec2s){{0, 0}}), query);
    oracle_blob blob = oracle_place_point(point);
    int count = cn_world_overlap_point(j->world, point, query, sides, JUDGE_HITS);
    int capacity = judge_list(j, &q, count, height_above, &blob);
    memset(fewer, 0x55, ((size_t)capacity + 1) * sizeof *fewer);
    judge_fewer(j, &q, count, cn_world_overlap_point(j->world, point, query, fewer, capacity),
                capacity);
}

static double height_above_box(const oracle_item *item, const void *context, double *tolerance) {
    const cn_bounds *b = context;
    *tolerance = item->tolerance;
    double x = fmax(item->lower.x - (double)b->upper.x, (double)b->lower.x - item->upper.x);
    double y = fmax(item->lower.y - (double)b->upper.y, (double)b->lower.y - item->upper.y);
    return fmax(x, y);
}

void judge_bounds(judge *j, cn_bounds bounds, const cn_query *query) {
    vec2s size = {{bounds.upper.x - bounds.lower.x, bounds.upper.y - bounds.lower.y}};
    question q = make_question("bounds", NULL, sweep_of_ray(bounds.lower, size), query);
    int count = cn_world_overlap_bounds(j->world, bounds, query, sides, JUDGE_HITS);
    int capacity = judge_list(j, &q, count, height_above_box, &bounds);
    memset(fewer, 0x55, ((size_t)capacity + 1) * sizeof *fewer);
    judge_fewer(j, &q, count, cn_world_overlap_bounds(j->world, bounds, query, fewer, capacity),
                capacity);
}

// ---- the nearest

// Checks that the two points lie on the surfaces and that the normal points from one to the other.
static void judge_gap(judge *j, const question *q, const oracle_item *item, const oracle_blob *blob,
                      const cn_gap *gap, double most) {
    oracle_point a = {(double)gap->point_a.x, (double)gap->point_a.y};
    oracle_point b = {(double)gap->point_b.x, (double)gap->point_b.y};
    double d = (double)gap->distance, nx = (double)gap->normal.x, ny = (double)gap->normal.y;
    double apart = hypot(b.x - a.x - d * nx, b.y - a.y - d * ny);
    double above_a = oracle_height(blob, a), above_b = oracle_height(&item->blob, b);
    most += 1e-6 * fabs(d) + 4 * ULP * fmax(coordinate_of(a), coordinate_of(b));
    if (fabs(hypot(nx, ny) - 1) > UNIT) fault(j, q, item, "normal (%g, %g)", nx, ny);
    if (apart > most) fault(j, q, item, "points, normal and distance do not agree: %g", apart);
    // If shapes overlap, the deepest point of each lies inside the other one.
    if (fabs(above_a) > most) fault(j, q, item, "point A is %g off its surface", above_a);
    if (fabs(above_b) > most) fault(j, q, item, "point B is %g off its surface", above_b);
}

// Returns true for items that are clearly farther away than the distance. A quick test.
static bool is_beyond(const oracle_item *item, const oracle_blob *blob, double distance) {
    oracle_point p = blob->corners[0];
    double more = (distance > 0 ? distance : 0) * 1.0001 + 1e-5 * item->size + 8 * item->tolerance +
                  oracle_size(blob) + 8 * ULP * coordinate_of(p);
    return p.x - more > item->upper.x || p.x + more < item->lower.x || p.y - more > item->upper.y ||
           p.y + more < item->lower.y;
}

void judge_nearest(judge *j, const cn_hull *hull, cn_pose pose, float greatest,
                   const cn_query *query) {
    question q = {"nearest", hull, {.start = pose}, query, greatest};
    oracle_blob blob = oracle_place_hull(hull, pose);
    cn_neighbor n = cn_world_nearest(j->world, *hull, pose, greatest, query);
    int found = n.found ? oracle_find(j->oracle, n.side) : -1;
    double given = n.found ? (double)n.gap.distance : (double)greatest, least = 1e18;
    j->queries++;
    for (int i = 0; i < j->oracle->count; i++) {
        const oracle_item *item = &j->oracle->items[i];
        if (i != found && is_beyond(item, &blob, given)) continue;
        if (!oracle_sees(item, j->world, query)) {
            if (i == found) fault(j, &q, item, "the query does not see it");
            continue;
        }
        double d = oracle_distance(&blob, &item->blob), most;
        height_above(item, &blob, &most);
        most += 1e-6 * fabs(d);
        least = fmin(least, d);
        if (d < given - most) fault(j, &q, item, "%g, but this one has %.9g", given, d);
        if (i != found) continue;
        if (fabs(d - given) > most) fault(j, &q, item, "distance %.9g, should be %.9g", given, d);
        if (d > (double)greatest + most) fault(j, &q, item, "too far: %g", d);
        if (!same_side(n.side, item->side)) fault(j, &q, item, "another side");
        judge_gap(j, &q, item, &blob, &n.gap, most);
    }
    if (n.found && found < 0) fault(j, &q, NULL, "found what is not there");
    j->lenient += n.found != (least <= (double)greatest);
}
