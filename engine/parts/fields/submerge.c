/* The part of a hull A that lies in a hull B, for fields: cn_submerge().
 *
 * Most hulls lie completely in a field, or one edge of the field cuts them. So there are four
 * methods, all exact. The first that applies is used:
 *
 *   whole    A lies completely in B.
 *   clip     Neither hull is rounded: each edge of B that cuts A clips the polygon of A.
 *   cut      A is rounded, and one straight edge of B cuts it.
 *   region   All other cases: the common region of two curves (region.c).
 *
 * The chords of the result are the parts of the boundary of B that lie in A: the waterline.
 *
 *          .---------.
 *         |     A     |
 *     ----+===========+----  edge of B, with the chord
 *     ~~~~|~~~~~~~~~~~|~~~~
 *     ~~~~~'---------'~~~~~
 */
#include "submerge.h"

#include "../outlines/curve.h"

enum { MAX_CORNERS = 3 * CN_MAX_VERTICES, MAX_CHORDS = 2 * CN_MAX_VERTICES };

#define TURN 6.283185307179586

// A polygon that is being clipped. `edge` is the edge of B on which the side from a corner lies;
// -1: it is a side of A.
typedef struct {
    cn_vec2d corners[MAX_CORNERS];
    int edge[MAX_CORNERS];
    int count;
} polygon;

// ---- hulls

// Writes the corners of a box, a capsule or a circle: on its two half axes.
static void place_box(cn_hulld *hull, const cn_placed_hull *placed, cn_vec2d position) {
    cn_rotation q = placed->pose.rotation;
    cn_vec2d x = cn_rotate2d(q, (cn_vec2d){(double)placed->hx, 0});
    cn_vec2d y = cn_rotate2d(q, (cn_vec2d){0, (double)placed->hy});
    if (hull->count == 2) y = (cn_vec2d){0, 0};
    cn_vec2d left = cn_minus2d(position, x), right = cn_add_scaled(position, 1, x);
    hull->vertices[0] = cn_minus2d(left, y);
    hull->vertices[1] = cn_minus2d(right, y);
    hull->vertices[2] = cn_add_scaled(right, 1, y);
    hull->vertices[3] = cn_add_scaled(left, 1, y);
}

void cn_set_hulld(cn_hulld *hull, const cn_placed_hull *placed, const cn_hull8 *pool,
                  cn_vec2d position) {
    hull->count = cn_placed_count(placed);
    hull->radius = (double)placed->radius;
    if (cn_placed_class(placed) == CN_CLASS_BOX) {
        place_box(hull, placed, position);
        return;
    }
    const cn_hull8 *corners = &pool[placed->hull];
    for (int i = 0; i < hull->count; i++) {
        cn_vec2d local = {(double)corners->x[i], (double)corners->y[i]};
        hull->vertices[i] = cn_add_scaled(position, 1, cn_rotate2d(placed->pose.rotation, local));
    }
}

void cn_find_normals(cn_hulld *hull) {
    for (int i = 0; i < hull->count; i++) {
        cn_vec2d e = cn_minus2d(hull->vertices[i + 1 < hull->count ? i + 1 : 0], hull->vertices[i]);
        hull->normals[i] = cn_unit2d((cn_vec2d){e.y, -e.x});
    }
}

// ---- whole hulls

// Area and centroid of a polygon, in triangles with its first corner.
static void measure_polygon(const cn_vec2d *corners, int count, double *area, cn_vec2d *centroid) {
    cn_vec2d first = {0, 0};
    double twice = 0;
    for (int i = 1; i + 1 < count; i++) {
        cn_vec2d p = cn_minus2d(corners[i], corners[0]), q = cn_minus2d(corners[i + 1], corners[0]);
        double cross = cn_cross2d(p, q);
        twice += cross;
        first = cn_add_scaled(first, cross, cn_add_scaled(p, 1, q));
    }
    *area = twice / 2;
    *centroid = twice > 0 ? cn_add_scaled(corners[0], 1 / (3 * twice), first) : corners[0];
}

// Makes a region empty. (A region is large, so its array of sides is not set.)
static void begin_region(cn_region *region) {
    region->frame = (cn_frame){{0, 0}, {0, 1}};
    region->count = 0;
    region->flat = false;
}

static void add_side(cn_region *region, cn_vec2d from, const cn_piece *source, double angle) {
    region->sides[region->count++] = (cn_region_side){from, source, angle};
}

// `start` is where the outline of a circle begins, as in cn_curve_of().
static cn_curve curve_of(const cn_hulld *hull, cn_vec2d start) {
    return cn_curve_of(hull->vertices, hull->count, hull->radius, start);
}

// Area and centroid of a region, in the frame of the hulls.
static void measure_region(const cn_region *region, double *area, cn_vec2d *centroid) {
    cn_moments m = cn_region_moments(region);
    cn_vec2d middle = region->sides[0].from;
    if (m.area > 0) middle = cn_add_scaled(middle, 1 / m.area, m.first);
    *area = m.area;
    *centroid = cn_out_of_frame(region->frame, middle);
}

static void measure_rounded(const cn_hulld *hull, double *area, cn_vec2d *centroid) {
    cn_curve curve = curve_of(hull, (cn_vec2d){0, -1});
    cn_region region;
    begin_region(&region);
    for (int i = 0; i < curve.count; i++) {
        const cn_piece *p = &curve.pieces[i];
        add_side(&region, p->from, p, p->radius > 0 ? p->angle : 0);
    }
    measure_region(&region, area, centroid);
}

void cn_measure_hull(const cn_hulld *hull, double *area, cn_vec2d *centroid) {
    double r = hull->radius, circle = TURN / 2 * r * r;
    cn_vec2d axis = cn_minus2d(hull->vertices[hull->count - 1], hull->vertices[0]);
    if (hull->count <= 2) {
        *area = circle + 2 * r * sqrt(cn_dot2d(axis, axis));
        *centroid = cn_add_scaled(hull->vertices[0], 0.5, axis);
    } else if (r == 0) {
        measure_polygon(hull->vertices, hull->count, area, centroid);
    } else {
        measure_rounded(hull, area, centroid);
    }
}

// ---- where A is relative to the edges of B

void cn_find_heights(const cn_hulld *a, const cn_hulld *b, int i, double *least, double *greatest) {
    *least = DBL_MAX, *greatest = -DBL_MAX;
    for (int k = 0; k < a->count; k++) {
        double height = cn_dot2d(b->normals[i], cn_minus2d(a->vertices[k], b->vertices[i]));
        *least = cn_min2d(*least, height), *greatest = cn_max2d(*greatest, height);
    }
    *least -= a->radius, *greatest += a->radius;
}

// The edges of B that cut A, as bits; -1: A lies beyond one of them.
static int find_cutting_edges(const cn_hulld *a, cn_circled around, const cn_hulld *b) {
    int cutting = 0;
    for (int i = 0; i < b->count; i++) {
        double least, greatest;
        cn_vec2d r = cn_minus2d(around.center, b->vertices[i]);
        if (cn_dot2d(b->normals[i], r) + around.radius <= 0) continue;
        cn_find_heights(a, b, i, &least, &greatest);
        if (least >= 0) return -1;
        if (greatest > 0) cutting |= 1 << i;
    }
    return cutting;
}

// True if a rounded hull B contains A: each vertex of A is inside B by at least the radius of A.
static bool contains(const cn_hulld *b, const cn_hulld *a) {
    double within = b->radius - a->radius;
    if (within < 0) return false;
    for (int k = 0; k < a->count; k++) {
        cn_vec2d p = a->vertices[k];
        bool inside = b->count > 2;
        double square = DBL_MAX; // of the distance from the core of B
        for (int i = 0; i < b->count; i++) {
            cn_vec2d r = cn_minus2d(p, b->vertices[i]), n = b->normals[i], along = {-n.y, n.x};
            cn_vec2d e = cn_minus2d(b->vertices[i + 1 < b->count ? i + 1 : 0], b->vertices[i]);
            double t = cn_dot2d(r, along), length = cn_dot2d(e, along);
            t = cn_max2d(0, cn_min2d(t, length));
            cn_vec2d away = cn_add_scaled(r, -t, along);
            square = cn_min2d(square, cn_dot2d(away, away));
            inside &= cn_dot2d(r, n) <= 0;
        }
        if (!inside && square > within * within) return false;
    }
    return true;
}

// ---- clip: polygons

// Each edge adds a corner, and by rounding a few more.
static void add_corner(polygon *p, cn_vec2d corner, int edge) {
    if (p->count == MAX_CORNERS) return;
    p->corners[p->count] = corner;
    p->edge[p->count++] = edge;
}

// Writes the part of a polygon below edge i of B. (The method of Sutherland and Hodgman, 1974.)
static void clip_by_edge(const polygon *from, polygon *to, const cn_hulld *b, int i) {
    cn_vec2d n = b->normals[i], u = from->corners[from->count - 1];
    int edge = from->edge[from->count - 1];
    double offset = cn_dot2d(n, b->vertices[i]), hu = cn_dot2d(n, u) - offset;
    to->count = 0;
    for (int k = 0; k < from->count; k++) { // the side from u to v
        cn_vec2d v = from->corners[k];
        double hv = cn_dot2d(n, v) - offset;
        if (hu <= 0) add_corner(to, u, hu == 0 && hv > 0 ? i : edge);
        if ((hu < 0 && hv > 0) || (hu > 0 && hv < 0))
            add_corner(to, cn_add_scaled(u, hu / (hu - hv), cn_minus2d(v, u)), hu < 0 ? i : edge);
        u = v, hu = hv, edge = from->edge[k];
    }
}

static void add_chord(cn_submersion *s, cn_vec2d from, cn_vec2d to, cn_vec2d normal) {
    if (s->chord_count == MAX_CHORDS) return;
    s->chords[s->chord_count++] = (cn_chord){from, to, normal};
}

static void submerge_polygon(cn_submersion *s, const cn_hulld *a, const cn_hulld *b, int cutting) {
    polygon polygons[2], *p = &polygons[0], *next = &polygons[1];
    p->count = a->count;
    for (int k = 0; k < a->count; k++) p->corners[k] = a->vertices[k], p->edge[k] = -1;
    for (int i = 0; i < b->count && p->count; i++) {
        if (!(cutting >> i & 1)) continue;
        clip_by_edge(p, next, b, i);
        polygon *last = p;
        p = next, next = last;
    }
    if (p->count < 3) return;
    measure_polygon(p->corners, p->count, &s->area, &s->centroid);
    for (int k = 0; k < p->count; k++)
        if (p->edge[k] >= 0)
            add_chord(s, p->corners[k], p->corners[k + 1 < p->count ? k + 1 : 0],
                      b->normals[p->edge[k]]);
}

// ---- cut: a rounded hull and one straight line

// The line n . x = offset, and the region below it.
typedef struct {
    cn_vec2d n;
    double offset;
    cn_region *region;
} cutter;

// Keeps the part of an arc between two of its points. It spans at most half a turn, because the
// outline of a circle begins at its lowest point. So a negative angle is 0, except for rounding.
static void keep_arc(cutter *c, const cn_piece *arc, cn_vec2d from, cn_vec2d to) {
    cn_vec2d p = cn_minus2d(from, arc->center), q = cn_minus2d(to, arc->center);
    double angle = cn_angle2d((cn_vec2d){cn_dot2d(p, q), cn_cross2d(p, q)});
    if (angle < 0 && cn_dot2d(p, q) < 0) angle += TURN; // half a turn
    add_side(c->region, from, arc, fmax(angle, 0));
}

static void cut_straight(cutter *c, const cn_piece *p) {
    double h = cn_dot2d(c->n, p->from) - c->offset, next = cn_dot2d(c->n, p->to) - c->offset;
    if (h <= 0) add_side(c->region, p->from, p, 0);
    if (h <= 0 && next <= 0) return;
    if (h > 0 && next > 0) return;
    cn_vec2d crossing = cn_add_scaled(p->from, h / (h - next), cn_minus2d(p->to, p->from));
    add_side(c->region, crossing, h <= 0 ? NULL : p, 0); // NULL: the chord begins
}

// True if a direction from the centre meets the arc, which spans half a turn at most, or all of it.
static bool is_on_arc(const cn_piece *arc, cn_vec2d direction) {
    if (arc->angle == TURN) return true;
    cn_vec2d p = cn_minus2d(arc->from, arc->center), q = cn_minus2d(arc->to, arc->center);
    return cn_cross2d(p, direction) >= 0 && cn_cross2d(direction, q) >= 0;
}

// The arc leaves the region at `out`, and comes in at `in`.
static void cut_arc(cutter *c, const cn_piece *arc) {
    double away = c->offset - cn_dot2d(c->n, arc->center), r = arc->radius;
    bool begins = cn_dot2d(c->n, arc->from) <= c->offset,
         ends = cn_dot2d(c->n, arc->to) <= c->offset;
    if (!(away > -r)) return; // the circle is beyond the line
    if (away >= r) {
        add_side(c->region, arc->from, arc, arc->angle);
        return;
    }
    double half = sqrt((r - away) * (r + away));
    cn_vec2d foot = cn_add_scaled(arc->center, away, c->n), along = {-c->n.y, c->n.x};
    cn_vec2d out = cn_add_scaled(foot, -half, along), in = cn_add_scaled(foot, half, along);
    cn_vec2d down = {-c->n.x, -c->n.y};
    if (begins && ends && !is_on_arc(arc, c->n)) {
        add_side(c->region, arc->from, arc, arc->angle);
    } else if (begins) {
        keep_arc(c, arc, arc->from, out);
        add_side(c->region, out, NULL, 0);
        if (ends) keep_arc(c, arc, in, arc->to);
    } else if (ends) {
        keep_arc(c, arc, in, arc->to);
    } else if (is_on_arc(arc, down)) {
        keep_arc(c, arc, in, out);
        add_side(c->region, out, NULL, 0);
    }
}

static cn_vec2d end_of_side(const cn_region *region, int i) {
    return region->sides[i + 1 < region->count ? i + 1 : 0].from;
}

static void submerge_rounded(cn_submersion *s, const cn_hulld *a, const cn_hulld *b, int edge) {
    cn_vec2d n = b->normals[edge];
    cn_curve curve = curve_of(a, (cn_vec2d){-n.x, -n.y});
    cn_region region;
    begin_region(&region);
    cutter c = {n, cn_dot2d(n, b->vertices[edge]), &region};
    for (int i = 0; i < curve.count; i++) {
        const cn_piece *p = &curve.pieces[i];
        if (i & 1)
            cut_arc(&c, p);
        else
            cut_straight(&c, p);
    }
    if (region.count < 2) return;
    measure_region(&region, &s->area, &s->centroid);
    for (int i = 0; i < region.count; i++)
        if (!region.sides[i].source)
            add_chord(s, region.sides[i].from, end_of_side(&region, i), c.n);
}

// ---- region: everything else

static cn_swept_hull still_hull(const cn_hulld *hull) {
    cn_swept_hull still = {.sweep = {.start = {1, 0}, .end_fraction = 1},
                           .count = hull->count,
                           .radius = hull->radius};
    for (int i = 0; i < hull->count; i++) {
        still.vertices[i] = hull->vertices[i];
        still.extent = cn_max2d(still.extent, sqrt(cn_dot2d(hull->vertices[i], hull->vertices[i])));
    }
    return still;
}

static bool is_side_of(const cn_region_side *side, const cn_curve *curve) {
    return side->source >= curve->pieces && side->source < curve->pieces + curve->count;
}

// Not inlined, because a region has 28 KB: WebAssembly programs have a stack of 64 KB by default.
static __attribute__((noinline)) void submerge_region(cn_submersion *s, const cn_hulld *a,
                                                      const cn_hulld *b) {
    cn_swept_hull still_a = still_hull(a), still_b = still_hull(b);
    cn_gapd gap = cn_gap_at(&still_a, &still_b, 0);
    double size = still_a.extent + still_a.radius + still_b.extent + still_b.radius;
    if (gap.distance >= 0) return;
    cn_vec2d start = {0, -1};
    cn_curve of_a = curve_of(a, start), of_b = curve_of(b, start);
    cn_region region;
    cn_find_region(&region, &of_a, &of_b, gap.a, gap.normal, CN_ROUNDING * size);
    if (region.flat) return;
    measure_region(&region, &s->area, &s->centroid);
    for (int i = 0; i < region.count; i++) {
        if (!is_side_of(&region.sides[i], &region.curves[1])) continue;
        cn_vec2d from = cn_out_of_frame(region.frame, region.sides[i].from);
        cn_vec2d to = cn_out_of_frame(region.frame, end_of_side(&region, i));
        add_chord(s, from, to, cn_unit2d((cn_vec2d){to.y - from.y, from.x - to.x}));
    }
}

// ---- the call

static double area_of(const cn_hulld *hull) {
    double twice = 0, edges = 0, r = hull->radius;
    cn_vec2d last = cn_minus2d(hull->vertices[hull->count - 1], hull->vertices[0]);
    for (int i = 0; i < hull->count; i++) {
        cn_vec2d p = cn_minus2d(hull->vertices[i], hull->vertices[0]);
        cn_vec2d e = cn_minus2d(p, last);
        twice += cn_cross2d(last, p);
        if (r > 0) edges += sqrt(cn_dot2d(e, e));
        last = p;
    }
    return twice / 2 + r * (edges + TURN / 2 * r);
}

static bool is_single_bit(int bits) { return (bits & (bits - 1)) == 0; }

void cn_submerge(cn_submersion *s, const cn_hulld *a, cn_circled around, const cn_hulld *b) {
    s->area = 0, s->chord_count = 0;
    s->whole = area_of(a);
    bool straight = b->radius == 0;
    int cutting = straight ? find_cutting_edges(a, around, b) : 0;
    if (cutting < 0 || s->whole == 0) return;
    if (straight ? cutting == 0 : contains(b, a))
        cn_measure_hull(a, &s->area, &s->centroid);
    else if (straight && a->radius == 0)
        submerge_polygon(s, a, b, cutting);
    else if (straight && is_single_bit(cutting))
        submerge_rounded(s, a, b, __builtin_ctz((unsigned)cutting));
    else
        submerge_region(s, a, b);
}
