/* controls: the panels at the sides of the demo, and what the user asks for with them. */
#ifndef DEMO_CONTROLS_H
#define DEMO_CONTROLS_H

#include "overlays.h"
#include "panel.h"
#include "picture.h"
#include "stage.h"

typedef struct {
    demo_panel scenes, world; // at the left and at the right
    panel_mouse mouse;
    const scene *listed; // the scene that the list was scrolled to
    bool hidden;
    bool overlays[OVERLAY_COUNT]; // which check boxes are on
    float substeps;               // what the slider shows
    cn_profile profile;           // averaged over some steps, or numbers dance too fast to be read
    uint64_t profiled_steps;
} demo_controls;

// What was asked for in a frame.
typedef struct {
    const scene *chosen; // start this scene; NULL: stay
    bool restart, step;
} controls_wish;

void controls_open(demo_controls *controls, uint32_t overlay_flags, int substeps);
// Another scene: where the two differ in the overlays that are on at first, it has its way.
void controls_change_scene(demo_controls *controls, const scene *from, const scene *to);
uint32_t controls_overlays(const demo_controls *controls); // as flags
// The part of a picture of that size that the panels and the help leave to a scene's world.
SDL_FRect controls_free_area(const demo_controls *controls, const scene *shown, int width,
                             int height);
// Draws title, help and panels, and reacts to the mouse. May change pause, speed and substeps.
controls_wish controls_draw(demo_controls *controls, const demo_picture *picture, demo_stage *stage,
                            int width, int height);

#endif
