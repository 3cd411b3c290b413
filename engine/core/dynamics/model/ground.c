/* Ground: touching shapes of one body, or of static bodies, as one smooth surface.
 *
 * When a shape gets a pair with a dynamic shape, cn_find_surface() searches for its neighbours: the
 * shapes of the same ground with the same radius and the same filter. (A body that collides with
 * only one of two shapes must also collide with the sides of that shape. So shapes that a callback
 * may refuse join only those of their body that it may refuse, too. The flag of a body that passes
 * does not count: the ground that lets it pass needs the flag.) If the neighbours change
 * the surface of the shape (collision/surface.c), the surface is kept in a list, and the
 * narrowphase uses it for all pairs of the shape. Otherwise the shape stays a plain hull, at no
 * extra cost.
 *
 * Between two dynamic bodies, a surface counts only against a lone shape, the only one of its body.
 * So other pairs of dynamic shapes are no reason to search, and stay pairs of plain hulls.
 *
 * Surfaces follow from the shapes, in the body's frame. So they are not state, and it does not
 * matter when they are found. They are found in the pair search, where a step may still fail; then
 * it forgets them. If a shape is created, destroyed or changed, or its static body is moved, the
 * shapes around it forget their surfaces. For them this is a change like any other: the next step
 * finds their new surfaces, then remakes their contacts. As long as no surface is known, a change
 * of the ground costs nothing.
 *
 * The neighbours of a piece of terrain come from its part, because few pieces have shapes. */
#include "model.h"

#define TOUCH_TOLERANCE 0.0025f // m, times the length unit: shapes that are closer touch

static float touch_tolerance(const cn_simulation *sim) {
    return TOUCH_TOLERANCE * sim->length_unit;
}

// Returns the box in which the neighbours of a shape are searched.
static cn_bounds neighbour_box(const cn_simulation *sim, const cn_tree *tree, int shape) {
    return cn_box_grown(cn_tree_box(tree, shape), 2 * touch_tolerance(sim));
}

// ---- find

typedef struct {
    const cn_simulation *sim;
    int shape;
    cn_hull hull; // of the shape, in the body's frame
    cn_surface surface;
    bool joining; // true: the neighbours continue its edges; false: they cover parts of them
    bool changed; // a neighbour covered a further part
} search;

static bool is_dynamic(const cn_simulation *sim, int shape) {
    return cn_is_dynamic(&sim->hot[sim->links[shape].body]);
}

static bool is_static(const cn_simulation *sim, int body) {
    return !(sim->hot[body].flags & CN_BODY_MOVES);
}

// True if a joint lets another body pass through this one. That body would fall through the parts
// of other shapes that this body covers.
static bool lets_jointed_body_pass(const cn_simulation *sim, int body) {
    for (int i = sim->first_joint[body]; i >= 0; i = cn_joint_next(sim, i, body))
        if (!sim->joints[i].def.disabled && !sim->joints[i].def.collide_connected) return true;
    return false;
}

// True if the shapes of two bodies are parts of one ground.
static bool are_one_ground(const cn_simulation *sim, int body_a, int body_b) {
    if (body_a == body_b) return true;
    return is_static(sim, body_a) && is_static(sim, body_b) &&
           !lets_jointed_body_pass(sim, body_a) && !lets_jointed_body_pass(sim, body_b);
}

// False if a callback of the user may let a body pass only one of two shapes. That body would fall
// through the parts of the other shape that this one covers. A callback that is called for both
// shapes treats them alike if they belong to one body.
static bool have_same_callbacks(const cn_simulation *sim, int a, int b) {
    uint32_t callbacks_a = sim->shapes[a].flags & CN_SHAPE_CALLBACKS;
    uint32_t callbacks_b = sim->shapes[b].flags & CN_SHAPE_CALLBACKS;
    return callbacks_a == callbacks_b && (!callbacks_a || sim->links[a].body == sim->links[b].body);
}

// True if B may continue or cover the surface of A. A sensor covers nothing. A one-way shape covers
// only shapes with the same direction.
static bool is_neighbour(const cn_simulation *sim, int a, int b) {
    uint32_t flags_a = sim->shapes[a].flags, flags_b = sim->shapes[b].flags;
    if ((flags_a | flags_b) & CN_SHAPE_SENSOR) return false;
    if ((flags_a ^ flags_b) & CN_SHAPE_NO_COLLISION) return false;
    const cn_shape_rare *ra = cn_rare_of(sim, a), *rb = cn_rare_of(sim, b);
    if (cn_is_one_way(sim, b) && !glms_vec2_eqv(ra->one_way, rb->one_way)) return false;
    return a != b && are_one_ground(sim, sim->links[a].body, sim->links[b].body) &&
           have_same_callbacks(sim, a, b) && sim->placed[a].radius == sim->placed[b].radius &&
           cn_is_same_filter(&ra->filter, &rb->filter);
}

// True for two pieces of terrain with the same owner. The part visits both, with or without shapes.
static bool have_same_owner(const cn_simulation *sim, int a, int b) {
    return cn_is_terrain(sim, a) &&
           cn_rare_of(sim, a)->terrain.owner == cn_rare_of(sim, b)->terrain.owner;
}

// Lets a neighbour cover the surface, or continue it.
static void add_neighbour(search *s, const cn_hull *other, bool one_sided) {
    float tolerance = touch_tolerance(s->sim);
    if (s->joining)
        cn_surface_join(&s->surface, &s->hull, other, one_sided, tolerance);
    else
        s->changed |= cn_surface_cover(&s->surface, &s->hull, other, tolerance);
}

// Returns the hull of a shape in the frame of a body.
static cn_hull hull_in_frame_of(const cn_simulation *sim, int body, int shape) {
    cn_hull hull = cn_hull_of(sim, shape);
    int shape_body = sim->links[shape].body;
    if (shape_body == body) return hull;
    cn_pose frame = cn_origin_pose(sim, body), pose = cn_origin_pose(sim, shape_body);
    for (int i = 0; i < hull.count; i++) {
        hull.vertices[i] = cn_to_local(frame, cn_to_world(pose, hull.vertices[i]));
        hull.normals[i] = cn_unrotate(frame.rotation, cn_rotate(pose.rotation, hull.normals[i]));
    }
    return hull;
}

static void visit_shapes(search *s, const cn_tree *tree, cn_bounds box) {
    CN_EACH_OVER(other, tree, box) {
        if (!is_neighbour(s->sim, s->shape, other) || have_same_owner(s->sim, s->shape, other))
            continue;
        cn_hull hull = hull_in_frame_of(s->sim, s->sim->links[s->shape].body, other);
        add_neighbour(s, &hull, cn_is_one_sided(s->sim, other));
    }
}

// Adds the hull of a piece beside this one.
static void visit_piece(void *context, const cn_hull *hull) { add_neighbour(context, hull, false); }

static void visit_terrain(search *s) {
    if (!cn_is_terrain(s->sim, s->shape)) return;
    s->sim->terrain->visit_neighbours(s->sim, s->shape, visit_piece, s);
}

static cn_surface make_surface(const cn_simulation *sim, const cn_tree *tree, int shape) {
    search s = {.sim = sim, .shape = shape, .hull = cn_hull_of(sim, shape)};
    cn_bounds box = neighbour_box(sim, tree, shape);
    s.surface = cn_surface_of(&s.hull, cn_is_one_sided(sim, shape));
    do {
        s.changed = false;
        visit_terrain(&s);
        visit_shapes(&s, tree, box);
    } while (s.changed);
    s.joining = true;
    visit_terrain(&s);
    visit_shapes(&s, tree, box);
    cn_surface_end(&s.surface, &s.hull, sim->shapes[shape].pose);
    return s.surface;
}

// Returns a number that tells the running step from most others.
static int step_number(const cn_simulation *sim) { return (int)(sim->steps & 0x3fffffff); }

// Returns the index of a free surface, or 0 if memory is short.
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
    bool is_expected = sim->surface_of[shape] == CN_SURFACE_EXPECTED;
    if (sim->surface_of[shape] != CN_SURFACE_UNKNOWN && !is_expected) return true;
    int index = is_expected ? CN_SURFACE_OF_HULL : CN_SURFACE_FOUND - step_number(sim);
    const cn_tree *tree = cn_tree_of(sim, sim->links[shape].body);
    if (!cn_tree_has(tree, shape) || (!is_expected && cn_is_lone_shape(sim, shape))) return true;
    cn_surface surface = {0};
    if (cn_placed_count(&sim->placed[shape]) > 1) surface = make_surface(sim, tree, shape);
    if (surface.merged) {
        index = take_surface(sim);
        if (!index) return false;
        sim->surfaces.items[index] = surface;
        sim->surfaces.items[index].next_free = is_expected ? -1 : step_number(sim);
    }
    sim->surface_of[shape] = index;
    sim->known_surfaces += !is_expected;
    sim->moving_surfaces += is_dynamic(sim, shape);
    return true;
}

// Returns the shape of a pair whose surface counts against the other one; -1: none does.
static int shape_of_ground(const cn_simulation *sim, int a, int b) {
    if (!is_dynamic(sim, a)) return a;
    if (!is_dynamic(sim, b)) return b;
    const bool lone_a = cn_is_lone_shape(sim, a), lone_b = cn_is_lone_shape(sim, b);
    return lone_a == lone_b ? -1 : lone_a ? b : a;
}

bool cn_find_surface_of_pair(cn_simulation *sim, int a, int b) {
    const int shape = shape_of_ground(sim, a, b);
    return shape < 0 || cn_find_surface(sim, shape);
}

bool cn_knows_surface_of_pair(const cn_simulation *sim, int a, int b) {
    const int shape = shape_of_ground(sim, a, b), index = shape < 0 ? 0 : sim->surface_of[shape];
    return shape < 0 || (index != CN_SURFACE_UNKNOWN && index != CN_SURFACE_EXPECTED);
}

static bool find_expected_surfaces(cn_simulation *sim) {
    CN_EACH(CN_SHAPES, i, sim) {
        if (sim->surface_of[i] == CN_SURFACE_EXPECTED && !cn_find_surface(sim, i)) return false;
    }
    sim->surfaces_expected = false;
    return true;
}

bool cn_find_dirty_surfaces(cn_simulation *sim) {
    if (sim->surfaces_expected && !find_expected_surfaces(sim)) return false;
    for (int i = 0; sim->any_dirty_neighbour && i < sim->dirty_count; i++) {
        int shape = sim->dirty_shapes[i];
        bool is_dirty = sim->dirty[shape] & CN_DIRTY_NEIGHBOUR;
        if (is_dirty && sim->shapes[shape].flags & CN_SHAPE_ALIVE && !cn_find_surface(sim, shape))
            return false;
    }
    sim->any_dirty_neighbour = false;
    return true;
}

// ---- forget

// Makes a known surface unknown.
static void release_surface(cn_simulation *sim, int shape) {
    int index = sim->surface_of[shape];
    if (index > 0) {
        sim->surfaces.items[index].next_free = sim->surface_free;
        sim->surface_free = index;
    }
    sim->surface_of[shape] = CN_SURFACE_UNKNOWN;
    sim->known_surfaces--;
    sim->moving_surfaces -= index != CN_SURFACE_EXPECTED && is_dynamic(sim, shape);
}

void cn_forget_own_surface(cn_simulation *sim, int shape) {
    if (sim->surface_of[shape] == CN_SURFACE_UNKNOWN) return;
    release_surface(sim, shape);
    cn_mark_dirty(sim, shape, CN_DIRTY_CHANGED | CN_DIRTY_NEIGHBOUR);
}

void cn_release_found_surfaces(cn_simulation *sim) {
    const int step = step_number(sim);
    CN_EACH(CN_SHAPES, i, sim) {
        const int index = sim->surface_of[i];
        bool found = index > 0 ? sim->surfaces.items[index].next_free == step
                               : index == CN_SURFACE_FOUND - step;
        if (found) release_surface(sim, i);
    }
    sim->any_dirty_neighbour = true; // those are to be found again
}

void cn_release_surfaces(cn_simulation *sim) {
    for (int i = 0; i < sim->slots[CN_SHAPES].capacity; i++)
        sim->surface_of[i] = CN_SURFACE_UNKNOWN;
    sim->surfaces.count = sim->surface_free = sim->known_surfaces = sim->moving_surfaces = 0;
}

void cn_expect_known_surfaces(cn_simulation *sim) {
    sim->surfaces.count = sim->surface_free = sim->moving_surfaces = 0;
    sim->surfaces_expected = sim->known_surfaces > 0;
    CN_EACH(CN_SHAPES, i, sim) {
        if (sim->surface_of[i] != CN_SURFACE_UNKNOWN) sim->surface_of[i] = CN_SURFACE_EXPECTED;
    }
}

void cn_expect_surface(cn_simulation *sim, int shape) {
    if (sim->surface_of[shape] == CN_SURFACE_UNKNOWN) sim->known_surfaces++;
    sim->surface_of[shape] = CN_SURFACE_EXPECTED;
    sim->surfaces_expected = true;
}

void cn_forget_surfaces_around(cn_simulation *sim, int shape) {
    int body = sim->links[shape].body;
    cn_tree *tree = cn_tree_of(sim, body);
    if (!sim->known_surfaces || !cn_tree_has(tree, shape)) return;
    if (is_dynamic(sim, shape) && !sim->moving_surfaces && !sim->surfaces_expected) return;
    if (cn_is_lone_shape(sim, shape) && sim->surface_of[shape] == CN_SURFACE_UNKNOWN) return;
    cn_tree_refit(tree);
    CN_EACH_OVER(other, tree, neighbour_box(sim, tree, shape)) {
        int owner = sim->links[other].body;
        bool one_ground = owner == body || (is_static(sim, owner) && is_static(sim, body));
        bool depends = one_ground && !have_same_owner(sim, other, shape);
        if (depends || other == shape) cn_forget_own_surface(sim, other);
    }
}

void cn_forget_body_surfaces(cn_simulation *sim, int body) {
    if (!is_static(sim, body)) return;
    CN_EACH_SHAPE(i, sim, body) cn_forget_surfaces_around(sim, i);
}

// Marks the shapes of dynamic bodies whose surfaces a lone shape needs.
static void find_surfaces_around(cn_simulation *sim, int lone) {
    cn_tree_refit(&sim->moving_tree);
    CN_EACH_OVER(other, &sim->moving_tree, cn_tree_box(&sim->moving_tree, lone)) {
        if (is_dynamic(sim, other) && !cn_is_lone_shape(sim, other))
            cn_mark_dirty(sim, other, CN_DIRTY_NEIGHBOUR);
    }
}

void cn_remake_lone_shape(cn_simulation *sim, int body, bool was_lone) {
    const cn_body_warm *warm = &sim->warm[body];
    const int shape = warm->first_shape;
    const cn_tree *tree = &sim->moving_tree;
    if (shape < 0 || !is_dynamic(sim, shape) || !cn_tree_has(tree, shape)) return;
    const int second = sim->shapes[shape].next;
    if (was_lone ? second < 0 || second != warm->last_shape : second >= 0) return;
    const cn_bounds searched = cn_box8_get(tree->old, tree->slots[shape]);
    if (searched.lower.x > searched.upper.x) return; // it is new, and has no pairs yet
    cn_mark_dirty(sim, shape, CN_DIRTY_CHANGED | CN_DIRTY_NEIGHBOUR);
    if (!was_lone) find_surfaces_around(sim, shape);
}
