#include "decompose.h"

#define AREA_LEFT_OUT 4e-6 // of the area: what may be lost to pieces that are thinner than rounding

typedef struct {
    int goal;  // no decomposition has fewer
    int limit; // and this one has not more than so many, if need be with new points
} counts;

// With r reflex corners, of which a cut halves two at most, and n - 2 + 2 h triangles with h holes, of which a
// piece has 6 at most.
static counts find_counts(const cn_mesh *mesh, int outlines) {
    int n = 0, reflex = 0;
    for (int i = 0; i < mesh->corner_count; i++) {
        const cn_corner *c = &mesh->corners[i];
        if (c->dropped) continue;
        n++;
        reflex += cn_orientation(mesh->corners[c->prev].at, c->at, mesh->corners[c->next].at) < 0;
    }
    int by_reflex = (reflex + 1) / 2 + 1, by_size = (n + 3) / 6;
    return (counts){.goal = cn_max_int(by_reflex - (outlines - 1), (n + 2 * outlines + 1) / 6),
                    .limit = 2 * cn_max_int(by_reflex, by_size)};
}

static int join(cn_mesh *mesh, int goal) {
    cn_join_pieces(mesh);
    cn_recut_pieces(mesh, goal);
    return cn_count_pieces(mesh);
}

static bool cut_to_pieces(cn_mesh *mesh, int outlines) {
    if (!cn_triangulate(mesh)) return false;
    counts wanted = find_counts(mesh, outlines);
    int count = join(mesh, wanted.goal);
    if (count > wanted.limit) {
        cn_triangulate(mesh);
        if (!cn_cut_reflex_corners(mesh) || join(mesh, wanted.goal) >= count) {
            cn_triangulate(mesh);
            join(mesh, wanted.goal);
        }
    }
    cn_fatten_pieces(mesh);
    return true;
}

static double twice_area(const vec2s *corners, int count) {
    double sum = 0;
    for (int i = 1; i + 1 < count; i++)
        sum += cn_cross2d(cn_between(corners[0], corners[i]), cn_between(corners[0], corners[i + 1]));
    return sum;
}

// Corners of a piece. A new point off its edge may be reflex by its rounding: that is none.
static int list_corners(const cn_mesh *mesh, int half, vec2s *corners) {
    int count = 0;
    CN_EACH_AROUND(h, mesh, half)
        if (cn_turn(mesh, cn_before(mesh, h), mesh->origin[h], cn_target(mesh, h)) > 0)
            corners[count++] = cn_origin(mesh, h);
    return count;
}

int cn_debug_refused, cn_debug_welded, cn_debug_added, cn_debug_x[8];
static int make_hulls(const cn_mesh *mesh, float radius, cn_hull *hulls, int capacity) {
    int count = 0;
    cn_debug_added += mesh->point_count - mesh->given_count;
    for (int h = 0; h < 2 * mesh->edge_count; h++) {
        if (!cn_is_piece(mesh, h)) continue;
        vec2s corners[CN_MAX_VERTICES];
        int n = list_corners(mesh, h, corners);
        cn_hull hull = n > 2 ? cn_hull_of_corners(corners, n, radius) : (cn_hull){0};
        if (!hull.count) cn_debug_refused++;
        else {
            cn_hull q = cn_polygon(corners, n, radius);
            if (memcmp(&q, &hull, sizeof q)) cn_debug_welded++;
        }
        if (count < capacity) hulls[count] = hull;
        count++;
    }
    (void)twice_area;
    return count;
}

int cn_decompose(const cn_outline *outlines, int count, float radius, cn_hull *hulls, int capacity) {
    cn_mesh mesh;
    if (!CN_CHECK(cn_read_outlines(&mesh, outlines, count) && cut_to_pieces(&mesh, count))) return 0;
    return make_hulls(&mesh, radius, hulls, capacity);
}
