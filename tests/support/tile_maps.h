/* Grids of tiles from drawings, for the tests of tiles. */
#ifndef TESTS_TILE_MAPS_H
#define TESTS_TILE_MAPS_H

#include "movers.h"

// ---- grids from a drawing: rows from top to bottom, '#' is solid

enum { MAX_MAP = 4096 };

static inline cn_grid add_map(cn_world *world, cn_body body, const char *const *rows, int height,
                              double size, vec2s origin) {
    int width = (int)strlen(rows[0]);
    uint8_t solid[MAX_MAP] = {0};
    assert_in_range(width * height, 1, MAX_MAP);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) solid[y * width + x] = rows[height - 1 - y][x] == '#';
    cn_grid_def def = {.solid = solid, .width = width, .height = height, .origin = origin};
    def.tile_size = (float)size, def.material = frictionless, def.user_data = 77;
    cn_grid tiles = cn_grid_create(world, body, &def);
    assert_done(tiles.id != 0);
    return tiles;
}

// ---- tiles of all forms
//
//      # square    / \ rises right, left    7 F hangs right, left    - one-way square
//      < > one-way slopes that rise right, left    a..p squares of material 0..15    . empty

static inline cn_tile tile_of(char c) {
    const char *at = strchr("#/\\7F", c);
    cn_tile tile = {.solid = c != '.'};
    if (at) tile.form = (cn_tile_form)(at - "#/\\7F");
    if (c >= 'a' && c <= 'p') tile.material = (uint8_t)(c - 'a');
    if (c == '<') tile.form = CN_TILE_RISES_RIGHT;
    if (c == '>') tile.form = CN_TILE_RISES_LEFT;
    tile.one_way = c == '-' || c == '<' || c == '>';
    return tile;
}

// Adds a map whose other properties are in the definition. Its lower left corner is .origin.
static inline cn_grid add_forms(cn_world *world, cn_body body, const char *const *rows, int height,
                                cn_grid_def def) {
    static cn_tile tiles[MAX_MAP];
    def.width = (int)strlen(rows[0]), def.height = height, def.tiles = tiles;
    assert_in_range(def.width * height, 1, MAX_MAP);
    for (int i = 0; i < def.width * height; i++)
        tiles[i] = tile_of(rows[height - 1 - i / def.width][i % def.width]);
    if (def.tile_size == 0) def.tile_size = 1;
    cn_grid made = cn_grid_create(world, body, &def);
    assert_done(made.id != 0);
    return made;
}

// Adds a floor of two rows from x = 0 on. Its surface is y = 0.
static inline cn_grid add_tile_floor(cn_world *world, cn_body body, int width, double size) {
    char row[MAX_MAP / 2];
    memset(row, '#', (size_t)width);
    row[width] = 0;
    return add_map(world, body, (const char *const[]){row, row}, 2, size, point(0, -2 * size));
}

#endif
