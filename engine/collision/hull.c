/* Makes hulls, checks them, moves them, and takes them apart for the narrowphase.
 *
 * Every constructor puts its vertices in place and ends in make_hull(), which derives the normals,
 * and cn_hull_check(), which knows what a hull is: 1 to 8 finite vertices, none twice; each edge's
 * normal points away from all of them; some vertex lies clearly below each edge. "Clearly" means by
 * more than the rounding of the coordinates, taken along the direction in question: so a box of 1e9
 * x 0.1 is as good as any, but not once it has been turned by an odd angle.
 *
 * A polygon is wrapped around its points as in quickhull. It begins as the two-sided edge between
 * the extreme points; each edge takes in the point farthest outside of it, until nothing is farther
 * out than DETAIL; corners flatter than that are then trimmed. So close points are welded, points
 * on a line vanish, the first corner is the lowest of the leftmost (of an upright hull: the
 * leftmost of the lowest), and no memory is needed.
 *
 *                c                     The canonical form of circle, capsule, segment and rectangle
 *              .   .                   is a box, the first two flat; corners and edges count from
 *      a ----------------- b           the lower left:      3 -- 2 -- 2
 *        b -> a takes in c,                                 3         1
 *        then b -> c and c -> a are asked                   0 -- 0 -- 1
 *
 * Arithmetic on differences of coordinates is in double precision, where it is nearly exact. */
#include "collision.h"

#define MAX_LENGTH     1e9f
#define DETAIL         1e-4              // of the extent of a polygon: nothing smaller is kept
#define ROUNDING       (1.0 / (1 << 21)) // of a coordinate: what a few roundings do to it
#define MAX_TURN_ERROR 1e-3 // of a normal's coordinates, or of a rotation's squared length

// Room for corners that will be trimmed.
enum { OUTLINE_CAPACITY = 2 * CN_MAX_VERTICES };

typedef struct {
    double x, y;
} vector;

typedef struct {
    vec2s corners[OUTLINE_CAPACITY];
    int count;
} outline;

static vector between(vec2s a, vec2s b) {
    return (vector){(double)b.x - (double)a.x, (double)b.y - (double)a.y};
}

static vector add(vector a, vector b) { return (vector){a.x + b.x, a.y + b.y}; }
static double dot(vector a, vector b) { return a.x * b.x + a.y * b.y; }

// The unit normal to the right of a -> b; zero if they coincide.
static vector edge_normal(vec2s a, vec2s b) {
    vector e = between(b, a);
    double length = sqrt(dot(e, e));
    if (length == 0) return (vector){0, 0};
    return (vector){((double)b.y - (double)a.y) / length, e.x / length};
}

// ---- checks

static bool check_length(const char *what, float length) {
    if (!cn_finite(length)) return cn_fail(CN_ERROR_NUMBER, "the %s is %g", what, length);
    if (length > 0 && length <= MAX_LENGTH) return true;
    return cn_fail(CN_ERROR_RANGE, "the %s is %g; it must be above 0 and at most %g", what, length,
                   MAX_LENGTH);
}

static bool check_point(int i, vec2s p) {
    if (!cn_finite2(p))
        return cn_fail(CN_ERROR_NUMBER, "point %d is (%g, %g): not finite", i, p.x, p.y);
    if (cn_abs(p.x) <= MAX_LENGTH && cn_abs(p.y) <= MAX_LENGTH) return true;
    return cn_fail(CN_ERROR_RANGE, "point %d is (%g, %g); coordinates go up to %g", i, p.x, p.y,
                   MAX_LENGTH);
}

static bool check_pose(cn_pose pose) {
    vec2s p = pose.position;
    cn_rotation q = pose.rotation;
    if (!cn_finite2(p) || !cn_finite(q.c) || !cn_finite(q.s))
        return cn_fail(CN_ERROR_NUMBER, "the pose {(%g, %g), (%g, %g)} is not finite", p.x, p.y,
                       q.c, q.s);
    if (cn_abs(q.c * q.c + q.s * q.s - 1) <= (float)MAX_TURN_ERROR) return true;
    return cn_fail(CN_ERROR_RANGE, "the rotation (c %g, s %g) is not of unit length", q.c, q.s);
}

static bool check_vertices(const cn_hull *hull) {
    if (hull->count == 0)
        return cn_fail(CN_ERROR_SHAPE, "the hull has no vertices: its constructor had failed");
    if (hull->count < 0 || hull->count > CN_MAX_VERTICES)
        return cn_fail(CN_ERROR_SHAPE, "a hull has 1 to %d vertices, not %d", CN_MAX_VERTICES,
                       hull->count);
    for (int i = 0; i < hull->count; i++)
        if (!check_point(i, hull->vertices[i])) return false;
    // A polygon, capsule or segment may have no radius; a point is no hull.
    return (hull->count > 1 && hull->radius == 0) || check_length("radius", hull->radius);
}

// The greatest |x| and |y| of any vertex: what the rounding of coordinates is relative to.
static vec2s find_reach(const cn_hull *hull) {
    vec2s reach = cn_vec(0, 0);
    for (int i = 0; i < hull->count; i++)
        reach = cn_max2(reach, cn_vec(cn_abs(hull->vertices[i].x), cn_abs(hull->vertices[i].y)));
    return reach;
}

static bool is_within_rounding(vector difference, vec2s reach) {
    return fabs(difference.x) <= ROUNDING * (double)reach.x &&
           fabs(difference.y) <= ROUNDING * (double)reach.y;
}

// All vertices lie on or below edge i, with unit normal n, and some of a polygon's clearly below
// it.
static bool check_side(const cn_hull *hull, int i, vector n, vec2s reach) {
    double rounding = ROUNDING * (fabs(n.x) * (double)reach.x + fabs(n.y) * (double)reach.y);
    double depth = 0;
    for (int k = 0; k < hull->count; k++) {
        vec2s v = hull->vertices[k];
        double height = dot(n, between(hull->vertices[i], v));
        if (height > rounding)
            return cn_fail(CN_ERROR_SHAPE,
                           "vertex %d (%g, %g) is %g outside of edge %d: the hull is not convex or "
                           "not counter-clockwise",
                           k, v.x, v.y, height, i);
        depth = height < -depth ? -height : depth;
    }
    if (hull->count == 2 || depth > rounding) return true;
    return cn_fail(CN_ERROR_SHAPE,
                   "the hull is only %g thick at edge %d: too thin for where it lies", depth, i);
}

static bool check_edge(const cn_hull *hull, int i, vec2s reach) {
    for (int k = 0; k < i; k++)
        if (is_within_rounding(between(hull->vertices[k], hull->vertices[i]), reach))
            return cn_fail(CN_ERROR_SHAPE, "vertices %d and %d coincide at (%g, %g)", k, i,
                           hull->vertices[i].x, hull->vertices[i].y);
    vector n = edge_normal(hull->vertices[i], hull->vertices[(i + 1) % hull->count]);
    vec2s given = hull->normals[i];
    // Written so that a NaN fails.
    if (!(fabs((double)given.x - n.x) <= MAX_TURN_ERROR &&
          fabs((double)given.y - n.y) <= MAX_TURN_ERROR))
        return cn_fail(CN_ERROR_SHAPE, "normal %d is (%g, %g), but that of its edge is (%g, %g)", i,
                       given.x, given.y, n.x, n.y);
    return check_side(hull, i, n, reach);
}

bool cn_hull_check(const cn_hull *hull) {
    if (!hull) return cn_fail(CN_ERROR_HANDLE, "the hull is NULL");
    if (!check_vertices(hull)) return false;
    if (hull->count == 1) return true;
    vec2s reach = find_reach(hull);
    for (int i = 0; i < hull->count; i++)
        if (!check_edge(hull, i, reach)) return false;
    return true;
}

// ---- constructors

static cn_hull make_hull(const vec2s *vertices, int count, float radius) {
    cn_hull hull = {.radius = radius, .count = count};
    for (int i = 0; i < count; i++) {
        vector n = edge_normal(vertices[i], vertices[(i + 1) % count]);
        hull.vertices[i] = vertices[i];
        hull.normals[i] = cn_vec((float)n.x, (float)n.y);
    }
    return hull;
}

static cn_hull make_checked_hull(const vec2s *vertices, int count, float radius) {
    cn_hull hull = make_hull(vertices, count, radius);
    return cn_hull_check(&hull) ? hull : (cn_hull){0};
}

static vec2s box_corner(float hx, float hy, int i) {
    return cn_vec(i == 1 || i == 2 ? hx : -hx, i >= 2 ? hy : -hy);
}

cn_hull cn_circle(float radius) { return make_checked_hull(&(vec2s){{0, 0}}, 1, radius); }

cn_hull cn_capsule(vec2s p, vec2s q, float radius) {
    if (!check_length("radius", radius)) return (cn_hull){0};
    return make_checked_hull((vec2s[]){p, q}, 2, radius);
}

cn_hull cn_segment(vec2s p, vec2s q) { return make_checked_hull((vec2s[]){p, q}, 2, 0); }

cn_hull cn_box(float half_width, float half_height) {
    return cn_rounded_box(half_width, half_height, 0);
}

cn_hull cn_rounded_box(float half_width, float half_height, float radius) {
    if (!check_length("half width", half_width) || !check_length("half height", half_height))
        return (cn_hull){0};
    vec2s corners[4];
    for (int i = 0; i < 4; i++) corners[i] = box_corner(half_width, half_height, i);
    return make_checked_hull(corners, 4, radius);
}

cn_hull cn_regular(int corners, float circumradius) {
    if (corners < 3 || corners > CN_MAX_VERTICES) {
        cn_fail(CN_ERROR_RANGE, "a regular hull has 3 to %d corners, not %d", CN_MAX_VERTICES,
                corners);
        return (cn_hull){0};
    }
    if (!check_length("circumradius", circumradius)) return (cn_hull){0};
    vec2s vertices[CN_MAX_VERTICES];
    for (int i = 0; i < corners; i++) {
        // Whole quarter turns are exact; the rest is below a quarter turn.
        cn_rotation q = cn_rotation_of((float)(4 * i % corners) * (CN_PI / 2) / (float)corners);
        for (int k = 0; k < 4 * i / corners; k++) q = (cn_rotation){0 - q.s, q.c};
        vertices[i] = cn_vec(circumradius * q.c, circumradius * q.s);
    }
    return make_checked_hull(vertices, corners, 0);
}

cn_hull cn_hull_at(const cn_hull *hull, cn_pose pose) {
    if (!cn_hull_check(hull) || !check_pose(pose)) return (cn_hull){0};
    vec2s moved[CN_MAX_VERTICES];
    for (int i = 0; i < hull->count; i++) moved[i] = cn_to_world(pose, hull->vertices[i]);
    return make_checked_hull(moved, hull->count, hull->radius);
}

// ---- polygons from points

static bool check_points(const vec2s *points, int count) {
    if (!points) return cn_fail(CN_ERROR_HANDLE, "the points of the polygon are NULL");
    if (count < 3)
        return cn_fail(CN_ERROR_SHAPE, "a polygon needs 3 points or more, not %d", count);
    for (int i = 0; i < count; i++)
        if (!check_point(i, points[i])) return false;
    return true;
}

static bool is_before(vec2s a, vec2s b, bool upright) {
    float a0 = upright ? a.y : a.x, a1 = upright ? a.x : a.y;
    float b0 = upright ? b.y : b.x, b1 = upright ? b.x : b.y;
    return a0 < b0 || (a0 == b0 && a1 < b1);
}

// The outline of the first and the last point along the longer side of all points.
static outline begin_outline(const vec2s *points, int count) {
    cn_bounds box = {points[0], points[0]};
    for (int i = 1; i < count; i++)
        box = (cn_bounds){cn_min2(box.lower, points[i]), cn_max2(box.upper, points[i])};
    bool upright = box.upper.y - box.lower.y > box.upper.x - box.lower.x;
    outline o = {{points[0], points[0]}, 2};
    for (int i = 1; i < count; i++) {
        if (is_before(points[i], o.corners[0], upright)) o.corners[0] = points[i];
        if (is_before(o.corners[1], points[i], upright)) o.corners[1] = points[i];
    }
    return o;
}

// The point that is farthest outside of the edge a -> b, by more than detail; -1 if there is none.
static int find_farthest(const vec2s *points, int count, vec2s a, vec2s b, double detail) {
    vector n = edge_normal(a, b);
    int farthest = -1;
    for (int i = 0; i < count; i++) {
        double height = dot(n, between(a, points[i]));
        if (height <= detail) continue;
        detail = height;
        farthest = i;
    }
    return farthest;
}

// Takes in all points that are outside. False if there are too many corners.
static bool grow_outline(outline *o, const vec2s *points, int count, double detail) {
    for (int i = 0; i < o->count;) {
        vec2s *at = &o->corners[i + 1];
        int k = find_farthest(points, count, o->corners[i], o->corners[(i + 1) % o->count], detail);
        if (k < 0) {
            i++;
            continue;
        }
        if (o->count == OUTLINE_CAPACITY) return false;
        memmove(at + 1, at, (size_t)(o->count - i - 1) * sizeof *at);
        *at = points[k];
        o->count++;
    }
    return true;
}

// Removes corners that stand out by no more than detail from the line between their neighbours.
static void trim_outline(outline *o, double detail) {
    for (int i = 0; i < o->count && o->count > 2;) {
        vec2s before = o->corners[(i + o->count - 1) % o->count];
        vec2s after = o->corners[(i + 1) % o->count], *at = &o->corners[i];
        if (dot(edge_normal(before, after), between(before, *at)) > detail) {
            i++;
            continue;
        }
        memmove(at, at + 1, (size_t)(o->count - i - 1) * sizeof *at);
        o->count--;
        i = 0; // the neighbours have changed
    }
}

cn_hull cn_polygon(const vec2s *points, int count, float radius) {
    if (!check_points(points, count)) return (cn_hull){0};
    outline o = begin_outline(points, count);
    vec2s first = o.corners[0], last = o.corners[1];
    vector extent = between(first, last);
    double detail = DETAIL * sqrt(dot(extent, extent));
    bool fits = grow_outline(&o, points, count, detail);
    trim_outline(&o, detail);

    if (o.count > 2 && fits && o.count <= CN_MAX_VERTICES)
        return make_checked_hull(o.corners, o.count, radius);
    if (o.count > 2)
        cn_fail(CN_ERROR_SHAPE, "the convex hull of the %d points has %d corners%s, above %d",
                count, o.count, fits ? "" : " or more", CN_MAX_VERTICES);
    else
        cn_fail(
            CN_ERROR_SHAPE,
            "the %d points make no polygon: from (%g, %g) to (%g, %g), all are within %g of a line",
            count, first.x, first.y, last.x, last.y, detail);
    return (cn_hull){0};
}

// ---- placed hulls

vec2s cn_hull_project(const cn_hull *hull, cn_pose pose, vec2s axis) {
    if (!cn_hull_check(hull) || !check_pose(pose)) return cn_vec(0, 0);
    float length = sqrtf(axis.x * axis.x + axis.y * axis.y);
    if (!(cn_abs(length - 1) <= (float)MAX_TURN_ERROR)) {
        cn_fail(cn_finite2(axis) ? CN_ERROR_RANGE : CN_ERROR_NUMBER,
                "the axis (%g, %g) is not of unit length", axis.x, axis.y);
        return cn_vec(0, 0);
    }
    float least = FLT_MAX, greatest = -FLT_MAX;
    for (int i = 0; i < hull->count; i++) {
        float at = glms_vec2_dot(axis, cn_to_world(pose, hull->vertices[i]));
        least = cn_min(least, at);
        greatest = cn_max(greatest, at);
    }
    return cn_vec(least - hull->radius, greatest + hull->radius);
}

cn_bounds cn_hull_bounds(const cn_hull *hull, cn_pose pose) {
    vec2s x = cn_hull_project(hull, pose, cn_vec(1, 0));
    vec2s y = cn_hull_project(hull, pose, cn_vec(0, 1));
    return (cn_bounds){cn_vec(x.x, y.x), cn_vec(x.y, y.y)};
}

// ---- the canonical form

// The box that a hull of 4, 2 or 1 vertices would be. Its direction is that of the longer sides,
// which rounding turns least; a capsule is the box 0, 1, 1, 0 and a circle the box 0, 0, 0, 0.
static cn_canonical_hull fit_box(const cn_hull *hull) {
    const vec2s *v = hull->vertices;
    int b = cn_min_int(1, hull->count - 1);
    int c = hull->count == 4 ? 2 : b, d = hull->count == 4 ? 3 : 0;
    vector along = add(between(v[0], v[b]), between(v[d], v[c]));
    vector up = add(between(v[b], v[c]), between(v[0], v[d]));
    vector u = dot(along, along) >= dot(up, up) ? along : (vector){up.y, 0 - up.x};
    double length = sqrt(dot(u, u));
    u = length > 0 ? (vector){u.x / length, u.y / length} : (vector){1, 0};

    double x = ((double)v[0].x + (double)v[b].x + (double)v[c].x + (double)v[d].x) / 4;
    double y = ((double)v[0].y + (double)v[b].y + (double)v[c].y + (double)v[d].y) / 4;
    return (cn_canonical_hull){
        .class = CN_CLASS_BOX,
        .pose = {cn_vec((float)x, (float)y), {(float)u.x, (float)u.y}},
        .hx = (float)(dot(along, u) / 4),
        .hy = (float)(dot(up, (vector){-u.y, u.x}) / 4),
        .radius = hull->radius,
        .count = hull->count,
    };
}

// Are the vertices the corners of the box, but for rounding? In a turned box the rounding of x
// shows in y too, by the sine and cosine of the turn, and vice versa; in one that is not turned it
// must not.
static bool is_box(const cn_hull *hull, const cn_canonical_hull *box) {
    vec2s r = find_reach(hull);
    float mixing = cn_abs(box->pose.rotation.c * box->pose.rotation.s);
    vec2s reach = cn_vec(r.x + mixing * r.y, r.y + mixing * r.x);
    for (int i = 0; i < hull->count; i++) {
        vec2s corner = cn_to_world(box->pose, box_corner(box->hx, box->hy, i));
        if (!is_within_rounding(between(corner, hull->vertices[i]), reach)) return false;
    }
    return true;
}

static cn_canonical_hull take_polygon_apart(const cn_hull *hull) {
    double x = 0, y = 0;
    for (int i = 0; i < hull->count; i++)
        x += (double)hull->vertices[i].x, y += (double)hull->vertices[i].y;
    vec2s center = cn_vec((float)(x / hull->count), (float)(y / hull->count));
    cn_canonical_hull canonical = {.class = hull->count <= 4 ? CN_CLASS_HULL4 : CN_CLASS_HULL8,
                                   .pose = {center, {1, 0}},
                                   .radius = hull->radius,
                                   .count = hull->count};
    cn_hull8 *all = &canonical.hull8;
    for (int i = 0; i < 8; i++) {
        int from = i < hull->count ? i : 0;
        vec2s v = glms_vec2_sub(hull->vertices[from], center);
        all->x[i] = v.x, all->y[i] = v.y;
        all->nx[i] = hull->normals[from].x, all->ny[i] = hull->normals[from].y;
    }
    for (int i = 0; i < 4 && hull->count <= 4; i++) {
        canonical.hull4.x[i] = all->x[i], canonical.hull4.y[i] = all->y[i];
        canonical.hull4.nx[i] = all->nx[i], canonical.hull4.ny[i] = all->ny[i];
    }
    return canonical;
}

cn_canonical_hull cn_hull_canonical(const cn_hull *hull) {
    if (hull->count == 3 || hull->count > 4) return take_polygon_apart(hull);
    cn_canonical_hull box = fit_box(hull);
    return hull->count < 4 || is_box(hull, &box) ? box : take_polygon_apart(hull);
}

cn_hull cn_hull_from_canonical(const cn_canonical_hull *canonical) {
    vec2s vertices[CN_MAX_VERTICES];
    for (int i = 0; i < canonical->count; i++) {
        vec2s local = canonical->class == CN_CLASS_BOX
                          ? box_corner(canonical->hx, canonical->hy, i)
                          : cn_vec(canonical->hull8.x[i], canonical->hull8.y[i]);
        vertices[i] = cn_to_world(canonical->pose, local);
    }
    return make_hull(vertices, canonical->count, canonical->radius);
}
