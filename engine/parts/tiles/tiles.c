/* Tile grids: ground from a bitmap.
 *
 *      . . . . . . . .        The number of a tile is 0 (empty), -1 (solid, without a shape) or
 *      . . [box] . . .        1 + the slot of its shape. Solid tiles near a moving body have one
 *      # # R R R # # #        (R). Tile shapes are ordinary static boxes and triangles, so
 *      # # # # # # # #        contacts, events and sleep know nothing of grids.
 *
 * A million plain tiles take four million bytes. A tile gets a shape when its fat box overlaps the
 * fat box of a sensor, or the fat box of a dynamic shape extended along the motion of the step.
 * Shapes that collide with nothing do not count.
 * Only exposed tiles get shapes: a solid tile is exposed unless its neighbours cover its whole
 * outline. Every IDLE_STEPS steps the shapes of tiles with no such box near them are destroyed. An
 * impact within a step may send a body to tiles that have no shape. So continuous collision reads
 * the bitmap itself (core/dynamics/step/sweep_pair.c).
 *
 * The contact of a body with a tile does not depend on which other tiles have shapes: the
 * neighbours that its surface needs (ground.c) are read from the bitmap. What each tile is, apart
 * from solid, is in tile_forms.c. The user's calls are in tile_calls.c. */
#include "tiles.h"

enum { IDLE_STEPS = 64 }; // steps from one removal of idle tile shapes to the next

// ---- the bitmap

bool cn_tile_is_solid(const cn_tile_grid *grid, int x, int y) {
    return x >= 0 && x < grid->width && y >= 0 && y < grid->height &&
           grid->tiles[y * grid->width + x] != CN_TILE_EMPTY;
}

static bool has_solid_neighbours(const cn_tile_grid *grid, int x, int y) {
    return cn_tile_is_solid(grid, x - 1, y) && cn_tile_is_solid(grid, x + 1, y) &&
           cn_tile_is_solid(grid, x, y - 1) && cn_tile_is_solid(grid, x, y + 1);
}

// True if the neighbour at a side of a tile covers this side. A one-way tile covers only one-way
// tiles.
static bool is_covered_at(const cn_tile_grid *grid, int x, int y, int side) {
    int u = x + cn_tile_step_x[side], v = y + cn_tile_step_y[side];
    if (!cn_tile_fills_side(grid, u, v, (side + 2) % 4)) return false;
    int own = cn_tile_traits(grid, y * grid->width + x);
    return own & CN_TILE_ONE_WAY || !(cn_tile_traits(grid, v * grid->width + u) & CN_TILE_ONE_WAY);
}

// True if the tile is a square whose neighbours cover all four sides.
static bool is_enclosed(const cn_tile_grid *grid, int x, int y) {
    if (!has_solid_neighbours(grid, x, y) || !grid->traits) return has_solid_neighbours(grid, x, y);
    bool enclosed = cn_tile_form_of(grid, y * grid->width + x) == CN_TILE_SQUARE;
    for (int side = 0; side < 4; side++) enclosed = enclosed && is_covered_at(grid, x, y, side);
    return enclosed;
}

// ---- where tiles are

// Returns the index of the tile that contains a coordinate, or -1 or `count` outside the grid.
static int find_tile_index(float coordinate, float size, int count) {
    return (int)cn_clamp(coordinate / size + 1, 0, (float)count + 1) - 1;
}

// Returns the tiles whose fat boxes a box in the world may overlap.
static cn_tile_range tiles_near(const cn_simulation *sim, const cn_tile_grid *grid, cn_bounds box) {
    cn_pose pose = cn_origin_pose(sim, grid->body);
    float c = cn_abs(pose.rotation.c), s = cn_abs(pose.rotation.s), size = grid->size;
    vec2s half = glms_vec2_scale(glms_vec2_sub(box.upper, box.lower), 0.5f);
    vec2s local = cn_to_local(pose, glms_vec2_add(box.lower, half));
    vec2s center = glms_vec2_sub(local, grid->origin);
    float x = c * half.x + s * half.y + sim->tuning.box_margin;
    float y = s * half.x + c * half.y + sim->tuning.box_margin;
    return (cn_tile_range){
        cn_max_int(find_tile_index(center.x - x, size, grid->width), 0),
        cn_min_int(find_tile_index(center.x + x, size, grid->width), grid->width - 1),
        cn_max_int(find_tile_index(center.y - y, size, grid->height), 0),
        cn_min_int(find_tile_index(center.y + y, size, grid->height), grid->height - 1)};
}

// True if the box of the grid is so far away that tiles_near() finds none.
static bool is_far(const cn_simulation *sim, int index, cn_bounds box) {
    const cn_tree *tree = cn_grid_tree(sim);
    if (!cn_tree_has(tree, index)) return false;
    float size = box.upper.x - box.lower.x + box.upper.y - box.lower.y;
    box = cn_box_grown(box, size + 2 * sim->tuning.box_margin);
    return !cn_boxes_overlap(cn_tree_box(tree, index), box);
}

int cn_next_missing_tile(const cn_simulation *sim, int index, cn_bounds box, int last) {
    const cn_tile_grid *grid = cn_grid_at(sim, index);
    if (!grid->tiles || !grid->enabled || (last < 0 && is_far(sim, index, box))) return -1;
    cn_tile_range range = tiles_near(sim, grid, box);
    int x = last < 0 ? range.from_x : last % grid->width + 1;
    for (int y = last < 0 ? range.from_y : last / grid->width; y <= range.to_y; y++) {
        for (; x <= range.to_x; x++)
            if (grid->tiles[y * grid->width + x] == CN_TILE_SOLID && !is_enclosed(grid, x, y))
                return y * grid->width + x;
        x = range.from_x;
    }
    return -1;
}

// ---- changes

static cn_tile_range all_tiles(const cn_tile_grid *grid) {
    return (cn_tile_range){0, grid->width - 1, 0, grid->height - 1};
}

// Returns the box of a range of tiles in the world, with the body at its stored pose, grown by the
// margins of tiles and bodies.
static cn_bounds range_bounds(const cn_simulation *sim, const cn_tile_grid *grid,
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
    cn_bounds box = range_bounds(sim, grid, range);
    cn_wake_bounds(sim, box);
    cn_tree_refit(&sim->moving_tree);
    cn_tree_refit(&sim->static_tree);
    CN_EACH_OVER(shape, &sim->moving_tree, box) cn_tree_mark_moved(&sim->moving_tree, shape);
    CN_EACH_OVER(shape, &sim->static_tree, box) {
        if (sim->shapes[shape].flags & CN_SHAPE_SENSOR)
            cn_tree_mark_moved(&sim->static_tree, shape);
    }
}

// Stores the present pose of the grid's body.
void cn_store_grid_pose(cn_simulation *sim, cn_tile_grid *grid) {
    grid->pose = cn_origin_pose(sim, grid->body);
    grid->enabled = !!(sim->hot[grid->body].flags & CN_BODY_ENABLED);
    wake_range(sim, grid, all_tiles(grid));
}

void cn_release_grid(cn_simulation *sim, cn_tile_grid *grid) {
    cn_remove_traits(sim, grid);
    cn_release(&sim->memory, grid->materials, cn_material_bytes(grid));
    cn_release(&sim->memory, grid->tiles, cn_grid_bytes(grid));
    grid->materials = NULL, grid->tiles = NULL;
}

// The tiles of the grid must not have shapes.
static void remove_grid(cn_simulation *sim, int slot) {
    cn_unlink_grid(sim, slot);
    cn_release_grid(sim, cn_grid_at(sim, slot));
    cn_retire_slot(sim, CN_GRIDS, slot);
}

int cn_lowest_grid(const cn_simulation *sim, int body) {
    int first = -1;
    CN_EACH_GRID_OF(i, sim, body) first = first < 0 ? i : cn_min_int(first, i);
    return first;
}

void cn_remove_grids(cn_simulation *sim, int body) {
    if (!cn_tiles_of(sim)) return;
    int count = cn_list_grids(sim, body);
    for (int i = 0; i < count; i++) remove_grid(sim, cn_tiles_of(sim)->list[i]);
}

void cn_destroy_grid(cn_simulation *sim, int index) {
    cn_tile_grid *grid = cn_grid_at(sim, index);
    wake_range(sim, grid, all_tiles(grid));
    while (grid->first_shape >= 0) cn_destroy_shape(sim, grid->first_shape);
    remove_grid(sim, index);
}

static void forget_surfaces(cn_simulation *sim, const cn_tile_grid *grid, cn_tile_range range) {
    for (int y = range.from_y; y <= range.to_y; y++)
        for (int x = range.from_x; x <= range.to_x; x++)
            if (grid->tiles[y * grid->width + x] > 0)
                cn_forget_own_surface(sim, grid->tiles[y * grid->width + x] - 1);
}

static void change_material(cn_simulation *sim, int shape, cn_material material) {
    cn_store_material(sim, shape, material);
    cn_remake_contacts(sim, shape);
}

// A tile with another material keeps its shape, and so its contacts.
bool cn_set_tile(cn_simulation *sim, cn_tile_grid *grid, int x, int y, cn_tile tile) {
    int index = y * grid->width + x;
    int32_t *value = &grid->tiles[index];
    const cn_tile_range around = {cn_max_int(x - 1, 0), cn_min_int(x + 1, grid->width - 1),
                                  cn_max_int(y - 1, 0), cn_min_int(y + 1, grid->height - 1)};
    cn_tile before = cn_tile_of(grid, index);
    bool same_hull = before.solid == tile.solid && before.form == tile.form;
    if (!cn_store_traits(sim, grid, index, tile)) return false;
    if (!before.solid && !tile.solid) return true;
    if (same_hull && before.one_way == tile.one_way) {
        if (before.material != tile.material && *value > 0)
            change_material(sim, *value - 1, *cn_tile_material(grid, tile.material));
        return true;
    }
    wake_range(sim, grid, around);
    if (*value > 0) cn_destroy_shape(sim, *value - 1);
    *value = tile.solid ? CN_TILE_SOLID : CN_TILE_EMPTY;
    forget_surfaces(sim, grid, around); // they change too
    return true;
}

void cn_set_tile_material(cn_simulation *sim, int index, int material_index, cn_material material) {
    cn_tile_grid *grid = cn_grid_at(sim, index);
    *(grid->materials ? &grid->materials[material_index] : &grid->shape.material) = material;
    for (int i = grid->first_shape; i >= 0; i = sim->rare[i].next) {
        cn_tile tile = cn_tile_of(grid, cn_rare_of(sim, i)->terrain.piece);
        if (tile.material == material_index) change_material(sim, i, material);
    }
}

void cn_update_grids(cn_simulation *sim, int body) {
    cn_pose pose = cn_origin_pose(sim, body);
    int enabled = !!(sim->hot[body].flags & CN_BODY_ENABLED);
    CN_EACH_GRID_OF(i, sim, body) {
        cn_tile_grid *grid = cn_grid_at(sim, i);
        if (enabled == grid->enabled && cn_is_same_pose(pose, grid->pose)) continue;
        cn_place_grid(sim, i);
        wake_range(sim, grid, all_tiles(grid)); // where it was
        cn_store_grid_pose(sim, grid);
    }
}

// ---- before and after a step

// True for a tile whose box overlaps no box of a moving shape or sensor that can touch it.
static bool is_idle_tile(const cn_simulation *sim, int shape) {
    if (!cn_tree_has(&sim->static_tree, shape)) return true;
    cn_bounds box = cn_tree_box(&sim->static_tree, shape);
    const uint32_t none = CN_SHAPE_NO_COLLISION, sensor = CN_SHAPE_SENSOR;
    CN_EACH_OVER(other, &sim->static_tree, box) {
        if ((sim->shapes[other].flags & (sensor | none)) == sensor) return false;
    }
    CN_EACH_OVER(other, &sim->moving_tree, box) {
        if (!(sim->shapes[other].flags & none)) return false;
    }
    return true;
}

void cn_remove_idle_tiles(cn_simulation *sim) {
    if (sim->terrain_shape_count == 0 || (sim->steps + 1) % IDLE_STEPS != 0) return;
    cn_tree_refit(&sim->moving_tree);
    CN_EACH(CN_GRIDS, i, sim) {
        for (int shape = cn_grid_at(sim, i)->first_shape, next; shape >= 0; shape = next) {
            next = sim->rare[shape].next;
            if (is_idle_tile(sim, shape)) cn_destroy_shape(sim, shape);
        }
    }
}

static bool create_tile_shape(cn_simulation *sim, int index, int tile) {
    cn_tile_grid *grid = cn_grid_at(sim, index);
    cn_shape_def def = cn_tile_shape_def(grid, tile);
    cn_canonical_hull hull = cn_canonical_tile(sim, grid, tile);
    int shape = cn_add_canonical_shape(sim, grid->body, &def, &hull);
    if (shape < 0) return false;
    cn_make_rare(sim, shape)->terrain = (cn_terrain_name){index, tile};
    grid->tiles[tile] = shape + 1;
    sim->terrain_shape_count++;
    cn_link_tile(sim, shape);
    cn_add_proxy(sim, shape);
    return true;
}

// Creates the missing shapes of a grid near a box.
static bool complete_grid(cn_simulation *sim, int grid, cn_bounds box) {
    for (int tile = -1; (tile = cn_next_missing_tile(sim, grid, box, tile)) >= 0;)
        if (!create_tile_shape(sim, grid, tile)) return false;
    return true;
}

static bool complete_grids(cn_simulation *sim, cn_bounds box) {
    CN_EACH_GRID(i, cn_grids_to_complete, sim, box) {
        if (!complete_grid(sim, i, box)) return false;
    }
    return true;
}

// Only dynamic shapes and sensors need tile shapes, unless they have CN_SHAPE_NO_COLLISION.
static bool create_tiles_near(cn_simulation *sim, int shape) {
    int body = sim->links[shape].body, only = cn_only_grid(sim);
    const uint32_t flags = sim->shapes[shape].flags;
    if ((!cn_is_dynamic(&sim->hot[body]) && !(flags & CN_SHAPE_SENSOR)) ||
        flags & CN_SHAPE_NO_COLLISION)
        return true;
    cn_bounds box = cn_tree_box(cn_tree_of(sim, body), shape);
    box = cn_box_extended(box, cn_motion_bounds(sim, body));
    return only < 0 ? complete_grids(sim, box) : complete_grid(sim, only, box);
}

bool cn_create_tile_shapes(cn_simulation *sim) {
    if (sim->slots[CN_GRIDS].count == 0) return true;
    if (!cn_update_boxes(sim, cn_grid_tree(sim))) return false;
    int end = sim->slots[CN_SHAPES].end;
    size_t bytes = ((size_t)end / 64 + 1) * sizeof(uint64_t);
    uint64_t *moved = cn_scratch(sim, bytes);
    if (!moved) return false;
    memset(moved, 0, bytes);
    cn_tree_list_moved(&sim->moving_tree, moved);
    cn_tree_list_moved(&sim->static_tree, moved);
    CN_EACH_BIT(shape, moved, end) {
        if (!create_tiles_near(sim, shape)) return false;
    }
    return true;
}
