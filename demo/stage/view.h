/* view: the camera. It converts between world metres, y up, and pixels, y down. */
#ifndef DEMO_VIEW_H
#define DEMO_VIEW_H

#include "../ui/canvas.h"
#include "../scenes/scene.h"

typedef struct {
    vec2s center;   // the world point at the middle of the area
    float scale;    // pixels per metre
    demo_area area; // the part of the picture that shows the world
} demo_view;

static inline vec2s view_middle(const demo_view *v) {
    return (vec2s){{v->area.x + v->area.w / 2, v->area.y + v->area.h / 2}};
}

static inline vec2s view_to_screen(const demo_view *v, vec2s p) {
    vec2s middle = view_middle(v);
    return (vec2s){
        {middle.x + (p.x - v->center.x) * v->scale, middle.y - (p.y - v->center.y) * v->scale}};
}

static inline vec2s view_to_world(const demo_view *v, vec2s p) {
    vec2s middle = view_middle(v);
    return (vec2s){
        {v->center.x + (p.x - middle.x) / v->scale, v->center.y - (p.y - middle.y) / v->scale}};
}

// Returns the part of the world that the area shows.
static inline cn_bounds view_bounds(const demo_view *v) {
    float w = v->area.w / v->scale / 2, h = v->area.h / v->scale / 2;
    return (cn_bounds){{{v->center.x - w, v->center.y - h}}, {{v->center.x + w, v->center.y + h}}};
}

// Returns the scene's own view, fitted between `top` and `bottom` pixels of text in the area.
static inline demo_view view_of_scene(const scene *shown, demo_area area, float top, float bottom) {
    scene_view v = shown->view;
    float most = 0.7f * area.h; // so that something of the scene is left
    if (top + bottom > most) bottom *= most / (top + bottom), top = most - bottom;
    float scale_y = (area.h - top - bottom) / v.height;
    float scale_x = area.w / (shown->width > 0 ? shown->width : 1.2f * v.height);
    float scale = scale_y < scale_x ? scale_y : scale_x;
    return (demo_view){{{v.x, v.y + (top - bottom) / 2 / scale}}, scale, area};
}

// Zooms by a factor. The world point under the pixel stays under it.
static inline void view_zoom(demo_view *v, vec2s pixel, float factor) {
    vec2s fixed = view_to_world(v, pixel);
    float scale = v->scale * factor;
    v->scale = scale < 0.1f ? 0.1f : scale > 1e5f ? 1e5f : scale;
    v->center = glms_vec2_add(v->center, glms_vec2_sub(fixed, view_to_world(v, pixel)));
}

// Moves the world on the screen by pixels.
static inline void view_pan(demo_view *v, float dx, float dy) {
    v->center.x -= dx / v->scale;
    v->center.y += dy / v->scale;
}

#endif
