/* Ground: the shapes of a static or kinematic body that touch, as one smooth surface.
 *
 * A shape that has a pair with a dynamic one looks at its neighbours: shapes of the same body, with the
 * same radius and the same filter (what collides with one but not with the other must meet its sides).
 * If they change its surface (collision/surface.c) that is kept in a list, and the narrowphase uses it
 * for every pair of the shape; else the shape goes on as a plain hull, as fast as ever.
 *
 * Surfaces follow from the shapes, in the body's frame, so it does not matter when they are found nor
 * where the body is. They are no state. They are found while pairs are looked for, where a step may still
 * fail. A shape that comes, goes or changes makes those around it forget theirs; for them this is a
 * change like any other, so their contacts are remade in the next step, which finds their new surfaces
 * first. While no surface is known a change of the ground costs nothing. */
#include "dynamics.h"

// Shapes closer than this touch.
static float tolerance_of(const cn_simulation *sim) { return 0.0025f * sim->length_unit; }

static cn_bounds around(const cn_simulation *sim, const cn_tree *tree, int shape) {
    cn_bounds box = cn_tree_box(tree, shape);
    float t = 2 * tolerance_of(sim);
    return (cn_bounds){cn_vec(box.lower.x - t, box.lower.y - t),
                       cn_vec(box.upper.x + t, box.upper.y + t)};
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

// A sensor covers nothing, a one-way shape only the like.
static bool is_neighbour(const cn_simulation *sim, int a, int b) {
    if ((sim->shapes[a].flags | sim->shapes[b].flags) & CN_SHAPE_SENSOR) return false;
    vec2s ua = sim->shapes[a].one_way, ub = sim->shapes[b].one_way;
    if (ua.x != ub.x || ua.y != ub.y) return false;
    const cn_filter *fa = &sim->shapes[a].filter, *fb = &sim->shapes[b].filter;
    return a != b && sim->links[a].body == sim->links[b].body &&
           sim->placed[a].radius == sim->placed[b].radius && fa->category == fb->category &&
           fa->mask == fb->mask && fa->group == fb->group;
}

static bool is_one_sided(const cn_simulation *sim, int shape) {
    return sim->shapes[shape].flags & CN_SHAPE_ONE_SIDED &&
           cn_placed_count(&sim->placed[shape]) == 2;
}

static bool visit_neighbour(int other, void *context) {
    search *s = context;
    const cn_simulation *sim = s->sim;
    if (!is_neighbour(sim, s->shape, other)) return true;
    cn_hull hull = cn_hull_of(sim, other);
    float tolerance = tolerance_of(sim);
    if (s->joining)
        cn_surface_join(&s->surface, &s->hull, &hull, is_one_sided(sim, other), tolerance);
    else
        s->changed |= cn_surface_cover(&s->surface, &s->hull, &hull, tolerance);
    return true;
}

static cn_surface make_surface(const cn_simulation *sim, const cn_tree *tree, int shape) {
    search s = {.sim = sim, .shape = shape, .hull = cn_hull_of(sim, shape)};
    cn_bounds box = around(sim, tree, shape);
    s.surface = cn_surface_of(&s.hull, is_one_sided(sim, shape));
    do {
        s.changed = false;
        cn_tree_query(tree, box, visit_neighbour, &s);
    } while (s.changed);
    s.joining = true;
    cn_tree_query(tree, box, visit_neighbour, &s);
    const cn_shape_warm *local = &sim->shapes[shape];
    cn_surface_turn(&s.surface, (cn_rotation){local->c, local->s});
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
    if (sim->surface_of[shape] != 0) return true;
    int body = sim->links[shape].body, index = -1;
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

bool cn_find_lost_surfaces(cn_simulation *sim) {
    for (int i = 0; i < sim->news_count; i++) {
        int shape = sim->news_list[i];
        bool beside = sim->news[shape] & CN_SHAPE_BESIDE;
        if (beside && sim->shapes[shape].flags & CN_SHAPE_ALIVE && !cn_find_surface(sim, shape))
            return false;
    }
    return true;
}

// ---- forget

typedef struct {
    cn_simulation *sim;
    int body;
} forgetting;

static bool forget(int shape, void *context) {
    const forgetting *f = context;
    cn_simulation *sim = f->sim;
    int index = sim->surface_of[shape];
    if (index == 0 || sim->links[shape].body != f->body) return true;
    if (index > 0) {
        sim->surfaces.items[index].next_free = sim->surface_free;
        sim->surface_free = index;
    }
    sim->surface_of[shape] = 0;
    sim->known_surfaces--;
    cn_tell(sim, shape, CN_SHAPE_CHANGED | CN_SHAPE_BESIDE);
    return true;
}

void cn_forget_surfaces(cn_simulation *sim, int shape) {
    int body = sim->links[shape].body;
    cn_tree *tree = cn_tree_of(sim, body);
    if (!sim->known_surfaces || cn_is_dynamic(&sim->hot[body]) || !cn_tree_has(tree, shape)) return;
    cn_tree_refit(tree);
    cn_tree_query(tree, around(sim, tree, shape), forget, &(forgetting){sim, body});
}
