/* sketch: what a scene draws in addition to its bodies: lines, areas, dots, hulls and text.
 *
 * A sketch is a list in the order of drawing, and does not depend on SDL. The scene fills it, and
 * the demo paints it over the bodies in the colours of its theme. Positions are in the world.
 * Widths are in pixels, so that lines look the same at every zoom; in small pictures they are
 * thinner. */
#ifndef DEMO_SKETCH_H
#define DEMO_SKETCH_H

#include "../../engine/cairn.h"

// Colours by their meaning. Each theme has its own shades.
typedef enum {
    INK_TEXT,
    INK_DIM,
    INK_FAINT,
    INK_BLUE,   // one side of a pair, or the usual colour
    INK_ORANGE, // the other side
    INK_GREEN,  // free, apart
    INK_RED,    // overlapping, seen, hit
    INK_YELLOW, // marked
    INK_PINK,
    INK_WHITE, // of things that are white or black in every theme, such as eyes
    INK_BLACK,
    INK_COUNT
} sketch_ink;

typedef struct {
    sketch_ink ink;
    float alpha; // 0..1; for a hull: of its area
    float width; // pixels; of a line or outline (0: none), or the radius of a dot
} sketch_pen;

typedef enum {
    SKETCH_TRIANGLE,
    SKETCH_LINE,
    SKETCH_DASHES,
    SKETCH_ARROW,
    SKETCH_DOT,
    SKETCH_HULL,
    SKETCH_LABEL,
    SKETCH_NOTE
} sketch_kind;

enum { SKETCH_MAX_TEXT = 96 };

typedef struct {
    sketch_kind kind;
    sketch_pen pen;
    union {
        vec2s points[3]; // a triangle has 3, a line or an arrow 2, a dot 1
        struct {
            cn_hull hull;
            cn_pose pose;
        } placed;
        struct {
            vec2s point; // only of a label
            char content[SKETCH_MAX_TEXT];
        } text;
    };
} sketch_item;

// Must start zeroed. If memory runs out, further items are missing from the picture.
typedef struct {
    sketch_item *items;
    int count, capacity;
} sketch;

void sketch_free(sketch *s);

void sketch_triangle(sketch *s, vec2s a, vec2s b, vec2s c, sketch_pen pen);
// Adds the area and the outline of a convex polygon.
void sketch_polygon(sketch *s, const vec2s *points, int count, sketch_pen pen);
void sketch_line(sketch *s, vec2s a, vec2s b, sketch_pen pen);
void sketch_dashes(sketch *s, vec2s a, vec2s b, sketch_pen pen);
void sketch_arrow(sketch *s, vec2s tail, vec2s head, sketch_pen pen);
void sketch_dot(sketch *s, vec2s point, sketch_pen pen);
void sketch_hull(sketch *s, const cn_hull *hull, cn_pose pose, sketch_pen pen);
// Adds text centred on a point. The format is that of printf(). Of labels that overlap, only the
// first is drawn.
void sketch_label(sketch *s, vec2s point, sketch_ink ink, const char *format, ...);
// Adds a line to the list in the lower left corner, which explains the picture. Small pictures show
// only the first lines.
void sketch_note(sketch *s, sketch_ink ink, const char *format, ...);

#endif
