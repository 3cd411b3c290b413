/* controls: the two panels of the demo, its title and its help line. */
#ifndef DEMO_CONTROLS_H
#define DEMO_CONTROLS_H

#include "graph.h"
#include "../stage/overlays.h"
#include "panel.h"
#include "../stage/picture.h"
#include "../stage/stage.h"
#include "../lab/solver_lab.h"
#include "../tools/tool.h"

// The sections of the right panel.
typedef enum {
    SECTION_SIMULATION,
    SECTION_SCENE,
    SECTION_TOOLS,
    SECTION_BODY,
    SECTION_OVERLAYS,
    SECTION_TIMES,
    SECTION_COUNTS,
    SECTION_COUNT
} panel_section_id;

enum { CONTROLS_MAX_GROUPS = 16 };

typedef struct {
    demo_panel scenes, world; // the left and the right panel
    panel_mouse mouse;
    const scene *listed; // the list was last scrolled to this scene
    enum { PANELS_IF_THEY_FIT, PANELS_SHOWN, PANELS_HIDDEN, PANELS_AND_HINTS_HIDDEN } panels;
    bool is_touched; // by fingers, without a keyboard: hints name no keys
    vec2s pad;       // pixels beside the world and below it, for buttons that stand for the arrows
    bool overlays[OVERLAY_COUNT];            // the check boxes
    bool closed_groups[CONTROLS_MAX_GROUPS]; // of the list of scenes
    bool closed[SECTION_COUNT];              // sections of the right panel that are folded
    cn_body picked;                          // the body on the card; null: none
    float substeps, gravity;                 // the values of sliders
    float time;                              // the value of the time slider: a step
    int max_threads;                         // of the slider; 1: there is none
    cn_profile profile; // averaged over some steps, so that the numbers can be read
    uint64_t profiled_steps;
    graph times;    // of the last steps
    solver_lab lab; // while it is open it has the place of the right panel
} demo_controls;

// What the user asked for in a frame.
typedef struct {
    const scene *chosen; // the scene to start; NULL: stay
    bool restart, step, gallery, lab;
} controls_request;

void controls_open(demo_controls *controls, uint32_t overlay_flags, int substeps);
// Adapts the overlays to a change of scene. Where the initial overlays of the two scenes differ,
// takes the setting of the new scene. Keeps all others.
void controls_change_scene(demo_controls *controls, const scene *from, const scene *to);
void controls_show(demo_controls *controls, uint32_t flag);           // from now on
void controls_show_overlays(demo_controls *controls, uint32_t flags); // these, and no others
uint32_t controls_overlays(const demo_controls *controls);            // as flags
// Returns the part of a picture of this size that panels and help leave free for the world.
demo_area controls_free_area(const demo_controls *controls, int width, int height);
void controls_toggle_panels(demo_controls *controls, int width, int height);
// Draws title, help and panels, and handles the mouse. May change pause, speed and substeps.
controls_request controls_draw(demo_controls *controls, const demo_picture *picture,
                               demo_stage *stage, tool_use *tools, int width, int height);

#endif
