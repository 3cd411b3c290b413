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

// ---- where everything is

// In a small window the panels leave too little for the world.
static bool has_panels(const demo_controls *controls, int width, int height) {
    bool fits = width >= LEFT_WIDTH + RIGHT_WIDTH + 380 && height >= 420;
    return controls->panels == PANELS_SHOWN || (controls->panels == PANELS_IF_THEY_FIT && fits);
}

void controls_toggle_panels(demo_controls *controls, int width, int height) {
    controls->panels = has_panels(controls, width, height) ? PANELS_HIDDEN : PANELS_SHOWN;
}

// The areas of a picture. What is not shown has no width.
typedef struct {
    demo_area world, bar, left, right;
} layout;

// If the left panel leaves less than this for the world, it is not shown: the gallery has all
// scenes, too.
enum { LEAST_WORLD = 280 };

// A picture that is narrow and high has the right panel, or the solver lab, below the world.
static void place_right(layout *l, float width, float height, bool is_lab) {
    bool is_below = width < RIGHT_WIDTH + LEAST_WORLD && height > width;
    float part = floorf((is_lab ? 0.45f : 0.5f) * height);
    if (is_below) {
        l->right = (demo_area){0, height - part, width, part};
        l->world.h = l->right.y;
        return;
    }
    l->right = (demo_area){width - RIGHT_WIDTH, 0, RIGHT_WIDTH, height};
    l->world.w = fmaxf(l->right.x, 1);
}

static void place_left(layout *l, float height) {
    if (l->world.w < LEFT_WIDTH + LEAST_WORLD) return;
    l->left = (demo_area){0, 0, LEFT_WIDTH, height};
    l->world.x = LEFT_WIDTH, l->world.w -= LEFT_WIDTH;
}

static layout lay_out(const demo_controls *controls, int width, int height) {
    float w = (float)width, h = (float)height;
    layout l = {.world = {0, 0, w, h}};
    bool is_lab = controls->lab.is_open, panels = has_panels(controls, width, height);
    if (panels || is_lab) place_right(&l, w, h, is_lab);
    if (panels) place_left(&l, h);
    if (controls->panels == PANELS_AND_HINTS_HIDDEN) return l;
    float bottom = l.world.h;
    l.world.h = fmaxf(bottom - CAPTIONS_BAR, 1);
    l.bar = (demo_area){l.world.x, l.world.h, l.world.w, bottom - l.world.h};
    l.world.h = fmaxf(l.world.h - controls->pad.y, 1);
    l.world.x += controls->pad.x, l.world.w = fmaxf(l.world.w - 2 * controls->pad.x, 1);
    return l;
}

demo_area controls_free_area(const demo_controls *controls, int width, int height) {
    return lay_out(controls, width, height).world;
}

// ---- drawing

static void draw_right(demo_controls *controls, demo_stage *stage, tool_use *tools, demo_area area,
                       controls_request *request) {
    demo_panel *panel = &controls->world;
    panel_begin(panel, area);
    if (controls->lab.is_open)
        solver_lab_rows(&controls->lab, panel, stage);
    else if (stage->run.world)
        world_panel_draw(controls, stage, tools, request);
    panel_end(panel);
}

static void draw_left(demo_controls *controls, demo_stage *stage, demo_area area,
                      controls_request *request) {
    panel_begin(&controls->scenes, area);
    request->chosen = draw_scene_list(controls, stage->run.scene, request);
    panel_end(&controls->scenes);
}

static void draw_bar(const demo_controls *controls, const demo_picture *picture,
                     const demo_stage *stage, const tool_use *tools, const layout *l) {
    captions_hints hints = {.only = controls->lab.is_open ? solver_lab_keys : NULL,
                            .has_keys = !controls->is_touched,
                            .lacks_panels = l->right.w == 0};
    captions_draw_bar(picture, stage, tools, l->bar, hints);
}

controls_request controls_draw(demo_controls *controls, const demo_picture *picture,
                               demo_stage *stage, tool_use *tools, int width, int height) {
    controls_request request = {0};
    layout l = lay_out(controls, width, height);
    demo_panel *panels[] = {&controls->scenes, &controls->world};
    for (int i = 0; i < 2; i++)
        panels[i]->canvas = picture->canvas, panels[i]->theme = picture->theme,
        panels[i]->mouse = &controls->mouse;
    canvas_flush(picture->canvas); // so that panels also cover the world's labels
    captions_draw(picture, stage);
    if (l.bar.w > 0) draw_bar(controls, picture, stage, tools, &l);
    if (l.left.w > 0) draw_left(controls, stage, l.left, &request);
    if (l.right.w > 0) draw_right(controls, stage, tools, l.right, &request);
    if (!controls->mouse.down) controls->mouse.held = NULL;
    controls->mouse.pressed = false;
    controls->mouse.wheel = 0;
    return request;
}
