/* Grids of tiles: ground from a bitmap.
 *
 *      . . . . . . . .        A tile is 0 (empty), -1 (solid) or, if it is solid and near something
 *      . . [box] . . .        that moves, the number of a shape (and one more): then it is real.
 *      # # R R R # # #        Real tiles are ordinary static boxes, so contacts, events and sleep
 *      # # # # # # # #        know nothing of grids.
 *
 * A million tiles are four million bytes. A tile is made real when the fat box of a dynamic shape, carried
 * along the way of the step, comes to overlap its own; only if it is exposed, that is if it is solid and
 * not all of its four neighbours are. It is taken back after a while without such a box. What an impact
 * within the step throws elsewhere may meet tiles that are not real: the sweep (sweep.c) reads the bitmap.
 *
 * What a body feels of a tile does not depend on which others are real: the neighbours that its surface has
 * to know (ground.c) are read from the bitmap.
 *
 * Here is what the numbers mean; making and taking back needs slots, so that is in world/tile_calls.c. */
#include "model.h"

// ---- the bitmap

bool cn_tile_is_solid(const cn_tile_grid *grid, int x, int y) {
    return x >= 0 && x < grid->width && y >= 0 && y < grid->height &&
           grid->tiles[y * grid->width + x] != CN_TILE_EMPTY;
}

static bool is_enclosed(const cn_tile_grid *grid, int x, int y) {
    return cn_tile_is_solid(grid, x - 1, y) && cn_tile_is_solid(grid, x + 1, y) &&
           cn_tile_is_solid(grid, x, y - 1) && cn_tile_is_solid(grid, x, y + 1);
}

// ---- where tiles are

cn_hull cn_tile_hull(const cn_tile_grid *grid, int tile) {
    float half = 0.5f * grid->size;
    cn_hull box = cn_box(half, half);
    int x = tile % grid->width, y = tile / grid->width;
    vec2s middle = cn_vec(grid->size * ((float)x + 0.5f), grid->size * ((float)y + 0.5f));
    return cn_hull_at(&box, (cn_pose){glms_vec2_add(grid->origin, middle), {1, 0}});
}

// The tile that a coordinate lies in, at most one beyond the ends.
static int tile_at(float coordinate, float size, int count) {
    return (int)cn_clamp(coordinate / size + 1, 0, (float)count + 1) - 1;
}

// Those whose fat boxes a box in the world may overlap.
static cn_tile_range tiles_under(const cn_simulation *sim, const cn_tile_grid *grid,
                                 cn_bounds box) {
    cn_pose pose = cn_origin_pose(sim, grid->body);
    float c = cn_abs(pose.rotation.c), s = cn_abs(pose.rotation.s), size = grid->size;
    vec2s half = glms_vec2_scale(glms_vec2_sub(box.upper, box.lower), 0.5f);
    vec2s local = cn_to_local(pose, glms_vec2_add(box.lower, half));
    vec2s center = glms_vec2_sub(local, grid->origin);
    float x = c * half.x + s * half.y + sim->tuning.box_margin;
    float y = s * half.x + c * half.y + sim->tuning.box_margin;
    return (cn_tile_range){cn_max_int(tile_at(center.x - x, size, grid->width), 0),
                           cn_min_int(tile_at(center.x + x, size, grid->width), grid->width - 1),
                           cn_max_int(tile_at(center.y - y, size, grid->height), 0),
                           cn_min_int(tile_at(center.y + y, size, grid->height), grid->height - 1)};
}

int cn_next_missing_tile(const cn_simulation *sim, int index, cn_bounds box, int last) {
    const cn_tile_grid *grid = &sim->grids[index];
    if (!grid->tiles || !grid->enabled) return -1;
    cn_tile_range range = tiles_under(sim, grid, box);
    int x = last < 0 ? range.from_x : last % grid->width + 1;
    for (int y = last < 0 ? range.from_y : last / grid->width; y <= range.to_y; y++) {
        for (; x <= range.to_x; x++)
            if (grid->tiles[y * grid->width + x] == CN_TILE_SOLID && !is_enclosed(grid, x, y))
                return y * grid->width + x;
        x = range.from_x;
    }
    return -1;
}
