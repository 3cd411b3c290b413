/* Grab: a spring pulls the body to the mouse. Grabbing nothing is a click for the scene. */
#include "tool.h"

static bool press(tool_use *use) {
    demo_stage *stage = use->stage;
    if (!grab_start(&stage->grab, stage->run.world, use->point, 4 * use->pixel))
        stage->run.input.clicked = true;
    return true;
}

const demo_tool tool_grab = {
    .name = "Grab",
    .hint = "drag a body",
    .key = 'g',
    .press = press,
};
