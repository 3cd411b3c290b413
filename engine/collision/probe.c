/* What asks: a hull taken to where it is in the world, as the query kernels read it (tree_query.c), and the
 * way that it goes. */
#include "collision.h"

const cn_probe cn_point_probe = {.count = 1};

static cn_vec2d turn(cn_rotation q, vec2s v) {
    double c = (double)q.c, s = (double)q.s, x = (double)v.x, y = (double)v.y;
    return (cn_vec2d){c * x - s * y, s * x + c * y};
}

cn_probe cn_probe_of(const cn_hull *hull, cn_pose pose, cn_vec2d *center) {
    cn_vec2d vertices[CN_MAX_VERTICES], low = {DBL_MAX, DBL_MAX}, high = {-DBL_MAX, -DBL_MAX};
    for (int i = 0; i < hull->count; i++) {
        cn_vec2d v = vertices[i] = turn(pose.rotation, hull->vertices[i]);
        low.x = v.x < low.x ? v.x : low.x, low.y = v.y < low.y ? v.y : low.y;
        high.x = v.x > high.x ? v.x : high.x, high.y = v.y > high.y ? v.y : high.y;
    }
    cn_vec2d middle = {(low.x + high.x) / 2, (low.y + high.y) / 2};
    cn_probe probe = {.count = hull->count,
                      .radius = hull->radius,
                      .half_width = (float)(high.x - middle.x) + hull->radius,
                      .half_height = (float)(high.y - middle.y) + hull->radius};
    for (int i = 0; i < 8; i++) {
        int from = i < hull->count ? i : 0;
        cn_vec2d n = turn(pose.rotation, hull->normals[from]);
        probe.x[i] = (float)(vertices[from].x - middle.x);
        probe.y[i] = (float)(vertices[from].y - middle.y);
        probe.nx[i] = (float)n.x, probe.ny[i] = (float)n.y;
    }
    *center = cn_add_scaled(cn_widen(pose.position), 1, middle);
    return probe;
}

cn_path cn_path_of(cn_vec2d origin, cn_vec2d translation) {
    return (cn_path){origin, cn_unit2d(translation), sqrt(cn_dot2d(translation, translation))};
}
