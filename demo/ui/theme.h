/* theme: the colours of the demo. A colour is 0xRRGGBBAA, as in cn_draw_vertex. */
#ifndef DEMO_THEME_H
#define DEMO_THEME_H

#include <stdint.h>

typedef enum {
    CLASS_CIRCLE,
    CLASS_CAPSULE,
    CLASS_SEGMENT,
    CLASS_BOX,
    CLASS_ROUNDED_BOX,
    CLASS_POLYGON,
    CLASS_ROUNDED_POLYGON,
    CLASS_COUNT
} hull_class;

typedef struct {
    uint32_t background, grid, grid_axis;
    uint32_t static_fill, static_outline;  // static bodies
    uint32_t kinematic, kinematic_outline; // kinematic bodies
    uint32_t class_fills[CLASS_COUNT];     // dynamic bodies, by the shape's hull class
    uint32_t outline;                      // mixed into the outlines of dynamic bodies
    uint32_t water, syrup;                 // media with density: thin and viscous ones
    uint32_t grab;
    uint32_t force;      // numbers of the joint overlay
    float overlay_shade; // 0..1, darkens the engine's overlay colours, which suit a dark theme
    // panels
    uint32_t panel, panel_edge, widget, widget_hot, widget_held, accent;
    uint32_t text, text_dim, text_heading, text_on_accent, text_error;
    // the SAT lab: hulls, separation, overlap, reference edge and incident edge
    uint32_t hull_a, hull_b, gap, overlap, reference, incident;
    uint32_t white, black; // of things that are so in every theme
    float area_tint; // 0..1, lightens areas in colours that are dark enough for lines and text
} demo_theme;

extern const demo_theme theme_dark, theme_light;

// Returns a colour between a and b: a if fraction is 0, b if it is 1. The alpha is that of a.
uint32_t color_mix(uint32_t a, uint32_t b, float fraction);
// Returns the colour with its alpha multiplied by 0..1.
uint32_t color_fade(uint32_t color, float alpha);

#endif
