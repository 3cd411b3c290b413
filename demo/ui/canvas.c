/* The batches, and the fringe that makes edges smooth.
 *
 * A polygon is drawn as concentric rings of its corners. Each ring moves every corner along its
 * mitre by an offset:
 *
 *      +0.5 px   edge colour, alpha 0      .
 *      -0.5 px   edge colour               |  fringe: one pixel, centred on the true edge
 *      -w+0.5    edge colour               |  outline of width w
 *      -w-0.5    fill colour               '  fringe between outline and fill
 *
 * The innermost ring is filled as a fan. The triangles between two rings blend from one colour to
 * the next, which equals the area coverage of a straight edge. A line is the same in one dimension:
 * a core with a fringe on both sides. */
#include "canvas.h"
#include "font.h"
#include "theme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 16, COLUMNS = CANVAS_FONT_WIDTH / CELL };

static const float pi = 3.14159265f;

// ---- the texture of glyphs: a grid of cells

void canvas_write_font(uint8_t *alphas) {
    for (int i = 0; i < FONT_GLYPHS; i++) {
        const font_glyph *glyph = font_find(font_code(i));
        uint8_t *cell = alphas + i / COLUMNS * CELL * CANVAS_FONT_WIDTH + i % COLUMNS * CELL;
        for (int y = 0; y < FONT_HEIGHT; y++)
            for (int x = 0; x < glyph->advance + 2; x++)
                cell[y * CANVAS_FONT_WIDTH + x] = font_pixel(glyph, x, y);
    }
}

void canvas_open(demo_canvas *canvas, canvas_backend backend) {
    *canvas = (demo_canvas){.backend = backend, .scale = 1};
}

static void free_batch(canvas_batch *batch) {
    free(batch->vertices);
    free(batch->indices);
    *batch = (canvas_batch){0};
}

void canvas_close(demo_canvas *canvas) {
    free_batch(&canvas->shapes);
    free_batch(&canvas->glyphs);
    *canvas = (demo_canvas){0};
}

// ---- batches

void canvas_clear(demo_canvas *canvas, uint32_t color) {
    canvas->backend.clear(canvas->backend.context, color);
}

static bool grow(void **array, size_t size, int *capacity, int needed) {
    if (needed <= *capacity) return true;
    int larger = needed * 2;
    void *grown = realloc(*array, (size_t)larger * size);
    if (!grown) return false;
    *array = grown;
    *capacity = larger;
    return true;
}

static bool reserve(canvas_batch *batch, int vertices, int indices) {
    void *v = batch->vertices, *i = batch->indices;
    bool fits =
        grow(&v, sizeof(canvas_vertex), &batch->vertex_capacity, batch->vertex_count + vertices);
    batch->vertices = v;
    fits = fits && grow(&i, sizeof(int), &batch->index_capacity, batch->index_count + indices);
    batch->indices = i;
    return fits;
}

// Points of a batch are in pixels of the screen.
static void add_vertex(canvas_batch *batch, float x, float y, uint32_t color) {
    batch->vertices[batch->vertex_count++] = (canvas_vertex){
        x,
        y,
        {(uint8_t)(color >> 24), (uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color},
        0,
        0};
}

static void add_triangle(canvas_batch *batch, int a, int b, int c) {
    int *index = batch->indices + batch->index_count;
    index[0] = a, index[1] = b, index[2] = c;
    batch->index_count += 3;
}

static void add_quad(canvas_batch *batch, int a, int b, int c, int d) {
    add_triangle(batch, a, b, c);
    add_triangle(batch, a, c, d);
}

static void flush_batch(demo_canvas *canvas, canvas_batch *batch, bool has_texture) {
    if (batch->index_count) canvas->backend.draw(canvas->backend.context, batch, has_texture);
    batch->vertex_count = batch->index_count = 0;
}

void canvas_flush(demo_canvas *canvas) {
    flush_batch(canvas, &canvas->shapes, false);
    flush_batch(canvas, &canvas->glyphs, true);
}

static void add_batch(canvas_batch *to, const canvas_batch *batch, float x, float y, float scale) {
    if (!reserve(to, batch->vertex_count, batch->index_count)) return;
    int first = to->vertex_count;
    for (int i = 0; i < batch->vertex_count; i++) {
        canvas_vertex v = batch->vertices[i];
        v.x = (v.x + x) * scale, v.y = (v.y + y) * scale;
        to->vertices[to->vertex_count++] = v;
    }
    for (int i = 0; i < batch->index_count; i++)
        to->indices[to->index_count++] = first + batch->indices[i];
}

void canvas_add_batch(canvas_batch *to, const canvas_batch *batch, float x, float y) {
    add_batch(to, batch, x, y, 1);
}

void canvas_add(demo_canvas *canvas, const canvas_batch *batch, float x, float y) {
    add_batch(&canvas->shapes, batch, x, y, canvas->scale);
}

void canvas_clip(demo_canvas *canvas, const demo_area *area) {
    float s = canvas->scale;
    canvas_flush(canvas);
    demo_area on_screen = {0};
    if (area)
        on_screen =
            (demo_area){area->x * s, area->y * s, fmaxf(area->w * s, 0), fmaxf(area->h * s, 0)};
    canvas->backend.clip(canvas->backend.context, area ? &on_screen : NULL);
}

// ---- polygons

// In pixels of the screen.
typedef struct {
    vec2s points[CANVAS_MAX_POINTS];
    int count;
    vec2s mitres[CANVAS_MAX_POINTS]; // per pixel of offset outwards
    float inner_radius;              // pixels, limits how far rings move inwards
} outline;

// Returns the outward unit normal, or (0, 0) if the edge has no length.
static vec2s edge_normal(vec2s a, vec2s b) {
    vec2s d = glms_vec2_normalize(glms_vec2_sub(b, a));
    return (vec2s){{-d.y, d.x}};
}

// Returns the offset of a corner that moves both of its edges outwards by one pixel. n and m are
// the normals of these edges. At very sharp corners the offset is shortened.
static vec2s find_mitre(vec2s n, vec2s m) {
    float spread = 1 + glms_vec2_dot(n, m);
    return glms_vec2_scale(glms_vec2_add(n, m), 1 / fmaxf(spread, 0.25f));
}

// Returns the distance from the average of the points to the nearest edge, about the inner radius.
static float find_inner_radius(const vec2s *points, int count) {
    vec2s center = glms_vec2_zero();
    for (int i = 0; i < count; i++) center = glms_vec2_muladds(points[i], 1 / (float)count, center);
    float nearest = INFINITY;
    for (int i = 0; i < count; i++) {
        vec2s n = edge_normal(points[i], points[(i + 1) % count]);
        nearest = fminf(nearest, fabsf(glms_vec2_dot(n, glms_vec2_sub(points[i], center))));
    }
    return nearest;
}

static void trace_outline(outline *o, const vec2s *points, int count, float scale) {
    o->count = count;
    for (int i = 0; i < count; i++) o->points[i] = glms_vec2_scale(points[i], scale);
    o->inner_radius = find_inner_radius(o->points, count);
    vec2s before = edge_normal(o->points[count - 1], o->points[0]);
    for (int i = 0; i < count; i++) {
        vec2s after = edge_normal(o->points[i], o->points[(i + 1) % count]);
        o->mitres[i] = find_mitre(before, after);
        before = after;
    }
}

// Returns the index of the ring's first vertex.
static int add_ring(canvas_batch *batch, const outline *o, float offset, uint32_t color) {
    int first = batch->vertex_count;
    offset = fmaxf(offset, -0.9f * o->inner_radius);
    for (int i = 0; i < o->count; i++) {
        vec2s p = glms_vec2_muladds(o->mitres[i], offset, o->points[i]);
        add_vertex(batch, p.x, p.y, color);
    }
    return first;
}

static void fill_ring(canvas_batch *batch, int ring, int count) {
    for (int i = 2; i < count; i++) add_triangle(batch, ring, ring + i - 1, ring + i);
}

static void join_rings(canvas_batch *batch, int inner, int outer, int count) {
    for (int i = 0, next; i < count; i++) {
        next = i + 1 < count ? i + 1 : 0;
        add_quad(batch, inner + i, outer + i, outer + next, inner + next);
    }
}

void canvas_polygon(demo_canvas *canvas, const vec2s *points, int count, demo_paint paint) {
    canvas_batch *batch = &canvas->shapes;
    if (count < 3 || count > CANVAS_MAX_POINTS || !reserve(batch, 4 * count, 21 * count)) return;
    outline o;
    trace_outline(&o, points, count, canvas->scale);
    float width = paint.width * canvas->scale;
    bool outlined = width > 0;
    uint32_t edge = outlined ? paint.outline : paint.fill;
    int ring = batch->vertex_count;
    if (outlined) {
        int fill = add_ring(batch, &o, -width - 0.5f, paint.fill);
        fill_ring(batch, fill, count);
        ring = add_ring(batch, &o, fminf(0.5f - width, -0.5f), edge);
        join_rings(batch, fill, ring, count);
    }
    int rim = add_ring(batch, &o, -0.5f, edge);
    if (outlined)
        join_rings(batch, ring, rim, count);
    else
        fill_ring(batch, rim, count);
    join_rings(batch, rim, add_ring(batch, &o, 0.5f, edge & ~255u), count);
}

int canvas_arc_steps(float radius) {
    float steps = 6 * sqrtf(fmaxf(radius, 1)); // chords deviate by less than 1/7 pixel
    return (int)fminf(fmaxf(steps, 8), 128);
}

// Appends the points of an arc and returns the new count. The screen shows angles
// counter-clockwise.
static int add_arc(vec2s *points, int count, vec2s center, float radius, float angle, float turn) {
    int steps = (int)ceilf((float)canvas_arc_steps(radius) * turn / (2 * pi));
    for (int i = 0; i <= steps; i++) {
        float a = angle + turn * (float)i / (float)steps;
        points[count++] = (vec2s){{center.x + radius * cosf(a), center.y - radius * sinf(a)}};
    }
    return count;
}

void canvas_disc(demo_canvas *canvas, vec2s center, float radius, demo_paint paint) {
    vec2s points[CANVAS_MAX_POINTS];
    int count = add_arc(points, 0, center, radius, 0, 2 * pi);
    canvas_polygon(canvas, points, count - 1, paint); // the last point repeats the first
}

void canvas_rounded(demo_canvas *canvas, demo_area r, float radius, demo_paint paint) {
    vec2s points[CANVAS_MAX_POINTS];
    float left = r.x + radius, right = r.x + r.w - radius;
    float top = r.y + radius, bottom = r.y + r.h - radius;
    int n = add_arc(points, 0, (vec2s){{right, top}}, radius, 0, pi / 2);
    n = add_arc(points, n, (vec2s){{left, top}}, radius, pi / 2, pi / 2);
    n = add_arc(points, n, (vec2s){{left, bottom}}, radius, pi, pi / 2);
    n = add_arc(points, n, (vec2s){{right, bottom}}, radius, 3 * pi / 2, pi / 2);
    canvas_polygon(canvas, points, n, paint);
}

// ---- lines

void canvas_line(demo_canvas *canvas, vec2s a, vec2s b, float width, uint32_t color) {
    canvas_batch *batch = &canvas->shapes;
    if (!reserve(batch, 8, 18)) return;
    a = glms_vec2_scale(a, canvas->scale), b = glms_vec2_scale(b, canvas->scale);
    width *= canvas->scale;
    uint32_t core = width < 1 ? color_fade(color, width) : color;
    vec2s n = edge_normal(a, b);
    float half = fmaxf(width - 1, 0) / 2; // half the width of the core
    float offsets[] = {-half - 1, -half, half, half + 1};
    int first = batch->vertex_count;
    for (int i = 0; i < 4; i++) {
        uint32_t c = i == 0 || i == 3 ? core & ~255u : core;
        add_vertex(batch, a.x + n.x * offsets[i], a.y + n.y * offsets[i], c);
        add_vertex(batch, b.x + n.x * offsets[i], b.y + n.y * offsets[i], c);
    }
    for (int i = first; i < first + 6; i += 2) add_quad(batch, i, i + 1, i + 3, i + 2);
}

void canvas_dashes(demo_canvas *canvas, vec2s a, vec2s b, float dash, float width, uint32_t color) {
    float length = glms_vec2_distance(a, b);
    dash = fmaxf(dash, length / 2000); // no more dashes than anyone can see
    for (float from = 0; from < length; from += 2 * dash) {
        float to = fminf(from + dash, length);
        canvas_line(canvas, glms_vec2_lerp(a, b, from / length), glms_vec2_lerp(a, b, to / length),
                    width, color);
    }
}

void canvas_arrow(demo_canvas *canvas, vec2s tail, vec2s head, float width, uint32_t color) {
    vec2s d = glms_vec2_normalize(glms_vec2_sub(head, tail));
    float size = fminf(3.5f * width + 3, glms_vec2_distance(tail, head));
    vec2s base = glms_vec2_muladds(d, -size, head);
    vec2s side = {{-d.y * size * 0.45f, d.x * size * 0.45f}};
    canvas_line(canvas, tail, base, width, color);
    vec2s points[] = {head, glms_vec2_sub(base, side), glms_vec2_add(base, side)};
    canvas_polygon(canvas, points, 3, (demo_paint){.fill = color});
}

// ---- shapes without a fringe

void canvas_triangle(demo_canvas *canvas, const vec2s points[3], uint32_t color) {
    canvas_batch *batch = &canvas->shapes;
    if (!reserve(batch, 3, 3)) return;
    int first = batch->vertex_count;
    for (int i = 0; i < 3; i++)
        add_vertex(batch, points[i].x * canvas->scale, points[i].y * canvas->scale, color);
    add_triangle(batch, first, first + 1, first + 2);
}

void canvas_rect(demo_canvas *canvas, demo_area rect, uint32_t color) {
    canvas_batch *batch = &canvas->shapes;
    if (!reserve(batch, 4, 6)) return;
    float scale = canvas->scale;
    float left = floorf(rect.x * scale), right = floorf((rect.x + rect.w) * scale);
    float top = floorf(rect.y * scale), bottom = floorf((rect.y + rect.h) * scale);
    int first = batch->vertex_count;
    add_vertex(batch, left, top, color);
    add_vertex(batch, left, bottom, color);
    add_vertex(batch, right, bottom, color);
    add_vertex(batch, right, top, color);
    add_quad(batch, first, first + 1, first + 2, first + 3);
}

// ---- text

static void add_glyph(canvas_batch *batch, float x, float y, float scale, int index, float width,
                      uint32_t color) {
    float u = (float)(index % COLUMNS * CELL), v = (float)(index / COLUMNS * CELL);
    int first = batch->vertex_count;
    for (int i = 0; i < 4; i++) {
        float dx = i == 1 || i == 2 ? width : 0, dy = i >= 2 ? FONT_HEIGHT : 0;
        add_vertex(batch, x + dx * scale, y + dy * scale, color);
        canvas_vertex *corner = &batch->vertices[batch->vertex_count - 1];
        corner->u = (u + dx) / CANVAS_FONT_WIDTH, corner->v = (v + dy) / CANVAS_FONT_HEIGHT;
    }
    add_quad(batch, first, first + 1, first + 2, first + 3);
}

// Draws a line of text. `face` is added to its codes: 0, or FONT_MONO.
static float draw_text(demo_canvas *canvas, float x, float y, uint32_t color, const char *text,
                       int face) {
    canvas_batch *batch = &canvas->glyphs;
    int length = (int)strlen(text);
    float scale = canvas->scale, left = floorf(x * scale), top = floorf(y * scale);
    if (!reserve(batch, 4 * length, 6 * length)) return x;
    while (*text) {
        int code = face + font_next(&text), advance = font_find(code)->advance;
        add_glyph(batch, left - scale, top, scale, font_index(code), (float)(advance + 2), color);
        left += (float)advance * scale;
    }
    return left / scale;
}

float canvas_text(demo_canvas *canvas, float x, float y, uint32_t color, const char *text) {
    return draw_text(canvas, x, y, color, text, 0);
}

float canvas_code(demo_canvas *canvas, float x, float y, uint32_t color, const char *text) {
    return draw_text(canvas, x, y, color, text, FONT_MONO);
}
