#include "pieces.h"

int cn_corner_count(const cn_mesh *mesh, int half) {
    int count = 0, h = half;
    do {
        count += cn_orientation(cn_origin(mesh, mesh->prev[h]), cn_origin(mesh, h),
                                cn_origin(mesh, mesh->next[h])) > 0;
        h = mesh->next[h];
    } while (h != half && count <= CN_MAX_VERTICES);
    return count;
}

// Points of a ring, corners or not.
static int count_points(const cn_mesh *mesh, int half) {
    int count = 1;
    for (int h = mesh->next[half]; h != half; h = mesh->next[h]) count++;
    return count;
}

// Is the corner that half-edge h leaves convex without it?
static bool is_convex_without(const cn_mesh *mesh, int half) {
    int before = mesh->prev[half], after = mesh->next[mesh->next[half ^ 1]];
    return cn_turns_left(cn_origin(mesh, before), cn_origin(mesh, half), cn_origin(mesh, after));
}

bool cn_can_join(cn_mesh *mesh, int half) {
    if (!is_convex_without(mesh, half) || !is_convex_without(mesh, half ^ 1)) return false;
    int points = count_points(mesh, half) + count_points(mesh, half ^ 1) - 2;
    if (points <= CN_MAX_VERTICES) return true;
    cn_unlink_edge(mesh, half);
    bool fits = cn_corner_count(mesh, mesh->next[half]) <= CN_MAX_VERTICES;
    cn_relink_edge(mesh, half);
    return fits;
}

static double squared_length(const cn_mesh *mesh, int edge) {
    cn_vec2d e = cn_between(cn_origin(mesh, 2 * edge), cn_origin(mesh, 2 * edge + 1));
    return cn_dot2d(e, e);
}

extern int cn_debug_tries;
void cn_join_pieces(cn_mesh *mesh) {
    uint64_t keys[3 * CN_MAX_OUTLINE_POINTS], spare[3 * CN_MAX_OUTLINE_POINTS];
    int count = 0;
    for (int e = 0; e < mesh->edge_count; e++) {
        if (!cn_is_inner(mesh, 2 * e)) continue;
        float length = (float)squared_length(mesh, e); // of positive floats, the bits ascend
        uint32_t bits;
        memcpy(&bits, &length, sizeof bits);
        if (cn_debug_tries == 1) bits = ~bits;
        keys[count++] = (uint64_t)bits << 32 | (uint64_t)e;
    }
    cn_sort_keys(keys, spare, count, 32);
    for (int i = 0; i < count; i++) {
        int half = 2 * (int)(keys[i] & 0xffff);
        if (cn_can_join(mesh, half)) cn_take_out(mesh, half);
    }
}
