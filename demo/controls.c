/* The contents of the two panels from top to bottom, the title and the help line. */
#include "controls.h"
#include "font.h"
#include "hooks.h"
#include "world_panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT_WIDTH = 184, RIGHT_WIDTH = 232, MAX_TEXT = 256 };

void controls_open(demo_controls *controls, uint32_t overlay_flags, int substeps) {
    *controls = (demo_controls){.substeps = (float)substeps};
    controls->mouse.position = (vec2s){{-1000, -1000}};
    for (int i = 0; scene_groups[i].name; i++)
        controls->closed_groups[i] = scene_groups[i].scenes == bench_scenes;
    for (int i = 0; i < OVERLAY_COUNT; i++)
        controls->overlays[i] = (overlay_flags & overlays[i].flag) != 0;
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
    if (panel_button(panel, "All as pictures", "F2")) request->gallery = true;
    for (int i = 0; scene_groups[i].name; i++) {
        panel_space(panel, 4);
        if (!panel_section(panel, scene_groups[i].name, &controls->closed_groups[i])) continue;
        const scene *chosen = list_scenes(controls, scene_groups[i].scenes, shown);
        if (chosen) clicked = chosen;
    }
    return clicked;
}

// ---- around the world

// Draws text on a box in the background's colour, so that it can be read over bodies.
static float draw_caption(const demo_picture *picture, float x, float y, uint32_t color,
                          const char *text) {
    demo_area box = {x - 4, y - 2, (float)font_text_width(text) + 8, FONT_LINE};
    canvas_rect(picture->canvas, box, color_fade(picture->theme->background, 0.7f));
    return canvas_text(picture->canvas, x, y, color, text);
}

// Returns the length of the words that fit into the width. Takes at least one word.
static int find_line_length(const char *text, float width) {
    char line[MAX_TEXT];
    int length = 0;
    for (int i = 1; i < MAX_TEXT; i++) {
        if (text[i] && text[i] != ' ') continue;
        snprintf(line, sizeof line, "%.*s", i, text);
        if (length && (float)font_text_width(line) > width) break;
        length = i;
        if (!text[i]) break;
    }
    return length ? length : (int)strlen(text);
}

// Draws text in as many lines as it needs.
static void draw_paragraph(const demo_picture *picture, float x, float y, uint32_t color,
                           const char *text) {
    float width = picture->view.area.x + picture->view.area.w - 8 - x;
    for (; *text; y += FONT_LINE) {
        char line[MAX_TEXT];
        int length = find_line_length(text, width);
        snprintf(line, sizeof line, "%.*s", length, text);
        draw_caption(picture, x, y, color, line);
        text += length;
        while (*text == ' ') text++;
    }
}

static void draw_title(const demo_picture *picture, const demo_stage *stage) {
    const demo_theme *theme = picture->theme;
    const scene *shown = stage->run.scene;
    float x = picture->view.area.x + 16, y = picture->view.area.y + 12;
    float end = draw_caption(picture, x, y, theme->text, shown->title);
    if (stage->paused) draw_caption(picture, end + 8, y, theme->grab, "paused");
    y += FONT_LINE;
    if (stage->failed)
        draw_paragraph(picture, x, y, theme->text_error, stage->error);
    else
        draw_paragraph(picture, x, y, theme->text_dim, shown->caption);
}

// ---- the help

// Writes pairs of a key and its meaning, in as many lines as they need.
typedef struct {
    const demo_picture *picture; // NULL: measure only
    float left, right;
    float x, y; // of the next pair
} help_pen;

static void write_pair(help_pen *pen, const char *key, const char *meaning) {
    float width = (float)(font_text_width(key) + 6 + font_text_width(meaning));
    if (pen->x > pen->left && pen->x + width > pen->right) {
        pen->x = pen->left;
        pen->y += FONT_LINE;
    }
    if (pen->picture) {
        const demo_theme *theme = pen->picture->theme;
        float end = canvas_text(pen->picture->canvas, pen->x, pen->y, theme->text, key);
        canvas_text(pen->picture->canvas, end + 6, pen->y, theme->text_dim, meaning);
    }
    pen->x += width + 12;
}

static void write_pairs(help_pen *pen, const char *const *pairs) {
    for (; pairs[0]; pairs += 2) write_pair(pen, pairs[0], pairs[1]);
}

static void write_help(help_pen *pen, const scene *shown) {
    static const char *const grabbing[] = {"drag", "grab", NULL};
    // clang-format off
    static const char *const common[] = {
        "Space", "pause", "S", "step", "R", "reset", "wheel", "zoom", "right drag", "pan",
        "Home", "fit", "Tab", "panels", "PgUp PgDn", "scene", "D", "theme", "L", "slow",
        "[ ]", "substeps", "Backspace", "back in time", "Esc", "quit", NULL,
    };
    static const char *const playing[] = {
        "P", "pause", ".", "step", "R", "reset", "wheel", "zoom", "right drag", "pan",
        "Home", "fit", "Tab", "panels", "PgUp PgDn", "scene", "L", "slow", "F9", "record", "[ ]", "substeps",
        "Esc", "quit", NULL,
    };
    // clang-format on
    const char *const *own = hooks_of(shown)->keys;
    write_pairs(pen, own ? own : grabbing);
    write_pairs(pen, shown->takes_keys ? playing : common);
}

static help_pen start_help(const demo_picture *picture, float left, float width, float y) {
    return (help_pen){picture, left + 16, left + width - 8, left + 16, y + 6};
}

demo_area controls_free_area(const demo_controls *controls, const scene *shown, int width,
                             int height) {
    if (controls->hidden) return (demo_area){0, 0, (float)width, (float)height};
    float w = fmaxf((float)width - LEFT_WIDTH - RIGHT_WIDTH, 1);
    help_pen pen = start_help(NULL, LEFT_WIDTH, w, 0);
    write_help(&pen, shown);
    float help = fminf(pen.y + FONT_LINE + 2, (float)height / 4);
    return (demo_area){LEFT_WIDTH, 0, w, fmaxf((float)height - help, 1)};
}

static void draw_help(const demo_picture *picture, const scene *shown, int height) {
    const demo_area *area = &picture->view.area;
    demo_area bar = {area->x, area->h, area->w, (float)height - area->h};
    help_pen pen = start_help(picture, bar.x, bar.w, bar.y);
    canvas_rect(picture->canvas, bar, picture->theme->panel);
    write_help(&pen, shown);
}

controls_request controls_draw(demo_controls *controls, const demo_picture *picture,
                               demo_stage *stage, tool_use *tools, int width, int height) {
    controls_request request = {0};
    canvas_flush(picture->canvas); // so that panels also cover the world's labels
    draw_title(picture, stage);
    if (!controls->hidden) {
        draw_help(picture, stage->run.scene, height);
        demo_panel *left = &controls->scenes, *right = &controls->world;
        left->canvas = right->canvas = picture->canvas;
        left->theme = right->theme = picture->theme;
        left->mouse = right->mouse = &controls->mouse;
        panel_begin(left, (demo_area){0, 0, LEFT_WIDTH, (float)height});
        request.chosen = draw_scene_list(controls, stage->run.scene, &request);
        panel_end(left);
        panel_begin(right,
                    (demo_area){(float)(width - RIGHT_WIDTH), 0, RIGHT_WIDTH, (float)height});
        if (stage->run.world) world_panel_draw(controls, stage, tools, &request);
        panel_end(right);
    }
    if (!controls->mouse.down) controls->mouse.held = NULL;
    controls->mouse.pressed = false;
    controls->mouse.wheel = 0;
    return request;
}
