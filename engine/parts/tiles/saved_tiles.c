/* Grids of tiles. Their rows belong to the moving part, their contents to the scenery. */
#include "../snapshot/walk.h"
#include "tiles.h"

// Scenery is read before the slots of its grids, so a grid with contents counts, with or without a
// slot.
bool cn_has_tiles(const cn_simulation *sim, bool in_scenery) {
    const cn_tile_state *tiles = cn_tiles_of(sim);
    if (!in_scenery) return sim->slots[CN_GRIDS].end > 0;
    for (int i = 0; tiles && i < tiles->capacity; i++)
        if (tiles->grids[i].tiles) return true;
    return false;
}

static void walk_rows(cn_walk *w, int first, int count) {
    cn_walk_slots(w, CN_GRIDS, first, count);
    size_t words = (offsetof(cn_tile_grid, enabled) + sizeof(int32_t)) / sizeof(int32_t);
    for (int i = first; i < first + count; i++) {
        cn_tile_grid *grid = cn_grid_at(w->sim, i);
        int width = grid->width, height = grid->height; // as in the scenery
        cn_archive_words(w->archive, grid, words);
        bool differs = grid->tiles && (width != grid->width || height != grid->height);
        if (cn_is_reading(w) && differs) w->archive->failed = true;
    }
}

static void walk_mix(cn_archive *a, cn_mix *mix) {
    int number = (int)*mix;
    cn_archive_int(a, &number);
    if (a->use == CN_ARCHIVE_READ) *mix = (cn_mix)number;
}

static void walk_material(cn_archive *a, cn_material *m) {
    cn_archive_words(a, &m->friction, 1);
    cn_archive_words(a, &m->restitution, 1);
    cn_archive_bool(a, &m->frictionless);
    cn_archive_words(a, &m->rolling_resistance, 1);
    cn_archive_words(a, &m->surface_speed, 1);
    cn_archive_words(a, &m->min_bounce_speed, 1);
    walk_mix(a, &m->friction_mix);
    walk_mix(a, &m->restitution_mix);
}

// Three flags in a word.
static void walk_flags(cn_archive *a, cn_shape_def *def) {
    int flags = def->no_touch_events | def->custom_filter << 1 | def->pre_solve << 2;
    cn_archive_int(a, &flags);
    if (a->use != CN_ARCHIVE_READ) return;
    def->no_touch_events = flags & 1;
    def->custom_filter = flags & 2;
    def->pre_solve = flags & 4;
}

// Walks through the definition from which the shapes of tiles are made.
static void walk_tile_def(cn_archive *a, cn_shape_def *def) {
    cn_archive_words(a, &def->density, 1);
    walk_material(a, &def->material);
    cn_walk_filter(a, &def->filter);
    cn_archive_bool(a, &def->hit_events);
    walk_flags(a, def);
    cn_archive_words(a, &def->one_way, 2);
    cn_archive_longs(a, &def->user_data, 1);
}

// A byte per tile: 0 is empty, 1 solid.
static void walk_solid(cn_archive *a, cn_tile_grid *grid) {
    enum { CHUNK = 1024 };
    int tiles = grid->width * grid->height;
    for (int done = 0; done < tiles; done += CHUNK) {
        uint8_t chunk[CHUNK];
        int n = cn_min_int(tiles - done, CHUNK);
        for (int i = 0; i < n; i++) chunk[i] = grid->tiles[done + i] != CN_TILE_EMPTY;
        cn_archive_bytes(a, chunk, (size_t)n);
        for (int i = 0; i < n && a->use == CN_ARCHIVE_READ; i++)
            grid->tiles[done + i] = chunk[i] ? CN_TILE_SOLID : CN_TILE_EMPTY;
    }
}

// The numbers that determine how much memory a grid needs.
typedef struct {
    int width, height, material_count;
    bool has_materials, has_traits;
} grid_size;

static grid_size walk_grid_size(cn_walk *w, const cn_tile_grid *grid) {
    cn_archive *a = w->archive;
    grid_size size;
    size.width = cn_archive_count(a, grid->width, INT32_MAX);
    size.height = cn_archive_count(a, grid->height, INT32_MAX);
    size.material_count = cn_archive_count(a, grid->material_count, CN_MAX_TILE_MATERIALS);
    size.has_materials = cn_archive_count(a, grid->materials != NULL, 1);
    size.has_traits = cn_archive_count(a, grid->traits && !w->compares, 1);
    size_t left = cn_archive_reads(a) ? a->size - a->at : INT32_MAX;
    if (size.width == 0 || size.height == 0 || (size_t)size.width > left / (size_t)size.height)
        a->failed = true;
    return size;
}

// The grid has no memory yet, because scenery is only read into a world without grids.
static void allocate_grid(cn_walk *w, cn_tile_grid *grid, grid_size size) {
    cn_memory *memory = &w->sim->memory;
    grid->width = size.width, grid->height = size.height;
    grid->material_count = size.material_count;
    grid->tiles = cn_allocate(memory, cn_grid_bytes(grid));
    if (size.has_materials) grid->materials = cn_allocate(memory, cn_material_bytes(grid));
    cn_need(w, grid->tiles && (!size.has_materials || grid->materials));
}

static size_t material_bytes(void) {
    cn_archive counter = {.use = CN_ARCHIVE_WRITE};
    cn_material material = {0};
    walk_material(&counter, &material);
    return counter.at;
}

// A tile with traits of 0 is equal to a tile without traits.
static void compare_traits(cn_walk *w, const cn_tile_grid *grid) {
    for (int i = 0; grid->traits && i < grid->width * grid->height; i++) {
        if (grid->traits[i] == 0) continue;
        cn_archive_count(w->archive, i, INT32_MAX);
        cn_archive_count(w->archive, grid->traits[i], UINT8_MAX);
    }
}

static void walk_grid_contents(cn_walk *w, cn_tile_grid *grid) {
    cn_archive *a = w->archive;
    grid_size size = walk_grid_size(w, grid);
    size_t materials = size.has_materials ? (size_t)size.material_count : 0;
    size_t tiles = (size_t)size.width * (size_t)size.height;
    if (cn_is_reading(w) && !a->failed) allocate_grid(w, grid, size);
    if (a->failed) return;
    cn_archive_words(a, &grid->size, 1);
    cn_shape_def compared = grid->shape;
    compared.user_data = 0;
    walk_tile_def(a, w->compares ? &compared : &grid->shape);
    if (cn_is_checking(w)) {
        cn_archive_skip(a, materials * material_bytes() + tiles * (size.has_traits ? 2 : 1));
        return;
    }
    for (size_t i = 0; i < materials; i++) walk_material(a, &grid->materials[i]);
    walk_solid(a, grid);
    if (w->compares) compare_traits(w, grid);
    if (cn_is_reading(w) && size.has_traits) cn_need(w, cn_add_traits(w->sim, grid));
    if (size.has_traits && !a->failed) cn_archive_bytes(a, grid->traits, tiles);
}

static void walk_contents(cn_walk *w) {
    cn_simulation *sim = w->sim;
    const cn_tile_state *tiles = cn_tiles_of(sim);
    cn_archive *a = w->archive;
    if (!cn_archive_reads(a)) {
        for (int i = 0; i < tiles->capacity; i++) {
            if (!cn_grid_at(sim, i)->tiles) continue;
            cn_archive_count(a, 1 + i, CN_MAX_SLOTS);
            walk_grid_contents(w, cn_grid_at(sim, i));
        }
        cn_archive_count(a, 0, 0);
        return;
    }
    for (int i; (i = cn_archive_count(a, 0, a->most_slots) - 1) >= 0 && !a->failed;) {
        cn_need(w, cn_resize_slots(sim, CN_GRIDS, i + 1, true) && cn_reserve_tiles(sim));
        if (!a->failed && cn_grid_at(sim, i)->tiles) a->failed = true; // twice
        if (!a->failed) walk_grid_contents(w, cn_grid_at(sim, i));
    }
}

static void walk_grids(cn_walk *w) {
    int end_before = w->sim->slots[CN_GRIDS].end;
    cn_begin_kind(w, CN_GRIDS);
    if (cn_is_checking(w)) cn_need(w, cn_reserve_grid_boxes(w->sim, w->end));
    if (cn_is_reading(w)) cn_forget_grids(w->sim, w->end, end_before);
    cn_walk_runs(w, CN_GRIDS, walk_rows);
}

void cn_walk_tiles(cn_walk *w, cn_saved_place place) {
    if (place == CN_SAVED_OBJECTS) walk_grids(w);
    if (place == CN_SAVED_SCENERY) walk_contents(w);
}

void cn_walk_whole_grids(cn_walk *w, int first, int count) {
    walk_rows(w, first, count);
    for (int i = first; i < first + count; i++)
        if (cn_grid_at(w->sim, i)->tiles) walk_grid_contents(w, cn_grid_at(w->sim, i));
}

// ---- checks

static bool is_sound_tile(const cn_tile_grid *grid, int tile) {
    cn_tile what = cn_tile_of(grid, tile);
    return (int)what.form <= CN_TILE_SLOPES && what.material < grid->material_count;
}

static bool check_contents(const cn_tile_grid *grid, int slot) {
    const cn_shape_def *shape = &grid->shape;
    for (int i = 0; i < (grid->materials ? grid->material_count : 1); i++)
        if (!cn_sound(cn_require_material(*cn_tile_material(grid, i)), "material of grid", slot))
            return false;
    for (int i = 0; grid->traits && i < grid->width * grid->height; i++)
        if (!cn_sound(is_sound_tile(grid, i), "tile in grid", slot)) return false;
    return cn_sound(CN_IS_FINITE(shape->one_way) && shape->density >= 0 &&
                        shape->density <= FLT_MAX,
                    "definition of the tiles of grid", slot);
}

static bool is_sound_grid(const cn_simulation *sim, const cn_tile_grid *grid) {
    return grid->tiles && cn_is_in(sim, CN_BODIES, grid->body) &&
           !(sim->hot[grid->body].flags & CN_BODY_MOVES) && grid->size > 0 &&
           grid->size <= CN_MAX_COORDINATE && CN_IS_FINITE(grid->origin) &&
           CN_IS_FINITE(grid->pose) && (grid->enabled == 0 || grid->enabled == 1) &&
           grid->material_count >= 1 && (grid->materials || grid->material_count == 1);
}

// Events also read the tiles of destroyed shapes. The part snapshot has checked that the grid is a
// slot of the state.
static bool is_sound_name(const cn_simulation *sim, int shape) {
    cn_terrain_name name = cn_rare_of(sim, shape)->terrain;
    if (!cn_is_alive(sim, CN_SHAPES, shape)) return name.piece >= 0;
    const cn_tile_grid *grid = cn_grid_at(sim, name.owner);
    return cn_is_alive(sim, CN_GRIDS, name.owner) && grid->body == sim->links[shape].body &&
           name.piece >= 0 && name.piece < grid->width * grid->height;
}

// Checks that each tile has at most one shape.
static bool check_tile_shapes(cn_simulation *sim) {
    for (int i = 0; i < sim->slots[CN_SHAPES].end; i++)
        if (!cn_sound(!cn_is_terrain(sim, i) || is_sound_name(sim, i), "tile of shape", i))
            return false;
    cn_find_tile_shapes(sim);
    CN_EACH(CN_SHAPES, i, sim) {
        if (!cn_is_terrain(sim, i)) continue;
        cn_terrain_name name = cn_rare_of(sim, i)->terrain;
        if (!cn_sound(cn_grid_at(sim, name.owner)->tiles[name.piece] == 1 + i, "tile of shape", i))
            return false;
    }
    return true;
}

bool cn_check_tiles(cn_simulation *sim) {
    const cn_tile_state *tiles = cn_tiles_of(sim);
    for (int i = 0; tiles && i < tiles->capacity; i++) {
        const cn_tile_grid *grid = cn_grid_at(sim, i);
        bool alive = i < sim->slots[CN_GRIDS].end && cn_is_alive(sim, CN_GRIDS, i);
        if (!cn_sound(alive ? is_sound_grid(sim, grid) : !grid->tiles, "grid of tiles", i) ||
            (alive && !check_contents(grid, i)))
            return false;
    }
    return check_tile_shapes(sim);
}
