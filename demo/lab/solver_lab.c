/* Opens and closes the solver lab, and goes to places.
 *
 * A step of a scene has two halves: what the user and the scene do, and the step of the world. The
 * lab stays between the two. So the step that it shows is the one that the world takes when the
 * lab closes or goes on to the next step. */
#include "solver_lab.h"
#include "../stage/overlays.h"

#include <ctype.h>
#include <math.h>

// clang-format off
const char *const solver_lab_keys[] = {
    "Left, Right", "back, forward", "Up, Down", "larger, smaller steps", "Space", "play",
    "Enter", "next step", "W", "warm start", "F4", "close", "[ ]", "substeps", NULL};
// clang-format on

// ---- open and close

void solver_lab_drop(solver_lab *lab) {
    for (int i = 0; i < 2; i++) trace_free(&lab->traces[i]);
    trace_view_free(&lab->view);
    lab->is_open = false;
}

// The world takes the step. Returns false if that fails.
static bool end_step(solver_lab *lab, demo_stage *stage) {
    uint64_t expected = lab->traces[0].hash;
    if (!stage_end_step(stage)) return false;
    bool same = cn_world_hash(stage->run.world) == expected;
    lab->compared = same ? STEP_IS_SAME : STEP_DIFFERS;
    return true;
}

void solver_lab_close(solver_lab *lab, demo_stage *stage) {
    end_step(lab, stage);
    solver_lab_drop(lab);
}

// The first half of the step was done, so the world takes it.
static bool give_up(solver_lab *lab, demo_stage *stage) {
    stage_tell(stage, "The solver lab cannot show this step: %s", cn_error());
    solver_lab_close(lab, stage);
    return false;
}

// Traces the next step, whose first half is done.
static bool make_traces(solver_lab *lab, demo_stage *stage) {
    for (int i = 0; i < 2; i++) {
        trace_free(&lab->traces[i]);
        if (!trace_make(&lab->traces[i], stage->run.world, STAGE_STEP, i == 1))
            return give_up(lab, stage);
    }
    lab->substeps = cn_world_substeps(stage->run.world);
    return solver_lab_go_to(lab, stage, 0);
}

bool solver_lab_open(solver_lab *lab, demo_stage *stage) {
    *lab = (solver_lab){.level = TRACE_PASS};
    if (stage->replay) {
        stage_tell(stage, "The solver lab shows scenes, but not recordings.");
        return false;
    }
    stage->paused = true;
    if (!stage_begin_step(stage)) return false;
    lab->is_open = true;
    return make_traces(lab, stage);
}

// ---- places

bool solver_lab_go_to(solver_lab *lab, demo_stage *stage, int place) {
    const trace *shown = solver_lab_shown(lab);
    lab->at = place < 0 ? 0 : place > shown->count ? shown->count : place;
    return trace_look(shown, lab->at, &lab->view) || give_up(lab, stage);
}

bool solver_lab_open_at(solver_lab *lab, demo_stage *stage, int place) {
    if (!solver_lab_open(lab, stage)) return false;
    lab->level = TRACE_CONTACT;
    return solver_lab_go_to(lab, stage, place);
}

static void begin_next_step(solver_lab *lab, demo_stage *stage) {
    if (end_step(lab, stage) && stage_begin_step(stage))
        make_traces(lab, stage);
    else
        solver_lab_drop(lab); // and the stage shows the error
}

// Returns false at the end of the step.
static bool go_on(solver_lab *lab, demo_stage *stage) {
    const trace *shown = solver_lab_shown(lab);
    if (lab->at == shown->count) return false;
    return solver_lab_go_to(lab, stage, trace_next(shown, lab->at, lab->level));
}

static void go_back(solver_lab *lab, demo_stage *stage) {
    solver_lab_go_to(lab, stage, trace_previous(solver_lab_shown(lab), lab->at, lab->level));
}

// Shows the step with or without the warm start, as far along as before.
static void change_trace(solver_lab *lab, demo_stage *stage) {
    lab->is_cold = !lab->is_cold;
    solver_lab_go_to(lab, stage, lab->at);
}

static void change_level(solver_lab *lab, int by) {
    int level = (int)lab->level + by;
    if (level >= 0 && level < TRACE_LEVELS) lab->level = (trace_level)level;
}

// ---- events

static bool press_key(solver_lab *lab, demo_stage *stage, int key) {
    switch (key) {
    case KEY_RIGHT:
        if (!go_on(lab, stage)) begin_next_step(lab, stage);
        return true;
    case KEY_LEFT: go_back(lab, stage); return true;
    case KEY_UP: change_level(lab, -1); return true;
    case KEY_DOWN: change_level(lab, 1); return true;
    case 's':
    case '.':
    case KEY_ENTER: begin_next_step(lab, stage); return true;
    case 'p':
    case ' ': lab->plays = !lab->plays; return true;
    case 'w': change_trace(lab, stage); return true;
    case KEY_ESCAPE:
    case KEY_F1 + 3: solver_lab_close(lab, stage); return true;
    default: return false;
    }
}

// Keys of the view, and those that start another scene.
static bool is_for_demo(int key) {
    static const int keys[] = {KEY_F1,      KEY_F1 + 1,    KEY_F1 + 2, KEY_HOME, KEY_TAB, 'd', 'r',
                               KEY_PAGE_UP, KEY_PAGE_DOWN, '[',        ']',      '-',     '+', '='};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i] == key) return true;
    for (int i = 0; i < OVERLAY_COUNT; i++)
        if (tolower(overlays[i].key[0]) == key) return true;
    return false;
}

bool solver_lab_event(solver_lab *lab, demo_stage *stage, const demo_event *event, bool is_world) {
    if (!lab->is_open) return false;
    if (event->kind == EVENT_PRESS) return is_world && event->button == BUTTON_LEFT;
    if (event->kind != EVENT_KEY) return false;
    return press_key(lab, stage, event->key) || !is_for_demo(event->key);
}

// ---- time

// Seconds for a place while the lab plays.
static float pace_of(trace_level level) {
    static const float paces[TRACE_LEVELS] = {0.6f, 0.8f, 0.35f, 0.25f, 0.06f};
    return paces[level];
}

void solver_lab_advance(solver_lab *lab, demo_stage *stage, float seconds) {
    if (!lab->is_open) return;
    if (lab->substeps != cn_world_substeps(stage->run.world)) make_traces(lab, stage);
    if (!lab->is_open || !lab->plays) return;
    lab->due -= seconds;
    if (lab->due > 0) return;
    lab->due = pace_of(lab->level);
    if (!go_on(lab, stage)) begin_next_step(lab, stage);
}
