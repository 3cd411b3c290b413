/* Creates, changes and destroys grids of tiles. Before every step, makes shapes of tiles near
 * moving shapes.
 *
 * See dynamics/tiles.c. The shapes of tiles are in the list of shapes of the grid's body, like all
 * others, so they move with it and are destroyed with it.
 *
 * cn_update_tiles() visits the dynamic shapes and sensors that have a new box or are near a change
 * of a grid. It visits them in slot order, because it creates shapes on the way: which slots these
 * get must not depend on how trees and islands are stored. All exposed tiles under every other box
 * have shapes already. If memory runs out, the tiles made until then stay, and the next step makes
 * the rest. */
#include "world.h"

enum {
    MAX_TILES = 1 << 26,
    IDLE_STEPS = 64, // how often the shapes of tiles with nothing near them are destroyed
};

// In metres: eight times the separation that counts as touching.
#define MIN_TILE_SIZE 0.02f
// Relative to the largest coordinate: four times the rounding of hulls.
#define MIN_TILE_DETAIL (1.0f / (1 << 19))

// ---- definition

static cn_shape_def shape_of(const cn_tiles_def *def) {
    return (cn_shape_def){.material = def->material,
                          .filter = def->filter,
                          .hit_events = def->hit_events,
                          .no_touch_events = def->no_touch_events,
                          .user_data = def->user_data};
}

static vec2s reach_of(vec2s point) { return cn_vec(cn_abs(point.x), cn_abs(point.y)); }

// The corners of a tile far from the origin are rounded. Two corners must not become one.
static bool check_detail(float size, vec2s reach) {
    float farthest = cn_max(reach.x, reach.y), least = MIN_TILE_DETAIL * farthest;
    return size >= least ||
           cn_fail(CN_ERROR_RANGE,
                   "the tile_size is %g; for a grid that reaches %g from the origin of its body it "
                   "must be %g or more",
                   (double)size, (double)farthest, (double)least);
}

static bool check_size(const cn_simulation *sim, const cn_tiles_def *def) {
    if (def->width < 1 || def->height < 1 || def->width > MAX_TILES / def->height)
        return cn_fail(CN_ERROR_RANGE,
                       "the grid is %d x %d tiles; it must have 1 to %d tiles in total", def->width,
                       def->height, MAX_TILES);
    if (!cn_require("tile_size", def->tile_size, MIN_TILE_SIZE * sim->length_unit,
                    CN_MAX_COORDINATE) ||
        !cn_require2("origin", def->origin, CN_MAX_COORDINATE))
        return false;
    vec2s end = cn_vec(def->origin.x + def->tile_size * (float)def->width,
                       def->origin.y + def->tile_size * (float)def->height);
    return cn_require2("upper right corner", end, CN_MAX_COORDINATE) &&
           check_detail(def->tile_size, cn_max2(reach_of(def->origin), reach_of(end)));
}

static bool check_tiles(const cn_simulation *sim, int body, const cn_tiles_def *def) {
    if (!cn_require_pointer("definition", def) || !cn_require_pointer("bitmap", def->solid) ||
        !check_size(sim, def))
        return false;
    if (sim->hot[body].flags & CN_BODY_MOVES)
        return cn_fail(CN_ERROR_STATE, "body %d is not static: a grid of tiles needs a static body",
                       body);
    cn_shape_def shape = shape_of(def);
    shape.hull = cn_box(0.5f * def->tile_size, 0.5f * def->tile_size);
    return cn_check_shape(sim, body, &shape);
}

static bool check_tile(const cn_tile_grid *grid, int x, int y) {
    return (x >= 0 && x < grid->width && y >= 0 && y < grid->height) ||
           cn_fail(CN_ERROR_RANGE, "the grid of %d x %d tiles has no tile (%d, %d)", grid->width,
                   grid->height, x, y);
}

// ---- create, destroy

static cn_tile_range all_tiles(const cn_tile_grid *grid) {
    return (cn_tile_range){0, grid->width - 1, 0, grid->height - 1};
}

// Returns the box of a range of tiles in the world, with the body at its stored pose, grown by all
// margins.
static cn_bounds bounds_of(const cn_simulation *sim, const cn_tile_grid *grid,
                           cn_tile_range range) {
    cn_bounds box = {{{FLT_MAX, FLT_MAX}}, {{-FLT_MAX, -FLT_MAX}}};
    for (int i = 0; i < 4; i++) {
        int x = i & 1 ? range.to_x + 1 : range.from_x, y = i & 2 ? range.to_y + 1 : range.from_y;
        vec2s offset = cn_vec(grid->size * (float)x, grid->size * (float)y);
        vec2s corner = cn_to_world(grid->pose, glms_vec2_add(grid->origin, offset));
        box = cn_box_union(box, (cn_bounds){corner, corner});
    }
    return cn_box_grown(box, 2 * sim->tuning.box_margin);
}

// Wakes the bodies in a range. The next step looks for tiles near them.
static void wake_range(cn_simulation *sim, const cn_tile_grid *grid, cn_tile_range range) {
    cn_bounds box = bounds_of(sim, grid, range);
    cn_wake_bounds(sim, box);
    cn_tree_refit(&sim->moving_tree);
    cn_tree_refit(&sim->static_tree);
    CN_EACH_OVER(shape, &sim->moving_tree, box) { cn_tree_mark_moved(&sim->moving_tree, shape); }
    CN_EACH_OVER(shape, &sim->static_tree, box) {
        if (sim->shapes[shape].flags & CN_SHAPE_SENSOR) cn_tree_mark_moved(&sim->static_tree, shape);
    }
}

static size_t bytes_of(const cn_tile_grid *grid) {
    return (size_t)grid->width * (size_t)grid->height * sizeof *grid->tiles;
}

// Stores the present pose of the grid's body.
static void store_grid_pose(cn_simulation *sim, cn_tile_grid *grid) {
    grid->pose = cn_origin_pose(sim, grid->body);
    grid->enabled = !!(sim->hot[grid->body].flags & CN_BODY_ENABLED);
    wake_range(sim, grid, all_tiles(grid));
}

cn_tiles cn_tiles_create(cn_world *world, cn_body body, const cn_tiles_def *def) {
    const cn_tiles none = {0};
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(check_tiles(&world->sim, slot, def))) return none;
    cn_simulation *sim = &world->sim;
    cn_tile_grid grid = {.body = slot, .width = def->width, .height = def->height};
    grid.size = def->tile_size, grid.origin = def->origin;
    grid.shape = shape_of(def), grid.shape = cn_apply_shape_defaults(&grid.shape);
    int made = cn_next_slot(world, CN_GRIDS, 0);
    if (made >= 0 && cn_reserve_rare(sim)) grid.tiles = cn_allocate(&sim->memory, bytes_of(&grid));
    if (!CN_CHECK(grid.tiles)) return none;
    cn_take_slot(world, CN_GRIDS, made);
    for (int i = 0; i < def->width * def->height; i++)
        grid.tiles[i] = def->solid[i] ? CN_TILE_SOLID : CN_TILE_EMPTY;
    store_grid_pose(sim, &grid);
    sim->grids[made] = grid;
    return cn_tiles_handle(world, made);
}

// The tiles of the grid must not have shapes any more.
static void remove_grid(cn_world *world, int slot) {
    cn_tile_grid *grid = &world->sim.grids[slot];
    cn_release(&world->sim.memory, grid->tiles, bytes_of(grid));
    grid->tiles = NULL;
    cn_retire_slot(world, CN_GRIDS, slot);
}

static bool is_of_grid(cn_world *world, int shape, int what) {
    return cn_rare_of(&world->sim, shape)->tile.grid == what;
}

bool cn_tiles_destroy(cn_world *world, cn_tiles tiles) {
    int slot = cn_edit_tiles(world, tiles, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    cn_tile_grid *grid = &sim->grids[slot];
    wake_range(sim, grid, all_tiles(grid));
    cn_destroy_shapes(world, grid->body, is_of_grid, slot);
    remove_grid(world, slot);
    return true;
}

int cn_first_grid(const cn_simulation *sim, int body) {
    CN_EACH(CN_GRIDS, i, sim) {
        if (sim->grids[i].body == body) return i;
    }
    return -1;
}

void cn_remove_grids(cn_world *world, int body) {
    for (int i; (i = cn_first_grid(&world->sim, body)) >= 0;) remove_grid(world, i);
}

cn_body cn_tiles_body(const cn_world *world, cn_tiles tiles) {
    int slot = cn_find_tiles(world, tiles, __func__);
    return slot < 0 ? (cn_body){0} : cn_body_handle(world, world->sim.grids[slot].body);
}

int cn_tiles_width(const cn_world *world, cn_tiles tiles) {
    int slot = cn_find_tiles(world, tiles, __func__);
    return slot < 0 ? 0 : world->sim.grids[slot].width;
}

int cn_tiles_height(const cn_world *world, cn_tiles tiles) {
    int slot = cn_find_tiles(world, tiles, __func__);
    return slot < 0 ? 0 : world->sim.grids[slot].height;
}

float cn_tiles_tile_size(const cn_world *world, cn_tiles tiles) {
    int slot = cn_find_tiles(world, tiles, __func__);
    return slot < 0 ? 0 : world->sim.grids[slot].size;
}

vec2s cn_tiles_origin(const cn_world *world, cn_tiles tiles) {
    int slot = cn_find_tiles(world, tiles, __func__);
    return slot < 0 ? cn_vec(0, 0) : world->sim.grids[slot].origin;
}

// ---- single tiles

bool cn_tiles_get(const cn_world *world, cn_tiles tiles, int x, int y) {
    int slot = cn_find_tiles(world, tiles, __func__);
    if (slot < 0 || !CN_CHECK(check_tile(&world->sim.grids[slot], x, y))) return false;
    return cn_tile_is_solid(&world->sim.grids[slot], x, y);
}

bool cn_tiles_set(cn_world *world, cn_tiles tiles, int x, int y, bool solid) {
    int slot = cn_edit_tiles(world, tiles, __func__);
    if (slot < 0 || !CN_CHECK(check_tile(&world->sim.grids[slot], x, y))) return false;
    cn_simulation *sim = &world->sim;
    cn_tile_grid *grid = &sim->grids[slot];
    int32_t *tile = &grid->tiles[y * grid->width + x];
    if (solid == cn_tile_is_solid(grid, x, y)) return true;
    const cn_tile_range around = {cn_max_int(x - 1, 0), cn_min_int(x + 1, grid->width - 1),
                                  cn_max_int(y - 1, 0), cn_min_int(y + 1, grid->height - 1)};
    wake_range(sim, grid, around);
    if (*tile > 0) cn_destroy_shape(world, *tile - 1);
    *tile = solid ? CN_TILE_SOLID : CN_TILE_EMPTY;
    for (int v = around.from_y; v <= around.to_y; v++) // their surfaces change, too
        for (int u = around.from_x; u <= around.to_x; u++)
            if (grid->tiles[v * grid->width + u] > 0)
                cn_forget_surface(sim, grid->tiles[v * grid->width + u] - 1);
    return true;
}

// ---- before and after a step

// Wakes the bodies where a grid was and where it is now, if it moved.
static void update_moved_grids(cn_simulation *sim) {
    CN_EACH(CN_GRIDS, i, sim) {
        cn_tile_grid *grid = &sim->grids[i];
        cn_pose pose = cn_origin_pose(sim, grid->body);
        bool enabled = sim->hot[grid->body].flags & CN_BODY_ENABLED;
        if (enabled == grid->enabled && memcmp(&pose, &grid->pose, sizeof pose) == 0) continue;
        wake_range(sim, grid, all_tiles(grid));
        store_grid_pose(sim, grid);
    }
}

// True if the box of the tile overlaps no box of a moving shape or sensor.
static bool is_idle_tile(cn_world *world, int shape, int what) {
    const cn_simulation *sim = &world->sim;
    if (!is_of_grid(world, shape, what)) return false;
    if (!cn_tree_has(&sim->static_tree, shape)) return true;
    cn_bounds box = cn_tree_box(&sim->static_tree, shape);
    CN_EACH_OVER(other, &sim->static_tree, box) {
        if (sim->shapes[other].flags & CN_SHAPE_SENSOR) return false;
    }
    cn_tree_walk near = cn_tree_overlaps(&sim->moving_tree, box);
    return cn_tree_next(&near) < 0;
}

void cn_remove_idle_tiles(cn_world *world) {
    if (world->sim.tile_shape_count == 0 || world->steps % IDLE_STEPS != 0) return;
    cn_tree_refit(&world->sim.moving_tree);
    CN_EACH(CN_GRIDS, i, &world->sim) {
        cn_destroy_shapes(world, world->sim.grids[i].body, is_idle_tile, i);
    }
}

static bool create_tile_shape(cn_world *world, int index, int tile) {
    cn_simulation *sim = &world->sim;
    cn_tile_grid *grid = &sim->grids[index];
    cn_shape_def def = grid->shape;
    def.hull = cn_tile_hull(grid, tile);
    int shape = cn_add_shape(world, grid->body, &def);
    if (shape < 0) return false;
    cn_make_rare(sim, shape)->tile = (cn_tile_name){index, tile};
    grid->tiles[tile] = shape + 1;
    sim->tile_shape_count++;
    cn_add_proxy(sim, shape);
    return true;
}

static bool create_tiles_near(cn_world *world, int shape) {
    cn_simulation *sim = &world->sim;
    int body = sim->links[shape].body;
    if (!cn_is_dynamic(&sim->hot[body]) && !(sim->shapes[shape].flags & CN_SHAPE_SENSOR))
        return true;
    cn_bounds box = cn_tree_box(cn_tree_of(sim, body), shape);
    box = cn_box_moved(box, cn_motion_bounds(sim, body));
    for (int i = 0; i < sim->slots[CN_GRIDS].end; i++)
        for (int tile = -1; (tile = cn_next_missing_tile(sim, i, box, tile)) >= 0;)
            if (!create_tile_shape(world, i, tile)) return false;
    return true;
}

bool cn_update_tiles(cn_world *world) {
    cn_simulation *sim = &world->sim;
    if (sim->slots[CN_GRIDS].count == 0) return true;
    update_moved_grids(sim);
    int end = sim->slots[CN_SHAPES].end;
    size_t bytes = ((size_t)end / 64 + 1) * sizeof(uint64_t);
    uint64_t *moved = cn_scratch(sim, bytes);
    if (!moved) return false;
    memset(moved, 0, bytes);
    cn_tree_list_moved(&sim->moving_tree, moved);
    cn_tree_list_moved(&sim->static_tree, moved);
    CN_EACH_BIT(shape, moved, end) {
        if (!create_tiles_near(world, shape)) return false;
    }
    return true;
}
