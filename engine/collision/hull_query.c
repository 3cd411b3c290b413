/* Questions about one hull: its mass, its farthest point, what is inside, where a ray enters.
 *
 * A hull is its core (the polygon, segment or point of its vertices) grown by the radius r: the
 * core, a rectangle of depth r on each edge, and a sector of radius r at each vertex. A circle has
 * one edge of no length and a sector of a full turn, a capsule two edges back to back and two half
 * discs, so that none of them is a special case:
 *
 *        ____________
 *     .-|   edge 2   |-.      A point is inside if it is in the core, in a rectangle or in the
 *    |--+------------+--|     disc about a vertex. A ray enters through the outer side of a
 *    |  3            2  |     rectangle or through a disc, whichever comes first: both lie
 *    |  0    core    1  |     within the hull, and its outline is made of nothing else.
 *    |--+------------+--|
 *     '-|____________|-'
 *
 * Everything is computed in double precision from differences of coordinates. Where it matters,
 * edges that meet share the very number that decides on which side of their vertex a ray passes, so
 * that none slips through between them; heights above an edge are kept multiplied by its length, so
 * that points on the edge give an exact zero. */
#include "collision.h"

typedef struct {
    double x, y;
} vector;

static vector between(vec2s a, vec2s b) {
    return (vector){(double)b.x - (double)a.x, (double)b.y - (double)a.y};
}

static vector widen(vec2s v) { return (vector){(double)v.x, (double)v.y}; }
static vec2s narrow(vector v) { return cn_vec((float)v.x, (float)v.y); }
static vector add_scaled(vector a, double t, vector b) {
    return (vector){a.x + t * b.x, a.y + t * b.y};
}
static double dot(vector a, vector b) { return a.x * b.x + a.y * b.y; }
static double cross(vector a, vector b) { return a.x * b.y - a.y * b.x; }

static vector normalize(vector v) {
    double length = sqrt(dot(v, v));
    return length > 0 ? (vector){v.x / length, v.y / length} : (vector){0, 0};
}

static vec2s next_vertex(const cn_hull *hull, int i) {
    return hull->vertices[(i + 1) % hull->count];
}

static bool check_vector(const char *what, vec2s v) {
    return cn_finite2(v) ||
           cn_fail(CN_ERROR_NUMBER, "the %s (%g, %g) is not finite", what, v.x, v.y);
}

// ---- mass

// Of an area about a reference point: its size, the integral of the position and of its square.
typedef struct {
    double area;
    vector first;
    double polar;
} moments;

// Adds a part, of which the moments about the point `at` are known.
static void add_part(moments *sum, vector at, moments part) {
    sum->area += part.area;
    sum->first = add_scaled(add_scaled(sum->first, 1, part.first), part.area, at);
    sum->polar += part.polar + 2 * dot(at, part.first) + part.area * dot(at, at);
}

// The triangle of the reference point and an edge a, b:
//     area = a x b / 2,  first = area (a + b) / 3,  polar = area (a.a + a.b + b.b) / 6
static moments triangle_moments(vector a, vector b) {
    double area = cross(a, b) / 2;
    return (moments){area,
                     {area * (a.x + b.x) / 3, area * (a.y + b.y) / 3},
                     area * (dot(a, a) + dot(a, b) + dot(b, b)) / 6};
}

// A rectangle about its centre.
static moments rectangle_moments(double length, double width) {
    double area = length * width;
    return (moments){area, {0, 0}, area * (length * length + width * width) / 12};
}

// A sector of radius r about its tip, from direction m to direction n, an angle t apart:
//     area = t r^2 / 2,  first = r^3 / 3 (integral of the direction over the angle),  polar = t r^4
//     / 4
static moments sector_moments(double r, vector m, vector n, double t) {
    double third = r * r * r / 3;
    return (moments){
        t * r * r / 2, {third * (n.y - m.y), third * (m.x - n.x)}, t * r * r * r * r / 4};
}

static vector find_middle(const cn_hull *hull) {
    vector middle = {0, 0};
    for (int i = 0; i < hull->count; i++)
        middle = add_scaled(middle, 1.0 / hull->count, widen(hull->vertices[i]));
    return middle;
}

// The moments of the hull about a point in its core.
static moments find_moments(const cn_hull *hull, vector middle) {
    moments sum = {0};
    double r = (double)hull->radius, turn_left = 6.283185307179586;
    for (int i = 0; i < hull->count; i++) {
        vector a = add_scaled(widen(hull->vertices[i]), -1, middle);
        vector b = add_scaled(widen(next_vertex(hull, i)), -1, middle);
        vector e = add_scaled(b, -1, a), n = widen(hull->normals[i]);
        vector center = add_scaled(add_scaled(a, 0.5, e), r / 2, n);
        add_part(&sum, (vector){0, 0}, triangle_moments(a, b));
        add_part(&sum, center, rectangle_moments(sqrt(dot(e, e)), r));

        // The sectors share one full turn; the last takes what is left.
        int next = (i + 1) % hull->count;
        vector m = widen(hull->normals[next]);
        double turn = fabs((double)cn_atan2((float)cross(n, m), (float)dot(n, m)));
        if (next == 0) turn = turn_left;
        turn_left -= turn;
        add_part(&sum, b, sector_moments(r, n, m, turn));
    }
    return sum;
}

cn_mass cn_hull_mass(const cn_hull *hull, float density) {
    if (!cn_hull_check(hull)) return (cn_mass){0};
    if (!cn_finite(density) || density < 0) {
        cn_fail(cn_finite(density) ? CN_ERROR_RANGE : CN_ERROR_NUMBER, "the density is %g",
                density);
        return (cn_mass){0};
    }
    vector middle = find_middle(hull);
    moments m = find_moments(hull, middle);
    vector offset = m.area > 0 ? (vector){m.first.x / m.area, m.first.y / m.area} : (vector){0, 0};
    cn_mass mass = {.mass = (float)((double)density * m.area),
                    .inertia = (float)((double)density * (m.polar - m.area * dot(offset, offset))),
                    .center = narrow(add_scaled(middle, 1, offset))};
    if (cn_finite(mass.mass) && cn_finite(mass.inertia)) return mass;
    cn_fail(CN_ERROR_RANGE, "area %g and density %g make too great a mass or inertia", m.area,
            density);
    return (cn_mass){0};
}

// ---- points

vec2s cn_hull_support(const cn_hull *hull, vec2s direction) {
    if (!cn_hull_check(hull) || !check_vector("direction", direction)) return cn_vec(0, 0);
    vector d = normalize(widen(direction));
    int best = 0;
    for (int i = 1; i < hull->count; i++)
        if (dot(d, between(hull->vertices[best], hull->vertices[i])) > 0) best = i;
    return narrow(add_scaled(widen(hull->vertices[best]), (double)hull->radius, d));
}

static bool is_inside(const cn_hull *hull, vec2s point) {
    double r = (double)hull->radius;
    bool in_core = hull->count > 2;
    for (int i = 0; i < hull->count; i++) {
        vector e = between(hull->vertices[i], next_vertex(hull, i));
        vector p = between(hull->vertices[i], point);
        double length = sqrt(dot(e, e)), height = cross(p, e),
               along = dot(p, e); // both times length
        if (dot(p, p) <= r * r) return true;
        if (height >= 0 && height <= r * length && along >= 0 && along < length * length)
            return true;
        if (height > 0) in_core = false;
    }
    return in_core;
}

bool cn_hull_contains(const cn_hull *hull, vec2s point) {
    return cn_hull_check(hull) && check_vector("point", point) && is_inside(hull, point);
}

// ---- rays

// Where a ray enters a part of the hull: fraction above 1 if it does not.
typedef struct {
    double fraction;
    vector normal;
} entry;

static const entry no_entry = {2, {0, 0}};

static entry nearer(entry a, entry b) { return b.fraction < a.fraction ? b : a; }

// Through the outer side of the rectangle on edge i, which is the edge moved by r along its normal.
static entry enter_edge(const cn_hull *hull, int i, vec2s origin, vector d) {
    vector a = between(origin, hull->vertices[i]), b = between(origin, next_vertex(hull, i));
    vector e = between(hull->vertices[i], next_vertex(hull, i));
    double r = (double)hull->radius, length = sqrt(dot(e, e)), inward = -cross(d, e);
    if (inward <= 0) return no_entry;
    double shift = r * dot(d, e) / length; // d x (-r n)
    if (cross(d, a) < shift || cross(d, b) > shift) return no_entry;
    double fraction = (cross(e, a) - r * length) / inward;
    return fraction >= 0 ? (entry){fraction, widen(hull->normals[i])} : no_entry;
}

// Through the disc about vertex i; the origin is outside. With m = origin - vertex and t the
// fraction, |m + t d| = r has the discriminant (m.d)^2 - d.d (m.m - r^2) = d.d r^2 - (m x d)^2.
static entry enter_disc(const cn_hull *hull, int i, vec2s origin, vector d) {
    vector m = between(hull->vertices[i], origin);
    double r = (double)hull->radius, away = dot(m, d), side = cross(m, d), dd = dot(d, d);
    double discriminant = dd * r * r - side * side;
    if (away >= 0 || discriminant < 0) return no_entry;
    double fraction = (-away - sqrt(discriminant)) / dd;
    fraction = fraction > 0 ? fraction : 0;
    // The bare end of a segment is met end-on.
    return (entry){fraction, normalize(r > 0 ? add_scaled(m, fraction, d) : (vector){-d.x, -d.y})};
}

cn_ray_hit cn_hull_cast_ray(const cn_hull *hull, vec2s origin, vec2s translation) {
    if (!cn_hull_check(hull) || !check_vector("origin", origin) ||
        !check_vector("translation", translation))
        return (cn_ray_hit){0};
    if (is_inside(hull, origin)) return (cn_ray_hit){.hit = true, .point = origin};

    vector d = widen(translation);
    entry first = no_entry;
    for (int i = 0; i < hull->count; i++) first = nearer(first, enter_edge(hull, i, origin, d));
    // A corner without radius has no normal of its own, so its edges go first.
    for (int i = 0; i < hull->count && (hull->radius > 0 || first.fraction > 1); i++)
        first = nearer(first, enter_disc(hull, i, origin, d));
    if (first.fraction > 1) return (cn_ray_hit){0};
    return (cn_ray_hit){.hit = true,
                        .fraction = (float)first.fraction,
                        .point = narrow(add_scaled(widen(origin), first.fraction, d)),
                        .normal = narrow(first.normal)};
}

// ---- placed hulls

static cn_bounds grown_bounds(const cn_placed_hull *placed, vec2s lower, vec2s upper) {
    vec2s center = cn_vec(placed->x, placed->y), r = cn_vec(placed->radius, placed->radius);
    return (cn_bounds){glms_vec2_sub(glms_vec2_add(center, lower), r),
                       glms_vec2_add(glms_vec2_add(center, upper), r)};
}

cn_bounds cn_placed_bounds(const cn_hull_store *store, const cn_placed_hull *placed) {
    cn_hull_class class = cn_placed_class(placed);
    if (class == CN_CLASS_BOX) {
        float c = cn_abs(placed->c), s = cn_abs(placed->s);
        vec2s half = cn_vec(c * placed->hx + s * placed->hy, s * placed->hx + c * placed->hy);
        return grown_bounds(placed, cn_vec(-half.x, -half.y), half);
    }
    bool small = class == CN_CLASS_HULL4;
    const float *x = small ? store->hulls4[placed->hull].x : store->hulls8[placed->hull].x;
    const float *y = small ? store->hulls4[placed->hull].y : store->hulls8[placed->hull].y;
    cn_bounds box = {{{FLT_MAX, FLT_MAX}}, {{-FLT_MAX, -FLT_MAX}}};
    for (int i = 0; i < (small ? 4 : 8); i++) {
        vec2s v = cn_rotate((cn_rotation){placed->c, placed->s}, cn_vec(x[i], y[i]));
        box = (cn_bounds){cn_min2(box.lower, v), cn_max2(box.upper, v)};
    }
    return grown_bounds(placed, box.lower, box.upper);
}
