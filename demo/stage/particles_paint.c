/* Each kind of particle is a shape that fades out. */
#include "particles_paint.h"

#include <math.h>

static const float pi = 3.14159265f;

static void draw_ring(const demo_picture *picture, vec2s center, float radius, uint32_t color) {
    enum { STEPS = 48 };
    for (int i = 0; i < STEPS; i++) {
        float a = 2 * pi * (float)i / STEPS, b = 2 * pi * (float)(i + 1) / STEPS;
        canvas_line(picture->canvas,
                    (vec2s){{center.x + radius * cosf(a), center.y + radius * sinf(a)}},
                    (vec2s){{center.x + radius * cosf(b), center.y + radius * sinf(b)}}, 3, color);
    }
}

static void draw_chip(const demo_picture *picture, const particle *one, vec2s point, float left) {
    cn_hull chip = cn_box(one->size, 0.35f * one->size);
    picture_hull(picture, &chip, cn_pose_at(point, one->angle),
                 (demo_paint){.fill = color_fade(picture->theme->class_fills[CLASS_BOX], left)});
}

static void draw_one(const demo_picture *picture, const particle *one, float ahead) {
    const demo_theme *theme = picture->theme;
    float left = fminf(1 - (one->age + ahead) / one->life, 1), scale = picture->view.scale;
    if (left <= 0) return;
    vec2s point = glms_vec2_muladds(one->velocity, ahead, one->point);
    vec2s at = view_to_screen(&picture->view, point);
    float radius = fmaxf((one->size + one->growth * ahead) * scale, 0.7f);
    switch (one->kind) {
    case PARTICLE_DUST:
        canvas_disc(picture->canvas, at, radius,
                    (demo_paint){.fill = color_fade(theme->static_outline, 0.45f * left)});
        break;
    case PARTICLE_SPARK: {
        vec2s tail =
            view_to_screen(&picture->view, glms_vec2_muladds(one->velocity, -0.025f, point));
        canvas_line(picture->canvas, tail, at, 1.6f, color_fade(theme->grab, left));
        break;
    }
    case PARTICLE_CHIP: draw_chip(picture, one, point, fminf(2 * left, 1)); break;
    case PARTICLE_FLASH:
        canvas_disc(picture->canvas, at, radius,
                    (demo_paint){.fill = color_fade(theme->grab, 0.75f * left)});
        break;
    case PARTICLE_RING: draw_ring(picture, at, radius, color_fade(theme->grab, 0.8f * left)); break;
    }
}

void particles_paint(const demo_picture *picture, const demo_particles *particles, float ahead,
                     bool dust) {
    for (int i = 0; i < PARTICLES_MAX; i++) {
        const particle *p = &particles->list[i];
        if (p->age < p->life && (p->kind == PARTICLE_DUST) == dust) draw_one(picture, p, ahead);
    }
}
