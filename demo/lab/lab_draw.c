/* The SAT lab in its world: the two hulls, their shadows on one axis, the features of the contact,
 * and the shortest move that separates the hulls. */
#include "../ui/captions.h"
#include "../ui/font.h"
#include "lab.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct {
    const demo_picture *picture;
    const lab_result *result;
} sheet;

static vec2s to_screen(const sheet *s, vec2s world) {
    return view_to_screen(&s->picture->view, world);
}

static void draw_line(const sheet *s, vec2s a, vec2s b, float width, uint32_t color) {
    canvas_line(s->picture->canvas, to_screen(s, a), to_screen(s, b), width, color);
}

static void draw_dashes(const sheet *s, vec2s a, vec2s b, uint32_t color) {
    canvas_dashes(s->picture->canvas, to_screen(s, a), to_screen(s, b), 4, 1, color);
}

static void draw_dot(const sheet *s, vec2s point, float radius, demo_paint paint) {
    canvas_disc(s->picture->canvas, to_screen(s, point), radius, paint);
}

static uint32_t hull_color(const sheet *s, int side) {
    return side ? s->picture->theme->hull_b : s->picture->theme->hull_a;
}

// ---- the hulls

static void draw_hull(const sheet *s, int side) {
    const demo_theme *theme = s->picture->theme;
    uint32_t color = hull_color(s, side);
    uint32_t fill = s->result->touching ? color_mix(color, theme->overlap, 0.55f) : color;
    demo_paint paint = {color_fade(fill, s->result->touching ? 0.42f : 0.25f), color, 2};
    picture_hull(s->picture, &s->result->hulls[side], s->result->poses[side], paint);
    vec2s center =
        cn_pose_point(s->result->poses[side], cn_hull_mass_data(s->result->hulls[side], 1).center);
    if (s->result->hulls[side].count == 2 && s->result->hulls[side].radius <= 0)
        center = s->result->poses[side].position; // a segment has no mass
    picture_label(s->picture, center, 0, 0, theme->text, side ? "B" : "A");
}

// Returns the support point of a hull: the farthest one along a direction in the world.
static vec2s find_support(const lab_result *result, int side, vec2s direction) {
    cn_hull placed = cn_hull_at(result->hulls[side], result->poses[side]);
    return cn_hull_support(placed, direction);
}

// ---- one axis in full

// Returns the projection of a point onto the axis. The axis is drawn through `base`.
static vec2s project_point(const lab_axis *axis, vec2s base, vec2s point) {
    float along = glms_vec2_dot(axis->direction, glms_vec2_sub(point, base));
    return glms_vec2_muladds(axis->direction, along, base);
}

// Returns a point to draw the axis through: below the hulls, clear of both.
static vec2s find_base(const lab_result *result, const lab_axis *axis) {
    vec2s aside = {{axis->direction.y, -axis->direction.x}};
    if (aside.y > 0) aside = glms_vec2_negate(aside);
    float reach = -INFINITY;
    for (int i = 0; i < 2; i++)
        reach = fmaxf(reach, glms_vec2_dot(aside, glms_vec2_sub(find_support(result, i, aside),
                                                                result->middle)));
    return glms_vec2_muladds(aside, reach + 0.7f, result->middle);
}

static void draw_shadow(const sheet *s, const lab_axis *axis, vec2s base, int side) {
    uint32_t color = hull_color(s, side);
    vec2s inward = side ? glms_vec2_negate(axis->direction) : axis->direction;
    vec2s inner = find_support(s->result, side, inward);
    vec2s outer = find_support(s->result, side, glms_vec2_negate(inward));
    vec2s inner_foot = project_point(axis, base, inner),
          outer_foot = project_point(axis, base, outer);
    draw_dashes(s, inner, inner_foot, color_fade(color, 0.9f));
    draw_dashes(s, outer, outer_foot, color_fade(color, 0.4f));
    // The two shadows lie on either side of the axis.
    vec2s shift = {{axis->direction.y * 4.5f, axis->direction.x * 4.5f}}; // pixels
    if (side) shift = glms_vec2_negate(shift);
    canvas_line(s->picture->canvas, glms_vec2_add(to_screen(s, inner_foot), shift),
                glms_vec2_add(to_screen(s, outer_foot), shift), 4, color);
    draw_dot(s, inner, 5, (demo_paint){s->picture->theme->background, color, 2});
}

// Writes text centred on a pixel, or beside it where it would leave the picture.
static void write_inside(const demo_picture *picture, vec2s at, uint32_t color, const char *text) {
    const demo_area *area = &picture->view.area;
    float half = (float)font_text_width(text) / 2 + 4, top = area->y + FONT_LINE;
    at.x = fmaxf(fminf(at.x, area->x + area->w - half), area->x + half);
    at.y = fmaxf(fminf(at.y, area->y + area->h - FONT_LINE), top);
    picture_label(picture, view_to_world(&picture->view, at), 0, 0, color, text);
}

static void draw_axis(const sheet *s, const lab_axis *axis) {
    const demo_theme *theme = s->picture->theme;
    vec2s base = find_base(s->result, axis), d = axis->direction;
    float low = fminf(axis->shadows[0].x, axis->shadows[1].x) - 0.6f;
    float high = fmaxf(axis->shadows[0].y, axis->shadows[1].y) + 0.6f;
    canvas_arrow(s->picture->canvas, to_screen(s, glms_vec2_muladds(d, low, base)),
                 to_screen(s, glms_vec2_muladds(d, high, base)), 1.25f, theme->text_dim);
    draw_shadow(s, axis, base, 0);
    draw_shadow(s, axis, base, 1);
    vec2s a = glms_vec2_muladds(d, axis->shadows[0].y, base);
    vec2s b = glms_vec2_muladds(d, axis->shadows[1].x, base);
    uint32_t color = axis->separation > 0 ? theme->gap : theme->overlap;
    draw_line(s, a, b, 18, color_fade(color, 0.5f));
    char text[32];
    snprintf(text, sizeof text, "%+.3f m", (double)axis->separation);
    vec2s aside = glms_vec2_normalize(glms_vec2_sub(base, s->result->middle));
    vec2s label = to_screen(s, glms_vec2_lerp(a, b, 0.5f));
    label = (vec2s){{label.x + aside.x * 44, label.y - aside.y * 20}};
    write_inside(s->picture, label, color, text);
}

// ---- the features of the contact

typedef struct {
    vec2s a, b; // on the surface, that is with the radius
    bool exists;
} surface_edge;

static surface_edge find_edge(const lab_result *result, int side, int edge) {
    cn_hull hull = cn_hull_at(result->hulls[side], result->poses[side]);
    if (hull.count < 2 || edge < 0 || edge >= hull.count) return (surface_edge){.exists = false};
    vec2s out = glms_vec2_scale(hull.normals[edge], hull.radius);
    return (surface_edge){glms_vec2_add(hull.vertices[edge], out),
                          glms_vec2_add(hull.vertices[(edge + 1) % hull.count], out), true};
}

static bool edge_exists(const lab_result *result, int side, int edge) {
    return find_edge(result, side, edge).exists;
}

static void draw_edges(const sheet *s) {
    const cn_manifold *m = &s->result->manifold;
    const demo_theme *theme = s->picture->theme;
    int side = m->reference == CN_A ? 0 : 1;
    surface_edge reference = find_edge(s->result, side, m->reference_edge);
    surface_edge incident = find_edge(s->result, 1 - side, m->incident_edge);
    if (incident.exists) draw_line(s, incident.a, incident.b, 5, theme->incident);
    if (!reference.exists) return;
    draw_line(s, reference.a, reference.b, 5, theme->reference);
    // These lines clip the incident edge.
    vec2s out = glms_vec2_scale(side ? glms_vec2_negate(m->normal) : m->normal, 1.4f);
    uint32_t faint = color_fade(theme->reference, 0.6f);
    draw_dashes(s, glms_vec2_sub(reference.a, out), glms_vec2_add(reference.a, out), faint);
    draw_dashes(s, glms_vec2_sub(reference.b, out), glms_vec2_add(reference.b, out), faint);
}

static void draw_points(const sheet *s) {
    const cn_manifold *m = &s->result->manifold;
    const demo_theme *theme = s->picture->theme;
    for (int i = 0; i < m->count; i++) {
        const cn_manifold_point *p = &m->points[i];
        vec2s half = glms_vec2_scale(m->normal, p->separation / 2);
        uint32_t color = p->separation <= 0 ? theme->overlap : theme->gap;
        draw_line(s, glms_vec2_sub(p->point, half), glms_vec2_add(p->point, half), 2, color);
        draw_dot(s, p->point, 5.5f, (demo_paint){color, theme->background, 1.5f});
    }
}

// Draws the shortest move of B that separates the two hulls, and B after this move.
static void draw_separating_move(const sheet *s) {
    const lab_result *result = s->result;
    const demo_theme *theme = s->picture->theme;
    if (result->depth <= 0) return;
    vec2s move = glms_vec2_scale(result->manifold.normal, result->depth);
    cn_pose pose = result->poses[1];
    vec2s from = glms_vec2_muladds(result->manifold.normal, 0.45f, pose.position);
    pose.position = glms_vec2_add(pose.position, move);
    demo_paint ghost = {0, color_fade(theme->hull_b, 0.5f), 1.25f};
    ghost.fill = theme->hull_b & ~255u;
    picture_hull(s->picture, &result->hulls[1], pose, ghost);
    canvas_arrow(s->picture->canvas, to_screen(s, from), to_screen(s, glms_vec2_add(from, move)),
                 3.5f, theme->overlap);
}

// ---- the report

enum { MAX_SENTENCES = 6 };

typedef struct {
    char text[MAX_SENTENCES][96];
    uint32_t colors[MAX_SENTENCES];
    int count;
} report;

static void add_sentence(report *r, uint32_t color, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(r->text[r->count], sizeof r->text[0], format, values);
    va_end(values);
    r->colors[r->count++] = color;
}

// Returns the name that the list of axes gives it.
static const char *name_of_axis(const lab_axis *axis) {
    static char name[16];
    if (axis->edge < 0) return "AB's"; // from the nearest corner of A to that of B
    snprintf(name, sizeof name, "%c%d's", 'A' + axis->side, axis->edge);
    return name;
}

static report compose(const sheet *s) {
    const lab_result *result = s->result;
    const demo_theme *theme = s->picture->theme;
    const cn_manifold *m = &result->manifold;
    int side = m->reference == CN_A ? 0 : 1;
    report r = {.count = 0};
    if (result->touching)
        add_sentence(&r, theme->overlap, "touching, depth %.3f m", (double)result->depth);
    else
        add_sentence(&r, theme->gap, "apart: %s axis separates them, gap %.3f m",
                     name_of_axis(&result->axes[result->best]),
                     (double)result->axes[result->best].separation);
    add_sentence(&r, theme->text, "normal from A: (%.3f, %.3f)", (double)m->normal.x,
                 (double)m->normal.y);
    if (edge_exists(result, side, m->reference_edge))
        add_sentence(&r, theme->reference, "reference edge %c%d", 'A' + side, m->reference_edge);
    if (edge_exists(result, 1 - side, m->incident_edge))
        add_sentence(&r, theme->incident, "incident edge %c%d", 'B' - side, m->incident_edge);
    for (int i = 0; i < m->count; i++) {
        const cn_manifold_point *p = &m->points[i];
        add_sentence(&r, theme->text_dim, "point %d (A%d, B%d): %+.3f m", i + 1, p->id & 15,
                     p->id >> 4, (double)p->separation);
    }
    return r;
}

static void write_findings(const sheet *s) {
    const demo_theme *theme = s->picture->theme;
    const demo_area *area = &s->picture->view.area;
    report r = compose(s);
    float height = (float)(r.count * FONT_LINE) + 18;
    float width = lab_box_width(area); // as wide as the box of axes above it
    for (int i = 0; i < r.count; i++) width = fmaxf(width, (float)font_text_width(r.text[i]) + 24);
    demo_area box = {area->x + area->w - width - 12, area->y + area->h - height - 42, width,
                     height};
    canvas_rounded(s->picture->canvas, box, 8, (demo_paint){theme->panel, theme->panel_edge, 1});
    for (int i = 0; i < r.count; i++)
        canvas_text(s->picture->canvas, box.x + 12, box.y + 10 + (float)(i * FONT_LINE),
                    r.colors[i], r.text[i]);
}

// ---- the explanation

enum { PROJECTION = 1, AXES, SUPPORT, EDGES, CLIPPING, MOVE };

static const char *const lessons[SAT_LAB_LESSONS + 1] = {
    [PROJECTION] = "1 of 6. Light across an axis casts a shadow of each hull on it: the projection "
                   "of the hull. If there is an axis on which the shadows are apart, the hulls are "
                   "apart. Otherwise they overlap. This is the separating axis theorem.",
    [AXES] = "2 of 6. Which axes must be tried? For polygons, only the normals of their edges. If "
             "corners are round, also the line AB between the two nearest corners. The list "
             "shows all of them with the distance of the shadows. Point at a row to see its axis.",
    [SUPPORT] = "3 of 6. The ends of a shadow belong to support points: the farthest points of a "
                "hull along the axis. So the distance of the shadows is that of two support "
                "points, measured along the axis.",
    [EDGES] = "4 of 6. The axis with the greatest distance (or the least overlap) decides. Its "
              "edge is the reference edge. The edge of the other hull that faces it most is the "
              "incident edge.",
    [CLIPPING] = "5 of 6. The incident edge is clipped at both ends of the reference edge. The "
                 "ends of what is left are the contact points, one or two.",
    [MOVE] = "6 of 6. The shortest move of B that separates the hulls is along this axis, by the "
             "overlap of the shadows: the minimum translation vector. The outline shows B after "
             "this move. Read on in lessons 1 to 5 in demo/lessons.",
};

static void explain(const sheet *s, int lesson) {
    const demo_area *area = &s->picture->view.area;
    bool has_boxes = area->w >= 560; // at the right
    float width = has_boxes ? fminf(area->w - lab_box_width(area) - 60, 560) : area->w - 24;
    int lines = captions_write(NULL, 0, 0, width, 0, lessons[lesson]);
    float y = area->y + area->h - (float)(lines * FONT_LINE) - (has_boxes ? 18 : 2);
    captions_write(s->picture, area->x + 16, y, width, s->picture->theme->text, lessons[lesson]);
}

void lab_draw(const demo_picture *picture, demo_stage *stage) {
    const sat_lab *lab = stage->run.memory;
    lab_result result = lab_examine(stage->run.world, lab);
    sheet s = {picture, &result};
    int shown = lab_shown_axis(picture, &result), lesson = lab->lesson;
    draw_hull(&s, 0);
    draw_hull(&s, 1);
    if (lesson == 0 || lesson == MOVE) draw_separating_move(&s);
    if (lesson == 0 || lesson == EDGES || lesson == CLIPPING) draw_edges(&s);
    if (lesson == 0 || lesson == CLIPPING) draw_points(&s);
    if (result.count && lesson != CLIPPING) draw_axis(&s, &result.axes[shown]);
    canvas_flush(picture->canvas); // so that the boxes also cover the labels
    if (lesson) explain(&s, lesson);
    if (lesson != PROJECTION) lab_draw_axes(picture, &result, shown);
    bool has_room = picture->view.area.w >= 560; // beside the hulls
    if (has_room && (lesson == 0 || lesson >= CLIPPING)) write_findings(&s);
}
