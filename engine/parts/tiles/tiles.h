/* tiles: grids of tiles as ground.
 *
 *   tile_forms.c    what a tile is: its form and hull, its material, whether it is one-way
 *   tiles.c         which tiles are solid, where they are, which have shapes
 *   grid_tree.c     which grids are near a box, the grids of a body, the shapes of a grid
 *   tile_calls.c    the calls of the user
 *   tile_hooks.c    what happens to grids when something happens in the core
 *   query_tiles.c   queries of grids (with the part queries)
 *   saved_tiles.c   grids in a save (with the part snapshot)
 *   draw_tiles.c    draws grids (with the part drawing)
 */
#ifndef CN_TILES_H
#define CN_TILES_H

#include "../../core/world/world.h"
#include "../parts.h"

// ---- data

// Values of a tile. A greater value is 1 + the tile's shape: such a tile is solid, too.
enum { CN_TILE_EMPTY = 0, CN_TILE_SOLID = -1 };

// The traits of a tile, solid or not: a byte.
enum {
    CN_TILE_FORM = 7, // mask of a cn_tile_form
    CN_TILE_ONE_WAY = 1 << 3,
    CN_TILE_MATERIAL = 4, // shift of 4 bits: index of the material
};
enum { CN_TILE_SLOPES = 4 }; // the forms after CN_TILE_SQUARE

typedef struct {
    int32_t body;
    int32_t width, height; // in tiles
    float size;            // side of a tile
    vec2s origin;          // lower left corner, in the body's frame
    cn_pose pose;          // of the body's origin
    int32_t enabled;       // bool: of the body
    int32_t *tiles;        // by y * width + x; NULL: the slot has no grid
    cn_shape_def shape; // what the shape of a tile is made from, with the direction of one-way ones
    uint8_t *traits;    // parallel to `tiles`; NULL: all tiles are squares of material 0
    int32_t slopes[CN_TILE_SLOPES]; // with traits: entries of the hull pool, by form - 1
    cn_material *materials;         // NULL: the only one is that of `shape`
    int32_t material_count;         // at least 1
    // These follow from the rest.
    int32_t next, previous;          // in the list of the body's grids, in any order
    int32_t first_shape, last_shape; // of its tiles, in the order of the body's list
} cn_tile_grid;

// Tiles from..to in both directions, ends included. The range is empty if from > to.
typedef struct {
    int from_x, to_x, from_y, to_y;
} cn_tile_range;

// The grids of a simulation. Rows by slot.
typedef struct {
    cn_tile_grid *grids;
    int capacity; // rows of `grids`
    int *list;    // scratch: room for a list of grids
    int list_capacity;
    int *first_grid;   // by body: the head of its list of grids; -1: it has none
    int body_capacity; // of `first_grid`
    cn_tree tree;      // boxes of the grids of enabled bodies
} cn_tile_state;

extern const cn_part_hooks cn_tiles_part;
extern const cn_terrain cn_tile_terrain;

// Returns the grids of a simulation; NULL if it never had one.
static inline cn_tile_state *cn_tiles_of(const cn_simulation *sim) {
    return cn_part_state(sim, CN_TILES);
}
static inline cn_tile_grid *cn_grid_at(const cn_simulation *sim, int index) {
    return &cn_tiles_of(sim)->grids[index];
}
static inline cn_tree *cn_grid_tree(const cn_simulation *sim) {
    return cn_tiles_of(sim) ? &cn_tiles_of(sim)->tree : NULL;
}
static inline int cn_first_grid_of(const cn_simulation *sim, int body) {
    const cn_tile_state *tiles = cn_tiles_of(sim);
    return tiles && body < tiles->body_capacity ? tiles->first_grid[body] : -1;
}

// ---- what a tile is (tile_forms.c)

// The step from a tile to its neighbour at each side: 0 below, 1 right, 2 above, 3 left.
extern const int cn_tile_step_x[4], cn_tile_step_y[4];
static inline int cn_tile_traits(const cn_tile_grid *grid, int tile) {
    return grid->traits ? grid->traits[tile] : 0;
}
static inline cn_tile_form cn_tile_form_of(const cn_tile_grid *grid, int tile) {
    return (cn_tile_form)(cn_tile_traits(grid, tile) & CN_TILE_FORM);
}
cn_tile cn_tile_of(const cn_tile_grid *grid, int tile);
const cn_material *cn_tile_material(const cn_tile_grid *grid, int index);
// Returns what the shape of a tile is made from, without its hull.
cn_shape_def cn_tile_shape_def(const cn_tile_grid *grid, int tile);
// True if the tile is solid and fills this side of its square. Outside the grid nothing is solid.
bool cn_tile_fills_side(const cn_tile_grid *grid, int x, int y, int side);
// Returns the hull of a tile, in the body's frame.
cn_hull cn_tile_hull(const cn_tile_grid *grid, int tile);
// Returns the hull of a tile of this form whose square has its middle at `center`.
cn_hull cn_tile_form_hull(const cn_tile_grid *grid, cn_tile_form form, vec2s center);
cn_canonical_hull cn_canonical_tile(const cn_simulation *sim, const cn_tile_grid *grid, int tile);
// Returns a slope whose square has its middle at the position of a pose. The grid must have traits.
cn_placed_hull cn_placed_slope(const cn_tile_grid *grid, cn_tile_form form, cn_pose pose);
// Adds traits to a grid, all zero. Returns false if memory is short.
bool cn_add_traits(cn_simulation *sim, cn_tile_grid *grid);
// Stores the traits of a tile. Returns false if memory is short.
bool cn_store_traits(cn_simulation *sim, cn_tile_grid *grid, int tile, cn_tile what);
void cn_remove_traits(cn_simulation *sim, cn_tile_grid *grid); // of all tiles, if there are any

// ---- tile grids (tiles.c)

// Outside the grid nothing is solid.
bool cn_tile_is_solid(const cn_tile_grid *grid, int x, int y);
// Returns the next tile after `last` (-1: the first) that has no shape but may need one, or -1: it
// is solid, at least one of its four neighbours is not, and a box in the world may overlap its fat
// box.
int cn_next_missing_tile(const cn_simulation *sim, int grid, cn_bounds box, int last);

static inline size_t cn_grid_bytes(const cn_tile_grid *grid) {
    return (size_t)grid->width * (size_t)grid->height * sizeof *grid->tiles;
}
static inline size_t cn_material_bytes(const cn_tile_grid *grid) { // of a grid with materials
    return (size_t)grid->material_count * sizeof *grid->materials;
}
// Stores the present pose of the grid's body, and wakes the bodies near the grid.
void cn_store_grid_pose(cn_simulation *sim, cn_tile_grid *grid);
// Does this for all grids of a body that was moved, enabled or disabled. Also wakes the bodies near
// the old places of the grids.
void cn_update_grids(cn_simulation *sim, int body);
// Sets what a tile is. Wakes the bodies near it, unless it was and stays empty. Returns false if
// memory is short.
bool cn_set_tile(cn_simulation *sim, cn_tile_grid *grid, int x, int y, cn_tile tile);
// Sets a material of a grid, also for the contacts of its tiles. Wakes the bodies on them.
void cn_set_tile_material(cn_simulation *sim, int grid, int index, cn_material material);
void cn_release_grid(cn_simulation *sim, cn_tile_grid *grid); // its memory
void cn_destroy_grid(cn_simulation *sim, int index);
int cn_lowest_grid(const cn_simulation *sim, int body); // returns -1 if the body has none
// Removes all grids of a body. Their tiles must have no shapes any more.
void cn_remove_grids(cn_simulation *sim, int body);
// The first stage of a step: creates the shapes of tiles near moving shapes. Returns false if
// memory is short; the next call goes on where this one ended.
bool cn_create_tile_shapes(cn_simulation *sim);
// A stage of the step: every 64 steps, destroys the shapes of tiles that have nothing near them.
void cn_remove_idle_tiles(cn_simulation *sim);

// ---- near grids, and lists of grids and tiles (grid_tree.c)

// Loops over the grids of a body, in any order: CN_EACH_GRID_OF(i, sim, body) { ... }
#define CN_EACH_GRID_OF(i, sim, body)                                                              \
    for (int i = cn_first_grid_of(sim, body); i >= 0; i = cn_tiles_of(sim)->grids[i].next)

// Reserves memory for the boxes of more grids. Returns false if memory is short.
bool cn_reserve_grid_boxes(cn_simulation *sim, int more);
// Adds a grid to the list of its body and to the tree. Its box must be reserved.
void cn_link_grid(cn_simulation *sim, int index);
void cn_unlink_grid(cn_simulation *sim, int index);
// Updates the box of a grid. The box must be reserved if the body was disabled before.
void cn_place_grid(cn_simulation *sim, int index);
// Extends a box by the grids of a body, with their empty tiles.
void cn_add_grid_bounds(const cn_simulation *sim, int body, cn_bounds *bounds);
int cn_count_grids(const cn_simulation *sim, int body);
// Lists the grids of a body by slot in cn_tile_state.list. Returns their number.
int cn_list_grids(cn_simulation *sim, int body);
// Adds the shape of a tile to the list of its grid, or removes it.
void cn_link_tile(cn_simulation *sim, int shape);
void cn_unlink_tile(cn_simulation *sim, int shape);
// Stores the shape of each tile in its grid.
void cn_find_tile_shapes(cn_simulation *sim);
// Calls cn_find_tile_shapes(), and makes the tree and the lists, after a state was read. The boxes
// must be reserved.
void cn_find_grid_links(cn_simulation *sim);

// ---- saves (saved_tiles.c)

bool cn_has_tiles(const cn_simulation *sim, bool in_scenery);
void cn_walk_tiles(struct cn_walk *walk, cn_saved_place place);
void cn_walk_whole_grids(struct cn_walk *walk, int first, int count); // rows and contents
bool cn_check_tiles(cn_simulation *sim);

// Returns the grid if the tree has only one, which is not worth a walk; else -1.
static inline int cn_only_grid(const cn_simulation *sim) {
    const cn_tree *tree = cn_grid_tree(sim);
    return tree && tree->slot_count == 1 ? tree->ids[0] : -1;
}

enum { CN_NEAR_GRIDS = 16 };
typedef struct {
    const cn_simulation *sim;
    cn_bounds box;
    int grids[CN_NEAR_GRIDS]; // the next ones
    int at, count;
    bool has_more; // further grids come after these
} cn_grid_walk;
// Finds the grids that come next after slot `after`.
void cn_find_next_grids(cn_grid_walk *walk, int after);
static inline int cn_next_grid(cn_grid_walk *walk) { // -1 after the last
    if (walk->at == walk->count && walk->has_more)
        cn_find_next_grids(walk, walk->grids[walk->count - 1]);
    return walk->at < walk->count ? walk->grids[walk->at++] : -1;
}

// Visits the grids of enabled bodies that are near a box, in the order of slots:
// CN_EACH_GRID(i, find, sim, box) { ... }, where `find` is one of
//     cn_grids_near          finds those with a tile that may overlap the box
//     cn_grids_to_complete   finds those with a tile for which cn_next_missing_tile() looks
// (The outer loop runs once: it declares the walk.)
#define CN_EACH_GRID(i, find, sim, box)                                                            \
    if (cn_grid_tree(sim))                                                                         \
        for (cn_grid_walk i##_walk = find(sim, box), *i##_end = NULL; !i##_end;                    \
             i##_end = &i##_walk)                                                                  \
            for (int i; (i = cn_next_grid(&i##_walk)) >= 0;)
cn_grid_walk cn_grids_near(const cn_simulation *sim, cn_bounds box);
cn_grid_walk cn_grids_to_complete(const cn_simulation *sim, cn_bounds box);

// ---- handles (tile_calls.c)

int cn_edit_grid(cn_world *world, cn_grid handle, const char *caller);

// ---- for other parts, as they call it

extern const struct cn_queried_grids cn_queried_tiles; // parts/queries/queries.h (query_tiles.c)
struct cn_pen;
void cn_draw_tiles(struct cn_pen *pen); // parts/drawing/drawing.h (draw_tiles.c)

// ---- what happens to grids (tile_hooks.c)

// Reserves rows for all slots of grids, for the lists of all bodies, and for the names of the tiles
// that have shapes. False if memory is short.
bool cn_reserve_tiles(cn_simulation *sim);
// Clears the rows of grids from `end` on.
void cn_forget_grids(cn_simulation *sim, int end, int end_before);

#endif
