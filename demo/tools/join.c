/* Pin: a hinge between a body and the body behind it, or the ground. A click on a pin removes it.
 * Tie: a joint from one body to another. A place without a body stands for the ground. */
#include "tool.h"

// ---- pin

static cn_joint find_pin(const cn_world *world, cn_body body, vec2s point, float reach) {
    for (cn_joint j = {0}; (j = cn_body_next_joint(world, body, j)).id;) {
        cn_joint_def def = cn_joint_definition(world, j);
        vec2s at = cn_pose_point(cn_body_pose(world, def.a), def.frame_a.position);
        if (glms_vec2_distance(at, point) < reach) return j;
    }
    return (cn_joint){0};
}

// Returns a body at the point other than this one, or the ground.
static cn_body find_behind(tool_use *use, cn_body body) {
    enum { MAX_SIDES = 16 };
    cn_side sides[MAX_SIDES];
    int count = cn_world_overlap_point(use->stage->run.world, use->point, NULL, sides, MAX_SIDES);
    for (int i = 0; i < count && i < MAX_SIDES; i++)
        if (sides[i].body.id != body.id) return sides[i].body;
    return tool_ground(use);
}

static bool press_pin(tool_use *use) {
    cn_world *world = use->stage->run.world;
    if (!use->body.id) return true;
    cn_joint pin = find_pin(world, use->body, use->point, 10 * use->pixel);
    if (pin.id) return cn_joint_destroy(world, pin);
    cn_body behind = find_behind(use, use->body);
    if (!behind.id || behind.id == use->body.id) return true;
    cn_joint_def def = cn_revolute_joint(world, behind, use->body, use->point);
    return cn_joint_create(world, def).id != 0;
}

static void draw_pin(const tool_use *use, sketch *s) {
    const cn_world *world = use->stage->run.world;
    cn_body body = tool_body_at(use, use->point, false);
    bool is_pinned = body.id && find_pin(world, body, use->point, 10 * use->pixel).id;
    sketch_dot(s, use->point,
               (sketch_pen){is_pinned ? INK_RED
                            : body.id ? INK_GREEN
                                      : INK_DIM,
                            1, 5});
}

const demo_tool tool_pin = {
    .name = "Pin",
    .hint = "click a body to pin it; click a pin to remove it",
    .key = 'u',
    .press = press_pin,
    .draw = draw_pin,
};

// ---- tie

enum { ROPE, SPRING, WELD };
static const char *const ties[] = {"rope", "spring", "weld", NULL};

static bool release_tie(tool_use *use) {
    cn_world *world = use->stage->run.world;
    cn_body a = use->body, b = tool_body_at(use, use->point, true);
    if (!a.id) a = tool_ground(use);
    if (!b.id) b = tool_ground(use);
    if (!a.id || !b.id || a.id == b.id) return true;
    vec2s from = tool_anchor_point(use);
    cn_joint_def def;
    switch (use->variant) {
    case ROPE: def = cn_rope_joint(world, a, b, from, use->point); break;
    case SPRING:
        def = cn_spring_joint(world, a, b, from, use->point);
        def.x.damping_ratio = 0.3f;
        break;
    default: def = cn_weld_joint(world, a, b, glms_vec2_lerp(from, use->point, 0.5f)); break;
    }
    def.collide_connected = use->variant != WELD;
    return cn_joint_create(world, def).id != 0;
}

static void draw_tie(const tool_use *use, sketch *s) {
    cn_body body = tool_body_at(use, use->point, true);
    sketch_dot(s, use->point, (sketch_pen){body.id ? INK_GREEN : INK_DIM, 1, 5});
    if (!use->down) return;
    vec2s from = tool_anchor_point(use);
    sketch_dot(s, from, (sketch_pen){INK_GREEN, 1, 5});
    sketch_dashes(s, from, use->point, (sketch_pen){INK_GREEN, 1, 2});
    sketch_label(s, use->point, INK_TEXT, "%s", ties[use->variant]);
}

const demo_tool tool_tie = {
    .name = "Tie",
    .hint = "drag from a body to another, or to the ground",
    .key = 'y',
    .variants = ties,
    .release = release_tie,
    .draw = draw_tie,
};
