/* What two rounded hulls have in common: the boundary of that region, its moments, its corners.
 *
 * Both are convex, so each consists of the points between a lower chain and an upper chain of pieces,
 * which are functions of x. What they have in common lies between the higher of the two lower chains
 * and the lower of the two upper ones. So vertical lines are drawn through all ends of pieces and all
 * crossings of chains (the cuts). Between two neighbouring cuts, the bottom of the region is one piece
 * and its top is one piece, and a look at the middle tells which:
 *
 *           :  .-:--b-:-.  :          Along a cut the region reaches from bottom to top. This height
 *      -----:-a--:----:----:---       is a concave function of x with all its zeros at cuts, so the
 *     |     :/   :    :   \:   |      region begins at the first cut where the height is not negative
 *     |     |    :    :    |   |      and ends at the last one.
 *
 * Whatever rounding does, each chain has one value at each x: a boundary is always closed, pieces that
 * coincide count once, and no test of a point decides anything. A touch is a region of one cut; two
 * edges that touch, or a segment, give a region without height.
 *
 * The axes are turned so that no edge is nearly vertical, nor is the common normal where the hulls
 * touch nearly horizontal: there are at most 18 such directions, so between some two of them there is
 * room for the y axis, 5 degrees from both.
 *
 * Moments are integrals along the boundary (Green's theorem): a triangle from the origin for each side,
 * and beyond it a segment of a circle for each arc. */
#include "curve.h"

#define SLACK 16.0 // rounding errors by which a height may be negative: slopes multiply them
#define WELD  1e-9 // of the extent of a region: corners nearer than that are one
#define PI    3.14159265358979323846

enum { MAX_PARTS = 24, MAX_DIRECTIONS = 2 * CN_MAX_VERTICES + 2 };

// ---- axes

typedef struct {
    cn_vec2d d[MAX_DIRECTIONS]; // unit, in ascending order of their angles 0 .. pi
    int count;
} directions;

static void add_direction(directions *all, cn_vec2d d) {
    if (d.x == 0 && d.y == 0) return;
    if (d.y < 0 || (d.y == 0 && d.x < 0)) d = (cn_vec2d){-d.x, -d.y};
    int i = all->count++;
    for (; i > 0 && cn_cross2d(all->d[i - 1], d) < 0; i--) all->d[i] = all->d[i - 1];
    all->d[i] = d;
}

static void add_edges(directions *all, const cn_curve *curve) {
    for (int i = 0; i < curve->count; i += 2) {
        const cn_piece *p = &curve->pieces[i];
        add_direction(all, cn_unit2d(cn_add_scaled(p->to, -1, p->from)));
    }
}

// The middle of the widest gap between directions. They include a normal and its tangent, so no gap
// is wider than a quarter turn.
static cn_vec2d find_up(const cn_curve *a, const cn_curve *b, cn_vec2d normal) {
    directions all = {.count = 0};
    add_direction(&all, normal);
    add_direction(&all, (cn_vec2d){-normal.y, normal.x});
    add_edges(&all, a);
    add_edges(&all, b);
    cn_vec2d last = all.d[all.count - 1], before = {-last.x, -last.y}, up = before;
    double least = 2;
    for (int i = 0; i < all.count; i++) {
        double cosine = cn_dot2d(before, all.d[i]);
        if (cosine < least) least = cosine, up = cn_unit2d(cn_add_scaled(before, 1, all.d[i]));
        before = all.d[i];
    }
    return up;
}

// ---- chains

// A piece, or what of it goes one way.
typedef struct {
    cn_vec2d left, right;
    const cn_piece *source;
} part;

typedef struct {
    part parts[MAX_PARTS];
    int count;
    double side; // -1: the lower chain of a curve, 1: the upper one
    double left, right;
} chain;

typedef struct {
    chain lower, upper;
} chains;

static void add_part(chain *to, cn_vec2d left, cn_vec2d right, const cn_piece *source) {
    if (!(left.x < right.x)) return;
    assert(to->count < MAX_PARTS);
    to->parts[to->count++] = (part){left, right, source};
    to->left = fmin(to->left, left.x);
    to->right = fmax(to->right, right.x);
}

// Counter-clockwise the lower chain goes right and the upper one goes left.
static void add_span(chains *to, cn_vec2d from, cn_vec2d end, bool lower, const cn_piece *source) {
    if (lower)
        add_part(&to->lower, from, end, source);
    else
        add_part(&to->upper, end, from, source);
}

// Cut where it is as high as its centre: at angles that are multiples of pi.
static void add_arc(chains *to, const cn_piece *arc) {
    double at = cn_angle2d(cn_add_scaled(arc->from, -1, arc->center)), end = at + arc->angle;
    int half = (int)floor(at / PI); // -1: from -pi to 0
    cn_vec2d from = arc->from;
    for (; PI * (half + 1) < end; half++) {
        bool lower = half & 1;
        cn_vec2d corner = {arc->center.x + (lower ? arc->radius : -arc->radius), arc->center.y};
        add_span(to, from, corner, lower, arc);
        from = corner;
    }
    add_span(to, from, arc->to, half & 1, arc);
}

static chains make_chains(const cn_curve *curve) {
    chains made = {{.side = -1, .left = DBL_MAX, .right = -DBL_MAX},
                   {.side = 1, .left = DBL_MAX, .right = -DBL_MAX}};
    for (int i = 0; i < curve->count; i++) {
        const cn_piece *p = &curve->pieces[i];
        if (p->radius == 0)
            add_span(&made, p->from, p->to, p->from.x < p->to.x, p);
        else if (p->angle > 0)
            add_arc(&made, p);
    }
    return made;
}

static double height_of_part(const part *p, double side, double x) {
    if (x <= p->left.x) return p->left.y;
    if (x >= p->right.x) return p->right.y;
    double r = p->source->radius, away = x - p->source->center.x;
    if (r > 0) return p->source->center.y + side * sqrt(fmax(0, (r - away) * (r + away)));
    return p->left.y + (x - p->left.x) / (p->right.x - p->left.x) * (p->right.y - p->left.y);
}

static double miss(const part *p, double x) { return fmax(fmax(p->left.x - x, x - p->right.x), 0); }

// The outermost part at x, or the nearest one beyond the ends.
static const part *part_at(const chain *c, double x) {
    const part *best = &c->parts[0];
    for (int i = 1; i < c->count; i++) {
        const part *p = &c->parts[i];
        double nearer = miss(best, x) - miss(p, x);
        double outer = c->side * (height_of_part(p, c->side, x) - height_of_part(best, c->side, x));
        if (nearer > 0 || (nearer == 0 && outer > 0)) best = p;
    }
    return best;
}

static double height_at(const chain *c, double x) {
    return height_of_part(part_at(c, x), c->side, x);
}

// ---- cuts

typedef struct {
    double x[CN_MAX_CUTS];
    int first, count;
} cuts;

// Keeps them in ascending order from index `first` on, each once.
static void add_cut(cuts *all, double x) {
    int i = all->count;
    while (i > all->first && all->x[i - 1] > x) i--;
    if (i > all->first && all->x[i - 1] == x) return;
    assert(all->count < CN_MAX_CUTS);
    memmove(&all->x[i + 1], &all->x[i], (size_t)(all->count++ - i) * sizeof *all->x);
    all->x[i] = x;
}

static void cut_at_ends(cuts *all, const chain *c) {
    double left = all->x[0], right = all->x[all->count - 1];
    for (int i = 0; i < c->count; i++) {
        if (c->parts[i].left.x > left && c->parts[i].left.x < right)
            add_cut(all, c->parts[i].left.x);
        if (c->parts[i].right.x > left && c->parts[i].right.x < right)
            add_cut(all, c->parts[i].right.x);
    }
}

// The ends of all parts within the x that both curves reach, and the x of the point where they touch.
static cuts cut_at_corners(const chains *a, const chains *b, double touch) {
    double left = fmax(a->lower.left, b->lower.left);
    double right = fmin(a->lower.right, b->lower.right);
    if (left > right) left = right = (left + right) / 2; // they touch there
    cuts all = {.count = 0};
    add_cut(&all, left);
    add_cut(&all, right);
    if (touch > left && touch < right) add_cut(&all, touch);
    const chain *four[] = {&a->lower, &a->upper, &b->lower, &b->upper};
    for (int i = 0; i < 4; i++) cut_at_ends(&all, four[i]);
    assert(all.count <= CN_MAX_CORNERS);
    return all;
}

static void cut_at_crossings(cuts *all, const chain *a, const chain *b, double left, double right,
                             double rounding) {
    cn_vec2d points[2];
    double middle = left + (right - left) / 2;
    const cn_piece *p = part_at(a, middle)->source, *q = part_at(b, middle)->source;
    int count = cn_pieces_meet(p, q, rounding, points);
    for (int i = 0; i < count; i++)
        if (points[i].x > left && points[i].x < right) add_cut(all, points[i].x);
}

static cuts find_cuts(const chains *a, const chains *b, double touch, double rounding) {
    cuts corners = cut_at_corners(a, b, touch), all = {.count = 0};
    const chain *of_a[] = {&a->lower, &a->upper}, *of_b[] = {&b->lower, &b->upper};
    for (int i = 0; i < corners.count; i++) {
        all.first = all.count;
        add_cut(&all, corners.x[i]);
        for (int k = 0; k < 4 && i + 1 < corners.count; k++)
            cut_at_crossings(&all, of_a[k & 1], of_b[k >> 1], corners.x[i], corners.x[i + 1],
                             rounding);
    }
    return all;
}

// ---- the boundary

typedef struct {
    cn_vec2d bottom, top;
} span;

static span span_at(const chains *a, const chains *b, double x) {
    double bottom = fmax(height_at(&a->lower, x), height_at(&b->lower, x));
    double top = fmin(height_at(&a->upper, x), height_at(&b->upper, x));
    if (bottom > top) bottom = top = (bottom + top) / 2; // by rounding
    return (span){{x, bottom}, {x, top}};
}

static bool reaches(const chains *a, const chains *b, double x, double rounding) {
    double bottom = fmax(height_at(&a->lower, x), height_at(&b->lower, x));
    double top = fmin(height_at(&a->upper, x), height_at(&b->upper, x));
    return top - bottom >= -SLACK * rounding;
}

// Of the two parts at x, the one that is farther inside.
static const cn_piece *inner_piece(const chain *a, const chain *b, double x) {
    const part *p = part_at(a, x), *q = part_at(b, x);
    double outer = a->side * (height_of_part(p, a->side, x) - height_of_part(q, a->side, x));
    return outer > 0 ? q->source : p->source;
}

static double angle_of_side(const cn_piece *source, cn_vec2d from, cn_vec2d to) {
    if (!source || source->radius == 0) return 0;
    cn_vec2d n = cn_add_scaled(from, -1, source->center), m = cn_add_scaled(to, -1, source->center);
    return fmax(0, cn_angle2d((cn_vec2d){cn_dot2d(n, m), cn_cross2d(n, m)}));
}

static bool is_near(cn_vec2d p, cn_vec2d q, double distance) {
    return fabs(p.x - q.x) <= distance && fabs(p.y - q.y) <= distance;
}

// Sides along one piece are one side; what is no longer than rounding is none.
static void add_side(cn_region *region, cn_vec2d from, cn_vec2d to, const cn_piece *source) {
    if (is_near(from, to, SLACK * region->rounding)) return;
    double angle = angle_of_side(source, from, to);
    cn_region_side *last = region->count ? &region->sides[region->count - 1] : NULL;
    if (last && source && last->source == source)
        last->angle += angle;
    else
        region->sides[region->count++] = (cn_region_side){from, source, angle};
}

static void close_boundary(cn_region *region) {
    cn_region_side *first = &region->sides[0], *last = &region->sides[region->count - 1];
    if (region->count < 2 || !first->source || first->source != last->source) return;
    first->from = last->from;
    first->angle += last->angle;
    region->count--;
}

// From cut `first` to cut `last`, and back.
static void trace_boundary(cn_region *region, const chains *a, const chains *b, const cuts *all,
                           int first, int last) {
    span begin = span_at(a, b, all->x[first]), end = span_at(a, b, all->x[last]), left = begin;
    for (int i = first; i < last; i++) {
        span right = span_at(a, b, all->x[i + 1]);
        double middle = all->x[i] + (all->x[i + 1] - all->x[i]) / 2;
        add_side(region, left.bottom, right.bottom, inner_piece(&a->lower, &b->lower, middle));
        left = right;
    }
    add_side(region, end.bottom, end.top, NULL);
    span right = end;
    for (int i = last; i > first; i--) {
        left = span_at(a, b, all->x[i - 1]);
        double middle = all->x[i - 1] + (all->x[i] - all->x[i - 1]) / 2;
        add_side(region, right.top, left.top, inner_piece(&a->upper, &b->upper, middle));
        right = left;
    }
    add_side(region, begin.top, begin.bottom, NULL);
    close_boundary(region);
}

static const cn_vec2d *end_of_side(const cn_region *region, int i) {
    return &region->sides[i + 1 < region->count ? i + 1 : 0].from;
}

// A region no thicker than rounding becomes the segment from its first to its last point.
static void flatten(cn_region *region, cn_vec2d first, cn_vec2d last) {
    double extent = fabs(last.x - first.x) + fabs(last.y - first.y);
    if (cn_region_moments(region).area > SLACK * region->rounding * extent) return;
    region->flat = true;
    region->count = 2;
    region->sides[0] = (cn_region_side){.from = first};
    region->sides[1] = (cn_region_side){.from = last};
}

void cn_find_region(cn_region *region, const cn_curve *a, const cn_curve *b, cn_vec2d near,
                    cn_vec2d normal, double rounding) {
    region->count = 0;
    region->flat = false;
    region->rounding = rounding;
    region->frame = (cn_frame){near, find_up(a, b, normal)};
    region->curves[0] = cn_curve_in(region->frame, a);
    region->curves[1] = cn_curve_in(region->frame, b);
    chains of_a = make_chains(&region->curves[0]), of_b = make_chains(&region->curves[1]);
    cuts all = find_cuts(&of_a, &of_b, 0, rounding);
    int first = 0, last = all.count - 1;
    while (first < last && !reaches(&of_a, &of_b, all.x[first], rounding)) first++;
    while (first < last && !reaches(&of_a, &of_b, all.x[last], rounding)) last--;
    trace_boundary(region, &of_a, &of_b, &all, first, last);
    flatten(region, span_at(&of_a, &of_b, all.x[first]).bottom,
            span_at(&of_a, &of_b, all.x[last]).bottom);
}

// ---- moments

// x - sin x, for x >= 0, of which the sine is known: a Taylor series where these nearly cancel.
static double minus_sine(double x, double sine) {
    double q = x * x;
    if (x > 0.5) return x - sine;
    return x * q / 6 * (1 - q / 20 * (1 - q / 42 * (1 - q / 72 * (1 - q / 110))));
}

// What an arc cuts off beyond its chord c, about its centre, with t its angle:
//     area = r^2 / 2 (t - sin t),  first = |c|^3 / 12 along the normal of c,
//     polar = r^4 / 12 (2 (t - sin t) + (2 t - sin 2 t) / 2)
static cn_moments cap_moments(const cn_region_side *side, cn_vec2d to) {
    double r = side->source->radius, t = side->angle;
    cn_vec2d n = cn_add_scaled(side->from, -1, side->source->center);
    cn_vec2d m = cn_add_scaled(to, -1, side->source->center), c = cn_add_scaled(m, -1, n);
    double sine = cn_cross2d(n, m) / (r * r), cosine = cn_dot2d(n, m) / (r * r);
    double once = minus_sine(t, sine), twice = minus_sine(2 * t, 2 * sine * cosine);
    cn_vec2d first = {c.y * cn_dot2d(c, c) / 12, -c.x * cn_dot2d(c, c) / 12};
    return (cn_moments){r * r / 2 * once, first, r * r * r * r / 12 * (2 * once + twice / 2)};
}

cn_moments cn_region_moments(const cn_region *region) {
    cn_moments sum = {0};
    for (int i = 0; i < region->count && !region->flat; i++) {
        const cn_region_side *side = &region->sides[i];
        cn_vec2d p = side->from, q = *end_of_side(region, i);
        double area = cn_cross2d(p, q) / 2;
        double square = cn_dot2d(p, p) + cn_dot2d(p, q) + cn_dot2d(q, q);
        cn_vec2d first = cn_add_scaled((cn_vec2d){0, 0}, area / 3, cn_add_scaled(p, 1, q));
        cn_add_moments(&sum, (cn_vec2d){0, 0}, (cn_moments){area, first, area * square / 6});
        if (side->angle > 0) cn_add_moments(&sum, side->source->center, cap_moments(side, q));
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
    if (w->count && is_near(p, w->last, w->weld)) return;
    if (!w->count) w->first = p;
    cn_vec2d at = cn_add_scaled(w->offset, 1, cn_out_of_frame(w->region->frame, p));
    if (w->count < w->capacity) w->points[w->count] = cn_narrow(at);
    w->count++;
    w->last = p;
}

// How many chords stay within the tolerance: a chord of the angle 2 h is r (1 - cos h) off. None spans
// more than a quarter turn.
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

// Half the outline of the box of a region, or more: an arc reaches no farther than its circle.
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
    w.weld = 2 * SLACK * region->rounding + WELD * find_extent(region);
    int least = region->count < 3 ? 2 : 1; // two sides span an area if one of them bends
    for (int i = 0; i < region->count; i++) {
        const cn_region_side *side = &region->sides[i];
        write_corner(&w, side->from);
        if (side->angle > 0) write_arc(&w, side, tolerance, least);
    }
    if (w.count > 1 && is_near(w.first, w.last, w.weld)) w.count--;
    return w.count;
}

// ---- for callers without a world

bool cn_check_room(const void *array, int capacity) {
    if (capacity < 0)
        return cn_fail(CN_ERROR_RANGE, "the capacity is %d; it must be 0 or more", capacity);
    if (array || capacity == 0) return true;
    return cn_fail(CN_ERROR_HANDLE, "there is room for %d, but the array is NULL", capacity);
}

static cn_mass mass_of_region(const cn_region *region, cn_vec2d offset) {
    cn_vec2d origin = cn_add_scaled(offset, 1, region->frame.origin), middle = {0, 0};
    cn_moments m = cn_region_moments(region);
    if (region->flat)
        middle = cn_add_scaled(cn_add_scaled(middle, 0.5, region->sides[0].from), 0.5,
                               region->sides[1].from);
    if (m.area > 0) middle = (cn_vec2d){m.first.x / m.area, m.first.y / m.area};
    m.polar -= m.area * cn_dot2d(middle, middle);
    m.first = (cn_vec2d){0, 0};
    cn_frame axes = {origin, region->frame.up};
    return cn_mass_of_moments(m, cn_out_of_frame(axes, middle), 1);
}

int cn_clip(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b, float tolerance,
            vec2s *points, int capacity, cn_mass *exact) {
    if (!CN_CHECK(cn_check_pair(a, pose_a, b, pose_b) &&
                  cn_require("tolerance", tolerance, FLT_TRUE_MIN, FLT_MAX) &&
                  cn_check_room(points, capacity)))
        return 0;
    cn_resting_pair pair = cn_rest_pair(a, pose_a, b, pose_b);
    if (exact) *exact = (cn_mass){0};
    if (!cn_pair_meets(&pair)) return 0;
    cn_curve of_a = cn_curve_at_rest(&pair.a), of_b = cn_curve_at_rest(&pair.b);
    cn_region region;
    cn_find_region(&region, &of_a, &of_b, pair.gap.a, pair.gap.normal, pair.rounding);
    cn_vec2d offset = cn_widen(pose_a.position);
    if (exact) *exact = mass_of_region(&region, offset);
    return cn_region_points(&region, offset, (double)tolerance, points, capacity);
}
