/* Throw: a rubber band between the body and the mouse. When the button goes up, the body is thrown
 * towards the place where the band began. */
#include "tool.h"

static const float speed_per_length = 6; // 1/s: speed of the body divided by the length of the band

static vec2s find_velocity(const tool_use *use) {
    return glms_vec2_scale(glms_vec2_sub(tool_anchor_point(use), use->point), speed_per_length);
}

static bool is_dynamic(const tool_use *use) {
    return use->body.id && cn_body_type(use->stage->run.world, use->body) == CN_DYNAMIC;
}

static bool release(tool_use *use) {
    cn_world *world = use->stage->run.world;
    if (!is_dynamic(use)) return true;
    float mass = cn_body_mass(world, use->body);
    return cn_body_apply_impulse_at(world, use->body, glms_vec2_scale(find_velocity(use), mass),
                                    tool_anchor_point(use));
}

static void draw(const tool_use *use, sketch *s) {
    if (!use->down || !is_dynamic(use)) return;
    vec2s from = tool_anchor_point(use), velocity = find_velocity(use);
    float mass = cn_body_mass(use->stage->run.world, use->body);
    sketch_line(s, from, use->point, (sketch_pen){INK_ORANGE, 1, 3});
    sketch_arrow(s, from, glms_vec2_muladds(velocity, 1 / speed_per_length, from),
                 (sketch_pen){INK_YELLOW, 1, 2});
    sketch_dot(s, use->point, (sketch_pen){INK_ORANGE, 1, 4});
    sketch_label(s, use->point, INK_TEXT, "%.1f N s, %.1f m/s",
                 (double)(mass * glms_vec2_norm(velocity)), (double)glms_vec2_norm(velocity));
}

const demo_tool tool_throw = {
    .name = "Throw",
    .hint = "drag back from a body and let go",
    .key = 'f',
    .release = release,
    .draw = draw,
};
