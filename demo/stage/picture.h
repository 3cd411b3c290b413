/* picture: draws a stage: the grid, the bodies, the overlays and the mouse spring. */
#ifndef DEMO_PICTURE_H
#define DEMO_PICTURE_H

#include "../ui/canvas.h"
#include "stage.h"
#include "../ui/theme.h"
#include "view.h"

// What is needed for drawing. Hooks use it too.
typedef struct {
    demo_canvas *canvas;
    const demo_theme *theme;
    demo_view view;
    uint32_t overlays; // cn_draw_flags and OVERLAY_SLEEP
    vec2s mouse;       // pixels; far outside if there is no mouse
    bool is_small;     // of the gallery: without grid, scale and text
} demo_picture;

// Maximum widths in pixels of the scale at the lower right, and of that of joint forces beside it.
enum { PICTURE_SCALE = 120, PICTURE_FORCES = 160 };
// Returns the maximum width of the scale in an area, which is small in a small one.
float picture_scale_width(demo_area area);

// Returns the view of the stage's scene in the area between its title and caption and its notes.
demo_view picture_fit(const demo_stage *stage, demo_area area);
void picture_draw(const demo_picture *picture, demo_stage *stage);

// Draws a hull at a pose.
void picture_hull(const demo_picture *picture, const cn_hull *hull, cn_pose pose, demo_paint paint);
// Draws text centred on a world point, moved by (dx, dy) pixels.
void picture_label(const demo_picture *picture, vec2s point, float dx, float dy, uint32_t color,
                   const char *text);
hull_class picture_hull_class(const cn_hull *hull);

#endif
