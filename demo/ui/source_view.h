/* source_view: shows the source of the scene, from its create() on. */
#ifndef DEMO_SOURCE_VIEW_H
#define DEMO_SOURCE_VIEW_H

#include "../stage/picture.h"

typedef struct {
    const char *name; // of the scene
    const char *text; // its file
} scene_source;
extern const scene_source scene_sources[]; // generated; ended by one without a name

typedef struct {
    bool open;
    const scene *shown; // for which `line` is
    int line;           // the first one that is drawn
} source_view;

void source_view_toggle(source_view *view);
void source_view_scroll(source_view *view, int lines);
// Draws it over an area, if it is open.
void source_view_draw(source_view *view, const demo_picture *picture, const scene *shown,
                      demo_area area);

#endif
