/* panel: a column of widgets, drawn and asked about in the same call each frame (immediate mode).
 *
 *     panel_begin(&panel, &canvas, theme, rect);
 *     if (panel_button(&panel, "Reset", "R")) reset();
 *     panel_check(&panel, "Contacts", "C", &contacts);
 *     panel_end(&panel);
 *
 * A panel keeps nothing between frames but how far it is scrolled and which widget the mouse holds.
 */
#ifndef DEMO_PANEL_H
#define DEMO_PANEL_H

#include "canvas.h"
#include "theme.h"

// The mouse, as the widgets of all panels see it.
typedef struct {
    vec2s position;
    float wheel;      // notches since the last frame, away from the user is positive
    bool down;        // the left button is held
    bool pressed;     // it went down since the last frame
    const void *held; // the widget that it went down on, until it goes up
} panel_mouse;

typedef struct {
    demo_canvas *canvas;
    const demo_theme *theme;
    panel_mouse *mouse;
    SDL_FRect rect;
    float y;      // top of the next row
    float scroll; // pixels that the rows are moved up, kept by the user of the panel
} demo_panel;

enum { PANEL_MARGIN = 12, PANEL_ROW = 22 };

// Starts a column in a rectangle; rows that do not fit are reached with the wheel.
void panel_begin(demo_panel *panel, SDL_FRect rect);
void panel_end(demo_panel *panel);
// Scrolls so far that a next row of that height is seen, from the next frame on.
void panel_reveal(demo_panel *panel, float height);

void panel_heading(demo_panel *panel, const char *text);
void panel_label(demo_panel *panel, const char *text);
void panel_value(demo_panel *panel, const char *label, const char *value);
// A label and a value, on a bar of 0..1 of the width.
void panel_bar(demo_panel *panel, const char *label, const char *value, float share);
// `key` is the name of the key that does the same; may be NULL. True when clicked.
bool panel_button(demo_panel *panel, const char *text, const char *key);
// Several buttons in one row, side by side. Returns the index of the clicked one, or -1.
int panel_buttons(demo_panel *panel, const char *const *texts, int count);
// A row of a list. True when clicked.
bool panel_choice(demo_panel *panel, const char *text, bool chosen);
// True when changed.
bool panel_check(demo_panel *panel, const char *text, const char *key, bool *on);
bool panel_slider(demo_panel *panel, const char *text, const char *shown, float *value, float low,
                  float high);
void panel_space(demo_panel *panel, float height);

#endif
