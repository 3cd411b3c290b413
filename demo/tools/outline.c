/* Draw: the path of the mouse is the outline of a new body. A concave outline is decomposed into
 * convex hulls. */
#include "tool.h"

#include <math.h>

enum { MAX_HULLS = 64 };

// Leaves out points that are nearly on the line between their neighbours, so that there are few.
static int simplify(const tool_use *use, vec2s *points) {
    int count = 0;
    for (int i = 0; i < use->stroke_count; i++) {
        vec2s p = use->stroke[i];
        if (count >= 2) {
            vec2s a = glms_vec2_sub(points[count - 1], points[count - 2]);
            vec2s b = glms_vec2_sub(p, points[count - 1]);
            float cross = fabsf(a.x * b.y - a.y * b.x);
            if (cross < 2 * use->pixel * glms_vec2_norm(glms_vec2_add(a, b))) count--;
        }
        points[count++] = p;
    }
    return count;
}

static vec2s middle_of(const vec2s *points, int count) {
    vec2s sum = glms_vec2_zero();
    for (int i = 0; i < count; i++) sum = glms_vec2_add(sum, points[i]);
    return glms_vec2_scale(sum, 1 / (float)count);
}

// Outlines of solid areas are counter-clockwise.
static void turn_counter_clockwise(vec2s *points, int count) {
    float area = 0;
    for (int i = 0; i < count; i++) {
        vec2s a = points[i], b = points[(i + 1) % count];
        area += a.x * b.y - a.y * b.x;
    }
    for (int i = 0; i < count / 2 && area < 0; i++) {
        vec2s kept = points[i];
        points[i] = points[count - 1 - i];
        points[count - 1 - i] = kept;
    }
}

static bool release(tool_use *use) {
    static cn_hull hulls[MAX_HULLS];
    vec2s points[MAX_STROKE];
    int count = simplify(use, points);
    if (count < 3) {
        if (use->stroke_count > 1) stage_tell(use->stage, "Draw: draw around an area.");
        return true;
    }
    vec2s middle = middle_of(points, count);
    for (int i = 0; i < count; i++) points[i] = glms_vec2_sub(points[i], middle);
    turn_counter_clockwise(points, count);
    int pieces = cn_outline_decompose(&(cn_outline){points, count}, 1, 0, hulls, MAX_HULLS);
    if (pieces == 0) return false; // crosses itself, or has no area
    cn_body_def def = {.position = middle};
    return tool_add_body(use, &def, hulls, pieces < MAX_HULLS ? pieces : MAX_HULLS);
}

static void draw(const tool_use *use, sketch *s) {
    const sketch_pen pen = {INK_YELLOW, 1, 2};
    for (int i = 1; i < use->stroke_count; i++)
        sketch_line(s, use->stroke[i - 1], use->stroke[i], pen);
    if (use->stroke_count > 2)
        sketch_dashes(s, use->stroke[use->stroke_count - 1], use->stroke[0], pen);
}

const demo_tool tool_outline = {
    .name = "Draw",
    .hint = "draw around the area of a new body",
    .key = 'o',
    .release = release,
    .draw = draw,
};
