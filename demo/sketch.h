/* sketch: what a scene draws beside its bodies: lines, areas, dots, hulls and words.
 *
 * A list in the order of drawing. It knows nothing of SDL: the scene fills it, the demo paints it
 * over the bodies in the colours of its theme. Places are those of the world; widths are pixels,
 * so that lines look the same at every zoom. */
#ifndef DEMO_SKETCH_H
#define DEMO_SKETCH_H

#include "../engine/cairn.h"

// Colours by what they mean; each theme has its own of each.
typedef enum {
    INK_TEXT,
    INK_DIM,
    INK_FAINT,
    INK_BLUE,   // one side of a pair, or the usual
    INK_ORANGE, // the other side
    INK_GREEN,  // free, apart
    INK_RED,    // overlapping, seen, hit
    INK_YELLOW, // marked
    INK_PINK,
    INK_COUNT
} sketch_ink;

typedef struct {
    sketch_ink ink;
    float alpha; // 0..1; of a hull it is that of the area inside its outline
    float width; // pixels: of a line or outline (0: none), the radius of a dot
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
        vec2s points[3]; // of a triangle all, of lines and arrows two, of a dot one
        struct {
            cn_hull hull;
            cn_pose pose;
        } placed;
        struct {
            vec2s point; // of a label
            char words[SKETCH_MAX_TEXT];
        } text;
    };
} sketch_item;

// Starts as zeros. What does not fit into memory is missing from the picture.
typedef struct {
    sketch_item *items;
    int count, capacity;
} sketch;

void sketch_free(sketch *s);

void sketch_triangle(sketch *s, vec2s a, vec2s b, vec2s c, sketch_pen pen);
// The area of a convex polygon, and its outline.
void sketch_polygon(sketch *s, const vec2s *points, int count, sketch_pen pen);
void sketch_line(sketch *s, vec2s a, vec2s b, sketch_pen pen);
void sketch_dashes(sketch *s, vec2s a, vec2s b, sketch_pen pen);
void sketch_arrow(sketch *s, vec2s tail, vec2s head, sketch_pen pen);
void sketch_dot(sketch *s, vec2s point, sketch_pen pen);
void sketch_hull(sketch *s, const cn_hull *hull, cn_pose pose, sketch_pen pen);
// Words centred on a point; the format is that of printf.
void sketch_label(sketch *s, vec2s point, sketch_ink ink, const char *format, ...);
// A line of the list that explains the picture, in its lower left corner.
void sketch_note(sketch *s, sketch_ink ink, const char *format, ...);

#endif
