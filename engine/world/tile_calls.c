/* Creates, reads, changes and destroys grids of tiles: checks and handles.
 * dynamics/model/tiles.c decides which tiles have shapes, and when. */
#include "world.h"

enum { MAX_TILES = 1 << 26 }; // of one grid

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
    if (!cn_require_pointer("definition", def) ||
        !cn_require_pointer(".solid bitmap", def->solid) || !check_size(sim, def))
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

cn_tiles cn_tiles_create(cn_world *world, cn_body body, const cn_tiles_def *def) {
    const cn_tiles none = {0};
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(check_tiles(&world->sim, slot, def))) return none;
    cn_simulation *sim = &world->sim;
    cn_tile_grid grid = {.body = slot, .width = def->width, .height = def->height};
    grid.size = def->tile_size, grid.origin = def->origin;
    grid.shape = shape_of(def), grid.shape = cn_apply_shape_defaults(&grid.shape);
    int made = cn_next_slot(sim, CN_GRIDS, 0);
    if (made >= 0 && cn_reserve_rare(sim))
        grid.tiles = cn_allocate(&sim->memory, cn_grid_bytes(&grid));
    if (!CN_CHECK(grid.tiles)) return none;
    cn_take_slot(sim, CN_GRIDS, made);
    for (int i = 0; i < def->width * def->height; i++)
        grid.tiles[i] = def->solid[i] ? CN_TILE_SOLID : CN_TILE_EMPTY;
    cn_store_grid_pose(sim, &grid);
    sim->grids[made] = grid;
    return cn_tiles_handle(world, made);
}

bool cn_tiles_destroy(cn_world *world, cn_tiles tiles) {
    int slot = cn_edit_tiles(world, tiles, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    cn_destroy_grid(sim, slot);
    return true;
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
    if (solid != cn_tile_is_solid(grid, x, y)) cn_set_tile(sim, grid, x, y, solid);
    return true;
}
