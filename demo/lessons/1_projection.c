/* Lesson 1: are two convex polygons apart? The separating axis theorem, by projection. */
#include <cairn.h>

#include <math.h>
#include <stdio.h>

typedef struct {
    vec2s points[8]; // counter-clockwise, world
    int count;
} polygon;

typedef struct {
    float low, high;
} interval;

// The shadow of a polygon on an axis: the smallest and the largest dot product with it.
static interval project(const polygon *p, vec2s axis) {
    interval shadow = {INFINITY, -INFINITY};
    for (int i = 0; i < p->count; i++) {
        float along = p->points[i].x * axis.x + p->points[i].y * axis.y;
        shadow.low = fminf(shadow.low, along);
        shadow.high = fmaxf(shadow.high, along);
    }
    return shadow;
}

// If any axis separates two polygons, the normal of an edge does, too.
static vec2s edge_normal(const polygon *p, int i) {
    vec2s a = p->points[i], b = p->points[(i + 1) % p->count];
    float x = b.y - a.y, y = a.x - b.x, length = sqrtf(x * x + y * y);
    return (vec2s){{x / length, y / length}};
}

// Returns true if a normal of one of p's edges separates the two.
static bool separates(const polygon *p, const polygon *q) {
    for (int i = 0; i < p->count; i++) {
        vec2s axis = edge_normal(p, i);
        interval a = project(p, axis), b = project(q, axis);
        if (a.high < b.low || b.high < a.low) return true;
    }
    return false;
}

static bool are_apart(const polygon *a, const polygon *b) {
    return separates(a, b) || separates(b, a);
}

static polygon place(const cn_hull *hull, cn_pose pose) {
    polygon p = {.count = hull->count};
    for (int i = 0; i < p.count; i++) p.points[i] = cn_pose_point(pose, hull->vertices[i]);
    return p;
}

int main(void) {
    cn_hull box = cn_box(2, 1), pentagon = cn_regular_polygon(5, 1.5f);
    cn_pose here = cn_pose_at((vec2s){{0, 0}}, 0.2f);
    int differences = 0;
    for (int i = 0; i <= 8; i++) {
        cn_pose there = cn_pose_at((vec2s){{1 + 0.4f * (float)i, 1.2f}}, 0.5f);
        polygon a = place(&box, here), b = place(&pentagon, there);
        bool apart = are_apart(&a, &b);
        cn_gap gap = cn_hull_distance(&box, here, &pentagon, there); // what the engine finds
        differences += apart != (gap.distance > 0);
        printf("the pentagon at x = %.1f m: %s (the engine: %+.3f m)\n", there.position.x,
               apart ? "apart" : "they overlap", gap.distance);
    }
    return differences;
}
