/* options: the command line of the demo. */
#ifndef DEMO_OPTIONS_H
#define DEMO_OPTIONS_H

#include "scene.h"

typedef struct {
    const scene *scene; // the first of demo_scenes if none was named
    cn_world_def world; // threads, lanes and substeps
    bool list, help, headless, light;
    bool panels;            // show the panels in headless pictures too
    int steps;              // -1: not given
    int width, height;      // of the window or picture, pixels
    uint32_t overlays;      // cn_draw_flags and OVERLAY_SLEEP
    const char *screenshot; // NULL: none
    const char *record;     // NULL: none
} demo_options;

// False, with a message on stderr, if the arguments make no sense.
bool options_parse(demo_options *options, int count, char **arguments);
void options_print_help(void);
void options_print_scenes(void);

#endif
