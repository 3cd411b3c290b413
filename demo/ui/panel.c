/* The widgets. A call takes the next row, tests the mouse, draws the widget and returns the result.
 *
 * The address of its text or of its value identifies a widget. A click counts when the button goes
 * up over the widget on which it went down, so the user can cancel a click by moving away. */
#include "panel.h"
#include "font.h"

#include <math.h>

typedef struct {
    demo_area rect;
    bool hot, held, clicked;
} widget;

static demo_area next_row(demo_panel *panel, float height) {
    demo_area row = {panel->rect.x + PANEL_MARGIN, panel->y, panel->rect.w - 2 * PANEL_MARGIN,
                     height};
    panel->y += height;
    return row;
}

static bool is_visible(const demo_panel *panel, demo_area row) {
    return row.y + row.h > panel->rect.y && row.y < panel->rect.y + panel->rect.h;
}

static widget find_widget(demo_panel *panel, const void *id, demo_area rect) {
    panel_mouse *mouse = panel->mouse;
    widget w = {.rect = rect};
    bool over =
        area_contains(w.rect, mouse->position) && area_contains(panel->rect, mouse->position);
    if (over && mouse->pressed) mouse->held = id;
    w.held = mouse->held == id;
    w.hot = over && (!mouse->held || w.held);
    w.clicked = w.held && over && !mouse->down;
    return w;
}

static widget place_widget(demo_panel *panel, const void *id, float height) {
    return find_widget(panel, id, next_row(panel, height));
}

static uint32_t widget_color(const demo_panel *panel, const widget *w) {
    const demo_theme *theme = panel->theme;
    return w->held && w->hot ? theme->widget_held : w->hot ? theme->widget_hot : theme->widget;
}

static float text_top(demo_area row) { return row.y + (row.h - FONT_HEIGHT) / 2; }

static void draw_text(demo_panel *panel, demo_area row, float indent, uint32_t color,
                      const char *text) {
    canvas_text(panel->canvas, row.x + indent, text_top(row), color, text);
}

static void draw_text_right(demo_panel *panel, demo_area row, float indent, uint32_t color,
                            const char *text) {
    float x = row.x + row.w - indent - (float)font_text_width(text);
    canvas_text(panel->canvas, x, text_top(row), color, text);
}

// ---- the column

void panel_begin(demo_panel *panel, demo_area rect) {
    panel->rect = rect;
    canvas_clip(panel->canvas, &rect);
    canvas_rect(panel->canvas, rect, panel->theme->panel);
    canvas_rect(panel->canvas, (demo_area){rect.x, rect.y, 1, rect.h}, panel->theme->panel_edge);
    canvas_rect(panel->canvas, (demo_area){rect.x + rect.w - 1, rect.y, 1, rect.h},
                panel->theme->panel_edge);
    if (area_contains(rect, panel->mouse->position))
        panel->scroll -= panel->mouse->wheel * PANEL_ROW;
    panel->y = rect.y + PANEL_MARGIN - panel->scroll;
}

// Draws a bar at the right edge that shows which part of the content is seen.
static void draw_scroll_bar(const demo_panel *panel, float content) {
    demo_area r = panel->rect;
    if (content <= r.h) return;
    demo_area bar = {r.x + r.w - 5, r.y + r.h * panel->scroll / content, 3, r.h * r.h / content};
    canvas_rounded(panel->canvas, bar, 1, (demo_paint){.fill = panel->theme->widget_held});
}

void panel_end(demo_panel *panel) {
    float content = panel->y + panel->scroll + PANEL_MARGIN - panel->rect.y;
    panel->scroll = fmaxf(0, fminf(panel->scroll, content - panel->rect.h));
    draw_scroll_bar(panel, content);
    canvas_clip(panel->canvas, NULL);
}

void panel_reveal(demo_panel *panel, float height) {
    float above = panel->rect.y + PANEL_MARGIN - panel->y;
    float below = panel->y + height + PANEL_MARGIN - (panel->rect.y + panel->rect.h);
    panel->scroll += fmaxf(below, 0) - fmaxf(above, 0);
}

void panel_space(demo_panel *panel, float height) { panel->y += height; }

// ---- text

void panel_heading(demo_panel *panel, const char *text) {
    demo_area row = next_row(panel, PANEL_ROW);
    if (is_visible(panel, row)) draw_text(panel, row, 0, panel->theme->text_heading, text);
}

void panel_label(demo_panel *panel, const char *text) {
    demo_area row = next_row(panel, FONT_LINE);
    if (is_visible(panel, row)) draw_text(panel, row, 0, panel->theme->text, text);
}

void panel_value(demo_panel *panel, const char *label, const char *value) {
    demo_area row = next_row(panel, FONT_LINE);
    if (!is_visible(panel, row)) return;
    draw_text(panel, row, 0, panel->theme->text_dim, label);
    draw_text_right(panel, row, 0, panel->theme->text, value);
}

void panel_bar(demo_panel *panel, const char *label, const char *value, float fraction) {
    demo_area bar = {panel->rect.x + PANEL_MARGIN - 4, panel->y + 1, panel->rect.w, FONT_LINE - 2};
    bar.w = (panel->rect.w - 2 * PANEL_MARGIN + 8) * fminf(fmaxf(fraction, 0), 1);
    if (is_visible(panel, bar)) canvas_rect(panel->canvas, bar, panel->theme->widget_hot);
    panel_value(panel, label, value);
}

// ---- controls

bool panel_button(demo_panel *panel, const char *text, const char *key) {
    widget w = place_widget(panel, text, PANEL_ROW + 2);
    if (is_visible(panel, w.rect)) {
        demo_area face = {w.rect.x, w.rect.y + 1, w.rect.w, w.rect.h - 4};
        canvas_rounded(panel->canvas, face, 4, (demo_paint){.fill = widget_color(panel, &w)});
        draw_text(panel, face, 8, panel->theme->text, text);
        if (key) draw_text_right(panel, face, 8, panel->theme->text_dim, key);
    }
    return w.clicked;
}

int panel_toggles(demo_panel *panel, const char *const *texts, int count, int columns, int chosen) {
    demo_area row = next_row(panel, PANEL_ROW + 4);
    float width = (row.w + 6) / (float)columns;
    int clicked = -1;
    for (int i = 0; i < count; i++) {
        demo_area face = {row.x + width * (float)i, row.y + 1, width - 6, row.h - 4};
        widget w = find_widget(panel, texts[i], face);
        if (w.clicked) clicked = i;
        if (!is_visible(panel, row)) continue;
        const demo_theme *theme = panel->theme;
        uint32_t fill = i == chosen ? theme->accent : widget_color(panel, &w);
        canvas_rounded(panel->canvas, face, 4, (demo_paint){.fill = fill});
        draw_text(panel, face, (face.w - (float)font_text_width(texts[i])) / 2,
                  i == chosen ? theme->text_on_accent : theme->text, texts[i]);
    }
    return clicked;
}

int panel_buttons(demo_panel *panel, const char *const *texts, int count) {
    return panel_toggles(panel, texts, count, count, -1);
}

bool panel_choice(demo_panel *panel, const char *text, bool chosen) {
    widget w = place_widget(panel, text, PANEL_ROW - 1);
    if (!is_visible(panel, w.rect)) return w.clicked;
    const demo_theme *theme = panel->theme;
    demo_area face = {w.rect.x - 6, w.rect.y, w.rect.w + 12, w.rect.h - 1};
    if (chosen || w.hot) {
        uint32_t fill = chosen ? theme->accent : widget_color(panel, &w);
        canvas_rounded(panel->canvas, face, 4, (demo_paint){.fill = fill});
    }
    draw_text(panel, w.rect, 2, chosen ? theme->text_on_accent : theme->text, text);
    return w.clicked;
}

static void draw_tick(demo_panel *panel, demo_area box) {
    vec2s a = {{box.x + 3, box.y + 7}}, b = {{box.x + 6, box.y + 10}};
    vec2s c = {{box.x + 11, box.y + 4}};
    canvas_line(panel->canvas, a, b, 2, panel->theme->text_on_accent);
    canvas_line(panel->canvas, b, c, 2, panel->theme->text_on_accent);
}

bool panel_check(demo_panel *panel, const char *text, const char *key, bool *on) {
    return panel_check_color(panel, text, key, 0, on);
}

bool panel_check_color(demo_panel *panel, const char *text, const char *key, uint32_t color,
                       bool *on) {
    widget w = place_widget(panel, on, PANEL_ROW - 2);
    if (w.clicked) *on = !*on;
    if (is_visible(panel, w.rect)) {
        const demo_theme *theme = panel->theme;
        demo_area box = {w.rect.x, w.rect.y + 3, 14, 14};
        uint32_t fill = *on ? theme->accent : widget_color(panel, &w);
        canvas_rounded(panel->canvas, box, 3, (demo_paint){.fill = fill});
        if (*on) draw_tick(panel, box);
        demo_area patch = {w.rect.x + 22, w.rect.y + 6, 8, 8};
        if (color) canvas_rect(panel->canvas, patch, color);
        draw_text(panel, w.rect, color ? 36 : 22, theme->text, text);
        if (key) draw_text_right(panel, w.rect, 0, theme->text_dim, key);
    }
    return w.clicked;
}

static void draw_slider(demo_panel *panel, const widget *w, float left, float width,
                        float fraction) {
    const demo_theme *theme = panel->theme;
    float middle = floorf(w->rect.y + w->rect.h / 2);
    // A scene or --substeps may set a value beyond the slider's range.
    float knob = left + width * fminf(fmaxf(fraction, 0), 1);
    canvas_rect(panel->canvas, (demo_area){left, middle - 2, width, 4}, theme->widget_hot);
    canvas_rect(panel->canvas, (demo_area){left, middle - 2, knob - left, 4}, theme->accent);
    canvas_disc(panel->canvas, (vec2s){{knob, middle}},
                w->hot || w->held ? PANEL_KNOB : PANEL_KNOB - 1,
                (demo_paint){.fill = theme->accent});
}

bool panel_slider(demo_panel *panel, const char *text, const char *shown, float *value, float low,
                  float high) {
    demo_area row = next_row(panel, PANEL_ROW);
    float left = row.x + PANEL_NAME, width = row.w - PANEL_NAME - PANEL_VALUE, old = *value;
    demo_area track = {left - 8, row.y, width + 16, row.h};
    widget w = find_widget(panel, value, track);
    if (w.held) {
        float fraction = (panel->mouse->position.x - left) / width;
        *value = low + (high - low) * fminf(fmaxf(fraction, 0), 1);
    }
    if (is_visible(panel, row)) {
        draw_text(panel, row, 0, panel->theme->text, text);
        draw_text_right(panel, row, 0, panel->theme->text, shown);
        draw_slider(panel, &w, left, width, (*value - low) / (high - low));
    }
    return *value != old;
}

demo_area panel_area(demo_panel *panel, float height) { return next_row(panel, height); }

void panel_legend(demo_panel *panel, const char *const *names, const uint32_t *colors, int count) {
    for (int i = 0; i < count; i += 2) {
        demo_area row = next_row(panel, PANEL_ROW - 4);
        for (int k = i; k < i + 2 && k < count && is_visible(panel, row); k++) {
            float x = row.x + (float)(k - i) * row.w / 2;
            canvas_rect(panel->canvas, (demo_area){x, row.y + 5, 9, 9}, colors[k]);
            canvas_text(panel->canvas, x + 14, text_top(row), panel->theme->text_dim, names[k]);
        }
    }
}

bool panel_section(demo_panel *panel, const char *text, bool *closed) {
    widget w = place_widget(panel, closed, PANEL_ROW);
    if (w.clicked) *closed = !*closed;
    if (is_visible(panel, w.rect)) {
        const demo_theme *theme = panel->theme;
        draw_text(panel, w.rect, 0, theme->text_heading, text);
        draw_text_right(panel, w.rect, 0, w.hot ? theme->text : theme->text_dim,
                        *closed ? "+" : "-");
    }
    return !*closed;
}
