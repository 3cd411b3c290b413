/* What a tile is: its form, its material, and whether it is one-way.
 *
 *      3 --2-- 2        A square has corners 0..3 and sides 0..3; side i begins at corner i.
 *      |       |        A slope is a square without one corner. It has a longer edge in place
 *      3       1        of the two sides at this corner, and fills the other two sides of its
 *      |       |        square.
 *      0 --0-- 1
 *
 * A grid of squares of material 0 stores none of this. Other grids have a byte per tile, its traits
 * (rows.h). The four slopes of such a grid are in the hull pool, and all shapes of slopes refer to
 * them. The centre of a slope is the middle of its square, so its corners are exactly those of the
 * squares around it. */
#include "tiles.h"

// The corner that each form lacks, or -1.
static const int missing_corners[] = {
    [CN_TILE_SQUARE] = -1,     [CN_TILE_RISES_RIGHT] = 3, [CN_TILE_RISES_LEFT] = 2,
    [CN_TILE_HANGS_RIGHT] = 0, [CN_TILE_HANGS_LEFT] = 1,
};

const int cn_tile_step_x[4] = {0, 1, 0, -1}, cn_tile_step_y[4] = {-1, 0, 1, 0};

// ---- one tile

static uint8_t traits_of(cn_tile tile) {
    return (uint8_t)((int)tile.form | (tile.one_way ? CN_TILE_ONE_WAY : 0) |
                     tile.material << CN_TILE_MATERIAL);
}

cn_tile cn_tile_of(const cn_tile_grid *grid, int tile) {
    int traits = cn_tile_traits(grid, tile);
    return (cn_tile){.solid = grid->tiles[tile] != CN_TILE_EMPTY,
                     .form = (cn_tile_form)(traits & CN_TILE_FORM),
                     .material = (uint8_t)(traits >> CN_TILE_MATERIAL),
                     .one_way = traits & CN_TILE_ONE_WAY};
}

const cn_material *cn_tile_material(const cn_tile_grid *grid, int index) {
    return grid->materials ? &grid->materials[index] : &grid->shape.material;
}

cn_shape_def cn_tile_shape_def(const cn_tile_grid *grid, int tile) {
    cn_tile what = cn_tile_of(grid, tile);
    cn_shape_def def = grid->shape;
    def.material = *cn_tile_material(grid, what.material);
    if (!what.one_way) def.one_way = cn_vec(0, 0);
    return def;
}

bool cn_tile_fills_side(const cn_tile_grid *grid, int x, int y, int side) {
    if (!cn_tile_is_solid(grid, x, y)) return false;
    if (!grid->traits) return true;
    int missing = missing_corners[cn_tile_form_of(grid, y * grid->width + x)];
    return missing < 0 || (side != missing && (side + 1) % 4 != missing);
}

// ---- hulls

// Returns a square without one corner. Its last edge faces the missing corner.
static cn_hull remove_corner(const cn_hull *square, int corner) {
    cn_hull slope = {.count = 3};
    for (int i = 0; i < 3; i++) {
        slope.vertices[i] = square->vertices[(corner + 1 + i) % 4];
        slope.normals[i] = square->normals[(corner + 1 + i) % 4];
    }
    vec2s before = slope.normals[2], after = square->normals[corner];
    slope.normals[2] = glms_vec2_normalize(glms_vec2_add(before, after));
    return slope;
}

cn_hull cn_tile_form_hull(const cn_tile_grid *grid, cn_tile_form form, vec2s center) {
    float half = 0.5f * grid->size;
    cn_hull square = {.count = 4};
    for (int i = 0; i < 4; i++) {
        vec2s corner = cn_vec(i == 1 || i == 2 ? half : -half, i >= 2 ? half : -half);
        square.vertices[i] = glms_vec2_add(center, corner);
        square.normals[i] = cn_vec((float)cn_tile_step_x[i], (float)cn_tile_step_y[i]);
    }
    return form == CN_TILE_SQUARE ? square : remove_corner(&square, missing_corners[form]);
}

static vec2s middle_of(const cn_tile_grid *grid, int tile) {
    int x = tile % grid->width, y = tile / grid->width;
    vec2s middle = cn_vec(grid->size * ((float)x + 0.5f), grid->size * ((float)y + 0.5f));
    return glms_vec2_add(grid->origin, middle);
}

cn_hull cn_tile_hull(const cn_tile_grid *grid, int tile) {
    return cn_tile_form_hull(grid, cn_tile_form_of(grid, tile), middle_of(grid, tile));
}

cn_placed_hull cn_placed_slope(const cn_tile_grid *grid, cn_tile_form form, cn_pose pose) {
    return (cn_placed_hull){
        .pose = pose, .hull = grid->slopes[form - 1], .kind = 3 | CN_CLASS_HULL4 << 8};
}

cn_canonical_hull cn_canonical_tile(const cn_simulation *sim, const cn_tile_grid *grid, int tile) {
    cn_tile_form form = cn_tile_form_of(grid, tile);
    cn_hull hull = cn_tile_hull(grid, tile);
    if (form == CN_TILE_SQUARE) return cn_hull_canonical(&hull);
    cn_pose pose = {middle_of(grid, tile), {1, 0}};
    return (cn_canonical_hull){.placed = cn_placed_slope(grid, form, pose),
                               .hull8 = sim->hulls.hulls8[grid->slopes[form - 1]]};
}

// ---- traits

static size_t trait_bytes(const cn_tile_grid *grid) {
    return (size_t)grid->width * (size_t)grid->height;
}

// Adds the slopes to the hull pool. Returns how many it added: fewer than all if memory is short.
static int add_slopes(cn_simulation *sim, cn_tile_grid *grid) {
    int count = 0;
    for (; count < CN_TILE_SLOPES; count++) {
        cn_hull hull = cn_tile_form_hull(grid, (cn_tile_form)(count + 1), cn_vec(0, 0));
        cn_canonical_hull canonical = cn_polygon_about(&hull, cn_vec(0, 0));
        grid->slopes[count] = cn_hull_pool_add(&sim->hulls, &sim->memory, &canonical);
        if (grid->slopes[count] < 0) break;
    }
    return count;
}

static void remove_slopes(cn_simulation *sim, cn_tile_grid *grid, int count) {
    for (int i = 0; i < count; i++) cn_hull_pool_remove(&sim->hulls, grid->slopes[i]);
}

bool cn_add_traits(cn_simulation *sim, cn_tile_grid *grid) {
    int added = add_slopes(sim, grid);
    if (added == CN_TILE_SLOPES) grid->traits = cn_allocate(&sim->memory, trait_bytes(grid));
    if (!grid->traits) remove_slopes(sim, grid, added);
    return grid->traits;
}

void cn_remove_traits(cn_simulation *sim, cn_tile_grid *grid) {
    if (!grid->traits) return;
    cn_release(&sim->memory, grid->traits, trait_bytes(grid));
    grid->traits = NULL;
    remove_slopes(sim, grid, CN_TILE_SLOPES);
}

bool cn_store_traits(cn_simulation *sim, cn_tile_grid *grid, int tile, cn_tile what) {
    uint8_t traits = traits_of(what);
    if (!grid->traits && traits != 0 && !cn_add_traits(sim, grid)) return false;
    if (grid->traits) grid->traits[tile] = traits;
    return true;
}
