/* A velocity is an arrow as long as the displacement in 0.1 s. An impulse is a bar along the normal
 * of the contact. The bar of the largest impulse has a fixed length, and the others are in
 * proportion. Overlap is a dot on each contact point, from yellow (none) to red (1 cm or more). */
#include "measures.h"
#include "overlays.h"

#include <math.h>
#include <stdlib.h>

static const float longest_bar = 60, full_overlap = 0.01f; // pixels; m

static void draw_velocities(const demo_picture *picture, const cn_world *world) {
    const demo_view *view = &picture->view;
    for (cn_body b = {0}; (b = cn_world_next_body(world, b)).id;) {
        vec2s velocity = cn_body_velocity(world, b), from = cn_body_center(world, b);
        if (glms_vec2_norm(velocity) * 0.1f * view->scale < 2) continue;
        canvas_arrow(picture->canvas, view_to_screen(view, from),
                     view_to_screen(view, glms_vec2_muladds(velocity, 0.1f, from)), 1.5f,
                     OVERLAY_VELOCITY_COLOR);
    }
}

static void draw_impulse(const demo_picture *picture, const cn_manifold *m, int i, float scale) {
    vec2s at = view_to_screen(&picture->view, m->points[i].point);
    float length = m->points[i].normal_impulse * scale / 2;
    vec2s along = {{m->normal.x * length, -m->normal.y * length}};
    canvas_line(picture->canvas, glms_vec2_sub(at, along), glms_vec2_add(at, along), 3,
                OVERLAY_IMPULSE_COLOR);
}

static void draw_overlap(const demo_picture *picture, const cn_manifold *m, int i) {
    float depth = fminf(fmaxf(-m->points[i].separation, 0) / full_overlap, 1);
    uint32_t color = color_mix(0xFFD166FF, 0xEF233CFF, depth);
    canvas_disc(picture->canvas, view_to_screen(&picture->view, m->points[i].point), 3 + 4 * depth,
                (demo_paint){.fill = color});
}

static float greatest_impulse(const cn_contact *contacts, int count) {
    float greatest = 1e-6f;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < contacts[i].manifold.count; k++)
            greatest = fmaxf(greatest, contacts[i].manifold.points[k].normal_impulse);
    return greatest;
}

static void draw_contacts(const demo_picture *picture, const cn_world *world) {
    int count = cn_world_contacts(world, NULL, 0);
    cn_contact *contacts = malloc((size_t)count * sizeof *contacts + 1);
    if (!contacts) return;
    cn_world_contacts(world, contacts, count);
    float scale = longest_bar / greatest_impulse(contacts, count);
    for (int i = 0; i < count; i++) {
        const cn_manifold *m = &contacts[i].manifold;
        for (int k = 0; k < m->count; k++) {
            if (picture->overlays & OVERLAY_IMPULSES) draw_impulse(picture, m, k, scale);
            if (picture->overlays & OVERLAY_OVERLAP) draw_overlap(picture, m, k);
        }
    }
    free(contacts);
}

void measures_draw(const demo_picture *picture, cn_world *world) {
    if (picture->overlays & OVERLAY_VELOCITIES) draw_velocities(picture, world);
    if (picture->overlays & (OVERLAY_IMPULSES | OVERLAY_OVERLAP)) draw_contacts(picture, world);
}
