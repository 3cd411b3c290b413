/* Surfaces: touching shapes of one body, or of static bodies, as one smooth surface.
 *
 * When a shape gets a pair, cn_find_surface() searches for its neighbours: the shapes of the same
 * ground with the same radius and the same filter. A ground is a body, or all static bodies. (A
 * body that collides with only one of two shapes must also collide with the sides of that shape. So
 * shapes that a callback may refuse join only those of their body that it may refuse, too. The flag
 * of a body that passes does not count: the ground that lets it pass needs the flag.) If the
 * neighbours change the surface of the shape (collision/surface.c), the surface is kept in a list,
 * and the narrowphase uses it for all pairs of the shape. Otherwise the shape stays a plain hull,
 * at no extra cost.
 *
 * Surfaces follow from the shapes, in the body's frame. So they are not state, and it does not
 * matter when they are found. They are found in the pair search, where a step may still fail. If a
 * shape is created, destroyed or changed, or its static body is moved, the shapes around it forget
 * their surfaces. For them this is a change like any other: the next step finds their new surfaces,
 * then remakes their contacts. As long as no surface is known, a change of the ground costs
 * nothing. The surface of a dynamic body's only shape is never known: there is nothing to find.
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

// A hull that may touch the shape, in the body's frame.
typedef struct {
    cn_hull hull;
    bool one_sided;
} neighbour;

typedef struct {
    const cn_simulation *sim;
    int shape;
    cn_hull hull;          // of the shape, in the body's frame
    cn_bounds box;         // around the hull and all that touches it, likewise
    neighbour *neighbours; // in scratch memory; NULL while they are counted
    int count;
} search;

static bool is_static(const cn_simulation *sim, int body) {
    return !(sim->hot[body].flags & CN_BODY_MOVES);
}

// True if the shape is the only one of a dynamic body.
static bool is_only_shape(const cn_simulation *sim, int body, int shape) {
    const cn_body_warm *warm = &sim->warm[body];
    return cn_is_dynamic(&sim->hot[body]) && warm->first_shape == shape &&
           warm->last_shape == shape;
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
    if (a == b || !are_one_ground(sim, sim->links[a].body, sim->links[b].body)) return false;
    uint32_t flags_a = sim->shapes[a].flags, flags_b = sim->shapes[b].flags;
    if ((flags_a | flags_b) & CN_SHAPE_SENSOR) return false;
    if ((flags_a ^ flags_b) & CN_SHAPE_NO_COLLISION) return false;
    const cn_shape_rare *ra = cn_rare_of(sim, a), *rb = cn_rare_of(sim, b);
    if (cn_is_one_way(sim, b) && !glms_vec2_eqv(ra->one_way, rb->one_way)) return false;
    return have_same_callbacks(sim, a, b) && sim->placed[a].radius == sim->placed[b].radius &&
           cn_is_same_filter(&ra->filter, &rb->filter);
}

// True for two pieces of terrain with the same owner. The part visits both, with or without shapes.
static bool have_same_owner(const cn_simulation *sim, int a, int b) {
    return cn_is_terrain(sim, a) &&
           cn_rare_of(sim, a)->terrain.owner == cn_rare_of(sim, b)->terrain.owner;
}

static cn_bounds box_of(const cn_hull *hull) {
    cn_bounds box = {hull->vertices[0], hull->vertices[0]};
    for (int i = 1; i < hull->count; i++) {
        box.lower = cn_min2(box.lower, hull->vertices[i]);
        box.upper = cn_max2(box.upper, hull->vertices[i]);
    }
    return box;
}

static void add_neighbour(search *s, const cn_hull *hull, bool one_sided) {
    if (!cn_boxes_overlap(s->box, box_of(hull))) return;
    if (s->neighbours) s->neighbours[s->count] = (neighbour){*hull, one_sided};
    s->count++;
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

static void visit_shape(search *s, int other) {
    const cn_simulation *sim = s->sim;
    if (!is_neighbour(sim, s->shape, other) || have_same_owner(sim, s->shape, other)) return;
    cn_hull hull = hull_in_frame_of(sim, sim->links[s->shape].body, other);
    add_neighbour(s, &hull, cn_is_one_sided(sim, other));
}

// Adds the hull of a piece beside this one.
static void visit_piece(void *context, const cn_hull *hull) { add_neighbour(context, hull, false); }

// Counts the neighbours, and lists them if there is memory for them.
static void visit_neighbours(search *s, const cn_tree *tree) {
    const cn_simulation *sim = s->sim;
    s->count = 0;
    if (cn_is_terrain(sim, s->shape)) sim->terrain->visit_neighbours(sim, s->shape, visit_piece, s);
    CN_EACH_OVER(other, tree, neighbour_box(sim, tree, s->shape)) visit_shape(s, other);
}

static cn_surface make_surface(const search *s) {
    const cn_simulation *sim = s->sim;
    const float tolerance = touch_tolerance(sim);
    cn_surface surface = cn_surface_of(&s->hull, cn_is_one_sided(sim, s->shape));
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < s->count; i++)
            changed |= cn_surface_cover(&surface, &s->hull, &s->neighbours[i].hull, tolerance);
    }
    for (int i = 0; i < s->count; i++) {
        const neighbour *n = &s->neighbours[i];
        cn_surface_join(&surface, &s->hull, &n->hull, n->one_sided, tolerance);
    }
    cn_surface_end(&surface, &s->hull, sim->shapes[s->shape].pose.rotation);
    surface.of_ground = !cn_is_dynamic(&sim->hot[sim->links[s->shape].body]);
    return surface;
}

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

// Sets *index to that of the surface of the shape, unless its neighbours do not change it. Returns
// false if memory is short.
static bool find_merged(cn_simulation *sim, const cn_tree *tree, int shape, int *index) {
    search s = {.sim = sim, .shape = shape, .hull = cn_hull_of(sim, shape)};
    s.box = cn_box_grown(box_of(&s.hull), 4 * touch_tolerance(sim));
    visit_neighbours(&s, tree);
    s.neighbours = cn_scratch(sim, (size_t)s.count * sizeof *s.neighbours);
    if (!s.neighbours) return false;
    visit_neighbours(&s, tree);
    const cn_surface surface = make_surface(&s);
    if (!surface.merged) return true;
    *index = take_surface(sim);
    if (!*index) return false;
    sim->surfaces.items[*index] = surface;
    return true;
}

bool cn_find_surface(cn_simulation *sim, int shape) {
    bool is_expected = sim->surface_of[shape] == CN_SURFACE_EXPECTED;
    if (sim->surface_of[shape] != CN_SURFACE_UNKNOWN && !is_expected) return true;
    const int body = sim->links[shape].body;
    const cn_tree *tree = cn_tree_of(sim, body);
    if (is_only_shape(sim, body, shape) || !cn_tree_has(tree, shape)) return true;
    int index = CN_SURFACE_OF_HULL;
    if (cn_placed_count(&sim->placed[shape]) > 1 && !find_merged(sim, tree, shape, &index))
        return false;
    sim->surface_of[shape] = index;
    sim->known_surfaces += !is_expected;
    return true;
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
    for (int i = 0; i < sim->dirty_count; i++) {
        int shape = sim->dirty_shapes[i];
        bool is_dirty = sim->dirty[shape] & CN_DIRTY_NEIGHBOUR;
        if (is_dirty && sim->shapes[shape].flags & CN_SHAPE_ALIVE && !cn_find_surface(sim, shape))
            return false;
    }
    return true;
}

// ---- forget

void cn_forget_own_surface(cn_simulation *sim, int shape) {
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

void cn_release_surfaces(cn_simulation *sim) {
    for (int i = 0; i < sim->slots[CN_SHAPES].capacity; i++)
        sim->surface_of[i] = CN_SURFACE_UNKNOWN;
    sim->surfaces.count = sim->surface_free = sim->known_surfaces = 0;
}

void cn_expect_known_surfaces(cn_simulation *sim) {
    sim->surfaces.count = sim->surface_free = 0;
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

// True if a dynamic body has two shapes. Then the first one may have been alone, with contacts, but
// without a known surface.
static bool has_two_shapes(const cn_simulation *sim, int body) {
    const cn_body_warm *warm = &sim->warm[body];
    return cn_is_dynamic(&sim->hot[body]) && warm->first_shape >= 0 &&
           sim->shapes[warm->first_shape].next == warm->last_shape && warm->last_shape >= 0;
}

void cn_forget_surfaces_around(cn_simulation *sim, int shape) {
    int body = sim->links[shape].body;
    cn_tree *tree = cn_tree_of(sim, body);
    if (!cn_tree_has(tree, shape)) return;
    if (has_two_shapes(sim, body))
        cn_mark_dirty(sim, sim->warm[body].first_shape, CN_DIRTY_CHANGED | CN_DIRTY_NEIGHBOUR);
    bool is_unknown = sim->surface_of[shape] == CN_SURFACE_UNKNOWN;
    if (!sim->known_surfaces || (is_unknown && is_only_shape(sim, body, shape))) return;
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
