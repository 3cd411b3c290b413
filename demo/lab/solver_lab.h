/* solver_lab: goes through one step of the world of a scene, forward and backward. It shows the
 * next step that the world will take. The lab visits the places of a copy of that step (trace.h)
 * while the world waits between its scene's part of the step and its own.
 *
 *   solver_lab.c        opens and closes the lab, its keys, time
 *   solver_lab_words.c  what the engine does at a place, in words
 *   solver_lab_panel.c  the panel: where the step is, numbers, the curve, the stages
 *   solver_lab_draw.c   velocities and impulses over the world */
#ifndef DEMO_SOLVER_LAB_H
#define DEMO_SOLVER_LAB_H

#include "../stage/picture.h"
#include "../trace/trace.h"
#include "../ui/panel.h"

typedef struct {
    bool is_open;
    trace traces[2];   // of the next step: with the warm start, without
    bool is_cold;      // the one without the warm start is shown
    int at;            // places that were visited
    trace_level level; // how far a key goes
    trace_view view;   // after these places
    float slider;      // `at`, for the slider of the panel
    int substeps;      // of the world when the step was traced
    bool plays;
    float due; // s: until the next place while it plays
    // Whether the world, after the last step, was in the state that its trace had in the end.
    enum { STEP_NOT_TAKEN, STEP_IS_SAME, STEP_DIFFERS } compared;
} solver_lab;

// Pauses the stage at its next step and opens the lab. Returns false if that fails. The stage then
// tells the user why.
bool solver_lab_open(solver_lab *lab, demo_stage *stage);
// Closes the lab. The world takes the step.
void solver_lab_close(solver_lab *lab, demo_stage *stage);
// Closes the lab before the stage starts another scene.
void solver_lab_drop(solver_lab *lab);
// Goes to a place: 0 .. count of the trace.
bool solver_lab_go_to(solver_lab *lab, demo_stage *stage, int place);
// Opens the lab there, at the level of contacts.
bool solver_lab_open_at(solver_lab *lab, demo_stage *stage, int place);

// Returns true if the lab used the event. While it is open it uses those that would change the
// world.
bool solver_lab_event(solver_lab *lab, demo_stage *stage, const demo_event *event, bool is_world);
void solver_lab_advance(solver_lab *lab, demo_stage *stage, float seconds);

// Return the trace that is shown, and its last place so far; NULL at the start of the step.
static inline const trace *solver_lab_shown(const solver_lab *lab) {
    return &lab->traces[lab->is_cold];
}
static inline const trace_place *solver_lab_place(const solver_lab *lab) {
    return lab->at > 0 ? &solver_lab_shown(lab)->places[lab->at - 1] : NULL;
}

void solver_lab_draw(const solver_lab *lab, const demo_picture *picture, const demo_stage *stage);
void solver_lab_rows(solver_lab *lab, demo_panel *panel, demo_stage *stage);
// For the help line: a key, its meaning, ..., NULL.
extern const char *const solver_lab_keys[];

// What the engine does at a place: a short name and a sentence. The names of stages, and of
// functions that are not known, are those of the engine.
typedef struct {
    const char *name, *sentence;
} solver_lab_words;
solver_lab_words solver_lab_describe(const trace_place *place);
// Returns a stable colour for the number of a colour of constraints.
uint32_t solver_lab_color(const demo_theme *theme, int color);

#endif
