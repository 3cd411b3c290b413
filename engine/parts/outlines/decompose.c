/* Concave outlines with holes as convex hulls: cn_outline_decompose().
 *
 *      outlines --> triangles --> convex pieces --> fewer pieces --> fatter pieces --> hulls
 *                                      ^                                 |
 *                                      +-- other cuts, if too many <-----+
 *
 * Neighbouring hulls share their vertices, which are points of the outlines. So rounding makes no
 * gaps. Some outlines need many more pieces in this way than if cuts could end anywhere. With r
 * reflex corners and n points, an outline without holes needs at least
 *
 *      m = max(ceil(r / 2) + 1, ceil((n - 2) / 6))
 *
 * pieces, because a cut ends at two reflex corners at most, and because a piece of 8 corners has 6
 * of the n - 2 triangles. If cuts between corners leave more than 2 m pieces, the outline is cut
 * again with new points on its edges (cut.c). The result is used if it has fewer pieces and the
 * right area.
 *
 * A hull keeps all corners of its piece, even those that cn_polygon() would weld, because its
 * neighbours have the same corners. A piece that is thinner than the rounding of its coordinates
 * cannot be a hull and is left out. */
#include "decompose.h"

#define AREA_ERROR   1e-5 // of the area: greatest change by new points
#define AREA_MISSING 1e-3 // of the area: greatest part that may be missing in the hulls

typedef struct {
    int least;  // no decomposition has fewer pieces
    int enough; // 2 m, see above
} counts;

static counts find_counts(const cn_mesh *mesh, int outlines) {
    int n = 0, reflex = 0, holes = outlines - 1;
    for (int i = 0; i < mesh->corner_count; i++) {
        const cn_corner *c = &mesh->corners[i];
        if (c->dropped) continue;
        n++;
        reflex += cn_orientation(mesh->corners[c->prev].at, c->at, mesh->corners[c->next].at) < 0;
    }
    int by_reflex = (reflex + 1) / 2 + 1, by_size = (n + 3) / 6;
    // A hole needs one cut that splits nothing off, and it adds 2 triangles.
    return (counts){.least = cn_max_int(by_reflex - holes, (n + 2 * holes + 3) / 6),
                    .enough = 2 * cn_max_int(by_reflex, by_size)};
}

// ---- hulls

static double twice_area(const vec2s *corners, int count) {
    double sum = 0;
    for (int i = 1; i + 1 < count; i++)
        sum +=
            cn_cross2d(cn_between(corners[0], corners[i]), cn_between(corners[0], corners[i + 1]));
    return sum;
}

static void list_corners(const cn_mesh *mesh, int half, cn_hull *hull) {
    hull->count = 0;
    CN_EACH_AROUND(h, mesh, half) {
        assert(hull->count < CN_MAX_VERTICES || !cn_is_corner(mesh, h));
        if (cn_is_corner(mesh, h)) hull->vertices[hull->count++] = cn_origin(mesh, h);
    }
}

typedef struct {
    int count;
    double twice_area;
} hull_sum;

// The hull of a piece; false if the piece is too thin.
static bool make_hull(const cn_mesh *mesh, int half, float radius, cn_hull *hull) {
    list_corners(mesh, half, hull);
    if (hull->count > 2) *hull = cn_hull_of_piece(hull->vertices, hull->count, radius);
    return hull->count > 2;
}

// Makes all hulls and stores the first ones. A piece that is too thin is left out.
static hull_sum make_hulls(const cn_mesh *mesh, float radius, cn_hull *hulls, int capacity) {
    hull_sum sum = {0};
    for (int h = 0; h < 2 * mesh->edge_count; h++) {
        cn_hull hull;
        if (!cn_is_piece(mesh, h) || !make_hull(mesh, h, radius, &hull)) continue;
        if (sum.count < capacity) hulls[sum.count] = hull;
        sum.count++;
        sum.twice_area += twice_area(hull.vertices, hull.count);
    }
    return sum;
}

// ---- pieces

static double twice_area_inside(const cn_mesh *mesh) {
    double sum = 0;
    vec2s o = mesh->points[0];
    for (int i = 0; i < mesh->corner_count; i++) {
        const cn_corner *c = &mesh->corners[i];
        if (c->dropped) continue;
        sum += cn_cross2d(cn_between(o, c->at), cn_between(o, mesh->corners[c->next].at));
    }
    return sum;
}

static bool is_whole(const cn_mesh *mesh, double error) {
    double inside = twice_area_inside(mesh);
    hull_sum sum = make_hulls(mesh, 0, NULL, 0);
    return sum.count > 0 && fabs(sum.twice_area - inside) <= error * inside;
}

static bool check_area(const cn_mesh *mesh) {
    if (is_whole(mesh, AREA_MISSING)) return true;
    hull_sum sum = make_hulls(mesh, 0, NULL, 0);
    return cn_fail(CN_ERROR_SHAPE,
                   "the outlines have area %g, but their %d hulls only area %g: the outlines are "
                   "too thin for their coordinates",
                   twice_area_inside(mesh) / 2, sum.count, sum.twice_area / 2);
}

static int join_pieces(cn_mesh *mesh, int least) {
    cn_join_pieces(mesh);
    cn_recut_pieces(mesh, least);
    cn_fatten_pieces(mesh);
    return cn_count_pieces(mesh);
}

static bool cut_to_pieces(cn_mesh *mesh, int outlines) {
    if (!cn_triangulate(mesh)) return false;
    counts wanted = find_counts(mesh, outlines);
    int count = join_pieces(mesh, wanted.least);
    if (count <= wanted.enough) return true;
    cn_triangulate(mesh);
    if (cn_cut_reflex_corners(mesh) && join_pieces(mesh, wanted.least) < count &&
        is_whole(mesh, AREA_ERROR))
        return true;
    cn_triangulate(mesh);
    join_pieces(mesh, wanted.least);
    return true;
}

static bool check_call(float radius, const cn_hull *hulls, int capacity) {
    return cn_require("radius", radius, 0, CN_MAX_LENGTH) && cn_require_capacity(hulls, capacity);
}

int cn_outline_decompose(const cn_outline *outlines, int count, float radius, cn_hull *hulls,
                         int capacity) {
    cn_mesh mesh;
    if (!CN_CHECK(check_call(radius, hulls, capacity) && cn_read_outlines(&mesh, outlines, count) &&
                  cut_to_pieces(&mesh, count) && check_area(&mesh)))
        return 0;
    return make_hulls(&mesh, radius, hulls, capacity).count;
}
