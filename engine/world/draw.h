/* What cn_world_draw() made last: vertices in arrays that are kept and used again. The world struct
 * holds one of these; cn_draw_free() gives its memory back. */
#ifndef CN_DRAW_H
#define CN_DRAW_H

#include "../base/base.h"

typedef struct {
    cn_draw_vertex *triangles, *lines;
    int triangle_count, triangle_capacity; // vertices
    int line_count, line_capacity;
} cn_draw_buffers;

void cn_draw_free(cn_draw_buffers *buffers, cn_memory *memory);

#endif
