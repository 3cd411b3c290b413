/* Lesson 4: axis-aligned boxes: overlap, depth, the way out along the shorter axis, and where the
 * outlines cross. */
#include <cairn.h>

#include <math.h>
#include <stdio.h>

// Two boxes overlap if their intervals overlap on both axes.
static bool overlap(cn_bounds a, cn_bounds b) {
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y;
}

// How deep the intervals overlap on each axis; negative: a gap.
static vec2s depth(cn_bounds a, cn_bounds b) {
    return (vec2s){{fminf(a.upper.x, b.upper.x) - fmaxf(a.lower.x, b.lower.x),
                    fminf(a.upper.y, b.upper.y) - fmaxf(a.lower.y, b.lower.y)}};
}

// The shortest move of b along one axis that ends the overlap; zero if there is none.
static vec2s resolve(cn_bounds a, cn_bounds b) {
    float left = b.upper.x - a.lower.x, right = a.upper.x - b.lower.x; // how far b must move
    float down = b.upper.y - a.lower.y, up = a.upper.y - b.lower.y;
    float x = left < right ? -left : right, y = down < up ? -down : up;
    if (!overlap(a, b)) return (vec2s){{0, 0}};
    return fabsf(x) <= fabsf(y) ? (vec2s){{x, 0}} : (vec2s){{0, y}};
}

// A horizontal edge of one box crosses a vertical edge of the other if each is within the other's
// interval.
static int crossings(cn_bounds a, cn_bounds b) {
    int count = 0;
    for (int turn = 0; turn < 2; turn++) {
        cn_bounds flat = turn ? b : a, tall = turn ? a : b; // horizontal edges; vertical ones
        const float heights[] = {flat.lower.y, flat.upper.y},
                    sides[] = {tall.lower.x, tall.upper.x};
        for (int i = 0; i < 4; i++) {
            float y = heights[i / 2], x = sides[i % 2];
            if (x <= flat.lower.x || x >= flat.upper.x || y <= tall.lower.y || y >= tall.upper.y)
                continue;
            printf("    the outlines cross at (%.2f, %.2f) m\n", x, y);
            count++;
        }
    }
    return count;
}

int main(void) {
    const cn_bounds a = {{{0, 0}}, {{4, 3}}};
    const cn_bounds others[] = {{{{3, 1}}, {{6, 5}}},
                                {{{1, 2.5f}}, {{2, 6}}},
                                {{{-2, 1}}, {{6, 2}}},
                                {{{5, 0}}, {{7, 2}}},
                                {{{1, 1}}, {{2, 2}}}};
    int differences = 0;
    for (int i = 0; i < 5; i++) {
        cn_bounds b = others[i];
        vec2s d = depth(a, b), move = resolve(a, b), engine = cn_bounds_resolve(a, b), points[8];
        printf("box %d: %s, depth (%.2f, %.2f) m, way out (%.2f, %.2f) m\n", i,
               overlap(a, b) ? "overlaps" : "apart", d.x, d.y, move.x, move.y);
        int count = crossings(a, b);
        differences += overlap(a, b) != cn_bounds_overlap(a, b);
        differences += count != cn_bounds_crossings(a, b, points, 8);
        differences += fabsf(move.x - engine.x) + fabsf(move.y - engine.y) > 1e-5f;
    }
    return differences;
}
