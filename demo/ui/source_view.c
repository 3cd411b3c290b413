/* A box with lines of text. The lines up to create() can be scrolled to. */
#include "source_view.h"
#include "font.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LINE = 128, MARGIN = 12 };

static const char *find_text(const scene *shown) {
    for (const scene_source *s = scene_sources; s->name; s++)
        if (strcmp(s->name, shown->name) == 0) return s->text;
    return NULL;
}

static int count_lines(const char *text, const char *end) {
    int lines = 0;
    for (; text < end; text++) lines += *text == '\n';
    return lines;
}

static int first_line(const char *text) {
    const char *create = strstr(text, "static bool create");
    return create ? count_lines(text, create) : 0;
}

static const char *skip_lines(const char *text, int lines) {
    while (*text && lines > 0) lines -= *text++ == '\n';
    return text;
}

void source_view_toggle(source_view *view) { view->open = !view->open; }

void source_view_scroll(source_view *view, int lines) { view->line += lines; }

static uint32_t color_of(const demo_theme *theme, const char *line) {
    while (*line == ' ') line++;
    bool comment = strncmp(line, "//", 2) == 0 || *line == '*' || strncmp(line, "/*", 2) == 0;
    return comment ? theme->text_dim : theme->text;
}

static void draw_lines(const demo_picture *picture, const char *text, demo_area area) {
    for (float y = area.y + MARGIN; *text && y + FONT_LINE < area.y + area.h; y += FONT_LINE) {
        char line[MAX_LINE];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        canvas_code(picture->canvas, area.x + MARGIN, y, color_of(picture->theme, line), line);
        text += length + (text[length] == '\n');
    }
}

void source_view_draw(source_view *view, const demo_picture *picture, const scene *shown,
                      demo_area area) {
    if (!view->open) return;
    const char *text = find_text(shown);
    if (view->shown != shown) view->line = text ? first_line(text) : 0;
    view->shown = shown;
    demo_area box = {area.x + 8, area.y + 8, area.w - 16, area.h - 16};
    canvas_flush(picture->canvas);
    canvas_rounded(
        picture->canvas, box, 6,
        (demo_paint){color_fade(picture->theme->panel, 0.93f), picture->theme->panel_edge, 1});
    if (!text) {
        canvas_text(picture->canvas, box.x + MARGIN, box.y + MARGIN, picture->theme->text_dim,
                    "This scene has no source of its own.");
        return;
    }
    int last = count_lines(text, text + strlen(text)) - 3;
    if (view->line > last) view->line = last;
    if (view->line < 0) view->line = 0;
    canvas_clip(picture->canvas, &box);
    const char *hint = "wheel: scroll; F3: back";
    canvas_text(picture->canvas, box.x + box.w - MARGIN - (float)font_text_width(hint),
                box.y + MARGIN, picture->theme->text_dim, hint);
    draw_lines(picture, skip_lines(text, view->line), box);
    canvas_clip(picture->canvas, NULL);
}
