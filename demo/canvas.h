/* canvas: everything that is drawn goes into one batch of triangles and one of glyphs.
 *
 * Points are pixels, x right and y down. Edges are smooth on every renderer, the software one
 * included, because each shape brings a one-pixel fringe that fades to nothing. Within a flush
 * glyphs lie above shapes. */
#ifndef DEMO_CANVAS_H
#define DEMO_CANVAS_H

#include <SDL.h>

#include <cglm/struct/vec2.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    SDL_Vertex *vertices;
    int *indices;
    int vertex_count, vertex_capacity;
    int index_count, index_capacity;
} canvas_batch;

typedef struct {
    SDL_Renderer *renderer; // not owned
    SDL_Texture *font;
    canvas_batch shapes, glyphs;
} demo_canvas;

// How a shape is painted: its fill, and an outline drawn inside its edge; width in pixels, 0: none.
typedef struct {
    uint32_t fill, outline;
    float width;
} demo_paint;

// False, with SDL_GetError(), if the font's texture could not be made.
bool canvas_open(demo_canvas *canvas, SDL_Renderer *renderer);
void canvas_close(demo_canvas *canvas);
void canvas_clear(demo_canvas *canvas, uint32_t color);
// Draws what was gathered. What did not fit into memory is missing from the picture.
void canvas_flush(demo_canvas *canvas);

// A convex polygon, its points counter-clockwise as seen on the screen; at most CANVAS_MAX_POINTS.
enum { CANVAS_MAX_POINTS = 256 };
void canvas_polygon(demo_canvas *canvas, const vec2s *points, int count, demo_paint paint);
void canvas_disc(demo_canvas *canvas, vec2s center, float radius, demo_paint paint);
void canvas_rounded(demo_canvas *canvas, SDL_FRect rect, float radius, demo_paint paint);
void canvas_line(demo_canvas *canvas, vec2s a, vec2s b, float width, uint32_t color);
void canvas_dashes(demo_canvas *canvas, vec2s a, vec2s b, float dash, float width, uint32_t color);
void canvas_arrow(demo_canvas *canvas, vec2s tail, vec2s head, float width, uint32_t color);
// Without a fringe: a triangle as it is, and a rectangle on whole pixels.
void canvas_triangle(demo_canvas *canvas, const vec2s points[3], uint32_t color);
void canvas_rect(demo_canvas *canvas, SDL_FRect rect, uint32_t color);

// Text with its first line's top at y; moved to whole pixels. Returns the x after its end.
float canvas_text(demo_canvas *canvas, float x, float y, uint32_t color, const char *text);
// How many steps a full turn of that many pixels radius needs to look round.
int canvas_arc_steps(float radius);

#endif
