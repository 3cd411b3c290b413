/* Draws what the solver has at a place over the world: the velocities as arrows, the impulses of
 * contacts as bars along the normal, those of friction as bars along the tangent.
 *
 * The longest arrow and the longest bar of the step have a fixed length. The others are in
 * proportion. A contact point is drawn in the hue of its colour in the plan. The contacts of the
 * last group of places are large. Bodies that the solver has displaced get a second outline. */
#include "../stage/overlays.h"
#include "../ui/font.h"
#include "solver_lab.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float longest_mark = 60;         // pixels, of an arrow or bar
static const float least_displacement = 0.5f; // pixels: less is not seen
#define FRICTION_COLOR 0xFFD166FFu

// Marks are shorter in a small picture.
static float mark_length(const demo_picture *picture) {
    return fminf(longest_mark, fminf(picture->view.area.w, picture->view.area.h) / 10);
}

static int slot_of(cn_body body) { return (int)(body.id & 0xFFFFFF); }

// ---- bodies

// Returns the pose of the body's origin when its centre is where the view has it.
static cn_pose pose_of(const cn_world *world, cn_body body, const trace_body *now) {
    cn_pose before = cn_body_pose(world, body);
    vec2s center = cn_pose_local_point(before, cn_body_center(world, body));
    cn_pose pose = {.rotation = now->rotation};
    pose.position = glms_vec2_sub(now->center, cn_pose_point(pose, center));
    return pose;
}

static void outline_body(const demo_picture *picture, const cn_world *world, cn_body body,
                         cn_pose pose, uint32_t color, float width) {
    for (cn_shape shape = {0}; (shape = cn_body_next_shape(world, body, shape)).id;) {
        cn_hull hull = cn_shape_hull(world, shape);
        picture_hull(picture, &hull, pose, (demo_paint){.outline = color, .width = width});
    }
}

static bool is_end(const trace_place *place, int slot) {
    return place && place->slot >= 0 && (place->ends[0] == slot || place->ends[1] == slot);
}

static void draw_body(const solver_lab *lab, const demo_picture *picture, const cn_world *world,
                      cn_body body) {
    int slot = slot_of(body);
    if (slot >= lab->view.body_count) return;
    const trace_body *now = &lab->view.bodies[slot];
    const trace_place *place = solver_lab_place(lab);
    bool is_shown = lab->level == TRACE_CONTACT && is_end(place, slot);
    vec2s center = view_to_screen(&picture->view, now->center);
    vec2s before = view_to_screen(&picture->view, cn_body_center(world, body));
    bool moved = now->is_dynamic && glms_vec2_distance(center, before) > least_displacement;
    if (is_shown || moved)
        outline_body(picture, world, body, pose_of(world, body, now),
                     is_shown ? picture->theme->reference : picture->theme->text_dim,
                     is_shown ? 2 : 1);
}

static void draw_velocity(const solver_lab *lab, const demo_picture *picture, int slot) {
    const trace_body *now = &lab->view.bodies[slot];
    float largest = solver_lab_shown(lab)->largest_speed;
    if (!now->is_dynamic || !(largest > 0)) return;
    vec2s tail = view_to_screen(&picture->view, now->center);
    vec2s along = glms_vec2_scale(now->velocity, mark_length(picture) / largest);
    if (glms_vec2_norm(along) < 2) return;
    vec2s head = {{tail.x + along.x, tail.y - along.y}};
    canvas_arrow(picture->canvas, tail, head, 1.5f, OVERLAY_VELOCITY_COLOR);
}

// ---- contacts

static void draw_bar(const demo_picture *picture, vec2s from, vec2s direction, float length,
                     float width, uint32_t color) {
    if (fabsf(length) < 0.5f) return;
    vec2s to = {{from.x + direction.x * length, from.y - direction.y * length}};
    canvas_line(picture->canvas, from, to, width, color);
}

static void draw_contact(const solver_lab *lab, const demo_picture *picture, const trace_contact *c,
                         bool is_large) {
    float scale = mark_length(picture) / fmaxf(solver_lab_shown(lab)->largest_impulse, 1e-12f);
    vec2s tangent = {{c->normal.y, -c->normal.x}};
    uint32_t color = solver_lab_color(picture->theme, c->color);
    for (int k = 0; k < c->count; k++) {
        vec2s at = view_to_screen(&picture->view, c->points[k]);
        float length = c->impulses.normal[k] * scale;
        vec2s start = {{at.x - c->normal.x * length / 2, at.y + c->normal.y * length / 2}};
        draw_bar(picture, start, c->normal, length, 3, OVERLAY_IMPULSE_COLOR);
        draw_bar(picture, at, tangent, c->impulses.friction * scale / (float)c->count, 3,
                 FRICTION_COLOR);
        canvas_disc(picture->canvas, at, is_large ? 5 : 2.5f,
                    (demo_paint){color, picture->theme->outline, is_large ? 1 : 0});
    }
}

// The contacts of the last group are large, if it is a colour or less. In a pass all take part.
static void draw_contacts(const solver_lab *lab, const demo_picture *picture) {
    const trace *shown = solver_lab_shown(lab);
    const trace_place *last = solver_lab_place(lab);
    const trace_contact *contacts = lab->view.contacts;
    for (int i = 0; i < lab->view.contact_count; i++)
        draw_contact(lab, picture, &contacts[i], false);
    if (!last || last->slot < 0 || lab->level < TRACE_COLOR) return;
    for (int i = trace_previous(shown, lab->at, lab->level); i < lab->at; i++) {
        const trace_place *p = &shown->places[i];
        if (!p->is_joint && p->slot < lab->view.contact_count)
            draw_contact(lab, picture, &contacts[p->slot], true);
    }
}

// Writes the numbers of the contact if it is under the mouse. Returns false if it is not.
static bool label_contact(const demo_picture *picture, const trace_contact *c) {
    for (int k = 0; k < c->count; k++) {
        vec2s at = view_to_screen(&picture->view, c->points[k]);
        if (glms_vec2_distance(at, picture->mouse) > 8) continue;
        char text[96];
        snprintf(text, sizeof text, "colour %d: %.4g N s, friction %.4g, gap %.2g mm", c->color + 1,
                 (double)c->impulses.normal[k], (double)c->impulses.friction,
                 (double)c->separations[k] * 1000);
        float width = (float)font_text_width(text);
        const demo_area *area = &picture->view.area;
        float x = fmaxf(fminf(at.x + 10, area->x + area->w - width - 8), area->x + 4);
        demo_area box = {x - 4, at.y - 28, width + 8, FONT_LINE};
        canvas_flush(picture->canvas);
        canvas_rounded(picture->canvas, box, 3, (demo_paint){.fill = picture->theme->panel});
        canvas_text(picture->canvas, x, at.y - 26, picture->theme->text, text);
        return true;
    }
    return false;
}

// Writes the values of the longest arrow and the longest bar.
static void write_scale(const solver_lab *lab, const demo_picture *picture) {
    const trace *shown = solver_lab_shown(lab);
    const demo_area *area = &picture->view.area;
    const bool is_narrow = area->w < 520; // above the scale of lengths
    float y = area->y + area->h - (is_narrow ? 48 : 30);
    const struct {
        const char *format;
        float value;
        uint32_t color;
    } items[] = {{"longest arrow %.2g m/s", shown->largest_speed, OVERLAY_VELOCITY_COLOR},
                 {"longest bar %.2g N s", shown->largest_impulse, OVERLAY_IMPULSE_COLOR},
                 {"friction", 0, FRICTION_COLOR}};
    float x = area->x + 16, right = area->x + area->w;
    if (!is_narrow) right -= picture_scale_width(*area) + 24;
    for (int i = 0; i < 3; i++) {
        char text[48];
        const char *format = items[i].format + (is_narrow ? strlen("longest ") : 0);
        snprintf(text, sizeof text, format, (double)items[i].value);
        float width = (float)font_text_width(text);
        if (x + width + 22 > right) return;
        canvas_rect(picture->canvas, (demo_area){x - 4, y - 2, width + 26, FONT_LINE},
                    color_fade(picture->theme->background, 0.7f));
        canvas_rect(picture->canvas, (demo_area){x, y + 3, 9, 9}, items[i].color);
        canvas_text(picture->canvas, x + 14, y, picture->theme->text_dim, text);
        x += width + 32;
    }
}

void solver_lab_draw(const solver_lab *lab, const demo_picture *picture, const demo_stage *stage) {
    if (!lab->is_open) return;
    const cn_world *world = stage->run.world;
    const trace_view *view = &lab->view;
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;) draw_body(lab, picture, world, b);
    draw_contacts(lab, picture);
    for (int i = 0; i < view->body_count; i++) draw_velocity(lab, picture, i);
    write_scale(lab, picture);
    for (int i = 0; i < view->contact_count; i++)
        if (label_contact(picture, &view->contacts[i])) break;
}
