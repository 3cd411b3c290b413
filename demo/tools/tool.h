/* tool: what the left mouse button does in the world. Each tool is a file with a row in tools.c.
 *
 * A tool changes the world between two steps, as a game would, so its calls are in a recording. */
#ifndef DEMO_TOOL_H
#define DEMO_TOOL_H

#include "../stage/stage.h"

typedef struct demo_tool demo_tool;

enum { MAX_STROKE = 256 };

// The chosen tool, and what the mouse is doing with it. Points are in the world.
typedef struct {
    const demo_tool *chosen;
    demo_stage *stage;
    vec2s point;              // of the mouse
    float pixel;              // the length of a pixel, m
    cn_bounds seen;           // the part of the world in the picture
    float size;               // of what the tool makes, m: the wheel changes it
    float strength;           // of what the tool does; the wheel changes it
    int variant;              // of the tool: which shape, or which joint
    bool down;                // the button is held
    vec2s start;              // where it went down
    cn_body body;             // that was there; null: none
    vec2s anchor;             // the start, in the frame of this body
    vec2s stroke[MAX_STROKE]; // the path of the mouse since then
    int stroke_count;
    bool fills; // Dig: the stroke adds tiles
} tool_use;

struct demo_tool {
    const char *name; // on its button
    const char *hint; // what the mouse does with it
    int key;          // that chooses it; 0: none
    float size;       // m, at first; 0: it has no size
    float strength;   // at first, in a unit of the tool; 0: it has none
    // What `variant` counts, ended by NULL; NULL: it has none. The key chooses the next one.
    const char *const *variants;
    // Each of these may be NULL. They return false if a call on the world fails.
    bool (*press)(tool_use *use);
    bool (*drag)(tool_use *use); // the mouse moved while the button is held
    bool (*release)(tool_use *use);
    void (*draw)(const tool_use *use, sketch *s);
};

extern const demo_tool tool_grab, tool_throw, tool_spawn, tool_outline, tool_bomb, tool_cut,
    tool_tiles, tool_erase, tool_pin, tool_tie, tool_freeze, tool_ball;
extern const demo_tool *const demo_tools[]; // all, ended by NULL

void tools_choose(tool_use *use, const demo_tool *tool);
// Chooses the tool with this key, or its next variant if it is chosen already. Returns false if
// no tool has the key.
bool tools_choose_by_key(tool_use *use, int key);
// The button goes down or up, or the mouse moves. The user is told of a failure.
void tools_press(tool_use *use);
void tools_move(tool_use *use, vec2s point);
void tools_release(tool_use *use);
void tools_cancel(tool_use *use); // drops a stroke that has begun
// The wheel, with Shift and without. Return false if the tool has no size, or no strength.
bool tools_resize(tool_use *use, float notches);
bool tools_strengthen(tool_use *use, float notches);
// Throws a heavy ball from the side of the view towards the mouse.
void tools_throw_ball(tool_use *use);
void tools_draw(const tool_use *use, sketch *s);

// ---- for the tools

// Returns the body at a point, or near it: a dynamic one if there is one; `any`: of any type.
cn_body tool_body_at(const tool_use *use, vec2s point, bool any);
vec2s tool_anchor_point(const tool_use *use); // where the anchor is now
// Returns the first static body, or a new one without shapes: joints to the ground need one.
cn_body tool_ground(tool_use *use);
// Adds a body of density 1. Returns false if that fails, and then leaves nothing behind.
bool tool_add_body(tool_use *use, const cn_body_def *def, const cn_hull *hulls, int count);

#endif
