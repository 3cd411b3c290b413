#include "pieces.h"

int cn_debug_tries = 2;
int cn_debug_refused, cn_debug_welded, cn_debug_left, cn_debug_rot;

int cn_decompose(const cn_outline *outlines, int count, float radius, cn_hull *hulls, int capacity) {
    cn_mesh mesh;
    if (!CN_CHECK(cn_read_outlines(&mesh, outlines, count) && cn_triangulate(&mesh))) return 0;
    int n = 0, reflex = 0;
    for (int i = 0; i < mesh.corner_count; i++) {
        const cn_corner *c = &mesh.corners[i];
        if (c->dropped) continue;
        n++;
        reflex += cn_orientation(mesh.corners[c->prev].at, c->at, mesh.corners[c->next].at) < 0;
    }
    int limit = 2 * cn_max_int((reflex + 1) / 2 + 1, (n + 3) / 6);
    int goal = cn_max_int((reflex + 1) / 2 + 2 - count, (n + 2 * count - 4 + 5) / 6);
    cn_join_pieces(&mesh);
    cn_recut_pieces(&mesh, goal, limit);
    bool seen[CN_MESH_HALVES] = {0};
    int made = 0;
    for (int h = 0; h < 2 * mesh.edge_count; h++) {
        if (seen[h] || !cn_is_inside(&mesh, h)) continue;
        vec2s corners[8];
        int n = 0, k = h;
        do {
            seen[k] = true;
            if (cn_orientation(cn_origin(&mesh, mesh.prev[k]), cn_origin(&mesh, k),
                                cn_origin(&mesh, mesh.next[k])) > 0)
                corners[n++] = cn_origin(&mesh, k);
            k = mesh.next[k];
        } while (k != h);
        cn_hull hull = cn_hull_of_corners(corners, n, radius);
        if (!hull.count) cn_debug_refused++;
        else {
            cn_hull q = cn_polygon(corners, n, radius);
            if (memcmp(&q, &hull, sizeof q)) cn_debug_welded++;
        }
        if (made < capacity) hulls[made] = hull;
        made++;
    }
    return made;
}
