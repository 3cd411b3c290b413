/* Makes hulls, checks them, moves them, and brings them into the canonical form of the narrowphase.
 *
 * Every constructor fills in the vertices and ends in add_normals() and cn_hull_check(), which
 * defines what a hull is: 1 to 8 finite vertices, none of them twice. The normal of each edge
 * points away from all vertices. Some vertex lies clearly below each edge. "Clearly" means by more
 * than the rounding of the coordinates, taken along the direction in question. So a box of 1e9 x
 * 0.1 is as good as any, but not after it has been turned by an odd angle.
 *
 * A constructor that fails returns a hull that is marked with its error (see base/error.c). A call
 * that refuses this hull quotes the error. A hull that cn_hull_at() makes from it inherits the
 * mark.
 *
 * A polygon is wrapped around its points as in quickhull. It begins as the two-sided edge between
 * the extreme points. Each edge takes in the point that is farthest outside of it, until no point
 * is farther out than DETAIL. Then corners that are flatter than that are trimmed. So close points
 * are welded, points on a line are dropped, and no memory is needed. The first corner is the lowest
 * of the leftmost corners (if the hull is higher than wide: the leftmost of the lowest corners).
 *
 *                c                     The canonical form of circle, capsule, segment and rectangle
 *              .   .                   is a box, flat for all except the rectangle. Corners and
 *      a ----------------- b           edges count from the lower left:      3 -- 2 -- 2
 *        b -> a takes in c,                                                  3         1
 *        then b -> c and c -> a are tested                                   0 -- 0 -- 1
 *
 * Arithmetic on differences of coordinates is in double precision, where it is nearly exact. */
#include "collision.h"

#define DETAIL         1e-4              // of the extent of a polygon: smaller details are dropped
#define ROUNDING       (1.0 / (1 << 21)) // of a coordinate: the error after a few roundings
#define MAX_TURN_ERROR 1e-3              // of the coordinates of a normal

// The unit normal of edge i; zero if its ends coincide.
static cn_vec2d edge_normal(const cn_hull *hull, int i) {
    return cn_right_of(hull->vertices[i], hull->vertices[cn_next_corner(hull, i)]);
}

// ---- checks

static bool check_length(const char *what, float length) { // must be above 0
    return cn_require(what, length, FLT_TRUE_MIN, CN_MAX_LENGTH);
}

// The rounding error of the coordinates. It depends on the largest |x| and |y| of all vertices.
static cn_vec2d find_rounding(const vec2s *points, int count) {
    vec2s reach = cn_vec(0, 0);
    for (int i = 0; i < count; i++)
        reach = cn_max2(reach, cn_vec(cn_abs(points[i].x), cn_abs(points[i].y)));
    return (cn_vec2d){ROUNDING * (double)reach.x, ROUNDING * (double)reach.y};
}

static bool is_within(cn_vec2d difference, cn_vec2d rounding) {
    return fabs(difference.x) <= rounding.x && fabs(difference.y) <= rounding.y;
}

// A fault of an edge of a hull. `vertex` coincides with the edge's first vertex, or lies outside of
// the edge by `depth`, or no vertex lies clearly below the edge. The comparisons count a NaN as a
// fault.
typedef struct {
    enum { EDGE_GOOD, EDGE_COINCIDES, EDGE_CONCAVE, EDGE_THIN } fault;
    int vertex;
    double depth; // multiplied by the length of the edge
} edge_state;

static edge_state find_fault(const cn_hull *hull, int i, cn_vec2d rounding) {
    vec2s from = hull->vertices[i];
    cn_vec2d e = cn_between(from, hull->vertices[cn_next_corner(hull, i)]);
    double least = fabs(e.y) * rounding.x + fabs(e.x) * rounding.y, deepest = 0;
    for (int k = 0; k < hull->count; k++) {
        cn_vec2d offset = cn_between(from, hull->vertices[k]);
        double depth = cn_cross2d(e, offset);
        if (k > i && is_within(offset, rounding)) return (edge_state){EDGE_COINCIDES, k, 0};
        if (-depth > least) return (edge_state){EDGE_CONCAVE, k, -depth};
        if (depth > deepest) deepest = depth;
    }
    if (hull->count == 2 || deepest > least) return (edge_state){EDGE_GOOD, 0, 0};
    return (edge_state){EDGE_THIN, 0, deepest};
}

static bool check_edge(const cn_hull *hull, int i, cn_vec2d rounding) {
    vec2s from = hull->vertices[i], to = hull->vertices[cn_next_corner(hull, i)];
    cn_vec2d e = cn_between(from, to), given = cn_widen(hull->normals[i]);
    double length = sqrt(cn_dot2d(e, e)), turn_error = MAX_TURN_ERROR * length;
    if (!(fabs(given.x * length - e.y) <= turn_error && fabs(given.y * length + e.x) <= turn_error))
        return cn_fail(CN_ERROR_SHAPE,
                       "normal %d is (%g, %g), but the normal of its edge is (%g, %g)", i, given.x,
                       given.y, e.y / length, -e.x / length);
    edge_state s = find_fault(hull, i, rounding);
    switch (s.fault) {
    case EDGE_COINCIDES:
        return cn_fail(CN_ERROR_SHAPE, "vertices %d and %d coincide at (%g, %g)", i, s.vertex,
                       from.x, from.y);
    case EDGE_CONCAVE:
        return cn_fail(CN_ERROR_SHAPE,
                       "the hull is not convex and counter-clockwise: vertex %d (%g, %g) "
                       "is %g outside of edge %d; make hulls with cn_polygon()",
                       s.vertex, hull->vertices[s.vertex].x, hull->vertices[s.vertex].y,
                       s.depth / length, i);
    case EDGE_THIN:
        return cn_fail(CN_ERROR_SHAPE,
                       "the hull is only %g thick at edge %d: too thin for its coordinates",
                       s.depth / length, i);
    default: return true;
    }
}

static bool refuse_unmade(const cn_hull *hull) {
    const char *why = cn_kept_error(hull->failure);
    if (why) return cn_fail(CN_ERROR_SHAPE, "the hull was not made (%s)", why);
    if (hull->failure)
        return cn_fail(CN_ERROR_SHAPE, "the hull has count 0: the call that should have made it "
                                       "failed, with an error that is not kept any more");
    return cn_fail(CN_ERROR_SHAPE,
                   "the hull has count 0: make it with cn_circle(), cn_box(), cn_polygon(), ...");
}

static bool points_up(cn_vec2d v) { return v.y > 0 || (v.y == 0 && v.x > 0); }

/* True if this is clearly a good polygon. Nearly all are, so this quick test saves most calls of
 * check_edge(). With edges e and turns t[i] = e[i] x e[i + 1], no vertex comes nearer to edge i
 * than the smaller of t[i - 1] and t[i], because the hull is convex. It is convex if all turns are
 * to the left and the edges go round once. */
static bool is_clearly_good(const cn_hull *hull) {
    if (hull->count < 3 || hull->count > CN_MAX_VERTICES) return false;
    if (!(hull->radius >= 0 && hull->radius <= CN_MAX_LENGTH)) return false;
    cn_vec2d edges[CN_MAX_VERTICES], rounding = find_rounding(hull->vertices, hull->count);
    double least[CN_MAX_VERTICES];
    const double tolerance = 0.5 * MAX_TURN_ERROR;
    for (int i = 0; i < hull->count; i++) {
        vec2s from = hull->vertices[i];
        cn_vec2d e = edges[i] = cn_between(from, hull->vertices[cn_next_corner(hull, i)]);
        cn_vec2d n = cn_widen(hull->normals[i]);
        double along = cn_dot2d(n, e);
        least[i] = fabs(e.y) * rounding.x + fabs(e.x) * rounding.y;
        bool in_range = cn_abs(from.x) <= CN_MAX_LENGTH && cn_abs(from.y) <= CN_MAX_LENGTH;
        bool is_normal = along * along <= tolerance * tolerance * cn_dot2d(e, e) &&
                         fabs(cn_dot2d(n, n) - 1) <= tolerance && cn_cross2d(n, e) > 0;
        if (!in_range || !is_normal) return false;
    }
    int rounds = 0;
    for (int i = 0; i < hull->count; i++) {
        int next = cn_next_corner(hull, i);
        double turn = cn_cross2d(edges[i], edges[next]);
        if (!(turn > least[i] && turn > least[next])) return false;
        rounds += !points_up(edges[i]) && points_up(edges[next]);
    }
    return rounds == 1;
}

bool cn_hull_check(const cn_hull *hull) {
    if (!hull) return cn_fail(CN_ERROR_HANDLE, "the hull is NULL");
    if (is_clearly_good(hull)) return true;
    if (hull->count == 0) return refuse_unmade(hull);
    if (hull->count < 0 || hull->count > CN_MAX_VERTICES)
        return cn_fail(CN_ERROR_SHAPE, "a hull has 1 to %d vertices, not %d", CN_MAX_VERTICES,
                       hull->count);
    for (int i = 0; i < hull->count; i++)
        if (!cn_require2("vertex", hull->vertices[i], CN_MAX_LENGTH)) return false;
    if (!cn_require("radius", hull->radius, 0, CN_MAX_LENGTH)) return false;
    if (hull->count == 1) return true;
    cn_vec2d rounding = find_rounding(hull->vertices, hull->count);
    for (int i = 0; i < hull->count; i++)
        if (!check_edge(hull, i, rounding)) return false;
    return true;
}

// A point is a hull of radius 0, for queries.
bool cn_hull_check_sized(const cn_hull *hull) {
    return cn_hull_check(hull) &&
           (hull->count > 1 || hull->radius > 0 ||
            cn_fail(CN_ERROR_SHAPE, "the hull is a point, because its radius is 0: only queries "
                                    "and distances take points"));
}

bool cn_check_pair(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b) {
    return cn_hull_check(a) && cn_hull_check(b) && cn_require_pose(pose_a) &&
           cn_require_pose(pose_b);
}

bool cn_check_sized_pair(const cn_hull *a, cn_pose pose_a, const cn_hull *b, cn_pose pose_b) {
    return cn_hull_check_sized(a) && cn_hull_check_sized(b) && cn_require_pose(pose_a) &&
           cn_require_pose(pose_b);
}

// ---- constructors

static void add_normals(cn_hull *hull) {
    for (int i = 0; i < hull->count; i++) hull->normals[i] = cn_narrow(edge_normal(hull, i));
}

static cn_hull make_hull(const vec2s *vertices, int count, float radius) {
    cn_hull hull = {.radius = radius, .count = count};
    for (int i = 0; i < count; i++) hull.vertices[i] = vertices[i];
    add_normals(&hull);
    return hull;
}

// Completes the error that was just recorded, and returns the hull that carries its mark.
static cn_hull fail_to_make(const char *caller) {
    cn_fail_call(caller);
    return (cn_hull){.failure = cn_keep_error()};
}

static cn_hull make_checked_hull(const vec2s *vertices, int count, float radius,
                                 const char *caller) {
    cn_hull hull = make_hull(vertices, count, radius);
    return cn_hull_check(&hull) ? hull : fail_to_make(caller);
}

static vec2s box_corner(float hx, float hy, int i) {
    return cn_vec(i == 1 || i == 2 ? hx : -hx, i >= 2 ? hy : -hy);
}

cn_hull cn_circle(float radius) { return make_checked_hull(&(vec2s){{0, 0}}, 1, radius, __func__); }

cn_hull cn_capsule(vec2s p, vec2s q, float radius) {
    if (!check_length("radius", radius)) return fail_to_make(__func__);
    return make_checked_hull((vec2s[]){p, q}, 2, radius, __func__);
}

cn_hull cn_hull_of_segment(vec2s p, vec2s q) { return make_hull((vec2s[]){p, q}, 2, 0); }

cn_hull cn_segment(vec2s p, vec2s q) { return make_checked_hull((vec2s[]){p, q}, 2, 0, __func__); }

static cn_hull make_box(float half_width, float half_height, float radius, const char *caller) {
    if (!check_length("half width", half_width) || !check_length("half height", half_height))
        return fail_to_make(caller);
    vec2s corners[4];
    for (int i = 0; i < 4; i++) corners[i] = box_corner(half_width, half_height, i);
    return make_checked_hull(corners, 4, radius, caller);
}

cn_hull cn_box(float half_width, float half_height) {
    return make_box(half_width, half_height, 0, __func__);
}

cn_hull cn_rounded_box(float half_width, float half_height, float radius) {
    return make_box(half_width, half_height, radius, __func__);
}

cn_hull cn_regular_polygon(int corners, float circumradius) {
    if (!cn_require("number of corners", (float)corners, 3, CN_MAX_VERTICES) ||
        !check_length("circumradius", circumradius))
        return fail_to_make(__func__);
    vec2s vertices[CN_MAX_VERTICES];
    for (int i = 0; i < corners; i++) {
        // Whole quarter turns are exact; the rest is below a quarter turn.
        cn_rotation q = cn_rotation_of((float)(4 * i % corners) * (CN_PI / 2) / (float)corners);
        for (int k = 0; k < 4 * i / corners; k++) q = (cn_rotation){0 - q.s, q.c};
        vertices[i] = cn_vec(circumradius * q.c, circumradius * q.s);
    }
    return make_checked_hull(vertices, corners, 0, __func__);
}

cn_hull cn_hull_at(cn_hull hull, cn_pose pose) {
    if (!cn_hull_check(&hull) || !cn_require_pose(pose)) {
        uint32_t inherited = hull.count == 0 ? hull.failure : 0;
        cn_fail_call(__func__);
        return (cn_hull){.failure = inherited ? inherited : cn_keep_error()};
    }
    pose = cn_given_pose(pose);
    vec2s moved[CN_MAX_VERTICES];
    for (int i = 0; i < hull.count; i++) moved[i] = cn_to_world(pose, hull.vertices[i]);
    return make_checked_hull(moved, hull.count, hull.radius, __func__);
}

// ---- polygons from points

typedef struct {
    vec2s corners[2 * CN_MAX_VERTICES]; // some more than a hull has: some get trimmed
    int count;
} outline;

bool cn_check_points(const vec2s *points, int count) {
    if (!points) return cn_fail(CN_ERROR_HANDLE, "the points of the polygon are NULL");
    if (count < 3)
        return cn_fail(CN_ERROR_SHAPE, "a polygon needs 3 points or more, not %d", count);
    for (int i = 0; i < count; i++)
        if (!cn_require2("point", points[i], CN_MAX_LENGTH)) return false;
    return true;
}

static bool is_before(vec2s a, vec2s b, bool upright) {
    if (upright) a = cn_vec(a.y, a.x), b = cn_vec(b.y, b.x);
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// Returns the outline of two points: the first and the last along the longer side of the box of all
// points.
static outline begin_outline(const vec2s *points, int count) {
    cn_bounds box = {points[0], points[0]};
    for (int i = 1; i < count; i++) box = cn_box_union(box, (cn_bounds){points[i], points[i]});
    bool upright = box.upper.y - box.lower.y > box.upper.x - box.lower.x;
    outline o = {{points[0], points[0]}, 2};
    for (int i = 1; i < count; i++) {
        if (is_before(points[i], o.corners[0], upright)) o.corners[0] = points[i];
        if (is_before(o.corners[1], points[i], upright)) o.corners[1] = points[i];
    }
    return o;
}

// The point that is farthest outside of the edge a -> b, by more than `detail`; NULL if there is
// none.
static const vec2s *find_farthest(const vec2s *points, int count, vec2s a, vec2s b, double detail) {
    cn_vec2d n = cn_right_of(a, b);
    const vec2s *farthest = NULL;
    for (int i = 0; i < count; i++) {
        double height = cn_dot2d(n, cn_between(a, points[i]));
        if (height > detail) detail = height, farthest = &points[i];
    }
    return farthest;
}

// Takes in all points that are outside, or as many as the outline can hold.
static void grow_outline(outline *o, const vec2s *points, int count, double detail) {
    const int capacity = sizeof o->corners / sizeof *o->corners;
    for (int i = 0; i < o->count && o->count < capacity;) {
        vec2s *next = &o->corners[i + 1];
        const vec2s *farthest =
            find_farthest(points, count, o->corners[i], o->corners[(i + 1) % o->count], detail);
        if (farthest) {
            memmove(next + 1, next, (size_t)(o->count++ - i - 1) * sizeof *next);
            *next = *farthest;
        } else {
            i++;
        }
    }
}

// Removes corners that stand out from the line between their neighbours by no more than `detail`.
static void trim_outline(outline *o, double detail) {
    for (int i = 0; i < o->count && o->count > 2;) {
        vec2s before = o->corners[(i + o->count - 1) % o->count];
        vec2s after = o->corners[(i + 1) % o->count], *at = &o->corners[i];
        bool stays = cn_dot2d(cn_right_of(before, after), cn_between(before, *at)) > detail;
        if (!stays) memmove(at, at + 1, (size_t)(--o->count - i) * sizeof *at);
        i = stays ? i + 1 : 0; // the neighbours have changed
    }
}

cn_hull cn_hull_of_piece(const vec2s *corners, int count, float radius) {
    vec2s first = begin_outline(corners, count).corners[0];
    int start = 0;
    while (corners[start].x != first.x || corners[start].y != first.y) start++;
    cn_hull hull = {.radius = radius, .count = count};
    for (int i = 0; i < count; i++) hull.vertices[i] = corners[(start + i) % count];
    add_normals(&hull);
    cn_vec2d rounding = find_rounding(hull.vertices, count);
    for (int i = 0; i < count; i++)
        if (find_fault(&hull, i, rounding).fault != EDGE_GOOD) return (cn_hull){0};
    return hull;
}

cn_hull cn_polygon(const vec2s *points, int count, float radius) {
    if (!cn_check_points(points, count)) return fail_to_make(__func__);
    outline o = begin_outline(points, count);
    cn_vec2d extent = cn_between(o.corners[0], o.corners[1]);
    double detail = DETAIL * sqrt(cn_dot2d(extent, extent));
    grow_outline(&o, points, count, detail);
    trim_outline(&o, detail);
    if (o.count > 2 && o.count <= CN_MAX_VERTICES)
        return make_checked_hull(o.corners, o.count, radius, __func__);
    if (o.count < 3)
        cn_fail(CN_ERROR_SHAPE, "the %d points lie on a line or a point, to within %g", count,
                detail);
    else
        cn_fail(CN_ERROR_SHAPE,
                "the hull of the %d points has %d corners or more, to within %g: a polygon has at "
                "most %d. cn_outline_decompose() makes several hulls of an outline",
                count, o.count, detail, CN_MAX_VERTICES);
    return fail_to_make(__func__);
}

// ---- parts of hulls

bool cn_points_are_flat(const vec2s *points, int count) {
    outline o = begin_outline(points, count);
    cn_vec2d extent = cn_between(o.corners[0], o.corners[1]);
    double detail = DETAIL * sqrt(cn_dot2d(extent, extent));
    return !find_farthest(points, count, o.corners[0], o.corners[1], detail) &&
           !find_farthest(points, count, o.corners[1], o.corners[0], detail);
}

// True if corner b stands out from the line of its neighbours by no more than rounding.
static bool is_trimmed(vec2s a, vec2s b, vec2s c, cn_vec2d rounding) {
    cn_vec2d e = cn_between(a, c), offset = cn_between(a, b);
    return cn_cross2d(offset, e) <= 2 * (fabs(e.y) * rounding.x + fabs(e.x) * rounding.y);
}

int cn_trim_points(vec2s *points, int count) {
    cn_vec2d rounding = find_rounding(points, count);
    vec2s *first = points, *end = points; // the points that are kept
    for (int i = 0; i < count; i++) {
        while (end - first > 1 && is_trimmed(end[-2], end[-1], points[i], rounding)) end--;
        *end++ = points[i];
    }
    while (end - first > 2 && is_trimmed(end[-2], end[-1], first[0], rounding)) end--;
    while (end - first > 2 && is_trimmed(end[-1], first[0], first[1], rounding)) first++;
    memmove(points, first, (size_t)(end - first) * sizeof *points);
    if (end - first == 2 && is_within(cn_between(points[0], points[1]), rounding)) return 1;
    return (int)(end - first);
}

// True if some vertex lies below edge i by twice the depth that cn_hull_check() requires.
static bool has_depth(const cn_hull *hull, int i, cn_vec2d rounding) {
    cn_vec2d e = cn_between(hull->vertices[i], hull->vertices[cn_next_corner(hull, i)]);
    double depth = 2 * (fabs(e.y) * rounding.x + fabs(e.x) * rounding.y);
    for (int k = 0; k < hull->count; k++)
        if (cn_cross2d(e, cn_between(hull->vertices[i], hull->vertices[k])) > depth) return true;
    return false;
}

cn_hull cn_hull_of_corners(const vec2s *corners, int count) {
    cn_hull hull = {.count = count};
    for (int i = 0; i < count; i++) hull.vertices[i] = corners[i];
    cn_vec2d rounding = find_rounding(corners, count);
    for (int i = 0; i < count && count > 2; i++)
        if (!has_depth(&hull, i, rounding)) return (cn_hull){0};
    add_normals(&hull);
    return hull;
}

// ---- the canonical form

static vec2s find_middle(const cn_hull *hull) {
    cn_vec2d sum = {0, 0};
    for (int i = 0; i < hull->count; i++) sum = cn_add_scaled(sum, 1, cn_widen(hull->vertices[i]));
    return cn_narrow((cn_vec2d){sum.x / hull->count, sum.y / hull->count});
}

// The box that a hull of 4, 2 or 1 vertices would be. Its direction is that of the longer sides,
// because rounding turns them least. A capsule is the box of vertices 0, 1, 1, 0, and a circle is
// the box of vertices 0, 0, 0, 0.
static cn_placed_hull fit_box(const cn_hull *hull) {
    const vec2s *v = hull->vertices;
    int b = hull->count > 1, c = hull->count == 4 ? 2 : b, d = hull->count == 4 ? 3 : 0;
    cn_vec2d along = cn_add_scaled(cn_between(v[0], v[b]), 1, cn_between(v[d], v[c]));
    cn_vec2d up = cn_add_scaled(cn_between(v[b], v[c]), 1, cn_between(v[0], v[d]));
    bool along_is_longer = cn_dot2d(along, along) >= cn_dot2d(up, up);
    cn_vec2d u = cn_unit2d(along_is_longer ? along : (cn_vec2d){up.y, 0 - up.x});
    if (hull->count == 1) u = (cn_vec2d){1, 0};
    return (cn_placed_hull){
        .pose = {find_middle(hull), {(float)u.x, (float)u.y}},
        .hx = (float)(cn_dot2d(along, u) / 4),
        .hy = (float)(cn_dot2d(up, (cn_vec2d){-u.y, u.x}) / 4),
        .radius = hull->radius,
        .kind = hull->count | CN_CLASS_BOX << 8,
    };
}

// True if the vertices are the corners of the box, to rounding. In a turned box the rounding of x
// affects y too, by the sine and cosine of the turn, and vice versa. In a box that is not turned it
// must not.
static bool is_box(const cn_hull *hull, const cn_placed_hull *box) {
    cn_vec2d r = find_rounding(hull->vertices, hull->count);
    double mixing = (double)cn_abs(box->pose.rotation.c * box->pose.rotation.s);
    cn_vec2d rounding = {r.x + mixing * r.y, r.y + mixing * r.x};
    for (int i = 0; i < hull->count; i++) {
        vec2s corner = cn_to_world(box->pose, box_corner(box->hx, box->hy, i));
        if (!is_within(cn_between(corner, hull->vertices[i]), rounding)) return false;
    }
    return true;
}

cn_canonical_hull cn_hull_canonical(const cn_hull *hull) {
    if (hull->count <= 4 && hull->count != 3) {
        cn_placed_hull box = fit_box(hull);
        if (hull->count < 4 || is_box(hull, &box)) return (cn_canonical_hull){.placed = box};
    }
    return cn_polygon_about(hull, find_middle(hull));
}

cn_canonical_hull cn_polygon_about(const cn_hull *hull, vec2s center) {
    int hull_class = hull->count <= 4 ? CN_CLASS_HULL4 : CN_CLASS_HULL8;
    cn_canonical_hull canonical = {.placed = {.pose = {center, {1, 0}},
                                              .radius = hull->radius,
                                              .kind = hull->count | hull_class << 8}};
    cn_hull8 *all = &canonical.hull8;
    for (int i = 0; i < 8; i++) {
        int from = i < hull->count ? i : 0;
        vec2s v = glms_vec2_sub(hull->vertices[from], center), n = hull->normals[from];
        all->x[i] = v.x, all->y[i] = v.y, all->nx[i] = n.x, all->ny[i] = n.y;
    }
    return canonical;
}

static vec2s local_vertex(const cn_placed_hull *placed, const cn_hull8 *pool, int i) {
    if (cn_placed_class(placed) == CN_CLASS_BOX) return box_corner(placed->hx, placed->hy, i);
    return cn_vec(pool[placed->hull].x[i], pool[placed->hull].y[i]);
}

cn_hull cn_outline_from_placed(const cn_placed_hull *placed, const cn_hull8 *pool) {
    cn_hull hull = {.radius = placed->radius, .count = cn_placed_count(placed)};
    for (int i = 0; i < hull.count; i++)
        hull.vertices[i] = cn_to_world(placed->pose, local_vertex(placed, pool, i));
    return hull;
}

cn_hull cn_hull_from_placed(const cn_placed_hull *placed, const cn_hull8 *pool) {
    cn_hull hull = cn_outline_from_placed(placed, pool);
    add_normals(&hull);
    return hull;
}
