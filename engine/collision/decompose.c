#include "decompose.h"

typedef struct {
    cn_mesh *mesh;
    uint16_t removed[CN_MESH_EDGES]; // edges in the order in which they were removed
    int removed_count;
    uint64_t keys[2 * CN_MAX_OUTLINE_POINTS], spare[2 * CN_MAX_OUTLINE_POINTS];
} pieces;

static bool is_inside(const cn_mesh *mesh, int half) { return mesh->winding[half] == 1; }
static bool is_inner_edge(const cn_mesh *mesh, int edge) {
    return is_inside(mesh, 2 * edge) && is_inside(mesh, 2 * edge + 1);
}

// Is p -> q -> r no reflex corner, nor one that goes back?
static bool turns_left(vec2s p, vec2s q, vec2s r) {
    double turn = cn_orientation(p, q, r);
    return turn > 0 || (turn == 0 && cn_dot2d(cn_between(q, p), cn_between(q, r)) < 0);
}

static bool is_convex_at(const cn_mesh *mesh, int half) {
    return turns_left(cn_origin(mesh, mesh->prev[half]), cn_origin(mesh, half),
                      cn_origin(mesh, mesh->next[half]));
}

// Corners of the ring, up to one more than a hull may have. Points on its edges are none.
static int count_corners(const cn_mesh *mesh, int ring) {
    int count = 0, h = ring;
    do {
        count += cn_orientation(cn_origin(mesh, mesh->prev[h]), cn_origin(mesh, h),
                                cn_origin(mesh, mesh->next[h])) > 0;
        h = mesh->next[h];
    } while (h != ring && count <= CN_MAX_VERTICES);
    return count;
}

static int count_ring(const cn_mesh *mesh, int ring) {
    int count = 0, h = ring;
    do count++, h = mesh->next[h];
    while (h != ring);
    return count;
}

// May the two faces at this edge be one hull?
static bool can_join(cn_mesh *mesh, int half) {
    int twin = half ^ 1;
    vec2s a = cn_origin(mesh, half), b = cn_origin(mesh, twin);
    if (!turns_left(cn_origin(mesh, mesh->prev[half]), a, cn_origin(mesh, mesh->next[mesh->next[twin]])))
        return false;
    if (!turns_left(cn_origin(mesh, mesh->prev[twin]), b, cn_origin(mesh, mesh->next[mesh->next[half]])))
        return false;
    if (count_ring(mesh, half) + count_ring(mesh, twin) - 2 <= CN_MAX_VERTICES) return true;
    cn_unlink_edge(mesh, half);
    bool fits = count_corners(mesh, mesh->next[half]) <= CN_MAX_VERTICES;
    cn_relink_edge(mesh, half);
    return fits;
}

static double length_of(const cn_mesh *mesh, int e) {
    cn_vec2d d = cn_between(cn_origin(mesh, 2 * e), cn_origin(mesh, 2 * e + 1));
    return sqrt(cn_dot2d(d, d));
}

static uint32_t hash(uint32_t x) {
    x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16;
    return x;
}

static float priority(const cn_mesh *mesh, int e, int try) {
    double l = length_of(mesh, e);
    if (try == 0) return (float)-l;
    if (try == 1) return (float)l;
    return (float)(-l * (0.3 + (double)(hash((uint32_t)(e * 64 + try)) & 0xffff) / 65536));
}

static int join_all(pieces *p, int try) {
    cn_mesh *mesh = p->mesh;
    int count = 0, faces = 1;
    for (int e = 0; e < mesh->edge_count; e++)
        if (is_inner_edge(mesh, e)) {
            float f = priority(mesh, e, try);
            uint32_t bits;
            memcpy(&bits, &f, 4);
            bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
            p->keys[count++] = (uint64_t)bits << 32 | (uint64_t)e;
        }
    (void)faces;
    cn_sort_keys(p->keys, p->spare, count, 0);
    p->removed_count = 0;
    for (int i = 0; i < count; i++) {
        int e = (int)(p->keys[i] & 0xffff);
        if (!can_join(mesh, 2 * e)) continue;
        cn_unlink_edge(mesh, 2 * e);
        p->removed[p->removed_count++] = (uint16_t)e;
    }
    return p->removed_count;
}

static void undo(pieces *p) {
    while (p->removed_count > 0) cn_relink_edge(p->mesh, 2 * p->removed[--p->removed_count]);
}

int cn_debug_tries = 8;
int cn_debug_refused, cn_debug_welded, cn_debug_left, cn_debug_rot;

int cn_decompose(const cn_outline *outlines, int count, float radius, cn_hull *hulls, int capacity) {
    cn_mesh mesh;
    pieces p = {.mesh = &mesh};
    if (!CN_CHECK(cn_read_outlines(&mesh, outlines, count) && cn_triangulate(&mesh))) return 0;
    int best = -1, best_try = 0;
    for (int i = 0; i < cn_debug_tries; i++) {
        int n = join_all(&p, i);
        if (n > best) best = n, best_try = i;
        undo(&p);
    }
    join_all(&p, best_try);
    bool gone[CN_MESH_EDGES] = {0};
    for (int i = 0; i < p.removed_count; i++) gone[p.removed[i]] = true;
    bool seen[CN_MESH_HALVES] = {0};
    int made = 0;
    for (int h = 0; h < 2 * mesh.edge_count; h++) {
        if (seen[h] || gone[h / 2] || !is_inside(&mesh, h)) continue;
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
