/* Probes: the hull of a query, placed in the world as the query kernels read it (tree_query.c), and
 * the path along which it moves. */
#include "probe.h"

const cn_probe cn_point_probe = {.count = 1};

cn_probe cn_probe_of(const cn_hull *hull, cn_pose pose, cn_vec2d *center) {
    pose.rotation = cn_renormalize(pose.rotation); // so that normals are unit vectors
    cn_vec2d vertices[CN_MAX_VERTICES], low = {DBL_MAX, DBL_MAX}, high = {-DBL_MAX, -DBL_MAX};
    for (int i = 0; i < hull->count; i++) {
        cn_vec2d v = vertices[i] = cn_rotate2d(pose.rotation, cn_widen(hull->vertices[i]));
        low.x = v.x < low.x ? v.x : low.x, low.y = v.y < low.y ? v.y : low.y;
        high.x = v.x > high.x ? v.x : high.x, high.y = v.y > high.y ? v.y : high.y;
    }
    cn_vec2d middle = {(low.x + high.x) / 2, (low.y + high.y) / 2};
    cn_probe probe = {.count = hull->count,
                      .radius = hull->radius,
                      .half_width = (float)(high.x - middle.x) + hull->radius,
                      .half_height = (float)(high.y - middle.y) + hull->radius};
    for (int i = 0; i < hull->count; i++) {
        vec2s n = cn_narrow(cn_rotate2d(pose.rotation, cn_widen(hull->normals[i])));
        probe.x[i] = (float)(vertices[i].x - middle.x),
        probe.y[i] = (float)(vertices[i].y - middle.y);
        probe.nx[i] = n.x, probe.ny[i] = n.y;
    }
    for (int i = hull->count; i < 8; i++) {
        probe.x[i] = probe.x[0], probe.y[i] = probe.y[0];
        probe.nx[i] = probe.nx[0], probe.ny[i] = probe.ny[0];
    }
    *center = cn_add_scaled(cn_widen(pose.position), 1, middle);
    return probe;
}

cn_path cn_path_of(cn_vec2d origin, cn_vec2d translation) {
    return (cn_path){origin, cn_unit2d(translation), sqrt(cn_dot2d(translation, translation))};
}

// The part of an outline that is farthest along a normal: an edge or one vertex. It spans from
// `low` to `high` along the tangent, which is the normal turned by +90 degrees.
typedef struct {
    float level, low, high;
} extent;

// A vertex belongs to the level if rounding cannot distinguish it from the farthest vertex.
static extent extent_of(const float *x, const float *y, int count, vec2s n) {
    float level = -FLT_MAX, size = 0;
    for (int i = 0; i < count; i++) {
        level = cn_max(level, n.x * x[i] + n.y * y[i]);
        size = cn_max(size, cn_abs(x[i]) + cn_abs(y[i]));
    }
    extent e = {level, FLT_MAX, -FLT_MAX};
    for (int i = 0; i < count; i++) {
        if (n.x * x[i] + n.y * y[i] < level - 8 * FLT_EPSILON * size) continue;
        float along = n.x * y[i] - n.y * x[i];
        e.low = cn_min(e.low, along), e.high = cn_max(e.high, along);
    }
    return e;
}

cn_vec2d cn_touch_point(const cn_placed_hull *hull, cn_vec2d center, const cn_hull8 *pool,
                        const cn_probe *probe, cn_vec2d at, vec2s n) {
    cn_placed_hull centered = *hull;
    centered.pose.position = cn_vec(0, 0);
    cn_hull outline = cn_outline_from_placed(&centered, pool);
    float x[CN_MAX_VERTICES], y[CN_MAX_VERTICES];
    for (int i = 0; i < outline.count; i++)
        x[i] = outline.vertices[i].x, y[i] = outline.vertices[i].y;
    extent b = extent_of(x, y, outline.count, n);
    extent a = extent_of(probe->x, probe->y, probe->count, cn_vec(-n.x, -n.y));
    float offset = n.x * (float)(at.y - center.y) - n.y * (float)(at.x - center.x);
    float low = cn_max(b.low, offset - a.high), high = cn_min(b.high, offset - a.low);
    double along = 0.5 * ((double)low + (double)high), out = (double)(b.level + hull->radius);
    cn_vec2d normal = cn_widen(n), tangent = {-normal.y, normal.x};
    return cn_add_scaled(cn_add_scaled(center, out, normal), along, tangent);
}
