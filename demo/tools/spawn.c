/* Add: a click adds a body. Dragging gives it a velocity. */
#include "tool.h"

static const float speed_per_length = 3; // 1/s

static const char *const shapes[] = {"circle",   "box",     "plank",    "capsule", "rounded box",
                                     "triangle", "hexagon", "dumbbell", NULL};

// Writes the hulls of a shape of about the size of a circle of radius `size`.
static int find_hulls(int variant, float size, cn_hull hulls[3]) {
    const vec2s left = {{-size, 0}}, right = {{size, 0}};
    switch (variant) {
    case 0: hulls[0] = cn_circle(size); return 1;
    case 1: hulls[0] = cn_box(size, size); return 1;
    case 2: hulls[0] = cn_box(3 * size, 0.35f * size); return 1;
    case 3: hulls[0] = cn_capsule(left, right, 0.5f * size); return 1;
    case 4: hulls[0] = cn_rounded_box(0.75f * size, 0.55f * size, 0.25f * size); return 1;
    case 5: hulls[0] = cn_regular_polygon(3, 1.3f * size); return 1;
    case 6: hulls[0] = cn_regular_polygon(6, 1.1f * size); return 1;
    default: break;
    }
    hulls[0] = cn_box(size, 0.2f * size);
    cn_hull ball = cn_circle(0.6f * size);
    hulls[1] = cn_hull_at(ball, cn_pose_at(left, 0));
    hulls[2] = cn_hull_at(ball, cn_pose_at(right, 0));
    return 3;
}

static vec2s find_velocity(const tool_use *use) {
    return glms_vec2_scale(glms_vec2_sub(use->point, use->start), speed_per_length);
}

static bool release(tool_use *use) {
    cn_hull hulls[3];
    int count = find_hulls(use->variant, use->size, hulls);
    cn_body_def def = {.position = use->start, .velocity = find_velocity(use)};
    return tool_add_body(use, &def, hulls, count);
}

static void draw(const tool_use *use, sketch *s) {
    cn_hull hulls[3];
    vec2s place = use->down ? use->start : use->point;
    int count = find_hulls(use->variant, use->size, hulls);
    for (int i = 0; i < count; i++)
        sketch_hull(s, &hulls[i], cn_pose_at(place, 0), (sketch_pen){INK_BLUE, 0.25f, 1.5f});
    float speed = glms_vec2_norm(find_velocity(use));
    if (!use->down || speed < 0.2f) return;
    sketch_arrow(s, use->start, use->point, (sketch_pen){INK_YELLOW, 1, 2});
    sketch_label(s, use->point, INK_TEXT, "%.1f m/s", (double)speed);
}

const demo_tool tool_spawn = {
    .name = "Add",
    .hint = "click to add; drag: velocity; Shift+wheel: size",
    .key = 'h',
    .size = 0.5f,
    .variants = shapes,
    .release = release,
    .draw = draw,
};
