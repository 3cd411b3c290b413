/* Debug drawing: what a world looks like, as plain arrays of coloured triangles and lines.
 *
 * A pen collects vertices in buffers that the world keeps. Each flag has one function that draws
 * its layer, listed in the order of painting. Should memory run out the pen stops writing and the
 * call fails.
 *
 * The outline of a hull goes round its corners. Where it has a radius each corner becomes an arc,
 * from the normal of the edge before to that of the edge after; a whole turn takes 24 pieces:
 *
 *               2
 *             /   \          Corners 0 1 2 and normals n0 n1 n2 of a rounded triangle: the arc at
 *       n2  /       \  n1    corner 1 leads from n0 to n1. A capsule has corners 0 (-x) and 1 (+x)
 *         0 --------- 1      and the normals of its sides, so its arcs are half turns. A circle has
 *              n0            one corner and no edge: its arc is a full turn.
 *
 * Contact points are shown where the lever arm about body A puts them now. Marks have lengths in
 * metres: multiples of sim.length_unit. */
#include "world.h"

enum { TURN_PIECES = 24, MAX_OUTLINE = TURN_PIECES + 2 * CN_MAX_VERTICES };

#define POINT_SIZE  0.03f // metres; half the width of a cross
#define FRESH_SIZE  0.06f
#define CENTER_SIZE 0.10f
#define NORMAL_SIZE 0.20f

#define PERSISTING_COLOR 0xF4F1DEFFu // 0xRRGGBBAA
#define FRESH_COLOR      0xFFB703FFu
#define NORMAL_COLOR     0xF2CC8FFFu
#define EDGE_COLOR       0xEF476FFFu
#define BOUNDS_COLOR     0x81B29A90u
#define ISLAND_COLOR     0xFFD16690u
#define X_AXIS_COLOR     0xE05252FFu
#define Y_AXIS_COLOR     0x52C07AFFu

typedef struct {
    uint32_t fill, line;
} palette;

static const palette dynamic_colors = {0x4C8EDAA0, 0x9CC6F8FF};
static const palette sleeping_colors = {0x8FA3BF60, 0xAFBFD4C0};
static const palette kinematic_colors = {0xB07CC6A0, 0xDDB4EEFF};
static const palette static_colors = {0x6E8B74A0, 0xA9C4AEFF};
static const palette disabled_colors = {0x80808030, 0x80808090};

static const uint32_t level_colors[] = {0x56CFE180, 0x7209B7A0, 0xF72585A0, 0xFB8500C0};

// ---- the pen

typedef struct {
    cn_simulation *sim;
    cn_draw_buffers *out;
    bool failed; // memory ran out
} pen;

static void add_triangle(pen *p, vec2s a, vec2s b, vec2s c, uint32_t color) {
    cn_draw_buffers *out = p->out;
    p->failed = p->failed || !cn_grow(&p->sim->memory, &out->triangles, &out->triangle_capacity,
                                      out->triangle_count + 3);
    if (p->failed) return;
    cn_draw_vertex *vertex = &out->triangles[out->triangle_count];
    vertex[0] = (cn_draw_vertex){a, color};
    vertex[1] = (cn_draw_vertex){b, color};
    vertex[2] = (cn_draw_vertex){c, color};
    out->triangle_count += 3;
}

static void add_line(pen *p, vec2s a, vec2s b, uint32_t color) {
    cn_draw_buffers *out = p->out;
    p->failed = p->failed ||
                !cn_grow(&p->sim->memory, &out->lines, &out->line_capacity, out->line_count + 2);
    if (p->failed) return;
    out->lines[out->line_count++] = (cn_draw_vertex){a, color};
    out->lines[out->line_count++] = (cn_draw_vertex){b, color};
}

static void add_cross(pen *p, vec2s center, float metres, uint32_t color) {
    float size = metres * p->sim->length_unit;
    vec2s x = cn_vec(size, 0), y = cn_vec(0, size);
    add_line(p, glms_vec2_sub(center, x), glms_vec2_add(center, x), color);
    add_line(p, glms_vec2_sub(center, y), glms_vec2_add(center, y), color);
}

static void add_bounds(pen *p, cn_bounds box, uint32_t color) {
    vec2s lower_right = cn_vec(box.upper.x, box.lower.y);
    vec2s upper_left = cn_vec(box.lower.x, box.upper.y);
    add_line(p, box.lower, lower_right, color);
    add_line(p, lower_right, box.upper, color);
    add_line(p, box.upper, upper_left, color);
    add_line(p, upper_left, box.lower, color);
}

// ---- outlines

// The corners of a hull and the normals of its edges, in its canonical frame.
typedef struct {
    vec2s corners[CN_MAX_VERTICES], normals[CN_MAX_VERTICES];
    int count;
    float radius;
    cn_pose pose; // of that frame, in the world
} form;

static void fill_box_form(form *f, float hx, float hy) {
    static const float side_x[4] = {-1, 1, 1, -1}, side_y[4] = {-1, -1, 1, 1};
    static const vec2s normals[4] = {{{0, -1}}, {{1, 0}}, {{0, 1}}, {{-1, 0}}};
    int step = f->count == 2 ? 2 : 1; // a capsule has the normals 0 and 2 of a flat box
    for (int i = 0; i < f->count; i++) {
        f->corners[i] = cn_vec(side_x[i] * hx, side_y[i] * hy);
        f->normals[i] = normals[i * step];
    }
}

static form form_of(const cn_simulation *sim, int shape) {
    const cn_placed_hull *placed = &sim->placed[shape];
    form f = {.count = cn_placed_count(placed),
              .radius = placed->radius,
              .pose = {cn_vec(placed->x, placed->y), {placed->c, placed->s}}};
    if (cn_placed_class(placed) == CN_CLASS_BOX) {
        fill_box_form(&f, placed->hx, placed->hy);
        return f;
    }
    const cn_hull8 *hull = &sim->hulls.hulls8[placed->hull];
    for (int i = 0; i < f.count; i++) {
        f.corners[i] = cn_vec(hull->x[i], hull->y[i]);
        f.normals[i] = cn_vec(hull->nx[i], hull->ny[i]);
    }
    return f;
}

typedef struct {
    vec2s points[MAX_OUTLINE]; // world
    int count;
} outline;

static void add_point(outline *line, const form *f, vec2s local) {
    if (line->count < MAX_OUTLINE) line->points[line->count++] = cn_to_world(f->pose, local);
}

// From `start` (a unit vector) on by `angle` in equal pieces; a full turn leaves out its last
// point.
static void add_arc(outline *line, const form *f, vec2s center, vec2s start, float angle) {
    int pieces = cn_max_int((int)(angle * (TURN_PIECES / (2 * CN_PI)) + 0.5f), 1);
    cn_rotation turn = cn_rotation_of(angle / (float)pieces);
    vec2s direction = glms_vec2_scale(start, f->radius);
    for (int i = 0; i < pieces + (f->count > 1); i++) {
        add_point(line, f, glms_vec2_add(center, direction));
        direction = cn_rotate(turn, direction);
    }
}

static float angle_between(vec2s a, vec2s b) {
    return cn_abs(cn_atan2(cn_cross(a, b), glms_vec2_dot(a, b)));
}

static outline outline_of(const form *f) {
    outline line = {.count = 0};
    for (int i = 0; i < f->count; i++) {
        vec2s before = f->normals[i > 0 ? i - 1 : f->count - 1];
        if (f->radius == 0)
            add_point(&line, f, f->corners[i]);
        else if (f->count == 1)
            add_arc(&line, f, f->corners[0], cn_vec(1, 0), 2 * CN_PI);
        else
            add_arc(&line, f, f->corners[i], before, angle_between(before, f->normals[i]));
    }
    return line;
}

// ---- shapes

static const palette *colors_of(const cn_body_hot *hot) {
    if (!(hot->flags & CN_BODY_ENABLED)) return &disabled_colors;
    if (hot->flags & CN_BODY_IS_KINEMATIC) return &kinematic_colors;
    if (!cn_is_dynamic(hot)) return &static_colors;
    return hot->flags & CN_BODY_AWAKE ? &dynamic_colors : &sleeping_colors;
}

static void draw_shape(pen *p, int shape) {
    const palette *colors = colors_of(&p->sim->hot[p->sim->links[shape].body]);
    form f = form_of(p->sim, shape);
    outline line = outline_of(&f);
    for (int i = 2; i < line.count; i++)
        add_triangle(p, line.points[0], line.points[i - 1], line.points[i], colors->fill);
    for (int i = 0; i < line.count; i++)
        add_line(p, line.points[i], line.points[(i + 1) % line.count], colors->line);
    // A spoke lets one see a circle turn.
    if (f.count == 1) add_line(p, f.pose.position, line.points[0], colors->line);
}

static void draw_shapes(pen *p) {
    for (int i = 0; i < p->sim->shape_end; i++)
        if (cn_is_shape(p->sim, i)) draw_shape(p, i);
}

static void draw_bounds(pen *p) {
    for (int i = 0; i < p->sim->shape_end; i++) {
        if (!cn_is_shape(p->sim, i)) continue;
        const cn_tree *tree = cn_tree_of(p->sim, p->sim->links[i].body);
        if (cn_tree_has(tree, i)) add_bounds(p, cn_tree_box(tree, i), BOUNDS_COLOR);
    }
}

static void draw_level_box(int level, cn_bounds box, void *context) {
    int last = (int)(sizeof level_colors / sizeof *level_colors) - 1;
    add_bounds(context, box, level_colors[cn_min_int(level - 1, last)]);
}

static void draw_tree(pen *p) {
    cn_tree_refit(&p->sim->moving);
    cn_tree_refit(&p->sim->fixed);
    cn_tree_visit_levels(&p->sim->moving, draw_level_box, p);
    cn_tree_visit_levels(&p->sim->fixed, draw_level_box, p);
}

// ---- contacts

typedef struct {
    const cn_contact_record *record;
    const cn_anchor *anchor;
    int body_a;
} contact_view;

typedef void contact_painter(pen *p, const contact_view *contact);

static void paint_list(pen *p, contact_painter *paint, const cn_sleeping_island *island) {
    for (int i = 0; i < island->touching_count; i++)
        paint(p, &(contact_view){&island->records[i], &island->anchors[i], island->bodies[i].a});
}

// Every touching contact, awake ones first.
static void paint_contacts(pen *p, contact_painter *paint) {
    const cn_touching *touching = &p->sim->touching;
    for (int i = 0; i < touching->end; i++)
        if (touching->occupied[i >> 6] >> (i & 63) & 1)
            paint(p, &(contact_view){&touching->records[i], &touching->anchors[i],
                                     touching->bodies[i].a});
    for (int i = 0; i < p->sim->sleeper_end; i++)
        if (p->sim->sleepers[i].alive) paint_list(p, paint, &p->sim->sleepers[i]);
}

static int point_count(const contact_view *contact) {
    return contact->record->meta >> CN_META_COUNT & 3;
}

static vec2s contact_point(const pen *p, const contact_view *contact, int i) {
    const cn_body_hot *a = &p->sim->hot[contact->body_a];
    const cn_contact_record *r = contact->record;
    return i == 0 ? cn_vec(a->x + r->p1x, a->y + r->p1y) : cn_vec(a->x + r->p2x, a->y + r->p2y);
}

static void paint_points(pen *p, const contact_view *contact) {
    for (int i = 0; i < point_count(contact); i++)
        add_cross(p, contact_point(p, contact, i), POINT_SIZE, PERSISTING_COLOR);
}

static void paint_normal(pen *p, const contact_view *contact) {
    float length = NORMAL_SIZE * p->sim->length_unit;
    vec2s n = cn_vec(contact->record->nx * length, contact->record->ny * length);
    for (int i = 0; i < point_count(contact); i++) {
        vec2s point = contact_point(p, contact, i);
        add_line(p, point, glms_vec2_add(point, n), NORMAL_COLOR);
    }
}

// The edge is drawn on the surface, that is moved out by the radius.
static void paint_reference_edge(pen *p, const contact_view *contact) {
    int code = contact->record->meta >> CN_META_REFERENCE & 15, edge = code & 7;
    form f = form_of(p->sim, code & 8 ? contact->anchor->shape_b : contact->anchor->shape_a);
    if (f.count == 1) return;
    vec2s out = glms_vec2_scale(f.normals[edge], f.radius);
    vec2s from = f.corners[edge], to = f.corners[(edge + 1) % f.count];
    add_line(p, cn_to_world(f.pose, glms_vec2_add(from, out)),
             cn_to_world(f.pose, glms_vec2_add(to, out)), EDGE_COLOR);
}

static void draw_contacts(pen *p) {
    paint_contacts(p, paint_points);
    for (int i = 0; i < p->sim->begin_count; i++)
        add_cross(p, p->sim->begins[i].point, FRESH_SIZE, FRESH_COLOR);
}

static void draw_normals(pen *p) { paint_contacts(p, paint_normal); }
static void draw_reference_edges(pen *p) { paint_contacts(p, paint_reference_edge); }

// ---- bodies

static vec2s center_of(const pen *p, int body) {
    return cn_vec(p->sim->hot[body].x, p->sim->hot[body].y);
}

// The islands of a batch are runs of its bodies. The plan is that of the last step, so bodies that
// left it since are passed over.
static void draw_islands_of_batch(pen *p, int batch) {
    const cn_batch *plan = &p->sim->plan.batches[batch];
    const int *body = plan->bodies, *size = plan->islands;
    for (int i = 0; i < plan->island_count; body += size[i++]) {
        for (int k = 1; k < size[i]; k++)
            if (p->sim->warm[body[0]].batch == batch && p->sim->warm[body[k]].batch == batch)
                add_line(p, center_of(p, body[0]), center_of(p, body[k]), ISLAND_COLOR);
    }
}

static void draw_sleeping_island(pen *p, const cn_sleeping_island *island) {
    vec2s first = center_of(p, island->first_body);
    int body = p->sim->warm[island->first_body].next;
    for (; body >= 0; body = p->sim->warm[body].next)
        add_line(p, first, center_of(p, body), sleeping_colors.line);
}

static void draw_islands(pen *p) {
    for (int i = 0; i < p->sim->plan.batch_count; i++)
        if (p->sim->plan.batches[i].alive) draw_islands_of_batch(p, i);
    for (int i = 0; i < p->sim->sleeper_end; i++)
        if (p->sim->sleepers[i].alive && p->sim->sleepers[i].body_count > 0)
            draw_sleeping_island(p, &p->sim->sleepers[i]);
}

// The centre of mass and the axes of the body there.
static void draw_centers(pen *p) {
    float size = CENTER_SIZE * p->sim->length_unit;
    for (int i = 0; i < p->sim->body_end; i++) {
        const cn_body_hot *hot = &p->sim->hot[i];
        if (!cn_is_body(p->sim, i)) continue;
        vec2s center = center_of(p, i), x = cn_vec(hot->c * size, hot->s * size);
        add_line(p, center, glms_vec2_add(center, x), X_AXIS_COLOR);
        add_line(p, center, glms_vec2_add(center, cn_perp(x)), Y_AXIS_COLOR);
    }
}

// ---- the call

static const struct {
    uint32_t flag;
    void (*draw)(pen *p);
} layers[] = {
    {CN_DRAW_SHAPES, draw_shapes},   {CN_DRAW_BOUNDS, draw_bounds},
    {CN_DRAW_TREE, draw_tree},       {CN_DRAW_ISLANDS, draw_islands},
    {CN_DRAW_MASS, draw_centers},    {CN_DRAW_REFERENCE_EDGES, draw_reference_edges},
    {CN_DRAW_NORMALS, draw_normals}, {CN_DRAW_CONTACTS, draw_contacts},
};

bool cn_world_draw(cn_world *world, uint32_t flags, cn_drawing *drawing) {
    if (!cn_check_world(world, __func__)) return false;
    if (!cn_check_pointer(drawing, "drawing", __func__)) return false;
    if (flags & ~(uint32_t)CN_DRAW_ALL)
        return cn_fail(CN_ERROR_RANGE, "%s: unknown flags 0x%x", __func__, (unsigned)flags);
    pen p = {.sim = &world->sim, .out = &world->draw};
    p.out->triangle_count = p.out->line_count = 0;
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (flags & layers[i].flag) layers[i].draw(&p);
    if (p.failed) return false;
    *drawing =
        (cn_drawing){p.out->triangles, p.out->lines, p.out->triangle_count, p.out->line_count};
    return true;
}

void cn_draw_free(cn_draw_buffers *buffers, cn_memory *memory) {
    cn_free(memory, &buffers->triangles, &buffers->triangle_capacity);
    cn_free(memory, &buffers->lines, &buffers->line_capacity);
}
