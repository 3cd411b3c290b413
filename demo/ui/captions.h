/* captions: the text around the world: title, caption, the bar with hints, and the list of keys. */
#ifndef DEMO_CAPTIONS_H
#define DEMO_CAPTIONS_H

#include "../stage/picture.h"
#include "../tools/tool.h"

// Returns the height of title and caption in an area of this width, so that the scene can be
// fitted below them.
float captions_height(const scene *shown, float width);
// Returns the area that they cover.
demo_area captions_area(const scene *shown, demo_area world);
void captions_draw(const demo_picture *picture, const demo_stage *stage);

// Writes text in as many lines as it needs. Returns their number. Without a picture it only counts.
int captions_write(const demo_picture *picture, float x, float y, float width, uint32_t color,
                   const char *text);

enum { CAPTIONS_BAR = 26 };
// What the hint line tells.
typedef struct {
    const char *const *only; // only these keys; NULL: what the tool and the keys of the scene do
    bool has_keys;           // also the keys of the demo
    bool lacks_panels;       // also how to show the panels
} captions_hints;
void captions_draw_bar(const demo_picture *picture, const demo_stage *stage, const tool_use *tools,
                       demo_area bar, captions_hints hints);
// Draws a list of all keys over a window of this size. If the window is too low for all of them, it
// leaves out the first `scroll` pixels, which are clamped to what there is.
void captions_draw_keys(const demo_picture *picture, const scene *shown, bool can_quit, float width,
                        float height, float *scroll);
// Draws a question in the middle.
void captions_draw_question(const demo_picture *picture, const char *text, float width,
                            float height);

#endif
