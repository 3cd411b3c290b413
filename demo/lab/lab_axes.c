/* The box at the right of the SAT lab. Each axis has a line with the shadows of both hulls:
 *
 *      A2   ====A=====                    -0.61
 *                   =======B=======
 *
 * All lines have the same scale and origin. An overlap of the two shadows is red, a gap between
 * them is green. A gap on any line proves that the hulls are apart. A narrow picture shows only the
 * numbers, and the box lies below the title. */
#include "../ui/font.h"
#include "lab.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    demo_area box;
    float left, width; // of the lines, pixels; lines narrower than 40 pixels are not drawn
    float zero, scale; // pixel of the origin, pixels per metre
    float row;         // height of a row, pixels
} axis_table;

float lab_box_width(const demo_area *area) { return fmaxf(fminf(340, area->w * 0.33f), 112); }

static axis_table lay_out(const demo_picture *picture, const lab_result *result) {
    const demo_area *area = &picture->view.area;
    float width = lab_box_width(area), top = area->w < 740 ? 72 : 12;
    float row = fminf(28, (area->h - top - 238) / (float)result->count);
    axis_table t = {.row = row};
    t.box = (demo_area){area->x + area->w - width - 12, area->y + top, width,
                        row * (float)result->count + 58};
    t.left = t.box.x + 46;
    t.width = t.box.w - 46 - 62;
    float low = INFINITY, high = -INFINITY;
    for (int i = 0; i < result->count; i++) {
        const vec2s *s = result->axes[i].shadows;
        low = fminf(low, fminf(s[0].x, s[1].x));
        high = fmaxf(high, fmaxf(s[0].y, s[1].y));
    }
    t.scale = t.width / (high - low);
    t.zero = t.left - low * t.scale;
    return t;
}

// Writes the first text if it fits into the box, else the second.
static void write_fitting(const demo_picture *picture, const axis_table *t, float y, uint32_t color,
                          const char *const texts[2]) {
    bool fits = (float)font_text_width(texts[0]) + 24 <= t->box.w;
    canvas_text(picture->canvas, t->box.x + 12, y, color, texts[!fits]);
}

static void draw_shadow(const demo_picture *picture, const axis_table *t, vec2s shadow, float y,
                        uint32_t color) {
    float x = t->zero + shadow.x * t->scale, end = t->zero + shadow.y * t->scale;
    demo_area bar = {x, y, fmaxf(end - x, 1), 4};
    canvas_rect(picture->canvas, bar, color);
}

// Draws the gap or the overlap between the end of A's shadow and the start of B's.
static void draw_between(const demo_picture *picture, const axis_table *t, const lab_axis *axis,
                         float y, bool best) {
    float a = t->zero + axis->shadows[0].y * t->scale, b = t->zero + axis->shadows[1].x * t->scale;
    uint32_t color = axis->separation > 0 ? picture->theme->gap : picture->theme->overlap;
    demo_area band = {fminf(a, b), y - 8, fmaxf(fabsf(a - b), 1), 16};
    canvas_rect(picture->canvas, band, color_fade(color, best ? 0.6f : 0.22f));
}

static void draw_bars(const demo_picture *picture, const axis_table *t, const lab_axis *axis,
                      float y, bool best) {
    const demo_theme *theme = picture->theme;
    if (t->width < 40) return;
    canvas_rect(picture->canvas, (demo_area){t->left, y, t->width, 1}, theme->panel_edge);
    draw_between(picture, t, axis, y, best);
    draw_shadow(picture, t, axis->shadows[0], y - 5, theme->hull_a);
    draw_shadow(picture, t, axis->shadows[1], y + 2, theme->hull_b);
}

static void draw_row(const demo_picture *picture, const axis_table *t, const lab_axis *axis,
                     float top, bool shown, bool best) {
    const demo_theme *theme = picture->theme;
    float y = top + t->row / 2, text = y - FONT_HEIGHT / 2.0f;
    if (shown)
        canvas_rounded(picture->canvas, (demo_area){t->box.x + 4, top, t->box.w - 8, t->row - 1}, 4,
                       (demo_paint){.fill = theme->widget});
    char name[16], value[16];
    if (axis->edge < 0)
        snprintf(name, sizeof name, "AB");
    else
        snprintf(name, sizeof name, "%c%d", 'A' + axis->side, axis->edge);
    snprintf(value, sizeof value, "%+.3f", (double)axis->separation);
    uint32_t owner = axis->edge < 0 ? theme->text : axis->side ? theme->hull_b : theme->hull_a;
    canvas_text(picture->canvas, t->box.x + 12, text, owner, name);
    draw_bars(picture, t, axis, y, best);
    canvas_text(picture->canvas, t->box.x + t->box.w - 12 - (float)font_text_width(value), text,
                best ? theme->reference : theme->text_dim, value);
}

static int find_row(const demo_picture *picture, const axis_table *t, const lab_result *result) {
    float x = picture->mouse.x - t->box.x, y = picture->mouse.y - t->box.y - 30;
    bool over = x >= 0 && x < t->box.w && y >= 0 && y < t->row * (float)result->count;
    return over ? (int)(y / t->row) : result->best;
}

int lab_shown_axis(const demo_picture *picture, const lab_result *result) {
    axis_table t = lay_out(picture, result);
    return find_row(picture, &t, result);
}

void lab_draw_axes(const demo_picture *picture, const lab_result *result, int shown) {
    const demo_theme *theme = picture->theme;
    axis_table t = lay_out(picture, result);
    if (t.row < 12) return; // rows would overlap
    canvas_rounded(picture->canvas, t.box, 8, (demo_paint){theme->panel, theme->panel_edge, 1});
    write_fitting(picture, &t, t.box.y + 10, theme->text_heading,
                  (const char *[]){"Shadows on every axis (m)", "Shadows (m)"});
    for (int i = 0; i < result->count; i++)
        draw_row(picture, &t, &result->axes[i], t.box.y + 30 + t.row * (float)i, i == shown,
                 i == result->best);
    static const char *const touching[] = {"no axis has a gap: touching", "touching"};
    static const char *const apart[] = {"an axis has a gap: apart", "apart"};
    write_fitting(picture, &t, t.box.y + t.box.h - 22, theme->text_dim,
                  result->touching ? touching : apart);
}
