/* Freeze: makes a body static, or dynamic again. */
#include "tool.h"

static bool press(tool_use *use) {
    cn_world *world = use->stage->run.world;
    if (!use->body.id || cn_body_type(world, use->body) == CN_KINEMATIC) return true;
    bool moves = cn_body_type(world, use->body) == CN_DYNAMIC;
    return cn_body_set_type(world, use->body, moves ? CN_STATIC : CN_DYNAMIC);
}

const demo_tool tool_freeze = {
    .name = "Freeze",
    .hint = "click a body to make it static, or dynamic again",
    .key = 'v',
    .press = press,
};
