/* picture: a stage, drawn: the grid, the bodies, the overlays and the grabbing spring. */
#ifndef DEMO_PICTURE_H
#define DEMO_PICTURE_H

#include "canvas.h"
#include "stage.h"
#include "theme.h"
#include "view.h"

// What to draw with, and how. Shared with scenes that draw for themselves.
typedef struct {
    demo_canvas *canvas;
    const demo_theme *theme;
    demo_view view;
    uint32_t overlays; // cn_draw_flags and OVERLAY_SLEEP
    vec2s mouse;       // pixels; far away if there is none
} demo_picture;

void picture_draw(const demo_picture *picture, demo_stage *stage);

// A hull at a pose.
void picture_hull(const demo_picture *picture, const cn_hull *hull, cn_pose pose, demo_paint paint);
// A text at a world point, centred, moved by pixels.
void picture_label(const demo_picture *picture, vec2s point, float dx, float dy, uint32_t color,
                   const char *text);
shape_kind picture_kind(const cn_hull *hull);

#endif
