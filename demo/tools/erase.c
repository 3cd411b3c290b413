/* Erase: destroys the bodies under the mouse. Dragging erases only bodies that can move. */
#include "tool.h"

static bool erase(tool_use *use, bool any) {
    cn_body body = tool_body_at(use, use->point, any);
    return !body.id || cn_body_destroy(use->stage->run.world, body);
}

static bool press(tool_use *use) {
    use->body = (cn_body){0};
    return erase(use, true);
}

static bool drag(tool_use *use) { return erase(use, false); }

const demo_tool tool_erase = {
    .name = "Erase",
    .hint = "click a body, or drag over bodies",
    .key = 127, // KEY_DELETE
    .press = press,
    .drag = drag,
};
