/* Draws grids of tiles. */
#include "../drawing/drawing.h"
#include "tiles.h"

enum { MAX_TILES = 1 << 16 }; // the most tiles of a grid that are drawn

// Returns the side of a tile's square along which an edge of the tile runs; -1 if it is a slope.
static int side_of(vec2s normal) {
    for (int i = 0; i < 4; i++)
        if (normal.x == (float)cn_tile_step_x[i] && normal.y == (float)cn_tile_step_y[i]) return i;
    return -1;
}

// Draws a solid tile, and a line along each edge that its neighbour does not cover.
static void draw_tile(cn_pen *p, const cn_tile_grid *grid, cn_pose pose, cn_palette colors, int x,
                      int y) {
    cn_hull hull = cn_tile_hull(grid, y * grid->width + x);
    vec2s corners[4];
    for (int i = 0; i < hull.count; i++) corners[i] = cn_to_world(pose, hull.vertices[i]);
    cn_pen_fill(p, corners, hull.count, colors.fill);
    for (int i = 0; i < hull.count; i++) {
        int side = side_of(hull.normals[i]), u = x, v = y;
        if (side >= 0) u += cn_tile_step_x[side], v += cn_tile_step_y[side];
        if (side < 0 || !cn_tile_fills_side(grid, u, v, (side + 2) % 4))
            cn_pen_line(p, corners[i], corners[(i + 1) % hull.count], colors.line);
    }
}

// Returns the colours of tiles with a material. Material 0 has those of the body.
static cn_palette colors_of_material(cn_palette body, int material) {
    static const cn_palette others[] = {{0x8FD3E8A0, 0xC8EEFAFF},
                                        {0xC98BA6A0, 0xEDBFD3FF},
                                        {0xC9AE6AA0, 0xEBD9A6FF},
                                        {0x9A8FD6A0, 0xC9C1F2FF},
                                        {0xB5806AA0, 0xE0B7A6FF}};
    int count = (int)(sizeof others / sizeof *others);
    return material == 0 ? body : others[(material - 1) % count];
}

void cn_draw_tiles(cn_pen *p) {
    CN_EACH(CN_GRIDS, i, p->sim) {
        const cn_tile_grid *grid = cn_grid_at(p->sim, i);
        cn_pose pose = cn_origin_pose(p->sim, grid->body);
        cn_palette colors = cn_palette_of(&p->sim->hot[grid->body]);
        for (int k = 0, drawn = 0; k < grid->width * grid->height && drawn < MAX_TILES; k++) {
            if (grid->tiles[k] == CN_TILE_EMPTY) continue;
            draw_tile(p, grid, pose, colors_of_material(colors, cn_tile_of(grid, k).material),
                      k % grid->width, k / grid->width);
            drawn++;
        }
    }
}
