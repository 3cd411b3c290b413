/* The table of tools, and what all of them have in common. */
#include "tool.h"

#include <math.h>

const demo_tool *const demo_tools[] = {
    &tool_grab, &tool_throw, &tool_spawn,  &tool_outline, &tool_cut,  &tool_bomb, &tool_tie,
    &tool_pin,  &tool_tiles, &tool_freeze, &tool_erase,   &tool_ball, NULL,
};

// ---- choosing

void tools_choose(tool_use *use, const demo_tool *tool) {
    tools_cancel(use);
    use->chosen = tool;
    use->size = tool->size;
    use->strength = tool->strength;
    use->variant = 0;
}

static int variant_count(const demo_tool *tool) {
    int count = 0;
    while (tool->variants && tool->variants[count]) count++;
    return count;
}

bool tools_choose_by_key(tool_use *use, int key) {
    if (key >= '1' && key <= '8') {
        tools_choose(use, &tool_spawn);
        use->variant = key - '1';
        return true;
    }
    for (const demo_tool *const *tool = demo_tools; *tool; tool++) {
        if ((*tool)->key != key) continue;
        int count = variant_count(*tool);
        if (use->chosen != *tool)
            tools_choose(use, *tool);
        else if (count)
            use->variant = (use->variant + 1) % count;
        return true;
    }
    return false;
}

bool tools_resize(tool_use *use, float notches) {
    if (use->chosen->size == 0) return false;
    use->size = fminf(fmaxf(use->size * powf(1.1f, notches), 0.05f), 50);
    return true;
}

bool tools_strengthen(tool_use *use, float notches) {
    if (use->chosen->strength == 0) return false;
    float least = 0.02f * use->chosen->strength, most = 100 * use->chosen->strength;
    use->strength = fminf(fmaxf(use->strength * powf(1.15f, notches), least), most);
    return true;
}

// ---- the mouse

// The world changed between steps, so the drawn poses must be read again.
static void run(tool_use *use, bool (*action)(tool_use *use)) {
    if (!action || !use->stage->run.world || use->stage->replay) return;
    if (!action(use)) stage_tell(use->stage, "%s: %s", use->chosen->name, cn_error());
    stage_refresh(use->stage);
}

// Drops every second point, so that a long stroke gets coarser instead of ending early.
static void thin_stroke(tool_use *use) {
    for (int i = 1; i < MAX_STROKE / 2; i++) use->stroke[i] = use->stroke[2 * i];
    use->stroke_count = MAX_STROKE / 2;
}

static void add_to_stroke(tool_use *use) {
    vec2s *last = use->stroke_count ? &use->stroke[use->stroke_count - 1] : NULL;
    if (last && glms_vec2_distance(*last, use->point) < 3 * use->pixel) return;
    if (use->stroke_count == MAX_STROKE) thin_stroke(use);
    use->stroke[use->stroke_count++] = use->point;
}

void tools_press(tool_use *use) {
    if (use->stage->replay)
        stage_tell(use->stage, "A recording cannot be changed. Choose a scene to play with.");
    if (!use->stage->run.world || use->stage->replay) return;
    use->down = true;
    use->start = use->point;
    use->stroke_count = 0;
    add_to_stroke(use);
    use->body = tool_body_at(use, use->point, true);
    if (use->body.id)
        use->anchor =
            cn_pose_local_point(cn_body_pose(use->stage->run.world, use->body), use->point);
    run(use, use->chosen->press);
}

void tools_move(tool_use *use, vec2s point) {
    use->point = point;
    use->stage->grab.target = point;
    if (use->body.id && !cn_body_valid(use->stage->run.world, use->body)) tools_cancel(use);
    if (!use->down) return;
    add_to_stroke(use);
    run(use, use->chosen->drag);
}

void tools_release(tool_use *use) {
    if (!use->down) return;
    run(use, use->chosen->release);
    tools_cancel(use);
}

void tools_cancel(tool_use *use) {
    grab_end(&use->stage->grab);
    use->down = false;
    use->body = (cn_body){0};
    use->stroke_count = 0;
}

void tools_draw(const tool_use *use, sketch *s) {
    if (use->chosen->draw && use->stage->run.world) use->chosen->draw(use, s);
}

// ---- for the tools

cn_body tool_body_at(const tool_use *use, vec2s point, bool any) {
    static const vec2s around[] = {{{0, 0}}, {{4, 0}}, {{-4, 0}}, {{0, 4}}, {{0, -4}}}; // pixels
    enum { MAX_SIDES = 16 };
    const cn_world *world = use->stage->run.world;
    cn_body other = {0};
    for (int i = 0; i < 5; i++) {
        cn_side sides[MAX_SIDES];
        vec2s tried = glms_vec2_muladds(around[i], use->pixel, point);
        int count = cn_world_overlap_point(world, tried, NULL, sides, MAX_SIDES);
        for (int k = (count < MAX_SIDES ? count : MAX_SIDES) - 1; k >= 0; k--) {
            if (cn_body_type(world, sides[k].body) == CN_DYNAMIC) return sides[k].body;
            if (any && !other.id) other = sides[k].body;
        }
    }
    return other;
}

vec2s tool_anchor_point(const tool_use *use) {
    return use->body.id ? cn_pose_point(cn_body_pose(use->stage->run.world, use->body), use->anchor)
                        : use->start;
}

cn_body tool_ground(tool_use *use) {
    cn_world *world = use->stage->run.world;
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;)
        if (cn_body_type(world, b) == CN_STATIC) return b;
    return cn_body_create(world, &(cn_body_def){.type = CN_STATIC});
}

bool tool_add_body(tool_use *use, const cn_body_def *def, const cn_hull *hulls, int count) {
    cn_world *world = use->stage->run.world;
    cn_body body = cn_body_create(world, def);
    for (int i = 0; i < count && body.id; i++) {
        if (scene_add_hull(world, body, hulls[i], 0.6f, 1).id) continue;
        cn_body_destroy(world, body);
        return false;
    }
    return body.id != 0;
}
