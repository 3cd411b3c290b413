/* options: the demo's command line. */
#ifndef DEMO_OPTIONS_H
#define DEMO_OPTIONS_H

#include "../scenes/scene.h"

typedef struct {
    const scene *scene;                     // without a name, the first of demo_scenes
    cn_world_def world;                     // threads, lanes and substeps
    float values[SCENE_MAX_PARAMETERS];     // of the scene's parameters
    const char *sets[SCENE_MAX_PARAMETERS]; // --set, until the scene is known
    int set_count;
    bool list, help, headless, light;
    bool panels;            // also show the panels in headless pictures
    bool mute;              // no sound
    bool effects;           // also particles in headless pictures
    const char *sound;      // the file for the sound of a headless run; NULL: none
    bool in_page;           // of the web: the user cannot quit, and there are no threads
    int steps;              // -1: no --steps
    int lab;                // the place of the next step that the solver lab shows; -1: no lab
    int width, height;      // of the window or picture, pixels
    uint32_t overlays;      // cn_draw_flags and OVERLAY_SLEEP
    const char *screenshot; // NULL: none
    const char *record;     // NULL: none
    const char *calls;      // the file for a recording of the calls; NULL: none
} demo_options;

// Fails, with a message on stderr, if an argument is wrong.
bool options_parse(demo_options *options, int count, char **arguments);
void options_print_help(void);
void options_print_scenes(void);

#endif
