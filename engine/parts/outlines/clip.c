/* The common part of two rounded hulls: its moments and its corners.
 *
 * region.c finds the boundary, which consists of straight sides and arcs. Moments are integrals
 * along it (Green's theorem). Each side adds a triangle with one fixed point of the boundary, and
 * each arc adds a segment of a circle as well. Both are exact. The corners are those of the
 * boundary and, on an arc, as many points at equal angles as the tolerance requires. */
#include "curve.h"

#define WELD 1e-9 // of the extent of a region: nearer corners are one corner
#define PI   3.14159265358979323846

static const cn_vec2d *end_of_side(const cn_region *region, int i) {
    return &region->sides[i + 1 < region->count ? i + 1 : 0].from;
}

// ---- moments

// x - sin x for x >= 0, given the sine of x. A Taylor series where the two nearly cancel.
static double angle_minus_sine(double x, double sine) {
    double q = x * x;
    if (x > 0.5) return x - sine;
    return x * q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72 * (1 - q / 110))));
}

// The area between an arc and its chord c, about the arc's centre, with t the angle of the arc:
//     area = r^2 / 2 (t - sin t),  first = |c|^3 / 12 along the normal of c,
//     polar = r^4 / 12 (2 (t - sin t) + (2 t - sin 2 t) / 2)
static cn_moments cap_moments(const cn_region_side *side, cn_vec2d to) {
    double r = side->source->radius, t = side->angle;
    cn_vec2d n = cn_add_scaled(side->from, -1, side->source->center);
    cn_vec2d m = cn_add_scaled(to, -1, side->source->center);
    cn_vec2d c = cn_add_scaled(to, -1, side->from);
    double sine = cn_cross2d(n, m) / (r * r), cosine = cn_dot2d(n, m) / (r * r);
    double once = angle_minus_sine(t, sine), twice = angle_minus_sine(2 * t, 2 * sine * cosine);
    cn_vec2d first = {c.y * cn_dot2d(c, c) / 12, -c.x * cn_dot2d(c, c) / 12};
    return (cn_moments){r * r / 2 * once, first, r * r * r * r / 12 * (2 * once + twice / 2)};
}

cn_moments cn_region_moments(const cn_region *region) {
    cn_moments sum = {0};
    cn_vec2d about = region->sides[0].from;
    for (int i = 0; i < region->count && !region->flat; i++) {
        const cn_region_side *side = &region->sides[i];
        cn_vec2d end = *end_of_side(region, i);
        cn_vec2d p = cn_add_scaled(side->from, -1, about), q = cn_add_scaled(end, -1, about);
        double area = cn_cross2d(p, q) / 2;
        double square = cn_dot2d(p, p) + cn_dot2d(p, q) + cn_dot2d(q, q);
        cn_vec2d first = cn_add_scaled((cn_vec2d){0, 0}, area / 3, cn_add_scaled(p, 1, q));
        cn_add_moments(&sum, (cn_vec2d){0, 0}, (cn_moments){area, first, area * square / 6});
        if (side->angle == 0) continue;
        cn_vec2d center = cn_add_scaled(side->source->center, -1, about);
        cn_add_moments(&sum, center, cap_moments(side, end));
    }
    return sum;
}

// ---- corners

typedef struct {
    const cn_region *region;
    cn_vec2d offset;
    double weld;
    vec2s *points;
    int capacity, count;
    cn_vec2d first, last;
} writer;

static void write_corner(writer *w, cn_vec2d p) {
    if (w->count && cn_is_near(p, w->last, w->weld)) return;
    if (!w->count) w->first = p;
    cn_vec2d at = cn_add_scaled(w->offset, 1, cn_out_of_frame(w->region->frame, p));
    if (w->count < w->capacity) w->points[w->count] = cn_narrow(at);
    w->count++;
    w->last = p;
}

// How many chords stay within the tolerance: a chord of the angle 2 h is r (1 - cos h) off its arc.
// No chord spans more than a quarter turn.
static int count_chords(const cn_region_side *side, double tolerance, int least) {
    double t = fmin(tolerance / side->source->radius, 0.2928932188134525); // 1 - sqrt(1/2)
    double h = cn_angle2d((cn_vec2d){1 - t, sqrt(t * (2 - t))});
    double chords = ceil(side->angle / (2 * fmax(h, PI / CN_CHORDS_OF_TURN)) - 1e-9);
    return cn_max_int((int)chords, least);
}

static void write_arc(writer *w, const cn_region_side *side, double tolerance, int least) {
    int chords = count_chords(side, tolerance, least);
    cn_vec2d center = side->source->center, n = cn_add_scaled(side->from, -1, center);
    for (int k = 1; k < chords; k++) {
        cn_vec2d u = cn_direction2d(side->angle * k / chords);
        cn_vec2d turned = {n.x * u.x - n.y * u.y, n.x * u.y + n.y * u.x};
        write_corner(w, cn_add_scaled(center, 1, turned));
    }
}

// Half the perimeter of the box of a region, or more, because an arc counts as its whole circle.
static double find_extent(const cn_region *region) {
    double extent = 0;
    for (int i = 0; i < region->count; i++) {
        const cn_region_side *side = &region->sides[i];
        cn_vec2d e = cn_add_scaled(side->from, -1, region->sides[0].from);
        double arc = side->angle > 0 ? side->angle * side->source->radius : 0;
        extent = fmax(extent, fabs(e.x) + fabs(e.y) + arc);
    }
    return extent;
}

int cn_region_points(const cn_region *region, cn_vec2d offset, double tolerance, vec2s *points,
                     int capacity) {
    writer w = {.region = region, .offset = offset, .points = points, .capacity = capacity};
    w.weld = 2 * CN_SLACK * region->rounding + WELD * find_extent(region);
    int least = region->count < 3 ? 2 : 1; // two sides enclose an area only with an arc
    for (int i = 0; i < region->count; i++) {
        const cn_region_side *side = &region->sides[i];
        write_corner(&w, side->from);
        if (side->angle > 0) write_arc(&w, side, tolerance, least);
    }
    if (w.count > 1 && cn_is_near(w.first, w.last, w.weld)) w.count--;
    return w.count;
}

// ---- for callers without a world

static cn_mass_data mass_of_region(const cn_region *region, cn_vec2d offset) {
    cn_vec2d about = region->sides[0].from;
    cn_moments m = cn_region_moments(region);
    cn_vec2d middle = cn_add_scaled(*end_of_side(region, 0), -1, about); // if the region is flat
    middle = (cn_vec2d){middle.x / 2, middle.y / 2};
    if (m.area > 0) middle = (cn_vec2d){m.first.x / m.area, m.first.y / m.area};
    m.polar -= m.area * cn_dot2d(middle, middle);
    m.first = (cn_vec2d){0, 0};
    middle = cn_out_of_frame(region->frame, cn_add_scaled(about, 1, middle));
    return cn_mass_of_moments(m, cn_add_scaled(offset, 1, middle), 1);
}

int cn_hull_clip(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b,
                 float tolerance, vec2s *points, int capacity, cn_mass_data *exact) {
    if (!CN_CHECK(cn_check_sized_pair(a, pose_a, b, pose_b) &&
                  cn_require("tolerance", tolerance, FLT_TRUE_MIN, FLT_MAX) &&
                  cn_require_capacity(points, capacity)))
        return 0;
    cn_resting_pair pair = cn_make_resting_pair(a, pose_a, b, pose_b);
    if (exact) *exact = (cn_mass_data){0};
    if (!cn_pair_overlaps(&pair)) return 0;
    cn_curve of_a = cn_curve_at_rest(&pair.a), of_b = cn_curve_at_rest(&pair.b);
    cn_region region;
    cn_find_region(&region, &of_a, &of_b, pair.gap.a, pair.gap.normal, pair.rounding);
    cn_vec2d offset = cn_widen(pose_a.position);
    if (exact) *exact = mass_of_region(&region, offset);
    return cn_region_points(&region, offset, (double)tolerance, points, capacity);
}
