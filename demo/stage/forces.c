/* The scale is a line of 1 m, with the force that this line stands for. */
#include "forces.h"
#include "../ui/font.h"

#include <math.h>
#include <stdio.h>

enum { MAX_NUMBER = 24 };

static const float reach = 16; // pixels from the mouse to the anchor of a joint

// Writes a force or torque with at least two digits, for example 1.2 kN.
static void write_number(char text[MAX_NUMBER], float value, const char *unit) {
    static const char *const prefixes[] = {"", "k", "M", "G"};
    int i = 0;
    for (value = fabsf(value); value >= 1000 && i < 3; i++) value /= 1000;
    snprintf(text, MAX_NUMBER, value < 10 ? "%.1f %s%s" : "%.0f %s%s", (double)value, prefixes[i],
             unit);
}

static vec2s find_anchor(const cn_world *world, cn_joint joint) {
    cn_joint_def def = cn_joint_definition(world, joint);
    return cn_pose_point(cn_body_pose(world, def.b), def.frame_b.position);
}

static cn_joint find_nearest(const cn_world *world, vec2s point, float distance) {
    cn_joint nearest = {0};
    for (cn_joint j = {0}; (j = cn_world_next_joint(world, j)).id;) {
        float d = glms_vec2_distance(find_anchor(world, j), point);
        if (d >= distance) continue;
        nearest = j;
        distance = d;
    }
    return nearest;
}

// Draws text on a box in the colour of the background. `center` is in pixels.
static void draw_text(const demo_picture *picture, vec2s center, const char *text) {
    float width = (float)font_text_width(text), x = center.x - width / 2, y = center.y - 8;
    canvas_rect(picture->canvas, (demo_area){x - 4, y - 1, width + 8, 18},
                color_fade(picture->theme->background, 0.7f));
    canvas_text(picture->canvas, x, y, picture->theme->force, text);
}

static void draw_scale(const demo_picture *picture, float scale) {
    const demo_view *view = &picture->view;
    char number[MAX_NUMBER], text[MAX_NUMBER + 16];
    write_number(number, scale, "N");
    snprintf(text, sizeof text, "joint force %s", number);
    float right = view->area.x + view->area.w - 32 - picture_scale_width(view->area);
    float y = view->area.y + view->area.h - 14; // beside the scale of lengths
    float length = view->scale, width = fmaxf(length, (float)font_text_width(text));
    draw_text(picture, (vec2s){{right - width / 2, y - 10}}, text);
    canvas_line(picture->canvas, (vec2s){{right - (width + length) / 2, y}},
                (vec2s){{right - (width - length) / 2, y}}, 1.5f, picture->theme->force);
}

static void draw_number(const demo_picture *picture, const cn_world *world, cn_joint joint) {
    char force[MAX_NUMBER], torque[MAX_NUMBER], text[2 * MAX_NUMBER + 2];
    write_number(force, glms_vec2_norm(cn_joint_force(world, joint)), "N");
    write_number(torque, cn_joint_torque(world, joint), "N m");
    bool turns = cn_joint_torque(world, joint) != 0;
    snprintf(text, sizeof text, "%s%s%s", force, turns ? ", " : "", turns ? torque : "");
    vec2s center = view_to_screen(&picture->view, find_anchor(world, joint));
    center.y += 20;
    draw_text(picture, center, text);
}

void forces_draw(const demo_picture *picture, const scene_run *run, float scale) {
    draw_scale(picture, scale);
    if (!run->input.has_mouse) return;
    cn_joint joint = find_nearest(run->world, run->input.mouse, reach / picture->view.scale);
    if (joint.id) draw_number(picture, run->world, joint);
}
