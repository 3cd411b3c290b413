/* drawing: what draw.c offers to parts that draw their own objects. */
#ifndef CN_DRAWING_H
#define CN_DRAWING_H

#include "../../core/world/world.h"
#include "../parts.h"

// ---- data of a world

// Vertices of a drawing. The array is kept for the next drawing.
typedef CN_LIST(cn_draw_vertex) cn_draw_list;

typedef struct {
    cn_draw_list triangles, lines;
    float force_scale; // N: that of the last drawing with joints
} cn_drawing_data;

static inline cn_drawing_data *cn_drawing_of(const cn_world *world) {
    return cn_behind_world(world, cn_drawing_offset);
}

// ---- the pen

// Collects vertices.
typedef struct cn_pen {
    cn_world *world;
    cn_drawing_data *data; // of the world
    cn_simulation *sim;
    uint32_t flags;
    bool failed; // memory ran out
} cn_pen;

typedef struct {
    uint32_t fill, line; // 0xRRGGBBAA
} cn_palette;

void cn_pen_line(cn_pen *pen, vec2s a, vec2s b, uint32_t color);
void cn_pen_fill(cn_pen *pen, const vec2s *points, int count, uint32_t color); // a convex polygon
cn_palette cn_palette_of(const cn_body_hot *body);

extern void (*const cn_draw_grids)(cn_pen *pen); // NULL: the part tiles is not built in

#endif
