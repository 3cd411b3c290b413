/* The common region of two rounded hulls.
 *
 * Both are convex, so each consists of the points between a lower chain and an upper chain of
 * pieces, which are functions of x. The region lies between the higher of the two lower chains and
 * the lower of the two upper chains. Vertical lines, the cuts, go through all ends of pieces and
 * all crossings of chains. Between two neighbouring cuts, the bottom of the region is one piece and
 * its top is one piece, and a test in the middle tells which:
 *
 *           :  .-:--b-:-.  :         Along a cut the region reaches from bottom to top. This height
 *      -----:-a--:----:----:---      is a concave function of x with all its zeros at cuts. So the
 *     |     :/   :    :   \:   |     region begins at the first cut where the height is not
 *     |     |    :    :    |   |     negative, and ends at the last one.
 *
 * Each chain has one value at each x, whatever the rounding. So a boundary is always closed, pieces
 * that coincide count once, and nothing depends on whether a point is inside. A touch is a region
 * of one cut. Two edges that touch, or a segment, give a region without height.
 *
 * The axes are turned so that no edge is nearly vertical, and no common normal is nearly horizontal
 * where the hulls touch. There are at most 18 such directions, so the widest gap between two
 * of them is 10 degrees or more, and the y axis lies in its middle. */
#include "curve.h"

#define PI 3.14159265358979323846

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

// A piece, or the part of it along which x only grows or only falls.
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

// In counter-clockwise order the lower chain goes right and the upper chain goes left.
static void add_span(chains *to, cn_vec2d from, cn_vec2d end, bool lower, const cn_piece *source) {
    if (lower)
        add_part(&to->lower, from, end, source);
    else
        add_part(&to->upper, end, from, source);
}

// Cuts the arc at the height of its centre, which is at angles that are multiples of pi.
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

static double distance_outside(const part *p, double x) {
    return fmax(fmax(p->left.x - x, x - p->right.x), 0);
}

// The outermost part at x. Beyond the ends of the chain, the nearest part.
static const part *part_at(const chain *c, double x) {
    const part *best = &c->parts[0];
    for (int i = 1; i < c->count; i++) {
        const part *p = &c->parts[i];
        double nearer = distance_outside(best, x) - distance_outside(p, x);
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

// Inserts a cut, unless it is there already. Cuts are in ascending order from index `first` on.
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

// Cuts at the ends of all parts within the range of x that both curves reach, and at the x of the
// point where they touch.
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
    if (bottom > top) bottom = top = (bottom + top) / 2; // only by rounding
    return (span){{x, bottom}, {x, top}};
}

static double thickness_at(const chains *a, const chains *b, double x) {
    double bottom = fmax(height_at(&a->lower, x), height_at(&b->lower, x));
    double top = fmin(height_at(&a->upper, x), height_at(&b->upper, x));
    return top - bottom;
}

// True if the region reaches cut i. At the end of a chain an arc is steep, so a crossing there,
// which is rounded onto the cut, may look open. So the middle between the cut and its neighbour
// `beside` is tested too: between cuts there is no crossing.
static bool reaches(const chains *a, const chains *b, const cuts *all, int i, int beside,
                    double rounding) {
    double x = all->x[i], middle = x + (all->x[beside] - x) / 2;
    return thickness_at(a, b, x) >= -CN_SLACK * rounding || thickness_at(a, b, middle) > 0;
}

// The piece at x that is farther inside.
static const cn_piece *inner_piece(const chain *a, const chain *b, double x) {
    const part *p = part_at(a, x), *q = part_at(b, x);
    double outer = a->side * (height_of_part(p, a->side, x) - height_of_part(q, a->side, x));
    return outer > 0 ? q->source : p->source;
}

// The angle of an arc of up to half a turn, from half of its chord and the distance of the chord
// from the centre. Both are exact for a large radius and a short arc too.
static double angle_of_side(const cn_piece *source, cn_vec2d from, cn_vec2d to) {
    if (!source || source->radius == 0) return 0;
    cn_vec2d half = cn_add_scaled((cn_vec2d){0, 0}, 0.5, cn_add_scaled(to, -1, from));
    cn_vec2d middle = cn_add_scaled(cn_add_scaled(from, 1, half), -1, source->center);
    double length = sqrt(cn_dot2d(half, half));
    double away = cn_dot2d(middle, cn_unit2d((cn_vec2d){half.y, -half.x}));
    return 2 * cn_angle2d((cn_vec2d){fabs(away), length});
}

// Appends a side. A side along the same piece extends the last one. A side whose length is within
// rounding is left out.
static void add_side(cn_region *region, cn_vec2d from, cn_vec2d to, const cn_piece *source) {
    if (cn_is_near(from, to, CN_SLACK * region->rounding)) return;
    double angle = angle_of_side(source, from, to);
    cn_region_side *last = region->count ? &region->sides[region->count - 1] : NULL;
    if (last && source && last->source == source)
        last->angle += angle;
    else
        region->sides[region->count++] = (cn_region_side){from, source, angle};
}

static void close_boundary(cn_region *region) {
    if (region->count < 2) return;
    cn_region_side *first = &region->sides[0], *last = &region->sides[region->count - 1];
    if (!first->source || first->source != last->source) return;
    first->from = last->from;
    first->angle += last->angle;
    region->count--;
}

// Measures the angles of arcs again, from both ends, because short sides were left out.
static void measure_arcs(cn_region *region) {
    for (int i = 0; i < region->count; i++) {
        cn_region_side *side = &region->sides[i];
        cn_vec2d to = region->sides[i + 1 < region->count ? i + 1 : 0].from;
        if (side->angle < PI / 2) side->angle = angle_of_side(side->source, side->from, to);
    }
}

// Goes along the bottom from cut `first` to cut `last`, and back along the top.
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
    measure_arcs(region);
}

// A region no thicker than rounding becomes the segment from its first to its last point.
static void flatten(cn_region *region, cn_vec2d first, cn_vec2d last) {
    double extent = fabs(last.x - first.x) + fabs(last.y - first.y);
    if (cn_region_moments(region).area > CN_SLACK * region->rounding * extent) return;
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
    while (first < last && !reaches(&of_a, &of_b, &all, first, first + 1, rounding)) first++;
    while (first < last && !reaches(&of_a, &of_b, &all, last, last - 1, rounding)) last--;
    trace_boundary(region, &of_a, &of_b, &all, first, last);
    flatten(region, span_at(&of_a, &of_b, all.x[first]).bottom,
            span_at(&of_a, &of_b, all.x[last]).bottom);
}
