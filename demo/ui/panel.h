/* panel: a column of widgets in immediate mode. Each frame, one call draws a widget and returns
 * what the user did with it.
 *
 *     panel_begin(&panel, rect);
 *     if (panel_button(&panel, "Reset", "R")) reset();
 *     panel_check(&panel, "Contacts", "C", &contacts);
 *     panel_end(&panel);
 *
 * Between frames a panel keeps only its scroll position and the widget that the mouse holds. */
#ifndef DEMO_PANEL_H
#define DEMO_PANEL_H

#include "canvas.h"
#include "theme.h"

// The state of the mouse, shared by all panels.
typedef struct {
    vec2s position;
    float wheel;      // notches since the last frame, positive away from the user
    bool down;        // the left button is down
    bool pressed;     // the left button went down since the last frame
    const void *held; // the widget on which the button went down, until it goes up
} panel_mouse;

typedef struct {
    demo_canvas *canvas;
    const demo_theme *theme;
    panel_mouse *mouse;
    demo_area rect;
    float y;      // top of the next row
    float scroll; // the rows are moved up by this many pixels; the caller keeps it
} demo_panel;

enum { PANEL_MARGIN = 12, PANEL_ROW = 22 };
// Pixels for the texts beside a slider, including the knob at either end of its range.
enum { PANEL_NAME = 80, PANEL_VALUE = 80, PANEL_KNOB = 7 };

// Starts a column in a rectangle. The wheel scrolls to rows that do not fit.
void panel_begin(demo_panel *panel, demo_area rect);
void panel_end(demo_panel *panel);
// Scrolls until a row of this height at the present place is visible, from the next frame on.
void panel_reveal(demo_panel *panel, float height);

void panel_heading(demo_panel *panel, const char *text);
void panel_label(demo_panel *panel, const char *text);
void panel_value(demo_panel *panel, const char *label, const char *value);
// A label and a value on a bar, whose width is a fraction 0..1 of the panel's.
void panel_bar(demo_panel *panel, const char *label, const char *value, float fraction);
// Returns true when clicked. `key` is the name of the key that does the same, or NULL.
bool panel_button(demo_panel *panel, const char *text, const char *key);
// Several buttons in one row, side by side. Returns the index of the clicked one, or -1.
int panel_buttons(demo_panel *panel, const char *const *texts, int count);
// The same, with one of them marked as chosen (-1: none), and as wide as if there were `columns`.
int panel_toggles(demo_panel *panel, const char *const *texts, int count, int columns, int chosen);
// A row of a list. Returns true when clicked.
bool panel_choice(demo_panel *panel, const char *text, bool chosen);
// A check box and a slider. Both return true when the value changes. `shown` is the value as text.
bool panel_check(demo_panel *panel, const char *text, const char *key, bool *on);
// The same as panel_check(), with a colour in front of the text.
bool panel_check_color(demo_panel *panel, const char *text, const char *key, uint32_t color,
                       bool *on);
bool panel_slider(demo_panel *panel, const char *text, const char *shown, float *value, float low,
                  float high);
void panel_space(demo_panel *panel, float height);
// An empty area across the panel, for the caller to draw in.
demo_area panel_area(demo_panel *panel, float height);
// Names with their colours, two in a row.
void panel_legend(demo_panel *panel, const char *const *names, const uint32_t *colors, int count);
// A heading that folds what follows. Returns true if it is open.
bool panel_section(demo_panel *panel, const char *text, bool *closed);

#endif
