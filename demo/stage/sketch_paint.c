/* Paints a sketch. Items keep their order, but all text lies above all shapes. Notes are a list in
 * the lower left corner. Each note has a square in its colour.
 *
 * Text keeps its size when the picture is small, so there is room for less of it. A label that
 * would cover an earlier label is left out, and the list of notes ends at a quarter of the height.
 */
#include "sketch_paint.h"
#include "../ui/font.h"

#include <math.h>

enum { MAX_LABELS = 64 };
static const float full_height = 480;      // pixels; in lower pictures, pens are thinner
static const float notes_fraction = 0.25f; // of the picture's height, at most

static uint32_t color_of(const demo_picture *picture, sketch_ink ink) {
    const demo_theme *theme = picture->theme;
    const uint32_t colors[INK_COUNT] = {
        [INK_TEXT] = theme->text,
        [INK_DIM] = theme->text_dim,
        [INK_FAINT] = theme->static_outline,
        [INK_BLUE] = theme->hull_a,
        [INK_ORANGE] = theme->hull_b,
        [INK_GREEN] = theme->gap,
        [INK_RED] = theme->overlap,
        [INK_YELLOW] = theme->reference,
        [INK_PINK] = theme->incident,
        [INK_WHITE] = theme->white,
        [INK_BLACK] = theme->black,
    };
    return colors[ink];
}

// Returns the colour of an area. The tint grows with the alpha, as translucent areas are light.
static uint32_t area_color(const demo_picture *picture, sketch_pen pen) {
    uint32_t color = color_of(picture, pen.ink);
    uint32_t tinted = color_mix(color, 0xFFFFFFFF, pen.alpha * picture->theme->area_tint);
    return color_fade(tinted, pen.alpha);
}

// Returns the width of a pen in this picture. This makes no line thinner than a pixel.
static float pen_width(const demo_picture *picture, float width) {
    float scale = fminf(picture->view.area.h / full_height, 1);
    return fmaxf(width * scale, fminf(width, 1));
}

static void paint_hull(const demo_picture *picture, const sketch_item *item) {
    sketch_pen pen = item->pen;
    demo_paint paint = {area_color(picture, pen), color_of(picture, pen.ink),
                        pen_width(picture, pen.width)};
    picture_hull(picture, &item->placed.hull, item->placed.pose, paint);
}

// ---- labels

typedef struct {
    demo_area areas[MAX_LABELS];
    int count;
} label_list;

// Adds the area of a label. Returns false if it would cover an earlier one.
static bool add_label(label_list *labels, demo_area area) {
    if (labels->count == MAX_LABELS) return false;
    for (int i = 0; i < labels->count; i++)
        if (areas_overlap(area, labels->areas[i])) return false;
    labels->areas[labels->count++] = area;
    return true;
}

// Paints the text on a box in the background's colour, so that it can be read over bodies.
static void paint_label(const demo_picture *picture, const sketch_item *item, label_list *labels) {
    vec2s p = view_to_screen(&picture->view, item->text.point);
    float width = (float)font_text_width(item->text.content);
    demo_area box = {p.x - width / 2 - 4, p.y - FONT_HEIGHT / 2.0f - 2, width + 8, FONT_LINE};
    if (picture->is_small || !add_label(labels, box)) return;
    canvas_rect(picture->canvas, box, color_fade(picture->theme->background, 0.75f));
    canvas_text(picture->canvas, box.x + 4, box.y + 2, color_of(picture, item->pen.ink),
                item->text.content);
}

static void paint_item(const demo_picture *picture, const sketch_item *item, label_list *labels) {
    demo_canvas *canvas = picture->canvas;
    sketch_pen pen = item->pen;
    uint32_t color = color_fade(color_of(picture, pen.ink), pen.alpha);
    float width = pen_width(picture, pen.width);
    vec2s p[3];
    bool has_points = item->kind <= SKETCH_DOT;
    for (int i = 0; i < 3 && has_points; i++)
        p[i] = view_to_screen(&picture->view, item->points[i]);
    switch (item->kind) {
    case SKETCH_TRIANGLE: canvas_triangle(canvas, p, area_color(picture, pen)); break;
    case SKETCH_LINE: canvas_line(canvas, p[0], p[1], width, color); break;
    case SKETCH_DASHES: canvas_dashes(canvas, p[0], p[1], 5, width, color); break;
    case SKETCH_ARROW: canvas_arrow(canvas, p[0], p[1], width, color); break;
    case SKETCH_DOT: canvas_disc(canvas, p[0], width, (demo_paint){.fill = color}); break;
    case SKETCH_HULL: paint_hull(picture, item); break;
    case SKETCH_LABEL: paint_label(picture, item, labels); break;
    case SKETCH_NOTE: break;
    }
}

// ---- notes

static void paint_note(const demo_picture *picture, const sketch_item *item, float x, float y) {
    uint32_t color = color_of(picture, item->pen.ink);
    demo_area box = {x - 4, y - 2, (float)font_text_width(item->text.content) + 24, FONT_LINE};
    canvas_rect(picture->canvas, box, color_fade(picture->theme->background, 0.75f));
    canvas_rounded(picture->canvas, (demo_area){x, y + 2, 9, 9}, 2, (demo_paint){.fill = color});
    canvas_text(picture->canvas, x + 16, y, picture->theme->text_dim, item->text.content);
}

static int max_notes(demo_area world) { return (int)(notes_fraction * world.h / FONT_LINE); }

// The notes are left of the scales, or above them if the area is too narrow.
demo_area sketch_notes_area(demo_area world, const sketch *s) {
    int count = 0, width = 0;
    for (int i = 0; i < s->count && count < max_notes(world); i++) {
        if (s->items[i].kind != SKETCH_NOTE) continue;
        width = (int)fmaxf((float)width, (float)font_text_width(s->items[i].text.content));
        count++;
    }
    bool is_narrow = (float)width + 48 + PICTURE_SCALE + PICTURE_FORCES > world.w;
    float height = (float)(count * FONT_LINE);
    float y = world.y + world.h - (is_narrow ? 44 : 10) - height;
    return (demo_area){world.x + 12, y - 2, (float)width + 24, count ? height + 2 : 0};
}

static void paint_notes(const demo_picture *picture, const sketch *s) {
    demo_area area = sketch_notes_area(picture->view.area, s);
    int most = max_notes(picture->view.area);
    for (int i = 0, painted = 0; i < s->count && painted < most; i++) {
        if (s->items[i].kind != SKETCH_NOTE) continue;
        paint_note(picture, &s->items[i], area.x + 4, area.y + 2 + (float)(painted++ * FONT_LINE));
    }
}

void sketch_paint(const demo_picture *picture, const sketch *s) {
    label_list labels = {.count = 0};
    for (int i = 0; i < s->count; i++) paint_item(picture, &s->items[i], &labels);
    canvas_flush(picture->canvas); // so that the notes also lie above the labels
    if (!picture->is_small) paint_notes(picture, s);
}
