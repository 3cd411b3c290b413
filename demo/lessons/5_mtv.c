/* Lesson 5: the minimum translation vector: the shortest move that separates two polygons. A move
 * along an axis by the overlap of the shadows separates them. The axis with the smallest overlap
 * gives the shortest move. */
#include <cairn.h>

#include <math.h>
#include <stdio.h>

static float dot(vec2s a, vec2s b) { return a.x * b.x + a.y * b.y; }

// The shadow of a polygon on an axis: its ends.
static vec2s project(const cn_hull *hull, vec2s axis) {
    vec2s shadow = {{INFINITY, -INFINITY}};
    for (int i = 0; i < hull->count; i++) {
        float along = dot(hull->vertices[i], axis);
        shadow = (vec2s){{fminf(shadow.x, along), fmaxf(shadow.y, along)}};
    }
    return shadow;
}

typedef struct {
    vec2s direction; // from A to B
    float overlap;   // m; negative: a gap
} best_axis;

static void try_axes(best_axis *best, const cn_hull *of, const cn_hull *a, const cn_hull *b) {
    for (int i = 0; i < of->count; i++) {
        vec2s axis = of->normals[i];
        if (of == b) axis = (vec2s){{-axis.x, -axis.y}}; // outwards from B is towards A
        vec2s shadow_a = project(a, axis), shadow_b = project(b, axis);
        float overlap = shadow_a.y - shadow_b.x; // B must move along the axis by this much
        if (overlap < best->overlap) *best = (best_axis){axis, overlap};
    }
}

// Returns the move of B. It is zero if the two are apart already.
static vec2s find_mtv(const cn_hull *a, const cn_hull *b) {
    best_axis best = {.overlap = INFINITY};
    try_axes(&best, a, a, b);
    try_axes(&best, b, a, b);
    float length = fmaxf(best.overlap, 0);
    return (vec2s){{best.direction.x * length, best.direction.y * length}};
}

int main(void) {
    cn_hull box = cn_box(2, 1), triangle = cn_regular_polygon(3, 1.5f);
    cn_pose here = cn_pose_at((vec2s){{0, 0}}, 0.1f);
    int differences = 0;
    for (int i = 0; i < 8; i++) {
        cn_rotation around = cn_rotation_of(0.8f * (float)i);
        cn_pose there = cn_pose_at((vec2s){{1.6f * around.c, 1.4f * around.s}}, 0.7f * (float)i);
        cn_hull a = cn_hull_at(box, here), b = cn_hull_at(triangle, there);
        vec2s move = find_mtv(&a, &b);
        cn_mtv engine = cn_hull_mtv(&box, here, &triangle, there);
        there.position.x += move.x, there.position.y += move.y;
        float gap = cn_hull_distance(&box, here, &triangle, there).distance;
        printf("move B by (%+.3f, %+.3f) m: the gap is then %+.5f m (the engine: %+.3f, %+.3f)\n",
               move.x, move.y, gap, engine.translation.x, engine.translation.y);
        float by = hypotf(move.x, move.y),
              engine_by = hypotf(engine.translation.x, engine.translation.y);
        differences += fabsf(gap) > 1e-4f || fabsf(by - engine_by) > 1e-4f;
    }
    return differences;
}
