/* The contents of the two panels from top to bottom, the title and the help line. */
#include "controls.h"
#include "captions.h"
#include "font.h"
#include "../stage/hooks.h"
#include "world_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT_WIDTH = 184, RIGHT_WIDTH = 248 };

void controls_open(demo_controls *controls, uint32_t overlay_flags, int substeps) {
    *controls = (demo_controls){.substeps = (float)substeps, .max_threads = 8};
    controls->mouse.position = (vec2s){{-1000, -1000}};
    for (int i = 0; scene_groups[i].name; i++)
        controls->closed_groups[i] = scene_groups[i].scenes == bench_scenes;
    controls_show_overlays(controls, overlay_flags);
}

void controls_change_scene(demo_controls *controls, const scene *from, const scene *to) {
    for (int i = 0; i < OVERLAY_COUNT; i++)
        if ((from->overlays ^ to->overlays) & overlays[i].flag)
            controls->overlays[i] = (to->overlays & overlays[i].flag) != 0;
}

void controls_show(demo_controls *controls, uint32_t flag) {
    for (int i = 0; i < OVERLAY_COUNT; i++)
        if (overlays[i].flag == flag) controls->overlays[i] = true;
}

void controls_show_overlays(demo_controls *controls, uint32_t flags) {
    for (int i = 0; i < OVERLAY_COUNT; i++) controls->overlays[i] = (flags & overlays[i].flag) != 0;
}

uint32_t controls_overlays(const demo_controls *controls) {
    uint32_t flags = 0;
    for (int i = 0; i < OVERLAY_COUNT; i++)
        if (controls->overlays[i]) flags |= overlays[i].flag;
    return flags;
}

// ---- the left panel

static const scene *list_scenes(demo_controls *controls, const scene *const *list,
                                const scene *shown) {
    const scene *clicked = NULL;
    for (; *list; list++) {
        if (*list == shown && controls->listed != shown) {
            panel_reveal(&controls->scenes, PANEL_ROW);
            controls->listed = shown;
        }
        if (panel_choice(&controls->scenes, (*list)->title, *list == shown)) clicked = *list;
    }
    return clicked;
}

static const scene *draw_scene_list(demo_controls *controls, const scene *shown,
                                    controls_request *request) {
    demo_panel *panel = &controls->scenes;
    const scene *clicked = NULL;
    if (panel_button(panel, "Gallery", "F2")) request->gallery = true;
    for (int i = 0; scene_groups[i].name; i++) {
        panel_space(panel, 4);
        if (!panel_section(panel, scene_groups[i].name, &controls->closed_groups[i])) continue;
        const scene *chosen = list_scenes(controls, scene_groups[i].scenes, shown);
        if (chosen) clicked = chosen;
    }
    return clicked;
}

// ---- both panels

// True if the solver lab is open and lies below the world, because the window is a phone's.
static bool has_lab_below(const demo_controls *controls, int width, int height) {
    return controls->lab.is_open && width < 2 * RIGHT_WIDTH && width < height;
}

// In a small window the panels leave too little for the world.
static bool has_panels(const demo_controls *controls, int width, int height) {
    if (has_lab_below(controls, width, height)) return false;
    bool fits = width >= LEFT_WIDTH + RIGHT_WIDTH + 380 && height >= 420;
    return controls->panels == PANELS_SHOWN || (controls->panels == PANELS_IF_THEY_FIT && fits);
}

void controls_toggle_panels(demo_controls *controls, int width, int height) {
    controls->panels = has_panels(controls, width, height) ? PANELS_HIDDEN : PANELS_SHOWN;
}

// On a phone only the right panel has room. The gallery has all scenes, too.
static int left_width(int width) { return width < LEFT_WIDTH + RIGHT_WIDTH + 100 ? 0 : LEFT_WIDTH; }

// The place of the solver lab if there are no panels.
static demo_area lab_area(const demo_controls *controls, int width, int height) {
    float w = (float)width, h = (float)height, part = floorf(0.45f * h);
    if (!controls->lab.is_open) return (demo_area){w, 0, 0, h};
    if (has_lab_below(controls, width, height)) return (demo_area){0, h - part, w, part};
    return (demo_area){w - RIGHT_WIDTH, 0, RIGHT_WIDTH, h};
}

demo_area controls_free_area(const demo_controls *controls, int width, int height) {
    if (!has_panels(controls, width, height)) {
        demo_area lab = lab_area(controls, width, height);
        return (demo_area){0, 0, lab.x > 0 ? lab.x : (float)width, lab.x > 0 ? lab.h : lab.y};
    }
    float left = (float)left_width(width), w = fmaxf((float)width - left - RIGHT_WIDTH, 1);
    return (demo_area){left, 0, w, fmaxf((float)(height - CAPTIONS_BAR), 1)};
}

static void draw_lab(demo_controls *controls, const demo_picture *picture, demo_stage *stage,
                     demo_area area) {
    demo_panel *panel = &controls->world;
    panel->canvas = picture->canvas, panel->theme = picture->theme;
    panel->mouse = &controls->mouse;
    panel_begin(panel, area);
    solver_lab_rows(&controls->lab, panel, stage);
    panel_end(panel);
}

controls_request controls_draw(demo_controls *controls, const demo_picture *picture,
                               demo_stage *stage, tool_use *tools, int width, int height) {
    controls_request request = {0};
    canvas_flush(picture->canvas); // so that panels also cover the world's labels
    captions_draw(picture, stage);
    if (has_panels(controls, width, height)) {
        const demo_area *area = &picture->view.area;
        captions_draw_bar(picture, stage, tools, controls->lab.is_open ? solver_lab_keys : NULL,
                          (demo_area){area->x, area->h, area->w, (float)height - area->h});
        demo_panel *left = &controls->scenes, *right = &controls->world;
        left->canvas = right->canvas = picture->canvas;
        left->theme = right->theme = picture->theme;
        left->mouse = right->mouse = &controls->mouse;
        if (left_width(width) > 0) {
            panel_begin(left, (demo_area){0, 0, LEFT_WIDTH, (float)height});
            request.chosen = draw_scene_list(controls, stage->run.scene, &request);
            panel_end(left);
        }
        panel_begin(right,
                    (demo_area){(float)(width - RIGHT_WIDTH), 0, RIGHT_WIDTH, (float)height});
        if (controls->lab.is_open)
            solver_lab_rows(&controls->lab, right, stage);
        else if (stage->run.world)
            world_panel_draw(controls, stage, tools, &request);
        panel_end(right);
    } else if (controls->lab.is_open) {
        draw_lab(controls, picture, stage, lab_area(controls, width, height));
    }
    if (!controls->mouse.down) controls->mouse.held = NULL;
    controls->mouse.pressed = false;
    controls->mouse.wheel = 0;
    return request;
}
