/* canvas: collects everything that is drawn into two batches, one of triangles and one of glyphs.
 *
 * Points are in pixels, x right and y down. Each shape has a fringe of one pixel that fades out, so
 * edges are smooth on every renderer, even the software one. Within a flush all glyphs lie above
 * all shapes. */
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

// How a shape is painted: a fill, and inside its edge an outline, unless its width is 0.
typedef struct {
    uint32_t fill, outline;
    float width; // of the outline, pixels
} demo_paint;

// Fails, with SDL_GetError(), if the font's texture cannot be made.
bool canvas_open(demo_canvas *canvas, SDL_Renderer *renderer);
void canvas_close(demo_canvas *canvas);
void canvas_clear(demo_canvas *canvas, uint32_t color);
// Draws both batches and empties them. Items that did not fit into memory are missing.
void canvas_flush(demo_canvas *canvas);

// Draws a convex polygon of at most CANVAS_MAX_POINTS points, counter-clockwise on the screen.
enum { CANVAS_MAX_POINTS = 256 };
void canvas_polygon(demo_canvas *canvas, const vec2s *points, int count, demo_paint paint);
void canvas_disc(demo_canvas *canvas, vec2s center, float radius, demo_paint paint);
void canvas_rounded(demo_canvas *canvas, SDL_FRect rect, float radius, demo_paint paint);
void canvas_line(demo_canvas *canvas, vec2s a, vec2s b, float width, uint32_t color);
void canvas_dashes(demo_canvas *canvas, vec2s a, vec2s b, float dash, float width, uint32_t color);
void canvas_arrow(demo_canvas *canvas, vec2s tail, vec2s head, float width, uint32_t color);
// These two have no fringe. The rectangle is moved to whole pixels.
void canvas_triangle(demo_canvas *canvas, const vec2s points[3], uint32_t color);
void canvas_rect(demo_canvas *canvas, SDL_FRect rect, uint32_t color);

// Draws one line of text whose top is at y, moved to whole pixels. Returns the x after its end.
float canvas_text(demo_canvas *canvas, float x, float y, uint32_t color, const char *text);
// Returns the number of chords that make a full circle of this radius, in pixels, look round.
int canvas_arc_steps(float radius);

#endif
