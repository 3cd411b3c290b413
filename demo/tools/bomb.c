/* Bomb: an explosion at the mouse. The wheel makes it stronger or weaker. Bodies do not shield each
 * other, or a bomb in a pile would push only its neighbours. */
#include "tool.h"

static bool press(tool_use *use) {
    cn_error_clear(); // the call returns 0 if it fails, and also if no body is in reach
    cn_world_explode(use->stage->run.world, &(cn_explosion){.position = use->point,
                                                            .radius = 0.4f * use->size,
                                                            .falloff = 0.6f * use->size,
                                                            .impulse_per_length = use->strength});
    if (cn_error_code() != CN_ERROR_NONE) return false;
    if (use->stage->show) show_blast(use->stage->show, use->point, use->size);
    return true;
}

static void draw(const tool_use *use, sketch *s) {
    cn_hull full = cn_circle(0.4f * use->size), all = cn_circle(use->size);
    cn_pose place = cn_pose_at(use->down ? use->start : use->point, 0);
    float glow = use->down ? 0.3f : 0.06f;
    sketch_hull(s, &all, place, (sketch_pen){INK_ORANGE, glow / 2, 1});
    sketch_hull(s, &full, place, (sketch_pen){INK_ORANGE, glow, 1});
    vec2s below = {{place.position.x, place.position.y - use->size - 10 * use->pixel}};
    sketch_label(s, below, INK_TEXT, "%.3g N s/m", (double)use->strength);
}

const demo_tool tool_bomb = {
    .name = "Bomb",
    .hint = "click to explode; wheel: strength; Shift+wheel: range",
    .key = 'k',
    .size = 4,
    .strength = 40,
    .press = press,
    .draw = draw,
};
