/* Dig: the mouse removes tiles of a grid, or adds some. If the first tile of a stroke is solid, the
 * stroke removes tiles. Otherwise it adds tiles. */
#include "tool.h"

#include <math.h>

// Finds the tile at a point. Returns a null handle if there is no grid.
static cn_grid find_tile(const cn_world *world, vec2s point, int *x, int *y) {
    for (int slot = 0; slot < 64; slot++) {
        cn_grid tiles = cn_world_grid_in_slot(world, slot);
        if (!tiles.id) continue;
        cn_pose pose = cn_body_pose(world, cn_grid_body(world, tiles));
        vec2s local = glms_vec2_sub(cn_pose_local_point(pose, point), cn_grid_origin(world, tiles));
        float size = cn_grid_tile_size(world, tiles);
        *x = (int)floorf(local.x / size), *y = (int)floorf(local.y / size);
        if (*x >= 0 && *y >= 0 && *x < cn_grid_width(world, tiles) &&
            *y < cn_grid_height(world, tiles))
            return tiles;
    }
    cn_error_clear();
    return (cn_grid){0};
}

static bool change(tool_use *use) {
    int x, y;
    cn_grid tiles = find_tile(use->stage->run.world, use->point, &x, &y);
    return !tiles.id || cn_grid_set_solid(use->stage->run.world, tiles, x, y, use->fills);
}

static bool press(tool_use *use) {
    int x, y;
    cn_grid tiles = find_tile(use->stage->run.world, use->point, &x, &y);
    use->fills = tiles.id && !cn_grid_solid(use->stage->run.world, tiles, x, y);
    return change(use);
}

static void draw(const tool_use *use, sketch *s) {
    int x, y;
    const cn_world *world = use->stage->run.world;
    cn_grid tiles = find_tile(world, use->point, &x, &y);
    if (!tiles.id) {
        sketch_label(s, use->point, INK_DIM, "no tiles here");
        return;
    }
    cn_pose pose = cn_body_pose(world, cn_grid_body(world, tiles));
    vec2s origin = cn_grid_origin(world, tiles);
    float size = cn_grid_tile_size(world, tiles);
    cn_hull tile = cn_box(size / 2, size / 2);
    vec2s middle = {{origin.x + ((float)x + 0.5f) * size, origin.y + ((float)y + 0.5f) * size}};
    sketch_hull(s, &tile, cn_pose_multiply(pose, cn_pose_at(middle, 0)),
                (sketch_pen){INK_YELLOW, 0.1f, 1.5f});
}

const demo_tool tool_tiles = {
    .name = "Dig",
    .hint = "drag from a tile to dig, from a gap to fill",
    .key = 'q',
    .press = press,
    .drag = change,
    .draw = draw,
};
