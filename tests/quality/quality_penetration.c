/* Penetration, measured without the engine's narrowphase: from poses and hulls, in double
 * precision.
 *
 * A hull is a core (its vertices) grown by a radius. Two cores that are apart have a distance, the
 * least between a vertex of one and an edge of the other. Two cores that overlap have a negative
 * separation, the largest over all edge normals (separating axis theorem). In both cases the radii
 * are taken off, and what is below zero is penetration. Pairs that their filters keep apart do not
 * count. Pairs come from a sweep over bounds sorted by their left side. */
#include "quality.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double x, y;
} point;

typedef struct {
    point vertices[CN_MAX_VERTICES];
    point lower, upper; // bounds, radius included
    double radius;
    int count;
    cn_body body;
    cn_filter filter;
    bool is_static;
} placed;

static double dot(point a, point b) { return a.x * b.x + a.y * b.y; }
static point sub(point a, point b) { return (point){a.x - b.x, a.y - b.y}; }

// ---------------------------------------------------------------------------------------- one pair

// Returns the gap between the cores along a unit axis that points from a to b.
static double separation_along(const placed *a, const placed *b, point axis) {
    double a_most = -INFINITY, b_least = INFINITY;
    for (int i = 0; i < a->count; i++) a_most = fmax(a_most, dot(a->vertices[i], axis));
    for (int i = 0; i < b->count; i++) b_least = fmin(b_least, dot(b->vertices[i], axis));
    return b_least - a_most;
}

// Returns the largest gap along the edge normals of a. The axes at the two ends of a segment count,
// too.
static double best_face(const placed *a, const placed *b) {
    double best = -INFINITY;
    for (int i = 0; i < a->count && a->count > 1; i++) {
        point edge = sub(a->vertices[(i + 1) % a->count], a->vertices[i]);
        double length = sqrt(dot(edge, edge));
        point along = {edge.x / length, edge.y / length};
        best = fmax(best, separation_along(a, b, (point){along.y, -along.x}));
        if (a->count == 2) best = fmax(best, separation_along(a, b, along));
    }
    return best;
}

static double distance_to_edge(point p, point from, point to) {
    point edge = sub(to, from), offset = sub(p, from);
    double length2 = dot(edge, edge);
    double t = length2 > 0 ? fmin(fmax(dot(offset, edge) / length2, 0), 1) : 0;
    return hypot(offset.x - t * edge.x, offset.y - t * edge.y);
}

static double vertices_to_edges(const placed *a, const placed *b) {
    double least = INFINITY;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            least = fmin(least, distance_to_edge(a->vertices[i], b->vertices[j],
                                                 b->vertices[(j + 1) % b->count]));
    return least;
}

static double separation(const placed *a, const placed *b) {
    double core = fmax(best_face(a, b), best_face(b, a));
    bool are_points = a->count == 1 && b->count == 1;
    if (core > 0 || are_points) core = fmin(vertices_to_edges(a, b), vertices_to_edges(b, a));
    return core - a->radius - b->radius;
}

// --------------------------------------------------------------------------------------- all pairs

static placed place_shape(const cn_world *world, cn_shape shape) {
    cn_hull hull = cn_shape_hull(world, shape);
    cn_body body = cn_shape_body(world, shape);
    cn_pose pose = cn_body_pose(world, body);
    placed out = {
        .lower = {INFINITY, INFINITY},
        .upper = {-INFINITY, -INFINITY},
        .radius = (double)hull.radius,
        .count = hull.count,
        .body = body,
        .filter = cn_shape_filter(world, shape),
        .is_static = cn_body_type(world, body) == CN_STATIC,
    };
    double c = (double)pose.rotation.c, s = (double)pose.rotation.s, r = out.radius;
    for (int i = 0; i < hull.count; i++) {
        double x = (double)hull.vertices[i].x, y = (double)hull.vertices[i].y;
        out.vertices[i] = (point){(double)pose.position.x + c * x - s * y,
                                  (double)pose.position.y + s * x + c * y};
    }
    for (int i = 0; i < hull.count; i++) { // (One loop for both breaks GCC 12 for ARM.)
        point p = out.vertices[i];
        out.lower = (point){fmin(out.lower.x, p.x - r), fmin(out.lower.y, p.y - r)};
        out.upper = (point){fmax(out.upper.x, p.x + r), fmax(out.upper.y, p.y + r)};
    }
    return out;
}

static int compare_left_sides(const void *a, const void *b) {
    double x = ((const placed *)a)->lower.x, y = ((const placed *)b)->lower.x;
    return (x > y) - (x < y);
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The rule of cn_filter.
static bool filters_collide(cn_filter a, cn_filter b) {
    if (a.group && a.group == b.group) return a.group > 0;
    uint64_t a_category = a.category ? a.category : 1, b_category = b.category ? b.category : 1;
    return (!a.mask || (a.mask & b_category)) && (!b.mask || (b.mask & a_category));
}

static bool can_overlap(const placed *a, const placed *b) {
    if (a->body.id == b->body.id || (a->is_static && b->is_static)) return false;
    if (!filters_collide(a->filter, b->filter)) return false;
    return a->lower.y <= b->upper.y && b->lower.y <= a->upper.y;
}

// Returns the number of pairs that overlap. Fills depths if it is not NULL.
static int collect_depths(const placed *shapes, int count, double *depths) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count && shapes[j].lower.x <= shapes[i].upper.x; j++) {
            if (!can_overlap(&shapes[i], &shapes[j])) continue;
            double depth = -separation(&shapes[i], &shapes[j]);
            if (depth <= 0) continue;
            if (depths) depths[found] = depth;
            found++;
        }
    }
    return found;
}

static quality_penetration summarise(double *depths, int count) {
    if (count == 0) return (quality_penetration){0};
    qsort(depths, (size_t)count, sizeof *depths, compare_doubles);
    double sum = 0;
    for (int i = 0; i < count; i++) sum += depths[i];
    return (quality_penetration){
        .mean = sum / count,
        .p99 = depths[(count * 99 + 99) / 100 - 1],
        .max = depths[count - 1],
        .count = count,
    };
}

quality_penetration quality_measure_penetration(const cn_world *world) {
    quality_penetration unknown = {NAN, NAN, NAN, 0};
    int capacity = cn_world_counters(world).shapes, count = 0;
    placed *shapes = malloc(sizeof *shapes * (size_t)(capacity + 1));
    if (!shapes) return unknown;
    cn_shape shape = cn_world_next_shape(world, (cn_shape){0});
    for (; shape.id && count < capacity; shape = cn_world_next_shape(world, shape))
        shapes[count++] = place_shape(world, shape);
    qsort(shapes, (size_t)count, sizeof *shapes, compare_left_sides);

    int pairs = collect_depths(shapes, count, NULL);
    double *depths = malloc(sizeof *depths * (size_t)(pairs + 1));
    quality_penetration result = unknown;
    if (depths) result = summarise(depths, collect_depths(shapes, count, depths));
    free(depths);
    free(shapes);
    return result;
}
