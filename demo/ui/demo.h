/* demo: the program, without the window that shows it. It gets events and the time that has passed,
 * and draws on a canvas. app.c runs it in a window of SDL, web/web.c in a web page. */
#ifndef DEMO_DEMO_H
#define DEMO_DEMO_H

#include "controls.h"
#include "gallery.h"
#include "../window/options.h"
#include "../stage/picture.h"
#include "source_view.h"
#include "../stage/stage.h"
#include "../tools/tool.h"

typedef enum { CURSOR_ARROW, CURSOR_HAND, CURSOR_CROSS, CURSOR_COUNT } demo_cursor;

typedef struct {
    const demo_options *options;
    demo_canvas *canvas;
    demo_stage stage;
    demo_controls controls;
    demo_picture picture;
    tool_use tools;
    demo_show show;
    demo_gallery gallery;
    source_view source;
    float width, height; // pixels of the user interface
    vec2s pad;           // pixels that a page needs for its buttons, if the scene takes keys
    uint32_t held_keys;  // keys of scenes that are down: a sum of SCENE_KEY_...
    bool rewinding;      // the key that rewinds is down
    bool panning;        // the view follows the mouse
    bool moved;          // the user moved the view, so it is no longer fitted to the window
    bool shows_keys;     // the list of keys
    float keys_scroll;   // pixels of this list that are above the window
    bool asks;           // whether to quit
    bool quit;           // the user wants to leave
} demo_program;

// Starts the first scene. Returns false if that fails, with a message on stderr.
bool demo_open(demo_program *demo, const demo_options *options, demo_canvas *canvas, float width,
               float height);
void demo_close(demo_program *demo);

// Starts a scene with values for its parameters; NULL: its defaults, or those that the user has
// chosen if it is the present scene.
void demo_start(demo_program *demo, const scene *chosen, const float *values);

void demo_resize(demo_program *demo, float width, float height);
void demo_handle(demo_program *demo, const demo_event *event);
// Takes the steps that are due after `seconds` more.
void demo_advance(demo_program *demo, float seconds);
// Takes exactly one step, or goes back while that key is held, unless the demo is paused.
void demo_step(demo_program *demo);
void demo_draw(demo_program *demo);
// True if the picture stays the same until the next event.
bool demo_is_idle(const demo_program *demo);
// Returns the cursor for what the mouse is over.
demo_cursor demo_find_cursor(const demo_program *demo);

#endif
