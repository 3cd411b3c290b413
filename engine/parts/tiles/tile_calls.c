/* Creates, reads, changes and destroys grids of tiles: checks and handles. tiles.c decides which
 * tiles have shapes, and when; tile_forms.c stores forms and materials. */
#include "tiles.h"

enum { MAX_TILES = 1 << 26 }; // of one grid

// In metres: eight times the separation that counts as touching.
#define MIN_TILE_SIZE 0.02f
// Relative to the largest coordinate: four times the rounding of hulls.
#define MIN_TILE_DETAIL (1.0f / (1 << 19))

// ---- handles

bool cn_grid_valid(const cn_world *world, cn_grid handle) {
    return cn_is_valid_object(world, CN_GRIDS, handle.id);
}

static int find_grid(const cn_world *world, cn_grid handle, const char *caller) {
    return cn_find_object(world, CN_GRIDS, handle.id, caller);
}

int cn_edit_grid(cn_world *world, cn_grid handle, const char *caller) {
    int slot = cn_edit_object(world, CN_GRIDS, handle.id, caller);
    if (slot >= 0) cn_mark_edited(world, cn_grid_at(&world->sim, slot)->body);
    return slot;
}

// ---- definition

static cn_shape_def shape_of(const cn_grid_def *def) {
    bool above = def->one_way.x == 0 && def->one_way.y == 0;
    return (cn_shape_def){.material = def->material,
                          .one_way = above ? cn_vec(0, 1) : def->one_way,
                          .filter = def->filter,
                          .hit_events = def->hit_events,
                          .no_touch_events = def->no_touch_events,
                          .custom_filter = def->custom_filter,
                          .pre_solve = def->pre_solve,
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

static bool check_size(const cn_simulation *sim, const cn_grid_def *def) {
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

// Without a table there is one material.
static int material_count(const cn_grid_def *def) {
    return def->materials ? def->material_count : 1;
}

static bool check_materials(const cn_grid_def *def) {
    if (!def->materials)
        return def->material_count == 0 ||
               cn_fail(CN_ERROR_HANDLE, ".materials is NULL, and .material_count is %d",
                       def->material_count);
    if (def->material_count < 1 || def->material_count > CN_MAX_TILE_MATERIALS)
        return cn_fail(CN_ERROR_RANGE, ".material_count is %d; it must be 1 to %d",
                       def->material_count, CN_MAX_TILE_MATERIALS);
    for (int i = 0; i < def->material_count; i++)
        if (!cn_require_material(def->materials[i])) return cn_fail_in_number("material", i);
    return true;
}

static bool check_material_index(int index, int count) {
    return (index >= 0 && index < count) ||
           cn_fail(CN_ERROR_RANGE, "the material is %d; the grid has the materials 0 to %d", index,
                   count - 1);
}

static bool check_tile(cn_tile tile, int materials) {
    if (tile.form < CN_TILE_SQUARE || tile.form > CN_TILE_HANGS_LEFT)
        return cn_fail(CN_ERROR_RANGE, "the form is %d; it must be one of cn_tile_form",
                       (int)tile.form);
    return check_material_index(tile.material, materials);
}

// True if the definition has either a bitmap or good tiles.
static bool check_map(const cn_grid_def *def) {
    if (!def->tiles && !def->solid)
        return cn_fail(CN_ERROR_HANDLE, ".solid and .tiles are both NULL: set one of them");
    if (!def->tiles) return true;
    if (def->solid)
        return cn_fail(CN_ERROR_STATE, "the definition has .solid and .tiles; one must be NULL");
    for (int i = 0; i < def->width * def->height; i++)
        if (!check_tile(def->tiles[i], material_count(def))) return cn_fail_in_number("tile", i);
    return true;
}

static bool check_tiles(const cn_simulation *sim, int body, const cn_grid_def *def) {
    if (!cn_require_pointer("definition", def) || !check_size(sim, def) || !check_materials(def) ||
        !check_map(def))
        return false;
    if (sim->hot[body].flags & CN_BODY_MOVES)
        return cn_fail(CN_ERROR_STATE, "body %d is not static: a grid of tiles needs a static body",
                       body);
    cn_shape_def shape = shape_of(def);
    shape.hull = cn_box(0.5f * def->tile_size, 0.5f * def->tile_size);
    return cn_check_shape(sim, body, &shape);
}

static bool check_place(const cn_tile_grid *grid, int x, int y) {
    return (x >= 0 && x < grid->width && y >= 0 && y < grid->height) ||
           cn_fail(CN_ERROR_RANGE, "the grid of %d x %d tiles has no tile (%d, %d)", grid->width,
                   grid->height, x, y);
}

// ---- create, destroy

static bool copy_materials(cn_simulation *sim, cn_tile_grid *grid, const cn_grid_def *def) {
    if (!def->materials) return true;
    grid->materials = cn_allocate(&sim->memory, cn_material_bytes(grid));
    for (int i = 0; grid->materials && i < grid->material_count; i++)
        grid->materials[i] = cn_apply_material_defaults(def->materials[i]);
    return grid->materials;
}

static bool copy_tiles(cn_simulation *sim, cn_tile_grid *grid, const cn_grid_def *def) {
    grid->tiles = cn_allocate(&sim->memory, cn_grid_bytes(grid));
    bool done = grid->tiles;
    for (int i = 0; done && i < grid->width * grid->height; i++) {
        bool solid = def->tiles ? def->tiles[i].solid : def->solid[i];
        grid->tiles[i] = solid ? CN_TILE_SOLID : CN_TILE_EMPTY;
        if (def->tiles) done = cn_store_traits(sim, grid, i, def->tiles[i]);
    }
    return done;
}

// Allocates and copies the arrays of a new grid. Leaves nothing allocated if memory is short.
static bool fill_grid(cn_simulation *sim, cn_tile_grid *grid, const cn_grid_def *def) {
    if (copy_materials(sim, grid, def) && copy_tiles(sim, grid, def)) return true;
    cn_release_grid(sim, grid);
    return false;
}

cn_grid cn_grid_create(cn_world *world, cn_body body, const cn_grid_def *def) {
    const cn_grid none = {0};
    int slot = cn_edit_body(world, body, __func__);
    if (slot < 0 || !CN_CHECK(check_tiles(&world->sim, slot, def))) return none;
    CN_RECORD(cn_grid_create, world, body, def);
    cn_simulation *sim = &world->sim;
    cn_tile_grid grid = {.body = slot, .width = def->width, .height = def->height};
    grid.size = def->tile_size, grid.origin = def->origin;
    grid.shape = shape_of(def), grid.shape = cn_apply_shape_defaults(&grid.shape);
    grid.material_count = material_count(def);
    int made = cn_next_slot(sim, CN_GRIDS, 0);
    if (!CN_CHECK(made >= 0 && cn_reserve_grid_boxes(sim, 1) && fill_grid(sim, &grid, def)))
        return none;
    cn_take_slot(sim, CN_GRIDS, made);
    cn_store_grid_pose(sim, &grid);
    *cn_grid_at(sim, made) = grid;
    cn_link_grid(sim, made);
    return CN_CREATED(CN_GRIDS, cn_grid_handle(world, made));
}

bool cn_grid_destroy(cn_world *world, cn_grid handle) {
    CN_RECORD(cn_grid_destroy, world, handle);
    int slot = cn_edit_grid(world, handle, __func__);
    if (slot < 0) return false;
    cn_simulation *sim = &world->sim;
    cn_destroy_grid(sim, slot);
    return true;
}

cn_body cn_grid_body(const cn_world *world, cn_grid handle) {
    int slot = find_grid(world, handle, __func__);
    return slot < 0 ? (cn_body){0} : cn_body_handle(world, cn_grid_at(&world->sim, slot)->body);
}

int cn_grid_width(const cn_world *world, cn_grid handle) {
    int slot = find_grid(world, handle, __func__);
    return slot < 0 ? 0 : cn_grid_at(&world->sim, slot)->width;
}

int cn_grid_height(const cn_world *world, cn_grid handle) {
    int slot = find_grid(world, handle, __func__);
    return slot < 0 ? 0 : cn_grid_at(&world->sim, slot)->height;
}

float cn_grid_tile_size(const cn_world *world, cn_grid handle) {
    int slot = find_grid(world, handle, __func__);
    return slot < 0 ? 0 : cn_grid_at(&world->sim, slot)->size;
}

vec2s cn_grid_origin(const cn_world *world, cn_grid handle) {
    int slot = find_grid(world, handle, __func__);
    return slot < 0 ? cn_vec(0, 0) : cn_grid_at(&world->sim, slot)->origin;
}

// ---- single tiles

bool cn_grid_solid(const cn_world *world, cn_grid handle, int x, int y) {
    int slot = find_grid(world, handle, __func__);
    if (slot < 0 || !CN_CHECK(check_place(cn_grid_at(&world->sim, slot), x, y))) return false;
    return cn_tile_is_solid(cn_grid_at(&world->sim, slot), x, y);
}

cn_tile cn_grid_tile(const cn_world *world, cn_grid handle, int x, int y) {
    int slot = find_grid(world, handle, __func__);
    if (slot < 0 || !CN_CHECK(check_place(cn_grid_at(&world->sim, slot), x, y)))
        return (cn_tile){0};
    const cn_tile_grid *grid = cn_grid_at(&world->sim, slot);
    return cn_tile_of(grid, y * grid->width + x);
}

bool cn_grid_set_solid(cn_world *world, cn_grid handle, int x, int y, bool solid) {
    CN_RECORD(cn_grid_set_solid, world, handle, x, y, solid);
    int slot = cn_edit_grid(world, handle, __func__);
    if (slot < 0 || !CN_CHECK(check_place(cn_grid_at(&world->sim, slot), x, y))) return false;
    cn_tile_grid *grid = cn_grid_at(&world->sim, slot);
    cn_tile tile = cn_tile_of(grid, y * grid->width + x);
    tile.solid = solid;
    bool done = cn_set_tile(&world->sim, grid, x, y, tile);
    assert(done); // its traits stay the same, so it needs no memory
    return done;
}

bool cn_grid_set_tile(cn_world *world, cn_grid handle, int x, int y, cn_tile tile) {
    CN_RECORD(cn_grid_set_tile, world, handle, x, y, tile);
    int slot = cn_edit_grid(world, handle, __func__);
    if (slot < 0) return false;
    cn_tile_grid *grid = cn_grid_at(&world->sim, slot);
    return CN_CHECK(check_place(grid, x, y) && check_tile(tile, grid->material_count) &&
                    cn_set_tile(&world->sim, grid, x, y, tile));
}

// ---- materials

bool cn_grid_set_material(cn_world *world, cn_grid handle, int index, cn_material material) {
    CN_RECORD(cn_grid_set_material, world, handle, index, material);
    int slot = cn_edit_grid(world, handle, __func__);
    if (slot < 0) return false;
    int count = cn_grid_at(&world->sim, slot)->material_count;
    if (!CN_CHECK(check_material_index(index, count) && cn_require_material(material)))
        return false;
    cn_set_tile_material(&world->sim, slot, index, cn_apply_material_defaults(material));
    return true;
}

cn_material cn_grid_material(const cn_world *world, cn_grid handle, int index) {
    int slot = find_grid(world, handle, __func__);
    if (slot < 0) return (cn_material){0};
    const cn_tile_grid *grid = cn_grid_at(&world->sim, slot);
    if (!CN_CHECK(check_material_index(index, grid->material_count))) return (cn_material){0};
    return *cn_tile_material(grid, index);
}
