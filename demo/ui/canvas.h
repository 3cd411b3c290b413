/* canvas: collects everything that is drawn into two batches, one of triangles and one of glyphs,
 * and the events of the user. It knows nothing of windows: a backend (canvas_sdl.h) draws the
 * batches and makes the events. All other files of the demo use only this one.
 *
 * Points are in pixels of the user interface, x right and y down. One of them is `scale`
 * pixels of the screen. Each shape has a fringe of one pixel of the screen that fades out, so edges
 * are smooth on every backend. Within a flush all glyphs lie above all shapes. */
#ifndef DEMO_CANVAS_H
#define DEMO_CANVAS_H

#include <cglm/struct/vec2.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    float x, y, w, h;
} demo_area;

static inline bool areas_overlap(demo_area a, demo_area b) {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static inline bool area_contains(demo_area a, vec2s p) {
    return p.x >= a.x && p.x < a.x + a.w && p.y >= a.y && p.y < a.y + a.h;
}

// ---- events

// Keys are named by the character that they type without Shift, or by one of these.
enum {
    KEY_BACKSPACE = 8,
    KEY_TAB = 9,
    KEY_ENTER = 13,
    KEY_ESCAPE = 27,
    KEY_DELETE = 127,
    KEY_LEFT = 256,
    KEY_RIGHT,
    KEY_UP,
    KEY_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_F1, // and so on, up to KEY_F1 + 11
};

typedef enum {
    EVENT_PRESS, // of a mouse button, at `point`
    EVENT_RELEASE,
    EVENT_MOVE,  // of the mouse, to `point`
    EVENT_LEAVE, // the mouse has left the window
    EVENT_WHEEL, // by `notches`, at `point`
    EVENT_KEY,   // was pressed, or repeats
    EVENT_KEY_UP,
    EVENT_TEXT, // was typed
    EVENT_DROP, // of a file whose path is `text`
    EVENT_QUIT  // the user closes the window
} demo_event_kind;

enum { BUTTON_LEFT, BUTTON_MIDDLE, BUTTON_RIGHT };

typedef struct {
    demo_event_kind kind;
    vec2s point; // pixels of the user interface
    int button;
    int clicks; // of EVENT_PRESS: 2 for a double click
    float notches;
    int key;          // what it types, or KEY_...
    bool shift, ctrl; // are held
    bool repeats;     // the key has been down for some time
    const char *text;
} demo_event;

// ---- batches

typedef struct {
    float x, y;       // pixels of the screen
    uint8_t color[4]; // red, green, blue, alpha
    float u, v;       // 0..1, in the texture of glyphs
} canvas_vertex;

typedef struct {
    canvas_vertex *vertices;
    int *indices;
    int vertex_count, vertex_capacity;
    int index_count, index_capacity;
} canvas_batch;

typedef struct {
    void *context;
    void (*clear)(void *context, uint32_t color);
    // Draws triangles, with the texture of glyphs or without one. The alpha of the texture
    // multiplies that of the vertices.
    void (*draw)(void *context, const canvas_batch *batch, bool has_texture);
    void (*clip)(void *context, const demo_area *area); // pixels of the screen; NULL: all
} canvas_backend;

typedef struct {
    canvas_backend backend;
    float scale; // pixels of the screen for a pixel of the user interface
    canvas_batch shapes, glyphs;
} demo_canvas;

// How a shape is painted: a fill, and inside its edge an outline, unless its width is 0.
typedef struct {
    uint32_t fill, outline;
    float width; // of the outline, pixels
} demo_paint;

void canvas_open(demo_canvas *canvas, canvas_backend backend);
void canvas_close(demo_canvas *canvas);
void canvas_clear(demo_canvas *canvas, uint32_t color);
// Draws both batches and empties them. Items that did not fit into memory are missing.
void canvas_flush(demo_canvas *canvas);
// Adds triangles to those of the canvas, or to other ones, moved by (x, y) pixels of the user
// interface. They are in pixels of the screen as they were drawn with scale 1.
void canvas_add(demo_canvas *canvas, const canvas_batch *batch, float x, float y);
void canvas_add_batch(canvas_batch *to, const canvas_batch *batch, float x, float y);
// Draws only within an area from now on; NULL: everywhere. Flushes.
void canvas_clip(demo_canvas *canvas, const demo_area *area);

// The texture of glyphs: CANVAS_FONT_WIDTH x CANVAS_FONT_HEIGHT alphas, of white.
enum { CANVAS_FONT_WIDTH = 256, CANVAS_FONT_HEIGHT = 192 };
void canvas_write_font(uint8_t *alphas);

// Draws a convex polygon of at most CANVAS_MAX_POINTS points, counter-clockwise on the screen.
enum { CANVAS_MAX_POINTS = 256 };
void canvas_polygon(demo_canvas *canvas, const vec2s *points, int count, demo_paint paint);
void canvas_disc(demo_canvas *canvas, vec2s center, float radius, demo_paint paint);
void canvas_rounded(demo_canvas *canvas, demo_area rect, float radius, demo_paint paint);
void canvas_line(demo_canvas *canvas, vec2s a, vec2s b, float width, uint32_t color);
void canvas_dashes(demo_canvas *canvas, vec2s a, vec2s b, float dash, float width, uint32_t color);
void canvas_arrow(demo_canvas *canvas, vec2s tail, vec2s head, float width, uint32_t color);
// These two have no fringe. The rectangle is moved to whole pixels.
void canvas_triangle(demo_canvas *canvas, const vec2s points[3], uint32_t color);
void canvas_rect(demo_canvas *canvas, demo_area rect, uint32_t color);

// Draws one line of text whose top is at y, moved to whole pixels. Returns the x after its end.
float canvas_text(demo_canvas *canvas, float x, float y, uint32_t color, const char *text);
// The same with glyphs of equal widths.
float canvas_code(demo_canvas *canvas, float x, float y, uint32_t color, const char *text);
// Returns the number of chords that make a full circle of this radius, in pixels, look round.
int canvas_arc_steps(float radius);

#endif
