/* What happens to grids of tiles when something happens in the core. */
#include "tiles.h"

// ---- memory

bool cn_reserve_tiles(cn_simulation *sim) {
    if (!cn_reserve_part_state(sim, &cn_tiles_part) || !cn_reserve_rare(sim)) return false;
    cn_tile_state *tiles = cn_tiles_of(sim);
    int slots = sim->slots[CN_GRIDS].capacity, bodies = tiles->body_capacity;
    if (!cn_fit(&sim->memory, &tiles->grids, &tiles->capacity, slots) ||
        !cn_fit(&sim->memory, &tiles->list, &tiles->list_capacity, slots) ||
        !cn_fit(&sim->memory, &tiles->first_grid, &tiles->body_capacity,
                sim->slots[CN_BODIES].capacity))
        return false;
    for (int i = bodies; i < tiles->body_capacity; i++) tiles->first_grid[i] = -1;
    sim->terrain = &cn_tile_terrain;
    return true;
}

void cn_forget_grids(cn_simulation *sim, int end, int end_before) {
    cn_tile_state *tiles = cn_tiles_of(sim);
    int last = tiles ? cn_min_int(end_before, tiles->capacity) : 0;
    if (end < last) memset(tiles->grids + end, 0, (size_t)(last - end) * sizeof *tiles->grids);
}

// ---- terrain

static bool has_piece(const cn_simulation *sim, cn_bounds box) {
    int only = cn_only_grid(sim);
    if (only >= 0) return cn_next_missing_tile(sim, only, box, -1) >= 0;
    CN_EACH_GRID(i, cn_grids_to_complete, sim, box) {
        if (cn_next_missing_tile(sim, i, box, -1) >= 0) return true;
    }
    return false;
}

static void visit_pieces(const cn_simulation *sim, cn_bounds box, cn_terrain_visitor *visit,
                         void *context) {
    CN_EACH_GRID(i, cn_grids_to_complete, sim, box) {
        const cn_tile_grid *grid = cn_grid_at(sim, i);
        for (int tile = -1; (tile = cn_next_missing_tile(sim, i, box, tile)) >= 0;) {
            bool one_way = cn_tile_traits(grid, tile) & CN_TILE_ONE_WAY;
            const cn_terrain_piece piece = {.body = grid->body,
                                            .hull = cn_tile_hull(grid, tile),
                                            .one_way = one_way ? grid->shape.one_way : cn_vec(0, 0),
                                            .filter = &grid->shape.filter};
            visit(context, &piece);
        }
    }
}

// Visits the hulls of the solid tiles among the eight around this one. The hull of each is made at
// the place of this tile, then moved to its own.
static void visit_neighbours(const cn_simulation *sim, int shape, cn_hull_visitor *visit,
                             void *context) {
    cn_terrain_name name = cn_rare_of(sim, shape)->terrain;
    const cn_tile_grid *grid = cn_grid_at(sim, name.owner);
    vec2s center = sim->shapes[shape].pose.position;
    for (int i = 0; i < 9; i++) {
        int x = name.piece % grid->width + i % 3 - 1, y = name.piece / grid->width + i / 3 - 1;
        if (i == 4 || !cn_tile_is_solid(grid, x, y)) continue;
        int tile = y * grid->width + x;
        bool one_way = cn_tile_traits(grid, tile) & CN_TILE_ONE_WAY;
        if (one_way && !cn_is_one_way(sim, shape)) continue;
        cn_hull moved = cn_tile_form_hull(grid, cn_tile_form_of(grid, tile), center);
        vec2s offset = cn_vec(grid->size * (float)(i % 3 - 1), grid->size * (float)(i / 3 - 1));
        for (int k = 0; k < moved.count; k++)
            moved.vertices[k] = glms_vec2_add(moved.vertices[k], offset);
        visit(context, &moved);
    }
}

static bool has_flag(const cn_simulation *sim, uint32_t flag) {
    CN_EACH(CN_GRIDS, i, sim) {
        const cn_shape_def *def = &cn_grid_at(sim, i)->shape;
        if (flag == CN_SHAPE_PRE_SOLVE ? def->pre_solve : def->custom_filter) return true;
    }
    return false;
}

const cn_terrain cn_tile_terrain = {.has_piece = has_piece,
                                    .visit_pieces = visit_pieces,
                                    .visit_neighbours = visit_neighbours,
                                    .has_flag = has_flag};

// ---- shapes and bodies

// The shape keeps the name of its tile, because events read it.
static void shape_destroyed(cn_simulation *sim, int shape) {
    if (!cn_is_terrain(sim, shape)) return;
    cn_terrain_name name = cn_rare_of(sim, shape)->terrain;
    cn_grid_at(sim, name.owner)->tiles[name.piece] = CN_TILE_SOLID;
    sim->terrain_shape_count--;
    cn_unlink_tile(sim, shape);
}

static bool prepare_body(cn_simulation *sim, int body) {
    return cn_reserve_grid_boxes(sim, cn_count_grids(sim, body));
}

static bool check_moving(const cn_simulation *sim, int body) {
    int grid = cn_lowest_grid(sim, body);
    return grid < 0 ||
           cn_fail(CN_ERROR_STATE,
                   "body %d must stay static while it has grid of tiles %d: destroy the grid first",
                   body, grid);
}

// ---- the origin

static void shift(cn_simulation *sim, vec2s by) {
    CN_EACH(CN_GRIDS, i, sim) {
        cn_tile_grid *grid = cn_grid_at(sim, i);
        cn_body_hot *hot = &sim->hot[grid->body], kept = *hot;
        cn_pose before = cn_origin_pose(sim, grid->body);
        *hot = cn_shifted_body(hot, by);
        cn_shift_pose(&grid->pose, before, cn_origin_pose(sim, grid->body), by);
        *hot = kept;
    }
}

static void shifted(cn_simulation *sim) {
    CN_EACH(CN_GRIDS, i, sim) cn_place_grid(sim, i);
}

// ---- saves

// Removes the shapes from the grids, whose contents are then as in the scenery.
static void forget_shapes(cn_simulation *sim) {
    if (!sim->slots[CN_GRIDS].count) return;
    CN_EACH(CN_SHAPES, i, sim) {
        if (!cn_is_terrain(sim, i)) continue;
        cn_terrain_name name = sim->rare[i].terrain;
        cn_grid_at(sim, name.owner)->tiles[name.piece] = CN_TILE_SOLID;
    }
}

// If the state to read has no slots of grids, its scenery has no grids either.
static void begin_reading(cn_simulation *sim, bool is_used) {
    forget_shapes(sim);
    if (is_used) return;
    cn_forget_grids(sim, 0, sim->slots[CN_GRIDS].end);
    cn_clear_slots(sim, CN_GRIDS);
}

static void clear_scenery(const cn_simulation *sim, uint64_t *bodies) {
    CN_EACH(CN_GRIDS, i, sim) cn_clear_bit(bodies, cn_grid_at(sim, i)->body);
}

const cn_part_hooks cn_tiles_part = {
    .id = CN_TILES,
    .state_size = sizeof(cn_tile_state),
    .shape_destroyed = shape_destroyed,
    .prepare_body = prepare_body,
    .body_placed = cn_update_grids,
    .body_destroyed = cn_remove_grids,
    .add_bounds = cn_add_grid_bounds,
    .check_moving = check_moving,
    .shift = shift,
    .shifted = shifted,
#if CN_HAS_SNAPSHOT
    .is_used = cn_has_tiles,
    .walk = cn_walk_tiles,
    .check = cn_check_tiles,
    .walk_objects = cn_walk_whole_grids,
#endif
    .begin_reading = begin_reading,
    .state_read = cn_find_grid_links,
    .clear_scenery = clear_scenery,
};
