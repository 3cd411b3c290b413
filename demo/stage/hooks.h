/* hooks: what a scene can add to the demo in addition to its bodies. Scenes do not depend on the
 * demo. A scene that draws on the canvas, adds rows to the panel or handles the mouse has a row in
 * hooks.c. */
#ifndef DEMO_HOOKS_H
#define DEMO_HOOKS_H

#include "../ui/panel.h"
#include "picture.h"
#include "stage.h"

typedef struct {
    const scene *scene;
    const char *const *keys; // for the help line: a key, its meaning, ..., NULL
    // Each of these three may be NULL.
    void (*draw)(const demo_picture *picture, demo_stage *stage);
    void (*rows)(demo_panel *panel, demo_stage *stage); // adds rows to the right panel
    // Returns true if the hook used the event. The demo then ignores it.
    bool (*event)(const demo_picture *picture, demo_stage *stage, const demo_event *event);
} scene_hooks;

// Returns the hooks of a scene. Never NULL: a scene without hooks gets an empty row.
const scene_hooks *hooks_of(const scene *chosen);

#endif
