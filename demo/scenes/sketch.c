/* Adds items to the list of a sketch. */
#include "sketch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void sketch_free(sketch *s) {
    free(s->items);
    *s = (sketch){0};
}

// Returns NULL if there is not enough memory.
static sketch_item *add_item(sketch *s, sketch_kind kind, sketch_pen pen) {
    if (s->count == s->capacity) {
        int capacity = s->capacity ? 2 * s->capacity : 256;
        sketch_item *grown = realloc(s->items, (size_t)capacity * sizeof *grown);
        if (!grown) return NULL;
        s->items = grown;
        s->capacity = capacity;
    }
    sketch_item *item = &s->items[s->count++];
    *item = (sketch_item){.kind = kind, .pen = pen};
    return item;
}

static void add_points(sketch *s, sketch_kind kind, vec2s a, vec2s b, vec2s c, sketch_pen pen) {
    sketch_item *item = add_item(s, kind, pen);
    if (!item) return;
    item->points[0] = a;
    item->points[1] = b;
    item->points[2] = c;
}

void sketch_triangle(sketch *s, vec2s a, vec2s b, vec2s c, sketch_pen pen) {
    add_points(s, SKETCH_TRIANGLE, a, b, c, pen);
}

void sketch_polygon(sketch *s, const vec2s *points, int count, sketch_pen pen) {
    for (int i = 2; i < count && pen.alpha > 0; i++)
        sketch_triangle(s, points[0], points[i - 1], points[i], pen);
    pen.alpha = 1;
    for (int i = 0; i < count && pen.width > 0; i++)
        sketch_line(s, points[i], points[(i + 1) % count], pen);
}

void sketch_line(sketch *s, vec2s a, vec2s b, sketch_pen pen) {
    add_points(s, SKETCH_LINE, a, b, b, pen);
}

void sketch_dashes(sketch *s, vec2s a, vec2s b, sketch_pen pen) {
    add_points(s, SKETCH_DASHES, a, b, b, pen);
}

void sketch_arrow(sketch *s, vec2s tail, vec2s head, sketch_pen pen) {
    add_points(s, SKETCH_ARROW, tail, head, head, pen);
}

void sketch_dot(sketch *s, vec2s point, sketch_pen pen) {
    add_points(s, SKETCH_DOT, point, point, point, pen);
}

void sketch_hull(sketch *s, const cn_hull *hull, cn_pose pose, sketch_pen pen) {
    sketch_item *item = add_item(s, SKETCH_HULL, pen);
    if (!item) return;
    item->placed.hull = *hull;
    item->placed.pose = pose;
}

static void add_text(sketch *s, sketch_kind kind, vec2s point, sketch_ink ink, const char *format,
                     va_list values) {
    sketch_item *item = add_item(s, kind, (sketch_pen){.ink = ink, .alpha = 1});
    if (!item) return;
    item->text.point = point;
    vsnprintf(item->text.content, sizeof item->text.content, format, values);
}

void sketch_label(sketch *s, vec2s point, sketch_ink ink, const char *format, ...) {
    va_list values;
    va_start(values, format);
    add_text(s, SKETCH_LABEL, point, ink, format, values);
    va_end(values);
}

void sketch_note(sketch *s, sketch_ink ink, const char *format, ...) {
    va_list values;
    va_start(values, format);
    add_text(s, SKETCH_NOTE, glms_vec2_zero(), ink, format, values);
    va_end(values);
}
