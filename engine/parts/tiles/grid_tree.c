/* A tree finds the grids of tiles near a box. Lists link the grids of a body, and the shapes of a
 * grid. The tree and the lists follow from the state and are not saved.
 *
 * The tree has a box for each grid of an enabled body. Such a body is static, so a box changes only
 * when a call changes the pose or the mass of the body, enables or disables it, or shifts the
 * origin.
 *
 * A walk yields grids in the order of their slots, so no result depends on their places in the
 * tree. It needs no memory: it finds CN_NEAR_GRIDS of them at a time. */
#include "tiles.h"

// Fraction of the coordinates: a bound of the rounding errors when a box is compared with tiles.
#define GRID_ROUNDING (16 * FLT_EPSILON)

// ---- boxes

// Returns the tight box of a grid in the world, to rounding.
static cn_bounds bounds_of_grid(const cn_simulation *sim, const cn_tile_grid *grid) {
    cn_pose pose = cn_origin_pose(sim, grid->body);
    float x = grid->size * (float)grid->width / 2, y = grid->size * (float)grid->height / 2;
    vec2s center = cn_to_world(pose, glms_vec2_add(grid->origin, cn_vec(x, y)));
    float c = cn_abs(pose.rotation.c), s = cn_abs(pose.rotation.s);
    vec2s half = cn_vec(c * x + s * y, s * x + c * y);
    return (cn_bounds){glms_vec2_sub(center, half), glms_vec2_add(center, half)};
}

// Returns a box in the world that contains all tiles of a grid.
static cn_bounds box_of_grid(const cn_simulation *sim, const cn_tile_grid *grid) {
    float x = grid->size * (float)grid->width / 2, y = grid->size * (float)grid->height / 2;
    vec2s place = cn_origin_pose(sim, grid->body).position;
    float coordinates = cn_abs(place.x) + cn_abs(place.y) + cn_abs(grid->origin.x) +
                        cn_abs(grid->origin.y) + 2 * (x + y);
    return cn_box_grown(bounds_of_grid(sim, grid), GRID_ROUNDING * coordinates);
}

bool cn_reserve_grid_boxes(cn_simulation *sim, int more) {
    if (more == 0) return true;
    return cn_reserve_tiles(sim) && cn_tidy_boxes(sim, cn_grid_tree(sim)) &&
           cn_tree_reserve(cn_grid_tree(sim), &sim->memory, more, sim->slots[CN_GRIDS].capacity);
}

void cn_place_grid(cn_simulation *sim, int index) {
    cn_tree *tree = cn_grid_tree(sim);
    const cn_tile_grid *grid = cn_grid_at(sim, index);
    bool is_in = cn_tree_has(tree, index);
    if (!(sim->hot[grid->body].flags & CN_BODY_ENABLED)) {
        if (is_in) cn_tree_remove(tree, index);
        return;
    }
    cn_bounds box = cn_tree_clamp(box_of_grid(sim, grid));
    if (!is_in) {
        cn_tree_insert(tree, index, box);
        return;
    }
    cn_bounds before = cn_tree_box(tree, index);
    if (memcmp(&before, &box, sizeof box) == 0) return;
    cn_tree_move(tree, index, box);
    cn_tree_enclose(tree, index);
}

// ---- the grids of a body

void cn_add_grid_bounds(const cn_simulation *sim, int body, cn_bounds *bounds) {
    CN_EACH_GRID_OF(i, sim, body) {
        *bounds = cn_box_union(*bounds, bounds_of_grid(sim, cn_grid_at(sim, i)));
    }
}

int cn_count_grids(const cn_simulation *sim, int body) {
    int count = 0;
    CN_EACH_GRID_OF(i, sim, body) count++;
    return count;
}

int cn_list_grids(cn_simulation *sim, int body) {
    int count = 0;
    CN_EACH_GRID_OF(i, sim, body) cn_tiles_of(sim)->list[count++] = i;
    cn_sort_items(cn_tiles_of(sim)->list, count, sizeof *cn_tiles_of(sim)->list);
    return count;
}

void cn_link_grid(cn_simulation *sim, int index) {
    cn_tile_grid *grid = cn_grid_at(sim, index);
    int32_t *first = &cn_tiles_of(sim)->first_grid[grid->body];
    grid->next = *first, grid->previous = -1;
    grid->first_shape = grid->last_shape = -1;
    if (*first >= 0) cn_grid_at(sim, *first)->previous = index;
    *first = index;
    cn_place_grid(sim, index);
}

void cn_unlink_grid(cn_simulation *sim, int index) {
    const cn_tile_grid *grid = cn_grid_at(sim, index);
    *(grid->previous < 0 ? &cn_tiles_of(sim)->first_grid[grid->body]
                         : &cn_grid_at(sim, grid->previous)->next) = grid->next;
    if (grid->next >= 0) cn_grid_at(sim, grid->next)->previous = grid->previous;
    if (cn_tree_has(cn_grid_tree(sim), index)) cn_tree_remove(cn_grid_tree(sim), index);
}

// ---- the shapes of a grid

void cn_link_tile(cn_simulation *sim, int shape) {
    cn_shape_rare *rare = &sim->rare[shape];
    cn_tile_grid *grid = cn_grid_at(sim, rare->terrain.owner);
    rare->next = -1, rare->previous = grid->last_shape;
    *(grid->last_shape < 0 ? &grid->first_shape : &sim->rare[grid->last_shape].next) = shape;
    grid->last_shape = shape;
}

void cn_unlink_tile(cn_simulation *sim, int shape) {
    const cn_shape_rare *rare = &sim->rare[shape];
    cn_tile_grid *grid = cn_grid_at(sim, rare->terrain.owner);
    int next = rare->next, previous = rare->previous;
    *(previous < 0 ? &grid->first_shape : &sim->rare[previous].next) = next;
    *(next < 0 ? &grid->last_shape : &sim->rare[next].previous) = previous;
}

// ---- after a load

// Removes the boxes of grids that do not exist in the state that was read.
static void remove_other_boxes(cn_simulation *sim) {
    for (int i = 0; i < cn_grid_tree(sim)->id_capacity; i++) {
        bool is_alive = i < sim->slots[CN_GRIDS].end && cn_is_alive(sim, CN_GRIDS, i);
        if (!is_alive && cn_tree_has(cn_grid_tree(sim), i)) cn_tree_remove(cn_grid_tree(sim), i);
    }
}

void cn_find_tile_shapes(cn_simulation *sim) {
    sim->terrain_shape_count = 0;
    if (!sim->slots[CN_GRIDS].count) return;
    CN_EACH(CN_SHAPES, i, sim) {
        if (!cn_is_terrain(sim, i)) continue;
        cn_terrain_name name = sim->rare[i].terrain;
        cn_grid_at(sim, name.owner)->tiles[name.piece] = 1 + i;
        sim->terrain_shape_count++;
    }
}

void cn_find_grid_links(cn_simulation *sim) {
    cn_tile_state *tiles = cn_tiles_of(sim);
    cn_find_tile_shapes(sim);
    if (!tiles) return;
    remove_other_boxes(sim);
    for (int i = 0; i < tiles->body_capacity; i++) tiles->first_grid[i] = -1;
    if (!sim->slots[CN_GRIDS].count) return;
    CN_EACH(CN_GRIDS, i, sim) cn_link_grid(sim, i);
    CN_EACH(CN_BODIES, body, sim) {
        if (cn_first_grid_of(sim, body) < 0) continue;
        CN_EACH_SHAPE(shape, sim, body) {
            if (cn_is_terrain(sim, shape)) cn_link_tile(sim, shape);
        }
    }
}

// ---- walks

// Inserts a grid into those of a walk, in the order of slots. If there is no room, the last one is
// left out.
static void add_in_order(cn_grid_walk *walk, int grid) {
    bool is_full = walk->count == CN_NEAR_GRIDS;
    walk->has_more = walk->has_more || is_full;
    if (is_full && grid > walk->grids[walk->count - 1]) return;
    int i = is_full ? walk->count - 1 : walk->count++;
    for (; i > 0 && walk->grids[i - 1] > grid; i--) walk->grids[i] = walk->grids[i - 1];
    walk->grids[i] = grid;
}

void cn_find_next_grids(cn_grid_walk *walk, int after) {
    walk->at = walk->count = 0, walk->has_more = false;
    CN_EACH_OVER(grid, cn_grid_tree(walk->sim), walk->box) {
        if (grid > after) add_in_order(walk, grid);
    }
}

cn_grid_walk cn_grids_near(const cn_simulation *sim, cn_bounds box) {
    cn_grid_walk walk;
    float x = cn_max(cn_abs(box.lower.x), cn_abs(box.upper.x));
    float y = cn_max(cn_abs(box.lower.y), cn_abs(box.upper.y));
    walk.sim = sim, walk.box = cn_box_grown(box, GRID_ROUNDING * (x + y));
    cn_find_next_grids(&walk, -1);
    return walk;
}

// A tile is near if the box, grown by a margin along the axes of the grid, overlaps it. In a turned
// grid the box is larger by at most half of its other side, and the margin by its diagonal.
cn_grid_walk cn_grids_to_complete(const cn_simulation *sim, cn_bounds box) {
    float x = (box.upper.x - box.lower.x) / 2, y = (box.upper.y - box.lower.y) / 2;
    float margin = 2 * sim->tuning.box_margin;
    vec2s more = cn_vec(y + margin, x + margin);
    box = (cn_bounds){glms_vec2_sub(box.lower, more), glms_vec2_add(box.upper, more)};
    return cn_grids_near(sim, box);
}
