/* Queries of one hull: its mass, its interval on an axis, its support point, whether it contains a
 * point, and where a ray enters it.
 *
 * A hull is its core (the polygon, segment or point of its vertices) grown by the radius r. So it
 * is the core, a rectangle of depth r on each edge, and a sector of radius r at each vertex. A
 * circle has one edge of no length and a sector of a full turn. A capsule has two edges back to
 * back and two half discs. So none of them is a special case:
 *
 *        ____________
 *     .-|   edge 2   |-.      A point is inside if it is in the core, in a rectangle or in the
 *    |--3------------2--|     disc about a vertex. A ray enters through the outer side of a
 *    |  |            |  |     rectangle or through a disc, whichever comes first. Both lie
 *    |  |    core    |  |     within the hull, and its outline consists only of them.
 *    |--0------------1--|
 *     '-|___edge 0___|-'
 *
 * Everything is computed in double precision from differences of coordinates. Two edges that meet
 * use the same number to decide on which side of their vertex a ray passes, so no ray slips through
 * between them. Heights above an edge are kept multiplied by its length, so that points on the edge
 * give exactly zero. */
#include "collision.h"

static vec2s next_vertex(const cn_hull *hull, int i) {
    return hull->vertices[cn_next_corner(hull, i)];
}

// ---- mass

// A point near the average of the vertices (cn_hull_canonical() rounds the average in another way).
static cn_vec2d find_middle(const cn_hull *hull) {
    cn_vec2d middle = {0, 0};
    for (int i = 0; i < hull->count; i++)
        middle = cn_add_scaled(middle, 1.0 / hull->count, cn_widen(hull->vertices[i]));
    return middle;
}

// The moments of the core: the sum over the triangles of the middle and each edge, with
//     area = a x b / 2,  first = area (a + b) / 3,  polar = area (a.a + a.b + b.b) / 6
static cn_moments core_moments(const cn_hull *hull, cn_vec2d middle) {
    double area = 0, polar = 0;
    cn_vec2d first = {0, 0}, b = cn_add_scaled(cn_widen(hull->vertices[0]), -1, middle);
    for (int i = hull->count - 1; i >= 0; i--) {
        cn_vec2d a = cn_add_scaled(cn_widen(hull->vertices[i]), -1, middle);
        double twice = cn_cross2d(a, b);
        area += twice;
        first = cn_add_scaled(cn_add_scaled(first, twice, a), twice, b);
        polar += twice * (cn_dot2d(a, a) + cn_dot2d(a, b) + cn_dot2d(b, b));
        b = a;
    }
    return (cn_moments){area / 2, cn_add_scaled((cn_vec2d){0, 0}, 1.0 / 6, first),
                        polar * (1.0 / 12)};
}

// Adds the part of the hull that its radius adds.
static void add_rim(cn_moments *sum, const cn_hull *hull, cn_vec2d middle) {
    double r = (double)hull->radius, third = r * r * r / 3, turn_left = 6.283185307179586;
    for (int i = 0; i < hull->count; i++) {
        int next = cn_next_corner(hull, i);
        vec2s tip = hull->vertices[next];
        cn_vec2d n = cn_right_of(hull->vertices[i], tip);
        cn_vec2d m = cn_right_of(tip, next_vertex(hull, next));
        cn_vec2d a = cn_add_scaled(cn_widen(hull->vertices[i]), -1, middle);
        cn_vec2d b = cn_add_scaled(cn_widen(tip), -1, middle);

        // The rectangle, about its centre.
        cn_vec2d e = cn_add_scaled(b, -1, a), center = cn_add_scaled(a, 0.5, e);
        double length = sqrt(cn_dot2d(e, e)), area = length * r;
        cn_add_moments(sum, cn_add_scaled(center, r / 2, n),
                       (cn_moments){area, {0, 0}, area * (length * length + r * r) / 12});

        // The sector about its tip, from n to m, which are an angle t apart. The last sector takes
        // the rest of the full turn. With u the unit vector at an angle:
        //     area = t r^2 / 2,  first = r^3 / 3 (integral of u from n to m),  polar = t r^4 / 4
        double t = fabs((double)cn_atan2((float)cn_cross2d(n, m), (float)cn_dot2d(n, m)));
        if (next == 0) t = turn_left;
        turn_left -= t;
        cn_vec2d first = {third * (m.y - n.y), third * (n.x - m.x)};
        cn_add_moments(sum, b, (cn_moments){t * r * r / 2, first, t * r * r * r * r / 4});
    }
}

// The mass of a hull. Mass and inertia may be infinite.
static cn_mass_data find_mass(const cn_hull *hull, float density) {
    cn_vec2d middle = find_middle(hull);
    cn_moments m = core_moments(hull, middle); // about the middle
    if (hull->radius > 0) add_rim(&m, hull, middle);
    return cn_mass_of_moments(m, middle, density);
}

cn_mass_data cn_mass_of_moments(cn_moments m, cn_vec2d about, float density) {
    cn_vec2d offset = {0, 0}; // of the centre of mass; 0 for a segment, which has no area
    if (m.area > 0) offset = (cn_vec2d){m.first.x / m.area, m.first.y / m.area};
    double inertia = (double)density * (m.polar - m.area * cn_dot2d(offset, offset));
    return (cn_mass_data){.mass = (float)((double)density * m.area),
                          .inertia = (float)inertia,
                          .center = cn_narrow(cn_add_scaled(about, 1, offset))};
}

static bool is_finite_mass(cn_mass_data mass) {
    return cn_finite(mass.mass) && cn_finite(mass.inertia);
}

cn_mass_data cn_hull_mass_data(cn_hull hull, float density) {
    if (!CN_CHECK(cn_hull_check(&hull) && cn_require("density", density, 0, FLT_MAX)))
        return (cn_mass_data){0};
    cn_mass_data mass = find_mass(&hull, density);
    if (is_finite_mass(mass)) return mass;
    cn_fail(CN_ERROR_RANGE,
            "with density %g the mass is %g and the inertia %g: too large for a float",
            (double)density, (double)mass.mass, (double)mass.inertia);
    cn_fail_call(__func__);
    return (cn_mass_data){0};
}

cn_mass_data cn_mass_of(const cn_hull *hull, float density) {
    cn_mass_data mass = find_mass(hull, density);
    return is_finite_mass(mass) ? mass : (cn_mass_data){0};
}

// ---- intervals and boxes

static vec2s project(const cn_hull *hull, cn_pose pose, vec2s axis) {
    float least = FLT_MAX, greatest = -FLT_MAX;
    for (int i = 0; i < hull->count; i++) {
        float at = glms_vec2_dot(axis, cn_to_world(pose, hull->vertices[i]));
        least = cn_min(least, at);
        greatest = cn_max(greatest, at);
    }
    return cn_vec(least - hull->radius, greatest + hull->radius);
}

vec2s cn_hull_project(cn_hull hull, cn_pose pose, vec2s axis) {
    float length = sqrtf(glms_vec2_dot(axis, axis));
    bool good = CN_CHECK(cn_hull_check(&hull) && cn_require_pose(pose) &&
                         cn_require("length of the axis", length, 0.999f, 1.001f));
    return good ? project(&hull, cn_given_pose(pose), axis) : cn_vec(0, 0);
}

cn_bounds cn_hull_bounds(cn_hull hull, cn_pose pose) {
    if (!CN_CHECK(cn_hull_check(&hull) && cn_require_pose(pose))) return (cn_bounds){0};
    pose = cn_given_pose(pose);
    vec2s x = project(&hull, pose, cn_vec(1, 0)), y = project(&hull, pose, cn_vec(0, 1));
    return (cn_bounds){cn_vec(x.x, y.x), cn_vec(x.y, y.y)};
}

// ---- points

vec2s cn_hull_support(cn_hull hull, vec2s direction) {
    if (!CN_CHECK(cn_hull_check(&hull) && cn_require2("direction", direction, FLT_MAX)))
        return cn_vec(0, 0);
    cn_vec2d d = cn_unit2d(cn_widen(direction));
    int best = 0;
    for (int i = 1; i < hull.count; i++)
        if (cn_dot2d(d, cn_between(hull.vertices[best], hull.vertices[i])) > 0) best = i;
    return cn_narrow(cn_add_scaled(cn_widen(hull.vertices[best]), (double)hull.radius, d));
}

static bool is_inside(const cn_hull *hull, vec2s point) {
    double r = (double)hull->radius;
    bool in_core = hull->count > 2;
    for (int i = 0; i < hull->count; i++) {
        cn_vec2d e = cn_between(hull->vertices[i], next_vertex(hull, i));
        cn_vec2d p = cn_between(hull->vertices[i], point);
        double length = sqrt(cn_dot2d(e, e));
        double height = cn_cross2d(p, e), along = cn_dot2d(p, e); // both times `length`
        bool over_edge = along >= 0 && along < length * length;
        if (cn_dot2d(p, p) <= r * r) return true;
        if (over_edge && height >= 0 && height <= r * length) return true;
        if (height > 0) in_core = false;
    }
    return in_core;
}

bool cn_hull_contains(cn_hull hull, vec2s point) {
    return CN_CHECK(cn_hull_check(&hull) && cn_require2("point", point, FLT_MAX)) &&
           is_inside(&hull, point);
}

// ---- rays

// Where a ray first enters a part of the hull. The fraction is above 1 if it enters none.
typedef struct {
    double fraction;
    cn_vec2d normal;
} entry;

// Enters through the outer side of the rectangle on edge i, which is the edge moved by r along its
// normal.
static void enter_edge(const cn_hull *hull, int i, vec2s origin, cn_vec2d d, entry *first) {
    vec2s from = hull->vertices[i], to = next_vertex(hull, i);
    cn_vec2d a = cn_between(origin, from), b = cn_between(origin, to), e = cn_between(from, to);
    double r = (double)hull->radius, length = sqrt(cn_dot2d(e, e)), inward = -cn_cross2d(d, e);
    if (inward <= 0) return;
    double shift = r * cn_dot2d(d, e) / length; // d x (-r n)
    double fraction = (cn_cross2d(e, a) - r * length) / inward;
    bool hits = cn_cross2d(d, a) >= shift && cn_cross2d(d, b) <= shift && fraction >= 0;
    if (hits && fraction < first->fraction) *first = (entry){fraction, cn_widen(hull->normals[i])};
}

// Enters through the disc about vertex i. The origin is outside. With m = origin - vertex and t the
// fraction, |m + t d| = r has the discriminant (m.d)^2 - d.d (m.m - r^2) = d.d r^2 - (m x d)^2.
static void enter_disc(const cn_hull *hull, int i, vec2s origin, cn_vec2d d, entry *first) {
    cn_vec2d m = cn_between(hull->vertices[i], origin);
    double r = (double)hull->radius, away = cn_dot2d(m, d), side = cn_cross2d(m, d);
    double dd = cn_dot2d(d, d), discriminant = dd * r * r - side * side;
    if (away >= 0 || discriminant < 0) return;
    double fraction = fmax(0, (-away - sqrt(discriminant)) / dd);
    if (fraction >= first->fraction) return;
    // At the end of a segment without radius, the normal is opposite to the ray.
    cn_vec2d normal = r > 0 ? cn_add_scaled(m, fraction, d) : (cn_vec2d){-d.x, -d.y};
    *first = (entry){fraction, cn_unit2d(normal)};
}

cn_ray_hit cn_hull_cast_ray(cn_hull hull, vec2s origin, vec2s translation) {
    if (!CN_CHECK(cn_hull_check(&hull) && cn_require2("origin", origin, FLT_MAX) &&
                  cn_require2("translation", translation, FLT_MAX)))
        return (cn_ray_hit){0};
    if (is_inside(&hull, origin)) return (cn_ray_hit){.hit = true, .point = origin};

    cn_vec2d d = cn_widen(translation);
    entry first = {.fraction = 2};
    for (int i = 0; i < hull.count; i++) enter_edge(&hull, i, origin, d, &first);
    // A corner without radius has no normal of its own, so its edges are preferred.
    for (int i = 0; i < hull.count && (hull.radius > 0 || first.fraction > 1); i++)
        enter_disc(&hull, i, origin, d, &first);
    if (first.fraction > 1) return (cn_ray_hit){0};
    return (cn_ray_hit){.hit = true,
                        .fraction = (float)first.fraction,
                        .point = cn_narrow(cn_add_scaled(cn_widen(origin), first.fraction, d)),
                        .normal = cn_narrow(first.normal)};
}
