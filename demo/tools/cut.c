/* Cut: a stroke cuts the bodies that it crosses. */
#include "../scenes/cutting.h"
#include "tool.h"

enum { MAX_CUT = 64 };

static const float least_mass = 0.02f, speed = 0.3f; // kg; m/s

static bool release(tool_use *use) {
    cn_world *world = use->stage->run.world;
    vec2s along = glms_vec2_sub(use->point, use->start);
    if (glms_vec2_norm(along) < 4 * use->pixel) return true;
    vec2s normal = glms_vec2_normalize((vec2s){{-along.y, along.x}});
    cn_world_hit hits[MAX_CUT];
    int count = cn_world_cast_ray_all(world, use->start, along, NULL, hits, MAX_CUT);
    for (int i = 0; i < count && i < MAX_CUT; i++) // a body may be destroyed before its next hit
        if (!cut_body(world, hits[i].side.body, hits[i].point, normal, speed, least_mass, NULL))
            return false;
    return true;
}

static void draw(const tool_use *use, sketch *s) {
    if (use->down) sketch_line(s, use->start, use->point, (sketch_pen){INK_YELLOW, 1, 2});
}

const demo_tool tool_cut = {
    .name = "Cut",
    .hint = "drag a line across bodies",
    .key = 'x',
    .release = release,
    .draw = draw,
};
