/* The heavy ball: from the side of the view that is farther from the target, in a flat arc that the
 * gravity bends onto the target. */
#include "tool.h"

#include <math.h>

static const float density = 12;  // kg/m^2
static const float flight = 0.6f; // s, from the side to the target

static float radius_in(cn_bounds seen) { return 0.045f * (seen.upper.y - seen.lower.y); }

void tools_throw_ball(tool_use *use) {
    demo_stage *stage = use->stage;
    if (!stage->run.world || stage->replay) return;
    cn_bounds seen = use->seen;
    vec2s target = use->point, gravity = cn_world_gravity(stage->run.world);
    vec2s middle = glms_vec2_lerp(seen.lower, seen.upper, 0.5f);
    float radius = radius_in(seen);
    bool is_seen = target.x > seen.lower.x && target.x < seen.upper.x && target.y > seen.lower.y &&
                   target.y < seen.upper.y;
    if (!is_seen) target = middle;
    float side = target.x > middle.x ? seen.lower.x - radius : seen.upper.x + radius;
    vec2s from = {{side, target.y}};
    vec2s velocity = glms_vec2_scale(glms_vec2_sub(target, from), 1 / flight);
    velocity = glms_vec2_muladds(gravity, -flight / 2, velocity);
    cn_shape_def shape = {.hull = cn_circle(radius), .density = density, .material.friction = 0.6f};
    cn_body ball = cn_body_create(stage->run.world, &(cn_body_def){.position = from,
                                                                   .velocity = velocity,
                                                                   .bullet = true,
                                                                   .shapes = &shape,
                                                                   .shape_count = 1});
    if (!ball.id) stage_tell(stage, "Ball: %s", cn_error());
    stage_refresh(stage);
}

static bool press(tool_use *use) {
    tools_throw_ball(use);
    return true;
}

static void draw(const tool_use *use, sketch *s) {
    cn_hull ball = cn_circle(radius_in(use->seen));
    sketch_hull(s, &ball, cn_pose_at(use->point, 0), (sketch_pen){INK_YELLOW, 0.08f, 1.5f});
}

const demo_tool tool_ball = {
    .name = "Ball",
    .hint = "click to throw a heavy ball there",
    .press = press,
    .draw = draw,
};
