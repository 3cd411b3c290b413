/* Ground: the shapes of a kinematic body, or of static ones, that touch, as one smooth surface.
 *
 * A shape that has a pair with a dynamic one looks at its neighbours: shapes of the same ground, with the
 * same radius and the same filter (what collides with one but not with the other must meet its sides).
 * If they change its surface (collision/surface.c) that is kept in a list, and the narrowphase uses it
 * for every pair of the shape; else the shape goes on as a plain hull, as fast as ever.
 *
 * Surfaces follow from the shapes, in the body's frame, so it does not matter when they are found. They are
 * no state. They are found while pairs are looked for, where a step may still fail. A shape that comes, goes
 * or changes, or whose static body is put elsewhere, makes those around it forget theirs; for them this is a
 * change like any other, so their contacts are remade in the next step, which finds their new surfaces
 * first. While no surface is known a change of the ground costs nothing.
 *
 * The neighbours of a tile within its grid are read from the grid: few of them are shapes. */
#include "model.h"

// Shapes closer than this touch.
static float tolerance_of(const cn_simulation *sim) { return 0.0025f * sim->length_unit; }

static cn_bounds around(const cn_simulation *sim, const cn_tree *tree, int shape) {
    return cn_box_grown(cn_tree_box(tree, shape), 2 * tolerance_of(sim));
}

// ---- find

typedef struct {
    const cn_simulation *sim;
    int shape;
    cn_hull hull; // of the shape, in the body's frame
    cn_surface surface;
    bool joining; // else the neighbours cover it
    bool changed;
} search;

static bool never_moves(const cn_simulation *sim, int body) {
    return !(sim->hot[body].flags & CN_BODY_MOVES);
}

// May somebody pass it by a joint? He would fall through what it covers.
static bool is_passed(const cn_simulation *sim, int body) {
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body))
        if (!sim->joints[i].def.disabled && !sim->joints[i].def.collide_connected) return true;
    return false;
}

// Are shapes of these bodies parts of one ground? Callbacks may refuse one of two.
static bool are_one_ground(const cn_simulation *sim, int body_a, int body_b) {
    if (body_a == body_b) return true;
    return never_moves(sim, body_a) && never_moves(sim, body_b) && !sim->filter &&
           !sim->pre_solve && !is_passed(sim, body_a) && !is_passed(sim, body_b);
}

// Does B go on with the surface of A, or cover it? A sensor covers nothing, a one-way shape only the like.
static bool is_neighbour(const cn_simulation *sim, int a, int b) {
    if ((sim->shapes[a].flags | sim->shapes[b].flags) & CN_SHAPE_SENSOR) return false;
    const cn_shape_rare *ra = cn_rare_of(sim, a), *rb = cn_rare_of(sim, b);
    if (cn_is_one_way(sim, b) && !glms_vec2_eqv(ra->one_way, rb->one_way)) return false;
    return a != b && are_one_ground(sim, sim->links[a].body, sim->links[b].body) &&
           sim->placed[a].radius == sim->placed[b].radius &&
           cn_is_same_filter(&ra->filter, &rb->filter);
}

// Two tiles of a grid: they know each other from the grid, whether they are shapes now or not.
static bool are_of_one_grid(const cn_simulation *sim, int a, int b) {
    return cn_is_tile(sim, a) && cn_rare_of(sim, a)->tile.grid == cn_rare_of(sim, b)->tile.grid;
}

static void meet(search *s, const cn_hull *other, bool one_sided) {
    float tolerance = tolerance_of(s->sim);
    if (s->joining)
        cn_surface_join(&s->surface, &s->hull, other, one_sided, tolerance);
    else
        s->changed |= cn_surface_cover(&s->surface, &s->hull, other, tolerance);
}

// The hull of a shape in the frame of a body.
static cn_hull hull_seen_from(const cn_simulation *sim, int body, int shape) {
    cn_hull hull = cn_hull_of(sim, shape);
    int own = sim->links[shape].body;
    if (own == body) return hull;
    cn_pose from = cn_origin_pose(sim, body), at = cn_origin_pose(sim, own);
    for (int i = 0; i < hull.count; i++) {
        hull.vertices[i] = cn_to_local(from, cn_to_world(at, hull.vertices[i]));
        hull.normals[i] = cn_unrotate(from.rotation, cn_rotate(at.rotation, hull.normals[i]));
    }
    return hull;
}

static void visit_shapes(search *s, const cn_tree *tree, cn_bounds box) {
    CN_EACH_OVER(other, tree, box) {
        if (!is_neighbour(s->sim, s->shape, other) || are_of_one_grid(s->sim, s->shape, other))
            continue;
        cn_hull hull = hull_seen_from(s->sim, s->sim->links[s->shape].body, other);
        meet(s, &hull, cn_is_one_sided(s->sim, other));
    }
}

// The solid ones of the eight tiles around this one: the same box, moved.
static void visit_tiles(search *s) {
    if (!cn_is_tile(s->sim, s->shape)) return;
    cn_tile_name name = cn_rare_of(s->sim, s->shape)->tile;
    const cn_tile_grid *grid = &s->sim->grids[name.grid];
    for (int i = 0; i < 9; i++) {
        int x = name.tile % grid->width + i % 3 - 1, y = name.tile / grid->width + i / 3 - 1;
        if (i == 4 || !cn_tile_is_solid(grid, x, y)) continue;
        cn_hull moved = s->hull;
        vec2s way = cn_vec(grid->size * (float)(i % 3 - 1), grid->size * (float)(i / 3 - 1));
        for (int k = 0; k < 4; k++) moved.vertices[k] = glms_vec2_add(moved.vertices[k], way);
        meet(s, &moved, false);
    }
}

static cn_surface make_surface(const cn_simulation *sim, const cn_tree *tree, int shape) {
    search s = {.sim = sim, .shape = shape, .hull = cn_hull_of(sim, shape)};
    cn_bounds box = around(sim, tree, shape);
    s.surface = cn_surface_of(&s.hull, cn_is_one_sided(sim, shape));
    do {
        s.changed = false;
        visit_tiles(&s);
        visit_shapes(&s, tree, box);
    } while (s.changed);
    s.joining = true;
    visit_tiles(&s);
    visit_shapes(&s, tree, box);
    cn_surface_end(&s.surface, &s.hull, sim->shapes[shape].pose.rotation);
    return s.surface;
}

// An index for a further surface; 0 if memory is short.
static int take_surface(cn_simulation *sim) {
    int index = sim->surface_free;
    if (index) {
        sim->surface_free = sim->surfaces.items[index].next_free;
        return index;
    }
    index = cn_max_int(sim->surfaces.count, 1);
    if (!cn_reserve(&sim->memory, &sim->surfaces, index + 1)) return 0;
    sim->surfaces.count = index + 1;
    return index;
}

bool cn_find_surface(cn_simulation *sim, int shape) {
    if (sim->surface_of[shape] != CN_SURFACE_UNKNOWN) return true;
    int body = sim->links[shape].body, index = CN_SURFACE_OF_HULL;
    const cn_tree *tree = cn_tree_of(sim, body);
    if (cn_is_dynamic(&sim->hot[body]) || !cn_tree_has(tree, shape)) return true;
    cn_surface surface = {0};
    if (cn_placed_count(&sim->placed[shape]) > 1) surface = make_surface(sim, tree, shape);
    if (surface.merged) {
        index = take_surface(sim);
        if (!index) return false;
        sim->surfaces.items[index] = surface;
    }
    sim->surface_of[shape] = index;
    sim->known_surfaces++;
    return true;
}

bool cn_find_dirty_surfaces(cn_simulation *sim) {
    for (int i = 0; i < sim->dirty_count; i++) {
        int shape = sim->dirty_shapes[i];
        bool beside = sim->dirty[shape] & CN_DIRTY_NEIGHBOUR;
        if (beside && sim->shapes[shape].flags & CN_SHAPE_ALIVE && !cn_find_surface(sim, shape))
            return false;
    }
    return true;
}

// ---- forget

void cn_forget_surface(cn_simulation *sim, int shape) {
    int index = sim->surface_of[shape];
    if (index == CN_SURFACE_UNKNOWN) return;
    if (index > 0) {
        sim->surfaces.items[index].next_free = sim->surface_free;
        sim->surface_free = index;
    }
    sim->surface_of[shape] = CN_SURFACE_UNKNOWN;
    sim->known_surfaces--;
    cn_mark_dirty(sim, shape, CN_DIRTY_CHANGED | CN_DIRTY_NEIGHBOUR);
}

void cn_forget_surfaces(cn_simulation *sim, int shape) {
    int body = sim->links[shape].body;
    cn_tree *tree = cn_tree_of(sim, body);
    if (!sim->known_surfaces || cn_is_dynamic(&sim->hot[body]) || !cn_tree_has(tree, shape)) return;
    cn_tree_refit(tree);
    CN_EACH_OVER(other, tree, around(sim, tree, shape)) {
        int own = sim->links[other].body;
        bool near = own == body || (never_moves(sim, own) && never_moves(sim, body));
        bool beside = near && !are_of_one_grid(sim, other, shape);
        if (beside || other == shape) cn_forget_surface(sim, other);
    }
}

void cn_forget_body_surfaces(cn_simulation *sim, int body) {
    if (!never_moves(sim, body)) return;
    CN_EACH_SHAPE(i, sim, body) { cn_forget_surfaces(sim, i); }
}
