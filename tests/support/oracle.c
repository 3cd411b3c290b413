/* The separating axis test on intervals. Both cores are projected on every candidate axis. The axis
 * with the greatest gap between the two intervals is the result.
 *
 *        a |-----------|                  Candidates: the normals of all edges of both, which are
 *                    b |--------|         enough while cores overlap (the depth of the Minkowski
 *        ------------->  axis             difference is reached on one of its edges), and the line
 *                    |-| gap < 0          between the nearest features, which alone gives the
 *                                         distance of cores whose nearest features are vertices.
 *
 * The nearest features come from every vertex of one core against every edge of the other. */
#include "oracle.h"

#include <float.h>
#include <math.h>

static oracle_vec subtract(oracle_vec a, oracle_vec b) {
    return (oracle_vec){a.x - b.x, a.y - b.y};
}
static oracle_vec negate(oracle_vec a) { return (oracle_vec){-a.x, -a.y}; }
static double dot(oracle_vec a, oracle_vec b) { return a.x * b.x + a.y * b.y; }
static double length(oracle_vec a) { return sqrt(dot(a, a)); }

oracle_core oracle_place(const cn_hull *hull, cn_pose pose) {
    double c = pose.rotation.c, s = pose.rotation.s;
    oracle_core core = {.count = hull->count, .radius = hull->radius};
    for (int i = 0; i < hull->count; i++) {
        double x = hull->vertices[i].x, y = hull->vertices[i].y;
        core.vertices[i] =
            (oracle_vec){pose.position.x + c * x - s * y, pose.position.y + s * x + c * y};
    }
    return core;
}

int oracle_edge_count(const oracle_core *core) { return core->count == 1 ? 0 : core->count; }

oracle_vec oracle_edge_normal(const oracle_core *core, int edge) {
    oracle_vec d = subtract(core->vertices[(edge + 1) % core->count], core->vertices[edge]);
    return (oracle_vec){d.y / length(d), -d.x / length(d)};
}

double oracle_gap(const oracle_core *a, const oracle_core *b, oracle_vec axis) {
    double end_a = -DBL_MAX, start_b = DBL_MAX;
    for (int i = 0; i < a->count; i++) end_a = fmax(end_a, dot(axis, a->vertices[i]));
    for (int i = 0; i < b->count; i++) start_b = fmin(start_b, dot(axis, b->vertices[i]));
    return start_b - end_a;
}

// Returns the offset from a point to the nearest point of an edge. A circle has its centre in place
// of an edge.
static oracle_vec to_edge(const oracle_core *core, int edge, oracle_vec point) {
    oracle_vec p = core->vertices[edge], d = subtract(core->vertices[(edge + 1) % core->count], p);
    double square = dot(d, d);
    double t = square > 0 ? dot(subtract(point, p), d) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return subtract((oracle_vec){p.x + t * d.x, p.y + t * d.y}, point);
}

// Returns the shortest offset from a vertex of `from` to an edge of `to`, or `nearest` if that is
// shorter.
static oracle_vec find_nearest(const oracle_core *from, const oracle_core *to, oracle_vec nearest) {
    for (int i = 0; i < from->count; i++)
        for (int k = 0; k < to->count; k++) {
            oracle_vec offset = to_edge(to, k, from->vertices[i]);
            if (dot(offset, offset) < dot(nearest, nearest)) nearest = offset;
        }
    return nearest;
}

double oracle_outline_distance(const oracle_core *core, oracle_vec point) {
    return length(find_nearest(&(oracle_core){{point}, 1, 0}, core, (oracle_vec){1e9, 1e9}));
}

bool oracle_contains(const oracle_core *a, const oracle_core *b) {
    for (int i = 0; i < a->count; i++) {
        if (a->count < 3) return false;
        oracle_vec n = oracle_edge_normal(a, i);
        for (int k = 0; k < b->count; k++)
            if (dot(n, subtract(b->vertices[k], a->vertices[i])) > 0) return false;
    }
    return true;
}

// Tries the edge normals of a; `side` is -1 if the roles of A and B are exchanged.
static void try_edges(const oracle_core *a, const oracle_core *b, double side, oracle_result *r) {
    for (int i = 0; i < oracle_edge_count(a); i++) {
        oracle_vec n = oracle_edge_normal(a, i);
        double gap = oracle_gap(a, b, n);
        if (gap > r->face) {
            r->face = gap;
            r->normal = (oracle_vec){side * n.x, side * n.y};
        }
    }
}

static int count_ties(const oracle_core *a, const oracle_core *b, double face) {
    int ties = 0;
    for (int i = 0; i < oracle_edge_count(a); i++)
        ties += oracle_gap(a, b, oracle_edge_normal(a, i)) > face - 2e-5;
    return ties;
}

oracle_result oracle_collide(const oracle_core *a, const oracle_core *b) {
    oracle_result r = {.face = -DBL_MAX};
    try_edges(a, b, 1, &r);
    try_edges(b, a, -1, &r);
    r.face_ties = count_ties(a, b, r.face) + count_ties(b, a, r.face);
    r.separation = r.face;

    oracle_vec offset = find_nearest(a, b, (oracle_vec){1e9, 1e9});
    offset = negate(find_nearest(b, a, negate(offset)));
    double distance = length(offset);
    if (distance == 0) {
        if (r.face == -DBL_MAX) r.separation = 0; // two circles with one centre
        return r;
    }
    oracle_vec axis = {offset.x / distance, offset.y / distance};
    double gap = oracle_gap(a, b, axis);
    if (gap > r.separation) r.separation = gap, r.normal = axis;
    return r;
}
