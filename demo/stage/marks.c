/* Arrows that point out of the solid side of one-way shapes, and dashes that run around belts. */
#include "marks.h"

#include <math.h>

static const float spacing = 0.5f, dash = 0.2f; // metres
static const float pi = 3.14159265f;

typedef struct {
    const demo_picture *picture;
    const cn_hull *hull;
    cn_pose pose;
    uint32_t color;
} marks;

static void draw_line(const marks *m, vec2s from, vec2s to) {
    const demo_view *view = &m->picture->view;
    canvas_line(m->picture->canvas, view_to_screen(view, cn_pose_point(m->pose, from)),
                view_to_screen(view, cn_pose_point(m->pose, to)), 2, m->color);
}

// ---- one-way

static void draw_arrow(const marks *m, vec2s foot, vec2s up) {
    vec2s tip = glms_vec2_muladds(up, 0.3f, foot), side = {{-0.12f * up.y, 0.12f * up.x}};
    vec2s neck = glms_vec2_muladds(up, 0.16f, foot);
    draw_line(m, foot, tip);
    draw_line(m, glms_vec2_add(neck, side), tip);
    draw_line(m, glms_vec2_sub(neck, side), tip);
}

static void draw_one_way(const marks *m, vec2s direction) {
    vec2s up = glms_vec2_normalize(direction), along = {{up.y, -up.x}};
    vec2s top = cn_hull_support(*m->hull, up);
    vec2s span = cn_hull_project(*m->hull, (cn_pose){.rotation = {1, 0}}, along);
    float height = glms_vec2_dot(top, up), width = span.y - span.x;
    int count = (int)fmaxf(width / 2, 1);
    for (int i = 0; i < count; i++) {
        float at = span.x + width * ((float)i + 0.5f) / (float)count;
        vec2s foot = glms_vec2_add(glms_vec2_scale(along, at), glms_vec2_scale(up, height - 0.36f));
        draw_arrow(m, foot, up);
    }
}

// ---- belts

// Draws dashes along one side, moved on by `phase` metres. A dash that is cut off at the end
// continues on the next side.
static void draw_side(const marks *m, vec2s from, vec2s to, float phase) {
    float length = glms_vec2_distance(from, to);
    vec2s along = glms_vec2_scale(glms_vec2_sub(to, from), 1 / length);
    for (float at = fmodf(phase, spacing) - spacing; at < length; at += spacing) {
        float begin = fmaxf(at, 0), end = fminf(at + dash, length);
        if (end > begin)
            draw_line(m, glms_vec2_muladds(along, begin, from),
                      glms_vec2_muladds(along, end, from));
    }
}

static void draw_rim(const marks *m, float travelled) {
    float radius = 0.85f * m->hull->radius;
    int count = (int)fmaxf(2 * pi * radius / spacing, 3);
    for (int i = 0; i < count; i++) {
        float a = 2 * pi * (float)i / (float)count - fmodf(travelled / m->hull->radius, 2 * pi);
        cn_rotation p = cn_rotation_of(a), q = cn_rotation_of(a - 0.3f);
        vec2s center = m->hull->vertices[0];
        draw_line(m, (vec2s){{center.x + radius * p.c, center.y + radius * p.s}},
                  (vec2s){{center.x + radius * q.c, center.y + radius * q.s}});
    }
}

// Draws the sides clockwise, in the reverse order of the vertices.
static void draw_belt(const marks *m, float travelled) {
    const cn_hull *h = m->hull;
    if (h->count == 1) draw_rim(m, travelled);
    for (int i = 0; i < h->count && h->count > 1; i++) {
        vec2s in = glms_vec2_scale(h->normals[i], h->radius - 0.1f);
        vec2s from = glms_vec2_add(h->vertices[(i + 1) % h->count], in);
        vec2s to = glms_vec2_add(h->vertices[i], in);
        float phase = fmodf(travelled, spacing);
        draw_side(m, from, to, phase < 0 ? phase + spacing : phase);
    }
}

void marks_draw(const demo_picture *picture, const cn_world *world, cn_shape shape,
                const cn_hull *hull, cn_pose pose, float seconds) {
    marks m = {picture, hull, pose, picture->theme->accent};
    vec2s direction = cn_shape_one_way(world, shape);
    float speed = cn_shape_material(world, shape).surface_speed;
    if (direction.x != 0 || direction.y != 0) draw_one_way(&m, direction);
    if (speed != 0) draw_belt(&m, speed * seconds);
}
