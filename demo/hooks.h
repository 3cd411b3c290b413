/* hooks: what a scene may add to the demo beyond its bodies. Scenes themselves know nothing of SDL;
 * those that have something to draw or to say to the mouse have a row in hooks.c. */
#ifndef DEMO_HOOKS_H
#define DEMO_HOOKS_H

#include "panel.h"
#include "picture.h"
#include "stage.h"

typedef struct {
    const scene *scene;
    const char *const *keys; // for the help line: a key, what it does, ..., NULL
    // All three may be NULL.
    void (*draw)(const demo_picture *picture, demo_stage *stage);
    void (*rows)(demo_panel *panel, demo_stage *stage); // in the right panel
    // True if the event was taken and means nothing else.
    bool (*event)(const demo_picture *picture, demo_stage *stage, const SDL_Event *event);
} scene_hooks;

// Never NULL: a scene without hooks gets an empty row.
const scene_hooks *hooks_of(const scene *chosen);

#endif
