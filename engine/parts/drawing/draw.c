/* Debug drawing: the world as plain arrays of coloured triangles and lines.
 *
 * A pen collects vertices in lists that are kept with the world. A table has the function that
 * draws each layer, in the order of painting. If memory runs out, the pen stops writing and the
 * call fails.
 *
 * The outline of a hull goes around its corners. If the hull has a radius, each corner becomes an
 * arc, from the normal of the edge before the corner to that of the edge after it. A full turn has
 * 24 pieces:
 *
 *               2
 *             /   \          Corners 0 1 2 and normals n0 n1 n2 of a rounded triangle: the arc at
 *       n2  /       \  n1    corner 1 leads from n0 to n1. A capsule has corners 0 (-x) and 1 (+x)
 *         0 --------- 1      and the normals of its sides, so its arcs are half turns. A circle has
 *              n0            one corner and no edge: its arc is a full turn.
 *
 * Contact points are drawn where their lever arms from body A are now. Lengths of marks are in
 * metres: multiples of sim.length_unit. */
#include "drawing.h"

enum { TURN_PIECES = 24, MAX_OUTLINE = TURN_PIECES + 2 * CN_MAX_VERTICES };

#define FORCE_SCALE_FALL 0.98f // factor of the scale from one drawing to the next

// The strokes on the solid side of a segment: their distance and length, in metres, and the
// greatest length as a fraction of that of the piece of the segment that has one stroke.
#define STROKE_DISTANCE 0.3f
#define STROKE_LENGTH   0.15f
#define STROKE_FRACTION 0.5f
enum { MAX_STROKES = 64 }; // of a segment

#define SLEEPING_COLOR 0xAFBFD4C0u // 0xRRGGBBAA, as all colours here

// ---- the pen

static void add(cn_pen *p, cn_draw_list *list, const vec2s *points, int count, uint32_t color) {
    p->failed = p->failed || !cn_reserve(&p->world->memory, list, list->count + count);
    for (int i = 0; i < count && !p->failed; i++)
        list->items[list->count++] = (cn_draw_vertex){points[i], color};
}

void cn_pen_line(cn_pen *p, vec2s a, vec2s b, uint32_t color) {
    add(p, &p->data->lines, (vec2s[]){a, b}, 2, color);
}

static void add_loop(cn_pen *p, const vec2s *points, int count, uint32_t color) {
    for (int i = 0; i < count; i++) cn_pen_line(p, points[i], points[(i + 1) % count], color);
}

void cn_pen_fill(cn_pen *p, const vec2s *points, int count, uint32_t color) {
    for (int i = 2; i < count; i++)
        add(p, &p->data->triangles, (vec2s[]){points[0], points[i - 1], points[i]}, 3, color);
}

static void add_bounds(cn_pen *p, cn_bounds box, uint32_t color) {
    vec2s a = box.lower, b = box.upper;
    add_loop(p, (vec2s[]){a, cn_vec(b.x, a.y), b, cn_vec(a.x, b.y)}, 4, color);
}

static void add_cross(cn_pen *p, vec2s center, float metres, uint32_t color) {
    vec2s x = cn_vec(metres * p->sim->length_unit, 0), y = cn_perp(x);
    cn_pen_line(p, glms_vec2_sub(center, x), glms_vec2_add(center, x), color);
    cn_pen_line(p, glms_vec2_sub(center, y), glms_vec2_add(center, y), color);
}

// ---- shapes

// Returns the hull of a shape in world coordinates. The hull of a circle gets a normal, which shows
// its rotation.
static cn_hull hull_in_world(const cn_simulation *sim, int shape) {
    cn_hull hull = cn_hull_of(sim, shape);
    cn_pose pose = cn_origin_pose(sim, sim->links[shape].body);
    if (hull.count == 1) hull.normals[0] = cn_vec(1, 0);
    for (int i = 0; i < hull.count; i++) {
        hull.vertices[i] = cn_to_world(pose, hull.vertices[i]);
        hull.normals[i] = cn_rotate(pose.rotation, hull.normals[i]);
    }
    return hull;
}

// Writes the outline of a hull. Returns the number of its points.
static int trace_outline(const cn_hull *hull, vec2s points[MAX_OUTLINE]) {
    int count = 0;
    for (int i = 0; i < hull->count; i++) {
        vec2s from = hull->normals[i > 0 ? i - 1 : hull->count - 1], to = hull->normals[i];
        float angle = cn_abs(cn_atan2(cn_cross(from, to), glms_vec2_dot(from, to)));
        if (hull->count == 1) angle = 2 * CN_PI;
        int pieces = cn_max_int((int)(angle * (TURN_PIECES / (2 * CN_PI)) + 0.5f), 1);
        int last = hull->radius == 0 ? 0 : hull->count == 1 ? pieces - 1 : pieces;
        for (int k = 0; k <= last && count < MAX_OUTLINE; k++) {
            cn_rotation turn = cn_rotation_of(angle * (float)k / (float)pieces);
            vec2s arm = glms_vec2_scale(cn_rotate(turn, from), hull->radius);
            points[count++] = glms_vec2_add(hull->vertices[i], arm);
        }
    }
    return count;
}

cn_palette cn_palette_of(const cn_body_hot *hot) {
    if (!(hot->flags & CN_BODY_ENABLED)) return (cn_palette){0x80808030, 0x80808090};
    if (hot->flags & CN_BODY_IS_KINEMATIC) return (cn_palette){0xB07CC6A0, 0xDDB4EEFF};
    if (!cn_is_dynamic(hot)) return (cn_palette){0x6E8B74A0, 0xA9C4AEFF};
    if (!(hot->flags & CN_BODY_AWAKE)) return (cn_palette){0x8FA3BF60, SLEEPING_COLOR};
    return (cn_palette){0x4C8EDAA0, 0x9CC6F8FF};
}

// Draws slanted strokes on the side on which the segment of a chain is solid. `hull` is in world
// coordinates.
static void draw_solid_side(cn_pen *p, const cn_hull *hull, uint32_t color) {
    vec2s from = hull->vertices[0], along = glms_vec2_sub(hull->vertices[1], from);
    float length = glms_vec2_norm(along), unit = p->sim->length_unit;
    float pieces = cn_clamp(length / (STROKE_DISTANCE * unit), 1, MAX_STROKES);
    int count = (int)pieces;
    float size = cn_min(STROKE_LENGTH * unit, STROKE_FRACTION * length / (float)count);
    vec2s slant = glms_vec2_add(cn_perp(along), along), stroke;
    stroke = glms_vec2_scale(slant, size / length);
    for (int i = 0; i < count; i++) {
        vec2s start = glms_vec2_muladds(along, ((float)i + 0.5f) / (float)count, from);
        cn_pen_line(p, start, glms_vec2_add(start, stroke), color);
    }
}

static void draw_shape(cn_pen *p, int shape) {
    cn_palette colors = cn_palette_of(&p->sim->hot[p->sim->links[shape].body]);
    cn_hull hull = hull_in_world(p->sim, shape);
    vec2s points[MAX_OUTLINE] = {0}; // GCC does not see that all of them are written
    int count = trace_outline(&hull, points);
    cn_pen_fill(p, points, count, colors.fill);
    add_loop(p, points, count, colors.line);
    if (hull.count == 1) cn_pen_line(p, hull.vertices[0], points[0], colors.line); // a spoke
    if (cn_is_one_sided(p->sim, shape)) draw_solid_side(p, &hull, colors.fill);
}

static void draw_box(cn_pen *p, int shape) {
    const cn_tree *tree = cn_tree_of(p->sim, p->sim->links[shape].body);
    if (cn_tree_has(tree, shape)) add_bounds(p, cn_tree_box(tree, shape), 0x81B29A90);
}

static void draw_shapes(cn_pen *p) {
    CN_EACH(CN_SHAPES, i, p->sim) {
        if (p->flags & CN_DRAW_SHAPES && !cn_is_terrain(p->sim, i)) draw_shape(p, i);
        if (p->flags & CN_DRAW_BOUNDS) draw_box(p, i);
    }
}

static void draw_level(cn_pen *p, const cn_tree *tree, int level) {
    static const uint32_t colors[] = {0x56CFE180, 0x7209B7A0, 0xF72585A0, 0xFB8500C0};
    int last = (int)(sizeof colors / sizeof *colors) - 1;
    for (int i = 0; i < cn_tree_blocks(tree, level - 1); i++) {
        cn_bounds box = cn_box8_get(tree->boxes[level], i);
        bool empty = box.lower.x > box.upper.x;
        if (!empty) add_bounds(p, box, colors[cn_min_int(level - 1, last)]);
    }
}

static void draw_tree(cn_pen *p) {
    cn_tree *const trees[] = {&p->sim->moving_tree, &p->sim->static_tree};
    for (int i = 0; i < 2; i++) {
        cn_tree_refit(trees[i]);
        for (int level = 1; level < trees[i]->levels; level++) draw_level(p, trees[i], level);
    }
}

static void draw_grids(cn_pen *p) {
    if (cn_draw_grids) cn_draw_grids(p);
}

// ---- contacts

// The line is on the surface: the edge is moved outwards by the radius.
static void draw_reference_edge(cn_pen *p, const cn_manifold *m, const cn_anchor *anchor) {
    int edge = m->reference_edge;
    bool of_b = m->reference == CN_B;
    cn_hull hull = hull_in_world(p->sim, of_b ? anchor->shape_b : anchor->shape_a);
    if (hull.count == 1) return;
    vec2s out = glms_vec2_scale(hull.normals[edge], hull.radius);
    vec2s from = hull.vertices[edge], to = hull.vertices[(edge + 1) % hull.count];
    cn_pen_line(p, glms_vec2_add(from, out), glms_vec2_add(to, out), 0xEF476FFF);
}

static void draw_contact(cn_pen *p, cn_contact_ref ref) {
    cn_contact contact = cn_contact_of(p->world, ref);
    const cn_manifold *m = &contact.manifold;
    vec2s arrow = glms_vec2_scale(m->normal, 0.2f * p->sim->length_unit);
    if (p->flags & CN_DRAW_REFERENCE_EDGES) draw_reference_edge(p, m, ref.anchor);
    for (int i = 0; i < m->count; i++) {
        vec2s point = m->points[i].point;
        if (p->flags & CN_DRAW_NORMALS)
            cn_pen_line(p, point, glms_vec2_add(point, arrow), 0xF2CC8FFF);
        if (p->flags & CN_DRAW_CONTACTS) add_cross(p, point, 0.03f, 0xF4F1DEFF);
    }
}

// Contacts that began in the last step get larger crosses.
static void draw_contacts(cn_pen *p) {
    for (cn_contact_iterator it = {0}; cn_next_contact(p->world, &it);) draw_contact(p, it.at);
    for (int i = 0; i < p->sim->begins.count && (p->flags & CN_DRAW_CONTACTS); i++)
        add_cross(p, p->sim->begins.items[i].point, 0.06f, 0xFFB703FF);
}

// ---- bodies

// Draws a line from the first body of an island to another.
static void link_bodies(cn_pen *p, int first, int body, uint32_t color) {
    const cn_body_hot a = cn_settled_body(p->sim, first), b = cn_settled_body(p->sim, body);
    cn_pen_line(p, cn_vec(a.x, a.y), cn_vec(b.x, b.y), color);
}

static void draw_awake_islands(cn_pen *p) {
    int end = p->sim->slots[CN_BODIES].end;
    const int *first = end ? cn_find_islands(p->sim) : NULL;
    p->failed |= end && !first;
    for (int i = 0; first && i < end; i++)
        if (first[i] != i) link_bodies(p, first[i], i, 0xFFD16690);
}

static void draw_islands(cn_pen *p) {
    draw_awake_islands(p);
    for (int i = 0; i < p->sim->sleeping_end; i++) {
        const cn_sleeping_island *island = &p->sim->sleeping_islands[i];
        if (!island->alive || island->body_count == 0) continue;
        int body = p->sim->warm[island->first_body].next;
        for (; body >= 0; body = p->sim->warm[body].next)
            link_bodies(p, island->first_body, body, SLEEPING_COLOR);
    }
}

// Draws the axes of each body at its centre of mass.
static void draw_centers(cn_pen *p) {
    float size = 0.1f * p->sim->length_unit;
    CN_EACH(CN_BODIES, i, p->sim) {
        const cn_body_hot hot = cn_settled_body(p->sim, i);
        vec2s center = cn_vec(hot.x, hot.y), x = cn_vec(hot.c * size, hot.s * size);
        cn_pen_line(p, center, glms_vec2_add(center, x), 0xE05252FF);
        cn_pen_line(p, center, glms_vec2_add(center, cn_perp(x)), 0x52C07AFF);
    }
}

// ---- joints

// Returns the force that a line of 1 m stands for. It is the greatest force of all joints now, or
// the scale of the drawing before if that is still greater after its fall. Otherwise the longest
// line would always have the same length, and would not show how the forces change.
static float find_force_scale(const cn_pen *p) {
    float greatest = FORCE_SCALE_FALL * p->data->force_scale;
    CN_EACH(CN_JOINTS, i, p->sim) {
        greatest = cn_max(greatest, glms_vec2_norm(p->sim->joint_load[i].force));
    }
    return greatest;
}

// Draws the force on B as a line that begins at the anchor on B.
static void draw_force(cn_pen *p, int joint, vec2s anchor) {
    vec2s force = p->sim->joint_load[joint].force;
    if (force.x == 0 && force.y == 0) return;
    float scale = p->sim->length_unit / p->data->force_scale;
    cn_pen_line(p, anchor, glms_vec2_muladds(force, scale, anchor), 0xF72585FF);
}

// Draws lines from the centres of moving bodies to the anchors, and a line between the anchors of
// polar joints and of joints with a locked y.
static void draw_joint(cn_pen *p, int joint) {
    cn_lever_arms arms = cn_lever_arms_of(p->sim, joint, cn_no_displacement, cn_no_displacement);
    const cn_joint_def *def = &p->sim->joints[joint].def;
    for (int k = 0; k < 2; k++) {
        const cn_body_hot *hot = &p->sim->hot[p->sim->joint_records[joint].bodies[k]];
        vec2s center = cn_vec(hot->x, hot->y), anchor = glms_vec2_add(center, arms.r[k]);
        if (hot->flags & CN_BODY_MOVES) cn_pen_line(p, center, anchor, 0x06D6A0A0);
        add_cross(p, anchor, 0.05f, 0x06D6A0FF);
        arms.r[k] = anchor;
    }
    if (def->polar || def->y.mode == CN_LOCKED) cn_pen_line(p, arms.r[0], arms.r[1], 0xFFD166FF);
    draw_force(p, joint, arms.r[1]);
}

static void draw_joints(cn_pen *p) {
    p->data->force_scale = find_force_scale(p);
    CN_EACH(CN_JOINTS, i, p->sim) draw_joint(p, i);
}

// ---- the call

static const struct {
    uint32_t flags;
    void (*draw)(cn_pen *p);
} layers[] = {
    {CN_DRAW_SHAPES | CN_DRAW_BOUNDS, draw_shapes},
    {CN_DRAW_SHAPES | CN_DRAW_GRIDS, draw_grids},
    {CN_DRAW_TREE, draw_tree},
    {CN_DRAW_ISLANDS, draw_islands},
    {CN_DRAW_JOINTS, draw_joints},
    {CN_DRAW_MASS, draw_centers},
    {CN_DRAW_REFERENCE_EDGES | CN_DRAW_NORMALS | CN_DRAW_CONTACTS, draw_contacts},
};

static bool check_flags(uint32_t flags) {
    return !(flags & ~(uint32_t)CN_DRAW_ALL) ||
           cn_fail(CN_ERROR_RANGE,
                   "the flags are 0x%x; they must be a combination of cn_draw_flags",
                   (unsigned)flags);
}

bool cn_world_draw(cn_world *world, uint32_t flags, cn_drawing *drawing) {
    if (!cn_edit_world(world, __func__)) return false;
    if (!CN_CHECK(cn_require_pointer("drawing", drawing) && check_flags(flags))) return false;
    cn_drawing_data *data = cn_drawing_of(world);
    cn_draw_list *triangles = &data->triangles, *lines = &data->lines;
    triangles->count = lines->count = 0;
    cn_pen p = {.world = world, .data = data, .sim = &world->sim, .flags = flags};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (flags & layers[i].flags) layers[i].draw(&p);
    if (!CN_CHECK(!p.failed)) return false;
    *drawing = (cn_drawing){triangles->items, lines->items, triangles->count, lines->count,
                            flags & CN_DRAW_JOINTS ? data->force_scale : 0};
    return true;
}
